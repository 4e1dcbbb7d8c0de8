/* The thesis's bodies with its materials and loads at factor 1 (Kiran 2023, sections 3.2.1, 5.2.2 and 5.3.4.1), for
 * bench_fem.c. */
#ifndef SW_BENCH_FEM_PROBLEM_H
#define SW_BENCH_FEM_PROBLEM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/progress.h"
#include "online/fem/backend/backend.h"

static inline void stop_on(sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_fem: %s\n", sw_error_message());
    exit(1);
}

/* ---- Problems ---- */

typedef struct {
    const char *body;
    sw_fem_material material;
    const char *fixed[3]; /* node set that holds x, y, z */
    const char *loaded;   /* surface */
    double traction[3];   /* Pa at factor 1; or */
    double force[3];      /* N, spread over the surface's nodes, or those at its largest y */
    int edge;
} bench_case;

#define MATERIAL(e, nu, sy, h)                                                                               \
    {                                                                                                        \
        .young = (e), .poisson = (nu), .yield_stress = (sy), .hardening = SW_FEM_LINEAR, .parameter = {(h) } \
    }
#define LINE(...)   \
    {               \
        __VA_ARGS__ \
    }
static const bench_case cases[] = {
    LINE("box", MATERIAL(200e9, 0.3, 450e6, 66e9), {"z_min", "z_min", "z_min"}, "z_max", {0, 0, 800e6}, {0},
         0),
    LINE("l_bracket", MATERIAL(206900, 0.29, 450, 10000), {"x_min", "y_max", "z_min"}, "y_min", {0, -1, 0},
         {0}, 0),
    LINE("plate_with_holes", MATERIAL(200e9, 0.3, 200e6, 20e9), {"x_min", "y_min", "z_min"}, "x_max",
         {175e6, 0, 0}, {0}, 0),
    LINE("cantilever", MATERIAL(200e9, 0.3, 250e6, 20e9), {"x_min", "x_min", "x_min"}, "x_max", {0},
         {0, -17000, 0}, 0),
    LINE("cantilever_with_cutout", MATERIAL(200e9, 0.3, 220e6, 20e9), {"x_min", "x_min", "x_min"}, "x_max",
         {0}, {0, -68000, 0}, 1),
    LINE("perforated_plate", MATERIAL(200e9, 0.3, 200e6, 20e9), {"x_min", "y_min", "z_min"}, "x_max",
         {175e6, 0, 0}, {0}, 0),
};

typedef struct {
    sw_fem_problem problem;
    sw_fem_mesh *mesh;
    sw_fem_case load;
    double mesh_seconds;
} bench_problem;

/* Nodes of the set, or those of them at the largest y: member [set->n], how many. */
static inline int64_t loaded_nodes(const sw_fem_mesh *mesh, const sw_fem_set *set, int edge, int32_t *member)
{
    double most = -INFINITY;
    int64_t n = 0;
    for (int64_t k = 0; k < set->n; k++)
        most = fmax(most, mesh->position[3 * (int64_t)set->member[k] + 1]);
    for (int64_t k = 0; k < set->n; k++)
        if (!edge || mesh->position[3 * (int64_t)set->member[k] + 1] > most * (1 - 1e-9))
            member[n++] = set->member[k];
    return n;
}

static inline void add_force(bench_problem *p, const bench_case *c)
{
    const sw_fem_set *whole = sw_fem_mesh_set(p->mesh, SW_FEM_NODES, c->loaded);
    sw_fem_set part = *whole;
    stop_on(SW_ALLOCATE(part.member, whole->n, "loaded nodes"));
    part.n = loaded_nodes(p->mesh, whole, c->edge, part.member);
    stop_on(sw_fem_add_total_force(&p->problem, &part, c->force, p->load.force));
    free(part.member);
}

/* As a mesh from a file is: numbers mean nothing, and every element may be another one. */
static inline void forget_lattice(sw_fem_mesh *mesh)
{
    free(mesh->lattice->node);
    free(mesh->lattice->element);
    free(mesh->lattice);
    mesh->lattice = NULL;
}

static inline void make_problem(const char *name, const int64_t cells[3], bench_problem *p)
{
    const bench_case *chosen = NULL;
    char body[64];
    const char *colon = strchr(name, ':');
    if (colon && strcmp(colon, ":unstructured") != 0)
        stop_on(sw_error(SW_ERR_INPUT, "body %s: need BODY or BODY:unstructured", name));
    snprintf(body, sizeof body, "%.*s", colon ? (int)(colon - name) : 63, name);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].body, body) == 0)
            chosen = &cases[i];
    if (!chosen)
        stop_on(sw_error(SW_ERR_INPUT, "no body %s", body));
    const sw_fem_voxels voxels = {.body = body, .cells = {cells[0], cells[1], cells[2] > 0 ? cells[2] : 0}};
    memset(p, 0, sizeof *p);
    const double start = sw_seconds();
    stop_on(sw_fem_voxel_mesh(&voxels, &p->mesh));
    p->mesh_seconds = sw_seconds() - start;
    if (colon)
        forget_lattice(p->mesh);
    p->problem = (sw_fem_problem){.mesh = p->mesh,
                                  .kinematics = cells[2] > 0    ? SW_FEM_SOLID
                                                : cells[2] == 0 ? SW_FEM_PLANE_STRESS
                                                                : SW_FEM_HEAT,
                                  .b_bar = SW_FEM_B_BAR_NO, /* as the thesis's elements */
                                  .thickness = 1,
                                  .n_materials = 1,
                                  .material = &chosen->material};
    if (cells[2] <= 0)
        return;
    const int64_t n = 3 * p->mesh->n_nodes;
    uint8_t *fixed;
    stop_on(SW_ALLOCATE(fixed, n, "unknowns"));
    stop_on(SW_ALLOCATE(p->load.dof, n, "unknowns"));
    stop_on(SW_ALLOCATE(p->load.value, n, "unknowns"));
    stop_on(SW_ALLOCATE(p->load.force, n, "forces"));
    for (int i = 0; i < 3; i++) {
        const sw_fem_set *set = sw_fem_mesh_set(p->mesh, SW_FEM_NODES, chosen->fixed[i]);
        for (int64_t k = 0; k < set->n; k++)
            fixed[3 * (int64_t)set->member[k] + i] = 1;
    }
    for (int64_t i = 0; i < n; i++)
        if (fixed[i])
            p->load.dof[p->load.n_fixed++] = i;
    free(fixed);
    p->problem.n_cases = 1;
    p->problem.load = &p->load;
    stop_on(sw_fem_add_traction(&p->problem, sw_fem_mesh_set(p->mesh, SW_FEM_SURFACE, chosen->loaded),
                                chosen->traction, p->load.force));
    add_force(p, chosen);
}

static inline void free_problem(bench_problem *p)
{
    free(p->load.dof);
    free(p->load.value);
    free(p->load.force);
    sw_fem_mesh_free(p->mesh);
}

static inline int choose(const char *value, int n, const char *const *names)
{
    for (int i = 0; i < n; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    stop_on(sw_error(SW_ERR_INPUT, "no %s", value));
    return -1;
}

#endif
