/* Rigid motions that nothing holds: of bodies - elements that share nodes - those that leave all that is prescribed at rest, obey
 * the constraints and deform no spring. Mechanisms of hinges and surfaces that touch are not looked at. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "common/system/progress.h"

enum {
    MOTIONS = 6,
    MOST_COLUMNS = 96
}; /* of a body: turns, then shifts; of all, with unknowns that no element has */
enum { TURNS = 3 };
#define NOTHING 1e-9   /* of a row's length, lengths in units of the body's size */
#define DRIVEN 1e-9    /* work of loads along a motion over that of all their sizes along the farthest */
#define FOLLOWING 1e-6 /* likewise, of loads that follow what is in balance to Newton's tolerance */
#define RESISTED 1e-8  /* force of the tangent along a motion, over that of each unknown's own stiffness */

typedef struct {
    int n_columns, n_bodies, rank;
    int32_t *body, *column_of; /* [N] -1: no element has the node; [U] of others -1: of no column */
    struct body {
        int64_t element, n_elements; /* the first one */
        int motions;                 /* bits of MOTIONS */
        double low[3], high[3];
    } * bodies;                               /* [n_bodies] */
    double basis[MOST_COLUMNS][MOST_COLUMNS]; /* of the rows so far */
} look;

/* ---- Bodies ---- */

static int32_t root_of(int32_t *up, int32_t n)
{
    while (up[n] != n)
        n = up[n] = up[up[n]];
    return n;
}

static int motions_of(const sw_formulation *f)
{
    return f->kinematics == SW_FEM_SOLID ? 077 : f->kinematics == SW_FEM_AXISYMMETRIC ? 020 : 034;
}

/* Where turns are of: at finite strains the trial. */
static void place_of(const sw_structure *s, int64_t n, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = s->problem->position[n][i] + (s->step->finite ? s->trial[3 * n + i] : 0);
}

/* Nodes by the lowest one of their body. */
static void join(const sw_structure *s, int32_t *up)
{
    const sw_structure_problem *p = s->problem;
    for (int64_t i = 0; i < p->n_nodes; i++)
        up[i] = -1;
    for (int64_t e = 0; e < p->n_elements; e++) {
        const sw_structure_element *of = &p->element[e];
        const int32_t *node = p->node + of->first;
        for (int a = 0; a < of->formulation->topology->n_nodes && !s->removed[e]; a++) {
            up[node[a]] = up[node[a]] < 0 ? node[a] : up[node[a]];
            const int32_t x = root_of(up, node[0]), y = root_of(up, node[a]);
            up[x > y ? x : y] = x < y ? x : y;
        }
    }
}

static void measure(struct body *b, const double x[3])
{
    for (int i = 0; i < 3; i++) {
        b->low[i] = fmin(b->low[i], x[i]);
        b->high[i] = fmax(b->high[i], x[i]);
    }
}

/* More than MOST_COLUMNS columns: too many to look at. */
static sw_status find_bodies(const sw_structure *s, look *l)
{
    const sw_structure_problem *p = s->problem;
    SW_TRY(SW_ALLOCATE(l->body, p->n_nodes, "bodies"));
    SW_TRY(SW_ALLOCATE(l->bodies, MOST_COLUMNS / MOTIONS, "bodies"));
    join(s, l->body);
    for (int64_t i = 0; i < p->n_nodes; i++) { /* the lowest comes first */
        if (l->body[i] < 0)
            continue;
        if (l->body[i] == i) {
            if (l->n_bodies == MOST_COLUMNS / MOTIONS) {
                l->n_columns = MOST_COLUMNS + 1;
                return SW_OK;
            }
            l->body[i] = l->n_bodies;
            l->bodies[l->n_bodies++] = (struct body){.element = -1,
                                                     .motions = 077,
                                                     .low = {INFINITY, INFINITY, INFINITY},
                                                     .high = {-INFINITY, -INFINITY, -INFINITY}};
        } else
            l->body[i] = l->body[l->body[i]];
        double x[3];
        place_of(s, i, x);
        measure(&l->bodies[l->body[i]], x);
    }
    for (int64_t e = 0; e < p->n_elements; e++) {
        if (s->removed[e])
            continue;
        struct body *b = &l->bodies[l->body[p->node[p->element[e].first]]];
        b->element = b->element < 0 ? e : b->element;
        b->motions &= motions_of(p->element[e].formulation);
        b->n_elements++;
    }
    l->n_columns = MOTIONS * l->n_bodies;
    return SW_OK;
}

