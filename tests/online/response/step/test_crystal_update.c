/* A crystal's part of a step, one crystal at a time as on a GPU, against rotation matrices in double precision. */
#include "common/math/lanes_float.h"

#include "tests/test.h"

#include "common/math/random.h"
#include "common/math/rotation.h"
#include "online/response/step/crystal_update.h"

enum { MANY = 200 };
typedef const double (*vectors)[3];

/* Of single precision, over a few dozen operations on numbers of order one; angles are to 6e-8 of a turn. */
static const double round_off = 2e-6;

static void random_numbers(uint64_t seed, uint64_t n, int count, double *u)
{
    for (int i = 0; i < count; i++) {
        double four[4];
        sw_random_uniform4(seed, n, (uint64_t)i / 4, four);
        u[i] = 2 * four[i % 4] - 1;
    }
}

static void random_rotation(uint64_t seed, uint64_t n, double g[3][3])
{
    double euler[3];
    sw_random_orientation(seed, n, euler);
    sw_rotation_from_euler(euler, g);
}

/* Of a unit quaternion w x y z (Shoemake 1985). */
static void matrix_of(const float q[4], double g[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double of[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(g, of, sizeof of);
}

static void matrix_of_angles(const float angle[3], double g[3][3])
{
    const double euler[3] = {angle[0], angle[1], angle[2]};
    sw_rotation_from_euler(euler, g);
}

static void expect_same(double a[3][3], double b[3][3], double tolerance)
{
    for (int i = 0; i < 9; i++)
        CHECK_CLOSE(a[i / 3][i % 3], b[i / 3][i % 3], tolerance);
}

static void product(const double a[3][3], const double b[3][3], double c[3][3])
{
    for (int i = 0; i < 9; i++)
        c[i / 3][i % 3] = a[i / 3][0] * b[0][i % 3] + a[i / 3][1] * b[1][i % 3] + a[i / 3][2] * b[2][i % 3];
}

static void identity_to(double g[3][3])
{
    for (int i = 0; i < 9; i++)
        g[i / 3][i % 3] = i % 4 == 0;
}

/* exp of a small turn over and over: the series of exp(A / 1024) to fourth order, squared ten times. */
static void rotation_about(const double turn[3], double g[3][3])
{
    const double a[3][3] = {{0, -turn[2] / 1024, turn[1] / 1024},
                            {turn[2] / 1024, 0, -turn[0] / 1024},
                            {-turn[1] / 1024, turn[0] / 1024, 0}};
    double term[3][3], next[3][3];
    identity_to(g);
    identity_to(term);
    for (int n = 1; n <= 4; n++) {
        product((vectors)term, a, next);
        for (int i = 0; i < 9; i++) {
            term[i / 3][i % 3] = next[i / 3][i % 3] / n;
            g[i / 3][i % 3] += term[i / 3][i % 3];
        }
    }
    for (int n = 0; n < 10; n++) {
        product((vectors)g, (vectors)g, next);
        memcpy(g, next, sizeof next);
    }
}

/* ---- Orientations ---- */

/* Angles of up to a few turns of either sign give the quaternion of their rotation. */
static void angles_make_their_rotation(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < MANY; n++) {
        double u[3], g[3][3], h[3][3];
        random_numbers(1, n, 3, u);
        const float euler[3] = {(float)(20 * u[0]), (float)(3.1 * fabs(u[1])), (float)(20 * u[2])};
        float q[4];
        sw_quaternion_from_euler(euler, q);
        matrix_of(q, g);
        matrix_of_angles(euler, h);
        expect_same(g, h, 4 * round_off); /* angles of 20 have an ulp of 1e-6 */
    }
}

static void products_are_those_of_matrices(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < MANY; n++) {
        double u[6], a[3][3], b[3][3], ab[3][3], g[3][3];
        float p[4], q[4], pq[4];
        random_numbers(2, n, 6, u);
        sw_quaternion_from_euler((float[3]){(float)(3 * u[0]), (float)(3 * u[1]), (float)(3 * u[2])}, p);
        sw_quaternion_from_euler((float[3]){(float)(3 * u[3]), (float)(3 * u[4]), (float)(3 * u[5])}, q);
        sw_quaternion_product(p, q, pq);
        matrix_of(p, a);
        matrix_of(q, b);
        product((vectors)a, (vectors)b, ab);
        matrix_of(pq, g);
        expect_same(g, ab, round_off);
    }
}

