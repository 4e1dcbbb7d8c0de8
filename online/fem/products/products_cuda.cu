/* Products on a GPU: three threads an element, each a component.
 *
 * hex20 with 27 points: 1.77e4 multiply-adds an element (180 of R, of J and of f a point, 115 besides), and 0.5 kB of its
 * nodes' numbers: arithmetic decides, 1.2 ms for a million elements at 30 Tflop/s. A thread that has all of an element has 180
 * numbers of its nodes in 255 registers, or reads them from memory 27 times. With a component each three threads have 60,
 * and exchange rows of J and h, 12 numbers a point, by shuffles. Slopes are the same for all elements: of shared memory, a
 * warp reads one address at a time. Ten elements a warp, two threads idle.
 *
 * Forces are added where they are, the three components of a node beside each other, by atomics; or colour by colour. */
#include "online/gpu/gpu.h"
#include "online/gpu/launch.cuh"
#include "online/gpu/sums.cuh"
#include "groups.h"

namespace
{

enum { THREADS = 128, AT_ONCE = 10 }; /* elements of a warp */
constexpr unsigned WARP = 0xffffffff;

/* An array of the device that grows. */
template <typename type> struct array {
    type *at = nullptr;
    int64_t room = 0;

    sw_status grow(int64_t n, const char *what)
    {
        if (n <= room)
            return SW_OK;
        cudaFree(at);
        at = nullptr;
        room = 0;
        SW_TRY(SW_CUDA_ALLOCATE(at, n, what));
        room = n;
        return SW_OK;
    }
    sw_status fill(int64_t n, const type *host, const char *what)
    {
        SW_TRY(grow(n, what));
        if (n > 0)
            SW_CUDA_TRY(cudaMemcpy(at, host, n * sizeof *at, cudaMemcpyHostToDevice));
        return SW_OK;
    }
    ~array() { cudaFree(at); }
};

/* What a kernel has of elements that are done alike, in the order of their list: what a warp reads is beside each other. */
struct elements {
    const double *position; /* [U] */
    const int32_t *node;    /* [place / AT_ONCE][V][AT_ONCE] */
    const double *tangent;  /* [place / AT_ONCE][points, of uniform ones 1][size][AT_ONCE] */
    const double *slope, *weight;
    int Q, stride;
};

struct of_kind {
    array<int32_t> node;
    array<double> tangent;
};
struct of_group {
    array<double> slope, weight;
    of_kind kind[SW_PRODUCT_KINDS];
};
struct of_size {
    array<int32_t> unknown, list;
    array<double> matrix;
};
struct of_ties {
    int64_t n = 0;
    array<int64_t> first;
    array<int32_t> dependent, free;
    array<double> coefficient;
};

struct cuda_work {
    sw_gpu gpu;
    array<double> position, inverse;
    array<uint8_t> held;
    of_group *group = nullptr;
    of_size *size = nullptr;
    of_ties ties, users;
    double *partial = nullptr;
};

cuda_work *work_of(const sw_products *p) { return (cuda_work *)p->work; }
sw_products *products_of(const sw_fem *fem) { return (sw_products *)fem->work; }

/* ---- Elements ---- */

/* One of the three threads of an element. It sees axes that begin with its own: i, i + 1, i + 2. */
struct one_of_three {
    int i, first, next, beyond; /* component; lanes of component 0, of i + 1 and i + 2 */
};

__device__ __forceinline__ double from(int lane, double value) { return __shfl_sync(WARP, value, lane); }

__device__ __forceinline__ double sum_of_three(const one_of_three &t, double value)
{
    return value + from(t.next, value) + from(t.beyond, value);
}

/* Row r of a tensor in axes that begin with the thread's, from and to those of space. */
__device__ __forceinline__ void to_space(int i, const double r[3], double row[3])
{
    row[0] = i == 0 ? r[0] : i == 1 ? r[2] : r[1];
    row[1] = i == 0 ? r[1] : i == 1 ? r[0] : r[2];
    row[2] = i == 0 ? r[2] : i == 1 ? r[1] : r[0];
}

/* A row of a stress that follows from all of the gradient. */
__device__ __forceinline__ void general_row(const one_of_three &t, const double *tangent, const double r[3],
                                            double s[3])
{
    double own[3], h[3][3], six[6];
    to_space(t.i, r, own);
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        h[0][k] = from(t.first, own[k]);
        h[1][k] = from(t.first + 1, own[k]);
        h[2][k] = from(t.first + 2, own[k]);
    }
    sw_product_stress_general(tangent, AT_ONCE, h, six);
    s[0] = t.i == 0 ? six[0] : t.i == 1 ? six[1] : six[2];
    s[1] = t.i == 0 ? six[5] : t.i == 1 ? six[3] : six[4];
    s[2] = t.i == 0 ? six[4] : t.i == 1 ? six[5] : six[3];
}

