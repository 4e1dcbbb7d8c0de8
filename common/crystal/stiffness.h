/* A crystal's elasticity, whatever its lattice, along the crystal's axes. */
#ifndef SW_COMMON_CRYSTAL_STIFFNESS_H
#define SW_COMMON_CRYSTAL_STIFFNESS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Elastic constants as a material file gives them, by their indices in Voigt's order, Pa; those that a lattice has not: NaN. */
typedef struct {
    double c11, c12, c44, c13, c33, c66, c22, c23, c55;
} sw_elasticity;

typedef struct {
    /* Stiffness, Pa, and compliance, 1/Pa, of components 11 22 33 23 13 12, shears of strain doubled. */
    double c6[6][6], s6[6][6];
    /* The same of deviators as vectors of five (yield_vertices.h), with the trace t of the strain: stress c5 e + t to_pressure,
     * of mean bulk t + to_pressure . e. */
    double c5[5][5], to_pressure[5], bulk;
    double voigt,
        reuss; /* shear moduli of a random polycrystal whose crystals are strained, or stressed, alike */
} sw_stiffness;

/* Of C11, C12, C44. */
void sw_stiffness_cubic(const sw_elasticity *given, sw_stiffness *stiffness);
/* Of any c [6][6], symmetric. */
void sw_stiffness_of_matrix(const double c[6][6], sw_stiffness *stiffness);
/* The mean stress as a deviator s and the trace t of the strain make it: the modulus returned, Pa, times t, and by_stress . s. */
double sw_stiffness_relaxed_bulk(const sw_stiffness *stiffness, double by_stress[5]);
/* Whether it resists every strain. */
int sw_stiffness_is_positive(const sw_stiffness *stiffness);

#ifdef __cplusplus
}
#endif
#endif
