/* The product with a lattice and a law more, each added by its file and its line (toys.h): read from a material file, stepped by
 * every solver, stored in a database, its textures written, aged. This test and the programs that it runs are built so. */
#include "tests/programs/programs.h"

#include "common/crystal/crystal_integrator.h"
#include "common/crystal/laws.h"
#include "common/crystal/material_file.h"
#include "common/crystal/yield_vertices.h"
#include "common/math/random.h"
#include "common/math/rotation.h"
#include "online/texture/orientation_histogram.h"
#include "online/texture/texture.h"
#include "slipwave/response.h"

static const char toy_text[] =
    "name: toy\n"
    "crystal_structure: toy\n"
    "c_over_a: 1.1\n"
    "elasticity: {C11: 160.0e9, C12: 90.0e9, C13: 80.0e9, C33: 180.0e9, C44: 60.0e9, C66: 50.0e9}\n"
    "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.05, initial_slip_resistance: 20.0e6}\n"
    "hardening: {law: toy, toy_rate: 50.0e6, toy_limit: 60.0e6}\n";

static sw_material toy(void)
{
    sw_material m;
    CHECK_OK(sw_material_parse("toy.yaml", toy_text, &m));
    return m;
}

/* ---- What the entries say ---- */

static void material_files_know_them(void **state)
{
    (void)state;
    const sw_material m = toy();
    const char *key;
    char text[2048];
    double value;
    sw_material again;
    assert_ptr_equal(sw_material_lattice(&m), &sw_lattice_toy);
    assert_int_equal(m.hardening.law, SW_LAW_toy);
    assert_int_equal(sw_material_law_number(&m, 1, &key, &value), 1);
    assert_string_equal(key, "toy_limit");
    CHECK_CLOSE(value, 60e6, 0);
    assert_int_equal(sw_material_law_number(&m, 2, &key, &value), 0);
    CHECK_OK(sw_material_write_text(&m, sizeof text, text));
    CHECK_OK(sw_material_parse("again", text, &again));
    assert_true(sw_material_hash(0, &m) == sw_material_hash(0, &again));
}

static void material_files_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"c_over_a: 1.1\n", "", "c_over_a is missing: crystal_structure = toy needs it"},
        {"C13: 80.0e9, ", "", "elasticity.C13 is missing: crystal_structure = toy needs it"},
        {"crystal_structure: toy", "crystal_structure: fcc", "has no place beside crystal_structure = fcc"},
        {"C13: 80.0e9", "C13: 150.0e9", "need (C11 + C12) C33 > 2 C13^2"},
        {"toy_limit: 60.0e6", "toy_limit: 10.0e6",
         "hardening.toy_limit = 1e+07: need more than slip.initial_slip_resistance"},
        {"toy_limit: 60.0e6", "toy_limit: 60.0e6, exponent: 2", "exponent has no place beside law = toy"},
        {"toy_rate: 50.0e6, ", "", "hardening.toy_rate is missing: law = toy needs it"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material m;
        char *text;
        size_t size;
        write_edited("bad.yaml", toy_text, cases[i].old, cases[i].new);
        text = read_bytes("bad.yaml", &size);
        assert_int_equal(sw_material_parse("bad.yaml", text, &m), SW_ERR_INPUT);
        assert_message_has(cases[i].message);
        free(text);
    }
}

/* In the crystal with c = 1.1 a: each system's direction lies in its plane; all the yield surface's corners are borne. */
static void systems_are_those_of_the_axes(void **state)
{
    (void)state;
    static double vertex[SW_YIELD_VERTICES_MAX][5];
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3];
    sw_slip_systems s;
    int vertices;
    CHECK_OK(sw_slip_systems_of(&sw_lattice_toy, 1.1, 0, NULL, &s));
    assert_int_equal(s.count, 10);
    for (int a = 0; a < s.count; a++) {
        const double *b = s.direction[a], *n = s.normal[a];
        CHECK_CLOSE(b[0] * n[0] + b[1] * n[1] + b[2] * n[2], 0, 1e-15);
        CHECK_CLOSE(b[0] * b[0] + b[1] * b[1] + b[2] * b[2], 1, 1e-15);
    }
    CHECK_CLOSE(fabs(s.normal[0][2] / (s.normal[0][0] + s.normal[0][1])), 1 / 1.1, 1e-15);
    CHECK_OK(sw_yield_vertices(&s, vertex, &vertices));
    sw_schmid_vectors(&s, schmid, spin);
    for (int v = 0; v < vertices; v++) {
        int active = 0;
        for (int a = 0; a < s.count; a++) {
            double tau = 0;
            for (int i = 0; i < 5; i++)
                tau += schmid[a][i] * vertex[v][i];
            assert_true(fabs(tau) <= 1 + 1e-9);
            active += fabs(tau) >= 1 - 1e-9;
        }
        assert_true(active >= 5);
    }
}

