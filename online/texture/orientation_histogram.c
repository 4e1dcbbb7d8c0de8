#include "orientation_histogram.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/system/threads.h"
#include "texture.h"

enum { BINS = SW_HISTOGRAM_BINS, COUNTS = BINS + SW_HISTOGRAM_COMPONENTS, CRYSTAL_NS = 250 };

/* ---- Counting ---- */

/* As in sw_component_fractions, so that a crystal at the limit exactly is within. */
#define ANGLE_ROUNDING 1e-7

static void add_variants(const sw_point_group *group, const sw_texture_component *component, int k,
                         sw_component_table *table)
{
    double euler[4][3], q[4];
    const int n = sw_texture_component_variants(group, component, euler);
    for (int i = 0; i < n; i++) {
        sw_quaternion_from_euler(euler[i], q);
        for (int j = 0; j < 4; j++)
            table->quaternion[table->n_variants][j] = (float)q[j];
        table->component[table->n_variants++] = k;
    }
}

/* a . g d, g the rotation of a quaternion w x y z, as a form of its products. */
static sw_component_fibre fibre_of(int component, const double a[3], const double d[3])
{
    const double p[3] = {a[0] * d[0], a[1] * d[1], a[2] * d[2]};
    return (sw_component_fibre){
        component,
        {(float)(p[0] + p[1] + p[2]), (float)(p[0] - p[1] - p[2]), (float)(p[1] - p[2] - p[0]),
         (float)(p[2] - p[0] - p[1]), (float)(2 * (a[2] * d[1] - a[1] * d[2])),
         (float)(2 * (a[0] * d[2] - a[2] * d[0])), (float)(2 * (a[1] * d[0] - a[0] * d[1])),
         (float)(2 * (a[0] * d[1] + a[1] * d[0])), (float)(2 * (a[0] * d[2] + a[2] * d[0])),
         (float)(2 * (a[1] * d[2] + a[2] * d[1]))}};
}

static sw_status add_fibre(const sw_point_group *group, const sw_texture_component *component, int k,
                           sw_component_table *table)
{
    sw_texture_fibre f;
    sw_texture_component_fibre(group, component, &f);
    if (table->n_fibres + f.n_along * f.n_directions > SW_HISTOGRAM_FIBRES)
        return sw_error(SW_ERR_RANGE, "fibres of more than %d directions: this histogram counts no more",
                        SW_HISTOGRAM_FIBRES);
    for (int j = 0; j < f.n_along; j++)
        for (int i = 0; i < f.n_directions; i++)
            table->fibre[table->n_fibres++] = fibre_of(k, f.along[j], f.direction[i]);
    return SW_OK;
}

static sw_status fill_table(const sw_lattice *lattice, sw_component_table *table)
{
    const double tolerance = SW_HISTOGRAM_TOLERANCE_DEGREES * SW_PI / 180 + ANGLE_ROUNDING;
    const sw_point_group *group = lattice->group;
    const int count = lattice->n_ideals;
    if (count > SW_HISTOGRAM_COMPONENTS)
        return sw_error(SW_ERR_RANGE, "%d texture components: this histogram counts %d", count,
                        SW_HISTOGRAM_COMPONENTS);
    table->cosine = (float)cos(0.5 * tolerance);
    table->fibre_cosine = (float)cos(tolerance);
    for (int k = 0; k < count; k++) {
        add_variants(group, &lattice->ideal[k], k, table);
        SW_TRY(add_fibre(group, &lattice->ideal[k], k, table));
    }
    return SW_OK;
}

sw_status sw_orientation_histogram_create(const sw_lattice *lattice, sw_orientation_histogram **histogram)
{
    sw_orientation_histogram *h;
    *histogram = NULL;
    SW_TRY(SW_ALLOCATE(h, 1, "an orientation histogram"));
    h->lattice = lattice;
    sw_torus_group_make(lattice->group, &h->group);
    sw_status status = SW_ALLOCATE(h->count, sw_orientation_histogram_numbers(h), "an orientation histogram");
    if (status == SW_OK)
        status = fill_table(lattice, &h->table);
    if (status != SW_OK) {
        sw_orientation_histogram_destroy(h);
        return status;
    }
    h->component = h->count + BINS;
    h->cell = h->count + COUNTS;
    *histogram = h;
    return SW_OK;
}

int64_t sw_orientation_histogram_numbers(const sw_orientation_histogram *histogram)
{
    return COUNTS + sw_torus_size(&histogram->group);
}

void sw_orientation_histogram_destroy(sw_orientation_histogram *histogram)
{
    if (histogram != NULL)
        free(histogram->count);
    free(histogram);
}

/* Crystals at a time. A short last block is filled up, so that every crystal goes through the same
 * instructions (a vector loop's remainder may round differently), wherever it stands in the list. */
enum { BLOCK = 256 };

typedef struct {
    float euler[3][BLOCK], q[4][BLOCK], size[4][BLOCK], cosine[BLOCK];
    int32_t bin[BLOCK];
    uint32_t mask[BLOCK];
    int64_t counts[BLOCK];
} block;

static __attribute__((noinline)) void find_quaternions(block *b)
{
    for (int i = 0; i < BLOCK; i++) {
        const float euler[3] = {b->euler[0][i], b->euler[1][i], b->euler[2][i]};
        float q[4];
        sw_histogram_quaternion(euler, q);
        b->bin[i] = sw_histogram_accepts(euler) - 1; /* -1 unless accepted, without a branch */
        b->q[0][i] = q[0];
        b->q[1][i] = q[1];
        b->q[2][i] = q[2];
        b->q[3][i] = q[3];
        b->mask[i] = 0;
    }
}

