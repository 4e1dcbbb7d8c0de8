/* Slip resistances from kwn's results: files of our own making, whose numbers are known. */
#include "tests/folder.h"

#include "common/files/hdf5_io.h"
#include "online/kwn/output/ageing.h"

static const char path[] = "out.h5";

/* ---- Files ---- */

enum { POINTS = 2, TIMES = 4 };
static const double times[TIMES] = {0, 10, 100, 1000};
static const double lattice = 10e6, taylor_factor = 3.1;

/* Solutes fall with time, particles grow; the second point has twice as much of both. */
static double solutes_of(int64_t point, int64_t k) { return (double)(point + 1) * (90e6 - 20e6 * (double)k); }
static double particles_of(int64_t point, int64_t k) { return (double)(point + 1) * 50e6 * (double)(k * k); }

static void write_numbers(hid_t file, const char *group, const char *name, const double *number)
{
    char set[64];
    snprintf(set, sizeof set, "%s/%s", group, name);
    CHECK_OK(sw_h5_write(file, set, H5T_NATIVE_DOUBLE, 2, (int64_t[]){POINTS, TIMES}, number));
}

static void write_stresses(hid_t file, const char *group, double scale)
{
    double solutes[POINTS][TIMES], particles[POINTS][TIMES], yield[POINTS][TIMES], s[POINTS][TIMES];
    for (int p = 0; p < POINTS; p++)
        for (int k = 0; k < TIMES; k++) {
            solutes[p][k] = scale * solutes_of(p, k);
            particles[p][k] = scale * particles_of(p, k);
            yield[p][k] = scale * lattice + solutes[p][k] + particles[p][k];
            s[p][k] = yield[p][k] / taylor_factor;
        }
    write_numbers(file, group, "solid_solution_stress", solutes[0]);
    write_numbers(file, group, "particle_stress", particles[0]);
    write_numbers(file, group, "yield_stress", yield[0]);
    write_numbers(file, group, "slip_resistance", s[0]);
}

static void write_history(const char *format, const char *group, const char *time_set, const double *time,
                          double scale)
{
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write_text(output.file, "format", format));
    if (time_set != NULL)
        CHECK_OK(sw_h5_write(output.file, time_set, H5T_NATIVE_DOUBLE, 1, (int64_t[]){TIMES}, time));
    write_stresses(output.file, group, scale);
    CHECK_OK(sw_h5_commit(&output));
}

static void write_results(void) { write_history("slipwave-kwn", "points", "history/time", times, 1); }

static sw_status read_at(double time, int64_t point, sw_kwn_slip_resistance *s)
{
    const sw_kwn_state state = {path, time, point};
    const char *fault;
    return sw_kwn_read_slip_resistance(&state, &fault, s);
}

/* ---- What is read ---- */

/* place: number of a row, and the part of the way to the next */
static void assert_resistance(double time, int64_t point, double place)
{
    const int64_t k = (int64_t)place, next = place > (double)k ? k + 1 : k;
    const double part = place - (double)k, m = taylor_factor;
    const double solutes = solutes_of(point, k) + part * (solutes_of(point, next) - solutes_of(point, k)),
                 particles =
                     particles_of(point, k) + part * (particles_of(point, next) - particles_of(point, k));
    sw_kwn_slip_resistance s;
    CHECK_OK(read_at(time, point, &s));
    CHECK_CLOSE(s.taylor_factor, m, 1e-12);
    CHECK_CLOSE(s.lattice, lattice / m, 1e-4); /* a difference of sums up to 1e9: some 1e-7 each */
    CHECK_CLOSE(s.solid_solution, solutes / m, 1e-5);
    CHECK_CLOSE(s.particles, particles / m, 1e-5);
    CHECK_CLOSE(s.slip_resistance, (lattice + solutes + particles) / m, 1e-5);
}

static void rows_and_what_is_between(void **state)
{
    (void)state;
    write_results();
    for (int point = 0; point < POINTS; point++) {
        for (int k = 0; k < TIMES; k++)
            assert_resistance(times[k], point, k);
        assert_resistance(5, point, 0.5);
        assert_resistance(55, point, 1.5);
        assert_resistance(775, point, 2.75);
    }
}

