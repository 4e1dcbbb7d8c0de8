/* Job files of `slipwave fem`: what they say, every way to say it wrongly, and the problem they make. */
#include "tests/job_files.h"

#include "online/fem/job/job.h"
#include "online/fem/law/hardening.h"
#include "online/fem/mesh/mesh.h"

#ifdef SW_HAVE_PAPERS /* the others of these are theirs */
#define OPERATOR "ebe"
#define STORAGE "single"
enum { OPERATOR_NUMBER = SW_FEM_EBE, STORAGE_NUMBER = SW_FEM_SINGLE };
#else
#define OPERATOR "points"
#define STORAGE "own"
enum { OPERATOR_NUMBER = SW_FEM_POINTS, STORAGE_NUMBER = SW_FEM_OWN };
#endif

static const char full[] = "mesh:\n"                                                               /* 1 */
                           "  body: l_bracket\n"                                                   /* 2 */
                           "  cells: [4, 4, 2]\n"                                                  /* 3 */
                           "  size: [4.0, 4.0, 1.0]\n"                                             /* 4 */
                           "  origin: [1.0, 0, -1.0]\n"                                            /* 5 */
                           "  arm: 0.5\n"                                                          /* 6 */
                           "  sets:\n"                                                             /* 7 */
                           "    - {name: tip, kind: nodes, from: [5, 0, -1], to: [5, 2, 0]}\n"     /* 8 */
                           "    - {name: top, kind: surface, from: [1, 4, -1], to: [3, 4, 0]}\n"   /* 9 */
                           "    - {name: low, kind: elements, from: [1, 0, -1], to: [5, 1, 0]}\n"  /* 10 */
                           "    - {name: high, kind: elements, from: [1, 1, -1], to: [5, 4, 0]}\n" /* 11 */
                           "kinematics: solid\n"                                                   /* 12 */
                           "b_bar: true\n"                                                         /* 13 */
                           "materials:\n"                                                          /* 14 */
                           "  - {name: steel, young: 200.0e9, poisson: 0.3, elements: low,\n"      /* 15 */
                           "     yield_stress: 450.0e6,\n"                                         /* 16 */
                           "     hardening: {law: voce, modulus: 1.0e8,\n"                         /* 17 */
                           "                 saturation: 600.0e6, rate: 20}}\n"                    /* 18 */
                           "  - {young: 70.0e9, poisson: 0.33, elements: high,\n"                  /* 19 */
                           "     hardening: {law: table,\n"                                        /* 20 */
                           "                 table: [[0, 1.0e8], [0.01, 1.5e8]]}}\n"               /* 21 */
                           "boundary:\n"                                                           /* 22 */
                           "  - {nodes: x_min, x: 0, y: 0, z: 0}\n"                                /* 23 */
                           "  - {nodes: tip, y: -0.01, factors: [1, 1]}\n"                         /* 24 */
                           "loads:\n"                                                              /* 25 */
                           "  - {surface: top, traction: [0, 3.0, 0]}\n"                           /* 26 */
                           "  - {surface: y_max, pressure: 2.0, factors: [0, 1]}\n"                /* 27 */
                           "  - {elements: all, body_force: [0, 0, -10.0]}\n"                      /* 28 */
                           "  - {nodes: z_max, force: [5.0, 0, 0]}\n"                              /* 29 */
                           "steps:\n"                                                              /* 30 */
                           "  - {factor: 2.0, increments: 4}\n"                                    /* 31 */
                           "  - {factor: 0}\n"                                                     /* 32 */
                           "device: cpu\n"                                                         /* 33 */
                           "solver: {operator: " OPERATOR ", storage: own, scatter: atomics,\n"    /* 34 */
                           "         preconditioner: jacobi,\n"                                    /* 35 */
                           "         tolerance: 1.0e-7, linear_tolerance: 1.0e-8,\n"               /* 36 */
                           "         least_increment: 0.01,\n"                                     /* 37 */
                           "         newton: 10, cg: 500, line_search: 0, forcing: fixed}\n"       /* 38 */
                           "output: {file: out.h5, fields: [2, last],\n"                           /* 39 */
                           "         restart: [all]}\n";                                           /* 40 */
enum { NODES = 3 * (5 * 3 + 3 * 2), INCREMENTS = 5, CASES = 3 };

static const char least[] = "mesh: {body: box, cells: [2, 1, 1]}\n"              /* 1 */
                            "materials: [{young: 1.0e9, poisson: 0.25}]\n"       /* 2 */
                            "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}]\n"     /* 3 */
                            "loads: [{surface: x_max, traction: [1.0, 0, 0]}]\n" /* 4 */
                            "output: {file: out.h5}\n";                          /* 5 */

static const char plane[] = "mesh: {body: box, cells: [3, 2], size: [3.0, 2.0]}\n"     /* 1 */
                            "kinematics: plane_stress\n"                               /* 2 */
                            "thickness: 0.5\n"                                         /* 3 */
                            "materials: [{young: 1.0e9, poisson: 0.25}]\n"             /* 4 */
                            "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n" /* 5 */
                            "loads: [{surface: x_max, traction: [4.0, 0]}]\n"          /* 6 */
                            "output: {file: out.h5}\n";                                /* 7 */

static const char heat[] = "mesh: {body: box, cells: [3, 2], size: [3.0, 2.0]}\n"                 /* 1 */
                           "kinematics: heat\n"                                                   /* 2 */
                           "materials: [{conductivity: 2.0}]\n"                                   /* 3 */
                           "boundary: [{nodes: x_min, temperature: 300}]\n"                       /* 4 */
                           "loads: [{surface: x_max, flux: 7.0}, {elements: all, source: 1.0},\n" /* 5 */
                           "        {nodes: y_max, flow: 3.0}]\n"                                 /* 6 */
                           "output: {file: out.h5}\n";                                            /* 7 */

static const char tools[] = "mesh: {body: box, cells: [4, 6], size: [0.010, 0.015]}\n"     /* 1 */
                            "kinematics: axisymmetric\n"                                   /* 2 */
                            "strain: finite\n"                                             /* 3 */
                            "b_bar: true\n"                                                /* 4 */
                            "materials: [{young: 200.0e9, poisson: 0.3}]\n"                /* 5 */
                            "boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}]\n"     /* 6 */
                            "tools:\n"                                                     /* 7 */
                            "  - {name: plate, shape: plane, surfaces: [y_max, x_max],\n"  /* 8 */
                            "     point: [0, 0.015], normal: [0, -2.0],\n"                 /* 9 */
                            "     move: [0, -0.0075],\n"                                   /* 10 */
                            "     friction: 0.1, shear_limit: 4.0e8, factors: [0.5, 1]}\n" /* 11 */
                            "  - {name: roll, shape: cylinder, surfaces: [x_max],\n"       /* 12 */
                            "     point: [0.02, 0.005], radius: 0.01,\n"                   /* 13 */
                            "     force: [0, -100.0]}\n"                                   /* 14 */
                            "steps: [{factor: 1}, {factor: 2, increments: 3}]\n"           /* 15 */
                            "output: {file: out.h5}\n";                                    /* 16 */

static const char pressed[] = "mesh: {body: box, cells: [2, 2, 2]}\n"                              /* 1 */
                              "strain: finite\n"                                                   /* 2 */
                              "materials: [{young: 1.0e9, poisson: 0.25}]\n"                       /* 3 */
                              "boundary: [{nodes: z_min, x: 0, y: 0, z: 0}]\n"                     /* 4 */
                              "tools: [{name: roll, shape: cylinder, surfaces: [z_max],\n"         /* 5 */
                              "         point: [0.5, 0.5, 1.5], axis: [0, 3.0, 0], radius: 0.5,\n" /* 6 */
                              "         move: [0, 0, -0.1]}]\n"                                    /* 7 */
                              "output: {file: out.h5}\n";                                          /* 8 */

