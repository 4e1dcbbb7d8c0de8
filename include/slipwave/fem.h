/* Finite elements: incremental-iterative analysis of von Mises elastoplasticity at small strains (Kiran 2023,
 * Chapters 2-5) and at finite ones, and steady heat conduction in the plane.
 *
 *     sw_fem_mesh      nodes, elements, named sets: made of voxels, read from a file, or your own
 *     sw_fem_problem   what is analysed: mesh, materials, load cases
 *     sw_fem_options   how: device, operator, preconditioner, tolerances
 *     sw_fem           an analysis open on a device; its state is a displacement and what its points keep
 *
 * Loads are cases: forces and prescribed displacements at factor 1, each with a factor of its own that
 * sw_fem_advance moves.
 *
 * Dimensions: N nodes, d space dimensions (3 or 2), c unknowns of a node (solid 3, plane 2, heat 1), E
 * elements, V nodes of an element (8 or 4), Q = V points of an element, L load cases, T tools, M = d of a periodic
 * body, else 0. Unknown i of node n is number n c + i, of tool t (N + t) c + i, of the mean of a periodic body
 * (N + T + j) c + i. SI units; stresses 11 22 33 23 13 12, as everywhere in Slipwave.
 *
 * One thread at a time uses an analysis; the threads that work for it are OpenMP's. */
#ifndef SLIPWAVE_FEM_H
#define SLIPWAVE_FEM_H

#include <stdint.h>

#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Meshes ---- */

/* Order of an element's nodes, in reference coordinates (-1 .. 1):
 *     quad4  (-,-) (+,-) (+,+) (-,+): counter-clockwise in the x-y plane (r-z when axisymmetric)
 *     hex8   the same at z = -1, then at z = +1; as in Abaqus, Gmsh and VTK */
typedef enum { SW_HEX8, SW_QUAD4, SW_FEM_SHAPES } sw_fem_shape;

/* 8 element + face must fit in 32 bits. */
enum { SW_FEM_MOST_ELEMENTS = 1 << 28 };

typedef enum { SW_FEM_NODES, SW_FEM_ELEMENTS, SW_FEM_SURFACE, SW_FEM_SET_KINDS } sw_fem_set_kind;

/* A named set; a name once among sets of a kind. Faces (of quad4: edges) are numbered as Abaqus' S1, S2,
 * ..., from 0: hex8 1432 5678 1265 2376 3487 4158, quad4 12 23 34 41 by local nodes from 1. */
typedef struct {
    char *name;
    sw_fem_set_kind kind;
    int64_t n;
    int32_t *member; /* [n] nodes or elements, from 0; of a surface 8 element + face; ascending, each once */
} sw_fem_set;

typedef struct sw_fem_lattice sw_fem_lattice;
struct sw_names;
struct sw_fem_matter;

/* Made by the functions below, or filled in by hand: then lattice is NULL, and labels may be. */
typedef struct {
    sw_fem_shape shape;
    int64_t n_nodes, n_elements;
    double *position; /* [N][d] m */
    int32_t *node;    /* [E][V] */
    int n_sets;
    sw_fem_set *set;            /* [n_sets] */
    sw_fem_lattice *lattice;    /* of a voxel mesh, mapped or not: the cells its elements fill; else NULL */
    int64_t *node_label;        /* [N] numbers in the mesh file, for messages; NULL: index + 1 */
    int64_t *element_label;     /* [E] the same */
    struct sw_names *set_names; /* where sets are, by sw_fem_mesh_add_set; NULL: looked for one by one */
} sw_fem_mesh;

/* A body of equal boxes, or cylinders: a box of cells, mapped. Bodies, their sizes and parameters:
 * docs/file-formats.md. */
typedef struct {
    const char *body;   /* "box", "l_bracket", "plate_with_holes", "cantilever", "cantilever_with_cutout",
                         * "cylinder", "cylinder_quarter" */
    double size[3];     /* m, bounding box; all 0: the body's own */
    int64_t cells[3];   /* along x, y, z, of the bounding box; cells[2] = 0: a plane mesh of quad4 */
    double fraction[4]; /* the body's parameters, in the order of its keys; 0: its own */
} sw_fem_voxels;

