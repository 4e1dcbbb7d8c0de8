/* Rows of angles and weights: VPSC's textures as it and its users write them, weights of 0, and rows that are no angles. */
#include "formats.h"

#include "tests/online/texture/crystal_files.h"

#include <sys/stat.h>

static char told[1024]; /* warnings and notes of the last file */
static void keep(void *context, sw_notice notice, const char *text)
{
    (void)context;
    (void)notice;
    snprintf(told, sizeof told, "%s", text);
}

static sw_crystal_list read_and_listen(sw_crystal_filter filter)
{
    told[0] = '\0';
    sw_listen(keep, NULL);
    const sw_crystal_list list = read_with(filter);
    sw_listen(NULL, NULL);
    return list;
}

/* Crystals of angles (degrees) [n][3] in a list. */
static void check_angles(const sw_crystal_list *list, int n, const double (*degrees)[3])
{
    assert_int_equal(list->count, n);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(list->euler[k][i], degrees[k][i] * DEGREE, 1e-12);
}

/* ---- VPSC ---- */

#define ROWS "10 20 30 1\n40 50 60 3\n"

/* What VPSC8 reads as two crystals, each shape as files that it ships with have it. */
static void vpsc_takes_no_more_than_it_needs(void **state)
{
    (void)state;
    static const double two[2][3] = {{10, 20, 30}, {40, 50, 60}};
    static const struct {
        const char *suffix, *text, *part; /* of what is told; NULL: nothing */
    } cases[] = {
        {".tex", "a\nb\nc\nB 2 0\n" ROWS, NULL},
        {".tex", "a\r\nb\r\nc\r\nB\t2\t\t\r\n10\t20\t30\t1\r\n40\t50\t60\t3\r\n\x1a", NULL},
        {".tex", "a\nb\nc\nB 2\n10 20 30 1\n40 50 60 3\x1a", NULL},
        {".red", "* straight\n*\n*\nB      2\n" ROWS, NULL},
        {".FUL", "\n\n\nb 2\n10 20 30 1 0.0\n40 50 60 3 0.0\n", NULL},
        {".OUT", " \n \n \nB 2\n10. 20. 30. 0.1E-04 c//radial\n40. 50. 60. 0.3E-04 c//hoop 5\n", NULL},
        {".txt", "\n\n\nB 2\n  10.00   20.00   30.00   0.2500000\n  40.00   50.00   60.00   0.7500000\n",
         NULL},
        {".txt", "1 2 3\n1.0 1.0 1.0\n0 0 0\nB 2\n" ROWS, NULL},
        {".tex", "a\nb\nc\nB 2\n" ROWS "7 8 9 1\n1 2 3 1\n",
         "2 rows behind the 2 that \"B 2\" announces are left out"},
        {".tex", "a\nb\nc\nB 2 503\n" ROWS "7 8 9 1\n", "1 rows behind the 2"},
        {".tex", "a\nb\nc\nB 3\n10 20 30 1\n7 8 9 0.0\n40 50 60 3\n", "1 crystals of weight 0 left out"},
        {".tex", "a\nb\nc\nB 2\n1.0D+01 2.0d1 0.3D2 1\n4.0+01 .5E2 60.d0 3.D+00\n", NULL},
        {".tex", "a\nb\nc\nB 3\n3*0 0\n10 20 30 1*1\n40 50 60 2*3 7\n", "1 crystals of weight 0 left out"},
        {".tex", "a\nb\nc\nB, 2\n10, 20, 30, 1\n40 ,\t50 , 60,\n3, c//hoop\n", NULL},
        {".tex", "a\nb\nc\nB 2\n10 20\n\n30 1\n40\n50\n60\n3 as it was\n", NULL},
        {".tex", "a\nb\nc\nK 2\n100 -20 -120 1\n130 -50 -150 3\n", NULL}, /* phi1 - 90, -Phi, -phi2 - 90 */
        {".tex", "a\nb\nc\nr 2\n-80 20 120 1\n-50 50 150 3\n", NULL},     /* phi1 + 90, Phi, phi2 - 90 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(cases[i].suffix, cases[i].text);
        sw_crystal_list list = read_and_listen((sw_crystal_filter){0});
        check_angles(&list, 2, two);
        CHECK_CLOSE(list.weight[1], 1.5, 1e-6);
        if (cases[i].part == NULL)
            assert_string_equal(told, "");
        else if (strstr(told, cases[i].part) == NULL && strstr(list.about, cases[i].part) == NULL)
            fail_msg("no '%s' in '%s', '%s'", cases[i].part, told, list.about);
        sw_crystal_list_free(&list);
    }
}

static const char blocks[] =
    "TEXTURE AT STRAIN =    1.0\n 1.0 1.0 1.0 <-- axes\n 0 0 0 <-- angles\nB     2\n" ROWS
    "TEXTURE AT STRAIN =    2.0\n 1.0 1.0 1.0 <-- axes\n 0 0 0 <-- angles\nB     1\n70 80 90 1\n"
    "TEXTURE AT STRAIN =    3.0\n 1.0 1.0 1.0\n 0 0 0\nB     1\n15 25 35 1\n";

static void blocks_of_vpsc_are_steps(void **state)
{
    (void)state;
    static const double all[4][3] = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}, {15, 25, 35}};
    static const struct {
        const char *step, *about;
        int first, count;
    } cases[] = {{NULL, "block 3, the last: TEXTURE AT STRAIN =    3.0", 3, 1},
                 {"last", "block 3, the last", 3, 1},
                 {"1", "block 1, as asked for: TEXTURE AT STRAIN =    1.0", 0, 2},
                 {"2", "block 2", 2, 1},
                 {"3", "block 3", 3, 1}};
    put(".tex", blocks);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_crystal_list list = read_with((sw_crystal_filter){.step = cases[i].step});
        check_angles(&list, cases[i].count, all + cases[i].first);
        if (strstr(list.about, cases[i].about) == NULL)
            fail_msg("no '%s' in '%s'", cases[i].about, list.about);
        sw_crystal_list_free(&list);
    }
    refuse((sw_crystal_filter){.step = "4"}, "step = 4: need one of its 3 blocks, from 1 on, or last");
    refuse((sw_crystal_filter){.step = "0"}, "step = 0: need the number of a block");
    refuse((sw_crystal_filter){.step = "two"}, "step = two: need the number of a block");
    put(".tex", "a\nb\nc\nB 2\n10 20 30 1\nTEXTURE\n\n\nB 1\n1 2 3 1\n");
    refuse((sw_crystal_filter){0}, ":6: need four numbers");
    put(".tex", "a\nb\nc\nB 1\n10 20 30 1\nTEXTURE\n\n\nB 3\n1 2 3 1\n");
    refuse((sw_crystal_filter){0}, ":10: 1 crystals: the line \"B N\" announces 3");
    put(".tex", "a\nb\nc\nB 1\n10 20 30 -1\n");
    refuse((sw_crystal_filter){0}, ":5: need a weight >= 0");
}

/* Columns without weights are none that a row goes on with; commas may be decimal ones. */
static void vpsc_rows_that_others_would_read_otherwise_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *rows, *says;
    } cases[] = {{"10 20 30\n40 50 60\n10 20 30\n40 50 60\n", ":6: need four numbers"},
                 {"10 20 30\n40 50 60 1\n", "with those of the lines before there are more"},
                 {"10,5 20,5 30,5 1\n40 50 60 3\n", ":5: a comma between digits may be a decimal one"},
                 {"10,20,30,1\n40 50 60 3\n", "a comma between digits"},
                 {"10, , 30, 1\n40 50 60 3\n", "need four numbers"},
                 {"10 20 2* 1\n40 50 60 3\n", "need four numbers"},
                 {"10 20 0*30 1\n40 50 60 3\n", "need four numbers"},
                 {"10 20 30 1D\n40 50 60 3\n", "need four numbers"},
                 {"10 20 30 1-2-3\n40 50 60 3\n", "need four numbers"},
                 {"10 20 30 /\n40 50 60 3\n", "need four numbers"},
                 {"10 20 30 1\n40 50 60\n", ":6: ends within a row"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "a\nb\nc\nB 2\n%s", cases[i].rows);
        put(".tex", text);
        refuse((sw_crystal_filter){0}, cases[i].says);
    }
}

