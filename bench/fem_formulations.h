/* Products of formulations' tangents without a matrix, timed; for bench_fem.c. */
#ifndef SW_BENCH_FEM_FORMULATIONS_H
#define SW_BENCH_FEM_FORMULATIONS_H

#include <stdlib.h>

#include "fem_problem.h"
#include "online/fem/products/groups.h"
#include "online/gpu/gpu.h"

/* A block of cells, each a hexahedron or cut into wedges or tetrahedra; faces a little curved. */
typedef struct {
    const sw_formulation *formulation;
    int cells, parts;
    int64_t n_nodes, n_elements;
    double (*position)[3];
    int32_t *node; /* [E][V] */
} bench_block;

static inline int cell_corners(const sw_topology *t, int part, const double (**corner)[3])
{
    static const double hex[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static double cut[6][6][3];
    static const int wedges[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
    static const int tets[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                   {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    const int n = t->n_corners;
    for (int a = 0; a < n && n < 8; a++)
        memcpy(cut[part][a], hex[n == 4 ? tets[part][a] : wedges[part][a]], sizeof hex[0]);
    *corner = n == 8 ? hex : (const double(*)[3])cut[part];
    return n == 8 ? 1 : n == 6 ? 2 : 6;
}

/* Place of node a in the cell, in halves of it. */
static inline void place_in_cell(const sw_topology *t, const double (*corner)[3], int a, int at[3])
{
    const sw_topology *const simple[] = {&sw_tet4, &sw_wedge6, &sw_hex8_any};
    double value[8], x[3] = {0};
    for (int k = 0; k < 3; k++)
        if (simple[k]->n_corners == t->n_corners)
            simple[k]->shape(t->node[a], value, NULL);
    for (int c = 0; c < t->n_corners; c++)
        for (int i = 0; i < 3; i++)
            x[i] += 2 * value[c] * corner[c][i];
    for (int i = 0; i < 3; i++)
        at[i] = (int)lround(x[i]);
}

static inline void place_node(bench_block *b, int64_t point, int32_t *number)
{
    const int64_t side = 2 * b->cells + 1;
    if (number[point] >= 0)
        return;
    const double x[3] = {(double)(point % side), (double)(point / side % side),
                         (double)(point / side / side)};
    for (int i = 0; i < 3; i++)
        b->position[b->n_nodes][i] = 0.5 * x[i] + 0.05 * sin(0.7 * x[(i + 1) % 3] + i);
    number[point] = (int32_t)b->n_nodes++;
}

static inline void make_block(const char *name, int64_t wanted, bench_block *b)
{
    const double(*corner)[3];
    int32_t *number;
    *b = (bench_block){.formulation = sw_formulation_find(name, 1)};
    if (b->formulation == NULL || !sw_products_by_points(b->formulation))
        stop_on(sw_error(SW_ERR_INPUT, "formulation %s: need one that goes by its points", name));
    const sw_topology *t = b->formulation->topology;
    b->parts = cell_corners(t, 0, &corner);
    b->cells = (int)ceil(cbrt((double)wanted / b->parts) - 1e-9);
    const int64_t n = b->cells, side = 2 * n + 1;
    b->n_elements = n * n * n * b->parts;
    stop_on(SW_ALLOCATE(number, side * side * side, "nodes"));
    stop_on(SW_ALLOCATE(b->position, side * side * side, "nodes"));
    stop_on(SW_ALLOCATE(b->node, b->n_elements * t->n_nodes, "elements"));
    memset(number, -1, (size_t)(side * side * side) * sizeof *number);
    for (int64_t e = 0; e < b->n_elements; e++) {
        const int64_t c = e / b->parts, x[3] = {c % n, c / n % n, c / n / n};
        cell_corners(t, (int)(e % b->parts), &corner);
        for (int a = 0; a < t->n_nodes; a++) {
            int at[3];
            place_in_cell(t, corner, a, at);
            const int64_t point = 2 * x[0] + at[0] + side * (2 * x[1] + at[1] + side * (2 * x[2] + at[2]));
            place_node(b, point, number);
            b->node[e * t->n_nodes + a] = number[point];
        }
    }
    free(number);
}

static inline int block_unknowns(const void *of, int64_t e, int64_t *unknown)
{
    const bench_block *b = of;
    const int V = b->formulation->topology->n_nodes;
    for (int i = 0; i < 3 * V; i++)
        unknown[i] = 3 * (int64_t)b->node[e * V + i / 3] + i % 3;
    return 3 * V;
}

static inline const sw_formulation *block_formulation(const void *of, int64_t e)
{
    (void)e;
    return ((const bench_block *)of)->formulation;
}

/* A steel's tangents: elastic, flowing, and with shears of its own. */
static inline void tangent_of(sw_product_kind kind, int64_t seed, double c[6][6])
{
    const double lame = 1.2e11, shear = 8e10, m[6] = {2e5, -1e5, -1e5, 1e5 * sin((double)seed), 5e4, 3e4};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            c[i][j] = (i == j ? (i < 3 ? 2 : 1) * shear : 0) + (i < 3 && j < 3 ? lame : 0);
            if (kind == SW_PRODUCT_FLOWING)
                c[i][j] -= m[i] * m[j];
        }
    if (kind == SW_PRODUCT_GENERAL)
        c[3][3] *= 1.1;
}

static inline void set_tangents(const bench_block *b, sw_product_kind kind, sw_products *p)
{
#pragma omp parallel for schedule(static)
    for (int64_t e = 0; e < b->n_elements; e++) {
        double c[SW_FORMULATION_POINTS][6][6];
        for (int q = 0; q < b->formulation->rule->n; q++)
            tangent_of(kind, e + q, c[q]);
        stop_on(sw_products_set_points(p, e, (const double(*)[6][6])c));
    }
    stop_on(sw_products_ready(p));
}

/* What a product does at least, an element: each node's position, number and force once, nodes and tangents once;
 * multiplications and additions of point.h. */
static inline void count_product(const bench_block *b, sw_product_kind kind, double *bytes,
                                 double *operations)
{
    static const int of_stress[SW_PRODUCT_KINDS] = {17, 41, 69};
    const int V = b->formulation->topology->n_nodes, Q = b->formulation->rule->n,
              n = sw_product_size(kind) * (kind == SW_PRODUCT_UNIFORM ? 1 : Q);
    *bytes = 72.0 * (double)b->n_nodes / (double)b->n_elements + 4 * (V + 1) + 8 * n;
    *operations = Q * (54.0 * V + 142 + of_stress[kind]); /* R, J, f; inverse, h, P */
}

enum { BLOCK_BATCHES = 7 };

static inline double time_block(sw_products *p)
{
    double seconds[BLOCK_BATCHES], one;
    stop_on(sw_products_time(p, 1, &one));
    const int times = (int)fmin(fmax(0.1 / one, 1), 50);
    for (int i = 0; i < BLOCK_BATCHES; i++) {
        stop_on(sw_products_time(p, times, &one));
        int k = i;
        for (; k > 0 && seconds[k - 1] > one; k--)
            seconds[k] = seconds[k - 1];
        seconds[k] = one;
    }
    return seconds[BLOCK_BATCHES / 2];
}

static inline void time_formulation(const char *name, int64_t wanted, int gpu, sw_fem_scatter scatter,
                                    double bandwidth, double rate)
{
    static const char *const kinds[SW_PRODUCT_KINDS] = {"uniform", "flowing", "general"};
    bench_block b;
    sw_products *p;
    double *u, *f;
    make_block(name, wanted, &b);
    const sw_products_body body = {.of = &b,
                                   .n_nodes = b.n_nodes,
                                   .n_items = b.n_elements,
                                   .position = (const double(*)[3])b.position,
                                   .unknowns = block_unknowns,
                                   .formulation = block_formulation};
    stop_on(sw_products_open(&body, gpu ? SW_FEM_DEVICE_CUDA : SW_FEM_DEVICE_CPU, scatter, &p));
    stop_on(SW_ALLOCATE(u, 3 * b.n_nodes, "vector"));
    stop_on(SW_ALLOCATE(f, 3 * b.n_nodes, "vector"));
    for (int64_t i = 0; i < 3 * b.n_nodes; i++)
        u[i] = sin(12.9898 * (double)i);
    for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++) {
        double bytes, operations;
        set_tangents(&b, (sw_product_kind)kind, p);
        stop_on(sw_products_multiply(p, u, f));
        const double seconds = time_block(p), each = seconds / (double)b.n_elements;
        count_product(&b, (sw_product_kind)kind, &bytes, &operations);
        const double limit = fmax(bytes / bandwidth, operations / rate);
        printf("%s,%lld,%lld,%s,%s,%s,%.0f,%.0f,%.4f,%.4f,%.4f,%.2f\n", name, (long long)b.n_elements,
               (long long)(3 * b.n_nodes), sw_products_device(p), kinds[kind], sw_fem_scatter_names[scatter],
               bytes, operations, 1e3 * bytes / bandwidth * (double)b.n_elements,
               1e3 * operations / rate * (double)b.n_elements, 1e3 * seconds, each / limit);
        fflush(stdout);
    }
    sw_products_close(p);
    free(b.position);
    free(b.node);
    free(u);
    free(f);
}

/* formulations ELEMENTS DEVICE GB/s TFLOP/s [NAMES [SCATTER]] */
static inline int time_formulations(int argc, char **argv, int gpu)
{
    char standard[] = "C3D4,C3D10,C3D15,C3D8,C3D20R,C3D20";
    if (argc < 6)
        stop_on(sw_error(SW_ERR_INPUT, "formulations: need ELEMENTS DEVICE GB/s TFLOP/s"));
    const sw_fem_scatter scatter =
        argc > 7 ? (sw_fem_scatter)choose(argv[7], SW_FEM_SCATTERS, sw_fem_scatter_names) : SW_FEM_ATOMICS;
    puts("formulation,elements,unknowns,device,tangents,scatter,bytes_per_element,operations_per_element,"
         "bytes_ms,operations_ms,product_ms,of_the_larger");
    for (char *name = strtok(argc > 6 ? argv[6] : standard, ","); name; name = strtok(NULL, ","))
        time_formulation(name, atoll(argv[2]), gpu, scatter, 1e9 * atof(argv[4]), 1e12 * atof(argv[5]));
    return 0;
}

#endif
