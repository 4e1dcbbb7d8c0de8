/* Laws of materials against closed forms. */
#include "materials.h"

#include "online/fem/element/element.h"
#include "online/fem/law/law.h"

static sw_matter_curve hard[1] = {{.n_rows = 3, .row = (double[3][2]){{0, 250}, {0.01, 350}, {0.05, 450}}}};
static sw_matter_curve straight[1] = {{.n_rows = 2, .row = (double[2][2]){{0, 150}, {0.1, 1150}}}};

/* ---- Tables ---- */

static void test_tables(void **state)
{
    (void)state;
    double value[2];
    const sw_matter_table table = {3, 2, (double[]){0, 100, 300}, (double[]){200, 1, 180, 2, 100, 6}};
    const struct {
        double at, first, second;
    } want[] = {{-5, 200, 1},  {0, 200, 1},   {50, 190, 1.5}, {100, 180, 2},
                {200, 140, 4}, {300, 100, 6}, {1e9, 100, 6}};
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        sw_matter_look_up(&table, want[k].at, value);
        CHECK_CLOSE(value[0], want[k].first, 1e-12);
        CHECK_CLOSE(value[1], want[k].second, 1e-12);
    }
}

/* ---- Plasticity under uniaxial stress ---- */

/* Stress and plastic strain at a strain on a straight piece that starts at (start, stress) with this slope. */
static double on_piece(double strain, double start, double stress, double slope)
{
    return (stress + slope * (strain - start)) / (1 + slope / 200e3);
}

static void test_table_in_tension(void **state)
{
    (void)state;
    sw_matter steel = {STEEL, .n_curves = 1, .curve = hard};
    double across = 0;
    history h;
    begin(&h, &steel);
    CHECK_CLOSE(pull(&h, 0.001, &across), 200, 1e-9);
    CHECK_CLOSE(across, -0.0003, 1e-12);
    CHECK_CLOSE(pull(&h, 0.008, &across), on_piece(0.008, 0, 250, 10e3), 1e-7);
    CHECK_CLOSE(pull(&h, 0.03, &across), on_piece(0.03, 0.01, 350, 2500), 1e-7);
    CHECK_CLOSE(h.new_state[0], 0.03 - h.answer.stress[0] / 200e3, 1e-12);
    CHECK_CLOSE(h.new_state[1], h.new_state[0], 1e-12);
    CHECK_CLOSE(h.new_state[2], -0.5 * h.new_state[0], 1e-12);
    CHECK_CLOSE(pull(&h, 0.2, &across), 450, 1e-7);
    accept(&h);
    CHECK_CLOSE(pull(&h, 0.199, &across), 250, 1e-7); /* back elastically, whatever the path */
    CHECK_CLOSE(pull(&h, 0.19, &across), -450, 1e-7);
}

static void test_curves_over_temperature(void **state)
{
    (void)state;
    sw_matter_curve curves[2] = {
        {.temperature = 20, .n_rows = 2, .row = (double[2][2]){{0, 300}, {0.1, 500}}},
        {.temperature = 220, .n_rows = 1, .row = (double[1][2]){{0, 100}}}};
    sw_matter steel = {STEEL, .n_curves = 2, .curve = curves};
    double across = 0;
    history h;
    begin(&h, &steel);
    h.point.temperature = 170;
    CHECK_CLOSE(pull(&h, 0.02, &across), on_piece(0.02, 0, 150, 500), 1e-7);
    h.point.temperature = 500;
    CHECK_CLOSE(pull(&h, 0.02, &across), 100, 1e-7);
}

/* Linear kinematic: the elastic range stays 300 wide about what moves with 10 000 times the plastic strain. */
static void test_kinematic_loop(void **state)
{
    (void)state;
    sw_matter steel = {STEEL, .n_curves = 1, .curve = straight, .hardening = SW_MATTER_HARDENS_KINEMATIC};
    double across = 0;
    history h;
    begin(&h, &steel);
    for (int loop = 0; loop < 3; loop++) { /* it closes at once */
        CHECK_CLOSE(pull(&h, 0.004, &across), (150 + 40) / 1.05, 1e-7);
        accept(&h);
        CHECK_CLOSE(pull(&h, -0.004, &across), -(150 + 40) / 1.05, 1e-7);
        accept(&h);
    }
    CHECK_CLOSE(h.old[0], (0.004 - 190 / 1.05 / 200e3) * 11, 1e-12);
}

