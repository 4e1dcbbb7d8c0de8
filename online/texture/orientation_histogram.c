#include "orientation_histogram.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "texture.h"

enum { SIDE = SW_HISTOGRAM_SIDE, BINS = SW_HISTOGRAM_BINS, NUMBERS = BINS + SW_HISTOGRAM_COMPONENTS };

#define STEP (0.5 * SW_PI / SIDE)

/* ---- Counting ---- */

/* As in sw_component_fractions, so that a crystal at the limit exactly is within. */
#define ANGLE_ROUNDING 1e-7

static void add_variants(const sw_texture_component *component, int k, sw_component_table *table)
{
    double euler[4][3], q[4];
    const int n = sw_texture_component_variants(component, euler);
    for (int i = 0; i < n; i++) {
        sw_quaternion_from_euler(euler[i], q);
        for (int j = 0; j < 4; j++)
            table->quaternion[table->n_variants][j] = (float)q[j];
        table->component[table->n_variants++] = k;
    }
}

static void add_fibre(const sw_texture_component *component, int k, sw_component_table *table)
{
    double direction[3];
    const int axis = sw_texture_component_fibre(component, direction);
    if (axis < 0)
        return;
    sw_component_fibre *fibre = &table->fibre[table->n_fibres++];
    *fibre = (sw_component_fibre){.component = k, .axis = axis};
    for (int j = 0; j < 3; j++)
        fibre->direction[j] = (float)direction[j];
}

static sw_status fill_table(sw_crystal_structure structure, sw_component_table *table)
{
    const double tolerance = SW_HISTOGRAM_TOLERANCE_DEGREES * SW_PI / 180 + ANGLE_ROUNDING;
    int count;
    const sw_texture_component *component = sw_texture_components(structure, &count);
    if (count > SW_HISTOGRAM_COMPONENTS)
        return sw_error(SW_ERR_RANGE, "%d texture components: this histogram counts %d", count,
                        SW_HISTOGRAM_COMPONENTS);
    table->cosine = (float)cos(0.5 * tolerance);
    table->fibre_cosine = (float)cos(tolerance);
    for (int k = 0; k < count; k++) {
        add_variants(&component[k], k, table);
        add_fibre(&component[k], k, table);
    }
    return SW_OK;
}

sw_status sw_orientation_histogram_create(sw_crystal_structure structure,
                                          sw_orientation_histogram **histogram)
{
    sw_orientation_histogram *h;
    *histogram = NULL;
    SW_TRY(SW_ALLOCATE(h, 1, "an orientation histogram"));
    sw_status status = SW_ALLOCATE(h->count, NUMBERS, "an orientation histogram");
    if (status == SW_OK)
        status = fill_table(structure, &h->table);
    if (status != SW_OK) {
        sw_orientation_histogram_destroy(h);
        return status;
    }
    h->structure = structure;
    h->component = h->count + BINS;
    *histogram = h;
    return SW_OK;
}

void sw_orientation_histogram_destroy(sw_orientation_histogram *histogram)
{
    if (histogram != NULL)
        free(histogram->count);
    free(histogram);
}

void sw_orientation_histogram_clear(sw_orientation_histogram *histogram)
{
    memset(histogram->count, 0, NUMBERS * sizeof *histogram->count);
    histogram->n_crystals = 0;
}

/* Crystals at a time. A short last block is filled up, so that every crystal goes through the same
 * instructions (a vector loop's remainder may round differently), wherever it stands in the list. */
enum { BLOCK = 256 };

typedef struct {
    float euler[3][BLOCK], q[4][BLOCK];
    int32_t bin[BLOCK];
    uint32_t mask[BLOCK];
    int64_t counts[BLOCK];
} block;

static __attribute__((noinline)) void find_bins(block *b)
{
    for (int i = 0; i < BLOCK; i++) {
        const float euler[3] = {b->euler[0][i], b->euler[1][i], b->euler[2][i]};
        float q[4];
        sw_histogram_quaternion(euler, q);
        const int32_t bin = sw_histogram_bin_of_quaternion(q);
        b->bin[i] = bin | (sw_histogram_accepts(euler) - 1); /* -1 unless accepted, without a branch */
        b->q[0][i] = q[0];
        b->q[1][i] = q[1];
        b->q[2][i] = q[2];
        b->q[3][i] = q[3];
        b->mask[i] = 0;
    }
}

static __attribute__((noinline)) void find_components(const sw_component_table *table, block *b)
{
    for (int32_t v = 0; v < table->n_variants; v++) {
        const float *reference = table->quaternion[v], cosine = table->cosine;
        const int32_t component = table->component[v];
        for (int i = 0; i < BLOCK; i++) {
            const float q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
            b->mask[i] |= (uint32_t)(sw_histogram_cosine(reference, q) >= cosine) << component;
        }
    }
    for (int32_t f = 0; f < table->n_fibres; f++) {
        const sw_component_fibre fibre = table->fibre[f];
        for (int i = 0; i < BLOCK; i++) {
            const float q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
            b->mask[i] |= (uint32_t)(sw_histogram_fibre_cosine(&fibre, q) >= table->fibre_cosine)
                          << fibre.component;
        }
    }
}

