#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"

/* Rolling: Hirsch and Luecke, Acta Metall. 36 (1988) 2863; Taylor is Dillamore and Katoh's {4 4 11}<11 11 8>,
 * Met. Sci. 8 (1974) 73. Shear: Toth, Gilormini and Jonas, Acta Metall. 36 (1988) 3077. */
static const sw_texture_component component[] = {
    {"Cube", "rolling", {0, 0, 1}, {1, 0, 0}},   {"Goss", "rolling", {0, 1, 1}, {1, 0, 0}},
    {"Brass", "rolling", {0, 1, 1}, {2, 1, -1}}, {"Copper", "rolling", {1, 1, 2}, {1, 1, -1}},
    {"S", "rolling", {1, 2, 3}, {6, 3, -4}},     {"Taylor", "rolling", {4, 4, 11}, {11, 11, -8}},
    {"A1*", "shear", {-1, -1, 1}, {1, 1, 2}},    {"A2*", "shear", {1, 1, 1}, {1, 1, -2}},
    {"A", "shear", {1, -1, 1}, {1, 1, 0}},       {"A-bar", "shear", {-1, 1, -1}, {-1, -1, 0}},
    {"B", "shear", {1, -1, 2}, {1, 1, 0}},       {"B-bar", "shear", {-1, 1, -2}, {-1, -1, 0}},
    {"C", "shear", {0, 0, 1}, {1, 1, 0}},
};
enum { COMPONENTS = sizeof component / sizeof *component };

/* Shear: the half turn about axis 3 swaps A with A-bar and B with B-bar and keeps the rest, so that only
 * without it do the pairs have numbers of their own. */
static const struct family {
    const char *name;
    int normal; /* sample axis (0, 1, 2) of hkl; uvw is along axis 0 */
    sw_sample_symmetry symmetry;
} families[] = {
    {"rolling", 2, SW_SAMPLE_ORTHORHOMBIC},
    {"shear", 1, SW_SAMPLE_TRICLINIC},
};

static const struct family *family_of(const sw_texture_component *one)
{
    const struct family *family = families;
    while (strcmp(family->name, one->family) != 0)
        family++;
    return family;
}

const sw_texture_component *sw_texture_components(int *count)
{
    *count = COMPONENTS;
    return component;
}

