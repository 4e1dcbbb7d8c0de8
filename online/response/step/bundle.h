/* Crystals in SIMD lanes on the CPU: into lanes, through a solver that steps by itself, and back. */
#ifndef SW_ONLINE_RESPONSE_STEP_BUNDLE_H
#define SW_ONLINE_RESPONSE_STEP_BUNDLE_H

#include "common/math/lanes_floats.h"

#include <string.h>

#include "solver.h"
#include "step.h"

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

/* The solver's own `advance` (solver.h). step [SW_BUNDLE]: each crystal's. kept [n][K]: what it begins with; to: what
 * it ends with, NULL: not wanted. Returns how many have no answer. */
static inline int sw_bundle_advance(const sw_response *r, const sw_step *const *step, int n, sw_bundle *b,
                                    const float *kept, float *to, int tangent, float (*number)[SW_BUNDLE])
{
    const int64_t k = r->functions->kept;
    float state[4][SW_BUNDLE], own[SW_KEPT_MAX][SW_BUNDLE];
    memcpy(state, b->euler, sizeof b->euler);
    memcpy(state[3], &b->slip_resistance, sizeof state[3]);
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        for (int64_t i = 0; i < k; i++)
            own[i][lane] = kept[(lane < n ? lane : n - 1) * k + i];
    const int failed = r->functions->advance(r, step, n, state, own, tangent, number);
    for (int lane = 0; lane < n && to != NULL; lane++)
        for (int64_t i = 0; i < k; i++)
            to[lane * k + i] = own[i][lane];
    memcpy(b->euler, state, sizeof b->euler);
    memcpy(&b->slip_resistance, state[3], sizeof state[3]);
    return failed;
}

#endif
