/* `slipwave dem` goes on: after a stop, with work that could not be written, not from states of others. */
#include "dem_runs.h"

/* ---- Reading results ---- */

/* All quantities of a file, one after the other; *size numbers. */
static double *read_history(const char *path, int64_t *size)
{
    hid_t file = open_results(path);
    double *all = NULL;
    *size = 0;
    for (int q = 0; q < QUANTITIES; q++) {
        int64_t elements, n;
        double *one = read_quantity(file, quantities[q].name, &elements, &n);
        all = realloc(all, (size_t)(*size + elements * n) * sizeof *all);
        assert_non_null(all);
        memcpy(all + *size, one, (size_t)(elements * n) * sizeof *all);
        *size += elements * n;
        free(one);
    }
    H5Fclose(file);
    return all;
}

static void assert_same_history(const char *path, const char *other)
{
    int64_t size, size_of_other;
    double *a = read_history(path, &size), *b = read_history(other, &size_of_other);
    assert_int_equal(size, size_of_other);
    assert_memory_equal(a, b, (size_t)size * sizeof *a);
    free(a);
    free(b);
}

/* ---- Interruptions ---- */

static void stopped_run_resumes_to_the_same(void **state)
{
    (void)state;
    static const char *const left[] = {"out.h5.partial: is left from an earlier run", "--resume"};
    static const struct {
        int signal, status;
    } ends[] = {{SIGKILL, -1}, {SIGINT, 130}, {SIGTERM, 130}};
    result r;
    write_edited("whole.yaml", long_text, "checkpoint: 0.1", "checkpoint: 1000");
    run_well(DEM "whole.yaml -o whole.h5", &r);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char after[4096];
        assert_int_equal(stop_after_first(DEM "long.yaml", ends[i].signal), ends[i].status);
        assert_int_equal(access("out.h5", F_OK), -1);
        assert_refused(DEM "long.yaml", 2, left);
        list_folder(after, sizeof after);
        assert_null(strstr(after, "tmp"));
        run("slipwave dem long.yaml --resume", &r);
        if (r.status != 0)
            fail_msg("--resume: %s", r.err);
        assert_non_null(strstr(r.err, "resume: "));
        assert_int_equal(access("out.h5.partial", F_OK), -1);
        assert_same_history("whole.h5", "out.h5");
        unlink("out.h5");
    }
    unlink("whole.h5");
    unlink("whole.yaml");
}

/* A place that is taken while the run is at work. */
static void work_that_cannot_be_written_is_kept(void **state)
{
    (void)state;
    result r;
    write_edited("late.yaml", long_text, "{file: out.h5}", "{file: out.h5, packings: [txt]}");
    run_well(DEM "long.yaml -o whole.h5", &r);
    const int sink = open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = start(DEM "late.yaml", sink, sink);
    wait_until_kept(child);
    assert_int_equal(mkdir("out-0001.txt", 0777), 0);
    assert_int_equal(wait_for(child), 1);
    close(sink);
    assert_int_equal(access("out.h5", F_OK), -1);
    assert_refused(DEM "late.yaml --resume", 1, (const char *const[]){"out-0001.txt cannot be written"});
    rmdir("out-0001.txt");
    run_well(DEM "late.yaml --resume", &r);
    assert_same_history("whole.h5", "out.h5");
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    static const char *const made[] = {"late.yaml", "whole.h5", "out.h5", "out-0000.txt", "out-0001.txt"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(unlink(made[i]), 0);
}

/* What is left of a run goes on with its own job only. */
static void states_of_others_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *part;
    } others[] = {
        {"seed: 4", "seed: 5", "belongs to a run with another job, packing or table"},
        {"young: 4.3e9", "young: 4.4e9", "another job"},
        {"strain: 0.04", "strain: 0.05", "another job"},
        {"count: 2", "count: 3", "another job"},
        {"{checkpoint: 0.1}", "{checkpoint: 0.1, images: boundary_particles}",
         "another device, team or version"},
    };
    assert_int_equal(stop_after_first(DEM "long.yaml", SIGTERM), 130);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_edited("other.yaml", long_text, others[i].old, others[i].new);
        assert_refused(DEM "other.yaml --resume", 2,
                       (const char *const[]){"out.h5.partial: belongs to a run", others[i].part});
    }
    unlink("other.yaml");
    size_t size;
    char *bytes = read_bytes("out.h5.partial", &size);
    write_bytes("out.h5.partial", bytes, size / 2);
    assert_refused(DEM "long.yaml --resume", 1, (const char *const[]){"out.h5.partial"});
    write_text("out.h5.partial", "nothing of the kind\n");
    assert_refused(DEM "long.yaml --resume", 1, (const char *const[]){"out.h5.partial: not an HDF5 file"});
    free(bytes);
    unlink("out.h5.partial");
}

