/* Increments of a step, and the loads of a moment. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/math/six.h"
#include "common/math/tensor.h"
#include "common/math/vector.h"
#include "common/system/threads.h"
#include "fields.h"
#include "online/fem/formulation/evaluate.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"

#define LEAST 1e-5 /* of a step, where the deck says nothing */
enum {
    FAST = 6,
    FAST_CONTACT = 12
}; /* Newton iterations of an increment after which a longer one is tried */

/* ---- Loads ---- */

static double periodic_at(const sw_structure_amplitude *a, double time)
{
    const double phase = a->row[0][0] * (time - a->row[0][1]);
    double value = a->row[1][0];
    for (int k = 1; k + 1 < a->n_rows && time > a->row[0][1]; k++)
        value += a->row[k + 1][0] * cos(k * phase) + a->row[k + 1][1] * sin(k * phase);
    return value;
}

double sw_structure_amplitude_at(const sw_structure_amplitude *a, double time)
{
    int i = 1;
    if (a->curve == SW_STRUCTURE_PERIODIC)
        return periodic_at(a, time);
    if (time <= a->row[0][0])
        return a->row[0][1];
    while (i < a->n_rows && time > a->row[i][0])
        i++;
    if (i == a->n_rows)
        return a->row[i - 1][1];
    double part = (time - a->row[i - 1][0]) / (a->row[i][0] - a->row[i - 1][0]);
    if (a->curve == SW_STRUCTURE_SMOOTH)
        part = part * part * part * (10 - 15 * part + 6 * part * part);
    return a->row[i - 1][1] + part * (a->row[i][1] - a->row[i - 1][1]);
}

/* What goes from one value to another in the step is at a moment. */
static double value_at(const sw_structure *s, double from, double to, int amplitude)
{
    const sw_structure_moment *m = &s->moment;
    if (amplitude >= 0) {
        const sw_structure_amplitude *a = &s->problem->amplitude[amplitude];
        return to * sw_structure_amplitude_at(a, a->total_time ? m->total_time : m->time);
    }
    const double part = s->step->at_once || m->time >= s->step->duration ? 1 : m->time / s->step->duration;
    return from + part * (to - from);
}

void sw_structure_load_at(sw_structure *s, double time, double dt)
{
    const sw_structure_step *step = s->step;
    sw_structure_moment *m = &s->moment;
    m->time = time;
    m->dt = dt;
    m->total_time = s->total_time + time;
    memset(m->goal, 0, (size_t)s->ties.n_unknowns * sizeof(double));
    memset(m->force, 0, (size_t)s->ties.n_unknowns * sizeof(double));
    memcpy(m->temperature, s->temperature, (size_t)s->problem->n_nodes * sizeof(double));
    for (int64_t i = 0; i < step->n_fixed; i++) {
        const sw_structure_value *f = &step->fixed[i];
        const double is = s->begin[f->unknown];
        m->goal[f->unknown] =
            value_at(s, isnan(f->from) ? is : f->from, isnan(f->to) ? is : f->to, f->amplitude);
    }
    for (int64_t i = 0; i < step->n_forces; i++)
        m->force[step->force[i].unknown] +=
            value_at(s, step->force[i].from, step->force[i].to, step->force[i].amplitude);
    for (int64_t i = 0; i < step->n_loads; i++)
        m->magnitude[i] = value_at(s, step->load[i].from, step->load[i].to, step->load[i].amplitude);
    for (int64_t i = 0; i < step->n_temperatures; i++) {
        const sw_structure_temperature *t = &step->temperature[i];
        m->temperature[t->node] = value_at(s, t->from, t->to, t->amplitude);
    }
}

/* ---- Increments ---- */

static void accept(sw_structure *s)
{
    for (int64_t i = 0; i < s->ties.n_unknowns; i++)
        s->last[i] = s->trial[i] - s->u[i];
    s->last_dt = s->moment.dt;
    memcpy(s->u, s->trial, (size_t)s->ties.n_unknowns * sizeof(double));
    memcpy(s->temperature, s->moment.temperature, (size_t)s->problem->n_nodes * sizeof(double));
    sw_structure_contacts_accept(s);
    memcpy(s->state, s->trial_state, (size_t)s->state_at[s->problem->n_elements] * sizeof(double));
    s->increments++;
}

