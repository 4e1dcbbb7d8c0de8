/* Runs in memory: the same numbers as those with a results file, from what the caller has. */
#include "slipwave/taylor.h"

#include "tests/folder.h"

#include "common/crystal/material_file.h"
#include "common/files/hdf5_io.h"

enum { N = 20, STEPS = 4 };

static char path_of_material[PATH_MAX];
static sw_material *material;
static sw_crystal random_ones[N];

static const char loading[] = "solver: rigid_plastic\n"
                              "loading:\n"
                              "  - {velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.1}\n";

static sw_taylor *begun(const char *text, int n_options, const char *const (*option)[2],
                        const sw_taylor_inputs *inputs)
{
    sw_taylor *run;
    CHECK_OK(sw_taylor_begin(text != NULL ? "a job" : "job.yaml", text, n_options, option, inputs, &run));
    return run;
}

static sw_taylor_inputs given(const float *weight)
{
    return (sw_taylor_inputs){.material = material, .crystals = N, .crystal = random_ones, .weight = weight};
}

static void advance(sw_taylor *run, int64_t steps, int64_t expected)
{
    int64_t taken;
    CHECK_OK(sw_taylor_advance(run, steps, &taken));
    assert_int_equal(taken, expected);
}

/* From a file of the same job, and what the caller gives instead of what it names. */
static void numbers_are_those_of_a_results_file(void **state)
{
    (void)state;
    const char *const option[][2] = {
        {"material", path_of_material}, {"count", "20"}, {"output", "out.h5"}, {"quiet", ""}};
    FILE *file = fopen("job.yaml", "w");
    assert_true(file != NULL && fputs(loading, file) >= 0 && fclose(file) == 0);
    sw_taylor_job *job;
    double stress[STEPS + 1][3][3];
    hid_t results;
    CHECK_OK(sw_taylor_job_open("job.yaml", 4, option, &job));
    CHECK_OK(sw_taylor_run(job, NULL));
    sw_taylor_job_close(job);
    CHECK_OK(sw_h5_open("out.h5", 0, &results));
    CHECK_OK(sw_h5_read(results, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, (int64_t[]){STEPS + 1, 3, 3},
                        stress));
    H5Fclose(results);

    const sw_taylor_inputs inputs = given(NULL);
    sw_taylor *const runs[] = {begun(NULL, 2, option, NULL), begun(loading, 0, NULL, &inputs)};
    sw_crystal crystal[2][N];
    for (int i = 0; i < 2; i++) {
        sw_taylor_rows rows;
        advance(runs[i], 3, 3);
        advance(runs[i], 3, STEPS - 3);
        advance(runs[i], 3, 0);
        sw_taylor_history(runs[i], &rows);
        assert_int_equal(rows.rows, STEPS + 1);
        assert_memory_equal(rows.cauchy_stress, stress, sizeof stress);
        CHECK_CLOSE(rows.strain[STEPS], 0.1 / sqrt(2), 1e-14);
        CHECK_CLOSE(rows.deformation_gradient[STEPS][0][1], 0.1, 1e-14);
        CHECK_CLOSE(rows.slip_resistance[0], 16e6, 0);
        assert_int_equal(sw_taylor_crystals(runs[i]), N);
        float weight[N];
        CHECK_OK(sw_taylor_copy_crystals(runs[i], crystal[i], weight));
        for (int n = 0; n < N; n++)
            assert_true(weight[n] == 1);
        sw_taylor_end(runs[i]);
    }
    assert_memory_equal(crystal[0], crystal[1], sizeof *crystal);
    assert_true(memcmp(crystal[0], random_ones, sizeof random_ones) != 0);
    assert_int_equal(access("in memory", F_OK), -1);
    unlink("job.yaml");
    unlink("out.h5");
}

