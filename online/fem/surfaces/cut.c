/* The slave's faces cut by the master's, so that shape functions of both are smooth between: what a constant pressure does to
 * the nodes of either is then exact. Each nearly flat part of a slave's face is a plane, onto which parts of the master's
 * faces are seen along its normal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"
#include "face.h"
#include "law.h"

#define BARE 1e-6  /* of a part: it is not cut */
#define TWICE 1.02 /* of a part: masters lie one over the other */
#define TIED 0.1   /* of a face: farther is not tied */
enum { CORNERS = 12, MANY = 2000000 };

typedef struct {
    int n;
    double at[CORNERS][2];
} polygon;

/* A part of a slave's face as a plane. */
typedef struct {
    int32_t face;
    const sw_surface_part *part;
    sw_surface_patch patch;
    double origin[3], e[2][3], n[3], middle[2], size, range, depth;
    polygon shape;
} plane;

typedef struct {
    sw_surfaces *s;
    sw_surface_state *state;
    const double *u;
    sw_surface_point *point; /* that are being made */
    int64_t n, room;
    int32_t *near; /* [master faces] */
    double range;
} cutting;

/* ---- Planes ---- */

static void on_plane(const plane *p, const double x[3], double at[2], double *height)
{
    const double arm[3] = {x[0] - p->origin[0], x[1] - p->origin[1], x[2] - p->origin[2]};
    at[0] = sw_dot(arm, p->e[0]);
    at[1] = sw_dot(arm, p->e[1]);
    *height = sw_dot(arm, p->n);
}

static double area_of(const polygon *g)
{
    double sum = 0;
    if (g->n == 2)
        return g->at[1][0] - g->at[0][0];
    for (int k = 0; k < g->n; k++) {
        const double *a = g->at[k], *b = g->at[(k + 1) % g->n];
        sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    return sum;
}

/* The plane through a part's middle; in space any two directions in it, in the plane that of the face. */
static void lay(const cutting *c, int32_t face, const sw_surface_part *part, plane *p)
{
    sw_surface_place place;
    double x[3], height;
    p->face = face;
    p->part = part;
    sw_surface_patch_of(c->s, &c->state->of->face[0][face], c->u, &p->patch);
    p->middle[0] = p->middle[1] = 0;
    for (int k = 0; k < part->n; k++)
        for (int j = 0; j < 2; j++)
            p->middle[j] += part->corner[k][j] / part->n;
    sw_surface_see(&p->patch, p->middle, &place);
    memcpy(p->origin, place.x, sizeof p->origin);
    memcpy(p->n, place.n, sizeof p->n);
    memcpy(p->e[0], place.a[0], sizeof p->e[0]);
    sw_to_unit(p->e[0]);
    sw_cross(p->n, p->e[0], p->e[1]);
    p->shape.n = part->n;
    for (int k = 0; k < part->n; k++) {
        sw_surface_see(&p->patch, part->corner[k], &place);
        memcpy(x, place.x, sizeof x);
        on_plane(p, x, p->shape.at[k], &height);
    }
    p->size = area_of(&p->shape);
    p->range = c->range;
    p->depth = c->state->length[0];
}

/* ---- Cuts ---- */

/* What of a polygon is to the left of a line from a to b. */
static void keep_left(const double a[2], const double b[2], polygon *g)
{
    polygon kept = {0};
    for (int k = 0; k < g->n; k++) {
        const double *p = g->at[k], *q = g->at[(k + 1) % g->n];
        const double sp = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]),
                     sq = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0]);
        if (sp >= 0 && kept.n < CORNERS)
            memcpy(kept.at[kept.n++], p, sizeof kept.at[0]);
        if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) {
            const double part = sp / (sp - sq);
            if (kept.n < CORNERS) {
                kept.at[kept.n][0] = p[0] + part * (q[0] - p[0]);
                kept.at[kept.n++][1] = p[1] + part * (q[1] - p[1]);
            }
        }
    }
    *g = kept;
}

