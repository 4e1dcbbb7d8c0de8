/* Clumps: their bodies by quadrature, rotations against a finer integration, what collisions conserve, rest on a floor, and
 * packings. That they are the same in any batch: test_walls.c. */
#include "online/dem/packing/union.h"
#include "tests/online/dem/walled.h"

#include <unistd.h>

/* ---- Bodies ---- */

/* Lines are exact along themselves; across, an edge that ends as a square root is off by the step^(3/2), one of 160 per
 * diameter: (1 / 80)^(3/2) / 8 = 2e-4 at most. */
static const double quadrature = 2e-4;

static void unions_are_those_of_formulas(void **state)
{
    (void)state;
    const double r = 1.3, v = 4.0 / 3 * SW_PI * r * r * r;
    for (int i = 0; i <= 4; i++) { /* two spheres, from one in the other to apart */
        const double d = 0.7 * i * r, at[2][3] = {{1, 2, 3}, {1 + 0.6 * d, 2 - 0.48 * d, 3 + 0.64 * d}},
                     radius[2] = {r, r},
                     lens = d < 2 * r ? SW_PI * (4 * r + d) * (2 * r - d) * (2 * r - d) / 12 : 0;
        sw_dem_body body;
        CHECK_OK(sw_dem_union(2, at, radius, &body));
        CHECK_CLOSE(body.volume, 2 * v - lens, quadrature * v);
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(body.centre[k], 0.5 * (at[0][k] + at[1][k]), quadrature * r);
        const double axis[3] = {0.6, -0.48, 0.64};
        double about = 0, trace = 0;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                about += axis[a] * body.inertia[a][b] * axis[b];
                trace += a == b ? body.inertia[a][b] : 0;
                CHECK_CLOSE(body.inertia[a][b], body.inertia[b][a], 1e-12 * v * r * r);
            }
        if (d == 0 || d >= 2 * r) { /* along the axis that of spheres, across with Steiner's part */
            const double one = 0.4 * v * r * r, n = d == 0 ? 1 : 2;
            CHECK_CLOSE(about, n * one, 3 * quadrature * v * r * r);
            CHECK_CLOSE(trace, 3 * n * one + (n - 1) * v * d * d, 10 * quadrature * v * r * r);
        }
    }
}

/* ---- Rotations ---- */

static sw_dem_clump top(void)
{
    sw_dem_clump c = {
        .turn = {0.5, 0.5, -0.5, 0.5}, .momentum = {0.3, 1.7, -0.4}, .mass = 1, .inertia = {1, 2, 3.5}};
    return c;
}

static double spin_energy(const sw_dem_clump *c)
{
    double r[3][3], s[3];
    sw_dem_rotation(c->turn, r);
    sw_dem_body_spin(c, (const double(*)[3])r, c->momentum, s);
    return 0.5 * (c->inertia[0] * s[0] * s[0] + c->inertia[1] * s[1] * s[1] + c->inertia[2] * s[2] * s[2]);
}

/* A top that spins beside its middle axis, which is unstable, without a moment: energy to the order of the step squared, and
 * orientations converge by four where steps are halved. */
static void tops_turn_to_second_order(void **state)
{
    (void)state;
    const double zero[3] = {0, 0, 0}, time = 20;
    double end[4][4], drift[4];
    for (int fine = 0; fine < 4; fine++) {
        const int steps = 1000 << fine;
        sw_dem_clump c = top();
        const double energy = spin_energy(&c);
        drift[fine] = 0;
        for (int i = 0; i < steps; i++) {
            sw_dem_spin_clump(&c, zero, time / steps);
            drift[fine] = greatest(drift[fine], fabs(spin_energy(&c) / energy - 1));
        }
        memcpy(end[fine], c.turn, sizeof c.turn);
        CHECK_CLOSE(c.momentum[1], 1.7, 0);
    }
    double off[3] = {0, 0, 0};
    for (int fine = 0; fine < 3; fine++)
        for (int k = 0; k < 4; k++)
            off[fine] = greatest(off[fine], fabs(end[fine][k] - end[fine + 1][k]));
    print_message("orientation off by %.1e, %.1e, %.1e; energy by %.1e .. %.1e\n", off[0], off[1], off[2],
                  drift[0], drift[3]);
    CHECK_CLOSE(log2(off[0] / off[1]), 2, 0.3);
    CHECK_CLOSE(log2(off[1] / off[2]), 2, 0.2);
    assert_true(off[2] < 1e-4 && drift[0] < 1e-5);
}

