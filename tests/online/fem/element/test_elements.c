/* Elements on distorted meshes: patch tests, rigid motions, ranks, equivalent nodal forces; and what an
 * analysis refuses to be opened with. */
#include "tests/online/fem/meshes.h"

#include <omp.h>

#include "online/fem/element/element_matrix.h"
#include "online/fem/law/point.h"

static const sw_fem_material steel = {
    .young = 200e9, .poisson = 0.3, .yield_stress = 250e6, .hardening = SW_FEM_LINEAR, .parameter = {20e9}};

/* Every element there is. */
static const struct {
    sw_fem_kinematics kinematics;
    int b_bar, rank; /* of an element's matrix: all unknowns but the rigid motions */
} kinds[] = {
    {SW_FEM_SOLID, 0, 18},       {SW_FEM_SOLID, 1, 18},       {SW_FEM_PLANE_STRESS, 0, 5},
    {SW_FEM_PLANE_STRAIN, 0, 5}, {SW_FEM_PLANE_STRAIN, 1, 5}, {SW_FEM_AXISYMMETRIC, 0, 7},
    {SW_FEM_AXISYMMETRIC, 1, 7}, {SW_FEM_HEAT, 0, 3},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

/* A skew box, away from the axis. */
static void skew(const void *context, const double at[3], double position[3])
{
    (void)context;
    position[0] = 0.5 + 1.1 * at[0] + 0.2 * at[1] + 0.1 * at[2];
    position[1] = -0.3 + 0.15 * at[0] + 0.9 * at[1] - 0.1 * at[2] + 0.1 * at[0] * at[1];
    position[2] = 0.1 * at[0] + 0.05 * at[1] + 0.8 * at[2];
}

static void make_kind(fem_body *b, int i, double distort)
{
    const int solid = kinds[i].kinematics == SW_FEM_SOLID,
              cells[3] = {solid ? 3 : 5, solid ? 3 : 4, solid ? 3 : 0};
    fem_make(b, fem_grid(cells, distort, skew, NULL), kinds[i].kinematics, kinds[i].b_bar, steel);
    if (kinds[i].kinematics == SW_FEM_HEAT)
        b->material = (sw_fem_material){.young = 45};
    b->problem.thickness = 0.02;
}

/* u = gradient x + shift; axisymmetric: the radial part must be a multiple of the radius. */
static void linear_field(const fem_body *b, double gradient[3][3], const double shift[3], const double *x,
                         double *u)
{
    if (b->problem.kinematics == SW_FEM_AXISYMMETRIC) {
        u[0] = gradient[0][0] * x[0];
        u[1] = gradient[1][1] * x[1] + shift[1];
        return;
    }
    for (int i = 0; i < b->c; i++) {
        u[i] = shift[i];
        for (int j = 0; j < b->d; j++)
            u[i] += gradient[i][j] * x[j];
    }
}

/* Prescribe a linear field on the boundary, inner nodes free. */
static void prescribe_linear(fem_body *b, double gradient[3][3], const double shift[3])
{
    static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    for (int side = 0; side < 2 * b->d; side++) {
        const sw_fem_set *set = fem_nodes(b, sides[side]);
        for (int64_t i = 0; i < set->n; i++) {
            double u[3];
            linear_field(b, gradient, shift, b->mesh->position + (int64_t)set->member[i] * b->d, u);
            for (int j = 0; j < b->c; j++)
                fem_fix(b, 0, set->member[i], j, u[j]);
        }
    }
}

/* The analysis finds the linear field at inner nodes, and everywhere the stress that the law gives its
 * strain: elastic, and yielding. Newton ends at 1e-12 of the forces; displacements follow to that times the
 * condition of a few elements (some 100). */
static void test_patches(void **state)
{
    (void)state;
    double gradient[3][3] = {{1.0, 0.4, -0.2}, {0.3, -0.7, 0.5}, {0.1, 0.2, 0.6}};
    const double shift[3] = {0.5e-3, -0.3e-3, 0.2e-3};
    for (int i = 0; i < N_KINDS; i++)
        for (int plastic = 0; plastic < 2; plastic++) {
            fem_body b;
            fem_run r;
            double scaled[3][3], strain[6] = {0}, expected[6], largest = 0, off_u = 0, off_s = 0;
            sw_fem_point virgin = {.equivalent = 0}, point;
            if (plastic && kinds[i].kinematics == SW_FEM_HEAT)
                continue;
            for (int j = 0; j < 9; j++)
                scaled[j / 3][j % 3] = (plastic ? 5e-3 : 5e-4) * gradient[j / 3][j % 3];
            make_kind(&b, i, 0.25);
            prescribe_linear(&b, scaled, shift);
            fem_open(&b, &r);
            fem_load(&b, &r, 1);
            assert_int_equal(r.report.substeps, 1);
            for (int64_t n = 0; n < b.N; n++) {
                double u[3];
                linear_field(&b, scaled, shift, b.mesh->position + n * b.d, u);
                for (int j = 0; j < b.c; j++) {
                    off_u = greatest(off_u, fabs(r.u[n * b.c + j] - u[j]));
                    largest = greatest(largest, fabs(u[j]));
                }
            }
            strain[0] = scaled[0][0];
            strain[1] = scaled[1][1];
            strain[5] = scaled[0][1] + scaled[1][0];
            if (b.d == 3) {
                strain[2] = scaled[2][2];
                strain[3] = scaled[1][2] + scaled[2][1];
                strain[4] = scaled[0][2] + scaled[2][0];
            } else if (kinds[i].kinematics == SW_FEM_AXISYMMETRIC) {
                strain[2] = scaled[0][0];
                strain[5] = 0;
            } else if (kinds[i].kinematics == SW_FEM_HEAT) {
                strain[1] = scaled[0][1];
                strain[5] = 0;
            }
            const int yields =
                sw_fem_stress_at(kinds[i].kinematics, &b.material, strain, &virgin, expected, &point, NULL);
            assert_int_equal(yields, plastic);
            assert_int_equal(r.report.plastic_points, plastic ? b.E * b.V : 0);
            for (int64_t q = 0; q < b.E * b.V; q++) {
                for (int j = 0; j < 6; j++)
                    off_s = greatest(off_s, fabs(r.point_stress[q][j] - expected[j]));
                CHECK_CLOSE(r.point_plastic_strain[q], point.equivalent, 1e-10 * fabs(scaled[0][0]));
            }
            print_message("%s%s, %s: displacement off by %.1e, stress by %.1e of E x strain\n",
                          sw_fem_kinematics_names[kinds[i].kinematics], kinds[i].b_bar ? ", b_bar" : "",
                          plastic ? "plastic" : "elastic", off_u / largest,
                          off_s / (b.material.young * fabs(scaled[0][0])));
            CHECK_CLOSE(off_u, 0, 1e-10 * largest);
            CHECK_CLOSE(off_s, 0, 1e-10 * b.material.young * fabs(scaled[0][0]));
            fem_close(&r);
            fem_free(&b);
        }
}

/* The same constant stress from tractions on the boundary: loads and elements fit each other. Axisymmetric: a
 * ring pulled along and pressed from inside and outside alike. */
static void test_patches_under_traction(void **state)
{
    (void)state;
    static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    for (int i = 0; i < N_KINDS; i++) {
        if (kinds[i].kinematics == SW_FEM_HEAT)
            continue;
        fem_body b;
        fem_run r;
        make_kind(&b, i, 0.25);
        /* Pressure on all sides: stress -p I in the plane. A box's corner, or the ring's bottom, is held. */
        const double p = 10e6;
        for (int side = 0; side < 2 * b.d; side++)
            CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, sides[side]), p, b.load[0].force));
        if (b.d == 3) {
            /* Six unknowns of three nodes that carry no force: 3 at the first, 2 and 1 of its neighbours,
             * none of which moves under a uniform strain but along their edges. */
            const double *x = b.mesh->position, k = -p * (1 - 2 * steel.poisson) / steel.young;
            const int64_t node[3] = {0, 3, 12}; /* corners of the first edge, and of the first face */
            for (int n = 0; n < 3; n++)
                for (int j = 0; j < 3 - n; j++) {
                    const int component = n == 0 ? j : n == 1 ? 1 + j : 2;
                    fem_fix(&b, 0, node[n], component, k * (x[3 * node[n] + component] - x[component]));
                }
        } else if (kinds[i].kinematics == SW_FEM_AXISYMMETRIC) {
            fem_fix(&b, 0, 0, 1, 0);
        } else {
            fem_fix(&b, 0, 0, 0, 0);
            fem_fix(&b, 0, 0, 1, 0);
            const double *x = b.mesh->position;
            const double k =
                -p / steel.young *
                (kinds[i].kinematics == SW_FEM_PLANE_STRESS ? 1 - steel.poisson
                                                            : (1 + steel.poisson) * (1 - 2 * steel.poisson));
            fem_fix(&b, 0, 5, 1, k * (x[2 * 5 + 1] - x[1]));
        }
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        const double through = kinds[i].kinematics == SW_FEM_PLANE_STRESS   ? 0
                               : kinds[i].kinematics == SW_FEM_PLANE_STRAIN ? -2 * steel.poisson * p
                                                                            : -p;
        for (int64_t q = 0; q < b.E * b.V; q++) {
            const double expected[6] = {-p, -p, through};
            for (int j = 0; j < 6; j++)
                CHECK_CLOSE(r.point_stress[q][j], expected[j], 1e-9 * p);
        }
        fem_close(&r);
        fem_free(&b);
    }
}

