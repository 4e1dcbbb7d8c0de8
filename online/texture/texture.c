/* Densities: sums of kernels, all through one loop. A sum runs over N items (quaternions of crystals, or
 * directions) for each of P probes (quaternions of orientations, or directions); `base` turns items and a
 * probe into the numbers x whose kappa-th powers are summed. Symmetry is a sequence of passes with turned
 * probes or other items. */
#include "texture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/point_group.h"
#include "common/math/quaternion.h"
#include "common/math/rotation.h"
#include "common/system/threads.h"
#include "online/response/step/check.h"
#include "series/odf_series.h"

enum {
    BLOCK = 256, /* items at a time: x and its power stay in the first-level cache */
    TILE = 16,   /* probes that share a block while it is there */
    /* What they take of a core, ns: an item from angles, a probe from angles, a term of a sum (from one, of
     * poles, to four, of an ODF's nearest images). */
    ITEM_NS = 100,
    PROBE_NS = 150,
    TERM_NS = 2
};

/* gcc 12 has crashed vectorising loops that it inlines in an OpenMP region. */
#define APART __attribute__((noinline))

/* ---- Items ---- */

typedef struct {
    int64_t count;
    double total;    /* of the weights */
    double *part[4]; /* [count] each: a quaternion's w x y z, or a direction's x y z; part[0] owns all */
    double *weight;  /* [count] and zeros up to a whole block, or NULL: all 1 */
    int sizes;       /* of orientations, of their group */
    double size[SW_POINT_GROUP_SIZES][4];
} items;

static sw_status allocate_items(items *these, int64_t count, const double *weight)
{
    const int64_t padded = (count + BLOCK - 1) / BLOCK * BLOCK;
    double *storage;
    SW_TRY(sw_texture_weight(count, weight, &these->total));
    SW_TRY(SW_ALLOCATE(storage, 4 * count + (weight != NULL ? padded : 0), "orientations for a texture"));
    these->count = count;
    for (int i = 0; i < 4; i++)
        these->part[i] = storage + i * count;
    these->weight = weight != NULL ? storage + 4 * count : NULL;
    for (int64_t i = 0; weight != NULL && i < count; i++)
        these->weight[i] = weight[i];
    return SW_OK;
}

static void free_items(items *these) { free(these->part[0]); }

static APART void set_orientation(items *these, int64_t n, const double euler[3])
{
    double q[4];
    sw_quaternion_from_euler(euler, q);
    for (int i = 0; i < 4; i++)
        these->part[i][n] = q[i];
}

/* The crystals' orientations as items. */
static sw_status orientations(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                              const double *weight, items *these)
{
    SW_TRY(allocate_items(these, n_crystals, weight));
    these->sizes = sw_point_group_sizes(group, these->size);
#pragma omp parallel for num_threads(sw_threads_for(n_crystals, ITEM_NS))
    for (int64_t n = 0; n < n_crystals; n++)
        set_orientation(these, n, euler[n]);
    return SW_OK;
}

/* ---- What is summed ---- */

typedef void base_function(const items *these, int64_t first, int n, const double probe[4], double *x);

#define SW_PARTS                                                                                       \
    const double *restrict a = these->part[0] + first, *restrict b = these->part[1] + first,           \
                           *restrict c = these->part[2] + first, *restrict d = these->part[3] + first; \
    const double p = probe[0], q = probe[1], r = probe[2], s = probe[3]

/* (1 + |cos w|) / 2 between directions: the nearer end of a pole ... */
static APART void near_end(const items *these, int64_t first, int n, const double probe[4],
                           double *restrict x)
{
    SW_PARTS;
    (void)d, (void)s;
#pragma omp simd
    for (int i = 0; i < n; i++)
        x[i] = 0.5 + 0.5 * fabs(p * a[i] + q * b[i] + r * c[i]);
}

/* ... and the farther. */
static APART void far_end(const items *these, int64_t first, int n, const double probe[4], double *restrict x)
{
    SW_PARTS;
    (void)d, (void)s;
#pragma omp simd
    for (int i = 0; i < n; i++)
        x[i] = 0.5 - 0.5 * fabs(p * a[i] + q * b[i] + r * c[i]);
}

/* cos^2(w/2) between orientations as they are. */
static APART void plain(const items *these, int64_t first, int n, const double probe[4], double *restrict x)
{
    SW_PARTS;
#pragma omp simd
    for (int i = 0; i < n; i++) {
        const double cosine = p * a[i] + q * b[i] + r * c[i] + s * d[i];
        x[i] = cosine * cosine;
    }
}

