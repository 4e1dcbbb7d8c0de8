/* The product of a voxel mesh, or of a multigrid level, on the GPU: no connectivity, no atomics, one write a
 * node.
 *
 * A block walks up z with a tile of 32 x 8 columns of cells, a thread a column. Layers of nodal values are
 * copied to shared memory one ahead of their use; the forces on a cell's upper corners wait for the next
 * layer. Forces in a layer are summed along x by shuffles and along y through shared memory. Tiles overlap by
 * one cell, so that each node has all its cells in one block: 31 x 7 nodes of 32 x 8 threads are written, and
 * the bits are the same every time.
 *
 * Elastic cells take 216 operations in the basis of Walsh functions (voxel_product.h), plastic ones about 680
 * and 384 bytes of tangent. They differ so much in registers that they have a kernel each; a tile belongs to
 * the one or, when any of its cells is plastic, to the other, and the two launches share the nodes between
 * them. Bytes a node: 6 numbers of vectors, 4 each of the maps of nodes and cells. */
#ifndef SW_ONLINE_FEM_OPERATORS_LATTICE_CUH
#define SW_ONLINE_FEM_OPERATORS_LATTICE_CUH

#include <cuda_pipeline.h>

#include "online/gpu/cuda_check.h"
#include "voxel_product.h"

constexpr int SW_FEM_TILE_X = 32, SW_FEM_TILE_Y = 8, SW_FEM_TILE_THREADS = SW_FEM_TILE_X * SW_FEM_TILE_Y;
constexpr int PLANE = (SW_FEM_TILE_X + 1) * (SW_FEM_TILE_Y + 1), PLANES = 3;

/* Tiles of a lattice: [z][y][x] of them, `layers` planes of nodes high. */
struct sw_fem_lattice_tiles {
    int32_t n[3], layers;
};

static inline sw_fem_lattice_tiles sw_fem_tiles_of(const int32_t n[3])
{
    sw_fem_lattice_tiles t;
    t.n[0] = n[0] / (SW_FEM_TILE_X - 1) + 1;
    t.n[1] = n[1] / (SW_FEM_TILE_Y - 1) + 1;
    /* Some four blocks for each place on the multiprocessors; a layer more is walked than written. */
    const int64_t columns = (int64_t)t.n[0] * t.n[1], wanted = (4 * 264 + columns - 1) / columns;
    t.layers = (int32_t)((n[2] + wanted) / wanted);
    if (t.layers < 8)
        t.layers = 8;
    t.n[2] = n[2] / t.layers + 1;
    return t;
}

template <typename real> struct sw_fem_lattice_view {
    int32_t n[3];
    sw_fem_lattice_tiles tiles;
    const int32_t *node;  /* [n2+1][n1+1][n0+1] */
    const int32_t *cell;  /* [n2][n1][n0] the material; others (< 0, >= n_materials): nothing to do here */
    const uint8_t *fixed; /* [N] bits, for the rest */
    int n_materials;
    real one[8][6];            /* blocks of the only material: constants of the kernel */
    const real (*block)[8][6]; /* of several, [n_materials] */
    /* Plastic cells; tile NULL: there are none. */
    const uint8_t *tile; /* [tiles] whether any of its cells is plastic */
    const int32_t *slot; /* [n2][n1][n0] place of the tangent, -1: elastic */
    const double *tangent, *bulk, *shear;
    int64_t n_plastic;
    double size[3];
    int b_bar;
};

/* Shared memory: planes of nodal values and sums along x; */
template <typename real> struct sw_fem_lattice_shared {
    real plane[PLANES][3][SW_FEM_TILE_Y + 1][SW_FEM_TILE_X + 1];
    real strip[2][3][SW_FEM_TILE_Y][SW_FEM_TILE_X];
};

/* and, for plastic cells, the forces that wait and each thread's tangents at the lower and the upper four
 * points, copied while the other four are at work. */
struct sw_fem_plastic_shared {
    sw_fem_lattice_shared<double> both;
    double waiting[12][SW_FEM_TILE_THREADS];
    double tangent[2][SW_FEM_TANGENT_SIZE][4][SW_FEM_TILE_THREADS];
};

/* Start copying the tangents at four points; every thread calls it. */
__device__ static inline void copy_tangents(const double *tangent, int64_t n_plastic, int slot, int half,
                                            int thread, sw_fem_plastic_shared &shared)
{
    if (slot >= 0)
        SW_UNROLL
    for (int i = 0; i < 6; i++)
        SW_UNROLL
    for (int q = 0; q < 4; q++)
        __pipeline_memcpy_async(&shared.tangent[half][i][q][thread],
                                tangent + (8 * i + 4 * half + q) * n_plastic + slot, sizeof(double));
    __pipeline_commit();
}

