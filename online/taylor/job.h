/* The job file of `slipwave taylor`. Keys are the struct's member names. */
#ifndef SW_ONLINE_TAYLOR_JOB_H
#define SW_ONLINE_TAYLOR_JOB_H

#include "common/job/command.h"
#include "lattice_strain.h"
#include "online/kwn/output/ageing.h"
#include "online/loading/loading.h"
#include "online/response/homogenization/homogenization.h"
#include "online/texture/population.h"
#include "slipwave/taylor.h"

enum { SW_TAYLOR_PHASES = 16 }; /* at most */

/* A phase of several, in a job: */
typedef struct {
    char name[32];
    const char *material; /* path */
    double fraction;      /* of the volume */
    sw_crystals_source crystals;
    double initial_slip_resistance; /* Pa; 0: the material's */
} sw_taylor_phase_asked;

struct sw_taylor_job {
    sw_run_options run;
    const char *database; /* path; NULL when absent */
    const char *material; /* path of a material file; NULL: the database's own material */
    int solver;           /* of sw_solver_names; SW_SOLVERS: auto, by the database's certificate */
    double error;         /* of auto */
    int error_of;         /* likewise, which error that is: an sw_certified_measure */
    int64_t terms;        /* Fourier coefficients to use, a pair is two; 0: all that are stored */
    int64_t refinement;   /* refinement multiplier of Malahe 2018, section 2.3; 0: the solver's own */
    int nearest;          /* interpolation of the grid solver */
    int one_iteration;    /* of rigid_plastic */
    sw_homogenization_choice homogenization;
    int packed; /* crystals are of 8 bytes */
    sw_crystals_source crystals;
    double initial_slip_resistance; /* Pa; 0: the material's */
    double temperature;             /* K; NaN: the material's */
    sw_taylor_phase_asked *phases;  /* [phases_count] instead of material and crystals */
    int phases_count;
    sw_kwn_state ageing;     /* instead: where ageing left it */
    double strain_increment; /* ||D||_F dt per step */
    sw_loading *loading;     /* [loading_count] */
    unsigned loading_count;  /* >= 1 */
    int64_t cycles;          /* times that the loading is gone through */
    struct {
        const char *file;          /* results, HDF5 */
        const char **orientations; /* which steps: numbers, "last", "all" or "every N" */
        unsigned orientations_count;
        const char **textures; /* likewise; when absent those of orientations */
        unsigned textures_count;
        sw_reflection_asked *lattice_strains; /* [lattice_strains_count] */
        int lattice_strains_count;
        double checkpoint; /* s, from one state of the run in FILE.partial to the next */
    } output;
    const sw_taylor_inputs *given; /* of a run in memory; all NULL but there */
    int64_t total_steps;           /* of all cycles of the loading; the most, where goals end its entries */
    sw_job *source;                /* where each value stands; owns all above */
};

extern const sw_key sw_taylor_keys[];
extern const char *const sw_taylor_storage_names[2];

/* The job of a run in memory: of a file or, if that is not NULL, a text. given: what the caller has. */
sw_status sw_taylor_job_open_in_memory(const char *path, const char *text, int n_options,
                                       const char *const (*option)[2], const sw_taylor_inputs *given,
                                       sw_taylor_job **job);

/* SW_ERR_INPUT for a hold with a solver that has none. */
sw_status sw_taylor_check_holds(const sw_taylor_job *job, const sw_solver_traits *solver);

/* Whether a list of steps names one; is_last: of the run. */
int sw_taylor_names_step(unsigned count, const char *const *list, int64_t step, int is_last);

/* Warn of steps that a list names and that did not come before the run's last one. */
void sw_taylor_warn_of_absent_steps(const char *key, unsigned count, const char *const *list, int64_t last);

#endif
