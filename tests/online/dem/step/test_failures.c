/* Load paths (control.h): what is refused or fails, with its message. */
#include "dense.h"

/* ---- Failures ---- */

/* A run that fails in its stage; the message. */
static void check_failure(const sw_dem_packing *pack, const sw_dem_numerics *numerics,
                          const sw_dem_stage *stage, sw_dem_status status, sw_status code,
                          const char *const *parts)
{
    const sw_dem_material m = soft();
    sw_dem *dem = dem_open(NULL, pack, &m, numerics, 1, stage);
    CHECK_OK(sw_dem_run(dem, NULL, NULL)); /* the run is all right; the element is not */
    assert_int_equal(sw_dem_get(dem, 0)->state->status, status);
    assert_true(sw_dem_failure(dem, 0) == code);
    for (int i = 0; parts[i] != NULL; i++)
        assert_message_has(parts[i]);
    CHECK_OK(sw_dem_run(dem, NULL, NULL)); /* and stays so */
    assert_int_equal(sw_dem_get(dem, 0)->state->status, status);
    sw_dem_close(dem);
}

/* Ten times the wave's step is refused where contacts are measured first; what the rule takes is not. */
static void fixed_steps_are_checked(void **state)
{
    (void)state;
    const sw_dem_material m = soft();
    const double wave = 5e-5 * sqrt(m.density / m.young);
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_stage stage = dem_steps(1000);
    numerics.step_rule = SW_DEM_STEP_FIXED;
    numerics.step = 10 * wave;
    char value[64];
    snprintf(value, sizeof value, "numerics.step = %.4g s: ", numerics.step);
    check_failure(&dense, &numerics, &stage, SW_DEM_FAILED_STEP, SW_ERR_RANGE,
                  (const char *[]){"element 0, stage 0, step 1: ", value, "need at most 2 / omega = ", NULL});
    numerics.step = 1e200;
    check_failure(&dense, &numerics, &stage, SW_DEM_FAILED_STEP, SW_ERR_RANGE,
                  (const char *[]){"1e+200 s", NULL});
    numerics.step = 0.5 * wave;
    sw_dem *dem = dem_open(NULL, &dense, &m, &numerics, 1, &stage);
    dem_finish(dem);
    sw_dem_close(dem);
}

static void failures_say_why(void **state)
{
    (void)state;
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_stage stage = dem_isotropic(1e5, 100, -1);
    sw_dem_packing few = dem_pack_lattice(27, 1e-4, 1e-4, 1.3, 0.01, 1);

    /* tension, which spheres do not bear */
    for (int c = 0; c < 3; c++)
        stage.stress[c] = -1e4;
    stage.max_steps = 3000;
    check_failure(&dense, &numerics, &stage, SW_DEM_FAILED_GOAL, SW_ERR_CONVERGENCE,
                  (const char *[]){"element 0, stage 0", "most_steps = 3000", " Pa of -1e+04 Pa", NULL});
    /* a pressure that is not there within the steps */
    stage = dem_steps(0);
    stage.until = SW_DEM_UNTIL_PRESSURE;
    stage.goal = 1e9;
    stage.max_steps = 100;
    check_failure(&few, &numerics, &stage, SW_DEM_FAILED_GOAL, SW_ERR_CONVERGENCE,
                  (const char *[]){"most_steps = 100", "0 contacts", NULL});
    /* a cell that shrinks below two diameters */
    stage = dem_steps(1e7);
    stage.velocity_gradient[1][1] = -500;
    stage.velocity_gradient[0][0] = 500;
    check_failure(&few, &numerics, &stage, SW_DEM_FAILED_CELL, SW_ERR_RANGE,
                  (const char *[]){"least height of the cell", "take more particles", NULL});
    /* numbers that overflow: the square of a speed */
    stage = dem_steps(10000);
    few.velocity[3][1] = 1e200;
    check_failure(&few, &numerics, &stage, SW_DEM_FAILED_FINITE, SW_ERR_CONVERGENCE,
                  (const char *[]){"positions or forces are not finite", NULL});
    /* a cell that outruns its list in one step: nothing moved beside the field */
    memset(few.velocity, 0, (size_t)few.n_particles * sizeof *few.velocity);
    stage.velocity_gradient[0][1] = 1e7;
    check_failure(&few, &numerics, &stage, SW_DEM_FAILED_LIST, SW_ERR_CONVERGENCE,
                  (const char *[]){"the list of pairs was outrun", "outrun: the cell strained by 1.2", NULL});
    sw_dem_packing_free(&few);
}

