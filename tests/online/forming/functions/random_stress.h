/* Stresses of every kind. */
#ifndef SW_TESTS_RANDOM_STRESS_H
#define SW_TESTS_RANDOM_STRESS_H

#include "common/math/random.h"

/* Number k: components uniform in (-1, 1]; in_plane: 33, 23 and 13 are zero. */
static inline void random_stress(uint64_t k, int in_plane, double stress[6])
{
    double u[8];
    sw_random_uniform4(20260704, k, 0, u);
    sw_random_uniform4(20260704, k, 1, u + 4);
    for (int i = 0; i < 6; i++)
        stress[i] = in_plane && i >= 2 && i <= 4 ? 0 : 2 * u[i] - 1;
}

#endif
