/* Finite elements against exact solutions: disc (Nadai 1950), plate with a hole (Kirsch 1898), strip footing (Prandtl 1921), beam (Timoshenko 1921), a ring that
 * conducts heat; orders of convergence; and the cantilever of Kiran 2023. */
#include "fem_errors.h"

/* ---- A thin disc under inner pressure: plane stress ---- */

/* Where plastic, Mises' ellipse and equilibrium give (Nadai 1950) s_r = 2 Y / root 3 cos(f + 30 deg), s_t the
 * same of f - 30 deg, r^2 sin(f) exp(root 3 f) constant; outside of c Lame's disc, which just yields at c. */
typedef struct {
    double yield, c;
} disc;

static void disc_field(const void *context, const double x[3], double u[3], double stress[6])
{
    const disc *w = context;
    const double r = hypot(x[0], x[1]), ratio = B * B / (w->c * w->c),
                 k = w->yield / sqrt(1 + 3 * ratio * ratio);
    double sr = k * (1 - B * B / (r * r)), st = k * (1 + B * B / (r * r));
    if (r < w->c) {
        const double top = 2 * w->yield / sqrt(3), front = acos(k * (1 - ratio) / top) - PI / 6;
        const double wanted = log(w->c * w->c / (r * r)) + log(sin(front)) + sqrt(3) * front;
        double low = front, high = 5 * PI / 6;
        for (int i = 0; i < 60; i++) {
            const double f = 0.5 * (low + high);
            *(log(sin(f)) + sqrt(3) * f < wanted ? &low : &high) = f;
        }
        sr = top * cos(low + PI / 6);
        st = top * cos(low - PI / 6);
    }
    const double n[2] = {x[0] / r, x[1] / r};
    stress[0] = sr * n[0] * n[0] + st * n[1] * n[1];
    stress[1] = sr * n[1] * n[1] + st * n[0] * n[0];
    stress[5] = (sr - st) * n[0] * n[1];
    u[0] = u[1] = u[2] = NAN; /* no closed form */
}

/* Plastic as far as 1.5 of the bore: stresses at order 1, and the outer displacement 2 k B / E. */
static void test_disc(void **state)
{
    (void)state;
    const disc w = {steel.yield_stress, 1.5 * A};
    const ring quarter = {A, B, PI / 2, 0};
    const double bore[3] = {A, 0, 0}, ratio = B * B / (w.c * w.c),
                 exact = 2 * w.yield / sqrt(1 + 3 * ratio * ratio) * B / steel.young;
    double off_u[MESHES], off_s[MESHES], unused, u[3], stress[6] = {0};
    disc_field(&w, bore, u, stress);
    for (int j = 0; j < MESHES; j++) {
        const int n = 8 << j;
        fem_body b;
        fem_run r;
        fem_make(&b, fem_grid((const int[3]){n, 2 * n, 0}, 0, ring_at, &quarter), SW_FEM_PLANE_STRESS, 0,
                 steel);
        b.options.tolerance = 1e-8;
        b.options.linear_tolerance = 1e-9;
        fem_fix_set(&b, 0, "y_min", 1, 0);
        fem_fix_set(&b, 0, "y_max", 0, 0);
        CHECK_OK(sw_fem_add_pressure(&b.problem, fem_surface(&b, "x_min"), -stress[0], b.load[0].force));
        fem_open(&b, &r);
        for (int step = 1; step <= 4; step++)
            fem_load(&b, &r, step / 4.0);
        errors(&b, &r, disc_field, &w, &unused, &off_s[j]);
        off_u[j] = fabs(r.u[2 * n] / exact - 1);
        fem_close(&r);
        fem_free(&b);
    }
    print_message("%.2f MPa, outer displacement %.6f mm\n", -1e-6 * stress[0], 1e3 * exact);
    say("disc, plane stress", off_u, off_s);
    assert_true(off_u[2] < 0.5 * off_u[0] && off_u[2] < 2e-3);
    assert_true(order(off_s) > 0.7);
}

/* ---- A plate with a hole ---- */

/* From the hole (radius 1) to the square (half-width 4), first around, then out; graded outwards. */
static void plate_at(const void *context, const double at[3], double position[3])
{
    const double *far = context;
    const double t = at[0] * PI / 2, out = at[1] * (0.3 + 0.7 * at[1]), scale = *far / fmax(cos(t), sin(t));
    const double r = 1 + (scale - 1) * out;
    position[0] = r * cos(PI / 2 - t);
    position[1] = r * sin(PI / 2 - t);
}

