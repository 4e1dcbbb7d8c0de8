/* The job file of `slipwave dem`: material, packing, load path and what differs between elements -> samples
 * to open. Keys are the structs' member names but where said otherwise; a number that is not given and has no
 * default is NaN.
 *
 * Stress and strain are positive in compression, velocity gradients in extension. Dimensions: R elements,
 * S stages, n samples of a table. */
#ifndef SW_ONLINE_DEM_JOB_JOB_H
#define SW_ONLINE_DEM_JOB_JOB_H

#include "common/job/command.h"
#include "online/polycrystal/source.h"
#include "parameters.h"
#include "slipwave/dem.h"
#include "table.h"

/* ---- As in the file ---- */

/* An entry of `loading`: a test of the table in loading.c and its keys. */
typedef struct {
    int test;         /* of sw_dem_tests */
    int64_t axis;     /* 1 .. 3 */
    int64_t plane[2]; /* 1 .. 3: of the motion and of its gradient */
    int plane_count;
    double strain, volume_strain;
    double strain_rate, inertia_number; /* 1/s; one of them */
    double pressure, normal_stress, b;  /* Pa, Pa */
    double relative_density, lateral, stress_ratio;
    double velocity_gradient[3][3]; /* 1/s */
    struct {
        double strain_rate, stress; /* 1/s, Pa; one of them */
    } components[SW_DEM_SIX];       /* keys 11, 22, 33, 23, 13, 12 */
    const char *file;               /* a stress path */
    int until, component;           /* an sw_dem_until, 0 .. 5; -1: not given */
    double goal, duration, ramp;    /* -, s, s */
    double servo_rate, most_servo_error, stress_tolerance, unbalanced_force;
    double friction;    /* negative: the material's */
    int64_t most_steps; /* 0: by what it takes */
    int record, zero_strain, wait_for_rest;
} sw_dem_job_stage;

/* An entry of `walls`. */
typedef struct {
    int shape; /* an sw_dem_wall_shape */
    double point[3], axis[3], velocity[3];
    int point_count, axis_count, velocity_count;
    double radius, growth, force, max_speed; /* the last two NaN: not given */
    double friction;
    const char *file; /* of a mesh */
    double scale;     /* m */
} sw_dem_job_wall;

/* First columns of a table of samples; its parameters follow. */
enum { SW_DEM_SAMPLE_THREADS, SW_DEM_SAMPLE_DESCRIPTION, SW_DEM_SAMPLE_KEY, SW_DEM_SAMPLE_COLUMNS };

/* How particles are placed, before compression. */
enum { SW_DEM_SEQUENTIAL, SW_DEM_FORCE_BIASED, SW_DEM_METHODS };

/* A stress path: targets and rates at times. */
enum { SW_DEM_BY_RATE = 1, SW_DEM_BY_STRESS };
typedef struct {
    int64_t n_rows;
    int driven[SW_DEM_SIX];      /* SW_DEM_BY_*; 0: not given, it does not strain */
    double *time;                /* [n_rows] s, ascending; of the first row 0 */
    double (*value)[SW_DEM_SIX]; /* [n_rows] 1/s or Pa */
} sw_dem_path;

