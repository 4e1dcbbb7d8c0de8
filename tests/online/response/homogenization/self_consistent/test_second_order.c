/* The second-order self-consistent scheme: moments of stress in linear polycrystals against differences and a closed form, its place
 * among other estimates, VPSC8's numbers, its limits, bits, and what is refused. */
#include "tests/online/response/homogenization/polycrystals.h"

#include <omp.h>

#include "common/math/random.h"
#include "online/response/homogenization/self_consistent/point.h"

/* ---- The engine with grains whose systems have a resistance each, and a reference rate of 1 ---- */

enum { MOST = 200, S = 24 };

typedef struct {
    int n, systems;
    double turn[MOST][3][3], resistance[MOST * S], weight[MOST];
    sw_slip_systems of;
    sw_sc_slip *slip;
    sw_state_layout layout;
    sw_crystals grains;
    sw_sc_phase phase;
    sw_sc_rules rules;
    sw_sc_work *work;
    sw_sc_medium medium;
    double map[3][3]; /* F of the ellipsoid */
    int by_vpsc;      /* by its directions, of a sphere */
} polycrystal;

/* Random grains of resistances 1. */
static void make(polycrystal *p, const sw_slip_systems *systems, int n, double exponent,
                 sw_sc_linearization linearization, double tolerance)
{
    sw_slip_law law;
    memset(p, 0, sizeof *p);
    p->n = n;
    p->systems = systems->count;
    p->of = *systems;
    memset(&law, 0, sizeof law);
    law.law = SW_LAW_extended_voce;
    law.systems = law.groups = systems->count;
    law.two_way = systems->two_way;
    law.families = 1;
    for (int a = 0; a < systems->count; a++)
        law.group[a] = a;
    CHECK_OK(sw_sc_slip_make(systems, &law, NULL, exponent, 1, &p->slip));
    p->layout.numbers = SW_SC_KEPT + p->systems + 1;
    p->grains = (sw_crystals){.device = SW_CPU, .n = n, .layout = &p->layout};
    p->grains.crystal = calloc((size_t)n, sizeof *p->grains.crystal);
    p->grains.state = calloc((size_t)(n * p->layout.numbers), sizeof *p->grains.state);
    for (int i = 0; i < n; i++) {
        double euler[3];
        sw_random_orientation(7, (uint64_t)i, euler);
        sw_rotation_from_euler(euler, p->turn[i]);
        p->weight[i] = 1;
    }
    for (int k = 0; k < n * p->systems; k++)
        p->resistance[k] = 1;
    for (int k = 0; k < 9; k++)
        p->map[k / 3][k % 3] = k % 4 == 0;
    p->phase = (sw_sc_phase){.slip = p->slip,
                             .grains = p->grains,
                             .turn = (const double(*)[3][3])p->turn,
                             .resistance = p->resistance,
                             .weight = p->weight};
    p->rules = sw_sc_standard_rules(linearization, 10, exponent);
    p->rules.stress_tolerance = p->rules.rate_tolerance = p->rules.moduli_tolerance = tolerance;
    p->rules.newton_tolerance = 1e-12;
    p->rules.outer = 1000;
    CHECK_OK(sw_sc_work_make(1, &p->phase, &p->rules, &p->work));
}

static void drop(polycrystal *p)
{
    sw_sc_work_free(p->work);
    free(p->grains.crystal);
    free(p->grains.state);
    free(p->slip);
}

static void fcc_systems(sw_slip_systems *systems)
{
    const sw_material m = copper();
    CHECK_OK(sw_material_systems(&m, systems));
}

/* S . D under this D. */
static double solve(polycrystal *p, const double l[3][3])
{
    double work = 0;
    memset(&p->medium, 0, sizeof p->medium);
    p->medium.phases = 1;
    sw_sc_begin_point(l, NULL, &p->medium);
    const double aspect = sw_sc_shape_of((const double(*)[3])p->map, &p->medium.of[0].shape);
    const sw_sc_directions directions = p->by_vpsc ? sw_sc_directions_of_vpsc((const double[3]){1, 1, 1})
                                                   : sw_sc_directions_for(aspect, 1e-6);
    sw_sc_solve(p->work, &p->phase, &p->rules, &directions, &p->medium, 1);
    if (!p->medium.converged)
        fail_msg("n %g: misses its tolerance by %g, %g, %g", p->medium.exponent, p->medium.error[0],
                 p->medium.error[1], p->medium.error[2]);
    for (int i = 0; i < 5; i++)
        work += p->medium.s[i] * p->medium.d[i];
    return work;
}

