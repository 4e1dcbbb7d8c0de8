/* Places of faces, and the one that is next to a point; face.h. */
#include "face.h"

#include <math.h>
#include <string.h>

#include "common/math/vector.h"

void sw_surface_patch_of(const sw_surfaces *s, const sw_surface_face *face, const double *u,
                         sw_surface_patch *patch)
{
    patch->topology = face->topology;
    for (int a = 0; a < face->topology->n_nodes; a++)
        for (int i = 0; i < 3; i++)
            patch->x[a][i] =
                s->position[face->node[a]][i] + (u != NULL ? u[3 * (int64_t)face->node[a] + i] : 0);
}

/* In the plane the second tangent is across it, so that the normal is to the right of the first. */
void sw_surface_see(const sw_surface_patch *patch, const double at[2], sw_surface_place *p)
{
    const double reference[3] = {at[0], at[1], 0};
    const sw_topology *t = patch->topology;
    t->shape(reference, p->value, p->gradient);
    memset(p->x, 0, sizeof p->x);
    memset(p->a, 0, sizeof p->a);
    for (int a = 0; a < t->n_nodes; a++)
        for (int i = 0; i < 3; i++) {
            p->x[i] += p->value[a] * patch->x[a][i];
            p->a[0][i] += p->gradient[a][0] * patch->x[a][i];
            p->a[1][i] += p->gradient[a][1] * patch->x[a][i];
        }
    if (t->dimension == 1)
        p->a[1][2] = 1;
    sw_cross(p->a[0], p->a[1], p->n);
    p->area = sw_to_unit(p->n);
}

/* Gradients are of second order at most along a line: central differences are exact. */
void sw_surface_bend(const sw_surface_patch *patch, const double at[2], double second[3][3])
{
    double gradient[2][SW_FORMULATION_FACE_NODES][3];
    const sw_topology *t = patch->topology;
    memset(second, 0, 9 * sizeof **second);
    for (int k = 0; k < t->dimension; k++) {
        for (int side = 0; side < 2; side++) {
            double reference[3] = {at[0], at[1], 0};
            reference[k] += side ? 0.5 : -0.5;
            t->shape(reference, NULL, gradient[side]);
        }
        for (int a = 0; a < t->n_nodes; a++)
            for (int i = 0; i < 3; i++) {
                second[k][i] += (gradient[1][a][k] - gradient[0][a][k]) * patch->x[a][i];
                if (k == 0)
                    second[2][i] += (gradient[1][a][1] - gradient[0][a][1]) * patch->x[a][i];
            }
    }
}

double sw_surface_length(const sw_surface_patch *patch)
{
    const int n = patch->topology->n_corners, edges = n > 2 ? n : 1;
    double sum = 0;
    for (int a = 0; a < edges; a++)
        sum += sw_distance(patch->x[a], patch->x[(a + 1) % n]);
    return sum / edges;
}

/* ---- Parts ---- */

int sw_surface_parts(const sw_topology *topology, const sw_surface_part **part)
{
    static const sw_surface_part line[] = {{2, {{-1}, {1}}}}, halves[] = {{2, {{-1}, {0}}}, {2, {{0}, {1}}}},
                                 triangle[] = {{3, {{0, 0}, {1, 0}, {0, 1}}}},
                                 triangles[] = {{3, {{0, 0}, {.5, 0}, {0, .5}}},
                                                {3, {{.5, 0}, {1, 0}, {.5, .5}}},
                                                {3, {{0, .5}, {.5, .5}, {0, 1}}},
                                                {3, {{.5, 0}, {.5, .5}, {0, .5}}}},
                                 quad[] = {{4, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}},
                                 quads[] = {{4, {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}},
                                            {4, {{0, -1}, {1, -1}, {1, 0}, {0, 0}}},
                                            {4, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
                                            {4, {{-1, 0}, {0, 0}, {0, 1}, {-1, 1}}}};
    const int middle = topology->n_nodes > topology->n_corners;
    switch (topology->n_corners) {
    case 2:
        *part = middle ? halves : line;
        return middle ? 2 : 1;
    case 3:
        *part = middle ? triangles : triangle;
        return middle ? 4 : 1;
    default:
        *part = middle ? quads : quad;
        return middle ? 4 : 1;
    }
}

/* ---- Feet ---- */

static int is_inside(const sw_topology *t, const double at[2])
{
    const double over = 1e-12;
    if (t->n_corners == 3)
        return at[0] >= -over && at[1] >= -over && at[0] + at[1] <= 1 + over;
    return fabs(at[0]) <= 1 + over && (t->dimension == 1 || fabs(at[1]) <= 1 + over);
}

/* A step of Newton's method along free directions, or of Gauss and Newton's where that is no minimum: its size. */
static double approach(const sw_surface_patch *patch, const double p[3], int n, const double free[2][2],
                       double at[2])
{
    sw_surface_place q;
    double second[3][3], missed[3], f[2], h[2][2], g[2][2];
    sw_surface_see(patch, at, &q);
    sw_surface_bend(patch, at, second);
    for (int i = 0; i < 3; i++)
        missed[i] = p[i] - q.x[i];
    for (int k = 0; k < n; k++) {
        double along[2][3];
        for (int i = 0; i < 3; i++) {
            along[0][i] =
                free[k][0] * q.a[0][i] + (patch->topology->dimension > 1 ? free[k][1] * q.a[1][i] : 0);
        }
        f[k] = sw_dot(missed, along[0]);
        for (int l = 0; l < n; l++) {
            double bend = 0;
            for (int i = 0; i < 3; i++) {
                along[1][i] =
                    free[l][0] * q.a[0][i] + (patch->topology->dimension > 1 ? free[l][1] * q.a[1][i] : 0);
                bend += missed[i] *
                        (free[k][0] * free[l][0] * second[0][i] + free[k][1] * free[l][1] * second[1][i] +
                         (free[k][0] * free[l][1] + free[k][1] * free[l][0]) * second[2][i]);
            }
            g[k][l] = sw_dot(along[0], along[1]);
            h[k][l] = g[k][l] - bend;
        }
    }
    const double det = n == 1 ? h[0][0] : h[0][0] * h[1][1] - h[0][1] * h[1][0];
    if (!(h[0][0] > 0.1 * g[0][0] && (n == 1 || det > 0.1 * (g[0][0] * g[1][1] - g[0][1] * g[1][0]))))
        memcpy(h, g, sizeof h);
    const double d = n == 1 ? h[0][0] : h[0][0] * h[1][1] - h[0][1] * h[1][0];
    double step[2] = {0, 0};
    if (d > 0) {
        step[0] = n == 1 ? f[0] / d : (h[1][1] * f[0] - h[0][1] * f[1]) / d;
        step[1] = n == 1 ? 0 : (h[0][0] * f[1] - h[1][0] * f[0]) / d;
    }
    double size = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < 2; j++)
            at[j] = fmin(fmax(at[j] + step[k] * free[k][j], -4), 4);
    for (int k = 0; k < n; k++)
        size = fmax(size, fabs(step[k]));
    return size;
}

