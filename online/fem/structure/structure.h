/* Structures: elements of any formulations tied by equations, through a history of steps. What a deck is turned into.
 *
 *     structure.c      open, checks, state
 *     ties.c           dependent unknowns are eliminated: du = T dq + g
 *     springs.c        forces of springs and gaps
 *     elements.c       forces and matrices of elements, loads and springs
 *     loose.c          rigid motions that nothing holds
 *     system.c         the condensed matrix: its pattern, its values, its factors
 *     multigrid.c      it by conjugate gradients and algebraic multigrid (online/fem/aggregation/)
 *     iterative.c      which of these; or no matrix: products with the tangent (online/fem/products/), on the CPU or a GPU;
 *                      without what nothing holds
 *     newton.c         an increment
 *     changes.c        what a step changes of elements when it begins
 *     steps.c          increments of a step, the loads of a moment; what is told at its end
 *     fields.c         what is known of nodes and points; what passes a surface
 *     prints.c         tables that a deck asks for
 *     contact.c        surfaces that touch (online/fem/surfaces/), as they act on the unknowns
 *     output.c         FILE.h5, FILE-0001.vtkhdf
 *     restart.c        what an interrupted run leaves
 *
 * States of points and forces are the CPU's. Units are the deck's.
 *
 * Dimensions: N nodes, E elements. Every node has three unknowns, 3 n + i; those that no element, spring or constraint has
 * are left out. Nodes may be added that are no place but carry rotations. */
#ifndef SW_ONLINE_FEM_STRUCTURE_STRUCTURE_H
#define SW_ONLINE_FEM_STRUCTURE_STRUCTURE_H

#include "online/fem/surfaces/surfaces.h"

/* ---- The body ---- */

typedef struct {
    const sw_formulation *formulation;
    int64_t first; /* of its nodes in node */
    int32_t section;
    int64_t label;
    int thin; /* Abaqus takes its section's size as that of an incompressible body: what that changes is told */
    int32_t of;       /* the deck's element that it was made for (shells, beams); its own index else */
    int linear_shell; /* made for an S3 or S4, with or without R: its nodes are those below, then those above */
} sw_structure_element;

typedef struct {
    int matter;        /* -1: none, which no element may have */
    double thickness;  /* plane bodies; area of trusses */
    int by_nodes;      /* plane bodies: the thickness is that of nodes */
    int turned;        /* axes are given */
    double axes[3][3]; /* rows */
} sw_structure_section;

/* Between two unknowns' nodes: SPRINGA along their line (follows it with NLGEOM), SPRING1 an unknown against the ground,
 * SPRING2 the difference of two unknowns. Force over elongation: a stiffness, or a table.
 *
 * A gap pushes its nodes apart along a direction of space where p = -(clearance + the second's displacement less the
 * first's) is more than 0: with stiffness times p (1/2 + atan(p / e) / pi), e such that it pulls with `tension` where it is
 * wide open, as CalculiX has it. */
typedef struct {
    int64_t node[2];  /* -1: the ground */
    int component[2]; /* from 0; SPRINGA and gaps: -1 */
    int n_rows;       /* of table; 1: row[0][0] is the stiffness */
    double (*row)[2]; /* elongation ascending, force; owned by the deck; NULL: a gap */
    int64_t label;
    double direction[3], clearance, stiffness, tension; /* of a gap */
} sw_structure_spring;

/* sum of coefficient times unknown = right, the first term's unknown being the one that is eliminated. Not linear ones give
 * their linearisation at u: coefficients, and right such that sum coefficient (unknown) = right holds to first order. */
typedef struct sw_structure_constraint {
    int n_terms;
    int64_t *unknown;    /* [n_terms], owned */
    double *coefficient; /* [n_terms], owned; of the undeformed body where not linear */
    double right;
    /* u, coefficient [n_terms]; NULL: linear (what is not is so without NLGEOM, too) */
    void (*linearise)(const void *data, const double *u, double *coefficient, double *right);
    void *data;   /* owned, one piece of memory */
    int64_t line; /* of the deck */
} sw_structure_constraint;

/* Faces of elements that touch: a slave's and a master's. Areas of axisymmetric bodies are those of a full turn. */
typedef struct {
    int64_t n_faces[2]; /* slave, master */
    int32_t *element[2];
    uint8_t *face[2]; /* from 0 */
    char *name[2];    /* of the surfaces */
    sw_surface_law law;
    int small;
    double clearance; /* NAN: that of the mesh */
    int64_t line;     /* of the deck */
} sw_structure_contact;

