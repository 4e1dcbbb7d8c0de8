#include "checkpoint.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/job/partial.h"
#include "common/system/gather.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "inputs.h"
#include "online/polycrystal/identity.h"
#include "results.h"

static const char format[] = "slipwave-taylor-state";
enum { VERSION = 5, CHUNK = 1 << 16 /* crystals whose histories travel at a time */ };

static int is_root(void) { return sw_parallel_rank() == 0; }

/* ---- Whether there is one ---- */

sw_status sw_taylor_checkpoint_find(const sw_taylor_job *job, sw_taylor_checkpoint *c)
{
    unsigned char is_there = 0;
    *c = (sw_taylor_checkpoint){.path = sw_file_name("%s.partial", job->output.file)};
    SW_TRY(sw_parallel_agree(c->path != NULL ? SW_OK : SW_ERR_MEMORY));
    if (is_root())
        is_there = (unsigned char)sw_file_is_there(c->path);
    sw_parallel_share_flags(&is_there, 1);
    c->is_there = is_there;
    return sw_partial_meet(c->path, is_there, job->run.resume);
}

void sw_taylor_checkpoint_close(sw_taylor_checkpoint *c) { free(c->path); }

/* ---- Whose it is ---- */

/* All that a run's numbers depend on, in /run. */
typedef struct {
    sw_partial_text text[4];
    char solver[128];
    sw_identity crystals;
} identity;

static void identify(const sw_taylor *r, identity *own)
{
    const sw_response_options *o = &r->choice.options;
    char settings[96];
    /* in pairs: what programs that counted so have left is theirs still */
    sw_solver_describe(o->solver, sw_pairs_of_terms(o->terms), o->refinement, o->nearest, settings,
                       sizeof settings);
    *own = (identity){.text = {{"job", sw_job_text(r->job->source), "another job file"},
                               {"program", "slipwave " SW_VERSION, "another version"},
                               {"solver", own->solver, "another solver, setting or device"}}};
    snprintf(own->solver, sizeof own->solver, "%s on a %s%s", settings, o->device == SW_CUDA ? "GPU" : "CPU",
             r->job->packed ? ", crystals of 8 bytes" : "");
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        const sw_taylor *part = sw_taylor_part(r, k);
        sw_identity_add(&own->crystals, &part->choice.options, part->population.hash);
    }
}

static sw_status check_identity(const sw_taylor_checkpoint *c, const sw_taylor *r, hid_t file)
{
    identity own;
    double version = 0;
    if (!sw_h5_has_text(file, "format", format) || !sw_h5_exists(file, "run") || !sw_h5_exists(file, "state"))
        return sw_error(SW_ERR_FORMAT, "%s: is no state of an interrupted run of `slipwave taylor`", c->path);
    SW_TRY(sw_h5_read_numbers(file, "version", 1, &version));
    if (version != VERSION)
        return sw_error(SW_ERR_FORMAT, "%s: version %g: this program reads version %d", c->path, version,
                        VERSION);
    identify(r, &own);
    hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    sw_status status = sw_partial_check_texts(group, c->path, own.text);
    if (status == SW_OK)
        status = sw_identity_check(group, c->path, &own.crystals);
    H5Gclose(group);
    return status;
}

static sw_status write_identity(const sw_taylor *r, hid_t file)
{
    identity own;
    const double version = VERSION;
    hid_t group;
    SW_TRY(sw_h5_write_text(file, "format", format));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_group(file, "run", &group));
    identify(r, &own);
    sw_status status = sw_partial_write_texts(group, own.text);
    if (status == SW_OK)
        status = sw_identity_write(group, &own.crystals);
    H5Gclose(group);
    return status;
}

/* ---- How far it is, in /state ---- */

/* Where a part's things are in /state. */
static const char *place_of(const sw_taylor *part, const char *what, char name[64])
{
    snprintf(name, 64, "state/%s%s%s", what, part->name != NULL ? "-" : "",
             part->name != NULL ? part->name : "");
    return name;
}

/* The name of an attribute there: what a part's families have slipped as the step began that is not done. */
static const char *slips_of(const sw_taylor *part, char name[64])
{
    return place_of(part, "slip_begun", name) + sizeof "state/" - 1;
}

