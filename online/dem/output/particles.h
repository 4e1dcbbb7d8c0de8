/* Numbers of particles for pictures: of contacts, and of what they are made of. */
#ifndef SW_ONLINE_DEM_OUTPUT_PARTICLES_H
#define SW_ONLINE_DEM_OUTPUT_PARTICLES_H

#include "online/dem/backend/backend.h"

enum { SW_DEM_PARTICLE_FIELDS = 32 };

typedef struct {
    int n;
    sw_dem_packing_field field[SW_DEM_PARTICLE_FIELDS];
    char name[SW_DEM_PARTICLE_FIELDS][32];
    double *value; /* all, one after another */
} sw_dem_particle_fields;

/* Of element r: contacts, normal_force (sum, N); of metal strength (Pa s^N); of crystals strain (equivalent),
 * crystal_work (J), slip_resistance (mean, Pa) and fraction_NAME of each texture component. SW_ERR_MEMORY. Release
 * with sw_dem_particle_fields_free. */
sw_status sw_dem_make_particle_fields(sw_dem *dem, int64_t r, sw_dem_particle_fields *fields);
void sw_dem_particle_fields_free(sw_dem_particle_fields *fields);

#endif
