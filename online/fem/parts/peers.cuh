/* The memory of other processes' GPUs, where they stand in one machine: what parts have for each other is written straight into the
 * other's memory, and the same kernel then waits until all has come. No part of the host is taken, so that sums follow each other
 * as kernels do, and may stand in a graph: which sum it is, is counted on the device.
 *
 * Numbers travel with the number of their sum, both in eight bytes that come at once (of a double each half does so, as in NCCL's
 * LL): who waits for a number waits for nothing else, and no fence is needed.
 *
 * Rooms are two, taken by turns, and each sum has something for each neighbour: a part writes to one again once it has read what
 * its neighbour wrote to the other, and so after the neighbour has read the first. All blocks send before they wait; there are
 * no more than a GPU holds at a time. */
#ifndef SW_ONLINE_FEM_PARTS_PEERS_CUH
#define SW_ONLINE_FEM_PARTS_PEERS_CUH

#include <unistd.h>

#include <cstring>

#include "common/system/parallel.h"
#include "online/gpu/launch.cuh"

typedef unsigned long long sw_peer_word; /* the number of a sum, then (half) a number of it */

/* A neighbour: where what goes to it begins. */
template <typename real> struct sw_peer {
    int64_t first;         /* of what is sent: places as of sw_peers_open */
    int64_t to;            /* and there */
    sw_peer_word *room[2]; /* its */
};

/* What kernels see. */
template <typename real> struct sw_peers_view {
    int n; /* 0: not used */
    const sw_peer<real> *peer;
    sw_peer_word *room[2];
    unsigned *done; /* blocks of the kernel at hand that have sent */
    unsigned *sums; /* so far */
};

template <typename real> struct sw_peers {
    sw_peers_view<real> view;
    void *mapped[256];   /* [n] memory of neighbours */
    char *own;           /* this process's: two rooms */
    unsigned *count;     /* done, sums */
    sw_peer<real> *peer; /* [n], device */
    int blocks;          /* that a GPU holds at a time */
};

/* What a process tells a neighbour; in numbers of four bytes. */
struct sw_peer_offer {
    cudaIpcMemHandle_t memory;
    char host[64], gpu[32];
    int64_t to, room_bytes;
    int fine, padding;
};
static_assert(sizeof(sw_peer_offer) % 4 == 0, "sent as floats");

enum { SW_PEER_PAGE = 1 << 21 }; /* bytes; handles are of whole pages */

/* This process's memory, and what is said of it to all neighbours. */
template <typename real>
sw_status sw_peers_offer(sw_peers<real> *p, int neighbours, int64_t most, sw_peer_offer *offer)
{
    int device;
    const size_t room = (most * sizeof(real) / 4 + 1) / 2 * 2 *
                        sizeof(sw_peer_word), /* halves of a double side by side */
        all = (2 * room + SW_PEER_PAGE - 1) / SW_PEER_PAGE * SW_PEER_PAGE;
    SW_TRY(SW_CUDA_ALLOCATE(p->own, all, "exchange between parts"));
    SW_TRY(SW_CUDA_ALLOCATE(p->count, 2, "exchange between parts"));
    SW_TRY(SW_CUDA_ALLOCATE(p->peer, neighbours, "exchange between parts"));
    SW_CUDA_TRY(cudaDeviceSynchronize()); /* cleared, before others write */
    SW_CUDA_TRY(cudaGetDevice(&device));
    SW_CUDA_TRY(cudaDeviceGetAttribute(&p->blocks, cudaDevAttrMultiProcessorCount, device));
    p->view.peer = p->peer;
    p->view.done = p->count;
    p->view.sums = p->count + 1;
    for (int i = 0; i < 2; i++)
        p->view.room[i] = (sw_peer_word *)(p->own + i * room);
    SW_CUDA_TRY(cudaIpcGetMemHandle(&offer->memory, p->own));
    SW_CUDA_TRY(cudaDeviceGetPCIBusId(offer->gpu, sizeof offer->gpu, device));
    offer->fine = gethostname(offer->host, sizeof offer->host - 1) == 0;
    offer->room_bytes = (int64_t)room;
    return SW_OK;
}

