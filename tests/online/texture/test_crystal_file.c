/* Orientation files: round trips, small files of each format, and every way a row can be bad. */
#include "tests/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/online/texture/crystal_files.h"
#include "common/files/hdf5_io.h"
#include "common/math/rotation.h"

#define DEGREE (SW_PI / 180)

/* Each test has a folder of its own. */
static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/sw-crystal-XXXXXX", base ? base : P_tmpdir);
    return mkdtemp(folder) == NULL;
}

static int count_files(int delete)
{
    DIR *list = opendir(folder);
    int count = 0;
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (delete)
            remove(path);
        count++;
    }
    if (list != NULL)
        closedir(list);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    count_files(1);
    return rmdir(folder);
}

static const char *in_folder(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *put(const char *name, const char *text, size_t length)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

static sw_status read_text(const char *name, const char *text, const char *phase, sw_crystal_list *list)
{
    return read_crystal_file(put(name, text, strlen(text)), phase, list);
}

/* Read a file of this text; its crystals must be the expected ones (degrees) to round-off. */
static void expect(const char *name, const char *text, int64_t n_expected, const double (*degrees)[3],
                   int64_t n_skipped)
{
    sw_crystal_list list;
    CHECK_OK(read_text(name, text, NULL, &list));
    assert_int_equal(list.count, n_expected);
    assert_int_equal(list.skipped, n_skipped);
    assert_int_equal(list.others, 0);
    for (int64_t n = 0; n < list.count; n++)
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(list.euler[n][i], degrees[n][i] * DEGREE, 1e-14);
    free(list.euler);
}

static const double two[2][3] = {{10, 20.5, 30}, {359.25, 0, 1e-3}};

static void small_files_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int64_t skipped;
    } file[] = {
        {"plain.ori", "10 20.5 30\n359.25 0 0.001\n", 0},
        {"windows.ORI", "# made elsewhere\r\n\r\n10\t20.5 30   \r\n  359.25 0 1e-3 # last\r\n \t\r\n", 0},
        {"marked.ori",
         "\xef\xbb\xbf"
         "10 20.5 30\n359.25 0 0.001\n",
         0},
        {"weighted.ori", "10 20.5 30 2.0\n359.25 0 .001 2\n", 0},
        {"unfinished.ori", "10 20.5 30\n359.25 0 0.001", 0},
        {"marked.tex",
         "\xef\xbb\xbf"
         "title\n# any text\n\nB 2\n10 20.5 30 1\n359.25 0 0.001 1.0\n",
         0},
        {"plain.tex", "title\n# any text\n\nB 2\n10 20.5 30 1\n359.25 0 0.001 1.0\n", 0},
        {"windows.tex", "a\r\nb\r\nc\r\n B   2\r\n10 20.5 30 .5\r\n359.25 0 0.001 0.5\r\n\r\n", 0},
        {"plain.ctf",
         "Channel Text File\nPhases\t1\nPhase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\n"
         "1\t0\t0\t8\t0\t10\t20.5\t30\t0.5\n0\t1\t0\t0\t3\t0\t0\t0\t0\n1\t2\t0\t8\t0\t359.25\t0\t0.001\t1\n",
         1},
        {"marked.ctf",
         "\xef\xbb\xbf"
         "Channel Text File\nPhases\t1\nPhase\tEuler1\tEuler2\tEuler3\n"
         "1\t10\t20.5\t30\n1\t359.25\t0\t0.001\n",
         0},
        {"comma.ctf",
         "Channel Text File\r\nPhases\t1\r\nPhase\tEuler3\tEuler2\tEuler1\r\n"
         "1\t30,0\t20,5\t10,0\r\n1\t0,001\t0\t359,25\r\n",
         0},
    };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        expect(file[i].name, file[i].text, 2, two, file[i].skipped);
}

static void ang_is_in_radians(void **state)
{
    (void)state;
    const double degrees[1][3] = {{90, 45, 180}};
    expect("scan.ang",
           "# GRID: SqrGrid\n#\n"
           " 1.5707963267948966 0.78539816339744831 3.1415926535897932 0 0 1200.5 0.91 1 1 0.5\n"
           " 12.56637 12.56637 12.56637 0.5 0 80 -1.000 0 1 180\n",
           1, degrees, 1);
}

