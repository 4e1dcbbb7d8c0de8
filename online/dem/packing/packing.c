/* Packings in memory: what is asked of one, and its measures. */
#include "packing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/math/rotation.h"
#include "memory.h"
#include "online/dem/element/rve.h"

void sw_dem_packing_free(sw_dem_packing *packing)
{
    free(packing->position);
    free(packing->radius);
    free(packing->velocity);
    free(packing->spin);
    free(packing->material);
    free(packing->clump);
    sw_dem_packing_forget(packing);
    *packing = (sw_dem_packing){0};
}

void sw_dem_packing_forget(sw_dem_packing *packing)
{
    free(packing->contact);
    free(packing->contact_history);
    packing->contact = NULL;
    packing->contact_history = NULL;
    packing->n_contacts = 0;
    sw_dem_memory_free(packing->memory);
    packing->memory = NULL;
}

int sw_dem_packing_remembers(const sw_dem_packing *packing, sw_dem_law law)
{
    return packing->contact != NULL && packing->contact_law == law &&
           packing->contact_numbers == SW_DEM_SPRINGS + sw_dem_law_numbers(law);
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

sw_status sw_dem_packing_check_width(const sw_dem_packing *packing, double side)
{
    double largest = 0;
    for (int64_t i = 0; i < packing->n_particles; i++)
        largest = fmax(largest, packing->radius[i]);
    if (!(4 * largest <= side))
        return sw_error(SW_ERR_RANGE,
                        "%" PRId64 " particles make a cell of %g m: need two diameters of the "
                        "largest, %g m: more particles",
                        packing->n_particles, side, 4 * largest);
    return SW_OK;
}

sw_status sw_dem_packing_check_radius(const char *place, int64_t particle, double radius, sw_status code)
{
    char of[48] = "";
    if (radius >= SW_DEM_LEAST_LENGTH && radius <= SW_DEM_MOST_LENGTH)
        return SW_OK;
    if (particle >= 0)
        snprintf(of, sizeof of, " of particle %" PRId64, particle);
    return sw_error(code, "%s: radius%s = %g m: need %g to %g m", place, of, radius, SW_DEM_LEAST_LENGTH,
                    SW_DEM_MOST_LENGTH);
}

sw_status sw_dem_packing_check_cell(const char *path, const double cell[3][3], sw_status code)
{
    sw_dem_cell c = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (!(fabs(cell[i][j]) <= SW_DEM_MOST_CELL))
                return sw_error(code, "%s: cell h%d%d = %g: need a finite number, at most %g m", path, i + 1,
                                j + 1, cell[i][j], SW_DEM_MOST_CELL);
            c.h[i][j] = cell[i][j];
        }
    if (!sw_dem_cell_update(&c))
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

/* Farther out than so many cells a position has few digits left, or none. */
static const double most_cells = 1e6;

static sw_status check_near(const char *path, const sw_dem_packing *packing, const char *what,
                            const double (*position)[3], sw_status code)
{
    double size = 0;
    for (int i = 0; i < 9; i++)
        size = fmax(size, fabs(packing->cell[i / 3][i % 3]));
    for (int64_t p = 0; p < packing->n_particles; p++)
        for (int i = 0; i < 3; i++)
            if (!(fabs(position[p][i]) <= most_cells * size))
                return sw_error(code,
                                "%s: %s %d of particle %" PRId64
                                " = %g: need a finite number, at most %g cells (%g m) from 0",
                                path, what, i + 1, p, position[p][i], most_cells, most_cells * size);
    return SW_OK;
}

sw_status sw_dem_packing_check_positions(const char *path, const sw_dem_packing *packing, sw_status code)
{
    return check_near(path, packing, "position", (const double(*)[3])packing->position, code);
}

/* Arrays of other numbers of particles are not looked at by anyone. */
static sw_status check_memory(const char *path, const sw_dem_packing *packing, sw_status code)
{
    if (packing->memory == NULL)
        return SW_OK;
    SW_TRY(sw_dem_memory_check(path, packing->memory, code));
    return packing->memory->of[SW_DEM_MEMORY_POSITION].rows != packing->n_particles
               ? SW_OK
               : check_near(path, packing, sw_dem_memory_name(SW_DEM_MEMORY_POSITION),
                            (const double(*)[3])packing->memory->of[SW_DEM_MEMORY_POSITION].number, code);
}

static sw_status check_contact(const char *path, const sw_dem_packing *packing, int64_t c, sw_status code)
{
    const int32_t *pair = packing->contact[c];
    const double *number = packing->contact_history + c * packing->contact_numbers;
    for (int i = 0; i < 2; i++)
        if (!(pair[i] >= 0 && pair[i] < packing->n_particles))
            return sw_error(code, "%s: particle %d of contact %" PRId64 " = %" PRId32 ": need 0 to %" PRId64,
                            path, i + 1, c, pair[i], packing->n_particles - 1);
    if (pair[0] == pair[1])
        return sw_error(code, "%s: contact %" PRId64 ": particles %" PRId32 " and %" PRId32 ": need two",
                        path, c, pair[0], pair[1]);
    for (int k = 0; k < packing->contact_numbers; k++)
        if (!isfinite(number[k]))
            return sw_error(code,
                            "%s: number %d of contact %" PRId64 " (particles %" PRId32 ", %" PRId32
                            ") = %g: need a finite number",
                            path, k + 1, c, pair[0], pair[1], number[k]);
    return SW_OK;
}

static sw_status check_clumps(const char *path, const sw_dem_packing *packing, sw_status code)
{
    for (int64_t p = 0; packing->clump != NULL && p < packing->n_particles; p++)
        if (!(packing->clump[p] >= -1 && packing->clump[p] < packing->n_particles))
            return sw_error(code,
                            "%s: clump of particle %" PRId64 " = %" PRId32 ": need -1, or 0 to %" PRId64,
                            path, p, packing->clump[p], packing->n_particles - 1);
    return SW_OK;
}

static sw_status check_contacts(const char *path, const sw_dem_packing *packing, sw_status code)
{
    if (packing->contact == NULL)
        return SW_OK;
    if (!(packing->n_contacts >= 0 && packing->n_contacts <= SW_DEM_MOST_PAIRS))
        return sw_error(code, "%s: %" PRId64 " contacts: need 0 to %d", path, packing->n_contacts,
                        SW_DEM_MOST_PAIRS);
    if (!(packing->contact_numbers >= 1 && packing->contact_numbers <= SW_DEM_MOST_NUMBERS))
        return sw_error(code, "%s: %d numbers of a contact: need 1 to %d", path, packing->contact_numbers,
                        SW_DEM_MOST_NUMBERS);
    if (packing->contact_history == NULL)
        return sw_error(code, "%s: contact_history is missing: need it beside contact", path);
    for (int64_t c = 0; c < packing->n_contacts; c++)
        SW_TRY(check_contact(path, packing, c, code));
    return SW_OK;
}

sw_status sw_dem_packing_check(const char *path, const sw_dem_packing *packing, sw_status code)
{
    const int64_t n = packing->n_particles;
    if (n < 1)
        return sw_error(code, "%s: %" PRId64 " particles: need 1 or more", path, n);
    SW_TRY(sw_dem_packing_check_cell(path, packing->cell, code));
    for (int64_t p = 0; p < n; p++)
        SW_TRY(sw_dem_packing_check_radius(path, p, packing->radius[p], code));
    SW_TRY(sw_dem_packing_check_positions(path, packing, code));
    SW_TRY(check_vectors(path, "velocity", n, (const double(*)[3])packing->velocity, code));
    SW_TRY(check_vectors(path, "spin", n, (const double(*)[3])packing->spin, code));
    SW_TRY(check_clumps(path, packing, code));
    SW_TRY(check_memory(path, packing, code));
    return check_contacts(path, packing, code);
}
