/* Element matrices are added up colour by colour, so that sums are in the same order whatever the number of
 * threads. */
#include "assembly.h"

#include <stdlib.h>
#include <string.h>

#include "online/fem/element/measure.h"
#include "pattern.h"

void sw_fem_csr_free(sw_fem_csr *csr)
{
    free(csr->row);
    free(csr->column);
    free(csr->value);
    *csr = (sw_fem_csr){0};
}

void sw_fem_assembly_free(sw_fem_assembly *assembly)
{
    sw_fem_csr_free(&assembly->csr);
    free(assembly->position);
    assembly->position = NULL;
}

void sw_fem_list_around(int64_t n_nodes, int64_t n_elements, int V, const int32_t *node, uint32_t *first,
                        uint32_t *at)
{
    memset(first, 0, (size_t)(n_nodes + 1) * sizeof *first);
    for (int64_t i = 0; i < n_elements * V; i++)
        first[node[i]]++;
    uint32_t sum = 0;
    for (int64_t n = 0; n <= n_nodes; n++)
        first[n] = sum += first[n];
    for (int64_t i = n_elements * V - 1; i >= 0; i--)
        at[--first[node[i]]] = (uint32_t)i;
}

sw_status sw_fem_check_around(int64_t n_elements, int V)
{
    if (n_elements * V > UINT32_MAX)
        return sw_error(SW_ERR_RANGE, "%lld elements of %d nodes: this operator takes at most %lld",
                        (long long)n_elements, V, (long long)(UINT32_MAX / V));
    return SW_OK;
}

sw_status sw_fem_assembly_open(const sw_fem_view *view, sw_fem_assembly *assembly)
{
    const int V = sw_fem_corners(view->kinematics), c = sw_fem_components(view->kinematics);
    const int64_t N = view->n_nodes, E = view->n_elements;
    sw_fem_csr *csr = &assembly->csr;
    uint16_t **position = &assembly->position;
    sw_status status = SW_OK;
    int64_t *first = NULL;
    int32_t *neighbour = NULL;
    uint32_t *around_first = NULL, *around_at = NULL;
    int fits = 1;
    *position = NULL;
    *csr = (sw_fem_csr){.n_rows = N * c};
    SW_TRY(sw_fem_check_around(E, V));
    SW_TRY_GOTO(status, SW_ALLOCATE(around_first, N + 1, "elements around nodes"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(around_at, E * V, "elements around nodes"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(first, N + 1, "neighbours of nodes"), done);
    sw_fem_list_around(N, E, V, view->node, around_first, around_at);
    const sw_fem_around around = {around_first, around_at};
#pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++)
        first[n + 1] = sw_fem_count_neighbours(V, view->node, around, n);
    for (int64_t n = 0; n < N; n++)
        first[n + 1] += first[n];
    SW_TRY_GOTO(status, SW_ALLOCATE(neighbour, first[N], "neighbours of nodes"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(*position, E * V * V, "positions in the matrix"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(csr->row, N * c + 1, "rows of the matrix"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(csr->column, first[N] * c * c, "columns of the matrix"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(csr->value, first[N] * c * c, "the matrix"), done);
#pragma omp parallel for schedule(static)
    for (int64_t n = 0; n < N; n++) {
        const int64_t count = first[n + 1] - first[n];
        sw_fem_list_neighbours(V, view->node, around, n, neighbour + first[n]);
        for (int i = 0; i < c; i++) {
            const int64_t at = first[n] * c * c + i * c * count;
            csr->row[n * c + i] = at;
            for (int64_t j = 0; j < count * c; j++)
                csr->column[at + j] = neighbour[first[n] + j / c] * c + (int32_t)(j % c);
        }
    }
    csr->row[N * c] = first[N] * c * c;
#pragma omp parallel for schedule(static) reduction(& : fits)
    for (int64_t e = 0; e < E; e++)
        fits &= sw_fem_positions(V, view->node + e * V, first, neighbour, *position + e * V * V);
    if (!fits)
        status =
            sw_error(SW_ERR_RANGE, "the assembled matrix: a node has more than %d neighbours", UINT16_MAX);
done:
    free(around_first);
    free(around_at);
    free(first);
    free(neighbour);
    if (status != SW_OK)
        sw_fem_assembly_free(assembly);
    return status;
}

void sw_fem_assembly_fill(const sw_fem_view *view, const double *common, sw_fem_assembly *assembly)
{
    const int V = sw_fem_corners(view->kinematics), c = sw_fem_components(view->kinematics), W = V * c;
    sw_fem_matrix_function *const matrix_of = sw_fem_measures[view->measure]->matrix[view->kinematics];
    const sw_fem_csr *csr = &assembly->csr;
    const uint16_t *position = assembly->position;
    memset(csr->value, 0, (size_t)csr->row[csr->n_rows] * sizeof *csr->value);
    for (int colour = 0; colour < view->n_colours; colour++) {
#pragma omp parallel for schedule(dynamic, 64)
        for (int64_t k = view->colour_first[colour]; k < view->colour_first[colour + 1]; k++) {
            const int64_t e = view->coloured[k];
            double own[SW_FEM_MOST_ENTRIES];
            const double *matrix = own;
            if (common && view->slot[e] < 0)
                matrix = common + view->material_of[e] * W * W;
            else
                matrix_of(view, e, own);
            for (int a = 0; a < V; a++)
                for (int b = 0; b < V; b++)
                    for (int i = 0; i < c; i++)
                        for (int j = 0; j < c; j++)
                            csr->value[csr->row[(int64_t)view->node[e * V + a] * c + i] +
                                       position[(e * V + a) * V + b] * c + j] +=
                                matrix[(a * c + i) * W + b * c + j];
        }
    }
}

sw_status sw_fem_assemble(const sw_fem_view *view, sw_fem_csr *csr)
{
    sw_fem_assembly assembly;
    SW_TRY(sw_fem_assembly_open(view, &assembly));
    sw_fem_assembly_fill(view, NULL, &assembly);
    free(assembly.position);
    *csr = assembly.csr;
    return SW_OK;
}
