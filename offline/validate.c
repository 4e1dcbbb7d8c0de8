#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "common/math/quaternion.h"
#include "common/system/progress.h"
#include "common/math/random.h"
#include "common/database/response_table.h"
#include "response_grid.h"

enum {
    COUNTS_MAX = 16,
    ROWS_MAX = COUNTS_MAX + 1, /* and the grid solver, which counts as 0 pairs in the file */
    THETAS = 16, /* random strain rates that the points share: the grid solver makes a table for each */
};

typedef struct {
    int outputs;                             /* C */
    int64_t points, n_rows, pairs[ROWS_MAX]; /* pairs: of terms, in each row */
    double (*x)[4];                          /* [points] */
    double (*exact)[SW_OUTPUTS_MOST];        /* [points] from the integrator */
    double (*error)[SW_OUTPUTS_MOST];        /* [points] of one count */
    double scale[SW_OUTPUTS_MOST];           /* RMS of the exact outputs */
    double rms[ROWS_MAX][SW_OUTPUTS_MOST], p95[ROWS_MAX][SW_OUTPUTS_MOST], max[ROWS_MAX][SW_OUTPUTS_MOST];
} measurement;

static void draw_points(measurement *m, uint64_t seed)
{
    for (int64_t i = 0; i < m->points; i++) {
        double u[4];
        sw_random_orientation(seed, (uint64_t)i, m->x[i]);
        sw_random_uniform4(seed, (uint64_t)(i % THETAS), 1, u);
        m->x[i][3] = 2 * SW_PI * u[0];
    }
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static void summarise(measurement *m, int64_t row, double *sorted)
{
    for (int c = 0; c < m->outputs; c++) {
        double sum = 0;
        for (int64_t i = 0; i < m->points; i++) {
            sorted[i] = fabs(m->error[i][c]) / m->scale[c];
            sum += sorted[i] * sorted[i];
        }
        qsort(sorted, (size_t)m->points, sizeof *sorted, compare_doubles);
        m->rms[row][c] = sqrt(sum / (double)m->points);
        m->p95[row][c] = sorted[(m->points - 1) * 95 / 100];
        m->max[row][c] = sorted[m->points - 1];
    }
}

static void set_error(measurement *m, int64_t i, const double value[SW_OUTPUTS_MOST])
{
    for (int c = 0; c < m->outputs; c++)
        m->error[i][c] = value[c] - m->exact[i][c];
}

/* Points between two looks at whether to stop: some ms of the integrator, at most some tenths of a second of the series. */
enum { SLICE = 256 };

static int64_t slice_end(const measurement *m, int64_t first)
{
    return first + SLICE < m->points ? first + SLICE : m->points;
}

static void measure_slice(measurement *m, const sw_database *database, int64_t pairs, int64_t first)
{
    const int64_t end = slice_end(m, first);
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t i = first; i < end; i++) {
        double value[SW_OUTPUTS_MOST];
        sw_database_evaluate(database, pairs, m->x[i], value);
        set_error(m, i, value);
    }
}

/* The series at every point. */
static sw_status measure_series(measurement *m, const sw_database *database, int64_t pairs)
{
    for (int64_t first = 0; first < m->points; first += SLICE) {
        measure_slice(m, database, pairs, first);
        SW_TRY(sw_interrupt_check());
    }
    return SW_OK;
}

/* All terms on the grid, interpolated: a table for each theta that points share. */
static sw_status measure_grid(measurement *m, const sw_database *database)
{
    sw_fold fold;
    sw_response_table table;
    SW_TRY(sw_fold_create(database, database->n_pairs, &fold));
    sw_status status = sw_response_table_create(database, 1, &table);
    for (int64_t first = 0; first < THETAS && first < m->points && status == SW_OK; first++) {
        sw_fold_at(&fold, m->x[first][3]);
        sw_response_table_fill(&table, &fold);
        for (int64_t i = first; i < m->points; i += THETAS) {
            float orientation[4][SW_BUNDLE] = {{0}}, found[SW_OUTPUTS_MOST][SW_BUNDLE];
            double q[4], value[SW_OUTPUTS_MOST];
            sw_quaternion_from_euler(m->x[i], q);
            for (int d = 0; d < 4; d++)
                orientation[d][0] = (float)q[d];
            sw_response_table_lookup(&table, 1, m->outputs, (const float(*)[SW_BUNDLE])orientation, found);
            for (int c = 0; c < m->outputs; c++)
                value[c] = found[c][0];
            set_error(m, i, value);
        }
        status = sw_interrupt_check();
    }
    sw_fold_destroy(&fold);
    sw_response_table_destroy(&table);
    return status;
}

static sw_status measure(measurement *m, const sw_database *database, double *sorted, int quiet)
{
    sw_progress progress;
    sw_progress_begin(&progress, "evaluate", "rows", m->n_rows, quiet);
    for (int64_t row = 0; row < m->n_rows; row++) {
        if (m->pairs[row] > 0)
            SW_TRY(measure_series(m, database, m->pairs[row]));
        else
            SW_TRY(measure_grid(m, database));
        summarise(m, row, sorted);
        sw_progress_show(&progress, row + 1);
    }
    sw_progress_end(&progress);
    return SW_OK;
}

