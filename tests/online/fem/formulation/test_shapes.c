/* Shapes and rules: shape functions are 1 at their node and add up to 1, slopes are differences, faces look outward, rules
 * integrate what they should; recovery of fields. */
#include "patches.h"

static const sw_topology *const all[] = {&sw_line2,     &sw_line3,    &sw_line3_along, &sw_tri3,  &sw_tri6,
                                         &sw_quad4_any, &sw_quad8,    &sw_tet4,        &sw_tet10, &sw_wedge6,
                                         &sw_wedge15,   &sw_hex8_any, &sw_hex20};
enum { N_ALL = sizeof all / sizeof *all, MOST = SW_FORMULATION_NODES };

/* A point well inside every shape. */
static void inside(uint64_t *seed, double at[3])
{
    for (int i = 0; i < 3; i++)
        at[i] = 0.2 + 0.1 * number(seed);
}

static void test_values(void **unused)
{
    (void)unused;
    for (int k = 0; k < N_ALL; k++)
        for (int a = 0; a < all[k]->n_nodes; a++) {
            double value[MOST];
            all[k]->shape(all[k]->node[a], value, NULL);
            for (int b = 0; b < all[k]->n_nodes; b++)
                CHECK_CLOSE(value[b], a == b, 1e-15);
        }
}

/* Polynomials of the order that it has: the place itself, and its squares of the quadratic ones. */
static void test_completeness(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (int k = 0; k < N_ALL; k++) {
        const int d = all[k]->dimension, quadratic = all[k]->n_nodes > all[k]->n_corners;
        double at[3], value[MOST], gradient[MOST][3], sum = 0;
        inside(&seed, at);
        all[k]->shape(at, value, gradient);
        for (int a = 0; a < all[k]->n_nodes; a++)
            sum += value[a];
        CHECK_CLOSE(sum, 1, 1e-15);
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++) {
                double product = 0, slope = 0, place = 0, one = 0;
                for (int a = 0; a < all[k]->n_nodes; a++) {
                    const double *x = all[k]->node[a];
                    product += value[a] * x[i] * x[j];
                    slope += gradient[a][j] * x[i];
                    place += value[a] * x[i];
                    one += gradient[a][j];
                }
                CHECK_CLOSE(place, at[i], 1e-15);
                CHECK_CLOSE(slope, i == j, 2e-15);
                CHECK_CLOSE(one, 0, 2e-15);
                if (quadratic)
                    CHECK_CLOSE(product, at[i] * at[j], 1e-15);
            }
    }
}

static void test_slopes(void **unused)
{
    (void)unused;
    const double step = 1e-4;
    uint64_t seed = 2;
    for (int k = 0; k < N_ALL; k++) {
        double at[3], gradient[MOST][3], high[MOST], low[MOST];
        inside(&seed, at);
        all[k]->shape(at, NULL, gradient);
        for (int j = 0; j < 3; j++) {
            at[j] += step;
            all[k]->shape(at, high, NULL);
            at[j] -= 2 * step;
            all[k]->shape(at, low, NULL);
            at[j] += step;
            /* of degree 3 along a line: a sixth of the third derivative, at most 3, times the step's square */
            for (int a = 0; a < all[k]->n_nodes; a++)
                CHECK_CLOSE(gradient[a][j], (high[a] - low[a]) / (2 * step), 1e-8);
        }
    }
}

/* Middles lie between the corners beside them, and normals point away from the centre. */
static void test_faces(void **unused)
{
    (void)unused;
    for (int k = 0; k < N_ALL; k++) {
        const sw_topology *t = all[k];
        double centre[3] = {0};
        for (int a = 0; a < t->n_corners; a++)
            for (int i = 0; i < 3; i++)
                centre[i] += t->node[a][i] / t->n_corners;
        for (int face = 0; face < t->n_faces; face++) {
            const sw_topology *f = t->face_topology[face];
            const int *n = t->face[face], corners = f->n_corners;
            assert_int_equal(f->dimension, t->dimension - 1);
            for (int m = corners; m < f->n_nodes; m++)
                for (int i = 0; i < 3; i++)
                    CHECK_CLOSE(t->node[n[m]][i],
                                0.5 *
                                    (t->node[n[m - corners]][i] + t->node[n[(m - corners + 1) % corners]][i]),
                                1e-15);
            const double *a = t->node[n[0]], *b = t->node[n[1]],
                         *c = t->dimension == 3 ? t->node[n[2]] : NULL;
            double p[3], q[3] = {0, 0, 1}, out = 0;
            for (int i = 0; i < 3; i++) {
                p[i] = b[i] - a[i];
                if (c != NULL)
                    q[i] = c[i] - a[i];
            }
            for (int i = 0; i < 3; i++)
                out +=
                    (p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3]) * (a[i] - centre[i]);
            assert_true(out > 0);
        }
    }
}