/* Back to angles in their ranges; Phi = 0 and pi, where only a sum or a difference is known, with phi2 = 0. */
static void rotations_come_back_as_angles(void **state)
{
    (void)state;
    const float special[][4] = {{1, 0, 0, 0}, {0.6F, 0, 0, 0.8F}, {0, 1, 0, 0}, {0, 0.8F, -0.6F, 0}};
    for (uint64_t n = 0; n < MANY; n++) {
        double u[3], g[3][3], h[3][3];
        float q[4], euler[3];
        random_numbers(3, n, 3, u);
        if (n < 4)
            memcpy(q, special[n], sizeof q);
        else
            sw_quaternion_from_euler((float[3]){(float)(3 * u[0]), (float)(3 * u[1]), (float)(3 * u[2])}, q);
        sw_quaternion_to_euler(q, euler);
        for (int i = 0; i < 3; i++)
            assert_true(euler[i] >= 0 && euler[i] <= (i == 1 ? 3.1415928F : 6.2831855F));
        if (n < 4)
            CHECK_CLOSE(euler[2], 0, 0);
        matrix_of(q, g);
        matrix_of_angles(euler, h);
        expect_same(g, h, 2 * round_off);
    }
}

/* Of any size, the smallest relative to itself: the axis has an error of its own size times round-off. */
static void turns_are_exponentials(void **state)
{
    (void)state;
    const double sizes[] = {0, 1e-12, 1e-6, 1e-3, 0.05, 0.09, 0.0999, 0.1001, 0.3, 1, 3, 6, 9.9};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const float turn[3] = {(float)(0.6 * sizes[k]), (float)(-0.48 * sizes[k]), (float)(0.64 * sizes[k])};
        const double half = 0.5 * sizes[k], part[3] = {0.6, -0.48, 0.64};
        float q[4];
        sw_quaternion_from_turn(turn, q);
        /* q and -q are one rotation; beyond half a turn the half angle is wrapped */
        const double sign = q[0] * cos(half) + q[1] * 0.6 * sin(half) < 0 ? -1 : 1;
        CHECK_CLOSE(sign * q[0], cos(half), round_off);
        for (int i = 0; i < 3; i++)
            CHECK_CLOSE(sign * q[1 + i], part[i] * sin(half), round_off * fmin(1, sizes[k]));
    }
}

static void lattices_turn_in_the_sample(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < MANY; n++) {
        double u[6], g[3][3], r[3][3], rg[3][3], h[3][3];
        float q[4], rotation[4], turned[4], euler[3];
        random_numbers(4, n, 6, u);
        sw_quaternion_from_euler((float[3]){(float)(3 * u[0]), (float)(3 * u[1]), (float)(3 * u[2])}, q);
        const float turn[3] = {(float)(0.3 * u[3]), (float)(0.3 * u[4]), (float)(0.3 * u[5])};
        sw_quaternion_from_turn(turn, rotation);
        sw_quaternion_product(rotation, q, turned);
        sw_quaternion_to_euler(turned, euler);
        rotation_about((const double[3]){turn[0], turn[1], turn[2]}, r);
        matrix_of(q, g);
        product((vectors)r, (vectors)g, rg);
        matrix_of_angles(euler, h);
        expect_same(h, rg, 2 * round_off);
    }
}

/* ---- Steps ---- */

static const sw_hardening voce = {SW_LAW_voce, {180e6, 148e6, 2.25}};

/* Random, trace-free but for `trace`, of size 1e-3 or so. */
static void random_gradient(uint64_t n, double trace, double l[3][3])
{
    double u[9];
    random_numbers(5, n, 9, u);
    for (int i = 0; i < 9; i++)
        l[i / 3][i % 3] = 1e-3 * u[i];
    l[2][2] = trace - l[0][0] - l[1][1];
}

