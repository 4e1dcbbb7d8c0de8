/* The memory of other processes' GPUs, where they stand in one machine: what nodes between parts add up is written straight into the
 * neighbour's memory, and a kernel there waits until it has come. Neither takes part of the host, so that sums follow each other
 * as kernels do.
 *
 * Rooms are two, taken by turns: a part writes to one again once it has read what its neighbour wrote to the other, and so after
 * the neighbour has read the first. */
#ifndef SW_ONLINE_FEM_PARTS_PEERS_CUH
#define SW_ONLINE_FEM_PARTS_PEERS_CUH

#include <unistd.h>

#include <cstring>

#include "common/system/parallel.h"
#include "online/gpu/launch.cuh"
#include "parts.h"

/* A neighbour: where what goes to it begins. */
template <typename real> struct sw_peer {
    int64_t first;         /* node of what is sent */
    int64_t to;            /* and there */
    real *room[2];         /* its */
    volatile unsigned *at; /* its number of the last sum that has come from here */
};

template <typename real> struct sw_peers {
    int n;             /* 0: not used */
    void *mapped[256]; /* [n] memory of neighbours */
    char *own;         /* this process's: `came`, padding, two rooms */
    volatile unsigned *came;
    real *room[2];
    unsigned *done;      /* blocks of the kernel at hand that have written; device */
    sw_peer<real> *peer; /* [n], device */
    unsigned sums;       /* so far */
};

/* What a process tells a neighbour; in numbers of four bytes. */
struct sw_peer_offer {
    cudaIpcMemHandle_t memory;
    char host[64], gpu[32];
    int64_t to, room_bytes;
    int slot, fine;
};
static_assert(sizeof(sw_peer_offer) % 4 == 0, "sent as floats");

enum { SW_PEER_HEAD = 4096, SW_PEER_PAGE = 1 << 21 }; /* bytes; handles are of whole pages */

static inline size_t sw_peer_room(int64_t n, size_t bytes)
{
    return (n * bytes + SW_PEER_HEAD - 1) / SW_PEER_HEAD * SW_PEER_HEAD;
}

/* This process's memory, and what is said of it to all neighbours. */
template <typename real>
sw_status sw_peers_offer(sw_peers<real> *p, const sw_fem_division *d, int64_t most, sw_peer_offer *offer)
{
    int device;
    const size_t room = sw_peer_room(most, sizeof(real)),
                 all = (SW_PEER_HEAD + 2 * room + SW_PEER_PAGE - 1) / SW_PEER_PAGE * SW_PEER_PAGE;
    SW_TRY(SW_CUDA_ALLOCATE(p->own, all, "exchange between parts"));
    SW_TRY(SW_CUDA_ALLOCATE(p->done, 1, "exchange between parts"));
    SW_TRY(SW_CUDA_ALLOCATE(p->peer, d->n_neighbours, "exchange between parts"));
    p->came = (volatile unsigned *)p->own;
    for (int i = 0; i < 2; i++)
        p->room[i] = (real *)(p->own + SW_PEER_HEAD + i * room);
    SW_CUDA_TRY(cudaGetDevice(&device));
    SW_CUDA_TRY(cudaIpcGetMemHandle(&offer->memory, p->own));
    SW_CUDA_TRY(cudaDeviceGetPCIBusId(offer->gpu, sizeof offer->gpu, device));
    offer->fine = gethostname(offer->host, sizeof offer->host - 1) == 0;
    offer->room_bytes = (int64_t)room;
    return SW_OK;
}