/* Schmid tensor of a grain's system, sample frame. */
static void schmid_of(const polycrystal *p, int grain, int a, double v[5])
{
    double b[3] = {0}, n[3] = {0}, t[3][3];
    for (int k = 0; k < 9; k++) {
        b[k / 3] += p->turn[grain][k / 3][k % 3] * p->of.direction[a][k % 3];
        n[k / 3] += p->turn[grain][k / 3][k % 3] * p->of.normal[a][k % 3];
    }
    for (int k = 0; k < 9; k++)
        t[k / 3][k % 3] = b[k / 3] * n[k % 3];
    sw_sc_rate_of((const double(*)[3])t, v);
}

/* Its tau at the mean, and the variance. */
static double tau_of(const polycrystal *p, int grain, int a, double *variance)
{
    double c[5][5], s[5], d[5], v[5], tau = 0;
    sw_sc_grain_of(p->work, &p->phase, 0, grain, s, d, NULL);
    sw_sc_grain_covariance(p->work, 0, grain, c);
    schmid_of(p, grain, a, v);
    *variance = 0;
    for (int i = 0; i < 5; i++) {
        tau += v[i] * s[i];
        for (int j = 0; j < 5; j++)
            *variance += v[i] * c[i][j] * v[j];
    }
    return tau;
}

static double square_of(const polycrystal *p, int grain, int a)
{
    double variance;
    const double tau = tau_of(p, grain, a, &variance);
    return tau * tau + variance;
}

static const double squeezed[3][3] = {{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, -1}},
                    sheared[3][3] = {{0.3, 0.9, 0}, {-0.2, 0.2, 0.4}, {0, 0.1, -0.5}};

/* ---- Linear ---- */

/* S D changes with 1/g of a system in a grain by - c < tau^2 >: central differences of 1e-4, relative error 1e-6 at most. Grains resist and weigh
 * differently, in a medium of ellipsoids of some 3 to 1. */
static void moments_are_derivatives(void **state)
{
    (void)state;
    static polycrystal p;
    sw_slip_systems fcc;
    double sum = 0;
    fcc_systems(&fcc);
    make(&p, &fcc, 20, 1, SW_SC_SECOND_ORDER, 1e-11);
    p.map[0][0] = 2;
    p.map[1][1] = 0.7;
    p.map[0][1] = 0.5;
    for (int i = 0; i < p.n; i++) {
        p.weight[i] = 1 + i % 3;
        sum += p.weight[i];
        for (int a = 0; a < p.systems; a++)
            p.resistance[i * p.systems + a] = 1 + (7 * i + 5 * a) % 11;
    }
    for (int t = 0; t < 6; t++) {
        const int grain = 3 * t, a = (5 * t + 1) % p.systems;
        double *const g = &p.resistance[grain * p.systems + a], kept = *g, work[2];
        solve(&p, sheared);
        const double square = square_of(&p, grain, a) * p.weight[grain] / sum;
        for (int k = 0; k < 2; k++) {
            *g = 1 / (1 / kept + (k == 0 ? -1e-4 : 1e-4));
            work[k] = solve(&p, sheared);
        }
        *g = kept;
        CHECK_CLOSE((work[0] - work[1]) / 2e-4, square, 3e-6 * square);
    }
    drop(&p);
}

/* The 60 rotations of the icosahedron, by quaternions: axes through 12 vertices, 20 faces, 30 edges. They make any tensor of fourth order isotropic, to
 * rounding. */
static int icosahedral(double (*turn)[3][3])
{
    const double golden = 0.5 * (1 + sqrt(5));
    const double value[4] = {0, 1, 0.5, 0.5 * golden};
    static const int even[12][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 3, 2},
                                    {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 0, 1, 3}, {2, 1, 3, 0},
                                    {2, 3, 0, 1}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 2, 1, 0}};
    double q[128][4];
    int n = 0, kept = 0;
    for (int k = 0; k < 4; k++) {
        memset(q[n], 0, sizeof q[n]);
        q[n++][k] = 1;
    }
    for (int sign = 0; sign < 16; sign++)
        for (int k = 0; k < 4; k++)
            q[n + sign][k] = sign >> k & 1 ? -0.5 : 0.5;
    n += 16;
    for (int e = 0; e < 12; e++)
        for (int sign = 0; sign < 8; sign++, n++) {
            const double of[4] = {0, sign & 1 ? -0.5 : 0.5, sign & 2 ? -value[3] : value[3],
                                  sign & 4 ? -0.5 / golden : 0.5 / golden};
            for (int k = 0; k < 4; k++)
                q[n][even[e][k]] = of[k];
        }
    for (int i = 0; i < n; i++) {
        int first = 0;
        while (first < 4 && fabs(q[i][first]) < 1e-9)
            first++;
        if (q[i][first] < 0) /* its negative is the same rotation */
            continue;
        const double w = q[i][0], x = q[i][1], y = q[i][2], z = q[i][3];
        const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        memcpy(turn[kept++], r, sizeof r);
    }
    return kept;
}

