/* crystals_cuda.h: steps and evaluations, of crystals in the GPU's memory or streamed from the host's. */
#include "common/math/lanes_float.h"

#include "crystals_cuda.h"

#include <stdlib.h>

#include "buffers.cuh"
#include "online/gpu/gpu.h"

static double *partial_of(const sw_crystals_cuda *gpu, int stream)
{
    return gpu->partial + (int64_t)stream * gpu->blocks_max * SW_SUMS;
}

/* Room for the sums of so many chunks. */
static sw_status reserve_sums(sw_crystals_cuda *gpu, int64_t chunks)
{
    struct sw_crystals_buffers *b = gpu->buffers;
    if (chunks <= b->sums_room)
        return SW_OK;
    cudaFree(b->sums);
    b->sums = NULL;
    b->sums_room = 0;
    SW_TRY(SW_CUDA_ALLOCATE(b->sums, chunks * SW_SUMS, "sums"));
    b->sums_room = chunks;
    return SW_OK;
}

/* What passes through beside crystals; kept: numbers of a crystal that a step takes along. */
typedef struct {
    int answers, weights;
    int64_t kept;
} passengers;

static sw_status reserve_chunk(sw_chunk_buffer *c, int64_t n, const passengers *with)
{
    if (n > c->room) {
        cudaFree(c->crystal);
        cudaFree(c->answer);
        cudaFree(c->weight);
        cudaFree(c->kept);
        c->crystal = NULL;
        c->answer = NULL;
        c->weight = NULL;
        c->kept = NULL;
        c->room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(c->crystal, n, "crystals on their way through"));
        c->room = n;
    }
    if (with->answers && c->answer == NULL)
        SW_TRY(SW_CUDA_ALLOCATE(c->answer, c->room * 16, "answers on their way through"));
    if (with->weights && c->weight == NULL)
        SW_TRY(SW_CUDA_ALLOCATE(c->weight, c->room, "weights on their way through"));
    if (with->kept > 0 && c->kept == NULL)
        SW_TRY(SW_CUDA_ALLOCATE(c->kept, c->room * with->kept, "states on their way through"));
    return SW_OK;
}

/* Room for n crystals on their way through, in so many chunks. */
static sw_status reserve_chunks(sw_crystals_cuda *gpu, int64_t n, int64_t chunks, const passengers *with)
{
    for (int64_t c = 0; c < chunks && c < SW_STEP_STREAMS; c++)
        SW_TRY(reserve_chunk(&gpu->buffers->chunk[c], n < SW_STEP_CHUNK ? n : SW_STEP_CHUNK, with));
    return reserve_sums(gpu, chunks);
}

/* Add up the chunks' sums, in order. */
static sw_status collect_sums(const sw_crystals_cuda *gpu, int64_t chunks, double *sums)
{
    double *all;
    SW_TRY(SW_ALLOCATE(all, chunks * SW_SUMS, "sums"));
    const sw_status status = sw_cuda_status(
        cudaMemcpy(all, gpu->buffers->sums, (size_t)chunks * SW_SUMS * sizeof *all, cudaMemcpyDeviceToHost),
        "sums");
    for (int64_t c = 0; c < chunks && status == SW_OK; c++)
        for (int k = 0; k < SW_SUMS; k++)
            sums[k] += all[c * SW_SUMS + k];
    free(all);
    return status;
}

static sw_status finish_streams(const sw_crystals_cuda *gpu)
{
    for (int k = 0; k < SW_STEP_STREAMS; k++)
        SW_CUDA_TRY(cudaStreamSynchronize(gpu->buffers->chunk[k].stream));
    return SW_OK;
}

/* Orientations and states of one place to another, on a chunk's way. */
static sw_status queue_copy(const sw_crystals *to, const sw_crystals *from, cudaStream_t stream)
{
    const size_t n = (size_t)from->n;
    if (from->packed.word != NULL) {
        SW_CUDA_TRY(cudaMemcpyAsync(to->packed.word, from->packed.word, n * sizeof *from->packed.word,
                                    cudaMemcpyDefault, stream));
        return SW_OK;
    }
    SW_CUDA_TRY(
        cudaMemcpyAsync(to->crystal, from->crystal, n * sizeof *to->crystal, cudaMemcpyDefault, stream));
    if (from->state != NULL)
        SW_CUDA_TRY(cudaMemcpyAsync(to->state, from->state,
                                    n * (size_t)from->layout->numbers * sizeof *to->state, cudaMemcpyDefault,
                                    stream));
    return SW_OK;
}

