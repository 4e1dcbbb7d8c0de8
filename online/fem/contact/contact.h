/* Contact of a body with rigid tools: which nodes, and what a device does for them. A node of a tool's surface is an
 * entry; forces are internal ones, on nodes and, with the opposite sign, on the tool's own unknowns.
 *
 *     contact.c        entries, their areas and stiffnesses; what may be wrong
 *     part.c           those of a part of a body
 *     contact_cpu.c, contact_cuda.cu
 *     friction.h       the force of an entry
 *     tool.h           shapes of tools */
#ifndef SW_ONLINE_FEM_CONTACT_CONTACT_H
#define SW_ONLINE_FEM_CONTACT_CONTACT_H

#include "online/fem/backend/backend.h"
#include "online/fem/element/face.h"
#include "friction.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers live on the device; entries of a tool are together. n entries, F faces of entries. */
typedef struct {
    sw_fem_kinematics kinematics;
    double thickness;
    int n_tools;
    int64_t n_nodes, n;
    const sw_fem_tool *tool;    /* [T] */
    const int64_t *first;       /* host: [T + 1] entries of tools */
    const int32_t *node;        /* [n] */
    const uint8_t *tool_of;     /* [n] */
    const double *stiffness;    /* [n] N/m */
    const double *slack;        /* [n] m */
    const int64_t *face_first;  /* [n + 1] */
    const int32_t *face_node;   /* [F][4] nodes of a face that has the node */
    const uint8_t *face_corner; /* [F] which of them it is */
    const double *position;     /* [N][d] */
    /* Of a part of a body (parts/parts.h): entries of the first so many nodes are added up here, others elsewhere; */
    int64_t n_counted;
    double (*share)[3]; /* [n] m2, what all parts' faces add up to; NULL: view's faces are all */
    int clings;         /* 0, or SW_FEM_CLINGS */
} sw_fem_contact_view;

#define SW_FEM_SLACK 1e-12 /* of an element's depth: round-off of coordinates */

/* Below the least a body of a few elements is softer by a fifth and more; beyond the most tools that are free to move find
 * no equilibrium (bench/LOG.md, "Contact"). */
enum { SW_FEM_LEAST_PENALTY = 1, SW_FEM_MOST_PENALTY = 100000 };

/* The analysis' tools on the host. */
struct sw_fem_contact {
    sw_fem_contact_view view;    /* owns what it points to, but tool and position */
    sw_fem_contact_point *state; /* [n] at the start; then room for save */
    double noise;                /* N, sum of k slack: forces of a tool that only just touches */
    int32_t *face_element;       /* [F] */
};

/* fem->contact from its problem; NULL without tools. SW_ERR_RANGE names the tool and what is wrong with it: numbers
 * out of bounds, a surface without nodes, a node inside, a tool free to move that touches nothing; SW_ERR_MEMORY. */
sw_status sw_fem_contact_open(sw_fem *fem);
void sw_fem_contact_free(struct sw_fem_contact *contact); /* NULL is fine */

/* Of a part of a body (parts/parts.h): fem->contact, from that of the whole; SW_ERR_MEMORY. Then states of the whole's
 * entries, to rank 0 from all parts, and to this part's from the whole's. */
sw_status sw_fem_contact_take(sw_fem *fem);
sw_status sw_fem_contact_gather(const sw_fem *fem, const sw_fem_contact_point *part,
                                sw_fem_contact_point *whole);
void sw_fem_contact_pick(const sw_fem *fem, const sw_fem_contact_point *whole, sw_fem_contact_point *part);

/* What view's faces have of an entry's deformed area (m2, a vector) under displacement u. */
SW_FEM_INLINE void sw_fem_contact_share(const sw_fem_contact_view *view, int64_t i, const double *u,
                                        double sum[3])
{
    const int d = sw_fem_dimension(view->kinematics), n = sw_fem_face_corners(view->kinematics);
    sum[0] = sum[1] = sum[2] = 0;
    for (int64_t f = view->face_first[i]; f < view->face_first[i + 1]; f++) {
        double at[4][3] = {{0}}, share[3];
        for (int a = 0; a < n; a++)
            for (int j = 0; j < d; j++) {
                const int64_t dof = (int64_t)view->face_node[4 * f + a] * d + j;
                at[a][j] = view->position[dof] + u[dof];
            }
        sw_fem_face_share(view->kinematics, view->thickness, view->face_corner[f], (const double(*)[3])at,
                          share);
        for (int j = 0; j < 3; j++)
            sum[j] += share[j];
    }
}

/* Deformed area (m2) of an entry's node under displacement u, seen along the tool's normal. */
SW_FEM_INLINE double sw_fem_contact_area(const sw_fem_contact_view *view, int64_t i, const double *u,
                                         const double normal[3])
{
    double own[3];
    const double *share = view->share ? view->share[i] : own;
    if (!view->share)
        sw_fem_contact_share(view, i, u, own);
    const double area = -(share[0] * normal[0] + share[1] * normal[1] + share[2] * normal[2]);
    return area > 0 ? area : 0;
}

