/* Files of processes: loads, histories of L, rotations. */
#include "process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/six.h"

/* ---- Loads ---- */

#define TEMPERATURE_MOST 1e5 /* which outputs have room for */

static sw_status read_load_head(sw_vpsc_records *r, sw_vpsc_load *load)
{
    const sw_vpsc_item item[] = {SW_VPSC_WHOLES("nsteps", 1, &load->steps),
                                 SW_VPSC_WHOLES("ictrl", 1, &load->control),
                                 SW_VPSC_REALS("eqincr, the increment", 1, &load->increment),
                                 SW_VPSC_REALS("the temperatures at start and end", 2, load->temperature)};
    SW_TRY(sw_vpsc_read(r, 4, item));
    for (int i = 0; i < 2; i++) {
        if (!(fabs(load->temperature[i]) <= TEMPERATURE_MOST))
            return sw_vpsc_bad(r, "temperature %g: need at most %g K", load->temperature[i],
                               TEMPERATURE_MOST);
        if (load->temperature[i] < 0)
            sw_warn("%s:%d: temperature %g: K are meant, and none is below 0", r->path, r->line,
                    load->temperature[i]);
    }
    if (load->steps < 1)
        return sw_vpsc_bad(r, "nsteps = %d: need 1 step or more", load->steps);
    if (load->control < 0 || load->control == 7 || load->control > SW_VPSC_BY_TEMPERATURE)
        return sw_vpsc_bad(
            r, "ictrl = %d: need 0 (von Mises), 1 to 6 (component 11 22 33 23 13 12) or 8 (temperature)",
            load->control);
    if (!(load->increment > 0) && load->control != SW_VPSC_BY_TEMPERATURE)
        return sw_vpsc_bad(r, "eqincr = %g: need an increment above 0; the rate has its sign",
                           load->increment);
    if (load->control == SW_VPSC_BY_TEMPERATURE && !(fabs(load->increment) <= TEMPERATURE_MOST))
        return sw_vpsc_bad(r, "eqincr = %g: need at most %g K", load->increment, TEMPERATURE_MOST);
    return SW_OK;
}

/* A triangle 11 12 13 / 22 23 / 33, a record a row. */
static sw_status read_flags(sw_vpsc_records *r, int flag[6])
{
    for (int i = 0; i < 3; i++) {
        int row[3] = {0};
        SW_TRY(sw_vpsc_wholes(r, "a row of iscau, the upper triangle", 3 - i, row));
        for (int j = i; j < 3; j++)
            flag[sw_six_of(i, j)] = row[j - i];
    }
    return SW_OK;
}

static sw_status read_stress(sw_vpsc_records *r, double stress[3][3])
{
    for (int i = 0; i < 3; i++) {
        SW_TRY(sw_vpsc_reals(r, "a row of the stress, the upper triangle", 3 - i, stress[i] + i));
        for (int j = i; j < 3; j++)
            stress[j][i] = stress[i][j];
    }
    return SW_OK;
}

const char *const sw_vpsc_component[6] = {"11", "22", "33", "23", "13", "12"};

/* VPSC8 takes the mean of the diagonal from what is given of it, what only holds the place of free components counted. */
static void tell_places(const sw_vpsc_records *r, const sw_vpsc_load *load, double trace)
{
    double most = 0;
    int at = 0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fabs(load->rate[i][i]));
        at = load->rate_given[i][i] ? i : at;
    }
    if (fabs(trace) > 1e-6 * most)
        sw_warn("%s:%d: L%s = %g is given, and the trace is %g with what holds the place of free components: "
                "that counts nothing here, and VPSC8 takes L%s = %g: need a trace of 0 for the same",
                r->path, r->line, sw_vpsc_component[at], load->rate[at][at], trace, sw_vpsc_component[at],
                load->rate[at][at] - trace / 3);
}

