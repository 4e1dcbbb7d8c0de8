/* A phase's crystals as a material file. Stresses of VPSC8's files have no unit of their own: MPa are taken. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "polycrystal/state.h"
#include "to_material.h"

#define MPA 1e6

/* Each once. */
void sw_vpsc_note_job(sw_vpsc_notes *notes, const char *format, ...)
{
    char text[512], plain[SW_LINE], line[SW_LINE + 32];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(line, sizeof line, "# Not the same: %s.\n", sw_plain(text, plain));
    const size_t length = notes->text == NULL ? 0 : strlen(notes->text);
    if (length > 0 && strstr(notes->text, line) != NULL)
        return;
    sw_warn("%s", text);
    if (notes->status == SW_OK)
        notes->status = SW_GROW(notes->text, (int64_t)(length + strlen(line) + 1), "notes");
    if (notes->status == SW_OK)
        memcpy(notes->text + length, line, strlen(line) + 1);
}

static sw_status no_equal(const sw_vpsc_crystal *crystal, const char *what)
{
    return sw_error(SW_ERR_UNAVAILABLE, "%s: %s: a job of slipwave taylor has no equal", crystal->path, what);
}

/* ---- Lattice and systems ---- */

static const sw_lattice *const candidates[SW_VPSC_SYMMETRIES][2] = {
    [SW_VPSC_CUBIC] = {&sw_lattice_fcc, &sw_lattice_bcc48},
    [SW_VPSC_HEXAGONAL] = {&sw_lattice_hexagonal},
    [SW_VPSC_TETRAGONAL] = {&sw_lattice_tetragonal},
    [SW_VPSC_ORTHORHOMBIC] = {&sw_lattice_orthorhombic}};

typedef struct {
    const sw_vpsc_crystal *crystal;
    const sw_lattice *lattice;
    double b_over_a, c_over_a;
} target;

static void set_row(const sw_vpsc_crystal *crystal, int system, double row[8])
{
    const int n = sw_vpsc_indices(crystal);
    for (int i = 0; i < 8; i++)
        row[i] = i < n ? crystal->plane[system][i] : i < 2 * n ? crystal->along[system][i - n] : NAN;
    for (int i = 0; i < 2 && n == 4; i++) /* VPSC8 leaves the third plane's index out */
        row[2] = 0 - row[0] - row[1];
}

/* A mode's systems, as a material lists them. */
static sw_status list_mode(const target *to, const sw_vpsc_mode *mode, double row[SW_VPSC_SYSTEMS][8],
                           sw_slip_systems *systems)
{
    memset(systems, 0, sizeof *systems);
    for (int k = 0; k < mode->count; k++)
        set_row(to->crystal, mode->first + k, row[k]);
    return sw_slip_systems_add_list(to->lattice, to->b_over_a, to->c_over_a, mode->count,
                                    (const double(*)[8])row, mode->twin_type > 0, systems);
}

static int are_same(const sw_slip_systems *a, const sw_slip_systems *b)
{
    int same = a->count == b->count && a->two_way == b->two_way;
    for (int s = 0; same && s < a->count; s++) {
        double n = 0, d = 0;
        for (int i = 0; i < 3; i++) {
            n += a->normal[s][i] * b->normal[s][i];
            d += a->direction[s][i] * b->direction[s][i];
        }
        same = fabs((s < a->two_way ? fabs(n * d) : n * d) - 1) < 1e-9;
    }
    return same;
}

/* The lattice's family of these systems; NULL: none. */
static const char *find_family(const target *to, const sw_vpsc_mode *mode)
{
    sw_slip_systems listed, named;
    double row[SW_VPSC_SYSTEMS][8];
    if (list_mode(to, mode, row, &listed) != SW_OK)
        return NULL;
    for (int f = 0; f < to->lattice->n_families; f++) {
        const sw_family *family = &to->lattice->family[f];
        const int shears_so = family->twin_shear == NULL ||
                              fabs(fabs(family->twin_shear(to->c_over_a)) / mode->twin_shear - 1) < 1e-4;
        memset(&named, 0, sizeof named);
        if (shears_so &&
            sw_slip_systems_add_family(to->lattice, to->b_over_a, to->c_over_a, f, &named) == SW_OK &&
            are_same(&listed, &named))
            return family->name;
    }
    return NULL;
}

