/* Textures counted on the GPU against those counted on the CPU. */
#include "tests/test.h"

#include "online/response/step/crystals.h"
#include "online/gpu/gpu.h"
#include "online/texture/series/odf_series.h"
#include "online/texture/bin_moments.h"

/* Densities of the cells of both, at ten of the crystals and elsewhere. Crystal by crystal: places differ by 1e-6 rad of half
 * widths of 0.13, whose slope is 10 of the largest density at most, and as much rounding. By way of bins: of the largest,
 * tests/online/texture/test_bin_moments.c. */
static void check_densities(const sw_orientation_histogram *cpu, const sw_orientation_histogram *gpu,
                            const sw_crystal *crystal)
{
    const int by_bins = sw_bin_moments_serve(gpu);
    double largest = 0;
    enum { POINTS = 500 };
    double point[POINTS][3], density[2][POINTS];
    for (int i = 0; i < POINTS; i++)
        sw_random_orientation(77, (uint64_t)i, point[i]);
    for (int i = 0; i < 10 * 3; i++)
        point[i / 3][i % 3] = (double)crystal[i / 3].euler[i % 3];
    for (int i = 0; i < 2; i++) {
        sw_odf_series *series;
        CHECK_OK(sw_odf_series_create(cpu->lattice->group, (i ? gpu : cpu)->cell, SW_ODF_KAPPA, &series));
        CHECK_OK(sw_odf_series_at(series, POINTS, (const double(*)[3])point, density[i]));
        sw_odf_series_destroy(series);
    }
    for (int i = 0; i < POINTS; i++)
        largest = greatest(largest, density[0][i]);
    for (int i = 0; i < POINTS; i++)
        CHECK_CLOSE(density[1][i], density[0][i], (by_bins ? 7.6e-4 : 2e-5) * largest);
}

/* most: as how many they are counted, which says how. */
static void check_counts(const sw_lattice *lattice, double most)
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
    CHECK_OK(sw_orientation_histogram_create(lattice, &cpu));
    CHECK_OK(sw_orientation_histogram_create(lattice, &gpu));
    cpu->most = gpu->most = most;
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
    check_densities(cpu, gpu, host);
    sw_orientation_histogram_destroy(cpu);
    sw_orientation_histogram_destroy(gpu);
    sw_crystals_free(SW_CUDA, device);
    free(host);
}

static void counts_are_those_of_the_cpu(void **state)
{
    (void)state;
    static const double most[] = {300007, 1e9, 0};
    for (int i = 0; i < 3; i++) {
        check_counts(&sw_lattice_fcc, most[i]);
        check_counts(&sw_lattice_bcc, most[i]);       /* whose components are orientations and fibres */
        check_counts(&sw_lattice_hexagonal, most[i]); /* and fibres between sample axes */
    }
}

static void add_host(sw_orientation_histogram *h, int64_t n, const sw_crystal *crystal)
{
    sw_crystal *device;
    CHECK_OK(sw_crystals_allocate(SW_CUDA, n, &device));
    CHECK_OK(sw_crystals_copy(SW_CUDA, n, device, crystal));
    CHECK_OK(sw_orientation_histogram_add_cuda(h, n, device, NULL));
    sw_crystals_free(SW_CUDA, device);
}

/* Scattered, all alike, and of few orientations: a warp's in many bins, in one and in some. Backwards, in parts: the same bits. */
static void any_order_gives_the_same_numbers(void **state)
{
    (void)state;
    char name[256];
    enum { N = 100003 };
    static sw_crystal crystal[N], backwards[N];
    static const int orientations[] = {N, 1, 5};
    if (sw_gpu_describe(name, sizeof name) == 0)
        skip();
    for (int i = 0; i < 6; i++) {
        sw_orientation_histogram *cpu, *gpu[2];
        CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 6, 0, 16e6F));
        for (int n = 0; n < N; n++)
            crystal[n] = crystal[n % orientations[i / 2]];
        for (int n = 0; n < N; n++)
            backwards[n] = crystal[N - 1 - n];
        CHECK_OK(sw_orientation_histogram_create(&sw_lattice_fcc, &cpu));
        for (int k = 0; k < 2; k++) {
            CHECK_OK(sw_orientation_histogram_create(&sw_lattice_fcc, &gpu[k]));
            gpu[k]->most = cpu->most = i & 1 ? 1e9 : N;
        }
        CHECK_OK(sw_orientation_histogram_add(cpu, N, crystal, NULL));
        add_host(gpu[0], N, crystal);
        add_host(gpu[1], 7777, backwards);
        add_host(gpu[1], N - 7777, backwards + 7777);
        assert_memory_equal(gpu[0]->count, gpu[1]->count,
                            (size_t)sw_orientation_histogram_numbers(cpu) * sizeof *cpu->count);
        assert_int_equal(sw_orientation_histogram_total(gpu[0]), N);
        check_densities(cpu, gpu[0], crystal);
        sw_orientation_histogram_destroy(cpu);
        sw_orientation_histogram_destroy(gpu[0]);
        sw_orientation_histogram_destroy(gpu[1]);
    }
}

/* Nothing is counted where one cannot be, whichever way. */
static void bad_crystals_are_refused(void **state)
{
    (void)state;
    char name[256];
    enum { N = 1000 };
    static sw_crystal crystal[N];
    sw_crystal *device;
    sw_orientation_histogram *h;
    if (sw_gpu_describe(name, sizeof name) == 0)
        skip();
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 6, 0, 16e6F));
    crystal[3].euler[1] = NAN;
    crystal[N - 1].euler[0] = 9000;
    CHECK_OK(sw_crystals_allocate(SW_CUDA, N, &device));
    CHECK_OK(sw_crystals_copy(SW_CUDA, N, device, crystal));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(sw_orientation_histogram_create(&sw_lattice_fcc, &h));
        h->most = i ? 1e9 : N;
        assert_int_equal(sw_orientation_histogram_add_cuda(h, N, device, NULL), SW_ERR_RANGE);
        assert_message_has("2 crystals have angles that are not finite or above 8192 rad");
        for (int64_t k = 0; k < sw_orientation_histogram_numbers(h); k++)
            assert_int_equal(h->count[k], 0);
        sw_orientation_histogram_destroy(h);
    }
    sw_crystals_free(SW_CUDA, device);
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
    CHECK_OK(sw_orientation_histogram_create(&sw_lattice_fcc, &cpu));
    CHECK_OK(sw_orientation_histogram_create(&sw_lattice_fcc, &gpu));
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
    check_densities(cpu, gpu, host);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_the_cpu), cmocka_unit_test(any_order_gives_the_same_numbers),
        cmocka_unit_test(bad_crystals_are_refused), cmocka_unit_test(weights_are_counted_as_on_the_cpu)};
    return cmocka_run_group_tests_name("gpu texture", tests, NULL, NULL);
}
