#include "crystal_scatter.h"

#include <string.h>

#include "common/math/quaternion.h"
#include "common/math/random.h"
#include "texture.h"

/* cos^(2 kappa)(w/2) sin^2(w/2) dw: the kernel times the volume of rotations. It falls as exp(-kappa w^2 / 4): to
 * e^-36 at 12 / sqrt(kappa). Parts by the trapezoid rule: to the square of a step, 1e-6 of the largest angle. */
static void fill_table(sw_scatter *s, int kappa)
{
    double before = 0, sum = 0;
    s->largest = fmin(SW_PI, 12 / sqrt(kappa));
    for (int i = 0; i <= SW_SCATTER_STEPS; i++) {
        const double half = 0.5 * s->largest * i / SW_SCATTER_STEPS;
        const double density = pow(cos(half), 2.0 * kappa) * sin(half) * sin(half);
        sum += 0.5 * (before + density);
        s->part[i] = sum;
        before = density;
    }
    for (int i = 0; i <= SW_SCATTER_STEPS; i++)
        s->part[i] /= sum;
}

void sw_scatter_begin(sw_scatter *s, double halfwidth, int64_t seed, int64_t stream)
{
    memset(s, 0, sizeof *s);
    sw_random_uniform4((uint64_t)seed, (uint64_t)stream, 1, s->shift);
    if (halfwidth > 0)
        fill_table(s, sw_texture_kappa(halfwidth));
}

void sw_scatter_numbers(const sw_scatter *s, int64_t k, double u[4])
{
    /* powers of 1 / g, g^4 = g + 1; the golden ratio for a place on a fibre */
    static const double multiple[4] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703,
                                       0.6180339887498949};
    for (int i = 0; i < 4; i++) {
        const double at = s->shift[i] + (double)k * multiple[i];
        u[i] = at - floor(at);
    }
}

/* The angle within which a part u of the kernel is. */
static double angle_of(const sw_scatter *s, double u)
{
    int low = 0, high = SW_SCATTER_STEPS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->part[middle] <= u ? &low : &high) = middle;
    }
    const double width = s->part[high] - s->part[low];
    return s->largest * (low + (width > 0 ? (u - s->part[low]) / width : 0)) / SW_SCATTER_STEPS;
}

void sw_scatter_about(const sw_scatter *s, const double centre[3], const double u[4], double euler[3])
{
    const double z = 2 * u[1] - 1, across = sqrt(fmax(0, 1 - z * z)), azimuth = 2 * SW_PI * u[2];
    const double axis[3] = {across * cos(azimuth), across * sin(azimuth), z};
    double turn[4], q[4], turned[4];
    if (s->largest == 0) {
        memmove(euler, centre, 3 * sizeof *euler);
        return;
    }
    sw_quaternion_about(axis, angle_of(s, u[0]), turn);
    sw_quaternion_from_euler(centre, q);
    sw_quaternion_product(turn, q, turned);
    sw_euler_from_quaternion(turned, euler);
}
