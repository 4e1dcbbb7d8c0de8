/* The GPU's backend: points, histograms and the thermal history in device memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "cuda.h"
#include "online/gpu/cuda_check.h"
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "online/gpu/wait.h"

static sw_kwn_cuda_work *work_of(const sw_kwn *kwn) { return (sw_kwn_cuda_work *)kwn->work; }

static sw_status copy_axis(const sw_kwn_axis *axis, sw_kwn_axis *device)
{
    const int64_t n = axis->n_padded, length = 3 * n + 1;
    double *table;
    *device = *axis;
    device->inverse_face = device->inverse_width = device->pivot = NULL;
    SW_TRY(SW_CUDA_ALLOCATE(table, length, "the size axis"));
    device->inverse_face = table;
    device->inverse_width = table + n + 1;
    device->pivot = table + 2 * n + 1;
    SW_CUDA_TRY(cudaMemcpy(table, axis->inverse_face, (n + 1) * sizeof(double), cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(table + n + 1, axis->inverse_width, n * sizeof(double), cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(table + 2 * n + 1, axis->pivot, n * sizeof(double), cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status sw_kwn_cuda_open(sw_kwn *kwn, const sw_kwn_point *point, const sw_kwn_cuda_strategy *strategy)
{
    sw_gpu device;
    SW_TRY(sw_gpu_current(&device));
    sw_kwn_cuda_work *gpu;
    cudaStream_t stream;
    SW_TRY(SW_ALLOCATE(gpu, 1, "the GPU's work"));
    kwn->work = gpu;
    gpu->strategy = strategy;
    gpu->device = device.device;
    gpu->multiprocessors = device.multiprocessors;
    SW_CUDA_TRY(cudaStreamCreate(&stream));
    gpu->stream = stream;
    SW_TRY(SW_CUDA_ALLOCATE(gpu->alloy, 1, "the alloy"));
    SW_TRY(SW_CUDA_ALLOCATE(gpu->next, 2, "the queue"));
    SW_TRY(SW_CUDA_ALLOCATE(gpu->point, kwn->n_points, "points"));
    SW_TRY(copy_axis(&kwn->axis, &gpu->axis));
    char *number;
    SW_TRY(SW_CUDA_ALLOCATE(number,
                            kwn->n_points * kwn->alloy.n_phases * kwn->axis.n_padded * sw_kwn_element(kwn),
                            "histograms"));
    gpu->number = number;
    SW_CUDA_TRY(cudaMemcpy(gpu->alloy, &kwn->alloy, sizeof kwn->alloy, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(gpu->point, point, (size_t)kwn->n_points * sizeof *point, cudaMemcpyHostToDevice));
    return strategy->open(kwn);
}

void sw_kwn_cuda_close(sw_kwn *kwn)
{
    sw_kwn_cuda_work *gpu = work_of(kwn);
    if (gpu == NULL)
        return;
    gpu->strategy->close(kwn);
    cudaFree(gpu->alloy);
    cudaFree(gpu->next);
    cudaFree(gpu->point);
    cudaFree((void *)gpu->axis.inverse_face);
    cudaFree(gpu->number);
    cudaFree(gpu->time);
    cudaFree(gpu->temperature);
    if (gpu->stream != NULL)
        cudaStreamDestroy((cudaStream_t)gpu->stream);
    free(gpu);
}

/* The schedule into device memory, with room for the next of the same length. */
static sw_status copy_schedule(sw_kwn *kwn, sw_kwn_schedule *schedule)
{
    sw_kwn_cuda_work *gpu = work_of(kwn);
    const int64_t temperatures = kwn->schedule.n_knots * kwn->schedule.time_stride;
    *schedule = kwn->schedule;
    if (gpu->knots_room < schedule->n_knots) {
        cudaFree(gpu->time);
        gpu->time = NULL;
        gpu->knots_room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(gpu->time, schedule->n_knots, "times of the history"));
        gpu->knots_room = schedule->n_knots;
    }
    if (gpu->temperature_room < temperatures) {
        cudaFree(gpu->temperature);
        gpu->temperature = NULL;
        gpu->temperature_room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(gpu->temperature, temperatures, "temperatures of the history"));
        gpu->temperature_room = temperatures;
    }
    SW_CUDA_TRY(cudaMemcpyAsync(gpu->time, kwn->time, (size_t)schedule->n_knots * sizeof(double),
                                cudaMemcpyHostToDevice, (cudaStream_t)gpu->stream));
    SW_CUDA_TRY(cudaMemcpyAsync(gpu->temperature, kwn->temperature, (size_t)temperatures * sizeof(float),
                                cudaMemcpyHostToDevice, (cudaStream_t)gpu->stream));
    schedule->time = gpu->time;
    schedule->temperature = gpu->temperature;
    return SW_OK;
}