static void tell(const sw_structure *s, int step, double time, int iterations)
{
    char linear[200] = "";
    if (s->options.quiet)
        return;
    if (s->products != NULL)
        snprintf(linear, sizeof linear, ", %lld so far of linear equations on %s",
                 (long long)s->products_taken, sw_products_device(s->products));
    if (s->multigrid != NULL)
        snprintf(linear, sizeof linear, ", %lld so far of linear equations by multigrid",
                 (long long)s->products_taken);
    sw_note("step %d of %d: time %g of %g, %d iteration%s%s", step + 1, s->problem->n_steps, time,
            s->step->duration, iterations, iterations == 1 ? "" : "s", linear);
}

static sw_status give_up(sw_structure *s, int step, double time, double dt)
{
    char why[500], apart[300];
    snprintf(why, sizeof why, "%s", sw_error_message());
    sw_structure_tell_apart(s, apart, sizeof apart); /* which finds feet */
    sw_structure_contacts_end_step(s);
    return sw_error(
        SW_ERR_CONVERGENCE, "%s:%lld: step %d: no increment beyond time %g of %g, not even of %g: %s%s",
        s->problem->path, (long long)s->step->line, step + 1, time, s->step->duration, dt, why, apart);
}

/* By how much creep strains of the trial's increment differ, by its first and its last stress, at most; *at: the element. */
static double creep_change(const sw_structure *s, int64_t *at)
{
    const sw_structure_problem *p = s->problem;
    double most = 0;
    *at = 0;
    for (int64_t e = 0; e < p->n_elements; e++) {
        const sw_formulation *by = p->element[e].formulation;
        const sw_matter *matter = &p->matter[p->section[s->section[e]].matter];
        const double *state = s->trial_state + s->state_at[e] + by->n_own;
        for (int q = 0; q < by->rule->n && !s->removed[e]; q++) {
            const double change = sw_matter_creep_change(matter, state + q * sw_matter_state_size(matter));
            if (change <= most)
                continue;
            most = change;
            *at = p->element[e].label;
            if (isnan(change))
                return change;
        }
    }
    return most;
}

#define AIM 0.9 /* of the tolerance, for the next increment: changes go by the square of its time */

/* The increment that was tried keeps to the step's tolerance of creep: *longest is the next. Or it is to be tried again in
 * *longest, 0: in less than `least`, and that is said. */
static int creeps_evenly(sw_structure *s, double least, double *longest)
{
    int64_t at;
    *longest = s->step->duration;
    if (!(s->step->creep_tolerance > 0) || s->step->direct)
        return 1;
    const double change = creep_change(s, &at), share = change / s->step->creep_tolerance;
    const double part = AIM / sqrt(share);
    if (share <= 1) {
        *longest = fmin(*longest, part * s->moment.dt);
        return 1;
    }
    *longest = fmin(fmax(part, 0.1), 0.5) * s->moment.dt;
    if (*longest >= least)
        return 0;
    *longest = 0;
    sw_error(SW_ERR_CONVERGENCE,
             "creep strain of element %lld is %.3g more or less by the last stress than by the first: need "
             "at most CETOL = %g",
             (long long)at, change, s->step->creep_tolerance);
    return 0;
}

static int goes_by(const sw_structure_step *step, int amplitude)
{
    int does = 0;
    for (int64_t i = 0; i < step->n_fixed; i++)
        does |= step->fixed[i].amplitude == amplitude;
    for (int64_t i = 0; i < step->n_forces; i++)
        does |= step->force[i].amplitude == amplitude;
    for (int64_t i = 0; i < step->n_loads; i++)
        does |= step->load[i].amplitude == amplitude;
    for (int64_t i = 0; i < step->n_temperatures; i++)
        does |= step->temperature[i].amplitude == amplitude;
    return does;
}

