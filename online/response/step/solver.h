/* What a solver is: what it needs and takes, how it is certified, what it costs, what it does on each device.
 * To add one: its source files, a CPU's and a GPU's, and its line in the list of ../solvers.h.
 * Dimension: N crystals, SW_BUNDLE of them at a time on the CPU. */
#ifndef SW_ONLINE_RESPONSE_STEP_SOLVER_H
#define SW_ONLINE_RESPONSE_STEP_SOLVER_H

#include "common/database/response_table.h"
#include "common/math/strain_rate.h"
#include "slipwave/response.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sw_step;
struct sw_points_launch;

/* Where a solver's tangent comes from. Of a table: how its answers change where it interpolates. */
typedef enum { SW_TANGENT_NONE, SW_TANGENT_OWN, SW_TANGENT_OF_TABLE } sw_tangent_source;

/* What a solver does on one device. */
typedef struct {
    /* Make and release response->data. close takes a half-made one too. */
    sw_status (*open)(sw_response *response);
    void (*close)(sw_response *response);

    /* Prepare for a strain rate: whatever depends on theta (rad). */
    sw_status (*prepare)(sw_response *response, double theta);
    /* Prepare for crystals with a theta each. */
    sw_status (*ready_each)(sw_response *response);

    /* On the CPU: what `evaluate`, or `evaluate_each`, takes for a crystal on one core, ns; of the right
     * order, to tell what threads are worth. */
    double (*nanoseconds)(const sw_response *response, int each);
    /* On the CPU, from any thread: the nine outputs of a bundle of crystals, principal frame, of a response with
     * `planes` thirteen. orientation [4][B] unit quaternion there. Returns which lanes of the first n have no answer,
     * a bit each. */
    unsigned (*evaluate)(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                         float (*output)[SW_BUNDLE]);
    /* The same for crystals with a theta each: theta [B] turns. */
    unsigned (*evaluate_each)(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                              const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE]);
    /* The same, and how it changes, of a solver with SW_TANGENT_OF_TABLE that interpolates: slope [4][6][B] (response_table.h). */
    unsigned (*evaluate_slopes)(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                                const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE],
                                float slope[SW_SLOPES][SW_SLOPED][SW_BUNDLE]);

    /* On the GPU, asynchronously on `stream` (a cudaStream_t): a step of crystals in its memory, into `to` or, where
     * that is NULL, nowhere. partial: room for a launch's sums; sums [SW_SUMS] double (step.h). */
    sw_status (*launch_step)(sw_response *response, const struct sw_step *step, const sw_crystals *from,
                             const sw_crystals *to, double *partial, double *sums, void *stream);
    /* Likewise, the outputs without a step; of sums only the failed ones count. strain_rate [n][6]: of each
     * crystal, as in sw_response_evaluate_each; NULL: step's for all. */
    sw_status (*launch_evaluate)(sw_response *response, const struct sw_step *step,
                                 const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                 float (*stress)[6], float (*plastic_spin)[3], float *slip_rate,
                                 double *partial, double *sums, void *stream);

    /* ---- Points with a loading each (../points/points.h) ---- */

    sw_tangent_source tangent;
    /* On the CPU, from any thread: the step of a bundle of crystals. step [B]: of each. state [4][B]: Euler angles,
     * rad, and slip resistance, Pa; kept [K][B]: the rest of its state; number [SW_NUMBERS][B] (step.h), but the SW_MEANS first ones only if
     * a tangent is wanted; of lanes without an answer the first is no number. Returns which those are of the first n, as `evaluate`. NULL: by
     * `evaluate_each`; a solver that remembers has it, and makes its steps with it as well. */
    unsigned (*advance)(const sw_response *response, const struct sw_step *const *step, int n,
                        float state[4][SW_BUNDLE], float (*kept)[SW_BUNDLE], int tangent,
                        float (*number)[SW_BUNDLE]);
    /* On the GPU, asynchronously: the crystals of points (../points/points_cuda.h). NULL: none there. */
    sw_status (*launch_points)(sw_response *response, const struct sw_points_launch *launch);

    /* Instead of all but open and close: the whole step; see sw_response_advance. */
    sw_status (*step)(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                      double dt, const sw_crystals *from, const sw_crystals *to,
                      sw_response_average *average);
    /* States of crystals without stress; NULL: 0. On the CPU. */
    void (*begin)(sw_crystals *crystals);
    /* On the CPU, of states in double precision: crystal i after half a turn about n [3], a unit vector along its axes, its stress
     * as it was in the sample. NULL: none is turned. */
    void (*turn)(const sw_response *response, sw_crystals *crystals, int64_t i, const float n[3]);
} sw_solver_functions;

/* Of a database's grid, or of a table, at most. */
enum { SW_REFINEMENT_MOST = 4096 };

/* Settings that `slipwave certify` measures; 0 where the solver takes none. */
typedef struct {
    int64_t terms, refinement;
    int nearest;
} sw_solver_settings;

/* Seconds of a crystal-step on a GPU. They are there to put solvers in order: measured on one NVIDIA H200,
 * 2026-11-21; another GPU, or another database, takes other times. */
typedef struct {
    int nearest;
    int64_t points;           /* a turn: of tables up to this size */
    double seconds, per_pair; /* per_pair: for each pair of terms */
} sw_solver_cost;

