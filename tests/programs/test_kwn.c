/* `slipwave kwn` as its users meet it. */
#include "kwn_runs.h"

/* ---- One run ---- */

static void run_writes_what_is_documented(void **state)
{
    (void)state;
    const int64_t one[3] = {1, TIMES, 1};
    result r;
    run_coarse(KWN "kwn.yaml", &r);
    static const char *const parts[] = {
        "out.h5: beta-prime: N = ", "1/m^3, r = ", "nm, f = ", "yield stress ", "hardness ",
        "slip resistance "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(r.out, parts[i]) == NULL)
            fail_msg("no '%s' in '%s'", parts[i], r.out);
    assert_ptr_equal(strchr(r.out, '\n'), r.out + strlen(r.out) - 1);

    hid_t file = open_results("out.h5");
    double *time = read_set(file, "history/time", 1, (int64_t[]){TIMES});
    assert_true(time[0] == 0 && time[1] == 100 && time[TIMES - 1] == 20000);
    CHECK_CLOSE(time[2], 100 * sqrt(10), 1e-10);
    free(time);
    assert_quantities(file, "points", 1, TIMES);
    assert_text(file, "/", "format", "slipwave-kwn");
    assert_text(file, "alloy", "name", "AA6082");
    assert_text(file, "alloy", "solutes", "Mg,Si");
    assert_text(file, "alloy", "phases", "beta-prime");
    assert_run_text(file, "job", kwn_text);
    assert_run_text(file, "strategy", "cpu");
    assert_run_text(file, "precision", "double");
    assert_run_text(file, "device", "cpu");
    assert_true(run_number(file, "steps") > 10 &&
                run_number(file, "iterations") >= run_number(file, "steps"));
    assert_true(run_number(file, "class_updates_per_second") > 0 && run_number(file, "wall_time") > 0);
    assert_true(run_number(file, "classes") == CLASSES);
    /* aged to near its peak: stronger, by what its parts say */
    const double yield = number_at(file, "points/yield_stress", 2, one, TIMES - 1);
    assert_true(yield > 1.5 * number_at(file, "points/yield_stress", 2, one, 0));
    CHECK_CLOSE(number_at(file, "points/slip_resistance", 2, one, TIMES - 1), yield / 3.1, 1e-6 * yield);
    assert_true(number_at(file, "points/temperature", 2, one, 0) == 803);
    assert_true(number_at(file, "points/temperature", 2, one, 1) == 458);
    H5Fclose(file);
    unlink("out.h5");
}

/* Numbers and volumes of the classes sum up to the point's. */
static void distributions_sum_up(void **state)
{
    (void)state;
    const int64_t classes[2] = {1, CLASSES}, one[3] = {1, TIMES, 1};
    result r;
    run_coarse(KWN "kwn.yaml", &r);
    hid_t file = open_results("out.h5");
    for (int k = 3; k < TIMES; k += TIMES - 1 - 3) { /* 1000 s, 20000 s */
        char name[64];
        double *set[3], number = 0, area = 0, volume = 0;
        static const char *const names[] = {"radius", "number", "width"};
        for (int i = 0; i < 3; i++) {
            snprintf(name, sizeof name, "distribution/%d/beta-prime/%s", k, names[i]);
            set[i] = read_set(file, name, 2, classes);
        }
        for (int i = 0; i < CLASSES; i++) {
            assert_true(set[2][i] > 0 && (i == 0 || set[0][i] > set[0][i - 1]));
            number += set[1][i];
            area += 4 * 3.14159265358979 * set[1][i] * pow(set[0][i], 2);
            volume += 4 * 3.14159265358979 / 3 * set[1][i] * pow(set[0][i], 3);
        }
        /* sums of as many terms in another order */
        CHECK_CLOSE(number, number_at(file, "points/number_density", 3, one, k), 1e-9 * number);
        CHECK_CLOSE(area, number_at(file, "points/interface_area", 3, one, k), 1e-9 * area);
        CHECK_CLOSE(volume, number_at(file, "points/volume_fraction", 3, one, k), 1e-9 * volume);
        for (int i = 0; i < 3; i++)
            free(set[i]);
    }
    H5Fclose(file);
    unlink("out.h5");
}

