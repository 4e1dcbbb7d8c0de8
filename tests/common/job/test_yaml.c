#include "tests/test.h"

#include "common/job/yaml.h"

static void places_of_keys_are_known(void **state)
{
    (void)state;
    static const char text[] = "small: -3\n"
                               "large: 9223372036854775807\n"
                               "pair:\n"
                               "  - 1.5\n"
                               "  - 2.5\n"
                               "list: [4, 5,\n"
                               "       6]\n";
    static const struct {
        const char *key;
        int line, present;
    } places[] = {
        {"", 1, 1},         {"large", 2, 1},   {"pair", 3, 1},     {"pair[0]", 4, 1},
        {"pair[1]", 5, 1},  {"list[2]", 7, 1}, {"list[3]", 6, 0},  {"pair[-1]", 3, 0},
        {"absent.x", 0, 0}, {"small.x", 1, 0}, {"large[0]", 2, 0},
    };
    sw_yaml *yaml;
    CHECK_OK(sw_yaml_open("s.yaml", text, &yaml));
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(sw_yaml_line(yaml, places[i].key), places[i].line);
        assert_int_equal(sw_yaml_has(yaml, places[i].key), places[i].present);
    }
    assert_int_equal(sw_yaml_complain(yaml, 6, "list of %d:\ttoo many", 3), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "s.yaml:6: list of 3:\\ttoo many");
    sw_yaml_close(yaml);
    sw_yaml_close(NULL);
}

static void what_is_not_one_document_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {{"", "s.yaml:1: the file is empty"},
                 {"# a comment\n", "s.yaml:1: the file is empty"},
                 {"a: [1\nb: 2\n", "s.yaml:2: not YAML"},
                 {"a: 1\n\tb: 2\n", "s.yaml:2: not YAML: a tab: need blanks to indent: "},
                 {"a: [\n  \t{b: 2, c\n", "not YAML: did not find"},
                 {"a: 1\n---\nb: 2\n", "s.yaml:3: a second document"},
                 {"a: f\xff\n", "byte 0xff): need a text in UTF-8"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_yaml *yaml;
        assert_int_equal(sw_yaml_open("s.yaml", cases[i].text, &yaml), SW_ERR_INPUT);
        assert_null(yaml);
        assert_message_has(cases[i].message);
    }
}

/* n brackets, closed or not. */
static sw_status open_brackets(int n, int closed)
{
    char *text = calloc(2 * (size_t)n + 8, 1);
    assert_non_null(text);
    strcpy(text, "a:\n ");
    memset(text + 4, '[', (size_t)n);
    memset(text + 4 + n, ']', closed ? (size_t)n : 0);
    sw_yaml *yaml = NULL;
    const sw_status status = sw_yaml_open("job.yaml", text, &yaml);
    sw_yaml_close(yaml);
    free(text);
    return status;
}

/* Lists within lists end at a depth: 60,000 brackets took seconds, and a million hours. */
static void depth_has_a_bound(void **state)
{
    (void)state;
    CHECK_OK(open_brackets(SW_YAML_DEEPEST - 1, 1)); /* with the mapping around them */
    for (int closed = 0; closed < 2; closed++) {
        assert_int_equal(open_brackets(SW_YAML_DEEPEST, closed), SW_ERR_INPUT);
        assert_message_has("job.yaml:2: lists and mappings are 33 deep: need at most 32");
        assert_int_equal(open_brackets(1000000, closed), SW_ERR_INPUT);
        assert_message_has("job.yaml:2: lists and mappings are 33 deep");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_of_keys_are_known),
        cmocka_unit_test(what_is_not_one_document_is_refused),
        cmocka_unit_test(depth_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
