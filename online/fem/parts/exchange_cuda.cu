/* On the GPU: what goes to other parts is written into the memory of their GPUs where that can be (peers.cuh); else it is packed, and
 * takes the way through the host's memory unless MPI reads the GPU's. */
#include "online/gpu/sums.cuh"
#include "parts.h"
#include "peers.cuh"

namespace
{

enum { FEW = 64 }; /* numbers that all have */

template <typename real> struct exchange_work {
    const sw_fem_division *division;
    int64_t *first;                          /* host: [n_neighbours + 1] numbers of a neighbour's block */
    int32_t *sent_node, *shared;             /* as of the division */
    int64_t *first_share, *share;            /* likewise */
    real *sent, *received;                   /* [first_sent[n_neighbours]][most_width] */
    real *sent_from_host, *received_by_host; /* pinned; NULL: MPI takes the two above */
    sw_peers<real> peers;                    /* then none of these is used */
    sw_spread<real> few;                     /* sums of few numbers; double */
    cudaStream_t stream;                     /* of what takes no part of the host */
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
    sw_peers_close(&w->peers);
    sw_spread_close(&w->few);
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

template <typename real> sw_status make_room(exchange_work<real> *w, int64_t most)
{
    SW_TRY(SW_CUDA_ALLOCATE(w->sent, most, "exchange between parts"));
    SW_TRY(SW_CUDA_ALLOCATE(w->received, most, "exchange between parts"));
    if (sw_parallel_takes_gpu_memory())
        return SW_OK;
    SW_CUDA_TRY(cudaMallocHost(&w->sent_from_host, most * sizeof(real)));
    SW_CUDA_TRY(cudaMallocHost(&w->received_by_host, most * sizeof(real)));
    return SW_OK;
}

template <typename real> sw_status list_nodes(exchange_work<real> *w)
{
    const sw_fem_division *d = w->division;
    SW_TRY(SW_ALLOCATE(w->first, d->n_neighbours + 1, "exchange between parts"));
    if (d->n_shared == 0)
        return SW_OK;
    SW_TRY(place(w->sent_node, d->first_sent[d->n_neighbours], d->sent));
    SW_TRY(place(w->shared, d->n_shared, d->shared));
    SW_TRY(place(w->first_share, d->n_shared + 1, d->first_share));
    return place(w->share, d->first_share[d->n_shared], d->share);
}

template <typename real> sw_status open_exchange(const sw_fem_division *d, int most_width, void **result)
{
    const int64_t most = d->first_sent[d->n_neighbours] * most_width;
    exchange_work<real> *w;
    SW_TRY(SW_ALLOCATE(w, 1, "exchange between parts"));
    *result = w;
    w->division = d;
    const sw_status status = list_nodes(w);
    /* All together, whatever became of one. */
    sw_peers_open(&w->peers, d->n_neighbours, d->neighbour, d->first_sent, most, status);
    if (sizeof(real) == sizeof(double))
        sw_spread_open(&w->few, 1, &d->part, d->n_parts, FEW);
    SW_TRY(status);
    return most > 0 && w->peers.view.n == 0 ? make_room(w, most) : SW_OK;
}

template <typename real> sw_status pack(const exchange_work<real> *w, int width, const real *value)
{
    const int32_t *node = w->sent_node;
    real *sent = w->sent;
    return sw_each(w->division->first_sent[w->division->n_neighbours] * width, [=] __device__(int64_t i) {
        sent[i] = value[(int64_t)node[i / width] * width + i % width];
    });
}

/* To the part's own what others sent, in the order of the parts. */
template <typename real> struct adder {
    const int32_t *shared;
    const int64_t *first, *share;
    const real *received;
    int width;
    real *value;

    __device__ real *at(int64_t i) const { return value + (int64_t)shared[i / width] * width + i % width; }
    /* arrived(place): number `place` of what others sent. */
    template <class Arrived> __device__ void add(int64_t i, const Arrived &arrived) const
    {
        real *own = at(i), sum = 0;
        for (int64_t k = first[i / width]; k < first[i / width + 1]; k++)
            sum += share[k] < 0 ? *own : arrived(share[k] * width + i % width);
        *own = sum;
    }
    __device__ void operator()(int64_t i) const
    {
        add(i, [this](int64_t place) { return received[place]; });
    }
};

/* To the parts that have the node, too, each by its peer[.].first. */
template <typename real> struct sender {
    adder<real> of;

    __device__ void operator()(const sw_peers_sum<real> &sum, int64_t i) const
    {
        const int width = of.width;
        const real is = *of.at(i);
        for (int64_t k = of.first[i / width]; k < of.first[i / width + 1]; k++) {
            const int64_t place = of.share[k];
            int to = 0;
            if (place < 0)
                continue;
            while (to + 1 < sum.p->n && sum.p->peer[to + 1].first <= place)
                to++;
            sum.send(to, (sum.p->peer[to].to - sum.p->peer[to].first + place) * width + i % width, is);
        }
    }
};

/* Without the host. */
template <typename real> sw_status sum_with_peers(const exchange_work<real> *w, const adder<real> &add)
{
    const int64_t n = w->division->n_shared * add.width;
    return sw_peers_run(
        &w->peers, n, sender<real>{add}, n,
        [=] __device__(const sw_peers_sum<real> &sum, int64_t i) {
            add.add(i, [&](int64_t place) { return sum.take(place); });
        },
        w->stream);
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
    exchange_work<real> *w = (exchange_work<real> *)opaque;
    const sw_fem_division *d = w->division;
    const adder<real> add = {w->shared, w->first_share, w->share, w->received, width, (real *)value};
    if (d->n_shared == 0)
        return SW_OK;
    if (w->peers.view.n > 0)
        return sum_with_peers(w, add);
    for (int k = 0; k <= d->n_neighbours; k++)
        w->first[k] = d->first_sent[k] * width;
    SW_TRY(pack(w, width, (const real *)value));
    SW_TRY(exchange(w, w->first[d->n_neighbours]));
    return sw_each(d->n_shared * width, add);
}

/* In the order of parts. */
sw_status sum_few(const exchange_work<double> *w, int64_t n, double *value)
{
    const int parts = w->division->n_parts, part = w->division->part;
    return sw_peers_run(
        &w->few.peers, n,
        [=] __device__(const sw_peers_sum<double> &sum, int64_t i) {
            for (int k = 0; k < sum.p->n; k++)
                sum.send(k, part * FEW + i, value[i]);
        },
        n,
        [=] __device__(const sw_peers_sum<double> &sum, int64_t i) {
            double all = 0;
            for (int k = 0; k < parts; k++)
                all += k == part ? value[i] : sum.take(k * FEW + i);
            value[i] = all;
        },
        w->stream);
}

/* sw_sum_partial_kernel, over all parts. */
__global__ void __launch_bounds__(SW_SUM_THREADS)
    sum_partial_kernel(const __grid_constant__ sw_peers_view<double> p, int parts, int part, int n,
                       const double *partial, double *result)
{
    using reduce = cub::BlockReduce<double, SW_SUM_THREADS>;
    __shared__ typename reduce::TempStorage storage;
    double own = 0, all = 0;
    for (int i = threadIdx.x; i < n; i += SW_SUM_THREADS)
        own += partial[i];
    own = reduce(storage).Sum(own);
    if (threadIdx.x > 0)
        return;
    const sw_peers_sum<double> sum = {&p, *p.sums + 1};
    for (int k = 0; k < p.n; k++)
        sum.send(k, part * FEW, own);
    for (int k = 0; k < parts; k++)
        all += k == part ? own : sum.take(k * FEW);
    *result = all;
    *p.sums = sum.number;
}

sw_status sum_through_host(int64_t n, double *value)
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

template <typename real> sw_status sum_all(void *opaque, int64_t n, double *value)
{
    if constexpr (sizeof(real) == sizeof(double)) {
        const exchange_work<double> *w = (const exchange_work<double> *)opaque;
        if (w->few.peers.view.n > 0 && n <= FEW)
            return sum_few(w, n, value);
    }
    return sum_through_host(n, value);
}

template <typename real> sw_status sum_partial(void *opaque, int n, const double *partial, double *sum)
{
    const exchange_work<real> *w = (const exchange_work<real> *)opaque;
    const bool between = w->few.peers.view.n > 0; /* only of double */
    if constexpr (sizeof(real) == sizeof(double)) {
        if (between)
            sum_partial_kernel<<<1, SW_SUM_THREADS, 0, w->stream>>>(w->few.peers.view, w->division->n_parts,
                                                                    w->division->part, n, partial, sum);
    }
    if (!between)
        sw_sum_partial_kernel<<<1, SW_SUM_THREADS, 0, w->stream>>>(n, partial, sum);
    SW_CUDA_TRY_LAUNCH();
    SW_CUDA_TRY(cudaStreamSynchronize(w->stream));
    if (!between)
        *sum = sw_parallel_sum_in_order(*sum);
    return SW_OK;
}

template <typename real> sw_status clear(void *opaque, int64_t first, int64_t n, void *value)
{
    if (n > 0)
        SW_CUDA_TRY(cudaMemsetAsync((real *)value + first, 0, n * sizeof(real),
                                    ((const exchange_work<real> *)opaque)->stream));
    return SW_OK;
}

template <typename real> int queue(void *opaque, void *stream)
{
    exchange_work<real> *w = (exchange_work<real> *)opaque;
    if (w->division->n_shared > 0 && w->peers.view.n == 0)
        return 0;
    w->stream = (cudaStream_t)stream;
    return 1;
}

} // namespace

extern "C" const sw_fem_exchange sw_fem_exchange_cuda = {
    open_exchange<double>, close_exchange<double>, sum_shared<double>, sum_all<double>,
    clear<double>,         queue<double>,          sum_partial<double>};
extern "C" const sw_fem_exchange sw_fem_exchange_cuda_single = {
    open_exchange<float>, close_exchange<float>, sum_shared<float>, sum_all<float>,
    clear<float>,         queue<float>,          sum_partial<float>};
