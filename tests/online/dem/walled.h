/* Elements with everything that sand does without: platens, floors and gravity, a cylinder that is pressed, and contacts
 * that pull; for tests that they are the same whoever advances them. */
#ifndef SW_TESTS_ONLINE_DEM_WALLED_H
#define SW_TESTS_ONLINE_DEM_WALLED_H

#include "online/dem/step/control.h"
#include "tests/online/dem/packs.h"

enum { WALLED = 8, WALLED_STAGES = 2 };

typedef struct {
    sw_dem_packing pack[WALLED];
    sw_dem_stage stage[WALLED][WALLED_STAGES];
    sw_dem_sample sample[WALLED];
    sw_dem_wall wall[WALLED];
} walled;

/* n particles each; stages of so many steps, at an inertia number. */
static inline void make_walled(walled *b, int64_t n, double steps, double inertia)
{
    static const sw_dem_law laws[WALLED] = {SW_DEM_LINEAR,   SW_DEM_HERTZ_MINDLIN, SW_DEM_JKR,
                                            SW_DEM_COHESIVE, SW_DEM_CAPILLARY,     SW_DEM_DMT,
                                            SW_DEM_LINEAR,   SW_DEM_HERTZ_MINDLIN};
    const double pressure = 1e5;
    for (int r = 0; r < WALLED; r++) {
        sw_dem_sample *s = &b->sample[r];
        b->pack[r] = r < 6 ? dem_pack_lattice(n, 5e-5, 1.25e-4, 1.02, 0, 10 + (uint64_t)r)
                           : dem_pack_clumps(n / 2, 1.25e-4, 10 + (uint64_t)r);
        const double edge = b->pack[r].cell[0][0];
        sw_dem_material m = sw_dem_quartz();
        m.law = laws[r];
        m.poisson = 0.3;
        m.young = 1e8;
        dem_make_sticky(&m);
        const double rate =
            dem_rate(&m, 8.75e-5, pressure, inertia) * (r < 6 ? 1 : 2.5); /* clumps are looser */
        *s = (sw_dem_sample){.packing = b->pack[r],
                             .material = m,
                             .numerics = sw_dem_numerics_defaults(),
                             .n_stages = WALLED_STAGES,
                             .stage = b->stage[r],
                             .side_friction = -1};
        s->numerics.record_interval = 100;
        s->numerics.control_interval = 10;
        s->numerics.skin = 0.3;
        b->stage[r][0] = dem_isotropic(pressure, rate, 0.1);
        b->stage[r][0].until = SW_DEM_UNTIL_STEPS;
        b->stage[r][0].goal = steps;
        b->stage[r][1] = dem_steps(steps / 5);
        b->stage[r][1].velocity_gradient[2][2] = r == 6 ? 0 : -rate;
        for (int k = 0; k < 3 && (r < 2 || r == 3 || r == 7); k++)
            s->side[k] = (r != 1 && r != 7) || k == 2 ? SW_DEM_WALLED : SW_DEM_PERIODIC;
        if (r == 7)
            s->gravity[2] = -1e3;
        if (r == 1) { /* a lid falls after them */
            s->gravity[2] = -1e4;
            b->wall[r] = (sw_dem_wall){.shape = SW_DEM_PLANE,
                                       .point = {0, 0, edge},
                                       .axis = {0, 0, -1},
                                       .force_driven = 1,
                                       .force = 0.5 * edge * edge * pressure,
                                       .max_speed = edge * rate,
                                       .friction = 0.2};
        }
        if (r == 2) { /* a jacket */
            s->side[0] = s->side[1] = SW_DEM_OPEN;
            for (int k = 0; k < 3; k++) /* the jacket alone presses */
                b->stage[r][0].stress_driven[k] = 0;
            b->stage[r][1].velocity_gradient[2][2] = 0;
            b->wall[r] = (sw_dem_wall){.shape = SW_DEM_CYLINDER,
                                       .point = {0.5 * edge, 0.5 * edge, 0},
                                       .axis = {0, 0, 1},
                                       .radius = 0.8 * edge,
                                       .force_driven = 1,
                                       .force = SW_PI * edge * edge * pressure,
                                       .max_speed = edge * rate,
                                       .friction = 0.2};
        }
        s->n_walls = r == 1 || r == 2;
        s->wall = &b->wall[r];
    }
}

static inline void free_walled(walled *b)
{
    for (int r = 0; r < WALLED; r++)
        sw_dem_packing_free(&b->pack[r]);
}

/* Of state, particles, clumps, walls, contacts and records. */
static inline void walled_same_bits(sw_dem *one, int64_t r, sw_dem *other, int64_t s)
{
    const sw_dem_rve *a = sw_dem_get(one, r), *b = sw_dem_get(other, s);
    const size_t n = (size_t)a->n_particles;
    int64_t rows[2];
    const sw_dem_row *row[2] = {sw_dem_rows(one, r, &rows[0]), sw_dem_rows(other, s, &rows[1])};
    assert_int_equal(a->state->step, b->state->step);
    assert_memory_equal(&a->state->cell.h, &b->state->cell.h, sizeof a->state->cell.h);
    assert_memory_equal(a->state->work, b->state->work, sizeof a->state->work);
    assert_memory_equal(a->state->stress, b->state->stress, sizeof a->state->stress);
    assert_memory_equal(a->state->wall_sum, b->state->wall_sum, sizeof a->state->wall_sum);
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->spin, b->spin, n * sizeof *a->spin);
    if (a->n_clumps > 0) {
        assert_memory_equal(a->clump, b->clump, (size_t)a->n_clumps * sizeof *a->clump);
        assert_memory_equal(a->arm, b->arm, n * sizeof *a->arm);
    }
    for (int w = 0; w < a->n_walls; w++) {
        assert_memory_equal(a->wall[w].of.point, b->wall[w].of.point, sizeof a->wall[w].of.point);
        assert_true(a->wall[w].of.radius == b->wall[w].of.radius && a->wall[w].travel == b->wall[w].travel);
    }
    assert_memory_equal(a->wall_touching, b->wall_touching, (size_t)a->n_walls * n);
    assert_memory_equal(a->wall_history, b->wall_history,
                        (size_t)(a->n_walls * (SW_DEM_SPRINGS + a->law_numbers)) * n * sizeof(double));
    for (int k = 0; k < SW_DEM_SPRINGS + a->law_numbers; k++)
        assert_memory_equal(a->history + k * a->pair_capacity, b->history + k * b->pair_capacity,
                            (size_t)a->state->n_pairs * sizeof(double));
    assert_int_equal(rows[0], rows[1]);
    assert_memory_equal(row[0], row[1], (size_t)rows[0] * sizeof *row[0]);
}

#endif
