/* Periodic bodies against one element, laminates whose moduli are known, and themselves, shifted. */
#include "tests/online/fem/meshes.h"

#include "online/fem/backend/backend.h"
#include "online/fem/element/element.h"

static const sw_fem_material soft = {.young = 70e9, .poisson = 0.33, .yield_stress = INFINITY};
static const sw_fem_material hard = {.young = 210e9, .poisson = 0.25, .yield_stress = INFINITY};
static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 400e6, .hardening = SW_FEM_LINEAR, .parameter = {1e9}};

/* ---- A cell: its mean components are prescribed or loaded ---- */

typedef struct {
    fem_body body;
    sw_fem_material material[2];
    uint8_t *phase; /* [E] */
    sw_fem *fem;
    sw_fem_report report;
    double increment;
    sw_fem_mean mean;
} cell;

static void make_cell(cell *c, const int64_t cells[3], sw_fem_kinematics k, sw_fem_strain_measure strain,
                      sw_fem_material a, sw_fem_material b)
{
    sw_fem_mesh *mesh;
    const sw_fem_voxels voxels = {.body = "box",
                                  .size = {0.003, 0.002, cells[2] > 0 ? 0.0025 : 0},
                                  .cells = {cells[0], cells[1], cells[2]}};
    CHECK_OK(sw_fem_voxel_mesh(&voxels, &mesh));
    fem_make(&c->body, mesh, k, k != SW_FEM_PLANE_STRESS, a);
    c->material[0] = a;
    c->material[1] = b;
    c->phase = zeros(mesh->n_elements, 1);
    c->fem = NULL;
    c->increment = 1;
    c->body.problem.n_materials = 2;
    c->body.problem.material = c->material;
    c->body.problem.material_of = c->phase;
    c->body.problem.strain = strain;
    c->body.problem.thickness = 0.5;
    c->body.problem.periodic = 1;
    c->body.options = sw_fem_default_options(&c->body.problem, SW_FEM_DEVICE_CPU);
    c->body.options.tolerance = 1e-12;
    c->body.options.linear_tolerance = 1e-13;
}

/* H_ij at factor 1; NaN: P_ij is stress_ij instead. */
static void drive(cell *c, const double gradient[3][3], const double stress[3][3])
{
    const sw_fem_problem *p = &c->body.problem;
    const double length = sw_fem_mean_length(p), volume = sw_fem_mean_volume(p);
    for (int j = 0; j < c->body.d; j++)
        for (int i = 0; i < c->body.d; i++) {
            const int64_t dof = sw_fem_mean_unknown(p, i, j);
            if (isnan(gradient[i][j]))
                c->body.load[0].force[dof] = stress[i][j] * volume / length;
            else
                fem_fix(&c->body, 0, dof / c->body.c, (int)(dof % c->body.c), gradient[i][j] * length);
        }
}

static void open_cell(cell *c) { CHECK_OK(sw_fem_open(&c->body.problem, &c->body.options, &c->fem)); }

static void load_cell(cell *c, double factor)
{
    const sw_fem_fields out = {.mean = &c->mean};
    CHECK_OK(sw_fem_advance(c->fem, &factor, &c->increment, &c->report));
    CHECK_OK(sw_fem_read(c->fem, &out));
}

static void close_cell(cell *c)
{
    sw_fem_close(c->fem);
    free(c->phase);
    fem_free(&c->body);
}

/* A random cell of two phases, the same for a seed, shifted by so many cells. */
static void mix(cell *c, const int64_t cells[3], const int shift[3])
{
    const int64_t layers = cells[2] > 0 ? cells[2] : 1;
    uint64_t seed = 88172645463325252u;
    for (int64_t i = 0; i < cells[0] * cells[1] * layers; i++) {
        const int64_t x = (i % cells[0] + shift[0]) % cells[0], y = (i / cells[0] + shift[1]) % cells[1],
                      z = (i / cells[0] / cells[1] + shift[2]) % layers;
        c->phase[(z * cells[1] + y) * cells[0] + x] = number(&seed) > 0;
    }
}

