/* A representative volume element: what is given, its state, and its memory.
 *
 * All that belongs to one element lies in one block of memory, so that it goes to a GPU, comes back, and is
 * kept in a file as it is. Stress, strain and strain rate are positive in compression, as soil mechanics has
 * them; a velocity gradient is kinematics' own (positive: extension).
 *
 * Dimensions: P particles, C pairs (Verlet neighbours: contacts and near misses), R volume elements, S
 * stages.
 */
#ifndef SW_ONLINE_DEM_ELEMENT_RVE_H
#define SW_ONLINE_DEM_ELEMENT_RVE_H

#include <stddef.h>
#include <stdint.h>

#include "cell.h"
#include "common/system/status.h"
#include "online/dem/contact/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is given ---- */

/* Symmetric components in this order wherever there are six: 11 22 33 23 13 12. */
enum { SW_DEM_SIX = 6 };

/* What ends a stage. `goal` and `component` are the stage's. */
#define SW_DEM_UNTIL_LIST(X)                                                                                \
    X(SW_DEM_UNTIL_STRAIN, "strain")               /* |strain since the stage began|, one component */      \
    X(SW_DEM_UNTIL_VOLUME_STRAIN, "volume_strain") /* |ln(V / V at the stage's beginning)| */               \
    X(SW_DEM_UNTIL_VOID_RATIO, "void_ratio")       /* crossed from the side it began on */                  \
    X(SW_DEM_UNTIL_PRESSURE, "pressure")           /* mean stress, Pa, reached or above */                  \
    X(SW_DEM_UNTIL_EQUILIBRIUM, "equilibrium") /* stresses within tolerance, unbalanced force below goal */ \
    X(SW_DEM_UNTIL_TIME, "time")               /* s since the stage began */                                \
    X(SW_DEM_UNTIL_STEPS, "steps")

typedef enum {
#define SW_DEM_UNTIL_ENUM(name, text) name,
    SW_DEM_UNTIL_LIST(SW_DEM_UNTIL_ENUM)
#undef SW_DEM_UNTIL_ENUM
        SW_DEM_UNTILS
} sw_dem_until;

/* One stage of a load path. Of the six components each is driven by its strain rate or, by the servo, to a
 * stress. */
typedef struct {
    double velocity_gradient[3][3]; /* 1/s; of stress-driven components nothing is used */
    int stress_driven[SW_DEM_SIX];
    double stress[SW_DEM_SIX]; /* Pa, compression: what stress-driven components go to */
    /* Part of the present stress of component `component` that is added to the target: constant mean stress.
     */
    double follow[SW_DEM_SIX];
    double ramp;     /* s: targets move there linearly from the stress at the beginning; 0: at once */
    double max_rate; /* 1/s: bound of a servo-driven strain rate */
    sw_dem_until until;
    int component; /* of the strain that ends it: 0 .. 5 */
    double goal;
    double stress_tolerance; /* relative, for equilibrium */
    int64_t max_steps;       /* a failure when the goal is not reached by then */
    double friction;         /* tan(phi) in this stage; negative: the material's */
    double friction_decay;   /* > 0: while stresses are within tolerance, friction is lowered by this part at
                              * each control interval (packing to a void ratio) */
    int zero_strain;         /* strain and volume strain count from this stage's beginning */
    int unrecorded;          /* no records in this stage */
    int wait_for_rest;       /* strain-driven rates pause while kinetic exceeds elastic energy (section 6) */
} sw_dem_stage;

typedef enum {
    SW_DEM_DAMPING_PREDICTED, /* against the velocity half a step on: Eqs. 9b, 9c */
    SW_DEM_DAMPING_CUNDALL    /* against the velocity */
} sw_dem_damping;

typedef enum {
    SW_DEM_STEP_WAVE,      /* safety * least of r sqrt(rho / E): Eq. 10, corrected */
    SW_DEM_STEP_STIFFNESS, /* safety * least of sqrt(m / K), K the sum of a particle's stiffnesses */
    SW_DEM_STEP_FIXED      /* seconds */
} sw_dem_step_rule;

typedef struct {
    sw_dem_damping damping_form;
    double damping; /* C_damp, 0 .. 1 */
    sw_dem_step_rule step_rule;
    double step;              /* safety, or s */
    double skin;              /* of the least radius: Verlet list */
    int32_t control_interval; /* steps between measurements, which the servo follows; at most */
    int64_t record_interval;  /* steps between records, at the end of an interval; 0: none */
    double servo_gain;        /* of the stress error, by affine stiffness, that one interval corrects */
} sw_dem_numerics;

/* ---- What is measured, at the end of control intervals ---- */

