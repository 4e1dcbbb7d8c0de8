#include "database.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/crystal/material_file.h"
#include "common/files/hash.h"
#include "common/files/hdf5_map.h"
#include "common/system/threads.h"

static const char format_name[] = "slipwave-database";

sw_status sw_database_check_material(const char *what, int has_planes, const sw_material *material)
{
    sw_slip_law law;
    sw_plane_law planes;
    SW_TRY(sw_material_check_closed(what, material));
    if (material->slip.rate_of_step)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "%s: slip.rate_of_step of %s: a database is made at one rate, and answers at others "
                        "by its slip law",
                        what, material->name);
    if (sw_plane_law_of(material, &planes))
        return has_planes ? sw_plane_law_check(what, &planes)
                          : sw_error(SW_ERR_UNAVAILABLE,
                                     "%s: %s has four coplanar resistances: need a database that has how "
                                     "planes share slip, as slipwave-db generate makes of this material",
                                     what, material->name);
    if (material->hardening.law < SW_LAWS_OF_ONE) {
        SW_TRY(sw_slip_law_prepare(material, &law));
        SW_TRY(sw_slip_law_check_plain(what, &law));
    }
    return material->hardening.law < SW_LAWS_OF_ONE
               ? SW_OK
               : sw_error(SW_ERR_UNAVAILABLE,
                          "%s: by the hardening.law of %s slip.families have resistances of their own: a "
                          "database has one, in fixed ratios of them (voce)",
                          what, material->name);
}

int sw_database_suits(const sw_database *database, const sw_material *given, sw_key_difference *difference)
{
    sw_material a = *given, b = database->material;
    sw_material_equal_planes(&a);
    sw_material_equal_planes(&b);
    return sw_material_suits(&a, &b, difference);
}

static sw_status write_grid(hid_t file, const sw_database *database)
{
    hid_t group;
    SW_TRY(sw_h5_group(file, "grid", &group));
    double shape[4];
    sw_symmetries symmetries;
    sw_symmetries_of(sw_material_lattice(&database->material)->group, &symmetries);
    for (int d = 0; d < 4; d++)
        shape[d] = (double)database->shape[d];
    sw_status status = sw_h5_write_numbers(group, "shape", 4, shape);
    const struct {
        const char *name;
        double value;
    } scalars[] = {{"strain_increment", database->strain_increment},
                   {"strain_rate", database->strain_rate},
                   {"initial_slip_resistance", database->initial_slip_resistance},
                   {"symmetry_operations", symmetries.count}};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars && status == SW_OK; i++)
        status = sw_h5_write_numbers(group, scalars[i].name, 1, &scalars[i].value);
    H5Gclose(group);
    return status;
}

static sw_status write_all(hid_t file, const sw_database *database)
{
    const double version = SW_DATABASE_VERSION;
    const int64_t t = database->n_pairs;
    char created[32];
    time_t now = time(NULL);
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    SW_TRY(sw_h5_write_text(file, "format", format_name));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_write_text(file, "creator", "slipwave-db " SW_VERSION));
    SW_TRY(sw_h5_write_text(file, "created", created));
    if (database->generation_seconds != 0)
        SW_TRY(sw_h5_write_numbers(file, "generation_seconds", 1, &database->generation_seconds));
    SW_TRY(sw_h5_write_text(file, "material", database->material_text));
    SW_TRY(sw_h5_write_text(file, "units",
                            "Pa, s, rad; outputs over s rate^m (stress) and rate (spin, slip rate)"));
    SW_TRY(write_grid(file, database));
    SW_TRY(
        sw_h5_write(file, "terms/wavevector", H5T_NATIVE_INT16, 2, (int64_t[]){t, 4}, database->wavevector));
    SW_TRY(sw_h5_write(file, "terms/coefficient", H5T_NATIVE_FLOAT, 3, (int64_t[]){t, SW_OUTPUTS, 2},
                       database->coefficient));
    if (database->planes != NULL)
        SW_TRY(sw_h5_write(file, "terms/slip_planes", H5T_NATIVE_FLOAT, 3,
                           (int64_t[]){t, SW_PLANE_OUTPUTS, 2}, database->planes));
    SW_TRY(sw_h5_write(file, "terms/weight", H5T_NATIVE_FLOAT, 1, &t, database->weight));
    SW_TRY(sw_h5_write(file, "terms/magnitude", H5T_NATIVE_FLOAT, 1, &t, database->magnitude));
    return sw_h5_write(file, "accuracy/captured_variance", H5T_NATIVE_DOUBLE, 1,
                       (int64_t[]){sw_database_outputs(database)}, database->captured_variance);
}

