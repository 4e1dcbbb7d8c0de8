#include "tests/test.h"

#include <unistd.h>

#include "online/taylor/job.h"

static char folder[256];   /* made for the tests */
static char job_path[300]; /* folder/psc.yaml */

static int make_folder(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/slipwave-job-XXXXXX", base == NULL ? "/tmp" : base);
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(job_path, sizeof job_path, "%s/psc.yaml", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return unlink(job_path) | rmdir(folder);
}

static const char full[] = "database: copper-64.h5\n"                                   /* 1 */
                           "material: ../copper.yaml\n"                                 /* 2 */
                           "solver: terms\n"                                            /* 3 */
                           "terms: 8192\n"                                              /* 4 */
                           "refinement: 64\n"                                           /* 5 */
                           "crystals: {count: 65536, texture: random,\n"                /* 6 */
                           "           seed: 7}\n"                                      /* 7 */
                           "initial_slip_resistance: 17.0e6\n"                          /* 8 */
                           "strain_increment: 0.01\n"                                   /* 9 */
                           "loading:\n"                                                 /* 10 */
                           "  - velocity_gradient:\n"                                   /* 11 */
                           "      [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]]\n"       /* 12 */
                           "    duration: 1000.0\n"                                     /* 13 */
                           "  - velocity_gradient: [[0, 1, 2], [3, 0, 4], [5, 6, 0]]\n" /* 14 */
                           "    duration: 0.5\n"                                        /* 15 */
                           "output: {file: psc.h5,\n"                                   /* 16 */
                           "         orientations: [0, 10, last],\n"                    /* 17 */
                           "         textures: [5, last]}\n";                           /* 18 */

static const char least[] = "solver: grid\n"
                            "database: /data/copper-64.h5\n"
                            "crystals: {count: 1}\n"
                            "loading: [{velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 1}]\n"
                            "output: {file: out.h5}\n";

/* Read `text` as the job file, with the first `old` in it (may be NULL) replaced by `new`. */
static sw_status read_job(const char *text, const char *old, const char *new,
                          const sw_taylor_overrides *overrides, sw_taylor_job **job)
{
    const char *at = old == NULL ? text : strstr(text, old);
    assert_non_null(at);
    FILE *file = fopen(job_path, "wb");
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, old == NULL ? "" : new,
            at + (old == NULL ? 0 : strlen(old)));
    assert_int_equal(fclose(file), 0);
    return sw_taylor_job_read(job_path, overrides, job);
}

static sw_taylor_job *read_good(const char *text, const char *old, const char *new,
                                const sw_taylor_overrides *overrides)
{
    sw_taylor_job *job;
    if (read_job(text, old, new, overrides, &job) != SW_OK)
        fail_msg("%s", sw_error_message());
    assert_non_null(job);
    return job;
}

static void assert_in_folder(const char *path, const char *name)
{
    char expected[512];
    snprintf(expected, sizeof expected, "%s/%s", folder, name);
    assert_string_equal(path, expected);
}

static void every_key_is_read(void **state)
{
    (void)state;
    static const double gradients[2][3][3] = {{{1.0e-3, 0, 0}, {0, 0, 0}, {0, 0, -1.0e-3}},
                                              {{0, 1, 2}, {3, 0, 4}, {5, 6, 0}}};
    static const char *const steps[] = {"0", "10", "last"};
    sw_taylor_job *job = read_good(full, NULL, NULL, NULL);
    assert_in_folder(job->database, "copper-64.h5");
    assert_in_folder(job->material, "../copper.yaml");
    assert_string_equal(job->solver, "terms");
    assert_int_equal(job->terms, 8192);
    assert_int_equal(job->refinement, 64);
    assert_int_equal(job->crystals.count, 65536);
    assert_string_equal(job->crystals.texture, "random");
    assert_int_equal(job->crystals.seed, 7);
    assert_null(job->crystals.file);
    assert_true(job->initial_slip_resistance == 17.0e6);
    assert_true(job->strain_increment == 0.01);
    assert_int_equal(job->loading_count, 2);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(job->loading[i].velocity_gradient, gradients[i], sizeof gradients[i]);
    assert_true(job->loading[0].duration == 1000.0);
    assert_true(job->loading[1].duration == 0.5);
    assert_string_equal(job->output.file, "psc.h5");
    assert_int_equal(job->output.orientations_count, 3);
    for (int i = 0; i < 3; i++)
        assert_string_equal(job->output.orientations[i], steps[i]);
    assert_true(job->output.textures_given);
    assert_int_equal(job->output.textures_count, 2);
    assert_string_equal(job->output.textures[0], "5");
    assert_string_equal(job->output.textures[1], "last");
    assert_string_equal(job->text, full);
    sw_taylor_job_free(job);
}

