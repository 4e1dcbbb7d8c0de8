/* `slipwave fem` as its users meet it. */
#include "fem_runs.h"

#include "common/files/text.h"

#define PI 3.14159265358979323846

#ifdef SW_HAVE_PAPERS /* the others are theirs */
#define OPERATOR "ebe"
#else
#define OPERATOR "points"
#endif

static const double stress_at[INCREMENTS] = {200e6, 400e6, 600e6};

/* 600e6 / 200e9 + (600e6 - 450e6) / 66e9 */
static const double strain_at[INCREMENTS] = {1e-3, 2e-3, 3e-3 + 150.0 / 66e3};

/* ---- Reading results ---- */

static void assert_text(hid_t where, const char *group, const char *name, const char *expected)
{
    char *text;
    hid_t at = H5Gopen2(where, group, H5P_DEFAULT);
    CHECK_OK(sw_h5_read_text(at, name, &text));
    assert_string_equal(text, expected);
    free(text);
    H5Gclose(at);
}

/* ---- One run ---- */

static void run_writes_what_is_documented(void **state)
{
    (void)state;
    static const struct {
        const char *name, *unit;
        int rank;
        int64_t shape[3];
    } sets[] = {
        {"step", "1", 1, {INCREMENTS}},
        {"boundary_factor", "1", 2, {INCREMENTS, 3}},
        {"load_factor", "1", 2, {INCREMENTS, 1}},
        {"displacement_least", "m", 2, {INCREMENTS, 3}},
        {"displacement_most", "m", 2, {INCREMENTS, 3}},
        {"reaction", "N", 3, {INCREMENTS, 3, 3}},
        {"boundary_displacement", "m", 3, {INCREMENTS, 3, 3}},
        {"load_force", "N", 3, {INCREMENTS, 1, 3}},
        {"load_displacement", "m", 3, {INCREMENTS, 1, 3}},
        {"external_work", "J", 1, {INCREMENTS}},
        {"plastic_elements", "1", 1, {INCREMENTS}},
        {"plastic_points", "1", 1, {INCREMENTS}},
        {"newton", "1", 1, {INCREMENTS}},
        {"cg", "1", 1, {INCREMENTS}},
        {"substeps", "1", 1, {INCREMENTS}},
        {"cutbacks", "1", 1, {INCREMENTS}},
        {"seconds", "s", 1, {INCREMENTS}},
        {"residual", "1", 2, {INCREMENTS, ITERATIONS}},
        {"residual_cg", "1", 2, {INCREMENTS, ITERATIONS}},
        {"residual_step", "1", 2, {INCREMENTS, ITERATIONS}},
    };
    static const char *const numbers[] = {"nodes",       "elements",     "unknowns",          "tolerance",
                                          "increments",  "most_bytes",   "linear_tolerance",  "setup_time",
                                          "linear_time", "tangent_time", "precondition_time", "stress_time",
                                          "other_time",  "product_time", "wall_time"};
    result r;
    run_well(FEM "cube.yaml", &r);
    static const char *const parts[] = {
        "out.h5: 3 increments: 100 % of elements plastic, largest displacement ", " Newton and ",
        " CG iterations in "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(r.out, parts[i]) == NULL)
            fail_msg("no '%s' in '%s'", parts[i], r.out);
    assert_ptr_equal(strchr(r.out, '\n'), r.out + strlen(r.out) - 1);

    hid_t file = open_results("out.h5");
    assert_text(file, "/", "format", "slipwave-fem");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char name[96], *unit;
        snprintf(name, sizeof name, "history/%s", sets[i].name);
        free(read_set(file, name, sets[i].rank, sets[i].shape));
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK_OK(sw_h5_read_text(set, "unit", &unit));
        assert_string_equal(unit, sets[i].unit);
        free(unit);
        H5Dclose(set);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(run_number(file, numbers[i]) >= 0);
    assert_true(run_number(file, "nodes") == 27 && run_number(file, "elements") == 8);
    assert_true(run_number(file, "unknowns") == 81 && run_number(file, "increments") == INCREMENTS);
    assert_run_text(file, "job", cube_text);
    assert_run_text(file, "kinematics", "solid");
    assert_run_text(file, "b_bar", "yes"); /* the default of what yields */
    assert_run_text(file, "operator", "points");
    assert_run_text(file, "preconditioner", "block_jacobi");
    assert_run_text(file, "boundary", "nodes x_min, nodes y_min, nodes z_min");
    assert_run_text(file, "loads", "surface z_max traction");
    assert_false(sw_h5_exists(file, "restart"));
    assert_int_equal(access("out.h5.partial", F_OK), -1);
    H5Fclose(file);
    unlink_results();
}

