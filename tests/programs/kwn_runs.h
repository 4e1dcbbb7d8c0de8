/* What tests of `slipwave kwn` share: jobs, their folder, and quantities of results. */
#ifndef SW_TESTS_PROGRAMS_KWN_RUNS_H
#define SW_TESTS_PROGRAMS_KWN_RUNS_H

#include "programs.h"

#include "online/gpu/gpu.h"

#define KWN "slipwave kwn -q "
#define MAP "slipwave kwn map -q "

static const char kwn_text[] =
    "alloy: alloy.yaml\n"
    "device: cpu\n"
    "size_axis: {classes: 64}\n"
    "initial_temperature: 803.0\n"
    "temperature: [{quench_to: 458.0}, {hold: 20000.0}]\n"
    "output: {file: out.h5, per_decade: 2, first: 100.0, distributions: [1.0e3, 2.0e4]}\n";
enum { TIMES = 7 }; /* 0, 100 sqrt(10)^0 .. 4, 20000 */

static const char many_text[] = "alloy: alloy.yaml\n"
                                "device: cpu\n"
                                "size_axis: {classes: 64}\n"
                                "temperature_file: history.h5\n"
                                "output: {file: out.h5, times: [1.0e3, 1.0e4], distributions: [1.0e4]}\n";
enum { POINTS = 3000, MANY_TIMES = 3, CLASSES = 64, BLOCK = 256 };

/* Of 64 classes or less a run is quick and says that they are few, and nothing else. */
static inline void run_coarse(const char *command, result *r)
{
    run(command, r);
    const char *end = strchr(r->err, '\n');
    if (r->status != 0 ||
        (r->err[0] != '\0' && ((strstr(r->err, "on average form in classes of") == NULL &&
                                strstr(r->err, ": number is off by an estimated ") == NULL) ||
                               end == NULL || end[1] != '\0')))
        fail_msg("%s: exit status %d, stderr '%s'", command, r->status, r->err);
}

/* ---- Reading results ---- */

static const struct {
    const char *name, *unit;
    int width; /* 0: a number a point; else of phases (1) or solutes (2), of which the alloy has as many */
} quantities[] = {
    {"temperature", "K", 0},        {"matrix_composition", "mole fraction", 2},
    {"number_density", "1/m^3", 1}, {"mean_radius", "m", 1},
    {"volume_fraction", "1", 1},    {"interface_area", "m^2/m^3", 1},
    {"critical_radius", "m", 1},    {"nucleation_rate", "1/(m^3 s)", 1},
    {"driving_force", "J/m^3", 1},  {"incubation", "1", 1},
    {"nucleated", "1/m^3", 1},      {"dissolved", "1/m^3", 1},
    {"yield_stress", "Pa", 0},      {"hardness", "HV", 0},
    {"slip_resistance", "Pa", 0},   {"solid_solution_stress", "Pa", 0},
    {"particle_stress", "Pa", 0},   {"vacancies", "1", 0},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* All of them, in a group, with units. */
static inline void assert_quantities(hid_t file, const char *group, int64_t n1, int64_t n2)
{
    for (int i = 0; i < QUANTITIES; i++) {
        char name[96], *unit;
        const int rank = quantities[i].width > 0 ? 3 : 2;
        const int64_t shape[3] = {n1, n2, quantities[i].width};
        snprintf(name, sizeof name, "%s/%s", group, quantities[i].name);
        double *data = read_set(file, name, rank, shape);
        for (int64_t k = 0; k < n1 * n2 * (rank == 3 ? shape[2] : 1); k++)
            assert_true(isfinite(data[k]));
        free(data);
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK_OK(sw_h5_read_text(set, "unit", &unit));
        assert_string_equal(unit, quantities[i].unit);
        free(unit);
        H5Dclose(set);
    }
}

static inline void assert_text(hid_t where, const char *group, const char *name, const char *expected)
{
    char *text;
    hid_t at = H5Gopen2(where, group, H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(at, name, &text));
    assert_string_equal(text, expected);
    free(text);
    H5Gclose(at);
}

/* ---- Many points ---- */

/* Each point has its own temperature, 430 to 490 K, from 10 s on. */
static inline void write_histories(void)
{
    enum { KNOTS = 3 };
    static const double time[KNOTS] = {0, 10, 10000};
    static float temperature[POINTS][KNOTS];
    sw_h5_output output;
    for (int i = 0; i < POINTS; i++) {
        temperature[i][0] = 300;
        temperature[i][1] = temperature[i][2] = 430 + 60 * (float)i / (POINTS - 1);
    }
    CHECK_OK(sw_h5_begin("history.h5", &output));
    CHECK_OK(sw_h5_write(output.file, "time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){KNOTS}, time));
    CHECK_OK(sw_h5_write(output.file, "temperature", H5T_NATIVE_FLOAT, 2, (int64_t[]){POINTS, KNOTS},
                         temperature));
    CHECK_OK(sw_h5_commit(&output));
}

/* ---- Maps ---- */

static inline void write_map(const char *keys)
{
    char text[1024];
    snprintf(text, sizeof text,
             "alloy: alloy.yaml\ndevice: cpu\nsize_axis: {classes: 64}\ninitial_temperature: 803.0\n%s"
             "output: {file: out.h5}\n",
             keys);
    write_text("map.yaml", text);
}

#define ISOTHERMAL(kind) \
    "kind: " kind        \
    "\ntemperature: {from: 440.0, to: 480.0, count: 3}\ntime: {from: 100.0, to: 1.0e5, count: 7}\n"

/* ---- The folder ---- */

static inline int make_kwn_folder(void **state)
{
    (void)state;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* partial files are looked at while they grow */
    char *alloy = read_data("alloys/al-mg-si-6082.yaml");
    if (enter_folder() != 0)
        return 1;
    write_text("alloy.yaml", alloy);
    write_text("kwn.yaml", kwn_text);
    write_text("many.yaml", many_text);
    write_map(ISOTHERMAL("ttp"));
    write_histories();
    free(alloy);
    return 0;
}

/* The first block is in the partial file. */
static inline int has_a_block(void)
{
    double block[(POINTS + BLOCK - 1) / BLOCK][9] = {{0}};
    hid_t file;
    if (!is_kept() || sw_h5_open("out.h5.partial", 0, &file) != SW_OK)
        return 0;
    const sw_status status = sw_h5_read(file, "run/blocks", H5T_NATIVE_DOUBLE, 2,
                                        (int64_t[]){(POINTS + BLOCK - 1) / BLOCK, 9}, block);
    H5Fclose(file);
    return status == SW_OK && block[0][0] == 1;
}

#endif
