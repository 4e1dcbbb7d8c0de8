/* Many representative volume elements of spheres at once: the library behind `slipwave dem`, and for host
 * programs (hierarchical FEM x DEM: an element a Gauss point).
 *
 *     sw_dem_open(&options, n_rves, sample, &dem);
 *     sw_dem_run(dem, NULL, NULL);                     all stages of all elements
 *     for each macroscopic step {
 *         sw_dem_add_stage(dem, r, &stage);            one more deformation for element r ...
 *         sw_dem_run(dem, NULL, NULL);
 *         sw_dem_last_row(dem, r, &row);               ... and its stress
 *     }
 *     sw_dem_close(dem);
 *
 * Each element has its own packing, parameters and load path and knows nothing of the others: alone or in a
 * batch of any size it gives the same bits on the same device and strategy. Calls on one sw_dem come from one
 * thread. Each run on a GPU carries its elements there and back: make runs long.
 *
 * Stress, strain and strain rate are positive in compression, as soil mechanics has them; a velocity gradient
 * is kinematics' own (positive: extension). Cundall and Strack 1979; Lubbe et al. 2022, whose numbers
 * equations have here; docs/theory.md, section 13.
 *
 * Dimensions: R elements, P particles, C contacts, S stages, K points of a grading curve. */
#ifndef SLIPWAVE_DEM_H
#define SLIPWAVE_DEM_H

#include <stdint.h>

#include "slipwave/response.h"
#include "slipwave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Symmetric components in this order wherever there are six: 11 22 33 23 13 12. */
enum { SW_DEM_SIX = 6 };

/* ---- What particles are made of ---- */

/* Contact laws: name, text of job files, what the law's functions in online/dem/contact are called by, how many
 * numbers of its own a contact remembers, up to which mean overlap over the mean radius it holds, which numbers of a
 * material (keys of job files) are its own, what it is. */
#define SW_DEM_LAW_LIST(X)                                                                            \
    X(SW_DEM_LINEAR, "linear", linear, 0, 0.2, "",                                                    \
      "stiffness by the harmonic radius: Lubbe et al. 2022, Eq. 2")                                   \
    X(SW_DEM_HERTZ_MINDLIN, "hertz_mindlin", hertz_mindlin, 0, 0.2, "",                               \
      "Hertz 1882; Mindlin 1949, without slip")                                                       \
    X(SW_DEM_METAL, "metal", metal, 6, 0.6, "strength rate_sensitivity cohesion",                     \
      "power-law flow, Storakers et al. 1997; unloading, Mesarovic and Johnson 2000")                 \
    X(SW_DEM_DMT, "dmt", dmt, 0, 0.2, "adhesion",                                                     \
      "hertz_mindlin and a constant pull of the surfaces, Derjaguin et al. 1975")                     \
    X(SW_DEM_JKR, "jkr", jkr, 1, 0.2, "adhesion", "soft and sticky spheres, Johnson et al. 1971")     \
    X(SW_DEM_COHESIVE, "cohesive", cohesive, 1, 0.2, "bond_strength",                                 \
      "linear, and a bond that bears tension to a bound")                                             \
    X(SW_DEM_CAPILLARY, "capillary", capillary, 1, 0.2, "liquid_volume liquid_tension wetting_angle", \
      "linear, and a liquid bridge, Willett et al. 2000, Lian et al. 1993")

typedef enum {
#define SW_DEM_LAW_ENUM(name, text, function, numbers, overlap, keys, meaning) name,
    SW_DEM_LAW_LIST(SW_DEM_LAW_ENUM)
#undef SW_DEM_LAW_ENUM
        SW_DEM_LAWS
} sw_dem_law;

/* Which length makes a rotational stiffness of K_T: min(r_a, r_b)^2 (Eq. 7) or r_a r_b (Yade). */
typedef enum { SW_DEM_MOMENT_MINIMUM, SW_DEM_MOMENT_PRODUCT, SW_DEM_MOMENT_RADII } sw_dem_moment_radius;

