/* On the GPU: what goes to other parts is written into the memory of their GPUs where that can be (peers.cuh); else it is packed, and
 * takes the way through the host's memory unless MPI reads the GPU's. */
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

/* To the part's own what others sent, in the order of the parts. received: not by the first cache, whose lines may be of before. */
template <typename real> struct adder {
    const int32_t *shared;
    const int64_t *first, *share;
    const real *received;
    int width;
    real *value;

    __device__ void operator()(int64_t i) const
    {
        real *at = value + (int64_t)shared[i / width] * width + i % width, sum = 0;
        for (int64_t k = first[i / width]; k < first[i / width + 1]; k++)
            sum += share[k] < 0 ? *at : __ldcg(received + share[k] * width + i % width);
        *at = sum;
    }
};

/* To the neighbours, whose nodes they are by peer[.].first. */
template <typename real> struct sender {
    int width;
    const int32_t *node;
    const real *value;

    __device__ void operator()(const sw_peers_view<real> &p, int64_t i, int which) const
    {
        int k = 0;
        while (k + 1 < p.n && p.peer[k + 1].first * width <= i)
            k++;
        p.peer[k].room[which][(p.peer[k].to - p.peer[k].first) * width + i] =
            value[(int64_t)node[i / width] * width + i % width];
    }
};

/* Without the host. */
template <typename real> sw_status sum_with_peers(const exchange_work<real> *w, const adder<real> &add)
{
    const sw_fem_division *d = w->division;
    const sender<real> send = {add.width, w->sent_node, add.value};
    return sw_peers_run(
        &w->peers, d->first_sent[d->n_neighbours] * add.width, send, d->n_shared * add.width,
        [=] __device__(int64_t i, const real *room) {
            adder<real> from_room = add;
            from_room.received = room;
            from_room(i);
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
    const int parts = w->division->n_parts;
    return sw_peers_run(
        &w->few.peers, n, sw_spreader<double>{FEW, w->few.place, value}, n,
        [=] __device__(int64_t i, const double *room) {
            double sum = 0;
            for (int k = 0; k < parts; k++)
                sum += __ldcg(room + k * FEW + i);
            value[i] = sum;
        },
        w->stream);
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

extern "C" const sw_fem_exchange sw_fem_exchange_cuda = {open_exchange<double>, close_exchange<double>,
                                                         sum_shared<double>,    sum_all<double>,
                                                         clear<double>,         queue<double>};
extern "C" const sw_fem_exchange sw_fem_exchange_cuda_single = {open_exchange<float>, close_exchange<float>,
                                                                sum_shared<float>,    sum_all<float>,
                                                                clear<float>,         queue<float>};
