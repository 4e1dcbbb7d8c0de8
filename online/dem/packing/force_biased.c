/* Force-biased packing: spheres strewn as points in a cube of their own volume grow and push each other
 * apart. Every sphere has two radii, each a common scale times its own: the inner scale is the largest at
 * which none overlap, the outer one begins where the spheres would fill the cube. Overlaps of outer spheres
 * are forces that move them, so that the inner scale grows, while the outer one is contracted; where they
 * meet the packing is done, and the cube is enlarged until the radii are those wanted.
 *
 * Moscinski, Bargiel, Rycerz, Jacobs 1989 (Molecular Simulation 3, 201); for spheres of several sizes
 * Bezrukov, Bargiel, Stoyan 2002 (Particle & Particle Systems Characterization 19, 111); the contraction is
 * that of Jodrey, Tory 1985 (Physical Review A 32, 2347). Dimensions: P particles, C pairs. Lengths m; scales
 * of 1. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "bins.h"
#include "common/math/random.h"
#include "common/system/progress.h"
#include "online/dem/element/rve.h"
#include "packing.h"

/* The scaling factor of forces. With 0.5 two spheres alone would move to where they touch; many that have ten
 * neighbours each then rattle, and pairs are found anew at every other step: nine times the time, for 0.004
 * of solid fraction that twice the slowness gives, too (1,000 equal spheres). */
#define PUSH 0.25
/* Pairs are kept up to this much farther apart than outer spheres that touch: found at one step of twenty. */
#define MARGIN 0.3

typedef struct {
    int64_t n;
    double side; /* m, of a cube of the spheres' volume: their solid fraction is the cube of the scale */
    const double *radius;
    double (*x)[3];
    double (*push)[3];
    double (*shift)[3]; /* [P] m since pairs were found */
    sw_dem_bins bins;
    int64_t n_pairs, room;
    int32_t (*pair)[2];
    double inner, outer;
    double found; /* outer scale when pairs were found; 0: none are */
} growth;

/* ---- Pairs ---- */

struct search {
    growth *g;
    int64_t particle;
    sw_status status;
};

static sw_status add_pair(growth *g, int64_t a, int64_t b)
{
    if (g->n_pairs == g->room) {
        const int64_t room = g->room + g->room / 2 + 64;
        int32_t(*more)[2] = realloc(g->pair, (size_t)room * sizeof *more);
        if (more == NULL)
            return sw_error(SW_ERR_MEMORY, "no memory for %" PRId64 " pairs of a packing", room);
        g->pair = more;
        g->room = room;
    }
    g->pair[g->n_pairs][0] = (int32_t)a;
    g->pair[g->n_pairs++][1] = (int32_t)b;
    return SW_OK;
}

static int meet(void *context, int64_t other)
{
    struct search *s = context;
    growth *g = s->g;
    const double reach = (1 + MARGIN) * g->outer * (g->radius[s->particle] + g->radius[other]);
    if (sw_dem_bins_square(&g->bins, other, g->x[s->particle]) < reach * reach)
        s->status = add_pair(g, s->particle, other);
    return s->status != SW_OK;
}

static sw_status find_pairs(growth *g)
{
    struct search search = {.g = g, .status = SW_OK};
    sw_dem_bins_empty(&g->bins);
    g->n_pairs = 0;
    g->found = g->outer;
    for (int64_t i = 0; i < g->n && search.status == SW_OK; i++) {
        const int64_t p = search.particle = g->bins.order[i];
        sw_dem_bins_near(&g->bins, g->x[p], g->radius[p], meet, &search);
        sw_dem_bins_add(&g->bins, p);
        g->shift[p][0] = g->shift[p][1] = g->shift[p][2] = 0;
    }
    return search.status;
}

/* Whether spheres that are no pair may overlap by now: pairs were all those within (1 + MARGIN) found (r_a +
 * r_b), and each may have come as much nearer as it moved. */
static int pairs_are_stale(const growth *g)
{
    const double slack = (1 + MARGIN) * g->found - g->outer;
    for (int64_t p = 0; p < g->n; p++) {
        const double *s = g->shift[p], most = slack * g->radius[p];
        if (!(slack > 0 && s[0] * s[0] + s[1] * s[1] + s[2] * s[2] <= most * most))
            return 1;
    }
    return 0;
}

/* ---- A step ---- */

/* Forces of outer spheres that overlap, as displacements, and the inner scale, larger than the outer one when
 * none do. Of a pair with the ratio q of its distance to the sum of its radii: F = d_a d_b (1 - q^2), and
 * sphere a goes PUSH F / (2 d_a), diameters d as scaled. */
