/* What a sample may be judged by: all that is measured of an element, and a few numbers made of it. */
#ifndef SW_ONLINE_DEM_JOB_QUANTITIES_H
#define SW_ONLINE_DEM_JOB_QUANTITIES_H

#include "slipwave/dem.h"

/* After the members of a row, in its order. */
enum {
    SW_DEM_STRESS_RATIO = sizeof(sw_dem_row) / sizeof(double), /* q / p */
    SW_DEM_DEVIATOR_RATIO,                                     /* q over the least normal stress */
    SW_DEM_NORMAL_STRESS_RATIO,                                /* the largest over the least */
    SW_DEM_SPECIFIC_VOLUME,                                    /* 1 + e */
    SW_DEM_QUANTITIES
};
extern const char *const sw_dem_quantities[SW_DEM_QUANTITIES];

/* SI unit of a quantity, "1" of pure numbers. */
const char *sw_dem_quantity_unit(int quantity);

/* Cuts the unit off a name that ends in one of laboratories, as pressure_kPa: how many of *unit (SI) it is. 1, and *unit NULL,
 * where it ends in none. */
double sw_dem_cut_unit(char *name, const char **unit);

double sw_dem_quantity_of(int quantity, const sw_dem_row *row);

#endif
