/* A run that is cut in two by a file of its packing gives the bits of one that is not: sides of all kinds, walls that move by
 * velocity and by a servo, meshes, clumps, laws that remember, R' of coupled contacts. */
#include "online/dem/element/mesh.h"
#include "tests/job_files.h"
#include "tests/online/dem/walled.h"

enum { PARTICLES = 64, STEPS = 1500, EXTRA = 3, ALL = WALLED + EXTRA };

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

/* A box without lid, of the cell's size, as triangles. */
static sw_dem_mesh *make_box(double edge)
{
    double corner[10][3][3];
    sw_dem_mesh *mesh;
    int n = 0;
    for (int face = 0; face < 5; face++) /* 0, 1: x; 2, 3: y; 4: the floor */
        for (int half = 0; half < 2; half++, n++)
            for (int c = 0; c < 3; c++) {
                static const double square[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
                const int k = face / 2;
                corner[n][c][k] = face % 2 * edge;
                corner[n][c][(k + 1) % 3] = square[half][c][0] * edge;
                corner[n][c][(k + 2) % 3] = square[half][c][1] * edge;
            }
    assert_int_equal(sw_dem_mesh_make(n, (const double(*)[3][3])corner, &mesh), SW_OK);
    return mesh;
}

/* What the walled batch lacks: a lid that comes down at a velocity onto a mesh that shakes, and metal in a die. */
typedef struct {
    walled w;
    sw_dem_packing pack[EXTRA];
    sw_dem_stage stage[EXTRA][WALLED_STAGES];
    sw_dem_wall wall[EXTRA][2];
    sw_dem_mesh *mesh;
    sw_dem_sample sample[ALL];
} cases;

static void make_mesh_case(cases *c, int e)
{
    const int clumps = e == 1;
    sw_dem_packing *pack = &c->pack[e];
    *pack = clumps ? dem_pack_clumps(PARTICLES / 3, 1.25e-4, 5)
                   : dem_pack_lattice(PARTICLES, 5e-5, 1.25e-4, 1.02, 0, 4);
    const double edge = pack->cell[0][0];
    if (c->mesh == NULL)
        c->mesh = make_box(1.3 * edge);
    for (int64_t i = 0; i < pack->n_particles; i++) /* into the box */
        for (int k = 0; k < 3; k++)
            pack->position[i][k] += 0.05 * edge;
    sw_dem_sample *s = &c->sample[WALLED + e];
    sw_dem_material m = sw_dem_quartz();
    m.young = 1e8;
    *s = (sw_dem_sample){.packing = *pack,
                         .material = m,
                         .numerics = sw_dem_numerics_defaults(),
                         .n_stages = WALLED_STAGES,
                         .stage = c->stage[e],
                         .side = {SW_DEM_OPEN, SW_DEM_OPEN, SW_DEM_OPEN},
                         .side_friction = -1,
                         .gravity = {0, 0, -3e5},
                         .n_walls = 2,
                         .wall = c->wall[e]};
    s->numerics.record_interval = 100;
    s->numerics.control_interval = 10;
    s->numerics.skin = 0.3;
    c->stage[e][0] = dem_steps(STEPS);
    c->stage[e][1] = dem_steps(STEPS / 5);
    c->wall[e][0] = (sw_dem_wall){.shape = SW_DEM_MESH,
                                  .axis = {0, 0, 1},
                                  .mesh = c->mesh,
                                  .friction = -1,
                                  .velocity = {0.02, -0.01, 0}};
    c->wall[e][1] = (sw_dem_wall){.shape = SW_DEM_PLANE,
                                  .point = {0, 0, 1.3 * edge},
                                  .axis = {0, 0, -1},
                                  .friction = 0.3,
                                  .velocity = {0, 0, clumps ? -0.5 : -0.6}};
}

static void make_die(cases *c, int e)
{
    sw_dem_packing *pack = &c->pack[e];
    *pack = dem_pack_lattice(27, 4.5e-5, 5e-5, 1.001, 0, 3);
    sw_dem_sample *s = &c->sample[WALLED + e];
    sw_dem_material m = {.law = SW_DEM_METAL,
                         .young = 120e9,
                         .poisson = 0.34,
                         .friction = 0.1,
                         .density = 8900,
                         .strength = 3e8,
                         .rate_sensitivity = 0.02,
                         .coupled = 1};
    *s = (sw_dem_sample){.packing = *pack,
                         .material = m,
                         .numerics = sw_dem_numerics_defaults(),
                         .n_stages = WALLED_STAGES,
                         .stage = c->stage[e],
                         .side = {SW_DEM_WALLED, SW_DEM_PERIODIC, SW_DEM_WALLED},
                         .side_friction = 0.1};
    s->numerics.record_interval = 20;
    s->numerics.skin = 0.2;
    s->numerics.time_scale = 1e6;
    for (int k = 0; k < WALLED_STAGES; k++) {
        c->stage[e][k] = dem_steps(k == 0 ? 1200 : 200);
        for (int j = 0; j < 3; j++)
            c->stage[e][k].velocity_gradient[j][j] = -4e4 * (j == 1 ? 0.3 : 1);
    }
}

static void make_cases(cases *c)
{
    memset(c, 0, sizeof *c);
    make_walled(&c->w, PARTICLES, STEPS, 0.1);
    for (int r = 6; r < 7; r++) { /* more clumps: narrow enough for the cell when they are opened again */
        sw_dem_packing_free(&c->w.pack[r]);
        c->w.sample[r].packing = c->w.pack[r] = dem_pack_clumps(PARTICLES, 1.25e-4, 10 + (uint64_t)r);
        c->w.stage[r][0].goal = 900;
    }
    c->w.stage[7][0].goal = 900;
    memcpy(c->sample, c->w.sample, sizeof c->w.sample);
    make_mesh_case(c, 0);
    make_mesh_case(c, 1);
    make_die(c, 2);
}

static void free_cases(cases *c)
{
    free_walled(&c->w);
    for (int e = 0; e < EXTRA; e++)
        sw_dem_packing_free(&c->pack[e]);
    sw_dem_mesh_free(c->mesh);
}

static sw_dem *open_stages(const sw_dem_sample *sample, int64_t first, int64_t n)
{
    const sw_dem_options options = sw_dem_defaults();
    sw_dem_sample part = *sample;
    sw_dem *dem;
    part.stage += first;
    part.n_stages = n;
    if (sw_dem_open(&options, 1, &part, &dem) != SW_OK)
        fail_msg("%s", sw_error_message());
    return dem;
}

static void finish(sw_dem *dem)
{
    assert_int_equal(sw_dem_run(dem, NULL, NULL), SW_OK);
    if (sw_dem_failure(dem, 0) != SW_OK)
        fail_msg("%s", sw_error_message());
}

/* All that is remembered, but what counts stages. */
static void check_same(int number, sw_dem *one, sw_dem *other)
{
    const sw_dem_rve *a = sw_dem_get(one, 0), *b = sw_dem_get(other, 0);
    const size_t n = (size_t)a->n_particles;
    int64_t rows[2];
    const sw_dem_row *row[2] = {sw_dem_rows(one, 0, &rows[0]), sw_dem_rows(other, 0, &rows[1])};
    assert_true(rows[1] >= 1);
    for (int64_t k = 1; k <= rows[1]; k++) {
        sw_dem_row r = row[1][rows[1] - k];
        r.stage = row[0][rows[0] - k].stage;
        if (memcmp(&r, &row[0][rows[0] - k], sizeof r) != 0)
            fail_msg("case %d: record %lld from the end: p = %.17g and %.17g, energy %.17g and %.17g", number,
                     (long long)k, row[0][rows[0] - k].pressure, r.pressure,
                     row[0][rows[0] - k].elastic_energy, r.elastic_energy);
    }
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->spin, b->spin, n * sizeof *a->spin);
    assert_memory_equal(a->state->cell.h, b->state->cell.h, sizeof a->state->cell.h);
    const size_t places = (size_t)(a->n_walls * a->lanes) * n;
    assert_memory_equal(a->wall_touching, b->wall_touching, places);
    assert_memory_equal(a->wall_history, b->wall_history,
                        places * (size_t)(SW_DEM_SPRINGS + a->law_numbers) * sizeof(double));
    if (a->n_walls > 0)
        assert_memory_equal(a->wall, b->wall, (size_t)a->n_walls * sizeof *a->wall);
    if (a->n_clumps > 0)
        assert_memory_equal(a->clump, b->clump, (size_t)a->n_clumps * sizeof *a->clump);
    if (a->coupled)
        assert_memory_equal(a->crowd, b->crowd, n * sizeof *a->crowd);
}