typedef struct {
    sw_dem_law law;
    sw_dem_moment_radius moment_radius;
    double young;          /* Pa; > 0 */
    double poisson;        /* linear: K_T / K_N, 0 .. 10; others: Poisson's ratio, -1 < poisson <= 0.5 */
    double friction;       /* tan(phi); >= 0 */
    double roll_stiffness; /* eta, Eq. 7; 0 with the strength 0: no moments */
    double twist_stiffness;
    double roll_strength; /* alpha, Eq. 8b, times min(r_a, r_b) */
    double twist_strength;
    double density;  /* kg/m^3; > 0 */
    double strength; /* metal: sigma1, flow stress at 1 1/s, Pa s^N; > 0. Of crystals: until they are asked */
    double rate_sensitivity; /* metal: N, 0 < N <= 1; of all materials of an element the same */
    double cohesion; /* metal: tension that a contact bears, over the force that it flowed under; 0 .. 1 */
    double
        adhesion; /* dmt, jkr: work that parts a unit of contact area, J/m^2; >= 0. Of two materials the root of
                      * their product */
    double bond_strength;  /* cohesive: tension on the circle of the smaller radius, Pa; >= 0 */
    double liquid_volume;  /* capillary: of each bridge, m^3; > 0 */
    double liquid_tension; /* capillary: of the liquid's surface, N/m; >= 0 */
    double wetting_angle;  /* capillary: contact angle of the liquid, rad; 0 .. pi / 2 */
    int coupled; /* metal, N <= 0.1, all of an element, on the CPU: contacts of a particle feel each other, to densities near 1 */
} sw_dem_material;

enum { SW_DEM_MATERIALS = 4 }; /* of an element, at most; all of one law */

/* Quartz of Lubbe et al. 2022, Table 2, with a tenth of its printed strengths of moments. */
SW_API sw_dem_material sw_dem_quartz(void);

/* ---- Sides and walls ---- */

/* What is at both faces of a cell vector. Walls and open sides ask for a vector along its axis, and the others across
 * it. */
typedef enum {
    SW_DEM_PERIODIC, /* the element again */
    SW_DEM_WALLED, /* rigid platens: one holds still, the other goes with the cell's length, which strain rates or
                      * the servo of the stress drive as ever */
    SW_DEM_OPEN, /* nothing: particles may leave */
    SW_DEM_SIDES
} sw_dem_side;

typedef enum { SW_DEM_PLANE, SW_DEM_CYLINDER, SW_DEM_MESH, SW_DEM_WALL_SHAPES } sw_dem_wall_shape;

/* A surface of triangles, thin and with both sides, as a wall; on the CPU. A particle touches it at every point of it that
 * is nearer to its centre than all points around: inside a triangle, on an edge that is turned to it, or in a corner, so
 * that triangles that share an edge count once there. Of more than SW_DEM_MESH_CONTACTS the deepest. */
typedef struct sw_dem_mesh sw_dem_mesh;
enum { SW_DEM_MESH_CONTACTS = 8 }; /* of a particle with a mesh, at most */

/* n triangles of corners [n][3][3], m. SW_ERR_RANGE names triangle, value and bound: none, more than 1e7, corners not
 * finite or beyond 1e6 m, a triangle without area. SW_ERR_MEMORY. */
SW_API sw_status sw_dem_mesh_make(int64_t n, const double (*corner)[3][3], sw_dem_mesh **mesh);
/* An STL file, of letters or bytes; scale: m of a unit of it. SW_ERR_INPUT names the file, and line or triangle; SW_ERR_IO;
 * SW_ERR_MEMORY. */
SW_API sw_status sw_dem_mesh_read(const char *path, double scale, sw_dem_mesh **mesh);
SW_API void sw_dem_mesh_free(sw_dem_mesh *mesh);
SW_API int64_t sw_dem_mesh_triangles(const sw_dem_mesh *mesh);

/* A rigid wall: a half space, a cylinder without ends, or a mesh, beside which no vector is periodic. The first two extend beyond all sides, and so must be as they are in each
 * periodic image: a plane's normal and a cylinder's radii are along vectors that are not periodic. Particles meet it as
 * the rigid body of infinite radius that it is: Hertz' 1/E* = (1 - nu^2) / E, R = r; the linear law K_N = 2 E r. Other
 * numbers are those of the particle's material with itself. */
