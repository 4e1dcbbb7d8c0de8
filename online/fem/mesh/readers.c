/* What the readers of mesh files have in common: labels, planes. */
#include "readers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Labels ---- */

static int compare_labels(const void *a, const void *b)
{
    const struct sw_fem_label *x = a, *y = b;
    return x->label != y->label ? (x->label > y->label) - (x->label < y->label)
                                : (x->index > y->index) - (x->index < y->index);
}

sw_status sw_fem_labels_sort(int64_t n, const int64_t *label, sw_fem_labels *labels)
{
    int ascending = 1;
    *labels = (sw_fem_labels){.n = n, .repeated = {-1, -1}};
    SW_TRY(SW_ALLOCATE(labels->sorted, n, "labels of a mesh"));
    for (int64_t i = 0; i < n; i++) {
        labels->sorted[i] = (struct sw_fem_label){label[i], (int32_t)i};
        ascending &= i == 0 || label[i] > label[i - 1];
    }
    if (ascending)
        return SW_OK;
    qsort(labels->sorted, (size_t)n, sizeof *labels->sorted, compare_labels);
    for (int64_t i = 1; i < n && labels->repeated[0] < 0; i++)
        if (labels->sorted[i].label == labels->sorted[i - 1].label) {
            labels->repeated[0] = labels->sorted[i - 1].index;
            labels->repeated[1] = labels->sorted[i].index;
        }
    return SW_OK;
}

/* Labels are mostly without gaps, and then where the first one says. */
int32_t sw_fem_labels_find(const sw_fem_labels *labels, int64_t label)
{
    int64_t low = 0, high = labels->n;
    if (high == 0 || label < labels->sorted[0].label || label > labels->sorted[high - 1].label)
        return -1;
    const int64_t guess = label - labels->sorted[0].label;
    if (guess < high && labels->sorted[guess].label == label)
        return labels->sorted[guess].index;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (labels->sorted[middle].label <= label)
            low = middle;
        else
            high = middle;
    }
    return labels->sorted[low].label == label ? labels->sorted[low].index : -1;
}

/* ---- Positions ---- */

sw_status sw_fem_mesh_place(sw_fem_mesh *mesh, const double *at, sw_fem_fault *fault)
{
    const int d = sw_fem_shapes[mesh->shape].dimension;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    *fault = (sw_fem_fault){.node = -1, .element = -1};
    SW_TRY(SW_ALLOCATE(mesh->position, mesh->n_nodes * d, "nodes of a mesh"));
    for (int64_t n = 0; n < mesh->n_nodes; n++)
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], at[3 * n + i]);
            high[i] = fmax(high[i], at[3 * n + i]);
            if (i < d)
                mesh->position[d * n + i] = at[3 * n + i];
        }
    /* Files may hold coordinates to seven digits only. */
    const double slack = 1e-6 * (fabs(low[2]) + fmax(high[0] - low[0], high[1] - low[1]));
    for (int64_t n = 0; d == 2 && n < mesh->n_nodes; n++)
        if (!(fabs(at[3 * n + 2] - at[2]) <= slack)) {
            fault->node = n;
            snprintf(fault->text, sizeof fault->text,
                     "node %" PRId64 " at z = %.6g, the first one at %.6g: need quadrilaterals in a plane of "
                     "constant z",
                     mesh->node_label[n], at[3 * n + 2], at[2]);
            break;
        }
    return SW_OK;
}