/* ---- What crystals do ---- */

static void crystal_answers(const sw_material *m, double g[3][3], sw_crystal_output *output)
{
    static const double l[1][3][3] = {{{1e-3, 4e-4, 0}, {0, 1e-4, -3e-4}, {2e-4, 0, -1.1e-3}}};
    const sw_integration_control control = sw_integration_history();
    sw_crystal_state crystal = sw_crystal_state_initial(g, m->slip.initial_slip_resistance);
    CHECK_OK(sw_integrate(m, &control, 1, l, 1, 0, 0.02, &crystal, NULL, NULL, NULL));
    *output = sw_crystal_state_output(&crystal);
}

/* g c is the same crystal for the rotations of 422, and another for a third turn of the cube; as in test_crystal_model.c. */
static void equivalent_crystals_answer_alike(void **state)
{
    (void)state;
    const sw_material m = toy();
    const double euler[3] = {0.4, 0.9, 1.3};
    double g[3][3], c[3][3], turned[3][3], apart = 0;
    sw_crystal_output first, other;
    sw_rotation_from_euler(euler, g);
    crystal_answers(&m, g, &first);
    for (int k = 0; k <= sw_point_group_422.order; k++) {
        const int own = k < sw_point_group_422.order;
        sw_point_group_matrix(own ? &sw_point_group_422 : &sw_point_group_432, own ? k : 16, c);
        for (int i = 0; i < 9; i++)
            turned[i / 3][i % 3] =
                g[i / 3][0] * c[0][i % 3] + g[i / 3][1] * c[1][i % 3] + g[i / 3][2] * c[2][i % 3];
        crystal_answers(&m, turned, &other);
        for (int i = 0; i < 9; i++)
            if (own)
                CHECK_CLOSE(other.cauchy_stress[i / 3][i % 3], first.cauchy_stress[i / 3][i % 3],
                            1e-6 * 50e6);
            else
                apart = greatest(apart,
                                 fabs(other.cauchy_stress[i / 3][i % 3] - first.cauchy_stress[i / 3][i % 3]));
    }
    assert_true(apart > 1e6);
}

/* Too little strain to slip: sigma = C e, to the first order in e. */
static void small_strains_are_elastic(void **state)
{
    (void)state;
    const sw_material m = toy();
    const sw_stiffness stiffness = sw_material_stiffness(&m);
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    const sw_integration_control control = sw_integration_history();
    double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 6; k++) {
        double l[1][3][3] = {{{0}}};
        l[0][row[k]][column[k]] += 0.5;
        l[0][column[k]][row[k]] += 0.5; /* 11 by 1, or 23 and 32 by a half: an engineering shear of 1 */
        sw_crystal_state crystal = sw_crystal_state_initial(identity, m.slip.initial_slip_resistance);
        const double strain = 1e-5 * (k < 3 ? 1 : sqrt(0.5));
        CHECK_OK(sw_integrate(&m, &control, 1, (const double(*)[3][3])l, 1, 0, strain, &crystal, NULL, NULL,
                              NULL));
        const sw_crystal_output o = sw_crystal_state_output(&crystal);
        for (int i = 0; i < 6; i++)
            CHECK_CLOSE(o.cauchy_stress[row[i]][column[i]], 1e-5 * stiffness.c6[i][k], 1e-4 * 1e-5 * 180e9);
    }
}

/* By its closed form; and its curve after ageing is the same, shifted. */
static void the_law_hardens_and_ages(void **state)
{
    (void)state;
    const sw_material m = toy();
    sw_material aged;
    CHECK_OK(sw_material_age(&m, 35e6, &aged));
    for (double slip = 0; slip < 2; slip += 0.1) {
        const double s = sw_harden(&m.hardening, 20e6, slip);
        CHECK_CLOSE(s, fmin(20e6 + 50e6 * slip, 60e6), 1e-6);
        CHECK_CLOSE(sw_harden(&aged.hardening, 35e6, slip), s + 15e6, 1e-6);
        CHECK_CLOSE(sw_hardening_rate(&m.hardening, s), s < 60e6 ? 50e6 : 0, 0);
    }
    CHECK_CLOSE(sw_hardening_most(&aged.hardening), 75e6, 0);
}

