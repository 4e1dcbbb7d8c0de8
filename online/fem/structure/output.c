/* Results of a structure.
 *
 *     FILE.h5            /run; /history, a row an increment; /nodes; /prints/K, what the deck asks to be printed; /fields/K
 *     FILE-0001.vtkhdf   fields K = 1 for ParaView; FILE.vtkhdf.series plays them
 *
 * FILE.h5 is open under a temporary name from the start to the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/files/vtkhdf.h"
#include "common/system/progress.h"
#include "fields.h"

enum {
    SW_STRUCTURE_BEFORE_ENERGIES = 3,
    SW_STRUCTURE_ROWS = SW_STRUCTURE_BEFORE_ENERGIES + SW_STRUCTURE_ENERGIES
};

struct sw_structure_results {
    sw_h5_output file;
    sw_claim claim;
    double begun;
    int n_fields, n_tables;            /* that are in the file */
    sw_numbers row[SW_STRUCTURE_ROWS]; /* of /history, a number an increment */
    sw_numbers field_time;
    sw_structure_tables tables; /* of the step at hand */
};

/* ---- Fields ---- */

static sw_status write_cells(const sw_structure_problem *p, hid_t group)
{
    const int64_t E = p->n_elements, ends = E + 1;
    int64_t *number = NULL, *offset = NULL, n = 0;
    uint8_t *type = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(number, p->n_members, "cells of a VTKHDF file"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(offset, ends, "cells of a VTKHDF file"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(type, E, "cells of a VTKHDF file"), end);
    for (int64_t e = 0; e < E; e++) {
        const sw_topology *topology = p->element[e].formulation->topology;
        offset[e] = n;
        type[e] = (uint8_t)topology->vtk;
        for (int a = 0; a < topology->n_nodes; a++)
            number[n++] = p->node[p->element[e].first + a];
    }
    offset[E] = n;
    SW_TRY_GOTO(status, sw_vtkhdf_write_counts(group, p->n_nodes, E, n), end);
    SW_TRY_GOTO(status, sw_h5_write(group, "Connectivity", H5T_NATIVE_INT64, 1, &n, number), end);
    SW_TRY_GOTO(status, sw_h5_write(group, "Offsets", H5T_NATIVE_INT64, 1, &ends, offset), end);
    SW_TRY_GOTO(status, sw_h5_write(group, "Types", H5T_NATIVE_UINT8, 1, &E, type), end);
    status = sw_h5_write(group, "Points", H5T_NATIVE_DOUBLE, 2, (int64_t[]){p->n_nodes, 3}, p->position);
end:
    free(number);
    free(offset);
    free(type);
    return status;
}

/* From 11 22 33 23 13 12 to VTK's 11 22 33 12 23 13. */
static void order_as_vtk(int64_t n, double (*tensor)[6])
{
    for (int64_t i = 0; i < n; i++) {
        const double shear[3] = {tensor[i][5], tensor[i][3], tensor[i][4]};
        memcpy(tensor[i] + 3, shear, sizeof shear);
    }
}

/* Of surfaces that touch, at their slaves' nodes; 0 elsewhere. */
static sw_status write_contacts(const sw_structure *s, hid_t where)
{
    static const char *const names[SW_SURFACE_FIELDS] = {[SW_SURFACE_PRESSURE] = "contact_pressure",
                                                         [SW_SURFACE_SHEAR] = "contact_shear",
                                                         [SW_SURFACE_GAP] = "contact_gap",
                                                         [SW_SURFACE_SLIP] = "contact_slip"};
    const int64_t N = s->problem->n_nodes;
    double(*field)[SW_SURFACE_FIELDS] = NULL, *one = NULL;
    uint8_t *set = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(field, N, "nodes of surfaces"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(one, N, "nodes of surfaces"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(set, N, "nodes of surfaces"), end);
    SW_TRY_GOTO(status, sw_structure_contact_fields(s, field, set), end);
    for (int k = 0; k < SW_SURFACE_FIELDS && status == SW_OK; k++) {
        for (int64_t n = 0; n < N; n++)
            one[n] = field[n][k];
        status = sw_h5_write(where, names[k], H5T_NATIVE_DOUBLE, 1, &N, one);
    }
end:
    free(field);
    free(one);
    free(set);
    return status;
}

/* Of user materials, whose fields have been made. */
static sw_status write_states(const sw_structure *s, hid_t where)
{
    const int64_t N = s->problem->n_nodes;
    const int n = sw_structure_state_variables(s->problem);
    double *value = NULL;
    sw_status status;
    if (n == 0)
        return SW_OK;
    SW_TRY_GOTO(status, SW_ALLOCATE(value, N * n, "state variables"), end);
    SW_TRY_GOTO(status, sw_structure_recover_states(s, n, value), end);
    status = sw_h5_write(where, "state_variables", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, n}, value);
end:
    free(value);
    return status;
}

/* Fields of nodes under `where`: of a group of FILE.h5, or PointData. */
static sw_status write_fields(const sw_structure *s, const sw_structure_nodal *nodal, hid_t where,
                              const double *reaction)
{
    const int64_t N = s->problem->n_nodes;
    SW_TRY(sw_h5_write(where, "displacement", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, 3}, s->trial));
    SW_TRY(sw_h5_write(where, "reaction", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, 3}, reaction));
    SW_TRY(sw_h5_write(where, "temperature", H5T_NATIVE_DOUBLE, 1, &N, s->moment.temperature));
    SW_TRY(sw_h5_write(where, "stress", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, 6}, nodal->stress));
    SW_TRY(sw_h5_write(where, "strain", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, 6}, nodal->strain));
    if (s->contacts != NULL)
        SW_TRY(write_contacts(s, where));
    SW_TRY(write_states(s, where));
    SW_TRY(sw_h5_write(where, "plastic_strain", H5T_NATIVE_DOUBLE, 1, &N, nodal->plastic));
    SW_TRY(
        sw_h5_write(where, "plastic_strain_tensor", H5T_NATIVE_DOUBLE, 2, (int64_t[]){N, 6}, nodal->flowed));
    return sw_h5_write(where, "energy_density", H5T_NATIVE_DOUBLE, 1, &N, nodal->energy);
}

