/* crystals_cuda.h: crystals in the GPU's memory or the host's. */
#include "common/math/lanes_float.h"

#include "crystals_cuda.h"
#include "online/response/packed/packed.h"
#include "common/math/quaternion.h"
#include "twins_turn.h"

#include <curand_kernel.h>
#include <stdlib.h>
#include <string.h>

#include "crystals.h"
#include "online/gpu/gpu.h"
#include "buffers.cuh"

static sw_status allocate_shared(const sw_gpu *device, sw_crystals_cuda *gpu)
{
    gpu->multiprocessors = device->multiprocessors;
    gpu->blocks_max = device->multiprocessors * (device->threads / 32);
    SW_TRY(SW_CUDA_ALLOCATE(gpu->partial, (int64_t)SW_STEP_STREAMS * gpu->blocks_max * SW_SUMS, "sums"));
    SW_TRY(SW_ALLOCATE(gpu->buffers, 1, "GPU buffers"));
    for (int k = 0; k < SW_STEP_STREAMS; k++)
        SW_CUDA_TRY(cudaStreamCreate(&gpu->buffers->chunk[k].stream));
    return SW_OK;
}

sw_status sw_crystals_open_cuda(void **opened)
{
    sw_gpu device;
    sw_crystals_cuda *gpu;
    *opened = NULL;
    SW_TRY(sw_gpu_use(&device));
    SW_TRY(SW_ALLOCATE(gpu, 1, "GPU"));
    *opened = gpu;
    return allocate_shared(&device, gpu);
}

void sw_crystals_close_cuda(void *opened)
{
    sw_crystals_cuda *gpu = (sw_crystals_cuda *)opened;
    if (gpu == NULL)
        return;
    if (gpu->buffers != NULL) {
        for (int k = 0; k < SW_STEP_STREAMS; k++) {
            sw_chunk_buffer *c = &gpu->buffers->chunk[k];
            cudaFree(c->crystal);
            cudaFree(c->answer);
            cudaFree(c->weight);
            cudaFree(c->kept);
            if (c->stream != NULL)
                cudaStreamDestroy(c->stream);
        }
        for (int k = 0; k < SW_POINT_ROOMS; k++)
            cudaFree(gpu->buffers->points[k].memory);
        cudaFree(gpu->buffers->sums);
        free(gpu->buffers);
    }
    cudaFree(gpu->partial);
    free(gpu);
}

/* ---- Crystals ---- */

/* n things of so many bytes: on the GPU while a tenth of its memory stays free, else on the host. */
static sw_status allocate(int64_t n, size_t each, const char *what, void **memory)
{
    size_t available = 0, total = 0;
    const size_t bytes = (size_t)n * each;
    *memory = NULL;
    if (n < 0 || n > INT64_C(1) << 44)
        return sw_error(SW_ERR_MEMORY, "%lld %s: need 0 to 2^44", (long long)n, what);
    SW_CUDA_TRY(cudaMemGetInfo(&available, &total));
    if (bytes + total / 10 <= available && cudaMalloc(memory, bytes > 0 ? bytes : 1) == cudaSuccess)
        return SW_OK;
    cudaGetLastError();
    if (cudaMallocHost(memory, bytes) == cudaSuccess)
        return SW_OK;
    cudaGetLastError();
    *memory = NULL;
    return sw_error(SW_ERR_MEMORY,
                    "%lld %s: need %.2f GB, which neither the GPU (%.2f GB free) nor the host has",
                    (long long)n, what, (double)bytes * 1e-9, (double)available * 1e-9);
}

static void release(void *memory)
{
    if (memory == NULL)
        return;
    if (sw_gpu_owns(memory))
        cudaFree(memory);
    else
        cudaFreeHost(memory);
}

sw_status sw_crystals_allocate_cuda(int64_t n, sw_crystal **crystal)
{
    void *memory;
    const sw_status status = allocate(n, sizeof **crystal, "crystals", &memory);
    *crystal = (sw_crystal *)memory;
    return status;
}

void sw_crystals_free_cuda(sw_crystal *crystal) { release(crystal); }