/* A crystal without a weight counts 1; one that has a bad one cannot be counted. */
static __attribute__((noinline)) void find_counts(int n, const float *weight, float heaviest, block *b)
{
    for (int i = 0; i < n; i++) {
        b->counts[i] = weight != NULL ? sw_histogram_counts(weight[i], heaviest) : 1;
        b->bin[i] = b->counts[i] >= 0 ? b->bin[i] : -1;
    }
}

/* Count n <= BLOCK crystals; returns the first that cannot be, or -1. */
static int count_block(const sw_orientation_histogram *h, int n, const sw_crystal *crystal,
                       const float *weight, uint64_t *number)
{
    block b;
    int bad = -1;
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < 3; j++)
            b.euler[j][i] = i < n ? crystal[i].euler[j] : 0.0F;
    find_bins(&b);
    find_components(&h->table, &b);
    find_counts(n, weight, h->heaviest, &b);
    for (int i = n - 1; i >= 0; i--) {
        if (b.bin[i] < 0)
            bad = i;
        else
            number[b.bin[i]] += (uint64_t)b.counts[i];
        for (uint32_t rest = b.mask[i]; rest != 0; rest &= rest - 1)
            number[BINS + __builtin_ctz(rest)] += (uint64_t)b.counts[i];
    }
    return bad;
}

static sw_status bad_crystal(const sw_orientation_histogram *h, int64_t number, const sw_crystal *crystal,
                             const float *weight)
{
    const float *euler = crystal[number].euler;
    if (weight != NULL && sw_histogram_accepts(euler))
        return sw_error(SW_ERR_RANGE, "crystal %lld weighs %g: need 0 to %g", (long long)number,
                        weight[number], h->heaviest);
    return sw_error(SW_ERR_RANGE, "crystal %lld has angles %g %g %g: need finite ones of at most %g rad",
                    (long long)number, euler[0], euler[1], euler[2], (double)SW_HISTOGRAM_LARGEST_ANGLE);
}

sw_status sw_orientation_histogram_add(sw_orientation_histogram *histogram, int64_t n_crystals,
                                       const sw_crystal *crystal, const float *weight)
{
    const int n_threads = omp_get_max_threads();
    int64_t first_bad = INT64_MAX;
    uint64_t *number;
    if (n_crystals < 0)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need 0 or more", (long long)n_crystals);
    SW_TRY(SW_ALLOCATE(number, (size_t)n_threads * NUMBERS, "an orientation histogram a thread"));
#pragma omp parallel for schedule(static) num_threads(n_threads) reduction(min : first_bad)
    for (int64_t first = 0; first < n_crystals; first += BLOCK) {
        const int n = (int)(n_crystals - first < BLOCK ? n_crystals - first : BLOCK);
        const int bad = count_block(histogram, n, crystal + first, weight != NULL ? weight + first : NULL,
                                    number + (size_t)omp_get_thread_num() * NUMBERS);
        if (bad >= 0 && first + bad < first_bad)
            first_bad = first + bad;
    }
    if (first_bad < INT64_MAX) {
        free(number);
        return bad_crystal(histogram, first_bad, crystal, weight);
    }
#pragma omp parallel for num_threads(n_threads)
    for (int64_t i = 0; i < NUMBERS; i++)
        for (int thread = 0; thread < n_threads; thread++)
            histogram->count[i] += number[(size_t)thread * NUMBERS + (size_t)i];
    histogram->n_crystals += n_crystals;
    free(number);
    return SW_OK;
}

void sw_orientation_histogram_merge(sw_orientation_histogram *into, const sw_orientation_histogram *from)
{
    for (int64_t i = 0; i < NUMBERS; i++)
        into->count[i] += from->count[i];
    into->n_crystals += from->n_crystals;
}

int64_t sw_orientation_histogram_total(const sw_orientation_histogram *histogram)
{
    int64_t total = 0;
    for (int64_t i = 0; i < BINS; i++)
        total += (int64_t)histogram->count[i];
    return total;
}

/* ---- As orientations ---- */

/* Bins are merged MERGED x MERGED x MERGED: what a block loses of the distances between its bins is known,
 * and goes into the kernel. Up to eight times the speed, and no larger error, than every bin for itself. */
enum { MERGED = 2, BLOCKS = BINS / (MERGED * MERGED * MERGED) };

/* Rodrigues' vector of the place (x, y, z) steps from a corner of the zone; returns sum |r_i|, at most 1
 * within the zone. */
static double place(double x, double y, double z, double r[3])
{
    const double step[3] = {x, y, z};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        r[i] = tan(0.5 * (step[i] * STEP - SW_PI / 4));
        sum += fabs(r[i]);
    }
    return sum;
}

