/* Files that every command takes crystals and texts from: of another lattice than the material's, without an end. */
#include "programs.h"

#define TENSION "loading:\n- velocity_gradient: [[1e-3, 0, 0], [0, 0, 0], [0, 0, -1e-3]]\n  duration: 20\n"

/* A job of each command for crystals of a file, which follows the text so far. */
static const struct {
    const char *command, *before, *after;
} jobs[] = {
    {"slipwave taylor -q job.yaml",
     "solver: elastoplastic\nstrain_increment: 0.02\noutput: {file: out.h5, orientations: [last]}\n" TENSION
     "material: %s\ncrystals: {",
     "}\n"},
    {"slipwave forming -q job.yaml",
     "solver: elastoplastic\nstrain_increment: 0.01\noutput: {file: out.h5}\n"
     "r_values: {angles: [0], strain: 0.01}\nmaterial: %s\ncrystals: {",
     "}\n"},
    {"slipwave fem -q --device cpu job.yaml",
     "upsetting: {radius: 0.01, height: 0.01, reduction: 0.1, cells: [2, 2, 1], increments: 1, time: 100}\n"
     "output: {file: out.h5}\nmaterials:\n- crystals: {material: %s, ",
     "}\n"},
    {"slipwave dem -q --device cpu job.yaml",
     "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900}\n"
     "packing: {particles: 8, radii: {distribution: monodisperse, radius: 50.0e-6}, pressure: 1.0e6,\n"
     "          friction: 0.0, inertia_number: 5.0e-2}\noutput: {file: out.h5}\n"
     "crystals: {material: %s, ",
     "}\n"},
    {"slipwave point job.yaml", "material: %s\ncrystals: {", "}\n"},
};
enum { JOBS = sizeof jobs / sizeof *jobs };

static void write_job(int k, const char *material, const char *file)
{
    char text[2048];
    int length = snprintf(text, sizeof text, jobs[k].before, material);
    length += snprintf(text + length, sizeof text - (size_t)length, "file: %s%s", file, jobs[k].after);
    assert_true(length < (int)sizeof text);
    write_text("job.yaml", text);
}

/* ---- Lattices ---- */

static void write_crystals(void)
{
    static const char damask[] = "phase: {Fe: {lattice: cI}}\n"
                                 "material: [{constituents: [{phase: Fe, v: 1, O: [1, 0, 0, 0]}]}]\n";
    static const char scan[] = "Channel Text File\nPhases\t1\n2.9;2.9;2.9\t90;90;90\tFerrite\t11\t229\n"
                               "Phase\tX\tY\tEuler1\tEuler2\tEuler3\n1\t0\t0\t10\t20\t30\n";
    write_text("body.yaml", damask);
    write_edited("face.yaml", damask, "cI", "cF");
    write_text("body.ctf", scan);
    write_edited("face.ctf", scan, "229", "225");
    write_edited("iron.yaml", material_text, "crystal_structure: fcc", "crystal_structure: bcc");
}

/* Results of a body-centred material. */
static void write_results(const char *material, const char *output)
{
    result r;
    char command[128];
    write_job(0, material, "good.ori");
    snprintf(command, sizeof command, "slipwave taylor -q job.yaml -o %s", output);
    run_well(command, &r);
}

static void crystals_of_another_lattice_are_refused(void **state)
{
    (void)state;
    write_crystals();
    write_results("iron.yaml", "body.h5");
    write_results("material.yaml", "face.h5");
    static const char *const files[] = {"yaml", "ctf", "h5"};
    for (int k = 0; k < JOBS; k++)
        for (int f = 0; f < 3; f++) {
            char body[16], face[16];
            snprintf(body, sizeof body, "body.%s", files[f]);
            snprintf(face, sizeof face, "face.%s", files[f]);
            write_job(k, "material.yaml", body);
            assert_refused(jobs[k].command, 2, (const char *const[]){body, "body-centred crystals"});
            write_job(k, "iron.yaml", face);
            assert_refused(jobs[k].command, 2, (const char *const[]){face, "face-centred crystals"});
        }
}

/* And those of its own are taken; the lattice is not forgotten when crystals are drawn. */
static void crystals_of_the_material_are_taken(void **state)
{
    (void)state;
    result r;
    write_job(0, "iron.yaml", "body.ctf");
    run_well(jobs[0].command, &r);
    write_job(0, "material.yaml", "face.yaml");
    run_well(jobs[0].command, &r);
    run("slipwave export -q body.h5 --resample 7 -o drawn.yaml", &r);
    assert_int_equal(r.status, 0);
    char *text = read_bytes("drawn.yaml", &(size_t){0});
    assert_non_null(strstr(text, "lattice: cI"));
    free(text);
    write_job(0, "material.yaml", "body.yaml, resample: 5");
    run(jobs[0].command, &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "body-centred crystals"));
}

/* ---- Texts without an end ---- */

