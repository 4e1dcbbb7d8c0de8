#include "output.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric_output.h"
#include "online/dem/backend/names.h"
#include "particles.h"
#include "probes_output.h"
#include "online/dem/job/loading.h"
#include "set.h"

/* ---- Records ---- */

static const struct {
    const char *name, *unit;
    size_t member;
} quantities[] = {
#define QUANTITY(name, unit, meaning) {#name, unit, offsetof(sw_dem_row, name)},
    SW_DEM_ROW_LIST(QUANTITY)
#undef QUANTITY
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static sw_status write_history(const sw_dem_job *job, sw_dem *dem, hid_t file)
{
    int64_t shape[2] = {job->n_elements, 1}, n;
    double *value;
    for (int64_t r = 0; r < job->n_elements; r++) {
        sw_dem_rows(dem, r, &n);
        shape[1] = n > shape[1] ? n : shape[1];
    }
    sw_status status = SW_ALLOCATE(value, shape[0] * shape[1], "records");
    for (int q = 0; q < QUANTITIES && status == SW_OK; q++) {
        char name[64];
        for (int64_t r = 0; r < job->n_elements; r++) {
            const sw_dem_row *row = sw_dem_rows(dem, r, &n);
            for (int64_t i = 0; i < shape[1]; i++) {
                value[r * shape[1] + i] = NAN;
                if (i < n)
                    memcpy(&value[r * shape[1] + i], (const char *)&row[i] + quantities[q].member,
                           sizeof *value);
            }
        }
        snprintf(name, sizeof name, "history/%s", quantities[q].name);
        status = sw_dem_write_set(file, name, quantities[q].unit, 2, shape, value);
    }
    free(value);
    return status;
}

/* ---- Elements ---- */

/* What is said of each element beside its parameters. */
typedef struct {
    double records, status, variant, particles, steps, mean_radius, cell[3][3];
} element_row;

static element_row describe_element(const sw_dem_job *job, sw_dem *dem, int64_t r)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    int64_t n;
    sw_dem_rows(dem, r, &n);
    element_row row = {.records = (double)n,
                       .status = sw_dem_failure(dem, r) == SW_OK ? 0 : 1,
                       .variant = (double)sw_dem_job_element(job, r).variant,
                       .particles = (double)rve->n_particles,
                       .steps = (double)rve->state->step,
                       .mean_radius = rve->mean_radius};
    memcpy(row.cell, rve->state->cell.h, sizeof row.cell);
    return row;
}

static sw_status write_elements(const sw_dem_job *job, sw_dem *dem, hid_t file)
{
    static const struct {
        const char *name, *unit;
        size_t member;
        int size;
    } sets[] = {
        {"records", "1", offsetof(element_row, records), 1},
        {"status", "1", offsetof(element_row, status), 1},
        {"variant", "1", offsetof(element_row, variant), 1},
        {"steps", "1", offsetof(element_row, steps), 1},
        {"n_particles", "1", offsetof(element_row, particles), 1},
        {"mean_radius", "m", offsetof(element_row, mean_radius), 1},
        {"cell", "m", offsetof(element_row, cell), 9},
    };
    const int64_t n = job->n_elements, shape[3] = {n, 3, 3};
    double *value;
    char name[64];
    sw_status status = SW_ALLOCATE(value, 9 * n, "elements");
    for (size_t i = 0; i < sizeof sets / sizeof *sets && status == SW_OK; i++) {
        for (int64_t r = 0; r < n; r++) {
            const element_row row = describe_element(job, dem, r);
            memcpy(value + r * sets[i].size, (const char *)&row + sets[i].member,
                   (size_t)sets[i].size * sizeof *value);
        }
        snprintf(name, sizeof name, "rve/%s", sets[i].name);
        status = sw_dem_write_set(file, name, sets[i].unit, sets[i].size == 1 ? 1 : 3, shape, value);
    }
    for (int i = 0; i < SW_DEM_PARAMETERS && status == SW_OK; i++) {
        for (int64_t r = 0; r < n; r++) {
            const sw_dem_element e = sw_dem_job_element(job, r);
            value[r] = e.file != NULL && sw_dem_generates((sw_dem_parameter)i) ? NAN : e.value[i];
        }
        snprintf(name, sizeof name, "rve/%s", sw_dem_parameters[i].name);
        status = sw_dem_write_set(
            file, name, sw_dem_parameters[i].unit != NULL ? sw_dem_parameters[i].unit : "1", 1, shape, value);
    }
    free(value);
    return status;
}

