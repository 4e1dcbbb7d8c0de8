/* Points with a loading each: the numbers that a point's crystals add to, and what is made of their sums; on CPU and
 * GPU. slipwave/response.h. Dimensions: P points, n crystals at each. */
#ifndef SW_ONLINE_RESPONSE_POINTS_POINTS_H
#define SW_ONLINE_RESPONSE_POINTS_POINTS_H

#include "common/math/deviator.h"
#include "online/response/step/step.h"
#include "slipwave/response.h"

/* Of a point: sums of its crystals' numbers (step.h) times their weights, and of the weights; then, of crystals that take up
 * volume, what their tangents have of it (sw_point_couple). */
enum {
    SW_POINT_WEIGHT = SW_NUMBERS,
    SW_POINT_BY_VOLUME,                        /* stress by tr D, as a vector of five */
    SW_POINT_MEAN_BY = SW_POINT_BY_VOLUME + 5, /* mean stress by D, likewise, and by the axial vector of W */
    SW_POINT_MEAN_BY_VOLUME = SW_POINT_MEAN_BY + SW_TANGENT_COLUMNS,
    SW_POINT_SUMS
};
enum { SW_POINT_COUPLED = SW_POINT_SUMS - SW_POINT_BY_VOLUME };

/* The step of a point. frame: with D's principal frame; volume: with the trace of l, which is left out else. A point that is
 * no number, or turns by more than SW_TURN_MAX, has a step in which no crystal has an answer. */
SW_HD static inline sw_step sw_point_step(const double l[3][3], double dt, double rate_sensitivity,
                                          const sw_hardening *hardening, int frame, int volume)
{
    sw_step step = sw_step_of(l, dt, hardening);
    if (frame && step.rate < 1e30F) {
        const sw_strain_rate d = sw_strain_rate_of(l);
        sw_step_set_strain_rate(&step, &d, rate_sensitivity);
    }
    if (volume)
        sw_step_add_volume(&step, l[0][0] + l[1][1] + l[2][2]);
    return step;
}

/* ---- Volume ---- */

/* What crystals that are not cubic make of volume and deviators (stiffness.h), by an axis a of their own, a deviator: volume strains
 * them as a tr D, and their stress has the mean a . s. */
typedef struct {
    int any;         /* there is one */
    float own[3][3]; /* a, crystal frame */
} sw_point_axis;

/* What a crystal's tangent has by it: number k of its tangent [8][5] (step.h) is at k x step; by [SW_POINT_COUPLED] as sums have
 * them. Exact but for the turn of the step. */
SW_HD static inline void sw_point_couple(const sw_point_axis *axis, const float euler[3],
                                         const float *tangent, int step, float by[SW_POINT_COUPLED])
{
    const double angle[3] = {euler[0], euler[1], euler[2]};
    double g[3][3], a[5] = {0};
    sw_rotation_from_euler(angle, g);
    for (int k = 0; k < 6; k++) {
        double t = 0;
        for (int i = 0; i < 9; i++)
            t += g[sw_six_row(k)][i / 3] * axis->own[i / 3][i % 3] * g[sw_six_column(k)][i % 3];
        for (int n = 0; n < 5; n++)
            a[n] += (k < 3 ? 1 : 2) * t * sw_deviator_basis(n, k);
    }
    for (int k = 0; k < SW_POINT_COUPLED; k++)
        by[k] = 0;
    for (int c = 0; c < SW_TANGENT_COLUMNS; c++)
        for (int n = 0; n < 5; n++) {
            const float slope = tangent[(c * 5 + n) * step];
            by[5 + c] += (float)a[n] * slope;
            if (c < 5)
                by[n] += (float)a[c] * slope;
        }
    for (int n = 0; n < 5; n++)
        by[5 + SW_TANGENT_COLUMNS] += (float)a[n] * by[n];
}

/* ---- Results ---- */

/* Results of a point, each NULL where it is not wanted; slipwave/response.h. */
typedef struct {
    double (*stress)[6], *slip_resistance, *slip_rate, (*by_strain_rate)[6][6], (*by_spin)[6][3];
    int symmetric, coupled; /* of the tangent; volume is in it */
} sw_point_results;

enum { SW_POINT_RESULTS = 6 + 2 + 36 + 18 }; /* numbers of a point */

