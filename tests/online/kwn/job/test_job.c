/* Job files of `slipwave kwn`: what they say, every way to say it wrongly, and the histories they make. */
#include "tests/online/kwn/job/jobs.h"

#include <dirent.h>

#include "common/files/hdf5_io.h"

static const char full[] = "alloy: alloy.yaml\n"                                         /* 1 */
                           "composition: [{solute: Mg, concentration: 0.006}]\n"         /* 2 */
                           "device: cpu\n"                                               /* 3 */
                           "strategy: cpu\n"                                             /* 4 */
                           "precision: double\n"                                         /* 5 */
                           "size_axis: {kind: logarithmic, classes: 64,\n"               /* 6 */
                           "            smallest: 2.0e-10,\n"                            /* 7 */
                           "            largest: 1.0e-7}\n"                              /* 8 */
                           "flux: first_order\n"                                         /* 9 */
                           "coupling: explicit\n"                                        /* 10 */
                           "tolerance: 1.0e-4\n"                                         /* 11 */
                           "courant: 2.5\n"                                              /* 12 */
                           "largest_temperature_change: 3.0\n"                           /* 13 */
                           "\n"                                                          /* 14 */
                           "initial_temperature: 800.0\n"                                /* 15 */
                           "initial_distribution:\n"                                     /* 16 */
                           "  - {phase: Mg2Si, shape: lognormal, mean_radius: 4.0e-9,\n" /* 17 */
                           "     standard_deviation: 1.0e-9,\n"                          /* 18 */
                           "     volume_fraction: 0.005}\n"                              /* 19 */
                           "points: 3\n"                                                 /* 20 */
                           "temperature:\n"                                              /* 21 */
                           "  - {quench_to: 293.0}\n"                                    /* 22 */
                           "  - {hold: 100.0}\n"                                         /* 23 */
                           "  - {ramp_to: 453.0, rate: 2.0}\n"                           /* 24 */
                           "  - {hold: 1000.0}\n"                                        /* 25 */
                           "  - {ramp_to: 300.0, duration: 10.0}\n"                      /* 26 */
                           "output:\n"                                                   /* 27 */
                           "  file: out.h5\n"                                            /* 28 */
                           "  times: [10.0, 500.0, 1190.0]\n"                            /* 29 */
                           "  distributions: [0, 500.0]\n";                              /* 30 */

static const char least[] = "alloy: alloy.yaml\n"
                            "device: cpu\n"
                            "temperature_table: [[0, 300], [10, 400], [10, 350], [110, 350]]\n"
                            "output: {file: out.h5}\n";

static sw_status read_job(int n_options, const char *const (*option)[2], sw_kwn_job **job)
{
    return sw_kwn_job_read(&(sw_arguments){job_path, n_options, option}, job);
}

static sw_kwn_job *read_good(const char *text, const char *old, const char *new)
{
    sw_kwn_job *job;
    write_job(text, old, new);
    CHECK_OK(read_job(0, NULL, &job));
    assert_non_null(job);
    return job;
}

/* ---- What is read ---- */

