/* Places of a half spectrum over the grid, phi2 reduced to its period: of real outputs, whose other half is conjugate. On CPU and GPU. */
#ifndef SW_OFFLINE_HALF_SPECTRUM_H
#define SW_OFFLINE_HALF_SPECTRUM_H

#include <stdint.h>

#include "common/system/device.h"

typedef struct {
    int64_t n[4]; /* of the reduced field */
    int64_t half; /* n3/2 + 1 */
    int64_t size; /* complex values: n0 n1 n2 half */
    int fold;     /* periods of phi2 in a turn */
} sw_half_spectrum;

static inline sw_half_spectrum sw_half_spectrum_of(const int64_t shape[4], int fold)
{
    const int64_t half = shape[3] / 2 + 1;
    return (sw_half_spectrum){{shape[0], shape[1], shape[2] / fold, shape[3]},
                              half,
                              shape[0] * shape[1] * (shape[2] / fold) * half,
                              fold};
}

/* Signed wavevector of a place; k2 counts in the full grid's units. */
SW_HD static inline void sw_half_spectrum_wavevector(const sw_half_spectrum *s, int64_t index, int64_t k[4])
{
    const int64_t extent[4] = {s->n[0], s->n[1], s->n[2], s->half};
    for (int d = 3; d >= 0; d--) {
        const int64_t j = index % extent[d];
        index /= extent[d];
        k[d] = 2 * j > s->n[d] ? j - s->n[d] : j;
        if (d == 2)
            k[d] *= s->fold;
    }
}

/* 2: one of a pair and kept; 1: its own conjugate; 0: the other one of a pair is kept. */
SW_HD static inline int sw_half_spectrum_weight(const sw_half_spectrum *s, int64_t index)
{
    const int64_t k3 = index % s->half;
    if (k3 != 0 && 2 * k3 != s->n[3])
        return 2; /* its conjugate is in the half that is not stored */
    int64_t rest = index / s->half, mirror = k3, stride = s->half;
    for (int d = 2; d >= 0; d--) {
        const int64_t n = s->n[d], j = rest % n;
        mirror += (j > 0 ? n - j : 0) * stride;
        stride *= n;
        rest /= n;
    }
    return mirror == index ? 1 : mirror > index ? 2 : 0;
}

#endif