/* Rigid motions leave no stress; heat: one temperature no flux. There are no forces to measure Newton's
 * residual by. Held on the boundary, then held again; with the tolerances of everyday and of these tests. */
static void test_rigid_motions(void **state)
{
    (void)state;
    double turn[3][3] = {{0, -1e-3, 2e-3}, {1e-3, 0, -3e-3}, {-2e-3, 3e-3, 0}}, none[3][3] = {{0}};
    const double shift[3] = {0.1, -0.2, 0.3};
    for (int i = 0; i < 2 * N_KINDS; i++) {
        const int heat = kinds[i / 2].kinematics == SW_FEM_HEAT;
        fem_body b;
        fem_run r;
        make_kind(&b, i / 2, 0.25);
        if (i % 2) {
            b.options.tolerance = 1e-6;
            b.options.linear_tolerance = 1e-7;
        }
        if (heat || kinds[i / 2].kinematics == SW_FEM_AXISYMMETRIC)
            prescribe_linear(&b, none, shift);
        else
            prescribe_linear(&b, turn, shift);
        fem_open(&b, &r);
        for (int step = 0; step < 3; step++) {
            fem_load(&b, &r, step == 0 ? 0.5 : 1);
            assert_int_equal(r.report.substeps, 1);
            /* Inner nodes are off by the residual, 1e-14 of the boundary's forces times the condition, some
             * 100. */
            for (int64_t q = 0; q < b.E * b.V; q++)
                for (int j = 0; j < 6; j++)
                    CHECK_CLOSE(r.point_stress[q][j], 0, 1e-11 * b.material.young);
        }
        fem_close(&r);
        fem_free(&b);
    }
}

