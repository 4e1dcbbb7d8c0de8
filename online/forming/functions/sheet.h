/* What is known of a sheet's plasticity at one strain: what tasks of forming measure on crystals, and what yield
 * functions are fitted to. Sheet axes: 1 rolling direction, 2 transverse direction, 3 normal. */
#ifndef SW_ONLINE_FORMING_FUNCTIONS_SHEET_H
#define SW_ONLINE_FORMING_FUNCTIONS_SHEET_H

/* Uniaxial tension in the sheet. */
typedef struct {
    double angle;  /* rad, of the tensile direction from axis 1 towards axis 2 */
    double stress; /* Pa, flow stress at equal plastic work; NaN: not known */
    double r;      /* width strain rate over thickness strain rate; may be infinite; NaN: not known */
} sw_sheet_tension;

/* A point of the yield surface. */
typedef struct {
    double stress[6];      /* 11 22 33 23 13 12, Pa, plane stress or deviator */
    double strain_rate[6]; /* direction of plastic flow, normalised; 0: not known */
} sw_sheet_point;

typedef struct {
    int n_tensions;
    sw_sheet_tension *tension;
    double biaxial_stress; /* Pa, of sigma11 = sigma22; 0 or NaN: not known */
    double biaxial_r;      /* D22 / D11 then; NaN: not known */
    int n_points;
    sw_sheet_point *point;
} sw_sheet;

#endif
