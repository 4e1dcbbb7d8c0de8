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

enum { SW_KWN_TABLE = 32 };            /* entries of a solvus, at most */
enum { SW_KWN_CHEMISTRY = 96 * 1024 }; /* numbers of all tables of chemistry, at most */

#define SW_GAS_CONSTANT 8.31446261815324   /* J/(mol K), SI 2019 */
#define SW_BOLTZMANN_CONSTANT 1.380649e-23 /* J/K, SI 2019 */
#define SW_AVOGADRO_CONSTANT 6.02214076e23 /* 1/mol, SI 2019 */

/* Energy of a sphere's interface, neighbours a apart, over that of a flat one, p = a / r: 1 - A p + B p^2 ln(1 / (C p)).
 * Sonderegger and Kozeschnik, Scripta Mater. 60 (2009) 635, as MatCalc has it (TechPaper 2014001): 1 - 1.353e-10 / r + 2.768e-21 / r^2
 * (ln r + 23.322), which is this with a = 0.24805 nm. */
#define SW_KWN_SOFTER_A (6.0 / 11)
#define SW_KWN_SOFTER_B 0.045
#define SW_KWN_SOFTER_C 0.3

/* Where nuclei form: name, text of alloy files, the key of `nucleation` that says how much there is of it, dimension d of the site,
 * N0 = factor n^(d/3) value^power, n atoms per volume. Grains are tetrakaidecahedra of edge a: of a cell's 36 edges a
 * third is its own, of its 24 corners a quarter, of its 14 faces half; grain_size is their mean intercept L. */
#define SW_KWN_SITES_LIST(X)                                                                               \
    X(SW_SITES_HOMOGENEOUS, "homogeneous", "", 3, 1, 0)                                                    \
    X(SW_SITES_DISLOCATIONS, "dislocations", "dislocation_density", 1, 1, 1)                               \
    X(SW_SITES_GRAIN_BOUNDARIES, "grain_boundaries", "grain_size", 2, 2, -1)                               \
    X(SW_SITES_GRAIN_EDGES, "grain_edges", "grain_size", 1,                                                \
      12 / SW_KWN_CELL * SW_KWN_EDGE_PER_INTERCEPT * SW_KWN_EDGE_PER_INTERCEPT, -2)                        \
    X(SW_SITES_GRAIN_CORNERS, "grain_corners", "grain_size", 0,                                            \
      6 / SW_KWN_CELL * SW_KWN_EDGE_PER_INTERCEPT * SW_KWN_EDGE_PER_INTERCEPT * SW_KWN_EDGE_PER_INTERCEPT, \
      -3)                                                                                                  \
    X(SW_SITES_GIVEN, "given", "site_density", 0, 1, 1)                                                    \
    X(SW_SITES_SOLUTE, "solute", "site_solute", 3, 1, 1)

#define SW_KWN_CELL 11.313708498984761 /* 8 sqrt(2): volume over a^3 */
#define SW_KWN_EDGE_PER_INTERCEPT \
    1.6895834779118843 /* L / a: twice the volume over the area that is a cell's own, (3 + 6 sqrt(3)) a^2 */

typedef enum {
#define SW_KWN_SITES_ENUM(name, ...) name,
    SW_KWN_SITES_LIST(SW_KWN_SITES_ENUM)
#undef SW_KWN_SITES_ENUM
        SW_SITES
} sw_kwn_sites;

/* How fast atoms join a nucleus, beta* = 4 pi r*^2 / a^4 times this: */
typedef enum {
    SW_ATTACHMENT_SLOWEST, /* D c of the solute that arrives slowest, or of the limiting one: Jensen et al. 2016 */
    SW_ATTACHMENT_BALANCE, /* 1 / sum of (c_p - c)^2 / (D c): Svoboda, Fischer, Fratzl and Kozeschnik 2004 */
    SW_ATTACHMENT_DIFFUSION, /* 4 pi r* D c / v_a of the matrix: what a sphere's steady field of diffusion brings */
    SW_ATTACHMENTS
} sw_kwn_attachment;

