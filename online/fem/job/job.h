/* The job file of `slipwave fem`: mesh, materials, boundary, loads and steps -> a problem to open. Keys are
 * the members' names but where their rows say otherwise.
 *
 * Dimensions: N nodes, c unknowns of a node, d space dimensions, E elements, L load cases, T tools, S steps, n
 * increments. */
#ifndef SW_ONLINE_FEM_JOB_JOB_H
#define SW_ONLINE_FEM_JOB_JOB_H

#include <pthread.h>

#include "common/files/hash.h"
#include "common/job/command.h"
#include "online/fem/mesh/mesh.h"
#include "online/polycrystal/source.h"
#include "slipwave/fem.h"

/* ---- As in the file ---- */

typedef struct {
    const char *name;
    sw_fem_set_kind kind;
    double *from, *to; /* [d] m, corners of a box */
    int from_count, to_count;
} sw_fem_job_set;

/* Which grain each element is of: one of voronoi, seeds and file. */
typedef struct {
    int64_t voronoi, seed; /* number of grains, of random numbers */
    const char *seeds, *file, *dataset;
} sw_fem_job_grains;

/* A law of decks: as in the file. */
typedef struct {
    int function, rate_law, rubber, coefficients_count, rolling_count, transverse_count, backstresses_count,
        constants_count;
    const char *file;
    double exponent, rate, rate_exponent, rate_factor, power_modulus, power_exponent;
    double *coefficients, *rolling, *transverse, *constants, (*backstresses)[2];
} sw_fem_job_law;

typedef struct {
    sw_fem_material is; /* first: sw_fem_hardening_keys count from it */
    double conductivity;
    const char *elements;           /* an element set; NULL: all */
    sw_fem_job_law law;             /* keys: yield, rate, power, backstresses, rubber */
    sw_polycrystal_source crystals; /* instead of all that; with */
    sw_fem_job_grains grains;       /* key: crystals.grains */
} sw_fem_job_material;

enum { SW_FEM_VALUES = 4 }; /* x, y, z, temperature */
typedef struct {
    const char *nodes, *surface; /* one of them */
    double value[SW_FEM_VALUES]; /* m, K; NaN: not prescribed */
    double *factors;             /* [S] */
    int factors_count;
} sw_fem_job_boundary;

typedef struct {
    const char *nodes, *surface, *elements; /* one of them */
    double *vector;                         /* [d] of traction, body_force, force: Pa, N/m3, N; or */
    int vector_count;
    double number;   /* of pressure, flux, source, flow: Pa, W/m2, W/m3, W */
    double *factors; /* [S] */
    int factors_count;
} sw_fem_job_load;

typedef struct {
    const char *name, *file; /* file, scale: of a mesh */
    double scale;
    sw_fem_tool is; /* its numbers */
    const char **surfaces;
    double *point, *normal, *axis; /* [d] m, 1, 1 */
    double *move, *force;          /* [d] m, N */
    double *factors;               /* [S] */
    int surfaces_count, point_count, normal_count, axis_count, move_count, force_count, factors_count;
} sw_fem_job_tool;

/* Of a periodic body; x of the file: NaN. */
typedef struct {
    double gradient[3][3], stress[3][3];       /* at factor 1; Pa */
    double *gradient_factors, *stress_factors; /* [S] */
    int gradient_factors_count, stress_factors_count;
} sw_fem_job_mean;
enum { SW_FEM_MEANT = 2 }; /* entries: of the gradient, of the stress */

typedef struct {
    double factor, time; /* 1, s */
    int64_t increments;
} sw_fem_job_step;

/* ---- Made of them ---- */

/* A material of crystals and what it borrows. */
typedef struct {
    sw_fem_polycrystal is;
    sw_polycrystal made;
} sw_fem_job_crystals;

/* A boundary, load or tool entry of the file. */
typedef struct {
    char label[80]; /* "nodes x_min" */
    int64_t n_nodes;
    int32_t *node;           /* [n_nodes] nodes of its set, ascending */
    int fixes[3];            /* of a boundary or tool: the components that it prescribes */
    double at[3];            /* of a boundary or tool: values at factor 1 */
    double total[3];         /* of a load or tool: resultant at factor 1 on the undeformed body, N (W) */
    sw_fem_pressure follows; /* of a load: a pressure that follows its surface; surface NULL: any other */
    int load_case;
    double *of_step; /* [S] factor at the end of each step */
    double *factor;  /* [n] factor at each increment's end */
} sw_fem_entry;