typedef struct {
    sw_dem_wall_shape shape;
    double point[3]; /* m: of the plane, or of the cylinder's axis; where a mesh's origin is */
    double axis
        [3]; /* of any length: a plane's normal, to where particles are; along a cylinder's axis; what a mesh's
                         * force is measured against, and its servo moves it along, as a plane's */
    double radius;      /* of a cylinder, m: > 0 particles are inside, < 0 outside */
    double velocity[3]; /* m/s */
    double growth;      /* of a cylinder's radius, m/s */
    int force_driven; /* a servo moves a plane along its normal, or changes a cylinder's radius, beside the velocity */
    double
        force; /* that particles are to press it with then, N: along the normal; of a cylinder over all of it */
    double max_speed;        /* bound of the servo's, m/s */
    double friction;         /* tan(phi); negative: as between particles */
    const sw_dem_mesh *mesh; /* borrowed, in use while elements run */
} sw_dem_wall;

enum { SW_DEM_WALLS = 4 }; /* of an element, at most, beside its sides */

/* A flexible membrane: the last around * rows particles of a packing are its nodes, ring by ring from the lower platen to
 * the upper one, counter-clockwise; odd rings are turned by half a node. Sides 1 and 2 are open, 3 is walled; on the CPU.
 * The pressure outside is what a stage drives stress 11 and 22 to, both to the same. Stresses are those inside its surface of
 * nodes, void ratios go by its inner face, strains 11 and 22 are half of what the volume strains beside 33. */
typedef struct {
    int32_t around, rows;  /* nodes of a ring, from 6 on; rings, from 3 on */
    double radius, height; /* m, unstretched, of nodes' centres */
    double stiffness;      /* N/m: Young's modulus times thickness; >= 0 */
    int fixed; /* the first and the last ring keep their places on the platens; else they slide on them */
} sw_dem_membrane;

/* ---- Packings: spheres in a periodic cell ---- */

typedef struct {
    int64_t n_particles;
    double cell[3][3];     /* m; columns are the cell's vectors */
    double (*position)[3]; /* [P] m, anywhere: images are taken into the cell */
    double *radius;        /* [P] m, 1e-9 to 1e3 */
    double (*velocity)[3]; /* [P] m/s, fluctuation; NULL: at rest */
    double (*spin)[3];     /* [P] rad/s; NULL: none */
    uint8_t *material;     /* [P] number of its material, from 0; NULL: 0 */
    int32_t *
        clump; /* [P] number, from 0, of the clump that it is rigidly part of; -1: none; NULL: there are none. A
                     * clump's mass and inertia are those of the union of its spheres, of the first one's density; it moves
                     * as they do on average. Its spheres touch others, not each other */

    /* What contacts remember, of pairs that touched in the last step: an element opened with it goes on as the
     * one that it was taken from, without settling. */
    int64_t n_contacts;
    sw_dem_law contact_law; /* SW_DEM_LAWS: one that is not known here */
    int contact_numbers; /* M: 7 and the law's own; elements of another law, or another M, do without contacts */
    int32_t (
        *contact)[2]; /* [C] particles a and b, in sw_dem_get_packing's order; NULL: contacts begin anew */
    double *
        contact_history; /* [C][M] tangential force on b (3, N), rolling moment on b (3, N m), twisting moment
                              * about the normal a -> b (N m), the law's own numbers */

    /* All else that an element remembers (walls and contacts with them, R' of coupled contacts, how clumps turn, the list of
     * pairs, what was measured last), of packings that were taken from one or read: an element of the same sides, walls,
     * materials, gravity, clumps and skin goes on to the bit, without crystals; others take what fits them and measure anew. A wall is the same that has the
     * shape, and begins where that began or where it was at the end. NULL: none. */
    struct sw_dem_memory *memory;
    int goes_on; /* time, steps, strain and work count on from there; SW_ERR_RANGE where not all fits */
} sw_dem_packing;

typedef struct sw_dem_memory sw_dem_memory;

SW_API void sw_dem_packing_free(sw_dem_packing *packing);
SW_API void sw_dem_packing_forget(sw_dem_packing *packing); /* what contacts remember: they begin anew */
SW_API double sw_dem_packing_mean_radius(const sw_dem_packing *packing); /* m */
SW_API double
sw_dem_packing_void_ratio(const sw_dem_packing *packing); /* of spheres that do not overlap, but in clumps */