sw_status sw_database_write(const char *path, const sw_database *database)
{
    sw_h5_output output;
    SW_TRY(sw_h5_begin(path, &output));
    return sw_h5_end(&output, write_all(output.file, database));
}

/* What the file says of itself. */
static sw_status read_header(hid_t file, const char *path, sw_database *database)
{
    char *format;
    double version, shape[4];
    SW_TRY(sw_h5_read_text(file, "format", &format));
    int known = strcmp(format, format_name) == 0;
    sw_status status =
        known ? SW_OK
              : sw_error(SW_ERR_FORMAT, "%s: format = \"%s\": need \"%s\"", path, format, format_name);
    free(format);
    SW_TRY(status);
    SW_TRY(sw_h5_read_numbers(file, "version", 1, &version));
    if (version != SW_DATABASE_VERSION)
        return sw_error(SW_ERR_FORMAT, "%s: version = %g: this program reads version %d", path, version,
                        SW_DATABASE_VERSION);
    if (H5Aexists(file, "generation_seconds") > 0)
        SW_TRY(sw_h5_read_numbers(file, "generation_seconds", 1, &database->generation_seconds));
    if (!(database->generation_seconds >= 0 && isfinite(database->generation_seconds)))
        return sw_error(SW_ERR_FORMAT, "%s: generation_seconds = %g: need s >= 0", path,
                        database->generation_seconds);
    SW_TRY(sw_h5_read_text(file, "material", &database->material_text));
    SW_TRY(sw_material_parse(path, database->material_text, &database->material));
    SW_TRY(sw_database_check_material(path, sw_h5_exists(file, "terms/slip_planes"), &database->material));
    if (!sw_h5_exists(file, "grid"))
        return sw_error(SW_ERR_FORMAT, "%s: grid is missing", path);
    hid_t group = H5Gopen2(file, "grid", H5P_DEFAULT);
    status = sw_h5_read_numbers(group, "shape", 4, shape);
    const struct {
        const char *name;
        double *value, least, most;
    } scalars[] = {{"strain_increment", &database->strain_increment, SW_INCREMENT_LEAST, SW_INCREMENT_MOST},
                   {"strain_rate", &database->strain_rate, SW_INCREMENT_RATE_LEAST, SW_INCREMENT_RATE_MOST},
                   {"initial_slip_resistance", &database->initial_slip_resistance,
                    SW_INCREMENT_RESISTANCE_LEAST, SW_INCREMENT_RESISTANCE_MOST}};
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars && status == SW_OK; i++) {
        const double least = scalars[i].least, most = scalars[i].most;
        status = sw_h5_read_numbers(group, scalars[i].name, 1, scalars[i].value);
        if (status == SW_OK && !(*scalars[i].value >= least && *scalars[i].value <= most))
            status = sw_error(SW_ERR_FORMAT, "%s: grid %s = %g: need %g <= %s <= %g", path, scalars[i].name,
                              *scalars[i].value, least, scalars[i].name, most);
    }
    if (group >= 0)
        H5Gclose(group);
    SW_TRY(status);
    for (int d = 0; d < 4; d++) {
        if (!(shape[d] >= 4 && shape[d] <= 8192 && shape[d] == floor(shape[d])))
            return sw_error(SW_ERR_FORMAT,
                            "%s: grid shape = %g in dimension %d: need a whole number from 4 to 8192", path,
                            shape[d], d);
        database->shape[d] = (int64_t)shape[d];
    }
    return sw_grid_check(sw_material_lattice(&database->material)->group, database->shape) == SW_OK
               ? SW_OK
               : sw_error(SW_ERR_FORMAT, "%s: %s", path, sw_error_message());
}