static char *field_name(const sw_structure *s, int number)
{
    return sw_file_name("%.*s-%04d.vtkhdf", sw_stem_length(s->options.output), s->options.output, number);
}

static sw_status write_series(const sw_structure *s)
{
    const sw_numbers *time = &s->results->field_time;
    sw_vtkhdf_series series;
    sw_status status;
    char *path = sw_file_name("%.*s.vtkhdf.series", sw_stem_length(s->options.output), s->options.output);
    if (path == NULL)
        return SW_ERR_MEMORY;
    SW_TRY_GOTO(status, sw_vtkhdf_series_begin(path, &series), end);
    for (int64_t k = 0; k < time->n && status == SW_OK; k++)
        status = sw_vtkhdf_series_add(&series, field_name(s, (int)k + 1), time->value[k]);
    status = sw_vtkhdf_series_end(&series, status);
end:
    free(path);
    return status;
}

static sw_status write_vtkhdf(const sw_structure *s, const sw_structure_nodal *nodal, const double *reaction)
{
    char *path = field_name(s, s->results->n_fields);
    sw_h5_output output;
    hid_t group, data;
    if (path == NULL)
        return SW_ERR_MEMORY;
    sw_status status = sw_vtkhdf_begin(path, &output, &group);
    free(path);
    SW_TRY(status);
    status = write_cells(s->problem, group);
    if (status == SW_OK)
        status = sw_h5_group(group, "PointData", &data);
    if (status == SW_OK) {
        status = write_fields(s, nodal, data, reaction);
        H5Gclose(data);
    }
    return sw_vtkhdf_end(&output, group, status);
}

static sw_status write_group(const sw_structure *s, const sw_structure_nodal *nodal, const double *reaction)
{
    char name[32];
    hid_t group;
    snprintf(name, sizeof name, "fields/%04d", s->results->n_fields);
    SW_TRY(sw_h5_group(s->results->file.file, name, &group));
    sw_status status = write_fields(s, nodal, group, reaction);
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "time", 1, &s->moment.total_time);
    H5Gclose(group);
    return status;
}