#define SW_SMALLER(a, b) ((a) < (b) ? (a) : (b))

/* cos^2(w/2) for the smallest w over the rotations of a group: the largest product of sizes (point_group.h). n <= BLOCK. */
static APART void nearest(const items *these, int64_t first, int n, const double probe[4], double *restrict x)
{
    double size[4][BLOCK];
    SW_PARTS;
#pragma omp simd
    for (int i = 0; i < n; i++) {
        size[0][i] = fabs(p * a[i] + q * b[i] + r * c[i] + s * d[i]);
        size[1][i] = fabs(p * b[i] - q * a[i] - r * d[i] + s * c[i]);
        size[2][i] = fabs(p * c[i] + q * d[i] - r * a[i] - s * b[i]);
        size[3][i] = fabs(p * d[i] - q * c[i] + r * b[i] - s * a[i]);
        x[i] = 0;
    }
    for (int k = 0; k < these->sizes; k++) {
        const double *of = these->size[k], u = of[0], v = of[1], w = of[2], z = of[3];
#pragma omp simd
        for (int i = 0; i < n; i++) {
            const double cosine = u * size[0][i] + v * size[1][i] + w * size[2][i] + z * size[3][i];
            x[i] = x[i] >= cosine * cosine ? x[i] : cosine * cosine; /* NaN stays */
        }
    }
}

/* ---- The loop ---- */

/* Sum of x^kappa, each times its weight (NULL: 1), by repeated squaring, from the highest bit down. n is a
 * multiple of GROUP; a group of numbers stays in registers from its first power to its last (twice as fast as
 * a sweep of the block for each power). */
typedef double lanes __attribute__((vector_size(64)));
typedef lanes unaligned_lanes __attribute__((aligned(sizeof(double)), may_alias));
enum { LANES = sizeof(lanes) / sizeof(double), VECTORS = 4, GROUP = LANES * VECTORS };

static inline __attribute__((always_inline)) double powers(int n, const double *x, const double *weight,
                                                           int kappa)
{
    lanes total[VECTORS] = {{0}};
    int highest = 0;
    while (kappa >> (highest + 1) != 0)
        highest++;
    for (int first = 0; first < n; first += GROUP) {
        lanes base[VECTORS], y[VECTORS];
        memcpy(base, x + first, sizeof base);
        memcpy(y, base, sizeof y);
        for (int bit = highest - 1; bit >= 0; bit--) {
            for (int v = 0; v < VECTORS; v++)
                y[v] *= y[v];
            if (kappa >> bit & 1)
                for (int v = 0; v < VECTORS; v++)
                    y[v] *= base[v];
        }
        if (weight != NULL) {
            for (int v = 0; v < VECTORS; v++)
                y[v] *= *(const unaligned_lanes *)(weight + first + v * LANES);
        }
        for (int v = 0; v < VECTORS; v++)
            total[v] += y[v];
    }
    double sum = 0;
    for (int v = 0; v < VECTORS; v++)
        for (int i = 0; i < LANES; i++)
            sum += total[v][i];
    return sum;
}

static APART double sum_of_powers(int n, const double *x, int kappa) { return powers(n, x, NULL, kappa); }

static APART double weighted_sum_of_powers(int n, const double *x, const double *weight, int kappa)
{
    return powers(n, x, weight, kappa);
}

static APART void accumulate_tile(const items *these, base_function *base, int kappa, int n_probes,
                                  const double (*probe)[4], double *density)
{
    _Alignas(64) double x[BLOCK];
    for (int64_t first = 0; first < these->count; first += BLOCK) {
        const int n = (int)SW_SMALLER(these->count - first, BLOCK);
        const int padded = (n + GROUP - 1) / GROUP * GROUP;
        memset(x, 0, sizeof x);
        for (int k = 0; k < n_probes; k++) {
            base(these, first, n, probe[k], x);
            density[k] += these->weight == NULL
                              ? sum_of_powers(padded, x, kappa)
                              : weighted_sum_of_powers(padded, x, these->weight + first, kappa);
        }
    }
}

static int threads_for_sums(int64_t n_items, int64_t n_probes)
{
    return sw_threads_for((n_probes + TILE - 1) / TILE, (double)TILE * TERM_NS * (double)n_items);
}

/* density [P] += sum over items of weight base(item, probe)^kappa. The order of a sum does not depend on the
 * number of threads. */
static void accumulate(const items *these, base_function *base, int kappa, int64_t n_probes,
                       const double (*probe)[4], double *density)
{
#pragma omp parallel for schedule(dynamic) num_threads(threads_for_sums(these->count, n_probes))
    for (int64_t first = 0; first < n_probes; first += TILE)
        accumulate_tile(these, base, kappa, (int)SW_SMALLER(n_probes - first, TILE), probe + first,
                        density + first);
}