/* That which has names for most modes. */
static sw_status choose_lattice(const sw_vpsc_crystal *crystal, target *to)
{
    int most = -1;
    to->crystal = crystal;
    for (int i = 0; i < 2 && candidates[crystal->symmetry][i] != NULL; i++) {
        int known = 0;
        target one = {crystal, candidates[crystal->symmetry][i], crystal->cell[1] / crystal->cell[0],
                      crystal->cell[2] / crystal->cell[0]};
        for (int m = 0; m < crystal->n_modes; m++)
            known += find_family(&one, &crystal->mode[m]) != NULL;
        if (known > most)
            *to = one;
        most = known > most ? known : most;
    }
    return most >= 0 ? SW_OK : no_equal(crystal, sw_vpsc_symmetry_names[crystal->symmetry]);
}

static sw_status write_systems(const target *to, const sw_vpsc_mode *mode, FILE *out)
{
    double row[SW_VPSC_SYSTEMS][8];
    sw_slip_systems systems;
    const char *name = find_family(to, mode);
    if (name != NULL) {
        fprintf(out, "    - {family: \"%s\"", name);
        return SW_OK;
    }
    if (list_mode(to, mode, row, &systems) != SW_OK)
        return sw_error(SW_ERR_UNAVAILABLE, "%.300s: mode %d: %.400s", to->crystal->path, mode->number,
                        sw_error_message());
    fprintf(out, "    - {family: mode_%d", mode->number);
    if (mode->twin_type > 0)
        fprintf(out, ", twin_shear: %.10g", mode->twin_shear);
    for (int k = 0; k < mode->count; k++)
        for (int i = 0; i < 8 && !isnan(row[k][i]); i++)
            fprintf(out, "%s%.0f", i > 0 ? ", " : k == 0 ? ", systems: [[" : "],\n       [", row[k][i]);
    fprintf(out, "]]");
    return SW_OK;
}

/* ---- Twins ---- */

static sw_status write_twins(const sw_vpsc_input *input, const sw_vpsc_mode *mode, sw_vpsc_notes *notes,
                             FILE *out)
{
    if (mode->twin_type == 0 || mode->twin_law == 0)
        return SW_OK;
    if (input->turn != 1)
        sw_vpsc_note_job(notes, "mode %d: twins turn crystals, whatever iupdori says", mode->number);
    if (mode->twin_type == 3)
        sw_vpsc_note_job(
            notes, "mode %d: twins of type 3 turn crystals as those of type 1, about the plane's normal",
            mode->number);
    if (mode->twin_law == SW_VPSC_MONTE_CARLO)
        sw_vpsc_note_job(notes, "mode %d: itwinlaw 2 (Monte Carlo) is written as 1, the largest fraction",
                         mode->number);
    fprintf(out, ",\n       twin_threshold: %.10g", mode->threshold);
    if (mode->twin_law == SW_VPSC_FRACTION_TRANSFER) {
        sw_vpsc_note_job(notes,
                         "mode %d: itwinlaw 3: children belong to their phase, each to its parent; thres2 "
                         "is not taken",
                         mode->number);
        fprintf(out, ", twin_transfer: yes");
        return SW_OK;
    }
    fprintf(out, ", twin_threshold_rise: %.10g", mode->threshold_rise);
    if (mode->secondary)
        fprintf(out, ", secondary_twins: yes");
    return SW_OK;
}

/* ---- Laws ---- */