/* ---- Loads, as a step has them at its end: each goes from what it was to what it is ---- */

/* amplitude: -1 the step's own way (a ramp, or at once), else times that amplitude's value at the time. NaN of a
 * prescribed displacement: what it is when the step begins. */
typedef struct {
    int64_t unknown;
    double from, to;
    int amplitude;
} sw_structure_value; /* prescribed displacement, or force */

typedef enum {
    SW_STRUCTURE_PRESSURE,  /* into the face */
    SW_STRUCTURE_TRACTION,  /* of a face, along direction; with NLGEOM as `pull` has it */
    SW_STRUCTURE_GRAVITY,   /* acceleration along direction */
    SW_STRUCTURE_SPIN,      /* square of the angular speed about direction through point */
    SW_STRUCTURE_BODY_FORCE /* force per volume along direction */
} sw_structure_load_kind;

typedef struct {
    sw_structure_load_kind kind;
    int32_t element;
    int face;        /* from 0 */
    double from, to; /* the magnitude */
    double direction[3], point[3];
    int amplitude;
    sw_pull pull;
} sw_structure_load;

typedef struct {
    int64_t node;
    double from, to;
    int amplitude;
} sw_structure_temperature;

typedef enum {
    SW_STRUCTURE_STRAIGHT, /* between rows of time and value, constant beyond */
    SW_STRUCTURE_SMOOTH,   /* likewise, by x^3 (10 - 15 x + 6 x^2) between */
    SW_STRUCTURE_PERIODIC /* from t0 on A0 + sum of A_k cos k w (t - t0) + B_k sin k w (t - t0), before A0: rows w, t0; A0, 0;
                            * A_1, B_1; ... */
} sw_structure_curve;

typedef struct {
    sw_structure_curve curve;
    int n_rows;
    double (*row)[2];
    int total_time; /* of all steps, not of this one */
    int absolute;   /* of a deck: what goes by it has a magnitude of 1 */
} sw_structure_amplitude;
double sw_structure_amplitude_at(const sw_structure_amplitude *amplitude, double time);

/* What is printed: rows of nodes, of points, of elements, of a set as a whole. */
typedef enum {
    SW_STRUCTURE_U,     /* nodes: displacement 3 */
    SW_STRUCTURE_RF,    /* nodes: internal less external force 3 */
    SW_STRUCTURE_NT,    /* nodes: temperature 1 */
    SW_STRUCTURE_COORD, /* points or nodes: place 3, places_at_rest */
    SW_STRUCTURE_S,     /* points: Cauchy stress 6 */
    SW_STRUCTURE_E,     /* points: strain 6, tensor components, as the next three */
    SW_STRUCTURE_ME,    /* points: what of it gives stress */
    SW_STRUCTURE_PE,    /* points: plastic and creep strain */
    SW_STRUCTURE_PEEQ,  /* points: equivalent plastic strain 1 */
    SW_STRUCTURE_CEEQ,  /* points: equivalent creep strain 1 */
    SW_STRUCTURE_ENER,  /* points: work of stresses over the volume, but in thermal strains, 1 */
    SW_STRUCTURE_SENER, /* points: of it what is elastic 1 */
    SW_STRUCTURE_PENER, /* points: plastic dissipation 1 */
    SW_STRUCTURE_CENER, /* points: creep dissipation 1 */
    SW_STRUCTURE_EVOL,  /* elements: volume 1 */
    SW_STRUCTURE_ELIE,  /* elements: ENER times the volume 1 */
    SW_STRUCTURE_ELSE,  /* elements: likewise SENER, PENER, CENER */
    SW_STRUCTURE_ELPD,
    SW_STRUCTURE_ELCD,
    SW_STRUCTURE_ELASE,  /* elements: energy in springs against hourglass modes 1 */
    SW_STRUCTURE_ENERGY, /* a set: sums of ELSE, ELPD, ELCD, ELASE 4 */
    SW_STRUCTURE_CUT,    /* a surface: what passes it, sw_structure_section_columns */
    SW_STRUCTURE_CSTR,   /* nodes of slaves: pressure, shear, path slid 3 */
    SW_STRUCTURE_CDIS,   /* nodes of slaves: gap, path slid, 0 */
    SW_STRUCTURE_CF,     /* all contacts, one a row: SW_STRUCTURE_CONTACT_COLUMNS */
    SW_STRUCTURE_QUANTITIES
} sw_structure_quantity;

