/* Which format takes a packing file. */
#include "formats.h"

#include <string.h>
#include <strings.h>

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
