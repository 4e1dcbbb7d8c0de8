#include "limits.h"

#include <math.h>
#include <stdlib.h>

#include "common/math/rotation.h"
#include "common/math/strain_rate.h"

const char *const sw_limit_end_names[SW_LIMIT_ENDS] = {"neck", "no equilibrium", "strain limit"};

/* Times are whole numbers of ticks, the shortest part of a step. */
enum { WHOLE = 64, SHORTEST_BY_RATE = 4 };

typedef struct {
    const sw_limit_settings *settings;
    const sw_limit_crystals *crystals;
    double dt;           /* s, of a step */
    int64_t steps;       /* S: to the strain limit */
    int paths;           /* P */
    sw_runs *sheets;     /* run p: path p */
    int64_t evaluations; /* of teams that are no more */
    int64_t sheet_steps; /* that the sheets have taken */
    double (*stress)[6]; /* [P][S + 1] of the sheets after each step, plane stress, Pa */
    double *thinning; /* [P][S + 1] ln of the sheets' thickness, with elastic volume where crystals have it */
    double *slip_rate;     /* [P] 1/s: of the sheets in the last step */
    int64_t *flows;        /* [P] the first step in which it grew no more; 0: it does */
    sw_condition *stretch; /* [P] */
    int64_t *slowest;      /* [P] */
    sw_limit_diagram *diagram;
    double *first; /* [P] ticks: the earliest neck of a path so far; HUGE_VAL: none */
} finder;

/* Of one path and angle. */
typedef struct {
    int path;
    double angle;     /* rad, at the beginning */
    int64_t time;     /* ticks */
    int64_t most;     /* ticks of a step that it may take, whatever its rate */
    double thickness; /* over the sheet's at the beginning */
    double rate;      /* ||D|| over the sheet's in the last step */
    double necked;    /* ticks; HUGE_VAL: not yet */
    sw_limit_end end;
} band;

/* Bands that are searched together. */
typedef struct {
    int64_t n;
    band *band;              /* [n] */
    sw_condition *condition; /* [n] */
    int64_t *ticks;          /* [n] of the step at hand; 0: takes none */
    double *dt;              /* [n] the same in s */
    sw_runs *runs;           /* run k: band k */
} team;

/* ---- The sheet ---- */

static void strain_at(const finder *f, int path, double ticks, double strain[2])
{
    strain[0] = f->settings->strain_rate * f->dt * ticks / WHOLE;
    strain[1] = f->diagram->path[path].ratio * strain[0];
}

/* Between steps by straight lines: the step, and the part of it. */
static double place_of(const finder *f, int path, double ticks, int64_t *at)
{
    const int64_t step = (int64_t)fmin(floor(ticks / WHOLE), (double)(f->sheet_steps - 1));
    *at = path * (f->steps + 1) + step;
    return ticks / WHOLE - (double)step;
}

static double thickness_at(const finder *f, int path, double ticks)
{
    int64_t at;
    const double part = place_of(f, path, ticks, &at), *ln = f->thinning + at;
    return exp(ln[0] + part * (ln[1] - ln[0]));
}

static void stress_at(const finder *f, int path, double ticks, double stress[6])
{
    int64_t step;
    const double part = place_of(f, path, ticks, &step);
    const double(*at)[6] = (const double(*)[6])(f->stress + step);
    for (int k = 0; k < 6; k++)
        stress[k] = at[0][k] + part * (at[1][k] - at[0][k]);
}

/* Strain rates along the major axis and across it, in the sheet's axes. */
static void turn(double angle, sw_condition *c)
{
    const double cosine = cos(angle), sine = sin(angle), a = c->base[0][0], b = c->base[1][1];
    c->base[0][0] = cosine * cosine * a + sine * sine * b;
    c->base[1][1] = sine * sine * a + cosine * cosine * b;
    c->base[0][1] = c->base[1][0] = sine * cosine * (a - b);
}

static double major_axis(const finder *f) { return f->settings->major_axis * SW_PI / 180; }

/* While a sheet begins to flow, from one crystal to the other, its force rises steeply, and a band that flows already has
 * to run ahead: that is no neck. */
static void note_flow(finder *f, int path, double slip_rate)
{
    if (f->flows[path] == 0 && slip_rate <= 1.05 * f->slip_rate[path])
        f->flows[path] = f->sheet_steps;
    f->slip_rate[path] = slip_rate;
}

static int flows_at(const finder *f, int path, int64_t ticks)
{
    return f->flows[path] > 0 && ticks > (f->flows[path] - 1) * WHOLE;
}

