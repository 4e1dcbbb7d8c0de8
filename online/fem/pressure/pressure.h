/* Pressures that follow the surface: the force of a face's corner a is -lambda p times the integral of N_a n over the
 * deformed face (Schweizerhof and Ramm 1984). A thread a node, which sums over the faces that have it: the order is
 * always the same.
 *
 *     pressure.c       faces, and the faces of each node
 *     pressure_cpu.c, pressure_cuda.cu
 *
 * F faces of all entries, n nodes of them. */
#ifndef SW_ONLINE_FEM_PRESSURE_PRESSURE_H
#define SW_ONLINE_FEM_PRESSURE_PRESSURE_H

#include "online/fem/backend/backend.h"
#include "online/fem/element/face.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pointers live on the device. */
typedef struct {
    sw_fem_kinematics kinematics;
    double thickness;
    int n_cases;
    int64_t n_nodes, n_faces, n;
    const int32_t *face_node; /* [F][4] */
    const int32_t *case_of;   /* [F] */
    const double *pressure;   /* [F] Pa at factor 1 */
    const int32_t *node;      /* [n] ascending */
    const int64_t *first;     /* [n + 1] corners of nodes */
    const int64_t *corner;    /* 4 face + which of its nodes; ascending */
    const double *position;   /* [N][d] */
} sw_fem_pressure_view;

/* The analysis' pressures on the host. */
struct sw_fem_pressures {
    sw_fem_pressure_view view; /* owns what it points to, but position */
};

/* fem->pressures from its problem's cases; NULL without any. SW_ERR_MEMORY. */
sw_status sw_fem_pressure_open(sw_fem *fem);
void sw_fem_pressure_close(sw_fem *fem);

/* A field [N][d] at the nodes of face f; 0 beyond its d numbers. */
SW_FEM_INLINE void sw_fem_pressure_gather(const sw_fem_pressure_view *view, int64_t f, const double *field,
                                          double at[4][3])
{
    const int d = sw_fem_dimension(view->kinematics);
    for (int a = 0; a < sw_fem_face_corners(view->kinematics); a++)
        for (int i = 0; i < 3; i++)
            at[a][i] = i < d ? field[(int64_t)view->face_node[4 * f + a] * d + i] : 0;
}

/* Where displacement u has them (m). */
SW_FEM_INLINE void sw_fem_pressure_place(const sw_fem_pressure_view *view, int64_t f, const double *u,
                                         double at[4][3])
{
    double move[4][3];
    sw_fem_pressure_gather(view, f, view->position, at);
    sw_fem_pressure_gather(view, f, u, move);
    for (int a = 0; a < sw_fem_face_corners(view->kinematics); a++)
        for (int i = 0; i < 3; i++)
            at[a][i] += move[a][i];
}

/* Force (N) on the i-th loaded node under u; factor [L]. */
SW_FEM_INLINE void sw_fem_pressure_force(const sw_fem_pressure_view *view, int64_t i, const double *factor,
                                         const double *u, double force[3])
{
    force[0] = force[1] = force[2] = 0;
    for (int64_t j = view->first[i]; j < view->first[i + 1]; j++) {
        const int64_t f = view->corner[j] / 4;
        const double pressure = factor[view->case_of[f]] * view->pressure[f];
        double at[4][3], share[3];
        sw_fem_pressure_place(view, f, u, at);
        sw_fem_face_share(view->kinematics, view->thickness, (int)(view->corner[j] % 4),
                          (const double(*)[3])at, share);
        for (int k = 0; k < 3; k++)
            force[k] -= pressure * share[k];
    }
}

/* Less the change of that force when the nodes, which are `at` [F][4][3], move at p [N][d]: a row of K p. */
SW_FEM_INLINE void sw_fem_pressure_row(const sw_fem_pressure_view *view, int64_t i, const double *factor,
                                       const double (*at)[4][3], const double *p, double row[3])
{
    row[0] = row[1] = row[2] = 0;
    for (int64_t j = view->first[i]; j < view->first[i + 1]; j++) {
        const int64_t f = view->corner[j] / 4;
        const double pressure = factor[view->case_of[f]] * view->pressure[f];
        double move[4][3] = {{0}}, change[3];
        sw_fem_pressure_gather(view, f, p, move);
        sw_fem_face_share_change(view->kinematics, view->thickness, (int)(view->corner[j] % 4), at[f],
                                 (const double(*)[3])move, change);
        for (int k = 0; k < 3; k++)
            row[k] += pressure * change[k];
    }
}

/* Column k of the node's own block of K. */
SW_FEM_INLINE void sw_fem_pressure_column(const sw_fem_pressure_view *view, int64_t i, const double *factor,
                                          const double (*at)[4][3], int k, double column[3])
{
    column[0] = column[1] = column[2] = 0;
    for (int64_t j = view->first[i]; j < view->first[i + 1]; j++) {
        const int64_t f = view->corner[j] / 4;
        const int a = (int)(view->corner[j] % 4);
        const double pressure = factor[view->case_of[f]] * view->pressure[f];
        double move[4][3] = {{0}}, change[3];
        move[a][k] = 1;
        sw_fem_face_share_change(view->kinematics, view->thickness, a, at[f], (const double(*)[3])move,
                                 change);
        for (int l = 0; l < 3; l++)
            column[l] += pressure * change[l];
    }
}

/* K of face f, whose nodes are `at`: block [corners of rows][of columns][d][d]. */
SW_FEM_INLINE void sw_fem_pressure_face_blocks(const sw_fem_pressure_view *view, int64_t f,
                                               const double *factor, const double (*at)[3], double *block)
{
    const sw_fem_kinematics k = view->kinematics;
    const int d = sw_fem_dimension(k), n = sw_fem_face_corners(k);
    const double pressure = factor[view->case_of[f]] * view->pressure[f];
    for (int i = 0; i < n * n * d * d; i++)
        block[i] = 0;
    for (int b = 0; b < n; b++)
        for (int j = 0; j < d; j++) {
            double move[4][3] = {{0}};
            move[b][j] = 1;
            for (int q = 0; q < n; q++) {
                double shape[4], change[3];
                sw_fem_face_point_change(k, view->thickness, q, at, (const double(*)[3])move, shape, change);
                for (int a = 0; a < n; a++)
                    for (int i = 0; i < d; i++)
                        block[((a * n + b) * d + i) * d + j] += pressure * shape[a] * change[i];
            }
        }
}

/* What a device does; `work` is its own. Vectors are the analysis' [(N + T) c]. */
typedef struct {
    sw_status (*open)(sw_fem *fem, void **work);
    void (*close)(void *work); /* NULL is fine */
    /* force += external forces of factors [L] (host) at u. */
    sw_status (*forces)(void *work, const double *factor, const double *u, double *force);
    /* Less their derivative at u with factors fem->goal, for what follows; its nodes' blocks [c][c] are added to
     * nodal [N][c][c]. Clears fem->symmetric: only that of closed surfaces is. On the CPU its blocks follow those that
     * were in fem->blocks when this was opened, of values that are there by now. */
    sw_status (*tangent)(void *work, const double *u, double *nodal);
    sw_status (*product)(void *work, const double *p, double *g); /* g += K p */
} sw_fem_pressure_functions;
extern const sw_fem_pressure_functions sw_fem_pressure_cpu, sw_fem_pressure_cuda;

#ifdef __cplusplus
}
#endif

#endif
