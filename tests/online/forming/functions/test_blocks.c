/* Input of other programs: the numbers on their cards, in the columns where they are read. */
#include "tests/test.h"

#include "aa2090.h"
#include "online/forming/functions/blocks.h"

static char *text;
static size_t length;

/* Tension along the rolling direction: elastic first, then 200 MPa + 2 GPa times the plastic strain. */
static double hardening[][2] = {{1e-6, 70e6}, {5e-5, 150e6}, {0.002, 204e6}, {0.006, 212e6}, {0.05, 300e6}};
static sw_sheet_tension tension[] = {{0, 200e6, 0.5}, {0.785398163397, 200e6, 1}, {1.570796326795, 200e6, 2}};
static const sw_sheet sheet = {
    .n_tensions = 3, .tension = tension, .biaxial_r = NAN, .curve = {.n = 5, .row = hardening}};

/* What is written for a program of a fit, as a text. */
static const char *block_of_fit(const char *program, const sw_calibration *fit)
{
    const sw_block block = {.fit = fit, .sheet = &sheet, .young = 70e9, .poisson = 0.33, .number = 7};
    free(text);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int i = 0; i < SW_BLOCK_PROGRAMS; i++)
        if (strcmp(sw_block_programs[i].name, program) == 0)
            CHECK_OK(sw_block_write(out, &sw_block_programs[i], &block));
    assert_int_equal(fclose(out), 0);
    assert_true(length > 0);
    return text;
}

/* The same of a function that misses nothing. */
static const char *block_of(const char *program, const sw_yield *y)
{
    const sw_calibration fit = {.surface = *y, .by = SW_BY_WEIGHTS};
    return block_of_fit(program, &fit);
}

/* The line after one that begins so, `more` further. */
static const char *line_after(const char *whole, const char *begins, int more)
{
    const char *at = strstr(whole, begins);
    assert_non_null(at);
    for (int i = 0; i <= more; i++) {
        at = strchr(at, '\n');
        assert_non_null(at);
        at++;
    }
    return at;
}

/* Field 0 .. 7 of ten columns; NaN: blank. */
static double field(const char *line, int k)
{
    char copy[11] = "";
    const size_t end = strcspn(line, "\n");
    if (end > (size_t)(10 * k))
        snprintf(copy, sizeof copy, "%.*s", (int)(end - (size_t)(10 * k) < 10 ? end - (size_t)(10 * k) : 10),
                 line + 10 * k);
    char *rest;
    const double value = strtod(copy, &rest);
    return rest == copy ? NAN : value;
}

static sw_yield a_hill48(void)
{
    return (sw_yield){.function = &sw_yield_functions[SW_YIELD_HILL48],
                      .coefficient = {0.3, 0.6, 0.4, 1.2, 1.9, 2.1},
                      .reference = 200e6};
}

/* R_ij times the reference is the yield stress where sigma_ij acts alone; of shears over sqrt(3). */
static void abaqus_gets_the_ratios_of_hill48(void **state)
{
    (void)state;
    const sw_yield y = a_hill48();
    static const int component[6] = {0, 1, 2, 5, 4, 3}; /* 11 22 33 12 13 23 */
    double r[6];
    const char *whole = block_of("abaqus", &y), *line = line_after(whole, "*POTENTIAL", 0);
    double young, poisson, stress, strain;
    assert_int_equal(sscanf(line_after(whole, "*ELASTIC\n", 0), "%lf, %lf", &young, &poisson), 2);
    assert_true(young == 70e9 && poisson == 0.33);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sscanf(line_after(whole, "*PLASTIC\n", i), "%lf, %lf", &stress, &strain), 2);
        CHECK_CLOSE(stress, 200e6 + 2e9 * strain, 1e2);
        assert_true(i > 0 || strain == 0);
    }
    assert_true(strain == 0.05 && line_after(whole, "*PLASTIC\n", 4)[0] == '*');
    assert_int_equal(sscanf(line, "%lf, %lf, %lf, %lf, %lf, %lf", r, r + 1, r + 2, r + 3, r + 4, r + 5), 6);
    for (int i = 0; i < 6; i++) {
        double s[6] = {0};
        s[component[i]] = i < 3 ? 1 : 1 / sqrt(3);
        CHECK_CLOSE(r[i], 1 / sw_yield_value(&y, s, NULL), 1e-7);
    }
}

