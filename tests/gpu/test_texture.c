/* Textures counted on the GPU against those counted on the CPU. */
#include "tests/test.h"

#include "online/response/step/crystals.h"
#include "online/gpu/gpu.h"
#include "online/texture/orientation_histogram.h"

static void counts_are_those_of_the_cpu(void **state)
{
    (void)state;
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
    CHECK_OK(sw_orientation_histogram_create(&cpu));
    CHECK_OK(sw_orientation_histogram_create(&gpu));
    CHECK_OK(sw_orientation_histogram_add(cpu, N, host));
    CHECK_OK(sw_orientation_histogram_add_cuda(gpu, N, device));
    CHECK_OK(sw_orientation_histogram_add_cuda(gpu, 0, device));
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
    sw_orientation_histogram_destroy(cpu);
    sw_orientation_histogram_destroy(gpu);
    sw_crystals_free(SW_CUDA, device);
    free(host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts_are_those_of_the_cpu)};
    return cmocka_run_group_tests_name("gpu texture", tests, NULL, NULL);
}
