/* ask.h on a GPU: of questions numbers, normals and answers pass, and nothing of the crystals. On the default stream, which
 * the response's waits for, as it for that one. */
#include "ask.h"

#include "online/gpu/launch.cuh"

static_assert(sizeof(sw_crystal) == sizeof(float4), "a crystal is copied as one float4");

static const int64_t CRYSTALS = 1 << 23; /* that are asked at a time */

void sw_dem_asking_free_cuda(sw_dem_asking *a)
{
    cudaFree(a->gradient);
    cudaFree(a->stress);
    cudaFree(a->particle);
    cudaFree(a->normal);
    cudaFree(a->work);
    sw_crystals_release(&a->copies);
    *a = {};
}

/* Room for n questions and, as what grows waits for all that the GPU does, half as many more; `most` at most. */
static sw_status reserve(sw_dem_asking *a, const sw_response *response, int64_t each, int64_t n, int64_t most)
{
    const int64_t questions = n + n / 2 < most ? n + n / 2 : most;
    if (n <= a->questions && n * each <= a->copies.n)
        return SW_OK;
    sw_dem_asking_free_cuda(a);
    SW_TRY(sw_crystals_make(response, questions * each, &a->copies));
    SW_TRY(SW_CUDA_ALLOCATE(a->gradient, questions, "questions to crystals"));
    SW_TRY(SW_CUDA_ALLOCATE(a->stress, questions, "questions to crystals"));
    SW_TRY(SW_CUDA_ALLOCATE(a->particle, questions, "questions to crystals"));
    SW_TRY(SW_CUDA_ALLOCATE(a->normal, questions, "questions to crystals"));
    SW_TRY(SW_CUDA_ALLOCATE(a->work, questions, "questions to crystals"));
    a->questions = questions;
    return SW_OK;
}

/* Questions [n]. */
static sw_status ask(const sw_dem_asking *a, sw_response *response, int64_t each, const sw_crystals *crystals,
                     int64_t n, const int32_t *particle, const double (*normal)[3], double *work)
{
    const sw_crystals copies = sw_crystals_part(&a->copies, 0, n * each);
    const float4 *from = (const float4 *)crystals->crystal;
    float4 *to = (float4 *)copies.crystal;
    const sw_dem_asking here = *a;
    SW_CUDA_TRY(cudaMemcpy(a->particle, particle, (size_t)n * sizeof *particle, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(a->normal, normal, (size_t)n * sizeof *normal, cudaMemcpyHostToDevice));
    SW_TRY(sw_each(n * each,
                   [=] __device__(int64_t i) { to[i] = from[here.particle[i / each] * each + i % each]; }));
    SW_TRY(sw_each(n, [=] __device__(int64_t q) {
        sw_dem_compress(here.normal[q], SW_DEM_ASKED_RATE, here.gradient[q]);
    }));
    SW_TRY(sw_dem_ask_copies(response, n, each, &copies, (const double(*)[3][3])a->gradient, a->stress));
    SW_TRY(sw_each(n, [=] __device__(int64_t q) {
        here.work[q] = sw_dem_power(here.stress[q], (const double(*)[3])here.gradient[q]);
    }));
    SW_CUDA_TRY(cudaMemcpy(work, a->work, (size_t)n * sizeof *work, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status sw_dem_ask_cuda(sw_dem_asking *a, sw_response *response, int64_t each, const sw_crystals *crystals,
                          int64_t questions, const int32_t *particle, const double (*normal)[3], double *work)
{
    const int64_t most = CRYSTALS / each > 1 ? CRYSTALS / each : 1,
                  room = most < questions ? most : questions;
    SW_TRY(reserve(a, response, each, room, most));
    for (int64_t first = 0; first < questions; first += room) {
        const int64_t left = questions - first;
        SW_TRY(ask(a, response, each, crystals, left < room ? left : room, particle + first, normal + first,
                   work + first));
    }
    return SW_OK;
}
