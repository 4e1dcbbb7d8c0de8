/* Hash grid and bounding boxes over many elements at once, against each element's own grid and against all
 * pairs of all images. What the GPU does with a thread for each position is a plain loop here, its sort is
 * qsort. Dimensions: W elements, K positions of all of them: particles and boundary particles. */
#include "tests/test.h"

#include "common/math/random.h"
#include "online/dem/launches/bvh.h"
#include "online/dem/backend/backend.h"
#include "online/dem/launches/hash_grid.h"

enum { ELEMENTS = 6, MOST_PARTICLES = 400, MOST_POSITIONS = 20000, MOST_ROW = 2000 };

static const sw_team team = {.kind = SW_TEAM_THREAD, .rank = 0, .size = 1, .flows = 1};

/* The elements of a batch. */
static const struct {
    int64_t n;
    double ratio;   /* of largest to least radius */
    double lean;    /* of the cell, of its height */
    double filling; /* volume of particles, wherever they are, over that of the cell */
    int64_t heap;   /* so many particles at one place: equal keys */
} kinds[ELEMENTS] = {{300, 1, 0, 0.5, 0},    {1, 1, 0, 0.01, 0},     {400, 15, 0.4, 0.6, 0},
                     {200, 2.5, -0.5, 2, 0}, {150, 3, 0.2, 0.3, 60}, {2, 1, 0, 0.05, 2}};

/* Four numbers of (0, 1], different every time, the same in every run. */
static void random4(double u[4])
{
    static uint64_t block;
    sw_random_uniform4(11, 0, block++, u);
}

/* Particles anywhere in and around a small cell, and the list that the element's own grid finds. */
static void scatter(sw_dem_rve *rve, int w)
{
    const double range = 2 * rve->largest_radius + sw_dem_skin(rve);
    const double side = fmax(cbrt(rve->solid_volume / kinds[w].filling), 2.3 * range);
    const double h[3][3] = {{side, kinds[w].lean * side, 0}, {0, side, 0}, {0, 0, 1.1 * side}};
    double u[4];
    memcpy(rve->state->cell.h, h, sizeof h);
    assert_true(sw_dem_cell_update(&rve->state->cell));
    for (int64_t i = 0; i < rve->n_particles; i++) {
        if (i == 0 || i >= kinds[w].heap)
            random4(u);
        for (int k = 0; k < 3; k++) {
            rve->position[i][k] = 0;
            for (int j = 0; j < 3; j++)
                rve->position[i][k] += h[k][j] * (3 * u[j] - 1);
        }
    }
    for (;;) {
        rve->state->status = SW_DEM_RUNNING;
        sw_dem_into_cell(&team, rve);
        if ((rve->image_capacity == 0 || sw_dem_make_images(&team, rve)) && sw_dem_search_all(&team, rve))
            break;
        CHECK_OK(sw_dem_grow(rve, rve->state->status));
    }
}

static sw_dem *open_batch(sw_dem_images images)
{
    static double position[ELEMENTS][MOST_PARTICLES][3], radius[ELEMENTS][MOST_PARTICLES];
    sw_dem_sample sample[ELEMENTS];
    sw_dem_options options = sw_dem_defaults();
    sw_dem *dem;
    double u[4];
    options.images = images;
    for (int w = 0; w < ELEMENTS; w++) {
        sample[w] = (sw_dem_sample){.packing = {.n_particles = kinds[w].n,
                                                .cell = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                                .position = position[w],
                                                .radius = radius[w]},
                                    .material = sw_dem_quartz(),
                                    .numerics = sw_dem_numerics_defaults()};
        for (int64_t i = 0; i < kinds[w].n; i++) { /* far apart, as a packing has to be */
            const double largest = 0.04;
            random4(u);
            radius[w][i] = i == 0 ? largest : largest * pow(kinds[w].ratio, -u[0]);
            for (int k = 0; k < 3; k++)
                position[w][i][k] = ((double)(k == 0 ? i % 8 : k == 1 ? i / 8 % 8 : i / 64) + 0.5) / 8;
        }
    }
    CHECK_OK(sw_dem_open(&options, ELEMENTS, sample, &dem));
    for (int w = 0; w < ELEMENTS; w++)
        scatter((sw_dem_rve *)sw_dem_get(dem, w), w);
    return dem;
}

