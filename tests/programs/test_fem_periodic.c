/* `slipwave fem` with a periodic body, as its users meet it: history, fields, going on after a stop. */
#include "programs.h"

#define FEM "slipwave fem -q "

/* Two layers across z, pulled along x; then the pull is taken back by half. */
static const char cell_text[] = "mesh:\n"
                                "  body: box\n"
                                "  cells: [2, 2, 4]\n"
                                "  sets:\n"
                                "    - {name: low, kind: elements, from: [0, 0, 0], to: [1, 1, 0.25]}\n"
                                "    - {name: high, kind: elements, from: [0, 0, 0.25], to: [1, 1, 1]}\n"
                                "strain: finite\n"
                                "materials:\n"
                                "  - {elements: low, young: 200.0e9, poisson: 0.3, yield_stress: 300.0e6, "
                                "hardening: {law: linear, modulus: "
                                "2.0e9}}\n"
                                "  - {elements: high, young: 70.0e9, poisson: 0.33, yield_stress: 100.0e6, "
                                "hardening: {law: linear, modulus: "
                                "1.0e9}}\n"
                                "periodic:\n"
                                "  mean_gradient: [[0.02, 0, 0], [0, x, 0], [0, 0, x]]\n"
                                "  mean_stress: [[x, x, x], [x, 50.0e6, x], [x, x, x]]\n"
                                "  stress_factors: [1, 1]\n"
                                "steps: [{factor: 1, increments: 2}, {factor: 0.5}]\n"
                                "device: cpu\n"
                                "solver: {tolerance: 1.0e-10}\n"
                                "output: {file: out.h5, restart: [2]}\n";
enum { N = 3 };

/* One crystal at each point, of Voronoi grains. */
static const char grains_text[] =
    "mesh: {body: box, cells: [4, 3, 2]}\n"
    "strain: finite\n"
    "materials: [{crystals: {material: copper.yaml, grains: {voronoi: 1, seed: 2}}}]\n"
    "periodic: {mean_gradient: [[0.004, 0, 0], [0, x, 0], [0, 0, x]]}\n"
    "steps: [{factor: 1, increments: 3, time: 4.0}]\n"
    "device: cpu\n"
    "output: {file: out.h5}\n";

static void unlink_results(void)
{
    static const char *const names[] = {"out.h5", "out-0002.restart.h5", "out-0003.vtkhdf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(names[i]);
}

static void history_holds_the_mean(void **state)
{
    (void)state;
    static const int64_t tensor[3] = {N, 3, 3}, pair[3] = {N, 2};
    static const double factor[N] = {0.5, 1, 0.5}, stress_factor[N] = {0.5, 1, 1};
    result r;
    run_well(FEM "cell.yaml", &r);
    hid_t file = open_results("out.h5");
    double *F = read_set(file, "history/mean_deformation_gradient", 3, tensor);
    double *P = read_set(file, "history/mean_first_piola_stress", 3, tensor);
    double *sigma = read_set(file, "history/mean_cauchy_stress", 3, tensor);
    double *f = read_set(file, "history/mean_factor", 2, pair);
    assert_false(sw_h5_exists(file, "history/reaction"));
    H5Fclose(file);
    for (int k = 0; k < N; k++) {
        const double *g = F + 9 * k, *p = P + 9 * k;
        assert_true(f[2 * k] == factor[k] && f[2 * k + 1] == stress_factor[k]);
        CHECK_CLOSE(g[0], 1 + 0.02 * factor[k], 1e-15);
        CHECK_CLOSE(p[4], 50e6 * stress_factor[k],
                    1); /* 1e-10 of forces that are 300 MPa, by the elastic strain */
        CHECK_CLOSE(p[8], 0, 1);
        CHECK_CLOSE(sigma[9 * k] / (p[0] / (g[4] * g[8])), 1, 1e-12); /* F is diagonal, so P F' / det F is */
        assert_true(g[8] < 1);
    }
    assert_true(P[9] > 100e6 && P[18] < 0); /* it yielded, and is pushed back */
    free(F);
    free(P);
    free(sigma);
    free(f);
    unlink_results();
}

/* From the restart file of the second increment: the same third one, to the bit. */
static void restarted_runs_have_the_same_bits(void **state)
{
    (void)state;
    static const int64_t tensor[3] = {N, 3, 3};
    double *P[2];
    result r;
    run_well(FEM "cell.yaml", &r);
    for (int i = 0; i < 2; i++) {
        if (i > 0)
            run_well(FEM "cell.yaml --restart out-0002.restart.h5", &r);
        hid_t file = open_results("out.h5");
        P[i] = read_set(file, "history/mean_first_piola_stress", 3, tensor);
        H5Fclose(file);
    }
    assert_memory_equal(P[0], P[1], N * 9 * sizeof(double));
    free(P[0]);
    free(P[1]);
    write_edited("other.yaml", cell_text, "0.02", "0.03");
    run(FEM "other.yaml --restart out-0002.restart.h5", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "belongs to another mesh"));
    unlink("other.yaml");
    unlink_results();
}