/* A voxel mesh with node sets and surfaces x_min, x_max, y_min, y_max, z_min, z_max of the bounding box
 * (z_min and z_max not of a plane mesh), and the element set all. Of a cylinder, whose axis is x = y = 0, the
 * sets are z_min, z_max and the round `side`; its quarter has x_min and y_min, too, its planes of symmetry.
 * SW_ERR_RANGE for an unknown body, a size or number out of range (at most SW_FEM_MOST_ELEMENTS cells in the
 * bounding box), cells so coarse that a body keeps none of its cut-outs, a body without cells or of several
 * parts, a cylinder of other size or cells along x than along y; SW_ERR_MEMORY. Release with
 * sw_fem_mesh_free. */
SW_API sw_status sw_fem_voxel_mesh(const sw_fem_voxels *voxels, sw_fem_mesh **mesh);

/* Read a mesh, by the file name's end: Gmsh's .msh (through libgmsh; SW_ERR_UNAVAILABLE in a build without)
 * or Abaqus' .inp. Coordinates are taken as metres. Elements of other shapes than hex8, or quad4 (in a plane
 * of constant z) when there are no three-dimensional ones, are refused; those of lower dimension only make
 * sets: a surface (the element faces on them; both faces where they lie between two elements) and the node
 * set of the same name when they have one dimension less than the mesh, else a node set. The element set all
 * is added.
 *
 * .msh: physical groups are sets by dimension; one without a name is called point_7, curve_7, surface_7 or
 * volume_7 by its number. Nodes that no element has and no group names are left out.
 *
 * .inp: element sets of lower-dimensional elements count as above, unless a set of that name is there; refused if a
 * section makes them carry load (shells, membranes, bars beside solids). Names
 * keep the spelling of their first use. A set of a part whose name the assembly uses too becomes
 * "instance.name". Of materials, sections, steps and output a listener hears in one warning that they are skipped;
 * keywords that constrain or load the body, or that are not known, are refused.
 *
 * SW_ERR_IO; SW_ERR_INPUT naming file, line (.inp) and what is wrong; SW_ERR_MEMORY. The mesh has passed
 * sw_fem_mesh_check. Release with sw_fem_mesh_free. Not thread-safe: libgmsh is not. */
SW_API sw_status sw_fem_mesh_read(const char *path, sw_fem_mesh **mesh);
/* The same, but keywords of an .inp file in ignored [n_ignored] ("BOUNDARY", in any case) are skipped, and what of the
 * element sets there would carry load beside the solids is left out. SW_ERR_RANGE for a keyword that makes the mesh. */
SW_API sw_status sw_fem_mesh_read_ignoring(const char *path, int n_ignored, const char *const *ignored,
                                           sw_fem_mesh **mesh);

SW_API void sw_fem_mesh_free(sw_fem_mesh *mesh); /* NULL is fine */

/* The set of this name and kind, the mesh's own; NULL when there is none. */
SW_API const sw_fem_set *sw_fem_mesh_set(const sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name);

/* Append a set; takes over nothing: name and members are copied, sorted, repetitions dropped. SW_ERR_INPUT
 * for a name that is taken, SW_ERR_RANGE for a member that the mesh lacks, SW_ERR_MEMORY. */
SW_API sw_status sw_fem_mesh_add_set(sw_fem_mesh *mesh, sw_fem_set_kind kind, const char *name, int64_t n,
                                     const int32_t *member);

/* SW_ERR_INPUT with `path` and the first thing that is wrong with a mesh, in this order: a coordinate that
 * is not finite, an element that names a node which is not there or one twice, a Jacobian that is not
 * positive at a quadrature point (2 in each direction), an element with the nodes of another (voxel meshes
 * are not searched), a node of no element. SW_ERR_MEMORY. */
SW_API sw_status sw_fem_mesh_check(const sw_fem_mesh *mesh, const char *path);

/* ---- Materials ---- */

enum { SW_FEM_MOST_PARAMETERS = 8, SW_FEM_MOST_ROWS = 32 };

/* A material of crystals: n of them at every point, which all deform as the point does (Taylor) and whose mean
 * deviatoric stress is the point's; its pressure is K ln J / J. With strain finite, and rate-dependent: steps take
 * time, sw_fem_set_duration. With n = 1 the mesh resolves the grains. Docs: docs/theory.md. */
