/* Jacobi and block-Jacobi on the CPU. */
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/fem/element/measure.h"
#include "online/fem/parts/parts.h"
#include "online/fem/periodic/periodic.h"
#include "preconditioners.h"

/* Diagonal blocks of K under the view's tangent: block [N][c][c]. */
static void diagonal_blocks(const sw_fem_view *view, double *block)
{
    const int c = sw_fem_components(view->kinematics);
    const int64_t n = view->n_nodes * c * c;
    sw_fem_blocks_function *const add = sw_fem_measures[view->measure]->blocks[view->kinematics];
#pragma omp parallel num_threads(sw_threads_for(view->n_elements / view->n_colours, SW_FEM_MATRIX_NS))
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < n; i++)
            block[i] = view->nodal ? view->nodal[i] : 0;
        for (int colour = 0; colour < view->n_colours; colour++)
#pragma omp for schedule(static)
            for (int64_t i = view->colour_first[colour]; i < view->colour_first[colour + 1]; i++)
                add(view, view->coloured[i], block);
    }
}

typedef struct {
    const sw_fem *fem;
    double *block; /* [N][c][c] inverses */
    int elastic_known;
} jacobi_work;

static void close_jacobi(void *opaque)
{
    jacobi_work *work = opaque;
    if (work)
        free(work->block);
    free(work);
}

static sw_status open_jacobi(sw_fem *fem, const sw_fem_view *view, void **result)
{
    jacobi_work *work;
    (void)view;
    SW_TRY(SW_ALLOCATE(work, 1, "preconditioner"));
    *result = work;
    work->fem = fem;
    return SW_ALLOCATE(work->block, fem->n_unknowns * fem->components, "preconditioner");
}

static int threads_for_blocks(const sw_fem *fem)
{
    return sw_threads_for(fem->n_unknowns * fem->components, SW_FEM_UNKNOWN_NS);
}

static sw_status prepare_jacobi(void *opaque, const sw_fem_view *view)
{
    jacobi_work *work = opaque;
    const sw_fem *fem = work->fem;
    const int c = fem->components, diagonal = fem->options.preconditioner == SW_FEM_JACOBI;
    if (!fem->parts && view->n_plastic == 0 && work->elastic_known) /* other parts may have others */
        return SW_OK;
    work->elastic_known = view->n_plastic == 0;
    diagonal_blocks(view, work->block);
    if (fem->periodic)
        SW_TRY(fem->periodic->device->add_blocks(fem->periodic->work, work->block));
    SW_TRY(sw_fem_parts_sum(fem, c * c, work->block));
#pragma omp parallel for schedule(static) num_threads(threads_for_blocks(fem))
    for (int64_t n = 0; n < fem->n_nodes; n++)
        sw_fem_invert_block(c, fem->fixed + n * c, diagonal, work->block + n * c * c);
    return SW_OK;
}

static sw_status apply_jacobi(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    const jacobi_work *work = opaque;
    const sw_fem *fem = work->fem;
    const int c = fem->components;
    (void)view;
#pragma omp parallel for schedule(static) num_threads(threads_for_blocks(fem))
    for (int64_t n = 0; n < fem->n_nodes; n++)
        for (int i = 0; i < c; i++) {
            double sum = 0;
            for (int j = 0; j < c; j++)
                sum += work->block[(n * c + i) * c + j] * r[n * c + j];
            z[n * c + i] = sum;
        }
    return SW_OK;
}

const sw_fem_preconditioner_functions sw_fem_jacobi_cpu = {open_jacobi, close_jacobi, prepare_jacobi,
                                                           apply_jacobi};