static sw_status step_sheets(finder *f)
{
    SW_TRY(sw_runs_step(f->sheets, f->dt, f->stretch));
    f->sheet_steps++;
    for (int p = 0; p < f->paths; p++) {
        const sw_run_state *s = sw_runs_state(f->sheets, p);
        if (!sw_runs_is_going(f->sheets, p))
            continue;
        if (s->failed)
            return sw_error(SW_ERR_CONVERGENCE,
                            "the sheet of ratio %g has no answer at a strain of %.4g: try a smaller "
                            "strain_increment",
                            f->diagram->path[p].ratio,
                            (double)f->sheet_steps * f->dt * f->settings->strain_rate);
        const int64_t at = p * (f->steps + 1) + f->sheet_steps;
        sw_plane_stress_of(s->stress, f->stress[at]);
        f->thinning[at] = f->thinning[at - 1] + s->velocity_gradient[2][2] * f->dt;
        note_flow(f, p, s->slip_rate);
    }
    return SW_OK;
}

/* ---- Bands ---- */

static double angle_at(const finder *f, const band *b, double ticks)
{
    double strain[2];
    strain_at(f, b->path, ticks, strain);
    return sw_band_angle(f->settings->band, b->angle, strain);
}

/* Of the step that ends at `end`, where equilibrium is and the normal is taken. */
static sw_condition condition_of(const finder *f, const band *b, int64_t end)
{
    const double angle = major_axis(f) + angle_at(f, b, (double)end);
    const double normal[2] = {cos(angle), sin(angle)}, h = thickness_at(f, b->path, (double)end);
    double stress[6], force[2];
    stress_at(f, b->path, (double)end, stress);
    sw_band_traction(stress, normal, force);
    for (int k = 0; k < 2; k++)
        force[k] *= h;
    return sw_band_condition((const double(*)[3])f->stretch[b->path].base, normal, force, b->thickness);
}

/* Ticks of a step at this rate. Without rate sensitivity it grows as 1 / sqrt(strain that is left to the sheet), so that
 * steps as 1 / rate^2 are equal parts of that. */
static int64_t part_at(double rate)
{
    int64_t part = WHOLE;
    while (part > SHORTEST_BY_RATE && (double)part * rate * rate > 2 * WHOLE)
        part /= 2;
    return part;
}

/* A step up to `end` was taken. A neck is where 1 / rate, which falls to 0 there, passes 1 / necking. */
static void accept(const finder *f, band *b, const sw_run_state *state, int64_t end)
{
    const double(*l)[3] = state->velocity_gradient;
    const double taken = (double)(end - b->time), limit = f->settings->necking;
    const double rate = sqrt(sw_symmetric_square(l)) /
                        sqrt(sw_symmetric_square((const double(*)[3])f->stretch[b->path].base));
    if (rate >= limit && flows_at(f, b->path, end)) {
        const double before = 1 / fmin(b->rate, limit), after = 1 / rate;
        const double part = before > after ? (before - 1 / limit) / (before - after) : 0;
        b->necked = (double)b->time + taken * part;
        b->end = SW_LIMIT_NECK;
    }
    b->thickness *= exp(l[2][2] * f->dt * taken / WHOLE);
    b->rate = rate;
    b->time = end;
}

/* A step had no answer: a shorter one may have. */
static void refuse(band *b, int64_t ticks)
{
    b->most = ticks / 2;
    if (ticks > 1)
        return;
    b->necked = (double)b->time;
    b->end = SW_LIMIT_NO_EQUILIBRIUM;
}

/* Bands that are at their path's earliest neck, or at the strain limit, are done. */
static int is_done(const finder *f, const band *b)
{
    return b->end != SW_LIMIT_NONE || b->time >= f->steps * WHOLE || (double)b->time >= f->first[b->path];
}

/* Ticks of a band's next step: the longest that it may take from where it is to the end of a whole step, which it does not
 * go beyond. */
static int64_t next_ticks(const band *b)
{
    int64_t ticks = b->most < part_at(b->rate) ? b->most : part_at(b->rate);
    while (b->time % ticks != 0)
        ticks /= 2;
    return ticks;
}

/* Whole steps that all bands of a path have taken. */
static void find_slowest(finder *f, const team *t)
{
    for (int p = 0; p < f->paths; p++)
        f->slowest[p] = f->steps;
    for (int64_t k = 0; k < t->n; k++) {
        const band *b = &t->band[k];
        if (!is_done(f, b) && b->time / WHOLE < f->slowest[b->path])
            f->slowest[b->path] = b->time / WHOLE;
    }
}

