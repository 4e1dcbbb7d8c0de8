/* Jacobi and block-Jacobi on the CPU. */
#include <stdlib.h>
#include <string.h>

#include "common/system/threads.h"
#include "online/fem/element/element_matrix.h"
#include "preconditioners.h"

/* Blocks of an element's nodes, added to block [N][c][c]. */
SW_FEM_INLINE void add_element(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int c = sw_fem_components(k), V = sw_fem_corners(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_stiffness stiffness[8];
    sw_fem_element_shape(k, view, e, x);
    const int same = sw_fem_element_stiffness(k, view, e, stiffness);
    for (int j = 0; j < V * c; j++) {
        double *at = block + (int64_t)view->node[e * V + j / c] * c * c;
        sw_fem_element_column(k, view, (const double(*)[8])x, stiffness, same, j, column);
        for (int i = 0; i < c; i++)
            at[i * c + j % c] += column[j / c * c + i];
    }
}

#define ADD_ELEMENT(name, k)                                                                            \
    static __attribute__((noinline)) void add_##name(const sw_fem_view *view, int64_t e, double *block) \
    {                                                                                                   \
        add_element(k, view, e, block);                                                                 \
    }
SW_FEM_EACH_KINEMATICS(ADD_ELEMENT)
#define ADDER(name, k) [k] = add_##name,
static void (*const adders[])(const sw_fem_view *, int64_t, double *) = {SW_FEM_EACH_KINEMATICS(ADDER)};

/* Diagonal blocks of K under the view's tangent: block [N][c][c]. */
static void diagonal_blocks(const sw_fem_view *view, double *block)
{
    const int c = sw_fem_components(view->kinematics);
    const int64_t n = view->n_nodes * c * c;
#pragma omp parallel num_threads(sw_threads_for(view->n_elements / view->n_colours, SW_FEM_MATRIX_NS))
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < n; i++)
            block[i] = 0;
        for (int colour = 0; colour < view->n_colours; colour++)
#pragma omp for schedule(static)
            for (int64_t i = view->colour_first[colour]; i < view->colour_first[colour + 1]; i++)
                adders[view->kinematics](view, view->coloured[i], block);
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
    *result = NULL;
    SW_TRY(SW_ALLOCATE(work, 1, "preconditioner"));
    work->fem = fem;
    const sw_status status = SW_ALLOCATE(work->block, fem->n_unknowns * fem->components, "preconditioner");
    if (status != SW_OK) {
        close_jacobi(work);
        return status;
    }
    *result = work;
    return SW_OK;
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
    if (view->n_plastic == 0 && work->elastic_known)
        return SW_OK;
    work->elastic_known = view->n_plastic == 0;
    diagonal_blocks(view, work->block);
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
