#include "warnings.h"

#include <math.h>

#include "job/loading.h"
#include "step/control.h"

/* The worst of all elements, and how many there are. */
typedef struct {
    int64_t elements, element, test;
    double worst, at, more;
} finding;

static void take(finding *found, int64_t element, int64_t test, double worst, double at, double more)
{
    found->elements++;
    if (found->elements == 1 || worst > found->worst)
        *found = (finding){found->elements, element, test, worst, at, more};
}

static const char *name_of(const sw_dem_job *job, int64_t test)
{
    return sw_dem_tests[job->loading[test].test].name;
}

/* ---- Units ---- */

static const double most_radius = 1, least_density = 20; /* m, kg/m^3 */

void sw_dem_warn_of_units(const sw_dem_job *job, sw_dem *dem)
{
    finding large = {0}, light = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++) {
        const double radius = sw_dem_get(dem, r)->largest_radius;
        const sw_dem_element e = sw_dem_job_element(job, r);
        const double density = e.value[SW_DEM_DENSITY];
        if (radius > most_radius)
            take(&large, r, 0, radius, 0, 0);
        if (density < least_density)
            take(&light, r, 0, -density, 0, 0);
    }
    if (large.elements > 0) {
        sw_dem_job_name(job, large.element, who, sizeof who);
        sw_warn("%s: %s has particles of radius %.4g m: radii are in m", job->output.file, who, large.worst);
    }
    if (light.elements > 0) {
        sw_dem_job_name(job, light.element, who, sizeof who);
        sw_warn("%s: %s has a density of %.4g kg/m^3: densities are in kg/m^3", job->output.file, who,
                -light.worst);
    }
}

/* ---- Room ---- */

/* A cell by its heights, m, and volume, m^3, upright. */
typedef struct {
    double height[3], volume;
} box;

/* Of spheres that are packed: 0.65 without friction, 0.55 with 0.5 and more; 300 grains at 1e-3 of their modulus. */
static double packed_density(const sw_dem_element *e)
{
    return isnan(e->value[SW_DEM_VOID_RATIO]) ? 0.65 - 0.1 * fmin(1, e->value[SW_DEM_PACKING_FRICTION] / 0.5)
                                              : 1 / (1 + e->value[SW_DEM_VOID_RATIO]);
}

static box box_before_tests(const sw_dem_job *job, int64_t r, const sw_dem_rve *rve)
{
    const sw_dem_element e = sw_dem_job_element(job, r);
    const sw_dem_cell *cell = &rve->state->cell;
    box b = {.volume = cell->volume};
    for (int k = 0; k < 3; k++)
        b.height[k] = cell->height[k];
    if (e.file != NULL)
        return b;
    b.volume = rve->solid_volume / packed_density(&e);
    for (int k = 0; k < 3; k++)
        b.height[k] = cbrt(b.volume);
    return b;
}

/* ln of what a stage makes of each height; 0 where stresses decide, or nothing says how long it strains. Returns
 * whether it is known. */
static int stretch_of(const sw_dem_rve *rve, const sw_dem_stage *stage, const box *b, double stretch[3])
{
    const double trace = sw_dem_trace(stage->velocity_gradient);
    double time = 0;
    const int i = sw_six_row(stage->component), j = sw_six_column(stage->component);
    const double rate = 0.5 * fabs(stage->velocity_gradient[i][j] + stage->velocity_gradient[j][i]);
    if (!sw_dem_volume_driven(stage))
        return 0;
    if (stage->until == SW_DEM_UNTIL_STRAIN)
        time = stage->goal / rate;
    if (stage->until == SW_DEM_UNTIL_VOLUME_STRAIN)
        time = stage->goal / fabs(trace);
    if (stage->until == SW_DEM_UNTIL_TIME)
        time = stage->goal;
    if (stage->until == SW_DEM_UNTIL_VOID_RATIO)
        time = log((1 + stage->goal) * rve->solid_volume / b->volume) / trace;
    for (int k = 0; k < 3; k++)
        stretch[k] = time > 0 && isfinite(time) ? stage->velocity_gradient[k][k] * time : 0;
    return 1;
}

