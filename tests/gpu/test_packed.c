/* Crystals of 8 bytes on a GPU against the CPU's: what they hold, their steps, in its memory and passing through it. */
#include "tests/gpu/gpu.h"

#include "common/crystal/point_group.h"
#include "common/math/quaternion.h"
#include "common/math/rotation.h"
#include "online/response/step/crystals.h"

enum { N = 20011 };

static const double rates[3][3] = {{1e-3, 4e-4, 0}, {0, 2e-4, -3e-4}, {2e-4, 0, -1.2e-3}};
static sw_material material;

static sw_response *open_table(sw_device device, int nearest)
{
    return open_on(device,
                   (sw_response_options){
                       .solver = "tabulated", .material = &material, .refinement = 2, .nearest = nearest});
}

static sw_crystals packed(const sw_response *response, const sw_crystal *begun)
{
    sw_crystals c;
    CHECK_OK(sw_crystals_make(response, N, &c));
    CHECK_OK(sw_crystals_copy(c.device, N, c.crystal, begun));
    CHECK_OK(sw_crystals_pack(response, 4096, &c));
    assert_null(c.crystal);
    return c;
}

static double apart(const sw_crystal *a, const sw_crystal *b)
{
    double g[2][3][3], p[2][4], nearest[4], square = 0;
    const sw_crystal *const of[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const double euler[3] = {of[k]->euler[0], of[k]->euler[1], of[k]->euler[2]};
        sw_rotation_from_euler(euler, g[k]);
        sw_quaternion_from_rotation(g[k], p[k]);
    }
    sw_point_group_nearest(&sw_point_group_432, p[0], p[1], nearest);
    for (int i = 0; i < 4; i++)
        square += pow(p[0][i] - nearest[i], 2);
    return 4 * asin(sqrt(square) / 2);
}

static void begin(sw_crystal crystal[N])
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 9, 0, 16e6F));
    for (int n = 0; n < N; n++)
        crystal[n].slip_resistance = (float)(16e6 + 4e3 * n);
}

/* Sines on the GPU are good to 4e-7 (turns.h), of which SW_PACKED_UNIT makes 0.02 units: the two sides round one number in 50 to
 * neighbours, never further; one unit is 4.3e-5 rad, of three numbers and what the fourth makes up for twice sqrt(3) that. */
static void both_hold_the_same(void **state)
{
    NEED_GPU();
    static sw_crystal begun[N], cpu[N], gpu[N];
    begin(begun);
    sw_response *a = open_table(SW_CPU, 0), *b = open_table(SW_CUDA, 0);
    sw_crystals on_cpu = packed(a, begun), on_gpu = packed(b, begun);
    int others = 0;
    CHECK_OK(sw_crystals_unpack(&on_cpu, cpu));
    CHECK_OK(sw_crystals_unpack(&on_gpu, gpu));
    for (int n = 0; n < N; n++) {
        const double off = apart(&cpu[n], &gpu[n]);
        CHECK_CLOSE(off, 0, 2 * sqrt(3) * 4.3e-5 + 2e-6);
        CHECK_CLOSE(gpu[n].slip_resistance / cpu[n].slip_resistance, 1,
                    1.01 * on_cpu.packed.quantum * log(2));
        others += off > 2e-5;
    }
    assert_true(others < N * 3 * 0.02 * 1.5);
    CHECK_OK(sw_crystals_repack(&on_gpu, gpu)); /* to the same bits */
    CHECK_OK(sw_crystals_unpack(&on_gpu, cpu));
    assert_memory_equal(cpu, gpu, sizeof gpu);
    sw_crystals_release(&on_cpu);
    sw_crystals_release(&on_gpu);
    sw_response_close(a);
    sw_response_close(b);
}

/* Tables of half precision, 2^-11 of values up to 3.5, whose errors are many crystals'; of the nearest entry, one in a hundred of them finds
 * another where angles differ by 1e-5 rad and what single steps round, and there a stress differs by its own size at most: means of N
 * to 1e-3 of it; with 20 steps behind them, in which orientations part by some units, to twice that. */