static void bad_rows_are_named(void **state)
{
    (void)state;
#define CTF "Channel Text File\nPhases\t1\nPhase\tX\tEuler1\tEuler2\tEuler3\n"
    static const struct {
        const char *name, *text, *place, *quoted; /* both must be in the message */
    } file[] = {
        {"few.ori", "1 2 3\n4 5\n", "few.ori:2: ", "4 5"},
        {"many.ori", "1 2 3 1 9 7\n", "many.ori:1: ", "1 2 3 1 9 7"},
        {"later.ori", "1 2 3 1 9\n1 2 3 1 9 7\n", "later.ori:2: ", "the last is a weight"},
        {"word.ori", "1 2 3\n\n# remark\n1 two 3\n", "word.ori:4: ", "two"},
        {"tail.ori", "1 2 3x\n", "tail.ori:1: ", "3x"},
        {"nan.ori", "1 nan 3\n", "nan.ori:1: ", "nan"},
        {"infinite.ori", "1 inf 3\n", "infinite.ori:1: ", "inf"},
        {"overflow.ori", "1 1e999 3\n", "overflow.ori:1: ", "1e999"},
        {"hexadecimal.ori", "0x10 2 3\n", "hexadecimal.ori:1: ", "0x10"},
        {"comma.ori", "1,5 2 3\n", "comma.ori:1: ", "1,5"},
        {"half.ori", "1 2 3 1\n1 2 3\n", "half.ori:2: ", "weight"},
        {"half2.ori", "1 2 3\n1 2 3 1\n", "half2.ori:2: ", "weight"},
        {"half5.ori", "1 2 3 1 1\n1 2 3 1\n", "half5.ori:2: ", "as many numbers as in the first row"},
        {"negative.ori", "1 2 3 -1\n", "negative.ori:1: ", "weight >= 0"},
        {"zero.ori", "1 2 3 1\n# remark\n4 5 6 -0.1\n",
         "zero.ori:3: ", "weight >= 0, and at most 1e30: \"4 5 6 -0.1\""},
        {"zero5.ori", "1 2 3 1 0\n",
         "zero5.ori: ", "no crystal in it (0 rows were not indexed, 1 of weight 0"},
        {"heavy.ori", "1 2 3 2e30\n", "heavy.ori:1: ", "at most 1e30"},
        {"nan4.ori", "1 2 3 nan\n", "nan4.ori:1: ", "1 2 3 nan"},
        {"left.ori", "1 2 3 x 2\n", "left.ori:1: ", "1 2 3 x 2"},
        {"empty.ori", "", "empty.ori: ", "no crystal"},
        {"remarks.ori", "# nothing\n\n", "remarks.ori: ", "no crystal"},
        {"short.tex", "a\nb\nc\n", "short.tex: ", "B N"},
        {"quaternion.tex", "a\nb\nc\nQ 1\n1 2 3 1\n", "quaternion.tex:4: ", "Bunge"},
        {"none.tex", "a\nb\nc\nB 0\n", "none.tex:4: ", "B 0"},
        {"number.tex", "a\nb\nc\nB x\n", "number.tex:4: ", "B x"},
        {"fewer.tex", "a\nb\nc\nB 2\n1 2 3 1\n", "fewer.tex:5: ", "announces 2"},
        {"bare.tex", "a\nb\nc\nB 1\n1 2 3\n", "bare.tex:5: ", "weight"},
        {"infinite.tex", "a\nb\nc\nB 1\n1 2 3 inf\n", "infinite.tex:5: ", "1 2 3 inf"},
        {"few.ang", "# h\n1 2 3 0 0 100\n", "few.ang:2: ", "seven"},
        {"word.ang", "1 2 3 0 0 100 good\n", "word.ang:1: ", "good"},
        {"degrees.ang", "90 35 45 0 0 100 1\n", "degrees.ang:1: ", "in radians; are they degrees?"},
        {"lost.ang", "1 2 3 0 0 100 -1\n", "lost.ang: ", "1 rows were not indexed"},
        {"few.ctf", CTF "1\t0\t1\t2\n", "few.ctf:4: ", "Euler"},
        {"word.ctf", CTF "1\t0\t1\t2\t-\n", "word.ctf:4: ", "Euler"},
        {"commas.ctf", CTF "1\t0\t1\t2\t1,234,5\n", "commas.ctf:4: ", "1,234,5"},
        {"phase.ctf", CTF "-1\t0\t1\t2\t3\n", "phase.ctf:4: ", "phase"},
        {"columns.ctf", "Channel Text File\nPhase\tX\tEuler1\tEuler2\n", "columns.ctf:2: ", "Euler3"},
        {"header.ctf", "Channel Text File\nPhases\t1\n", "header.ctf: ", "Phase"},
        {"grains.csv", "1 2 3\n", "grains.csv: ", "suffix"},
        {"grains", "1 2 3\n", "grains: ", "suffix"},
    };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        sw_crystal_list list;
        assert_int_equal(read_text(file[i].name, file[i].text, NULL, &list), SW_ERR_INPUT);
        assert_message_has(file[i].place);
        assert_message_has(file[i].quoted);
        assert_null(list.euler);
        assert_null(list.weight);
        assert_int_equal(list.count, 0);
    }
}

