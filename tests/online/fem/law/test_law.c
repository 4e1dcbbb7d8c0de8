/* Radial return and its consistent tangent (law.h, point.h) against closed forms and finite differences. */
#include "tests/online/fem/meshes.h"

#include "online/fem/law/hardening_keys.h"
#include "online/fem/law/point.h"

/* One of each hardening; the convex table's slope jumps up so far that the tangent's sign turns. */
static const struct {
    const char *name;
    sw_fem_material material;
} laws[] = {
    {"linear",
     {.young = 200e9,
      .poisson = 0.3,
      .yield_stress = 450e6,
      .hardening = SW_FEM_LINEAR,
      .parameter = {66e9}}},
    {"perfect", {.young = 200e9, .poisson = 0.3, .yield_stress = 250e6}},
    {"voce",
     {.young = 70e9,
      .poisson = 0.33,
      .yield_stress = 100e6,
      .hardening = SW_FEM_VOCE,
      .parameter = {50e6, 300e6, 40}}},
    {"table",
     {.young = 200e9,
      .poisson = 0.28,
      .yield_stress = 300e6,
      .hardening = SW_FEM_TABLE,
      .n_rows = 4,
      .row = {{0, 300e6}, {0.005, 380e6}, {0.02, 420e6}, {0.05, 440e6}}}},
    {"convex table",
     {.young = 200e9,
      .poisson = 0.3,
      .yield_stress = 100e6,
      .hardening = SW_FEM_TABLE,
      .n_rows = 3,
      .row = {{0, 100e6}, {0.01, 100e6}, {0.03, 20e9}}}},
};
enum { N_LAWS = sizeof laws / sizeof *laws };

static const sw_fem_point virgin;

/* A strain of this von Mises measure, of any direction, and some volume change. */
static void random_strain(uint64_t *seed, double size, double strain[6])
{
    double square = 0, mean;
    for (int i = 0; i < 6; i++)
        strain[i] = number(seed);
    mean = (strain[0] + strain[1] + strain[2]) / 3;
    for (int i = 0; i < 6; i++)
        square += i < 3 ? (strain[i] - mean) * (strain[i] - mean) : 0.5 * strain[i] * strain[i];
    for (int i = 0; i < 6; i++)
        strain[i] *= size / sqrt(2.0 / 3 * square);
}

/* A state that a path of two random strains left. */
static sw_fem_point random_state(uint64_t *seed, const sw_fem_material *m, double size)
{
    sw_fem_point point = virgin;
    double strain[6], stress[6];
    for (int i = 0; i < 2; i++) {
        const sw_fem_point old = point;
        random_strain(seed, size, strain);
        sw_fem_radial_return(m, strain, &old, stress, &point, NULL);
    }
    return point;
}

/* Names are those of job files; each law is tested here, and those tested are sound. */
static void test_laws_are_known_by_name(void **state)
{
    (void)state;
    const char *name;
    int number = 0;
    for (; (name = sw_key_word(&sw_fem_hardening_keys[0], number)) != NULL; number++) {
        int tested = 0;
        for (int l = 0; l < N_LAWS; l++)
            tested |= laws[l].material.hardening == number;
        if (!tested)
            fail_msg("the law '%s' is not tested", name);
        assert_int_equal(sw_fem_hardening_law(name), number);
    }
    assert_int_equal(number, 4);
    assert_int_equal(sw_fem_hardening_law("voce"), SW_FEM_VOCE);
    assert_int_equal(sw_fem_hardening_law("power"), -1);
    for (int l = 0; l < N_LAWS; l++) {
        sw_fem_hardening_fault fault;
        sw_fem_find_hardening_fault(&laws[l].material, &fault);
        assert_string_equal(fault.key, "");
    }
}