/* Scale sums to densities. A sum of positive terms is finite exactly when every angle was. */
static sw_status finish(int64_t n_points, double scale, double *density)
{
    for (int64_t i = 0; i < n_points; i++) {
        density[i] *= scale;
        if (!isfinite(density[i]))
            return sw_error(SW_ERR_RANGE, "the density at point %lld is %g: need finite angles and points",
                            (long long)i, density[i]);
    }
    return SW_OK;
}

static sw_status check(int64_t n_crystals, int kappa, int64_t n_points)
{
    if (n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more", (long long)n_crystals);
    if (kappa < 1)
        return sw_error(SW_ERR_RANGE, "kappa = %d: need 1 or more", kappa);
    if (n_points < 0)
        return sw_error(SW_ERR_RANGE, "%lld points: need 0 or more", (long long)n_points);
    return SW_OK;
}

int sw_texture_kappa(double halfwidth)
{
    const double kappa = 0.5 * log(2) / fabs(log(cos(0.5 * halfwidth)));
    return kappa >= 1 ? (int)lround(SW_SMALLER(kappa, 1e6)) : 1;
}

/* ---- By series ---- */

/* From so many terms on, some tenths of a second of sums, a series does. */
static int wants_series(int64_t n_crystals, int64_t n_points, int kappa)
{
    return kappa <= SW_ODF_KAPPA && (double)n_crystals * (double)n_points >= 67108864.;
}

/* ---- Directions ---- */

/* Both ends of each direction. The farther adds less than (kappa + 1) 2^-kappa MRD: below round-off from
 * kappa = 64 on. */
static void accumulate_ends(const items *directions, int kappa, int64_t n_points, const double (*probe)[4],
                            double *density)
{
    accumulate(directions, near_end, kappa, n_points, probe, density);
    if (kappa < 64)
        accumulate(directions, far_end, kappa, n_points, probe, density);
}

static APART void set_direction(items *these, int64_t n, const double euler[3], const double v[3],
                                int to_sample)
{
    double g[3][3];
    sw_rotation_from_euler(euler, g);
    for (int i = 0; i < 3; i++) {
        double turned = 0;
        for (int j = 0; j < 3; j++)
            turned += (to_sample ? g[i][j] : g[j][i]) * v[j];
        these->part[i][n] = turned;
    }
}

/* g v (to_sample) or g^T v of every crystal. */
static void set_directions(items *these, const double (*euler)[3], const double v[3], int to_sample)
{
#pragma omp parallel for num_threads(sw_threads_for(these->count, ITEM_NS))
    for (int64_t n = 0; n < these->count; n++)
        set_direction(these, n, euler[n], v, to_sample);
}

/* Arrays of a call: what is written shares no memory with what is read; angles in rad. */
static sw_status check_arrays(int64_t n_crystals, const double (*euler)[3], const double *weight,
                              int64_t n_points, const double (*at)[3], const double *out)
{
    const size_t crystals = (size_t)n_crystals, points = (size_t)n_points;
    const sw_extent array[] = {{"what is computed", out, points * sizeof *out},
                               {"euler", euler, crystals * sizeof *euler},
                               {"weight", weight, crystals * sizeof *weight},
                               {"the points", at, points * sizeof *at}};
    SW_TRY(sw_check_angles("crystal", n_crystals, euler));
    return sw_check_apart(1, 4, array);
}

sw_status sw_pole_figure(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                         const double *weight, const double pole[3], int kappa, int64_t n_points,
                         const double (*direction)[3], double *density)
{
    const double length = sqrt(pole[0] * pole[0] + pole[1] * pole[1] + pole[2] * pole[2]);
    const double along[3] = {pole[0] / length, pole[1] / length, pole[2] / length};
    SW_TRY(check(n_crystals, kappa, n_points));
    SW_TRY(check_arrays(n_crystals, euler, weight, n_points, direction, density));
    if (!(length > 0 && length < INFINITY))
        return sw_error(SW_ERR_RANGE, "the pole {%g %g %g} has no direction", pole[0], pole[1], pole[2]);
    if (wants_series(n_crystals, n_points, kappa)) {
        sw_odf_series *series;
        SW_TRY(sw_odf_series_of_crystals(group, n_crystals, euler, weight, kappa, &series));
        const sw_status done = sw_odf_series_pole_figure(series, pole, n_points, direction, density);
        sw_odf_series_destroy(series);
        return done;
    }
    items poles = {0};
    double(*probe)[4] = NULL, axis[SW_POINT_GROUP_ORDER][3];
    sw_status status;
    SW_TRY_GOTO(status, allocate_items(&poles, n_crystals, weight), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(probe, n_points, "points of a pole figure"), end);
    for (int64_t i = 0; i < n_points; i++) {
        memcpy(probe[i], direction[i], sizeof direction[i]);
        density[i] = 0;
    }
    const int n_poles = sw_point_group_axes(group, along, axis);
    for (int k = 0; k < n_poles; k++) {
        set_directions(&poles, euler, axis[k], 1);
        accumulate_ends(&poles, kappa, n_points, probe, density);
    }
    status = finish(n_points, 0.5 * (kappa + 1) / n_poles / poles.total, density);
end:
    free_items(&poles);
    free(probe);
    return status;
}

sw_status sw_inverse_pole_figure(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                                 const double *weight, const double axis[3], int kappa, int64_t n_points,
                                 const double (*direction)[3], double *density)
{
    SW_TRY(check(n_crystals, kappa, n_points));
    SW_TRY(check_arrays(n_crystals, euler, weight, n_points, direction, density));
    if (wants_series(n_crystals, n_points, kappa)) {
        sw_odf_series *series;
        SW_TRY(sw_odf_series_of_crystals(group, n_crystals, euler, weight, kappa, &series));
        const sw_status done = sw_odf_series_inverse(series, axis, n_points, direction, density);
        sw_odf_series_destroy(series);
        return done;
    }
    items axes = {0};
    double(*probe)[4] = NULL;
    sw_status status;
    SW_TRY_GOTO(status, allocate_items(&axes, n_crystals, weight), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(probe, n_points, "points of an inverse pole figure"), end);
    set_directions(&axes, euler, axis, 0);
    memset(density, 0, (size_t)n_points * sizeof *density);
    for (int crystal = 0; crystal < group->order; crystal++) {
        for (int64_t i = 0; i < n_points; i++)
            sw_point_group_turn(group, crystal, direction[i], probe[i]);
        accumulate_ends(&axes, kappa, n_points, probe, density);
    }
    status = finish(n_points, 0.5 * (kappa + 1) / group->order / axes.total, density);
end:
    free_items(&axes);
    free(probe);
    return status;
}

/* ---- Orientations ---- */

/* Half turns about sample axes: each symmetry takes the first few. */
static const double sample_rotation[4][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}};
static const int sample_rotations[] = {
    [SW_SAMPLE_TRICLINIC] = 1, [SW_SAMPLE_MONOCLINIC] = 2, [SW_SAMPLE_ORTHORHOMBIC] = 4};