typedef struct {
    sw_response_options
        response; /* what it borrows lives as long as the analysis; its device is the analysis's */
    int64_t each; /* n */
    int64_t seed; /* of all that is random below */
    /* Orientations and slip resistances: as many as n: those at every point; another number: each point draws n of
     * them, by weight; 0: random orientations, of each point its own. */
    int64_t n_texture;
    const sw_crystal *texture; /* [n_texture] */
    const float *weight;       /* [n_texture], as of sw_response_step; NULL: equal */
    const int32_t
        *grain;  /* [E of the mesh] with n = 1: whose points are which crystal of the texture (or random
                                    * one), from 0; NULL */
    int rotated; /* of each element all crystals are turned together, by a random rotation */
    const double *slip_resistance; /* [E] Pa, instead of the texture's or material's; NULL */
} sw_fem_polycrystal;

/* Zeros but for the first three: perfectly plastic. Of a polycrystal: as sw_fem_material_of_crystals makes it. */
typedef struct {
    double young;                             /* Pa; heat: the conductivity, W/(m K) */
    double poisson;                           /* -1 < nu < 0.5 */
    double yield_stress;                      /* Pa; infinite: elastic */
    int hardening;                            /* a law's number: sw_fem_hardening_law */
    double parameter[SW_FEM_MOST_PARAMETERS]; /* the law's: {modulus}; {modulus, saturation, rate} */
    int n_rows;                               /* of the law by table: */
    double row[SW_FEM_MOST_ROWS][2]; /* equivalent plastic strain, ascending from 0, and yield stress, Pa */
    const sw_fem_polycrystal *crystals; /* borrowed; NULL: none */
    /* Of `slipwave fem` alone: a law of decks in place of yielding, on the CPU; borrowed; NULL: none. */
    const struct sw_fem_matter *matter;
} sw_fem_material;

/* The material of a polycrystal; young and poisson are Voigt's mean over all orientations. */
SW_API sw_fem_material sw_fem_material_of_crystals(const sw_fem_polycrystal *crystals);

/* The number of an isotropic hardening law by its name: "none", "linear", "voce", "table"; -1: there is
 * none. Laws and their parameters, in order, are in docs/file-formats.md. */
SW_API int sw_fem_hardening_law(const char *name);

/* ---- Contact with rigid tools ---- */

typedef enum {
    SW_FEM_PLANE,    /* direction: its normal, towards the body; with a radius a disc's edge */
    SW_FEM_CYLINDER, /* direction: its axis */
    SW_FEM_SPHERE,
    SW_FEM_TRIANGLES, /* a mesh of them, in space, on the CPU; positions are from the point */
    SW_FEM_TOOL_SHAPES
} sw_fem_tool_shape;

/* A rigid tool, and the part of the body's surface that it may touch. It moves without turning, by d unknowns of its
 * own after those of the nodes: prescribed by load cases, or free under a force. Zeros but for the shape and the
 * surfaces: no friction. Laws: docs/theory.md. */
typedef struct {
    const char *name; /* for messages */
    sw_fem_tool_shape shape;
    double point[3];     /* m: on the plane or axis, or the centre, before it moves; 3 is 0 in the plane */
    double direction[3]; /* of unit length */
    double radius;       /* m */
    int hollow;          /* of round ones: the body is inside; of a plane with an edge: goes through it */
    double friction;     /* Coulomb's coefficient */
    double shear_limit;  /* Pa: friction is no more than this (Tresca); 0: unlimited */
    int sticks;          /* nodes that touch do not slip */
    double penalty; /* of a node's stiffness E A / h (A its area, h the element's depth), 1 to 1e5; 0: 100 */
    int n_surfaces;
    const sw_fem_set *const *surface; /* [n_surfaces] */
    double
        edge; /* m: of a plane with a radius the rounding of its edge, behind which there is a wall: a punch, or hollow a
                  * die; on the CPU; 0: none */
    const struct sw_fem_triangles *triangles; /* only jobs make them (shape: mesh); else NULL */
} sw_fem_tool;

