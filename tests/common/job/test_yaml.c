#include "tests/test.h"

#include <unistd.h>

#include "common/job/yaml.h"

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-yaml-XXXXXX", base == NULL ? "/tmp" : base);
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Write length bytes to a file of the test's folder; its path lives until the next call. */
static const char *write_file(const char *name, const char *bytes, size_t length)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* `text` with the first `old` replaced; released by the caller. */
static char *replaced(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    assert_non_null(at);
    char *result = NULL;
    assert_true(asprintf(&result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) >= 0);
    return result;
}

static const char copper_text[] = "name: OFHC copper\n"                 /* 1 */
                                  "source: [a paper, 1992]\n"           /* 2 */
                                  "crystal_structure: fcc\n"            /* 3 */
                                  "elasticity:\n"                       /* 4 */
                                  "  C11: 168.7e9\n"                    /* 5 */
                                  "  C12: 121.7e9\n"                    /* 6 */
                                  "  C44: 75.0e9\n"                     /* 7 */
                                  "slip:\n"                             /* 8 */
                                  "  reference_slip_rate: 1.0e-3\n"     /* 9 */
                                  "  rate_sensitivity: 0.012\n"         /* 10 */
                                  "  initial_slip_resistance: 16.0e6\n" /* 11 */
                                  "hardening:\n"                        /* 12 */
                                  "  law: voce\n"                       /* 13 */
                                  "  initial_hardening_rate: 180.0e6\n" /* 14 */
                                  "  saturation_resistance: 148.0e6\n"  /* 15 */
                                  "  exponent: 2.25\n";                 /* 16 */

static void assert_is_copper(const sw_material *material)
{
    assert_string_equal(material->name, "OFHC copper");
    assert_int_equal(material->crystal_structure, SW_FCC);
    assert_int_equal(material->hardening.law, SW_HARDENING_VOCE);
    const struct {
        double is, should_be;
    } values[] = {
        {material->elasticity.c11, 168.7e9},
        {material->elasticity.c12, 121.7e9},
        {material->elasticity.c44, 75.0e9},
        {material->slip.reference_slip_rate, 1.0e-3},
        {material->slip.rate_sensitivity, 0.012},
        {material->slip.initial_slip_resistance, 16.0e6},
        {material->hardening.initial_hardening_rate, 180.0e6},
        {material->hardening.saturation_resistance, 148.0e6},
        {material->hardening.exponent, 2.25},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(values[i].is == values[i].should_be); /* the same decimal, so the same double */
}

static void good_material_is_read(void **state)
{
    (void)state;
    sw_material material;
    const char *path = write_file("copper.yaml", copper_text, strlen(copper_text));
    assert_int_equal(sw_material_read(path, &material), SW_OK);
    unlink(path);
    assert_is_copper(&material);
}

static void other_spellings_mean_the_same(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"source: [a paper, 1992]\n", ""},
        {"name: OFHC copper\n", "\xef\xbb\xbf---\nname: 'OFHC copper'\n"}, /* byte order mark */
        {"C11: 168.7e9", "C11: 168700000000"},
        {"168.7e9\n  C12: 121.7e9", "+1.687E+11 # Pa\n  C12: 121.7e9"},
        {"elasticity:\n  C11: 168.7e9\n  C12: 121.7e9\n  C44: 75.0e9",
         "elasticity: {C44: 75.0e9, C12: 121.7e9,\n"
         "  C11: 168.7e9}"},
        {"law: voce", "law: \"voce\""},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_material material;
        char *text = replaced(copper_text, edits[i][0], edits[i][1]);
        if (sw_material_parse("copper.yaml", text, &material) != SW_OK)
            fail_msg("%s", sw_error_message());
        free(text);
        assert_is_copper(&material);
    }
}

static void values_on_their_bounds_are_taken(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"rate_sensitivity: 0.012", "rate_sensitivity: 1"},
        {"exponent: 2.25", "exponent: 1"},
        {"initial_hardening_rate: 180.0e6", "initial_hardening_rate: 0"},
        {"C12: 121.7e9", "C12: -84.3e9"},
        {"OFHC copper", "a name of the longest kind there is room for - it has 63 bytes,"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_material material;
        char *text = replaced(copper_text, edits[i][0], edits[i][1]);
        if (sw_material_parse("copper.yaml", text, &material) != SW_OK)
            fail_msg("%s", sw_error_message());
        free(text);
    }
}

