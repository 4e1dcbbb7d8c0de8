/* Spheres strewn at random without overlap: random sequential addition. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "bins.h"
#include "common/math/random.h"
#include "common/system/progress.h"
#include "online/dem/element/rve.h"
#include "packing.h"

struct sphere {
    const sw_dem_bins *bins;
    const double *x;
    double radius;
};

static int touches(void *context, int64_t particle)
{
    const struct sphere *s = context;
    const double sum = s->radius + s->bins->radius[particle];
    return sw_dem_bins_square(s->bins, particle, s->x) <= sum * sum;
}

/* Whether there is room for a sphere no larger than those that are there. */
static int has_room(const sw_dem_bins *bins, const double x[3], double radius)
{
    struct sphere sphere = {bins, x, radius};
    return !sw_dem_bins_near(bins, x, radius, touches, &sphere);
}

static sw_status place(sw_dem_bins *b, uint64_t seed, int64_t particle)
{
    enum { MOST_TRIES = 1000000 };
    double *x = b->position[particle], u[4];
    for (int try = 0; try < MOST_TRIES; try++) {
        sw_random_uniform4(seed, (uint64_t)particle, SW_DEM_POSITION_BLOCK + (uint64_t)try, u);
        for (int i = 0; i < 3; i++)
            x[i] = (1 - u[i]) * b->side;
        if (has_room(b, x, b->radius[particle])) {
            sw_dem_bins_add(b, particle);
            return SW_OK;
        }
    }
    return sw_error(SW_ERR_CONVERGENCE,
                    "no place for particle %" PRId64 " of radius %g m in %d tries: "
                    "need a lower solid fraction",
                    particle, b->radius[particle], MOST_TRIES);
}

/* Positions for radii, in a cube that has its size. */
static sw_status strew(sw_dem_packing *packing, uint64_t seed)
{
    const int64_t n = packing->n_particles;
    sw_dem_bins b;
    SW_TRY(sw_dem_packing_check_width(packing, packing->cell[0][0]));
    sw_status status = sw_dem_bins_open(n, packing->radius, packing->position, packing->cell[0][0], 1, &b);
    for (int64_t i = 0; i < n && status == SW_OK; i++) {
        status = place(&b, seed, b.order[i]);
        if (status == SW_OK && (i & 1023) == 1023)
            status = sw_interrupt_check();
    }
    sw_dem_bins_close(&b);
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
