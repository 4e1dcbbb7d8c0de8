/* Which format takes a packing file, and what all formats ask of a packing. */
#include "formats.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "online/dem/element/cell.h"

static const struct format {
    const char *suffix;
    sw_status (*read)(const char *path, sw_dem_packing *packing);
    sw_status (*write)(const char *path, const sw_dem_packing *packing, int n_fields,
                       const sw_dem_packing_field *field);
} formats[] = {
    {".txt", sw_dem_text_read, sw_dem_text_write},
    {".vtkhdf", sw_dem_vtkhdf_read, sw_dem_vtkhdf_write},
};

static const struct format *find_format(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(suffix, formats[i].suffix) == 0)
            return &formats[i];
    return NULL;
}

static sw_status no_format(const char *path)
{
    return sw_error(SW_ERR_INPUT, "%s: unknown suffix of a packing: need .txt or .vtkhdf", path);
}

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

sw_status sw_dem_packing_read(const char *path, sw_dem_packing *packing)
{
    *packing = (sw_dem_packing){0};
    const struct format *format = find_format(path);
    if (format == NULL)
        return no_format(path);
    const sw_status status = format->read(path, packing);
    if (status != SW_OK) {
        sw_dem_packing_free(packing);
        *packing = (sw_dem_packing){0};
    }
    return status;
}

sw_status sw_dem_packing_write(const char *path, const sw_dem_packing *packing, int n_fields,
                               const sw_dem_packing_field *field)
{
    const struct format *format = find_format(path);
    if (format == NULL)
        return no_format(path);
    SW_TRY(sw_dem_packing_check(path, packing, SW_ERR_RANGE));
    return format->write(path, packing, n_fields, field);
}
