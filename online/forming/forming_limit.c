#include "tasks.h"

#include <stdlib.h>

#include "common/math/rotation.h"
#include "forming.h"
#include "limit/limits.h"

static sw_status check(const sw_forming_job *job)
{
    return sw_limit_settings_check(job->source, "forming_limit.", &job->forming_limit);
}

/* ---- Results ---- */

/* A column of all paths, of so many numbers each. */
typedef struct {
    const char *name, *unit;
    size_t at; /* in sw_limit_path */
    int64_t numbers;
} column;

static const column columns[] = {{"ratio", "1", offsetof(sw_limit_path, ratio), 1},
                                 {"strain", "1", offsetof(sw_limit_path, strain), 2},
                                 {"stress", "Pa", offsetof(sw_limit_path, stress), 6},
                                 {"angle", "rad", offsetof(sw_limit_path, angle), 1},
                                 {"final_angle", "rad", offsetof(sw_limit_path, final_angle), 1}};

static sw_status write_column(hid_t group, const column *c, const sw_limit_diagram *d)
{
    const int64_t shape[2] = {d->paths, c->numbers};
    double *value;
    SW_TRY(SW_ALLOCATE(value, d->paths * c->numbers, "limit strains"));
    for (int p = 0; p < d->paths; p++)
        memcpy(value + p * c->numbers, (const char *)&d->path[p] + c->at, (size_t)c->numbers * sizeof *value);
    const sw_status status =
        sw_h5_write(group, c->name, H5T_NATIVE_DOUBLE, c->numbers > 1 ? 2 : 1, shape, value);
    free(value);
    SW_TRY(status);
    return sw_h5_describe(group, c->name, "unit", c->unit);
}

static sw_status write_ends(hid_t group, const sw_limit_diagram *d)
{
    const int64_t n = d->paths;
    int32_t *end;
    SW_TRY(SW_ALLOCATE(end, n, "limit strains"));
    for (int p = 0; p < d->paths; p++)
        end[p] = (int32_t)d->path[p].end;
    const sw_status status = sw_h5_write(group, "end", H5T_NATIVE_INT32, 1, &n, end);
    free(end);
    SW_TRY(status);
    return sw_h5_describe(group, "end", "values", SW_LIMIT_END_TEXT);
}

static sw_status write_settings(hid_t group, const sw_limit_settings *s)
{
    const double axis = s->major_axis * SW_PI / 180;
    SW_TRY(sw_h5_write_numbers(group, "imperfection", 1, &s->imperfection));
    SW_TRY(sw_h5_write_numbers(group, "necking", 1, &s->necking));
    SW_TRY(sw_h5_write_numbers(group, "major_axis", 1, &axis));
    SW_TRY(sw_h5_write_numbers(group, "strain_limit", 1, &s->strain_limit));
    SW_TRY(sw_h5_write_numbers(group, "strain_increment", 1, &s->strain_increment));
    return sw_h5_write_text(group, "band", sw_band_names[s->band]);
}

static sw_status write_all(hid_t group, const sw_limit_settings *settings, const sw_limit_diagram *d)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        SW_TRY(write_column(group, &columns[i], d));
    SW_TRY(write_ends(group, d));
    return write_settings(group, settings);
}

/* ---- The task ---- */

static sw_status begin(void *context, int64_t runs, sw_runs **made)
{
    return sw_forming_begin(context, runs, made);
}

static void show(void *context, int64_t evaluations)
{
    sw_forming *f = context;
    f->evaluations = evaluations;
    sw_progress_show(&f->progress, evaluations);
}

static sw_status run(sw_forming *f, hid_t group)
{
    sw_limit_settings settings = f->job->forming_limit;
    const sw_limit_crystals crystals = {f, begin, show};
    settings.strain_rate = f->job->strain_rate;
    SW_TRY(sw_limit_diagram_find(&settings, &crystals, &f->limits));
    return write_all(group, &settings, &f->limits);
}

static sw_status read_column(hid_t group, const column *c, sw_limit_diagram *d)
{
    const int64_t shape[2] = {d->paths, c->numbers};
    double *value;
    SW_TRY(SW_ALLOCATE(value, d->paths * c->numbers, "limit strains"));
    const sw_status status =
        sw_h5_read(group, c->name, H5T_NATIVE_DOUBLE, c->numbers > 1 ? 2 : 1, shape, value);
    for (int p = 0; p < d->paths && status == SW_OK; p++)
        memcpy((char *)&d->path[p] + c->at, value + p * c->numbers, (size_t)c->numbers * sizeof *value);
    free(value);
    return status;
}

static sw_status read_ends(hid_t group, sw_limit_diagram *d)
{
    const int64_t n = d->paths;
    int32_t *end;
    SW_TRY(SW_ALLOCATE(end, n, "limit strains"));
    const sw_status status = sw_h5_read(group, "end", H5T_NATIVE_INT32, 1, &n, end);
    for (int p = 0; p < n && status == SW_OK; p++)
        d->path[p].end = end[p] >= 0 && end[p] < SW_LIMIT_ENDS ? (sw_limit_end)end[p] : SW_LIMIT_NONE;
    free(end);
    return status;
}

static sw_status restore(sw_forming *f, hid_t group)
{
    sw_limit_diagram *d = &f->limits;
    int64_t shape[1];
    SW_TRY(sw_h5_shape(group, "ratio", 1, shape));
    SW_TRY(SW_ALLOCATE(d->path, shape[0], "limit strains"));
    d->paths = (int)shape[0];
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        SW_TRY(read_column(group, &columns[i], d));
    return read_ends(group, d);
}

static void print(const sw_forming *f, FILE *out)
{
    fprintf(out, "  D22/D11  limit strains     band at, then   ended by\n");
    for (int p = 0; p < f->limits.paths; p++) {
        const sw_limit_path *path = &f->limits.path[p];
        fprintf(out, "  %7.3f  %6.4f %7.4f", path->ratio, path->strain[0], path->strain[1]);
        if (path->end == SW_LIMIT_NONE)
            fprintf(out, "      -      -    ");
        else
            fprintf(out, "  %5.1f  %5.1f deg", path->angle * 180 / SW_PI, path->final_angle * 180 / SW_PI);
        fprintf(out, "  %s\n", sw_limit_end_names[path->end]);
    }
}

static void release(sw_forming *f) { sw_limit_diagram_free(&f->limits); }

const sw_forming_task sw_forming_limit_task = {.name = "forming_limit",
                                               .check = check,
                                               .run = run,
                                               .restore = restore,
                                               .print = print,
                                               .release = release};
