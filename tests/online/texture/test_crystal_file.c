/* Orientation files: round trips, small files of each format, and every way a row can be bad. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "online/texture/crystal_file.h"
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

/* Read a file of this text; its crystals must be the expected ones (degrees) to round-off. */
static void expect(const char *name, const char *text, int64_t n_expected, const double (*degrees)[3],
                   int64_t n_skipped)
{
    int64_t count, skipped;
    double(*euler)[3];
    sw_status status = sw_crystal_file_read(put(name, text, strlen(text)), &count, &euler, &skipped);
    if (status != SW_OK)
        fail_msg("%s", sw_error_message());
    assert_int_equal(count, n_expected);
    assert_int_equal(skipped, n_skipped);
    for (int64_t n = 0; n < count; n++)
        for (int i = 0; i < 3; i++)
            assert_true(fabs(euler[n][i] - degrees[n][i] * DEGREE) <= 1e-14);
    free(euler);
}

static const double two[2][3] = {{10, 20.5, 30}, {359.25, 0, 1e-3}};

static void test_small_files(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int64_t skipped;
    } file[] = {
        {"plain.ori", "10 20.5 30\n359.25 0 0.001\n", 0},
        {"windows.ORI", "# made elsewhere\r\n\r\n10\t20.5 30   \r\n  359.25 0 1e-3 # last\r\n \t\r\n", 0},
        {"weighted.ori", "10 20.5 30 2.0\n359.25 0 .001 2\n", 0},
        {"unfinished.ori", "10 20.5 30\n359.25 0 0.001", 0},
        {"plain.tex", "title\n# any text\n\nB 2\n10 20.5 30 1\n359.25 0 0.001 1.0\n", 0},
        {"windows.tex", "a\r\nb\r\nc\r\n B   2\r\n10 20.5 30 .5\r\n359.25 0 0.001 0.5\r\n\r\n", 0},
        {"plain.ctf",
         "Channel Text File\nPhases\t1\nPhase\tX\tY\tBands\tError\tEuler1\tEuler2\tEuler3\tMAD\n"
         "1\t0\t0\t8\t0\t10\t20.5\t30\t0.5\n0\t1\t0\t0\t3\t0\t0\t0\t0\n2\t2\t0\t8\t0\t359.25\t0\t0.001\t1\n",
         1},
        {"comma.ctf",
         "Channel Text File\r\nPhases\t1\r\nPhase\tEuler3\tEuler2\tEuler1\r\n"
         "1\t30,0\t20,5\t10,0\r\n1\t0,001\t0\t359,25\r\n",
         0},
    };
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        expect(file[i].name, file[i].text, 2, two, file[i].skipped);
}

static void test_ang_is_in_radians(void **state)
{
    (void)state;
    const double degrees[1][3] = {{90, 45, 180}};
    expect("scan.ang",
           "# GRID: SqrGrid\n#\n"
           " 1.5707963267948966 0.78539816339744831 3.1415926535897932 0 0 1200.5 0.91 1 1 0.5\n"
           " 12.56637 12.56637 12.56637 0.5 0 80 -1.000 0 1 180\n",
           1, degrees, 1);
}

static void test_skipped_may_be_null(void **state)
{
    (void)state;
    int64_t count;
    double(*euler)[3];
    assert_int_equal(sw_crystal_file_read(put("a.ori", "1 2 3\n", 6), &count, &euler, NULL), SW_OK);
    free(euler);
}

static void test_bad_rows_are_named(void **state)
{
    (void)state;
#define CTF "Channel Text File\nPhases\t1\nPhase\tX\tEuler1\tEuler2\tEuler3\n"
    static const struct {
        const char *name, *text, *place, *quoted; /* both must be in the message */
    } file[] = {
        {"few.ori", "1 2 3\n4 5\n", "few.ori:2: ", "4 5"},
        {"many.ori", "1 2 3 1 9\n", "many.ori:1: ", "1 2 3 1 9"},
        {"word.ori", "1 2 3\n\n# remark\n1 two 3\n", "word.ori:4: ", "two"},
        {"tail.ori", "1 2 3x\n", "tail.ori:1: ", "3x"},
        {"nan.ori", "1 nan 3\n", "nan.ori:1: ", "nan"},
        {"infinite.ori", "1 inf 3\n", "infinite.ori:1: ", "inf"},
        {"overflow.ori", "1 1e999 3\n", "overflow.ori:1: ", "1e999"},
        {"hexadecimal.ori", "0x10 2 3\n", "hexadecimal.ori:1: ", "0x10"},
        {"comma.ori", "1,5 2 3\n", "comma.ori:1: ", "1,5"},
        {"weights.ori", "1 2 3 1\n1 2 3 2\n", "weights.ori:2: ", "weight"},
        {"half.ori", "1 2 3 1\n1 2 3\n", "half.ori:2: ", "weight"},
        {"half2.ori", "1 2 3\n1 2 3 1\n", "half2.ori:2: ", "weight"},
        {"negative.ori", "1 2 3 -1\n", "negative.ori:1: ", "weight > 0"},
        {"empty.ori", "", "empty.ori: ", "no crystal"},
        {"remarks.ori", "# nothing\n\n", "remarks.ori: ", "no crystal"},
        {"short.tex", "a\nb\nc\n", "short.tex: ", "B N"},
        {"roe.tex", "a\nb\nc\nR 1\n1 2 3 1\n", "roe.tex:4: ", "Bunge"},
        {"none.tex", "a\nb\nc\nB 0\n", "none.tex:4: ", "B 0"},
        {"number.tex", "a\nb\nc\nB x\n", "number.tex:4: ", "B x"},
        {"fewer.tex", "a\nb\nc\nB 2\n1 2 3 1\n", "fewer.tex:5: ", "announces 2"},
        {"more.tex", "a\nb\nc\nB 1\n1 2 3 1\n4 5 6 1\n", "more.tex:6: ", "4 5 6"},
        {"bare.tex", "a\nb\nc\nB 1\n1 2 3\n", "bare.tex:5: ", "weight"},
        {"unequal.tex", "a\nb\nc\nB 2\n1 2 3 1\n1 2 3 1.5\n", "unequal.tex:6: ", "weight"},
        {"few.ang", "# h\n1 2 3 0 0 100\n", "few.ang:2: ", "seven"},
        {"word.ang", "1 2 3 0 0 100 good\n", "word.ang:1: ", "good"},
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
        int64_t count = -1;
        double(*euler)[3] = NULL;
        const char *path = put(file[i].name, file[i].text, strlen(file[i].text));
        sw_status status = sw_crystal_file_read(path, &count, &euler, NULL);
        if (status != SW_ERR_INPUT || strstr(sw_error_message(), file[i].place) == NULL ||
            strstr(sw_error_message(), file[i].quoted) == NULL)
            fail_msg("%s: status %d, \"%s\"", file[i].name, status, sw_error_message());
        assert_null(euler);
        assert_int_equal(count, 0);
    }
}