/* ---- Weights ---- */

/* Over their mean, 7 / 3, in single precision. */
static void weights_are_relative(void **state)
{
    (void)state;
    static const char *const file[][2] = {
        {"four.ori", "1 2 3 1\n4 5 6 4\n7 8 9 2\n"},
        {"five.ori", "1 2 3 9 1e-3\n4 5 6 -9 0.004\n# remark\n7 8 9 0 .002 # last\n"},
        {"large.ori", "1 2 3 1e29\n4 5 6 4e29\n7 8 9 2e29\n"},
        {"plain.tex", "a\nb\nc\nB 3\n1 2 3 1\n4 5 6 4.0\n7 8 9 2\n"},
    };
    static const double expected[3] = {3.0 / 7, 12.0 / 7, 6.0 / 7};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        sw_crystal_list list;
        CHECK_OK(read_text(file[i][0], file[i][1], NULL, &list));
        assert_int_equal(list.count, 3);
        assert_non_null(list.weight);
        for (int n = 0; n < 3; n++) {
            CHECK_CLOSE(list.weight[n], expected[n], 6e-8 * expected[n]);
            CHECK_CLOSE(list.euler[n][2], (3 + 3 * n) * DEGREE, 1e-14);
        }
        free(list.euler);
        free(list.weight);
    }
}

static void equal_weights_are_none(void **state)
{
    (void)state;
    static const char *const file[][2] = {
        {"none.ori", "1 2 3\n4 5 6\n"},           {"four.ori", "1 2 3 0.1\n4 5 6 0.10\n"},
        {"five.ori", "1 2 3 1 7\n4 5 6 2 7\n"},   {"one.ori", "1 2 3 5\n"},
        {"plain.tex", "a\nb\nc\nB 1\n1 2 3 4\n"}, {"scan.ang", "1 2 3 0 0 9 1 0\n1 2 3 0 0 8 0.5 0\n"}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        sw_crystal_list list;
        CHECK_OK(read_text(file[i][0], file[i][1], NULL, &list));
        assert_null(list.weight);
        free(list.euler);
    }
}

/* A crystal so light that nothing remains of it in single precision still has a weight. */
static void the_lightest_weigh_something(void **state)
{
    (void)state;
    sw_crystal_list list;
    CHECK_OK(read_text("light.ori", "1 2 3 1e-300\n4 5 6 1e30\n", NULL, &list));
    assert_true(list.weight[0] == 1e-30F && list.weight[1] == 2);
    free(list.euler);
    free(list.weight);
}

/* ---- Results ---- */

enum { STEPS_OF_RESULTS = 3, CRYSTALS_OF_RESULTS = 4 };
static const int steps_of_results[STEPS_OF_RESULTS] = {0, 9, 10}; /* of which the name of 9 sorts last */

static float angle_of(int step, int n, int i) { return 0.1F * (float)(step + 3 * n + i); }