/* The force criterion stops at 1e-6 of the forces; here every force is of the same kind as the stress. */
static void history_is_that_of_uniaxial_tension(void **state)
{
    (void)state;
    const int64_t shape[3] = {INCREMENTS, 3, 3}, one[3] = {INCREMENTS, 1, 3}, n = INCREMENTS;
    const int64_t iterations[2] = {INCREMENTS, ITERATIONS};
    double work = 0;
    result r;
    run_well(FEM "cube.yaml", &r);
    hid_t file = open_results("out.h5");
    for (int i = 0; i < INCREMENTS; i++) {
        const double force = stress_at[i], before = i > 0 ? stress_at[i - 1] : 0;
        CHECK_CLOSE(number_at(file, "history/load_factor", 2, one, i), (i + 1) / 3.0, 1e-15);
        CHECK_CLOSE(number_at(file, "history/load_force", 3, one, 3 * i + 2), force, 1e-9 * force);
        CHECK_CLOSE(number_at(file, "history/reaction", 3, shape, 9 * i + 8), -force, 1e-5 * force);
        CHECK_CLOSE(number_at(file, "history/reaction", 3, shape, 9 * i), 0, 1e-5 * force);
        CHECK_CLOSE(number_at(file, "history/load_displacement", 3, one, 3 * i + 2), strain_at[i],
                    1e-5 * strain_at[i]);
        CHECK_CLOSE(number_at(file, "history/displacement_most", 2, shape, 3 * i + 2), strain_at[i],
                    1e-5 * strain_at[i]);
        assert_true(number_at(file, "history/displacement_least", 2, shape, 3 * i) < 0);
        const double yields = fmax(before, fmin(force, 450e6)), from = i > 0 ? strain_at[i - 1] : 0;
        work += 0.5 * (before + yields) * (yields - before) / 200e9; /* up to yielding, then beyond */
        work += 0.5 * (yields + force) * (strain_at[i] - from - (yields - before) / 200e9);
        assert_true(number_at(file, "history/plastic_elements", 1, &n, i) == (i == 2));
        assert_true(number_at(file, "history/plastic_points", 1, &n, i) == (i == 2));
        /* the residuals descend to the tolerance, and no further ones follow */
        double *residual = read_set(file, "history/residual", 2, iterations);
        int last = 0;
        while (last + 1 < ITERATIONS && isfinite(residual[i * ITERATIONS + last + 1]))
            last++;
        assert_true(last >= 1 && residual[i * ITERATIONS + last] <= 1e-6);
        assert_int_equal(last, (int)number_at(file, "history/newton", 1, &n, i)); /* one substep */
        free(residual);
    }
    CHECK_CLOSE(number_at(file, "history/external_work", 1, &n, INCREMENTS - 1), work, 1e-3 * work);
    H5Fclose(file);
    unlink_results();
}

/* ---- Fields ---- */