static const char upset[] = "upsetting:\n"                                  /* 1 */
                            "  radius: 0.01\n"                              /* 2 */
                            "  height: 0.03\n"                              /* 3 */
                            "  reduction: 0.5\n"                            /* 4 */
                            "  cells: [4, 6]\n"                             /* 5 */
                            "  friction: 0.1\n"                             /* 6 */
                            "  shear_limit: 4.0e8\n"                        /* 7 */
                            "  increments: 4\n"                             /* 8 */
                            "materials: [{young: 200.0e9, poisson: 0.3}]\n" /* 9 */
                            "output: {file: out.h5}\n";                     /* 10 */

static const char crystals[] =
    "mesh: {body: box, cells: [2, 1, 1]}\n"                                   /* 1 */
    "strain: finite\n"                                                        /* 2 */
    "materials:\n"                                                            /* 3 */
    "  - crystals: {material: material.yaml, file: grains.ori, count: 5,\n"   /* 4 */
    "               seed: 7, rotated: yes, initial_slip_resistance: 5.0e7,\n" /* 5 */
    "               solver: rigid_plastic}\n"                                 /* 6 */
    "boundary: [{nodes: x_min, x: 0, y: 0, z: 0}, {nodes: x_max, x: 1}]\n"    /* 7 */
    "steps: [{factor: 1, increments: 4, time: 20}]\n"                         /* 8 */
    "output: {file: out.h5, textures: [all], components: yes}\n";             /* 9 */

/* ---- The folder ---- */

static int make_folder(void **state)
{
    (void)state;
    return make_job_folder("fem-job");
}

static int remove_folder(void **state)
{
    (void)state;
    return unlink(job_path) | rmdir(folder);
}

typedef const char *const option[2]; /* name, value */
#define NO_OPTIONS 0, NULL

static sw_status read_job(const char *text, const char *old, const char *new, int n_options,
                          const option *given, sw_fem_job **job)
{
    write_job(text, old, new);
    return sw_fem_job_read(&(sw_arguments){job_path, n_options, given}, job);
}

static sw_fem_job *read_good(const char *text, const char *old, const char *new, int n_options,
                             const option *given)
{
    sw_fem_job *job;
    CHECK_OK(read_job(text, old, new, n_options, given, &job));
    assert_non_null(job);
    return job;
}

/* ---- What is read ---- */

static void every_key_is_read(void **state)
{
    (void)state;
    sw_fem_job *job = read_good(full, NULL, NULL, NO_OPTIONS);
    const sw_fem_problem *p = &job->problem;
    const sw_fem_options *o = &job->options;
    assert_int_equal(p->mesh->n_elements, 12 * 2);
    assert_int_equal(p->mesh->n_nodes, NODES);
    assert_true(p->mesh->position[0] == 1 && p->mesh->position[1] == 0 && p->mesh->position[2] == -1);
    assert_true(p->mesh->lattice->origin[0] == 1 && p->mesh->lattice->origin[2] == -1);
    assert_int_equal(sw_fem_mesh_set(p->mesh, SW_FEM_NODES, "tip")->n, 3 * 3);
    assert_int_equal(sw_fem_mesh_set(p->mesh, SW_FEM_SURFACE, "top")->n, 2 * 2);
    assert_int_equal(sw_fem_mesh_set(p->mesh, SW_FEM_ELEMENTS, "low")->n, 4 * 2);
    assert_int_equal(p->kinematics, SW_FEM_SOLID);
    assert_int_equal(p->b_bar, SW_FEM_B_BAR_YES);

    assert_int_equal(p->n_materials, 2);
    assert_true(p->material[0].young == 200e9 && p->material[0].poisson == 0.3);
    assert_true(p->material[0].yield_stress == 450e6 && p->material[0].parameter[SW_FEM_MODULUS] == 1e8);
    assert_int_equal(p->material[0].hardening, SW_FEM_VOCE);
    assert_true(p->material[0].parameter[SW_FEM_SATURATION] == 600e6);
    assert_true(p->material[0].parameter[SW_FEM_RATE] == 20);
    assert_int_equal(p->material[1].hardening, SW_FEM_TABLE);
    assert_int_equal(p->material[1].n_rows, 2);
    assert_true(p->material[1].yield_stress == 1e8 && p->material[1].row[1][1] == 1.5e8);
    for (int64_t e = 0; e < p->mesh->n_elements; e++)
        assert_int_equal(p->material_of[e], e % 12 >= 4);

    assert_true(o->device == SW_FEM_DEVICE_CPU && (int)o->operator_ == OPERATOR_NUMBER &&
                o->storage == SW_FEM_OWN);
    assert_true(o->scatter == SW_FEM_ATOMICS && o->preconditioner == SW_FEM_JACOBI);
    assert_true(o->tolerance == 1e-7 && o->linear_tolerance == 1e-8 && o->least_increment == 0.01);
    assert_true(o->most_newton == 10 && o->most_cg == 500 && o->line_search == 0);
    assert_int_equal(o->forcing, SW_FEM_FIXED_FORCING);

    static const unsigned char with_fields[INCREMENTS] = {0, 1, 0, 0, 1}, with_restart[] = {1, 1, 1, 1, 1};
    assert_int_equal(job->n_increments, INCREMENTS);
    assert_memory_equal(job->with_fields, with_fields, INCREMENTS);
    assert_memory_equal(job->with_restart, with_restart, INCREMENTS);
    assert_string_equal(job->output.file, "out.h5");
    assert_string_equal(sw_job_text(job->source), full);
    sw_fem_job_free(job);
}

/* The displaced tip, the pressure, and what follows the steps: three sets of factors. */
static void entries_with_the_same_factors_share_a_case(void **state)
{
    (void)state;
    static const double factor[INCREMENTS][CASES] = {
        {0.25, 0.5, 0}, {0.5, 1, 0}, {0.75, 1.5, 0}, {1, 2, 0}, {1, 0, 1}};
    sw_fem_job *job = read_good(full, NULL, NULL, NO_OPTIONS);
    const sw_fem_problem *p = &job->problem;
    assert_int_equal(p->n_cases, CASES);
    assert_memory_equal(job->factor, factor, sizeof factor);
    for (int i = 0; i < INCREMENTS; i++)
        assert_int_equal(job->step_of[i], i < 4 ? 1 : 2);
    assert_int_equal(p->load[0].n_fixed, 3 * 15 + 9); /* zeros go with any */
    assert_int_equal(p->load[1].n_fixed + p->load[2].n_fixed, 0);
    assert_null(p->load[0].force);
    double value = 0;
    for (int64_t k = 0; k < p->load[0].n_fixed; k++) {
        assert_true(k == 0 || p->load[0].dof[k] > p->load[0].dof[k - 1]);
        assert_true(p->load[0].value[k] == 0 || p->load[0].dof[k] % 3 == 1);
        value += p->load[0].value[k];
    }
    CHECK_CLOSE(value, 9 * -0.01, 1e-15);
    /* resultants: areas are 2 x 1, the volume is 12 */
    const double total[2][3] = {{5, 6, -120}, {0, -4, 0}};
    for (int l = 1; l < CASES; l++)
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int64_t n = 0; n < NODES; n++)
                sum += p->load[l].force[3 * n + i];
            CHECK_CLOSE(sum, total[l - 1][i], 1e-12); /* some hundred sums of numbers below 10 */
        }
    CHECK_CLOSE(job->loaded[2].total[2], -120, 1e-12);
    assert_string_equal(job->fixed[1].label, "nodes tip");
    assert_string_equal(job->loaded[1].label, "surface y_max pressure");
    assert_int_equal(job->fixed[1].n_nodes, 9);
    sw_fem_job_free(job);
}