static const char *put_results(const char *format, int with_orientations, const float *weight)
{
    const char *path = in_folder("run.h5");
    sw_h5_output output;
    CHECK_OK(sw_h5_begin(path, &output));
    CHECK_OK(sw_h5_write_text(output.file, "format", format));
    for (int k = 0; k < STEPS_OF_RESULTS && with_orientations; k++) {
        float euler[CRYSTALS_OF_RESULTS][3];
        char name[64];
        for (int i = 0; i < 3 * CRYSTALS_OF_RESULTS; i++)
            euler[i / 3][i % 3] = angle_of(steps_of_results[k], i / 3, i % 3);
        snprintf(name, sizeof name, "orientations/%d/euler", steps_of_results[k]);
        CHECK_OK(
            sw_h5_write(output.file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){CRYSTALS_OF_RESULTS, 3}, euler));
    }
    if (weight != NULL)
        CHECK_OK(sw_h5_write(output.file, "orientations/weight", H5T_NATIVE_FLOAT, 1,
                             (int64_t[]){CRYSTALS_OF_RESULTS}, weight));
    CHECK_OK(sw_h5_commit(&output));
    return path;
}

/* To the last bit, and of the step with the largest number. */
static void results_are_read_as_their_last_step_left_them(void **state)
{
    (void)state;
    static const float weight[CRYSTALS_OF_RESULTS] = {0.5F, 1, 2, 0.5F};
    for (int weighted = 0; weighted < 2; weighted++) {
        sw_crystal_list list;
        CHECK_OK(read_crystal_file(put_results("slipwave-taylor", 1, weighted ? weight : NULL), NULL, &list));
        assert_int_equal(list.count, CRYSTALS_OF_RESULTS);
        assert_string_equal(list.phase, "");
        for (int i = 0; i < 3 * CRYSTALS_OF_RESULTS; i++)
            assert_true(list.euler[i / 3][i % 3] == angle_of(10, i / 3, i % 3));
        if (weighted)
            assert_memory_equal(list.weight, weight, sizeof weight); /* whose mean is 1 */
        else
            assert_null(list.weight);
        free(list.euler);
        free(list.weight);
    }
}