static void every_key_is_read(void **state)
{
    (void)state;
    static const double time[] = {0, 0, 100, 180, 1180, 1190}, temperature[] = {800, 293, 293, 453, 453, 300};
    static const double output[] = {0, 10, 500, 1190};
    static const unsigned char with_distribution[] = {1, 0, 1, 0};
    sw_kwn_job *job = read_good(full, NULL, NULL);
    const sw_kwn_setup *setup = &job->setup;
    const sw_kwn_options *o = &setup->options;
    assert_string_equal(setup->model.name, "Al-Mg-Si");
    CHECK_CLOSE(setup->model.solute[0].concentration, 0.006, 1e-15);
    CHECK_CLOSE(setup->model.solute[1].concentration, 0.009, 1e-15);
    assert_int_equal(o->strategy, SW_KWN_CPU);
    assert_int_equal(o->precision, SW_KWN_DOUBLE);
    assert_int_equal(o->axis.kind, SW_AXIS_LOGARITHMIC);
    assert_int_equal(o->axis.classes, 64);
    assert_true(o->axis.smallest == 2e-10 && o->axis.largest == 1e-7);
    assert_int_equal(o->flux, 0);
    assert_int_equal(o->control.explicit_coupling, 1);
    assert_true(o->control.tolerance == 1e-4 && o->control.courant == 2.5);
    assert_true(o->control.largest_change == 3 && o->control.fixed_step == 0);
    assert_int_equal(setup->initial_distribution_count, 1);
    assert_int_equal(setup->initial_distribution[0].shape, SW_SHAPE_LOGNORMAL);
    assert_true(setup->initial_distribution[0].mean_radius == 4e-9);
    assert_true(setup->initial_distribution[0].volume_fraction == 0.005);
    assert_int_equal(setup->points, 3);
    assert_string_equal(setup->output_file, "out.h5");
    assert_string_equal(sw_job_text(setup->source), full);
    assert_string_equal(setup->alloy_text, alloy_text);
    assert_int_equal(job->history.n_knots, 6);
    for (int k = 0; k < 6; k++) {
        CHECK_CLOSE(job->history.time[k], time[k], 1e-12 * time[k]);
        assert_true(job->history.temperature[k] == (float)temperature[k]);
    }
    assert_int_equal(job->n_times, 4);
    assert_memory_equal(job->time, output, sizeof output);
    assert_memory_equal(job->with_distribution, with_distribution, sizeof with_distribution);
    sw_kwn_job_free(job);
}

static void absent_keys_have_their_defaults(void **state)
{
    (void)state;
    const sw_kwn_options d = sw_kwn_defaults();
    sw_kwn_job *job = read_good(least, NULL, NULL);
    const sw_kwn_options *o = &job->setup.options;
    assert_int_equal(o->strategy, SW_KWN_CPU);
    assert_int_equal(o->precision, SW_KWN_DOUBLE);
    assert_memory_equal(&o->axis, &d.axis, sizeof d.axis);
    assert_memory_equal(&o->control, &d.control, sizeof d.control);
    assert_int_equal(o->flux, SW_KWN_THIRD_ORDER);
    assert_int_equal(job->setup.points, 1);
    CHECK_CLOSE(job->setup.model.solute[0].concentration, 0.007, 1e-15);
    assert_in_range(job->n_times, 95, 110);
    assert_true(job->time[0] == 0 && job->time[job->n_times - 1] == 110);
    for (int64_t i = 0; i < job->n_times; i++)
        assert_int_equal(job->with_distribution[i], i == job->n_times - 1);
    sw_kwn_job_free(job);
    job = read_good(least, "device: cpu", "device: cpu\npoints: 2");
    assert_int_equal(job->with_distribution[job->n_times - 1], 0);
    sw_kwn_job_free(job);
}

static void output_times_come_in_three_ways(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        int64_t n;
        double time[8];
    } cases[] = {
        {", count: 4", 5, {0, 27.5, 55, 82.5, 110}},
        {", per_decade: 1, first: 0.1", 8, {0, 0.1, 1, 10, 10.1, 11, 20, 110}}, /* of each stage */
        {", per_decade: 1, first: 1.1", 6, {0, 1.1, 10, 11.1, 21, 110}},
        {", per_decade: 1, first: 10", 4, {0, 10, 20, 110}}, /* the end of the stage is one of them */
        {", per_decade: 3, first: 110", 3, {0, 10, 110}},
        {", times: [0, 3]", 3, {0, 3, 110}},
        {", times: [110]", 2, {0, 110}},
        {", count: 2, distributions: [20.0, 55.0]", 4, {0, 20, 55, 110}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char new[128];
        snprintf(new, sizeof new, "out.h5%s", cases[i].keys);
        sw_kwn_job *job = read_good(least, "out.h5", new);
        assert_int_equal(job->n_times, cases[i].n);
        for (int64_t k = 0; k < job->n_times; k++)
            CHECK_CLOSE(job->time[k], cases[i].time[k], 1e-12 * cases[i].time[k]);
        sw_kwn_job_free(job);
    }
}

