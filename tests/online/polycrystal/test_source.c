/* The crystals of a job that is not of finite elements: rows with words and solvers of its own, at the file's root. */
#include "tests/job_files.h"

#include "online/polycrystal/source.h"
#include "tests/structured.h"

typedef struct {
    sw_polycrystal_source crystals;
} grain_job;

static const sw_key ageing_keys[] = {SW_KWN_STATE_KEYS(grain_job, crystals.ageing), SW_KEYS_END};
SW_HOMOGENIZATION_KEYS(scheme_keys, grain_job, crystals.homogenization);
static const sw_key crystal_keys[] = {
    SW_POLYCRYSTAL_KEYS(grain_job, crystals, rigid_plastic, scheme_keys, ageing_keys), SW_KEYS_END};
static const sw_key job_keys[] = {{SW_SECTION("crystals", crystal_keys), .help = "of particles"},
                                  SW_KEYS_END};

static const char good[] = "crystals:\n"
                           "  material: material.yaml\n" /* 2 */
                           "  file: grains.ori\n"
                           "  count: 4\n"
                           "  seed: 7\n" /* 5 */
                           "  initial_slip_resistance: 5.0e7\n";

static int set_up(void **state)
{
    char path[PATH_MAX + 32];
    if (make_job_folder(state) != 0)
        return 1;
    snprintf(path, sizeof path, "%s/material.yaml", folder);
    write_text(path, "name: metal\ncrystal_structure: fcc\n"
                     "elasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
                     "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.012,\n"
                     "       initial_slip_resistance: 16.0e6}\n"
                     "hardening: {law: voce, initial_hardening_rate: 180.0e6,\n"
                     "            saturation_resistance: 148.0e6, exponent: 2.25}\n");
    snprintf(path, sizeof path, "%s/structured.yaml", folder);
    write_text(path, structured_text);
    snprintf(path, sizeof path, "%s/grains.ori", folder);
    write_text(path, "10 20 30 1\n40 50 60 1\n70 80 90 4\n");
    return 0;
}

static int tear_down(void **state)
{
    static const char *const name[] = {"material.yaml", "structured.yaml", "grains.ori", "job.yaml"};
    char path[PATH_MAX + 32];
    (void)state;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* *job is closed by the caller where that went well. */
static sw_status read_written(sw_job **job, sw_polycrystal *made)
{
    const sw_arguments arguments = {.file = job_path};
    grain_job *values;
    SW_TRY(sw_job_read(job_keys, sizeof *values, &arguments, 1, job, (void **)&values));
    const sw_status status = sw_polycrystal_read(
        *job, "crystals.", NULL, SW_SOLVER_POINTS | SW_SOLVER_FORGETS, &values->crystals, 1, made);
    if (status != SW_OK) {
        sw_polycrystal_free(made);
        sw_job_close(*job);
    }
    return status;
}

/* The job with `old` replaced. */
static sw_status read_changed(const char *old, const char *new, sw_job **job, sw_polycrystal *made)
{
    write_job(good, old, new);
    return read_written(job, made);
}

static void test_a_source_becomes_a_response_and_a_draw(void **state)
{
    (void)state;
    sw_job *job;
    sw_polycrystal made;
    CHECK_OK(read_changed(NULL, NULL, &job, &made));
    assert_string_equal(made.response.solver, "rigid_plastic");
    assert_ptr_equal(made.response.material, &made.material);
    assert_null(made.response.database);
    assert_true(made.material.slip.initial_slip_resistance == 5e7);
    const sw_polycrystal_draw *draw = &made.draw;
    assert_true(draw->each == 4 && draw->seed == 7 && draw->n_texture == 3 && draw->rotated == 0);
    assert_true(draw->slip_resistance == 5e7F && draw->texture[2].slip_resistance == 5e7F);
    CHECK_CLOSE(draw->texture[1].euler[2], 60 * SW_PI / 180, 1e-6);
    CHECK_CLOSE(draw->heaviest, 2, 1e-6); /* weights are 1 on average */
    sw_polycrystal_free(&made);
    sw_job_close(job);
}

/* What resists is what the law makes of the structure, at the temperature, and no job's number. */
static void test_a_law_with_a_structure(void **state)
{
    (void)state;
    static const char of[] = "  material: material.yaml\n", now[] = "  material: structured.yaml\n";
    sw_job *job;
    sw_polycrystal made;
    assert_int_equal(read_changed(of, now, &job, &made), SW_ERR_INPUT);
    assert_message_has("job.yaml:6: ");
    assert_message_has("crystals.initial_slip_resistance = 5e+07 Pa: has no place");
    char text[sizeof good];
    snprintf(text, sizeof text, "crystals:\n%s  count: 4\n", now);
    write_job(text, NULL, NULL);
    CHECK_OK(read_written(&job, &made));
    assert_true(made.draw.slip_resistance == (float)made.material.slip.initial_slip_resistance);
    assert_in_range((int64_t)made.draw.slip_resistance, 10000000, 100000000);
    sw_polycrystal_free(&made);
    sw_job_close(job);
}

static void test_numbers_of_crystals(void **state)
{
    (void)state;
    sw_job *job;
    sw_polycrystal made;
    CHECK_OK(read_changed("  count: 4\n", "", &job, &made)); /* as many as the file's */
    assert_true(made.draw.each == 3 && sw_polycrystal_is_weighted(&made.draw));
    sw_polycrystal_free(&made);
    sw_job_close(job);
    CHECK_OK(read_changed("  file: grains.ori\n", "  rotated: yes\n", &job, &made)); /* random ones */
    assert_true(made.draw.each == 4 && made.draw.n_texture == 0 && made.draw.rotated == 1);
    assert_null(made.draw.texture);
    sw_polycrystal_free(&made);
    sw_job_close(job);
}

static void test_what_is_wrong_is_said_of_its_key(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *place, *key, *bound;
    } cases[] = {
        {"  file: grains.ori\n  count: 4\n", "", "job.yaml:", "crystals.count is missing",
         "need count or file"},
        {"file: grains.ori", "phase: 1", "job.yaml:3: ", "crystals.phase = 1", "random crystals have none"},
        {"file: grains.ori", "grain_angle: 5", "job.yaml:3: ", "crystals.grain_angle",
         "without crystals.file"},
        {"material: material.yaml", "solver: rigid_plastic", "job.yaml:", "crystals.material is missing",
         "need a material or a database"},
        {"seed: 7", "solver: terms", "job.yaml:", "crystals.database is missing",
         "the solver 'terms' needs one"},
        {"seed: 7", "solver: elastoplastic", "job.yaml:5: ", "crystals.solver = elastoplastic",
         "terms, grid, rigid_plastic"},
        {"count: 4", "count: 0", "job.yaml:4: ", "crystals.count = 0", "1 <= count <= 1e6"},
        {"seed: 7", "grains: 7", "job.yaml:5: ", "crystals.grains", ""},
        {"initial_slip_resistance: 5.0e7", "initial_slip_resistance: 2.0e8", "job.yaml:6: ",
         "crystals.initial_slip_resistance = 2e+08 Pa", "need less than the 1.48e+08 Pa that"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_job *job;
        sw_polycrystal made;
        assert_int_equal(read_changed(cases[i].old, cases[i].new, &job, &made), SW_ERR_INPUT);
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].key);
        assert_message_has(cases[i].bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_source_becomes_a_response_and_a_draw),
        cmocka_unit_test(test_a_law_with_a_structure),
        cmocka_unit_test(test_numbers_of_crystals),
        cmocka_unit_test(test_what_is_wrong_is_said_of_its_key),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