static void fields_are_what_paraview_reads(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int rank;
        int64_t shape[2];
    } sets[] = {
        {"Points", 2, {27, 3}},
        {"Connectivity", 1, {64}},
        {"Offsets", 1, {9}},
        {"Types", 1, {8}},
        {"NumberOfPoints", 1, {1}},
        {"NumberOfCells", 1, {1}},
        {"PointData/displacement", 2, {27, 3}},
        {"PointData/reaction", 2, {27, 3}},
        {"CellData/stress", 2, {8, 6}},
        {"CellData/von_mises", 1, {8}},
        {"CellData/plastic", 1, {8}},
        {"CellData/plastic_strain", 1, {8}},
        {"CellData/material", 1, {8}},
    };
    result r;
    run_well(FEM "cube.yaml", &r);
    assert_int_equal(access("out-0001.vtkhdf", F_OK), 0);
    char *series;
    CHECK_OK(sw_read_text("out.vtkhdf.series", &series));
    assert_non_null(strstr(series, "{\"name\": \"out-0001.vtkhdf\", \"time\": "));
    assert_non_null(strstr(series, "{\"name\": \"out-0003.vtkhdf\", \"time\": "));
    free(series);
    hid_t file = open_results("out-0003.vtkhdf"), group = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
    hid_t type = H5Aopen(group, "Type", H5P_DEFAULT), text = H5Aget_type(type);
    char name[32] = "";
    assert_int_equal(H5Tget_size(text), strlen("UnstructuredGrid")); /* VTK wants no NUL at the end */
    assert_true(H5Aread(type, text, name) >= 0);
    assert_string_equal(name, "UnstructuredGrid");
    H5Tclose(text);
    H5Aclose(type);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        free(read_set(group, sets[i].name, sets[i].rank, sets[i].shape));
    assert_true(number_at(group, "Offsets", 1, sets[2].shape, 8) == 64);
    assert_true(number_at(group, "Types", 1, sets[3].shape, 0) == 12);
    for (int64_t e = 0; e < 8; e++) {
        CHECK_CLOSE(number_at(group, "CellData/stress", 2, sets[8].shape, 6 * e + 2), 600e6, 1e-5 * 600e6);
        CHECK_CLOSE(number_at(group, "CellData/von_mises", 1, sets[9].shape, e), 600e6, 1e-5 * 600e6);
        CHECK_CLOSE(number_at(group, "CellData/plastic_strain", 1, sets[11].shape, e), 150.0 / 66e3, 1e-7);
        assert_true(number_at(group, "CellData/plastic", 1, sets[10].shape, e) == 8);
    }
    H5Gclose(group);
    H5Fclose(file);
    unlink_results();
}

/* One element in simple shear of 1e-3 in a plane: which of VTK's components xy, yz, xz that is. */
static void shear_stress_is_in_the_order_of_vtk(void **state)
{
    (void)state;
    static const struct {
        const char *low, *high, *moved;
        int component;
    } cases[] = {{"y_min", "y_max", "x: 1.0e-3, y: 0, z: 0", 3},
                 {"z_min", "z_max", "x: 0, y: 1.0e-3, z: 0", 4},
                 {"z_min", "z_max", "x: 1.0e-3, y: 0, z: 0", 5}};
    const int64_t shape[2] = {1, 6};
    for (int i = 0; i < 3; i++) {
        char text[512];
        result r;
        snprintf(text, sizeof text,
                 "mesh: {body: box, cells: [1, 1, 1]}\nmaterials: [{young: 200.0e9, poisson: 0.25}]\n"
                 "boundary: [{nodes: %s, x: 0, y: 0, z: 0}, {nodes: %s, %s}]\ndevice: cpu\n"
                 "solver: {preconditioner: jacobi}\noutput: {file: out.h5}\n",
                 cases[i].low, cases[i].high, cases[i].moved);
        write_text("shear.yaml", text);
        run_well(FEM "shear.yaml", &r);
        hid_t file = open_results("out-0001.vtkhdf");
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(number_at(file, "VTKHDF/CellData/stress", 2, shape, k),
                        k == cases[i].component ? 80e9 * 1e-3 : 0, 1); /* round-off of 80e6 */
        H5Fclose(file);
        unlink_results();
    }
    unlink("shear.yaml");
}

