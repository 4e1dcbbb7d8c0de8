/* Records of points and their tables in files, quantity by quantity; what is written of an alloy and of ageing. */
#include "tests/folder.h"

#include "common/files/hdf5_io.h"
#include "online/kwn/output/ageing.h"
#include "online/kwn/output/output.h"
#include "online/kwn/output/resolution.h"

enum { POINTS = 5, TIMES = 3, C = 3 + 10 * 2 + 7 }; /* solutes 3, phases 2 */

static const sw_kwn_alloy alloy = {.name = "three in two",
                                   .n_solutes = 3,
                                   .n_phases = 2,
                                   .solute = {{.element = "Mg"}, {.element = "Si"}, {.element = "Cu"}},
                                   /* K of half, and of twice what the matrix below has */
                                   .phase = {{.name = "first",
                                              .molar_volume = 2e-5,
                                              .interfacial_energy = 0.1,
                                              .solvus = {.exponent = {1}, .prefactor = 0.0005}},
                                             {.name = "second",
                                              .molar_volume = 4e-5,
                                              .interfacial_energy = 0.2,
                                              .solvus = {.exponent = {0, 1}, .prefactor = 0.004}}},
                                   .strength = {.lattice_resistance = 20e6,
                                                .taylor_factor = 3,
                                                .shear_modulus = 27e9,
                                                .burgers_vector = 2.86e-10,
                                                .line_tension_factor = 0.5,
                                                .solid_solution = {1e9, 2e9, 3e9},
                                                .solid_solution_exponent = 1,
                                                .particle_sum_exponent = 2,
                                                .hardness_slope = 0.33e-6,
                                                .hardness_intercept = 16}};

static const struct {
    const char *name, *unit;
    int width;
} table[SW_KWN_QUANTITIES] = {{"temperature", "K", 1},        {"matrix_composition", "mole fraction", 3},
                              {"number_density", "1/m^3", 2}, {"mean_radius", "m", 2},
                              {"volume_fraction", "1", 2},    {"interface_area", "m^2/m^3", 2},
                              {"critical_radius", "m", 2},    {"driving_force", "J/m^3", 2},
                              {"incubation", "1", 2},         {"nucleation_rate", "1/(m^3 s)", 2},
                              {"nucleated", "1/m^3", 2},      {"dissolved", "1/m^3", 2},
                              {"yield_stress", "Pa", 1},      {"hardness", "HV", 1},
                              {"slip_resistance", "Pa", 1},   {"solid_solution_stress", "Pa", 1},
                              {"particle_stress", "Pa", 1},   {"vacancies", "1", 1}};

static const char path[] = "out.h5";

static int clear(void **state)
{
    unlink(path);
    return remove_folder(state);
}

/* ---- Records ---- */