/* MID, no density, E, PR. */
static void check_elastic(const char *line)
{
    assert_true(field(line, 0) == 7 && isnan(field(line, 1)));
    CHECK_CLOSE(field(line, 2), 70e9, 1);
    CHECK_CLOSE(field(line, 3), 0.33, 0);
}

/* LCID; then strains from 0 on, to which it goes straight (200 MPa), with stresses times a scale; the elastic rows are none. */
static void check_curve(const char *whole, double scale)
{
    static const double row[4][2] = {{0, 200e6}, {0.002, 204e6}, {0.006, 212e6}, {0.05, 300e6}};
    assert_true(field(line_after(whole, "*DEFINE_CURVE", 1), 0) == 7);
    for (int i = 0; i < 4; i++) {
        double strain, stress;
        assert_int_equal(sscanf(line_after(whole, "*DEFINE_CURVE", 3 + i), "%20lf%20lf", &strain, &stress),
                         2);
        CHECK_CLOSE(strain, row[i][0], 1e-12);
        CHECK_CLOSE(stress, scale * row[i][1], 1e2); /* eight digits */
    }
    const char *after = strstr(whole, "*DEFINE_CURVE");
    int lines = 0;
    for (; *after != '\0'; after++)
        lines += *after == '\n';
    assert_int_equal(lines, 4 + 4);
}

static void ls_dyna_gets_the_r_values_of_hill48(void **state)
{
    (void)state;
    const sw_yield y = a_hill48();
    const char *whole = block_of("ls_dyna", &y), *card = line_after(whole, "*MAT_HILL_3R", 3);
    double stress;
    for (int i = 0; i < 3; i++) {
        double q;
        sw_yield_uniaxial(&y, i * acos(-1) / 4, NULL, &q);
        CHECK_CLOSE(field(card, i), sw_r_of_q(q), 1e-6);
    }
    assert_true(field(line_after(whole, "*MAT_HILL_3R", 1), 4) == 3); /* HR: a load curve */
    assert_true(field(card, 3) == 7 && field(line_after(whole, "*MAT_HILL_3R", 5), 0) == 2); /* LCID, AOPT */
    check_elastic(line_after(whole, "*MAT_HILL_3R", 1));
    sw_yield_uniaxial(&y, 0, &stress, NULL);
    check_curve(whole, stress / y.reference);
}

/* An r of 0 is not written as one, which would be taken for 1; nor is one that is infinite. */
static void ls_dyna_gets_r_values_at_the_ends(void **state)
{
    (void)state;
    sw_yield y = a_hill48();
    y.coefficient[2] = 0;
    y.coefficient[0] = 0;
    const char *card = line_after(block_of("ls_dyna", &y), "*MAT_HILL_3R", 3);
    assert_true(field(card, 0) == 1e-6 && field(card, 2) > 0 && field(card, 2) <= 1e6);
    y.coefficient[2] = 0.4;
    card = line_after(block_of("ls_dyna", &y), "*MAT_HILL_3R", 3);
    assert_true(field(card, 2) == 1e6 && field(card, 3) == 7);
}

static void ls_dyna_gets_yld2000_2d(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2000();
    const char *whole = block_of("ls_dyna", &y), *name = "*MAT_BARLAT_YLD2000";
    const char *first = line_after(whole, name, 1), *second = line_after(whole, name, 3);
    check_elastic(first);
    assert_true(field(first, 4) == 0 && field(first, 7) == 1);    /* FIT, ISCALE */
    assert_true(field(second, 5) == -7 && field(second, 6) == 8); /* HARD: the curve's number; A */
    check_curve(whole, 1);
    for (int i = 0; i < 8; i++)
        CHECK_CLOSE(field(line_after(whole, name, 5), i), y.coefficient[i], 1e-6);
    assert_true(field(line_after(whole, name, 7), 0) == 2); /* AOPT, then a and d */
    assert_true(field(line_after(whole, name, 9), 3) == 1 && field(line_after(whole, name, 11), 4) == 1);
}

/* Every line of it is a comment, and has a coefficient with all its digits. */
static void check_only_comments(const char *whole, const char *comment, const sw_yield *y)
{
    for (const char *line = whole; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_int_equal(strncmp(line, comment, strlen(comment)), 0);
    for (int i = 0; i < y->function->coefficients; i++) {
        char name[32];
        double value;
        snprintf(name, sizeof name, "%s %s = ", comment, y->function->coefficient[i]);
        const char *at = strstr(whole, name);
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(name), "%lf", &value), 1);
        CHECK_CLOSE(value, y->coefficient[i], 1e-8);
    }
}