sw_status sw_numbers_allocate_cuda(int64_t n, float **number)
{
    void *memory;
    const sw_status status = allocate(n, sizeof **number, "numbers of crystals", &memory);
    *number = (float *)memory;
    SW_TRY(status);
    return sw_numbers_clear_cuda(n, *number);
}

sw_status sw_numbers_clear_cuda(int64_t n, float *number)
{
    if (sw_gpu_owns(number))
        SW_CUDA_TRY(cudaMemset(number, 0, (size_t)n * sizeof *number));
    else
        memset(number, 0, (size_t)n * sizeof *number);
    return SW_OK;
}

/* own: where the law's numbers begin; all others are 0. */
__global__ static void begin_states(sw_slip_law_start start, int64_t n, const sw_crystal *crystal,
                                    int numbers, int own, float *number)
{
    SW_GRID_STRIDE (i, n) {
        for (int k = 0; k < numbers; k++)
            number[i * numbers + k] = 0;
        sw_slip_law_begin(&start, crystal[i].slip_resistance, number + i * numbers + own);
    }
}

sw_status sw_states_begin_cuda(const sw_slip_law_start *start, int64_t n, const sw_crystal *crystal,
                               int numbers, int own, float *number)
{
    if (sw_gpu_owns(number) && sw_gpu_owns(crystal)) {
        begin_states<<<1024, 256>>>(*start, n, crystal, numbers, own, number);
        SW_CUDA_TRY_LAUNCH();
        SW_CUDA_TRY(cudaDeviceSynchronize());
        return SW_OK;
    }
    memset(number, 0, (size_t)(n * numbers) * sizeof *number);
    for (int64_t i = 0; i < n; i++)
        sw_slip_law_begin(start, crystal[i].slip_resistance, number + i * numbers + own);
    return SW_OK;
}

/* ---- Packed ---- */

__global__ static void pack(sw_packed to, float margin, int64_t n, const sw_crystal *crystal,
                            unsigned long long *outside)
{
    SW_GRID_STRIDE (i, n) {
        float q[4];
        sw_int word[2];
        sw_quaternion_from_euler(crystal[i].euler, q);
        for (int k = 0; k < 4; k++)
            q[k] *= SW_PACKED_UNIT;
        const float level = (sw_log2(crystal[i].slip_resistance) - to.middle) * (1 / to.quantum);
        if (!sw_pack(q, 0, level, (sw_int)SW_PACKED_NEAREST, margin, word))
            atomicAdd(outside, 1ULL);
        to.word[i] = (uint32_t)word[0] | (uint64_t)(uint32_t)word[1] << 32;
    }
}

__global__ static void unpack(sw_packed from, int64_t n, sw_crystal *crystal)
{
    SW_GRID_STRIDE (i, n) {
        float q[4], level;
        const sw_int word[2] = {(sw_int)(uint32_t)from.word[i], (sw_int)(uint32_t)(from.word[i] >> 32)};
        sw_unpack(word, q, &level);
        for (int k = 0; k < 4; k++)
            q[k] *= 1 / SW_PACKED_UNIT;
        sw_quaternion_to_euler(q, crystal[i].euler);
        crystal[i].slip_resistance = sw_exp2(from.middle + level * from.quantum);
    }
}

/* Some at a time, by way of the GPU's memory where they are not there. */
typedef struct {
    sw_crystal *crystal;
    uint64_t *word;
    unsigned long long *outside;
} packing_room;

