/* Load steps and Newton iterations (Algorithms 1 and 29), for any device. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/phases.h"
#include "common/system/progress.h"
#include "limit.h"
#include "online/fem/contact/contact.h"
#include "online/fem/crystal/crystals.h"
#include "online/fem/element/measure.h"
#include "work.h"

/* Time since *since goes to *stage; what comes is called `next` among phases. */
static sw_status clock_stage(sw_fem *fem, double *since, double *stage, const char *next)
{
    SW_TRY(fem->backend->wait(fem));
    const double now = sw_seconds();
    *stage += now - *since;
    *since = now;
    sw_phase(next);
    return SW_OK;
}

/* result = sum of factor x vector over the cases. */
static sw_status sum_cases(sw_fem *fem, double *const *vector, const double *factor, double *result)
{
    SW_TRY(fem->backend->combine(fem, 0, fem->u, 0, result));
    for (int l = 0; l < fem->problem->n_cases; l++)
        if (vector[l])
            SW_TRY(fem->backend->combine(fem, factor[l], vector[l], 1, result));
    return SW_OK;
}

sw_status sw_fem_load_body(sw_fem *fem, const double *factor, const double *u)
{
    SW_TRY(sum_cases(fem, fem->force, factor, fem->external));
    return fem->presses ? fem->backend->press(fem, factor, u, fem->external) : SW_OK;
}

/* Those of the goal, which are others at every u where pressures follow the surface. */
static sw_status follow(sw_fem *fem, const double *u)
{
    return fem->presses ? sw_fem_load_body(fem, fem->goal, u) : SW_OK;
}

/* residual = external - internal where free; its norm and that of the forces in play: loads where free,
 * reactions where not (Eq. 2.42 with the reactions as external forces, which they are). */
static sw_status unbalanced(sw_fem *fem, const double *internal, double *norm, double *forces)
{
    const sw_fem_backend *on = fem->backend;
    double all, free_part, external;
    SW_TRY(on->combine(fem, 1, internal, 0, fem->residual));
    SW_TRY(on->dot(fem, fem->residual, fem->residual, &all));
    SW_TRY(on->free_part(fem, fem->residual));
    SW_TRY(on->dot(fem, fem->residual, fem->residual, &free_part));
    SW_TRY(on->combine(fem, 1, fem->external, -1, fem->residual));
    SW_TRY(on->free_part(fem, fem->residual));
    SW_TRY(on->dot(fem, fem->residual, fem->residual, norm));
    SW_TRY(on->combine(fem, 1, fem->external, 0, fem->g));
    SW_TRY(on->free_part(fem, fem->g));
    SW_TRY(on->dot(fem, fem->g, fem->g, &external));
    *norm = sqrt(*norm);
    *forces = sqrt(external + fmax(all - free_part, 0));
    return SW_OK;
}

/* The trial, taken x increment on its way, goes on to eta and its internal forces become z; where it would turn an
 * element inside out, half as far, and so on while line searches have steps. */
static sw_status go_to(sw_fem *fem, double *eta, double *taken, sw_fem_report *report)
{
    const sw_fem_backend *on = fem->backend;
    for (int64_t tries = fem->options.line_search;; tries--) {
        SW_TRY(on->combine(fem, *eta - *taken, fem->increment, 1, fem->trial));
        *taken = *eta;
        const sw_status status =
            on->internal(fem, fem->trial, fem->z, &report->plastic_points, &report->plastic_elements);
        if (status != SW_ERR_CONVERGENCE || tries <= 0)
            return status;
        *eta *= 0.5;
    }
}

/* One direction: trial += step x increment, with the step that makes the residual do less work along it
 * (Crisfield 1991, 9.2: regula falsi until it is 0.8 of the first, of crystals 0.2, or so many tries). Where few
 * crystals make a point's stress they go around corners within a step, and what a direction overshoots is asked for
 * again by the next, and the next. */