static void absent_keys_have_their_defaults(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, NULL, NULL, NULL);
    assert_string_equal(job->database, "/data/copper-64.h5"); /* an absolute path stays */
    assert_null(job->material);
    assert_string_equal(job->solver, "grid");
    assert_int_equal(job->terms, 0);
    assert_int_equal(job->refinement, 0);
    assert_int_equal(job->crystals.count, 1);
    assert_string_equal(job->crystals.texture, "random");
    assert_int_equal(job->crystals.seed, 1);
    assert_null(job->crystals.file);
    assert_true(job->initial_slip_resistance == 0);
    assert_true(job->strain_increment == 0.02);
    assert_int_equal(job->output.orientations_count, 0);
    assert_int_equal(job->output.textures_count, 0);
    assert_false(job->output.textures_given);
    sw_taylor_job_free(job);
}

/* An empty list of textures is one: without it there are those of the orientations. */
static void textures_may_be_none(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(full, "[5, last]", "[]", NULL);
    assert_true(job->output.textures_given);
    assert_int_equal(job->output.textures_count, 0);
    sw_taylor_job_free(job);
    job = read_good(full, ",\n         textures: [5, last]", "", NULL);
    assert_false(job->output.textures_given);
    sw_taylor_job_free(job);
    job = read_good(least, "file: out.h5", "file: out.h5, textures: [0]", NULL); /* without orientations */
    assert_int_equal(job->output.orientations_count, 0);
    assert_int_equal(job->output.textures_count, 1);
    sw_taylor_job_free(job);
}

static void crystals_come_from_a_file(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, "{count: 1}", "{file: grains.ori}", NULL);
    assert_in_folder(job->crystals.file, "grains.ori");
    assert_int_equal(job->crystals.count, 0);
    assert_null(job->crystals.texture);
    sw_taylor_job_free(job);
}

static void iterative_solver_needs_only_a_material(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, "solver: grid\ndatabase: /data/copper-64.h5\n",
                                   "material: copper.yaml\nsolver: iterative\n", NULL);
    assert_null(job->database);
    assert_in_folder(job->material, "copper.yaml");
    sw_taylor_job_free(job);
    sw_taylor_job_free(read_good(least, "solver: grid", "solver: iterative", NULL));
}

static void polish_needs_only_a_material(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, "solver: grid\ndatabase: /data/copper-64.h5\n",
                                   "material: copper.yaml\nsolver: polish\n", NULL);
    assert_string_equal(job->solver, "polish");
    assert_null(job->database);
    sw_taylor_job_free(job);
}

/* Keys of the grid solver, of auto, and of the machine. */
static void choices_are_read(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"linear", "auto"}, {"nearest", "cpu"}, {"nearest", "cuda"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char new[128];
        snprintf(new, sizeof new, "solver: auto\nerror: 0.25\ninterpolation: %s\ndevice: %s\n", words[i][0],
                 words[i][1]);
        sw_taylor_job *job = read_good(least, "solver: grid\n", new, NULL);
        assert_string_equal(job->solver, "auto");
        assert_true(job->error == 0.25);
        assert_string_equal(job->interpolation, words[i][0]);
        assert_string_equal(job->device, words[i][1]);
        sw_taylor_job_free(job);
    }
    sw_taylor_job *job = read_good(least, "solver: grid\n", "solver: auto\n", NULL);
    assert_true(job->error == 0.01);
    assert_null(job->interpolation);
    assert_null(job->device);
    sw_taylor_job_free(job);
}