static double distance(const double a[3][3], const double b[3][3])
{
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = greatest(most, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
    return most;
}

static double largest(const double a[3][3])
{
    const double none[3][3] = {{0}};
    return distance(a, none);
}

/* ---- Against one element ---- */

/* One element, held by symmetry, pulled along x by `stretch`: axial stress and lateral displacement over its side. */
static void pull_one(sw_fem_kinematics k, double stretch, double *stress, double *side)
{
    fem_body b;
    fem_run r;
    fem_make(&b, fem_grid((int[]){1, 1, k == SW_FEM_SOLID}, 0, NULL, NULL), k, 1, steel);
    b.problem.strain = SW_FEM_FINITE;
    b.options = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    b.options.tolerance = 1e-12;
    fem_fix_set(&b, 0, "x_min", 0, 0);
    fem_fix_set(&b, 0, "y_min", 1, 0);
    if (k == SW_FEM_SOLID)
        fem_fix_set(&b, 0, "z_min", 2, 0);
    fem_fix_set(&b, 0, "x_max", 0, stretch);
    fem_open(&b, &r);
    for (int i = 1; i <= 5; i++)
        fem_load(&b, &r, 0.2 * i);
    *stress = r.stress[0][0];
    *side = r.u[(b.N - 1) * b.c + 1];
    fem_close(&r);
    fem_free(&b);
}

static void test_uniaxial_tension_is_one_elements(void **state)
{
    (void)state;
    const double stretch = 0.1;
    static const struct {
        sw_fem_kinematics k;
        int64_t cells[3];
        sw_fem_preconditioner with;
    } cases[] = {{SW_FEM_SOLID, {4, 4, 4}, SW_FEM_MULTIGRID},
                 {SW_FEM_SOLID, {3, 1, 2}, SW_FEM_BLOCK_JACOBI},
                 {SW_FEM_SOLID, {1, 1, 1}, SW_FEM_BLOCK_JACOBI},
                 {SW_FEM_SOLID, {2, 3, 2}, SW_FEM_JACOBI},
                 {SW_FEM_PLANE_STRAIN, {4, 3, 0}, SW_FEM_BLOCK_JACOBI}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cell c;
        double stress, side;
        pull_one(cases[i].k, stretch, &stress, &side);
        make_cell(&c, cases[i].cells, cases[i].k, SW_FEM_FINITE, steel, steel);
        c.body.options.preconditioner = cases[i].with;
        drive(&c, (const double[3][3]){{stretch, 0, 0}, {0, NAN, 0}, {0, 0, NAN}}, (const double[3][3]){{0}});
        open_cell(&c);
        for (int step = 1; step <= 5; step++)
            load_cell(&c, 0.2 * step);
        print_message("tension %s %s: %.9g MPa, side %.9g; off by %.1e, %.1e; %d CG in the last\n",
                      sw_fem_kinematics_names[cases[i].k], sw_fem_preconditioner_names[cases[i].with],
                      1e-6 * c.mean.cauchy[0][0], c.mean.gradient[1][1] - 1, c.mean.cauchy[0][0] / stress - 1,
                      c.mean.gradient[1][1] - 1 - side, c.report.cg);
        CHECK_CLOSE(c.mean.cauchy[0][0] / stress, 1, 1e-10);
        CHECK_CLOSE(c.mean.gradient[1][1] - 1, side, 1e-11);
        CHECK_CLOSE(c.mean.cauchy[1][1] / stress, 0, 1e-10);
        close_cell(&c);
    }
}

/* To 0.5, with F prescribed; the element has all its nodes prescribed. */
static void test_simple_shear_is_one_elements(void **state)
{
    (void)state;
    const double shear = 0.5;
    fem_body b;
    fem_run r;
    cell c;
    fem_make(&b, fem_grid((int[]){1, 1, 1}, 0, NULL, NULL), SW_FEM_SOLID, 1, steel);
    b.problem.strain = SW_FEM_FINITE;
    b.options = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    b.options.tolerance = 1e-12;
    for (int64_t n = 0; n < b.N; n++)
        for (int i = 0; i < 3; i++)
            fem_fix(&b, 0, n, i, i == 0 ? shear * b.mesh->position[3 * n + 1] : 0);
    fem_open(&b, &r);
    make_cell(&c, (int64_t[]){4, 2, 4}, SW_FEM_SOLID, SW_FEM_FINITE, steel, steel);
    drive(&c, (const double[3][3]){{0, shear, 0}, {0, 0, 0}, {0, 0, 0}}, (const double[3][3]){{0}});
    open_cell(&c);
    for (int step = 1; step <= 10; step++) {
        fem_load(&b, &r, 0.1 * step);
        load_cell(&c, 0.1 * step);
        const double *s = r.stress[0];
        const double one[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
        CHECK_CLOSE(distance(c.mean.cauchy, one) / largest(one), 0, 1e-12);
    }
    CHECK_CLOSE(c.mean.gradient[0][1], shear, 1e-15);
    assert_true(c.mean.cauchy[0][1] > 200e6);
    close_cell(&c);
    fem_close(&r);
    fem_free(&b);
}

/* ---- Laminates ---- */

/* Effective stiffness of layers across z of two isotropic materials, fraction f of the first (Backus 1962). */
static void laminate(const sw_fem_material m[2], double f, double h[3][3], double stress[3][3])
{
    double over_p = 0, over_s = 0, shear = 0, ratio = 0, plane = 0, cross = 0;
    for (int i = 0; i < 2; i++) {
        const double part = i == 0 ? f : 1 - f, mu = sw_fem_shear(&m[i]);
        const double lambda = sw_fem_bulk(&m[i]) - 2 * mu / 3, p = lambda + 2 * mu;
        over_p += part / p;
        over_s += part / mu;
        shear += part * mu;
        ratio += part * lambda / p;
        plane += part * 4 * mu * (lambda + mu) / p;
        cross += part * 2 * lambda * mu / p;
    }
    const double c33 = 1 / over_p, c13 = ratio * c33, c11 = plane + ratio * c13, c12 = cross + ratio * c13;
    stress[0][0] = c11 * h[0][0] + c12 * h[1][1] + c13 * h[2][2];
    stress[1][1] = c12 * h[0][0] + c11 * h[1][1] + c13 * h[2][2];
    stress[2][2] = c13 * (h[0][0] + h[1][1]) + c33 * h[2][2];
    stress[0][1] = stress[1][0] = shear * (h[0][1] + h[1][0]);
    stress[0][2] = stress[2][0] = (h[0][2] + h[2][0]) / over_s;
    stress[1][2] = stress[2][1] = (h[1][2] + h[2][1]) / over_s;
}

/* Layers of 1 and 3 of 4 cells. At small strains the answer is exact; and given as stress it gives the strain back. */
static void test_laminates(void **state)
{
    (void)state;
    double h[3][3] = {{1e-3, 4e-4, -3e-4}, {2e-4, -5e-4, 7e-4}, {1e-4, -2e-4, 6e-4}}, exact[3][3];
    const sw_fem_material both[2] = {soft, hard};
    laminate(both, 0.25, h, exact);
    for (int with = 0; with < 2; with++) {
        cell c;
        make_cell(&c, (int64_t[]){2, 2, 4}, SW_FEM_SOLID, SW_FEM_SMALL, soft, hard);
        c.body.options.preconditioner = with ? SW_FEM_MULTIGRID : SW_FEM_BLOCK_JACOBI;
        for (int64_t e = 0; e < c.body.E; e++)
            c.phase[e] = e >= 4;
        drive(&c, h, (const double[3][3]){{0}});
        open_cell(&c);
        load_cell(&c, 1);
        print_message("laminate: stresses off by %.1e of the largest\n",
                      distance(c.mean.nominal, exact) / largest(exact));
        CHECK_CLOSE(distance(c.mean.nominal, exact) / largest(exact), 0, 1e-11);
        close_cell(&c);
        make_cell(&c, (int64_t[]){2, 2, 4}, SW_FEM_SOLID, SW_FEM_SMALL, soft, hard);
        for (int64_t e = 0; e < c.body.E; e++)
            c.phase[e] = e >= 4;
        drive(&c, (const double[3][3]){{NAN, NAN, NAN}, {h[1][0], NAN, NAN}, {h[2][0], h[2][1], NAN}},
              (const double(*)[3])exact);
        open_cell(&c);
        load_cell(&c, 1);
        for (int i = 0; i < 9; i++)
            CHECK_CLOSE(c.mean.gradient[i / 3][i % 3] - (i % 4 == 0), h[i / 3][i % 3], 1e-13);
        close_cell(&c);
    }
}

/* ---- Two phases at random ---- */

/* Yielding at finite strains: the mean stress does not know where the cell begins, whatever solves. */
static void test_shifted_cells_are_the_same(void **state)
{
    (void)state;
    static const struct {
        int64_t cells[3];
        sw_fem_kinematics k;
        sw_fem_preconditioner with;
        sw_fem_linear_solver linear;
        int shift[3];
    } cases[] = {{{8, 6, 5}, SW_FEM_SOLID, SW_FEM_BLOCK_JACOBI, SW_FEM_SOLVE_CG, {0, 0, 0}},
                 {{8, 6, 5}, SW_FEM_SOLID, SW_FEM_MULTIGRID, SW_FEM_SOLVE_CG, {2, 4, 1}},
                 {{8, 6, 5}, SW_FEM_SOLID, SW_FEM_JACOBI, SW_FEM_SOLVE_BICGSTAB, {5, 1, 3}},
                 {{8, 6, 5}, SW_FEM_SOLID, SW_FEM_MULTIGRID, SW_FEM_SOLVE_GMRES, {1, 2, 2}},
                 {{7, 6, 0}, SW_FEM_PLANE_STRAIN, SW_FEM_BLOCK_JACOBI, SW_FEM_SOLVE_CG, {0, 0, 0}},
                 {{7, 6, 0}, SW_FEM_PLANE_STRAIN, SW_FEM_BLOCK_JACOBI, SW_FEM_SOLVE_AUTO, {3, 5, 0}}};
    double first[3][3] = {{0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cell c;
        make_cell(&c, cases[i].cells, cases[i].k, SW_FEM_FINITE, steel, hard);
        c.body.options.preconditioner = cases[i].with;
        c.body.options.linear = cases[i].linear;
        c.body.options.tolerance = 1e-11;
        mix(&c, cases[i].cells, cases[i].shift);
        drive(&c, (const double[3][3]){{0.02, 0.01, 0}, {0, NAN, NAN}, {0, 0, NAN}},
              (const double[3][3]){{0, 0, 0}, {0, 50e6, 0}, {0, 0, -100e6}});
        open_cell(&c);
        load_cell(&c, 0.5);
        load_cell(&c, 1);
        assert_true(c.report.plastic_elements > c.body.E / 4);
        if (cases[i].shift[1] == 0)
            memcpy(first, c.mean.nominal, sizeof first);
        print_message("two phases, %s, %s: off by %.1e; %d Newton, %d CG\n",
                      sw_fem_preconditioner_names[cases[i].with], sw_fem_linear_names[cases[i].linear],
                      distance(c.mean.nominal, first) / largest(first), c.report.newton, c.report.cg);
        /* Newton ends at 1e-11 of the forces; softer by flow than by elasticity, strains are some 100 times less sure. */
        CHECK_CLOSE(distance(c.mean.nominal, first) / largest(first), 0, 1e-9);
        CHECK_CLOSE(c.mean.nominal[1][1] / 50e6, 1, 1e-8);
        close_cell(&c);
    }
}

/* Deformed volume of an element whose nodes are at their positions and u: eight points. */
static double volume_of(const fem_body *b, int64_t e, const double *u)
{
    double sum = 0, x[3][8], at[8];
    for (int j = 0; j < 3; j++) {
        for (int a = 0; a < 8; a++) {
            const int64_t dof = 3 * (int64_t)b->mesh->node[8 * e + a] + j;
            at[a] = b->mesh->position[dof] + u[dof];
        }
        sw_fem_coefficients(3, at, x[j]);
    }
    for (int q = 0; q < 8; q++) {
        sw_fem_place place;
        sw_fem_locate(SW_FEM_SOLID, q, (const double(*)[8])x, 1, &place);
        sum += place.volume;
    }
    return sum;
}

/* The mean over the deformed cell of its elements' Cauchy stresses is P F' / det F; the work of the mean stress on the
 * mean deformation is what the cell took up (Hill), told by a last step so small that both are the mean of its ends;
 * opposite faces stay alike. */
static void test_means_are_those_of_the_elements(void **state)
{
    (void)state;
    const int64_t cells[3] = {4, 4, 4};
    const int shift[3] = {0};
    cell c;
    make_cell(&c, cells, SW_FEM_SOLID, SW_FEM_FINITE, steel, hard);
    mix(&c, cells, shift);
    drive(&c, (const double[3][3]){{0.03, 0.02, 0}, {0, NAN, 0.01}, {0, 0, NAN}}, (const double[3][3]){{0}});
    open_cell(&c);
    double work = 0, error = 0;
    sw_fem_mean before = {.gradient = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double until = 0;
    for (int step = 1; step <= 5; step++) {
        load_cell(&c, step < 5 ? 0.25 * step : 1.001);
        until = step < 5 ? c.report.external_work : until;
        for (int i = 0; i < 3 && step == 5; i++)
            for (int j = 0; j < 3; j++)
                work += 0.5 * (before.nominal[i][j] + c.mean.nominal[i][j]) *
                        (c.mean.gradient[i][j] - before.gradient[i][j]);
        assert_int_equal(c.report.substeps, 1);
        before = c.mean;
    }
    const double volume = sw_fem_mean_volume(&c.body.problem);
    const double took_up = c.report.external_work - until;
    print_message("Hill: work off by %.1e\n", work * volume / took_up - 1);
    CHECK_CLOSE(work * volume, took_up, 1e-10 * c.report.external_work);
    assert_true(took_up > 1e-4 * c.report.external_work);
    double *u = zeros(sw_fem_count_unknowns(&c.body.problem), sizeof *u);
    double(*stress)[6] = zeros(c.body.E, sizeof *stress);
    const sw_fem_fields out = {.displacement = u, .stress = stress};
    CHECK_OK(sw_fem_read(c.fem, &out));
    double sum[6] = {0}, whole = 0;
    for (int64_t e = 0; e < c.body.E; e++) {
        const double v = volume_of(&c.body, e, u);
        whole += v;
        for (int i = 0; i < 6; i++)
            sum[i] += v * stress[e][i];
    }
    static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    for (int i = 0; i < 6; i++) {
        error = greatest(error, fabs(sum[i] / whole - c.mean.cauchy[at[i][0]][at[i][1]]));
        error = greatest(error, fabs(sum[i] / whole - c.mean.cauchy[at[i][1]][at[i][0]]));
    }
    print_message("means: off by %.1e\n", error / largest((const double(*)[3])c.mean.cauchy));
    CHECK_CLOSE(error / largest((const double(*)[3])c.mean.cauchy), 0, 1e-10);
    for (int64_t n = 0; n < c.body.N; n++) /* across x */
        for (int i = 0; i < 3 && n % 5 == 4; i++)
            CHECK_CLOSE(u[3 * n + i] - u[3 * (n - 4) + i], 0.003 * (c.mean.gradient[i][0] - (i == 0)), 1e-15);
    for (int i = 0; i < 3; i++)
        assert_true(u[i] == 0);
    free(u);
    free(stress);
    close_cell(&c);
}

/* ---- States, bad input ---- */

static void test_restored_cells_go_on_with_the_same_bits(void **state)
{
    (void)state;
    const int64_t cells[3] = {4, 2, 3};
    const int shift[3] = {0};
    cell c[2];
    for (int i = 0; i < 2; i++) {
        make_cell(&c[i], cells, SW_FEM_SOLID, SW_FEM_FINITE, steel, hard);
        mix(&c[i], cells, shift);
        drive(&c[i], (const double[3][3]){{0.02, 0, 0}, {0, NAN, 0}, {0, 0, NAN}}, (const double[3][3]){{0}});
        open_cell(&c[i]);
    }
    sw_fem_state kept = fem_new_state(&c[0].body);
    load_cell(&c[0], 0.5);
    CHECK_OK(sw_fem_save(c[0].fem, &kept));
    load_cell(&c[0], 1);
    CHECK_OK(sw_fem_restore(c[1].fem, &kept));
    c[1].increment = 1;
    load_cell(&c[1], 1);
    assert_memory_equal(&c[0].mean, &c[1].mean, sizeof c[0].mean);
    fem_free_state(&kept);
    close_cell(&c[0]);
    close_cell(&c[1]);
}

static void refuse(cell *c, const char *text)
{
    sw_fem *fem = NULL;
    const sw_status status = sw_fem_open(&c->body.problem, &c->body.options, &fem);
    assert_true(status == SW_ERR_RANGE || status == SW_ERR_UNAVAILABLE);
    assert_null(fem);
    if (!strstr(sw_error_message(), text))
        fail_msg("%s: has no '%s'", sw_error_message(), text);
}

static void test_what_periodic_bodies_are_not(void **state)
{
    (void)state;
    const double given[3][3] = {{0.01, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    cell c;
    make_cell(&c, (int64_t[]){2, 2, 2}, SW_FEM_SOLID, SW_FEM_SMALL, soft, hard);
    refuse(&c, "can still turn: mean_gradient[0][1] and [1][0]");
    drive(&c, given, given);
    c.body.options.preconditioner = SW_FEM_AMG;
    refuse(&c, "preconditioner amg: not of a periodic body");
    c.body.options.preconditioner = SW_FEM_BLOCK_JACOBI;
    c.body.options.linear = SW_FEM_SOLVE_DIRECT;
    refuse(&c, "linear direct: ");
    c.body.options.linear = SW_FEM_SOLVE_AUTO;
    c.body.load[0].force[7] = 1;
    refuse(&c, "unknown 7 of a periodic body has a force");
    c.body.load[0].force[7] = 0;
    fem_fix(&c.body, 0, 1, 2, 0);
    refuse(&c, "unknown 5 of a periodic body is prescribed");
    close_cell(&c);
    make_cell(&c, (int64_t[]){7, 7, 10}, SW_FEM_SOLID, SW_FEM_FINITE, soft, hard);
    assert_int_equal(c.body.options.preconditioner, SW_FEM_BLOCK_JACOBI);
    c.body.options.preconditioner = SW_FEM_MULTIGRID;
    drive(&c, given, given);
    refuse(&c, "with 7 x 7 x 10 cells, which halve to more than 125");
    close_cell(&c);
    make_cell(&c, (int64_t[]){2, 2, 0}, SW_FEM_HEAT, SW_FEM_SMALL, soft, hard);
    c.body.problem.b_bar = SW_FEM_B_BAR_NO;
    refuse(&c, "not heat");
    c.body.problem.kinematics = SW_FEM_AXISYMMETRIC;
    double *const forces = c.body.load[0].force; /* one a node, where two are asked for */
    c.body.load[0].force = NULL;
    refuse(&c, "not axisymmetric");
    c.body.load[0].force = forces;
    close_cell(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniaxial_tension_is_one_elements),
        cmocka_unit_test(test_simple_shear_is_one_elements),
        cmocka_unit_test(test_laminates),
        cmocka_unit_test(test_shifted_cells_are_the_same),
        cmocka_unit_test(test_means_are_those_of_the_elements),
        cmocka_unit_test(test_restored_cells_go_on_with_the_same_bits),
        cmocka_unit_test(test_what_periodic_bodies_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