/* Distributions of radii, of numbers of particles once drawn. */
typedef enum {
    SW_DEM_MONODISPERSE, /* `radius` */
    SW_DEM_UNIFORM,      /* from least to largest, as many particles in equal steps of r */
    SW_DEM_UNIFORM_MASS, /* the same, as much mass */
    SW_DEM_LOGNORMAL,    /* ln r is normal by number; cut off at least and largest */
    SW_DEM_GRADING,      /* sieve curve, straight between its points over ln diameter */
    SW_DEM_SIZES_KINDS
} sw_dem_sizes_kind;

typedef struct {
    sw_dem_sizes_kind kind;
    double radius;         /* m; monodisperse: of all; lognormal: the median, before the cut */
    double deviation;      /* lognormal: standard deviation of ln r, before the cut */
    double least, largest; /* m, radii; uniform, uniform_mass, lognormal */
    int64_t n_points;      /* of a grading curve */
    const double (
        *grading)[2]; /* [K] diameter, m, ascending; part of the mass that is finer, 0 to 1; borrowed */
} sw_dem_sizes;

/* SW_ERR_RANGE names the member, value and bound. */
SW_API sw_status sw_dem_sizes_check(const sw_dem_sizes *sizes);

/* Radius (m) that a part u (0 .. 1) of the particles is smaller than. sizes: as checked. */
SW_API double sw_dem_sizes_quantile(const sw_dem_sizes *sizes, double u);

/* radius [P], out: one radius from each P-th part of the particles, in random order, so that a small sample
 * has the distribution too. SW_ERR_RANGE as above, or for n_particles < 1; SW_ERR_MEMORY. */
SW_API sw_status sw_dem_sizes_draw(const sw_dem_sizes *sizes, int64_t n_particles, uint64_t seed,
                                   double *radius);

/* Spheres at rest that do not touch, in a cube of the given solid fraction: random sequential addition, the
 * largest first. The same seed gives the same packing, for any number of threads. packing: released with
 * sw_dem_packing_free. SW_ERR_RANGE: sizes, solid_fraction not in (0, 0.30], or so few particles that the
 * cube is narrower than two diameters of the largest one; SW_ERR_CONVERGENCE when a particle finds no place;
 * SW_ERR_MEMORY. */
SW_API sw_status sw_dem_pack_loose(int64_t n_particles, const sw_dem_sizes *sizes, uint64_t seed,
                                   double solid_fraction, sw_dem_packing *packing);

/* Spheres at rest that do not overlap, in a cube, as dense as spheres at random can be: force-biased packing
 * (Moscinski et al. 1989; Bezrukov et al. 2002). slowness: of the contraction, 10 to 1e7; it takes about a third
 * as many steps. At 1e4 solid fractions are those published for random close packing (docs/validation.md), 0.637
 * of equal spheres; higher with more. Seeds and packing as above; one thread. SW_ERR_RANGE: sizes, slowness, or
 * so few particles that a cube of their volume is narrower than two diameters of the largest one; SW_ERR_MEMORY;
 * SW_ERR_INTERRUPTED. */
SW_API sw_status sw_dem_pack_force_biased(int64_t n_particles, const sw_dem_sizes *sizes, uint64_t seed,
                                          double slowness, sw_dem_packing *packing);

/* Files of packings, by suffix.
 *
 * .txt     comment lines that start with '#'; a line "cell h11 h21 h31 h12 h22 h32 h13 h23 h33", the three
 *          cell vectors one after another (m); then a line "x y z radius [vx vy vz wx wy wz]" a particle (m,
 *          m/s, rad/s), all with four columns or all with ten; and a line "clump i j .." a clump, of particles from 0
 * .vtkhdf  an unstructured grid of vertices for ParaView; point data radius [P], velocity [P][3],
 *          spin [P][3], clump [P]; field data cell [3][3], one cell vector a row, and where contacts are remembered
 *          contact_pair [C][2], contact_history [C][M] with the attribute law; run_..., what else an element remembers. Only
 *          what is here is read back.
 *
 * Reading what was written gives the same bits. HDF5 serves one thread at a time.
 *
 * packing: the caller's, released with sw_dem_packing_free; of no particles on failure. SW_ERR_INPUT with
 * file, line (or array and particle), value and bound for what is not a packing: another suffix, no cell or
 * one without volume or longer than 1e9 m, a line of another number of columns, a radius not from 1e-9 to 1e3 m, a
 * number that is not finite, a contact without two particles of the packing, a NUL byte, no particles. SW_ERR_IO, SW_ERR_FORMAT (no HDF5
 * file, or without what is needed), SW_ERR_MEMORY. */
