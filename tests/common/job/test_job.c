/* The table that jobs are read by: a table of the test's own, with every kind of row. */
#include "tests/test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "common/job/command.h"
#include "common/job/help.h"

typedef struct {
    double weight;
    int64_t count;
} part;

typedef enum { ROUND, SQUARE, SHAPES } shape;

typedef struct {
    sw_run_options run;
    const char *title, *data, *out;
    char name[8];
    shape shape;
    double radius, side, ratio, energy, enthalpy, hardness;
    const char *hardness_file;
    double hardness_time;
    int64_t number, whole_real;
    double as_double;
    int yes;
    double tensor[3][3];
    double *list;
    unsigned list_count;
    double (*pairs)[2];
    int pairs_count;
    int64_t *cells;
    int cells_count;
    const char **words;
    unsigned words_count;
    const char **files;
    unsigned files_count;
    part *parts;
    unsigned parts_count;
    part places[2];
    int n_places;
} sample;

static const sw_key_case shapes[] = {[ROUND] = {"round", .needs = "radius", .help = "as a ball"},
                                     [SQUARE] = {"square", .needs = "side", .takes = "ratio"},
                                     {0}};
static const sw_key part_keys[] = {
    {SW_REAL("weight", part, weight, 0, 10), .unit = "kg", .needed = 1, .option = "weight"},
    {SW_WHOLE("count", part, count, 1, 100), .standard = 1},
    SW_KEYS_END};
static const sw_key inner_keys[] = {
    {SW_WHOLE("number", sample, number, 1, 1e4), .standard = 7, .option = "number", .help = "a number"},
    {SW_REAL("as_double", sample, as_double, 0, 100), .whole = 1},
    SW_KEYS_END};
/* A mapping that may stand for a number. */
static const sw_key hardness_keys[] = {
    {SW_PATH("file", sample, hardness_file), .needed = 1, .option = "hardness-file"},
    {SW_REAL("time", sample, hardness_time, 0, 100), .standard = 4},
    SW_KEYS_END};
static const sw_key keys[] = {
    {SW_TEXT("title", sample, title), .option = "title", .letter = 't', .displaces = "name"},
    {SW_PATH("data", sample, data), .option = "data"},
    {SW_OUTPUT("out", sample, out), .option = "output", .letter = 'o'},
    {SW_NAME("name", sample, name)},
    {SW_CASES("shape", sample, shape, shapes), .standard = ROUND, .option = "shape"},
    {SW_REAL("radius", sample, radius, 0, INFINITY), .open = SW_OPEN_BELOW, .unit = "m"},
    {SW_REAL("side", sample, side, 1e-4, 2.5e7), .unit = "m"},
    {SW_REAL("ratio", sample, ratio, 0, 1), .open = SW_OPEN_BELOW | SW_OPEN_ABOVE, .standard = 0.5},
    {SW_REAL("energy", sample, energy, 0, 1e6), .smallest = 1e3, .unit = "J/mol"},
    {SW_REAL("enthalpy", sample, enthalpy, -1e30, 1e30), .smallest = 1e3},
    {SW_REAL("hardness", sample, hardness, 1, 9), .unit = "Pa", .standard = 2, .keys = hardness_keys},
    {SW_SECTION("inner", inner_keys)},
    {SW_YES("yes", sample, yes), .option = "yes"},
    {SW_TENSOR("tensor", sample, tensor)},
    {SW_REALS("list", sample, list, -1, 1), .shortest = 1, .longest = 3},
    {SW_ROWS("pairs", sample, pairs, 2)},
    {SW_WHOLES("cells", sample, cells, 1, 1000), .shortest = 2, .longest = 3, .option = "cells"},
    {SW_TEXTS("words", sample, words)},
    {SW_PATHS("files", sample, files), .option = "file"},
    {SW_ENTRIES("parts", sample, parts, part_keys)},
    {SW_PLACES("places", sample, places, n_places, part_keys)},
    {.name = "note", .type = SW_KEY_NOTE},
    SW_DEVICE_KEY(sample, run),
    SW_THREADS_KEY(sample, run),
    SW_QUIET_KEY(sample, run),
    SW_RESUME_KEY(sample, run),
    SW_KEYS_END};

static sw_status parse(const char *text, sw_job **job, sample **values)
{
    return sw_job_parse(keys, sizeof(sample), "folder/s.yaml", text, job, (void **)values);
}

