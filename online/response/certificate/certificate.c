#include "certificate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/database/database.h"
#include "common/files/hdf5_io.h"
#include "online/response/solvers.h"

static const char group_name[] = "accuracy/solvers", program[] = "slipwave " SW_VERSION;

const char *const sw_certified_measure_names[SW_CERTIFIED_MEASURES] = {"curve", "tensor"};

/* Of certificates that do not name theirs. */
enum { FORMER_LOADINGS = 3 };
static const sw_certified_loading former_loadings[FORMER_LOADINGS] = {
    {"plane strain compression to strain 1", 1}, {"simple shear to 1", 1}, {"tension to strain 0.5", 1}};

double sw_certified_error(const sw_certificate *certificate, const sw_certified *row,
                          sw_certified_measure measure)
{
    const double *error = measure == SW_CERTIFIED_TENSOR ? row->tensor_error : row->curve_error;
    double largest = 0;
    for (int64_t l = 0; l < certificate->n_loadings; l++) {
        if (measure == SW_CERTIFIED_CURVE && !certificate->loading[l].is_plain)
            continue;
        if (isnan(error[l]))
            return NAN;
        largest = fmax(largest, error[l]);
    }
    return largest;
}

int sw_certificate_is_complete(const sw_certificate *certificate)
{
    for (int64_t l = 0; l < certificate->n_loadings; l++)
        if (!certificate->loading[l].is_plain)
            return 1;
    return 0;
}

void sw_certified_describe(const sw_certified *row, char *text, int size)
{
    sw_solver_describe(row->solver, row->terms, row->refinement, row->nearest, text, size);
}

/* ---- File: columns ---- */

enum { SETTINGS = 3, SET_UPS = sizeof(sw_set_up) / sizeof(double), NAME = sizeof((sw_certified *)0)->solver };
enum { LOADING = sizeof((sw_certified_loading *)0)->name, ERRORS = SW_CERTIFY_ROWS * SW_CERTIFY_LOADINGS };

typedef struct {
    char loading[SW_CERTIFY_LOADINGS][LOADING];
    int64_t is_plain[SW_CERTIFY_LOADINGS];
    char name[SW_CERTIFY_ROWS][NAME];
    int64_t setting[SW_CERTIFY_ROWS][SETTINGS];       /* pairs of terms, refinement, nearest */
    double curve_error[ERRORS], tensor_error[ERRORS]; /* [R][L] */
    double seconds[SW_CERTIFY_ROWS];
    sw_set_up set_up[SW_CERTIFY_ROWS];
} columns;

static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size);
    return type;
}

/* Columns of texts [n][size]. */
static sw_status write_texts(hid_t group, const char *name, size_t size, int64_t n, const void *text)
{
    hid_t type = text_type(size);
    const sw_status status = sw_h5_write(group, name, type, 1, &n, text);
    H5Tclose(type);
    return status;
}

static sw_status read_texts(hid_t group, const char *name, size_t size, int64_t n, void *text)
{
    hid_t type = text_type(size);
    const sw_status status = sw_h5_read(group, name, type, 1, &n, text);
    H5Tclose(type);
    return status;
}

static sw_status write_loadings(hid_t group, const sw_certificate *c, columns *all)
{
    for (int64_t l = 0; l < c->n_loadings; l++) {
        memcpy(all->loading[l], c->loading[l].name, LOADING);
        all->is_plain[l] = c->loading[l].is_plain;
    }
    SW_TRY(write_texts(group, "loading_names", LOADING, c->n_loadings, all->loading));
    return sw_h5_write(group, "loading_is_plain", H5T_NATIVE_INT64, 1, &c->n_loadings, all->is_plain);
}

static sw_status write_columns(hid_t group, const sw_certificate *c, columns *all)
{
    const int64_t n = c->n_rows, settings[2] = {n, SETTINGS}, errors[2] = {n, c->n_loadings};
    const size_t size = (size_t)c->n_loadings * sizeof *all->curve_error;
    for (int64_t i = 0; i < n; i++) {
        const sw_certified *row = &c->row[i];
        memcpy(all->name[i], row->solver, NAME);
        memcpy(all->setting[i], (int64_t[]){sw_pairs_of_terms(row->terms), row->refinement, row->nearest},
               sizeof all->setting[i]);
        memcpy(all->curve_error + i * c->n_loadings, row->curve_error, size);
        memcpy(all->tensor_error + i * c->n_loadings, row->tensor_error, size);
        all->seconds[i] = row->seconds_per_crystal_step;
        all->set_up[i] = row->set_up;
    }
    SW_TRY(write_texts(group, "names", NAME, n, all->name));
    SW_TRY(sw_h5_write(group, "settings", H5T_NATIVE_INT64, 2, settings, all->setting));
    SW_TRY(sw_h5_write(group, "curve_error", H5T_NATIVE_DOUBLE, 2, errors, all->curve_error));
    SW_TRY(sw_h5_write(group, "tensor_error", H5T_NATIVE_DOUBLE, 2, errors, all->tensor_error));
    SW_TRY(sw_h5_write(group, "set_up", H5T_NATIVE_DOUBLE, 2, (int64_t[]){n, SET_UPS}, all->set_up));
    return sw_h5_write(group, "seconds_per_crystal_step", H5T_NATIVE_DOUBLE, 1, &n, all->seconds);
}

