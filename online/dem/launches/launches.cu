/* The loop of Lubbe et al. 2022 (section 7, Figs. 3, 4): kernels over all pairs and all particles of all
 * elements, a few a step; at the end of control intervals kernels with a block an element, which measure and
 * control with the source that teams use.
 *
 *     until all elements are done:
 *         admit        elements that wait, while there is memory
 *         make_lists   of those that need one
 *         make_round   steps: some intervals of each element, lists between them
 *         settle       records to the host; elements that are done leave, those short of memory get it
 *
 * Elements do not know each other, so one that waits for the end of a round has the same bits as alone;
 * rounds keep the intervals of many elements in step, and lists are made for many at once. What can fail but
 * the GPU itself does so between rounds, when every element is between two intervals and can go on later. All
 * on the default stream.
 *
 * Dimensions: R elements of the batch, W of a launch. */
#include <stdio.h>
#include <stdlib.h>

#include "common/system/progress.h"
#include "kernels.cuh"
#include "launches.h"
#include "lists.cuh"
#include "online/dem/backend/device_memory.cuh"

namespace
{

/* Times of stages by the GPU's clock, when seconds is not NULL; a pause of the GPU counts to what was before. */
struct stopwatch {
    enum { MARKS = 512 };
    double *seconds; /* [SW_DEM_LAUNCH_STAGES] */
    int n;
    cudaEvent_t event[MARKS + 1];
    int what[MARKS]; /* from event i to event i + 1 */
};

/* Numbers of elements. */
struct numbers {
    int64_t n;
    int32_t *host, *device; /* [R] */
};

struct run {
    sw_dem *dem;
    int64_t next;             /* first element that was not on the device yet */
    double used, memory;      /* bytes */
    numbers resident;         /* on the device */
    numbers moving;           /* make steps in this round */
    numbers due;              /* are at the end of an interval */
    numbers waiting;          /* for a list */
    numbers stale;            /* of these, without valid pairs */
    element *view;            /* [R] on the host, pointers of the device; block NULL: not there */
    element *all;             /* [R] the same on the device */
    look *looks;              /* [R] */
    look *seen, *device_seen; /* [W] as they come */
    int32_t *left;            /* [R] steps to the end of the element's interval */
    int32_t *first;           /* [R + 1] positions of stale elements */
    detection_memory detection;
    double position_bytes; /* of detection */
    stopwatch watch;
};

void add(numbers *to, int64_t e) { to->host[to->n++] = (int32_t)e; }

template <class Condition> void keep(numbers *of, const Condition &condition)
{
    int64_t n = 0;
    for (int64_t w = 0; w < of->n; w++)
        if (condition(of->host[w]))
            of->host[n++] = of->host[w];
    of->n = n;
}

/* ---- Stages' times ---- */

sw_status read_stopwatch(stopwatch *watch)
{
    if (watch->n == 0)
        return SW_OK;
    SW_CUDA_TRY(cudaEventRecord(watch->event[watch->n]));
    SW_CUDA_TRY(cudaEventSynchronize(watch->event[watch->n]));
    for (int i = 0; i < watch->n; i++) {
        float milliseconds;
        SW_CUDA_TRY(cudaEventElapsedTime(&milliseconds, watch->event[i], watch->event[i + 1]));
        watch->seconds[watch->what[i]] += 1e-3 * milliseconds;
    }
    watch->n = 0;
    return SW_OK;
}

/* What is launched from now on is of this stage. */
sw_status begin(run *r, int what)
{
    stopwatch *watch = &r->watch;
    if (watch->seconds == NULL || (watch->n > 0 && watch->what[watch->n - 1] == what))
        return SW_OK;
    if (watch->n == stopwatch::MARKS)
        SW_TRY(read_stopwatch(watch));
    watch->what[watch->n] = what;
    SW_CUDA_TRY(cudaEventRecord(watch->event[watch->n++]));
    return SW_OK;
}

/* ---- Elements to the device and back ---- */

/* Bytes of an element there. */
double bytes_there(const sw_dem_rve *rve, double position_bytes)
{
    return (double)rve->bytes + (double)rve->pair_capacity /* work */
           + position_bytes * (double)(rve->n_particles + rve->image_capacity);
}

double footprint(const run *r, int64_t e) { return bytes_there(&r->dem->rve[e], r->position_bytes); }

int is_there(const run *r, int64_t e) { return r->view[e].rve.block != NULL; }

void discard(run *r, int64_t e)
{
    r->used -= footprint(r, e);
    sw_dem_device_free(&r->view[e].rve);
    cudaFree(r->view[e].work);
    r->view[e].work = NULL;
}

/* Helped where it came back for that. */
sw_status upload(run *r, int64_t e)
{
    sw_dem_rve *host = &r->dem->rve[e];
    element *view = &r->view[e];
    SW_TRY(begin(r, SW_DEM_LAUNCH_COPIES));
    if (sw_dem_needs_host(host->state->status))
        SW_TRY(sw_dem_help(r->dem, e));
    SW_TRY(sw_dem_upload(host, &view->rve));
    r->used += footprint(r, e);
    const int64_t most = host->pair_capacity > host->n_particles ? host->pair_capacity : host->n_particles;
    view->warps = (most + WARP - 1) / WARP;
    SW_TRY(SW_CUDA_ALLOCATE(view->work, SW_DEM_WORKS * view->warps, "energies of a volume element"));
    SW_CUDA_TRY(cudaMemcpy(&r->all[e], view, sizeof *view, cudaMemcpyHostToDevice));
    r->looks[e] = {};
    r->looks[e].list_valid = host->state->list_valid;
    return SW_OK;
}

/* Records of an element to the host. */
sw_status fetch_rows(run *r, int64_t e)
{
    sw_dem_state *state = r->view[e].rve.state;
    int64_t n;
    SW_TRY(begin(r, SW_DEM_LAUNCH_COPIES));
    SW_CUDA_TRY(cudaMemcpy(&n, &state->n_rows, sizeof n, cudaMemcpyDeviceToHost));
    SW_TRY(sw_dem_device_rows(r->dem, e, &r->view[e].rve, n));
    SW_CUDA_TRY(cudaMemset(&state->n_rows, 0, sizeof n));
    return SW_OK;
}

sw_status bring_back(run *r, int64_t e)
{
    SW_TRY(fetch_rows(r, e));
    SW_TRY(sw_dem_download(&r->view[e].rve, &r->dem->rve[e]));
    discard(r, e);
    return SW_OK;
}

/* Elements that wait, in their order. */
sw_status admit(run *r)
{
    sw_dem *dem = r->dem;
    for (; r->next < dem->n; r->next++) {
        const int64_t e = r->next;
        if (!sw_dem_unfinished(&dem->rve[e]))
            continue;
        if (r->resident.n == MOST_ELEMENTS || (r->resident.n > 0 && r->used + footprint(r, e) > r->memory))
            return SW_OK;
        SW_TRY(upload(r, e));
        add(&r->resident, e);
        add(&r->waiting, e);
    }
    return SW_OK;
}

/* Memory for a detection of all elements that are there. */
sw_status reserve_all(run *r)
{
    int64_t positions = 0;
    for (int64_t w = 0; w < r->resident.n; w++) {
        const sw_dem_rve *rve = &r->dem->rve[r->resident.host[w]];
        positions += rve->n_particles + rve->image_capacity;
    }
    return reserve(&r->detection, positions);
}

/* ---- Launches ---- */

/* These elements for the next launches. */
sw_status choose(run *r, const numbers *which, selection *s)
{
    SW_TRY(begin(r, SW_DEM_LAUNCH_COPIES));
    SW_CUDA_TRY(cudaMemcpy(which->device, which->host, (size_t)which->n * sizeof *which->host,
                           cudaMemcpyHostToDevice));
    *s = {r->all, which->device, which->n};
    return SW_OK;
}

/* Looks at chosen elements; waits. */
sw_status see(run *r, const numbers *which, const selection *s)
{
    SW_TRY(begin(r, SW_DEM_LAUNCH_COPIES));
    look_at<<<blocks_for(s->n), THREADS>>>(*s, r->device_seen);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpy(r->seen, r->device_seen, (size_t)s->n * sizeof *r->seen, cudaMemcpyDeviceToHost));
    for (int64_t w = 0; w < s->n; w++)
        r->looks[which->host[w]] = r->seen[w];
    return SW_OK;
}

