/* Texts longer than an attribute of HDF5 has room for, 64 KB: every command takes jobs, materials and alloys of 100 KB,
 * and keeps them whole. */
#include "programs.h"

enum { COMMENT = 100 << 10 };

/* Content of a file, with a comment before it that ends in its name; as that file, too. Released with free(). */
static char *write_long(const char *path, const char *text)
{
    char *whole = malloc(COMMENT + strlen(text) + 2);
    assert_non_null(whole);
    memset(whole, '#', COMMENT);
    for (size_t i = 99; i < COMMENT; i += 100) {
        whole[i] = '\n';
        whole[i - 1] = (char)('a' + i / 100 % 26);
    }
    whole[COMMENT] = '\n';
    strcpy(whole + COMMENT + 1, text);
    write_text(path, whole);
    return whole;
}

/* ---- Finding them ---- */

typedef struct {
    const char *text;
    int found;
} search;

static herr_t compare_attribute(hid_t at, const char *name, const H5A_info_t *about, void *context)
{
    search *s = context;
    char *text = NULL;
    (void)about;
    if (sw_h5_read_text(at, name, &text) == SW_OK)
        s->found += strcmp(text, s->text) == 0;
    free(text);
    return 0;
}

static herr_t compare_object(hid_t file, const char *name, const H5O_info_t *about, void *context)
{
    (void)about;
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, compare_attribute, context);
    H5Oclose(object);
    return 0;
}

static void assert_holds(const char *path, const char *what, const char *text)
{
    search s = {text, 0};
    hid_t file = open_results(path);
    assert_true(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, compare_object, &s, H5O_INFO_BASIC) >= 0);
    H5Fclose(file);
    if (s.found != 1)
        fail_msg("%s: holds the %s %d times", path, what, s.found);
}

/* ---- Each command ---- */

static char *long_material, *long_alloy;

static void databases_take_them(void **state)
{
    (void)state;
    result r;
    run_well("slipwave-db generate -q --grid 8,8,8,12 --terms 64 -o long.h5 long-material.yaml", &r);
    assert_holds("long.h5", "material", long_material);
    run_well("slipwave-db inspect long.h5", &r);
    run_well("slipwave-db inspect --verify long.h5", &r);
    run_well("slipwave-db validate -q --points 10 long.h5", &r);
    assert_holds("long.h5", "material", long_material);
    run_well("slipwave certify -q --crystals 2 -j 1 long.h5", &r);
    assert_holds("long.h5", "material", long_material);
}

#define LOADING "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 40}]\n"
#define TENSION                                                                                       \
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}, {nodes: z_max, z: " \
    "1.0e-3}]\n"
#define GRAINS                                                                                       \
    "material: {young: 4.3e9, poisson: 0.5, friction: 0.5, density: 2600}\n"                         \
    "packing: {particles: 20, radii: {distribution: monodisperse, radius: 1.0e-4}, friction: 0.1,\n" \
    "          pressure: 200.0e3, inertia_number: 3.0e-2, stress_tolerance: 0.5, unbalanced_force: 1}\n"

static void runs_take_them(void **state)
{
    (void)state;
    static const struct {
        const char *command, *text;
        int with_alloy; /* which is kept, too */
    } rows[] = {
        {"taylor",
         "database: long.h5\nmaterial: long-material.yaml\nsolver: grid\ncrystals: {count: 3}\n" LOADING, 0},
        {"taylor", "material: long-material.yaml\nsolver: rigid_plastic\ncrystals: {count: 3}\n" LOADING, 0},
        {"sweep",
         "databases: [long.h5]\nvary: {terms: [8, 16, 32]}\nrefinement: 4\ncrystals: {count: 2, seed: 1}\n"
         "reference: {solver: terms, terms: 64, refinement: 4}\nstrain_increment: 0.02\n" LOADING,
         0},
        {"kwn",
         "alloy: long-alloy.yaml\ndevice: cpu\nsize_axis: {classes: 32}\ninitial_temperature: 803.0\n"
         "temperature: [{quench_to: 458.0}, {hold: 100.0}]\n",
         1},
        {"kwn map",
         "alloy: long-alloy.yaml\ndevice: cpu\nsize_axis: {classes: 32}\ninitial_temperature: 803.0\nkind: "
         "ageing\n"
         "temperature: {from: 440.0, to: 460.0, count: 2}\ntime: {from: 10.0, to: 100.0, count: 2}\n",
         1},
        {"fem",
         "mesh: {body: box, cells: [1, 1, 1]}\nmaterials: [{young: 200.0e9, poisson: 0.3}]\ndevice: "
         "cpu\n" TENSION,
         0},
        {"fem",
         "mesh: {body: box, cells: [1, 1, 1]}\nstrain: finite\ndevice: cpu\nsteps: [{factor: 1, time: 1.0}]\n"
         "materials: [{crystals: {material: long-material.yaml, count: 2}}]\n" TENSION,
         0},
        {"forming",
         "material: long-material.yaml\ncrystals: {count: 3}\nr_values: {angles: [0], strain: 0.001}\n", 0},
        {"dem", GRAINS "device: cpu\n", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2048], command[64];
        result r;
        snprintf(text, sizeof text, "%soutput: {file: out.h5}\n", rows[i].text);
        snprintf(command, sizeof command, "slipwave %s -q long.yaml", rows[i].command);
        char *job = write_long("long.yaml", text);
        run(command, &r);
        if (r.status != 0)
            fail_msg("row %zu: %s: %s", i, command, r.err);
        assert_holds("out.h5", "job", job);
        if (rows[i].with_alloy)
            assert_holds("out.h5", "alloy", long_alloy);
        assert_int_equal(unlink("out.h5"), 0);
        free(job);
    }
}

/* States that runs go on from hold the job, too, and know it again. */
static void states_take_them(void **state)
{
    (void)state;
    static const char text[] =
        "mesh: {body: box, cells: [1, 1, 1]}\nmaterials: [{young: 200.0e9, poisson: 0.3}]\n"
        "device: cpu\nsteps: [{factor: 1, increments: 3}]\n" TENSION
        "output: {file: out.h5, restart: [2], fields: [none]}\n";
    result r;
    char *job = write_long("long.yaml", text);
    run_well("slipwave fem -q long.yaml", &r);
    assert_holds("out-0002.restart.h5", "job", job);
    run_well("slipwave fem -q long.yaml --restart out-0002.restart.h5 -o again.h5", &r);
    assert_holds("again.h5", "job", job);
    free(job);
}

static void points_take_them(void **state)
{
    (void)state;
    result r;
    free(write_long("long.yaml", "material: long-material.yaml\ncrystals: {count: 3}\n"));
    run_well("slipwave point long.yaml", &r);
}

static int make_texts(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    char *alloy = read_data("alloys/al-mg-si-6082.yaml");
    long_material = write_long("long-material.yaml", material_text);
    long_alloy = write_long("long-alloy.yaml", alloy);
    free(alloy);
    return 0;
}

static int remove_texts(void **state)
{
    free(long_material);
    free(long_alloy);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(databases_take_them),
        cmocka_unit_test(runs_take_them),
        cmocka_unit_test(states_take_them),
        cmocka_unit_test(points_take_them),
    };
    return cmocka_run_group_tests(tests, make_texts, remove_texts);
}
