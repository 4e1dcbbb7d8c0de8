/* Elements on a GPU, a team of threads each, many steps a launch.
 *
 * A block keeps positions, velocities, spins and radii in shared memory when they fit (2,760 particles on an
 * H200), and the state too; pairs, their history and results stream through L1 and L2. A launch runs
 * every element for some time by the GPU's own clock, so that blocks with more to do do not hold up the
 * others; where it is cut does not matter to the bits, only the team does. Elements wait for a slot in device
 * memory when there are more than fit, and give it up when they are done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advance.cuh"
#include "batch.h"
#include "common/system/progress.h"
#include "online/dem/backend/device_memory.cuh"
#include "online/dem/backend/names.h"
#include "online/gpu/cuda_check.h"
#include "online/gpu/gpu.h"

namespace
{

using namespace dem;

enum { QUANTUM_MS = 100, STAGING = 1 << 26, NOT_YET = 1 << 30 };

/* Above so many particles a block no longer holds an element: then clusters; then the whole GPU. By the size
 * of elements alone, not by their number: or a batch would not give the bits of an element alone. */
enum { CLUSTER_AT_LEAST = 6000, DEVICE_AT_LEAST = 40000 };

/* Unbalanced force that single precision (sw_dem_bear) surely allows: elements came to 1e-7 in as many steps. */
const double LEAST_REST = 1e-6;

/* ---- Host ---- */

/* How an element is advanced; depends on nothing but its size, what is in it, where its stages end and the options, so that
 * its bits do not depend on its neighbours in a batch. */
struct team_choice {
    sw_dem_team team;
    bool shared; /* particles in shared memory */
    /* its law remembers, or it has walls, gravity or clumps, or comes to rest closer than forces in single precision can:
     * kernels that sand does without */
    bool flows;
};

const team_choice choices[] = {{SW_DEM_BLOCK, true, false},    {SW_DEM_BLOCK, false, false},
                               {SW_DEM_CLUSTER, false, false}, {SW_DEM_DEVICE, false, false},
                               {SW_DEM_BLOCK, true, true},     {SW_DEM_BLOCK, false, true},
                               {SW_DEM_CLUSTER, false, true},  {SW_DEM_DEVICE, false, true}};

/* What this GPU has. */
struct gpu_limits {
    size_t shared; /* bytes that a block has for particles */
    int processors, major;
};

/* Everything of one run; released by `release`. */
struct run {
    sw_dem *dem;
    gpu_limits limits;
    team_choice choice;  /* of this run: elements of others are left alone */
    size_t bytes;        /* of shared memory for the largest element */
    int64_t slots, next; /* next: element that waits first */
    int64_t *element;    /* [slots] in it; -1: none */
    int64_t n_held;      /* slots whose elements wait for their crystals */
    int32_t *held;       /* [n_held] these */
    int64_t *asked;      /* [n_held] their elements */
    int64_t *place;      /* [n_held] these in staging */
    char *staging;       /* page-locked; NULL: not needed so far */
    bool unstaged;       /* the host has no such memory */
    double *begun;       /* [slots] its steps when last looked at */
    sw_dem_rve *view;    /* [slots] device pointers */
    sw_dem_rve *rve;     /* [slots] the same on the device */
    int32_t *list, *active;
    report *result, *reported;
    int32_t *waiting;    /* device: of a launch */
    cudaStream_t stream; /* of launches: beside them others go on */
    double *team_scratch;
    int32_t *team_counts;
};

sw_status find_limits(gpu_limits *limits)
{
    cudaFuncAttributes attributes;
    sw_gpu gpu;
    SW_TRY(sw_gpu_current(&gpu));
    limits->processors = gpu.multiprocessors;
    limits->major = gpu.major;
    SW_CUDA_TRY(cudaFuncGetAttributes(&attributes, advance<SW_TEAM_BLOCK, true, true>));
    limits->shared = gpu.shared_memory - attributes.sharedSizeBytes; /* the same with and without flow */
    /* the same for all runs of a process: it is the kernel's, not a launch's */
    SW_CUDA_TRY(cudaFuncSetAttribute(advance<SW_TEAM_BLOCK, true, false>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)limits->shared));
    SW_CUDA_TRY(cudaFuncSetAttribute(advance<SW_TEAM_BLOCK, true, true>,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, (int)limits->shared));
    return SW_OK;
}

size_t particle_bytes(int64_t n) { return (size_t)n * 10 * sizeof(double); }