/* ---- Positions of all elements, sorted ---- */

typedef struct {
    uint64_t key;
    int32_t position;
} entry;

static entry entries[MOST_POSITIONS];
static uint64_t keys[MOST_POSITIONS];
static int32_t positions[MOST_POSITIONS], firsts[ELEMENTS + 1];

static int by_key(const void *a, const void *b)
{
    const uint64_t x = ((const entry *)a)->key, y = ((const entry *)b)->key;
    return x < y ? -1 : x > y;
}

/* Where each element's positions begin; how many there are. */
static int64_t count_positions(sw_dem *dem)
{
    firsts[0] = 0;
    for (int w = 0; w < ELEMENTS; w++) {
        const sw_dem_rve *rve = sw_dem_get(dem, w);
        firsts[w + 1] = firsts[w] + (int32_t)(rve->n_particles + rve->state->n_images);
    }
    assert_true(firsts[ELEMENTS] <= MOST_POSITIONS);
    return firsts[ELEMENTS];
}

static void sort_entries(int64_t n)
{
    qsort(entries, (size_t)n, sizeof *entries, by_key);
    for (int64_t i = 0; i < n; i++) {
        keys[i] = entries[i].key;
        positions[i] = entries[i].position;
    }
}

static sw_dem_hash hash;
static int32_t ranges[MOST_POSITIONS][2];

static void make_hash(sw_dem *dem, int64_t most_bins)
{
    const int64_t n = count_positions(dem);
    hash = (sw_dem_hash){.n_elements = ELEMENTS, .key = keys, .position = positions, .range = ranges};
    for (int w = 0; w < ELEMENTS; w++) {
        const sw_dem_rve *rve = sw_dem_get(dem, w);
        sw_dem_bins bins;
        sw_dem_bins_of_class(rve, rve->n_classes - 1, &bins);
        sw_dem_hash_include(&hash, bins.n);
    }
    sw_dem_hash_limit(&hash, most_bins);
    assert_true(sw_dem_hash_bins(&hash) <= (most_bins > ELEMENTS ? most_bins : ELEMENTS));
    for (int w = 0; w < ELEMENTS; w++)
        for (int32_t j = 0; j < firsts[w + 1] - firsts[w]; j++) {
            const uint64_t key = sw_dem_hash_key(&hash, sw_dem_get(dem, w), w, j);
            assert_true(key < (uint64_t)sw_dem_hash_bins(&hash));
            entries[firsts[w] + j] = (entry){key, j};
        }
    sort_entries(n);
    memset(ranges, 0, sizeof ranges);
    for (int64_t i = 0; i < n; i++)
        sw_dem_hash_mark(&hash, n, i);
}

static sw_dem_bvh bvh;
static int32_t children[MOST_POSITIONS][2], parents[2 * MOST_POSITIONS], joined[MOST_POSITIONS],
    roots[ELEMENTS];
static sw_dem_box boxes[2 * MOST_POSITIONS];

static void make_bvh(sw_dem *dem)
{
    const int64_t n = count_positions(dem);
    bvh = (sw_dem_bvh){n, firsts, keys, positions, children, parents, joined, boxes, roots};
    for (int w = 0; w < ELEMENTS; w++)
        for (int32_t j = 0; j < firsts[w + 1] - firsts[w]; j++)
            entries[firsts[w] + j] = (entry){sw_dem_bvh_key(sw_dem_get(dem, w), w, j), j};
    sort_entries(n);
    memset(joined, 0, sizeof joined);
    memset(roots, -1, sizeof roots);
    memset(boxes, 0, sizeof boxes);
    for (int64_t i = 0; i < n - 1; i++)
        sw_dem_bvh_split(&bvh, i);
    for (int64_t i = 0; i < n; i++) {
        const int64_t w = (int64_t)(keys[i] >> SW_DEM_BVH_ELEMENT);
        sw_dem_bvh_leaf(&bvh, sw_dem_get(dem, w), w, i);
    }
    for (int64_t i = 0; i < n; i++) /* in an order that is neither that of the leaves nor its reverse */
        sw_dem_bvh_join(&bvh, i * 7919 % n);
}

/* ---- Rows ---- */

typedef int32_t search(const sw_dem_rve *rve, int32_t w, int64_t a, int32_t (*pair)[2], int32_t *image);