static sw_status search(sw_fem *fem, double *step, sw_fem_report *report, int64_t tries, double *norm,
                        double *forces)
{
    const sw_fem_backend *on = fem->backend;
    const double enough = fem->crystals ? 0.2 : 0.8;
    double first, now, low = 0, at_low, high = 0, at_high = 0, eta = 1, taken = 0, best = 1, least = INFINITY;
    SW_TRY(on->dot(fem, fem->increment, fem->held, &first));
    at_low = first;
    for (int i = 0;; i++) {
        SW_TRY(go_to(fem, &eta, &taken, report));
        SW_TRY(follow(fem, fem->trial));
        SW_TRY(unbalanced(fem, fem->z, norm, forces));
        SW_TRY(on->dot(fem, fem->increment, fem->residual, &now));
        if (!isfinite(now))
            return sw_error(SW_ERR_CONVERGENCE, "the internal forces are not finite");
        if (fabs(now) < least) {
            least = fabs(now);
            best = eta;
        }
        if (fabs(now) <= enough * fabs(first) || (i >= tries && eta == best) || i > tries)
            break;
        if (i == tries) { /* back to the best of them */
            eta = best;
            continue;
        }
        if (now * at_low > 0) {
            low = eta;
            at_low = now;
            if (high == 0)
                break; /* more than the whole step is not taken: the next direction will */
        } else {
            high = eta;
            at_high = now;
        }
        eta = low + (high - low) * fmin(0.9, fmax(0.1, at_low / (at_low - at_high)));
    }
    *step = taken;
    return SW_OK;
}

/* Whether nothing can yield: then the first direction is the solution. */
static int is_linear(const sw_fem_problem *p)
{
    int linear = sw_fem_measures[p->strain]->steady;
    for (int i = 0; i < p->n_materials; i++)
        linear &= p->kinematics == SW_FEM_HEAT ||
                  (isinf(p->material[i].yield_stress) && p->material[i].matter == NULL);
    return linear;
}

/* A linear solve need not be better than what ends Newton, nor, where there is something to iterate on, than
 * the residual it starts from: that keeps the convergence quadratic. Beside tools the residual is at first that of
 * their stiff contacts and says little of the body's: a tenth more takes fewer Newton iterations
 * (bench/LOG.md). Forces of tools miss what residuals add up to between them: by multigrid, which does it in three
 * iterations, the last solve goes a tenth further. */
static double linear_tolerance(const sw_fem *fem, double residual)
{
    const int further = fem->contact && fem->options.preconditioner == SW_FEM_MULTIGRID;
    if (fem->options.forcing == SW_FEM_FIXED_FORCING)
        return fem->options.linear_tolerance;
    const double end = (further ? 0.03 : 0.3) * fem->options.tolerance / residual;
    const double least = fem->contact ? 1e-3 : 1e-2;
    const double wanted = is_linear(fem->problem) ? end : fmax(fmin(residual, least), end);
    return fmin(fmax(wanted, fem->options.linear_tolerance), 0.1);
}

#define ROUND_OFF 1e-14 /* of an element's forces, some 50 operations' */
#define REMAINDER \
    1e-12 /* of the largest forces that the body has seen: residuals below it are never asked for */

/* Crystals answer without derivatives where none will be asked for: where the next iteration likely is the last, if it leaves the same
 * part of the residual as the one before. */
static void foresee(sw_fem *fem, double residual)
{
    sw_fem_want_slopes(fem, !(fem->contraction * residual <= fem->options.tolerance));
}

/* How many times the last substep this one is; 0 where it leads another way, or there was none. */
static double goes_on(const sw_fem *fem)
{
    double square = 0, product = 0, now = 0;
    for (int l = 0; l < fem->problem->n_cases && fem->last; l++) {
        square += fem->last_delta[l] * fem->last_delta[l];
        product += fem->last_delta[l] * fem->delta[l];
        now += fem->delta[l] * fem->delta[l];
    }
    const double ratio = square > 0 ? product / square : 0;
    return ratio > 0 && product * product >= (1 - 1e-12) * square * now ? ratio : 0;
}