/* Maps neighbour k's memory. */
template <typename real>
bool sw_peers_map(sw_peers<real> *p, const sw_fem_division *d, int k, const sw_peer_offer *own,
                  const sw_peer_offer *its)
{
    sw_peer<real> peer = {d->first_sent[k], its->to};
    if (!its->fine || strcmp(its->host, own->host) != 0 || strcmp(its->gpu, own->gpu) == 0)
        return false;
    if (cudaIpcOpenMemHandle(&p->mapped[k], its->memory, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess) {
        cudaGetLastError();
        return false;
    }
    char *memory = (char *)p->mapped[k];
    peer.at = (volatile unsigned *)memory + its->slot;
    for (int i = 0; i < 2; i++)
        peer.room[i] = (real *)(memory + SW_PEER_HEAD + i * its->room_bytes);
    return cudaMemcpy(p->peer + k, &peer, sizeof peer, cudaMemcpyHostToDevice) == cudaSuccess;
}

template <typename real> void sw_peers_close(sw_peers<real> *p)
{
    for (int k = 0; k < 256; k++)
        if (p->mapped[k])
            cudaIpcCloseMemHandle(p->mapped[k]);
    cudaFree(p->own);
    cudaFree(p->done);
    cudaFree(p->peer);
    *p = (sw_peers<real>){0};
}

/* p->n neighbours where all processes reach theirs so; called by all together. most: numbers that are sent. Memory that
 * is not to be had, or not to be mapped, leaves it 0. */
template <typename real> void sw_peers_open(sw_peers<real> *p, const sw_fem_division *d, int64_t most)
{
    const int n = d->n_neighbours, numbers = (int)(sizeof(sw_peer_offer) / 4);
    sw_peer_offer own = {}, *offer = NULL, *its = NULL;
    int64_t *first = NULL;
    sw_status status = n <= 256 ? SW_OK : SW_ERR_RANGE;
    status = status ? status : SW_ALLOCATE(offer, n, "exchange between parts");
    status = status ? status : SW_ALLOCATE(its, n, "exchange between parts");
    status = status ? status : SW_ALLOCATE(first, n + 1, "exchange between parts");
    if (status == SW_OK && n > 0 && sw_peers_offer(p, d, most, &own) != SW_OK)
        own.fine = 0;
    bool fine = sw_parallel_most(status != SW_OK) == 0; /* all tell and hear */
    for (int k = 0; fine && k <= n; k++) {
        first[k] = (int64_t)k * numbers;
        if (k == n)
            break;
        offer[k] = own;
        offer[k].to = d->first_sent[k];
        offer[k].slot = k;
    }
    if (fine)
        sw_parallel_exchange(n, d->neighbour, first, 4, offer, its);
    for (int k = 0; fine && k < n; k++)
        fine = own.fine && sw_peers_map(p, d, k, &own, &its[k]);
    if (sw_parallel_most(!fine) == 0)
        p->n = n;
    else
        sw_peers_close(p);
    free(offer);
    free(its);
    free(first);
}

/* value [.][width] of nodes `node` [n] to the neighbours, whose they are by p->peer[.].first. */
template <typename real>
__global__ void __launch_bounds__(SW_EACH_THREADS)
    sw_peers_send(int64_t n, int width, const int32_t *node, const real *value, int peers,
                  const sw_peer<real> *peer, unsigned number, unsigned *done)
{
    __shared__ bool is_last;
    SW_GRID_STRIDE (i, n * width) {
        int k = 0;
        while (k + 1 < peers && peer[k + 1].first * width <= i)
            k++;
        peer[k].room[number % 2][(peer[k].to - peer[k].first) * width + i] =
            value[(int64_t)node[i / width] * width + i % width];
    }
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(done, 1U) == gridDim.x - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence_system();
    for (int k = threadIdx.x; k < peers; k += SW_EACH_THREADS)
        *peer[k].at = number;
    if (threadIdx.x == 0)
        *done = 0;
}

/* Until sum `number` of all neighbours has come: of a block together. An hour without one: the process that should send is gone. */
__device__ static inline void sw_peers_wait(int peers, const volatile unsigned *came, unsigned number)
{
    unsigned long long begun, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begun));
    for (int k = threadIdx.x; k < peers; k += SW_EACH_THREADS)
        while ((int)(came[k] - number) < 0) {
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
            if (now - begun > 3600ULL * 1000000000ULL)
                __trap();
        }
    __threadfence_system();
    __syncthreads();
}

#endif
