#include "to_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/math/rotation.h"
#include "common/math/six.h"
#include "online/taylor/job.h"
#include "output/output.h"
#include "polycrystal/state.h"
#include "run.h"
#include "to_material.h"

/* ---- Loadings ---- */

static double size_of(const double l[3][3])
{
    double six[6];
    for (int k = 0; k < 6; k++)
        six[k] = 0.5 * (l[sw_six_row(k)][sw_six_column(k)] + l[sw_six_column(k)][sw_six_row(k)]);
    return sw_vpsc_deviator_size(six);
}

/* ||D'|| of what a load gives; one normal component that is given stretches the two others alike. */
static double load_size(const sw_vpsc_load *load)
{
    double six[6], sum = 0;
    int given = 0;
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        six[k] = load->stress_given[k] ? 0 : 0.5 * (load->rate[i][j] + load->rate[j][i]);
        sum += i == j ? six[k] : 0;
        given += i == j && !load->stress_given[k];
    }
    for (int k = 0; k < 3; k++)
        six[k] -= load->stress_given[k] && given > 0 ? sum / (3 - given) : 0;
    return sw_vpsc_deviator_size(six);
}

static int is_mixed(const sw_vpsc_load *load)
{
    int mixed = 0;
    for (int k = 0; k < 6; k++)
        mixed |= load->stress_given[k];
    return mixed;
}

/* Component by component; NaN: x. */
static void write_rows(FILE *out, const char *name, const double t[3][3])
{
    fprintf(out, "%s: [", name);
    for (int k = 0; k < 9; k++) {
        fprintf(out, k % 3 == 0 ? "[" : " ");
        fprintf(out, isnan(t[k / 3][k % 3]) ? "x" : "%.10g", t[k / 3][k % 3]);
        fprintf(out, "%s", k == 8 ? "]]" : k % 3 == 2 ? "], " : ",");
    }
}

enum { STEPS_MOST = 1000000 }; /* of an entry of a job */

/* An entry, of a process and its steps; what steps have of strain, ||D|| dt, is at most what a job takes. */
typedef struct {
    const sw_vpsc_process *process;
    const double (*rate)[3], (*stress)[3]; /* stress NULL: none */
    double duration, strain;               /* of all steps; of one */
    int steps;
} entry;

static sw_status write_entry(const sw_vpsc_input *input, const entry *e, FILE *out)
{
    const double parts = fmax(1, ceil(e->strain / SW_STEP_STRAIN_ASKED - 1e-9)), steps = parts * e->steps;
    if (!(steps <= STEPS_MOST))
        return sw_error(SW_ERR_UNAVAILABLE,
                        "%s:%d: process of %d steps of %g, ||D|| dt: a job of slipwave taylor takes %g for "
                        "it: need at most %d",
                        input->path, e->process->line, e->steps, e->strain, steps, STEPS_MOST);
    write_rows(out, "  - {velocity_gradient", e->rate);
    if (e->stress != NULL)
        write_rows(out, ",\n     stress", e->stress);
    fprintf(out, ",\n     duration: %.12g, steps: %d}\n", e->duration, (int)steps);
    return SW_OK;
}

static void take_trace(double l[3][3])
{
    const double mean = (l[0][0] + l[1][1] + l[2][2]) / 3;
    for (int i = 0; i < 3; i++)
        l[i][i] -= isnan(mean) ? 0 : mean;
}

/* Of a step. By von Mises' strain rate of D, which VPSC8's, |S:D| over von Mises' stress, is at most. */
static double load_time(const sw_vpsc_load *load)
{
    const int k = load->control - 1;
    if (load->control == SW_VPSC_BY_MISES)
        return load->increment / (sqrt(2.0 / 3) * load_size(load));
    if (load->stress_given[k])
        return load->increment;
    const int i = sw_six_row(k), j = sw_six_column(k);
    return load->increment / (0.5 * fabs(load->rate[i][j] + load->rate[j][i]));
}

static double load_strain(const sw_vpsc_load *load) { return load_time(load) * load_size(load); }

static sw_status write_load(const sw_vpsc_input *input, const sw_vpsc_process *process, FILE *out)
{
    const sw_vpsc_load *load = &process->load;
    double rate[3][3], stress[3][3];
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3, given = load->stress_given[sw_six_of(i, j)];
        rate[i][j] = load->rate_given[i][j] ? load->rate[i][j] : NAN;
        stress[i][j] = given && !load->rate_given[i][j] ? 1e6 * load->stress[i][j] : NAN;
    }
    take_trace(rate);
    const entry e = {process,
                     (const double(*)[3])rate,
                     is_mixed(load) ? (const double(*)[3])stress : NULL,
                     load->steps * load_time(load),
                     load_strain(load),
                     load->steps};
    return write_entry(input, &e, out);
}