/* A crystal of weight 2 is two of weight 1; the history begins with the mean by weight. Steps that are tried count so, too. */
static void check_weights(const char *text, double bound)
{
    float weight[N], own[N];
    sw_crystal twice[2 * N];
    double sum = 0;
    int m = 0;
    for (int n = 0; n < N; n++) {
        weight[n] = (float)(n % 3); /* 0, too */
        for (int i = 0; i < n % 3; i++)
            twice[m++] = random_ones[n];
    }
    twice[0].slip_resistance = 40e6F;
    random_ones[1].slip_resistance = 40e6F; /* of weight 1 */
    const sw_taylor_inputs weighted = given(weight);
    const sw_taylor_inputs repeated = {.material = material, .crystals = m, .crystal = twice};
    sw_taylor *const a = begun(text, 0, NULL, &weighted), *const b = begun(text, 0, NULL, &repeated);
    sw_taylor_rows with, without;
    advance(a, 2, 2);
    advance(b, 2, 2);
    sw_taylor_history(a, &with);
    sw_taylor_history(b, &without);
    for (int row = 0; row < 3; row++) {
        CHECK_CLOSE(with.slip_resistance[row], without.slip_resistance[row], bound * 16e6);
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE((&with.cauchy_stress[row][0][0])[k], (&without.cauchy_stress[row][0][0])[k],
                        bound * 60e6);
    }
    CHECK_OK(sw_taylor_copy_crystals(a, random_ones, own));
    for (int n = 0; n < N; n++)
        sum += own[n];
    CHECK_CLOSE(sum, N, N * 1e-7);
    sw_taylor_end(a);
    sw_taylor_end(b);
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, random_ones, 1, 0, 16e6F));
}

#define FREE_SIDES(solver)                                             \
    "solver: " solver "\nstrain_increment: 0.01\nloading:\n"           \
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]], " \
    "stress: [[x, x, x], [x, 0, x], [x, x, 0]], duration: 30}\n"

/* Weights and sums of N numbers in single precision; stresses that are given are met to some 1e-5. */
static void weights_count(void **state)
{
    (void)state;
    check_weights(loading, 1e-6);
    check_weights(FREE_SIDES("rigid_plastic"), 1e-4);
    check_weights(FREE_SIDES("elastoplastic"), 1e-4);
    check_weights("solver: elastoplastic\nstrain_increment: 0.01\nloading:\n"
                  "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100, "
                  "until: strain, component: 11, goal: 0.02}\n",
                  1e-4);
}

/* Stresses that are given are met, as in a run with a file. */
static void free_sides(void **state)
{
    (void)state;
    static const char text[] = "solver: elastoplastic\nstrain_increment: 0.01\nloading:\n"
                               "  - velocity_gradient: [[1.0e-3, 0, 0], [0, x, 0], [0, 0, x]]\n"
                               "    stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n"
                               "    duration: 30\n";
    const sw_taylor_inputs inputs = given(NULL);
    sw_taylor *run = begun(text, 0, NULL, &inputs);
    sw_taylor_rows rows;
    int64_t taken;
    CHECK_OK(sw_taylor_advance(run, 100, &taken));
    sw_taylor_history(run, &rows);
    assert_int_equal(rows.rows, taken + 1);
    const double(*s)[3] = rows.cauchy_stress[taken];
    assert_true(taken >= 3 && s[0][0] > 60e6);
    CHECK_CLOSE(s[1][1] / s[0][0], 0, 1e-4); /* above which a run warns */
    sw_taylor_end(run);
}

