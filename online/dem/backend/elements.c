/* Elements of an open batch, and their records. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "common/system/threads.h"
#include "online/dem/step/control.h"

const sw_dem_rve *sw_dem_get(const sw_dem *dem, int64_t r) { return &dem->rve[r]; }

int sw_dem_needs_host(int32_t status)
{
    return status == SW_DEM_NEEDS_PAIRS || status == SW_DEM_NEEDS_IMAGES || status == SW_DEM_NEEDS_CRYSTALS ||
           status == SW_DEM_NEEDS_SNAPSHOT;
}

void sw_dem_on_snapshot(sw_dem *dem, double strain, sw_dem_look *look, void *context)
{
    dem->look = look;
    dem->look_context = context;
    for (int64_t r = 0; r < dem->n; r++) {
        dem->rve[r].snapshot_strain = strain;
        dem->rve[r].state->next_snapshot = strain;
        if (dem->rows[r].n > 0 && dem->rve[r].state->stage_step == 0 &&
            dem->rve[r].state->n_snapshots == 0) { /* goes on from a file: as it begins */
            dem->rve[r].state->snapshot_due = 1;
            if (dem->rve[r].state->status == SW_DEM_RUNNING)
                dem->rve[r].state->status = SW_DEM_NEEDS_SNAPSHOT;
        }
    }
}

sw_status sw_dem_take_snapshot(sw_dem *dem, int64_t r)
{
    sw_dem_state *state = dem->rve[r].state;
    sw_status status = SW_OK;
    if (!state->snapshot_due)
        return SW_OK;
#pragma omp critical(sw_dem_snapshot)
    if (dem->look != NULL)
        status = dem->look(dem->look_context, dem, r);
    SW_TRY(status);
    state->snapshot_due = 0;
    state->n_snapshots++;
    return SW_OK;
}

/* What an element waits for but crystals. */
static sw_status help_one(sw_dem *dem, int64_t r)
{
    sw_dem_rve *rve = &dem->rve[r];
    if (rve->state->status == SW_DEM_NEEDS_PAIRS || rve->state->status == SW_DEM_NEEDS_IMAGES)
        SW_TRY(sw_dem_grow(rve, rve->state->status));
    rve->state->status = SW_DEM_NEEDS_SNAPSHOT; /* still, when it cannot be taken now */
    SW_TRY(sw_dem_take_snapshot(dem, r));
    rve->state->status = SW_DEM_RUNNING;
    return SW_OK;
}

sw_status sw_dem_help(sw_dem *dem, int64_t r)
{
    if (dem->rve[r].state->status == SW_DEM_NEEDS_CRYSTALS)
        SW_TRY(sw_dem_refresh(&dem->rve[r], &dem->crystals[r]));
    return help_one(dem, r);
}

sw_status sw_dem_help_with_crystals(sw_dem *dem, int64_t n, const int64_t *element)
{
    SW_TRY(sw_dem_refresh_all(n, element, dem->rve, dem->crystals, &dem->room));
    for (int64_t k = 0; k < n; k++)
        SW_TRY(help_one(dem, element[k]));
    return SW_OK;
}

int sw_dem_unfinished(const sw_dem_rve *rve)
{
    const int32_t status = rve->state->status;
    return status == SW_DEM_RUNNING || sw_dem_needs_host(status);
}

void sw_dem_copy_kept(sw_dem *dem, int64_t n, const int64_t *element, const int64_t *place, char *memory,
                      int back)
{
#pragma omp parallel for num_threads(sw_threads_for(n, 1e5)) /* a megabyte each */
    for (int64_t k = 0; k < n; k++) {
        sw_dem_rve *rve = &dem->rve[element[k]];
        if (!back) {
            memcpy(memory + place[k], rve->block, (size_t)rve->kept_bytes);
            continue;
        }
        memcpy(rve->block, memory + place[k], (size_t)rve->kept_bytes);
        rve->state->index_valid = 0;
        rve->state->n_rows = 0;
    }
}

sw_status sw_dem_drain_rows(sw_dem *dem, int64_t r, int64_t n, const sw_dem_row *row)
{
    sw_dem_row_list *list = &dem->rows[r];
    if (list->n + n > list->capacity) {
        const int64_t capacity = 2 * (list->n + n);
        sw_dem_row *more = realloc(list->row, (size_t)capacity * sizeof *more);
        if (more == NULL)
            return sw_error(SW_ERR_MEMORY, "%lld records of element %lld", (long long)capacity, (long long)r);
        list->row = more;
        list->capacity = capacity;
    }
    if (n > 0)
        memcpy(list->row + list->n, row, (size_t)n * sizeof *row);
    list->n += n;
    return SW_OK;
}

const sw_dem_row *sw_dem_rows(const sw_dem *dem, int64_t r, int64_t *n)
{
    *n = dem->rows[r].n;
    return dem->rows[r].row;
}

void sw_dem_last_row(const sw_dem *dem, int64_t r, sw_dem_row *row) { sw_dem_fill_row(&dem->rve[r], row); }