/* Of component i of a stress or strain rate the directions of the vectors of five from `first` to `last`. */
SW_HD static inline int sw_point_first(int i) { return i < 3 ? 0 : i - 1; }
SW_HD static inline int sw_point_last(int i) { return i < 3 ? 1 : i - 1; }

/* Component i of a vector of five's tensor. */
SW_HD static inline double sw_point_component(const double *five, int i)
{
    double sum = 0;
    for (int a = sw_point_first(i); a <= sw_point_last(i); a++)
        sum += sw_deviator_basis(a, i) * five[a];
    return sum;
}

/* d stress i / d strain rate j over the sums; coupled: with what volume has to do with it. */
SW_HD static inline double sw_point_slope(const double *sum, int coupled, int symmetric, int i, int j)
{
    const double *tangent = sum + SW_MEANS, *by_volume = sum + SW_POINT_BY_VOLUME,
                 *mean_by = sum + SW_POINT_MEAN_BY;
    double slope = 0;
    for (int a = sw_point_first(i); a <= sw_point_last(i); a++)     /* of the stress */
        for (int b = sw_point_first(j); b <= sw_point_last(j); b++) /* of the strain rate */
            slope += sw_deviator_basis(a, i) * sw_deviator_basis(b, j) *
                     (symmetric ? 0.5 * (tangent[b * 5 + a] + tangent[a * 5 + b]) : tangent[b * 5 + a]);
    if (coupled && j < 3)
        slope += symmetric ? 0.5 * (sw_point_component(by_volume, i) + sw_point_component(mean_by, i))
                           : sw_point_component(by_volume, i);
    if (coupled && i < 3)
        slope += symmetric ? 0.5 * (sw_point_component(by_volume, j) + sw_point_component(mean_by, j))
                           : sw_point_component(mean_by, j);
    return coupled && i < 3 && j < 3 ? slope + sum[SW_POINT_MEAN_BY_VOLUME] : slope;
}

/* d stress i / d W 12, 13, 23: of the axial vector -3, 2, -1. */
SW_HD static inline double sw_point_spin_slope(const double *sum, int coupled, int i, int k)
{
    const int column = 7 - k;
    const double slope = sw_point_component(sum + SW_MEANS + column * 5, i) +
                         (coupled && i < 3 ? sum[SW_POINT_MEAN_BY + column] : 0);
    return k == 1 ? slope : -slope;
}

/* Sums of a point's crystals -> number `result` of point p. */
SW_HD static inline void sw_point_finish(const double *sum, int64_t p, int result, const sw_point_results *to)
{
    const double over = 1 / sum[SW_POINT_WEIGHT];
    if (result < 6) {
        const int from[6] = {0, 1, -1, 4, 3, 2};
        if (to->stress != NULL)
            to->stress[p][result] = over * ((result == 2 ? -sum[0] - sum[1] : sum[from[result]]) +
                                            (result < 3 ? sum[SW_SUM_MEAN_STRESS] : 0));
    } else if (result == 6) {
        if (to->slip_resistance != NULL)
            to->slip_resistance[p] = over * sum[SW_SUM_RESISTANCE];
    } else if (result == 7) {
        if (to->slip_rate != NULL)
            to->slip_rate[p] = over * sum[SW_SUM_SLIP_RATE];
    } else if (result < 44) {
        const int i = (result - 8) / 6, j = (result - 8) % 6;
        if (to->by_strain_rate != NULL)
            to->by_strain_rate[p][i][j] = over * sw_point_slope(sum, to->coupled, to->symmetric, i, j);
    } else if (to->by_spin != NULL) {
        const int i = (result - 44) / 3, k = (result - 44) % 3;
        to->by_spin[p][i][k] = over * sw_point_spin_slope(sum, to->coupled, i, k);
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/* Of a response's crystals. */
sw_point_axis sw_point_axis_of(const sw_response *response);

/* What a solver does for points on the CPU and on a GPU; the response is prepared.
 * *failed: how many crystals have no answer. SW_ERR_MEMORY. */
sw_status sw_points_step_cpu(sw_response *response, const sw_points *points, int64_t *failed);
sw_status sw_points_step_cuda(sw_response *response, const sw_points *points, int64_t *failed);

#ifdef __cplusplus
}
#endif

#endif