/* Kirsch: unit hole, unit stress along x at infinity. */
typedef struct {
    double young, poisson;
    int strain; /* plane strain */
} kirsch;

static void kirsch_field(const void *context, const double x[3], double u[3], double stress[6])
{
    const kirsch *w = context;
    const double r = hypot(x[0], x[1]), t = atan2(x[1], x[0]), shear = w->young / (2 * (1 + w->poisson));
    const double k = w->strain ? 3 - 4 * w->poisson : (3 - w->poisson) / (1 + w->poisson);
    const double r2 = 1 / (r * r), r4 = r2 * r2;
    u[0] = (r * (k + 1) * cos(t) + 2 / r * ((1 + k) * cos(t) + cos(3 * t)) - 2 / (r * r * r) * cos(3 * t)) /
           (8 * shear);
    u[1] = (r * (k - 3) * sin(t) + 2 / r * ((1 - k) * sin(t) + sin(3 * t)) - 2 / (r * r * r) * sin(3 * t)) /
           (8 * shear);
    stress[0] = 1 - r2 * (1.5 * cos(2 * t) + cos(4 * t)) + 1.5 * r4 * cos(4 * t);
    stress[1] = -r2 * (0.5 * cos(2 * t) - cos(4 * t)) - 1.5 * r4 * cos(4 * t);
    stress[5] = -r2 * (0.5 * sin(2 * t) + sin(4 * t)) + 1.5 * r4 * sin(4 * t);
    stress[2] = w->strain ? w->poisson * (stress[0] + stress[1]) : 0;
}

/* Exact displacements on the square's far sides, symmetry planes, a free hole. */
static void test_kirsch(void **state)
{
    (void)state;
    static const struct {
        sw_fem_kinematics kinematics;
        int b_bar;
    } all[] = {{SW_FEM_PLANE_STRESS, 0}, {SW_FEM_PLANE_STRAIN, 0}, {SW_FEM_PLANE_STRAIN, 1}};
    const double far = 4;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const kirsch w = {1000, 0.3, all[i].kinematics == SW_FEM_PLANE_STRAIN};
        double off_u[MESHES], off_s[MESHES], peak = 0;
        char what[100];
        for (int j = 0; j < MESHES; j++) {
            const int cells[3] = {8 << j, 6 << j, 0};
            fem_body b;
            fem_run r;
            fem_make(&b, fem_grid(cells, 0, plate_at, &far), all[i].kinematics, all[i].b_bar,
                     (sw_fem_material){.young = w.young, .poisson = w.poisson, .yield_stress = INFINITY});
            b.options.tolerance = 1e-9;
            b.options.linear_tolerance = 1e-10;
            const sw_fem_set *outer = fem_nodes(&b, "y_max");
            for (int64_t n = 0; n < outer->n; n++) {
                double u[3], stress[6];
                kirsch_field(&w, b.mesh->position + 2 * (int64_t)outer->member[n], u, stress);
                fem_fix(&b, 0, outer->member[n], 0, u[0]);
                fem_fix(&b, 0, outer->member[n], 1, u[1]);
            }
            fem_fix_set(&b, 0, "x_min", 0, 0); /* starts on the y axis */
            fem_fix_set(&b, 0, "x_max", 1, 0);
            fem_open(&b, &r);
            fem_load(&b, &r, 1);
            errors(&b, &r, kirsch_field, &w, &off_u[j], &off_s[j]);
            peak = r.point_stress[0][0];
            for (int q = 1; q < 4; q++)
                peak = greatest(peak, r.point_stress[q][0]);
            fem_close(&r);
            fem_free(&b);
        }
        snprintf(what, sizeof what, "plate with a hole, %s%s", sw_fem_kinematics_names[all[i].kinematics],
                 all[i].b_bar ? ", b_bar" : "");
        say(what, off_u, off_s);
        CHECK_CLOSE(order(off_u), 2, 0.15);
        assert_true(order(off_s) > 0.85);
        assert_true(peak > 2.7 && peak < 3); /* 3 at the hole; the points lie 1/5 of an element inside */
    }
}

