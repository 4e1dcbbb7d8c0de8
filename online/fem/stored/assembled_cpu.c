/* Operator `assembled` on the CPU: the matrix in compressed rows times a vector. */
#include <stdlib.h>

#include "stored_cpu.h"

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
    sw_fem_assembly_fill(view, work->common, &work->assembly);
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