/* Both parts seen on the plane; 0: nothing, or they do not face each other. The master's turns the other way round. */
static int cut(const plane *p, const sw_surface_patch *master, const sw_surface_part *part, polygon *g)
{
    double at[4][2], low = INFINITY, high = -INFINITY;
    for (int k = 0; k < part->n; k++) {
        sw_surface_place place;
        double height;
        sw_surface_see(master, part->corner[k], &place);
        on_plane(p, place.x, at[k], &height);
        low = fmin(low, height);
        high = fmax(high, height);
        if (k == 0 && !(sw_dot(place.n, p->n) < SW_SURFACE_FACING))
            return 0;
    }
    if (high < -p->depth || low > p->range)
        return 0;
    *g = p->shape;
    if (part->n == 2) {
        g->at[0][0] = fmax(g->at[0][0], at[1][0]);
        g->at[1][0] = fmin(g->at[1][0], at[0][0]);
        return g->at[1][0] > g->at[0][0];
    }
    for (int k = part->n - 1; k >= 0 && g->n > 2; k--)
        keep_left(at[(k + 1) % part->n], at[k], g);
    return g->n > 2;
}

/* ---- Points ---- */

/* Reference coordinates of a place of the plane. 0: there are none. */
static int come_back(const plane *p, const double to[2], double at[2])
{
    sw_surface_place q;
    memcpy(at, p->middle, 2 * sizeof *at);
    for (int k = 0; k < 20; k++) {
        double is[2], height;
        sw_surface_see(&p->patch, at, &q);
        on_plane(p, q.x, is, &height);
        const double m[2][2] = {{sw_dot(q.a[0], p->e[0]), sw_dot(q.a[1], p->e[0])},
                                {sw_dot(q.a[0], p->e[1]), sw_dot(q.a[1], p->e[1])}};
        const double f[2] = {to[0] - is[0], to[1] - is[1]};
        double step[2] = {f[0] / m[0][0], 0};
        if (p->shape.n > 2) {
            const double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
            step[0] = (m[1][1] * f[0] - m[0][1] * f[1]) / det;
            step[1] = (m[0][0] * f[1] - m[1][0] * f[0]) / det;
        }
        at[0] += step[0];
        at[1] += step[1];
        if (!(fabs(at[0]) < 3 && fabs(at[1]) < 3))
            return 0;
        if (fabs(step[0]) + fabs(step[1]) < 1e-14)
            break;
    }
    return 1;
}

/* One of weight `size` on the plane, above a face of the master. */
static sw_status add_point(cutting *c, const plane *p, const double to[2], double size, int32_t above)
{
    sw_surface_place q;
    sw_surface_point made = {.face = p->face, .foot.face = above, .anchor = -1, .cut_face = -1};
    if (!come_back(p, to, made.at))
        return SW_OK;
    sw_surface_see(&p->patch, made.at, &q);
    made.weight = size / sw_dot(q.n, p->n);
    if (c->s->dimension < 3)
        made.weight *= c->s->axisymmetric ? 2 * M_PI * q.x[0] : c->state->of->face[0][p->face].thickness;
    if (!(made.weight > 0))
        return SW_OK;
    if (c->n == c->room) {
        const int64_t more = 2 * c->room + 64;
        SW_TRY(SW_GROW(c->point, more, "points of contact"));
        c->room = more;
    }
    c->point[c->n++] = made;
    return SW_OK;
}

static sw_status fill_line(cutting *c, const plane *p, const polygon *g, int32_t above, int fine)
{
    static const double two[2][2] = {{-0.5773502691896257645, 1}, {0.5773502691896257645, 1}},
                        three[3][2] = {{-0.7745966692414833770, 5.0 / 9},
                                       {0, 8.0 / 9},
                                       {0.7745966692414833770, 5.0 / 9}};
    const double(*rule)[2] = fine ? three : two;
    const double from = g->at[0][0], half = 0.5 * (g->at[1][0] - from);
    for (int k = 0; k < (fine ? 3 : 2); k++) {
        const double to[2] = {from + half * (1 + rule[k][0]), 0};
        SW_TRY(add_point(c, p, to, half * rule[k][1], above));
    }
    return SW_OK;
}

/* Of degree 2, or 4 (Dunavant 1985). */
static sw_status fill_triangle(cutting *c, const plane *p, const double a[2], const double b[2],
                               const double d[2], int32_t above, int fine)
{
    static const double rule[2][6][3] = {
        {{1.0 / 6, 1.0 / 6, 1.0 / 3}, {2.0 / 3, 1.0 / 6, 1.0 / 3}, {1.0 / 6, 2.0 / 3, 1.0 / 3}},
        {{0.445948490915965, 0.445948490915965, 0.223381589678011},
         {0.108103018168070, 0.445948490915965, 0.223381589678011},
         {0.445948490915965, 0.108103018168070, 0.223381589678011},
         {0.091576213509771, 0.091576213509771, 0.109951743655322},
         {0.816847572980459, 0.091576213509771, 0.109951743655322},
         {0.091576213509771, 0.816847572980459, 0.109951743655322}}};
    const double area = 0.5 * ((b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]));
    for (int k = 0; k < (fine ? 6 : 3) && area > 0; k++) {
        const double *r = rule[fine][k];
        double to[2];
        for (int j = 0; j < 2; j++)
            to[j] = a[j] + r[0] * (b[j] - a[j]) + r[1] * (d[j] - a[j]);
        SW_TRY(add_point(c, p, to, area * r[2], above));
    }
    return SW_OK;
}