/* A row of any; the tangent's numbers are AT_ONCE apart, bulk and a the first two of those that have them. */
template <int kind>
__device__ __forceinline__ void stress_row(const one_of_three &t, double bulk, double a,
                                           const double *tangent, const double h[3], double s[3])
{
    constexpr bool flowing = kind == SW_PRODUCT_FLOWING;
    double m[3], along = 0;
    if constexpr (kind == SW_PRODUCT_GENERAL) {
        general_row(t, tangent, h, s);
        return;
    }
    if (flowing) {
        sw_product_flow(t.i, tangent + 2 * AT_ONCE, AT_ONCE, m);
        along = sum_of_three(t, m[0] * h[0] + m[1] * h[1] + m[2] * h[2]);
    }
    sw_product_stress_row(flowing, bulk, a, m, h, from(t.next, h[2]), from(t.beyond, h[1]),
                          sum_of_three(t, h[0]), along, s);
}

/* Towards the second cache, by a warp. */
__device__ __forceinline__ void prefetch(const void *at, int bytes)
{
    for (int k = threadIdx.x % 32 * 128; k < bytes; k += 32 * 128)
        asm volatile("prefetch.global.L2 [%0];" ::"l"((const char *)at + k));
}

template <int V, int kind>
__device__ __forceinline__ void strain(const elements &of, const double *slopes, const double *tangent,
                                       const one_of_three &t, const double *x, const double *u, double *f)
{
    double bulk = 0, a = 0;
    if (kind == SW_PRODUCT_UNIFORM) {
        bulk = tangent[0];
        a = tangent[AT_ONCE];
    }
    SW_ROLLED
    for (int q = 0; q < of.Q; q++) {
        const double *slope = slopes + q * of.stride;
        double row[3], h[3], s[3], j[3][3], inverse[3][3];
        sw_product_gather(V, x, u, slope, j[0], row);
        SW_UNROLL
        for (int k = 0; k < 3; k++) {
            j[1][k] = from(t.next, j[0][k]);
            j[2][k] = from(t.beyond, j[0][k]);
        }
        const double weight = slopes[of.Q * of.stride + q] * sw_product_invert(j, inverse);
        sw_product_turn(row, inverse, h);
        if (kind == SW_PRODUCT_FLOWING) {
            bulk = tangent[0];
            a = tangent[AT_ONCE];
        }
        stress_row<kind>(t, bulk, a, tangent, h, s);
        if (kind != SW_PRODUCT_UNIFORM)
            tangent += sw_product_size(kind) * AT_ONCE;
        sw_product_pull(s, inverse, weight, row);
        asm volatile(
            "" ::
                : "memory"); /* slopes are read again: kept from above they would take the registers */
        sw_product_scatter(V, row, slope, f);
    }
}

