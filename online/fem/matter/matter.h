/* Materials of structures: the stress at a point of an element of any formulation, and its tangent.
 *
 *     matter.c         a point: material axes, plane stress, finite strains; heat.c its thermal strains
 *     work.c           what stresses do at it
 *     check.c          the list of laws; what a deck says of a material is checked
 *     tables.c         tables over temperature
 *     logarithmic.c    stresses and tangents of logarithmic strains as those of Green's
 *     flow.c           the return of what flows; plastic.c and creep.c say how much flows, rate.c how rate and temperature harden
 *     anisotropic.c    the return to yield functions of sheets
 *     elastic.c ...    a law a file; deformation.c and hyper.c: nonlinear elasticity
 *
 * A law sees six strains in the material's axes and knows neither elements nor large rotations. To add one: its file and
 * its line in SW_MATTER_LAWS.
 *
 * Symmetric tensors are 11 22 33 23 13 12; strains have engineering shears. Units are the deck's own: nothing here knows
 * a metre. On the CPU. */
#ifndef SW_ONLINE_FEM_MATTER_MATTER_H
#define SW_ONLINE_FEM_MATTER_MATTER_H

#include <stdint.h>

#include "common/system/status.h"
#include "common/yield/yield_function.h"

/* ---- Tables over temperature ---- */

/* Rows ascending in temperature; between them straight, beyond them constant. One row: no dependence. */
typedef struct {
    int n_rows, n_columns;
    double *temperature; /* [n_rows] */
    double *value;       /* [n_rows][n_columns] */
} sw_matter_table;

/* value [n_columns] at a temperature. */
void sw_matter_look_up(const sw_matter_table *table, double temperature, double *value);

/* ---- A material ---- */

typedef enum { SW_MATTER_ISOTROPIC, SW_MATTER_ORTHOTROPIC, SW_MATTER_ANISOTROPIC } sw_matter_elasticity;

/* How a material hardens: the yield surface grows, moves, or both. */
typedef enum {
    SW_MATTER_HARDENS_ISOTROPIC,
    SW_MATTER_HARDENS_KINEMATIC,
    SW_MATTER_HARDENS_COMBINED
} sw_matter_hardening;

/* How the size of the surface depends on the rate of plastic strain; rate.c. */
typedef enum {
    SW_MATTER_NO_RATE,
    SW_MATTER_POWER_RATE, /* Cowper and Symonds: D, n */
    SW_MATTER_LOG_RATE,   /* Johnson and Cook: C, rate0 */
    SW_MATTER_TABLE_RATE  /* rows of rate and ratio */
} sw_matter_rate;

/* Of one temperature: equivalent plastic strain ascending from 0, and yield stress. Beyond the last row constant. */
typedef struct {
    double temperature;
    int n_rows;
    double (*row)[2]; /* [n_rows] plastic strain, stress */
} sw_matter_curve;

/* Strain energies of rubbers and foams, their constants in the order of decks; N: `order`. */
typedef enum {
    SW_MATTER_POLYNOMIAL, /* C10 C01, C20 C11 C02, ... (i + j <= N), D1 ... DN: Mooney-Rivlin is N = 1 */
    SW_MATTER_REDUCED_POLYNOMIAL, /* C10 ... CN0, D1 ... DN: neo-Hooke N = 1, Yeoh N = 3 */
    SW_MATTER_ARRUDA_BOYCE,       /* mu, lambda_m, D */
    SW_MATTER_OGDEN,              /* mu1 alpha1 ... muN alphaN, D1 ... DN */
    SW_MATTER_FOAM                /* mu1 alpha1 ... muN alphaN, nu1 ... nuN: *HYPERFOAM */
} sw_matter_rubber;

int sw_matter_rubber_constants(sw_matter_rubber rubber, int order); /* how many; 0: there is no such order */

