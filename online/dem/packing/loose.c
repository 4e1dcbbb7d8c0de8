/* Spheres strewn at random without overlap: random sequential addition. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/math/random.h"
#include "common/system/progress.h"
#include "online/dem/element/rve.h"
#include "packing.h"

/* Particles that have their place, in bins: size classes, each of half the radii of the one before, have
 * grids of their own, whose bins are as wide as two of their largest. */
typedef struct {
    double side; /* of the cube */
    int n_classes;
    struct {
        int64_t n, *first; /* bins along an edge; [n^3] particle, -1: none */
    } grid[32];
    int64_t *next; /* [P] particle in the same bin */
    double largest;
    const sw_dem_packing *packing;
} bins;

static int class_of(const bins *b, double radius)
{
    int class = 0;
    for (double edge = 0.5 * b->largest; radius <= edge && class < b->n_classes - 1; edge *= 0.5)
        class ++;
    return class;
}

static void bins_free(bins *b)
{
    for (int c = 0; c < b->n_classes; c++)
        free(b->grid[c].first);
    free(b->next);
}

static sw_status bins_begin(const sw_dem_packing *packing, double side, double least, double largest, bins *b)
{
    enum { MOST = sizeof b->grid / sizeof *b->grid };
    *b = (bins){.side = side, .largest = largest, .packing = packing};
    b->n_classes = 1 + (int)fmin(floor(log2(largest / least)), MOST - 1);
    /* more bins than particles are of no use */
    const double most = ceil(cbrt((double)packing->n_particles));
    sw_status status = SW_ALLOCATE(b->next, packing->n_particles, "bins of a packing");
    for (int c = 0; c < b->n_classes && status == SW_OK; c++) {
        b->grid[c].n = (int64_t)fmin(floor(side / (2 * ldexp(largest, -c))), most);
        const int64_t n = b->grid[c].n, cells = n * n * n;
        status = SW_ALLOCATE(b->grid[c].first, cells, "bins of a packing");
        for (int64_t i = 0; i < cells && status == SW_OK; i++)
            b->grid[c].first[i] = -1;
    }
    if (status != SW_OK)
        bins_free(b);
    return status;
}

static void bin_of(const bins *b, int class, const double x[3], int64_t bin[3])
{
    const int64_t n = b->grid[class].n;
    for (int i = 0; i < 3; i++) {
        bin[i] = (int64_t)(x[i] / b->side * (double)n);
        bin[i] -= bin[i] == n; /* round-off */
    }
}

static void bins_add(bins *b, int64_t particle)
{
    const int class = class_of(b, b->packing->radius[particle]);
    const int64_t n = b->grid[class].n;
    int64_t bin[3];
    bin_of(b, class, b->packing->position[particle], bin);
    int64_t *first = &b->grid[class].first[(bin[0] * n + bin[1]) * n + bin[2]];
    b->next[particle] = *first;
    *first = particle;
}

/* Whether a sphere would touch one of a bin. */
static int touches(const bins *b, int64_t first, const double x[3], double radius)
{
    for (int64_t p = first; p >= 0; p = b->next[p]) {
        double square = 0;
        for (int i = 0; i < 3; i++) {
            const double d = fabs(b->packing->position[p][i] - x[i]), nearest = fmin(d, b->side - d);
            square += nearest * nearest;
        }
        const double sum = radius + b->packing->radius[p];
        if (square <= sum * sum)
            return 1;
    }
    return 0;
}

/* Whether there is room for a sphere no larger than those that are there: in any class, what it may touch is
 * in the bin of its centre and those around. */