/* At finite strains a pressure is one of its case and no force; its entry tells what it is at first. */
static void pressures_follow_at_finite_strains(void **state)
{
    (void)state;
    sw_fem_job *job = read_good(full, "b_bar: true", "b_bar: true\nstrain: finite", NO_OPTIONS);
    const sw_fem_problem *p = &job->problem;
    assert_int_equal(p->n_cases, CASES);
    assert_int_equal(p->load[0].n_pressures + p->load[1].n_pressures, 0);
    assert_int_equal(p->load[2].n_pressures, 1);
    assert_true(p->load[2].pressure[0].pressure == 2);
    assert_ptr_equal(p->load[2].pressure[0].surface, sw_fem_mesh_set(p->mesh, SW_FEM_SURFACE, "y_max"));
    assert_null(p->load[2].force);
    CHECK_CLOSE(job->loaded[1].total[1], -4, 1e-12);
    sw_fem_job *other = read_good(full, "b_bar: true", "b_bar: true\nstrain: small", NO_OPTIONS);
    assert_int_equal(other->problem.load[2].n_pressures, 0);
    assert_non_null(other->problem.load[2].force);
    sw_fem_job_free(job);
    sw_fem_job_free(other);
}

/* The second tool is free along x, where it is pushed. */
static void tools_are_read(void **state)
{
    (void)state;
    static const double factor[4][2] = {
        {0.5, 1}, {0.5 + 0.5 / 3, 1 + 1.0 / 3}, {0.5 + 1.0 / 3, 1 + 2.0 / 3}, {1, 2}};
    sw_fem_job *job = read_good(tools, NULL, NULL, NO_OPTIONS);
    const sw_fem_problem *p = &job->problem;
    const int64_t own = 2 * p->mesh->n_nodes; /* first unknown of the tools */
    assert_int_equal(p->n_tools, 2);
    assert_string_equal(p->tool[0].name, "plate");
    assert_true(p->tool[0].shape == SW_FEM_PLANE && p->tool[1].shape == SW_FEM_CYLINDER);
    assert_true(p->tool[0].point[1] == 0.015 && p->tool[1].point[0] == 0.02 && p->tool[1].radius == 0.01);
    assert_true(p->tool[0].direction[0] == 0 && p->tool[0].direction[1] == -1);
    assert_true(p->tool[1].direction[2] == 1);
    assert_int_equal(p->tool[0].n_surfaces, 2);
    assert_ptr_equal(p->tool[0].surface[1], sw_fem_mesh_set(p->mesh, SW_FEM_SURFACE, "x_max"));
    assert_true(p->tool[0].friction == 0.1 && p->tool[0].shear_limit == 4e8 && p->tool[1].friction == 0);
    assert_int_equal(p->n_cases, 2);
    for (int i = 0; i < 4; i++)
        for (int l = 0; l < 2; l++)
            CHECK_CLOSE(job->factor[2 * i + l], factor[i][l], 1e-15); /* a few roundings of numbers up to 2 */
    assert_true(p->load[1].force[own + 2] == 0 && p->load[1].force[own + 3] == -100);
    int fixed[4] = {0};
    for (int l = 0; l < 2; l++)
        for (int64_t k = 0; k < p->load[l].n_fixed; k++)
            if (p->load[l].dof[k] >= own) {
                fixed[p->load[l].dof[k] - own]++;
                assert_true(p->load[l].value[k] == (p->load[l].dof[k] == own + 1 ? -0.0075 : 0));
            }
    assert_true(fixed[0] == 1 && fixed[1] == 1 && fixed[2] == 1 && fixed[3] == 0);
    assert_string_equal(job->tooled[1].label, "tool roll");
    sw_fem_job_free(job);
    job = read_good(tools, "friction: 0.1, ", "", NO_OPTIONS);
    assert_true(isinf(job->problem.tool[0].friction));
    sw_fem_job_free(job);
    job = read_good(pressed, NULL, NULL, NO_OPTIONS);
    assert_true(job->problem.tool[0].direction[1] == 1 && job->problem.tool[0].direction[2] == 0);
    sw_fem_job_free(job);
}

/* It is the general form that says the same, to the hash; and in space. */
static void upsetting_is_a_short_form(void **state)
{
    (void)state;
    static const char plate[] = "  - {name: roll, shape: cylinder, surfaces: [x_max],\n"
                                "     point: [0.02, 0.005], radius: 0.01,\n"
                                "     force: [0, -100.0]}\n";
    sw_fem_job *job = read_good(upset, "materials", "b_bar: true\nmaterials", NO_OPTIONS),
               *other = read_good(tools, plate, "", NO_OPTIONS);
    assert_string_equal(job->identity, other->identity);
    assert_int_equal(job->n_increments, 4);
    assert_true(job->factor[0] == 0.25 && job->factor[3] == 1);
    sw_fem_job_free(job);
    sw_fem_job_free(other);
    job = read_good(upset, "[4, 6]", "[3, 3, 5]", NO_OPTIONS);
    assert_int_equal(job->problem.kinematics, SW_FEM_SOLID);
    assert_int_equal(job->problem.mesh->n_elements, 3 * 3 * 5);
    assert_true(job->problem.tool[0].direction[2] == -1 && job->tooled[0].at[2] == -0.0075);
    sw_fem_job_free(job);
    static const option increments[] = {{"increments", "7"}};
    job = read_good(upset, NULL, NULL, 1, increments);
    assert_int_equal(job->n_increments, 7);
    sw_fem_job_free(job);
}

static void absent_keys_have_their_defaults(void **state)
{
    (void)state;
    sw_fem_job *job = read_good(least, NULL, NULL, NO_OPTIONS);
    const sw_fem_options d = sw_fem_default_options(&job->problem, SW_FEM_DEVICE_AUTO);
    assert_int_equal(job->problem.kinematics, SW_FEM_SOLID);
    assert_int_equal(job->problem.b_bar, SW_FEM_B_BAR_AUTO);
    assert_true(isinf(job->problem.material[0].yield_stress));
    assert_int_equal(job->n_increments, 1);
    assert_true(job->factor[0] == 1 && job->with_fields[0] == 1 && job->with_restart[0] == 0);
    assert_int_equal(job->options.operator_, d.operator_);
    assert_int_equal(job->options.preconditioner, d.preconditioner);
    assert_true(job->options.tolerance == d.tolerance && job->options.most_cg == d.most_cg);
    assert_true(job->options.linear_tolerance == d.linear_tolerance);
    assert_true(job->options.line_search == d.line_search && job->options.most_newton == d.most_newton);
    assert_true(job->options.least_increment == d.least_increment && job->options.scatter == d.scatter);
    assert_int_equal(job->options.storage, d.storage);
    sw_fem_job_free(job);
}

static void plane_bodies_have_a_thickness(void **state)
{
    (void)state;
    sw_fem_job *job = read_good(plane, NULL, NULL, NO_OPTIONS);
    assert_int_equal(job->problem.kinematics, SW_FEM_PLANE_STRESS);
    assert_true(job->problem.thickness == 0.5);
    CHECK_CLOSE(job->loaded[0].total[0], 4 * 2 * 0.5, 1e-12);
    sw_fem_job_free(job);
}

