/* `slipwave init` and `slipwave check`: what a newcomer calls first. */
#include "programs.h"

static const char *const kinds[] = {"taylor", "forming", "fem", "dem", "kwn", "kwn-map", "point"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *checked_as[KINDS] = {"taylor", "forming", "fem", "dem", "kwn", "kwn map", "point"};

/* Every kind is a job of its command, whose beginning runs: check() finds which by its keys. */
static void init_writes_jobs_that_run(void **state)
{
    result r;
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        char command[128], expected[128];
        snprintf(command, sizeof command, "slipwave init %s -o begun.yaml", kinds[i]);
        run_well(command, &r);
        assert_non_null(strstr(r.out, "begun.yaml\n"));
        run("slipwave check --seconds 0.01 begun.yaml", &r);
        snprintf(expected, sizeof expected, "begun.yaml: a job of `slipwave %s`: it", checked_as[i]);
        if (r.status != 0 || strncmp(r.out, expected, strlen(expected)) != 0)
            fail_msg("%s: %d '%s' '%s'", kinds[i], r.status, r.out, r.err);
        unlink("begun.yaml");
    }
    run_well("slipwave-db generate -q --grid 8,8,8,12 copper-ofhc.yaml -o of-init.h5",
             &r); /* what it brought */
}

/* All lines after the job are comments, and of a mapping that is not there one can take the '#' off. */
static void init_lists_what_else_there_is(void **state)
{
    result r;
    size_t size;
    (void)state;
    run_well("slipwave init fem -o whole.yaml", &r);
    run_well("slipwave init fem --short -o short.yaml", &r);
    char *whole = read_bytes("whole.yaml", &size), *brief = read_bytes("short.yaml", &size);
    assert_int_equal(strncmp(whole, brief, strlen(brief)), 0);
    for (char *line = whole + strlen(brief); line != NULL && *line != '\0';) {
        char *end = strchr(line, '\n');
        assert_true(line[0] == '#' || line[0] == '\n');
        line = end != NULL ? end + 1 : NULL;
    }
    char *preconditioner = strstr(whole, "# solver:\n");
    assert_non_null(preconditioner);
    FILE *file = fopen("opened.yaml", "w");
    assert_non_null(file);
    fprintf(file, "%s\nsolver:\n", brief);
    const char *line = strstr(preconditioner, "#   tolerance: 1e-6 ");
    assert_non_null(line);
    fprintf(file, " %.*s\n", (int)strcspn(line, "\n") - 1, line + 1);
    fclose(file);
    run_well("slipwave fem -q opened.yaml -o opened.h5", &r);
    free(whole);
    free(brief);
}

static void init_touches_nothing_that_is_there(void **state)
{
    result r;
    (void)state;
    write_text("copper-ofhc.yaml", material_text);
    write_text("mine.yaml", "mine\n");
    assert_refused("slipwave init taylor -o mine.yaml", 2, (const char *const[]){"mine.yaml", "is there"});
    assert_refused("slipwave init tailor", 2,
                   (const char *const[]){"kind = tailor", "did you mean 'taylor'"});
    assert_refused("slipwave init nonsense", 2,
                   (const char *const[]){"kind = nonsense", "need one of taylor, forming"});
    assert_refused("slipwave init", 2,
                   (const char *const[]){"init needs a kind of job (taylor, forming, fem", "alloy"});
    run_well("slipwave init taylor -o begun.yaml", &r);
    assert_string_equal(r.out, "begun.yaml\n"); /* and not the material, which was there */
    unlink("begun.yaml");
}

/* A long job is stopped, a wrong one refused as its run would be; neither writes. */
static void check_writes_nothing(void **state)
{
    char before[4096], after[4096];
    result r;
    (void)state;
    run_well("slipwave init taylor --short -o long.yaml", &r);
    list_folder(before, sizeof before);
    run("slipwave check long.yaml --seconds 0.05 --threads 1", &r);
    list_folder(after, sizeof after);
    assert_string_equal(before, after);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.out, "  writes plane-strain-compression.h5\n"));
    assert_non_null(strstr(r.out, "  memory: "));
    write_text("plane-strain-compression.h5", "older\n");
    run("slipwave check long.yaml --seconds 0.05", &r);
    assert_non_null(strstr(r.out, "which is there and would be replaced"));
    write_text("wrong.yaml",
               "mesh: {body: box, cells: [2, 2, 2], size: [1, 1, -1]}\nsteps: [{increments: 1}]\n"
               "materials: [{young: 1e9, poisson: 0.3}]\n");
    run("slipwave check wrong.yaml", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "slipwave: wrong.yaml:1: mesh.size"));
    write_text("none.yaml", "colour: blue\n");
    assert_refused("slipwave check none.yaml", 2,
                   (const char *const[]){"none.yaml", "no command has these keys"});
    assert_refused("slipwave check none.yaml --as certify", 1,
                   (const char *const[]){"--as = certify: need one of taylor"});
    write_text("nowhere.yaml",
               "mesh: {body: box, cells: [1, 1, 1], size: [1, 1, 1]}\noutput: {file: nodir/x.h5}\n"
               "materials: [{young: 1e9, poisson: 0.3}]\n");
    run("slipwave check nowhere.yaml", &r);
    assert_int_equal(r.status, 1);
    assert_non_null(strstr(r.err, "nodir/x.h5: cannot be written"));
    assert_refused("slipwave check absent.yaml", 2, (const char *const[]){"absent.yaml", "No such file"});
}

/* The rest of a run is said from its beginning: a hundred times the crystals' steps, of which some are done. */
static void check_says_how_long_all_would_take(void **state)
{
    result r;
    double took, all;
    long long done, total;
    (void)state;
    write_text(
        "years.yaml",
        "material: material.yaml\nsolver: elastoplastic\ncrystals: {count: 1000}\n"
        "loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 1.0e+5}]\n"
        "strain_increment: 0.01\noutput: {file: years.h5}\n");
    run("slipwave check years.yaml --seconds 0.2", &r);
    const char *line = strstr(r.out, "  elastoplastic: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "  elastoplastic: %lld of %lld crystal-steps in %lf s: about %lf s for all",
                            &done, &total, &took, &all),
                     4);
    assert_true(done > 0 && done < total && all > took);
    const double even =
        took * (double)total / (double)done; /* with the set-up in the rate, which is too slow */
    assert_true(all <= 1.05 * even && all > 0.02 * even);
    assert_int_equal(access("years.h5", F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init_writes_jobs_that_run), cmocka_unit_test(init_lists_what_else_there_is),
        cmocka_unit_test(init_touches_nothing_that_is_there), cmocka_unit_test(check_writes_nothing),
        cmocka_unit_test(check_says_how_long_all_would_take)};
    return cmocka_run_group_tests_name("first minutes", tests, make_folder, remove_folder);
}
