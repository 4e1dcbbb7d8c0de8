/* The formats of packing files, for packing_file.c. All arguments and errors as there. */
#ifndef SW_ONLINE_DEM_PACKING_FORMATS_H
#define SW_ONLINE_DEM_PACKING_FORMATS_H

#include "file.h"

sw_status sw_dem_text_read(const char *path, sw_dem_packing *packing);
sw_status sw_dem_text_write(const char *path, const sw_dem_packing *packing, int n_fields,
                            const sw_dem_packing_field *field);
sw_status sw_dem_vtkhdf_read(const char *path, sw_dem_packing *packing);
sw_status sw_dem_vtkhdf_write(const char *path, const sw_dem_packing *packing, int n_fields,
                              const sw_dem_packing_field *field);

/* All numbers finite, radii > 0, a cell of positive volume: `code` with path, particle, value and bound. */
sw_status sw_dem_packing_check(const char *path, const sw_dem_packing *packing, sw_status code);

/* Its part of that: the cell. */
sw_status sw_dem_packing_check_cell(const char *path, const double cell[3][3], sw_status code);

#endif