static void minimise(const sw_surface_patch *patch, const double p[3], int n, const double free[2][2],
                     double at[2])
{
    for (int k = 0; k < 30; k++)
        if (approach(patch, p, n, free, at) < 1e-14)
            return;
}

static double distance_at(const sw_surface_patch *patch, const double p[3], const double at[2])
{
    sw_surface_place q;
    sw_surface_see(patch, at, &q);
    return sw_distance(p, q.x);
}

/* The nearest of an edge from corner to corner. */
static void along_edge(const sw_surface_patch *patch, const double p[3], const double from[2],
                       const double to[2], sw_surface_foot *foot)
{
    double direction[2][2] = {{to[0] - from[0], to[1] - from[1]}}, at[2];
    for (int j = 0; j < 2; j++)
        at[j] = 0.5 * (from[j] + to[j]);
    minimise(patch, p, 1, (const double(*)[2])direction, at);
    const int j = fabs(direction[0][1]) > fabs(direction[0][0]);
    const double part = (at[j] - from[j]) / direction[0][j];
    const int n_free = part > 0 && part < 1;
    for (int i = 0; i < 2 && !n_free; i++)
        at[i] = part > 0 ? to[i] : from[i];
    const double apart = distance_at(patch, p, at);
    if (apart >= foot->apart)
        return;
    memcpy(foot->at, at, sizeof foot->at);
    memcpy(foot->free, direction, sizeof foot->free);
    foot->n_free = n_free;
    foot->apart = apart;
}

void sw_surface_project(const sw_surface_patch *patch, const double p[3], const double start[2],
                        sw_surface_foot *foot, double beyond[2])
{
    static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                        thirds[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    static const double all[2][2] = {{1, 0}, {0, 1}};
    const sw_topology *t = patch->topology;
    double at[2] = {start[0], start[1]};
    minimise(patch, p, t->dimension, all, at);
    memcpy(beyond, at, sizeof at);
    foot->outside = foot->at_edge = 0;
    foot->apart = INFINITY;
    if (is_inside(t, at)) {
        memcpy(foot->at, at, sizeof at);
        memcpy(foot->free, all, sizeof all);
        foot->n_free = t->dimension;
        foot->apart = distance_at(patch, p, at);
        return;
    }
    if (t->dimension == 1) {
        foot->at[0] = at[0] > 0 ? 1 : -1;
        foot->at[1] = 0;
        foot->n_free = 0;
        foot->apart = distance_at(patch, p, foot->at);
    } else {
        const double(*corner)[2] = t->n_corners == 3 ? thirds : corners;
        for (int k = 0; k < t->n_corners; k++)
            along_edge(patch, p, corner[k], corner[(k + 1) % t->n_corners], foot);
    }
    sw_surface_place inside, out;
    sw_surface_see(patch, foot->at, &inside);
    sw_surface_see(patch, at, &out);
    foot->outside = sw_distance(inside.x, out.x);
}