static int32_t by_hash(const sw_dem_rve *rve, int32_t w, int64_t a, int32_t (*pair)[2], int32_t *image)
{
    return sw_dem_hash_search(&hash, rve, w, a, pair, image);
}

static int32_t by_bvh(const sw_dem_rve *rve, int32_t w, int64_t a, int32_t (*pair)[2], int32_t *image)
{
    return sw_dem_bvh_search(&bvh, rve, w, a, pair, image);
}

/* Every row of every element is what the element's own grid found, code by code. */
static void check_rows(sw_dem *dem, search *find)
{
    static int32_t pair[MOST_ROW][2], image[MOST_ROW];
    for (int w = 0; w < ELEMENTS; w++) {
        const sw_dem_rve *rve = sw_dem_get(dem, w);
        const int boundary = rve->image_capacity > 0;
        for (int64_t a = 0; a < rve->n_particles; a++) {
            const int32_t begin = rve->other_first[a], n = rve->other_first[a + 1] - begin;
            assert_int_equal(find(rve, w, a, NULL, NULL), n);
            assert_true(n <= MOST_ROW);
            assert_int_equal(find(rve, w, a, pair, boundary ? image : NULL), n);
            sw_dem_sort_row(n, pair, boundary ? image : NULL);
            assert_memory_equal(pair, rve->other_pair + begin, (size_t)n * sizeof *pair);
            if (boundary)
                assert_memory_equal(image, rve->pair_image + begin, (size_t)n * sizeof *image);
        }
    }
}

/* Particle a's row has b with this code. */
static int has_pair(const sw_dem_rve *rve, int64_t a, int64_t b, int code)
{
    for (int32_t p = rve->other_first[a]; p < rve->other_first[a + 1]; p++)
        if (rve->other_pair[p][1] == ((int32_t)b | code << SW_DEM_PAIR_BITS))
            return 1;
    return 0;
}

/* The element's own list has all pairs of all 27 images that are in range, each once, and no others. */
static void check_all_pairs(const sw_dem_rve *rve)
{
    int64_t pairs = 0;
    for (int code = 0; code < SW_DEM_IMAGES; code++) {
        double shift[3];
        sw_dem_cell_shift(&rve->state->cell, code, shift);
        for (int64_t a = 0; a < rve->n_particles; a++)
            for (int64_t b = a + 1; b < rve->n_particles; b++) {
                const double range = rve->radius[a] + rve->radius[b] + sw_dem_skin(rve);
                double square = 0;
                for (int k = 0; k < 3; k++)
                    square += pow(rve->position[b][k] + shift[k] - rve->position[a][k], 2);
                if (!(square < range * range))
                    continue;
                pairs++;
                /* the finer one's row; seen from b, images of a lie on the other side */
                if (rve->class_of[a] <= rve->class_of[b])
                    assert_true(has_pair(rve, a, b, code));
                else
                    assert_true(has_pair(rve, b, a, SW_DEM_IMAGES - 1 - code));
            }
    }
    assert_int_equal(pairs, rve->other_first[rve->n_particles]);
}

/* ---- Tests ---- */

static const sw_dem_images both[] = {SW_DEM_NEAREST, SW_DEM_BOUNDARY_PARTICLES};

static void own_grids_find_all_pairs(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        sw_dem *dem = open_batch(both[i]);
        for (int w = 0; w < ELEMENTS; w++)
            check_all_pairs(sw_dem_get(dem, w));
        assert_true(sw_dem_get(dem, 0)->other_first[kinds[0].n] > 300);
        assert_int_equal(sw_dem_get(dem, 5)->other_first[2], 1);
        sw_dem_close(dem);
    }
}

static void hash_finds_the_same_rows(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        sw_dem *dem = open_batch(both[i]);
        make_hash(dem, MOST_POSITIONS);
        check_rows(dem, by_hash);
        sw_dem_close(dem);
    }
}

/* Down to one bin for each element. */
static void hash_with_few_bins_finds_the_same_rows(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        sw_dem *dem = open_batch(both[i]);
        for (int64_t most = 1; most < 5000; most *= 3) {
            make_hash(dem, most);
            check_rows(dem, by_hash);
        }
        sw_dem_close(dem);
    }
}

