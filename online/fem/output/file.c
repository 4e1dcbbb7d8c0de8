/* Results files: the history, what made it, and the state to go on from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/crystal/material.h"
#include "online/fem/job/ways.h"
#include "rows.h"

/* ---- What a row of the history holds ---- */

enum of {
    OF_INCREMENT,
    OF_UNKNOWNS,
    OF_FIXED,
    OF_FIXED_UNKNOWNS,
    OF_LOADS,
    OF_LOADS_UNKNOWNS,
    OF_TOOLS,
    OF_TOOLS_UNKNOWNS,
    OF_MEAN,
    OF_MEAN_TENSOR,
    OF_FAMILIES,
    OF_ITERATIONS
};

static const struct {
    const char *name, *unit, *heat_name, *heat_unit;
    enum of of;
} columns[COLUMNS] = {
    [STEP] = {"step", "1", NULL, NULL, OF_INCREMENT},
    [TIME] = {"time", "s", NULL, NULL, OF_INCREMENT},
    [BOUNDARY_FACTOR] = {"boundary_factor", "1", NULL, NULL, OF_FIXED},
    [LOAD_FACTOR] = {"load_factor", "1", NULL, NULL, OF_LOADS},
    [LEAST] = {"displacement_least", "m", "temperature_least", "K", OF_UNKNOWNS},
    [MOST] = {"displacement_most", "m", "temperature_most", "K", OF_UNKNOWNS},
    [REACTION] = {"reaction", "N", "reaction", "W", OF_FIXED_UNKNOWNS},
    [BOUNDARY_MEAN] = {"boundary_displacement", "m", "boundary_temperature", "K", OF_FIXED_UNKNOWNS},
    [LOAD_FORCE] = {"load_force", "N", "load_flow", "W", OF_LOADS_UNKNOWNS},
    [LOAD_MEAN] = {"load_displacement", "m", "load_temperature", "K", OF_LOADS_UNKNOWNS},
    [TOOL_FACTOR] = {"tool_factor", "1", NULL, NULL, OF_TOOLS},
    [TOOL_FORCE] = {"tool_force", "N", NULL, NULL, OF_TOOLS_UNKNOWNS},
    [TOOL_MOVE] = {"tool_displacement", "m", NULL, NULL, OF_TOOLS_UNKNOWNS},
    [TOOL_TOUCHING] = {"tool_nodes_touching", "1", NULL, NULL, OF_TOOLS},
    [TOOL_AREA] = {"tool_contact_area", "m2", NULL, NULL, OF_TOOLS},
    [TOOL_PRESSURE] = {"tool_largest_pressure", "Pa", NULL, NULL, OF_TOOLS},
    [TOOL_HELD] = {"tool_stabilising_force", "N", NULL, NULL, OF_TOOLS},
    [TOOL_GAP] = {"tool_gap", "m", NULL, NULL, OF_TOOLS},
    [MEAN_FACTOR] = {"mean_factor", "1", NULL, NULL, OF_MEAN},
    [MEAN_GRADIENT] = {"mean_deformation_gradient", "1", NULL, NULL, OF_MEAN_TENSOR},
    [MEAN_NOMINAL] = {"mean_first_piola_stress", "Pa", NULL, NULL, OF_MEAN_TENSOR},
    [MEAN_CAUCHY] = {"mean_cauchy_stress", "Pa", NULL, NULL, OF_MEAN_TENSOR},
    [FAMILIES + SW_FEM_FAMILY_SLIP] = {"family_slip", "1", NULL, NULL, OF_FAMILIES},
    [FAMILIES + SW_FEM_TWIN_FRACTION] = {"twin_fraction", "1", NULL, NULL, OF_FAMILIES},
    [FAMILIES + SW_FEM_TURNED_FRACTION] = {"turned_fraction", "1", NULL, NULL, OF_FAMILIES},
    [FAMILIES + SW_FEM_TWIN_VARIANTS] = {"twin_variants", "1", NULL, NULL, OF_FAMILIES},
    [WORK] = {"external_work", "J", "external_work", "W K", OF_INCREMENT},
    [PLASTIC_ELEMENTS] = {"plastic_elements", "1", NULL, NULL, OF_INCREMENT},
    [PLASTIC_POINTS] = {"plastic_points", "1", NULL, NULL, OF_INCREMENT},
    [NEWTON] = {"newton", "1", NULL, NULL, OF_INCREMENT},
    [CG] = {"cg", "1", NULL, NULL, OF_INCREMENT},
    [SUBSTEPS] = {"substeps", "1", NULL, NULL, OF_INCREMENT},
    [CUTBACKS] = {"cutbacks", "1", NULL, NULL, OF_INCREMENT},
    [SECONDS] = {"seconds", "s", NULL, NULL, OF_INCREMENT},
    [RESIDUAL] = {"residual", "1", NULL, NULL, OF_ITERATIONS},
    [RESIDUAL_CG] = {"residual_cg", "1", NULL, NULL, OF_ITERATIONS},
    [RESIDUAL_STEP] = {"residual_step", "1", NULL, NULL, OF_ITERATIONS},
};

