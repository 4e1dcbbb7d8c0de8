/* Algebraic multigrid on the CPU (online/fem/aggregation/): of the assembled tangent of any mesh. A hierarchy is kept while it
 * serves: at small strains that of the elastic body for good, else that of a substep's first tangent through the substep; until
 * other nodes touch a tool, or a solution takes WORN times the cycles of the first two by it; of a tangent that was not
 * positive, as where a substep begins far from equilibrium, not once more. Each substep begins with what it would begin with
 * after a restart, so that it has the same bits, and after one that failed with nothing of its.
 *
 * Of a body over processes each has the whole's matrix, made of those of the parts, and its levels, which they make and go through
 * together. */
#include <stdlib.h>

#include "online/fem/aggregation/aggregation.h"
#include "common/system/parallel.h"
#include "online/fem/assembly/assembly.h"
#include "online/fem/parts/parts.h"
#include "preconditioners.h"

#define WORN 2 /* times the first, and */
enum { MORE = 20 };

typedef struct {
    sw_fem *fem;
    sw_fem_assembly assembly;
    int64_t *place; /* [N c] itself; -1: prescribed */
    sw_blocks matrix;
    sw_fem_whole_matrix sum;        /* of parts: what theirs come to, */
    sw_blocks whole;                /* which has its rows and values; else empty */
    double *whole_r, *whole_z;      /* [all nodes][c] of parts; else NULL */
    double (*position)[3], *motion; /* of all nodes */
    sw_aggregation *levels;
    int32_t *no_slot; /* [E] -1, at small strains: of the elastic tangent */
    int elastic;      /* the levels are the elastic body's */
    int64_t made_in;  /* fem->begun */
    int64_t touching; /* nodes that contact or pressures stiffened when they were made */
    int64_t solutions, cycles,
        first; /* by these levels; cycles of the present one; the most of the first two */
    int64_t bytes;
} amg_work;

static void count(amg_work *work)
{
    const sw_fem_csr *csr = &work->assembly.csr;
    const int64_t now = csr->row[csr->n_rows] * 12 + sw_blocks_bytes(&work->matrix) +
                        sw_fem_whole_matrix_bytes(&work->sum) + sw_aggregation_bytes(work->levels);
    sw_fem_count_bytes(work->fem, now - work->bytes);
    work->bytes = now;
}

static void close_amg(void *opaque)
{
    amg_work *work = opaque;
    if (!work)
        return;
    sw_fem_assembly_free(&work->assembly);
    free(work->place);
    free(work->position);
    free(work->motion);
    free(work->no_slot);
    sw_blocks_free(&work->matrix);
    sw_fem_whole_matrix_free(&work->sum);
    free(work->whole.column);
    free(work->whole_r);
    free(work->whole_z);
    sw_aggregation_close(work->levels);
    sw_fem_count_bytes(work->fem, -work->bytes);
    free(work);
}

static sw_scalars scalars_of(const amg_work *work)
{
    const sw_fem_csr *csr = &work->assembly.csr;
    return (sw_scalars){
        .n_unknowns = csr->n_rows, .row = csr->row, .column32 = csr->column, .value = csr->value};
}

/* ---- Of a body over processes ---- */

/* The pattern of the whole's matrix: the diagonal first, as levels want it. */
static sw_status open_whole(amg_work *work)
{
    const sw_fem_parts *parts = work->fem->parts;
    const sw_blocks *part = &work->matrix;
    const int32_t *node = parts->division.node;
    const int c = work->fem->components;
    const int64_t N = parts->division.mesh->n_nodes, n = part->row[part->n_rows];
    int64_t(*at)[2];
    SW_TRY(SW_ALLOCATE(at, n, "the matrix by blocks"));
    for (int64_t i = 0; i < part->n_rows; i++)
        for (int64_t k = part->row[i]; k < part->row[i + 1]; k++) {
            at[k][0] = node[i];
            at[k][1] = node[part->column[k]];
        }
    const sw_fem_matrix_entries entries = {1, 1, c * c, N, n, (const int64_t(*)[2])at};
    const sw_status status = sw_fem_whole_matrix_open(&parts->division, &entries, &work->sum);
    free(at);
    SW_TRY(status);
    work->whole = (sw_blocks){.height = c,
                              .width = c,
                              .together = 1,
                              .n_rows = N,
                              .n_columns = N,
                              .row = work->sum.row,
                              .value = work->sum.value};
    SW_TRY(SW_ALLOCATE(work->whole.column, work->sum.row[N], "columns of the matrix"));
    for (int64_t k = 0; k < work->sum.row[N]; k++)
        work->whole.column[k] = (int32_t)work->sum.column[k];
    SW_TRY(SW_ALLOCATE(work->whole_r, N * c, "vector"));
    return SW_ALLOCATE(work->whole_z, N * c, "vector");
}

