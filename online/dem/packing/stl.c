/* Walls from STL files. */
#include <stdlib.h>

#include "common/shapes/stl.h"
#include "online/dem/element/mesh.h"

sw_status sw_dem_mesh_read(const char *path, double scale, sw_dem_mesh **mesh)
{
    double(*corner)[3][3];
    int64_t n;
    *mesh = NULL;
    SW_TRY(sw_stl_read(path, scale, &n, &corner));
    sw_status status = sw_dem_mesh_make(n, (const double(*)[3][3])corner, mesh);
    free(corner);
    return status == SW_ERR_RANGE ? sw_error(SW_ERR_INPUT, "%s: %.600s", path, sw_error_message()) : status;
}