/* name, unit, meaning */
#define SW_DEM_ROW_LIST(X)                                                                        \
    X(time, "s", "time")                                                                          \
    X(stage, "1", "number of the stage, from 0")                                                  \
    X(step, "1", "steps done")                                                                    \
    X(strain_11, "1", "logarithmic strain, compression positive, since the start or zero_strain") \
    X(strain_22, "1", "")                                                                         \
    X(strain_33, "1", "")                                                                         \
    X(strain_23, "1", "tensor component, half the engineering strain")                            \
    X(strain_13, "1", "")                                                                         \
    X(strain_12, "1", "")                                                                         \
    X(stress_11, "Pa", "Love-Weber stress, compression positive, Eq. 11")                         \
    X(stress_22, "Pa", "")                                                                        \
    X(stress_33, "Pa", "")                                                                        \
    X(stress_23, "Pa", "symmetric part")                                                          \
    X(stress_13, "Pa", "")                                                                        \
    X(stress_12, "Pa", "")                                                                        \
    X(pressure, "Pa", "p, Eq. 12a")                                                               \
    X(deviator, "Pa", "q, Eq. 12b with shear components")                                         \
    X(volume_strain, "1", "epsilon_V, compression positive")                                      \
    X(deviator_strain, "1", "epsilon_q, Eq. 13b with 2/3 instead of 1")                           \
    X(void_ratio, "1", "volume of voids over volume of particles")                                \
    X(contacts, "1", "pairs that touch")                                                          \
    X(coordination, "1", "2 contacts / particles")                                                \
    X(mechanical_coordination, "1", "the same without particles of fewer than two contacts")      \
    X(sliding_fraction, "1", "contacts at Coulomb's limit")                                       \
    X(rolling_fraction, "1", "contacts at a limit of a moment")                                   \
    X(fabric_11, "1", "mean of n n")                                                              \
    X(fabric_22, "1", "")                                                                         \
    X(fabric_33, "1", "")                                                                         \
    X(fabric_23, "1", "")                                                                         \
    X(fabric_13, "1", "")                                                                         \
    X(fabric_12, "1", "")                                                                         \
    X(mean_overlap, "1", "over the mean radius")                                                  \
    X(unbalanced_force, "1", "mean resultant of particles over mean contact force")               \
    X(inertia_number, "1", "sqrt(D:D / 2) 2 r_mean sqrt(rho / p), Eq. 20 corrected")              \
    X(kinetic_energy, "J", "of fluctuations")                                                     \
    X(elastic_energy, "J", "of contacts")                                                         \
    X(boundary_work, "J", "done on the element since the start")                                  \
    X(friction_work, "J", "dissipated by sliding")                                                \
    X(rolling_work, "J", "dissipated by rolling and twisting limits")                             \
    X(damping_work, "J", "dissipated by local damping")                                           \
    X(friction, "1", "tan(phi) at present")                                                       \
    X(time_step, "s", "")                                                                         \
    X(pairs, "1", "in the Verlet list")                                                           \
    X(rebuilds, "1", "of the Verlet list")

typedef struct {
#define SW_DEM_ROW_MEMBER(name, unit, meaning) double name;
    SW_DEM_ROW_LIST(SW_DEM_ROW_MEMBER)
#undef SW_DEM_ROW_MEMBER
} sw_dem_row;

/* ---- State ---- */

typedef enum {
    SW_DEM_RUNNING,
    SW_DEM_DONE, /* all stages */
    /* waits for the host, which gives memory and lets it go on */
    SW_DEM_NEEDS_PAIRS,
    SW_DEM_NEEDS_IMAGES,
    /* failures, for good */
    SW_DEM_FAILED_GOAL,   /* max_steps of a stage */
    SW_DEM_FAILED_DENSE,  /* falling friction cannot reach the stage's void ratio */
    SW_DEM_FAILED_STRESS, /* a stage ended with a stress far from where the servo should hold it */
    SW_DEM_FAILED_SOFT,   /* particles overlap by a fifth of their radius on average */
    SW_DEM_FAILED_CELL,   /* a particle larger than half the cell, or no volume */
    SW_DEM_FAILED_FINITE, /* a number is not finite: overlaps too large, time step too long */
    SW_DEM_FAILED_LIST    /* a particle outran the Verlet list */
} sw_dem_status;

/* Sums and maxima of the last measurement: SW_DEM_SUM_*, step.h. */
enum { SW_DEM_SUM_COUNT = 26, SW_DEM_LARGEST_COUNT = 4, SW_DEM_WORK_COUNT = 4 };