static void every_kind_is_read(void **state)
{
    (void)state;
    static const char text[] = "title: a title\n"
                               "data: d.h5\n"
                               "name: seven77\n"
                               "shape: square\n"
                               "side: 2\n"
                               "energy: 0\n"
                               "enthalpy: -1000\n"
                               "inner: {number: 9, as_double: 3}\n"
                               "yes: true\n"
                               "tensor: [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\n"
                               "list: [0.5, -1]\n"
                               "pairs: [[1, 2], [3, 4]]\n"
                               "cells: [3, 4]\n"
                               "words: all\n"
                               "files: [a.h5, /b.h5]\n"
                               "parts: [{weight: 1}, {weight: 2, count: 5}]\n"
                               "places: [{weight: 3}]\n"
                               "note: {anything: [at, all]}\n"
                               "device: cpu\n"
                               "threads: 3\n";
    sw_job *job;
    sample *s;
    CHECK_OK(parse(text, &job, &s));
    assert_string_equal(s->title, "a title");
    assert_string_equal(s->data, "folder/d.h5");
    assert_null(s->out);
    assert_string_equal(s->name, "seven77");
    assert_int_equal(s->shape, SQUARE);
    assert_true(s->side == 2 && s->ratio == 0.5 && s->radius == 0);
    assert_true(s->energy == 0 && s->enthalpy == -1000);
    assert_int_equal(s->number, 9);
    assert_true(s->as_double == 3);
    assert_int_equal(s->yes, 1);
    for (int i = 0; i < 9; i++)
        assert_true(s->tensor[i / 3][i % 3] == i + 1);
    assert_int_equal(s->list_count, 2);
    assert_true(s->list[0] == 0.5 && s->list[1] == -1);
    assert_int_equal(s->pairs_count, 2);
    assert_true(s->pairs[0][0] == 1 && s->pairs[1][1] == 4);
    assert_int_equal(s->cells_count, 2);
    assert_int_equal(s->cells[1], 4);
    assert_int_equal(s->words_count, 1); /* a single word is a list of one */
    assert_string_equal(s->words[0], "all");
    assert_string_equal(s->files[0], "folder/a.h5");
    assert_string_equal(s->files[1], "/b.h5");
    assert_int_equal(s->parts_count, 2);
    assert_true(s->parts[1].weight == 2 && s->parts[0].count == 1 && s->parts[1].count == 5);
    assert_int_equal(s->n_places, 1);
    assert_true(s->places[0].weight == 3);
    assert_int_equal(s->run.device, SW_DEVICE_CPU);
    assert_int_equal(s->run.threads, 3);
    assert_true(sw_job_given(job, "inner.number") && sw_job_given(job, "inner") &&
                sw_job_given(job, "parts[1].count"));
    assert_false(sw_job_given(job, "parts[0].count") || sw_job_given(job, "ratio"));
    assert_int_equal(sw_job_need(job, "inner.number", 2.5, 0, "number < 2"), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "folder/s.yaml:8: inner.number = 2.5: need number < 2");
    assert_int_equal(sw_job_error(job, "parts[1]", " of %d: too many", 3), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "folder/s.yaml:16: parts[1] of 3: too many");
    sw_job_close(job);
    sw_job_close(NULL);
}

static void defaults_are_set(void **state)
{
    (void)state;
    sw_job *job;
    sample *s;
    CHECK_OK(parse("radius: 1\n", &job, &s));
    assert_int_equal(s->shape, ROUND);
    assert_int_equal(s->number, 7);
    assert_true(s->ratio == 0.5);
    assert_null(s->title);
    assert_int_equal(s->list_count + (unsigned)s->n_places, 0);
    assert_int_equal(s->run.device, SW_DEVICE_AUTO);
    assert_int_equal(s->run.threads, 0);
    sw_job_close(job);
}

static void a_mapping_stands_for_a_number(void **state)
{
    (void)state;
    sw_job *job;
    sample *s;
    CHECK_OK(parse("radius: 1\nhardness: 3\n", &job, &s));
    assert_true(s->hardness == 3 && s->hardness_time == 4);
    assert_null(s->hardness_file);
    assert_true(sw_job_given(job, "hardness") && !sw_job_given(job, "hardness.file"));
    sw_job_close(job);
    CHECK_OK(parse("radius: 1\nhardness: {file: h.h5, time: 5}\n", &job, &s));
    assert_true(s->hardness == 2 && s->hardness_time == 5); /* the number is its standard */
    assert_string_equal(s->hardness_file, "folder/h.h5");
    assert_true(sw_job_given(job, "hardness") && sw_job_given(job, "hardness.file"));
    sw_job_close(job);
    CHECK_OK(parse("radius: 1\n", &job, &s));
    assert_true(s->hardness == 2 && s->hardness_time == 4 && s->hardness_file == NULL);
    assert_false(sw_job_given(job, "hardness"));
    sw_job_close(job);
}

