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

/* A list of numbers that grows. */
typedef struct {
    int64_t n, capacity;
    double *value;
} numbers;

struct sw_structure_results {
    sw_h5_output file;
    sw_claim claim;
    double begun;
    int n_fields, n_tables;
    numbers time, step, iterations; /* a row an increment */
    numbers field_time;
    numbers *print, *print_time; /* [prints of the step] */
    const sw_structure_step *of; /* whose prints these are */
};

static sw_status append(numbers *list, int64_t n, const double *value)
{
    if (list->n + n > list->capacity) {
        const int64_t more = 2 * (list->n + n);
        SW_TRY(SW_GROW(list->value, more, "results"));
        list->capacity = more;
    }
    memcpy(list->value + list->n, value, (size_t)n * sizeof *value);
    list->n += n;
    return SW_OK;
}

static void drop(numbers *list)
{
    free(list->value);
    *list = (numbers){0};
}

/* ---- What a deck prints ---- */

static const struct {
    const char *name;
    int of_nodes, components; /* of a row, without its labels */
} quantities[SW_STRUCTURE_QUANTITIES] = {
    [SW_STRUCTURE_U] = {"U", 1, 3},       [SW_STRUCTURE_RF] = {"RF", 1, 3},
    [SW_STRUCTURE_NT] = {"NT", 1, 1},     [SW_STRUCTURE_S] = {"S", 0, 6},
    [SW_STRUCTURE_E] = {"E", 0, 6},       [SW_STRUCTURE_PEEQ] = {"PEEQ", 0, 1},
    [SW_STRUCTURE_EVOL] = {"EVOL", 0, 1}, [SW_STRUCTURE_COORD] = {"COORD", 0, 3}};

/* Rows of nodes: label, then numbers. */
static sw_status print_nodes(const sw_structure *s, const sw_structure_print *print, const double *reaction,
                             numbers *to)
{
    double total[3] = {0};
    for (int64_t i = 0; i < print->n; i++) {
        const int64_t n = print->member[i];
        double row[4] = {(double)s->problem->node_label[n]};
        for (int k = 0; k < 3; k++) {
            row[1 + k] = print->what == SW_STRUCTURE_RF ? reaction[3 * n + k]
                         : print->what == SW_STRUCTURE_COORD
                             ? s->problem->position[n][k] + s->trial[3 * n + k]
                         : print->what == SW_STRUCTURE_NT ? s->moment.temperature[n]
                                                          : s->trial[3 * n + k];
            total[k] += row[1 + k];
        }
        if (print->totals < 2)
            SW_TRY(append(to, 1 + (print->what == SW_STRUCTURE_NT ? 1 : 3), row));
    }
    const double sum[4] = {0, total[0], total[1], total[2]}; /* label 0: the sum */
    return print->totals > 0 ? append(to, 1 + (print->what == SW_STRUCTURE_NT ? 1 : 3), sum) : SW_OK;
}

static const double *of_point(const sw_structure_print *print, const sw_structure_points *points, int q)
{
    switch ((sw_structure_quantity)print->what) {
    case SW_STRUCTURE_S:
        return points->stress[q];
    case SW_STRUCTURE_E:
        return points->strain[q];
    case SW_STRUCTURE_COORD:
        return points->at[q];
    default:
        return &points->plastic[q];
    }
}

static int is_of_nodes(const sw_structure_print *print)
{
    return quantities[print->what].of_nodes || print->of_nodes;
}

static int width_of(const sw_structure_print *print)
{
    return (is_of_nodes(print) ? 1 : 2) + quantities[print->what].components;
}

/* Rows of an element: its label, point from 1, then numbers; EVOL one row, point 0. */
static sw_status print_element(int64_t label, const sw_structure_points *points, double volume,
                               const sw_structure_print *print, numbers *to)
{
    double row[8] = {(double)label, 0, volume};
    if (print->what == SW_STRUCTURE_EVOL)
        return print->totals < 2 ? append(to, 3, row) : SW_OK;
    for (int q = 0; q < points->n; q++) {
        row[1] = q + 1;
        memcpy(row + 2, of_point(print, points, q), (size_t)quantities[print->what].components * sizeof *row);
        SW_TRY(append(to, width_of(print), row));
    }
    return SW_OK;
}

/* n_prints of the same elements, which are asked once. */
static sw_status print_elements(sw_structure *s, int64_t n_prints, const sw_structure_print *print,
                                numbers *to)
{
    double all = 0;
    for (int64_t i = 0; i < print->n; i++) {
        sw_structure_points points;
        double volume = 0;
        SW_TRY(sw_structure_points_of(s, print->member[i], &points));
        for (int q = 0; q < points.n; q++)
            volume += points.volume[q];
        all += volume;
        for (int64_t k = 0; k < n_prints; k++)
            SW_TRY(print_element(s->problem->element[print->member[i]].label, &points, volume, &print[k],
                                 &to[k]));
    }
    for (int64_t k = 0; k < n_prints; k++)
        if (print[k].what == SW_STRUCTURE_EVOL && print[k].totals > 0)
            SW_TRY(append(&to[k], 3, (double[]){0, 0, all}));
    return SW_OK;
}

/* How many from the first on are of its elements. */
static int64_t alike(const sw_structure_print *print, int64_t n)
{
    int64_t k = 1;
    while (k < n && !is_of_nodes(&print[k]) && print[k].n == print[0].n &&
           memcmp(print[k].member, print[0].member, (size_t)print[0].n * sizeof *print[0].member) == 0)
        k++;
    return k;
}

