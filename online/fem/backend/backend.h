/* What an open analysis holds, and what a device does for it.
 *
 *     analysis/newton.c             load steps and Newton iterations, written once, in terms of the functions below
 *     linear/                       linear solvers, likewise but for the direct one
 *     analysis/cpu.c, cuda.cu       the devices; vectors are pointers [(N + T + M) c] of the device's own
 *     parts/                        the mesh over processes: what these do together
 *     periodic/                     bodies whose opposite faces move alike: wraps a device
 *     contact/                      forces of rigid tools, whose unknowns come after the nodes'
 *     pressure/                     pressures that follow the surface
 *     operators/                    how K p is computed
 *     precondition/                 z = M^-1 r
 *
 * Dimension letters as in slipwave/fem.h. */
#ifndef SW_ONLINE_FEM_BACKEND_BACKEND_H
#define SW_ONLINE_FEM_BACKEND_BACKEND_H

#include "online/fem/law/law.h"
#include "online/fem/mesh/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the points of an analysis are computed (element/measure.h): by their strains, each for itself; or, where any
 * material is a polycrystal, at finite strains and all together. */
typedef enum {
    SW_FEM_MEASURE_SMALL = SW_FEM_SMALL,
    SW_FEM_MEASURE_FINITE = SW_FEM_FINITE,
    SW_FEM_MEASURE_CRYSTALS,
    SW_FEM_MEASURE_MATTER, /* some material has a law of decks: on the CPU; element/laws/matter_points.h */
    SW_FEM_MEASURES
} sw_fem_measure_kind;
sw_fem_measure_kind sw_fem_measure_of(const sw_fem_problem *problem);

/* Largest |D| dt of a substep: more than that, between two deformations of which one leads to the other in many ways, is
 * a guess. */
#define SW_FEM_LARGEST_STEP 0.25

/* The points of polycrystals in the substep that is tried; pointers live on the device. P points: those of an element
 * one after the other, elements by material. */
typedef struct {
    const int32_t *place;                 /* [E] of an element among theirs; -1: another material */
    double (*gradient)[3][3];             /* [P] velocity gradient, 1/s */
    const double (*stress)[6];            /* [P] Cauchy stress but for its bulk law's, Pa, and its slopes: */
    const double (*by_strain_rate)[6][6]; /* [P] as of sw_points */
    const double (*by_spin)[6][3];        /* [P] */
    const double *slip_resistance, *slip_rate; /* [P] Pa, 1/s: means over the crystals */
    sw_fem_crystal_point *history;             /* [P] what is summed up over the accepted substeps */
    double dt;                                 /* s */
    int rests;                                 /* at the accepted state: its stresses, and elastic slopes */
    int couples;                               /* volume makes deviators, and these pressure (sw_points) */
} sw_fem_crystal_view;

/* The mesh and the present tangent, as products need them; pointers live on the device. */
typedef struct {
    sw_fem_kinematics kinematics;
    sw_fem_measure_kind measure;
    int b_bar;
    double thickness;
    int64_t n_nodes, n_elements;
    const double *position;     /* [N][d] */
    const double *at;           /* [N][d] geometry of the tangent at finite strains */
    const int32_t *node;        /* [E][V] */
    const uint8_t *material_of; /* [E] */
    const double *bulk, *shear; /* [n_materials] Pa */
    /* Elements of one colour share no node; device list, bounds on the host. */
    int n_colours;
    const int64_t *colour_first; /* host: [n_colours + 1] */
    const int32_t *coloured;     /* [E] */
    /* Elements with a yielding point, ascending (finite strains: all; on the GPU by colour), and the tangents of
     * their points. */
    int64_t n_plastic;
    const int32_t *plastic; /* [n_plastic] */
    const int32_t *slot;    /* [E] place in `plastic`, -1: elastic */
    const double *nodal;    /* [N][c][c] of the tangent, beyond what elements have; NULL: nothing */
    const double *tangent;  /* [SW_FEM_TANGENT_SIZE][Q][n_plastic] ratio, then flow (law.h); finite strains:
                             * [SW_FEM_FINITE_SIZE] (element/finite.h); of
                             * polycrystals [SW_FEM_GENERAL_SIZE] (element/general.h) */
    sw_fem_crystal_view crystals;
    struct sw_fem_matter_points *matter; /* host; of laws of decks, else NULL */
} sw_fem_view;

/* An operator on one device. `work` is its own, made by open (which may look at fem->options); what open leaves there, its
 * owner closes, after a failure too. Likewise below, and of contact, pressures and periodic bodies. */
