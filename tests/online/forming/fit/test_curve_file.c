/* The reader of measured curves says of every text of tests/curves/examples.txt what stands there; so does Python's
 * (tests/python/test_measured.py). */
#include "tests/job_files.h"

#include "online/forming/fit/curve_file.h"

static char *examples(void)
{
    char *text;
    FILE *file = fopen(data_path("../tests/curves/examples.txt"), "rb");
    assert_non_null(file);
    assert_non_null(text = calloc(1, 1 << 16));
    assert_in_range(fread(text, 1, (1 << 16) - 1, file), 1000, (1 << 16) - 2);
    fclose(file);
    return text;
}

static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        const char c = *++from;
        if (c == 'x') {
            *to++ = (char)strtol((const char[3]){from[1], from[2], '\0'}, NULL, 16);
            from += 2;
        } else
            *to++ = (char)(c == 't' ? '\t' : c == 'r' ? '\r' : c);
    }
    *to = '\0';
}

/* "% MPa 1? 0:1 0.5:20" */
static void check_good(const sw_curve *c, char *verdict)
{
    char *word = strtok(verdict, " ");
    for (int k = 0; k < 2; k++, word = strtok(NULL, " "))
        assert_string_equal(c->names.unit[k] != NULL ? c->names.unit[k]->text : "?", word);
    for (int k = 0; k < 2; k++)
        assert_int_equal(c->names.engineering[k], word[k] == '?' ? -1 : word[k] - '0');
    int n = 0;
    for (; (word = strtok(NULL, " ")) != NULL; n++) {
        char *end;
        assert_true(n < c->n);
        assert_true(c->strain[n] == strtod(word, &end));
        assert_true(*end == ':' && c->stress[n] == strtod(end + 1, NULL));
        assert_true(c->line[n] > (n > 0 ? c->line[n - 1] : 0));
    }
    assert_int_equal(c->n, n);
}

static void check_example(char *verdict, char *text)
{
    sw_curve c;
    unescape(text);
    write_text(job_path, text);
    const sw_status status = sw_curve_read(job_path, (const char *const[2]){NULL, NULL}, &c);
    print_message("%s\n", verdict);
    if (strncmp(verdict, "good ", 5) == 0) {
        CHECK_OK(status);
        check_good(&c, verdict + 5);
        sw_curve_free(&c);
        return;
    }
    assert_int_equal(status, SW_ERR_INPUT);
    assert_message_has(verdict + strlen("bad "));
    assert_true(c.n == 0 && c.strain == NULL && c.stress == NULL && c.line == NULL);
}

static void examples_are_answered(void **state)
{
    (void)state;
    char *text = examples();
    int n = 0;
    for (char *at = strstr(text, "\n== "), *next; at != NULL; at = next, n++) {
        char *verdict = at + strlen("\n== "), *body = strchr(verdict, '\n');
        next = strstr(verdict, "\n== ");
        *body++ = '\0';
        if (next != NULL)
            *next = '\0';
        check_example(verdict, body);
    }
    assert_in_range(n, 40, 200);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_answered)};
    return cmocka_run_group_tests(tests, make_job_folder, NULL);
}