static void write_voce(const sw_vpsc_input *input, const sw_vpsc_crystal *crystal, const sw_vpsc_mode *mode,
                       FILE *out)
{
    const double on = input->harden == 1 ? MPA : 0,
                 by_size = mode->hall_petch != 0 ? mode->hall_petch / sqrt(crystal->grain_size) : 0;
    fprintf(out, ",\n       initial_slip_resistance: %.10g, saturation_increase: %.10g,\n",
            MPA * (mode->tau0 + by_size), on * mode->tau1);
    fprintf(out,
            "       initial_hardening_rate: %.10g, final_hardening_rate: %.10g,\n       self: 1, latent: [",
            on * mode->theta0, on * mode->theta1);
    for (int m = 0; m < crystal->n_modes; m++)
        fprintf(out, "%s%.10g", m > 0 ? ", " : "", mode->latent[m]);
    fprintf(out, "]");
}

/* Numbers of a record, in the order of the file, as keys: those times `unit`, but where a rise of 0 has no scale. */
typedef struct {
    const char *key;
    int at;
    double unit;
} number;

static void write_numbers(const number *list, const double *from, FILE *out)
{
    for (; list->key != NULL; list++)
        fprintf(out, ",\n       %s: %.12g", list->key, list->unit * from[list->at]);
}

/* a + b exp(-T/c) of three numbers, as `of`_resistance or `of`_share, and its rise. */
static void write_falling(const char *of, const char *what, const double *abc, double more, double unit,
                          FILE *out)
{
    fprintf(out, ",\n       %s%s: %.12g", of, what, unit * abc[0] + more);
    if (abc[1] != 0)
        fprintf(out, ", %s_rise: %.12g, %s_temperature: %.12g", of, unit * abc[1], of, abc[2]);
}

/* mu b^3 of the threshold's energies: k/b^3 is given. The threshold that it begins with counts twice in VPSC8, which only 0 does
 * not show. */
static sw_status write_mts(const sw_vpsc_crystal *crystal, FILE *out)
{
    static const number numbers[] = {{"shear_modulus", 1, MPA},
                                     {"athermal_resistance", 4, MPA},
                                     {"intrinsic_threshold", 5, MPA},
                                     {"initial_hardening_rate", 7, MPA},
                                     {"exponent", 8, 1},
                                     {"intrinsic_energy", 9, 1},
                                     {"intrinsic_rate", 10, 1},
                                     {"intrinsic_q", 11, 1},
                                     {"intrinsic_p", 12, 1},
                                     {"structure_energy", 13, 1},
                                     {"structure_rate", 14, 1},
                                     {"structure_q", 15, 1},
                                     {"structure_p", 16, 1},
                                     {"saturation_energy", 17, 1},
                                     {"saturation_rate", 18, 1},
                                     {"saturation_threshold", 19, MPA},
                                     {NULL, 0, 0}};
    const double *x = crystal->common;
    if (x[6] != 0)
        return no_equal(crystal, "a threshold to begin with, TAUeini, which counts twice");
    write_numbers(numbers, x, out);
    fprintf(out, ",\n       burgers_vector: %.12g", cbrt(SW_BOLTZMANN / (MPA * x[0])));
    if (x[2] != 0)
        fprintf(out, ", shear_modulus_drop: %.12g, shear_modulus_temperature: %.12g", x[2], x[3]);
    return SW_OK;
}

static void write_density_twin(const sw_vpsc_crystal *crystal, const sw_vpsc_mode *mode, FILE *out)
{
    const double *x = mode->law;
    fprintf(out, ",\n       burgers_vector: %.12g", x[0]);
    write_falling("nucleation", "_resistance", x + 1, 0, MPA, out);
    write_falling("athermal", "_resistance", x + 4, 0, MPA, out);
    fprintf(out, ",\n       latent: [");
    for (int m = 0; m < crystal->n_modes; m++)
        fprintf(out, "%s%.10g", m > 0 ? ", " : "",
                m < crystal->n_modes - crystal->n_twin_modes ? x[7 + m] : 0);
    fprintf(out, "]");
}