static void test_binary_file_is_refused(void **state)
{
    (void)state;
    int64_t count;
    double(*euler)[3];
    const char text[] = "1 2 3\n1 \0 3\n";
    assert_int_equal(sw_crystal_file_read(put("b.ori", text, sizeof text - 1), &count, &euler, NULL),
                     SW_ERR_INPUT);
    assert_non_null(strstr(sw_error_message(), "b.ori:2: "));
}

static void test_unreadable_files(void **state)
{
    (void)state;
    int64_t count;
    double(*euler)[3];
    assert_int_equal(sw_crystal_file_read(in_folder("absent.ori"), &count, &euler, NULL), SW_ERR_IO);
    assert_non_null(strstr(sw_error_message(), "absent.ori"));
    assert_int_equal(mkdir(in_folder("folder.ori"), 0700), 0);
    assert_int_equal(sw_crystal_file_read(in_folder("folder.ori"), &count, &euler, NULL), SW_ERR_IO);
}

/* Files hold six decimals of a degree: half a unit of the last, in rad, and round-off. */
static void test_round_trips(void **state)
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
        int64_t count, skipped;
        double(*euler)[3];
        assert_int_equal(sw_crystal_file_write(in_folder(name[k]), N, (const double(*)[3])written), SW_OK);
        assert_int_equal(sw_crystal_file_read(in_folder(name[k]), &count, &euler, &skipped), SW_OK);
        assert_int_equal(count, N);
        assert_int_equal(skipped, 0);
        for (int n = 0; n < N; n++)
            for (int i = 0; i < 3; i++)
                assert_true(fabs(euler[n][i] - written[n][i]) <= tolerance);
        free(euler);
    }
    assert_int_equal(count_files(0), 2);
}

static void test_ori_states_its_convention(void **state)
{
    (void)state;
    char line[256] = "";
    const double one[1][3] = {{0, 0, 0}};
    assert_int_equal(sw_crystal_file_write(in_folder("c.ori"), 1, one), SW_OK);
    FILE *file = fopen(in_folder("c.ori"), "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(line[0], '#');
    assert_non_null(strstr(line, "Bunge"));
}

static void test_failed_writing_leaves_nothing(void **state)
{
    (void)state;
    const double good[1][3] = {{1, 2, 3}}, bad[1][3] = {{1, NAN, 3}};
    assert_int_equal(sw_crystal_file_write(in_folder("a.ori"), 1, bad), SW_ERR_RANGE);
    assert_int_equal(sw_crystal_file_write(in_folder("a.ori"), 0, good), SW_ERR_RANGE);
    assert_int_equal(sw_crystal_file_write(in_folder("a.ang"), 1, good), SW_ERR_INPUT);
    assert_int_equal(sw_crystal_file_write(in_folder("a.ctf"), 1, good), SW_ERR_INPUT);
    assert_int_equal(sw_crystal_file_write(in_folder("a"), 1, good), SW_ERR_INPUT);
    assert_int_equal(sw_crystal_file_write(in_folder("none/a.ori"), 1, good), SW_ERR_IO);
    assert_int_equal(count_files(0), 0);

    /* A folder of that name: the rename fails, after all was written. */
    assert_int_equal(mkdir(in_folder("d.ori"), 0700), 0);
    assert_int_equal(sw_crystal_file_write(in_folder("d.ori"), 1, good), SW_ERR_IO);
    assert_int_equal(count_files(0), 1);

    /* An older file survives a failure. */
    assert_int_equal(sw_crystal_file_write(in_folder("e.ori"), 1, good), SW_OK);
    assert_int_equal(sw_crystal_file_write(in_folder("e.ori"), 1, bad), SW_ERR_RANGE);
    assert_int_equal(access(in_folder("e.ori"), R_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_small_files),
        TEST(test_ang_is_in_radians),
        TEST(test_skipped_may_be_null),
        TEST(test_bad_rows_are_named),
        TEST(test_binary_file_is_refused),
        TEST(test_unreadable_files),
        TEST(test_round_trips),
        TEST(test_ori_states_its_convention),
        TEST(test_failed_writing_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
