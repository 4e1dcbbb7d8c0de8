/* Lines, triangles and quadrilaterals; formulation.h. Nodes 1, 2, ... of Abaqus are 0, 1, ... here. */
#include "formulation.h"

/* ---- Lines ---- */

static void line2(const double at[3], double *value, double (*gradient)[3])
{
    for (int a = 0; a < 2; a++) {
        const double side = a == 0 ? -1 : 1;
        if (value != NULL)
            value[a] = 0.5 * (1 + side * at[0]);
        if (gradient != NULL)
            gradient[a][0] = 0.5 * side, gradient[a][1] = gradient[a][2] = 0;
    }
}

static void line3(const double at[3], double *value, double (*gradient)[3])
{
    const double x = at[0], n[3] = {0.5 * x * (x - 1), 0.5 * x * (x + 1), 1 - x * x};
    const double g[3] = {x - 0.5, x + 0.5, -2 * x};
    for (int a = 0; a < 3; a++) {
        if (value != NULL)
            value[a] = n[a];
        if (gradient != NULL)
            gradient[a][0] = g[a], gradient[a][1] = gradient[a][2] = 0;
    }
}

static void line3_along(const double at[3], double *value, double (*gradient)[3])
{
    const double x = at[0], n[3] = {0.5 * x * (x - 1), 1 - x * x, 0.5 * x * (x + 1)};
    const double g[3] = {x - 0.5, -2 * x, x + 0.5};
    for (int a = 0; a < 3; a++) {
        if (value != NULL)
            value[a] = n[a];
        if (gradient != NULL)
            gradient[a][0] = g[a], gradient[a][1] = gradient[a][2] = 0;
    }
}

/* ---- Triangles ---- */

static const double tri_slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

static void tri3(const double at[3], double *value, double (*gradient)[3])
{
    const double corner[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (int a = 0; a < 3; a++) {
        if (value != NULL)
            value[a] = corner[a];
        for (int j = 0; j < 3 && gradient != NULL; j++)
            gradient[a][j] = j < 2 ? tri_slope[a][j] : 0;
    }
}

static void tri6(const double at[3], double *value, double (*gradient)[3])
{
    const double corner[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (int a = 0; a < 6; a++) {
        const int p = a % 3, q = (a + 1) % 3; /* of an edge */
        if (value != NULL)
            value[a] = a < 3 ? corner[a] * (2 * corner[a] - 1) : 4 * corner[p] * corner[q];
        for (int j = 0; j < 3 && gradient != NULL; j++)
            gradient[a][j] = j == 2  ? 0
                             : a < 3 ? (4 * corner[a] - 1) * tri_slope[a][j]
                                     : 4 * (corner[p] * tri_slope[q][j] + corner[q] * tri_slope[p][j]);
    }
}

/* ---- Quadrilaterals ---- */

static const double quad_node[8][3] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};

static void quad4(const double at[3], double *value, double (*gradient)[3])
{
    for (int a = 0; a < 4; a++) {
        const double *s = quad_node[a], p = 1 + s[0] * at[0], q = 1 + s[1] * at[1];
        if (value != NULL)
            value[a] = 0.25 * p * q;
        if (gradient != NULL) {
            gradient[a][0] = 0.25 * s[0] * q;
            gradient[a][1] = 0.25 * s[1] * p;
            gradient[a][2] = 0;
        }
    }
}

static void quad8(const double at[3], double *value, double (*gradient)[3])
{
    for (int a = 0; a < 8; a++) {
        const double *s = quad_node[a], x = at[0], y = at[1];
        const double p = 1 + s[0] * x, q = 1 + s[1] * y, r = s[0] * x + s[1] * y - 1;
        const double n = a < 4 ? 0.25 * p * q * r : s[0] == 0 ? 0.5 * (1 - x * x) * q : 0.5 * (1 - y * y) * p;
        if (value != NULL)
            value[a] = n;
        if (gradient == NULL)
            continue;
        gradient[a][2] = 0;
        if (a < 4) {
            gradient[a][0] = 0.25 * s[0] * q * (r + p);
            gradient[a][1] = 0.25 * s[1] * p * (r + q);
        } else {
            gradient[a][0] = s[0] == 0 ? -x * q : 0.5 * (1 - y * y) * s[0];
            gradient[a][1] = s[0] == 0 ? 0.5 * (1 - x * x) * s[1] : -y * p;
        }
    }
}

/* ---- The topologies ---- */

static const double line_node[3][3] = {{-1}, {1}, {0}};
static const double line_node_along[3][3] = {{-1}, {0}, {1}};
static const double tri_node[6][3] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};

const sw_topology sw_line2 = {.name = "line2",
                              .n_nodes = 2,
                              .n_corners = 2,
                              .dimension = 1,
                              .vtk = 3,
                              .node = line_node,
                              .shape = line2};
const sw_topology sw_line3 = {.name = "line3",
                              .n_nodes = 3,
                              .n_corners = 2,
                              .dimension = 1,
                              .vtk = 21,
                              .node = line_node,
                              .shape = line3};
const sw_topology sw_line3_along = {.name = "line3",
                                    .n_nodes = 3,
                                    .n_corners = 2,
                                    .dimension = 1,
                                    .vtk = 4,
                                    .node = line_node_along,
                                    .shape = line3_along};
const sw_topology sw_tri3 = {.name = "tri3",
                             .n_nodes = 3,
                             .n_corners = 3,
                             .dimension = 2,
                             .vtk = 5,
                             .n_faces = 3,
                             .face_topology = {&sw_line2, &sw_line2, &sw_line2},
                             .face = {{0, 1}, {1, 2}, {2, 0}},
                             .node = tri_node,
                             .shape = tri3};
const sw_topology sw_tri6 = {.name = "tri6",
                             .n_nodes = 6,
                             .n_corners = 3,
                             .dimension = 2,
                             .vtk = 22,
                             .n_faces = 3,
                             .face_topology = {&sw_line3, &sw_line3, &sw_line3},
                             .face = {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}},
                             .node = tri_node,
                             .shape = tri6};
const sw_topology sw_quad4_any = {.name = "quad4",
                                  .n_nodes = 4,
                                  .n_corners = 4,
                                  .dimension = 2,
                                  .vtk = 9,
                                  .n_faces = 4,
                                  .face_topology = {&sw_line2, &sw_line2, &sw_line2, &sw_line2},
                                  .face = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                                  .node = quad_node,
                                  .shape = quad4};
const sw_topology sw_quad8 = {.name = "quad8",
                              .n_nodes = 8,
                              .n_corners = 4,
                              .dimension = 2,
                              .vtk = 23,
                              .n_faces = 4,
                              .face_topology = {&sw_line3, &sw_line3, &sw_line3, &sw_line3},
                              .face = {{0, 1, 4}, {1, 2, 5}, {2, 3, 6}, {3, 0, 7}},
                              .node = quad_node,
                              .shape = quad8};
