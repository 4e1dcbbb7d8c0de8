/* VPSC8.in, and the files that it names, in its order. */
#include "input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"

const char *const sw_vpsc_interaction_names[SW_VPSC_INTERACTIONS] = {
    "full constraints", "affine", "secant", "neff", "tangent", "second order"};

/* ---- Phases ---- */

static sw_status read_fractions(sw_vpsc_records *r, sw_vpsc_input *input)
{
    double fraction[SW_VPSC_PHASES], total = 0;
    SW_TRY(sw_vpsc_wholes(r, "nph, the number of phases", 1, &input->n_phases));
    if (input->n_phases < 1 || input->n_phases > SW_VPSC_PHASES)
        return sw_vpsc_bad(r, "nph = %d: need 1 to %d phases", input->n_phases, SW_VPSC_PHASES);
    SW_TRY(sw_vpsc_reals(r, "wph, each phase's fraction of the volume", input->n_phases, fraction));
    for (int p = 0; p < input->n_phases; p++) {
        if (!(fraction[p] >= 0))
            return sw_vpsc_bad(r, "wph = %g: need fractions of 0 or more", fraction[p]);
        total += fraction[p];
    }
    if (!(total > 0))
        return sw_vpsc_bad(r, "the fractions' sum is 0");
    for (int p = 1; p < input->n_phases; p++)
        if (fraction[p] > 0 && !(fraction[p - 1] > 0))
            return sw_vpsc_bad(
                r, "wph = 0 of phase %d, and phase %d has %g: need empty phases behind all others", p, p + 1,
                fraction[p]);
    if (!(fabs(total - 1) <= 1e-5))
        sw_warn("%s:%d: the fractions add to %g; they are divided by it", r->path, r->line, total);
    for (int p = 0; p < input->n_phases; p++)
        input->phase[p].fraction = fabs(total - 1) <= 1e-5 ? fraction[p] : fraction[p] / total;
    return SW_OK;
}

static sw_status read_shape(sw_vpsc_records *r, sw_vpsc_phase *phase)
{
    const sw_vpsc_item item[] = {SW_VPSC_WHOLES("ishape", 1, &phase->shape),
                                 SW_VPSC_WHOLES("ifrag", 1, &phase->fragmentation),
                                 SW_VPSC_REALS("the critical ratio of axes", 1, &phase->critical_ratio)};
    SW_TRY(sw_vpsc_read(r, 3, item));
    SW_TRY(sw_vpsc_check_flag(r, "ifrag", phase->fragmentation));
    if (phase->shape < 0 || phase->shape > SW_VPSC_FILE_SHAPE)
        return sw_vpsc_bad(r, "ishape = %d: need 0 to 3", phase->shape);
    SW_TRY(sw_vpsc_reals(r, "the three axes of the ellipsoid", 3, phase->axes));
    const double *a = phase->axes;
    const double least = fmin(a[0], fmin(a[1], a[2])), most = fmax(a[0], fmax(a[1], a[2]));
    if (!(least > 0))
        return sw_vpsc_bad(r, "axes %g %g %g: need all above 0", a[0], a[1], a[2]);
    if (!(most / least < phase->critical_ratio))
        return sw_vpsc_bad(r, "axes %g %g %g: their ratio %g is not below the critical one, %g", a[0], a[1],
                           a[2], most / least, phase->critical_ratio);
    SW_TRY(sw_vpsc_reals(r, "the three angles of the ellipsoid", 3, phase->axes_euler));
    for (int i = 0; i < 3; i++)
        phase->axes_euler[i] *= SW_PI / 180;
    return SW_OK;
}

/* A line that says nothing and, if it is wanted, the name of a file, found. */
static sw_status read_name(sw_vpsc_records *r, const char *what, int wanted, char **path)
{
    const char *name;
    SW_TRY(sw_vpsc_record(r, what, &name));
    return wanted ? sw_vpsc_find_file(r, name, path) : SW_OK;
}

static sw_status warn_open(const sw_vpsc_phase *phase)
{
    static const char *const component[5] = {"22 - 11", "2 33 - 11 - 22", "23", "13", "12"};
    for (int k = 0; k < 5; k++)
        if (sw_vpsc_is_open(&phase->crystal, k))
            sw_warn("%s: the systems in use bound no stress along %s: single crystals' yield surface is open",
                    phase->crystal_file, component[k]);
    return SW_OK;
}