static double size_of(const struct body *b)
{
    const double size = hypot(hypot(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
    return size > 0 ? size : 1;
}

/* ---- Rows ---- */

/* row [columns] += coefficient times what unknown u does by each column. */
static void add_unknown(const sw_structure *s, look *l, int64_t u, double coefficient, double *row)
{
    const int64_t n = u / 3;
    const int i = (int)(u % 3), j = (i + 1) % 3, k = (i + 2) % 3;
    if (u >= s->ties.n_unknowns)
        return;
    if (l->body[n] >= 0) {
        const struct body *b = &l->bodies[l->body[n]];
        const double size = size_of(b);
        double x[3], *to = row + MOTIONS * l->body[n];
        place_of(s, n, x);
        to[j] += coefficient * (x[k] - 0.5 * (b->low[k] + b->high[k])) / size;
        to[k] -= coefficient * (x[j] - 0.5 * (b->low[j] + b->high[j])) / size;
        to[TURNS + i] += coefficient;
        return;
    }
    if (l->column_of[u] < 0 && l->n_columns <= MOST_COLUMNS)
        l->column_of[u] = l->n_columns++;
    if (l->column_of[u] >= 0 && l->column_of[u] < MOST_COLUMNS)
        row[l->column_of[u]] += coefficient;
}

/* What is left of v beside the rows so far, of length 1; 0: nothing. */
static int is_new(const look *l, int n, const double (*basis)[MOST_COLUMNS], double *v, double nothing)
{
    double first = 0, left = 0;
    for (int i = 0; i < MOST_COLUMNS; i++)
        first += v[i] * v[i];
    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < n; k++) {
            double along = 0;
            for (int i = 0; i < l->n_columns; i++)
                along += basis[k][i] * v[i];
            for (int i = 0; i < l->n_columns; i++)
                v[i] -= along * basis[k][i];
        }
    for (int i = 0; i < MOST_COLUMNS; i++)
        left += v[i] * v[i];
    for (int i = 0; i < MOST_COLUMNS; i++)
        v[i] /= sqrt(left);
    return left > nothing * nothing * first;
}

static void add_row(look *l, double *row)
{
    if (l->n_columns <= MOST_COLUMNS && l->rank < l->n_columns &&
        is_new(l, l->rank, (const double(*)[MOST_COLUMNS])l->basis, row, NOTHING))
        memcpy(l->basis[l->rank++], row, sizeof *l->basis);
}

static void add_springs(const sw_structure *s, look *l)
{
    const sw_structure_problem *p = s->problem;
    for (int64_t k = 0; k < p->n_springs; k++) {
        int64_t unknown[SW_FORMULATION_UNKNOWNS];
        double force[6] = {0}, stiffness[36] = {0};
        const int n = sw_structure_unknowns_of(p, p->n_elements + k, unknown);
        sw_structure_spring_at(s, k, force, stiffness);
        for (int i = 0; i < n; i++) {
            double row[MOST_COLUMNS] = {0}, most = 0;
            for (int j = 0; j < n; j++)
                if (unknown[j] >= 0 && stiffness[n * i + j] != 0) {
                    add_unknown(s, l, unknown[j], stiffness[n * i + j], row);
                    most = 1;
                }
            if (most > 0)
                add_row(l, row);
        }
    }
}

static void add_rows(const sw_structure *s, look *l)
{
    const sw_structure_ties *t = &s->ties;
    for (int b = 0; b < l->n_bodies; b++)
        for (int j = 0; j < MOTIONS; j++)
            if (!(l->bodies[b].motions >> j & 1)) {
                double row[MOST_COLUMNS] = {0};
                row[MOTIONS * b + j] = 1;
                add_row(l, row);
            }
    for (int64_t u = 0; u < t->n_unknowns; u++) {
        double row[MOST_COLUMNS] = {0};
        if (!t->used[u] || t->number[u] >= 0)
            continue;
        add_unknown(s, l, u, 1, row);
        if (t->row_of[u] >= 0) {
            const sw_structure_row *of = &t->row[t->row_of[u]];
            for (int i = 0; i < of->n; i++)
                add_unknown(s, l, of->unknown[i], -of->coefficient[i], row);
        }
        add_row(l, row);
    }
    add_springs(s, l);
}

/* ---- What is left ---- */

/* Each with a column of its own, turns first, so that they are as simple as they can be. */
static void simplify(int n, int columns, double (*motion)[MOST_COLUMNS])
{
    int done = 0;
    for (int c = 0; c < columns && done < n; c++) {
        int best = done;
        for (int k = done; k < n; k++)
            best = fabs(motion[k][c]) > fabs(motion[best][c]) ? k : best;
        if (fabs(motion[best][c]) < 1e-6)
            continue;
        for (int i = 0; i < columns; i++) {
            const double swap = motion[best][i];
            motion[best][i] = motion[done][i];
            motion[done][i] = swap;
        }
        for (int k = 0; k < n; k++) {
            const double part = motion[k][c] / motion[done][c];
            for (int i = 0; i < columns && k != done; i++)
                motion[k][i] -= part * motion[done][i];
        }
        done++;
    }
}

static void name_direction(const double v[3], char text[64])
{
    const double length = hypot(hypot(v[0], v[1]), v[2]);
    for (int i = 0; i < 3; i++)
        if (fabs(v[i]) > (1 - 1e-9) * length) {
            snprintf(text, 64, "%c", "xyz"[i]);
            return;
        }
    snprintf(text, 64, "(%.3g, %.3g, %.3g)", v[0] / length, v[1] / length, v[2] / length);
}

/* The body that moves most; -1: a motion that moves no node of any, as a bar's about itself. */
static int name_motion(const look *l, const double *motion, char text[200])
{
    int most = -1;
    double square = 1e-12;
    char direction[64];
    for (int b = 0; b < l->n_bodies; b++) {
        double sum = 0;
        for (int j = 0; j < MOTIONS; j++)
            sum += motion[MOTIONS * b + j] * motion[MOTIONS * b + j];
        most = sum > square ? b : most;
        square = fmax(sum, square);
    }
    if (most < 0)
        return -1;
    const struct body *b = &l->bodies[most];
    const double *turn = motion + MOTIONS * most, *shift = turn + TURNS;
    const double of_turn = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    if (of_turn > 1e-12 * square) {
        double at[3];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            at[i] = 0.5 * (b->low[i] + b->high[i]) +
                    size_of(b) * (turn[j] * shift[k] - turn[k] * shift[j]) / of_turn;
            at[i] = fabs(at[i]) < 1e-9 * size_of(b) ? 0 : at[i];
        }
        name_direction(turn, direction);
        snprintf(text, 200, "turning about %s through (%.4g, %.4g, %.4g)", direction, at[0], at[1], at[2]);
    } else {
        name_direction(shift, direction);
        snprintf(text, 200, "moving along %s", direction);
    }
    return most;
}