/* Two increments to one strain give what one gives, corners of tables between them or not. */
static void test_combined_tables(void **state)
{
    (void)state;
    sw_matter_curve cyclic[1] = {{.n_rows = 2, .row = (double[2][2]){{0, 250}, {0.02, 290}}}};
    sw_matter steel = {STEEL,         .n_curves = 1,    .curve = hard,
                       .n_cyclic = 1, .cyclic = cyclic, .hardening = SW_MATTER_HARDENS_COMBINED};
    double across = 0;
    history h;
    begin(&h, &steel);
    /* stress = 250 + 2000 p + 10 000 p to p = 0.01, then 370 + (2000 + 2500) (p - 0.01) */
    CHECK_CLOSE(pull(&h, 0.015, &across), on_piece(0.015, 0.01, 370, 4500), 1e-7);
    accept(&h);
    const double p = h.old[0], back = 100 + 2500 * (p - 0.01);
    /* on the way back: -(250 + 2000 p) + back - 2500 more */
    const double stress = pull(&h, 0.009, &across);
    const double more = h.new_state[0] - p;
    CHECK_CLOSE(stress, back - 2500 * more - (250 + 2000 * (p + more)), 1e-7);
    CHECK_CLOSE(stress, 200e3 * (0.009 - (p - more)), 1e-6);
}

/* One backstress that saturates: stress = s0 + Q (1 - exp(-b p)) + C / gamma (1 - exp(-gamma p)). The return is backward
 * Euler's: of first order. */
static void test_backstress(void **state)
{
    (void)state;
    sw_matter steel = {STEEL,
                       .n_curves = 1,
                       .curve = hard,
                       .backstress = ROW(4, 40e3, 400, 5e3, 0),
                       .saturation = ROW(3, 200, 60, 12),
                       .hardening = SW_MATTER_HARDENS_COMBINED};
    double error[2];
    for (int k = 0; k < 2; k++) {
        const int steps = 200 << k;
        double across = 0, stress = 0;
        history h;
        begin(&h, &steel);
        assert_false(sw_matter_symmetric(&steel));
        for (int i = 1; i <= steps; i++) {
            stress = pull(&h, 0.01 * i / steps, &across);
            accept(&h);
        }
        const double p = h.old[0];
        CHECK_CLOSE(stress, 200e3 * (0.01 - p), 1e-6);
        error[k] = stress - (200 + 60 * (1 - exp(-12 * p)) + 100 * (1 - exp(-400 * p)) + 5e3 * p);
    }
    CHECK_CLOSE(error[1], 0, 0.1);
    CHECK_CLOSE(error[0] / error[1], 2, 0.1);
}

/* ---- Creep ---- */

static sw_matter norton(double m, int hardening)
{
    sw_matter made = {STEEL, .strain_hardening = hardening};
    static double kept[8][3];
    static int n;
    double *row = kept[n++ % 8];
    row[0] = 2e-13, row[1] = 4, row[2] = m;
    made.creep = (sw_matter_table){1, 3, no_temperature, row};
    return made;
}

/* Relaxation at a held strain: q^(1-n) = q0^(1-n) + (n - 1) E A t^(m+1) / (m + 1). Of first order in the increment. */
static void test_relaxation(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            const double m = kind ? 0.5 : 0;
            sw_matter steel = norton(m, 0);
            const int steps = 400 << k;
            double across = -0.0003, stress = 200;
            history h;
            begin(&h, &steel);
            for (int i = 0; i <= steps; i++) {
                h.point.dt = i == 0 ? 0 : 1.0 / steps;
                h.point.time = (double)i / steps;
                stress = pull(&h, 0.001, &across);
                if (i == 0)
                    CHECK_CLOSE(stress, 200, 1e-9);
                accept(&h);
            }
            error[k] = stress - pow(pow(200, -3) + 3 * 200e3 * 2e-13 / (m + 1), -1.0 / 3);
        }
        CHECK_CLOSE(error[1], 0, 0.2);
        CHECK_CLOSE(2 * error[1] - error[0], 0, 0.005);
        CHECK_CLOSE(error[0] / error[1], 2, 0.1);
    }
}