static void results_without_crystals_are_refused(void **state)
{
    (void)state;
    static const float bad[CRYSTALS_OF_RESULTS] = {1, -1, 1, 1};
    const struct {
        const char *format, *phase, *part;
        int with_orientations;
        const float *weight;
    } cases[] = {
        {"slipwave-kwn", NULL, "need results of slipwave taylor", 1, NULL},
        {"slipwave-taylor", NULL, "has no orientations: need `orientations: last`", 0, NULL},
        {"slipwave-taylor", NULL, "weight of crystal 1 is -1: need >= 0", 1, bad},
        {"slipwave-taylor", "1", "results without `phases`: need no `phase` beside them, 1", 1, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = put_results(cases[i].format, cases[i].with_orientations, cases[i].weight);
        sw_crystal_list list;
        assert_int_equal(read_crystal_file(path, cases[i].phase, &list), SW_ERR_INPUT);
        assert_message_has("run.h5: ");
        assert_message_has(cases[i].part);
        assert_null(list.euler);
    }
}

/* ---- Phases ---- */

#define ANG_HEADER                                                                        \
    "# TEM_PIXperUM 1.0\n#\n# Phase 1\n# MaterialName  \tIron (Gamma)\n# Formula Fe\n#\n" \
    "# Phase 2\n# MaterialName \tIron (Alpha)\n# Symmetry 43\n#\n"
static const char two_ang[] = ANG_HEADER "1 1 1 0 0 100 0.9 1 1 0.5\n"
                                         "2 2 2 1 0 100 0.9 2 1 0.5\n"
                                         "0 0 0 2 0 100 -1  0 1 0.5\n"
                                         "3 1 1 3 0 100 0.8 1 1 0.5\n";
static const char two_ctf[] = "Channel Text File\nPrj\tnone\nPhases\t2\n"
                              "3.66;3.66;3.66\t90;90;90\tIron fcc\t11\t225\t\tSomeone\n"
                              "2.87;2.87;2.87\t90;90;90\tIron bcc (old)\t11\t229\n"
                              "Phase\tX\tY\tEuler1\tEuler2\tEuler3\n"
                              "1\t0\t0\t10\t20\t30\n2\t1\t0\t20\t30\t40\n0\t2\t0\t0\t0\t0\n"
                              "1\t3\t0\t30\t40\t50\n";

static void several_phases_are_refused_and_listed(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *phase, *part[3];
    } cases[] = {
        LINE("two.ang", two_ang, NULL,
             {"two.ang: several phases", "crystals.phase",
              "1 Iron (Gamma) (2 rows), 2 Iron (Alpha) (1 rows)"}),
        LINE("two.ctf", two_ctf, NULL,
             {"two.ctf: several phases", "crystals.phase", "1 Iron fcc (2 rows), 2 Iron bcc (old) (1 rows)"}),
        LINE("two.ctf", two_ctf, "3", {"two.ctf: no phase '3'", "1 Iron fcc (2 rows), 2 Iron bcc (old)"}),
        LINE("two.ang", two_ang, "Ferrite", {"no phase 'Ferrite'", "2 Iron (Alpha) (1 rows)"}),
        LINE("bare.ang", "1 1 1 0 0 9 1 1\n1 1 1 0 0 9 1 0\n", NULL,
             {"several phases", "1 (1 rows), 0 (1 rows)"}),
        LINE("half.ang", "1 1 1 0 0 9 1 0.5\n", NULL, {"half.ang:1: ", "eighth column"}),
        LINE("none.ctf", "Phases\t2\na\tb\tOne\nc\td\tTwo\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t3\n",
             "Two", {"none.ctf: no crystal in it", "1 of other phases"}),
        LINE("titanium.ctf",
             "Phases\t1\n3;3;5\t90;90;120\tTitanium\t9\t194\nPhase\tEuler1\tEuler2\tEuler3\n1\t1\t2\t3\n",
             NULL, {"titanium.ctf: phase 1 Titanium has the symmetry 9: need a cubic one"}),
        LINE("titanium.ang", "# Phase 1\n# MaterialName Titanium\n# Symmetry 62\n1 1 1 0 0 9 1 1\n", NULL,
             {"titanium.ang: phase 1 Titanium has the symmetry 62: need a cubic one"}),
        LINE("plain.ori", "10 20 30\n", "1", {"plain.ori: ", ".ori has no phases"}),
        LINE("plain.tex", "a\nb\nc\nB 1\n1 2 3 1\n", "Nickel", {".tex has no phases", "Nickel"}),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal_list list;
        assert_int_equal(read_text(cases[i].name, cases[i].text, cases[i].phase, &list), SW_ERR_INPUT);
        for (int k = 0; k < 3; k++)
            assert_message_has(cases[i].part[k]);
        assert_null(list.euler);
    }
}

/* By number, by name in any case. */
static void one_phase_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *phase, *taken;
        int64_t count, others;
        double first;
    } cases[] = {
        {"two.ang", two_ang, "1", "1 Iron (Gamma)", 2, 1, 1},
        {"two.ang", two_ang, "iron (alpha)", "2 Iron (Alpha)", 1, 2, 2},
        {"two.ctf", two_ctf, "2", "2 Iron bcc (old)", 1, 2, 20 * DEGREE},
        {"two.ctf", two_ctf, "Iron fcc", "1 Iron fcc", 2, 1, 10 * DEGREE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal_list list;
        CHECK_OK(read_text(cases[i].name, cases[i].text, cases[i].phase, &list));
        assert_int_equal(list.count, cases[i].count);
        assert_int_equal(list.others, cases[i].others);
        assert_int_equal(list.skipped, 1);
        assert_string_equal(list.phase, cases[i].taken);
        CHECK_CLOSE(list.euler[0][0], cases[i].first, 1e-14);
        free(list.euler);
    }
}