/* A chunk of crystals, wherever they are; to: or NULL. */
static sw_status queue_step(sw_response *response, const sw_crystals_cuda *gpu, const sw_step *step,
                            int64_t chunk, const sw_crystals *from, const sw_crystals *to)
{
    const sw_chunk_buffer *b = &gpu->buffers->chunk[chunk % SW_STEP_STREAMS];
    sw_crystals here = *from;
    here.crystal = b->crystal;
    if (from->packed.word != NULL)
        here.packed.word = (uint64_t *)b->crystal; /* which have the room */
    here.state = from->state != NULL ? b->kept : NULL;
    here.weight = from->weight != NULL ? b->weight : NULL;
    SW_TRY(queue_copy(&here, from, b->stream));
    if (from->weight != NULL)
        SW_CUDA_TRY(cudaMemcpyAsync(b->weight, from->weight, (size_t)from->n * sizeof *b->weight,
                                    cudaMemcpyDefault, b->stream));
    SW_TRY(response->functions->launch_step(response, step, &here, to != NULL ? &here : NULL,
                                            partial_of(gpu, (int)(chunk % SW_STEP_STREAMS)),
                                            gpu->buffers->sums + chunk * SW_SUMS, b->stream));
    return to != NULL ? queue_copy(to, &here, b->stream) : SW_OK;
}

static sw_status stream_step(sw_response *response, sw_crystals_cuda *gpu, const sw_step *step,
                             const sw_crystals *from, const sw_crystals *to, double *sums)
{
    const int64_t n = from->n, chunks = (n + SW_STEP_CHUNK - 1) / SW_STEP_CHUNK;
    const passengers with = {0, from->weight != NULL, from->state != NULL ? from->layout->numbers : 0};
    SW_TRY(reserve_chunks(gpu, n, chunks, &with));
    sw_status status = SW_OK;
    for (int64_t c = 0; c < chunks && status == SW_OK; c++) {
        const int64_t first = c * SW_STEP_CHUNK, left = n - first;
        const int64_t some = left < SW_STEP_CHUNK ? left : SW_STEP_CHUNK;
        const sw_crystals begun = sw_crystals_part(from, first, some),
                          ended = sw_crystals_part(to != NULL ? to : from, first, some);
        status = queue_step(response, gpu, step, c, &begun, to != NULL ? &ended : NULL);
    }
    const sw_status finished = finish_streams(gpu); /* whatever came before: nothing may be in flight */
    SW_TRY(status);
    SW_TRY(finished);
    return collect_sums(gpu, chunks, sums);
}

static int are_here(const sw_crystals *c)
{
    return sw_gpu_owns(c->packed.word != NULL ? (const void *)c->packed.word : c->crystal) &&
           (c->state == NULL || sw_gpu_owns(c->state)) && (c->weight == NULL || sw_gpu_owns(c->weight));
}

sw_status sw_crystals_step_cuda(sw_response *response, const sw_step *step, const sw_crystals *from,
                                const sw_crystals *to, double *sums)
{
    sw_crystals_cuda *gpu = (sw_crystals_cuda *)response->gpu;
    if (!are_here(from) || (to != NULL && !are_here(to)))
        return stream_step(response, gpu, step, from, to, sums);
    SW_TRY(reserve_sums(gpu, 1));
    const sw_status status = response->functions->launch_step(
        response, step, from, to, partial_of(gpu, 0), gpu->buffers->sums, gpu->buffers->chunk[0].stream);
    const sw_status finished = finish_streams(gpu);
    SW_TRY(status);
    SW_TRY(finished);
    return collect_sums(gpu, 1, sums);
}

/* Arrays on the host, from some crystal on. */
typedef struct {
    const float (*strain_rate)[6]; /* NULL: the step's */
    const sw_crystal *crystal;
    float (*stress)[6], (*plastic_spin)[3], *slip_rate;
} host_arrays;

