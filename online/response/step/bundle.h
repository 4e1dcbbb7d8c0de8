/* Crystals in SIMD lanes on the CPU: into lanes, through a solver that steps by itself, and back. */
#ifndef SW_ONLINE_RESPONSE_STEP_BUNDLE_H
#define SW_ONLINE_RESPONSE_STEP_BUNDLE_H

#include "common/math/lanes_floats.h"

#include <string.h>

#include "crystal_update.h"
#include "solver.h"

typedef struct {
    sw_real euler[3], slip_resistance, orientation[4], output[SW_OUTPUTS];
} sw_bundle;

/* n <= SW_BUNDLE crystals; the last one fills up. */
static inline void sw_bundle_load(int n, const sw_crystal *crystal, sw_bundle *b)
{
    float euler[3][SW_BUNDLE], slip_resistance[SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        const sw_crystal *one = &crystal[lane < n ? lane : n - 1];
        for (int i = 0; i < 3; i++)
            euler[i][lane] = one->euler[i];
        slip_resistance[lane] = one->slip_resistance;
    }
    memcpy(b->euler, euler, sizeof euler);
    memcpy(&b->slip_resistance, slip_resistance, sizeof slip_resistance);
}

static inline void sw_bundle_store(int n, const sw_bundle *b, sw_crystal *crystal)
{
    for (int lane = 0; lane < n; lane++) {
        for (int i = 0; i < 3; i++)
            crystal[lane].euler[i] = b->euler[i][lane];
        crystal[lane].slip_resistance = b->slip_resistance[lane];
    }
}

/* What each lane is under: step [SW_BUNDLE], with principal frames. */
static inline sw_frame sw_bundle_frame(const sw_step *const *step)
{
    sw_frame frame;
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        const sw_step *s = step[lane];
        for (int i = 0; i < 4; i++)
            frame.to_principal[i][lane] = s->to_principal[i];
        for (int i = 0; i < 9; i++)
            frame.frame[i / 3][i % 3][lane] = s->frame[i / 3][i % 3];
        for (int i = 0; i < 3; i++)
            frame.applied_turn[i][lane] = s->applied_turn[i];
        frame.theta[lane] = s->theta;
        frame.rate[lane] = s->rate;
        frame.stress_scale[lane] = s->stress_scale;
        frame.strain[lane] = s->strain;
    }
    return frame;
}

/* Orientations and outputs. own_theta: each crystal its frame's; else the one that the solver is
 * prepared for. Returns which lanes have no answer, a bit each. */
static inline unsigned sw_bundle_look_up(const sw_response *r, const sw_frame *frame, int own_theta, int n,
                                         sw_bundle *b)
{
    sw_real principal[4];
    float orientation[4][SW_BUNDLE], theta[SW_BUNDLE], output[SW_OUTPUTS][SW_BUNDLE];
    sw_crystal_orientation(frame, b->euler, b->orientation, principal);
    memcpy(orientation, principal, sizeof orientation);
    memcpy(theta, &frame->theta, sizeof theta);
    const float(*q)[SW_BUNDLE] = (const float(*)[SW_BUNDLE])orientation;
    const unsigned failed = own_theta ? r->functions->evaluate_each(r, n, q, theta, output)
                                      : r->functions->evaluate(r, n, q, output);
    memcpy(b->output, output, sizeof output);
    return failed;
}

/* The solver's own `advance` (solver.h). step [SW_BUNDLE]: each crystal's. kept [n][K]: what it begins with; to: what
 * it ends with, NULL: not wanted. Returns which lanes have no answer, a bit each. */
static inline unsigned sw_bundle_advance(const sw_response *r, const sw_step *const *step, int n,
                                         sw_bundle *b, const float *kept, float *to, int tangent,
                                         float (*number)[SW_BUNDLE])
{
    const int64_t k = r->layout->numbers;
    float state[4][SW_BUNDLE], own[SW_KEPT_MAX][SW_BUNDLE];
    memcpy(state, b->euler, sizeof b->euler);
    memcpy(state[3], &b->slip_resistance, sizeof state[3]);
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        for (int64_t i = 0; i < k; i++)
            own[i][lane] = kept[(lane < n ? lane : n - 1) * k + i];
    const unsigned failed = r->functions->advance(r, step, n, state, own, tangent, number);
    for (int lane = 0; lane < n && to != NULL; lane++)
        for (int64_t i = 0; i < k; i++)
            to[lane * k + i] = own[i][lane];
    memcpy(b->euler, state, sizeof b->euler);
    memcpy(&b->slip_resistance, state[3], sizeof state[3]);
    return failed;
}

#endif
