/* `slipwave fem` on several MPI ranks, a part of the mesh each. */
#include "fem_ranks.h"

#include "tests/hexagonal.h"

/* ---- Jobs ---- */

/* A pressure that follows the surface, on the last layers' side alone: some rank has none of it. */
static const char cylinder_text[] =
    "mesh: {body: cylinder, cells: [4, 4, 6], size: [0.1, 0.1, 0.1], sets: [{name: high, kind: surface, "
    "from: [-1, -1, 0.08], to: [1, 1, 1]}]}\n"
    "strain: finite\nb_bar: yes\n" STEEL
    "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}, {nodes: z_max, x: 0, y: 0, z: -0.004}]\n"
    "loads: [{surface: high, pressure: 50.0e6}]\n"
    "steps: [{factor: 1.0, increments: 2}]\n" SHARP "output: {file: out.h5, restart: [1]}\n";

static const char file_text[] =
    "mesh: {file: grid.inp}\nstrain: finite\n" STEEL "boundary: [{nodes: bottom, x: 0, y: 0, z: 0}]\n"
    "loads: [{nodes: top, force: [1.0e5, 2.0e5, 9.0e5]}]\n" SHARP "output: {file: out.h5}\n";

/* In the first of three parts nothing yields. */
static const char plane_text[] =
    "mesh: {body: l_bracket, cells: [8, 8]}\nkinematics: plane_strain\n" STEEL
    "boundary: [{nodes: y_max, x: 0, y: 0}, {nodes: x_max, y: -0.05}]\n" SHARP "output: {file: out.h5}\n";

static const char heat_text[] =
    "mesh: {body: box, cells: [6, 5], size: [1, 1]}\nkinematics: heat\n"
    "materials: [{conductivity: 50}]\n"
    "boundary: [{nodes: x_min, temperature: 0}, {nodes: x_max, temperature: 10}]\n"
    "loads: [{elements: all, source: 1.0e3}]\n" SHARP "output: {file: out.h5}\n";

static const char crystals_text[] =
    "mesh: {body: box, cells: [2, 2, 3]}\nstrain: finite\n"
    "materials: [{crystals: {material: material.yaml, count: 2}}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}, {nodes: z_max, z: 0.005}]\n"
    "steps: [{factor: 1.0, increments: 2, time: 5}]\n"
    "device: cpu\nsolver: {tolerance: 1.0e-5}\n"
    "output: {file: out.h5, components: yes, textures: [all], restart: [1, 2]}\n";

/* 3 x 3 x 4 hexahedra, uneven ones, and no lattice: parts by METIS or bisection. */
static void write_grid(void)
{
    FILE *file = fopen("grid.inp", "wb");
    assert_non_null(file);
    fprintf(file, "*NODE\n");
    for (int k = 0; k < 5; k++)
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 4; i++)
                fprintf(file, "%d, %.9g, %.9g, %.9g\n", 1 + i + 4 * (j + 4 * k),
                        0.02 * i + 0.003 * ((j + 2 * k) % 3), 0.02 * j + 0.003 * ((k + 2 * i) % 3),
                        0.025 * k);
    fprintf(file, "*ELEMENT, TYPE=C3D8\n");
    for (int e = 0; e < 36; e++) {
        const int first = 1 + e % 3 + 4 * (e / 3 % 3 + 4 * (e / 9));
        fprintf(file, "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", e + 1, first, first + 1, first + 5, first + 4,
                first + 16, first + 17, first + 21, first + 20);
    }
    fprintf(file, "*NSET, NSET=bottom, GENERATE\n1, 16, 1\n*NSET, NSET=top, GENERATE\n65, 80, 1\n");
    assert_int_equal(fclose(file), 0);
}

static void write_jobs(void)
{
    write_grid();
    write_text("cylinder.yaml", cylinder_text);
    write_text("file.yaml", file_text);
    write_text("plane.yaml", plane_text);
    write_text("heat.yaml", heat_text);
    write_text("crystals.yaml", crystals_text);
}

/* ---- Tests ---- */

static const char *const heat_history[] = {"reaction", "temperature_least", "temperature_most", NULL};

/* Newton ends at 1e-11 and each linear solve at 1e-12 of the forces; displacements are off by that times the
 * condition of so few elements. */
