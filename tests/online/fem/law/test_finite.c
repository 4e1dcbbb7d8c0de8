/* The return at finite strains and its tangent (finite.h) against closed forms and finite differences. */
#include "tests/online/fem/meshes.h"

#include "online/fem/law/finite.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 700e6, .hardening = SW_FEM_LINEAR, .parameter = {300e6}};
static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};
static const sw_fem_material soft = {.young = 70e9,
                                     .poisson = 0.33,
                                     .yield_stress = 100e6,
                                     .hardening = SW_FEM_VOCE,
                                     .parameter = {50e6, 300e6, 4}};
static const sw_fem_material convex = {.young = 200e9,
                                       .poisson = 0.3,
                                       .yield_stress = 100e6,
                                       .hardening = SW_FEM_TABLE,
                                       .n_rows = 3,
                                       .row = {{0, 100e6}, {0.01, 100e6}, {0.03, 20e9}}};
static const sw_fem_point virgin;

static void multiply(const double a[3][3], const double b[3][3], double product[3][3])
{
    double sum[3][3] = {{0}};
    for (int i = 0; i < 27; i++)
        sum[i / 9][i / 3 % 3] += a[i / 9][i % 3] * b[i % 3][i / 3 % 3];
    memcpy(product, sum, sizeof sum);
}

/* h of (I + l)(I + h). */
static void move_on(const double l[3][3], const double h[3][3], double next[3][3])
{
    double lh[3][3];
    multiply(l, h, lh);
    for (int i = 0; i < 9; i++)
        next[i / 3][i % 3] = h[i / 3][i % 3] + l[i / 3][i % 3] + lh[i / 3][i % 3];
}

/* Rotation about the axis (1, 2, 3) by an angle, less I. */
static void turn(double angle, double h[3][3])
{
    const double n[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, s = sin(angle),
                 c = 2 * sin(angle / 2) * sin(angle / 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            h[i][j] = c * (n[i] * n[j] - (i == j)) +
                      (i == j ? 0 : s * ((j - i + 3) % 3 == 1 ? -n[3 - i - j] : n[3 - i - j]));
}

static void random_gradient(uint64_t *seed, double size, double l[3][3])
{
    for (int i = 0; i < 9; i++)
        l[i / 3][i % 3] = size * number(seed);
}

/* Simple shear: 2 G asinh(g / 2) / root(1 + g^2 / 4), no volume change; the largest at g = 3.02. */
static void test_elastic_simple_shear(void **state)
{
    (void)state;
    const double shear = sw_fem_shear(&elastic);
    double worst = 0, most = 0, at_most = 0, before = 0;
    int turns = 0, rising = 1;
    for (int i = 1; i <= 500; i++) {
        const double g = 0.01 * i, h[3][3] = {{0, g, 0}},
                     exact = 2 * shear * asinh(g / 2) / sqrt(1 + g * g / 4);
        double stress[6];
        assert_false(sw_fem_finite_return(&elastic, h, &virgin, stress, NULL, NULL));
        worst = greatest(worst, fabs(stress[5] / exact - 1));
        CHECK_CLOSE(stress[5], exact, 1e-13 * exact);
        CHECK_CLOSE(stress[0] + stress[1] + stress[2], 0, 1e-13 * shear);
        turns += (stress[5] > before) != rising;
        rising = stress[5] > before;
        before = stress[5];
        if (stress[5] > most) {
            most = stress[5];
            at_most = g;
        }
    }
    print_message("simple shear to 5: off by %.1e, largest at %.2f\n", worst, at_most);
    CHECK_CLOSE(at_most, 3.02, 0.011);
    assert_int_equal(turns, 1);
}

/* Small strains: the small return, to the strain's square. */
static void test_small_strains_agree(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 100; i++) {
        double h[3][3], stress[6], small[6], strain[6];
        sw_fem_point point, small_point;
        const double size = 1e-8;
        sw_fem_material weak = steel;
        weak.yield_stress = 100;
        random_gradient(&seed, size, h);
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3;
            strain[j] = h[j][j];
            strain[3 + j] = h[k][l] + h[l][k];
        }
        assert_true(sw_fem_finite_return(&weak, h, &virgin, stress, &point, NULL));
        sw_fem_radial_return(&weak, strain, &virgin, small, &small_point, NULL);
        for (int j = 0; j < 6; j++) {
            CHECK_CLOSE(stress[j], small[j], 20 * size * weak.young * size);
            CHECK_CLOSE(point.strain[j], -2 * small_point.strain[j], 50 * size * size);
        }
        CHECK_CLOSE(point.equivalent, small_point.equivalent, 20 * size * size);
    }
}