/* ---- Strip footing ---- */

/* Half of a block 5 m x 5 m, footing of half-width 0.5 m at the top left; cells grow outwards. */
typedef struct {
    int cells, under; /* so many cells under the footing */
} soil;

static double graded(const soil *s, double at)
{
    /* Equal cells of 0.5 / under as far as 1 m, then growing evenly. */
    const double i = at * s->cells, h = 0.5 / s->under, even = 2.0 * s->under, more = s->cells - even;
    return i <= even ? i * h : 1 + h * (i - even) + (4 - h * more) * pow((i - even) / more, 2);
}

static void soil_at(const void *context, const double at[3], double position[3])
{
    position[0] = graded(context, at[0]);
    position[1] = 5 - graded(context, 1 - at[1]);
}

/* Mean pressure under a smooth rigid footing, over the cohesion, at settlements of 0.5 and 1 ... times
 * `deepest`. */
static void settle(int under, int b_bar, double deepest, double pressure[2])
{
    const soil s = {5 * under, under};
    const double cohesion = 490e3;
    fem_body b;
    fem_run r;
    fem_make(&b, fem_grid((const int[3]){s.cells, s.cells, 0}, 0, soil_at, &s), SW_FEM_PLANE_STRAIN, b_bar,
             (sw_fem_material){.young = 10e9, .poisson = 0.48, .yield_stress = sqrt(3) * cohesion});
    b.options.tolerance = 1e-5;
    b.options.linear_tolerance = 1e-6;
    fem_fix_set(&b, 0, "x_min", 0, 0);
    fem_fix_set(&b, 0, "x_max", 0, 0);
    fem_fix_set(&b, 0, "y_min", 0, 0);
    fem_fix_set(&b, 0, "y_min", 1, 0);
    const sw_fem_set *top = fem_nodes(&b, "y_max");
    for (int64_t i = 0; i < top->n; i++)
        if (b.mesh->position[2 * (int64_t)top->member[i]] <= 0.5 + 1e-9)
            fem_fix(&b, 0, top->member[i], 1, -1);
    fem_open(&b, &r);
    for (int i = 0; i < 2; i++) {
        for (int step = 1; step <= 6; step++)
            fem_load(&b, &r, deepest * (i + step / 6.0) / 2);
        pressure[i] = -fem_resultant(&b, &r, "y_max", 1) / 0.5 / cohesion;
    }
    fem_close(&r);
    fem_free(&b);
}

/* Prandtl: 2 + pi times the cohesion. Bilinear elements around the footing's edge move with its last node, as
 * if it were wider by up to an element: the limit is found from above, at order 1. Without B-bar there is no
 * limit. */
static void test_footing(void **state)
{
    (void)state;
    const double prandtl = 2 + PI;
    double found[2], limit[2];
    for (int fine = 0; fine < 2; fine++) {
        const int under = fine ? 6 : 3;
        settle(under, 1, 2e-3, found);
        limit[fine] = found[1];
        print_message("footing, b_bar, %d elements under half of it: %.3f then %.3f cohesions (%+.1f %%)\n",
                      under, found[0], found[1], 100 * (found[1] / prandtl - 1));
        CHECK_CLOSE(found[1], found[0], 0.01 * found[0]);
        assert_true(found[1] > prandtl && found[1] < prandtl * (1 + 1.0 / under));
    }
    const double extrapolated = 2 * limit[1] - limit[0];
    print_message("  extrapolated: %.3f (%+.1f %%)\n", extrapolated, 100 * (extrapolated / prandtl - 1));
    CHECK_CLOSE(extrapolated, prandtl, 0.02 * prandtl);
    settle(3, 0, 2e-3, found);
    print_message("footing, full integration: %.3f then %.3f cohesions\n", found[0], found[1]);
    assert_true(found[1] > 1.1 * found[0] && found[1] > 1.5 * limit[0]);
}

/* ---- Beams ---- */