/* An error in the file is the solver's of the file: it goes with it. */
static void solver_option_displaces_the_error(void **state)
{
    (void)state;
    const sw_taylor_overrides grid = {.solver = "grid"}, automatic = {.solver = "auto"};
    const double tenth_of_one = 0.1;
    const sw_taylor_overrides with_error = {.solver = "auto", .error = &tenth_of_one};
    sw_taylor_job_free(read_good(least, "solver: grid\n", "solver: auto\nerror: 0.02\n", &grid));
    sw_taylor_job *job = read_good(least, "solver: grid\n", "solver: auto\nerror: 0.02\n", &automatic);
    assert_true(job->error == 0.02);
    sw_taylor_job_free(job);
    job = read_good(least, "solver: grid\n", "solver: auto\nerror: 0.02\n", &with_error);
    assert_true(job->error == 0.1);
    sw_taylor_job_free(job);
}

static void values_on_their_bounds_are_taken(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"terms: 8192", "terms: 1"},
        {"solver: terms", "solver: auto\nerror: 1.0e-4"},
        {"solver: terms", "solver: auto\nerror: 0.5"},
        {"refinement: 64", "refinement: 1"},
        {"refinement: 64", "refinement: 4096"},
        {"count: 65536", "count: 1099511627776"}, /* 2^40 */
        {"seed: 7", "seed: 0"},
        {"seed: 7", "seed: 9223372036854775807"}, /* 2^63 - 1 */
        {"strain_increment: 0.01", "strain_increment: 0.1"},
        {"[0, 10, last]", "[]"},
        {"[0, 10, last]", "[597]"}, /* 142 steps and 455 */
        {"[5, last]", "[597]"},
        {"[1.0e-3, 0, 0]", "[1.000000000001e-3, 0, 0]"}, /* trace = 1e-12 of an entry */
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 1e-40, 0], [0, 0, 0], [0, 0, 0]"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
        sw_taylor_job_free(read_good(full, edits[i][0], edits[i][1], NULL));
}

