/* Crystals of 8 bytes: what they hold, how they are rounded, and what a thousand steps make of that beside 16 bytes. */
#include "common/math/lanes_float.h"

#include "tests/crystals.h"

#include <omp.h>

#include "common/crystal/point_group.h"
#include "online/response/packed/packed.h"
#include "common/math/quaternion.h"

enum { N = 2000, STEPS = 1000 };

static sw_material material;
static const double plane_strain[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
static const double shear[3][3] = {{0, 1.4142135623730951e-3, 0}, {0, 0, 0}, {0, 0, 0}};

/* ---- What they hold ---- */

/* Between orientations that the crystal's symmetry makes alike, rad. */
static double apart(const sw_crystal *a, const sw_crystal *b)
{
    const double of_a[3] = {a->euler[0], a->euler[1], a->euler[2]},
                 of_b[3] = {b->euler[0], b->euler[1], b->euler[2]};
    double g[3][3], p[4], q[4], nearest[4], square = 0;
    sw_rotation_from_euler(of_a, g);
    sw_quaternion_from_rotation(g, p);
    sw_rotation_from_euler(of_b, g);
    sw_quaternion_from_rotation(g, q);
    sw_point_group_nearest(&sw_point_group_432, p, q, nearest);
    for (int i = 0; i < 4; i++)
        square += pow(p[i] - nearest[i], 2);
    return 4 * asin(sqrt(square) / 2);
}

/* Random ones, and such as half turns leave at the border between two that are alike: Euler angles by eighths of a turn. */
static void some_crystals(sw_crystal crystal[N])
{
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, crystal, 3, 0, 16e6F));
    for (int n = 0; n < 729; n++)
        for (int k = 0; k < 3; k++)
            crystal[n].euler[k] = (float)(SW_PI / 4 * (k == 0 ? n % 9 : k == 1 ? n / 9 % 9 / 2 : n / 81));
    for (int n = 0; n < N; n++)
        crystal[n].slip_resistance = (float)(1e6 * pow(148, n / (N - 1.0)));
}

static sw_response *open_table(void)
{
    return opened(&(sw_response_options){.solver = "tabulated", .material = &material, .refinement = 1});
}

static sw_crystals packed(const sw_response *response, int64_t n, sw_crystal *crystal)
{
    sw_crystals c = crystals_of(response, n, crystal, NULL);
    CHECK_OK(sw_crystals_pack(response, 0, &c));
    assert_null(c.crystal);
    return c;
}

/* Three numbers half a unit off, of SW_PACKED_UNIT, and 1/512 more by the middle of what a byte has: the fourth, at least a half, makes
 * up for at most sqrt(3) times that; the angle is twice the quaternion's difference; and single precision of angles up to 2 pi. The
 * logarithm is half a quantum off, log2(16 x 148/16) / 2^16. */
static void they_hold_orientation_and_resistance(void **state)
{
    (void)state;
    static sw_crystal crystal[N], back[N];
    const double off = 2 * 2 * sqrt(3) * (0.5 + 1.0 / 512) / SW_PACKED_UNIT + 3 * 5e-7;
    sw_response *response = open_table();
    some_crystals(crystal);
    sw_crystals c = packed(response, N, crystal);
    CHECK_OK(sw_crystals_unpack(&c, back));
    for (int n = 0; n < N; n++) {
        CHECK_CLOSE(apart(&crystal[n], &back[n]), 0, off);
        CHECK_CLOSE(back[n].slip_resistance / crystal[n].slip_resistance, 1,
                    0.51 * c.packed.quantum * log(2) + 2e-6);
    }
    sw_crystals_release(&c);
    sw_response_close(response);
}

/* Out and in again: the same bits, as a run that goes on needs; of many crystals whose two or four largest numbers are nearly alike, which
 * steps, that hardly turn them, round to either side. */
