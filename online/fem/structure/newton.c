/* An increment: Newton's iterations on the free unknowns, from the accepted state.
 *
 * Ended when the residual is TOLERANCE of the forces in play - those of all elements before they cancel, the loads, or
 * OF_FIRST of the first residual - and what constraints lack is that of the displacements' increment, or round-off; and
 * some more after a large correction. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"

enum {
    MOST_ADDED = 10,
    FOR_ADDED = 10
};                      /* of additions to pressures in an increment; iterations more after one */
enum { MOST_CUTS = 3 }; /* of surfaces that have slid along each other, in an increment */
enum { MOST_NEWTON = 16, MOST_CONTACT = 40 }; /* which change whom they touch */
enum { MORE = 3 };                            /* iterations after it is balanced, at most */
#define CORRECTION 4e-3         /* of what has moved in the increment: the next one is some 2e-5 */
#define SPARE 1e-5              /* of the work of inner forces: what a reaction lacks, to first order */
#define NEXT 1e-8               /* likewise */
#define NEXT_BY_ITERATIONS 1e-6 /* of linear equations, whose digits are no more */
#define SOFTER 2                /* what is left of a residual, than what it was before */
#define TOLERANCE 1e-6
#define OF_FIRST 1e-6 /* of the first residual: large where a stiff tool is moved, which may press softly */
#define BENT 0.1      /* of the forces: while residuals are larger derivatives of contact go straight */
#define NEAR \
    1e-3 /* residuals at which surfaces are cut again, so that what is left of the iterations is with the cut that stays */

typedef struct {
    double residual, first, forces; /* of the free unknowns; that at the beginning; in play */
    double before;                  /* residual of the iteration before; INFINITY: there is none */
    double corrected;               /* size of the last correction */
    double soft;                    /* the most of a correction over the residual that it was of */
    double lack, moved; /* what constraints lack; largest change of an unknown in this increment */
    double work, spare; /* of the inner forces along the increment's motion, and of the residual */
} balance;

static double norm(int64_t n, const double *x)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static double dot(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
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
    if (s->contacts != NULL) { /* opened where it is known what touches */
        if (renumbered)
            sw_structure_system_close(&s->system);
        return SW_OK;
    }
    return renumbered || (s->system.matrix.row == NULL && s->products == NULL)
               ? sw_structure_open_equations(s)
               : SW_OK;
}

/* residual [q] = T' (external - internal - K g); without `assemble` g is 0. */
static sw_status weigh(sw_structure *s, int assemble, balance *b)
{
    const int64_t n = s->ties.n_unknowns;
    double forces;
    if (s->contacts != NULL)
        sw_surfaces_straighten(s->contacts->surfaces, b->before > BENT * b->forces);
    SW_TRY(sw_structure_evaluate(s, assemble, &forces));
    for (int64_t i = 0; i < n; i++)
        s->du[i] = s->external[i] - s->internal[i] - s->known[i];
    sw_structure_ties_gather(&s->ties, s->du, s->residual);
    b->residual = norm(s->ties.n_free, s->residual);
    b->forces = fmax(OF_FIRST * b->first, fmax(forces, norm(n, s->external)));
    b->lack = largest(n, s->ties.g);
    b->moved = b->work = b->spare = 0;
    for (int64_t i = 0; i < n; i++) {
        const double moved = s->trial[i] - s->u[i];
        b->moved = fmax(b->moved, fabs(moved));
        b->work += s->internal[i] * moved;
        b->spare += s->ties.number[i] >= 0 ? s->residual[s->ties.number[i]] * moved : 0;
    }
    sw_parallel_share(b, sizeof *b); /* processes decide alike */
    return isfinite(b->residual) ? SW_OK : sw_error(SW_ERR_CONVERGENCE, "the forces are not finite");
}

static double rounding(const sw_structure *s) { return 1e-12 * largest(s->ties.n_unknowns, s->trial); }

/* Where a body bears nothing, as one that is free to expand, residuals are nothing of nothing: then by the correction that is left. */
static int is_rounding(const sw_structure *s, const balance *b)
{
    return b->soft > 0 &&
           fmax(b->corrected, b->soft * b->residual) <= 1e-12 * largest(s->ties.n_unknowns, s->u);
}

static int is_balanced(const sw_structure *s, const balance *b)
{
    return (b->residual <= TOLERANCE * fmax(b->forces, 1e-9 * s->scale) || is_rounding(s, b)) &&
           b->lack <= fmax(TOLERANCE * b->moved, rounding(s));
}

/* What is soft, as a slender body that bends, may be far from where it should be by forces that are nothing beside those in
 * play: after a large correction there are some more, unless hardly any force is left; where surfaces touch until the next one is
 * nothing, by what residuals came to so far. */
static int is_settled(const sw_structure *s, const balance *b)
{
    const double next = s->by_multigrid ? NEXT_BY_ITERATIONS : NEXT;
    return s->linear || b->residual <= 1e-4 * TOLERANCE * b->forces || is_rounding(s, b) ||
           (b->corrected <= CORRECTION * b->moved &&
            (s->contacts != NULL ? SOFTER * b->soft * b->residual <= next * b->moved
                                 : fabs(b->spare) <= SPARE * fabs(b->work)));
}