static void heat_has_temperatures_and_fluxes(void **state)
{
    (void)state;
    const int64_t n = 6, cells[2] = {2, 3}, one[3] = {1, 2, 1};
    result r;
    write_text("heat.yaml", "mesh: {body: box, cells: [2, 1], size: [2.0, 1.0]}\nkinematics: heat\n"
                            "materials: [{conductivity: 3.0}]\ndevice: cpu\n"
                            "boundary: [{nodes: x_min, temperature: 10}, {nodes: x_max, temperature: 20}]\n"
                            "solver: {preconditioner: jacobi}\noutput: {file: out.h5}\n");
    run_well(FEM "heat.yaml", &r);
    assert_non_null(strstr(r.out, "temperatures from 10 to 20 K"));
    hid_t file = open_results("out-0001.vtkhdf");
    CHECK_CLOSE(number_at(file, "VTKHDF/PointData/temperature", 1, &n, 1), 15, 1e-6);
    CHECK_CLOSE(number_at(file, "VTKHDF/CellData/flux", 2, cells, 0), -15, 1e-5);
    CHECK_CLOSE(number_at(file, "VTKHDF/CellData/flux", 2, cells, 1), 0, 1e-5);
    H5Fclose(file);
    file = open_results("out.h5");
    CHECK_CLOSE(number_at(file, "history/reaction", 3, one, 1), 15, 1e-5); /* W, in at the hot end */
    CHECK_CLOSE(number_at(file, "history/temperature_most", 2, (int64_t[]){1, 1}, 0), 20, 1e-12);
    H5Fclose(file);
    unlink_results();
    unlink("heat.yaml");
}

/* A billet between smooth plates to 60 %: fields, and the same from a saved increment on; then plates that come too
 * near: what could be reached is kept. */
static const char billet_text[] =
    "mesh: {body: box, cells: [2, 3], size: [0.01, 0.015]}\n"
    "kinematics: axisymmetric\nstrain: finite\nb_bar: true\n"
    "materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 700.0e6, hardening: {law: linear, modulus: "
    "300.0e6}}]\n"
    "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: y_max, y: -0.009}]\n"
    "steps: [{factor: 1.0, increments: 12}]\n"
    "device: cpu\n"
    "output: {file: out.h5, fields: [6], restart: [6]}\n";

static void finite_strains_upset_a_billet(void **state)
{
    (void)state;
    const int64_t tensors[2] = {6, 6}, reaction[3] = {12, 3, 2};
    result r;
    write_text("billet.yaml", billet_text);
    run_well(FEM "billet.yaml --tolerance 1e-9 -j 1", &r);
    hid_t file = open_results("out.h5");
    assert_run_text(file, "strain", "finite");
#ifdef SW_HAVE_UMFPACK /* what was taken, not "auto" with the job's amg */
    assert_run_text(file, "preconditioner", "none");
    assert_run_text(file, "linear", "direct");
#else
    assert_run_text(file, "preconditioner", "amg");
    assert_run_text(file, "linear", "auto");
#endif
    for (int i = 0; i < 12; i++) {
        /* Kirchhoff's stress t (1 + H / E) = yield + H e, force t V / h; e the logarithmic strain. */
        const double h = 0.015 * (1 - 0.05 * (i + 1)), e = log(0.015 / h), V = PI * 0.01 * 0.01 * 0.015;
        const double force = (700e6 + 300e6 * e) / (1 + 300e6 / 200e9) * V / h;
        CHECK_CLOSE(number_at(file, "history/reaction", 3, reaction, 6 * i + 5), -force, 1e-4 * force);
    }
    H5Fclose(file);
    file = open_results("out-0006.vtkhdf");
    for (int e = 0; e < 6; e++) {
        const double strain = log(0.7);
        CHECK_CLOSE(number_at(file, "VTKHDF/CellData/logarithmic_strain", 2, tensors, 6 * e + 1), strain,
                    1e-6);
        CHECK_CLOSE(number_at(file, "VTKHDF/CellData/logarithmic_strain", 2, tensors, 6 * e), -strain / 2,
                    2e-3);
        CHECK_CLOSE(number_at(file, "VTKHDF/CellData/logarithmic_strain", 2, tensors, 6 * e + 3), 0, 1e-6);
    }
    H5Fclose(file);
    file = open_results("out.h5");
    double *whole = read_set(file, "history/reaction", 3, reaction);
    H5Fclose(file);
    assert_int_equal(rename("out-0006.restart.h5", "saved.h5"), 0);
    unlink_results();
    run_well(FEM "billet.yaml --tolerance 1e-9 --restart saved.h5 -j 1", &r);
    file = open_results("out.h5");
    double *again = read_set(file, "history/reaction", 3, reaction);
    H5Fclose(file);
    assert_memory_equal(whole, again, sizeof(double) * 12 * 3 * 2);
    unlink_results();
    free(whole);
    free(again);

    static const char *const other[] = {"saved.h5: belongs to another mesh"};
    write_edited("other.yaml", billet_text, "strain: finite\n", "");
    assert_refused_twice(FEM "other.yaml --restart saved.h5", 1, other);
    static const char *const nbn[] = {"operator = nbn: " OF_PAPERS("with strain")};
    assert_refused_twice(FEM "billet.yaml --operator nbn", 1, nbn);

    write_edited("other.yaml", billet_text, "y: -0.009}", "y: -0.0151}");
    run(FEM "other.yaml", &r);
    assert_int_equal(r.status, 1);
    /* there the plate is at the middle of the height, 12 x 0.015 / 0.0151 - 11 of the last increment */
    assert_non_null(strstr(r.err, "no convergence beyond 0.92"));
    assert_non_null(strstr(r.err, "11 of 12 increments are kept in out.h5.partial"));
    unlink_results();
    unlink("saved.h5");
    unlink("other.yaml");
    unlink("billet.yaml");
}