static void hash_numbers_differ(void **state)
{
    (void)state;
    const sw_dem_hash grid = {.n_elements = 5, .n = {4, 3, 7}};
    int seen[5 * 4 * 3 * 7] = {0};
    assert_int_equal(sw_dem_hash_bins(&grid), 420);
    for (int32_t w = 0; w < 5; w++)
        for (int32_t b[3] = {0, 0, 0}; b[2] < 7; b[2]++)
            for (b[1] = 0; b[1] < 3; b[1]++)
                for (b[0] = 0; b[0] < 4; b[0]++) {
                    const uint64_t number = sw_dem_hash_number(&grid, w, b);
                    assert_true(number < 420);
                    seen[number]++;
                }
    for (int i = 0; i < 420; i++)
        assert_int_equal(seen[i], 1);
}

static void boxes_find_the_same_rows(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        sw_dem *dem = open_batch(both[i]);
        make_bvh(dem);
        check_rows(dem, by_bvh);
        sw_dem_close(dem);
    }
}

/* Below an element's root are all its leaves, each once, none of another's, in boxes that hold theirs. */
static void trees_of_elements_are_apart(void **state)
{
    static int32_t stack[MOST_POSITIONS];
    (void)state;
    sw_dem *dem = open_batch(SW_DEM_BOUNDARY_PARTICLES);
    make_bvh(dem);
    const int32_t inner = (int32_t)bvh.n - 1;
    for (int w = 0; w < ELEMENTS; w++) {
        int32_t waiting = 0, leaves = 0;
        stack[waiting++] = roots[w];
        while (waiting > 0) {
            const int32_t node = stack[--waiting];
            assert_in_range(node, 0, 2 * bvh.n - 2);
            if (node >= inner) {
                assert_in_range(node - inner, firsts[w], firsts[w + 1] - 1);
                leaves++;
                continue;
            }
            for (int c = 0; c < 2; c++) {
                const sw_dem_box *outer = &boxes[node], *box = &boxes[children[node][c]];
                assert_int_equal(parents[children[node][c]], node);
                for (int k = 0; k < 3; k++)
                    assert_true(outer->low[k] <= box->low[k] && box->low[k] < box->high[k] &&
                                box->high[k] <= outer->high[k]);
                stack[waiting++] = children[node][c];
            }
        }
        assert_int_equal(leaves, firsts[w + 1] - firsts[w]);
    }
    sw_dem_close(dem);
}

/* Bits of the coordinates alternate, the first's lowest; out of the range they are its ends. */
static void morton_codes_interleave(void **state)
{
    (void)state;
    assert_int_equal(sw_dem_spread_bits(1023), 0x09249249);
    for (uint64_t bit = 0; bit < SW_DEM_MORTON_BITS; bit++)
        assert_int_equal(sw_dem_spread_bits((uint64_t)1 << bit), (uint64_t)1 << 3 * bit);
    sw_dem *dem = open_batch(SW_DEM_NEAREST);
    sw_dem_rve *rve = (sw_dem_rve *)sw_dem_get(dem, 1);
    const double(*h)[3] = (const double(*)[3])rve->state->cell.h;
    static const struct {
        double s[3];
        uint64_t code;
    } at[] = {{{-0.5, -0.5, -0.5}, 0},
              {{-0.4999 + 1.0 / 512, -0.4999, -0.4999}, 1}, /* the second of 1024 places over two cells */
              {{-0.4999, -0.4999 + 1.0 / 512, -0.4999}, 2},
              {{-0.4999, -0.4999, 0.5001}, (uint64_t)4 << 27},
              {{9, 9, 9}, (1 << 30) - 1},
              {{-9, -9, -9}, 0}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        for (int k = 0; k < 3; k++)
            rve->position[0][k] = h[k][0] * at[i].s[0] + h[k][1] * at[i].s[1] + h[k][2] * at[i].s[2];
        assert_int_equal(sw_dem_bvh_key(rve, 3, 0), (uint64_t)3 << 30 | at[i].code);
    }
    sw_dem_close(dem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_grids_find_all_pairs),
        cmocka_unit_test(hash_finds_the_same_rows),
        cmocka_unit_test(hash_with_few_bins_finds_the_same_rows),
        cmocka_unit_test(hash_numbers_differ),
        cmocka_unit_test(boxes_find_the_same_rows),
        cmocka_unit_test(trees_of_elements_are_apart),
        cmocka_unit_test(morton_codes_interleave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