/* A constant moment about a principal axis: spin M t / I. */
static void moments_spin_them_up(void **state)
{
    (void)state;
    sw_dem_clump c = {.turn = {1, 0, 0, 0}, .mass = 1, .inertia = {1, 2, 3.5}};
    const double moment[3] = {0, 0, 0.7};
    for (int i = 0; i < 1000; i++)
        sw_dem_spin_clump(&c, moment, 1e-3);
    CHECK_CLOSE(c.spin[2], 0.7 / 3.5, 1e-12);
    CHECK_CLOSE(2 * atan2(c.turn[3], c.turn[0]), 0.5 * 0.7 / 3.5, 1e-3); /* spins are half a step ahead */
}

/* ---- Collisions ---- */

static sw_dem_material soft_grain(void)
{
    sw_dem_material m = sw_dem_quartz();
    m.young = 4.3e8;
    m.friction = 0.4;
    return m;
}

/* Momentum and, about a point, angular momentum of clumps, and their sizes. */
static void momenta(const sw_dem_rve *rve, const double about[3], double sum[6], double size[2])
{
    memset(sum, 0, 6 * sizeof *sum);
    size[0] = size[1] = 0;
    for (int64_t c = 0; c < rve->n_clumps; c++) {
        const sw_dem_clump *b = &rve->clump[c];
        double x[3], turn[3];
        for (int k = 0; k < 3; k++)
            x[k] = b->position[k] - about[k];
        sw_dem_cross(x, b->velocity, turn);
        for (int k = 0; k < 3; k++) {
            sum[k] += b->mass * b->velocity[k];
            sum[3 + k] += b->mass * turn[k] + b->momentum[k];
        }
        size[0] += b->mass * sqrt(sw_dem_dot(b->velocity, b->velocity));
        size[1] += b->mass * sqrt(sw_dem_dot(turn, turn)) + sqrt(sw_dem_dot(b->momentum, b->momentum));
    }
}

/* Clumps that fly at each other in the middle of a large cell: what contacts give one they take from another, with their arms;
 * x' and v' of one step are of one time, so both are kept to round-off. And energy, with friction's work, to the step. */