static void push(growth *g)
{
    double square_of_inner = INFINITY;
    for (int64_t p = 0; p < g->n; p++)
        g->push[p][0] = g->push[p][1] = g->push[p][2] = 0;
    for (int64_t c = 0; c < g->n_pairs; c++) {
        const int32_t a = g->pair[c][0], b = g->pair[c][1];
        const double sum = g->radius[a] + g->radius[b];
        double d[3], square = 0;
        for (int i = 0; i < 3; i++) {
            d[i] = g->x[b][i] - g->x[a][i];
            d[i] -= g->side * rint(d[i] / g->side);
            square += d[i] * d[i];
        }
        const double scale = square / (sum * sum);
        square_of_inner = fmin(square_of_inner, scale);
        if (!(scale < g->outer * g->outer))
            continue;
        const double overlap = PUSH * g->outer * (1 - scale / (g->outer * g->outer));
        const double distance = sqrt(square);
        for (int i = 0; i < 3; i++) {
            const double along = distance > 0 ? d[i] / distance : i == 0; /* points in one place: somewhere */
            g->push[a][i] -= overlap * g->radius[b] * along;
            g->push[b][i] += overlap * g->radius[a] * along;
        }
    }
    g->inner = fmin(sqrt(square_of_inner), (1 + MARGIN) * g->outer);
}

static void move(growth *g)
{
    for (int64_t p = 0; p < g->n; p++)
        for (int i = 0; i < 3; i++) {
            const double x = g->x[p][i] + g->push[p][i];
            g->x[p][i] = x - g->side * floor(x / g->side);
            g->shift[p][i] += g->push[p][i];
        }
}

/* By 2^-j / (2 slowness) of what it began at, 1, where 10^-j is the order of what the solid fractions of both
 * scales still lack: slower and slower. */
static void contract(growth *g, double slowness)
{
    const double left = pow(g->outer, 3) - pow(g->inner, 3);
    if (left > 0)
        g->outer -= ldexp(0.5 / slowness, (int)-floor(-log10(left)));
}

/* Until the scales meet; then the inner one is measured among all. */
static sw_status grow(growth *g, double slowness)
{
    do {
        SW_TRY(sw_interrupt_check());
        move(g);
        if (pairs_are_stale(g))
            SW_TRY(find_pairs(g));
        push(g);
        contract(g, slowness);
    } while (g->inner < g->outer);
    SW_TRY(find_pairs(g));
    push(g);
    return SW_OK;
}

/* ---- From points to a packing ---- */

static void growth_close(growth *g)
{
    sw_dem_bins_close(&g->bins);
    free(g->push);
    free(g->shift);
    free(g->pair);
}

static sw_status growth_open(const sw_dem_packing *packing, uint64_t seed, growth *g)
{
    *g = (growth){.n = packing->n_particles, .radius = packing->radius, .x = packing->position, .outer = 1};
    g->side = cbrt(sw_dem_packing_solid_volume(packing));
    SW_TRY(sw_dem_packing_check_width(packing, g->side));
    SW_TRY(SW_ALLOCATE(g->push, g->n, "a packing"));
    SW_TRY(SW_ALLOCATE(g->shift, g->n, "a packing"));
    for (int64_t p = 0; p < g->n; p++) {
        double u[4];
        sw_random_uniform4(seed, (uint64_t)p, SW_DEM_POSITION_BLOCK, u);
        for (int i = 0; i < 3; i++)
            g->x[p][i] = (1 - u[i]) * g->side;
    }
    return sw_dem_bins_open(g->n, g->radius, g->x, g->side, 1 + MARGIN, &g->bins);
}

/* The cube in which the spheres have their own radii. */
static void enlarge(const growth *g, sw_dem_packing *packing)
{
    for (int i = 0; i < 3; i++)
        packing->cell[i][i] = g->side / g->inner;
    for (int64_t p = 0; p < g->n; p++)
        for (int i = 0; i < 3; i++)
            packing->position[p][i] /= g->inner;
}

sw_status sw_dem_pack_force_biased(int64_t n_particles, const sw_dem_sizes *sizes, uint64_t seed,
                                   double slowness, sw_dem_packing *packing)
{
    growth g = {0};
    *packing = (sw_dem_packing){.n_particles = n_particles};
    if (!(slowness >= SW_DEM_LEAST_SLOWNESS && slowness <= SW_DEM_MOST_SLOWNESS))
        return sw_error(SW_ERR_RANGE, "slowness = %g: need %g to %g", slowness, SW_DEM_LEAST_SLOWNESS,
                        SW_DEM_MOST_SLOWNESS);
    if (n_particles < 1 || n_particles > SW_DEM_PAIR_MASK)
        return sw_error(SW_ERR_RANGE, "%" PRId64 " particles: need 1 to %d", n_particles, SW_DEM_PAIR_MASK);
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(packing->radius, n_particles, "a packing"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(packing->position, n_particles, "a packing"), end);
    SW_TRY_GOTO(status, sw_dem_sizes_draw(sizes, n_particles, seed, packing->radius), end);
    SW_TRY_GOTO(status, growth_open(packing, seed, &g), end);
    SW_TRY_GOTO(status, grow(&g, slowness), end);
    enlarge(&g, packing);
end:
    growth_close(&g);
    if (status != SW_OK)
        sw_dem_packing_free(packing);
    return status;
}
