/* Walls, sides that are not periodic, and gravity: a sphere that bounces, rests, slides and rolls, against closed forms;
 * packings between platens; and the same bits in any batch. */
#include "tests/online/dem/walled.h"

static const double radius = 1e-3, g = 9.81;

static sw_dem_material grain(sw_dem_law law)
{
    sw_dem_material m = {.law = law, .young = 1e8, .poisson = 0.3, .friction = 0.5, .density = 2500};
    dem_make_sticky(&m);
    return m;
}

/* One sphere above the floor of a box that is open elsewhere. */
typedef struct {
    sw_dem_packing pack;
    sw_dem_material material;
    sw_dem_numerics numerics;
    sw_dem_stage stage;
    sw_dem_wall wall;
    sw_dem_sample sample;
} box;

static void make_box(box *b, sw_dem_law law, double height)
{
    *b = (box){.pack = dem_pack(1, 2e-2, 2e-2, 2e-2), .material = grain(law)};
    b->pack.radius[0] = radius;
    b->pack.position[0][0] = b->pack.position[0][1] = 1e-2;
    b->pack.position[0][2] = height;
    b->numerics = sw_dem_numerics_defaults();
    b->numerics.damping = 0;
    b->numerics.step_rule = SW_DEM_STEP_FIXED;
    b->numerics.control_interval = 1;
    b->numerics.record_interval = 1;
    b->numerics.skin = 1;
    b->sample = (sw_dem_sample){.side = {SW_DEM_OPEN, SW_DEM_OPEN, SW_DEM_WALLED}, .side_friction = -1};
}

/* Runs for so long; returns the element, of *dem. */
static const sw_dem_rve *run_box(box *b, double time, double step, sw_dem **dem)
{
    const sw_dem_options options = sw_dem_defaults();
    b->numerics.step = step;
    b->stage = dem_steps(rint(time / step));
    b->sample.packing = b->pack;
    b->sample.material = b->material;
    b->sample.numerics = b->numerics;
    b->sample.n_stages = 1;
    b->sample.stage = &b->stage;
    CHECK_OK(sw_dem_open(&options, 1, &b->sample, dem));
    return dem_finish(*dem);
}

static double mass_of(const box *b) { return dem_mass(&b->material, radius); }

/* ---- One sphere ---- */

/* Of the linear law K = 2 E r: contact lasts half an oscillation. Of Hertz with R = r, E* = E / (1 - nu^2) 2.868 (m^2 /
 * (R E*^2 v))^(1/5): test_contact.c. The rebound is the approach. Errors as there, (w dt)^2 / 8 of a rebound. */
static void a_sphere_bounces_off_a_rigid_plane(void **state)
{
    (void)state;
    for (int hertz = 0; hertz < 2; hertz++)
        for (int side = 0; side < 2; side++) {
            box b;
            sw_dem *dem;
            const double speed = 0.1;
            make_box(&b, hertz ? SW_DEM_HERTZ_MINDLIN : SW_DEM_LINEAR, 0);
            const double m = mass_of(&b), e = b.material.young / (1 - 0.09);
            const double lasts = hertz ? 2.86827 * pow(m * m / (radius * e * e * speed), 0.2)
                                       : SW_PI * sqrt(m / (2 * b.material.young * radius));
            const double dt = lasts / 400.5, away = 20 * speed * dt;
            b.pack.position[0][2] = side == 0 ? radius + away : 2e-2 - radius - away;
            b.pack.velocity[0][2] = side == 0 ? -speed : speed;
            const double time = 2 * lasts;
            const sw_dem_rve *rve = run_box(&b, time, dt, &dem);
            const double sign = side == 0 ? 1 : -1, moved = fabs(rve->position[0][2] - b.pack.position[0][2]);
            const double flies = dt * (double)rve->state->step - lasts - 20 * dt;
            CHECK_CLOSE(sign * rve->velocity[0][2], speed, pow(SW_PI / 400, 2) / 8 * speed);
            CHECK_CLOSE(moved, speed * flies - away, 2e-3 * speed * lasts);
            CHECK_CLOSE(rve->velocity[0][0], 0, 0);
            sw_dem_close(dem);
            sw_dem_packing_free(&b.pack);
        }
}