static const struct {
    const char *name, *text, *command;
} readers[] = {
    {"end.yaml", "", "slipwave taylor -q end.yaml"},
    {"end.yaml",
     TENSION "solver: elastoplastic\nstrain_increment: 0.02\ncrystals: {count: 2}\noutput: {file: "
             "out.h5}\nmaterial: end.yaml\n",
     "slipwave taylor -q job.yaml"},
    {"end.ori", NULL, "slipwave export -q end.ori -o out.ori"},
    {"end.tex", NULL, "slipwave export -q end.tex -o out.ori"},
    {"end.txt", NULL, "slipwave export -q end.txt -o out.ori"},
    {"end.ang", NULL, "slipwave export -q end.ang -o out.ori"},
    {"end.ctf", NULL, "slipwave export -q end.ctf -o out.ori"},
    {"end.yaml", NULL, "slipwave export -q end.yaml -o out.ori"},
    {"end.h5", NULL, "slipwave export -q end.h5 -o out.ori"},
    {"end.inp",
     "mesh: {file: end.inp}\nboundary: [{nodes: a, x: 0}]\nmaterials:\n- {young: 2e11, poisson: "
     "0.3}\nsteps:\n- {factor: 1, "
     "increments: 1}\noutput: {file: out.h5}\n",
     "slipwave fem -q --device cpu job.yaml"},
    {"end.msh",
     "mesh: {file: end.msh}\nboundary: [{nodes: a, x: 0}]\nmaterials:\n- {young: 2e11, poisson: "
     "0.3}\nsteps:\n- {factor: 1, "
     "increments: 1}\noutput: {file: out.h5}\n",
     "slipwave fem -q --device cpu job.yaml"},
    {"end.txt",
     "material: {law: linear, young: 4.3e9, poisson: 0.5, friction: 0.5, density: 2600}\n"
     "packing: {file: end.txt}\nloading: [{test: drained_triaxial, axis: 3, pressure: 1e5, strain: 0.1, "
     "inertia_number: "
     "2.0e-3}]\noutput: {file: out.h5}\n",
     "slipwave dem -q --device cpu job.yaml"},
    {"end.csv",
     "material: material.yaml\nsolver: elastoplastic\ncrystals: {count: 2}\nstrain_increment: 0.01\n"
     "fit:\n  parameters: [{key: hardening.initial_hardening_rate}]\n  curves:\n  - file: end.csv\n"
     "    strain: '11'\n    stress: '11'\n    measure: true\n    stress_unit: "
     "MPa\n"
     "    loading:\n    - velocity_gradient: [[1e-3, 0, 0], [0, x, 0], [0, 0, x]]\n"
     "      stress: [[x, x, x], [x, 0, x], [x, x, 0]]\n      duration: 20\noutput: {file: out.h5}\n",
     "slipwave forming -q job.yaml"},
};
enum { READERS = sizeof readers / sizeof *readers };

static void write_reader_job(int k)
{
    if (readers[k].text != NULL)
        write_text("job.yaml", readers[k].text);
}

/* The exit status of a command that ends within a minute; -1: it had to be killed. */
static int status_in_time(const char *command, char *text, size_t size)
{
    FILE *err = tmpfile();
    int status = -1;
    assert_non_null(err);
    const pid_t child = start(command, fileno(err), fileno(err));
    for (int i = 0; i < 60000 && waitpid(child, &status, WNOHANG) == 0; i++)
        usleep(1000);
    if (status == -1)
        kill(child, SIGKILL);
    read_back(err, text, size);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A pipe that nobody writes to: opening it would never end. */
static void pipes_are_refused_at_once(void **state)
{
    (void)state;
    for (int k = 0; k < READERS; k++) {
        char text[4096];
        write_reader_job(k);
        assert_int_equal(mkfifo(readers[k].name, 0600), 0);
        const int status = status_in_time(readers[k].command, text, sizeof text);
        assert_int_equal(unlink(readers[k].name), 0);
        if (status != 1 || strstr(text, readers[k].name) == NULL ||
            (strstr(text, "a pipe or a device") == NULL && strstr(text, "is a special file") == NULL))
            fail_msg("%s: status %d, '%s'", readers[k].command, status, text);
    }
}

/* Status of a command, and in *kilobytes the most memory that it had. */
static int status_and_memory(const char *command, long *kilobytes)
{
    FILE *out = tmpfile(), *err = tmpfile();
    struct rusage use;
    int status;
    assert_true(out != NULL && err != NULL);
    const pid_t child = start(command, fileno(out), fileno(err));
    assert_int_equal(wait4(child, &status, 0, &use), child);
    fclose(out);
    fclose(err);
    *kilobytes = use.ru_maxrss;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* 200 MB in a line, of a sparse file or of letters: what readers take of memory does not grow with it, beyond what the
 * program has by itself, which is more with CUDA's libraries. */
static void long_lines_take_no_memory(void **state)
{
    (void)state;
    enum {
        CHUNK = 1 << 20,
        CHUNKS = 200,
        MOST = 170 * 1024 /* kB; 64 MB of a text, in a buffer twice as large */
    };
    char *letters = malloc(CHUNK);
    long own;
    assert_non_null(letters);
    assert_int_equal(status_and_memory("slipwave --version", &own), 0);
    memset(letters, '1', CHUNK);
    for (int k = 0; k < READERS; k++) {
        FILE *file = fopen(readers[k].name, "wb");
        assert_non_null(file);
        for (int i = 0; i < CHUNKS; i++)
            assert_int_equal(fwrite(letters, 1, CHUNK, file), CHUNK);
        assert_int_equal(fclose(file), 0);
        write_reader_job(k);
        long kilobytes;
        const int status = status_and_memory(readers[k].command, &kilobytes);
        unlink(readers[k].name);
        if (status != 1 || kilobytes > own + MOST)
            fail_msg("%s: status %d, %ld kB of %ld", readers[k].command, status, kilobytes, own + MOST);
    }
    free(letters);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crystals_of_another_lattice_are_refused),
                                       cmocka_unit_test(crystals_of_the_material_are_taken),
                                       cmocka_unit_test(pipes_are_refused_at_once),
                                       cmocka_unit_test(long_lines_take_no_memory)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
