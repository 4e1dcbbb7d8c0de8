/* Band matrices on the CPU. Sums have one order, whatever the number of threads. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "band.h"
#include "common/system/threads.h"

/* What a number of the band takes of a core in the product, ns (bench_convected). */
static const double band_ns = 0.3;

__attribute__((noinline)) static double row_product(const double *row, const double *x, int64_t n)
{
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < n; j++)
        sum += row[j] * x[j];
    return sum;
}

/* A column's numbers are a row's length less one apart. */
__attribute__((noinline)) static double column_product(const double *column, int64_t step, const double *x,
                                                       int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += column[i * step] * x[i];
    return sum;
}

static sw_status product(sw_fem_band_space *space, int transposed, const double *x, double *y)
{
    const sw_fem_band *band = &space->band;
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(band->n *(2 * band->half + 1), band_ns))
    for (int64_t i = 0; i < band->n; i++) {
        const int64_t first = sw_fem_band_first(band, i), count = sw_fem_band_last(band, i) + 1 - first;
        y[i] = transposed ? column_product(sw_fem_band_at(band, first, i), 2 * band->half, x + first, count)
                          : row_product(sw_fem_band_at(band, i, first), x + first, count);
    }
    return SW_OK;
}

static sw_status dots(sw_fem_band_space *space, const double *x, const double *y, double both[2])
{
    double xy = 0, yy = 0;
#pragma omp simd reduction(+ : xy, yy)
    for (int64_t i = 0; i < space->band.n; i++) {
        xy += x[i] * y[i];
        yy += y[i] * y[i];
    }
    both[0] = xy;
    both[1] = yy;
    return SW_OK;
}

static sw_status combine(sw_fem_band_space *space, double a, const double *x, double b, double *y)
{
    for (int64_t i = 0; i < space->band.n; i++)
        y[i] = a * x[i] + (b == 0 ? 0 : b * y[i]);
    return SW_OK;
}

static sw_status divide(sw_fem_band_space *space, const double *x, double *y)
{
    for (int64_t i = 0; i < space->band.n; i++)
        y[i] = x[i] / *sw_fem_band_at(&space->band, i, i);
    return SW_OK;
}

static sw_status norm(sw_fem_band_space *space, double *most)
{
    const int64_t width = 2 * space->band.half + 1;
    *most = 0;
    for (int64_t i = 0; i < space->band.n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < width; j++)
            sum += fabs(space->band.value[i * width + j]);
        *most = fmax(*most, sum);
    }
    return SW_OK;
}

static const sw_fem_band_functions functions = {product, dots, combine, divide, norm};

sw_status sw_fem_band_open_cpu(int64_t n, int64_t half, sw_fem_band_space *space)
{
    *space = (sw_fem_band_space){.on = &functions, .band = {.n = n, .half = half}};
    SW_TRY(SW_ALLOCATE(space->band.value, n * (2 * half + 1), "band matrix"));
    SW_TRY(SW_ALLOCATE(space->right, n, "right side"));
    SW_TRY(SW_ALLOCATE(space->solution, n, "solution"));
    for (int i = 0; i < SW_FEM_BAND_VECTORS; i++)
        SW_TRY(SW_ALLOCATE(space->work[i], n, "vector"));
    return SW_OK;
}

void sw_fem_band_close_cpu(sw_fem_band_space *space)
{
    free(space->band.value);
    free(space->right);
    free(space->solution);
    for (int i = 0; i < SW_FEM_BAND_VECTORS; i++)
        free(space->work[i]);
    memset(space, 0, sizeof *space);
}

/* ---- LAPACK ---- */

#ifdef SW_HAVE_LAPACK
void dgbsv_(const int *n, const int *below, const int *above, const int *n_right, double *matrix,
            const int *rows, int *pivot, double *right, const int *n_of_right, int *info);

/* LAPACK's form: by columns, with `half` rows more for what pivoting fills in. */
static sw_status solve_direct(sw_fem_band_space *space, double *matrix, int *pivot)
{
    const sw_fem_band *band = &space->band;
    const int n = (int)band->n, half = (int)band->half, one = 1, rows = 3 * half + 1;
    int info;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = sw_fem_band_first(band, i); j <= sw_fem_band_last(band, i); j++)
            matrix[j * rows + 2 * half + i - j] = *sw_fem_band_at(band, i, j);
    memcpy(space->solution, space->right, (size_t)n * sizeof *space->right);
    dgbsv_(&n, &half, &half, &one, matrix, &rows, pivot, space->solution, &n, &info);
    return info == 0 ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "direct: pivot %d of %d is zero", info, n);
}

sw_status sw_fem_band_direct(sw_fem_band_space *space)
{
    const int64_t n = space->band.n;
    sw_status status;
    double *matrix = NULL;
    int *pivot = NULL;
    SW_TRY_GOTO(status, SW_ALLOCATE(matrix, n * (3 * space->band.half + 1), "factors of the band"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(pivot, n, "pivots"), done);
    status = solve_direct(space, matrix, pivot);
done:
    free(matrix);
    free(pivot);
    return status;
}
#else
sw_status sw_fem_band_direct(sw_fem_band_space *space)
{
    (void)space;
    return sw_error(SW_ERR_UNAVAILABLE, "direct: this build is without LAPACK (liblapack-dev)");
}
#endif
