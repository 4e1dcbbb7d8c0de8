/* Private: the formats of packing files, for file.c. All arguments and errors as in slipwave/dem.h. */
#ifndef SW_ONLINE_DEM_PACKING_FORMATS_H
#define SW_ONLINE_DEM_PACKING_FORMATS_H

#include "packing.h"

sw_status sw_dem_text_read(const char *path, sw_dem_packing *packing);
sw_status sw_dem_text_write(const char *path, const sw_dem_packing *packing, int n_fields,
                            const sw_dem_packing_field *field);
sw_status sw_dem_vtkhdf_read(const char *path, sw_dem_packing *packing);
sw_status sw_dem_vtkhdf_write(const char *path, const sw_dem_packing *packing, int n_fields,
                              const sw_dem_packing_field *field);

#endif