static double step_strain(const sw_vpsc_step *step) { return step->time * size_of(step->rate); }

/* The last step gives a stress, and deforms nothing. */
static sw_status write_history(const sw_vpsc_input *input, const sw_vpsc_process *process, FILE *out)
{
    for (int i = 0; i + 1 < process->n_steps; i++) {
        const sw_vpsc_step *step = &process->step[i];
        double rate[3][3];
        memcpy(rate, step->rate, sizeof rate);
        take_trace(rate);
        const entry e = {process, (const double(*)[3])rate, NULL, step->time, step_strain(step), 1};
        SW_TRY(write_entry(input, &e, out));
    }
    return SW_OK;
}

/* Why a job has no such process; NULL: it has. */
static const char *left_out(const sw_vpsc_process *process)
{
    switch (process->kind) {
    case SW_VPSC_LOAD:
        return load_size(&process->load) > 0 ? NULL : "a load by stresses alone, creep";
    case SW_VPSC_HISTORY:
        return process->n_steps > 1 ? NULL
                                    : "a history of one step, which gives a stress and deforms nothing";
    case SW_VPSC_LANKFORD:
        return "Lankford coefficients, which slipwave forming has";
    case SW_VPSC_ROTATION:
        return "a rotation of the sample; what follows is along its axes before";
    default:
        return "a yield surface, which slipwave forming has";
    }
}

/* What is said of a process; the largest step's strain of all. */
static double note_process(sw_vpsc_notes *notes, const sw_vpsc_process *process, int number)
{
    double strain = 0;
    if (left_out(process) != NULL)
        sw_vpsc_note_job(notes, "process %d is left out: %s", number, left_out(process));
    else if (process->kind == SW_VPSC_LOAD) {
        strain = load_strain(&process->load);
        if (process->load.control == SW_VPSC_BY_MISES)
            sw_vpsc_note_job(
                notes,
                "process %d: ictrl 0: eqincr is a strain by D alone; VPSC8's is |S:D| dt over von "
                "Mises' stress, of longer steps where S is not along D",
                number);
    } else {
        const int turns = sw_vpsc_history_turns(process);
        for (int i = 0; i + 1 < process->n_steps; i++)
            strain = fmax(strain, step_strain(&process->step[i]));
        if (turns > 0)
            sw_vpsc_note_job(
                notes,
                "process %d: L and grains are in the sample's axes, as by slipwave vpsc --compatible "
                "no; VPSC8 turns L, and no grain, to the axes of what has deformed from step %d on",
                number, turns);
    }
    return strain;
}

static sw_status write_loading(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    double most = 0;
    fprintf(out, "loading:\n");
    for (int i = 0; i < input->n_processes; i++) {
        const sw_vpsc_process *process = &input->process[i];
        most = fmax(most, note_process(notes, process, i + 1));
        if (left_out(process) == NULL)
            SW_TRY(process->kind == SW_VPSC_LOAD ? write_load(input, process, out)
                                                 : write_history(input, process, out));
    }
    if (most > SW_STEP_STRAIN_ASKED * (1 + 1e-9))
        sw_vpsc_note_job(notes, "steps of up to %g, ||D|| dt, are divided: a job's are at most %g", most,
                         SW_STEP_STRAIN_ASKED);
    return SW_OK;
}

static int is_taylor(const sw_vpsc_input *input) { return input->interaction == SW_VPSC_FULL_CONSTRAINTS; }

/* ---- Phases ---- */

/* Phases that begin empty and take what twins lose are none of a job's. */
static int is_used(const sw_vpsc_input *input, int p) { return input->phase[p].fraction > 0; }

static int has_shapes_of_grains(const sw_vpsc_input *input)
{
    int of_grains = 0;
    for (int p = 0; p < input->n_phases; p++)
        of_grains |= input->phase[p].shape >= SW_VPSC_GRAIN_SHAPE;
    return of_grains;
}