static void heat_has_its_own_keys(void **state)
{
    (void)state;
    sw_fem_job *job = read_good(heat, NULL, NULL, NO_OPTIONS);
    assert_true(job->problem.material[0].young == 2);
    assert_int_equal(job->fixed[0].fixes[0], 1);
    CHECK_CLOSE(job->loaded[0].total[0], 7 * 2, 1e-12);
    CHECK_CLOSE(job->loaded[1].total[0], 6, 1e-12);
    CHECK_CLOSE(job->loaded[2].total[0], 3, 1e-12);
    sw_fem_job_free(job);
}

/* What a job of crystals names, beside it. */
static void write_beside(const char *name, const char *text)
{
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (text != NULL)
        write_text(path, text);
    else
        assert_int_equal(unlink(path), 0);
}

static void write_crystals(void)
{
    write_beside("material.yaml", "name: metal\ncrystal_structure: fcc\n"
                                  "elasticity: {C11: 168.7e9, C12: 121.7e9, C44: 75.0e9}\n"
                                  "slip: {reference_slip_rate: 1.0e-3, rate_sensitivity: 0.012,\n"
                                  "       initial_slip_resistance: 16.0e6}\n"
                                  "hardening: {law: voce, initial_hardening_rate: 180.0e6,\n"
                                  "            saturation_resistance: 148.0e6, exponent: 2.25}\n");
    write_beside("grains.ori", "10 20 30\n40 50 60\n70 80 90\n");
}

static void remove_crystals(void)
{
    write_beside("material.yaml", NULL);
    write_beside("grains.ori", NULL);
}

/* Nothing said: where a material keeps its volume, but in plane stress and heat; what is said is so. */
static void mean_dilatation_is_had_where_it_matters(void **state)
{
    (void)state;
    static const struct {
        const char *text, *old, *new;
        int has;
    } cases[] = {
        {least, NULL, NULL, 0},
        {least, "0.25}", "0.25, yield_stress: 1.0e6}", 1},
        {least, "0.25}", "0.45}", 1},
        {least, "0.25}]", "0.25, yield_stress: 1.0e6}]\nb_bar: no", 0},
        {least, "0.25}]", "0.25}]\nb_bar: yes", 1},
        {plane, "0.25}", "0.25, yield_stress: 1.0e6}", 0},
        {plane, "plane_stress", "plane_strain", 0},
        {heat, NULL, NULL, 0},
        {upset, "0.3}", "0.3, yield_stress: 1.0e8}", 1},
        {upset, "0.3}]", "0.3, yield_stress: 1.0e8}]\nb_bar: no", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fem_job *job = read_good(cases[i].text, cases[i].old, cases[i].new, NO_OPTIONS);
        if (sw_fem_has_b_bar(&job->problem) != cases[i].has)
            fail_msg("%zu: %s", i, cases[i].has ? "locks" : "does not lock");
        sw_fem_job_free(job);
    }
}

static void crystals_are_read(void **state)
{
    (void)state;
    write_crystals();
    sw_fem_job *job = read_good(crystals, NULL, NULL, NO_OPTIONS);
    const sw_fem_polycrystal *of = job->problem.material[0].crystals;
    assert_ptr_equal(of, &job->crystals[0].is);
    assert_string_equal(of->response.solver, "rigid_plastic");
    assert_true(of->response.material->slip.initial_slip_resistance == 5e7);
    assert_true(of->response.material->elasticity.c44 == 75e9);
    assert_true(of->each == 5 && of->seed == 7 && of->rotated == 1 && of->n_texture == 3);
    CHECK_CLOSE(of->texture[1].euler[2], 60 * 3.14159265358979323846 / 180, 1e-6);
    assert_true(sw_fem_has_b_bar(&job->problem) && job->options.tolerance == 1e-5);
    for (int i = 0; i < 4; i++)
        assert_true(job->duration[i] == 5);
    assert_int_equal(job->output.textures_count, 1);
    assert_true(job->output.components == 1 && job->output.resumable == 1);
    sw_fem_job_free(job);

    job = read_good(crystals, ", count: 5", "", NO_OPTIONS);
    assert_true(job->problem.material[0].crystals->each == 3);
    sw_fem_job_free(job);
    job = read_good(crystals, "steps:", "solver: {tolerance: 1.0e-7}\nb_bar: no\nsteps:", NO_OPTIONS);
    assert_true(!sw_fem_has_b_bar(&job->problem) && job->options.tolerance == 1e-7);
    sw_fem_job_free(job);
    remove_crystals();
}

static void options_replace_the_file(void **state)
{
    (void)state;
    static const option given[] = {
        {"output", "other.h5"}, {"device", "auto"},     {"operator", "points"},
        {"storage", STORAGE},   {"scatter", "colours"}, {"preconditioner", "block_jacobi"},
        {"tolerance", "0.01"},  {"factor", "0.5"},      {"cells", "8x4x1"}};
    sw_fem_job *job = read_good(full, NULL, NULL, 9, given);
    assert_string_equal(job->output.file, "other.h5");
    assert_int_equal(job->options.operator_, SW_FEM_POINTS);
    assert_int_equal(job->options.storage, STORAGE_NUMBER);
    assert_int_equal(job->options.preconditioner, SW_FEM_BLOCK_JACOBI);
    assert_true(job->options.tolerance == 0.01 && job->options.linear_tolerance == 1e-8);
    assert_int_equal(job->mesh->n_elements, 24);
    assert_true(job->factor[4 * CASES + 1] == 0.5);
    sw_fem_job_free(job);
}

/* The state depends on these, so a run does not go on with others; it may with other steps and solvers. */
static void identity_is_that_of_the_problem(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        int same;
    } edits[] = {
        {"steps:\n  - {factor: 2.0, increments: 4}", "steps:\n  - {factor: 3.0, increments: 7}", 1},
        {"tolerance: 1.0e-7", "tolerance: 1.0e-5", 1},
        {"name: tip", "name: tip", 1},
        {"arm: 0.5", "arm: 0.51", 1}, /* the same cells */
        {"poisson: 0.33", "poisson: 0.34", 0},
        {"b_bar: true", "b_bar: false", 0},
        {"[4.0, 4.0, 1.0]", "[4.0, 4.0, 1.0001]", 0},
        {"y: -0.01", "y: -0.02", 0},
        {"pressure: 2.0", "pressure: 2.5", 0},
        {"[0.01, 1.5e8]", "[0.02, 1.5e8]", 0},
    };
    sw_fem_job *job = read_good(full, NULL, NULL, NO_OPTIONS);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_fem_job *other = read_good(full, edits[i].old, edits[i].new, NO_OPTIONS);
        if ((strcmp(job->identity, other->identity) == 0) != edits[i].same)
            fail_msg("'%s' for '%s': %s and %s", edits[i].new, edits[i].old, job->identity, other->identity);
        sw_fem_job_free(other);
    }
    sw_fem_job_free(job);
}