int sw_fem_is_heat(const sw_fem_job *job) { return job->problem.kinematics == SW_FEM_HEAT; }
int64_t sw_fem_unknowns_in(const sw_fem_results *r) { return sw_fem_count_unknowns(&r->job->problem); }
int64_t sw_fem_points_in(const sw_fem_results *r)
{
    return r->job->mesh->n_elements * sw_fem_shapes[r->job->mesh->shape].n_nodes; /* as many as nodes */
}

/* Shape [3] of a column over `rows` rows; its rank. */
static int shape_of(const sw_fem_results *r, sw_fem_column column, int64_t rows, int64_t *shape)
{
    shape[0] = rows;
    shape[1] = shape[2] = r->c;
    switch (columns[column].of) {
    case OF_INCREMENT:
        shape[1] = shape[2] = 1;
        return 1;
    case OF_UNKNOWNS:
        shape[2] = 1;
        return 2;
    case OF_FIXED:
    case OF_FIXED_UNKNOWNS:
        shape[1] = r->job->boundary_count;
        break;
    case OF_LOADS:
    case OF_LOADS_UNKNOWNS:
        shape[1] = r->job->loads_count;
        break;
    case OF_TOOLS:
    case OF_TOOLS_UNKNOWNS:
        shape[1] = r->job->tools_count;
        break;
    case OF_MEAN:
        shape[1] = r->job->meant ? SW_FEM_MEANT : 0;
        break;
    case OF_MEAN_TENSOR:
        shape[1] = r->job->meant ? r->c : 0;
        return 3;
    case OF_FAMILIES:
        shape[1] = r->families.width[column - FAMILIES];
        break;
    default:
        shape[1] = SW_FEM_MOST_RECORDED;
    }
    if (columns[column].of == OF_FIXED_UNKNOWNS || columns[column].of == OF_LOADS_UNKNOWNS ||
        columns[column].of == OF_TOOLS_UNKNOWNS)
        return 3;
    shape[2] = 1;
    return 2;
}

int64_t sw_fem_column_width(const sw_fem_results *r, sw_fem_column column)
{
    int64_t shape[3];
    shape_of(r, column, 1, shape);
    return shape[1] * shape[2];
}

/* Where a column of a row starts. */
double *sw_fem_row_value(const sw_fem_results *r, int64_t row, sw_fem_column column)
{
    double *at = r->row + row * r->row_size;
    for (int k = 0; k < (int)column; k++)
        at += sw_fem_column_width(r, (sw_fem_column)k);
    return at;
}

static void column_name(const sw_fem_results *r, sw_fem_column column, char *name, size_t size)
{
    const char *heat = columns[column].heat_name;
    snprintf(name, size, "history/%s", sw_fem_is_heat(r->job) && heat != NULL ? heat : columns[column].name);
}

/* ---- Files ---- */

static const char *const timing_names[SW_FEM_TIMINGS] = {"setup_time",   "tangent_time",      "linear_time",
                                                         "product_time", "precondition_time", "stress_time",
                                                         "other_time",   "wall_time"};

/* Of each number of a column the family's name, and of twins' variants the normal of its plane in the crystal, unit, three
 * numbers each. */