static void initial_distribution_is_what_was_asked(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double deviation; /* over the mean, of the radii; 0: what lsw has, 0.2152 */
    } cases[] = {{"lognormal", 0.2}, {"normal", 0.25}, {"lsw", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], deviation[64] = "";
        result r;
        if (cases[i].deviation > 0)
            snprintf(deviation, sizeof deviation, "standard_deviation: %g, ", cases[i].deviation * 5e-9);
        snprintf(
            text, sizeof text,
            "alloy: alloy.yaml\ndevice: cpu\nsize_axis: {classes: 256}\n"
            "temperature_table: [[0, 300], [1, 300]]\n"
            "initial_distribution: [{phase: beta-prime, shape: %s, mean_radius: 5.0e-9, %svolume_fraction: "
            "0.01}]\noutput: {file: out.h5, times: [1], distributions: [0]}\n",
            cases[i].shape, deviation);
        write_text("initial.yaml", text);
        run_coarse(KWN "initial.yaml", &r);
        hid_t file = open_results("out.h5");
        const int64_t classes[2] = {1, 256}, one[3] = {1, 2, 1};
        double *radius = read_set(file, "distribution/0/beta-prime/radius", 2, classes);
        double *number = read_set(file, "distribution/0/beta-prime/number", 2, classes);
        double n = 0, mean = 0, square = 0;
        for (int k = 0; k < 256; k++) {
            n += number[k];
            mean += number[k] * radius[k];
            square += number[k] * radius[k] * radius[k];
        }
        mean /= n;
        /* classes are 0.04 or 0.08 nm wide: midpoints give the mean to a few thousandths of that, the
         * deviation to width^2 / (24 deviation), 2e-4 of a nm */
        CHECK_CLOSE(mean, 5e-9, 5e-12);
        CHECK_CLOSE(sqrt(square / n - mean * mean),
                    (cases[i].deviation > 0 ? cases[i].deviation : 0.2152) * 5e-9, 5e-12);
        CHECK_CLOSE(number_at(file, "points/volume_fraction", 3, one, 0), 0.01, 1e-12);
        /* what the particles hold, the matrix lacks */
        assert_true(number_at(file, "points/matrix_composition", 3, (int64_t[]){1, 2, 2}, 0) < 0.004);
        free(radius);
        free(number);
        H5Fclose(file);
        unlink("out.h5");
    }
    unlink("initial.yaml");
}

static void options_replace_keys(void **state)
{
    (void)state;
    result r;
    run_coarse(KWN "kwn.yaml -o other.h5 --classes 32 --points 2 --tolerance 0.005 --strategy cpu -j 1", &r);
    hid_t file = open_results("other.h5");
    assert_quantities(file, "points", 2, TIMES);
    assert_true(run_number(file, "classes") == 32 && run_number(file, "tolerance") == 0.005);
    double *yield = read_set(file, "points/yield_stress", 2, (int64_t[]){2, TIMES});
    assert_memory_equal(yield, yield + TIMES, TIMES * sizeof *yield); /* the same history, the same numbers */
    free(yield);
    H5Fclose(file);
    unlink("other.h5");
}

/* ---- Refusals ---- */