static sw_status check_term(const char *path, const sw_database *database, int64_t t)
{
    const int16_t *k = database->wavevector[t];
    for (int d = 0; d < 4; d++)
        if (2 * k[d] < -database->shape[d] || 2 * k[d] > database->shape[d])
            return sw_error(SW_ERR_FORMAT, "%s: terms/wavevector[%lld][%d] = %d: need at most half of %lld",
                            path, (long long)t, d, k[d], (long long)database->shape[d]);
    const sw_point_group *group = sw_material_lattice(&database->material)->group;
    if (k[2] % group->fold != 0)
        return sw_error(SW_ERR_FORMAT,
                        "%s: terms/wavevector[%lld][2] = %d: need a multiple of %d, by %s symmetry", path,
                        (long long)t, k[2], group->fold, group->system);
    for (int i = 0; i < 2 * sw_database_outputs(database); i++) {
        const int c = i / 2, own = c < SW_OUTPUTS;
        const float one = sw_database_coefficient(database, t, c)[i % 2];
        if (!isfinite(one))
            return sw_error(SW_ERR_FORMAT, "%s: terms/%s[%lld][%d][%d] = %g: need a finite number", path,
                            own ? "coefficient" : "slip_planes", (long long)t, own ? c : c - SW_OUTPUTS,
                            i % 2, one);
    }
    if (!(database->weight[t] == 1 || database->weight[t] == 2))
        return sw_error(SW_ERR_FORMAT, "%s: terms/weight[%lld] = %g: need 1 or 2", path, (long long)t,
                        database->weight[t]);
    if (!isfinite(database->magnitude[t]))
        return sw_error(SW_ERR_FORMAT, "%s: terms/magnitude[%lld] = %g: need a finite number", path,
                        (long long)t, database->magnitude[t]);
    return SW_OK;
}

/* Whether check_term finds nothing, without a branch. */
static int is_good(const sw_database *database, int64_t t)
{
    const int16_t *k = database->wavevector[t];
    const float *c = &database->coefficient[t][0][0], weight = database->weight[t];
    int good = k[2] % 4 == 0;
    for (int d = 0; d < 4; d++)
        good &= (2 * k[d] >= -database->shape[d]) & (2 * k[d] <= database->shape[d]);
    for (int i = 0; i < 2 * SW_OUTPUTS; i++)
        good &= fabsf(c[i]) <= FLT_MAX;
    for (int i = 0; i < 2 * SW_PLANE_OUTPUTS && database->planes != NULL; i++)
        good &= fabsf((&database->planes[t][0][0])[i]) <= FLT_MAX;
    return good & ((weight == 1) | (weight == 2)) & (fabsf(database->magnitude[t]) <= FLT_MAX);
}

static sw_status check_terms(const char *path, const sw_database *database)
{
    const double nanoseconds = 10; /* of a term: its way from the file */
    int64_t first_bad = database->n_pairs;
#pragma omp parallel for schedule(static) reduction(min          \
                                                    : first_bad) \
    num_threads(sw_threads_for(database->n_pairs, nanoseconds))
    for (int64_t t = 0; t < database->n_pairs; t++)
        if (!is_good(database, t) && t < first_bad)
            first_bad = t;
    if (first_bad < database->n_pairs)
        return check_term(path, database, first_bad);
    const int16_t *mean = database->wavevector[0];
    if (mean[0] != 0 || mean[1] != 0 || mean[2] != 0 || mean[3] != 0)
        return sw_error(SW_ERR_FORMAT,
                        "%s: terms/wavevector[0] = (%d, %d, %d, %d): need the mean, (0, 0, 0, 0)", path,
                        mean[0], mean[1], mean[2], mean[3]);
    for (int c = 0; c < sw_database_outputs(database); c++)
        if (!isfinite(database->captured_variance[c]))
            return sw_error(SW_ERR_FORMAT, "%s: accuracy/captured_variance[%d] = %g: need a finite number",
                            path, c, database->captured_variance[c]);
    return SW_OK;
}

struct sw_database_file {
    sw_h5_content wavevector, coefficient, planes, weight, magnitude;
};

static void close_terms(struct sw_database_file *f)
{
    sw_h5_content_close(&f->wavevector);
    sw_h5_content_close(&f->coefficient);
    sw_h5_content_close(&f->planes);
    sw_h5_content_close(&f->weight);
    sw_h5_content_close(&f->magnitude);
    free(f);
}