/* ---- Textures ---- */

static void textures_are_counted(void **state)
{
    (void)state;
    enum { N = 20000 };
    static sw_crystal crystal[N];
    static double euler[N][3];
    double fraction[3], random[3];
    const double tolerance = SW_HISTOGRAM_TOLERANCE_DEGREES * SW_PI / 180;
    sw_orientation_histogram *h;
    for (int n = 0; n < N; n++) {
        sw_random_orientation(5, (uint64_t)n, euler[n]);
        for (int i = 0; i < 3; i++)
            euler[n][i] = crystal[n].euler[i] = (float)euler[n][i];
    }
    CHECK_OK(sw_orientation_histogram_create(&sw_lattice_toy, &h));
    CHECK_OK(sw_orientation_histogram_add(h, N, crystal, NULL));
    CHECK_OK(
        sw_component_fractions(&sw_lattice_toy, N, (const double(*)[3])euler, NULL, tolerance, fraction));
    CHECK_OK(sw_component_fractions_random(&sw_lattice_toy, tolerance, random));
    assert_int_equal(sw_orientation_histogram_total(h), N);
    for (int k = 0; k < 3; k++) {
        CHECK_CLOSE((double)h->component[k], fraction[k] * N, 1); /* one at the limit */
        CHECK_CLOSE(fraction[k], random[k], 5 * sqrt(random[k] / N));
    }
    /* bins: every step of every axis has crystals; equivalents share them, but near borders */
    int used[3][SW_HISTOGRAM_SIDE] = {{0}}, apart = 0;
    for (int32_t bin = 0; bin < SW_HISTOGRAM_BINS; bin++)
        if (h->count[bin] > 0) {
            used[0][bin / (SW_HISTOGRAM_SIDE * SW_HISTOGRAM_SIDE)] = 1;
            used[1][bin / SW_HISTOGRAM_SIDE % SW_HISTOGRAM_SIDE] = used[2][bin % SW_HISTOGRAM_SIDE] = 1;
        }
    for (int i = 0; i < 3 * SW_HISTOGRAM_SIDE; i++)
        assert_true(used[i / SW_HISTOGRAM_SIDE][i % SW_HISTOGRAM_SIDE]);
    for (int n = 0; n < 1000; n++) {
        const float other[3] = {crystal[n].euler[0], crystal[n].euler[1], crystal[n].euler[2] + 1.5707963F};
        apart += sw_histogram_bin(&h->group, crystal[n].euler) != sw_histogram_bin(&h->group, other);
    }
    assert_true(apart < 10);
    sw_orientation_histogram_destroy(h);
}

/* ---- The programs ---- */

static const char loading[] = "strain_increment: 0.01\n"
                              "crystals: {count: 64, texture: random, seed: 3}\n"
                              "loading:\n"
                              "  - velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]]\n"
                              "    duration: 100\n"
                              "output: {file: out.h5, orientations: [0, last]}\n";

/* sigma_11 - sigma_33 at the end; count: of crystals, as a job has it. */
static double run_loading(const char *from, const char *solver, const char *count)
{
    char job[2000];
    int64_t shape[3];
    double stress[64][3][3];
    result r;
    snprintf(job, sizeof job, "%s\nsolver: %s\n%s", from, solver, loading);
    write_edited("job.yaml", job, "count: 64", count);
    run("slipwave taylor -q --device cpu job.yaml", &r);
    if (r.status != 0)
        fail_msg("%s: %s", solver, r.err);
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_shape(file, "history/cauchy_stress", 3, shape));
    assert_in_range(shape[0], 2, 64);
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress));
    const int has_pole = sw_h5_exists(file, "texture") && H5Lexists(file, "texture", H5P_DEFAULT) > 0;
    assert_true(has_pole);
    H5Fclose(file);
    file = open_results("out.h5");
    assert_run_text(file, "crystal_structure", "toy");
    H5Fclose(file);
    unlink("out.h5");
    return stress[shape[0] - 1][0][0] - stress[shape[0] - 1][2][2];
}

static double run_solver(const char *from, const char *solver)
{
    return run_loading(from, solver, "count: 64");
}

/* Every solver answers, those without a database within 3 % of the model, whose elastic strains `rigid_plastic` lacks; those with a
 * database of a coarse grid within 10 %. */
