#include "set.h"

sw_status sw_dem_write_set(hid_t file, const char *name, const char *unit, int rank, const int64_t *shape,
                           const double *data)
{
    hid_t set;
    SW_TRY(sw_h5_write(file, name, H5T_NATIVE_DOUBLE, rank, shape, data));
    SW_TRY(sw_h5_open_set(file, name, &set));
    const sw_status status = sw_h5_write_text(set, "unit", unit);
    const sw_status closed = sw_h5_close_set(set);
    return status != SW_OK ? status : closed;
}
