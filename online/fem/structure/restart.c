/* What an interrupted run leaves: FILE.h5.partial, written now and then at the end of an increment. It has all that the next
 * increment begins with, so that what comes of a run that goes on has the same bits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"
#include "common/job/partial.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "fields.h"

static const char format[] = "slipwave-deck-state";
enum { VERSION = 7 };
#define FIRST 0.2  /* seconds after which it is written first */
#define PAUSE 0.25 /* and the least between two, besides ten times what one takes */

/* ---- What it has ---- */

static void identify(const sw_structure *s, sw_partial_text text[3])
{
    text[0] = (sw_partial_text){"program", "slipwave " SW_VERSION, "another version"};
    text[1] = (sw_partial_text){"deck", s->options.identity,
                                "another deck, dialect, linear solver, device or user material"};
    text[2] = (sw_partial_text){0};
}

/* Plain numbers, as attributes of /state. */
enum { NUMBERS = SW_STRUCTURE_MARK };
static const char *const number_names[NUMBERS] = {"step",       "time",    "dt",         "accepted",
                                                  "total_time", "scale",   "increments", "iterations",
                                                  "skew",       "last_dt", "told_share"};

static sw_status mark_contacts(struct sw_structure_contacts *c)
{
    const int64_t n = sw_surfaces_kept(c->surfaces);
    SW_TRY(SW_GROW(c->kept, n + 1, "what surfaces remember"));
    c->n_kept = n;
    sw_surfaces_keep(c->surfaces, c->kept);
    return SW_OK;
}

sw_status sw_structure_mark(sw_structure *s)
{
    const double all[NUMBERS] = {s->place.step,
                                 s->place.time,
                                 s->place.dt,
                                 (double)s->place.accepted,
                                 s->total_time,
                                 s->scale,
                                 (double)s->increments,
                                 (double)s->iterations,
                                 s->skew + 2 * s->said_loose + 4 * s->prefers_factors + 8 * s->said_turn,
                                 s->last_dt,
                                 s->contacts != NULL ? s->contacts->told_share : 0};
    memcpy(s->keeper.mark, all, sizeof all);
    return s->contacts != NULL && s->keeper.path != NULL ? mark_contacts(s->contacts) : SW_OK;
}

/* Arrays, as datasets of /state; NULL: it is not there. */
typedef struct {
    const char *name;
    hid_t type;
    int64_t n;
    void *data;
} array;
enum { ARRAYS = 11 };

static void list_arrays(sw_structure *s, array list[ARRAYS])
{
    const sw_structure_problem *p = s->problem;
    const int64_t n = s->ties.n_unknowns, numbers = s->state_at[p->n_elements],
                  points = 6 * s->point_at[p->n_elements];
    const array all[ARRAYS] = {{"displacement", H5T_NATIVE_DOUBLE, n, s->u},
                               {"begin", H5T_NATIVE_DOUBLE, n, s->begin},
                               {"last", H5T_NATIVE_DOUBLE, n, s->last},
                               {"outside", H5T_NATIVE_DOUBLE, n, s->outside},
                               {"temperature", H5T_NATIVE_DOUBLE, p->n_nodes, s->temperature},
                               {"points", H5T_NATIVE_DOUBLE, numbers, s->state},
                               {"energy", H5T_NATIVE_DOUBLE, SW_STRUCTURE_ENERGIES, s->energy},
                               {"section", H5T_NATIVE_INT32, p->n_elements, s->section},
                               {"removed", H5T_NATIVE_UINT8, p->n_elements, s->removed},
                               {"dependent", H5T_NATIVE_INT64, p->n_constraints, s->ties.pivot},
                               {"free_strain", H5T_NATIVE_DOUBLE, points, s->free_strain}};
    memcpy(list, all, sizeof all);
}

/* ---- Writing ---- */

/* What sw_structure_contacts_end_step will tell of. */
enum { OF_PRESSED = sizeof(struct sw_structure_pressed) / sizeof(double) };

