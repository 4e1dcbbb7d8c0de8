/* Loads and histories: polycrystals that deform. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/principal.h"
#include "common/math/rotation.h"
#include "common/math/six.h"
#include "run.h"

static void take_symmetric(const double t[3][3], double six[6])
{
    for (int k = 0; k < 6; k++)
        six[k] = 0.5 * (t[sw_six_row(k)][sw_six_column(k)] + t[sw_six_column(k)][sw_six_row(k)]);
}

static sw_status twin(sw_vpsc_run *run)
{
    SW_TRY(sw_vpsc_twin(&run->polycrystal));
    sw_vpsc_write_twins(run->output, &run->place, &run->polycrystal);
    return SW_OK;
}

/* Lengths change by 1 + D dt in a step, far above 0: |D| dt is below this; and less than a whole turn is meant, rad. */
#define INCREMENT_MOST 2.0
#define TURN_MOST (2 * SW_PI)

static sw_status check_increments(const sw_vpsc_run *run)
{
    const sw_vpsc_polycrystal *p = &run->polycrystal;
    const double dt = p->time_step, increment = sw_vpsc_deviator_size(p->d) * dt,
                 turn =
                     sqrt(p->w[0][1] * p->w[0][1] + p->w[0][2] * p->w[0][2] + p->w[1][2] * p->w[1][2]) * dt;
    if (!(increment < INCREMENT_MOST))
        return sw_error(SW_ERR_INPUT,
                        "%s:%d: process, step %d: a strain of %.4g in one step of %.4g s: need less than %g; "
                        "smaller steps, or less stress",
                        run->input->path, run->place.process->line, run->place.step, increment, dt,
                        INCREMENT_MOST);
    if (!(turn < TURN_MOST))
        return sw_error(
            SW_ERR_INPUT,
            "%s:%d: process, step %d: a turn by %.4g rad in one step of %.4g s: need less than %.4g; "
            "smaller steps, or less spin",
            run->input->path, run->place.process->line, run->place.step, turn, dt, TURN_MOST);
    return SW_OK;
}

/* What a step of polycrystal->time_step brings: orientations, ellipsoids, resistances, and grains that twins turn; these come first
 * in VPSC8, which then turns grains that have turned by the slips of what they were. */
static sw_status update(sw_vpsc_run *run)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    const double dt = p->time_step;
    SW_TRY(check_increments(run));
    p->mises_strain += p->mises_rate * dt;
    p->size_strain += sqrt(sw_vpsc_contract(p->d, p->d)) * dt;
    p->temperature += run->temperature_step;
    p->time += dt;
    for (int k = 0; k < 6; k++)
        p->strain[k] += p->d[k] * dt;
    if (run->compatible)
        SW_TRY(twin(run));
    if (run->input->turn == 1)
        SW_TRY(sw_vpsc_turn_grains(p));
    sw_vpsc_reshape(p);
    if (run->input->harden == 1)
        sw_vpsc_harden(p);
    SW_TRY(sw_vpsc_check_densities(run));
    if (run->input->harden == 1 && run->input->phase[0].crystal.law >= SW_VPSC_DENSITY)
        sw_vpsc_write_densities(run->output, p);
    return run->compatible ? SW_OK : twin(run);
}

static sw_status count_path(sw_vpsc_run *run)
{
    sw_vpsc_write_shapes(run->output, &run->place, &run->polycrystal);
    if (run->input->components == 1 && run->place.step > 1)
        sw_vpsc_write_components(run->output, &run->components, run->place.step, &run->polycrystal);
    return sw_vpsc_count_step(run);
}

static int writes_texture(const sw_vpsc_run *run, int steps)
{
    const int every = run->input->write_step, step = run->place.step;
    return every == 0 ? step == steps : step % every == 0;
}

/* Once in a run. */
static sw_status save_if_due(sw_vpsc_run *run)
{
    if (run->input->save_step != run->place.step || run->saved)
        return SW_OK;
    run->saved = 1;
    return sw_vpsc_write_state(run);
}