static void same_bits_after_a_cut(void **state)
{
    (void)state;
    cases c;
    char path[PATH_MAX + 64];
    make_cases(&c);
    for (int e = 0; e < ALL; e++) {
        sw_dem_packing kept;
        snprintf(path, sizeof path, "%s/cut-%d.vtkhdf", folder, e);
        sw_dem *whole = open_stages(&c.sample[e], 0, WALLED_STAGES), *first = open_stages(&c.sample[e], 0, 1);
        finish(whole);
        finish(first);
        assert_int_equal(sw_dem_get_packing(first, 0, &kept), SW_OK);
        assert_int_equal(sw_dem_packing_write(path, &kept, 0, NULL), SW_OK);
        sw_dem_packing_free(&kept);
        sw_dem_close(first);
        assert_int_equal(sw_dem_packing_read(path, &kept), SW_OK);
        kept.goes_on = 1;
        c.sample[e].packing = kept;
        sw_dem *second = open_stages(&c.sample[e], 1, WALLED_STAGES - 1);
        finish(second);
        const sw_dem_rve *rve = sw_dem_get(whole, 0);
        const int walls = rve->n_walls; /* that bear something */
        assert_true(walls == 0 || rve->state->wall_sum[walls * SW_DEM_WALL_SUMS] > 0);
        check_same(e, whole, second);
        sw_dem_packing_free(&kept);
        sw_dem_close(whole);
        sw_dem_close(second);
    }
    free_cases(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits_after_a_cut)};
    return cmocka_run_group_tests(tests, make_job_folder, tear_down);
}