static void bad_values_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"radius: 0\n", "folder/s.yaml:1: radius = 0: need m, more than 0"},
        {"radius: wide\n", "folder/s.yaml:1: radius = wide: need a number"},
        {"\nradius: [1]\n", "folder/s.yaml:2: radius is a list: need a number"},
        {"side: 2.6e7\nshape: square\n", "folder/s.yaml:1: side = 2.6e7: need m, from 1e-4 to 2.5e7"},
        {"shape: square\nside: 1\nratio: 1\n", "folder/s.yaml:3: ratio = 1: need 0 < ratio < 1"},
        {"energy: 136\n", "folder/s.yaml:1: energy = 136: need J/mol, 0 or from 1000 to 1e6"},
        {"energy: -2e3\n", "folder/s.yaml:1: energy = -2e3: need J/mol, 0 or from 1000 to 1e6"},
        {"enthalpy: -999\n", "folder/s.yaml:1: enthalpy = -999: need 0 or from 1000 to 1e30 in size"},
        {"radius: 1\ninner: {number: 0}\n", "folder/s.yaml:2: inner.number = 0: need 1 <= number <= 1e4"},
        {"radius: 1\ninner: {number: 1.5}\n",
         "folder/s.yaml:2: inner.number = 1.5: need a whole number in plain digits"},
        {"inner: {as_double: 1.5}\nradius: 1\n",
         "folder/s.yaml:1: inner.as_double = 1.5: need a whole number in plain digits"},
        {"inner: {as_double: 2e1}\nradius: 1\n",
         "folder/s.yaml:1: inner.as_double = 2e1: need a whole number in plain digits"},
        {"inner: 3\n", "folder/s.yaml:1: inner = 3: need the keys number, as_double"},
        {"hardness: 0\n", "folder/s.yaml:1: hardness = 0: need Pa, from 1 to 9"},
        {"hardness: [1]\n",
         "folder/s.yaml:1: hardness is a list: need Pa, from 1 to 9, or the keys file, time"},
        {"hardness: {}\n",
         "folder/s.yaml:1: hardness is empty: need Pa, from 1 to 9, or the keys file, time"},
        {"radius: 1\nhardness: {time: 1}\n", "folder/s.yaml:2: hardness.file is missing: need a file"},
        {"hardness:\n  file: a\n  time: 101\n",
         "folder/s.yaml:3: hardness.time = 101: need 0 <= time <= 100"},
        {"hardness: {fil: a}\n",
         "folder/s.yaml:1: unknown key 'hardness.fil': did you mean 'hardness.file'?"},
        {"name: eight888\n", "folder/s.yaml:1: name = eight888: need a text of 1 to 7 bytes"},
        {"title: ''\n", "folder/s.yaml:1: title = '': need a text"},
        {"yes: maybe\n", "folder/s.yaml:1: yes = maybe: need yes or no"},
        {"device: abacus\n", "folder/s.yaml:1: device = abacus: need one of auto, cpu, cuda"},
        {"shape: oval\n", "folder/s.yaml:1: shape = oval: need one of round, square"},
        {"tensor: [[1, 2, 3], [4, 5, 6]]\n", "folder/s.yaml:1: tensor has 2 entries: need 3"},
        {"tensor: [[1, 2, 3], [4, 5, 6], [7, 8]]\n", "folder/s.yaml:1: tensor[2] has 2 entries: need 3"},
        {"tensor: 1\n", "folder/s.yaml:1: tensor = 1: need a list"},
        {"list: []\n", "folder/s.yaml:1: list has 0 entries: need at least 1"},
        {"places: []\n", "folder/s.yaml:1: places has 0 entries: need at least 1"},
        {"list: [1, 1, 1, 1]\n", "folder/s.yaml:1: list has 4 entries: need at most 3"},
        {"list:\n  - 1\n  - 2\n", "folder/s.yaml:3: list[1] = 2: need -1 <= list <= 1"},
        {"pairs: [[1, 2], [3]]\n", "folder/s.yaml:1: pairs[1] has 1 entries: need 2"},
        {"places: [{weight: 1}, {weight: 1}, {weight: 1}]\n",
         "folder/s.yaml:1: places has 3 entries: need at most 2"},
        {"parts: [{weight: 11}]\n", "folder/s.yaml:1: parts[0].weight = 11: need kg, from 0 to 10"},
        {"radius: 1\nparts: [{count: 1}]\n",
         "folder/s.yaml:2: parts[0].weight is missing: need kg, from 0 to 10"},
        {"radus: 1\n", "folder/s.yaml:1: unknown key 'radus': did you mean 'radius'?"},
        {"parts: [{colour: 1}]\n",
         "folder/s.yaml:1: unknown key 'parts[0].colour': need one of weight, count"},
        {"radius: 1\nradius: 2\n", "folder/s.yaml:2: radius is given twice, first on line 1"},
        {"title: a\n", "folder/s.yaml: radius is missing: shape = round needs it, m, more than 0"},
        {"radius: 1\nside: 1\n", "folder/s.yaml:2: side has no place beside shape = round"},
        {"- 1\n", "folder/s.yaml:1: the file is a list: need the keys title, data, "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_job *job;
        sample *s;
        assert_int_equal(parse(cases[i].text, &job, &s), SW_ERR_INPUT);
        assert_null(job);
        assert_null(s);
        assert_message_has(cases[i].message);
    }
}