/* Symmetric part without its trace, and the skew part, of a step's float numbers. */
static void steps_take_a_gradient_apart(void **state)
{
    (void)state;
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    for (uint64_t n = 0; n < MANY; n++) {
        double l[3][3], square = 0;
        const double dt = 3, trace = 1e-4;
        random_gradient(n, trace, l);
        const sw_step step = sw_step_of((const double(*)[3])l, dt, &voce);
        for (int k = 0; k < 6; k++) {
            const double d = 0.5 * (l[row[k]][column[k]] + l[column[k]][row[k]]) - (k < 3 ? trace / 3 : 0);
            square += (k < 3 ? 1 : 2) * d * d;
            CHECK_CLOSE(step.strain_rate[k], d, 2e-10);
        }
        CHECK_CLOSE(step.rate, sqrt(square), 2e-10);
        CHECK_CLOSE(step.strain, dt * sqrt(square), 1e-9);
        CHECK_CLOSE(step.duration, dt, 0);
        for (int i = 0; i < 3; i++) { /* w x r is the skew part */
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            CHECK_CLOSE(step.applied_turn[i], 0.5 * (l[k][j] - l[j][k]) * dt, 1e-9);
        }
        CHECK_CLOSE(step.hardening.voce.initial_hardening_rate, 180e6, 0);
    }
}

/* About each axis alone, and as a whole; and strains: on either side of the bound. Without numbers, none. */
static void steps_too_large_have_no_rate(void **state)
{
    (void)state;
    for (int axis = 0; axis < 4; axis++)
        for (int beyond = 0; beyond < 2; beyond++) {
            double l[3][3] = {{1e-3, 0, 0}, {0, 0, 0}, {0, 0, -1e-3}};
            const double size = (beyond ? 1.001 : 0.999) * SW_TURN_MAX;
            for (int i = 0; i < 3; i++) {
                const int j = (i + 1) % 3, k = (i + 2) % 3;
                const double w = axis == 3 ? size / sqrt(3) : i == axis ? size : 0;
                l[k][j] += w;
                l[j][k] -= w;
            }
            const sw_step step = sw_step_of((const double(*)[3])l, 1, &voce);
            assert_int_equal(!(step.rate > 0) && !(step.strain > 0), beyond);
        }
    const double pull[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, -1}};
    const double most = SW_STEP_STRAIN_MOST / sqrt(2);
    assert_true(sw_step_of(pull, 0.999 * most, &voce).strain > 0);
    assert_true(isnan(sw_step_of(pull, 1.001 * most, &voce).strain));
    const double none[3][3] = {{NAN, 0, 0}, {0, 0, 0}, {0, 0, 0}}, endless[3][3] = {{0, INFINITY, 0}};
    assert_true(isnan(sw_step_of(none, 1, &voce).rate));
    assert_true(isnan(sw_step_of(endless, 1, &voce).rate));
}

/* D is rate Q diag(lambda) Q^T, lambda_i = sqrt(2/3) cos(theta + a third of a turn each), in whichever order; the
 * quaternion is that of Q^T. */