/* What an amplitude of the step comes to within the increment to `next` of it is in no result. */
static void tell_turns(sw_structure *s, double next)
{
    const sw_structure_problem *p = s->problem;
    const double from = next - s->moment.dt, round = 1e-9 * s->step->duration;
    for (int k = 0; k < p->n_amplitudes && !s->said_turn; k++) {
        const sw_structure_amplitude *a = &p->amplitude[k];
        const double begin = a->total_time ? s->total_time : 0,
                     end = sw_structure_amplitude_at(a, begin + next);
        for (int i = 1; i + 1 < a->n_rows && !s->said_turn && a->curve != SW_STRUCTURE_PERIODIC; i++) {
            const double(*row)[2] = (const double(*)[2])a->row + i, time = row[0][0] - begin;
            if (!(time > from + round && time < next - round) ||
                !((row[0][1] - row[-1][1]) * (end - row[0][1]) < 0) || !goes_by(s->step, k))
                continue;
            s->said_turn = 1;
            sw_warn("%s:%lld: step %d: the increment from %g to %g goes over an amplitude's turn at %g, "
                    "where it is %g: "
                    "smaller increments would have it",
                    p->path, (long long)s->step->line, s->place.step + 1, from, next, time, row[0][1]);
        }
    }
}

/* ---- Sections whose volume changes ---- */

#define SWOLLEN 0.01 /* change of volume that is told of */

/* Present volume over that at rest less 1 where it is most, by Green's strain. */
static double swelling(const sw_structure_points *points)
{
    double most = 0;
    for (int q = 0; q < points->n; q++) {
        double c[3][3];
        for (int k = 0; k < 9; k++)
            c[k / 3][k % 3] = 2 * points->strain[q][sw_six_of(k / 3, k % 3)] + (k % 4 == 0);
        const double by = sqrt(sw_determinant(c)) - 1;
        most = fabs(by) > fabs(most) ? by : most;
    }
    return most;
}

/* Sections of elements whose forces would be others if their volume stayed, as Abaqus has it. */
static sw_status tell_swollen(sw_structure *s)
{
    const sw_structure_problem *p = s->problem;
    double most = 0;
    int64_t where = -1;
    for (int64_t e = 0; e < p->n_elements; e++) {
        sw_structure_points points;
        if (!p->element[e].thin || s->removed[e])
            continue;
        SW_TRY(sw_structure_points_of(s, e, &points));
        const double by = swelling(&points);
        if (fabs(by) > fabs(most)) {
            most = by;
            where = e;
        }
    }
    if (fabs(most) > SWOLLEN)
        sw_warn("%s:%lld: step %d: the volume of element %lld changes by %.2g %%: Abaqus takes sections of "
                "trusses, "
                "shells and membranes as if it did not, and has forces that are smaller by so much",
                p->path, (long long)s->step->line, s->place.step + 1, (long long)p->element[where].label,
                100 * most);
    return SW_OK;
}

/* ---- Springs against hourglass modes, and shear across linear shells ---- */

#define MOST_ARTIFICIAL 0.05 /* of the work of elements */
#define MOST_SHEAR 0.1  /* of the work of linear shells: that of a cantilever is 0.03 where it is 5 thick */
#define LEAST_PART 0.05 /* of the work of elements, in shells */
#define LEAST_WORK 0.01 /* of the most that the body has had: let go, it keeps round-off */
enum { ELEMENT_NS = 10000 };

/* The part across a plane of normal n of a symmetric tensor's vector there, its size. */
static double size_across(const double s[6], const double n[3])
{
    const double t[3] = {s[0] * n[0] + s[5] * n[1] + s[4] * n[2], s[5] * n[0] + s[1] * n[1] + s[3] * n[2],
                         s[4] * n[0] + s[3] * n[1] + s[2] * n[2]};
    const double along = t[0] * n[0] + t[1] * n[1] + t[2] * n[2];
    return sqrt(fmax(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] - along * along, 0));
}

/* Of the middle of a shell's solid, whose nodes are those below, then those above; at rest, or as it is. */
static void normal_of(const sw_element *e, int moved, double n[3])
{
    const int corners = e->formulation->topology->n_nodes / 2;
    double t[2][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        double x[4] = {0};
        for (int a = 0; a < 2 * corners; a++)
            x[a % corners] += e->x[a][i] + (moved ? e->u[a][i] : 0);
        t[0][i] = corners == 3 ? x[1] - x[0] : x[1] + x[2] - x[0] - x[3];
        t[1][i] = corners == 3 ? x[2] - x[0] : x[2] + x[3] - x[0] - x[1];
    }
    sw_cross(t[0], t[1], n);
    sw_to_unit(n);
}