static void identity_is_that_of_the_tools(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        int same;
    } edits[] = {
        {"{factor: 2, increments: 3}", "{factor: 3, increments: 4}", 1},
        {"normal: [0, -2.0]", "normal: [0, -4.0]", 1}, /* the same direction */
        {"friction: 0.1", "friction: 0.2", 0},
        {"shear_limit: 4.0e8", "shear_limit: 3.0e8", 0},
        {"friction: 0.1, shear_limit: 4.0e8", "sticks: true", 0},
        {"[y_max, x_max]", "[y_max]", 0},
        {"point: [0.02, 0.005]", "point: [0.02, 0.006]", 0},
        {"radius: 0.01", "radius: 0.02", 0},
        {"radius: 0.01", "radius: 0.01, penalty: 50", 0},
        {"move: [0, -0.0075]", "move: [0, -0.007]", 0},
        {"-100.0", "-101.0", 0},
    };
    sw_fem_job *job = read_good(tools, NULL, NULL, NO_OPTIONS);
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        sw_fem_job *other = read_good(tools, edits[i].old, edits[i].new, NO_OPTIONS);
        if ((strcmp(job->identity, other->identity) == 0) != edits[i].same)
            fail_msg("'%s' for '%s': %s and %s", edits[i].new, edits[i].old, job->identity, other->identity);
        sw_fem_job_free(other);
    }
    sw_fem_job_free(job);
}

/* ---- What is refused ---- */

typedef struct {
    const char *old, *new;
    const char *place, *key, *bound; /* parts of the message: file and line, key and value, what is needed */
} refusal;

static void refuse(const char *text, int n, const refusal *cases)
{
    for (const refusal *c = cases; c < cases + n; c++) {
        sw_fem_job *job;
        if (read_job(text, c->old, c->new, NO_OPTIONS, &job) != SW_ERR_INPUT)
            fail_msg("'%s' for '%s' was taken, or refused otherwise: %s", c->new, c->old, sw_error_message());
        assert_null(job);
        assert_message_has(c->place);
        assert_message_has(c->key);
        assert_message_has(c->bound);
    }
}
#define REFUSE(text, cases) refuse(text, (int)(sizeof(cases) / sizeof *(cases)), cases)

static void bad_jobs_are_refused_with_their_place(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"  body: l_bracket", "  bodi: l_bracket", "job.yaml:2: ", "'mesh.bodi'", "did you mean 'mesh.body'"},
        {"  body: l_bracket", "  body: bracket", "job.yaml:2: ", "mesh.body = bracket", "need one of box"},
        {"  body: l_bracket\n", "", "job.yaml:1: ", "mesh.body is missing", "need body or file"},
        {"  arm: 0.5", "  file: part.inp", "job.yaml:6: ", "mesh.file beside mesh.body", "only one"},
        {"  cells: [4, 4, 2]\n", "", "job.yaml:1: ", "mesh.cells is missing", ""},
        {"[4, 4, 2]", "[4, 0, 2]", "job.yaml:3: ", "mesh.cells[1] = 0", "need 1 <= cells <= 1e5"},
        {"[4, 4, 2]", "[4]", "job.yaml:3: ", "mesh.cells has 1 entries", "need at least 2"},
        {"[4.0, 4.0, 1.0]", "[4.0, 4.0]", "job.yaml:4: ", "mesh.size has 2 numbers", "need 3"},
        {"[4.0, 4.0, 1.0]", "[4.0, -4.0, 1.0]", "job.yaml:4: ", "mesh.size[1] = -4", "1e-9 to 1e9"},
        {"[1.0, 0, -1.0]", "[1.0, 0]", "job.yaml:5: ", "mesh.origin has 2 numbers", "need 3"},
        {"arm: 0.5", "arm: 1.5", "job.yaml:6: ", "mesh.arm = 1.5", "need 0 < arm < 1"},
        {"arm: 0.5", "hole: 0.25", "job.yaml:6: ", "mesh.hole", "has no place beside body = l_bracket"},
        {"name: tip, kind: nodes", "name: tip, kind: node", "job.yaml:8: ", "mesh.sets[0].kind = node",
         "need one of nodes, elements, surface"},
        {"from: [5, 0, -1]", "from: [5, 0]", "job.yaml:8: ", "mesh.sets[0].from", "need 3 each"},
        {"to: [5, 2, 0]}", "to: [4, 2, 0]}", "job.yaml:8: ", "mesh.sets[0].from[0] = 5",
         "at most that of to, 4"},
        {"from: [5, 0, -1], to: [5, 2, 0]", "from: [5, 0.1, -1], to: [5, 0.2, 0]",
         "job.yaml:8: ", "mesh.sets[0].name = tip", "is empty"},
        {"name: top", "name: y_max", "job.yaml:9: ", "mesh.sets[1].name = y_max", "there is a surface"},
        {"solid", "solids", "job.yaml:12: ", "kinematics = solids", "need one of solid"},
        {"solid", "plane_strain", "job.yaml:12: ", "kinematics = plane_strain",
         "the mesh is of hex8: need solid"},
        {"b_bar: true", "b_bar: maybe", "job.yaml:13: ", "b_bar = maybe", "need yes or no"},
        {"b_bar: true", "thickness: 1.0", "job.yaml:13: ", "thickness", "goes with plane_stress"},
        {"young: 200.0e9", "young: 0", "job.yaml:15: ", "materials[0].young = 0", "Pa, from"},
        {"young: 200.0e9, ", "", "job.yaml:15: ", "materials[0].young is missing", ""},
        {"poisson: 0.3,", "poisson: 0.5,", "job.yaml:15: ", "materials[0].poisson = 0.5", "<= 0.4999"},
        {"elements: low", "elements: lower",
         "job.yaml:15: ", "materials[0].elements = lower: no such element set", "need one of all, low, high"},
        {" elements: low,", "", "job.yaml:15: ", "materials[0].elements is missing", "several materials"},
        {"elements: low", "elements: high", "job.yaml:19: ", "has materials[0] too", "one each"},
        {"from: [1, 1, -1]", "from: [1, 2, -1]", "job.yaml:14: ", "materials: 8 of 24 elements have none",
         "the first of them 5"},
        {"yield_stress: 450.0e6", "yield_stress: 0", "job.yaml:16: ", "materials[0].yield_stress = 0", "Pa"},
        {"     yield_stress: 450.0e6,\n", "", "job.yaml:15: ", "materials[0].yield_stress is missing",
         "'voce' needs it"},
        {"law: voce", "law: power", "job.yaml:17: ", "hardening.law = power", "need one of none, linear"},
        {"law: voce", "law: linear", "job.yaml:18: ", "materials[0].hardening.saturation",
         "has no place beside law = linear"},
        {"modulus: 1.0e8", "modulus: -1.0", "job.yaml:17: ", "hardening.modulus = -1", "Pa, from 0"},
        {"saturation: 600.0e6", "saturation: 400.0e6", "job.yaml:18: ", "saturation = 400000000",
         "Pa, at least yield_stress"},
        {", rate: 20", "", "job.yaml:17: ", "materials[0].hardening.rate is missing", "law = voce needs it"},
        {"[[0, 1.0e8]", "[[0.001, 1.0e8]", "job.yaml:21: ", "table[0][0] = 0.001",
         "need a plastic strain of 0"},
        {"[0.01, 1.5e8]", "[0, 1.5e8]", "job.yaml:21: ", "table[1][0] = 0", "ascend"},
        {"[0.01, 1.5e8]", "[0.01, 0.5e8]", "job.yaml:21: ", "table[1][1] = 50000000", "not descending"},
        {"{nodes: x_min", "{nodes: x_mim", "job.yaml:23: ", "boundary[0].nodes = x_mim: no such node set",
         "need one of x_min, x_max"},
        {"{nodes: x_min, ", "{nodes: x_min, surface: top, ",
         "job.yaml:23: ", "boundary[0].surface beside boundary[0].nodes", "only one"},
        {"{nodes: x_min, ", "{", "job.yaml:23: ", "boundary[0]", "need nodes or surface"},
        {"y: -0.01, ", "", "job.yaml:24: ", "boundary[1]", "need x, y or z"},
        {"y: -0.01", "temperature: 1", "job.yaml:24: ", "boundary[1].temperature",
         "not with kinematics: solid"},
        {"{nodes: tip, y", "{nodes: y_min, y", "job.yaml:24: ", "boundary[1].y = -0.01: node 1 at (1, 0, -1)",
         "has 0 from boundary[0]"},
        {"factors: [1, 1]", "factors: [1]", "job.yaml:24: ", "boundary[1].factors has 1 numbers", "need 2"},
        {"factors: [1, 1]", "factors: [1, 1.0e10]", "job.yaml:24: ", "boundary[1].factors[1] = 1.0e10",
         "1e9"},
        {"{surface: top", "{nodes: tip", "job.yaml:26: ", "loads[0].nodes", "traction goes with surface"},
        {"{surface: top, ", "{", "job.yaml:26: ", "loads[0]", "need surface"},
        {"{surface: top", "{surface: tip", "job.yaml:26: ", "loads[0].surface = tip: no such surface",
         "z_max, top"},
        {"traction: [0, 3.0, 0]", "traction: [0, 3.0]", "job.yaml:26: ", "loads[0].traction has 2 numbers",
         "need 3"},
        {"traction: [0, 3.0, 0]", "traction: [0, 3.0, 0], pressure: 1.0",
         "job.yaml:26: ", "loads[0].pressure beside loads[0].traction", "only one"},
        {", pressure: 2.0", "", "job.yaml:27: ", "loads[1]", "need traction, pressure, body_force or force"},
        {"pressure: 2.0", "flux: 2.0", "job.yaml:27: ", "loads[1].flux", "not with kinematics: solid"},
        {"pressure: 2.0", "pressure: 1.0e19", "job.yaml:27: ", "loads[1].pressure = 1.0e19", "1e18"},
        {"factor: 2.0", "faktor: 2.0", "job.yaml:31: ", "steps[0].faktor", "did you mean 'steps[0].factor'"},
        {"factor: 2.0", "factor: 2.0e9", "job.yaml:31: ", "steps[0].factor = 2.0e9", "1e9"},
        {"increments: 4", "increments: 0", "job.yaml:31: ", "steps[0].increments = 0", "1 <= increments"},
        {"device: cpu", "device: gpu", "job.yaml:33: ", "device = gpu", "need one of auto, cpu, cuda"},
        {"operator: ", "operator: e", "job.yaml:34: ", "solver.operator = e", "need one of points"},
        {"storage: own", "storage: all", "job.yaml:34: ", "solver.storage = all", "need one of own"},
        {"scatter: atomics", "staging: some", "job.yaml:34: ", "solver.staging = some",
         "all, matrix, nothing, elastic"},
        {"atomics", "atomic", "job.yaml:34: ", "solver.scatter = atomic", "need one of colours, atomics"},
        {"jacobi", "ilu", "job.yaml:35: ", "solver.preconditioner = ilu", "need one of jacobi"},
        {" tolerance: 1.0e-7", " tolerance: 1", "job.yaml:36: ", "solver.tolerance = 1", "<= 0.1"},
        {"1.0e-8", "0", "job.yaml:36: ", "solver.linear_tolerance = 0", "1e-14 <="},
        {"increment: 0.01", "increment: 2", "job.yaml:37: ", "solver.least_increment = 2", "<= 1"},
        {"newton: 10", "newton: 65", "job.yaml:38: ", "solver.newton = 65", "<= 64"},
        {"cg: 500", "cg: 0", "job.yaml:38: ", "solver.cg = 0", "1 <= cg"},
        {"forcing: fixed", "forcing: loose", "job.yaml:38: ", "solver.forcing = loose",
         "need one of residual, fixed"},
        {"line_search: 0", "line_search: -1", "job.yaml:38: ", "solver.line_search = -1",
         "0 <= line_search <= 100"},
        {"fields: [2, last]", "fields: [6]", "job.yaml:39: ", "output.fields[0] = 6", "from 1 to 5"},
        {"fields: [2, last]", "fields: [first]", "job.yaml:39: ", "output.fields[0] = first",
         "need all, last"},
        {"[all]", "[0]", "job.yaml:40: ", "output.restart[0] = 0", "from 1 to 5"},
        {"file: out.h5, ", "", "job.yaml:39: ", "output.file is missing", ""},
        {"yield_stress: 450.0e6", "conductivity: 1", "job.yaml:16: ", "materials[0].conductivity",
         "goes with kinematics: heat"},
        {"hardening: {law: table", "yield_stress: 1.0e8, hardening: {law: table",
         "job.yaml:20: ", "materials[1].yield_stress", "'table' does not read it"},
        {"{elements: all, body", "{nodes: tip, body", "job.yaml:28: ", "loads[2].nodes",
         "body_force goes with elements"},
        {"materials:", "matter:", "job.yaml:14: ", "unknown key 'matter'", "need one of upsetting, mesh"},
    };
    REFUSE(full, cases);
}