/* Uniaxial strain and simple shear with linear hardening: dp = (trial - yield) / (3 G + H). */
static void test_linear_hardening_is_exact(void **state)
{
    (void)state;
    const sw_fem_material *m = &laws[0].material;
    const double shear = sw_fem_shear(m), bulk = sw_fem_bulk(m), H = m->parameter[SW_FEM_MODULUS];
    for (int i = 1; i <= 20; i++) {
        const double e = 1e-3 * i;
        double strain[6] = {e}, stress[6];
        sw_fem_point point;
        /* q = 2 G e at first, and 3 G dp less; the mean stress is K e. */
        double dp = fmax(0, (2 * shear * e - m->yield_stress) / (3 * shear + H)),
               q = 2 * shear * e - 3 * shear * dp;
        assert_int_equal(sw_fem_radial_return(m, strain, &virgin, stress, &point, NULL), dp > 0);
        CHECK_CLOSE(point.equivalent, dp, 1e-15 * (1 + e));
        CHECK_CLOSE(stress[0], bulk * e + 2 * q / 3, 1e-14 * stress[0]);
        CHECK_CLOSE(stress[1], bulk * e - q / 3, 1e-14 * stress[0]);
        CHECK_CLOSE(stress[2], bulk * e - q / 3, 1e-14 * stress[0]);
        CHECK_CLOSE(point.strain[0], dp, 1e-15);
        CHECK_CLOSE(point.strain[1], -dp / 2, 1e-15);
        /* Engineering shear g: q = root 3 G g. */
        const double shears[6] = {[4] = e};
        dp = fmax(0, (sqrt(3) * shear * e - m->yield_stress) / (3 * shear + H));
        q = sqrt(3) * shear * e - 3 * shear * dp;
        sw_fem_radial_return(m, shears, &virgin, stress, &point, NULL);
        CHECK_CLOSE(stress[4], q / sqrt(3), 1e-14 * q);
        CHECK_CLOSE(point.strain[4], sqrt(3) / 2 * dp, 1e-15);
        CHECK_CLOSE(point.equivalent, dp, 1e-15);
    }
}

/* From any state by any strain: the stress is on the yield surface, trial - 3 G dp = kappa; the plastic
 * strain is deviatoric, its increment along the stress deviator, and as long as dp. Round-off: the trial
 * stress is a sum of a few terms of 2 G x strain, and 3 G dp is taken off. */
static void test_the_return_ends_on_the_yield_surface(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int l = 0; l < N_LAWS; l++)
        for (int i = 0; i < 2000; i++) {
            const sw_fem_material *m = &laws[l].material;
            const sw_fem_point old = random_state(&seed, m, 0.02);
            double strain[6], stress[6], slope, square = 0, trace = 0, along = 0;
            sw_fem_point point;
            random_strain(&seed, pow(10, -2 + 1.5 * number(&seed)), strain);
            const int yields = sw_fem_radial_return(m, strain, &old, stress, &point, NULL);
            const double kappa = sw_fem_yield_stress(m, point.equivalent, &slope), q = fem_von_mises(stress);
            const double size =
                10 * sw_fem_shear(m) * (0.04 + fabs(strain[0]) + fabs(strain[1]) + fabs(strain[2])) +
                kappa; /* of what was added up */
            const double mean = (stress[0] + stress[1] + stress[2]) / 3;
            if (!yields) {
                assert_true(q <= kappa + 1e-14 * size);
                assert_memory_equal(&old, &point, sizeof old);
                continue;
            }
            CHECK_CLOSE(q, kappa, 1e-14 * size);
            const double dp = point.equivalent - old.equivalent;
            assert_true(dp > 0);
            for (int j = 0; j < 6; j++) {
                const double d = point.strain[j] - old.strain[j];
                square += (j < 3 ? 1 : 2) * d * d;
                trace += j < 3 ? point.strain[j] : 0;
                along += (j < 3 ? 1 : 2) * d * (stress[j] - (j < 3 ? mean : 0));
            }
            CHECK_CLOSE(sqrt(2.0 / 3 * square), dp, 1e-14);
            CHECK_CLOSE(trace, 0, 1e-15);
            CHECK_CLOSE(along, q * dp, 1e-14 * size); /* s : d ep = q dp only when they are parallel */
            CHECK_CLOSE(mean, sw_fem_bulk(m) * (strain[0] + strain[1] + strain[2]), 1e-14 * size);
        }
}

static void test_pressure_never_yields(void **state)
{
    (void)state;
    for (int l = 0; l < N_LAWS; l++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double e = 0.3 * sign, strain[6] = {e, e, e};
            double stress[6];
            sw_fem_point point;
            sw_fem_tangent tangent;
            assert_false(sw_fem_radial_return(&laws[l].material, strain, &virgin, stress, &point, &tangent));
            CHECK_CLOSE(fem_von_mises(stress), 0, 1e-14 * fabs(stress[0]));
            CHECK_CLOSE(stress[0], 3 * sw_fem_bulk(&laws[l].material) * e, 1e-15 * fabs(stress[0]));
            assert_memory_equal(&point, &virgin, sizeof point);
            assert_true(tangent.ratio == 1 && tangent.flow[0] == 0 && tangent.flow[4] == 0);
        }
}

/* Yielding, then back by any path inside the yield surface: Hooke's law of the change, and nothing is left
 * behind; at the same strain again the same stress. */