static void options_replace_keys(void **state)
{
    (void)state;
    const int64_t shape[3] = {INCREMENTS, 1, 3};
    result r;
    run_well(FEM "cube.yaml -o other.h5 --cells 1x2x3 --factor 0.5 --tolerance 1e-5 --operator " OPERATOR
                 " --storage own --scatter colours --preconditioner jacobi --linear gmres -j 1",
             &r);
    hid_t file = open_results("other.h5");
    assert_true(run_number(file, "elements") == 6 && run_number(file, "tolerance") == 1e-5);
    assert_run_text(file, "operator", OPERATOR);
    assert_run_text(file, "preconditioner", "jacobi");
    assert_run_text(file, "linear", "gmres");
    CHECK_CLOSE(number_at(file, "history/load_force", 3, shape, 8), 300e6, 1);
    H5Fclose(file);
    unlink("other.h5");
    for (int i = 1; i <= INCREMENTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "other-%04d.vtkhdf", i);
        assert_int_equal(unlink(name), 0);
    }
}

/* ---- Mesh files ---- */

static const char mesh_text[] = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n"
                                "5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"
                                "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"
                                "*NSET, NSET=low\n1, 2, 3, 4\n"
                                "*ELSET, ELSET=every\n1\n"
                                "*SURFACE, NAME=high\nevery, S2\n";

static const char of_mesh_text[] = "mesh: {file: part.inp}\n"
                                   "materials: [{young: 200.0e9, poisson: 0}]\n"
                                   "boundary: [{nodes: low, x: 0, y: 0, z: 0}]\n"
                                   "loads: [{surface: high, traction: [0, 0, 2.0e6]}]\n"
                                   "device: cpu\nsolver: {preconditioner: jacobi}\n"
                                   "output: {file: out.h5, fields: [none]}\n";

/* Relative to the job's folder, not the working folder. */
static void mesh_is_read_from_a_file(void **state)
{
    (void)state;
    static const char *const absent[] = {"results/absent.inp", "No such file"};
    static const char *const itself[] = {"--output = results/part.inp", "is the input mesh.file"};
    static const char *const sets[] = {": results/mesh.yaml:4: loads[0].surface = top: no such surface",
                                       "need one of high"};
    const int64_t shape[3] = {1, 1, 3};
    result r;
    write_text("results/part.inp", mesh_text);
    write_text("results/mesh.yaml", of_mesh_text);
    run_well(FEM "results/mesh.yaml", &r);
    hid_t file = open_results("out.h5");
    CHECK_CLOSE(number_at(file, "history/load_displacement", 3, shape, 2), 1e-5, 1e-10);
    H5Fclose(file);
    unlink_results();
    assert_refused_twice(FEM "results/mesh.yaml -o results/part.inp", 2, itself);
    write_edited("results/mesh.yaml", of_mesh_text, "surface: high", "surface: top");
    assert_refused_twice(FEM "results/mesh.yaml", 2, sets);
    write_edited("results/mesh.yaml", of_mesh_text, "part.inp", "absent.inp");
    assert_refused_twice(FEM "results/mesh.yaml", 2, absent);
    unlink("results/mesh.yaml");
    unlink("results/part.inp");
}