static void bad_input_leaves_no_file(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        const char *part[3];
    } cases[] = {
        {"slipwave kwn", {"kwn needs a job file"}},
        {"slipwave kwn map", {"kwn map needs a map file"}},
        {KWN "absent.yaml", {"absent.yaml", "No such file"}},
        {KWN "kwn.yaml other.yaml", {"one job file at a time"}},
        {KWN "kwn.yaml --classes 7", {"--classes = 7", "need 8 <= classes"}},
        {KWN "kwn.yaml --classes 1e3", {"--classes = 1e3: need a whole number in plain digits\n"}},
        {KWN "kwn.yaml --points 0", {"--points = 0", "need 1 <= points"}},
        {KWN "kwn.yaml -j 0", {"--threads = 0", "need 1 <= threads <= 4096"}},
        {KWN "kwn.yaml --strategy fast", {"--strategy = fast", "need one of cpu, fused"}},
        {KWN "kwn.yaml --device abacus", {"--device = abacus", "need one of auto, cpu, cuda"}},
        {KWN "kwn.yaml --strategy cpu --device cuda", {"--device = cuda", "runs on the CPU"}},
        {KWN "kwn.yaml --tolerance nan", {"--tolerance = nan", "need a number"}},
        {KWN "kwn.yaml --precision single", {"--precision = single", "double only"}},
        {KWN "kwn.yaml --strategy fused", {"--strategy = fused", "device = cpu"}},
        {KWN "kwn.yaml -o kwn.yaml", {"--output = kwn.yaml", "is the file that is read"}},
        {KWN "kwn.yaml -o alloy.yaml", {"--output = alloy.yaml", "is the input alloy"}},
        {KWN "many.yaml -o history.h5", {"--output = history.h5", "is the input temperature_file"}},
        {KWN "many.yaml -o link.h5", {"--output = link.h5", "is the input temperature_file"}},
        {KWN "kwn.yaml -o results", {"results", "is a folder"}},
        {KWN "kwn.yaml -o /dev/null", {"/dev/null", "is a special file"}},
        {KWN "kwn.yaml -o absent/out.h5", {"absent/out.h5", "cannot be created"}},
        {KWN "kwn.yaml -o same.h5 --csv same.h5", {"--csv: is output.file, too"}},
        {KWN "kwn.yaml -o out.h5 --csv absent/out.csv", {"absent/out.csv", "cannot be written"}},
        {KWN "many.yaml --points 4", {"--points beside temperature_file"}},
        {KWN "endless.yaml",
         {"endless.yaml:6: fixed_step = 1e-09: makes 2e+13 steps of 2e+04 s", "need at most 1e+09"}},
        {KWN "map.yaml", {"map.yaml", "unknown key", "is for `slipwave kwn map`"}},
        {MAP "kwn.yaml",
         {"kwn.yaml:5: temperature is a list", "from, to, count", "a job for `slipwave kwn`"}},
        {MAP "map.yaml --resume", {"--resume"}},
        {MAP "map.yaml -o alloy.yaml", {"--output = alloy.yaml", "is the input alloy"}},
        {MAP "map.yaml -o map.yaml", {"--output = map.yaml", "is the file that is read"}},
        {MAP "map.yaml -o absent/out.h5", {"absent/out.h5", "cannot be created"}},
        {KWN "too-much.yaml", {"too-much.yaml:3: initial_distribution[0]", "has not the solute"}},
        {KWN "too-wide.yaml", {"too-wide.yaml:4: initial_distribution[0]", "of it lie on the size axis"}},
    };
#define START "alloy: alloy.yaml\ndevice: cpu\n"
#define END "temperature_table: [[0, 300], [1, 300]]\noutput: {file: out.h5}\n"
    write_text("too-much.yaml",
               START "initial_distribution: [{phase: beta-prime, shape: lsw, mean_radius: 5.0e-9, "
                     "volume_fraction: 0.1}]\n" END);
    write_text("too-wide.yaml",
               START "size_axis: {kind: uniform, largest: 6.0e-9}\n"
                     "initial_distribution: [{phase: beta-prime, shape: lsw, mean_radius: 5.0e-9, "
                     "volume_fraction: 0.01}]\n" END);
    write_edited("endless.yaml", kwn_text, "output", "fixed_step: 1.0e-9\noutput");
    assert_int_equal(symlink("history.h5", "link.h5"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused_twice(cases[i].command, 3, cases[i].part);
    unlink("link.h5");
    unlink("endless.yaml");
    unlink("too-much.yaml");
    unlink("too-wide.yaml");
}

static void strategy_without_its_gpu_is_refused(void **state)
{
    (void)state;
    static const char *const parts[][1] = {{"--strategy = fused: no GPU"}, {"--device = cuda: no GPU"}};
    char name[256];
    if (sw_gpu_describe(name, sizeof name) > 0)
        skip();
    assert_refused_twice(KWN "kwn.yaml --strategy fused --device auto", 1, parts[0]);
    assert_refused_twice(KWN "kwn.yaml --device cuda", 1, parts[1]);
}

/* Of one short histogram `auto` makes the CPU's, of 20,000 a GPU's, if there is one, and says so. */
static void auto_takes_the_cheaper_device(void **state)
{
    (void)state;
    const struct {
        const char *points, *strategy, *precision, *says;
    } cases[] = {{"1", "cpu", "double", "auto: cpu: 1 "}, {"20000", "fused", "single", "auto: cuda: 20000 "}};
    char name[256];
    const int gpu = sw_gpu_describe(name, sizeof name) > 0;
    for (int i = 0; i < (gpu ? 2 : 1); i++) {
        char command[128];
        result r;
        snprintf(command, sizeof command, "slipwave kwn kwn.yaml --device auto --points %s", cases[i].points);
        run(command, &r);
        assert_int_equal(r.status, 0);
        assert_int_equal(strstr(r.err, cases[i].says) != NULL, gpu);
        hid_t file = open_results("out.h5");
        assert_run_text(file, "strategy", cases[i].strategy);
        assert_run_text(file, "precision", cases[i].precision);
        if (!gpu)
            assert_run_text(file, "auto", "");
        H5Fclose(file);
        unlink("out.h5");
    }
}

static void full_disk_leaves_nothing(void **state)
{
    (void)state;
    static const char *const commands[] = {KWN "kwn.yaml", KWN "kwn.yaml --points 300", MAP "map.yaml"};
    static const char *const part[] = {"out.h5", "File too large"};
    for (int i = 0; i < 3; i++) {
        fill_disk(1);
        assert_refused(commands[i], 2, part);
        fill_disk(0);
    }
}

/* A file of thermal histories with one thing wrong. */
static void write_bad_histories(const char *path, int n_knots, const double *time, int n_columns,
                                const float *temperature)
{
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write(output.file, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){n_knots}, time));
    CHECK_OK(
        sw_h5_write(output.file, "temperature", H5T_NATIVE_FLOAT, 2, (int64_t[]){1, n_columns}, temperature));
    CHECK_OK(sw_h5_commit(&output));
}