/* Of a multiprocessor: registers for all that a thread has, or threads to wait instead (bench/LOG.md). */
constexpr int blocks_of(int V, int kind)
{
    return (V > 10 ? 3 : 4) - (kind == SW_PRODUCT_GENERAL || (V == 20 && kind == SW_PRODUCT_UNIFORM) ? 1 : 0);
}

template <int V, int kind, bool atomic>
__global__ void __launch_bounds__(THREADS, blocks_of(V, kind))
    product_kernel(const __grid_constant__ elements of, int64_t first, int64_t n, const double *p, double *g)
{
    extern __shared__ double2 shared[];
    double *slopes = (double *)shared;
    SW_ROLLED
    for (int k = threadIdx.x; k < of.Q * of.stride; k += THREADS)
        slopes[k] = of.slope[k];
    for (int k = threadIdx.x; k < of.Q; k += THREADS)
        slopes[of.Q * of.stride + k] = of.weight[k];
    __syncthreads();
    const int lane = threadIdx.x % 32, slot = lane / 3, i = lane % 3;
    const one_of_three three = {i, 3 * slot, 3 * slot + (i + 1) % 3, 3 * slot + (i + 2) % 3};
    const int64_t warp = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 32;
    const int points = kind == SW_PRODUCT_UNIFORM ? 1 : of.Q,
              numbers = points * sw_product_size(kind) * AT_ONCE;
    const int64_t far = (int64_t)gridDim.x * (THREADS / 32) * AT_ONCE;
    for (int64_t base = AT_ONCE * warp; base < n; base += far) {
        const bool active = slot < AT_ONCE && base + slot < n;
        const int64_t place = first + (active ? base + slot : base), group = place / AT_ONCE;
        const int at = (int)(place - group * AT_ONCE);
        const int32_t *node = of.node + group * V * AT_ONCE + at;
        double x[V], u[V], f[V];
        SW_UNROLL
        for (int a = 0; a < V; a++) {
            const int64_t k = 3 * (int64_t)node[a * AT_ONCE] + i;
            x[a] = of.position[k];
            u[a] = p[k];
            f[a] = 0;
        }
        if (base + far < n) {
            const int64_t next = (first + base + far) / AT_ONCE;
            prefetch(of.node + next * V * AT_ONCE, V * AT_ONCE * (int)sizeof(int32_t));
            prefetch(of.tangent + next * numbers, numbers * (int)sizeof(double));
        }
        strain<V, kind>(of, slopes, of.tangent + group * numbers + at, three, x, u, f);
        SW_UNROLL
        for (int a = 0; a < V && active; a++) {
            double *to = g + 3 * (int64_t)node[a * AT_ONCE] + i;
            if (atomic)
                atomicAdd(to, f[a]);
            else
                *to += f[a];
        }
    }
}

template <int V, int kind, bool atomic>
sw_status launch(const cuda_work *work, const elements &of, const sw_product_list *list, const double *p,
                 double *g)
{
    const size_t shared = (size_t)(of.Q * (of.stride + 1)) * sizeof(double);
    const int64_t most = (int64_t)work->gpu.multiprocessors *
                         sw_resident_blocks(product_kernel<V, kind, atomic>, THREADS, shared);
    for (int pass = 0; pass < list->n_passes; pass++) {
        const int64_t first = list->pass[pass], n = list->pass[pass + 1] - first;
        product_kernel<V, kind, atomic>
            <<<sw_blocks_for(n, THREADS / 32 * AT_ONCE, most), THREADS, shared>>>(of, first, n, p, g);
        SW_CUDA_TRY_LAUNCH();
    }
    return SW_OK;
}

typedef sw_status launcher(const cuda_work *, const elements &, const sw_product_list *, const double *,
                           double *);