static sw_status read_phase_files(const sw_vpsc_input *input, int diffracts, sw_vpsc_phase *phase)
{
    SW_TRY(sw_vpsc_read_crystal(phase->crystal_file, input->elastic, &phase->crystal));
    if (!input->elastic)
        SW_TRY(warn_open(phase));
    SW_TRY(sw_vpsc_read_grains(phase->texture, &phase->grains));
    if (phase->shape == SW_VPSC_FILE_SHAPE)
        SW_TRY(sw_vpsc_read_shapes(phase->shapes, &phase->grains));
    if (diffracts)
        SW_TRY(sw_vpsc_read_diffraction(phase->diffraction_file, &phase->crystal, &phase->diffraction));
    return SW_OK;
}

static sw_status read_phase(sw_vpsc_records *r, const sw_vpsc_input *input, sw_vpsc_phase *phase)
{
    int diffracts;
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(read_shape(r, phase));
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(read_name(r, "the name of a texture file", 1, &phase->texture));
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(read_name(r, "the name of a crystal file", 1, &phase->crystal_file));
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(
        read_name(r, "the name of a file of ellipsoids", phase->shape == SW_VPSC_FILE_SHAPE, &phase->shapes));
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(sw_vpsc_flag(r, "idiff", &diffracts));
    SW_TRY(read_name(r, "the name of a diffraction file", diffracts == 1, &phase->diffraction_file));
    return read_phase_files(input, diffracts == 1, phase);
}

/* ---- Settings ---- */

static sw_status read_precision(sw_vpsc_records *r, sw_vpsc_input *input)
{
    const sw_vpsc_item tolerances[] = {SW_VPSC_REALS("errs", 1, &input->stress_tolerance),
                                       SW_VPSC_REALS("errd", 1, &input->rate_tolerance),
                                       SW_VPSC_REALS("errm", 1, &input->moduli_tolerance),
                                       SW_VPSC_REALS("errso", 1, &input->second_order_tolerance)};
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(sw_vpsc_read(r, 4, tolerances));
    for (int i = 0; i < 3; i++)
        if (!(*tolerances[i].real > 0 && *tolerances[i].real <= 1))
            return sw_vpsc_bad(r, "%s = %g: need a tolerance above 0, of at most 1", tolerances[i].name,
                               *tolerances[i].real);
    const sw_vpsc_item iterations[] = {SW_VPSC_WHOLES("itmaxext", 1, &input->outer),
                                       SW_VPSC_WHOLES("itmaxint", 1, &input->inner),
                                       SW_VPSC_WHOLES("itmaxso", 1, &input->second_order)};
    SW_TRY(sw_vpsc_read(r, 3, iterations));
    if (input->outer < 1 || input->inner < 1)
        return sw_vpsc_bad(r, "itmaxext = %d, itmaxint = %d: need 1 or more", input->outer, input->inner);
    const sw_vpsc_item exponents[] = {SW_VPSC_WHOLES("irsvar", 1, &input->raise_exponent),
                                      SW_VPSC_WHOLES("jrsini, jrsfin, jrstep", 3, input->exponents)};
    SW_TRY(sw_vpsc_read(r, 2, exponents));
    return sw_vpsc_check_flag(r, "irsvar", input->raise_exponent);
}

static sw_status read_outputs(sw_vpsc_records *r, sw_vpsc_input *input)
{
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(sw_vpsc_flag(r, "irecover", &input->recover));
    SW_TRY(sw_vpsc_wholes(r, "isave, a step or 0", 1, &input->save_step));
    if (input->save_step < 0)
        return sw_vpsc_bad(r, "isave = %d: need a step, or 0", input->save_step);
    SW_TRY(sw_vpsc_flag(r, "icubcomp", &input->components));
    SW_TRY(sw_vpsc_wholes(r, "nwrite, steps between textures", 1, &input->write_step));
    if (input->write_step < 0)
        return sw_vpsc_bad(r, "nwrite = %d: need 0 or more", input->write_step);
    return SW_OK;
}