static sw_status fill(cutting *c, const plane *p, const polygon *g, int32_t above, int fine)
{
    if (g->n == 2)
        return fill_line(c, p, g, above, fine);
    for (int k = 1; k + 1 < g->n; k++)
        SW_TRY(fill_triangle(c, p, g->at[0], g->at[k], g->at[k + 1], above, fine));
    return SW_OK;
}

static int is_fine(const sw_topology *t) { return t->n_nodes > t->n_corners; }

/* Near the part, along its normal as far as they are looked for. */
static int64_t list_near(cutting *c, const plane *p)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY;
        high[i] = -INFINITY;
        for (int k = 0; k < p->shape.n; k++) {
            const double x = p->origin[i] + p->shape.at[k][0] * p->e[0][i] + p->shape.at[k][1] * p->e[1][i];
            low[i] = fmin(low[i], fmin(x - p->depth * fabs(p->n[i]), x + p->range * p->n[i]));
            high[i] = fmax(high[i], fmax(x + p->depth * fabs(p->n[i]), x + p->range * p->n[i]));
        }
    }
    return sw_surface_grid_ask(&c->state->grid, low, high, c->near);
}

static int32_t nearest(const cutting *c, const plane *p, int64_t n)
{
    int32_t best = -1;
    double least = INFINITY;
    for (int64_t k = 0; k < n; k++) {
        sw_surface_patch patch;
        sw_surface_place place;
        double middle[2];
        sw_surface_patch_of(c->s, &c->state->of->face[1][c->near[k]], c->u, &patch);
        middle[0] = middle[1] = patch.topology->n_corners == 3 ? 1.0 / 3 : 0;
        sw_surface_see(&patch, middle, &place);
        const double d = sw_distance(place.x, p->origin);
        if (d < least && sw_dot(place.n, p->n) < SW_SURFACE_FACING) {
            least = d;
            best = c->near[k];
        }
    }
    return best;
}

static sw_status cut_part(cutting *c, const plane *p)
{
    const sw_surface_pair *pair = c->state->of;
    const int64_t begin = c->n, n = list_near(c, p);
    const sw_topology *own = p->patch.topology;
    double covered = 0;
    for (int64_t k = 0; k < n; k++) {
        sw_surface_patch master;
        const sw_surface_part *part;
        sw_surface_patch_of(c->s, &pair->face[1][c->near[k]], c->u, &master);
        const int parts = sw_surface_parts(master.topology, &part);
        for (int j = 0; j < parts; j++) {
            polygon g;
            if (!cut(p, &master, &part[j], &g) || !(area_of(&g) > 1e-9 * p->size))
                continue;
            covered += area_of(&g);
            SW_TRY(fill(c, p, &g, c->near[k], is_fine(own) || is_fine(master.topology)));
        }
    }
    if (covered >= BARE * p->size && covered <= TWICE * p->size)
        return SW_OK;
    c->n = begin;
    if (covered < BARE * p->size && (pair->small || !c->s->finite))
        return SW_OK;
    const int32_t above = nearest(c, p, n);
    return above < 0 ? SW_OK : fill(c, p, &p->shape, above, is_fine(own));
}

/* ---- Of a whole surface ---- */

static double default_stiffness(const sw_surface_state *state, const sw_surface_face *face)
{
    const double soft = (face->stiffness > 0 ? 1 / face->stiffness : 0) + state->soft[1];
    return soft > 0 ? state->hard / soft : 1;
}

static void take_numbers(const sw_surface_state *state, sw_surface_point *point)
{
    const sw_surface_law *law = &state->of->law;
    const double stick =
        sw_surface_is_hard(law) ? fmin(1, SW_SURFACE_STICK * SW_SURFACE_HARD / state->hard) : 1;
    point->stiffness =
        law->stiffness > 0 ? law->stiffness : default_stiffness(state, &state->of->face[0][point->face]);
    point->stick = law->stick > 0 ? law->stick : stick * point->stiffness;
}

