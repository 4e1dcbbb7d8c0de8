/* Elements by formulation, what else there is by its number of unknowns, and lists of them for products. */
#include <stdlib.h>
#include <string.h>

#include "common/system/status.h"
#include "common/system/threads.h"
#include "groups.h"
#include "online/fem/formulation/evaluate.h"

int sw_products_by_points(const sw_formulation *f)
{
    return f->kinematics == SW_FEM_SOLID && f->evaluate == sw_evaluate_isoparametric &&
           f->topology->dimension == 3;
}

/* ---- Groups ---- */

static sw_status find_group(sw_products *p, const sw_formulation *formulation, int *found)
{
    for (*found = 0; *found < p->n_groups; ++*found)
        if (p->group[*found].formulation == formulation)
            return SW_OK;
    SW_TRY(SW_GROW(p->group, p->n_groups + 1, "groups of elements"));
    sw_product_group *g = &p->group[p->n_groups++];
    *g = (sw_product_group){
        .formulation = formulation, .V = formulation->topology->n_nodes, .Q = formulation->rule->n};
    g->stride = (g->V + 1) / 2 * 6;
    SW_TRY(SW_ALLOCATE(g->slope, (int64_t)g->Q * g->stride, "shapes"));
    SW_TRY(SW_ALLOCATE(g->weight, g->Q, "shapes"));
    for (int q = 0; q < g->Q; q++) {
        memcpy(g->slope + (size_t)q * (size_t)g->stride, formulation->tables->gradient[q],
               3 * (size_t)g->V * sizeof *g->slope);
        g->weight[q] = formulation->rule->point[q][3];
    }
    return SW_OK;
}

static sw_status find_matrices(sw_products *p, int rows, int *found)
{
    for (*found = 0; *found < p->n_sizes; ++*found)
        if (p->matrices[*found].rows == rows)
            return SW_OK;
    SW_TRY(SW_GROW(p->matrices, p->n_sizes + 1, "groups of elements"));
    p->matrices[p->n_sizes++] = (sw_product_matrices){.rows = rows};
    return SW_OK;
}

/* Which group each item is in, and where; how many there are in each. */
static sw_status count_items(const sw_products_body *body, sw_products *p)
{
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    for (int64_t e = 0; e < p->n_items; e++) {
        const sw_formulation *formulation = body->formulation(body->of, e);
        int k;
        if (formulation != NULL) {
            SW_TRY(find_group(p, formulation, &k));
            p->group_of[e] = k;
            p->place_of[e] = (int32_t)p->group[k].n++;
        } else {
            SW_TRY(find_matrices(p, body->unknowns(body->of, e, unknown), &k));
            p->group_of[e] = -1 - k;
            p->place_of[e] = (int32_t)p->matrices[k].n++;
        }
    }
    return SW_OK;
}

static sw_status allocate(sw_products *p)
{
    for (int k = 0; k < p->n_groups; k++) {
        sw_product_group *g = &p->group[k];
        SW_TRY(SW_ALLOCATE(g->node, g->n * g->V, "elements"));
        SW_TRY(SW_ALLOCATE(g->kind, g->n, "elements"));
        SW_TRY(SW_ALLOCATE(g->uniform, g->n, "tangents"));
        SW_TRY(SW_ALLOCATE(g->own, g->n, "tangents"));
        SW_TRY(SW_ALLOCATE(g->own_kind, g->n, "elements"));
    }
    for (int k = 0; k < p->n_sizes; k++) {
        sw_product_matrices *m = &p->matrices[k];
        SW_TRY(SW_ALLOCATE(m->unknown, m->n * m->rows, "elements"));
        SW_TRY(SW_ALLOCATE(m->matrix, m->n * m->rows * m->rows, "matrices of elements"));
        SW_TRY(SW_ALLOCATE(m->there, m->n, "elements"));
    }
    return SW_OK;
}

sw_status sw_products_group(const sw_products_body *body, sw_products *p)
{
    int64_t unknown[SW_FORMULATION_UNKNOWNS];
    SW_TRY(SW_ALLOCATE(p->group_of, p->n_items, "elements"));
    SW_TRY(SW_ALLOCATE(p->place_of, p->n_items, "elements"));
    SW_TRY(count_items(body, p));
    SW_TRY(allocate(p));
    for (int64_t e = 0; e < p->n_items; e++) {
        const int n = body->unknowns(body->of, e, unknown), k = p->group_of[e];
        const int64_t place = p->place_of[e];
        if (k >= 0) {
            sw_product_group *g = &p->group[k];
            g->kind[place] = SW_PRODUCT_KINDS;
            for (int a = 0; a < g->V; a++)
                g->node[place * g->V + a] = (int32_t)(unknown[3 * a] / 3);
        } else
            for (int i = 0; i < n; i++)
                p->matrices[-1 - k].unknown[place * n + i] = (int32_t)unknown[i];
    }
    return SW_OK;
}

