/* A representative volume element: its state, and its memory.
 *
 * All that belongs to one element lies in one block of memory, so that it goes to a GPU, comes back, and is
 * kept in a file as it is. Signs are those of slipwave/dem.h.
 *
 * Dimensions: P particles, C pairs (Verlet neighbours: contacts and near misses), R volume elements, S stages. */
#ifndef SW_ONLINE_DEM_ELEMENT_RVE_H
#define SW_ONLINE_DEM_ELEMENT_RVE_H

#include <stddef.h>
#include <stdint.h>

#include "cell.h"
#include "common/system/status.h"
#include "online/dem/contact/contact.h"
#include "slipwave/dem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- State ---- */

typedef enum {
    SW_DEM_RUNNING,
    SW_DEM_DONE, /* all stages */
    /* waits for the host, which gives memory and lets it go on */
    SW_DEM_NEEDS_PAIRS,
    SW_DEM_NEEDS_IMAGES,
    SW_DEM_NEEDS_CRYSTALS, /* waits for the host to ask its particles' crystals */
    SW_DEM_NEEDS_SNAPSHOT, /* waits for the host to look at it */
    /* failures, for good */
    SW_DEM_FAILED_GOAL,   /* max_steps of a stage */
    SW_DEM_FAILED_DENSE,  /* falling friction cannot reach the stage's void ratio */
    SW_DEM_FAILED_PASSED, /* a stage whose volume goes away from its void ratio */
    SW_DEM_FAILED_STRESS, /* a stage ended with a stress far from where the servo should hold it */
    SW_DEM_FAILED_STEP,   /* a fixed step beyond the critical one */
    SW_DEM_FAILED_SOFT,   /* particles overlap by a fifth of their radius on average */
    SW_DEM_FAILED_CELL,   /* a particle larger than half the cell, or no volume */
    SW_DEM_FAILED_FINITE, /* a number is not finite: overlaps too large, time step too long */
    SW_DEM_FAILED_LIST,   /* a particle outran the Verlet list */
    SW_DEM_FAILED_THROUGH /* a particle went through a mesh */
} sw_dem_status;

/* ---- What a measurement adds up over the element: places in its arrays ---- */

enum {
    SW_DEM_SUM_STRESS,                         /* 9: force times branch, N m */
    SW_DEM_SUM_FABRIC = SW_DEM_SUM_STRESS + 9, /* n n */
    SW_DEM_SUM_CONTACTS = SW_DEM_SUM_FABRIC + SW_DEM_SIX,
    SW_DEM_SUM_SLIDING,
    SW_DEM_SUM_ROLLING,
    SW_DEM_SUM_OVERLAP,    /* m */
    SW_DEM_SUM_FORCE,      /* N */
    SW_DEM_SUM_ELASTIC,    /* J */
    SW_DEM_SUM_STIFFNESS,  /* K_N d^2, N m */
    SW_DEM_SUM_UNBALANCED, /* N */
    SW_DEM_SUM_KINETIC,    /* J */
    SW_DEM_SUM_RATTLERS,
    SW_DEM_SUM_RATTLER_CONTACTS,
    SW_DEM_SUM_AREA,     /* m^2 */
    SW_DEM_SUM_STRENGTH, /* Pa s^N */
    SW_DEM_SUMS
};

enum {
    SW_DEM_LARGEST_TRAVEL,       /* m */
    SW_DEM_LARGEST_SPEED,        /* m/s */
    SW_DEM_LARGEST_FREQUENCY,    /* squared, 1/s^2 */
    SW_DEM_LARGEST_ACCELERATION, /* m/s^2 */
    SW_DEM_LARGESTS
};

/* J */
enum {
    SW_DEM_WORK_BOUNDARY,
    SW_DEM_WORK_FRICTION,
    SW_DEM_WORK_ROLLING,
    SW_DEM_WORK_DAMPING,
    SW_DEM_WORK_PLASTIC,
    SW_DEM_WORKS
};

/* ---- Walls ---- */

