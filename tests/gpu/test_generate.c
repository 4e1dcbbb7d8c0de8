/* Databases made on a GPU against those of the CPU: points, spectra, what is ranked, and what interrupted runs leave. Skipped, saying
 * so, where there is no GPU. */
#include "tests/gpu/gpu.h"

#include <unistd.h>

#include "common/crystal/material_file.h"
#include "common/database/database.h"
#include "common/math/rotation.h"
#include "offline/commands.h"
#include "offline/integrate.h"
#include "offline/integrate_cuda.h"
#include "offline/spectrum.h"

/* ---- Points ---- */

enum { POINTS = 4096 };

/* Angles of sixteenths of a turn, where systems tie, then random ones. */
static void draw_points(double (*x)[4])
{
    for (int i = 0; i < POINTS; i++)
        for (int d = 0; d < 4; d++)
            x[i][d] = 2 * SW_PI * (i < POINTS / 2 ? (i >> 3 * d) % 8 / 16.0 : rand() / (RAND_MAX + 1.0));
}

static sw_material material_of(const char *name)
{
    sw_material material;
    CHECK_OK(sw_material_read(data_path("materials/%s.yaml", name), &material));
    return material;
}

/* The largest difference of any output over the largest value of that output; and what was counted. */
static double differ(const sw_material *material, const sw_increment *increment,
                     sw_integration_statistics statistics[2])
{
    static double x[POINTS][4], output[2][POINTS][SW_OUTPUTS_MOST];
    sw_point_integrator *gpu;
    double most = 0;
    draw_points(x);
    memset(output, 0xff, sizeof output);
    memset(statistics, 0, 2 * sizeof *statistics);
    CHECK_OK(
        sw_integrate_points(material, increment, POINTS, (const double(*)[4])x, output[0], &statistics[0]));
    CHECK_OK(sw_point_integrator_open(material, increment, POINTS, &gpu));
    CHECK_OK(sw_point_integrator_begin(gpu, POINTS, (const double(*)[4])x));
    CHECK_OK(sw_point_integrator_end(gpu, POINTS, (const double(*)[4])x, output[1], &statistics[1]));
    sw_point_integrator_close(gpu);
    for (int c = 0; c < SW_OUTPUTS_MOST; c++) {
        double largest = 0, difference = 0;
        for (int i = 0; i < POINTS; i++) {
            largest = greatest(largest, fabs(output[0][i][c]));
            difference = greatest(difference, fabs(output[1][i][c] - output[0][i][c]));
        }
        most = greatest(most, largest > 0 || c < SW_OUTPUTS ? difference / largest : difference);
    }
    return most;
}

/* Steps are solved until the last correction is 1e-6 of s; it is Newton's, after which less than 1e-9 is left, but where one
 * device takes an iteration more than the other. */
static void points_are_the_cpus(void **state)
{
    static const char *const name[] = {"copper-ofhc", "aluminium", "iron", "tantalum",
                                       "titanium-fixed-ratios"};
    NEED_GPU();
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        const sw_material material = material_of(name[k]);
        const sw_increment increment = sw_increment_default(&material);
        sw_integration_statistics statistics[2];
        const double most = differ(&material, &increment, statistics);
        print_message("%s: %.2g, %.4g iterations for %.4g\n", name[k], most, (double)statistics[1].iterations,
                      (double)statistics[0].iterations);
        assert_true(most < 1e-7);
        assert_int_equal(statistics[1].halvings, 0);
        assert_true(statistics[1].iterations > 0.7 * (double)statistics[0].iterations);
    }
}

/* At a rate so low that Newton's steps do not succeed at once everywhere. */
static void halved_steps_are_the_cpus(void **state)
{
    NEED_GPU();
    const sw_material material = material_of("copper-ofhc");
    sw_increment increment = sw_increment_default(&material);
    sw_integration_statistics statistics[2];
    increment.strain_rate = 1e-12;
    const double most = differ(&material, &increment, statistics);
    print_message("%.2g, %lld and %lld halvings\n", most, (long long)statistics[0].halvings,
                  (long long)statistics[1].halvings);
    assert_true(most < 1e-3);
    assert_true(statistics[0].halvings > 0);
    assert_true(statistics[1].halvings > 0);
}

/* ---- Databases ---- */

