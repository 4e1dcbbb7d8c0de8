/* Lengths that no bin can be counted in: refused by name where they come in, and where a run comes to them. */
#include "tests/online/dem/packs.h"

static sw_dem_sample sample_of(sw_dem_packing pack, const sw_dem_stage *stage)
{
    return (sw_dem_sample){.packing = pack,
                           .material = sw_dem_quartz(),
                           .numerics = sw_dem_numerics_defaults(),
                           .n_stages = stage != NULL,
                           .stage = stage};
}

static void assert_refused(const sw_dem_sample *sample, const char *part)
{
    const sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    assert_int_equal(sw_dem_open(&options, 1, sample, &dem), SW_ERR_RANGE);
    if (strstr(sw_error_message(), part) == NULL)
        fail_msg("no '%s' in '%s'", part, sw_error_message());
    assert_null(dem);
}

/* Each ended in a signal, or in bins of no width. */
static void lengths_out_of_range_are_refused(void **state)
{
    (void)state;
    sw_dem_packing pack = dem_pack_lattice(27, 1e-4, 1e-4, 1.3, 0, 1);
    sw_dem_sample sample = sample_of(pack, NULL);
    static const double radii[] = {5e-324, 1e-300, 1e-30, 0.99e-9, 1.01e3, 1e30, 1e300};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        pack.radius[5] = radii[i];
        assert_refused(&sample, "element 0: radius of particle 5 = ");
        pack.radius[5] = 1e-4;
    }
    static const double lengths[] = {1.01e9, 1e12, 1e100, 1e102, 1e200, 1.7e308};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        sample.packing = pack;
        sample.packing.cell[2][2] = lengths[i];
        assert_refused(&sample, "element 0: cell h33 = ");
        sample.packing.cell[2][2] = pack.cell[2][2];
        sample.packing.cell[0][1] = -lengths[i];
        assert_refused(&sample, "element 0: cell h12 = ");
    }
    sample.packing = pack;
    sample.n_stages = INT64_MAX;
    assert_refused(&sample, "stages = ");
    sample.n_stages = 0;
    sample.numerics.record_interval = INT64_MAX;
    assert_refused(&sample, "record_interval = ");
    sw_dem_packing_free(&pack);
}

/* On the bounds, all at once, with nearest images and with boundary particles: lists are made. */
static void lengths_on_their_bounds_are_taken(void **state)
{
    (void)state;
    sw_dem_packing pack = dem_pack(3, 1e9, 1e9, 4.1e3);
    pack.radius[0] = 1e3;
    pack.radius[1] = pack.radius[2] = 1e-9;
    pack.position[0][0] = 5e8;
    pack.position[1][2] = 1.9e-9;
    for (int images = 0; images < 2; images++) {
        const sw_dem_sample sample = sample_of(pack, NULL);
        sw_dem_options options = sw_dem_defaults();
        options.images = images == 0 ? SW_DEM_NEAREST : SW_DEM_BOUNDARY_PARTICLES;
        sw_dem *dem;
        CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
        assert_int_equal(sw_dem_get(dem, 0)->state->n_pairs, 1);
        sw_dem_close(dem);
    }
    sw_dem_packing_free(&pack);
}

/* Two per cent a step without end: bins over the cell can be counted up to its largest volume, and not beyond
 * 1e308 m^3, some 12,000 steps on. */
static void cells_that_grow_without_end_fail(void **state)
{
    (void)state;
    sw_dem_packing pack = dem_pack_lattice(27, 1e-4, 1e-4, 1.3, 0, 1);
    sw_dem_stage stage = sw_dem_stage_defaults();
    sw_dem_sample sample = sample_of(pack, &stage);
    const sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    sample.numerics.step_rule = SW_DEM_STEP_FIXED;
    sample.numerics.step = 1e-9;
    stage.goal = 20000;
    for (int i = 0; i < 3; i++)
        stage.velocity_gradient[i][i] = 0.02 / sample.numerics.step;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    assert_int_equal(sw_dem_failure(dem, 0), SW_ERR_RANGE);
    if (strstr(sw_error_message(), "the cell has grown to ") == NULL)
        fail_msg("%s", sw_error_message());
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_out_of_range_are_refused),
        cmocka_unit_test(lengths_on_their_bounds_are_taken),
        cmocka_unit_test(cells_that_grow_without_end_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
