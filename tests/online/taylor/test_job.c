#include "tests/test.h"

#include "online/response/certificate/certificate.h"
#include "online/response/solvers.h"
#include "online/taylor/job.h"
#include "tests/job_files.h"

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

#define OPTIONS(...)                                                                                         \
    (int)(sizeof((const char *const[][2]){__VA_ARGS__}) / sizeof(const char *[2])), (const char *const[][2]) \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }
#define NO_OPTIONS 0, NULL

/* Read `text` as the job file, with the first `old` in it (may be NULL) replaced by `new`. */
static sw_status read_job(const char *text, const char *old, const char *new, int n_options,
                          const char *const (*option)[2], sw_taylor_job **job)
{
    write_job(text, old, new);
    return sw_taylor_job_open(job_path, n_options, option, job);
}

static sw_taylor_job *read_good(const char *text, const char *old, const char *new, int n_options,
                                const char *const (*option)[2])
{
    sw_taylor_job *job;
    if (read_job(text, old, new, n_options, option, &job) != SW_OK)
        fail_msg("%s", sw_error_message());
    assert_non_null(job);
    return job;
}

static void assert_in_folder(const char *path, const char *name)
{
    char expected[PATH_MAX + 64];
    snprintf(expected, sizeof expected, "%s/%s", folder, name);
    assert_string_equal(path, expected);
}

static void every_key_is_read(void **state)
{
    (void)state;
    static const double gradients[2][3][3] = {{{1.0e-3, 0, 0}, {0, 0, 0}, {0, 0, -1.0e-3}},
                                              {{0, 1, 2}, {3, 0, 4}, {5, 6, 0}}};
    static const char *const steps[] = {"0", "10", "last"};
    sw_taylor_job *job = read_good(full, NULL, NULL, NO_OPTIONS);
    assert_in_folder(job->database, "copper-64.h5");
    assert_in_folder(job->material, "../copper.yaml");
    assert_string_equal(sw_solver_names[job->solver], "terms");
    assert_int_equal(job->terms, 8192);
    assert_int_equal(job->refinement, 64);
    assert_int_equal(job->crystals.count, 65536);
    assert_string_equal(sw_texture_names[job->crystals.texture], "random");
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
    assert_true(sw_job_given(job->source, "output.textures"));
    assert_int_equal(job->output.textures_count, 2);
    assert_string_equal(job->output.textures[0], "5");
    assert_string_equal(job->output.textures[1], "last");
    assert_string_equal(sw_job_text(job->source), full);
    sw_taylor_job_close(job);
}

static void absent_keys_have_their_defaults(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, NULL, NULL, NO_OPTIONS);
    assert_string_equal(job->database, "/data/copper-64.h5"); /* an absolute path stays */
    assert_null(job->material);
    assert_string_equal(sw_solver_names[job->solver], "grid");
    assert_int_equal(job->terms, 0);
    assert_int_equal(job->refinement, 0);
    assert_int_equal(job->crystals.count, 1);
    assert_string_equal(sw_texture_names[job->crystals.texture], "random");
    assert_int_equal(job->crystals.seed, 1);
    assert_null(job->crystals.file);
    assert_true(job->initial_slip_resistance == 0);
    assert_true(job->strain_increment == 0.02);
    assert_int_equal(job->output.orientations_count, 0);
    assert_int_equal(job->output.textures_count, 0);
    assert_false(sw_job_given(job->source, "output.textures"));
    sw_taylor_job_close(job);
}

/* An empty list of textures is one: without it there are those of the orientations. */
static void textures_may_be_none(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(full, "[5, last]", "[]", NO_OPTIONS);
    assert_true(sw_job_given(job->source, "output.textures"));
    assert_int_equal(job->output.textures_count, 0);
    sw_taylor_job_close(job);
    job = read_good(full, ",\n         textures: [5, last]", "", NO_OPTIONS);
    assert_false(sw_job_given(job->source, "output.textures"));
    sw_taylor_job_close(job);
    job = read_good(least, "file: out.h5", "file: out.h5, textures: [0]",
                    NO_OPTIONS); /* without orientations */
    assert_int_equal(job->output.orientations_count, 0);
    assert_int_equal(job->output.textures_count, 1);
    sw_taylor_job_close(job);
}

