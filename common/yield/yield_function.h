/* Yield functions of sheets. One is a header with its formula and a row of the table in yield_function.c.
 *
 * phi(stress) is homogeneous of degree 1, does not depend on pressure, and is the equivalent stress: a material yields
 * where it is the flow stress along the rolling direction, or what else the reference is. Stresses are 11 22 33 23 13 12. */
#ifndef SW_COMMON_YIELD_YIELD_FUNCTION_H
#define SW_COMMON_YIELD_YIELD_FUNCTION_H

#include <stddef.h>

typedef struct {
    const char *name, *title; /* in job files; to people */
    int coefficients;
    const char *const *coefficient; /* [coefficients] names */
    const double *isotropic;        /* [coefficients] */
    unsigned even[2]; /* bit i: of coefficient i; those of a set may change their signs together; 0: none */
    int has_exponent;
    int plane_stress; /* holds for stresses without 23 and 13 only */
    /* phi; gradient: D_ij = d phi / d sigma_ij of the nine components, D12 so half of what the stored component
     * changes; or NULL */
    double (*value)(const double *coefficient, double exponent, const double stress[6], double gradient[6]);
    /* Second derivatives by stored components, of a stress that is not zero; NULL: there are none. */
    void (*curvature)(const double *coefficient, double exponent, const double stress[6], double h[6][6]);
    int (*is_convex)(const double *coefficient); /* NULL: always */
} sw_yield_function;

enum { SW_YIELD_HILL48, SW_YIELD_YLD2000_2D, SW_YIELD_YLD2004_18P, SW_YIELD_FUNCTIONS };
enum { SW_YIELD_COEFFICIENTS = 18 }; /* at most */
extern const sw_yield_function sw_yield_functions[SW_YIELD_FUNCTIONS];
extern const char *const sw_yield_function_names[SW_YIELD_FUNCTIONS];

/* A function with its numbers. */
typedef struct {
    const sw_yield_function *function;
    double coefficient[SW_YIELD_COEFFICIENTS];
    double exponent;
    double reference;      /* Pa: phi at yield */
    unsigned undetermined; /* bit i: no data spoke of coefficient i, which is isotropic */
} sw_yield;

/* One that is isotropic. */
sw_yield sw_yield_isotropic(int function, double exponent, double reference);

double sw_yield_value(const sw_yield *surface, const double stress[6], double gradient[6]);
int sw_yield_is_convex(const sw_yield *surface);

/* Uniaxial stress of size 1 at an angle (rad) from axis 1 towards axis 2. */
void sw_uniaxial_stress(double angle, double stress[6]);

/* In uniaxial tension at an angle: yield stress (Pa), and q = r / (1 + r), the width's contraction over the length's
 * extension, which is finite where r is not. Either may be NULL. */
void sw_yield_uniaxial(const sw_yield *surface, double angle, double *stress, double *q);
/* Where sigma11 = sigma22: stress (Pa), and q = D22 / (D11 + D22) = r_b / (1 + r_b). */
void sw_yield_biaxial(const sw_yield *surface, double *stress, double *q);

/* r of q, which is infinite at q = 1, and q of r. */
double sw_r_of_q(double q);
double sw_q_of_r(double r);

#endif