/* At rest it presses the floor with its weight, and lies m g / K deep. */
static void a_sphere_rests_on_its_weight(void **state)
{
    (void)state;
    box b;
    sw_dem *dem;
    make_box(&b, SW_DEM_LINEAR, radius);
    const double m = mass_of(&b), k = 2 * b.material.young * radius, unit = sqrt(m / k);
    b.numerics.damping = 0.5;
    b.sample.gravity[2] = -g;
    const sw_dem_rve *rve = run_box(&b, 200 * unit, 0.1 * unit, &dem);
    CHECK_CLOSE(rve->state->wall_sum[SW_DEM_WALL_FORCE], m * g, 1e-6 * m * g);
    CHECK_CLOSE(radius - rve->position[0][2], m * g / k, 1e-6 * m * g / k + 1e-17);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    assert_true(row[n - 1].wall_contacts == 1 && row[n - 1].contacts == 0);
    CHECK_CLOSE(row[n - 1].stress_33, m * g * radius / 8e-6,
                1e-4 * m * g * radius / 8e-6); /* weight times branch */
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
}

/* What touches a wall alone is at rest when its resultant is little beside what it presses the wall with. */
static void rest_on_a_wall_alone_is_found(void **state)
{
    (void)state;
    const sw_dem_options options = sw_dem_defaults();
    box b;
    sw_dem *dem;
    int64_t n;
    make_box(&b, SW_DEM_LINEAR, 1.5 * radius); /* it falls first: nothing touches, and that is no rest */
    const double m = mass_of(&b), k = 2 * b.material.young * radius;
    b.numerics.damping = 0.5;
    b.numerics.step = 0.1 * sqrt(m / k);
    b.stage = dem_isotropic(0, 1, -1);
    for (int c = 0; c < 3; c++)
        b.stage.stress_driven[c] = 0;
    b.stage.goal = 1e-4;
    b.sample.packing = b.pack;
    b.sample.material = b.material;
    b.sample.numerics = b.numerics;
    b.sample.gravity[2] = -g;
    b.sample.n_stages = 1;
    b.sample.stage = &b.stage;
    CHECK_OK(sw_dem_open(&options, 1, &b.sample, &dem));
    const sw_dem_rve *rve = dem_finish(dem);
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    CHECK_CLOSE(rve->state->wall_sum[SW_DEM_WALL_FORCE], m * g, 1e-3 * m * g);
    assert_true(row[n - 1].unbalanced_force > 0 && row[n - 1].unbalanced_force <= 1e-4);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
}

/* Dropped from a height it comes back there, and energy is kept: of the leapfrog to (w dt)^2 / 8, and of where in a step
 * the contact begins and ends. */
static void a_bouncing_sphere_keeps_its_energy(void **state)
{
    (void)state;
    box b;
    sw_dem *dem;
    const double height = 5e-3, falls = sqrt(2 * (height - radius) / g);
    make_box(&b, SW_DEM_LINEAR, height);
    b.material.young = 1e6;
    const double unit = sqrt(mass_of(&b) / (2 * b.material.young * radius));
    b.sample.gravity[2] = -g;
    const sw_dem_rve *rve = run_box(&b, 2 * falls + SW_PI * unit, 0.02 * unit, &dem);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    /* at the top it moves as the square of the time that it is off by, some of the contact's */
    CHECK_CLOSE(rve->position[0][2], height, 2e-3 * height);
    const double had = mass_of(&b) * g * (height - radius);
    CHECK_CLOSE(dem_imbalance(&row[n - 1]) - dem_imbalance(&row[0]), 0, 1e-3 * had);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
}

