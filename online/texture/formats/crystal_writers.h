/* Crystal files as they are written: a function a format. Private to crystal_file.c. Dimension: N crystals. */
#ifndef SW_ONLINE_TEXTURE_FORMATS_CRYSTAL_WRITERS_H
#define SW_ONLINE_TEXTURE_FORMATS_CRYSTAL_WRITERS_H

#include <stdint.h>
#include <stdio.h>

#include "common/crystal/lattice.h"

typedef struct {
    FILE *file;
    int64_t count;
    const double (*euler)[3]; /* [N], rad, of any size */
    double phi2;              /* rad, to be added: from the crystal's axes to the format's */
    const float *weight;      /* [N]; NULL: all alike */
    const char *material;     /* letters, digits, '-' and '_' */
    const sw_lattice *lattice;
    int is_said;     /* that it is of this lattice, which else stands for one that is not known */
    double c_over_a; /* > 0 where a format says it; 1 of cubic crystals */
} sw_crystal_writing;

/* Angles of the same rotation in the ranges of rotation.h, 0 <= phi1, phi2 < 2 pi, 0 <= Phi <= pi. */
void sw_crystal_wrap(const double given[3], double angle[3]);

/* Angles are written so. */
void sw_crystal_write_ori(const sw_crystal_writing *w);
void sw_crystal_write_tex(const sw_crystal_writing *w);
void sw_crystal_write_table(const sw_crystal_writing *w);
void sw_crystal_write_ang(const sw_crystal_writing *w);
void sw_crystal_write_ctf(const sw_crystal_writing *w);
void sw_crystal_write_damask(const sw_crystal_writing *w);

#endif
