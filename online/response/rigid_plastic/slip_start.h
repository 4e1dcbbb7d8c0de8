/* Where Newton's method on the slip law begins (slip_newton.h). On sw_real. Dimensions: S slip systems; V vertices of the yield
 * surface, one of each pair v, -v. */
#ifndef SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_START_H
#define SW_ONLINE_RESPONSE_RIGID_PLASTIC_SLIP_START_H

#include "slip_drive.h"
#include "slip_fold.h"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

/* A start fitted to exact answers. These lie near the vertex v1 with the most work d . v1, moved towards other vertices v by as much
 * as these come close to it:
 *
 *     x = v1 + 1/n sum over v, j of c_j max(0, L - L_j) (v - v1),     L = -log2(1 - d.v / d.v1),
 *
 * v being one of all 2V, with a set of c for each class of pairs (v1, v) that the crystal's rotations map to each other. */
enum { SW_SLIP_FIT_VERTICES = 32, SW_SLIP_FIT_HINGES = 6 };
enum {
    SW_SLIP_FIT_MOST = 28
}; /* V at most: loops over vertices have so many turns, and keep the work of each */

/* L_j. */
SW_HD static inline float sw_slip_fit_hinge(int j)
{
    const float at[SW_SLIP_FIT_HINGES] = {0, 0.5F, 1.3F, 2.7F, 4.3F, 6.6F};
    return at[j];
}

/* 1 - d.v / d.v1 of vertices that tie, as single precision has it, 2^-20, and of those that do not, 2^-16. Between them the start
 * goes over from one to the other: were it to jump, few crystals could not be in balance with given stresses. */
#define SW_SLIP_FIT_LEAST 9.5367432e-7F
#define SW_SLIP_FIT_APART 1.5258789e-5F

struct sw_slip_fit {
    float vertex[5][SW_SLIP_FIT_VERTICES]; /* [V] as the model has them */
    /* c_j of v [V] for v1 [V], and on from SW_SLIP_FIT_VERTICES those of -v */
    float pull[SW_SLIP_FIT_VERTICES][SW_SLIP_FIT_HINGES][2 * SW_SLIP_FIT_VERTICES];
};

#ifdef __cplusplus
extern "C" {
#endif

/* The fit of a model whose slip systems, vertices and exponent are known -> model->fit; NULL where V > SW_SLIP_FIT_MOST. Of each
 * lattice there are some twenty, for exponents in steps of a quarter: each takes some 0.05 s when it is first asked for, and stays
 * as long as the process. */
sw_status sw_slip_fit_make(const sw_point_group *group, sw_slip_model *model);

/* model->folded of a cubic crystal: as far as 64 tries a vertex find them; what they miss is the best of hardly any. */
void sw_slip_zone_find(sw_slip_model *model);

#ifdef __cplusplus
}
#endif

SW_HD static inline sw_real sw_largest_stress(const sw_slip_model *model, int systems,
                                              const sw_slip_resists *resists, const sw_real x[5])
{
    sw_real largest = sw_broadcast(0.0);
    SW_ROLLED
    for (int r = 0, next = 0; r < sw_slip_runs(model, resists); r++) {
        const sw_slip_run run = sw_slip_run_of(model, systems, resists, r, next);
        SW_UNROLL_BY(SW_SLIP_UNROLL)
        for (int a = run.begin; a < run.end; a++)
            largest = sw_max(largest, sw_abs(sw_slip_tau_in(model, resists, &run, a, x)));
        next = run.end;
    }
    return largest;
}

/* The vertex with the largest d . v; vertices that tie, in symmetric crystals, share equally: there the
 * active systems leave the stress free in some direction, and only the middle is the same for all
 * equivalents. vertex [n]. */
