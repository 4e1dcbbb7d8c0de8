/* Verlet lists (neighbours.h) against all pairs of all images, and what contacts keep when lists are made. */
#include "online/dem/neighbours/neighbours.h"
#include "online/dem/packing/memory.h"
#include "online/dem/step/step.h"
#include "tests/online/dem/packs.h"

static const char *const image_names[] = {"nearest", "boundary particles"};

/* ---- All pairs ---- */

/* Shortest vector from particle a to an image of b, of those within one cell vector each way of the one that
 * cell coordinates round to. */
static double nearest(const sw_dem_rve *rve, int64_t a, int64_t b, double branch[3])
{
    const sw_dem_cell *cell = &rve->state->cell;
    double least = INFINITY, d[3], s[3];
    for (int j = 0; j < 3; j++)
        d[j] = rve->position[b][j] - rve->position[a][j];
    sw_dem_cell_local(cell, d, s);
    for (int code = 0; code < 27; code++) {
        const double k[3] = {code % 3 - 1 - rint(s[0]), code / 3 % 3 - 1 - rint(s[1]),
                             code / 9 - 1 - rint(s[2])};
        double image[3];
        for (int j = 0; j < 3; j++)
            image[j] = d[j] + sw_dem_dot(cell->h[j], k);
        const double distance = sqrt(sw_dem_dot(image, image));
        if (distance < least) {
            least = distance;
            memcpy(branch, image, sizeof image);
        }
    }
    return least;
}

/* How often the pair a, b is in the list; the last one's place. */
static int listed(const sw_dem_rve *rve, int64_t a, int64_t b, int64_t *place)
{
    int n = 0;
    for (int side = 0; side < 2; side++) {
        const int64_t row = side ? b : a, other = side ? a : b;
        for (int64_t p = rve->first[row]; p < rve->first[row + 1]; p++)
            if ((rve->pair[p][1] & SW_DEM_PAIR_MASK) == other) {
                assert_true(rve->pair[p][0] == row);
                *place = p;
                n++;
            }
    }
    return n;
}

/* Every pair nearer than contact and `reach` is in the list once, with the vector between its nearest
 * images; with exact, no other is. Returns the number of those pairs. */
static int64_t check_list(const sw_dem_rve *rve, double reach, int exact)
{
    int64_t n = 0;
    for (int64_t a = 0; a < rve->n_particles; a++)
        for (int64_t b = a + 1; b < rve->n_particles; b++) {
            double branch[3], found[3];
            int64_t place = -1;
            const double distance = nearest(rve, a, b, branch);
            if (!(distance < rve->radius[a] + rve->radius[b] + reach))
                continue;
            n++;
            if (listed(rve, a, b, &place) != 1)
                fail_msg("pair %d %d of distance %g (radii %g %g) is in the list %d times", (int)a, (int)b,
                         distance, rve->radius[a], rve->radius[b], listed(rve, a, b, &place));
            sw_dem_branch(rve, place, found);
            const double sign = rve->pair[place][0] == a ? 1 : -1;
            for (int j = 0; j < 3; j++)
                CHECK_CLOSE(sign * found[j], branch[j], 1e-12 * rve->state->cell.height[j]);
        }
    assert_true(rve->first[0] == 0 && rve->first[rve->n_particles] == rve->state->n_pairs);
    if (exact)
        assert_int_equal(rve->state->n_pairs, n);
    return n;
}

/* Each particle's index has its pairs, ascending, and they know where; none bears yet. */
static void check_index(const sw_dem_rve *rve)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < rve->n_particles; i++)
        for (int32_t e = rve->list_first[i]; e < rve->list_first[i + 1]; e++, entries++) {
            const int32_t p = rve->list[e] >> 1, side = rve->list[e] & 1;
            assert_true((rve->pair[p][side] & SW_DEM_PAIR_MASK) == i);
            assert_true(e == rve->list_first[i] || rve->list[e] > rve->list[e - 1]);
            assert_int_equal(rve->place[p][side], e);
            for (int k = 0; k < 6; k++)
                assert_true(rve->borne[e][k] == 0);
        }
    assert_true(entries == 2 * rve->state->n_pairs);
}

/* The list that opening makes of a packing with this skin, whose range it returns. */
static int64_t check_packing(const sw_dem_packing *pack, double skin, sw_dem_images images, const char *name)
{
    const sw_dem_material m = sw_dem_quartz();
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_options options = sw_dem_defaults();
    const sw_dem_stage stage = dem_steps(1);
    options.images = images;
    numerics.skin = skin;
    sw_dem *dem = dem_open(&options, pack, &m, &numerics, 1, &stage);
    const sw_dem_rve *rve = sw_dem_get(dem, 0);
    const int64_t n = check_list(rve, sw_dem_skin(rve), 1);
    check_index(rve);
    if (n == 0)
        fail_msg("%s: no pairs", name);
    sw_dem_close(dem);
    return n;
}