static void what_has_no_card_is_a_comment(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2004(), z = aa2090_yld2000();
    check_only_comments(block_of("abaqus", &y), "**", &y);
    check_only_comments(block_of("ls_dyna", &y), "$", &y);
    check_only_comments(block_of("abaqus", &z), "**", &z);
    sw_yield concave = a_hill48();
    concave.coefficient[5] = -2;
    check_only_comments(block_of("abaqus", &concave), "**", &concave);
    check_only_comments(block_of("ls_dyna", &concave), "$", &concave);
    assert_non_null(strstr(text, "not convex"));
}

static int forget(void **state)
{
    (void)state;
    free(text);
    return 0;
}

static void what_no_data_determined_is_called_so(void **state)
{
    (void)state;
    sw_yield y = a_hill48();
    assert_null(strstr(block_of("abaqus", &y), "not determined"));
    y.undetermined = 1U << 5;
    const char *at = strstr(block_of("abaqus", &y), "not determined");
    assert_non_null(at);
    assert_memory_equal(at - strlen("** N = 2.1 (isotropic: "), "** N = 2.1 (", 12);
    assert_null(strstr(at + 1, "not determined"));
}

/* 3 % of a stress, 0.05 of q: what is missed by more is said, with the number, on a comment; what is not, is not. */
static void a_card_says_what_its_function_misses(void **state)
{
    (void)state;
    sw_calibration_item item[] = {{SW_CALIBRATION_STRESS, 1, 1.1, 1.1 * 1.029},
                                  {SW_CALIBRATION_POINT, 4, 1, 0.98},
                                  {SW_CALIBRATION_R, 2, 0.6, 0.649},
                                  {SW_CALIBRATION_BIAXIAL_R, 0, 0.5, 0.46}};
    const sw_calibration fit = {.surface = a_hill48(), .by = SW_BY_R, .n_items = 4, .item = item};
    assert_null(strstr(block_of_fit("ls_dyna", &fit), "MISSES"));
    item[0].fitted = 1.1 * 1.031;
    item[2].fitted = 0.66;
    assert_non_null(strstr(block_of_fit("ls_dyna", &fit),
                           "\n$ MISSES what was computed: the stress at 45 degrees "
                           "is 1.031 of what was computed\n"));
    assert_non_null(
        strstr(text, "\n$ MISSES what was computed: r at 90 degrees is 1.941 where 1.500 was computed"));
    item[1].fitted = 0.9;
    item[3].fitted = 0.1;
    assert_non_null(
        strstr(block_of_fit("abaqus", &fit), "\n** MISSES what was computed: the stress at point 5 of "));
    assert_non_null(strstr(text, "\n** MISSES what was computed: r in balanced biaxial tension is 0.111 "));
    const char *misses = strstr(text, "MISSES");
    assert_true(misses < strstr(text, "*MATERIAL"));
}

/* Without plastic rows, of one row, of a strain that falls. */
static void a_curve_begins_at_zero_and_grows(void **state)
{
    (void)state;
    double odd[][2] = {{0.001, 100e6}, {0.0005, 90e6}, {0.003, 110e6}}, row[4][2];
    assert_int_equal(sw_block_curve(&(sw_sheet_curve){0}, 1, row), 0);
    assert_int_equal(sw_block_curve(&(sw_sheet_curve){1, odd}, 2, row), 2);
    assert_true(row[0][0] == 0 && row[0][1] == 200e6 && row[1][0] == 0.001 && row[1][1] == 200e6);
    assert_int_equal(sw_block_curve(&(sw_sheet_curve){3, odd}, 1, row), 3);
    assert_true(row[0][1] == 95e6 && row[1][0] == 0.001 && row[2][0] == 0.003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abaqus_gets_the_ratios_of_hill48),
        cmocka_unit_test(ls_dyna_gets_the_r_values_of_hill48),
        cmocka_unit_test(ls_dyna_gets_r_values_at_the_ends),
        cmocka_unit_test(ls_dyna_gets_yld2000_2d),
        cmocka_unit_test(a_card_says_what_its_function_misses),
        cmocka_unit_test(a_curve_begins_at_zero_and_grows),
        cmocka_unit_test(what_has_no_card_is_a_comment),
        cmocka_unit_test(what_no_data_determined_is_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
