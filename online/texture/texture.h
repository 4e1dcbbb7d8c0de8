/* More of what a set of orientations looks like than slipwave/texture.h has: texture index, component fractions.
 * Dimension: N crystals. Weights as there. */
#ifndef SW_ONLINE_TEXTURE_TEXTURE_H
#define SW_ONLINE_TEXTURE_TEXTURE_H

#include <stdint.h>

#include "common/crystal/lattice.h"
#include "common/system/status.h"
#include "series/weight.h"
#include "slipwave/texture.h"

/* Texture index, integral of f^2: mean over crystals of the ODF that the others make, so that a random
 * texture gives 1 on average whatever N: (M f - K) / (M - 1), where f is the mean of the ODF over all, K the
 * density that a crystal alone has at its orientation. M, `crystals`: N without weights. Where weights are
 * numbers of crystals, their sum; where they are volumes of a crystal each, (sum w)^2 / sum w^2, which is the same
 * mean over pairs of different crystals. SW_ERR_RANGE for M < SW_TEXTURE_INDEX_LEAST, below which there is one crystal
 * and hardly any other. */
#define SW_TEXTURE_INDEX_LEAST 1.001
sw_status sw_texture_index_of(const sw_point_group *group, double mean, double crystals, int kappa,
                              double *index);

/* A component's orientation: Bunge angles [3], rad. Not of a fibre. */
void sw_texture_component_euler(const sw_texture_component *component, double euler[3]);

/* Of a fibre the sample directions, which its family's sample symmetry (below) makes equivalent, and the unit directions of the
 * crystal, one of each pair v, -v, that may be along any of them. Both counts are 0 for an orientation. */
typedef struct {
    int n_along, n_directions;
    double along[4][3], direction[SW_POINT_GROUP_ORDER][3];
} sw_texture_fibre;
void sw_texture_component_fibre(const sw_point_group *group, const sw_texture_component *component,
                                sw_texture_fibre *fibre);

/* The orientations that are the same component by its family's sample symmetry (below), each once: euler
 * [4][3] out (Bunge, rad). Returns how many, 1 .. 4; 0 of a fibre. */
int sw_texture_component_variants(const sw_point_group *group, const sw_texture_component *component,
                                  double euler[4][3]);

/* Volume fraction of crystals, by weight, within `tolerance` (rad) of each component, under the crystal's
 * symmetry and the family's sample symmetry (rolling and shear pairs: orthorhombic; shear: none, because the half turn
 * of simple shear swaps A with A-bar and B with B-bar, which the names tell apart). Of a fibre: whose nearest equivalent
 * of its direction is within `tolerance` of one of its sample directions.
 * fraction [components] out. SW_ERR_RANGE for no crystal, a bad weight, or unless 0 < tolerance <= 45 degrees, up
 * to which no crystal is near two equivalents of one variant. */
sw_status sw_component_fractions(const sw_lattice *lattice, int64_t n_crystals, const double (*euler)[3],
                                 const double *weight, double tolerance, double *fraction);

/* The same of a random texture: V O (w - sin w) / pi for w = tolerance, V variants and a group of O, less what they
 * overlap (by quadrature, to 2e-3 of it: 1.5e-3 at most against 24 times the points); of a fibre by quadrature, likewise.
 * fraction [components] out. */
sw_status sw_component_fractions_random(const sw_lattice *lattice, double tolerance, double *fraction);

#endif
