/* `elastoplastic` against `iterative`, the elasto-viscoplastic model: the whole deviatoric stress, textures,
 * unloading and cycles, with steps of 2 %. */
#include "tests/crystals.h"

#include "common/crystal/crystal_model.h"
#include "common/math/random.h"
#include "common/math/rotation.h"

enum { N = 256, LEGS_MAX = 3 };

static const double strain_increment = 0.02; /* ||D||_F dt */

typedef struct {
    double gradient[3][3], strain; /* 1/s; ||D||_F t */
} leg;

static double rate_of(const double l[3][3])
{
    double square = 0;
    for (int k = 0; k < 9; k++)
        square += pow((l[k / 3][k % 3] + l[k % 3][k / 3]) / 2, 2);
    return sqrt(square);
}

/* Crystals within `spread` (rad) of an ideal orientation (Bunge, rad); NULL: random ones. */
static void make_crystals(const double ideal[3], double spread, sw_crystal *crystal)
{
    for (int n = 0; n < N; n++) {
        double euler[3], g[3][3], turn[3][3], turned[3][3], u[4];
        sw_random_orientation(1, (uint64_t)n, euler);
        if (ideal != NULL) {
            sw_random_uniform4(2, (uint64_t)n, 0, u);
            const double size = spread * cbrt(u[0]), z = 2 * u[1] - 1, flat = sqrt(1 - z * z);
            const double spin[3] = {size * z, size * flat * cos(2 * SW_PI * u[2]),
                                    size * flat * sin(2 * SW_PI * u[2])};
            sw_rotation_from_euler(ideal, g);
            sw_rotation_from_spin(spin, turn);
            sw_multiply(turn, g, turned);
            sw_euler_from_rotation(turned, euler);
        }
        crystal[n] = (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, 16e6F};
    }
}

static sw_response *open_solver(const char *solver, const sw_material *material)
{
    sw_response *response;
    CHECK_OK(sw_response_open(&(sw_response_options){.solver = solver, .material = material}, &response));
    return response;
}

static void step(sw_response *response, const double l[3][3], double strain, const sw_crystals *crystals,
                 double deviator[3][3])
{
    sw_response_average a;
    CHECK_OK(sw_response_step(response, l, strain / rate_of(l), crystals, crystals, &a));
    const double mean = (a.cauchy_stress[0][0] + a.cauchy_stress[1][1] + a.cauchy_stress[2][2]) / 3;
    for (int k = 0; k < 9; k++)
        deviator[k / 3][k % 3] = a.cauchy_stress[k / 3][k % 3] - (k % 4 == 0 ? mean : 0);
}

