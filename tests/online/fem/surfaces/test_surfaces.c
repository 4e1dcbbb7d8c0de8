/* Surfaces that touch, by themselves: the tangent is the derivative of the forces, forces are in balance, shears are within
 * what friction bears, nothing comes of moving as a whole. */
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "online/fem/surfaces/surfaces.h"

enum { MOST = 64, FACES = 8 };

/* Two surfaces of a few faces of a kind, one over the other, that do not match. */
typedef struct {
    double position[MOST][3], u[3 * MOST];
    int n_nodes, dimension;
    sw_surface_face face[2][FACES];
    sw_surface_pair pair;
    sw_surfaces *surfaces;
} model;

static double wave(double x, double y)
{
    return 0.02 * sin(2 * x + 0.3) + 0.015 * cos(1.7 * y) + 0.01 * x * y;
}

static int node_at(model *m, int from, double x, double y, double z)
{
    for (int n = from; n < m->n_nodes; n++)
        if (fabs(m->position[n][0] - x) < 1e-9 && fabs(m->position[n][1] - y) < 1e-9)
            return n;
    m->position[m->n_nodes][0] = x;
    m->position[m->n_nodes][1] = y;
    m->position[m->n_nodes][2] = z;
    return m->n_nodes++;
}

/* A face of the corners (and middles of edges) `corner`, on a surface of height `high`. */
static void add_face(model *m, int side, int from, const sw_topology *t, const double (*corner)[2],
                     double high)
{
    sw_surface_face *f = &m->face[side][m->pair.n_faces[side]++];
    f->topology = t;
    f->stiffness = 50;
    f->thickness = 1.5;
    for (int a = 0; a < t->n_nodes; a++) {
        const double *p = corner[a % t->n_corners],
                     *q = a < t->n_corners ? p : corner[(a + 1) % t->n_corners];
        const double x = 0.5 * (p[0] + q[0]), y = 0.5 * (p[1] + q[1]), z = high + wave(x, y);
        f->node[a] = node_at(m, from, x, t->dimension == 1 ? z : y, t->dimension == 1 ? 0 : z);
    }
}

static void add_lines(model *m, int side, const sw_topology *t, int n, double high)
{
    const int from = m->n_nodes;
    for (int k = 0; k < n; k++) { /* outside is to the right of the line */
        const double left = 3.0 * k / n, right = 3.0 * (k + 1) / n;
        const double up[2][2] = {{left, 0}, {right, 0}}, down[2][2] = {{right, 0}, {left, 0}};
        add_face(m, side, from, t, side == 0 ? up : down, high);
    }
}

static void add_quads(model *m, int side, const sw_topology *t, double x0, double high)
{
    const int from = m->n_nodes;
    for (int k = 0; k < 2; k++) {
        const double l = x0 + k, r = x0 + k + 1;
        const double out[4][2] = {{l, 0.05}, {r, 0}, {r, 1.1}, {l, 1}},
                     in[4][2] = {{l, 0}, {l, 1.1}, {r, 1.2}, {r, 0}};
        if (t->n_corners == 4) {
            add_face(m, side, from, t, side == 0 ? in : out, high);
            continue;
        }
        const double(*c)[2] = side == 0 ? in : out;
        const double one[3][2] = {{c[0][0], c[0][1]}, {c[1][0], c[1][1]}, {c[2][0], c[2][1]}},
                     two[3][2] = {{c[0][0], c[0][1]}, {c[2][0], c[2][1]}, {c[3][0], c[3][1]}};
        add_face(m, side, from, t, one, high);
        add_face(m, side, from, t, two, high);
    }
}

static void begin(model *m, const sw_topology *slave, const sw_topology *master, const sw_surface_law *law,
                  int small)
{
    *m = (model){.dimension = 1 + slave->dimension};
    m->pair =
        (sw_surface_pair){.face = {m->face[0], m->face[1]}, .law = *law, .small = small, .clearance = NAN};
    if (slave->dimension == 1) {
        add_lines(m, 1, master, 3, 0);
        add_lines(m, 0, slave, 4, -0.01);
    } else {
        add_quads(m, 1, master, 0, 0);
        add_quads(m, 0, slave, 0.15, -0.01);
    }
    CHECK_OK(sw_surfaces_open(1, &m->pair, m->n_nodes, (const double(*)[3])m->position, m->dimension, 0,
                              &m->surfaces));
}

/* Forces [3 nodes] at u, and the tangent [3 nodes][3 nodes] where not NULL. */
static void ask(model *m, const double *u, double *force, double *tangent)
{
    static double k[SW_SURFACES_UNKNOWNS * SW_SURFACES_UNKNOWNS];
    double f[SW_SURFACES_UNKNOWNS];
    int32_t node[SW_SURFACES_NODES];
    int more;
    const int n = 3 * m->n_nodes;
    memset(force, 0, (size_t)n * sizeof *force);
    if (tangent != NULL)
        memset(tangent, 0, (size_t)(n * n) * sizeof *tangent);
    CHECK_OK(sw_surfaces_find(m->surfaces, u, &more));
    for (int64_t i = 0; i < sw_surfaces_count(m->surfaces); i++) {
        const int v = 3 * sw_surfaces_nodes(m->surfaces, i, node);
        sw_surfaces_ask(m->surfaces, i, u, f, tangent != NULL ? k : NULL);
        for (int a = 0; a < v; a++) {
            force[3 * node[a / 3] + a % 3] += f[a];
            for (int b = 0; b < v && tangent != NULL; b++)
                tangent[(3 * node[a / 3] + a % 3) * n + 3 * node[b / 3] + b % 3] += k[a * v + b];
        }
    }
    for (int64_t i = 0; tangent != NULL && i < sw_surfaces_corners(m->surfaces); i++) {
        int32_t about[SW_SURFACES_ABOUT];
        double left[3 * SW_SURFACES_ABOUT], right[3 * SW_SURFACES_ABOUT];
        const int v = 3 * sw_surfaces_corner_nodes(m->surfaces, i, about);
        sw_surfaces_ask_corner(m->surfaces, i, u, left, right);
        for (int a = 0; a < v; a++)
            for (int b = 0; b < v; b++)
                tangent[(3 * about[a / 3] + a % 3) * n + 3 * about[b / 3] + b % 3] += left[a] * right[b];
    }
}

