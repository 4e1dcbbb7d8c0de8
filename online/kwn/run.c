#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/files/output_file.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "online/gpu/gpu.h"
#include "online/kwn/backend/backend.h"
#include "online/kwn/model/model.h"
#include "online/kwn/output/results.h"
#include "online/kwn/output/resolution.h"
#include "watch.h"

/* ---- A run, of one rank ---- */

typedef struct {
    sw_kwn_job *job;   /* of which the classes may be refined, before anything is computed */
    int64_t record;    /* C: numbers of a record */
    int64_t per_point; /* numbers of a point in a block */
    int64_t block_points, n_blocks, n_pending;
    int64_t done_points;    /* by this run, on rank 0 */
    unsigned char *done;    /* [n_blocks] by an earlier run */
    int64_t *pending;       /* [n_pending] blocks to compute */
    double *block;          /* [block_points * per_point + WORK_NUMBERS] the block at hand */
    int ready;              /* it holds the only point already */
    sw_kwn_point *point;    /* [block_points] */
    double *area;           /* [block_points][M] of interfaces, m^2/m^3 */
    float *temperature;     /* [n_knots][block_points] of a file of histories; NULL without one */
    double *composition;    /* [block_points][S], likewise */
    double *part_time;      /* [n_knots + 1] from one output time to the next */
    float *part;            /* [n_knots + 1][block_points or 1] */
    sw_kwn_axis axis;       /* for the results; no kwn need be open when they are written */
    sw_claim claim;         /* on their file */
    sw_kwn_watch watch;     /* of the block at hand, and on rank 0 */
    sw_kwn_watch seen;      /* of all that this run computed */
    sw_kwn_top top;         /* of point 0 */
    int followed;           /* whether this run computed it on the CPU */
    sw_kwn_results results; /* rank 0's */
    sw_progress progress;
} run;

/* At the end of a block. */
enum {
    STEPS,
    ITERATIONS,
    SECONDS,
    RESOLUTION,
    WATCH = RESOLUTION + sizeof(sw_kwn_resolution) / sizeof(double),
    TOP = WATCH + SW_KWN_WATCH_NUMBERS,                   /* of the block's first point */
    FOLLOWED = TOP + sizeof(sw_kwn_top) / sizeof(double), /* 1 where there is one */
    WORK_NUMBERS
};
enum { NO_BLOCK = -1 }; /* what a rank sends when it will send no more */

static int is_root(void) { return sw_parallel_rank() == 0; }
static const sw_kwn_alloy *alloy_of(const run *r) { return &r->job->setup.model; }

static int64_t points_in(const run *r, int64_t block)
{
    const int64_t left = r->job->setup.points - block * r->block_points;
    return left < r->block_points ? left : r->block_points;
}

/* Points that fill a GPU, or keep a CPU busy for some seconds; fewer when their results or histories take
 * more than 256 MB. It depends on the job alone, so that a resumed run has the same blocks. */
static sw_status choose_blocks(run *r)
{
    const sw_kwn_job *job = r->job;
    int64_t distributions = 0;
    for (int64_t t = 0; t < job->n_times; t++)
        distributions += job->with_distribution[t];
    r->record = sw_kwn_record_size(alloy_of(r));
    r->per_point = job->n_times * r->record +
                   distributions * alloy_of(r)->n_phases * (1 + job->setup.options.axis.classes);
    const int on_gpu = sw_kwn_on_gpu(job->setup.options.strategy);
    const int64_t most = on_gpu ? 1 << 20 : 256,
                  room = on_gpu ? INT64_C(1) << 32 : INT64_C(1) << 28; /* bytes */
    const int64_t knots = job->history.temperature == NULL ? job->history.n_knots : 0;
    const int64_t fit = room / (8 * (r->per_point + knots));
    r->block_points = fit < 1 ? 1 : fit < most ? fit : most;
    if (r->block_points > job->setup.points)
        r->block_points = job->setup.points;
    r->n_blocks = (job->setup.points + r->block_points - 1) / r->block_points;
    return r->per_point <= INT64_C(1) << 30
               ? SW_OK
               : sw_job_error(job->setup.source, "output", ": %lld numbers a point: need at most 2^30",
                              (long long)r->per_point);
}

