#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/output_file.h"
#include "common/math/six.h"
#include "common/system/threads.h"

static const char *const title[SW_VPSC_INTERACTIONS] = {
    "FULL CONSTRAINT CALCULATION", "AFFINE CALCULATION",  "SECANT CALCULATION",
    "N_EFF=cte CALCULATION",       "TANGENT CALCULATION", "SECOND ORDER CALCULATION"};

/* ---- A step ---- */

/* W of the whole, by which components of L are given, and L. */
static void find_gradient(sw_vpsc_polycrystal *p)
{
    double l[3][3];
    memcpy(l, p->l, sizeof l);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double d = p->d[sw_six_of(i, j)];
            if (i == j)
                p->w[i][j] = 0;
            else if (p->rate_given[i][j] && p->rate_given[j][i])
                p->w[i][j] = 0.5 * (l[i][j] - l[j][i]);
            else if (p->rate_given[i][j]) {
                p->w[i][j] = l[i][j] - d;
                p->w[j][i] = -p->w[i][j];
            }
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p->l[i][j] = p->d[sw_six_of(i, j)] + p->w[i][j];
}

static void find_mises(sw_vpsc_polycrystal *p)
{
    p->mises_stress = sqrt(1.5) * sw_vpsc_deviator_size(p->stress);
    p->mises_rate = p->mises_stress > 0 ? fabs(sw_vpsc_contract(p->stress, p->d)) / p->mises_stress
                                        : sqrt(2.0 / 3) * sw_vpsc_deviator_size(p->d);
}

sw_status sw_vpsc_solve_step(sw_vpsc_run *run, int step)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    SW_TRY(sw_interrupt_check());
    run->place.step = step;
    sw_vpsc_resist(p, run->steps == 0);
    if (run->steps == 0 && run->input->phase[0].crystal.law == SW_VPSC_DENSITY)
        sw_vpsc_write_densities(run->output, p);
    SW_TRY(sw_vpsc_solve(run->solver, p, step == 1 || !run->place.strain_control, !run->place.strain_control,
                         &run->convergence));
    run->steps++;
    if (!run->convergence.converged) {
        run->failed++;
        sw_warn("process of line %d, step %d: not converged after %d iterations: errors %.2g of grains' "
                "stresses, %.2g of "
                "stress, %.2g of rate; it is taken all the same",
                run->place.process->line, step, run->convergence.iterations, run->convergence.error[0],
                run->convergence.error[1], run->convergence.error[2]);
    }
    find_gradient(p);
    find_mises(p);
    const int closed = p->rate_given[0][0] && p->rate_given[1][1] && p->rate_given[2][2];
    sw_vpsc_find_pressures(run->elastic, p, !closed);
    sw_vpsc_write_errors(run->output, &run->place, p, &run->convergence);
    return SW_OK;
}

sw_status sw_vpsc_solve_elastic(sw_vpsc_run *run)
{
    SW_TRY(sw_vpsc_elastic_solve(run->elastic, &run->polycrystal));
    sw_vpsc_write_moduli(run->output, &run->polycrystal, run->elastic);
    return SW_OK;
}

sw_status sw_vpsc_keep_row(sw_vpsc_run *run)
{
    const int process = (int)(run->place.process - run->input->process) + 1;
    return sw_vpsc_history_add(&run->history, process, run->place.step, &run->polycrystal, &run->convergence);
}

sw_status sw_vpsc_count_step(sw_vpsc_run *run)
{
    sw_vpsc_count_activity(&run->polycrystal);
    sw_vpsc_write_activity(run->output, &run->place, &run->polycrystal);
    sw_vpsc_count_work(&run->polycrystal);
    sw_vpsc_write_stress(run->output, &run->place, &run->polycrystal);
    sw_vpsc_find_pressures(run->elastic, &run->polycrystal, 1); /* of deviators, too, for these */
    sw_vpsc_write_lattice_strains(run->output, &run->polycrystal, run->elastic);
    return sw_vpsc_keep_row(run);
}

/* ---- Processes ---- */

static sw_status run_rotation(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    sw_vpsc_rotate(&run->polycrystal, (const double(*)[3])process->rotation);
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

/* A pass over grains, of which a step has dozens, takes some 200 ns of a core each; all threads wait for the slowest, and that
 * pays from a few thousand grains on: as if it took this, ns. */
#define PASS 30

static sw_status run_processes(sw_vpsc_run *run, int threads)
{
    const sw_vpsc_input *input = run->input;
    SW_TRY(sw_vpsc_polycrystal_make(input, run->compatible, &run->polycrystal));
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
    return SW_OK;
}

static sw_status write_results(const sw_vpsc_run *run, const char *folder)
{
    const size_t length = strlen(folder);
    char *path = sw_file_name("%s%svpsc.h5", folder, length == 0 || folder[length - 1] == '/' ? "" : "/");
    const sw_status status =
        path == NULL ? SW_ERR_MEMORY : sw_vpsc_results_write(path, &run->history, &run->polycrystal);
    free(path);
    return status;
}

static void print_summary(const sw_vpsc_run *run, const char *folder)
{
    const double seconds = sw_seconds() - run->started;
    char from[SW_LINE], to[SW_LINE];
    printf("%s: %lld grains, %lld steps in %.2f s, %.3g grain-steps/s", sw_plain(run->input->path, from),
           (long long)run->polycrystal.n, (long long)run->steps, seconds,
           (double)run->polycrystal.n * (double)run->steps / seconds);
    if (run->failed > 0)
        printf("; %lld steps did not converge", (long long)run->failed);
    printf("; STR_STR.OUT and others in %s\n", *folder == 0 ? "the working folder" : sw_plain(folder, to));
}

sw_status sw_vpsc_run_all(const sw_vpsc_input *input, const char *folder, int compatible, int threads,
                          int quiet)
{
    sw_vpsc_run run = {.input = input, .quiet = quiet, .compatible = compatible, .started = sw_seconds()};
    SW_TRY(sw_vpsc_output_open(folder, &run.output));
    run.place.title = input->elastic ? "THERMO-ELASTIC CALCULATION" : title[input->interaction];
    run.place.elastic = input->elastic;
    if (input->interaction == SW_VPSC_NEFF && input->neff == 0)
        run.place.title = "N_EFF FROM RDC CALCULATION";
    sw_status status = run_processes(&run, threads);
    if (status == SW_OK)
        status = write_results(&run, folder);
    status = sw_vpsc_output_close(run.output, status);
    if (status == SW_OK)
        print_summary(&run, folder);
    sw_vpsc_solver_free(run.solver);
    sw_vpsc_elastic_free(run.elastic);
    sw_vpsc_history_free(&run.history);
    sw_vpsc_polycrystal_free(&run.polycrystal);
    return status;
}