static sw_status name_families(const sw_fem_results *r, sw_fem_told_kind kind, hid_t set)
{
    const int width = r->families.width[kind];
    const size_t room = (size_t)width * 64;
    double *normal = NULL;
    char *names = NULL;
    size_t length = 0;
    int n = 0;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(names, room, "names of families"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(normal, 3 * width, "normals of twins"), end);
    for (int k = 0; k < r->families.n; k++) {
        const sw_fem_told *told = &r->families.told[k];
        sw_slip_systems systems;
        if (told->kind != kind)
            continue;
        SW_TRY_GOTO(status, sw_material_systems(told->material, &systems), end);
        for (int v = 0; v < told->values; v++, n++) {
            length +=
                (size_t)snprintf(names + length, room - length, "%s%.60s", n > 0 ? " " : "", told->family);
            memcpy(normal + 3 * n, systems.normal[told->first_system + v], 3 * sizeof *normal);
        }
    }
    status = sw_h5_write_text(set, "families", names);
    if (status == SW_OK && kind == SW_FEM_TWIN_VARIANTS)
        status = sw_h5_write_numbers(set, "normals", 3 * width, normal);
end:
    free(names);
    free(normal);
    return status;
}

static sw_status write_column(const sw_fem_results *r, hid_t file, sw_fem_column column)
{
    const int64_t width = sw_fem_column_width(r, column);
    int64_t shape[3];
    const int rank = shape_of(r, column, r->done, shape);
    char name[96];
    double *values;
    hid_t set;
    if (width == 0 || r->done == 0) /* no loads */
        return SW_OK;
    column_name(r, column, name, sizeof name);
    SW_TRY(SW_ALLOCATE(values, r->done * width, "results"));
    for (int64_t i = 0; i < r->done; i++)
        memcpy(values + i * width, sw_fem_row_value(r, i, column), (size_t)width * sizeof *values);
    sw_status status = sw_h5_create_set(file, name, H5T_NATIVE_DOUBLE, rank, shape, &set);
    if (status == SW_OK) {
        status = sw_h5_write_rows(set, H5T_NATIVE_DOUBLE, 0, r->done, values);
        if (status == SW_OK)
            status = sw_h5_write_text(set, "unit",
                                      sw_fem_is_heat(r->job) && columns[column].heat_unit != NULL
                                          ? columns[column].heat_unit
                                          : columns[column].unit);
        if (status == SW_OK && columns[column].of == OF_FAMILIES)
            status = name_families(r, (sw_fem_told_kind)(column - FAMILIES), set);
        const sw_status closed = sw_h5_close_set(set);
        status = status != SW_OK ? status : closed;
    }
    free(values);
    return status;
}

static sw_status read_column(sw_fem_results *r, hid_t file, sw_fem_column column)
{
    const int64_t width = sw_fem_column_width(r, column);
    int64_t shape[3];
    const int rank = shape_of(r, column, r->done, shape);
    char name[96];
    double *values;
    if (width == 0)
        return SW_OK;
    column_name(r, column, name, sizeof name);
    if (column == TIME && !sw_h5_exists(file, name)) { /* not in first files */
        for (int64_t i = 0; i < r->done; i++)
            *sw_fem_row_value(r, i, TIME) = r->job->end[i];
        return SW_OK;
    }
    if (columns[column].of == OF_FAMILIES && !sw_h5_exists(file, name)) { /* nor these */
        for (int64_t i = 0; i < r->done * width; i++)
            sw_fem_row_value(r, i / width, column)[i % width] = NAN;
        return SW_OK;
    }
    SW_TRY(SW_ALLOCATE(values, r->done * width, "results"));
    const sw_status status = sw_h5_read(file, name, H5T_NATIVE_DOUBLE, rank, shape, values);
    for (int64_t i = 0; i < r->done && status == SW_OK; i++)
        memcpy(sw_fem_row_value(r, i, column), values + i * width, (size_t)width * sizeof *values);
    free(values);
    return status;
}

/* Labels of entries, one after the other, ", " between. */
static sw_status write_labels(hid_t group, const char *name, int count, const sw_fem_entry *entry)
{
    enum { MOST = 32768 };
    char *text;
    size_t length = 0;
    SW_TRY(SW_ALLOCATE(text, MOST, "results"));
    for (int i = 0; i < count && length < MOST - 128; i++)
        length += (size_t)snprintf(text + length, MOST - length, "%s%s", i > 0 ? ", " : "", entry[i].label);
    const sw_status status = sw_h5_write_text(group, name, text);
    free(text);
    return status;
}

