/* An increment: Newton's iterations on the free unknowns, from the accepted state.
 *
 * Ended when the residual is TOLERANCE of the forces in play - those of all elements before they cancel, the loads, or the
 * first residual - and what constraints lack is that of the displacements' increment, or round-off; and some more after a large
 * correction. */
#include <math.h>
#include <string.h>

#include "analysis.h"
#include "common/system/progress.h"

enum { MOST_NEWTON = 16 };
enum { MORE = 3 };      /* iterations after it is balanced, at most */
#define CORRECTION 4e-3 /* of what has moved in the increment: the next one is some 2e-5 */
#define TOLERANCE 1e-6

typedef struct {
    double residual, first, forces; /* of the free unknowns; that at the beginning; in play */
    double lack, moved; /* what constraints lack; largest change of an unknown in this increment */
} balance;

static double norm(int64_t n, const double *x)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static double largest(int64_t n, const double *x)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* What is known of du at the trial: all of it at first, later what curved constraints lack. */
static sw_status tie(sw_structure *s, int first)
{
    int renumbered = 0;
    if (!first && !s->ties.curved) {
        memset(s->ties.g, 0, (size_t)s->ties.n_unknowns * sizeof(double));
        return SW_OK;
    }
    SW_TRY(sw_structure_ties_at(s->problem, &s->ties, s->trial, s->moment.goal, &renumbered));
    return renumbered || (s->system.matrix.row == NULL && s->products == NULL)
               ? sw_structure_open_equations(s)
               : SW_OK;
}

/* residual [q] = T' (external - internal - K g); without `assemble` g is 0. */
static sw_status weigh(sw_structure *s, int assemble, balance *b)
{
    const int64_t n = s->ties.n_unknowns;
    double forces;
    SW_TRY(sw_structure_evaluate(s, assemble, &forces));
    for (int64_t i = 0; i < n; i++)
        s->du[i] = s->external[i] - s->internal[i] - s->known[i];
    sw_structure_ties_gather(&s->ties, s->du, s->residual);
    b->residual = norm(s->ties.n_free, s->residual);
    b->forces = fmax(b->first, fmax(forces, norm(n, s->external)));
    b->lack = largest(n, s->ties.g);
    b->moved = 0;
    for (int64_t i = 0; i < n; i++)
        b->moved = fmax(b->moved, fabs(s->trial[i] - s->u[i]));
    return isfinite(b->residual) ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the forces are not finite");
}

static int is_balanced(const sw_structure *s, const balance *b)
{
    const double rounding = 1e-12 * largest(s->ties.n_unknowns, s->trial);
    return b->residual <= TOLERANCE * fmax(b->forces, 1e-9 * s->scale) &&
           b->lack <= fmax(TOLERANCE * b->moved, rounding);
}

/* What is soft, as a slender body that bends, may be far from where it should be by forces that are nothing beside those in
 * play: after a large correction there are some more, unless hardly any force is left. */
static int is_settled(const sw_structure *s, const balance *b)
{
    return s->linear || b->residual <= 1e-4 * TOLERANCE * b->forces ||
           largest(s->ties.n_free, s->dq) <= CORRECTION * b->moved;
}

/* Where products lead nowhere auto takes factors, from here on. */
static sw_status solve(sw_structure *s, double tolerance)
{
    const sw_status status = sw_structure_solve(s, tolerance, s->residual, s->dq);
    double scale;
    if (status != SW_ERR_CONVERGENCE || (s->products == NULL && !s->by_multigrid) ||
        !sw_structure_may_change_to_factors(s))
        return status;
    if (!s->options.quiet)
        sw_note("%s: sparse factors from here on: %s", s->problem->path, sw_error_message());
    s->prefers_factors = 1;
    SW_TRY(sw_structure_open_equations(s));
    SW_TRY(sw_structure_evaluate(s, 1, &scale));
    return sw_structure_solve(s, tolerance, s->residual, s->dq);
}

/* Iterations of linear equations need no more digits than Newton's next step can use: some of the square of what the last one
 * came to (Eisenstat and Walker 1996, SIAM J. Sci. Comput. 17), or of what is left to the balance. */
#define LOOSEST 1e-3
#define TIGHTEST 1e-6
static double digits(const balance *b, double before)
{
    const double ratio = b->residual / before, left = TOLERANCE * b->forces / b->residual;
    return fmax(TIGHTEST, fmax(fmin(LOOSEST, 0.1 * ratio * ratio), fmin(LOOSEST, 0.02 * left)));
}

static sw_status move(sw_structure *s, double tolerance)
{
    SW_TRY(solve(s, tolerance));
    sw_structure_ties_spread(&s->ties, s->dq, 1, s->du);
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        s->trial[i] += s->du[i];
    return SW_OK;
}

static int has_following_pressures(const sw_structure *s)
{
    int has = 0;
    for (int64_t i = 0; i < s->step->n_loads && s->step->finite; i++)
        has |= s->step->load[i].kind == SW_STRUCTURE_PRESSURE || s->step->load[i].kind == SW_STRUCTURE_SPIN;
    return has;
}

#define SLOW 0.3 /* of a residual to the one before, after the first iterations */

sw_status sw_structure_increment(sw_structure *s, int *iterations)
{
    balance b = {0};
    double best = INFINITY, before = INFINITY;
    int balanced = 0;
    memcpy(s->trial, s->u, (size_t)s->ties.n_unknowns * sizeof(double));
    SW_TRY(tie(s, 1));
    SW_TRY(weigh(s, 1, &b));
    b.first = b.residual;
    for (*iterations = 1; *iterations <= MOST_NEWTON; ++*iterations) {
        SW_TRY(sw_interrupt_check());
        SW_TRY(move(s, digits(&b, before)));
        SW_TRY(tie(s, 0));
        SW_TRY(weigh(s, !s->linear, &b));
        if (is_balanced(s, &b) && (balanced++ >= MORE || is_settled(s, &b))) {
            s->scale = fmax(s->scale, b.forces);
            return SW_OK;
        }
        if (*iterations > 2 && b.residual > SLOW * before && !s->skew && has_following_pressures(s)) {
            s->skew = 1;
            SW_TRY(weigh(s, 1, &b));
        }
        before = b.residual;
        best = fmin(best, b.residual);
        if (*iterations > 5 && b.residual > 100 * best)
            return sw_error(SW_ERR_CONVERGENCE, "Newton diverges: residual %.3g after %.3g",
                            b.residual / b.forces, best / b.forces);
    }
    return sw_error(SW_ERR_CONVERGENCE,
                    "Newton: residual %.3g of the forces, constraints missed by %.3g, after %d iterations",
                    b.residual / b.forces, b.lack, MOST_NEWTON);
}