/* The trial as the last substep leads on, with its residual. SW_ERR_CONVERGENCE where that leads nowhere. */
static sw_status extrapolate(sw_fem *fem, double ratio, sw_fem_report *report, double *norm, double *forces)
{
    const sw_fem_backend *on = fem->backend;
    SW_TRY(on->combine(fem, 1, fem->u, 0, fem->trial));
    SW_TRY(on->combine(fem, ratio, fem->last, 1, fem->trial));
    SW_TRY(on->free_part(fem, fem->trial));
    for (int l = 0; l < fem->problem->n_cases; l++)
        if (fem->prescribed[l])
            SW_TRY(on->combine(fem, fem->goal[l], fem->prescribed[l], 1, fem->trial));
    SW_TRY(on->internal(fem, fem->trial, fem->z, &report->plastic_points, &report->plastic_elements));
    SW_TRY(follow(fem, fem->trial));
    SW_TRY(unbalanced(fem, fem->z, norm, forces));
    return isfinite(*norm) ? SW_OK : SW_ERR_CONVERGENCE;
}

/* The trial starts from the prescribed displacements, and the residual says what the elastic tangent lacks: residual
 * -= K trial. moved: norm of K trial. */
static sw_status predict(sw_fem *fem, double *norm, double *moved)
{
    const sw_fem_backend *on = fem->backend;
    SW_TRY(sum_cases(fem, fem->prescribed, fem->delta, fem->trial));
    SW_TRY(on->product(fem, fem->trial, fem->g));
    SW_TRY(on->combine(fem, -1, fem->g, 1, fem->residual));
    SW_TRY(on->free_part(fem, fem->residual));
    SW_TRY(on->dot(fem, fem->g, fem->g, moved));
    SW_TRY(on->dot(fem, fem->residual, fem->residual, norm));
    SW_TRY(on->combine(fem, 1, fem->u, 1, fem->trial));
    *norm = sqrt(*norm);
    *moved = sqrt(*moved);
    return SW_OK;
}

/* Where tools touch and press nothing, as one that moves along the body, all forces are those of the slack that contact
 * begins within: they are round-off, and have no balance that could be found. */
static int is_balanced(const sw_fem *fem, double residual, double norm, double forces)
{
    const double noise = fem->contact ? fem->contact->noise : 0;
    return residual <= fem->options.tolerance || (norm <= noise && forces <= 2 * noise && noise > 0);
}

/* From rest a body that begins to flow may go astray where the elastic guess is wrong about who lifts off and whose shear is
 * limited, in ways that round-off chooses from (docs/theory.md). So nodes that touch cling at first, and are let go near that
 * equilibrium. */
#define CLINGS_TO 2e-2 /* residual */
enum { MOST_CLINGING = 6 };

static int clings(const sw_fem *fem) { return fem->contact && fem->contact->view.clings; }

static void cling(sw_fem *fem, int whether)
{
    if (fem->contact)
        fem->contact->view.clings = whether ? SW_FEM_CLINGS : 0;
}

/* After iteration i: the trial's residual without, when it is small, would be accepted or will not be small soon; what clings is
 * never accepted. *best begins anew. */
static sw_status let_go(sw_fem *fem, int i, double largest, sw_fem_report *report, double *norm,
                        double *forces, double *best)
{
    if (!clings(fem) || (i + 1 < MOST_CLINGING && !(report->residual <= CLINGS_TO) &&
                         !is_balanced(fem, report->residual, *norm, *forces)))
        return SW_OK;
    cling(fem, 0);
    SW_TRY(
        fem->backend->internal(fem, fem->trial, fem->z, &report->plastic_points, &report->plastic_elements));
    SW_TRY(unbalanced(fem, fem->z, norm, forces));
    report->residual = *norm / fmax(largest, *forces);
    *best = INFINITY;
    return SW_OK;
}