static void records_hold_what_the_point_holds(void **state)
{
    (void)state;
    const sw_kwn_point point = {.matrix = {0.001, 0.002, 0.003},
                                .vacancies = 2.5,
                                .phase = {{.number = 1e20,
                                           .radius_sum = 5e11,
                                           .fraction = 0.01,
                                           .obstacle_sum = 5e19,
                                           .critical = 123, /* that of the last step's middle is not kept */
                                           .incubation = 0.25,
                                           .rate = 1e17,
                                           .nucleated = 2e20,
                                           .dissolved = 3e19},
                                          {.number = 0,
                                           .fraction = 0.02,
                                           .incubation = 0.5,
                                           .rate = 2e17,
                                           .nucleated = 4e20,
                                           .dissolved = 6e19}}};
    const double area[2] = {7, 8};
    const sw_kwn_strength_result s = sw_kwn_strength_of(&alloy, &point);
    const double rt = SW_GAS_CONSTANT * 450, driving = log(2);
    const double expected[] = {450,
                               0.001,
                               0.002,
                               0.003,
                               1e20,
                               0,
                               5e-9,
                               0,
                               0.01,
                               0.02,
                               7,
                               8,
                               2 * 0.1 * 2e-5 / rt / driving,
                               0,
                               driving * rt / 2e-5,
                               -driving * rt / 4e-5,
                               0.25,
                               0.5,
                               1e17,
                               2e17,
                               2e20,
                               4e20,
                               3e19,
                               6e19,
                               s.yield_stress,
                               s.hardness,
                               s.slip_resistance,
                               s.solid_solution,
                               s.particles,
                               point.vacancies};
    double record[C + 1];
    char text[400];
    record[C] = 123;
    assert_int_equal(sizeof expected / sizeof *expected, C);
    assert_int_equal(sw_kwn_record_size(&alloy), C);
    sw_kwn_record_fill(&alloy, &point, area, 450, record);
    for (int k = 0; k < C; k++)
        CHECK_CLOSE(record[k], expected[k], 1e-14 * fabs(expected[k]));
    CHECK_CLOSE(record[C], 123, 0);
    CHECK_CLOSE(s.solid_solution, 1e6 + 4e6 + 9e6, 1);
    int64_t place = 0;
    for (int k = 0; k < SW_KWN_QUANTITIES; place += table[k++].width)
        assert_int_equal(sw_kwn_record_place(&alloy, table[k].name), place);
    record[24] = 123.4e6;
    record[25] = 56.7;
    record[26] = 41.1e6;
    sw_kwn_record_describe(&alloy, record, text, sizeof text);
    assert_string_equal(text,
                        "first: N = 1e+20 1/m^3, r = 5 nm, f = 1 %; second: N = 0 1/m^3, r = 0 nm, f = 2 %; "
                        "yield stress 123.4 MPa, hardness 56.7 HV, slip resistance 41.1 MPa");
    sw_kwn_record_describe(&alloy, record, text, 20); /* cut, and ended */
    assert_string_equal(text, "first: N = 1e+20 1/");
    record[24] = record[25] = record[26] = 0; /* no strength */
    sw_kwn_record_describe(&alloy, record, text, sizeof text);
    assert_string_equal(strstr(text, "second"), "second: N = 0 1/m^3, r = 0 nm, f = 2 %");
}

/* A parabola over ln time with its top, 300 MPa, at 15 min: its stress, hardness and time, in the unit that people say, where records are
 * dense, and the largest record with its neighbours where they are far apart in time or in value, or one of them as good as on it; nothing
 * where it rises to the end or falls from the start. */
static void peaks_are_told(void **state)
{
    (void)state;
    static const struct {
        double time[4], drop; /* Pa, a unit of ln time off */
        const char *text;
    } cases[] = {
        {{500, 750, 1000, 1300}, 1e6, "; peak 300 MPa, 115 HV after 15 min"},
        {{1, 30, 600, 36000},
         1e6,
         "; largest of the records 299.8 MPa, 114.9 HV at 10 min: the peak is between 30 s and 10 h"},
        {{0, 600, 900, 36000},
         1e6,
         "; largest of the records 300 MPa, 115 HV at 15 min: the peak is between 10 min and 10 h"},
        {{500, 750, 1000, 1300},
         1e8,
         "; largest of the records 298.9 MPa, 114.6 HV at 16.7 min: the peak is between 12.5 min and 21.7 "
         "min"},
        {{1000, 1100, 1200, 1300}, 1e6, ""},
        {{500, 600, 700, 800}, 1e6, ""},
    };
    static double record[4 * C];
    char text[200];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int t = 0; t < 4; t++)
            record[t * C + 24] = 3e8 - cases[k].drop * pow(log(fmax(cases[k].time[t], 1) / 900), 2);
        sw_kwn_peak_describe(&alloy, NULL, 4, cases[k].time, record, text, sizeof text);
        assert_string_equal(text, cases[k].text);
    }
    /* Likewise of steps. */
    static const struct {
        double time[3];
        const char *text;
    } steps[] = {
        {{750, 1000, 1300}, "; peak 300 MPa, 115 HV after 15 min"},
        {{30, 600, 36000},
         "; largest of the steps 299.8 MPa, 114.9 HV at 10 min: the peak is between 30 s and 10 h"},
        {{750, 750, 1300}, ""},
        {{750, 1000, INFINITY}, ""},
    };
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        sw_kwn_top top;
        for (int t = 0; t < 3; t++)
            top.time[t] = steps[k].time[t],
            top.stress[t] = 3e8 - 1e6 * pow(log(fmin(steps[k].time[t], 1e5) / 900), 2);
        sw_kwn_peak_describe(&alloy, &top, 4, cases[0].time, record, text, sizeof text);
        assert_string_equal(text, steps[k].text);
    }
    /* Strongest as it began, at 0 s: the records, which have a peak, are not asked. */
    record[C + 24] = 3.1e8;
    sw_kwn_peak_describe(&alloy, &(sw_kwn_top){{0, 0, 1000}, {3e8, 3e8, 2e8}}, 4, cases[0].time, record, text,
                         sizeof text);
    assert_string_equal(text, "");
    /* Of a plateau its first time; of two records next to each other with a step between, no top far above both. */
    const double time[4] = {100, 149, 149.001, 200}, flat[4] = {1, 2, 2, 2}, step[4] = {1.99, 2, 1.99, 1.98};
    const sw_kwn_peak plateau = sw_kwn_find_peak(3, time + 1, flat + 1, 1),
                      cliff = sw_kwn_find_peak(4, time, step, 1);
    assert_true(plateau.record == 0 && !plateau.fitted && plateau.time == 149 && plateau.from == 0);
    assert_true(cliff.record == 1 && !cliff.fitted && cliff.from == 100 && cliff.to == 149.001);
    CHECK_CLOSE(sw_kwn_at_peak(&cliff, step, 1), 2, 0);
    assert_true(isinf(sw_kwn_find_peak(2, time, flat, 1).to));
}

