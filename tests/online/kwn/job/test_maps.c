/* Map files of `slipwave kwn map`: what they say, and every way to say it wrongly. */
#include "tests/online/kwn/job/jobs.h"

static const char ttp[] = "alloy: alloy.yaml\n"                               /* 1 */
                          "device: cpu\n"                                     /* 2 */
                          "kind: ttp\n"                                       /* 3 */
                          "initial_temperature: 800.0\n"                      /* 4 */
                          "pretreatment: [{ramp_to: 300.0, rate: 5.0}]\n"     /* 5 */
                          "temperature: {from: 400.0, to: 500.0, count: 3}\n" /* 6 */
                          "time: {from: 1.0, to: 100.0, count: 3}\n"          /* 7 */
                          "output: {file: map.h5}\n";                         /* 8 */

static const char cct[] = "alloy: alloy.yaml\n"                               /* 1 */
                          "device: cpu\n"                                     /* 2 */
                          "kind: cct\n"                                       /* 3 */
                          "initial_temperature: 800.0\n"                      /* 4 */
                          "cooling_rate: {from: 0.1, to: 10.0, count: 3}\n"   /* 5 */
                          "temperature: {from: 800.0, to: 400.0, count: 5}\n" /* 6 */
                          "output: {file: map.h5}\n";                         /* 7 */

static const char window[] = "alloy: alloy.yaml\n"                                 /* 1 */
                             "device: cpu\n"                                       /* 2 */
                             "kind: window\n"                                      /* 3 */
                             "initial_temperature: 800.0\n"                        /* 4 */
                             "solute: Mg\n"                                        /* 5 */
                             "concentration: {from: 0.004, to: 0.008, count: 3}\n" /* 6 */
                             "temperature: {from: 400.0, to: 500.0, count: 2}\n"   /* 7 */
                             "duration: 3600.0\n"                                  /* 8 */
                             "output: {file: map.h5}\n";                           /* 9 */

static sw_kwn_map_job *read_map(const char *text, const char *old, const char *new)
{
    sw_kwn_map_job *job;
    write_job(text, old, new);
    CHECK_OK(sw_kwn_map_job_read(&(sw_arguments){job_path, 0, NULL}, &job));
    assert_non_null(job);
    return job;
}

static void maps_are_read(void **state)
{
    (void)state;
    sw_kwn_map_job *job = read_map(ttp, NULL, NULL);
    assert_int_equal(job->kind, SW_MAP_TTP);
    assert_int_equal(job->first, SW_MAP_TEMPERATURE);
    assert_int_equal(job->second, SW_MAP_TIME);
    assert_int_equal(job->setup.points, 3);
    CHECK_CLOSE(job->value[SW_MAP_TEMPERATURE][1], 450, 1e-10);
    CHECK_CLOSE(job->value[SW_MAP_TIME][1], 10, 1e-10);
    CHECK_CLOSE(job->start_temperature, 300, 1e-10);
    CHECK_CLOSE(sw_kwn_history_end(&job->history), 100, 1e-10);
    sw_kwn_map_job_free(job);

    job = read_map(ttp, "count: 3}\noutput", "count: 3, spacing: linear}\noutput");
    CHECK_CLOSE(job->value[SW_MAP_TIME][1], 50.5, 1e-10);
    sw_kwn_map_job_free(job);

    job = read_map(cct, NULL, NULL);
    assert_int_equal(job->first, SW_MAP_COOLING_RATE);
    assert_int_equal(job->second, SW_MAP_TEMPERATURE);
    CHECK_CLOSE(job->value[SW_MAP_COOLING_RATE][1], 1, 1e-12);
    CHECK_CLOSE(job->value[SW_MAP_TEMPERATURE][1], 700, 1e-10);
    CHECK_CLOSE(job->start_temperature, 800, 1e-10);
    sw_kwn_map_job_free(job);

    job = read_map(window, NULL, NULL);
    assert_int_equal(job->first, SW_MAP_CONCENTRATION);
    assert_int_equal(job->second, SW_MAP_TEMPERATURE);
    assert_int_equal(job->setup.points, 6);
    assert_true(job->duration == 3600);
    sw_kwn_map_job_free(job);

    job = read_map(ttp, "kind: ttp", "kind: window");
    assert_int_equal(job->second, SW_MAP_TIME);
    sw_kwn_map_job_free(job);
}