/* Where a height comes to be less than `need`: the relative density there, else 0. */
static double density_without_room(const sw_dem_rve *rve, const box *b, const double stretch[3], double need)
{
    double first = 1;
    for (int k = 0; k < 3; k++)
        if (stretch[k] < 0)
            first = fmin(first, log(need / b->height[k]) / stretch[k]);
    return first < 1 ? rve->solid_volume / b->volume * exp(-first * (stretch[0] + stretch[1] + stretch[2]))
                     : 0;
}

static void look_for_room(const sw_dem_job *job, sw_dem *dem, int64_t r, finding *found)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    const double need = 2 * (2 * rve->largest_radius + sw_dem_margin(rve));
    box b = box_before_tests(job, r, rve);
    double stretch[3];
    for (int64_t s = 0; s < rve->n_stages; s++) {
        const int64_t test = sw_dem_test_of(job, rve, s);
        if (test < 0)
            continue;
        if (!stretch_of(rve, &rve->stage[s], &b, stretch))
            return;
        const double density = density_without_room(rve, &b, stretch, need);
        double least = INFINITY;
        for (int k = 0; k < 3; k++) {
            b.height[k] *= exp(stretch[k]);
            b.volume *= exp(stretch[k]);
            least = fmin(least, b.height[k]);
        }
        if (density > 0) {
            take(found, r, test, need / least, density, rve->solid_volume / b.volume);
            return;
        }
    }
}

void sw_dem_warn_of_room(const sw_dem_job *job, sw_dem *dem)
{
    finding found = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++)
        look_for_room(job, dem, r, &found);
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    sw_warn(
        "%s: cells of %lld of %lld elements may come to be too small for their particles; %s, loading[%lld] "
        "(%s): at a "
        "relative density of some %.2g, before %.2g: some %.0f particles are enough",
        sw_job_path(job->source), (long long)found.elements, (long long)job->n_elements, who,
        (long long)found.test, name_of(job, found.test), found.at, found.more,
        ceil(1.1 * (double)sw_dem_get(dem, found.element)->n_particles * pow(found.worst, 3)));
}

/* ---- Void ratio ---- */

/* A packing meets its void ratio on the way; then it comes to rest at its stresses, with the material's own friction.
 * 300 grains with fewer than 3.9 contacts each settle by up to 0.06. */
#define MOST_VOID_RATIO_ERROR 0.005

/* As the first record after the packing has it; without tests as it is. NaN: there is none. */
static double packed_void_ratio(const sw_dem_job *job, sw_dem *dem, int64_t r)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, r, &n);
    if (job->loading_count == 0)
        return sw_dem_void_ratio(rve, sw_dem_room(rve));
    for (int64_t i = 0; i < n; i++)
        if (row[i].stage >= SW_DEM_PACKING_STAGES)
            return row[i].void_ratio;
    return NAN;
}

void sw_dem_warn_of_void_ratio(const sw_dem_job *job, sw_dem *dem)
{
    finding found = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++) {
        const sw_dem_element e = sw_dem_job_element(job, r);
        const double asked = e.value[SW_DEM_VOID_RATIO], is = packed_void_ratio(job, dem, r);
        if (e.file == NULL && sw_dem_failure(dem, r) == SW_OK && fabs(is - asked) > MOST_VOID_RATIO_ERROR)
            take(&found, r, 0, fabs(is - asked), is, asked);
    }
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    sw_warn(
        "%s: %lld of %lld packings have another void ratio than packing.void_ratio; %s: %.4f, %.4f off "
        "%.4g: it settled as it came to rest with the material's friction: a denser one, or more friction",
        job->output.file, (long long)found.elements, (long long)job->n_elements, who, found.at, found.worst,
        found.more);
}

/* ---- Overlap ---- */

/* Two equal spheres that overlap by d share two caps of the height d/2, pi r d^2 / 2 to the lowest order, which both count:
 * with z contacts each, 3/16 z (d/r)^2 of the volume of all. The mean of d stands for the root of that of d^2, which is
 * larger: the void ratio is too low by this at least. */
