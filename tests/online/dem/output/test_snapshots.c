/* Snapshots of a run: when they are taken, what is in them, that they change no result, and that a run that goes on
 * after a stop goes on with them. */
#include "tests/job_files.h"

#include <sys/stat.h>

#include "common/files/hdf5_io.h"
#include "common/files/text.h"
#include "online/dem/commands.h"
#include "online/dem/output/output.h"

enum { P = 100, ELEMENTS = 2 };

/* Packings that are not recorded; strains of 0.05 and of 0.02 (of gamma) with a snapshot each 0.02 in between. */
static const char text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, roll_stiffness: 1.0, roll_strength: 0.2, density: "
    "2600}\n"
    "packing: {particles: 100, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.1, inertia_number: 3.0e-2, seed: 4}\n"
    "rves: {count: 2}\n"
    "numerics: {control_interval: 10, servo_gain: 1.0}\n"
    "loading:\n"
    "  - {test: undrained_triaxial, strain: 0.05, inertia_number: 1.0e-2}\n"
    "  - {test: strain, velocity_gradient: [[0, 0, -1], [0, 0, 0], [0, 0, 0]], inertia_number: 1.0e-2,\n"
    "     until: strain, component: 13, goal: 0.01}\n"
    "device: cpu\n"
    "output: {file: out.h5, packings: [vtkhdf], snapshots: {strain: 0.02}}\n";

/* Of each element: the beginning, 0.02, 0.04, the ends of both tests. */
enum { SNAPSHOTS = 5, MOST = 8 };

static int set_up(void **state) { return make_job_folder(state) != 0 || chdir(folder) != 0; }

static int tear_down(void **state)
{
    (void)state;
    char command[PATH_MAX + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command) != 0;
}

/* The job's run; what it prints is not looked at. */
static sw_status run_with(int n_options, const char *old, const char *new)
{
    static const char *const resume[][2] = {{"resume", ""}};
    sw_dem_job *job;
    write_job(text, old, new);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){job_path, n_options, resume}, &job));
    const sw_status status = sw_dem_job_run(job);
    sw_dem_job_free(job);
    return status;
}

static sw_status run_job(const char *old, const char *new) { return run_with(0, old, new); }

static const char *snapshot(const char *stem, int element, int number)
{
    static char path[96];
    snprintf(path, sizeof path, "%s-%04d-%04d.vtkhdf", stem, element, number);
    return path;
}

/* Times of a series; every name is the next one of the element's. */
static int read_times(const char *stem, int element, double time[MOST])
{
    char path[64], *series;
    int n = 0;
    snprintf(path, sizeof path, "%s-%04d.vtkhdf.series", stem, element);
    CHECK_OK(sw_read_text(path, &series));
    assert_non_null(strstr(series, "\"file-series-version\": \"1.0\""));
    for (const char *at = series; (at = strstr(at, "{\"name\": \"")) != NULL; n++) {
        int length = 0;
        char name[64];
        assert_true(n < MOST);
        assert_int_equal(sscanf(at, "{\"name\": \"%63[^\"]\", \"time\": %lf}%n", name, &time[n], &length), 2);
        assert_true(length > 0);
        assert_string_equal(name, snapshot(stem, element, n));
        at += length;
    }
    free(series);
    return n;
}

static sw_dem_packing read_packing(const char *path)
{
    sw_dem_packing p;
    CHECK_OK(sw_dem_packing_read(path, &p));
    assert_int_equal(p.n_particles, P);
    return p;
}

static void assert_same_packing(const char *path, const char *other)
{
    char first[96];
    snprintf(first, sizeof first, "%s", path);
    sw_dem_packing a = read_packing(first), b = read_packing(other);
    assert_memory_equal(a.position, b.position, P * sizeof *a.position);
    assert_memory_equal(a.velocity, b.velocity, P * sizeof *a.velocity);
    assert_memory_equal(a.cell, b.cell, sizeof a.cell);
    sw_dem_packing_free(&a);
    sw_dem_packing_free(&b);
}