enum { NUMBERS = 6 };
static const char *const number_names[NUMBERS] = {"step",       "part",      "written",
                                                  "setup_time", "wall_time", "output_time"};

/* Plain numbers of a run. */
static const struct {
    const char *name;
    size_t at;
    int count;
} state[] = {{"mixed", offsetof(sw_taylor, conditions.mixed), SW_MIXED_NUMBERS},
             {"loading", offsetof(sw_taylor, walk.place), SW_LOADING_NUMBERS},
             {"goal", offsetof(sw_taylor, conditions.goal), SW_GOAL_NUMBERS}};
enum { STATES = sizeof state / sizeof *state };

static sw_status write_place(const sw_taylor *r, hid_t file)
{
    const double number[NUMBERS] = {(double)r->place.step, (double)r->place.part, r->place.written,
                                    r->seconds.setup,      r->seconds.steps,      r->seconds.output};
    hid_t group;
    SW_TRY(sw_h5_group(file, "state", &group));
    sw_status status = SW_OK;
    for (int i = 0; i < NUMBERS && status == SW_OK; i++)
        status = sw_h5_write_numbers(group, number_names[i], 1, &number[i]);
    for (int i = 0; i < STATES && status == SW_OK; i++) {
        const void *at = (const char *)r + state[i].at;
        status = sw_h5_write_numbers(group, state[i].name, state[i].count, at);
    }
    for (int k = 0; k < sw_taylor_parts(r) && status == SW_OK; k++) {
        const sw_taylor *part = sw_taylor_part(r, k);
        char name[64];
        status = sw_h5_write_numbers(group, slips_of(part, name), SW_FAMILIES_MAX, part->slip_begun);
    }
    H5Gclose(group);
    return status;
}

static sw_status read_finite(const sw_taylor_checkpoint *c, hid_t group, const char *name, int count,
                             double *number)
{
    SW_TRY(sw_h5_read_numbers(group, name, count, number));
    for (int k = 0; k < count; k++)
        if (!isfinite(number[k]))
            return sw_error(SW_ERR_FORMAT, "%s: /state/%s: a number is not finite", c->path, name);
    return SW_OK;
}

/* What the next step goes on from. */
static sw_status read_states(const sw_taylor_checkpoint *c, sw_taylor *r, hid_t group)
{
    for (int i = 0; i < STATES; i++) {
        void *at = (char *)r + state[i].at;
        SW_TRY(read_finite(c, group, state[i].name, state[i].count, at));
    }
    for (int k = 0; k < sw_taylor_parts(r); k++) {
        sw_taylor *part = sw_taylor_part(r, k);
        char name[64];
        SW_TRY(read_finite(c, group, slips_of(part, name), SW_FAMILIES_MAX, part->slip_begun));
    }
    return sw_loading_has_place(&r->walk, &r->walk.place)
               ? SW_OK
               : sw_error(SW_ERR_FORMAT, "%s: /state/loading: entry %g, step %g: the job has no such",
                          c->path, r->walk.place.entry, r->walk.place.step);
}

static sw_status read_place(const sw_taylor_checkpoint *c, sw_taylor *r, hid_t file)
{
    double number[NUMBERS];
    hid_t group = H5Gopen2(file, "state", H5P_DEFAULT);
    sw_status status = SW_OK;
    for (int i = 0; i < NUMBERS && status == SW_OK; i++) {
        status = sw_h5_read_numbers(group, number_names[i], 1, &number[i]);
        if (status == SW_OK && !(number[i] >= 0 && number[i] <= 1e15))
            status = sw_error(SW_ERR_FORMAT, "%s: /state: %s = %g: need a number from 0 on", c->path,
                              number_names[i], number[i]);
    }
    if (status == SW_OK)
        status = read_states(c, r, group);
    H5Gclose(group);
    SW_TRY(status);
    r->place = (sw_taylor_place){(int64_t)number[0], (int64_t)number[1], number[2] != 0};
    r->seconds.setup += number[3];
    r->seconds.steps += number[4];
    r->seconds.output += number[5];
    return r->place.step <= r->job->total_steps
               ? SW_OK
               : sw_error(SW_ERR_FORMAT, "%s: has %lld steps: the job has %lld", c->path,
                          (long long)r->place.step, (long long)r->job->total_steps);
}

