/* The inverse transform of the nine outputs as a product of matrices (Malahe 2018, Eq. 35: the way before his, by BLAS)
 * beside the sum, crystal by crystal, of its Algorithm 1; on the CPU, in single precision, in all four dimensions. Both
 * take phases, sines and cosines from the same functions and give the same answers, which is checked.
 *
 *   sum       coefficients times the factors of a bundle of crystals, as soon as those are there
 *   product   the factors of a chunk of crystals to memory, sine and cosine, then coefficients times that matrix:
 *             chunks that stay in a cache, or all crystals at once, as the equation has it
 *
 * Coefficients are counted as in the paper, both of a conjugate pair. Medians of five after a warm-up. */
#include "common/math/lanes_floats.h"

#include "online/response/terms/series.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/random.h"
#include "common/system/progress.h"
#include "common/system/status.h"

enum { REPEATS = 5, LANES = SW_REGISTER_FLOATS, COEFFICIENTS = 2 * SW_OUTPUTS };

/* BLAS: C [m][n] = alpha A [m][k] B [k][n] + beta C, all by columns. */
void sgemm_(const char *transpose_a, const char *transpose_b, const int *m, const int *n, const int *k,
            const float *alpha, const float *a, const int *lda, const float *b, const int *ldb,
            const float *beta, float *c, const int *ldc);

/* T pairs of conjugates, N crystals. */
typedef struct {
    int pairs, crystals;
    int32_t (*wavenumber)[4]; /* [T] */
    float *coefficient;       /* [T][9][2] */
    float *by_output;         /* [9][2 T]: what multiplies cosines and sines */
    int32_t *phase;           /* [4][N] */
    float *factor;            /* [2 T][chunk] a thread, or [2 T][N] */
    float *sum, *product;     /* [9][N] */
} problem;

static void check(sw_status status)
{
    if (status == SW_OK)
        return;
    fprintf(stderr, "bench_matrix: %s\n", sw_error_message());
    exit(1);
}

static void load_phases(const problem *p, int first, sw_int j[4])
{
    for (int d = 0; d < 4; d++)
        memcpy(&j[d], p->phase + (int64_t)d * p->crystals + first, sizeof j[d]);
}

/* ---- Forms ---- */

static void sum_bundle(const problem *p, int first)
{
    sw_int j[4];
    sw_real sum[SW_OUTPUTS];
    memset(sum, 0, sizeof sum);
    load_phases(p, first, j);
    for (int64_t t = 0; t < p->pairs; t++)
        sw_add_term(SW_SERIES_GENERAL, sum, p->coefficient + t * COEFFICIENTS,
                    sw_phase(4, j, p->wavenumber[t]));
    for (int c = 0; c < SW_OUTPUTS; c++)
        memcpy(p->sum + (int64_t)c * p->crystals + first, &sum[c], sizeof sum[c]);
}

static void by_sum(const problem *p, int chunk)
{
    (void)chunk;
#pragma omp parallel for schedule(static)
    for (int first = 0; first < p->crystals; first += LANES)
        sum_bundle(p, first);
}

/* The factors of the bundle from `first` on, as columns `column` .. of a matrix [2 T][width]. */
static void fill_bundle(const problem *p, int first, float *factor, int64_t width, int64_t column)
{
    sw_int j[4];
    load_phases(p, first, j);
    for (int64_t t = 0; t < p->pairs; t++) {
        sw_real sine, cosine;
        sw_sincos_turns(sw_phase(4, j, p->wavenumber[t]), &sine, &cosine);
        memcpy(factor + 2 * t * width + column, &cosine, sizeof cosine);
        memcpy(factor + (2 * t + 1) * width + column, &sine, sizeof sine);
    }
}

/* Outputs of n crystals from `first` on; factor: theirs, in rows of `width`. */
static void multiply(const problem *p, int first, int n, const float *factor, int width)
{
    const int outputs = SW_OUTPUTS, factors = 2 * p->pairs;
    const float one = 1, zero = 0;
    sgemm_("N", "N", &n, &outputs, &factors, &one, factor, &width, p->by_output, &factors, &zero,
           p->product + first, &p->crystals);
}

static void by_chunks(const problem *p, int chunk)
{
#pragma omp parallel for schedule(static)
    for (int first = 0; first < p->crystals; first += chunk) {
        float *factor = p->factor + (int64_t)omp_get_thread_num() * 2 * p->pairs * chunk;
        for (int k = 0; k < chunk; k += LANES)
            fill_bundle(p, first + k, factor, chunk, k);
        multiply(p, first, chunk, factor, chunk);
    }
}