static sw_status keep(const sw_structure *s, look *l, const double *motion, struct sw_structure_loose *to)
{
    const int64_t U = s->ties.n_unknowns;
    const int b = name_motion(l, motion, to->motion[to->n].name);
    double *along, most = 0;
    if (b < 0)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(along, U, "rigid motions"));
    to->motion[to->n].along = along;
    for (int i = 0; i < MOTIONS * l->n_bodies; i++)
        to->motion[to->n].turns |= i % MOTIONS < TURNS && fabs(motion[i]) > 1e-6;
    to->motion[to->n].element = s->problem->element[l->bodies[b].element].label;
    to->motion[to->n].elements = l->bodies[b].n_elements;
    for (int64_t u = 0; u < U; u++) {
        double row[MOST_COLUMNS] = {0};
        if (l->body[u / 3] < 0 && l->column_of[u] < 0)
            continue;
        add_unknown(s, l, u, 1, row);
        for (int i = 0; i < l->n_columns; i++)
            along[u] += row[i] * motion[i];
        most = fmax(most, fabs(along[u]));
    }
    if (most > 1e-9) {
        to->n++;
    } else { /* a bar's about itself */
        free(along);
        memset(&to->motion[to->n], 0, sizeof to->motion[to->n]);
    }
    return SW_OK;
}

