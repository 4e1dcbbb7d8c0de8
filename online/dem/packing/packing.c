/* Packings in memory: what is asked of one, and its measures. */
#include "packing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "common/math/rotation.h"
#include "online/dem/element/cell.h"

void sw_dem_packing_free(sw_dem_packing *packing)
{
    free(packing->position);
    free(packing->radius);
    free(packing->velocity);
    free(packing->spin);
    free(packing->material);
    *packing = (sw_dem_packing){0};
}

/* ---- Measures ---- */

double sw_dem_packing_mean_radius(const sw_dem_packing *packing)
{
    double sum = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        sum += packing->radius[i];
    return sum / (double)packing->n_particles;
}

double sw_dem_packing_solid_volume(const sw_dem_packing *packing)
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
    return volume / sw_dem_packing_solid_volume(packing) - 1;
}

/* ---- Checks ---- */

sw_status sw_dem_packing_check_cell(const char *path, const double cell[3][3], sw_status code)
{
    sw_dem_cell c = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (!isfinite(cell[i][j]))
                return sw_error(code, "%s: cell h%d%d = %g: need a finite number", path, i + 1, j + 1,
                                cell[i][j]);
            c.h[i][j] = cell[i][j];
        }
    if (!sw_dem_cell_update(&c) || !isfinite(c.volume))
        return sw_error(code, "%s: cell of volume %g m^3: need > 0, three right-handed vectors", path,
                        c.volume);
    return SW_OK;
}

static sw_status check_vectors(const char *path, const char *what, int64_t n, const double (*vector)[3],
                               sw_status code)
{
    for (int64_t p = 0; vector != NULL && p < n; p++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(vector[p][i]))
                return sw_error(code, "%s: %s %d of particle %" PRId64 " = %g: need a finite number", path,
                                what, i + 1, p, vector[p][i]);
    return SW_OK;
}

sw_status sw_dem_packing_check(const char *path, const sw_dem_packing *packing, sw_status code)
{
    const int64_t n = packing->n_particles;
    if (n < 1)
        return sw_error(code, "%s: %" PRId64 " particles: need 1 or more", path, n);
    SW_TRY(sw_dem_packing_check_cell(path, packing->cell, code));
    for (int64_t p = 0; p < n; p++)
        if (!(packing->radius[p] > 0 && isfinite(packing->radius[p])))
            return sw_error(code, "%s: radius of particle %" PRId64 " = %g: need a finite one > 0 (m)", path,
                            p, packing->radius[p]);
    SW_TRY(check_vectors(path, "position", n, (const double(*)[3])packing->position, code));
    SW_TRY(check_vectors(path, "velocity", n, (const double(*)[3])packing->velocity, code));
    return check_vectors(path, "spin", n, (const double(*)[3])packing->spin, code);
}