static sw_status write_contacts_of(sw_dem *dem, int64_t r, hid_t file)
{
    sw_dem_contact_record *contact;
    int64_t n;
    int32_t *pair = NULL;
    double *normal = NULL, *force = NULL;
    char name[64];
    SW_TRY(sw_dem_get_contacts(dem, r, &n, &contact));
    const int64_t shape[3][2] = {{n, 2}, {n, 3}, {n, 3}};
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(pair, 2 * n + 1, "contacts"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(normal, 3 * n + 1, "contacts"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(force, 3 * n + 1, "contacts"), end);
    for (int64_t c = 0; c < n; c++) {
        pair[2 * c] = contact[c].a;
        pair[2 * c + 1] = contact[c].b;
        memcpy(normal + 3 * c, contact[c].normal, sizeof contact[c].normal);
        memcpy(force + 3 * c, contact[c].force, sizeof contact[c].force);
    }
    snprintf(name, sizeof name, "contacts/%lld/pair", (long long)r);
    SW_TRY_GOTO(status, sw_h5_write(file, name, H5T_NATIVE_INT32, 2, shape[0], pair), end);
    snprintf(name, sizeof name, "contacts/%lld/normal", (long long)r);
    SW_TRY_GOTO(status, sw_dem_write_set(file, name, "1", 2, shape[1], normal), end);
    snprintf(name, sizeof name, "contacts/%lld/force", (long long)r);
    status = sw_dem_write_set(file, name, "N", 2, shape[2], force);
end:
    free(contact);
    free(pair);
    free(normal);
    free(force);
    return status;
}

/* ---- What made them ---- */

void sw_dem_describe_settings(const sw_dem_job *job, sw_dem *dem, char *text, size_t size)
{
    const sw_dem_options *o = &job->options;
    snprintf(text, size, "slipwave " SW_VERSION ", %s, %s, %s, %s", o->cuda ? "cuda" : "cpu",
             sw_dem_describe(dem), sw_dem_detections[o->detection], sw_dem_image_names[o->images]);
}

/* The stage before the loading, whose end is its first record; n_stages: there is none. */
static int64_t beginning_of(const sw_dem_rve *rve)
{
    int64_t s = 0;
    while (s < rve->n_stages && !rve->stage[s].zero_strain)
        s++;
    return s;
}

static int64_t stages_of(const sw_dem_job *job, unsigned test)
{
    return job->loading[test].file != NULL ? job->path_of[test].n_rows - 1 : 1;
}

int64_t sw_dem_test_of(const sw_dem_job *job, const sw_dem_rve *rve, int64_t stage)
{
    int64_t first = beginning_of(rve) + 1;
    for (unsigned i = 0; i < job->loading_count && stage >= first; i++) {
        first += stages_of(job, i);
        if (stage < first)
            return i;
    }
    return -1;
}

sw_status sw_dem_job_failure(const sw_dem_job *job, sw_dem *dem, int64_t r)
{
    static const char name[] = "most_steps = ";
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    const sw_status status = sw_dem_failure(dem, r);
    char message[1024], key[64] = "packing.";
    if (status == SW_OK || rve->state->status != SW_DEM_FAILED_GOAL)
        return status;
    snprintf(message, sizeof message, "%s", sw_error_message());
    const char *at = strstr(message, name);
    const int64_t test = sw_dem_test_of(job, rve, rve->state->stage);
    if (at == NULL)
        return status;
    if (test >= 0)
        snprintf(key, sizeof key, "loading[%lld].", (long long)test);
    return sw_error(status, "%.*s%s%s", (int)(at - message), message, key, at);
}

/* A line a test: number of its first stage, name, axis or plane ("-" where it has none), "zero" where strains
 * count anew. text [size]: cut off where it is full, after a whole line. */
static void describe_tests(const sw_dem_job *job, sw_dem *dem, char *text, size_t size)
{
    int64_t stage = beginning_of(sw_dem_get(dem, 0)) + 1;
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < job->loading_count; i++) {
        const sw_dem_job_stage *spec = &job->loading[i];
        const char *name = sw_dem_tests[spec->test].name;
        const int shear = strcmp(name, "simple_shear") == 0, own = spec->plane_count > 0,
                  uneven = spec->lateral < 1 || !isnan(spec->stress_ratio),
                  axial = (strstr(name, "triaxial") != NULL && !isnan(spec->strain)) ||
                          (strcmp(name, "compaction") == 0 && uneven);
        char axes[16] = "-", line[96];
        if (shear)
            snprintf(axes, sizeof axes, "%d%d", own ? (int)spec->plane[0] : 1, own ? (int)spec->plane[1] : 3);
        if (axial)
            snprintf(axes, sizeof axes, "%d", (int)spec->axis);
        const size_t length = (size_t)snprintf(line, sizeof line, "%lld %s %s%s\n", (long long)stage, name,
                                               axes, spec->zero_strain ? " zero" : "");
        if (used + length >= size)
            return;
        memcpy(text + used, line, length + 1);
        used += length;
        stage += stages_of(job, i);
    }
}