/* /run/material_N/ageing of material N, from 0, where precipitates say its slip resistance. */
static sw_status write_ageing(const sw_fem_results *r, hid_t where)
{
    const sw_fem_job *job = r->job;
    for (int i = 0; i < job->materials_count; i++) {
        const sw_kwn_state *state = &job->materials[i].crystals.ageing;
        char name[32];
        hid_t group;
        if (state->file == NULL)
            continue;
        snprintf(name, sizeof name, "material_%d", i);
        SW_TRY(sw_h5_group(where, name, &group));
        const sw_polycrystal *made = &job->crystals[i].made;
        const sw_status status = sw_kwn_write_ageing(group, state, &made->ageing, &made->material);
        H5Gclose(group);
        SW_TRY(status);
    }
    return SW_OK;
}

static sw_status write_run(const sw_fem_results *r, hid_t group)
{
    const sw_fem_job *job = r->job;
    const sw_fem_options *o = &job->options;
    const struct {
        const char *name, *text;
    } texts[] = {
        {"job", sw_job_text(job->source)},
        {"program", "slipwave " SW_VERSION},
        {"device", r->device},
        {"kinematics", sw_fem_kinematics_names[job->problem.kinematics]},
        {"b_bar", sw_fem_has_b_bar(&job->problem) ? "yes" : "no"},
        {"strain", sw_fem_strain_names[job->problem.strain]},
        {"operator", sw_fem_operator_names[o->operator_]},
        {"storage", sw_fem_storage_names[o->storage]},
        {"staging", sw_fem_staging_names[o->staging]},
        {"scatter", sw_fem_scatter_names[o->scatter]},
        {"preconditioner",
         r->preconditioner ? r->preconditioner : sw_fem_preconditioner_names[o->preconditioner]},
        {"linear", r->linear ? r->linear : sw_fem_linear_names[o->linear]},
        {"forcing", sw_fem_forcing_names[o->forcing]},
        {"problem", sw_fem_job_identity(job)},
    };
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"nodes", (double)job->mesh->n_nodes},
        {"elements", (double)job->mesh->n_elements},
        {"unknowns", (double)sw_fem_unknowns_in(r)},
        {"tolerance", o->tolerance},
        {"linear_tolerance", o->linear_tolerance},
        {"increments", (double)r->done},
        {"most_bytes", r->most_bytes},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        SW_TRY(sw_h5_write_text(group, texts[i].name, texts[i].text));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        SW_TRY(sw_h5_write_numbers(group, numbers[i].name, 1, &numbers[i].value));
    for (int i = 0; i < SW_FEM_TIMINGS; i++) {
        const double seconds = r->before[i] + r->seconds[i];
        SW_TRY(sw_h5_write_numbers(group, timing_names[i], 1, &seconds));
    }
    if (job->upsetting.rate_law != SW_FEM_BY_none)
        SW_TRY(sw_h5_write_text(group, "rate_law", sw_fem_way_names[job->upsetting.rate_law]));
    SW_TRY(sw_identity_write(group, &job->crystals_identity));
    SW_TRY(write_ageing(r, group));
    SW_TRY(write_labels(group, "boundary", job->boundary_count, job->fixed));
    SW_TRY(write_labels(group, "loads", job->loads_count, job->loaded));
    return job->tools_count == 0 ? SW_OK : write_labels(group, "tools", job->tools_count, job->tooled);
}

enum {
    CRYSTAL = sizeof(sw_crystal) / sizeof(float),
    CRYSTAL_POINT = sizeof(sw_fem_crystal_point) / sizeof(double)
};

/* Crystals of all points, what their solver keeps of them (where it does), and what points have come to. */
static sw_status write_crystals(const sw_fem_results *r, hid_t file)
{
    const sw_fem_crystal_count n = sw_fem_crystal_counts(&r->job->problem);
    if (n.points == 0)
        return SW_OK;
    SW_TRY(sw_h5_write(file, "restart/crystals", H5T_NATIVE_FLOAT, 2, (int64_t[]){n.crystals, CRYSTAL},
                       r->state.crystal));
    if (n.kept > 0)
        SW_TRY(sw_h5_write(file, "restart/crystals_kept", H5T_NATIVE_DOUBLE, 1, &n.kept, r->state.kept));
    return sw_h5_write(file, "restart/crystal_points", H5T_NATIVE_DOUBLE, 2,
                       (int64_t[]){n.points, CRYSTAL_POINT}, r->state.crystal_points);
}

