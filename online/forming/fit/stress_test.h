/* A measured stress-strain curve beside the loading that it was measured in: where along it each point lies, the steps
 * that runs take, and the stress that a run has at the points. Strains are true (logarithmic), of shears the engineer's.
 * Steps end where points are, unless these lie closer than a tenth of the longest step; between, stresses are linear.
 *
 * Of compression a file may have positive numbers: where its strains go the other way than the loading's, strains and
 * stresses change their signs. A point before any strain has no stress in a model that starts at rest, whatever its
 * parameters: it is left out. Dimensions: n points, T steps. */
#ifndef SW_ONLINE_FORMING_FIT_STRESS_TEST_H
#define SW_ONLINE_FORMING_FIT_STRESS_TEST_H

#include "curve_file.h"
#include "online/forming/runs/runs.h"

/* As a job has it. */
typedef struct {
    const char *file;
    const char **columns; /* [2] of strain and stress; NULL: the first two */
    unsigned columns_count;
    int strain_unit, stress_unit;     /* of the words of their keys; -1: as the file's names say */
    int engineering;                  /* strain and stress of the shape at the beginning; -1: likewise */
    int strain;                       /* component 0 .. 5 for 11 22 33 23 13 12 */
    int stress;                       /* likewise, then differences of two: of sw_fit_stress_names */
    double least_strain, most_strain; /* of sizes of true strains: points outside are left out */
    double deviation;                 /* standard, of a stress, Pa; 0: not known */
    double weight;                    /* counts as deviation / sqrt(weight) */
    sw_loading *loading;              /* [loading_count] */
    unsigned loading_count;
} sw_fit_curve;

/* Rows of a job's table, of entries. */
extern const sw_key sw_fit_curve_keys[];
extern const char *const sw_fit_stress_names[12];

/* What a file's numbers are, by the job or the names of its columns. */
typedef struct {
    double strain, stress;   /* of one, Pa */
    const char *stress_text; /* "MPa" */
    int engineering;
} sw_fit_units;

typedef struct {
    const sw_fit_curve *curve; /* borrowed */
    sw_fit_units units;
    sw_curve data;      /* signed as the loading; true; Pa */
    double *time;       /* [n] of each point, s from the beginning */
    double deviation;   /* Pa */
    int turned;         /* whether signs are not the file's */
    int starts_at_rest; /* before the first step there is no stress; else, of rigid crystals, that of its end */
    int left_out;       /* points before any strain */
    int steps;          /* T */
    int *entry;         /* [T] of the loading */
    double *end, *strain; /* [T] of each step: s, true strain */
} sw_fit_test;

/* What rows of keys cannot check; entry: its number in the list at prefix. SW_ERR_INPUT. */
sw_status sw_fit_curve_check(const sw_job *job, const char *prefix, unsigned entry, const sw_fit_curve *curve,
                             double strain_increment);

/* Read the file of a curve that was checked. SW_ERR_INPUT, too, for a point that the loading does not come to; SW_ERR_IO;
 * SW_ERR_MEMORY. Release with sw_fit_test_close, which takes a zeroed one too. */
sw_status sw_fit_test_open(const sw_job *job, const char *prefix, unsigned entry, const sw_fit_curve *curve,
                           double strain_increment, int starts_at_rest, sw_fit_test *test);
void sw_fit_test_close(sw_fit_test *test);

/* All steps of R runs that have not begun. stress [R][T]: at their ends, Pa; of a run that fails no numbers from there
 * on. What sw_runs_step answers; SW_ERR_MEMORY. */
sw_status sw_fit_test_run(const sw_fit_test *test, sw_runs *runs, int64_t n_runs, double *stress);

/* Before the first step, of stress [T]. */
double sw_fit_test_first(const sw_fit_test *test, const double *stress);

/* stress [T] -> at the points, model [n]. */
void sw_fit_test_at_points(const sw_fit_test *test, const double *stress, double *model);

/* Model [n] against the points: SW_ERR_INPUT where stresses have the other sign, or are so far from the model's that they
 * are in another unit, which no parameter mends. */
sw_status sw_fit_test_signs(const sw_fit_test *test, const double *model);

#endif