static void options_replace_the_file(void **state)
{
    (void)state;
    static const char *const options[][2] = {
        {"output", "other.h5"}, {"strategy", "cpu"}, {"device", "auto"},    {"precision", "double"},
        {"classes", "128"},     {"points", "7"},     {"tolerance", "0.01"}, {"threads", "3"},
        {"resume", ""},         {"quiet", ""}};
    sw_kwn_job *job;
    write_job(full, NULL, NULL);
    CHECK_OK(read_job(10, options, &job));
    assert_string_equal(job->setup.output_file, "other.h5");
    assert_int_equal(job->setup.run.device, SW_DEVICE_AUTO);
    assert_int_equal(job->setup.run.threads, 3);
    assert_true(job->setup.run.resume && job->setup.run.quiet);
    assert_int_equal(job->setup.options.axis.classes, 128);
    assert_int_equal(job->setup.points, 7);
    assert_true(job->setup.options.control.tolerance == 0.01);
    assert_true(job->setup.options.control.courant == 2.5); /* the rest stays */
    sw_kwn_job_free(job);
}

static void bad_options_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *option[2], *message;
    } cases[] = {
        {{"classes", "7"}, "--classes = 7: need 8 <= classes <= 262144"},
        {{"points", "0"}, "--points = 0: need 1 <= points <= 2^32"},
        {{"tolerance", "1"}, "--tolerance = 1: need 1e-6 <= tolerance <= 0.1"},
        {{"output", ""}, "--output = '': need a text"},
        {{"strategy", "gpu"}, "--strategy = gpu: need one of cpu, fused"},
        {{"strategy", "fused"}, "--strategy = fused: runs on a GPU, but device = cpu"},
        {{"strategy", "node_first_packed"},
         "--strategy = node_first_packed: " OF_PAPERS("runs on a GPU, but device = cpu")},
        {{"strategy", "class_first_packed"},
         "= class_first_packed: " OF_PAPERS("runs on a GPU, but device = cpu")},
        {{"device", "cuda"}, "--device = cuda: the strategy 'cpu' runs on the CPU"},
        {{"precision", "half"}, "--precision = half: need one of double, mixed, single"},
        {{"precision", "single"}, "--precision = single: the strategy 'cpu' has double only"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_kwn_job *job;
        write_job(full, NULL, NULL);
        assert_int_equal(read_job(1, &cases[i].option, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(cases[i].message);
    }
}

static void values_on_their_bounds_are_taken(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"concentration: 0.006", "concentration: 0"},
        {"classes: 64", "classes: 8"},
        {"classes: 64", "classes: 262144"},
        {"tolerance: 1.0e-4", "tolerance: 1.0e-6"},
        {"tolerance: 1.0e-4", "tolerance: 0.1"},
        {"courant: 2.5", "courant: 0"},
        {"initial_temperature: 800.0", "initial_temperature: 5000"},
        {"quench_to: 293.0", "quench_to: 1"},
        {"points: 3", "points: 4294967296"},
        {"shape: lognormal, mean_radius: 4.0e-9,\n     standard_deviation: 1.0e-9",
         "shape: lsw, mean_radius: 4.0e-9"},
        {"volume_fraction: 0.005", "number_density: 1.0e+22"},
        {"times: [10.0, 500.0, 1190.0]", "count: 1"},
        {"[0, 500.0]", "[]"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        sw_kwn_job_free(read_good(full, edits[i][0], edits[i][1]));
}

/* ---- What is refused ---- */

static void bad_jobs_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"alloy: alloy.yaml", "alloi: alloy.yaml", "job.yaml:1: ", "unknown key 'alloi'",
         "did you mean 'alloy'?"},
        {"alloy: alloy.yaml\n", "", "job.yaml: ", "alloy", "is missing"},
        {"alloy: alloy.yaml", "alloy: ''", "job.yaml:1: ", "alloy = ''", "need a text"},
        {"solute: Mg,", "solute: Zn,", "job.yaml:2: ", "composition[0].solute = Zn", "need one of Mg, Si"},
        {"0.006}]", "0.006}, {solute: Mg, concentration: 0}]", "job.yaml:2: ", "composition[1].solute = Mg",
         "is given twice"},
        {"0.006", "-0.006", "job.yaml:2: ", "composition[0].concentration = -0.006", "need 0 to 0.5"},
        {"0.006", "0.6", "job.yaml:2: ", "composition[0].concentration = 0.6", "need 0 to 0.5"},
        {"device: cpu", "device: abacus", "job.yaml:3: ", "device = abacus", "need one of auto, cpu, cuda"},
        {"device: cpu", "device: cuda", "job.yaml:3: ", "device = cuda",
         "the strategy 'cpu' runs on the CPU"},
        {"strategy: cpu", "strategy: fused", "job.yaml:4: ", "strategy = fused",
         "runs on a GPU, but device = cpu"},
        {"strategy: cpu", "strategy: fast", "job.yaml:4: ", "strategy = fast", "need one of cpu, fused"},
        {"precision: double", "precision: mixed", "job.yaml:5: ", "precision = mixed", "has double only"},
        {"kind: logarithmic", "kind: square", "job.yaml:6: ", "size_axis.kind = square",
         "need one of uniform"},
        {"classes: 64", "classes: 7", "job.yaml:6: ", "size_axis.classes = 7", "need 8 <= classes <= 262144"},
        {"classes: 64", "classes: 262145", "job.yaml:6: ", "size_axis.classes = 262145",
         "need 8 <= classes <= 262144"},
        {"classes: 64", "classes: 64.5", "job.yaml:6: ", "size_axis.classes = 64.5", "need a whole number"},
        {"smallest: 2.0e-10", "smallest: 0", "job.yaml:7: ", "size_axis.smallest = 0",
         "1e-12 <= smallest < largest"},
        {"smallest: 2.0e-10", "smallest: 1.0e-7", "job.yaml:7: ", "size_axis.smallest = 1e-07",
         "smallest < largest"},
        {"kind: logarithmic", "kind: adaptive", "job.yaml:7: ", "size_axis.smallest = 2e-10",
         "need 0 on an adaptive axis"},
        {",\n            largest: 1.0e-7}", "}", "job.yaml:6: ", "size_axis.largest is missing",
         "kind = logarithmic needs it"},
        {"largest: 1.0e-7", "largest: 1.0", "job.yaml:8: ", "size_axis.largest = 1",
         "need m, from 1e-12 to 0.01"},
        {"first_order", "fourth_order", "job.yaml:9: ", "flux = fourth_order",
         "need one of first_order, second_order, third_order"},
        {"explicit", "loose", "job.yaml:10: ", "coupling = loose", "need one of implicit, explicit"},
        {"tolerance: 1.0e-4", "tolerance: 9.9e-7", "job.yaml:11: ", "tolerance = 9.9e-7",
         "need 1e-6 <= tolerance <= 0.1"},
        {"tolerance: 1.0e-4", "tolerance: nan", "job.yaml:11: ", "tolerance = nan", "need a number"},
        {"courant: 2.5", "courant: -1", "job.yaml:12: ", "courant = -1", "widths a step, from 0 to 1e6"},
        {"change: 3.0", "change: 0", "job.yaml:13: ", "largest_temperature_change = 0",
         "K, from 1e-3 to 1000"},
        {"points: 3\n", "points: 3\nfixed_step: 0\n", "job.yaml:21: ", "fixed_step = 0",
         "s, from 1e-9 to 1e9"},
        {"points: 3\n", "points: 3\nfixed_step: 0.5\n", "job.yaml:12: ", "courant beside fixed_step", ""},
        {"800.0", "0.5", "job.yaml:15: ", "initial_temperature = 0.5", "need K, from 1 to 5000"},
        {"800.0", "5001", "job.yaml:15: ", "initial_temperature = 5001", "need K, from 1 to 5000"},
        {"initial_temperature: 800.0\n", "", "job.yaml: ", "initial_temperature is missing",
         "segments of temperature"},
        {"phase: Mg2Si", "phase: MgSi2", "job.yaml:17: ", "initial_distribution[0].phase = MgSi2",
         "need one of Mg2Si"},
        {"lognormal", "flat", "job.yaml:17: ", "initial_distribution[0].shape = flat",
         "need one of lognormal, normal, lsw"},
        {"4.0e-9", "1.0e-6", "job.yaml:17: ", "initial_distribution[0].mean_radius = 1e-06",
         "on the size axis"},
        {"deviation: 1.0e-9", "deviation: 0",
         "job.yaml:18: ", "initial_distribution[0].standard_deviation = 0", "2 mean radii"},
        {"     standard_deviation: 1.0e-9,\n", "",
         "job.yaml:17: ", "initial_distribution[0].standard_deviation is missing", ""},
        {"lognormal", "lsw", "job.yaml:18: ", "initial_distribution[0].standard_deviation",
         "no place beside shape = lsw"},
        {"fraction: 0.005", "fraction: 0.6", "job.yaml:19: ", "initial_distribution[0].volume_fraction = 0.6",
         "<= 0.5"},
        {"fraction: 0.005", "fraction: 0.005, number_density: 1.0e+20",
         "job.yaml:19: ", "number_density beside initial_distribution[0].volume_fraction", "only one"},
        {",\n     volume_fraction: 0.005", "", "job.yaml:17: ", "volume_fraction is missing",
         "need volume_fraction or number_density"},
        {"points: 3", "points: 0", "job.yaml:20: ", "points = 0", "need 1 <= points <= 2^32"},
        {"quench_to: 293.0", "quench_to: 0.9", "job.yaml:22: ", "temperature[0].quench_to = 0.9",
         "need K, from 1 to 5000"},
        {"hold: 100.0", "hold: 0", "job.yaml:23: ", "temperature[1].hold = 0", "need s, from 1e-9 to 1e12"},
        {"hold: 100.0", "hold: -1", "job.yaml:23: ", "temperature[1].hold = -1", "need s, from 1e-9 to 1e12"},
        {"hold: 100.0", "hold: 100.0, ramp_to: 300",
         "job.yaml:23: ", "temperature[1].ramp_to beside temperature[1].hold", "need only one of them"},
        {"hold: 100.0", "hold: 100.0, rate: 1", "job.yaml:23: ", "temperature[1].rate", "goes with ramp_to"},
        {"hold: 100.0", "rate: 1", "job.yaml:23: ", "temperature[1].hold is missing",
         "need hold, ramp_to or quench_to"},
        {"rate: 2.0", "rate: -2.0", "job.yaml:24: ", "temperature[2].rate = -2",
         "of heating and cooling alike"},
        {"rate: 2.0", "rate: 0", "job.yaml:24: ", "temperature[2].rate = 0", "need K/s, from 1e-9 to 1e9"},
        {", rate: 2.0", "", "job.yaml:24: ", "temperature[2].rate is missing", "need rate or duration"},
        {"rate: 2.0", "rate: 2.0, duration: 1",
         "job.yaml:24: ", "temperature[2].duration beside temperature[2].rate", "need only one of them"},
        {"ramp_to: 453.0", "ramp_to: 293.0", "job.yaml:24: ", "temperature[2].ramp_to = 293",
         "is the temperature there"},
        {"ramp_to: 453.0", "ramp_to: 5000.1", "job.yaml:24: ", "temperature[2].ramp_to = 5000.1",
         "need K, from 1 to 5000"},
        {"hold: 1000.0", "hold: 1.0e12", "job.yaml:21: ", "temperature lasts 1e+12 s", "at most 1e12"},
        {"file: out.h5", "file: ''", "job.yaml:28: ", "output.file = ''", "need a text"},
        {"  file: out.h5\n", "", "job.yaml:27: ", "output.file is missing", "need a file"},
        {"[10.0, 500.0, 1190.0]", "[10.0, 5.0]", "job.yaml:29: ", "output.times[1] = 5",
         "need more than 10 s"},
        {"[10.0, 500.0, 1190.0]", "[10.0, 10.0]", "job.yaml:29: ", "output.times[1] = 10",
         "need more than 10 s"},
        {"[10.0, 500.0, 1190.0]", "[-1]", "job.yaml:29: ", "output.times[0] = -1", "need s, at least 0"},
        {"[10.0, 500.0, 1190.0]", "[1191]", "job.yaml:29: ", "output.times[0] = 1191", "at most 1190"},
        {"[10.0, 500.0, 1190.0]", "[]", "job.yaml:29: ", "output.times has 0 entries", "need at least 1"},
        {"[10.0, 500.0, 1190.0]", "[1]\n  count: 5", "job.yaml:30: ", "output.count beside output.times",
         "only one"},
        {"times: [10.0, 500.0, 1190.0]", "count: 0", "job.yaml:29: ", "output.count = 0",
         "need 1 <= count <= 1e6"},
        {"times: [10.0, 500.0, 1190.0]", "per_decade: 5", "job.yaml:27: ", "output.first is missing",
         "with per_decade"},
        {"times: [10.0, 500.0, 1190.0]", "first: 5", "job.yaml:29: ", "output.first", "goes with per_decade"},
        {"[0, 500.0]", "[0, 1191]", "job.yaml:30: ", "output.distributions[1] = 1191", "at most 1190"},
        {"temperature:\n", "temperature_file: history.h5\ntemperature:\n",
         "job.yaml:21: ", "temperature_file beside temperature", "only one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(full, &cases[i], 0);
}

static void bad_tables_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"[0, 300]", "[1, 300]", "job.yaml:3: ", "temperature_table[0][0] = 1", "need 0 s at the start"},
        {"[110, 350]", "[9, 350]", "job.yaml:3: ", "temperature_table[3][0] = 9", "need 10 s or later"},
        {"[10, 400]", "[10, 5001]", "job.yaml:3: ", "temperature_table[1][1] = 5001",
         "need K, from 1 to 5000"},
        {"[10, 400]", "[10]", "job.yaml:3: ", "temperature_table[1] has 1 entries", "need 2"},
        {", [10, 400], [10, 350], [110, 350]", "", "job.yaml:3: ", "temperature_table has 1 entries",
         "at least 2"},
        {"[10, 400], [10, 350], [110, 350]", "[0, 400]", "job.yaml:3: ", "temperature_table ends at 0 s",
         "need an end"},
        {"device: cpu", "device: cpu\ninitial_temperature: 300",
         "job.yaml:3: ", "initial_temperature beside temperature_table", "only that"},
        {"temperature_table: [[0, 300], [10, 400], [10, 350], [110, 350]]\n", "",
         "job.yaml: ", "temperature is missing", "temperature_file"},
        {"out.h5", "out.h5, per_decade: 5, first: 111", "job.yaml:4: ", "output.first = 111",
         "at most the end, 110 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(least, &cases[i], 0);
}