static void forget_list(sw_product_list *list)
{
    free(list->element);
    free(list->pass);
    *list = (sw_product_list){0};
}

void sw_products_ungroup(sw_products *p)
{
    for (int k = 0; k < p->n_groups; k++) {
        sw_product_group *g = &p->group[k];
        for (int64_t i = 0; g->own != NULL && i < g->n; i++)
            free(g->own[i]);
        for (int kind = 0; kind < SW_PRODUCT_KINDS; kind++)
            forget_list(&g->list[kind]);
        free(g->slope);
        free(g->weight);
        free(g->node);
        free(g->kind);
        free(g->uniform);
        free(g->own);
        free(g->own_kind);
    }
    for (int k = 0; k < p->n_sizes; k++) {
        sw_product_matrices *m = &p->matrices[k];
        forget_list(&m->list);
        free(m->unknown);
        free(m->matrix);
        free(m->there);
    }
    free(p->group);
    free(p->matrices);
    free(p->group_of);
    free(p->place_of);
}

/* ---- Tangents ---- */

sw_status sw_products_set_points(sw_products *p, int64_t item, const double (*tangent)[6][6])
{
    double values[SW_FORMULATION_POINTS * (int)SW_PRODUCT_GENERAL_SIZE];
    sw_product_group *g = &p->group[p->group_of[item]];
    const int64_t i = p->place_of[item];
    const sw_product_kind kind = sw_product_compact(g->Q, tangent, values);
    const int64_t n = (int64_t)g->Q * sw_product_size(kind);
    g->kind[i] = (uint8_t)kind;
    if (kind == SW_PRODUCT_UNIFORM) {
        memcpy(g->uniform[i], values, sizeof g->uniform[i]);
        return SW_OK;
    }
    if (g->own[i] == NULL || g->own_kind[i] < kind) {
        SW_TRY(SW_GROW(g->own[i], n, "the tangents of points"));
        g->own_kind[i] = (uint8_t)kind;
    }
    memcpy(g->own[i], values, (size_t)n * sizeof *values);
    return SW_OK;
}

void sw_products_set_matrix(sw_products *p, int64_t item, const double *matrix)
{
    sw_product_matrices *m = &p->matrices[-1 - p->group_of[item]];
    const int64_t i = p->place_of[item], n = m->rows;
    double *to = m->matrix + i * n * n;
    m->there[i] = 1;
    for (int64_t r = 0; r < n; r++)
        for (int64_t c = 0; c < n; c++)
            to[c * n + r] = matrix[r * n + c];
}

void sw_products_set_nothing(sw_products *p, int64_t item)
{
    const int k = p->group_of[item];
    const int64_t i = p->place_of[item];
    if (k >= 0)
        p->group[k].kind[i] = SW_PRODUCT_KINDS;
    else
        p->matrices[-1 - k].there[i] = 0;
}

void sw_product_pack(const sw_product_group *g, int kind, int at_once, int32_t *node, double *tangent)
{
    const sw_product_list *list = &g->list[kind];
    const int64_t each = (int64_t)(kind == SW_PRODUCT_UNIFORM ? 1 : g->Q) * sw_product_size(kind);
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(list->n_bundles, (double)each))
    for (int64_t i = 0; i < list->n_bundles; i++) {
        const int64_t e = list->element[i], group = i / at_once, at = i % at_once;
        const double *from = kind == SW_PRODUCT_UNIFORM ? g->uniform[e] : g->own[e];
        for (int64_t k = 0; k < each; k++)
            tangent[(group * each + k) * at_once + at] = from[k];
        for (int a = 0; a < g->V; a++)
            node[(group * g->V + a) * at_once + at] = g->node[e * g->V + a];
    }
}

/* ---- Lists ---- */

/* Numbers [n][each] that elements have, of which a bundle's are marked by its colour; -1: none. */
typedef struct {
    const int32_t *number;
    int each, width;
    uint64_t *taken; /* by number */
} marks;