/* ---- What is not opened ---- */

static void check_refused(const sw_dem_sample *sample, const char *part)
{
    const sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    const sw_status status = sw_dem_open(&options, 1, sample, &dem);
    if (status != SW_ERR_RANGE || dem != NULL)
        fail_msg("%s: %s", part, status == SW_OK ? "was taken" : sw_error_message());
    assert_message_has("element 0");
    assert_message_has(part);
}

static void bad_samples_are_refused(void **state)
{
    (void)state;
    const sw_dem_stage good_stage = dem_isotropic(1e5, 10, -1);
    sw_dem_stage stage = good_stage;
    sw_dem_packing pack = dem_pack_lattice(27, 1e-4, 1e-4, 1.3, 0.01, 1);
    const sw_dem_sample good = {.packing = pack,
                                .material = soft(),
                                .numerics = sw_dem_numerics_defaults(),
                                .n_stages = 1,
                                .stage = &stage};
    sw_dem_sample bad = good;
    const sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    CHECK_OK(sw_dem_open(&options, 1, &good, &dem));
    sw_dem_close(dem);
#define REFUSED(change, part)      \
    do {                           \
        bad = good;                \
        stage = good_stage;        \
        change;                    \
        check_refused(&bad, part); \
    } while (0)
    REFUSED(bad.packing.cell[2][2] = 0, "cell of volume 0 m^3: need > 0");
    REFUSED(bad.packing.cell[2][2] *= -1, "right-handed");
    REFUSED(bad.packing.cell[0][1] = NAN, "cell h12 = nan");
    REFUSED(bad.packing.cell[1][2] = -INFINITY, "cell");
    REFUSED(bad.packing.cell[0][0] = 1e308, "cell");
    REFUSED(bad.packing.cell[0][1] = -1e308, "cell");
    REFUSED(bad.packing.cell[2][2] = 1e-308, "cell");
    REFUSED(bad.packing.n_particles = 0, "particles = 0: need 1");
    /* three sites of 2.6 radii; half of that and the skin */
    REFUSED(bad.numerics.skin = 1.91, "need at most half of the cell's height 0.00078 m");
    REFUSED(bad.numerics.skin = 0, "skin = 0: need 0 < skin <= 2");
    REFUSED(bad.numerics.damping = 1, "damping = 1: need 0 <= damping < 1");
    REFUSED(bad.numerics.step = NAN, "step");
    REFUSED(bad.numerics.step = 1.5, "safety of the time step = 1.5: need <= 1");
    REFUSED(bad.numerics.control_interval = 0, "control_interval = 0: need 1");
    REFUSED(bad.numerics.servo_gain = 0, "servo_gain = 0: need 0 < servo_gain <= 1");
    REFUSED(bad.material.young = 0, "young = 0: need > 0");
    REFUSED(bad.material.density = -1, "density = -1: need > 0");
    REFUSED(bad.material.friction = NAN, "friction");
    REFUSED(bad.material.young = NAN, "young");
    REFUSED(bad.material.density = INFINITY, "density");
    REFUSED(bad.material.poisson = NAN, "poisson");
    REFUSED(bad.numerics.damping = NAN, "damping");
    REFUSED(bad.numerics.skin = NAN, "skin");
    REFUSED(bad.numerics.servo_gain = NAN, "servo_gain");
    REFUSED(bad.numerics.time_scale = NAN, "time_scale");
    REFUSED(stage.ramp = NAN, "ramp");
    REFUSED(stage.follow[2] = NAN, "follow");
    REFUSED(stage.stress_tolerance = NAN, "stress_tolerance");
    REFUSED(stage.friction = NAN, "friction");
    REFUSED(stage.friction_decay = NAN, "friction_decay");
    REFUSED(stage.most_servo_error = NAN, "most_servo_error");
    REFUSED(bad.material.roll_strength = -0.1, "roll_strength = -0.1: need >= 0");
    REFUSED((bad.material.law = SW_DEM_HERTZ_MINDLIN, bad.material.poisson = 0.6),
            "poisson = 0.6: need -1 < poisson <= 0.5");
    REFUSED(stage.stress[1] = NAN, "stress");
    REFUSED(stage.max_rate = INFINITY, "max_rate");
    REFUSED(stage.velocity_gradient[0][1] = INFINITY, "velocity_gradient");
    REFUSED(stage.goal = -1, "goal = -1: need >= 0");
    REFUSED(stage.max_steps = 0, "max_steps = 0: need > 0");
    REFUSED(stage.component = 6, "component = 6: need 0 to 5");
    bad = good;
    stage = good_stage;

    const struct {
        double *value, wrong;
        const char *message;
    } particles[] = {
        {&pack.radius[5], NAN, "radius of particle 5 = nan m: need 1e-09"},
        {&pack.radius[5], 0, "radius of particle 5 = 0 m: need 1e-09"},
        {&pack.radius[5], -1e308, "radius of particle 5 = -1e+308 m: need 1e-09"},
        {&pack.radius[5], 1e308, "radius of particle 5 = 1e+308 m: need 1e-09 to 1000 m"},
        {&pack.radius[0], 4e-4, "need at most half of the cell's height"},
        {&pack.position[7][1], INFINITY, "particle 7 = inf: need a finite number"},
        {&pack.position[7][1], NAN, "position 2 of particle 7 = nan: need a finite number"},
        {&pack.position[7][0], -1e308, "position 1 of particle 7 = -1e+308: need a finite number"},
        {&pack.position[26][2], 1e308, "position 3 of particle 26 = 1e+308: need a finite number"},
        {&pack.velocity[3][0], NAN, "velocity 1 of particle 3 = nan: need a finite"},
        {&pack.velocity[3][2], -INFINITY, "velocity 3 of particle 3 = -inf"},
        {&pack.spin[4][1], NAN, "spin 2 of particle 4 = nan"},
    };
    for (size_t i = 0; i < sizeof particles / sizeof *particles; i++) {
        const double kept = *particles[i].value;
        *particles[i].value = particles[i].wrong;
        check_refused(&good, particles[i].message);
        *particles[i].value = kept;
    }
    /* almost in one place, also across a face */
    for (int across = 0; across < 2; across++) {
        double kept[3];
        memcpy(kept, pack.position[1], sizeof kept);
        for (int k = 0; k < 3; k++)
            pack.position[1][k] = pack.position[0][k] + (k == 0 ? 1.4e-4 : 0) + across * 3 * pack.cell[k][k];
        check_refused(
            &good, "overlap of particles 0 and 1 = 6e-05 m: need at most half the smaller radius, 5e-05 m");
        memcpy(pack.position[1], kept, sizeof kept);
    }
    /* options */
    sw_dem_options wrong_options = sw_dem_defaults();
    wrong_options.team = SW_DEM_BLOCK;
    assert_true(sw_dem_open(&wrong_options, 1, &good, &dem) == SW_ERR_RANGE && dem == NULL);
    assert_message_has("team = block: need a GPU");
    wrong_options = sw_dem_defaults();
    wrong_options.detection = SW_DEM_BVH;
    assert_true(sw_dem_open(&wrong_options, 1, &good, &dem) ==
                (SW_HAS_PAPERS ? SW_ERR_RANGE : SW_ERR_UNAVAILABLE));
    assert_message_has("detection = bvh: " OF_PAPERS("need team = launches"));
    wrong_options = sw_dem_defaults();
    wrong_options.team = SW_DEM_LAUNCHES;
    assert_true(sw_dem_open(&wrong_options, 1, &good, &dem) ==
                (SW_HAS_PAPERS ? SW_ERR_RANGE : SW_ERR_UNAVAILABLE));
    assert_message_has("team = launches: " OF_PAPERS("need a GPU"));
    assert_true(sw_dem_open(&options, 0, &good, &dem) == SW_ERR_RANGE);
    /* a stage that comes later is checked as well, and changes nothing */
    CHECK_OK(sw_dem_open(&options, 1, &good, &dem));
    stage.goal = NAN;
    assert_true(sw_dem_add_stage(dem, 0, &stage) == SW_ERR_RANGE);
    assert_int_equal(sw_dem_get(dem, 0)->n_stages, 1);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_steps_are_checked),
        cmocka_unit_test(failures_say_why),
        cmocka_unit_test(bad_samples_are_refused),
    };
    return cmocka_run_group_tests_name("load paths of the DEM that fail", tests, make_dense, free_dense);
}
