/* A texture as numbers of crystals: how many in each bin of orientations, how many near each ideal
 * component. Whole numbers, so that they do not depend on the order of counting, and small beside the
 * crystals: textures of crystals that stay on a GPU, or are spread over MPI ranks. A crystal
 * with a weight counts as many as 2^30 times the weight over the largest of all, rounded: one of a millionth is
 * still good to 1e-3.
 *
 * Bins. An orientation is the same after any rotation of the crystal's point group; the nearest to the sample axes of its
 * equivalents has Rodrigues' vector r, of cubic crystals |r_i| <= tan 22.5 degrees, |r_1| + |r_2| + |r_3| <= 1. Its
 * angles a_i = 2 atan r_i, of those in [-45, 45] degrees, are cut into SW_HISTOGRAM_SIDE equal steps, there of 1.25 degrees
 * each; bin (i SIDE + j) SIDE + k holds step i of a_1, j of a_2, k of a_3. Bins of cubic crystals are nearly cubes of nearly
 * one volume: from 0.75 to 1 of the largest, less where the octahedron |r_1| + |r_2| + |r_3| <= 1 cuts them.
 *
 * Cells. Beside the bins, which are for those who read them, crystals are spread over the cells of a torus (series/torus.h), from which
 * densities are made (series/odf_series.h); very many on a GPU by way of the bins (bin_moments.h). */
#ifndef SW_ONLINE_TEXTURE_ORIENTATION_HISTOGRAM_H
#define SW_ONLINE_TEXTURE_ORIENTATION_HISTOGRAM_H

#include <math.h>
#include <stdint.h>

#include "common/crystal/lattice.h"
#include "common/system/device.h"
#include "common/system/status.h"
#include "slipwave/response.h"
#include "series/torus.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SW_HISTOGRAM_SIDE = 72,
    SW_HISTOGRAM_BINS = SW_HISTOGRAM_SIDE * SW_HISTOGRAM_SIDE * SW_HISTOGRAM_SIDE,
    SW_HISTOGRAM_COMPONENTS = 14, /* of a lattice's ideals, at most; those that it lacks count 0 */
    SW_HISTOGRAM_VARIANTS = 4 * SW_HISTOGRAM_COMPONENTS,
    SW_HISTOGRAM_FIBRES = 40, /* directions of all fibres, by crystal's and sample's symmetry, at most */
    SW_HISTOGRAM_HEAVIEST = 1 << 30, /* what the heaviest crystal counts, where they have weights */
};

/* So many crystals with weights may be counted: numbers stay below 2^63. */
#define SW_HISTOGRAM_WEIGHTED_MOST (INT64_C(1) << 33)

/* Angles (rad) from here on are refused: too large for the reduction to [-pi/4, pi/4] in single precision. */
#define SW_HISTOGRAM_LARGEST_ANGLE 8192.0F

/* Within this angle (degrees) of a component, a crystal counts for it. */
#define SW_HISTOGRAM_TOLERANCE_DEGREES 15.0

/* ---- At a point ---- */

/* A direction of a fibre and a sample direction, of their equivalents: the cosine between them is a form of the crystal's
 * quaternion, of its products ww xx yy zz wx wy wz xy xz yz. */
enum { SW_FIBRE_PRODUCTS = 10 };
typedef struct {
    int32_t component;
    float form[SW_FIBRE_PRODUCTS];
} sw_component_fibre;

/* Ideal components with their variants by sample symmetry, and the directions of fibres. */
typedef struct {
    int32_t n_fibres;
    float fibre_cosine; /* of the tolerance */
    sw_component_fibre fibre[SW_HISTOGRAM_FIBRES];
    float cosine; /* of half the tolerance */
    int32_t n_variants;
    int32_t component[SW_HISTOGRAM_VARIANTS];   /* of each variant */
    float quaternion[SW_HISTOGRAM_VARIANTS][4]; /* w x y z, crystal -> sample */
} sw_component_table;

/* Sine and cosine for |x| < 2 x 8192, to 1e-7, without a branch: the remainder of x by pi/2, of which the
 * first part has few enough digits to be multiplied exactly, and polynomials on +-pi/4, all of the Cephes
 * library (Moshier). */
