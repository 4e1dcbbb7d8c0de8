/* What `slipwave taylor` refuses, and leaves nothing of. */
#include "programs.h"

#include "online/gpu/gpu.h"

static const bad_case bad_cases[] = {
    EDIT("material of a taylor run", MATERIAL, "exponent: 2.25", "exponent: 0.5",
         TAYLOR "job.yaml --solver iterative --material bad.yaml", "hardening.exponent = 0.5",
         "need 1 <= exponent"),
    COMMAND("material of a taylor run missing", TAYLOR "job.yaml --solver iterative --material absent.yaml",
            "absent.yaml: cannot be read: No such file or directory"),
    EDIT("job with an unknown key", JOB, "solver: terms", "solvr: terms", TAYLOR "bad.yaml",
         "unknown key 'solvr'", "did you mean 'solver'?"),
    EDIT("job with text for a number", JOB, "count: 5", "count: five", TAYLOR "bad.yaml",
         "crystals.count = five", "need a whole number"),
    EDIT("L that is not deviatoric", JOB, "velocity_gradient: [[1.0e-3, 0, 0]",
         "velocity_gradient: [[1.5e-3, 0, 0]", TAYLOR "bad.yaml",
         "loading[0].velocity_gradient has trace = 0.0005", "need |trace| <= 1e-09 |D|"),
    EDIT("crystals of 8 bytes of a solver without a table", JOB, "solver: terms",
         "storage: compact\nsolver: rigid_plastic", TAYLOR "bad.yaml", "bad.yaml:", "storage",
         "solver = rigid_plastic: crystals of 8 bytes are for solvers that look up in a table"),
    EDIT("crystals of 8 bytes beyond what these hold", JOB, "initial_slip_resistance: 16.0e6",
         "storage: compact\ninitial_slip_resistance: 0.5e6", TAYLOR "bad.yaml --solver grid", "storage",
         "have a slip resistance that these cannot hold: need 1e+06 to 1.481e+08 Pa"),
    EDIT("unknown solver", JOB, "solver: terms", "solver: exact", TAYLOR "bad.yaml", "solver = exact",
         "need one of terms, grid, tabulated, rigid_plastic, elastoplastic, iterative, auto"),
    EDIT("count and file", JOB, "{count: 5", "{file: grains.ori, count: 5", TAYLOR "bad.yaml",
         "crystals.count beside crystals.file", "need only one of them"),
    EDIT("terms beyond what is stored", JOB, "terms: 64", "terms: 100000", TAYLOR "bad.yaml",
         ": terms = 100000", "need at most the", stored_terms, "copper.h5 stores"),
    EDIT("orientation step beyond the run", JOB, "[0, last]", "[0, 5]", TAYLOR "bad.yaml",
         "output.orientations[1] = 5", "the loading has 4 steps"),
    EDIT("texture step beyond the run", JOB, "orientations: [0, last]", "textures: [5]", TAYLOR "bad.yaml",
         "output.textures[0] = 5", "the loading has 4 steps"),
    EDIT("more steps than anyone waits for", JOB, "duration: 50", "duration: 1.0e300", TAYLOR "bad.yaml",
         "loading[0].duration = 1e+300", "need at most 1e9 steps"),
    ELSEWHERE("database missing", JOB, "copper.h5", "absent.h5", TAYLOR "bad.yaml",
              "absent.h5: No such file or directory"),
    ELSEWHERE("count beside a crystal file", JOB, "{count: 5, texture: random, seed: 3}",
              "{file: grains.ori}", TAYLOR "bad.yaml --count 100", "--count beside crystals.file",
              "need only one of them"),
    EDIT("phase of random crystals", JOB, "seed: 3}", "seed: 3, phase: 2}", TAYLOR "bad.yaml",
         "crystals.phase = 2", "random crystals have none"),
    ELSEWHERE("option: phase of a file without", JOB, "{count: 5, texture: random, seed: 3}",
              "{file: good.ori}", TAYLOR "bad.yaml --phase 1", "good.ori: ", "has no phases"),
    EDIT("checkpoint too often", JOB, "orientations: [0, last]", "checkpoint: 0", TAYLOR "bad.yaml",
         "output.checkpoint = 0", "need s, from 0.1 to 1e9"),
    ELSEWHERE("empty crystal file", JOB, "{count: 5, texture: random, seed: 3}", "{file: empty.ori}",
              TAYLOR "bad.yaml", "empty.ori: no crystal in it"),
    ELSEWHERE("crystal file with a bad row", JOB, "{count: 5, texture: random, seed: 3}", "{file: bad.ori}",
              TAYLOR "bad.yaml", "bad.ori:3: ", "\"45 x 30\""),
    ELSEWHERE("crystal file missing", JOB, "{count: 5, texture: random, seed: 3}", "{file: absent.ori}",
              TAYLOR "bad.yaml", "absent.ori: cannot be read: No such file or directory"),
    ELSEWHERE("crystal file of an unknown kind", JOB, "{count: 5, texture: random, seed: 3}",
              "{file: job.yaml}", TAYLOR "bad.yaml", "job.yaml: no constituents in it", "is DAMASK's"),
    ELSEWHERE("output in a folder that does not exist", JOB, "file: out.h5", "file: absent/out.h5",
              TAYLOR "bad.yaml", "absent/out.h5: cannot be created: No such file or directory"),
    ELSEWHERE("output that is a folder", JOB, "file: out.h5", "file: results", TAYLOR "bad.yaml",
              "results: is a folder"),
    COMMAND("job missing", TAYLOR "absent.yaml", "absent.yaml: cannot be read: No such file or directory"),
    COMMAND("option: solver", TAYLOR "job.yaml --solver exact", "--solver = exact", "need one of"),
    COMMAND("option: terms beyond what is stored", TAYLOR "job.yaml --terms 100000", "--terms = 100000",
            "need at most the", stored_terms, "copper.h5 stores"),
    COMMAND("option: terms 0", TAYLOR "job.yaml --terms 0", "--terms = 0", "need terms >= 1"),
    COMMAND("option: terms text", TAYLOR "job.yaml --terms many", "--terms = many", "need a whole"),
    COMMAND("option: count", TAYLOR "job.yaml --count 0", "--count = 0", "need 1 <= count"),
    COMMAND("option: seed", TAYLOR "job.yaml --seed -1", "--seed = -1", "need seed >= 0"),
    COMMAND("option: refinement", TAYLOR "job.yaml --refinement 1e2", "--refinement = 1e2", "need"),
    COMMAND("option without effect: terms", TAYLOR "job.yaml --solver grid --terms 7", "--terms", "no effect",
            "grid"),
    COMMAND("output over the job", TAYLOR "job.yaml -o job.yaml", "--output = job.yaml",
            "is the file that is read"),
    COMMAND("option: threads 0", TAYLOR "job.yaml --threads 0", "--threads = 0", "need 1 <= threads <= 4096"),
    COMMAND("option: threads text", TAYLOR "job.yaml -j all", "--threads = all", "need a whole number"),
    COMMAND("option: device", TAYLOR "job.yaml --device abacus", "--device = abacus",
            "need one of auto, cpu, cuda"),
    COMMAND("option: database", TAYLOR "job.yaml --database absent.h5", "absent.h5: No such file"),
    COMMAND("option: output empty", TAYLOR "job.yaml --output=", "--output = ''", "need a text"),
    EDIT("unknown interpolation", JOB, "solver: terms", "interpolation: cubic\nsolver: terms",
         TAYLOR "bad.yaml", "interpolation = cubic", "need one of linear, nearest"),
    EDIT("unknown device", JOB, "solver: terms", "device: abacus\nsolver: terms", TAYLOR "bad.yaml",
         "device = abacus", "need one of auto, cpu, cuda"),
    EDIT("error that the solver does not heed", JOB, "solver: terms", "error: 0.01\nsolver: terms",
         TAYLOR "bad.yaml", "error = 0.01", "no effect on the solver 'terms'", "'auto'"),
    EDIT("error too small", JOB, "solver: terms", "error: 1.0e-5\nsolver: auto", TAYLOR "bad.yaml",
         "error = 1.0e-5", "need 1e-4 <= error <= 0.5"),
    ELSEWHERE("auto without certified errors", JOB, "solver: terms", "solver: auto", TAYLOR "bad.yaml",
              "copper.h5: has no certified errors", "run `slipwave certify", "copper.h5`"),
    COMMAND("option: auto without certified errors", TAYLOR "job.yaml --solver auto --error 0.01",
            "copper.h5: has no certified errors", "run `slipwave certify"),
    COMMAND("option: error", TAYLOR "job.yaml --solver auto --error 0.6", "--error = 0.6",
            "need 1e-4 <= error <= 0.5"),
    COMMAND("option: error text", TAYLOR "job.yaml --error 1%", "--error = 1%", "need a number"),
    COMMAND("option without effect: error", TAYLOR "job.yaml --solver grid --error 0.01", "--error = 0.01",
            "no effect on the solver 'grid'", "'auto'"),
    COMMAND("option: error of what", TAYLOR "job.yaml --solver auto --error-of stress", "--error-of = stress",
            "need one of curve, tensor"),
    COMMAND("option without effect: error of what", TAYLOR "job.yaml --solver grid --error-of tensor",
            "--error-of = tensor", "no effect on the solver 'grid'", "'auto'"),
    COMMAND("option without effect: interpolation", TAYLOR "job.yaml --interpolation nearest",
            "--interpolation", "no effect on the solver 'terms'", "only on grid"),
    COMMAND("option without effect: iterations", TAYLOR "job.yaml --iterations one", "--iterations",
            "no effect on the solver 'terms'", "only on rigid_plastic"),
    COMMAND("option without effect: refinement", TAYLOR "job.yaml --solver iterative --refinement 2",
            "--refinement", "no effect on the solver 'iterative'", "terms, grid"),
    COMMAND("option that auto sets itself", TAYLOR "job.yaml --solver auto --terms 7", "--terms",
            "no effect on the solver 'auto'"),
    COMMAND("option: interpolation", TAYLOR "job.yaml --solver grid --interpolation cubic",
            "--interpolation = cubic", "need one of linear, nearest"),
    COMMAND("iterative on a GPU", TAYLOR "job.yaml --solver iterative --device cuda", "--device = cuda"),
    COMMAND("taylor: unknown option", TAYLOR "job.yaml --frob", "taylor", "'--frob'"),
    COMMAND("option without its value", TAYLOR "job.yaml --terms", "'--terms'", "needs a value"),
    COMMAND("taylor: no job", "slipwave taylor", "taylor needs a job file"),
    COMMAND("taylor: two jobs", TAYLOR "a.yaml b.yaml", "one job file", "a.yaml, b.yaml"),
};