int is_running(const run *r, int64_t e) { return r->looks[e].status == SW_DEM_RUNNING; }

/* Pairs of stale elements: of those that are in order once their particles are in the cell. */
sw_status renew_pairs(run *r)
{
    sw_dem *dem = r->dem;
    detection_task task = {};
    selection s;
    SW_TRY(choose(r, &r->stale, &s));
    SW_TRY(begin(r, SW_DEM_LAUNCH_DETECTION));
    into_cell<<<(unsigned)s.n, THREADS>>>(s);
    SW_CUDA_TRY_LAUNCH();
    if (dem->options.images == SW_DEM_BOUNDARY_PARTICLES) {
        SW_TRY(begin(r, SW_DEM_LAUNCH_BOUNDARY));
        make_images<<<(unsigned)s.n, THREADS>>>(s);
        SW_CUDA_TRY_LAUNCH();
    }
    SW_TRY(see(r, &r->stale, &s));
    keep(&r->stale, [&](int64_t e) { return is_running(r, e); });
    if (r->stale.n == 0)
        return SW_OK;
    SW_TRY(choose(r, &r->stale, &task.s));
    for (int64_t w = 0; w < r->stale.n; w++) {
        const int64_t e = r->stale.host[w], p = dem->rve[e].n_particles, k = p + r->looks[e].n_images;
        r->first[w] = (int32_t)task.positions;
        task.positions += k;
        task.most_particles = p > task.most_particles ? p : task.most_particles;
        task.most_positions = k > task.most_positions ? k : task.most_positions;
        for (int i = 0; i < 3; i++)
            task.bins[i] = r->looks[e].bins[i] > task.bins[i] ? r->looks[e].bins[i] : task.bins[i];
    }
    r->first[r->stale.n] = (int32_t)task.positions;
    if (r->detection.first != NULL)
        SW_CUDA_TRY(cudaMemcpy(r->detection.first, r->first, (size_t)(r->stale.n + 1) * sizeof *r->first,
                               cudaMemcpyHostToDevice));
    SW_TRY(begin(r, SW_DEM_LAUNCH_DETECTION));
    return detect(&r->detection, &task);
}

