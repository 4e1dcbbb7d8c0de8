/* Copies of particles' crystals, for those who ask them. Dimensions: Q questions, n crystals of each particle. */
#ifndef SW_ONLINE_DEM_CRYSTALS_GATHER_H
#define SW_ONLINE_DEM_CRYSTALS_GATHER_H

#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A GPU's room for numbers of particles; zeroed at first. */
typedef struct {
    int32_t *particle;
    int64_t room;
} sw_dem_gatherer;

/* Crystals of particle [Q] (on the host) of `from` to those of each question in turn of `to`; where the response has them.
 * SW_ERR_MEMORY. */
sw_status sw_dem_gather_crystals(sw_dem_gatherer *g, int64_t questions, int64_t each, const int32_t *particle,
                                 const sw_crystals *from, sw_crystals *to);

/* Of a GPU, without states. */
sw_status sw_dem_gather_crystals_cuda(sw_dem_gatherer *g, int64_t questions, int64_t each,
                                      const int32_t *particle, const sw_crystal *from, sw_crystal *to);
void sw_dem_gatherer_free_cuda(sw_dem_gatherer *g);

#ifdef __cplusplus
}
#endif

#endif
