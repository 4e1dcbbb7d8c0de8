/* Crystals in bundles of SIMD lanes, bundles on threads. */
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/response/packed/packed_lanes.h"
#include "crystal_update.h"
#include "solver.h"

/* The frames of n strain rates [n][6]; the last one fills up. */
static sw_frame own_frames(const sw_response *r, int n, const float (*strain_rate)[6])
{
    sw_step own[SW_BUNDLE];
    const sw_step *step[SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        own[lane] = (sw_step){.rate = 0};
        sw_step_set_own_strain_rate(&own[lane], strain_rate[lane < n ? lane : n - 1],
                                    r->material->slip.rate_sensitivity);
        step[lane] = &own[lane];
    }
    return sw_bundle_frame(step);
}

typedef struct {
    float (*stress)[6], (*plastic_spin)[3], *slip_rate;
} answers;

static int evaluate_bundle(const sw_response *r, const sw_frame *frame, int own_theta, int n,
                           const sw_crystal *crystal, int64_t first, const answers *to)
{
    sw_bundle b;
    sw_real stress[6], spin[3], slip_rate;
    sw_bundle_load(n, crystal + first, &b);
    const unsigned failed = sw_bundle_look_up(r, frame, own_theta, n, &b);
    const sw_mask good =
        sw_crystal_report(frame, b.output, b.orientation, b.slip_resistance, stress, spin, &slip_rate);
    for (int lane = 0; lane < n; lane++) {
        for (int k = 0; k < 6; k++)
            to->stress[first + lane][k] = stress[k][lane];
        for (int k = 0; k < 3; k++)
            to->plastic_spin[first + lane][k] = spin[k][lane];
        to->slip_rate[first + lane] = slip_rate[lane];
    }
    return __builtin_popcount(failed | sw_lanes_outside(good, n));
}

/* For n crystals, so many of them together: beside its outputs one takes some 35 ns for its update, and 900
 * for the frame of a strain rate of its own. */
static int threads_for(const sw_response *r, int own_theta, int64_t n, int together)
{
    const double one = 35 + (own_theta ? 900 : 0) + r->functions->nanoseconds(r, own_theta);
    return sw_threads_for((n + together - 1) / together, together * one);
}

sw_status sw_crystals_evaluate_cpu(sw_response *response, const sw_step *step, const float (*strain_rate)[6],
                                   int64_t n, const sw_crystal *crystal, float (*stress)[6],
                                   float (*plastic_spin)[3], float *slip_rate, int64_t *failed)
{
    const answers to = {stress, plastic_spin, slip_rate};
    int64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)                                         \
    num_threads(threads_for(response, strain_rate != NULL, n, SW_BUNDLE))
    for (int64_t first = 0; first < n; first += SW_BUNDLE) {
        const int lanes = n - first < SW_BUNDLE ? (int)(n - first) : SW_BUNDLE;
        const sw_frame frame =
            strain_rate != NULL ? own_frames(response, lanes, strain_rate + first) : sw_frame_of_step(step);
        sum += evaluate_bundle(response, &frame, strain_rate != NULL, lanes, crystal, first, &to);
    }
    *failed = sum;
    return SW_OK;
}

/* Of a solver that looks up. Returns how many crystals have no answer, or none that is a number. */
static int step_by_output(const sw_response *r, const sw_step *step, const sw_frame *frame, int n,
                          sw_bundle *b, sw_real part[SW_MEANS])
{
    const unsigned failed = sw_bundle_look_up(r, frame, 0, n, b);
    const sw_mask good = sw_crystal_advance(&step->hardening, frame, b->output, b->orientation, b->euler,
                                            &b->slip_resistance, part);
    return __builtin_popcount(failed | sw_lanes_outside(good, n));
}

/* Of one that looks up for a law of four coplanar resistances: number [n][3], and where the next ones go, or NULL.
 * Apart, for the others' sake. */