static void bad_maps_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        refusal c;
    } cases[] = {
        {ttp, {"kind: ttp\n", "", "job.yaml: ", "kind is missing", "need one of ttp"}},
        {ttp,
         {"kind: ttp", "kind: ttt", "job.yaml:3: ", "kind = ttt", "need one of ttp, ageing, cct, window"}},
        {ttp, {"initial_temperature: 800.0\n", "", "job.yaml: ", "initial_temperature is missing", ""}},
        {ttp,
         {"rate: 5.0", "rate: 0", "job.yaml:5: ", "pretreatment[0].rate = 0", "need K/s, from 1e-9 to 1e9"}},
        {ttp,
         {"from: 400.0", "from: 0.5", "job.yaml:6: ", "temperature.from = 0.5", "need K, from 1 to 5000"}},
        {ttp,
         {"to: 500.0", "to: 400.0", "job.yaml:6: ", "temperature.to = 400", "need more than from = 400"}},
        {ttp,
         {"500.0, count: 3", "500.0, count: 1", "job.yaml:6: ", "temperature.count = 1",
          "need 2 <= count <= 1000"}},
        {ttp, {"500.0, count: 3", "500.0", "job.yaml:6: ", "temperature.count", "is missing"}},
        {ttp,
         {"500.0, count: 3", "500.0, step: 3, count: 2", "job.yaml:6: ", "unknown key 'temperature.step'",
          "from, to"}},
        {ttp, {"from: 1.0", "from: 0", "job.yaml:7: ", "time.from = 0", "need s, from 1e-9 to 1e12"}},
        {ttp,
         {"100.0, count: 3", "100.0, count: 3, spacing: odd", "job.yaml:7: ", "time.spacing = odd",
          "linear, logarithmic"}},
        {ttp,
         {"time: {from: 1.0, to: 100.0, count: 3}\n", "", "job.yaml: ", "time is missing",
          "kind = ttp needs it"}},
        {ttp,
         {"output:", "duration: 5\noutput:", "job.yaml:8: ", "duration has no place", "beside kind = ttp"}},
        {ttp, {"output:", "points: 5\noutput:", "job.yaml:8: ", "unknown key 'points'", ""}},
        {cct,
         {"from: 0.1", "from: 0", "job.yaml:5: ", "cooling_rate.from = 0", "need K/s, from 1e-9 to 1e9"}},
        {cct,
         {"from: 800.0", "from: 801.0", "job.yaml:6: ", "temperature.from = 801", "need K, from 1 to 800"}},
        {cct,
         {"to: 400.0", "to: 800.0", "job.yaml:6: ", "temperature.to = 800", "need less than from = 800"}},
        {window, {"solute: Mg", "solute: Zn", "job.yaml:5: ", "solute = Zn", "need one of Mg, Si"}},
        {window, {"solute: Mg\n", "", "job.yaml: ", "solute is missing", "concentration over temperature"}},
        {window, {"to: 0.008", "to: 0.8", "job.yaml:6: ", "concentration.to = 0.8", "need 0 to 0.5"}},
        {window,
         {"duration: 3600.0", "duration: 0", "job.yaml:8: ", "duration = 0", "need s, from 1e-9 to 1e12"}},
        {window,
         {"solute: Mg", "solute: Mg\ncomposition: [{solute: Mg, concentration: 0.1}]",
          "job.yaml:6: ", "composition[0].solute = Mg", "is what the map varies"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].text, &cases[i].c, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_read),
        cmocka_unit_test(bad_maps_are_refused_with_their_place),
    };
    return cmocka_run_group_tests(tests, make_kwn_folder, remove_kwn_folder);
}
