#include "tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/files/output_file.h"
#include "common/math/rotation.h"
#include "contour.h"

/* ---- Checks ---- */

static int count_of(const sw_functions *t)
{
    return t->names_count > 0 ? t->names_count : SW_YIELD_FUNCTIONS;
}

static sw_status function_of(const sw_forming_job *job, int i, int *function)
{
    char key[SW_KEY_SIZE];
    *function = i;
    if (job->functions.names_count == 0)
        return SW_OK;
    return sw_job_choose(job->source, sw_key_path(key, "functions.names[%d]", i), job->functions.names[i],
                         SW_YIELD_FUNCTIONS, sw_yield_function_names, function);
}

static sw_status check_names(const sw_forming_job *job)
{
    int chosen[SW_YIELD_FUNCTIONS] = {0};
    for (int i = 0; i < count_of(&job->functions); i++) {
        char key[SW_KEY_SIZE];
        int k;
        SW_TRY(function_of(job, i, &k));
        if (chosen[k]++)
            return sw_job_error(job->source, sw_key_path(key, "functions.names[%d]", i),
                                ": %s is there twice", sw_yield_function_names[k]);
    }
    return SW_OK;
}

/* Stresses of two strains are no points of one surface. */
static sw_status check_strains(const sw_forming_job *job)
{
    const double tensions = job->r_values.strain, points = job->yield_surface.strain;
    if (job->functions.weights.points == 0 || fabs(tensions - points) <= 1e-9 * tensions)
        return SW_OK;
    return sw_job_error(
        job->source, "yield_surface.strain",
        " = %g: need r_values.strain, %g, for functions of both, or functions.weights.points = 0", points,
        tensions);
}

static int has_function(const sw_forming_job *job, int function)
{
    int found = 0;
    for (int i = 0, k; i < count_of(&job->functions); i++)
        found |= function_of(job, i, &k) == SW_OK && k == function;
    return found;
}

/* Whether Hill's coefficients have what is classical. */
static int has_classical(const sw_forming_job *job)
{
    const sw_r_values *t = &job->r_values;
    return sw_job_given(job->source, "r_values") && sw_r_values_has(t, 0) && sw_r_values_has(t, 45) &&
           sw_r_values_has(t, 90);
}

static sw_identification by_of(const sw_forming_job *job, int function)
{
    return function == SW_YIELD_HILL48 && has_classical(job) ? (sw_identification)job->functions.hill48
                                                             : SW_BY_WEIGHTS;
}

static sw_status check_hill48(const sw_forming_job *job)
{
    static const char key[] = "functions.hill48";
    const char *name = sw_identification_names[job->functions.hill48];
    if (!sw_job_given(job->source, key)) {
        if (has_function(job, SW_YIELD_HILL48) && !has_classical(job))
            sw_note("%s: hill48 is by weights, of all there is: by r it needs a section r_values with 0, 45 "
                    "and 90 "
                    "degrees",
                    sw_job_path(job->source));
        return SW_OK;
    }
    if (!has_function(job, SW_YIELD_HILL48))
        return sw_job_error(job->source, key, " = %s: has no effect without hill48 among functions.names",
                            name);
    if (job->functions.hill48 != SW_BY_WEIGHTS && !has_classical(job))
        return sw_job_error(job->source, key,
                            " = %s: need a section r_values with 0, 45 and 90 degrees, or weights", name);
    return SW_OK;
}

/* Something is fitted, and each program has a file of its own. */
static sw_status check_settings(const sw_forming_job *job)
{
    const sw_functions *t = &job->functions;
    if (t->weights.stress == 0 && t->weights.r == 0)
        return sw_job_error(job->source, "functions.weights", ": stress = 0 and r = 0: need one of them > 0");
    if (t->block[0] != NULL && t->block[1] != NULL && strcmp(t->block[0], t->block[1]) == 0)
        return sw_job_error(job->source, "functions.ls_dyna", " = %s: that is the file of functions.abaqus",
                            t->block[1]);
    if (t->curve_strain > 0 && t->block[0] == NULL && t->block[1] == NULL)
        return sw_job_error(job->source, "functions.curve_strain",
                            " = %g: has no effect without functions.abaqus or functions.ls_dyna",
                            t->curve_strain);
    return SW_OK;
}

