/* What is kept of a run goes on with its own crystals only: material, database, orientations and weights. What changes no
 * number may change. */
#include "programs.h"

#include "common/files/seal.h"

static const char fem_text[] =
    "mesh: {body: box, cells: [1, 1, 1], size: [1.0e-4, 1.0e-4, 1.0e-4]}\n"
    "strain: finite\n"
    "materials:\n"
    "  - crystals: {material: material.yaml, solver: elastoplastic, file: grains.tex}\n"
    "periodic:\n"
    "  mean_gradient: [[0.02, 0, 0], [0, x, 0], [0, 0, x]]\n"
    "steps: [{factor: 1.0, increments: 3, time: 20.0}]\n"
    "output: {file: out.h5, restart: [2]}\n";

static const char dem_text[] =
    "material: {law: metal, young: 120.0e9, poisson: 0.34, friction: 0.1, density: 8900}\n"
    "crystals: {material: material.yaml, solver: rigid_plastic, file: grains.tex, count: 3}\n"
    "packing: {particles: 64, radii: {distribution: monodisperse, radius: 50.0e-6}, pressure: 1.0e6,\n"
    "          friction: 0.0, inertia_number: 5.0e-2}\n"
    "numerics: {time_scale: 1.0e6, record_strain: 5.0e-3}\n"
    "loading:\n"
    "  - {test: compaction, relative_density: 0.75, lateral: 0, inertia_number: 5.0e-2}\n"
    "execution: {checkpoint: 0.1}\n"
    "output: {file: out.h5}\n";

static const char taylor_text[] =
    "material: material.yaml\n"
    "solver: rigid_plastic\n"
    "crystals: {file: grains.tex, resample: 20000}\n"
    "strain_increment: 0.002\n"
    "loading:\n"
    "  - {velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 500}\n"
    "output: {file: out.h5, orientations: [], textures: [], checkpoint: 0.1}\n";

static const char grains_text[] =
    "texture\nby hand\n5\nB 5\n0 0 0 9\n30 20 10 1\n50 40 30 1\n80 60 20 1\n10 45 0 1\n";

static const struct {
    const char *file, *old, *new, *part;
} others[] = {
    {"material.yaml", "crystal_structure: fcc", "crystal_structure: bcc48", "another material"},
    {"material.yaml", "C11: 168.7e9", "C11: 168.8e9", "another material"},
    {"material.yaml", "C12: 121.7e9", "C12: 121.8e9", "another material"},
    {"material.yaml", "C44: 75.0e9", "C44: 75.1e9", "another material"},
    {"material.yaml", "reference_slip_rate: 1.0e-3", "reference_slip_rate: 1.1e-3", "another material"},
    {"material.yaml", "rate_sensitivity: 0.012", "rate_sensitivity: 0.013", "another material"},
    {"material.yaml", "initial_slip_resistance: 16.0e6", "initial_slip_resistance: 16.1e6",
     "another material"},
    {"material.yaml", "exponent: 2.25", "exponent: 2.5", "another material"},
    {"grains.tex", "0 0 0 9", "0 0 0 8", "other crystals"},
    {"grains.tex", "30 20 10", "31 20 10", "other crystals"},
};

/* A run that would go on from what is kept, refused with each of the others, and not with another name. */
static void assert_own_crystals(const char *command)
{
    static const char *const name[] = {"material.yaml", "grains.tex"};
    const char *text[] = {material_text, grains_text};
    result r;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const int grains = strcmp(others[i].file, name[1]) == 0;
        write_edited(name[grains], text[grains], others[i].old, others[i].new);
        assert_refused(command, 2, (const char *const[]){"belongs to a run with", others[i].part});
        write_text(name[grains], text[grains]);
    }
    write_edited("material.yaml", material_text, "name: OFHC copper", "name: the same # by another name");
    run_well(command, &r);
    write_text("material.yaml", material_text);
    unlink("out.h5");
}

static void prepare(const char *path, const char *text)
{
    write_text(path, text);
    write_text("grains.tex", grains_text);
}