/* ---- Loads ---- */

static void begin_load(sw_vpsc_run *run, const sw_vpsc_load *load)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    const int k = load->control - 1, by_stress = k >= 0 && load->stress_given[k];
    memcpy(p->rate_given, load->rate_given, sizeof p->rate_given);
    memcpy(p->l, load->rate, sizeof p->l);
    take_symmetric(load->rate, p->d);
    take_symmetric(load->stress, p->stress);
    run->place.strain_control = !by_stress;
    p->control = load->control;
    p->temperature = load->temperature[0];
    run->temperature_step = (load->temperature[1] - load->temperature[0]) / load->steps;
    p->time_step = by_stress ? load->increment
                             : load->increment / (k >= 0 ? fabs(p->d[k]) : sw_vpsc_deviator_size(p->d));
}

/* The step's time, and what is printed as strain. rate: of the component that controls. */
static void set_time(sw_vpsc_run *run, const sw_vpsc_load *load, double rate)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    if (!run->place.strain_control) {
        p->control_strain += p->mises_rate * p->time_step;
        return;
    }
    p->time_step = load->increment / (load->control == SW_VPSC_BY_MISES ? p->mises_rate : rate);
    p->control_strain += load->increment;
}

sw_status sw_vpsc_run_load(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    const sw_vpsc_load *load = &process->load;
    begin_load(run, load);
    const double rate = load->control > 0 ? fabs(run->polycrystal.d[load->control - 1]) : 0;
    for (int step = 1; step <= load->steps + 1; step++) { /* one more for the stress of the last state */
        SW_TRY(sw_vpsc_solve_step(run, step));
        SW_TRY(count_path(run));
        if (step <= load->steps) {
            set_time(run, load, rate);
            SW_TRY(update(run));
        }
        if (writes_texture(run, load->steps))
            sw_vpsc_write_texture(run->output, &run->polycrystal);
        SW_TRY(save_if_due(run));
        SW_TRY(sw_vpsc_solve_elastic(run));
    }
    return SW_OK;
}

/* ---- Histories of L ---- */

#define L_LEAST 1e-9 /* of L as it was; rounding leaves less */

