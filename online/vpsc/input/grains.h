/* A phase's grains: orientations and weights of a texture file, and shapes of a file of ellipsoids. Dimension: N grains. */
#ifndef SW_ONLINE_VPSC_INPUT_GRAINS_H
#define SW_ONLINE_VPSC_INPUT_GRAINS_H

#include <stdint.h>

#include "records.h"

typedef struct {
    int64_t count;      /* N */
    double (*euler)[3]; /* [N] Bunge, rad */
    double *weight;     /* [N], as the file has them */
    /* Ellipsoids, where they were read; else NULL. */
    double (*axes_euler)[3]; /* [N] Bunge, rad, of their axes */
    double (*axes)[3];       /* [N] lengths */
} sw_vpsc_grains;

/* Read the first block of a texture file; grains of weight 0 are kept. SW_ERR_INPUT, SW_ERR_IO, SW_ERR_MEMORY; what was made
 * is released, then and by sw_vpsc_grains_free. */
sw_status sw_vpsc_read_grains(const char *path, sw_vpsc_grains *grains);
/* The shapes of as many grains, from a file of ellipsoids. */
sw_status sw_vpsc_read_shapes(const char *path, sw_vpsc_grains *grains);
void sw_vpsc_grains_free(sw_vpsc_grains *grains);

#endif