sw_status sw_kwn_cuda_run(sw_kwn *kwn)
{
    sw_kwn_cuda_work *gpu = work_of(kwn);
    const cudaStream_t stream = (cudaStream_t)gpu->stream;
    sw_kwn_schedule schedule;
    int64_t queue[2] = {0, kwn->n_points};
    SW_CUDA_TRY(cudaSetDevice(gpu->device)); /* this is a new thread */
    SW_TRY(copy_schedule(kwn, &schedule));
    SW_CUDA_TRY(cudaMemcpyAsync(gpu->next, queue, sizeof queue, cudaMemcpyHostToDevice, stream));
    SW_TRY(gpu->strategy->run(kwn, &schedule));
    SW_TRY(sw_gpu_wait_asleep(stream)); /* a host program may have all cores at work */
    SW_CUDA_TRY(cudaMemcpyAsync(queue, gpu->next, sizeof queue, cudaMemcpyDeviceToHost, stream));
    SW_CUDA_TRY(cudaStreamSynchronize(stream));
    if (queue[1] == kwn->n_points)
        return SW_OK;
    sw_kwn_point point;
    SW_CUDA_TRY(cudaMemcpy(&point, &gpu->point[queue[1]], sizeof point, cudaMemcpyDeviceToHost));
    return sw_kwn_failure(queue[1], &point);
}