/* On a plane that is inclined by 20 degrees, tan = 0.364: with a friction above 2/7 of it a sphere rolls at 5/7 g sin,
 * else it slides at g (sin - mu cos) and spins at 5/2 mu g cos / r. The floor tilts, or gravity does. */
static void a_sphere_rolls_and_slides_down(void **state)
{
    (void)state;
    const double tilt = 20 * SW_PI / 180, s = sin(tilt), c = cos(tilt);
    for (int tilted = 0; tilted < 2; tilted++)
        for (int slides = 0; slides < 2; slides++) {
            box b;
            sw_dem *dem;
            make_box(&b, SW_DEM_LINEAR, 1e-2);
            b.material.friction = slides ? 0.05 : 0.2;
            const double k = 2 * b.material.young * radius, unit = sqrt(mass_of(&b) / k);
            const double down[3] = {tilted ? c : 1, 0, tilted ? -s : 0},
                         up[3] = {tilted ? s : 0, 0, tilted ? c : 1};
            const double deep = mass_of(&b) * g * c / k;
            b.wall = (sw_dem_wall){.shape = SW_DEM_PLANE, .friction = -1};
            for (int i = 0; i < 3; i++) {
                b.wall.axis[i] = 3 * up[i];
                b.wall.point[i] = b.pack.position[0][i] - (radius - deep) * up[i] + 1e-3 * down[i];
                b.sample.gravity[i] = g * (s * down[i] - c * up[i]);
            }
            b.sample.side[2] = SW_DEM_OPEN;
            b.sample.n_walls = 1;
            b.sample.wall = &b.wall;
            const double time = 2000 * unit;
            const sw_dem_rve *rve = run_box(&b, time, 0.1 * unit, &dem);
            const double along = sw_dem_dot(rve->velocity[0], down);
            const double expected = slides ? g * (s - 0.05 * c) * time : 5.0 / 7 * g * s * time;
            const double spin = slides ? 2.5 * 0.05 * g * c / radius * time : expected / radius;
            /* friction swings about what rolling needs, by the tangential spring's period: some 1 / 2000 */
            CHECK_CLOSE(along, expected, 2e-3 * expected);
            CHECK_CLOSE(rve->spin[0][1], spin, 2e-3 * spin);
            CHECK_CLOSE(sw_dem_dot(rve->velocity[0], up), 0, 1e-3 * expected);
            sw_dem_close(dem);
            sw_dem_packing_free(&b.pack);
        }
}

/* In a lying cylinder of radius R it swings as a pendulum of 7/5 (R - r); around one it goes as on a plane, from above. */
static void a_sphere_swings_in_a_cylinder(void **state)
{
    (void)state;
    box b;
    sw_dem *dem;
    const double big = 8e-3, from = 0.05, length = 1.4 * (big - radius), w = sqrt(g / length);
    make_box(&b, SW_DEM_LINEAR, 0);
    b.material.young = 1e6;
    const double deep = mass_of(&b) * g / (2 * b.material.young * radius);
    b.wall = (sw_dem_wall){.shape = SW_DEM_CYLINDER,
                           .point = {1e-2, 0, 1e-2},
                           .axis = {0, -2, 0},
                           .radius = big,
                           .friction = 0.9};
    b.pack.position[0][0] = 1e-2 + (big - radius + deep) * sin(from);
    b.pack.position[0][2] = 1e-2 - (big - radius + deep) * cos(from);
    b.sample.gravity[2] = -g;
    b.sample.side[1] = SW_DEM_PERIODIC;
    b.sample.side[2] = SW_DEM_OPEN;
    b.sample.n_walls = 1;
    b.sample.wall = &b.wall;
    const double unit = sqrt(mass_of(&b) / (2 * b.material.young * radius)), time = 0.5 * SW_PI / w;
    const sw_dem_rve *rve =
        run_box(&b, time, 0.1 * unit, &dem); /* a quarter: at the bottom, at its fastest */
    const double fastest = from * w * (big - radius);
    CHECK_CLOSE(rve->position[0][0], 1e-2, 0.02 * from * big);
    CHECK_CLOSE(-rve->velocity[0][0], fastest, 0.01 * fastest); /* the amplitude's share is 1e-4 */
    CHECK_CLOSE(-rve->spin[0][1] * radius, rve->velocity[0][0] * -1, 0.03 * fastest);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
}