static void absent_alloy_is_named(void **state)
{
    (void)state;
    sw_kwn_job *job;
    write_job(least, "alloy.yaml", "absent.yaml");
    assert_int_equal(read_job(0, NULL, &job), SW_ERR_IO);
    assert_null(job);
    assert_message_has("/absent.yaml: cannot be read: No such file");
}

/* ---- Histories ---- */

/* Parts joined end to end are the whole, whatever the cuts: at knots, at jumps, between. */
static void parts_follow_the_history(void **state)
{
    (void)state;
    static const double cuts[] = {0, 5, 10, 60, 110};
    static const struct {
        int64_t n;
        double time[4], temperature[4];
    } expected[] = {{2, {0, 5}, {300, 350}},
                    {2, {0, 10}, {300, 400}}, /* the jump at the end has not happened */
                    {2, {10, 60}, {350, 350}},
                    {2, {10, 110}, {350, 350}}};
    double time[5];
    float part[5];
    sw_kwn_job *job = read_good(least, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        const int64_t n =
            sw_kwn_history_part(&job->history, 1, job->history.temperature, cuts[i], cuts[i + 1], time, part);
        assert_int_equal(n, expected[i].n);
        for (int64_t k = 0; k < n; k++) {
            assert_true(time[k] == expected[i].time[k]);
            CHECK_CLOSE((double)part[k], expected[i].temperature[k], 1e-4);
        }
    }
    assert_int_equal(sw_kwn_history_part(&job->history, 1, job->history.temperature, 5, 60, time, part), 4);
    assert_true(time[0] == 0 && time[1] == 10 && time[2] == 10 && time[3] == 60);
    assert_true(part[1] == 400 && part[2] == 350);
    sw_kwn_job_free(job);
}

