/* How a histogram is divided among threads, and its axis for them. */
#ifndef SW_ONLINE_KWN_CUDA_CHUNKS_CUH
#define SW_ONLINE_KWN_CUDA_CHUNKS_CUH

#include <vector>

#include "histogram.cuh"

namespace kwn
{

/* Classes a thread and threads a block (and blocks a cluster) for one histogram. */
template <class P> constexpr int most_classes = sizeof(typename P::number) == 8 ? 8 : 16; /* registers hold */

struct form {
    int classes, threads, blocks;
};

/* few: many threads, to be done soon; else more classes a thread, to spend less on the scans. */
template <class P> form choose_form(int padded, int few)
{
    int classes = 4, blocks = 1;
    while (classes < most_classes<P> && (few ? padded > 1024 * classes : padded > 32 * classes))
        classes *= 2;
    while ((padded + blocks - 1) / blocks > 1024 * classes)
        blocks *= 2;
    const int each = (padded + blocks - 1) / blocks;
    return {classes, ((each + classes - 1) / classes + 31) / 32 * 32, blocks};
}

/* The axis by class and chunk in device memory; *table to be freed with cudaFree. */
template <class P>
sw_status make_chunked_axis(const sw_kwn_axis *axis, const form &form, chunked_axis<P> *chunked, void **table)
{
    typedef typename P::number number_t;
    typedef typename P::rate rate_t;
    const int rows = form.classes + 1, warps = form.threads * form.blocks / 32;
    const size_t entries = (size_t)(warps * rows * 32);
    std::vector<face_width<rate_t>> lower(entries);
    std::vector<face_rate<rate_t>> falls(entries), rises(entries);
    std::vector<size<number_t>> pivot(entries);
    for (int warp = 0; warp < warps; warp++)
        for (int j = 0; j < rows; j++)
            for (int lane = 0; lane < 32; lane++) {
                const int i = (warp * 32 + lane) * form.classes + j,
                          face = i < axis->n_padded ? i : axis->n_padded,
                          next = i < axis->n_padded ? i + 1 : axis->n_padded;
                const size_t at = (size_t)((warp * rows + j) * 32 + lane);
                const double width = i < axis->n_padded ? axis->inverse_width[i] : 0,
                             rho = axis->pivot[i < axis->n_padded ? i : axis->n_padded - 1],
                             below = axis->inverse_face[face], above = axis->inverse_face[next];
                lower[at] = {(rate_t)below, (rate_t)width};
                falls[at] = {(rate_t)below, (rate_t)(below * width)};
                rises[at] = {(rate_t)above,
                             (rate_t)(i + 1 < axis->n ? above * width : 0)}; /* the largest size is closed */
                pivot[at] = {(number_t)rho, (number_t)(rho * rho * rho)};
            }
    const size_t of_rates = entries * sizeof lower[0], of_sizes = entries * sizeof pivot[0];
    char *memory;
    SW_TRY(SW_CUDA_ALLOCATE(memory, 3 * of_rates + of_sizes, "tables of the axis"));
    *table = memory;
    SW_CUDA_TRY(cudaMemcpy(memory, lower.data(), of_rates, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(memory + of_rates, falls.data(), of_rates, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(memory + 2 * of_rates, rises.data(), of_rates, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(cudaMemcpy(memory + 3 * of_rates, pivot.data(), of_sizes, cudaMemcpyHostToDevice));
    *chunked = {axis->n,
                axis->n_padded,
                axis->kind == SW_AXIS_ADAPTIVE,
                (number_t)axis->widening,
                (number_t)(1 / axis->widening),
                (const face_width<rate_t> *)memory,
                (const face_rate<rate_t> *)(memory + of_rates),
                (const face_rate<rate_t> *)(memory + 2 * of_rates),
                (const size<number_t> *)(memory + 3 * of_rates)};
    return SW_OK;
}

} // namespace kwn

#endif
