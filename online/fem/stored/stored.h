/* Products with stored element matrices: which matrix, where its entries are, and what an item (an element, a
 * node, an unknown) adds up. Kiran 2023, sections 4.1, 4.2, 5.1 to 5.3; written once for both devices.
 *
 * Dimensions: V nodes of an element, c unknowns of a node, W = V c rows of an element's matrix. */
#ifndef SW_ONLINE_FEM_STORED_STORED_H
#define SW_ONLINE_FEM_STORED_STORED_H

#include "online/fem/assembly/pattern.h"
#include "online/fem/element/element_matrix.h"
#include "strategies.h"

/* Through the GPU's read-only path. */
#ifdef __CUDA_ARCH__
#define SW_FEM_READ(x) __ldg(&(x))
#else
#define SW_FEM_READ(x) (x)
#endif

/* Call `function` with V and c as constants. */
#define SW_FEM_WITH_SIZES(k, function, ...)             \
    ((k) == SW_FEM_SOLID  ? function(8, 3, __VA_ARGS__) \
     : (k) == SW_FEM_HEAT ? function(4, 1, __VA_ARGS__) \
                          : function(4, 2, __VA_ARGS__))

/* ---- Where the entries of a matrix are ---- */

typedef enum {
    SW_FEM_BY_ROW,     /* [W][W] */
    SW_FEM_BY_NODE,    /* [W/2 pairs of columns][c][V][2]: V threads read 16 V bytes that follow each other */
    SW_FEM_BY_UNKNOWN, /* [W/2 pairs of columns][W][2]: W threads do */
    SW_FEM_BY_ELEMENT, /* of 32 matrices [W W/2][32][2]: 32 threads, each an element, do */
    SW_FEM_HALF,       /* W (W + 1) / 2 entries, below */
} sw_fem_layout;

/* The symmetric half, each entry once and as many for each row. Entry (r, r + s mod W) belongs to row r:
 *
 *     s = 0              the diagonal group
 *     s = 1 .. W/2 - 1   read by row r, and by row r + s as its entry (r + s, r)
 *     s = W/2            the rows' first half has them for both
 *
 * as [W/4][W][2] of s < W/2 and then [W/2]: rows read side by side, 16 bytes each. */
SW_FEM_INLINE int sw_fem_half_place(int W, int r, int s)
{
    return s < W / 2 ? ((s >> 1) * W + r) * 2 + (s & 1) : W / 2 * W + r % (W / 2);
}

/* Numbers that n matrices take. */
SW_FEM_INLINE int64_t sw_fem_layout_size(sw_fem_layout layout, int W, int64_t n)
{
    return layout == SW_FEM_HALF         ? n * (W * (W + 1) / 2)
           : layout == SW_FEM_BY_ELEMENT ? (n + 31) / 32 * 32 * W * W
                                         : n * W * W;
}

/* Entry (i, j) of matrix m; -1 where only (j, i) is kept. */
SW_FEM_INLINE int64_t sw_fem_entry(sw_fem_layout layout, int V, int c, int64_t m, int i, int j)
{
    const int W = V * c, s = (j - i + W) % W;
    switch (layout) {
    case SW_FEM_BY_ROW:
        return m * W * W + i * W + j;
    case SW_FEM_BY_NODE:
        return m * W * W + (((j >> 1) * c + i % c) * V + i / c) * 2 + (j & 1);
    case SW_FEM_BY_UNKNOWN:
        return m * W * W + ((j >> 1) * W + i) * 2 + (j & 1);
    case SW_FEM_BY_ELEMENT:
        return (m >> 5) * 32 * W * W + ((i * W + j) >> 1) * 64 + (m & 31) * 2 + (j & 1);
    default:
        return s < W / 2 || (s == W / 2 && i < W / 2) ? m * (W * (W + 1) / 2) + sw_fem_half_place(W, i, s)
                                                      : -1;
    }
}

/* ---- Which matrix an element uses ---- */

typedef enum {
    SW_FEM_EACH,       /* its own: place k in the sequence of elements */
    SW_FEM_INDEXED,    /* index [E]: its material's elastic one, or its own */
    SW_FEM_COMMON,     /* its material's elastic one */
    SW_FEM_CORRECTION, /* plastic less elastic, by slot; elastic elements have none */
    SW_FEM_LISTED,     /* place k in the list of plastic elements */
} sw_fem_which;