template <int V> launcher *launcher_of(int kind, bool atomic)
{
    switch (kind) {
    case SW_PRODUCT_UNIFORM:
        return atomic ? launch<V, SW_PRODUCT_UNIFORM, true> : launch<V, SW_PRODUCT_UNIFORM, false>;
    case SW_PRODUCT_FLOWING:
        return atomic ? launch<V, SW_PRODUCT_FLOWING, true> : launch<V, SW_PRODUCT_FLOWING, false>;
    default:
        return atomic ? launch<V, SW_PRODUCT_GENERAL, true> : launch<V, SW_PRODUCT_GENERAL, false>;
    }
}

launcher *launcher_for(int V, int kind, bool atomic)
{
    switch (V) {
    case 4:
        return launcher_of<4>(kind, atomic);
    case 6:
        return launcher_of<6>(kind, atomic);
    case 8:
        return launcher_of<8>(kind, atomic);
    case 10:
        return launcher_of<10>(kind, atomic);
    case 15:
        return launcher_of<15>(kind, atomic);
    default:
        return launcher_of<20>(kind, atomic);
    }
}

/* A thread a row. */
sw_status multiply_matrices(const sw_product_matrices *m, const of_size &on, const double *p, double *g)
{
    const int rows = m->rows;
    const int32_t *unknown = on.unknown.at, *list = on.list.at;
    const double *matrix = on.matrix.at;
    for (int pass = 0; pass < m->list.n_passes; pass++) {
        const int64_t first = m->list.pass[pass], n = m->list.pass[pass + 1] - first;
        SW_TRY(sw_each(n * rows, [=] __device__(int64_t k) {
            const int64_t item = list[first + k / rows], r = k % rows;
            const int32_t *of = unknown + item * rows;
            const double *column = matrix + item * rows * rows + r;
            double sum = 0;
            for (int c = 0; c < rows; c++)
                sum += of[c] >= 0 ? column[c * rows] * p[of[c]] : 0;
            if (of[r] >= 0)
                atomicAdd(g + of[r], sum);
        }));
    }
    return SW_OK;
}

sw_status multiply(sw_products *products, const double *p, double *g)
{
    const cuda_work *work = work_of(products);
    SW_CUDA_TRY(cudaMemsetAsync(g, 0, products->n_unknowns * sizeof *g));
    for (int k = 0; k < products->n_groups; k++) {
        const sw_product_group *group = &products->group[k];
        const of_group *on = &work->group[k];
        for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++) {
            const elements of = {work->position.at, on->kind[kind].node.at, on->kind[kind].tangent.at,
                                 on->slope.at,      on->weight.at,          group->Q,
                                 group->stride};
            SW_TRY(launcher_for(group->V, kind,
                                products->scatter == SW_FEM_ATOMICS)(work, of, &group->list[kind], p, g));
        }
    }
    for (int k = 0; k < products->n_sizes; k++)
        SW_TRY(multiply_matrices(&products->matrices[k], work->size[k], p, g));
    return SW_OK;
}

/* ---- Memory ---- */

sw_status open_all(sw_products *p, cuda_work *work)
{
    SW_TRY(sw_gpu_current(&work->gpu));
    SW_TRY(work->position.fill(p->n_unknowns, p->position[0], "nodes"));
    SW_TRY(SW_CUDA_ALLOCATE(work->partial, SW_SUM_BLOCKS + 1, "sums"));
    for (int k = 0; k < p->n_groups; k++) {
        const sw_product_group *g = &p->group[k];
        of_group *on = &work->group[k];
        SW_TRY(on->slope.fill((int64_t)g->Q * g->stride, g->slope, "shapes"));
        SW_TRY(on->weight.fill(g->Q, g->weight, "shapes"));
    }
    for (int k = 0; k < p->n_sizes; k++) {
        const sw_product_matrices *m = &p->matrices[k];
        SW_TRY(work->size[k].unknown.fill(m->n * m->rows, m->unknown, "elements"));
    }
    return SW_OK;
}

sw_status open_cuda(sw_products *p)
{
    cuda_work *work = new cuda_work;
    p->work = work;
    work->group = new of_group[p->n_groups];
    work->size = new of_size[p->n_sizes];
    return open_all(p, work);
}