/* What surfaces remember, and their forces. */
static sw_status write_contacts(const sw_structure *s, hid_t group)
{
    const struct sw_structure_contacts *c = s->contacts;
    const int64_t pressed = OF_PRESSED;
    SW_TRY(sw_h5_write(group, "contact_pressed", H5T_NATIVE_DOUBLE, 1, &pressed, &c->pressed));
    SW_TRY(sw_h5_write(group, "contacts", H5T_NATIVE_DOUBLE, 1, &c->n_kept, c->kept));
    return sw_h5_write(group, "contact_force", H5T_NATIVE_DOUBLE, 1, &s->ties.n_unknowns, c->before);
}

static sw_status write_state(sw_structure *s, hid_t file)
{
    array list[ARRAYS];
    hid_t group;
    list_arrays(s, list);
    SW_TRY(sw_h5_group(file, "state", &group));
    sw_status status = SW_OK;
    for (int k = 0; k < NUMBERS && status == SW_OK; k++)
        status = sw_h5_write_numbers(group, number_names[k], 1, &s->keeper.mark[k]);
    for (int k = 0; k < ARRAYS && status == SW_OK; k++)
        if (list[k].data != NULL)
            status = sw_h5_write(group, list[k].name, list[k].type, 1, &list[k].n, list[k].data);
    if (status == SW_OK && s->contacts != NULL)
        status = write_contacts(s, group);
    H5Gclose(group);
    return status;
}

static sw_status write_all(sw_structure *s, hid_t file)
{
    const double version = VERSION;
    sw_partial_text text[3];
    hid_t group;
    identify(s, text);
    SW_TRY(sw_h5_write_text(file, "format", format));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_group(file, "run", &group));
    const sw_status status = sw_partial_write_texts(group, text);
    H5Gclose(group);
    SW_TRY(status);
    SW_TRY(write_state(s, file));
    return sw_structure_results_keep(s, file);
}

static sw_status write_partial(sw_structure *s)
{
    struct sw_structure_keeper *k = &s->keeper;
    const double begun = sw_seconds();
    sw_h5_output file;
    SW_TRY(sw_h5_begin(k->path, &file));
    SW_TRY(sw_h5_end(&file, write_all(s, file.file)));
    k->is_there = 1;
    k->increments = s->increments;
    k->kept = sw_seconds();
    k->took = k->kept - begun;
    return SW_OK;
}

sw_status sw_structure_keep(sw_structure *s)
{
    SW_TRY(sw_structure_mark(s));
    const struct sw_structure_keeper *k = &s->keeper;
    const int is_last =
        s->place.step + 1 == s->problem->n_steps && s->place.time >= s->step->duration; /* FILE.h5 is next */
    return k->path != NULL && sw_parallel_rank() == 0 && !is_last &&
                   sw_seconds() - k->kept >= PAUSE + 10 * k->took
               ? write_partial(s)
               : SW_OK;
}

/* ---- Going on ---- */

static sw_status refuse(const sw_structure *s, const char *name, double is)
{
    return sw_error(SW_ERR_FORMAT, "%s: state/%s: %g is none of this deck's", s->keeper.path, name, is);
}

static sw_status put_numbers(sw_structure *s, const double number[NUMBERS])
{
    const sw_structure_problem *p = s->problem;
    for (int k = 0; k < NUMBERS; k++)
        if (!(number[k] >= 0 && number[k] < (k == 5 ? 1e300 : 1e15))) /* 5: forces */
            return refuse(s, number_names[k], number[k]);
    if (!(number[0] < p->n_steps))
        return refuse(s, number_names[0], number[0]);
    s->place = (struct sw_structure_place){
        .step = (int)number[0], .time = number[1], .dt = number[2], .accepted = (int64_t)number[3]};
    s->total_time = number[4];
    s->scale = number[5];
    s->increments = (int64_t)number[6];
    s->iterations = (int64_t)number[7];
    s->skew = (int)number[8] % 2;
    s->said_loose = (int)number[8] / 2 % 2;
    s->prefers_factors = (int)number[8] / 4 % 2;
    s->said_turn = (int)number[8] / 8;
    s->last_dt = number[9];
    if (s->contacts != NULL)
        s->contacts->told_share = number[10];
    return SW_OK;
}