static void generate(const char *material, const int64_t shape[4], int64_t terms, sw_device_choice device,
                     double memory, sw_database **database)
{
    sw_generate_options options = {.material = data_path("materials/%s.yaml", material),
                                   .output = "generated.h5",
                                   .terms = terms,
                                   .memory = memory,
                                   .device = device,
                                   .quiet = 1};
    memcpy(options.shape, shape, sizeof options.shape);
    CHECK_OK(sw_generate(&options));
    CHECK_OK(sw_database_read(options.output, 0, database));
    unlink(options.output);
}

static int64_t number_of(const sw_database *d, int64_t t)
{
    int64_t number = 0;
    for (int k = 0; k < 4; k++)
        number = number << 14 | (d->wavevector[t][k] + 8192);
    return number;
}

static const sw_database *sorted;
static int by_number(const void *left, const void *right)
{
    const int64_t a = number_of(sorted, *(const int64_t *)left),
                  b = number_of(sorted, *(const int64_t *)right);
    return a < b ? -1 : a > b;
}

static int64_t *order_of(const sw_database *d)
{
    int64_t *order;
    CHECK_OK(SW_ALLOCATE(order, d->n_pairs, "order"));
    for (int64_t t = 0; t < d->n_pairs; t++)
        order[t] = t;
    sorted = d;
    qsort(order, (size_t)d->n_pairs, sizeof *order, by_number);
    return order;
}

/* Largest magnitudes behind the mean of terms that only one of them has; *most: largest difference of the coefficients of the
 * others over the largest behind the mean. */
static double compare(const sw_database *a, const sw_database *b, double *most)
{
    int64_t *of_a = order_of(a), *of_b = order_of(b);
    double alone = 0, largest = 0;
    *most = 0;
    for (int64_t t = 1; t < a->n_pairs; t++)
        for (int k = 0; k < 2 * sw_database_outputs(a); k++)
            largest = fmax(largest, fabs((double)sw_database_coefficient(a, t, k / 2)[k % 2]));
    for (int64_t i = 0, j = 0; i < a->n_pairs || j < b->n_pairs;) {
        const int64_t x = i < a->n_pairs ? number_of(a, of_a[i]) : INT64_MAX,
                      y = j < b->n_pairs ? number_of(b, of_b[j]) : INT64_MAX;
        if (x != y) {
            alone = greatest(alone, x < y ? a->magnitude[of_a[i]] : b->magnitude[of_b[j]]);
            i += x < y;
            j += x > y;
            continue;
        }
        assert_true(a->weight[of_a[i]] == b->weight[of_b[j]]);
        for (int k = 0; k < 2 * sw_database_outputs(a); k++)
            *most = greatest(*most, fabs((double)sw_database_coefficient(a, of_a[i], k / 2)[k % 2] -
                                         (double)sw_database_coefficient(b, of_b[j], k / 2)[k % 2]) /
                                        largest);
        i++, j++;
    }
    free(of_a);
    free(of_b);
    return alone;
}

/* Transforms in single precision round to 6e-8 of the largest value, a few times. Terms of one of them alone are at the end of the
 * ranking: many have the same magnitude by symmetry, which rounding orders. */
static void databases_are_the_cpus(void **state)
{
    static const struct {
        const char *material;
        int64_t shape[4], terms;
    } made[] = {{"copper-ofhc", {32, 32, 32, 24}, 0},
                {"copper-ofhc", {16, 16, 16, 13}, 700},
                {"iron", {12, 10, 20, 12}, 0},
                {"tantalum", {16, 16, 16, 24}, 1000},
                {"copper-ofhc-latent", {16, 16, 16, 24}, 0},
                {"titanium-fixed-ratios", {16, 12, 18, 12}, 1000}};
    NEED_GPU();
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        sw_database *cpu, *gpu;
        double most;
        generate(made[k].material, made[k].shape, made[k].terms, SW_DEVICE_CPU, 0, &cpu);
        generate(made[k].material, made[k].shape, made[k].terms, SW_DEVICE_CUDA, 0, &gpu);
        const double alone = compare(cpu, gpu, &most), last = cpu->magnitude[cpu->n_pairs - 1];
        print_message("%s: %lld and %lld pairs, %.2g; alone %.2g, last %.2g\n", made[k].material,
                      (long long)cpu->n_pairs, (long long)gpu->n_pairs, most, alone, last);
        assert_true(most < 1e-6);
        assert_true(alone < (made[k].terms > 0 ? 1.0001 * last : 1e-7));
        assert_int_equal(sw_database_outputs(gpu), sw_database_outputs(cpu));
        for (int c = 0; c < sw_database_outputs(cpu); c++)
            CHECK_CLOSE(gpu->captured_variance[c], cpu->captured_variance[c], 1e-6);
        sw_database_free(cpu);
        sw_database_free(gpu);
    }
}