static sw_status check_symmetry(sw_sample_symmetry symmetry)
{
    if ((unsigned)symmetry > SW_SAMPLE_ORTHORHOMBIC)
        return sw_error(SW_ERR_RANGE, "sample symmetry %d is none of those known", (int)symmetry);
    return SW_OK;
}

/* probe = sample rotation, orientation, crystal rotation. */
static APART void set_probe(const double sample[4], const double euler[3], const double crystal[4],
                            double probe[4])
{
    double q[4], turned[4];
    sw_quaternion_from_euler(euler, q);
    sw_quaternion_product(sample, q, turned);
    sw_quaternion_product(turned, crystal, probe);
}

/* c = B(3/2, 1/2) / B(3/2, kappa + 1/2): the kernel's peak. */
static double kernel_peak(int kappa)
{
    double c = 1;
    for (int i = 0; i < kappa; i++)
        c *= (i + 2) / (i + 0.5);
    return c;
}

/* Whether the nearest of the equivalents is enough. The others are half the group's least angle away or more, so that
 * dropping them loses less than this bound, in MRD; of cubic crystals (90 degrees) at 7.5 degrees' half width, 3e-8. */
static int nearest_suffices(const sw_point_group *group, int kappa)
{
    double least = 0; /* cos of half that angle */
    for (int i = 1; i < group->order; i++)
        least = fmax(least, fabs(group->q[i][0]));
    const double part = (group->order - 1.0) / group->order;
    return part * kernel_peak(kappa) * pow(cos(0.5 * acos(least)), 2.0 * kappa) <= 1e-6;
}

