/* Equivalent nodal forces of surface and body loads (Eq. 2.29). */
#include <math.h>
#include <stdlib.h>

#include "face.h"
#include "gather.h"
#include "online/fem/mesh/mesh.h"

/* What is asked for at factor 1, and of which set. */
static sw_status check(const sw_fem_problem *problem, sw_fem_set_kind kind, const sw_fem_set *set, int n,
                       const double *load)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(load[i]))
            return sw_error(SW_ERR_RANGE, "load of %s %s = %g: need a finite one",
                            sw_fem_set_kind_names[kind], set->name != NULL ? set->name : "without a name",
                            load[i]);
    return sw_fem_check_members(problem->mesh, kind, set->name, set->n, set->member);
}

/* Coordinates (3, z = 0 in the plane) of a face's nodes. */
static void face_positions(const sw_fem_mesh *mesh, int64_t element, int face, double (*at)[3], int32_t *node)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[mesh->shape];
    for (int a = 0; a < shape->n_face_nodes; a++) {
        node[a] = mesh->node[element * shape->n_nodes + shape->face[face][a]];
        for (int i = 0; i < 3; i++)
            at[a][i] = i < shape->dimension ? mesh->position[(int64_t)node[a] * shape->dimension + i] : 0;
    }
}

/* force += N' (pressure into the body, or traction) over a face. */
static void add_face(const sw_fem_problem *problem, int64_t element, int face, double pressure,
                     const double *traction, double *force)
{
    const int c = sw_fem_components(problem->kinematics);
    const int n = sw_fem_shapes[problem->mesh->shape].n_face_nodes;
    double at[4][3] = {{0}};
    int32_t node[4];
    face_positions(problem->mesh, element, face, at, node);
    for (int q = 0; q < n; q++) {
        double shape[4], area[3];
        sw_fem_face_point(problem->kinematics, problem->thickness, q, (const double(*)[3])at, shape, area);
        const double size = sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < c; i++)
                force[(int64_t)node[a] * c + i] +=
                    shape[a] * (traction ? traction[i] * size : -pressure * area[i]);
    }
}

sw_status sw_fem_add_pressure(const sw_fem_problem *problem, const sw_fem_set *surface, double pressure,
                              double *force)
{
    SW_TRY(check(problem, SW_FEM_SURFACE, surface, 1, &pressure));
    for (int64_t i = 0; i < surface->n; i++)
        add_face(problem, surface->member[i] / 8, surface->member[i] % 8, pressure, NULL, force);
    return SW_OK;
}

sw_status sw_fem_add_traction(const sw_fem_problem *problem, const sw_fem_set *surface,
                              const double traction[3], double *force)
{
    SW_TRY(check(problem, SW_FEM_SURFACE, surface, sw_fem_components(problem->kinematics), traction));
    for (int64_t i = 0; i < surface->n; i++)
        add_face(problem, surface->member[i] / 8, surface->member[i] % 8, 0, traction, force);
    return SW_OK;
}

/* m2; of the whole ring when axisymmetric. */
static double face_area(const sw_fem_problem *problem, int64_t element, int face)
{
    const int n = sw_fem_shapes[problem->mesh->shape].n_face_nodes;
    double at[4][3] = {{0}}, sum = 0;
    int32_t node[4];
    face_positions(problem->mesh, element, face, at, node);
    for (int q = 0; q < n; q++) {
        double shape[4], area[3];
        sw_fem_face_point(problem->kinematics, problem->thickness, q, (const double(*)[3])at, shape, area);
        sum += sqrt(area[0] * area[0] + area[1] * area[1] + area[2] * area[2]);
    }
    return sum;
}

sw_status sw_fem_add_surface_force(const sw_fem_problem *problem, const sw_fem_set *surface,
                                   const double total[3], double *force)
{
    double area = 0, traction[3] = {0};
    SW_TRY(check(problem, SW_FEM_SURFACE, surface, sw_fem_components(problem->kinematics), total));
    for (int64_t i = 0; i < surface->n; i++)
        area += face_area(problem, surface->member[i] / 8, surface->member[i] % 8);
    if (!(area > 0)) /* edges on the axis */
        return sw_error(SW_ERR_RANGE, "the surface has no area");
    for (int i = 0; i < sw_fem_components(problem->kinematics); i++)
        traction[i] = total[i] / area;
    return sw_fem_add_traction(problem, surface, traction, force);
}

sw_status sw_fem_add_body_force(const sw_fem_problem *problem, const sw_fem_set *elements,
                                const double body_force[3], double *force)
{
    const sw_fem_mesh *mesh = problem->mesh;
    const sw_fem_kinematics k = problem->kinematics;
    const int d = sw_fem_dimension(k), c = sw_fem_components(k), V = sw_fem_corners(k);
    SW_TRY(check(problem, SW_FEM_ELEMENTS, elements, c, body_force));
    for (int64_t i = 0; i < elements->n; i++) {
        const int32_t *node = mesh->node + (int64_t)elements->member[i] * V;
        double x[3][8] = {{0}};
        sw_fem_gather(d, node, mesh->position, d, x);
        for (int q = 0; q < V; q++) {
            sw_fem_place place;
            sw_fem_locate(k, q, (const double(*)[8])x, problem->thickness, &place);
            for (int a = 0; a < V; a++) {
                double shape = 1;
                for (int j = 0; j < d; j++)
                    shape *=
                        ((sw_fem_corner(a) ^ q) >> j & 1) ? (1 - SW_FEM_GAUSS) / 2 : (1 + SW_FEM_GAUSS) / 2;
                for (int j = 0; j < c; j++)
                    force[(int64_t)node[a] * c + j] += shape * place.volume * body_force[j];
            }
        }
    }
    return SW_OK;
}

/* ---- A force over a node set ---- */

sw_status sw_fem_add_total_force(const sw_fem_problem *problem, const sw_fem_set *nodes,
                                 const double total[3], double *force)
{
    const sw_fem_mesh *mesh = problem->mesh;
    const int c = sw_fem_components(problem->kinematics);
    uint8_t *marked = NULL;
    double *share = NULL, sum = 0;
    int32_t *face = NULL;
    int64_t n_faces = 0;
    SW_TRY(check(problem, SW_FEM_NODES, nodes, c, total));
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(marked, mesh->n_nodes, "nodes of a force"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(share, mesh->n_nodes * 3, "shares of a force"), done);
    for (int64_t i = 0; i < nodes->n; i++)
        marked[nodes->member[i]] = 1;
    SW_TRY_GOTO(status, sw_fem_outer_faces(mesh, marked, &n_faces, &face), done);
    const double unit[3] = {1, 1, 1};
    for (int64_t i = 0; i < n_faces; i++)
        add_face(problem, face[i] / 8, face[i] % 8, 0, unit, share);
    for (int64_t i = 0; i < nodes->n; i++)
        sum += share[(int64_t)nodes->member[i] * c];
    for (int64_t i = 0; i < nodes->n; i++) {
        const int64_t n = nodes->member[i];
        const double part = sum > 0 ? share[n * c] / sum : 1.0 / (double)nodes->n;
        for (int j = 0; j < c; j++)
            force[n * c + j] += part * total[j];
    }
done:
    free(marked);
    free(share);
    free(face);
    return status;
}