typedef struct {
    sw_run_options run;
    sw_dem_material material;            /* law and moment_radius; its numbers are an element's */
    double parameter[SW_DEM_PARAMETERS]; /* keys of material, packing and numerics */
    sw_dem_job_other *others;
    unsigned others_count;
    sw_polycrystal_source crystals;
    double refresh;
    int mean_strain_only;
    struct {
        const char *file;
        double (*grading)[2]; /* [grading_count] of radii */
        int grading_count;
        double (*clump)[4]; /* [clump_count] centre and radius of a clump's spheres, over its size */
        int clump_count;
        int method; /* SW_DEM_SEQUENTIAL, ... */
        double slowness;
        sw_dem_packing_target target; /* pressure, void ratio, friction, inertia number: an element's */
        int record, goes_on;
    } packing;
    sw_dem_sizes sizes; /* packing.radii */
    int side[3];        /* an sw_dem_side each */
    double side_friction, gravity[3];
    int gravity_count;
    sw_dem_job_wall walls[SW_DEM_WALLS];
    int walls_count;
    struct {
        double radius, height, spacing, stiffness; /* m, N/m; NaN: not given */
        double friction;
        int ends; /* 1: fixed */
    } membrane;
    struct {
        int64_t count;
        sw_dem_job_variation *variations;
        unsigned variations_count;
    } rves;
    struct {
        int64_t directions, axis; /* axis: 1 .. 3 */
        double unload, offset, strain;
        int stiffness;
    } probes;
    sw_dem_numerics numerics; /* damping is an element's; record_interval 0: by record_strain */
    double record_strain;
    sw_dem_job_stage *loading;
    unsigned loading_count;
    sw_dem_options options;    /* of execution; memory and cuda are made of: */
    double memory, checkpoint; /* bytes, 0: most of what is free; s */
    struct {
        const char *file;
        const char **packings;
        unsigned packings_count;
        int contacts;
        double snapshot_strain; /* 0: no snapshots */
    } output;
    struct {
        const char *table, *folder, *control;
        int zeros_on_failure;
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
    char device[128];               /* "cpu", "cuda, NVIDIA ..." */
    sw_dem_path *path_of;           /* [loading_count] of stress paths */
    sw_dem_table *table;            /* NULL without samples */
    int *column_of;                 /* [parameters of the table] sw_dem_parameter */
    double *column_unit;            /* [..] how many of the SI unit a number of it is */
    double *cell;                   /* [n_variants][parameters of the table] */
    int64_t n_control;
    double *control;                 /* [n_control] values at which samples are written */
    int *quantity;                   /* [1 + samples.columns_count] of the control and the columns */
    double *quantity_size;           /* [..] of the unit that it is given and written in, over the SI one */
    sw_dem_mesh *mesh[SW_DEM_WALLS]; /* of walls; NULL: it is none */
    int write_txt, write_vtkhdf;
    int has_crystals, has_probes, has_membrane;
    sw_polycrystal polycrystal;
    sw_response *response; /* of the crystals, on the run's device; NULL: none */
    sw_job *source;        /* where each value stands; owns all above but the table */
} sw_dem_job;

extern const sw_key sw_dem_keys[];

/* Read and check a job, tables of samples and stress paths included. SW_ERR_INPUT names file, line, key,
 * value and bound ("--seed = -1: need ..." for an option); SW_ERR_IO; SW_ERR_MEMORY. Release with
 * sw_dem_job_free. */
sw_status sw_dem_job_read(const sw_arguments *arguments, sw_dem_job **job);
void sw_dem_job_free(sw_dem_job *job);

/* ---- Elements ---- */

/* Element k is number k % count of variant k / count: a variation, a sample, or the job itself. Numbers of
 * one variant differ in their seed only, which counts up. */
typedef struct {
    int64_t variant;
    double value[SW_DEM_PARAMETERS]; /* friction made of friction_angle, and the other way round; NaN: none */
    const char *file;                /* its packing, borrowed; NULL: generated */
    sw_dem_material material;
    int n_others;
    sw_dem_material other[SW_DEM_MATERIALS - 1];
} sw_dem_element;
sw_dem_element sw_dem_job_element(const sw_dem_job *job, int64_t k);

/* What messages call it: "element 3 (seed 4)" or "sample NAME"; text [size]. */
void sw_dem_job_name(const sw_dem_job *job, int64_t k, char *text, size_t size);

/* All of element k: its packing drawn or read, its stages made. Any thread. SW_ERR_INPUT, SW_ERR_RANGE or
 * what a packing file is refused for, with the element's name. Release with sw_dem_job_sample_free. */
sw_status sw_dem_job_sample(const sw_dem_job *job, int64_t k, sw_dem_sample *sample);
void sw_dem_job_sample_free(sw_dem_sample *sample);

#endif
