/* The command `export` in memory: what of a file arrives in another, what is drawn, what is refused. */
#include "tests/job_files.h"

#include "common/math/rotation.h"
#include "online/export/export.h"
#include "tests/online/texture/crystal_files.h"

static char from_path[PATH_MAX + 16], to_path[PATH_MAX + 16], said_path[PATH_MAX + 16];

enum { CRYSTALS = 7 };
static const double given[CRYSTALS][3] = {{0, 0, 0},   {10, 20, 30},   {350, 90, 45}, {180, 180, 0},
                                          {90, 35, 5}, {12, 120, 359}, {60, 60, 60}};
static const float weights[CRYSTALS] = {1, 2, 3, 4, 0.5F, 8, 2.5F};

static int clear(void **state)
{
    (void)state;
    unlink(from_path);
    unlink(to_path);
    unlink(said_path);
    return rmdir(folder);
}

static void write_given(const char *name, const float *weight)
{
    double euler[CRYSTALS][3];
    unlink(from_path);
    snprintf(from_path, sizeof from_path, "%s/%s", folder, name);
    snprintf(said_path, sizeof said_path, "%s/said.txt", folder);
    for (int i = 0; i < 3 * CRYSTALS; i++)
        euler[i / 3][i % 3] = given[i / 3][i % 3] * SW_PI / 180;
    CHECK_OK(write_crystal_file(from_path, CRYSTALS, (const double(*)[3])euler, weight));
}

/* `export` from there to a file of this name under n options; what it prints goes to a file of its own. */
static sw_status export_to(const char *name, int n, const char *const (*option)[2])
{
    const char *all[6][2] = {{"output", to_path}};
    unlink(to_path);
    snprintf(to_path, sizeof to_path, "%s/%s", folder, name);
    for (int i = 0; i < n; i++)
        memcpy(all[i + 1], option[i], sizeof all[0]);
    const sw_arguments arguments = {
        .file = from_path, .n_options = n + 1, .option = (const char *const(*)[2])all};
    fflush(stdout);
    const int terminal = dup(STDOUT_FILENO);
    FILE *said = fopen(said_path, "w");
    assert_non_null(said);
    dup2(fileno(said), STDOUT_FILENO);
    const sw_status status = sw_export_command.run(&arguments);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    fclose(said);
    return status;
}

static sw_status export_plain(const char *name) { return export_to(name, 0, NULL); }