static sw_status allocate_block(run *r)
{
    const sw_kwn_history *history = &r->job->history;
    const int64_t n = r->block_points, width = history->temperature == NULL ? n : 1;
    SW_TRY(SW_ALLOCATE(r->block, n * r->per_point + WORK_NUMBERS, "results"));
    SW_TRY(SW_ALLOCATE(r->point, n, "points"));
    SW_TRY(SW_ALLOCATE(r->area, n * alloy_of(r)->n_phases, "points"));
    SW_TRY(SW_ALLOCATE(r->part_time, history->n_knots + 1, "a thermal history"));
    SW_TRY(SW_ALLOCATE(r->part, (history->n_knots + 1) * width, "a thermal history"));
    if (history->temperature == NULL)
        SW_TRY(SW_ALLOCATE(r->temperature, history->n_knots * n, "thermal histories"));
    if (history->n_solutes > 0)
        SW_TRY(SW_ALLOCATE(r->composition, n * history->n_solutes, "compositions"));
    return sw_kwn_axis_make(&r->job->setup.options.axis, 1, &r->axis);
}

static void free_block(run *r)
{
    sw_kwn_axis_free(&r->axis);
    free(r->block);
    free(r->point);
    free(r->area);
    free(r->temperature);
    free(r->composition);
    free(r->part_time);
    free(r->part);
}

static sw_status set_up(run *r)
{
    SW_TRY(choose_blocks(r));
    SW_TRY(SW_ALLOCATE(r->done, r->n_blocks, "work list"));
    SW_TRY(SW_ALLOCATE(r->pending, r->n_blocks, "work list"));
    if (!r->ready)
        SW_TRY(allocate_block(r));
    if (is_root())
        SW_TRY(sw_h5_claim(r->job->setup.output_file, &r->claim));
    if (is_root())
        SW_TRY(sw_kwn_results_begin(r->job, r->block_points, r->done, &r->results));
    return SW_OK;
}

static void list_pending(run *r)
{
    sw_parallel_share_flags(r->done, r->n_blocks);
    for (int64_t b = 0; b < r->n_blocks; b++)
        if (!r->done[b])
            r->pending[r->n_pending++] = b;
}

/* ---- A block ---- */

/* Largest particles of a coarsened distribution have 1.5 mean radii: past 2/3 of an axis that does not grow
 * they gather in its last class. */
static sw_status check_sizes(const run *r, int64_t count)
{
    if (r->axis.kind == SW_AXIS_ADAPTIVE)
        return SW_OK;
    for (int64_t i = 0; i < count; i++)
        for (int p = 0; p < alloy_of(r)->n_phases; p++) {
            const sw_kwn_population *phase = &r->point[i].phase[p];
            if (phase->number > phase->few && phase->radius_sum > phase->number * phase->scale / 1.5)
                return sw_job_error(
                    r->job->setup.source, "size_axis.largest",
                    " = %g: particles have outgrown it by %g s, their mean radius is %g m: need "
                    "more than 1.5 of that",
                    r->job->setup.options.axis.largest, r->point[i].time, phase->radius_sum / phase->number);
        }
    return SW_OK;
}

/* The points' states at an output time, and their size distributions when asked for; *distribution moves on.
 */
static sw_status record_time(run *r, sw_kwn *kwn, int64_t count, int64_t time, const float *temperature,
                             double **distribution)
{
    const int64_t times = r->job->n_times, width = r->job->history.temperature == NULL;
    SW_TRY(sw_kwn_read(kwn, 0, count, r->point));
    SW_TRY(sw_kwn_read_interface_area(kwn, 0, count, r->area));
    SW_TRY(check_sizes(r, count));
    sw_kwn_watch_points(alloy_of(r), &r->axis, count, r->point, &r->watch);
    for (int64_t i = 0; i < count; i++)
        sw_kwn_record_fill(alloy_of(r), &r->point[i], r->area + i * alloy_of(r)->n_phases,
                           (double)temperature[i * width], r->block + (i * times + time) * r->record);
    for (int p = 0; p < alloy_of(r)->n_phases && r->job->with_distribution[time]; p++) {
        const int64_t classes = r->axis.n;
        double *to = *distribution;
        SW_TRY(sw_kwn_read_distribution(kwn, 0, count, p, to));
        for (int64_t i = count - 1; i >= 0; i--) { /* [count][B] -> [count][1 + B] in place */
            memmove(to + i * (1 + classes) + 1, to + i * classes, (size_t)classes * sizeof *to);
            to[i * (1 + classes)] = r->point[i].phase[p].scale;
        }
        *distribution += count * (1 + classes);
    }
    return SW_OK;
}