/* The least unbalanced force that a stage ends at. */
double least_rest(const sw_dem_rve *rve)
{
    double least = INFINITY;
    for (int64_t k = 0; k < rve->n_stages; k++)
        if (rve->stage[k].until == SW_DEM_UNTIL_EQUILIBRIUM)
            least = fmin(least, rve->stage[k].goal);
    return least;
}

team_choice choose(const sw_dem_options *options, const gpu_limits *limits, const sw_dem_rve *rve)
{
    const int64_t n = rve->n_particles;
    team_choice choice;
    choice.flows = rve->law_numbers > 0 || rve->n_walls > 0 || rve->heavy || rve->n_clumps > 0 ||
                   least_rest(rve) < LEAST_REST;
    choice.team = options->team;
    if (choice.team == SW_DEM_AUTO) {
        choice.team = n >= DEVICE_AT_LEAST    ? SW_DEM_DEVICE
                      : n >= CLUSTER_AT_LEAST ? SW_DEM_CLUSTER
                                              : SW_DEM_BLOCK;
        if (choice.team == SW_DEM_CLUSTER && limits->major < 9) /* which have no clusters */
            choice.team = SW_DEM_DEVICE;
    }
    choice.shared = choice.team == SW_DEM_BLOCK && particle_bytes(n) <= limits->shared &&
                    options->images == SW_DEM_NEAREST; /* images lie behind positions */
    return choice;
}

/* Whether an element waits for this run. */
bool waits(const run *r, int64_t e)
{
    const sw_dem_rve *rve = &r->dem->rve[e];
    const team_choice own = choose(&r->dem->options, &r->limits, rve);
    return sw_dem_unfinished(rve) && own.team == r->choice.team && own.shared == r->choice.shared &&
           own.flows == r->choice.flows;
}

/* An element that waits, into an empty slot; none when all are on their way. */
sw_status fill_slot(run *r, int64_t s)
{
    sw_dem *dem = r->dem;
    while (r->next < dem->n && !waits(r, r->next))
        r->next++;
    if (r->next == dem->n)
        return SW_OK;
    if (sw_dem_needs_host(dem->rve[r->next].state->status)) /* as it was stopped, added to or restored */
        SW_TRY(sw_dem_help(dem, r->next));
    SW_TRY(sw_dem_upload(&dem->rve[r->next], &r->view[s]));
    r->begun[s] = (double)dem->rve[r->next].state->step;
    r->element[s] = r->next++;
    SW_CUDA_TRY(cudaMemcpy(&r->rve[s], &r->view[s], sizeof r->view[s], cudaMemcpyHostToDevice));
    return SW_OK;
}

/* The element of a slot back to the host, and the slot empty. */
sw_status empty_slot(run *r, int64_t s)
{
    sw_dem *dem = r->dem;
    const int64_t e = r->element[s];
    const sw_status status = sw_dem_download(&r->view[s], &dem->rve[e]);
    sw_dem_device_free(&r->view[s]);
    r->element[s] = -1;
    return status;
}

/* Kept memory of as many of the elements that are held, from number k on, as staging holds: to the host or to the GPU, where
 * they are laid out alike. Their number, 0 where not one fits. */
sw_status copy_staged(run *r, int64_t k, bool down, int64_t *copied)
{
    int64_t used = 0, end = k;
    for (; end < r->n_held && used + r->view[r->held[end]].kept_bytes <= STAGING; end++) {
        r->place[end] = used;
        used += r->view[r->held[end]].kept_bytes;
    }
    *copied = end - k;
    if (*copied == 0)
        return SW_OK;
    if (r->staging == NULL && !r->unstaged)
        r->unstaged = sw_gpu_allocate_host(STAGING, (void **)&r->staging) != SW_OK;
    if (r->unstaged) { /* one by one */
        *copied = 0;
        return SW_OK;
    }
    if (!down)
        sw_dem_copy_kept(r->dem, *copied, r->asked + k, r->place + k, r->staging, 0);
    for (int64_t j = k; j < end; j++) {
        const sw_dem_rve *view = &r->view[r->held[j]];
        char *here = r->staging + r->place[j];
        SW_CUDA_TRY(cudaMemcpyAsync(down ? here : view->block, down ? view->block : here,
                                    (size_t)view->kept_bytes, cudaMemcpyDefault));
    }
    SW_CUDA_TRY(cudaStreamSynchronize(0));
    if (down)
        sw_dem_copy_kept(r->dem, *copied, r->asked + k, r->place + k, r->staging, 1);
    return SW_OK;
}