SW_API sw_status sw_dem_packing_read(const char *path, sw_dem_packing *packing);

/* More numbers of particles, for .vtkhdf files. */
typedef struct {
    const char *name;   /* of the array in point data */
    int components;     /* 1, 3, 6 or 9 */
    const double *data; /* [P][components], borrowed */
} sw_dem_packing_field;

/* A file that is complete or not there at all; an older one of that name stays until then. Fields are left
 * out of .txt. SW_ERR_RANGE for a packing that could not be read back; SW_ERR_INPUT for another suffix;
 * SW_ERR_IO; SW_ERR_MEMORY. */
SW_API sw_status sw_dem_packing_write(const char *path, const sw_dem_packing *packing, int n_fields,
                                      const sw_dem_packing_field *field);

/* ---- Stages of a load path ---- */

/* What ends a stage. `goal` and `component` are the stage's. */
typedef enum {
    SW_DEM_UNTIL_STRAIN,        /* |strain since the stage began|, one component */
    SW_DEM_UNTIL_VOLUME_STRAIN, /* |ln(V / V at the stage's beginning)| */
    SW_DEM_UNTIL_VOID_RATIO,    /* crossed from the side it began on */
    SW_DEM_UNTIL_PRESSURE,      /* mean stress, Pa, crossed likewise */
    SW_DEM_UNTIL_EQUILIBRIUM,   /* stresses within tolerance, unbalanced force below goal */
    SW_DEM_UNTIL_TIME,          /* s since the stage began */
    SW_DEM_UNTIL_STEPS,         /* since the stage began */
    SW_DEM_UNTILS
} sw_dem_until;

/* Of the six components each is driven by its strain rate or, by the servo, to a stress. */
typedef struct {
    double velocity_gradient[3][3]; /* 1/s; of stress-driven components nothing is used */
    int stress_driven[SW_DEM_SIX];
    double stress[SW_DEM_SIX]; /* Pa, compression: what stress-driven components go to */
    double follow[SW_DEM_SIX]; /* part of the present stress of component `component` that is added to the
                                * target: constant mean stress */
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
    double
        most_servo_error; /* > 0: the element fails when stresses that were held are off by more, over the largest
                              * target, in the mean of the last 128 control intervals; not in stages that end at
                              * equilibrium or lower friction */
    int zero_strain;      /* strain and volume strain count from this stage's beginning */
    int unrecorded;       /* no records in this stage */
    int wait_for_rest; /* strain-driven rates pause while kinetic exceeds elastic energy (section 6) */
    int look; /* of an element that goes on from a packing: over before a step, with what was measured last */
} sw_dem_stage;

/* All rates zero, nothing stress-driven, until 0 steps, tolerance 1e-2, 10^8 steps at most. */
SW_API sw_dem_stage sw_dem_stage_defaults(void);

/* Strain rate sqrt(D:D / 2) (1/s) of an inertia number: I sqrt(p / rho) / (2 r_mean). Lubbe et al. 2022, Eq.
 * 20, with the root in the numerator: as printed it is no rate. */
SW_API double sw_dem_rate(double inertia_number, double pressure, double density, double mean_radius);

/* How a loose packing is compressed, without gravity. */
typedef struct {
    double pressure;         /* Pa */
    double void_ratio;       /* 0: what the packing friction gives */
    double packing_friction; /* tan(phi) while it is compressed; where a void ratio is asked, what its
                              * lowering starts from */
    double friction_decay;   /* part that it is lowered by at each control interval, for a void ratio */
    double inertia_number;   /* of the compression, and bound of the servo's rates */
    double stress_tolerance; /* relative, of the stresses at the end */
    double unbalanced_force; /* at the end, over the mean contact force */
    int64_t max_steps;       /* of each stage */
    int free_shear; /* the cell stays upright and keeps the shear stresses that compression leaves, up to
                              * a fifth of the pressure; 0: the cell leans until they are zero */
} sw_dem_packing_target;

