#include "ageing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material_file.h"
#include "common/files/hdf5_io.h"

/* ---- Which kind of file: where its numbers are ---- */

typedef struct {
    const char *format, *group, *times;
} layout;

static const layout layouts[] = {{"slipwave-kwn", "points", "history/time"},
                                 {"slipwave-kwn-map", "map", "axes/time"}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* A state's file while it is read. */
typedef struct {
    const sw_kwn_state *state;
    hid_t file;
    const layout *at;
    int64_t n_points, n_times;
    int64_t row;        /* at or before the time, of the two between which it is */
    double part;        /* of the way to the next row; 0 .. 1 */
    const char **fault; /* key of what is wrong */
} reader;

static sw_status find_layout(reader *r)
{
    char *format = NULL;
    const sw_status status = sw_h5_read_text(r->file, "format", &format);
    for (int i = 0; i < LAYOUTS && status == SW_OK; i++)
        if (strcmp(format, layouts[i].format) == 0)
            r->at = &layouts[i];
    free(format);
    if (r->at == NULL)
        return sw_error(SW_ERR_FORMAT, "%s: need results of slipwave kwn or slipwave kwn map",
                        r->state->file);
    return sw_h5_exists(r->file, r->at->times)
               ? SW_OK
               : sw_error(SW_ERR_FORMAT, "%s: a map without an axis of time: need temperature by time",
                          r->state->file);
}

static sw_status find_point(reader *r)
{
    char name[64];
    int64_t shape[2];
    snprintf(name, sizeof name, "%s/slip_resistance", r->at->group);
    SW_TRY(sw_h5_shape(r->file, name, 2, shape));
    r->n_points = shape[0];
    r->n_times = shape[1];
    if (r->state->point >= 0 && r->state->point < r->n_points)
        return SW_OK;
    *r->fault = "point";
    return sw_error(SW_ERR_RANGE, "%s: point %lld: need 0 to %lld", r->state->file,
                    (long long)r->state->point, (long long)r->n_points - 1);
}

/* ---- Between which rows ---- */

static sw_status check_times(const reader *r, const double *time)
{
    for (int64_t k = 0; k < r->n_times; k++)
        if (!(isfinite(time[k]) && (k == 0 || time[k] > time[k - 1])))
            return sw_error(SW_ERR_FORMAT, "%s: /%s: row %lld is %g: need ascending times", r->state->file,
                            r->at->times, (long long)k, time[k]);
    return SW_OK;
}

static sw_status place_time(reader *r, const double *time)
{
    const double t = r->state->time, first = time[0], last = time[r->n_times - 1];
    if (!(t >= first && t <= last)) {
        *r->fault = "time";
        return sw_error(SW_ERR_RANGE, "%s: time %.10g s: need its results' %.10g to %.10g", r->state->file, t,
                        first, last);
    }
    while (r->row + 2 < r->n_times && time[r->row + 1] <= t)
        r->row++;
    r->part = r->n_times > 1 ? (t - time[r->row]) / (time[r->row + 1] - time[r->row]) : 0;
    return SW_OK;
}

static sw_status find_time(reader *r)
{
    double *time;
    SW_TRY(r->n_times > 0 ? SW_OK : sw_error(SW_ERR_FORMAT, "%s: has no times", r->state->file));
    SW_TRY(SW_ALLOCATE(time, r->n_times, "times"));
    sw_status status = sw_h5_read(r->file, r->at->times, H5T_NATIVE_DOUBLE, 1, &r->n_times, time);
    if (status == SW_OK)
        status = check_times(r, time);
    if (status == SW_OK)
        status = place_time(r, time);
    free(time);
    return status;
}

/* ---- Stresses there ---- */

enum { YIELD, SOLUTES, PARTICLES, RESISTANCE, STRESSES };
static const char *const stress_names[STRESSES] = {"yield_stress", "solid_solution_stress", "particle_stress",
                                                   "slip_resistance"};

static sw_status read_stress(const reader *r, const char *name, double *row, double *stress)
{
    char path[64];
    hid_t set;
    snprintf(path, sizeof path, "%s/%s", r->at->group, name);
    SW_TRY(sw_h5_need_shape(r->file, path, 2, (int64_t[]){r->n_points, r->n_times}));
    SW_TRY(sw_h5_open_set(r->file, path, &set));
    const sw_status status = sw_h5_read_rows(set, H5T_NATIVE_DOUBLE, r->state->point, 1, row);
    const sw_status closed = sw_h5_close_set(set);
    SW_TRY(status != SW_OK ? status : closed);
    const double before = row[r->row], after = row[r->n_times > 1 ? r->row + 1 : 0];
    *stress = before + r->part * (after - before);
    return SW_OK;
}

static sw_status read_stresses(const reader *r, double stress[STRESSES])
{
    double *row;
    SW_TRY(SW_ALLOCATE(row, r->n_times, "stresses"));
    sw_status status = SW_OK;
    for (int i = 0; i < STRESSES && status == SW_OK; i++)
        status = read_stress(r, stress_names[i], row, &stress[i]);
    free(row);
    return status;
}

/* A partial file and an alloy without strength data have zeros. */
static sw_status check_stresses(const reader *r, const double stress[STRESSES])
{
    const double rest = stress[YIELD] - stress[SOLUTES] - stress[PARTICLES];
    const int good = stress[RESISTANCE] > 0 && isfinite(stress[YIELD]) &&
                     stress[YIELD] >= stress[RESISTANCE] && stress[SOLUTES] >= 0 && stress[PARTICLES] >= 0 &&
                     rest >= -1e-9 * stress[YIELD];
    return good ? SW_OK
                : sw_error(
                      SW_ERR_FORMAT,
                      "%s: point %lld at %.10g s has a slip resistance of %g Pa and a yield stress of %g Pa: "
                      "need an alloy with strength data",
                      r->state->file, (long long)r->state->point, r->state->time, stress[RESISTANCE],
                      stress[YIELD]);
}

static sw_status read_open_file(reader *r, sw_kwn_slip_resistance *s)
{
    double stress[STRESSES];
    SW_TRY(find_layout(r));
    SW_TRY(find_point(r));
    SW_TRY(find_time(r));
    SW_TRY(read_stresses(r, stress));
    SW_TRY(check_stresses(r, stress));
    const double m = stress[YIELD] / stress[RESISTANCE];
    *s = (sw_kwn_slip_resistance){.lattice = (stress[YIELD] - stress[SOLUTES] - stress[PARTICLES]) / m,
                                  .solid_solution = stress[SOLUTES] / m,
                                  .particles = stress[PARTICLES] / m,
                                  .slip_resistance = stress[RESISTANCE],
                                  .taylor_factor = m};
    return SW_OK;
}

sw_status sw_kwn_read_slip_resistance(const sw_kwn_state *state, const char **fault,
                                      sw_kwn_slip_resistance *s)
{
    reader r = {.state = state, .fault = fault};
    *fault = "kwn";
    SW_TRY(sw_h5_open(state->file, 0, &r.file));
    const sw_status status = read_open_file(&r, s);
    H5Fclose(r.file);
    return status;
}

/* ---- A job's ---- */

sw_status sw_kwn_age_material(const sw_job *job, const char *key, const sw_kwn_state *state,
                              sw_material *material, sw_kwn_slip_resistance *s)
{
    const char *fault;
    char place[SW_KEY_SIZE];
    sw_status status = sw_kwn_read_slip_resistance(state, &fault, s);
    if (status == SW_OK) {
        fault = "kwn";
        status = sw_material_age(material, s->slip_resistance, material);
    }
    if (status == SW_OK || status == SW_ERR_MEMORY)
        return status;
    return sw_job_blame(job, sw_key_path(place, "%.100s.%s", key, fault));
}

/* Of families with their own: theirs, Pa. */
static sw_status write_families(hid_t group, const sw_material *m)
{
    double s[SW_FAMILIES_MAX];
    char names[32 * SW_FAMILIES_MAX] = "";
    const int n = m->hardening.law < SW_LAWS_OF_ONE ? 0 : m->slip.family_count;
    for (int k = 0; k < n; k++) {
        s[k] = m->slip.family[k].initial_slip_resistance;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k > 0 ? " " : "",
                 m->slip.family[k].family);
    }
    if (n == 0)
        return SW_OK;
    SW_TRY(sw_h5_write_text(group, "families", names));
    return sw_h5_write_numbers(group, "family_slip_resistance", n, s);
}