/* Rank of a symmetric semi-definite matrix by elimination with diagonal pivots; -1: not semi-definite. */
static int rank_of(int n, double *matrix)
{
    double first = 0;
    int used[24] = {0};
    for (int i = 0; i < n; i++)
        first = greatest(first, matrix[i * n + i]);
    for (int rank = 0; rank < n; rank++) {
        int pivot = -1;
        for (int i = 0; i < n; i++) {
            if (!used[i] && matrix[i * n + i] < -1e-10 * first)
                return -1;
            if (!used[i] && (pivot < 0 || matrix[i * n + i] > matrix[pivot * n + pivot]))
                pivot = i;
        }
        if (matrix[pivot * n + pivot] <= 1e-10 * first)
            return rank;
        used[pivot] = 1;
        for (int i = 0; i < n; i++) {
            if (used[i])
                continue;
            const double part = matrix[i * n + pivot] / matrix[pivot * n + pivot];
            for (int j = 0; j < n; j++)
                matrix[i * n + j] -= part * matrix[pivot * n + j];
        }
    }
    return n;
}

/* The product of one element with unit vectors. */
SW_FEM_INLINE void element_matrix(sw_fem_kinematics k, const fem_body *b, int64_t e,
                                  const sw_fem_tangent *tangent, double *matrix)
{
    const int W = b->V * b->c;
    sw_fem_stiffness stiffness[8];
    double x[3][8], u[3][8], f[3][8], at[8];
    for (int q = 0; q < b->V; q++) {
        sw_fem_moduli(k, &b->material, &stiffness[q].bulk, &stiffness[q].shear);
        stiffness[q].ratio = tangent[q].ratio;
        memcpy(stiffness[q].flow, tangent[q].flow, sizeof tangent[q].flow);
    }
    for (int j = 0; j < b->d; j++) {
        for (int a = 0; a < b->V; a++)
            at[a] = b->mesh->position[(int64_t)b->mesh->node[e * b->V + a] * b->d + j];
        sw_fem_coefficients(b->d, at, x[j]);
    }
    for (int column = 0; column < W; column++) {
        for (int i = 0; i < b->c; i++) {
            for (int a = 0; a < b->V; a++)
                at[a] = a * b->c + i == column;
            sw_fem_coefficients(b->d, at, u[i]);
        }
        sw_fem_element_product(k, b->problem.b_bar, b->problem.thickness, (const double(*)[8])x,
                               (const double(*)[8])u, stiffness, 0, f);
        for (int i = 0; i < b->c; i++) {
            sw_fem_coefficients_back(b->d, f[i], at);
            for (int a = 0; a < b->V; a++)
                matrix[(a * b->c + i) * W + column] = at[a];
        }
    }
}