static char heard[400];
static void hear(void *context, sw_notice notice, const char *text)
{
    (void)context, (void)notice;
    snprintf(heard, sizeof heard, "%s", text);
}

/* Errors of 0 are of runs in which no phase is looked at. */
static void what_nothing_formed_says(void **state)
{
    (void)state;
    sw_kwn_setup setup = {.options = {.axis.classes = 448, .control.tolerance = 1e-3},
                          .resolution = {.points = 1}};
    sw_listen(hear, NULL);
    sw_kwn_resolution_tell(&setup, 0.01);
    assert_non_null(strstr(heard, "no phase is ever more than 1e-09 of the volume"));
    assert_null(strstr(heard, "0 %"));
    setup.resolution.number = 0.002;
    sw_kwn_resolution_tell(&setup, 0.01);
    assert_non_null(strstr(heard, "number is off by an estimated 0.2 %"));
    heard[0] = '\0';
    sw_kwn_resolution_tell(&setup, 0); /* kept blocks were looked at, this run does not */
    assert_string_equal(heard, "");
    setup.resolution = (sw_kwn_resolution){4, INFINITY, 0, 0, 3};
    sw_kwn_resolution_tell(&setup, 0.01);
    assert_non_null(strstr(heard, "at point 3 or beside it: how far classes and steps are off is not known"));
    sw_listen(NULL, NULL);
}

/* What is no number is no small change. */
static void no_numbers_are_no_estimate(void **state)
{
    (void)state;
    static double record[SW_KWN_COARSER + 1][400];
    const sw_kwn_alloy alloy = {.n_phases = 1, .n_solutes = 1};
    const double *const coarser[SW_KWN_COARSER] = {record[1], record[2]};
    for (int k = 0; k <= SW_KWN_COARSER; k++)
        for (int i = 0; i < 400; i++)
            record[k][i] = 1;
    sw_kwn_resolution of = sw_kwn_judge_point(&alloy, 1, record[0], coarser);
    assert_true(sw_kwn_resolution_error(&of) == 0);
    record[1][sw_kwn_record_place(&alloy, "mean_radius")] = NAN;
    of = sw_kwn_judge_point(&alloy, 1, record[0], coarser);
    assert_true(isinf(of.radius) && isinf(sw_kwn_resolution_error(&of)));
}

