/* Hardening between refreshes: the work of a step that hardens is that of its middle, and contacts are as strong as
 * their crystals will be halfway to the next refresh. */
#include "online/dem/crystals/motion.h"
#include "tests/online/dem/packs.h"

enum { EACH = 8, P = 2 };

static sw_material material;
static sw_response *response;
static sw_crystal crystals[P * EACH];

static int set_up(void **state)
{
    (void)state;
    material = copper();
    const sw_response_options options = {.solver = "rigid_plastic", .material = &material};
    return sw_response_open(&options, &response) != SW_OK;
}

static int tear_down(void **state)
{
    (void)state;
    sw_response_close(response);
    return 0;
}

static const double along[3] = {0.6, 0.64, 0.48};

/* Two particles `gap` apart along that direction, whose crystals know mean strains alone. */
static sw_dem *open_pair(double gap, sw_dem_packing *pack)
{
    static const double cell[3][3] = {{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}, at[3] = {3e-4, 5e-4, 4e-4},
                        radii[P] = {50e-6, 40e-6};
    const sw_dem_stage stage = dem_steps(1);
    const sw_dem_crystals c = {response, EACH, crystals, 0.005, 1};
    const sw_dem_options options = sw_dem_defaults();
    *pack = dem_pack_pair(cell, at, radii, along, gap);
    CHECK_OK(sw_crystals_randomise(SW_CPU, P * EACH, crystals, 5, 0, 16e6F));
    sw_dem_sample sample = {.packing = *pack,
                            .material = {.law = SW_DEM_METAL,
                                         .young = 120e9,
                                         .poisson = 0.34,
                                         .density = 8900,
                                         .strength = 60e6,
                                         .rate_sensitivity = material.slip.rate_sensitivity},
                            .numerics = sw_dem_numerics_defaults(),
                            .n_stages = 1,
                            .stage = &stage,
                            .crystals = &c};
    sample.numerics.time_scale = 1;
    sw_dem *dem;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL)); /* a step of some 1e-9 s, in which nothing moves */
    CHECK_OK(sw_dem_add_stage(dem, 0, &stage));
    return dem;
}

static void set_resistances(const sw_dem_polycrystals *poly, int particle, double resistance)
{
    for (int k = 0; k < EACH; k++)
        poly->crystal[particle * EACH + k].slip_resistance = (float)resistance;
}

/* ---- Strength halfway ---- */

/* Crystals harder by a tenth than at the last refresh will be by two at the next, and by one and a half on the way:
 * strengths are those of crystals that are, since flow stresses are proportional to slip resistances, but for the strain of 1e-6 that asking takes. */