static int has_room(const bins *b, const double x[3], double radius)
{
    for (int c = 0; c < b->n_classes; c++) {
        const int64_t n = b->grid[c].n;
        int64_t bin[3];
        bin_of(b, c, x, bin);
        for (int k = 0; k < 27; k++) {
            const int64_t at[3] = {(bin[0] + k % 3 + n - 1) % n, (bin[1] + k / 3 % 3 + n - 1) % n,
                                   (bin[2] + k / 9 + n - 1) % n};
            if (touches(b, b->grid[c].first[(at[0] * n + at[1]) * n + at[2]], x, radius))
                return 0;
        }
        if (radius > ldexp(b->largest, -c - 1))
            break; /* smaller classes are empty so far */
    }
    return 1;
}

static sw_status place(bins *b, uint64_t seed, int64_t particle)
{
    enum { MOST_TRIES = 1000000 };
    double *x = b->packing->position[particle], u[4];
    for (int try = 0; try < MOST_TRIES; try++) {
        sw_random_uniform4(seed, (uint64_t)particle, SW_DEM_POSITION_BLOCK + (uint64_t)try, u);
        for (int i = 0; i < 3; i++)
            x[i] = (1 - u[i]) * b->side;
        if (has_room(b, x, b->packing->radius[particle])) {
            bins_add(b, particle);
            return SW_OK;
        }
    }
    return sw_error(SW_ERR_CONVERGENCE,
                    "no place for particle %" PRId64 " of radius %g m in %d tries: "
                    "need a lower solid fraction",
                    particle, b->packing->radius[particle], MOST_TRIES);
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

/* Positions for radii, in a cube that has its size. */
static sw_status strew(sw_dem_packing *packing, uint64_t seed)
{
    const int64_t n = packing->n_particles;
    struct sized *order;
    SW_TRY(SW_ALLOCATE(order, n, "order of particles"));
    for (int64_t i = 0; i < n; i++)
        order[i] = (struct sized){packing->radius[i], i};
    qsort(order, (size_t)n, sizeof *order, compare_sized);
    bins b;
    sw_status status = SW_OK;
    const double side = packing->cell[0][0], largest = order[0].radius;
    if (!(4 * largest <= side))
        status = sw_error(SW_ERR_RANGE,
                          "%" PRId64 " particles make a cell of %g m: need two diameters of the "
                          "largest, %g m: more particles",
                          n, side, 4 * largest);
    if (status == SW_OK)
        status = bins_begin(packing, side, order[n - 1].radius, largest, &b);
    if (status == SW_OK) {
        for (int64_t i = 0; i < n && status == SW_OK; i++) {
            status = place(&b, seed, order[i].particle);
            if (status == SW_OK && (i & 1023) == 0)
                status = sw_interrupt_check();
        }
        bins_free(&b);
    }
    free(order);
    return status;
}

sw_status sw_dem_pack_loose(int64_t n_particles, const sw_dem_sizes *sizes, uint64_t seed,
                            double solid_fraction, sw_dem_packing *packing)
{
    *packing = (sw_dem_packing){.n_particles = n_particles};
    if (!(solid_fraction > 0 && solid_fraction <= SW_DEM_MOST_LOOSE))
        return sw_error(SW_ERR_RANGE,
                        "solid_fraction = %g: need > 0 and at most %g, where spheres at random still find "
                        "places; compression makes it denser",
                        solid_fraction, SW_DEM_MOST_LOOSE);
    if (n_particles < 1 || n_particles > SW_DEM_PAIR_MASK)
        return sw_error(SW_ERR_RANGE, "%" PRId64 " particles: need 1 to %d", n_particles, SW_DEM_PAIR_MASK);
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(packing->radius, n_particles, "a packing"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(packing->position, n_particles, "a packing"), end);
    SW_TRY_GOTO(status, sw_dem_sizes_draw(sizes, n_particles, seed, packing->radius), end);
    const double side = cbrt(sw_dem_packing_solid_volume(packing) / solid_fraction);
    for (int i = 0; i < 3; i++)
        packing->cell[i][i] = side;
    status = strew(packing, seed);
end:
    if (status != SW_OK)
        sw_dem_packing_free(packing);
    return status;
}
