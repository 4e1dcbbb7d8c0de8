#include "crystal_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/math/random.h"
#include "common/system/progress.h"
#include "crystal_scatter.h"
#include "orientation_histogram.h"
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

enum { POINTS = 2048, EXACT = 1 << 18 /* crystals, two seconds; more are counted in a histogram */ };

/* kappa of the kernel that spreads by as much as `kappa` does and a variance along an axis (rad^2) more. */
static int widened(int kappa, double variance) { return (int)fmax(1, lround(2 / (2.0 / kappa + variance))); }

static sw_status density_counted(const sw_crystal_list *list, int kappa, double variance,
                                 const double (*point)[3], double *density)
{
    enum { CHUNK = 4096 };
    static const sw_weighted_orientations none = {0};
    sw_orientation_histogram *histogram;
    sw_weighted_orientations items = none;
    sw_crystal chunk[CHUNK];
    SW_TRY(sw_orientation_histogram_create(SW_FCC, &histogram));
    sw_status status = SW_OK;
    for (int64_t m = 0; list->weight != NULL && m < list->count; m++)
        histogram->heaviest = fmaxf(histogram->heaviest, list->weight[m]);
    for (int64_t done = 0; done < list->count && status == SW_OK; done += CHUNK) {
        const int64_t n = list->count - done < CHUNK ? list->count - done : CHUNK;
        for (int64_t i = 0; i < n; i++)
            for (int c = 0; c < 3; c++)
                chunk[i].euler[c] = (float)list->euler[done + i][c];
        status = sw_orientation_histogram_add(histogram, n, chunk, list->weight ? list->weight + done : NULL);
    }
    if (status == SW_OK)
        status = sw_orientation_histogram_items(histogram, &items);
    if (status == SW_OK)
        status = sw_odf(items.count, (const double(*)[3])items.euler, items.weight, SW_SAMPLE_TRICLINIC,
                        sw_histogram_kappa(widened(kappa, variance), items.variance), POINTS, point, density);
    sw_weighted_orientations_free(&items);
    sw_orientation_histogram_destroy(histogram);
    return status;
}

/* Crystals one after the other of one orientation -> one of their weights together; each: [M] room. */
static sw_weighted_orientations gather(const sw_crystal_list *list, double (*euler)[3], double *weight)
{
    sw_weighted_orientations each = {.euler = euler, .weight = weight};
    for (int64_t m = 0; m < list->count; m++) {
        if (m == 0 || memcmp(list->euler[m], list->euler[m - 1], sizeof list->euler[m]) != 0) {
            memcpy(euler[each.count], list->euler[m], sizeof list->euler[m]);
            weight[each.count++] = 0;
        }
        weight[each.count - 1] += weight_of(list, m);
    }
    return each;
}

/* Of a list whose crystals stand for kernels of a variance. */
static sw_status density_of(const sw_crystal_list *list, int kappa, double variance, const double (*point)[3],
                            double *density)
{
    double(*euler)[3] = NULL, *weight = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(euler, list->count, "crystals to compare"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(weight, list->count, "weights of crystals"), end);
    const sw_weighted_orientations each = gather(list, euler, weight);
    status = each.count > EXACT
                 ? density_counted(list, kappa, variance, point, density)
                 : sw_odf(each.count, (const double(*)[3])each.euler, each.weight, SW_SAMPLE_TRICLINIC,
                          widened(kappa, variance), POINTS, point, density);
end:
    free(euler);
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

sw_status sw_crystals_compare(const sw_crystal_list *list, double halfwidth, const sw_crystal_list *drawn,
                              sw_representation *representation)
{
    const int kappa = sw_texture_kappa(7.5 * DEGREE);
    double(*point)[3], *density;
    SW_TRY(SW_ALLOCATE(point, POINTS, "points of an ODF"));
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(density, 2 * POINTS, "densities of an ODF"), no_density);
    for (int i = 0; i < POINTS; i++)
        sw_random_orientation(1, (uint64_t)i, point[i]);
    SW_TRY_GOTO(status,
                density_of(list, kappa, variance_of(list, halfwidth), (const double(*)[3])point, density),
                end);
    SW_TRY_GOTO(status, density_of(drawn, kappa, 0, (const double(*)[3])point, density + POINTS), end);
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
