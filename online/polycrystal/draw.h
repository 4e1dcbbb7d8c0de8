/* The crystals that points begin with: random ones, or those of a texture. A point is whatever has n crystals;
 * points that are turned together are a body: the points of an element, or a particle alone. What body number b
 * gets hangs on the seed and b alone, whoever asks and in whatever order.
 *
 * Dimensions: n crystals of a point, q points of a body, N crystals of a texture. */
#ifndef SW_ONLINE_POLYCRYSTAL_DRAW_H
#define SW_ONLINE_POLYCRYSTAL_DRAW_H

#include <stdint.h>

#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What points draw from. */
typedef struct {
    int64_t each;          /* n */
    int64_t seed;          /* of all that is random below */
    float slip_resistance; /* Pa, of random ones */
    /* N = n: those at every point; another number: each point draws n of them, by weight; 0: random orientations, of
     * each point its own. */
    int64_t n_texture;
    const sw_crystal *texture; /* [N] borrowed */
    const float *weight;       /* [N] >= 0, not all 0, borrowed; NULL: equal */
    float heaviest;            /* sw_polycrystal_heaviest of them */
    int rotated;               /* the crystals of each body are turned together, by a random rotation */
} sw_polycrystal_draw;

/* The largest of weights [N]; 0 without any. */
float sw_polycrystal_heaviest(int64_t n_texture, const float *weight);

/* The crystals [q n] of body number `body`, >= 0, point by point, on the host. */
void sw_polycrystal_draw_crystals(const sw_polycrystal_draw *from, int64_t body, int64_t points,
                                  sw_crystal *crystal);

/* Whether crystals of a point count differently: those of a texture of n, with its weights. What is drawn by weight
 * counts alike. */
int sw_polycrystal_is_weighted(const sw_polycrystal_draw *from);
/* Then their weights [q n]. */
void sw_polycrystal_draw_weights(const sw_polycrystal_draw *from, int64_t points, float *weight);

#ifdef __cplusplus
}
#endif

#endif