/* What bends thin shells of three and four nodes: energy of shear across them that is not that of the means at its nodes, which
 * the shear of thick ones is. Shear goes by its sizes, which no rotation changes. 0 where it is not known. */
static double parasitic_of(sw_structure *s, int64_t e, const sw_structure_nodal *nodal, double *whole)
{
    const sw_structure_element *of = &s->problem->element[e];
    const int n = of->formulation->topology->n_nodes;
    sw_structure_points points;
    sw_element element;
    double rest[3], now[3], mean[6] = {0}, energy = 0, square = 0, volume = 0;
    *whole = 0;
    if (sw_structure_points_of(s, e, &points) != SW_OK || points.n == 0)
        return 0;
    sw_structure_element_at(s, e, &element);
    normal_of(&element, 0, rest);
    normal_of(&element, s->step->finite, now);
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 6; i++)
            mean[i] += nodal->stress[s->problem->node[of->first + a]][i] / n;
    for (int q = 0; q < points.n; q++) {
        const double v = points.volume[q], stress = size_across(points.stress[q], now);
        energy += v * stress * size_across(points.strain[q], rest);
        square += v * stress * stress;
        volume += v;
        *whole += v * (points.work[q][SW_WORK_ALL] - points.work[q][SW_WORK_HEAT]);
    }
    const double smooth = size_across(mean, now);
    return square > 0 ? energy * (1 - volume * smooth * smooth / square) : 0;
}

static void tell_artificial(sw_structure *s, double whole)
{
    const double part = s->energy[SW_STRUCTURE_ARTIFICIAL] / whole;
    if (s->said_artificial || !(part > MOST_ARTIFICIAL))
        return;
    s->said_artificial = 1;
    sw_warn(
        "%s:%lld: step %d: %.3g %% of the work of elements is in springs against hourglass modes, at most 5 "
        "%% is sound: reduced "
        "elements (C3D8R, CPS4R, S4R, B31R) bend by them: need several across what bends, or C3D8I, S4, B31",
        s->problem->path, (long long)s->step->line, s->place.step + 1, 100 * part);
}

static void tell_shear(sw_structure *s, double body, const sw_structure_nodal *nodal)
{
    const sw_structure_problem *p = s->problem;
    double shear = 0, whole = 0;
#pragma omp parallel for schedule(static) reduction(+ : shear, whole) num_threads(sw_threads_for(p->n_elements, ELEMENT_NS))
    for (int64_t e = 0; e < p->n_elements; e++) {
        double of;
        if (!p->element[e].linear_shell || s->removed[e])
            continue;
        shear += parasitic_of(s, e, nodal, &of);
        whole += of;
    }
    if (!(whole >= LEAST_PART * body) || !(shear > MOST_SHEAR * whole))
        return;
    s->said_shear = 1;
    sw_warn("%s:%lld: step %d: %.3g %% of the strain energy of shells of three and four nodes is shear "
            "across them that goes up and "
            "down from element to element, which locks: they may be %.3g times too stiff: need smaller "
            "elements, squares, or S8R",
            p->path, (long long)s->step->line, s->place.step + 1, 100 * shear / whole,
            1 / fmax(1 - shear / whole, 1e-3));
}

static int has_linear_shells(const sw_structure_problem *p)
{
    for (int64_t e = 0; e < p->n_elements; e++)
        if (p->element[e].linear_shell)
            return 1;
    return 0;
}

static sw_status tell_quality(sw_structure *s)
{
    sw_structure_nodal nodal;
    const double whole = s->energy[SW_STRUCTURE_ELASTIC] + s->energy[SW_STRUCTURE_PLASTIC] +
                         s->energy[SW_STRUCTURE_CREEP] + s->energy[SW_STRUCTURE_ARTIFICIAL];
    s->most_work = fmax(s->most_work, whole);
    if (s->place.time < s->step->duration || !(whole > LEAST_WORK * s->most_work))
        return SW_OK;
    tell_artificial(s, whole);
    if (s->said_shear || !has_linear_shells(s->problem))
        return SW_OK;
    SW_TRY(sw_structure_nodal_make(s, NULL, &nodal));
    tell_shear(s, whole, &nodal);
    sw_structure_nodal_free(&nodal);
    return SW_OK;
}