static void bad_histories_leave_no_file(void **state)
{
    (void)state;
    static const struct {
        double time[3];
        int n_columns;
        float temperature[3];
        const char *part[2];
    } cases[] = {
        {{0, 10, 20}, 2, {300, 400}, {"bad.h5: temperature has 2 columns", "need the 3 of time"}},
        {{0, 20, 10}, 3, {300, 400, 500}, {"bad.h5: time, index 2 = 10 s", "need 20 to"}},
        {{0, NAN, 10}, 3, {300, 400, 500}, {"bad.h5: time, index 1 = nan s"}},
        {{0, 10, 20},
         3,
         {300, NAN, 500},
         {"bad.h5: temperature, point 0, index 1 = nan K", "need 1 to 5000"}},
        {{0, 10, 20}, 3, {300, 400, -1}, {"bad.h5: temperature, point 0, index 2 = -1 K", "need 1 to 5000"}},
    };
    static const char *const of_no_history[] = {"alloy.yaml: not an HDF5 file"};
    write_text("bad.yaml",
               "alloy: alloy.yaml\ndevice: cpu\ntemperature_file: bad.h5\noutput: {file: out.h5}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bad_histories("bad.h5", 3, cases[i].time, cases[i].n_columns, cases[i].temperature);
        assert_refused_twice(KWN "bad.yaml", 2, cases[i].part);
    }
    unlink("bad.h5");
    write_text("bad.yaml",
               "alloy: alloy.yaml\ndevice: cpu\ntemperature_file: alloy.yaml\noutput: {file: out.h5}\n");
    assert_refused_twice(KWN "bad.yaml", 1, of_no_history);
    unlink("bad.yaml");
}

static void interrupted_run_leaves_nothing(void **state)
{
    (void)state;
    /* minutes of work, of one block */
    assert_interrupted(KWN "kwn.yaml --points 256 --classes 16384 --tolerance 1e-6", SIGINT, 0);
    assert_interrupted(MAP "map.yaml --classes 65536 --tolerance 1e-6", SIGTERM, 0);
}

/* ---- Many points ---- */

/* Every dataset of points and distributions, one after the other. */
static double *read_all(const char *path, int64_t *size)
{
    static const char *const classes[] = {"radius", "number", "width"};
    int64_t n = 0;
    double *all = calloc((size_t)POINTS * (MANY_TIMES * 2 * QUANTITIES + 3 * CLASSES), sizeof *all);
    hid_t file = open_results(path);
    assert_non_null(all);
    for (int i = 0; i < QUANTITIES; i++) {
        char name[96];
        const int width = quantities[i].width;
        snprintf(name, sizeof name, "points/%s", quantities[i].name);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, width > 0 ? 3 : 2,
                            (int64_t[]){POINTS, MANY_TIMES, width}, all + n));
        n += POINTS * MANY_TIMES * (width > 0 ? width : 1);
    }
    for (int i = 0; i < 3; i++) {
        char name[96];
        snprintf(name, sizeof name, "distribution/2/beta-prime/%s", classes[i]);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 2, (int64_t[]){POINTS, CLASSES}, all + n));
        n += POINTS * CLASSES;
    }
    H5Fclose(file);
    *size = n;
    return all;
}