sw_status sw_kwn_cuda_read_points(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point)
{
    const sw_kwn_cuda_work *gpu = work_of(kwn);
    SW_CUDA_TRY(cudaMemcpy(point, gpu->point + first, (size_t)count * sizeof *point, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status sw_kwn_cuda_write_point(sw_kwn *kwn, int64_t index, const sw_kwn_point *point)
{
    sw_kwn_cuda_work *gpu = work_of(kwn);
    SW_CUDA_TRY(cudaMemcpy(gpu->point + index, point, sizeof *point, cudaMemcpyHostToDevice));
    return SW_OK;
}

/* Histograms of a phase, of points `first` .. first + count - 1, between device and host as the numbers that
 * the strategy stores: [count][B] on the host, rows or columns on the device. */
static sw_status move_classes(sw_kwn *kwn, int64_t first, int64_t count, int phase, void *host,
                              cudaMemcpyKind kind)
{
    const sw_kwn_cuda_work *gpu = work_of(kwn);
    SW_TRY(gpu->strategy->settle(kwn));
    const size_t element = sw_kwn_element(kwn), n = (size_t)kwn->axis.n, padded = (size_t)kwn->axis.n_padded;
    const size_t points = (size_t)kwn->n_points, phases = (size_t)kwn->alloy.n_phases;
    const int in_points = gpu->strategy->point_order;
    char *device = (char *)gpu->number + (in_points ? (size_t)phase * padded * points + (size_t)first
                                                    : ((size_t)first * phases + (size_t)phase) * padded) *
                                             element;
    const size_t device_pitch = (in_points ? points : phases * padded) * element;
    const size_t host_pitch = (in_points ? (size_t)count : n) * element;
    const size_t width = host_pitch, height = in_points ? n : (size_t)count;
    SW_CUDA_TRY(kind == cudaMemcpyDeviceToHost
                    ? cudaMemcpy2D(host, host_pitch, device, device_pitch, width, height, kind)
                    : cudaMemcpy2D(device, device_pitch, host, host_pitch, width, height, kind));
    return SW_OK;
}

sw_status sw_kwn_cuda_read_classes(sw_kwn *kwn, int64_t first, int64_t count, int phase, double *number)
{
    const int64_t n = kwn->axis.n;
    const int in_points = work_of(kwn)->strategy->point_order, single = sw_kwn_element(kwn) == 4;
    std::vector<char> raw((size_t)(n * count) * sw_kwn_element(kwn));
    SW_TRY(move_classes(kwn, first, count, phase, raw.data(), cudaMemcpyDeviceToHost));
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < n; k++) {
            const int64_t at = in_points ? k * count + i : i * n + k;
            number[i * n + k] = single ? ((const float *)raw.data())[at] : ((const double *)raw.data())[at];
        }
    return SW_OK;
}

/* ---- Interface areas ---- */

typedef struct {
    const sw_kwn_point *point; /* [N] */
    const double *pivot;       /* [B] */
    int64_t n_points, first, count;
    int32_t n, n_padded, n_phases, point_order;
} histograms;

/* A warp for each phase of each point of first .. first + count - 1: area [count][M]. Threads a block: a multiple
 * of 32. */
template <class number_t>
__global__ void area_kernel(const histograms h, const number_t *number, double *area)
{
    const int lane = (int)(threadIdx.x % 32);
    const int64_t warps = (int64_t)gridDim.x * (blockDim.x / 32);
    for (int64_t k = (int64_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; k < h.count * h.n_phases;
         k += warps) {
        const int64_t n = h.first + k / h.n_phases, p = k % h.n_phases;
        double squares = 0;
        for (int64_t i = lane; i < h.n; i += 32) {
            const int64_t at =
                h.point_order ? (p * h.n_padded + i) * h.n_points + n : (n * h.n_phases + p) * h.n_padded + i;
            squares += (double)number[at] * h.pivot[i] * h.pivot[i];
        }
        for (int step = 16; step > 0; step /= 2)
            squares += __shfl_down_sync(0xffffffffU, squares, step);
        if (lane == 0)
            area[k] = sw_kwn_area_of(&h.point[n].phase[p], squares);
    }
}

/* area [count][M] on the device -> on the host. */
static sw_status sum_areas(const sw_kwn *kwn, const histograms *h, double *on_device, double *area)
{
    const sw_kwn_cuda_work *gpu = work_of(kwn);
    const cudaStream_t stream = (cudaStream_t)gpu->stream;
    const unsigned blocks = sw_blocks_for(32 * h->count * h->n_phases, 256);
    if (sw_kwn_element(kwn) == 4)
        area_kernel<<<blocks, 256, 0, stream>>>(*h, (const float *)gpu->number, on_device);
    else
        area_kernel<<<blocks, 256, 0, stream>>>(*h, (const double *)gpu->number, on_device);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaMemcpyAsync(area, on_device, (size_t)(h->count * h->n_phases) * sizeof *area,
                                cudaMemcpyDeviceToHost, stream));
    return sw_cuda_status(cudaStreamSynchronize(stream), "interface areas");
}

sw_status sw_kwn_cuda_read_areas(sw_kwn *kwn, int64_t first, int64_t count, double *area)
{
    const sw_kwn_cuda_work *gpu = work_of(kwn);
    const histograms h = {gpu->point,
                          gpu->axis.pivot,
                          kwn->n_points,
                          first,
                          count,
                          kwn->axis.n,
                          kwn->axis.n_padded,
                          kwn->alloy.n_phases,
                          gpu->strategy->point_order};
    double *on_device;
    if (count == 0)
        return SW_OK;
    SW_TRY(gpu->strategy->settle(kwn));
    SW_TRY(SW_CUDA_ALLOCATE(on_device, count * h.n_phases, "interface areas"));
    const sw_status status = sum_areas(kwn, &h, on_device, area);
    cudaFree(on_device);
    return status;
}

sw_status sw_kwn_cuda_write_classes(sw_kwn *kwn, int64_t index, int phase, const double *number)
{
    std::vector<float> single(number, number + kwn->axis.n);
    std::vector<double> whole(number, number + kwn->axis.n);
    return move_classes(kwn, index, 1, phase, sw_kwn_element(kwn) == 4 ? (void *)single.data() : whole.data(),
                        cudaMemcpyHostToDevice);
}

/* ---- `fused` ---- */

static sw_status fused_open(sw_kwn *kwn, const sw_kwn_point *point)
{
    static const sw_kwn_cuda_strategy *const in[SW_KWN_PRECISIONS] = {
        &sw_kwn_fused_double, &sw_kwn_fused_mixed, &sw_kwn_fused_single}; /* as sw_kwn_precision */
    return sw_kwn_cuda_open(
        kwn, point, sw_kwn_has_several(&kwn->alloy) ? &sw_kwn_fused_several : in[kwn->options.precision]);
}

const sw_kwn_backend sw_kwn_cuda = {fused_open,
                                    sw_kwn_cuda_close,
                                    sw_kwn_cuda_run,
                                    sw_kwn_cuda_read_points,
                                    sw_kwn_cuda_write_point,
                                    sw_kwn_cuda_read_classes,
                                    sw_kwn_cuda_read_areas,
                                    sw_kwn_cuda_write_classes};