/* What a deck says of a material. Everything is owned by it; sw_matter_free releases it. */
typedef struct {
    char *name;
    int64_t line; /* of the deck, for messages */
    const struct sw_matter_law *law;
    sw_matter_elasticity elasticity;
    /* isotropic: E, nu; orthotropic: D1111 D1122 D2222 D1133 D2233 D3333 D1212 D1313 D2323; anisotropic: the 21 of the
     * upper triangle, as Abaqus lists them (D1111 D1122 D2222 D1133 D2233 D3333 D1112 ... in the order 11 22 33 12 13 23) */
    sw_matter_table elastic;
    int expansion_columns; /* 0: none; 1, 3 (11 22 33) or 6 (11 22 33 12 13 23) coefficients, secant */
    sw_matter_table
        expansion; /* e = a(T) (T - zero) - a(T_initial) (T_initial - zero): a free body is 1 + e as long */
    double zero;   /* reference temperature of the expansion */
    int heat_off_stretch; /* heat.h */
    double density;
    sw_matter_hardening hardening;
    int n_curves, n_cyclic;          /* by temperature; cyclic: sizes of the surface, of combined hardening */
    sw_matter_curve *curve, *cyclic; /* [n_curves], [n_cyclic] */
    /* Of combined hardening, besides or instead: C, gamma, C, gamma, ... of backstresses, rate = C (s - a) / size - gamma a
     * times that of plastic strain; and the size of the surface: s0, Q, b, which is s0 + Q (1 - exp(-b p)). n_rows 0: none.
     * Without `saturation` and `cyclic` the size is that of the curve's first row; with backstresses no more of the curve
     * is looked at. */
    sw_matter_table backstress, saturation;
    sw_matter_table
        cook; /* Johnson and Cook's hardening, in place of curves: A, B, n, m, melting, transition; n_rows 0: none */
    sw_matter_rate rate_law;
    sw_matter_table rate;   /* its two constants */
    int n_ratios;           /* or by temperature, rate for plastic strain */
    sw_matter_curve *ratio; /* [n_ratios] */
    sw_yield yield;         /* its size is that of hardening; function NULL: von Mises */
    sw_matter_table creep;  /* Norton: A, n, m: rate = A q^n t^m, t of all steps; n_rows 0: none */
    int strain_hardening; /* the rate is that of the creep strain that there is, whatever the time (Abaqus' default) */
    int overstress; /* q is what exceeds the yield surface, and all flow hardens, as CalculiX has it; else creep has all of
                     * q and goes on beside plastic flow, as Abaqus has it */
    int hencky; /* elasticity takes true stress by logarithmic strain at finite strains, as Abaqus has it; else the second
                 * Piola-Kirchhoff stress by Green's strain, as CalculiX has it */
    sw_matter_rubber rubber;
    int order; /* N, at most 6; polynomial: 3 */
    sw_matter_table
        hyper; /* constants; n_rows 0: none. D1 = 0: as CalculiX has it, 0.1 over the shear modulus */
    sw_matter_table
        deformation; /* of Ramberg and Osgood: E, nu, s0, n, a: E e = s + a (s / s0)^(n - 1) s; n_rows 0: none */
    int n_constants, n_states; /* of a user material */
    double *constant;          /* [n_constants] */
    void *library;             /* handle of dlopen, which sw_matter_free closes */
    void (*umat)(void);        /* umat_ of it */
} sw_matter;

void sw_matter_free(sw_matter *matter); /* what it owns; NULL is fine */
/* Of one that is not prepared, nor a user's. SW_ERR_MEMORY. */
sw_status sw_matter_copy(const sw_matter *matter, sw_matter *copy);
void sw_matter_free_hardening(sw_matter *matter); /* plasticity as if none had been given */

/* Chooses the law by what is given and checks it: SW_ERR_INPUT "PATH:LINE: material X: ..." with value and bound:
 * elasticity missing or not positive definite, hardening that falls below 0, strains that do not ascend from 0, ... */
sw_status sw_matter_prepare(sw_matter *matter, const char *path);
/* A user material's subroutine from a shared library: umat_ or umat. SW_ERR_IO. To be called before prepare. */
sw_status sw_matter_load(sw_matter *matter, const char *library);
int sw_matter_symmetric(const sw_matter *matter); /* its tangent is */
/* A user material's first stress, 11 22 33 23 13 12 along its axes, into a point's state. */
void sw_matter_begin_user(const sw_matter *matter, const double stress[6], double *state);

/* ---- A law ---- */