static sw_status find(const sw_structure *s, look *l, struct sw_structure_loose *to)
{
    double motion[SW_STRUCTURE_LOOSE][MOST_COLUMNS];
    int n = 0;
    SW_TRY(find_bodies(s, l));
    SW_TRY(SW_ALLOCATE(l->column_of, s->ties.n_unknowns, "bodies"));
    memset(l->column_of, -1, (size_t)s->ties.n_unknowns * sizeof *l->column_of);
    if (l->n_columns <= MOST_COLUMNS)
        add_rows(s, l);
    if (l->n_columns > MOST_COLUMNS)
        return SW_OK;
    for (int c = 0; c < l->n_columns && l->rank < l->n_columns && n < SW_STRUCTURE_LOOSE; c++) {
        memset(motion[n], 0, sizeof motion[n]);
        motion[n][c] = 1;
        if (is_new(l, l->rank, (const double(*)[MOST_COLUMNS])l->basis, motion[n], 1e-6)) {
            memcpy(l->basis[l->rank++], motion[n], sizeof motion[n]);
            n++;
        }
    }
    simplify(n, l->n_columns, motion);
    for (int k = 0; k < n; k++)
        SW_TRY(keep(s, l, motion[k], to));
    return SW_OK;
}

/* ---- For others ---- */

void sw_structure_loose_free(struct sw_structure_loose *loose)
{
    for (int k = 0; k < loose->n; k++)
        free(loose->motion[k].along);
    memset(loose, 0, sizeof *loose);
}

/* "the body of element 1 (8 elements) from moving along x, turning about ..." of the motions that `which` has bits of. */
static void tell(const struct sw_structure_loose *loose, unsigned which, size_t size, char *text)
{
    int64_t element = -1;
    size_t at = 0;
    text[0] = 0;
    for (int k = 0; k < loose->n && at < size; k++) {
        if (!(which >> k & 1))
            continue;
        if (loose->motion[k].element != element)
            at += (size_t)snprintf(text + at, size - at, "%sthe body of element %lld (%lld element%s) from ",
                                   element < 0 ? "" : "; ", (long long)loose->motion[k].element,
                                   (long long)loose->motion[k].elements,
                                   loose->motion[k].elements == 1 ? "" : "s");
        else
            at += (size_t)snprintf(text + at, size - at, ", ");
        element = loose->motion[k].element;
        at += at < size ? (size_t)snprintf(text + at, size - at, "%s", loose->motion[k].name) : 0;
    }
}

static sw_status look_at(const sw_structure *s, struct sw_structure_loose *to)
{
    look *l;
    SW_TRY(SW_ALLOCATE(l, 1, "bodies"));
    const sw_status status = find(s, l, to);
    free(l->body);
    free(l->column_of);
    free(l->bodies);
    free(l);
    return status;
}

static sw_status know(sw_structure *s)
{
    const int step = (int)(s->step - s->problem->step) + 1;
    char before[sizeof s->loose.text];
    if (s->loose.step == step)
        return SW_OK;
    memcpy(before, s->loose.text, sizeof before);
    sw_structure_loose_free(&s->loose);
    const sw_status status = look_at(s, &s->loose);
    s->loose.step = step;
    tell(&s->loose, ~0u, sizeof s->loose.text, s->loose.text);
    if (s->loose.n > 0 && strcmp(before, s->loose.text) != 0)
        sw_warn("%s:%lld: step %d: nothing keeps %s: what loads do not drive stays where it is, on average",
                s->problem->path, (long long)s->step->line, step, s->loose.text);
    return status;
}

int sw_structure_has_following(const sw_structure *s)
{
    int has = 0;
    for (int64_t i = 0; i < s->step->n_loads && s->step->finite; i++)
        has |= s->step->load[i].kind == SW_STRUCTURE_PRESSURE || s->step->load[i].kind == SW_STRUCTURE_SPIN;
    return has;
}