static void they_come_back(void **state)
{
    (void)state;
    enum { MANY = 40000 };
    static sw_crystal crystal[MANY], back[MANY];
    static uint64_t word[MANY];
    sw_response *response = open_table();
    for (int n = 0; n < MANY; n += N)
        some_crystals(crystal + n);
    for (int n = 0; n < MANY; n++) {
        const double turn = 2 * SW_PI / (n % 2 ? 4 : 3) + 4e-4 * sin(n),
                     about[4] = {cos(turn / 2), 0, 0, sin(turn / 2)}, part = sqrt(1.0 / 3) * sin(turn / 2),
                     q[4] = {cos(turn / 2), part, part, part};
        double euler[3];
        if (n % 5 == 0)
            continue;
        sw_euler_from_quaternion(n % 2 ? about : q, euler);
        for (int k = 0; k < 3; k++)
            crystal[n].euler[k] = (float)(euler[k] + (k == 1) * 1e-4 * cos(1.7 * n));
    }
    sw_crystals c = packed(response, MANY, crystal);
    for (c.packed.step = 0; c.packed.step < 20; c.packed.step++) {
        sw_response_average average;
        memcpy(word, c.packed.word, sizeof word);
        CHECK_OK(sw_crystals_unpack(&c, back));
        memset(c.packed.word, 0, sizeof word);
        CHECK_OK(sw_crystals_repack(&c, back));
        assert_memory_equal(word, c.packed.word, sizeof word);
        CHECK_OK(sw_response_advance(response, plane_strain, 0.1, &c, &c, &average));
    }
    sw_crystals_release(&c);
    sw_response_close(response);
}

/* ---- How they are rounded ---- */

/* On average over many steps, what is rounded away is nothing: three numbers of a quaternion to half a 128th of a unit, a
 * level to a 2^16th, and five standard deviations of the mean of so many, each at most half a unit, of what grows by little its
 * root. */
static void rounding_is_right_on_average(void **state)
{
    (void)state;
    enum { MANY = 1 << 18 };
    for (int k = 0; k < 8; k++) {
        const float x = 1000.0F + 0.125F * (float)k, y = -2000.0F - 0.05F * (float)k, z = 3000.3F,
                    level = 0.003F + 0.013F * (float)k;
        const float whole[4] = {sqrtf(SW_PACKED_UNIT * SW_PACKED_UNIT - x * x - y * y - z * z), x, y, z};
        double sum[4] = {0};
        for (int n = 0; n < MANY; n++) {
            sw_int word[2];
            float q[4], out[4], found;
            memcpy(q, whole, sizeof q);
            assert_true(sw_pack(q, -5, level,
                                (sw_int)sw_packed_noise((uint32_t)(n % 512), sw_packed_key(n / 512)),
                                SW_PACKED_MARGIN, word) != 0);
            sw_unpack(word, out, &found);
            for (int i = 0; i < 3; i++)
                sum[i] += out[i + 1];
            sum[3] += found;
        }
        const double mean = 5 * 0.5 / sqrt(MANY);
        CHECK_CLOSE(sum[0] / MANY, x, 1.0 / 256 + mean);
        CHECK_CLOSE(sum[1] / MANY, y, 1.0 / 256 + mean);
        CHECK_CLOSE(sum[2] / MANY, z, 1.0 / 256 + mean);
        CHECK_CLOSE(sum[3] / MANY, level - 5, 1e-5 + 5 * sqrt(level / MANY));
    }
}

/* Neither on threads nor on how many go together. */
static void rounding_hangs_on_crystal_and_step(void **state)
{
    (void)state;
    static sw_crystal crystal[N];
    const int threads = omp_get_max_threads();
    sw_response *response = open_table();
    sw_response_average average;
    some_crystals(crystal);
    sw_crystals a = packed(response, N, crystal), b = packed(response, N, crystal);
    a.packed.step = b.packed.step = 7;
    CHECK_OK(sw_response_advance(response, shear, 10, &a, &a, &average));
    omp_set_num_threads(1);
    for (int64_t first = 0; first < N; first += 613) {
        const sw_crystals part = sw_crystals_part(&b, first, N - first < 613 ? N - first : 613);
        CHECK_OK(sw_response_advance(response, shear, 10, &part, &part, &average));
    }
    omp_set_num_threads(threads);
    assert_memory_equal(a.packed.word, b.packed.word, N * sizeof *a.packed.word);
    a.packed.step = 8;
    CHECK_OK(sw_response_advance(response, shear, 10, &a, &a, &average));
    CHECK_OK(sw_response_advance(response, shear, 10, &b, &b, &average)); /* step 7 again */
    assert_memory_not_equal(a.packed.word, b.packed.word, N * sizeof *a.packed.word);
    sw_crystals_release(&a);
    sw_crystals_release(&b);
    sw_response_close(response);
}

