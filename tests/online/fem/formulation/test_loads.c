/* Loads: sums of pressures, tractions and body forces, and their stiffness against differences. */
#include "patches.h"

enum { UNKNOWNS = SW_FORMULATION_UNKNOWNS };

static int components(const sw_element *e) { return sw_formulation_components(e->formulation); }

/* Sum of nodal forces, and of their moments about the origin. */
static void sum_of(const sw_element *e, const double *force, int follows, double sum[3], double moment[3])
{
    memset(sum, 0, 3 * sizeof(double));
    memset(moment, 0, 3 * sizeof(double));
    for (int a = 0; a < e->formulation->topology->n_nodes; a++) {
        double f[3] = {0}, x[3];
        for (int i = 0; i < 3; i++) {
            f[i] = i < components(e) ? force[components(e) * a + i] : 0;
            x[i] = e->x[a][i] + (follows ? e->u[a][i] : 0);
            sum[i] += f[i];
        }
        for (int i = 0; i < 3; i++)
            moment[i] += x[(i + 1) % 3] * f[(i + 2) % 3] - x[(i + 2) % 3] * f[(i + 1) % 3];
    }
}

static void bend(sw_element *e, uint64_t *seed)
{
    for (int a = 0; a < e->formulation->topology->n_nodes; a++)
        for (int i = 0; i < components(e); i++)
            e->u[a][i] = 0.05 * number(seed);
}

/* Whoever is pressed from all sides rests, bent as well. */
static void test_pressed_from_all_sides(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (int k = 0; k < 2 * N_KNOWN; k++) {
        sw_element e = distorted(&all_known[k / 2], steel(), 0.2, &seed);
        double force[UNKNOWNS] = {0}, sum[3], moment[3];
        bend(&e, &seed);
        for (int face = 0; face < e.formulation->topology->n_faces; face++)
            sw_element_press(&e, face, 3, k % 2, force, NULL);
        sum_of(&e, force, k % 2, sum, moment);
        /* of a ring only what is along its axis rests */
        const int ring = e.formulation->kinematics == SW_FEM_AXISYMMETRIC;
        /* faces are integrated exactly but those of curved serendipity, by the reduced points */
        const double tolerance = k % 2 && e.formulation->topology->n_nodes > 8 ? 2e-2 : 1e-12;
        for (int i = 0; i < 3; i++) {
            if (!ring)
                CHECK_CLOSE(sum[i], 0, 1e-11);
            if (!ring && !e.formulation->fewer)
                CHECK_CLOSE(moment[i], 0, tolerance);
        }
        if (ring)
            CHECK_CLOSE(sum[1], 0, 1e-11);
    }
}

/* Of a flat face pressure times area vector; a traction has the area. */
static void test_face_of_a_box(void **unused)
{
    (void)unused;
    for (int k = 0; k < N_KNOWN; k++) {
        uint64_t seed = 1;
        sw_element e = distorted(&all_known[k], steel(), 0, &seed);
        const sw_topology *t = e.formulation->topology;
        const int plane = components(&e) == 2, ring = e.formulation->kinematics == SW_FEM_AXISYMMETRIC;
        for (int face = 0; face < t->n_faces; face++) {
            double force[UNKNOWNS] = {0}, pulled[UNKNOWNS] = {0}, sum[3], moment[3], area[3], p[3],
                   q[3] = {0, 0, e.thickness};
            const double traction[3] = {0.2, -0.3, plane ? 0 : 0.4}, *x0 = e.x[t->face[face][0]],
                         *x1 = e.x[t->face[face][1]],
                         *last = e.x[t->face[face][t->face_topology[face]->n_corners - 1]];
            if (ring)
                q[2] = M_PI * (x0[0] + x1[0]);
            for (int i = 0; i < 3; i++) {
                p[i] = x1[i] - x0[i];
                if (!plane)
                    q[i] = last[i] - x0[i];
            }
            double size = 0;
            for (int i = 0; i < 3; i++) {
                area[i] = p[(i + 1) % 3] * q[(i + 2) % 3] - p[(i + 2) % 3] * q[(i + 1) % 3];
                if (!plane && t->face_topology[face]->n_corners == 3)
                    area[i] /= 2;
                size += area[i] * area[i];
            }
            size = sqrt(size);
            sw_element_press(&e, face, 3, 0, force, NULL);
            sum_of(&e, force, 0, sum, moment);
            for (int i = 0; i < 3; i++)
                CHECK_CLOSE(sum[i], -3 * area[i], 2e-13 * size);
            sw_element_pull(&e, face, traction, SW_PULL_DEAD, pulled, NULL);
            sum_of(&e, pulled, 0, sum, moment);
            for (int i = 0; i < 3; i++)
                CHECK_CLOSE(sum[i], traction[i] * size, 2e-14 * size);
        }
    }
}

