/* The condensed equations by conjugate gradients and algebraic multigrid (online/fem/aggregation/): the matrix by blocks of
 * nodes. A hierarchy is kept while it serves: through Newton's iterations of an increment, and increments that begin with the same
 * matrix. Each begins as it would after a restart, so that it has the same bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/phases.h"
#include "common/files/hash.h"
#include "common/system/built.h"
#include "common/system/threads.h"
#include "online/fem/aggregation/equations.h"
#include "online/fem/linear/linear.h"

/* A hierarchy is made anew where solutions have taken so many iterations more than the first one by it, digit by digit, as its
 * making takes the time of. */
enum { MAKING = 30, MAKING_FOR_A_GPU = 200 };
enum { PIECE = 1 << 16 }; /* numbers of the matrix whose hash is taken in one */

struct sw_structure_multigrid {
    int64_t *place; /* [q] 3 node + component of those with a free unknown */
    int64_t n;      /* these nodes */
    double (*position)[3], *motion;
    uint8_t *idle; /* [n][3] no unknown */
    sw_blocks matrix;
    sw_aggregation *levels;
    int64_t made_in; /* increments before */
    uint64_t hash;   /* of the matrix that they were made of */
    double first;    /* iterations a digit of the first solution by these levels */
    double lost;     /* iterations that others took more */
    int worn;        /* they are to be made anew */
    double *right;   /* [3 n], then what is solved for */
    sw_block_equations equations;
};
typedef struct sw_structure_multigrid work;

/* ---- Open ---- */

void sw_structure_multigrid_close(struct sw_structure_multigrid *w)
{
    if (w == NULL)
        return;
    free(w->place);
    free(w->position);
    free(w->motion);
    free(w->idle);
    free(w->right);
    sw_block_equations_close(&w->equations);
    sw_blocks_free(&w->matrix);
    sw_aggregation_close(w->levels);
    free(w);
}

/* Nodes with free unknowns, where they are, how they move as a rigid body. */
static sw_status place_unknowns(const sw_structure *s, work *w)
{
    const sw_structure_ties *t = &s->ties;
    SW_TRY(SW_ALLOCATE(w->place, t->n_free, "places of unknowns"));
    for (int64_t u = 0; u < t->n_unknowns; u += 3) {
        const int has = t->number[u] >= 0 || t->number[u + 1] >= 0 || t->number[u + 2] >= 0;
        for (int i = 0; i < 3; i++)
            if (t->number[u + i] >= 0)
                w->place[t->number[u + i]] = 3 * w->n + i;
        w->n += has;
    }
    SW_TRY(SW_ALLOCATE(w->position, w->n, "nodes"));
    SW_TRY(SW_ALLOCATE(w->motion, 18 * w->n, "rigid motions"));
    SW_TRY(SW_ALLOCATE(w->idle, 3 * w->n, "nodes"));
    memset(w->idle, 1, (size_t)(3 * w->n));
    for (int64_t u = 0; u < t->n_unknowns; u++)
        if (t->number[u] >= 0) {
            const int64_t at = w->place[t->number[u]];
            w->idle[at] = 0;
            memcpy(w->position[at / 3], s->problem->position[u / 3], sizeof *w->position);
        }
    sw_rigid_motions(3, w->n, (const double(*)[3])w->position, w->idle, w->motion);
    return SW_OK;
}

static sw_scalars scalars_of(const sw_structure *s)
{
    const sw_fem_sparse *m = &s->system.matrix;
    return (sw_scalars){.n_unknowns = m->n, .row = m->row, .column64 = m->column, .value = m->value};
}

static sw_status open_matrix(const sw_structure *s, work *w)
{
    const sw_scalars scalars = scalars_of(s);
    SW_TRY(sw_blocks_pattern(&scalars, w->place, 3, w->n, &w->matrix));
    w->matrix.together = 1;
    const sw_block_device *on = s->on_gpu ? SW_WITH_CUDA(&sw_blocks_cuda) : NULL;
    return sw_block_equations_open(&w->matrix, on != NULL ? on : &sw_blocks_cpu, &w->equations);
}

static sw_status open_all(const sw_structure *s, work *w)
{
    SW_TRY(place_unknowns(s, w));
    SW_TRY(SW_ALLOCATE(w->right, 3 * w->n, "vector"));
    return open_matrix(s, w);
}

sw_status sw_structure_multigrid_widen(sw_structure *s)
{
    work *w = s->multigrid;
    sw_block_equations_close(&w->equations);
    sw_blocks_free(&w->matrix);
    SW_TRY(open_matrix(s, w));
    w->equations.levels = w->levels;
    return w->levels != NULL ? w->equations.on->take_levels(&w->equations) : SW_OK;
}

/* ---- Solution ---- */