enum { POINTS = 2, KNOTS = 3 };

static void write_histories(const double *time, const float *temperature, const double *composition,
                            int64_t n_compositions)
{
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(history_path, &output));
    CHECK_OK(sw_h5_write(output.file, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){KNOTS}, time));
    CHECK_OK(sw_h5_write(output.file, "temperature", H5T_NATIVE_FLOAT, 2, (int64_t[]){POINTS, KNOTS},
                         temperature));
    if (composition != NULL)
        CHECK_OK(sw_h5_write(output.file, "composition", H5T_NATIVE_DOUBLE, 2,
                             (int64_t[]){POINTS, n_compositions}, composition));
    CHECK_OK(sw_h5_commit(&output));
}

static const double good_time[KNOTS] = {0, 10, 30};
static const float good_temperature[POINTS][KNOTS] = {{300, 310, 330}, {400, 420, 460}};
static const double good_composition[POINTS][2] = {{0.001, 0.002}, {0.003, 0.004}};
#define TABLE "temperature_table: [[0, 300], [10, 400], [10, 350], [110, 350]]"
#define FROM_FILE "temperature_file: history.h5"

static void histories_come_from_a_file(void **state)
{
    (void)state;
    float temperature[KNOTS][1];
    double composition[1][2];
    write_histories(good_time, &good_temperature[0][0], &good_composition[0][0], 2);
    sw_kwn_job *job = read_good(least, TABLE, FROM_FILE);
    assert_int_equal(job->setup.points, POINTS);
    assert_int_equal(job->history.n_knots, KNOTS);
    assert_true(job->time[job->n_times - 1] == 30);
    CHECK_OK(
        sw_kwn_history_read(&job->history, &job->setup.model, 1, 1, &temperature[0][0], &composition[0][0]));
    for (int k = 0; k < KNOTS; k++)
        assert_true(temperature[k][0] == good_temperature[1][k]);
    assert_memory_equal(composition, good_composition[1], sizeof composition);
    sw_kwn_job_free(job);
}