static sw_status write_texts(hid_t group, const sw_dem_job *job, sw_dem *dem, const sw_dem_account *work)
{
    char settings[512], tests[60000]; /* of 1000 tests at most; HDF5 has room for 64 KB */
    sw_dem_describe_settings(job, dem, settings, sizeof settings);
    describe_tests(job, dem, tests, sizeof tests);
    const struct {
        const char *name, *text;
    } texts[] = {
        {"job", sw_job_text(job->source)},
        {"program", "slipwave " SW_VERSION},
        {"device", job->device},
        {"team", sw_dem_describe(dem)},
        {"detection", sw_dem_detections[job->options.detection]},
        {"images", sw_dem_image_names[job->options.images]},
        {"samples", job->table == NULL ? "" : job->table->path},
        {"settings", settings},
        {"tests", tests},
        {"problem", work->identity},
        {"meshes", work->meshes},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        SW_TRY(sw_h5_write_text(group, texts[i].name, texts[i].text));
    return sw_identity_write(group, &work->crystals);
}

/* Messages of elements that failed, a line each, as far as there is room. */
static sw_status write_failures(hid_t group, const sw_dem_job *job, sw_dem *dem)
{
    char text[16384] = "";
    size_t used = 0;
    for (int64_t r = 0; r < job->n_elements && used < sizeof text; r++)
        if (sw_dem_failure(dem, r) != SW_OK)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", sw_error_message());
    return sw_h5_write_text(group, "failures", text);
}

static sw_status write_numbers(hid_t group, const sw_dem_job *job, sw_dem *dem, const sw_dem_account *work)
{
    double particles = 0;
    for (int64_t r = 0; r < job->n_elements; r++)
        particles += (double)sw_dem_get(dem, r)->n_particles;
    const sw_dem_rve *first = sw_dem_get(dem, 0);
    const int64_t beginning = beginning_of(first);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"elements", (double)job->n_elements},
        {"particles", particles},
        {"first_loading_stage", (double)(beginning < first->n_stages ? beginning + 1 : 0)},
        {"particle_steps", work->particle_steps},
        {"wall_time", work->seconds},
        {"particle_steps_per_second", work->seconds > 0 ? work->particle_steps / work->seconds : 0},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        SW_TRY(sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value));
    return write_failures(group, job, dem);
}

sw_status sw_dem_write_head(hid_t file, const char *format, const sw_dem_job *job, sw_dem *dem,
                            const sw_dem_account *work)
{
    const double version = 1;
    hid_t group;
    SW_TRY(sw_h5_write_text(file, "format", format));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_group(file, "run", &group));
    sw_status status = write_texts(group, job, dem, work);
    if (status == SW_OK)
        status = write_numbers(group, job, dem, work);
    H5Gclose(group);
    return status;
}