static void collisions_conserve(void **state)
{
    (void)state;
    const sw_dem_material m = soft_grain();
    sw_dem_packing pack = dem_pack_clumps(27, 1.25e-4, 3);
    const double edge = pack.cell[0][0], middle[3] = {4 * edge, 4 * edge, 4 * edge};
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    numerics.damping = 0;
    numerics.record_interval = 20;
    numerics.step = 0.1;
    for (int64_t i = 0; i < pack.n_particles; i++) {
        const int64_t first = i / 3 * 3; /* all of a clump alike: it does not turn at first */
        for (int k = 0; k < 3; k++)
            pack.position[i][k] += 3.5 * edge;
        for (int k = 0; k < 3; k++)
            pack.velocity[i][k] = -5e3 * (pack.position[first][k] - middle[k]);
        pack.velocity[i][0] += 3e3 * (pack.position[first][1] - middle[1]);
    }
    for (int k = 0; k < 3; k++)
        pack.cell[k][k] = 8 * edge;
    sw_dem_stage stage[2] = {dem_steps(1), dem_steps(6000)};
    double before[6], after[6], size[2];
    sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, stage);
    momenta(dem_finish(dem), middle, before, size);
    CHECK_OK(sw_dem_add_stage(dem, 0, &stage[1]));
    const sw_dem_rve *rve = dem_finish(dem);
    momenta(rve, middle, after, size);
    assert_true(rve->state->work[SW_DEM_WORK_FRICTION] > 0);
    for (int k = 0; k < 3; k++) {
        CHECK_CLOSE(after[k], before[k], 6000 * 1e-16 * size[0]);
        CHECK_CLOSE(after[3 + k], before[3 + k], 6000 * 8e-16 * size[1]);
    }
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, 0, &n);
    double spun = 0;
    for (int64_t c = 0; c < rve->n_clumps; c++)
        spun += spin_energy(&rve->clump[c]);
    print_message("energy off by %.1e, %.2g of it spins\n",
                  (dem_imbalance(&row[n - 1]) - dem_imbalance(&row[0])) / row[0].kinetic_energy,
                  spun / row[n - 1].kinetic_energy);
    assert_true(spun > 0.005 * row[n - 1].kinetic_energy);
    CHECK_CLOSE(dem_imbalance(&row[n - 1]), dem_imbalance(&row[0]), 5e-3 * row[0].kinetic_energy);
    /* members are where the body has them */
    for (int64_t i = 0; i < rve->n_particles; i++)
        for (int k = 0; k < 3; k++)
            CHECK_CLOSE(rve->position[i][k], rve->clump[rve->clump_of[i]].position[k] + rve->arm[i][k],
                        1e-14 * edge);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* ---- With walls and sides ---- */

/* Clumps fall, and come to rest: the floor bears the weight of their unions, and the stress of bodies' branches times the volume is
 * that weight times the height of their centres, walls' arms from the centres with them. */
static void clumps_rest_on_their_weight(void **state)
{
    (void)state;
    sw_dem_material m = soft_grain();
    const sw_dem_options options = sw_dem_defaults();
    const double g = 9.81;
    sw_dem_packing pack = dem_pack_clumps(40, 1.25e-4, 5);
    m.young = 1e7;
    sw_dem_stage stage = dem_isotropic(0, 1, -1);
    for (int c = 0; c < 3; c++)
        stage.stress_driven[c] = 0;
    stage.goal = 1e-4;
    stage.max_steps = 3000000;
    const sw_dem_sample sample = {.packing = pack,
                                  .material = m,
                                  .numerics = sw_dem_numerics_defaults(),
                                  .n_stages = 1,
                                  .stage = &stage,
                                  .side = {SW_DEM_PERIODIC, SW_DEM_PERIODIC, SW_DEM_WALLED},
                                  .side_friction = -1,
                                  .gravity = {0, 0, -g}};
    sw_dem *dem;
    CHECK_OK(sw_dem_open(&options, 1, &sample, &dem));
    const sw_dem_rve *rve = dem_finish(dem);
    double weight = 0, moment = 0, volume = 0;
    for (int64_t c = 0; c < rve->n_clumps; c++) {
        weight += rve->clump[c].mass * g;
        moment += rve->clump[c].mass * g * rve->clump[c].position[2];
        volume += rve->clump[c].mass / m.density;
    }
    CHECK_CLOSE(rve->state->wall_sum[SW_DEM_WALL_FORCE], weight, 1e-3 * weight);
    CHECK_CLOSE(sw_dem_stress_component(rve->state, 2) * rve->state->cell.volume, moment, 3e-3 * moment);
    CHECK_CLOSE(rve->solid_volume, volume, 1e-12 * volume);
    assert_int_equal(rve->n_bodies, 40);
    sw_dem_close(dem);
    sw_dem_packing_free(&pack);
}

/* Where a periodic cell begins does not matter: a packing that is shifted by a part of the cell, so that other clumps lie across
 * faces, is the same one. Round-off grows through collisions. */