static void test_unloading_is_elastic(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int l = 0; l < N_LAWS; l++)
        for (int i = 0; i < 500; i++) {
            const sw_fem_material *m = &laws[l].material;
            const double shear = sw_fem_shear(m), bulk = sw_fem_bulk(m);
            double strain[6], stress[6], less[6], after[6], change[6], slope;
            sw_fem_point point, again;
            random_strain(&seed, 0.01, strain);
            assert_true(sw_fem_radial_return(m, strain, &virgin, stress, &point, NULL));
            const double kappa = sw_fem_yield_stress(m, point.equivalent, &slope),
                         mean = (stress[0] + stress[1] + stress[2]) / 3;
            /* Back along the stress by up to 1.9 times the way to its origin. */
            const double back = (0.95 + 0.95 * number(&seed)) / (2 * shear);
            for (int j = 0; j < 6; j++) {
                change[j] = -back * (stress[j] - (j < 3 ? mean : 0)) * (j < 3 ? 1 : 2);
                less[j] = strain[j] + change[j];
            }
            assert_false(sw_fem_radial_return(m, less, &point, after, &again, NULL));
            for (int j = 0; j < 6; j++)
                CHECK_CLOSE(after[j] - stress[j],
                            (j < 3 ? 2 : 1) * shear * change[j] +
                                (j < 3 ? (bulk - 2 * shear / 3) * (change[0] + change[1] + change[2]) : 0),
                            1e-14 * (kappa + 20 * shear * 0.01));
            assert_memory_equal(&point, &again, sizeof point);
        }
}

/* Beyond and at a table's rows; a trial stress that ends in the table's corner. */
static void test_table_corners(void **state)
{
    (void)state;
    const sw_fem_material *m = &laws[3].material;
    const double shear = sw_fem_shear(m);
    double slope;
    for (int i = 0; i < m->n_rows; i++) {
        CHECK_CLOSE(sw_fem_yield_stress(m, m->row[i][0], &slope), m->row[i][1], 1e-15 * m->row[i][1]);
        /* To the right of the corner: the next segment's slope; none after the last. */
        const double next =
            i + 1 < m->n_rows ? (m->row[i + 1][1] - m->row[i][1]) / (m->row[i + 1][0] - m->row[i][0]) : 0;
        CHECK_CLOSE(slope, next, 1e-14 * next);
        /* Uniaxial strain e whose return ends at the row: 2 G e = kappa + 3 G p. */
        const double e = (m->row[i][1] + 3 * shear * m->row[i][0]) / (2 * shear), strain[6] = {e};
        double stress[6];
        sw_fem_point point;
        sw_fem_radial_return(m, strain, &virgin, stress, &point, NULL);
        CHECK_CLOSE(point.equivalent, m->row[i][0], 1e-14);
        CHECK_CLOSE(fem_von_mises(stress), m->row[i][1], 1e-14 * 2 * shear * e);
    }
    CHECK_CLOSE(sw_fem_yield_stress(m, 10, &slope), 440e6, 0);
    CHECK_CLOSE(slope, 0, 0);
    /* One row: perfect plasticity. */
    const sw_fem_material one = {
        .hardening = SW_FEM_TABLE, .n_rows = 1, .row = {{0, 5e6}}, .yield_stress = 5e6};
    CHECK_CLOSE(sw_fem_yield_stress(&one, 0, &slope), 5e6, 0);
    CHECK_CLOSE(sw_fem_yield_stress(&one, 1, &slope), 5e6, 0);
    CHECK_CLOSE(slope, 0, 0);
}

/* Voce: slope and limits. */
static void test_voce_is_its_formula(void **state)
{
    (void)state;
    const sw_fem_material *m = &laws[2].material;
    double slope, unused;
    CHECK_CLOSE(sw_fem_yield_stress(m, 0, &slope), 100e6, 1e-15 * 300e6);
    CHECK_CLOSE(slope, 50e6 + 40 * 200e6, 1e-5);
    CHECK_CLOSE(sw_fem_yield_stress(m, 10, &slope), 300e6 + 500e6, 1e-6);
    CHECK_CLOSE(slope, 50e6, 1e-6);
    for (double p = 0.01; p < 0.1; p += 0.01) {
        /* Central differences: h^2 k''' / 6 and round-off over h. */
        const double h = 1e-5, difference = (sw_fem_yield_stress(m, p + h, &unused) -
                                             sw_fem_yield_stress(m, p - h, &unused)) /
                                            (2 * h);
        sw_fem_yield_stress(m, p, &slope);
        CHECK_CLOSE(slope, difference, h * h * 40 * 40 * 40 * 200e6 / 6 + 4e-16 * 300e6 / h);
    }
}

