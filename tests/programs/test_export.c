/* `slipwave export`, and what of crystal files jobs ask for: formats there and back, resampling, grains, components. */
#include "programs.h"

#include "tests/online/texture/crystal_files.h"
#include "common/math/random.h"
#include "online/texture/crystal_draw.h"

#define DEGREE (SW_PI / 180)
#define EXPORT "slipwave export -q "

/* 1,000 grains of a rolled sheet: Copper, S, Brass and some at random, of volumes that differ by a hundred and more. */
enum { GRAINS = 1000 };

static void write_sheet(void)
{
    const sw_ideal ideal[] = {{.name = "Copper", .fraction = 0.25, .halfwidth = 8},
                              {.name = "S", .fraction = 0.35, .halfwidth = 8},
                              {.name = "Brass", .fraction = 0.15, .halfwidth = 8}};
    static double euler[GRAINS][3];
    static float weight[GRAINS];
    CHECK_OK(sw_crystals_about_ideals(&sw_lattice_fcc, NAN, NAN, 3, ideal, GRAINS, 4, euler));
    for (int n = 0; n < GRAINS; n++) {
        double u[4];
        sw_random_uniform4(9, (uint64_t)n, 0, u);
        weight[n] = (float)exp(sqrt(-2 * log(u[0])) * cos(2 * SW_PI * u[1]));
    }
    CHECK_OK(write_crystal_file("sheet.tex", GRAINS, (const double(*)[3])euler, weight));
}

static void command_well(const char *command)
{
    result r;
    run(command, &r);
    if (r.status != 0)
        fail_msg("%s: exit status %d, stderr '%s'", command, r.status, r.err);
}

static void assert_same_files(const char *a, const char *b)
{
    size_t size[2];
    char *bytes[2] = {read_bytes(a, &size[0]), read_bytes(b, &size[1])};
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

/* ---- Formats ---- */

/* Angles of two lists agree to `digit`, rad, but for whole turns; weights to single precision. */
static void compare_lists(const sw_crystal_list *a, const sw_crystal_list *b, double digit)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->weight != NULL, b->weight != NULL);
    for (int64_t n = 0; n < a->count; n++) {
        double g[3][3], h[3][3];
        sw_rotation_from_euler(a->euler[n], g);
        sw_rotation_from_euler(b->euler[n], h);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(g[i / 3][i % 3], h[i / 3][i % 3], 3 * digit);
        if (a->weight != NULL)
            CHECK_CLOSE(a->weight[n], b->weight[n], 3e-7 * a->weight[n]);
    }
}

/* What a run left, in each format, read back: the run's to the format's digits; and written again, the same bytes. */
static void formats_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *suffix;
        double digit; /* half its last, rad; results' angles are of single precision, which adds 2.4e-7 */
        int unweighted;
    } format[] = {{"ori", 1e-8, 0}, {"tex", 1e-8, 0}, {"txt", 1e-8, 0},
                  {"ctf", 1e-8, 1}, {"ang", 5e-8, 1}, {"yaml", 2e-9, 0}};
    write_sheet();
    command_well(TAYLOR "job.yaml --solver grid --crystals-file sheet.tex");
    command_well(TAYLOR "job.yaml --solver grid --crystals-file sheet.tex --resample 1500 -o even.h5");
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        for (int even = format[i].unweighted; even < 2; even++) {
            char command[300], first[32], second[32];
            const char *from = even ? "even.h5" : "out.h5";
            sw_crystal_list run_list, list;
            snprintf(first, sizeof first, "a.%s", format[i].suffix);
            snprintf(second, sizeof second, "b.%s", format[i].suffix);
            snprintf(command, sizeof command, EXPORT "%s --step last -o %s", from, first);
            command_well(command);
            CHECK_OK(read_crystal_file(from, NULL, &run_list));
            CHECK_OK(read_crystal_file(first, NULL, &list));
            assert_int_equal(list.count, even ? 1500 : GRAINS);
            compare_lists(&run_list, &list, format[i].digit);
            sw_crystal_list_free(&run_list);
            sw_crystal_list_free(&list);
            snprintf(command, sizeof command, EXPORT "%s -o %s --name %s", first, second, "copper");
            command_well(command);
            snprintf(command, sizeof command, EXPORT "%s -o %s --name %s", second, first, "copper");
            command_well(command);
            assert_same_files(first, second);
        }
    static const char *const part[] = {"a.ang: a file .ang has no weights", "resampling"};
    unlink("a.ang");
    assert_refused(EXPORT "out.h5 -o a.ang", 2, part);
}

