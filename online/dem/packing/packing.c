/* Sizes by quantiles, random sequential addition, stages of compression. */
#include "packing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/math/random.h"

/* ---- Sizes ---- */

const char *const sw_dem_sizes_names[SW_DEM_SIZES_KINDS] = {
#define SW_DEM_SIZES_NAME(name, text) text,
    SW_DEM_SIZES_LIST(SW_DEM_SIZES_NAME)
#undef SW_DEM_SIZES_NAME
};

#define SMALLEST 1e-9 /* m: below, and above the largest, it is a slip of units */
#define LARGEST 1e3

static sw_status check_radius(const char *name, double radius)
{
    if (!(radius >= SMALLEST && radius <= LARGEST))
        return sw_error(SW_ERR_RANGE, "%s = %g: need a length in m, from %g to %g", name, radius, SMALLEST,
                        LARGEST);
    return SW_OK;
}

static sw_status check_range(const sw_dem_sizes *sizes, int empty_allowed)
{
    SW_TRY(check_radius("least radius", sizes->least));
    SW_TRY(check_radius("largest radius", sizes->largest));
    if (sizes->least > sizes->largest || (sizes->least == sizes->largest && !empty_allowed))
        return sw_error(SW_ERR_RANGE, "least radius = %g m: need %s the largest, %g m", sizes->least,
                        empty_allowed ? "at most" : "less than", sizes->largest);
    return SW_OK;
}

static sw_status check_lognormal(const sw_dem_sizes *sizes)
{
    SW_TRY(check_radius("median radius", sizes->radius));
    if (!(sizes->deviation > 0 && sizes->deviation <= 3))
        return sw_error(SW_ERR_RANGE, "deviation of ln r = %g: need > 0 and at most 3", sizes->deviation);
    SW_TRY(check_range(sizes, 0));
    /* Beyond, quantiles would be those of a tail too thin for doubles. */
    const double from = log(sizes->least / sizes->radius) / sizes->deviation;
    const double to = log(sizes->largest / sizes->radius) / sizes->deviation;
    if (!(from <= 8 && to >= -8))
        return sw_error(SW_ERR_RANGE,
                        "radii from %g to %g m: need some within 8 deviations of the median, %g m",
                        sizes->least, sizes->largest, sizes->radius);
    return SW_OK;
}

static sw_status check_grading(const sw_dem_sizes *sizes)
{
    const int64_t n = sizes->n_points;
    if (n < 2)
        return sw_error(SW_ERR_RANGE, "grading curve of %" PRId64 " points: need 2 or more", n);
    for (int64_t i = 0; i < n; i++) {
        SW_TRY(check_radius("diameter of a grading curve", sizes->diameter[i]));
        if (i > 0 && !(sizes->diameter[i] > sizes->diameter[i - 1]))
            return sw_error(SW_ERR_RANGE,
                            "diameter %" PRId64 " of a grading curve = %g m: need above %g m, "
                            "the one before",
                            i + 1, sizes->diameter[i], sizes->diameter[i - 1]);
        const double least = i == 0 ? 0 : sizes->passing[i - 1];
        if (!(sizes->passing[i] >= least && sizes->passing[i] <= 1))
            return sw_error(SW_ERR_RANGE, "passing %" PRId64 " of a grading curve = %g: need %g to 1", i + 1,
                            sizes->passing[i], least);
    }
    if (sizes->passing[0] != 0)
        return sw_error(SW_ERR_RANGE, "first passing of a grading curve = %g: need 0", sizes->passing[0]);
    if (sizes->passing[n - 1] != 1)
        return sw_error(SW_ERR_RANGE, "last passing of a grading curve = %g: need 1", sizes->passing[n - 1]);
    return SW_OK;
}

sw_status sw_dem_sizes_check(const sw_dem_sizes *sizes)
{
    switch (sizes->kind) {
    case SW_DEM_MONODISPERSE:
        return check_radius("radius", sizes->radius);
    case SW_DEM_UNIFORM:
    case SW_DEM_UNIFORM_MASS:
        return check_range(sizes, 1);
    case SW_DEM_LOGNORMAL:
        return check_lognormal(sizes);
    case SW_DEM_GRADING:
        return check_grading(sizes);
    default:
        return sw_error(SW_ERR_RANGE, "size distribution %d: need 0 to %d", (int)sizes->kind,
                        SW_DEM_SIZES_KINDS - 1);
    }
}

/* Part of a normal distribution below z; of small relative error below the mean. */
static double normal_below(double z) { return 0.5 * erfc(-z * sqrt(0.5)); }

