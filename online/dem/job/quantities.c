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

const char *sw_dem_quantity_unit(int quantity)
{
    static const char *const units[] = {
#define UNIT(name, unit, meaning) unit,
        SW_DEM_ROW_LIST(UNIT)
#undef UNIT
    };
    return quantity < SW_DEM_STRESS_RATIO ? units[quantity] : "1";
}

double sw_dem_cut_unit(char *name, const char **unit)
{
    static const struct {
        const char *end, *unit;
        double size;
    } units[] = {{"_kPa", "Pa", 1e3},       {"_MPa", "Pa", 1e6},    {"_GPa", "Pa", 1e9},
                 {"_mm", "m", 1e-3},        {"_um", "m", 1e-6},     {"_mm3", "m^3", 1e-9},
                 {"_g_cm3", "kg/m^3", 1e3}, {"_percent", "1", 1e-2}};
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const size_t end = strlen(units[i].end);
        if (length > end && strcmp(name + length - end, units[i].end) == 0) {
            name[length - end] = '\0';
            *unit = units[i].unit;
            return units[i].size;
        }
    }
    *unit = NULL;
    return 1;
}

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
