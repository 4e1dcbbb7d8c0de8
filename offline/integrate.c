#include "integrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "checkpoint.h"
#include "common/crystal/material_file.h"
#include "common/files/hash.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "integrate_cuda.h"

/* BLOCK: points; some 0.1 s of one core. A GPU takes many blocks at a time, a crystal a thread. */
enum { BLOCK = 2048, TOGETHER_ON_GPU = 64 };

typedef struct {
    sw_response_grid *grid;
    const sw_integrate_options *options;
    int64_t n_blocks, n_pending;
    unsigned char *done;       /* [n_blocks] before this run began */
    int64_t *pending;          /* [n_pending] blocks to compute */
    sw_checkpoint *checkpoint; /* rank 0's; NULL when none */
    int together;              /* blocks at hand, at most */
    double (*x)[4],
        (*y)[SW_OUTPUTS_MOST]; /* [together BLOCK] their angles and responses, one after the other */
    sw_point_integrator *gpu;  /* NULL: the CPU's */
    int64_t accepted;          /* blocks of this run that rank 0 has */
    sw_progress progress;
} job;

/* Blocks that are computed together. */
typedef struct {
    int n;
    int64_t block[TOGETHER_ON_GPU], points;
} batch;

static int64_t points_in(const job *j, int64_t block)
{
    const int64_t left = j->grid->n_points - block * BLOCK;
    return left < BLOCK ? left : BLOCK;
}

uint64_t sw_integrate_key(const sw_response_grid *grid, const sw_material *material,
                          const sw_increment *increment)
{
    const sw_integration_control control = sw_integration_endpoint();
    uint64_t key = sw_hash(SW_HASH_START, SW_VERSION, sizeof SW_VERSION);
    key = sw_material_hash(key, material);
    key = sw_hash(key, grid->shape, sizeof grid->shape);
    key = sw_hash(key, &increment->strain_increment, sizeof(double));
    key = sw_hash(key, &increment->strain_rate, sizeof(double));
    key = sw_hash(key, &increment->slip_resistance, sizeof(double));
    return sw_hash(key, &control.strain_step, sizeof(double));
}

/* Rank 0: what an earlier run left. */
static sw_status read_checkpoint(job *j, uint64_t key)
{
    int64_t kept = 0, damaged = 0;
    if (j->options->checkpoint == NULL)
        return SW_OK;
    SW_TRY(sw_checkpoint_open(j->options->checkpoint, key, j->n_blocks, (int64_t)BLOCK * SW_OUTPUTS_MOST,
                              j->options->resume, &j->checkpoint));
    for (int64_t b = 0; b < j->n_blocks; b++) {
        const int found = sw_checkpoint_read(j->checkpoint, b, &j->grid->output[b * BLOCK][0],
                                             points_in(j, b) * SW_OUTPUTS_MOST);
        j->done[b] = found == 1;
        kept += found == 1;
        damaged += found < 0;
    }
    if (damaged > 0)
        sw_note("resume: %lld of %lld blocks kept, %lld damaged ones are computed again", (long long)kept,
                (long long)j->n_blocks, (long long)damaged);
    else if (kept > 0)
        sw_note("resume: %lld of %lld blocks kept", (long long)kept, (long long)j->n_blocks);
    return SW_OK;
}

static sw_status set_up(job *j, const sw_material *material, const sw_increment *increment)
{
    j->n_blocks = (j->grid->n_points + BLOCK - 1) / BLOCK;
    SW_TRY(SW_ALLOCATE(j->done, j->n_blocks, "work list"));
    SW_TRY(SW_ALLOCATE(j->pending, j->n_blocks, "work list"));
    j->together = j->options->gpu ? TOGETHER_ON_GPU : 1;
    const int64_t most = j->together * (int64_t)BLOCK;
    SW_TRY(SW_ALLOCATE(j->x, most, "grid angles"));
    SW_TRY(SW_ALLOCATE(j->y, most, "responses"));
    if (j->options->gpu)
        SW_TRY(sw_point_integrator_open(material, increment, most, &j->gpu));
    if (sw_parallel_rank() == 0) {
        SW_TRY(SW_ALLOCATE(j->grid->output, j->grid->n_points, "raw responses"));
        SW_TRY(read_checkpoint(j, sw_integrate_key(j->grid, material, increment)));
    }
    sw_parallel_share_flags(j->done, j->n_blocks);
    for (int64_t b = 0; b < j->n_blocks; b++)
        if (!j->done[b])
            j->pending[j->n_pending++] = b;
    return SW_OK;
}

/* Rank 0: a block is finished, y its responses. */
static sw_status accept(job *j, int64_t block, const double (*y)[SW_OUTPUTS_MOST])
{
    const int64_t n = points_in(j, block);
    memcpy(j->grid->output + block * BLOCK, y, (size_t)n * sizeof *y);
    if (j->checkpoint != NULL)
        SW_TRY(sw_checkpoint_write(j->checkpoint, block, &y[0][0], n * SW_OUTPUTS_MOST));
    j->accepted++;
    sw_progress_show(&j->progress,
                     j->accepted * BLOCK < j->progress.total ? j->accepted * BLOCK : j->progress.total);
    return SW_OK;
}