/* A point of a file is what a job of its own would give, distributions and all. */
static void points_of_a_file_are_like_runs_of_their_own(void **state)
{
    (void)state;
    const int64_t many[3] = {POINTS, MANY_TIMES, 1}, one[3] = {1, MANY_TIMES, 1};
    static const int points[] = {0, BLOCK, POINTS - 1};
    result r;
    run_coarse(KWN "many.yaml -o many.h5", &r);
    hid_t file = open_results("many.h5");
    for (int k = 0; k < 3; k++) {
        char text[1024];
        const double temperature = (double)(float)(430 + 60 * (float)points[k] / (POINTS - 1));
        snprintf(text, sizeof text,
                 "alloy: alloy.yaml\ndevice: cpu\nsize_axis: {classes: 64}\n"
                 "temperature_table: [[0, 300], [10, %.9g], [10000, %.9g]]\n"
                 "output: {file: out.h5, times: [1.0e3, 1.0e4]}\n",
                 temperature, temperature);
        write_text("one.yaml", text);
        run_coarse(KWN "one.yaml", &r);
        hid_t alone = open_results("out.h5");
        for (int64_t t = 0; t < MANY_TIMES; t++)
            assert_true(number_at(file, "points/number_density", 3, many, points[k] * MANY_TIMES + t) ==
                        number_at(alone, "points/number_density", 3, one, t));
        H5Fclose(alone);
    }
    H5Fclose(file);
    unlink("one.yaml");
    unlink("out.h5");
    unlink("many.h5");
}

static void killed_run_resumes_to_the_same(void **state)
{
    (void)state;
    static const char *const left[] = {"out.h5.partial: is left from an earlier run", "--resume"};
    static const char *const other[] = {"out.h5.partial: belongs to a run with another option"};
    static const struct {
        int signal, status;
    } ends[] = {{SIGKILL, -1}, {SIGTERM, 130}};
    int64_t size, size_again;
    result r;
    run_coarse(KWN "many.yaml", &r);
    double *whole = read_all("out.h5", &size);
    unlink("out.h5");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(stop_when(has_a_block, KWN "many.yaml", ends[i].signal), ends[i].status);
        assert_int_equal(access("out.h5", F_OK), -1);
        assert_refused(KWN "many.yaml", 2, left);
        assert_refused(KWN "many.yaml --resume --tolerance 0.01", 1, other);
        run("slipwave kwn many.yaml --resume", &r);
        assert_int_equal(r.status, 0);
        assert_non_null(strstr(r.err, "resume: "));
        assert_non_null(strstr(r.err, " of 12 blocks kept"));
        assert_int_equal(access("out.h5.partial", F_OK), -1);
        double *resumed = read_all("out.h5", &size_again);
        assert_int_equal(size, size_again);
        assert_memory_equal(whole, resumed, (size_t)size * sizeof *whole);
        free(resumed);
        unlink("out.h5");
    }
    free(whole);
}

/* One number of the first block is another. */
static void damage_a_block(void)
{
    enum { PHASES = 1 };
    double radius[MANY_TIMES][PHASES];
    hid_t file, set;
    CHECK_OK(sw_h5_open("out.h5.partial", 1, &file));
    CHECK_OK(sw_h5_open_set(file, "points/mean_radius", &set));
    CHECK_OK(sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, 1, 1, radius));
    radius[MANY_TIMES - 1][0] *= 0.5;
    CHECK_OK(sw_h5_write_rows(set, H5T_NATIVE_DOUBLE, 1, 1, radius));
    CHECK_OK(sw_h5_close_set(set));
    H5Fclose(file);
}