/* Maps neighbour k's memory; what goes to it is, here, from `first` on. */
template <typename real>
bool sw_peers_map(sw_peers<real> *p, int k, int64_t first, const sw_peer_offer *own, const sw_peer_offer *its)
{
    sw_peer<real> peer = {first, its->to};
    if (!its->fine || strcmp(its->host, own->host) != 0 || strcmp(its->gpu, own->gpu) == 0)
        return false;
    if (cudaIpcOpenMemHandle(&p->mapped[k], its->memory, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    char *memory = (char *)p->mapped[k];
    for (int i = 0; i < 2; i++)
        peer.room[i] = (sw_peer_word *)(memory + i * its->room_bytes);
    return cudaMemcpy(p->peer + k, &peer, sizeof peer, cudaMemcpyHostToDevice) == cudaSuccess;
}

template <typename real> void sw_peers_unmap(sw_peers<real> *p)
{
    for (void *&memory : p->mapped) {
        if (memory)
            cudaIpcCloseMemHandle(memory);
        memory = NULL;
    }
}

template <typename real> void sw_peers_close(sw_peers<real> *p)
{
    sw_peers_unmap(p);
    cudaFree(p->own);
    cudaFree(p->count);
    cudaFree(p->peer);
    *p = (sw_peers<real>){0};
}

/* p->view.n neighbours, of ranks `rank` [n], where all processes reach theirs so; called by all together. place [n]: where what
 * goes to a neighbour begins here, and in this one's room what comes from it. most: numbers of a room. Memory that is not to be
 * had, or not to be mapped, leaves view.n 0, as does a status of before that is none. */
template <typename real>
void sw_peers_open(sw_peers<real> *p, int n, const int *rank, const int64_t *place, int64_t most,
                   sw_status status)
{
    const int numbers = (int)(sizeof(sw_peer_offer) / 4);
    sw_peer_offer own = {}, *offer = NULL, *its = NULL;
    int64_t *first = NULL;
    status = status ? status : n <= 256 ? SW_OK : SW_ERR_RANGE;
    status = status ? status : SW_ALLOCATE(offer, n, "exchange between parts");
    status = status ? status : SW_ALLOCATE(its, n, "exchange between parts");
    status = status ? status : SW_ALLOCATE(first, n + 1, "exchange between parts");
    if (status == SW_OK && n > 0 && sw_peers_offer(p, n, most, &own) != SW_OK)
        own.fine = 0;
    bool fine = sw_parallel_most(status != SW_OK) == 0; /* all tell and hear */
    for (int k = 0; fine && k <= n; k++) {
        first[k] = (int64_t)k * numbers;
        if (k == n)
            break;
        offer[k] = own;
        offer[k].to = place[k];
    }
    if (fine)
        sw_parallel_exchange(n, rank, first, 4, offer, its);
    for (int k = 0; fine && k < n; k++)
        fine = own.fine && sw_peers_map(p, k, place[k], &own, &its[k]);
    if (sw_parallel_most(!fine) == 0)
        p->view.n = n;
    else {
        sw_peers_unmap(p);
        (void)sw_parallel_most(0); /* memory that others have mapped is not to be freed */
        sw_peers_close(p);
    }
    free(offer);
    free(its);
    free(first);
}

/* ---- Kernels ---- */

__device__ __forceinline__ void sw_peer_put(sw_peer_word *room, int64_t at, float value, unsigned number)
{
    *(volatile sw_peer_word *)(room + at) = (sw_peer_word)number << 32 | __float_as_uint(value);
}

__device__ __forceinline__ void sw_peer_put(sw_peer_word *room, int64_t at, double value, unsigned number)
{
    const sw_peer_word bits = (sw_peer_word)__double_as_longlong(value), of = (sw_peer_word)number << 32;
    asm volatile("st.volatile.global.v2.u64 [%0], {%1, %2};" ::"l"(room + 2 * at),
                 "l"(of | (bits & 0xffffffffu)), "l"(of | bits >> 32)
                 : "memory");
}

/* Another look at what has not come. Some hour without: the process that should send is gone. */
__device__ __forceinline__ void sw_peer_look_again(int64_t *looks)
{
    if (++*looks > 1LL << 33)
        __trap();
}

/* Number `at` of sum `number`, once it has come. */
__device__ __forceinline__ float sw_peer_take(const float *, const sw_peer_word *room, int64_t at,
                                              unsigned number)
{
    for (int64_t looks = 0;; sw_peer_look_again(&looks)) {
        const sw_peer_word word = *(const volatile sw_peer_word *)(room + at);
        if ((unsigned)(word >> 32) == number)
            return __uint_as_float((unsigned)word);
    }
}

__device__ __forceinline__ double sw_peer_take(const double *, const sw_peer_word *room, int64_t at,
                                               unsigned number)
{
    for (int64_t looks = 0;; sw_peer_look_again(&looks)) {
        sw_peer_word low, high;
        asm volatile("ld.volatile.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(room + 2 * at)
                     : "memory");
        if ((unsigned)(low >> 32) == number && (unsigned)(high >> 32) == number)
            return __longlong_as_double((long long)(high << 32 | (low & 0xffffffffu)));
    }
}

/* A sum at hand: what is sent to whom, and what has come. */
template <typename real> struct sw_peers_sum {
    const sw_peers_view<real> *p;
    unsigned number;

    /* As number `at` of the neighbour's room; of this one's. */
    __device__ void send(int neighbour, int64_t at, real value) const
    {
        sw_peer_put(p->peer[neighbour].room[number % 2], at, value, number);
    }
    __device__ void keep(int64_t at, real value) const
    {
        sw_peer_put(number % 2 ? p->room[1] : p->room[0], at, value, number);
    }
    __device__ real take(int64_t at) const
    {
        return sw_peer_take((const real *)nullptr, number % 2 ? p->room[1] : p->room[0], at, number);
    }
};

/* send(sum, i) of n numbers, and once all of a block have been sent finish(sum, i) of m. What threads of a block and others write in
 * `finish` is not to be read in `send`, but by themselves: i is the same thread's in both. */
template <typename real, class Send, class Finish>
__global__ void __launch_bounds__(SW_EACH_THREADS)
    sw_peers_kernel(const __grid_constant__ sw_peers_view<real> p, int64_t n,
                    const __grid_constant__ Send send, int64_t m, const __grid_constant__ Finish finish)
{
    const sw_peers_sum<real> sum = {&p, *(const volatile unsigned *)p.sums + 1};
    SW_GRID_STRIDE (i, n)
        send(sum, i);
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(p.done, 1U) == gridDim.x - 1) { /* all know the number */
        *p.done = 0;
        *p.sums = sum.number;
    }
    SW_GRID_STRIDE (i, m)
        finish(sum, i);
}

template <typename real, class Send, class Finish>
sw_status sw_peers_run(const sw_peers<real> *p, int64_t n, const Send &send, int64_t m, const Finish &finish,
                       cudaStream_t stream)
{
    const unsigned blocks = sw_blocks_for(n > m ? n : m, SW_EACH_THREADS, p->blocks);
    sw_peers_kernel<<<blocks, SW_EACH_THREADS, 0, stream>>>(p->view, n, send, m, finish);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

/* ---- Rows of all, to all ---- */

/* Each process has some rows of a whole that all get; through peers.view.n = 0 of all, or none. */
template <typename real> struct sw_spread {
    sw_peers<real> peers;
    int width;
    int64_t n, all; /* numbers: of the rows here, of the whole */
    int32_t *place; /* device: where each row goes */
};

template <typename real> void sw_spread_close(sw_spread<real> *s)
{
    sw_peers_close(&s->peers);
    cudaFree(s->place);
    *s = (sw_spread<real>){};
}

/* place [rows], host. Called by all together; where it cannot be, as where one has no rows, nothing is open. */
template <typename real>
void sw_spread_open(sw_spread<real> *s, int64_t rows, const int32_t *place, int64_t all_rows, int width)
{
    const int P = sw_parallel_size();
    int *rank = NULL;
    int64_t *none = NULL;
    sw_status status = rows > 0 ? SW_ALLOCATE(rank, P, "exchange between parts") : SW_ERR_RANGE;
    status = status ? status : SW_ALLOCATE(none, P, "exchange between parts");
    status = status ? status : SW_CUDA_ALLOCATE(s->place, rows, "exchange between parts");
    status = status
                 ? status
                 : sw_cuda_status(cudaMemcpy(s->place, place, rows * sizeof *place, cudaMemcpyHostToDevice),
                                  "exchange between parts");
    for (int k = 0, n = 0; status == SW_OK && k < P; k++)
        if (k != sw_parallel_rank())
            rank[n++] = k;
    s->width = width;
    s->n = rows * width;
    s->all = all_rows * width;
    sw_peers_open(&s->peers, P - 1, rank, none, s->all, status);
    free(rank);
    free(none);
    if (s->peers.view.n == 0)
        sw_spread_close(s);
}

template <typename real> struct sw_spreader {
    int width;
    const int32_t *place;
    const real *value;

    __device__ void operator()(const sw_peers_sum<real> &sum, int64_t i) const
    {
        const int64_t at = (int64_t)place[i / width] * width + i % width;
        const real is = value[i];
        for (int k = 0; k < sum.p->n; k++)
            sum.send(k, at, is);
        sum.keep(at, is);
    }
};

/* value: the rows here; whole: those of all. */
template <typename real>
sw_status sw_spread_all(const sw_spread<real> *s, const real *value, real *whole, cudaStream_t stream = 0)
{
    return sw_peers_run(
        &s->peers, s->n, sw_spreader<real>{s->width, s->place, value}, s->all,
        [=] __device__(const sw_peers_sum<real> &sum, int64_t i) { whole[i] = sum.take(i); }, stream);
}

/* Whether each process of several reaches the memory of all others' GPUs; called by all together. */
static inline bool sw_peers_reach_all()
{
    sw_spread<float> s = {};
    const int32_t place = sw_parallel_rank();
    if (sw_parallel_size() == 1)
        return false;
    sw_spread_open(&s, 1, &place, sw_parallel_size(), 1);
    const bool reach = s.peers.view.n > 0;
    sw_peers_unmap(&s.peers);
    (void)sw_parallel_most(0); /* memory that others have mapped is not to be freed */
    sw_spread_close(&s);
    return reach;
}

#endif
