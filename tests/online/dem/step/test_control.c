/* Load paths (control.h): the servo, and what ends stages. */
#include "dense.h"

static sw_dem *open_dense(int64_t record_interval, int64_t n_stages, const sw_dem_stage *stage)
{
    const sw_dem_material m = soft();
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    numerics.record_interval = record_interval;
    numerics.control_interval = 10;
    numerics.servo_gain = 1;
    return dem_open(NULL, &dense, &m, &numerics, n_stages, stage);
}

static double rate_of(double inertia)
{
    const sw_dem_material m = soft();
    return dem_rate(&m, mean_radius, pressure, inertia);
}

/* Stress component c of six of a record. */
static double stress_of(const sw_dem_row *row, int c) { return (&row->stress_11)[c]; }

static double strain_of(const sw_dem_row *row, int c) { return (&row->strain_11)[c]; }

/* Records of a stage, [*n]. */
static const sw_dem_row *rows_of(sw_dem *dem, int stage, int64_t *n)
{
    int64_t all;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &all), *end = row + all;
    while (row < end && row->stage < stage)
        row++;
    for (*n = 0; row + *n < end && row[*n].stage == stage;)
        ++*n;
    assert_true(*n > 0);
    return row;
}

/* ---- The servo ---- */

/* To twice the pressure, to rest, and held there. */
static void pressure_is_reached_and_held(void **state)
{
    (void)state;
    sw_dem_stage stage[2] = {dem_isotropic(2 * pressure, rate_of(0.01), -1),
                             dem_isotropic(2 * pressure, rate_of(0.01), -1)};
    stage[1].until = SW_DEM_UNTIL_STEPS;
    stage[1].goal = 3000;
    sw_dem *dem = open_dense(20, 2, stage);
    dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n);
    assert_true(row[n - 1].unbalanced_force <= 0.01);
    row = rows_of(dem, 1, &n);
    double worst = 0;
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            worst = greatest(worst, fabs(stress_of(&row[i], c) / (2 * pressure) - 1));
    print_message("held to %g, unbalanced %g\n", worst, row[n - 1].unbalanced_force);
    CHECK_CLOSE(worst, 0, 0.01);
    CHECK_CLOSE(row[n - 1].unbalanced_force, 0, 0.01);
    sw_dem_close(dem);
}

/* Lateral stresses held to 1 %, and then dq / dp = 3. */
static void drained_tests_hold_lateral_stress(void **state)
{
    (void)state;
    const double rate = rate_of(1e-3);
    sw_dem_stage stage[2] = {dem_isotropic(pressure, rate, -1), dem_drained(pressure, rate, 0.03)};
    for (int c = 3; c < SW_DEM_SIX; c++) /* the axes stay principal: q is the difference of stresses */
        stage[1].stress_driven[c] = 1;
    sw_dem *dem = open_dense(20, 2, stage);
    dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 1, &n);
    double worst = 0, square = 0, pp = 0, pq = 0, p = 0, q = 0, sheared = 0;
    for (int64_t i = 0; i < n; i++) {
        double off[2];
        for (int c = 0; c < 2; c++) {
            off[c] = stress_of(&row[i], c) / pressure - 1;
            worst = greatest(worst, fabs(off[c]));
            square += off[c] * off[c] / (2 * (double)n);
        }
        CHECK_CLOSE(row[i].pressure, (row[i].stress_11 + row[i].stress_22 + row[i].stress_33) / 3,
                    1e-12 * row[i].pressure);
        if (row[i].deviator < 0.5 * pressure) /* q is a size: noise makes it larger where it is small */
            continue;
        sheared++;
        p += row[i].pressure;
        q += row[i].deviator;
    }
    p /= sheared;
    q /= sheared;
    for (int64_t i = 0; i < n; i++)
        if (row[i].deviator >= 0.5 * pressure) {
            pp += (row[i].pressure - p) * (row[i].pressure - p);
            pq += (row[i].pressure - p) * (row[i].deviator - q);
        }
    print_message("%d records of %d steps, lateral stress off by %g, %g rms; dq/dp %g; q %g to %g, e_v %g\n",
                  (int)n, (int)row[n - 1].step, worst, sqrt(square), pq / pp, row[0].deviator,
                  row[n - 1].deviator, row[n - 1].volume_strain);
    CHECK_CLOSE(worst, 0, 0.01);
    CHECK_CLOSE(pq / pp, 3, 0.03);
    CHECK_CLOSE(row[n - 1].strain_33, 0.03, 1e-12 + rate * row[n - 1].time_step);
    CHECK_CLOSE(row[n - 1].volume_strain, row[n - 1].strain_11 + row[n - 1].strain_22 + row[n - 1].strain_33,
                1e-4);
    sw_dem_close(dem);
}