/* The radius that nuclei have. */
typedef enum {
    SW_NUCLEUS_MULTIPLE, /* nucleus_multiple times r* */
    SW_NUCLEUS_THERMAL,  /* r* + sqrt(kT / (pi S gamma)) / 2: where the barrier is lower by kT */
    SW_NUCLEI
} sw_kwn_nucleus;

/* Laws of nucleation: name, text of alloy files, what the law's function in nucleation.h is called by, the keys of
 * `nucleation` that it needs and those that it takes, what it is. */
#define SW_KWN_NUCLEATION_LIST(X)                                                                            \
    X(SW_NUCLEATION_NONE, "none", none, "", "", "J = 0")                                                     \
    X(SW_NUCLEATION_CLASSICAL, "classical", classical, "sites",                                              \
      "dislocation_density grain_size site_density site_solute contact_angle barrier_factor incubation "     \
      "incubation_factor attachment zeldovich "                                                              \
      "nucleus "                                                                                             \
      "nucleus_multiple",                                                                                    \
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
    SW_INCUBATION_FACTOR,          /* tau = 1 / (incubation_factor Z^2 beta*) */
    SW_INCUBATIONS
} sw_kwn_incubation;

typedef struct {
    char element[8];
    double prefactor, activation_energy; /* of diffusion in the matrix, m^2/s and J/mol; > 0, >= 0 */
    double concentration;                /* of the alloy; [0, 0.5], [0, 1) if all phases have tables */
    double
        unit; /* of products and strength, concentrations per unit of the alloy file: 1, or a dilute matrix's per wt% */
} sw_kwn_solute;

/* K(T) of prod c_i^exponent = K exp(2 gamma Vm / (r R T)) at the surface of a particle of radius r. */
typedef struct {
    double exponent[SW_KWN_SOLUTES]; /* >= 0; > 0 for the growth-limiting solute */
    double prefactor, enthalpy;      /* K = prefactor exp(-enthalpy / RT), J/mol; unless there is a table */
    int n_table; /* 0, or entries of the table: ln K is linear in 1/T between, constant outside */
    double inverse_temperature[SW_KWN_TABLE]; /* 1/K, descending */
    double log_product[SW_KWN_TABLE];
} sw_kwn_solvus;

/* What a thermodynamic database says of a phase, in place of solubility product and diffusivities: a table, linear in 1/T and
 * the logarithms of the concentrations, and of each node as many numbers as there are of these: chemistry.h. */
typedef enum {
    SW_CHEMISTRY_DRIVING,    /* of an atom of the phase from the matrix, over RT */
    SW_CHEMISTRY_RESISTANCE, /* ln of dx' (D dx/dmu)^-1 dx, s/m^2 */
    SW_CHEMISTRY_BREADTH,    /* of driving, over which growth saturates */
    SW_CHEMISTRY_VALUES
} sw_kwn_chemistry_value;
typedef struct {
    int on;
    int32_t at; /* of the alloy's numbers, the first */
    int32_t
        count[1 + SW_KWN_SOLUTES]; /* nodes of 1/T, and of ln c of each solute; >= 2; the last runs fastest */
    double first[1 + SW_KWN_SOLUTES], per_step[1 + SW_KWN_SOLUTES]; /* of node 0; nodes per unit */
} sw_kwn_chemistry;

typedef struct {
    sw_kwn_nucleation_law law;
    sw_kwn_sites sites;
    sw_kwn_incubation incubation;
    sw_kwn_attachment attachment;
    sw_kwn_nucleus nucleus;
    double site_density;      /* N0, 1/m^3 */
    double zeldovich;         /* Z; 0: by the curvature of the barrier at r* */
    double incubation_factor; /* FACTOR */
    double barrier_factor;    /* on dG*; (0, 1] */
    double nucleus_multiple;  /* nuclei have this many critical radii, or the next class above r*'s; >= 1 */
    double rate;              /* ARRHENIUS: 1/(m^3 s) */
    double barrier;           /* ARRHENIUS: J/mol */
    double activation_energy; /* ARRHENIUS: J/mol */
} sw_kwn_nucleation;