static double error_of_overlap(const sw_dem_row *row)
{
    const double overlap = fmax(row->mean_overlap, 0); /* bridges span gaps */
    return (1 + row->void_ratio) * (3.0 / 16) * row->coordination * overlap * overlap;
}

void sw_dem_warn_of_overlap(const sw_dem_job *job, sw_dem *dem)
{
    finding found = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++) {
        int64_t n, worst = -1;
        const sw_dem_row *row = sw_dem_rows(dem, r, &n);
        /* metal that contacts displace goes into the pores */
        for (int64_t i = 0; i < n && sw_dem_get(dem, r)->material[0].law != SW_DEM_METAL; i++)
            if (error_of_overlap(&row[i]) >
                (worst < 0 ? MOST_VOID_RATIO_ERROR : error_of_overlap(&row[worst])))
                worst = i;
        if (worst >= 0 && sw_dem_failure(dem, r) == SW_OK)
            take(&found, r, 0, error_of_overlap(&row[worst]), row[worst].mean_overlap, row[worst].pressure);
    }
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    sw_warn("%s: grains of %lld of %lld elements are soft; %s: they overlap by %.2g of their radius on "
            "average at "
            "p = %.3g Pa, and void ratios, of whole spheres, are too low by %.2g at least: a larger "
            "material.young",
            job->output.file, (long long)found.elements, (long long)job->n_elements, who, found.at,
            found.more, found.worst);
}

/* ---- Coupled contacts pressed in too far ---- */

/* Over the smaller radius: pairs of the cubic packings to which the law is fitted overlap by 0.36 at most, simple cubic at a
 * density of 0.95; only a die's go further. */
#define MOST_PAIR_OVERLAP 0.5

static void look_at_pairs(sw_dem *dem, int64_t r, finding *found)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    double worst = 0, beyond = 0, all = 0;
    for (int64_t p = 0; rve->coupled && p < rve->state->n_pairs; p++) {
        double branch[3];
        const double a = rve->radius[rve->pair[p][0]], b = rve->radius[rve->pair[p][1] & SW_DEM_PAIR_MASK];
        sw_dem_branch(rve, p, branch);
        const double overlap = (a + b - sqrt(sw_dem_dot(branch, branch))) / fmin(a, b);
        all += rve->touching[p] != 0;
        beyond += overlap > MOST_PAIR_OVERLAP;
        worst = fmax(worst, overlap);
    }
    if (beyond > 0)
        take(found, r, 0, worst, beyond, all);
}

void sw_dem_warn_of_pairs(const sw_dem_job *job, sw_dem *dem)
{
    finding found = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++)
        if (sw_dem_failure(dem, r) == SW_OK)
            look_at_pairs(dem, r, &found);
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    sw_warn("%s: coupled contacts of %lld of %lld elements are pressed in further than in the cubic packings "
            "that their law is fitted to; %s: at the end %.0f of %.0f pairs overlap by more than half the "
            "smaller radius, by %.2f at most",
            job->output.file, (long long)found.elements, (long long)job->n_elements, who, found.at,
            found.more, found.worst);
}

/* ---- Coupled contacts pressed unevenly ---- */

/* A particle that is pressed along one axis gets flat; R' grows it evenly, so that it meets what is beside it too early. Of
 * a die beside finite elements; of even compaction 5 %. What is between is not known. */
#define LEAST_STRAIN 0.02
#define LEAST_EVEN 0.9

/* Least and largest compression of the axes in a record with the largest one, or at the end; 0: none. */
static double unevenness(int64_t n, const sw_dem_row *row, const double at_end[3], double *most)
{
    double least = 0;
    *most = 0;
    for (int64_t i = 0; i <= n; i++) {
        const double strain[3] = {i < n ? row[i].strain_11 : at_end[0], i < n ? row[i].strain_22 : at_end[1],
                                  i < n ? row[i].strain_33 : at_end[2]},
                     largest = fmax(strain[0], fmax(strain[1], strain[2]));
        if (largest <= *most)
            continue;
        *most = largest;
        least = fmin(strain[0], fmin(strain[1], strain[2]));
    }
    return least;
}