/* 200 kPa without shear stresses, no void ratio, friction 0.5, decay 0.005, inertia number 1e-2, tolerances
 * 1e-2, 10^7 steps. */
SW_API sw_dem_packing_target sw_dem_packing_target_defaults(void);

enum { SW_DEM_PACKING_STAGES = 3 };

/* The stages that compress a loose packing: isotropic strain at constant rate until the pressure is met, at
 * the packing friction; then isotropic stress (shear stresses of zero too, unless
 * they are free), either with falling friction, as long as stresses are within
 * five times the tolerance, until the void ratio is met, or until equilibrium; then equilibrium with the
 * material's own friction. density (kg/m^3) and mean_radius (m) are the particles'. SW_ERR_RANGE names
 * member, value and bound. A void ratio that the packing friction's own packing is already below, or that is
 * too low for these spheres, is not met: the second stage then fails by max_steps. */
SW_API sw_status sw_dem_packing_stages(const sw_dem_packing_target *target, double density,
                                       double mean_radius, sw_dem_stage stage[SW_DEM_PACKING_STAGES],
                                       int *n_stages);

/* ---- Numerics ---- */

typedef enum {
    SW_DEM_DAMPING_PREDICTED, /* against the velocity half a step on: Eqs. 9b, 9c */
    SW_DEM_DAMPING_CUNDALL,   /* against the velocity */
    SW_DEM_DAMPINGS
} sw_dem_damping;

typedef enum {
    SW_DEM_STEP_WAVE,      /* safety * least of r sqrt(rho / E): Eq. 10, corrected */
    SW_DEM_STEP_STIFFNESS, /* safety * least of sqrt(m / K), K the sum of a particle's stiffnesses */
    SW_DEM_STEP_FIXED,     /* seconds */
    SW_DEM_STEP_RULES
} sw_dem_step_rule;

typedef struct {
    sw_dem_damping damping_form;
    double damping; /* C_damp, 0 .. 1 */
    sw_dem_step_rule step_rule;
    double step;              /* safety, or s */
    double skin;              /* of the least radius: Verlet list */
    int64_t control_interval; /* steps between measurements, which the servo follows; at most */
    int64_t record_interval;  /* steps between records, at the end of an interval; 0: none */
    double servo_gain;        /* of the stress error, by affine stiffness, that one interval corrects */
    int affine;               /* particles move with the cell alone: neither forces nor moments move them */
    double time_scale; /* seconds that pass for slip in a second of motion: the slow and the fast apart */
} sw_dem_numerics;

/* Damping 0.2 predicted, half the wave step, skin 0.1, control every 20 steps, no records, gain 0.5, one time. */
SW_API sw_dem_numerics sw_dem_numerics_defaults(void);

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
    X(relative_density, "1", "volume of particles, as spheres, over the volume")                  \
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
    X(servo_error, "1", "largest |stress - target|, over the largest target, once it was held")   \
    X(kinetic_energy, "J", "of fluctuations")                                                     \
    X(elastic_energy, "J", "of contacts")                                                         \
    X(boundary_work, "J", "done on the element since the start, gravity's too")                   \
    X(friction_work, "J", "dissipated by sliding")                                                \
    X(rolling_work, "J", "dissipated by rolling and twisting limits")                             \
    X(plastic_work, "J", "dissipated by flow at contacts")                                        \
    X(contact_area, "1", "mean area of a contact over pi r_mean^2; of metal")                     \
    X(strength, "Pa", "mean of the contacts' sigma1; of metal")                                   \
    X(wall_contacts, "1", "of particles with sides and walls")                                    \
    X(wall_force_1, "N", "that particles press the first wall with, beside the sides")            \
    X(wall_force_2, "N", "")                                                                      \
    X(wall_force_3, "N", "")                                                                      \
    X(wall_force_4, "N", "")                                                                      \
    X(wall_travel_1, "m", "of the first wall by its servo, to where particles have more room")    \
    X(wall_travel_2, "m", "")                                                                     \
    X(wall_travel_3, "m", "")                                                                     \
    X(wall_travel_4, "m", "")                                                                     \
    X(crystal_work, "J", "done on the particles' crystals, until their last refresh")             \
    X(particle_strain, "1",                                                                       \
      "equivalent, mean of particles, until then: all slip over the Taylor factor's work")        \
    X(slip_resistance, "Pa", "mean of the crystals then")                                         \
    X(damping_work, "J", "dissipated by local damping")                                           \
    X(friction, "1", "tan(phi) at present")                                                       \
    X(time_step, "s", "")                                                                         \
    X(pairs, "1", "in the Verlet list")                                                           \
    X(rebuilds, "1", "of the Verlet list")