static void damaged_blocks_are_computed_again(void **state)
{
    (void)state;
    int64_t size, size_again;
    result r;
    run_coarse(KWN "many.yaml", &r);
    double *whole = read_all("out.h5", &size);
    unlink("out.h5");
    assert_int_equal(stop_when(has_a_block, KWN "many.yaml", SIGKILL), -1);
    damage_a_block();
    run("slipwave kwn many.yaml --resume", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "out.h5.partial: block 0 is not what was written: computed again"));
    double *resumed = read_all("out.h5", &size_again);
    assert_int_equal(size, size_again);
    assert_memory_equal(whole, resumed, (size_t)size * sizeof *whole);
    free(resumed);
    free(whole);
    unlink("out.h5");
}

/* What is left of a run is not touched by one that differs from it. */
static void changed_run_does_not_resume(void **state)
{
    (void)state;
    static const struct {
        const char *file, *old, *new;
        const char *part;
    } cases[] = {
        {"many.yaml", "1.0e3, ", "2.0e3, ", "belongs to a run with another job file"},
        {"alloy.yaml", "interfacial_energy: 0.26", "interfacial_energy: 0.27", "with another alloy file"},
    };
    static const char *const of_history[] = {"out.h5.partial: belongs to a run with another file of thermal"};
    static const char *const damaged[] = {"out.h5.partial: not an HDF5 file, or a truncated"};
    assert_int_equal(stop_when(has_a_block, KWN "many.yaml", SIGKILL), -1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size;
        char *text = read_bytes(cases[i].file, &size), changed[8192];
        const char *at = strstr(text, cases[i].old);
        assert_true(at != NULL && size < sizeof changed - 100);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, cases[i].new,
                 at + strlen(cases[i].old));
        write_text(cases[i].file, changed);
        assert_refused(KWN "many.yaml --resume", 1, &cases[i].part);
        write_text(cases[i].file, text);
        free(text);
    }
    struct stat about;
    assert_int_equal(stat("history.h5", &about), 0);
    about.st_mtim.tv_nsec = (about.st_mtim.tv_nsec + 1) % 1000000000; /* within the same second */
    const struct timespec later[2] = {about.st_atim, about.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, "history.h5", later, 0), 0);
    assert_refused(KWN "many.yaml --resume", 1, of_history);
    assert_int_equal(truncate("out.h5.partial", 20000), 0);
    assert_refused(KWN "many.yaml --resume", 1, damaged);
    unlink("out.h5.partial");
}

static void resume_without_anything_starts(void **state)
{
    (void)state;
    result r;
    run_coarse(KWN "kwn.yaml --resume", &r);
    assert_int_equal(unlink("out.h5"), 0);
    run_coarse(KWN "many.yaml --resume", &r);
    assert_int_equal(unlink("out.h5"), 0);
}

/* ---- Answers that are not well ---- */

/* With parts of one warning, beside which there may be that of weight percent. */
static void run_warned(const char *text, const char *options, int n, const char *const *part)
{
    char command[256];
    result r;
    int lines = 0;
    write_text("warned.yaml", text);
    snprintf(command, sizeof command, KWN "warned.yaml%s", options);
    run(command, &r);
    for (const char *c = r.err; *c != '\0'; c++)
        lines += *c == '\n';
    lines -= strstr(r.err, "concentration_unit = weight_percent") != NULL;
    if (r.status != 0 || lines != (n > 0))
        fail_msg("%s: exit status %d, stderr '%s': need %d warnings", command, r.status, r.err, n > 0);
    for (int i = 0; i < n; i++)
        if (strstr(r.err, part[i]) == NULL)
            fail_msg("%s: no '%s' in '%s'", command, part[i], r.err);
    unlink("warned.yaml");
    unlink("out.h5");
}

#define HELD(kelvin, seconds)                                                                       \
    "alloy: alloy.yaml\ndevice: cpu\ninitial_temperature: 850.0\ntemperature: [{quench_to: " kelvin \
    "}, {hold: " seconds "}]\n"

/* The solvus of the alloy file, Mg Si = 10^(...) in its own words: bracketed by runs below it that do precipitate. */
static void nothing_can_precipitate_above_the_solvus(void **state)
{
    (void)state;
    static const char *const idle[] = {
        "1 of 1 point is never below a solvus, the coldest of them 820 K: nothing can "
        "precipitate; of the alloy's composition the highest is at 7"};
    run_warned(HELD("820.0", "10.0") "output: {file: out.h5, times: [10.0]}\n", "", 1, idle);
    run_warned(HELD("700.0", "10.0") "output: {file: out.h5, times: [10.0]}\n", "", 0, NULL);
    /* Dissolution is what particles at the start are for. */
    run_warned(
        HELD("820.0", "1.0") "initial_distribution: [{phase: beta-prime, shape: normal, mean_radius: 4.0e-9, "
                             "standard_deviation: 1.0e-9, volume_fraction: 0.01}]\n"
                             "output: {file: out.h5, times: [1.0]}\n",
        "", 0, NULL);
}

