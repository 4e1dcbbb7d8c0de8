/* A matrix N x N in the form N x W: of each row the W = 2 half + 1 numbers around its diagonal; those that lie outside
 * of the matrix are zeros. On the CPU and on the GPU.
 *
 * Dimensions: n unknowns. */
#ifndef SW_ONLINE_FEM_CONVECTED_BAND_H
#define SW_ONLINE_FEM_CONVECTED_BAND_H

#include <stdint.h>

#include "common/system/device.h"
#include "common/system/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int64_t n, half;
    double *value; /* [n][2 half + 1] */
} sw_fem_band;

SW_HD static inline double *sw_fem_band_at(const sw_fem_band *band, int64_t row, int64_t column)
{
    return band->value + row * (2 * band->half + 1) + column - row + band->half;
}

/* The columns of a row: first to last. */
SW_HD static inline int64_t sw_fem_band_first(const sw_fem_band *band, int64_t row)
{
    return row > band->half ? row - band->half : 0;
}
SW_HD static inline int64_t sw_fem_band_last(const sw_fem_band *band, int64_t row)
{
    return row + band->half < band->n ? row + band->half : band->n - 1;
}

/* One row of a system whose unknowns `fixed` [n] have the values `value` [n]: these leave the others' equations for
 * the right side [n]; their own keep the diagonal. Rows in any order. */
SW_HD static inline void sw_fem_band_constrain(const sw_fem_band *band, const uint8_t *fixed,
                                               const double *value, int64_t row, double *right)
{
    const double diagonal = *sw_fem_band_at(band, row, row);
    const int64_t last = sw_fem_band_last(band, row);
    double taken = 0;
    for (int64_t j = sw_fem_band_first(band, row); j <= last; j++)
        if (fixed[row] || fixed[j]) {
            double *at = sw_fem_band_at(band, row, j);
            taken += fixed[row] ? 0 : *at * value[j];
            *at = 0;
        }
    if (fixed[row]) {
        *sw_fem_band_at(band, row, row) = diagonal;
        right[row] = diagonal * value[row];
    } else {
        right[row] -= taken;
    }
}

/* ---- What the methods ask of a device ---- */

enum { SW_FEM_BAND_VECTORS = 6 };

typedef struct sw_fem_band_space sw_fem_band_space;
typedef struct {
    sw_status (*product)(sw_fem_band_space *space, int transposed, const double *x, double *y); /* y = A x */
    sw_status (*dots)(sw_fem_band_space *space, const double *x, const double *y,
                      double both[2]); /* x y, y y */
    sw_status (*combine)(sw_fem_band_space *space, double a, const double *x, double b,
                         double *y); /* y = a x + b y; b = 0: y is not read */
    sw_status (*divide)(sw_fem_band_space *space, const double *x, double *y); /* by the diagonal */
    sw_status (*norm)(sw_fem_band_space *space, double *norm); /* the largest sum of a row's sizes */
} sw_fem_band_functions;

/* Matrix and vectors live on the device. */
struct sw_fem_band_space {
    const sw_fem_band_functions *on;
    sw_fem_band band;
    double *right, *solution;          /* [n] b and z of A z = b */
    double *work[SW_FEM_BAND_VECTORS]; /* [n] the methods' */
    double *scratch;                   /* the device's */
};

/* Zeros, on the CPU. SW_ERR_MEMORY. */
sw_status sw_fem_band_open_cpu(int64_t n, int64_t half, sw_fem_band_space *space);
void sw_fem_band_close_cpu(sw_fem_band_space *space);

/* z by LAPACK's banded LU, dgbsv, on the CPU: the answer that the methods have to reach. SW_ERR_UNAVAILABLE in a
 * build without; SW_ERR_CONVERGENCE where a pivot is zero. */
sw_status sw_fem_band_direct(sw_fem_band_space *space);

#ifdef __cplusplus
}
#endif

#endif