static sw_status pack_some(const packing_room *room, const sw_packed *to, float margin, int64_t n,
                           const sw_crystal *crystal)
{
    const int words_here = sw_gpu_owns(to->word);
    sw_packed here = *to;
    here.word = words_here ? to->word : room->word;
    if (!sw_gpu_owns(crystal))
        SW_CUDA_TRY(cudaMemcpy(room->crystal, crystal, (size_t)n * sizeof *crystal, cudaMemcpyDefault));
    pack<<<1024, 256>>>(here, margin, n, sw_gpu_owns(crystal) ? crystal : room->crystal, room->outside);
    SW_CUDA_TRY_LAUNCH();
    if (!words_here)
        SW_CUDA_TRY(cudaMemcpy(to->word, room->word, (size_t)n * sizeof *room->word, cudaMemcpyDefault));
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

static sw_status unpack_some(const packing_room *room, const sw_packed *from, int64_t n, sw_crystal *crystal)
{
    const int is_here = sw_gpu_owns(crystal);
    sw_packed here = *from;
    if (!sw_gpu_owns(from->word)) {
        here.word = room->word;
        SW_CUDA_TRY(cudaMemcpy(room->word, from->word, (size_t)n * sizeof *room->word, cudaMemcpyDefault));
    }
    unpack<<<1024, 256>>>(here, n, is_here ? crystal : room->crystal);
    SW_CUDA_TRY_LAUNCH();
    if (!is_here)
        SW_CUDA_TRY(cudaMemcpy(crystal, room->crystal, (size_t)n * sizeof *crystal, cudaMemcpyDefault));
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

static sw_status make_packing_room(int64_t some, packing_room *room)
{
    SW_TRY(SW_CUDA_ALLOCATE(room->crystal, some, "crystals to pack"));
    SW_TRY(SW_CUDA_ALLOCATE(room->word, some, "packed crystals"));
    SW_TRY(SW_CUDA_ALLOCATE(room->outside, 1, "a count"));
    SW_CUDA_TRY(cudaMemset(room->outside, 0, sizeof *room->outside));
    return SW_OK;
}

/* One of the two, packs or not. */
static sw_status pass(const sw_packed *packed, float margin, int64_t n, const sw_crystal *from,
                      sw_crystal *to, int64_t *outside)
{
    const int64_t most = INT64_C(1) << 20;
    packing_room room = {NULL, NULL, NULL};
    unsigned long long count = 0;
    sw_status status = make_packing_room(n < most ? n : most, &room);
    for (int64_t first = 0; first < n && status == SW_OK; first += most) {
        const int64_t some = n - first < most ? n - first : most;
        sw_packed part = *packed;
        part.word += first;
        status = from != NULL ? pack_some(&room, &part, margin, some, from + first)
                              : unpack_some(&room, &part, some, to + first);
    }
    if (status == SW_OK)
        status =
            sw_cuda_status(cudaMemcpy(&count, room.outside, sizeof count, cudaMemcpyDeviceToHost), "a count");
    cudaFree(room.crystal);
    cudaFree(room.word);
    cudaFree(room.outside);
    if (outside != NULL)
        *outside += (int64_t)count;
    return status;
}

sw_status sw_crystals_pack_cuda(const sw_packed *to, float margin, int64_t n, const sw_crystal *crystal,
                                int64_t *outside)
{
    return n > 0 ? pass(to, margin, n, crystal, NULL, outside) : SW_OK;
}

sw_status sw_crystals_unpack_cuda(const sw_packed *from, int64_t n, sw_crystal *crystal)
{
    return n > 0 ? pass(from, 0, n, NULL, crystal, NULL) : SW_OK;
}

typedef struct {
    float of[5];
} five;

__global__ static void heat_states(five stress, int64_t n, const sw_crystal *crystal, int numbers,
                                   float *number)
{
    SW_GRID_STRIDE (i, n)
        sw_crystal_heat(stress.of, crystal[i].slip_resistance, number + i * numbers);
}

sw_status sw_states_heat_cuda(const float stress[5], int64_t n, const sw_crystal *crystal, int numbers,
                              float *number)
{
    five all;
    memcpy(all.of, stress, sizeof all.of);
    if (sw_gpu_owns(number) && sw_gpu_owns(crystal)) {
        heat_states<<<1024, 256>>>(all, n, crystal, numbers, number);
        SW_CUDA_TRY_LAUNCH();
        SW_CUDA_TRY(cudaDeviceSynchronize());
        return SW_OK;
    }
    for (int64_t i = 0; i < n; i++)
        sw_crystal_heat(stress, crystal[i].slip_resistance, number + i * numbers);
    return SW_OK;
}

__global__ static void count_twins(const sw_twin_rule *rule, int64_t first, int64_t n, const float *state,
                                   const float *weight, unsigned long long *count)
{
    SW_GRID_STRIDE (i, n) {
        int bin;
        const int v = sw_crystal_twin(rule, state + i * rule->numbers, &bin);
        if (v >= 0)
            atomicAdd(
                &count[(rule->family[v] * SW_TWIN_TURNS + sw_twin_turn(first + i)) * SW_TWIN_BINS + bin],
                (unsigned long long)sw_twin_weight(weight, i));
    }
}

__global__ static void turn_twins(const sw_twin_rule *rule, int64_t first, int64_t n, sw_crystal *crystal,
                                  float *state)
{
    SW_GRID_STRIDE (i, n) {
        const int v = sw_crystal_turns(rule, first + i, state + i * rule->numbers);
        if (v >= 0)
            sw_crystal_turn(rule, v, &crystal[i], state + i * rule->numbers);
    }
}

/* A warp a point. */
__global__ static void turn_points(const sw_twin_rule *rule, int64_t points, int64_t n, sw_crystal *crystal,
                                   float *state, const float *weight)
{
    const int64_t warps = (int64_t)gridDim.x * blockDim.x / 32;
    for (int64_t p = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32; p < points; p += warps)
        sw_point_turn(rule, n, crystal + p * n, state + p * n * rule->numbers,
                      weight != NULL ? weight + p * n : NULL, threadIdx.x % 32, 32);
}

enum { TWIN_BLOCKS = 2048, TWIN_THREADS = 256 };

sw_status sw_crystals_count_twins_cuda(const sw_twin_rule *rule, int64_t first, int64_t n, const float *state,
                                       const float *weight, void *count)
{
    const size_t bytes = (size_t)rule->families * sizeof(sw_twin_count);
    char *room;
    SW_CUDA_TRY(cudaMalloc(&room, sizeof *rule + bytes));
    sw_twin_rule *const here = (sw_twin_rule *)(room + bytes);
    cudaError_t error = cudaMemset(room, 0, bytes);
    if (error == cudaSuccess)
        error = cudaMemcpy(here, rule, sizeof *rule, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        count_twins<<<TWIN_BLOCKS, TWIN_THREADS>>>(here, first, n, state, weight, (unsigned long long *)room);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(count, room, bytes, cudaMemcpyDeviceToHost);
    cudaFree(room);
    SW_CUDA_TRY(error);
    return SW_OK;
}

/* A rule where a kernel reads it; cudaFree. */
static sw_status rule_there(const sw_twin_rule *rule, sw_twin_rule **there)
{
    SW_CUDA_TRY(cudaMalloc(there, sizeof *rule));
    const cudaError_t error = cudaMemcpy(*there, rule, sizeof *rule, cudaMemcpyHostToDevice);
    if (error != cudaSuccess)
        cudaFree(*there);
    SW_CUDA_TRY(error);
    return SW_OK;
}

/* After a launch. */
static sw_status end_turns(sw_twin_rule *there)
{
    cudaError_t error = cudaGetLastError();
    error = error == cudaSuccess ? cudaDeviceSynchronize() : error;
    cudaFree(there);
    SW_CUDA_TRY(error);
    return SW_OK;
}

sw_status sw_crystals_turn_cuda(const sw_twin_rule *rule, int64_t first, int64_t n, sw_crystal *crystal,
                                float *state)
{
    sw_twin_rule *there;
    for (int64_t i = 0; i < n && !sw_gpu_owns(crystal); i++) {
        const int v = sw_crystal_turns(rule, first + i, state + i * rule->numbers);
        if (v >= 0)
            sw_crystal_turn(rule, v, &crystal[i], state + i * rule->numbers);
    }
    if (!sw_gpu_owns(crystal))
        return SW_OK;
    SW_TRY(rule_there(rule, &there));
    turn_twins<<<TWIN_BLOCKS, TWIN_THREADS>>>(there, first, n, crystal, state);
    return end_turns(there);
}

/* What a caller has on the host and in the GPU's memory at once is read here; NULL stays. */
static sw_status fetch(const void *from, size_t bytes, void **here)
{
    char *room;
    *here = (void *)from;
    if (from == NULL || !sw_gpu_owns(from))
        return SW_OK;
    SW_TRY(SW_ALLOCATE(room, (int64_t)bytes, "crystals of points"));
    *here = room;
    SW_CUDA_TRY(cudaMemcpy(room, from, bytes, cudaMemcpyDeviceToHost));
    return SW_OK;
}

static sw_status put_back(void *to, size_t bytes, void *here, sw_status status)
{
    if (here == to || here == NULL)
        return status;
    const cudaError_t error =
        status == SW_OK ? cudaMemcpy(to, here, bytes, cudaMemcpyHostToDevice) : cudaSuccess;
    free(here);
    SW_CUDA_TRY(error);
    return status;
}

static sw_status turn_points_here(const sw_twin_rule *rule, int64_t points, int64_t n, sw_crystal *crystal,
                                  float *state, const float *weight)
{
    const size_t all = (size_t)(points * n), numbers = all * (size_t)rule->numbers * sizeof *state;
    void *c = NULL, *s = NULL, *w = NULL;
    sw_status status = fetch(crystal, all * sizeof *crystal, &c);
    if (status == SW_OK)
        status = fetch(state, numbers, &s);
    if (status == SW_OK)
        status = fetch(weight, all * sizeof *weight, &w);
    for (int64_t p = 0; p < points && status == SW_OK; p++)
        sw_point_turn(rule, n, (sw_crystal *)c + p * n, (float *)s + p * n * rule->numbers,
                      w != NULL ? (const float *)w + p * n : NULL, 0, 1);
    if (w != (const void *)weight)
        free(w);
    status = put_back(crystal, all * sizeof *crystal, c, status);
    return put_back(state, numbers, s, status);
}

sw_status sw_points_turn_cuda(const sw_twin_rule *rule, int64_t points, int64_t n, sw_crystal *crystal,
                              float *state, const float *weight)
{
    sw_twin_rule *there;
    if (!sw_gpu_owns(crystal) || !sw_gpu_owns(state) || (weight != NULL && !sw_gpu_owns(weight)))
        return turn_points_here(rule, points, n, crystal, state, weight);
    SW_TRY(rule_there(rule, &there));
    turn_points<<<TWIN_BLOCKS, TWIN_THREADS>>>(there, points, n, crystal, state, weight);
    return end_turns(there);
}

__global__ static void transfer_twins(const sw_twin_rule *rule, int64_t groups, sw_crystal *crystal,
                                      float *state)
{
    const int64_t each = 1 + rule->children;
    SW_GRID_STRIDE (i, groups) {
        int born[SW_FAMILIES_MAX];
        sw_twin_transfer(rule, crystal + i * each, state + i * each * rule->numbers, born);
    }
}

sw_status sw_twins_transfer_cuda(const sw_twin_rule *rule, int64_t groups, sw_crystal *crystal, float *state)
{
    const int64_t each = 1 + rule->children;
    sw_twin_rule *there;
    int born[SW_FAMILIES_MAX];
    for (int64_t i = 0; i < groups && !sw_gpu_owns(crystal); i++)
        sw_twin_transfer(rule, crystal + i * each, state + i * each * rule->numbers, born);
    if (!sw_gpu_owns(crystal))
        return SW_OK;
    SW_TRY(rule_there(rule, &there));
    transfer_twins<<<TWIN_BLOCKS, TWIN_THREADS>>>(there, groups, crystal, state);
    return end_turns(there);
}

sw_status sw_states_column_cuda(int64_t n, int to_row, float *to, int from_row, const float *from)
{
    const size_t one = sizeof *to;
    if (n > 0)
        SW_CUDA_TRY(cudaMemcpy2D(to, (size_t)to_row * one, from, (size_t)from_row * one, one, (size_t)n,
                                 cudaMemcpyDefault));
    return SW_OK;
}

enum { SUM_BLOCKS = 512, SUM_THREADS = 256 };

/* partial [SUM_BLOCKS][values + 1]; the order depends on nothing but n. */
__global__ static void sum_states(int64_t n, int numbers, int place, int values, const float *state,
                                  const float *weight, double *partial)
{
    __shared__ double room[SUM_THREADS / 32];
    double sum[SW_SUMS_MAX + 1] = {0};
    SW_GRID_STRIDE (i, n) {
        const double w = weight != NULL ? weight[i] : 1;
        for (int k = 0; k < values; k++)
            sum[k] += w * state[i * numbers + place + k];
        sum[values] += w;
    }
    for (int k = 0; k <= values; k++) {
        double s = sum[k];
        for (int offset = 16; offset > 0; offset /= 2)
            s += __shfl_down_sync(0xffffffffU, s, offset);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            room[threadIdx.x / 32] = s;
        __syncthreads();
        if (threadIdx.x == 0) {
            double all = 0;
            for (int w = 0; w < SUM_THREADS / 32; w++)
                all += room[w];
            partial[blockIdx.x * (values + 1) + k] = all;
        }
    }
}

sw_status sw_states_sum_cuda(int64_t n, int numbers, int place, int values, const float *state,
                             const float *weight, double *sum)
{
    double host[SUM_BLOCKS * (SW_SUMS_MAX + 1)];
    const size_t bytes = sizeof(double) * SUM_BLOCKS * (size_t)(values + 1);
    double *partial;
    SW_CUDA_TRY(cudaMalloc(&partial, bytes));
    sum_states<<<SUM_BLOCKS, SUM_THREADS>>>(n, numbers, place, values, state, weight, partial);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(host, partial, bytes, cudaMemcpyDeviceToHost);
    cudaFree(partial);
    SW_CUDA_TRY(error);
    for (int b = 0; b < SUM_BLOCKS; b++)
        for (int k = 0; k <= values; k++)
            sum[k] += host[b * (values + 1) + k];
    return SW_OK;
}

void sw_numbers_free_cuda(float *number) { release(number); }

sw_status sw_numbers_copy_cuda(int64_t n, float *to, const float *from)
{
    SW_CUDA_TRY(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDefault));
    return SW_OK;
}

__global__ static void randomise(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                 float slip_resistance)
{
    SW_GRID_STRIDE (i, n) {
        curandStatePhilox4_32_10_t state;
        curand_init((unsigned long long)seed, (unsigned long long)(first + i), 0, &state);
        const uint4 random = curand4(&state);
        const uint32_t word[3] = {random.x, random.y, random.z};
        const sw_crystal one = sw_crystal_of_words(word, slip_resistance);
        sw_crystal_store(crystal + i, one.euler, one.slip_resistance);
    }
}

static sw_status randomise_here(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                float slip_resistance)
{
    const int64_t blocks = (n + SW_STEP_THREADS - 1) / SW_STEP_THREADS;
    if (n == 0)
        return SW_OK;
    randomise<<<(unsigned)(blocks < 65535 ? blocks : 65535), SW_STEP_THREADS>>>(n, crystal, seed, first,
                                                                                slip_resistance);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

sw_status sw_crystals_randomise_cuda(int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                     float slip_resistance)
{
    if (sw_gpu_owns(crystal))
        return randomise_here(n, crystal, seed, first, slip_resistance);
    sw_crystal *chunk;
    SW_TRY(SW_CUDA_ALLOCATE(chunk, n < SW_STEP_CHUNK ? n : SW_STEP_CHUNK, "random crystals"));
    sw_status status = SW_OK;
    for (int64_t done = 0; done < n && status == SW_OK; done += SW_STEP_CHUNK) {
        const int64_t here = n - done < SW_STEP_CHUNK ? n - done : SW_STEP_CHUNK;
        status = randomise_here(here, chunk, seed, first + done, slip_resistance);
        if (status == SW_OK)
            status = sw_crystals_copy_cuda(here, crystal + done, chunk);
    }
    cudaFree(chunk);
    return status;
}

sw_status sw_crystals_copy_cuda(int64_t n, sw_crystal *to, const sw_crystal *from)
{
    SW_CUDA_TRY(cudaMemcpy(to, from, (size_t)n * sizeof *to, cudaMemcpyDefault));
    return SW_OK;
}