/* At finite strains a tangent that takes so many iterations by multigrid, and so many times those of a substep's first, has hardly any
 * stiffness somewhere, as of nodes that have all come off a tool: a shorter substep costs less (bench/LOG.md). */
enum { PATIENCE = 500, TIMES_FIRST = 25 };

/* fem->increment from fem->residual. first: iterations of the substep's first solution, 0: this one. */
static sw_status solve(sw_fem *fem, double tolerance, int first, int *iterations)
{
    const int64_t most = fem->options.most_cg;
    const int64_t enough = TIMES_FIRST * first > PATIENCE ? TIMES_FIRST * first : PATIENCE;
    if (first > 0 && fem->options.preconditioner == SW_FEM_MULTIGRID &&
        !sw_fem_measures[fem->problem->strain]->steady && 0.5 * fem->part >= fem->options.least_increment)
        fem->options.most_cg = enough < most ? enough : most;
    const sw_status status = sw_fem_solve(fem, fem->increment, fem->residual, tolerance, iterations);
    fem->options.most_cg = most;
    return status;
}

/* From the accepted state to factors fem->goal: trial is the solution. */
static sw_status substep(sw_fem *fem, sw_fem_report *report)
{
    const sw_fem_backend *on = fem->backend;
    const sw_fem_options *o = &fem->options;
    double since = sw_seconds(), norm, forces, largest, moved;
    double best = INFINITY;
    int first = 0;
    fem->begun++;
    sw_phase("predictions");
    for (int l = 0; l < fem->problem->n_cases; l++)
        fem->delta[l] = fem->goal[l] - fem->factor[l];
    report->n_recorded = 0;
    SW_TRY(sw_fem_load_body(fem, fem->factor, fem->u));
    SW_TRY(unbalanced(fem, fem->internal, &norm, &largest)); /* forces in play before */
    const int from_rest = largest == 0;
    SW_TRY(sw_fem_load_body(fem, fem->goal, fem->u));
    SW_TRY(unbalanced(fem, fem->internal, &norm, &forces));
    const double remainder = fem->contact ? 100 * REMAINDER : REMAINDER; /* its springs are so much stiffer */
    largest = fmax(fmax(largest, forces), fmin(1, remainder / o->tolerance) * fem->largest);
    /* A rigid motion, or one temperature all over, leaves no forces to measure a residual by: what is
     * round-off of the products of the prescribed displacements is none. */
    SW_TRY(sum_cases(fem, fem->prescribed, fem->goal, fem->trial));
    SW_TRY(on->tangent(fem, fem->u, 1));
    SW_TRY(on->product(fem, fem->trial, fem->g));
    SW_TRY(on->dot(fem, fem->g, fem->g, &moved));
    largest = fmax(largest, ROUND_OFF / o->tolerance * sqrt(moved));
    const double ratio = goes_on(fem);
    sw_fem_want_slopes(fem, 1);
    const sw_status led = ratio > 0 ? extrapolate(fem, ratio, report, &norm, &forces) : SW_ERR_CONVERGENCE;
    if (led != SW_OK && led != SW_ERR_CONVERGENCE)
        return led;
    const int extrapolated = led == SW_OK;
    if (extrapolated) {
        report->residual = norm / fmax(largest, forces);
    } else {
        SW_TRY(follow(fem, fem->u));
        if (ratio > 0)
            SW_TRY(unbalanced(fem, fem->internal, &norm, &forces));
        SW_TRY(predict(fem, &norm, &moved));
        report->residual = norm / fmax(largest, moved);
        if (moved == 0 && !fem->crystals &&
            sw_fem_measure_of(fem->problem) != SW_FEM_MEASURE_MATTER && /* which creep */
            (norm == 0 || report->residual <= o->tolerance)) {          /* nothing acts, or nothing more */
            if (norm == 0)
                report->residual = 0;
            return on->internal(fem, fem->trial, fem->z, &report->plastic_points, &report->plastic_elements);
        }
    }
    SW_TRY(clock_stage(fem, &since, &fem->timing.tangent, "preconditioner"));
    cling(fem, !extrapolated && from_rest);
    for (int i = 0; i < o->most_newton; i++) {
        sw_fem_iteration now = {.residual = report->residual};
        const int begins = i == 0 && !extrapolated; /* by the elastic tangent */
        if (!begins) {
            SW_TRY(on->tangent(fem, fem->trial, 0));
            SW_TRY(clock_stage(fem, &since, &fem->timing.tangent, "preconditioner"));
        }
        SW_TRY(sw_fem_prepare(fem));
        SW_TRY(on->combine(fem, 1, fem->residual, 0, fem->held));
        SW_TRY(clock_stage(fem, &since, &fem->timing.other, "linear"));
        fem->limit.singular = 0;
        SW_TRY(solve(fem, linear_tolerance(fem, now.residual), first, &now.cg));
        first = i == 0 ? now.cg : first;
        SW_TRY(clock_stage(fem, &since, &fem->timing.linear, "stresses"));
        foresee(fem, now.residual);
        SW_TRY(search(fem, &now.step, report, begins ? 0 : o->line_search, &norm, &forces));
        SW_TRY(clock_stage(fem, &since, &fem->timing.stress, "tangents"));
        SW_TRY(sw_fem_limit_measure(fem, i));
        report->newton++;
        report->cg += now.cg;
        if (report->n_recorded < SW_FEM_MOST_RECORDED)
            report->iteration[report->n_recorded++] = now;
        report->residual = norm / fmax(largest, forces);
        SW_TRY(let_go(fem, i, largest, report, &norm, &forces, &best));
        fem->contraction = report->residual / now.residual;
        if (is_balanced(fem, report->residual, norm, forces)) {
            fem->largest = fmax(fem->largest, forces);
            return SW_OK;
        }
        best = fmin(best, report->residual);
        if (!isfinite(report->residual) || (i > 5 && report->residual > 100 * best))
            return sw_error(SW_ERR_CONVERGENCE, "Newton diverges: residual %.3g after %.3g", report->residual,
                            best);
        SW_TRY(sw_parallel_agree(sw_interrupt_check()));
    }
    return sw_error(SW_ERR_CONVERGENCE, "Newton: residual %.3g after %lld iterations: need %.3g",
                    report->residual, (long long)o->most_newton, o->tolerance);
}