/* ---- Two sweeps, and what is kept ---- */

static const int64_t small[4] = {16, 16, 16, 12};

static void check_same(const sw_database *a, const sw_database *b)
{
    const size_t n = (size_t)a->n_pairs;
    assert_int_equal(a->n_pairs, b->n_pairs);
    assert_memory_equal(a->wavevector, b->wavevector, n * sizeof *a->wavevector);
    assert_memory_equal(a->coefficient, b->coefficient, n * sizeof *a->coefficient);
    assert_memory_equal(a->weight, b->weight, n * sizeof *a->weight);
    assert_memory_equal(a->magnitude, b->magnitude, n * sizeof *a->magnitude);
    assert_true(a->planes != NULL && b->planes != NULL);
    assert_memory_equal(a->planes, b->planes, n * sizeof *a->planes);
    assert_memory_equal(a->captured_variance, b->captured_variance, sizeof a->captured_variance);
}

static void two_sweeps_change_no_bit(void **state)
{
    NEED_GPU();
    sw_response_grid grid = {0};
    sw_database *together, *apart;
    CHECK_OK(sw_response_grid_create(&sw_point_group_432, small, &grid));
    grid.outputs = SW_OUTPUTS_MOST;
    generate("copper-ofhc-latent", small, 0, SW_DEVICE_CUDA, 0, &together);
    for (int k = 1; k <= SW_OUTPUTS_MOST; k++) {
        sw_spectrum_options options = {.gpu = 1};
        int found;
        options.memory = sw_spectrum_memory(&grid, &options, k);
        CHECK_OK(sw_spectrum_together(&grid, &options, &found));
        assert_int_equal(found, k);
        generate("copper-ofhc-latent", small, 0, SW_DEVICE_CUDA, options.memory, &apart);
        check_same(together, apart);
        sw_database_free(apart);
    }
    sw_database_free(together);
    sw_response_grid_destroy(&grid);
}

static void checkpoints_go_from_device_to_device(void **state)
{
    NEED_GPU();
    const sw_material material = material_of("copper-ofhc");
    const sw_increment increment = sw_increment_default(&material);
    const int64_t shape[4] = {32, 32, 32, 24};
    sw_integrate_options options = {.checkpoint = "points.checkpoint", .gpu = 1, .quiet = 1};
    sw_response_grid made = {0}, kept = {0};
    unlink(options.checkpoint);
    CHECK_OK(sw_response_grid_create(&sw_point_group_432, shape, &made));
    CHECK_OK(sw_response_grid_create(&sw_point_group_432, shape, &kept));
    CHECK_OK(sw_integrate_grid(&made, &material, &increment, &options));
    options.resume = 1;
    options.gpu = 0;
    CHECK_OK(sw_integrate_grid(&kept, &material, &increment, &options)); /* nothing is left to do */
    assert_memory_equal(made.output, kept.output, (size_t)made.n_points * sizeof *made.output);
    sw_response_grid_destroy(&kept);
    FILE *file = fopen(options.checkpoint, "r+b"); /* a byte of the first block */
    assert_true(file != NULL && fseek(file, 1000, SEEK_SET) == 0 && fputc(0xa5, file) == 0xa5 &&
                fclose(file) == 0);
    options.gpu = 1;
    CHECK_OK(sw_response_grid_create(&sw_point_group_432, shape, &kept));
    CHECK_OK(sw_integrate_grid(&kept, &material, &increment, &options));
    assert_memory_equal(made.output, kept.output, (size_t)made.n_points * sizeof *made.output);
    unlink(options.checkpoint);
    sw_response_grid_destroy(&made);
    sw_response_grid_destroy(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_the_cpus),
        cmocka_unit_test(halved_steps_are_the_cpus),
        cmocka_unit_test(databases_are_the_cpus),
        cmocka_unit_test(two_sweeps_change_no_bit),
        cmocka_unit_test(checkpoints_go_from_device_to_device),
    };
    return cmocka_run_group_tests_name("generate", tests, set_up, NULL);
}