static void assert_file_has(const char *path, const char *part)
{
    size_t size;
    char *text = read_bytes(path, &size);
    if (memmem(text, size, part, strlen(part)) == NULL)
        fail_msg("%s lacks '%s'", path, part);
    free(text);
}

/* From a file that says body-centred to each that says it, and back; one that does not say is told. */
static void the_lattice_is_kept(void **state)
{
    (void)state;
    static const char iron[] = "phase: {Iron: {lattice: cI}}\n"
                               "material: [{constituents: [{phase: Iron, v: 1, O: [1, 0, 0, 0]}]}]\n";
    static const char *const command[] = {EXPORT "iron.yaml -o iron.ctf", EXPORT "iron.ctf -o again.yaml",
                                          EXPORT "iron.yaml -o iron.ori"};
    result r;
    write_text("iron.yaml", iron);
    for (int i = 0; i < 3; i++) {
        run(command[i], &r);
        assert_int_equal(r.status, 0);
        assert_string_equal(r.err, "");
    }
    assert_file_has("iron.ctf", "\t11\t229\t");
    assert_file_has("again.yaml", "{lattice: cI}");
    run("slipwave export iron.ori -o again.yaml", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(
        strstr(r.err, "again.yaml: face-centred (cF) is written of crystals whose lattice is not said"));
    assert_file_has("again.yaml", "{lattice: cF}");
    run("slipwave export iron.ori -o iron.ctf", &r);
    assert_non_null(strstr(r.err, "space group 225"));
    run("slipwave export iron.ori -o two\nlines.ori", &r);
    assert_non_null(strstr(r.out, "two\\nlines.ori: 1 crystals of iron.ori"));
}

static void a_step_is_chosen(void **state)
{
    (void)state;
    sw_crystal_list first, given;
    write_sheet();
    command_well(TAYLOR "job.yaml --solver grid --crystals-file sheet.tex");
    command_well(EXPORT "out.h5 --step 0 -o first.ori");
    CHECK_OK(read_crystal_file("first.ori", NULL, &first));
    CHECK_OK(read_crystal_file("sheet.tex", NULL, &given));
    compare_lists(&given, &first, 2.5e-7);
    sw_crystal_list_free(&first);
    sw_crystal_list_free(&given);
    command_well(EXPORT "out.h5 --step 4 -o last.ori");
    command_well(EXPORT "out.h5 -o default.ori");
    assert_same_files("last.ori", "default.ori");
    static const char *const absent[] = {"out.h5: holds no orientations of step 3"};
    assert_refused(EXPORT "out.h5 --step 3 -o x.ori", 1, absent);
    static const char *const word[] = {"step = first: need a step >= 0, or last"};
    assert_refused(EXPORT "out.h5 --step first -o x.ori", 1, word);
    static const char *const none[] = {"step = 3: need one of its 1 blocks"};
    assert_refused(EXPORT "sheet.tex --step 3 -o x.ori", 1, none);
    static const char *const suffix[] = {"x.csv: need the suffix .ori, .tex, .txt, .ang, .ctf or .yaml"};
    assert_refused(EXPORT "sheet.tex -o x.csv", 1, suffix);
    static const char *const same[] = {"--output = sheet.tex: is the file that is read"};
    assert_refused(EXPORT "sheet.tex -o sheet.tex", 1, same);
    static const char *const seed[] = {"--seed = 3: need --resample"};
    assert_refused(EXPORT "sheet.tex -o x.ori --seed 3", 1, seed);
}

/* ---- Resampling ---- */

static void read_curve(const char *path, double stress[STEPS + 1][9])
{
    const int64_t shape[3] = {STEPS + 1, 3, 3};
    hid_t file = open_results(path);
    CHECK_OK(sw_h5_read(file, "history/cauchy_stress", H5T_NATIVE_DOUBLE, 3, shape, stress));
    H5Fclose(file);
}

/* The largest difference of a component over the largest stress. */
static double difference(double a[STEPS + 1][9], double b[STEPS + 1][9])
{
    double most = 0, largest = 0;
    for (int n = 0; n <= STEPS; n++)
        for (int i = 0; i < 9; i++) {
            most = greatest(most, fabs(a[n][i] - b[n][i]));
            largest = greatest(largest, fabs(b[n][i]));
        }
    return most / largest;
}

/* A sheet with weights and its resampling give one curve, to 0.2 %; without its weights it is another. */
static void resampling_keeps_the_curve(void **state)
{
    (void)state;
    double weighted[STEPS + 1][9], drawn[STEPS + 1][9], alike[STEPS + 1][9];
    result r;
    write_sheet();
    command_well(TAYLOR "job.yaml --solver grid --crystals-file sheet.tex");
    read_curve("out.h5", weighted);
    run("slipwave taylor job.yaml --solver grid --crystals-file sheet.tex --resample 20000 --seed 5 -o "
        "even.h5",
        &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(
        r.err, "sheet.tex: 20000 crystals of equal weight for 1000 with weights: densities differ by "));
    read_curve("even.h5", drawn);
    assert_true(difference(drawn, weighted) <= 2e-3);
    hid_t file = open_results("even.h5");
    assert_int_equal(sw_h5_exists(file, "orientations/weight"), 0);
    assert_true(run_number(file, "crystals") == 20000);
    assert_true(run_number(file, "crystals_resampled") == 20000);
    assert_true(run_number(file, "seed") == 5);
    const double error = run_number(file, "resampling_error");
    assert_true(error > 0 && error < 0.02);
    H5Fclose(file);
    sw_crystal_list sheet;
    CHECK_OK(read_crystal_file("sheet.tex", NULL, &sheet));
    CHECK_OK(write_crystal_file("alike.tex", GRAINS, (const double(*)[3])sheet.euler, NULL));
    sw_crystal_list_free(&sheet);
    command_well(TAYLOR "job.yaml --solver grid --crystals-file alike.tex");
    read_curve("out.h5", alike);
    assert_true(difference(alike, weighted) > 2e-3);
}

/* ---- Scans ---- */

/* Two phases in stripes of 3 columns, each of two orientations a stripe. */
static void write_map(void)
{
    FILE *file = fopen("map.ctf", "w");
    assert_non_null(file);
    fputs("Channel Text "
          "File\nPhases\t2\n2.9;2.9;2.9\t90;90;90\tFerrite\t11\t229\n3.6;3.6;3.6\t90;90;"
          "90\tAustenite\t11\t225\n"
          "Phase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\tBC\tBS\n",
          file);
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 12; x++)
            fprintf(file, "%d\t%d\t%d\t8\t0\t%d\t30\t%d\t0.5\t0\t0\n", 1 + x / 3 % 2, x, y,
                    20 + 30 * (y >= 2), 10 + x / 3);
    assert_int_equal(fclose(file), 0);
}

