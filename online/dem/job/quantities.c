#include "quantities.h"

#include <math.h>
#include <string.h>

const char *const sw_dem_quantities[SW_DEM_QUANTITIES] = {
#define NAME(name, unit, meaning) #name,
    SW_DEM_ROW_LIST(NAME)
#undef NAME
        [SW_DEM_STRESS_RATIO] = "stress_ratio",
    [SW_DEM_DEVIATOR_RATIO] = "deviator_ratio", [SW_DEM_NORMAL_STRESS_RATIO] = "normal_stress_ratio",
    [SW_DEM_SPECIFIC_VOLUME] = "specific_volume"};

double sw_dem_quantity_of(int quantity, const sw_dem_row *row)
{
    const double least = fmin(row->stress_11, fmin(row->stress_22, row->stress_33)),
                 most = fmax(row->stress_11, fmax(row->stress_22, row->stress_33));
    double value[SW_DEM_STRESS_RATIO];
    switch (quantity) {
    case SW_DEM_STRESS_RATIO:
        return row->deviator / row->pressure;
    case SW_DEM_DEVIATOR_RATIO:
        return row->deviator / least;
    case SW_DEM_NORMAL_STRESS_RATIO:
        return most / least;
    case SW_DEM_SPECIFIC_VOLUME:
        return 1 + row->void_ratio;
    default:
        memcpy(value, row, sizeof value);
        return value[quantity];
    }
}