/* Where products lead nowhere auto takes factors, from here on. */
static sw_status solve(sw_structure *s, double tolerance)
{
    const sw_status status = sw_parallel_agree(sw_structure_solve(s, tolerance, s->residual, s->dq));
    double scale;
    if (status == SW_ERR_MEMORY)
        return status;
    sw_parallel_share(s->dq, s->ties.n_free * (int64_t)sizeof *s->dq);
    if (status != SW_ERR_CONVERGENCE || (s->products == NULL && !s->by_multigrid))
        return status;
    if (!sw_structure_may_change_to_factors(s))
        return sw_structure_has_factors()
                   ? sw_error(status, "%s; linear auto or direct takes sparse factors", sw_error_message())
                   : status;
    if (!s->options.quiet)
        sw_note("%s: sparse factors from here on: %s", s->problem->path, sw_error_message());
    s->prefers_factors = 1;
    SW_TRY(sw_structure_open_equations(s));
    SW_TRY(sw_structure_evaluate(s, 1, &scale));
    SW_TRY(sw_parallel_agree(sw_structure_solve(s, tolerance, s->residual, s->dq)));
    sw_parallel_share(s->dq, s->ties.n_free * (int64_t)sizeof *s->dq);
    return SW_OK;
}

/* Iterations of linear equations need no more digits than Newton's next step can use: some of the square of what the last one
 * came to (Eisenstat and Walker 1996, SIAM J. Sci. Comput. 17). */
#define LOOSEST 1e-4
#define TIGHTEST 1e-6
static double digits(const balance *b, double earlier)
{
    const double ratio = earlier > 0 ? b->residual / earlier : 1;
    return fmax(TIGHTEST, fmin(LOOSEST, 0.1 * ratio * ratio));
}

static sw_status move(sw_structure *s, double tolerance)
{
    SW_TRY(solve(s, tolerance));
    sw_structure_ties_spread(&s->ties, s->dq, 1, s->du);
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        s->trial[i] += s->du[i];
    return SW_OK;
}

enum { SEARCHES = 4 };
#define ENOUGH 0.7 /* of the work that was left */

/* Surfaces that touch where they did not stop what the tangent let go: on the way of a correction that goes too far, the place
 * where the residual has hardly any work left in it, or bodies are none yet that are turned inside out. From iteration 2 on. */
static sw_status search(sw_structure *s, balance *b)
{
    const int64_t n = s->ties.n_unknowns, q = s->ties.n_free;
    double part = 1, low = 0, high = INFINITY, left = dot(q, s->residual, s->dq), at_low = left;
    sw_status status = SW_OK;
    for (int k = 0;; k++) {
        SW_TRY(tie(s, 0));
        status = weigh(s, 1, b);
        if (status != SW_OK && status != SW_ERR_CONVERGENCE)
            return status;
        const double work = status == SW_OK ? dot(q, s->residual, s->dq) : -INFINITY;
        if (k >= SEARCHES || fabs(work) <= ENOUGH * fabs(left) || (work > 0 && part >= 1))
            return status;
        double next = 0.3 * part;
        if (work < 0)
            high = part;
        else {
            low = part;
            at_low = work;
        }
        if (status == SW_OK)
            next = low + (high - low) * fmin(fmax(at_low / (at_low - (work < 0 ? work : -at_low)), 0.1), 0.9);
        for (int64_t i = 0; i < n; i++)
            s->trial[i] += (next - part) * s->way[i];
        part = next;
    }
}

#define SLOW 0.3 /* of a residual to the one before, after the first iterations */

/* Whether an increment begins where the one before leads to: but where surfaces touch that do not rub. Of those that do points that
 * slid go on to do so, and the tangent knows it: from where they are all would stick at first, which is a hundred times stiffer. */
static int goes_on(const sw_structure *s)
{
    return s->last_dt > 0 && !s->linear && (s->contacts == NULL || sw_structure_contacts_rub(s));
}

/* Who presses is known from where they are: what leads on is off by far more than surfaces pass into each other by, and would let go
 * of them. */
static sw_status start(sw_structure *s, int onwards, balance *b)
{
    sw_status status = SW_ERR_CONVERGENCE;
    memcpy(s->trial, s->u, (size_t)s->ties.n_unknowns * sizeof(double));
    SW_TRY(sw_structure_contacts_begin(s));
    if (onwards) {
        if (s->contacts != NULL)
            sw_surfaces_cling(s->contacts->surfaces, s->u);
        for (int64_t i = 0; i < s->ties.n_unknowns; i++)
            s->trial[i] += s->last[i] * s->moment.dt / s->last_dt;
        status = tie(s, 1);
        status = status == SW_OK ? weigh(s, 1, b) : status;
        if (s->contacts != NULL)
            sw_surfaces_cling(s->contacts->surfaces, NULL);
        if (status != SW_OK && status != SW_ERR_CONVERGENCE)
            return status;
    }
    if (status == SW_ERR_CONVERGENCE) {
        memcpy(s->trial, s->u, (size_t)s->ties.n_unknowns * sizeof(double));
        if (onwards)
            SW_TRY(sw_structure_contacts_begin(s));
        SW_TRY(tie(s, 1));
        status = weigh(s, 1, b);
    }
    b->first = b->residual;
    return status == SW_OK ? sw_structure_check_loose(s) : status;
}

