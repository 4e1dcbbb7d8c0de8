/* Private: the crystals that an element's particles are made of, on the host; and their refresh, between control
 * intervals. docs/theory.md, section 13. Dimensions: P particles, n crystals of each, C pairs. */
#ifndef SW_ONLINE_DEM_CRYSTALS_CRYSTALS_H
#define SW_ONLINE_DEM_CRYSTALS_CRYSTALS_H

#include "ask.h"
#include "online/dem/element/rve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    sw_response *response; /* borrowed; NULL: particles have no crystals */
    int64_t each;
    int mean_strain_only;
    int on_gpu;          /* the response is: crystals are page-locked */
    sw_crystal *crystal; /* [P n] */
    float *state;        /* [P n][K] what their solver remembers of families; NULL: nothing */
    double *strain;      /* [P] equivalent, so far */
    double *work;        /* [P] done on them so far, J */
    double *resistance;  /* [P] mean of a particle's crystals at the last refresh, Pa */
    double *left;        /* [P] what contacts did beyond that: the next refresh's, J */
} sw_dem_polycrystals;

/* SW_ERR_UNAVAILABLE of one whose stresses at another rate are not known by the power law of slip. */
sw_status sw_dem_check_crystals_material(const sw_material *material);

/* Of an element with its pairs and particles, whose strengths are the crystals' from the first refresh on: before anything
 * moves. SW_ERR_RANGE names element r, member, value and bound; SW_ERR_MEMORY; SW_ERR_UNAVAILABLE for a solver without
 * points. Release with sw_dem_polycrystals_free. */
sw_status sw_dem_polycrystals_begin(int64_t r, const sw_dem_crystals *crystals, const sw_dem_rve *rve,
                                    sw_dem_polycrystals *poly);
void sw_dem_polycrystals_free(sw_dem_polycrystals *poly);

/* Mean slip resistance of particle i, Pa; and the crystals of the first so many particles, borrowed. */
double sw_dem_mean_resistance(const sw_dem_polycrystals *poly, int64_t i);
sw_crystals sw_dem_crystals_of(const sw_dem_polycrystals *poly, int64_t particles);

/* Where crystals are while they are stepped and asked, as their response has them: kept from one refresh to the next. Zeroed
 * at first. */
typedef struct {
    const sw_response *response; /* whose they are */
    sw_crystals all;             /* of particles */
    sw_dem_asking asking;
} sw_dem_workspace;

void sw_dem_workspace_free(sw_dem_workspace *room);

/* The crystals follow what their particles went through since the last refresh, and contacts get their strengths: of
 * elements element [n] of rve and poly, on the host, which go on. Elements are asked together, and an element gets the
 * same bits whatever others are. SW_ERR_CONVERGENCE where crystals have no answer; SW_ERR_MEMORY. Any thread, one an
 * element and room, on the CPU; one at a time with a response on a GPU. */
sw_status sw_dem_refresh_all(int64_t n, const int64_t *element, sw_dem_rve *rve, sw_dem_polycrystals *poly,
                             sw_dem_workspace *room);
sw_status sw_dem_refresh(sw_dem_rve *rve, sw_dem_polycrystals *poly);

#ifdef __cplusplus
}
#endif

#endif
