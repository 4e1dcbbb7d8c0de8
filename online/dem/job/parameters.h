/* Parameters: numbers that may differ between elements. Each is a key of material, packing or numerics, a key
 * of the entries of rves.variations, and a column of a table of samples; a new one is a line here. */
#ifndef SW_ONLINE_DEM_JOB_PARAMETERS_H
#define SW_ONLINE_DEM_JOB_PARAMETERS_H

#include "common/job/job.h"

/* id, key of its section, key of `variations` and name of a column, another such name, unit, whole, least,
 * most, what else its section's row says. */
#define SW_DEM_MATERIAL_PARAMETERS(X)                                                                        \
    X(SW_DEM_YOUNG, "young", "young", "E", "Pa", 0, 1e-3, 1e15, .needed = 1)                                 \
    X(SW_DEM_POISSON, "poisson", "poisson", "nu", NULL, 0, 0, 1, .needed = 1,                                \
      .help = "linear: K_T / K_N; hertz_mindlin: Poisson's ratio, at most 0.5")                              \
    X(SW_DEM_FRICTION, "friction", "friction", "mu", NULL, 0, 0, 10, .standard = NAN,                        \
      .otherwise = "by friction_angle", .help = "its tangent; this or friction_angle")                       \
    X(SW_DEM_FRICTION_ANGLE, "friction_angle", "friction_angle", "phi", "degrees", 0, 0, 84,                 \
      .standard = NAN, .otherwise = "by friction")                                                           \
    X(SW_DEM_ROLL_STIFFNESS, "roll_stiffness", "roll_stiffness", "eta_roll", NULL, 0, 0, 1e6,                \
      .otherwise = "0: no moment", .help = "eta of Lubbe's Eq. 7")                                           \
    X(SW_DEM_TWIST_STIFFNESS, "twist_stiffness", "twist_stiffness", "eta_twist", NULL, 0, 0, 1e6,            \
      .otherwise = "0: no moment")                                                                           \
    X(SW_DEM_ROLL_STRENGTH, "roll_strength", "roll_strength", "alpha_roll", NULL, 0, 0, 1e6,                 \
      .otherwise = "0", .help = "alpha of Eq. 8b, times the smaller radius")                                 \
    X(SW_DEM_TWIST_STRENGTH, "twist_strength", "twist_strength", "alpha_twist", NULL, 0, 0, 1e6,             \
      .otherwise = "0")                                                                                      \
    X(SW_DEM_DENSITY, "density", "density", "rho", "kg/m^3", 0, 1e-3, 1e9, .needed = 1)                      \
    X(SW_DEM_STRENGTH, "strength", "strength", "sigma_1", "Pa s^N", 0, 1, 1e15, .standard = NAN,             \
      .otherwise = "the crystals'", .help = "flow stress at 1 1/s")                                          \
    X(SW_DEM_RATE_SENSITIVITY, "rate_sensitivity", "rate_sensitivity", "N", NULL, 0, 1e-4, 1,                \
      .standard = NAN, .otherwise = "the crystals'", .help = "flow stress goes with the rate to this power") \
    X(SW_DEM_COHESION, "cohesion", "cohesion", "eta", NULL, 0, 0, 1, .otherwise = "0",                       \
      .help = "tension that a contact bears, over the force that it flowed under")                           \
    X(SW_DEM_ADHESION, "adhesion", "adhesion", "w", "J/m^2", 0, 0, 1e6, .standard = NAN,                     \
      .otherwise = "needed", .help = "work that parts a unit of contact area")                               \
    X(SW_DEM_BOND_STRENGTH, "bond_strength", "bond_strength", "sigma_bond", "Pa", 0, 0, 1e15,                \
      .standard = NAN, .otherwise = "needed",                                                                \
      .help = "tension that a bond bears, on the circle of the smaller radius")                              \
    X(SW_DEM_LIQUID_VOLUME, "liquid_volume", "liquid_volume", "V_liquid", "m^3", 0, 1e-30, 1,                \
      .standard = NAN, .otherwise = "needed", .help = "of each bridge")                                      \
    X(SW_DEM_LIQUID_TENSION, "liquid_tension", "liquid_tension", "sigma_liquid", "N/m", 0, 0, 1e3,           \
      .standard = NAN, .otherwise = "needed", .help = "of the liquid's surface")                             \
    X(SW_DEM_WETTING_ANGLE, "wetting_angle", "wetting_angle", "theta", "degrees", 0, 0, 90,                  \
      .otherwise = "0", .help = "contact angle of the liquid on the particles")