static uint64_t near(const marks *m, const int32_t *element)
{
    uint64_t taken = 0;
    for (int l = 0; l < m->width; l++)
        for (int a = 0; a < m->each && element[l] >= 0; a++) {
            const int32_t at = m->number[(int64_t)element[l] * m->each + a];
            taken |= at >= 0 ? m->taken[at] : 0;
        }
    return taken;
}

static void mark(const marks *m, const int32_t *element, uint64_t colour)
{
    for (int l = 0; l < m->width; l++)
        for (int a = 0; a < m->each && element[l] >= 0; a++) {
            const int32_t at = m->number[(int64_t)element[l] * m->each + a];
            if (at >= 0)
                m->taken[at] |= colour;
        }
}

enum { COLOURS = 64 };

/* Bundles in the order of their colours; those that find none of 64 free have a pass each. */
static sw_status sort_by_colour(const marks *m, sw_product_list *list)
{
    int64_t count[COLOURS + 2] = {0}, n = list->n_bundles, place[COLOURS + 2];
    uint8_t *colour;
    int32_t *sorted;
    SW_TRY(SW_ALLOCATE(colour, n, "colours"));
    for (int64_t b = 0; b < n; b++) {
        const int32_t *element = list->element + b * m->width;
        const uint64_t taken = near(m, element);
        colour[b] = (uint8_t)(~taken == 0 ? COLOURS : __builtin_ctzll(~taken));
        if (colour[b] < COLOURS)
            mark(m, element, (uint64_t)1 << colour[b]);
        count[colour[b] + 1]++;
    }
    const int64_t alone = count[COLOURS + 1];
    for (int k = 0; k <= COLOURS; k++)
        count[k + 1] += count[k];
    sw_status status = SW_ALLOCATE(sorted, n * m->width, "elements by colour");
    if (status == SW_OK)
        status = SW_ALLOCATE(list->pass, COLOURS + alone + 1, "colours");
    if (status == SW_OK) {
        memcpy(place, count, sizeof place);
        for (int64_t b = 0; b < n; b++)
            memcpy(sorted + place[colour[b]]++ * m->width, list->element + b * m->width,
                   (size_t)m->width * sizeof *sorted);
        for (int k = 0; k < COLOURS; k++)
            if (count[k + 1] > count[k])
                list->pass[++list->n_passes] = count[k + 1];
        for (int64_t b = count[COLOURS]; b < n; b++)
            list->pass[++list->n_passes] = b + 1;
        free(list->element);
        list->element = sorted;
    }
    free(colour);
    return status;
}

/* Of elements i < n for which kind [n] is this one, ascending. */
static sw_status make_list(int64_t n, const uint8_t *kind, int this_one, int by_colours, const marks *m,
                           sw_product_list *list)
{
    int64_t count = 0;
    forget_list(list);
    for (int64_t i = 0; i < n; i++)
        count += kind[i] == this_one;
    list->n_bundles = (count + m->width - 1) / m->width;
    if (count == 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(list->element, list->n_bundles * m->width, "elements"));
    count = 0;
    for (int64_t i = 0; i < n; i++)
        if (kind[i] == this_one)
            list->element[count++] = (int32_t)i;
    while (count < list->n_bundles * m->width)
        list->element[count++] = -1;
    if (by_colours)
        return sort_by_colour(m, list);
    SW_TRY(SW_ALLOCATE(list->pass, 2, "passes"));
    list->n_passes = 1;
    list->pass[1] = list->n_bundles;
    return SW_OK;
}

sw_status sw_products_list(sw_products *p, int width, int by_colours)
{
    uint64_t *taken;
    sw_status status = SW_OK;
    SW_TRY(SW_ALLOCATE(taken, p->n_unknowns, "colours"));
    for (int k = 0; k < p->n_groups; k++)
        for (int kind = 0; kind < SW_PRODUCT_KINDS && status == SW_OK; kind++) {
            sw_product_group *g = &p->group[k];
            const marks m = {g->node, g->V, width, taken};
            memset(taken, 0, (size_t)p->n_nodes * sizeof *taken);
            status = make_list(g->n, g->kind, kind, by_colours, &m, &g->list[kind]);
        }
    for (int k = 0; k < p->n_sizes && status == SW_OK; k++) {
        sw_product_matrices *s = &p->matrices[k];
        const marks m = {s->unknown, s->rows, 1, taken};
        memset(taken, 0, (size_t)p->n_unknowns * sizeof *taken);
        status = make_list(s->n, s->there, 1, by_colours, &m, &s->list);
    }
    free(taken);
    return status;
}