static sw_status check(const sw_vpsc_input *input)
{
    int loads = 0;
    for (int i = 0; i < input->n_processes; i++)
        loads += left_out(&input->process[i]) == NULL;
    const char *const why = input->elastic ? "iregime -1, elasticity"
                            : input->interaction == SW_VPSC_SECOND_ORDER && has_shapes_of_grains(input)
                                ? "interaction 5, second order, of grains with ellipsoids of their own"
                            : input->interaction == SW_VPSC_NEFF && !(input->neff > 0)
                                ? "neff by relative directional compliances"
                            : loads == 0 ? "no load by rates and no history"
                                         : NULL;
    return why == NULL ? SW_OK
                       : sw_error(SW_ERR_UNAVAILABLE, "%s: %s: a job of slipwave taylor has no equal",
                                  input->path, why);
}

static void write_texture(const sw_vpsc_phase *phase, FILE *out)
{
    const sw_vpsc_grains *grains = &phase->grains;
    char plain[SW_LINE];
    fprintf(out, "%s\n\n\nB %lld\n", sw_plain(phase->texture, plain), (long long)grains->count);
    for (int64_t g = 0; g < grains->count; g++) {
        for (int i = 0; i < 3; i++) /* whole turns off, of which a job's files have few */
            fprintf(out, "%.10g ", fmod(180 / SW_PI * grains->euler[g][i], 360));
        fprintf(out, "%.10g\n", grains->weight[g]);
    }
}

static void write_phases(const sw_vpsc_input *input, FILE *out)
{
    int used = 0, first = -1;
    for (int p = 0; p < input->n_phases; p++) {
        used += is_used(input, p);
        first = first < 0 && is_used(input, p) ? p : first;
    }
    if (used == 1) {
        fprintf(out, "material: phase%d.yaml\ncrystals: {file: phase%d.tex}\n", first + 1, first + 1);
        return;
    }
    fprintf(out, "phases:\n");
    for (int p = 0; p < input->n_phases; p++)
        if (is_used(input, p))
            fprintf(out,
                    "  - {name: phase%d, material: phase%d.yaml, fraction: %.12g, crystals: {file: "
                    "phase%d.tex}}\n",
                    p + 1, p + 1, input->phase[p].fraction, p + 1);
}

/* ---- What crystals are to each other ---- */

static void note_shapes(const sw_vpsc_phase *phase, int number, sw_vpsc_notes *notes)
{
    const double *a = phase->axes;
    if (phase->shape == SW_VPSC_FILE_SHAPE || a[0] != a[1] || a[1] != a[2])
        sw_vpsc_note_job(notes, "phase %d: ellipsoids begin as spheres", number + 1);
    sw_vpsc_note_job(notes, "phase %d: ellipsoids go on beyond a ratio of their axes of %g", number + 1,
                     phase->critical_ratio);
}

static void write_scheme(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    static const char *const linearization[SW_VPSC_INTERACTIONS] = {[SW_VPSC_AFFINE] = "affine",
                                                                    [SW_VPSC_SECANT] = "secant",
                                                                    [SW_VPSC_NEFF] = "neff",
                                                                    [SW_VPSC_TANGENT] = "tangent",
                                                                    [SW_VPSC_SECOND_ORDER] = "second_order"};
    if (is_taylor(input))
        return;
    for (int p = 0; p < input->n_phases; p++)
        if (is_used(input, p))
            note_shapes(&input->phase[p], p, notes);
    fprintf(out, "homogenization:\n  self_consistent: {linearization: %s", linearization[input->interaction]);
    if (input->interaction == SW_VPSC_NEFF)
        fprintf(out, ", neff: %.10g", input->neff);
    fprintf(out, ", ellipsoids: %s, tolerance: %.3g}\n",
            input->reshape != 1           ? "fixed"
            : has_shapes_of_grains(input) ? "grain"
                                          : "phase",
            fmin(1e-2, fmax(1e-9, fmin(input->stress_tolerance,
                                       fmin(input->rate_tolerance, input->moduli_tolerance)))));
}

static void note_rest(const sw_vpsc_input *input, sw_vpsc_notes *notes)
{
    if (input->turn != 1)
        sw_vpsc_note_job(notes, "iupdori 0: crystals turn");
    if (input->neighbours > 0)
        sw_vpsc_note_job(notes, "nneigh %d: crystals turn by themselves", input->neighbours);
    if (input->recover == 1 || input->save_step > 0)
        sw_vpsc_note_job(notes, "irecover, isave: no state is read or kept; jobs have --resume");
    if (input->components == 1)
        sw_vpsc_note_job(notes, "icubcomp: the job's textures have components of their own");
    for (int p = 0; p < input->n_phases; p++)
        if (input->phase[p].diffraction.n > 0)
            sw_vpsc_note_job(notes, "phase %d: no lattice strains", p + 1);
    for (int p = 0; p < input->n_phases; p++)
        if (!is_used(input, p))
            sw_vpsc_note_job(notes, "phase %d, which begins empty, is left out", p + 1);
}