static void shake(model *m, double size, double shift)
{
    for (int i = 0; i < 3 * m->n_nodes; i++)
        m->u[i] = m->dimension == 2 && i % 3 == 2 ? 0 : size * sin(12.9898 * i + 78.233);
    for (int64_t f = 0; f < m->pair.n_faces[0]; f++) /* the slave slides */
        for (int a = 0; a < m->face[0][f].topology->n_nodes; a++)
            m->u[3 * m->face[0][f].node[a]] = shift + size * sin((double)m->face[0][f].node[a]);
}

static const sw_topology *const kinds[][2] = {{&sw_line2, &sw_line2},         {&sw_line3, &sw_line3},
                                              {&sw_quad4_any, &sw_quad4_any}, {&sw_quad8, &sw_quad8},
                                              {&sw_tri3, &sw_tri6},           {&sw_tri6, &sw_quad4_any}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Central differences of step h of forces of size F: error h^2 F''' / 6 and eps F / h; with h = 1e-6, F some 1, and third
 * derivatives of the geometry some 1e2, both are below 1e-9 of the tangent's 1e2. A point that starts or ends to press
 * within the step adds its slope times the step: 1e-6 of the tangent. */
static void check_tangent(const sw_surface_law *law, int small, double shift, int symmetric)
{
    static double k[9 * MOST * MOST], up[3 * MOST], down[3 * MOST], f[3 * MOST];
    for (int kind = 0; kind < KINDS; kind++) {
        model m;
        int anew;
        begin(&m, kinds[kind][0], kinds[kind][1], law, small);
        const int n = 3 * m.n_nodes;
        CHECK_OK(sw_surfaces_begin(m.surfaces, m.u, 1, &anew));
        assert_true(anew);
        shake(&m, 1e-3, 0.02);
        ask(&m, m.u, f, NULL);
        sw_surfaces_accept(m.surfaces, m.u);
        shake(&m, 2e-3, 0.02 + shift);
        ask(&m, m.u, f, k);
        double size = 0, error = 0, skew = 0, total[3] = {0}, all = 0;
        for (int i = 0; i < n * n; i++)
            size = fmax(size, fabs(k[i]));
        for (int i = 0; i < n; i++) {
            const double h = 1e-6, kept = m.u[i];
            total[i % 3] += f[i];
            all += fabs(f[i]);
            for (int j = 0; j < i; j++)
                skew = fmax(skew, fabs(k[i * n + j] - k[j * n + i]));
            if (m.dimension == 2 && i % 3 == 2)
                continue;
            m.u[i] = kept + h;
            ask(&m, m.u, up, NULL);
            m.u[i] = kept - h;
            ask(&m, m.u, down, NULL);
            m.u[i] = kept;
            for (int j = 0; j < n; j++)
                error = fmax(error, fabs((up[j] - down[j]) / (2 * h) - k[j * n + i]));
        }
        assert_true(size > 1 && all > 1e-3);
        if (!(error <= 2e-6 * size))
            fail_msg("kind %d: tangent off by %g of %g", kind, error, size);
        if (symmetric && !(skew <= 1e-10 * size))
            fail_msg("kind %d: not symmetric by %g of %g", kind, skew, size);
        for (int i = 0; i < 3; i++) /* round-off of sums */
            assert_true(fabs(total[i]) <= 1e-12 * all);
        sw_surfaces_close(m.surfaces);
    }
}

static void tangent_without_friction(void **state)
{
    (void)state;
    const sw_surface_law hard = {.behavior = SW_SURFACE_LINEAR},
                         linear = {.behavior = SW_SURFACE_LINEAR, .stiffness = 2000},
                         soft = {.behavior = SW_SURFACE_EXPONENTIAL, .pressure = 2, .clearance = 0.05};
    check_tangent(&hard, 0, 0.03, 1);
    check_tangent(&linear, 0, 0.03, 1);
    check_tangent(&soft, 0, 0.03, 1);
}

static void tangent_of_small_sliding(void **state)
{
    (void)state;
    const sw_surface_law hard = {.behavior = SW_SURFACE_LINEAR};
    check_tangent(&hard, 1, 0.03, 0);
}

static void tangent_with_friction(void **state)
{
    (void)state;
    const sw_surface_law sticks = {.behavior = SW_SURFACE_LINEAR, .friction = 1e3, .stick = 30},
                         slides = {.behavior = SW_SURFACE_LINEAR, .friction = 0.3},
                         limited = {.behavior = SW_SURFACE_LINEAR, .friction = 0.3, .limit = 5},
                         tied = {.behavior = SW_SURFACE_TIED};
    check_tangent(&sticks, 0, 0.003, 0);
    check_tangent(&slides, 0, 0.03, 0);
    check_tangent(&limited, 0, 0.03, 0);
    check_tangent(&tied, 1, 0.001, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tangent_without_friction),
                                       cmocka_unit_test(tangent_of_small_sliding),
                                       cmocka_unit_test(tangent_with_friction)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