SW_HD static inline void sw_histogram_sine_cosine(float x, float *sine, float *cosine)
{
    const float turns = rintf(x * 0.636619772F);
    const float a = ((x - turns * 1.5703125F) - turns * 4.837512969970703e-4F) - turns * 7.54978995489e-8F;
    const float z = a * a;
    const float s = ((-1.9515295891e-4F * z + 8.3321608736e-3F) * z - 1.6666654611e-1F) * z * a + a;
    const float c =
        ((2.443315711809948e-5F * z - 1.388731625493765e-3F) * z + 4.166664568298827e-2F) * z * z - 0.5F * z +
        1.0F;
    const int32_t quarter = (int32_t)turns;
    const float swapped_s = quarter & 1 ? c : s, swapped_c = quarter & 1 ? s : c;
    *sine = quarter & 2 ? -swapped_s : swapped_s;
    *cosine = (quarter + 1) & 2 ? -swapped_c : swapped_c;
}

/* Whether three angles can be counted: finite and not too large. */
SW_HD static inline int sw_histogram_accepts(const float euler[3])
{
    return (fabsf(euler[0]) <= SW_HISTOGRAM_LARGEST_ANGLE) & (fabsf(euler[1]) <= SW_HISTOGRAM_LARGEST_ANGLE) &
           (fabsf(euler[2]) <= SW_HISTOGRAM_LARGEST_ANGLE);
}

/* Bunge angles (rad) -> quaternion w x y z, to 5e-7 for angles in [-2 pi, 2 pi]: that of common/math/quaternion.h in
 * single precision and without calls, so that the same operations fill SIMD lanes and a GPU's. */
SW_HD static inline void sw_histogram_quaternion(const float euler[3], float q[4])
{
    float s, c, s_sum, c_sum, s_difference, c_difference;
    sw_histogram_sine_cosine(0.5F * euler[1], &s, &c);
    sw_histogram_sine_cosine(0.5F * (euler[0] + euler[2]), &s_sum, &c_sum);
    sw_histogram_sine_cosine(0.5F * (euler[0] - euler[2]), &s_difference, &c_difference);
    q[0] = c * c_sum;
    q[1] = s * c_difference;
    q[2] = s * s_difference;
    q[3] = c * s_sum;
}

/* Place of a = 2 atan r along an axis, in steps, |r| <= 1. The polynomial is Cephes' for |r| <= tan(pi / 8), to 1e-7; beyond
 * atan r = pi / 4 + atan((r - 1) / (r + 1)), which cubic crystals do not need. */
SW_HD static inline float sw_histogram_place(const sw_torus_group *group, int axis, float r)
{
    const float size = fabsf(r);
    const int far = size > 0.4143F;
    const float t = far ? (size - 1.0F) / (size + 1.0F) : r, z = t * t;
    const float near =
        (((8.05374449538e-2F * z - 1.38776856032e-1F) * z + 1.99777106478e-1F) * z - 3.33329491539e-1F) * z *
            t +
        t;
    const float angle = far ? copysignf(0.785398163F + near, r) : near;
    const float side = (float)SW_HISTOGRAM_SIDE;
    return angle * (side * group->per_reach[axis]) + 0.5F * side;
}

/* Round-off past an end, and NaN, go to the last step there is. */
SW_HD static inline int32_t sw_histogram_step(float place)
{
    const float last = (float)SW_HISTOGRAM_SIDE - 1.0F;
    const float above = place > 0 ? place : 0.0F;
    return (int32_t)(above < last ? above : last);
}

/* Bin of a reduced quaternion, 0 .. SW_HISTOGRAM_BINS - 1 whatever it holds. */
SW_HD static inline int32_t sw_histogram_bin_of_reduced(const sw_torus_group *group, const float reduced[4])
{
    const float scale = 1.0F / reduced[0];
    int32_t bin = 0;
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        bin =
            bin * SW_HISTOGRAM_SIDE + sw_histogram_step(sw_histogram_place(group, i, scale * reduced[1 + i]));
    return bin;
}

SW_HD static inline int32_t sw_histogram_bin_of_quaternion(const sw_torus_group *group, const float q[4])
{
    float reduced[4];
    sw_torus_reduce(group, q, reduced);
    return sw_histogram_bin_of_reduced(group, reduced);
}

/* Bin of a crystal with Bunge angles (rad); -1 when they are not finite or above 8192. */
SW_HD static inline int32_t sw_histogram_bin(const sw_torus_group *group, const float euler[3])
{
    float q[4];
    sw_histogram_quaternion(euler, q);
    const int32_t bin = sw_histogram_bin_of_quaternion(group, q);
    return sw_histogram_accepts(euler) ? bin : -1;
}

/* |cos w| of the angle w from a sample direction to one of the crystal; to 5e-7. */
SW_HD static inline float sw_histogram_fibre_cosine(const sw_component_fibre *fibre, const float q[4])
{
    const float *f = fibre->form;
    const float squares =
        f[0] * (q[0] * q[0]) + f[1] * (q[1] * q[1]) + f[2] * (q[2] * q[2]) + f[3] * (q[3] * q[3]);
    const float with_w = f[4] * (q[0] * q[1]) + f[5] * (q[0] * q[2]) + f[6] * (q[0] * q[3]);
    return fabsf(squares + with_w + (f[7] * (q[1] * q[2]) + f[8] * (q[1] * q[3]) + f[9] * (q[2] * q[3])));
}