SW_HD static inline void sw_slip_start_at_vertex(const float (*vertex)[5], int n, const sw_real d[5],
                                                 sw_real x[5])
{
    const float tie = 1e-4F;
    sw_real best = sw_broadcast(0.0), share = sw_broadcast(1.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = d[i];
    for (int v = 0; v < n; v++) {
        sw_real work = sw_dot5(vertex[v], d), size = sw_abs(work);
        sw_mask better = SW_LESS(best * (1.0F + tie), size), ties = SW_LESS(best * (1.0F - tie), size);
        sw_real sign = sw_choose(SW_LESS(work, sw_broadcast(0.0)), sw_broadcast(-1.0), sw_broadcast(1.0));
        best = sw_choose(better, size, best);
        share = sw_choose(better, sw_broadcast(1.0), sw_choose(ties, share + 1.0F, share));
        SW_UNROLL
        for (int i = 0; i < 5; i++) {
            sw_real one = sign * vertex[v][i];
            x[i] = sw_choose(better, one, sw_choose(ties, x[i] + one, x[i]));
        }
    }
    sw_real inverse = sw_divide(sw_broadcast(1.0), share);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = x[i] * inverse;
}

/* The same by folded strain rates, where these are not as good as on the border, beyond which others tie. d: of size 1. */
SW_HD static inline void sw_slip_start_folded(const sw_slip_model *model, const sw_real d[5], sw_real x[5])
{
    sw_real t[6], folded[5], stress[6];
    const sw_slip_fold fold = sw_slip_fold_of(d, t);
    sw_deviator_vector_of(t, folded);
    if (sw_any(sw_slip_fold_is_doubtful(t))) {
        sw_slip_start_at_vertex(model->vertex, model->vertices, d, x);
        return;
    }
    sw_slip_start_at_vertex(model->folded, model->n_folded, folded, x);
    sw_deviator_tensor(x, stress);
    sw_slip_unfold(&fold, stress, x);
}

#ifdef __CUDACC__
/* As a GPU has it: the six c_j in half precision, in one load. That leaves 1e-5 of x. */
struct sw_slip_fit_halves {
    float vertex[5][SW_SLIP_FIT_VERTICES]; /* where sw_slip_fit has it */
    uint4 pull[SW_SLIP_FIT_MOST][2 * SW_SLIP_FIT_VERTICES];
};
#endif

/* sum_j c_j max(0, L - L_j) of vertex v, by row `at` of pull[v]. */
SW_HD static inline sw_real sw_slip_fitted_pull(const struct sw_slip_fit *fit, int v, sw_int at,
                                                sw_real closeness)
{
#ifdef __CUDA_ARCH__
    const uint4 eight = __ldg(&((const sw_slip_fit_halves *)fit)->pull[v][at]);
    const unsigned pair[3] = {eight.x, eight.y, eight.z};
    const __half2 near = __float2half2_rn(closeness), none = __float2half2_rn(0.0F);
    __half2 sum = none;
#pragma unroll
    for (int j = 0; j < 3; j++)
        sum = __hfma2(
            *reinterpret_cast<const __half2 *>(&pair[j]),
            __hmax2(__hsub2(near, __floats2half2_rn(sw_slip_fit_hinge(2 * j), sw_slip_fit_hinge(2 * j + 1))),
                    none),
            sum);
    return __low2float(sum) + __high2float(sum);
#else
    sw_real weight = sw_broadcast(0.0);
    SW_UNROLL
    for (int j = 0; j < SW_SLIP_FIT_HINGES; j++)
        weight += sw_entry(fit->pull[v][j], 2 * SW_SLIP_FIT_VERTICES, at) *
                  sw_max(closeness - sw_slip_fit_hinge(j), sw_broadcast(0.0));
    return weight;
#endif
}

/* Adds vertex v's part of the start from v1, of which `own` less is left: v does `work` of the work at v1. */
SW_HD static inline void sw_slip_add_pull(const sw_slip_model *model, int v, sw_int v1, sw_real work,
                                          sw_real scale, sw_real *own, sw_real x[5])
{
    sw_mask opposite = SW_LESS(work, sw_broadcast(0.0));
    sw_real closeness = -sw_log2(sw_max(1.0F - sw_abs(work), sw_broadcast(SW_SLIP_FIT_LEAST)));
    sw_int at = v1 + sw_choose_int(opposite, sw_broadcast_int(SW_SLIP_FIT_VERTICES), sw_broadcast_int(0));
    sw_real weight = scale * sw_slip_fitted_pull(model->fit, v, at, closeness);
    *own -= weight;
    weight = sw_choose(opposite, -weight, weight);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] += weight * model->vertex[v][i];
}

/* Adds `own` times vertex v1 to x. */
SW_HD static inline void sw_slip_add_vertex(const struct sw_slip_fit *fit, sw_int v1, sw_real own,
                                            sw_real x[5])
{
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] += own * sw_entry(fit->vertex[i], SW_SLIP_FIT_VERTICES, v1);
}

/* Starts from vertices whose work is that of the best one, `best` > 0, or little less share equally, so that equivalent crystals
 * have one answer. x: 0. */