/* What a node in contact keeps. */
typedef struct {
    double friction[3]; /* N, on the node */
    double normal;      /* N */
    double slip;        /* m, in all */
    double held;        /* N, what held it in the last substep while its tool had touched nothing */
    double touches;     /* 1 or 0 */
} sw_fem_contact_point;
enum { SW_FEM_CONTACT_SIZE = (int)(sizeof(sw_fem_contact_point) / sizeof(double)) }; /* numbers */

/* ---- What is analysed ---- */

typedef enum {
    SW_FEM_SOLID,        /* hex8 */
    SW_FEM_PLANE_STRESS, /* quad4 from here on */
    SW_FEM_PLANE_STRAIN,
    SW_FEM_AXISYMMETRIC, /* x is the radius, y the axis; forces are those of the whole ring */
    SW_FEM_HEAT,         /* conduction in the plane: unknowns are temperatures, forces are heat flows */
    SW_FEM_KINEMATICS
} sw_fem_kinematics;

/* What the strain is. Finite: logarithmic, F = F_e F_p, equilibrium on the deformed body; for solid,
 * plane_strain and axisymmetric, operator `points`. Forces keep their directions and sizes;
 * pressures of a case follow the surface. b_bar is then the mean volume ratio of an element. */
typedef enum { SW_FEM_SMALL, SW_FEM_FINITE, SW_FEM_STRAIN_MEASURES } sw_fem_strain_measure;

/* Whether elements have their mean dilatation: without it they lock where material keeps its volume. Auto: if a material
 * can yield, is of crystals, or has a Poisson's ratio of 0.4 or more. Never in plane stress and heat, where a yes is
 * refused. */
typedef enum { SW_FEM_B_BAR_AUTO, SW_FEM_B_BAR_YES, SW_FEM_B_BAR_NO, SW_FEM_B_BARS } sw_fem_b_bar;

/* A pressure that stays one as the surface moves: across it where it is now, on the area that it has now; with
 * finite strains. (sw_fem_add_pressure is that of the undeformed surface.) The tangent is symmetric only where the
 * surface is closed or its edge slides in planes of symmetry. */
typedef struct {
    const sw_fem_set *surface;
    double pressure; /* Pa at factor 1, into the body */
} sw_fem_pressure;

typedef struct {
    int64_t n_fixed;
    int64_t *dof;  /* [n_fixed] unknowns, ascending */
    double *value; /* [n_fixed] m (or K) at factor 1 */
    double *force; /* [(N + T + M) c] N (or W) at factor 1; NULL: none */
    int n_pressures;
    sw_fem_pressure *pressure; /* [n_pressures]; a face may be in several */
} sw_fem_case;

typedef struct {
    const sw_fem_mesh *mesh;
    sw_fem_kinematics kinematics;
    sw_fem_strain_measure strain;
    sw_fem_b_bar b_bar;
    double thickness; /* m, of plane bodies */
    int n_materials;
    const sw_fem_material *material; /* [n_materials] */
    const uint8_t *material_of;      /* [E]; NULL: all 0 */
    int n_cases;
    const sw_fem_case *load; /* [L] */
    int n_tools;
    const sw_fem_tool *tool; /* [T]; with finite strains */
    int periodic;            /* a cell that repeats along its axes; below */
} sw_fem_problem;

/* Whether its elements have their mean dilatation; kinematics, materials and b_bar alone are read. */
SW_API int sw_fem_has_b_bar(const sw_fem_problem *problem);

/* A periodic problem is a body "box" of cells, solid, plane_strain or plane_stress, without tools. Opposite faces
 * move alike but for the mean displacement gradient H = F - I: u = H X + w, w the same on both. Cases prescribe
 * components of H or load them, and nothing else: unknown sw_fem_mean_unknown(i, j) is H_ij times
 * sw_fem_mean_length, the force on it P_ij times the volume over that length, P the mean first Piola-Kirchhoff
 * stress (forces over the undeformed faces). Of H_ij and H_ji, i /= j, one at least must be prescribed, or the body
 * could turn. Preconditioners: jacobi, block_jacobi, and multigrid where the numbers of cells are even often
 * enough. docs/theory.md, Periodic bodies. */