static sw_status add_fields(sw_structure *s)
{
    sw_structure_nodal nodal = {0};
    double *reaction = NULL;
    sw_status status;
    s->results->n_fields++;
    SW_TRY_GOTO(status, sw_structure_nodal_make(s, NULL, &nodal), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(reaction, s->ties.n_unknowns, "reactions"), end);
    sw_structure_reactions(s, reaction);
    SW_TRY_GOTO(status, write_group(s, &nodal, reaction), end);
    order_as_vtk(s->problem->n_nodes, nodal.stress);
    order_as_vtk(s->problem->n_nodes, nodal.strain);
    order_as_vtk(s->problem->n_nodes, nodal.flowed);
    SW_TRY_GOTO(status, write_vtkhdf(s, &nodal, reaction), end);
    SW_TRY_GOTO(status, sw_numbers_append(&s->results->field_time, 1, &s->moment.total_time), end);
    status = write_series(s);
end:
    free(reaction);
    sw_structure_nodal_free(&nodal);
    return status;
}

/* ---- The file ---- */

sw_status sw_structure_results_open(sw_structure *s)
{
    SW_TRY(SW_ALLOCATE(s->results, 1, "results"));
    s->results->begun = sw_seconds();
    SW_TRY(sw_h5_claim(s->options.output, &s->results->claim));
    return sw_h5_begin(s->options.output, &s->results->file);
}

sw_status sw_structure_results_add(sw_structure *s, int step, int iterations, int last)
{
    struct sw_structure_results *r = s->results;
    double row[SW_STRUCTURE_ROWS] = {s->moment.total_time, step + 1, iterations};
    if (r->tables.of != s->step) {
        SW_TRY(sw_structure_tables_write(&r->tables, r->file.file, &r->n_tables));
        SW_TRY(sw_structure_tables_begin(s->step, &r->tables));
    }
    memcpy(row + SW_STRUCTURE_BEFORE_ENERGIES, s->energy, sizeof s->energy);
    for (int k = 0; k < SW_STRUCTURE_ROWS; k++)
        SW_TRY(sw_numbers_append(&r->row[k], 1, &row[k]));
    SW_TRY(sw_structure_tables_add(s, last, &r->tables));
    return last || (s->step->every > 0 && s->increment % s->step->every == 0) ? add_fields(s) : SW_OK;
}

static const char *row_name(int k)
{
    static const char *const names[SW_STRUCTURE_BEFORE_ENERGIES] = {"time", "step", "newton"};
    return k < SW_STRUCTURE_BEFORE_ENERGIES ? names[k]
                                            : sw_structure_energy_names[k - SW_STRUCTURE_BEFORE_ENERGIES];
}

static sw_status write_run(const sw_structure *s, hid_t file)
{
    hid_t group;
    SW_TRY(sw_h5_group(file, "run", &group));
    sw_status status = sw_h5_write_text(group, "program_version", SW_VERSION);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "deck", s->problem->path);
    if (status == SW_OK)
        status = sw_h5_write_text(group, "dialect", s->options.title != NULL ? s->options.title : "");
    if (status == SW_OK)
        status = sw_h5_write_numbers(group, "wall_time", 1, (double[]){sw_seconds() - s->results->begun});
    H5Gclose(group);
    return status;
}

static sw_status write_rows(const struct sw_structure_results *r, hid_t file)
{
    for (int k = 0; k < SW_STRUCTURE_ROWS; k++) {
        char name[64];
        snprintf(name, sizeof name, "history/%s", row_name(k));
        SW_TRY(sw_h5_write(file, name, H5T_NATIVE_DOUBLE, 1, &r->row[k].n, r->row[k].value));
    }
    return SW_OK;
}

/* Labels of nodes that others were made of. */
static sw_status write_origins(const sw_structure_problem *p, hid_t file)
{
    int64_t *label;
    if (p->made_of == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(label, p->n_nodes, "labels of nodes"));
    for (int64_t n = 0; n < p->n_nodes; n++)
        label[n] = p->made_of[n] >= 0 ? p->node_label[p->made_of[n]] : 0;
    const sw_status status = sw_h5_write(file, "nodes/made_of", H5T_NATIVE_INT64, 1, &p->n_nodes, label);
    free(label);
    return status;
}