static void crystals_come_from_a_file(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, "{count: 1}", "{file: grains.ori}", NO_OPTIONS);
    assert_in_folder(job->crystals.file, "grains.ori");
    assert_int_equal(job->crystals.count, 0);
    assert_null(job->crystals.filter.phase);
    sw_taylor_job_close(job);
    job = read_good(least, "{count: 1}", "{file: scan.ctf, phase: 2}", NO_OPTIONS);
    assert_string_equal(job->crystals.filter.phase, "2");
    sw_taylor_job_close(job);
    job = read_good(least, "{count: 1}", "{file: scan.ctf, phase: 2}", OPTIONS({"phase", "Iron bcc"}));
    assert_string_equal(job->crystals.filter.phase, "Iron bcc");
    sw_taylor_job_close(job);
}

static void iterative_solver_needs_only_a_material(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, "solver: grid\ndatabase: /data/copper-64.h5\n",
                                   "material: copper.yaml\nsolver: iterative\n", NO_OPTIONS);
    assert_null(job->database);
    assert_in_folder(job->material, "copper.yaml");
    sw_taylor_job_close(job);
    sw_taylor_job_close(read_good(least, "solver: grid", "solver: iterative", NO_OPTIONS));
}

static void rigid_plastic_needs_only_a_material(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(least, "solver: grid\ndatabase: /data/copper-64.h5\n",
                                   "material: copper.yaml\nsolver: rigid_plastic\n", NO_OPTIONS);
    assert_string_equal(sw_solver_names[job->solver], "rigid_plastic");
    assert_null(job->database);
    sw_taylor_job_close(job);
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
        sw_taylor_job *job = read_good(least, "solver: grid\n", new, NO_OPTIONS);
        assert_string_equal(sw_solver_names[job->solver], "auto");
        assert_true(job->error == 0.25);
        assert_int_equal(job->nearest, i > 0);
        assert_string_equal(sw_device_names[job->run.device], words[i][1]);
        sw_taylor_job_close(job);
    }
    sw_taylor_job *job = read_good(least, "solver: grid\n", "solver: auto\n", NO_OPTIONS);
    assert_true(job->error == 0.01);
    assert_int_equal(job->error_of, SW_CERTIFIED_CURVE);
    assert_int_equal(job->nearest, 0);
    assert_int_equal(job->run.device, SW_DEVICE_AUTO);
    sw_taylor_job_close(job);
}

/* An error in the file is the solver's of the file: it goes with it. */
static void solver_option_displaces_the_error(void **state)
{
    (void)state;
    const char *const new = "solver: auto\nerror: 0.02\nerror_of: tensor\n";
    sw_taylor_job_close(read_good(least, "solver: grid\n", new, OPTIONS({"solver", "grid"})));
    sw_taylor_job *job = read_good(least, "solver: grid\n", new, OPTIONS({"solver", "auto"}));
    assert_true(job->error == 0.02);
    assert_int_equal(job->error_of, SW_CERTIFIED_TENSOR);
    sw_taylor_job_close(job);
    job = read_good(least, "solver: grid\n", new,
                    OPTIONS({"solver", "auto"}, {"error", "0.1"}, {"error-of", "curve"}));
    assert_true(job->error == 0.1);
    assert_int_equal(job->error_of, SW_CERTIFIED_CURVE);
    sw_taylor_job_close(job);
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
        sw_taylor_job_close(read_good(full, edits[i][0], edits[i][1], NO_OPTIONS));
}