static void assert_warned(const result *r, const char *what)
{
    if (r->status != 0 || strncmp(r->err, "slipwave: warning: ", 19) != 0 || strstr(r->err, what) == NULL ||
        strchr(r->err, '\n') != r->err + strlen(r->err) - 1)
        fail_msg("need one warning '%s' and success, not '%s', exit status %d", what, r->err, r->status);
}

/* A file's own boundary conditions are not dropped without a word, nor its reduced integration. */
static void what_a_mesh_file_says_else_is_not_lost(void **state)
{
    (void)state;
    static const char *const held[] = {": results/part.inp:19: *BOUNDARY holds or moves nodes"};
    static const char *const body[] = {
        ": results/mesh.yaml:1: mesh.ignore: goes with a file that ends in .inp"};
    static const char *const needed[] = {": results/mesh.yaml:1: mesh.ignore", "*ELEMENT makes the mesh"};
    char text[1024];
    result r;
    snprintf(text, sizeof text, "%s*STEP\n*BOUNDARY\nlow, 1, 3\n*END STEP\n", mesh_text);
    write_text("results/part.inp", text);
    write_text("results/mesh.yaml", of_mesh_text);
    assert_refused_twice(FEM "results/mesh.yaml", 1, held);
    write_edited("results/mesh.yaml", of_mesh_text, "part.inp", "part.inp, ignore: [element]");
    assert_refused_twice(FEM "results/mesh.yaml", 2, needed);
    write_edited("results/mesh.yaml", of_mesh_text, "file: part.inp",
                 "body: box, cells: [1, 1, 1], ignore: [step]");
    assert_refused_twice(FEM "results/mesh.yaml", 1, body);
    write_edited("results/mesh.yaml", of_mesh_text, "part.inp", "part.inp, ignore: [boundary]");
    run(FEM "results/mesh.yaml", &r);
    assert_warned(&r, "part.inp: skipped, as the job says these things: STEP\n");
    write_edited("results/part.inp", mesh_text, "C3D8", "C3D8R");
    run(FEM "results/mesh.yaml", &r);
    assert_warned(&r, "part.inp: 1 element of type C3D8R (reduced integration) taken as kinematics: solid");
    unlink_results();
    unlink("results/mesh.yaml");
    unlink("results/part.inp");
}

/* Estimated before there is a mesh; what 262 million elements take few machines have. */
static void more_elements_than_memory_are_refused(void **state)
{
    (void)state;
    static const char *const part[] = {": big.yaml: mesh.cells: 2.621e+08 cells: need ", " GB of memory; ",
                                       " GB are free"};
    if (sw_memory_available() > 150e9)
        skip();
    write_edited("big.yaml", cube_text, "cells: [2, 2, 2]", "cells: [640, 640, 640]");
    assert_refused_twice(FEM "big.yaml", 3, part);
    unlink("big.yaml");
}

/* ---- More than small strains are for ---- */

/* A billet between plates; by small strains its reaction at 60 % is that of the undeformed section. */
static const char small_text[] =
    "mesh: {body: box, cells: [2, 3], size: [0.010, 0.015]}\n"
    "kinematics: axisymmetric\n"
    "b_bar: no\n"
    "materials: [{young: 70.0e9, poisson: 0.3, yield_stress: 50.0e6, hardening: {law: "
    "linear, modulus: 1.0e8}}]\n"
    "boundary:\n"
    "  - {nodes: x_min, x: 0}\n"
    "  - {nodes: y_min, y: 0}\n"
    "  - {nodes: y_max, y: -0.009}\n"
    "steps: [{factor: 1, increments: 10}]\n"
    "device: cpu\n"
    "solver: {preconditioner: jacobi}\n"
    "output: {file: out.h5, fields: [none]}\n";

/* At the second of ten increments the height has lost 12 %, which the first one's 6 % is below; once. A bar that
 * turns without a strain is the other way. */
