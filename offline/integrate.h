/* All distinct points of a grid through the integrator: in blocks, by all ranks and threads, with a
 * checkpoint. */
#ifndef SW_OFFLINE_INTEGRATE_H
#define SW_OFFLINE_INTEGRATE_H

#include "response_grid.h"

typedef struct {
    const char *checkpoint; /* path; NULL: none */
    int resume;             /* go on with the checkpoint if there is one */
    int gpu;                /* integrate on this process's, in use (online/gpu/gpu.h) */
    int quiet;
} sw_integrate_options;

/* Fill grid->output, on rank 0. A checkpoint is recognised by material, grid and increment, whichever device its blocks are from.
 * The same bits for any number of ranks and threads, resumed or not, on one kind of device; between devices as
 * integrate_cuda.h says. After success the checkpoint
 * is still there, the caller's to remove when the result is safe. SW_ERR_CONVERGENCE names the point;
 * SW_ERR_INTERRUPTED when asked to stop; SW_ERR_IO, SW_ERR_INPUT, SW_ERR_FORMAT for a checkpoint that cannot
 * be written or used. */
sw_status sw_integrate_grid(sw_response_grid *grid, const sw_material *material,
                            const sw_increment *increment, const sw_integrate_options *options);

/* A hash of all that the grid's responses depend on. */
uint64_t sw_integrate_key(const sw_response_grid *grid, const sw_material *material,
                          const sw_increment *increment);

#endif
