/* The library's front: batches opened, run and closed. */
#include <stdio.h>
#include <stdlib.h>

#include "batch.h"
#include "online/dem/step/control.h"
#include "online/response/step/solver.h"

/* Whether those who advance elements can ask such a response: on the CPU that is many threads, and one on a GPU is
 * its own thread's. */
static sw_status check_place(int64_t r, const sw_dem_options *options, const sw_response *response)
{
    if (options->team == SW_DEM_LAUNCHES)
        return sw_error(
            SW_ERR_RANGE,
            "element %lld: crystals: team = launches: need auto, thread, block, cluster or device",
            (long long)r);
    if (!options->cuda && response->device == SW_CUDA)
        return sw_error(SW_ERR_RANGE,
                        "element %lld: crystals: their response is on a GPU: need one on the CPU, as the "
                        "elements are",
                        (long long)r);
    return SW_OK;
}

/* What papers' ways do without. */
static sw_status check_walls(int64_t r, const sw_dem_options *options, const sw_dem_rve *rve)
{
    const int periodic = rve->closed == 0 && rve->n_walls == 0 && !rve->heavy && rve->n_clumps == 0;
    if (!periodic && (options->team == SW_DEM_LAUNCHES || options->images == SW_DEM_BOUNDARY_PARTICLES))
        return sw_error(SW_ERR_RANGE,
                        "element %lld: walls, open sides, gravity and clumps: need images = nearest, and "
                        "team = auto, thread, "
                        "block, cluster or device",
                        (long long)r);
    if (rve->coupled && options->cuda)
        return sw_error(SW_ERR_RANGE, "element %lld: coupled contacts: need the CPU (device: cpu)",
                        (long long)r);
    if (rve->n_nodes > 0 && options->cuda)
        return sw_error(SW_ERR_RANGE, "element %lld: a membrane: need the CPU (device: cpu)", (long long)r);
    if (rve->lanes > 1 && options->cuda)
        return sw_error(SW_ERR_RANGE, "element %lld: a wall that is a mesh: need the CPU (device: cpu)",
                        (long long)r);
    return SW_OK;
}

/* Contacts of all elements get their strengths. */
static sw_status ask_crystals(sw_dem *dem)
{
    int64_t n = 0, *element;
    SW_TRY(SW_ALLOCATE(element, dem->n, "elements"));
    for (int64_t r = 0; r < dem->n; r++)
        if (dem->crystals[r].response != NULL)
            element[n++] = r;
    const sw_status status = sw_dem_refresh_all(n, element, dem->rve, dem->crystals, &dem->room);
    free(element);
    return status;
}

/* Where walls began, and records of stages that were over at the beginning. */
static sw_status begin_records(sw_dem *dem, int64_t r, const sw_dem_sample *sample)
{
    sw_dem_rve *rve = &dem->rve[r];
    const int64_t n = rve->state->n_rows;
    for (int w = 0; w < sample->n_walls; w++) {
        for (int k = 0; k < 3; k++)
            dem->wall_start[r][w][k] = sample->wall[w].point[k];
        dem->wall_start[r][w][3] = sample->wall[w].radius;
    }
    rve->state->n_rows = 0;
    return sw_dem_drain_rows(dem, r, n, rve->row);
}

static sw_status fill(sw_dem *dem, int64_t n, const sw_dem_sample *sample)
{
    dem->n = n;
    SW_TRY(SW_ALLOCATE(dem->rve, n, "elements"));
    SW_TRY(SW_ALLOCATE(dem->rows, n, "elements"));
    SW_TRY(SW_ALLOCATE(dem->crystals, n, "elements"));
    SW_TRY(SW_ALLOCATE(dem->wall_start, n, "elements"));
    for (int64_t r = 0; r < n; r++) {
        SW_TRY(sw_dem_check_sample(r, &sample[r]));
        SW_TRY(sw_dem_make_element(r, &sample[r], dem->options.images, &dem->rve[r]));
        SW_TRY(check_walls(r, &dem->options, &dem->rve[r]));
        SW_TRY(begin_records(dem, r, &sample[r]));
        if (sample[r].crystals != NULL) {
            SW_TRY(check_place(r, &dem->options, sample[r].crystals->response));
            SW_TRY(sw_dem_polycrystals_begin(r, sample[r].crystals, &dem->rve[r], &dem->crystals[r]));
        }
        dem->finished += !sw_dem_unfinished(&dem->rve[r]);
    }
    SW_TRY(ask_crystals(dem));
    if (dem->options.cuda)
        return sw_dem_check_cuda(dem);
    snprintf(dem->description, sizeof dem->description, "CPU, a thread an element");
    return SW_OK;
}