/* Levels by second order, within the bounds of keys, and what is beyond them. */
static void remedies_are_to_be_had(void **state)
{
    (void)state;
    static const struct {
        int64_t classes;
        double tolerance, step, error, accuracy;
        const char *text;
    } cases[] = {
        {448, 1e-3, 0, 0.018, 0.01, "need at least size_axis: classes: 896 and tolerance: 0.00025"},
        {448, 1e-3, 0, 0.018, 1e-3, "need at least size_axis: classes: 3584 and tolerance: 1.56e-05"},
        {7168, 3.90625e-6, 0, 2e-3, 1e-3, "need at least size_axis: classes: 14336 and tolerance: 1e-06"},
        {448, 1e-3, 0, 0.0091, 1e-9,
         "that is not to be had: size_axis: classes: 14336 and tolerance: 1e-06, next to the bounds of these "
         "keys, would be off by 0.0009 % or more"},
        {448, 1e-6, 0, 0.01, 1e-3,
         "that is not to be had: size_axis: classes: 448 and tolerance: 1e-06, next to the bounds of these "
         "keys, would be off by 1 % or more"},
        {131072, 1e-3, 8, 0.01, 1e-3,
         "that is not to be had: size_axis: classes: 262144 and fixed_step: 4, next to the bounds of these "
         "keys, would be off by 0.2 % or more"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const sw_kwn_options options = {
            .axis.classes = cases[k].classes,
            .control = {.tolerance = cases[k].tolerance, .fixed_step = cases[k].step}};
        char text[300];
        sw_kwn_resolution_remedy(&options, cases[k].error, cases[k].accuracy, text, sizeof text);
        assert_string_equal(text, cases[k].text);
    }
}

/* A row a time, and as many columns as names. */
static void texts_have_columns(void **state)
{
    (void)state;
    static double record[2 * C];
    const double time[2] = {0, 1.5};
    char line[4096], *names = NULL;
    FILE *file = tmpfile();
    for (int k = 0; k < 2 * C; k++)
        record[k] = k + 0.25;
    sw_kwn_csv_names(file, &alloy);
    sw_kwn_csv_rows(file, &alloy, 7, 2, time, record);
    rewind(file);
    for (int row = 0; row < 3; row++) {
        int columns = 1;
        assert_non_null(fgets(line, sizeof line, file));
        for (const char *at = line; *at != '\0'; at++)
            columns += *at == ',';
        assert_int_equal(columns, 2 + C);
        if (row == 0)
            names = strdup(line);
        if (row == 2)
            assert_true(strncmp(line, "7,1.5,30.25,", 12) == 0);
    }
    assert_null(fgets(line, sizeof line, file));
    assert_true(strncmp(names, "point,time_s,temperature_K,matrix_composition_Mg,", 49) == 0 &&
                strstr(names, ",driving_force_second_J_per_m3,") != NULL &&
                strstr(names, ",yield_stress_Pa,") != NULL);
    free(names);
    fclose(file);
}

/* ---- Tables ---- */

/* A number of its own for each place. */
static double number_of(int64_t point, int64_t time, int64_t k)
{
    return (double)(10000 * point + 100 * time + k + 1);
}

static void fill(int64_t first, int64_t count, double *record)
{
    for (int64_t i = 0; i < count * TIMES; i++)
        for (int64_t k = 0; k < C; k++)
            record[i * C + k] = number_of(first + i / TIMES, i % TIMES, k);
}

static void check_table(hid_t file, const char *group)
{
    int64_t place = 0;
    for (int q = 0; q < SW_KWN_QUANTITIES; place += table[q++].width) {
        const int64_t shape[3] = {POINTS, TIMES, table[q].width};
        double value[POINTS * TIMES * 3];
        char name[96], *unit;
        snprintf(name, sizeof name, "%s/%s", group, table[q].name);
        CHECK_OK(sw_h5_read(file, name, H5T_NATIVE_DOUBLE, table[q].width == 1 ? 2 : 3, shape, value));
        for (int64_t i = 0; i < POINTS * TIMES; i++)
            for (int w = 0; w < table[q].width; w++)
                CHECK_CLOSE(value[i * table[q].width + w], number_of(i / TIMES, i % TIMES, place + w), 0);
        hid_t set;
        CHECK_OK(sw_h5_open_set(file, name, &set));
        CHECK_OK(sw_h5_read_text(set, "unit", &unit));
        assert_string_equal(unit, table[q].unit);
        free(unit);
        CHECK_OK(sw_h5_close_set(set));
    }
}

/* Written in two pieces, copied row by row into others of the same shape; all records of each point come back. */
static void tables_keep_every_number(void **state)
{
    (void)state;
    sw_h5_output output;
    sw_kwn_tables tables, copies, again;
    static double record[POINTS * TIMES * C];
    double all[TIMES * C + 1];
    uint64_t digest[2], other;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_kwn_tables_create(output.file, "points", &alloy, POINTS, TIMES, &tables));
    CHECK_OK(sw_kwn_tables_create(output.file, "copies", &alloy, POINTS, TIMES, &copies));
    fill(2, 3, record);
    CHECK_OK(sw_kwn_tables_write(&tables, &alloy, 2, 3, record));
    fill(0, 2, record);
    CHECK_OK(sw_kwn_tables_write(&tables, &alloy, 0, 2, record));
    check_table(output.file, "points");
    CHECK_OK(sw_kwn_tables_digest(&tables, 1, 3, &digest[0]));
    CHECK_OK(sw_kwn_tables_digest(&copies, 1, 3, &digest[1]));
    assert_true(digest[0] != digest[1]);
    CHECK_OK(sw_kwn_tables_copy(&tables, &copies, 1, 3));
    CHECK_OK(sw_kwn_tables_digest(&copies, 1, 3, &digest[1]));
    assert_true(digest[0] == digest[1]);
    CHECK_OK(sw_kwn_tables_copy(&tables, &copies, 0, 1));
    CHECK_OK(sw_kwn_tables_copy(&tables, &copies, 4, 1));
    check_table(output.file, "copies");
    /* any number of any table changes the digest */
    for (int k = 0; k < C; k++) {
        fill(3, 1, record);
        record[C + k] += 0.5;
        CHECK_OK(sw_kwn_tables_write(&copies, &alloy, 3, 1, record));
        CHECK_OK(sw_kwn_tables_digest(&copies, 1, 3, &other));
        assert_true(other != digest[0]);
    }
    CHECK_OK(sw_kwn_tables_close(&copies));
    CHECK_OK(sw_kwn_tables_close(&tables));
    CHECK_OK(sw_kwn_tables_open(output.file, "points", TIMES, &again));
    for (int64_t point = 0; point < POINTS; point++) {
        all[TIMES * C] = 123;
        CHECK_OK(sw_kwn_tables_read_point(&again, &alloy, point, all));
        for (int t = 0; t < TIMES; t++)
            for (int k = 0; k < C; k++)
                CHECK_CLOSE(all[t * C + k], number_of(point, t, k), 0);
        CHECK_CLOSE(all[TIMES * C], 123, 0);
    }
    CHECK_OK(sw_kwn_tables_close(&again));
    CHECK_OK(sw_kwn_tables_close(&again)); /* nothing is open: nothing to do */
    again = sw_kwn_no_tables();
    CHECK_OK(sw_kwn_tables_close(&again));
    sw_h5_abandon(&output);
}