/* ---- A step ---- */

/* The increment to `next` is done. */
static sw_status end_increment(sw_structure *s, double next, int iterations, double longest)
{
    const int step = s->place.step;
    sw_status status = SW_OK;
    s->place.time = next;
    s->place.accepted++;
    tell(s, step, next, iterations);
    tell_turns(s, next);
    sw_structure_add_energies(s);
    if (s->step->finite && next >= s->step->duration)
        status = tell_swollen(s);
    if (status == SW_OK)
        status = tell_quality(s);
    if (s->results != NULL &&
        status == SW_OK) /* before the state moves on: points are asked as the solution asked them */
        status = sw_structure_results_add(s, step, iterations, next >= s->step->duration);
    SW_TRY(sw_parallel_agree(status));
    accept(s);
    const int soon = iterations <= (s->contacts != NULL ? FAST_CONTACT : FAST);
    sw_structure_contacts_harden(s, soon);
    if (soon && !s->step->direct)
        s->place.dt = fmin(1.5 * s->place.dt, s->step->most > 0 ? s->step->most : s->step->duration);
    s->place.dt = fmin(s->place.dt, longest);
    return sw_parallel_agree(sw_structure_keep(s));
}

/* Whether springs against hourglass modes may jump, and so keep an increment from balance. */
static int has_springs(const sw_structure *s)
{
    for (int64_t e = 0; e < s->problem->n_elements; e++)
        if (s->problem->element[e].formulation->evaluate == sw_evaluate_hourglass_plain)
            return 1;
    return 0;
}

static sw_status follow(sw_structure *s)
{
    const sw_structure_step *of = s->step;
    struct sw_structure_place *at = &s->place;
    const double duration = of->duration;
    const int at_once = s->linear && s->problem->linear_at_once;
    const double first = at_once || !(of->first > 0) ? duration : fmin(of->first, duration);
    const double least = of->direct ? first : of->least > 0 ? fmin(of->least, first) : LEAST * duration;
    if (!(at->dt > 0))
        at->dt = first;
    while (at->time < duration) {
        int iterations;
        double longest;
        const double next = at->time + at->dt > (1 - 1e-9) * duration ? duration : at->time + at->dt;
        if (of->most_increments > 0 && at->accepted >= of->most_increments && !at_once)
            return sw_error(SW_ERR_CONVERGENCE,
                            "%s:%lld: step %d: time %g of %g after %lld increments: need INC of more",
                            s->problem->path, (long long)of->line, at->step + 1, at->time, duration,
                            (long long)at->accepted);
        s->increment = at->accepted + 1;
        sw_structure_load_at(s, next, next - at->time);
        const sw_status status = sw_structure_increment(s, &iterations);
        s->iterations += iterations;
        if (status == SW_ERR_CONVERGENCE && !s->keeps_springs && !s->linear && has_springs(s)) {
            s->keeps_springs = 1;
            continue;
        }
        if (status == SW_ERR_CONVERGENCE && sw_structure_contacts_soften(s, 0))
            continue;
        if (status == SW_ERR_CONVERGENCE && 0.25 * (next - at->time) >= least && !s->linear) {
            at->dt = 0.25 * (next - at->time);
            continue;
        }
        if (status == SW_ERR_CONVERGENCE && sw_structure_contacts_soften(s, 1))
            continue;
        if (status != SW_OK)
            return status == SW_ERR_CONVERGENCE ? give_up(s, at->step, at->time, at->dt) : status;
        sw_structure_share_states(s);
        if (!creeps_evenly(s, least, &longest)) {
            if (!(longest > 0))
                return give_up(s, at->step, at->time, at->dt);
            at->dt = longest;
            continue;
        }
        SW_TRY(end_increment(s, next, iterations, longest));
        s->keeps_springs = 0;
    }
    return SW_OK;
}

