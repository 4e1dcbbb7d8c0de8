/* An alloy as the precipitation model sees it: solutes in a matrix, and the phases they can form.
 *
 * Concentrations are atoms of a solute per matrix atomic volume: in a dilute matrix its mole fraction, in a
 * precipitate (count / atoms of matrix that fit into its formula unit). With them and volume fractions the
 * balance c0 = (1 - f) c + sum f_p c_p holds for any pair of molar volumes. SI units. */
#ifndef SW_ONLINE_KWN_MODEL_ALLOY_H
#define SW_ONLINE_KWN_MODEL_ALLOY_H

#include "common/system/status.h"
#include "slipwave/kwn.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SW_KWN_TABLE = 32 }; /* entries of a solvus, at most */

#define SW_GAS_CONSTANT 8.31446261815324   /* J/(mol K), SI 2019 */
#define SW_BOLTZMANN_CONSTANT 1.380649e-23 /* J/K, SI 2019 */
#define SW_AVOGADRO_CONSTANT 6.02214076e23 /* 1/mol, SI 2019 */

/* Where nuclei form; the site's dimension d gives N0 = (atoms per volume)^(d/3) times its amount per volume.
 */
typedef enum {
    SW_SITES_HOMOGENEOUS,
    SW_SITES_DISLOCATIONS,
    SW_SITES_GRAIN_BOUNDARIES,
    SW_SITES
} sw_kwn_sites;

/* Laws of nucleation: name, text of alloy files, what the law's function in nucleation.h is called by, the keys of
 * `nucleation` that it needs and those that it takes, what it is. */
#define SW_KWN_NUCLEATION_LIST(X)                                                                            \
    X(SW_NUCLEATION_NONE, "none", none, "", "", "J = 0")                                                     \
    X(SW_NUCLEATION_CLASSICAL, "classical", classical, "sites",                                              \
      "dislocation_density grain_size barrier_factor incubation nucleus_multiple",                           \
      "J = N0 Z beta* exp(-dG* / kT) exp(-1 / theta)")                                                       \
    X(SW_NUCLEATION_ARRHENIUS, "arrhenius", arrhenius, "rate barrier activation_energy", "nucleus_multiple", \
      "J = rate exp(-(barrier / RT)^3 / ln(c / ce)^2) exp(-Q / RT): Myhr and Grong 2000")

typedef enum {
#define SW_KWN_NUCLEATION_ENUM(name, ...) name,
    SW_KWN_NUCLEATION_LIST(SW_KWN_NUCLEATION_ENUM)
#undef SW_KWN_NUCLEATION_ENUM
        SW_NUCLEATIONS
} sw_kwn_nucleation_law;

/* The incubation time tau; theta is the integral of dt / tau since there was a driving force, t / tau at
 * rest. */
typedef enum {
    SW_INCUBATION_NONE,            /* steady state at once */
    SW_INCUBATION_KAMPMANN_WAGNER, /* tau = 2 / (pi Z^2 beta*) */
    SW_INCUBATION_RUSSELL,         /* tau = 1 / (2 Z^2 beta*) */
    SW_INCUBATIONS
} sw_kwn_incubation;

typedef struct {
    char element[8];
    double prefactor, activation_energy; /* of diffusion in the matrix, m^2/s and J/mol; > 0, >= 0 */
    double concentration;                /* of the alloy; [0, 0.5] */
    double unit;                         /* concentrations above per unit of the alloy file: 1 or from wt% */
} sw_kwn_solute;

/* K(T) of prod c_i^exponent = K exp(2 gamma Vm / (r R T)) at the surface of a particle of radius r. */
typedef struct {
    double exponent[SW_KWN_SOLUTES]; /* >= 0; > 0 for the growth-limiting solute */
    double prefactor, enthalpy;      /* K = prefactor exp(-enthalpy / RT), J/mol; unless there is a table */
    int n_table; /* 0, or entries of the table: ln K is linear in 1/T between, constant outside */
    double inverse_temperature[SW_KWN_TABLE]; /* 1/K, descending */
    double log_product[SW_KWN_TABLE];
} sw_kwn_solvus;

typedef struct {
    sw_kwn_nucleation_law law;
    sw_kwn_sites sites;
    sw_kwn_incubation incubation;
    double site_density;      /* N0, 1/m^3 */
    double barrier_factor;    /* on dG*; (0, 1] */
    double nucleus_multiple;  /* nuclei have this many critical radii, or the next class above r*'s; >= 1 */
    double rate;              /* ARRHENIUS: 1/(m^3 s) */
    double barrier;           /* ARRHENIUS: J/mol */
    double activation_energy; /* ARRHENIUS: J/mol */
} sw_kwn_nucleation;

typedef struct {
    char name[32];
    double concentration[SW_KWN_SOLUTES]; /* c_p: solute atoms per matrix atomic volume */
    double molar_volume;                  /* of the formula unit that the solvus' exponents count, m^3/mol */
    double atomic_volume;                 /* m^3 */
    double interfacial_energy;            /* J/m^2 */
    int all_solutes;     /* growth by the diffusion of all solutes of the product; else by one alone */
    int limiting_solute; /* that one; of all the one that there is least of, for what the phase takes */
    sw_kwn_solvus solvus;
    sw_kwn_nucleation nucleation;
    double shearable_radius; /* m; smaller particles are sheared, larger ones bypassed */
} sw_kwn_phase;

/* Strength: strength.c. */
typedef struct {
    double lattice_resistance; /* Pa, in tension */
    double taylor_factor;
    double shear_modulus, burgers_vector;  /* Pa, m */
    double line_tension_factor;            /* beta: a dislocation is pinned by up to 2 beta G b^2 */
    double solid_solution[SW_KWN_SOLUTES]; /* Pa per concentration^exponent */
    double solid_solution_exponent;
    double particle_sum_exponent;              /* phases add as (sum sigma^n)^(1/n) */
    double hardness_slope, hardness_intercept; /* HV per Pa, HV */
} sw_kwn_strength;

struct sw_kwn_alloy {
    char name[64];
    double atomic_volume, lattice_parameter; /* of the matrix, m^3, m */
    int n_solutes, n_phases;
    sw_kwn_solute solute[SW_KWN_SOLUTES];
    sw_kwn_phase phase[SW_KWN_PHASES];
    sw_kwn_strength strength; /* zeroes when the file has none: strength is then zero */
};

#ifdef __cplusplus
}
#endif

#endif