/* Whether this process adds up what entry i does; others have it, too, to know its state. */
SW_HD static inline int sw_fem_contact_counts(const sw_fem_contact_view *view, int64_t i)
{
    return view->node[i] < view->n_counted;
}

/* Whether parts of a body have to sum up areas, which limit shear. */
static inline int sw_fem_contact_needs_areas(const sw_fem *fem)
{
    int limited = 0;
    for (int t = 0; t < fem->problem->n_tools; t++)
        limited |= fem->problem->tool[t].shear_limit > 0;
    return limited && fem->parts;
}

/* Where a node slips by Coulomb's law its rows along the tool have mu times those across it: with m the way it slips,
 *
 *     block = (I + mu m n') symmetric part
 *
 * which preconditioners, who are for symmetric tangents, take apart: the part goes into `nodal`, and their residual is
 * (I - mu m n') r. */
typedef struct {
    double along[3], normal[3]; /* mu m; n */
} sw_fem_contact_lean;

SW_HD static inline void sw_fem_contact_find_lean(const sw_fem_tool *tool, const double x[3],
                                                  const sw_fem_contact_point *state,
                                                  sw_fem_contact_lean *lean)
{
    const double *f = state->friction, size = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    sw_fem_tool_place at;
    sw_fem_tool_find(tool, x, &at);
    for (int j = 0; j < 3; j++) {
        lean->along[j] = size > 0 ? tool->friction * f[j] / size : 0;
        lean->normal[j] = at.normal[j];
    }
}

/* Entry i under displacement u, from the accepted `before`; the rest as sw_fem_contact_force. lean, unless NULL: zeros
 * but where the node slips by Coulomb's law. */
SW_FEM_INLINE sw_fem_contact_kind sw_fem_contact_entry(const sw_fem_contact_view *view, int64_t i,
                                                       const double *before, const double *u, int hold,
                                                       const sw_fem_contact_point *old, double force[3],
                                                       double block[3][3], sw_fem_contact_point *next,
                                                       sw_fem_contact_lean *lean)
{
    const int d = sw_fem_dimension(view->kinematics);
    const sw_fem_tool *tool = &view->tool[view->tool_of[i]];
    const int64_t node = (int64_t)view->node[i] * d, own = (view->n_nodes + view->tool_of[i]) * d;
    double x[3] = {0, 0, 0}, moved[3] = {0, 0, 0}, limit = INFINITY;
    for (int j = 0; j < d; j++) {
        x[j] = view->position[node + j] + u[node + j] - tool->point[j] - u[own + j];
        moved[j] = (u[node + j] - before[node + j]) - (u[own + j] - before[own + j]);
    }
    if (tool->shear_limit > 0) {
        sw_fem_tool_place at;
        sw_fem_tool_find(tool, x, &at);
        limit = at.gap < view->slack[i] ? tool->shear_limit * sw_fem_contact_area(view, i, u, at.normal) : 0;
    }
    const sw_fem_contact_kind kind =
        sw_fem_contact_force(tool, x, moved, view->stiffness[i], view->slack[i], limit,
                             (hold ? SW_FEM_HOLDS : 0) | view->clings, old, force, block, next);
    for (int j = 0; j < 3 && lean; j++)
        lean->along[j] = lean->normal[j] = 0;
    if (lean && kind == SW_FEM_SLIPS_BY_PRESSURE)
        sw_fem_contact_find_lean(tool, x, next, lean);
    return kind;
}

/* Whether a node that a tool had bonded is let go. */
SW_HD static inline int sw_fem_contact_lets_go(const sw_fem_tool *tool, const sw_fem_contact_point *old,
                                               const sw_fem_contact_point *next)
{
    return tool->sticks && old->touches > 0 && !(next->touches > 0);
}

/* What a device does; `work` is its own. Vectors are the analysis' [(N + T) c]. Of parts of a body forces, tangent, accept
 * and restore are called by all together. */
typedef struct {
    sw_status (*open)(sw_fem *fem, void **work);
    void (*close)(void *work); /* NULL is fine */
    /* force += internal forces of contact at u. */
    sw_status (*forces)(void *work, const double *u, double *force);
    /* The derivative at u, for what follows; its nodes' blocks [c][c], their symmetric part, are added to nodal [N][c][c]. Clears
     * fem->symmetric where it is not. */
    sw_status (*tangent)(void *work, const double *u, double *nodal);
    sw_status (*product)(void *work, const double *p, double *g); /* g += K p */
    /* The residual that preconditioners are given for r: r itself or a vector of the work's. */
    sw_status (*lean)(void *work, const double *r, const double **leaned);
    sw_status (*precondition)(void *work, const double *r, double *z); /* z of the tools' unknowns */
    sw_status (*accept)(void *work, const double *u);                  /* and sets fem->released */
    sw_status (*save)(void *work, sw_fem_contact_point *state);        /* [n] */
    sw_status (*restore)(void *work, const sw_fem_contact_point *state);
} sw_fem_contact_functions;
extern const sw_fem_contact_functions sw_fem_contact_cpu, sw_fem_contact_cuda;

#ifdef __cplusplus
}
#endif

#endif