SW_HD static inline void sw_slip_start_tied(const sw_slip_model *model, const sw_real d[5], sw_real best,
                                            sw_real x[5])
{
    const sw_real inverse_best = sw_divide(sw_broadcast(1.0), best);
    sw_real ties = sw_broadcast(0.0), left;
    sw_int v1 = sw_broadcast_int(-1);
    best = best * (1.0F - SW_SLIP_FIT_APART);
    do { /* the next of those that tie */
        sw_int next = sw_broadcast_int(0);
        sw_real work = best;
        left = sw_broadcast(0.0);
        SW_ROLLED
        for (int v = model->vertices - 1; v >= 0; v--) {
            sw_real one = sw_dot5(model->vertex[v], d);
            sw_mask is = ~SW_LESS(sw_abs(one), best) & (sw_mask)(v > v1);
            next = sw_choose_int(is, sw_broadcast_int(v), next);
            work = sw_choose(is, one, work);
            left += sw_choose(is, sw_broadcast(1.0), sw_broadcast(0.0));
        }
        sw_real apart = SW_SLIP_FIT_APART - (1.0F - sw_abs(work) * inverse_best);
        sw_real share = sw_max(apart * (1.0F / (SW_SLIP_FIT_APART - SW_SLIP_FIT_LEAST)), sw_broadcast(0.0));
        share = sw_min(share, sw_min(left, sw_broadcast(1.0)));
        ties += share;
        share = sw_choose(SW_LESS(work, sw_broadcast(0.0)), -share, share);
        sw_real own = share, scale = share * (1.0F / model->exponent),
                inverse = sw_divide(sw_broadcast(1.0), work);
        SW_ROLLED
        for (int v = 0; v < model->vertices; v++)
            sw_slip_add_pull(model, v, next, sw_dot5(model->vertex[v], d) * inverse, scale, &own, x);
        sw_slip_add_vertex(model->fit, next, own, x);
        v1 = sw_choose_int(SW_LESS(sw_broadcast(0.5), left), next, sw_broadcast_int(model->vertices));
    } while (sw_any(SW_LESS(sw_broadcast(1.5), left)));
    sw_real inverse = sw_divide(sw_broadcast(1.0), ties);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = x[i] * inverse;
}

/* Vertices beyond the last are 0 in the model, and pull nothing. */
SW_HD static inline void sw_slip_start_fitted(const sw_slip_model *model, const sw_real d[5], sw_real x[5])
{
    sw_real work[SW_SLIP_FIT_MOST], best = sw_broadcast(0.0), first = sw_broadcast(1.0),
                                    close = sw_broadcast(0.0);
    sw_int v1 = sw_broadcast_int(0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = sw_broadcast(0.0);
    SW_UNROLL
    for (int v = 0; v < SW_SLIP_FIT_MOST; v++) {
        work[v] = sw_dot5(model->vertex[v], d);
        sw_mask better = SW_LESS(best, sw_abs(work[v]));
        best = sw_max(best, sw_abs(work[v]));
        first = sw_choose(better, work[v], first);
        v1 = sw_choose_int(better, sw_broadcast_int(v), v1);
    }
    const sw_real least = best * (1.0F - SW_SLIP_FIT_APART);
    SW_UNROLL
    for (int v = 0; v < SW_SLIP_FIT_MOST; v++)
        close += sw_choose(SW_LESS(sw_abs(work[v]), least), sw_broadcast(0.0), sw_broadcast(1.0));
    if (sw_any(SW_LESS(sw_broadcast(1.5), close))) {
        sw_slip_start_tied(model, d, best, x);
        return;
    }
    sw_real own = sw_choose(SW_LESS(first, sw_broadcast(0.0)), sw_broadcast(-1.0), sw_broadcast(1.0)),
            scale = own * (1.0F / model->exponent), inverse = sw_divide(sw_broadcast(1.0), first);
    SW_UNROLL
    for (int v = 0; v < SW_SLIP_FIT_MOST; v++)
        sw_slip_add_pull(model, v, v1, work[v] * inverse, scale, &own, x);
    sw_slip_add_vertex(model->fit, v1, own, x);
}

/* From any x, even NaN, to one that Newton can go on from: x if d does work on it, d otherwise, with the
 * largest tau 1. */
SW_HD static inline void sw_slip_make_usable(const sw_slip_model *model, int systems,
                                             const sw_slip_resists *resists, const sw_real d[5], sw_real x[5])
{
    sw_real largest = sw_largest_stress(model, systems, resists, x), work = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        work += d[i] * x[i];
    sw_mask usable = SW_LESS(0.1F * largest, work) & SW_LESS(work, sw_broadcast(1e30));
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = sw_choose(usable, x[i], d[i]);
    sw_real inverse = sw_divide(sw_broadcast(1.0), sw_largest_stress(model, systems, resists, x));
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        x[i] = x[i] * inverse;
}

/* Where systems resist differently there are no vertices, and x is where it was last, or d. */
SW_HD static inline void sw_slip_start(const sw_slip_model *model, int systems,
                                       const sw_slip_resists *resists, const sw_real d[5], sw_real x[5])
{
    if (resists != NULL)
        sw_slip_make_usable(model, systems, resists, d, x);
    else if (model->fit != NULL)
        sw_slip_start_fitted(model, d, x);
    else if (model->n_folded > 0)
        sw_slip_start_folded(model, d, x);
    else
        sw_slip_start_at_vertex(model->vertex, model->vertices, d, x);
}

#endif