/* Matrices under elastic and consistent plastic tangents: symmetric, positive but for the rigid motions. No
 * other motion is free, with B-bar either. */
static void test_matrices_have_full_rank(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int i = 0; i < N_KINDS; i++) {
        fem_body b;
        make_kind(&b, i, 0.25);
        const int W = b.V * b.c;
        for (int64_t e = 0; e < b.E; e++)
            for (int plastic = 0; plastic < 2; plastic++) {
                double matrix[24 * 24], largest = 0;
                sw_fem_tangent tangent[8];
                for (int q = 0; q < b.V; q++) {
                    const sw_fem_point virgin = {.equivalent = 0};
                    double strain[6] = {0}, stress[6];
                    for (int j = 0; j < 6; j++)
                        if (b.d == 3 || j < 2 || j == 5)
                            strain[j] = plastic ? 5e-3 * number(&seed) : 0;
                    sw_fem_stress_at(kinds[i].kinematics, &b.material, strain, &virgin, stress, NULL,
                                     &tangent[q]);
                }
                SW_FEM_WITH(kinds[i].kinematics, element_matrix, &b, e, tangent, matrix);
                for (int j = 0; j < W * W; j++)
                    largest = greatest(largest, fabs(matrix[j]));
                for (int r = 0; r < W; r++)
                    for (int s = 0; s < r; s++)
                        CHECK_CLOSE(matrix[r * W + s], matrix[s * W + r], 1e-14 * largest);
                assert_int_equal(rank_of(W, matrix), kinds[i].rank);
            }
        fem_free(&b);
    }
}

/* ---- Equivalent nodal forces ---- */

static void sum_forces(const fem_body *b, const double *force, double sum[3], double moment[3])
{
    for (int i = 0; i < 3; i++)
        sum[i] = moment[i] = 0;
    for (int64_t n = 0; n < b->N; n++) {
        double x[3] = {0}, f[3] = {0};
        memcpy(x, b->mesh->position + n * b->d, (size_t)b->d * sizeof *x);
        memcpy(f, force + n * b->c, (size_t)b->c * sizeof *f);
        for (int i = 0; i < 3; i++) {
            sum[i] += f[i];
            moment[i] += x[(i + 1) % 3] * f[(i + 2) % 3] - x[(i + 2) % 3] * f[(i + 1) % 3];
        }
    }
}

/* Volume and first moments of volume, by the element's own points. */
static void volume_of(const fem_body *b, double *volume, double centre[3])
{
    *volume = centre[0] = centre[1] = centre[2] = 0;
    for (int64_t e = 0; e < b->E; e++)
        for (int q = 0; q < b->V; q++) {
            double x[3];
            const double v = fem_at_point(b, e, q, NULL, 0, x, NULL);
            *volume += v;
            for (int i = 0; i < 3; i++)
                centre[i] += v * x[i];
        }
    for (int i = 0; i < 3; i++)
        centre[i] /= *volume;
}

/* A quarter of a ring of radii 1 and 2, as tall as 0.5. */
static void quarter(const void *context, const double at[3], double position[3])
{
    const double r = 1 + at[0];
    (void)context;
    position[0] = r * cos(at[1] * PI / 2);
    position[1] = r * sin(at[1] * PI / 2);
    position[2] = 0.5 * at[2];
}

