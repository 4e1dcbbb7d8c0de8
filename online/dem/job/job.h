/* The job file of `slipwave dem`: material, packing, load path and what differs between elements -> samples
 * to open. Keys are the structs' member names but where said otherwise.
 *
 * Stress and strain are positive in compression, velocity gradients in extension. Dimensions: R elements,
 * S stages, n samples of a table. */
#ifndef SW_ONLINE_DEM_JOB_JOB_H
#define SW_ONLINE_DEM_JOB_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "common/system/status.h"
#include "online/dem/backend/dem.h"
#include "online/dem/packing/packing.h"
#include "sample_table.h"

/* ---- What may differ between elements ---- */

/* id, unit, key of its section, key of `variations` and column of a sample table, its other name there,
 * whole, least, most, bound. */
#define SW_DEM_MATERIAL_PARAMETERS(X)                                                                        \
    X(SW_DEM_YOUNG, "Pa", "young", "young", "E", 0, 1e-3, 1e15, "Pa, from 1e-3 to 1e15")                     \
    X(SW_DEM_POISSON, "1", "poisson", "poisson", "nu", 0, 0, 1, "0 <= poisson <= 1")                         \
    X(SW_DEM_FRICTION, "1", "friction", "friction", "mu", 0, 0, 10, "a tangent, from 0 to 10")               \
    X(SW_DEM_FRICTION_ANGLE, "degrees", "friction_angle", "friction_angle", "phi", 0, 0, 84,                 \
      "degrees, from 0 to 84")                                                                               \
    X(SW_DEM_ROLL_STIFFNESS, "1", "roll_stiffness", "roll_stiffness", "eta_roll", 0, 0, 1e6,                 \
      "from 0 to 1e6")                                                                                       \
    X(SW_DEM_TWIST_STIFFNESS, "1", "twist_stiffness", "twist_stiffness", "eta_twist", 0, 0, 1e6,             \
      "from 0 to 1e6")                                                                                       \
    X(SW_DEM_ROLL_STRENGTH, "1", "roll_strength", "roll_strength", "alpha_roll", 0, 0, 1e6, "from 0 to 1e6") \
    X(SW_DEM_TWIST_STRENGTH, "1", "twist_strength", "twist_strength", "alpha_twist", 0, 0, 1e6,              \
      "from 0 to 1e6")                                                                                       \
    X(SW_DEM_DENSITY, "kg/m^3", "density", "density", "rho", 0, 1e-3, 1e9, "kg/m^3, from 1e-3 to 1e9")
#define SW_DEM_PACKING_PARAMETERS(X)                                                                      \
    X(SW_DEM_PARTICLES, "1", "particles", "particles", "P", 1, 4, 67108863, "4 to 2^26 - 1 of them")      \
    X(SW_DEM_SEED, "1", "seed", "seed", "seed", 1, 0, 9007199254740992., "a whole number from 0 to 2^53") \
    X(SW_DEM_VOID_RATIO, "1", "void_ratio", "void_ratio", "e", 0, 0.1, 2.3, "0.1 <= void_ratio <= 2.3")   \
    X(SW_DEM_PRESSURE, "Pa", "pressure", "pressure", "p", 0, 1e-3, 1e12, "Pa, from 1e-3 to 1e12")         \
    X(SW_DEM_PACKING_FRICTION, "1", "friction", "packing_friction", "mu_packing", 0, 0, 10,               \
      "a tangent, from 0 to 10")                                                                          \
    X(SW_DEM_PACKING_INERTIA, "1", "inertia_number", "packing_inertia_number", "I_packing", 0, 1e-7, 1,   \
      "from 1e-7 to 1")
#define SW_DEM_NUMERICS_PARAMETERS(X)                                                          \
    X(SW_DEM_DAMPING, "1", "damping", "damping", "C_damp", 0, 0, 0.99, "0 <= damping <= 0.99") \
    X(SW_DEM_INERTIA, "1", "inertia_number", "inertia_number", "I", 0, 1e-7, 1, "from 1e-7 to 1")
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

typedef struct {
    const char *section, *unit, *key, *name, *alias; /* section: "material", "packing", "numerics" */
    int whole;
    double least, most;
    const char *bound;
} sw_dem_parameter_traits;
extern const sw_dem_parameter_traits sw_dem_parameters[SW_DEM_PARAMETERS];

/* ---- As in the file ---- */

/* Of `variations`: keys are the parameters' names, and `file`. */
typedef struct {
    double value[SW_DEM_PARAMETERS];
    const char *file; /* a packing, relative to the job's folder */
} sw_dem_job_variation;

/* An entry of `loading`: a test of the table in job_stages.c and its keys. */
typedef struct {
    const char *test;
    int64_t axis, *plane; /* 1 .. 3; [2] of the motion and of its gradient */
    unsigned plane_count;
    double strain, volume_strain;
    double strain_rate, inertia_number; /* 1/s; one of them */
    double pressure, normal_stress, b;
    double velocity_gradient[3][3];
    struct {
        double strain_rate, stress; /* 1/s, Pa; one of them */
    } components[SW_DEM_SIX];       /* keys 11, 22, 33, 23, 13, 12 */
    const char *file;               /* a stress path, relative to the job's folder */
    const char *until, *component;  /* a name of SW_DEM_UNTIL_LIST; "11", ... */
    double goal, duration, ramp;
    double servo_rate, stress_tolerance, unbalanced_force, friction;
    int64_t most_steps;
    const char *record, *zero_strain, *wait_for_rest; /* "yes" | "no" */
} sw_dem_job_stage;

