/* Many runs from the sheet as it is, each under a condition that does not change, to a plastic work that is the same in
 * all: yield stresses, r-values and points of a yield surface are what is found there. */
#ifndef SW_ONLINE_FORMING_CONTOUR_H
#define SW_ONLINE_FORMING_CONTOUR_H

#include "forming.h"

/* A run where its plastic work is the contour's, between two of its steps. Plastic strains are without the elastic ones
 * that a mean stress has by the moduli of a random polycrystal. Components 11 22 33 23 13 12, of tensors. */
typedef struct {
    double work;           /* plastic, Pa (J/m^3) */
    double stress[6];      /* deviator, Pa */
    double strain_rate[6]; /* plastic, 1/s */
    double strain[6];      /* plastic, so far */
} sw_contour_point;

/* A run from its first step on, step by step; the last one is where the contour is. */
typedef struct {
    int64_t n, room;
    sw_contour_point *point; /* [n] */
} sw_contour_line;

/* condition [n]. rate: of the order of the norm of their strain rates, 1/s; work: the contour's, Pa; strain: of the order of
 * the norm of plastic strains there, which steps are chosen by. point [n]: caller's; line [n]: zeroed, or NULL, released with
 * sw_contour_lines_free after a failure, too. SW_ERR_CONVERGENCE names a run whose condition is not met, or tells how many
 * do not get there. */
sw_status sw_contour(sw_forming *forming, int64_t n, const sw_condition *condition, double rate, double work,
                     double strain, sw_contour_point *point, sw_contour_line *line);
void sw_contour_lines_free(int64_t n, sw_contour_line *line);

/* Tension along the rolling direction to a plastic strain; where it goes further than the sheet's curve, that is this one. */
sw_status sw_contour_tension(sw_forming *forming, double strain, sw_contour_point *point);

/* The sheet's curve as dataset `curve` [n][2] of a group; and read again, released with free(). */
sw_status sw_sheet_curve_write(const sw_sheet_curve *curve, hid_t group);
sw_status sw_sheet_curve_read(hid_t group, sw_sheet_curve *curve);

#endif