/* nu = 0, so that the clamp holds no contraction back: F L^3 / (3 E I) + F L / (5/6 G A). */
static void test_beam(void **state)
{
    (void)state;
    const double L = 1, h = 0.1, E = 100e9, F = 1000;
    const double exact = F * L * L * L / (3 * E * h * h * h * h / 12) + F * L / (5.0 / 6 * E / 2 * h * h);
    double tip[3], force[3] = {0, -F, 0};
    for (int i = 0; i < 3; i++) {
        const int n = 2 << i;
        const sw_fem_voxels box = {.body = "box", .size = {L, h, h}, .cells = {10 * n, n, n}};
        sw_fem_mesh *mesh;
        fem_body b;
        fem_run r;
        CHECK_OK(sw_fem_voxel_mesh(&box, &mesh));
        fem_make(&b, mesh, SW_FEM_SOLID, 0, (sw_fem_material){.young = E, .yield_stress = INFINITY});
        b.options.tolerance = 1e-7;
        b.options.linear_tolerance = 1e-8;
        for (int j = 0; j < 3; j++)
            fem_fix_set(&b, 0, "x_min", j, 0);
        CHECK_OK(sw_fem_add_total_force(&b.problem, fem_nodes(&b, "x_max"), force, b.load[0].force));
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        tip[i] = -r.u[3 * (b.N - 1) + 1];
        fem_close(&r);
        fem_free(&b);
    }
    const double limit = tip[2] + (tip[2] - tip[1]) / 3; /* order 2 */
    print_message("beam: tip / theory %.4f %.4f %.4f for 2, 4, 8 elements in its height; extrapolated %.4f\n",
                  tip[0] / exact, tip[1] / exact, tip[2] / exact, limit / exact);
    CHECK_CLOSE(log2((exact - tip[1]) / (exact - tip[2])), 2, 0.25);
    CHECK_CLOSE(limit, exact, 0.01 * exact);
}

/* Kiran 2023: 300 x 40 x 40 mm, 17 kN at the end; 22.7 % of 6.9 million unknowns' elements plastic. */
static void test_cantilever_of_the_thesis(void **state)
{
    (void)state;
    const double force[3] = {0, -17000, 0};
    double share[2];
    for (int i = 0; i < 2; i++) {
        const sw_fem_voxels v = {.body = "cantilever", .cells = {30 << i, 4 << i, 4 << i}};
        sw_fem_mesh *mesh;
        fem_body b;
        fem_run r;
        CHECK_OK(sw_fem_voxel_mesh(&v, &mesh));
        fem_make(&b, mesh, SW_FEM_SOLID, 0,
                 (sw_fem_material){.young = 200e9,
                                   .poisson = 0.3,
                                   .yield_stress = 250e6,
                                   .hardening = SW_FEM_LINEAR,
                                   .parameter = {20e9}});
        b.options.tolerance = 1e-6;
        b.options.linear_tolerance = 1e-7;
        for (int j = 0; j < 3; j++)
            fem_fix_set(&b, 0, "x_min", j, 0);
        CHECK_OK(sw_fem_add_total_force(&b.problem, fem_nodes(&b, "x_max"), force, b.load[0].force));
        fem_open(&b, &r);
        for (int step = 1; step <= 3; step++)
            fem_load(&b, &r, step / 3.0);
        share[i] = 100.0 * (double)r.report.plastic_elements / (double)b.E;
        print_message("cantilever, %lld elements: %.1f %% plastic, tip %.4f mm\n", (long long)b.E, share[i],
                      -1e3 * r.u[3 * (b.N - 1) + 1]);
        fem_close(&r);
        fem_free(&b);
    }
    assert_true(share[1] > 15 && share[1] < 30);
}

/* ---- Finite strains ---- */

/* 48 mm long, 44 mm high where it is held and 16 mm where it is pulled up. */
static void membrane_at(const void *context, const double at[3], double position[3])
{
    (void)context;
    const double low = 44 * at[0], high = 44 + 16 * at[0];
    position[0] = 48e-3 * at[0];
    position[1] = 1e-3 * (low + (high - low) * at[1]);
    position[2] = 0;
}

