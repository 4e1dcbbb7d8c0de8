/* The tangent of a body of elements of any formulations times a vector, without its matrix; equations by that. On the CPU and
 * on a GPU.
 *
 *     point.h                what a point does, on either device
 *     compact.c              how few numbers a point's tangent is kept in
 *     groups.c               elements by formulation or size, their tangents, lists, diagonal blocks
 *     products.c             open, solve: conjugate gradients and the like of online/fem/linear/, on vectors of all unknowns
 *     products_cpu.c, products_cuda.cu
 *
 * Solids whose shapes are those of displacements and whose strains are small go by their points: their nodes' displacements
 * are gathered, strained, stressed by the points' tangents, and the forces scattered. Whatever else there is (springs,
 * finite strains, incompatible modes, ...), an item, brings its matrix.
 *
 * Dimensions: N nodes, U = 3 N unknowns. */
#ifndef SW_ONLINE_FEM_PRODUCTS_PRODUCTS_H
#define SW_ONLINE_FEM_PRODUCTS_PRODUCTS_H

#include "online/fem/formulation/formulation.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sw_products sw_products;

/* What there is, asked while it is opened. */
typedef struct {
    const void *of; /* handed to the functions */
    int64_t n_nodes, n_items;
    const double (*position)[3]; /* [N], borrowed until closed */
    /* Of an item: the unknowns of its matrix, how many; -1: none. By its points: 3 n + i of its nodes, in order. */
    int (*unknowns)(const void *of, int64_t item, int64_t unknown[SW_FORMULATION_UNKNOWNS]);
    /* Its formulation, of those that sw_products_by_points has; NULL: it brings its matrix. */
    const sw_formulation *(*formulation)(const void *of, int64_t item);
} sw_products_body;

int sw_products_by_points(const sw_formulation *formulation);

/* SW_ERR_UNAVAILABLE: no GPU; SW_ERR_RANGE: more than 2^31 - 1 unknowns; SW_ERR_MEMORY. scatter: of the GPU. */
sw_status sw_products_open(const sw_products_body *body, sw_fem_device device, sw_fem_scatter scatter,
                           sw_products **products);
void sw_products_close(sw_products *products); /* NULL is fine */
const char *sw_products_device(const sw_products *products);

/* An item's present tangent: of its points [Q][6][6], symmetric; its matrix [n][n] by rows; not there. Different items by
 * different threads. SW_ERR_MEMORY. */
sw_status sw_products_set_points(sw_products *products, int64_t item, const double (*tangent)[6][6]);
void sw_products_set_matrix(sw_products *products, int64_t item, const double *matrix);
void sw_products_set_nothing(sw_products *products, int64_t item);
/* All of them are set. */
sw_status sw_products_ready(sw_products *products);

/* g = K p, [U] of the host, of all unknowns. */
sw_status sw_products_multiply(sw_products *products, const double *p, double *g);

/* Which unknowns are free, and those that follow from them: u[dependent[k]] = sum of coefficient[i] u[free[i]], i from
 * first[k] to first[k + 1] - 1. Borrowed while solving. */
typedef struct {
    const uint8_t *held; /* [U] not free: prescribed, dependent, or no item's */
    int64_t n_rows;
    const int32_t *dependent, *free; /* [n_rows], [first[n_rows]] */
    const int64_t *first;            /* [n_rows + 1] */
    const double *coefficient;
} sw_products_ties;

void sw_products_limit(sw_products *products, int64_t most); /* iterations of a solution; 200,000 */
/* T' K T q = T' right, to |r| <= tolerance |right|: x [U] gets T q. right [U] is 0 where held. iterations: as sw_fem_solve
 * counts. linear: CG of a symmetric tangent, BiCGSTAB, GMRES, or AUTO, by `symmetric`. Errors as sw_fem_solve;
 * SW_ERR_CONVERGENCE: nothing resists what is loaded. */
sw_status sw_products_solve(sw_products *products, const sw_products_ties *ties, sw_fem_linear_solver linear,
                            int symmetric, double tolerance, const double *right, double *x, int *iterations);

/* Seconds of one product on vectors of the device, of `times`, all of them waited for. */
sw_status sw_products_time(sw_products *products, int times, double *seconds);

#ifdef __cplusplus
}
#endif

#endif
