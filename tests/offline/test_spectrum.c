/* From grid points to terms: distinct points stand for all, and all terms give the data back. */
#include "tests/test.h"

#include <fcntl.h>
#include <omp.h>
#include <unistd.h>

#include "common/database/database.h"
#include "common/math/rotation.h"
#include "offline/integrate.h"
#include "offline/response_grid.h"
#include "offline/spectrum.h"

static const int64_t shape[4] = {8, 8, 8, 12};
enum { POINTS = 8 * 8 * 8 * 12 };

static sw_response_grid grid;
static double (*brute)[SW_OUTPUTS_MOST]; /* [POINTS] every point integrated by itself */
static double scale[SW_OUTPUTS_MOST];    /* RMS values */

static int set_up(void **state)
{
    (void)state;
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    double(*x)[4];
    if (SW_ALLOCATE(x, POINTS, "angles") || SW_ALLOCATE(brute, POINTS, "responses") ||
        sw_response_grid_create(&sw_point_group_432, shape, &grid) ||
        sw_integrate_grid(&grid, &material, &increment, &(sw_integrate_options){.quiet = 1}))
        return -1;
    for (int64_t i = 0; i < POINTS; i++)
        sw_grid_angles(shape, i, x[i]);
    const sw_status status =
        sw_integrate_points(&material, &increment, POINTS, (const double(*)[4])x, brute, NULL);
    free(x);
    for (int c = 0; c < SW_OUTPUTS_MOST; c++) {
        for (int64_t i = 0; i < POINTS; i++)
            scale[c] += brute[i][c] * brute[i][c] / POINTS;
        scale[c] = sqrt(scale[c]);
    }
    return status == SW_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sw_response_grid_destroy(&grid);
    free(brute);
    return 0;
}

static void clear(sw_database *database)
{
    free(database->wavevector);
    free(database->coefficient);
    free(database->planes);
    free(database->weight);
    free(database->magnitude);
    memset(database, 0, sizeof *database);
}

/* As asked of every point: whether an operation takes it to an earlier one. */
static void distinct_points_are_the_first_of_their_orbits(void **state)
{
    static const struct {
        const sw_point_group *group;
        int64_t shape[4];
    } made[] = {{&sw_point_group_432, {8, 6, 12, 7}},
                {&sw_point_group_432, {12, 10, 8, 4}},
                {&sw_point_group_622, {4, 8, 18, 10}}};
    (void)state;
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        const int64_t *n = made[k].shape;
        sw_response_grid found;
        int64_t p = 0;
        CHECK_OK(sw_response_grid_create(made[k].group, n, &found));
        for (int64_t i = 0; i < n[0] * n[1] * n[2] * n[3]; i++) {
            int first = 1;
            for (int s = 0; s < found.symmetries.count; s++)
                first &= sw_symmetry_image(&found.symmetries.operation[s], n, i) >= i;
            if (first)
                assert_true(p < found.n_points && found.point[p] == i);
            p += first;
        }
        assert_int_equal(p, found.n_points);
        sw_response_grid_destroy(&found);
    }
}

static void distinct_points_stand_for_all(void **state)
{
    (void)state;
    enum { REDUCED = POINTS / 4 };
    static float values[SW_OUTPUTS_MOST][REDUCED];
    float *field[SW_OUTPUTS_MOST];
    assert_true(grid.n_points < POINTS / 40); /* an orbit of 128, fewer where points lie on mirror planes */
    for (int c = 0; c < SW_OUTPUTS_MOST; c++)
        field[c] = values[c];
    memset(values, 0xff, sizeof values); /* NaN: a place that nothing fills fails */
    sw_response_grid_expand(&grid, shape[3], field);
    for (int64_t i = 0; i < POINTS; i++) {
        const int64_t j4 = i % 12, j3 = i / 12 % 8, rest = i / 96;
        for (int c = 0; c < SW_OUTPUTS_MOST; c++) /* and single precision, 6e-8 of the value */
            CHECK_CLOSE(values[c][(rest * 2 + j3 % 2) * 12 + j4], brute[i][c],
                        1e-6 * scale[c] + 6e-8 * fabs(brute[i][c]));
    }
}