#define SW_DEM_PACKING_PARAMETERS(X)                                                                       \
    X(SW_DEM_PARTICLES, "particles", "particles", "P", NULL, 1, 4, 67108863, .standard = NAN,              \
      .otherwise = "needed, or file", .help = "of an element; at most 2^26 - 1")                           \
    X(SW_DEM_SEED, "seed", "seed", "seed", NULL, 1, 0, 9007199254740992., .standard = 1, .option = "seed", \
      .argument = "N", .help = "random seed of the first element's packing")                               \
    X(SW_DEM_VOID_RATIO, "void_ratio", "void_ratio", "e", NULL, 0, 0.1, 2.3, .standard = NAN,              \
      .otherwise = "what friction gives", .help = "at the pressure")                                       \
    X(SW_DEM_PRESSURE, "pressure", "pressure", "p", "Pa", 0, 1e-3, 1e12, .standard = NAN,                  \
      .otherwise = "needed, but with file",                                                                \
      .help = "isotropic; tests' confining pressure unless they have their own; beside file it is that "   \
              "alone")                                                                                     \
    X(SW_DEM_PACKING_FRICTION, "friction", "packing_friction", "mu_packing", NULL, 0, 0, 10,               \
      .standard = 0.5, .help = "its tangent while packing; for a void ratio it falls from there")          \
    X(SW_DEM_PACKING_INERTIA, "inertia_number", "packing_inertia_number", "I_packing", NULL, 0, 1e-7, 1,   \
      .standard = 1e-2, .help = "inertia number of the compression")
#define SW_DEM_NUMERICS_PARAMETERS(X)                                                    \
    X(SW_DEM_DAMPING, "damping", "damping", "C_damp", NULL, 0, 0, 0.99, .standard = 0.2) \
    X(SW_DEM_INERTIA, "inertia_number", "inertia_number", "I", NULL, 0, 1e-7, 1,         \
      .standard = 1e-3, /* Lubbe et al. 2022, section 6 */                               \
      .option = "inertia-number", .argument = "I",                                       \
      .help = "inertia number of tests without a rate of their own")
#define SW_DEM_PARAMETER_LIST(X)  \
    SW_DEM_MATERIAL_PARAMETERS(X) \
    SW_DEM_PACKING_PARAMETERS(X)  \
    SW_DEM_NUMERICS_PARAMETERS(X)

typedef enum {
#define SW_DEM_PARAMETER_ENUM(id, ...) id,
    SW_DEM_PARAMETER_LIST(SW_DEM_PARAMETER_ENUM)
#undef SW_DEM_PARAMETER_ENUM
        SW_DEM_PARAMETERS
} sw_dem_parameter;

/* Of the row of a parameter in its section's table; S: the structure, m: its member. */
#define SW_DEM_PARAMETER_ROW(S, m, key, unit_, whole_, low, high, ...)                 \
    {                                                                                  \
        SW_REAL(key, S, m, low, high), .unit = (unit_), .whole = (whole_), __VA_ARGS__ \
    }

typedef struct {
    const char *key;          /* "packing.friction" */
    const char *name, *alias; /* "packing_friction", "mu_packing" */
    const char *unit;         /* NULL: a pure number */
} sw_dem_parameter_traits;
extern const sw_dem_parameter_traits sw_dem_parameters[SW_DEM_PARAMETERS];

/* An entry of rves.variations. */
typedef struct {
    double value[SW_DEM_PARAMETERS]; /* NaN: not given */
    const char *file;                /* a packing; NULL */
} sw_dem_job_variation;
extern const sw_key sw_dem_variation_keys[];

/* A material beside the first: the numbers of one, those that are not given as of the first. */
typedef struct {
    double part; /* of the particles' volume */
    double value[SW_DEM_PARAMETERS];
} sw_dem_job_other;
extern const sw_key sw_dem_other_keys[];

/* Whether a parameter may have a value; else bound [size] says what it must be. */
int sw_dem_parameter_may_be(sw_dem_parameter parameter, double value, char *bound, size_t size);

/* Whether it says how a packing is generated: not beside one from a file. */
int sw_dem_generates(sw_dem_parameter parameter);

#endif