/* Of loads and, with `elements`, forces of elements: work along a motion [U] beyond what rounding leaves. */
static int is_driven(const sw_structure *s, const double *along, int elements)
{
    double work = 0, far = 0, forces = 0;
    for (int64_t u = 0; u < s->ties.n_unknowns; u++) {
        const double inside = elements ? s->internal[u] : 0;
        work += (s->external[u] - inside) * along[u];
        far = fmax(far, fabs(along[u]));
        forces += fabs(s->external[u]) + fabs(inside);
    }
    return !(fabs(work) <= (sw_structure_has_following(s) ? FOLLOWING : DRIVEN) * far * forces);
}

/* A spring whose table is flat here may resist later. */
static int has_slack(const sw_structure *s)
{
    int has = 0;
    for (int64_t k = 0; k < s->problem->n_springs; k++)
        has |= s->problem->spring[k].n_rows > 1;
    return has;
}

static int may_end(const sw_structure *s, int turns) /* a pendulum finds its place */
{
    return s->step->finite && turns;
}

sw_status sw_structure_check_loose(sw_structure *s)
{
    unsigned driven = 0;
    char text[600];
    if (s->contacts != NULL)
        return SW_OK;
    SW_TRY(know(s));
    for (int k = 0; k < s->loose.n; k++)
        if (!may_end(s, s->loose.motion[k].turns) && is_driven(s, s->loose.motion[k].along, 0))
            driven |= 1u << k;
    if (!driven || has_slack(s))
        return SW_OK;
    tell(&s->loose, driven, sizeof text, text);
    return sw_error(SW_ERR_INPUT,
                    "%s:%lld: step %d: loads drive what nothing holds: need supports that keep %s",
                    s->problem->path, (long long)s->step->line, s->loose.step, text);
}

/* ---- Equations without them ---- */