/* Volume held: each step multiplies it by det(1 + dt L) = 1 - (dt rate)^2 3/4 and higher for a trace-free L
 * of (1/2, 1/2, -1) rate: by 3/4 strain (dt rate) in all, and round-off. */
static void undrained_tests_hold_the_volume(void **state)
{
    (void)state;
    const double rate = rate_of(5e-3);
    sw_dem_stage stage = dem_steps(0);
    stage.until = SW_DEM_UNTIL_STRAIN;
    stage.component = 2;
    stage.goal = 0.03;
    stage.velocity_gradient[0][0] = stage.velocity_gradient[1][1] = 0.5 * rate;
    stage.velocity_gradient[2][2] = -rate;
    sw_dem *dem = open_dense(50, 1, &stage);
    const sw_dem_rve *rve = dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n);
    for (int64_t i = 0; i < n; i++) {
        const double drift = 0.75 * row[i].strain_33 * rate * row[i].time_step;
        /* a record's volume is that before its last step */
        CHECK_CLOSE(row[i].volume_strain, drift,
                    2 * 0.75 * rate * rate * row[i].time_step * row[i].time_step + row[i].step * 4e-16);
        CHECK_CLOSE(row[i].volume_strain, 0, 1e-6);
    }
    /* dilation that is held back raises the pressure */
    assert_true(row[n - 1].pressure > 1.5 * pressure);
    CHECK_CLOSE(row[n - 1].strain_33, 0.03, 1.01 * rate * rve->state->time_step);
    print_message("undrained: volume strain %g, pressure %g\n", row[n - 1].volume_strain,
                  row[n - 1].pressure);
    sw_dem_close(dem);
}

/* Mean stress held while axis 3 is shortened: lateral targets follow the axial stress. */
static void mean_stress_is_held(void **state)
{
    (void)state;
    const double rate = rate_of(5e-4);
    sw_dem_stage stage = dem_drained(pressure, rate, 0.01);
    for (int c = 0; c < 2; c++) {
        stage.stress[c] = 1.5 * pressure;
        stage.follow[c] = -0.5;
    }
    sw_dem *dem = open_dense(50, 1, &stage);
    dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n);
    double worst = 0;
    for (int64_t i = n / 20; i < n; i++)
        worst = greatest(worst, fabs(row[i].pressure / pressure - 1));
    print_message("mean stress off by %g while q is %g\n", worst, row[n - 1].deviator);
    assert_true(row[n - 1].deviator > 0.8 * pressure);
    CHECK_CLOSE(worst, 0, 0.02);
    sw_dem_close(dem);
}

/* All six stresses along a line in stress space, in a given time: true triaxial and shear. */
static void stress_paths_are_followed(void **state)
{
    (void)state;
    static const double to[SW_DEM_SIX] = {1.0e5, 1.3e5, 1.7e5, 0.1e5, -0.15e5, 0.2e5};
    const double rate = rate_of(2e-3), ramp = 5e-3 / rate;
    sw_dem_stage stage[2] = {dem_isotropic(pressure, rate, -1), dem_isotropic(pressure, rate, -1)};
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < SW_DEM_SIX; c++) {
            stage[s].stress_driven[c] = 1;
            stage[s].stress[c] = s == 1 ? to[c] : c < 3 ? pressure : 0;
        }
    stage[0].goal = 1e-3;
    stage[0].stress_tolerance = 1e-3;
    stage[1].ramp = ramp;
    stage[1].goal = 1e-3;
    stage[1].stress_tolerance = 1e-3;
    sw_dem *dem = open_dense(20, 2, stage);
    dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n), start = row[n - 1];
    double worst = 0;
    row = rows_of(dem, 1, &n);
    for (int64_t i = 0; i < n; i++) {
        const double part = fmin((row[i].time - start.time) / ramp, 1);
        for (int c = 0; c < SW_DEM_SIX; c++) {
            const double from = stress_of(&start, c);
            worst = greatest(worst, fabs(stress_of(&row[i], c) - from - part * (to[c] - from)) / pressure);
        }
    }
    print_message("path off by %g in %d records, at the end by %g\n", worst, (int)n,
                  fabs(row[n - 1].stress_33 - to[2]) / pressure);
    CHECK_CLOSE(worst, 0, 0.02);
    assert_true(row[n - 1].time - start.time >= ramp && row[n - 1].unbalanced_force <= 1e-3);
    for (int c = 0; c < SW_DEM_SIX; c++)
        CHECK_CLOSE(stress_of(&row[n - 1], c), to[c], 1e-3 * to[2]);
    sw_dem_close(dem);
}