/* A wall as it is now; platens of sides come first. */
typedef struct {
    sw_dem_wall of; /* with a unit axis; point and radius move */
    int32_t
        face; /* of vector face / 2: its beginning (even) or end (odd), which goes with the cell; -1: free */
    double rate, learnt;     /* of the servo, m/s: to where particles have more room; the steady part of it */
    double travel;           /* m, of these rates */
    double force, stiffness; /* at the last measurement: pressed with, N; of its contacts, N/m */
} sw_dem_wall_now;

/* ---- Clumps ---- */

/* A rigid body of spheres as it is now; velocities half a step behind. */
typedef struct {
    double position[3], velocity[3]; /* of the centre: m; m/s, fluctuation */
    double turn[4];                  /* quaternion w x y z from the frame of its principal axes to space */
    double momentum[3], spin[3];     /* angular, in space: kg m^2/s, rad/s */
    double mass, inertia[3];         /* kg; principal, kg m^2 */
} sw_dem_clump;

/* What a measurement adds up of each wall, and over all. */
enum {
    SW_DEM_WALL_FORCE,
    SW_DEM_WALL_STIFFNESS,
    SW_DEM_WALL_SUMS,
    SW_DEM_WALL_TOTALS = (6 + (int)SW_DEM_WALLS) * SW_DEM_WALL_SUMS + 1
};

typedef struct {
    sw_dem_cell cell;
    double reference[3][3];            /* product of increments of deformation since the list was made */
    double refreshed[3][3];            /* from the crystals' last refresh to then */
    double strain_since, refresh_time; /* equivalent strain since, s */
    double crystal_work, crystal_strain, crystal_resistance; /* J; equivalent, mean of particles; mean, Pa */
    double velocity_gradient[3][3];
    double affine[3][3]; /* of it what particles follow: between periodic sides */
    double time, time_step;
    int64_t step, stage_step, next_record; /* the last two since the stage began */
    int32_t stage;
    int32_t status;
    int32_t interval;          /* steps of this control interval: fewer than asked for when particles fly */
    double strain[SW_DEM_SIX]; /* integral of D, compression positive; zeroed where a stage asks */
    double seen_strain[SW_DEM_SIX], seen_time; /* at the last measurement: a step before strain and time */
    double volume0;                            /* where volume_strain counts from */
    double stage_strain[SW_DEM_SIX], stage_volume, stage_time;
    double stage_stress[SW_DEM_SIX];
    double servo[SW_DEM_SIX];       /* steady strain rates that the servo has learnt, 1/s */
    double servo_error, servo_mean; /* relative, since stresses were held in this stage; its running mean */
    int32_t held;                   /* whether they were: then they are to stay where they should be */
    double friction;                /* of the stage; with own_friction it is each pair's own */
    int32_t own_friction;
    double wall_sum[SW_DEM_WALL_TOTALS];               /* and contacts, of the last measurement */
    double work[SW_DEM_WORKS];                         /* since the start */
    double delta[SW_DEM_WORKS];                        /* of the last interval */
    double sum[SW_DEM_SUMS], largest[SW_DEM_LARGESTS]; /* of the last measurement */
    double stress[3][3];                               /* Pa: sum of f_i d_j / V, compression positive */
    int64_t rebuilds;
    int64_t n_pairs, n_images, n_rows;
    int32_t list_valid;   /* whether pairs are of the present positions */
    int32_t pause;        /* GPU: the team ends its launch here */
    int32_t index_valid;  /* whether list and list_first are of the present pairs */
    int32_t at_rest;      /* consecutive measurements at equilibrium */
    int32_t snapshot_due; /* the host is to look at it as it is */
    int64_t n_snapshots;  /* that it has taken */
    double next_snapshot; /* strain since the stage began */
    int64_t through;      /* centres that went through meshes; of the first: */
    int32_t through_particle, through_wall;
    double through_way;                        /* m, in that step */
    double enclosed, room;                     /* of a membrane, m^3: by its nodes, by its inner face */
    double membrane_pressure, membrane_stress; /* Pa: outside; what the membrane's tension adds to it */
} sw_dem_state;

/* ---- Memory ---- */

