/* `slipwave kwn map` as its users meet it. */
#include "kwn_runs.h"

static void assert_axes(hid_t file, const char *kind, const char *axes)
{
    assert_text(file, "/", "format", "slipwave-kwn-map");
    assert_text(file, "/", "kind", kind);
    assert_text(file, "/", "axes", axes);
    assert_text(file, "alloy", "name", "AA6082");
    assert_true(run_number(file, "steps") > 0);
}

static void ttp_map_says_how_far_each_phase_is(void **state)
{
    (void)state;
    const int64_t shape[3] = {3, 7, 1};
    result r;
    write_map(ISOTHERMAL("ttp"));
    run_coarse(MAP "map.yaml", &r);
    assert_string_equal(r.out, "out.h5: ttp, 3 temperature x 7 time\n");
    hid_t file = open_results("out.h5");
    assert_axes(file, "ttp", "temperature,time");
    assert_quantities(file, "map", 3, 7);
    double *transformed = read_set(file, "map/fraction_transformed", 3, shape);
    double *fraction = read_set(file, "map/volume_fraction", 3, shape);
    for (int i = 0; i < 3; i++) {
        /* Mg in equilibrium with Mg2Si by the alloy file: 970 exp(-47175 J/mol / RT) wt%. */
        const double wt = 26.982e-3 / 24.305e-3 / 100, kelvin = 440.0 + 20.0 * i;
        const double c = wt * 970 * exp(-47175 / (8.31446261815324 * kelvin)),
                     in_phase = 2 * 1.0e-5 / 3.95e-5;
        const double mg = 0.63 / 24.305,
                     all = mg + 1.0 / 28.085 + (100 - 0.63 - 1.0) / 26.982, /* and 1 % Si */
            whole = (mg / all - c) / (in_phase - c);
        for (int k = 0; k < 7; k++) {
            assert_true(transformed[i * 7 + k] >= 0 && transformed[i * 7 + k] <= 1);
            CHECK_CLOSE(transformed[i * 7 + k], fraction[i * 7 + k] / whole, 1e-9);
        }
        assert_true(i == 0 ||
                    transformed[i * 7 + 3] >= transformed[(i - 1) * 7 + 3]); /* faster when hotter */
    }
    free(fraction);
    free(transformed);
    H5Fclose(file);
    unlink("out.h5");
}

/* The trajectory of a map is that of a job, but for the errors of steps that other output times shorten: 1e-3
 * a step's tolerance, some tens of which add up. */
static void ageing_map_is_many_jobs(void **state)
{
    (void)state;
    const int64_t shape[3] = {3, 7, 1}, one[3] = {1, TIMES, 1};
    result r;
    write_map("kind: ageing\ntemperature: {from: 448.0, to: 468.0, count: 3}\ntime: {from: 200.0, to: 2.0e4, "
              "count: "
              "7}\n");
    run_coarse(MAP "map.yaml", &r);
    run_coarse(KWN "kwn.yaml -o job.h5", &r);
    hid_t map = open_results("out.h5"), job = open_results("job.h5");
    assert_axes(map, "ageing", "temperature,time");
    assert_quantities(map, "map", 3, 7);
    const double yield = number_at(job, "points/yield_stress", 2, one, TIMES - 1);
    CHECK_CLOSE(number_at(map, "map/yield_stress", 2, shape, 7 + 6), yield, 0.03 * yield);
    const double radius = number_at(job, "points/mean_radius", 3, one, TIMES - 1);
    CHECK_CLOSE(number_at(map, "map/mean_radius", 3, shape, 7 + 6), radius, 0.03 * radius);
    for (int i = 0; i < 3; i++) {
        double best = 0;
        for (int k = 0; k < 7; k++)
            best = greatest(best, number_at(map, "map/yield_stress", 2, shape, i * 7 + k));
        const double time = number_at(map, "peak/time", 1, shape, i);
        /* its times are too far apart for a parabola, but not the steps of the CPU */
        assert_true(number_at(map, "peak/yield_stress", 1, shape, i) >= best && time >= 200);
        assert_true(number_at(map, "peak/yield_stress", 1, shape, i) < 1.1 * best);
        const double from = number_at(map, "peak/from", 1, shape, i),
                     to = number_at(map, "peak/to", 1, shape, i);
        assert_true(from < time && time < to && (isinf(to) || to < 2.5 * from));
        assert_true(number_at(map, "peak/hardness", 1, shape, i) > 40);
    }
    H5Fclose(map);
    H5Fclose(job);
    unlink("out.h5");
    unlink("job.h5");
}