/* A quantity of all elements' records [*size], released with free(). */
static double *read_quantity(const char *path, const char *name, int64_t *size)
{
    hid_t file;
    int64_t shape[2];
    double *value;
    CHECK_OK(sw_h5_open(path, 0, &file));
    CHECK_OK(sw_h5_shape(file, name, 2, shape));
    *size = shape[0] * shape[1];
    CHECK_OK(SW_ALLOCATE(value, *size, "records"));
    CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, 2, shape, value));
    H5Fclose(file);
    return value;
}

static void assert_same_results(const char *path, const char *other)
{
    static const char *const name[] = {"history/time", "history/stress_33", "history/stress_13",
                                       "history/rebuilds"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        int64_t size, same;
        double *a = read_quantity(path, name[i], &size), *b = read_quantity(other, name[i], &same);
        assert_int_equal(size, same);
        assert_memory_equal(a, b, (size_t)size * sizeof *a);
        free(a);
        free(b);
    }
}

static void snapshots_are_taken_where_asked(void **state)
{
    (void)state;
    CHECK_OK(run_job(NULL, NULL));
    CHECK_OK(run_job("file: out.h5, packings: [vtkhdf], snapshots: {strain: 0.02}", "file: without.h5"));
    assert_same_results("out.h5", "without.h5");
    for (int e = 0; e < ELEMENTS; e++) {
        double time[MOST], heights[SNAPSHOTS];
        char last[64];
        assert_int_equal(read_times("out", e, time), SNAPSHOTS);
        for (int k = 0; k < SNAPSHOTS; k++) {
            sw_dem_packing p = read_packing(snapshot("out", e, k));
            heights[k] = p.cell[2][2];
            sw_dem_packing_free(&p);
            assert_true(k == 0 || time[k] > time[k - 1]);
        }
        /* Of the steps of an interval and the one that is measured before its motion: I = 0.01 at 200 kPa and
         * r = 8.75e-5 m is 500 1/s, half a wave's step 2e-8 s, 11 steps 1e-4. */
        for (int k = 0; k < 4; k++) {
            const double strain = log(heights[0] / heights[k]), asked = k < 3 ? 0.02 * k : 0.05;
            if (!(strain >= asked - 1e-12 && strain <= asked + 1.2e-4))
                fail_msg("snapshot %d of element %d at a strain of %.8g: need %g", k, e, strain, asked);
        }
        snprintf(last, sizeof last, "out-%04d.vtkhdf", e);
        assert_same_packing(last, snapshot("out", e, SNAPSHOTS - 1));
        assert_int_equal(access(snapshot("out", e, SNAPSHOTS), F_OK), -1);
    }
    hid_t file; /* with the fields of packings at the end */
    CHECK_OK(sw_h5_open(snapshot("out", 1, 2), 0, &file));
    assert_true(sw_h5_exists(file, "VTKHDF/PointData/contacts") &&
                sw_h5_exists(file, "VTKHDF/PointData/normal_force"));
    H5Fclose(file);
}

/* The ends of a packing's three stages, of the beginning and of the tests, and nothing between them. */
static void recorded_packings_have_them_too(void **state)
{
    (void)state;
    double time[MOST];
    sw_dem_job *job;
    write_job(text, "seed: 4}", "seed: 4, record: yes}");
    char *recorded = strdup(job_text);
    write_job(recorded, "file: out.h5, packings: [vtkhdf], snapshots: {strain: 0.02}",
              "file: packed.h5, snapshots: {strain: 10}");
    free(recorded);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){.file = job_path}, &job));
    CHECK_OK(sw_dem_job_run(job));
    sw_dem_job_free(job);
    assert_int_equal(read_times("packed", 0, time), SW_DEM_PACKING_STAGES + 1 + 2);
}