static void bad_history_files_are_refused(void **state)
{
    (void)state;
    const struct {
        double time[KNOTS];
        int point, knot;
        float temperature;
        double mg;
        int64_t n_compositions;
        const char *message;
    } cases[] = {
        {{1, 10, 30}, 0, 0, 300, 0, 2, "history.h5: time, index 0 = 1 s: need 0 at the start"},
        {{0, 10, 9}, 0, 0, 300, 0, 2, "history.h5: time, index 2 = 9 s: need 10 to 1e+12"},
        {{0, NAN, 30}, 0, 0, 300, 0, 2, "history.h5: time, index 1 = nan s"},
        {{0, 0, 0}, 0, 0, 300, 0, 2, "history.h5: time ends at 0 s"},
        {{0, 10, 30}, 1, 2, 5001, 0, 2, "history.h5: temperature, point 1, index 2 = 5001 K: need 1 to 5000"},
        {{0, 10, 30}, 0, 1, NAN, 0, 2, "history.h5: temperature, point 0, index 1 = nan K"},
        {{0, 10, 30},
         1,
         0,
         300,
         0.6,
         2,
         "history.h5: composition, point 1, index 0 (Mg) = 0.6: need 0 to 0.5"},
        {{0, 10, 30}, 1, 0, 300, -0.1, 2, "history.h5: composition, point 1, index 0 (Mg) = -0.1"},
        {{0, 10, 30}, 1, 0, 300, NAN, 2, "index 0 (Mg) = nan: need a finite number, 0 or more"},
        {{0, 10, 30}, 0, 0, 300, 0, 1, "history.h5: composition is 2 x 1: need 2 points x 2 solutes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float temperature[POINTS][KNOTS];
        double composition[POINTS][2];
        sw_kwn_job *job;
        memcpy(temperature, good_temperature, sizeof temperature);
        memcpy(composition, good_composition, sizeof composition);
        temperature[cases[i].point][cases[i].knot] = cases[i].temperature;
        composition[1][0] = cases[i].mg;
        write_histories(cases[i].time, &temperature[0][0], &composition[0][0], cases[i].n_compositions);
        write_job(least, TABLE, FROM_FILE);
        assert_int_equal(read_job(0, NULL, &job), SW_ERR_FORMAT);
        assert_null(job);
        assert_message_has(cases[i].message);
    }
}

static void points_are_the_history_files(void **state)
{
    (void)state;
    static const refusal beside = {"device: cpu\n" TABLE, "device: cpu\npoints: 2\n" FROM_FILE,
                                   "job.yaml:3: ", "points beside temperature_file", "only one"};
    write_histories(good_time, &good_temperature[0][0], NULL, 0);
    refuse(least, &beside, 0);
    sw_kwn_job *job;
    write_job(least, TABLE, "temperature_file: absent.h5");
    assert_int_equal(read_job(0, NULL, &job), SW_ERR_IO);
    assert_message_has("/absent.h5: No such file");
    write_job(least, TABLE, "temperature_file: alloy.yaml");
    assert_int_equal(read_job(0, NULL, &job), SW_ERR_FORMAT);
    assert_message_has("/alloy.yaml: not an HDF5 file");
}

/* ---- What `auto` means ---- */

/* As on a machine with a GPU, whatever this one has. */
static void auto_goes_by_what_a_step_costs(void **state)
{
    (void)state;
    const struct {
        int64_t points, classes;
        int by_cost;
        sw_kwn_strategy strategy;
    } cases[] = {{1, 256, 1, SW_KWN_CPU},
                 {1, 8192, 1, SW_KWN_FUSED},
                 {1000000, 64, 1, SW_KWN_FUSED},
                 {1, 256, 0, SW_KWN_FUSED}}; /* named */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_kwn_job *job = read_good(least, "device: cpu\n", "threads: 2\n");
        sw_kwn_setup *setup = &job->setup;
        setup->points = cases[i].points;
        setup->options.axis.classes = cases[i].classes;
        setup->options.strategy = SW_KWN_FUSED;
        setup->options.precision = SW_KWN_SINGLE;
        setup->by_cost = cases[i].by_cost;
        setup->choice[0] = '\0';
        strcpy(setup->gpu, "a GPU");
        sw_kwn_setup_choose(setup);
        const int on_cpu = cases[i].strategy == SW_KWN_CPU;
        assert_int_equal(setup->options.strategy, cases[i].strategy);
        assert_int_equal(setup->options.precision, on_cpu ? SW_KWN_DOUBLE : SW_KWN_SINGLE);
        assert_string_equal(setup->gpu, on_cpu ? "" : "a GPU");
        assert_int_equal(strncmp(setup->choice, "cpu: ", 5) == 0, on_cpu);
        assert_int_equal(setup->choice[0] != '\0', cases[i].by_cost);
        sw_kwn_job_free(job);
    }
}