/* ---- Random packings ---- */

typedef struct {
    const char *name;
    double cell[3][3];
    int n_radii;
    double radius[5]; /* the largest first */
    int64_t n;
    double skin;
} random_pack;

static const random_pack packs[] = {
    {"equal spheres", {{10, 0, 0}, {0, 11, 0}, {0, 0, 12}}, 1, {1}, 120, 0.3},
    {"equal spheres in a leaning cell", {{10, 4, -3}, {1, 11, 4}, {-2, 3, 12}}, 1, {1}, 120, 0.3},
    {"vectors of two diameters", {{4.21, 0, 0}, {0, 4.21, 0}, {0, 0, 4.21}}, 1, {1}, 6, 0.1},
    {"two diameters, leaning", {{4.6, 1.2, 0}, {0, 5.2, 1.4}, {0, 0, 5.2}}, 2, {1, 0.5}, 16, 0.1},
    {"three diameters", {{6.4, 0, 0}, {0, 6.4, 0}, {0, 0, 6.4}}, 1, {1}, 26, 0.1},
    {"two, three and four diameters", {{4.5, 0, 0}, {0, 6.5, 0}, {0, 0, 8.5}}, 1, {1}, 24, 0.1},
    {"a wide skin", {{12, 0, 0}, {0, 12, 0}, {0, 0, 12}}, 2, {1, 0.9}, 80, 2},
    {"a long cell", {{4.3, 0, 0}, {0, 4.3, 0}, {0, 0, 400}}, 1, {1}, 60, 0.1},
    {"a very long cell of few", {{4.3, 0, 0}, {0, 3000, 0}, {0, 0, 4.3}}, 1, {1}, 90, 0.1},
    {"a flat cell", {{60, 0, 0}, {0, 4.3, 0}, {0, 0, 60}}, 1, {1}, 90, 0.1},
    {"two sizes", {{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}, 2, {1, 0.3}, 160, 0.2},
    {"four classes", {{10, 2, 3}, {-3, 10, 4}, {0, -2, 10}}, 4, {1, 0.45, 0.2, 0.1}, 240, 0.5},
    {"sizes of 1 to 20", {{4.2, 0, 0}, {0, 4.4, 0}, {0, 0, 4.8}}, 5, {1, 0.4, 0.2, 0.1, 0.05}, 30, 0.5},
    {"1 to 20, nothing between", {{4.8, 1, 0}, {0, 4.8, 2}, {-1, 0, 4.8}}, 2, {1, 0.05}, 12, 1},
    {"more octaves than classes", {{5, 0, 0}, {0, 5, 0}, {0, 0, 5}}, 5, {1, 0.1, 0.01, 0.003, 0.001}, 60, 1},
};

/* Packings with their centres moved out of the cell by some of its vectors, which makes no difference. */
static void lists_have_all_pairs(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof packs / sizeof *packs; c++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            const random_pack *p = &packs[c];
            int64_t pairs[2];
            sw_dem_packing pack = dem_pack_random(p->cell, p->n_radii, p->radius, p->n, 0.3, seed);
            for (int64_t i = 0; i < p->n; i++)
                for (int k = 0; k < 3; k++) {
                    const double turns = rint(3 * dem_random(seed, i, 50 + k));
                    for (int j = 0; j < 3; j++)
                        pack.position[i][j] += turns * p->cell[j][k];
                }
            for (int images = 0; images < 2; images++)
                pairs[images] = check_packing(&pack, p->skin, (sw_dem_images)images, p->name);
            if (pairs[0] != pairs[1])
                fail_msg("%s: %d pairs with %s, %d with %s", p->name, (int)pairs[0], image_names[0],
                         (int)pairs[1], image_names[1]);
            sw_dem_packing_free(&pack);
        }
}

/* ---- Lists in motion ---- */

/* Packed spheres that are stirred: sheared at a constant volume. */
static const double shear[3][3] = {{-500, 20000, 0}, {0, 200, 3000}, {2000, 0, 300}}; /* 1/s */

static sw_dem_packing packed(double friction, uint64_t seed)
{
    sw_dem_material m = sw_dem_quartz();
    m.young = 4.3e8; /* soft, for a long step */
    return dem_pack_dense(100, &m, 1e5, friction, seed);
}

/* In a cell that flips several times, at no measurement is there an overlap that the list does not have; and
 * the list of where it came to is right. */