/* f <- K u of a plastic cell, by corner; as sw_fem_box_product, with the points of equal z together:
 * gradients along x then take two values a component, by y, along y two, by x, and along z four. `next`: the
 * slot of the cell above, whose tangents are copied as soon as there is place; cells that are not plastic
 * here (slot < 0) only do that. */
__device__ static inline void plastic_cell(const sw_fem_lattice_view<double> &l, int material, int slot,
                                           int next, int thread, sw_fem_plastic_shared &shared,
                                           double u[3][8])
{
    if (slot < 0) {
        copy_tangents(l.tangent, l.n_plastic, next, 0, thread, shared);
        copy_tangents(l.tangent, l.n_plastic, next, 1, thread, shared);
        return;
    }
    const double over[3] = {2 / l.size[0], 2 / l.size[1], 2 / l.size[2]};
    const double volume = l.size[0] * l.size[1] * l.size[2] / 8;
    double along_z[3][4], force_z[3][4], pressure = 0;
    sw_fem_stiffness stiffness;
    stiffness.bulk = l.bulk[material];
    stiffness.shear = l.shear[material];
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        sw_fem_walsh(3, u[i]);
        SW_UNROLL
        for (int m = 1; m < 8; m++)
            u[i][m] *= sw_fem_scale(3, m);
        u[i][0] = 0;
        const double a = u[i][4] + u[i][5], b = u[i][4] - u[i][5], c = u[i][6] + u[i][7],
                     d = u[i][6] - u[i][7];
        along_z[i][0] = over[2] * (b - d);
        along_z[i][1] = over[2] * (a - c);
        along_z[i][2] = over[2] * (b + d);
        along_z[i][3] = over[2] * (a + c);
        SW_UNROLL
        for (int q = 0; q < 4; q++)
            force_z[i][q] = 0;
    }
    const double mean = over[0] * u[0][1] + over[1] * u[1][2] + over[2] * u[2][4];
    double f[3][8];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int m = 0; m < 8; m++)
        f[i][m] = 0;
    SW_UNROLL
    for (int half = 0; half < 2; half++) {
        const double sign = half ? 1 : -1;
        double along_x[3][2], along_y[3][2], force_x[3][2], force_y[3][2];
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            const double x = u[i][1] + sign * u[i][5], y = u[i][2] + sign * u[i][6],
                         both = u[i][3] + sign * u[i][7];
            along_x[i][0] = over[0] * (x - both);
            along_x[i][1] = over[0] * (x + both);
            along_y[i][0] = over[1] * (y - both);
            along_y[i][1] = over[1] * (y + both);
            force_x[i][0] = force_x[i][1] = force_y[i][0] = force_y[i][1] = 0;
        }
        __pipeline_wait_prior(2); /* younger: a plane and the other half */
        SW_UNROLL
        for (int q = 0; q < 4; q++) {
            const int qx = q & 1, qy = q >> 1;
            double strain[6], stress[6];
            stiffness.ratio = shared.tangent[half][0][q][thread];
            SW_UNROLL
            for (int i = 0; i < 5; i++)
                stiffness.flow[i] = shared.tangent[half][i + 1][q][thread];
            strain[0] = along_x[0][qy];
            strain[1] = along_y[1][qx];
            strain[2] = along_z[2][q];
            strain[3] = along_y[2][qx] + along_z[1][q];
            strain[4] = along_x[2][qy] + along_z[0][q];
            strain[5] = along_x[1][qy] + along_y[0][qx];
            const double taken =
                sw_fem_tangent_stress(SW_FEM_SOLID, l.b_bar, mean, &stiffness, strain, stress);
            if (l.b_bar)
                pressure += taken;
            force_x[0][qy] += stress[0];
            force_x[1][qy] += stress[5];
            force_x[2][qy] += stress[4];
            force_y[0][qx] += stress[5];
            force_y[1][qx] += stress[1];
            force_y[2][qx] += stress[3];
            force_z[0][q] += stress[4];
            force_z[1][q] += stress[3];
            force_z[2][q] += stress[2];
        }
        copy_tangents(l.tangent, l.n_plastic, next, half, thread, shared);
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            const double x = over[0] * (force_x[i][1] + force_x[i][0]),
                         y = over[1] * (force_y[i][1] + force_y[i][0]),
                         both = over[0] * (force_x[i][1] - force_x[i][0]) +
                                over[1] * (force_y[i][1] - force_y[i][0]);
            f[i][1] += x;
            f[i][5] += sign * x;
            f[i][2] += y;
            f[i][6] += sign * y;
            f[i][3] += both;
            f[i][7] += sign * both;
        }
    }
    SW_UNROLL
    for (int i = 0; i < 3; i++) {
        const double *q = force_z[i];
        f[i][4] += over[2] * (q[0] + q[1] + q[2] + q[3]);
        f[i][5] += over[2] * (q[1] - q[0] + q[3] - q[2]);
        f[i][6] += over[2] * (q[2] - q[0] + q[3] - q[1]);
        f[i][7] += over[2] * (q[0] - q[1] - q[2] + q[3]);
        if (l.b_bar)
            f[i][1 << i] += pressure * over[i];
        SW_UNROLL
        for (int m = 0; m < 8; m++)
            u[i][m] = f[i][m] * (volume * sw_fem_scale(3, m));
        sw_fem_walsh_back(3, u[i]);
    }
}