/* An alloy of so much Mg and Si that what is nearly half at the start grows to 61 %, which is all its Mg; of half the Mg
 * it cannot. */
static void particles_that_are_most_of_the_volume_are_said(void **state)
{
    (void)state;
    static const char *const full[] = {"particles are 59.9", " % of the volume at 100 s",
                                       "much less than 50 %"};
#define FULL(mg, fraction)                                                                                \
    "alloy: alloy.yaml\ndevice: cpu\ninitial_temperature: 500.0\ntemperature: [{hold: 100.0}]\n"          \
    "composition: [{solute: Mg, concentration: " mg "}, {solute: Si, concentration: 17.0}]\n"             \
    "initial_distribution: [{phase: beta-prime, shape: normal, mean_radius: 4.0e-9, standard_deviation: " \
    "1.0e-9,\n"                                                                                           \
    "                        volume_fraction: " fraction "}]\noutput: {file: out.h5, times: [100.0]}\n"
    run_warned(FULL("28.0", "0.49"), "", 3, full);
    run_warned(FULL("14.0", "0.2"), "", 0, NULL);
}

#define AGED HELD("458.0", "1000.0") "output: {file: out.h5, times: [100.0, 1000.0]}\n"

/* Classes that are given stay, with a word where they are not fine enough. */
static void classes_that_are_too_few_are_said(void **state)
{
    (void)state;
    static const char *const coarse[] = {
        "64 classes and a tolerance of 0.001: number is off by an estimated ", "mean radius by ",
        "of 1 point, where accuracy = 0.01", "need at least size_axis: classes: 512 and tolerance: 1.56e-05"};
    static const char *const coarsest[] = {"need size_axis: kind: logarithmic"};
    static const char *const neither[] = {"accuracy: nothing is said of 448 classes at a tolerance of 0.05"};
    run_warned(AGED, " --classes 64", 4, coarse);
    run_warned(AGED, "", 0, NULL);
    run_warned(AGED "tolerance: 0.05\n", "", 1, neither);
    run_warned(AGED "size_axis: {kind: uniform, classes: 32, largest: 2.0e-6}\naccuracy: 0\n", "", 1,
               coarsest);
}

/* Number, radius and fraction of out.h5 at its end, from text of a job. */
enum { JUDGED = 3 };
static const char *const judged[JUDGED] = {"number", "radius", "fraction"};

static void read_end(double end[JUDGED], double error[JUDGED])
{
    static const char *const sets[JUDGED] = {"points/number_density", "points/mean_radius",
                                             "points/volume_fraction"};
    const int64_t shape[3] = {1, 3, 1};
    hid_t file = open_results("out.h5");
    for (int q = 0; q < JUDGED; q++) {
        char name[32];
        end[q] = number_at(file, sets[q], 3, shape, 2);
        snprintf(name, sizeof name, "%s_error", judged[q]);
        error[q] = run_number(file, name);
    }
    H5Fclose(file);
}

/* Classes and steps that are left to the program are refined to what is asked for, and results are within what they say of much finer
 * ones. */
static void classes_and_steps_are_refined_to_the_accuracy(void **state)
{
    (void)state;
    double end[JUDGED], error[JUDGED], fine[JUDGED], none[JUDGED];
    result r;
    write_text("fine.yaml", AGED "accuracy: 5.0e-4\n");
    run_well(KWN "fine.yaml", &r);
    read_end(end, error);
    hid_t file = open_results("out.h5");
    assert_true(run_number(file, "classes") > 448 && run_number(file, "tolerance") < 1e-3);
    assert_true(run_number(file, "resolution_points") == 1);
    H5Fclose(file);
    run_well(KWN "fine.yaml --accuracy 0 --classes 4096 --tolerance 1e-5", &r);
    read_end(fine, none);
    for (int q = 0; q < JUDGED; q++) {
        assert_true(error[q] > 0 && error[q] <= 5e-4 && none[q] == 0);
        CHECK_CLOSE(end[q], fine[q], error[q] * fine[q]);
    }
}