/* Linear cubic crystals: compliances a of two diagonal shears, b of three others. Spheres in an isotropic medium m: M~ = 2/3 m, and
 * (2 / (2 m / 3 + a) + 3 / (2 m / 3 + b)) / 5 = 3 / (5 m). dm by differences of that equation; systems' sum of < tau^2 > is
 * the part of a of < s s > by 1/3, of b by 1/2 (12 systems: a = 4/3, b = 8/9 at resistance 1... as found below). */
static double isotropic_of(double a, double b)
{
    double low = fmin(a, b), high = fmax(a, b);
    for (int i = 0; i < 200; i++) {
        const double m = 0.5 * (low + high), t = 2 * m / 3;
        *(2 / (t + a) / 5 + 3 / (t + b) / 5 > 3 / (5 * m) ? &high : &low) = m;
    }
    return low;
}

static void moments_have_a_closed_form(void **state)
{
    (void)state;
    static polycrystal p;
    sw_slip_systems fcc;
    double cube[5][5] = {{0}}, square = 0, parts[2] = {0};
    fcc_systems(&fcc);
    make(&p, &fcc, 60, 1, SW_SC_SECOND_ORDER, 1e-11);
    assert_int_equal(icosahedral(p.turn), 60);
    for (int s = 0; s < p.systems; s++) {
        double v[5];
        schmid_of(&p, 0, s, v);
        for (int k = 0; k < 25; k++)
            cube[k / 5][k % 5] += v[k / 5] * v[k % 5];
    }
    const double a = cube[0][0], b = cube[2][2], m = isotropic_of(a, b), h = 1e-6;
    CHECK_CLOSE(cube[1][1], a, 1e-12);
    assert_true(b / a > 1.5 || a / b > 1.5);
    const double work = solve(&p, squeezed);
    for (int i = 0; i < 5; i++)
        square += p.medium.s[i] * p.medium.s[i];
    CHECK_CLOSE(work, 1.5 / m, 1e-7 * work); /* |D|^2 = 1.5; M has 1e-7 of its trace more */
    for (int g = 0; g < 60; g++) {
        double c[5][5], s[5], d[5], q[5][5], r[3][3];
        sw_sc_grain_of(p.work, &p.phase, 0, g, s, d, NULL);
        sw_sc_grain_covariance(p.work, 0, g, c);
        memcpy(r, p.turn[g], sizeof r);
        for (int j = 0; j < 5; j++) { /* q: to the crystal */
            double t[3][3] = {{0}}, in[3][3] = {{0}}, v[5];
            for (int k = 0; k < 6; k++)
                t[sw_six_row(k)][sw_six_column(k)] = t[sw_six_column(k)][sw_six_row(k)] =
                    sw_deviator_basis(j, k);
            for (int k = 0; k < 81; k++)
                in[k / 27][k / 9 % 3] += r[k / 3 % 3][k / 27] * t[k / 3 % 3][k % 3] * r[k % 3][k / 9 % 3];
            sw_sc_rate_of((const double(*)[3])in, v);
            for (int i = 0; i < 5; i++)
                q[i][j] = v[i];
        }
        for (int k = 0; k < 125; k++) {
            const int i = k / 25, x = k / 5 % 5, y = k % 5;
            parts[i > 1] += q[i][x] * (c[x][y] + s[x] * s[y]) * q[i][y] / 60;
        }
    }
    const double by_a = (isotropic_of(a + h, b) - isotropic_of(a - h, b)) / (2 * h),
                 by_b = (isotropic_of(a, b + h) - isotropic_of(a, b - h)) / (2 * h);
    CHECK_CLOSE(parts[0], by_a * square, 1e-7 * square);
    CHECK_CLOSE(parts[1], by_b * square, 1e-7 * square);
    drop(&p);
}

/* ---- Its place ---- */

