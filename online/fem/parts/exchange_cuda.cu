/* On the GPU: what goes to other parts is written into the memory of their GPUs where that can be (peers.cuh); else it is packed, and
 * takes the way through the host's memory unless MPI reads the GPU's. */
#include "peers.cuh"

namespace
{

template <typename real> struct exchange_work {
    const sw_fem_division *division;
    int64_t *first;                          /* host: [n_neighbours + 1] numbers of a neighbour's block */
    int32_t *sent_node, *shared;             /* as of the division */
    int64_t *first_share, *share;            /* likewise */
    real *sent, *received;                   /* [first_sent[n_neighbours]][most_width] */
    real *sent_from_host, *received_by_host; /* pinned; NULL: MPI takes the two above */
    sw_peers<real> peers;                    /* then none of these is used */
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
    sw_peers_open(&w->peers, d, most); /* all together, whatever became of one */
    SW_TRY(status);
    return most > 0 && w->peers.n == 0 ? make_room(w, most) : SW_OK;
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

template <typename real>
__global__ void __launch_bounds__(SW_EACH_THREADS)
    add_up_from_peers(int64_t n, adder<real> add, int peers, const volatile unsigned *came, unsigned number)
{
    sw_peers_wait(peers, came, number);
    SW_GRID_STRIDE (i, n)
        add(i);
}

/* Without the host. */
template <typename real> sw_status sum_with_peers(exchange_work<real> *w, const adder<real> &add)
{
    const sw_fem_division *d = w->division;
    sw_peers<real> *p = &w->peers;
    const int64_t sent = d->first_sent[d->n_neighbours], n = d->n_shared * add.width;
    const unsigned number = ++p->sums;
    sw_peers_send<<<sw_blocks_for(sent * add.width, SW_EACH_THREADS), SW_EACH_THREADS>>>(
        sent, add.width, w->sent_node, (const real *)add.value, p->n, p->peer, number, p->done);
    SW_CUDA_TRY_LAUNCH();
    adder<real> from_room = add;
    from_room.received = p->room[number % 2];
    add_up_from_peers<<<sw_blocks_for(n, SW_EACH_THREADS), SW_EACH_THREADS>>>(n, from_room, p->n, p->came,
                                                                              number);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
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
    if (w->peers.n > 0)
        return sum_with_peers(w, add);
    for (int k = 0; k <= d->n_neighbours; k++)
        w->first[k] = d->first_sent[k] * width;
    SW_TRY(pack(w, width, (const real *)value));
    SW_TRY(exchange(w, w->first[d->n_neighbours]));
    return sw_each(d->n_shared * width, add);
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
