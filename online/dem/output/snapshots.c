#include "snapshots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/text.h"
#include "common/files/vtkhdf.h"
#include "output.h"
#include "particles.h"

/* Times of an element's snapshots (s); NaN where the series of an earlier run did not have them. */
typedef struct {
    int64_t n, capacity;
    double *time;
} times;

struct sw_dem_snapshots {
    const sw_dem_job *job;
    times *of; /* [R] */
};

static sw_status append(times *t, double time)
{
    if (t->n == t->capacity) {
        const int64_t capacity = 2 * t->capacity + 16;
        double *more = realloc(t->time, (size_t)capacity * sizeof *more);
        if (more == NULL)
            return sw_error(SW_ERR_MEMORY, "times of %lld snapshots", (long long)capacity);
        t->time = more;
        t->capacity = capacity;
    }
    t->time[t->n++] = time;
    return SW_OK;
}

/* ---- The series ---- */

/* The first n times of a series that an earlier run wrote. */
static sw_status read_series(const char *path, int64_t n, times *t)
{
    char *text = NULL;
    const char *at = NULL;
    if (t->n < n && access(path, F_OK) == 0) {
        SW_TRY(sw_read_text(path, &text));
        at = strstr(text, sw_vtkhdf_series_time);
    }
    sw_status status = SW_OK;
    while (t->n < n && status == SW_OK) {
        status = append(t, at != NULL ? strtod(at + strlen(sw_vtkhdf_series_time), NULL) : NAN);
        at = at != NULL ? strstr(at + 1, sw_vtkhdf_series_time) : NULL;
    }
    free(text);
    return status;
}

static sw_status write_series(const sw_dem_job *job, int64_t r, const times *t, const char *path)
{
    sw_vtkhdf_series series;
    sw_status status = SW_OK;
    SW_TRY(sw_vtkhdf_series_begin(path, &series));
    for (int64_t k = 0; k < t->n && status == SW_OK; k++)
        if (isfinite(t->time[k]))
            status = sw_vtkhdf_series_add(&series, sw_dem_snapshot_name(job, r, k), t->time[k]);
    return sw_vtkhdf_series_end(&series, status);
}

/* ---- A snapshot ---- */

static sw_status write_particles(const sw_dem_job *job, sw_dem *dem, int64_t r, int64_t number)
{
    char *name = sw_dem_snapshot_name(job, r, number);
    if (name == NULL)
        return SW_ERR_MEMORY;
    const sw_status status = sw_dem_write_particles(dem, r, name);
    free(name);
    return status;
}

static sw_status take(void *context, sw_dem *dem, int64_t r)
{
    sw_dem_snapshots *s = context;
    const sw_dem_state *state = sw_dem_get(dem, r)->state;
    times *t = &s->of[r];
    char *series = sw_dem_packing_name(s->job, r, "vtkhdf.series");
    if (series == NULL)
        return SW_ERR_MEMORY;
    sw_status status = read_series(series, state->n_snapshots, t);
    if (status == SW_OK)
        status = write_particles(s->job, dem, r, state->n_snapshots);
    if (t->n > state->n_snapshots) /* one that could not be told of is told of anew */
        t->n = state->n_snapshots;
    if (status == SW_OK)
        status = append(t, state->time);
    if (status == SW_OK)
        status = write_series(s->job, r, t, series);
    free(series);
    return status;
}

/* ---- All of them ---- */

sw_status sw_dem_snapshots_begin(const sw_dem_job *job, sw_dem *dem, sw_dem_snapshots **snapshots)
{
    sw_dem_snapshots *s;
    *snapshots = NULL;
    if (!(job->output.snapshot_strain > 0))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(s, 1, "snapshots"));
    s->job = job;
    const sw_status status = SW_ALLOCATE(s->of, job->n_elements, "snapshots");
    if (status != SW_OK) {
        free(s);
        return status;
    }
    sw_dem_on_snapshot(dem, job->output.snapshot_strain, take, s);
    *snapshots = s;
    return SW_OK;
}

void sw_dem_snapshots_end(sw_dem_snapshots *snapshots)
{
    if (snapshots == NULL)
        return;
    for (int64_t r = 0; r < snapshots->job->n_elements; r++)
        free(snapshots->of[r].time);
    free(snapshots->of);
    free(snapshots);
}