/* A first entry that asks for a pressure and nothing else: crystals change their volume, by p / K, and do not flow. */
static void a_pressure_alone_is_elastic(void **state)
{
    (void)state;
    static const char text[] = "solver: elastoplastic\nloading:\n"
                               "  - velocity_gradient: [[x, x, x], [x, x, x], [x, x, x]]\n"
                               "    stress: [[%s, 0, 0], [0, %s, 0], [0, 0, %s]]\n"
                               "    duration: 100\n";
    static const char *const stresses[] = {"1.0e8", "-5.0e8", "1.0e4"};
    const sw_taylor_inputs inputs = given(NULL);
    for (int i = 0; i < 3; i++) {
        char job[400];
        sw_taylor_rows rows;
        int64_t taken;
        const double p = strtod(stresses[i], NULL);
        snprintf(job, sizeof job, text, stresses[i], stresses[i], stresses[i]);
        sw_taylor *run = begun(job, 0, NULL, &inputs);
        CHECK_OK(sw_taylor_advance(run, 100, &taken));
        sw_taylor_history(run, &rows);
        const double(*f)[3] = rows.deformation_gradient[taken], (*s)[3] = rows.cauchy_stress[taken];
        for (int k = 0; k < 9; k++) /* what is sought: 2e-5 of a thousandth of the slip resistance */
            CHECK_CLOSE(s[k / 3][k % 3], k % 4 == 0 ? p : 0, 2e-5 * 16e3 + 1e-9 * fabs(p));
        CHECK_CLOSE(rows.strain[taken], 0, 1e-9);
        CHECK_CLOSE(rows.slip_resistance[taken], 16e6, 0);
        CHECK_CLOSE(log(f[0][0] * f[1][1] * f[2][2]), p / sw_material_bulk_modulus(material), 1e-9);
        sw_taylor_end(run);
    }
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    float negative[N] = {-1}, none[N] = {0};
    sw_crystal broken[N], hard[N];
    const struct {
        const char *text;
        sw_taylor_inputs inputs;
        sw_status status;
        const char *message;
    } cases[] = {
        LINE(loading, {.crystals = N, .crystal = random_ones}, SW_ERR_INPUT, "a job: database is missing"),
        LINE(loading, {.material = material}, SW_ERR_INPUT, "a job: crystals.count is missing"),
        LINE("solver: auto\n", {.material = material}, SW_ERR_INPUT, "loading is missing"),
        LINE(loading, {.material = material, .crystal = random_ones}, SW_ERR_RANGE,
             "0 crystals: need at least 1"),
        LINE(loading, given(negative), SW_ERR_RANGE, "weight 0 = -1: need >= 0"),
        LINE(loading, given(none), SW_ERR_RANGE, "weights: all are 0"),
        LINE(loading, {.material = material, .crystals = N, .crystal = broken}, SW_ERR_RANGE,
             "crystal 3: slip resistance = 0 Pa: need > 0"),
        LINE(loading, {.material = material, .crystals = N, .crystal = hard}, SW_ERR_RANGE,
             "crystal 5: slip resistance = 1.48e+08 Pa: need less than the 1.48e+08 Pa that OFHC copper "
             "saturates at"),
        LINE(
            "initial_slip_resistance: 1.5e8\ncrystals: {count: 3}\nsolver: rigid_plastic\nloading:\n"
            "  - {velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 0.1}\n",
            {.material = material}, SW_ERR_INPUT,
            "a job:1: initial_slip_resistance = 1.5e+08 Pa: need less than the 1.48e+08 Pa that OFHC copper"),
    };
    memcpy(hard, random_ones, sizeof hard);
    hard[5].slip_resistance = 148e6F;
    memcpy(broken, random_ones, sizeof broken);
    broken[3].slip_resistance = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_taylor *run = (sw_taylor *)&run;
        assert_int_equal(sw_taylor_begin("a job", cases[i].text, 0, NULL, &cases[i].inputs, &run),
                         cases[i].status);
        assert_message_has(cases[i].message);
        assert_null(run);
    }
    char beside[400];
    sw_taylor *run;
    const sw_taylor_inputs inputs = given(NULL);
    snprintf(beside, sizeof beside, "%sinitial_slip_resistance: 20.0e6\n", loading);
    assert_int_equal(sw_taylor_begin("a job", beside, 0, NULL, &inputs, &run), SW_ERR_INPUT);
    assert_message_has("a job:4: initial_slip_resistance beside crystals that the caller gives");
    assert_int_equal(sw_taylor_begin("absent.yaml", NULL, 0, NULL, &inputs, &run), SW_ERR_IO);
    sw_taylor_end(NULL);
}

static int set_up(void **state)
{
    return find_data("materials/copper-ofhc.yaml", path_of_material) || make_folder(state) ||
           sw_material_open(path_of_material, &material) != SW_OK ||
           sw_crystals_randomise(SW_CPU, N, random_ones, 1, 0, 16e6F) != SW_OK;
}

static int tear_down(void **state)
{
    sw_material_close(material);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_a_results_file),
        cmocka_unit_test(weights_count),
        cmocka_unit_test(free_sides),
        cmocka_unit_test(a_pressure_alone_is_elastic),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