/* Concentration at the surface of a particle. */
typedef enum {
    SW_GIBBS_THOMSON_DILUTE, /* the solutes' product is K exp(alpha / r) */
    SW_GIBBS_THOMSON_PEREZ, /* of one solute: c_e exp((1 - x_e) / (x_p - x_e) 2 gamma v / rkT), v of an atom: Perez 2005 */
    SW_GIBBS_THOMSONS
} sw_kwn_gibbs_thomson;

typedef struct {
    char name[32];
    double concentration[SW_KWN_SOLUTES]; /* c_p: solute atoms per matrix atomic volume */
    double molar_volume;                  /* of the formula unit that the solvus' exponents count, m^3/mol */
    double atomic_volume;                 /* m^3 */
    double
        interfacial_energy; /* J/m^2; of spheroids times their area over that of the sphere of their volume */
    double flux_excess;     /* of spheroids: capacity over that sphere's radius, less 1 */
    double misfit_energy;   /* elastic, of a coherent particle, J per m^3 of it */
    int all_solutes;        /* growth by the diffusion of all solutes of the product; else by one alone */
    int limiting_solute;    /* that one; of all the one that there is least of, for what the phase takes */
    sw_kwn_solvus solvus;   /* with a table, of the exponents alone, the formula's */
    sw_kwn_chemistry chemistry; /* .on: in place of the solvus and the diffusivities */
    sw_kwn_nucleation nucleation;
    double shearable_radius;   /* m; smaller particles are sheared, larger ones bypassed */
    double tolman_length;      /* delta, m: gamma of a particle is gamma / (1 + 2 delta / r): Tolman 1949 */
    double neighbour_distance; /* a, m; or gamma times SW_KWN_SOFTER: Sonderegger and Kozeschnik 2009; CPU */
    sw_kwn_gibbs_thomson gibbs_thomson;
    double atom_fraction; /* x_p: of the limiting solute, per atom of the phase */
} sw_kwn_phase;

/* Vacancies beyond those at rest, which speed up all solutes alike. Their fraction at rest is exp(S / R) exp(-E / RT); the first factor
 * cancels. They go to sinks: dx/dt = -k^2 D_v (x - x_e). */
typedef struct {
    double formation_energy;             /* E, J/mol */
    double prefactor, activation_energy; /* of D_v, m^2/s and J/mol */
    double sink_strength;                /* k^2, 1/m^2; 0: always at rest */
} sw_kwn_vacancies;

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
    sw_kwn_strength strength;              /* zeroes when the file has none: strength is then zero */
    sw_kwn_vacancies vacancies;            /* likewise: at rest */
    double molar_mass[SW_KWN_SOLUTES + 1]; /* kg/mol, the matrix's last, of files in weight percent; else 0 */
    float table[SW_KWN_CHEMISTRY];
};

/* Concentrations of all solutes [S] in the file's unit -> mole fractions, and back; may be in place. */
void sw_kwn_to_fractions(const sw_kwn_alloy *alloy, const double *given, double *fraction);
void sw_kwn_from_fractions(const sw_kwn_alloy *alloy, const double *fraction, double *given);
/* Of solute i beside the others given, in the file's unit, where its mole fraction is this. */
double sw_kwn_most_of(const sw_kwn_alloy *alloy, const double *given, int i, double fraction);

/* Whether a phase grows by the balance of several solutes, or has sizes that need its form. */
static inline int sw_kwn_has_several(const sw_kwn_alloy *alloy)
{
    int several = 0;
    for (int p = 0; p < alloy->n_phases; p++)
        several |= alloy->phase[p].all_solutes || alloy->phase[p].tolman_length > 0 ||
                   alloy->phase[p].neighbour_distance > 0;
    return several;
}

/* A phase of which GPUs do not have the law; -1: none. */
static inline int sw_kwn_of_cpu(const sw_kwn_alloy *alloy)
{
    for (int p = 0; p < alloy->n_phases; p++)
        if (alloy->phase[p].neighbour_distance > 0)
            return p;
    return -1;
}

/* Whether all phases have tables of chemistry, so that the matrix need not be dilute. */
static inline int sw_kwn_is_by_tables(const sw_kwn_alloy *alloy)
{
    int all = 1;
    for (int p = 0; p < alloy->n_phases; p++)
        all = all && alloy->phase[p].chemistry.on;
    return all;
}

#ifdef __cplusplus
}
#endif

#endif