/* TEX_PH1.OUT, and TEX_PH2 with whatever stands behind, in any folder; other names go by their suffix. */
static void vpsc_s_own_names_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int is_read;
    } names[] = {{"TEX_PH1.OUT", 1}, {"tex_ph2.t1", 1}, {"TEX_PH1", 1}, {"a.tex_ph", 0}, {"ph1.t1", 0}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char folder[300];
        sw_crystal_list list;
        put("", blocks);
        snprintf(folder, sizeof folder, "%s", path);
        assert_int_equal(unlink(folder), 0);
        assert_int_equal(mkdir(folder, 0700), 0);
        snprintf(path, sizeof path, "%.200s/%s", folder, names[i].name);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(blocks, file);
        assert_int_equal(fclose(file), 0);
        const sw_status status = read_crystal_file(path, NULL, &list);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(rmdir(folder), 0);
        path[0] = '\0';
        assert_int_equal(status, names[i].is_read ? SW_OK : SW_ERR_INPUT);
        sw_crystal_list_free(&list);
    }
}

/* ---- Weights of 0 ---- */

static void crystals_of_weight_0_are_left_out(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {".ori", "10 20 30 1\n40 50 60 0\n70 80 90 2\n"},
        {".ori", "10 20 30 7 1\n40 50 60 7 0.0\n70 80 90 7 2\n"},
        {".txt", "% phi1 Phi phi2 weight\n10 20 30 1\n40 50 60 0\n70 80 90 2\n"},
        {".yaml", "material: [{constituents: [{v: 0.3333333, O: [1, 0, 0, 0]}, {v: 0, O: [0, 1, 0, 0]}, "
                  "{v: 0.6666667, O: [1, 0, 0, 0]}]}]\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(cases[i][0], cases[i][1]);
        sw_crystal_list list = read_with((sw_crystal_filter){0});
        assert_int_equal(list.count, 2);
        assert_int_equal(list.skipped, 1);
        CHECK_CLOSE(list.weight[1] / list.weight[0], 2, 1e-6);
        assert_string_equal(list.about, "1 crystals of weight 0 left out");
        sw_crystal_list_free(&list);
    }
    put(".ori", "10 20 30 0\n");
    refuse((sw_crystal_filter){0}, "no crystal in it (0 rows were not indexed, 1 of weight 0");
}

