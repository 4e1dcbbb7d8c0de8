/* Tables over temperature, and curves of hardening. */
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>

#include "flow.h"

/* The row at or before x of n that ascend, and how far x is on the way to the next: 0 beyond the ends. */
static int row_of(int n, const double *at, int stride, double x, double *share)
{
    int k = 0;
    *share = 0;
    while (k < n - 1 && x >= at[(k + 1) * stride])
        k++;
    if (k < n - 1 && x > at[k * stride])
        *share = (x - at[k * stride]) / (at[(k + 1) * stride] - at[k * stride]);
    return k;
}

void sw_matter_look_up(const sw_matter_table *table, double temperature, double *value)
{
    double share;
    const int n = table->n_columns, k = row_of(table->n_rows, table->temperature, 1, temperature, &share);
    for (int j = 0; j < n; j++) {
        value[j] = table->value[k * n + j];
        if (share > 0)
            value[j] += share * (table->value[(k + 1) * n + j] - value[j]);
    }
}

static sw_flow_number curve_at(const sw_matter_curve *curve, double strain)
{
    double share;
    const int n = curve->n_rows, k = row_of(n, curve->row[0], 2, strain, &share);
    if (k == n - 1)
        return (sw_flow_number){curve->row[k][1], 0};
    const double slope =
        (curve->row[k + 1][1] - curve->row[k][1]) / (curve->row[k + 1][0] - curve->row[k][0]);
    return (sw_flow_number){curve->row[k][1] + slope * (strain - curve->row[k][0]), slope};
}

sw_flow_number sw_flow_curve(int n, const sw_matter_curve *curve, double temperature, double strain)
{
    double share;
    const int k =
        row_of(n, &curve[0].temperature, (int)(sizeof *curve / sizeof(double)), temperature, &share);
    const sw_flow_number below = curve_at(&curve[k], strain);
    if (share == 0)
        return below;
    const sw_flow_number above = curve_at(&curve[k + 1], strain);
    return (sw_flow_number){below.value + share * (above.value - below.value),
                            below.slope + share * (above.slope - below.slope)};
}

static void free_table(sw_matter_table *table)
{
    free(table->temperature);
    free(table->value);
}

static void free_curves(int n, sw_matter_curve *curve)
{
    for (int i = 0; i < n; i++)
        free(curve[i].row);
    free(curve);
}

void sw_matter_free(sw_matter *matter)
{
    if (matter == NULL)
        return;
    free(matter->name);
    free_table(&matter->elastic);
    free_table(&matter->expansion);
    free_table(&matter->backstress);
    free_table(&matter->saturation);
    free_table(&matter->creep);
    free_table(&matter->cook);
    free_table(&matter->rate);
    free_curves(matter->n_ratios, matter->ratio);
    free_table(&matter->hyper);
    free_table(&matter->deformation);
    free_curves(matter->n_curves, matter->curve);
    free_curves(matter->n_cyclic, matter->cyclic);
    free(matter->constant);
    if (matter->library != NULL)
        dlclose(matter->library);
    *matter = (sw_matter){0};
}

static sw_status copy_numbers(int64_t n, const double *from, double **to)
{
    *to = NULL;
    if (from == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(*to, n, "a material"));
    memcpy(*to, from, (size_t)n * sizeof **to);
    return SW_OK;
}

static sw_status copy_table(sw_matter_table *table)
{
    const sw_matter_table from = *table;
    table->temperature = table->value = NULL;
    SW_TRY(copy_numbers(from.n_rows, from.temperature, &table->temperature));
    return copy_numbers((int64_t)from.n_rows * from.n_columns, from.value, &table->value);
}

static sw_status copy_curves(int n, sw_matter_curve **curve)
{
    const sw_matter_curve *from = *curve;
    *curve = NULL;
    if (from == NULL)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(*curve, n, "a material"));
    for (int i = 0; i < n; i++) {
        double *row;
        SW_TRY(copy_numbers(2 * (int64_t)from[i].n_rows, (const double *)from[i].row, &row));
        (*curve)[i] = from[i];
        (*curve)[i].row = (double(*)[2])row;
    }
    return SW_OK;
}

sw_status sw_matter_copy(const sw_matter *matter, sw_matter *copy)
{
    sw_matter made = *matter;
    sw_matter_table *const table[] = {&made.elastic,    &made.expansion, &made.backstress,
                                      &made.saturation, &made.cook,      &made.rate,
                                      &made.creep,      &made.hyper,     &made.deformation};
    *copy = (sw_matter){0};
    SW_TRY(SW_ALLOCATE(made.name, strlen(matter->name) + 1, "a material"));
    strcpy(made.name, matter->name);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        SW_TRY(copy_table(table[i]));
    SW_TRY(copy_curves(made.n_curves, &made.curve));
    SW_TRY(copy_curves(made.n_cyclic, &made.cyclic));
    SW_TRY(copy_curves(made.n_ratios, &made.ratio));
    SW_TRY(copy_numbers(made.n_constants, matter->constant, &made.constant));
    *copy = made;
    return SW_OK;
}

void sw_matter_free_hardening(sw_matter *matter)
{
    free_table(&matter->backstress);
    free_table(&matter->saturation);
    free_table(&matter->cook);
    free_curves(matter->n_curves, matter->curve);
    free_curves(matter->n_cyclic, matter->cyclic);
    matter->backstress = matter->saturation = matter->cook = (sw_matter_table){0};
    matter->curve = matter->cyclic = NULL;
    matter->n_curves = matter->n_cyclic = 0;
}