/* Beside the file, else in the working folder; where there is none, beside the file. */
static void files_are_looked_for(void **state)
{
    (void)state;
    static const char text[] = "radius: 1\ndata: here.h5\nfiles: [both.h5, there.h5, nowhere.h5]\n";
    static const char *const made[] = {"here.h5", "both.h5", "folder/both.h5", "folder/there.h5"};
    char base[] = "/tmp/slipwave-job-XXXXXX", *before = getcwd(NULL, 0);
    sw_job *job;
    sample *s;
    assert_non_null(mkdtemp(base));
    assert_int_equal(chdir(base) | mkdir("folder", 0700), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(fclose(fopen(made[i], "w")), 0);
    CHECK_OK(parse(text, &job, &s));
    assert_string_equal(s->data, "here.h5");
    assert_string_equal(s->files[0], "folder/both.h5");
    assert_string_equal(s->files[1], "folder/there.h5");
    assert_string_equal(s->files[2], "folder/nowhere.h5");
    sw_job_close(job);
    assert_int_equal(parse("radius: 1\nhardness: {file: both.h5}\nout: folder/both.h5\n", &job, &s),
                     SW_ERR_INPUT);
    assert_message_has("folder/s.yaml:3: out = folder/both.h5: is the input hardness.file");
    for (int i = 0; i < 4; i++)
        unlink(made[i]);
    assert_int_equal(rmdir("folder") | chdir(before) | rmdir(base), 0);
    free(before);
}

#define OPTIONS(...)                                                                                         \
    (int)(sizeof((const char *const[][2]){__VA_ARGS__}) / sizeof(const char *[2])), (const char *const[][2]) \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

static char path[64];

static sw_status read_with(const char *text, int n, const char *const (*option)[2], sw_job **job,
                           sample **values)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return sw_job_read(keys, sizeof(sample), &(sw_arguments){path, n, option}, 1, job, (void **)values);
}

static void options_replace_keys(void **state)
{
    (void)state;
    static const char text[] = "radius: 1\nname: short\ninner: {number: 0}\ncells: [1, 2]\nfiles: [a]\n"
                               "parts: [{weight: 1}, {weight: 2}]\n";
    sw_job *job;
    sample *s;
    CHECK_OK(
        read_with(text,
                  OPTIONS({"title", "t"}, {"number", "5"}, {"cells", "40x50x6"}, {"file", "x.h5"},
                          {"file", "y.h5"}, {"weight", "9"}, {"yes", "yes"}, {"quiet", ""}, {"data", "d"}),
                  &job, &s));
    assert_string_equal(s->title, "t");
    assert_string_equal(s->name, ""); /* which --title displaces */
    assert_int_equal(s->number, 5);   /* a bad value in the file gives way, too */
    assert_int_equal(s->cells_count, 3);
    assert_int_equal(s->cells[0] * 10000 + s->cells[1] * 100 + s->cells[2], 405006);
    assert_int_equal(s->files_count, 2);
    assert_string_equal(s->files[1], "y.h5"); /* from the working folder */
    assert_true(s->parts[0].weight == 1 && s->parts[1].weight == 9);
    assert_int_equal(s->yes + s->run.quiet, 2);
    assert_string_equal(s->data, "d");
    assert_string_equal(sw_job_option_of(job, "parts[1].weight"), "weight");
    assert_null(sw_job_option_of(job, "parts[0].weight"));
    assert_int_equal(sw_job_error(job, "cells[1]", " = 50: no"), SW_ERR_INPUT);
    assert_string_equal(sw_error_message(), "--cells = 50: no");
    sw_job_close(job);
}