sw_status sw_kwn_write_ageing(hid_t where, const sw_kwn_state *state, const sw_kwn_slip_resistance *s,
                              const sw_material *material)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"kwn_time", state->time},
                   {"kwn_point", (double)state->point},
                   {"lattice", s->lattice},
                   {"solid_solution", s->solid_solution},
                   {"particles", s->particles},
                   {"taylor_factor", s->taylor_factor},
                   {"initial_slip_resistance", material->slip.initial_slip_resistance}};
    const char *key;
    double value;
    hid_t group;
    SW_TRY(sw_h5_group(where, "ageing", &group));
    sw_status status = sw_h5_write_text(group, "kwn_file", state->file);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == SW_OK; i++)
        status = sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value);
    for (int i = 0; status == SW_OK && sw_material_law_number(material, i, &key, &value); i++)
        status = sw_h5_write_numbers(group, key, 1, &value);
    if (status == SW_OK)
        status = write_families(group, material);
    H5Gclose(group);
    return status;
}

void sw_kwn_describe_ageing(const sw_kwn_state *state, const sw_kwn_slip_resistance *s,
                            const sw_material *material, char *text, size_t size)
{
    snprintf(text, size,
             "%.200s, point %lld at %.10g s: s0 = %.4g MPa (lattice %.4g, solutes %.4g, particles %.4g), ",
             state->file, (long long)state->point, state->time, s->slip_resistance / 1e6, s->lattice / 1e6,
             s->solid_solution / 1e6, s->particles / 1e6);
    const size_t length = strlen(text);
    if (material->hardening.law < SW_LAWS_OF_ONE)
        snprintf(text + length, size - length, "saturation at %.4g MPa",
                 sw_hardening_most(&material->hardening) / 1e6);
    else
        snprintf(text + length, size - length, "the mean of %d families that are all shifted alike",
                 material->slip.family_count);
}