/* A state that steps of random gradients left, and where they led. */
static sw_fem_point random_state(uint64_t *seed, const sw_fem_material *m, double h[3][3])
{
    sw_fem_point point = virgin;
    double stress[6], l[3][3];
    memset(h, 0, 9 * sizeof(double));
    for (int i = 0; i < 5; i++) {
        const sw_fem_point old = point;
        random_gradient(seed, 0.1, l);
        move_on(l, h, h);
        sw_fem_finite_return(m, h, &old, stress, &point, NULL);
    }
    return point;
}

/* The stress is on the yield surface after any history, plastic flow keeps the volume, and the accepted state
 * under the same F gives the same stress again, elastically. */
static void test_the_return_ends_on_the_yield_surface(void **state)
{
    (void)state;
    uint64_t seed = 7;
    const sw_fem_material *const materials[] = {&steel, &soft, &convex};
    for (int i = 0; i < 600; i++) {
        const sw_fem_material *m = materials[i % 3];
        double h[3][3], l[3][3], stress[6], again[6], slope, c[3][3];
        const sw_fem_point old = random_state(&seed, m, h);
        sw_fem_point point, same;
        random_gradient(&seed, 0.1, l);
        move_on(l, h, h);
        if (!sw_fem_finite_return(m, h, &old, stress, &point, NULL))
            continue;
        CHECK_CLOSE(fem_von_mises(stress), sw_fem_yield_stress(m, point.equivalent, &slope),
                    1e-13 * 10 * sw_fem_shear(m));
        sw_fem_symmetric(point.strain, c);
        for (int j = 0; j < 3; j++)
            c[j][j] += 1;
        CHECK_CLOSE(c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                        c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                        c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]),
                    1, 1e-12);
        assert_false(sw_fem_finite_return(m, h, &point, again, &same, NULL));
        assert_memory_equal(&same, &point, sizeof same);
        for (int j = 0; j < 6; j++)
            CHECK_CLOSE(again[j], stress[j], 1e-13 * 10 * sw_fem_shear(m));
    }
}

/* A strained point turned about an axis ten times, 36 steps a turn: invariants of its stress stay, it does not
 * flow. */
static void test_rotation_keeps_invariants(void **state)
{
    (void)state;
    const double h[3][3] = {{0.2, 0.4, 0}, {0.1, -0.3, 0.05}, {0, -0.1, 0.1}};
    double first[6], worst = 0;
    sw_fem_point point;
    sw_fem_finite_return(&steel, h, &virgin, first, &point, NULL);
    const double q = fem_von_mises(first), trace = first[0] + first[1] + first[2];
    for (int i = 1; i <= 360; i++) {
        double r[3][3], now[3][3], stress[6];
        const sw_fem_point old = point;
        turn(2 * PI * i / 36, r);
        move_on(r, h, now);
        assert_false(sw_fem_finite_return(&steel, now, &old, stress, &point, NULL));
        assert_memory_equal(&old, &point, sizeof old);
        worst = greatest(worst, fabs(fem_von_mises(stress) / q - 1));
        worst = greatest(worst, fabs((stress[0] + stress[1] + stress[2]) / trace - 1));
    }
    print_message("ten turns: invariants off by %.1e\n", worst);
    CHECK_CLOSE(worst, 0, 1e-12);
}