/* ---- Texts and numbers beside them ---- */

static void check_text(hid_t group, const char *name, const char *expected)
{
    char *text;
    CHECK_OK(sw_h5_read_text(group, name, &text));
    assert_string_equal(text, expected);
    free(text);
}

static void alloys_are_named(void **state)
{
    (void)state;
    const sw_kwn_setup setup = {.model = alloy, .alloy_text = "the text"};
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_kwn_write_alloy(output.file, &setup));
    const hid_t group = H5Gopen2(output.file, "alloy", H5P_DEFAULT);
    check_text(group, "name", "three in two");
    check_text(group, "file", "the text");
    check_text(group, "solutes", "Mg,Si,Cu");
    check_text(group, "phases", "first,second");
    H5Gclose(group);
    sw_h5_abandon(&output);
}

static void ageing_is_written(void **state)
{
    (void)state;
    const sw_kwn_state from = {"aged.h5", 3600, 2};
    const sw_kwn_slip_resistance s = {1e6, 2e6, 3e6, 6e6, 3.06};
    sw_material material = copper();
    material.slip.initial_slip_resistance = 6e6;
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"kwn_time", 3600},
                   {"kwn_point", 2},
                   {"lattice", 1e6},
                   {"solid_solution", 2e6},
                   {"particles", 3e6},
                   {"taylor_factor", 3.06},
                   {"initial_slip_resistance", 6e6},
                   {"initial_hardening_rate", 180e6},
                   {"saturation_resistance", 148e6}};
    sw_h5_output output;
    char text[400];
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_kwn_write_ageing(output.file, &from, &s, &material));
    const hid_t group = H5Gopen2(output.file, "ageing", H5P_DEFAULT);
    check_text(group, "kwn_file", "aged.h5");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value;
        CHECK_OK(sw_h5_read_numbers(group, numbers[i].name, 1, &value));
        CHECK_CLOSE(value, numbers[i].value, 0);
    }
    H5Gclose(group);
    sw_h5_abandon(&output);
    sw_kwn_describe_ageing(&from, &s, &material, text, sizeof text);
    assert_string_equal(text, "aged.h5, point 2 at 3600 s: s0 = 6 MPa (lattice 1, solutes 2, particles 3), "
                              "saturation at 148 MPa");
}