void close_cuda(sw_products *p)
{
    cuda_work *work = work_of(p);
    double *const vector[] = {p->fem.p, p->fem.g, p->fem.z, p->x, p->r};
    for (double *v : vector)
        cudaFree(v);
    for (double *v : p->fem.krylov)
        cudaFree(v);
    if (work == nullptr)
        return;
    cudaFree(work->partial);
    delete[] work->group;
    delete[] work->size;
    delete work;
}

sw_status fill_kind(const sw_product_group *g, int kind, of_kind *on)
{
    const int64_t groups = (g->list[kind].n_bundles + AT_ONCE - 1) / AT_ONCE;
    const int64_t n_nodes = groups * g->V * AT_ONCE;
    const int64_t n_numbers =
        groups * (kind == SW_PRODUCT_UNIFORM ? 1 : g->Q) * sw_product_size(kind) * AT_ONCE;
    int32_t *node = NULL;
    double *number = NULL;
    sw_status status = SW_ALLOCATE(node, n_nodes, "elements");
    if (status == SW_OK)
        status = SW_ALLOCATE(number, n_numbers, "tangents");
    if (status == SW_OK) {
        sw_product_pack(g, kind, AT_ONCE, node, number);
        status = on->node.fill(n_nodes, node, "elements");
    }
    if (status == SW_OK)
        status = on->tangent.fill(n_numbers, number, "tangents");
    free(node);
    free(number);
    return status;
}

sw_status ready(sw_products *p)
{
    cuda_work *work = work_of(p);
    for (int k = 0; k < p->n_groups; k++)
        for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++) {
            if (p->group[k].list[kind].n_bundles > 0)
                SW_TRY(fill_kind(&p->group[k], kind, &work->group[k].kind[kind]));
        }
    for (int k = 0; k < p->n_sizes; k++) {
        const sw_product_matrices *m = &p->matrices[k];
        SW_TRY(work->size[k].list.fill(m->list.n_bundles, m->list.element, "elements"));
        SW_TRY(work->size[k].matrix.fill(m->n * m->rows * m->rows, m->matrix, "matrices of elements"));
    }
    return SW_OK;
}

sw_status fill_ties(const sw_products_ties *t, int64_t n_dependent, int64_t n_free, of_ties &to)
{
    to.n = t->n_rows;
    SW_TRY(to.first.fill(t->n_rows + 1, t->first, "constraints"));
    SW_TRY(to.dependent.fill(n_dependent, t->dependent, "constraints"));
    SW_TRY(to.free.fill(n_free, t->free, "constraints"));
    return to.coefficient.fill(t->first[t->n_rows], t->coefficient, "constraints");
}

sw_status tie(sw_products *p, const sw_products_ties *ties, const sw_products_ties *users,
              const double *block)
{
    cuda_work *work = work_of(p);
    SW_TRY(work->held.fill(p->n_unknowns, ties->held, "unknowns"));
    SW_TRY(work->inverse.fill(9 * p->n_nodes, block, "preconditioner"));
    SW_TRY(fill_ties(ties, ties->n_rows, ties->first[ties->n_rows], work->ties));
    return fill_ties(users, users->first[users->n_rows], users->n_rows, work->users);
}

/* ---- Vectors ---- */

sw_status allocate(sw_fem *fem, double **vector)
{
    return SW_CUDA_ALLOCATE(*vector, fem->n_unknowns, "vector");
}

