/* Contact against Hertz (1882): a rigid sphere and a rigid cylinder pressed into an elastic block. Johnson 1985,
 * chapter 4.
 *
 * Indentations are small, so that the linear theory holds: strains are of the order of a / R = 2.5e-3. Residuals end
 * at 2e-8, the penalty's times the round-off of places 0.4 m away. */
#include "tests/online/fem/meshes.h"

#include <omp.h>

static const sw_fem_material elastic = {.young = 200e9, .poisson = 0.3, .yield_stress = INFINITY};
static double modulus(void) { return elastic.young / (1 - elastic.poisson * elastic.poisson); } /* E* */

#define CONTACT 1e-3    /* m: half-width of the contact, a */
#define TOOL_RADIUS 0.4 /* m */

/* ---- A block of `far` x `far` half-widths: even elements across 1.5 a and as deep, then growing ---- */

typedef struct {
    int near, beyond; /* elements */
    double far;       /* half-widths */
} block;

/* Distance of line i of a side, in half-widths: even as far as 1.5, then each element longer by the same factor. */
static double line_at(const block *k, double i)
{
    const double h = 1.5 / k->near;
    double low = 1, high = 10;
    if (i <= k->near)
        return h * i;
    for (int half = 0; half < 60; half++) { /* h (q + ... + q^m) = far - 1.5 */
        const double q = 0.5 * (low + high), sum = h * q * (pow(q, k->beyond) - 1) / (q - 1);
        *(sum < k->far - 1.5 ? &low : &high) = q;
    }
    return 1.5 + h * low * (pow(low, i - k->near) - 1) / (low - 1);
}

static void block_at(const void *context, const double at[3], double position[3])
{
    const block *k = context;
    const double all = k->near + k->beyond;
    position[0] = CONTACT * line_at(k, all * at[0]);
    position[1] = -CONTACT * line_at(k, all * (1 - at[1])); /* the surface is at 0 */
    position[2] = 0;
}

/* ---- Pressing ---- */

typedef struct {
    double force; /* N; of the cylinder: of both halves, a metre of it */
    double width; /* m: where the pressure ends */
    double peak;  /* Pa, of the node on the axis */
    double off;   /* of the pressure from Hertz' half ellipse, root mean square within 0.9 a, of its peak */
} hertz_result;

/* Half-width by force, m. */
static double width_by(sw_fem_kinematics kind, double force)
{
    return kind == SW_FEM_AXISYMMETRIC ? cbrt(0.75 * force * TOOL_RADIUS / modulus())
                                       : sqrt(4 * force * TOOL_RADIUS / (PI * modulus()));
}

static double peak_by(sw_fem_kinematics kind, double force)
{
    const double a = width_by(kind, force);
    return kind == SW_FEM_AXISYMMETRIC ? 1.5 * force / (PI * a * a) : 2 * force / (PI * a);
}

/* Along the surface from the axis: where the pressure's square, which is straight in r^2, comes to 0, by least
 * squares over nodes with at least a fifth of the peak. */
static double width_of(const fem_body *b, const double *pressure, const sw_fem_set *top, double peak)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int64_t i = 0; i < top->n; i++) {
        const double r = b->mesh->position[2 * top->member[i]], p = pressure[top->member[i]];
        if (p < 0.2 * peak)
            continue;
        n += 1;
        x += r * r;
        y += p * p;
        xx += r * r * r * r;
        xy += r * r * p * p;
    }
    const double slope = (n * xy - x * y) / (n * xx - x * x);
    return sqrt(x / n - y / n / slope);
}