/* A point's question, in the material's axes. */
typedef struct {
    double strain[6];        /* at the trial, less the thermal strain */
    double strain_before[6]; /* at the accepted state; where strains are small */
    int finite, turned;      /* NLGEOM; the axes are not those of space */
    /* F, thermal included unless it is off the stretch; of a spatial law with axes of its own less its rotation, as those turn
     * with the body */
    double gradient[3][3], gradient_before[3][3];
    double thermal[6],
        thermal_before[6]; /* in the law's measure; spatial: logarithmic; heat.h: off the stretch 0 */
    double temperature, temperature_before;
    double time, dt;     /* at the end of the increment, of all steps; of it. dt = 0: rate has no say */
    double step_time;    /* at the end of the increment, of this step */
    int step, increment; /* from 1; 0: not known */
    int64_t element;     /* the deck's number */
    int point;           /* from 0 */
    double at[3];        /* position; finite: the present one */
    double length;       /* of a user material's element, CELENT; 0: not known */
    int layer;           /* from 1, of layered ones; 0: not known */
} sw_matter_ask;

/* What a law takes and gives where strains are finite. */
typedef enum {
    SW_MATTER_GREEN,       /* Green's strain, second Piola-Kirchhoff stresses */
    SW_MATTER_LOGARITHMIC, /* logarithmic strains, the stresses of their work over the reference volume */
    SW_MATTER_TRUE,   /* logarithmic strains, Cauchy's stresses in their axes, as tables of decks have them */
    SW_MATTER_SPATIAL /* F; Cauchy's stress, and the Jaumann rate of Kirchhoff's over J by the rate of strain */
} sw_matter_measure;

typedef struct sw_matter_law {
    const char *name;
    sw_matter_measure measure;
    int symmetric;                           /* its tangent is, but see sw_matter_symmetric */
    int linear;                              /* stress is a constant matrix times strain */
    int flows;                               /* state[0] is the equivalent plastic strain */
    int (*is)(const sw_matter *matter);      /* whether this is the law of what the deck says */
    int (*n_state)(const sw_matter *matter); /* numbers that a point keeps */
    /* stress [6] and tangent [6][6] d stress / d strain; state new [n_state] from old; neither is the other. Of a law that
     * flows state[0] is the equivalent plastic strain, [1..6] the strain that has flowed, engineering shears, in the
     * material's axes, [7] the equivalent creep strain (0 with overstress, where [0] has all); of a user material its own
     * come first. SW_ERR_CONVERGENCE: a smaller increment is wanted. */
    sw_status (*respond)(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                         double *new_state, double stress[6], double tangent[6][6]);
    /* By how much equivalent creep strains of the increment differ, at the stress before it and at that after it, in the law's
     * measure. NULL: nothing creeps. */
    double (*creep_change)(const sw_matter *matter, const sw_matter_ask *ask, const double *old,
                           const double before[6], const double *new_state, const double after[6]);
} sw_matter_law;

/* The first that fits is taken. */
#define SW_MATTER_LAWS(X) \
    X(user)               \
    X(hyper)              \
    X(deformation)        \
    X(anisotropic)        \
    X(creep)              \
    X(plastic)            \
    X(hencky)             \
    X(elastic)
#define DECLARED(name) extern const sw_matter_law sw_matter_##name;
SW_MATTER_LAWS(DECLARED)
#undef DECLARED

int sw_matter_keeps_nothing(const sw_matter *matter); /* 0: n_state of laws without history */

/* D [6][6] in the material's axes at a temperature. */
void sw_matter_stiffness(const sw_matter *matter, double temperature, double d[6][6]);

/* E at small strains; of anisotropic elasticity the first stiffness, of user materials 0. */
double sw_matter_young(const sw_matter *matter, double temperature);

/* ---- A point ---- */

typedef struct {
    int finite; /* NLGEOM */
    /* 1: h[2][2] is found so that stress 33 vanishes; 2: uniaxial, [1][1] as well and stress 22. They are written. */
    int plane_stress;
    double h[3][3], h_before[3][3]; /* d u / d X, which is F less I: small ones keep all their digits */
    double temperature, temperature_before, temperature_initial;
    double time, dt, step_time;
    int step, increment;
    const double (*axes)[3]; /* [3][3] rows: the material's axes in space; NULL: those of space */
    int64_t element;
    int point, layer;
    double at[3], length;
    const double
        *free_strain; /* [6] that gives no stress, besides heat's, in the law's measure, along space's axes;
                                * NULL: 0 */
} sw_matter_point;