/* Which unknowns of all nodes are prescribed: [all nodes][c], released by the caller. */
static sw_status find_fixed(const sw_fem *fem, uint8_t **fixed)
{
    const sw_fem_division *d = &fem->parts->division;
    SW_TRY(SW_ALLOCATE(*fixed, d->mesh->n_nodes * fem->components, "prescribed unknowns"));
    return sw_fem_collect_nodes(d, fem->components, fem->fixed, *fixed);
}

/* ---- Open ---- */

/* Where nodes are, and how they move as a rigid body. */
static sw_status place_nodes(amg_work *work)
{
    const sw_fem *fem = work->fem;
    const sw_fem_mesh *mesh = fem->parts ? fem->parts->division.mesh : fem->problem->mesh;
    const int c = fem->components, d = fem->dimension;
    uint8_t *all = NULL;
    SW_TRY(SW_ALLOCATE(work->position, mesh->n_nodes, "nodes"));
    SW_TRY(SW_ALLOCATE(work->motion, mesh->n_nodes * c * 6, "rigid motions"));
    for (int64_t i = 0; i < mesh->n_nodes; i++)
        for (int k = 0; k < d; k++)
            work->position[i][k] = mesh->position[i * d + k];
    const sw_status status = fem->parts ? find_fixed(fem, &all) : SW_OK;
    if (status == SW_OK)
        sw_rigid_motions(c, mesh->n_nodes, (const double(*)[3])work->position, fem->parts ? all : fem->fixed,
                         work->motion);
    free(all);
    return status;
}

static sw_status open_matrix(amg_work *work, const sw_fem_view *view)
{
    const sw_fem *fem = work->fem;
    const int c = fem->components;
    const int64_t N = fem->n_nodes;
    SW_TRY(sw_fem_assembly_open(view, &work->assembly));
    SW_TRY(SW_ALLOCATE(work->place, N * c, "places of unknowns"));
    if (view->measure == SW_FEM_MEASURE_SMALL)
        SW_TRY(SW_ALLOCATE(work->no_slot, view->n_elements, "elements"));
    for (int64_t e = 0; e < view->n_elements && work->no_slot; e++)
        work->no_slot[e] = -1;
    for (int64_t i = 0; i < N * c; i++)
        work->place[i] = fem->fixed[i] ? -1 : i;
    const sw_scalars scalars = scalars_of(work);
    SW_TRY(sw_blocks_pattern(&scalars, work->place, c, N, &work->matrix));
    return fem->parts ? open_whole(work) : SW_OK;
}

static sw_status open_amg(sw_fem *fem, const sw_fem_view *view, void **result)
{
    amg_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "preconditioner"));
    *result = work;
    work->fem = fem;
    SW_TRY(open_matrix(work, view));
    return place_nodes(work);
}

/* What is no element: contact and pressures, of a node with itself. */
static void add_nodal(const sw_fem_view *view, int c, const uint8_t *fixed, sw_blocks *matrix)
{
    for (int64_t n = 0; view->nodal && n < view->n_nodes; n++)
        for (int i = 0; i < c; i++)
            for (int j = 0; j < c; j++)
                if (!fixed[n * c + i] && !fixed[n * c + j])
                    matrix->value[(matrix->row[n] * c + i) * c + j] += view->nodal[(n * c + i) * c + j];
}