/* A plate that moves by its velocity pushes a sphere to itself (momentum: 2 v), and has done what the sphere then has. */
static void a_moving_plate_does_work(void **state)
{
    (void)state;
    box b;
    sw_dem *dem;
    const double speed = 0.2;
    make_box(&b, SW_DEM_LINEAR, 1e-2);
    const double unit = sqrt(mass_of(&b) / (2 * b.material.young * radius));
    b.wall = (sw_dem_wall){.shape = SW_DEM_PLANE,
                           .axis = {0, 0, 1},
                           .point = {0, 0, 1e-2 - radius - 0.3 * speed * unit},
                           .velocity = {0, 0, speed},
                           .friction = -1};
    b.sample.side[2] = SW_DEM_OPEN;
    b.sample.n_walls = 1;
    b.sample.wall = &b.wall;
    const sw_dem_rve *rve = run_box(&b, 5 * unit, 0.01 * unit, &dem);
    CHECK_CLOSE(rve->velocity[0][2], 2 * speed, 1e-4 * speed);
    const double kinetic = 0.5 * mass_of(&b) * pow(2 * speed, 2);
    CHECK_CLOSE(rve->state->work[SW_DEM_WORK_BOUNDARY], kinetic, 1e-3 * kinetic);
    sw_dem_close(dem);
    sw_dem_packing_free(&b.pack);
}

/* ---- Packings ---- */

enum { GRAINS = 64 };
static const double pressure = 1e5, least = 5e-5, largest = 1.25e-4;

/* Loose grains between platens or periodic sides, and a lid where there is gravity. */
static sw_dem_packing loose_pack(uint64_t seed)
{
    return dem_pack_lattice(GRAINS, least, largest, 1.02, 0, seed);
}

static sw_dem_stage pressed(double at, double rate)
{
    sw_dem_stage stage = dem_isotropic(at, rate, 0.1);
    stage.goal = 2e-3;
    stage.stress_tolerance = 1e-3;
    return stage;
}

/* Six platens hold a stress each: what they are pressed with over their area is the stress of all contacts (Love and
 * Weber), to what is not balanced; and each pair of them bears the same. */