static void principal_frames_make_the_strain_rate(void **state)
{
    (void)state;
    for (uint64_t n = 0; n < MANY; n++) {
        double l[3][3], g[3][3], diagonal[3] = {0}, size = 0;
        random_gradient(n, 0, l);
        const sw_strain_rate d = sw_strain_rate_of((const double(*)[3])l);
        sw_step step = sw_step_of((const double(*)[3])l, 1, &voce);
        const float rate = step.rate,
                    strain_rate[6] = {step.strain_rate[0], step.strain_rate[1], step.strain_rate[2],
                                      step.strain_rate[3], step.strain_rate[4], step.strain_rate[5]};
        sw_step_set_strain_rate(&step, &d, 0.05);
        CHECK_CLOSE(step.rate, rate, 1e-10);
        CHECK_CLOSE(step.theta, d.theta / (2 * SW_PI), 1e-7);
        CHECK_CLOSE(step.stress_scale, pow(rate, 0.05), 1e-6);
        matrix_of(step.to_principal, g);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double in_frame = 0;
                CHECK_CLOSE(g[i][j], step.frame[j][i], round_off);
                for (int a = 0; a < 9; a++)
                    in_frame += step.frame[a / 3][i] * 0.5 * (l[a / 3][a % 3] + l[a % 3][a / 3]) *
                                step.frame[a % 3][j];
                if (i == j)
                    diagonal[i] = in_frame;
                else
                    CHECK_CLOSE(in_frame, 0, 1e-9);
            }
        for (int i = 0; i < 3; i++)
            size += diagonal[i] * diagonal[i];
        CHECK_CLOSE(sqrt(size), rate, 1e-9);
        sw_step own = {.duration = 1};
        sw_step_set_own_strain_rate(&own, strain_rate, 0.05);
        CHECK_CLOSE(own.rate, rate, 1e-9);
        CHECK_CLOSE(own.theta, step.theta, 1e-5);
    }
    const sw_strain_rate still = {.rate = 0};
    sw_step step = {.stress_scale = 5};
    sw_step_set_strain_rate(&step, &still, 0.05);
    CHECK_CLOSE(step.stress_scale, 0, 0);
}

/* ---- What a crystal makes of its outputs ---- */

/* A frame of a random principal frame; its members in order. */
static sw_step random_step(uint64_t n)
{
    double q[3][3];
    sw_step step = {.theta = 0.3F, .rate = 2e-3F, .stress_scale = 0.9F, .strain = 0.02F, .hardening = voce};
    random_rotation(6, n, q);
    for (int i = 0; i < 9; i++)
        step.frame[i / 3][i % 3] = (float)q[i / 3][i % 3];
    for (int i = 0; i < 3; i++)
        step.applied_turn[i] = 0.01F * (float)(i + 1);
    return step;
}

static void random_output(uint64_t n, float output[SW_OUTPUTS])
{
    double u[SW_OUTPUTS];
    random_numbers(7, n, SW_OUTPUTS, u);
    for (int i = 0; i < SW_OUTPUTS; i++)
        output[i] = (float)u[i];
    output[8] = fabsf(output[8]) + 1;
}

/* Outputs 11 22 12 13 23 of a deviator, or 12 13 23 of a skew tensor, turned into the sample. */
static void in_sample(const sw_step *step, const float *o, int skew, double to[3][3])
{
    const double a = o[0], b = o[1], c = o[2], d = skew ? 0 : o[3], e = skew ? 0 : o[4];
    const double s[3][3] = {{a, c, d}, {c, b, e}, {d, e, -a - b}},
                 w[3][3] = {{0, a, b}, {-a, 0, c}, {-b, -c, 0}};
    for (int i = 0; i < 9; i++) {
        to[i / 3][i % 3] = 0;
        for (int k = 0; k < 9; k++)
            to[i / 3][i % 3] += step->frame[i / 3][k / 3] * (skew ? w[k / 3][k % 3] : s[k / 3][k % 3]) *
                                step->frame[i % 3][k % 3];
    }
}

static void reports_are_in_the_sample(void **state)
{
    (void)state;
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    const float q[4] = {0.5F, 0.5F, 0.5F, 0.5F};
    for (uint64_t n = 0; n < MANY; n++) {
        float output[SW_OUTPUTS], stress[6], spin[3], slip_rate;
        double s[3][3], w[3][3];
        const sw_step step = random_step(n);
        const sw_frame frame = sw_frame_of_step(&step);
        random_output(n, output);
        assert_true(sw_crystal_report(&frame, output, q, 16e6F, stress, spin, &slip_rate));
        in_sample(&step, output, 0, s);
        in_sample(&step, output + 5, 1, w);
        for (int k = 0; k < 6; k++)
            CHECK_CLOSE(stress[k], 16e6 * 0.9 * s[row[k]][column[k]], round_off * 16e6);
        CHECK_CLOSE(spin[0], 2e-3 * w[0][1], round_off * 2e-3);
        CHECK_CLOSE(spin[1], 2e-3 * w[0][2], round_off * 2e-3);
        CHECK_CLOSE(spin[2], 2e-3 * w[1][2], round_off * 2e-3);
        CHECK_CLOSE(slip_rate, 2e-3 * output[8], round_off * 2e-3);
    }
}