/* Loads by element. */
static void sort_loads(sw_structure *s)
{
    const int64_t E = s->problem->n_elements;
    memset(s->load_first, 0, (size_t)(E + 2) * sizeof *s->load_first);
    for (int64_t i = 0; i < s->step->n_loads; i++)
        s->load_first[s->step->load[i].element + 2]++;
    for (int64_t e = 0; e < E; e++)
        s->load_first[e + 2] += s->load_first[e + 1];
    for (int64_t i = 0; i < s->step->n_loads; i++)
        s->load_of[s->load_first[s->step->load[i].element + 1]++] = i;
}

static int is_linear(const sw_structure *s)
{
    int linear = !s->step->finite && !s->ties.curved && s->contacts == NULL;
    for (int i = 0; i < s->problem->n_matters; i++)
        linear &= s->problem->matter[i].law == NULL || s->problem->matter[i].law->linear;
    for (int64_t i = 0; i < s->problem->n_springs; i++)
        linear &= s->problem->spring[i].row != NULL && s->problem->spring[i].n_rows == 1;
    return linear;
}

/* Of a step that is gone on with: dependent unknowns are those that they were. */
static sw_status resume_ties(sw_structure *s)
{
    int renumbered;
    memcpy(s->ties.pivot, s->resumed, (size_t)s->ties.n_rows * sizeof *s->resumed);
    free(s->resumed);
    s->resumed = NULL;
    return sw_structure_ties_at(s->problem, &s->ties, s->u, s->moment.goal, &renumbered);
}

/* What is loaded or moved has something there: an element, a spring or a constraint. */
static sw_status need_places(const sw_structure *s)
{
    const sw_structure_step *step = s->step;
    for (int64_t i = 0; i < step->n_forces + step->n_fixed; i++) {
        const int moves = i >= step->n_forces;
        const sw_structure_value *v = moves ? &step->fixed[i - step->n_forces] : &step->force[i];
        if (s->ties.used[v->unknown] || isnan(v->to) || v->to == 0)
            continue;
        return sw_error(
            SW_ERR_INPUT,
            "%s:%lld: step %d: node %lld: a %s of %g along %d, where no element, spring or tie of it is%s",
            s->problem->path, (long long)step->line, s->place.step + 1,
            (long long)s->problem->node_label[v->unknown / 3], moves ? "displacement" : "force", v->to,
            (int)(v->unknown % 3) + 1, sw_structure_dimension(s) == 2 ? ": bodies are plane" : "");
    }
    return SW_OK;
}

sw_status sw_structure_advance(sw_structure *s, int k)
{
    const int goes_on = s->resumed != NULL;
    for (int c = 0; goes_on && s->contacts != NULL && c < s->contacts->n; c++)
        s->contacts->touched[c] = s->contacts->told[c] = !s->contacts->pair[c].off;
    s->step = &s->problem->step[k];
    if (!goes_on) {
        s->place = (struct sw_structure_place){.step = k};
        s->skew = s->said_turn = 0;
        s->last_dt = 0;
        memcpy(s->begin, s->u, (size_t)s->ties.n_unknowns * sizeof(double));
        if (s->step->creep_tolerance > 0 && s->step->direct)
            sw_warn("%s:%lld: step %d: CETOL = %g bounds no increments beside DIRECT", s->problem->path,
                    (long long)s->step->line, k + 1, s->step->creep_tolerance);
        SW_TRY(sw_structure_change_elements(s));
        sw_structure_contacts_change(s);
        s->skew = sw_structure_contacts_rub(s);
        SW_TRY(sw_structure_mark(s));
    }
    s->linear = is_linear(s);
    sort_loads(s);
    sw_structure_load_at(s, s->step->duration, s->step->duration);
    SW_TRY(need_places(s));
    SW_TRY(sw_structure_ties_of_step(s->problem, s->step, s->begin, s->moment.goal, &s->ties));
    if (goes_on)
        SW_TRY(resume_ties(s));
    if (s->contacts == NULL) /* else opened where it is known what touches */
        SW_TRY(sw_structure_open_equations(s));
    else
        sw_structure_system_close(&s->system);
    SW_TRY(follow(s));
    sw_structure_contacts_end_step(s);
    s->total_time += s->step->duration;
    return SW_OK;
}