sw_status copy_in(sw_fem *fem, const double *host, double *vector)
{
    SW_CUDA_TRY(cudaMemcpy(vector, host, fem->n_unknowns * sizeof *vector, cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status copy_out(sw_fem *fem, const double *vector, double *host)
{
    SW_CUDA_TRY(cudaMemcpy(host, vector, fem->n_unknowns * sizeof *vector, cudaMemcpyDeviceToHost));
    return SW_OK;
}

sw_status combine(sw_fem *fem, double a, const double *x, double b, double *y)
{
    const int64_t n = fem->n_unknowns;
    if (a == 0 && b == 0) {
        SW_CUDA_TRY(cudaMemsetAsync(y, 0, n * sizeof *y));
        return SW_OK;
    }
    if (b == 0)
        return sw_each(n, [=] __device__(int64_t i) { y[i] = a * x[i]; });
    return sw_each(n, [=] __device__(int64_t i) { y[i] = a * x[i] + b * y[i]; });
}

sw_status dot(sw_fem *fem, const double *x, const double *y, double *result)
{
    return sw_sum_over(
        fem->n_unknowns, [=] __device__(int64_t i) { return x[i] * y[i]; },
        work_of(products_of(fem))->partial, result);
}

sw_status free_part(sw_fem *fem, double *x)
{
    const uint8_t *held = work_of(products_of(fem))->held.at;
    return sw_each(fem->n_unknowns, [=] __device__(int64_t i) {
        if (held[i])
            x[i] = 0;
    });
}

sw_status advance(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                  double *square)
{
    return sw_sum_over(
        fem->n_unknowns,
        [=] __device__(int64_t i) {
            const double rest = r[i] - alpha * g[i];
            x[i] += alpha * p[i];
            r[i] = rest;
            return rest * rest;
        },
        work_of(products_of(fem))->partial, square);
}

/* T' K T p: what follows from p's free unknowns is written into it. */
sw_status tied_product(sw_fem *fem, const double *given, double *g)
{
    const cuda_work *work = work_of(products_of(fem));
    double *p = (double *)given;
    const int64_t *first = work->ties.first.at, *user_first = work->users.first.at;
    const int32_t *dependent = work->ties.dependent.at, *free_one = work->ties.free.at;
    const double *coefficient = work->ties.coefficient.at, *user_coefficient = work->users.coefficient.at;
    SW_TRY(sw_each(work->ties.n, [=] __device__(int64_t k) {
        double sum = 0;
        for (int64_t i = first[k]; i < first[k + 1]; i++)
            sum += coefficient[i] * p[free_one[i]];
        p[dependent[k]] = sum;
    }));
    SW_TRY(multiply(products_of(fem), p, g));
    const int32_t *user = work->users.free.at, *of_user = work->users.dependent.at;
    SW_TRY(sw_each(work->users.n, [=] __device__(int64_t k) {
        double sum = 0;
        for (int64_t i = user_first[k]; i < user_first[k + 1]; i++)
            sum += user_coefficient[i] * g[of_user[i]];
        g[user[k]] += sum;
    }));
    return free_part(fem, g);
}

sw_status precondition(sw_fem *fem, const double *r, double *z)
{
    const double *block = work_of(products_of(fem))->inverse.at;
    return sw_each(fem->n_unknowns, [=] __device__(int64_t i) {
        const double *row = block + 3 * i, *at = r + i / 3 * 3;
        z[i] = row[0] * at[0] + row[1] * at[1] + row[2] * at[2];
    });
}

sw_status wait(sw_fem *)
{
    SW_CUDA_TRY(cudaDeviceSynchronize());
    return SW_OK;
}

} // namespace

extern "C" const sw_products_functions sw_products_cuda = {.vectors = {.queues = 1,
                                                                       .allocate = allocate,
                                                                       .upload = copy_in,
                                                                       .download = copy_out,
                                                                       .combine = combine,
                                                                       .dot = dot,
                                                                       .free_part = free_part,
                                                                       .advance = advance,
                                                                       .product = tied_product,
                                                                       .precondition = precondition,
                                                                       .wait = wait},
                                                           .open = open_cuda,
                                                           .close = close_cuda,
                                                           .ready = ready,
                                                           .tie = tie,
                                                           .multiply = multiply};