/* Lists of waiting elements; what becomes of those that cannot have one is for `settle`. */
sw_status make_lists(run *r)
{
    selection s;
    r->stale.n = 0;
    for (int64_t w = 0; w < r->waiting.n; w++)
        if (!r->looks[r->waiting.host[w]].list_valid)
            add(&r->stale, r->waiting.host[w]);
    if (r->stale.n > 0)
        SW_TRY(renew_pairs(r));
    if (r->waiting.n > 0) {
        SW_TRY(choose(r, &r->waiting, &s));
        SW_TRY(begin(r, SW_DEM_LAUNCH_DETECTION));
        index_pairs<<<(unsigned)s.n, THREADS>>>(s);
        SW_CUDA_TRY_LAUNCH();
        SW_TRY(see(r, &r->waiting, &s));
        r->waiting.n = 0;
    }
    return SW_OK;
}

/* n steps of moving elements; the last ends an interval of those that are due. */
sw_status steps(run *r, int32_t n)
{
    selection moving, due;
    int64_t pairs = 0, particles = 0, images = 0;
    SW_TRY(choose(r, &r->moving, &moving));
    SW_TRY(choose(r, &r->due, &due));
    for (int64_t w = 0; w < r->moving.n; w++) {
        const int64_t e = r->moving.host[w], p = r->dem->rve[e].n_particles;
        const look *l = &r->looks[e];
        pairs = l->n_pairs > pairs ? l->n_pairs : pairs;
        images = l->n_images > images ? l->n_images : images;
        particles = p > particles ? p : particles;
        r->dem->particle_steps += (double)n * (double)p;
    }
    const dim3 by_pair = rows_for(pairs, &moving), by_particle = rows_for(particles, &moving),
               by_image = rows_for(images, &moving);
    for (int32_t k = 1; k <= n; k++) {
        SW_TRY(begin(r, SW_DEM_LAUNCH_FORCES));
        pairs_step<<<by_pair, THREADS>>>(moving);
        SW_CUDA_TRY_LAUNCH();
        if (k == n) {
            SW_TRY(begin(r, SW_DEM_LAUNCH_AVERAGING));
            measure<<<(unsigned)due.n, THREADS>>>(due);
            SW_CUDA_TRY_LAUNCH();
        }
        SW_TRY(begin(r, SW_DEM_LAUNCH_MOTION));
        particles_step<<<by_particle, THREADS>>>(moving);
        SW_CUDA_TRY_LAUNCH();
        if (images > 0) {
            SW_TRY(begin(r, SW_DEM_LAUNCH_BOUNDARY));
            images_step<<<by_image, THREADS>>>(moving);
            SW_CUDA_TRY_LAUNCH();
        }
    }
    SW_TRY(begin(r, SW_DEM_LAUNCH_SERVO));
    control<<<(unsigned)due.n, THREADS>>>(due);
    SW_CUDA_TRY_LAUNCH();
    return see(r, &r->due, &due);
}