SW_API int64_t sw_fem_mean_unknown(const sw_fem_problem *problem, int i, int j); /* i, j < d */
SW_API double sw_fem_mean_length(const sw_fem_problem *problem);                 /* m */
SW_API double
sw_fem_mean_volume(const sw_fem_problem *problem); /* m3, undeformed; plane: with the thickness */

/* Unknowns of a problem, (N + T + M) c. */
SW_API int64_t sw_fem_count_unknowns(const sw_fem_problem *problem);

/* Unknowns of a node. */
SW_API int sw_fem_unknowns(sw_fem_kinematics kinematics);

/* Add to force [N c] what acts at factor 1 on the undeformed body: pressure (Pa, into the body), traction [3] (Pa;
 * heat: [0] W/m2 in) on a surface set; body_force [3] (N/m3; heat: [0] W/m3) on an element set; a total force [3]
 * (N; W) spread over a node set by its nodes' share of the surface they span, or equally when they span none.
 * SW_ERR_RANGE for a load that is not finite, and a set with a member that the mesh lacks; SW_ERR_MEMORY. Eq. 2.29. */
SW_API sw_status sw_fem_add_pressure(const sw_fem_problem *problem, const sw_fem_set *surface,
                                     double pressure, double *force);
SW_API sw_status sw_fem_add_traction(const sw_fem_problem *problem, const sw_fem_set *surface,
                                     const double traction[3], double *force);
SW_API sw_status sw_fem_add_body_force(const sw_fem_problem *problem, const sw_fem_set *elements,
                                       const double body_force[3], double *force);
SW_API sw_status sw_fem_add_total_force(const sw_fem_problem *problem, const sw_fem_set *nodes,
                                        const double total[3], double *force);
/* A total force spread evenly over a surface set's own area, which must be more than 0: SW_ERR_RANGE. */
SW_API sw_status sw_fem_add_surface_force(const sw_fem_problem *problem, const sw_fem_set *surface,
                                          const double total[3], double *force);

/* ---- How ---- */

/* How the product K p of the tangent with a vector is computed. */
typedef enum {
    SW_FEM_POINTS,    /* no element matrix: B' D B p from the points' flow directions */
    SW_FEM_ASSEMBLED, /* CSR */
    SW_FEM_NBN,       /* stored element matrices: a thread a node */
    SW_FEM_DBD,       /* a thread an unknown */
    SW_FEM_EBE,       /* a thread an element */
    SW_FEM_EBE_NODE,  /* a thread a node of an element */
    SW_FEM_EBE_DOF,   /* a thread an unknown of an element */
    SW_FEM_EBE_SYM,   /* half of each element matrix, a thread an unknown of an element */
    SW_FEM_OPERATORS
} sw_fem_operator;

/* Which matrices the stored-matrix operators keep on meshes of equal boxes; elsewhere every element its own. */
typedef enum {
    SW_FEM_OWN,      /* each element its own */
    SW_FEM_SINGLE,   /* one of each material for elastic elements, plastic ones their own; one pass */
    SW_FEM_SPLIT,    /* the elastic one for all elements, then corrections of plastic ones */
    SW_FEM_IMPROVED, /* elastic elements, then plastic ones, from lists; node-wise: nodes of both kinds */
    SW_FEM_STORAGES
} sw_fem_storage;

/* What products with stored matrices keep near a GPU's cores: variations C, B and A of Kiran 2023, Tables 5.5 and
 * 5.6. Of elastic elements' one matrix (SW_FEM_IMPROVED, one material) and of the vector: */
typedef enum {
    SW_FEM_STAGE_ALL,     /* both, in shared memory; node-wise: the vector in the read-only cache */
    SW_FEM_STAGE_MATRIX,  /* the matrix; the vector is read past the first cache */
    SW_FEM_STAGE_NOTHING, /* all matrices are read so, too; ebe_sym needs its vector in shared memory */
    SW_FEM_STAGE_ELASTIC, /* as ALL, and with SW_FEM_SINGLE the elastic matrix is in shared memory, too (section
                           * 5.3.4.3, Fig. 5.47): kernels look where each element's is; not ebe, ebe_sym */
    SW_FEM_STAGINGS
} sw_fem_staging;

/* How element results are added up. */
typedef enum { SW_FEM_COLOURS, SW_FEM_ATOMICS, SW_FEM_SCATTERS } sw_fem_scatter;

