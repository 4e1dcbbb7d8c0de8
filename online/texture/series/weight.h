/* Weights of orientations: slipwave/texture.h. */
#ifndef SW_ONLINE_TEXTURE_SERIES_WEIGHT_H
#define SW_ONLINE_TEXTURE_SERIES_WEIGHT_H

#include <stdint.h>

#include "common/system/status.h"

/* Sum of the weights, N for NULL. SW_ERR_RANGE for bad ones: below 0, not finite, all 0. */
sw_status sw_texture_weight(int64_t n_crystals, const double *weight, double *total);

#endif