static hertz_result press(sw_fem_kinematics kind, block k, double depth)
{
    const int all = k.near + k.beyond;
    fem_body b;
    fem_run r;
    fem_make(&b, fem_grid((const int[3]){all, all, 0}, 0, block_at, &k), kind, 1, elastic);
    b.problem.strain = SW_FEM_FINITE;
    b.options = sw_fem_default_options(&b.problem, SW_FEM_DEVICE_CPU);
    fem_fix_set(&b, 0, "x_min", 0, 0);
    fem_fix_set(&b, 0, "y_min", 1, 0);
    const sw_fem_tool tool = {.name = "indenter",
                              .shape = kind == SW_FEM_AXISYMMETRIC ? SW_FEM_SPHERE : SW_FEM_CYLINDER,
                              .point = {0, TOOL_RADIUS},
                              .direction = {0, 0, kind != SW_FEM_AXISYMMETRIC},
                              .radius = TOOL_RADIUS};
    fem_add_tool(&b, tool, "y_max", NULL, 0, (const double[]){0, -depth});
    fem_open(&b, &r);
    fem_load(&b, &r, 1);
    double *pressure = zeros(b.N, sizeof *pressure);
    CHECK_OK(sw_fem_read(r.fem, &(sw_fem_fields){.contact_pressure = pressure}));
    const sw_fem_set *top = fem_nodes(&b, "y_max");
    hertz_result h = {.force = -r.force[2 * b.N + 1] * (kind == SW_FEM_AXISYMMETRIC ? 1 : 2)};
    h.peak = pressure[top->member[0]];
    h.width = width_of(&b, pressure, top, h.peak);
    const double width = width_by(kind, h.force), peak = peak_by(kind, h.force);
    double sum = 0, n = 0;
    for (int64_t i = 0; i < top->n; i++) {
        const double at = b.mesh->position[2 * top->member[i]] / width;
        if (at < 0.9) {
            const double off = pressure[top->member[i]] / peak - sqrt(1 - at * at);
            sum += off * off;
            n++;
        }
    }
    h.off = sqrt(sum / n);
    free(pressure);
    fem_close(&r);
    fem_free(&b);
    return h;
}

static void say(const char *what, const block *k, sw_fem_kinematics kind, const hertz_result *h)
{
    print_message(
        "%s, %d elements across 1.5 a, block of %g a: width %+.2f %%, peak %+.2f %%, distribution off by "
        "%.2f %%\n",
        what, k->near, k->far, 100 * (h->width / width_by(kind, h->force) - 1),
        100 * (h->peak / peak_by(kind, h->force) - 1), 100 * h->off);
}

/* F = 4/3 E* sqrt(R) d^1.5. A half space cut off at a distance r lacks what is beyond it: some F (1 - nu^2) / (pi E
 * r) of the depth, which is 0.42 a / r of it, so that the force is 0.6 a / r too large: 0.3 % of a block of 200 a.
 * The penalty lets in p h / 100 E of an element's depth, 4e-4 of the indentation. */
static void test_sphere(void **state)
{
    (void)state;
    const double depth = CONTACT * CONTACT / TOOL_RADIUS;
    const double exact = 4.0 / 3 * modulus() * sqrt(TOOL_RADIUS) * pow(depth, 1.5);
    static const block all[] = {{10, 16, 200}, {20, 26, 200}, {40, 44, 200}, {20, 20, 50}, {20, 23, 100}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const hertz_result h = press(SW_FEM_AXISYMMETRIC, all[i], depth);
        say("sphere", &all[i], SW_FEM_AXISYMMETRIC, &h);
        print_message("    force %+.2f %% of Hertz'\n", 100 * (h.force / exact - 1));
        if (all[i].near == 40) {
            CHECK_CLOSE(h.force, exact, 0.01 * exact);
            CHECK_CLOSE(h.width, width_by(SW_FEM_AXISYMMETRIC, h.force), 0.01 * CONTACT);
            CHECK_CLOSE(h.peak, peak_by(SW_FEM_AXISYMMETRIC, h.force), 0.01 * h.peak);
            CHECK_CLOSE(h.off, 0, 0.005);
        }
    }
}

/* In the plane the depth depends on where the body ends, the pressure by force does not. */
static void test_cylinder(void **state)
{
    (void)state;
    static const block all[] = {{10, 12, 50}, {20, 20, 50}, {40, 34, 50}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        /* d = a^2 / 2 R (2 ln (4 far) - ...): the logarithm's leading part makes the half-width nearly a */
        const double depth = CONTACT * CONTACT / (2 * TOOL_RADIUS) * (log(4 * all[i].far) + 0.5);
        const hertz_result h = press(SW_FEM_PLANE_STRAIN, all[i], depth);
        say("cylinder", &all[i], SW_FEM_PLANE_STRAIN, &h);
        print_message("    half-width %.4f mm\n", 1e3 * h.width);
        if (all[i].near == 40) {
            CHECK_CLOSE(h.width, width_by(SW_FEM_PLANE_STRAIN, h.force), 0.01 * CONTACT);
            CHECK_CLOSE(h.peak, peak_by(SW_FEM_PLANE_STRAIN, h.force), 0.01 * h.peak);
            CHECK_CLOSE(h.off, 0, 0.005);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_cylinder),
    };
    omp_set_num_threads(1); /* bodies this small: threads only wait for each other */
    return cmocka_run_group_tests_name("Hertz", tests, NULL, NULL);
}