sw_status sw_dem_open(const sw_dem_options *options, int64_t n_rves, const sw_dem_sample *sample,
                      sw_dem **result)
{
    sw_dem *dem;
    *result = NULL;
    SW_TRY(sw_dem_check_options(options));
    if (n_rves < 1)
        return sw_error(SW_ERR_RANGE, "elements = %lld: need 1 or more", (long long)n_rves);
    SW_TRY(SW_ALLOCATE(dem, 1, "a batch of elements"));
    dem->options = *options;
    const sw_status status = fill(dem, n_rves, sample);
    if (status == SW_OK)
        *result = dem;
    else
        sw_dem_close(dem);
    return status;
}

void sw_dem_close(sw_dem *dem)
{
    if (dem == NULL)
        return;
    for (int64_t r = 0; dem->rve != NULL && dem->rows != NULL && r < dem->n; r++) {
        free(dem->rve[r].block);
        free(dem->rows[r].row);
        if (dem->crystals != NULL)
            sw_dem_polycrystals_free(&dem->crystals[r]);
    }
    sw_dem_workspace_free(&dem->room);
    free(dem->crystals);
    free(dem->wall_start);
    free(dem->rve);
    free(dem->rows);
    free(dem);
}

static sw_status run_all(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    static const struct {
        sw_dem_runner *cpu, *cuda;
    } teams[SW_DEM_TEAMS] = {
#define TEAM(name, cpu, cuda) {cpu, cuda},
        SW_DEM_TEAM_LIST(TEAM)
#undef TEAM
    };
    const sw_dem_team team = dem->options.team;
    return (dem->options.cuda ? teams[team].cuda : teams[team].cpu)(dem, watch, context);
}

sw_status sw_dem_run(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    SW_TRY(run_all(dem, watch, context));
    for (int64_t r = 0; r < dem->n; r++) /* what forces do not hang on, too: no file has it */
        if (dem->rve[r].state->status == SW_DEM_DONE && !sw_dem_is_finite(&dem->rve[r]))
            dem->rve[r].state->status = SW_DEM_FAILED_FINITE;
    for (int64_t r = 0; r < dem->n; r++) /* of those that are done: nobody waits there */
        SW_TRY(sw_dem_take_snapshot(dem, r));
    return SW_OK;
}

sw_status sw_dem_add_stage(sw_dem *dem, int64_t r, const sw_dem_stage *stage)
{
    sw_dem_rve *rve = &dem->rve[r];
    SW_TRY(sw_dem_failure(dem, r));
    SW_TRY(sw_dem_check_stage(r, stage));
    SW_TRY(sw_dem_check_shear(r, rve->closed, stage));
    SW_TRY(sw_dem_check_jacket(r, rve->n_nodes > 0, stage));
    if (rve->n_stages == rve->stage_capacity)
        SW_TRY(sw_dem_grow(rve, SW_DEM_DONE));
    ((sw_dem_stage *)rve->stage)[rve->n_stages++] = *stage;
    if (rve->state->status == SW_DEM_DONE) {
        dem->finished--;
        if (rve->state->step == 0 && rve->state->sum[SW_DEM_SUM_STIFFNESS] == 0) { /* nor measured before */
            sw_dem_start(rve);
            return SW_OK;
        }
        /* as sw_dem_control goes on */
        rve->state->status = SW_DEM_RUNNING;
        sw_dem_begin_stage(rve);
        sw_dem_go_on(rve);
        dem->finished += !sw_dem_unfinished(rve);
    }
    return SW_OK;
}

const char *sw_dem_describe(const sw_dem *dem) { return dem->description; }
