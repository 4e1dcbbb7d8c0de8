/* Crystals of whole weights, and the list that has each of them so often: what both answer is the same. */
#ifndef SW_TESTS_ONLINE_RESPONSE_WEIGHTED_H
#define SW_TESTS_ONLINE_RESPONSE_WEIGHTED_H

#include "tests/crystals.h"

#include "online/response/step/crystals.h"

enum { WEIGHTED = 1000, WEIGHT_MOST = 5, WEIGHTED_STEPS = 5 };

typedef struct {
    sw_crystal crystal[WEIGHTED], repeated[WEIGHT_MOST * WEIGHTED];
    float weight[WEIGHTED]; /* 0 .. WEIGHT_MOST, times `unit` */
    int64_t count;          /* of the repeated ones */
} weighted_list;

/* Weights that follow the resistance, so that means without them differ by some per cent. */
static inline void make_weighted(float unit, weighted_list *list)
{
    list->count = 0;
    for (int64_t i = 0; i < WEIGHTED; i++) {
        const int weight = (int)(i * 7 % (WEIGHT_MOST + 1));
        list->crystal[i] = sw_random_crystal(11, i, 30e6F + 4e6F * (float)weight);
        list->weight[i] = unit * (float)weight;
        for (int k = 0; k < weight; k++)
            list->repeated[list->count++] = list->crystal[i];
    }
}

/* Stresses to a part of the largest, the others to that part of themselves. */
static inline void check_averages(const sw_response_average *a, const sw_response_average *b, double part)
{
    double largest = 0;
    for (int k = 0; k < 9; k++)
        largest = greatest(largest, fabs(b->cauchy_stress[k / 3][k % 3]));
    assert_true(largest > 10e6);
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(a->cauchy_stress[k / 3][k % 3], b->cauchy_stress[k / 3][k % 3], part * largest);
    CHECK_CLOSE(a->slip_resistance, b->slip_resistance, part * b->slip_resistance);
    CHECK_CLOSE(a->slip_rate, b->slip_rate, part * b->slip_rate);
}

/* A step of shear and stretch: no component of the stress is 0. */
static inline sw_status step_weighted(sw_response *response, const sw_crystals *crystals,
                                      sw_response_average *average)
{
    const double l[3][3] = {{1e-4, 1e-3, 0}, {0, 2e-4, 4e-4}, {0, 0, -3e-4}};
    return sw_response_step(response, l, 15, crystals, crystals, average);
}

#endif
