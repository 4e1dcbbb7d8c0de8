/* A run of VPSC8's input files: its processes, one after the other. */
#ifndef SW_ONLINE_VPSC_RUN_H
#define SW_ONLINE_VPSC_RUN_H

#include "components.h"
#include "common/system/progress.h"
#include "output/output.h"
#include "elastic/elastic.h"
#include "results.h"

typedef struct {
    const sw_vpsc_input *input;
    sw_vpsc_polycrystal polycrystal;
    sw_vpsc_solver *solver; /* NULL: elastic */
    sw_vpsc_elastic *elastic;
    sw_vpsc_output *output;
    sw_vpsc_components components;
    sw_vpsc_history history;
    sw_vpsc_place place;
    sw_vpsc_convergence convergence;
    double temperature_step;
    int64_t steps, failed; /* so far; that did not converge */
    int saved;             /* a state was written */
    sw_progress progress;  /* grain-steps */
    int compatible;
} sw_vpsc_run;

/* Run all. threads: of OpenMP. folder: where output goes, "" the working one. SW_ERR_INTERRUPTED, SW_ERR_IO, SW_ERR_UNAVAILABLE,
 * SW_ERR_MEMORY, SW_ERR_RANGE; there is no output then. */
sw_status sw_vpsc_run_all(const sw_vpsc_input *input, const char *folder, int compatible, int threads,
                          int quiet);

/* A process of its kind. */
sw_status sw_vpsc_run_load(sw_vpsc_run *run, const sw_vpsc_process *process);
sw_status sw_vpsc_run_history(sw_vpsc_run *run, const sw_vpsc_process *process);
/* The step from which on axes of F F^T, the longest first, are not 1, 2, 3: VPSC8 turns L to them, and no grain. 0: they stay. */
int sw_vpsc_history_turns(const sw_vpsc_process *process);
sw_status sw_vpsc_run_surface(sw_vpsc_run *run, const sw_vpsc_process *process);
sw_status sw_vpsc_run_surface_5d(sw_vpsc_run *run, const sw_vpsc_process *process);
sw_status sw_vpsc_run_lankford(sw_vpsc_run *run, const sw_vpsc_process *process);
/* Steps that such a process has, of surfaces and Lankford; 0 of others. */
int sw_vpsc_count_probes(const sw_vpsc_input *input, const sw_vpsc_process *process);
sw_status sw_vpsc_run_elastic(sw_vpsc_run *run, const sw_vpsc_process *process);

/* Elastic moduli of the polycrystal as it is, and their row of EL-TH-MODULI.OUT. */
sw_status sw_vpsc_solve_elastic(sw_vpsc_run *run);

/* POSTMORT.IN, where input files are looked for, and POSTMORT.OUT: the state to go on from, as VPSC8 keeps it (kept.c). */
sw_status sw_vpsc_read_state(sw_vpsc_run *run);
sw_status sw_vpsc_write_state(sw_vpsc_run *run);

/* A step's solution, and its line of RERR.OUT: number `step` of its process, of which the first has a first guess of its own.
 * Then what VPSC8 counts of a step, and its rows of ACT_PHn.OUT, STR_STR.OUT and STR_STR_STATS.OUT. */
sw_status sw_vpsc_solve_step(sw_vpsc_run *run, int step);
sw_status sw_vpsc_count_step(sw_vpsc_run *run);
/* Whether dislocation densities are such as crystals may have: SW_ERR_INPUT. */
sw_status sw_vpsc_check_densities(const sw_vpsc_run *run);
/* A step is over. */
void sw_vpsc_end_step(sw_vpsc_run *run);
/* A row of vpsc.h5. */
sw_status sw_vpsc_keep_row(sw_vpsc_run *run);

#endif
