/* Textures counted on the GPU against those counted on the CPU. */
#include "tests/test.h"

#include "online/response/step/crystals.h"
#include "online/gpu/gpu.h"
#include "online/texture/series/odf_series.h"
#include "online/texture/orientation_histogram.h"

/* Densities of the cells of both: places differ by 1e-6 rad of half widths of 0.13, whose slope is 10 of them at most. */
static void check_densities(const sw_orientation_histogram *cpu, const sw_orientation_histogram *gpu)
{
    enum { POINTS = 500 };
    double point[POINTS][3], density[2][POINTS];
    for (int i = 0; i < POINTS; i++)
        sw_random_orientation(77, (uint64_t)i, point[i]);
    for (int i = 0; i < 2; i++) {
        sw_odf_series *series;
        CHECK_OK(
            sw_odf_series_create(sw_point_group_of(SW_FCC), (i ? gpu : cpu)->cell, SW_ODF_KAPPA, &series));
        CHECK_OK(sw_odf_series_at(series, POINTS, (const double(*)[3])point, density[i]));
        sw_odf_series_destroy(series);
    }
    for (int i = 0; i < POINTS; i++)
        CHECK_CLOSE(density[1][i], density[0][i], 1e-5 * density[0][i] + 1e-5);
}

static void check_counts(sw_crystal_structure structure)
{
    char name[256];
    enum { N = 300007 };
    sw_crystal *device, *host;
    sw_orientation_histogram *cpu, *gpu;
    if (sw_gpu_describe(name, sizeof name) == 0)
        skip();
    CHECK_OK(sw_crystals_allocate(SW_CUDA, N, &device));
    CHECK_OK(SW_ALLOCATE(host, N, "crystals"));
    CHECK_OK(sw_crystals_randomise(SW_CUDA, N, device, 5, 0, 16e6F));
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, host, device));
    CHECK_OK(sw_orientation_histogram_create(structure, &cpu));
    CHECK_OK(sw_orientation_histogram_create(structure, &gpu));
    CHECK_OK(sw_orientation_histogram_add(cpu, N, host, NULL));
    CHECK_OK(sw_orientation_histogram_add_cuda(gpu, N, device, NULL));
    CHECK_OK(sw_orientation_histogram_add_cuda(gpu, 0, device, NULL));
    assert_int_equal(cpu->n_crystals, gpu->n_crystals);
    int64_t total = 0, moved = 0;
    for (int64_t i = 0; i < SW_HISTOGRAM_BINS; i++) {
        total += (int64_t)gpu->count[i];
        moved += llabs((int64_t)gpu->count[i] - (int64_t)cpu->count[i]);
    }
    assert_int_equal(total, N);
    /* angles differ by 1e-6 rad, bins are 0.022 wide in three directions: 3e-4 of the crystals at most */
    print_message("%lld of %d crystals in another bin\n", (long long)moved / 2, N);
    assert_true(moved / 2 <= 100);
    for (int c = 0; c < SW_HISTOGRAM_COMPONENTS; c++)
        CHECK_CLOSE((double)gpu->component[c], (double)cpu->component[c], 5);
    check_densities(cpu, gpu);
    sw_orientation_histogram_destroy(cpu);
    sw_orientation_histogram_destroy(gpu);
    sw_crystals_free(SW_CUDA, device);
    free(host);
}

static void counts_are_those_of_the_cpu(void **state)
{
    (void)state;
    check_counts(SW_FCC);
    check_counts(SW_BCC); /* whose components are orientations and fibres */
}

/* The same with weights: what is counted is the same on both, where is as above. */
static void weights_are_counted_as_on_the_cpu(void **state)
{
    (void)state;
    char name[256];
    enum { N = 300007, MOST = 5 };
    const double unit = SW_HISTOGRAM_HEAVIEST;
    sw_crystal *device, *host;
    float *weight, *own;
    sw_orientation_histogram *cpu, *gpu;
    if (sw_gpu_describe(name, sizeof name) == 0)
        skip();
    CHECK_OK(sw_crystals_allocate_weighted(SW_CUDA, N, &device, &weight));
    CHECK_OK(sw_crystals_allocate_weighted(SW_CPU, N, &host, &own));
    CHECK_OK(sw_crystals_randomise(SW_CUDA, N, device, 5, 0, 16e6F));
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, host, device));
    for (int n = 0; n < N; n++)
        own[n] = 0.3F * (float)(n * 7 % (MOST + 1));
    CHECK_OK(sw_numbers_copy(SW_CUDA, N, weight, own));
    CHECK_OK(sw_orientation_histogram_create(SW_FCC, &cpu));
    CHECK_OK(sw_orientation_histogram_create(SW_FCC, &gpu));
    cpu->heaviest = gpu->heaviest = 0.3F * MOST;
    CHECK_OK(sw_orientation_histogram_add(cpu, N, host, own));
    CHECK_OK(sw_orientation_histogram_add_cuda(gpu, N, device, weight));
    assert_int_equal(sw_orientation_histogram_total(gpu), sw_orientation_histogram_total(cpu));
    double moved = 0;
    for (int64_t i = 0; i < SW_HISTOGRAM_BINS; i++)
        moved += fabs((double)gpu->count[i] - (double)cpu->count[i]) / unit;
    assert_true(moved / 2 <= 100);
    for (int c = 0; c < SW_HISTOGRAM_COMPONENTS; c++)
        CHECK_CLOSE((double)gpu->component[c] / unit, (double)cpu->component[c] / unit, 5);
    check_densities(cpu, gpu);
    own[N / 2] = -1;
    CHECK_OK(sw_numbers_copy(SW_CUDA, N, weight, own));
    assert_int_equal(sw_orientation_histogram_add_cuda(gpu, N, device, weight), SW_ERR_RANGE);
    assert_message_has("1 crystals have angles that are not finite or above 8192 rad, or weigh less than 0");
    sw_orientation_histogram_destroy(cpu);
    sw_orientation_histogram_destroy(gpu);
    sw_crystals_free(SW_CUDA, device);
    sw_crystals_free(SW_CPU, host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_those_of_the_cpu),
                                       cmocka_unit_test(weights_are_counted_as_on_the_cpu)};
    return cmocka_run_group_tests_name("gpu texture", tests, NULL, NULL);
}