static void bad_jobs_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        const char *place, *key,
            *bound; /* parts of the message: file and line, key and value, what is needed */
    } cases[] = {
        {"solver: terms", "solver: term", "psc.yaml:3: ", "solver = term",
         "need one of terms, grid, polish, iterative, auto"},
        {"solver: terms", "solvr: terms", "psc.yaml:3: ", "unknown key 'solvr'", "did you mean 'solver'?"},
        {"solver: terms\n", "", "psc.yaml:1: ", "solver is missing",
         "need one of terms, grid, polish, iterative, auto"},
        {"database: copper-64.h5\n", "", "psc.yaml:1: ", "database is missing", "'terms' needs a database"},
        {"database: copper-64.h5\nmaterial: ../copper.yaml\nsolver: terms\n", "solver: iterative\n",
         "psc.yaml:1: ", "database is missing", "'iterative' needs a database or a material"},
        {"database: copper-64.h5\nmaterial: ../copper.yaml\nsolver: terms\n", "solver: polish\n",
         "psc.yaml:1: ", "database is missing", "'polish' needs a database or a material"},
        {"database: copper-64.h5\nmaterial: ../copper.yaml\nsolver: terms\n",
         "solver: auto\nmaterial: ../copper.yaml\n", "psc.yaml:1: ", "database is missing",
         "'auto' needs a database"},
        {"solver: terms", "solver: auto\nerror: 0.00009", "psc.yaml:4: ", "error = 9e-05",
         "need 1e-4 <= error <= 0.5"},
        {"solver: terms", "solver: auto\nerror: 0.5000001", "psc.yaml:4: ", "error = 0.5000001",
         "need 1e-4 <= error <= 0.5"},
        {"solver: terms", "solver: auto\nerror: small", "psc.yaml:4: ", "error = small", "need a number"},
        {"solver: terms", "solver: grid\nerror: 0.01", "psc.yaml:4: ", "error = 0.01",
         "has no effect on the solver 'grid', only on 'auto'"},
        {"solver: terms", "solver: grid\ninterpolation: cubic", "psc.yaml:4: ", "interpolation = cubic",
         "need one of linear, nearest"},
        {"solver: terms", "solver: grid\ndevice: abacus", "psc.yaml:4: ", "device = abacus",
         "need one of auto, cpu, cuda"},
        {"copper-64.h5", "''", "psc.yaml:1: ", "database = ''", "need a text"},
        {"8192", "0", "psc.yaml:4: ", "terms = 0", "need terms >= 1"},
        {"8192", "8192.5", "psc.yaml:4: ", "terms = 8192.5", "need a whole number"},
        {"64\n", "0\n", "psc.yaml:5: ", "refinement = 0", "need 1 <= refinement <= 4096"},
        {"64\n", "4097\n", "psc.yaml:5: ", "refinement = 4097", "need 1 <= refinement <= 4096"},
        {"65536", "0", "psc.yaml:6: ", "crystals.count = 0", "need 1 <= count <= 2^40"},
        {"65536", "1099511627777", "psc.yaml:6: ", "crystals.count = 1099511627777",
         "need 1 <= count <= 2^40"},
        {"random", "cube", "psc.yaml:6: ", "crystals.texture = cube", "need one of random"},
        {"seed: 7", "seed: -1", "psc.yaml:7: ", "crystals.seed = -1", "need 0 <= seed < 2^63"},
        {"seed: 7", "seed: 9223372036854775808", "psc.yaml:7: ", "crystals.seed = 9223372036854775808",
         "2^63 - 1"},
        {"count: 65536, ", "", "psc.yaml:6: ", "crystals.count is missing",
         "need crystals.count or crystals.file"},
        {"crystals: {count: 65536, texture: random,\n           seed: 7}\n", "",
         "psc.yaml:1: ", "crystals.count is missing", "need crystals.count or crystals.file"},
        {"seed: 7", "file: g.ori", "psc.yaml:6: ", "crystals.count beside crystals.file", "need only one"},
        {"count: 65536, texture: random", "file: g.ori", "psc.yaml:7: ", "crystals.seed beside crystals.file",
         "need only one"},
        {"17.0e6", "0", "psc.yaml:8: ", "initial_slip_resistance = 0", "need Pa, from 1e4 to 1e11"},
        {"17.0e6", "inf", "psc.yaml:8: ", "initial_slip_resistance = inf", "need a number"},
        {"0.01\n", "0\n", "psc.yaml:9: ", "strain_increment = 0", "need 0 < strain_increment <= 0.1"},
        {"0.01\n", "0.1000000001\n", "psc.yaml:9: ", "strain_increment = 0.1000000001",
         "need 0 < strain_increment <= 0.1"},
        {"1000.0", "0", "psc.yaml:13: ", "loading[0].duration = 0", "need duration > 0"},
        {"duration: 0.5", "duration: -0.5", "psc.yaml:15: ", "loading[1].duration = -0.5",
         "need duration > 0"},
        {"duration: 0.5", "duration: nan", "psc.yaml:15: ", "loading[1].duration = nan", "need a number"},
        {"    duration: 0.5\n", "", "psc.yaml:14: ", "loading[1].duration", "is missing"},
        {"[1.0e-3, 0, 0]", "[1.1e-3, 0, 0]",
         "psc.yaml:11: ", "loading[0].velocity_gradient has trace = 0.0001", "need |trace| <= 1e-09 |D|"},
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 1, 2], [-1, 0, 3], [-2, -3, 0]",
         "psc.yaml:14: ", "loading[1].velocity_gradient has a symmetric part |D| = 0", "need more than"},
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 0, 0], [0, 0, 0], [0, 0, 0]",
         "psc.yaml:14: ", "loading[1].velocity_gradient = 0", "need a symmetric part that is not zero"},
        {"[0, 1, 2], [3", "[0, 1, 2, 3], [3",
         "psc.yaml:14: ", "loading[1].velocity_gradient[0] has 4 entries", "need 3"},
        {"[0, 1, 2], ", "", "psc.yaml:14: ", "loading[1].velocity_gradient has 2 entries", "need 3"},
        {"[5, 6, 0]", "[5, six, 0]", "psc.yaml:14: ", "loading[1].velocity_gradient[2][1] = six",
         "need a number"},
        {"psc.h5", "''", "psc.yaml:16: ", "output.file = ''", "need a text"},
        {"file: psc.h5,\n", "", "psc.yaml:16: ", "output.file is missing", "need a file"},
        {"10, last", "-1, last", "psc.yaml:17: ", "output.orientations[1] = -1", "need a step >= 0 or last"},
        {"10, last", "10, final", "psc.yaml:17: ", "output.orientations[2] = final",
         "need a step >= 0 or last"},
        {"10, last", "10, 1.5", "psc.yaml:17: ", "output.orientations[2] = 1.5", "need a step >= 0 or last"},
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 1e300, 0], [0, 0, 0], [0, 0, 0]",
         "psc.yaml:15: ", "loading[1].duration = 0.5", "need at most 1e9 strain increments in a job"},
        {"10, last", "10, 598", "psc.yaml:17: ", "output.orientations[2] = 598", "the loading has 597 steps"},
        {"10, last", "9223372036854775808", "psc.yaml:17: ", "output.orientations[1] = 9223372036854775808",
         "need a step >= 0 or last"},
        {"[5, last]", "[5, -1]", "psc.yaml:18: ", "output.textures[1] = -1", "need a step >= 0 or last"},
        {"[5, last]", "[first]", "psc.yaml:18: ", "output.textures[0] = first", "need a step >= 0 or last"},
        {"[5, last]", "[5, last, 598]", "psc.yaml:18: ", "output.textures[2] = 598",
         "the loading has 597 steps"},
        {"[5, last]", "last", "psc.yaml:18: ", "output.textures", "need a list"},
        {"textures: ", "texture: ", "psc.yaml:18: ", "unknown key 'output.texture'",
         "did you mean 'output.textures'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_taylor_job *job;
        assert_int_equal(read_job(full, cases[i].old, cases[i].new, NULL, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(cases[i].place);
        assert_message_has(cases[i].key);
        assert_message_has(cases[i].bound);
    }
}

static void loading_is_a_list_that_is_not_empty(void **state)
{
    (void)state;
    static const char *const edits[][2] = {
        {"loading: []\n", "psc.yaml:4: loading has 0 entries: need at least 1"},
        {"loading: {duration: 1}\n", "psc.yaml:4: loading is a mapping: need a list"},
        {"", "psc.yaml:1: loading is missing"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_taylor_job *job;
        const char *old = "loading: [{velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 1}]\n";
        assert_int_equal(read_job(least, old, edits[i][0], NULL, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(edits[i][1]);
    }
}

static const double one = 1, tenth = 0.1;
static const int64_t minus_one = -1, zero = 0, three = 3, seven_thousand = 7000;

static void options_replace_the_file(void **state)
{
    (void)state;
    const sw_taylor_overrides overrides = {
        .solver = "grid",
        .database = "other.h5",
        .material = "zinc.yaml",
        .output = "out/out.h5",
        .interpolation = "nearest",
        .device = "cpu",
        .terms = &three,
        .refinement = &three,
        .count = &seven_thousand,
        .seed = &zero,
    };
    sw_taylor_job *job = read_good(full, NULL, NULL, &overrides);
    assert_string_equal(job->solver, "grid");
    assert_string_equal(job->database, "other.h5"); /* relative to the working folder */
    assert_string_equal(job->material, "zinc.yaml");
    assert_string_equal(job->output.file, "out/out.h5");
    assert_int_equal(job->terms, 3);
    assert_int_equal(job->refinement, 3);
    assert_string_equal(job->interpolation, "nearest");
    assert_string_equal(job->device, "cpu");
    assert_int_equal(job->crystals.count, 7000);
    assert_int_equal(job->crystals.seed, 0);
    assert_true(job->strain_increment == 0.01); /* the rest stays */
    assert_string_equal(job->text, full);
    sw_taylor_job_free(job);
}

static void options_choose_where_crystals_come_from(void **state)
{
    (void)state;
    const sw_taylor_overrides from_file = {.crystals_file = "grains.ang"}, by_count = {.count = &three};
    sw_taylor_job *job = read_good(full, NULL, NULL, &from_file);
    assert_string_equal(job->crystals.file, "grains.ang");
    assert_int_equal(job->crystals.count, 0);
    assert_null(job->crystals.texture);
    sw_taylor_job_free(job);

    job = read_good(least, "{count: 1}", "{file: grains.ori}", &by_count);
    assert_null(job->crystals.file);
    assert_int_equal(job->crystals.count, 3);
    assert_string_equal(job->crystals.texture, "random");
    assert_int_equal(job->crystals.seed, 1);
    sw_taylor_job_free(job);
}

static void options_stand_in_for_missing_keys(void **state)
{
    (void)state;
    const sw_taylor_overrides overrides = {
        .solver = "terms", .database = "copper.h5", .output = "out.h5", .count = &three};
    static const char text[] =
        "loading: [{velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 1}]\nrefinement: 32\n";
    sw_taylor_job *job = read_good(text, NULL, NULL, &overrides);
    assert_string_equal(job->solver, "terms");
    assert_string_equal(job->database, "copper.h5");
    assert_string_equal(job->output.file, "out.h5");
    assert_int_equal(job->crystals.count, 3);
    assert_int_equal(job->refinement, 32);
    assert_int_equal(job->loading_count, 1);
    sw_taylor_job_free(job);
}

static void bad_options_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        sw_taylor_overrides overrides;
        const char *message;
    } cases[] = {
        {{.terms = &zero}, "--terms = 0: need terms >= 1"},
        {{.refinement = &zero}, "--refinement = 0: need 1 <= refinement <= 4096"},
        {{.count = &minus_one}, "--count = -1: need 1 <= count <= 2^40"},
        {{.seed = &minus_one}, "--seed = -1: need 0 <= seed < 2^63"},
        {{.solver = "fast"}, "--solver = fast: need one of terms, grid, polish, iterative, auto"},
        {{.database = ""}, "--database = '': need a text"},
        {{.solver = "auto", .error = &one}, "--error = 1: need 1e-4 <= error <= 0.5"},
        {{.solver = "grid", .error = &tenth},
         "--error = 0.1: has no effect on the solver 'grid', only on 'auto'"},
        {{.interpolation = "cubic"}, "--interpolation = cubic: need one of linear, nearest"},
        {{.device = "abacus"}, "--device = abacus: need one of auto, cpu, cuda"},
        {{.device = ""}, "--device = '': need a text"},
        {{.output = ""}, "--output = '': need a text"},
        {{.crystals_file = "g.ori", .count = &three},
         "--count beside crystals.file = g.ori: need only one of them"},
        {{.crystals_file = "g.ori", .seed = &three},
         "--seed beside crystals.file = g.ori: need only one of them"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_taylor_job *job;
        assert_int_equal(read_job(full, NULL, NULL, &cases[i].overrides, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_string_equal(sw_error_message(), cases[i].message);
    }
}

static void job_in_the_working_folder_keeps_its_paths(void **state)
{
    (void)state;
    char before[4096];
    sw_taylor_job *job;
    sw_taylor_job_free(read_good(full, NULL, NULL, NULL)); /* for its file */
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    sw_status status = sw_taylor_job_read("psc.yaml", NULL, &job);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, SW_OK);
    assert_string_equal(job->database, "copper-64.h5");
    sw_taylor_job_free(job);
}

static void absent_job_is_named(void **state)
{
    (void)state;
    sw_taylor_job *job;
    assert_int_equal(sw_taylor_job_read("no/such/job.yaml", NULL, &job), SW_ERR_IO);
    assert_null(job);
    assert_message_has("no/such/job.yaml");
    sw_taylor_job_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(absent_keys_have_their_defaults),
        cmocka_unit_test(textures_may_be_none),
        cmocka_unit_test(crystals_come_from_a_file),
        cmocka_unit_test(iterative_solver_needs_only_a_material),
        cmocka_unit_test(polish_needs_only_a_material),
        cmocka_unit_test(choices_are_read),
        cmocka_unit_test(solver_option_displaces_the_error),
        cmocka_unit_test(values_on_their_bounds_are_taken),
        cmocka_unit_test(bad_jobs_are_refused_with_their_place),
        cmocka_unit_test(loading_is_a_list_that_is_not_empty),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(options_choose_where_crystals_come_from),
        cmocka_unit_test(options_stand_in_for_missing_keys),
        cmocka_unit_test(bad_options_are_refused_by_name),
        cmocka_unit_test(job_in_the_working_folder_keeps_its_paths),
        cmocka_unit_test(absent_job_is_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