static sw_status check(const sw_forming_job *job)
{
    const int tensions = sw_job_given(job->source, "r_values"),
              points = sw_job_given(job->source, "yield_surface");
    SW_TRY(check_names(job));
    SW_TRY(check_settings(job));
    SW_TRY(check_hill48(job));
    if (!tensions && !points)
        return sw_job_error(job->source, "functions",
                            ": nothing to fit: need a section r_values, or yield_surface");
    if (!tensions && job->functions.weights.points == 0)
        return sw_job_error(job->source, "functions.weights.points",
                            " = 0: nothing else to fit without r_values");
    return tensions && points ? check_strains(job) : SW_OK;
}

/* ---- Fits ---- */

static double exponent_of(const sw_forming *f)
{
    const double given = f->job->functions.exponent;
    return given > 0 ? given : sw_material_lattice(&f->made_of.material)->yield_exponent;
}

/* Whether a function's coefficient i is of stresses in the sheet's plane: it changes a tension's between the axes. */
static int is_in_plane(const sw_yield *surface, int i)
{
    sw_yield other = sw_yield_isotropic((int)(surface->function - sw_yield_functions), surface->exponent, 1);
    double before, after;
    sw_yield_uniaxial(&other, SW_PI / 6, &before, NULL);
    other.coefficient[i] *= 1.1;
    sw_yield_uniaxial(&other, SW_PI / 6, &after, NULL);
    return fabs(after - before) > 1e-9;
}

/* " c c'" of coefficients that no data determined; or of those among them that are of the sheet's plane. */
static void list_undetermined(const sw_yield *surface, int in_plane, char text[SW_YIELD_COEFFICIENTS * 8])
{
    text[0] = '\0';
    for (int i = 0; i < surface->function->coefficients; i++)
        if ((surface->undetermined >> i & 1) && (!in_plane || is_in_plane(surface, i))) {
            strcat(text, " ");
            strcat(text, surface->function->coefficient[i]);
        }
}

/* Of a sheet's thickness data in its plane never say anything; of its plane they should. */
static void warn_of_undetermined(const sw_yield *surface)
{
    char list[SW_YIELD_COEFFICIENTS * 8];
    list_undetermined(surface, 1, list);
    if (list[0] != '\0')
        sw_warn(
            "%s:%s stay isotropic: nothing that has a weight says anything of them; of shear in the plane "
            "a tension between 0 and 90 degrees does, or a point with stress 12",
            surface->function->name, list);
}

/* Whether a card of it is asked for. */
static int goes_on_a_card(const sw_forming *f, const sw_calibration *fit)
{
    int goes = 0;
    for (int program = 0; program < SW_BLOCK_PROGRAMS; program++)
        goes |=
            f->job->functions.block[program] != NULL && sw_block_has_card(&sw_block_programs[program], fit);
    return goes;
}

static void warn_of_misses(const sw_forming *f, const sw_calibration *fit)
{
    char text[SW_BLOCK_MISSES][SW_BLOCK_MISS_TEXT];
    sw_block_misses(fit, &f->sheet, text);
    for (int k = 0; k < SW_BLOCK_MISSES && goes_on_a_card(f, fit); k++)
        if (text[k][0] != '\0')
            sw_warn("card of %s: %s%s", fit->surface.function->name, text[k],
                    fit->by == SW_BY_WEIGHTS ? "; functions.weights say what counts" : "");
}

static sw_status fit_one(sw_forming *f, int function)
{
    const sw_functions *t = &f->job->functions;
    const sw_yield surface = sw_yield_isotropic(function, exponent_of(f), 1);
    const sw_identification by = by_of(f->job, function);
    sw_calibration *fit = &f->fitted.fit[f->fitted.n];
    SW_TRY(by == SW_BY_WEIGHTS
               ? sw_calibrate(&surface, &f->sheet, &t->weights, t->starts, (uint64_t)t->seed, fit)
               : sw_calibrate_hill48(by, &f->sheet, fit));
    f->fitted.n++;
    warn_of_undetermined(&fit->surface);
    warn_of_misses(f, fit);
    return SW_OK;
}

