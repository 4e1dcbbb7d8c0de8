/* Tetrahedra, wedges and hexahedra; formulation.h. Nodes 1, 2, ... of Abaqus are 0, 1, ... here. */
#include "formulation.h"

/* ---- Tetrahedra ---- */

static const double tet_slope[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int tet_edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

static void tet4(const double at[3], double *value, double (*gradient)[3])
{
    const double corner[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int a = 0; a < 4; a++) {
        if (value != NULL)
            value[a] = corner[a];
        for (int j = 0; j < 3 && gradient != NULL; j++)
            gradient[a][j] = tet_slope[a][j];
    }
}

static void tet10(const double at[3], double *value, double (*gradient)[3])
{
    const double corner[4] = {1 - at[0] - at[1] - at[2], at[0], at[1], at[2]};
    for (int a = 0; a < 10; a++) {
        const int p = a < 4 ? a : tet_edge[a - 4][0], q = a < 4 ? a : tet_edge[a - 4][1];
        if (value != NULL)
            value[a] = a < 4 ? corner[a] * (2 * corner[a] - 1) : 4 * corner[p] * corner[q];
        for (int j = 0; j < 3 && gradient != NULL; j++)
            gradient[a][j] = a < 4 ? (4 * corner[a] - 1) * tet_slope[a][j]
                                   : 4 * (corner[p] * tet_slope[q][j] + corner[q] * tet_slope[p][j]);
    }
}

/* ---- Wedges ---- */

static const double tri_slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};

static void wedge6(const double at[3], double *value, double (*gradient)[3])
{
    const double corner[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (int a = 0; a < 6; a++) {
        const double side = a < 3 ? -1 : 1, z = 0.5 * (1 + side * at[2]);
        if (value != NULL)
            value[a] = corner[a % 3] * z;
        if (gradient == NULL)
            continue;
        gradient[a][0] = tri_slope[a % 3][0] * z;
        gradient[a][1] = tri_slope[a % 3][1] * z;
        gradient[a][2] = corner[a % 3] * 0.5 * side;
    }
}

/* Value and slopes by the two corners' coordinates of the triangle and by the height. */
static double wedge15_of(int a, const double corner[3], double z, double by[3], double *by_height)
{
    const int p = a % 3, q = (a + 1) % 3;
    const double l = corner[p], m = corner[q], side = (a < 3 || (a >= 6 && a < 9)) ? -1 : 1, t = 1 + side * z;
    by[0] = by[1] = by[2] = 0;
    if (a < 6) {
        by[p] = 0.5 * ((4 * l - 1) * t - (1 - z * z));
        *by_height = 0.5 * l * ((2 * l - 1) * side + 2 * z);
        return 0.5 * l * ((2 * l - 1) * t - (1 - z * z));
    }
    if (a < 12) {
        by[p] = 2 * m * t;
        by[q] = 2 * l * t;
        *by_height = 2 * l * m * side;
        return 2 * l * m * t;
    }
    by[p] = 1 - z * z;
    *by_height = -2 * l * z;
    return l * (1 - z * z);
}

static void wedge15(const double at[3], double *value, double (*gradient)[3])
{
    const double corner[3] = {1 - at[0] - at[1], at[0], at[1]};
    for (int a = 0; a < 15; a++) {
        double by[3], by_height;
        const double n = wedge15_of(a, corner, at[2], by, &by_height);
        if (value != NULL)
            value[a] = n;
        if (gradient == NULL)
            continue;
        for (int j = 0; j < 2; j++)
            gradient[a][j] = by[0] * tri_slope[0][j] + by[1] * tri_slope[1][j] + by[2] * tri_slope[2][j];
        gradient[a][2] = by_height;
    }
}

/* ---- Hexahedra ---- */

static const double hex_node[20][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1},
                                       {1, -1, 1},   {1, 1, 1},   {-1, 1, 1}, {0, -1, -1}, {1, 0, -1},
                                       {0, 1, -1},   {-1, 0, -1}, {0, -1, 1}, {1, 0, 1},   {0, 1, 1},
                                       {-1, 0, 1},   {-1, -1, 0}, {1, -1, 0}, {1, 1, 0},   {-1, 1, 0}};

static void hex8(const double at[3], double *value, double (*gradient)[3])
{
    for (int a = 0; a < 8; a++) {
        const double *s = hex_node[a], p[3] = {1 + s[0] * at[0], 1 + s[1] * at[1], 1 + s[2] * at[2]};
        if (value != NULL)
            value[a] = 0.125 * p[0] * p[1] * p[2];
        for (int j = 0; j < 3 && gradient != NULL; j++)
            gradient[a][j] = 0.125 * s[j] * p[(j + 1) % 3] * p[(j + 2) % 3];
    }
}