static void clumps_cross_periodic_sides(void **state)
{
    (void)state;
    const sw_dem_material m = soft_grain();
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    numerics.record_interval = 100;
    const double rate = dem_rate(&m, 1e-4, 1e5, 0.18);
    sw_dem_stage stage = dem_steps(2500);
    for (int k = 0; k < 3; k++)
        stage.velocity_gradient[k][k] = -rate;
    stage.velocity_gradient[0][1] = rate;
    double found[2][3];
    for (int shifted = 0; shifted < 2; shifted++) {
        sw_dem_packing pack = dem_pack_clumps(64, 1.25e-4, 7);
        for (int64_t i = 0; shifted && i < pack.n_particles; i++)
            for (int k = 0; k < 3; k++)
                pack.position[i][k] += (0.1 + 0.13 * k) * pack.cell[0][0];
        sw_dem *dem = dem_open(NULL, &pack, &m, &numerics, 1, &stage);
        const sw_dem_rve *rve = dem_finish(dem);
        sw_dem_row row;
        sw_dem_last_row(dem, 0, &row);
        found[shifted][0] = row.pressure;
        found[shifted][1] = row.contacts;
        found[shifted][2] = row.kinetic_energy;
        assert_true(row.contacts > 30);
        for (int64_t i = 0; i < rve->n_particles; i++) { /* members still lie as they did, up to images */
            const sw_dem_clump *c = &rve->clump[rve->clump_of[i]];
            double apart[3], s[3];
            for (int k = 0; k < 3; k++)
                apart[k] = rve->position[i][k] - c->position[k] - rve->arm[i][k];
            sw_dem_cell_local(&rve->state->cell, apart, s);
            for (int k = 0; k < 3; k++)
                CHECK_CLOSE(s[k], rint(s[k]), 1e-12);
        }
        sw_dem_close(dem);
        sw_dem_packing_free(&pack);
    }
    CHECK_CLOSE(found[1][0], found[0][0], 1e-6 * found[0][0]);
    CHECK_CLOSE(found[1][2], found[0][2], 1e-6 * found[0][2]);
    assert_true(found[1][1] == found[0][1]);
}

/* ---- Files ---- */

static void files_keep_clumps(void **state)
{
    (void)state;
    static const char *const suffix[] = {"txt", "vtkhdf"};
    for (int kind = 0; kind < 2; kind++) {
        char path[64];
        sw_dem_packing pack = dem_pack_clumps(8, 1e-4, 9), back;
        pack.clump[23] = -1; /* alone */
        snprintf(path, sizeof path, "clumps-%d.%s", (int)getpid(), suffix[kind]);
        CHECK_OK(sw_dem_packing_write(path, &pack, 0, NULL));
        CHECK_OK(sw_dem_packing_read(path, &back));
        unlink(path);
        assert_non_null(back.clump);
        assert_memory_equal(pack.clump, back.clump, 24 * sizeof *pack.clump);
        sw_dem_packing_free(&back);
        sw_dem_packing_free(&pack);
    }
    static const struct {
        const char *line, *need;
    } bad[] = {{"clump 0 4", "need 0 to 3"},
               {"clump 0 1\nclump 1 2", "in a clump before"},
               {"clump", "need one or more"},
               {"clump 0 x", "a whole number"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sw_dem_packing back;
        char path[64];
        snprintf(path, sizeof path, "clumps-%d.txt", (int)getpid());
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file,
                "cell 1 0 0 0 1 0 0 0 1\n%s\n0.1 0.1 0.1 0.05\n0.2 0.1 0.1 0.05\n0.3 0.1 0.1 0.05\n0.4 0.1 "
                "0.1 0.05\n",
                bad[i].line);
        fclose(file);
        assert_int_equal(sw_dem_packing_read(path, &back), SW_ERR_INPUT);
        assert_message_has(bad[i].need);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_are_those_of_formulas),
        cmocka_unit_test(tops_turn_to_second_order),
        cmocka_unit_test(moments_spin_them_up),
        cmocka_unit_test(collisions_conserve),
        cmocka_unit_test(clumps_rest_on_their_weight),
        cmocka_unit_test(clumps_cross_periodic_sides),
        cmocka_unit_test(files_keep_clumps),
    };
    return cmocka_run_group_tests_name("clumps of the DEM", tests, NULL, NULL);
}