/* Weight is that of the volume, wherever it is; the whirl's sum that of the centre of mass. */
static void test_bodies(void **unused)
{
    (void)unused;
    uint64_t seed = 2;
    const double acceleration[3] = {1, -2, 3}, point[3] = {0.3, -5, 2}, axis[3] = {0, 2, 0};
    for (int k = 0; k < N_KNOWN; k++) {
        sw_element e = distorted(&all_known[k], steel(), 0, &seed);
        const sw_topology *t = e.formulation->topology;
        const int c = components(&e), ring = e.formulation->kinematics == SW_FEM_AXISYMMETRIC;
        double force[UNKNOWNS] = {0}, spun[UNKNOWNS] = {0}, sum[3], moment[3], centre[3] = {0}, volume;
        const double share = t->n_corners == 3             ? 0.5
                             : t->n_corners == 4 && c == 3 ? 1.0 / 6
                             : t->n_corners == 6           ? 1
                             : c == 3                      ? 8
                                                           : 4;
        volume = share * (c == 3 ? 1 * 0.8 * 1.3 : 0.8 * 0.7);
        for (int a = 0; a < t->n_corners; a++)
            for (int i = 0; i < 3; i++)
                centre[i] += e.x[a][i] / t->n_corners;
        if (ring)
            volume *= 2 * M_PI * centre[0] / 0.7;
        CHECK_OK(sw_element_weigh(&e, acceleration, force));
        sum_of(&e, force, 0, sum, moment);
        for (int i = 0; i < c; i++)
            CHECK_CLOSE(sum[i], acceleration[i] * volume, 1e-12);
        CHECK_OK(sw_element_spin(&e, 1.7, point, axis, 0, spun, NULL));
        sum_of(&e, spun, 0, sum, moment);
        for (int i = 0; i < c && !ring; i++)
            CHECK_CLOSE(sum[i], i == 1 ? 0 : 1.7 * volume * (centre[i] - point[i]), 1e-12);
    }
}

/* Trusses weigh length times area whatever their direction, their whirl is that of the centre of mass. */
static void test_trusses(void **unused)
{
    (void)unused;
    static const char *const names[] = {"T3D2", "T3D3", "T2D2", "T2D3"};
    static const double part[2][3] = {{0, 1}, {0, 0.5, 1}}, from[3] = {1, 2, 0},
                        to[][3] = {{3, 0, 0},  {-3, 0, 0}, {0, 3, 0}, {0, -3, 0},
                                   {1, -2, 0}, {0, 0, 3},  {-1, 2, 2}};
    const double acceleration[3] = {1, -2, 3}, point[3] = {0.3, -5, 0}, axis[3] = {0, 0, 2};
    for (int k = 0; k < 4 * 7; k++) {
        sw_element e = {
            .formulation = sw_formulation_find(names[k % 4], 0), .matter = steel(), .thickness = 0.3};
        const int c = components(&e);
        const double *along = to[k / 4],
                     length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
        double force[UNKNOWNS] = {0}, spun[UNKNOWNS] = {0}, sum[3], moment[3];
        if (c == 2 && along[2] != 0)
            continue;
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            for (int i = 0; i < 3; i++)
                e.x[a][i] = from[i] + along[i] * part[k % 2][a];
        CHECK_OK(sw_element_weigh(&e, acceleration, force));
        sum_of(&e, force, 0, sum, moment);
        for (int i = 0; i < c; i++)
            CHECK_CLOSE(sum[i], acceleration[i] * 0.3 * length, 1e-14);
        CHECK_OK(sw_element_spin(&e, 1.7, point, axis, 0, spun, NULL));
        sum_of(&e, spun, 0, sum, moment);
        for (int i = 0; i < c; i++)
            CHECK_CLOSE(sum[i], i == 2 ? 0 : 1.7 * 0.3 * length * (from[i] + along[i] / 2 - point[i]), 1e-13);
    }
}

