#include "present.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "divided.h"
#include "online/fem/mesh/lattice.h"

/* ---- The coarsest level ---- */

static sw_status invert_coarsest(sw_fem_hierarchy *h, const sw_fem_present_functions *on, int *indefinite)
{
    const sw_fem_level *l = &h->level[h->n_levels - 1];
    sw_fem_cell_matrix *matrix;
    SW_TRY(SW_ALLOCATE(matrix, l->n_own, "coarsest level"));
    memset(h->coarsest, 0, (size_t)(h->n_coarsest * h->n_coarsest) * sizeof *h->coarsest);
    sw_status status;
    SW_TRY_GOTO(status, on->last_cells(on->work, matrix), done);
    for (int64_t own = 0; own < l->n_own; own++) {
        double wide[24 * 24];
        for (int i = 0; i < 24 * 24; i++)
            wide[i] = matrix[own][i];
        sw_fem_add_to_coarsest(h, l->own_cell[own], wide);
    }
    SW_TRY_GOTO(status, sw_fem_invert_coarsest(h, SW_FEM_DEPENDENT_ROW, indefinite), done);
    status = on->keep_coarsest(on->work);
done:
    free(matrix);
    return status;
}

/* ---- The largest eigenvalues ---- */

enum { POWERS = 10 };
#define SAFETY \
    1.1 /* of an upset 10 powers left 5 to 8 %, and nothing hung on it: 1 to 1.1, within 1 % of iterations */

/* Of D^-1 K, D the blocks: the growth of scattered numbers in the norm of D, which comes from below. */
static sw_status find_largest(const sw_fem_hierarchy *h, const sw_fem_present_functions *on,
                              const sw_fem_cycle_functions *cycle, const sw_fem_cycle_vectors *v, int level,
                              double *largest)
{
    double before, now = 0;
    *largest = 1;
    SW_TRY(on->start(on->work, level, v->d, v->r));
    for (int i = 0; i <= POWERS; i++) {
        before = now;
        if (i > 0)
            SW_TRY(on->start(on->work, level, NULL, v->r));
        cycle->reduce(cycle->work, level, v->d, v->r);
        cycle->smooth(cycle->work, level, 0, -1, v->r, v->d, v->x);
        if (i > 0 && i + 1 < POWERS) /* for the last two numbers; and whether anything is free */
            continue;
        SW_TRY(on->dot(on->work, level, v->d, v->r, &now));
        now = h->divided ? -sw_parallel_sum_in_order(now) : -now;
        if (!(now > 0))
            return SW_OK; /* nothing is free */
    }
    *largest = SAFETY * sqrt(now / before);
    return SW_OK;
}

/* ---- All ---- */

/* All levels from the finest matrices. */
static sw_status make_levels(sw_fem_hierarchy *h, const sw_fem_present_functions *on, int *indefinite)
{
    for (int level = 0; level < h->n_levels; level++) {
        if (level > 0)
            SW_TRY(on->coarsen(on->work, level));
        if (!h->divided || level + 1 < h->n_levels) /* the rest has that one */
            SW_TRY(on->invert(on->work, level, indefinite));
    }
    return h->divided ? SW_OK : invert_coarsest(h, on, indefinite);
}

/* The last level's matrices, of all processes, to the rest. */
static sw_status pass_on(const sw_fem_hierarchy *h, const sw_fem_present_functions *on,
                         const sw_fem_present_rest *rest)
{
    sw_fem_cell_matrix *mine = NULL, *all = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(mine, h->level[h->n_levels - 1].n_own, "coarsest level"), done);
    SW_TRY_GOTO(status, SW_ALLOCATE(all, rest->hierarchy->level[0].n_own, "coarsest level"), done);
    SW_TRY_GOTO(status, on->last_cells(on->work, mine), done);
    SW_TRY_GOTO(status, sw_fem_divided_collect_cells(h, sizeof *mine, mine, all), done);
    status = rest->on->put(rest->on->work, (const sw_fem_cell_matrix *)all);
done:
    free(mine);
    free(all);
    return status;
}

static sw_status make_matrices(sw_fem_hierarchy *h, const sw_fem_present_functions *on,
                               const sw_fem_view *view, int elastic, const sw_fem_present_rest *rest,
                               int *indefinite)
{
    *indefinite = 0;
    SW_TRY(on->fill(on->work, view, elastic));
    SW_TRY(make_levels(h, on, indefinite));
    if (!rest)
        return SW_OK;
    SW_TRY(rest->pass ? rest->pass(rest->pass_work) : pass_on(h, on, rest));
    SW_TRY(make_levels(rest->hierarchy, rest->on, indefinite));
    int64_t any = *indefinite;
    sw_parallel_sum_counts(&any, 1);
    *indefinite = any > 0;
    return SW_OK;
}

static sw_status scale_levels(const sw_fem_hierarchy *h, const sw_fem_present_functions *on,
                              const sw_fem_cycle_functions *cycle, const sw_fem_cycle_vectors *vector)
{
    for (int level = 0; level + 1 < h->n_levels; level++) {
        double largest;
        SW_TRY(find_largest(h, on, cycle, &vector[level], level, &largest));
        SW_TRY(on->scale(on->work, level, 1 / largest));
    }
    return SW_OK;
}

sw_status sw_fem_present_make(sw_fem_hierarchy *h, const sw_fem_present_functions *on,
                              const sw_fem_cycle_functions *cycle, const sw_fem_cycle_vectors *vector,
                              const sw_fem_view *view, int elastic, const sw_fem_present_rest *rest)
{
    int indefinite;
    SW_TRY(make_matrices(h, on, view, elastic, rest, &indefinite));
    if (indefinite && !elastic)
        SW_TRY(make_matrices(h, on, view, 1, rest, &indefinite));
    SW_TRY(scale_levels(h, on, cycle, vector));
    return rest ? scale_levels(rest->hierarchy, rest->on, rest->cycle, rest->vector) : SW_OK;
}