static void every_solver_runs(void **state)
{
    (void)state;
    result r;
    write_text("toy.yaml", toy_text);
    const double exact = run_solver("material: toy.yaml", "iterative");
    assert_true(exact > 50e6);
    CHECK_CLOSE(run_solver("material: toy.yaml", "elastoplastic"), exact, 0.03 * exact);
    CHECK_CLOSE(run_solver("material: toy.yaml", "rigid_plastic"), exact, 0.03 * exact);
    run("slipwave-db generate -q -g 16,16,16,12 -t all -o toy.h5 toy.yaml", &r);
    if (r.status != 0)
        fail_msg("%s", r.err);
    CHECK_CLOSE(run_solver("database: toy.h5", "grid"), exact, 0.1 * exact);
    CHECK_CLOSE(run_solver("database: toy.h5", "terms"), exact, 0.1 * exact);
}

/* Of 64 crystals only the first counts, number 0 of the seed: alone it answers alike, to the rounding of sums in lanes. */
static void a_homogenization_is_reached_by_its_name(void **state)
{
    (void)state;
    static const char *const solvers[] = {"rigid_plastic", "elastoplastic"};
    write_text("toy.yaml", toy_text);
    for (int i = 0; i < 2; i++) {
        const double all = run_solver("material: toy.yaml", solvers[i]),
                     first = run_solver("material: toy.yaml\nhomogenization: toy", solvers[i]);
        const double alone = run_loading("material: toy.yaml", solvers[i], "count: 1");
        CHECK_CLOSE(first, alone, 1e-5 * alone);
        assert_true(fabs(first - all) > 0.01 * all);
    }
    const sw_material m = toy();
    sw_response_options options = {.solver = "elastoplastic", .material = &m, .homogenization = "toy"};
    const double l[2][3][3] = {{{1e-3, 0, 0}, {0, -1e-3, 0}, {0, 0, 0}},
                               {{0, 1e-3, 0}, {0, 0, 0}, {0, 0, 0}}};
    double stress[2][2][6];
    for (int k = 0; k < 2; k++) { /* points of 3, and of their first crystals */
        sw_crystal crystal[6], begun[6];
        sw_crystals crystals;
        sw_response *response;
        const int64_t each = k == 0 ? 3 : 1;
        CHECK_OK(sw_crystals_randomise(SW_CPU, 6, begun, 1, 0, 20e6F));
        for (int64_t i = 0; i < 2 * each; i++)
            crystal[i] = begun[k == 0 ? i : 3 * i];
        options.homogenization = k == 0 ? "toy" : NULL;
        CHECK_OK(sw_response_open(&options, &response));
        CHECK_OK(sw_crystals_of(response, 2 * each, crystal, NULL, &crystals));
        CHECK_OK(sw_response_step_each(response, &(sw_points){.points = 2,
                                                              .each = each,
                                                              .velocity_gradient = l,
                                                              .dt = 10,
                                                              .from = &crystals,
                                                              .to = &crystals,
                                                              .stress = stress[k]}));
        sw_crystals_release(&crystals);
        sw_response_close(response);
    }
    for (int i = 0; i < 12; i++)
        CHECK_CLOSE(stress[0][i / 6][i % 6], stress[1][i / 6][i % 6], 1e-6 * 60e6);
    sw_response *response;
    options.homogenization = "reuss";
    assert_int_equal(sw_response_open(&options, &response), SW_ERR_RANGE);
    assert_string_equal(sw_error_message(),
                        "homogenization = reuss: need one of taylor sachs alamel self_consistent toy");
}

static int leave(void **state)
{
    char command[PATH_MAX + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return *folder != '\0' && (chdir("/") != 0 || system(command) != 0);
}

/* The programs of this build are beside the others', in a folder of their own. */
static int enter(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return 1;
    strncat(programs, "/extra", sizeof programs - strlen(programs) - 1);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(material_files_know_them),
        cmocka_unit_test(material_files_are_checked),
        cmocka_unit_test(systems_are_those_of_the_axes),
        cmocka_unit_test(equivalent_crystals_answer_alike),
        cmocka_unit_test(small_strains_are_elastic),
        cmocka_unit_test(the_law_hardens_and_ages),
        cmocka_unit_test(textures_are_counted),
        cmocka_unit_test(every_solver_runs),
        cmocka_unit_test(a_homogenization_is_reached_by_its_name),
    };
    return cmocka_run_group_tests_name("toys", tests, enter, leave);
}
