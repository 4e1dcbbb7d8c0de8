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
    MOST_COLUMNS = 192
}; /* of a body: turns, then shifts; of those that their own supports do not hold, with unknowns that no element has */
enum { TURNS = 3 };
#define NOTHING 1e-9   /* of a row's length, lengths in units of the body's size */
#define DRIVEN 1e-9    /* work of loads along a motion over that of all their sizes along the farthest */
#define FOLLOWING 1e-6 /* likewise, of loads that follow what is in balance to Newton's tolerance */

typedef struct {
    int n_columns, n_bodies, rank;
    int32_t *body, *column_of; /* [N] -1: no element has the node; [U] of others -1: of no column */
    struct body {
        int64_t element, n_elements; /* the first one */
        int motions;                 /* bits of MOTIONS */
        double low[3], high[3];
        int column; /* its first one; -1: it is held */
        int rank;   /* of the rows that it alone is in */
        double basis[MOTIONS][MOTIONS];
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

static sw_status find_bodies(const sw_structure *s, look *l)
{
    const sw_structure_problem *p = s->problem;
    SW_TRY(SW_ALLOCATE(l->body, p->n_nodes, "bodies"));
    join(s, l->body);
    for (int64_t i = 0; i < p->n_nodes; i++)
        l->n_bodies += l->body[i] == i;
    SW_TRY(SW_ALLOCATE(l->bodies, l->n_bodies, "bodies"));
    int32_t n = 0;
    for (int64_t i = 0; i < p->n_nodes; i++) { /* the lowest comes first */
        if (l->body[i] < 0)
            continue;
        if (l->body[i] == i) {
            l->body[i] = n;
            l->bodies[n++] = (struct body){.element = -1,
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
    return SW_OK;
}

static double size_of(const struct body *b)
{
    const double size = hypot(hypot(b->high[0] - b->low[0], b->high[1] - b->low[1]), b->high[2] - b->low[2]);
    return size > 0 ? size : 1;
}

/* ---- Rows ---- */

/* by [MOTIONS] += coefficient times what unknown u of a node of body b does by its motions. */
static void add_motions(const sw_structure *s, const struct body *b, int64_t u, double coefficient,
                        double *by)
{
    const int i = (int)(u % 3), j = (i + 1) % 3, k = (i + 2) % 3;
    const double size = size_of(b);
    double x[3];
    place_of(s, u / 3, x);
    by[j] += coefficient * (x[k] - 0.5 * (b->low[k] + b->high[k])) / size;
    by[k] -= coefficient * (x[j] - 0.5 * (b->low[j] + b->high[j])) / size;
    by[TURNS + i] += coefficient;
}

/* row [columns] += coefficient times what unknown u does by each column. */
static void add_unknown(const sw_structure *s, look *l, int64_t u, double coefficient, double *row)
{
    if (u >= s->ties.n_unknowns)
        return;
    if (l->body[u / 3] < 0 && s->ties.number[u] < 0 && s->ties.row_of[u] < 0)
        return; /* it stays where it is */
    if (l->body[u / 3] >= 0) {
        const struct body *b = &l->bodies[l->body[u / 3]];
        if (b->column >= 0)
            add_motions(s, b, u, coefficient, row + b->column);
        return;
    }
    if (l->column_of[u] < 0 && l->n_columns <= MOST_COLUMNS)
        l->column_of[u] = l->n_columns++;
    if (l->column_of[u] >= 0 && l->column_of[u] < MOST_COLUMNS)
        row[l->column_of[u]] += coefficient;
}

/* What is left of v [columns] beside the n rows of a basis so far, of length 1; 0: nothing. */
static int is_new(int columns, int n, const double *basis, int stride, double *v, double nothing)
{
    double first = 0, left = 0;
    for (int i = 0; i < columns; i++)
        first += v[i] * v[i];
    if (first == 0)
        return 0;
    for (int twice = 0; twice < 2; twice++)
        for (int k = 0; k < n; k++) {
            double along = 0;
            for (int i = 0; i < columns; i++)
                along += basis[k * stride + i] * v[i];
            for (int i = 0; i < columns; i++)
                v[i] -= along * basis[k * stride + i];
        }
    for (int i = 0; i < columns; i++)
        left += v[i] * v[i];
    for (int i = 0; i < columns; i++)
        v[i] /= sqrt(left);
    return left > nothing * nothing * first;
}

/* Of coefficients times unknowns that stay 0 together. */
static void add_row(const sw_structure *s, look *l, int n, const int64_t *unknown, const double *coefficient)
{
    double row[MOST_COLUMNS] = {0};
    for (int i = 0; i < n; i++)
        if (unknown[i] >= 0 && coefficient[i] != 0)
            add_unknown(s, l, unknown[i], coefficient[i], row);
    if (l->n_columns <= MOST_COLUMNS && l->rank < l->n_columns &&
        is_new(l->n_columns, l->rank, l->basis[0], MOST_COLUMNS, row, NOTHING))
        memcpy(l->basis[l->rank++], row, sizeof *l->basis);
}

static void add_own(struct body *b, double *by)
{
    if (b->rank < MOTIONS && is_new(MOTIONS, b->rank, b->basis[0], MOTIONS, by, NOTHING))
        memcpy(b->basis[b->rank++], by, sizeof *b->basis);
}

/* A row that one body alone is in, beside those that are held. */
static void add_own_row(const sw_structure *s, look *l, int n, const int64_t *unknown,
                        const double *coefficient)
{
    const sw_structure_ties *t = &s->ties;
    double by[MOTIONS] = {0};
    struct body *one = NULL;
    for (int i = 0; i < n; i++) {
        const int64_t u = unknown[i];
        if (u < 0 || u >= t->n_unknowns || coefficient[i] == 0)
            continue;
        struct body *b = l->body[u / 3] < 0 ? NULL : &l->bodies[l->body[u / 3]];
        if (b != NULL ? b->rank == MOTIONS : t->number[u] < 0 && t->row_of[u] < 0)
            continue; /* it stays where it is */
        if (b == NULL || (one != NULL && one != b))
            return;
        one = b;
        add_motions(s, b, u, coefficient[i], by);
    }
    if (one != NULL)
        add_own(one, by);
}

typedef void add(const sw_structure *s, look *l, int n, const int64_t *unknown, const double *coefficient);

static void add_springs(const sw_structure *s, look *l, add *to)
{
    const sw_structure_problem *p = s->problem;
    for (int64_t k = 0; k < p->n_springs; k++) {
        int64_t unknown[SW_FORMULATION_UNKNOWNS];
        double force[6] = {0}, stiffness[36] = {0};
        const int n = sw_structure_unknowns_of(p, p->n_elements + k, unknown);
        sw_structure_spring_at(s, k, force, stiffness);
        for (int i = 0; i < n; i++)
            if (unknown[i] >= 0)
                to(s, l, n, unknown, stiffness + n * i);
    }
}

/* Supports, constraints and springs. SW_ERR_MEMORY. */
static sw_status add_rows(const sw_structure *s, look *l, add *to)
{
    const sw_structure_ties *t = &s->ties;
    int64_t room = 1, *unknown;
    double *coefficient;
    for (int64_t u = 0; u < t->n_unknowns; u++)
        if (t->row_of[u] >= 0 && t->row[t->row_of[u]].n >= room)
            room = t->row[t->row_of[u]].n + 1;
    SW_TRY(SW_ALLOCATE(unknown, room, "constraints"));
    const sw_status status = SW_ALLOCATE(coefficient, room, "constraints");
    for (int64_t u = 0; u < t->n_unknowns && status == SW_OK; u++) {
        int n = 1;
        if (!t->used[u] || t->number[u] >= 0)
            continue;
        unknown[0] = u;
        coefficient[0] = 1;
        if (t->row_of[u] >= 0) {
            const sw_structure_row *of = &t->row[t->row_of[u]];
            for (int i = 0; i < of->n; i++, n++) {
                unknown[n] = of->unknown[i];
                coefficient[n] = -of->coefficient[i];
            }
        }
        to(s, l, n, unknown, coefficient);
    }
    if (status == SW_OK)
        add_springs(s, l, to);
    free(unknown);
    free(coefficient);
    return status;
}

/* Bodies that their own supports hold, and ties and springs to such ones, need no columns; the others get theirs. More than
 * MOST_COLUMNS: too many to look at. */
static sw_status set_aside_held(const sw_structure *s, look *l)
{
    int ranks = -1, before;
    for (int b = 0; b < l->n_bodies; b++)
        for (int j = 0; j < MOTIONS; j++)
            if (!(l->bodies[b].motions >> j & 1)) {
                double by[MOTIONS] = {0};
                by[j] = 1;
                add_own(&l->bodies[b], by);
            }
    do {
        before = ranks;
        ranks = 0;
        SW_TRY(add_rows(s, l, add_own_row));
        for (int b = 0; b < l->n_bodies; b++)
            ranks += l->bodies[b].rank == MOTIONS;
    } while (ranks > before && ranks < l->n_bodies);
    for (int b = 0; b < l->n_bodies; b++) {
        struct body *of = &l->bodies[b];
        of->column = of->rank == MOTIONS ? -1 : l->n_columns;
        if (of->column < 0 || l->n_columns > MOST_COLUMNS)
            continue;
        l->n_columns += MOTIONS;
        for (int j = 0; j < of->rank && l->n_columns <= MOST_COLUMNS; j++)
            memcpy(l->basis[l->rank++] + of->column, of->basis[j], sizeof of->basis[j]);
    }
    return SW_OK;
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
        for (int j = 0; j < MOTIONS && l->bodies[b].column >= 0; j++)
            sum += motion[l->bodies[b].column + j] * motion[l->bodies[b].column + j];
        most = sum > square ? b : most;
        square = fmax(sum, square);
    }
    if (most < 0)
        return -1;
    const struct body *b = &l->bodies[most];
    const double *turn = motion + b->column, *shift = turn + TURNS;
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
    for (int k = 0; k < l->n_bodies; k++)
        for (int i = 0; i < TURNS && l->bodies[k].column >= 0; i++)
            to->motion[to->n].turns |= fabs(motion[l->bodies[k].column + i]) > 1e-6;
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
    SW_TRY(set_aside_held(s, l));
    if (l->n_columns > 0 && l->n_columns <= MOST_COLUMNS)
        SW_TRY(add_rows(s, l, add_row));
    to->too_many = l->n_columns > MOST_COLUMNS;
    if (l->n_columns == 0 || to->too_many)
        return SW_OK;
    for (int c = 0; c < l->n_columns && l->rank < l->n_columns && n < SW_STRUCTURE_LOOSE; c++) {
        memset(motion[n], 0, sizeof motion[n]);
        motion[n][c] = 1;
        if (is_new(l->n_columns, l->rank, l->basis[0], MOST_COLUMNS, motion[n], 1e-6)) {
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

sw_status sw_structure_look_loose(const sw_structure *s, struct sw_structure_loose *to)
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
    const sw_status status = sw_structure_look_loose(s, &s->loose);
    s->loose.step = step;
    tell(&s->loose, ~0u, sizeof s->loose.text, s->loose.text);
    if (s->loose.too_many && s->contacts == NULL && s->loose.step == 1)
        sw_warn("%s:%lld: too many bodies hang together that nothing holds by itself: whether they can move "
                "freely is not looked at",
                s->problem->path, (long long)s->step->line);
    if (s->loose.n > 0 && s->contacts == NULL && strcmp(before, s->loose.text) != 0)
        sw_warn("%s:%lld: step %d: nothing keeps %s: what loads do not drive stays where it is, on average",
                s->problem->path, (long long)s->step->line, step, s->loose.text);
    return status;
}

int sw_structure_has_following(const sw_structure *s)
{
    int has = 0;
    for (int64_t i = 0; i < s->step->n_loads && s->step->finite; i++)
        has |= s->step->load[i].kind == SW_STRUCTURE_PRESSURE || s->step->load[i].kind == SW_STRUCTURE_SPIN ||
               s->step->load[i].pull != SW_PULL_DEAD;
    return has;
}

/* Of loads and, with `elements`, forces of elements: work along a motion [U] beyond what rounding leaves. */
int sw_structure_is_driven(const sw_structure *s, const double *along, int elements)
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

int sw_structure_may_end(const sw_structure *s, int turns) /* a pendulum finds its place */
{
    return s->step->finite && turns;
}

void sw_structure_tell_loose(const sw_structure *s, char text[SW_STRUCTURE_LOOSE_TEXT])
{
    text[0] = 0;
    if (s->loose.n > 0)
        snprintf(text, SW_STRUCTURE_LOOSE_TEXT, "; nothing %skeeps %s",
                 s->contacts != NULL ? "but contact " : "", s->loose.text);
}

sw_status sw_structure_check_loose(sw_structure *s)
{
    unsigned driven = 0;
    char text[600];
    SW_TRY(know(s));
    if (s->contacts != NULL) /* which may hold what nothing else does */
        return SW_OK;
    for (int k = 0; k < s->loose.n; k++)
        if (!sw_structure_may_end(s, s->loose.motion[k].turns) &&
            sw_structure_is_driven(s, s->loose.motion[k].along, 0))
            driven |= 1u << k;
    if (!driven || has_slack(s))
        return SW_OK;
    tell(&s->loose, driven, sizeof text, text);
    return sw_error(SW_ERR_INPUT,
                    "%s:%lld: step %d: loads drive what nothing holds: need supports that keep %s",
                    s->problem->path, (long long)s->step->line, s->loose.step, text);
}
