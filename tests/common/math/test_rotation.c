#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "common/math/strain_rate.h"
#include "common/math/tensor.h"

/* Round-off of a few dozen operations on numbers of order one. */
static const double round_off = 1e-14;

static void expect_same(double a[3][3], double b[3][3], double tolerance)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK_CLOSE(a[i][j], b[i][j], tolerance);
}

static void a_deviator_has_no_trace(void **state)
{
    (void)state;
    double a[3][3] = {{9, 1, 2}, {3, -5, 4}, {6, 7, 2}}, less[3][3];
    double expected[3][3] = {{7, 1, 2}, {3, -7, 4}, {6, 7, 0}};
    sw_deviator(a, less);
    expect_same(less, expected, 0);
}

static void euler_angles_round_trip(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 1000; n++) {
        double euler[3], back[3], g[3][3], h[3][3];
        sw_random_orientation(1, n, euler);
        sw_rotation_from_euler(euler, g);
        sw_euler_from_rotation(g, back);
        sw_rotation_from_euler(back, h);
        expect_same(g, h, round_off);
        /* the angles themselves lose 1/sin(Phi) digits */
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(remainder(back[i] - euler[i], 2 * SW_PI), 0, round_off / sin(euler[1]));
    }
}

static void poles_of_phi_round_trip(void **state)
{
    (void)state;
    const double near[] = {0, 1e-300, 1e-12, 1e-8, 1e-4};
    for (int pole = 0; pole < 2; pole++)
        for (size_t k = 0; k < sizeof near / sizeof *near; k++)
            for (int a = -7; a < 7; a++) {
                double euler[3] = {0.9 * a, pole ? SW_PI - near[k] : near[k], 0.7 * a}, back[3], g[3][3],
                       h[3][3];
                sw_rotation_from_euler(euler, g);
                sw_euler_from_rotation(g, back);
                sw_rotation_from_euler(back, h);
                /* below 1e-10 phi2 is put into phi1, and Phi itself kept */
                expect_same(g, h, near[k] < 1e-9 && near[k] > 0 ? 2e-10 : round_off);
                assert_true(back[0] >= 0 && back[0] < 2 * SW_PI && back[1] >= 0 && back[1] <= SW_PI);
            }
}

static void convention_is_active_crystal_to_sample(void **state)
{
    (void)state;
    double g[3][3];
    /* phi1 alone turns the crystal's axis 1 to sample axis 2; Phi alone its axis 2 to sample axis 3 */
    sw_rotation_from_euler((const double[]){SW_PI / 2, 0, 0}, g);
    CHECK_CLOSE(g[1][0], 1, round_off);
    sw_rotation_from_euler((const double[]){0, SW_PI / 2, 0}, g);
    CHECK_CLOSE(g[2][1], 1, round_off);
    /* Brass, (011)[2-11]: phi1 = 35.26, Phi = 45, phi2 = 0 degrees (Bunge): [2-11] lies along sample 1 */
    sw_rotation_from_euler((const double[]){atan(sqrt(0.5)), SW_PI / 4, 0}, g);
    const double uvw[3] = {2, -1, 1}, hkl[3] = {0, 1, 1};
    for (int i = 0; i < 3; i++) {
        CHECK_CLOSE((g[i][0] * uvw[0] + g[i][1] * uvw[1] + g[i][2] * uvw[2]) / sqrt(6), i == 0, round_off);
        CHECK_CLOSE((g[i][0] * hkl[0] + g[i][1] * hkl[1] + g[i][2] * hkl[2]) / sqrt(2), i == 2, round_off);
    }
}

static void spin_gives_a_rotation(void **state)
{
    (void)state;
    for (int k = -12; k <= 1; k++) {
        const double w[3] = {0.3 * pow(10, k), -0.5 * pow(10, k), 0.2 * pow(10, k)};
        double r[3][3], back[3][3], product[3][3], one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        sw_rotation_from_spin(w, r);
        sw_multiply_transposed(r, r, product);
        expect_same(product, one, round_off);
        CHECK_CLOSE(sw_determinant(r), 1, round_off);
        sw_rotation_from_spin((const double[]){-w[0], -w[1], -w[2]}, back);
        sw_multiply(back, r, product);
        expect_same(product, one, round_off);
        if (k <= -3) { /* the series for the exponential, an independent formula */
            double skew[3][3] = {{0, w[0], w[1]}, {-w[0], 0, w[2]}, {-w[1], -w[2], 0}}, series[3][3];
            sw_exponential_small(skew, series);
            expect_same(r, series, round_off);
        }
    }
}

static void quaternion_is_the_same_rotation(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 1000; n++) {
        double euler[3], g[3][3], q[4];
        sw_random_orientation(2, n, euler);
        if (n % 3 == 0)
            euler[1] = SW_PI; /* half turns: w = 0 */
        sw_rotation_from_euler(euler, g);
        sw_quaternion_from_rotation(g, q);
        const double w = q[0], x = q[1], y = q[2], z = q[3];
        double h[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
        expect_same(g, h, round_off);
    }
}