/* ---- The consistent tangent ---- */

/* Stress and the tangent's product, for solids or plane stress. */
static int stress_of(sw_fem_kinematics k, const sw_fem_material *m, const double strain[6],
                     const sw_fem_point *old, double stress[6], sw_fem_tangent *tangent)
{
    return sw_fem_stress_at(k, m, strain, old, stress, NULL, tangent);
}

static void tangent_product(sw_fem_kinematics k, const sw_fem_material *m, const sw_fem_tangent *t,
                            const double strain[6], double stress[6])
{
    sw_fem_stiffness s = {.ratio = t->ratio};
    memcpy(s.flow, t->flow, sizeof t->flow);
    sw_fem_moduli(k, m, &s.bulk, &s.shear);
    if (k == SW_FEM_PLANE_STRESS)
        sw_fem_stiffness_apply_plane(&s, strain, stress);
    else
        sw_fem_stiffness_apply(&s, strain, stress);
}

/* Largest difference between the tangent and central differences of step h, of what is yielding; sizes in
 * units of Young's modulus. Where h crosses a table's corner or the yield surface there is no derivative:
 * left out. */
static double tangent_error(sw_fem_kinematics k, const sw_fem_material *m, double h, int *yielding,
                            int *minus, int *compared)
{
    uint64_t seed = 7;
    double worst = 0;
    *yielding = *minus = *compared = 0;
    for (int i = 0; i < 400; i++) {
        const sw_fem_point old = i % 2 ? virgin : random_state(&seed, m, 0.004);
        double strain[6], stress[6], plus[6], less[6], unit[6] = {0}, product[6];
        sw_fem_tangent tangent, at[2];
        random_strain(&seed, i % 4 < 2 ? 0.012 : 0.03, strain);
        if (k == SW_FEM_PLANE_STRESS)
            strain[2] = strain[3] = strain[4] = 0;
        const int yields = stress_of(k, m, strain, &old, stress, &tangent);
        *yielding += yields;
        *minus += yields && signbit(tangent.ratio);
        for (int j = 0; j < 6; j++) {
            if (k == SW_FEM_PLANE_STRESS && j >= 2 && j <= 4)
                continue;
            double moved[6];
            memcpy(moved, strain, sizeof moved);
            moved[j] = strain[j] + h;
            const int above = stress_of(k, m, moved, &old, plus, &at[0]);
            moved[j] = strain[j] - h;
            const int below = stress_of(k, m, moved, &old, less, &at[1]);
            double kink = 0;
            for (int f = 0; f < 5; f++) /* flows differ by h / strain, but by far more across a corner */
                kink = greatest(kink, fabs(at[0].flow[f] - at[1].flow[f]));
            if (above != yields || below != yields || kink > 0.02 * sqrt(m->young))
                continue;
            ++*compared;
            unit[j] = 1;
            tangent_product(k, m, &tangent, unit, product);
            unit[j] = 0;
            for (int f = 0; f < 6; f++)
                worst = greatest(worst, fabs(product[f] - (plus[f] - less[f]) / (2 * h)) / m->young);
        }
    }
    return worst;
}

/* Differences of step h are off by h^2 times the third derivative, some / strain^2 (strains of 0.01: 1e4 h^2
 * times a factor of order 10), and by round-off 1e-16 strain / h, times 10 for the inner Newton of plane
 * stress. */
static void test_tangent_against_differences(void **state)
{
    (void)state;
    static const sw_fem_kinematics all[] = {SW_FEM_SOLID, SW_FEM_PLANE_STRESS};
    for (int l = 0; l < N_LAWS; l++)
        for (int j = 0; j < 2; j++) {
            const double h = 1e-7;
            int yielding, minus, compared;
            const double fine = tangent_error(all[j], &laws[l].material, h, &yielding, &minus, &compared);
            print_message("%s, %s: tangent off by %.1e E (%d of 400 yield, %d with the other sign)\n",
                          laws[l].name, sw_fem_kinematics_names[all[j]], fine, yielding, minus);
            assert_true(yielding > 200 && compared > (all[j] == SW_FEM_SOLID ? 2000 : 1000));
            assert_true((minus > 0) == (l == 4));
            CHECK_CLOSE(fine, 0, 1e5 * h * h + 1e-14 * 0.03 / h);
        }
}

/* The tangent is symmetric, and on a proportional path the stress it gives along the path is that of the
 * slope. */
