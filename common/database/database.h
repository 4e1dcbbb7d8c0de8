/* The spectral database: ranked Fourier terms of the nine outputs, or thirteen, over (phi1, Phi, phi2, theta).
 * docs/file-formats.md; Malahe 2018, Eqs. 30-32. Dimensions: T conjugate pairs, C outputs (symmetry.h).
 *
 *     output_c(x) = sum over t of weight_t Re(coefficient_t,c exp(i wavevector_t . x))
 *
 * A wavenumber of half its grid length stands for both its signs, half of the term each: on the grid they are
 * the same, and between its points only the two together have the symmetry of the response.
 *
 * Two counts: users, the public headers, jobs and messages say terms, Fourier coefficients as the paper counts
 * them (its N_t); what stores or sums the series says pairs, one of each conjugate pair, the mean and others that
 * are their own conjugates among them. */
#ifndef SW_COMMON_DATABASE_DATABASE_H
#define SW_COMMON_DATABASE_DATABASE_H

#include <stdint.h>

#include "common/crystal/material.h"
#include "common/crystal/material_file.h"
#include "common/system/status.h"
#include "slipwave/database.h"
#include "common/crystal/symmetry.h"
#include "slip_planes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_DATABASE_VERSION = 1 };

/* What crystals are taken through, for whoever makes or reads a database: so much strain, well past yielding, at such
 * rates, from such slip resistances (those of a material file). */
#define SW_INCREMENT_LEAST 0.005
#define SW_INCREMENT_MOST 0.2
#define SW_INCREMENT_RATE_LEAST 1e-12 /* 1/s */
#define SW_INCREMENT_RATE_MOST 1e12
#define SW_INCREMENT_RESISTANCE_LEAST 1e4 /* Pa */
#define SW_INCREMENT_RESISTANCE_MOST 1e11

struct sw_database {
    int64_t shape[4];               /* of the grid it was made from */
    double strain_increment;        /* at which outputs were taken */
    double strain_rate;             /* 1/s */
    double initial_slip_resistance; /* Pa */
    double generation_seconds;      /* wall clock that making it took; 0: not known */
    char *material_text;            /* the material file, and its content */
    sw_material material;
    int64_t n_pairs;                     /* T >= 1; of terms there are sw_terms_of_pairs(T) */
    int16_t (*wavevector)[4];            /* [T][4], one of each conjugate pair, the mean (0,0,0,0) first */
    float (*coefficient)[SW_OUTPUTS][2]; /* [T][9][2], real and imaginary */
    float (*planes)[SW_PLANE_OUTPUTS]
                   [2]; /* [T][4][2], outputs 9 to 12 (slip_planes.h); NULL: it has nine outputs */
    float *weight;      /* [T]: 1 self-conjugate, 2 pair */
    float *magnitude;   /* [T]: what they are ranked by, descending after the mean */
    double captured_variance[SW_OUTPUTS_MOST]; /* fraction of each output's variance that the terms hold */
    struct sw_database_file *file;             /* that the arrays are borrowed from, read-only; NULL: none */
};

/* From one count to the other; nowhere else. A pair is two terms; an odd number of terms takes the pair that its last
 * one belongs to, so that N terms are ceil(N / 2) pairs. 0, all that are stored, stays 0. */
static inline int64_t sw_pairs_of_terms(int64_t terms) { return terms / 2 + terms % 2; }
static inline int64_t sw_terms_of_pairs(int64_t pairs) { return 2 * pairs; }

/* sw_material_suits of what it was made of; four coplanar resistances that harden otherwise do, too, and one. */
int sw_database_suits(const sw_database *database, const sw_material *given, sw_key_difference *difference);

/* What a database can answer for: crystals of which one resistance says all, because it scales those of all systems; and where it has
 * how planes share slip, a law of four coplanar resistances. what: who asks, for the message. SW_ERR_UNAVAILABLE where families have
 * resistances of their own otherwise; SW_ERR_RANGE of sw_plane_law_check. */
sw_status sw_database_check_material(const char *what, int has_planes, const sw_material *material);

/* C, and the coefficient [2] of one of them. */
static inline int sw_database_outputs(const sw_database *d)
{
    return d->planes != NULL ? SW_OUTPUTS_MOST : SW_OUTPUTS;
}
static inline float *sw_database_coefficient(const sw_database *d, int64_t t, int c)
{
    return c < SW_OUTPUTS ? d->coefficient[t][c] : d->planes[t][c - SW_OUTPUTS];
}

/* Write; the file appears when complete. SW_ERR_IO. */
sw_status sw_database_write(const char *path, const sw_database *database);

/* Go on from h (common/files/hash.h) with all that responses depend on: the series. Some 4 GB/s. */
uint64_t sw_database_hash(uint64_t h, const sw_database *database);

/* The series of the first n_pairs pairs at one point x [4] (rad), in double: the reference that other
 * evaluations are measured against. output [C]. */
void sw_database_evaluate(const sw_database *database, int64_t n_pairs, const double x[4], double *output);

#ifdef __cplusplus
}
#endif

#endif