static sw_status write_attributes(hid_t group, const sw_certificate *c)
{
    const double crystals = (double)c->crystals, threads = (double)c->threads;
    SW_TRY(sw_h5_write_text(group, "program", program));
    SW_TRY(sw_h5_write_text(group, "settings", "pairs of terms, refinement, nearest"));
    SW_TRY(sw_h5_write_numbers(group, "crystals", 1, &crystals));
    return sw_h5_write_numbers(group, "threads", 1, &threads);
}

static sw_status write_group(hid_t file, const sw_certificate *certificate)
{
    columns *all;
    hid_t group;
    if (sw_h5_exists(file, group_name))
        H5Ldelete(file, group_name, H5P_DEFAULT);
    SW_TRY(SW_ALLOCATE(all, 1, "certificate"));
    sw_status status = sw_h5_group(file, group_name, &group);
    if (status == SW_OK) {
        status = write_loadings(group, certificate, all);
        status = status ? status : write_columns(group, certificate, all);
        status = status ? status : write_attributes(group, certificate);
        H5Gclose(group);
    }
    free(all);
    return status;
}

sw_status sw_certificate_store(const char *database, const sw_certificate *certificate)
{
    sw_h5_output output;
    SW_TRY(sw_h5_begin_change(database, &output));
    return sw_h5_end(&output, write_group(output.file, certificate));
}

static int is_time(double seconds) { return seconds >= 0 && isfinite(seconds); }

static sw_status check_row(const char *path, const sw_certificate *c, int64_t i)
{
    const sw_certified *row = &c->row[i];
    const sw_solver_traits *traits = sw_solver_find(row->solver);
    int good = traits != NULL && row->terms >= 0 && row->refinement >= 0 &&
               row->refinement <= SW_REFINEMENT_MOST && is_time(row->seconds_per_crystal_step) &&
               is_time(row->set_up.open) && is_time(row->set_up.rate) &&
               (row->terms == 0 || traits->has_terms);
    for (int64_t l = 0; l < c->n_loadings; l++)
        good &= row->curve_error[l] >= 0 && isfinite(row->curve_error[l]) && row->tensor_error[l] >= 0 &&
                isfinite(row->tensor_error[l]);
    return good ? SW_OK
                : sw_error(SW_ERR_FORMAT,
                           "%s: %s: row %lld, '%s', is damaged: need a solver's name, settings and finite "
                           "errors >= 0: run `slipwave certify %s` again",
                           path, group_name, (long long)i, row->solver, path);
}

static sw_status read_loadings(hid_t group, const char *path, sw_certificate *c, columns *all)
{
    if (!sw_h5_exists(group, "loading_names")) {
        c->n_loadings = FORMER_LOADINGS;
        memcpy(c->loading, former_loadings, sizeof former_loadings);
        return SW_OK;
    }
    SW_TRY(sw_h5_shape(group, "loading_names", 1, &c->n_loadings));
    if (c->n_loadings < 1 || c->n_loadings > SW_CERTIFY_LOADINGS)
        return sw_error(SW_ERR_FORMAT, "%s: %s has %lld loadings: need 1 to %d", path, group_name,
                        (long long)c->n_loadings, SW_CERTIFY_LOADINGS);
    SW_TRY(read_texts(group, "loading_names", LOADING, c->n_loadings, all->loading));
    SW_TRY(sw_h5_read(group, "loading_is_plain", H5T_NATIVE_INT64, 1, &c->n_loadings, all->is_plain));
    for (int64_t l = 0; l < c->n_loadings; l++) {
        memcpy(c->loading[l].name, all->loading[l], LOADING);
        c->loading[l].name[LOADING - 1] = '\0';
        c->loading[l].is_plain = all->is_plain[l] != 0;
    }
    return SW_OK;
}

