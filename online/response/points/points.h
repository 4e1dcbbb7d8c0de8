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

/* Sums of a point's crystals -> results of point p. */
SW_HD static inline void sw_point_finish(const double sum[SW_POINT_SUMS], int64_t p, const sw_point_results *to)
{
    const double r2 = sqrt(0.5), r6 = sqrt(1.0 / 6), over = 1 / sum[SW_POINT_WEIGHT];
    const double basis[5][6] = {{r2, -r2, 0, 0, 0, 0},
                                {-r6, -r6, 2 * r6, 0, 0, 0},
                                {0, 0, 0, r2, 0, 0},
                                {0, 0, 0, 0, r2, 0},
                                {0, 0, 0, 0, 0, r2}};
    const double stress[6] = {sum[0], sum[1], -sum[0] - sum[1], sum[4], sum[3], sum[2]};
    const double *tangent = sum + SW_MEANS;
    for (int i = 0; i < 6 && to->stress != NULL; i++)
        to->stress[p][i] = stress[i] * over;
    if (to->slip_resistance != NULL)
        to->slip_resistance[p] = sum[SW_SUM_RESISTANCE] * over;
    if (to->slip_rate != NULL)
        to->slip_rate[p] = sum[SW_SUM_SLIP_RATE] * over;
    for (int i = 0; i < 6 && to->by_strain_rate != NULL; i++)
        for (int j = 0; j < 6; j++) {
            double slope = 0;
            for (int k = 0; k < 25; k++) {
                const int a = k / 5, b = k % 5; /* stress, strain rate */
                const double turned = to->symmetric ? 0.5 * (tangent[b * 5 + a] + tangent[a * 5 + b])
                                                    : tangent[b * 5 + a];
                slope += basis[a][i] * turned * basis[b][j];
            }
            to->by_strain_rate[p][i][j] = slope * over;
        }
    for (int i = 0; i < 6 && to->by_spin != NULL; i++)
        for (int k = 0; k < 3; k++) { /* W 12 13 23: of the axial vector -3, 2, -1 */
            double slope = 0;
            for (int a = 0; a < 5; a++)
                slope += basis[a][i] * tangent[(7 - k) * 5 + a];
            to->by_spin[p][i][k] = (k == 1 ? slope : -slope) * over;
        }
}

/* What a solver does for points on the CPU and on a GPU; the response is prepared, room for what it keeps is made.
 * *failed: how many crystals have no answer. SW_ERR_MEMORY. */
sw_status sw_points_step_cpu(sw_response *response, const sw_points *points, int64_t *failed);
#ifdef __cplusplus
extern "C"
#endif
    sw_status
    sw_points_step_cuda(sw_response *response, const sw_points *points, int64_t *failed);

#endif