/* In all parts. */
static int64_t count_touching(const amg_work *work, const sw_fem_view *view)
{
    const int c = work->fem->components;
    int64_t n = 0;
    for (int64_t i = 0; view->nodal && i < view->n_nodes; i++)
        n += view->nodal[i * c * c] != 0;
    if (work->fem->parts)
        sw_parallel_sum_counts(&n, 1);
    return n;
}

static sw_status make_levels(amg_work *work, const sw_fem_view *given, int elastic)
{
    sw_fem_view of_elastic = *given;
    of_elastic.n_plastic = 0;
    of_elastic.slot = work->no_slot;
    const sw_fem_view *view = elastic ? &of_elastic : given;
    static const int motions[] = {0, 1, 3, 6};
    const int c = work->fem->components;
    sw_fem_assembly_fill(view, NULL, &work->assembly);
    const sw_scalars scalars = scalars_of(work);
    sw_blocks_fill(&scalars, work->place, &work->matrix);
    add_nodal(view, c, work->fem->fixed, &work->matrix);
    if (work->fem->parts)
        SW_TRY(sw_fem_whole_matrix_fill(work->matrix.value, &work->sum));
    sw_aggregation_close(work->levels);
    work->levels = NULL;
    work->solutions = work->first = 0;
    work->elastic = elastic;
    work->made_in = work->fem->begun;
    work->touching = count_touching(work, view);
    SW_TRY(sw_aggregation_open(work->fem->parts ? &work->whole : &work->matrix, motions[c], work->motion,
                               (const double(*)[3])work->position, &work->levels));
    count(work);
    return SW_OK;
}

static sw_status prepare_amg(void *opaque, const sw_fem_view *view)
{
    amg_work *work = opaque;
    const int64_t cycles = work->cycles;
    const int begins = !work->levels || work->made_in != work->fem->begun,
              may_be_elastic = work->no_slot != NULL;
    work->cycles = 0;
    if (begins && work->levels && work->elastic) { /* as if they were new */
        work->made_in = work->fem->begun;
        work->solutions = work->first = 0;
        return SW_OK;
    }
    if (begins)
        return make_levels(work, view, may_be_elastic);
    if (work->solutions++ < 2)
        work->first = cycles > work->first ? cycles : work->first;
    const int64_t touching = count_touching(work, view);
    const int serves = !sw_aggregation_is_indefinite(work->levels) && cycles <= WORN * work->first + MORE &&
                       work->touching == touching;
    return serves ? SW_OK : make_levels(work, view, 0);
}

/* z of a part's nodes, of r at all. */
static sw_status apply_to_whole(amg_work *work, const double *r, double *z)
{
    const sw_fem_division *d = &work->fem->parts->division;
    const int c = work->fem->components;
    SW_TRY(sw_fem_collect_nodes(d, c * (int64_t)sizeof *r, r, work->whole_r));
    sw_aggregation_apply(work->levels, work->whole_r, work->whole_z);
    for (int64_t i = 0; i < d->n_nodes * c; i++)
        z[i] = work->whole_z[sw_fem_whole_unknown(d, c, i)];
    return SW_OK;
}

static sw_status apply_amg(void *opaque, const sw_fem_view *view, const double *r, double *z)
{
    amg_work *work = opaque;
    const sw_fem *fem = work->fem;
    const int64_t n = fem->n_nodes * fem->components;
    (void)view;
    work->cycles++;
    if (fem->parts)
        SW_TRY(apply_to_whole(work, r, z));
    else
        sw_aggregation_apply(work->levels, r, z);
    for (int64_t i = 0; i < n; i++)
        z[i] = fem->fixed[i] ? 0 : z[i];
    for (int64_t i = n; i < fem->n_unknowns; i++) /* tools' */
        z[i] = 0;
    return SW_OK;
}

const sw_fem_preconditioner_functions sw_fem_amg_cpu = {open_amg, close_amg, prepare_amg, apply_amg};