sw_status sw_structure_results_write(sw_structure *s)
{
    const struct sw_structure_results *r = s->results;
    const sw_structure_problem *p = s->problem;
    const hid_t file = r->file.file;
    SW_TRY(sw_structure_tables_write(&s->results->tables, file, &s->results->n_tables));
    SW_TRY(write_rows(r, file));
    SW_TRY(sw_h5_write(file, "nodes/label", H5T_NATIVE_INT64, 1, &p->n_nodes, p->node_label));
    SW_TRY(write_origins(p, file));
    SW_TRY(
        sw_h5_write(file, "nodes/position", H5T_NATIVE_DOUBLE, 2, (int64_t[]){p->n_nodes, 3}, p->position));
    SW_TRY(write_run(s, file));
    return sw_h5_commit(&s->results->file);
}

/* ---- What is kept of a run ---- */

enum { COUNTS = 4 }; /* fields, tables that are in the file, the step whose tables are not, seconds */
static const char *const whole[] = {"fields", "prints"}; /* groups that are as they will be */

sw_status sw_structure_results_keep(sw_structure *s, hid_t file)
{
    const struct sw_structure_results *r = s->results;
    const double of = r->tables.of != NULL ? (double)(r->tables.of - s->problem->step) : -1;
    const double number[COUNTS] = {r->n_fields, r->n_tables, of, sw_seconds() - r->begun};
    hid_t group;
    SW_TRY(sw_h5_group(file, "results", &group));
    sw_status status = sw_h5_write_numbers(group, "counts", COUNTS, number);
    if (status == SW_OK)
        status = sw_numbers_keep(&r->field_time, group, "field_time");
    if (status == SW_OK)
        status = sw_structure_tables_keep(&r->tables, group);
    H5Gclose(group);
    SW_TRY(status);
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        SW_TRY(sw_h5_copy(r->file.file, whole[k], file));
    return write_rows(r, file);
}

static sw_status restore_lists(sw_structure *s, hid_t group)
{
    struct sw_structure_results *r = s->results;
    double number[COUNTS];
    SW_TRY(sw_h5_read_numbers(group, "counts", COUNTS, number));
    if (!(number[0] >= 0 && number[0] < 1e9 && number[1] >= 0 && number[1] < 1e9 && number[2] >= -1 &&
          number[2] < s->problem->n_steps))
        return sw_error(SW_ERR_FORMAT, "%s: results/counts: %g, %g, %g are none of this deck's",
                        s->keeper.path, number[0], number[1], number[2]);
    r->n_fields = (int)number[0];
    r->n_tables = (int)number[1];
    r->begun -= number[3];
    SW_TRY(sw_numbers_restore(&r->field_time, group, "field_time"));
    if (number[2] < 0)
        return SW_OK;
    SW_TRY(sw_structure_tables_begin(&s->problem->step[(int)number[2]], &r->tables));
    return sw_structure_tables_restore(&r->tables, group);
}

sw_status sw_structure_results_restore(sw_structure *s, hid_t file)
{
    struct sw_structure_results *r = s->results;
    const hid_t group = H5Gopen2(file, "results", H5P_DEFAULT);
    if (group < 0)
        return sw_error(SW_ERR_FORMAT, "%s: has no results", s->keeper.path);
    const sw_status status = restore_lists(s, group);
    H5Gclose(group);
    SW_TRY(status);
    for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
        SW_TRY(sw_h5_copy(file, whole[k], r->file.file));
    for (int k = 0; k < SW_STRUCTURE_ROWS; k++) {
        char name[64];
        snprintf(name, sizeof name, "history/%s", row_name(k));
        SW_TRY(sw_numbers_restore(&r->row[k], file, name));
    }
    return SW_OK;
}

void sw_structure_results_close(sw_structure *s)
{
    struct sw_structure_results *r = s->results;
    if (r == NULL)
        return;
    sw_structure_tables_drop(&r->tables);
    sw_numbers_drop(&r->field_time);
    for (int k = 0; k < SW_STRUCTURE_ROWS; k++)
        sw_numbers_drop(&r->row[k]);
    sw_h5_abandon(&r->file);
    sw_claim_release(&r->claim);
    free(r);
    s->results = NULL;
}