static __attribute__((noinline)) void find_bins(const sw_torus_group *group, block *b)
{
    for (int i = 0; i < BLOCK; i++) {
        const float q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        b->bin[i] |= sw_histogram_bin_of_quaternion(group, q);
    }
}

/* sw_torus_cosine of all, a size of the group after the other. */
static __attribute__((noinline)) void find_cosines(const sw_torus_group *group, const float reference[4],
                                                   block *b)
{
    for (int i = 0; i < BLOCK; i++) {
        const float q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        float size[4];
        sw_torus_between(reference, q, size);
        for (int k = 0; k < 4; k++)
            b->size[k][i] = size[k];
        b->cosine[i] = 0;
    }
    for (int k = 0; k < group->sizes; k++) {
        const float c[4] = {group->size[k][0], group->size[k][1], group->size[k][2], group->size[k][3]};
        for (int i = 0; i < BLOCK; i++) {
            const float cosine =
                c[0] * b->size[0][i] + c[1] * b->size[1][i] + c[2] * b->size[2][i] + c[3] * b->size[3][i];
            b->cosine[i] = cosine > b->cosine[i] ? cosine : b->cosine[i];
        }
    }
}

static __attribute__((noinline)) void find_components(const sw_torus_group *group,
                                                      const sw_component_table *table, block *b)
{
    for (int32_t v = 0; v < table->n_variants; v++) {
        find_cosines(group, table->quaternion[v], b);
        for (int i = 0; i < BLOCK; i++)
            b->mask[i] |= (uint32_t)(b->cosine[i] >= table->cosine) << table->component[v];
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

/* What a thread counts: counts, and cells as torus.h opens them. */
static int64_t thread_numbers(const sw_orientation_histogram *h)
{
    return COUNTS + sw_torus_open_size(&h->group);
}

/* Count n <= BLOCK crystals; returns the first that cannot be, or -1. */
static int count_block(const sw_orientation_histogram *h, int n, const sw_crystal *crystal,
                       const float *weight, uint64_t *number)
{
    const float unit = sw_histogram_unit(h);
    block b;
    int bad = -1;
    for (int i = 0; i < BLOCK; i++)
        for (int j = 0; j < 3; j++)
            b.euler[j][i] = i < n ? crystal[i].euler[j] : 0.0F;
    find_quaternions(&b);
    find_bins(&h->group, &b);
    find_components(&h->group, &h->table, &b);
    find_counts(n, weight, h->heaviest, &b);
    for (int i = n - 1; i >= 0; i--) {
        if (b.bin[i] < 0) {
            bad = i;
            continue;
        }
        const float q[4] = {b.q[0][i], b.q[1][i], b.q[2][i], b.q[3][i]};
        number[b.bin[i]] += (uint64_t)b.counts[i];
        sw_torus_spread(&h->group, q, weight != NULL ? weight[i] / h->heaviest * unit : unit,
                        (int64_t *)number + COUNTS);
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
    const int n_threads = sw_threads_for(n_crystals, CRYSTAL_NS);
    const int64_t size = thread_numbers(histogram);
    int64_t first_bad = INT64_MAX;
    uint64_t *number;
    if (n_crystals < 0)
        return sw_error(SW_ERR_RANGE, "%lld crystals: need 0 or more", (long long)n_crystals);
    SW_TRY(SW_ALLOCATE(number, n_threads * size, "an orientation histogram a thread"));
#pragma omp parallel for schedule(static) num_threads(n_threads) reduction(min : first_bad)
    for (int64_t first = 0; first < n_crystals; first += BLOCK) {
        const int n = (int)(n_crystals - first < BLOCK ? n_crystals - first : BLOCK);
        const int bad = count_block(histogram, n, crystal + first, weight != NULL ? weight + first : NULL,
                                    number + omp_get_thread_num() * size);
        if (bad >= 0 && first + bad < first_bad)
            first_bad = first + bad;
    }
    if (first_bad < INT64_MAX) {
        free(number);
        return bad_crystal(histogram, first_bad, crystal, weight);
    }
#pragma omp parallel for num_threads(n_threads)
    for (int64_t i = 0; i < COUNTS; i++)
        for (int thread = 0; thread < n_threads; thread++)
            histogram->count[i] += number[thread * size + i];
    sw_torus_close(&histogram->group, n_threads, size, (const int64_t *)number + COUNTS, histogram->cell);
    histogram->n_crystals += n_crystals;
    free(number);
    return SW_OK;
}

int64_t sw_orientation_histogram_total(const sw_orientation_histogram *histogram)
{
    int64_t total = 0;
    for (int64_t i = 0; i < BINS; i++)
        total += (int64_t)histogram->count[i];
    return total;
}

#ifndef SW_HAVE_CUDA
sw_status sw_orientation_histogram_add_cuda(sw_orientation_histogram *histogram, int64_t n_crystals,
                                            const sw_crystal *crystal, const float *weight)
{
    (void)histogram, (void)n_crystals, (void)crystal, (void)weight;
    return sw_error(SW_ERR_UNAVAILABLE, "this build has no GPU code");
}
#endif