static void bad_jobs_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        const char *place, *key,
            *bound; /* parts of the message: file and line, key and value, what is needed */
    } cases[] = {
        {"solver: terms", "solver: term", "job.yaml:3: ", "solver = term",
         "need one of terms, grid, tabulated, rigid_plastic, elastoplastic, iterative, auto"},
        {"solver: terms", "solvr: terms", "job.yaml:3: ", "unknown key 'solvr'", "did you mean 'solver'?"},
        {"solver: terms\n", "", "job.yaml: ", "solver is missing",
         "need one of terms, grid, tabulated, rigid_plastic, elastoplastic, iterative, auto"},
        {"database: copper-64.h5\n", "", "job.yaml: ", "database is missing", "'terms' needs a database"},
        {"database: copper-64.h5\nmaterial: ../copper.yaml\nsolver: terms\n", "solver: iterative\n",
         "job.yaml: ", "database is missing", "'iterative' needs a database or a material"},
        {"database: copper-64.h5\nmaterial: ../copper.yaml\nsolver: terms\n", "solver: rigid_plastic\n",
         "job.yaml: ", "database is missing", "'rigid_plastic' needs a database or a material"},
        {"database: copper-64.h5\nmaterial: ../copper.yaml\nsolver: terms\n",
         "solver: auto\nmaterial: ../copper.yaml\n", "job.yaml: ", "database is missing",
         "'auto' needs a database"},
        {"solver: terms", "solver: auto\nerror: 0.00009", "job.yaml:4: ", "error = 0.00009",
         "need 1e-4 <= error <= 0.5"},
        {"solver: terms", "solver: auto\nerror: 0.5000001", "job.yaml:4: ", "error = 0.5000001",
         "need 1e-4 <= error <= 0.5"},
        {"solver: terms", "solver: auto\nerror: small", "job.yaml:4: ", "error = small", "need a number"},
        {"solver: terms", "solver: grid\nerror: 0.01", "job.yaml:4: ", "error = 0.01",
         "has no effect on the solver 'grid', only on 'auto'"},
        {"solver: terms", "solver: grid\nerror_of: tensor", "job.yaml:4: ", "error_of = tensor",
         "has no effect on the solver 'grid', only on 'auto'"},
        {"solver: terms", "solver: auto\nerror_of: stress", "job.yaml:4: ", "error_of = stress",
         "need one of curve, tensor"},
        {"solver: terms", "solver: grid\ninterpolation: cubic", "job.yaml:4: ", "interpolation = cubic",
         "need one of linear, nearest"},
        {"solver: terms", "solver: grid\ndevice: abacus", "job.yaml:4: ", "device = abacus",
         "need one of auto, cpu, cuda"},
        {"copper-64.h5", "''", "job.yaml:1: ", "database = ''", "need a text"},
        {"8192", "0", "job.yaml:4: ", "terms = 0", "need terms >= 1"},
        {"8192", "8192.5", "job.yaml:4: ", "terms = 8192.5", "need a whole number"},
        {"64\n", "0\n", "job.yaml:5: ", "refinement = 0", "need 1 <= refinement <= 4096"},
        {"64\n", "4097\n", "job.yaml:5: ", "refinement = 4097", "need 1 <= refinement <= 4096"},
        {"65536", "0", "job.yaml:6: ", "crystals.count = 0", "need 1 <= count <= 2^40"},
        {"65536", "1099511627777", "job.yaml:6: ", "crystals.count = 1099511627777",
         "need 1 <= count <= 2^40"},
        {"random", "cube", "job.yaml:6: ", "crystals.texture = cube", "need one of random"},
        {"seed: 7", "seed: -1", "job.yaml:7: ", "crystals.seed = -1", "need seed >= 0"},
        {"seed: 7", "seed: 9223372036854775808", "job.yaml:7: ", "crystals.seed = 9223372036854775808",
         "2^63 - 1"},
        {"count: 65536, ", "", "job.yaml:6: ", "crystals.count is missing",
         "need crystals.count or crystals.file"},
        {"crystals: {count: 65536, texture: random,\n           seed: 7}\n", "",
         "job.yaml: ", "crystals.count is missing", "need crystals.count or crystals.file"},
        {"seed: 7", "file: g.ori", "job.yaml:6: ", "crystals.count beside crystals.file", "need only one"},
        {"count: 65536, texture: random", "file: g.ori", "job.yaml:7: ", "crystals.seed beside crystals.file",
         "need only one"},
        {"texture: random,\n           seed: 7", "phase: 2", "job.yaml:6: ", "crystals.phase = 2",
         "random crystals have none"},
        {"17.0e6", "0", "job.yaml:8: ", "initial_slip_resistance = 0", "need Pa, from 1e4 to 1e11"},
        {"17.0e6", "inf", "job.yaml:8: ", "initial_slip_resistance = inf", "need a number"},
        {"0.01\n", "0\n", "job.yaml:9: ", "strain_increment = 0", "need 0 < strain_increment <= 0.1"},
        {"0.01\n", "0.1000000001\n", "job.yaml:9: ", "strain_increment = 0.1000000001",
         "need 0 < strain_increment <= 0.1"},
        {"1000.0", "0", "job.yaml:13: ", "loading[0].duration = 0", "need s, more than 0"},
        {"duration: 0.5", "duration: -0.5", "job.yaml:15: ", "loading[1].duration = -0.5",
         "need s, more than 0"},
        {"duration: 0.5", "duration: nan", "job.yaml:15: ", "loading[1].duration = nan", "need a number"},
        {"    duration: 0.5\n", "", "job.yaml:14: ", "loading[1].duration", "is missing"},
        {"[1.0e-3, 0, 0]", "[1.1e-3, 0, 0]",
         "job.yaml:11: ", "loading[0].velocity_gradient has trace = 0.0001", "need |trace| <= 1e-09 |D|"},
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 1, 2], [-1, 0, 3], [-2, -3, 0]",
         "job.yaml:14: ", "loading[1].velocity_gradient has a symmetric part |D| = 0", "need more than"},
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 0, 0], [0, 0, 0], [0, 0, 0]",
         "job.yaml:14: ", "loading[1].velocity_gradient: is given no rate",
         "a hold, which the solver 'terms' does not have: need elastoplastic"},
        {"[0, 1, 2], [3", "[0, 1, 2, 3], [3",
         "job.yaml:14: ", "loading[1].velocity_gradient[0] has 4 entries", "need 3"},
        {"[0, 1, 2], ", "", "job.yaml:14: ", "loading[1].velocity_gradient has 2 entries", "need 3"},
        {"[5, 6, 0]", "[5, six, 0]", "job.yaml:14: ", "loading[1].velocity_gradient[2][1] = six",
         "need a number"},
        {"psc.h5", "''", "job.yaml:16: ", "output.file = ''", "need a text"},
        {"file: psc.h5,\n", "", "job.yaml:16: ", "output.file is missing", "need a file"},
        {"10, last", "-1, last", "job.yaml:17: ", "output.orientations[1] = -1",
         "need a step >= 0, last, every N or all"},
        {"10, last", "10, final", "job.yaml:17: ", "output.orientations[2] = final",
         "need a step >= 0, last, every N or all"},
        {"10, last", "10, 1.5", "job.yaml:17: ", "output.orientations[2] = 1.5",
         "need a step >= 0, last, every N or all"},
        {"[0, 1, 2], [3, 0, 4], [5, 6, 0]", "[0, 1e20, 0], [0, 0, 0], [0, 0, 0]",
         "job.yaml:15: ", "loading[1].duration = 0.5", "need at most 1e9 steps in a job"},
        {"10, last", "10, 598", "job.yaml:17: ", "output.orientations[2] = 598", "the loading has 597 steps"},
        {"10, last", "9223372036854775808", "job.yaml:17: ", "output.orientations[1] = 9223372036854775808",
         "need a step >= 0, last, every N or all"},
        {"[5, last]", "[5, -1]", "job.yaml:18: ", "output.textures[1] = -1",
         "need a step >= 0, last, every N or all"},
        {"[5, last]", "[first]", "job.yaml:18: ", "output.textures[0] = first",
         "need a step >= 0, last, every N or all"},
        {"[5, last]", "[5, last, 598]", "job.yaml:18: ", "output.textures[2] = 598",
         "the loading has 597 steps"},
        {"[5, last]", "{5: last}", "job.yaml:18: ", "output.textures is a mapping", "need a list"},
        {"[5, last]", "every 0", "job.yaml:18: ", "output.textures[0] = every 0", "need a step"},
        {"textures: ", "texture: ", "job.yaml:18: ", "unknown key 'output.texture'",
         "did you mean 'output.textures'?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_taylor_job *job;
        assert_int_equal(read_job(full, cases[i].old, cases[i].new, NO_OPTIONS, &job), SW_ERR_INPUT);
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
        {"loading: []\n", "job.yaml:4: loading has 0 entries: need at least 1"},
        {"loading: {duration: 1}\n", "job.yaml:4: loading is a mapping: need a list"},
        {"", "job.yaml: loading is missing"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_taylor_job *job;
        const char *old = "loading: [{velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 1}]\n";
        assert_int_equal(read_job(least, old, edits[i][0], NO_OPTIONS, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(edits[i][1]);
    }
}

static void options_replace_the_file(void **state)
{
    (void)state;
    sw_taylor_job *job =
        read_good(full, NULL, NULL,
                  OPTIONS({"solver", "grid"}, {"database", "other.h5"}, {"material", "zinc.yaml"},
                          {"output", "out/out.h5"}, {"interpolation", "nearest"}, {"device", "cpu"},
                          {"refinement", "3"}, {"count", "7000"}, {"seed", "0"}, {"threads", "2"}));
    assert_string_equal(sw_solver_names[job->solver], "grid");
    assert_string_equal(job->database, "other.h5"); /* relative to the working folder */
    assert_string_equal(job->material, "zinc.yaml");
    assert_string_equal(job->output.file, "out/out.h5");
    assert_int_equal(job->terms, 8192);
    assert_int_equal(job->refinement, 3);
    assert_int_equal(job->nearest, 1);
    assert_int_equal(job->run.device, SW_DEVICE_CPU);
    assert_int_equal(job->run.threads, 2);
    assert_int_equal(job->crystals.count, 7000);
    assert_int_equal(job->crystals.seed, 0);
    assert_true(job->strain_increment == 0.01); /* the rest stays */
    assert_string_equal(sw_job_text(job->source), full);
    sw_taylor_job_close(job);
}

/* A file of crystals on the command line displaces random ones; a count does not displace a file. */
static void options_choose_where_crystals_come_from(void **state)
{
    (void)state;
    sw_taylor_job *job = read_good(full, NULL, NULL, OPTIONS({"crystals-file", "grains.ang"}));
    assert_string_equal(job->crystals.file, "grains.ang");
    assert_int_equal(job->crystals.count, 0);
    sw_taylor_job_close(job);
    assert_int_equal(read_job(least, "{count: 1}", "{file: grains.ori}", OPTIONS({"count", "3"}), &job),
                     SW_ERR_INPUT);
    assert_message_has("--count beside crystals.file: ");
    assert_int_equal(read_job(least, NULL, NULL, OPTIONS({"phase", "1"}), &job), SW_ERR_INPUT);
    assert_message_has("--phase = 1: random crystals have none");
}

static void options_stand_in_for_missing_keys(void **state)
{
    (void)state;
    static const char text[] =
        "loading: [{velocity_gradient: [[0, 1, 0], [0, 0, 0], [0, 0, 0]], duration: 1}]\nrefinement: 32\n";
    sw_taylor_job *job = read_good(
        text, NULL, NULL,
        OPTIONS({"solver", "terms"}, {"database", "copper.h5"}, {"output", "out.h5"}, {"count", "3"}));
    assert_string_equal(sw_solver_names[job->solver], "terms");
    assert_string_equal(job->database, "copper.h5");
    assert_string_equal(job->output.file, "out.h5");
    assert_int_equal(job->crystals.count, 3);
    assert_int_equal(job->refinement, 32);
    assert_int_equal(job->loading_count, 1);
    sw_taylor_job_close(job);
}

static void bad_options_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *option[2][2];
        const char *message;
    } cases[] = {
        {{{"terms", "0"}}, "--terms = 0: need terms >= 1"},
        {{{"terms", "many"}}, "--terms = many: need a whole number in plain digits"},
        {{{"refinement", "0"}}, "--refinement = 0: need 1 <= refinement <= 4096"},
        {{{"count", "-1"}}, "--count = -1: need 1 <= count <= 2^40"},
        {{{"seed", "-1"}}, "--seed = -1: need seed >= 0"},
        {{{"solver", "fast"}},
         "--solver = fast: need one of terms, grid, tabulated, rigid_plastic, elastoplastic, iterative, "
         "auto"},
        {{{"database", ""}}, "--database = '': need a text"},
        {{{"solver", "auto"}, {"error", "1"}}, "--error = 1: need 1e-4 <= error <= 0.5"},
        {{{"solver", "auto"}, {"error", "nan"}}, "--error = nan: need a number"},
        {{{"solver", "grid"}, {"error", "0.1"}},
         "--error = 0.1: has no effect on the solver 'grid', only on 'auto'"},
        {{{"solver", "grid"}, {"terms", "3"}}, "--terms: has no effect on the solver 'grid', only on terms"},
        {{{"interpolation", "cubic"}}, "--interpolation = cubic: need one of linear, nearest"},
        {{{"device", "abacus"}}, "--device = abacus: need one of auto, cpu, cuda"},
        {{{"device", ""}}, "--device = '': need one of auto, cpu, cuda"},
        {{{"threads", "0"}}, "--threads = 0: need 1 <= threads <= 4096"},
        {{{"output", ""}}, "--output = '': need a text"},
        {{{"crystals-file", "g.ori"}, {"count", "3"}}, "--count beside crystals.file: need only one of them"},
        {{{"crystals-file", "g.ori"}, {"seed", "3"}},
         "--seed beside crystals.file: need only one of them, or resample"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_taylor_job *job;
        const int n = cases[i].option[1][0] != NULL ? 2 : 1;
        assert_int_equal(read_job(full, NULL, NULL, n, cases[i].option, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_string_equal(sw_error_message(), cases[i].message);
    }
}

/* Steps by number, the last one, every so many, all. */
static void steps_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        int named[4]; /* whether steps 0, 10, 20 and the last, 597, are */
    } cases[] = {{"[0, last]", {1, 0, 0, 1}},
                 {"every 20", {1, 0, 1, 0}},
                 {"[every 10, last]", {1, 1, 1, 1}},
                 {"all", {1, 1, 1, 1}},
                 {"[20]", {0, 0, 1, 0}}};
    static const int64_t step[] = {0, 10, 20, 597};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_taylor_job *job = read_good(full, "[0, 10, last]", cases[i].list, NO_OPTIONS);
        for (int k = 0; k < 4; k++)
            assert_int_equal(sw_taylor_names_step(job->output.orientations_count, job->output.orientations,
                                                  step[k], k == 3),
                             cases[i].named[k]);
        sw_taylor_job_close(job);
    }
}