static sw_status check_rates(const sw_vpsc_records *r, const sw_vpsc_regime *regime, const sw_vpsc_load *load)
{
    const int(*given)[3] = load->rate_given;
    const int diagonal = given[0][0] + given[1][1] + given[2][2];
    for (int k = 0; k < 9; k++)
        if (given[k / 3][k % 3] != 0 && given[k / 3][k % 3] != 1)
            return sw_vpsc_bad(r, "iudot of %d%d is %d: need 0 or 1", k / 3 + 1, k % 3 + 1,
                               given[k / 3][k % 3]);
    if (!regime->elastic && diagonal == 2)
        return sw_vpsc_bad(
            r, "two of 11, 22, 33 of L are given, and the third follows: need one of them, or three");
    const double trace = load->rate[0][0] + load->rate[1][1] + load->rate[2][2];
    if (!regime->elastic && diagonal == 3 && !(trace <= 1e-6))
        return sw_vpsc_bad(r, "the trace of L is %g: need 0", trace);
    if (!regime->elastic && diagonal == 3 && trace < -1e-6)
        sw_warn("%s:%d: the trace of L is %g: 0 is meant; it is taken as it is, as in VPSC8", r->path,
                r->line, trace);
    if (!regime->elastic && diagonal == 1)
        tell_places(r, load, trace);
    for (int k = 3; k < 6; k++)
        if (given[sw_six_row(k)][sw_six_column(k)] + given[sw_six_column(k)][sw_six_row(k)] == 0)
            return sw_vpsc_bad(r, "neither of the two components %s of L is given: need one, for the spin",
                               sw_vpsc_component[k]);
    return SW_OK;
}

static sw_status check_stresses(const sw_vpsc_records *r, const sw_vpsc_regime *regime,
                                const sw_vpsc_load *load)
{
    for (int k = 0; k < 6; k++) {
        const int of_rate = sw_vpsc_d_given(load->rate_given, k);
        if (load->stress_given[k] != 0 && load->stress_given[k] != 1)
            return sw_vpsc_bad(r, "iscau of %s is %d: need 0 or 1", sw_vpsc_component[k],
                               load->stress_given[k]);
        if (load->stress_given[k] + of_rate != 1)
            return sw_vpsc_bad(
                r, "of component %s %s: need one of strain rate and stress", sw_vpsc_component[k],
                of_rate ? "strain rate and stress are given" : "neither strain rate nor stress is given");
        if (load->stress_given[k] && regime->full_constraints)
            return sw_vpsc_bad(r,
                               "the stress of %s is given: interaction 0, full constraints, takes rates only",
                               sw_vpsc_component[k]);
    }
    return SW_OK;
}

/* The size of a tensor without its mean part. */
static double deviator_size(const double (*t)[3])
{
    const double mean = (t[0][0] + t[1][1] + t[2][2]) / 3;
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, j = k % 3;
        const double part = 0.5 * (t[i][j] + t[j][i]) - (i == j ? mean : 0);
        sum += part * part;
    }
    return sqrt(sum);
}

/* Something must deform: a strain rate that is given, or stresses that are and that no pressure is. */
static sw_status check_drive(const sw_vpsc_records *r, const sw_vpsc_regime *regime, const sw_vpsc_load *load)
{
    double rate[3][3] = {{0}}, stress[3][3] = {{0}}, pressure = 0;
    int normals = 0;
    for (int k = 0; k < 6; k++) {
        const int i = sw_six_row(k), j = sw_six_column(k);
        if (load->stress_given[k])
            stress[i][j] = stress[j][i] = load->stress[i][j];
        else
            rate[i][j] = rate[j][i] = 0.5 * (load->rate[i][j] + load->rate[j][i]);
        normals += i == j && load->stress_given[k];
        pressure += i == j ? stress[i][j] : 0;
    }
    for (int i = 0; i < 3 && normals > 0; i++)
        stress[i][i] -= load->stress_given[i] ? pressure / normals : 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (fabs(stress[i][j]) > 0 && load->stress_given[sw_six_of(i, j)])
                return SW_OK;
    if (regime->elastic || deviator_size((const double(*)[3])rate) > 0)
        return SW_OK;
    return sw_vpsc_bad(r,
                       "iudot and L: the strain rates given are 0, and iscau gives no stress that deforms: "
                       "need one that is not 0; a rotation is ivgvar = 4");
}

/* Lengths change by 1 + D dt in a step, which must stay far above 0. */
#define STEP_MOST 1.0

