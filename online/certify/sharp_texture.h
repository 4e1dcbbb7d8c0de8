/* A sharp rolling texture, as of heavily rolled sheet: crystals near a few ideal orientations. */
#ifndef SW_ONLINE_CERTIFY_SHARP_TEXTURE_H
#define SW_ONLINE_CERTIFY_SHARP_TEXTURE_H

#include "online/texture/texture.h"
#include "slipwave/response.h"

enum { SW_SHARP_COMPONENTS = 5 };
/* Rotated cube, Goss, copper, brass, S: equal shares of the crystals, each spread evenly over its variants by sample
 * symmetry. */
extern const sw_texture_component sw_sharp_components[SW_SHARP_COMPONENTS];

/* Standard deviation of a crystal's rotation from its ideal orientation, about each of the three axes. */
#define SW_SHARP_SPREAD_DEGREES 5.0

/* Crystal number n of it, near component n % SW_SHARP_COMPONENTS; the same in every run. slip_resistance: Pa. */
sw_crystal sw_sharp_crystal(const sw_point_group *group, int64_t n, float slip_resistance);

#endif
