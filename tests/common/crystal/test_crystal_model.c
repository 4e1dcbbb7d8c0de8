/* The iterative model: elasticity, slip, hardening, invariances, convergence. */
#include "tests/test.h"

#include <omp.h>

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/crystal_model.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"

enum { N = 64 };

static const double plane_strain[1][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}}};

static void random_crystals(uint64_t seed, int n, double s, sw_crystal_state *crystal)
{
    for (int i = 0; i < n; i++) {
        double euler[3], g[3][3];
        sw_random_orientation(seed, (uint64_t)i, euler);
        sw_rotation_from_euler(euler, g);
        crystal[i] = sw_crystal_state_initial(g, s);
    }
}

/* Random trace-free velocity gradients of rate 1e-3 1/s, with spin. */
static void random_gradients(uint64_t seed, int n, double (*l)[3][3])
{
    for (int i = 0; i < n; i++) {
        double u[8];
        sw_random_uniform4(seed, (uint64_t)i, 0, u);
        sw_random_uniform4(seed, (uint64_t)i, 1, u + 4);
        for (int k = 0; k < 8; k++)
            l[i][k / 3][k % 3] = u[k] - 0.5;
        l[i][2][2] = -l[i][0][0] - l[i][1][1];
        const double rate = sw_strain_rate_of((const double(*)[3])l[i]).rate;
        for (int k = 0; k < 9; k++)
            l[i][k / 3][k % 3] *= 1e-3 / rate;
    }
}

static sw_material without_hardening(double rate_sensitivity)
{
    sw_material material = copper();
    material.hardening.voce.initial_hardening_rate = 0;
    material.slip.rate_sensitivity = rate_sensitivity;
    return material;
}

static void integrate(const sw_material *material, int n, const double (*l)[3][3], int shared, double strain,
                      sw_crystal_state *crystal)
{
    const sw_integration_control control = sw_integration_endpoint();
    CHECK_OK(sw_integrate(material, &control, n, l, shared, 0, strain, crystal, NULL, NULL, NULL));
}