static void no_contact_is_missed(void **state)
{
    (void)state;
    for (int images = 0; images < 2; images++) {
        sw_dem_material m = sw_dem_quartz();
        sw_dem_numerics numerics = sw_dem_numerics_defaults();
        sw_dem_options options = sw_dem_defaults();
        sw_dem_packing pack = packed(0.3, 3), now;
        sw_dem_stage stage = dem_steps(20);
        int64_t touched = 0;
        double time_step = 0;
        int flips = 0;
        m.young = 4.3e8;
        options.images = (sw_dem_images)images;
        for (int k = 0; k < 9; k++) /* slow enough for lists that last */
            stage.velocity_gradient[k / 3][k % 3] = 0.25 * shear[k / 3][k % 3];
        sw_dem *dem = dem_open(&options, &pack, &m, &numerics, 1, &stage);
        for (double sheared = 0; sheared < 2.5; sheared += 20 * time_step * stage.velocity_gradient[0][1]) {
            double before[3][3], change = 0;
            memcpy(before, sw_dem_get(dem, 0)->state->cell.h, sizeof before);
            const sw_dem_rve *rve = dem_finish(dem);
            for (int k = 0; k < 9; k++)
                change = greatest(change, fabs(rve->state->cell.h[k / 3][k % 3] - before[k / 3][k % 3]));
            flips += change > 0.5 * cbrt(rve->state->cell.volume);
            touched += check_list(rve, 0, 0);
            time_step = rve->state->time_step;
            CHECK_OK(sw_dem_add_stage(dem, 0, &stage));
        }
        const sw_dem_rve *rve = dem_finish(dem);
        assert_true(flips >= 2 && touched > 1000 && rve->state->rebuilds > 50);
        assert_true(rve->state->rebuilds < rve->state->step / 2);
        CHECK_OK(sw_dem_get_packing(dem, 0, &now));
        sw_dem_memory_free(now.memory); /* a list within its skin: here a new one is looked at */
        now.memory = NULL;
        check_packing(&now, numerics.skin, (sw_dem_images)images, "after flips");
        sw_dem_packing_free(&now);
        sw_dem_packing_free(&pack);
        sw_dem_close(dem);
    }
}

/* Steps of an assembly with friction and moments; the element stays open. */
static sw_dem *run(const sw_dem_packing *pack, double skin, int32_t interval, sw_dem_images images,
                   double steps)
{
    sw_dem_material m = sw_dem_quartz();
    sw_dem_numerics numerics = sw_dem_numerics_defaults();
    sw_dem_options options = sw_dem_defaults();
    sw_dem_stage stage = dem_steps(steps);
    memcpy(stage.velocity_gradient, shear, sizeof shear);
    m.young = 4.3e8;
    m.roll_strength = 0.3;
    m.twist_strength = 0.1;
    options.images = images;
    numerics.skin = skin;
    numerics.control_interval = interval;
    sw_dem *dem = dem_open(&options, pack, &m, &numerics, 1, &stage);
    dem_finish(dem);
    return dem;
}

/* How far two runs of one assembly are apart: velocities over the largest. */
static double apart(sw_dem *first, sw_dem *second)
{
    const sw_dem_rve *a = sw_dem_get(first, 0), *b = sw_dem_get(second, 0);
    double most = 0, off = 0;
    assert_int_equal(a->state->step, b->state->step);
    for (int64_t i = 0; i < a->n_particles; i++)
        for (int k = 0; k < 3; k++) {
            most = greatest(most, fabs(a->velocity[i][k]));
            off = greatest(off, fabs(a->velocity[i][k] - b->velocity[i][k]));
            off = greatest(off, a->mean_radius * fabs(a->spin[i][k] - b->spin[i][k]));
        }
    return off / most;
}

/* A list at each step, at a few, at twenty or hardly any: the same motion. A contact that lost its history
 * or came late would change a force by a good part. Round-off of a cell (1e-16) is 1e-13 of an overlap of
 * 1e-3 radii, and grows fortyfold in 200 steps here (measured): 1e-11 times some for 1,500 contact-steps. */
static void history_is_kept(void **state)
{
    (void)state;
    sw_dem_packing pack = packed(0.02, 9);
    enum { STEPS = 301 };
    sw_dem *each = run(&pack, 0.009, 1, SW_DEM_NEAREST, STEPS);
    const sw_dem_state *by_step = sw_dem_get(each, 0)->state;
    assert_true(by_step->rebuilds >= STEPS && by_step->sum[SW_DEM_SUM_CONTACTS] > 30);
    static const struct {
        double skin;
        int32_t interval;
    } others[] = {{0.03, 5}, {0.1, 20}, {0.3, 20}};
    int64_t rebuilds = STEPS;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (int images = 0; images < 2; images++) {
            sw_dem *dem = run(&pack, others[i].skin, others[i].interval, (sw_dem_images)images, STEPS);
            const int64_t lists = sw_dem_get(dem, 0)->state->rebuilds;
            CHECK_CLOSE(apart(each, dem), 0, 1e-9);
            assert_true(lists <= rebuilds);
            rebuilds = lists;
            sw_dem_close(dem);
        }
    assert_true(rebuilds < STEPS / 4);
    sw_dem_close(each);
    sw_dem_packing_free(&pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_have_all_pairs),
        cmocka_unit_test(no_contact_is_missed),
        cmocka_unit_test(history_is_kept),
    };
    return cmocka_run_group_tests_name("neighbours of the DEM", tests, NULL, NULL);
}