/* ---- What a solver keeps of its crystals, in /state/history ---- */

typedef struct {
    const sw_crystals *crystals;
    hid_t set; /* rank 0's */
} history_transfer;

static sw_status fill_histories(void *context, int64_t first, int64_t n, void *row)
{
    const sw_crystals part = sw_crystals_part(((const history_transfer *)context)->crystals, first, n);
    return sw_crystals_save(&part, row);
}

static sw_status write_histories_rows(void *context, int64_t first, int64_t n, const void *row)
{
    return sw_h5_write_rows(((const history_transfer *)context)->set, H5T_NATIVE_DOUBLE, first, n, row);
}

static sw_status write_histories(const sw_taylor *r, hid_t file)
{
    char name[64];
    const int64_t shape[2] = {r->population.total, sw_state_values(r->crystals.layout)};
    history_transfer t = {&r->crystals, H5I_INVALID_HID};
    const sw_gathering all = {
        shape[0],       r->population.together, CHUNK, (size_t)shape[1] * sizeof(double), &t,
        fill_histories, write_histories_rows};
    if (shape[1] == 0)
        return SW_OK;
    sw_status status = sw_parallel_agree(
        is_root() ? sw_h5_create_set(file, place_of(r, "history", name), H5T_NATIVE_DOUBLE, 2, shape, &t.set)
                  : SW_OK);
    if (status == SW_OK)
        status = sw_gather(&all);
    const sw_status closed = sw_h5_close_set(t.set);
    return sw_parallel_agree(status ? status : closed);
}

/* This rank's. */
static sw_status read_histories_rows(const sw_taylor *r, hid_t set, double *row)
{
    const sw_population *p = &r->population;
    for (int64_t done = 0; done < p->count; done += CHUNK) {
        const int64_t n = p->count - done < CHUNK ? p->count - done : CHUNK;
        SW_TRY(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, p->first + done, n, row));
        sw_crystals part = sw_crystals_part(&r->crystals, done, n);
        SW_TRY(sw_crystals_restore(&part, row));
    }
    return SW_OK;
}

static sw_status read_histories(const sw_taylor_checkpoint *c, const sw_taylor *r, hid_t file)
{
    const int64_t numbers = sw_state_values(r->crystals.layout);
    char name[64];
    int64_t shape[2];
    double *row;
    hid_t set;
    if (numbers == 0)
        return SW_OK;
    place_of(r, "history", name);
    SW_TRY(sw_h5_shape(file, name, 2, shape));
    if (shape[0] != r->population.total || shape[1] != numbers)
        return sw_error(SW_ERR_FORMAT, "%s: %s has another shape", c->path, name);
    SW_TRY(sw_h5_open_set(file, name, &set));
    sw_status status = SW_ALLOCATE(row, CHUNK * numbers, "histories of crystals");
    if (status == SW_OK)
        status = read_histories_rows(r, set, row);
    free(row);
    H5Dclose(set);
    return status;
}

/* ---- All of it ---- */

/* Orientations and textures: what results have so far. */
static const char *const outputs[] = {"orientations", "texture", "phases"};
enum { OF_A_STEP = 2 };

static sw_status copy_outputs(hid_t from, hid_t to)
{
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        SW_TRY(sw_h5_copy(from, outputs[i], to));
    return SW_OK;
}

/* Rows of a phase's history: where they are kept. */
static sw_status open_rows(hid_t file, const sw_taylor *part, hid_t *group)
{
    char name[64];
    return sw_taylor_group(file, place_of(part, "rows", name), group);
}

static sw_status restore_part(const sw_taylor_checkpoint *c, sw_taylor *part, int64_t step, hid_t file)
{
    char name[64];
    hid_t group;
    if (part->name != NULL) {
        SW_TRY(open_rows(file, part, &group));
        const sw_status status = sw_history_read(group, step + 1, &part->history);
        H5Gclose(group);
        SW_TRY(status);
    }
    SW_TRY(sw_population_read_crystals(&part->population, file, place_of(part, "crystals", name)));
    SW_TRY(read_histories(c, part, file));
    return sw_taylor_weigh(part);
}