/* ---- What ends a stage ---- */

/* Strains, volumes and times are known before: a stage ends in the step that gets there. */
static void stages_end_at_their_goals(void **state)
{
    (void)state;
    const double rate = rate_of(0.01);
    sw_dem_stage squeeze = dem_steps(0), stage;
    for (int k = 0; k < 3; k++)
        squeeze.velocity_gradient[k][k] = -rate;
    sw_dem *dem = open_dense(1000000, 0, NULL); /* a record at each goal */
    const sw_dem_rve *rve = sw_dem_get(dem, 0);
    const double dt = rve->state->time_step;
    const sw_dem_row *row;
    int64_t n, all = 0;
    double before, volume;
    assert_true(rve->state->status == SW_DEM_DONE);
#define RUN_STAGE()                                   \
    do {                                              \
        CHECK_OK(sw_dem_add_stage(dem, 0, &stage));   \
        rve = dem_finish(dem);                        \
        row = sw_dem_rows(dem, 0, &n) + n - 1;        \
        assert_true(n == ++all);                      \
        assert_true(row->stage == (double)(all - 1)); \
    } while (0)

    stage = squeeze;
    for (int steps = 1; steps < 200; steps += 33) { /* multiples of the control interval or not */
        const int64_t begun = rve->state->step;
        stage.goal = steps;
        RUN_STAGE();
        assert_int_equal(rve->state->step - begun, steps);
    }

    stage.until = SW_DEM_UNTIL_TIME;
    stage.goal = 57.5 * dt;
    before = rve->state->time;
    RUN_STAGE();
    CHECK_CLOSE(rve->state->time - before, 58 * dt, 1e-9 * dt);

    stage.until = SW_DEM_UNTIL_STRAIN;
    for (int c = 0; c < SW_DEM_SIX; c++) { /* and of either sign */
        const int i = sw_six_row(c), j = sw_six_column(c);
        memset(stage.velocity_gradient, 0, sizeof stage.velocity_gradient);
        stage.velocity_gradient[i][j] = c % 2 ? -2 * rate : 2 * rate;
        stage.component = c;
        stage.goal = 123.4 * rate * dt;
        before = rve->state->strain[c];
        RUN_STAGE();
        const double speed = c < 3 ? 2 * rate : rate;
        const double reached = fabs(rve->state->strain[c] - before) / (speed * dt);
        CHECK_CLOSE(reached, ceil(c < 3 ? 61.7 : 123.4) + 1, 1e-6); /* and the step after the measurement */
        assert_true((rve->state->strain[c] - before) * (c % 2 ? 1 : -1) > 0);
        CHECK_CLOSE(strain_of(row, c), rve->state->strain[c] - (c % 2 ? 1 : -1) * speed * dt, 1e-15);
    }

    stage = squeeze; /* these at measurements: within 10 steps */
    stage.until = SW_DEM_UNTIL_VOLUME_STRAIN;
    stage.goal = 1e-3;
    volume = rve->state->cell.volume;
    RUN_STAGE();
    CHECK_CLOSE(log(volume / rve->state->cell.volume), 1e-3, 3 * rate * dt * 11);
    assert_true(log(volume / rve->state->cell.volume) >= 1e-3);

    stage.until = SW_DEM_UNTIL_PRESSURE;
    stage.goal = row->pressure * 1.3;
    RUN_STAGE();
    assert_true(row->pressure >= stage.goal && row->pressure < 1.1 * stage.goal);

    for (int down = 0; down < 2; down++) { /* from above, and from below */
        stage = squeeze;
        for (int k = 0; k < 3; k++)
            stage.velocity_gradient[k][k] *= down ? -1 : 1;
        stage.until = SW_DEM_UNTIL_VOID_RATIO;
        before = rve->state->cell.volume / rve->solid_volume - 1;
        stage.goal = before + (down ? 0.002 : -0.002);
        RUN_STAGE();
        assert_true(down ? row->void_ratio >= stage.goal : row->void_ratio <= stage.goal);
        CHECK_CLOSE(row->void_ratio, stage.goal, 3 * rate * dt * 11 * 2);
    }
#undef RUN_STAGE
    sw_dem_close(dem);
}

/* Stresses and unbalanced force as asked for, three times in a row; friction of a stage and its decay;
 * strains that start again; stages without records; rates that wait for rest. */