/* Nor with a material that pulls otherwise. */
static void states_of_other_cohesions_are_refused(void **state)
{
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, "material: {law: cohesive, bond_strength: 1.0e4,%s",
             long_text + strlen("material: {"));
    write_text("pull.yaml", text);
    assert_int_equal(stop_after_first(DEM "pull.yaml", SIGTERM), 130);
    write_edited("other.yaml", text, "bond_strength: 1.0e4", "bond_strength: 2.0e4");
    assert_refused(DEM "other.yaml --resume", 2,
                   (const char *const[]){"out.h5.partial: belongs to a run", "another job"});
    unlink("pull.yaml");
    unlink("other.yaml");
    unlink("out.h5.partial");
}

/* The file's name is the job's, its triangles are others. */
static void states_with_other_meshes_are_refused(void **state)
{
    (void)state;
    static const char job[] =
        "material: {young: 1.0e7, poisson: 0.3, friction: 0.3, density: 2500}\n"
        "packing: {file: one.txt}\nsides: {1: open, 2: open, 3: open}\n"
        "walls:\n  - {shape: mesh, file: floor.stl, point: [0, 0, 0.5], axis: [0, 0, 1]}\n"
        "gravity: [0, 0, -9.81]\nloading: [{test: rest, duration: 1000}]\n"
        "numerics: {record_interval: 1000}\nexecution: {checkpoint: 0.1}\n"
        "output: {file: out.h5}\n",
                      floor[] =
                          "solid\nfacet\nouter loop\nvertex -9 -9 0\nvertex 9 -9 0\nvertex 0 9 0\nendloop\n"
                          "endfacet\nendsolid\n";
    write_text("mesh.yaml", job);
    write_text("floor.stl", floor);
    write_text("one.txt", "cell 2 0 0 0 2 0 0 0 2\n1 1 0.6 0.1\n");
    assert_int_equal(stop_after_first(DEM "mesh.yaml", SIGTERM), 130);
    write_edited("floor.stl", floor, "vertex 0 9 0", "vertex 0 8 0");
    assert_refused(
        DEM "mesh.yaml --resume", 2,
        (const char *const[]){"out.h5.partial: belongs to a run with other triangles", "floor.stl"});
    write_text("floor.stl", floor);
    write_edited("mesh.yaml", job, "-9.81", "-1.62");
    assert_refused(DEM "mesh.yaml --resume", 1, (const char *const[]){"out.h5.partial: belongs to"});
    unlink("mesh.yaml");
    unlink("floor.stl");
    unlink("one.txt");
    unlink("out.h5.partial");
}

static void resume_without_anything_starts(void **state)
{
    (void)state;
    result r;
    run_well(DEM "dem.yaml --resume", &r);
    assert_int_equal(access("out.h5", F_OK), 0);
    unlink("out.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_with_other_meshes_are_refused),
        cmocka_unit_test(stopped_run_resumes_to_the_same),
        cmocka_unit_test(work_that_cannot_be_written_is_kept),
        cmocka_unit_test(states_of_others_are_refused),
        cmocka_unit_test(states_of_other_cohesions_are_refused),
        cmocka_unit_test(resume_without_anything_starts),
    };
    return cmocka_run_group_tests(tests, make_dem_folder, remove_folder);
}