/* ---- A thousand steps ---- */

typedef struct {
    double stress, resistance, drift, alone, grown; /* relative, relative, rad, relative, relative */
    double quantum;
} difference;

static double relative(double a[3][3], double b[3][3])
{
    double off = 0, size = 0;
    for (int k = 0; k < 9; k++) {
        off += pow(a[k / 3][k % 3] - b[k / 3][k % 3], 2);
        size += pow(b[k / 3][k % 3], 2);
    }
    return sqrt(off / size);
}

/* Of packed crystals from others, after STEPS steps of 1e-3 from slip resistances s0: mean stress and slip resistance, RMS of orientations,
 * of slip resistances; and by how much these have grown. */
static difference after_steps(const double l[3][3], float s0)
{
    static sw_crystal plain[N], begun[N], unpacked[N];
    sw_response *response = open_table();
    sw_response_average a, b;
    CHECK_OK(sw_crystals_randomise(SW_CPU, N, begun, 5, 0, s0));
    memcpy(plain, begun, sizeof plain);
    sw_crystals c = packed(response, N, begun), all = crystals_of(response, N, plain, NULL);
    const double dt = 1e-3 / 1.4142135623730951e-3;
    for (; c.packed.step < STEPS; c.packed.step++) {
        CHECK_OK(sw_response_advance(response, l, dt, &c, &c, &a));
        CHECK_OK(sw_response_advance(response, l, dt, &all, &all, &b));
    }
    CHECK_OK(sw_crystals_unpack(&c, unpacked));
    difference d = {.stress = relative(a.cauchy_stress, b.cauchy_stress),
                    .resistance = fabs(a.slip_resistance / b.slip_resistance - 1),
                    .grown = b.slip_resistance / (double)s0 - 1,
                    .quantum = log(2) * (double)c.packed.quantum};
    for (int n = 0; n < N; n++) {
        d.drift += pow(apart(&plain[n], &unpacked[n]), 2) / N;
        d.alone += pow((double)unpacked[n].slip_resistance / (double)plain[n].slip_resistance - 1, 2) / N;
    }
    d.drift = sqrt(d.drift);
    d.alone = sqrt(d.alone);
    sw_crystals_release(&c);
    sw_crystals_release(&all);
    sw_response_close(response);
    print_message("    stress %.1e, slip resistance %.1e (of one %.1e), orientation %.2e rad\n", d.stress,
                  d.resistance, d.alone, d.drift);
    return d;
}

/* A step rounds each of three numbers off by a sixth of a unit squared on average, and these errors add up by squares. The fourth makes
 * up for a third of their squares, as numbers' squares are 1/4 on average or below and its own above. Flow turns neighbours apart or
 * together by about as much: half as much again. Slip resistances likewise, which hardening draws together; their mean has the error of
 * one over sqrt(N), of which five are allowed. Stresses jump across ridges, by 0.21 of their size if orientations are a half spacing off
 * (test_tabulated.c), as the square root of that; of N crystals the mean over sqrt(N), twice. */
static void a_thousand_steps(void **state)
{
    (void)state;
    const double(*const of[2])[3] = {plane_strain, shear};
    const double drift = 2 * sqrt(3 * 4.0 / 3 * STEPS / 6) / SW_PACKED_UNIT;
    for (int k = 0; k < 2; k++) {
        const difference d = after_steps(of[k], 16e6F);
        const double alone = sqrt(STEPS / 6.0) * d.quantum;
        CHECK_CLOSE(d.drift, drift, 0.5 * drift);
        CHECK_CLOSE(d.alone, 0, 1.2 * alone);
        CHECK_CLOSE(d.resistance, 0, 5 * alone / sqrt(N));
        CHECK_CLOSE(d.stress, 0, 2 * 0.21 * sqrt(1.5 * drift / (SW_PI / 64)) / sqrt(N));
    }
}

