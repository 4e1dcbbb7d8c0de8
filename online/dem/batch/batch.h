/* Private: how a batch is opened, and who advances it. */
#ifndef SW_ONLINE_DEM_BATCH_BATCH_H
#define SW_ONLINE_DEM_BATCH_BATCH_H

#include "online/dem/backend/teams.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SW_ERR_RANGE names element r, value and bound. */
sw_status sw_dem_check_sample(int64_t r, const sw_dem_sample *sample);
sw_status sw_dem_check_stage(int64_t r, const sw_dem_stage *stage);
/* Beside sides that are not periodic (bits of `closed`) nothing is sheared. */
sw_status sw_dem_check_shear(int64_t r, int closed, const sw_dem_stage *stage);
/* Beside a membrane both lateral stresses are one pressure. */
sw_status sw_dem_check_jacket(int64_t r, int has_membrane, const sw_dem_stage *stage);
sw_status sw_dem_check_options(const sw_dem_options *options);

/* Element r from a checked sample, with its first list of pairs and the first stage begun. SW_ERR_RANGE for
 * particles that overlap too much, or contacts that are not such a list's, SW_ERR_MEMORY; rve->block is to be
 * released with free(). */
sw_status sw_dem_make_element(int64_t r, const sw_dem_sample *sample, sw_dem_images images, sw_dem_rve *rve);
/* Clumps of a packing, and bodies: clumps and particles that are none's. */
int64_t sw_dem_count_clumps(const sw_dem_packing *packing, int64_t *bodies);
/* Clumps of an element whose particles and cell are there. SW_ERR_RANGE for one without particles, or too large for the
 * cell; SW_ERR_MEMORY. */
sw_status sw_dem_make_clumps(int64_t r, const sw_dem_packing *packing, sw_dem_rve *rve);
/* All numbers of a material, 0 for the NaN of what its law does without. */
enum { SW_DEM_MATERIAL_NUMBERS = 19 };
void sw_dem_material_numbers(const sw_dem_material *m, double number[SW_DEM_MATERIAL_NUMBERS]);
/* Materials, sides, gravity, walls' friction; what of them is not as it was, in words, what it was first; 0: nothing. */
sw_status sw_dem_remember_setup(const sw_dem_rve *rve, sw_dem_memory *memory);
int sw_dem_setup_differs(const sw_dem_memory *memory, const sw_dem_rve *rve, char *what, size_t size);
int sw_dem_is_finite(const sw_dem_rve *rve); /* all that an element remembers of a run and its walls */
/* All that an element remembers beside, into a packing of it. start [SW_DEM_WALLS]: point and radius that its walls beside
 * the sides began with. SW_ERR_MEMORY. And back into an element that was made of the packing: it goes on with its stages as
 * the one that the packing was taken from, or has what fits it. SW_ERR_RANGE for what cannot be such an element's. */
sw_status sw_dem_remember(const sw_dem_rve *rve, const double (*start)[4], sw_dem_packing *packing);
sw_status sw_dem_recall(int64_t r, const sw_dem_sample *sample, sw_dem_rve *rve);
/* The first stage begins before anything is measured: strain-driven components move, the servo waits. */
void sw_dem_start(sw_dem_rve *rve);

/* SW_OK when there is a GPU for the batch; describes who advances it. */
sw_status sw_dem_check_cuda(sw_dem *dem);

#ifdef __cplusplus
}
#endif

#endif
