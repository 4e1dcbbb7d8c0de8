#include "sharp_texture.h"

#include <math.h>

#include "common/math/random.h"
#include "common/math/tensor.h"

/* Plane {hkl} normal to axis 3, direction <uvw> along axis 1: Hirsch and Luecke, Acta Metall. 36 (1988) 2863. */
const sw_texture_component sw_sharp_components[SW_SHARP_COMPONENTS] = {
    {"Rotated cube", "rolling", {0, 0, 1}, {1, 1, 0}}, {"Goss", "rolling", {0, 1, 1}, {1, 0, 0}},
    {"Copper", "rolling", {1, 1, 2}, {1, 1, -1}},      {"Brass", "rolling", {0, 1, 1}, {2, 1, -1}},
    {"S", "rolling", {1, 2, 3}, {6, 3, -4}},
};

/* Of hexagonal crystals, as in magnesium's, zinc's and titanium's sheets: c along the normal with <11-20> or <10-10> along the
 * rolling direction, 15 degrees from the normal to the rolling direction, 40 to the transverse one, and along that. Indices are of
 * vectors along the crystal's axes. Wang and Huang, Mater. Chem. Phys. 81 (2003) 11. */
static const sw_texture_component hexagonal[SW_SHARP_COMPONENTS] = {
    {"{0001}<11-20>", "rolling", {0, 0, 1}, {1, 0, 0}}, {"{0001}<10-10>", "rolling", {0, 0, 1}, {0, 1, 0}},
    {"15 to RD", "rolling", {15, 0, 56}, {56, 0, -15}}, /* tan 15 degrees = 15/56 */
    {"40 to TD", "rolling", {21, 0, 25}, {0, 1, 0}},    /* 21/25, 40.03 */
    {"c along TD", "rolling", {0, 1, 0}, {1, 0, 0}},
};

/* Three normal numbers of standard deviation 1, those of crystal n: Box and Muller's, of seed 1. */
static void normal_numbers(int64_t n, double number[3])
{
    double u[4];
    sw_random_uniform4(1, (uint64_t)n, 0, u);
    number[0] = sqrt(-2 * log(u[0])) * cos(2 * SW_PI * u[1]);
    number[1] = sqrt(-2 * log(u[0])) * sin(2 * SW_PI * u[1]);
    number[2] = sqrt(-2 * log(u[2])) * cos(2 * SW_PI * u[3]);
}

sw_crystal sw_sharp_crystal(const sw_point_group *group, int64_t n, float slip_resistance)
{
    double variant[4][3], spin[3], turn[3][3], ideal[3][3], g[3][3], euler[3];
    const sw_texture_component *component =
        &(group->fold == 6 ? hexagonal : sw_sharp_components)[n % SW_SHARP_COMPONENTS];
    const int variants = sw_texture_component_variants(group, component, variant);
    normal_numbers(n, spin);
    for (int i = 0; i < 3; i++)
        spin[i] *= SW_SHARP_SPREAD_DEGREES * SW_PI / 180;
    sw_rotation_from_spin(spin, turn);
    sw_rotation_from_euler(variant[n / SW_SHARP_COMPONENTS % variants], ideal);
    sw_multiply(turn, ideal, g);
    sw_euler_from_rotation(g, euler);
    return (sw_crystal){{(float)euler[0], (float)euler[1], (float)euler[2]}, slip_resistance};
}