typedef enum {
    SW_FEM_JACOBI,
    SW_FEM_BLOCK_JACOBI, /* c x c blocks of nodes */
    SW_FEM_MULTIGRID, /* geometric, of the elastic operator, at finite strains of the present tangent; voxel
                          * meshes of hex8 */
    SW_FEM_AMG,       /* algebraic, of the assembled tangent of any mesh; CPU */
    SW_FEM_UNPRECONDITIONED,
    SW_FEM_PRECONDITIONERS
} sw_fem_preconditioner;

/* How the tangent's equations are solved. */
typedef enum {
    SW_FEM_SOLVE_AUTO,     /* direct where that is faster, else by the tangent: cg, bicgstab */
    SW_FEM_SOLVE_CG,       /* symmetric positive tangents */
    SW_FEM_SOLVE_BICGSTAB, /* any */
    SW_FEM_SOLVE_GMRES,    /* any */
    SW_FEM_SOLVE_DIRECT,   /* any, by sparse factors; on the CPU, in a build with SuiteSparse */
    SW_FEM_SOLVE_MIXED,    /* elastic boxes with mean dilatation, pressures as unknowns; CPU, multigrid */
    SW_FEM_LINEAR_SOLVERS
} sw_fem_linear_solver;

/* How well the tangent's equations are solved. */
typedef enum {
    SW_FEM_RESIDUAL_FORCING, /* the better, the nearer Newton is to its end: linear_tolerance at most */
    SW_FEM_FIXED_FORCING,    /* to linear_tolerance throughout */
    SW_FEM_FORCINGS
} sw_fem_forcing;

/* As in job files. */
extern SW_API const char *const sw_fem_kinematics_names[SW_FEM_KINEMATICS];
extern SW_API const char *const sw_fem_strain_names[SW_FEM_STRAIN_MEASURES];
extern SW_API const char *const sw_fem_tool_names[SW_FEM_TOOL_SHAPES];
extern SW_API const char *const sw_fem_operator_names[SW_FEM_OPERATORS];
extern SW_API const char *const sw_fem_storage_names[SW_FEM_STORAGES];
extern SW_API const char *const sw_fem_staging_names[SW_FEM_STAGINGS];
extern SW_API const char *const sw_fem_scatter_names[SW_FEM_SCATTERS];
extern SW_API const char *const sw_fem_preconditioner_names[SW_FEM_PRECONDITIONERS];
extern SW_API const char *const sw_fem_linear_names[SW_FEM_LINEAR_SOLVERS];
extern SW_API const char *const sw_fem_forcing_names[SW_FEM_FORCINGS];

typedef enum { SW_FEM_DEVICE_AUTO, SW_FEM_DEVICE_CPU, SW_FEM_DEVICE_CUDA } sw_fem_device;

typedef struct {
    sw_fem_device device; /* auto: a GPU if there is one that can do the rest */
    sw_fem_operator operator_;
    sw_fem_storage storage;
    sw_fem_staging staging;
    sw_fem_scatter scatter;
    sw_fem_preconditioner preconditioner; /* of iterative solvers */
    sw_fem_linear_solver linear;
    int iterative;           /* auto takes no factors, as where the preconditioner was asked for */
    double tolerance;        /* of Newton, Eq. 2.42: |f_ext - f_int| over |f_ext|, reactions included */
    double linear_tolerance; /* of linear solves, |r| over |r_0| */
    sw_fem_forcing forcing;  /* whether Newton's first, which need less, get less */
    double least_increment;  /* of a step's range of factors, before giving up */
    int64_t most_newton, most_cg;
    int64_t line_search; /* steps of it at most; 0: none */
} sw_fem_options;

/* Of the problem's mesh, and whether it is periodic, alone: its loads need not be there yet; all processes ask. Multigrid on
 * lattices of hex8; else AMG where the device is the CPU, block-Jacobi on a GPU, which all have, and of periodic bodies.
 * `points`; tolerance 1e-6, linear 1e-7, 25 Newton and 20,000 CG iterations, line search 5, least increment 1e-4. */
SW_API sw_fem_options sw_fem_default_options(const sw_fem_problem *problem, sw_fem_device device);