/* Near saturation a step hardens by a twentieth of a quantum: rounded to the nearest nothing would come of a thousand. The chance of one
 * up has a variance of as many as there are, `grown` over a quantum; of the mean five standard deviations, and what drifting
 * orientations make of slip rates, 1e-2 of what has grown. */
static void small_steps_are_not_lost(void **state)
{
    (void)state;
    const difference d = after_steps(plane_strain, 140e6F);
    assert_true(d.grown / d.quantum > 20 && d.grown / d.quantum < STEPS / 2);
    CHECK_CLOSE(d.resistance, 0, 5 * sqrt(d.grown / d.quantum) * d.quantum / sqrt(N) + 1e-2 * d.grown);
}

/* ---- What is refused ---- */

static void others_are_refused(void **state)
{
    (void)state;
    static sw_crystal crystal[8];
    static const char *const solvers[] = {"rigid_plastic", "elastoplastic", "iterative"};
    CHECK_OK(sw_crystals_randomise(SW_CPU, 8, crystal, 3, 0, 16e6F));
    for (int k = 0; k < 3; k++) {
        sw_response *response = opened(&(sw_response_options){.solver = solvers[k], .material = &material});
        sw_crystals c = crystals_of(response, 8, crystal, NULL);
        assert_int_equal(sw_crystals_pack(response, 0, &c), SW_ERR_UNAVAILABLE);
        assert_message_has(solvers[k]);
        assert_message_has("8 bytes");
        sw_crystals_release(&c);
        sw_response_close(response);
    }
}

static void resistances_beyond_their_levels_are_refused(void **state)
{
    (void)state;
    static sw_crystal crystal[8];
    sw_response_average average;
    sw_response *response = open_table();
    CHECK_OK(sw_crystals_randomise(SW_CPU, 8, crystal, 3, 0, 16e6F));
    crystal[5].slip_resistance = 0.99e6F;
    crystal[6].slip_resistance = 149e6F;
    sw_crystals c = crystals_of(response, 8, crystal, NULL), plain = c;
    assert_int_equal(sw_crystals_pack(response, 0, &c), SW_ERR_RANGE);
    assert_message_has(
        "crystals of 8 bytes: 2 have a slip resistance that these cannot hold: need 1e+06 to 1.481e+08 Pa");
    assert_ptr_equal(c.crystal, crystal); /* as they were */
    crystal[5].slip_resistance = crystal[6].slip_resistance = 16e6F;
    CHECK_OK(sw_crystals_pack(response, 0, &c));
    assert_int_equal(sw_crystals_pack(response, 0, &c), SW_ERR_RANGE);
    assert_int_equal(sw_response_advance(response, shear, 1, &c, &plain, &average), SW_ERR_RANGE);
    assert_message_has("packed");
    sw_crystals_release(&c);
    sw_response_close(response);
}

static int read_material(void **state)
{
    (void)state;
    material = (sw_material){.name = "copper",
                             .crystal_structure = SW_LATTICE_fcc,
                             .elasticity = {168.7e9, 121.7e9, 75.0e9},
                             .slip = {1e-3, 0.012, 16e6},
                             .hardening = {SW_LAW_voce, {180e6, 148e6, 2.25}}};
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_hold_orientation_and_resistance),
                                       cmocka_unit_test(they_come_back),
                                       cmocka_unit_test(rounding_is_right_on_average),
                                       cmocka_unit_test(rounding_hangs_on_crystal_and_step),
                                       cmocka_unit_test(a_thousand_steps),
                                       cmocka_unit_test(small_steps_are_not_lost),
                                       cmocka_unit_test(others_are_refused),
                                       cmocka_unit_test(resistances_beyond_their_levels_are_refused)};
    return cmocka_run_group_tests(tests, read_material, NULL);
}
