/* What is said of a run's results beside the servo's errors (output/servo.c): sizes of errors that were measured,
 * docs/validation.md. */
#ifndef SW_ONLINE_DEM_WARNINGS_H
#define SW_ONLINE_DEM_WARNINGS_H

#include "output/output.h"

/* Before the work: tests driven by strain that will make cells too small for their particles. */
void sw_dem_warn_of_room(const sw_dem_job *job, sw_dem *dem);

/* Before it: particles larger than 1 m, and lighter than 20 kg/m^3, as numbers in other units than SI's make them. */
void sw_dem_warn_of_units(const sw_dem_job *job, sw_dem *dem);

/* After it: packings that came to rest at another void ratio than was asked for. */
void sw_dem_warn_of_void_ratio(const sw_dem_job *job, sw_dem *dem);

/* After it: grains so soft that what they share of their volume shows in the void ratio. */
void sw_dem_warn_of_overlap(const sw_dem_job *job, sw_dem *dem);

/* After it: coupled contacts of single pairs that are pressed in further than in what the law is fitted to. */
void sw_dem_warn_of_pairs(const sw_dem_job *job, sw_dem *dem);

/* After it: coupled contacts of elements that are not compacted evenly, whose lateral stresses are wrong. */
void sw_dem_warn_of_sides(const sw_dem_job *job, sw_dem *dem);

/* After it: tests so fast that inertia carries part of the stress. */
void sw_dem_warn_of_inertia(const sw_dem_job *job, sw_dem *dem);

#endif