typedef struct {
    int what; /* sw_structure_quantity */
    int of_nodes;
    const char *name; /* as the deck has the quantity; borrowed, lasts as long as the program */
    char *set;        /* name, for the results */
    int64_t n;
    int32_t *member; /* nodes or elements */
    uint8_t *face;   /* of a surface: from 0; else NULL */
    int by_nodal_forces; /* of a surface: forces are those of its elements on its nodes, else of stresses recovered there */
    int totals;    /* 0: each; 1: each and the sum; 2: the sum alone */
    int64_t every; /* increments of the step, and its last one; 0: each */
} sw_structure_print;

/* What a step changes of an element when it begins. */
typedef enum {
    SW_STRUCTURE_REMOVE, /* it is not there */
    SW_STRUCTURE_RETURN, /* it is there again, strained as its nodes say */
    SW_STRUCTURE_RELAX, /* it is there, and free of stress as it now is: nothing has happened to its material */
    SW_STRUCTURE_SECTION /* it has another section; what happened to its material counts where the law is the same */
} sw_structure_change_kind;

typedef struct {
    sw_structure_change_kind kind;
    int32_t element, section; /* section: the new one */
} sw_structure_change;

/* Added, when a step begins, to the strain that gives a point no stress: in its law's measure (small; Green's; logarithmic),
 * engineering shears, along space's axes. Of a stress: such that it is added to what there is, elastically. */
typedef struct {
    int32_t element;
    int point;                   /* from 0 */
    int is_stress, is_hardening; /* hardening: value[0] is the plastic strain so far of all its points */
    int own_axes;                /* a stress along the material's axes */
    int first_state; /* of a user material's state variables at all points, from 1, which `value` then has; 0: none */
    double value[6];
} sw_structure_strain;

/* What a step changes of a contact when it begins. */
typedef struct {
    int contact, off; /* off: they pass through each other; -1: as before */
    int has_law;
    sw_surface_law law;
} sw_structure_contact_change;

typedef struct {
    int64_t line;                        /* of the deck */
    int finite;                          /* NLGEOM */
    int visco;                           /* time counts: creep flows (VISCO); else it does not (STATIC) */
    int direct;                          /* increments of one size */
    int at_once;                         /* loads without amplitude are there from the start of the step */
    double first, duration, least, most; /* increments of time; 0: as a program would choose */
    double
        creep_tolerance; /* of equivalent creep strains of an increment by its first and its last stress; 0: none */
    int64_t most_increments;
    int64_t n_fixed, n_forces, n_loads, n_temperatures, n_prints, n_changes, n_strains;
    sw_structure_value *fixed;             /* each unknown once */
    sw_structure_value *force;             /* they add up */
    sw_structure_load *load;               /* they add up */
    sw_structure_temperature *temperature; /* each node once; others keep theirs */
    sw_structure_print *print;
    sw_structure_change *change; /* one after the other */
    sw_structure_strain *strain;
    int64_t n_contact_changes;
    sw_structure_contact_change *contact_change;
    int every; /* fields after each `every`-th increment as well as at the end; 0: the end */
} sw_structure_step;

typedef struct {
    const char *path; /* the deck's, for messages */
    int64_t n_nodes, n_elements, n_springs, n_constraints;
    double (*position)[3]; /* [N] */
    int64_t *node_label;   /* [N]; 0: made by the program */
    int32_t *made_of;    /* [N] the node of a shell or beam that it was made of, -1: of none; NULL: all are */
    double *temperature; /* [N] initial */
    double *thickness;   /* [N] of sections by nodes; NULL: there are none */
    sw_structure_element *element; /* [E] */
    int64_t n_members;
    int32_t *node; /* [n_members] of elements */
    int n_sections, n_matters, n_amplitudes, n_steps, n_contacts;
    sw_structure_section *section;
    sw_matter *matter;
    sw_structure_amplitude *amplitude;
    sw_structure_spring *spring;
    sw_structure_constraint *constraint;
    sw_structure_contact *contact;
    int rates_in_static; /* yield is by its rate in every step, as Abaqus has it; else in those of VISCO */
    int linear_at_once;  /* a linear step is one increment, as CalculiX has it */
    int reactions_hold_loads; /* RF of a node: the forces of its elements, as CalculiX has it */
    int places_at_rest; /* COORD: of the undeformed body, as CalculiX has it; else with NLGEOM of the present one */
    sw_structure_step *step;
} sw_structure_problem;

