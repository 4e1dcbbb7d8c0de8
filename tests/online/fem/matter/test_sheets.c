/* Yield functions of sheets in a point: r-values and stresses in tension as the functions themselves have them, at any
 * angle; von Mises' answers of their isotropic forms; large increments; what is refused. */
#include "materials.h"

#include "common/math/elimination.h"
#include "tests/online/forming/functions/aa2090.h"

static const double degree = 3.14159265358979323846 / 180;
static sw_matter_curve hard[1] = {{.n_rows = 3, .row = (double[3][2]){{0, 250}, {0.01, 350}, {0.05, 450}}}};

static sw_yield hill(void)
{
    return (sw_yield){.function = &sw_yield_functions[SW_YIELD_HILL48],
                      .coefficient = {0.28, 0.65, 0.35, 1.5, 1.4, 1.9},
                      .reference = 1};
}

/* Tension along space's axis 1: what is free follows so that no other stress is left. */
static void draw(history *h, double strain, double all[6])
{
    all[0] = strain;
    for (int step = 0; step < 60; step++) {
        double m[25], left[5], size = 0;
        set_strain(h, all);
        CHECK_OK(try_point(h));
        for (int k = 0; k < 25; k++)
            m[k] = h->answer.tangent[1 + k / 5][1 + k % 5];
        for (int k = 0; k < 5; k++)
            left[k] = -h->answer.stress[1 + k];
        assert_true(sw_solve_by_elimination(5, 5, m, left, left));
        for (int k = 0; k < 5; k++) {
            all[1 + k] += left[k];
            size = fmax(size, fabs(left[k]));
        }
        if (size < 1e-15)
            return;
    }
    for (int k = 1; k < 6; k++)
        CHECK_CLOSE(h->answer.stress[k], 0, 1e-7);
}

/* Stress over that of the function, and q = r / (1 + r) of the plastic strain, at angles from the rolling direction. Where
 * the stress keeps its direction the flow keeps its, too. */
static void check_tension(sw_yield y)
{
    for (int angle = 0; angle <= 90; angle += 15) {
        const double c = cos(angle * degree), s = sin(angle * degree);
        const double axes[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}}; /* the load is at (c, s) in them */
        sw_matter sheet = {STEEL, .n_curves = 1, .curve = hard, .yield = y};
        double all[6] = {0}, stress, q;
        history h;
        begin(&h, &sheet);
        h.point.axes = axes;
        draw(&h, 0.02, all);
        sw_yield_uniaxial(&y, angle * degree, &stress, &q);
        const double *e = h.new_state + 1;
        const double width = e[0] * s * s + e[1] * c * c - e[5] * c * s, r = width / e[2];
        const double size = h.new_state[0] < 0.01 ? 250 + 1e4 * h.new_state[0] : 325 + 2500 * h.new_state[0];
        CHECK_CLOSE(r, sw_r_of_q(q), 1e-6);
        CHECK_CLOSE(h.answer.stress[0], size * stress / y.reference, 1e-6);
        CHECK_CLOSE(h.answer.stress[0] * (e[0] * c * c + e[1] * s * s + e[5] * c * s), size * h.new_state[0],
                    1e-9);
    }
}

static void test_tension(void **state)
{
    (void)state;
    check_tension(hill());
    check_tension(aa2090_yld2004());
    check_tension(aa2090_yld2000());
}

/* A point in plane stress finds its thickness itself. */
static void test_sheet_in_plane_stress(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sw_yield y = kind == 0 ? hill() : kind == 1 ? aa2090_yld2000() : aa2090_yld2004();
        sw_matter sheet = {STEEL, .n_curves = 1, .curve = hard, .yield = y};
        history solid, thin;
        double all[6] = {0};
        begin(&solid, &sheet);
        begin(&thin, &sheet);
        thin.point.plane_stress = 1;
        draw(&solid, 0.015, all);
        set_strain(&thin, all);
        CHECK_OK(try_point(&thin));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(thin.answer.stress[i], solid.answer.stress[i], 1e-6);
    }
}

