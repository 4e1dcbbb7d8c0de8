/* Input of other programs: the numbers on their cards, in the columns where they are read. */
#include "tests/test.h"

#include "aa2090.h"
#include "online/forming/functions/blocks.h"

static char *text;
static size_t length;

/* What is written for a program, as a text. */
static const char *block_of(const char *program, const sw_yield *y)
{
    free(text);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (int i = 0; i < SW_BLOCK_PROGRAMS; i++)
        if (strcmp(sw_block_programs[i].name, program) == 0)
            sw_block_write(out, &sw_block_programs[i], y);
    assert_int_equal(fclose(out), 0);
    assert_true(length > 0);
    return text;
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
    const char *line = line_after(block_of("abaqus", &y), "*POTENTIAL", 0);
    assert_int_equal(sscanf(line, "%lf, %lf, %lf, %lf, %lf, %lf", r, r + 1, r + 2, r + 3, r + 4, r + 5), 6);
    for (int i = 0; i < 6; i++) {
        double s[6] = {0};
        s[component[i]] = i < 3 ? 1 : 1 / sqrt(3);
        CHECK_CLOSE(r[i], 1 / sw_yield_value(&y, s, NULL), 1e-7);
    }
}

static void ls_dyna_gets_the_r_values_of_hill48(void **state)
{
    (void)state;
    const sw_yield y = a_hill48();
    const char *whole = block_of("ls_dyna", &y), *card = line_after(whole, "*MAT_HILL_3R", 3);
    double scale, stress;
    for (int i = 0; i < 3; i++) {
        double q;
        sw_yield_uniaxial(&y, i * acos(-1) / 4, NULL, &q);
        CHECK_CLOSE(field(card, i), sw_r_of_q(q), 1e-6);
    }
    assert_true(field(line_after(whole, "*MAT_HILL_3R", 1), 4) == 3); /* HR: a load curve */
    assert_true(isnan(field(card, 3)) && field(line_after(whole, "*MAT_HILL_3R", 5), 0) == 2);
    sw_yield_uniaxial(&y, 0, &stress, NULL);
    assert_int_equal(sscanf(strstr(whole, "$ times "), "$ times %lf", &scale), 1);
    CHECK_CLOSE(scale, stress / y.reference, 1e-5);
}

static void ls_dyna_gets_yld2000_2d(void **state)
{
    (void)state;
    const sw_yield y = aa2090_yld2000();
    const char *whole = block_of("ls_dyna", &y), *name = "*MAT_BARLAT_YLD2000";
    const char *first = line_after(whole, name, 1), *second = line_after(whole, name, 3);
    assert_true(isnan(field(first, 0)) && field(first, 4) == 0 &&
                field(first, 7) == 1);                             /* MID, FIT, ISCALE */
    assert_true(isnan(field(second, 5)) && field(second, 6) == 8); /* HARD, A */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abaqus_gets_the_ratios_of_hill48),
        cmocka_unit_test(ls_dyna_gets_the_r_values_of_hill48),
        cmocka_unit_test(ls_dyna_gets_yld2000_2d),
        cmocka_unit_test(what_has_no_card_is_a_comment),
        cmocka_unit_test(what_no_data_determined_is_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