typedef struct {
    sw_status (*open)(sw_fem *fem, const sw_fem_view *view, void **work);
    void (*close)(void *work);                                 /* NULL is fine */
    sw_status (*prepare)(void *work, const sw_fem_view *view); /* a new tangent, in `view` */
    sw_status (*product)(void *work, const sw_fem_view *view, const double *p,
                         double *g); /* g = K p, all rows */
    /* Of prepare the part before matrices: which elements are plastic. NULL: nothing. For timing alone. */
    sw_status (*preprocess)(void *work, const sw_fem_view *view);
} sw_fem_operator_functions;

/* A preconditioner, likewise. */
typedef struct {
    sw_status (*open)(sw_fem *fem, const sw_fem_view *view, void **work);
    void (*close)(void *work);                                 /* NULL is fine */
    sw_status (*prepare)(void *work, const sw_fem_view *view); /* before each solve; NULL: nothing to do */
    sw_status (*apply)(void *work, const sw_fem_view *view, const double *r,
                       double *z); /* 0 where prescribed */
} sw_fem_preconditioner_functions;

typedef struct {
    int queues; /* calls return before their work is done: their times mean nothing */
    sw_status (*open)(sw_fem *fem);
    void (*close)(sw_fem *fem); /* after open, failed or not */

    /* Vectors [(N + T + M) c]. */
    sw_status (*allocate)(sw_fem *fem, double **vector); /* zeroed; released by close */
    sw_status (*upload)(sw_fem *fem, const double *host, double *vector);
    sw_status (*download)(sw_fem *fem, const double *vector, double *host);
    sw_status (*combine)(sw_fem *fem, double a, const double *x, double b, double *y); /* y = a x + b y */
    sw_status (*dot)(sw_fem *fem, const double *x, const double *y, double *result);
    sw_status (*free_part)(sw_fem *fem, double *x); /* zero what is prescribed */
    /* CG: x += alpha p, r -= alpha g where free; the new r . r. */
    sw_status (*advance)(sw_fem *fem, double alpha, const double *p, const double *g, double *x, double *r,
                         double *square);

    /* Internal forces of displacement u from the accepted state; counts of points and elements that yield.
     * Keeps which ones, for `tangent`. SW_ERR_CONVERGENCE names an element that u turns inside out. */
    sw_status (*internal)(sw_fem *fem, const double *u, double *force, int64_t *points, int64_t *elements);
    /* external += pressures that follow the surface, at u with factors [L] (host). */
    sw_status (*press)(sw_fem *fem, const double *factor, const double *u, double *external);
    /* The tangent at the last u of `internal` and factors fem->goal; elastic: as if no point yielded. Prepares the
     * operator. */
    sw_status (*tangent)(sw_fem *fem, const double *u, int elastic);
    sw_status (*product)(sw_fem *fem, const double *p, double *g); /* g = K p, all rows */
    /* The preconditioner of the present tangent, and z = M^-1 r (zero where prescribed). */
    sw_status (*prepare)(sw_fem *fem);
    sw_status (*precondition)(sw_fem *fem, const double *r, double *z);

    sw_status (*accept)(sw_fem *fem, const double *u); /* the state at u becomes the accepted one */
    /* Points' state and yielding in the last substep, host arrays [E Q], and contact's; each may be NULL. */
    sw_status (*save)(sw_fem *fem, sw_fem_point *points, uint8_t *yielded, sw_fem_contact_point *contact);
    sw_status (*restore)(sw_fem *fem, const sw_fem_point *points, const uint8_t *yielded,
                         const sw_fem_contact_point *contact);
    sw_status (*wait)(sw_fem *fem); /* for timings */
    /* The present tangent, for those who assemble it; NULL: it lives on the device. */
    const sw_fem_view *(*view)(const sw_fem *fem);
} sw_fem_backend;

/* The tangent's share of what is no element (contact, pressures): blocks that couple two nodes, or a node with itself.
 * Pairs may repeat: blocks add up. Host pointers, borrowed. */
typedef struct {
    int64_t n;
    const int32_t (*pair)[2]; /* [n] the nodes of rows and of columns; a transpose is a pair of its own */
    const double *block;      /* [n][c][c] by row, N/m */
} sw_fem_node_blocks;

enum { SW_FEM_MOST_KRYLOV = 64 };

/* Of a way to new loads: whether they are more than the body carries (analysis/limit.h). */
typedef struct {
    int watched;      /* whether that is asked at all */
    int failures;     /* substeps that failed */
    double failed_at; /* part of the way, the least of theirs */
    double elastic;   /* J, work of the loads' change on the first, elastic displacement of a substep */
    double
        softness; /* of the last substep after a failure, the whole displacement's over that; 0: not known */
    int singular; /* whether its tangent was not positive, or had no factors; a solver that stalls or breaks down shows neither */
    int is_soft;  /* whether any was so much that this may be the limit */
} sw_fem_limit;

