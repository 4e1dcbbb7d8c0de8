/* Private to this folder: what is open.
 *
 * Dimensions: N nodes, U = 3 N unknowns, V nodes of an element, Q its points. */
#ifndef SW_ONLINE_FEM_PRODUCTS_GROUPS_H
#define SW_ONLINE_FEM_PRODUCTS_GROUPS_H

#include "online/fem/backend/backend.h"
#include "point.h"
#include "products.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements that are done alike, `width` of them at a time, a bundle; bundles of a pass share no node, but those of a list for
 * atomics, which is one pass. */
typedef struct {
    int64_t n_bundles;
    int32_t *element; /* [n_bundles][width] in their group; -1 where a bundle is not full */
    int n_passes;
    int64_t *pass; /* [n_passes + 1] first bundle */
} sw_product_list;

/* Elements of one formulation. */
typedef struct {
    const sw_formulation *formulation;
    int V, Q, stride;                           /* of a point's slopes: those of two nodes and two */
    double *slope;                              /* [Q][stride] */
    double *weight;                             /* [Q] */
    int64_t n, room;                            /* room: of these arrays */
    int32_t *node;                              /* [n][V] */
    uint8_t *kind;                              /* [n] sw_product_kind */
    double (*uniform)[SW_PRODUCT_UNIFORM_SIZE]; /* [n] */
    double **own;                               /* [n][Q][size] of the other kinds; NULL until there is one */
    uint8_t *own_kind;                          /* [n] that there is room for in own */
    sw_product_list list[SW_PRODUCT_KINDS];
} sw_product_group;

/* Items of as many unknowns that bring their matrices. */
typedef struct {
    int rows;
    int64_t n, room;
    int32_t *unknown;     /* [n][rows] -1: none */
    double *matrix;       /* [n][rows][rows] by columns */
    uint8_t *there;       /* [n] */
    sw_product_list list; /* width 1 */
} sw_product_matrices;

/* A device. `vectors` is what linear solvers ask for. */
typedef struct {
    sw_fem_backend vectors;
    sw_status (*open)(sw_products *products);
    void (*close)(sw_products *products);
    sw_status (*ready)(sw_products *products); /* lists and tangents are new */
    /* Held unknowns, rows of dependent ones, and those by the free unknown that is in them: users. block [N][9]: inverses. */
    sw_status (*tie)(sw_products *products, const sw_products_ties *ties, const sw_products_ties *users,
                     const double *block);
    sw_status (*multiply)(sw_products *products, const double *p, double *g); /* of the device, no ties */
} sw_products_functions;
extern const sw_products_functions sw_products_cpu, sw_products_cuda;

struct sw_products {
    const double (*position)[3]; /* borrowed */
    int64_t n_nodes, n_unknowns, n_items;
    int32_t *group_of, *place_of; /* [n_items]; group_of: k, or -1 - k of matrices */
    int n_groups, n_sizes;
    sw_product_group *group;
    sw_product_matrices *matrices;
    double *block, *inverse; /* [N][9] of the diagonal; with ties, inverted */
    sw_fem_scatter scatter;
    const sw_products_functions *on;
    void *work; /* the device's */
    sw_fem fem; /* what linear solvers know of it: vectors */
    sw_fem_problem problem;
    double *x, *r; /* of the device */
    char device_name[128];
};

/* groups.c */
sw_status sw_products_group(const sw_products_body *body, sw_products *products);
void sw_products_ungroup(sw_products *products);
/* Lists of the present kinds in bundles of `width`. by_colours: passes. SW_ERR_MEMORY. */
sw_status sw_products_list(sw_products *products, int width, int by_colours);

/* Of a list of bundles of one: nodes [n / at_once][V][at_once], tangents [n / at_once][Q, of uniform ones 1][size][at_once].
 */
void sw_product_pack(const sw_product_group *group, int kind, int at_once, int32_t *node, double *tangent);

/* compact.c: the numbers of symmetric tangents [Q][6][6] by the fewest that have them to 1e-13 of the largest; values
 * [Q][size], or of a uniform one [2]. */
sw_product_kind sw_product_compact(int Q, const double (*tangent)[6][6], double *values);

/* products_cpu.c: block [N][9] of the diagonal; lists are those of the CPU, by colours. */
void sw_products_diagonal(sw_products *products);

#ifdef __cplusplus
}
#endif

#endif