static void bad_plane_and_heat_jobs_are_refused(void **state)
{
    (void)state;
    static const refusal of_least[] = {
        {"body: box", "body: cylinder", "job.yaml:1: ", "mesh: cells along x = 2, along y = 1",
         "body cylinder needs as many of both"},
        {"x: 0, y: 0, z: 0", "x: 0, y: 0.0, z: 0.0, factors: [1, 2]",
         "job.yaml:3: ", "boundary[0].factors has 2 numbers", "need 1"},
        {"loads: [{surface: x_max, traction: [1.0, 0, 0]}]\n", "", "job.yaml: ", "loads: nothing is loaded",
         ""},
        {"output: {file: out.h5}", "", "job.yaml: ", "output.file is missing", ""},
    };
    static const refusal of_plane[] = {
        {"kinematics: plane_stress\n", "", "job.yaml: ", "kinematics is missing", "need plane_stress"},
        {"plane_stress", "solid", "job.yaml:2: ", "kinematics = solid", "the mesh is of quad4"},
        {"plane_stress", "axisymmetric", "job.yaml:3: ", "thickness", "goes with plane_stress"},
        {"plane_stress", "plane_stress\nstrain: finite", "job.yaml:3: ",
         "strain = finite: not with plane_stress", "need solid, plane_strain or axisymmetric"},
        {"plane_stress", "plane_stress\nstrain: large", "job.yaml:3: ", "strain = large",
         "need one of small, finite"},
        {"plane_stress", "plane_stress\nb_bar: true", "job.yaml:3: ", "b_bar = yes", "not with plane_stress"},
        {"thickness: 0.5", "thickness: 0", "job.yaml:3: ", "thickness = 0", "m, from 1e-9"},
        {"y: 0}]", "z: 0}]", "job.yaml:5: ", "boundary[1].z", "not with kinematics: plane_stress"},
        {"[4.0, 0]}", "[4.0, 0, 0]}", "job.yaml:6: ", "loads[0].traction has 3 numbers", "need 2"},
        {"size: [3.0, 2.0]}\nkinematics: plane_stress\nthickness: 0.5",
         "size: [3.0, 2.0], origin: [-1.0, 0]}\nkinematics: axisymmetric",
         "job.yaml:2: ", "kinematics = axisymmetric: node 1 is at x = -1", "radii >= 0"},
    };
    static const refusal of_heat[] = {
        {"kinematics: heat", "kinematics: heat\nstrain: finite",
         "job.yaml:3: ", "strain = finite: not with heat", "need solid"},
        {"conductivity: 2.0", "young: 2.0", "job.yaml:3: ", "materials[0].young",
         "not with kinematics: heat"},
        {"conductivity: 2.0", "name: clay", "job.yaml:3: ", "materials[0].conductivity is missing", "heat"},
        {"temperature: 300", "x: 0", "job.yaml:4: ", "boundary[0].x", "not with kinematics: heat"},
        {"flux: 7.0", "pressure: 7.0", "job.yaml:5: ", "loads[0].pressure", "not with kinematics: heat"},
        {"nodes: y_max", "elements: all", "job.yaml:6: ", "loads[2].elements",
         "flow goes with nodes or surface"},
    };
    REFUSE(least, of_least);
    REFUSE(plane, of_plane);
    REFUSE(heat, of_heat);
}