/* A hash that a thread may still be at: sw_fem_job_identity. */
typedef struct {
    pthread_t thread;
    int is_sought;
    char text[SW_HASH_TEXT];
} sw_fem_identity;

/* Of decks, whose command takes these options: online/fem/deck_command.c. */
enum { SW_FEM_DIALECTS = 2 };
extern const char *const sw_fem_dialect_names[SW_FEM_DIALECTS]; /* "abaqus", "calculix" */

typedef struct {
    sw_run_options run;
    int dialect, as_job; /* of decks alone, as this: */
    const char *umat;
    const char *restart; /* go on from this file; NULL: none */
    int timings;         /* tell where the time went */
    struct {             /* the short form; fills in mesh to steps */
        double radius, height, reduction, friction, shear_limit, time;
        int sticks, cells_count, rate_law; /* rate_law: of ways.h */
        int64_t *cells, increments;
    } upsetting;
    struct {      /* key: mesh */
        int body; /* of sw_fem_bodies, -1: none; or */
        const char *file;
        int64_t *cells; /* [cells_count] 2 or 3 */
        int cells_count;
        double scale;          /* m, of a unit of the file's coordinates */
        double *size, *origin; /* m */
        int size_count, origin_count;
        double fraction[4];  /* the body's parameters; 0: its own */
        const char **ignore; /* keywords of the file */
        int ignore_count;
        sw_fem_reading reading; /* what was found in it */
        sw_fem_job_set *sets;
        int sets_count;
    } geometry;
    sw_fem_job_material *materials;
    int materials_count;
    sw_fem_job_boundary *boundary;
    int boundary_count;
    sw_fem_job_load *loads;
    int loads_count;
    sw_fem_job_tool *tools;
    int tools_count;
    sw_fem_job_mean mean;   /* key: periodic */
    sw_fem_job_step *steps; /* without any: one to factor 1 */
    int steps_count;
    struct {
        const char *file;
        const char **fields, **restart; /* "none", "all", "last", or numbers of increments from 1 on */
        const char **textures;          /* element sets */
        int fields_count, restart_count, textures_count, components, resumable;
    } output;
    sw_fem_problem problem; /* kinematics, b_bar, thickness; the rest is made */
    sw_fem_options options; /* key: solver */

    /* Made. */
    sw_fem_mesh *mesh;
    sw_fem_entry *fixed, *loaded, *tooled; /* [boundary_count], [loads_count], [tools_count] */
    sw_fem_entry *meant;                   /* [SW_FEM_MEANT] of a periodic body, else NULL */
    sw_fem_tool *tool;                     /* [tools_count] problem.tool */
    int64_t n_increments;
    int32_t *step_of;                          /* [n] 1 .. S */
    double *factor;                            /* [n][L] at each increment's end */
    unsigned char *with_fields, *with_restart; /* [n] */
    sw_fem_identity *identity;                 /* of mesh, materials, boundary, loads, tools and periodic */
    sw_identity crystals_identity;             /* and of the materials' crystals */
    double first_increment;                    /* key: solver.first_increment; 0: not given */
    double *duration, *end;                    /* [n] s: of each increment, and when it ends */
    sw_fem_material *material;                 /* [materials_count] problem.material */
    sw_fem_job_crystals *crystals;             /* [materials_count] */
    struct sw_fem_matter *matter;              /* [materials_count] */
    uint8_t *material_of;                      /* [E] problem.material_of */
    sw_fem_case *load_case;                    /* [L] problem.load */
    sw_job *source;                            /* where each value stands; owns all above but the mesh */
} sw_fem_job;

extern const sw_key sw_fem_keys[];

/* Read a job, make or read the mesh and build the problem. SW_ERR_INPUT names file, line, key, value and
 * bound ("--tolerance = 2: need ..." for an option); SW_ERR_IO; SW_ERR_MEMORY; what a mesh file is refused
 * for. Release with sw_fem_job_free. */
sw_status sw_fem_job_read(const sw_arguments *arguments, sw_fem_job **job);
void sw_fem_job_free(sw_fem_job *job);

/* What a job is known by in files; waits until it is known. One thread at a time. */
const char *sw_fem_job_identity(const sw_fem_job *job);

#endif