static void bad_material_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        const char *place, *key,
            *bound; /* parts of the message: file and line, key and value, what is needed */
    } cases[] = {
        /* physics */
        {"75.0e9", "-75.0e9", "copper.yaml:7: ", "elasticity.C44 = -7.5e+10", "need C44 > 0"},
        {"75.0e9", "0", "copper.yaml:7: ", "elasticity.C44 = 0", "need C44 > 0"},
        {"168.7e9", "1e10", "copper.yaml:5: ", "elasticity.C11 = 1e+10",
         "need C11 > |C12| (C12 = 1.217e+11)"},
        {"121.7e9", "-85e9", "copper.yaml:6: ", "elasticity.C12 = -8.5e+10",
         "need C11 + 2 C12 > 0 (C11 = 1.687e+11)"},
        {"1.0e-3", "0", "copper.yaml:9: ", "slip.reference_slip_rate = 0", "need reference_slip_rate > 0"},
        {"0.012", "0", "copper.yaml:10: ", "slip.rate_sensitivity = 0", "need 0 < m <= 1"},
        {"0.012", "1.000000001", "copper.yaml:10: ", "slip.rate_sensitivity = 1.000000001",
         "need 0 < m <= 1"},
        {"16.0e6", "-16.0e6", "copper.yaml:11: ", "slip.initial_slip_resistance = -1.6e+07", "> 0"},
        {"180.0e6", "-1", "copper.yaml:14: ", "hardening.initial_hardening_rate = -1", ">= 0"},
        {"148.0e6", "16.0e6", "copper.yaml:15: ", "hardening.saturation_resistance = 1.6e+07",
         "need more than slip.initial_slip_resistance (1.6e+07)"},
        {"2.25", "0.5", "copper.yaml:16: ", "hardening.exponent = 0.5", "need 1 <= exponent"},
        /* values meant in MPa or GPa */
        {"75.0e9", "75.0", "copper.yaml:7: ", "elasticity.C44 = 75", "need Pa"},
        {"168.7e9\n  C12: 121.7e9", "168.7\n  C12: 121.7", "copper.yaml:5: ", "elasticity.C11 = 168.7",
         "need Pa"},
        {"168.7e9", "168.7e18", "copper.yaml:5: ", "elasticity.C11 = 1.687e+20", "need Pa"},
        {"16.0e6", "16", "copper.yaml:11: ", "slip.initial_slip_resistance = 16", "need Pa"},
        {"180.0e6", "180", "copper.yaml:14: ", "hardening.initial_hardening_rate = 180", "need Pa"},
        {"148.0e6", "148.0e15", "copper.yaml:15: ", "hardening.saturation_resistance = 1.48e+17", "need Pa"},
        /* names */
        {"fcc", "bcx", "copper.yaml:3: ", "crystal_structure = bcx", "need one of fcc"},
        {"voce", "taylor", "copper.yaml:13: ", "hardening.law = taylor", "need one of voce"},
        {"OFHC copper", "''", "copper.yaml:1: ", "name = ''", "need a text of 1 to 63 bytes"},
        {"OFHC copper", "a name that is longer than any there is room for - 64 bytes long",
         "copper.yaml:1: ", "name = a name", "need a text of 1 to 63 bytes"},
        {"OFHC copper", "\"OFHC\\0copper\"", "copper.yaml:1: ", "name has a NUL", "need a text"},
        /* numbers */
        {"0.012", "abc", "copper.yaml:10: ", "slip.rate_sensitivity = abc", "need a number"},
        {"0.012", "0.012 MPa", "copper.yaml:10: ", "slip.rate_sensitivity = 0.012 MPa", "need a number"},
        {"0.012", "1_000", "copper.yaml:10: ", "slip.rate_sensitivity = 1_000", "need a number"},
        {"0.012", "0x1p-6", "copper.yaml:10: ", "slip.rate_sensitivity = 0x1p-6", "need a number"},
        {"0.012", "nan", "copper.yaml:10: ", "slip.rate_sensitivity = nan", "need a number"},
        {"0.012", ".inf", "copper.yaml:10: ", "slip.rate_sensitivity = .inf", "need a number"},
        {"0.012", "1e999", "copper.yaml:10: ", "slip.rate_sensitivity = 1e999", "need a finite number"},
        {"0.012", "", "copper.yaml:10: ", "slip.rate_sensitivity = ''", "need a number"},
        {"0.012", "\"0.012\\n\\e[2J\"", "copper.yaml:10: ", "slip.rate_sensitivity = 0.012  [2J",
         "need a number"},
        {"0.012", "[0.012]", "copper.yaml:10: ", "slip.rate_sensitivity is a list", "need a number"},
        {"0.012", "{m: 0.012}", "copper.yaml:10: ", "slip.rate_sensitivity is a mapping", "need a number"},
        /* keys */
        {"rate_sensitivity", "rate_sensitivty", "copper.yaml:10: ", "unknown key 'slip.rate_sensitivty'",
         "did you mean 'slip.rate_sensitivity'?"},
        {"C44", "c44", "copper.yaml:7: ", "unknown key 'elasticity.c44'", "did you mean 'elasticity.C44'?"},
        {"hardening", "colour", "copper.yaml:12: ", "unknown key 'colour'",
         "need one of name, source, crystal_structure, elasticity, slip, hardening"},
        {"  rate_sensitivity: 0.012\n", "", "copper.yaml:8: ", "slip.rate_sensitivity", "is missing"},
        {"crystal_structure: fcc\n", "", "copper.yaml:1: ", "crystal_structure", "is missing"},
        {"  C44", "  C11: 1\n  C44", "copper.yaml:7: ", "elasticity.C11 is given twice", "first on line 5"},
        {"name:", "? [name]\n:", "copper.yaml:1: ", "a key is a list", "need a word"},
        {"elasticity:\n  C11: 168.7e9\n  C12: 121.7e9\n  C44: 75.0e9", "elasticity: 3",
         "copper.yaml:4: ", "elasticity = 3", "need the keys C11, C12, C44"},
        /* not YAML, or not one document */
        {"fcc", "[fcc", "copper.yaml:4: ", "not YAML", "flow sequence"},
        {"  C12: 121.7e9", "\tC12: 121.7e9", "copper.yaml:6: ", "not YAML", "a tab character"},
        {"fcc", "*fcc", "copper.yaml:3: ", "not YAML", "alias"},
        {"fcc",
         "f\xff"
         "c",
         "copper.yaml:3: ", "byte 0xff", "need a text in UTF-8"},
        {"2.25\n", "2.25\n---\nname: zinc\n", "copper.yaml:18: ", "second document", "need one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material material = {.name = "untouched"};
        char *text = replaced(copper_text, cases[i].old, cases[i].new);
        assert_int_equal(sw_material_parse("copper.yaml", text, &material), SW_ERR_INPUT);
        free(text);
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].key);
        assert_message_has(cases[i].bound);
        assert_string_equal(material.name, "untouched");
    }
}