/* Held stress: A q^n t^(m+1) / (m + 1) in increments of any size, by time and by strain hardening. */
static void test_creep_at_constant_stress(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const double m = kind & 1 ? -0.6 : 0.3;
        sw_matter steel = norton(m, kind >> 1);
        history h;
        double strain = 0.0005, across = 0;
        begin(&h, &steel);
        for (int i = 1; i < 5; i++) {
            h.point.time = i * i * 100;
            h.point.dt = (2 * i - 1) * 100;
            for (int step = 0; step < 60; step++) { /* secant's: the strain that has 100 */
                const double a = pull(&h, strain, &across), b = pull(&h, strain + 1e-8, &across);
                strain -= (a - 100) * 1e-8 / (b - a);
            }
            pull(&h, strain, &across);
            accept(&h);
            const double want = 2e-13 * 1e8 * pow(h.point.time, m + 1) / (m + 1);
            CHECK_CLOSE(h.old[7] / want, 1, 1e-7);
            CHECK_CLOSE(strain, 0.0005 + want, 1e-7 * want);
        }
    }
}

/* Beside plasticity creep has all of q, with overstress what exceeds the surface; neither has a say without time. */
static void test_creep_and_plasticity(void **state)
{
    (void)state;
    for (int over = 0; over < 2; over++) {
        sw_matter steel = {STEEL, .n_curves = 1, .curve = straight, .creep = ROW(3, 1e-12, 4, 0),
                           .overstress = over};
        double across = 0;
        history h;
        begin(&h, &steel);
        CHECK_CLOSE(pull(&h, 0.004, &across), 190 / 1.05, 1e-7);
        h.point.dt = h.point.time = 1;
        const double stress = pull(&h, 0.004, &across), p = h.new_state[0], c = h.new_state[7];
        CHECK_CLOSE(stress, 200e3 * (0.004 - p - c), 1e-7);
        if (over)
            CHECK_CLOSE(p, 1e-12 * pow(stress - 150 - 10e3 * p, 4), 1e-12);
        else {
            CHECK_CLOSE(stress, 150 + 10e3 * p, 1e-7);
            CHECK_CLOSE(c, 1e-12 * pow(stress, 4), 1e-12);
        }
        assert_true(over || c > 0);
    }
}

/* ---- Heat ---- */

static void test_thermal_strain(void **state)
{
    (void)state;
    const sw_matter_table expansion = {2, 1, (double[]){0, 400}, (double[]){1.2e-5, 1.6e-5}};
    for (int finite = 0; finite < 2; finite++) {
        sw_matter steel = {STEEL, .expansion_columns = 1, .expansion = expansion, .zero = 20};
        history h;
        begin(&h, &steel);
        h.point.finite = finite;
        h.point.temperature_initial = h.point.temperature_before = 50;
        h.point.temperature = 300;
        const double e = 1.5e-5 * 280 - 1.25e-5 * 30, held = finite ? e - e * e / 2 : e; /* of 1 - e */
        CHECK_OK(try_point(&h));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(h.answer.stress[i], i < 3 ? -500e3 * held : 0, 1e-8);
    }
}

/* A free body is 1 + e as long, whatever the law. */
static void test_free_expansion(void **state)
{
    (void)state;
    const sw_matter_table expansion = {1, 1, (double[]){0}, (double[]){1e-4}};
    sw_matter materials[] = {{STEEL},
                             {STEEL, .n_curves = 1, .curve = hard},
                             {.name = (char *)"RUBBER", .order = 1, .hyper = ROW(3, 1, 0.3, 0.1)},
                             {.name = (char *)"BENT", .deformation = ROW(5, 190e3, 0.34, 900, 12, 0.45)}};
    for (int k = 0; k < 8; k++) {
        sw_matter *matter = &materials[k / 2];
        matter->expansion_columns = 1;
        matter->expansion = expansion;
        history h;
        begin(&h, matter);
        h.point.finite = k % 2;
        h.point.temperature = 1000;
        set_strain(&h, (double[6]){0.1, 0.1, 0.1});
        CHECK_OK(try_point(&h));
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(h.answer.stress[i], 0, 1e-8);
    }
}