static void deformation_beyond_small_strains_is_said(void **state)
{
    (void)state;
    result r;
    write_text("billet.yaml", small_text);
    run(FEM "billet.yaml", &r);
    assert_warned(&r, ": increment 2: element 6 is strained by 12 % and turned by ");
    assert_warned(&r, "strain: finite computes more\n");
    write_edited("billet.yaml", small_text, "-0.009", "-0.0014"); /* 9.3 % */
    run_well(FEM "billet.yaml", &r);
    write_edited("billet.yaml", small_text, "axisymmetric", "axisymmetric\nstrain: finite");
    run_well(FEM "billet.yaml", &r);
    write_text("billet.yaml", "mesh: {body: box, cells: [1, 1], size: [1.0, 1.0]}\nkinematics: plane_stress\n"
                              "materials: [{young: 70.0e9, poisson: 0.3}]\n"
                              "boundary:\n  - {nodes: x_min, x: 0, y: 0}\n  - {nodes: x_max, x: 0, y: 0.12}\n"
                              "solver: {preconditioner: jacobi}\ndevice: cpu\n"
                              "output: {file: out.h5, fields: [none]}\n");
    run(FEM "billet.yaml", &r);
    assert_warned(&r, "and turned by 6 % (3.438 degrees)");
    assert_warned(&r, "needs plane_strain or a mesh in space");
    unlink_results();
    unlink("billet.yaml");
}

/* ---- Refusals ---- */

static void bad_input_leaves_no_file(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        const char *part[3];
    } cases[] = {
        {"slipwave fem", {"fem needs a job file"}},
        {FEM "absent.yaml", {"absent.yaml", "No such file"}},
        {FEM "cube.yaml other.yaml", {"one job file at a time"}},
        {FEM "cube.yaml --cells 4", {"--cells has 1 entries: need at least 2"}},
        {FEM "cube.yaml --cells 4x4x4x4", {"--cells has 4 entries: need at most 3"}},
        {FEM "cube.yaml --cells 4x0x4", {"--cells = 0: need 1 <= cells"}},
        {FEM "cube.yaml --cells 4x4", {"kinematics", "plane mesh"}},
        {FEM "cube.yaml -j 0", {"--threads = 0", "1 <= threads <= 4096"}},
        {FEM "cube.yaml --device abacus", {"--device = abacus", "need one of auto, cpu, cuda"}},
        {FEM "cube.yaml --operator matrix", {"--operator = matrix", "need one of points"}},
        {FEM "cube.yaml --tolerance nan", {"--tolerance = nan", "need a number"}},
        {FEM "cube.yaml --factor x", {"--factor = x: need a number"}},
        {FEM "cube.yaml --resume --restart x.h5", {"--restart beside --resume"}},
        {FEM "cube.yaml --restart absent.h5", {"absent.h5", "No such file"}},
        {FEM "cube.yaml --restart cube.yaml", {"cube.yaml: not an HDF5 file"}},
        {FEM "cube.yaml -o cube.yaml", {"--output = cube.yaml", "is the file that is read"}},
        {FEM "cube.yaml -o results", {"results", "is a folder"}},
        {FEM "cube.yaml -o absent/out.h5", {"absent/out.h5", "cannot be created"}},
        {FEM "loose.yaml", {"loose.yaml: the body can still move along x"}},
        {FEM "plane.yaml",
         {": plane.yaml:7: solver.preconditioner = multigrid needs a body of cells in space, hex8"}},
        {FEM "plane.yaml --preconditioner multigrid",
         {"--preconditioner = multigrid needs a body of cells in space"}},
        {FEM "cube.yaml --linear lu", {"--linear = lu", "auto, cg, bicgstab, gmres, direct"}},
        {FEM "cube.yaml --linear direct --device cuda", {"--linear = direct: "}},
    };
    write_edited("loose.yaml", cube_text, "{nodes: x_min, x: 0}, ", "");
    write_text("plane.yaml", "mesh: {body: box, cells: [2, 1]}\nkinematics: heat\n"
                             "materials: [{conductivity: 3.0}]\n"
                             "boundary: [{nodes: x_min, temperature: 10}]\nloads: []\n"
                             "solver:\n  preconditioner: multigrid\noutput: {file: out.h5}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused_twice(cases[i].command, 3, cases[i].part);
    unlink("loose.yaml");
    unlink("plane.yaml");
}