typedef struct sw_solver {
    sw_solver_traits traits;
    /* What it remembers of a crystal: its steps then take D = 0 as well and need no preparation. */
    sw_state_layout state;
    /* What it remembers where families of slip systems have their own resistances, beside those (slip_law.h); `field`
     * NULL: it takes no such material. */
    sw_state_layout with_families;
    struct {
        const sw_solver_settings *row; /* [count], from short to long */
        int count;
    } certified;
    struct {
        const sw_solver_cost *row; /* [count], of small tables first; none: `auto` does not choose it there */
        int count;
    } gpu_costs;
    /* Crystals expand by `strain` along their axes, on either device; NULL: they have no elastic strains. */
    sw_status (*heat)(const sw_response *response, const double strain[3], sw_crystals *crystals);
    sw_solver_functions cpu;
    const sw_solver_functions *cuda; /* NULL: none, or a build without CUDA */
    int has_planes; /* its `evaluate` has thirteen outputs, and its launches take sw_finish_planes: laws of four coplanar resistances */
} sw_solver;

/* In a descriptor: a static table of certified settings or costs. */
#define SW_SOLVER_TABLE(table)                             \
    {                                                      \
        (table), (int)(sizeof(table) / sizeof((table)[0])) \
    }

/* Likewise, the functions for a GPU, which a build with CUDA has. */
#ifdef SW_HAVE_CUDA
#define SW_SOLVER_ON_GPU(functions) (&(functions))
#else
#define SW_SOLVER_ON_GPU(functions) NULL
#endif

/* Whether crystals of a material have four coplanar resistances there. */
static inline int sw_solver_follows_planes(const sw_solver *solver, const sw_material *material)
{
    return solver->has_planes && sw_plane_law_of(material, NULL);
}

struct sw_homogenization;

struct sw_response {
    const sw_solver *solver;
    const sw_state_layout *layout; /* of its crystals' states */
    const struct sw_homogenization *homogenization;
    sw_device device;
    const sw_solver_functions *functions; /* the solver's, on that device */
    const sw_database *database;
    const sw_material *material;
    int64_t pairs; /* of the series, for `terms` (database.h) */
    int64_t refinement;
    int linear;        /* interpolation of a table: else the nearest entry */
    int one_iteration; /* is enough */
    int packs;         /* its crystals may be of 8 bytes (online/response/packed/packed.h) */
    int planes;        /* its crystals have four coplanar resistances, by plane_law (crystal_update.h) */
    sw_plane_law plane_law;
    void *data;        /* the solver's own */
    void *homogenized; /* the homogenization's own */
    /* The crystals of points on a GPU: the homogenization's, or the solver's. */
    sw_status (*launch_points)(sw_response *response, const struct sw_points_launch *launch);
    void *gpu;   /* on a GPU: what all solvers need there (crystals_cuda.h) */
    int doubted; /* crystals of this response have been warned of */
};

enum {
    SW_OWN_MAX = 16,
    SW_KEPT_MAX = SW_OWN_MAX + SW_SLIP_NUMBERS_MAX
}; /* K at most, of a solver with `advance` or
                                                                      `launch_points`: its own, and its law's */

/* The sum of crystals' weights. */
sw_status sw_crystals_sum_weights(const sw_crystals *crystals, double *sum);

/* Where a field begins among a crystal's numbers. */
int sw_state_field_place(const sw_state_layout *layout, const sw_state_field *field);

/* Whether two layouts are alike: numbers by name. */
int sw_state_layouts_match(const sw_state_layout *a, const sw_state_layout *b);

/* The layout of crystals of a material: the solver's fields, then its law's, then those beside [n_beside], of single precision. It
 * stays: crystals outlive their response. NULL: there is no memory for it. */
const sw_state_layout *sw_state_layout_of(const sw_solver *solver, const sw_material *material, int n_beside,
                                          const sw_state_field *beside);
/* More of crystals than orientation and slip resistance. */
static inline int sw_remembers(const sw_response *response) { return response->layout->numbers > 0; }

/* Whether volume makes deviators of its crystals' stresses, as where these are elastic and not cubic: its velocity gradients may
 * have a trace. */
int sw_response_takes_volume(const sw_response *response);
int sw_solver_takes_volume(const sw_solver *solver, const sw_material *material);

/* What a volume strain is to be multiplied by for the pressure that is not in its stresses, Pa: the crystals' bulk modulus or, where
 * they take up volume, that of crystals whose deviators do not change (stiffness.h). */
double sw_solver_bulk_modulus(const sw_solver *solver, const sw_material *material);

enum { SW_STEP_BLOCK = 512 }; /* crystals whose averages are summed together; blocks are added in order */

/* ---- The loops over crystals on the CPU; crystals_cuda.h has the same two for a GPU ---- */

/* sw_response_step and sw_response_evaluate; the response is prepared. strain_rate [n][6]: each crystal's
 * own; NULL: the step's. to: or NULL. sums [SW_SUMS] are added to (step.h). *failed: how many crystals
 * have no answer. SW_ERR_MEMORY. */
sw_status sw_crystals_step_cpu(sw_response *response, const struct sw_step *step, const sw_crystals *from,
                               const sw_crystals *to, double *sums);
sw_status sw_crystals_evaluate_cpu(sw_response *response, const struct sw_step *step,
                                   const float (*strain_rate)[6], int64_t n, const sw_crystal *crystal,
                                   float (*stress)[6], float (*plastic_spin)[3], float *slip_rate,
                                   int64_t *failed);

#ifdef __cplusplus
}
#endif

#endif