static void bad_files_are_refused(void **state)
{
    (void)state;
#define BYTES(text) text, sizeof(text) - 1
    static const struct {
        const char *bytes;
        size_t length;
        const char *place, *what;
    } cases[] = {
        {BYTES(""), "bad.yaml:1: ", "empty"},
        {BYTES("# nothing but a comment\n"), "bad.yaml:1: ", "empty"},
        {BYTES("- a list\n"), "bad.yaml:1: ", "the file is a list: need the keys name, "},
        {BYTES("\n\nwords\n"), "bad.yaml:3: ", "the file = words: need the keys name, "},
        {BYTES("{}\n"), "bad.yaml:1: ", "name is missing"},
        {BYTES("name: zinc\nsource: a\0b\n"), "bad.yaml:2: ", "NUL byte: need a text in UTF-8"},
        {BYTES("\xff\xfen\0a\0m\0e\0"), "bad.yaml:1: ", "NUL byte: need a text in UTF-8"}, /* UTF-16 */
    };
#undef BYTES
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_material material;
        const char *path = write_file("bad.yaml", cases[i].bytes, cases[i].length);
        assert_int_equal(sw_material_read(path, &material), SW_ERR_INPUT);
        unlink(path);
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].what);
    }
}

static void files_that_cannot_be_read_are_named(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(sw_read_text(folder, &text), SW_ERR_IO);
    assert_null(text);
    assert_message_has(folder);
    assert_message_has("directory");
    assert_int_equal(sw_read_text("no/such/file.yaml", &text), SW_ERR_IO);
    assert_null(text);
    assert_message_has("no/such/file.yaml");
    assert_message_has("No such file");
}

static void long_text_is_read_whole(void **state)
{
    (void)state;
    enum { LENGTH = 100003 }; /* several growths of the buffer, and no multiple of any */
    char *bytes = malloc(LENGTH + 1), *text;
    assert_non_null(bytes);
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (char)('a' + i % 26);
    bytes[LENGTH] = '\0';
    const char *path = write_file("long.txt", bytes, LENGTH);
    assert_int_equal(sw_read_text(path, &text), SW_OK);
    unlink(path);
    assert_string_equal(text, bytes);
    free(text);
    free(bytes);
}

/* A schema of the test's own: what no material has. */
typedef struct {
    int8_t small;
    int64_t large;
    double pair[2];
    double *list;
    unsigned list_count;
} sample;