static sw_status read_conditions(sw_vpsc_records *r, sw_vpsc_input *input)
{
    int interaction;
    const sw_vpsc_item item[] = {SW_VPSC_WHOLES("interaction, 0 to 5", 1, &interaction),
                                 SW_VPSC_REALS("neff behind it, whatever the interaction", 1, &input->neff)};
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(sw_vpsc_read_here(r, 2, item));
    if (interaction < 0 || interaction >= SW_VPSC_INTERACTIONS)
        return sw_vpsc_bad(
            r,
            "interaction = %d: need 0 (FC), 1 (affine), 2 (secant), 3 (neff), 4 (tangent) or 5 (second "
            "order)",
            interaction);
    if (!(input->neff >= 0))
        return sw_vpsc_bad(r, "neff = %g: need 0 or more", input->neff);
    input->interaction = (sw_vpsc_interaction)interaction;
    const sw_vpsc_item updates[] = {SW_VPSC_WHOLES("iupdori", 1, &input->turn),
                                    SW_VPSC_WHOLES("iupdshp", 1, &input->reshape),
                                    SW_VPSC_WHOLES("iupdhar", 1, &input->harden)};
    SW_TRY(sw_vpsc_read(r, 3, updates));
    for (int i = 0; i < 3; i++)
        SW_TRY(sw_vpsc_check_flag(r, updates[i].name, *updates[i].whole));
    if (input->turn == 0 && input->reshape == 1)
        return sw_vpsc_bad(
            r, "iupdshp = 1 with iupdori = 0: shapes need velocity gradients that follow orientations");
    SW_TRY(sw_vpsc_wholes(r, "nneigh", 1, &input->neighbours));
    if (input->neighbours < 0 || input->neighbours > 7)
        return sw_vpsc_bad(r, "nneigh = %d: need 0 to 7 neighbours", input->neighbours);
    return sw_vpsc_flag(r, "iflu", &input->fluctuations);
}

/* ---- What goes together ---- */

static sw_status check_exponents(const sw_vpsc_records *r, sw_vpsc_input *input)
{
    const int first = input->phase[0].crystal.mode[0].exponent;
    int alike = 1;
    for (int p = 0; p < input->n_phases; p++)
        for (int m = 0; m < input->phase[p].crystal.n_modes; m++)
            alike = alike && input->phase[p].crystal.mode[m].exponent == first;
    if (!alike && input->interaction != SW_VPSC_AFFINE) {
        sw_warn("%s: exponents differ among modes: interaction 1, affine, is taken, as in VPSC8", r->path);
        input->interaction = SW_VPSC_AFFINE;
    }
    return SW_OK;
}

static int has_fraction_transfer(const sw_vpsc_input *input)
{
    for (int p = 0; p < input->n_phases; p++)
        for (int m = 0; m < input->phase[p].crystal.n_modes; m++)
            if (input->phase[p].crystal.mode[m].twin_law == SW_VPSC_FRACTION_TRANSFER)
                return 1;
    return 0;
}

static int have_same_systems(const sw_vpsc_crystal *a, const sw_vpsc_crystal *b)
{
    int same = a->n_modes == b->n_modes && a->n_twin_modes == b->n_twin_modes &&
               a->n_systems == b->n_systems && a->n_slip == b->n_slip;
    for (int m = 0; same && m < a->n_modes; m++)
        same = a->mode[m].twin_law == b->mode[m].twin_law;
    for (int s = 0; same && s < a->n_systems; s++)
        same = a->mode_of[s] == b->mode_of[s];
    return same;
}

/* Grain g of phase 2 is the twin of grain g of phase 1, and has its systems. */
static sw_status check_transfer(const sw_vpsc_records *r, const sw_vpsc_input *input)
{
    const sw_vpsc_phase *parent = &input->phase[0], *child = &input->phase[1];
    if (!(input->n_phases == 2 && child->fraction == 0))
        return sw_vpsc_bad(r,
                           "itwinlaw = 3, transfer of volume fractions: need a second phase with fraction 0");
    if (child->grains.count != parent->grains.count)
        return sw_vpsc_bad(r, "itwinlaw = 3: phase 2 has %lld grains, phase 1 has %lld: need as many",
                           (long long)child->grains.count, (long long)parent->grains.count);
    if (!have_same_systems(&parent->crystal, &child->crystal))
        return sw_vpsc_bad(r,
                           "itwinlaw = 3: %s and %s: need the same modes of slip and twins, as many systems "
                           "of each, and itwinlaw 3 in both",
                           parent->crystal_file, child->crystal_file);
    return SW_OK;
}

static sw_status check_phases(const sw_vpsc_records *r, const sw_vpsc_input *input)
{
    const sw_vpsc_law law = input->phase[0].crystal.law;
    if (has_fraction_transfer(input))
        SW_TRY(check_transfer(r, input));
    for (int p = 1; p < input->n_phases; p++)
        if (input->phase[p].crystal.law != law)
            return sw_vpsc_bad(r, "phase %d has hardening law %d, phase 1 has %d: need one for all", p + 1,
                               input->phase[p].crystal.law, law);
    return SW_OK;
}