/* With how planes share slip, and without. */
static void check_data_come_back(int outputs)
{
    sw_database database = {0};
    grid.outputs = outputs;
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &database));
    for (int64_t i = 0; i < POINTS; i++) {
        double x[4], y[SW_OUTPUTS_MOST];
        sw_grid_angles(shape, i, x);
        sw_database_evaluate(&database, database.n_pairs, x, y);
        /* single precision coefficients: 6e-8 of each, sqrt of their number, and some safety */
        for (int c = 0; c < outputs; c++)
            CHECK_CLOSE(y[c], brute[i][c], 2e-6 * fmax(scale[c], 1));
    }
    for (int c = 0; c < outputs; c++)
        CHECK_CLOSE(database.captured_variance[c], 1, 1e-6);
    assert_true((database.planes != NULL) == (outputs > SW_OUTPUTS));
    clear(&database);
    grid.outputs = SW_OUTPUTS;
}

static void all_terms_give_the_data_back(void **state)
{
    (void)state;
    check_data_come_back(SW_OUTPUTS);
    check_data_come_back(SW_OUTPUTS_MOST);
}

static void terms_are_ranked_and_the_mean_is_first(void **state)
{
    (void)state;
    sw_database all = {0}, some = {0};
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &all));
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.pairs = 50, .quiet = 1}, &some));
    assert_int_equal(some.n_pairs, 50);
    for (int d = 0; d < 4; d++)
        assert_int_equal(all.wavevector[0][d], 0);
    double mean = 0;
    for (int64_t i = 0; i < POINTS; i++)
        mean += brute[i][8] / POINTS;
    CHECK_CLOSE(all.coefficient[0][8][0], mean, 1e-6 * mean);
    for (int64_t t = 2; t < all.n_pairs; t++)
        assert_true(all.magnitude[t] <= all.magnitude[t - 1]);
    assert_memory_equal(all.wavevector, some.wavevector, sizeof *all.wavevector * 50);
    assert_memory_equal(all.coefficient, some.coefficient, sizeof *all.coefficient * 50);
    for (int c = 0; c < SW_OUTPUTS; c++)
        assert_true(some.captured_variance[c] < all.captured_variance[c]);
    /* Parseval: the energy in the terms is the energy on the grid */
    for (int c = 0; c < SW_OUTPUTS; c++) {
        double energy = 0;
        for (int64_t t = 0; t < all.n_pairs; t++)
            for (int part = 0; part < 2; part++)
                energy += all.weight[t] * all.coefficient[t][c][part] * all.coefficient[t][c][part];
        CHECK_CLOSE(energy / (scale[c] * scale[c]), 1, 1e-5);
    }
    /* one of each pair, never both, and only every fourth phi2 wavenumber */
    for (int64_t t = 0; t < all.n_pairs; t++) {
        assert_int_equal(all.wavevector[t][2] % 4, 0);
        for (int64_t u = 0; u < t; u++) {
            int same = 1, mirrored = 1;
            for (int d = 0; d < 4; d++) {
                same &= (all.wavevector[t][d] - all.wavevector[u][d]) % shape[d] == 0;
                mirrored &= (all.wavevector[t][d] + all.wavevector[u][d]) % shape[d] == 0;
            }
            assert_false(same || mirrored);
        }
    }
    clear(&all);
    clear(&some);
}

