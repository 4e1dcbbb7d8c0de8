#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/math/rotation.h"
#include "orientation_histogram.h"

/* Shear: the half turn about axis 3 swaps A with A-bar and B with B-bar and keeps the rest, so that only
 * without it do the pairs have numbers of their own. */
static const struct family {
    const char *name;
    int normal; /* sample axis (0, 1, 2) of hkl; uvw is along axis 0 */
    sw_sample_symmetry symmetry;
    double along[3]; /* sample direction of a fibre of hkl */
} families[] = {
    {"rolling", 2, SW_SAMPLE_ORTHORHOMBIC, {0, 0, 1}},
    {"shear", 1, SW_SAMPLE_TRICLINIC, {0, 1, 0}},
    {"shear pairs", 1, SW_SAMPLE_ORTHORHOMBIC, {0, 1, 0}},
    {"15 to RD", 2, SW_SAMPLE_ORTHORHOMBIC, {0.25881904510252076, 0, 0.96592582628906829}},
    {"30 to TD", 2, SW_SAMPLE_ORTHORHOMBIC, {0, 0.5, 0.86602540378443865}},
};

static const struct family *family_of(const sw_texture_component *one)
{
    const struct family *family = families;
    while (strcmp(family->name, one->family) != 0)
        family++;
    return family;
}