/* All of them, one way. */
sw_status copy_held(run *r, bool down)
{
    int64_t copied;
    for (int64_t k = 0; k < r->n_held; k += copied) {
        sw_dem_rve *view = &r->view[r->held[k]], *host = &r->dem->rve[r->asked[k]];
        SW_TRY(copy_staged(r, k, down, &copied));
        if (copied > 0)
            continue;
        SW_TRY(down ? sw_dem_download(view, host) : sw_dem_upload_again(host, view));
        copied = 1;
    }
    return SW_OK;
}

/* Elements that are held: back, their crystals asked together, and in their slots again; which are empty where they stay on
 * the host. Beside a launch of others. */
sw_status ask_crystals(run *r)
{
    for (int64_t k = 0; k < r->n_held; k++)
        r->asked[k] = r->element[r->held[k]];
    SW_TRY(copy_held(r, true));
    for (int64_t k = 0; k < r->n_held; k++)
        r->element[r->held[k]] = -1;
    sw_status status = sw_dem_help_with_crystals(r->dem, r->n_held, r->asked);
    if (status == SW_OK)
        status = copy_held(r, false);
    for (int64_t k = 0; k < r->n_held; k++)
        if (status == SW_OK)
            r->element[r->held[k]] = r->asked[k];
        else
            sw_dem_device_free(&r->view[r->held[k]]);
    r->n_held = 0;
    return status;
}

/* The element of a slot that waits for something else, likewise; beside no launch. */
sw_status help_slot(run *r, int64_t s)
{
    const int64_t e = r->element[s];
    SW_TRY(empty_slot(r, s));
    SW_TRY(sw_dem_help(r->dem, e));
    SW_TRY(sw_dem_upload(&r->dem->rve[e], &r->view[s]));
    r->element[s] = e;
    SW_CUDA_TRY(cudaMemcpy(&r->rve[s], &r->view[s], sizeof r->view[s], cudaMemcpyHostToDevice));
    return SW_OK;
}

/* How many elements of this run fit beside each other; 0: there are none. */
sw_status count_slots(run *r)
{
    const sw_dem *dem = r->dem;
    size_t available, total;
    int64_t bytes = 1, waiting = 0;
    SW_CUDA_TRY(cudaMemGetInfo(&available, &total));
    double most = 0.8 * (double)available;
    if (dem->options.memory > 0 && (double)dem->options.memory < most)
        most = (double)dem->options.memory;
    for (int64_t e = 0; e < dem->n; e++)
        if (waits(r, e)) {
            const size_t shared = particle_bytes(dem->rve[e].n_particles);
            bytes = dem->rve[e].bytes > bytes ? dem->rve[e].bytes : bytes;
            r->bytes = r->choice.shared && shared > r->bytes ? shared : r->bytes;
            waiting++;
        }
    const double fit = floor(most / (double)bytes);
    if (waiting > 0 && fit < 1)
        return sw_error(SW_ERR_MEMORY, "GPU: %.1f MB for one element: %.1f MB are there",
                        (double)bytes * 1e-6, most * 1e-6);
    r->slots = fit < (double)waiting ? (int64_t)fit : waiting;
    return SW_OK;
}

void release(run *r)
{
    for (int64_t s = 0; r->element != NULL && r->view != NULL && s < r->slots; s++)
        if (r->element[s] >= 0)
            sw_dem_device_free(&r->view[s]);
    cudaFree(r->rve);
    cudaFree(r->active);
    cudaFree(r->result);
    cudaFree(r->waiting);
    sw_gpu_free_host(r->staging);
    if (r->stream != NULL)
        cudaStreamDestroy(r->stream);
    cudaFree(r->team_scratch);
    cudaFree(r->team_counts);
    free(r->element);
    free(r->held);
    free(r->asked);
    free(r->place);
    free(r->begun);
    free(r->view);
    free(r->list);
    free(r->reported);
}

