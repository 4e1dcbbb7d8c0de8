/* Many representative volume elements of spheres at once: the library behind `slipwave dem`, and for host
 * programs (hierarchical FEM x DEM: an element a Gauss point).
 *
 *     sw_dem_open(&options, n_rves, sample, &dem);
 *     sw_dem_run(dem, NULL, NULL);                     all stages of all elements
 *     for each macroscopic step {
 *         sw_dem_add_stage(dem, r, &stage);            one more deformation for element r ...
 *         sw_dem_run(dem, NULL, NULL);
 *         sw_dem_last_row(dem, r, &row);               ... and its stress
 *     }
 *     sw_dem_close(dem);
 *
 * Each element has its own packing, parameters and load path and knows nothing of the others: alone or in a
 * batch of any size it gives the same bits on the same device and strategy. Calls on one sw_dem come from one
 * thread. Each run on a GPU carries its elements there and back: make runs long. Dimensions: R elements, P
 * particles, C pairs, S stages. */
#ifndef SW_ONLINE_DEM_BACKEND_DEM_H
#define SW_ONLINE_DEM_BACKEND_DEM_H

#include "common/system/status.h"
#include "online/dem/element/rve.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Spheres in a periodic cell. */
typedef struct {
    int64_t n_particles;
    double cell[3][3];     /* m; columns are the cell's vectors */
    double (*position)[3]; /* [P] m, anywhere: images are taken into the cell */
    double *radius;        /* [P] m */
    double (*velocity)[3]; /* [P] m/s, fluctuation; NULL: at rest */
    double (*spin)[3];     /* [P] rad/s; NULL: none */
} sw_dem_packing;

/* One element: its beginning and what is done to it. */
typedef struct {
    sw_dem_packing packing; /* borrowed by sw_dem_open */
    sw_dem_material material;
    sw_dem_numerics numerics;
    int64_t n_stages;
    const sw_dem_stage *stage; /* [S], borrowed by sw_dem_open */
} sw_dem_sample;

/* Who advances an element. All run the same source (step.h) but launches, whose loop is the paper's. */
typedef enum {
    SW_DEM_AUTO,     /* thread on the CPU; on a GPU block, cluster or device, by the size of each element */
    SW_DEM_THREAD,   /* CPU: a thread an element, OpenMP over elements */
    SW_DEM_BLOCK,    /* GPU: a thread block an element, many steps a launch */
    SW_DEM_CLUSTER,  /* GPU: a cluster of blocks an element */
    SW_DEM_DEVICE,   /* GPU: all of it for one element at a time */
    SW_DEM_LAUNCHES, /* GPU: kernels over all particles of all elements, several a step: Lubbe et al., Fig. 3
                      */
    SW_DEM_TEAMS
} sw_dem_team;

/* How neighbours are found when Verlet lists are made. */
typedef enum {
    SW_DEM_GRID, /* a uniform grid in the element's own cell, one for each size class */
    SW_DEM_HASH, /* launches only: one uniform grid for all, element in the hash, Eq. 22 */
    SW_DEM_BVH,  /* launches only: one bounding volume hierarchy, element before the Morton code */
    SW_DEM_DETECTIONS
} sw_dem_detection;

typedef enum {
    SW_DEM_NEAREST,           /* a pair keeps its image's number; shifts of 27 images in a table */
    SW_DEM_BOUNDARY_PARTICLES /* images near faces are particles of their own: Lubbe et al., Algorithms 1, 2
                               */
} sw_dem_images;

extern const char *const sw_dem_teams[SW_DEM_TEAMS];           /* "auto", "thread", "block", ... */
extern const char *const sw_dem_detections[SW_DEM_DETECTIONS]; /* "grid", "hash", "bvh" */
extern const char *const sw_dem_image_names[2];                /* "nearest", "boundary_particles" */
extern const char *const sw_dem_laws[SW_DEM_LAWS];             /* "linear", "hertz_mindlin" */

typedef struct {
    int cuda; /* on a GPU */
    sw_dem_team team;
    sw_dem_detection detection;
    sw_dem_images images;
    int64_t memory; /* bytes of device memory to use at most; 0: most of what is free. Elements that do not
                       fit wait, and take the place of those that are done. */
} sw_dem_options;