enum { SW_DEM_CLASSES = 8 }; /* of sizes, at most */

/* Where an element's arrays are; lengths are capacities. Pointers are of one side, host or device, or NULL
 * where there is no such array. */
typedef struct {
    int64_t n_particles;
    int64_t n_stages, stage_capacity, pair_capacity, bin_capacity, row_capacity;
    int64_t image_capacity; /* 0: nearest images; else boundary particles */
    int n_classes;
    double class_radius[SW_DEM_CLASSES]; /* largest radius of each size class, ascending */
    double mean_radius, least_radius, largest_radius, solid_volume;

    int n_materials;
    int law_numbers;                            /* that a contact remembers for its law */
    int coupled;                                /* contacts of a particle feel each other: crowding.h */
    double gap;                                 /* beyond touch, over which the law acts at most, m */
    sw_dem_material material[SW_DEM_MATERIALS]; /* all of the first one's law */
    sw_dem_pair_material pair_material[SW_DEM_MATERIALS][SW_DEM_MATERIALS];
    sw_dem_numerics numerics;
    int32_t closed;             /* bit k: vector k has no periodic sides */
    int32_t n_walls, n_platens; /* W, of which those of sides come first */
    int32_t lanes; /* places of a particle with a wall: 1; SW_DEM_MESH_CONTACTS where there are meshes */
    const sw_dem_mesh *mesh[SW_DEM_WALLS]; /* of walls beside the sides; on the host; NULL: it is none */
    int64_t n_clumps, n_bodies;            /* K; and particles that are none's */
    int64_t n_nodes;                       /* of a membrane, the last of all particles; 0: none */
    sw_dem_membrane membrane;
    int32_t heavy;                                        /* there is gravity */
    double gravity[3];                                    /* m/s^2 */
    sw_dem_pair_material wall_material[SW_DEM_MATERIALS]; /* of each with a rigid wall */
    double refresh_strain;  /* between refreshes of crystals; 0: particles have none */
    double snapshot_strain; /* between snapshots; 0: there are none */
    sw_dem_state *state;
    const sw_dem_stage *stage; /* [S] */

    /* Kept. */
    double (*position)[3];     /* [P] m; images [image_capacity] after them */
    double (*velocity)[3];     /* [P] m/s: fluctuation, without the affine part */
    double (*spin)[3];         /* [P] rad/s */
    double *radius;            /* [P] m */
    uint8_t *material_of;      /* [P] */
    double *strength;          /* [P] Pa s^N, of laws that remember; else none */
    sw_dem_crowd *crowd;       /* [P] of coupled contacts, else none */
    double (*displacement)[3]; /* [P] m: fluctuation since the list was made */
    double (*drift)
        [3]; /* [P] m: fluctuation from the crystals' last refresh to displacement's beginning; of crystals */
    double (*turned)[3];   /* [P] rad: since the last refresh; of crystals */
    int32_t *first;        /* [P + 1] rows of pairs: those of particle a are first[a] .. first[a + 1] - 1 */
    int32_t (*pair)[2];    /* [C] particle a; particle b with its image's code above it: SW_DEM_PAIR_* */
    double *history;       /* [SW_DEM_SPRINGS + law_numbers][C] sw_dem_history, member by member */
    uint8_t *touching;     /* [C] SW_DEM_TOUCHES and what else it did in the last step */
    int32_t *class_of;     /* [P] size class */
    int32_t *image_of;     /* [image_capacity] particle, and code as in pair; boundary particles only */
    int32_t *pair_image;   /* [C] where b's position is; boundary particles only */
    sw_dem_wall_now *wall; /* [W] */
    double *
        wall_history; /* [SW_DEM_SPRINGS + law_numbers][lanes W P] of particle i with wall w in lane l at (l W + w) P + i */
    uint8_t *wall_touching;   /* [lanes W P] */
    double (*wall_normal)[3]; /* [lanes W P] unit, into the wall, in the last step; of meshes, else none */
    int32_t *clump_of;        /* [P] -1: none; where there are clumps, as what follows */
    double (*body_arm)
        [3];          /* [P] m, from its clump's centre, in the frame of principal axes; 0 of those without */
    double (*arm)[3]; /* [P] the same in space now */
    int32_t *clump_first;  /* [K + 1] */
    int32_t *clump_member; /* [P] particles, clump by clump, ascending */
    sw_dem_clump *clump;   /* [K] */
    int64_t kept_bytes;    /* of the block, from its beginning */

    /* Scratch. */
    int32_t *other_first; /* the list that is being made */
    int32_t (*other_pair)[2];
    double *other_history;
    uint8_t *other_touching;
    sw_dem_crowd *next_crowd; /* [P] */
    double (*borne)[6]; /* [2 C] force and moment on a particle by the pair at a place of its list, in the
                          * last step; 0 of one that does not touch: through sw_dem_bear and sw_dem_borne.
                          * In the memory of other_history */
    double (*node_force)[6]; /* [nodes] N, of springs, of pressure */
    double *wall_result;     /* [lanes W P][6] of the last step: force and moment on the particle */
    int32_t *list_first;     /* [P + 1] the pairs of a particle, as a or b */
    int32_t *list;           /* [2 C] 2 pair + (1 if it is b) */
    int32_t (*place)[2];     /* [C] where in list a pair is as a's, as b's */
    int32_t *bin_of;         /* [P + image_capacity] */
    int32_t *bin_first;      /* [B + 1] */
    int32_t *bin_count;      /* [B] */
    int32_t *bin;            /* [P + image_capacity] particles and images, bin by bin */
    sw_dem_row *row;         /* [row_capacity] */
    int64_t bytes;           /* of the whole block */
    char *block;
} sw_dem_rve;