static const cyaml_schema_value_t number = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_field_t sample_fields[] = {
    CYAML_FIELD_INT("small", CYAML_FLAG_OPTIONAL, sample, small),
    CYAML_FIELD_INT("large", CYAML_FLAG_OPTIONAL, sample, large),
    CYAML_FIELD_SEQUENCE_FIXED("pair", CYAML_FLAG_OPTIONAL, sample, pair, &number, 2),
    CYAML_FIELD_SEQUENCE("list", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, sample, list, &number, 1, 3),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t sample_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sample, sample_fields)};

static void schema_is_kept(void **state)
{
    (void)state;
    static const struct {
        const char *text, *place, *key, *bound;
    } cases[] = {
        {"\nlarge: 1.5\n", "s.yaml:2: ", "large = 1.5", "need a whole number"},
        {"large: 1e6\n", "s.yaml:1: ", "large = 1e6", "need a whole number"},
        {"large: 65_536\n", "s.yaml:1: ", "large = 65_536", "need a whole number"},
        {"large: 0x10\n", "s.yaml:1: ", "large = 0x10", "need a whole number"},
        {"large: 010\n", "s.yaml:1: ", "large = 010", "need a whole number"}, /* 8 to strtoll */
        {"large: '-'\n", "s.yaml:1: ", "large", "need a whole number"},
        {"large: 9223372036854775808\n", "s.yaml:1: ", "large = 9223372036854775808", "2^63 - 1"},
        {"pair: [1, 2, 3]\n", "s.yaml:1: ", "pair has 3 entries", "need 2"},
        {"pair: 7\n", "s.yaml:1: ", "pair = 7", "need a list"},
        {"list: []\n", "s.yaml:1: ", "list has 0 entries", "need at least 1"},
        {"list: [1, 2, 3, 4]\n", "s.yaml:1: ", "list has 4 entries", "need at most 3"},
        {"list:\n  - 1\n  - two\n", "s.yaml:3: ", "list[1] = two", "need a number"},
        {"large: 1\nsmall: 300\n", "s.yaml:2: ", "Invalid",
         "300"}, /* found by libcyaml: its words, our place */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_yaml *yaml;
        void *data;
        assert_int_equal(sw_yaml_load("s.yaml", cases[i].text, &sample_schema, &yaml, &data), SW_ERR_INPUT);
        assert_null(yaml);
        assert_null(data);
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].key);
        assert_message_has(cases[i].bound);
    }
}

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
        {"absent.x", 1, 0}, {"small.x", 1, 0}, {"large[0]", 2, 0},
    };
    sw_yaml *yaml;
    void *data;
    assert_int_equal(sw_yaml_load("s.yaml", text, &sample_schema, &yaml, &data), SW_OK);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        assert_int_equal(sw_yaml_line(yaml, places[i].key), places[i].line);
        assert_int_equal(sw_yaml_has(yaml, places[i].key), places[i].present);
    }
    const sample *values = data;
    assert_int_equal(values->small, -3);
    assert_true(values->large == INT64_MAX);
    assert_true(values->pair[0] == 1.5 && values->pair[1] == 2.5);
    assert_int_equal(values->list_count, 3);
    assert_true(values->list[0] == 4 && values->list[1] == 5 && values->list[2] == 6);

    assert_int_equal(sw_yaml_need(yaml, "pair[1]", 2.5, 1, "anything"), SW_OK);
    assert_int_equal(sw_yaml_need(yaml, "pair[1]", 2.5, 0, "pair < 2"), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "s.yaml:5: pair[1] = 2.5: need pair < 2");
    assert_int_equal(sw_yaml_error(yaml, "list", " of %d: too many", 3), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "s.yaml:6: list of 3: too many");
    sw_yaml_free_data(&sample_schema, data);
    sw_yaml_close(yaml);
}

static void nothing_can_be_closed(void **state)
{
    (void)state;
    sw_yaml_close(NULL);
    sw_yaml_free_data(&sample_schema, NULL);
}

static void names_are_chosen(void **state)
{
    (void)state;
    static const char *const names[] = {"terms", "grid"};
    char bound[64] = "";
    assert_int_equal(sw_yaml_choose("grid", 2, names, bound, sizeof bound), 1);
    assert_int_equal(sw_yaml_choose("gri", 2, names, bound, sizeof bound), -1);
    assert_string_equal(bound, "one of terms, grid");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_material_is_read),
        cmocka_unit_test(other_spellings_mean_the_same),
        cmocka_unit_test(values_on_their_bounds_are_taken),
        cmocka_unit_test(bad_material_is_refused_with_its_place),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_named),
        cmocka_unit_test(long_text_is_read_whole),
        cmocka_unit_test(schema_is_kept),
        cmocka_unit_test(places_of_keys_are_known),
        cmocka_unit_test(nothing_can_be_closed),
        cmocka_unit_test(names_are_chosen),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
