/* What a fit is asked, and what it finds: numbers of the hardening law, and the initial slip resistance, from measured
 * stress-strain curves and r-values. Dimensions: P parameters, M residuals. */
#ifndef SW_ONLINE_FORMING_FIT_FOUND_H
#define SW_ONLINE_FORMING_FIT_FOUND_H

#include <stdio.h>

#include "common/files/hdf5_door.h"
#include "least_squares.h"
#include "parameters.h"
#include "r_test.h"
#include "stress_test.h"

typedef struct {
    sw_fit_sought *parameters; /* [parameters_count] */
    unsigned parameters_count;
    sw_fit_curve *curves; /* [curves_count] */
    unsigned curves_count;
    sw_fit_r *r_values; /* [r_values_count] */
    unsigned r_values_count;
    int64_t starts, seed;
    const char *material; /* a material file to write; NULL: none */
} sw_fit;

/* Rows of a job's table; m: an sw_fit of S. */
/* NOLINTBEGIN(bugprone-macro-parentheses): m names a member */
#define SW_FIT_KEYS(S, m)                                                                                  \
    {SW_ENTRIES("parameters", S, m.parameters, sw_fit_sought_keys), .needed = 1, .shortest = 1,            \
     .longest = SW_FIT_PARAMETERS_MAX, .help = "what is sought"},                                          \
        {SW_ENTRIES("curves", S, m.curves, sw_fit_curve_keys), .needed = 1, .shortest = 1, .longest = 100, \
         .help = "measured, each from the undeformed sheet on"},                                           \
        {SW_ENTRIES("r_values", S, m.r_values, sw_fit_r_keys), .longest = 100, .otherwise = "none",        \
         .help = "measured, likewise"},                                                                    \
        {SW_WHOLE("starts", S, m.starts, 1, 1000), .standard = 1,                                          \
         .help = "searches: from the material's values, then from random ones; the best one counts"},      \
        {SW_WHOLE("seed", S, m.seed, 0, INT64_MAX), .standard = 1, .help = "of the random ones"},          \
    {                                                                                                      \
        SW_OUTPUT("material", S, m.material), .otherwise = "none",                                         \
                                              .help = "a material file with what is found"                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

/* A search: where it began, where it ended. */
typedef struct {
    double value[2][SW_FIT_PARAMETERS_MAX]; /* NaN at the end of one without an answer */
    double square_sum;
} sw_fit_search;

/* What was found. */
typedef struct {
    int resists_by_families;   /* s0 is the families' mean, and follows them */
    int parameters, residuals; /* P, M */
    sw_fit_parameter parameter[SW_FIT_PARAMETERS_MAX];
    sw_material material;     /* with the best values, which are rounded to six digits */
    double *uncertainty;      /* [P] standard; NaN: neither deviations nor degrees of freedom say it */
    double *correlation;      /* [P][P] */
    double *residual;         /* [M] over deviations: of curves point by point, then of r-values */
    int deviations_known;     /* of all data; else uncertainties are by the misfit */
    sw_fit_test *test;        /* [curves] */
    double **stress;          /* [curves][steps] */
    double *r;                /* [r_values] */
    sw_least_squares_end end; /* of the best search; sets and iterations of all */
    sw_fit_search *search;    /* [starts] */
} sw_fit_found;

/* Takes NULL too. */
void sw_fit_found_free(sw_fit_found *found, const sw_fit *fit);

/* Square sum over the degrees of freedom; NaN without any. */
double sw_fit_misfit(const sw_fit_found *found);

/* results.c: into a group of the results; the material file; a table for people. */
sw_status sw_fit_write(const sw_fit *fit, const sw_fit_found *found, hid_t group);
/* Of a group that was written so: the best values [P], and how the searches for them ended. */
sw_status sw_fit_read(sw_fit_found *found, hid_t group, double *value);
sw_status sw_fit_write_material(const sw_fit *fit, const sw_fit_found *found, FILE *file);
void sw_fit_print(const sw_fit *fit, const sw_fit_found *found, FILE *out);
/* warnings.c. Before a fit: points that say nothing, as a note. After it: parameters at a bound, without an effect, or
 * correlated with others, and data that are missed by far, as warnings. */
void sw_fit_note_left_out(const sw_fit *fit, const sw_fit_found *found);
void sw_fit_warn(const sw_fit *fit, const sw_fit_found *found);

#endif