typedef struct {
    const double *matrix;
    int n_materials;            /* that many elastic ones come first (not SW_FEM_EACH) */
    const int32_t *index;       /* [E] SW_FEM_INDEXED */
    const int32_t *node;        /* [E][V] as the view's, and likewise: */
    const int32_t *slot;        /* [E] */
    const uint8_t *material_of; /* [E] */
    const double *first;        /* where matrix 0 is kept apart; NULL: with the others */
} sw_fem_stored;

/* Its number; -1: none. */
SW_FEM_INLINE int64_t sw_fem_matrix_of(sw_fem_which which, const sw_fem_stored *stored, int64_t e, int64_t k)
{
    switch (which) {
    case SW_FEM_EACH:
        return k;
    case SW_FEM_INDEXED:
        return SW_FEM_READ(stored->index[e]);
    case SW_FEM_COMMON:
        return SW_FEM_READ(stored->material_of[e]);
    case SW_FEM_CORRECTION:
        return SW_FEM_READ(stored->slot[e]) < 0 ? -1 : stored->n_materials + SW_FEM_READ(stored->slot[e]);
    default:
        return stored->n_materials + k;
    }
}

/* A product is one or two passes over elements (or nodes): all, or the lists of the improved storage. */
typedef enum { SW_FEM_ALL_ITEMS, SW_FEM_ELASTIC_ITEMS, SW_FEM_PLASTIC_ITEMS } sw_fem_items;
typedef struct {
    int n;
    struct {
        sw_fem_which which;
        sw_fem_items items;
    } pass[2];
} sw_fem_passes;

/* [element-wise, node-wise][sw_fem_storage]. A plastic node may have elastic elements: those need the
 * index. */
static const sw_fem_passes sw_fem_passes_of[2][SW_FEM_STORAGES] = {
    {{1, {{SW_FEM_EACH, SW_FEM_ALL_ITEMS}}},
     {1, {{SW_FEM_INDEXED, SW_FEM_ALL_ITEMS}}},
     {2, {{SW_FEM_COMMON, SW_FEM_ALL_ITEMS}, {SW_FEM_CORRECTION, SW_FEM_ALL_ITEMS}}},
     {2, {{SW_FEM_COMMON, SW_FEM_ELASTIC_ITEMS}, {SW_FEM_LISTED, SW_FEM_PLASTIC_ITEMS}}}},
    {{1, {{SW_FEM_EACH, SW_FEM_ALL_ITEMS}}},
     {1, {{SW_FEM_INDEXED, SW_FEM_ALL_ITEMS}}},
     {2, {{SW_FEM_COMMON, SW_FEM_ALL_ITEMS}, {SW_FEM_CORRECTION, SW_FEM_ALL_ITEMS}}},
     {2, {{SW_FEM_COMMON, SW_FEM_ELASTIC_ITEMS}, {SW_FEM_INDEXED, SW_FEM_PLASTIC_ITEMS}}}}};

/* ---- What an operator does, on either device ---- */

/* Nodes or unknowns are the items, else elements or parts of them. */
SW_FEM_INLINE int sw_fem_node_wise(sw_fem_operator operator_)
{
    return operator_ == SW_FEM_NBN || operator_ == SW_FEM_DBD;
}

typedef struct {
    sw_fem_operator operator_;
    sw_fem_storage storage; /* sw_fem_storage_of */
    sw_fem_layout layout;
    int node_wise, n_materials; /* n_materials: whose elastic matrices are kept */
    sw_fem_kinematics kinematics;
    int V, c, W;
} sw_fem_stored_plan;

static inline sw_fem_stored_plan sw_fem_plan_stored(const sw_fem *fem, sw_fem_operator operator_,
                                                    sw_fem_layout layout)
{
    sw_fem_stored_plan plan;
    plan.operator_ = operator_;
    plan.storage = sw_fem_storage_of(fem->problem, &fem->options);
    plan.layout = layout;
    plan.node_wise = sw_fem_node_wise(operator_);
    plan.n_materials = plan.storage == SW_FEM_OWN ? 0 : fem->problem->n_materials;
    plan.kinematics = fem->problem->kinematics;
    plan.V = fem->corners;
    plan.c = fem->components;
    plan.W = plan.V * plan.c;
    return plan;
}