static void maps_over_time(void **state)
{
    (void)state;
    write_history("slipwave-kwn-map", "map", "axes/time", times, 1);
    assert_resistance(55, 1, 1.5);
    write_history("slipwave-kwn-map", "map", "axes/temperature", times, 1);
    sw_kwn_slip_resistance s;
    assert_int_equal(read_at(55, 1, &s), SW_ERR_FORMAT);
    assert_message_has("a map without an axis of time");
}

static void results_of_one_time(void **state)
{
    (void)state;
    static const double number[4] = {110e6, 30e6, 70e6, 110e6 / 3.1};
    static const char *const names[4] = {"yield_stress", "solid_solution_stress", "particle_stress",
                                         "slip_resistance"};
    const double time = 7;
    sw_h5_output output;
    sw_kwn_slip_resistance s;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write_text(output.file, "format", "slipwave-kwn"));
    CHECK_OK(sw_h5_write(output.file, "history/time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){1}, &time));
    for (int i = 0; i < 4; i++) {
        char set[64];
        snprintf(set, sizeof set, "points/%s", names[i]);
        CHECK_OK(sw_h5_write(output.file, set, H5T_NATIVE_DOUBLE, 2, (int64_t[]){1, 1}, &number[i]));
    }
    CHECK_OK(sw_h5_commit(&output));
    CHECK_OK(read_at(7, 0, &s));
    CHECK_CLOSE(s.slip_resistance, 110e6 / 3.1, 1e-5);
    CHECK_CLOSE(s.particles, 70e6 / 3.1, 1e-5);
    assert_int_equal(read_at(7.1, 0, &s), SW_ERR_RANGE);
}

/* ---- What is refused ---- */

static void assert_refused(double time, int64_t point, sw_status expected, const char *part)
{
    sw_kwn_slip_resistance s;
    assert_int_equal(read_at(time, point, &s), expected);
    assert_message_has(path);
    assert_message_has(part);
}

static void times_and_points_that_are_not_there(void **state)
{
    (void)state;
    write_results();
    assert_refused(1000.5, 0, SW_ERR_RANGE, "time 1000.5 s: need its results' 0 to 1000");
    assert_refused(-1, 0, SW_ERR_RANGE, "time -1 s: need its results' 0 to 1000");
    assert_refused(NAN, 0, SW_ERR_RANGE, "need its results' 0 to 1000");
    assert_refused(10, 2, SW_ERR_RANGE, "point 2: need 0 to 1");
    assert_refused(10, -1, SW_ERR_RANGE, "point -1: need 0 to 1");
}

static void files_that_are_none(void **state)
{
    (void)state;
    static const double descending[TIMES] = {0, 10, 5, 20}, infinite[TIMES] = {0, 10, 20, INFINITY};
    unlink(path);
    assert_refused(10, 0, SW_ERR_IO, "No such file");
    write_history("slipwave-taylor", "points", "history/time", times, 1);
    assert_refused(10, 0, SW_ERR_FORMAT, "need results of slipwave kwn or slipwave kwn map");
    write_history("slipwave-kwn", "points", "history/time", descending, 1);
    assert_refused(10, 0, SW_ERR_FORMAT, "/history/time: row 2 is 5: need ascending times");
    write_history("slipwave-kwn", "points", "history/time", infinite, 1);
    assert_refused(10, 0, SW_ERR_FORMAT, "/history/time: row 3 is inf: need ascending times");
    write_history("slipwave-kwn", "map", "history/time", times, 1);
    assert_refused(10, 0, SW_ERR_FORMAT, "points/slip_resistance is missing");
    static const double unusable[] = {0, -1, NAN};
    for (int i = 0; i < 3; i++) {
        write_history("slipwave-kwn", "points", "history/time", times, unusable[i]);
        assert_refused(10, 0, SW_ERR_FORMAT, "need an alloy with strength data");
    }
}

static int clear(void **state)
{
    unlink(path);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_what_is_between), cmocka_unit_test(maps_over_time),
        cmocka_unit_test(results_of_one_time),      cmocka_unit_test(times_and_points_that_are_not_there),
        cmocka_unit_test(files_that_are_none),
    };
    return cmocka_run_group_tests(tests, make_folder, clear);
}
