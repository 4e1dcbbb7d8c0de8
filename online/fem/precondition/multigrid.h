/* Geometric multigrid for lattices of hex8. Of boxes at small strains: the preconditioner of the elastic operator, set
 * up once and used through all Newton iterations, as below; else of the present tangent (present.h).
 *
 * A level is a lattice of cells; the next one's cells are two by two by two of it (one, in directions where a
 * single cell is left, or where cells are long: sw_fem_lattice_halve). Coarse operators are Galerkin's: P' K P with trilinear P that is zero at prescribed
 * unknowns. Where a coarse cell's parts are alike, whole and free, its matrix is the one of its material and
 * level, in eight 3 x 3 blocks (voxel_product.h); else, at surfaces that cut it and at supports between its
 * nodes, it keeps its own. The coarsest level is solved by a dense inverse.
 *
 * Over processes the levels are divided as the finest is, down to one that each process has whole (divided.h).
 *
 * Of periodic bodies (always by the present tangent's way) opposite faces share their nodes on every level, and
 * directions are halved as long as their cells are even in number.
 *
 * The smoother is Chebyshev's of the fourth kind (Lottes 2023, Numer. Linear Algebra Appl. 30, e2518) over
 * Jacobi's: it needs only the largest eigenvalue, which the elements' largest bounds. */
#ifndef SW_ONLINE_FEM_PRECONDITION_MULTIGRID_H
#define SW_ONLINE_FEM_PRECONDITION_MULTIGRID_H

#include "online/fem/backend/backend.h"
#include "online/fem/operators/voxel_product.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Dimensions: cells n0 n1 n2, N nodes. */
typedef struct {
    int32_t n[3];
    int factor[3];  /* of the cells of the next finer level; finest: 0 */
    double size[3]; /* m, of a cell */
    int64_t n_nodes;
    int32_t *node;  /* [n2+1][n1+1][n0+1] node at a lattice point, -1: none */
    int32_t *point; /* [N] lattice point of a node */
    int32_t *cell;  /* [n2][n1][n0] -1 void, a material, or n_materials + number of an own matrix */
    int64_t n_own;
    int32_t *own_cell;           /* [n_own] */
    double (*own)[24 * 24];      /* [n_own] in local order */
    uint8_t *fixed;              /* [N] bits x 1, y 2, z 4: no unknown of this level */
    double (*matrix)[24 * 24];   /* [n_materials] */
    sw_fem_walsh_blocks *blocks; /* [n_materials] */
    double *inverse;             /* [N][3] of the diagonal; 0 where fixed */
    double largest;              /* bound of the eigenvalues of D^-1 K */
    int periodic[3];             /* directions whose ends have the same nodes */
    /* Of levels over processes (divided.h): nodes that this one counts in sums, the first; and numbers in the whole level. */
    int64_t n_counted;
    const int32_t *number; /* [N]; NULL: the same */
} sw_fem_level;

enum { SW_FEM_MOST_LEVELS = 24 };

typedef struct {
    /* present: of the present tangent, where every cell has a matrix of its own that the device makes (present.h):
     * levels have no matrices here, nor blocks and diagonals, and n_materials is 0. */
    int present;
    int periodic;   /* opposite faces of every level have the same nodes */
    int smoothings; /* before and after */
    int32_t *
        owner; /* [N] of the finest level, present: an element that has the node, and what the node adds to K */
    int n_levels, n_materials;
    sw_fem_level level[SW_FEM_MOST_LEVELS]; /* finest first */
    int64_t n_coarsest;                     /* unknowns of the last level */
    double *coarsest; /* [n_coarsest][n_coarsest] inverse of its matrix; 0 where fixed */
    struct sw_fem_divided
        *divided; /* its levels are parts of levels, and the last one is not solved here; else NULL */
} sw_fem_hierarchy;

/* The bulk modulus that levels have where pressures are unknowns (linear/mixed.c): coarse cells of much more lock. */
#define SW_FEM_SOFT_BULK 2.0 /* shear moduli */
static inline double sw_fem_soft_bulk(const sw_fem_material *m)
{
    const double bulk = sw_fem_bulk(m), most = SW_FEM_SOFT_BULK * sw_fem_shear(m);
    return bulk < most ? bulk : most;
}

/* fem: problem, fixed and how it is solved are used. SW_ERR_MEMORY. Released also when it failed. */
sw_status sw_fem_hierarchy_build(const sw_fem *fem, const sw_fem_view *view, sw_fem_hierarchy *hierarchy);
/* Of one over processes what follows its last level, all of which each has: level 0 is that one's whole. Likewise. */
sw_status sw_fem_hierarchy_rest(const sw_fem_hierarchy *divided, sw_fem_hierarchy *rest);
void sw_fem_hierarchy_release(sw_fem_hierarchy *hierarchy);

/* level_nodes.c: node, point and room for fixed of a level [n], of the points that cells >= 0 touch. */
sw_status sw_fem_number_level(sw_fem_level *level, int periodic);
sw_status sw_fem_place_nodes(sw_fem_level *level); /* the last two, from n_nodes and node */
void sw_fem_share_nodes(sw_fem_level *level);      /* node of a periodic level: ends have the same */

/* For present.h. Number of part `offset` of a coarse cell on the finer level, -1 where it ends before. */
int64_t sw_fem_child_cell(const sw_fem_level *fine, const sw_fem_level *coarse, int64_t cell, int offset);
/* coarse [24][24] += W' matrix W of that part. */
void sw_fem_add_galerkin(const sw_fem_level *fine, const sw_fem_level *coarse, int64_t child, int offset,
                         const double *matrix, double *to);
/* A cell's matrix is added to hierarchy->coarsest; and that is inverted where free. Rows of which less than `dependent`
 * of the diagonal is left have zeros; *indefinite is set to 1 if less than minus that is. SW_ERR_MEMORY. */
void sw_fem_add_to_coarsest(sw_fem_hierarchy *hierarchy, int64_t cell, const double *matrix);
sw_status sw_fem_invert_coarsest(sw_fem_hierarchy *hierarchy, double dependent, int *indefinite);

/* What a device does on a level; vectors [N][3] of it, all zero where fixed. */
typedef struct {
    void *work;
    void (*smooth)(void *work, int level, double a, double b, const void *r, void *d, void *x);
    /* d = a d + b D^-1 r (a = 0: d is not read), x += d */
    void (*reduce)(void *work, int level, const void *d, void *r);            /* r -= K d */
    void (*restrict_)(void *work, int level, const void *fine, void *coarse); /* level: the fine one */
    void (*prolong)(void *work, int level, const void *coarse, void *fine);   /* fine = P coarse */
    void (*add)(void *work, int level, const void *d, void *x);               /* x += d */
    void (*clear)(void *work, int level, void *x);
    void (*coarsest)(void *work, const void *r, void *x);
} sw_fem_cycle_functions; /* parts of levels: of all together (divided.h) */

/* Three vectors a level, of the device: right side (used up), solution, direction. */
typedef struct {
    void *r, *x, *d;
} sw_fem_cycle_vectors;

/* One V-cycle: vector[0].r to vector[0].x. */
void sw_fem_cycle(const sw_fem_hierarchy *hierarchy, const sw_fem_cycle_functions *on,
                  const sw_fem_cycle_vectors *vector);

#ifdef __cplusplus
}
#endif

#endif
