#include "to_job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/limits.h"
#include "common/math/rotation.h"
#include "common/math/six.h"
#include "output/output.h"
#include "polycrystal/state.h"
#include "to_material.h"

/* ---- Loadings ---- */

static double size_of(const double l[3][3])
{
    double six[6];
    for (int k = 0; k < 6; k++)
        six[k] = 0.5 * (l[sw_six_row(k)][sw_six_column(k)] + l[sw_six_column(k)][sw_six_row(k)]);
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

/* An entry; steps are of at most what a job takes. */
static void write_entry(sw_vpsc_notes *notes, const double rate[3][3], const double stress[3][3], int mixed,
                        double duration, int steps, double strain, FILE *out)
{
    const int parts = (int)ceil(strain / SW_STEP_STRAIN_ASKED - 1e-9);
    if (parts > 1)
        sw_vpsc_note_job(notes, "steps of %g, ||D|| dt, are taken in %d: a job's are at most %g", strain,
                         parts, SW_STEP_STRAIN_ASKED);
    write_rows(out, "  - {velocity_gradient", rate);
    if (mixed)
        write_rows(out, ",\n     stress", stress);
    fprintf(out, ",\n     duration: %.12g, steps: %d}\n", duration, steps * (parts > 1 ? parts : 1));
}

static void take_trace(double l[3][3])
{
    const double mean = (l[0][0] + l[1][1] + l[2][2]) / 3;
    for (int i = 0; i < 3; i++)
        l[i][i] -= isnan(mean) ? 0 : mean;
}

static double load_time(const sw_vpsc_load *load)
{
    const int k = load->control - 1;
    if (load->control == SW_VPSC_BY_MISES)
        return load->increment / (sqrt(2.0 / 3) * size_of(load->rate));
    if (load->stress_given[k])
        return load->increment;
    const int i = sw_six_row(k), j = sw_six_column(k);
    return load->increment / (0.5 * fabs(load->rate[i][j] + load->rate[j][i]));
}

static void write_load(sw_vpsc_notes *notes, const sw_vpsc_load *load, FILE *out)
{
    const double time = load_time(load);
    double rate[3][3], stress[3][3];
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3, given = load->stress_given[sw_six_of(i, j)];
        rate[i][j] = load->rate_given[i][j] ? load->rate[i][j] : NAN;
        stress[i][j] = given && !load->rate_given[i][j] ? 1e6 * load->stress[i][j] : NAN;
    }
    take_trace(rate);
    write_entry(notes, (const double(*)[3])rate, (const double(*)[3])stress, is_mixed(load),
                load->steps * time, load->steps, time * size_of(load->rate), out);
}

static void write_history(sw_vpsc_notes *notes, const sw_vpsc_process *process, FILE *out)
{
    for (int i = 0; i < process->n_steps; i++) {
        const sw_vpsc_step *step = &process->step[i];
        double rate[3][3];
        memcpy(rate, step->rate, sizeof rate);
        take_trace(rate);
        write_entry(notes, (const double(*)[3])rate, NULL, 0, step->time, 1, step->time * size_of(step->rate),
                    out);
    }
}

/* Why a job has no such process; NULL: it has. */
static const char *left_out(const sw_vpsc_process *process)
{
    int moves = 0;
    switch (process->kind) {
    case SW_VPSC_LOAD:
        for (int k = 0; k < 9; k++)
            moves |= process->load.rate_given[k / 3][k % 3] && process->load.rate[k / 3][k % 3] != 0;
        return moves ? NULL : "a load by stresses alone, creep";
    case SW_VPSC_HISTORY:
        return NULL;
    case SW_VPSC_LANKFORD:
        return "Lankford coefficients, which slipwave forming has";
    case SW_VPSC_ROTATION:
        return "a rotation of the sample; what follows is along its axes before";
    default:
        return "a yield surface, which slipwave forming has";
    }
}

static void write_loading(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    fprintf(out, "loading:\n");
    for (int i = 0; i < input->n_processes; i++) {
        const sw_vpsc_process *process = &input->process[i];
        if (left_out(process) != NULL)
            sw_vpsc_note_job(notes, "process %d is left out: %s", i + 1, left_out(process));
        else if (process->kind == SW_VPSC_LOAD)
            write_load(notes, &process->load, out);
        else
            write_history(notes, process, out);
    }
}