static void unit(const int v[3], double out[3])
{
    const double length = sqrt((double)(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    for (int i = 0; i < 3; i++)
        out[i] = v[i] / length;
}

void sw_texture_component_euler(const sw_texture_component *one, double euler[3])
{
    /* Row i of g is sample axis i in the crystal. */
    const int normal = family_of(one)->normal, third = 3 - normal, before = (third + 1) % 3,
              after = (third + 2) % 3;
    double g[3][3];
    unit(one->uvw, g[0]);
    unit(one->hkl, g[normal]);
    for (int i = 0; i < 3; i++)
        g[third][i] =
            g[before][(i + 1) % 3] * g[after][(i + 2) % 3] - g[before][(i + 2) % 3] * g[after][(i + 1) % 3];
    sw_euler_from_rotation(g, euler);
}

static sw_status check_tolerance(double tolerance)
{
    if (!(tolerance > 0 && tolerance <= SW_PI / 4))
        return sw_error(SW_ERR_RANGE, "tolerance %g degrees about a component: need 0 < tolerance <= 45",
                        tolerance * 180 / SW_PI);
    return SW_OK;
}

/* cos^2 of the half angle in double resolves angles to 2 sqrt(epsilon) only. */
#define ANGLE_ROUNDING 1e-7

/* *within: the weight of those that are. */
static sw_status weigh_within(int64_t n_crystals, const double *angle, const double *weight, double tolerance,
                              double *within)
{
    *within = 0;
    for (int64_t n = 0; n < n_crystals; n++) {
        if (isnan(angle[n]))
            return sw_error(SW_ERR_RANGE, "crystal %lld has an angle that is not finite", (long long)n);
        if (angle[n] <= tolerance + ANGLE_ROUNDING)
            *within += weight != NULL ? weight[n] : 1;
    }
    return SW_OK;
}

sw_status sw_component_fractions(int64_t n_crystals, const double (*euler)[3], const double *weight,
                                 double tolerance, double *fraction)
{
    SW_TRY(check_tolerance(tolerance));
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more", (long long)n_crystals);
    double *angle, total;
    SW_TRY(sw_texture_weight(n_crystals, weight, &total));
    SW_TRY(SW_ALLOCATE(angle, n_crystals, "angles from a component"));
    sw_status status = SW_OK;
    for (int k = 0; k < COMPONENTS && status == SW_OK; k++) {
        double ideal[3];
        sw_texture_component_euler(&component[k], ideal);
        status = sw_disorientation(n_crystals, euler, family_of(&component[k])->symmetry, ideal, angle);
        if (status == SW_OK)
            status = weigh_within(n_crystals, angle, weight, tolerance, &fraction[k]);
        if (status == SW_OK)
            fraction[k] /= total;
    }
    free(angle);
    return status;
}

/* ---- The same of a random texture ---- */

/* The ball of rotations by up to `tolerance` about an orientation, as SHELLS x RAYS points of equal volume:
 * shells split w - sin w evenly; rays are Fibonacci's spiral on the sphere. */
enum { SHELLS = 16, RAYS = 512, BALL = SHELLS * RAYS };

static double shell_angle(double tolerance, int shell)
{
    const double wanted = (shell + 0.5) / SHELLS * (tolerance - sin(tolerance));
    double low = 0, high = tolerance;
    while (high - low > 1e-12) {
        const double middle = 0.5 * (low + high);
        *(middle - sin(middle) < wanted ? &low : &high) = middle;
    }
    return low;
}

static void fill_ball(const double centre[3], double tolerance, double (*euler)[3])
{
    double g0[3][3];
    sw_rotation_from_euler(centre, g0);
    for (int n = 0; n < BALL; n++) {
        const double w = shell_angle(tolerance, n / RAYS);
        const double z = 1 - (2 * (n % RAYS) + 1.0) / RAYS, s = sqrt(1 - z * z);
        const double azimuth = n * SW_PI * (3 - sqrt(5)); /* the golden angle; shells are turned likewise */
        const double spin[3] = {w * z, w * s * cos(azimuth), w * s * sin(azimuth)};
        double turn[3][3], g[3][3] = {{0}};
        sw_rotation_from_spin(spin, turn);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    g[i][j] += turn[i][k] * g0[k][j];
        sw_euler_from_rotation(g, euler[n]);
    }
}

/* The orientation after half turn 0 .. 3 of the sample: none, about axis 3, 1, 2. */
static void half_turn(int turn, const double euler[3], double turned[3])
{
    static const double sign[4][3] = {{1, 1, 1}, {-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}};
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g[i][j] *= sign[turn][i];
    sw_euler_from_rotation(g, turned);
}

int sw_texture_component_variants(const sw_texture_component *one, double euler[4][3])
{
    double ideal[3];
    int count = 0;
    sw_texture_component_euler(one, ideal);
    for (int turn = 0; turn < (family_of(one)->symmetry == SW_SAMPLE_ORTHORHOMBIC ? 4 : 1); turn++) {
        double angle[4];
        half_turn(turn, ideal, euler[count]);
        int known = 0;
        if (sw_disorientation(count, (const double(*)[3])euler, SW_SAMPLE_TRICLINIC, euler[count], angle) !=
            SW_OK)
            continue;
        for (int k = 0; k < count; k++)
            known |= angle[k] < 1e-6;
        count += !known;
    }
    return count;
}

/* Mean over the ball about the first of n variants of 1 / (variants within the tolerance): a ball's share of
 * its own volume, so that what overlaps, or coincides, is counted once. */
static sw_status own_share(const double centre[3], double tolerance, int n_variants, double *share)
{
    double(*point)[3] = NULL, *angle = NULL, variant[3];
    int near[BALL] = {0};
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(point, BALL, "orientations about a component"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(angle, BALL, "angles from a component"), end);
    fill_ball(centre, tolerance, point);
    for (int k = 0; k < n_variants; k++) {
        half_turn(k, centre, variant);
        SW_TRY_GOTO(status, sw_disorientation(BALL, point, SW_SAMPLE_TRICLINIC, variant, angle), end);
        for (int n = 0; n < BALL; n++)
            near[n] += angle[n] <= tolerance + ANGLE_ROUNDING;
    }
    *share = 0;
    for (int n = 0; n < BALL; n++)
        *share += 1.0 / near[n] / BALL;
end:
    free(point);
    free(angle);
    return status;
}

sw_status sw_component_fractions_random(double tolerance, double *fraction)
{
    SW_TRY(check_tolerance(tolerance));
    const double ball = (tolerance - sin(tolerance)) / SW_PI;
    for (int k = 0; k < COMPONENTS; k++) {
        double centre[3], share = 1;
        sw_texture_component_euler(&component[k], centre);
        const int n_variants = family_of(&component[k])->symmetry == SW_SAMPLE_ORTHORHOMBIC ? 4 : 1;
        if (n_variants > 1)
            SW_TRY(own_share(centre, tolerance, n_variants, &share));
        fraction[k] = 24 * n_variants * ball * share;
    }
    return SW_OK;
}