/* The trial becomes the state. */
static sw_status accept(sw_fem *fem, const sw_fem_report *report)
{
    const sw_fem_backend *on = fem->backend;
    int64_t points, elements;
    double work;
    int moves = 0;
    sw_phase("increments");
    for (int l = 0; l < fem->problem->n_cases; l++)
        moves |= fem->goal[l] != fem->factor[l];
    SW_TRY(on->combine(fem, 1, fem->trial, 0, fem->increment));
    SW_TRY(on->combine(fem, -1, fem->u, 1, fem->increment));
    SW_TRY(sw_fem_work_of(fem, report->plastic_points, &work));
    if (fem->last && moves)
        SW_TRY(on->combine(fem, 1, fem->increment, 0, fem->last));
    fem->released = 0;
    sw_fem_want_slopes(fem, 0);
    SW_TRY(on->accept(fem, fem->trial));
    SW_TRY(on->combine(fem, 1, fem->trial, 0, fem->u));
    /* From the accepted state, as after a restart. */
    SW_TRY(on->internal(fem, fem->u, fem->internal, &points, &elements));
    fem->work_done += work;
    fem->flowed |= report->plastic_points > 0;
    for (int l = 0; l < fem->problem->n_cases; l++) {
        if (moves)
            fem->last_delta[l] = fem->goal[l] - fem->factor[l];
        fem->factor[l] = fem->goal[l];
    }
    return SW_OK;
}

