/* upsetting.rate_law: `slipwave fem` gives what the library does, whose curve is the closed form; and what has no place
 * beside it. */
#include "tests/programs/programs.h"

#include <omp.h>

#include "billets.h"

#define FEM "slipwave fem -q -j 1 "

static const char billet_text[] =
    "upsetting: {radius: 0.01, height: 0.03, reduction: 0.6, cells: [4, 5], increments: 200, rate_law: "
    "biconjugate}\n"
    "materials:\n"
    "  - {young: 200.0e9, poisson: 0.3, yield_stress: 700.0e6, hardening: {law: linear, modulus: 300.0e6}}\n"
    "device: cpu\n"
    "solver: {linear_tolerance: 1.0e-10}\n"
    "output: {file: out.h5}\n";
enum { TAKEN = 200 };

static sw_status keep_row(void *context, const sw_fem_convected_row *row, const sw_fem_convected_state *body)
{
    (void)body;
    ((sw_fem_convected_row *)context)[row->step - 1] = *row;
    return SW_OK;
}

/* With and without friction: the same numbers as of the library. */
static void compare(double friction)
{
    static sw_fem_convected_row row[TAKEN];
    const int64_t vectors[3] = {TAKEN, 1, 2}, one[1] = {TAKEN};
    const sw_fem_convected billet = billet_of(4, 5, friction, 0.6);
    const sw_fem_convected_options options = fast_options(TAKEN);
    omp_set_num_threads(1);
    CHECK_OK(sw_fem_convected_run(&billet, &options, keep_row, row));
    hid_t file = open_results("out.h5");
    assert_run_text(file, "rate_law", "biconjugate");
    assert_true(run_number(file, "increments") == TAKEN && run_number(file, "linear_tolerance") == 1e-10 &&
                run_number(file, "tolerance") == options.tolerance);
    double *force = read_set(file, "history/tool_force", 3, vectors),
           *move = read_set(file, "history/tool_displacement", 3, vectors),
           *newton = read_set(file, "history/newton", 1, one), *cg = read_set(file, "history/cg", 1, one);
    for (int i = 0; i < TAKEN; i++) {
        assert_true(force[2 * i] == 0 && force[2 * i + 1] == -row[i].force);
        assert_true(move[2 * i] == 0 && move[2 * i + 1] == -0.5 * row[i].stroke);
        assert_true(newton[i] == (double)row[i].iterations && cg[i] == (double)row[i].linear);
    }
    /* Half the stroke is the end's largest displacement; the plate touches as much as its edge has come to. */
    CHECK_CLOSE(number_at(file, "history/displacement_least", 2, (const int64_t[2]){TAKEN, 2}, 2 * TAKEN - 1),
                -0.009, 1e-15);
    const double r =
        0.01 + number_at(file, "history/displacement_most", 2, (const int64_t[2]){TAKEN, 2}, 2 * TAKEN - 2);
    const double area =
        number_at(file, "history/tool_contact_area", 2, (const int64_t[2]){TAKEN, 1}, TAKEN - 1);
    if (friction == 0) {
        CHECK_CLOSE(area, PI * r * r,
                    1e-6 * area); /* homogeneous to the systems' 1e-10, and what iterations leave */
        /* test_runs.c: off by 0.9 / n of the last force. */
        const double exact = force_at(&billet, 0.4, paper_at);
        CHECK_CLOSE(-force[2 * TAKEN - 1], exact, 0.9 / TAKEN * exact);
    } else {
        assert_true(area < PI * r * r);
    }
    H5Fclose(file);
    free(force);
    free(move);
    free(newton);
    free(cg);
    unlink("out.h5");
}

static void test_program_is_the_library(void **state)
{
    result r;
    (void)state;
    write_text("job.yaml", billet_text);
    run_well(FEM "job.yaml", &r);
    assert_string_equal(r.err, "");
    assert_non_null(strstr(r.out, "out.h5: 200 increments: 100 % of elements plastic"));
    compare(0);
    write_edited("job.yaml", billet_text, "increments", "friction: 0.1, increments");
    run(FEM "job.yaml", &r);
    assert_int_equal(r.status, 0);
    compare(0.1);
    unlink("job.yaml");
}

/* A warning where the iterations did not do. */
static void test_open_iterations_are_said(void **state)
{
    result r;
    (void)state;
    write_edited("job.yaml", billet_text, "increments: 200", "increments: 4");
    run(FEM "job.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "job.yaml: in "));
    assert_non_null(strstr(r.err, "of 4 increments the last of 10 iterations still changed displacements"));
    unlink("out.h5");
    unlink("job.yaml");
}

static void test_what_has_no_place_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        const char *part[2];
    } cases[] = {
        {"[4, 5]", "[4, 4, 5]", {"job.yaml:1: upsetting.cells[2] has no place", "rate_law = biconjugate"}},
        {"increments",
         "shear_limit: 1.0e8, increments",
         {"job.yaml:1: upsetting.shear_limit has no place", ""}},
        {"device", "b_bar: yes\ndevice", {"job.yaml:4: b_bar has no place", ""}},
        {"solver: {", "solver: {operator: points, ", {"job.yaml:5: solver.operator has no place", ""}},
        {"solver: {",
         "solver: {preconditioner: jacobi, ",
         {"job.yaml:5: solver.preconditioner has no place", ""}},
        {"out.h5", "out.h5, fields: [all]", {"job.yaml:6: output.fields has no place", ""}},
        {"rate_law: biconjugate",
         "rate_law: newton",
         {"job.yaml:1: upsetting.rate_law = newton", "one of none, simple"}},
        {"solver: {", "solver: {cg: 2, ", {"job.yaml: step 1 of 200: biconjugate", ""}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_edited("job.yaml", billet_text, cases[i].old, cases[i].new);
        assert_refused_twice(FEM "job.yaml", 2, cases[i].part);
    }
    static const char *const resume[] = {"--resume has no place beside upsetting.rate_law"};
    write_text("job.yaml", billet_text);
    assert_refused_twice(FEM "job.yaml --resume", 1, resume);
    unlink("job.yaml");
}

static int set_up(void **state)
{
    (void)state;
    return enter_folder();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_is_the_library),
        cmocka_unit_test(test_open_iterations_are_said),
        cmocka_unit_test(test_what_has_no_place_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, remove_folder);
}