/* Shears of anisotropic expansion are the tensor's. */
static void test_anisotropic_expansion(void **state)
{
    (void)state;
    sw_matter steel = {STEEL, .expansion_columns = 6,
                       .expansion = ROW(6, 1e-5, 2e-5, 3e-5, 4e-6, 5e-6, 6e-6)};
    const double free[6] = {1e-3, 2e-3, 3e-3, 12e-4, 10e-4, 8e-4};
    history h;
    begin(&h, &steel);
    h.point.temperature = 100;
    set_strain(&h, free);
    CHECK_OK(try_point(&h));
    for (int i = 0; i < 6; i++)
        CHECK_CLOSE(h.answer.stress[i], 0, 1e-8);
}

/* ---- Plane and uniaxial stress ---- */

static void test_plane_stress(void **state)
{
    (void)state;
    sw_matter steel = {STEEL};
    history h;
    begin(&h, &steel);
    h.point.plane_stress = 1;
    h.gradient[0][0] = 1.001;
    h.gradient[1][1] = 1.0005;
    CHECK_OK(try_point(&h));
    const double factor = 200e3 / 0.91;
    CHECK_CLOSE(h.answer.stress[0], factor * (0.001 + 0.3 * 0.0005), 1e-9);
    CHECK_CLOSE(h.answer.stress[1], factor * (0.0005 + 0.3 * 0.001), 1e-9);
    assert_true(h.answer.stress[2] == 0);
    CHECK_CLOSE(h.answer.tangent[0][0], factor, 1e-6);
    CHECK_CLOSE(h.answer.tangent[0][1], 0.3 * factor, 1e-6);
    CHECK_CLOSE(h.answer.tangent[5][5], 200e3 / 2.6, 1e-6);
    CHECK_CLOSE(h.answer.strain[2], -0.3 / 0.7 * 0.0015, 1e-15);
    CHECK_CLOSE(h.gradient[2][2], 1 - 0.3 / 0.7 * 0.0015, 1e-15);
}

/* Strains keep their digits however small they are: Hooke's law in space, of plane and of uniaxial stress. */
static void test_tiny_strains(void **state)
{
    (void)state;
    sw_matter steel = {STEEL};
    const double size[] = {1e-9, 3e-16, 1e-40};
    for (int k = 0; k < 9; k++) {
        const double e = size[k % 3], shear = 200e3 / 2.6,
                     want[3] = {200e3 * e / 1.3 * (1 + 0.3 / 0.4), 200e3 * e / 0.91, 200e3 * e};
        history h;
        begin(&h, &steel);
        h.point.plane_stress = k / 3;
        h.point.h[0][0] = e;
        h.point.h[0][1] = 2 * e;
        CHECK_OK(sw_matter_respond(h.matter, &h.point, h.old, h.new_state, &h.answer));
        CHECK_CLOSE(h.answer.stress[0], want[k / 3], 1e-12 * want[k / 3]);
        CHECK_CLOSE(h.answer.stress[5], 2 * e * shear, 1e-12 * e * shear);
        CHECK_CLOSE(h.answer.strain[0], e, 0);
        if (k / 3 > 0)
            CHECK_CLOSE(h.answer.strain[2], k / 3 == 1 ? -0.3 / 0.7 * e : -0.3 * e, 1e-12 * e);
    }
}

static void test_uniaxial_stress(void **state)
{
    (void)state;
    sw_matter steel = {STEEL, .n_curves = 1, .curve = hard};
    for (int finite = 0; finite < 2; finite++) {
        history h;
        begin(&h, &steel);
        h.point.finite = finite;
        h.point.plane_stress = 2;
        h.gradient[0][0] = finite ? exp(0.03) : 1.03;
        CHECK_OK(try_point(&h));
        double cauchy[6];
        memcpy(cauchy, h.answer.stress, sizeof cauchy);
        if (finite)
            sw_matter_push_forward((const double(*)[3])h.gradient, h.answer.stress, cauchy);
        CHECK_CLOSE(cauchy[0], on_piece(0.03, 0.01, 350, 2500), 1e-7); /* true stress by logarithmic strain */
        CHECK_CLOSE(h.answer.tangent[1][1], 0, 0);
        if (!finite)
            CHECK_CLOSE(h.answer.tangent[0][0], 2500 / (1 + 2500 / 200e3), 1e-6);
    }
}

/* ---- Nonlinear elasticity ---- */