/* As many intervals of each element as fit into the longest one of any. */
sw_status make_round(run *r)
{
    int32_t longest = 0, made = 0;
    r->moving.n = 0;
    for (int64_t w = 0; w < r->resident.n; w++) {
        const int64_t e = r->resident.host[w];
        if (!is_running(r, e)) /* it has no list */
            continue;
        r->left[e] = r->looks[e].interval;
        longest = r->left[e] > longest ? r->left[e] : longest;
        add(&r->moving, e);
    }
    while (r->moving.n > 0) {
        int32_t n = longest;
        for (int64_t w = 0; w < r->moving.n; w++)
            n = r->left[r->moving.host[w]] < n ? r->left[r->moving.host[w]] : n;
        r->due.n = 0;
        for (int64_t w = 0; w < r->moving.n; w++)
            if ((r->left[r->moving.host[w]] -= n) == 0)
                add(&r->due, r->moving.host[w]);
        SW_TRY(steps(r, n));
        made += n;
        /* those that are due have another interval, with a list for it, or are out of the round */
        keep(&r->moving, [&](int64_t e) {
            const look *l = &r->looks[e];
            if (r->left[e] > 0)
                return true;
            r->left[e] = l->interval;
            return is_running(r, e) && made + l->interval <= longest &&
                   l->n_rows < r->view[e].rve.row_capacity;
        });
        for (int64_t w = 0; w < r->moving.n; w++)
            if (!r->looks[r->moving.host[w]].list_valid)
                add(&r->waiting, r->moving.host[w]);
        SW_TRY(make_lists(r));
        keep(&r->moving, [&](int64_t e) { return is_running(r, e); });
    }
    return SW_OK;
}

/* After a round, when all elements are between intervals: what becomes of each. */
sw_status settle(run *r)
{
    for (int64_t w = 0; w < r->resident.n; w++) {
        const int64_t e = r->resident.host[w];
        if (!is_running(r, e)) {
            SW_TRY(bring_back(r, e));
            if (!sw_dem_unfinished(&r->dem->rve[e])) {
                r->dem->finished++;
                continue;
            }
            SW_TRY(upload(r, e)); /* with what it waited for */
            add(&r->waiting, e);  /* lists by particle did not travel */
            continue;
        }
        if (r->looks[e].n_rows == r->view[e].rve.row_capacity)
            SW_TRY(fetch_rows(r, e));
        if (!r->looks[e].list_valid)
            add(&r->waiting, e);
    }
    keep(&r->resident, [&](int64_t e) { return is_there(r, e); });
    return SW_OK;
}

/* ---- The run ---- */

sw_status allocate(numbers *of, int64_t n)
{
    SW_TRY(SW_ALLOCATE(of->host, n, "numbers of elements"));
    return SW_CUDA_ALLOCATE(of->device, n, "numbers of elements");
}