/* ---- Items ---- */

/* Values at the nodes of an element: own [W]. */
SW_FEM_INLINE void sw_fem_gather_own(int V, int c, const int32_t *node, const double *p, double *own)
{
    SW_UNROLL
    for (int b = 0; b < V; b++) {
        const double *at = p + (int64_t)SW_FEM_READ(node[b]) * c;
        SW_UNROLL
        for (int j = 0; j < c; j++)
            own[b * c + j] = SW_FEM_READ(at[j]);
    }
}

/* One row times the values; rows begin at multiples of 16 bytes. */
SW_FEM_INLINE double sw_fem_row(int W, const double *row, const double *own)
{
    double sum = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
    for (int j = 0; j < W; j += 2) {
        const double2 entry = *(const double2 *)(row + j);
        sum += entry.x * own[j] + entry.y * own[j + 1];
    }
#else
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < W; j++)
        sum += row[j] * own[j];
#endif
    return sum;
}

/* All rows: sum [W]. Read as columns, as the matrix is symmetric, so that the sums stay in registers. */
SW_FEM_INLINE void sw_fem_all_rows(int W, const double *matrix, const double *own, double *sum)
{
    for (int i = 0; i < W; i++)
        sum[i] = 0;
    for (int j = 0; j < W; j++)
#pragma omp simd
        for (int i = 0; i < W; i++)
            sum[i] += matrix[j * W + i] * own[j];
}

/* Row r of a matrix kept by halves times the values, which stand in `twice` one after the other: [2 W]. */
SW_FEM_INLINE double sw_fem_half_row(int W, const double *half, int r, const double *twice)
{
    double sum = half[sw_fem_half_place(W, r, 0)] * twice[r];
    for (int s = 1; s < W / 2; s++) {
        const int down = r >= s ? r - s : r - s + W;
        sum += half[sw_fem_half_place(W, r, s)] * twice[r + s] +
               half[sw_fem_half_place(W, down, s)] * twice[down];
    }
    return sum + half[sw_fem_half_place(W, r, W / 2)] * twice[r + W / 2];
}

/* Unknowns `first` and on, n of them, of a node: their share of all elements around it, added to sum. */
SW_FEM_INLINE void sw_fem_node_rows(int V, int c, sw_fem_which which, const sw_fem_stored *stored,
                                    sw_fem_around around, int64_t node, int first, int n, const double *p,
                                    double *sum)
{
    const int W = V * c;
    const uint32_t end = SW_FEM_READ(around.first[node + 1]);
    for (uint32_t k = SW_FEM_READ(around.first[node]); k < end; k++) {
        const uint32_t at = SW_FEM_READ(around.at[k]);
        const int64_t e = at / V, m = sw_fem_matrix_of(which, stored, e, e);
        if (m < 0)
            continue;
        const double *matrix = stored->first && m == 0 ? stored->first : stored->matrix + m * W * W;
        const double *row = matrix + ((int)(at % V) * c + first) * W;
        double own[SW_FEM_MOST_WIDTH];
        sw_fem_gather_own(V, c, stored->node + e * V, p, own);
        SW_UNROLL
        for (int i = 0; i < n; i++)
            sum[i] += sw_fem_row(W, row + i * W, own);
    }
}

/* Whether an element around the node is plastic. */
SW_FEM_INLINE int sw_fem_node_plastic(int V, const int32_t *slot, sw_fem_around around, int64_t node)
{
    for (uint32_t k = around.first[node]; k < around.first[node + 1]; k++)
        if (slot[around.at[k] / V] >= 0)
            return 1;
    return 0;
}

/* ---- Elastic matrices of voxel meshes ---- */

/* Coordinates' coefficients and stiffness of the elastic element that all elements of a material are like. */
SW_FEM_INLINE void sw_fem_common_element(sw_fem_kinematics k, const sw_fem_view *view, int material,
                                         double (*x)[8], sw_fem_stiffness *stiffness)
{
    sw_fem_element_shape(k, view, 0, x);
    *stiffness = (sw_fem_stiffness){.bulk = view->bulk[material], .shear = view->shear[material], .ratio = 1};
}

#endif