static double dot(int64_t n, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

static void take_out(int64_t n, const double *unit, double *x)
{
    const double part = dot(n, unit, x);
    for (int64_t i = 0; i < n; i++)
        x[i] -= part * unit[i];
}

/* x [n] of length 1, at right angles to those in all [k][n]. */
static void straighten(int64_t n, int k, const double *all, double *x)
{
    for (int twice = 0; twice < 2; twice++)
        for (int j = 0; j < k; j++)
            take_out(n, all + j * n, x);
    const double length = sqrt(dot(n, x, x));
    for (int64_t i = 0; i < n; i++)
        x[i] /= length > 0 ? length : 1;
}

static void at_free(const sw_structure_ties *t, const double *u, double *q)
{
    for (int64_t i = 0; i < t->n_unknowns; i++)
        if (t->number[i] >= 0)
            q[t->number[i]] = u[i];
}

/* Whether the tangent at hand resists along [U], a [q] of free unknowns. */
static int matrix_resists(const sw_fem_sparse *m, const double *a)
{
    double far = 0;
    int resists = 0;
    for (int64_t q = 0; q < m->n; q++)
        far = fmax(far, fabs(a[q]));
    for (int64_t q = 0; q < m->n; q++) {
        double force = 0, own = 0;
        for (int64_t i = m->row[q]; i < m->row[q + 1]; i++) {
            force += m->value[i] * a[m->column[i]];
            own = fmax(own, fabs(m->value[i]));
        }
        resists |= fabs(force) > RESISTED * own * far;
    }
    return resists;
}

/* Without a matrix: beside what it does to the same motion with the signs of every other unknown turned. */
static sw_status resists(sw_structure *s, const double *along, const double *a, double *scratch, int *does)
{
    const int64_t U = s->ties.n_unknowns;
    double most[2] = {0, 0}, *turned = scratch, *force = scratch + U, *at = force + U;
    if (s->products == NULL) {
        *does = matrix_resists(&s->system.matrix, a);
        return SW_OK;
    }
    for (int side = 0; side < 2; side++) {
        for (int64_t u = 0; u < U; u++)
            turned[u] = side && u % 2 ? -along[u] : along[u];
        SW_TRY(sw_products_multiply(s->products, turned, force));
        sw_structure_ties_gather(&s->ties, force, at);
        for (int64_t q = 0; q < s->ties.n_free; q++)
            most[side] = fmax(most[side], fabs(at[q]));
    }
    *does = most[0] > RESISTED * most[1];
    return SW_OK;
}

/* Of motions unit [n][q] as many unknowns that, held, leave none of them; work [n][q]. */
static void choose_pins(sw_structure_pins *held, int64_t q, double *work)
{
    memcpy(work, held->unit, (size_t)(held->n * q) * sizeof *work);
    for (int k = 0; k < held->n; k++) {
        const double *of = work + k * q;
        int64_t best = 0;
        for (int64_t i = 0; i < q; i++)
            best = fabs(of[i]) > fabs(of[best]) ? i : best;
        held->pin[k] = best;
        for (int j = k + 1; j < held->n; j++) {
            const double part = work[j * q + best] / of[best];
            for (int64_t i = 0; i < q; i++)
                work[j * q + i] -= part * of[i];
        }
    }
}

static sw_status find_held(sw_structure *s, const struct sw_structure_loose *of, double *scratch,
                           sw_structure_pins *held)
{
    const int64_t U = s->ties.n_unknowns, q = s->ties.n_free;
    for (int k = 0; k < of->n; k++) {
        double *along = held->along + held->n * U, *unit = held->unit + held->n * q;
        int does;
        memcpy(along, of->motion[k].along, (size_t)U * sizeof *along);
        at_free(&s->ties, along, unit);
        SW_TRY(resists(s, along, unit, scratch, &does));
        /* the symmetric part of following pressures' tangent resists, they do not */
        const int turns = may_end(s, of->motion[k].turns), driven = turns && is_driven(s, along, 1),
                  resisted = does && !(sw_structure_has_following(s) && s->problem->n_springs == 0);
        if (resisted || driven || dot(q, unit, unit) <= 0)
            continue;
        straighten(U, held->n, held->along, along);
        straighten(q, held->n, held->unit, unit);
        held->n++;
    }
    return SW_OK;
}

/* Turns at finite strains are about where the body is by now. */
static sw_status hold(sw_structure *s, const struct sw_structure_loose *of, const double *right,
                      sw_structure_pins *held)
{
    const int64_t U = s->ties.n_unknowns, q = s->ties.n_free, n = of->n;
    double *scratch = NULL;
    sw_status status;
    SW_TRY_GOTO(status, SW_ALLOCATE(held->along, n * U, "rigid motions"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(held->unit, n * q, "rigid motions"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(held->right, q, "rigid motions"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(scratch, 3 * U + n * q, "rigid motions"), end);
    SW_TRY_GOTO(status, find_held(s, of, scratch, held), end);
    choose_pins(held, q, scratch);
    memcpy(held->right, right, (size_t)q * sizeof *right);
    for (int k = 0; k < held->n; k++)
        take_out(q, held->unit + k * q, held->right);
end:
    free(scratch);
    return status;
}

sw_status sw_structure_hold(sw_structure *s, const double *right, sw_structure_pins *held)
{
    struct sw_structure_loose *now;
    *held = (sw_structure_pins){0};
    if (s->loose.n == 0 || s->contacts != NULL)
        return SW_OK;
    if (!s->step->finite)
        return hold(s, &s->loose, right, held);
    SW_TRY(SW_ALLOCATE(now, 1, "rigid motions"));
    sw_status status = look_at(s, now);
    if (status == SW_OK && now->n > 0)
        status = hold(s, now, right, held);
    sw_structure_loose_free(now);
    free(now);
    return status;
}

void sw_structure_centre(const sw_structure *s, const sw_structure_pins *held, double *du, double *dq)
{
    const int64_t U = s->ties.n_unknowns;
    if (held->n == 0)
        return;
    sw_structure_ties_spread(&s->ties, dq, 0, du);
    for (int k = 0; k < held->n; k++)
        take_out(U, held->along + k * U, du);
    at_free(&s->ties, du, dq);
}

void sw_structure_pins_free(sw_structure_pins *held)
{
    free(held->along);
    free(held->unit);
    free(held->right);
}
