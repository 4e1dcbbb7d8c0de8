/* Periodic bodies: a box of cells whose opposite faces move alike, but for a mean deformation. With H the mean
 * displacement gradient, X a place from the box's first corner and w a displacement that opposite faces share,
 *
 *     u = H X + w
 *
 * Vectors of the analysis hold w at the nodes of the lower faces (originals; a node of an upper face is a copy, its
 * unknowns are fixed and hold 0) and H times a length in the unknowns of the mean, which come after those of nodes and
 * tools: d "nodes", (j, i) is H_ij. What the devices' functions beneath take is u, what they give is f; between lie
 *
 *     expand    u from w and H
 *     reduce    its transpose: the forces of copies are added to their originals', and what does work on H,
 *               V P_ij over the length, goes to the unknowns of the mean. V volume, P mean first Piola-Kirchhoff stress
 *
 * Over processes the copies of a part are its own originals', which then are summed over the parts of a node.
 *
 * As nothing holds w against a translation, reduce takes the mean force out of what it gives, which is round-off;
 * so all residuals are in the range of the tangent, and iterative solvers do not mind that it is singular.
 *
 *     mean.c                            which unknowns the mean has
 *     periodic.c                        the body, its checks, and a backend that wraps a device's
 *     periodic_cpu.c, periodic_cuda.cu  expand, reduce and the like
 *
 * Dimensions as in slipwave/fem.h; M = d nodes of the mean. */
#ifndef SW_ONLINE_FEM_PERIODIC_PERIODIC_H
#define SW_ONLINE_FEM_PERIODIC_PERIODIC_H

#include "online/fem/backend/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_FEM_MEAN = 9 }; /* unknowns of the mean at most: [M c] in order */

/* Nodes of multigrid's coarsest level at most. */
enum { SW_FEM_COARSEST_PERIODIC = 125 };

/* Pointers live on the device, but in struct sw_fem_periodic. */
typedef struct {
    int d;
    int64_t n_nodes, n_originals;
    /* Of a part of a body (parts/parts.h): originals of all parts, and those that this one counts, the first; else as
     * above. */
    int64_t n_all, n_counted;
    double origin[3], length; /* m */
    const double *position;   /* [N][d] */
    const int32_t *original;  /* [N] of each node; itself */
    int64_t n_shared;         /* originals that have copies, */
    const int32_t *shared;    /* [n_shared] which, */
    const int32_t *first;     /* [n_shared + 1] and their places in */
    const int32_t *copy;      /* [N - n_originals] */
} sw_fem_periodic_view;

/* What a device does; `work` is its own. Vectors are the analysis' [(N + T + M) c]. Of parts of a body reduce is called by
 * all together. */
typedef struct {
    sw_status (*open)(sw_fem *fem, void **work);
    void (*close)(void *work);                                              /* NULL is fine */
    sw_status (*expand)(void *work, const double *x, double *displacement); /* of all nodes from x */
    sw_status (*reduce)(void *work, double *force);                         /* in place */
    sw_status (*add_blocks)(void *work, double *block); /* [N][c][c] those of copies to their originals' */
    /* Values of the mean's unknowns, host arrays. */
    sw_status (*get)(void *work, const double *vector, double value[SW_FEM_MEAN]);
    sw_status (*set)(void *work, double *vector, const double value[SW_FEM_MEAN]);
    /* The inverse of the tangent's block of the mean, 0 where prescribed; and z of the mean's unknowns by it. */
    sw_status (*keep)(void *work, const double inverse[SW_FEM_MEAN][SW_FEM_MEAN]);
    sw_status (*precondition)(void *work, const double *r, double *z);
} sw_fem_periodic_functions;
extern const sw_fem_periodic_functions sw_fem_periodic_cpu, sw_fem_periodic_cuda;

/* A body on the host. */
struct sw_fem_periodic {
    sw_fem_periodic_view view; /* owns what it points to, but position */
    double volume;             /* m3, undeformed */
    const sw_fem_backend *on;  /* the device's */
    sw_fem_backend wrapped;    /* the same for vectors of w and H */
    const sw_fem_periodic_functions *device;
    void *work;
    double *displacement, *rest; /* vectors of the device: of what is tried, of the accepted state */
    int64_t tangents;            /* fem->tangents for which `keep` was called last */
};

/* What a periodic problem and its options must be. SW_ERR_RANGE, SW_ERR_UNAVAILABLE. SW_OK of others. */
sw_status sw_fem_periodic_check(const sw_fem_problem *problem, const sw_fem_options *options);

/* fem->periodic, and the copies' unknowns in fem->fixed, after those of the cases; NULL of other problems.
 * SW_ERR_RANGE: something but the mean is prescribed or loaded, or both H_ij and H_ji are free, and the body may
 * turn. */
sw_status sw_fem_periodic_open(sw_fem *fem);
/* The same of a part of the body, from that of the whole, which then is the parts'. SW_ERR_MEMORY. */
sw_status sw_fem_periodic_take(sw_fem *fem);
void sw_fem_periodic_free(struct sw_fem_periodic *periodic); /* NULL is fine */

/* The wrapping backend of fem->periodic around `on`; `on` without. */
const sw_fem_backend *sw_fem_periodic_wrap(sw_fem *fem, const sw_fem_backend *on);

/* In place of sw_fem_fields: displacements [(N + T + M) c] from a vector of w and H, 0 at the first node. */
void sw_fem_periodic_displace(const struct sw_fem_periodic *periodic, double *u);
sw_status sw_fem_periodic_mean(sw_fem *fem, sw_fem_mean *mean);

/* Whether halving the cells, in every direction as long as their number is even, leaves at most `most` nodes. */
int sw_fem_periodic_halves(const sw_fem_mesh *mesh, int64_t most);

/* ---- One node's share ---- */

SW_HD static inline int64_t sw_fem_periodic_mean_at(const sw_fem_periodic_view *view, int64_t n_unknowns)
{
    return n_unknowns - (int64_t)view->d * view->d;
}

/* Displacement of unknown i (of node n = i / d) under x, whose unknowns of the mean are mean [d][d]. */
SW_HD static inline double sw_fem_periodic_displacement(const sw_fem_periodic_view *view, int64_t i,
                                                        const double *x, const double *mean)
{
    const int d = view->d;
    const int64_t n = i / d;
    double sum = x[(int64_t)view->original[n] * d + i % d];
    for (int j = 0; j < d; j++)
        sum += mean[j * d + i % d] * ((view->position[n * d + j] - view->origin[j]) / view->length);
    return sum;
}

#ifdef __cplusplus
}
#endif

#endif