static void no_more_terms_than_there_are(void **state)
{
    (void)state;
    sw_database all = {0}, more = {0};
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &all));
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.pairs = POINTS, .quiet = 1}, &more));
    assert_int_equal(all.n_pairs, more.n_pairs);
    assert_true(all.n_pairs < POINTS / 8 + 100); /* half by conjugation, a quarter by phi2's period */
    clear(&all);
    clear(&more);
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    const int threads = omp_get_max_threads();
    sw_database one = {0}, three = {0};
    omp_set_num_threads(1);
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &one));
    omp_set_num_threads(3);
    CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.quiet = 1}, &three));
    omp_set_num_threads(threads);
    assert_int_equal(one.n_pairs, three.n_pairs);
    assert_memory_equal(one.wavevector, three.wavevector, sizeof *one.wavevector * (size_t)one.n_pairs);
    assert_memory_equal(one.coefficient, three.coefficient, sizeof *one.coefficient * (size_t)one.n_pairs);
    clear(&one);
    clear(&three);
}

static void check_same(const sw_database *a, const sw_database *b)
{
    const size_t n = (size_t)a->n_pairs;
    assert_int_equal(a->n_pairs, b->n_pairs);
    assert_memory_equal(a->wavevector, b->wavevector, n * sizeof *a->wavevector);
    assert_memory_equal(a->coefficient, b->coefficient, n * sizeof *a->coefficient);
    assert_memory_equal(a->weight, b->weight, n * sizeof *a->weight);
    assert_memory_equal(a->magnitude, b->magnitude, n * sizeof *a->magnitude);
    assert_true((a->planes != NULL) == (b->planes != NULL));
    if (a->planes != NULL)
        assert_memory_equal(a->planes, b->planes, n * sizeof *a->planes);
    assert_memory_equal(a->captured_variance, b->captured_variance, sizeof a->captured_variance);
}

static void check_two_sweeps(int outputs)
{
    const int64_t counts[] = {0, 50, 1};
    grid.outputs = outputs;
    for (int i = 0; i < 3; i++) {
        sw_database together = {0};
        CHECK_OK(sw_spectrum_rank_within(&grid, &(sw_spectrum_options){.pairs = counts[i], .quiet = 1},
                                         &together));
        for (int k = 1; k <= outputs; k++) {
            sw_spectrum_options options = {.pairs = counts[i], .quiet = 1};
            sw_database apart = {0};
            int found;
            options.memory = sw_spectrum_memory(&grid, &options, k);
            CHECK_OK(sw_spectrum_together(&grid, &options, &found));
            assert_int_equal(found, k);
            CHECK_OK(sw_spectrum_rank_within(&grid, &options, &apart));
            check_same(&together, &apart);
            clear(&apart);
        }
        clear(&together);
    }
    grid.outputs = SW_OUTPUTS;
}

static void two_sweeps_change_no_bit(void **state)
{
    (void)state;
    check_two_sweeps(SW_OUTPUTS);
    check_two_sweeps(SW_OUTPUTS_MOST);
}

static void one_output_at_a_time_is_the_least(void **state)
{
    (void)state;
    sw_database database = {0};
    sw_spectrum_options options = {.quiet = 1};
    options.memory = sw_spectrum_memory(&grid, &options, 1) - 1;
    assert_int_equal(sw_spectrum_rank_within(&grid, &options, &database), SW_ERR_RANGE);
    assert_non_null(strstr(sw_error_message(), "to transform one output at a time"));
    assert_null(database.coefficient);
}

/* Flips a byte at `from` its end, or cuts that much off (cut). */
static void spoil(const char *path, off_t from, int cut)
{
    char byte;
    const int file = open(path, O_RDWR);
    assert_true(file >= 0);
    const off_t size = lseek(file, 0, SEEK_END);
    if (cut) {
        assert_int_equal(ftruncate(file, size - from), 0);
    } else {
        assert_int_equal(pread(file, &byte, 1, size - from), 1);
        byte = (char)(byte ^ 1);
        assert_int_equal(pwrite(file, &byte, 1, size - from), 1);
    }
    close(file);
}

/* A run that was stopped between two outputs of the second sweep, during the first, or after both: what is kept is
 * taken, which shows where the responses have changed meanwhile, what is missing is done, to the same bits. */