/* What is done with the product: g = K p; r -= K p where free. */
enum sw_fem_lattice_use { SW_FEM_LATTICE_PRODUCT, SW_FEM_LATTICE_REST };

/* Nodes of the points of plane z that this thread copies, -1 where there is none. */
template <typename real>
__device__ static inline void nodes_of_plane(const sw_fem_lattice_view<real> &l, int z, int thread,
                                             int32_t node[2])
{
    SW_UNROLL
    for (int k = 0; k < 2; k++) {
        const int i = thread + k * SW_FEM_TILE_THREADS;
        const int x = blockIdx.x * (SW_FEM_TILE_X - 1) - 1 + i % (SW_FEM_TILE_X + 1),
                  y = blockIdx.y * (SW_FEM_TILE_Y - 1) - 1 + i / (SW_FEM_TILE_X + 1);
        const bool there =
            i < PLANE && x >= 0 && y >= 0 && z >= 0 && x <= l.n[0] && y <= l.n[1] && z <= l.n[2];
        node[k] = there ? l.node[((int64_t)z * (l.n[1] + 1) + y) * (l.n[0] + 1) + x] : -1;
    }
}

/* Start copying their values. */
template <typename real>
__device__ static inline void copy_plane(const real *p, int thread, const int32_t node[2],
                                         real (&plane)[3][SW_FEM_TILE_Y + 1][SW_FEM_TILE_X + 1])
{
    SW_UNROLL
    for (int k = 0; k < 2; k++) {
        const int i = thread + k * SW_FEM_TILE_THREADS;
        if (i < PLANE)
            SW_UNROLL
        for (int c = 0; c < 3; c++) {
            real *to = &plane[c][0][0] + i;
            if (node[k] >= 0)
                __pipeline_memcpy_async(to, p + 3 * (int64_t)node[k] + c, sizeof(real));
            else
                *to = 0;
        }
    }
    __pipeline_commit();
}

/* The slot of a column's cell, -1 where it is not plastic or not there. */
template <typename real>
__device__ static inline int slot_at(const sw_fem_lattice_view<real> &l, bool inside, int x, int y, int z)
{
    return inside && z >= 0 && z < l.n[2] ? l.slot[((int64_t)z * l.n[1] + y) * l.n[0] + x] : -1;
}