/* Rise of the upper corner, mm, of n x n elements after 5 kN a mm of thickness in `steps`. */
static double membrane_rise(int n, int b_bar, int steps)
{
    /* Simo and Armero 1992, section 5.2: K 164.21, G 80.1938, yield 0.45 to 0.715, H 0.12924 GPa, 16.93. */
    const sw_fem_material metal = {.young = 206.9e9,
                                   .poisson = 0.29,
                                   .yield_stress = 450e6,
                                   .hardening = SW_FEM_VOCE,
                                   .parameter = {129.24e6, 715e6, 16.93}};
    const double up[3] = {0, 5e6 / 16e-3, 0};
    fem_body b;
    fem_run r;
    fem_make(&b, fem_grid((const int[3]){n, n, 0}, 0, membrane_at, NULL), SW_FEM_PLANE_STRAIN, b_bar, metal);
    b.problem.strain = SW_FEM_FINITE;
    b.problem.thickness = 1e-3;
    b.options.tolerance = 1e-6;
    b.options.linear_tolerance = 1e-7;
    for (int j = 0; j < 2; j++)
        fem_fix_set(&b, 0, "x_min", j, 0);
    CHECK_OK(sw_fem_add_traction(&b.problem, fem_surface(&b, "x_max"), up, b.load[0].force));
    fem_open(&b, &r);
    for (int i = 1; i <= steps; i++)
        fem_load(&b, &r, (double)i / steps);
    const double rise = 1e3 * r.u[2 * (b.N - 1) + 1];
    fem_close(&r);
    fem_free(&b);
    return rise;
}

/* Cook's membrane at finite strains. Converged 6.94 mm, hexahedra with stabilised mean strains 6.9334 of 32 elements a
 * side: what Krysl's FinEALE quotes and found (plas_cookstrain3d_nonlinear_Simo1992, ten steps as here). */
static void test_cooks_membrane(void **state)
{
    (void)state;
    double rise[2][4];
    for (int b_bar = 0; b_bar < 2; b_bar++)
        for (int i = 0; i < 4; i++)
            rise[b_bar][i] = membrane_rise(4 << i, b_bar, 10);
    print_message("Cook's membrane, 4 to 32 elements: %.4f %.4f %.4f %.4f mm, mean dilatation %.4f %.4f %.4f "
                  "%.4f mm\n",
                  rise[0][0], rise[0][1], rise[0][2], rise[0][3], rise[1][0], rise[1][1], rise[1][2],
                  rise[1][3]);
    CHECK_CLOSE(rise[1][3], 6.94, 0.01 * 6.94);
}

/* ---- Heat ---- */

static void warm(const void *context, const double x[3], double u[3], double stress[6])
{
    const double r2 = x[0] * x[0] + x[1] * x[1], *conductivity = context;
    u[0] = 300 + 100 * log(sqrt(r2) / A) / log(B / A);
    for (int i = 0; i < 2; i++)
        stress[i] = *conductivity * 100 / log(B / A) * x[i] / r2;
}

/* A ring between two temperatures: T goes as log r; the heat that flows is 2 pi k dT / log(b / a). */
static void test_heat_in_a_ring(void **state)
{
    (void)state;
    double off_u[MESHES], off_s[MESHES], flow = 0;
    const double conductivity = 45, exact = PI / 2 * conductivity * 100 / log(B / A);
    const ring quarter = {A, B, PI / 2, 0};
    for (int j = 0; j < MESHES; j++) {
        fem_body b;
        fem_run r;
        fem_make(&b, fem_grid((const int[3]){4 << j, 6 << j, 0}, 0, ring_at, &quarter), SW_FEM_HEAT, 0,
                 (sw_fem_material){.young = conductivity});
        fem_fix_set(&b, 0, "x_min", 0, 300);
        fem_fix_set(&b, 0, "x_max", 0, 400);
        fem_open(&b, &r);
        fem_load(&b, &r, 1);
        errors(&b, &r, warm, &conductivity, &off_u[j], &off_s[j]);
        flow = fem_resultant(&b, &r, "x_max", 0);
        CHECK_CLOSE(flow, -fem_resultant(&b, &r, "x_min", 0), 1e-9 * exact);
        fem_close(&r);
        fem_free(&b);
    }
    say("heat in a ring", off_u, off_s);
    CHECK_CLOSE(order(off_u), 2, 0.1);
    assert_true(order(off_s) > 0.85);
    CHECK_CLOSE(flow, exact, 2e-3 * exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_kirsch),
        cmocka_unit_test(test_footing),
        cmocka_unit_test(test_beam),
        cmocka_unit_test(test_cantilever_of_the_thesis),
        cmocka_unit_test(test_cooks_membrane),
        cmocka_unit_test(test_heat_in_a_ring),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("finite elements", tests, NULL, NULL);
}