void sw_structure_problem_free(sw_structure_problem *problem); /* what it owns */

/* ---- An analysis ---- */

/* Of conjugate gradients and the like. */
typedef enum {
    SW_STRUCTURE_ANY_PRECONDITIONER, /* amg on the CPU, and where surfaces touch */
    SW_STRUCTURE_BLOCK_JACOBI,       /* without a matrix, on either device */
    SW_STRUCTURE_AMG,                /* algebraic multigrid of the matrix, on either device */
    SW_STRUCTURE_PRECONDITIONERS
} sw_structure_preconditioner;

typedef struct {
    const char *output; /* FILE.h5; NULL: none is written */
    const char *title;  /* what /run says of the deck: its dialect */
    const char *
        identity; /* all that the problem is made of, as a hash: whose FILE.h5.partial is; NULL: none is written */
    int resume; /* from FILE.h5.partial, if it is there */
    int quiet;
    sw_fem_linear_solver
        linear;           /* auto: sparse factors where they are quick, else by the tangent: cg, bicgstab */
    sw_fem_device device; /* of what is no sparse factors; auto: a GPU where that is quicker */
    sw_structure_preconditioner preconditioner;
} sw_structure_options;

typedef struct sw_structure sw_structure;

/* The problem is borrowed. SW_ERR_INPUT by line: an element without section, or with a Jacobian that is not positive,
 * equations that contradict each other or what is prescribed; SW_ERR_UNAVAILABLE: direct without SuiteSparse, cuda without
 * a GPU, cuda or block-Jacobi with several processes; SW_ERR_INPUT: direct on a GPU; SW_ERR_MEMORY. Several processes (MPI)
 * have a copy each, call all of this together and get the same; the first one writes files. */
sw_status sw_structure_open(const sw_structure_problem *problem, const sw_structure_options *options,
                            sw_structure **structure);
void sw_structure_close(sw_structure *structure); /* NULL is fine */
/* Step k, from where the one before ended. SW_ERR_CONVERGENCE with the time reached; SW_ERR_INTERRUPTED. */
sw_status sw_structure_advance(sw_structure *structure, int k);
/* Work since the start, by the trapezoidal rule over increments. What loads and supports do is what the others take, to the
 * rule's error where strains are finite: external = all others. */
typedef enum {
    SW_STRUCTURE_ELASTIC,    /* in elements, since the start: what first stresses store is not in it */
    SW_STRUCTURE_PLASTIC,    /* dissipated; what backstresses store is in it */
    SW_STRUCTURE_CREEP,      /* dissipated */
    SW_STRUCTURE_HEAT,       /* of stresses in thermal strains */
    SW_STRUCTURE_ARTIFICIAL, /* in springs against hourglass modes */
    SW_STRUCTURE_SPRINGS,    /* in springs and gaps */
    SW_STRUCTURE_CONTACT,    /* of surfaces that touch: what they store, and friction */
    SW_STRUCTURE_EXTERNAL,   /* of loads, and of what holds nodes, on the body */
    SW_STRUCTURE_ENERGIES
} sw_structure_energy;
void sw_structure_read_energies(const sw_structure *structure, double energy[SW_STRUCTURE_ENERGIES]);

/* A contact as it is accepted: what is on its slave, and the most of its points. */
void sw_structure_read_contact(const sw_structure *structure, int contact, sw_surface_sums *sums);
/* Fields of slaves' nodes [N][SW_SURFACE_FIELDS], 0 elsewhere. SW_ERR_MEMORY. */
sw_status sw_structure_read_contact_fields(const sw_structure *structure, double (*field)[SW_SURFACE_FIELDS]);
/* Residuals over forces of Newton's iterations of the last increment: how many; list [at most `most`]. */
int sw_structure_read_residuals(const sw_structure *structure, int most, double *list);

/* Present displacements [N][3], and what holds or loads nodes from outside, [N][3]: forces of elements. Either may be NULL. */
void sw_structure_read(const sw_structure *structure, double (*displacement)[3], double (*force)[3]);

/* All steps and their results: FILE.h5, complete or not there at all, and FILE-0001.vtkhdf and so on of its fields,
 * which stay where a later step fails. A line to standard output at the end. What an interrupted run had at the end of an
 * increment is in FILE.h5.partial: SW_ERR_INPUT where one is there and not gone on with, SW_ERR_FORMAT where it is of another
 * problem. */
sw_status sw_structure_run(const sw_structure_problem *problem, const sw_structure_options *options);

#endif