/* Those of a path wait for each other at every whole step, since the earliest neck ends them all; paths do not. Returns the
 * last whole step that any band needs of its sheet; 0: none takes a step. */
static int64_t plan_steps(finder *f, team *t)
{
    int64_t last = 0;
    find_slowest(f, t);
    for (int64_t k = 0; k < t->n; k++) {
        const band *b = &t->band[k];
        const int64_t step = b->time / WHOLE;
        t->ticks[k] = is_done(f, b) || step > f->slowest[b->path] ? 0 : next_ticks(b);
        t->dt[k] = f->dt * (double)t->ticks[k] / WHOLE;
        last = t->ticks[k] > 0 && step >= last ? step + 1 : last;
    }
    return last;
}

static sw_status take_step(finder *f, team *t, int64_t k)
{
    band *b = &t->band[k];
    sw_limit_path *path = &f->diagram->path[b->path];
    const sw_run_state *state = sw_runs_state(t->runs, k);
    if (state->failed)
        refuse(b, t->ticks[k]);
    else
        accept(f, b, state, b->time + t->ticks[k]);
    if (b->necked < f->first[b->path]) {
        f->first[b->path] = b->necked;
        path->angle = b->angle;
        path->end = b->end;
        SW_TRY(sw_runs_end(f->sheets, b->path));
    }
    return SW_OK;
}

/* A step of every band that goes on, each of its own length. */
static sw_status step_bands(finder *f, team *t)
{
    for (int64_t k = 0; k < t->n; k++)
        if (t->ticks[k] > 0)
            t->condition[k] = condition_of(f, &t->band[k], t->band[k].time + t->ticks[k]);
    SW_TRY(sw_runs_step_each(t->runs, t->dt, t->condition));
    for (int64_t k = 0; k < t->n; k++)
        if (t->ticks[k] > 0)
            SW_TRY(take_step(f, t, k));
    for (int64_t k = 0; k < t->n; k++)
        if (is_done(f, &t->band[k]))
            SW_TRY(sw_runs_end(t->runs, k));
    return SW_OK;
}

static void free_team(team *t)
{
    free(t->band);
    free(t->condition);
    free(t->ticks);
    free(t->dt);
    sw_runs_free(t->runs);
}

/* n bands that have yet to be set. */
static sw_status make_team(const finder *f, int64_t n, team *t)
{
    *t = (team){.n = n};
    SW_TRY(SW_ALLOCATE(t->band, n, "bands"));
    SW_TRY(SW_ALLOCATE(t->condition, n, "bands"));
    SW_TRY(SW_ALLOCATE(t->ticks, n, "bands"));
    SW_TRY(SW_ALLOCATE(t->dt, n, "bands"));
    return f->crystals->begin(f->crystals->context, n, &t->runs);
}

static void set_band(const finder *f, team *t, int64_t k, int path, double angle)
{
    t->band[k] = (band){.path = path,
                        .angle = angle,
                        .thickness = f->settings->imperfection,
                        .most = WHOLE,
                        .rate = 1,
                        .necked = HUGE_VAL,
                        .end = SW_LIMIT_NONE};
}

/* ---- The search ---- */

static void show(const finder *f, const team *t)
{
    const int64_t n = f->evaluations + sw_runs_evaluations(f->sheets) + sw_runs_evaluations(t->runs);
    if (f->crystals->show != NULL)
        f->crystals->show(f->crystals->context, n);
}

static sw_status advance_team(finder *f, team *t)
{
    for (int64_t last; (last = plan_steps(f, t)) > 0;) {
        while (f->sheet_steps < last)
            SW_TRY(step_sheets(f));
        SW_TRY(step_bands(f, t));
        show(f, t);
    }
    f->diagram->bands += t->n;
    f->evaluations += sw_runs_evaluations(t->runs);
    return SW_OK;
}

static double angle_between(const sw_limit_settings *s)
{
    return s->angles.count > 1
               ? (s->angles.last - s->angles.first) * SW_PI / 180 / (double)(s->angles.count - 1)
               : 0;
}

static sw_status search_all_angles(finder *f, team *t)
{
    const int64_t angles = f->settings->angles.count;
    SW_TRY(make_team(f, f->paths * angles, t));
    for (int64_t k = 0; k < t->n; k++)
        set_band(f, t, k, (int)(k / angles),
                 f->settings->angles.first * SW_PI / 180 + (double)(k % angles) * angle_between(f->settings));
    return advance_team(f, t);
}

