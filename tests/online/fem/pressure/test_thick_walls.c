/* Walls as thick as the bore under a pressure inside that follows the surface, against exact solutions. */
#include "pressed.h"

/* A cylinder in plane strain (n = 1) or a sphere (n = 2), elastic: R from 1 to 2 goes to r(R). With the stretches r'
 * and r / R (a cylinder's third is 1), Kirchhoff's stresses by Hooke's law of their logarithms, J = r' (r / R)^n, and
 * equilibrium of what was a shell of thickness dR:
 *
 *     d sigma_r / dR = -n (r' / r) (sigma_r - sigma_t). */
typedef struct {
    int n;
    double lambda, shear;
} wall;

/* r' where the radial stress is s, by Newton's method: tau_r - s J = 0. */
static double slope_of(const wall *w, double R, double r, double s)
{
    const double t = log(r / R), rest = pow(r / R, w->n);
    double slope = 1;
    for (int i = 0; i < 50; i++) {
        const double off = 2 * w->shear * log(slope) + w->lambda * (log(slope) + w->n * t) - s * slope * rest;
        slope -= off / ((2 * w->shear + w->lambda) / slope - s * rest);
    }
    return slope;
}

/* d(r, sigma_r) / dR. */
static void go_out(const wall *w, double R, const double y[2], double rate[2])
{
    const double slope = slope_of(w, R, y[0], y[1]), J = slope * pow(y[0] / R, w->n);
    rate[0] = slope;
    rate[1] = -w->n * slope / y[0] * 2 * w->shear * (log(slope) - log(y[0] / R)) / J;
}

/* The radial stress outside of a wall whose inner radius is a under pressure p; the outer radius; by Runge and Kutta's
 * fourth order, 400 steps: 1e-10. */
static double outside(const wall *w, double a, double p, double *outer)
{
    enum { STEPS = 400 };
    const double h = 1.0 / STEPS;
    double y[2] = {a, -p};
    for (int i = 0; i < STEPS; i++) {
        const double R = 1 + i * h;
        double k[4][2], at[2];
        go_out(w, R, y, k[0]);
        for (int s = 1; s < 4; s++) {
            const double part = s == 3 ? h : h / 2;
            for (int j = 0; j < 2; j++)
                at[j] = y[j] + part * k[s - 1][j];
            go_out(w, R + part, at, k[s]);
        }
        for (int j = 0; j < 2; j++)
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    *outer = y[0];
    return y[1];
}

/* The pressure that widens the inner radius to a: nothing pulls outside. */
static double pressure_for(const wall *w, double a, double *outer)
{
    double low = 0, high = w->shear;
    for (int i = 0; i < 60; i++) {
        const double p = 0.5 * (low + high);
        *(outside(w, a, p, outer) < 0 ? &high : &low) = p;
    }
    return 0.5 * (low + high);
}

/* Polar coordinates: at[0] across the wall, at[1] a quarter around, at[2] along. */
static void quarter(const void *context, const double at[3], double position[3])
{
    (void)context;
    position[0] = (1 + at[0]) * cos(PI / 2 * at[1]);
    position[1] = (1 + at[0]) * sin(PI / 2 * at[1]);
    position[2] = 0.2 * at[2];
    if (at[1] == 1)
        position[0] = 0;
}

/* Inner radius reached, over the exact one, less 1; n cells across the wall. */
static double inflate(sw_fem_kinematics k, int sphere, int ring, int n, double a)
{
    const double bulk = elastic.young / (3 * (1 - 2 * elastic.poisson)),
                 shear = elastic.young / (2 * (1 + elastic.poisson));
    const wall w = {.n = sphere ? 2 : 1, .lambda = bulk - 2 * shear / 3, .shear = shear};
    const int cells[3] = {n, ring ? 1 : n, k == SW_FEM_SOLID ? 1 : 0};
    pressed m;
    fem_run r;
    double outer, p = pressure_for(&w, a, &outer), off = 0;
    make(&m, fem_grid(cells, 0, ring ? straight : quarter, NULL), k, 0);
    press(&m, "x_min", p);
    if (!ring)
        fem_fix_set(&m.b, 0, "y_max", 0, 0);
    fem_fix_set(&m.b, 0, "y_min", 1, 0);
    if (ring)
        fem_fix_set(&m.b, 0, "y_max", 1, 0);
    if (k == SW_FEM_SOLID) {
        fem_fix_set(&m.b, 0, "z_min", 2, 0);
        fem_fix_set(&m.b, 0, "z_max", 2, 0);
    }
    fem_open(&m.b, &r);
    for (int i = 1; i <= 5; i++)
        fem_load(&m.b, &r, 0.2 * i);
    const sw_fem_set *inside = fem_nodes(&m.b, "x_min"), *rim = fem_nodes(&m.b, "x_max");
    for (int s = 0; s < 2; s++) {
        const sw_fem_set *set = s ? rim : inside;
        for (int64_t i = 0; i < set->n; i++) {
            const int64_t node = (int64_t)set->member[i] * m.b.d;
            const double x = m.b.mesh->position[node] + r.u[node],
                         y = ring ? 0 : m.b.mesh->position[node + 1] + r.u[node + 1];
            off = greatest(off, fabs(hypot(x, y) / (s ? outer : a) - 1));
        }
    }
    print_message(
        "%s, %s, %d cells: p = %.3f GPa, radii off by %.2e; %d Newton, %d linear in the last fifth\n",
        sphere ? "sphere" : "cylinder", sw_fem_kinematics_names[k], n, 1e-9 * p, off, r.report.newton,
        r.report.cg);
    fem_close(&r);
    fem_free(&m.b);
    return off;
}

/* Elements of first order: radii of second. */
static void check_walls(sw_fem_kinematics k, int sphere, int ring, double a, double bound)
{
    const double coarse = inflate(k, sphere, ring, 6, a), fine = inflate(k, sphere, ring, 12, a);
    CHECK_CLOSE(log2(coarse / fine), 2, 0.3);
    CHECK_CLOSE(fine, 0, bound);
}

static void test_thick_walls(void **state)
{
    (void)state;
    check_walls(SW_FEM_PLANE_STRAIN, 0, 0, 1.4, 1e-2);
    check_walls(SW_FEM_SOLID, 0, 0, 1.4, 1e-2);
    check_walls(SW_FEM_AXISYMMETRIC, 0, 1, 1.4, 1e-2);
    check_walls(SW_FEM_AXISYMMETRIC, 1, 0, 1.3, 1e-2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thick_walls),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("pressures that follow the surface", tests, NULL, NULL);
}