static void shipped_jobs_are_read(void **state)
{
    (void)state;
    static const char *const on_cpu[][2] = {{"device", "cpu"}};
    int runs = 0, maps = 0;
    const char *jobs = data_path("jobs");
    DIR *directory = opendir(jobs);
    assert_non_null(directory);
    for (const struct dirent *file; (file = readdir(directory)) != NULL;) {
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", jobs, file->d_name);
        if (strncmp(file->d_name, "kwn-map-", 8) == 0) {
            sw_kwn_map_job *map;
            CHECK_OK(sw_kwn_map_job_read(&(sw_arguments){path, 1, on_cpu}, &map));
            sw_kwn_map_job_free(map);
            maps++;
        } else if (strncmp(file->d_name, "kwn-", 4) == 0) {
            sw_kwn_job *job;
            CHECK_OK(sw_kwn_job_read(&(sw_arguments){path, 1, on_cpu}, &job));
            sw_kwn_job_free(job);
            runs++;
        }
    }
    closedir(directory);
    assert_true(runs > 0 && maps > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(absent_keys_have_their_defaults),
        cmocka_unit_test(output_times_come_in_three_ways),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(bad_options_are_named),
        cmocka_unit_test(values_on_their_bounds_are_taken),
        cmocka_unit_test(bad_jobs_are_refused_with_their_place),
        cmocka_unit_test(bad_tables_are_refused_with_their_place),
        cmocka_unit_test(absent_alloy_is_named),
        cmocka_unit_test(parts_follow_the_history),
        cmocka_unit_test(histories_come_from_a_file),
        cmocka_unit_test(bad_history_files_are_refused),
        cmocka_unit_test(points_are_the_history_files),
        cmocka_unit_test(auto_goes_by_what_a_step_costs),
        cmocka_unit_test(shipped_jobs_are_read),
    };
    return cmocka_run_group_tests(tests, make_kwn_folder, remove_kwn_folder);
}