/* Uniaxial stress: E e = s + a (s / s0)^(n - 1) s, there and back. */
static void test_ramberg_osgood(void **state)
{
    (void)state;
    sw_matter matter = {.name = (char *)"STEEL", .deformation = ROW(5, 190e3, 0.34, 900, 12, 0.45)};
    history h;
    begin(&h, &matter);
    h.point.plane_stress = 2;
    for (int k = -20; k <= 20; k++) {
        const double want = 60 * k;
        h.gradient[0][0] = 1 + (want + 0.45 * pow(fabs(want) / 900, 11) * want) / 190e3;
        CHECK_OK(try_point(&h));
        CHECK_CLOSE(h.answer.stress[0], want, 1e-7);
        CHECK_CLOSE(1 / h.answer.tangent[0][0], (1 + 12 * 0.45 * pow(fabs(want) / 900, 11)) / 190e3, 1e-13);
    }
}

/* Neo-Hooke's pulled: nearly without change of volume, stress = 2 C10 (l^2 - 1 / l). */
static void test_rubber_in_tension(void **state)
{
    (void)state;
    sw_matter matter = {.name = (char *)"STEEL",
                        .rubber = SW_MATTER_REDUCED_POLYNOMIAL,
                        .order = 1,
                        .hyper = ROW(2, 0.5, 1e-7)};
    history h;
    begin(&h, &matter);
    h.point.finite = 1;
    h.point.plane_stress = 2;
    for (double l = 0.5; l < 3; l += 0.25) {
        double cauchy[6];
        h.gradient[0][0] = l;
        CHECK_OK(try_point(&h));
        sw_matter_push_forward((const double(*)[3])h.gradient, h.answer.stress, cauchy);
        CHECK_CLOSE(cauchy[0], l * l - 1 / l, 1e-5);
        accept(&h);
    }
}

static void test_young(void **state)
{
    (void)state;
    const sw_matter steel = {STEEL}, bent = {.deformation = ROW(5, 190e3, 0.34, 900, 12, 0.45)},
                    user = {.n_constants = 1},
                    rubber = {.rubber = SW_MATTER_REDUCED_POLYNOMIAL, .order = 1, .hyper = ROW(2, 0.5, 0.1)};
    CHECK_CLOSE(sw_matter_young(&steel, 0), 200e3, 1e-6);
    CHECK_CLOSE(sw_matter_young(&bent, 0), 190e3, 1e-6);
    CHECK_CLOSE(sw_matter_young(&rubber, 0), 9.0 * 20 * 1 / (3 * 20 + 1), 1e-12); /* 9 K G / (3 K + G) */
    CHECK_CLOSE(sw_matter_young(&user, 0), 0, 0);
}

/* ---- What is refused ---- */

static void refuse(sw_matter matter, const char *message)
{
    matter.line = 7;
    assert_int_equal(sw_matter_prepare(&matter, "a.inp"), SW_ERR_INPUT);
    assert_message_has("a.inp:7: material STEEL: ");
    assert_message_has(message);
}

static void test_refused(void **state)
{
    (void)state;
    sw_matter_curve falls[1] = {{.n_rows = 2, .row = (double[2][2]){{0, 150}, {0.1, -1}}}},
                    late[1] = {{.n_rows = 1, .row = (double[1][2]){{0.1, 150}}}},
                    back[1] = {{.n_rows = 3, .row = (double[3][2]){{0, 1}, {0.1, 2}, {0.1, 3}}}};
    refuse((sw_matter){.name = (char *)"STEEL"}, "no elasticity");
    refuse((sw_matter){ISOTROPIC, .elastic = ROW(2, -1, 0.3)}, "Young's modulus -1: need > 0");
    refuse((sw_matter){ISOTROPIC, .elastic = ROW(2, 1, 0.5)}, "Poisson's ratio 0.5: need > -1 and < 0.5");
    refuse((sw_matter){ISOTROPIC, .elastic = ROW(2, 1, NAN)}, "nan");
    refuse((sw_matter){.name = (char *)"STEEL",
                       .elasticity = SW_MATTER_ORTHOTROPIC,
                       .elastic = ROW(9, 100, 120, 100, 0, 0, 100, 30, 30, 30)},
           "not positive definite");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = falls}, "stress -1: need > 0");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = late}, "first plastic strain 0.1: need 0");
    refuse((sw_matter){STEEL, .n_curves = 1, .curve = back}, "plastic strain 0.1 after 0.1");
    refuse((sw_matter){STEEL, .creep = ROW(3, 1e-9, 4, -1)}, "m -1: need");
    refuse(
        (sw_matter){STEEL, .expansion = {2, 1, (double[]){5, 5}, (double[]){1, 1}}, .expansion_columns = 1},
        "temperature 5 after 5");
    refuse(
        (sw_matter){.name = (char *)"STEEL", .order = 1, .hyper = ROW(2, 1, 0.1), .rubber = SW_MATTER_OGDEN},
        "order 1 has 2 constants: need 3");
    refuse((sw_matter){.name = (char *)"STEEL",
                       .order = 1,
                       .hyper = ROW(2, -1, 0.1),
                       .rubber = SW_MATTER_REDUCED_POLYNOMIAL},
           "not stiff at small strains");
    refuse((sw_matter){.name = (char *)"STEEL", .deformation = ROW(5, 1, 0.3, 0, 12, 0.45)}, "stress 0");
    refuse((sw_matter){STEEL, .n_constants = 1, .constant = (double[]){1}}, "shared library");
}

