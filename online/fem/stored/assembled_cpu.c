/* The assembled matrix on the CPU, in compressed rows, and the operator that multiplies with it. Element
 * matrices are added up colour by colour, so that sums are in the same order whatever the number of
 * threads. */
#include <stdlib.h>
#include <string.h>

#include "online/fem/element/measure.h"
#include "stored_cpu.h"

/* ---- The matrix ---- */

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

/* Add up element matrices, colour by colour; common [n_materials][W][W]: of elastic elements, or NULL. */
static void assemble(const sw_fem_view *view, const double *common, sw_fem_assembly *assembly)
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
    assemble(view, NULL, &assembly);
    free(assembly.position);
    *csr = assembly.csr;
    return SW_OK;
}

void sw_fem_assembly_fill(const sw_fem_view *view, sw_fem_assembly *assembly)
{
    assemble(view, NULL, assembly);
}

/* ---- The operator ---- */

typedef struct {
    sw_fem *fem;
    int64_t bytes;
    sw_fem_assembly assembly;
    double *common; /* [n_materials][W][W]; NULL where elements differ */
} assembled_work;

static void close_assembled(void *pointer)
{
    assembled_work *work = pointer;
    if (work == NULL)
        return;
    sw_fem_count_bytes(work->fem, -work->bytes);
    sw_fem_assembly_free(&work->assembly);
    free(work->common);
    free(work);
}

static sw_status open_assembled(sw_fem *fem, const sw_fem_view *view, void **pointer)
{
    const int V = fem->corners, c = fem->components, W = V * c;
    const sw_fem_options single = {.storage = SW_FEM_SINGLE};
    assembled_work *work;
    *pointer = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "the operator"));
    work->fem = fem;
    sw_status status = sw_fem_assembly_open(view, &work->assembly);
    if (status == SW_OK) {
        const int64_t rows = work->assembly.csr.n_rows, entries = work->assembly.csr.row[rows];
        work->bytes = (rows + 1) * 8 + entries * 12 + fem->n_elements * V * V * 2;
        sw_fem_count_bytes(fem, work->bytes);
    }
    if (status == SW_OK && sw_fem_storage_of(fem->problem, &single) == SW_FEM_SINGLE) {
        status = SW_ALLOCATE(work->common, fem->problem->n_materials * W * W, "elastic element matrices");
        const int64_t more = status == SW_OK ? (int64_t)fem->problem->n_materials * W * W * 8 : 0;
        work->bytes += more;
        sw_fem_count_bytes(fem, more);
        for (int m = 0; status == SW_OK && m < fem->problem->n_materials; m++)
            sw_fem_elastic_matrix_cpu(view->kinematics, view, m, work->common + m * W * W);
    }
    if (status != SW_OK) {
        close_assembled(work);
        return status;
    }
    *pointer = work;
    return SW_OK;
}

static sw_status prepare_assembled(void *pointer, const sw_fem_view *view)
{
    assembled_work *work = pointer;
    assemble(view, work->common, &work->assembly);
    return SW_OK;
}

static sw_status product_assembled(void *pointer, const sw_fem_view *view, const double *p, double *g)
{
    const sw_fem_csr *csr = &((const assembled_work *)pointer)->assembly.csr;
    (void)view;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < csr->n_rows; i++) {
        double sum = 0;
        for (int64_t k = csr->row[i]; k < csr->row[i + 1]; k++)
            sum += csr->value[k] * p[csr->column[k]];
        g[i] = sum;
    }
    return SW_OK;
}

const sw_fem_operator_functions sw_fem_assembled_cpu = {open_assembled, close_assembled, prepare_assembled,
                                                        product_assembled, NULL};