/* Rodrigues' vector of a bin's middle; for a bin that the octahedron cuts, the mean of those of 4 x 4 x 4
 * points that are inside, and the corner nearest the middle of the zone when none is. */
static void centroid(int i, int j, int k, double r[3])
{
    enum { FINE = 4 };
    const double outward[3] = {i < SIDE / 2 ? 0 : 1, j < SIDE / 2 ? 0 : 1, k < SIDE / 2 ? 0 : 1};
    double total[3] = {0};
    int inside = 0;
    if (place(i + outward[0], j + outward[1], k + outward[2], r) <= 1) {
        place(i + 0.5, j + 0.5, k + 0.5, r);
        return;
    }
    for (int n = 0; n < FINE * FINE * FINE; n++) {
        const int at[3] = {n / (FINE * FINE), n / FINE % FINE, n % FINE};
        const double x = (at[0] + 0.5) / FINE, y = (at[1] + 0.5) / FINE, z = (at[2] + 0.5) / FINE;
        if (!(place(i + x, j + y, k + z, r) <= 1))
            continue;
        inside++;
        for (int c = 0; c < 3; c++)
            total[c] += r[c];
    }
    if (inside == 0)
        place(i + 1 - outward[0], j + 1 - outward[1], k + 1 - outward[2], r);
    for (int c = 0; c < 3 && inside > 0; c++)
        r[c] = total[c] / inside;
}

/* What the block at bin (i, j, k) counts, and the sum of its bins' quaternions by weight. */
static double gather(const sw_orientation_histogram *h, int i, int j, int k, double q[4])
{
    double weight = 0;
    for (int c = 0; c < 4; c++)
        q[c] = 0;
    for (int n = 0; n < MERGED * MERGED * MERGED; n++) {
        const int a = i + n / (MERGED * MERGED), b = j + n / MERGED % MERGED, c = k + n % MERGED;
        const double count = (double)h->count[(a * SIDE + b) * SIDE + c];
        double r[3];
        if (count == 0)
            continue;
        centroid(a, b, c, r);
        const double w = count / sqrt(1 + r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        weight += count;
        q[0] += w;
        for (int m = 0; m < 3; m++)
            q[1 + m] += w * r[m];
    }
    return weight;
}

/* The mean over the zone of the square of a bin's side, over STEP^2: a third of the trace of the metric of
 * rotations in the angles a_i, by quadrature. A number spread evenly over a bin has a twelfth of that as
 * variance along each axis. */
#define MEAN_SQUARE_SIDE 0.918

sw_status sw_orientation_histogram_items(const sw_orientation_histogram *h,
                                         sw_weighted_orientations *orientations)
{
    sw_weighted_orientations o = {0};
    sw_status status;
    *orientations = o;
    if (h->n_crystals < 1)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals: need 1 or more", (long long)h->n_crystals);
    double within = 0; /* variance of crystals about their block's orientation, an axis, times crystals */
    SW_TRY_GOTO(status, SW_ALLOCATE(o.euler, BLOCKS, "orientations of a histogram"), fail);
    SW_TRY_GOTO(status, SW_ALLOCATE(o.weight, BLOCKS, "orientations of a histogram"), fail);
    for (int i = 0; i < SIDE; i += MERGED)
        for (int j = 0; j < SIDE; j += MERGED)
            for (int k = 0; k < SIDE; k += MERGED) {
                double q[4];
                const double weight = gather(h, i, j, k, q);
                if (weight == 0)
                    continue;
                /* unit quaternions of mean m scatter by 1 - m^2, rotations by twice the angle */
                const double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
                within += 4.0 / 3 * (weight - square / weight);
                sw_euler_from_quaternion(q, o.euler[o.count]);
                o.weight[o.count++] = weight;
            }
    o.variance = MEAN_SQUARE_SIDE * STEP * STEP / 12 - within / (double)sw_orientation_histogram_total(h);
    *orientations = o;
    return SW_OK;
fail:
    sw_weighted_orientations_free(&o);
    return status;
}

void sw_weighted_orientations_free(sw_weighted_orientations *orientations)
{
    free(orientations->euler);
    free(orientations->weight);
    *orientations = (sw_weighted_orientations){0};
}

int sw_histogram_kappa(int kappa, double variance)
{
    const double rest = 1 - 0.5 * kappa * variance;
    return (int)lround(kappa / (rest > 0.5 ? rest : 0.5));
}

#ifndef SW_HAVE_CUDA
sw_status sw_orientation_histogram_add_cuda(sw_orientation_histogram *histogram, int64_t n_crystals,
                                            const sw_crystal *crystal, const float *weight)
{
    (void)histogram, (void)n_crystals, (void)crystal, (void)weight;
    return sw_error(SW_ERR_UNAVAILABLE, "this build has no GPU code");
}
#endif