static sw_status restore(const sw_taylor_checkpoint *c, sw_taylor *r, hid_t file)
{
    SW_TRY(check_identity(c, r, file));
    SW_TRY(read_place(c, r, file));
    SW_TRY(sw_history_read(file, r->place.step + 1, &r->history));
    for (int k = 0; k < sw_taylor_parts(r); k++)
        SW_TRY(restore_part(c, sw_taylor_part(r, k), r->place.step, file));
    return is_root() ? copy_outputs(file, r->output.file) : SW_OK;
}

sw_status sw_taylor_checkpoint_read(sw_taylor_checkpoint *c, sw_taylor *r)
{
    hid_t file;
    sw_status status = sw_h5_open(c->path, 0, &file);
    if (status == SW_OK) {
        status = restore(c, r, file);
        H5Fclose(file);
    }
    c->place = r->place;
    return sw_parallel_agree(status);
}

/* What an interruption left unfinished of the present step's. */
static void drop_unfinished(const sw_taylor *r)
{
    for (int k = 0; k < sw_taylor_parts(r); k++)
        for (int i = 0; i < OF_A_STEP && !r->place.written; i++) {
            const char *phase = sw_taylor_part(r, k)->name;
            char name[128];
            snprintf(name, sizeof name, "%s%s%s%s/%lld", phase != NULL ? "phases/" : "",
                     phase != NULL ? phase : "", phase != NULL ? "/" : "", outputs[i],
                     (long long)r->place.step);
            if (sw_h5_exists(r->output.file, name))
                H5Ldelete(r->output.file, name, H5P_DEFAULT);
        }
}

static sw_status begin_file(const sw_taylor_checkpoint *c, const sw_taylor *r, sw_h5_output *file)
{
    SW_TRY(sw_h5_begin(c->path, file));
    SW_TRY(write_identity(r, file->file));
    SW_TRY(write_place(r, file->file));
    SW_TRY(sw_history_write(file->file, &r->history));
    for (int k = 0; k < r->phases; k++) {
        hid_t group;
        SW_TRY(open_rows(file->file, r->phase[k], &group));
        const sw_status status = sw_history_write(group, &r->phase[k]->history);
        H5Gclose(group);
        SW_TRY(status);
    }
    drop_unfinished(r);
    return copy_outputs(r->output.file, file->file);
}

sw_status sw_taylor_checkpoint_write(sw_taylor_checkpoint *c, sw_taylor *r)
{
    const double begun = sw_seconds();
    sw_h5_output file = {.file = H5I_INVALID_HID};
    sw_status status = sw_parallel_agree(is_root() ? begin_file(c, r, &file) : SW_OK);
    for (int k = 0; k < sw_taylor_parts(r) && status == SW_OK; k++) {
        const sw_taylor *part = sw_taylor_part(r, k);
        char name[64];
        status = sw_population_write_crystals(&part->population, file.file, place_of(part, "crystals", name));
        if (status == SW_OK)
            status = write_histories(part, file.file);
    }
    if (status == SW_OK)
        status = sw_parallel_agree(is_root() ? sw_h5_commit(&file) : SW_OK);
    sw_h5_abandon(&file);
    c->kept = sw_seconds();
    c->took = c->kept - begun;
    r->seconds.output += c->took;
    if (status == SW_OK) {
        c->is_there = 1;
        c->place = r->place;
    }
    return status;
}

int sw_taylor_checkpoint_is_due(const sw_taylor_checkpoint *c, const sw_taylor_job *job)
{
    unsigned char due =
        sw_partial_is_kept() && sw_seconds() - c->kept >= fmax(job->output.checkpoint, 20 * c->took);
    sw_parallel_share_flags(&due, 1);
    return due;
}

void sw_taylor_checkpoint_remove(sw_taylor_checkpoint *c)
{
    if (is_root() && c->is_there)
        sw_file_remove(c->path);
    c->is_there = 0;
}