/* The components that a crystal of unit quaternion q counts for, a bit each. Round-off decides within 2e-5
 * rad of the limit: 5e-7 of a cosine whose slope is sin(7.5 degrees) / 2, and as much of the quaternion. */
SW_HD static inline uint32_t sw_component_mask(const sw_torus_group *group, const sw_component_table *table,
                                               const float q[4])
{
    uint32_t mask = 0;
    for (int32_t i = 0; i < table->n_variants; i++)
        mask |= (uint32_t)(sw_torus_cosine(group, table->quaternion[i], q) >= table->cosine)
                << table->component[i];
    for (int32_t i = 0; i < table->n_fibres; i++)
        mask |= (uint32_t)(sw_histogram_fibre_cosine(&table->fibre[i], q) >= table->fibre_cosine)
                << table->fibre[i].component;
    return mask;
}

/* What a crystal of a weight counts; -1 unless 0 <= weight <= heaviest. */
SW_HD static inline int64_t sw_histogram_counts(float weight, float heaviest)
{
    const double counts = rint((double)weight / (double)heaviest * (double)SW_HISTOGRAM_HEAVIEST);
    return weight >= 0 && weight <= heaviest ? (int64_t)counts : -1;
}

/* ---- Many crystals ---- */

/* To add the histograms of several processes, add up the numbers (one block of memory of
 * sw_orientation_histogram_numbers, beginning at `count`) and n_crystals. */
typedef struct {
    const sw_lattice *lattice; /* whose components are counted */
    int64_t n_crystals;
    float heaviest;  /* weight of all that will be counted, set before the first; 0: they have no weights */
    double most;     /* what these weigh together, over the heaviest; likewise; 0: 2^33, as many crystals */
    uint64_t *count; /* [SW_HISTOGRAM_BINS] crystals, or what they count by weight */
    uint64_t *component; /* [SW_HISTOGRAM_COMPONENTS] near each; a crystal may be near several */
    uint64_t *cell;      /* [sw_torus_size(&group)]: sw_torus_unit(most) for each crystal, or the heaviest */
    sw_component_table table;
    sw_torus_group group;
} sw_orientation_histogram;

/* An empty histogram, 5 MB, that counts a lattice's ideals. SW_ERR_MEMORY. Release with sw_orientation_histogram_destroy (NULL is
 * fine). */
sw_status sw_orientation_histogram_create(const sw_lattice *lattice, sw_orientation_histogram **histogram);
void sw_orientation_histogram_destroy(sw_orientation_histogram *histogram);

/* Count crystals [N], in host memory, of weight [N], NULL where the histogram is without. The same numbers for
 * any number of threads, and for any order and division of the crystals among calls. SW_ERR_RANGE for N < 0 or a
 * crystal whose angles are not finite or above 8192 rad, or whose weight is not in 0 .. heaviest; SW_ERR_MEMORY;
 * nothing is counted then. 5 MB a thread meanwhile. */
sw_status sw_orientation_histogram_add(sw_orientation_histogram *histogram, int64_t n_crystals,
                                       const sw_crystal *crystal, const float *weight);

/* The same of crystals [N] and weights in device memory, 16-byte aligned, of the current device, once what
 * was launched before in the default stream is done; returns when all is counted. CPU and GPU may place a
 * crystal within round-off (1e-6 rad) of a bin's border differently. Besides, SW_ERR_UNAVAILABLE or what
 * else online/gpu/cuda_check.h says when CUDA fails. In builds with CUDA. By way of bins where `most` says so (bin_moments.h),
 * with 30 MB more of device memory meanwhile. */
sw_status sw_orientation_histogram_add_cuda(sw_orientation_histogram *histogram, int64_t n_crystals,
                                            const sw_crystal *crystal, const float *weight);

/* What a crystal, or the heaviest, adds to cells. */
static inline float sw_histogram_unit(const sw_orientation_histogram *histogram)
{
    return sw_torus_unit(histogram->most > 0 ? histogram->most : 8589934592.);
}

/* Of its block of memory. */
int64_t sw_orientation_histogram_numbers(const sw_orientation_histogram *histogram);

/* What all crystals count together: the sum of the bins. */
int64_t sw_orientation_histogram_total(const sw_orientation_histogram *histogram);

#ifdef __cplusplus
}
#endif
#endif