/* A stress path: targets and rates at times. */
typedef struct {
    int64_t n_rows;
    int driven[SW_DEM_SIX];      /* 0: not given, 1: by strain rate, 2: by stress */
    double *time;                /* [n_rows] s, ascending; of the first row 0 */
    double (*value)[SW_DEM_SIX]; /* [n_rows] 1/s or Pa */
} sw_dem_path;

typedef struct sw_dem_job {
    const char *law, *moment_radius;     /* keys of material */
    double parameter[SW_DEM_PARAMETERS]; /* keys of material, packing and numerics */
    struct {
        const char *file; /* relative to the job's folder */
        struct {
            const char *distribution;
            double radius, deviation, least, largest; /* m */
            double (*grading)[2];                     /* [grading_count] diameter (m), part of the mass */
            unsigned grading_count;
        } radii;
        double stress_tolerance, unbalanced_force, friction_decay;
        int64_t most_steps;
        const char *record; /* "yes" | "no" */
    } packing;
    struct {
        int64_t count;
        sw_dem_job_variation *variations;
        unsigned variations_count;
    } rves;
    struct {
        const char *damping_form, *step_rule;
        double step, skin, servo_gain, record_strain;
        int64_t control_interval, record_interval;
    } numerics;
    sw_dem_job_stage *loading;
    unsigned loading_count;
    struct {
        const char *device, *team, *detection, *images;
        double memory, checkpoint; /* bytes; s */
    } execution;
    struct {
        const char *file; /* relative to the working folder */
        const char **packings;
        unsigned packings_count;
        const char *contacts; /* "yes" | "no" */
    } output;
    struct {
        const char *table, *folder, *control, *on_failure;
        double *values;
        unsigned values_count;
        int64_t count;
        double first, last;
        const char **columns;
        unsigned columns_count;
    } samples;

    /* Made of them. */
    int64_t n_variants, n_elements; /* n_elements = n_variants * rves.count */
    int packed_by_file;             /* all packings come from files */
    sw_dem_sizes sizes;
    sw_dem_material material; /* law and moment_radius; numbers are an element's */
    sw_dem_numerics frame;    /* likewise, of numerics */
    sw_dem_options options;
    char device[128];     /* "cpu", "cuda, NVIDIA ..." */
    sw_dem_path *path_of; /* [loading_count] of stress paths */
    sw_dem_table *table;  /* NULL without samples */
    int *column_of;       /* [parameters of the table] sw_dem_parameter */
    int64_t n_control;
    double *control; /* [n_control] values at which samples are written */
    int write_txt, write_vtkhdf, write_contacts, zeros_on_failure;
    double *grading;   /* [2 K] of sizes */
    char *path, *text; /* the file, as named and as read */
    struct sw_dem_source *source;
} sw_dem_job;

/* Options of the command line that replace keys, all borrowed; NULL leaves the file's value, so {0} replaces
 * nothing. */
typedef struct {
    const char *output, *device, *team, *detection, *images, *samples;
    const double *seed, *inertia_number;
} sw_dem_overrides;

/* Read a job file, replace what options replace, and check all of it, tables of samples and stress paths
 * included. overrides may be NULL. SW_ERR_INPUT names file, line, key, value and bound ("--seed = -1: need
 * ..." for an option); SW_ERR_IO; SW_ERR_MEMORY. Release with sw_dem_job_free. */
sw_status sw_dem_job_read(const char *path, const sw_dem_overrides *overrides, sw_dem_job **job);
void sw_dem_job_free(sw_dem_job *job);

/* Whether the file or an option gives a key. */
int sw_dem_given(const sw_dem_job *job, const char *key);

/* An SW_ERR_INPUT "FILE:LINE: KEY" or "--option", then the formatted rest. */
__attribute__((format(printf, 3, 4))) sw_status sw_dem_job_error(const sw_dem_job *job, const char *key,
                                                                 const char *format, ...);

/* ---- Elements ---- */

/* Element k is number k % count of variant k / count: a variation, a sample, or the job itself. Numbers of
 * one variant differ in their seed only, which counts up. */
typedef struct {
    int64_t variant;
    double value[SW_DEM_PARAMETERS]; /* friction made of friction_angle, and the other way round */
    int given[SW_DEM_PARAMETERS];    /* void_ratio, pressure: whether there is one */
    const char *file;                /* its packing, borrowed; NULL: generated */
    sw_dem_material material;
} sw_dem_element;
sw_dem_element sw_dem_job_element(const sw_dem_job *job, int64_t k);

/* What messages call it: "element 3 (seed 4)" or "sample NAME"; text [size]. */
void sw_dem_job_name(const sw_dem_job *job, int64_t k, char *text, size_t size);

/* Stages of an element, packing included, of particles with these radii (m): *stage [*n], released with
 * free(). SW_ERR_INPUT as of a job file. */
sw_status sw_dem_job_stages(const sw_dem_job *job, const sw_dem_element *element, double mean_radius,
                            double least_radius, sw_dem_stage **stage, int64_t *n);

/* All of element k: its packing drawn or read, its stages made. Any thread. SW_ERR_INPUT, SW_ERR_RANGE or
 * what a packing file is refused for, with the element's name. Release with sw_dem_job_sample_free. */
sw_status sw_dem_job_sample(const sw_dem_job *job, int64_t k, sw_dem_sample *sample);
void sw_dem_job_sample_free(sw_dem_sample *sample);

#endif
