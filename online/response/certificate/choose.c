/* The cheapest solver that is good enough. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "certificate.h"
#include "common/database/database.h"
#include "online/response/homogenization/homogenization.h"
#include "online/response/solvers.h"

/* points: of the database's grid, a turn. */
static double gpu_seconds(const sw_solver *solver, const sw_certified *row, int64_t points)
{
    for (int i = 0; i < solver->gpu_costs.count; i++) {
        const sw_solver_cost *cost = &solver->gpu_costs.row[i];
        if (cost->nearest == row->nearest && row->refinement * points <= cost->points)
            return cost->seconds + cost->per_pair * (double)sw_pairs_of_terms(row->terms);
    }
    return INFINITY;
}

typedef sw_certified_wish wish;

typedef struct {
    const sw_certified *row;
    int on_gpu, last; /* last: taken only when nothing else will do */
    double error;     /* by the wish's measure */
    double seconds;   /* a crystal-step; NaN: cannot run */
    double in_all;    /* of the wish's work, or a crystal-step of work that is not known */
} candidate;

static int goes_with(const wish *w, const sw_solver *solver, sw_device device)
{
    return w->homogenization == NULL || w->homogenization->check == NULL ||
           w->homogenization->check(solver, device) == SW_OK;
}

/* Trials of a step under given stresses: of elastic strains 2 to 5, of what answers at once 2 to 40 where sides are free and 20
 * to 180 where all is (bench/LOG.md). A count that is off costs time alone. */
static double trials_of(const sw_solver *solver) { return solver->traits.has_history ? 2 : 10; }

/* Seconds of the wish's work; of crystals that are not counted those of a crystal-step. */
static double in_all(const sw_certified_work *work, const sw_solver *solver, const sw_certified *row,
                     double seconds)
{
    const double more = (trials_of(solver) - 1) * work->sought;
    if (!(work->crystals > 0))
        return seconds;
    return row->set_up.open + (work->rates + more + work->sought) * row->set_up.rate +
           work->crystals * (work->steps + more) * seconds;
}

static candidate weigh(const wish *w, const sw_certificate *certificate, int64_t row_number)
{
    const sw_certified *row = &certificate->row[row_number];
    const sw_solver *solver = sw_solver_named(row->solver);
    candidate c = {.row = row, .seconds = NAN};
    c.on_gpu = w->gpu && solver->traits.on_gpu && goes_with(w, solver, SW_CUDA);
    c.last = solver->traits.is_reference;
    c.error = sw_certified_error(certificate, row, w->measure);
    if (c.on_gpu)
        c.seconds = gpu_seconds(solver, row, certificate->points);
    else if (w->cpu && goes_with(w, solver, SW_CPU))
        c.seconds = row->seconds_per_crystal_step;
    if (w->packed && !solver->traits.has_interpolation)
        c.seconds = NAN;
    if (w->work.sought > 0 && (solver->traits.has_terms || row->nearest))
        c.seconds = NAN;
    c.in_all = in_all(&w->work, solver, row, c.seconds);
    return c;
}

static int cheaper(const candidate *a, const candidate *b)
{
    if (a->last != b->last)
        return b->last;
    if (a->in_all != b->in_all)
        return a->in_all < b->in_all;
    return a->error < b->error;
}

/* text += formatted, as far as it fits. */
__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    const size_t length = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

enum { LISTED = 3 };

/* The cheaper ones that will not do, the most accurate first. */
static void list_cheaper(const wish *w, const sw_certificate *certificate, const candidate *best, char *why,
                         size_t size)
{
    candidate cheap[SW_CERTIFY_ROWS];
    int n = 0;
    for (int64_t i = 0; i < certificate->n_rows; i++) {
        const candidate c = weigh(w, certificate, i);
        if (c.row == best->row || !isfinite(c.seconds) || !cheaper(&c, best))
            continue;
        int at = n++;
        for (; at > 0 && cheap[at - 1].error > c.error; at--)
            cheap[at] = cheap[at - 1];
        cheap[at] = c;
    }
    for (int i = 0; i < n && i < LISTED; i++) {
        char name[64];
        sw_certified_describe(cheap[i].row, name, sizeof name);
        append(why, size, "%s %s (%.3g %%)", i ? ";" : "; too far off:", name, 100 * cheap[i].error);
    }
    if (n > LISTED)
        append(why, size, "; and %d more", n - LISTED);
}

/* What a measure is of, and the other measure and what that is of. */
static const struct {
    const char *of, *other_of;
    sw_certified_measure other;
} measures[SW_CERTIFIED_MEASURES] = {
    {"", "whole stress tensor", SW_CERTIFIED_TENSOR},
    {" of the whole stress tensor", "curve", SW_CERTIFIED_CURVE},
};

static void explain(const wish *w, const sw_certificate *certificate, const candidate *best,
                    sw_certified_choice *choice)
{
    char name[64];
    char *why = choice->why;
    const size_t size = sizeof choice->why;
    sw_certified_describe(best->row, name, sizeof name);
    snprintf(why, size, "%s: certified error%s %.3g %% <= %.3g %%, about %.2g s a crystal-step", name,
             measures[w->measure].of, 100 * best->error, 100 * w->error, best->seconds);
    if (w->work.crystals > 0)
        append(why, size, ", %.2g s in all", best->in_all);
    append(why, size, "; of the %s up to %.3g %%", measures[w->measure].other_of,
           100 * sw_certified_error(certificate, best->row, measures[w->measure].other));
    list_cheaper(w, certificate, best, why, size);
}

sw_status sw_certificate_choose(const sw_certificate *certificate, const wish *w, sw_certified_choice *choice)
{
    candidate best = {0}, closest = {0};
    char name[64] = "none";
    memset(choice, 0, sizeof *choice);
    for (int64_t i = 0; i < certificate->n_rows; i++) {
        const candidate c = weigh(w, certificate, i);
        if (!isfinite(c.seconds))
            continue;
        if (closest.row == NULL || c.error < closest.error)
            closest = c;
        if (c.error <= w->error && (best.row == NULL || cheaper(&c, &best)))
            best = c;
    }
    if (best.row != NULL) {
        choice->row = best.row;
        choice->on_gpu = best.on_gpu;
        explain(w, certificate, &best, choice);
        return SW_OK;
    }
    if (closest.row == NULL)
        return sw_error(SW_ERR_RANGE, "none of the certified solvers %s",
                        w->packed ? "has crystals of 8 bytes (storage = compact)" : "runs on this device");
    sw_certified_describe(closest.row, name, sizeof name);
    return sw_error(SW_ERR_RANGE, "no certified solver%s meets %.3g %%%s: the best, %s, has %.3g %%",
                    w->packed ? " that has crystals of 8 bytes (storage = compact)" : "", 100 * w->error,
                    measures[w->measure].of, name, 100 * closest.error);
}