sw_status open_run(run *r)
{
    const int64_t n = r->dem->n;
    size_t available, total;
    SW_TRY(SW_ALLOCATE(r->view, n, "elements"));
    SW_TRY(SW_ALLOCATE(r->looks, n, "elements"));
    SW_TRY(SW_ALLOCATE(r->seen, n, "elements"));
    SW_TRY(SW_ALLOCATE(r->left, n, "elements"));
    SW_TRY(SW_ALLOCATE(r->first, n + 1, "elements"));
    for (numbers *of : {&r->resident, &r->moving, &r->due, &r->waiting, &r->stale})
        SW_TRY(allocate(of, n));
    SW_TRY(SW_CUDA_ALLOCATE(r->all, n, "elements"));
    SW_TRY(SW_CUDA_ALLOCATE(r->device_seen, n, "elements"));
    SW_CUDA_TRY(cudaMemGetInfo(&available, &total));
    r->memory = 0.9 * (double)available;
    if (r->dem->options.memory > 0 && (double)r->dem->options.memory < r->memory)
        r->memory = (double)r->dem->options.memory;
    r->detection.detection = r->dem->options.detection;
    r->position_bytes = bytes_of_position(r->detection.detection);
    if (r->watch.seconds != NULL)
        for (cudaEvent_t &event : r->watch.event)
            SW_CUDA_TRY(cudaEventCreate(&event));
    return SW_OK;
}

sw_status advance_all(run *r, sw_dem_watch *watch, void *context)
{
    double watched = sw_seconds();
    for (;;) {
        SW_TRY(admit(r));
        if (r->resident.n == 0)
            return SW_OK;
        SW_TRY(reserve_all(r));
        SW_TRY(make_lists(r));
        SW_TRY(make_round(r));
        SW_TRY(settle(r));
        SW_TRY(sw_interrupt_check());
        if (watch != NULL && sw_seconds() - watched > 0.2) {
            SW_TRY(watch(context, r->dem, r->dem->particle_steps, r->dem->finished));
            watched = sw_seconds();
        }
    }
}

/* Everything back and released; the first failure counts. */
sw_status close_run(run *r, sw_status status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", sw_error_message());
    for (int64_t e = 0; r->view != NULL && e < r->dem->n; e++)
        if (is_there(r, e)) {
            const sw_status own = bring_back(r, e);
            if (own != SW_OK && status == SW_OK) {
                status = own;
                snprintf(message, sizeof message, "%s", sw_error_message());
            }
            if (own != SW_OK)
                discard(r, e);
        }
    if (r->watch.seconds != NULL && status == SW_OK && (status = read_stopwatch(&r->watch)) != SW_OK)
        snprintf(message, sizeof message, "%s", sw_error_message());
    for (cudaEvent_t event : r->watch.event)
        if (event != NULL)
            cudaEventDestroy(event);
    for (numbers *of : {&r->resident, &r->moving, &r->due, &r->waiting, &r->stale}) {
        free(of->host);
        cudaFree(of->device);
    }
    cudaFree(r->detection.block);
    cudaFree(r->all);
    cudaFree(r->device_seen);
    free(r->view);
    free(r->looks);
    free(r->seen);
    free(r->left);
    free(r->first);
    return status == SW_OK ? SW_OK : sw_error(status, "%s", message);
}

sw_status run_launches(sw_dem *dem, sw_dem_watch *watch, void *context, double *seconds)
{
    run r = {};
    if (dem->finished == dem->n)
        return SW_OK;
    r.dem = dem;
    r.watch.seconds = seconds;
    sw_status status = open_run(&r);
    if (status == SW_OK)
        status = advance_all(&r, watch, context);
    return close_run(&r, status);
}

} // namespace

sw_status sw_dem_run_launches(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    return run_launches(dem, watch, context, NULL);
}

sw_status sw_dem_launches_profile(sw_dem *dem, double seconds[SW_DEM_LAUNCH_STAGES])
{
    return run_launches(dem, NULL, NULL, seconds);
}

double sw_dem_launches_bytes(const sw_dem *dem)
{
    const double position = bytes_of_position(dem->options.detection);
    double bytes = 0;
    for (int64_t e = 0; e < dem->n; e++)
        bytes += bytes_there(&dem->rve[e], position);
    return bytes;
}