/* ---- Results ---- */

/* Of one kind: rows of the tension's or point's number, what was given, what was fitted. */
static sw_status write_kind(hid_t group, const sw_calibration *fit, sw_calibration_kind kind)
{
    const int64_t shape[2] = {fit->given[kind], 3};
    const char *name = sw_calibration_kind_names[kind];
    double(*row)[3];
    int64_t k = 0;
    if (fit->given[kind] == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(row, shape[0], "what a yield function is fitted to"));
    for (int i = 0; i < fit->n_items; i++) {
        const sw_calibration_item *item = &fit->item[i];
        const double all[3] = {item->number, item->given, item->fitted};
        if (item->kind == kind)
            memcpy(row[k++], all, sizeof all);
    }
    sw_status status = sw_h5_write(group, name, H5T_NATIVE_DOUBLE, 2, shape, row);
    free(row);
    if (status == SW_OK)
        status = sw_h5_describe(group, name, "columns", "number given fitted");
    return status;
}

enum { CURVE = 181, SECTION = 361 };

/* The function in tension against the angle: angle (rad), stress (Pa), q. */
static sw_status write_tension(hid_t group, const sw_yield *y)
{
    static const int64_t shape[2] = {CURVE, 3};
    double row[CURVE][3];
    for (int i = 0; i < CURVE; i++) {
        row[i][0] = i * SW_PI / (CURVE - 1);
        sw_yield_uniaxial(y, row[i][0], &row[i][1], &row[i][2]);
    }
    SW_TRY(sw_h5_write(group, "tension", H5T_NATIVE_DOUBLE, 2, shape, row));
    return sw_h5_describe(group, "tension", "columns", "angle/rad stress/Pa r/(1+r)");
}

/* And in the plane of stresses 11 and 22 (Pa). */
static sw_status write_section(hid_t group, const sw_yield *y)
{
    static const int64_t shape[2] = {SECTION, 2};
    double row[SECTION][2];
    for (int i = 0; i < SECTION; i++) {
        const double turn = 2 * SW_PI * i / (SECTION - 1), s[6] = {cos(turn), sin(turn), 0, 0, 0, 0};
        const double size = y->reference / sw_yield_value(y, s, NULL);
        row[i][0] = size * s[0];
        row[i][1] = size * s[1];
    }
    SW_TRY(sw_h5_write(group, "section", H5T_NATIVE_DOUBLE, 2, shape, row));
    return sw_h5_describe(group, "section", "columns", "stress11/Pa stress22/Pa");
}

static sw_status write_coefficients(hid_t group, const sw_yield *y)
{
    const sw_yield_function *function = y->function;
    const int64_t n = function->coefficients;
    char names[SW_YIELD_COEFFICIENTS * 8] = "";
    for (int i = 0; i < n; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i > 0 ? " " : "",
                 function->coefficient[i]);
    SW_TRY(sw_h5_write(group, "coefficient", H5T_NATIVE_DOUBLE, 1, &n, y->coefficient));
    SW_TRY(sw_h5_describe(group, "coefficient", "names", names));
    double undetermined[SW_YIELD_COEFFICIENTS];
    for (int i = 0; i < n; i++)
        undetermined[i] = y->undetermined >> i & 1;
    SW_TRY(sw_h5_write_numbers(group, "undetermined", (int)n, undetermined));
    if (function->has_exponent)
        SW_TRY(sw_h5_write_numbers(group, "exponent", 1, &y->exponent));
    return sw_h5_write_numbers(group, "reference_stress", 1, &y->reference);
}