static void restarted_bodies_have_their_own(void **state)
{
    (void)state;
    result r;
    prepare("fem.yaml", fem_text);
    run_well("slipwave fem -q fem.yaml", &r);
    assert_int_equal(rename("out-0002.restart.h5", "saved.h5"), 0);
    unlink("out.h5");
    assert_own_crystals("slipwave fem -q fem.yaml -j 1 --tolerance 1e-7 --restart saved.h5");
    write_edited("fem.yaml", fem_text, "elastoplastic", "rigid_plastic");
    assert_refused("slipwave fem -q fem.yaml --restart saved.h5", 1,
                   (const char *const[]){"saved.h5: belongs to a run with another solver or setting"});
}

/* Of files from before there were hashes nobody knows. */
static void restart_files_without_hashes_are_refused(void **state)
{
    (void)state;
    hid_t file = H5Fopen("saved.h5", H5F_ACC_RDWR, H5P_DEFAULT),
          run_group = H5Gopen2(file, "run", H5P_DEFAULT);
    static const char *const name[] = {"material_hash", "database_hash", "solver_hash", "crystals_hash"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        assert_true(H5Adelete(run_group, name[i]) >= 0);
    H5Gclose(run_group);
    H5Fclose(file);
    CHECK_OK(sw_seal("saved.h5"));
    write_text("fem.yaml", fem_text);
    assert_refused("slipwave fem -q fem.yaml --restart saved.h5", 1,
                   (const char *const[]){"saved.h5: does not say of which crystals it is"});
    unlink("saved.h5");
}

static void resumed_packings_have_their_own(void **state)
{
    (void)state;
    prepare("dem.yaml", dem_text);
    assert_int_equal(stop_after_first("slipwave dem -q dem.yaml", SIGTERM), 130);
    assert_own_crystals("slipwave dem -q dem.yaml --resume");
}

static void resumed_polycrystals_have_their_own(void **state)
{
    (void)state;
    prepare("taylor.yaml", taylor_text);
    assert_int_equal(stop_after_first("slipwave taylor -q taylor.yaml -j 1", SIGKILL), -1);
    assert_own_crystals("slipwave taylor -q taylor.yaml -j 2 --resume");
}

/* Another database of the same material, under the name of the one that was. */
static void refuse_other_database(const char *path, const char *text, const char *solver, const char *first,
                                  int status, const char *again)
{
    size_t size;
    char *database = read_bytes("copper.h5", &size), edited[128];
    result r;
    prepare(path, text);
    snprintf(edited, sizeof edited, "material: material.yaml, solver: grid, database: copper.h5");
    write_edited(path, text, solver, edited);
    if (status >= -1)
        assert_int_equal(stop_after_first(first, SIGTERM), status);
    else
        run_well(first, &r);
    run_well("slipwave-db generate -q --grid 8,8,8,12 --terms 400 material.yaml -o copper.h5", &r);
    assert_refused(again, 1, (const char *const[]){"belongs to a run with another database"});
    write_bytes("copper.h5", database, size);
    run_well(again, &r);
    unlink("out.h5");
    free(database);
}

static void databases_are_known_by_what_they_hold(void **state)
{
    (void)state;
    refuse_other_database("fem.yaml", fem_text, "material: material.yaml, solver: elastoplastic",
                          "slipwave fem -q fem.yaml", -2,
                          "slipwave fem -q fem.yaml --restart out-0002.restart.h5");
    refuse_other_database("dem.yaml", dem_text, "material: material.yaml, solver: rigid_plastic",
                          "slipwave dem -q dem.yaml", 130, "slipwave dem -q dem.yaml --resume");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restarted_bodies_have_their_own),
        cmocka_unit_test(restart_files_without_hashes_are_refused),
        cmocka_unit_test(resumed_packings_have_their_own),
        cmocka_unit_test(resumed_polycrystals_have_their_own),
        cmocka_unit_test(databases_are_known_by_what_they_hold),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