/* Phases that only the header has, and scans of one phase, whose column holds 0. */
static void one_phase_needs_no_name(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *phase, *taken;
    } cases[] = {
        {"only.ang", ANG_HEADER "1 1 1 0 0 100 0.9 2 1 0.5\n", NULL, "2 Iron (Alpha)"},
        {"zero.ang", "# Phase 1\n# MaterialName\tNickel\n1 1 1 0 0 100 0.9 0 1 0.5\n", NULL, "1 Nickel"},
        {"zero.ang", "# Phase 1\n# MaterialName\tNickel\n1 1 1 0 0 100 0.9 0 1 0.5\n", "nickel", "1 Nickel"},
        {"short.ang", "1 1 1 0 0 100 0.9\n", NULL, "0"},
        {"plain.ori", "10 20 30\n", NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal_list list;
        CHECK_OK(read_text(cases[i].name, cases[i].text, cases[i].phase, &list));
        assert_int_equal(list.count, 1);
        assert_string_equal(list.phase, cases[i].taken);
        free(list.euler);
    }
}

/* Numbers that a header may not give: beyond 2^63 the next row's would overflow. */
static void phases_of_headers_have_bounds(void **state)
{
    (void)state;
    static const char *const numbers[] = {"-1", "1000000001", "9223372036854775807", "99999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[200];
        sw_crystal_list list;
        snprintf(text, sizeof text, "# Phase %s\n# MaterialName\tNickel\n1 1 1 0 0 100 0.9 0 1 0.5\n",
                 numbers[i]);
        assert_int_equal(read_text("phase.ang", text, NULL, &list), SW_ERR_INPUT);
        assert_message_has("phase.ang:1: need a phase 0, 1, 2 ...");
    }
}

/* ---- Radians for degrees ---- */

static void count_warnings(void *context, sw_notice notice, const char *text)
{
    if (notice == SW_WARNING && strstr(text, "radians") != NULL)
        *(int *)context += 1;
}

static void degrees_like_radians_are_warned_of(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int warnings;
    } cases[] = {
        {"r.ori", "0.1 1.2 6.283\n3.1 0.2 0.3\n", 1},
        {"r.tex", "a\nb\nc\nB 1\n1 2 3 1\n", 1},
        {"d.ori", "0.1 1.2 7.1\n3.1 0.2 0.3\n", 0},
        {"d.ori", "0.1 1.2 -60\n", 0},
        {"cube.ori", "0 0 0\n", 0},
        {"r.ang", "1 2 3 0 0 9 1 0\n", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal_list list;
        int warnings = 0;
        sw_listen(count_warnings, &warnings);
        CHECK_OK(read_text(cases[i].name, cases[i].text, NULL, &list));
        sw_listen(NULL, NULL);
        assert_int_equal(warnings, cases[i].warnings);
        free(list.euler);
    }
}

static void binary_file_is_refused(void **state)
{
    (void)state;
    sw_crystal_list list;
    const char text[] = "1 2 3\n1 \0 3\n";
    assert_int_equal(read_crystal_file(put("b.ori", text, sizeof text - 1), NULL, &list), SW_ERR_INPUT);
    assert_message_has("b.ori:2: ");
}

static void unreadable_files_are_refused(void **state)
{
    (void)state;
    sw_crystal_list list;
    assert_int_equal(read_crystal_file(in_folder("absent.ori"), NULL, &list), SW_ERR_IO);
    assert_message_has("absent.ori");
    assert_int_equal(mkdir(in_folder("folder.ori"), 0700), 0);
    assert_int_equal(read_crystal_file(in_folder("folder.ori"), NULL, &list), SW_ERR_IO);
}

/* Files hold six decimals of a degree: half a unit of the last, in rad, and round-off. */
static void written_crystals_are_read_again(void **state)
{
    (void)state;
    enum { N = 5000 }; /* more than the reader's first allocation holds */
    const double tolerance = 0.5e-6 * DEGREE * (1 + 1e-6);
    static double written[N][3];
    static const char *const name[] = {"out.ori", "out.tex"};
    srand48(1);
    for (int n = 0; n < N; n++)
        for (int i = 0; i < 3; i++)
            written[n][i] = drand48() * (i == 1 ? SW_PI : 2 * SW_PI);
    for (int k = 0; k < 2; k++) {
        sw_crystal_list list;
        assert_int_equal(write_crystal_file(in_folder(name[k]), N, (const double(*)[3])written, NULL), SW_OK);
        assert_int_equal(read_crystal_file(in_folder(name[k]), NULL, &list), SW_OK);
        assert_int_equal(list.count, N);
        assert_int_equal(list.skipped, 0);
        for (int n = 0; n < N; n++)
            for (int i = 0; i < 3; i++)
                assert_true(fabs(list.euler[n][i] - written[n][i]) <= tolerance);
        free(list.euler);
    }
    assert_int_equal(count_files(0), 2);
}