/* Rank 0: take what other ranks have sent; with `all`, wait until nothing is missing. */
static sw_status take_arrivals(job *j, int all)
{
    int64_t block;
    while ((all && j->accepted < j->n_pending) || !all) {
        if (!sw_parallel_receive(all, &block, &j->y[0][0], (int64_t)BLOCK * SW_OUTPUTS_MOST))
            break;
        SW_TRY(accept(j, block, (const double(*)[SW_OUTPUTS_MOST])j->y));
    }
    return SW_OK;
}

/* The next blocks, as many as are computed together, none where none is left; and a GPU begins with them. */
static sw_status draw(job *j, sw_parallel_counter *counter, batch *next)
{
    int64_t count = 0;
    next->n = 0;
    for (int64_t k; next->n < j->together && (k = sw_parallel_counter_next(counter)) < j->n_pending;)
        next->block[next->n++] = j->pending[k];
    for (int b = 0; b < next->n; b++)
        for (int64_t i = 0; i < points_in(j, next->block[b]); i++)
            sw_grid_angles(j->grid->shape, j->grid->point[next->block[b] * BLOCK + i], j->x[count++]);
    next->points = count;
    return j->gpu != NULL && count > 0 ? sw_point_integrator_begin(j->gpu, count, (const double(*)[4])j->x)
                                       : SW_OK;
}

/* Of the batch that was drawn last -> j->y. */
static sw_status compute(job *j, const sw_material *material, const sw_increment *increment, int64_t n,
                         sw_integration_statistics *statistics)
{
    const double(*x)[4] = (const double(*)[4])j->x;
    return j->gpu != NULL ? sw_point_integrator_end(j->gpu, n, x, j->y, statistics)
                          : sw_integrate_points(material, increment, n, x, j->y, statistics);
}

/* A batch's responses, in j->y, to where they are kept. */
static sw_status hand_in(job *j, const batch *done)
{
    const double(*y)[SW_OUTPUTS_MOST] = (const double(*)[SW_OUTPUTS_MOST])j->y;
    for (int b = 0; b < done->n; b++) {
        const int64_t block = done->block[b], n = points_in(j, block);
        if (sw_parallel_rank() == 0)
            SW_TRY(accept(j, block, y));
        else
            sw_parallel_send(block, &y[0][0], n * SW_OUTPUTS_MOST);
        y += n;
    }
    return sw_parallel_rank() == 0 ? take_arrivals(j, 0) : SW_OK;
}

/* Draw blocks until none is left: the next ones before those at hand are handed in, which a GPU does not wait for. */
static sw_status work(job *j, const sw_material *material, const sw_increment *increment,
                      sw_parallel_counter *counter, sw_integration_statistics *statistics, int64_t *points)
{
    batch now, next;
    SW_TRY(draw(j, counter, &next));
    while (next.n > 0) {
        now = next;
        *points += now.points;
        SW_TRY(compute(j, material, increment, now.points, statistics));
        SW_TRY(draw(j, counter, &next));
        SW_TRY(hand_in(j, &now));
        SW_TRY(sw_interrupt_check());
    }
    return sw_parallel_rank() == 0 ? take_arrivals(j, 1) : SW_OK;
}

static sw_status run(job *j, const sw_material *material, const sw_increment *increment)
{
    const int quiet = j->options->quiet || sw_parallel_rank() != 0;
    const int64_t pending = j->n_pending * BLOCK;
    sw_integration_statistics statistics = {0};
    sw_parallel_counter *counter;
    int64_t points = 0;
    sw_progress_begin(&j->progress, "integrate", "points",
                      pending < j->grid->n_points ? pending : j->grid->n_points, quiet);
    SW_TRY(sw_parallel_counter_start(&counter));
    const sw_status status = work(j, material, increment, counter, &statistics, &points);
    /* Several ranks of which one failed never meet again: sw_parallel_finish ends them. */
    if (status == SW_OK || sw_parallel_size() == 1)
        sw_parallel_counter_stop(counter);
    SW_TRY(status);
    sw_progress_end(&j->progress);
    if (points > 0)
        sw_note("integrate: %.1f steps and %.1f iterations a point, %lld steps halved",
                (double)statistics.steps / (double)points, (double)statistics.iterations / (double)points,
                (long long)statistics.halvings);
    return SW_OK;
}

sw_status sw_integrate_grid(sw_response_grid *grid, const sw_material *material,
                            const sw_increment *increment, const sw_integrate_options *options)
{
    job j = {.grid = grid, .options = options};
    sw_status status = set_up(&j, material, increment);
    if (status == SW_OK)
        status = run(&j, material, increment);
    const int64_t kept = j.n_blocks - j.n_pending + j.accepted;
    if (status != SW_OK && j.checkpoint != NULL && kept > 0)
        status = sw_error(status, "%s; %lld of %lld blocks are kept in %s: --resume goes on",
                          sw_error_message(), (long long)kept, (long long)j.n_blocks, options->checkpoint);
    else if (status != SW_OK && j.checkpoint != NULL)
        unlink(options->checkpoint);
    sw_checkpoint_close(j.checkpoint);
    sw_point_integrator_close(j.gpu);
    free(j.done);
    free(j.pending);
    free(j.x);
    free(j.y);
    return status;
}