/* Members by these names, all double. */
typedef struct {
#define SW_DEM_ROW_MEMBER(name, unit, meaning) double name;
    SW_DEM_ROW_LIST(SW_DEM_ROW_MEMBER)
#undef SW_DEM_ROW_MEMBER
} sw_dem_row;

/* ---- Particles made of crystals ---- */

#define SW_DEM_MOST_REFRESH 0.02 /* pressures lack 15 % */

/* Each particle a Taylor polycrystal, whose flow stress along the normal of a contact is the contact's strength, and
 * which the particle's own deformation and the work at its contacts advance: docs/theory.md. For laws that flow. */
typedef struct {
    sw_response *
        response; /* of the material's crystals, of a solver with points that has no history: `rigid_plastic`,
                                * `grid`, `terms`; on either device, but with slip.families on the CPU. Borrowed, in
                                * use while elements run */
    int64_t each; /* n crystals a particle */
    const sw_crystal *crystal; /* [P n] of particle i those from i n on; copied by sw_dem_open */
    double
        refresh; /* equivalent strain of the element between two refreshes: of 0.005 pressures lack some 3 % */
    int mean_strain_only; /* crystals see the particle's mean deformation, not the local flow at contacts too */
} sw_dem_crystals;

/* ---- Elements, and who advances them ---- */

/* One element: its beginning and what is done to it. */
typedef struct {
    sw_dem_packing packing; /* borrowed by sw_dem_open */
    sw_dem_material material;
    sw_dem_numerics numerics;
    int64_t n_stages;
    const sw_dem_stage *stage; /* [S], borrowed by sw_dem_open */
    int n_others;
    const sw_dem_material
        *other; /* [n_others] materials 1 .. n_others of particles; borrowed by sw_dem_open */
    const sw_dem_crystals *crystals; /* NULL: particles have none */
    sw_dem_side side[3];             /* of the cell's vectors */
    double side_friction;            /* tan(phi) of walled sides; negative: as between particles */
    int n_walls;
    const sw_dem_wall *wall;         /* [n_walls], borrowed by sw_dem_open */
    double gravity[3];               /* m/s^2 */
    const sw_dem_membrane *membrane; /* NULL: none; borrowed by sw_dem_open */
} sw_dem_sample;

/* Who advances an element. All run the same source but launches, whose loop is the paper's. */
typedef enum {
    SW_DEM_AUTO,     /* thread on the CPU; on a GPU block, cluster or device, by the size of each element */
    SW_DEM_THREAD,   /* CPU: a thread an element, OpenMP over elements */
    SW_DEM_BLOCK,    /* GPU: a thread block an element, many steps a launch */
    SW_DEM_CLUSTER,  /* GPU: a cluster of blocks an element */
    SW_DEM_DEVICE,   /* GPU: all of it for one element at a time */
    SW_DEM_LAUNCHES, /* GPU, for comparison: kernels over all particles of all elements, several a step:
                      * Lubbe et al., Fig. 3 */
    SW_DEM_TEAMS
} sw_dem_team;

/* How neighbours are found when Verlet lists are made. */
typedef enum {
    SW_DEM_GRID, /* a uniform grid in the element's own cell, one for each size class */
    SW_DEM_HASH, /* launches only: one uniform grid for all, element in the hash, Eq. 22 */
    SW_DEM_BVH,  /* launches only: one bounding volume hierarchy, element before the Morton code */
    SW_DEM_DETECTIONS
} sw_dem_detection;

typedef enum {
    SW_DEM_NEAREST,            /* a pair keeps its image's number; shifts of 27 images in a table */
    SW_DEM_BOUNDARY_PARTICLES, /* images near faces are particles of their own: Lubbe et al., Algorithms 1,
                                * 2 */
    SW_DEM_IMAGE_KINDS
} sw_dem_images;