/* Of a file, to 4095 bytes. */
static const char *text_of(const char *path)
{
    static char text[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void read_list(sw_crystal_list *list) { CHECK_OK(read_crystal_file(to_path, NULL, list)); }

/* ---- What arrives ---- */

static void crystals_and_weights_arrive(void **state)
{
    (void)state;
    static const char *const names[] = {"to.ori", "to.tex", "to.txt", "to.yaml"};
    double mean = 0;
    char expected[3 * PATH_MAX];
    for (int n = 0; n < CRYSTALS; n++)
        mean += (double)weights[n] / CRYSTALS;
    write_given("from.tex", weights);
    for (int k = 0; k < 4; k++) {
        sw_crystal_list list;
        CHECK_OK(export_plain(names[k]));
        read_list(&list);
        assert_int_equal(list.count, CRYSTALS);
        for (int n = 0; n < CRYSTALS; n++) {
            double g[3][3], h[3][3];
            const double euler[3] = {given[n][0] * SW_PI / 180, given[n][1] * SW_PI / 180,
                                     given[n][2] * SW_PI / 180};
            sw_rotation_from_euler(euler, g);
            sw_rotation_from_euler(list.euler[n], h);
            for (int i = 0; i < 9; i++)
                CHECK_CLOSE(h[i / 3][i % 3], g[i / 3][i % 3], 1e-7);
            CHECK_CLOSE(list.weight[n], (double)weights[n] / mean, 1e-6 * (double)weights[n]);
        }
        sw_crystal_list_free(&list);
        snprintf(expected, sizeof expected, "%s: 7 crystals with weights of %s\n", to_path, from_path);
        assert_string_equal(text_of(said_path), expected);
    }
}

static void equal_crystals_have_no_weights(void **state)
{
    (void)state;
    static const char *const names[] = {"to.ori", "to.ang", "to.ctf", "to.yaml"};
    char expected[3 * PATH_MAX];
    write_given("from.ori", NULL);
    for (int k = 0; k < 4; k++) {
        sw_crystal_list list;
        CHECK_OK(export_plain(names[k]));
        read_list(&list);
        assert_int_equal(list.count, CRYSTALS);
        assert_null(list.weight);
        sw_crystal_list_free(&list);
        snprintf(expected, sizeof expected, "%s: 7 crystals of %s\n", to_path, from_path);
        assert_string_equal(text_of(said_path), expected);
    }
}

/* Its own, or that of the file that it comes from; its lattice too. */
static void phases_keep_their_name_and_lattice(void **state)
{
    (void)state;
    static const char iron[] = "phase: {Iron: {lattice: cI}}\n"
                               "material: [{constituents: [{phase: Iron, v: 1, O: [1, 0, 0, 0]}]}]\n";
    static const char *const name[][2] = {{"name", "Stahl"}};
    unlink(from_path);
    snprintf(from_path, sizeof from_path, "%s/from.yaml", folder);
    write_text(from_path, iron);
    CHECK_OK(export_plain("to.ctf"));
    assert_non_null(strstr(text_of(to_path), "\tIron\t11\t229\t"));
    CHECK_OK(export_plain("to.yaml"));
    assert_non_null(strstr(text_of(to_path), "\"Iron\": {lattice: cI}"));
    CHECK_OK(export_to("to.yaml", 1, name));
    assert_non_null(strstr(text_of(to_path), "\"Stahl\": {lattice: cI}"));
    CHECK_OK(export_to("to.ang", 1, name));
    assert_non_null(strstr(text_of(to_path), "# MaterialName      Stahl\n# Formula           Stahl\n"));
}

/* What readers of the formats go by beside the numbers: whether weights are relative, points that are none, zeros
 * without a sign in quaternions of w >= 0. */
static void texts_are_their_formats(void **state)
{
    (void)state;
    write_given("from.tex", weights);
    CHECK_OK(export_plain("to.tex"));
    assert_non_null(strstr(text_of(to_path), "in degrees, relative weights\n-\nB 7\n"));
    write_given("from.ori", NULL);
    CHECK_OK(export_plain("to.tex"));
    assert_non_null(strstr(text_of(to_path), "in degrees, equal weights\n-\nB 7\n"));
    CHECK_OK(export_plain("to.ang")); /* 7 points of 9 */
    assert_non_null(strstr(text_of(to_path),
                           "\n12.5663706 12.5663706 12.5663706 1 2 0.0 -1.000 0 0 180.000\n"
                           "12.5663706 12.5663706 12.5663706 2 2 0.0 -1.000 0 0 180.000\n"));
    static const char *const turns[] = {"300 0 0\n", "150 0 150\n"};
    for (int k = 0; k < 2; k++) {
        write_text(from_path, turns[k]);
        CHECK_OK(export_plain("to.yaml"));
        assert_non_null(strstr(text_of(to_path), "[0.866025404, 0.000000000, 0.000000000, -0.500000000]"));
    }
    assert_non_null(strstr(text_of(to_path), "\n- homogenization: SX\n"));
    write_given("from.tex", weights);
    CHECK_OK(export_plain("to.yaml"));
    assert_non_null(strstr(text_of(to_path), "\n- homogenization: Taylor\n"));
}

/* ---- What is drawn ---- */

/* A draw is the seed's, which is 1 where none is given. */
static void draws_are_their_seeds(void **state)
{
    (void)state;
    static const char *const option[][2] = {
        {"resample", "50"}, {"halfwidth", "5"}, {"quiet", ""}, {"seed", "1"}};
    static const char *const zero[][2] = {
        {"resample", "50"}, {"halfwidth", "5"}, {"quiet", ""}, {"seed", "0"}};
    char first[4096];
    write_given("from.tex", weights);
    CHECK_OK(export_to("to.ori", 3, option));
    snprintf(first, sizeof first, "%s", text_of(to_path));
    CHECK_OK(export_to("to.ori", 4, option));
    assert_string_equal(text_of(to_path), first);
    CHECK_OK(export_to("to.ori", 4, zero));
    assert_string_not_equal(text_of(to_path), first);
    sw_crystal_list list;
    read_list(&list);
    assert_int_equal(list.count, 50);
    assert_null(list.weight);
    sw_crystal_list_free(&list);
}

/* ---- What is refused ---- */

static void refused(const char *name, int n, const char *const (*option)[2], const char *part)
{
    assert_int_equal(export_to(name, n, option), SW_ERR_INPUT);
    assert_message_has(part);
    assert_int_equal(access(to_path, F_OK), -1);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const halfwidth[][2] = {{"halfwidth", "5"}}, *const seed[][2] = {{"seed", "0"}},
                             *const both[][2] = {{"seed", "3"}, {"halfwidth", "5"}};
    write_given("from.tex", weights);
    refused("to.ori", 1, halfwidth, "--halfwidth = 5: need --resample beside it");
    refused("to.ori", 1, seed, "--seed = 0: need --resample beside it");
    refused("to.ori", 2, both, "need --resample beside it");
    refused("to.ang", 0, NULL, "a file .ang has no weights");
    refused("to.csv", 0, NULL, "need the suffix");
    unlink(from_path);
    assert_int_equal(export_plain("to.ori"), SW_ERR_IO);
    assert_int_equal(access(to_path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crystals_and_weights_arrive),
                                       cmocka_unit_test(equal_crystals_have_no_weights),
                                       cmocka_unit_test(phases_keep_their_name_and_lattice),
                                       cmocka_unit_test(texts_are_their_formats),
                                       cmocka_unit_test(draws_are_their_seeds),
                                       cmocka_unit_test(what_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, make_job_folder, clear);
}