static void check_strengths(double gap)
{
    const double growth[P] = {0.1, 0.3};
    sw_dem_packing pack;
    sw_dem *dem = open_pair(gap, &pack);
    sw_dem_rve *rve = (sw_dem_rve *)sw_dem_get(dem, 0);
    sw_dem_polycrystals *poly = &dem->crystals[0];
    double expected[P];
    assert_int_equal(rve->state->n_pairs > 0 && rve->touching[0] != 0, gap < 0);
    for (int half = 0; half < 2; half++) { /* first the crystals as they will be, at rest; then as they are */
        for (int i = 0; i < P; i++) {
            set_resistances(poly, i, 16e6 * (1 + (half == 0 ? 1.5 : 1) * growth[i]));
            poly->resistance[i] = 16e6 * (half == 0 ? 1 + 1.5 * growth[i] : 1);
        }
        rve->state->refresh_time = rve->state->time; /* no step */
        CHECK_OK(sw_dem_refresh(rve, poly));
        for (int i = 0; i < P; i++) {
            if (half == 0)
                expected[i] = rve->strength[i];
            else
                CHECK_CLOSE(rve->strength[i], expected[i], 1e-5 * expected[i]);
            CHECK_CLOSE(poly->resistance[i], 16e6 * (1 + (half == 0 ? 1.5 : 1) * growth[i]), 2);
        }
        if (gap < 0) {
            sw_dem_history history;
            sw_dem_load_history(1, rve, 0, &history);
            CHECK_CLOSE(history.law[SW_DEM_METAL_STRENGTH],
                        sw_dem_pair_strength(expected[0], expected[1], material.slip.rate_sensitivity),
                        1e-5 * expected[0]);
        }
    }
    assert_true(expected[0] > 2 * 16e6 && expected[1] > 1.05 * expected[0]);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

static void strengths_of_contacts_are_those_halfway(void **state)
{
    (void)state;
    check_strengths(-1e-6);
}

static void strengths_without_contacts_are_those_halfway(void **state)
{
    (void)state;
    check_strengths(5e-6);
}

/* ---- Work ---- */

/* J per m^3 of the first particle's crystals, taken to a strain in so many refreshes under L whole; in what
 * remains of its ways there is work enough. */
static double work_in(int refreshes, double strain)
{
    static const double l[3][3] = {{1, 0, 0}, {0, -0.5, 0}, {0, 0, -0.5}};
    sw_dem_packing pack;
    sw_dem *dem = open_pair(5e-6, &pack);
    sw_dem_rve *rve = (sw_dem_rve *)sw_dem_get(dem, 0);
    sw_dem_polycrystals *poly = &dem->crystals[0];
    const double each = strain / refreshes, dt = each / 1e-3;
    const double volume = 4.0 / 3 * 3.14159265358979323846 * pow(rve->radius[0], 3);
    for (int n = 0; n < refreshes; n++) {
        for (int i = 0; i < P; i++)
            poly->left[i] = 1;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                rve->state->refreshed[i][j] = (i == j) + each * l[i][j];
                rve->state->reference[i][j] = i == j;
            }
        rve->state->refresh_time = rve->state->time - dt;
        CHECK_OK(sw_dem_refresh(rve, poly));
    }
    CHECK_CLOSE(poly->strain[0], strain, 1e-12);
    const double work = poly->work[0] / volume;
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
    return work;
}

/* The same by the response alone in many steps, by the trapezoidal rule. */
static double work_alone(double strain)
{
    enum { STEPS = 2000 };
    const double l[3][3] = {{1e-3, 0, 0}, {0, -0.5e-3, 0}, {0, 0, -0.5e-3}};
    const double begin = 1e-9 / 1e-3, dt = strain / 1e-3 / STEPS; /* the first answer is the beginning's */
    sw_response_average mean;
    double work = 0, before = 0;
    const sw_crystals c = sw_crystals_alone(response, EACH, crystals);
    CHECK_OK(sw_crystals_randomise(SW_CPU, EACH, crystals, 5, 0, 16e6F));
    for (int n = 0; n <= STEPS; n++) {
        double power = 0;
        CHECK_OK(sw_response_step(response, l, n == 0 ? begin : dt, &c, &c, &mean));
        for (int k = 0; k < 3; k++)
            power += mean.cauchy_stress[k][k] * l[k][k];
        work += n == 0 ? 0 : 0.5 * (before + power) * dt;
        before = power;
    }
    return work;
}

/* Second order in the step: halved, it leaves a quarter of the error. Without the middle the error would be some
 * hardening of a step, per cents of it. */
static void work_of_hardening_is_second_order(void **state)
{
    (void)state;
    const double strain = 0.04, exact = work_alone(strain);
    double error[3];
    for (int k = 0; k < 3; k++) {
        error[k] = fabs(work_in(4 << k, strain) / exact - 1);
        print_message("%d refreshes: work off by %.2e\n", 4 << k, error[k]);
    }
    assert_true(error[0] < 2e-3);
    assert_true(error[1] < error[0] / 3 && error[2] < error[1] / 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strengths_of_contacts_are_those_halfway),
        cmocka_unit_test(strengths_without_contacts_are_those_halfway),
        cmocka_unit_test(work_of_hardening_is_second_order),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