static void device_that_is_not_there_is_refused(void **state)
{
    (void)state;
    static const char *const part[] = {"GPU"};
    char name[256];
    if (sw_gpu_describe(name, sizeof name) > 0)
        skip();
    static const char *const in_file[] = {"GPU", ": gpu.yaml:6: device = cuda: "};
    assert_refused_twice(FEM "cube.yaml --device cuda", 1, part);
    write_edited("gpu.yaml", cube_text, "device: cpu", "device: cuda");
    assert_refused_twice(FEM "gpu.yaml", 2, in_file);
    unlink("gpu.yaml");
}

static void full_disk_leaves_nothing(void **state)
{
    (void)state;
    static const char *const part[] = {"File too large"};
    setenv("ASAN_OPTIONS", "detect_leaks=0", 0); /* HDF5 keeps what it could not write */
    fill_disk(1);
    assert_refused(FEM "cube.yaml", 1, part);
    assert_refused(FEM "beam.yaml", 1, part);
    fill_disk(0);
}

/* A cube of rubber, whose far side goes to x in four increments. */
static void write_pressed(const char *x)
{
    char text[1024];
    snprintf(text, sizeof text,
             "mesh: {body: box, cells: [1, 1, 1]}\nstrain: finite\n"
             "materials: [{rubber: {energy: neo_hooke, constants: [1.0e6, 1.0e-7]}}]\n"
             "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}, "
             "{nodes: x_max, x: %s}]\nsteps: [{factor: 1, increments: 4}]\ndevice: cpu\n"
             "output: {file: out.h5, fields: [all]}\n",
             x);
    write_text("law.yaml", text);
}

/* States of laws are not kept, but history and fields up to where a run fails are. An element that is
 * pressed to less than nothing by the third increment. What they kept goes when another run begins. */
static void failed_runs_keep_their_history(void **state)
{
    (void)state;
    result r;
    write_pressed("-1.8");
    run(FEM "law.yaml", &r);
    if (r.status == 0 || strstr(r.err, "law.yaml: increment 3 of 4") == NULL ||
        strstr(r.err, "; 2 of 4 increments are in out.h5.failed") == NULL)
        fail_msg("need increment 3 to fail, not '%s', exit status %d", r.err, r.status);
    static const char *const gone[] = {"out.h5", "out.h5.partial"}, *const kept[] = {"out-0001.vtkhdf",
                                                                                     "out-0002.vtkhdf",
                                                                                     "out.vtkhdf.series"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (access(gone[i], F_OK) == 0)
            fail_msg("%s is there", gone[i]);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (access(kept[i], F_OK) != 0)
            fail_msg("%s is not there", kept[i]);
    const hid_t file = H5Fopen("out.h5.failed", H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    static const int64_t two = 2;
    assert_true(number_at(file, "history/step", 1, &two, 1) == 1);
    H5Fclose(file);
    write_pressed("-9"); /* fails at once */
    run(FEM "law.yaml", &r);
    if (r.status == 0 || strstr(r.err, "law.yaml: increment 1 of 4") == NULL)
        fail_msg("need increment 1 to fail, not '%s', exit status %d", r.err, r.status);
    assert_int_equal(access("out.h5.failed", F_OK), -1);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (access(kept[i], F_OK) == 0)
            fail_msg("%s is there, of an earlier run", kept[i]);
    unlink("law.yaml");
    unlink("out.h5.failed");
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        unlink(kept[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_writes_what_is_documented),
        cmocka_unit_test(history_is_that_of_uniaxial_tension),
        cmocka_unit_test(fields_are_what_paraview_reads),
        cmocka_unit_test(shear_stress_is_in_the_order_of_vtk),
        cmocka_unit_test(heat_has_temperatures_and_fluxes),
        cmocka_unit_test(failed_runs_keep_their_history),
        cmocka_unit_test(finite_strains_upset_a_billet),
        cmocka_unit_test(options_replace_keys),
        cmocka_unit_test(mesh_is_read_from_a_file),
        cmocka_unit_test(what_a_mesh_file_says_else_is_not_lost),
        cmocka_unit_test(more_elements_than_memory_are_refused),
        cmocka_unit_test(deformation_beyond_small_strains_is_said),
        cmocka_unit_test(bad_input_leaves_no_file),
        cmocka_unit_test(device_that_is_not_there_is_refused),
        cmocka_unit_test(full_disk_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, make_fem_folder, remove_folder);
}
