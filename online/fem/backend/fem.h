/* Incremental-iterative analysis of von Mises elastoplasticity at small strains (Kiran 2023, Chapters 2-5).
 *
 *     sw_fem_problem   what is analysed: mesh, materials, load cases
 *     sw_fem_options   how: device, operator, preconditioner, tolerances
 *     sw_fem           an analysis open on a device; its state is a displacement and the points' plastic
 * strain
 *
 * Loads are cases: forces and prescribed displacements at factor 1, each with a factor of its own that
 * sw_fem_advance moves. Inside it only scalars leave the device.
 *
 * Dimensions: N nodes, c unknowns of a node (hex8 3, quad4 2, heat 1), E elements, V nodes of an element,
 * Q points of an element (hex8 8, quad4 4), L load cases. Unknown i of node n is number n c + i. SI units;
 * stresses 11 22 33 23 13 12, as everywhere in Slipwave. */
#ifndef SW_ONLINE_FEM_BACKEND_FEM_H
#define SW_ONLINE_FEM_BACKEND_FEM_H

#include "online/fem/law/law.h"
#include "online/fem/mesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is analysed ---- */

typedef enum {
    SW_FEM_SOLID,        /* hex8 */
    SW_FEM_PLANE_STRESS, /* quad4 from here on */
    SW_FEM_PLANE_STRAIN,
    SW_FEM_AXISYMMETRIC, /* x is the radius, y the axis; forces are those of the whole ring */
    SW_FEM_HEAT,         /* conduction in the plane: unknowns are temperatures, forces are heat flows */
} sw_fem_kinematics;
#define SW_FEM_N_KINEMATICS 5

typedef struct {
    int64_t n_fixed;
    int64_t *dof;  /* [n_fixed] unknowns, ascending */
    double *value; /* [n_fixed] m (or K) at factor 1 */
    double *force; /* [N c] N (or W) at factor 1; NULL: none */
} sw_fem_case;

typedef struct {
    const sw_fem_mesh *mesh;
    sw_fem_kinematics kinematics;
    int b_bar;        /* mean dilatation over an element; not for plane stress and heat */
    double thickness; /* m, of plane bodies */
    int n_materials;
    const sw_fem_material *material; /* [n_materials] */
    const uint8_t *material_of;      /* [E]; NULL: all 0 */
    int n_cases;
    const sw_fem_case *load; /* [L] */
} sw_fem_problem;

/* Unknowns of a node. */
int sw_fem_unknowns(sw_fem_kinematics kinematics);

/* Add to force [N c] what acts at factor 1: pressure (Pa, into the body), traction [3] (Pa; heat: [0] W/m2
 * in) on a surface set; body_force [3] (N/m3; heat: [0] W/m3) on an element set; a total force [3] (N; W)
 * spread over a node set by its nodes' share of the surface they span, or equally when they span none. Each
 * pointer may be NULL. SW_ERR_MEMORY. */
sw_status sw_fem_add_pressure(const sw_fem_problem *problem, const sw_fem_set *surface, double pressure,
                              double *force);
sw_status sw_fem_add_traction(const sw_fem_problem *problem, const sw_fem_set *surface,
                              const double traction[3], double *force);
sw_status sw_fem_add_body_force(const sw_fem_problem *problem, const sw_fem_set *elements,
                                const double body_force[3], double *force);
sw_status sw_fem_add_total_force(const sw_fem_problem *problem, const sw_fem_set *nodes,
                                 const double total[3], double *force);
/* A total force spread evenly over a surface set's own area, which must be more than 0: SW_ERR_RANGE. */
sw_status sw_fem_add_surface_force(const sw_fem_problem *problem, const sw_fem_set *surface,
                                   const double total[3], double *force);

/* ---- How ---- */

/* Operators: how K p is computed. One table, operators.h; names as in job files. */
typedef enum {
    SW_FEM_POINTS,    /* no element matrix: B' D B p from the points' flow directions */
    SW_FEM_ASSEMBLED, /* CSR */
    SW_FEM_NBN,       /* stored element matrices: a thread a node */
    SW_FEM_DBD,       /* a thread an unknown */
    SW_FEM_EBE,       /* a thread an element */
    SW_FEM_EBE_NODE,  /* a thread a node of an element */
    SW_FEM_EBE_DOF,   /* a thread an unknown of an element */
    SW_FEM_EBE_SYM,   /* half of each element matrix, a thread an unknown of an element */
} sw_fem_operator;
#define SW_FEM_N_OPERATORS 8

/* Which matrices the stored-matrix operators keep on voxel meshes; elsewhere every element its own. */
typedef enum {
    SW_FEM_OWN,      /* each element its own */
    SW_FEM_SINGLE,   /* one of each material for elastic elements, plastic ones their own; one pass */
    SW_FEM_SPLIT,    /* the elastic one for all elements, then corrections of plastic ones */
    SW_FEM_IMPROVED, /* elastic elements, then plastic ones, from lists; node-wise: nodes of both kinds */
} sw_fem_storage;
#define SW_FEM_N_STORAGES 4

typedef enum { SW_FEM_COLOURS, SW_FEM_ATOMICS } sw_fem_scatter; /* how element results are added up */

typedef enum {
    SW_FEM_JACOBI,
    SW_FEM_BLOCK_JACOBI, /* c x c blocks of nodes */
    SW_FEM_MULTIGRID,    /* geometric, of the elastic operator; voxel meshes of hex8 */
    SW_FEM_AMG,          /* hypre's BoomerAMG, CPU; of the assembled elastic operator */
} sw_fem_preconditioner;
#define SW_FEM_N_PRECONDITIONERS 4

