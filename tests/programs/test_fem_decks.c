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

/* A bar of 10 x 2 x 2 C3D8R, node i + 11 (j + 3 k) + 1 at (i, j/2, k/2), its end moved by 3 across. */
static void write_bar(void)
{
    FILE *file = fopen("bar.inp", "w");
    assert_non_null(file);
    fprintf(file, "*NODE\n");
    for (int n = 0; n < 99; n++)
        fprintf(file, "%d,%d,%g,%g\n", n + 1, n % 11, 0.5 * (n / 11 % 3), 0.5 * (n / 33));
    fprintf(file, "*ELEMENT,TYPE=C3D8R,ELSET=E\n");
    for (int e = 0; e < 40; e++) {
        const int a = e % 10 + 11 * (e / 10 % 2 + 3 * (e / 20)) + 1;
        fprintf(file, "%d,%d,%d,%d,%d,%d,%d,%d,%d\n", e + 1, a, a + 1, a + 12, a + 11, a + 33, a + 34, a + 45,
                a + 44);
    }
    fprintf(file,
            "*NSET,NSET=FIX,GENERATE\n1,89,11\n*NSET,NSET=TIP,GENERATE\n11,99,11\n*MATERIAL,NAME=M\n"
            "*ELASTIC\n210000.,0.3\n*PLASTIC\n300.,0.\n400.,0.05\n500.,0.5\n"
            "*SOLID SECTION,ELSET=E,MATERIAL=M\n*BOUNDARY\nFIX,1,3\n*STEP,NLGEOM,INC=1000\n*STATIC\n0.1,1.\n"
            "*BOUNDARY\nTIP,2,2,3\n*END STEP\n");
    assert_int_equal(fclose(file), 0);
}

/* CalculiX's springs against hourglass modes jump where a point yields, and there may be no balance: increments that are tried again
 * keep the springs that were. CalculiX 2.20 draws the end's upper corner in by 0.6492, its middle by 0.4772; the balance on the other side
 * of such jumps is 1.2e-3 of the displacement off. */
static void springs_that_jump_are_kept(void **state)
{
    (void)state;
    const int64_t shape[2] = {99, 3};
    result r;
    write_bar();
    run(FEM "bar.inp -o out.h5 --dialect calculix", &r);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.err, "22.4 % of the work of elements is in springs against hourglass modes"));
    hid_t file = open_results("out.h5");
    hid_t fields = H5Gopen2(file, "/fields", H5P_DEFAULT);
    H5G_info_t info;
    char name[64];
    assert_true(fields >= 0 && H5Gget_info(fields, &info) >= 0);
    snprintf(name, sizeof name, "/fields/%04d/displacement", (int)info.nlinks);
    double *u = read_set(file, name, 2, shape);
    CHECK_CLOSE(u[3 * 10 + 1], 3, 1e-9);
    CHECK_CLOSE(u[3 * (10 + 11 * 2)], -0.6492, 2e-3 * 3);
    CHECK_CLOSE(u[3 * (10 + 11 * 4)], -0.4772, 2e-3 * 3);
    free(u);
    H5Gclose(fields);
    H5Fclose(file);
    unlink("bar.inp");
}

/* What a deck computes otherwise than its program is said: a truss and a membrane of E = 1000, nu = 0.3 drawn to 1.2, whose volumes are
 * 1.2^0.4 and 1.2^(4/7) of what they were; *RATE DEPENDENT of *STATIC in CalculiX' dialect. */
static void what_differs_is_said(void **state)
{
    (void)state;
    static const char head[] =
        "*NODE,NSET=N\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n*MATERIAL,NAME=M\n*ELASTIC\n1000.,.3\n",
                      step[] = "*STEP,NLGEOM\n*STATIC,DIRECT\n.25,1.\n*BOUNDARY\n";
    static const struct {
        const char *body, *moved, *dialect, *says;
    } cases[] = {{"*ELEMENT,TYPE=T3D2,ELSET=E\n1,1,2\n*SOLID "
                  "SECTION,ELSET=E,MATERIAL=M\n2.\n*BOUNDARY\n1,1,3\n2,2,3\n",
                  "2,1,1,.2\n", "abaqus", "step 1: the volume of element 1 changes by 7.6 %"},
                 {"*ELEMENT,TYPE=M3D4,ELSET=E\n1,1,2,3,4\n*MEMBRANE "
                  "SECTION,ELSET=E,MATERIAL=M\n.1\n*BOUNDARY\nN,2,3\n1,1\n4,1\n",
                  "2,1,1,.2\n3,1,1,.2\n", "abaqus", "step 1: the volume of element 1 changes by 11 %"},
                 {"*ELEMENT,TYPE=CPE4,ELSET=E\n1,1,2,3,4\n*PLASTIC\n1.,0.\n*RATE DEPENDENT\n1.,2.\n*SOLID "
                  "SECTION,ELSET=E,"
                  "MATERIAL=M\n1.\n*BOUNDARY\nN,2\n1,1\n4,1\n",
                  "2,1,1,.01\n3,1,1,.01\n", "calculix",
                  "material M: *RATE DEPENDENT does nothing in *STATIC (the step of line 21)"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[2000], command[200];
        result r;
        snprintf(text, sizeof text, "%s%s%s%s*END STEP\n", head, cases[k].body, step, cases[k].moved);
        write_text("said.inp", text);
        snprintf(command, sizeof command, FEM "said.inp -o out.h5 --dialect %s", cases[k].dialect);
        run(command, &r);
        assert_int_equal(r.status, 0);
        if (strstr(r.err, cases[k].says) == NULL)
            fail_msg("case %zu: no '%s' in '%s'", k, cases[k].says, r.err);
    }
    unlink("said.inp");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_has_the_same_answer), cmocka_unit_test(what_there_is_not_is_refused),
        cmocka_unit_test(springs_that_jump_are_kept), cmocka_unit_test(what_differs_is_said)};
    return cmocka_run_group_tests(tests, make_fem_folder, remove_folder);
}