/* The spin that the lattice keeps is what is applied less the plastic one; slip hardens, undershoot does not. */
static void crystals_advance(void **state)
{
    (void)state;
    const float q[4] = {0.5F, -0.5F, 0.5F, 0.5F};
    double g[3][3];
    matrix_of(q, g);
    for (uint64_t n = 0; n < MANY; n++) {
        float output[SW_OUTPUTS], euler[3], s = 16e6F, sum[SW_MEANS] = {0};
        double w[3][3], r[3][3], rg[3][3], h[3][3], turn[3];
        const sw_step step = random_step(n);
        const sw_frame frame = sw_frame_of_step(&step);
        random_output(n, output);
        if (n % 2)
            output[8] = -0.01F;
        assert_true(sw_crystal_advance(&voce, &frame, output, q, euler, &s, sum));
        in_sample(&step, output + 5, 1, w);
        for (int i = 0; i < 3; i++)
            turn[i] = 0.01 * (i + 1) - 0.02 * w[(i + 2) % 3][(i + 1) % 3];
        rotation_about(turn, r);
        product((vectors)r, (vectors)g, rg);
        matrix_of_angles(euler, h);
        expect_same(h, rg, 2 * round_off);
        for (int c = 0; c < 5; c++)
            CHECK_CLOSE(sum[c], 16e6 * output[c], 16e6 * 1e-7);
        /* Voce's law, whose solution over a slip is: 1 - s / s_inf falls as ((a - 1) h0 x / s_inf + r^(1-a))^(1/(1-a)) */
        const double slip = n % 2 ? 0 : 0.02 * output[8], left = 1 - 16e6 / 148e6;
        const double after = pow(1.25 * 180e6 / 148e6 * slip + pow(left, -1.25), -1 / 1.25);
        CHECK_CLOSE(s, 148e6 * (1 - after), 1e-4 * 16e6);
        CHECK_CLOSE(sum[SW_SUM_RESISTANCE], s, 0);
        CHECK_CLOSE(sum[SW_SUM_SLIP_RATE], n % 2 ? 0 : output[8], 0);
    }
}

/* No answer where a number is none or resistance is not positive: each by itself. */
static void what_is_no_number_has_no_answer(void **state)
{
    (void)state;
    for (int bad = 0; bad < 8; bad++) {
        float q[4] = {0.5F, 0.5F, 0.5F, 0.5F}, output[SW_OUTPUTS], stress[6], spin[3], slip_rate, euler[3];
        float s = bad == 5 ? 0 : bad == 6 ? -16e6F : bad == 7 ? NAN : 16e6F, sum[SW_MEANS] = {0};
        sw_step step = random_step(1);
        random_output(1, output);
        if (bad < 4)
            q[bad] = NAN;
        else if (bad == 4)
            step.rate = step.strain = NAN;
        const sw_frame frame = sw_frame_of_step(&step);
        assert_false(sw_crystal_report(&frame, output, q, s, stress, spin, &slip_rate));
        for (int k = 0; k < 6; k++)
            assert_true(isnan(stress[k]));
        if (bad >= 4) /* a solver has looked the orientation up before */
            assert_false(sw_crystal_advance(&voce, &frame, output, q, euler, &s, sum));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_make_their_rotation),
        cmocka_unit_test(products_are_those_of_matrices),
        cmocka_unit_test(rotations_come_back_as_angles),
        cmocka_unit_test(turns_are_exponentials),
        cmocka_unit_test(lattices_turn_in_the_sample),
        cmocka_unit_test(steps_take_a_gradient_apart),
        cmocka_unit_test(steps_too_large_have_no_rate),
        cmocka_unit_test(principal_frames_make_the_strain_rate),
        cmocka_unit_test(reports_are_in_the_sample),
        cmocka_unit_test(crystals_advance),
        cmocka_unit_test(what_is_no_number_has_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