/* The variational estimate of linear grains whose moduli are secants at the root of < tau^2 > (Ponte Castaneda 1991): a bound to
 * every estimate of the kind. By engines of n = 1, each system's resistance the inverse of its modulus. */
static double variational(const sw_slip_systems *systems, int n, double exponent)
{
    static polycrystal p;
    double work = 0;
    make(&p, systems, n, 1, SW_SC_SECOND_ORDER, 1e-7);
    for (int step = 0; step < 100; step++) {
        work = solve(&p, squeezed);
        for (int k = 0; k < n * p.systems; k++) {
            const double tau = sqrt(square_of(&p, k / p.systems, k % p.systems)),
                         next = pow(fmax(tau, 0.05), 1 - exponent);
            p.resistance[k] *= pow(next / p.resistance[k], 1 / exponent);
        }
    }
    drop(&p);
    return work;
}

/* Random FCC, n of 3, 10, 20: between Sachs' bound and the variational one, which is below Taylor's and the secant scheme; and below
 * affine moduli. */
static void estimates_are_in_order(void **state)
{
    (void)state;
    static polycrystal p;
    static const double exponent[] = {3, 10, 20};
    sw_slip_systems fcc;
    fcc_systems(&fcc);
    for (int k = 0; k < 3; k++) {
        double work[SW_SC_LINEARIZATIONS];
        for (int j = 0; j < SW_SC_LINEARIZATIONS; j++) {
            make(&p, &fcc, 200, exponent[k], (sw_sc_linearization)j, 1e-6);
            work[j] = solve(&p, squeezed);
            drop(&p);
        }
        const double bound = variational(&fcc, 200, exponent[k]);
        print_message("n = %g: tangent %.4f, second order %.4f, affine %.4f, variational %.4f, secant %.4f\n",
                      exponent[k], work[SW_SC_TANGENT], work[SW_SC_SECOND_ORDER], work[SW_SC_AFFINE], bound,
                      work[SW_SC_SECANT]);
        assert_true(work[SW_SC_SECOND_ORDER] < 0.999 * work[SW_SC_AFFINE]);
        assert_true(work[SW_SC_SECOND_ORDER] < 0.999 * bound);
        assert_true(bound < work[SW_SC_SECANT]);
    }
}

/* ---- VPSC8 ---- */

/* Its interaction 5, errs, errd, errm 1e-7, errso 1e-5, by -O3 -fdefault-real-8, of 40 grains along spirals that weigh 1, 2, 3:
 * deviator 11 22 33 23 13 12, and how stresses vary, between grains and in all, over von Mises' mean. It prints five and
 * three digits; a set of 100 directions that is turned another way is off by 1e-4. Ice: n = 3, prismatic slip 20 times as hard as
 * basal, pyramidal 200 times. FCC with twins one way, at 0.8 of slip, which none turn. */
typedef struct {
    const sw_lattice *lattice;
    const char *family[3];
    int twins;
    double c_over_a, exponent, resistance[3], l[3][3], deviator[6], between, all;
} reference;

static const double twins[12][8] = {
    {1, 1, 1, -2, 1, 1, NAN, NAN},   {1, 1, 1, 1, -2, 1, NAN, NAN},   {1, 1, 1, 1, 1, -2, NAN, NAN},
    {-1, 1, 1, 2, 1, 1, NAN, NAN},   {-1, 1, 1, -1, -2, 1, NAN, NAN}, {-1, 1, 1, -1, 1, -2, NAN, NAN},
    {-1, -1, 1, 2, -1, 1, NAN, NAN}, {-1, -1, 1, -1, 2, 1, NAN, NAN}, {-1, -1, 1, -1, -1, -2, NAN, NAN},
    {1, -1, 1, -2, -1, 1, NAN, NAN}, {1, -1, 1, 1, 2, 1, NAN, NAN},   {1, -1, 1, 1, -1, -2, NAN, NAN}};