#define UNSETTLED 1e-3 /* of the forces in play */

/* Nodes that a sticking tool lets go when a substep is accepted leave the others out of balance; where that is more
 * than a few at an edge, which the next substep will see to, equilibrium is found again at the same factors.
 * SW_ERR_CONVERGENCE: it is not. */
static sw_status settle(sw_fem *fem, sw_fem_report *report)
{
    enum { MOST = 10 };
    for (int i = 0; fem->released; i++) {
        double norm, forces;
        SW_TRY(sw_fem_load_body(fem, fem->factor, fem->u));
        SW_TRY(unbalanced(fem, fem->internal, &norm, &forces));
        if (norm <= UNSETTLED * fmax(forces, REMAINDER * fem->largest))
            return SW_OK;
        if (i == MOST)
            return sw_error(SW_ERR_CONVERGENCE, "sticking tools still let nodes go after %d equilibria",
                            MOST);
        SW_TRY(substep(fem, report));
        SW_TRY(accept(fem, report));
        report->substeps++;
    }
    return SW_OK;
}

/* What is accepted on the way is not what an increment ends with; nor, where tools let nodes go, what is at its end. */
static sw_status leave(sw_fem *fem) { return fem->leaving ? fem->leaving(fem->keeper) : SW_OK; }

enum { FAST = 6 }; /* Newton iterations of a substep after which a longer one is tried */

sw_status sw_fem_advance(sw_fem *fem, const double *factor, double *increment, sw_fem_report *report)
{
    const int L = fem->problem->n_cases;
    double at = 0, step = fmin(1, *increment);
    sw_status status = SW_OK;
    *report = (sw_fem_report){0};
    fem->contraction = INFINITY; /* as after a restart */
    if (!(step > 0))
        return sw_error(SW_ERR_RANGE, "increment = %g: need more than 0", *increment);
    for (int l = 0; l < L; l++) {
        fem->start[l] = fem->factor[l];
        if (!isfinite(factor[l]))
            return sw_error(SW_ERR_RANGE, "factor = %g: need a finite one", factor[l]);
    }
    sw_fem_limit_begin(fem, factor);
    while (at < 1 && status == SW_OK) {
        const double next = sw_fem_limit_cap(fem, at, at + step > 1 - 1e-9 ? 1 : at + step);
        const sw_fem_report before = *report;
        for (int l = 0; l < L; l++)
            fem->goal[l] = next == 1 ? factor[l] : fem->start[l] + next * (factor[l] - fem->start[l]);
        fem->part = next - at;
        fem->dt = fem->part * fem->duration;
        if (next < 1 || fem->contact)
            SW_TRY(leave(fem));
        status = substep(fem, report);
        cling(fem, 0);
        if (status == SW_OK) {
            SW_TRY(accept(fem, report));
            sw_fem_limit_passed(fem, next);
            report->substeps++;
            at = next;
            SW_TRY(settle(fem, report));
            if (report->newton - before.newton <= FAST)
                step = fmin(1, 1.5 * step);
        } else if (status == SW_ERR_CONVERGENCE) {
            char why[700];
            snprintf(why, sizeof why, "%s", sw_error_message());
            SW_TRY(leave(fem));
            report->cutbacks++;
            memset(fem->last_delta, 0, (size_t)L * sizeof *fem->last_delta); /* it may be what led astray */
            report->residual = before.residual;
            report->plastic_points = before.plastic_points;
            report->plastic_elements = before.plastic_elements;
            step = 0.5 * (next - at);
            status = sw_fem_limit_failed(fem, next, why);
            if (status != SW_OK)
                snprintf(why, sizeof why, "%s", sw_error_message());
            if (status != SW_OK || step < fem->options.least_increment)
                status = sw_error(SW_ERR_CONVERGENCE,
                                  "no convergence beyond %.6g of the way to these loads: %s", at, why);
        }
    }
    *increment = step;
    report->external_work = fem->work_done;
    return status;
}