/* The job has the first load's, of those it has; 300 K without one. */
static double choose_temperature(const sw_vpsc_input *input)
{
    for (int i = 0; i < input->n_processes; i++)
        if (input->process[i].kind == SW_VPSC_LOAD && left_out(&input->process[i]) == NULL)
            return input->process[i].load.temperature[0];
    return 300;
}

/* Which laws with a structure need. A history goes on at the temperature that is; of a run that begins with one it is 0 or, of
 * densities, 300 K, as in VPSC8. */
static void write_temperature(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    const double temperature = choose_temperature(input);
    double from, to = input->phase[0].crystal.law == SW_VPSC_DENSITY ? 300 : 0;
    if (input->phase[0].crystal.law == SW_VPSC_VOCE)
        return;
    fprintf(out, "temperature: %.10g\n", temperature);
    if (input->phase[0].crystal.law == SW_VPSC_MTS)
        sw_vpsc_note_job(notes, "no work of slip warms crystals, as it does from 500 1/s on");
    for (int i = 0; i < input->n_processes; i++) {
        const sw_vpsc_process *process = &input->process[i];
        from = process->kind == SW_VPSC_LOAD ? process->load.temperature[0] : to;
        to = process->kind == SW_VPSC_LOAD ? process->load.temperature[1] : to;
        if (left_out(process) == NULL && (from != temperature || to != temperature))
            sw_vpsc_note_job(notes,
                             "process %d: its temperature is %g K throughout; VPSC8's goes from %g to %g",
                             i + 1, temperature, from, to);
    }
}

/* ---- Files ---- */

static sw_status write_job(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    write_phases(input, out);
    fprintf(out, "solver: rigid_plastic\n");
    write_temperature(input, notes, out);
    write_scheme(input, notes, out);
    SW_TRY(write_loading(input, notes, out));
    note_rest(input, notes);
    fprintf(out, "output:\n  file: job.h5\n");
    if (input->write_step > 0)
        fprintf(out, "  orientations: every %d\n", input->write_step);
    else
        fprintf(out, "  orientations: last\n");
    return notes->status;
}

static sw_status write_files(const sw_vpsc_input *input, sw_vpsc_notes *notes, sw_vpsc_output *output,
                             FILE *job)
{
    for (int p = 0; p < input->n_phases; p++) {
        if (!is_used(input, p))
            continue;
        SW_TRY(sw_vpsc_write_material(input, p, notes, sw_vpsc_output_file(output, "phase%d.yaml", p + 1)));
        write_texture(&input->phase[p], sw_vpsc_output_file(output, "phase%d.tex", p + 1));
    }
    return write_job(input, notes, job);
}

/* What is written is read. */
static sw_status check_job(const char *text)
{
    static const sw_taylor_inputs nothing;
    sw_taylor_job *job;
    SW_TRY(sw_taylor_job_open_in_memory("job.yaml", text, 0, NULL, &nothing, &job));
    sw_taylor_job_close(job);
    return SW_OK;
}

sw_status sw_vpsc_to_job(const sw_vpsc_input *input, const char *folder)
{
    sw_vpsc_notes notes = {NULL, SW_OK};
    sw_vpsc_output *output;
    char *text = NULL, plain[SW_LINE];
    size_t size;
    SW_TRY(check(input));
    SW_TRY(sw_vpsc_output_open(input, folder, &output));
    FILE *job = open_memstream(&text, &size);
    sw_status status = job != NULL ? write_files(input, &notes, output, job)
                                   : sw_error(SW_ERR_MEMORY, "no memory for a job");
    if (job != NULL)
        fclose(job);
    if (status == SW_OK)
        status = check_job(text);
    if (status == SW_OK)
        fprintf(sw_vpsc_output_file(output, "job.yaml"), "# Of %s.\n%s%s", sw_plain(input->path, plain),
                notes.text == NULL ? "" : notes.text, text);
    free(notes.text);
    free(text);
    return sw_vpsc_output_close(output, status);
}