static double misorientation(const sw_crystal *a, const sw_crystal *b)
{
    const double x[3] = {a->euler[0], a->euler[1], a->euler[2]},
                 y[3] = {b->euler[0], b->euler[1], b->euler[2]};
    double g[3][3], h[3][3], square = 0;
    sw_rotation_from_euler(x, g);
    sw_rotation_from_euler(y, h);
    for (int k = 0; k < 9; k++)
        square += pow(g[k / 3][k % 3] - h[k / 3][k % 3], 2);
    return 2 * asin(fmin(1, sqrt(square / 8))) * 180 / SW_PI;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Relative L2 of the whole deviator over the history, but for the first 3 % after each change of load; final
 * orientations: the mean within `turn` degrees, 95 % of them within five times that. */
static void compare_of(const sw_material *material, const char *what, const leg *legs, int n_legs,
                       const double ideal[3], double spread, double bound, double turn)
{
    static sw_crystal own[N], exact[N];
    sw_response *a = open_solver("elastoplastic", material), *b = open_solver("iterative", material);
    double difference = 0, size = 0, off[N], mean = 0;
    make_crystals(ideal, spread, own);
    memcpy(exact, own, sizeof own);
    sw_crystals one = crystals_of(a, N, own, NULL), other = crystals_of(b, N, exact, NULL);
    for (int k = 0; k < n_legs; k++)
        for (double done = 0; done < legs[k].strain - 1e-9; done += strain_increment) {
            double s[3][3], t[3][3];
            step(a, legs[k].gradient, strain_increment, &one, s);
            step(b, legs[k].gradient, strain_increment, &other, t);
            for (int c = 0; c < 9 && done + strain_increment > 0.03; c++) {
                difference += pow(s[c / 3][c % 3] - t[c / 3][c % 3], 2);
                size += pow(t[c / 3][c % 3], 2);
            }
        }
    sw_crystals_release(&one);
    sw_crystals_release(&other);
    sw_response_close(a);
    sw_response_close(b);
    for (int n = 0; n < N; n++)
        mean += (off[n] = misorientation(&own[n], &exact[n])) / N;
    qsort(off, N, sizeof *off, ascending);
    print_message("%-24s tensor %.3f %%, orientations: mean %.3f, 95 %% of them %.3f degrees\n", what,
                  100 * sqrt(difference / size), mean, off[N * 95 / 100]);
    CHECK_CLOSE(sqrt(difference / size), 0, bound);
    CHECK_CLOSE(mean, 0, turn);
    CHECK_CLOSE(off[N * 95 / 100], 0, 5 * turn);
}

static void compare(const char *what, const leg *legs, int n_legs, const double ideal[3], double spread,
                    double bound, double turn)
{
    const sw_material material = copper();
    compare_of(&material, what, legs, n_legs, ideal, spread, bound, turn);
}

#define COMPRESSION                              \
    {                                            \
        {1e-3, 0, 0}, {0, 0, 0}, { 0, 0, -1e-3 } \
    }
#define SHEAR                                \
    {                                        \
        {0, 1e-3, 0}, {0, 0, 0}, { 0, 0, 0 } \
    }
#define TENSION                                      \
    {                                                \
        {-5e-4, 0, 0}, {0, 1e-3, 0}, { 0, 0, -5e-4 } \
    }

/* 0.16 % in compression and tension and 0.21 % in shear are measured with 512 crystals: half of it what steps
 * of 2 % leave, half what small elastic strains do. */
static void random_textures_are_as_iterated(void **state)
{
    (void)state;
    const leg compression = {COMPRESSION, 1.4}, shear = {SHEAR, 0.7}, tension = {TENSION, 0.6};
    compare("plane strain compression", &compression, 1, NULL, 0, 0.003, 0.1);
    compare("simple shear", &shear, 1, NULL, 0, 0.003, 0.1);
    compare("tension", &tension, 1, NULL, 0, 0.003, 0.1);
}

/* What a step of 2 % makes of the transient after a change is most of the 0.8 %. */
static void a_path_is_as_iterated(void **state)
{
    (void)state;
    const leg path[3] = {{COMPRESSION, 0.4}, {SHEAR, 0.4}, {TENSION, 0.4}};
    compare("path of three", path, 3, NULL, 0, 0.012, 0.1);
    for (int i = 0; i < 3; i++) {
        static const char *const others[] = {"aluminium", "iron", "tantalum"};
        sw_material *material;
        CHECK_OK(sw_material_open(data_path("materials/%s.yaml", others[i]), &material));
        compare_of(material, others[i], path, 3, NULL, 0, 0.012, 0.1);
        sw_material_close(material);
    }
}

/* The first 3 % after a change, in steps of 0.2 %: relative L2 of the whole deviator over them; the first step is the
 * worst, at most 3.4 %. */
static void transient(const char *what, const double before[3][3], const double after[3][3])
{
    static sw_crystal own[N], exact[N];
    const sw_material material = copper();
    sw_response *a = open_solver("elastoplastic", &material), *b = open_solver("iterative", &material);
    double s[3][3], t[3][3], difference = 0, size = 0, worst = 0;
    make_crystals(NULL, 0, own);
    memcpy(exact, own, sizeof own);
    sw_crystals one = crystals_of(a, N, own, NULL), other = crystals_of(b, N, exact, NULL);
    for (int k = 0; k < 25; k++) {
        const double strain = k < 10 ? 0.02 : 0.002;
        double off = 0, here = 0;
        step(a, k < 10 ? before : after, strain, &one, s);
        step(b, k < 10 ? before : after, strain, &other, t);
        for (int c = 0; c < 9 && k >= 10; c++) {
            off += pow(s[c / 3][c % 3] - t[c / 3][c % 3], 2);
            here += pow(t[c / 3][c % 3], 2);
        }
        difference += off;
        size += here;
        worst = k >= 10 ? greatest(worst, sqrt(off / here)) : 0;
    }
    sw_crystals_release(&one);
    sw_crystals_release(&other);
    sw_response_close(a);
    sw_response_close(b);
    print_message("%-24s transient %.2f %%, worst step %.2f %%\n", what, 100 * sqrt(difference / size),
                  100 * worst);
    CHECK_CLOSE(sqrt(difference / size), 0, 0.015);
    CHECK_CLOSE(worst, 0, 0.04);
}

static void transients_are_as_iterated(void **state)
{
    (void)state;
    const double compression[3][3] = COMPRESSION, shear[3][3] = SHEAR, tension[3][3] = TENSION,
                 back[3][3] = {{-1e-3, 0, 0}, {0, 0, 0}, {0, 0, 1e-3}};
    transient("compression to shear", compression, shear);
    transient("compression to tension", compression, tension);
    transient("shear to tension", shear, tension);
    transient("shear to compression", shear, compression);
    transient("compression and back", compression, back);
}

/* Where `rigid_plastic` was 6 to 46 % off: 0.2 to 0.5 %. The rotated cube is unstable in compression: what crystals
 * near it differ by, 0.12 degrees in the mean at the end, grows as they leave it. */
static void ideal_orientations_are_as_iterated(void **state)
{
    (void)state;
    const leg compression = {COMPRESSION, 1};
    const double cube[3] = {SW_PI / 4, 0, 0}, goss[3] = {0, SW_PI / 4, 0}, near = 2 * SW_PI / 180;
    compare("rotated cube", &compression, 1, cube, 0, 0.006, 0.1);
    compare("Goss", &compression, 1, goss, 0, 0.006, 0.1);
    compare("near rotated cube", &compression, 1, cube, near, 0.006, 0.15);
    compare("near Goss", &compression, 1, goss, near, 0.006, 0.1);
}

/* The mean over crystals of the stress 22 per strain along `direction`, a deviator of size 1: Voigt's. */
static double voigt_stiffness(const sw_material *material, const sw_crystal *crystal,
                              const double direction[3][3])
{
    double mean = 0;
    for (int n = 0; n < N; n++) {
        const double euler[3] = {crystal[n].euler[0], crystal[n].euler[1], crystal[n].euler[2]};
        double g[3][3], back[3][3], d[3][3], own[3][3], stress[3][3];
        sw_rotation_from_euler(euler, g);
        for (int k = 0; k < 9; k++) {
            back[k / 3][k % 3] = g[k % 3][k / 3];
            d[k / 3][k % 3] = direction[k / 3][k % 3];
        }
        sw_rotate_tensor(back, d, own);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                own[i][j] *= i == j ? material->elasticity.c11 - material->elasticity.c12
                                    : 2 * material->elasticity.c44;
        sw_rotate_tensor(g, own, stress);
        mean += stress[1][1] / N;
    }
    return mean;
}

/* After 2e-4 of unloading slip is gone with (1 - 0.2)^83 and what unloads is elastic; so is what loads again,
 * as far. Stress is the difference of two of 100 MPa in single precision, 1e-5 of a change of 5 MPa. */
static void unloading_is_elastic(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    const sw_material material = copper();
    const double load[3][3] = TENSION;
    double unload[3][3], unit[3][3], s[3][3], before;
    sw_response *r = open_solver("elastoplastic", &material);
    for (int k = 0; k < 9; k++) {
        unload[k / 3][k % 3] = -load[k / 3][k % 3];
        unit[k / 3][k % 3] = load[k / 3][k % 3] / rate_of(load);
    }
    make_crystals(NULL, 0, crystal);
    sw_crystals c = crystals_of(r, N, crystal, NULL);
    for (int k = 0; k < 10; k++)
        step(r, load, strain_increment, &c, s);
    for (int k = 0; k < 3; k++)
        step(r, (const double(*)[3])unload, 1e-4, &c, s);
    for (int k = 0; k < 8; k++) {
        const int reloads = k >= 5;
        before = s[1][1];
        step(r, reloads ? load : (const double(*)[3])unload, 5e-5, &c, s);
        const double slope = (s[1][1] - before) / (reloads ? 5e-5 : -5e-5);
        CHECK_CLOSE(slope / voigt_stiffness(&material, crystal, (const double(*)[3])unit), 1,
                    2e-3); /* Cauchy's stress has eS + Se of elastic strains of 1e-3 besides */
    }
    sw_crystals_release(&c);
    sw_response_close(r);
}

/* Ten cycles of simple shear by 1 %, in steps of at most 1 % of strain: 0.08 % at most at the peaks. */
static void cycles_are_as_iterated(void **state)
{
    (void)state;
    static sw_crystal own[N], exact[N];
    const sw_material material = copper();
    sw_response *a = open_solver("elastoplastic", &material), *b = open_solver("iterative", &material);
    make_crystals(NULL, 0, own);
    memcpy(exact, own, sizeof own);
    sw_crystals one = crystals_of(a, N, own, NULL), other = crystals_of(b, N, exact, NULL);
    double worst = 0;
    for (int half = 0; half <= 20; half++) {
        const double sign = half % 2 ? -1 : 1;
        const double l[3][3] = {{0, sign * 1e-3, 0}, {0, 0, 0}, {0, 0, 0}};
        const int steps = half == 0 ? 1 : 2; /* of a shear of 1 % */
        double s[3][3], t[3][3];
        for (int k = 0; k < steps; k++) {
            step(a, l, 0.01 / sqrt(2), &one, s);
            step(b, l, 0.01 / sqrt(2), &other, t);
        }
        worst = greatest(worst, fabs(s[0][1] / t[0][1] - 1));
    }
    sw_crystals_release(&one);
    sw_crystals_release(&other);
    sw_response_close(a);
    sw_response_close(b);
    print_message("peaks of ten cycles: %.3f %%\n", 100 * worst);
    CHECK_CLOSE(worst, 0, 0.003);
}

/* A hold after flow: the stress relaxes, a little; the response says nothing else of D = 0. */
static void a_hold_relaxes(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    const sw_material material = copper();
    const double load[3][3] = TENSION, none[3][3] = {{0}};
    double s[3][3];
    sw_response *r = open_solver("elastoplastic", &material);
    sw_response_average average;
    make_crystals(NULL, 0, crystal);
    sw_crystals c = crystals_of(r, N, crystal, NULL);
    for (int k = 0; k < 5; k++)
        step(r, load, strain_increment, &c, s);
    CHECK_OK(sw_response_step(r, none, 100, &c, &c, &average));
    /* over 100 s of loading at 1e-3 1/s: slip rates fall to some 1e-4 of them, stresses by m ln 1e4 at most */
    const double left = average.cauchy_stress[1][1] / s[1][1];
    assert_true(left < 0.995 && left > 1 - 0.012 * log(1e4));
    assert_true(average.slip_rate > 0 && average.slip_rate < 1e-5);
    sw_crystals_release(&c);
    sw_response_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_textures_are_as_iterated),
        cmocka_unit_test(a_path_is_as_iterated),
        cmocka_unit_test(transients_are_as_iterated),
        cmocka_unit_test(ideal_orientations_are_as_iterated),
        cmocka_unit_test(unloading_is_elastic),
        cmocka_unit_test(cycles_are_as_iterated),
        cmocka_unit_test(a_hold_relaxes),
    };
    return cmocka_run_group_tests_name("elastoplastic against the model", tests, NULL, NULL);
}