/* Quartz of Lubbe et al. 2022, Table 2, with a tenth of its printed strengths of moments; damping 0.2
 * predicted, half the wave step, skin 0.1, control every 20 steps. */
sw_dem_material sw_dem_quartz(void);
sw_dem_numerics sw_dem_numerics_defaults(void);
sw_dem_options sw_dem_defaults(void); /* CPU, auto, grid, nearest */
/* All rates zero, nothing stress-driven, until 0 steps, tolerance 1e-2, 10^8 steps at most. */
sw_dem_stage sw_dem_stage_defaults(void);

typedef struct sw_dem sw_dem;

/* Checks and copies. SW_ERR_RANGE names element, particle, value and bound: no volume, a radius not > 0, a
 * particle larger than half the cell, centres that are not finite, two particles that overlap by more than
 * half the smaller radius, parameters out of range. SW_ERR_UNAVAILABLE without a GPU (or this build's CUDA)
 * for what needs one; SW_ERR_MEMORY. */
sw_status sw_dem_open(const sw_dem_options *options, int64_t n_rves, const sw_dem_sample *sample,
                      sw_dem **dem);
void sw_dem_close(sw_dem *dem); /* NULL is nothing */

/* All stages of all elements. Called now and then from the calling thread, watch (may be NULL) learns how
 * many particle-steps are done and how many elements are finished; what it returns but SW_OK ends the run
 * (which may go on with another call). Elements that fail stop and keep their status; the others go on, and
 * the call is SW_OK: sw_dem_failure tells. SW_ERR_INTERRUPTED, SW_ERR_MEMORY, SW_ERR_UNAVAILABLE (a GPU
 * fault). */
typedef sw_status sw_dem_watch(void *context, sw_dem *dem, double particle_steps, int64_t finished);
sw_status sw_dem_run(sw_dem *dem, sw_dem_watch *watch, void *context);

/* One more stage after the last; an element that is done goes on with it. What sw_dem_failure says, for one
 * that failed. */
sw_status sw_dem_add_stage(sw_dem *dem, int64_t r, const sw_dem_stage *stage);

/* An element as it is now, on the host: borrowed, valid until the next call that changes it. Not within
 * watch.
 */
const sw_dem_rve *sw_dem_get(sw_dem *dem, int64_t r);

/* Records of an element so far, [*n], borrowed until the next run. */
const sw_dem_row *sw_dem_rows(const sw_dem *dem, int64_t r, int64_t *n);

/* What was measured of an element last, whether recorded or not. */
void sw_dem_last_row(const sw_dem *dem, int64_t r, sw_dem_row *row);

/* The element as a packing: positions in the cell; caller's, released with sw_dem_packing_free. */
sw_status sw_dem_get_packing(sw_dem *dem, int64_t r, sw_dem_packing *packing);
void sw_dem_packing_free(sw_dem_packing *packing);

/* Contacts of an element that touch now: particles, unit normal a -> b, force on b (N). Arrays [*n], caller's
 * to free(). normal and force at the present positions. */
typedef struct {
    int32_t a, b;
    double normal[3], force[3];
} sw_dem_contact_record;
sw_status sw_dem_get_contacts(sw_dem *dem, int64_t r, int64_t *n, sw_dem_contact_record **contact);

/* SW_OK unless the element failed: then why, with stage, value and bound. */
sw_status sw_dem_failure(const sw_dem *dem, int64_t r);

/* State of an element as bytes, its stages and records too, and back into one opened with the same packing:
 * for restart files, and to take a trial step back. The bytes are of this build. SW_ERR_FORMAT when they are
 * not of such an element, or damaged. data: caller's to free(). */
sw_status sw_dem_save(sw_dem *dem, int64_t r, int64_t *bytes, void **data);
sw_status sw_dem_restore(sw_dem *dem, int64_t r, int64_t bytes, const void *data);

/* Who advances the elements, for people: "NVIDIA H200, a block an element, 512 threads a block". Of the
 * largest element where they differ. */
const char *sw_dem_describe(const sw_dem *dem);

#ifdef __cplusplus
}
#endif

#endif