/* Parts that add up to more than the whole are no strength; with nothing left for the lattice they may be. */
static void stresses_have_to_add_up(void **state)
{
    (void)state;
    static const char *const names[4] = {"yield_stress", "solid_solution_stress", "particle_stress",
                                         "slip_resistance"};
    static const struct {
        double number[4];
        sw_status status;
    } cases[] = {{{100e6, 40e6, 60e6, 30e6}, SW_OK},           {{100e6, 40e6, 61e6, 30e6}, SW_ERR_FORMAT},
                 {{100e6, 61e6, 40e6, 30e6}, SW_ERR_FORMAT},   {{100e6, 40e6, 30e6, 101e6}, SW_ERR_FORMAT},
                 {{100e6, -1, 60e6, 30e6}, SW_ERR_FORMAT},     {{100e6, 40e6, -1, 30e6}, SW_ERR_FORMAT},
                 {{100e6, 40e6, 60e6, 0}, SW_ERR_FORMAT},      {{100e6, 0, 0, 100e6}, SW_OK},
                 {{INFINITY, 40e6, 60e6, 30e6}, SW_ERR_FORMAT}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double time = 7;
        const sw_kwn_state at = {path, 7, 0};
        sw_h5_output output;
        sw_kwn_slip_resistance s;
        const char *fault;
        CHECK_OK(sw_h5_begin(path, &output));
        CHECK_OK(sw_h5_write_text(output.file, "format", "slipwave-kwn"));
        CHECK_OK(sw_h5_write(output.file, "history/time", H5T_NATIVE_DOUBLE, 1, (int64_t[]){1}, &time));
        for (int i = 0; i < 4; i++) {
            char set[64];
            snprintf(set, sizeof set, "points/%s", names[i]);
            CHECK_OK(
                sw_h5_write(output.file, set, H5T_NATIVE_DOUBLE, 2, (int64_t[]){1, 1}, &cases[c].number[i]));
        }
        CHECK_OK(sw_h5_commit(&output));
        if (sw_kwn_read_slip_resistance(&at, &fault, &s) != cases[c].status)
            fail_msg("case %zu: need status %d", c, (int)cases[c].status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_hold_what_the_point_holds),
        cmocka_unit_test(peaks_are_told),
        cmocka_unit_test(remedies_are_to_be_had),
        cmocka_unit_test(no_numbers_are_no_estimate),
        cmocka_unit_test(what_nothing_formed_says),
        cmocka_unit_test(texts_have_columns),
        cmocka_unit_test(tables_keep_every_number),
        cmocka_unit_test(alloys_are_named),
        cmocka_unit_test(ageing_is_written),
        cmocka_unit_test(stresses_have_to_add_up),
    };
    return cmocka_run_group_tests(tests, make_folder, clear);
}