static void transpose(double a[3][3], double b[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b[i][j] = a[j][i];
}

static int by_falling(const void *a, const void *b)
{
    const double x = **(const double *const *)a, y = **(const double *const *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Columns: axes of f f^T, the longest first, right-handed. */
static void find_axes(double f[3][3], double axes[3][3])
{
    double b[3][3], back[3][3], value[3], row[3][3];
    transpose(f, back);
    sw_multiply(f, back, b);
    sw_principal_axes(b, value, row);
    const double *order[3] = {&value[0], &value[1], &value[2]};
    qsort(order, 3, sizeof *order, by_falling);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            axes[i][j] = row[order[j] - value][i];
    const double right = axes[0][0] * (axes[1][1] * axes[2][2] - axes[2][1] * axes[1][2]) -
                         axes[0][1] * (axes[1][0] * axes[2][2] - axes[2][0] * axes[1][2]) +
                         axes[0][2] * (axes[1][0] * axes[2][1] - axes[2][0] * axes[1][1]);
    for (int i = 0; i < 3 && right <= 0; i++)
        axes[i][0] = -axes[i][0];
}

/* axes^T l axes as VPSC8 has it: what is turned already goes into what comes after, and a trace comes of it. */
static void turn_in_place(double axes[3][3], double l[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                for (int m = 0; m < 3; m++)
                    sum += axes[k][i] * l[k][m] * axes[m][j];
            l[i][j] = sum;
        }
}

static void take_deviator(const double t[3][3], double six[6])
{
    take_symmetric(t, six);
    const double mean = (six[0] + six[1] + six[2]) / 3;
    for (int k = 0; k < 3; k++)
        six[k] -= mean;
}

/* L of a step, its trace dropped, and f <- (1 + L dt) f. */
static void deform(const sw_vpsc_step *step, double l[3][3], double f[3][3])
{
    double grown[3][3];
    const double trace = step->rate[0][0] + step->rate[1][1] + step->rate[2][2];
    for (int k = 0; k < 9; k++) {
        l[k / 3][k % 3] = step->rate[k / 3][k % 3] - (k % 4 == 0 ? trace / 3 : 0);
        grown[k / 3][k % 3] = (k % 4 == 0) + step->time * l[k / 3][k % 3];
    }
    sw_vpsc_turn(grown, f);
}

#define AXES_OFF 1e-6 /* far above rounding */

int sw_vpsc_history_turns(const sw_vpsc_process *process)
{
    double f[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, l[3][3], axes[3][3];
    for (int i = 0; i < process->n_steps; i++) {
        deform(&process->step[i], l, f);
        find_axes(f, axes);
        for (int k = 0; k < 9; k++)
            if (!(fabs(axes[k / 3][k % 3] - (k % 4 == 0)) < AXES_OFF))
                return i + 1;
    }
    return 0;
}

/* As VPSC8 has it, in f's axes [columns], to which grains are not turned; else in the sample's. */
static sw_status begin_history_step(sw_vpsc_run *run, int i, double f[3][3], double axes[3][3])
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    const sw_vpsc_process *process = run->place.process;
    deform(&process->step[i], p->l, f);
    take_deviator((const double(*)[3])p->l, p->d);
    const double size = sw_vpsc_deviator_size(p->d);
    if (run->compatible) {
        find_axes(f, axes);
        turn_in_place(axes, p->l);
        take_deviator((const double(*)[3])p->l, p->d);
    }
    if (!(sw_vpsc_deviator_size(p->d) > L_LEAST * size))
        return sw_error(
            SW_ERR_INPUT,
            "%s:%d: process, step %d: nothing is left of L as VPSC8 turns it, to axes of what has "
            "deformed: need an L that keeps a strain rate, or --compatible no",
            run->input->path, process->line, i + 1);
    memset(p->stress, 0, sizeof p->stress);
    p->time_step = process->step[i].time;
    return SW_OK;
}

/* In the sample's axes; the polycrystal is left in them at the end. */
static void write_history_texture(sw_vpsc_run *run, double axes[3][3], int last)
{
    double back[3][3];
    transpose(axes, back);
    if (run->compatible)
        sw_vpsc_rotate(&run->polycrystal, axes);
    sw_vpsc_write_texture(run->output, &run->polycrystal);
    if (run->compatible && !last)
        sw_vpsc_rotate(&run->polycrystal, back);
}

static void warn_of_turns(const sw_vpsc_run *run, const sw_vpsc_process *process)
{
    const int step = run->compatible ? sw_vpsc_history_turns(process) : 0;
    if (step > 0)
        sw_warn(
            "%s:%d: process, step %d: L is turned to the axes of what has deformed, the longest first, and "
            "grains are not, as in VPSC8: another sample is deformed than the file's; --compatible no has "
            "both "
            "in the sample's axes",
            run->input->path, process->line, step);
}

sw_status sw_vpsc_run_history(sw_vpsc_run *run, const sw_vpsc_process *process)
{
    sw_vpsc_polycrystal *p = &run->polycrystal;
    double f[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axes[3][3];
    warn_of_turns(run, process);
    p->control = SW_VPSC_BY_MISES;
    for (int k = 0; k < 9; k++)
        p->rate_given[k / 3][k % 3] = 1;
    for (int i = 0; i < process->n_steps; i++) {
        SW_TRY(begin_history_step(run, i, f, axes));
        SW_TRY(sw_vpsc_solve_step(run, i + 1));
        SW_TRY(count_path(run));
        if (i + 1 < process->n_steps) {
            p->control_strain += p->mises_rate * p->time_step;
            SW_TRY(update(run));
        }
        if (writes_texture(run, process->n_steps))
            write_history_texture(run, axes, i + 1 == process->n_steps);
        SW_TRY(save_if_due(run));
        SW_TRY(sw_vpsc_solve_elastic(run));
    }
    return SW_OK;
}