static void ranks_do_not_change_the_results(void **state)
{
    (void)state;
    static const struct {
        const char *job, *fields;
        int ranks;
        const char *const *history;
        const char *field[3];
    } cases[] = {
        LINE("cylinder", "0002", 3, solid_history,
             {"PointData/displacement", "CellData/stress", "PointData/reaction"}),
        LINE("file", "0001", 2, solid_history,
             {"PointData/displacement", "CellData/stress", "PointData/reaction"}),
        LINE("file", "0001", 4, solid_history,
             {"PointData/displacement", "CellData/stress", "PointData/reaction"}),
        LINE("plane", "0001", 3, solid_history,
             {"PointData/displacement", "CellData/plastic", "CellData/stress"}),
        LINE("heat", "0001", 3, heat_history,
             {"PointData/temperature", "PointData/reaction", "CellData/flux"}),
    };
    if (without_mpi())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[128], one[64], many[64], device[64], name[64];
        snprintf(command, sizeof command, "fem -q -j 1 %s.yaml --preconditioner block_jacobi -o one.h5",
                 cases[i].job);
        run_fem(1, command);
        snprintf(command, sizeof command, "fem -q -j 1 %s.yaml -o many.h5", cases[i].job);
        run_fem(cases[i].ranks, command);
        compare_histories("one.h5", "many.h5", cases[i].history, 1e-9);
        snprintf(one, sizeof one, "one-%s.vtkhdf", cases[i].fields);
        snprintf(many, sizeof many, "many-%s.vtkhdf", cases[i].fields);
        for (int k = 0; k < 3; k++) {
            snprintf(name, sizeof name, "VTKHDF/%s", cases[i].field[k]);
            compare(one, many, name, 1e-9);
        }
        hid_t file = open_results("many.h5");
        snprintf(device, sizeof device, "1 CPU threads, %d ranks", cases[i].ranks);
        assert_run_text(file, "device", device);
        H5Fclose(file);
        clear();
    }
}

/* Crystals are numbered through the whole mesh: random ones, turned ones, those drawn from a file. Other ones would be
 * radians away; Newton's tolerance, 1e-5 of the forces, leaves some 1e-4 of the strain of 0.005. */
static void ranks_do_not_change_crystals(void **state)
{
    (void)state;
    static const char *const edits[] = {"count: 2", "count: 2, rotated: yes", "count: 2, file: few.ori"};
    if (without_mpi())
        skip();
    write_text("few.ori", "35 45 0 1\n59 37 63 2\n10 20 30 3\n40 50 60 1\n70 80 20 7\n");
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        write_edited("drawn.yaml", crystals_text, "count: 2", edits[i]);
        run_fem(1, "fem -q -j 1 drawn.yaml --preconditioner block_jacobi -o one.h5");
        run_fem(3, "fem -q -j 1 drawn.yaml -o many.h5");
        compare("one-0002.textures.h5", "many-0002.textures.h5", "texture/0/orientations", 1e-5);
        compare("one-0002.restart.h5", "many-0002.restart.h5", "restart/crystals", 1e-4);
        compare("one-0002.restart.h5", "many-0002.restart.h5", "restart/crystal_points", 1e-4);
        compare("one-0002.vtkhdf", "many-0002.vtkhdf", "VTKHDF/CellData/crystal_slip", 1e-3);
        compare("one-0002.vtkhdf", "many-0002.vtkhdf", "VTKHDF/CellData/fraction_S", 0);
        compare("one.h5", "many.h5", "history/reaction", 1e-4);
        clear();
    }
    unlink("drawn.yaml");
    unlink("few.ori");
}

/* What families of slip systems have come to, gathered element by element, and its mean by volume. */
static void ranks_do_not_change_what_families_tell(void **state)
{
    (void)state;
    static const char *const fields[] = {"family_slip_basal", "twin_fraction_tension_twin",
                                         "twin_variants_tension_twin"},
                             *const means[] = {"family_slip", "twin_fraction", "twin_variants"};
    if (without_mpi())
        skip();
    write_edited("turning.yaml", turning_text, "twin_threshold: 0.05", "twin_threshold: 1.0");
    write_edited("drawn.yaml", crystals_text, "material: material.yaml, count: 2",
                 "material: turning.yaml, count: 2");
    run_fem(1, "fem -q -j 1 drawn.yaml --preconditioner block_jacobi -o one.h5");
    run_fem(3, "fem -q -j 1 drawn.yaml -o many.h5");
    for (int k = 0; k < 3; k++) {
        char name[80];
        snprintf(name, sizeof name, "VTKHDF/CellData/%s", fields[k]);
        compare("one-0002.vtkhdf", "many-0002.vtkhdf", name, 1e-3);
        snprintf(name, sizeof name, "history/%s", means[k]);
        compare("one.h5", "many.h5", name, 1e-3);
    }
    clear();
    unlink("drawn.yaml");
    unlink("turning.yaml");
}