typedef struct {
    int cuda; /* on a GPU */
    sw_dem_team team;
    sw_dem_detection detection;
    sw_dem_images images;
    int64_t memory; /* bytes of device memory to use at most; 0: most of what is free. Elements that do not
                     * fit wait, and take the place of those that are done. */
} sw_dem_options;

SW_API sw_dem_options sw_dem_defaults(void); /* CPU, auto, grid, nearest */

typedef struct sw_dem sw_dem;

/* Checks and copies n_rves samples. SW_ERR_RANGE names element, particle, value and bound: no volume, a
 * radius not > 0, a particle larger than half the cell, centres that are not finite, two particles that
 * overlap by more than half the smaller radius, or one with a wall by half of its own (of coupled contacts by all of it), a
 * contact that is there twice or the other way round, parameters out of range. SW_ERR_UNAVAILABLE without a GPU (or
 * this build's CUDA) for what needs one; SW_ERR_MEMORY. Release with sw_dem_close. */
SW_API sw_status sw_dem_open(const sw_dem_options *options, int64_t n_rves, const sw_dem_sample *sample,
                             sw_dem **dem);
SW_API void sw_dem_close(sw_dem *dem); /* NULL is nothing */

/* All stages of all elements. Called now and then from the calling thread, watch (may be NULL) learns how many
 * particle-steps are done and how many elements are finished; what it returns but SW_OK ends the run (which may go
 * on with another call). Elements that fail stop and keep their status; the others go on, and the call is SW_OK:
 * sw_dem_failure tells. SW_ERR_INTERRUPTED, SW_ERR_MEMORY, SW_ERR_UNAVAILABLE (a GPU fault). */
typedef sw_status sw_dem_watch(void *context, sw_dem *dem, double particle_steps, int64_t finished);
SW_API sw_status sw_dem_run(sw_dem *dem, sw_dem_watch *watch, void *context);

/* One more stage after the last; an element that is done goes on with it. What sw_dem_failure says, for one
 * that failed. */
SW_API sw_status sw_dem_add_stage(sw_dem *dem, int64_t r, const sw_dem_stage *stage);

/* SW_OK unless the element failed: then why, with stage, value and bound. */
SW_API sw_status sw_dem_failure(const sw_dem *dem, int64_t r);

/* Who advances the elements, for people: "NVIDIA H200, a block an element, 512 threads a block". Of the
 * largest element where they differ. */
SW_API const char *sw_dem_describe(const sw_dem *dem);

/* ---- What came out; not within watch ---- */

/* Records of an element so far, [*n], borrowed until the next run. */
SW_API const sw_dem_row *sw_dem_rows(const sw_dem *dem, int64_t r, int64_t *n);

/* What was measured of an element last, whether recorded or not. */
SW_API void sw_dem_last_row(const sw_dem *dem, int64_t r, sw_dem_row *row);

/* The element as a packing: positions in the cell, and all that it remembers; caller's, released with
 * sw_dem_packing_free. SW_ERR_MEMORY. */
SW_API sw_status sw_dem_get_packing(sw_dem *dem, int64_t r, sw_dem_packing *packing);

/* Contacts of an element that touch now: particles, unit normal a -> b, force on b (N), both at the present
 * positions. Array [*n], caller's to free(). SW_ERR_MEMORY. */
typedef struct {
    int32_t a, b;
    double normal[3], force[3];
} sw_dem_contact_record;
SW_API sw_status sw_dem_get_contacts(sw_dem *dem, int64_t r, int64_t *n, sw_dem_contact_record **contact);

/* State of an element as bytes, its stages and records too, and back into one opened with the same packing:
 * for restart files, and to take a trial step back. The bytes are of this build. SW_ERR_FORMAT when they are
 * not of such an element, or damaged; SW_ERR_MEMORY. data: caller's to free(). */
SW_API sw_status sw_dem_save(sw_dem *dem, int64_t r, int64_t *bytes, void **data);
SW_API sw_status sw_dem_restore(sw_dem *dem, int64_t r, int64_t bytes, const void *data);

#ifdef __cplusplus
}
#endif

#endif
