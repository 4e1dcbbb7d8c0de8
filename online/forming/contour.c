#include "contour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps to the contour, at least: plastic work is interpolated between two of them. And at most so often as many, until a
 * run that is softer than tension along the rolling direction gets there. */
enum { LEAST_STEPS = 20, MOST_TIMES = 20 };
/* Strain before that, at most: of the strongest metals. */
static const double most_elastic = 0.02;

/* What runs go by until it is at the goal: it grows with every step. */
typedef double measure(const sw_contour_point *point);
static double work_of(const sw_contour_point *point) { return point->work; }
static double elongation_of(const sw_contour_point *point) { return point->strain[0]; }

typedef struct {
    sw_forming *forming;
    int64_t n;
    measure *of;
    double dt, goal;
    sw_runs *runs;
    sw_contour_point *now, *before; /* [n] */
    sw_contour_point *found;        /* [n] the caller's */
    sw_contour_line *line;          /* [n] likewise; NULL: not wanted */
} walk;

/* a : b of symmetric tensors. */
static double product(const double a[6], const double b[6])
{
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += (k < 3 ? 1 : 2) * a[k] * b[k];
    return sum;
}

/* The stress at which a step flows: the mean of its ends where it flows on as the step before did; where it begins to, the
 * elastic part is over by then, and it is the later one. */
static void flow_stress_of(const sw_contour_point *before, const sw_contour_point *now, double stress[6])
{
    const double on = fmin(1, sqrt(product(before->strain_rate, before->strain_rate) /
                                   product(now->strain_rate, now->strain_rate)));
    for (int k = 0; k < 6; k++)
        stress[k] = now->stress[k] - 0.5 * on * (now->stress[k] - before->stress[k]);
}

/* The plastic part of a step: what the mean stress keeps of it elastically goes off, and what changes the volume, as crystals that are
 * not cubic do: slip does not. */
static void take(const walk *w, int64_t run)
{
    const sw_run_state *state = sw_runs_state(w->runs, run);
    const sw_contour_point *b = &w->before[run];
    sw_contour_point *p = &w->now[run];
    double flow_stress[6];
    const double volume = sw_trace(state->velocity_gradient) / 3;
    for (int k = 0; k < 6; k++) {
        p->stress[k] = state->stress[k];
        p->strain_rate[k] = sw_loading_component(state->velocity_gradient, k) - (k < 3 ? volume : 0) -
                            w->forming->compliance * (p->stress[k] - b->stress[k]) / w->dt;
        p->strain[k] = b->strain[k] + p->strain_rate[k] * w->dt;
    }
    flow_stress_of(b, p, flow_stress);
    p->work = b->work + w->dt * product(flow_stress, p->strain_rate);
}

/* Where the goal is between two steps. The strain rate is the later step's: it has none of its own in between. */
static sw_contour_point between(const walk *w, const sw_contour_point *a, const sw_contour_point *b)
{
    const double part = (w->goal - w->of(a)) / (w->of(b) - w->of(a));
    sw_contour_point p = *b;
    p.work = a->work + part * (b->work - a->work);
    for (int k = 0; k < 6; k++) {
        p.stress[k] = a->stress[k] + part * (b->stress[k] - a->stress[k]);
        p.strain[k] = a->strain[k] + part * (b->strain[k] - a->strain[k]);
    }
    return p;
}

static sw_status add_to(sw_contour_line *line, const sw_contour_point *point)
{
    if (line->n == line->room) {
        const int64_t room = 2 * line->room + 32;
        SW_TRY(SW_GROW(line->point, room, "curves"));
        line->room = room;
    }
    line->point[line->n++] = *point;
    return SW_OK;
}

void sw_contour_lines_free(int64_t n, sw_contour_line *line)
{
    for (int64_t k = 0; k < n && line != NULL; k++)
        free(line[k].point);
    free(line);
}

/* After a step: those that are there end. */
static sw_status look_around(walk *w)
{
    for (int64_t run = 0; run < w->n; run++) {
        if (!sw_runs_is_going(w->runs, run))
            continue;
        const sw_run_state *state = sw_runs_state(w->runs, run);
        if (state->failed)
            return sw_error(SW_ERR_CONVERGENCE,
                            "polycrystal %lld of %lld: its stresses are not met (to %.2g of the largest "
                            "one), or crystals "
                            "have no answer: more crystals, or a smaller strain_increment, may do it",
                            (long long)run + 1, (long long)w->n, state->miss);
        take(w, run);
        const int is_there = w->of(&w->now[run]) >= w->goal;
        if (is_there) {
            w->found[run] = between(w, &w->before[run], &w->now[run]);
            SW_TRY(sw_runs_end(w->runs, run));
        }
        if (w->line != NULL)
            SW_TRY(add_to(&w->line[run], is_there ? &w->found[run] : &w->now[run]));
        w->before[run] = w->now[run];
    }
    return SW_OK;
}