static sw_status follow(run *r, sw_kwn *kwn, int64_t count, const float *temperature)
{
    const sw_kwn_job *job = r->job;
    const int per_point = job->history.temperature == NULL;
    const int64_t width = per_point ? count : 1;
    double *distribution = r->block + count * job->n_times * r->record;
    SW_TRY(record_time(r, kwn, count, 0, temperature, &distribution));
    for (int64_t t = 1; t < job->n_times; t++) {
        SW_TRY(sw_interrupt_check());
        const int64_t n = sw_kwn_history_part(&job->history, width, temperature, job->time[t - 1],
                                              job->time[t], r->part_time, r->part);
        SW_TRY(sw_kwn_follow(kwn, n, r->part_time, r->part, per_point));
        SW_TRY(record_time(r, kwn, count, t, r->part + (n - 1) * width, &distribution));
        if (is_root())
            sw_progress_show(&r->progress, r->done_points * (job->n_times - 1) + count * t);
    }
    return SW_OK;
}

/* Whether there is a solvus to go below: of each history of the block, or of the one of all. */
static void watch_histories(run *r, int64_t count, const float *temperature)
{
    const sw_kwn_history *history = &r->job->history;
    const int64_t width = history->temperature == NULL ? count : 1;
    double composition[SW_KWN_SOLUTES];
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < alloy_of(r)->n_solutes; k++)
            composition[k] = history->n_solutes > 0 ? r->composition[i * history->n_solutes + k]
                                                    : alloy_of(r)->solute[k].concentration;
        sw_kwn_watch_history(alloy_of(r), composition, history->n_knots, history->time,
                             temperature + (width > 1 ? i : 0), width, &r->watch);
    }
}

/* Points first .. first + count - 1, into r->block. */
static sw_status compute(run *r, int64_t first, int64_t count)
{
    const sw_kwn_job *job = r->job;
    const double started = sw_seconds();
    const float *temperature = job->history.temperature;
    sw_kwn *kwn;
    if (temperature == NULL) {
        SW_TRY(sw_kwn_history_read(&job->history, alloy_of(r), first, count, r->temperature, r->composition));
        temperature = r->temperature;
    }
    r->watch = (sw_kwn_watch){0};
    watch_histories(r, count, temperature);
    SW_TRY(sw_kwn_start(&job->setup, count, r->composition, (double)temperature[0], &kwn));
    sw_kwn_top top = {0};
    int followed = 0;
    sw_status status = sw_kwn_follow_peaks(kwn);
    if (status == SW_OK)
        status = follow(r, kwn, count, temperature);
    if (status == SW_OK)
        followed = sw_kwn_read_top(kwn, 0, &top);
    sw_kwn_close(kwn);
    if (status == SW_ERR_CONVERGENCE && first > 0)
        status = sw_error(status, "%s, counted from point %" PRId64, sw_error_message(), first);
    SW_TRY(status);
    double *work = r->block + count * r->per_point;
    work[STEPS] = work[ITERATIONS] = 0;
    work[SECONDS] = sw_seconds() - started;
    memcpy(work + WATCH, &r->watch, sizeof r->watch);
    memcpy(work + TOP, &top, sizeof top);
    work[FOLLOWED] = followed;
    for (int64_t i = 0; i < count; i++) {
        work[STEPS] += (double)r->point[i].steps;
        work[ITERATIONS] += (double)r->point[i].iterations;
    }
    return SW_OK;
}

/* Rank 0: a block is finished, in r->block. */
static sw_status accept(run *r, int64_t block)
{
    const int64_t count = points_in(r, block);
    const double *work = r->block + count * r->per_point;
    sw_kwn_work of_block = {.steps = work[STEPS], .iterations = work[ITERATIONS], .seconds = work[SECONDS]};
    memcpy(&of_block.resolution, work + RESOLUTION, sizeof of_block.resolution);
    SW_TRY(sw_kwn_results_write(&r->results, block, block * r->block_points, count, &r->axis, r->block,
                                &of_block));
    memcpy(&r->watch, work + WATCH, sizeof r->watch);
    sw_kwn_watch_merge(&r->watch, &r->seen);
    if (block == 0) {
        memcpy(&r->top, work + TOP, sizeof r->top);
        r->followed = work[FOLLOWED] != 0;
    }
    r->done_points += count;
    sw_progress_show(&r->progress, r->done_points * (r->job->n_times - 1));
    return SW_OK;
}

