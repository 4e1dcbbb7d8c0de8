#include "crystal_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/math/random.h"
#include "common/system/progress.h"
#include "crystal_scatter.h"
#include "series/odf_series.h"
#include "texture.h"

#define DEGREE (SW_PI / 180)

/* ---- Drawing ---- */

/* Evenly over a cell, d(cos Phi) at its Phi. */
static void place_in_cell(const double cell[3], const double u[4], const double centre[3], double euler[3])
{
    const double low = fmax(centre[1] - 0.5 * cell[1], 0), high = fmin(centre[1] + 0.5 * cell[1], SW_PI);
    euler[0] = sw_wrap_angle(centre[0] + (u[0] - 0.5) * cell[0]);
    euler[1] = acos(fmax(-1, fmin(1, cos(low) + u[1] * (cos(high) - cos(low)))));
    euler[2] = sw_wrap_angle(centre[2] + (u[2] - 0.5) * cell[2]);
}

static double weight_of(const sw_crystal_list *list, int64_t m)
{
    return list->weight != NULL ? list->weight[m] : 1;
}

static double total_of(const sw_crystal_list *list)
{
    double total = 0;
    for (int64_t m = 0; m < list->count; m++)
        total += weight_of(list, m);
    return total;
}

sw_status sw_crystals_resample(const sw_crystal_list *list, int64_t n_crystals, double halfwidth,
                               int64_t seed, sw_crystal_list *drawn)
{
    enum { PLACES, SCATTER, LOOK_UP = 1 << 16 /* crystals, a hundredth of a second */ };
    const double share = total_of(list) / (double)n_crystals;
    sw_scatter place, scatter;
    double start[4], before = 0; /* weight of the crystals before m */
    int64_t m = 0;
    *drawn = *list;
    drawn->euler = NULL;
    drawn->weight = NULL;
    drawn->count = n_crystals;
    memset(drawn->cell, 0, sizeof drawn->cell);
    SW_TRY(SW_ALLOCATE(drawn->euler, n_crystals, "crystals to draw"));
    sw_scatter_begin(&place, 0, seed, PLACES);
    sw_scatter_begin(&scatter, halfwidth, seed, SCATTER);
    sw_scatter_numbers(&place, 0, start);
    for (int64_t k = 0; k < n_crystals; k++) {
        if (k % LOOK_UP == 0)
            SW_TRY(sw_interrupt_check());
        const double at = ((double)k + start[3]) * share;
        double u[4], centre[3];
        for (; m + 1 < list->count && at >= before + weight_of(list, m); m++)
            before += weight_of(list, m);
        memcpy(centre, list->euler[m], sizeof centre);
        if (list->cell[1] > 0) { /* by random numbers, which go with any scatter */
            sw_random_uniform4((uint64_t)seed, (uint64_t)k, 2, u);
            place_in_cell(list->cell, u, centre, centre);
        }
        sw_scatter_numbers(&scatter, k, u);
        sw_scatter_about(&scatter, centre, u, drawn->euler[k]);
    }
    return SW_OK;
}

/* ---- Comparing ---- */

enum { POINTS = 2048 };

/* kappa of the kernel that spreads by as much as `kappa` does and a variance along an axis (rad^2) more. */
static int widened(int kappa, double variance) { return (int)fmax(1, lround(2 / (2.0 / kappa + variance))); }

/* Of a list whose crystals stand for kernels of a variance. */
static sw_status density_of(const sw_point_group *group, const sw_crystal_list *list, int kappa,
                            double variance, const double (*point)[3], double *density)
{
    double *weight;
    sw_odf_series *series = NULL;
    SW_TRY(SW_ALLOCATE(weight, list->count, "weights of crystals"));
    for (int64_t m = 0; m < list->count; m++)
        weight[m] = weight_of(list, m);
    sw_status status = sw_odf_series_of_crystals(group, list->count, (const double(*)[3])list->euler, weight,
                                                 widened(kappa, variance), &series);
    if (status == SW_OK)
        status = sw_odf_series_at(series, POINTS, point, density);
    sw_odf_series_destroy(series);
    free(weight);
    return status;
}

/* Along an axis, of what resampling scatters by: the kernel's 2 / kappa, a cell's square of a side over 12. */
static double variance_of(const sw_crystal_list *list, double halfwidth)
{
    double variance = halfwidth > 0 ? 2.0 / sw_texture_kappa(halfwidth) : 0;
    for (int i = 0; i < 3; i++)
        variance += list->cell[i] * list->cell[i] / 36;
    return variance;
}

sw_status sw_crystals_compare(const sw_point_group *group, const sw_crystal_list *list, double halfwidth,
                              const sw_crystal_list *drawn, sw_representation *representation)
{
    const int kappa = sw_texture_kappa(7.5 * DEGREE);
    double(*point)[3], *density;
    SW_TRY(SW_ALLOCATE(point, POINTS, "points of an ODF"));
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(density, 2 * POINTS, "densities of an ODF"), no_density);
    for (int i = 0; i < POINTS; i++)
        sw_random_orientation(1, (uint64_t)i, point[i]);
    SW_TRY_GOTO(
        status,
        density_of(group, list, kappa, variance_of(list, halfwidth), (const double(*)[3])point, density),
        end);
    SW_TRY_GOTO(status, density_of(group, drawn, kappa, 0, (const double(*)[3])point, density + POINTS), end);
    sw_representation sum = {0};
    for (int i = 0; i < POINTS; i++) {
        const double f = density[i], g = density[POINTS + i];
        sum.difference += (f - g) * (f - g) / POINTS;
        sum.texture += (f - 1) * (f - 1) / POINTS;
        sum.index[0] += f * f / POINTS;
        sum.index[1] += g * g / POINTS;
    }
    sum.difference = sqrt(sum.difference);
    sum.texture = sqrt(sum.texture);
    *representation = sum;
end:
    free(density);
no_density:
    free(point);
    return status;
}