static void phases_and_grains_of_a_scan(void **state)
{
    (void)state;
    static const char *const phases[] = {
        "map.ctf: several phases: need crystals.phase, the name or number of one of 1 "
        "Ferrite (36 rows), 2 Austenite (36 rows)"};
    static const char *const commands[] = {EXPORT "map.ctf -o x.tex --grain-angle 5",
                                           TAYLOR "job.yaml --solver grid --crystals-file map.ctf"};
    static const char *const none[] = {"map.ctf: no phase 'Cementite'"};
    static const char *const ways[] = {"Austenite", "austenite", "2"};
    sw_crystal_list list;
    write_map();
    for (int i = 0; i < 2; i++)
        assert_refused(commands[i], 1, phases);
    assert_refused(EXPORT "map.ctf -o x.tex --phase Cementite", 1, none);
    for (int i = 0; i < 3; i++) {
        char command[200];
        snprintf(command, sizeof command, EXPORT "map.ctf -o x.tex --grain-angle 5 --phase %s", ways[i]);
        command_well(command);
        /* two stripes, of 6 and 12 points each; stripes of a phase do not touch */
        CHECK_OK(read_crystal_file("x.tex", NULL, &list));
        assert_int_equal(list.count, 4);
        for (int n = 0; n < 4; n++)
            CHECK_CLOSE(list.weight[n], n % 4 < 2 ? 6 / 9.0 : 12 / 9.0, 1e-6);
        sw_crystal_list_free(&list);
    }
    command_well(EXPORT "map.ctf -o x.ctf --phase Ferrite");
    command_well(EXPORT "x.ctf -o y.ctf");
    size_t size;
    char *text = read_bytes("y.ctf", &size);
    assert_non_null(strstr(text, "\t11\t229\t")); /* body-centred, as in the map */
    free(text);
    unlink("x.ctf");
    unlink("y.ctf");
    write_edited("grains.yaml", job_text, "{count: 5, texture: random, seed: 3}",
                 "{file: map.ctf, phase: Austenite, grain_angle: 5, axes: oxford}");
    result r;
    run("slipwave taylor grains.yaml --solver grid", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "36 points are 4 grains of 5 degrees"));
    hid_t file = open_results("out.h5");
    assert_run_text(file, "crystal_phase", "2 Austenite");
    assert_true(run_number(file, "crystals") == 4);
    assert_true(run_number(file, "crystals_of_other_phases") == 36);
    H5Fclose(file);
}