/* Pressure on a ring's slanted side from r = 1 to 2: p 2 pi times the integral of N r; CalculiX sees the sides of elements
 * of one point by one, which gives both nodes the same. */
static void test_side_of_a_ring(void **unused)
{
    (void)unused;
    static const char *const names[] = {"CAX3", "CAX4R", "CAX4"};
    for (int k = 0; k < 6; k++) {
        sw_element e = {.formulation = sw_formulation_find(names[k / 2], k % 2), .matter = steel()};
        const double x[4][2] = {{1, 0}, {2, 0.5}, {2, 2}, {1, 2}};
        double force[UNKNOWNS] = {0};
        for (int a = 0; a < e.formulation->topology->n_nodes; a++)
            memcpy(e.x[a], x[a], sizeof x[a]);
        const int one = k % 2 == 1 && k / 2 < 2;
        sw_element_press(&e, 0, 3, 0, force, NULL);
        for (int a = 0; a < 2; a++) {
            const double share = one ? 0.75 : a == 0 ? 2.0 / 3 : 5.0 / 6;
            CHECK_CLOSE(force[2 * a], -3 * 2 * M_PI * share * 0.5, 1e-13);
            CHECK_CLOSE(force[2 * a + 1], 3 * 2 * M_PI * share, 1e-13);
        }
    }
}

typedef void loader(const sw_element *e, double *force, double *stiffness);

static void press(const sw_element *e, double *force, double *stiffness)
{
    for (int face = 0; face < e->formulation->topology->n_faces; face += 2)
        sw_element_press(e, face, 1.5 + face, 1, force, stiffness);
}

static void spin(const sw_element *e, double *force, double *stiffness)
{
    const double point[3] = {0.3, -1, 2}, axis[3] = {0, 2, 0}, oblique[3] = {1, 2, -0.5};
    sw_element_spin(e, 0.8, point, components(e) == 3 ? oblique : axis, 1, force, stiffness);
}

static void pull(const sw_element *e, double *force, double *stiffness)
{
    const double traction[3] = {1.5, -0.7, components(e) == 3 ? 0.9 : 0};
    for (int face = 0; face < e->formulation->topology->n_faces; face += 2)
        sw_element_pull(e, face, traction, (sw_pull)(1 + face / 2 % 3), force, stiffness);
}

static void test_stiffness(void **unused)
{
    (void)unused;
    loader *const loads[] = {press, spin, pull};
    uint64_t seed = 3;
    for (int k = 0; k < 3 * N_KNOWN; k++) {
        sw_element e = distorted(&all_known[k / 3], steel(), 0.2, &seed);
        const int c = components(&e), n = c * e.formulation->topology->n_nodes;
        static double force[UNKNOWNS], stiffness[UNKNOWNS * UNKNOWNS];
        memset(stiffness, 0, sizeof stiffness);
        bend(&e, &seed);
        loads[k % 3](&e, force, stiffness);
        for (int j = 0; j < n; j++) {
            double high[UNKNOWNS] = {0}, low[UNKNOWNS] = {0}, *u = &e.u[j / c][j % c];
            const double step =
                1e-4; /* forces are of third degree in u, of a factor of some 10; turns of any */
            *u += step;
            loads[k % 3](&e, high, NULL);
            *u -= 2 * step;
            loads[k % 3](&e, low, NULL);
            *u += step;
            for (int i = 0; i < n; i++)
                CHECK_CLOSE(stiffness[i * n + j], -(high[i] - low[i]) / (2 * step), k % 3 == 2 ? 1e-6 : 1e-7);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pressed_from_all_sides),
        cmocka_unit_test(test_face_of_a_box),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_trusses),
        cmocka_unit_test(test_side_of_a_ring),
        cmocka_unit_test(test_stiffness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
