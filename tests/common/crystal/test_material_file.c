#include "tests/folder.h"

#include "common/crystal/material_file.h"
#include "common/files/hash.h"

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
    assert_int_equal(material->crystal_structure, SW_LATTICE_fcc);
    assert_int_equal(material->hardening.law, SW_LAW_voce);
    const struct {
        double is, should_be;
    } values[] = {
        {material->elasticity.c11, 168.7e9},
        {material->elasticity.c12, 121.7e9},
        {material->elasticity.c44, 75.0e9},
        {material->slip.reference_slip_rate, 1.0e-3},
        {material->slip.rate_sensitivity, 0.012},
        {material->slip.initial_slip_resistance, 16.0e6},
        {material->hardening.voce.initial_hardening_rate, 180.0e6},
        {material->hardening.voce.saturation_resistance, 148.0e6},
        {material->hardening.voce.exponent, 2.25},
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
        {"75.0e9", "-75.0e9", "copper.yaml:7: ", "elasticity.C44 = -75.0e9", "need Pa, from 1e6 to 1e13"},
        {"75.0e9", "0", "copper.yaml:7: ", "elasticity.C44 = 0", "need Pa, from 1e6 to 1e13"},
        {"168.7e9", "1e10", "copper.yaml:5: ", "elasticity.C11 = 1e+10",
         "need C11 > |C12| (C12 = 1.217e+11)"},
        {"121.7e9", "-85e9", "copper.yaml:6: ", "elasticity.C12 = -8.5e+10",
         "need C11 + 2 C12 > 0 (C11 = 1.687e+11)"},
        {"1.0e-3", "0", "copper.yaml:9: ", "slip.reference_slip_rate = 0", "need 1/s, from 1e-20 to 1e20"},
        {"0.012", "0", "copper.yaml:10: ", "slip.rate_sensitivity = 0", "need 1e-4 <= rate_sensitivity <= 1"},
        {"0.012", "1.000000001", "copper.yaml:10: ", "slip.rate_sensitivity = 1.000000001",
         "need 1e-4 <= rate_sensitivity <= 1"},
        {"16.0e6", "-16.0e6", "copper.yaml:11: ", "slip.initial_slip_resistance = -16.0e6",
         "need Pa, from 1e4 to 1e11"},
        {"180.0e6", "-1", "copper.yaml:14: ", "hardening.initial_hardening_rate = -1",
         "need Pa, 0 or from 1e4 to 1e13"},
        {"148.0e6", "16.0e6", "copper.yaml:15: ", "hardening.saturation_resistance = 1.6e+07",
         "need more than slip.initial_slip_resistance (1.6e+07)"},
        {"2.25", "0.5", "copper.yaml:16: ", "hardening.exponent = 0.5", "need 1 <= exponent <= 100"},
        /* values meant in MPa or GPa */
        {"75.0e9", "75.0", "copper.yaml:7: ", "elasticity.C44 = 75.0", "need Pa"},
        {"168.7e9\n  C12: 121.7e9", "168.7\n  C12: 121.7", "copper.yaml:5: ", "elasticity.C11 = 168.7",
         "need Pa"},
        {"168.7e9", "168.7e18", "copper.yaml:5: ", "elasticity.C11 = 168.7e18", "need Pa"},
        {"16.0e6", "16", "copper.yaml:11: ", "slip.initial_slip_resistance = 16", "need Pa"},
        {"180.0e6", "180", "copper.yaml:14: ", "hardening.initial_hardening_rate = 180", "need Pa"},
        {"148.0e6", "148.0e15", "copper.yaml:15: ", "hardening.saturation_resistance = 148.0e15", "need Pa"},
        /* names */
        {"crystal_structure: fcc\n", "crystal_structure: fcc\nc_over_a: 1.6\n", "copper.yaml:4: ", "c_over_a",
         "has no place beside crystal_structure = fcc"},
        {"  C44", "  C13: 1e11\n  C44", "copper.yaml:7: ", "elasticity.C13",
         "has no place beside crystal_structure = fcc"},
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
        {"0.012", "\"0.012\\n\\e[2J\"", "copper.yaml:10: ", "slip.rate_sensitivity = 0.012\\n\\x1b[2J",
         "need a number"},
        {"0.012", "[0.012]", "copper.yaml:10: ", "slip.rate_sensitivity is a list", "need a number"},
        {"0.012", "{m: 0.012}", "copper.yaml:10: ", "slip.rate_sensitivity is a mapping", "need a number"},
        /* keys */
        {"rate_sensitivity", "rate_sensitivty", "copper.yaml:10: ", "unknown key 'slip.rate_sensitivty'",
         "did you mean 'slip.rate_sensitivity'?"},
        {"C44", "c44", "copper.yaml:7: ", "unknown key 'elasticity.c44'", "did you mean 'elasticity.C44'?"},
        {"hardening", "colour", "copper.yaml:12: ", "unknown key 'colour'",
         "need one of name, source, crystal_structure, c_over_a, b_over_a, temperature, elasticity, "
         "thermal_expansion, slip, "
         "hardening"},
        {"  rate_sensitivity: 0.012\n", "", "copper.yaml:8: ", "slip.rate_sensitivity", "is missing"},
        {"crystal_structure: fcc\n", "", "copper.yaml: ", "crystal_structure", "is missing"},
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
        {BYTES("{}\n"), "bad.yaml: ", "name is missing"},
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

/* What shaped a database's responses may not differ from a job's material; the rest may. */
static void differences_are_found_by_key(void **state)
{
    (void)state;
    sw_key_difference d;
    const sw_material a = copper();
    sw_material b = copper();
    assert_false(sw_keys_differ(sw_material_keys, "crystal_structure elasticity slip hardening", &a, &b, &d));
    b.hardening.voce.exponent = 1;
    assert_false(sw_keys_differ(sw_material_keys, "crystal_structure elasticity slip", &a, &b, &d));
    assert_true(sw_keys_differ(sw_material_keys, "elasticity hardening", &a, &b, &d));
    assert_string_equal(d.key, "hardening.exponent");
    assert_string_equal(d.a, "2.25");
    assert_string_equal(d.b, "1");
    b.crystal_structure = SW_LATTICE_bcc;
    assert_true(sw_keys_differ(sw_material_keys, "crystal_structure slip.rate_sensitivity", &a, &b, &d));
    assert_string_equal(d.b, "bcc");
    b = copper();
    b.slip.rate_sensitivity = 0.02;
    assert_true(sw_keys_differ(sw_material_keys, "slip.rate_sensitivity", &a, &b, &d));
    assert_false(sw_keys_differ(sw_material_keys, "slip.reference_slip_rate", &a, &b, &d));
}

/* What a host program has of it. */
static void hosts_open_materials(void **state)
{
    (void)state;
    sw_material *material;
    const char *path = write_file("copper.yaml", copper_text, strlen(copper_text));
    CHECK_OK(sw_material_open(path, &material));
    assert_true(sw_material_slip_resistance(material) == material->slip.initial_slip_resistance);
    assert_true(sw_material_slip_resistance(material) == 16e6);
    sw_material_close(material);
    unlink(path);
    assert_int_equal(sw_material_open(path, &material), SW_ERR_IO);
    assert_null(material);
    sw_material_close(material);
}

/* Every digit of every number, and a name that wants care. */
static void a_written_material_is_the_same(void **state)
{
    (void)state;
    sw_material *made, *again;
    char text[2048];
    sw_material third;
    CHECK_OK(sw_material_parse("copper", copper_text, &third));
    third.elasticity.c44 = 75e9 * (1 + 1.0 / 3);
    snprintf(third.name, sizeof third.name, "%s", "\"a\\b\"\tc: {d}");
    CHECK_OK(sw_material_write_text(&third, sizeof text, text));
    CHECK_OK(sw_material_parse_text("a text", text, &made));
    assert_memory_equal(made, &third, sizeof third);
    CHECK_OK(sw_material_write_text(made, strlen(text) + 1, text));
    assert_int_equal(sw_material_write_text(made, strlen(text), text), SW_ERR_RANGE);
    sw_material_close(made);
    assert_int_equal(sw_material_parse_text("a text", "{name: x}", &again), SW_ERR_INPUT);
    assert_message_has("a text: crystal_structure is missing");
    assert_null(again);
}

/* Lines for people are read again to the same numbers, in the fewest digits; keys that the law has not are left out. */
static void lines_are_the_same_material(void **state)
{
    (void)state;
    sw_material made, again;
    char text[4096];
    CHECK_OK(sw_material_parse("copper", copper_text, &made));
    made.elasticity.c44 = 75e9 * (1 + 1.0 / 3);
    CHECK_OK(sw_keys_write_lines(sw_material_keys, &made, sizeof text, text));
    CHECK_OK(sw_material_parse("lines", text, &again));
    assert_memory_equal(&again, &made, sizeof made);
    assert_non_null(strstr(text, "\n  rate_sensitivity: 0.012  # m\n"));
    assert_non_null(
        strstr(text, "\nhardening:\n  law: \"voce\"\n  initial_hardening_rate: 1.8e+08  # Pa; h0\n"));
    const size_t needed = strlen(text) + 1;
    CHECK_OK(sw_keys_write_lines(sw_material_keys, &made, needed, text));
    assert_int_equal(sw_keys_write_lines(sw_material_keys, &made, needed - 1, text), SW_ERR_RANGE);
}

static uint64_t hash_with(const char *old, const char *new)
{
    char *text = replaced(copper_text, old, new);
    sw_material material;
    CHECK_OK(sw_material_parse("changed", text, &material));
    free(text);
    return sw_material_hash(SW_HASH_START, &material);
}

/* Every number and word, its last bit, and nothing else. */
static void hashes_are_of_what_numbers_depend_on(void **state)
{
    (void)state;
    static const char *const changes[][2] = {{"fcc", "bcc24"},
                                             {"168.7e9", "168.70000000000003e9"},
                                             {"121.7e9", "121.70000000000002e9"},
                                             {"75.0e9", "75.00000000000002e9"},
                                             {"1.0e-3", "1.0000000000000003e-3"},
                                             {"0.012", "0.012000000000000002"},
                                             {"16.0e6", "16.000000000000004e6"},
                                             {"180.0e6", "180.00000000000003e6"},
                                             {"148.0e6", "148.00000000000003e6"},
                                             {"2.25", "2.2500000000000004"}};
    const uint64_t h = hash_with("OFHC", "OFHC");
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        assert_true(hash_with(changes[i][0], changes[i][1]) != h);
    assert_true(hash_with("OFHC copper", "another name") == h);
    assert_true(hash_with("a paper, 1992", "another paper") == h);
    assert_true(hash_with("168.7e9", "1687.0e8") == h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_material_is_read),
        cmocka_unit_test(other_spellings_mean_the_same),
        cmocka_unit_test(values_on_their_bounds_are_taken),
        cmocka_unit_test(bad_material_is_refused_with_its_place),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(differences_are_found_by_key),
        cmocka_unit_test(hosts_open_materials),
        cmocka_unit_test(a_written_material_is_the_same),
        cmocka_unit_test(lines_are_the_same_material),
        cmocka_unit_test(hashes_are_of_what_numbers_depend_on),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
