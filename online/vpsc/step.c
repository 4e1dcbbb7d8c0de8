/* A step of a run: solved, counted, written. */
#include <math.h>
#include <string.h>

#include "common/math/six.h"
#include "run.h"

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

#define DENSITY_MOST 1e30 /* 1/m^2, far above what a lattice has room for: 1e19 */

static int are_finite(const double *number, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (!isfinite(number[k]))
            return 0;
    return 1;
}

static sw_status check_finite(const sw_vpsc_run *run)
{
    const sw_vpsc_polycrystal *p = &run->polycrystal;
    int finite = isfinite(p->mises_rate) && isfinite(p->mises_stress) && are_finite(p->d, 6) &&
                 are_finite(p->stress, 6);
    for (int i = 0; i < p->n_phases; i++)
        finite = finite && are_finite(p->phase[i].stress[0], 6 * p->phase[i].n) &&
                 are_finite(p->phase[i].rate[0], 6 * p->phase[i].n);
    if (finite)
        return SW_OK;
    return sw_error(
        SW_ERR_INPUT,
        "%s:%d: process, step %d: grains' stresses or strain rates are not finite: need conditions that "
        "these crystals can meet",
        run->input->path, run->place.process->line, run->place.step);
}

sw_status sw_vpsc_check_densities(const sw_vpsc_run *run)
{
    const sw_vpsc_grains_of *p = &run->polycrystal.phase[0];
    for (int64_t g = 0; g < p->n && p->density != NULL; g++) {
        double most = p->debris[g];
        for (int a = 0; a < p->input->crystal.n_slip; a++)
            most += fabs(p->density[g * p->systems + a]);
        if (!(most < DENSITY_MOST))
            return sw_error(
                SW_ERR_INPUT,
                "%s:%d: process, step %d: the densities of grain %lld come to %g 1/m^2: need less "
                "than %g; see the hardening law of %s",
                run->input->path, run->place.process->line, run->place.step, (long long)g + 1, most,
                DENSITY_MOST, p->input->crystal_file);
    }
    return SW_OK;
}

/* Hardening that takes resistances away may take all of one. */
static sw_status check_resistances(const sw_vpsc_run *run)
{
    for (int i = 0; i < run->polycrystal.n_phases; i++) {
        const sw_vpsc_grains_of *p = &run->polycrystal.phase[i];
        for (int64_t k = 0; k < p->n * p->systems; k++)
            if (!(p->crss[k] > 0 && isfinite(p->crss[k])))
                return sw_error(
                    SW_ERR_INPUT,
                    "%s:%d: process, step %d: the resistance of system %d of grain %lld of phase %d is "
                    "%g: need a number above 0; see the hardening law of %s",
                    run->input->path, run->place.process->line, run->place.step, (int)(k % p->systems) + 1,
                    (long long)(k / p->systems) + 1, i + 1, p->crss[k], p->input->crystal_file);
    }
    return SW_OK;
}

static sw_status check_convergence(sw_vpsc_run *run)
{
    const sw_vpsc_convergence *c = &run->convergence;
    if (c->converged)
        return SW_OK;
    if (c->iterations == 0)
        return sw_error(SW_ERR_INPUT,
                        "%s:%d: process, step %d: the scheme finds no medium that these grains make: need "
                        "resistances, ellipsoids and, of POSTMORT.IN, moduli that go together",
                        run->input->path, run->place.process->line, run->place.step);
    run->failed++;
    sw_warn("%s:%d: process, step %d: not converged after %d iterations: errors %.2g of grains' "
            "stresses, %.2g of "
            "stress, %.2g of rate; it is taken all the same",
            run->input->path, run->place.process->line, run->place.step, c->iterations, c->error[0],
            c->error[1], c->error[2]);
    return SW_OK;
}

void sw_vpsc_end_step(sw_vpsc_run *run)
{
    run->steps++;
    sw_progress_show(&run->progress, run->steps * run->polycrystal.n);
}

sw_status sw_vpsc_solve_step(sw_vpsc_run *run, int step)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    SW_TRY(sw_interrupt_check());
    SW_TRY(sw_vpsc_output_status(run->output));
    run->place.step = step;
    sw_vpsc_resist(p, run->steps == 0);
    SW_TRY(check_resistances(run));
    if (run->steps == 0 && run->input->phase[0].crystal.law == SW_VPSC_DENSITY)
        sw_vpsc_write_densities(run->output, p);
    SW_TRY(sw_vpsc_solve(run->solver, p, step == 1 || !run->place.strain_control, !run->place.strain_control,
                         &run->convergence));
    sw_vpsc_end_step(run);
    SW_TRY(check_convergence(run));
    find_gradient(p);
    sw_vpsc_find_mises(p);
    SW_TRY(check_finite(run));
    const int closed = p->rate_given[0][0] && p->rate_given[1][1] && p->rate_given[2][2];
    sw_vpsc_find_pressures(run->elastic, p, !closed);
    sw_vpsc_write_errors(run->output, &run->place, p, &run->convergence);
    return SW_OK;
}

sw_status sw_vpsc_solve_elastic(sw_vpsc_run *run)
{
    const sw_status status = sw_vpsc_elastic_solve(run->elastic, &run->polycrystal);
    if (status == SW_ERR_RANGE && run->place.process != NULL)
        return sw_error(status, "%s:%d: process, step %d: %s: need conditions that these crystals can meet",
                        run->input->path, run->place.process->line, run->place.step, sw_error_message());
    SW_TRY(status);
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
