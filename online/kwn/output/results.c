#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/job/partial.h"
#include "common/files/hash.h"
#include "common/files/seal.h"
#include "resolution.h"

/* ---- What is in the file ---- */

/* What is kept of each block in /run/blocks. */
enum { DONE, STEPS, ITERATIONS, SECONDS, LOOKED_AT, NUMBER, RADIUS, FRACTION, WORST, BLOCK_COLUMNS };

static const struct {
    const char *name, *unit;
} class_sets[] = {{"radius", "m"}, {"number", "1/m^3"}, {"width", "m"}};
enum { CLASS_SETS = 3 };

static void class_set_name(const sw_kwn_job *job, int64_t time, int phase, int k, char *name, size_t size)
{
    snprintf(name, size, "distribution/%lld/%s/%s", (long long)time, job->setup.model.phase[phase].name,
             class_sets[k].name);
}

static sw_status create_class_set(hid_t file, const sw_kwn_job *job, int64_t time, int phase, int k)
{
    const int64_t shape[2] = {job->setup.points, job->setup.options.axis.classes};
    char name[128];
    hid_t set;
    class_set_name(job, time, phase, k, name, sizeof name);
    SW_TRY(sw_h5_create_set(file, name, H5T_NATIVE_DOUBLE, 2, shape, &set));
    const sw_status status = sw_h5_write_text(set, "unit", class_sets[k].unit);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

static sw_status create_class_sets(hid_t file, const sw_kwn_job *job)
{
    for (int64_t t = 0; t < job->n_times; t++)
        for (int p = 0; p < job->setup.model.n_phases && job->with_distribution[t]; p++)
            for (int k = 0; k < CLASS_SETS; k++)
                SW_TRY(create_class_set(file, job, t, p, k));
    return SW_OK;
}

/* The file of histories as it is now; "" without one. */
static void describe_history(const sw_kwn_job *job, char *text, size_t size)
{
    struct stat about = {0};
    text[0] = '\0';
    if (job->history.path != NULL && stat(job->history.path, &about) == 0)
        snprintf(text, size, "%s, %lld bytes, changed at %lld.%09ld s", job->history.path,
                 (long long)about.st_size, (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

/* What files of initial distributions said: what is made of them, by number. */
static void describe_initial(const sw_kwn_setup *setup, char text[SW_HASH_TEXT])
{
    uint64_t h = SW_HASH_START;
    for (unsigned i = 0; i < setup->initial_distribution_count; i++) {
        const sw_kwn_bins *bins = &setup->initial_distribution[i].bins;
        if (bins->bins == 0)
            continue;
        h = sw_hash(h, bins->edge, (size_t)(bins->bins + 1) * sizeof *bins->edge);
        h = sw_hash(h, bins->number, (size_t)bins->bins * sizeof *bins->number);
        h = sw_hash(h, &bins->incubation, sizeof bins->incubation);
        h = sw_hash(h, &bins->end.vacancies, sizeof bins->end.vacancies);
    }
    sw_hash_text(h, text);
}

static sw_status write_history(hid_t file, const sw_kwn_job *job)
{
    char text[4096], initial[SW_HASH_TEXT];
    hid_t group;
    describe_history(job, text, sizeof text);
    describe_initial(&job->setup, initial);
    SW_TRY(sw_h5_group(file, "history", &group));
    sw_status status = sw_h5_write_text(group, "temperature_file", text);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "initial_distribution", initial);
    if (status == SW_OK)
        status = sw_h5_write(group, "time", H5T_NATIVE_DOUBLE, 1, &job->n_times, job->time);
    H5Gclose(group);
    return status;
}

static sw_status write_head(sw_kwn_results *r)
{
    const sw_kwn_job *job = r->job;
    const double version = 1;
    const int64_t shape[2] = {r->n_blocks, BLOCK_COLUMNS};
    hid_t file = r->file, set;
    SW_TRY(sw_h5_write_text(file, "format", "slipwave-kwn"));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_kwn_write_alloy(file, &job->setup));
    SW_TRY(sw_kwn_write_setup(file, &job->setup));
    SW_TRY(write_history(file, job));
    SW_TRY(create_class_sets(file, job));
    SW_TRY(sw_h5_create_set(file, "run/blocks", H5T_NATIVE_DOUBLE, 2, shape, &set));
    SW_TRY(sw_h5_close_set(set));
    SW_TRY(sw_h5_create_set(file, "run/digests", H5T_NATIVE_UINT64, 1, shape, &set));
    SW_TRY(sw_h5_close_set(set));
    return sw_kwn_tables_create(file, "points", &job->setup.model, job->setup.points, job->n_times,
                                &r->tables);
}

/* ---- A partial file ---- */

/* So that every dataset has its place: what a killed run then leaves unfinished is numbers alone. */
static sw_status make_places(const sw_kwn_results *r)
{
    const sw_kwn_job *job = r->job;
    const int64_t per_point = job->n_times * sw_kwn_record_size(&job->setup.model);
    double *nothing;
    SW_TRY(SW_ALLOCATE(nothing, per_point, "results"));
    const sw_status status = sw_kwn_tables_write(&r->tables, &job->setup.model, 0, 1, nothing);
    free(nothing);
    return status;
}

static sw_status complete_partial(sw_kwn_results *r)
{
    SW_TRY(sw_kwn_tables_close(&r->tables));
    r->file = H5I_INVALID_HID;
    return sw_h5_commit_unsealed(&r->output);
}

/* Whether what a partial file says of its job is what ours says. */
static int same_text(hid_t file, const char *group, const char *name, const char *ours)
{
    hid_t where = H5Gopen2(file, group, H5P_DEFAULT);
    const int same = where >= 0 && sw_h5_has_text(where, name, ours);
    if (where >= 0)
        H5Gclose(where);
    return same;
}

static sw_status check_partial(const sw_kwn_results *r, hid_t file)
{
    const sw_kwn_setup *setup = &r->job->setup;
    char settings[256], history[4096], initial[SW_HASH_TEXT];
    sw_kwn_describe_settings(setup, settings, sizeof settings);
    describe_history(r->job, history, sizeof history);
    describe_initial(setup, initial);
    const struct {
        const char *group, *name, *ours, *what;
    } texts[] = {
        {"run", "job", sw_job_text(setup->source), "job file"},
        {"alloy", "file", setup->alloy_text, "alloy file"},
        {"history", "temperature_file", history, "file of thermal histories"},
        {"run", "settings", settings, "option or version"},
        {"history", "initial_distribution", initial, "file of an initial distribution"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!same_text(file, texts[i].group, texts[i].name, texts[i].ours))
            return sw_error(SW_ERR_FORMAT, "%s: belongs to a run with another %s", r->partial, texts[i].what);
    return SW_OK;
}

/* The partial file into r->file, to be read or written. That of another job is not touched. */
static sw_status open_partial(sw_kwn_results *r, int writable)
{
    hid_t file;
    SW_TRY(sw_h5_open(r->partial, 0, &file));
    const sw_status status = check_partial(r, file);
    H5Fclose(file);
    SW_TRY(status);
    SW_TRY(sw_h5_open(r->partial, writable, &r->file));
    return sw_kwn_tables_open(r->file, "points", r->job->n_times, &r->tables);
}

/* Lines of all blocks: *line [n_blocks][BLOCK_COLUMNS], released with free(). */
static sw_status read_block_lines(const sw_kwn_results *r, double **line)
{
    SW_TRY(SW_ALLOCATE(*line, r->n_blocks * BLOCK_COLUMNS, "work list"));
    const sw_status status = sw_h5_read(r->file, "run/blocks", H5T_NATIVE_DOUBLE, 2,
                                        (int64_t[]){r->n_blocks, BLOCK_COLUMNS}, *line);
    if (status != SW_OK)
        free(*line);
    return status;
}

static int64_t points_of(const sw_kwn_results *r, int64_t block)
{
    const int64_t left = r->job->setup.points - block * r->block_points;
    return left < r->block_points ? left : r->block_points;
}

/* Of a block's rows in all sets, as they are in the file, and of its line. */
static sw_status digest_block(const sw_kwn_results *r, int64_t block, const double *line, uint64_t *digest)
{
    const sw_kwn_job *job = r->job;
    const int64_t first = block * r->block_points, count = points_of(r, block);
    uint64_t own[2]; /* so far, and what comes to it */
    SW_TRY(sw_kwn_tables_digest(&r->tables, first, count, &own[0]));
    for (int64_t t = 0; t < job->n_times; t++)
        for (int k = 0; job->with_distribution[t] && k < CLASS_SETS * job->setup.model.n_phases; k++) {
            char name[128];
            hid_t set;
            class_set_name(job, t, k / CLASS_SETS, k % CLASS_SETS, name, sizeof name);
            SW_TRY(sw_h5_open_set(r->file, name, &set));
            const sw_status status = sw_h5_digest_rows(set, H5T_NATIVE_DOUBLE, first, count, &own[1]);
            H5Dclose(set);
            SW_TRY(status);
            own[0] = sw_digest(own, sizeof own);
        }
    own[1] = sw_digest(line, BLOCK_COLUMNS * sizeof *line);
    *digest = sw_digest(own, sizeof own);
    return SW_OK;
}

/* A block that is not what was written is one to do. */
static sw_status check_blocks(sw_kwn_results *r, const double *line, const uint64_t *stored,
                              unsigned char *done)
{
    for (int64_t b = 0; b < r->n_blocks; b++) {
        uint64_t now;
        done[b] = line[b * BLOCK_COLUMNS + DONE] == 1;
        if (!done[b])
            continue;
        SW_TRY(digest_block(r, b, line + b * BLOCK_COLUMNS, &now));
        done[b] = now == stored[b];
        if (!done[b])
            sw_warn("%s: block %lld is not what was written: computed again", r->partial, (long long)b);
        r->n_done += done[b];
    }
    return SW_OK;
}

static sw_status read_done(sw_kwn_results *r, unsigned char *done)
{
    double *line;
    uint64_t *stored = NULL;
    SW_TRY(read_block_lines(r, &line));
    sw_status status = SW_ALLOCATE(stored, r->n_blocks, "work list");
    if (status == SW_OK)
        status = sw_h5_read(r->file, "run/digests", H5T_NATIVE_UINT64, 1, &r->n_blocks, stored);
    if (status == SW_OK)
        status = check_blocks(r, line, stored, done);
    free(stored);
    free(line);
    return status;
}

/* ---- An older partial file ---- */

static sw_status copy_set(const sw_kwn_results *from, const sw_kwn_results *to, const char *name, hid_t type,
                          int64_t first, int64_t count)
{
    hid_t a, b = H5I_INVALID_HID;
    SW_TRY(sw_h5_open_set(from->file, name, &a));
    sw_status status = sw_h5_open_set(to->file, name, &b);
    if (status == SW_OK)
        status = sw_h5_copy_rows(a, b, type, first, count);
    const sw_status closed = sw_h5_close_set(b);
    H5Dclose(a);
    return status != SW_OK ? status : closed;
}

static sw_status copy_block(const sw_kwn_results *from, const sw_kwn_results *to, int64_t block)
{
    const sw_kwn_job *job = to->job;
    const int64_t first = block * to->block_points, count = points_of(to, block);
    SW_TRY(sw_kwn_tables_copy(&from->tables, &to->tables, first, count));
    for (int64_t t = 0; t < job->n_times; t++)
        for (int k = 0; job->with_distribution[t] && k < CLASS_SETS * job->setup.model.n_phases; k++) {
            char name[128];
            class_set_name(job, t, k / CLASS_SETS, k % CLASS_SETS, name, sizeof name);
            SW_TRY(copy_set(from, to, name, H5T_NATIVE_DOUBLE, first, count));
        }
    SW_TRY(copy_set(from, to, "run/blocks", H5T_NATIVE_DOUBLE, block, 1));
    return copy_set(from, to, "run/digests", H5T_NATIVE_UINT64, block, 1);
}

static sw_status copy_blocks(const sw_kwn_results *from, const sw_kwn_results *to)
{
    double *line;
    SW_TRY(read_block_lines(from, &line));
    sw_status status = SW_OK;
    for (int64_t b = 0; b < from->n_blocks && status == SW_OK; b++)
        if (line[b * BLOCK_COLUMNS + DONE] == 1)
            status = copy_block(from, to, b);
    free(line);
    return status;
}

/* The blocks of an older file that are as they were written, and nothing else of it: a killed run's file has no seal, and
 * what is not numbers of blocks no digest. It is the copies that are compared with their digests: a description that is
 * damaged can make HDF5 read the same rows in two ways. */
static sw_status take_blocks(sw_kwn_results *r, unsigned char *done)
{
    sw_kwn_results old = {.job = r->job,
                          .n_blocks = r->n_blocks,
                          .block_points = r->block_points,
                          .partial = r->partial,
                          .file = H5I_INVALID_HID,
                          .tables = sw_kwn_no_tables()};
    sw_status status = open_partial(&old, 0);
    if (status == SW_OK)
        status = copy_blocks(&old, r);
    (void)sw_kwn_tables_close(&old.tables); /* it was only read */
    if (old.file >= 0)
        H5Fclose(old.file);
    return status == SW_OK ? read_done(r, done) : status;
}

/* ---- Beginning ---- */

static sw_status begin_file(sw_kwn_results *r, const char *path)
{
    SW_TRY(sw_h5_begin(path, &r->output));
    r->file = r->output.file;
    return SW_OK;
}

static sw_status begin_partial(sw_kwn_results *r, unsigned char *done)
{
    r->partial = sw_file_name("%s.partial", r->job->setup.output_file);
    if (r->partial == NULL)
        return SW_ERR_MEMORY;
    const int exists = sw_file_is_there(r->partial);
    SW_TRY(sw_partial_meet(r->partial, exists, r->job->setup.run.resume));
    SW_TRY(begin_file(r, r->partial));
    SW_TRY(write_head(r));
    SW_TRY(make_places(r));
    if (exists)
        SW_TRY(take_blocks(r, done));
    SW_TRY(complete_partial(r));
    return open_partial(r, 1);
}

/* ---- Begin, write, end ---- */

sw_status sw_kwn_results_begin(const sw_kwn_job *job, int64_t block_points, unsigned char *done,
                               sw_kwn_results *r)
{
    *r = (sw_kwn_results){.job = job, .file = H5I_INVALID_HID};
    r->n_blocks = (job->setup.points + block_points - 1) / block_points;
    r->block_points = block_points;
    r->tables = sw_kwn_no_tables();
    SW_TRY(begin_file(r, job->setup.output_file)); /* also when it will be the partial file: can it be? */
    if (r->n_blocks == 1 || !sw_partial_is_kept()) {
        SW_TRY(sw_partial_meet(NULL, 0, job->setup.run.resume));
        return write_head(r);
    }
    sw_h5_abandon(&r->output);
    r->file = H5I_INVALID_HID;
    return begin_partial(r, done);
}

/* class data [count][1 + B] of a phase at a time -> rows of its three sets */
static sw_status write_classes(const sw_kwn_results *r, int64_t time, int phase, int64_t first, int64_t count,
                               const sw_kwn_axis *axis, const double *data)
{
    double *row;
    SW_TRY(SW_ALLOCATE(row, count * axis->n, "size distributions"));
    sw_status status = SW_OK;
    for (int k = 0; k < CLASS_SETS && status == SW_OK; k++) {
        char name[128];
        for (int64_t n = 0; n < count; n++)
            for (int32_t i = 0; i < axis->n; i++) {
                const double *from = data + n * (1 + axis->n);
                row[n * axis->n + i] = k == 1   ? from[1 + i]
                                       : k == 0 ? from[0] * sw_kwn_pivot(axis, i)
                                                : from[0] * (sw_kwn_face(axis, i + 1) - sw_kwn_face(axis, i));
            }
        class_set_name(r->job, time, phase, k, name, sizeof name);
        hid_t set;
        status = sw_h5_open_set(r->file, name, &set);
        if (status == SW_OK)
            status = sw_h5_write_rows(set, H5T_NATIVE_DOUBLE, first, count, row);
        const sw_status closed = sw_h5_close_set(set);
        status = status != SW_OK ? status : closed;
    }
    free(row);
    return status;
}

/* One row of a set of lines or digests. */
static sw_status write_row(const sw_kwn_results *r, const char *name, hid_t type, int64_t row,
                           const void *data)
{
    hid_t set;
    SW_TRY(sw_h5_open_set(r->file, name, &set));
    const sw_status status = sw_h5_write_rows(set, type, row, 1, data);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}

static sw_status write_block_line(const sw_kwn_results *r, int64_t block, const sw_kwn_work *work)
{
    const sw_kwn_resolution *of = &work->resolution;
    const double line[BLOCK_COLUMNS] = {1,          work->steps, work->iterations, work->seconds, of->points,
                                        of->number, of->radius,  of->fraction,     of->worst};
    uint64_t digest;
    SW_TRY(digest_block(r, block, line, &digest));
    SW_TRY(write_row(r, "run/digests", H5T_NATIVE_UINT64, block, &digest));
    return write_row(r, "run/blocks", H5T_NATIVE_DOUBLE, block, line);
}

static sw_status flush(const sw_kwn_results *r)
{
    return r->partial == NULL || H5Fflush(r->file, H5F_SCOPE_GLOBAL) >= 0
               ? SW_OK
               : sw_error(SW_ERR_IO, "%s: cannot be written", r->partial);
}

sw_status sw_kwn_results_write(sw_kwn_results *r, int64_t block, int64_t first, int64_t count,
                               const sw_kwn_axis *axis, const double *data, const sw_kwn_work *work)
{
    const sw_kwn_job *job = r->job;
    const sw_kwn_alloy *alloy = &job->setup.model;
    SW_TRY(sw_kwn_tables_write(&r->tables, alloy, first, count, data));
    data += count * job->n_times * sw_kwn_record_size(alloy);
    for (int64_t t = 0; t < job->n_times; t++)
        for (int p = 0; p < alloy->n_phases && job->with_distribution[t]; p++) {
            SW_TRY(write_classes(r, t, p, first, count, axis, data));
            data += count * (1 + axis->n);
        }
    SW_TRY(flush(r)); /* the block before the word that it is there */
    SW_TRY(write_block_line(r, block, work));
    SW_TRY(flush(r));
    r->n_done++;
    return SW_OK;
}

sw_status sw_kwn_results_work(const sw_kwn_results *r, sw_kwn_work *work)
{
    double *line;
    SW_TRY(read_block_lines(r, &line));
    *work = (sw_kwn_work){0};
    for (int64_t b = 0; b < r->n_blocks; b++) {
        const double *of = line + b * BLOCK_COLUMNS;
        work->steps += of[STEPS];
        work->iterations += of[ITERATIONS];
        work->seconds += of[SECONDS];
        sw_kwn_resolution_merge(
            &(sw_kwn_resolution){of[LOOKED_AT], of[NUMBER], of[RADIUS], of[FRACTION], of[WORST]},
            &work->resolution);
    }
    free(line);
    return SW_OK;
}

static sw_status fill_whole(const sw_kwn_results *r, const sw_kwn_work *work, sw_kwn_results *whole)
{
    SW_TRY(begin_file(whole, r->job->setup.output_file));
    SW_TRY(write_head(whole));
    SW_TRY(make_places(whole));
    for (int64_t b = 0; b < r->n_blocks; b++)
        SW_TRY(copy_block(r, whole, b));
    SW_TRY(sw_kwn_tables_close(&whole->tables));
    SW_TRY(sw_kwn_write_work(whole->file, &r->job->setup, work));
    return sw_h5_commit(&whole->output);
}

/* The blocks of the partial file become the results file; the former stays until the latter is whole: what is written
 * last would change places in it. */
static sw_status commit_partial(sw_kwn_results *r, const sw_kwn_work *work)
{
    sw_kwn_results whole = {.job = r->job,
                            .n_blocks = r->n_blocks,
                            .block_points = r->block_points,
                            .file = H5I_INVALID_HID,
                            .tables = sw_kwn_no_tables()};
    const sw_status status = fill_whole(r, work, &whole);
    if (status != SW_OK) {
        (void)sw_kwn_tables_close(&whole.tables); /* it is the first failure that is told */
        sw_h5_abandon(&whole.output);
        return status;
    }
    SW_TRY(sw_kwn_tables_close(&r->tables));
    H5Fclose(r->file);
    r->file = H5I_INVALID_HID;
    sw_file_remove(r->partial);
    free(r->partial);
    r->partial = NULL;
    return SW_OK;
}

static sw_status commit_file(sw_kwn_results *r, const sw_kwn_work *work)
{
    SW_TRY(sw_kwn_tables_close(&r->tables));
    SW_TRY(sw_kwn_write_work(r->file, &r->job->setup, work));
    return sw_h5_commit(&r->output);
}

sw_status sw_kwn_results_read(const sw_kwn_results *r, int64_t point, double *record)
{
    return sw_kwn_tables_read_point(&r->tables, &r->job->setup.model, point, record);
}

sw_status sw_kwn_results_commit(sw_kwn_results *r)
{
    sw_kwn_work work;
    SW_TRY(sw_kwn_results_work(r, &work));
    return r->partial != NULL ? commit_partial(r, &work) : commit_file(r, &work);
}

sw_status sw_kwn_results_abandon(sw_kwn_results *r, sw_status status)
{
    if (r->job == NULL)
        return status;
    const sw_status closed = sw_kwn_tables_close(&r->tables);
    (void)closed; /* it is the first failure that is told */
    const int open = r->partial != NULL && r->file >= 0 && r->file != r->output.file;
    if (open)
        H5Fclose(r->file);
    if (open && r->n_done == 0)
        sw_file_remove(r->partial);
    if (open && r->n_done > 0 && status != SW_OK && sw_partial_is_kept())
        status = sw_partial_tell(status, r->partial, "%lld of %lld blocks are", (long long)r->n_done,
                                 (long long)r->n_blocks);
    sw_h5_abandon(&r->output);
    free(r->partial);
    *r = (sw_kwn_results){0};
    return status;
}
