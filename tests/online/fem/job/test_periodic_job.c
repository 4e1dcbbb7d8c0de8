/* Job files of periodic bodies: what they say, the cases that they make, and ways to say it wrongly. */
#include "tests/job_files.h"

#include "online/fem/job/job.h"
#include "online/fem/mesh/mesh.h"

static const char text[] = "mesh: {body: box, cells: [4, 2, 2], size: [2.0, 1.0, 1.0]}\n" /* 1 */
                           "strain: finite\n"                                             /* 2 */
                           "materials: [{young: 1.0e9, poisson: 0.25}]\n"                 /* 3 */
                           "periodic:\n"                                                  /* 4 */
                           "  mean_gradient: [[0.1, x, 0], [0, x, 0], [0, 0.2, x]]\n"     /* 5 */
                           "  mean_stress: [[x, 3.0, x], [x, x, x], [x, x, -8.0]]\n"      /* 6 */
                           "  stress_factors: [0, 1]\n"                                   /* 7 */
                           "steps: [{factor: 1}, {factor: 2, increments: 2}]\n"           /* 8 */
                           "output: {file: out.h5}\n";                                    /* 9 */

static const char plane[] = "mesh: {body: box, cells: [4, 2]}\n"                               /* 1 */
                            "kinematics: plane_strain\n"                                       /* 2 */
                            "materials: [{young: 1.0e9, poisson: 0.25}]\n"                     /* 3 */
                            "periodic: {mean_gradient: [[0.1, 0, 0], [0, x, 0], [0, 0, 0]]}\n" /* 4 */
                            "output: {file: out.h5}\n";                                        /* 5 */

static sw_status read_job(const char *from, const char *old, const char *new, sw_fem_job **job)
{
    write_job(from, old, new);
    return sw_fem_job_read(&(sw_arguments){job_path, 0, NULL}, job);
}

/* What is prescribed has the steps' factors, the stress its own. */
static void the_mean_is_read(void **state)
{
    (void)state;
    static const double factor[3][2] = {{1, 0}, {1.5, 0.5}, {2, 1}};
    static const struct {
        int i, j;
        double value;
    } fixed[] = {{0, 0, 0.1}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0.2}, {0, 2, 0}, {1, 2, 0}};
    sw_fem_job *job;
    CHECK_OK(read_job(text, NULL, NULL, &job));
    const sw_fem_problem *p = &job->problem;
    const double length = sw_fem_mean_length(p), volume = 2;
    assert_int_equal(p->periodic, 1);
    assert_int_equal(p->n_cases, 2);
    assert_memory_equal(job->factor, factor, sizeof factor);
    assert_int_equal(p->load[0].n_fixed, 6);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(p->load[0].dof[k], sw_fem_mean_unknown(p, fixed[k].i, fixed[k].j));
        assert_true(p->load[0].value[k] == fixed[k].value * length);
    }
    assert_null(p->load[0].force);
    CHECK_CLOSE(p->load[1].force[sw_fem_mean_unknown(p, 0, 1)], 3 * volume / length, 1e-14);
    CHECK_CLOSE(p->load[1].force[sw_fem_mean_unknown(p, 2, 2)], -8 * volume / length, 1e-14);
    CHECK_CLOSE(p->load[1].force[sw_fem_mean_unknown(p, 1, 1)], 0, 0);
    assert_int_equal(sw_fem_count_unknowns(p), 3 * (p->mesh->n_nodes + 3));
    assert_int_equal(job->options.preconditioner, SW_FEM_MULTIGRID);
    sw_fem_job_free(job);
    CHECK_OK(read_job(text, "  stress_factors: [0, 1]\n", "", &job));
    assert_int_equal(job->problem.n_cases, 1);
    CHECK_CLOSE(job->problem.load[0].force[sw_fem_mean_unknown(&job->problem, 0, 1)], 3 * volume / length,
                1e-14);
    sw_fem_job_free(job);
    CHECK_OK(read_job(plane, NULL, NULL, &job));
    assert_int_equal(job->problem.load[0].n_fixed, 3);
    assert_null(job->problem.load[0].force);
    assert_int_equal(job->options.preconditioner, SW_FEM_BLOCK_JACOBI);
    sw_fem_job_free(job);
}