static void check_reference(const reference *of)
{
    static polycrystal p;
    static const double squares[6] = {1, 1, 1, 2, 2, 2};
    sw_slip_systems systems;
    int family[3], n = 0;
    double sum = 0, six[6] = {0}, mises = 0, between = 0, within = 0;
    for (; n < 3 && of->family[n] != NULL; n++)
        family[n] = sw_lattice_family(of->lattice, of->family[n]);
    CHECK_OK(sw_slip_systems_of(of->lattice, of->c_over_a, n, family, &systems));
    if (of->twins)
        CHECK_OK(sw_slip_systems_add_list(of->lattice, 1, of->c_over_a, 12, twins, 1, &systems));
    make(&p, &systems, 40, of->exponent, SW_SC_SECOND_ORDER, 1e-7);
    for (int i = 0; i < 40; i++) {
        const double degree = SW_PI / 180,
                     euler[3] = {fmod(137.508 * i, 360) * degree, acos(1 - (2 * i + 1) / 40.0),
                                 fmod(61.803 * i, 360) * degree};
        sw_rotation_from_euler(euler, p.turn[i]);
        p.weight[i] = 1 + i % 3;
        sum += p.weight[i];
        for (int a = 0; a < p.systems; a++)
            p.resistance[i * p.systems + a] = of->resistance[systems.family[a]];
    }
    p.by_vpsc = 1;
    solve(&p, of->l);
    for (int k = 0; k < 6; k++)
        for (int a = 0; a < 5; a++)
            six[k] += p.medium.s[a] * sw_deviator_basis(a, k);
    for (int k = 0; k < 6; k++)
        mises += 1.5 * squares[k] * six[k] * six[k];
    for (int i = 0; i < 40; i++) {
        double s[5], d[5], c[5][5];
        sw_sc_grain_of(p.work, &p.phase, 0, i, s, d, NULL);
        sw_sc_grain_covariance(p.work, 0, i, c);
        for (int a = 0; a < 5; a++) {
            between += 1.5 * p.weight[i] / sum * s[a] * s[a];
            within += 1.5 * p.weight[i] / sum * c[a][a];
        }
    }
    for (int k = 0; k < 6; k++)
        CHECK_CLOSE(six[k], of->deviator[k], 2e-4 * sqrt(mises));
    CHECK_CLOSE(sqrt(between / mises - 1), of->between, 1e-3);
    CHECK_CLOSE(sqrt((between + within) / mises - 1), of->all, 1e-3);
    drop(&p);
}

static void vpsc_says_the_same(void **state)
{
    (void)state;
    const reference fcc = {.lattice = &sw_lattice_fcc,
                           .family = {"111"},
                           .c_over_a = 1,
                           .exponent = 20,
                           .resistance = {1},
                           .l = {{0.6, 0.3, -0.2}, {0.3, 0.1, 0.25}, {-0.2, 0.25, -0.7}},
                           .deviator = {1.0335, 0.32329, -1.3568, 0.51323, -0.48672, 0.47526},
                           .between = 0.250,
                           .all = 0.451},
                    twinned = {.lattice = &sw_lattice_fcc,
                               .family = {"111"},
                               .twins = 1,
                               .c_over_a = 1,
                               .exponent = 3,
                               .resistance = {1, 0.8},
                               .l = {{0.6, 0.3, -0.2}, {0.3, 0.1, 0.25}, {-0.2, 0.25, -0.7}},
                               .deviator = {0.79003, 0.22695, -1.017, 0.38537, -0.34539, 0.35704},
                               .between = 0.298,
                               .all = 0.411},
                    ice = {.lattice = &sw_lattice_hexagonal,
                           .family = {"prismatic", "basal", "pyramidal2_ca"},
                           .c_over_a = 1.629,
                           .exponent = 3,
                           .resistance = {20, 1, 200},
                           .l = {{0.5e-8, 0, 0}, {0, 0.5e-8, 0}, {0, 0, -1e-8}},
                           .deviator = {0.021823, 0.020682, -0.042505, 0.0015951, 0.0047631, -0.00083045},
                           .between = 0.765,
                           .all = 1.496};
    check_reference(&fcc);
    check_reference(&twinned);
    check_reference(&ice);
}

/* ---- Steps ---- */

/* Crystals of these after two steps, by so many threads; work by its end. */
static double step_with(const sw_material *m, int threads, int n, sw_crystal *crystal)
{
    sw_response *response =
        open_scheme(m, "self_consistent", (sw_self_consistent){.linearization = "second_order"});
    sw_response_average average = {0};
    double work = 0;
    omp_set_num_threads(threads);
    CHECK_OK(sw_crystals_randomise(SW_CPU, n, crystal, 6, 0, (float)m->slip.initial_slip_resistance));
    sw_crystals c = crystals_of(response, n, crystal, NULL);
    for (int k = 0; k < 2; k++)
        CHECK_OK(sw_response_advance(response, mixed, 20, &c, &c, &average));
    for (int k = 0; k < 9; k++)
        work += average.cauchy_stress[k / 3][k % 3] * mixed[k / 3][k % 3];
    sw_crystals_release(&c);
    sw_response_close(response);
    return work;
}

