/* `slipwave fem DECK.inp`: the solver of its equations, and where. */
#include "programs.h"

#include <math.h>

#include "fem_runs.h"
#include "online/gpu/gpu.h"

/* A cube of 2 MPa pulled at 1 N on its corner: any answer is the deck's own. */
static const char deck_text[] =
    "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n"
    "*ELEMENT,TYPE=C3D8,ELSET=E\n1,1,2,3,4,5,6,7,8\n*MATERIAL,NAME=M\n*ELASTIC\n2e5,.3\n"
    "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\n1,1,3\n2,2,3\n3,3,3\n4,1,1\n4,3,3\n"
    "*STEP\n*STATIC\n*CLOAD\n7,1,1.\n6,3,-.5\n*END STEP\n";

static void solve(const char *options, double u[24])
{
    const int64_t shape[2] = {8, 3};
    char command[200];
    result r;
    snprintf(command, sizeof command, FEM "cube.inp -o out.h5 --dialect calculix %s", options);
    run_well(command, &r);
    hid_t file = open_results("out.h5");
    double *found = read_set(file, "/fields/0001/displacement", 2, shape);
    memcpy(u, found, 24 * sizeof *u);
    free(found);
    H5Fclose(file);
    unlink("out.h5");
    unlink("out-0001.vtkhdf");
    unlink("out.vtkhdf.series");
}

static void every_solver_has_the_same_answer(void **state)
{
    static const char *const linear[] = {"--linear cg --device cpu", "--linear bicgstab --device cpu",
                                         "--linear gmres --device cpu", "--linear auto", "--device cuda"};
    double first[24], u[24], most = 0;
    const int n = sw_gpu_describe(NULL, 0) > 0 ? 5 : 4;
    (void)state;
    write_text("cube.inp", deck_text);
#ifdef SW_HAVE_UMFPACK
    solve("--linear direct", first);
#else
    solve("--linear auto", first);
#endif
    for (int i = 0; i < 24; i++)
        most = fmax(most, fabs(first[i]));
    assert_true(most > 1e-6);
    for (int k = 0; k < n; k++) {
        solve(linear[k], u);
        for (int i = 0; i < 24;
             i++) /* |r| is 1e-10 of what it was, and a cube some ten times as soft as stiff */
            assert_true(fabs(u[i] - first[i]) <= 1e-8 * most);
    }
    unlink("cube.inp");
}

static void what_there_is_not_is_refused(void **state)
{
    (void)state;
    write_text("cube.inp", deck_text);
    assert_refused(FEM "cube.inp --linear lu", 1,
                   (const char *[]){"--linear = lu: need auto, cg, bicgstab, gmres or direct"});
    assert_refused(FEM "cube.inp --device tpu", 1,
                   (const char *[]){"--device = tpu: need auto, cpu or cuda"});
    assert_refused(FEM "cube.inp --device cuda --linear direct", 1,
                   (const char *[]){"linear direct: sparse factors are the CPU's"});
    if (sw_gpu_describe(NULL, 0) == 0)
        assert_refused(FEM "cube.inp --device cuda", 1, (const char *[]){"GPU"});
    unlink("cube.inp");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(every_solver_has_the_same_answer),
                                              cmocka_unit_test(what_there_is_not_is_refused)};
    return cmocka_run_group_tests(tests, make_fem_folder, remove_folder);
}