static void sweeps_go_on(void **state)
{
    (void)state;
    enum { TERMS = 50, BLOCK = (1 + 1 + SW_OUTPUTS_MOST + 2 * TERMS) * 8 };
    char path[] = "/tmp/slipwave-sweeps-XXXXXX";
    sw_spectrum_options options = {.pairs = TERMS, .checkpoint = path, .key = 7, .quiet = 1};
    sw_database whole = {0}, again = {0};
    close(mkstemp(path));
    unlink(path);
    options.memory = sw_spectrum_memory(&grid, &options, 2);
    CHECK_OK(sw_spectrum_rank_within(&grid, &options, &whole));
    assert_int_equal(sw_spectrum_rank_within(&grid, &options, &again), SW_ERR_INPUT); /* one is there */
    options.resume = 1;
    const off_t spoilt[] = {BLOCK / 2, 3 * BLOCK,
                            9 * BLOCK + BLOCK / 2}; /* the last output, three, the ranking */
    for (int i = 0; i < 3; i++) {
        spoil(path, spoilt[i], i == 1);
        CHECK_OK(sw_spectrum_rank_within(&grid, &options, &again));
        check_same(&whole, &again);
        clear(&again);
    }
    double(*const output)[SW_OUTPUTS_MOST] = grid.output;
    CHECK_OK(SW_ALLOCATE(grid.output, grid.n_points, "zeros"));
    CHECK_OK(sw_spectrum_rank_within(&grid, &options, &again));
    free(grid.output);
    grid.output = output;
    check_same(&whole, &again);
    clear(&again);
    options.key = 8;
    assert_int_equal(sw_spectrum_rank_within(&grid, &options, &again), SW_ERR_FORMAT);
    unlink(path);
    clear(&whole);
}

/* Orientations on mirror planes with theta at a corner of the yield surface: where Newton's method without a
 * bounded step fails. Every one must converge without a step halved. */
static void symmetric_points_converge(void **state)
{
    (void)state;
    enum { ANGLES = 8, THETAS = 24 };
    static double x[ANGLES * ANGLES * THETAS][4], y[ANGLES * ANGLES * THETAS][SW_OUTPUTS_MOST];
    const sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    sw_integration_statistics statistics = {0};
    for (int i = 0; i < ANGLES * ANGLES * THETAS; i++) {
        x[i][0] = SW_PI / 4 * (i % ANGLES);
        x[i][1] = SW_PI / 4 * (i / ANGLES % ANGLES) * (i % 2);
        x[i][3] = SW_PI / 12 * (i / ANGLES / ANGLES % THETAS);
    }
    CHECK_OK(sw_integrate_points(&material, &increment, ANGLES * ANGLES * THETAS, (const double(*)[4])x, y,
                                 &statistics));
    assert_int_equal(statistics.halvings, 0);
}

/* A point that cannot be integrated stops everything, by name. */
static void failure_names_the_point(void **state)
{
    (void)state;
    sw_material material = copper();
    const sw_increment increment = sw_increment_default(&material);
    const double x[1][4] = {{0.5, 0.25, 0.125, 1.5}};
    double y[1][SW_OUTPUTS_MOST];
    material.elasticity.c44 = NAN;
    assert_int_equal(sw_integrate_points(&material, &increment, 1, x, y, NULL), SW_ERR_CONVERGENCE);
    assert_non_null(strstr(sw_error_message(), "(0.5, 0.25, 0.125, 1.5)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distinct_points_are_the_first_of_their_orbits),
        cmocka_unit_test(distinct_points_stand_for_all),
        cmocka_unit_test(all_terms_give_the_data_back),
        cmocka_unit_test(terms_are_ranked_and_the_mean_is_first),
        cmocka_unit_test(no_more_terms_than_there_are),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(two_sweeps_change_no_bit),
        cmocka_unit_test(one_output_at_a_time_is_the_least),
        cmocka_unit_test(sweeps_go_on),
        cmocka_unit_test(symmetric_points_converge),
        cmocka_unit_test(failure_names_the_point),
    };
    return cmocka_run_group_tests_name("spectrum", tests, set_up, tear_down);
}
