/* Walls, gravity and contacts that pull on the GPU: against the CPU over short times, and against themselves in other
 * batches. Skipped, saying so, where there is no GPU. */
#include "tests/online/dem/walled.h"

#include "online/dem/backend/names.h"
#include "online/gpu/gpu.h"

static int gpus;

#define NEED_GPU() \
    (void)state;   \
    if (gpus == 0) \
    skip()

static const sw_dem_team teams[] = {SW_DEM_BLOCK, SW_DEM_CLUSTER, SW_DEM_DEVICE};
enum { TEAMS = sizeof teams / sizeof *teams };

static int set_up(void **state)
{
    char name[256];
    (void)state;
    gpus = sw_gpu_describe(name, sizeof name);
    print_message("GPU: %s\n", name);
    return 0;
}

/* Before the first contacts, and through some hundred steps of them: round-off of 1e-16 of cells of 10 radii, over
 * overlaps of some 1e-5 of a radius at first, grows by collisions; of 1e-7 of a radius it is still far from chaos. */
static void elements_are_as_on_the_cpu(void **state)
{
    NEED_GPU();
    walled b;
    make_walled(&b, 64, 400, 0.1);
    for (int t = 0; t < TEAMS; t++) {
        sw_dem_options options = sw_dem_defaults();
        sw_dem *cpu, *gpu;
        double contacts = 0;
        CHECK_OK(sw_dem_open(&options, WALLED, b.sample, &cpu));
        options.cuda = 1;
        options.team = teams[t];
        CHECK_OK(sw_dem_open(&options, WALLED, b.sample, &gpu));
        CHECK_OK(sw_dem_run(cpu, NULL, NULL));
        CHECK_OK(sw_dem_run(gpu, NULL, NULL));
        for (int r = 0; r < WALLED; r++) {
            const sw_dem_rve *one = sw_dem_get(cpu, r), *other = sw_dem_get(gpu, r);
            double worst = 0;
            CHECK_OK(sw_dem_failure(gpu, r));
            assert_int_equal(one->state->step, other->state->step);
            for (int64_t i = 0; i < one->n_particles; i++)
                for (int k = 0; k < 3; k++)
                    worst = greatest(worst,
                                     fabs(one->position[i][k] - other->position[i][k]) / one->largest_radius);
            sw_dem_row row;
            sw_dem_last_row(gpu, r, &row);
            contacts += row.contacts + row.wall_contacts;
            print_message("%s, element %d: %g contacts, %g of walls, positions within %.1e of a radius\n",
                          sw_dem_teams[teams[t]], r, row.contacts, row.wall_contacts, worst);
            if (!(worst < 1e-7))
                fail_msg("positions off");
        }
        assert_true(contacts > 100);
        sw_dem_close(cpu);
        sw_dem_close(gpu);
    }
    free_walled(&b);
}

/* Alone and in a batch; on with another stage from the first. */
static void batches_are_their_elements_alone(void **state)
{
    NEED_GPU();
    walled b;
    make_walled(&b, 64, 1500, 0.1);
    for (int t = 0; t < TEAMS; t++) {
        sw_dem_options options = sw_dem_defaults();
        sw_dem *all, *alone;
        options.cuda = 1;
        options.team = teams[t];
        CHECK_OK(sw_dem_open(&options, WALLED, b.sample, &all));
        CHECK_OK(sw_dem_run(all, NULL, NULL));
        for (int r = 0; r < WALLED; r++) {
            sw_dem_sample sample = b.sample[r];
            sample.n_stages = 1;
            CHECK_OK(sw_dem_failure(all, r));
            CHECK_OK(sw_dem_open(&options, 1, &sample, &alone));
            CHECK_OK(sw_dem_run(alone, NULL, NULL));
            CHECK_OK(sw_dem_add_stage(alone, 0, &b.stage[r][1]));
            CHECK_OK(sw_dem_run(alone, NULL, NULL));
            walled_same_bits(all, r, alone, 0);
            sw_dem_close(alone);
        }
        sw_dem_close(all);
    }
    free_walled(&b);
}

/* argv[1]: names of tests to run alone, as compute-sanitizer wants them short. */
int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_as_on_the_cpu),
        cmocka_unit_test(batches_are_their_elements_alone),
    };
    return cmocka_run_group_tests_name("walls of the DEM on the GPU", tests, set_up, NULL);
}
