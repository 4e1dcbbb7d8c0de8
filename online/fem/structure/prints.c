/* Tables that a deck asks for: /prints/K of FILE.h5, one for a quantity of a line of a step. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"

sw_status sw_numbers_append(sw_numbers *list, int64_t n, const double *value)
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

void sw_numbers_drop(sw_numbers *list)
{
    free(list->value);
    *list = (sw_numbers){0};
}

/* ---- What there is ---- */

typedef enum { NODES, POINTS, ELEMENTS, WHOLE } kind;

static const struct {
    kind of;
    int components; /* of a row, without its labels */
} quantities[SW_STRUCTURE_QUANTITIES] = {[SW_STRUCTURE_U] = {NODES, 3},
                                         [SW_STRUCTURE_RF] = {NODES, 3},
                                         [SW_STRUCTURE_NT] = {NODES, 1},
                                         [SW_STRUCTURE_COORD] = {POINTS, 3},
                                         [SW_STRUCTURE_S] = {POINTS, 6},
                                         [SW_STRUCTURE_E] = {POINTS, 6},
                                         [SW_STRUCTURE_ME] = {POINTS, 6},
                                         [SW_STRUCTURE_PE] = {POINTS, 6},
                                         [SW_STRUCTURE_PEEQ] = {POINTS, 1},
                                         [SW_STRUCTURE_CEEQ] = {POINTS, 1},
                                         [SW_STRUCTURE_ENER] = {POINTS, 1},
                                         [SW_STRUCTURE_SENER] = {POINTS, 1},
                                         [SW_STRUCTURE_PENER] = {POINTS, 1},
                                         [SW_STRUCTURE_CENER] = {POINTS, 1},
                                         [SW_STRUCTURE_EVOL] = {ELEMENTS, 1},
                                         [SW_STRUCTURE_ELIE] = {ELEMENTS, 1},
                                         [SW_STRUCTURE_ELSE] = {ELEMENTS, 1},
                                         [SW_STRUCTURE_ELPD] = {ELEMENTS, 1},
                                         [SW_STRUCTURE_ELCD] = {ELEMENTS, 1},
                                         [SW_STRUCTURE_ELASE] = {ELEMENTS, 1},
                                         [SW_STRUCTURE_ENERGY] = {WHOLE, 4},
                                         [SW_STRUCTURE_CUT] = {WHOLE, SW_STRUCTURE_SECTION_COLUMNS},
                                         [SW_STRUCTURE_CSTR] = {NODES, 3},
                                         [SW_STRUCTURE_CDIS] = {NODES, 3},
                                         [SW_STRUCTURE_CF] = {WHOLE, SW_STRUCTURE_CONTACT_COLUMNS}};

static const char energy_columns[] = "ALLSE ALLPD ALLCD ALLAE";

static kind kind_of(const sw_structure_print *print)
{
    return print->of_nodes ? NODES : quantities[print->what].of;
}

static int width_of(const sw_structure_print *print)
{
    static const int labels[] = {[NODES] = 1, [POINTS] = 2, [ELEMENTS] = 2, [WHOLE] = 0};
    return labels[kind_of(print)] + quantities[print->what].components;
}

/* ---- Nodes ---- */

/* Rows of nodes: label, then numbers. */
static sw_status print_nodes(const sw_structure *s, const sw_structure_print *print, const double *reaction,
                             sw_numbers *to)
{
    const int moves = sw_structure_places_move(s);
    double total[3] = {0};
    for (int64_t i = 0; i < print->n; i++) {
        const int64_t n = print->member[i];
        double row[4] = {(double)s->problem->node_label[n]};
        for (int k = 0; k < 3; k++) {
            row[1 + k] = print->what == SW_STRUCTURE_RF ? reaction[3 * n + k]
                         : print->what == SW_STRUCTURE_COORD
                             ? s->problem->position[n][k] + (moves ? s->trial[3 * n + k] : 0)
                         : print->what == SW_STRUCTURE_NT ? s->moment.temperature[n]
                                                          : s->trial[3 * n + k];
            total[k] += row[1 + k];
        }
        if (print->totals < 2)
            SW_TRY(sw_numbers_append(to, width_of(print), row));
    }
    const double sum[4] = {0, total[0], total[1], total[2]}; /* label 0: the sum */
    return print->totals > 0 ? sw_numbers_append(to, width_of(print), sum) : SW_OK;
}

/* ---- Contacts ---- */