/* A place that is taken while the run is at work: the states are kept, and go on with numbers, times and bits. */
static void run_goes_on_with_its_snapshots(void **state)
{
    (void)state;
    double time[MOST], again[MOST];
    CHECK_OK(run_job(NULL, NULL));
    assert_int_equal(mkdir("late-0001-0002.vtkhdf", 0777), 0);
    const char *const place = "file: out.h5, packings: [vtkhdf]";
    assert_int_equal(run_job(place, "file: late.h5"), SW_ERR_IO);
    assert_non_null(strstr(sw_error_message(), "late-0001-0002.vtkhdf"));
    assert_non_null(strstr(sw_error_message(), "late.h5.partial: --resume goes on"));
    assert_int_equal(read_times("late", 1, time), 2); /* complete ones only */
    assert_int_equal(rmdir("late-0001-0002.vtkhdf"), 0);
    assert_int_equal(run_job(place, "file: late.h5"), SW_ERR_INPUT); /* not by itself */
    CHECK_OK(run_with(1, place, "file: late.h5"));
    assert_same_results("out.h5", "late.h5");
    for (int e = 0; e < ELEMENTS; e++) {
        assert_int_equal(read_times("late", e, again), SNAPSHOTS);
        assert_int_equal(read_times("out", e, time), SNAPSHOTS);
        assert_memory_equal(again, time, SNAPSHOTS * sizeof *time);
        for (int k = 0; k < SNAPSHOTS; k++) {
            char path[96];
            snprintf(path, sizeof path, "%s", snapshot("late", e, k));
            assert_same_packing(path, snapshot("out", e, k));
        }
    }
}

static void strains_between_are_checked(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{strain: 0}", "output.snapshots.strain = 0: need 1e-6 <= strain <= 10"},
        {"{strain: 11}", "output.snapshots.strain = 11: need"},
        {"{strain: .nan}", "output.snapshots.strain"},
        {"{}", "output.snapshots.strain is missing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sw_dem_job *job;
        write_job(text, "{strain: 0.02}", wrong[i][0]);
        assert_int_equal(sw_dem_job_read(&(sw_arguments){.file = job_path}, &job), SW_ERR_INPUT);
        if (strstr(sw_error_message(), wrong[i][1]) == NULL)
            fail_msg("%s: need '%s'", sw_error_message(), wrong[i][1]);
    }
}

typedef struct {
    int series, first, third;
} visited;

static sw_status note_place(const sw_dem_job *job, const char *key, const char *path, const void *context)
{
    visited *v = *(visited *const *)context;
    (void)job;
    if (strcmp(key, "output.snapshots.strain") != 0)
        return SW_OK;
    v->series += strcmp(path, "in-0000.vtkhdf.series") == 0;
    v->first += strcmp(path, "in-0000-0000.vtkhdf") == 0;
    v->third += strcmp(path, "in-0000-0003.vtkhdf") == 0;
    return SW_OK;
}

/* Before the work: among them a packing that the run would write over. */
static void places_of_snapshots_are_visited(void **state)
{
    (void)state;
    visited v = {0, 0, 0}, *to = &v;
    sw_dem_job *job;
    write_job("material: {young: 4.3e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
              "packing: {file: in-0000-0003.vtkhdf, pressure: 200.0e3}\n"
              "loading: [{test: undrained_triaxial, strain: 0.05, inertia_number: 1.0e-2}]\n"
              "device: cpu\noutput: {file: in.h5, snapshots: {strain: 0.02}}\n",
              NULL, NULL);
    CHECK_OK(sw_dem_job_read(&(sw_arguments){.file = job_path}, &job));
    CHECK_OK(sw_dem_visit_places(job, note_place, &to));
    sw_dem_job_free(job);
    assert_true(v.series == 1 && v.first == 1 && v.third == 1);
    assert_int_equal(mkdir("out-0001.vtkhdf.series", 0777), 0);
    assert_int_equal(run_job(NULL, NULL), SW_ERR_INPUT);
    assert_non_null(strstr(sw_error_message(),
                           "output.snapshots.strain: out-0001.vtkhdf.series cannot be written: is a folder"));
    assert_int_equal(rmdir("out-0001.vtkhdf.series"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strains_between_are_checked),     cmocka_unit_test(places_of_snapshots_are_visited),
        cmocka_unit_test(snapshots_are_taken_where_asked), cmocka_unit_test(recorded_packings_have_them_too),
        cmocka_unit_test(run_goes_on_with_its_snapshots),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
