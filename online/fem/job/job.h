/* The job file of `slipwave fem`: mesh, materials, boundary, loads and steps -> a problem to open.
 *
 * Dimensions: N nodes, c unknowns of a node, E elements, L load cases, S steps, n increments. */
#ifndef SW_ONLINE_FEM_JOB_JOB_H
#define SW_ONLINE_FEM_JOB_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "common/system/status.h"
#include "online/fem/backend/fem.h"

/* ---- As in the file; keys are the members' names but where said otherwise ---- */

typedef struct {
    const char *name, *kind; /* "nodes" | "surface" | "elements" */
    double *from, *to;       /* [d] m, corners of a box */
    unsigned from_count, to_count;
} sw_fem_job_set;

typedef struct {
    const char *name, *elements; /* an element set; default all */
    double young, poisson, yield_stress, conductivity;
    struct {
        const char *law; /* "none" | "linear" | "voce" | "table" */
        double modulus, saturation, rate;
        double (*table)[2]; /* [table_count] plastic strain, Pa */
        unsigned table_count;
    } hardening;
} sw_fem_job_material;

enum { SW_FEM_VALUES = 4 }; /* x, y, z, temperature */
typedef struct {
    const char *nodes, *surface; /* one of them */
    double value[SW_FEM_VALUES]; /* m, K; keys x, y, z, temperature */
    double *factors;             /* [S] */
    unsigned factors_count;
} sw_fem_job_boundary;

typedef struct {
    const char *nodes, *surface, *elements; /* one of them */
    double *traction, *body_force, *force;  /* [d] Pa, N/m3, N */
    unsigned traction_count, body_force_count, force_count;
    double pressure, flux, source, flow; /* Pa, W/m2, W/m3, W */
    double *factors;                     /* [S] */
    unsigned factors_count;
} sw_fem_job_load;

typedef struct {
    double factor;
    int64_t increments;
} sw_fem_job_step;

/* ---- Made of them ---- */

/* A boundary or load entry of the file. */
typedef struct {
    char label[80]; /* "nodes x_min" */
    int64_t n_nodes;
    int32_t *node;   /* [n_nodes] nodes of its set, ascending */
    int fixes[3];    /* of a boundary entry: the components that it prescribes */
    double at[3];    /* of a boundary entry: values at factor 1 */
    double total[3]; /* of a load: resultant at factor 1, N (W) */
    int load_case;
    double *of_step; /* [S] factor at the end of each step */
    double *factor;  /* [n] factor at each increment's end */
} sw_fem_entry;

enum { SW_FEM_PARAMETERS = 16 }; /* of all bodies together */

typedef struct {
    struct {                     /* key: mesh */
        const char *body, *file; /* one of them; the file is relative to the job's folder */
        int64_t *cells;          /* [cells_count] 2 or 3 */
        unsigned cells_count;
        double *size, *origin; /* m; default: the body's, 0 */
        unsigned size_count, origin_count;
        double parameter[SW_FEM_PARAMETERS]; /* keys: names in sw_fem_bodies */
        sw_fem_job_set *sets;
        unsigned sets_count;
    } geometry;
    const char *kinematics; /* a name of sw_fem_kinematics_names; default solid, for hex8 */
    const char *b_bar;      /* "true" | "false" */
    double thickness;       /* m */
    sw_fem_job_material *materials;
    unsigned materials_count;
    sw_fem_job_boundary *boundary;
    unsigned boundary_count;
    sw_fem_job_load *loads;
    unsigned loads_count;
    sw_fem_job_step *steps;
    unsigned steps_count;
    const char *device; /* "auto" | "cpu" | "cuda" */
    struct {
        /* Names of operators and so on: fem.h; key of the first: operator. */
        const char *operator_, *storage, *scatter, *preconditioner;
        double tolerance, linear_tolerance, least_increment;
        int64_t newton, cg, line_search;
    } solver;
    struct {
        const char *file;               /* relative to the working folder */
        const char **fields, **restart; /* "none", "all", "last", or numbers of increments from 1 on */
        unsigned fields_count, restart_count;
    } output;

    /* Made of them. */
    sw_fem_mesh *mesh;
    sw_fem_problem problem; /* borrows from the job */
    sw_fem_options options;
    sw_fem_entry *fixed, *loaded; /* [boundary_count], [loads_count] */
    int64_t n_increments;
    int32_t *step_of;                          /* [n] 1 .. S */
    double *factor;                            /* [n][L] at each increment's end */
    unsigned char *with_fields, *with_restart; /* [n] */
    char identity[17];            /* hash of mesh, materials, boundary and loads, in hexadecimal */
    char *path, *text;            /* the file, as named and as read */
    sw_fem_material *material;    /* [materials_count] problem.material */
    uint8_t *material_of;         /* [E] problem.material_of */
    sw_fem_case *load_case;       /* [L] problem.load */
    struct sw_fem_source *source; /* where each value stands */
} sw_fem_job;

/* Options of the command line that replace keys, all borrowed; NULL leaves the file's value, so {0} replaces
 * nothing. */
typedef struct {
    const char *output, *device, *operator_, *storage, *scatter, *preconditioner;
    const double *tolerance, *factor; /* factor: of the last step */
    const int64_t *cells;             /* [n_cells] */
    unsigned n_cells;
} sw_fem_overrides;

/* Read a job file, replace what options replace, make or read the mesh and build the problem. overrides may
 * be NULL. SW_ERR_INPUT names file, line, key, value and bound ("--tolerance = 2: need ..." for an option);
 * SW_ERR_IO; SW_ERR_MEMORY; what a mesh file is refused for. Release with sw_fem_job_free. */
sw_status sw_fem_job_read(const char *path, const sw_fem_overrides *overrides, sw_fem_job **job);
void sw_fem_job_free(sw_fem_job *job);

/* Whether the file or an option gives a key. */
int sw_fem_given(const sw_fem_job *job, const char *key);

/* An SW_ERR_INPUT "FILE:LINE: KEY" or "--option", then the formatted rest. */
__attribute__((format(printf, 3, 4))) sw_status sw_fem_job_error(const sw_fem_job *job, const char *key,
                                                                 const char *format, ...);

#endif