static sw_status walk_all(walk *w, const sw_condition *condition, int64_t most)
{
    for (int64_t step = 0; sw_runs_going(w->runs) > 0; step++) {
        if (step >= most)
            return sw_error(
                SW_ERR_CONVERGENCE,
                "%lld of %lld polycrystals are not at the plastic work, or strain, that is asked for, after "
                "%lld steps",
                (long long)sw_runs_going(w->runs), (long long)w->n, (long long)most);
        SW_TRY(sw_runs_step(w->runs, w->dt, condition));
        SW_TRY(look_around(w));
        sw_progress_show(&w->forming->progress, w->forming->evaluations + sw_runs_evaluations(w->runs));
    }
    return SW_OK;
}

/* rate: norm of the strain rates, 1/s; strain: of the order of those at the goal. */
static sw_status walk_to(walk *w, const sw_condition *condition, double rate, double strain)
{
    sw_forming *f = w->forming;
    const double steps = fmax(LEAST_STEPS, ceil(strain / (rate * sw_forming_step(f, rate))));
    w->dt = strain / steps / rate;
    sw_status status = sw_forming_begin(f, w->n, &w->runs);
    if (status == SW_OK)
        status = SW_ALLOCATE(w->now, w->n, "points of a contour");
    if (status == SW_OK)
        status = SW_ALLOCATE(w->before, w->n, "points of a contour");
    if (status == SW_OK)
        status = walk_all(w, condition, (int64_t)(steps * (MOST_TIMES + most_elastic / strain)));
    if (w->runs != NULL)
        f->evaluations += sw_runs_evaluations(w->runs);
    sw_runs_free(w->runs);
    free(w->now);
    free(w->before);
    return status;
}

sw_status sw_contour(sw_forming *forming, int64_t n, const sw_condition *condition, double rate, double work,
                     double strain, sw_contour_point *point, sw_contour_line *line)
{
    walk w = {.forming = forming, .n = n, .of = work_of, .goal = work, .found = point, .line = line};
    return walk_to(&w, condition, rate, strain);
}

/* The sheet's hardening. */
static sw_status keep_curve(const sw_contour_line *line, sw_sheet_curve *curve)
{
    if (curve->n > 0 && line->point[line->n - 1].strain[0] <= curve->row[curve->n - 1][0])
        return SW_OK;
    free(curve->row);
    *curve = (sw_sheet_curve){0};
    SW_TRY(SW_ALLOCATE(curve->row, line->n, "a hardening curve"));
    curve->n = line->n;
    for (int64_t i = 0; i < line->n; i++) {
        const sw_contour_point *p = &line->point[i];
        curve->row[i][0] = p->strain[0];
        curve->row[i][1] = p->stress[0] - p->stress[2];
    }
    return SW_OK;
}

sw_status sw_contour_tension(sw_forming *forming, double strain, sw_contour_point *point)
{
    const double rate = forming->job->strain_rate;
    const sw_condition condition = sw_condition_uniaxial(0, rate);
    sw_contour_line line = {0};
    walk w = {.forming = forming, .n = 1, .of = elongation_of, .goal = strain, .found = point, .line = &line};
    sw_status status = walk_to(&w, &condition, rate * sqrt(1.5), strain * sqrt(1.5));
    if (status == SW_OK)
        status = keep_curve(&line, &forming->sheet.curve);
    free(line.point);
    return status;
}

/* ---- In files ---- */

sw_status sw_sheet_curve_write(const sw_sheet_curve *curve, hid_t group)
{
    const int64_t shape[2] = {curve->n, 2};
    SW_TRY(sw_h5_write(group, "curve", H5T_NATIVE_DOUBLE, 2, shape, curve->row));
    return sw_h5_describe(group, "curve", "columns", "strain stress/Pa");
}

sw_status sw_sheet_curve_read(hid_t group, sw_sheet_curve *curve)
{
    int64_t shape[2];
    SW_TRY(sw_h5_shape(group, "curve", 2, shape));
    SW_TRY(SW_ALLOCATE(curve->row, shape[0] + 1, "a hardening curve"));
    curve->n = shape[0];
    shape[1] = 2;
    return sw_h5_read(group, "curve", H5T_NATIVE_DOUBLE, 2, shape, curve->row);
}