static void identity_is_that_of_the_mean(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        int same;
    } edits[] = {{"stress_factors: [0, 1]", "stress_factors: [0, 2]", 1},
                 {"[0.1, x, 0]", "[0.2, x, 0]", 0},
                 {"[x, 3.0, x]", "[x, 4.0, x]", 0}};
    sw_fem_job *job, *other;
    CHECK_OK(read_job(text, NULL, NULL, &job));
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        CHECK_OK(read_job(text, edits[i].old, edits[i].new, &other));
        assert_int_equal(strcmp(sw_fem_job_identity(job), sw_fem_job_identity(other)) == 0, edits[i].same);
        sw_fem_job_free(other);
    }
    sw_fem_job_free(job);
}

typedef struct {
    const char *text, *old, *new;
    const char *place, *key, *bound;
} refusal;

static void bad_means_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {text, "[0, x, 0], [0, 0.2, x]", "[0, x, x], [0, x, x]",
         "job.yaml:5: ", "periodic.mean_gradient: [1][2] and [2][1] are both free", "need one of them"},
        {text, "[0.1, x, 0]", "[2000.0, x, 0]", "job.yaml:5: ", "periodic.mean_gradient[0][0] = 2000",
         "at most 1000"},
        {text, "mean_gradient", "mean_gradent", "job.yaml:5: ", "'periodic.mean_gradent'",
         "did you mean 'periodic.mean_gradient'"},
        {text, "  mean_gradient: [[0.1, x, 0], [0, x, 0], [0, 0.2, x]]\n", "",
         "job.yaml:4: ", "periodic.mean_gradient is missing", ""},
        {text, "[x, 3.0, x]", "[5.0, 3.0, x]", "job.yaml:6: ", "periodic.mean_stress[0][0] = 5",
         "the mean gradient is given there"},
        {text, "[x, 3.0, x]", "[x, 3.0e16, x]", "job.yaml:6: ", "periodic.mean_stress[0][1] = 3e+16",
         "at most 1e+15 Pa"},
        {text, "stress_factors: [0, 1]", "stress_factors: [1]",
         "job.yaml:7: ", "periodic.stress_factors has 1 numbers", "need 2, one a step"},
        {text, "steps:", "boundary: [{nodes: x_min, x: 0}]\nsteps:", "job.yaml:8: ", "boundary",
         "beside periodic"},
        {text, "steps:", "loads: [{surface: x_max, pressure: 1.0}]\nsteps:", "job.yaml:8: ", "loads",
         "beside periodic"},
        {text, "body: box", "body: l_bracket", "job.yaml:1: ", "mesh", "need body: box"},
        {plane, "[0, 0, 0]]", "[0, 0, x]]", "job.yaml:4: ", "periodic.mean_gradient[2][2] = nan",
         "need 0 beyond the plane"},
        {plane, "[[0.1, 0, 0]", "[[0, 0, 0]", "job.yaml:4: ", "periodic.mean_gradient: nothing is loaded",
         ""},
        {plane, "plane_strain", "axisymmetric", "job.yaml:2: ", "kinematics = axisymmetric",
         "need solid, plane_strain or plane_stress"},
        {plane, "periodic: {mean_gradient: [[0.1, 0, 0], [0, x, 0], [0, 0, 0]]}\n", "",
         "job.yaml: ", "boundary is missing", "need it, upsetting or periodic"},
    };
    for (const refusal *c = cases; c < cases + sizeof cases / sizeof *cases; c++) {
        sw_fem_job *job;
        if (read_job(c->text, c->old, c->new, &job) != SW_ERR_INPUT)
            fail_msg("'%s' for '%s' was taken, or refused otherwise: %s", c->new, c->old, sw_error_message());
        assert_null(job);
        assert_message_has(c->place);
        assert_message_has(c->key);
        assert_message_has(c->bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_is_read),
        cmocka_unit_test(identity_is_that_of_the_mean),
        cmocka_unit_test(bad_means_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, make_job_folder, remove_job_folder);
}