static void test_nodal_forces(void **state)
{
    (void)state;
    static const char *const sides[] = {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"};
    for (int i = 0; i < N_KINDS; i++) {
        const sw_fem_kinematics k = kinds[i].kinematics;
        fem_body b;
        double sum[3], moment[3], volume, centre[3];
        make_kind(&b, i, 0.25);
        double *force = b.load[0].force;
        volume_of(&b, &volume, centre);
        /* Pressure on a closed surface has no resultant and no moment; in a ring only none along the axis. */
        if (k != SW_FEM_HEAT) {
            for (int side = 0; side < 2 * b.d; side++)
                CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, sides[side]), 1e6, force));
            sum_forces(&b, force, sum, moment);
            for (int j = 0; j < 3; j++)
                if (k != SW_FEM_AXISYMMETRIC || j == 1) {
                    CHECK_CLOSE(sum[j], 0,
                                1e-13 * 1e6 *
                                    (b.d == 3                   ? 6
                                     : k == SW_FEM_AXISYMMETRIC ? 60
                                                                : 0.1));
                    if (k != SW_FEM_AXISYMMETRIC)
                        CHECK_CLOSE(moment[j], 0, 1e-13 * 1e6 * (b.d == 3 ? 6 : 0.1));
                }
            memset(force, 0, (size_t)(b.N * b.c) * sizeof *force);
        }
        /* Body force: its density times the volume, at the centre. */
        const double density[3] = {3e4, -7e4, 5e4};
        CHECK_OK(sw_fem_add_body_force(&b.problem, sw_fem_mesh_set(b.mesh, SW_FEM_ELEMENTS, "all"), density,
                                       force));
        sum_forces(&b, force, sum, moment);
        for (int j = 0; j < b.c; j++)
            CHECK_CLOSE(sum[j], density[j] * volume, 1e-13 * 1e5 * volume);
        if (b.d == 3)
            for (int j = 0; j < 3; j++)
                CHECK_CLOSE(moment[j],
                            volume * (centre[(j + 1) % 3] * density[(j + 2) % 3] -
                                      centre[(j + 2) % 3] * density[(j + 1) % 3]),
                            1e-12 * 1e5 * volume);
        memset(force, 0, (size_t)(b.N * b.c) * sizeof *force);
        /* Traction times area; a total force, whose shares are those of a traction. */
        const double traction[3] = {2e6, 1e6, -3e6};
        CHECK_OK(sw_fem_add_traction(&b.problem, fem_surface(&b, "x_max"), traction, force));
        sum_forces(&b, force, sum, moment);
        double area = 0, *spread = b.load[1].force;
        if (b.d == 2) { /* from (1.6, -0.15) to (1.8, 0.85), a straight line; ring: its mantle */
            area = hypot(0.2, 1.0) * (k == SW_FEM_AXISYMMETRIC ? 2 * PI * 1.7 : b.problem.thickness);
            CHECK_CLOSE(sum[0], traction[0] * area, 1e-13 * traction[0] * area);
        } else {
            area = sum[0] / traction[0];
        }
        const double total[3] = {traction[0] * area, traction[1] * area, traction[2] * area};
        CHECK_OK(sw_fem_add_total_force(&b.problem, fem_nodes(&b, "x_max"), total, spread));
        for (int64_t j = 0; j < b.N * b.c; j++)
            CHECK_CLOSE(spread[j], force[j], 1e-13 * 3e6 * area);
        memset(spread, 0, (size_t)(b.N * b.c) * sizeof *spread);
        CHECK_OK(sw_fem_add_surface_force(&b.problem, fem_surface(&b, "x_max"), total, spread));
        for (int64_t j = 0; j < b.N * b.c; j++)
            CHECK_CLOSE(spread[j], force[j], 1e-13 * 3e6 * area);
        /* On one face, it goes to that one's nodes alone, with those of others among them or not. */
        sw_fem_set part = *fem_surface(&b, "x_max");
        part.n = 1;
        memset(spread, 0, (size_t)(b.N * b.c) * sizeof *spread);
        CHECK_OK(sw_fem_add_surface_force(&b.problem, &part, total, spread));
        int64_t loaded = 0;
        for (int64_t j = 0; j < b.N; j++)
            loaded += spread[j * b.c] != 0;
        assert_int_equal(loaded, b.d == 3 ? 4 : 2);
        sum_forces(&b, spread, sum, moment);
        for (int j = 0; j < b.c; j++)
            CHECK_CLOSE(sum[j], total[j], 1e-13 * 3e6 * area);
        /* A single node spans nothing: it takes all. */
        const int32_t one = 7;
        const sw_fem_set single = {.kind = SW_FEM_NODES, .n = 1, .member = (int32_t *)&one};
        memset(spread, 0, (size_t)(b.N * b.c) * sizeof *spread);
        CHECK_OK(sw_fem_add_total_force(&b.problem, &single, total, spread));
        for (int64_t j = 0; j < b.N * b.c; j++)
            CHECK_CLOSE(spread[j], j / b.c == 7 ? total[j % b.c] : 0, 0);
        fem_free(&b);
    }
}