static void both_step_alike(void **state)
{
    NEED_GPU();
    static sw_crystal begun[N];
    begin(begun);
    for (int nearest = 0; nearest < 2; nearest++) {
        sw_response *a = open_table(SW_CPU, nearest), *b = open_table(SW_CUDA, nearest);
        sw_crystals on_cpu = packed(a, begun), on_gpu = packed(b, begun);
        for (int step = 0; step < 20; step++) {
            sw_response_average of[2];
            on_cpu.packed.step = on_gpu.packed.step = step;
            CHECK_OK(sw_response_advance(a, rates, 12, &on_cpu, &on_cpu, &of[0]));
            CHECK_OK(sw_response_advance(b, rates, 12, &on_gpu, &on_gpu, &of[1]));
            const double size = sqrt(3) * of[0].slip_resistance;
            for (int k = 0; k < 9; k++)
                CHECK_CLOSE(of[1].cauchy_stress[k / 3][k % 3], of[0].cauchy_stress[k / 3][k % 3],
                            2e-3 * size);
            CHECK_CLOSE(of[1].slip_resistance / of[0].slip_resistance, 1, 2e-4);
            CHECK_CLOSE(of[1].slip_rate / of[0].slip_rate, 1, 2e-3);
        }
        sw_crystals_release(&on_cpu);
        sw_crystals_release(&on_gpu);
        sw_response_close(a);
        sw_response_close(b);
    }
}

/* From the host's memory, by parts, with weights that are all alike: the same bits. */
static void streams_do_the_same(void **state)
{
    NEED_GPU();
    static sw_crystal begun[N], here[N], there[N];
    static float weight[N];
    begin(begun);
    sw_response *b = open_table(SW_CUDA, 0);
    sw_response_average of[3];
    sw_crystals on_gpu = packed(b, begun), weighted = packed(b, begun), streamed = packed(b, begun);
    uint64_t *const words = streamed.packed.word, *own = malloc(N * sizeof *own);
    for (int n = 0; n < N; n++)
        weight[n] = 1;
    CHECK_OK(sw_numbers_copy(SW_CUDA, 2 * N, (float *)own, (const float *)words)); /* two to a word */
    streamed.packed.word = own;
    weighted.weight = weight;
    for (int step = 0; step < 3; step++) {
        on_gpu.packed.step = weighted.packed.step = streamed.packed.step = step;
        CHECK_OK(sw_response_advance(b, rates, 12, &on_gpu, &on_gpu, &of[0]));
        CHECK_OK(sw_response_advance(b, rates, 12, &weighted, &weighted, &of[1]));
        CHECK_OK(sw_response_advance(b, rates, 12, &streamed, &streamed, &of[2]));
    }
    CHECK_OK(sw_crystals_unpack(&on_gpu, here));
    CHECK_OK(sw_crystals_unpack(&weighted, there));
    assert_memory_equal(here, there, sizeof here);
    CHECK_OK(sw_crystals_unpack(&streamed, there));
    assert_memory_equal(here, there, sizeof here);
    for (int k = 1; k < 3; k++)
        CHECK_CLOSE(of[k].slip_rate / of[0].slip_rate, 1, 1e-6);
    sw_response_average tried;
    CHECK_OK(sw_response_evaluate_mean(b, rates, &on_gpu, &tried));
    streamed.packed.word = words;
    free(own);
    sw_crystals_release(&on_gpu);
    sw_crystals_release(&weighted);
    sw_crystals_release(&streamed);
    sw_response_close(b);
}

static int set_up_material(void **state)
{
    material = (sw_material){.name = "copper",
                             .crystal_structure = SW_LATTICE_fcc,
                             .elasticity = {168.7e9, 121.7e9, 75.0e9},
                             .slip = {1e-3, 0.012, 16e6},
                             .hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}}};
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_hold_the_same),
                                       cmocka_unit_test(both_step_alike),
                                       cmocka_unit_test(streams_do_the_same)};
    return cmocka_run_group_tests(tests, set_up_material, NULL);
}