extern const char *const sw_fem_operator_names[SW_FEM_N_OPERATORS];
extern const char *const sw_fem_storage_names[SW_FEM_N_STORAGES];
extern const char *const sw_fem_scatter_names[2];
extern const char *const sw_fem_preconditioner_names[SW_FEM_N_PRECONDITIONERS];
extern const char *const sw_fem_kinematics_names[SW_FEM_N_KINEMATICS];

typedef enum { SW_FEM_DEVICE_AUTO, SW_FEM_DEVICE_CPU, SW_FEM_DEVICE_CUDA } sw_fem_device;

typedef struct {
    sw_fem_device device;
    sw_fem_operator operator_;
    sw_fem_storage storage;
    sw_fem_scatter scatter;
    sw_fem_preconditioner preconditioner;
    double tolerance;        /* of Newton, Eq. 2.42: |f_ext - f_int| over |f_ext|, reactions included */
    double linear_tolerance; /* of CG: |r| over |r_0|; Newton's first iterations need less and get less */
    int most_newton, most_cg;
    int line_search;        /* steps of it at most; 0: none */
    double least_increment; /* of a step's range of factors, before giving up */
} sw_fem_options;

/* Of the problem's mesh alone: its loads need not be there yet. Multigrid on voxel meshes of hex8; AMG for
 * plane bodies where it is built in and the device is the CPU; else block-Jacobi. `points`; tolerance 1e-6,
 * linear 1e-7, 25 Newton and 20,000 CG iterations, line search 5, least increment 1e-4. */
sw_fem_options sw_fem_default_options(const sw_fem_problem *problem, sw_fem_device device);

/* ---- An analysis ---- */

typedef struct sw_fem sw_fem;

/* The problem is borrowed until closed. Checks it: SW_ERR_RANGE for a property out of its bound, a body that
 * can still move as a rigid one (naming it and the motion), a preconditioner or operator that does not fit
 * the mesh; SW_ERR_UNAVAILABLE; SW_ERR_MEMORY. */
sw_status sw_fem_open(const sw_fem_problem *problem, const sw_fem_options *options, sw_fem **fem);
void sw_fem_close(sw_fem *fem);

/* One Newton iteration, for tables of convergence. */
typedef struct {
    double residual; /* Eq. 2.42, before it */
    int cg;          /* iterations of CG */
    double step;     /* of the line search, 1: the whole */
} sw_fem_iteration;
enum { SW_FEM_MOST_RECORDED = 64 };

/* What sw_fem_advance did. */
typedef struct {
    int substeps, cutbacks;
    int newton, cg;  /* iterations in all */
    double residual; /* of the last substep, at its end */
    int n_recorded;  /* Newton iterations of the last substep */
    sw_fem_iteration iteration[SW_FEM_MOST_RECORDED];
    int64_t plastic_points, plastic_elements; /* yielding at the end; an element with any point that does */
    double external_work;                     /* J, since the start: of forces and reactions, trapezoidal */
} sw_fem_report;

/* From the present factors to factor [L], on a straight line, in substeps that are halved when Newton fails
 * and grow again; a substep begins with `increment` of the way (in: at first; out: what it would try next, so
 * that going on later repeats an uninterrupted run; 1 is a good start). SW_ERR_CONVERGENCE when the least
 * increment fails: the state is that of the last substep that converged, its factors in the message;
 * SW_ERR_INTERRUPTED likewise. */
sw_status sw_fem_advance(sw_fem *fem, const double *factor, double *increment, sw_fem_report *report);

/* Fields of the present state into caller's arrays; each may be NULL. */
typedef struct {
    double *displacement;         /* [N][c] m (K) */
    double *force;                /* [N][c] internal forces: loads, and reactions + loads where prescribed */
    double (*stress)[6];          /* [E] Pa, mean over the points (heat: minus the flux, W/m2) */
    double *von_mises;            /* [E] Pa, of the mean stress */
    double *plastic_strain;       /* [E] equivalent, mean over the points */
    uint8_t *plastic;             /* [E] number of points that yielded in the last substep */
    double (*point_stress)[6];    /* [E][Q] Pa */
    double *point_plastic_strain; /* [E][Q] equivalent */
    double *factor;               /* [L] */
} sw_fem_fields;
sw_status sw_fem_read(sw_fem *fem, const sw_fem_fields *fields);

/* The state a run goes on from, for restart: displacement [N c], points [E Q][7] (plastic strain 11 22 33 23
 * 13 12 as tensor components, equivalent), yielded [E Q], factor [L], work. Restoring it gives the same bits
 * as never having stopped. */
typedef struct {
    double *displacement, *points, *factor, work;
    double largest; /* N, norm of the largest forces so far: residuals are measured by it after unloading */
    uint8_t *yielded;
} sw_fem_state;
sw_status sw_fem_save(sw_fem *fem, sw_fem_state *state); /* into caller's arrays */
sw_status sw_fem_restore(sw_fem *fem, const sw_fem_state *state);

/* Wall-clock seconds since opened, by stage, and memory. */
typedef struct {
    double setup;                 /* colours, hierarchy, matrices of elastic elements */
    double tangent;               /* segregation and matrices of plastic elements */
    double linear;                /* CG, its products and preconditioner included */
    double product, precondition; /* of these: measured on the CPU only, else 0 */
    double stress;                /* radial return and internal forces */
    double other;
    int64_t bytes, most_bytes; /* on the device, now and at most */
} sw_fem_timing;
sw_fem_timing sw_fem_timings(const sw_fem *fem);
const char *sw_fem_device_name(const sw_fem *fem); /* "NVIDIA H200", "2 CPU threads" */

#ifdef __cplusplus
}
#endif

#endif