/* Pressure inside a quarter of a ring: p times the projected area, exactly, of chords too; from hex8 and from
 * quad4. In a mesh of the ring's section: the mantle's area is that of a cylinder, exactly. */
static void test_pressure_in_a_ring(void **state)
{
    (void)state;
    fem_body b;
    double sum[3], moment[3];
    fem_make(&b, fem_grid((const int[3]){2, 6, 3}, 0, quarter, NULL), SW_FEM_SOLID, 0, steel);
    CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "x_min"), 5e6, b.load[0].force));
    sum_forces(&b, b.load[0].force, sum, moment);
    CHECK_CLOSE(sum[0], 5e6 * 0.5, 1e-13 * 2.5e6);
    CHECK_CLOSE(sum[1], 5e6 * 0.5, 1e-13 * 2.5e6);
    CHECK_CLOSE(sum[2], 0, 1e-13 * 2.5e6);
    fem_free(&b);
    fem_make(&b, fem_grid((const int[3]){2, 6, 0}, 0, quarter, NULL), SW_FEM_PLANE_STRAIN, 0, steel);
    b.problem.thickness = 0.3;
    CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "x_min"), 5e6, b.load[0].force));
    sum_forces(&b, b.load[0].force, sum, moment);
    CHECK_CLOSE(sum[0], 5e6 * 0.3, 1e-13 * 1.5e6);
    CHECK_CLOSE(sum[1], 5e6 * 0.3, 1e-13 * 1.5e6);
    fem_free(&b);
    fem_make(&b, fem_grid((const int[3]){3, 4, 0}, 0, NULL, NULL), SW_FEM_AXISYMMETRIC, 0, steel);
    for (int64_t n = 0; n < b.N; n++)
        b.mesh->position[2 * n] += 0.5; /* 0.5 .. 1.5 */
    CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "x_min"), 5e6, b.load[0].force));
    CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "y_max"), 5e6, b.load[0].force));
    sum_forces(&b, b.load[0].force, sum, moment);
    CHECK_CLOSE(sum[0], 5e6 * 2 * PI * 0.5, 1e-13 * 5e7);
    CHECK_CLOSE(sum[1], -5e6 * PI * (1.5 * 1.5 - 0.5 * 0.5), 1e-13 * 5e7);
    double volume, centre[3];
    volume_of(&b, &volume, centre);
    CHECK_CLOSE(volume, PI * (1.5 * 1.5 - 0.5 * 0.5), 1e-13 * 10);
    fem_free(&b);
}

/* ---- Refusals ---- */

#define REFUSED(expected_status, part)                                                                       \
    do {                                                                                                     \
        sw_fem *fem_ = (sw_fem *)&b;                                                                         \
        const sw_status status_ = sw_fem_open(&b.problem, &b.options, &fem_);                                \
        if (status_ != (expected_status) || !strstr(sw_error_message(), part) || fem_ != NULL)               \
            fail_msg("status %d, \"%s\": need %d with \"%s\"", status_, sw_error_message(), expected_status, \
                     part);                                                                                  \
    } while (0)

