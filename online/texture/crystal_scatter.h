/* Scatter about orientations by de la Vallee Poussin's kernel, from numbers that fill a cube evenly (crystal_draw.h).
 * Private to crystal_draw.c and crystal_ideals.c. */
#ifndef SW_ONLINE_TEXTURE_CRYSTAL_SCATTER_H
#define SW_ONLINE_TEXTURE_CRYSTAL_SCATTER_H

#include <stdint.h>

enum { SW_SCATTER_STEPS = 2048 };

typedef struct {
    double largest;                    /* angle in the table, rad; 0: no scatter */
    double part[SW_SCATTER_STEPS + 1]; /* of the kernel within angle i largest / STEPS */
    double shift[4];                   /* of the seed and the stream, 0 .. 1 */
} sw_scatter;

/* halfwidth: rad; 0: none. stream: one of many of a seed, each with numbers of its own. */
void sw_scatter_begin(sw_scatter *scatter, double halfwidth, int64_t seed, int64_t stream);

/* Numbers k of the sequence, k >= 0: u [4], 0 .. 1. */
void sw_scatter_numbers(const sw_scatter *scatter, int64_t k, double u[4]);

/* An orientation turned by an angle of the kernel about an axis, both by u [3]. euler may be centre. */
void sw_scatter_about(const sw_scatter *scatter, const double centre[3], const double u[4], double euler[3]);

#endif