static sw_status queue_evaluation(sw_response *response, const sw_crystals_cuda *gpu, const sw_step *step,
                                  int64_t chunk, int64_t n, host_arrays host)
{
    const sw_chunk_buffer *b = &gpu->buffers->chunk[chunk % SW_STEP_STREAMS];
    float(*s)[6] = (float(*)[6])b->answer, (*w)[3] = (float(*)[3])(b->answer + 6 * b->room);
    float *g = b->answer + 9 * b->room, (*d)[6] = (float(*)[6])(b->answer + 10 * b->room);
    const size_t count = (size_t)n;
    if (host.strain_rate != NULL)
        SW_CUDA_TRY(
            cudaMemcpyAsync(d, host.strain_rate, count * sizeof *d, cudaMemcpyHostToDevice, b->stream));
    SW_CUDA_TRY(cudaMemcpyAsync(b->crystal, host.crystal, count * sizeof *b->crystal, cudaMemcpyHostToDevice,
                                b->stream));
    SW_TRY(response->functions->launch_evaluate(
        response, step, host.strain_rate != NULL ? d : NULL, n, b->crystal, s, w, g,
        partial_of(gpu, (int)(chunk % SW_STEP_STREAMS)), gpu->buffers->sums + chunk * SW_SUMS, b->stream));
    SW_CUDA_TRY(cudaMemcpyAsync(host.stress, s, count * sizeof *s, cudaMemcpyDeviceToHost, b->stream));
    SW_CUDA_TRY(cudaMemcpyAsync(host.plastic_spin, w, count * sizeof *w, cudaMemcpyDeviceToHost, b->stream));
    SW_CUDA_TRY(cudaMemcpyAsync(host.slip_rate, g, count * sizeof *g, cudaMemcpyDeviceToHost, b->stream));
    return SW_OK;
}

static sw_status stream_evaluate(sw_response *response, sw_crystals_cuda *gpu, const sw_step *step, int64_t n,
                                 const host_arrays *all, double *sums)
{
    const int64_t chunks = (n + SW_STEP_CHUNK - 1) / SW_STEP_CHUNK;
    const passengers with = {1, 0, 0};
    SW_TRY(reserve_chunks(gpu, n, chunks, &with));
    sw_status status = SW_OK;
    for (int64_t c = 0; c < chunks && status == SW_OK; c++) {
        const int64_t first = c * SW_STEP_CHUNK, left = n - first;
        const host_arrays here = {all->strain_rate != NULL ? all->strain_rate + first : NULL,
                                  all->crystal + first, all->stress + first, all->plastic_spin + first,
                                  all->slip_rate + first};
        status = queue_evaluation(response, gpu, step, c, left < SW_STEP_CHUNK ? left : SW_STEP_CHUNK, here);
    }
    const sw_status finished = finish_streams(gpu);
    SW_TRY(status);
    SW_TRY(finished);
    return collect_sums(gpu, chunks, sums);
}

sw_status sw_crystals_evaluate_cuda(sw_response *response, const sw_step *step, const float (*strain_rate)[6],
                                    int64_t n, const sw_crystal *crystal, float (*stress)[6],
                                    float (*plastic_spin)[3], float *slip_rate, int64_t *failed)
{
    sw_crystals_cuda *gpu = (sw_crystals_cuda *)response->gpu;
    double sums[SW_SUMS] = {0};
    const int here = sw_gpu_owns(crystal);
    if ((strain_rate != NULL && here != sw_gpu_owns(strain_rate)) || here != sw_gpu_owns(stress) ||
        here != sw_gpu_owns(plastic_spin) || here != sw_gpu_owns(slip_rate))
        return sw_error(SW_ERR_RANGE, "crystals and answers: need all on the GPU, or all on the host");
    if (!here) {
        const host_arrays all = {strain_rate, crystal, stress, plastic_spin, slip_rate};
        SW_TRY(stream_evaluate(response, gpu, step, n, &all, sums));
    } else {
        SW_TRY(reserve_sums(gpu, 1));
        const sw_status status = response->functions->launch_evaluate(
            response, step, strain_rate, n, crystal, stress, plastic_spin, slip_rate, partial_of(gpu, 0),
            gpu->buffers->sums, gpu->buffers->chunk[0].stream);
        const sw_status finished = finish_streams(gpu);
        SW_TRY(status);
        SW_TRY(finished);
        SW_TRY(collect_sums(gpu, 1, sums));
    }
    *failed = (int64_t)sums[SW_SUM_FAILED];
    return SW_OK;
}
