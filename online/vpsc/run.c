#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "common/job/command.h"
#include "common/system/threads.h"

static const char *const title[SW_VPSC_INTERACTIONS] = {
    "FULL CONSTRAINT CALCULATION", "AFFINE CALCULATION",  "SECANT CALCULATION",
    "N_EFF=cte CALCULATION",       "TANGENT CALCULATION", "SECOND ORDER CALCULATION"};

static sw_status run_rotation(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    double rotation[3][3];
    memcpy(rotation, process->rotation, sizeof rotation);
    sw_vpsc_rotate(&run->polycrystal, rotation);
    sw_vpsc_write_texture(run->output, &run->polycrystal);
    return SW_OK;
}

static sw_status run_process(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    run->place.process = process;
    if (process->kind != SW_VPSC_LOAD && run->steps == 0)
        run->polycrystal.temperature = run->input->phase[0].crystal.law == SW_VPSC_DENSITY ? 300 : 0;
    run->place.strain_control = !run->input->elastic || run->place.strain_control;
    switch (process->kind) {
    case SW_VPSC_LOAD:
        return run->input->elastic ? sw_vpsc_run_elastic(run, process) : sw_vpsc_run_load(run, process);
    case SW_VPSC_HISTORY:
        return sw_vpsc_run_history(run, process);
    case SW_VPSC_SURFACE:
        return sw_vpsc_run_surface(run, process);
    case SW_VPSC_SURFACE_5D:
        return sw_vpsc_run_surface_5d(run, process);
    case SW_VPSC_LANKFORD:
        return sw_vpsc_run_lankford(run, process);
    case SW_VPSC_ROTATION:
        return run_rotation(run, process);
    }
    return SW_OK;
}

static int64_t count_steps(const sw_vpsc_input *input)
{
    int64_t steps = 0;
    for (int i = 0; i < input->n_processes; i++) {
        const sw_vpsc_process *process = &input->process[i];
        steps += process->kind == SW_VPSC_LOAD      ? process->load.steps + !input->elastic
                 : process->kind == SW_VPSC_HISTORY ? process->n_steps
                                                    : sw_vpsc_count_probes(input, process);
    }
    return steps;
}

/* A pass over grains, of which a step has dozens, takes some 200 ns of a core each; all threads wait for the slowest, and that
 * pays from a few thousand grains on: as if it took this, ns. */
#define PASS 30

static sw_status run_processes(sw_vpsc_run *run, int threads, int quiet)
{
    const sw_vpsc_input *input = run->input;
    SW_TRY(sw_vpsc_polycrystal_make(input, run->compatible, &run->polycrystal));
    sw_progress_begin(&run->progress, "vpsc", "grain-steps", count_steps(input) * run->polycrystal.n, quiet);
    if (!input->elastic)
        SW_TRY(sw_vpsc_solver_make(&run->polycrystal, run->compatible,
                                   sw_threads_for(run->polycrystal.n, PASS) > 1 ? threads : 1, &run->solver));
    SW_TRY(sw_vpsc_elastic_make(&run->polycrystal, &run->elastic));
    SW_TRY(sw_vpsc_solve_elastic(run));
    if (input->recover == 1)
        SW_TRY(sw_vpsc_read_state(run));
    if (input->components == 1) {
        SW_TRY(sw_vpsc_read_components(input, &run->components));
        sw_vpsc_write_components(run->output, &run->components, 0, &run->polycrystal);
    }
    for (int i = 0; i < input->n_processes; i++)
        SW_TRY(run_process(run, &input->process[i]));
    sw_progress_end(&run->progress);
    return SW_OK;
}

/* vpsc.h5 is written before the texts have their names, and has its own after them. */
static sw_status write_results(const sw_vpsc_run *run, const char *folder, sw_status status)
{
    const size_t length = strlen(folder);
    sw_h5_output results;
    char *path = sw_file_name("%s%svpsc.h5", folder, length == 0 || folder[length - 1] == '/' ? "" : "/");
    if (status == SW_OK)
        status = path == NULL ? SW_ERR_MEMORY
                              : sw_vpsc_results_write(path, &run->history, &run->polycrystal, &results);
    free(path);
    const int written = status == SW_OK;
    status = sw_vpsc_output_close(run->output, status);
    return written ? sw_h5_end(&results, status) : status;
}

/* Textures are written late: what they would replace is found before. */
static sw_status check_textures(const sw_vpsc_run *run)
{
    for (int p = 0; p < run->input->n_phases; p++) {
        char name[32];
        snprintf(name, sizeof name, "TEX_PH%d.OUT", p + 1);
        SW_TRY(sw_vpsc_output_check(run->output, name));
    }
    return sw_vpsc_output_check(run->output, "vpsc.h5");
}

static void print_summary(const sw_vpsc_run *run, const char *folder)
{
    char from[SW_LINE], to[SW_LINE];
    fprintf(sw_said(), "%s: %lld grains, %lld steps", sw_plain(run->input->path, from),
            (long long)run->polycrystal.n, (long long)run->steps);
    if (run->failed > 0)
        fprintf(sw_said(), "; %lld steps did not converge", (long long)run->failed);
    fprintf(sw_said(), "; STR_STR.OUT and others in %s\n",
            *folder == 0 ? "the working folder" : sw_plain(folder, to));
}

sw_status sw_vpsc_run_all(const sw_vpsc_input *input, const char *folder, int compatible, int threads,
                          int quiet)
{
    sw_vpsc_run run = {.input = input, .compatible = compatible};
    SW_TRY(sw_vpsc_output_open(input, folder, &run.output));
    run.place.title = input->elastic ? "THERMO-ELASTIC CALCULATION" : title[input->interaction];
    run.place.elastic = input->elastic;
    if (input->interaction == SW_VPSC_NEFF && input->neff == 0)
        run.place.title = "N_EFF FROM RDC CALCULATION";
    sw_status status = check_textures(&run);
    if (status == SW_OK)
        status = run_processes(&run, threads, quiet);
    status = write_results(&run, folder, status);
    if (status == SW_OK)
        print_summary(&run, folder);
    sw_vpsc_solver_free(run.solver);
    sw_vpsc_elastic_free(run.elastic);
    sw_vpsc_history_free(&run.history);
    sw_vpsc_polycrystal_free(&run.polycrystal);
    return status;
}