template <typename real, bool PLASTIC, sw_fem_lattice_use USE>
__global__ void __launch_bounds__(SW_FEM_TILE_THREADS, PLASTIC             ? 1
                                                       : sizeof(real) == 8 ? 2
                                                                           : 4)
    lattice_kernel(const __grid_constant__ sw_fem_lattice_view<real> l, const real *__restrict__ p,
                   real *__restrict__ g)
{
    extern __shared__ char memory[];
    sw_fem_lattice_shared<real> &shared = *reinterpret_cast<sw_fem_lattice_shared<real> *>(memory);
    [[maybe_unused]] sw_fem_plastic_shared &more = *reinterpret_cast<sw_fem_plastic_shared *>(memory);
    if (l.tile && (l.tile[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] != 0) != PLASTIC)
        return;
    const int tx = threadIdx.x, ty = threadIdx.y, thread = ty * SW_FEM_TILE_X + tx;
    const int x = blockIdx.x * (SW_FEM_TILE_X - 1) - 1 + tx, y = blockIdx.y * (SW_FEM_TILE_Y - 1) - 1 + ty;
    const int64_t w = l.n[0] + 1, layer = w * (l.n[1] + 1);
    const int z0 = blockIdx.z * l.tiles.layers,
              z1 = min(z0 + l.tiles.layers, l.n[2] + 1); /* planes written */
    const bool inside = x >= 0 && y >= 0 && x < l.n[0] && y < l.n[1];
    const bool writes = tx > 0 && ty > 0 && x <= l.n[0] && y <= l.n[1];
    real carry[3][4]; /* on the upper corners of the layer below */
    int32_t node[2];
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int c = 0; c < 4; c++) {
        carry[i][c] = 0;
        if constexpr (PLASTIC)
            more.waiting[4 * i + c][thread] = 0;
    }
    /* Layers z0 - 1 (for its upper corners) to z1 - 1; plane z is layer z's lower one. */
    nodes_of_plane(l, z0 - 1, thread, node);
    copy_plane(p, thread, node, shared.plane[(z0 + PLANES - 1) % PLANES]);
    nodes_of_plane(l, z0, thread, node);
    copy_plane(p, thread, node, shared.plane[z0 % PLANES]);
    nodes_of_plane(l, z0 + 1, thread, node);
    [[maybe_unused]] int slot = -1;
    if constexpr (PLASTIC) {
        slot = slot_at(l, inside, x, y, z0 - 1);
        for (int half = 0; half < 2; half++)
            copy_tangents(l.tangent, l.n_plastic, slot, half, thread, more);
    }
    for (int z = z0 - 1; z < z1; z++) {
        const int low = (z + PLANES) % PLANES, high = (z + 1) % PLANES;
        copy_plane(p, thread, node, shared.plane[(z + 2) % PLANES]);
        nodes_of_plane(l, z + 3, thread, node);
        const int kind = inside && z >= 0 && z < l.n[2] ? l.cell[((int64_t)z * l.n[1] + y) * l.n[0] + x] : -1;
        [[maybe_unused]] const int next = PLASTIC ? slot_at(l, inside, x, y, z + 1) : -1;
        const int32_t own = writes && z >= z0 ? l.node[z * layer + y * w + x] : -1;
        __pipeline_wait_prior(PLASTIC ? 3 : 1); /* younger: the plane just begun, and tangents */
        __syncthreads();
        real u[3][8];
        SW_UNROLL
        for (int i = 0; i < 3; i++)
            SW_UNROLL
        for (int c = 0; c < 4; c++) {
            u[i][c] = shared.plane[low][i][ty + (c >> 1)][tx + (c & 1)];
            u[i][c + 4] = shared.plane[high][i][ty + (c >> 1)][tx + (c & 1)];
        }
        if constexpr (PLASTIC)
            plastic_cell(l, kind, slot, next, thread, more, u);
        if (kind < 0 || kind >= l.n_materials) {
            SW_UNROLL
            for (int i = 0; i < 24; i++)
                u[i / 8][i % 8] = 0;
        } else if (PLASTIC && slot >= 0) {
            ; /* done */
        } else if (l.n_materials == 1) {
            sw_fem_walsh_product(l.one, u);
        } else {
            sw_fem_walsh_product(l.block[kind], u);
        }
        real sum[3];
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            real done[4];
            SW_UNROLL
            for (int c = 0; c < 4; c++) {
                if constexpr (PLASTIC) {
                    double &waiting = more.waiting[4 * i + c][thread];
                    done[c] = waiting + u[i][c];
                    waiting = u[i][c + 4];
                } else {
                    done[c] = carry[i][c] + u[i][c];
                    carry[i][c] = u[i][c + 4];
                }
            }
            sum[i] = done[0] + __shfl_up_sync(0xffffffffu, done[1], 1);
            shared.strip[z & 1][i][ty][tx] = done[2] + __shfl_up_sync(0xffffffffu, done[3], 1);
        }
        __syncthreads();
        if (own >= 0) {
            const uint8_t fixed = USE == SW_FEM_LATTICE_REST ? l.fixed[own] : 0;
            SW_UNROLL
            for (int i = 0; i < 3; i++) {
                const real all = sum[i] + shared.strip[z & 1][i][ty - 1][tx];
                real *to = &g[3 * (int64_t)own + i];
                if constexpr (USE == SW_FEM_LATTICE_PRODUCT)
                    *to = all;
                else
                    *to = (fixed >> i & 1) ? 0 : *to - all;
            }
        }
        slot = next;
    }
}

/* One launch; nothing when the lattice has no tile of its kind. */
template <typename real, bool PLASTIC, sw_fem_lattice_use USE>
static sw_status sw_fem_launch_lattice(const sw_fem_lattice_view<real> &l, const real *p, real *g,
                                       cudaStream_t stream = 0)
{
    const size_t bytes = PLASTIC ? sizeof(sw_fem_plastic_shared) : sizeof(sw_fem_lattice_shared<real>);
    if (bytes > 48 * 1024)
        SW_CUDA_TRY(cudaFuncSetAttribute(lattice_kernel<real, PLASTIC, USE>,
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const dim3 grid((unsigned)l.tiles.n[0], (unsigned)l.tiles.n[1], (unsigned)l.tiles.n[2]);
    lattice_kernel<real, PLASTIC, USE><<<grid, dim3(SW_FEM_TILE_X, SW_FEM_TILE_Y), bytes, stream>>>(l, p, g);
    SW_CUDA_TRY_LAUNCH();
    return SW_OK;
}

#endif