static sw_status check_arrays(const sw_structure *s, const array list[ARRAYS])
{
    for (int k = 0; k < ARRAYS; k++)
        for (int64_t i = 0; list[k].type == H5T_NATIVE_DOUBLE && list[k].data != NULL && i < list[k].n; i++)
            if (!isfinite(((const double *)list[k].data)[i]))
                return refuse(s, list[k].name, ((const double *)list[k].data)[i]);
    for (int64_t e = 0; e < s->problem->n_elements; e++)
        if (s->section[e] < 0 || s->section[e] >= s->problem->n_sections)
            return refuse(s, "section", s->section[e]);
    for (int64_t k = 0; k < s->ties.n_rows; k++)
        if (s->ties.pivot[k] < -1 || s->ties.pivot[k] >= s->ties.n_unknowns)
            return refuse(s, "dependent", (double)s->ties.pivot[k]);
    return SW_OK;
}

static sw_status read_contacts(sw_structure *s, hid_t group)
{
    struct sw_structure_contacts *c = s->contacts;
    const int64_t pressed = OF_PRESSED;
    double *kept;
    int64_t n;
    SW_TRY(sw_h5_read(group, "contact_pressed", H5T_NATIVE_DOUBLE, 1, &pressed, &c->pressed));
    if (!(c->pressed.pair >= 0 && c->pressed.pair < c->n))
        return refuse(s, "contact_pressed", c->pressed.pair);
    for (int k = 0; k <= s->place.step; k++) { /* points have the numbers of the law at hand */
        s->step = &s->problem->step[k];
        sw_structure_contacts_change(s);
    }
    SW_TRY(sw_h5_shape(group, "contacts", 1, &n));
    SW_TRY(SW_ALLOCATE(kept, n + 1, "what surfaces remember"));
    sw_status status = sw_h5_read(group, "contacts", H5T_NATIVE_DOUBLE, 1, &n, kept);
    if (status == SW_OK)
        status = sw_surfaces_restore(c->surfaces, n, kept);
    free(kept);
    SW_TRY(status);
    SW_TRY(sw_h5_read(group, "contact_force", H5T_NATIVE_DOUBLE, 1, &s->ties.n_unknowns, c->before));
    return SW_OK;
}

static sw_status read_state(sw_structure *s, hid_t group)
{
    array list[ARRAYS];
    double number[NUMBERS];
    for (int k = 0; k < NUMBERS; k++)
        SW_TRY(sw_h5_read_numbers(group, number_names[k], 1, &number[k]));
    SW_TRY(put_numbers(s, number));
    if (sw_h5_exists(group, "free_strain") && s->free_strain == NULL)
        SW_TRY(SW_ALLOCATE(s->free_strain, s->point_at[s->problem->n_elements] + 1, "strains of points"));
    list_arrays(s, list);
    for (int k = 0; k < ARRAYS; k++)
        if (list[k].data != NULL)
            SW_TRY(sw_h5_read(group, list[k].name, list[k].type, 1, &list[k].n, list[k].data));
    SW_TRY(check_arrays(s, list));
    if (s->contacts != NULL)
        SW_TRY(read_contacts(s, group));
    memcpy(s->trial_state, s->state, (size_t)s->state_at[s->problem->n_elements] * sizeof *s->state);
    s->step = &s->problem->step[s->place.step];
    SW_TRY(SW_ALLOCATE(s->resumed, s->ties.n_rows + 1, "constraints"));
    memcpy(s->resumed, s->ties.pivot, (size_t)s->ties.n_rows * sizeof *s->resumed);
    return SW_OK;
}