static void platens_bear_the_stress(void **state)
{
    (void)state;
    const sw_dem_material m = sw_dem_quartz();
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_packing pack = loose_pack(3);
    const double rate = dem_rate(&m, 8.75e-5, pressure, 0.02);
    sw_dem_stage stage[2] = {pressed(pressure, rate), pressed(pressure, rate)};
    for (int c = 0; c < 3; c++)
        stage[1].stress[c] = pressure * (1 + 0.3 * c);
    const sw_dem_sample sample = {.packing = pack,
                                  .material = m,
                                  .numerics = sw_dem_numerics_defaults(),
                                  .n_stages = 2,
                                  .stage = stage,
                                  .side = {SW_DEM_WALLED, SW_DEM_WALLED, SW_DEM_WALLED},
                                  .side_friction = 0};
    sw_dem *dem;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    const sw_dem_rve *rve = dem_finish(dem);
    const sw_dem_cell *cell = &rve->state->cell;
    assert_int_equal(rve->n_walls, 6);
    for (int face = 0; face < 6; face++) {
        const int k = face / 2;
        const double area = cell->volume / cell->h[k][k];
        const double of_face = rve->state->wall_sum[face * SW_DEM_WALL_SUMS + SW_DEM_WALL_FORCE] / area;
        CHECK_CLOSE(of_face, sw_dem_stress_component(rve->state, k), 4e-3 * pressure);
        CHECK_CLOSE(of_face, stage[1].stress[k], 6e-3 * pressure);
    }
    for (int64_t i = 0; i < GRAINS; i++) /* all inside, and no pair across */
        for (int k = 0; k < 3; k++)
            assert_true(rve->position[i][k] > 0.9 * rve->radius[i] &&
                        rve->position[i][k] < cell->h[k][k] - 0.9 * rve->radius[i]);
    for (int64_t p = 0; p < rve->state->n_pairs; p++)
        assert_int_equal(rve->pair[p][1] >> SW_DEM_PAIR_BITS, SW_DEM_NO_SHIFT);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* Grains fall onto a floor between periodic sides, and come to rest: the floor bears their weight, stresses grow with
 * depth so that their mean is the weight times the height of the centre of mass. Then a lid comes down by force. */
static void grains_settle_and_a_lid_presses_them(void **state)
{
    (void)state;
    sw_dem_material m = sw_dem_quartz();
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_packing pack = loose_pack(4);
    double weight = 0, moment = 0;
    m.young = 1e7; /* for long steps */
    pack.cell[2][2] *= 1.5;
    sw_dem_stage stage = dem_isotropic(0, 1, -1);
    for (int c = 0; c < 3; c++)
        stage.stress_driven[c] = 0;
    stage.goal = 1e-4;
    sw_dem_wall lid = {.shape = SW_DEM_PLANE,
                       .axis = {0, 0, -1},
                       .point = {0, 0, 0.98 * pack.cell[2][2]},
                       .force_driven = 0,
                       .friction = 0.3};
    sw_dem_sample sample = {.packing = pack,
                            .material = m,
                            .numerics = sw_dem_numerics_defaults(),
                            .n_stages = 1,
                            .stage = &stage,
                            .side = {SW_DEM_PERIODIC, SW_DEM_PERIODIC, SW_DEM_WALLED},
                            .side_friction = -1,
                            .n_walls = 1,
                            .wall = &lid,
                            .gravity = {0, 0, -g}};
    sw_dem *dem;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    const sw_dem_rve *rve = dem_finish(dem);
    for (int64_t i = 0; i < GRAINS; i++) {
        weight += dem_mass(&m, pack.radius[i]) * g;
        moment += dem_mass(&m, pack.radius[i]) * g * rve->position[i][2];
    }
    CHECK_CLOSE(rve->state->wall_sum[SW_DEM_WALL_FORCE], weight, 1e-3 * weight);
    CHECK_CLOSE(sw_dem_stress_component(rve->state, 2) * rve->state->cell.volume, moment, 2e-3 * moment);
    sw_dem_packing settled;
    CHECK_OK(sw_dem_get_packing(dem, 0, &settled));
    sw_dem_close(dem);
    sample.packing = settled;
    lid.force_driven = 1;
    lid.force = 50 * weight;
    lid.max_speed = 0.2;
    stage = dem_steps(60000);
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    rve = dem_finish(dem);
    sw_dem_row row;
    sw_dem_last_row(dem, 0, &row);
    CHECK_CLOSE(row.wall_force_1, lid.force, 5e-3 * lid.force);
    CHECK_CLOSE(rve->state->wall_sum[SW_DEM_WALL_FORCE], lid.force + weight, 5e-3 * lid.force);
    assert_true(row.wall_travel_1 < -0.2 * pack.cell[2][2]);
    sw_dem_close(dem);
    sw_dem_packing_free(&settled);
    sw_dem_packing_free(&pack);
}

/* ---- Bits ---- */

/* Alone, together, and saved and restored on the way. */
static void batches_are_their_elements_alone(void **state)
{
    (void)state;
    walled b;
    sw_dem *all, *alone, *half;
    const sw_dem_options options = sw_dem_defaults();
    make_walled(&b, 64, 2500, 0.1);
    CHECK_OK(sw_dem_open(&options, WALLED, b.sample, &all));
    CHECK_OK(sw_dem_run(all, NULL, NULL));
    for (int r = 0; r < WALLED; r++) {
        void *bytes;
        int64_t length;
        CHECK_OK(sw_dem_failure(all, r));
        CHECK_OK(sw_dem_open(&options, 1, &b.sample[r], &alone));
        dem_finish(alone);
        walled_same_bits(all, r, alone, 0);
        sw_dem_row row;
        sw_dem_last_row(alone, 0, &row);
        assert_true(b.sample[r].side[2] == SW_DEM_PERIODIC || row.wall_contacts > 3); /* they met */
        assert_true(row.contacts > 10);
        b.sample[r].n_stages = 1;
        CHECK_OK(sw_dem_open(&options, 1, &b.sample[r], &half));
        dem_finish(half);
        CHECK_OK(sw_dem_save(half, 0, &length, &bytes));
        sw_dem_close(half);
        CHECK_OK(sw_dem_open(&options, 1, &b.sample[r], &half));
        CHECK_OK(sw_dem_restore(half, 0, length, bytes));
        CHECK_OK(sw_dem_add_stage(half, 0, &b.stage[r][1]));
        dem_finish(half);
        walled_same_bits(all, r, half, 0);
        free(bytes);
        sw_dem_close(alone);
        sw_dem_close(half);
    }
    sw_dem_close(all);
    free_walled(&b);
}

/* ---- Refused ---- */

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_options launches = options;
    launches.images = SW_DEM_BOUNDARY_PARTICLES;
    for (int i = 0; i < 8; i++) {
        box b;
        sw_dem *dem;
        make_box(&b, SW_DEM_LINEAR, 5e-3);
        b.stage = dem_steps(1);
        b.numerics.step = 1e-6;
        b.wall = (sw_dem_wall){.axis = {0, 0, 1}, .friction = -1};
        b.sample.material = b.material;
        b.sample.n_stages = 1;
        b.sample.stage = &b.stage;
        b.sample.n_walls = 1;
        b.sample.wall = &b.wall;
        switch (i) {
        case 0:
            b.stage.velocity_gradient[0][2] = 1; /* shears platens */
            break;
        case 1:
            b.pack.cell[0][2] = 1e-3; /* leans */
            break;
        case 2:
            b.wall.axis[2] = 0;
            break;
        case 3:
            b.sample.side[2] = SW_DEM_PERIODIC; /* the wall is not as its images */
            break;
        case 4:
            b.wall.point[2] = 5e-3; /* through the sphere */
            break;
        case 5:
            b.wall.force_driven = 1; /* without a bound */
            b.wall.force = 1;
            break;
        case 6:
            b.pack.position[0][2] = 0.4 * radius; /* in the floor */
            b.sample.n_walls = 0;
            break;
        default: /* images of a paper */
            break;
        }
        b.sample.packing = b.pack;
        b.sample.numerics = b.numerics;
        assert_int_equal(sw_dem_open(i == 7 ? &launches : &options, 1, &b.sample, &dem), SW_ERR_RANGE);
        print_message("%s\n", sw_error_message());
        sw_dem_packing_free(&b.pack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_bounces_off_a_rigid_plane),
        cmocka_unit_test(a_sphere_rests_on_its_weight),
        cmocka_unit_test(rest_on_a_wall_alone_is_found),
        cmocka_unit_test(a_bouncing_sphere_keeps_its_energy),
        cmocka_unit_test(a_sphere_rolls_and_slides_down),
        cmocka_unit_test(a_sphere_swings_in_a_cylinder),
        cmocka_unit_test(a_moving_plate_does_work),
        cmocka_unit_test(platens_bear_the_stress),
        cmocka_unit_test(grains_settle_and_a_lid_presses_them),
        cmocka_unit_test(batches_are_their_elements_alone),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("walls of the DEM", tests, NULL, NULL);
}