static void unit(const double v[3], double out[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
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

/* ---- Fibres ---- */

static int is_zero(const double v[3]) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Of half turns about sample axes: none, about axis 3, 1, 2. */
static const double half_turns[4][3] = {{1, 1, 1}, {-1, -1, 1}, {1, -1, -1}, {-1, 1, -1}};

static int sample_turns(const sw_texture_component *one)
{
    return family_of(one)->symmetry == SW_SAMPLE_ORTHORHOMBIC ? 4 : 1;
}

void sw_texture_component_fibre(const sw_point_group *group, const sw_texture_component *one,
                                sw_texture_fibre *fibre)
{
    const int along_normal = is_zero(one->uvw);
    const double first[3] = {1, 0, 0}, *along = along_normal ? family_of(one)->along : first;
    double v[3];
    *fibre = (sw_texture_fibre){.n_along = 0};
    if (!is_zero(one->hkl) && !is_zero(one->uvw))
        return;
    for (int turn = 0; turn < sample_turns(one); turn++) {
        double *turned = fibre->along[fibre->n_along];
        int known = 0;
        for (int i = 0; i < 3; i++)
            turned[i] = half_turns[turn][i] * along[i];
        for (int k = 0; k < fibre->n_along; k++)
            known |= fabs(dot(turned, fibre->along[k])) > 1 - 1e-9;
        fibre->n_along += !known;
    }
    unit(along_normal ? one->hkl : one->uvw, v);
    fibre->n_directions = sw_point_group_axes(group, v, fibre->direction);
}

/* |cos| of the angle from v to the nearest of n directions. */
static double nearest_cosine(const double v[3], int n, const double (*direction)[3])
{
    double most = 0;
    for (int k = 0; k < n; k++)
        most = fmax(most, fabs(dot(v, direction[k])));
    return fmin(most, 1);
}

/* The same between a fibre's directions of the sample, by a crystal's rotation g, and of the crystal; NaN if g is. */
static double fibre_cosine(const sw_texture_fibre *fibre, const double g[3][3])
{
    double most = 0;
    for (int j = 0; j < fibre->n_along; j++) {
        const double *a = fibre->along[j];
        double v[3];
        for (int i = 0; i < 3; i++)
            v[i] = g[0][i] * a[0] + g[1][i] * a[1] + g[2][i] * a[2];
        most = fmax(most, nearest_cosine(v, fibre->n_directions, (const double(*)[3])fibre->direction));
    }
    return isfinite(g[0][0] + g[1][0] + g[2][0]) ? most : NAN;
}

static void angles_from_fibre(int64_t n_crystals, const double (*euler)[3], const sw_texture_fibre *fibre,
                              double *angle)
{
    for (int64_t n = 0; n < n_crystals; n++) {
        double g[3][3];
        sw_rotation_from_euler(euler[n], g);
        angle[n] = acos(fibre_cosine(fibre, (const double(*)[3])g));
    }
}

/* ---- Fractions ---- */

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

static sw_status angles_from_component(const sw_point_group *group, const sw_texture_component *one,
                                       int64_t n_crystals, const double (*euler)[3], double *angle)
{
    double ideal[3];
    sw_texture_fibre fibre;
    sw_texture_component_fibre(group, one, &fibre);
    if (fibre.n_along > 0) {
        angles_from_fibre(n_crystals, euler, &fibre, angle);
        return SW_OK;
    }
    sw_texture_component_euler(one, ideal);
    return sw_disorientation(group, n_crystals, euler, family_of(one)->symmetry, ideal, angle);
}

sw_status sw_component_fractions(const sw_lattice *lattice, int64_t n_crystals, const double (*euler)[3],
                                 const double *weight, double tolerance, double *fraction)
{
    SW_TRY(check_tolerance(tolerance));
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more", (long long)n_crystals);
    double *angle, total;
    SW_TRY(sw_texture_weight(n_crystals, weight, &total));
    SW_TRY(SW_ALLOCATE(angle, n_crystals, "angles from a component"));
    sw_status status = SW_OK;
    for (int k = 0; k < lattice->n_ideals && status == SW_OK; k++) {
        status = angles_from_component(lattice->group, &lattice->ideal[k], n_crystals, euler, angle);
        if (status == SW_OK)
            status = weigh_within(n_crystals, angle, weight, tolerance, &fraction[k]);
        if (status == SW_OK)
            fraction[k] /= total;
    }
    free(angle);
    return status;
}

/* ---- The same of a random texture ---- */

/* The ball of rotations by up to a tolerance, as SHELLS x RAYS points of equal volume: shells split w - sin w
 * evenly; rays are Fibonacci's spiral on the sphere. */
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

/* turn [BALL]: quaternions. */
static void fill_ball(double tolerance, double (*turn)[4])
{
    double w = 0;
    for (int n = 0; n < BALL; n++) {
        if (n % RAYS == 0)
            w = shell_angle(tolerance, n / RAYS);
        const double z = 1 - (2 * (n % RAYS) + 1.0) / RAYS, s = sqrt(1 - z * z);
        const double azimuth = n * SW_PI * (3 - sqrt(5)); /* the golden angle; shells are turned likewise */
        sw_quaternion_about((const double[]){z, s * cos(azimuth), s * sin(azimuth)}, -w, turn[n]);
    }
}

/* The orientation after half turn 0 .. 3 of the sample: none, about axis 3, 1, 2. */
static void half_turn(int turn, const double euler[3], double turned[3])
{
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            g[i][j] *= half_turns[turn][i];
    sw_euler_from_rotation(g, turned);
}

int sw_texture_component_variants(const sw_point_group *group, const sw_texture_component *one,
                                  double euler[4][3])
{
    double ideal[3];
    int count = 0;
    if (is_zero(one->hkl) || is_zero(one->uvw))
        return 0;
    sw_texture_component_euler(one, ideal);
    for (int turn = 0; turn < sample_turns(one); turn++) {
        double angle[4];
        half_turn(turn, ideal, euler[count]);
        int known = 0;
        if (sw_disorientation(group, count, (const double(*)[3])euler, SW_SAMPLE_TRICLINIC, euler[count],
                              angle) != SW_OK)
            continue;
        for (int k = 0; k < count; k++)
            known |= angle[k] < 1e-6;
        count += !known;
    }
    return count;
}

static void rounded_quaternion(const double euler[3], float q[4])
{
    double exact[4];
    sw_quaternion_from_euler(euler, exact);
    for (int i = 0; i < 4; i++)
        q[i] = (float)exact[i];
}

/* Mean over the ball about the first of n variants of 1 / (variants within the tolerance): a ball's share of
 * its own volume, so that what overlaps, or coincides, is counted once. */
static double own_share(const sw_torus_group *group, const double centre[3], double tolerance, int n_variants,
                        const double (*turn)[4])
{
    const float limit = (float)cos(0.5 * tolerance);
    double q[4], share = 0;
    float variant[4][4];
    sw_quaternion_from_euler(centre, q);
    for (int k = 0; k < n_variants; k++) {
        double turned[3];
        half_turn(k, centre, turned);
        rounded_quaternion(turned, variant[k]);
    }
    for (int n = 0; n < BALL; n++) {
        double p[4];
        int near = 1; /* the first */
        sw_quaternion_product(turn[n], q, p);
        const float point[4] = {(float)p[0], (float)p[1], (float)p[2], (float)p[3]};
        for (int k = 1; k < n_variants; k++)
            near += sw_torus_cosine(group, variant[k], point) >= limit;
        share += 1.0 / near / BALL;
    }
    return share;
}

static double random_near_orientation(const sw_torus_group *group, const sw_texture_component *one,
                                      double tolerance, const double (*turn)[4])
{
    const double ball = (tolerance - sin(tolerance)) / SW_PI;
    const int n_variants = sample_turns(one);
    double centre[3];
    sw_texture_component_euler(one, centre);
    return group->order * n_variants * ball *
           (n_variants > 1 ? own_share(group, centre, tolerance, n_variants, turn) : 1);
}

/* One direction of sample or crystal and several of the other: of the directions of a hemisphere, Fibonacci's spiral, the part
 * within the tolerance of one of these. Azimuths by turns of the golden angle, which lose 1e-16 each. */
static double random_near_fibre(const sw_texture_fibre *fibre, double tolerance)
{
    enum { POINTS = 1 << 17 };
    const double limit = cos(tolerance), golden = SW_PI * (3 - sqrt(5)), c = cos(golden), s = sin(golden);
    const int n_fixed = fibre->n_along > 1 ? fibre->n_along : fibre->n_directions;
    const double(*fixed)[3] = (const double(*)[3])(fibre->n_along > 1 ? fibre->along : fibre->direction);
    double x = 1, y = 0;
    int64_t within = 0;
    for (int n = 0; n < POINTS; n++) {
        const double z = (n + 0.5) / POINTS, across = sqrt(1 - z * z), next = c * x - s * y;
        const double v[3] = {across * x, across * y, z};
        within += nearest_cosine(v, n_fixed, fixed) >= limit;
        y = s * x + c * y;
        x = next;
    }
    return (double)within / POINTS;
}

sw_status sw_component_fractions_random(const sw_lattice *lattice, double tolerance, double *fraction)
{
    const sw_point_group *group = lattice->group;
    sw_torus_group folded;
    double(*turn)[4];
    SW_TRY(check_tolerance(tolerance));
    SW_TRY(SW_ALLOCATE(turn, BALL, "rotations about a component"));
    fill_ball(tolerance, turn);
    sw_torus_group_make(group, &folded);
    for (int k = 0; k < lattice->n_ideals; k++) {
        const sw_texture_component *one = &lattice->ideal[k];
        sw_texture_fibre fibre;
        sw_texture_component_fibre(group, one, &fibre);
        fraction[k] = fibre.n_along > 0
                          ? random_near_fibre(&fibre, tolerance)
                          : random_near_orientation(&folded, one, tolerance, (const double(*)[4])turn);
    }
    free(turn);
    return SW_OK;
}