static void test_refusals_name_what_is_wrong(void **state)
{
    (void)state;
    fem_body b;
    fem_make(&b, fem_grid((const int[3]){2, 2, 2}, 0, NULL, NULL), SW_FEM_SOLID, 0, steel);
    for (int j = 0; j < 3; j++)
        fem_fix_set(&b, 0, "z_min", j, 0);
    /* Materials. */
    static const struct {
        size_t offset;
        double value;
        const char *said;
    } wrong[] = {{offsetof(sw_fem_material, young), 0, "young = 0: need more than 0"},
                 {offsetof(sw_fem_material, young), NAN, "young"},
                 {offsetof(sw_fem_material, poisson), 0.5, "poisson = 0.5: need -1 < nu < 0.5"},
                 {offsetof(sw_fem_material, poisson), -1, "poisson = -1"},
                 {offsetof(sw_fem_material, poisson), NAN, "poisson"},
                 {offsetof(sw_fem_material, yield_stress), 0, "yield_stress = 0"},
                 {offsetof(sw_fem_material, yield_stress), NAN, "yield_stress"},
                 {offsetof(sw_fem_material, parameter[SW_FEM_MODULUS]), -1,
                  "modulus = -1: need at least 0: no softening"},
                 {offsetof(sw_fem_material, parameter[SW_FEM_MODULUS]), INFINITY, "modulus"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        b.material = steel;
        *(double *)((char *)&b.material + wrong[i].offset) = wrong[i].value;
        REFUSED(SW_ERR_RANGE, wrong[i].said);
    }
    b.material = steel;
    b.material.hardening = SW_FEM_VOCE;
    b.material.parameter[SW_FEM_SATURATION] = 200e6;
    REFUSED(SW_ERR_RANGE, "saturation = 200000000: need Pa, at least yield_stress");
    b.material.parameter[SW_FEM_SATURATION] = 300e6;
    b.material.parameter[SW_FEM_RATE] = -1;
    REFUSED(SW_ERR_RANGE, "rate = -1");
    b.material = steel;
    b.material.hardening = -1;
    REFUSED(SW_ERR_RANGE, "hardening = -1: need the number of a law");
    b.material.hardening = SW_FEM_TABLE;
    REFUSED(SW_ERR_RANGE, "rows of the table = 0");
    b.material.n_rows = 2;
    b.material.row[0][1] = 250e6;
    b.material.row[1][0] = 0.1;
    b.material.row[1][1] = 240e6;
    REFUSED(SW_ERR_RANGE, "no softening");
    b.material.row[1][0] = 0;
    REFUSED(SW_ERR_RANGE, "table[1][0] = 0: need plastic strains that ascend");
    b.material.row[0][0] = 0.01;
    REFUSED(SW_ERR_RANGE, "table[0][0] = 0.01: need a plastic strain of 0 first");
    b.material = steel;
    const uint8_t material_of[8] = {0, 0, 0, 1};
    b.problem.material_of = material_of;
    REFUSED(SW_ERR_RANGE, "element 4: material 2 of 1");
    b.problem.material_of = NULL;
    /* Options. */
    const sw_fem_options good = b.options;
    b.options.tolerance = 0;
    REFUSED(SW_ERR_RANGE, "tolerance = 0");
    b.options = good;
    b.options.linear_tolerance = NAN;
    REFUSED(SW_ERR_RANGE, "linear_tolerance");
    b.options = good;
    b.options.most_newton = 0;
    REFUSED(SW_ERR_RANGE, "newton = 0");
    b.options = good;
    b.options.least_increment = 0;
    REFUSED(SW_ERR_RANGE, "least_increment = 0");
    b.options = good;
    b.options.preconditioner = SW_FEM_MULTIGRID;
    REFUSED(SW_ERR_RANGE, "multigrid needs a body of cells in space");
    b.options = good;
    b.options.operator_ = SW_FEM_EBE;
    b.options.storage = SW_FEM_SPLIT;
    REFUSED(SW_HAS_PAPERS ? SW_ERR_RANGE : SW_ERR_UNAVAILABLE, OF_PAPERS("storage split needs a voxel mesh"));
    b.options = good;
    /* Kinematics. */
    b.problem.kinematics = SW_FEM_PLANE_STRESS;
    REFUSED(SW_ERR_RANGE, "plane_stress does not fit a mesh of hex8");
    b.problem.kinematics = SW_FEM_SOLID;
    /* Prescribed unknowns. */
    b.load[0].value[3] = INFINITY;
    REFUSED(SW_ERR_RANGE, "prescribed value");
    b.load[0].value[3] = 0;
    b.load[0].dof[3] = b.load[0].dof[2];
    REFUSED(SW_ERR_RANGE, "ascending");
    b.load[0].dof[3] = 81;
    REFUSED(SW_ERR_RANGE, "below 81");
    fem_free(&b);
    fem_make(&b, fem_grid((const int[3]){2, 2, 0}, 0, NULL, NULL), SW_FEM_PLANE_STRESS, 1, steel);
    REFUSED(SW_ERR_RANGE, "b_bar is for");
    b.problem.b_bar = 0;
    b.problem.thickness = 0;
    REFUSED(SW_ERR_RANGE, "thickness = 0");
    b.problem.kinematics = SW_FEM_AXISYMMETRIC;
    b.mesh->position[0] = -0.1;
    REFUSED(SW_ERR_RANGE, "node 1: radius -0.1 m");
    fem_free(&b);
}

/* Supports taken away one by one: the motion that becomes possible is named. */
static void test_free_bodies_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *fixed[6]; /* "node component": by letters: corner a .. h of the box, direction */
        const char *said;
    } solid[] = {
        {{"ax", "ay", "az", "by", "bz", "ez"}, "turn about x"}, /* a (0,0,0), b (1,0,0), e (0,0,1) */
        {{"ax", "ay", "az", "by", "bz", "bx"}, "turn about x"}, /* a and b held: about the line between */
        {{"ax", "ay", "az", "cx", "cz", "cy"}, "turn about y"}, /* c (0,1,0) */
        {{"ax", "ay", "az", "ex", "ey", "ez"}, "turn about z"},
        {{"ay", "az", "by", "bz", "cz", "ey"}, "move along x"},
        {{"ax", "az", "bz", "cz", "cx", "ex"}, "move along y"},
        {{"ax", "ay", "by", "cx", "ex", "ey"}, "move along z"},
        {{"ax", "ay", "az", "by", "bz", "cz"}, NULL}, /* just enough */
        {{"ax", "by", "bz", "cz", "cx", "ey"}, NULL},
    };
    fem_body b;
    const int64_t corner[8] = {
        ['a' - 'a'] = 0, ['b' - 'a'] = 2, ['c' - 'a'] = 6, ['d' - 'a'] = 8, ['e' - 'a'] = 18};
    for (size_t i = 0; i < sizeof solid / sizeof *solid; i++) {
        fem_make(&b, fem_grid((const int[3]){2, 2, 2}, 0, NULL, NULL), SW_FEM_SOLID, 0, steel);
        for (int j = 0; j < 6; j++)
            fem_fix(&b, 0, corner[solid[i].fixed[j][0] - 'a'], solid[i].fixed[j][1] - 'x', 0);
        if (solid[i].said) {
            REFUSED(SW_ERR_RANGE, solid[i].said);
            REFUSED(SW_ERR_RANGE, "the body can still ");
        } else {
            sw_fem *fem;
            CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem));
            sw_fem_close(fem);
        }
        fem_free(&b);
    }
    static const struct {
        sw_fem_kinematics kinematics;
        int n, fixed[3];
        const char *said;
    } plane[] = {
        {SW_FEM_PLANE_STRESS, 2, {0, 1}, "turn in the plane"},
        {SW_FEM_PLANE_STRAIN, 3, {1, 3, 5}, "move along x"},
        {SW_FEM_PLANE_STRAIN, 3, {0, 2, 6}, "move along y"},
        {SW_FEM_PLANE_STRAIN, 3, {0, 1, 5}, NULL},
        {SW_FEM_AXISYMMETRIC, 2, {0, 2}, "move along the axis"},
        {SW_FEM_AXISYMMETRIC, 1, {1}, NULL},
        {SW_FEM_HEAT, 0, {0}, "take any temperature"},
        {SW_FEM_HEAT, 1, {4}, NULL},
    };
    for (size_t i = 0; i < sizeof plane / sizeof *plane; i++) {
        fem_make(&b, fem_grid((const int[3]){2, 2, 0}, 0, NULL, NULL), plane[i].kinematics, 0, steel);
        for (int j = 0; j < plane[i].n; j++)
            fem_fix(&b, 0, plane[i].fixed[j] / b.c, plane[i].fixed[j] % b.c, 0);
        if (plane[i].said) {
            REFUSED(SW_ERR_RANGE, plane[i].said);
        } else {
            sw_fem *fem;
            CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem));
            sw_fem_close(fem);
        }
        fem_free(&b);
    }
    /* Two parts: the middle column of cells is taken out, the right part only leans. */
    fem_make(&b, fem_grid((const int[3]){3, 1, 0}, 0, NULL, NULL), SW_FEM_PLANE_STRAIN, 0, steel);
    memcpy(b.mesh->node + 4, b.mesh->node + 8, 4 * sizeof *b.mesh->node);
    b.mesh->n_elements = 2;
    for (int j = 0; j < 2; j++)
        fem_fix_set(&b, 0, "x_min", j, 0);
    fem_fix_set(&b, 0, "x_max", 0, 0);
    REFUSED(SW_ERR_RANGE, "part 2 of the body (of 2 that do not touch), with node 3 at (");
    fem_fix(&b, 0, 3, 1, 0);
    sw_fem *fem;
    CHECK_OK(sw_fem_open(&b.problem, &b.options, &fem));
    sw_fem_close(fem);
    fem_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patches),
        cmocka_unit_test(test_patches_under_traction),
        cmocka_unit_test(test_rigid_motions),
        cmocka_unit_test(test_matrices_have_full_rank),
        cmocka_unit_test(test_nodal_forces),
        cmocka_unit_test(test_pressure_in_a_ring),
        cmocka_unit_test(test_refusals_name_what_is_wrong),
        cmocka_unit_test(test_free_bodies_are_refused),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("finite elements", tests, NULL, NULL);
}