/* ---- What goes wrong on the way ---- */

static void full_disk_leaves_no_results(void **state)
{
    (void)state;
    const char *const part[] = {"out.h5", "File too large"};
    fill_disk(1);
    assert_refused_twice(TAYLOR "job.yaml", 2, part);
    fill_disk(0);
}

/* At once, before any step is done or after some; test_taylor_resume.c has what is kept then. */
static void interrupted_taylor_leaves_no_results(void **state)
{
    (void)state;
    FILE *file = fopen("long.yaml", "wb"); /* 70,000 steps of 4096 crystals: minutes */
    const char *duration = strstr(job_text, "duration: 50");
    assert_true(file != NULL && duration != NULL);
    fprintf(file, "%.*sduration: 1.0e6\noutput: {file: out.h5, orientations: [last]}\n",
            (int)(duration - job_text), job_text);
    assert_int_equal(fclose(file), 0);
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 4; i++) {
        char before[4096], after[4096];
        if (i >= 2)
            write_text("out.h5", "an older result\n");
        list_folder(before, sizeof before);
        assert_int_equal(interrupt_run(TAYLOR "long.yaml --count 4096", signals[i % 2], "out.h5.tmp."), 130);
        unlink("out.h5.partial");
        list_folder(after, sizeof after);
        assert_string_equal(before, after);
    }
    unlink("out.h5");
    unlink("long.yaml");
}

static void cuda_without_a_gpu_is_refused(void **state)
{
    (void)state;
    char name[128];
    const char *const part[] = {"--device = cuda", "no GPU"};
    if (sw_gpu_describe(name, sizeof name) > 0) {
        print_message("skipped: this machine has a GPU, %s\n", name);
        skip();
    }
    assert_refused_twice(TAYLOR "job.yaml --device cuda", 2, part);
}

int main(void)
{
    static const struct CMUnitTest others[] = {
        cmocka_unit_test(full_disk_leaves_no_results),
        cmocka_unit_test(interrupted_taylor_leaves_no_results),
        cmocka_unit_test(cuda_without_a_gpu_is_refused),
    };
    return RUN_CASES(bad_cases, others);
}