static sw_status write_fit(hid_t group, const sw_calibration *fit)
{
    const double numbers[3] = {sw_yield_is_convex(&fit->surface), fit->determined, fit->skipped};
    static const char *const names[3] = {"convex", "determined", "skipped_points"};
    SW_TRY(sw_h5_write_text(group, "title", fit->surface.function->title));
    SW_TRY(sw_h5_write_text(group, "identification", sw_identification_names[fit->by]));
    SW_TRY(write_coefficients(group, &fit->surface));
    for (int i = 0; i < 3; i++)
        SW_TRY(sw_h5_write_numbers(group, names[i], 1, &numbers[i]));
    for (int kind = 0; kind < SW_CALIBRATION_KINDS; kind++) {
        char name[64];
        if (fit->given[kind] == 0)
            continue;
        SW_TRY(write_kind(group, fit, kind));
        snprintf(name, sizeof name, "rms_%s", sw_calibration_kind_names[kind]);
        SW_TRY(sw_h5_write_numbers(group, name, 1, &fit->rms[kind]));
        snprintf(name, sizeof name, "largest_%s", sw_calibration_kind_names[kind]);
        SW_TRY(sw_h5_write_numbers(group, name, 1, &fit->largest[kind]));
    }
    SW_TRY(write_tension(group, &fit->surface));
    return write_section(group, &fit->surface);
}

static sw_status write_group(hid_t where, const sw_calibration *fit)
{
    hid_t group;
    SW_TRY(sw_h5_group(where, fit->surface.function->name, &group));
    const sw_status status = write_fit(group, fit);
    H5Gclose(group);
    return status;
}

/* Functions here take a stress and its opposite for the same. */
static void warn_of_twins(const sw_forming *f)
{
    sw_slip_systems systems;
    if (sw_material_systems(&f->made_of.material, &systems) == SW_OK && systems.two_way < systems.count)
        sw_warn("functions: %s twins, one way only, and yields otherwise when compressed than when pulled: "
                "yield functions "
                "are fitted that do not tell these apart",
                f->made_of.material.name);
}

/* ---- And back ---- */

static sw_status read_fit(hid_t group, const sw_sheet *sheet, sw_calibration *fit)
{
    sw_yield *y = &fit->surface;
    const int64_t n = y->function->coefficients;
    double undetermined[SW_YIELD_COEFFICIENTS], determined;
    SW_TRY(sw_h5_read(group, "coefficient", H5T_NATIVE_DOUBLE, 1, &n, y->coefficient));
    SW_TRY(sw_h5_read_numbers(group, "undetermined", (int)n, undetermined));
    SW_TRY(sw_h5_read_numbers(group, "determined", 1, &determined));
    for (int i = 0; i < n; i++)
        y->undetermined |= (unsigned)(undetermined[i] != 0) << i;
    fit->determined = (int)determined;
    return sw_calibration_restore(sheet, fit);
}

static sw_status restore_one(sw_forming *f, hid_t where, int function)
{
    sw_calibration *fit = &f->fitted.fit[f->fitted.n];
    *fit = (sw_calibration){.by = by_of(f->job, function),
                            .surface = sw_yield_isotropic(function, exponent_of(f), 1)};
    hid_t group = H5Gopen2(where, sw_yield_function_names[function], H5P_DEFAULT);
    if (group < 0)
        return sw_error(SW_ERR_FORMAT, "%s: functions: no %s", f->kept.path,
                        sw_yield_function_names[function]);
    const sw_status status = read_fit(group, &f->sheet, fit);
    H5Gclose(group);
    SW_TRY(status);
    f->fitted.n++;
    warn_of_undetermined(&fit->surface);
    warn_of_misses(f, fit);
    return SW_OK;
}

static sw_status restore(sw_forming *f, hid_t group)
{
    warn_of_twins(f);
    free(f->sheet.curve.row);
    f->sheet.curve = (sw_sheet_curve){0};
    SW_TRY(sw_sheet_curve_read(group, &f->sheet.curve));
    for (int i = 0, function; i < count_of(&f->job->functions); i++) {
        SW_TRY(function_of(f->job, i, &function));
        SW_TRY(restore_one(f, group, function));
    }
    return SW_OK;
}

/* ---- The task ---- */

