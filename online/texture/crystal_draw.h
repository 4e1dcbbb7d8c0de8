/* Crystals of equal weight, drawn: from crystals of any weights, or about ideal orientations and fibres. What number k
 * is depends on what is drawn from, on how many there are, and on the seed alone. Dimensions: N crystals drawn, M drawn
 * from.
 *
 * Where crystals scatter they do so by de la Vallee Poussin's kernel (texture.h), whose density falls to one half at
 * the half width; angle and axis come from a sequence that fills the cube of three numbers evenly (Roberts 2018: the
 * multiples of powers of 1 / 1.2207), which leaves less noise than random ones. */
#ifndef SW_ONLINE_TEXTURE_CRYSTAL_DRAW_H
#define SW_ONLINE_TEXTURE_CRYSTAL_DRAW_H

#include "common/crystal/lattice.h"
#include "crystal_file.h"

/* ---- From crystals ---- */

/* Each of M crystals is taken N w / sum w times, rounded up or down: systematic sampling, one random number for all.
 * Scattered by halfwidth (rad; 0: as they are); those of an ODF, list->cell, over their cells. *drawn: released with
 * sw_crystal_list_free. SW_ERR_MEMORY; SW_ERR_INTERRUPTED. */
sw_status sw_crystals_resample(const sw_crystal_list *list, int64_t n_crystals, double halfwidth,
                               int64_t seed, sw_crystal_list *drawn);

/* By how much the ODF of what was drawn differs from that of what it was drawn from, by its scatter; in multiples of a
 * random texture, both with a kernel of 7.5 degrees' half width, at 2048 random orientations. */
typedef struct {
    double difference; /* root of mean square */
    double texture;    /* that of the texture itself less a random one: what difference compares with */
    double index[2];   /* mean squares: of what it was drawn from, of what was drawn */
} sw_representation;
sw_status sw_crystals_compare(const sw_point_group *group, const sw_crystal_list *list, double halfwidth,
                              const sw_crystal_list *drawn, sw_representation *representation);

/* ---- About ideal orientations ---- */

/* One of, in a job: */
typedef struct {
    const char *
        name; /* an ideal orientation or fibre: of cubic crystals crystal_ideals.c's, of others their lattice's */
    double *plane;     /* [3] hkl, of hexagonal crystals [4] hkil, along sample axis 3, */
    double *direction; /* [3] with uvw, [4] uvtw, along sample axis 1 */
    double *angles;    /* [3] Bunge, degrees */
    double *fibre;     /* [3], [4] crystal direction uvw, uvtw, along */
    double *along;     /* [3] sample direction */
    int plane_count, direction_count, angles_count, fibre_count, along_count;
    double fraction;  /* of the crystals */
    double halfwidth; /* degrees */
    int symmetry; /* of the sample, of sw_ideal_symmetries; 0, usual: none of shear components, else orthorhombic */
} sw_ideal;

extern const char *const sw_ideal_symmetries[4]; /* "usual", "orthorhombic", "monoclinic", "none" */

/* SW_ERR_INPUT for an unknown name, none or two of the ways to say an orientation, a plane and a direction that are
 * not normal to each other, vectors that are 0, indices that are not as many as the lattice's; lattice: NULL where it is not
 * known yet. */
sw_status sw_ideal_check(const sw_lattice *lattice, const sw_ideal *ideal);

/* N crystals: of each ideal its fraction, on its fibre evenly, on its sample's equivalents in turn; the rest at random.
 * b_over_a: of lattices with three axes. euler [N][3] out, rad. As above. */
sw_status sw_crystals_about_ideals(const sw_lattice *lattice, double b_over_a, double c_over_a, int n_ideals,
                                   const sw_ideal *ideal, int64_t n_crystals, int64_t seed,
                                   double (*euler)[3]);

#endif