static sw_status take_hash(const work *w, uint64_t *hash)
{
    const int64_t n = 9 * w->matrix.row[w->n], pieces = (n + PIECE - 1) / PIECE;
    uint64_t *piece;
    SW_TRY(SW_ALLOCATE(piece, pieces, "the matrix by blocks"));
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, 1))
    for (int64_t k = 0; k < pieces; k++)
        piece[k] = sw_hash(SW_HASH_START, w->matrix.value + k * PIECE,
                           (size_t)(n - k * PIECE < PIECE ? n - k * PIECE : PIECE) * sizeof(double));
    *hash = sw_hash(SW_HASH_START, piece, (size_t)pieces * sizeof *piece);
    free(piece);
    return SW_OK;
}

static sw_status make_levels(work *w, int64_t increments)
{
    sw_block_equations *e = &w->equations;
    sw_phase("hierarchy");
    sw_aggregation_close(w->levels);
    w->levels = NULL;
    w->first = w->lost = w->worn = 0;
    w->made_in = increments;
    SW_TRY(take_hash(w, &w->hash));
    SW_TRY(sw_aggregation_open(&w->matrix, 6, w->motion, (const double(*)[3])w->position, &w->levels));
    e->levels = w->levels;
    return e->on->take_levels(e);
}

static const sw_fem_linear_functions *solver_of(const sw_structure *s)
{
    const sw_fem_linear_solver linear = s->options.linear;
    return linear == SW_FEM_SOLVE_GMRES                                  ? &sw_fem_gmres
           : linear == SW_FEM_SOLVE_BICGSTAB || !s->symmetric || s->skew ? &sw_fem_bicgstab
                                                                         : &sw_fem_cg;
}

static sw_status iterate(work *w, const sw_structure *s, const double *right, double tolerance, int *taken)
{
    const sw_fem_linear_functions *by = solver_of(s);
    sw_block_equations *e = &w->equations;
    sw_fem *fem = &e->fem;
    double most = 0;
    void *linear_work = NULL;
    memset(w->right, 0, (size_t)(3 * w->n) * sizeof *w->right);
    for (int64_t q = 0; q < s->ties.n_free; q++) {
        w->right[w->place[q]] = right[q];
        most = fmax(most, fabs(right[q]));
    }
    e->scale = most > 0 ? most : 1;
    fem->symmetric = s->symmetric && !s->skew;
    sw_phase("iterations");
    if (s->options.linear == SW_FEM_SOLVE_CG && !fem->symmetric)
        return sw_error(SW_ERR_RANGE,
                        "linear cg: the tangent is not symmetric: need bicgstab, gmres or direct");
    SW_TRY(fem->backend->upload(fem, w->right, e->r));
    if (by->open != NULL)
        SW_TRY(by->open(fem, &linear_work));
    fem->linear_work = linear_work;
    const sw_status status = by->solve(fem, e->x, e->r, tolerance, taken);
    if (by->close != NULL)
        by->close(linear_work);
    return status == SW_OK ? fem->backend->download(fem, e->x, w->right) : status;
}

/* A hierarchy of another tangent that leads nowhere is made anew once. */
static sw_status solve(sw_structure *s, work *w, const double *right, double tolerance, int *taken)
{
    int kept = w->levels != NULL && !w->worn;
    if (w->levels != NULL && w->made_in != s->increments) {
        uint64_t hash;
        SW_TRY(take_hash(w, &hash));
        kept = w->hash == hash;
        w->made_in = s->increments;
        w->first = w->lost = w->worn = 0;
    }
    if (!kept)
        SW_TRY(make_levels(w, s->increments));
    sw_status status = iterate(w, s, right, tolerance, taken);
    if (status == SW_ERR_CONVERGENCE && kept) {
        s->products_taken += *taken;
        SW_TRY(make_levels(w, s->increments));
        status = iterate(w, s, right, tolerance, taken);
    }
    const double digits = -log10(tolerance);
    w->first = w->first == 0 ? *taken / digits : w->first;
    w->lost += fmax(0, *taken - w->first * digits);
    w->worn = status != SW_OK || w->lost > (s->on_gpu ? MAKING_FOR_A_GPU : MAKING);
    return status;
}

sw_status sw_structure_multigrid_solve(sw_structure *s, int64_t most, double tolerance, const double *right,
                                       double *dq)
{
    int taken = 0;
    if (s->multigrid == NULL) {
        work *w;
        SW_TRY(SW_ALLOCATE(w, 1, "multigrid"));
        s->multigrid = w;
        sw_phase("equations");
        SW_TRY(open_all(s, w));
    }
    work *w = s->multigrid;
    sw_phase("blocks");
    const sw_scalars scalars = scalars_of(s);
    sw_blocks_fill(&scalars, w->place, &w->matrix);
    SW_TRY(w->equations.on->take_matrix(&w->equations));
    w->equations.fem.options.most_cg = most;
    const sw_status status = solve(s, w, right, tolerance, &taken);
    s->products_taken += taken;
    sw_phase("Newton");
    for (int64_t q = 0; q < s->ties.n_free && status == SW_OK; q++)
        dq[q] = w->right[w->place[q]];
    return status;
}