static int is_taylor(const sw_vpsc_input *input) { return input->interaction == SW_VPSC_FULL_CONSTRAINTS; }

/* ---- Phases ---- */

/* Phases that begin empty and take what twins lose are none of a job's. */
static int is_used(const sw_vpsc_input *input, int p) { return input->phase[p].fraction > 0; }

static sw_status check(const sw_vpsc_input *input)
{
    int loads = 0;
    for (int i = 0; i < input->n_processes; i++)
        loads += left_out(&input->process[i]) == NULL;
    const char *const why = input->elastic                               ? "iregime -1, elasticity"
                            : input->interaction == SW_VPSC_SECOND_ORDER ? "interaction 5, second order"
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
    for (int64_t g = 0; g < grains->count; g++)
        fprintf(out, "%.10g %.10g %.10g %.10g\n", 180 / SW_PI * grains->euler[g][0],
                180 / SW_PI * grains->euler[g][1], 180 / SW_PI * grains->euler[g][2], grains->weight[g]);
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
                                                                    [SW_VPSC_TANGENT] = "tangent"};
    int of_grains = 0;
    if (is_taylor(input))
        return;
    for (int p = 0; p < input->n_phases; p++) {
        of_grains |= input->phase[p].shape >= SW_VPSC_GRAIN_SHAPE;
        if (is_used(input, p))
            note_shapes(&input->phase[p], p, notes);
    }
    fprintf(out, "homogenization:\n  self_consistent: {linearization: %s", linearization[input->interaction]);
    if (input->interaction == SW_VPSC_NEFF)
        fprintf(out, ", neff: %.10g", input->neff);
    fprintf(out, ", ellipsoids: %s, tolerance: %.3g}\n",
            input->reshape != 1 ? "fixed"
            : of_grains         ? "grain"
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

/* That of the first load, which laws with a structure need; histories have VPSC8's. */
static void write_temperature(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    const sw_vpsc_process *first = &input->process[0];
    const double temperature = first->kind == SW_VPSC_LOAD ? first->load.temperature[0] : 300;
    if (input->phase[0].crystal.law == SW_VPSC_VOCE)
        return;
    fprintf(out, "temperature: %.10g\n", temperature);
    if (input->phase[0].crystal.law == SW_VPSC_MTS)
        sw_vpsc_note_job(notes, "no work of slip warms crystals, as it does from 500 1/s on");
    for (int i = 0; i < input->n_processes; i++) {
        const sw_vpsc_load *load = &input->process[i].load;
        if (input->process[i].kind == SW_VPSC_LOAD &&
            (load->temperature[0] != temperature || load->temperature[1] != temperature))
            sw_vpsc_note_job(notes, "process %d: its temperature is %g K throughout", i + 1, temperature);
    }
}

/* ---- Files ---- */

static void write_job(const sw_vpsc_input *input, sw_vpsc_notes *notes, FILE *out)
{
    write_phases(input, out);
    fprintf(out, "solver: rigid_plastic\n");
    write_temperature(input, notes, out);
    write_scheme(input, notes, out);
    write_loading(input, notes, out);
    note_rest(input, notes);
    fprintf(out, "output:\n  file: job.h5\n");
    if (input->write_step > 0)
        fprintf(out, "  orientations: every %d\n", input->write_step);
    else
        fprintf(out, "  orientations: last\n");
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
    write_job(input, notes, job);
    return SW_OK;
}

sw_status sw_vpsc_to_job(const sw_vpsc_input *input, const char *folder)
{
    sw_vpsc_notes notes = {""};
    sw_vpsc_output *output;
    char *text = NULL, plain[SW_LINE];
    size_t size;
    SW_TRY(check(input));
    SW_TRY(sw_vpsc_output_open(folder, &output));
    FILE *job = open_memstream(&text, &size);
    sw_status status = job != NULL ? write_files(input, &notes, output, job)
                                   : sw_error(SW_ERR_MEMORY, "no memory for a job");
    if (job != NULL)
        fclose(job);
    if (status == SW_OK)
        fprintf(sw_vpsc_output_file(output, "job.yaml"), "# Of %s.\n%s%s", sw_plain(input->path, plain),
                notes.text, text);
    free(text);
    return sw_vpsc_output_close(output, status);
}