static sw_status check_step(const sw_vpsc_records *r, const char *name, double increment)
{
    return increment < STEP_MOST ? SW_OK
                                 : sw_vpsc_bad(r, "%s is a strain of %g in one step: need less than %g", name,
                                               increment, STEP_MOST);
}

static sw_status check_control(const sw_vpsc_records *r, const sw_vpsc_regime *regime,
                               const sw_vpsc_load *load)
{
    const int k = load->control - 1;
    if (load->control == SW_VPSC_BY_TEMPERATURE)
        return regime->elastic ? SW_OK : sw_vpsc_bad(r, "ictrl = 8: need iregime -1, elasticity");
    if (load->control == SW_VPSC_BY_MISES) {
        int given = !regime->elastic;
        for (int i = 0; i < 6; i++)
            given = given && sw_vpsc_d_given(load->rate_given, i);
        return given ? SW_OK : sw_vpsc_bad(r, "ictrl = 0: need all components of L, and iregime 1");
    }
    const int i = sw_six_row(k), j = sw_six_column(k);
    const double value =
        load->stress_given[k] ? load->stress[i][j] : 0.5 * (load->rate[i][j] + load->rate[j][i]);
    if (!(fabs(value) > 0))
        return sw_vpsc_bad(r, "ictrl = %d: the %s of %s is 0, and is to control the increments",
                           load->control, load->stress_given[k] ? "stress" : "strain rate",
                           sw_vpsc_component[k]);
    return SW_OK;
}

static sw_status read_load(sw_vpsc_records *r, const sw_vpsc_regime *regime, sw_vpsc_process *process)
{
    sw_vpsc_load *load = &process->load;
    SW_TRY(read_load_head(r, load));
    SW_TRY(sw_vpsc_skip(r, 1));
    for (int i = 0; i < 3; i++)
        SW_TRY(sw_vpsc_wholes(r, "a row of iudot, which components of L are given", 3, load->rate_given[i]));
    SW_TRY(sw_vpsc_skip(r, 1));
    for (int i = 0; i < 3; i++)
        SW_TRY(sw_vpsc_reals(r, "a row of L", 3, load->rate[i]));
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(read_flags(r, load->stress_given));
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(read_stress(r, load->stress));
    SW_TRY(check_rates(r, regime, load));
    SW_TRY(check_stresses(r, regime, load));
    SW_TRY(check_drive(r, regime, load));
    SW_TRY(check_control(r, regime, load));
    const int by_time = load->control == SW_VPSC_BY_TEMPERATURE ||
                        (load->control > 0 && load->stress_given[load->control - 1]);
    return by_time ? SW_OK : check_step(r, "eqincr", load->increment);
}

/* ---- Histories, rotations ---- */

enum { HISTORY_MOST = 10000000 };

static sw_status read_history(sw_vpsc_records *r, const sw_vpsc_regime *regime, sw_vpsc_process *process)
{
    (void)regime;
    SW_TRY(sw_vpsc_wholes(r, "nsteps", 1, &process->n_steps));
    if (process->n_steps < 1 || process->n_steps > HISTORY_MOST)
        return sw_vpsc_bad(r, "nsteps = %d: need 1 to %d", process->n_steps, HISTORY_MOST);
    SW_TRY(SW_ALLOCATE(process->step, process->n_steps, "steps of a history"));
    SW_TRY(sw_vpsc_skip(r, 1));
    for (int i = 0; i < process->n_steps; i++) {
        int number;
        sw_vpsc_step *step = &process->step[i];
        const sw_vpsc_item item[] = {SW_VPSC_WHOLES("a step's number", 1, &number),
                                     SW_VPSC_REALS("L, 3 x 3", 9, &step->rate[0][0]),
                                     SW_VPSC_REALS("tincr, the time of the step", 1, &step->time)};
        SW_TRY(sw_vpsc_read(r, 3, item));
        if (!(step->time > 0))
            return sw_vpsc_bad(r, "tincr = %g: need a time above 0", step->time);
        const double size = deviator_size((const double(*)[3])step->rate);
        if (!(size > 0))
            return sw_vpsc_bad(r, "step %d: L has no strain rate: need one; a rotation is ivgvar = 4",
                               number);
        SW_TRY(check_step(r, "tincr times L", size * step->time));
    }
    return SW_OK;
}

