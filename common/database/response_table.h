/* The folded series on a grid of orientations, reduced by symmetry (table_lookup.h): on the host. */
#ifndef SW_COMMON_DATABASE_RESPONSE_TABLE_H
#define SW_COMMON_DATABASE_RESPONSE_TABLE_H

#include "common/math/lanes_width.h"
#include "fold.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Points of a full turn of each Euler angle. */
typedef struct {
    int64_t turn[3]; /* at least the database's, multiples of 4, the last of `fold` */
    int fold;        /* of the crystal's axis 3 */
    /* [turn[0]/4 + 1][turn[1]/4 + 1][turn[2]/fold][16]: nine outputs or thirteen, padded to a cache line */
    float (*value)[16];
    float *field; /* work space of the transform; NULL: it has none */
    void *plan;
} sw_response_table;

/* The lengths of a table with `refinement` >= 1 times the points of the database's grid. */
void sw_response_table_lengths(const sw_database *database, int64_t refinement, int64_t turn[3]);

/* Room for `value` of these lengths. SW_ERR_MEMORY; SW_ERR_RANGE for more than 2^23 entries, which names the refinement. */
sw_status sw_response_table_make(const int64_t turn[3], int fold, int64_t refinement,
                                 sw_response_table *table);
/* The same, and a transform plan, for a database's lengths. */
sw_status sw_response_table_create(const sw_database *database, int64_t refinement, sw_response_table *table);
void sw_response_table_destroy(sw_response_table *table);

/* Fill the table from a folded series. */
void sw_response_table_fill(sw_response_table *table, const sw_fold *fold);

/* Give the transform's plan and work space back: the table keeps its values, and cannot be filled again. */
void sw_response_table_trim(sw_response_table *table);

/* Linear interpolation (`linear` != 0) or the nearest entry for a bundle of crystals: orientation [4][B], a unit
 * quaternion in the principal frame -> output [outputs][B], 9 or 13. B: floats in a SIMD register. */
enum { SW_BUNDLE = SW_REGISTER_FLOATS };
void sw_response_table_lookup(const sw_response_table *table, int linear, int outputs,
                              const float orientation[4][SW_BUNDLE], float (*output)[SW_BUNDLE]);
/* The same, of nine, in a table for each crystal, all of the same lengths. */
void sw_response_table_lookup_each(const sw_response_table *const table[SW_BUNDLE], int linear,
                                   const float orientation[4][SW_BUNDLE],
                                   float output[SW_OUTPUTS][SW_BUNDLE]);

/* How answers change, per rad: with theta, and as the principal frame turns about its axes 1, 2, 3, seen from a frame that stays; of each
 * the stress, outputs 0 to 4, as a vector of five (common/math/deviator.h), and the slip rate, output 8. */
enum { SW_SLOPES = 4, SW_SLOPED = 6 };
/* Linear interpolation in tables of theta that may have an axis [B] each (table_turn.h), and how that changes as the frame turns:
 * slope [3][6][B], NULL: not wanted. orientation [4][B]: quaternion in the principal frame. */
void sw_response_table_turned(const sw_response_table *const table[SW_BUNDLE], const int axis[SW_BUNDLE],
                              const float orientation[4][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE],
                              float (*slope)[SW_SLOPED][SW_BUNDLE]);

#ifdef __cplusplus
}
#endif

#endif