/* Feet at u, and the law's numbers; a point that is too deep, or of a small pair has no foot, is none. */
static int place_point(const cutting *c, sw_surface_point *point)
{
    const sw_surface_state *state = c->state;
    const sw_surface_pair *pair = state->of;
    const sw_surface_law *law = &pair->law;
    sw_surface_patch patch;
    sw_surface_place y;
    double x[3], n[3], gap = 0;
    point->cut_face = point->foot.face;
    sw_surface_patch_of(c->s, &pair->face[1][point->foot.face], c->u, &patch);
    point->cut[0] = point->cut[1] = point->foot.at[0] = point->foot.at[1] =
        patch.topology->n_corners == 3 ? 1.0 / 3 : 0;
    sw_surface_slave_at(c->s, state, point, c->u, x, n);
    sw_surface_land(c->s, state, c->u, x, 0, &point->foot);
    take_numbers(state, point);
    point->near = 1e-3 * state->length[0];
    if (point->foot.face >= 0) {
        sw_surface_patch_of(c->s, &pair->face[1][point->foot.face], c->u, &patch);
        sw_surface_see(&patch, point->foot.at, &y);
        for (int i = 0; i < 3; i++)
            gap += y.n[i] * (x[i] - y.x[i]);
        point->cut_face = point->foot.face;
        memcpy(point->cut, point->foot.at, sizeof point->cut);
        if (gap < -state->length[0])
            return 0;
        if (!(sw_dot(n, y.n) < 0))
            point->foot.face = -1;
    }
    const int tied = law->behavior == SW_SURFACE_TIED;
    if (point->foot.face < 0)
        return !(pair->small || !c->s->finite || tied);
    point->offset = tied ? -gap : isnan(pair->clearance) ? 0 : pair->clearance - gap;
    point->anchor = point->foot.face;
    memcpy(point->anchor_at, point->foot.at, sizeof point->anchor_at);
    return !tied || fabs(gap) <= TIED * state->length[0];
}

/* The anchor that gives a point its shear. */
static void tie_anchor(const sw_surfaces *s, const sw_surface_state *state, sw_surface_point *point,
                       const double *u)
{
    sw_surface_touch t;
    sw_surface_foot anchor = point->foot;
    double p[3];
    if (!sw_surface_touch_of(s, state, point, u, &t))
        return;
    for (int i = 0; i < 3; i++)
        p[i] = t.y[i] - point->shear[i] / point->stick;
    sw_surface_land(s, state, u, p, 1, &anchor);
    point->anchor = anchor.face;
    memcpy(point->anchor_at, anchor.at, sizeof point->anchor_at);
}

/* From the nearest of those that were on the face: shear, and the anchor that gives it. */
static void remember(const cutting *c, sw_surface_point *point)
{
    const sw_surface_state *state = c->state;
    const sw_surface_point *best = NULL;
    double least = INFINITY;
    if (state->first == NULL || point->foot.face < 0)
        return;
    for (int64_t q = state->first[point->face]; q < state->first[point->face + 1]; q++) {
        const sw_surface_point *old = &state->point[q];
        const double d[2] = {old->at[0] - point->at[0], old->at[1] - point->at[1]};
        if (d[0] * d[0] + d[1] * d[1] < least) {
            least = d[0] * d[0] + d[1] * d[1];
            best = old;
        }
    }
    if (best == NULL)
        return;
    point->slid = best->slid;
    point->base = best->base;
    point->accepted_base = best->accepted_base;
    sw_surface_touch before;
    if (!sw_surface_rubs(state) && sw_surface_touch_of(c->s, state, best, c->u, &before))
        point->run = sw_surface_path(c->s, state, best, &before, c->u) - best->slid;
    if (!(best->pressure > 0) || best->anchor < 0)
        return;
    point->pressure = best->pressure;
    memcpy(point->shear, best->shear, sizeof point->shear);
    tie_anchor(c->s, state, point, c->u);
}