static __attribute__((noinline)) int step_by_planes(const sw_response *r, const sw_step *step,
                                                    const sw_frame *frame, int n, sw_bundle *b,
                                                    const float *number, float *next, sw_real part[SW_MEANS])
{
    sw_real principal[4], turn[2], output[SW_OUTPUTS_MOST], own[SW_PLANE_NUMBERS];
    float orientation[4][SW_BUNDLE], answer[SW_OUTPUTS_MOST][SW_BUNDLE];
    sw_crystal_orientation(frame, b->euler, b->orientation, principal);
    sw_plane_turn(principal, r->solver->traits.has_terms, turn);
    memcpy(orientation, principal, sizeof orientation);
    const unsigned failed = r->functions->evaluate(r, n, (const float(*)[SW_BUNDLE])orientation, answer);
    memcpy(output, answer, sizeof output);
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        for (int i = 0; i < SW_PLANE_NUMBERS; i++)
            own[i][lane] = number[(lane < n ? lane : n - 1) * SW_PLANE_NUMBERS + i];
    const sw_mask good = sw_crystal_advance_planes(&r->plane_law, &step->hardening, frame, output, turn,
                                                   b->orientation, b->euler, &b->slip_resistance, own, part);
    for (int lane = 0; lane < n && next != NULL; lane++)
        for (int i = 0; i < SW_PLANE_NUMBERS; i++)
            next[lane * SW_PLANE_NUMBERS + i] = own[i][lane];
    return __builtin_popcount(failed | sw_lanes_outside(good, n));
}

/* Of packed crystals, n from `first` on; to: or NULL. frame: whose to_principal is over SW_PACKED_UNIT. */
static int step_packed(const sw_response *r, const sw_step *step, const sw_frame *frame, int n, int64_t first,
                       const sw_packed *from, const sw_packed *to, sw_real part[SW_MEANS])
{
    const uint32_t key = sw_packed_key(from->step), number = (uint32_t)(from->first + first);
    float q[4][SW_BUNDLE], output[SW_OUTPUTS][SW_BUNDLE];
    uint32_t noise[SW_BUNDLE];
    sw_real principal[4], turned[4], level;
    sw_bundle b;
    sw_packed_load(n, from, first, b.orientation, &level, &b.slip_resistance);
    sw_quaternion_product(frame->to_principal, b.orientation, principal);
    memcpy(q, principal, sizeof q);
    const unsigned failed = r->functions->evaluate(r, n, (const float(*)[SW_BUNDLE])q, output);
    memcpy(b.output, output, sizeof output);
    sw_real grown = b.slip_resistance;
    sw_mask good = sw_crystal_move(&step->hardening, frame, b.output, b.orientation, turned, &grown, part);
    sw_real growth = sw_log2(sw_divide(grown, b.slip_resistance)) * (1 / from->quantum);
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        noise[lane] = sw_packed_noise(number + (uint32_t)lane, key);
    if (to != NULL)
        good &= sw_packed_store(n, turned, level, growth, noise, SW_PACKED_MARGIN, to->word + first);
    return __builtin_popcount(failed | sw_lanes_outside(good, n));
}