static void bad_tools_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"strain: finite\n", "", "job.yaml:7: ", "tools[0]", "goes with strain: finite"},
        {"finite", "small", "job.yaml:8: ", "tools[0]", "goes with strain: finite"},
        {"shape: plane", "shape: plate", "job.yaml:8: ", "tools[0].shape = plate",
         "need one of plane, cylinder, sphere"},
        {"[y_max, x_max]", "[top, x_max]", "job.yaml:8: ", "tools[0].surfaces[0] = top: no such surface",
         "need one of x_min, x_max"},
        {"[y_max, x_max]", "[y_max, y_max]", "job.yaml:8: ", "tools[0].surfaces[1] = y_max",
         "is there already"},
        {"surfaces: [y_max, x_max]", "surfaces: []", "job.yaml:8: ", "tools[0].surfaces", "at least 1"},
        {"point: [0, 0.015], ", "", "job.yaml:8: ", "tools[0].point is missing", ""},
        {"[0, 0.015]", "[0, 0.015, 0]", "job.yaml:9: ", "tools[0].point has 3 numbers", "need 2"},
        {" normal: [0, -2.0],", "", "job.yaml:8: ", "tools[0].normal is missing", "shape = plane needs it"},
        {"[0, -2.0]", "[0, 0]", "job.yaml:9: ", "tools[0].normal = (0, 0)", "need a direction that is not 0"},
        {"[0, -2.0]", "[0, 0, -2.0]", "job.yaml:9: ", "tools[0].normal has 3 numbers", "need 2"},
        {"normal: [0, -2.0]", "normal: [0, -2.0], hollow: true", "job.yaml:9: ", "tools[0].hollow",
         "has no place beside shape = plane"},
        {"normal: [0, -2.0]", "normal: [0, -2.0], axis: [0, 1]", "job.yaml:9: ", "tools[0].axis",
         "has no place beside shape = plane"},
        {"[0, -0.0075]", "[-0.0075]", "job.yaml:10: ", "tools[0].move has 1 entries", "at least 2"},
        {"move: [0, -0.0075]", "move: [0, -0.0075], force: [0, -5.0]",
         "job.yaml:10: ", "tools[0].force[1] = -5: move[1] = -0.0075", "need one of them"},
        {"friction: 0.1", "friction: -0.1", "job.yaml:11: ", "tools[0].friction = -0.1",
         "need 0 <= friction <= 1000"},
        {"friction: 0.1", "friction: .nan", "job.yaml:11: ", "tools[0].friction = .nan", "number"},
        {"4.0e8", "0", "job.yaml:11: ", "tools[0].shear_limit = 0", "Pa"},
        {"shear_limit: 4.0e8", "sticks: true", "job.yaml:11: ", "tools[0].sticks = yes: beside friction",
         "need one of them"},
        {"friction: 0.1, ", "sticks: true, ", "job.yaml:11: ", "tools[0].sticks = yes: beside shear_limit",
         "need one of them"},
        {"friction: 0.1", "penalty: 0", "job.yaml:11: ", "tools[0].penalty = 0", "1 <= penalty"},
        {"[0.5, 1]", "[1]", "job.yaml:11: ", "tools[0].factors has 1 numbers", "need 2, one a step"},
        {"name: roll", "name: plate", "job.yaml:12: ", "tools[1].name = plate: tools[0] has it",
         "need names that differ"},
        {"name: roll, ", "", "job.yaml:12: ", "tools[1].name is missing", ""},
        {"[x_max],\n     point: [0.02", "[side],\n     point: [0.02",
         "job.yaml:12: ", "tools[1].surfaces[0] = side: no such surface", "need one of"},
        {", radius: 0.01", "", "job.yaml:12: ", "tools[1].radius is missing", "shape = cylinder needs it"},
        {"radius: 0.01", "radius: 0", "job.yaml:13: ", "tools[1].radius = 0", "m"},
        {"radius: 0.01", "radius: 0.01, normal: [1, 0]", "job.yaml:13: ", "tools[1].normal",
         "has no place beside shape = cylinder"},
    };
    static const refusal in_space[] = {
        {"axis: [0, 3.0, 0], ", "", "job.yaml:5: ", "tools[0].axis is missing", "need the cylinder's axis"},
        {"[0, 3.0, 0]", "[0, 0, 0]", "job.yaml:6: ", "tools[0].axis = (0, 0, 0)", "need a direction"},
        {"[0, 3.0, 0]", "[0, 3.0]", "job.yaml:6: ", "tools[0].axis has 2 numbers", "need 3"},
        {"move: [0, 0, -0.1]", "move: [0, 0, 0]", "job.yaml: ", "loads: nothing is loaded",
         "tools that move"},
    };
    REFUSE(tools, cases);
    REFUSE(pressed, in_space);
}