/* Every system has a density of its own. */
static void write_density_slip(const sw_vpsc_crystal *crystal, const sw_vpsc_mode *mode, FILE *out)
{
    static const number numbers[] = {{"burgers_vector", 0, 1},
                                     {"recovery_energy", 1, 1},
                                     {"dislocation_storage", 2, 1},
                                     {"recovery_drag", 3, MPA},
                                     {"recovery_rate", 4, 1},
                                     {"initial_dislocation_density", 5, 1},
                                     {NULL, 0, 0}};
    const double *x = mode->law, *of = crystal->common,
                 mu = sw_vpsc_shear_modulus(crystal, (int)(mode - crystal->mode));
    write_numbers(numbers, x, out);
    fprintf(out,
            ",\n       shear_modulus: %.12g, dislocation_strengthening: %.12g, debris_strengthening: %.12g",
            MPA * mu, of[2], of[3]);
    write_falling("athermal", "_resistance", x + 6, MPA * x[12] * mu * sqrt(x[0] / of[1]), MPA, out);
    write_falling("debris_share", "", x + 9, 0, 1, out);
    if (mode == crystal->mode)
        fprintf(out, ", initial_debris_density: %.12g", of[4]);
    fprintf(out, ",\n       self: 1, latent: [");
    for (int m = 0; m < crystal->n_modes; m++)
        fprintf(out, m > 0 ? ", 0" : "0");
    fprintf(out, "]");
}

static sw_status write_law(const sw_vpsc_input *input, const sw_vpsc_crystal *crystal,
                           const sw_vpsc_mode *mode, FILE *out)
{
    if (crystal->law == SW_VPSC_MTS)
        return write_mts(crystal, out);
    if (crystal->law == SW_VPSC_VOCE)
        write_voce(input, crystal, mode, out);
    else if (mode->twin_type > 0)
        write_density_twin(crystal, mode, out);
    else
        write_density_slip(crystal, mode, out);
    return SW_OK;
}

static sw_status write_family(const sw_vpsc_input *input, const target *to, const sw_vpsc_mode *mode,
                              sw_vpsc_notes *notes, FILE *out)
{
    char plain[SW_LINE];
    if (mode->one_way && mode->twin_type == 0)
        return no_equal(to->crystal, "slip in one sense only");
    fprintf(out, "    # mode %d: %s\n", mode->number, sw_plain(mode->name, plain));
    SW_TRY(write_systems(to, mode, out));
    SW_TRY(write_twins(input, mode, notes, out));
    SW_TRY(write_law(input, to->crystal, mode, out));
    fprintf(out, "}\n");
    return SW_OK;
}

/* ---- The file ---- */

/* The constants that the lattice asks for. Those below 1000 are GPa. */
static void write_elasticity(const target *to, sw_vpsc_notes *notes, FILE *out)
{
    const double(*c)[6] = to->crystal->stiffness;
    const double unit = c[0][0] < 1000 ? 1e9 : MPA;
    const char *separator = "{";
    if (unit > MPA)
        sw_vpsc_note_job(notes, "%s: C11 = %g: elastic constants are taken as GPa", to->crystal->path,
                         c[0][0]);
    fprintf(out, "elasticity: ");
    for (const char *at = to->lattice->elasticity; (at = strchr(at, 'C')) != NULL; at += 3) {
        fprintf(out, "%s%.3s: %.10g", separator, at, unit * c[at[1] - '1'][at[2] - '1']);
        separator = ", ";
    }
    fprintf(out, "}\n");
}