enum { SW_DEM_PAIR_BITS = 26, SW_DEM_PAIR_MASK = (1 << 26) - 1 }; /* 6.7e7 particles, 32 codes */
enum { SW_DEM_MOST_PAIRS = 1 << 30 };
enum { SW_DEM_TOUCHES = 1, SW_DEM_SLIDES = 2, SW_DEM_ROLLS = 4 };

/* Grains: particles that are no nodes. */
SW_HD static inline int64_t sw_dem_grains(const sw_dem_rve *rve)
{
#ifndef __CUDA_ARCH__
    return rve->n_particles - rve->n_nodes;
#else
    return rve->n_particles;
#endif
}

/* How far particles may move before the list is made again, m. */
SW_HD static inline double sw_dem_skin(const sw_dem_rve *rve)
{
    return rve->numerics.skin * rve->least_radius;
}

/* Length by which the range of the list exceeds touch: the skin, what the law acts over, and what spheres may grow by. */
SW_HD static inline double sw_dem_margin(const sw_dem_rve *rve)
{
    double margin = sw_dem_skin(rve) + rve->gap;
#ifndef __CUDA_ARCH__
    margin += rve->coupled ? 2 * SW_DEM_MOST_GROWTH * rve->largest_radius : 0;
#endif
    return margin;
}

/* Distance of centres below which two particles touch, m. */
SW_HD static inline double sw_dem_reach(const sw_dem_rve *rve, int64_t a, int64_t b)
{
#ifndef __CUDA_ARCH__
    if (rve->coupled)
        return rve->crowd[a].radius + rve->crowd[b].radius;
#endif
    return rve->radius[a] + rve->radius[b];
}

/* Set all pointers for a block that begins at `block` (16-byte aligned; NULL: only count bytes), from the
 * capacities. Returns the bytes of the block. */
int64_t sw_dem_layout(sw_dem_rve *rve, char *block);

/* Room for what is likely of so many particles, without images: capacities of rve, which runs let grow. And the bytes of an
 * element of them, with a stage. */
void sw_dem_reserve(int64_t n_particles, sw_dem_rve *rve);
int64_t sw_dem_element_bytes(int64_t n_particles);

/* A host element with room for what `status` asks for (or for one more stage): a new block with what is kept.
 * SW_ERR_MEMORY leaves it as it was. */
sw_status sw_dem_grow(sw_dem_rve *rve, int32_t need);

#ifdef __cplusplus
}
#endif

#endif