/* Rows of slaves' nodes: label, then pressure, shear and path; or gap, path and 0. */
static sw_status print_slaves(const sw_structure *s, const sw_structure_print *print, sw_numbers *to)
{
    double(*field)[SW_SURFACE_FIELDS] = NULL;
    uint8_t *set = NULL;
    sw_status status = SW_OK;
    if (s->contacts == NULL)
        return SW_OK;
    SW_TRY_GOTO(status, SW_ALLOCATE(field, s->problem->n_nodes, "nodes of surfaces"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(set, s->problem->n_nodes, "nodes of surfaces"), end);
    SW_TRY_GOTO(status, sw_structure_contact_fields(s, field, set), end);
    for (int64_t i = 0; i < print->n && status == SW_OK; i++) {
        const double *f = field[print->member[i]], label = (double)s->problem->node_label[print->member[i]];
        const double stress[4] = {label, f[SW_SURFACE_PRESSURE], f[SW_SURFACE_SHEAR], f[SW_SURFACE_SLIP]},
                     place[4] = {label, f[SW_SURFACE_GAP], f[SW_SURFACE_SLIP], 0};
        status = sw_numbers_append(to, 4, print->what == SW_STRUCTURE_CSTR ? stress : place);
    }
end:
    free(field);
    free(set);
    return status;
}

/* A row a contact. */
static sw_status print_contacts(const sw_structure *s, sw_numbers *to)
{
    double row[SW_STRUCTURE_CONTACT_COLUMNS];
    for (int k = 0; k < s->problem->n_contacts; k++) {
        sw_structure_contact_row(s, k, row);
        SW_TRY(sw_numbers_append(to, SW_STRUCTURE_CONTACT_COLUMNS, row));
    }
    return SW_OK;
}

/* ---- Points and elements ---- */

/* Of a point's quantity: borrowed, of one number in *value. */
static const double *of_point(int what, const sw_structure_points *points, int q, double *value)
{
    const double *w = points->work[q];
    const double flown = w[SW_WORK_PLASTIC] + w[SW_WORK_CREEP], all = w[SW_WORK_ALL] - w[SW_WORK_HEAT];
    switch ((sw_structure_quantity)what) {
    case SW_STRUCTURE_S:
        return points->stress[q];
    case SW_STRUCTURE_E:
        return points->strain[q];
    case SW_STRUCTURE_ME:
        return points->mechanical[q];
    case SW_STRUCTURE_PE:
        return points->flowed[q];
    case SW_STRUCTURE_COORD:
        return points->at[q];
    case SW_STRUCTURE_PEEQ:
        return &points->plastic[q];
    case SW_STRUCTURE_CEEQ:
        return &points->creep[q];
    default:
        *value = what == SW_STRUCTURE_ENER    ? all
                 : what == SW_STRUCTURE_SENER ? all - flown
                 : what == SW_STRUCTURE_PENER ? w[SW_WORK_PLASTIC]
                                              : w[SW_WORK_CREEP];
        return value;
    }
}

/* Of an element: volume, then energies as sw_structure_sum_energies has them. */
typedef struct {
    double volume, energy[SW_STRUCTURE_SPRINGS];
} element_sums;

static void sum_element(const sw_structure_points *points, element_sums *sums)
{
    *sums = (element_sums){.energy = {[SW_STRUCTURE_ARTIFICIAL] = points->artificial}};
    for (int q = 0; q < points->n; q++)
        sums->volume += points->volume[q];
    sw_structure_sum_energies(points->n, points->volume, (const double(*)[SW_WORKS])points->work,
                              sums->energy);
}

static double of_element(int what, const element_sums *sums)
{
    const double *e = sums->energy;
    switch ((sw_structure_quantity)what) {
    case SW_STRUCTURE_EVOL:
        return sums->volume;
    case SW_STRUCTURE_ELIE:
        return e[SW_STRUCTURE_ELASTIC] + e[SW_STRUCTURE_PLASTIC] + e[SW_STRUCTURE_CREEP];
    case SW_STRUCTURE_ELSE:
        return e[SW_STRUCTURE_ELASTIC];
    case SW_STRUCTURE_ELPD:
        return e[SW_STRUCTURE_PLASTIC];
    case SW_STRUCTURE_ELCD:
        return e[SW_STRUCTURE_CREEP];
    default:
        return e[SW_STRUCTURE_ARTIFICIAL];
    }
}

/* Rows of an element: its label, point after `before` that layers below have, then numbers; of the element itself one row, point 0. */
static sw_status print_element(int64_t label, int before, const sw_structure_points *points,
                               const element_sums *sums, const sw_structure_print *print, sw_numbers *to)
{
    double row[8] = {(double)label, 0, 0};
    if (kind_of(print) == ELEMENTS) {
        row[2] = of_element(print->what, sums);
        return print->totals < 2 ? sw_numbers_append(to, 3, row) : SW_OK;
    }
    for (int q = 0; q < points->n && kind_of(print) == POINTS; q++) {
        double one;
        row[1] = before + q + 1;
        memcpy(row + 2, of_point(print->what, points, q, &one),
               (size_t)quantities[print->what].components * sizeof *row);
        SW_TRY(sw_numbers_append(to, width_of(print), row));
    }
    return SW_OK;
}

static sw_status print_sums(const sw_structure_print *print, const element_sums *all, sw_numbers *to)
{
    const double *e = all->energy;
    if (print->what == SW_STRUCTURE_ENERGY)
        return sw_numbers_append(to, 4,
                                 (double[]){e[SW_STRUCTURE_ELASTIC], e[SW_STRUCTURE_PLASTIC],
                                            e[SW_STRUCTURE_CREEP], e[SW_STRUCTURE_ARTIFICIAL]});
    return kind_of(print) == ELEMENTS && print->totals > 0
               ? sw_numbers_append(to, 3, (double[]){0, 0, of_element(print->what, all)})
               : SW_OK;
}

/* n_prints of the same elements, which are asked once. */
static sw_status print_elements(sw_structure *s, int64_t n_prints, const sw_structure_print *print,
                                sw_numbers *to)
{
    element_sums all = {0};
    int before = 0;
    for (int64_t i = 0; i < print->n; i++) {
        const sw_structure_element *of = &s->problem->element[print->member[i]];
        sw_structure_points points;
        element_sums sums;
        SW_TRY(sw_structure_points_of(s, print->member[i], &points));
        sum_element(&points, &sums);
        all.volume += sums.volume;
        for (int k = 0; k < SW_STRUCTURE_SPRINGS; k++)
            all.energy[k] += sums.energy[k];
        for (int64_t k = 0; k < n_prints; k++)
            SW_TRY(print_element(of->label, before, &points, &sums, &print[k], &to[k]));
        const int goes_on = i + 1 < print->n && s->problem->element[print->member[i + 1]].of == of->of;
        before = goes_on ? before + points.n : 0;
    }
    for (int64_t k = 0; k < n_prints; k++)
        SW_TRY(print_sums(&print[k], &all, &to[k]));
    return SW_OK;
}

/* ---- All of them ---- */

static int is_due(const sw_structure *s, const sw_structure_print *print, int last)
{
    return last || print->every < 2 || s->increment % print->every == 0;
}

static int is_of_elements(const sw_structure_print *print)
{
    return kind_of(print) != NODES && print->what != SW_STRUCTURE_CUT && print->what != SW_STRUCTURE_CF;
}

/* How many from the first on are of its elements, at its times. */
static int64_t alike(const sw_structure_print *print, int64_t n)
{
    int64_t k = 1;
    while (is_of_elements(print) && k < n && is_of_elements(&print[k]) && print[k].n == print[0].n &&
           print[k].every == print[0].every &&
           (print[0].n == 0 ||
            memcmp(print[k].member, print[0].member, (size_t)print[0].n * sizeof *print[0].member) == 0))
        k++;
    return k;
}

static sw_status print_section(sw_structure *s, const sw_structure_print *print, sw_numbers *to)
{
    double row[SW_STRUCTURE_SECTION_COLUMNS];
    SW_TRY(sw_structure_section_row(s, print, row));
    return sw_numbers_append(to, SW_STRUCTURE_SECTION_COLUMNS, row);
}

static sw_status print_some(sw_structure *s, int64_t n, const sw_structure_print *print,
                            const double *reaction, sw_numbers *to)
{
    if (print->what == SW_STRUCTURE_CSTR || print->what == SW_STRUCTURE_CDIS)
        return print_slaves(s, print, to);
    if (print->what == SW_STRUCTURE_CF)
        return print_contacts(s, to);
    if (kind_of(print) == NODES)
        return print_nodes(s, print, reaction, to);
    return print->what == SW_STRUCTURE_CUT ? print_section(s, print, to) : print_elements(s, n, print, to);
}

sw_status sw_structure_tables_add(sw_structure *s, int last, sw_structure_tables *tables)
{
    const sw_structure_step *step = s->step;
    double *reaction;
    sw_status status = SW_OK;
    if (step->n_prints == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(reaction, s->ties.n_unknowns, "reactions"));
    sw_structure_reactions(s, reaction);
    for (int64_t i = 0, n; i < step->n_prints && status == SW_OK; i += n) {
        n = alike(&step->print[i], step->n_prints - i);
        if (!is_due(s, &step->print[i], last))
            continue;
        status = print_some(s, n, &step->print[i], reaction, &tables->value[i]);
        for (int64_t k = i; k < i + n && status == SW_OK; k++)
            status = sw_numbers_append(&tables->time[k], 1, &s->moment.total_time);
    }
    free(reaction);
    return status;
}

sw_status sw_structure_tables_begin(const sw_structure_step *step, sw_structure_tables *tables)
{
    sw_structure_tables_drop(tables);
    SW_TRY(SW_ALLOCATE(tables->value, step->n_prints + 1, "printed tables"));
    SW_TRY(SW_ALLOCATE(tables->time, step->n_prints + 1, "printed tables"));
    tables->of = step;
    return SW_OK;
}

void sw_structure_tables_drop(sw_structure_tables *tables)
{
    for (int64_t i = 0; tables->of != NULL && i < tables->of->n_prints; i++) {
        sw_numbers_drop(&tables->value[i]);
        sw_numbers_drop(&tables->time[i]);
    }
    free(tables->value);
    free(tables->time);
    *tables = (sw_structure_tables){0};
}

/* ---- The file ---- */

static sw_status describe(const sw_structure_print *print, hid_t group)
{
    const char *columns = print->what == SW_STRUCTURE_CUT      ? sw_structure_section_columns
                          : print->what == SW_STRUCTURE_ENERGY ? energy_columns
                          : print->what == SW_STRUCTURE_CF     ? sw_structure_contact_columns
                                                               : NULL;
    SW_TRY(sw_h5_write_text(group, "quantity", print->name));
    if (columns != NULL)
        SW_TRY(sw_h5_write_text(group, "columns", columns));
    return sw_h5_write_text(group, "set", print->set);
}

sw_status sw_structure_tables_write(const sw_structure_tables *tables, hid_t file, int *n)
{
    for (int64_t i = 0; tables->of != NULL && i < tables->of->n_prints; i++) {
        const sw_structure_print *print = &tables->of->print[i];
        char name[48];
        hid_t group;
        if (tables->value[i].n == 0)
            continue;
        const int64_t times = tables->time[i].n, width = width_of(print),
                      rows = tables->value[i].n / width / times;
        snprintf(name, sizeof name, "prints/%04d", ++*n);
        SW_TRY(sw_h5_group(file, name, &group));
        sw_status status = sw_h5_write(group, "value", H5T_NATIVE_DOUBLE, 3, (int64_t[]){times, rows, width},
                                       tables->value[i].value);
        if (status == SW_OK)
            status = sw_h5_write(group, "time", H5T_NATIVE_DOUBLE, 1, &times, tables->time[i].value);
        if (status == SW_OK)
            status = describe(print, group);
        H5Gclose(group);
        SW_TRY(status);
    }
    return SW_OK;
}

/* ---- What is kept of a run ---- */

sw_status sw_numbers_keep(const sw_numbers *list, hid_t where, const char *name)
{
    return sw_h5_write(where, name, H5T_NATIVE_DOUBLE, 1, &list->n, list->value);
}

sw_status sw_numbers_restore(sw_numbers *list, hid_t where, const char *name)
{
    int64_t n;
    SW_TRY(sw_h5_shape(where, name, 1, &n));
    SW_TRY(SW_GROW(list->value, n + 1, "results"));
    list->capacity = n + 1;
    list->n = n;
    return sw_h5_read(where, name, H5T_NATIVE_DOUBLE, 1, &n, list->value);
}

sw_status sw_structure_tables_keep(const sw_structure_tables *tables, hid_t where)
{
    for (int64_t i = 0; tables->of != NULL && i < tables->of->n_prints; i++) {
        char name[64];
        snprintf(name, sizeof name, "tables/%lld/value", (long long)i);
        SW_TRY(sw_numbers_keep(&tables->value[i], where, name));
        snprintf(name, sizeof name, "tables/%lld/time", (long long)i);
        SW_TRY(sw_numbers_keep(&tables->time[i], where, name));
    }
    return SW_OK;
}

sw_status sw_structure_tables_restore(sw_structure_tables *tables, hid_t where)
{
    for (int64_t i = 0; tables->of != NULL && i < tables->of->n_prints; i++) {
        char name[64];
        snprintf(name, sizeof name, "tables/%lld/value", (long long)i);
        SW_TRY(sw_numbers_restore(&tables->value[i], where, name));
        snprintf(name, sizeof name, "tables/%lld/time", (long long)i);
        SW_TRY(sw_numbers_restore(&tables->time[i], where, name));
        const int64_t n = tables->time[i].n * width_of(&tables->of->print[i]);
        if (n > 0 ? tables->value[i].n % n != 0 : tables->value[i].n > 0)
            return sw_error(SW_ERR_FORMAT, "%s: %lld numbers of %lld times", name,
                            (long long)tables->value[i].n, (long long)tables->time[i].n);
    }
    return SW_OK;
}
