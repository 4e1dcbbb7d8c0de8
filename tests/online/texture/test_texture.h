/* What the tests of textures share. */
#ifndef SW_TESTS_ONLINE_TEXTURE_TEST_TEXTURE_H
#define SW_TESTS_ONLINE_TEXTURE_TEST_TEXTURE_H

#include "tests/test.h"

#include "common/math/rotation.h"
#include "online/texture/texture.h"

#define DEGREE (SW_PI / 180)

typedef double vector[3];
typedef const double (*vectors)[3];

static inline void ok(sw_status status)
{
    if (status != SW_OK)
        fail_msg("%s", sw_error_message());
}

/* |found - expected| <= tolerance; NaN fails. */
static inline void near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g: need %.17g to within %.3g", found, expected, tolerance);
}

static inline void random_orientation(double euler[3])
{
    euler[0] = 2 * SW_PI * drand48();
    euler[1] = acos(2 * drand48() - 1);
    euler[2] = 2 * SW_PI * drand48();
}

static inline void random_direction(double v[3])
{
    const double z = 2 * drand48() - 1, azimuth = 2 * SW_PI * drand48(), s = sqrt(1 - z * z);
    v[0] = s * cos(azimuth);
    v[1] = s * sin(azimuth);
    v[2] = z;
}

static inline vector *vectors_of(int64_t count, void (*fill)(double[3]))
{
    vector *v = malloc((size_t)count * sizeof *v);
    assert_non_null(v);
    for (int64_t i = 0; i < count; i++)
        fill(v[i]);
    return v;
}

/* Powers by squaring and sums of a few terms: x^kappa to about kappa round-offs, kappa + 1 times. */
static inline double power_tolerance(int kappa) { return (kappa + 1.0) * (kappa + 1) * 1e-15; }

static inline double two_ends(double cosine, int kappa)
{
    return 0.5 * (kappa + 1) * (pow(0.5 + 0.5 * cosine, kappa) + pow(0.5 - 0.5 * cosine, kappa));
}

/* c, the kernel's peak, by its definition. */
static inline double peak(int kappa)
{
    return exp(lgamma(1.5) + lgamma(0.5) - lgamma(2) - lgamma(1.5) - lgamma(kappa + 0.5) + lgamma(kappa + 2));
}

/* f of identical crystals at their orientation: the kernel at the angles between an orientation and its
 * equivalents, which are 0, 90 (6), 120 (8) and 180 degrees (9). */
static inline double single_orientation(int kappa)
{
    return peak(kappa) / 24 * (1 + 6 * pow(0.5, kappa) + 8 * pow(0.25, kappa));
}

/* Equivalents of an orientation: g times a cubic rotation, made of quarter turns about [001] (phi2) and the
 * third turn about [111]; and half turns of the sample times g. */
static inline void crystal_equivalent(const double euler[3], int third_turns, int quarter_turns,
                                      double out[3])
{
    double g[3][3], turned[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turned[i][j] = g[i][(j + third_turns) % 3];
    sw_euler_from_rotation(turned, out);
    out[2] += quarter_turns * SW_PI / 2;
}

static inline void sample_equivalent(const double euler[3], int axis, double out[3])
{
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g[i][j] *= axis < 0 || i == axis ? 1 : -1;
    sw_euler_from_rotation(g, out);
}

#endif
