/* Job files of `slipwave fem`: what they say, and the problem they make. */
#include "texts.h"

enum { NODES = 3 * (5 * 3 + 3 * 2), INCREMENTS = 5, CASES = 3 };

/* ---- The folder ---- */

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
    assert_string_equal(sw_fem_job_identity(job), sw_fem_job_identity(other));
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

/* auto takes factors in the place of none that was asked for. */
static void preconditioners_are_had(void **state)
{
    static const option asked[] = {{"preconditioner", "multigrid"}};
    (void)state;
    sw_fem_job *job = read_good(least, NULL, NULL, NO_OPTIONS);
    assert_false(job->options.iterative);
    sw_fem_job_free(job);
    job = read_good(least, NULL, NULL, 1, asked);
    assert_true(job->options.iterative && job->options.preconditioner == SW_FEM_MULTIGRID);
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
        if ((strcmp(sw_fem_job_identity(job), sw_fem_job_identity(other)) == 0) != edits[i].same)
            fail_msg("'%s' for '%s': %s and %s", edits[i].new, edits[i].old, sw_fem_job_identity(job),
                     sw_fem_job_identity(other));
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
        if ((strcmp(sw_fem_job_identity(job), sw_fem_job_identity(other)) == 0) != edits[i].same)
            fail_msg("'%s' for '%s': %s and %s", edits[i].new, edits[i].old, sw_fem_job_identity(job),
                     sw_fem_job_identity(other));
        sw_fem_job_free(other);
    }
    sw_fem_job_free(job);
}

/* ---- Units ---- */

static char warned[512];

static void hear(void *context, sw_notice notice, const char *message)
{
    (void)context;
    if (notice == SW_WARNING)
        snprintf(warned, sizeof warned, "%s", message);
}

/* A square of 20 by 10 mm in millimetres, and a stiffness that may be in MPa. */
static void files_have_units_of_their_own(void **state)
{
    (void)state;
    static const char mesh[] = "*NODE\n1,0,0\n2,20,0\n3,20,10\n4,0,10\n*ELEMENT,TYPE=CPE4\n1,1,2,3,4\n"
                               "*NSET,NSET=low\n1,2\n";
    static const char job_of_mesh[] = "mesh: {file: plate.inp, scale: 1.0e-3, origin: [1.0, 0]}\n"
                                      "kinematics: plane_strain\n"
                                      "materials: [{young: 2.1e11, poisson: 0.3}]\n"
                                      "boundary: [{nodes: low, x: 0, y: 1.0e-6}]\n"
                                      "output: {file: out.h5}\n";
    char file[sizeof folder + 16];
    snprintf(file, sizeof file, "%s/plate.inp", folder);
    write_text(file, mesh);
    const sw_ear before = sw_present_ear();
    sw_listen(hear, NULL);
    warned[0] = '\0';
    sw_fem_job *job = read_good(job_of_mesh, NULL, NULL, NO_OPTIONS);
    CHECK_CLOSE(job->mesh->position[2 * 2], 1.02, 1e-15);
    CHECK_CLOSE(job->mesh->position[2 * 2 + 1], 0.01, 1e-17);
    sw_fem_job_free(job);
    assert_string_equal(warned, "");
    job = read_good(job_of_mesh, "2.1e11", "2.1e5", NO_OPTIONS);
    sw_fem_job_free(job);
    assert_non_null(strstr(warned, "materials[0].young = 210000 Pa is that of a gel: is it in MPa?"));
    job = read_good(job_of_mesh, "young: 2.1e11", "yield_stress: 4.5e8, young: 2.1e8", NO_OPTIONS);
    sw_fem_job_free(job);
    assert_non_null(strstr(warned, "the yield stress, 4.5e+08 Pa, is over half of young, 2.1e+08 Pa"));
    sw_listen(before.listener, before.context);
    assert_int_equal(remove(file), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_have_units_of_their_own),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(entries_with_the_same_factors_share_a_case),
        cmocka_unit_test(pressures_follow_at_finite_strains),
        cmocka_unit_test(tools_are_read),
        cmocka_unit_test(upsetting_is_a_short_form),
        cmocka_unit_test(absent_keys_have_their_defaults),
        cmocka_unit_test(preconditioners_are_had),
        cmocka_unit_test(plane_bodies_have_a_thickness),
        cmocka_unit_test(heat_has_its_own_keys),
        cmocka_unit_test(mean_dilatation_is_had_where_it_matters),
        cmocka_unit_test(crystals_are_read),
        cmocka_unit_test(options_replace_the_file),
        cmocka_unit_test(identity_is_that_of_the_problem),
        cmocka_unit_test(identity_is_that_of_the_tools),
    };
    return cmocka_run_group_tests(tests, make_job_folder, remove_job_folder);
}