/* Steps are in what is said: with a fixed step of 250 s, which half the classes do not show, the number is off by 0.3 %. */
static void steps_are_in_what_is_said(void **state)
{
    (void)state;
    static const char *const words[] = {
        "448 classes and a fixed_step of 250 s: number is off by an estimated ",
        "need at least size_axis: classes: 7168 and fixed_step: 15.6"};
    double end[JUDGED], error[JUDGED], fine[JUDGED], none[JUDGED];
    result r;
    run_warned(AGED "fixed_step: 250\nsize_axis: {classes: 448}\naccuracy: 0.001\n", "", 2, words);
    write_text("fine.yaml", AGED "accuracy: 0\n");
    run_well(KWN "fine.yaml --classes 2048 --tolerance 1e-5", &r);
    read_end(fine, none);
    write_text("fine.yaml", AGED "fixed_step: 250\nsize_axis: {classes: 448}\naccuracy: 0.001\n");
    run(KWN "fine.yaml", &r);
    read_end(end, error);
    print_message("number off by %.3g, said %.3g\n", end[0] / fine[0] - 1, error[0]);
    assert_true(fabs(end[0] / fine[0] - 1) > 2e-3);
    for (int q = 0; q < JUDGED; q++)
        CHECK_CLOSE(end[q], fine[q], error[q] * fine[q]);
}

/* All points are looked at, in either block, also those that stand for none: one is heated until most of it is dissolved. */
static void every_point_is_looked_at(void **state)
{
    (void)state;
    enum { SEVERAL = 300, ODD = 290, KNOTS = 5 };
    static const double time[KNOTS] = {0, 10, 5000, 5010, 10000};
    static float temperature[SEVERAL][KNOTS];
    static const char *const words[] = {"of 300 points, the worst of them point 290, where"};
    sw_h5_output output;
    for (int i = 0; i < SEVERAL; i++)
        for (int k = 0; k < KNOTS; k++)
            temperature[i][k] = k == 0 ? 300 : k == 3 && i == ODD ? 620 : 458;
    CHECK_OK(sw_h5_begin("several.h5", &output));
    CHECK_OK(sw_h5_write(output.file, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){KNOTS}, time));
    CHECK_OK(sw_h5_write(output.file, "temperature", H5T_NATIVE_FLOAT, 2, (int64_t[]){SEVERAL, KNOTS},
                         temperature));
    CHECK_OK(sw_h5_commit(&output));
    run_warned("alloy: alloy.yaml\ndevice: cpu\nsize_axis: {classes: 64}\naccuracy: 0.01\ntemperature_file: "
               "several.h5\n"
               "output: {file: out.h5, times: [1.0e3, 1.0e4]}\n",
               "", 1, words);
    unlink("several.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_writes_what_is_documented),
        cmocka_unit_test(distributions_sum_up),
        cmocka_unit_test(initial_distribution_is_what_was_asked),
        cmocka_unit_test(options_replace_keys),
        cmocka_unit_test(bad_input_leaves_no_file),
        cmocka_unit_test(strategy_without_its_gpu_is_refused),
        cmocka_unit_test(auto_takes_the_cheaper_device),
        cmocka_unit_test(full_disk_leaves_nothing),
        cmocka_unit_test(bad_histories_leave_no_file),
        cmocka_unit_test(interrupted_run_leaves_nothing),
        cmocka_unit_test(points_of_a_file_are_like_runs_of_their_own),
        cmocka_unit_test(killed_run_resumes_to_the_same),
        cmocka_unit_test(damaged_blocks_are_computed_again),
        cmocka_unit_test(changed_run_does_not_resume),
        cmocka_unit_test(resume_without_anything_starts),
        cmocka_unit_test(nothing_can_precipitate_above_the_solvus),
        cmocka_unit_test(particles_that_are_most_of_the_volume_are_said),
        cmocka_unit_test(classes_that_are_too_few_are_said),
        cmocka_unit_test(classes_and_steps_are_refined_to_the_accuracy),
        cmocka_unit_test(steps_are_in_what_is_said),
        cmocka_unit_test(every_point_is_looked_at),
    };
    return cmocka_run_group_tests(tests, make_kwn_folder, remove_folder);
}