static void stages_have_options(void **state)
{
    (void)state;
    const double rate = rate_of(0.01);
    sw_dem_stage stage[4] = {dem_isotropic(1.2 * pressure, rate, 0.3),
                             dem_isotropic(1.2 * pressure, rate, 0.3),
                             dem_isotropic(1.2 * pressure, rate, -1), dem_steps(40)};
    stage[0].goal = 2e-3;
    stage[0].stress_tolerance = 5e-3;
    stage[1].friction_decay = 0.02;
    stage[1].until = SW_DEM_UNTIL_STEPS;
    stage[1].goal = 2000;
    stage[2].unrecorded = 1;
    stage[3].zero_strain = 1;
    sw_dem *dem = open_dense(10, 4, stage);
    const sw_dem_rve *rve = dem_finish(dem);
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n), *last = row + n - 1;
    for (int c = 0; c < 3; c++)
        CHECK_CLOSE(stress_of(last, c), 1.2 * pressure, 5e-3 * 1.2 * pressure);
    assert_true(last->unbalanced_force <= 2e-3 && last->friction == 0.3);
    row = rows_of(dem, 1, &n);
    last = row + n - 1;
    assert_true(last->friction < 0.1 && last->void_ratio < row->void_ratio);
    for (int64_t i = 1; i < n; i++)
        assert_true(row[i].friction <= row[i - 1].friction);
    const sw_dem_row *all = sw_dem_rows(dem, 0, &n);
    for (int64_t i = 0; i < n; i++)
        assert_true(all[i].stage != 2);
    row = rows_of(dem, 3, &n);
    CHECK_CLOSE(row[n - 1].friction, rve->material[0].friction, 1e-15);
    for (int c = 0; c < SW_DEM_SIX; c++)
        assert_true(strain_of(&row[n - 1], c) == 0);
    CHECK_CLOSE(row[n - 1].volume_strain, 0, 1e-15);
    sw_dem_close(dem);

    /* hot spheres: nothing is strained until they are slow */
    sw_dem_packing hot = dem_pack_lattice(64, 5e-5, 1.25e-4, 1.001, 0, 3);
    const sw_dem_material m = soft();
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_stage slow = dem_steps(1500);
    for (int64_t i = 0; i < hot.n_particles; i++)
        for (int k = 0; k < 3; k++)
            hot.velocity[i][k] = 3 * dem_random(1, i, k);
    numerics.record_interval = 1;
    numerics.damping = 0.4;
    slow.wait_for_rest = 1;
    for (int k = 0; k < 3; k++)
        slow.velocity_gradient[k][k] = -100;
    dem = dem_open(NULL, &hot, &m, &numerics, 1, &slow);
    rve = dem_finish(dem);
    all = sw_dem_rows(dem, 0, &n);
    int paused = 0, moved = 0;
    int before = 0;
    for (int64_t i = 1; i + 1 < n; i++) {
        const int hotter = all[i].kinetic_energy > all[i].elastic_energy && all[i].contacts > 0;
        const double strain = all[i + 1].strain_11 - all[i].strain_11;
        /* between two measurements lie the last step of one interval and the others of the next */
        if (i > 1 && hotter == before) {
            paused += hotter;
            moved += !hotter;
            assert_true(hotter ? fabs(strain) < 1e-15 : strain > 0);
        }
        before = hotter;
    }
    print_message("paused at %d of %d\n", paused, (int)n);
    assert_true(paused > 0 && moved > 0);
    sw_dem_close(dem);
    sw_dem_packing_free(&hot);
}

/* A rate that the servo cannot follow fails where a bound is given, and is measured where none is. The way to
 * another pressure, and a ramp, are no errors. */
static void the_servo_is_watched(void **state)
{
    (void)state;
    sw_dem_stage stage[2] = {dem_isotropic(pressure, rate_of(0.01), -1),
                             dem_drained(pressure, rate_of(0.5), 0.05)};
    int64_t n;
    double most = 0;
    sw_dem *dem = open_dense(20, 2, stage);
    dem_finish(dem);
    const sw_dem_row *row = rows_of(dem, 1, &n);
    for (int64_t i = 0; i < n; i++)
        most = greatest(most, row[i].servo_error);
    const double off =
        fmax(fabs(row[n - 1].stress_11 / pressure - 1), fabs(row[n - 1].stress_22 / pressure - 1));
    CHECK_CLOSE(row[n - 1].servo_error, off, 1e-12 * off);
    print_message("off by up to %g at an inertia number of 0.5\n", most);
    assert_true(most > 0.5);
    sw_dem_close(dem);

    stage[1].most_servo_error = 0.2;
    dem = open_dense(20, 2, stage);
    CHECK_OK(sw_dem_run(dem, NULL, NULL));
    assert_true(sw_dem_failure(dem, 0) == SW_ERR_CONVERGENCE);
    assert_message_has("need at most 20 %; inertia number ");
    sw_dem_close(dem);

    sw_dem_stage way = dem_isotropic(3 * pressure, rate_of(1e-3), -1);
    way.until = SW_DEM_UNTIL_STEPS;
    way.goal = 200;
    way.most_servo_error = 0.01; /* far from there all the time, or ramped */
    for (int ramped = 0; ramped < 2; ramped++) {
        way.ramp = ramped ? 1 : 0;
        dem = open_dense(20, 1, &way);
        dem_finish(dem);
        row = rows_of(dem, 0, &n);
        for (int64_t i = 0; i < n; i++)
            assert_true(row[i].servo_error == 0);
        sw_dem_close(dem);
    }
}