/* What the integrator says at every point, and its size. */
static sw_status integrate(measurement *m, const sw_database *database, int quiet)
{
    const sw_increment increment = {database->strain_increment, database->strain_rate,
                                    database->initial_slip_resistance};
    sw_progress progress;
    sw_material integrated = database->material;
    sw_material_equal_planes(&integrated);
    sw_progress_begin(&progress, "integrate", "points", m->points, quiet);
    for (int64_t first = 0; first < m->points; first += SLICE) {
        const int64_t end = slice_end(m, first);
        SW_TRY(sw_integrate_points(&integrated, &increment, end - first, (const double(*)[4])m->x + first,
                                   m->exact + first, NULL));
        sw_progress_show(&progress, end);
        SW_TRY(sw_interrupt_check());
    }
    sw_progress_end(&progress);
    for (int c = 0; c < m->outputs; c++) {
        for (int64_t i = 0; i < m->points; i++)
            m->scale[c] += m->exact[i][c] * m->exact[i][c] / (double)m->points;
        m->scale[c] = sqrt(m->scale[c]);
    }
    return SW_OK;
}

static sw_status choose_counts(measurement *m, const sw_validate_options *options,
                               const sw_database *database)
{
    const int64_t stored = sw_database_terms(database);
    for (int i = 0; i < options->n_terms; i++) {
        const int64_t terms = options->terms[i];
        if (terms < 1 || terms > stored)
            return sw_error(SW_ERR_RANGE, "--terms = %lld: need 1 to the %lld that %s stores",
                            (long long)terms, (long long)stored, options->database);
        m->pairs[m->n_rows++] = sw_pairs_of_terms(terms);
    }
    if (m->n_rows == 0) {
        for (int64_t p = 256; p < database->n_pairs && m->n_rows < COUNTS_MAX - 1; p *= 4)
            m->pairs[m->n_rows++] = p;
        m->pairs[m->n_rows++] = database->n_pairs;
    }
    m->pairs[m->n_rows++] = 0; /* the grid solver */
    return SW_OK;
}

static void print_table(const measurement *m, FILE *out)
{
    static const char *const title[3] = {"RMS", "95th percentile", "maximum"};
    const double(*const table[3])[SW_OUTPUTS_MOST] = {m->rms, m->p95, m->max};
    for (int k = 0; k < 3; k++) {
        fprintf(out, "%s error over RMS value, %lld random points\n%10s", title[k], (long long)m->points,
                "terms");
        for (int c = 0; c < m->outputs; c++)
            fprintf(out, " %9s", sw_output_names[c]);
        for (int64_t row = 0; row < m->n_rows; row++) {
            if (m->pairs[row] > 0)
                fprintf(out, "\n%10lld", (long long)sw_terms_of_pairs(m->pairs[row]));
            else
                fprintf(out, "\n%10s", "grid");
            for (int c = 0; c < m->outputs; c++)
                fprintf(out, " %9.5f", table[k][row][c]);
        }
        fprintf(out, "\n");
    }
}

static sw_status write_errors(hid_t group, const char *name, const measurement *m,
                              const double (*error)[SW_OUTPUTS_MOST])
{
    double rows[ROWS_MAX * SW_OUTPUTS_MOST];
    for (int64_t k = 0; k < m->n_rows * m->outputs; k++)
        rows[k] = error[k / m->outputs][k % m->outputs];
    return sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 2, (int64_t[]){m->n_rows, m->outputs}, rows);
}

static sw_status write_results(hid_t file, const measurement *m, int64_t seed_used)
{
    const double points = (double)m->points, seed = (double)seed_used;
    const char *const old[] = {"terms", "rms_error", "p95_error", "max_error", "points", "seed"};
    hid_t group = H5Gopen2(file, "accuracy", H5P_DEFAULT);
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        if (i < 4 && sw_h5_exists(group, old[i]))
            H5Ldelete(group, old[i], H5P_DEFAULT);
        if (i >= 4 && H5Aexists(group, old[i]) > 0)
            H5Adelete(group, old[i]);
    }
    sw_status status = sw_h5_write(group, "terms", H5T_NATIVE_INT64, 1, &m->n_rows, m->pairs);
    status = status ? status : write_errors(group, "rms_error", m, m->rms);
    status = status ? status : write_errors(group, "p95_error", m, m->p95);
    status = status ? status : write_errors(group, "max_error", m, m->max);
    status = status ? status : sw_h5_write_numbers(group, "points", 1, &points);
    status = status ? status : sw_h5_write_numbers(group, "seed", 1, &seed);
    H5Gclose(group);
    return status;
}

/* Into a copy that takes the database's place when complete: a full disk loses nothing. */
static sw_status store(const measurement *m, const sw_validate_options *options,
                       const sw_file_version *version)
{
    sw_h5_output output;
    SW_TRY(sw_file_check_version(options->database, version));
    SW_TRY(sw_h5_begin_change(options->database, &output));
    return sw_h5_end(&output, write_results(output.file, m, options->seed));
}

sw_status sw_validate(const sw_validate_options *options, FILE *out)
{
    measurement m = {.points = options->points};
    sw_database *database = NULL;
    double *sorted = NULL;
    sw_file_version version;
    sw_status status = sw_file_version_of(options->database, &version);
    if (status == SW_OK)
        status = sw_database_read(options->database, 0, &database);
    if (status != SW_OK)
        goto done;
    m.outputs = sw_database_outputs(database);
    SW_TRY_GOTO(status, choose_counts(&m, options, database), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(m.x, m.points, "validation points"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(m.exact, m.points, "validation points"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(m.error, m.points, "validation points"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(sorted, m.points, "validation points"), done);
    draw_points(&m, (uint64_t)options->seed);
    SW_TRY_GOTO(status, integrate(&m, database, options->quiet), done);
    SW_TRY_GOTO(status, measure(&m, database, sorted, options->quiet), done);
    SW_TRY_GOTO(status, store(&m, options, &version), done);
    print_table(&m, out);
done:
    free(m.x);
    free(m.exact);
    free(m.error);
    free(sorted);
    sw_database_free(database);
    return status;
}
