/* Height of the rim of a drawn cup, from the plasticity of its sheet: docs/theory.md, "Earing".
 *
 * A sector of the blank at an angle is drawn in by itself, between tension along its radius and compression around. An
 * element at radius R that moves in by dR gets the hoop strain dR / R, and is longer along the radius by rho as much, so
 * that the rim's way of dR pushes out of the flange, at the cup's radius R_c,
 *
 *     dh = g(R / R_c) dR,      g(x) = exp( int_1^x rho(s) ds / s ),
 *
 * where rho depends on how far inside the rim an element is, s = rim's radius over its own. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_EARING_H
#define SW_ONLINE_FORMING_FUNCTIONS_EARING_H

#include "common/system/status.h"
#include "sheet.h"
#include "common/yield/yield_function.h"

typedef struct {
    double blank_radius, cup_radius; /* m; the cup's of the middle of its wall; blank_radius > cup_radius */
    double corner_radius;            /* m, of the middle between wall and bottom; 0: sharp */
} sw_cup;

/* q = r / (1 + r) against the angle to the rolling direction, of an orthotropic sheet. Between given angles cubic and
 * monotonic (Fritsch and Carlson 1980), level at 0 and 90 degrees: no ear that is not in the data. */
typedef struct {
    int n;
    double *angle, *q, *slope; /* [n], rad from 0 to pi / 2, ascending */
} sw_width_strain;

/* From the tensions whose r is known, at any angles, which symmetry brings to 0 .. 90 degrees; of those at one angle then
 * the mean q. SW_ERR_RANGE unless they reach from 0 to 90 degrees; SW_ERR_MEMORY. Release with sw_width_strain_free. */
sw_status sw_width_strain_of(const sw_sheet *sheet, sw_width_strain *w);
void sw_width_strain_free(sw_width_strain *w);
double sw_width_strain_at(const sw_width_strain *w, double angle);

/* Height of the wall, outside the corner's share, where all of the flange is in hoop compression as its rim is: rho = q.
 * The integral is R_c ((R_b / R_c)^(1 + q) - 1) / (1 + q). q: of tension across the radius, 90 degrees from it. */
double sw_cup_wall(const sw_cup *cup, double q);

/* The same of a sector at an angle whose radial and hoop stress follow from equilibrium, d sigma_r / d ln R = sigma_h -
 * sigma_r, from sigma_r = 0 at the rim on, on the yield surface; rho by normality. Shear between sectors, thickness
 * changes and friction are left out. SW_ERR_RANGE where the drawing ratio asks for more than the sheet bears. */
sw_status sw_cup_wall_of_surface(const sw_cup *cup, const sw_yield *surface, double angle, double *height);

/* Height of the cup from its bottom's middle plane: the wall and what the corner adds to it, which is bent without
 * stretching. */
double sw_cup_height(const sw_cup *cup, double wall);

/* What a rim is called by. An ear is a maximum between two troughs that are lower by more than `least` of the mean
 * height. */
typedef struct {
    int ears;
    double mean, peak, trough; /* m: of all heights, of all ears, of all troughs */
    double percent;            /* mean ear over mean trough, less 1, in per cent */
} sw_ears;
/* height [n] around the cup. */
sw_ears sw_ears_of(int n, const double *height, double least);

#endif