static void by_whole(const problem *p, int chunk)
{
    (void)chunk;
#pragma omp parallel for schedule(static)
    for (int first = 0; first < p->crystals; first += LANES)
        fill_bundle(p, first, p->factor, p->crystals, first);
#pragma omp parallel
    {
        const int part = p->crystals / omp_get_num_threads() / LANES * LANES, thread = omp_get_thread_num();
        const int last = thread == omp_get_num_threads() - 1, first = thread * part;
        multiply(p, first, last ? p->crystals - first : part, p->factor + first, p->crystals);
    }
}

/* ---- Rates ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double time_of(void (*form)(const problem *, int), const problem *p, int chunk)
{
    double seconds[REPEATS];
    form(p, chunk);
    for (int i = 0; i < REPEATS; i++) {
        const double started = sw_seconds();
        form(p, chunk);
        seconds[i] = sw_seconds() - started;
    }
    qsort(seconds, REPEATS, sizeof *seconds, compare);
    return seconds[REPEATS / 2];
}

/* 2 T additions to sums of order 1, each with a rounding of 6e-8, in two orders; times five. */
static void check_same(const problem *p)
{
    const double bound = 5 * 2 * 6e-8 * sqrt(2 * p->pairs);
    for (int64_t i = 0; i < (int64_t)SW_OUTPUTS * p->crystals; i++)
        if (!(fabs((double)p->sum[i] - (double)p->product[i]) <= bound)) {
            fprintf(stderr, "bench_matrix: output %lld: sum %g, product %g\n", (long long)i,
                    (double)p->sum[i], (double)p->product[i]);
            exit(1);
        }
}

static void make(problem *p)
{
    double u[4];
    check(SW_ALLOCATE(p->wavenumber, p->pairs, "terms"));
    check(SW_ALLOCATE(p->coefficient, (int64_t)p->pairs * COEFFICIENTS, "terms"));
    check(SW_ALLOCATE(p->by_output, (int64_t)p->pairs * COEFFICIENTS, "terms"));
    check(SW_ALLOCATE(p->phase, 4 * (int64_t)p->crystals, "crystals"));
    check(SW_ALLOCATE(p->factor, 2 * (int64_t)p->pairs * p->crystals, "factors"));
    check(SW_ALLOCATE(p->sum, (int64_t)SW_OUTPUTS * p->crystals, "outputs"));
    check(SW_ALLOCATE(p->product, (int64_t)SW_OUTPUTS * p->crystals, "outputs"));
    for (int t = 0; t < p->pairs; t++) {
        sw_random_uniform4(1, (uint64_t)t, 0, u);
        for (int d = 0; d < 4; d++)
            p->wavenumber[t][d] = (int32_t)(128 * u[d]) - 64;
        for (int k = 0; k < COEFFICIENTS; k++) {
            sw_random_uniform4(2, (uint64_t)t, (uint32_t)k, u);
            const float a = (float)(u[0] - 0.5) / sqrtf((float)p->pairs);
            p->coefficient[t * COEFFICIENTS + k] = a;
            p->by_output[(int64_t)(k / 2) * 2 * p->pairs + 2 * t + k % 2] = k % 2 ? -a : a;
        }
    }
    for (int n = 0; n < p->crystals; n++) {
        sw_random_uniform4(3, (uint64_t)n, 0, u);
        for (int d = 0; d < 4; d++)
            p->phase[(int64_t)d * p->crystals + n] = (int32_t)(SW_TURN * u[d]);
    }
}

static void release(problem *p)
{
    free(p->wavenumber);
    free(p->coefficient);
    free(p->by_output);
    free(p->phase);
    free(p->factor);
    free(p->sum);
    free(p->product);
}

static void bench(int coefficients, int crystals)
{
    static const int chunks[] = {64, 256, 1024};
    problem p = {.pairs = coefficients / 2, .crystals = crystals};
    make(&p);
    const double summed = time_of(by_sum, &p, 0);
    printf("%d coefficients, %d crystals\n", coefficients, crystals);
    printf("  sum                          %.3g crystals/s\n", crystals / summed);
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        const double seconds = time_of(by_chunks, &p, chunks[i]);
        check_same(&p);
        printf("  product, %5d at a time     %.3g crystals/s, %.2f of the sum's; %.3g MB a thread\n",
               chunks[i], crystals / seconds, summed / seconds, 8e-6 * p.pairs * chunks[i]);
    }
    const double seconds = time_of(by_whole, &p, 0);
    check_same(&p);
    printf("  product, all at once         %.3g crystals/s, %.2f of the sum's; %.3g MB\n", crystals / seconds,
           summed / seconds, 8e-6 * p.pairs * crystals);
    release(&p);
}

int main(void)
{
    printf("%d threads, bundles of %d crystals\n", omp_get_max_threads(), LANES);
    bench(1024, 65536);
    bench(8192, 16384);
    return 0;
}