static sw_status iterate(sw_structure *s, int onwards, int *iterations)
{
    balance b = {0};
    double best = INFINITY, before = INFINITY,
           earlier = 0; /* residuals; earlier: one before the present one */
    int balanced = 0, cuts = 0, seen = 0, added = 0;
    *iterations = 0;
    SW_TRY(start(s, onwards, &b));
    s->n_residuals = 0;
    int most = s->contacts != NULL ? MOST_CONTACT : MOST_NEWTON;
    for (*iterations = 1; *iterations <= most; ++*iterations) {
        SW_TRY(sw_parallel_agree(sw_interrupt_check()));
        const double tolerance = digits(&b, earlier);
        earlier = b.residual;
        b.before = *iterations > 1 ? b.residual : INFINITY;
        SW_TRY(move(s, tolerance));
        if (s->contacts != NULL && *iterations > 1) {
            memcpy(s->way, s->du, (size_t)s->ties.n_unknowns * sizeof(double));
            SW_TRY(search(s, &b));
        } else {
            SW_TRY(tie(s, 0));
            SW_TRY(weigh(s, !s->linear, &b));
        }
        s->residual_trail[s->n_residuals++] = b.residual / b.forces;
        b.corrected = largest(s->ties.n_free, s->dq);
        b.soft = fmax(b.soft, b.corrected / earlier);
        const int done = is_balanced(s, &b) && (balanced++ >= MORE || is_settled(s, &b)),
                  near = !seen && b.residual <= NEAR * b.forces;
        if (done || near) {
            int anew = 0;
            seen = 1;
            if (cuts < MOST_CUTS)
                SW_TRY(sw_structure_contacts_settle(s, &anew));
            cuts += anew;
            if (done && !anew && added < MOST_ADDED) {
                int more = 0;
                sw_structure_contacts_augment(s, &more);
                added += more;
                if (more) {
                    most = *iterations + FOR_ADDED > most ? *iterations + FOR_ADDED : most;
                    balanced = 0;
                    best = INFINITY;
                    SW_TRY(weigh(s, 1, &b));
                    before = b.residual;
                    continue;
                }
            }
            if (done && !anew) {
                if (added >= MOST_ADDED)
                    sw_structure_contacts_tell_short(s);
                s->scale = fmax(s->scale, b.forces);
                return SW_OK;
            }
            if (anew) {
                balanced = 0;
                SW_TRY(weigh(s, 1, &b));
                continue;
            }
        }
        if (*iterations > 2 && b.residual > SLOW * before && !s->skew && sw_structure_has_following(s)) {
            s->skew = 1;
            SW_TRY(weigh(s, 1, &b));
        }
        before = b.residual;
        best = fmin(best, b.residual);
        if (*iterations > (s->contacts != NULL ? 20 : 5) && b.residual > 100 * best)
            return sw_error(SW_ERR_CONVERGENCE, "Newton diverges: residual %.3g after %.3g",
                            b.residual / b.forces, best / b.forces);
    }
    *iterations = most;
    return sw_error(SW_ERR_CONVERGENCE,
                    "Newton: residual %.3g of the forces, constraints missed by %.3g, after %d iterations",
                    b.residual / b.forces, b.lack, most);
}

/* Along a motion that nothing but contact holds nothing presses or rubs: what led there moved it on. */
static int is_let_go(const sw_structure *s)
{
    for (int k = 0; k < s->loose.n && s->contacts != NULL; k++) {
        const double *along = s->loose.motion[k].along;
        double held = 0;
        for (int64_t u = 0; u < s->ties.n_unknowns; u++)
            held += fabs(s->contacts->force[u] * along[u]);
        if (held <= TOLERANCE * s->scale * largest(s->ties.n_unknowns, along))
            return 1;
    }
    return 0;
}

sw_status sw_structure_increment(sw_structure *s, int *iterations)
{
    char why[300], loose[SW_STRUCTURE_LOOSE_TEXT];
    const int onwards = goes_on(s);
    int first;
    sw_status status = iterate(s, onwards, &first);
    *iterations = first;
    /* Of loads that turn it led too far, and what is loose stays where nothing drives it. */
    if (onwards &&
        ((status == SW_ERR_CONVERGENCE && s->contacts == NULL) || (status == SW_OK && is_let_go(s)))) {
        status = iterate(s, 0, iterations);
        *iterations += first;
    }
    if (status != SW_ERR_CONVERGENCE || s->loose.n == 0)
        return status;
    snprintf(why, sizeof why, "%s", sw_error_message());
    sw_structure_tell_loose(s, loose);
    return sw_error(status, "%s%s", why, loose);
}
