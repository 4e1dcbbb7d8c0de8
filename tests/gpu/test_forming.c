/* Runs of forming on a GPU: the same conditions as on the CPU give the same stresses and strain rates; runs of 12 and of
 * 9000 crystals, some of which end on the way. Skipped, saying so, where there is no GPU. */
#include "gpu.h"

#include "online/forming/runs/runs.h"

enum { R = 7, MOST = 9000, STEPS = 6 };
static const double RATE = 1e-3, STRAIN = 0.005;

static void set_conditions(sw_condition *condition)
{
    for (int r = 0; r < R - 2; r++)
        condition[r] = sw_condition_uniaxial(0.35 * r, RATE);
    condition[R - 2] = sw_condition_along_stress((const double[6]){1, 1, 0, 0, 0, 0}, RATE);
    condition[R - 1] = sw_condition_stretch(RATE, 0.3);
}

/* Some steps on a device; run 2 ends after half of them. */
static void walk(sw_device device, const sw_material *material, int64_t n, int weighted, sw_run_state *state,
                 sw_crystal *crystal)
{
    static sw_crystal first[MOST];
    static float weight[MOST];
    sw_response *response;
    sw_runs *runs;
    sw_condition condition[R];
    for (int64_t i = 0; i < n; i++)
        weight[i] = 0.5F + (float)(i % 5) / 4;
    CHECK_OK(sw_response_open(
        &(sw_response_options){.solver = "elastoplastic", .material = material, .device = device},
        &response));
    CHECK_OK(sw_crystals_randomise(SW_CPU, n, first, 11, 0, 16e6F));
    CHECK_OK(sw_runs_create(response, R, n, first, weighted ? weight : NULL, NULL, &runs));
    set_conditions(condition);
    for (int step = 0; step < STEPS; step++) {
        if (step == STEPS / 2)
            CHECK_OK(sw_runs_end(runs, 2));
        CHECK_OK(sw_runs_step(runs, STRAIN / RATE, condition));
    }
    for (int r = 0; r < R; r++)
        state[r] = *sw_runs_state(runs, r);
    CHECK_OK(sw_runs_crystals(runs, R - 1, crystal));
    sw_runs_free(runs);
    sw_response_close(response);
}

/* Conditions are met to `miss` of the largest stress on either side; what single precision makes of a crystal's step,
 * some 1e-5 of its stress (test_points), is less in their mean. The free rates answer for a miss by the tangent, which is
 * m times the stress over the rate, or more: a hundred times as much, over the steps so far. */
static void as_on_the_cpu(void **state)
{
    static const struct {
        int64_t n;
        int weighted;
    } cases[] = {{12, 1}, {500, 0}, {500, 1}, {MOST, 0}};
    static sw_crystal mine[MOST], theirs[MOST];
    const sw_material material = copper();
    NEED_GPU();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sw_run_state gpu[R], cpu[R];
        walk(SW_CUDA, &material, cases[k].n, cases[k].weighted, gpu, mine);
        walk(SW_CPU, &material, cases[k].n, cases[k].weighted, cpu, theirs);
        for (int r = 0; r < R; r++) {
            double largest = 0;
            const double miss = gpu[r].miss + cpu[r].miss + 2e-5;
            assert_int_equal(gpu[r].failed, cpu[r].failed);
            for (int i = 0; i < 6; i++)
                largest = greatest(largest, fabs(cpu[r].stress[i]));
            for (int i = 0; i < 6; i++)
                CHECK_CLOSE(gpu[r].stress[i], cpu[r].stress[i], 10 * miss * largest);
            for (int i = 0; i < 9; i++)
                CHECK_CLOSE(gpu[r].velocity_gradient[i / 3][i % 3], cpu[r].velocity_gradient[i / 3][i % 3],
                            100 * miss * STEPS * RATE);
            CHECK_CLOSE(gpu[r].slip_resistance, cpu[r].slip_resistance, 1e-4 * cpu[r].slip_resistance);
        }
        for (int64_t i = 0; i < cases[k].n; i++)
            for (int j = 0; j < 3; j++) /* free of unknowns: single precision alone, over the steps */
                CHECK_CLOSE(cos(mine[i].euler[j] - theirs[i].euler[j]), 1, 1e-5);
    }
}

/* The same bits alone and beside others, as on the CPU. */
static void repeats(void **state)
{
    static sw_crystal crystal[2][MOST];
    const sw_material material = copper();
    sw_run_state run[2][R];
    NEED_GPU();
    for (int k = 0; k < 2; k++) {
        memset(run[k], 0, sizeof run[k]);
        walk(SW_CUDA, &material, 500, 1, run[k], crystal[k]);
    }
    assert_memory_equal(run[0], run[1], sizeof run[0]);
    assert_memory_equal(crystal[0], crystal[1], 500 * sizeof **crystal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_cpu), cmocka_unit_test(repeats)};
    return cmocka_run_group_tests(tests, set_up, NULL);
}