static sw_status read_rows(hid_t group, const char *path, sw_certificate *c, columns *all)
{
    SW_TRY(sw_h5_shape(group, "names", 1, &c->n_rows));
    const int64_t n = c->n_rows, settings[2] = {n, SETTINGS}, errors[2] = {n, c->n_loadings};
    if (n < 1 || n > SW_CERTIFY_ROWS)
        return sw_error(SW_ERR_FORMAT, "%s: %s has %lld rows: need 1 to %d", path, group_name, (long long)n,
                        SW_CERTIFY_ROWS);
    SW_TRY(read_texts(group, "names", NAME, n, all->name));
    SW_TRY(sw_h5_read(group, "settings", H5T_NATIVE_INT64, 2, settings, all->setting));
    SW_TRY(sw_h5_read(group, "curve_error", H5T_NATIVE_DOUBLE, 2, errors, all->curve_error));
    SW_TRY(sw_h5_read(group, "tensor_error", H5T_NATIVE_DOUBLE, 2, errors, all->tensor_error));
    if (sw_h5_exists(group, "set_up"))
        SW_TRY(sw_h5_read(group, "set_up", H5T_NATIVE_DOUBLE, 2, (int64_t[]){n, SET_UPS}, all->set_up));
    return sw_h5_read(group, "seconds_per_crystal_step", H5T_NATIVE_DOUBLE, 1, &n, all->seconds);
}

static sw_status take_row(const char *path, const columns *all, int64_t i, sw_certificate *c)
{
    sw_certified *row = &c->row[i];
    const size_t size = (size_t)c->n_loadings * sizeof *all->curve_error;
    memcpy(row->solver, all->name[i], NAME);
    row->solver[NAME - 1] = '\0';
    const int64_t pairs = all->setting[i][0];
    row->terms = pairs >= 0 && pairs <= INT32_MAX ? sw_terms_of_pairs(pairs) : -1; /* check_row refuses it */
    row->refinement = all->setting[i][1];
    row->nearest = all->setting[i][2] != 0;
    memcpy(row->curve_error, all->curve_error + i * c->n_loadings, size);
    memcpy(row->tensor_error, all->tensor_error + i * c->n_loadings, size);
    row->seconds_per_crystal_step = all->seconds[i];
    row->set_up = all->set_up[i];
    return check_row(path, c, i);
}

static sw_status read_columns(hid_t group, const char *path, sw_certificate *c, columns *all)
{
    const double most = 1e15; /* they are whole numbers */
    double crystals, threads;
    SW_TRY(sw_h5_read_numbers(group, "crystals", 1, &crystals));
    SW_TRY(sw_h5_read_numbers(group, "threads", 1, &threads));
    if (!(crystals >= 0 && crystals <= most && threads >= 0 && threads <= most))
        return sw_error(SW_ERR_FORMAT, "%s: %s: %g crystals, %g threads: need numbers from 0 to %g", path,
                        group_name, crystals, threads, most);
    c->crystals = (int64_t)crystals;
    c->threads = (int64_t)threads;
    SW_TRY(read_loadings(group, path, c, all));
    SW_TRY(read_rows(group, path, c, all));
    for (int64_t i = 0; i < c->n_rows; i++)
        SW_TRY(take_row(path, all, i, c));
    return SW_OK;
}

/* 4 .. 8192: the bounds of database.c. */
static sw_status read_points(hid_t file, const char *path, int64_t *points)
{
    double shape[4] = {0};
    hid_t grid = sw_h5_exists(file, "grid") ? H5Gopen2(file, "grid", H5P_DEFAULT) : -1;
    if (grid < 0)
        return sw_error(SW_ERR_FORMAT, "%s: grid is missing", path);
    const sw_status status = sw_h5_read_numbers(grid, "shape", 4, shape);
    H5Gclose(grid);
    SW_TRY(status);
    if (!(shape[0] >= 4 && shape[0] <= 8192))
        return sw_error(SW_ERR_FORMAT, "%s: grid/shape[0] = %g: need 4 to 8192", path, shape[0]);
    *points = (int64_t)shape[0];
    return SW_OK;
}

static sw_status read_group(hid_t group, const char *path, sw_certificate *certificate)
{
    char *by;
    columns *all;
    SW_TRY(sw_h5_read_text(group, "program", &by));
    const int same = strcmp(by, program) == 0;
    const sw_status status =
        same
            ? SW_OK
            : sw_error(SW_ERR_UNAVAILABLE, "%s: certified by %s, this is %s: run `slipwave certify %s` again",
                       path, by, program, path);
    free(by);
    SW_TRY(status);
    SW_TRY(SW_ALLOCATE(all, 1, "certificate"));
    const sw_status read = read_columns(group, path, certificate, all);
    free(all);
    return read;
}

sw_status sw_certificate_read(const char *database, sw_certificate *certificate)
{
    hid_t file;
    memset(certificate, 0, sizeof *certificate);
    SW_TRY(sw_h5_open(database, 0, &file));
    hid_t group = sw_h5_exists(file, group_name) ? H5Gopen2(file, group_name, H5P_DEFAULT) : -1;
    sw_status status;
    if (group < 0)
        status = sw_error(SW_ERR_UNAVAILABLE, "%s: has no certified errors: run `slipwave certify %s`",
                          database, database);
    else {
        status = read_group(group, database, certificate);
        H5Gclose(group);
        if (status == SW_OK)
            status = read_points(file, database, &certificate->points);
    }
    H5Fclose(file);
    return status;
}