typedef struct {
    double stress[6]; /* second Piola-Kirchhoff; small strains: of Cauchy */
    double tangent
        [6][6]; /* of stress by Green's strain (small: strain), engineering shears; plane stress: condensed */
    double strain[6]; /* Green's (small: the strain), thermal included */
    double carried
        [6]; /* what of it gives stress, in the law's measure (spatial: Green's), along the material's axes */
    double first; /* tangent[0][0] before it was condensed */
} sw_matter_answer;

/* work.c, of matter.c: adds what the increment did. strain_before: as the answer's strain; own: the law's stress over the
 * reference volume, in its measure and the material's axes; heat: the increment's thermal strain, in that measure, and of laws
 * that flow in those axes, else in space's. */
typedef struct {
    const sw_matter_ask *ask;
    double strain_before[6], own[6], heat[6];
} sw_matter_done;
void sw_matter_add_work(const sw_matter *matter, const sw_matter_done *done, const sw_matter_answer *answer,
                        const double *old, double *new_state);

/* F = I + h */
void sw_matter_gradient_of(const double h[3][3], double f[3][3]);

/* What stresses have done since the start, over the reference volume: by the trapezoidal rule over accepted increments, of the
 * second Piola-Kirchhoff stress by Green's strain (small: of stress by strain). What is none of the parts is elastic. */
typedef enum {
    SW_WORK_ALL,     /* whatever the strain is of */
    SW_WORK_HEAT,    /* in thermal strains */
    SW_WORK_PLASTIC, /* in plastic strains: what a backstress stores is in it; of user materials their SPD */
    SW_WORK_CREEP,   /* in creep strains; of user materials their SCD */
    SW_WORKS
} sw_matter_work;

/* Numbers that a point keeps: the law's, then 22 and 33 of h, of plane and uniaxial stress; works and the stress that they go
 * on from, of laws that flow the law's own, too; of creep by how much the increment's would differ at that and at its last
 * stress. */
int sw_matter_state_size(const sw_matter *matter);
double sw_matter_creep_change(const sw_matter *matter, const double *state); /* that; 0 of other laws */
const double *sw_matter_works(const sw_matter *matter, const double *state); /* [SW_WORKS] */
/* As the law's respond. `old` of zeros is a point that nothing has happened to. */
sw_status sw_matter_respond(const sw_matter *matter, sw_matter_point *point, const double *old,
                            double *new_state, sw_matter_answer *answer);

/* What the answer's strain has that gives stress, as that is, along the material's axes. */
void sw_matter_carried(const sw_matter *matter, int finite, const sw_matter_answer *answer, double strain[6]);

/* Of engineering shears. */
void sw_matter_tensor_of(const double strain[6], double t[3][3]);
/* Q of strains that become a E a^T, engineering shears; stresses of the work go back by its transpose. */
void sw_matter_turning(const double a[3][3], double q[6][6]);
/* out += q^T g q: how tangents go back. */
void sw_matter_add_congruent(const double q[6][6], const double g[6][6], double out[6][6]);

/* Cauchy's stress of a second Piola-Kirchhoff stress. */
void sw_matter_push_forward(const double gradient[3][3], const double second[6], double cauchy[6]);

/* logarithmic.c: E = ln(U) of F and Green's strain, with what turns stresses work-conjugate to it, t [6], and tangents by it, into those of
 * Green's strain (Miehe, Apel and Lambrecht 2002). */
typedef struct {
    double strain[6];            /* ln U, engineering shears */
    double first[6][6];          /* d (ln U) / d (Green's strain) */
    double value[3], axis[3][3]; /* of C, and its principal directions as rows */
} sw_matter_logarithm;
sw_status sw_matter_logarithm_of(const double gradient[3][3], const double green[6],
                                 sw_matter_logarithm *logarithm); /* SW_ERR_CONVERGENCE: J <= 0 */
void sw_matter_from_logarithmic(const sw_matter_logarithm *logarithm, const double t[6],
                                const double by_log[6][6], double second[6], double tangent[6][6]);

#endif