/* ---- Rows that are something else ---- */

static void rows_that_are_no_angles_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *suffix, *text, *message; /* NULL: they are taken */
    } cases[] = {
        {".ori", "0.5 0.5 0.5 0.5\n0.7071 0 0.7071 0\n", "quaternions"},
        {".ori", "1 0 0 0\n", "quaternions"},
        {".ori", "0.5 0.5 -0.5 -0.5\n", "quaternions"}, /* a weight below 0 */
        {".ori", "1 0.5 0.5 0.5 0.5\n2 0.7071 0 0 0.7071\n", "quaternions"},
        {".ori", "0.5 0.5 0.5 0.5 2\n0.7071 0 0 0.7071 1\n", "quaternions"},
        {".tex", "a\nb\nc\nB 2\n0.5 0.5 0.5 0.5\n0.8 0.6 0 0\n", "quaternions"},
        {".ori", "0 0 0 1\n", NULL},    /* cube */
        {".ori", "30 0 0 0 1\n", NULL}, /* turned cube */
        {".ori", "1 30 40 50\n2 35 41 52\n3 10 20 30\n", "the first numbers count the rows, 1, 2, ..."},
        {".ori", "0 30 40 50\n1 35 41 52\n", "the first numbers count the rows, 0, 1, ..."},
        {".ori", "17 30 40 50\n18 35 41 52\n19 10 20 30\n", "the first numbers count the rows, 17, 18"},
        {".ori", "1 30 40 50 1\n2 35 41 52 1\n", "the first numbers count the rows"},
        {".tex", "a\nb\nc\nB 2\n1 30 40 50 1\n2 35 41 52 1\n", "the first numbers count the rows"},
        {".ori", "0 45 0 1\n1 45 0 1\n2 45 0 1\n", NULL}, /* a fibre by degrees */
        {".ori", "0.0 45 30 1\n1.0 45 30 2\n2.0 45 30 4\n",
         NULL}, /* the same of weights, and a way to say so */
        {".ori", "10 45 30 1\n20 45 30 2\n", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(cases[i].suffix, cases[i].text);
        if (cases[i].message != NULL) {
            refuse((sw_crystal_filter){0}, cases[i].message);
            continue;
        }
        sw_crystal_list list = read_with((sw_crystal_filter){0});
        sw_crystal_list_free(&list);
    }
    put(".ori", "30 40 50 1\n35 41 52 2\n70 20 30 3\n");
    sw_crystal_list list = read_and_listen((sw_crystal_filter){0});
    assert_non_null(strstr(told, "the last numbers count the rows, 1, 2, ...: they are taken as weights"));
    sw_crystal_list_free(&list);
}

/* A second ODF, with a header of its own or without, of the same grid. */
static void one_table_is_in_a_file(void **state)
{
    (void)state;
    for (int with_header = 0; with_header < 3; with_header++) {
        FILE *file = begin(".txt");
        for (int table = 0; table < 2; table++) {
            if (table == 0 || with_header == 1)
                fputs("# phi1 Phi phi2 value\n", file);
            for (int n = 0; n < 27; n++)
                fprintf(file, "%d %d %d %d\n", n % 3 * 45, n / 3 % 3 * 45, n / 9 * 45,
                        with_header == 2 ? 1 : table + 1);
        }
        assert_int_equal(fclose(file), 0);
        if (with_header < 2)
            refuse((sw_crystal_filter){0},
                   with_header ? ":29: a second table" : "values 1 and 2 of angles 0 0 0");
        else { /* the same values once more are one ODF */
            sw_crystal_list list = read_with((sw_crystal_filter){0});
            assert_int_equal(list.count, 4 * 27);
            sw_crystal_list_free(&list);
        }
    }
    put(".txt", "# phi1 Phi phi2\n10 20 30\n# phi1 Phi phi2\n40 50 60\n");
    refuse((sw_crystal_filter){0}, ":3: a second table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vpsc_takes_no_more_than_it_needs),
        cmocka_unit_test(vpsc_rows_that_others_would_read_otherwise_are_refused),
        cmocka_unit_test(blocks_of_vpsc_are_steps),
        cmocka_unit_test(vpsc_s_own_names_are_known),
        cmocka_unit_test(crystals_of_weight_0_are_left_out),
        cmocka_unit_test(rows_that_are_no_angles_are_refused),
        cmocka_unit_test(one_table_is_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, remove_last);
}
