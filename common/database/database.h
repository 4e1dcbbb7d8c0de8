/* The spectral database: ranked Fourier terms of the nine outputs over (phi1, Phi, phi2, theta).
 * docs/file-formats.md; Malahe 2018, Eqs. 30-32. Dimensions: T terms, 9 outputs (symmetry.h).
 *
 *     output_c(x) = sum over t of weight_t Re(coefficient_t,c exp(i wavevector_t . x))
 *
 * A wavenumber of half its grid length stands for both its signs, half of the term each: on the grid they are
 * the same, and between its points only the two together have the symmetry of the response. */
#ifndef SW_COMMON_DATABASE_DATABASE_H
#define SW_COMMON_DATABASE_DATABASE_H

#include <stdint.h>

#include "common/crystal/material.h"
#include "common/system/status.h"
#include "slipwave/database.h"
#include "common/crystal/symmetry.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_DATABASE_VERSION = 1 };

struct sw_database {
    int64_t shape[4];               /* of the grid it was made from */
    double strain_increment;        /* at which outputs were taken */
    double strain_rate;             /* 1/s */
    double initial_slip_resistance; /* Pa */
    char *material_text;            /* the material file, and its content */
    sw_material material;
    int64_t n_terms;                      /* T >= 1 */
    int16_t (*wavevector)[4];             /* [T][4], one of each conjugate pair, the mean (0,0,0,0) first */
    float (*coefficient)[SW_OUTPUTS][2];  /* [T][9][2], real and imaginary */
    float *weight;                        /* [T]: 1 self-conjugate, 2 pair */
    float *magnitude;                     /* [T]: what they are ranked by, descending after the mean */
    double captured_variance[SW_OUTPUTS]; /* fraction of each output's variance that the terms hold */
    struct sw_database_file *file;        /* that the four arrays are borrowed from, read-only; NULL: none */
};

/* Write; the file appears when complete. SW_ERR_IO. */
sw_status sw_database_write(const char *path, const sw_database *database);

/* The series of the first n_terms terms at one point x [4] (rad), in double: the reference that other
 * evaluations are measured against. */
void sw_database_evaluate(const sw_database *database, int64_t n_terms, const double x[4],
                          double output[SW_OUTPUTS]);

#ifdef __cplusplus
}
#endif

#endif