static sw_status check_identity(const sw_structure *s, hid_t file)
{
    sw_partial_text text[3];
    double version = 0;
    if (!sw_h5_has_text(file, "format", format) || !sw_h5_exists(file, "run") || !sw_h5_exists(file, "state"))
        return sw_error(SW_ERR_FORMAT, "%s: is no state of an interrupted run of a deck", s->keeper.path);
    SW_TRY(sw_h5_read_numbers(file, "version", 1, &version));
    if (version != VERSION)
        return sw_error(SW_ERR_FORMAT, "%s: version %g: this program reads version %d", s->keeper.path,
                        version, VERSION);
    identify(s, text);
    const hid_t group = H5Gopen2(file, "run", H5P_DEFAULT);
    const sw_status status = sw_partial_check_texts(group, s->keeper.path, text);
    H5Gclose(group);
    return status;
}

static sw_status read_all(sw_structure *s, hid_t file)
{
    SW_TRY(check_identity(s, file));
    const hid_t group = H5Gopen2(file, "state", H5P_DEFAULT);
    const sw_status status = read_state(s, group);
    H5Gclose(group);
    SW_TRY(status);
    return s->results != NULL ? sw_structure_results_restore(s, file) : SW_OK;
}

/* A step that was at its end is over: the next one begins. */
static void pass_step(sw_structure *s)
{
    if (s->place.time < s->step->duration)
        return;
    sw_structure_contacts_end_step(s);
    s->total_time += s->step->duration;
    s->place = (struct sw_structure_place){.step = s->place.step + 1};
    free(s->resumed);
    s->resumed = NULL;
}

static sw_status go_on(sw_structure *s)
{
    hid_t file;
    SW_TRY(sw_h5_open(s->keeper.path, 0, &file));
    const sw_status status = read_all(s, file);
    H5Fclose(file);
    SW_TRY(status);
    if (!s->options.quiet)
        sw_note("resume: step %d, time %g of %g, %lld increments kept", s->place.step + 1, s->place.time,
                s->step->duration, (long long)s->increments);
    s->keeper.increments = s->increments;
    pass_step(s);
    return SW_OK;
}

sw_status sw_structure_keeper_open(sw_structure *s)
{
    struct sw_structure_keeper *k = &s->keeper;
    if (s->options.identity == NULL || !sw_partial_is_kept())
        return SW_OK;
    k->path = sw_file_name("%s.partial", s->options.output);
    if (k->path == NULL)
        return SW_ERR_MEMORY;
    k->kept = sw_seconds() + FIRST - PAUSE;
    int is_there = sw_file_is_there(k->path);
    sw_parallel_share(&is_there, sizeof is_there);
    SW_TRY(sw_partial_meet(k->path, is_there, s->options.resume));
    if (!is_there)
        return SW_OK;
    SW_TRY(go_on(s));
    SW_TRY(sw_structure_mark(s));
    k->is_there = 1;
    return SW_OK;
}

/* Interrupted runs and those that found no room may go on; others would fail again. */
static int is_worth_keeping(sw_status status)
{
    return status == SW_ERR_INTERRUPTED || status == SW_ERR_MEMORY || status == SW_ERR_IO;
}

sw_status sw_structure_keeper_end(sw_structure *s, sw_status status)
{
    struct sw_structure_keeper *k = &s->keeper;
    char message[1024];
    if (k->path == NULL || sw_parallel_rank() != 0) /* the first process writes */
        return status;
    if (status == SW_OK || (k->is_there && !is_worth_keeping(status))) {
        if (k->is_there)
            sw_file_remove(k->path);
        return status;
    }
    snprintf(message, sizeof message, "%s", sw_error_message());
    if (status == SW_ERR_INTERRUPTED && s->increments > k->increments)
        (void)write_partial(s); /* the message is of what failed first */
    (void)sw_error(status, "%s", message);
    return k->is_there && is_worth_keeping(status)
               ? sw_partial_tell(status, k->path, "%lld increments are", (long long)k->increments)
               : status;
}