/* A state that three ranks have kept goes on with three, two or one: with as many, the same bits. */
static void other_ranks_go_on(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    run_fem(3, "fem -q -j 1 cylinder.yaml --preconditioner block_jacobi -o one.h5");
    for (int ranks = 3; ranks >= 1; ranks--) {
        run_fem(ranks,
                "fem -q -j 1 cylinder.yaml --preconditioner block_jacobi --restart one-0001.restart.h5 "
                "-o many.h5");
        compare_histories("one.h5", "many.h5", solid_history, ranks == 3 ? 0 : 1e-9);
        unlink("many.h5");
    }
    clear();
    run_fem(2, "fem -q -j 1 crystals.yaml -o one.h5");
    run_fem(2, "fem -q -j 1 crystals.yaml --restart one-0001.restart.h5 -o many.h5");
    compare("one.h5", "many.h5", "history/reaction", 0);
    compare("one-0002.restart.h5", "many-0002.restart.h5", "restart/crystals", 0);
    clear();
}

/* Asked to stop, ranks stop together and keep what is done; another number of them goes on. */
static void stopped_ranks_resume(void **state)
{
    (void)state;
    if (without_mpi())
        skip();
    write_edited("long.yaml", cylinder_text, "increments: 2}]", "increments: 400}]");
    run_fem(1, "fem -q -j 1 long.yaml --preconditioner block_jacobi -o one.h5");
    stop_on_ranks(2, "fem -q -j 1 long.yaml -o many.h5", "many.h5");
    run_fem(3, "fem -q -j 1 long.yaml -o many.h5 --resume");
    assert_int_equal(access("many.h5.partial", F_OK), -1);
    compare_histories("one.h5", "many.h5", solid_history, 1e-9);
    unlink("long.yaml");
    clear();
}

static void ranks_fail_together(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"small.yaml --preconditioner amg", "--preconditioner = amg: not with 3 processes: need multigrid"},
        {"plane.yaml --operator assembled", "--operator = assembled: " OF_PAPERS("not with 3 processes")},
#ifdef SW_HAVE_UMFPACK /* else it is not there for one, either */
        {"plane.yaml --linear direct", "--linear = direct: not with 3 processes"},
#endif
        {"two.yaml", "a mesh of 2 elements for 3 processes"},
        {"crushed.yaml", "would be turned inside out"}, /* in the first rank's part alone */
        {"free.yaml", "the body can still move along x"},
        {"cylinder.yaml -o absent/out.h5", "absent/out.h5: cannot be created"}};
    if (without_mpi())
        skip();
    write_edited("small.yaml", plane_text, "y: -0.05", "y: -0.0001");
    write_text(
        "two.yaml",
        "mesh: {body: box, cells: [1, 1, 2]}\n" STEEL
        "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}, {nodes: z_max, z: 0.001}]\noutput: {file: out.h5}\n");
    write_text("crushed.yaml", "mesh: {body: box, cells: [1, 1, 6], sets: [{name: second, kind: nodes, from: "
                               "[-1, -1, 0.1], to: [2, 2, 0.2]}]}\nstrain: finite\n" STEEL
                               "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}, {nodes: second, z: -0.2}]\n"
                               "output: {file: out.h5}\n");
    write_text("free.yaml",
               "mesh: {body: box, cells: [2, 2, 6]}\n" STEEL
               "boundary: [{nodes: z_min, y: 0, z: 0}, {nodes: z_max, z: 0.001}]\noutput: {file: out.h5}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char before[4096], after[4096], command[256];
        result r;
        snprintf(command, sizeof command, "fem -q -j 1 %s", cases[i][0]);
        list_folder(before, sizeof before);
        run_on_ranks(3, command, &r);
        list_folder(after, sizeof after);
        assert_int_equal(r.status, 1);
        if (strstr(r.err, cases[i][1]) == NULL)
            fail_msg("%s: no '%s' in '%s'", command, cases[i][1], r.err);
        assert_string_equal(before, after);
    }
}

static int make_jobs(void **state)
{
    const int made = make_folder(state);
    write_jobs();
    return made;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_do_not_change_the_results),
        cmocka_unit_test(ranks_do_not_change_crystals),
        cmocka_unit_test(ranks_do_not_change_what_families_tell),
        cmocka_unit_test(other_ranks_go_on),
        cmocka_unit_test(stopped_ranks_resume),
        cmocka_unit_test(ranks_fail_together),
    };
    return cmocka_run_group_tests(tests, make_jobs, remove_folder);
}