static sw_status print_all(sw_structure *s)
{
    struct sw_structure_results *r = s->results;
    const sw_structure_step *step = s->step;
    double *reaction;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(reaction, s->ties.n_unknowns, "reactions"));
    sw_structure_reactions(s, reaction);
    for (int64_t i = 0; i < step->n_prints && status == SW_OK;) {
        const sw_structure_print *print = &step->print[i];
        const int64_t n = is_of_nodes(print) ? 1 : alike(print, step->n_prints - i);
        status = is_of_nodes(print) ? print_nodes(s, print, reaction, &r->print[i])
                                    : print_elements(s, n, print, &r->print[i]);
        for (int64_t k = i; k < i + n && status == SW_OK; k++)
            status = append(&r->print_time[k], 1, &s->moment.total_time);
        i += n;
    }
    free(reaction);
    return status;
}

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
    return sw_h5_write(where, "plastic_strain", H5T_NATIVE_DOUBLE, 1, &N, nodal->plastic);
}

static char *field_name(const sw_structure *s, int number)
{
    return sw_file_name("%.*s-%04d.vtkhdf", sw_stem_length(s->options.output), s->options.output, number);
}

static sw_status write_series(const sw_structure *s)
{
    const numbers *time = &s->results->field_time;
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
    SW_TRY_GOTO(status, sw_structure_nodal_make(s, &nodal), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(reaction, s->ties.n_unknowns, "reactions"), end);
    sw_structure_reactions(s, reaction);
    SW_TRY_GOTO(status, write_group(s, &nodal, reaction), end);
    order_as_vtk(s->problem->n_nodes, nodal.stress);
    order_as_vtk(s->problem->n_nodes, nodal.strain);
    SW_TRY_GOTO(status, write_vtkhdf(s, &nodal, reaction), end);
    SW_TRY_GOTO(status, append(&s->results->field_time, 1, &s->moment.total_time), end);
    status = write_series(s);
end:
    free(reaction);
    sw_structure_nodal_free(&nodal);
    return status;
}

/* ---- The file ---- */

/* Tables of the step that has ended: /prints/0001 with what they are as attributes. */
static sw_status write_prints(sw_structure *s)
{
    struct sw_structure_results *r = s->results;
    for (int64_t i = 0; r->of != NULL && i < r->of->n_prints; i++) {
        const sw_structure_print *print = &r->of->print[i];
        char name[48];
        hid_t group;
        if (r->print[i].n == 0)
            continue;
        const int64_t times = r->print_time[i].n, width = width_of(print),
                      rows = r->print[i].n / width / times;
        snprintf(name, sizeof name, "prints/%04d", ++r->n_tables);
        SW_TRY(sw_h5_group(r->file.file, name, &group));
        sw_status status = sw_h5_write(group, "value", H5T_NATIVE_DOUBLE, 3, (int64_t[]){times, rows, width},
                                       r->print[i].value);
        if (status == SW_OK)
            status = sw_h5_write(group, "time", H5T_NATIVE_DOUBLE, 1, &times, r->print_time[i].value);
        if (status == SW_OK)
            status = sw_h5_write_text(group, "quantity", quantities[print->what].name);
        if (status == SW_OK)
            status = sw_h5_write_text(group, "set", print->set);
        H5Gclose(group);
        SW_TRY(status);
    }
    return SW_OK;
}

static void drop_prints(struct sw_structure_results *r)
{
    for (int64_t i = 0; r->of != NULL && i < r->of->n_prints; i++) {
        drop(&r->print[i]);
        drop(&r->print_time[i]);
    }
    free(r->print);
    free(r->print_time);
    r->print = r->print_time = NULL;
    r->of = NULL;
}

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
    const double number = step + 1, taken = iterations;
    if (r->of != s->step) {
        SW_TRY(write_prints(s));
        drop_prints(r);
        SW_TRY(SW_ALLOCATE(r->print, s->step->n_prints, "printed tables"));
        SW_TRY(SW_ALLOCATE(r->print_time, s->step->n_prints, "printed tables"));
        r->of = s->step;
    }
    SW_TRY(append(&r->time, 1, &s->moment.total_time));
    SW_TRY(append(&r->step, 1, &number));
    SW_TRY(append(&r->iterations, 1, &taken));
    SW_TRY(print_all(s));
    return last || (s->step->every > 0 && s->increment % s->step->every == 0) ? add_fields(s) : SW_OK;
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

sw_status sw_structure_results_write(sw_structure *s)
{
    const struct sw_structure_results *r = s->results;
    const sw_structure_problem *p = s->problem;
    const hid_t file = r->file.file;
    SW_TRY(write_prints(s));
    SW_TRY(sw_h5_write(file, "history/time", H5T_NATIVE_DOUBLE, 1, &r->time.n, r->time.value));
    SW_TRY(sw_h5_write(file, "history/step", H5T_NATIVE_DOUBLE, 1, &r->step.n, r->step.value));
    SW_TRY(sw_h5_write(file, "history/newton", H5T_NATIVE_DOUBLE, 1, &r->iterations.n, r->iterations.value));
    SW_TRY(sw_h5_write(file, "nodes/label", H5T_NATIVE_INT64, 1, &p->n_nodes, p->node_label));
    SW_TRY(
        sw_h5_write(file, "nodes/position", H5T_NATIVE_DOUBLE, 2, (int64_t[]){p->n_nodes, 3}, p->position));
    SW_TRY(write_run(s, file));
    return sw_h5_commit(&s->results->file);
}

void sw_structure_results_close(sw_structure *s)
{
    struct sw_structure_results *r = s->results;
    if (r == NULL)
        return;
    drop_prints(r);
    drop(&r->field_time);
    drop(&r->time);
    drop(&r->step);
    drop(&r->iterations);
    sw_h5_abandon(&r->file);
    sw_claim_release(&r->claim);
    free(r);
    s->results = NULL;
}