static sw_status write_state(const sw_fem_results *r, hid_t file)
{
    const int64_t one = 1, three = 3, n = sw_fem_unknowns_in(r), points = sw_fem_points_in(r),
                  cases = r->job->problem.n_cases;
    const sw_fem_state *s = &r->state;
    SW_TRY(sw_h5_write(file, "restart/displacement", H5T_NATIVE_DOUBLE, 1, &n, s->displacement));
    SW_TRY(sw_h5_write(file, "restart/points", H5T_NATIVE_DOUBLE, 2, (int64_t[]){points, SW_FEM_POINT_SIZE},
                       s->points));
    SW_TRY(sw_h5_write(file, "restart/yielded", H5T_NATIVE_UINT8, 1, &points, s->yielded));
    SW_TRY(sw_h5_write(file, "restart/external_work", H5T_NATIVE_DOUBLE, 1, &one, &s->work));
    SW_TRY(sw_h5_write(file, "restart/largest_force", H5T_NATIVE_DOUBLE, 1, &one, &s->largest));
    SW_TRY(sw_h5_write(file, "restart/work_rates", H5T_NATIVE_DOUBLE, 1, &three, s->rates));
    if (r->job->problem.strain == SW_FEM_FINITE) {
        SW_TRY(sw_h5_write(file, "restart/last_displacement", H5T_NATIVE_DOUBLE, 1, &n, s->last));
        SW_TRY(sw_h5_write(file, "restart/last_factors", H5T_NATIVE_DOUBLE, 1, &cases, s->last_factor));
    }
    if (r->n_contact > 0)
        SW_TRY(sw_h5_write(file, "restart/contact", H5T_NATIVE_DOUBLE, 2,
                           (int64_t[]){r->n_contact, SW_FEM_CONTACT_SIZE}, s->contact));
    SW_TRY(write_crystals(r, file));
    return sw_h5_write(file, "restart/next_increment", H5T_NATIVE_DOUBLE, 1, &one, &r->increment);
}

static sw_status write_all(const sw_fem_results *r, hid_t file, int with_state)
{
    const double version = 1;
    hid_t group;
    SW_TRY(sw_h5_write_text(file, "format", "slipwave-fem"));
    SW_TRY(sw_h5_write_numbers(file, "version", 1, &version));
    SW_TRY(sw_h5_group(file, "run", &group));
    const sw_status status = write_run(r, group);
    H5Gclose(group);
    SW_TRY(status);
    for (int k = 0; k < COLUMNS; k++)
        SW_TRY(write_column(r, file, (sw_fem_column)k));
    return with_state ? write_state(r, file) : SW_OK;
}

sw_status sw_fem_results_write(const sw_fem_results *r, const char *path, int with_state)
{
    sw_h5_output output;
    SW_TRY(sw_h5_begin(path, &output));
    return sw_h5_end(&output, write_all(r, output.file, with_state));
}

/* ---- Going on ---- */

static sw_status check_origin(sw_fem_results *r, hid_t run, const char *path)
{
    double done;
    SW_TRY(sw_identity_check(run, path, &r->job->crystals_identity));
    if (!sw_h5_has_text(run, "problem", sw_fem_job_identity(r->job)))
        return sw_error(SW_ERR_FORMAT, "%s: belongs to another mesh, materials, boundary, loads or tools",
                        path);
    SW_TRY(sw_h5_read_numbers(run, "increments", 1, &done));
    if (!(done >= 1 && done <= (double)r->job->n_increments))
        return sw_error(SW_ERR_FORMAT, "%s: has %g increments: the job has %lld", path, done,
                        (long long)r->job->n_increments);
    r->done = (int64_t)done;
    for (int i = 0; i < SW_FEM_TIMINGS; i++)
        SW_TRY(sw_h5_read_numbers(run, timing_names[i], 1, &r->before[i]));
    return sw_h5_read_numbers(run, "most_bytes", 1, &r->most_bytes);
}

/* Increments done must be the job's own. */
static sw_status check_factors(const sw_fem_results *r, const char *path)
{
    for (int64_t i = 0; i < r->done; i++) {
        int same = 1;
        for (int b = 0; b < r->job->boundary_count; b++)
            same &= sw_fem_row_value(r, i, BOUNDARY_FACTOR)[b] == r->job->fixed[b].factor[i];
        for (int m = 0; m < r->job->loads_count; m++)
            same &= sw_fem_row_value(r, i, LOAD_FACTOR)[m] == r->job->loaded[m].factor[i];
        for (int t = 0; t < r->job->tools_count; t++)
            same &= sw_fem_row_value(r, i, TOOL_FACTOR)[t] == r->job->tooled[t].factor[i];
        for (int k = 0; k < SW_FEM_MEANT && r->job->meant; k++)
            same &= sw_fem_row_value(r, i, MEAN_FACTOR)[k] == r->job->meant[k].factor[i];
        if (!same)
            return sw_error(SW_ERR_FORMAT, "%s: increment %lld has other factors than the job's", path,
                            (long long)i + 1);
        if (*sw_fem_row_value(r, i, TIME) != r->job->end[i])
            return sw_error(SW_ERR_FORMAT, "%s: increment %lld ends at another time than the job's", path,
                            (long long)i + 1);
    }
    return SW_OK;
}