/* ---- An analysis ---- */

typedef struct sw_fem sw_fem;

/* The problem is borrowed until closed. Checks it: SW_ERR_RANGE for a mesh that sw_fem_mesh_check refuses, a surface
 * with faces that the mesh lacks, a property out of its bound, a load that is not finite, a body
 * that can still move as a rigid one (naming it and the motion), a preconditioner or operator that does
 * not fit the mesh; SW_ERR_UNAVAILABLE; SW_ERR_MEMORY. */
SW_API sw_status sw_fem_open(const sw_fem_problem *problem, const sw_fem_options *options, sw_fem **fem);
SW_API void sw_fem_close(sw_fem *fem); /* NULL is fine */

/* One Newton iteration, for tables of convergence. */
typedef struct {
    double residual; /* Eq. 2.42, before it */
    int cg;          /* of CG: iterations; BiCGSTAB, GMRES: products with the tangent; direct: solutions */
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
    double external_work; /* J, since the start: of forces and reactions, to some 1e-3; friction: docs */
} sw_fem_report;

/* From the present factors to factor [L], on a straight line, in substeps that are halved when Newton
 * fails and grow again; a substep begins with `increment` of the way (in: at first; out: what it would try
 * next, so that going on later repeats an uninterrupted run; 1 is a good start). SW_ERR_CONVERGENCE when
 * the least increment fails: the state is that of the last substep that converged, its factors in the
 * message; SW_ERR_INTERRUPTED likewise; SW_ERR_RANGE for a factor that is not finite and an increment that
 * is not more than 0. */
SW_API sw_status sw_fem_advance(sw_fem *fem, const double *factor, double *increment, sw_fem_report *report);

/* Seconds that the whole way of each sw_fem_advance from here on takes; 1 before. SW_ERR_RANGE: not more than 0. Only
 * crystals feel time. */
SW_API sw_status sw_fem_set_duration(sw_fem *fem, double seconds);

/* What a tool does to the body. */
typedef struct {
    double touching; /* nodes */
    double area;     /* m2, deformed, of the nodes that touch */
    double pressure; /* Pa, the largest */
    double gap;      /* m, the least of a node of its surfaces; negative: how deep it is in the tool */
    double sunk;     /* the deepest, of the depth of the element behind it */
    double held; /* N, sum of what held nodes in the last substep as long as the tool had touched nothing */
} sw_fem_contact_sums;

/* Means of a periodic body over its undeformed cell: F; P, first Piola-Kirchhoff, which is the Cauchy stress at small
 * strains; else sigma = P F' / det F, the mean over the deformed cell. The first d rows and columns; the rest is 0. */
typedef struct {
    double gradient[3][3], nominal[3][3], cauchy[3][3]; /* 1, Pa, Pa */
} sw_fem_mean;

/* What the crystals of a point have come to. */
typedef struct {
    double slip;            /* sum of all systems' slips, mean over the crystals */
    double work;            /* of plastic slip, J per deformed m3 */
    double slip_resistance; /* mean, Pa */
    double taylor_factor;   /* slip rate over von Mises' equivalent strain rate, in the last substep */
} sw_fem_crystal_point;

/* Fields of the present state into caller's arrays; each may be NULL. SW_ERR_MEMORY. */
typedef struct {
    double *displacement; /* [N + T + M][c] m (K); periodic: of every node, from the first one on */
    double *
        force; /* [N + T + M][c] internal forces, contact's included: loads, and reactions + loads where prescribed */
    double *external;       /* [N + T + M][c] loads of the present factors: force less these are reactions */
    double (*stress)[6];    /* [E] Pa, mean over the points (heat: minus the flux, W/m2); Cauchy's */
    double (*strain)[6];    /* [E] mean over the points, tensor components; finite: ln V */
    double *von_mises;      /* [E] Pa, of the mean stress */
    double *plastic_strain; /* [E] equivalent, mean over the points */
    uint8_t *plastic;       /* [E] number of points that yielded in the last substep */
    double (*point_stress)[6];     /* [E][Q] Pa */
    double (*point_strain)[6];     /* [E][Q] as strain */
    double *point_plastic_strain;  /* [E][Q] equivalent */
    double *factor;                /* [L] */
    double *contact_pressure;      /* [N] Pa, of all tools, on the deformed area; 0 where nothing touches */
    double (*contact_friction)[3]; /* [N] Pa, likewise */
    double *slip;                  /* [N] m, in all */
    sw_fem_contact_sums *contact;  /* [T] */
    sw_fem_mean *mean;             /* of a periodic body */
    sw_fem_crystal_point *crystal; /* [E] of polycrystals, mean over the points; else zeros */
} sw_fem_fields;
SW_API sw_status sw_fem_read(sw_fem *fem, const sw_fem_fields *fields);