/* ---- Rows ---- */

/* Strain is of the positions that stress and volume are of: ln V is its trace to the second order of a step. A step
 * ahead, it would be off by three times the step's strain. */
static void strain_is_of_the_measurement(void **state)
{
    (void)state;
    const double rate = rate_of(0.01);
    sw_dem_stage stage = dem_steps(205);
    stage.zero_strain = 1;
    for (int k = 0; k < 3; k++)
        stage.velocity_gradient[k][k] = -rate;
    sw_dem *dem = open_dense(10, 1, &stage);
    const double dt = dem_finish(dem)->state->time_step;
    int64_t n;
    const sw_dem_row *row = rows_of(dem, 0, &n);
    for (int64_t i = 0; i < n; i++) {
        const double trace = row[i].strain_11 + row[i].strain_22 + row[i].strain_33, steps = row[i].step;
        CHECK_CLOSE(row[i].volume_strain, trace, 3 * steps * rate * dt * rate * dt + 1e-13);
        CHECK_CLOSE(row[i].strain_11, (steps - 1) * rate * dt, 1e-12);
        CHECK_CLOSE(row[i].time, (steps - 1) * dt, 1e-9 * dt * steps);
    }
    assert_true(3 * rate * dt >
                2 * (3 * 205 * rate * dt * rate * dt + 1e-13)); /* a step more would be seen */
    sw_dem_row last;
    sw_dem_last_row(dem, 0, &last);
    assert_true(last.strain_11 == row[n - 1].strain_11 && last.time == row[n - 1].time);
    sw_dem_close(dem);
}

/* Each of six in its place. */
static void rows_have_their_components(void **unused)
{
    (void)unused;
    sw_dem_state state = {.cell.volume = 1, .volume0 = 1};
    const sw_dem_rve rve = {.n_particles = 2,
                            .n_bodies = 2,
                            .mean_radius = 1,
                            .solid_volume = 0.5,
                            .n_materials = 1,
                            .material = {sw_dem_quartz()},
                            .state = &state};
    sw_dem_row row;
    state.sum[SW_DEM_SUM_CONTACTS] = 1;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const int i = sw_six_row(c), j = sw_six_column(c);
        state.seen_strain[c] = 0.01 * (c + 1);
        state.sum[SW_DEM_SUM_FABRIC + c] = 0.1 * (c + 1);
        state.stress[i][j] = state.stress[j][i] = 1e3 * (c + 1);
    }
    sw_dem_fill_row(&rve, &row);
    const double strain[] = {row.strain_11, row.strain_22, row.strain_33,
                             row.strain_23, row.strain_13, row.strain_12},
                 stress[] = {row.stress_11, row.stress_22, row.stress_33,
                             row.stress_23, row.stress_13, row.stress_12},
                 fabric[] = {row.fabric_11, row.fabric_22, row.fabric_33,
                             row.fabric_23, row.fabric_13, row.fabric_12};
    for (int c = 0; c < SW_DEM_SIX; c++)
        assert_true(strain[c] == 0.01 * (c + 1) && stress[c] == 1e3 * (c + 1) && fabric[c] == 0.1 * (c + 1));
    assert_true(row.void_ratio == 1 && row.contacts == 1 && row.coordination == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_their_components),
        cmocka_unit_test(pressure_is_reached_and_held),
        cmocka_unit_test(drained_tests_hold_lateral_stress),
        cmocka_unit_test(undrained_tests_hold_the_volume),
        cmocka_unit_test(mean_stress_is_held),
        cmocka_unit_test(stress_paths_are_followed),
        cmocka_unit_test(the_servo_is_watched),
        cmocka_unit_test(stages_end_at_their_goals),
        cmocka_unit_test(stages_have_options),
        cmocka_unit_test(strain_is_of_the_measurement),
    };
    return cmocka_run_group_tests_name("load paths of the DEM", tests, make_dense, free_dense);
}