/* ---- How far it is off ---- */

/* Points first .. first + count - 1 a level coarser, into a run that is to be released with free_coarser. */
static sw_status compute_coarser(const run *fine, int level, int64_t first, int64_t count, sw_kwn_job *job,
                                 run *coarse)
{
    *job = *fine->job;
    *coarse = (run){.job = job};
    sw_kwn_coarsen(level, &job->setup.options);
    job->with_distribution = NULL;
    SW_TRY(SW_ALLOCATE(job->with_distribution, job->n_times, "output times"));
    SW_TRY(choose_blocks(coarse));
    coarse->block_points = count;
    SW_TRY(allocate_block(coarse));
    sw_progress_begin(&coarse->progress, "kwn", "records", 0, 1);
    coarse->progress.ear.watcher = NULL; /* of the fine run alone */
    return compute(coarse, first, count);
}

static void free_coarser(run *coarse)
{
    free_block(coarse);
    free(coarse->job->with_distribution);
}

/* Points first .. first + count - 1, with records fine [count][n][C]; where a coarser run comes to no end INFINITY, for all of them. */
static sw_status judge_piece(const run *fine, const double *records_of_fine, int64_t first, int64_t count,
                             sw_kwn_resolution *of)
{
    sw_kwn_job job[SW_KWN_COARSER];
    run coarser[SW_KWN_COARSER] = {{.job = &job[0]}, {.job = &job[1]}};
    sw_status status = SW_OK;
    *of = (sw_kwn_resolution){0};
    job[0].with_distribution = job[1].with_distribution = NULL;
    for (int k = 0; k < SW_KWN_COARSER && status == SW_OK; k++)
        status = compute_coarser(fine, k + 1, first, count, &job[k], &coarser[k]);
    if (status == SW_ERR_CONVERGENCE || status == SW_ERR_INPUT) {
        *of = (sw_kwn_resolution){(double)count, INFINITY, INFINITY, INFINITY, (double)first};
        status = SW_OK;
    } else if (status == SW_OK) {
        const int64_t n = fine->job->n_times, each = n * fine->record;
        for (int64_t i = 0; i < count; i++) {
            const double *const records[SW_KWN_COARSER] = {coarser[0].block + i * each,
                                                           coarser[1].block + i * each};
            sw_kwn_resolution point =
                sw_kwn_judge_point(alloy_of(fine), n, records_of_fine + i * each, records);
            point.worst = (double)(first + i);
            sw_kwn_resolution_merge(&point, of);
        }
    }
    free_coarser(&coarser[0]);
    free_coarser(&coarser[1]);
    return status;
}

/* Of the block at hand, a piece after the other, so that coarser runs take a quarter of its room; what takes little in one. */
static sw_status judge(const run *fine, int64_t first, int64_t count, sw_kwn_resolution *of)
{
    enum { PIECES = 8, LITTLE = 1 << 23 }; /* numbers */
    const int64_t even = (count + PIECES - 1) / PIECES, small = LITTLE / (fine->job->n_times * fine->record),
                  piece = even > small ? even : small;
    *of = (sw_kwn_resolution){0};
    for (int64_t at = 0; at < count; at += piece) {
        sw_kwn_resolution part;
        SW_TRY(judge_piece(fine, fine->block + at * fine->job->n_times * fine->record, first + at,
                           count - at < piece ? count - at : piece, &part));
        sw_kwn_resolution_merge(&part, of);
    }
    return SW_OK;
}

/* Points, and how far they are off where that is asked for. */
static sw_status compute_judged(run *r, int64_t first, int64_t count)
{
    sw_kwn_resolution of = {0};
    SW_TRY(compute(r, first, count));
    if (r->job->accuracy > 0 && sw_kwn_can_be_judged(&r->job->setup.options))
        SW_TRY(judge(r, first, count, &of));
    memcpy(r->block + count * r->per_point + RESOLUTION, &of, sizeof of);
    return SW_OK;
}

/* ---- Classes and steps that hold what is asked ---- */

enum { SAMPLES = 8, MOST_BY_ITSELF = 1 << 13 }; /* classes */

/* One point; to be released with free_block. */
static sw_status compute_one(run *r, int64_t point)
{
    SW_TRY(choose_blocks(r));
    r->block_points = 1;
    SW_TRY(allocate_block(r));
    sw_progress_begin(&r->progress, "kwn", "records", r->job->n_times - 1, r->job->setup.run.quiet);
    return compute_judged(r, point, 1);
}