/* ---- Jobs ---- */

static void components_are_in_jobs(void **state)
{
    (void)state;
    static const struct {
        const char *crystals, *part;
    } bad[] = {{"{count: 5, components: [{name: Brasss, fraction: 1}]}",
                "crystals.components[0]: name = Brasss: need one of"},
               {"{count: 5, components: [{name: Brass, fraction: 0.6}, {name: S, fraction: 0.6}]}",
                "crystals.components have fractions of 1.2 together"},
               {"{count: 5, components: [{name: Brass}]}", "crystals.components[0].fraction"},
               {"{count: 5, components: [{plane: [1, 1], direction: [1, 0, 0], fraction: 1}]}",
                "crystals.components[0].plane"},
               {"{count: 5, grain_angle: 5}", "crystals.grain_angle without crystals.file"},
               {"{count: 5, resample: 5}", "crystals.resample without crystals.file"},
               {"{file: good.ori, halfwidth: 5}", "crystals.halfwidth = 5: need resample"},
               {"{file: good.ori, axes: x z y}", "crystals.axes: axes = x z y: need edax"},
               {"{file: good.ori, components: [{name: S, fraction: 1}]}",
                "crystals.components beside crystals.file"},
               {"{file: good.ori, every: 3}", "good.ori: a file .ori has no places: need no `every`"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_edited("bad.yaml", job_text, "{count: 5, texture: random, seed: 3}", bad[i].crystals);
        assert_refused(TAYLOR "bad.yaml --solver grid", 1, &bad[i].part);
    }
    write_edited("rolled.yaml", job_text, "{count: 5, texture: random, seed: 3}",
                 "{count: 500, components: [{name: Brass, fraction: 0.5, halfwidth: 3}, {fibre: [1, 1, 1], "
                 "along: [0, 0, "
                 "1], fraction: 0.5, halfwidth: 0}]}");
    command_well(TAYLOR "rolled.yaml --solver grid");
    double fraction[13];
    const int64_t components = 13;
    hid_t file = open_results("out.h5");
    CHECK_OK(sw_h5_read(file, "texture/0/component_fraction", H5T_NATIVE_DOUBLE, 1, &components, fraction));
    H5Fclose(file);
    CHECK_CLOSE(fraction[2], 0.5, 0.002); /* {111} in the plane is 35 degrees and more from Brass */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_come_back),          cmocka_unit_test(a_step_is_chosen),
        cmocka_unit_test(resampling_keeps_the_curve), cmocka_unit_test(phases_and_grains_of_a_scan),
        cmocka_unit_test(components_are_in_jobs),     cmocka_unit_test(the_lattice_is_kept),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