/* What flows with isotropic hardening is the law of hexahedra's fast family, too: stress, plastic strain and tangent along a
 * random path. */
static void flow_is_that_of_the_fast_family(void **state)
{
    static double rows[3][2] = {{0, 250}, {0.02, 300}, {0.1, 350}};
    static sw_matter_curve curve = {0, 3, rows};
    sw_matter matter = {STEEL, .n_curves = 1, .curve = &curve};
    sw_fem_material other = {.young = 200e3, .poisson = 0.3, .yield_stress = 250, .n_rows = 3};
    sw_fem_point old = {{{0}}, 0}, next;
    double strain[6] = {0}, stress[6];
    uint64_t seed = 11;
    int flows = 0;
    history h;
    (void)state;
    other.hardening = sw_fem_hardening_law("table");
    memcpy(other.row, rows, sizeof rows);
    begin(&h, &matter);
    for (int step = 0; step < 40; step++) {
        sw_fem_tangent tangent;
        for (int i = 0; i < 6; i++)
            strain[i] += 2e-3 * number(&seed);
        set_strain(&h, strain);
        CHECK_OK(try_point(&h));
        flows += sw_fem_radial_return(&other, strain, &old, stress, &next, &tangent);
        for (int i = 0; i < 6; i++) { /* both end where a residual is 4e-16 to 1e-13 of the trial's 1e3 */
            CHECK_CLOSE(h.answer.stress[i], stress[i], 1e-9);
            sw_fem_stiffness at = {
                .bulk = sw_fem_bulk(&other), .shear = sw_fem_shear(&other), .ratio = tangent.ratio};
            double unit[6] = {0}, column[6];
            unit[i] = 1;
            memcpy(at.flow, tangent.flow, sizeof at.flow);
            sw_fem_stiffness_apply(&at, unit, column);
            for (int j = 0; j < 6; j++)
                CHECK_CLOSE(h.answer.tangent[j][i], column[j], 3e-5); /* 1e-10 of the stiffness */
        }
        CHECK_CLOSE(h.new_state[0], next.equivalent, 1e-14);
        accept(&h);
        old = next;
    }
    assert_true(flows > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_is_that_of_the_fast_family),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_table_in_tension),
        cmocka_unit_test(test_curves_over_temperature),
        cmocka_unit_test(test_kinematic_loop),
        cmocka_unit_test(test_combined_tables),
        cmocka_unit_test(test_backstress),
        cmocka_unit_test(test_relaxation),
        cmocka_unit_test(test_creep_at_constant_stress),
        cmocka_unit_test(test_creep_and_plasticity),
        cmocka_unit_test(test_thermal_strain),
        cmocka_unit_test(test_free_expansion),
        cmocka_unit_test(test_anisotropic_expansion),
        cmocka_unit_test(test_plane_stress),
        cmocka_unit_test(test_tiny_strains),
        cmocka_unit_test(test_uniaxial_stress),
        cmocka_unit_test(test_ramberg_osgood),
        cmocka_unit_test(test_rubber_in_tension),
        cmocka_unit_test(test_young),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