/* Numbers of restart/`name`: `column` of rows of `width`, from `least` on, and finite. */
static sw_status check_values(const char *path, const char *name, const double *value, int64_t n, int width,
                              int column, double least)
{
    for (int64_t i = 0; i < n; i++) {
        const double v = value[i * width + column];
        if (!isfinite(v) || v < least)
            return sw_error(SW_ERR_FORMAT, "%s: restart/%s: number %lld is %g: need %s", path, name,
                            (long long)(i * width + column) + 1, v,
                            least == 0 ? "a finite one from 0 on" : "a finite one");
    }
    return SW_OK;
}

static sw_status check_contact(const sw_fem_results *r, const char *path)
{
    static const size_t lengths[] = {offsetof(sw_fem_contact_point, slip),
                                     offsetof(sw_fem_contact_point, held),
                                     offsetof(sw_fem_contact_point, touches)};
    const double *value = (const double *)r->state.contact;
    SW_TRY(check_values(path, "contact", value, r->n_contact * SW_FEM_CONTACT_SIZE, 1, 0, -INFINITY));
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        SW_TRY(check_values(path, "contact", value, r->n_contact, SW_FEM_CONTACT_SIZE,
                            (int)(lengths[i] / sizeof *value), 0));
    return SW_OK;
}

static sw_status check_state(const sw_fem_results *r, const char *path)
{
    const int64_t points = sw_fem_points_in(r);
    const sw_fem_state *s = &r->state;
    SW_TRY(check_values(path, "displacement", s->displacement, sw_fem_unknowns_in(r), 1, 0, -INFINITY));
    const int equivalent = offsetof(sw_fem_point, equivalent) / sizeof(double);
    for (int i = 0; i < SW_FEM_POINT_SIZE; i++)
        SW_TRY(check_values(path, "points", (const double *)s->points, points, SW_FEM_POINT_SIZE, i,
                            i == equivalent ? 0 : -INFINITY));
    SW_TRY(check_values(path, "external_work", &s->work, 1, 1, 0, -INFINITY));
    SW_TRY(check_values(path, "largest_force", &s->largest, 1, 1, 0, 0));
    SW_TRY(check_values(path, "work_rates", s->rates, 3, 1, 0, -INFINITY));
    SW_TRY(check_values(path, "last_displacement", s->last, sw_fem_unknowns_in(r), 1, 0, -INFINITY));
    SW_TRY(check_values(path, "last_factors", s->last_factor, r->job->problem.n_cases, 1, 0, -INFINITY));
    SW_TRY(check_contact(r, path));
    if (!(r->increment > 0 && r->increment <= 1))
        return sw_error(SW_ERR_FORMAT, "%s: restart/next_increment is %g: need more than 0, at most 1", path,
                        r->increment);
    return SW_OK;
}

static sw_status read_crystals(const sw_fem_results *r, hid_t file, const char *path)
{
    const sw_fem_crystal_count n = sw_fem_crystal_counts(&r->job->problem);
    if (n.points == 0)
        return SW_OK;
    SW_TRY(sw_h5_read(file, "restart/crystals", H5T_NATIVE_FLOAT, 2, (int64_t[]){n.crystals, CRYSTAL},
                      r->state.crystal));
    if (n.kept > 0)
        SW_TRY(sw_h5_read(file, "restart/crystals_kept", H5T_NATIVE_DOUBLE, 1, &n.kept, r->state.kept));
    SW_TRY(sw_h5_read(file, "restart/crystal_points", H5T_NATIVE_DOUBLE, 2,
                      (int64_t[]){n.points, CRYSTAL_POINT}, r->state.crystal_points));
    for (int64_t i = 0; i < n.crystals; i++) {
        const sw_crystal *c = &r->state.crystal[i];
        if (!isfinite(c->euler[0] + c->euler[1] + c->euler[2]) || !(c->slip_resistance > 0) ||
            !isfinite(c->slip_resistance))
            return sw_error(SW_ERR_FORMAT, "%s: restart/crystals: row %lld: need finite angles and s > 0",
                            path, (long long)i + 1);
    }
    SW_TRY(check_values(path, "crystals_kept", r->state.kept, n.kept, 1, 0, -INFINITY));
    return check_values(path, "crystal_points", (const double *)r->state.crystal_points,
                        n.points * CRYSTAL_POINT, 1, 0, -INFINITY);
}