struct sw_fem {
    const sw_fem_problem *problem;
    sw_fem_options options;
    const sw_fem_backend *backend;
    void *work;                         /* the backend's */
    int dimension, components, corners; /* d, c, V (= Q) */
    int64_t n_nodes, n_elements, n_unknowns;
    struct sw_fem_crystals *crystals; /* NULL: no polycrystals */
    double duration, dt;              /* s, of the ways to come, and of the substep */
    struct sw_fem_parts *parts;       /* NULL: this process has the whole mesh; else problem is of its part */
    const int32_t *whole_element;     /* [E] numbers in the whole mesh; NULL: the same */
    int64_t n_foreign;                /* the last unknowns: another process counts them in sums */
    struct sw_fem_contact *contact;   /* host; NULL: no tools */
    /* Host; NULL: none follow the surface. */
    struct sw_fem_pressures *pressures;
    int presses;                      /* whether some do, here or in another part */
    struct sw_fem_periodic *periodic; /* host; NULL: the body is not */
    uint8_t *fixed;                   /* [(N + T + M) c] host: prescribed by some case, or a copy's */
    double *factor;                   /* [L] reached */
    double *start, *goal, *delta;     /* [L] of the step and the substep in progress */
    double part;                      /* of the increment: the substep at hand */
    double *last_delta;               /* [L] of the last substep; all 0: nothing to go on from */
    sw_fem_limit limit;               /* of the way in progress */
    int flowed;                       /* whether a point has ever yielded in an accepted state, or may have */
    int released;                     /* whether sticking tools let nodes go when the state was accepted */
    double work_done;                 /* J */
    double rates[3];                  /* of the last substep (slipwave/fem.h) */
    double largest;                   /* N, norm of the largest forces so far, reactions included */
    double contraction;               /* of the residual by Newton's last iteration; infinite: none was */
    int symmetric;                    /* whether the present tangent is */
    int rounds; /* GMRES keeps what the preconditioner, in single precision, made of its basis; not on GPUs, for memory */
    int by_energy; /* CG ends by r . M^-1 r, where that is nearly the error's energy, not by r . r */
    int64_t begun; /* substeps so far */
    int64_t
        tangents; /* made so far, counted with each and whenever `blocks` change: factors of another are stale */
    sw_fem_node_blocks blocks; /* of the present tangent, beside its elements */
    void *linear_work;         /* the linear solver's */
    /* Called before the state of the last increment's end changes on the way to the next one, but for a way in one substep,
     * which is accepted at its end; NULL: nobody keeps it. */
    sw_status (*leaving)(void *keeper);
    void *keeper;
    char device_name[256];
    sw_fem_timing timing;
    /* Vectors on the device; u is the accepted one. */
    double **force;      /* [L] of cases, NULL where none */
    double **prescribed; /* [L] displacement at factor 1, NULL where all are zero */
    double *last;        /* displacement of the last substep; NULL: not kept */
    const double
        *rest; /* u as the points take it: itself, of a periodic body the displacement that it means */
    double *u, *trial, *external, *internal, *residual, *held, *increment;
    double *p, *g, *z;
    double *krylov[SW_FEM_MOST_KRYLOV]; /* of solvers that need more, from first use; NULL until then */
};

/* What the CPU's loops take of one core with AVX-512, ns, at least (bench_fem, perf): an unknown of a vector; an
 * element's product with the tangent, in bundles; its matrix; its states or forces. Colours end at barriers, so
 * what threads share is one colour's work: sw_threads_for(elements / colours, ...). */
enum { SW_FEM_UNKNOWN_NS = 1, SW_FEM_PRODUCT_NS = 35, SW_FEM_MATRIX_NS = 100, SW_FEM_STATE_NS = 100 };

/* What is held on the device changed by so many bytes. */
static inline void sw_fem_count_bytes(sw_fem *fem, int64_t change)
{
    fem->timing.bytes += change;
    if (fem->timing.bytes > fem->timing.most_bytes)
        fem->timing.most_bytes = fem->timing.bytes;
}

/* The colours of a mesh: first [n_colours + 1] and elements by colour [E], ascending within; released with
 * free(). Voxel meshes: eight (four) by parity. SW_ERR_MEMORY. */
sw_status sw_fem_colour(const sw_fem_mesh *mesh, int *n_colours, int64_t **first, int32_t **coloured);

#ifdef __cplusplus
}
#endif

#endif