/* That of a crystal of its symmetry, if it has one; the others' has no place. */
static void write_expansion(const target *to, sw_vpsc_notes *notes, FILE *out)
{
    const double *e = to->crystal->expansion;
    const int axes = to->lattice->three_axes ? 3 : to->lattice->vectors != NULL ? 2 : 1;
    int any = 0, fits = (axes == 3 || e[0] == e[1]) && (axes > 1 || e[0] == e[2]);
    for (int k = 0; k < 6; k++) {
        any |= e[k] != 0;
        fits &= k < 3 || e[k] == 0;
    }
    if (any && !fits)
        sw_vpsc_note_job(notes, "%s: thermal expansion is not that of a %s crystal: left out",
                         to->crystal->path, to->lattice->name);
    if (any && fits && axes == 1)
        fprintf(out, "thermal_expansion: [%.10g]\n", e[0]);
    else if (any && fits && axes == 2)
        fprintf(out, "thermal_expansion: [%.10g, %.10g]\n", e[0], e[2]);
    else if (any && fits)
        fprintf(out, "thermal_expansion: [%.10g, %.10g, %.10g]\n", e[0], e[1], e[2]);
}

static sw_status write_all(const sw_vpsc_input *input, int phase, sw_vpsc_notes *notes, FILE *out)
{
    const sw_vpsc_crystal *crystal = &input->phase[phase].crystal;
    const int exponent = crystal->mode[0].exponent;
    char plain[SW_LINE];
    target to;
    SW_TRY(choose_lattice(crystal, &to));
    for (int m = 0; m < crystal->n_modes; m++)
        if (crystal->mode[m].exponent != exponent)
            return no_equal(crystal, "exponents that differ among modes");
    fprintf(out, "# Of %s, stresses in MPa there.\nname: phase %d\ncrystal_structure: %s\n",
            sw_plain(crystal->path, plain), phase + 1, to.lattice->name);
    if (to.lattice->vectors != NULL)
        fprintf(out, "c_over_a: %.10g\n", to.c_over_a);
    if (to.lattice->three_axes)
        fprintf(out, "b_over_a: %.10g\n", to.b_over_a);
    write_elasticity(&to, notes, out);
    write_expansion(&to, notes, out);
    fprintf(out, "slip:\n  reference_slip_rate: 1\n  rate_sensitivity: %.12g\n%s  families:\n",
            1.0 / exponent, crystal->rate_sensitive ? "" : "  rate_of_step: yes\n");
    for (int m = 0; m < crystal->n_modes; m++)
        SW_TRY(write_family(input, &to, &crystal->mode[m], notes, out));
    fprintf(out, "hardening: {law: %s}\n",
            crystal->law == SW_VPSC_VOCE  ? "extended_voce"
            : crystal->law == SW_VPSC_MTS ? "mts"
                                          : "kocks_mecking");
    return SW_OK;
}

static sw_status check_law(const sw_vpsc_input *input, const sw_vpsc_crystal *crystal)
{
    if (crystal->law == SW_VPSC_REVERSAL)
        return no_equal(crystal, "hardening law 23, densities that reverse");
    return crystal->law == SW_VPSC_VOCE || input->harden == 1
               ? SW_OK
               : no_equal(crystal, "hardening law 1 or 20 with iupdhar 0");
}

/* What is written is read. */
sw_status sw_vpsc_write_material(const sw_vpsc_input *input, int phase, sw_vpsc_notes *notes, FILE *out)
{
    const sw_vpsc_crystal *crystal = &input->phase[phase].crystal;
    char *text = NULL, name[32];
    size_t size;
    sw_material material;
    SW_TRY(check_law(input, crystal));
    FILE *memory = open_memstream(&text, &size);
    if (memory == NULL)
        return sw_error(SW_ERR_MEMORY, "no memory for a material");
    sw_status status = write_all(input, phase, notes, memory);
    fclose(memory);
    snprintf(name, sizeof name, "phase%d.yaml", phase + 1);
    if (status == SW_OK)
        status = sw_material_parse(name, text, &material);
    if (status == SW_OK)
        fputs(text, out);
    free(text);
    return status;
}