static void test_tangent_along_the_path(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int l = 0; l < N_LAWS; l++)
        for (int i = 0; i < 200; i++) {
            const sw_fem_material *m = &laws[l].material;
            const double shear = sw_fem_shear(m);
            double strain[6], stress[6], product[6], slope, matrix[6][6], mean;
            sw_fem_tangent tangent;
            sw_fem_point point;
            random_strain(&seed, 0.02, strain);
            mean = (strain[0] + strain[1] + strain[2]) / 3;
            for (int j = 0; j < 3; j++)
                strain[j] -= mean;
            assert_true(sw_fem_radial_return(m, strain, &virgin, stress, &point, &tangent));
            sw_fem_yield_stress(m, point.equivalent, &slope);
            /* d q = 3 G H / (3 G + H) d e: the strain's measure is 0.02, so all strain gives that times 0.02.
             */
            tangent_product(SW_FEM_SOLID, m, &tangent, strain, product);
            CHECK_CLOSE(fem_von_mises(product), 3 * shear * slope / (3 * shear + slope) * 0.02,
                        1e-12 * shear * 0.02);
            for (int j = 0; j < 6; j++) {
                double unit[6] = {0};
                unit[j] = 1;
                tangent_product(SW_FEM_SOLID, m, &tangent, unit, matrix[j]);
            }
            for (int j = 0; j < 6; j++)
                for (int f = 0; f < j; f++)
                    CHECK_CLOSE(matrix[j][f], matrix[f][j], 1e-15 * 4 * m->young);
        }
}

/* Plane stress: no stress 33; the same as a solid under the strain 33 that the plastic state tells; uniaxial
 * stress through a strain of known lateral part. */
static void test_plane_stress(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int l = 0; l < N_LAWS; l++)
        for (int i = 0; i < 1000; i++) {
            const sw_fem_material *m = &laws[l].material;
            sw_fem_point old = virgin, point;
            double strain[6], stress[6], whole[6], solid[6], slope;
            for (int step = 0; step < 2; step++) {
                random_strain(&seed, pow(10, -2.5 + number(&seed)), strain);
                strain[2] = strain[3] = strain[4] = 0;
                const int yields =
                    sw_fem_stress_at(SW_FEM_PLANE_STRESS, m, strain, &old, stress, &point, NULL);
                const double kappa = sw_fem_yield_stress(m, point.equivalent, &slope);
                double size = fabs(point.strain[2]);
                for (int j = 0; j < 6; j++)
                    size += fabs(strain[j]);
                /* 33: the elastic part follows from Hooke's law. */
                memcpy(whole, strain, sizeof whole);
                whole[2] = point.strain[2] - m->poisson / m->young * (stress[0] + stress[1]);
                const int solid_yields = sw_fem_radial_return(m, whole, &old, solid, NULL, NULL);
                assert_true(stress[2] == 0);
                CHECK_CLOSE(solid[2], 0, 1e-13 * m->young * size);
                for (int j = 0; j < 6; j++)
                    CHECK_CLOSE(solid[j], stress[j], 3e-13 * m->young * size);
                assert_int_equal(yields, solid_yields);
                if (yields) /* what is left of the stress 33 is not counted */
                    CHECK_CLOSE(fem_von_mises(stress), kappa, 3e-14 * m->young * size);
                old = point;
            }
        }
    /* Uniaxial stress s: strain 11 = s / E + p, lateral - nu s / E - p / 2. */
    const sw_fem_material *m = &laws[0].material;
    const double s = 600e6, p = (s - m->yield_stress) / m->parameter[SW_FEM_MODULUS];
    const double strain[6] = {s / m->young + p, -m->poisson * s / m->young - p / 2};
    double stress[6];
    sw_fem_point point;
    sw_fem_stress_at(SW_FEM_PLANE_STRESS, m, strain, &virgin, stress, &point, NULL);
    CHECK_CLOSE(stress[0], s, 1e-13 * s);
    CHECK_CLOSE(stress[1], 0, 1e-13 * s);
    CHECK_CLOSE(point.equivalent, p, 1e-13 * p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws_are_known_by_name),
        cmocka_unit_test(test_linear_hardening_is_exact),
        cmocka_unit_test(test_the_return_ends_on_the_yield_surface),
        cmocka_unit_test(test_pressure_never_yields),
        cmocka_unit_test(test_unloading_is_elastic),
        cmocka_unit_test(test_table_corners),
        cmocka_unit_test(test_voce_is_its_formula),
        cmocka_unit_test(test_tangent_against_differences),
        cmocka_unit_test(test_tangent_along_the_path),
        cmocka_unit_test(test_plane_stress),
    };
    return cmocka_run_group_tests_name("plasticity at a point", tests, NULL, NULL);
}
