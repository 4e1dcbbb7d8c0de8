/* On the GPU: what goes to other parts is packed there, and takes the way through the host's memory unless MPI reads
 * the GPU's. */
#include "common/system/parallel.h"
#include "online/gpu/launch.cuh"
#include "parts.h"

namespace
{

template <typename real> struct exchange_work {
    const sw_fem_division *division;
    int64_t *first;                          /* host: [n_neighbours + 1] numbers of a neighbour's block */
    int32_t *sent_node, *shared;             /* as of the division */
    int64_t *first_share, *share;            /* likewise */
    real *sent, *received;                   /* [first_sent[n_neighbours]][most_width] */
    real *sent_from_host, *received_by_host; /* pinned; NULL: MPI takes the two above */
};

template <typename real> void close_exchange(void *opaque)
{
    exchange_work<real> *w = (exchange_work<real> *)opaque;
    if (!w)
        return;
    void *const device[] = {w->sent_node, w->shared, w->first_share, w->share, w->sent, w->received};
    for (void *pointer : device)
        cudaFree(pointer);
    cudaFreeHost(w->sent_from_host);
    cudaFreeHost(w->received_by_host);
    free(w->first);
    free(w);
}

/* A copy of n of the host's on the device. */
template <typename type> sw_status place(type *&pointer, int64_t n, const type *host)
{
    SW_TRY(SW_CUDA_ALLOCATE(pointer, n, "exchange between parts"));
    SW_CUDA_TRY(cudaMemcpy(pointer, host, n * sizeof(type), cudaMemcpyHostToDevice));
    return SW_OK;
}

template <typename real> sw_status open_exchange(const sw_fem_division *d, int most_width, void **result)
{
    const int64_t n = d->first_sent[d->n_neighbours], most = n * most_width;
    exchange_work<real> *w;
    SW_TRY(SW_ALLOCATE(w, 1, "exchange between parts"));
    *result = w;
    w->division = d;
    SW_TRY(SW_ALLOCATE(w->first, d->n_neighbours + 1, "exchange between parts"));
    if (n == 0)
        return SW_OK;
    SW_TRY(place(w->sent_node, n, d->sent));
    SW_TRY(place(w->shared, d->n_shared, d->shared));
    SW_TRY(place(w->first_share, d->n_shared + 1, d->first_share));
    SW_TRY(place(w->share, d->first_share[d->n_shared], d->share));
    SW_TRY(SW_CUDA_ALLOCATE(w->sent, most, "exchange between parts"));
    SW_TRY(SW_CUDA_ALLOCATE(w->received, most, "exchange between parts"));
    if (sw_parallel_takes_gpu_memory())
        return SW_OK;
    SW_CUDA_TRY(cudaMallocHost(&w->sent_from_host, most * sizeof(real)));
    SW_CUDA_TRY(cudaMallocHost(&w->received_by_host, most * sizeof(real)));
    return SW_OK;
}

template <typename real> sw_status pack(const exchange_work<real> *w, int width, const real *value)
{
    const int32_t *node = w->sent_node;
    real *sent = w->sent;
    return sw_each(w->division->first_sent[w->division->n_neighbours] * width, [=] __device__(int64_t i) {
        sent[i] = value[(int64_t)node[i / width] * width + i % width];
    });
}

template <typename real> sw_status add_up(const exchange_work<real> *w, int width, real *value)
{
    const int32_t *shared = w->shared;
    const int64_t *first = w->first_share, *share = w->share;
    const real *received = w->received;
    return sw_each(w->division->n_shared * width, [=] __device__(int64_t i) {
        real *at = value + (int64_t)shared[i / width] * width + i % width, sum = 0;
        for (int64_t k = first[i / width]; k < first[i / width + 1]; k++)
            sum += share[k] < 0 ? *at : received[share[k] * width + i % width];
        *at = sum;
    });
}

template <typename real> sw_status exchange(const exchange_work<real> *w, int64_t n)
{
    const sw_fem_division *d = w->division;
    if (!w->sent_from_host) {
        SW_CUDA_TRY(cudaStreamSynchronize(0)); /* packed, and the last sums are read */
        sw_parallel_exchange(d->n_neighbours, d->neighbour, w->first, sizeof(real), w->sent, w->received);
        return SW_OK;
    }
    SW_CUDA_TRY(cudaMemcpy(w->sent_from_host, w->sent, n * sizeof(real), cudaMemcpyDeviceToHost));
    sw_parallel_exchange(d->n_neighbours, d->neighbour, w->first, sizeof(real), w->sent_from_host,
                         w->received_by_host);
    SW_CUDA_TRY(cudaMemcpyAsync(w->received, w->received_by_host, n * sizeof(real), cudaMemcpyHostToDevice));
    return SW_OK;
}

template <typename real> sw_status sum_shared(void *opaque, int width, void *value)
{
    const exchange_work<real> *w = (const exchange_work<real> *)opaque;
    const sw_fem_division *d = w->division;
    for (int k = 0; k <= d->n_neighbours; k++)
        w->first[k] = d->first_sent[k] * width;
    if (d->n_shared == 0)
        return SW_OK;
    SW_TRY(pack(w, width, (const real *)value));
    SW_TRY(exchange(w, w->first[d->n_neighbours]));
    return add_up(w, width, (real *)value);
}

/* Few numbers: through the host. */
sw_status sum_all(void *, int64_t n, double *value)
{
    double *host;
    SW_TRY(SW_ALLOCATE(host, n, "exchange between parts"));
    sw_status status =
        sw_cuda_status(cudaMemcpy(host, value, n * sizeof *value, cudaMemcpyDeviceToHost), "sums over parts");
    sw_parallel_sums_in_order(host, n);
    if (status == SW_OK)
        status = sw_cuda_status(cudaMemcpy(value, host, n * sizeof *value, cudaMemcpyHostToDevice),
                                "sums over parts");
    free(host);
    return status;
}

template <typename real> sw_status clear(void *, int64_t first, int64_t n, void *value)
{
    SW_CUDA_TRY(cudaMemsetAsync((real *)value + first, 0, n * sizeof(real)));
    return SW_OK;
}

} // namespace

extern "C" const sw_fem_exchange sw_fem_exchange_cuda = {open_exchange<double>, close_exchange<double>,
                                                         sum_shared<double>, sum_all, clear<double>};
extern "C" const sw_fem_exchange sw_fem_exchange_cuda_single = {open_exchange<float>, close_exchange<float>,
                                                                sum_shared<float>, sum_all, clear<float>};