/* Of exponent 2 all are von Mises', whose return is another. */
static void test_isotropic(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int function = 0; function < SW_YIELD_FUNCTIONS; function++) {
        sw_matter sheet = {STEEL, .n_curves = 1, .curve = hard, .yield = sw_yield_isotropic(function, 2, 1)};
        sw_matter mises = {STEEL, .n_curves = 1, .curve = hard};
        for (int k = 0; k < 20; k++) {
            history a, b;
            double strain[6];
            begin(&a, &sheet);
            begin(&b, &mises);
            for (int i = 0; i < 6; i++)
                strain[i] = 0.02 * number(&seed);
            set_strain(&a, strain);
            set_strain(&b, strain);
            CHECK_OK(try_point(&a));
            CHECK_OK(try_point(&b));
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(a.answer.stress[i], b.answer.stress[i], 1e-7);
            CHECK_CLOSE(a.new_state[0], b.new_state[0], 1e-12);
            for (int i = 0; i < 36; i++) /* second derivatives by differences */
                CHECK_CLOSE(a.answer.tangent[i / 6][i % 6], b.answer.tangent[i / 6][i % 6], 1e-2);
        }
    }
}

/* Increments of many yield strains from anywhere, with sharp corners and without hardening: the stress is on the surface, the
 * flow normal to it. */
static void test_large_increments(void **state)
{
    (void)state;
    uint64_t seed = 3;
    sw_matter_curve flat[1] = {{.n_rows = 1, .row = (double[1][2]){{0, 250}}}};
    for (int k = 0; k < 600; k++) {
        sw_yield y = k % 3 == 0 ? hill() : k % 3 == 1 ? aa2090_yld2000() : aa2090_yld2004();
        y.exponent = k % 2 ? 8 : 40;
        sw_matter sheet = {STEEL, .n_curves = 1, .curve = k % 5 ? flat : hard, .yield = y};
        history h;
        double strain[6], phi, n[6];
        begin(&h, &sheet);
        for (int i = 0; i < 6; i++)
            strain[i] = pow(10, -2.5 + 0.5 * (k % 5)) * number(&seed) * (k % 3 != 1 || i < 3 || i == 5);
        set_strain(&h, strain);
        CHECK_OK(try_point(&h));
        if (h.new_state[0] == 0)
            continue;
        phi = sw_yield_value(&y, h.answer.stress, n);
        const double p = h.new_state[0];
        if (k % 5)
            CHECK_CLOSE(phi, 250, 1e-6);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(h.new_state[1 + i], p * n[i] * (i < 3 ? 1 : 2), 1e-6 * p);
    }
}

static void refuse(sw_matter matter, const char *says)
{
    assert_int_equal(sw_matter_prepare(&matter, "deck.inp"), SW_ERR_INPUT);
    if (strstr(sw_error_message(), says) == NULL)
        fail_msg("wanted '%s', got '%s'", says, sw_error_message());
}

static void test_refused(void **state)
{
    (void)state;
    sw_yield y = hill(), hollow = hill(), blunt = aa2090_yld2000();
    hollow.coefficient[0] = -3;
    blunt.exponent = 1;
    refuse((sw_matter){STEEL, .yield = y}, "a yield function: need *PLASTIC");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = hard, .yield = hollow}, "hill48 is not convex");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = hard, .yield = blunt}, "exponent 1: need > 1");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = hard, .yield = y,
                       .hardening = SW_MATTER_HARDENS_KINEMATIC},
           "with kinematic or combined hardening: need isotropic");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = hard, .yield = y, .creep = ROW(3, 1e-16, 5, 0)},
           "a yield function with creep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tension), cmocka_unit_test(test_sheet_in_plane_stress),
        cmocka_unit_test(test_isotropic), cmocka_unit_test(test_large_increments),
        cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
