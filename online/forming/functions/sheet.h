/* What is known of a sheet's plastic anisotropy, measured or computed: tensions along directions in its plane, the
 * balanced biaxial point, points of its yield surface. Axes: 1 rolling, 2 transverse, 3 normal direction. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_SHEET_H
#define SW_ONLINE_FORMING_FUNCTIONS_SHEET_H

#include <stdint.h>

/* Uniaxial tension, at a plastic work that is the same in all. */
typedef struct {
    double angle;  /* from the rolling direction, rad */
    double stress; /* Pa; NaN: not known */
    double
        r; /* plastic strain rate across, in the plane, over that through the thickness; 0 .. infinity; NaN: not known */
} sw_sheet_tension;

/* Of the yield surface, at that plastic work. Components 11 22 33 23 13 12. */
typedef struct {
    double stress[6];      /* Pa; its pressure does not matter */
    double strain_rate[6]; /* the plastic one's direction, of norm 1: normal to the surface; 0: not known */
} sw_sheet_point;

/* Hardening in tension along the rolling direction: a row is plastic strain and stress (Pa), both true. */
typedef struct {
    int64_t n;
    double (*row)[2]; /* [n] */
} sw_sheet_curve;

typedef struct {
    int n_tensions, n_points;
    sw_sheet_tension *tension; /* [n_tensions] */
    double biaxial_stress;     /* Pa; 0: not known */
    double biaxial_r;          /* D22 / D11 there; NaN: not known */
    sw_sheet_point *point;     /* [n_points] */
    sw_sheet_curve curve;      /* as it was computed, from the elastic range on; n = 0: not known */
} sw_sheet;

#endif