/* The place in [a, b] that a part u of a normal distribution cut off there is below. */
static double normal_quantile(double a, double b, double u)
{
    if (a > 0) /* by its mirror image, where small parts are small numbers */
        return -normal_quantile(-b, -a, 1 - u);
    const double wanted = (1 - u) * normal_below(a) + u * normal_below(b);
    for (;;) {
        const double z = 0.5 * (a + b);
        if (!(z > a && z < b))
            return z;
        if (normal_below(z) < wanted)
            a = z;
        else
            b = z;
    }
}

static double lognormal_quantile(const sw_dem_sizes *sizes, double u)
{
    const double z = normal_quantile(log(sizes->least / sizes->radius) / sizes->deviation,
                                     log(sizes->largest / sizes->radius) / sizes->deviation, u);
    return fmin(fmax(sizes->radius * exp(sizes->deviation * z), sizes->least), sizes->largest);
}

/* Where mass is even over r, numbers go as r^-3. */
static double uniform_mass_quantile(const sw_dem_sizes *sizes, double u)
{
    const double ratio = sizes->least / sizes->largest;
    return fmin(sizes->least / sqrt(1 - u * (1 - ratio * ratio)), sizes->largest);
}

/* Particles in a part of a grading curve, from diameter a to b with mass m even over ln d: proportional to
 * the integral of m / ln(b / a) d^-4. In units of a length. */
static double grading_number(double a, double b, double mass)
{
    return mass * (1 / (a * a * a) - 1 / (b * b * b)) / log(b / a);
}

static double grading_quantile(const sw_dem_sizes *sizes, double u)
{
    const int64_t parts = sizes->n_points - 1;
    const double *d = sizes->diameter, *m = sizes->passing, unit = d[0];
    double total = 0, before = 0;
    for (int64_t i = 0; i < parts; i++)
        total += grading_number(d[i] / unit, d[i + 1] / unit, m[i + 1] - m[i]);
    for (int64_t i = 0, last = -1;; i++) {
        if (i == parts)
            return 0.5 * d[last + 1]; /* round-off past the end */
        const double number = grading_number(d[i] / unit, d[i + 1] / unit, m[i + 1] - m[i]);
        if (!(number > 0))
            continue;
        const double place = (u * total - before) / number, ratio = d[i] / d[i + 1];
        if (place <= 1)
            return 0.5 * fmin(d[i] / cbrt(1 - fmax(place, 0) * (1 - ratio * ratio * ratio)), d[i + 1]);
        before += number;
        last = i;
    }
}

double sw_dem_sizes_quantile(const sw_dem_sizes *sizes, double u)
{
    switch (sizes->kind) {
    case SW_DEM_UNIFORM:
        return sizes->least + u * (sizes->largest - sizes->least);
    case SW_DEM_UNIFORM_MASS:
        return uniform_mass_quantile(sizes, u);
    case SW_DEM_LOGNORMAL:
        return lognormal_quantile(sizes, u);
    case SW_DEM_GRADING:
        return grading_quantile(sizes, u);
    default:
        return sizes->radius;
    }
}

/* Random numbers of a seed: particle n has subsequence n, whose first four are for its size and its place in
 * the order, the others for positions. */
enum { SIZE_BLOCK, FIRST_POSITION_BLOCK };

sw_status sw_dem_sizes_draw(const sw_dem_sizes *sizes, int64_t n_particles, uint64_t seed, double *radius)
{
    SW_TRY(sw_dem_sizes_check(sizes));
    if (n_particles < 1 || n_particles > SW_DEM_PAIR_MASK)
        return sw_error(SW_ERR_RANGE, "%" PRId64 " particles: need 1 to %d", n_particles, SW_DEM_PAIR_MASK);
    for (int64_t i = 0; i < n_particles; i++) {
        double u[4];
        sw_random_uniform4(seed, (uint64_t)i, SIZE_BLOCK, u);
        /* Fisher and Yates's shuffle, as radii come */
        const int64_t j = (int64_t)((1 - u[1]) * (double)(i + 1));
        radius[i] = radius[j];
        radius[j] = sw_dem_sizes_quantile(sizes, ((double)i + 1 - u[0]) / (double)n_particles);
    }
    return SW_OK;
}

/* ---- Loose packing ---- */

double sw_dem_packing_mean_radius(const sw_dem_packing *packing)
{
    double sum = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        sum += packing->radius[i];
    return sum / (double)packing->n_particles;
}

static double solid_volume(const sw_dem_packing *packing)
{
    double sum = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        sum += packing->radius[i] * packing->radius[i] * packing->radius[i];
    return 4 * SW_PI / 3 * sum;
}