/* Of one grain a cell is one crystal, however many elements it has; of several it is not, and fields tell which. */
static void grains_are_crystals(void **state)
{
    (void)state;
    static const int64_t tensor[3] = {N, 3, 3};
    const int64_t elements[1] = {24};
    static const char *const given[3] = {"", " --cells 1x1x1", ""};
    double *stress[3];
    result r;
    for (int i = 0; i < 3; i++) {
        char command[128];
        write_edited("grains.yaml", grains_text, "voronoi: 1", i < 2 ? "voronoi: 1" : "voronoi: 3");
        snprintf(command, sizeof command, FEM "grains.yaml%s", given[i]);
        run_well(command, &r);
        hid_t file = open_results("out.h5");
        stress[i] = read_set(file, "history/mean_cauchy_stress", 3, tensor);
        H5Fclose(file);
    }
    hid_t file = open_results("out-0003.vtkhdf");
    double *grain = read_set(file, "VTKHDF/CellData/grain", 1, elements), most = 0, least = 4;
    H5Fclose(file);
    for (int e = 0; e < 24; e++) {
        most = greatest(most, grain[e]);
        least = fmin(least, grain[e]);
        assert_true(grain[e] == floor(grain[e]) && grain[e] >= 0 && grain[e] < 3);
    }
    assert_true(most > least);
    assert_true(stress[0][0] > 10e6);
    CHECK_CLOSE(stress[1][18] / stress[0][18], 1,
                1e-5); /* Newton ends at 1e-6, crystals are in single precision */
    assert_true(fabs(stress[2][18] / stress[0][18] - 1) > 0.01);
    for (int i = 0; i < 3; i++)
        free(stress[i]);
    free(grain);
    unlink_results();
}

static void bad_grains_leave_no_file(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"voronoi: 1, ", "", "materials[0].crystals.grains.voronoi is missing: need voronoi, seeds or file"},
        {"voronoi: 1", "voronoi: 1, file: grains.txt", "file beside materials[0].crystals.grains.voronoi"},
        {"voronoi: 1", "voronoi: 0", "materials[0].crystals.grains.voronoi = 0"},
        {"voronoi: 1", "voronoi: 25",
         "grains.yaml:3: materials[0].crystals.grains.voronoi: 25 grains: need at most one an "
         "element, 24"},
        {"voronoi: 1, seed: 2", "seeds: many.txt",
         "grains.seeds: 25 grains: need at most one an element, 24"},
        {"voronoi: 1", "voronoi: 1, dataset: g", "materials[0].crystals.grains.dataset: goes with file"},
        {"voronoi: 1, seed: 2", "file: grains.txt", "grains.txt:2: 'x': need a whole number"},
        {"voronoi: 1, seed: 2", "seeds: places.txt", "places.txt:1: the seed at (0.5, 2, 0.5) is outside"},
        {"grains: {", "count: 3, grains: {", "materials[0].crystals.count = 3: with grains need 1"},
    };
    write_text("grains.txt", "0 1 2\n3 x\n");
    write_text("places.txt", "0.5 2 0.5\n");
    char many[25 * 16] = "";
    for (int i = 0; i < 25; i++)
        snprintf(many + strlen(many), 16, "0.5 0.5 %.2f\n", 0.02 * i);
    write_text("many.txt", many);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        result r;
        write_edited("grains.yaml", grains_text, cases[i].old, cases[i].new);
        run(FEM "grains.yaml", &r);
        assert_int_equal(r.status, 1);
        if (strstr(r.err, cases[i].message) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].message, r.err);
        assert_int_equal(access("out.h5", F_OK), -1);
    }
    unlink("grains.txt");
    unlink("places.txt");
    unlink("many.txt");
}

/* 24 elements: 8 for each of three grains, fewer for each of four. */
static void few_elements_a_grain_are_said(void **state)
{
    (void)state;
    result r;
    write_edited("grains.yaml", grains_text, "voronoi: 1", "voronoi: 24");
    run(FEM "grains.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "grains.yaml: materials[0].crystals.grains: "));
    assert_non_null(strstr(r.err, " of 24 grains have no element\n"));
    assert_non_null(strstr(r.err, "24 elements for "));
    assert_non_null(strstr(
        r.err, "stresses are too high, by 3 to 6 % with 8 elements a grain and by 7 to 15 % with one\n"));
    write_text("grains.txt", "0 0 0 0 0 0 1 1 1 1 1 1 2 2 2 2 2 2 3 3 3 3 3 3\n");
    write_edited("grains.yaml", grains_text, "voronoi: 1, seed: 2", "file: grains.txt");
    run(FEM "grains.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "24 elements for 4 grains"));
    write_text("grains.txt", "0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2\n");
    run_well(FEM "grains.yaml", &r);
    unlink("grains.txt");
    unlink_results();
}

static int make_cell_folder(void **state)
{
    (void)state;
    if (enter_folder() != 0)
        return 1;
    write_text("cell.yaml", cell_text);
    material_text = read_data("materials/copper-ofhc.yaml");
    write_text("copper.yaml", material_text);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(history_holds_the_mean),        cmocka_unit_test(restarted_runs_have_the_same_bits),
        cmocka_unit_test(grains_are_crystals),           cmocka_unit_test(bad_grains_leave_no_file),
        cmocka_unit_test(few_elements_a_grain_are_said),
    };
    return cmocka_run_group_tests(tests, make_cell_folder, remove_folder);
}