static sw_status cut_face(cutting *c, int32_t face)
{
    const sw_surface_part *part;
    plane p;
    const int64_t begin = c->n;
    const int parts = sw_surface_parts(c->state->of->face[0][face].topology, &part);
    for (int k = 0; k < parts; k++) {
        lay(c, face, &part[k], &p);
        if (p.size > 0)
            SW_TRY(cut_part(c, &p));
    }
    int64_t kept = begin;
    for (int64_t q = begin; q < c->n; q++)
        if (place_point(c, &c->point[q])) {
            remember(c, &c->point[q]);
            c->point[kept++] = c->point[q];
        }
    c->n = kept;
    return SW_OK;
}

static double mean_length(const sw_surfaces *s, const sw_surface_state *state, int side, const double *u)
{
    double sum = 0;
    for (int64_t f = 0; f < state->of->n_faces[side]; f++) {
        sw_surface_patch patch;
        sw_surface_patch_of(s, &state->of->face[side][f], u, &patch);
        sum += sw_surface_length(&patch);
    }
    return sum / (double)(state->of->n_faces[side] > 0 ? state->of->n_faces[side] : 1);
}

/* All that there is where faces are few, else some faces far. */
static double range_of(const sw_surfaces *s, const sw_surface_state *state, const double *u)
{
    const double far = 10 * fmax(state->length[0], state->length[1]);
    if ((double)state->of->n_faces[0] * (double)state->of->n_faces[1] > MANY)
        return far;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < state->n_nodes; k++)
        for (int i = 0; i < 3; i++) {
            const double x =
                s->position[state->node[k]][i] + (u != NULL ? u[3 * (int64_t)state->node[k] + i] : 0);
            low[i] = fmin(low[i], x);
            high[i] = fmax(high[i], x);
        }
    return fmax(far, sw_distance(low, high));
}

sw_status sw_surface_cut(sw_surfaces *s, sw_surface_state *state, const double *u)
{
    cutting c = {.s = s, .state = state, .u = u};
    int64_t *first = NULL;
    sw_status status;
    for (int side = 0; side < 2; side++)
        state->length[side] = mean_length(s, state, side, u);
    c.range = range_of(s, state, u);
    SW_TRY(sw_surface_grid_make(s, state, u, &state->grid));
    SW_TRY_GOTO(status, SW_ALLOCATE(c.near, state->of->n_faces[1], "faces of a surface"), end);
    SW_TRY_GOTO(status, SW_ALLOCATE(first, state->of->n_faces[0] + 1, "points of faces"), end);
    for (int64_t f = 0; f < state->of->n_faces[0]; f++) {
        SW_TRY_GOTO(status, cut_face(&c, (int32_t)f), end);
        first[f + 1] = c.n;
    }
    free(state->point);
    free(state->first);
    state->point = c.point;
    state->first = first;
    state->n_points = c.n;
    state->is_other = 0;
    state->law = state->of->law;
    state->room = c.room;
    c.point = NULL;
    first = NULL;
    for (int64_t k = 0; k < state->n_nodes; k++)
        for (int i = 0; i < 3; i++)
            state->u[3 * k + i] = u[3 * (int64_t)state->node[k] + i];
    status = sw_surface_choose_corners(s, state);
end:
    sw_surface_grid_drop(&state->grid);
    free(c.near);
    free(c.point);
    free(first);
    return status;
}

/* ---- Another law ---- */

static void drop_bases(sw_surface_state *state)
{
    state->hard = SW_SURFACE_HARD;
    for (int64_t c = 0; c < state->n_corners; c++)
        state->corner[c].base = state->corner[c].accepted_base = state->corner[c].held = 0;
    for (int64_t q = 0; q < state->n_points; q++)
        state->point[q].base = state->point[q].accepted_base = 0;
}

sw_status sw_surface_take_law(sw_surfaces *s, sw_surface_state *state, const double *u)
{
    const sw_surface_law *before = &state->law, *law = &state->of->law;
    const int presses_alike = before->behavior == law->behavior && before->stiffness == law->stiffness,
              ties = (before->behavior == SW_SURFACE_TIED) != (law->behavior == SW_SURFACE_TIED);
    if (state->first == NULL || (presses_alike && before->stick == law->stick))
        return SW_OK;
    if (!presses_alike)
        drop_bases(state);
    if (ties)
        return sw_surface_cut(s, state, u);
    for (int64_t q = 0; q < state->n_points; q++) {
        sw_surface_point *point = &state->point[q];
        take_numbers(state, point);
        if (point->pressure > 0 && point->anchor >= 0)
            tie_anchor(s, state, point, u);
    }
    state->law = *law;
    return sw_surface_choose_corners(s, state);
}