static sw_status read_state(sw_fem_results *r, hid_t file, const char *path)
{
    const int64_t one = 1, three = 3, n = sw_fem_unknowns_in(r), points = sw_fem_points_in(r),
                  cases = r->job->problem.n_cases;
    sw_fem_state *s = &r->state;
    SW_TRY(sw_h5_read(file, "restart/displacement", H5T_NATIVE_DOUBLE, 1, &n, s->displacement));
    SW_TRY(sw_h5_read(file, "restart/points", H5T_NATIVE_DOUBLE, 2, (int64_t[]){points, SW_FEM_POINT_SIZE},
                      s->points));
    SW_TRY(sw_h5_read(file, "restart/yielded", H5T_NATIVE_UINT8, 1, &points, s->yielded));
    SW_TRY(sw_h5_read(file, "restart/external_work", H5T_NATIVE_DOUBLE, 1, &one, &s->work));
    SW_TRY(sw_h5_read(file, "restart/largest_force", H5T_NATIVE_DOUBLE, 1, &one, &s->largest));
    if (sw_h5_exists(file, "restart/work_rates")) /* not in first files */
        SW_TRY(sw_h5_read(file, "restart/work_rates", H5T_NATIVE_DOUBLE, 1, &three, s->rates));
    SW_TRY(sw_h5_read(file, "restart/next_increment", H5T_NATIVE_DOUBLE, 1, &one, &r->increment));
    if (r->job->problem.strain == SW_FEM_FINITE &&
        sw_h5_exists(file, "restart/last_factors")) { /* not in first files */
        SW_TRY(sw_h5_read(file, "restart/last_displacement", H5T_NATIVE_DOUBLE, 1, &n, s->last));
        SW_TRY(sw_h5_read(file, "restart/last_factors", H5T_NATIVE_DOUBLE, 1, &cases, s->last_factor));
    }
    if (r->n_contact > 0)
        SW_TRY(sw_h5_read(file, "restart/contact", H5T_NATIVE_DOUBLE, 2,
                          (int64_t[]){r->n_contact, SW_FEM_CONTACT_SIZE}, s->contact));
    SW_TRY(read_crystals(r, file, path));
    SW_TRY(check_state(r, path));
    memcpy(s->factor, r->job->factor + (r->done - 1) * r->job->problem.n_cases,
           (size_t)r->job->problem.n_cases * sizeof *s->factor);
    return SW_OK;
}

static sw_status check_format(hid_t file, const char *path)
{
    char *format;
    double version;
    const sw_status status = sw_h5_read_text(file, "format", &format);
    const int ours = status == SW_OK && strcmp(format, "slipwave-fem") == 0;
    if (status == SW_OK)
        free(format);
    if (!ours || !sw_h5_exists(file, "run") || !sw_h5_exists(file, "restart"))
        return sw_error(SW_ERR_FORMAT, "%s: not a restart file of `slipwave fem`", path);
    SW_TRY(sw_h5_read_numbers(file, "version", 1, &version));
    if (version != 1)
        return sw_error(SW_ERR_FORMAT, "%s: version %g: this program reads version 1", path, version);
    return SW_OK;
}

sw_status sw_fem_results_read(sw_fem_results *r, hid_t file, const char *path)
{
    SW_TRY(check_format(file, path));
    hid_t run = H5Gopen2(file, "run", H5P_DEFAULT);
    sw_status status = check_origin(r, run, path);
    H5Gclose(run);
    SW_TRY(status);
    for (int k = 0; k < COLUMNS; k++)
        SW_TRY(read_column(r, file, (sw_fem_column)k));
    SW_TRY(check_factors(r, path));
    SW_TRY(read_state(r, file, path));
    r->state_of = r->done;
    return SW_OK;
}
