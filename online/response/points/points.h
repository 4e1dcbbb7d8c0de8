/* Points with a loading each: the numbers that a point's crystals add to, and what is made of their sums; on CPU and
 * GPU. slipwave/response.h. Dimensions: P points, n crystals at each. */
#ifndef SW_ONLINE_RESPONSE_POINTS_POINTS_H
#define SW_ONLINE_RESPONSE_POINTS_POINTS_H

#include "online/response/step/step.h"
#include "slipwave/response.h"

/* Of a point: sums of its crystals' numbers (step.h) times their weights, and of the weights. */
enum { SW_POINT_WEIGHT = SW_NUMBERS, SW_POINT_SUMS };

/* Steps of a point: its own and, of a solver whose tangent is by differences, ten with D a little aside: + and - along
 * each component of the vector of five, by SW_POINT_ASIDE of its size. */
enum { SW_POINT_STEPS = 11 };
#define SW_POINT_ASIDE 0.02

/* Steps [n] of a point; the trace of l is left out. frame: with D's principal frame. A point that is no number, or
 * turns by more than SW_TURN_MAX, has steps in which no crystal has an answer. */
SW_HD static inline void sw_point_steps(const double l[3][3], double dt, double rate_sensitivity,
                                        const sw_hardening *hardening, int frame, int n, sw_step *step)
{
    const double r2 = sqrt(0.5), r6 = sqrt(1.0 / 6);
    const double basis[5][3][3] = {{{r2, 0, 0}, {0, -r2, 0}, {0, 0, 0}},
                                   {{-r6, 0, 0}, {0, -r6, 0}, {0, 0, 2 * r6}},
                                   {{0, 0, 0}, {0, 0, r2}, {0, r2, 0}},
                                   {{0, 0, r2}, {0, 0, 0}, {r2, 0, 0}},
                                   {{0, r2, 0}, {r2, 0, 0}, {0, 0, 0}}};
    for (int k = 0; k < n; k++) { /* the point's own, then those beside */
        const double aside =
            k == 0 ? 0 : (k % 2 == 1 ? SW_POINT_ASIDE : -SW_POINT_ASIDE) * (double)step[0].rate;
        double own[3][3];
        for (int i = 0; i < 9; i++)
            own[i / 3][i % 3] = l[i / 3][i % 3] + (k > 0 ? aside * basis[(k - 1) / 2][i / 3][i % 3] : 0);
        step[k] = sw_step_of(own, dt, hardening);
        if (frame && step[k].rate < 1e30F) {
            const sw_strain_rate d = sw_strain_rate_of(own);
            sw_step_set_strain_rate(&step[k], &d, rate_sensitivity);
        }
    }
}

/* Results of a point, each NULL where it is not wanted; slipwave/response.h. */
typedef struct {
    double (*stress)[6], *slip_resistance, *slip_rate, (*by_strain_rate)[6][6], (*by_spin)[6][3];
    int symmetric;
} sw_point_results;

enum { SW_POINT_RESULTS = 6 + 2 + 36 + 18 }; /* numbers of a point */

/* d stress i / d strain rate j over the tangent's sums; the bases of vectors of five are sparse. */
SW_HD static inline double sw_point_slope(const double *tangent, int symmetric, int i, int j)
{
    const double r2 = sqrt(0.5), r6 = sqrt(1.0 / 6);
    const double normal[2][3] = {{r2, -r2, 0}, {-r6, -r6, 2 * r6}};
    double slope = 0;
    for (int a = i < 3 ? 0 : i - 1; a <= (i < 3 ? 1 : i - 1); a++)     /* of the stress */
        for (int b = j < 3 ? 0 : j - 1; b <= (j < 3 ? 1 : j - 1); b++) /* of the strain rate */
            slope += (i < 3 ? normal[a][i] : r2) * (j < 3 ? normal[b][j] : r2) *
                     (symmetric ? 0.5 * (tangent[b * 5 + a] + tangent[a * 5 + b]) : tangent[b * 5 + a]);
    return slope;
}

/* d stress i / d W 12, 13, 23: of the axial vector -3, 2, -1. */
SW_HD static inline double sw_point_spin_slope(const double *tangent, int i, int k)
{
    const double r2 = sqrt(0.5), r6 = sqrt(1.0 / 6), *by = tangent + (7 - k) * 5;
    const double half = i == 0 ? r2 : -r2, third = i == 2 ? 2 * r6 : -r6;
    const double slope = i < 3 ? (i < 2 ? half * by[0] : 0) + third * by[1] : r2 * by[i - 1];
    return k == 1 ? slope : -slope;
}

/* Sums of a point's crystals -> number `result` of point p. */
SW_HD static inline void sw_point_finish(const double *sum, int64_t p, int result, const sw_point_results *to)
{
    const double over = 1 / sum[SW_POINT_WEIGHT], *tangent = sum + SW_MEANS;
    if (result < 6) {
        const int from[6] = {0, 1, -1, 4, 3, 2};
        if (to->stress != NULL)
            to->stress[p][result] = over * (result == 2 ? -sum[0] - sum[1] : sum[from[result]]);
    } else if (result == 6) {
        if (to->slip_resistance != NULL)
            to->slip_resistance[p] = over * sum[SW_SUM_RESISTANCE];
    } else if (result == 7) {
        if (to->slip_rate != NULL)
            to->slip_rate[p] = over * sum[SW_SUM_SLIP_RATE];
    } else if (result < 44) {
        const int i = (result - 8) / 6, j = (result - 8) % 6;
        if (to->by_strain_rate != NULL)
            to->by_strain_rate[p][i][j] = over * sw_point_slope(tangent, to->symmetric, i, j);
    } else if (to->by_spin != NULL) {
        const int i = (result - 44) / 3, k = (result - 44) % 3;
        to->by_spin[p][i][k] = over * sw_point_spin_slope(tangent, i, k);
    }
}

/* What a solver does for points on the CPU and on a GPU; the response is prepared.
 * *failed: how many crystals have no answer. SW_ERR_MEMORY. */
sw_status sw_points_step_cpu(sw_response *response, const sw_points *points, int64_t *failed);
#ifdef __cplusplus
extern "C"
#endif
    sw_status
    sw_points_step_cuda(sw_response *response, const sw_points *points, int64_t *failed);

#endif