static void bad_upsettings_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"radius: 0.01", "radius: 0", "job.yaml:2: ", "upsetting.radius = 0", "m, more than 0"},
        {"  radius: 0.01\n", "", "job.yaml:1: ", "upsetting.radius is missing", ""},
        {"height: 0.03", "height: -1", "job.yaml:3: ", "upsetting.height = -1", "m, more than 0"},
        {"reduction: 0.5", "reduction: 0", "job.yaml:4: ", "upsetting.reduction = 0",
         "need 0 < reduction < 1"},
        {"reduction: 0.5", "reduction: 1", "job.yaml:4: ", "upsetting.reduction = 1",
         "need 0 < reduction < 1"},
        {"reduction: 0.5", "reduction: 1.5", "job.yaml:4: ", "upsetting.reduction = 1.5",
         "need 0 < reduction < 1"},
        {"  reduction: 0.5\n", "", "job.yaml:1: ", "upsetting.reduction is missing", ""},
        {"[4, 6]", "[4]", "job.yaml:5: ", "upsetting.cells has 1 entries", "at least 2"},
        {"[4, 6]", "[4, 4, 6, 1]", "job.yaml:5: ", "upsetting.cells has 4 entries", "at most 3"},
        {"[4, 6]", "[4, 5, 6]", "job.yaml:5: ", "upsetting.cells[1] = 5", "need 4, as many as the first"},
        {"[4, 6]", "[4, 0]", "job.yaml:5: ", "upsetting.cells[1] = 0", "1 <= cells"},
        {"friction: 0.1", "friction: -0.1", "job.yaml:6: ", "upsetting.friction = -0.1",
         "need 0 <= friction <= 1000"},
        {"friction: 0.1", "sticks: true", "job.yaml:6: ", "upsetting.sticks = yes: beside shear_limit",
         "need one of them"},
        {"shear_limit: 4.0e8", "sticks: true", "job.yaml:7: ", "upsetting.sticks = yes: beside friction",
         "need one of them"},
        {"increments: 4", "increments: 0", "job.yaml:8: ", "upsetting.increments = 0", "1 <= increments"},
        {"materials", "mesh: {body: box, cells: [1, 1]}\nmaterials",
         "job.yaml:9: ", "mesh.cells beside upsetting", "need one of them"},
        {"materials", "mesh: {file: part.inp}\nmaterials", "job.yaml:9: ", "mesh beside upsetting",
         "need one of them"},
        {"materials", "kinematics: solid\nmaterials", "job.yaml:9: ", "kinematics beside upsetting",
         "need one of them"},
        {"materials", "strain: small\nmaterials", "job.yaml:9: ", "strain beside upsetting",
         "need one of them"},
        {"materials", "boundary: [{nodes: x_min, x: 0}]\nmaterials",
         "job.yaml:9: ", "boundary beside upsetting", "need one of them"},
        {"materials", "loads: [{surface: side, pressure: 1}]\nmaterials",
         "job.yaml:9: ", "loads beside upsetting", "need one of them"},
        {"materials", "tools: [{name: a, shape: sphere, surfaces: [a], point: [0, 0], radius: 1}]\nmaterials",
         "job.yaml:9: ", "tools beside upsetting", "need one of them"},
        {"materials", "steps: [{factor: 1}]\nmaterials", "job.yaml:9: ", "steps beside upsetting",
         "need one of them"},
        {"materials", "thickness: 1\nmaterials", "job.yaml:9: ", "thickness beside upsetting",
         "need one of them"},
    };
    static const refusal of_none[] = {
        {"mesh: {body: box, cells: [2, 1, 1]}\n", "", "job.yaml: ", "mesh is missing",
         "need it, or upsetting"},
        {"boundary: [{nodes: x_min, x: 0, y: 0, z: 0}]\n", "", "job.yaml: ", "boundary is missing",
         "need it, upsetting or periodic"},
    };
    static const option cells[] = {{"cells", "8x8"}}, increments[] = {{"increments", "3"}};
    sw_fem_job *job;
    REFUSE(upset, cases);
    REFUSE(least, of_none);
    assert_int_equal(read_job(upset, NULL, NULL, 1, cells, &job), SW_ERR_INPUT);
    assert_message_has("--cells beside upsetting");
    assert_int_equal(read_job(least, NULL, NULL, 1, increments, &job), SW_ERR_INPUT);
    assert_message_has("upsetting.");
}

static void bad_crystals_are_refused(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"strain: finite\n", "", "job.yaml:3: ", "materials[0].crystals", "need strain: finite"},
        {"material: material.yaml, ", "", "job.yaml:4: ", "materials[0].crystals.material is missing",
         "need a material or a database"},
        {"rigid_plastic", "grid", "job.yaml:4: ", "materials[0].crystals.database is missing",
         "the solver 'grid' needs one"},
        {"rigid_plastic", "iterative", "job.yaml:6: ", "materials[0].crystals.solver = iterative",
         "need one of terms, grid, rigid_plastic, elastoplastic"},
        {"rigid_plastic", "exact", "job.yaml:6: ", "materials[0].crystals.solver = exact",
         "need one of terms"},
        {"file: grains.ori, count: 5", "seed: 7", "job.yaml:5: ", "materials[0].crystals.seed", "twice"},
        {"file: grains.ori, count: 5", "refinement: 1",
         "job.yaml:4: ", "materials[0].crystals.count is missing", "need count, grains or file"},
        {"file: grains.ori, ", "phase: 1, ", "job.yaml:4: ", "materials[0].crystals.phase = 1",
         "random crystals have none"},
        {"count: 5", "count: 0", "job.yaml:4: ", "materials[0].crystals.count = 0", "need 1 <= count <= 1e6"},
        {"seed: 7", "seed: -7", "job.yaml:5: ", "materials[0].crystals.seed = -7", "need seed >= 0"},
        {"5.0e7", "50", "job.yaml:5: ", "materials[0].crystals.initial_slip_resistance = 50", "1e4 to 1e11"},
        {"rotated", "turned", "job.yaml:5: ", "'materials[0].crystals.turned'", ""},
        {"boundary", "    young: 1.0e9\nboundary", "job.yaml:7: ", "materials[0].young beside crystals",
         "need only one of them"},
        {"time: 20", "time: 0", "job.yaml:8: ", "steps[0].time = 0", "1e-12 to 1e15"},
        {"textures: [all]", "textures: [rim]", "job.yaml:9: ", "output.textures[0] = rim", "need one of all"},
    };
    static const refusal of_none[] = {
        {"out.h5", "out.h5, textures: [all]", "job.yaml:5: ", "output.textures[0] = all",
         "its elements have no crystals"},
    };
    write_crystals();
    REFUSE(crystals, cases);
    REFUSE(least, of_none);
    remove_crystals();
}

static void bad_options_are_named(void **state)
{
    (void)state;
    static const struct {
        option given;
        const char *message;
    } cases[] = {
        {{"tolerance", "1"}, "--tolerance = 1: need 1e-12 <= tolerance <= 0.1"},
        {{"factor", "1e10"}, "--factor = 1e10: need -1e9 <= factor <= 1e9"},
        {{"factor", "x"}, "--factor = x: need a number"},
        {{"cells", "4x0x2"}, "--cells = 0: need 1 <= cells <= 1e5"},
        {{"cells", "4"}, "--cells has 1 entries: need at least 2"},
        {{"cells", "4x4x4x4"}, "--cells has 4 entries: need at most 3"},
        {{"output", ""}, "--output = '': need a text"},
        {{"device", "abacus"}, "--device = abacus: need one of auto, cpu, cuda"},
        {{"operator", "matrix"}, "--operator = matrix: need one of points"},
        {{"storage", "none"}, "--storage = none: need one of own"},
        {{"scatter", "random"}, "--scatter = random: need one of colours, atomics"},
        {{"preconditioner", "ilu"},
         "--preconditioner = ilu: need one of jacobi, block_jacobi, multigrid, amg, none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_fem_job *job;
        assert_int_equal(read_job(full, NULL, NULL, 1, &cases[i].given, &job), SW_ERR_INPUT);
        assert_null(job);
        assert_message_has(cases[i].message);
    }
    static const option factor[] = {{"factor", "2"}}, both[] = {{"resume", ""}, {"restart", "x.h5"}};
    sw_fem_job *job;
    assert_int_equal(read_job(least, NULL, NULL, 1, factor, &job), SW_ERR_INPUT);
    assert_message_has("--factor = 2: the file has no steps");
    assert_int_equal(read_job(full, NULL, NULL, 2, both, &job), SW_ERR_INPUT);
    assert_message_has("--restart beside --resume");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(entries_with_the_same_factors_share_a_case),
        cmocka_unit_test(pressures_follow_at_finite_strains),
        cmocka_unit_test(tools_are_read),
        cmocka_unit_test(upsetting_is_a_short_form),
        cmocka_unit_test(absent_keys_have_their_defaults),
        cmocka_unit_test(plane_bodies_have_a_thickness),
        cmocka_unit_test(heat_has_its_own_keys),
        cmocka_unit_test(mean_dilatation_is_had_where_it_matters),
        cmocka_unit_test(crystals_are_read),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(identity_is_that_of_the_problem),
        cmocka_unit_test(identity_is_that_of_the_tools),
        cmocka_unit_test(bad_jobs_are_refused_with_their_place),
        cmocka_unit_test(bad_plane_and_heat_jobs_are_refused),
        cmocka_unit_test(bad_tools_are_refused),
        cmocka_unit_test(bad_upsettings_are_refused),
        cmocka_unit_test(bad_crystals_are_refused),
        cmocka_unit_test(bad_options_are_named),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