/* Of a solver that remembers: state [n][K], and where the next one goes, or NULL. */
static int step_with_state(const sw_response *r, const sw_step *step, int n, sw_bundle *b, const float *state,
                           float *next, sw_real part[SW_MEANS])
{
    const sw_step *all[SW_BUNDLE];
    float mean[SW_MEANS][SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        all[lane] = step;
    const unsigned failed = sw_bundle_advance(r, all, n, b, state, next, 0, mean);
    memcpy(part, mean, sizeof mean);
    return __builtin_popcount(failed);
}

/* Those of n <= SW_BUNDLE crystals, from number `first` on; returns their sum. */
static double load_weights(int n, const float *weight, int64_t first, sw_real *loaded)
{
    float one[SW_BUNDLE];
    double sum = 0;
    if (weight == NULL) {
        *loaded = sw_broadcast(1.0);
        return n;
    }
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        one[lane] = lane < n ? sw_weight_of(weight, first + lane) : 0;
    for (int lane = 0; lane < n; lane++)
        sum += one[lane];
    memcpy(loaded, one, sizeof one);
    return sum;
}

/* n crystals from `first` on; returns how many have no answer. */
static int step_bundle(const sw_response *r, const sw_step *step, const sw_frame *frame,
                       const sw_crystals *from, const sw_crystals *to, int64_t first, int n,
                       sw_real part[SW_MEANS])
{
    const int64_t k = from->state != NULL ? from->layout->numbers : 0;
    sw_bundle b;
    if (from->packed.word != NULL)
        return step_packed(r, step, frame, n, first, &from->packed, to != NULL ? &to->packed : NULL, part);
    sw_bundle_load(n, from->crystal + first, &b);
    const float *state = k > 0 ? from->state + first * k : NULL;
    float *next = k > 0 && to != NULL ? to->state + first * k : NULL;
    const int failed = k == 0      ? step_by_output(r, step, frame, n, &b, part)
                       : r->planes ? step_by_planes(r, step, frame, n, &b, state, next, part)
                                   : step_with_state(r, step, n, &b, state, next, part);
    if (to != NULL)
        sw_bundle_store(n, &b, to->crystal + first);
    return failed;
}

/* A step of up to SW_STEP_BLOCK crystals, and their sums. A lane adds at most SW_STEP_BLOCK / SW_BUNDLE
 * numbers in single precision. to: or NULL. */
static void step_block(const sw_response *r, const sw_step *step, const sw_crystals *from,
                       const sw_crystals *to, double sums[SW_SUMS])
{
    const int64_t n = from->n;
    sw_frame frame = sw_frame_of_step(step);
    sw_real sum[SW_MEANS], w;
    for (int i = 0; i < 4 && from->packed.word != NULL; i++)
        frame.to_principal[i] = frame.to_principal[i] * (1 / SW_PACKED_UNIT);
    memset(sums, 0, SW_SUMS * sizeof *sums);
    memset(sum, 0, sizeof sum);
    for (int64_t first = 0; first < n; first += SW_BUNDLE) {
        const int lanes = n - first < SW_BUNDLE ? (int)(n - first) : SW_BUNDLE;
        sw_real part[SW_MEANS];
        memset(part, 0, sizeof part);
        sums[SW_SUM_FAILED] += step_bundle(r, step, &frame, from, to, first, lanes, part);
        sums[SW_SUM_WEIGHT] += load_weights(lanes, from->weight, first, &w);
        for (int k = 0; k < SW_MEANS; k++)
            part[k] *= w;
        for (int lane = 0; lane < lanes && lanes < SW_BUNDLE; lane++)
            for (int k = 0; k < SW_MEANS; k++)
                sums[k] += part[k][lane];
        for (int k = 0; k < SW_MEANS && lanes == SW_BUNDLE; k++)
            sum[k] += part[k];
    }
    for (int k = 0; k < SW_MEANS; k++)
        for (int lane = 0; lane < SW_BUNDLE; lane++)
            sums[k] += sum[k][lane];
}

sw_status sw_crystals_step_cpu(sw_response *response, const sw_step *step, const sw_crystals *from,
                               const sw_crystals *to, double *sums)
{
    const int64_t n_crystals = from->n, n_blocks = (n_crystals + SW_STEP_BLOCK - 1) / SW_STEP_BLOCK;
    double(*part)[SW_SUMS];
    SW_TRY(SW_ALLOCATE(part, n_blocks, "block averages"));
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads_for(response, 0, n_crystals, SW_STEP_BLOCK))
    for (int64_t i = 0; i < n_blocks; i++) {
        const int64_t first = i * SW_STEP_BLOCK, left = n_crystals - first;
        const int64_t n = left < SW_STEP_BLOCK ? left : SW_STEP_BLOCK;
        const sw_crystals here = sw_crystals_part(from, first, n);
        if (to == NULL) {
            step_block(response, step, &here, NULL, part[i]);
            continue;
        }
        const sw_crystals there = sw_crystals_part(to, first, n);
        step_block(response, step, &here, &there, part[i]);
    }
    for (int64_t i = 0; i < n_blocks; i++)
        for (int k = 0; k < SW_SUMS; k++)
            sums[k] += part[i][k];
    free(part);
    return SW_OK;
}