void sw_dem_warn_of_sides(const sw_dem_job *job, sw_dem *dem)
{
    finding found = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++) {
        int64_t n;
        double most;
        const sw_dem_row *row = sw_dem_rows(dem, r, &n);
        const double least = unevenness(n, row, sw_dem_get(dem, r)->state->seen_strain, &most);
        if (sw_dem_get(dem, r)->coupled && most > LEAST_STRAIN && least < LEAST_EVEN * most &&
            sw_dem_failure(dem, r) == SW_OK)
            take(&found, r, 0, most - least, most, least);
    }
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    sw_warn("%s: coupled contacts are pressed unevenly in %lld of %lld elements; %s: by %.2g along one axis, "
            "%.2g along "
            "another: stresses across are too high, of a die by some 140 %% at a relative density of 0.70, "
            "40 %% at 0.85, "
            "those along it by 3 to 7 %%: only even compaction (lateral: 1) is known to 5 %%",
            job->output.file, (long long)found.elements, (long long)job->n_elements, who, found.at,
            found.more);
}

/* ---- Inertia ---- */

/* What stresses come out too high by, over the inertia number: q / p of 300 grains of sand in shear by 2, 3, 15 and 33 %
 * at 0.004, 0.011, 0.031 and 0.077, at constant volume by twice that; pressures of 60 copper particles in a die by 1, 5
 * and 7 % at 0.027, 0.064 and 0.12, beside what their rate sensitivity makes of the rate. */
static double error_of_inertia(const sw_dem_rve *rve)
{
    return rve->material[0].law == SW_DEM_METAL ? 0.6 : 5;
}

#define MOST_INERTIA_ERROR 0.03 /* less is within the scatter of packings */

/* Mean over the records of a stage by their pressures: those without hardly count. */
static double mean_inertia(int64_t n, const sw_dem_row *row, int64_t stage)
{
    double sum = 0, pressures = 0;
    for (int64_t i = 0; i < n; i++)
        if (row[i].stage == (double)stage && row[i].pressure > 0) {
            sum += row[i].inertia_number * row[i].pressure;
            pressures += row[i].pressure;
        }
    return pressures > 0 ? sum / pressures : 0;
}

static void look_at_inertia(const sw_dem_job *job, sw_dem *dem, int64_t r, finding *found)
{
    const sw_dem_rve *rve = sw_dem_get(dem, r);
    int64_t n;
    const sw_dem_row *row = sw_dem_rows(dem, r, &n);
    finding own = {0};
    for (int64_t s = 0; s < rve->n_stages; s++) {
        const int64_t test = sw_dem_test_of(job, rve, s);
        const double inertia = mean_inertia(n, row, s), error = inertia * error_of_inertia(rve);
        if (test >= 0 && rve->stage[s].until != SW_DEM_UNTIL_EQUILIBRIUM && error > MOST_INERTIA_ERROR)
            take(&own, r, test, error, inertia, 0);
    }
    if (own.elements > 0)
        take(found, r, own.test, own.worst, own.at, 0);
}

void sw_dem_warn_of_inertia(const sw_dem_job *job, sw_dem *dem)
{
    finding found = {0};
    char who[320];
    for (int64_t r = 0; r < job->n_elements; r++)
        if (sw_dem_failure(dem, r) == SW_OK)
            look_at_inertia(job, dem, r, &found);
    if (found.elements == 0)
        return;
    sw_dem_job_name(job, found.element, who, sizeof who);
    sw_warn("%s: inertia carries part of the stress in %lld of %lld elements; %s, loading[%lld] (%s): an "
            "inertia number "
            "of %.2g on average, with which stresses are some %.2g %% too high: slower",
            job->output.file, (long long)found.elements, (long long)job->n_elements, who,
            (long long)found.test, name_of(job, found.test), found.at, 100 * found.worst);
}