typedef struct {
    sw_dem_cell cell;
    double reference[3][3]; /* product of increments of deformation since the list was made */
    double velocity_gradient[3][3];
    double time, time_step;
    int64_t step, stage_step, next_record; /* the last two since the stage began */
    int32_t stage;
    int32_t status;
    int32_t interval;          /* steps of this control interval: fewer than asked for when particles fly */
    double strain[SW_DEM_SIX]; /* integral of D, compression positive; zeroed where a stage asks */
    double volume0;            /* where volume_strain counts from */
    double stage_strain[SW_DEM_SIX], stage_volume, stage_time;
    double stage_stress[SW_DEM_SIX];
    double servo[SW_DEM_SIX]; /* steady strain rates that the servo has learnt, 1/s */
    double friction;
    double work[SW_DEM_WORK_COUNT];  /* since the start, J: boundary, friction, rolling, damping */
    double delta[SW_DEM_WORK_COUNT]; /* of the last interval */
    double sum[SW_DEM_SUM_COUNT], largest[SW_DEM_LARGEST_COUNT];
    double stress[3][3]; /* Pa: sum of f_i d_j / V, compression positive */
    int64_t rebuilds;
    int64_t n_pairs, n_images, n_rows;
    int32_t list_valid;  /* whether pairs are of the present positions */
    int32_t pause;       /* GPU: the team ends its launch here */
    int32_t index_valid; /* whether list and list_first are of the present pairs */
    int32_t at_rest;     /* consecutive measurements at equilibrium */
} sw_dem_state;

/* ---- Memory ---- */

/* Where an element's arrays are; lengths are capacities. Pointers are of one side, host or device, or NULL
 * where there is no such array. */
typedef struct {
    int64_t n_particles;
    int64_t n_stages, stage_capacity, pair_capacity, bin_capacity, row_capacity;
    int64_t image_capacity; /* 0: nearest images; else boundary particles */
    int n_classes;
    double class_radius[8]; /* largest radius of each size class, ascending */
    double mean_radius, least_radius, largest_radius, solid_volume;

    sw_dem_material material;
    sw_dem_numerics numerics;
    sw_dem_state *state;
    const sw_dem_stage *stage; /* [S] */

    /* Kept. */
    double (*position)[3];     /* [P] m; images [image_capacity] after them */
    double (*velocity)[3];     /* [P] m/s: fluctuation, without the affine part */
    double (*spin)[3];         /* [P] rad/s */
    double *radius;            /* [P] m */
    double (*displacement)[3]; /* [P] m: fluctuation since the list was made */
    int32_t *first;      /* [P + 1] rows of pairs: those of particle a are first[a] .. first[a + 1] - 1 */
    int32_t (*pair)[2];  /* [C] particle a; particle b with its image's code above it: SW_DEM_PAIR_* */
    double *history;     /* [7][C] sw_dem_history, member by member */
    uint8_t *touching;   /* [C] SW_DEM_TOUCHES and what else it did in the last step */
    int32_t *class_of;   /* [P] size class */
    int32_t *image_of;   /* [image_capacity] particle, and code as in pair; boundary particles only */
    int32_t *pair_image; /* [C] where b's position is; boundary particles only */
    int64_t kept_bytes;  /* of the block, from its beginning */

    /* Scratch. */
    int32_t *other_first; /* the list that is being made */
    int32_t (*other_pair)[2];
    double *other_history;
    uint8_t *other_touching;
    double *result;      /* [9 C] of the last step: force on b, moments on a and on b (SW_DEM_RESULT) */
    int32_t *list_first; /* [P + 1] the pairs of a particle, as a or b */
    int32_t *list;       /* [2 C] 2 pair + (1 if it is b) */
    int32_t *bin_of;     /* [P + image_capacity] */
    int32_t *bin_first;  /* [B + 1] */
    int32_t *bin_count;  /* [B] */
    int32_t *bin;        /* [P + image_capacity] particles and images, bin by bin */
    sw_dem_row *row;     /* [row_capacity] */
    int64_t bytes;       /* of the whole block */
    char *block;
} sw_dem_rve;

enum { SW_DEM_PAIR_BITS = 26, SW_DEM_PAIR_MASK = (1 << 26) - 1 }; /* 6.7e7 particles, 32 codes */
enum { SW_DEM_MOST_PAIRS = 1 << 30 };
enum { SW_DEM_TOUCHES = 1, SW_DEM_SLIDES = 2, SW_DEM_ROLLS = 4 };

/* Set all pointers for a block that begins at `block` (16-byte aligned; NULL: only count bytes), from the
 * capacities. Returns the bytes of the block. */
int64_t sw_dem_layout(sw_dem_rve *rve, char *block);

/* A host element with room for what `status` asks for (or for one more stage): a new block with what is kept.
 * SW_ERR_MEMORY leaves it as it was. */
sw_status sw_dem_grow(sw_dem_rve *rve, int32_t need);

#ifdef __cplusplus
}
#endif

#endif
