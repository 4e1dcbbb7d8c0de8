/* Every command on two MPI ranks: it ends, well, with results that are whole and with words that are said once. Ranks that
 * wait for what others do not call would hang: a run has a time limit. */
#include "ranks.h"
#include "vpsc_reference.h"

#define LIMIT_S "120" /* of a run that takes one second: what hangs fails, what is slow does not */

static const char fem_text[] =
    "mesh: {body: box, cells: [2, 2, 2]}\n"
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 450.0e6, hardening: {law: linear, modulus: "
    "66.0e9}}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}]\n"
    "loads: [{surface: z_max, traction: [0, 0, 600.0e6]}]\n"
    "steps: [{factor: 1.0, increments: 3}]\n"
    "output: {file: out.h5}\n";
static const char dem_text[] =
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
    "packing: {particles: 60, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},\n"
    "          pressure: 200.0e3, friction: 0.1, inertia_number: 0.1, seed: 4}\n"
    "numerics: {control_interval: 10, servo_gain: 1.0}\n"
    "loading: [{test: drained_triaxial, strain: 0.001, inertia_number: 1.0e-2}]\n"
    "output: {file: out.h5}\n";
static const char kwn_text[] = "alloy: alloy.yaml\n"
                               "size_axis: {classes: 32}\n"
                               "initial_temperature: 803.0\n"
                               "temperature: [{quench_to: 458.0}, {hold: 200.0}]\n"
                               "output: {file: out.h5, times: [100.0]}\n";
static const char map_text[] = "alloy: alloy.yaml\n"
                               "kind: ageing\n"
                               "size_axis: {classes: 32}\n"
                               "initial_temperature: 803.0\n"
                               "temperature: {from: 450.0, to: 460.0, count: 2}\n"
                               "time: {from: 10.0, to: 100.0, count: 2}\n"
                               "output: {file: out.h5}\n";
static const char sweep_text[] =
    "databases: [copper.h5]\n"
    "vary: {terms: [64, 256]}\n"
    "refinement: 4\n"
    "reference: {solver: terms, terms: 512, refinement: 4}\n"
    "crystals: {count: 5, seed: 3}\n"
    "strain_increment: 0.02\n"
    "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}]\n"
    "output: {file: out.h5}\n";
static const char forming_text[] = "material: material.yaml\n"
                                   "crystals: {count: 5, seed: 3}\n"
                                   "r_values: {angles: [0, 45], strain: 0.002}\n"
                                   "output: {file: out.h5}\n";
static const char point_text[] = "material: material.yaml\ncrystals: {count: 100}\n";

/* In the order of the programs' own lists; `certify` and `validate` change copper.h5, `auto` asks for what it certified. */
static const struct {
    const char *command;     /* as `help commands` has it */
    const char *file, *text; /* NULL: there is no job file */
    const char *arguments, *results;
} rows[] = {
    {"slipwave-db generate", NULL, NULL, "-q --grid 8,8,8,12 --terms all material.yaml -o out.h5", "out.h5"},
    {"slipwave-db inspect", NULL, NULL, "copper.h5", NULL},
    {"slipwave-db validate", NULL, NULL, "-q --points 4 copper.h5", "copper.h5"},
    {"slipwave taylor", NULL, NULL, "-q job.yaml", "out.h5"},
    {"slipwave certify", NULL, NULL, "-q --crystals 4 copper.h5", "copper.h5"},
    {"slipwave taylor", NULL, NULL, "-q job.yaml --solver auto --error 0.5", "out.h5"},
    {"slipwave sweep", "sweep.yaml", sweep_text, "-q sweep.yaml", "out.h5"},
    {"slipwave kwn", "kwn.yaml", kwn_text, "-q kwn.yaml", "out.h5"},
    {"slipwave kwn", "kwn.yaml", kwn_text, "-q kwn.yaml --points 600", "out.h5"},
    {"slipwave kwn map", "map.yaml", map_text, "-q map.yaml", "out.h5"},
    {"slipwave fem", "fem.yaml", fem_text, "-q fem.yaml", "out.h5"},
    {"slipwave dem", "dem.yaml", dem_text, "-q dem.yaml", "out.h5"},
    {"slipwave forming", "forming.yaml", forming_text, "-q forming.yaml", "out.h5"},
    {"slipwave init", NULL, NULL, "dem -o out.tex", NULL},
    {"slipwave check", "point.yaml", point_text, "point.yaml", NULL},
    {"slipwave point", "point.yaml", point_text, "point.yaml", NULL},
    {"slipwave export", NULL, NULL, "-q good.ori -o out.tex", NULL},
    {"slipwave vpsc", NULL, NULL, "-q VPSC8.in", "vpsc.h5"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void run_row(int ranks, int row, result *r)
{
    char command[512];
    int length = 0;
    if (ranks > 1)
        length = snprintf(command, sizeof command,
                          "mpirun -n %d --oversubscribe --bind-to none --timeout " LIMIT_S
                          " -x OMP_NUM_THREADS=1 -x ASAN_OPTIONS=detect_leaks=0 %s/",
                          ranks, programs);
    snprintf(command + length, sizeof command - (size_t)length, "%s %s", rows[row].command,
             rows[row].arguments);
    run(command, r);
    if (r->status != 0)
        fail_msg("%s: exit status %d, stdout '%s', stderr '%s'", command, r->status, r->out, r->err);
    if (rows[row].results != NULL) {
        char verify[64];
        result verified;
        snprintf(verify, sizeof verify, "slipwave-db inspect --verify %s", rows[row].results);
        run_well(verify, &verified);
    }
    unlink("out.h5");
    unlink("out.tex");
}

static int count_lines(const char *text)
{
    int lines = 0;
    while ((text = strchr(text, '\n')) != NULL)
        lines++, text++;
    return lines;
}

static void two_ranks_end_as_one_does(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    for (int row = 0; row < ROWS; row++) {
        result one, two;
        if (rows[row].file != NULL)
            write_text(rows[row].file, rows[row].text);
        run_row(1, row, &one);
        run_row(2, row, &two);
        if (count_lines(one.out) != count_lines(two.out) || count_lines(one.err) != count_lines(two.err))
            fail_msg("%s: says '%s%s' on one rank, '%s%s' on two", rows[row].command, one.out, one.err,
                     two.out, two.err);
        if (rows[row].file != NULL)
            unlink(rows[row].file);
    }
}

/* A command that is not in the table would not be tested. */
static void all_commands_are_in_the_table(void **state)
{
    (void)state;
    static const char *const names[] = {"slipwave", "slipwave-db"};
    for (size_t p = 0; p < 2; p++) {
        char line[64], *rest, *name;
        result r;
        snprintf(line, sizeof line, "%s help commands", names[p]);
        run_well(line, &r);
        rest = r.out;
        while ((name = strsep(&rest, "\n")) != NULL && *name != '\0') {
            int row = 0;
            snprintf(line, sizeof line, "%s %s", names[p], name);
            while (row < ROWS && strcmp(rows[row].command, line) != 0)
                row++;
            if (row == ROWS)
                fail_msg("%s is not run on two ranks", line);
        }
    }
}

/* One rank says it; of what is wrong with a command line, which each reads, each may say it. */
static void help_is_given_once(void **state)
{
    (void)state;
    static const char *const words[] = {"--version", "help", "help taylor", "taylor --help",
                                        "kwn map --usage"};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char command[64];
        result one, two;
        snprintf(command, sizeof command, "slipwave %s", words[i]);
        run_well(command, &one);
        run_on_ranks(2, words[i], &two);
        assert_int_equal(two.status, 0);
        assert_string_equal(one.out, two.out);
    }
}

/* An error of a command that one rank does alone ends the others, which wait. */
static void one_rank_fails_for_all(void **state)
{
    (void)state;
    static const char *const words[] = {"forming absent.yaml", "sweep absent.yaml", "dem absent.yaml",
                                        "kwn map absent.yaml", "export absent.ori -o out.tex"};
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        result r;
        run_on_ranks(2, words[i], &r);
        assert_int_equal(r.status, 1);
        assert_non_null(strstr(r.err, "No such file or directory"));
    }
}

/* Launchers that start processes which do not know of each other: the program was built without MPI, or for another's.
 * A build with MPI asks its own launcher, which is not there to answer, by the first name. */
static void processes_apart_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {
#ifndef SW_HAVE_MPI
        "OMPI_COMM_WORLD_SIZE",
#endif
        "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    static const char *const commands[] = {"slipwave taylor -q job.yaml", "slipwave forming -q job.yaml",
                                           "slipwave-db inspect copper.h5", "slipwave plot job.yaml"};
    find_mpi(); /* as root, too */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const part[] = {": a launcher started 2 processes", names[i], "with MPI", "env -u "};
        result r;
        setenv(names[i], "1", 1); /* as good as no launcher */
        run_well("slipwave taylor -q job.yaml", &r);
        unlink("out.h5");
        setenv(names[i], "2", 1);
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
            assert_refused(commands[k], 4, part);
        unsetenv(names[i]);
    }
}

static int make_inputs(void **state)
{
    if (make_folder(state) != 0)
        return 1;
    char *alloy = read_data("alloys/al-mg-si-6082.yaml");
    write_text("alloy.yaml", alloy);
    free(alloy);
    for (size_t i = 0; i < sizeof vpsc_files / sizeof *vpsc_files; i++)
        write_text(vpsc_files[i].name, vpsc_files[i].text);
    write_text("VPSC8.in", vpsc_inputs[0].text);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_commands_are_in_the_table),
        cmocka_unit_test(two_ranks_end_as_one_does),
        cmocka_unit_test(help_is_given_once),
        cmocka_unit_test(one_rank_fails_for_all),
        cmocka_unit_test(processes_apart_are_refused),
    };
    return cmocka_run_group_tests(tests, make_inputs, remove_folder);
}