static sw_status fill_results(const sw_dem_job *job, sw_dem *dem, const sw_dem_probes *probes,
                              const sw_dem_account *work, hid_t file)
{
    SW_TRY(sw_dem_write_head(file, "slipwave-dem", job, dem, work));
    SW_TRY(write_history(job, dem, file));
    SW_TRY(write_elements(job, dem, file));
    SW_TRY(sw_dem_write_fabric(dem, job->n_elements, file));
    for (int64_t r = 0; r < job->n_elements && job->output.contacts; r++)
        SW_TRY(write_contacts_of(dem, r, file));
    return probes != NULL ? sw_dem_write_probes(probes, file) : SW_OK;
}

sw_status sw_dem_write_results(const sw_dem_job *job, sw_dem *dem, const sw_dem_probes *probes,
                               const sw_dem_account *work)
{
    sw_h5_output output;
    SW_TRY(sw_h5_begin(job->output.file, &output));
    return sw_h5_end(&output, fill_results(job, dem, probes, work, output.file));
}

/* ---- Packings ---- */

static sw_status write_positions(sw_dem *dem, int64_t r, const char *path)
{
    sw_dem_packing packing;
    SW_TRY(sw_dem_get_packing(dem, r, &packing));
    const sw_status status = sw_dem_packing_write(path, &packing, 0, NULL);
    sw_dem_packing_free(&packing);
    return status;
}

sw_status sw_dem_write_particles(sw_dem *dem, int64_t r, const char *path)
{
    sw_dem_packing packing;
    sw_dem_particle_fields fields = {0};
    SW_TRY(sw_dem_get_packing(dem, r, &packing));
    sw_status status = sw_dem_make_particle_fields(dem, r, &fields);
    if (status == SW_OK)
        status = sw_dem_packing_write(path, &packing, fields.n, fields.field);
    sw_dem_particle_fields_free(&fields);
    sw_dem_packing_free(&packing);
    return status;
}

static sw_status write_packing(const sw_dem_job *job, sw_dem *dem, int64_t r, const char *suffix,
                               sw_status (*write)(sw_dem *dem, int64_t r, const char *path))
{
    char *name = sw_dem_packing_name(job, r, suffix);
    if (name == NULL)
        return SW_ERR_MEMORY;
    const sw_status status = write(dem, r, name);
    free(name);
    return status;
}

static sw_status write_packings_of(const sw_dem_job *job, sw_dem *dem, int64_t r)
{
    sw_status status = SW_OK;
    if (job->write_txt)
        status = write_packing(job, dem, r, "txt", write_positions);
    if (job->write_vtkhdf && status == SW_OK)
        status = write_packing(job, dem, r, "vtkhdf", sw_dem_write_particles);
    return status;
}

sw_status sw_dem_write_packings(const sw_dem_job *job, sw_dem *dem)
{
    for (int64_t r = 0; r < job->n_elements && (job->write_txt || job->write_vtkhdf); r++)
        if (sw_dem_failure(dem, r) == SW_OK)
            SW_TRY(write_packings_of(job, dem, r));
    return SW_OK;
}

/* ---- For people ---- */

void sw_dem_describe_results(const sw_dem_job *job, sw_dem *dem, char *text, size_t size)
{
    double pressure = 0, deviator = 0, void_ratio = 0, coordination = 0, particles = 0;
    int64_t done = 0;
    for (int64_t r = 0; r < job->n_elements; r++) {
        int64_t n;
        const sw_dem_row *row = sw_dem_rows(dem, r, &n);
        particles += (double)sw_dem_get(dem, r)->n_particles;
        if (n == 0 || sw_dem_failure(dem, r) != SW_OK)
            continue;
        done++;
        pressure += row[n - 1].pressure;
        deviator += row[n - 1].deviator;
        void_ratio += row[n - 1].void_ratio;
        coordination += row[n - 1].coordination;
    }
    const double mean = done > 0 ? 1 / (double)done : 0;
    const int mega = mean * pressure >= 1e7; /* powders */
    const double unit = mega ? 1e-6 : 1e-3;
    const char *name = mega ? "MPa" : "kPa";
    snprintf(text, size,
             "%lld element%s, %.0f particles; at the end p = %.4g %s, q = %.4g %s, void ratio %.4f, "
             "coordination %.3f%s",
             (long long)job->n_elements, job->n_elements > 1 ? "s" : "", particles, unit * mean * pressure,
             name, unit * mean * deviator, name, mean * void_ratio, mean * coordination,
             job->n_elements > 1 ? " (means)" : "");
}