static sw_status run(sw_forming *f, hid_t group)
{
    sw_contour_point end;
    warn_of_twins(f);
    if (f->job->functions.curve_strain > 0)
        SW_TRY(sw_contour_tension(f, f->job->functions.curve_strain, &end));
    SW_TRY(sw_sheet_curve_write(&f->sheet.curve, group));
    for (int i = 0; i < count_of(&f->job->functions); i++) {
        int function;
        SW_TRY(function_of(f->job, i, &function));
        SW_TRY(fit_one(f, function));
        SW_TRY(write_group(group, &f->fitted.fit[i]));
    }
    return SW_OK;
}

static const char *text_path(const sw_forming_job *job, int program) { return job->functions.block[program]; }

/* Of a random polycrystal, the means of what Voigt's and Reuss's assumptions say of its moduli (Hill 1952). */
static void isotropic_constants(const sw_material *m, double *young, double *poisson)
{
    const sw_stiffness stiffness = sw_material_stiffness(m);
    double by_stress[5];
    const double bulk = (stiffness.bulk + sw_stiffness_relaxed_bulk(&stiffness, by_stress)) / 2,
                 shear = (stiffness.voigt + stiffness.reuss) / 2;
    *young = 9 * bulk * shear / (3 * bulk + shear);
    *poisson = (3 * bulk - 2 * shear) / (6 * bulk + 2 * shear);
}

static sw_status write_text(const sw_forming *f, int program, FILE *file)
{
    sw_block block = {.sheet = &f->sheet};
    isotropic_constants(&f->made_of.material, &block.young, &block.poisson);
    for (int i = 0; i < f->fitted.n; i++) {
        block.fit = &f->fitted.fit[i];
        block.number += sw_block_has_card(&sw_block_programs[program], block.fit);
        SW_TRY(sw_block_write(file, &sw_block_programs[program], &block));
    }
    return SW_OK;
}

static void release(sw_forming *f)
{
    for (int i = 0; i < f->fitted.n; i++)
        sw_calibration_free(&f->fitted.fit[i]);
    f->fitted.n = 0;
}

static void print_fit(const sw_calibration *fit, FILE *out)
{
    static const char *const what[SW_CALIBRATION_KINDS] = {"stress",          "r/(1+r)", "biaxial stress",
                                                           "biaxial r/(1+r)", "points",  "flow, rad"};
    const sw_yield *y = &fit->surface;
    fprintf(out, "  %s%s%s\n    ", y->function->title,
            fit->by == SW_BY_R        ? " by r at 0, 45 and 90 degrees"
            : fit->by == SW_BY_STRESS ? " by stresses at 0, 45 and 90 degrees, and biaxial"
                                      : "",
            sw_yield_is_convex(y) ? "" : ": NOT CONVEX");
    for (int i = 0; i < y->function->coefficients; i++)
        fprintf(out, "%s%s %.5f",
                i == 0       ? ""
                : i % 9 == 0 ? "\n    "
                             : "  ",
                y->function->coefficient[i], y->coefficient[i]);
    if (y->function->has_exponent)
        fprintf(out, "  a %g", y->exponent);
    char list[SW_YIELD_COEFFICIENTS * 8];
    list_undetermined(y, 0, list);
    if (list[0] != '\0')
        fprintf(out, "\n    isotropic, for no data say anything of them:%s", list);
    fprintf(out, "\n    misses, rms and largest:");
    for (int k = 0, n = 0; k < SW_CALIBRATION_KINDS; k++)
        if (fit->given[k] > 0)
            fprintf(out, "%s %s %.2g %.2g", n++ > 0 ? "," : "", what[k], fit->rms[k], fit->largest[k]);
    fprintf(out, "\n");
}

static void print(const sw_forming *f, FILE *out)
{
    for (int i = 0; i < f->fitted.n; i++)
        print_fit(&f->fitted.fit[i], out);
}

static const char *const text_keys[] = {"functions.abaqus", "functions.ls_dyna"};

const sw_forming_task sw_functions_task = {.name = "functions",
                                           .check = check,
                                           .run = run,
                                           .restore = restore,
                                           .print = print,
                                           .release = release,
                                           .texts = SW_BLOCK_PROGRAMS,
                                           .text_key = text_keys,
                                           .text_path = text_path,
                                           .write_text = write_text};