static void strain_rate_is_recomposed(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < 1000; n++) {
        double u[8], l[3][3], d[3][3], lambda[3];
        sw_random_uniform4(3, n, 0, u);
        sw_random_uniform4(3, n, 1, u + 4);
        for (int k = 0; k < 8; k++)
            l[k / 3][k % 3] = (u[k] - 0.5) * pow(10, (int)(n % 9) - 4);
        l[2][2] = -l[0][0] - l[1][1];
        sw_strain_rate s = sw_strain_rate_of((const double(*)[3])l);
        CHECK_CLOSE(sw_determinant(s.q), 1, round_off);
        CHECK_CLOSE(sqrt(sw_symmetric_square((const double(*)[3])l)), s.rate,
                    round_off * s.rate); /* no trace */
        sw_principal_values(s.theta, lambda);
        double diagonal[3][3] = {
            {lambda[0] * s.rate, 0, 0}, {0, lambda[1] * s.rate, 0}, {0, 0, lambda[2] * s.rate}};
        sw_rotate_tensor(s.q, diagonal, d);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                CHECK_CLOSE(d[i][j], 0.5 * (l[i][j] + l[j][i]), round_off * s.rate);
    }
}

static void named_strain_rates_lie_on_the_grid(void **state)
{
    (void)state;
    const double plane[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, -1}},
                 shear[3][3] = {{0, 1, 0}, {0, 0, 0}, {0, 0, 0}};
    const double tension[3][3] = {{-0.5, 0, 0}, {0, -0.5, 0}, {0, 0, 1}}, none[3][3] = {{0}};
    CHECK_CLOSE(sw_strain_rate_of(plane).theta, SW_PI / 6, round_off);
    CHECK_CLOSE(fabs(sin(sw_strain_rate_of(shear).theta)), 1, round_off);
    CHECK_CLOSE(sw_strain_rate_of(shear).rate, sqrt(0.5), round_off);
    CHECK_CLOSE(sw_strain_rate_of(tension).theta, SW_PI, round_off);
    assert_true(sw_strain_rate_of(none).rate == 0);
    const double even[3][3] = {{2, 3, 0}, {-3, 2, 0}, {0, 0, 2}}; /* a spin beside it */
    CHECK_CLOSE(sw_symmetric_square(even), 12, 0);
    double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sw_strain_rate s = sw_strain_rate_of(plane);
    expect_same(s.q, one, 0);
}

/* Salmon et al. 2011, the known answers that ship with Random123 for philox4x32-10. */
static void philox_gives_the_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
                 {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                  {0xffffffff, 0xffffffff},
                  {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
                 {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                  {0xa4093822, 0x299f31d0},
                  {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t x[4];
        memcpy(x, known[k].counter, sizeof x);
        sw_philox(x, known[k].key[0], known[k].key[1]);
        assert_memory_equal(x, known[k].answer, sizeof x);
    }
}

/* Means of a rotation's entries and of their squares are 0 and 1/3 over all rotations; the standard
 * deviations of the sample means are sqrt(1/3/N) and sqrt((1/5 - 1/9)/N): five of them. */
static void random_orientations_are_uniform(void **state)
{
    (void)state;
    enum { N = 40000 };
    double mean[9] = {0}, square[9] = {0};
    for (uint64_t n = 0; n < N; n++) {
        double euler[3], g[3][3];
        sw_random_orientation(7, n, euler);
        sw_rotation_from_euler(euler, g);
        for (int k = 0; k < 9; k++) {
            mean[k] += g[k / 3][k % 3] / N;
            square[k] += g[k / 3][k % 3] * g[k / 3][k % 3] / N;
        }
    }
    for (int k = 0; k < 9; k++) {
        CHECK_CLOSE(mean[k], 0, 5 * sqrt(1.0 / 3 / N));
        CHECK_CLOSE(square[k], 1.0 / 3, 5 * sqrt((1.0 / 5 - 1.0 / 9) / N));
    }
    double a[3], b[3];
    sw_random_orientation(7, 0, a);
    sw_random_orientation(8, 0, b);
    assert_true(a[0] != b[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deviator_has_no_trace),
        cmocka_unit_test(euler_angles_round_trip),
        cmocka_unit_test(poles_of_phi_round_trip),
        cmocka_unit_test(convention_is_active_crystal_to_sample),
        cmocka_unit_test(spin_gives_a_rotation),
        cmocka_unit_test(quaternion_is_the_same_rotation),
        cmocka_unit_test(strain_rate_is_recomposed),
        cmocka_unit_test(named_strain_rates_lie_on_the_grid),
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(random_orientations_are_uniform),
    };
    return cmocka_run_group_tests_name("rotation", tests, NULL, NULL);
}