double sw_dem_packing_void_ratio(const sw_dem_packing *packing)
{
    const double(*h)[3] = packing->cell;
    double volume = 0;
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        volume += h[i][0] * (h[a][1] * h[b][2] - h[b][1] * h[a][2]);
    }
    return volume / solid_volume(packing) - 1;
}

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
        sw_random_uniform4(seed, (uint64_t)particle, FIRST_POSITION_BLOCK + (uint64_t)try, u);
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
        for (int64_t i = 0; i < n && status == SW_OK; i++)
            status = place(&b, seed, order[i].particle);
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
    const double side = cbrt(solid_volume(packing) / solid_fraction);
    for (int i = 0; i < 3; i++)
        packing->cell[i][i] = side;
    status = strew(packing, seed);
end:
    if (status != SW_OK)
        sw_dem_packing_free(packing);
    return status;
}

/* ---- Compression ---- */

double sw_dem_rate(double inertia_number, double pressure, double density, double mean_radius)
{
    return inertia_number * sqrt(pressure / density) / (2 * mean_radius);
}

sw_dem_packing_target sw_dem_packing_target_defaults(void)
{
    return (sw_dem_packing_target){.pressure = 200e3, /* Lubbe et al. 2022, section 9 */
                                   .packing_friction = 0.5,
                                   .friction_decay = 0.005,
                                   .inertia_number = 1e-2,
                                   .stress_tolerance = 1e-2,
                                   .unbalanced_force = 1e-2,
                                   .max_steps = 10000000};
}

sw_status sw_dem_packing_stages(const sw_dem_packing_target *t, double density, double mean_radius,
                                sw_dem_stage stage[SW_DEM_PACKING_STAGES], int *n_stages)
{
    const int to_void_ratio = t->void_ratio != 0;
    const struct {
        const char *name;
        double value, most;
        int zero_allowed;
    } bound[] = {
        {"pressure (Pa)", t->pressure, 1e12, 0},
        {"void_ratio", t->void_ratio, 1 / SW_DEM_MOST_LOOSE - 1, 1},
        {"packing_friction", t->packing_friction, 10, !to_void_ratio},
        {"friction_decay", t->friction_decay, 0.5, !to_void_ratio},
        {"inertia_number", t->inertia_number, 1, 0},
        {"stress_tolerance", t->stress_tolerance, 1, 0},
        {"unbalanced_force", t->unbalanced_force, 1, 0},
        {"max_steps", (double)t->max_steps, 1e15, 0},
        {"density (kg/m^3)", density, 1e12, 0},
        {"mean radius (m)", mean_radius, LARGEST, 0},
    };
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++)
        if (!(bound[i].value > 0 && bound[i].value <= bound[i].most) &&
            !(bound[i].zero_allowed && bound[i].value == 0))
            return sw_error(SW_ERR_RANGE, "%s = %g: need %s 0, and at most %g", bound[i].name, bound[i].value,
                            bound[i].zero_allowed ? "at least" : "above", bound[i].most);

    const double rate = sw_dem_rate(t->inertia_number, t->pressure, density, mean_radius);
    sw_dem_stage *compress = &stage[0], *settle = &stage[1], *rest = &stage[2];
    for (int s = 0; s < SW_DEM_PACKING_STAGES; s++) {
        stage[s] = sw_dem_stage_defaults();
        stage[s].max_steps = t->max_steps;
        stage[s].stress_tolerance = t->stress_tolerance;
        stage[s].max_rate = rate;
        stage[s].friction = t->packing_friction;
    }
    for (int i = 0; i < 3; i++) {
        compress->velocity_gradient[i][i] = -rate * sqrt(2.0 / 3.0); /* sqrt(D:D / 2) = rate */
        settle->stress_driven[i] = rest->stress_driven[i] = 1;
        settle->stress[i] = rest->stress[i] = t->pressure;
    }
    compress->until = SW_DEM_UNTIL_PRESSURE;
    compress->goal = t->pressure;
    /* Falling friction lets the packing collapse again and again: within the final tolerance of the stresses
     * it hardly ever is, and waiting for that takes ten times the steps for the same coordination. */
    if (to_void_ratio)
        settle->stress_tolerance = fmin(5 * t->stress_tolerance, 1);
    settle->until = to_void_ratio ? SW_DEM_UNTIL_VOID_RATIO : SW_DEM_UNTIL_EQUILIBRIUM;
    settle->goal = to_void_ratio ? t->void_ratio : t->unbalanced_force;
    settle->friction_decay = to_void_ratio ? t->friction_decay : 0;
    rest->until = SW_DEM_UNTIL_EQUILIBRIUM;
    rest->goal = t->unbalanced_force;
    rest->friction = -1; /* the material's */
    *n_stages = SW_DEM_PACKING_STAGES;
    return SW_OK;
}