/* Against central differences of (I + x l) F, x = 1e-6: x^2 of third derivatives and round-off over x. */
static double tangent_error(const sw_fem_material *m, const double h[3][3], const sw_fem_point *old,
                            uint64_t *seed)
{
    static const int at[6][6] = {{0, 1, 2, 3, 4, 5},     {1, 6, 7, 8, 9, 10},    {2, 7, 11, 12, 13, 14},
                                 {3, 8, 12, 15, 16, 17}, {4, 9, 13, 16, 18, 19}, {5, 10, 14, 17, 19, 20}};
    const double x = 1e-6;
    double l[3][3], step[3][3], next[3][3], stress[6], side[2][6], moduli[SW_FEM_MODULI], w[3][3], t[3][3],
        off = 0;
    sw_fem_finite_return(m, h, old, stress, NULL, moduli);
    random_gradient(seed, 1, l);
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 9; i++)
            step[i / 3][i % 3] = (s ? x : -x) * l[i / 3][i % 3];
        move_on(step, h, next);
        sw_fem_finite_return(m, next, old, side[s], NULL, NULL);
    }
    const double d[6] = {l[0][0], l[1][1], l[2][2], l[1][2] + l[2][1], l[0][2] + l[2][0], l[0][1] + l[1][0]};
    sw_fem_symmetric(stress, t);
    for (int i = 0; i < 9; i++)
        w[i / 3][i % 3] = (l[i / 3][i % 3] - l[i % 3][i / 3]) / 2;
    for (int i = 0; i < 6; i++) {
        const int a = i < 3 ? i : (i + 1) % 3, b = i < 3 ? i : (i + 2) % 3;
        double sum = 0;
        for (int j = 0; j < 6; j++)
            sum += moduli[at[i][j]] * d[j];
        for (int k = 0; k < 3; k++)
            sum += w[a][k] * t[k][b] - t[a][k] * w[k][b];
        off = greatest(off, fabs(sum - (side[1][i] - side[0][i]) / (2 * x)));
    }
    return off / m->young;
}

static void test_the_tangent_is_consistent(void **state)
{
    (void)state;
    uint64_t seed = 11;
    const sw_fem_material *const materials[] = {&elastic, &steel, &soft, &convex};
    double worst = 0;
    for (int i = 0; i < 800; i++) {
        double h[3][3], l[3][3];
        const sw_fem_point old = random_state(&seed, materials[i % 4], h);
        random_gradient(&seed, 0.1, l);
        move_on(l, h, h);
        worst = greatest(worst, tangent_error(materials[i % 4], h, &old, &seed));
    }
    print_message("tangent against differences: off by %.1e of E\n", worst);
    CHECK_CLOSE(worst, 0, 1e-7);
}

/* Two and three equal stretches, exactly and nearly, elastic and plastic. */
static void test_the_tangent_at_equal_stretches(void **state)
{
    (void)state;
    uint64_t seed = 13;
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        const double near = (i % 3 - 1) * pow(10, -2 - i / 6);
        const double h[3][3] = {{0.3, 0, 0}, {0, 0.3 + near, 0}, {0, 0, i % 2 ? 0.3 : -0.2}};
        worst = greatest(worst, tangent_error(&elastic, h, &virgin, &seed));
        worst = greatest(worst, tangent_error(i % 2 ? &elastic : &steel, h, &virgin, &seed));
    }
    print_message("tangent at equal stretches: off by %.1e of E\n", worst);
    CHECK_CLOSE(worst, 0, 1e-7);
}

/* ln V of a rotated stretch. */
static void test_logarithmic_strain(void **state)
{
    (void)state;
    const double stretch[3][3] = {{exp(0.5) - 1, 0, 0}, {0, exp(-0.2) - 1, 0}, {0, 0, 0}};
    double r[3][3], h[3][3], strain[6];
    turn(1.1, r);
    move_on(r, stretch, h);
    for (int i = 0; i < 3; i++)
        r[i][i] += 1;
    sw_fem_logarithmic_strain(h, strain);
    for (int i = 0; i < 6; i++) {
        const int a = i < 3 ? i : (i + 1) % 3, b = i < 3 ? i : (i + 2) % 3;
        CHECK_CLOSE(strain[i], 0.5 * r[a][0] * r[b][0] - 0.2 * r[a][1] * r[b][1], 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastic_simple_shear),
        cmocka_unit_test(test_small_strains_agree),
        cmocka_unit_test(test_the_return_ends_on_the_yield_surface),
        cmocka_unit_test(test_rotation_keeps_invariants),
        cmocka_unit_test(test_the_tangent_is_consistent),
        cmocka_unit_test(test_the_tangent_at_equal_stretches),
        cmocka_unit_test(test_logarithmic_strain),
    };
    return cmocka_run_group_tests_name("law at finite strains", tests, NULL, NULL);
}
