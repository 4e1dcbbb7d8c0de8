#include "bins.h"

#include <math.h>
#include <stdlib.h>

#include "common/system/memory.h"

static int class_of(const sw_dem_bins *bins, double radius)
{
    int class = 0;
    for (double edge = 0.5 * bins->largest; radius <= edge && class < bins->n_classes - 1; edge *= 0.5)
        class ++;
    return class;
}

void sw_dem_bins_close(sw_dem_bins *bins)
{
    for (int c = 0; c < bins->n_classes; c++)
        free(bins->grid[c].first);
    free(bins->next);
    free(bins->order);
    *bins = (sw_dem_bins){0};
}

void sw_dem_bins_empty(sw_dem_bins *bins)
{
    for (int c = 0; c < bins->n_classes; c++) {
        const int64_t n = bins->grid[c].n, cells = n * n * n;
        for (int64_t i = 0; i < cells; i++)
            bins->grid[c].first[i] = -1;
    }
}

struct sized {
    double radius;
    int64_t particle;
};

static int compare_sized(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    return x->radius != y->radius ? (x->radius < y->radius) - (x->radius > y->radius)
                                  : (x->particle > y->particle) - (x->particle < y->particle);
}

static sw_status make_order(int64_t n, const double *radius, int64_t **order)
{
    struct sized *sized;
    SW_TRY(SW_ALLOCATE(*order, n, "order of particles"));
    SW_TRY(SW_ALLOCATE(sized, n, "order of particles"));
    for (int64_t i = 0; i < n; i++)
        sized[i] = (struct sized){radius[i], i};
    qsort(sized, (size_t)n, sizeof *sized, compare_sized);
    for (int64_t i = 0; i < n; i++)
        (*order)[i] = sized[i].particle;
    free(sized);
    return SW_OK;
}

sw_status sw_dem_bins_open(int64_t n_particles, const double *radius, double (*position)[3], double side,
                           double reach, sw_dem_bins *bins)
{
    enum { MOST = sizeof bins->grid / sizeof *bins->grid };
    *bins = (sw_dem_bins){.side = side, .radius = radius, .position = position};
    SW_TRY(make_order(n_particles, radius, &bins->order));
    SW_TRY(SW_ALLOCATE(bins->next, n_particles, "bins of a packing"));
    const double least = radius[bins->order[n_particles - 1]];
    bins->largest = radius[bins->order[0]];
    bins->n_classes = 1 + (int)fmin(floor(log2(bins->largest / least)), MOST - 1);
    /* more bins than particles are of no use */
    const double most = ceil(cbrt((double)n_particles));
    for (int c = 0; c < bins->n_classes; c++) {
        const double width = 2 * reach * ldexp(bins->largest, -c);
        const int64_t n = (int64_t)fmax(fmin(floor(side / width), most), 1);
        bins->grid[c].n = n;
        SW_TRY(SW_ALLOCATE(bins->grid[c].first, n * n * n, "bins of a packing"));
    }
    sw_dem_bins_empty(bins);
    return SW_OK;
}

static void bin_of(const sw_dem_bins *bins, int class, const double x[3], int64_t bin[3])
{
    const int64_t n = bins->grid[class].n;
    for (int i = 0; i < 3; i++) {
        bin[i] = (int64_t)(x[i] / bins->side * (double)n);
        bin[i] -= bin[i] == n; /* round-off */
    }
}

void sw_dem_bins_add(sw_dem_bins *bins, int64_t particle)
{
    const int class = class_of(bins, bins->radius[particle]);
    const int64_t n = bins->grid[class].n;
    int64_t bin[3];
    bin_of(bins, class, bins->position[particle], bin);
    int64_t *first = &bins->grid[class].first[(bin[0] * n + bin[1]) * n + bin[2]];
    bins->next[particle] = *first;
    *first = particle;
}

double sw_dem_bins_square(const sw_dem_bins *bins, int64_t particle, const double x[3])
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double d = fabs(bins->position[particle][i] - x[i]), nearest = fmin(d, bins->side - d);
        square += nearest * nearest;
    }
    return square;
}

/* The bins of a class around x: up to three along an axis, as there are, each once. */
static int visit_class(const sw_dem_bins *bins, int class, const double x[3], sw_dem_bins_visit *visit,
                       void *context)
{
    const int64_t n = bins->grid[class].n;
    const int around = n < 3 ? (int)n : 3;
    int64_t bin[3];
    bin_of(bins, class, x, bin);
    for (int k = 0; k < around * around * around; k++) {
        const int64_t at[3] = {(bin[0] + k % around + n - 1) % n, (bin[1] + k / around % around + n - 1) % n,
                               (bin[2] + k / (around * around) + n - 1) % n};
        const int64_t first = bins->grid[class].first[(at[0] * n + at[1]) * n + at[2]];
        for (int64_t p = first; p >= 0; p = bins->next[p]) {
            const int result = visit(context, p);
            if (result != 0)
                return result;
        }
    }
    return 0;
}

int sw_dem_bins_near(const sw_dem_bins *bins, const double x[3], double radius, sw_dem_bins_visit *visit,
                     void *context)
{
    const int own = class_of(bins, radius);
    int result = 0;
    for (int c = 0; c <= own && result == 0; c++)
        result = visit_class(bins, c, x, visit, context);
    return result;
}