/* Copper, n = 83, and magnesium with twins one way: more than a block of grains, on one thread and two. */
static void bits_do_not_hang_on_threads(void **state)
{
    (void)state;
    enum { MANY = 600 };
    const int threads = omp_get_max_threads();
    const sw_material of[] = {copper(), material_of(hexagonal_24)};
    for (int i = 0; i < 2; i++) {
        static sw_crystal crystal[2][MANY];
        double work[2];
        for (int k = 0; k < 2; k++)
            work[k] = step_with(&of[i], 1 + k, MANY, crystal[k]);
        assert_memory_equal(crystal[1], crystal[0], sizeof crystal[0]);
        assert_true(work[0] == work[1] && work[0] > 0);
    }
    omp_set_num_threads(threads);
}

/* Grains of one orientation, and one alone, have stresses that vary nowhere, as `affine` has them; moments would have no scale. */
static void grains_that_are_alike_are_affine(void **state)
{
    (void)state;
    const sw_material of[] = {copper(), material_of(hexagonal_24)};
    for (int i = 0; i < 4; i++) {
        const sw_material *m = &of[i / 2];
        const int n = i % 2 ? 9 : 1;
        sw_response_average average[2];
        for (int s = 0; s < 2; s++) {
            sw_response *response = open_scheme(
                m, "self_consistent", (sw_self_consistent){.linearization = s ? "second_order" : "affine"});
            sw_crystal crystal[9];
            for (int k = 0; k < n; k++)
                crystal[k] = (sw_crystal){{0.3F, 0.7F, 1.1F}, (float)m->slip.initial_slip_resistance};
            sw_crystals c = crystals_of(response, n, crystal, NULL);
            for (int k = 0; k < 6; k++)
                CHECK_OK(sw_response_step(response, plane_strain, 20, &c, &c, &average[s]));
            sw_crystals_release(&c);
            sw_response_close(response);
        }
        for (int k = 0; k < 9; k++)
            CHECK_CLOSE(average[1].cauchy_stress[k / 3][k % 3], average[0].cauchy_stress[k / 3][k % 3],
                        1e-4 * fabs(average[0].cauchy_stress[0][0]));
    }
}

/* The stress of n random crystals of a seed is found, to 1e-6. */
static void find_few(const sw_material *m, int n, uint64_t seed, const double l[3][3])
{
    sw_response *response = open_scheme(
        m, "self_consistent", (sw_self_consistent){.linearization = "second_order", .tolerance = 1e-6});
    sw_crystal crystal[4];
    sw_response_average average;
    CHECK_OK(sw_crystals_randomise(SW_CPU, n, crystal, seed, 0, (float)m->slip.initial_slip_resistance));
    sw_crystals c = crystals_of(response, n, crystal, NULL);
    if (sw_response_step(response, l, 1, &c, &c, &average) != SW_OK)
        fail_msg("%d crystals of seed %d: %s", n, (int)seed, sw_error_message());
    sw_crystals_release(&c);
    sw_response_close(response);
}

/* Two grains of copper (n = 83), whose moduli by a first guess that varies much have more digits than double precision, and few of
 * zirconium, of which twins have tau about 0: a modulus that were none below it would have no equilibrium. Of 600 and 480 such polycrystals
 * these failed once, and all others had an answer. */
static void few_grains_have_an_answer(void **state)
{
    (void)state;
    static const uint64_t pairs[] = {6, 56, 73, 84, 98, 136, 147, 175, 237, 261, 288};
    const sw_material metal = copper();
    sw_material zirconium;
    CHECK_OK(sw_material_read(data_path("materials/zirconium-76K.yaml"), &zirconium));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        find_few(&metal, 2, pairs[i], plane_strain);
    find_few(&zirconium, 4, 7, plane_strain);
    for (uint64_t seed = 1; seed <= 60; seed++)
        for (int n = 3; n <= 4; n++)
            find_few(&zirconium, n, seed, mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_grains_have_an_answer),
                                       cmocka_unit_test(moments_are_derivatives),
                                       cmocka_unit_test(moments_have_a_closed_form),
                                       cmocka_unit_test(estimates_are_in_order),
                                       cmocka_unit_test(vpsc_says_the_same),
                                       cmocka_unit_test(bits_do_not_hang_on_threads),
                                       cmocka_unit_test(grains_that_are_alike_are_affine)};
    return cmocka_run_group_tests_name("second order", tests, NULL, NULL);
}