static void hex20(const double at[3], double *value, double (*gradient)[3])
{
    for (int a = 0; a < 20; a++) {
        const double *s = hex_node[a];
        double p[3], slope[3];
        for (int j = 0; j < 3; j++) { /* the middle of an edge has a bubble along it */
            p[j] = s[j] == 0 ? 1 - at[j] * at[j] : 1 + s[j] * at[j];
            slope[j] = s[j] == 0 ? -2 * at[j] : s[j];
        }
        const double r = s[0] * at[0] + s[1] * at[1] + s[2] * at[2] - 2;
        if (value != NULL)
            value[a] = a < 8 ? 0.125 * p[0] * p[1] * p[2] * r : 0.25 * p[0] * p[1] * p[2];
        for (int j = 0; j < 3 && gradient != NULL; j++) {
            const double others = p[(j + 1) % 3] * p[(j + 2) % 3];
            gradient[a][j] = a < 8 ? 0.125 * slope[j] * others * (r + p[j]) : 0.25 * slope[j] * others;
        }
    }
}

/* ---- The topologies ---- */

static const double tet_node[10][3] = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                       {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const double wedge_node[15][3] = {
    {0, 0, -1},   {1, 0, -1},  {0, 1, -1},    {0, 0, 1},   {1, 0, 1}, {0, 1, 1}, {0.5, 0, -1}, {0.5, 0.5, -1},
    {0, 0.5, -1}, {0.5, 0, 1}, {0.5, 0.5, 1}, {0, 0.5, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

const sw_topology sw_tet4 = {.name = "tet4",
                             .n_nodes = 4,
                             .n_corners = 4,
                             .dimension = 3,
                             .vtk = 10,
                             .n_faces = 4,
                             .face_topology = {&sw_tri3, &sw_tri3, &sw_tri3, &sw_tri3},
                             .face = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
                             .node = tet_node,
                             .shape = tet4};
const sw_topology sw_tet10 = {
    .name = "tet10",
    .n_nodes = 10,
    .n_corners = 4,
    .dimension = 3,
    .vtk = 24,
    .n_faces = 4,
    .face_topology = {&sw_tri6, &sw_tri6, &sw_tri6, &sw_tri6},
    .face = {{0, 2, 1, 6, 5, 4}, {0, 1, 3, 4, 8, 7}, {1, 2, 3, 5, 9, 8}, {2, 0, 3, 6, 7, 9}},
    .node = tet_node,
    .shape = tet10};
const sw_topology sw_wedge6 = {
    .name = "wedge6",
    .n_nodes = 6,
    .n_corners = 6,
    .dimension = 3,
    .vtk = 13,
    .n_faces = 5,
    .face_topology = {&sw_tri3, &sw_tri3, &sw_quad4_any, &sw_quad4_any, &sw_quad4_any},
    .face = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}},
    .node = wedge_node,
    .shape = wedge6};
const sw_topology sw_wedge15 = {.name = "wedge15",
                                .n_nodes = 15,
                                .n_corners = 6,
                                .dimension = 3,
                                .vtk = 26,
                                .n_faces = 5,
                                .face_topology = {&sw_tri6, &sw_tri6, &sw_quad8, &sw_quad8, &sw_quad8},
                                .face = {{0, 2, 1, 8, 7, 6},
                                         {3, 4, 5, 9, 10, 11},
                                         {0, 1, 4, 3, 6, 13, 9, 12},
                                         {1, 2, 5, 4, 7, 14, 10, 13},
                                         {2, 0, 3, 5, 8, 12, 11, 14}},
                                .node = wedge_node,
                                .shape = wedge15};
const sw_topology sw_hex8_any = {
    .name = "hex8",
    .n_nodes = 8,
    .n_corners = 8,
    .dimension = 3,
    .vtk = 12,
    .n_faces = 6,
    .face_topology = {&sw_quad4_any, &sw_quad4_any, &sw_quad4_any, &sw_quad4_any, &sw_quad4_any,
                      &sw_quad4_any},
    .face = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
    .node = hex_node,
    .shape = hex8};
const sw_topology sw_hex20 = {
    .name = "hex20",
    .n_nodes = 20,
    .n_corners = 8,
    .dimension = 3,
    .vtk = 25,
    .n_faces = 6,
    .face_topology = {&sw_quad8, &sw_quad8, &sw_quad8, &sw_quad8, &sw_quad8, &sw_quad8},
    .face = {{0, 3, 2, 1, 11, 10, 9, 8},
             {4, 5, 6, 7, 12, 13, 14, 15},
             {0, 1, 5, 4, 8, 17, 12, 16},
             {1, 2, 6, 5, 9, 18, 13, 17},
             {2, 3, 7, 6, 10, 19, 14, 18},
             {3, 0, 4, 7, 11, 16, 15, 19}},
    .node = hex_node,
    .shape = hex20};