/* Whatever the file has in its place. */
static void an_option_gives_a_key_of_the_mapping(void **state)
{
    (void)state;
    static const char *const texts[] = {"radius: 1\n", "radius: 1\nhardness: 3\n",
                                        "radius: 1\nhardness: {file: h.h5, time: 4}\n"};
    for (int i = 0; i < 3; i++) {
        sw_job *job;
        sample *s;
        CHECK_OK(read_with(texts[i], OPTIONS({"hardness-file", "other.h5"}), &job, &s));
        assert_string_equal(s->hardness_file, "other.h5");
        assert_true(s->hardness_time == 4);
        assert_string_equal(sw_job_option_of(job, "hardness.file"), "hardness-file");
        sw_job_close(job);
    }
}

static void bad_options_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *option[2], *message;
    } cases[] = {
        {{"number", "0"}, "--number = 0: need 1 <= number <= 1e4"},
        {{"number", "many"}, "--number = many: need a whole number in plain digits"},
        {{"cells", "40x"}, "--cells = 40x: need whole numbers, one x or comma between two"},
        {{"cells", "4xx4"}, "--cells = 4xx4: need whole numbers, one x or comma between two"},
        {{"cells", "40"}, "--cells has 1 entries: need at least 2"},
        {{"cells", "1x2x3x4"}, "--cells has 4 entries: need at most 3"},
        {{"cells", "1x1001"}, "--cells = 1001: need 1 <= cells <= 1000"},
        {{"title", ""}, "--title = '': need a text"},
        {{"weight", "1"}, "--weight = 1: the file has no parts"},
        {{"colour", "1"}, "unknown option '--colour'"},
        {{"shape", "square"}, ":1: radius has no place beside shape = square"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_job *job;
        sample *s;
        assert_int_equal(read_with("radius: 1\n", 1, &cases[i].option, &job, &s), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(cases[i].message);
    }
}

static void one_of_several_is_asked_for(void **state)
{
    (void)state;
    sw_job *job;
    sample *s;
    int chosen;
    CHECK_OK(parse("radius: 1\ntitle: t\nname: n\n", &job, &s));
    CHECK_OK(sw_job_one_of(job, "", "data title out", 1, &chosen));
    assert_int_equal(chosen, 1);
    assert_int_equal(sw_job_one_of(job, "", "data title name", 1, &chosen), SW_ERR_INPUT);
    assert_message_has("name beside title: need only one of them");
    CHECK_OK(sw_job_one_of(job, "inner.", "number as_double", 0, &chosen));
    assert_int_equal(chosen, -1);
    assert_int_equal(sw_job_one_of(job, "inner.", "number as_double", 1, &chosen), SW_ERR_INPUT);
    assert_message_has("inner.number is missing: need number or as_double");
    sw_job_close(job);
}

/* Rows make their own documentation. */
static void tables_are_printed(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "| `title` | a text |  | `--title` |  |\n",
        "| `shape` | round or square | round | `--shape` | `round`: as a ball |\n",
        "| `side` | m, from 1e-4 to 2.5e7 |  |  | with shape `square` (needed) |\n",
        "| `energy` | J/mol, 0 or from 1000 to 1e6 |  |  |  |\n",
        "| `hardness` | Pa, from 1 to 9; or a mapping | 2 |  |  |\n",
        "| `hardness.file` | a file | needed | `--hardness-file` |  |\n",
        "| `inner.number` | 1 <= number <= 1e4 | 7 | `--number` | a number |\n",
        "| `list` | list: -1 <= list <= 1 |  |  |  |\n",
        "| `parts[].weight` | kg, from 0 to 10 | needed | `--weight` |  |\n",
        "| `device` | auto, cpu or cuda | auto | `--device` | auto takes a GPU if there is one |\n"};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    sw_print_keys(out, keys);
    fclose(out);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strstr(text, lines[i]) == NULL)
            fail_msg("no line %s in\n%s", lines[i], text);
    assert_null(strstr(text, "quiet")); /* an option is no key */
    free(text);
}

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/slipwave-job-%ld.yaml", (long)getpid());
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(defaults_are_set),
        cmocka_unit_test(a_mapping_stands_for_a_number),
        cmocka_unit_test(bad_values_are_refused_with_their_place),
        cmocka_unit_test(files_are_looked_for),
        cmocka_unit_test(options_replace_keys),
        cmocka_unit_test(an_option_gives_a_key_of_the_mapping),
        cmocka_unit_test(bad_options_are_refused_by_name),
        cmocka_unit_test(one_of_several_is_asked_for),
        cmocka_unit_test(tables_are_printed),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