static sw_status open_terms(hid_t file, int64_t n, sw_database *database)
{
    const int64_t outputs[] = {n, SW_OUTPUTS, 2}, planes[] = {n, SW_PLANE_OUTPUTS, 2}, wavenumbers[] = {n, 4};
    SW_TRY(SW_ALLOCATE(database->file, 1, "database"));
    struct sw_database_file *f = database->file;
    SW_TRY(sw_h5_content_open(file, "terms/wavevector", H5T_NATIVE_INT16, 2, wavenumbers, &f->wavevector));
    SW_TRY(sw_h5_content_open(file, "terms/coefficient", H5T_NATIVE_FLOAT, 3, outputs, &f->coefficient));
    if (sw_h5_exists(file, "terms/slip_planes"))
        SW_TRY(sw_h5_content_open(file, "terms/slip_planes", H5T_NATIVE_FLOAT, 3, planes, &f->planes));
    SW_TRY(sw_h5_content_open(file, "terms/weight", H5T_NATIVE_FLOAT, 1, &n, &f->weight));
    SW_TRY(sw_h5_content_open(file, "terms/magnitude", H5T_NATIVE_FLOAT, 1, &n, &f->magnitude));
    database->wavevector = f->wavevector.data;
    database->coefficient = f->coefficient.data;
    database->planes = f->planes.data;
    database->weight = f->weight.data;
    database->magnitude = f->magnitude.data;
    return SW_OK;
}

static sw_status read_all(hid_t file, const char *path, int64_t terms_max, sw_database *database)
{
    int64_t shape[2];
    SW_TRY(read_header(file, path, database));
    SW_TRY(sw_h5_shape(file, "terms/wavevector", 2, shape));
    const int64_t stored = database->n_pairs = shape[0];
    if (stored < 1)
        return sw_error(SW_ERR_FORMAT, "%s: holds no terms", path);
    if (terms_max > sw_terms_of_pairs(stored))
        return sw_error(SW_ERR_RANGE, "terms = %lld: %s stores %lld", (long long)terms_max, path,
                        (long long)sw_terms_of_pairs(stored));
    SW_TRY(open_terms(file, stored, database));
    SW_TRY(sw_h5_read(file, "accuracy/captured_variance", H5T_NATIVE_DOUBLE, 1,
                      (int64_t[]){sw_database_outputs(database)}, database->captured_variance));
    SW_TRY(check_terms(path, database));
    if (terms_max > 0)
        database->n_pairs = sw_pairs_of_terms(terms_max);
    return SW_OK;
}

sw_status sw_database_read(const char *path, int64_t terms_max, sw_database **database)
{
    hid_t file;
    *database = NULL;
    SW_TRY(sw_h5_open(path, 0, &file));
    sw_status status = SW_ALLOCATE(*database, 1, "database");
    if (status == SW_OK)
        status = read_all(file, path, terms_max, *database);
    H5Fclose(file);
    if (status != SW_OK) {
        sw_database_free(*database);
        *database = NULL;
    }
    return status;
}

int64_t sw_database_terms(const sw_database *database) { return sw_terms_of_pairs(database->n_pairs); }

const sw_material *sw_database_material(const sw_database *database) { return &database->material; }

void sw_database_free(sw_database *database)
{
    if (database == NULL)
        return;
    free(database->material_text);
    if (database->file != NULL) {
        close_terms(database->file);
    } else {
        free(database->wavevector);
        free(database->coefficient);
        free(database->planes);
        free(database->weight);
        free(database->magnitude);
    }
    free(database);
}

uint64_t sw_database_hash(uint64_t h, const sw_database *d)
{
    const size_t pairs = (size_t)d->n_pairs;
    h = sw_hash(h, d->shape, sizeof d->shape);
    h = sw_hash(h, d->wavevector, pairs * sizeof *d->wavevector);
    h = sw_hash(h, d->coefficient, pairs * sizeof *d->coefficient);
    if (d->planes != NULL)
        h = sw_hash(h, d->planes, pairs * sizeof *d->planes);
    return sw_hash(h, d->weight, pairs * sizeof *d->weight);
}

void sw_database_evaluate(const sw_database *database, int64_t n_pairs, const double x[4], double *output)
{
    const int outputs = sw_database_outputs(database);
    for (int c = 0; c < outputs; c++)
        output[c] = 0;
    for (int64_t t = 0; t < n_pairs; t++) {
        const int16_t *k = database->wavevector[t];
        double phase = 0, factor = database->weight[t];
        for (int d = 0; d < 4; d++)
            if (2 * llabs(k[d]) == database->shape[d])
                factor *= cos(k[d] * x[d]); /* both signs */
            else
                phase += k[d] * x[d];
        const double re = factor * cos(phase), im = factor * sin(phase);
        for (int c = 0; c < outputs; c++) {
            const float *a = sw_database_coefficient(database, t, c);
            output[c] += a[0] * re - a[1] * im;
        }
    }
}