/* How far points are off that stand for all. The run of the last of them stays in *last. */
static sw_status judge_samples(run *last, sw_kwn_resolution *of)
{
    sw_kwn_job *job = last->job;
    const int64_t samples = job->history.temperature != NULL ? 1
                            : job->setup.points < SAMPLES    ? job->setup.points
                                                             : SAMPLES;
    *of = (sw_kwn_resolution){0};
    for (int64_t k = 0; k < samples; k++) {
        sw_kwn_resolution point;
        free_block(last);
        *last = (run){.job = job};
        SW_TRY(compute_one(last, k * job->setup.points / samples));
        memcpy(&point, last->block + last->per_point + RESOLUTION, sizeof point);
        sw_kwn_resolution_merge(&point, of);
    }
    return SW_OK;
}

/* Twice the classes, and steps half as long unless it is given how long they are. */
static void make_finer(sw_kwn_setup *setup)
{
    sw_kwn_control *control = &setup->options.control;
    setup->options.axis.classes *= 2;
    if (!sw_job_given(setup->source, "tolerance"))
        control->tolerance = fmax(control->tolerance / 4, 1e-6);
    if (!sw_job_given(setup->source, "largest_temperature_change"))
        control->largest_change /= 2;
}

/* Until errors are what the job allows, or fall no more; by less than a fifth where steps that are given stay. Classes that are given
 * stay. */
static sw_status refine(run *r)
{
    sw_kwn_setup *setup = &r->job->setup;
    const int given = sw_job_given(setup->source, "size_axis.classes");
    const int own_steps = setup->options.control.fixed_step > 0 || sw_job_given(setup->source, "tolerance");
    double before = INFINITY;
    unsigned char times = 0;
    sw_status status = SW_OK;
    while (is_root() && status == SW_OK) {
        sw_kwn_resolution of;
        status = judge_samples(r, &of);
        const double error = sw_kwn_resolution_error(&of);
        if (given || 2 * setup->options.axis.classes > MOST_BY_ITSELF || error <= r->job->accuracy ||
            (times > 0 && error >= before))
            break;
        before = own_steps ? 0.8 * error : error;
        make_finer(setup);
        times++;
    }
    SW_TRY(sw_parallel_agree(status));
    sw_parallel_share_flags(&times, 1);
    for (int k = 0; k < times && !is_root(); k++)
        make_finer(setup);
    r->ready = setup->points == 1 && is_root();
    if (!r->ready) {
        free_block(r);
        *r = (run){.job = r->job};
    }
    return SW_OK;
}

/* ---- All blocks ---- */

/* Rank 0: take what other ranks have sent; with `all`, until each has said that it will send no more. */
static sw_status take_arrivals(run *r, int all, int *n_working, sw_status status)
{
    int64_t block;
    while (*n_working > 0 &&
           sw_parallel_receive(all, &block, r->block, r->block_points * r->per_point + WORK_NUMBERS)) {
        if (block == NO_BLOCK)
            *n_working -= 1;
        else if (status == SW_OK)
            status = accept(r, block);
    }
    return status;
}

/* Draw blocks until none is left, or something fails: then all that are left, so that no other rank starts
 * one. */
static sw_status work(run *r, sw_parallel_counter *counter)
{
    int n_working = sw_parallel_size() - 1;
    sw_status status = SW_OK;
    for (int64_t k; (k = sw_parallel_counter_next(counter)) < r->n_pending;) {
        if (status != SW_OK)
            continue;
        status = r->ready ? SW_OK
                          : compute_judged(r, r->pending[k] * r->block_points, points_in(r, r->pending[k]));
        if (status == SW_OK && is_root())
            status = accept(r, r->pending[k]);
        else if (status == SW_OK)
            sw_parallel_send(r->pending[k], r->block,
                             points_in(r, r->pending[k]) * r->per_point + WORK_NUMBERS);
        if (is_root())
            status = take_arrivals(r, 0, &n_working, status);
    }
    if (is_root())
        return take_arrivals(r, 1, &n_working, status);
    sw_parallel_send(NO_BLOCK, r->block, 1);
    return status;
}