/* Weights come back to round-off: they are divided by their mean again. */
static void written_weights_are_read_again(void **state)
{
    (void)state;
    enum { N = 300 };
    static double euler[N][3];
    static const char *const name[] = {"out.ori", "out.tex"};
    float weight[N];
    double sum = 0;
    srand48(2);
    for (int n = 0; n < N; n++) {
        weight[n] = (float)(0.01 + drand48());
        sum += weight[n];
    }
    for (int k = 0; k < 2; k++) {
        sw_crystal_list list;
        CHECK_OK(write_crystal_file(in_folder(name[k]), N, (const double(*)[3])euler, weight));
        CHECK_OK(read_crystal_file(in_folder(name[k]), NULL, &list));
        assert_int_equal(list.count, N);
        for (int n = 0; n < N; n++)
            CHECK_CLOSE(list.weight[n], weight[n] * N / sum, 1e-7 * list.weight[n]);
        free(list.euler);
        free(list.weight);
    }
}

static void ori_states_its_convention(void **state)
{
    (void)state;
    char line[256] = "";
    const double one[1][3] = {{0, 0, 0}};
    assert_int_equal(write_crystal_file(in_folder("c.ori"), 1, one, NULL), SW_OK);
    FILE *file = fopen(in_folder("c.ori"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(line[0], '#');
    assert_non_null(strstr(line, "Bunge"));
}

static void failed_writing_leaves_nothing(void **state)
{
    (void)state;
    const double good[1][3] = {{1, 2, 3}}, bad[1][3] = {{1, NAN, 3}};
    assert_int_equal(write_crystal_file(in_folder("a.ori"), 1, bad, NULL), SW_ERR_RANGE);
    assert_int_equal(write_crystal_file(in_folder("a.ori"), 0, good, NULL), SW_ERR_RANGE);
    assert_int_equal(write_crystal_file(in_folder("a.h5"), 1, good, NULL), SW_ERR_INPUT);
    assert_int_equal(write_crystal_file(in_folder("a"), 1, good, NULL), SW_ERR_INPUT);
    assert_int_equal(write_crystal_file(in_folder("none/a.ori"), 1, good, NULL), SW_ERR_IO);
    static const float bad_weights[] = {0, -1, NAN, INFINITY, 2e30F};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(write_crystal_file(in_folder("a.tex"), 1, good, &bad_weights[i]), SW_ERR_RANGE);
        assert_message_has("a.tex: weight of crystal 0 is ");
    }
    assert_int_equal(count_files(0), 0);

    /* A folder of that name: the rename fails, after all was written. */
    assert_int_equal(mkdir(in_folder("d.ori"), 0700), 0);
    assert_int_equal(write_crystal_file(in_folder("d.ori"), 1, good, NULL), SW_ERR_IO);
    assert_int_equal(count_files(0), 1);

    /* An older file survives a failure. */
    assert_int_equal(write_crystal_file(in_folder("e.ori"), 1, good, NULL), SW_OK);
    assert_int_equal(write_crystal_file(in_folder("e.ori"), 1, bad, NULL), SW_ERR_RANGE);
    assert_int_equal(access(in_folder("e.ori"), R_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(results_are_read_as_their_last_step_left_them),
        TEST(results_without_crystals_are_refused),
        TEST(small_files_are_read),
        TEST(ang_is_in_radians),
        TEST(bad_rows_are_named),
        TEST(weights_are_relative),
        TEST(equal_weights_are_none),
        TEST(the_lightest_weigh_something),
        TEST(several_phases_are_refused_and_listed),
        TEST(one_phase_is_taken),
        TEST(one_phase_needs_no_name),
        TEST(phases_of_headers_have_bounds),
        TEST(degrees_like_radians_are_warned_of),
        TEST(binary_file_is_refused),
        TEST(unreadable_files_are_refused),
        TEST(written_crystals_are_read_again),
        TEST(written_weights_are_read_again),
        TEST(ori_states_its_convention),
        TEST(failed_writing_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