/* x^p y^q z^r over the reference body, by a fine midpoint sum of none: closed forms of lines and simplices. */
static double line(int p) { return p % 2 ? 0 : 2.0 / (p + 1); }

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

static double integral(const sw_topology *t, int p, int q, int r)
{
    switch (t->n_corners) {
    case 3:
        return factorial(p) * factorial(q) / factorial(p + q + 2) * (r == 0);
    case 6:
        return factorial(p) * factorial(q) / factorial(p + q + 2) * line(r);
    case 4:
        return t->dimension == 3 ? factorial(p) * factorial(q) * factorial(r) / factorial(p + q + r + 3)
                                 : line(p) * line(q) * (r == 0);
    case 2:
        return line(p) * (q == 0) * (r == 0);
    default:
        return line(p) * line(q) * line(r);
    }
}

/* Degree along each line of Gauss' n points: 2 n - 1; of simplices by 1, 3 and 4 points: 1, 2, 2. */
static int degree_of(const sw_topology *t, int n)
{
    switch (n) {
    case 27:
    case 9:
        return t->n_corners == 6 ? 2 : 5;
    case 8:
        return 3;
    case 4:
        return t->dimension == 3 ? 2 : 3;
    case 3:
        return t->dimension == 1 ? 5 : 2;
    case 2:
        return t->n_corners == 6 ? 1 : 3;
    default:
        return 1;
    }
}

static void test_rules(void **unused)
{
    (void)unused;
    for (int k = 0; k < N_KNOWN; k++) {
        const sw_formulation *f = sw_formulation_find(all_known[k].name, all_known[k].dialect);
        const int degree = degree_of(f->topology, f->rule->n);
        for (int p = 0; p <= degree; p++)
            for (int q = 0; p + q <= degree; q++)
                for (int r = 0; p + q + r <= degree; r++) {
                    double sum = 0;
                    for (int i = 0; i < f->rule->n; i++) {
                        const double *at = f->rule->point[i];
                        sum += at[3] * pow(at[0], p) * pow(at[1], q) * pow(at[2], r);
                    }
                    if (f->topology->dimension == 2 && r > 0)
                        continue;
                    CHECK_CLOSE(sum, integral(f->topology, p, q, r), 1e-14);
                }
    }
}

static void test_face_rules(void **unused)
{
    (void)unused;
    static const int points[] = {2, 3, 3, 1, 3, 4, 9};
    const sw_topology *faces[] = {&sw_line2, &sw_line3,     &sw_line3, &sw_tri3,
                                  &sw_tri6,  &sw_quad4_any, &sw_quad8};
    for (int k = 0; k < 7; k++)
        assert_int_equal(sw_face_rule(faces[k])->n, points[k]);
}

/* What is linear comes back where there are points to tell; what is the same everywhere always. */
static void test_recovery(void **unused)
{
    (void)unused;
    for (int k = 0; k < N_KNOWN; k++) {
        const sw_formulation *f = sw_formulation_find(all_known[k].name, all_known[k].dialect);
        const double slope[3] = {0.3, -0.7, 0.2};
        double at_points[SW_FORMULATION_POINTS][2], at_nodes[MOST][2];
        const int linear = f->rule->n > 2;
        for (int q = 0; q < f->rule->n; q++) {
            const double *x = f->rule->point[q];
            at_points[q][0] = 5;
            at_points[q][1] = 1 + slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2];
        }
        sw_element_recover(f, 2, &at_points[0][0], &at_nodes[0][0]);
        for (int a = 0; a < f->topology->n_nodes; a++) {
            const double *x = f->topology->node[a];
            CHECK_CLOSE(at_nodes[a][0], 5, 1e-13);
            if (linear)
                CHECK_CLOSE(at_nodes[a][1], 1 + slope[0] * x[0] + slope[1] * x[1] + slope[2] * x[2], 1e-13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),     cmocka_unit_test(test_completeness),
        cmocka_unit_test(test_slopes),     cmocka_unit_test(test_faces),
        cmocka_unit_test(test_rules),      cmocka_unit_test(test_recovery),
        cmocka_unit_test(test_face_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