/* ---- All of it ---- */

enum { PROCESSES_MOST = 10000 };

/* Loads have one step more, for the stress of the last state. */
static void warn_save(const sw_vpsc_records *r, const sw_vpsc_input *input)
{
    int most = 0;
    for (int i = 0; i < input->n_processes; i++) {
        const sw_vpsc_process *process = &input->process[i];
        const int steps = process->kind == SW_VPSC_LOAD      ? process->load.steps + 1
                          : process->kind == SW_VPSC_HISTORY ? process->n_steps
                                                             : 0;
        most = steps > most ? steps : most;
    }
    if (input->save_step > most)
        sw_warn("%s: isave = %d: no load and no history has more than %d steps: no POSTMORT.OUT is written",
                r->path, input->save_step, most);
}

static sw_status read_processes(sw_vpsc_records *r, sw_vpsc_input *input)
{
    const sw_vpsc_regime regime = {input->elastic,
                                   !input->elastic && input->interaction == SW_VPSC_FULL_CONSTRAINTS};
    int n;
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(sw_vpsc_wholes(r, "nproc, the number of processes", 1, &n));
    if (n < 1 || n > PROCESSES_MOST)
        return sw_vpsc_bad(r, "nproc = %d: need 1 to %d", n, PROCESSES_MOST);
    SW_TRY(SW_ALLOCATE(input->process, n, "processes"));
    SW_TRY(sw_vpsc_skip(r, 1));
    for (input->n_processes = 0; input->n_processes < n;) {
        sw_vpsc_process *process = &input->process[input->n_processes++];
        SW_TRY(sw_vpsc_read_process(r, &regime, process));
        const int steps = process->kind == SW_VPSC_LOAD      ? process->load.steps
                          : process->kind == SW_VPSC_HISTORY ? process->n_steps
                                                             : input->write_step;
        if (steps < input->write_step)
            sw_warn(
                "%s:%d: nwrite = %d is more than the %d steps of this process: no texture is written of it",
                r->path, process->line, input->write_step, steps);
    }
    warn_save(r, input);
    return SW_OK;
}

static sw_status read_all(sw_vpsc_records *r, sw_vpsc_input *input)
{
    int regime;
    SW_TRY(sw_vpsc_wholes(r, "iregime, 1 or -1", 1, &regime));
    if (regime != 1 && regime != -1)
        return sw_vpsc_bad(r, "iregime = %d: need 1 (viscoplastic) or -1 (elastic)", regime);
    input->elastic = regime == -1;
    SW_TRY(read_fractions(r, input));
    for (int p = 0; p < input->n_phases; p++)
        SW_TRY(read_phase(r, input, &input->phase[p]));
    if (input->elastic)
        SW_TRY(sw_vpsc_skip(r, 14));
    else {
        SW_TRY(read_precision(r, input));
        SW_TRY(read_outputs(r, input));
        SW_TRY(read_conditions(r, input));
        SW_TRY(check_exponents(r, input));
        SW_TRY(check_phases(r, input));
    }
    return read_processes(r, input);
}

sw_status sw_vpsc_read_input(const char *path, sw_vpsc_input *input)
{
    sw_vpsc_records records;
    memset(input, 0, sizeof *input);
    SW_TRY(sw_vpsc_open(path, &records));
    records.warns = 1;
    input->path = strdup(path);
    const sw_status status =
        input->path == NULL ? sw_error(SW_ERR_MEMORY, "%s: no memory", path) : read_all(&records, input);
    sw_vpsc_close(&records);
    if (status != SW_OK)
        sw_vpsc_input_free(input);
    return status;
}

void sw_vpsc_input_free(sw_vpsc_input *input)
{
    for (int p = 0; p < SW_VPSC_PHASES; p++) {
        sw_vpsc_phase *phase = &input->phase[p];
        free(phase->texture);
        free(phase->crystal_file);
        free(phase->shapes);
        free(phase->diffraction_file);
        sw_vpsc_grains_free(&phase->grains);
    }
    for (int i = 0; i < input->n_processes; i++)
        sw_vpsc_process_free(&input->process[i]);
    free(input->process);
    free(input->path);
    memset(input, 0, sizeof *input);
}