static sw_status read_rotation(sw_vpsc_records *r, const sw_vpsc_regime *regime, sw_vpsc_process *process)
{
    (void)regime;
    double(*q)[3] = process->rotation, most = 0;
    SW_TRY(sw_vpsc_skip(r, 1));
    SW_TRY(sw_vpsc_reals(r, "a rotation, 3 x 3", 9, &q[0][0]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            most = fmax(most, fabs(q[0][i] * q[0][j] + q[1][i] * q[1][j] + q[2][i] * q[2][j] - (i == j)));
    if (!(most <= 0.02))
        return sw_vpsc_bad(
            r, "the columns are no axes at right angles: their products are %g away from those", most);
    if (most > 1e-4)
        sw_warn("%s: the rotation's columns are %g away from unit vectors at right angles, and so are "
                "crystals after it",
                r->path, most);
    return SW_OK;
}

/* ---- One of an input file ---- */

static sw_status read_file(sw_vpsc_records *records, const char *what,
                           sw_status (*read)(sw_vpsc_records *, const sw_vpsc_regime *, sw_vpsc_process *),
                           const sw_vpsc_regime *regime, sw_vpsc_process *process)
{
    const char *name;
    sw_vpsc_records file;
    SW_TRY(sw_vpsc_record(records, what, &name));
    SW_TRY(sw_vpsc_find_file(records, name, &process->path));
    SW_TRY(sw_vpsc_open(process->path, &file));
    const sw_status status = read(&file, regime, process);
    sw_vpsc_close(&file);
    return status;
}

static sw_status read_section(sw_vpsc_records *records, int section[2])
{
    SW_TRY(sw_vpsc_wholes(records, "the two components of the yield surface's section", 2, section));
    if (section[0] < 1 || section[0] > 5 || section[1] < 1 || section[1] > 5 || section[0] == section[1])
        return sw_vpsc_bad(records, "section %d %d: need two different components, 1 to 5", section[0],
                           section[1]);
    if (section[0] > section[1]) {
        const int kept = section[0];
        section[0] = section[1];
        section[1] = kept;
    }
    return SW_OK;
}

#define ANGLE_LEAST 0.01

static sw_status read_angle(sw_vpsc_records *records, double *angle)
{
    SW_TRY(sw_vpsc_reals(records, "the angle between directions of tension, degrees", 1, angle));
    if (!(*angle >= ANGLE_LEAST && *angle <= 90))
        return sw_vpsc_bad(records, "angle %g: need %g to 90 degrees", *angle, ANGLE_LEAST);
    return SW_OK;
}

sw_status sw_vpsc_read_process(sw_vpsc_records *records, const sw_vpsc_regime *regime,
                               sw_vpsc_process *process)
{
    int kind;
    memset(process, 0, sizeof *process);
    SW_TRY(sw_vpsc_wholes(records, "ivgvar, the kind of process", 1, &kind));
    process->kind = (sw_vpsc_process_kind)kind;
    process->line = records->line;
    if (regime->elastic && kind != SW_VPSC_LOAD)
        return sw_vpsc_bad(records, "ivgvar = %d: need 0, a load, with iregime -1, elasticity", kind);
    switch (kind) {
    case SW_VPSC_LOAD:
        return read_file(records, "the name of a load file", read_load, regime, process);
    case SW_VPSC_HISTORY:
        return read_file(records, "the name of a history file", read_history, regime, process);
    case SW_VPSC_ROTATION:
        return read_file(records, "the name of a rotation file", read_rotation, regime, process);
    case SW_VPSC_SURFACE:
        return read_section(records, process->section);
    case SW_VPSC_LANKFORD:
        return read_angle(records, &process->angle);
    case SW_VPSC_SURFACE_5D:
        return SW_OK;
    default:
        return sw_vpsc_bad(
            records,
            "ivgvar = %d: need 0 (load), 1 (history of L), 2 or -2 (yield surface), 3 (Lankford) or 4 "
            "(rotation)",
            kind);
    }
}

void sw_vpsc_process_free(sw_vpsc_process *process)
{
    free(process->path);
    free(process->step);
    memset(process, 0, sizeof *process);
}