static void cct_map_starts_before_it_finishes(void **state)
{
    (void)state;
    const int64_t shape[3] = {4, 21, 1};
    result r;
    write_map("kind: cct\ncooling_rate: {from: 0.1, to: 100.0, count: 4}\ntemperature: {from: 803.0, to: "
              "403.0, count: "
              "21}\n");
    run_coarse(MAP "map.yaml", &r);
    hid_t file = open_results("out.h5");
    assert_axes(file, "cct", "cooling_rate,temperature");
    assert_quantities(file, "map", 4, 21);
    double *fraction = read_set(file, "map/volume_fraction", 3, shape);
    double *temperature = read_set(file, "map/temperature", 2, shape);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 21; k++)
            CHECK_CLOSE(temperature[i * 21 + k], 803 - 20 * k, 1e-9);
        assert_true(fraction[i * 21] == 0);
        assert_true(i == 0 ||
                    fraction[i * 21 + 20] < fraction[(i - 1) * 21 + 20]); /* less the faster it cools */
    }
    const double start = number_at(file, "map/start_temperature", 2, (int64_t[]){4, 1}, 0);
    const double finish = number_at(file, "map/finish_temperature", 2, (int64_t[]){4, 1}, 0);
    assert_true(start < 803 && finish < start && finish >= 403);
    free(fraction);
    free(temperature);
    H5Fclose(file);
    unlink("out.h5");
}

static void windows_vary_composition_or_time(void **state)
{
    (void)state;
    const int64_t shape[3] = {3, 2, 1};
    result r;
    write_map("kind: window\nsolute: Mg\nconcentration: {from: 0.4, to: 0.8, count: 3}\n"
              "temperature: {from: 448.0, to: 458.0, count: 2}\nduration: 2.0e4\n");
    run_coarse(MAP "map.yaml", &r);
    hid_t file = open_results("out.h5");
    assert_axes(file, "window", "concentration,temperature");
    assert_quantities(file, "map", 3, 2);
    assert_text(file, "/", "solute", "Mg");
    for (int i = 1; i < 3; i++) /* more to form particles of */
        assert_true(number_at(file, "map/volume_fraction", 3, shape, 2 * i) >
                    number_at(file, "map/volume_fraction", 3, shape, 2 * (i - 1)));
    H5Fclose(file);
    write_map(ISOTHERMAL("window"));
    run_coarse(MAP "map.yaml", &r);
    file = open_results("out.h5");
    assert_axes(file, "window", "temperature,time");
    assert_quantities(file, "map", 3, 7);
    H5Fclose(file);
    unlink("out.h5");
}

/* At 200 K nothing happens in 1000 s, and the same follows. */
static void pretreatment_comes_first(void **state)
{
    (void)state;
    const int64_t shape[3] = {3, 7, 1};
    double yield[2];
    result r;
    for (int i = 0; i < 2; i++) {
        write_map(i ? "pretreatment: [{quench_to: 200.0}, {hold: 1000.0}]\n" ISOTHERMAL("ageing")
                    : ISOTHERMAL("ageing"));
        run_coarse(MAP "map.yaml", &r);
        hid_t file = open_results("out.h5");
        yield[i] = number_at(file, "map/yield_stress", 2, shape, 20);
        H5Fclose(file);
    }
    CHECK_CLOSE(yield[1], yield[0], 0.01 * yield[0]);
    unlink("out.h5");
}

/* Particles there are from the start coarsen: strongest at 0 s, before any of the map's times. Overaged stresses fall by a per cent and
 * more until the first of them, which was the peak where the state at 0 s was taken for none. */
static void strongest_at_the_start(void **state)
{
    (void)state;
    const int64_t shape[2] = {2, 3};
    result r;
    write_text("map.yaml",
               "alloy: alloy.yaml\ndevice: cpu\nsize_axis: {classes: 64}\ninitial_temperature: 573.15\n"
               "initial_distribution: [{phase: beta-prime, shape: lognormal, mean_radius: 6.0e-9, "
               "standard_deviation: 1.2e-9, volume_fraction: 0.012}]\nkind: ageing\n"
               "temperature: {from: 573.15, to: 593.15, count: 2}\ntime: {from: 10.0, to: 1.0e3, count: 3}\n"
               "output: {file: out.h5}\n");
    run_coarse(MAP "map.yaml", &r);
    hid_t file = open_results("out.h5");
    for (int i = 0; i < 2; i++) {
        assert_true(number_at(file, "peak/time", 1, shape, i) == 0);
        assert_true(number_at(file, "peak/from", 1, shape, i) == 0);
        assert_true(number_at(file, "peak/yield_stress", 1, shape, i) >
                    1.01 * number_at(file, "map/yield_stress", 2, shape, 3 * i));
    }
    CHECK_CLOSE(number_at(file, "peak/yield_stress", 1, shape, 1),
                number_at(file, "peak/yield_stress", 1, shape, 0), 1e-3 * 276e6);
    H5Fclose(file);
    unlink("out.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ttp_map_says_how_far_each_phase_is),
        cmocka_unit_test(ageing_map_is_many_jobs),
        cmocka_unit_test(cct_map_starts_before_it_finishes),
        cmocka_unit_test(windows_vary_composition_or_time),
        cmocka_unit_test(pretreatment_comes_first),
        cmocka_unit_test(strongest_at_the_start),
    };
    return cmocka_run_group_tests(tests, make_kwn_folder, remove_folder);
}