/* What a point keeps: 11 22 33 23 13 12 as tensor components; equivalent plastic strain. */
typedef struct {
    union {
        double strain[6]; /* plastic; finite: C_p^-1 - I, in the undeformed body */
        double stress[6]; /* of a polycrystal: deviatoric Cauchy stress, Pa */
    };
    double equivalent;
} sw_fem_point;
enum { SW_FEM_POINT_SIZE = (int)(sizeof(sw_fem_point) / sizeof(double)) }; /* numbers */

/* The state a run goes on from, for restart, in caller's arrays. Restoring it gives the same bits as never
 * having stopped. */
typedef struct {
    double *displacement;          /* [N + T + M][c]; of a periodic body the solver's own unknowns */
    sw_fem_point *points;          /* [E][Q] */
    uint8_t *yielded;              /* [E][Q] in the last substep */
    sw_fem_contact_point *contact; /* [sw_fem_tool_nodes]; may be NULL without tools */
    double *factor;                /* [L] */
    double *last; /* [N + T + M][c] displacement of the last substep, which the next one goes on from, and */
    double *last_factor; /* [L] change of factors in it; both may be NULL at small strains */
    /* Of polycrystals, each may be NULL without any; numbers of crystals and of what is kept: sw_fem_crystal_count. */
    sw_fem_crystal_point *crystal_points; /* [points] */
    sw_crystal *crystal;                  /* [crystals] */
    double *kept;                         /* [kept] */
    double work;                          /* J */
    double largest; /* N, norm of the largest forces so far: residuals are measured by it after unloading */
    double rates
        [3]; /* of the last substep: dW/ds at its ends, J, s from 0 to 1, and its part of an increment; 0: none */
} sw_fem_state;
/* Of all polycrystals: elements times Q points, crystals, numbers that their solvers keep. */
typedef struct {
    int64_t points, crystals, kept;
} sw_fem_crystal_count;
SW_API sw_fem_crystal_count sw_fem_crystal_counts(const sw_fem_problem *problem);

/* The crystals of element e: crystal and weight [Q n], point by point; weight may be NULL. n: of its material.
 * SW_ERR_RANGE for an element without. */
SW_API sw_status sw_fem_read_crystals(sw_fem *fem, int64_t e, sw_crystal *crystal, float *weight);
/* m3 of element e of the problem's mesh before anything deforms it; axisymmetric: of a whole turn; plane: by the thickness. */
SW_API double sw_fem_element_volume(const sw_fem_problem *problem, int64_t e);

/* Nodes of all tools' surfaces, each tool's once; -1: SW_ERR_MEMORY. */
SW_API int64_t sw_fem_tool_nodes(const sw_fem_problem *problem);
SW_API sw_status sw_fem_save(sw_fem *fem, sw_fem_state *state);
SW_API sw_status sw_fem_restore(sw_fem *fem, const sw_fem_state *state);

/* Wall-clock seconds since opened, by stage, and memory. */
typedef struct {
    double setup;                 /* colours, hierarchy, matrices of elastic elements */
    double tangent;               /* segregation and matrices of plastic elements */
    double linear;                /* solves, their products, preconditioner and factors included */
    double product, precondition; /* of these: measured on the CPU only, else 0 */
    double stress;                /* radial return and internal forces */
    double other;
    int64_t bytes, most_bytes; /* on the device, now and at most */
} sw_fem_timing;
SW_API sw_fem_timing sw_fem_timings(const sw_fem *fem);
SW_API const char *sw_fem_device_name(const sw_fem *fem); /* "NVIDIA H200", "2 CPU threads" */

#ifdef __cplusplus
}
#endif

#endif