static sw_status run_blocks(run *r)
{
    sw_parallel_counter *counter;
    int64_t points = 0;
    for (int64_t k = 0; k < r->n_pending; k++)
        points += points_in(r, r->pending[k]);
    sw_progress_begin(&r->progress, "kwn", "records", points * (r->job->n_times - 1),
                      r->job->setup.run.quiet || !is_root());
    SW_TRY(sw_parallel_counter_start(&counter));
    const sw_status status = sw_parallel_agree(work(r, counter));
    /* One of several without memory does not meet the others again: sw_parallel_finish ends them. */
    if (status != SW_ERR_MEMORY || sw_parallel_size() == 1)
        sw_parallel_counter_stop(counter);
    SW_TRY(status);
    sw_progress_end(&r->progress);
    return SW_OK;
}

/* All points as text; record [n][C] is room for one. */
static sw_status write_rows(const run *r, FILE *file, double *record)
{
    const sw_kwn_job *job = r->job;
    sw_kwn_csv_names(file, alloy_of(r));
    for (int64_t i = 0; i < job->setup.points; i++) {
        SW_TRY(sw_kwn_results_read(&r->results, i, record));
        sw_kwn_csv_rows(file, alloy_of(r), i, job->n_times, job->time, record);
    }
    return SW_OK;
}

/* Results file and text, both or neither; what point 0 became, into text. */
static sw_status complete(run *r, double *record, char *text, size_t size)
{
    const sw_kwn_job *job = r->job;
    sw_output_file output;
    FILE *file;
    SW_TRY(sw_kwn_results_read(&r->results, 0, record));
    sw_kwn_record_describe(alloy_of(r), record + (job->n_times - 1) * r->record, text, size);
    sw_kwn_peak_describe(alloy_of(r), r->followed ? &r->top : NULL, job->n_times, job->time, record,
                         text + strlen(text), size - strlen(text));
    if (job->output.csv == NULL)
        return sw_kwn_results_commit(&r->results);
    SW_TRY(sw_text_file_begin(job->output.csv, &output, &file));
    sw_status status = write_rows(r, file, record);
    if (status == SW_OK)
        status = sw_kwn_results_commit(&r->results);
    return sw_text_file_end(&output, file, status);
}

static sw_status finish(run *r)
{
    double *record;
    char text[1024] = "", name[SW_LINE];
    sw_kwn_work work;
    SW_TRY(sw_kwn_results_work(&r->results, &work));
    r->job->setup.resolution = work.resolution;
    sw_kwn_watch_tell(&r->job->setup, &r->seen);
    sw_kwn_resolution_tell(&r->job->setup, r->job->accuracy);
    SW_TRY(SW_ALLOCATE(record, r->job->n_times * r->record, "records"));
    const sw_status status = complete(r, record, text, sizeof text);
    if (status == SW_OK)
        fprintf(sw_said(), "%s: %s\n", sw_plain(r->job->setup.output_file, name), text);
    free(record);
    return status;
}

static sw_status run_all(run *r)
{
    const sw_status here = set_up(r), everywhere = sw_parallel_agree(here);
    if (here != SW_OK || everywhere != SW_OK)
        return everywhere;
    list_pending(r);
    if (is_root() && !r->job->setup.run.quiet && r->n_pending < r->n_blocks)
        sw_note("resume: %" PRId64 " of %" PRId64 " blocks kept", r->n_blocks - r->n_pending, r->n_blocks);
    SW_TRY(run_blocks(r));
    return is_root() ? finish(r) : SW_OK;
}

/* With several ranks each takes its own GPU of the node. */
static sw_status use_gpu(const sw_kwn_setup *setup)
{
    return sw_kwn_on_gpu(setup->options.strategy) ? sw_gpu_use(NULL) : SW_OK;
}

sw_status sw_kwn_run(sw_kwn_job *job)
{
    run r = {.job = job};
    sw_status status = sw_parallel_agree(use_gpu(&job->setup));
    if (status == SW_OK && job->output.csv != NULL)
        status = sw_parallel_agree(is_root() ? sw_text_file_probe(job->output.csv) : SW_OK);
    if (status == SW_OK && job->accuracy > 0 && sw_kwn_can_be_judged(&job->setup.options))
        status = refine(&r);
    if (status == SW_OK)
        status = run_all(&r);
    status = sw_kwn_results_abandon(&r.results, status);
    sw_claim_release(&r.claim);
    free_block(&r);
    free(r.done);
    free(r.pending);
    return sw_parallel_agree(status);
}