/* The mean over a sample's rotations. */
static sw_status odf_of_series(const sw_odf_series *series, int n_sample, int64_t n_points,
                               const double (*point)[3], double *density)
{
    double(*turned)[3] = NULL, *part = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(turned, n_points, "points of an ODF"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(part, n_points, "densities of an ODF"), end);
    memset(density, 0, (size_t)n_points * sizeof *density);
    for (int sample = 0; sample < n_sample; sample++) {
        for (int64_t i = 0; i < n_points; i++) {
            double probe[4];
            set_probe(sample_rotation[sample], point[i], sample_rotation[0], probe);
            sw_euler_from_quaternion(probe, turned[i]);
        }
        SW_TRY_GOTO(status, sw_odf_series_at(series, n_points, (const double(*)[3])turned, part), end);
        for (int64_t i = 0; i < n_points; i++)
            density[i] += part[i] / n_sample;
    }
end:
    free(turned);
    free(part);
    return status;
}

sw_status sw_odf(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                 const double *weight, sw_sample_symmetry symmetry, int kappa, int64_t n_points,
                 const double (*point)[3], double *density)
{
    SW_TRY(check(n_crystals, kappa, n_points));
    SW_TRY(check_arrays(n_crystals, euler, weight, n_points, point, density));
    SW_TRY(check_symmetry(symmetry));
    SW_TRY(sw_check_angles("point", n_points, point));
    if (wants_series(n_crystals, n_points, kappa)) {
        sw_odf_series *series;
        SW_TRY(sw_odf_series_of_crystals(group, n_crystals, euler, weight, kappa, &series));
        const sw_status done = odf_of_series(series, sample_rotations[symmetry], n_points, point, density);
        sw_odf_series_destroy(series);
        return done;
    }
    items crystals = {0};
    double(*probe)[4] = NULL;
    sw_status status;
    SW_TRY_GOTO(status, orientations(group, n_crystals, euler, weight, &crystals), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(probe, n_points, "points of an ODF"), end);
    memset(density, 0, (size_t)n_points * sizeof *density);
    const int near = nearest_suffices(group, kappa), n_sample = sample_rotations[symmetry];
    for (int sample = 0; sample < n_sample; sample++)
        for (int crystal = 0; crystal < (near ? 1 : group->order); crystal++) {
#pragma omp parallel for num_threads(sw_threads_for(n_points, PROBE_NS))
            for (int64_t i = 0; i < n_points; i++)
                set_probe(sample_rotation[sample], point[i], group->q[crystal], probe[i]);
            accumulate(&crystals, near ? nearest : plain, kappa, n_points, probe, density);
        }
    status =
        finish(n_points, kernel_peak(kappa) / ((double)group->order * n_sample) / crystals.total, density);
end:
    free_items(&crystals);
    free(probe);
    return status;
}

sw_status sw_disorientation(const sw_point_group *group, int64_t n_crystals, const double (*euler)[3],
                            sw_sample_symmetry symmetry, const double reference[3], double *angle)
{
    SW_TRY(check_symmetry(symmetry));
    SW_TRY(check_arrays(n_crystals, euler, NULL, n_crystals, NULL, angle));
    SW_TRY(sw_check_angles("reference", 1, (const double(*)[3])reference));
    items crystals;
    SW_TRY(orientations(group, n_crystals, euler, NULL, &crystals));
    for (int64_t first = 0; first < n_crystals; first += BLOCK) {
        const int n = (int)SW_SMALLER(n_crystals - first, BLOCK);
        double probe[4], x[BLOCK], largest[BLOCK] = {0};
        for (int sample = 0; sample < sample_rotations[symmetry]; sample++) {
            set_probe(sample_rotation[sample], reference, sample_rotation[0], probe);
            nearest(&crystals, first, n, probe, x);
            for (int i = 0; i < n; i++)
                largest[i] = largest[i] >= x[i] ? largest[i] : x[i]; /* NaN stays */
        }
        for (int i = 0; i < n; i++)
            angle[first + i] = 2 * acos(SW_SMALLER(1.0, sqrt(largest[i]))); /* likewise */
    }
    free_items(&crystals);
    return SW_OK;
}

sw_status sw_texture_index_of(const sw_point_group *group, double mean, double crystals, int kappa,
                              double *index)
{
    const double identity[1][3] = {{0, 0, 0}};
    double own = 0;
    if (!(crystals >= SW_TEXTURE_INDEX_LEAST && crystals < INFINITY))
        return sw_error(SW_ERR_RANGE, "the texture index of %g crystals: need %g or more", crystals,
                        SW_TEXTURE_INDEX_LEAST);
    SW_TRY(sw_odf(group, 1, identity, NULL, SW_SAMPLE_TRICLINIC, kappa, 1, identity, &own));
    *index = (mean * crystals - own) / (crystals - 1);
    return SW_OK;
}