sw_status open_run(run *r)
{
    const int64_t n = r->slots;
    r->element = (int64_t *)malloc((size_t)n * sizeof *r->element);
    for (int64_t s = 0; r->element != NULL && s < n; s++)
        r->element[s] = -1;
    r->held = (int32_t *)malloc((size_t)n * sizeof *r->held);
    r->asked = (int64_t *)malloc((size_t)n * sizeof *r->asked);
    r->place = (int64_t *)malloc((size_t)n * sizeof *r->place);
    r->begun = (double *)malloc((size_t)n * sizeof *r->begun);
    r->view = (sw_dem_rve *)calloc((size_t)n, sizeof *r->view);
    r->list = (int32_t *)malloc((size_t)n * sizeof *r->list);
    r->reported = (report *)malloc((size_t)n * sizeof *r->reported);
    if (r->element == NULL || r->held == NULL || r->asked == NULL || r->place == NULL || r->begun == NULL ||
        r->view == NULL || r->list == NULL || r->reported == NULL)
        return sw_error(SW_ERR_MEMORY, "%lld elements at a time", (long long)n);
    const int64_t blocks = r->choice.team == SW_DEM_DEVICE    ? r->limits.processors
                           : r->choice.team == SW_DEM_CLUSTER ? CLUSTER * n
                                                              : 0;
    SW_TRY(SW_CUDA_ALLOCATE(r->rve, n, "elements"));
    SW_TRY(SW_CUDA_ALLOCATE(r->active, n, "elements"));
    SW_TRY(SW_CUDA_ALLOCATE(r->result, n, "elements"));
    SW_TRY(SW_CUDA_ALLOCATE(r->waiting, 1, "elements"));
    SW_CUDA_TRY(cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
    SW_TRY(SW_CUDA_ALLOCATE(r->team_scratch, blocks * SW_TEAM_VALUES, "teams"));
    SW_TRY(SW_CUDA_ALLOCATE(r->team_counts, blocks + n + 1, "teams"));
    for (int64_t s = 0; s < n; s++)
        SW_TRY(fill_slot(r, s));
    return SW_OK;
}

template <bool FLOWS> sw_status launch_team(run *r, int64_t n)
{
    const int32_t enough = r->n_held > 0 ? NOT_YET : (int32_t)(n + 1) / 2;
    batch b = {r->rve,     r->active, r->result, r->team_scratch, r->team_counts, QUANTUM_MS * 1000000LL,
               r->waiting, enough};
    switch (r->choice.team) {
    case SW_DEM_CLUSTER:
        SW_TRY(launch_clusters(b, n, FLOWS, r->stream));
        break;
    case SW_DEM_DEVICE: /* one after another */
        for (int64_t k = 0; k < n; k++, b.active++) {
            void *arguments[] = {&b};
            SW_CUDA_TRY(cudaLaunchCooperativeKernel(advance<SW_TEAM_DEVICE, false, FLOWS>,
                                                    dim3((unsigned)r->limits.processors), dim3(THREADS),
                                                    arguments, 0, r->stream));
        }
        break;
    case SW_DEM_BLOCK:
        if (r->choice.shared)
            advance<SW_TEAM_BLOCK, true, FLOWS><<<(unsigned)n, THREADS, r->bytes, r->stream>>>(b);
        else
            advance<SW_TEAM_BLOCK, false, FLOWS><<<(unsigned)n, THREADS, 0, r->stream>>>(b);
        break;
    case SW_DEM_AUTO: /* none of `choices` */
    case SW_DEM_THREAD:
    case SW_DEM_LAUNCHES:
    case SW_DEM_TEAMS:
        break;
    }
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* The elements of the n slots of `list` for a while; does not wait. */
sw_status launch(run *r, int64_t n)
{
    if (n == 0)
        return SW_OK;
    SW_CUDA_TRY(cudaMemset(r->waiting, 0, sizeof *r->waiting)); /* on the stream of end_launch's */
    SW_CUDA_TRY(cudaDeviceSynchronize());                       /* they are there */
    SW_CUDA_TRY(
        cudaMemcpyAsync(r->active, r->list, (size_t)n * sizeof *r->list, cudaMemcpyHostToDevice, r->stream));
    return r->choice.flows ? launch_team<true>(r, n) : launch_team<false>(r, n);
}

/* Waits for it; soon: it is to end, as others join. */
sw_status end_launch(run *r, bool soon)
{
    if (soon) /* above NOT_YET */
        SW_CUDA_TRY(cudaMemset(r->waiting, 0x7f, sizeof *r->waiting));
    SW_CUDA_TRY(cudaStreamSynchronize(r->stream));
    SW_CUDA_TRY(
        cudaMemcpy(r->reported, r->result, (size_t)r->slots * sizeof *r->result, cudaMemcpyDeviceToHost));
    return SW_OK;
}

/* Steps and records of a launch to the host: before anything else can fail. */
sw_status fetch_records(run *r, int64_t s)
{
    const double step = (double)r->reported[s].step;
    r->dem->particle_steps += (step - r->begun[s]) * (double)r->dem->rve[r->element[s]].n_particles;
    r->begun[s] = step;
    return sw_dem_device_rows(r->dem, r->element[s], &r->view[s], r->reported[s].n_rows);
}

/* After a launch: what becomes of the slot. */
sw_status look_at(run *r, int32_t s)
{
    const int32_t status = r->reported[s].status;
    if (status == SW_DEM_RUNNING)
        return SW_OK;
    if (status == SW_DEM_NEEDS_CRYSTALS) {
        r->held[r->n_held++] = s;
        return SW_OK;
    }
    if (sw_dem_needs_host(status))
        return help_slot(r, s);
    SW_TRY(empty_slot(r, s));
    r->dem->finished++;
    return fill_slot(r, s);
}

/* Slots in use whose elements are not held into `list`; how many. */
int64_t list_active(run *r)
{
    int64_t n = 0, held = 0; /* both in ascending order */
    for (int64_t s = 0; s < r->slots; s++)
        if (held < r->n_held && r->held[held] == s)
            held++;
        else if (r->element[s] >= 0)
            r->list[n++] = (int32_t)s;
    return n;
}

/* All that go on for a while, and meanwhile crystals of those that wait for theirs. */
sw_status advance_once(run *r, int64_t n)
{
    const bool asks = r->n_held > 0;
    SW_TRY(launch(r, n));
    const sw_status asked = asks ? ask_crystals(r) : SW_OK;
    SW_TRY(end_launch(r, asks));
    for (int64_t k = 0; k < n; k++)
        SW_TRY(fetch_records(r, r->list[k]));
    SW_TRY(asked);
    for (int64_t k = 0; k < n; k++)
        SW_TRY(look_at(r, r->list[k]));
    return SW_OK;
}

sw_status advance_all(run *r, sw_dem_watch *watch, void *context)
{
    double watched = sw_seconds();
    for (;;) {
        const int64_t n = list_active(r);
        if (n == 0 && r->n_held == 0)
            return SW_OK;
        SW_TRY(advance_once(r, n));
        SW_TRY(sw_interrupt_check());
        if (watch != NULL && sw_seconds() - watched > 0.2) {
            SW_TRY(watch(context, r->dem, r->dem->particle_steps, r->dem->finished));
            watched = sw_seconds();
        }
    }
}

/* Elements on their way come back when a run stops; the first failure counts. */
sw_status bring_back(run *r, sw_status status)
{
    char message[1024];
    snprintf(message, sizeof message, "%s", sw_error_message());
    if (r->stream != NULL)
        cudaStreamSynchronize(r->stream); /* whatever failed */
    for (int64_t s = 0; r->element != NULL && s < r->slots; s++)
        if (r->element[s] >= 0) {
            const sw_status own = empty_slot(r, s);
            status = status == SW_OK ? own : status;
        }
    return status == SW_OK ? SW_OK : sw_error(status, "%s", message);
}

} // namespace

sw_status sw_dem_check_cuda(sw_dem *dem)
{
    sw_gpu gpu;
    gpu_limits limits;
    const sw_dem_rve *largest = &dem->rve[0];
    SW_TRY(sw_gpu_current(&gpu));
    if (dem->options.team == SW_DEM_LAUNCHES) {
        snprintf(dem->description, sizeof dem->description,
                 "%s, launches over all elements, detection %s, %s images", gpu.name,
                 sw_dem_detections[dem->options.detection], sw_dem_image_names[dem->options.images]);
        return SW_OK;
    }
    SW_TRY(find_limits(&limits));
    for (int64_t e = 0; e < dem->n; e++)
        largest = dem->rve[e].n_particles > largest->n_particles ? &dem->rve[e] : largest;
    const team_choice choice = choose(&dem->options, &limits, largest);
    if (choice.team == SW_DEM_CLUSTER && limits.major < 9)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "team = cluster: need a GPU of compute capability 9; this one has %d.%d", gpu.major,
                        gpu.minor);
    const char *team = choice.team == SW_DEM_BLOCK     ? "a block"
                       : choice.team == SW_DEM_CLUSTER ? "a cluster of 8 blocks"
                                                       : "all blocks";
    snprintf(dem->description, sizeof dem->description, "%s, %s an element, %d threads a block%s", gpu.name,
             team, THREADS, choice.shared ? ", particles in shared memory" : "");
    return SW_OK;
}

sw_status sw_dem_run_cuda(sw_dem *dem, sw_dem_watch *watch, void *context)
{
    for (const team_choice choice : choices) { /* one kind of team after another */
        run r = {};
        r.dem = dem;
        r.choice = choice;
        SW_TRY(find_limits(&r.limits));
        SW_TRY(count_slots(&r));
        if (r.slots == 0)
            continue;
        sw_status status = open_run(&r);
        if (status == SW_OK)
            status = advance_all(&r, watch, context);
        status = bring_back(&r, status);
        release(&r);
        SW_TRY(status);
    }
    return SW_OK;
}
