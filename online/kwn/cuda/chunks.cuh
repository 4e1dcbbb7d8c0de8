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
    std::vector<face_width<rate_t>> lower((size_t)(warps * rows * 32));
    std::vector<number_t> pivot(lower.size());
    for (int warp = 0; warp < warps; warp++)
        for (int j = 0; j < rows; j++)
            for (int lane = 0; lane < 32; lane++) {
                const int i = (warp * 32 + lane) * form.classes + j,
                          face = i < axis->n_padded ? i : axis->n_padded;
                const size_t at = (size_t)((warp * rows + j) * 32 + lane);
                lower[at] = {(rate_t)axis->inverse_face[face],
                             (rate_t)(i < axis->n_padded ? axis->inverse_width[i] : 0)};
                pivot[at] = (number_t)axis->pivot[i < axis->n_padded ? i : axis->n_padded - 1];
            }
    const size_t bytes = lower.size() * sizeof lower[0];
    char *memory;
    SW_TRY(SW_CUDA_ALLOCATE(memory, bytes + pivot.size() * sizeof pivot[0], "tables of the axis"));
    *table = memory;
    SW_CUDA_TRY(cudaMemcpy(memory, lower.data(), bytes, cudaMemcpyHostToDevice));
    SW_CUDA_TRY(
        cudaMemcpy(memory + bytes, pivot.data(), pivot.size() * sizeof pivot[0], cudaMemcpyHostToDevice));
    *chunked = {axis->n,
                axis->n_padded,
                axis->kind == SW_AXIS_ADAPTIVE,
                (number_t)axis->widening,
                (number_t)(1 / axis->widening),
                (const face_width<rate_t> *)memory,
                (const number_t *)(memory + bytes)};
    return SW_OK;
}

} // namespace kwn

#endif