/* Angle j of the refinement of a path; NaN: it is outside the angles that are asked for. */
static double refined_angle(const finder *f, int path, int64_t j)
{
    const sw_limit_settings *s = f->settings;
    const double part = 2 * ((double)j + 1) / ((double)s->refinement + 1) - 1;
    const double angle = f->diagram->path[path].angle + part * angle_between(s);
    return part != 0 && angle > s->angles.first * SW_PI / 180 && angle < s->angles.last * SW_PI / 180 ? angle
                                                                                                      : NAN;
}

/* How many angles are refined; with a team, its bands. */
static int64_t set_refined(const finder *f, team *t)
{
    int64_t n = 0;
    for (int p = 0; p < f->paths; p++)
        for (int64_t j = 0; j < f->settings->refinement && isfinite(f->first[p]); j++) {
            const double angle = refined_angle(f, p, j);
            if (isnan(angle))
                continue;
            if (t != NULL)
                set_band(f, t, n, p, angle);
            n++;
        }
    return n;
}

static sw_status search_refined(finder *f, team *t)
{
    const int64_t n = set_refined(f, NULL);
    *t = (team){.n = 0};
    if (n == 0)
        return SW_OK;
    SW_TRY(make_team(f, n, t));
    set_refined(f, t);
    return advance_team(f, t);
}

/* ---- All ---- */

static sw_status begin(finder *f)
{
    const sw_limit_settings *s = f->settings;
    SW_TRY(SW_ALLOCATE(f->diagram->path, f->paths, "paths"));
    SW_TRY(SW_ALLOCATE(f->stress, f->paths * (f->steps + 1), "stresses of sheets"));
    SW_TRY(SW_ALLOCATE(f->thinning, f->paths * (f->steps + 1), "thicknesses of sheets"));
    SW_TRY(SW_ALLOCATE(f->slip_rate, f->paths, "paths"));
    SW_TRY(SW_ALLOCATE(f->flows, f->paths, "paths"));
    SW_TRY(SW_ALLOCATE(f->stretch, f->paths, "paths"));
    SW_TRY(SW_ALLOCATE(f->slowest, f->paths, "paths"));
    SW_TRY(SW_ALLOCATE(f->first, f->paths, "paths"));
    SW_TRY(f->crystals->begin(f->crystals->context, f->paths, &f->sheets));
    for (int p = 0; p < f->paths; p++) {
        const double ratio = s->ratios_count > 0 ? s->ratios[p] : sw_limit_ratios[p];
        f->first[p] = HUGE_VAL;
        f->stretch[p] = sw_condition_stretch(s->strain_rate, ratio);
        turn(major_axis(f), &f->stretch[p]);
        f->diagram->path[p] = (sw_limit_path){.ratio = ratio, .angle = NAN, .end = SW_LIMIT_NONE};
    }
    return SW_OK;
}

/* Where each path ended. */
static void finish(const finder *f)
{
    for (int p = 0; p < f->paths; p++) {
        sw_limit_path *path = &f->diagram->path[p];
        const double ticks = fmin(f->first[p], (double)(f->steps * WHOLE));
        strain_at(f, p, ticks, path->strain);
        stress_at(f, p, ticks, path->stress);
        path->final_angle = sw_band_angle(f->settings->band, path->angle, path->strain);
    }
    f->diagram->evaluations = f->evaluations + sw_runs_evaluations(f->sheets);
}

static sw_status find(finder *f)
{
    team t;
    SW_TRY(begin(f));
    sw_status status = search_all_angles(f, &t);
    free_team(&t);
    SW_TRY(status);
    status = search_refined(f, &t);
    free_team(&t);
    SW_TRY(status);
    finish(f);
    return SW_OK;
}

sw_status sw_limit_diagram_find(const sw_limit_settings *settings, const sw_limit_crystals *crystals,
                                sw_limit_diagram *diagram)
{
    finder f = {.settings = settings,
                .crystals = crystals,
                .dt = settings->strain_increment / settings->strain_rate,
                .steps = (int64_t)ceil(settings->strain_limit / settings->strain_increment * (1 - 1e-9)),
                .paths = settings->ratios_count > 0 ? (int)settings->ratios_count : SW_LIMIT_RATIOS,
                .diagram = diagram};
    *diagram = (sw_limit_diagram){.paths = f.paths};
    const sw_status status = find(&f);
    sw_runs_free(f.sheets);
    free(f.stress);
    free(f.thinning);
    free(f.slip_rate);
    free(f.flows);
    free(f.stretch);
    free(f.slowest);
    free(f.first);
    if (status != SW_OK)
        sw_limit_diagram_free(diagram);
    return status;
}

void sw_limit_diagram_free(sw_limit_diagram *diagram)
{
    free(diagram->path);
    *diagram = (sw_limit_diagram){.paths = 0};
}