/* Strain too small to slip: sigma = C : eps of a cubic crystal, to the first order in the strain (1e-5). */
static void small_strains_are_elastic(void **state)
{
    (void)state;
    const sw_material material = copper();
    const double c11 = material.elasticity.c11, c12 = material.elasticity.c12, c44 = material.elasticity.c44;
    double g[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double tension[1][3][3] = {{{1e-3, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    const double shear[1][3][3] = {{{0, 2e-3, 0}, {0, 0, 0}, {0, 0, 0}}};
    sw_crystal_state a = sw_crystal_state_initial(g, 16e6), b = a;
    integrate(&material, 1, tension, 1, 1e-5, &a);
    integrate(&material, 1, shear, 1, 1e-5 * sqrt(2), &b);
    const sw_crystal_output ta = sw_crystal_state_output(&a), tb = sw_crystal_state_output(&b);
    CHECK_CLOSE(ta.cauchy_stress[0][0], c11 * 1e-5, 3e-5 * c11 * 1e-5);
    CHECK_CLOSE(ta.cauchy_stress[1][1], c12 * 1e-5, 3e-5 * c11 * 1e-5);
    CHECK_CLOSE(tb.cauchy_stress[0][1], c44 * 2e-5, 5e-5 * c44 * 2e-5);
}

/* A cube crystal pulled along [001]: eight systems slip alike with Schmid factor 1/sqrt(6), so
 * sigma = sqrt(6) s (G / 8 v0)^m and G = sqrt(6) eps. Elastic strains leave 1e-3. */
static void cube_in_tension_is_known(void **state)
{
    (void)state;
    const sw_material material = without_hardening(0.012);
    double g[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double l[1][3][3] = {{{-5e-4, 0, 0}, {0, -5e-4, 0}, {0, 0, 1e-3}}};
    sw_crystal_state crystal = sw_crystal_state_initial(g, 16e6);
    integrate(&material, 1, l, 1, 0.02, &crystal);
    const sw_crystal_output o = sw_crystal_state_output(&crystal);
    CHECK_CLOSE(crystal.slip_rate, sqrt(6) * 1e-3, 1e-3 * sqrt(6) * 1e-3);
    const double sigma = sqrt(6) * 16e6 * pow(sqrt(6) / 8, 0.012);
    CHECK_CLOSE(o.cauchy_stress[2][2] - o.cauchy_stress[0][0], sigma, 1e-3 * sigma);
}

/* The Voce law in closed form against its differential equation by the classical Runge-Kutta method. */
static void hardening_is_the_integral_of_its_rate(void **state)
{
    (void)state;
    const double exponents[] = {1, 1 + 1e-15, 1 + 1e-6, 1.5, 2.25, 4};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        sw_material material = copper();
        sw_crystal_model model;
        material.hardening.voce.exponent = exponents[e];
        sw_crystal_model_prepare(&material, &model);
        double s = 16e6, slip = 0;
        for (int step = 1; step <= 4000; step++) {
            const double d = 1e-3, h0 = 180e6, ss = 148e6, a = exponents[e];
            const double k1 = h0 * pow(1 - s / ss, a), k2 = h0 * pow(1 - (s + 0.5 * d * k1) / ss, a);
            const double k3 = h0 * pow(1 - (s + 0.5 * d * k2) / ss, a),
                         k4 = h0 * pow(1 - (s + d * k3) / ss, a);
            s += d * (k1 + 2 * k2 + 2 * k3 + k4) / 6;
            slip += d;
            if (step % 400 == 0)
                CHECK_CLOSE(sw_harden(&model.hardening, 16e6, slip), s,
                            3e-6 * (e == 1 || e == 2) * s +
                                1e-12 * s); /* (h d/s_s)^4 = 2e-12 of a step; a - 1 is 0 below 1e-6 */
        }
        assert_true(sw_harden(&model.hardening, 148e6, 1.0) == 148e6);
        assert_true(sw_harden(&model.hardening, 160e6, 1.0) == 160e6);
        assert_true(sw_harden(&model.hardening, 100e6, 1e6) <= 148e6);
        CHECK_CLOSE(sw_harden(&model.hardening, 16e6, 0), 16e6, 1e-14 * 148e6);
    }
}

/* Plastic flow follows D up to the elastic strain rate, and the stress does the work that slip dissipates. */
static void flow_follows_the_strain_rate(void **state)
{
    (void)state;
    const sw_material material = without_hardening(0.02);
    sw_crystal_state crystal[N];
    double l[N][3][3];
    random_crystals(1, N, 16e6, crystal);
    random_gradients(1, N, l);
    integrate(&material, N, (const double(*)[3][3])l, 0, 0.02, crystal);
    for (int n = 0; n < N; n++) {
        const sw_crystal_output o = sw_crystal_state_output(&crystal[n]);
        double power = 0, plastic = 0;
        CHECK_CLOSE(o.plastic_gradient[0][0] + o.plastic_gradient[1][1] + o.plastic_gradient[2][2], 0,
                    1e-9 * 1e-3);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                assert_true(fabs(o.cauchy_stress[i][j] - o.cauchy_stress[j][i]) <= 1e-9 * 16e6);
                power += o.cauchy_stress[i][j] * l[n][i][j];
                plastic += o.cauchy_stress[i][j] * o.plastic_gradient[i][j];
            }
        /* the stress of a crystal whose lattice turns still changes: some per cent of the power is elastic */
        CHECK_CLOSE(plastic / power, 1, 0.03);
    }
}

/* sigma(a D) = a^m sigma(D) without hardening, of crystals a hundred times stiffer than copper, so that
 * elastic strains are 1e-5. The slip rate hardly notices them: 1e-3 for every crystal. The stress does where
 * it is on its way between corners of the yield surface, which one crystal in a hundred is: the mean over
 * crystals is checked. */
static void stress_scales_with_the_rate(void **state)
{
    (void)state;
    const double factor = 100;
    sw_material material = without_hardening(0.05);
    material.elasticity.c11 *= 100;
    material.elasticity.c12 *= 100;
    material.elasticity.c44 *= 100;
    sw_crystal_state slow[N], fast[N];
    double l[N][3][3], fast_l[N][3][3], mean = 0;
    random_crystals(2, N, 16e6, slow);
    random_crystals(2, N, 16e6, fast);
    random_gradients(2, N, l);
    for (int k = 0; k < 9 * N; k++)
        fast_l[k / 9][k / 3 % 3][k % 3] = factor * l[k / 9][k / 3 % 3][k % 3];
    integrate(&material, N, (const double(*)[3][3])l, 0, 0.02, slow);
    integrate(&material, N, (const double(*)[3][3])fast_l, 0, 0.02, fast);
    for (int n = 0; n < N; n++) {
        const sw_crystal_output a = sw_crystal_state_output(&slow[n]), b = sw_crystal_state_output(&fast[n]);
        double difference = 0, size = 0;
        for (int k = 0; k < 9; k++) {
            const double expected = pow(factor, 0.05) * a.cauchy_stress[k / 3][k % 3];
            difference += pow(b.cauchy_stress[k / 3][k % 3] - expected, 2);
            size += expected * expected;
        }
        mean += sqrt(difference / size) / N;
        CHECK_CLOSE(fast[n].slip_rate / slow[n].slip_rate / factor, 1, 1e-3);
    }
    CHECK_CLOSE(mean, 0, 2e-3);
}

/* g C for every cubic rotation C: the same response. Only round-off differs (amplified by 1/m = 83 in slip
 * rates, and by the tolerance of the inner solve, whose error after a last correction below 1e-6 s0 is
 * (83e-6)^2). */
static void response_has_the_crystals_symmetry(void **state)
{
    (void)state;
    const sw_material material = copper();
    sw_crystal_state crystal[24];
    double g[3][3], gc[3][3];
    const double euler[3] = {0.7, 1.1, 0.4};
    int count = 0;
    sw_rotation_from_euler(euler, g);
    for (int permutation = 0; permutation < 6; permutation++)
        for (int signs = 0; signs < 8; signs++) {
            static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
            double c[3][3] = {{0}};
            for (int i = 0; i < 3; i++)
                c[i][order[permutation][i]] = (signs >> i) & 1 ? -1 : 1;
            if (sw_determinant(c) < 0)
                continue;
            sw_multiply(g, c, gc);
            crystal[count++] = sw_crystal_state_initial(gc, 16e6);
        }
    assert_int_equal(count, 24);
    integrate(&material, 24, plane_strain, 1, 0.02, crystal);
    const sw_crystal_output first = sw_crystal_state_output(&crystal[0]);
    for (int n = 1; n < 24; n++) {
        const sw_crystal_output o = sw_crystal_state_output(&crystal[n]);
        CHECK_CLOSE(crystal[n].slip_rate / crystal[0].slip_rate, 1, 1e-6);
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(o.cauchy_stress[k / 3][k % 3], first.cauchy_stress[k / 3][k % 3], 1e-6 * 50e6);
    }
}

/* Rotate the problem, get the rotated answer. */
static void response_is_objective(void **state)
{
    (void)state;
    const sw_material material = copper();
    sw_crystal_state crystal[N], turned[N];
    double l[N][3][3], turned_l[N][3][3], r[3][3], g[3][3];
    const double angles[3] = {2.1, 0.8, 5.0};
    sw_rotation_from_euler(angles, r);
    random_crystals(3, N, 16e6, crystal);
    random_gradients(3, N, l);
    for (int n = 0; n < N; n++) {
        sw_multiply(r, crystal[n].elastic_deformation, g);
        turned[n] = sw_crystal_state_initial(g, 16e6);
        sw_rotate_tensor(r, l[n], turned_l[n]);
    }
    integrate(&material, N, (const double(*)[3][3])l, 0, 0.05, crystal);
    integrate(&material, N, (const double(*)[3][3])turned_l, 0, 0.05, turned);
    for (int n = 0; n < N; n++) {
        sw_crystal_output a = sw_crystal_state_output(&crystal[n]), b = sw_crystal_state_output(&turned[n]);
        double expected[3][3];
        sw_rotate_tensor(r, a.cauchy_stress, expected);
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(b.cauchy_stress[k / 3][k % 3], expected[k / 3][k % 3], 1e-6 * 50e6);
        sw_rotate_tensor(r, a.plastic_gradient, expected);
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(b.plastic_gradient[k / 3][k % 3], expected[k / 3][k % 3], 1e-6 * 1e-3);
    }
}

/* The same bits alone, among others, and with one thread or many. */
static void neighbours_and_threads_change_nothing(void **state)
{
    (void)state;
    const sw_material material = copper();
    const int threads = omp_get_max_threads();
    sw_crystal_state together[N], alone[N];
    double l[N][3][3];
    random_crystals(4, N, 16e6, together);
    random_crystals(4, N, 16e6, alone);
    random_gradients(4, N, l);
    omp_set_num_threads(3);
    integrate(&material, N, (const double(*)[3][3])l, 0, 0.02, together);
    omp_set_num_threads(1);
    for (int n = 0; n < N; n++)
        integrate(&material, 1, (const double(*)[3][3])l[n], 0, 0.02, &alone[n]);
    omp_set_num_threads(threads);
    assert_memory_equal(together, alone, sizeof together);
}

/* The vector code against the same source compiled for plain doubles: another pow, no lanes. */
static void lanes_agree_with_the_scalar_model(void **state)
{
    (void)state;
    const sw_material material = copper();
    sw_crystal_model model;
    sw_crystal_model_prepare(&material, &model);
    sw_crystal_state crystal[16];
    double l[16][3][3];
    random_crystals(5, 16, 16e6, crystal);
    random_gradients(5, 16, l);
    sw_integration_control control = sw_integration_history();
    control.strain_step = control.first_strain_step = 2e-4;
    control.growth = 1e9;
    const sw_step_control step = {control.stress_tolerance, control.slip_increment_limit,
                                  control.iterations_max};
    for (int n = 0; n < 16; n++) {
        sw_crystal_bundle scalar;
        int64_t iterations = 0;
        memcpy(&scalar, &crystal[n], sizeof scalar);
        for (int k = 0; k < 50; k++)
            assert_true(sw_crystal_step(&model, &step, sw_if(1), l[n], 0.2, &scalar, NULL, &iterations));
        CHECK_OK(sw_integrate(&material, &control, 1, (const double(*)[3][3])l[n], 1, 0, 50 * 2e-4,
                              &crystal[n], NULL, NULL, NULL));
        CHECK_CLOSE(crystal[n].slip_rate / scalar.slip_rate, 1, 1e-9);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(crystal[n].stress[i], scalar.stress[i], 1e-9 * 50e6);
    }
}

/* G of every crystal within 0.1 % of steps ten times shorter, orientations and strain rates on symmetric
 * places of a grid included. */
static void end_point_is_converged_in_step_size(void **state)
{
    (void)state;
    enum { M = 512 };
    static sw_crystal_state crystal[M], fine[M];
    static double l[M][3][3];
    const sw_material material = copper();
    const sw_integration_control normal = sw_integration_endpoint();
    sw_integration_control shorter = normal;
    shorter.strain_step = shorter.first_strain_step = shorter.last_strain_step = normal.last_strain_step;
    for (int n = 0; n < M; n++) {
        double x[3], lambda[3], g[3][3], u[4];
        sw_random_orientation(6, (uint64_t)n, x);
        sw_random_uniform4(6, (uint64_t)n, 1, u);
        double theta = 2 * SW_PI * u[0];
        if (n % 2 == 0) {
            for (int i = 0; i < 3; i++)
                x[i] = SW_PI / 8 * nearbyint(x[i] / (SW_PI / 8));
            theta = SW_PI / 12 * nearbyint(theta / (SW_PI / 12));
        }
        sw_rotation_from_euler(x, g);
        sw_principal_values(theta, lambda);
        for (int i = 0; i < 3; i++)
            l[n][i][i] = 1e-3 * lambda[i];
        crystal[n] = fine[n] = sw_crystal_state_initial(g, 16e6);
    }
    CHECK_OK(
        sw_integrate(&material, &normal, M, (const double(*)[3][3])l, 0, 0, 0.02, crystal, NULL, NULL, NULL));
    CHECK_OK(
        sw_integrate(&material, &shorter, M, (const double(*)[3][3])l, 0, 0, 0.02, fine, NULL, NULL, NULL));
    for (int n = 0; n < M; n++)
        CHECK_CLOSE(crystal[n].slip_rate / fine[n].slip_rate, 1, 1e-3);
}

/* A history in pieces takes the steps of one in one piece. */
static void pieces_make_the_whole(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_integration_control control = sw_integration_history();
    sw_crystal_state whole[N], pieces[N];
    random_crystals(8, N, 16e6, whole);
    random_crystals(8, N, 16e6, pieces);
    CHECK_OK(sw_integrate(&material, &control, N, plane_strain, 1, 0, 0.1, whole, NULL, NULL, NULL));
    for (int k = 0; k < 5; k++)
        CHECK_OK(
            sw_integrate(&material, &control, N, plane_strain, 1, 0.02 * k, 0.02, pieces, NULL, NULL, NULL));
    for (int n = 0; n < N; n++)
        CHECK_CLOSE(pieces[n].slip_resistance / whole[n].slip_resistance, 1, 1e-4);
}

/* Steps that slip too much are halved until they do not. */
static void slip_limit_halves_steps(void **state)
{
    (void)state;
    const sw_material material = copper();
    sw_integration_control control = sw_integration_history();
    sw_crystal_state limited[N], free_of_it[N];
    sw_integration_statistics statistics = {0}, plain = {0};
    random_crystals(9, N, 16e6, limited);
    random_crystals(9, N, 16e6, free_of_it);
    CHECK_OK(sw_integrate(&material, &control, N, plane_strain, 1, 0, 0.02, free_of_it, NULL, NULL, &plain));
    control.slip_increment_limit = 3e-4;
    CHECK_OK(
        sw_integrate(&material, &control, N, plane_strain, 1, 0, 0.02, limited, NULL, NULL, &statistics));
    assert_true(plain.halvings == 0 && statistics.halvings > 0);
    for (int n = 0; n < N; n++) /* first order in steps of 1e-3 */
        CHECK_CLOSE(limited[n].slip_resistance / free_of_it[n].slip_resistance, 1, 5e-3);
    control.slip_increment_limit = 1e-9;
    control.halvings_max = 3;
    unsigned char failed[N] = {0};
    CHECK_OK(sw_integrate(&material, &control, N, plane_strain, 1, 0, 0.02, limited, NULL, failed, NULL));
    assert_true(failed[0] && failed[N - 1]);
    assert_int_equal(
        sw_integrate(&material, &control, N, plane_strain, 1, 0, 0.02, limited, NULL, NULL, NULL),
        SW_ERR_CONVERGENCE);
}

/* A change of path unloads and reloads: the model must converge through it. */
static void strain_path_may_change(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_integration_control control = sw_integration_history();
    const double back[1][3][3] = {{{-1e-3, 0, 0}, {0, 0, 0}, {0, 0, 1e-3}}};
    sw_crystal_state crystal[N];
    random_crystals(10, N, 16e6, crystal);
    CHECK_OK(sw_integrate(&material, &control, N, plane_strain, 1, 0, 0.1, crystal, NULL, NULL, NULL));
    CHECK_OK(sw_integrate(&material, &control, N, back, 1, 0, 0.1, crystal, NULL, NULL, NULL));
    double mean = 0;
    for (int n = 0; n < N; n++) {
        const sw_crystal_output o = sw_crystal_state_output(&crystal[n]);
        mean += (o.cauchy_stress[0][0] - o.cauchy_stress[2][2]) / N;
    }
    assert_true(mean < -100e6);
}

/* Spin fifty times the strain rate: steps follow it, and shorter ones change little. A strain that ends in a
 * sliver of a step, and one that is nothing but a sliver, are no trouble. */
static void spin_and_slivers_are_followed(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_integration_control control = sw_integration_history();
    sw_integration_control shorter = control;
    shorter.rotation_step *= 0.1;
    const double spinning[1][3][3] = {{{1e-3, 5e-2, 0}, {-5e-2, 0, 0}, {0, 0, -1e-3}}};
    sw_crystal_state crystal[N], fine[N];
    random_crystals(13, N, 16e6, crystal);
    random_crystals(13, N, 16e6, fine);
    CHECK_OK(sw_integrate(&material, &control, N, spinning, 1, 0, 0.02, crystal, NULL, NULL, NULL));
    CHECK_OK(sw_integrate(&material, &shorter, N, spinning, 1, 0, 0.02, fine, NULL, NULL, NULL));
    for (int n = 0; n < N; n++)
        CHECK_CLOSE(crystal[n].slip_resistance / fine[n].slip_resistance, 1, 5e-3);
    const double slivers[] = {1e-20, 1e-13, 1e-9, 0.01 + 1e-12};
    for (int i = 0; i < 4; i++) {
        sw_integration_statistics statistics = {0};
        CHECK_OK(sw_integrate(&material, &control, N, plane_strain, 1, 1, slivers[i], fine, NULL, NULL,
                              &statistics));
        assert_true(statistics.steps <= 11 * N);
    }
}

static void every_rate_and_sensitivity_converges(void **state)
{
    (void)state;
    const double rates[] = {1e-8, 1e-3, 1, 1e5}, sensitivities[] = {0.005, 0.02, 0.1, 1};
    for (size_t r = 0; r < 4; r++)
        for (size_t m = 0; m < 4; m++) {
            sw_material material = copper();
            const sw_integration_control control = sw_integration_history();
            sw_crystal_state crystal[N];
            double l[1][3][3] = {{{rates[r], 0, 0}, {0, 0, 0}, {0, 0, -rates[r]}}};
            material.slip.rate_sensitivity = sensitivities[m];
            /* m = 1 at 1e5 1/s means stresses of 1e8 s: keep it below the elastic constants */
            if (sensitivities[m] == 1 && rates[r] > 1e-2)
                continue;
            random_crystals(11, N, 16e6, crystal);
            CHECK_OK(sw_integrate(&material, &control, N, (const double(*)[3][3])l, 1, 0, 0.05, crystal, NULL,
                                  NULL, NULL));
        }
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_integration_control control = sw_integration_history();
    sw_crystal_state crystal[1];
    random_crystals(12, 1, 16e6, crystal);
    const double none[1][3][3] = {{{0}}}, nan[1][3][3] = {{{NAN, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    assert_int_equal(sw_integrate(&material, &control, 1, none, 1, 0, 0.02, crystal, NULL, NULL, NULL),
                     SW_ERR_RANGE);
    assert_int_equal(sw_integrate(&material, &control, 1, nan, 1, 0, 0.02, crystal, NULL, NULL, NULL),
                     SW_ERR_RANGE);
    assert_int_equal(sw_integrate(&material, &control, 1, plane_strain, 1, 0, -1, crystal, NULL, NULL, NULL),
                     SW_ERR_RANGE);
    assert_int_equal(
        sw_integrate(&material, &control, 1, plane_strain, 1, 0, 4.6e18, crystal, NULL, NULL, NULL),
        SW_ERR_RANGE); /* of memory without end */
    CHECK_OK(sw_integrate(&material, &control, 0, plane_strain, 1, 0, 0.02, crystal, NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_strains_are_elastic),
        cmocka_unit_test(cube_in_tension_is_known),
        cmocka_unit_test(hardening_is_the_integral_of_its_rate),
        cmocka_unit_test(flow_follows_the_strain_rate),
        cmocka_unit_test(stress_scales_with_the_rate),
        cmocka_unit_test(response_has_the_crystals_symmetry),
        cmocka_unit_test(response_is_objective),
        cmocka_unit_test(neighbours_and_threads_change_nothing),
        cmocka_unit_test(lanes_agree_with_the_scalar_model),
        cmocka_unit_test(end_point_is_converged_in_step_size),
        cmocka_unit_test(pieces_make_the_whole),
        cmocka_unit_test(slip_limit_halves_steps),
        cmocka_unit_test(strain_path_may_change),
        cmocka_unit_test(spin_and_slivers_are_followed),
        cmocka_unit_test(every_rate_and_sensitivity_converges),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("crystal model", tests, NULL, NULL);
}