/* Results never go over what they are made from. */
static void output_is_no_input(void **state)
{
    (void)state;
    char grains[PATH_MAX + 16];
    sw_taylor_job *job;
    snprintf(grains, sizeof grains, "%s/grains.ori", folder);
    write_text(grains, "0 0 0\n");
    assert_int_equal(read_job(least, "{count: 1}", "{file: grains.ori}", OPTIONS({"output", grains}), &job),
                     SW_ERR_INPUT);
    assert_message_has("is the input crystals.file");
    assert_int_equal(read_job(least, NULL, NULL, OPTIONS({"output", job_path}), &job), SW_ERR_INPUT);
    assert_message_has("is the file that is read");
    unlink(grains);
}

static void job_in_the_working_folder_keeps_its_paths(void **state)
{
    (void)state;
    char before[4096];
    sw_taylor_job *job;
    sw_taylor_job_close(read_good(full, NULL, NULL, NO_OPTIONS)); /* for its file */
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    sw_status status = sw_taylor_job_open("job.yaml", 0, NULL, &job);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(status, SW_OK);
    assert_string_equal(job->database, "copper-64.h5");
    sw_taylor_job_close(job);
}

static void absent_job_is_named(void **state)
{
    (void)state;
    sw_taylor_job *job;
    assert_int_equal(sw_taylor_job_open("no/such/job.yaml", 0, NULL, &job), SW_ERR_IO);
    assert_null(job);
    assert_message_has("no/such/job.yaml");
    sw_taylor_job_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(absent_keys_have_their_defaults),
        cmocka_unit_test(textures_may_be_none),
        cmocka_unit_test(crystals_come_from_a_file),
        cmocka_unit_test(iterative_solver_needs_only_a_material),
        cmocka_unit_test(rigid_plastic_needs_only_a_material),
        cmocka_unit_test(choices_are_read),
        cmocka_unit_test(solver_option_displaces_the_error),
        cmocka_unit_test(values_on_their_bounds_are_taken),
        cmocka_unit_test(bad_jobs_are_refused_with_their_place),
        cmocka_unit_test(loading_is_a_list_that_is_not_empty),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(options_choose_where_crystals_come_from),
        cmocka_unit_test(options_stand_in_for_missing_keys),
        cmocka_unit_test(bad_options_are_refused_by_name),
        cmocka_unit_test(steps_are_named),
        cmocka_unit_test(output_is_no_input),
        cmocka_unit_test(job_in_the_working_folder_keeps_its_paths),
        cmocka_unit_test(absent_job_is_named),
    };
    return cmocka_run_group_tests(tests, make_job_folder, remove_job_folder);
}
