/* Forces and tangent of a pair of faces; surfaces.h.
 *
 * Of w p(g) (x - y) . n and its friction, w being areas that stay. With D the nodes' weights in x - y, dy/deta = a, second
 * derivatives y'', e the elastic slip and q = p n - t,
 *
 *     internal force            -w D q
 *     derivative                -w (D dq - sum over eta of M,eta deta q)
 *     deta  of                  (x - y) . a = 0 in the directions that are free
 *     dn    =                   -sum of a^eta (n . da),   da = M,eta du + y'' deta
 *     dg    =                   n . D du + (x - y) . dn
 */
#include <math.h>
#include <string.h>

#include "common/math/vector.h"
#include "face.h"
#include "law.h"

enum { MOST = SW_SURFACES_UNKNOWNS };

/* Of a point: weights of nodes, and derivatives by their displacements, 3 node + component. */
typedef struct {
    int n, n_slave, n_master;              /* unknowns; nodes */
    double weight[SW_SURFACES_NODES];      /* D */
    double slope[2][SW_SURFACES_NODES];    /* M,eta */
    double from_anchor[SW_SURFACES_NODES]; /* of x - y(anchor) */
    double eta[2][MOST], normal[3][MOST], gap[MOST], q[3][MOST];
} derivatives;

int sw_surfaces_nodes(const sw_surfaces *s, int64_t k, int32_t node[SW_SURFACES_NODES])
{
    const sw_surface_item *item = &s->item[k];
    const sw_surface_pair *pair = s->state[item->pair].of;
    const int32_t face[3] = {item->slave, item->master, item->anchor};
    int n = 0;
    for (int side = 0; side < 3; side++) {
        if (face[side] < 0)
            continue;
        const sw_surface_face *f = &pair->face[side > 0][face[side]];
        for (int a = 0; a < f->topology->n_nodes; a++)
            node[n++] = f->node[a];
    }
    return n;
}

static void weigh(const sw_surfaces *s, const sw_surface_item *item, const sw_surface_point *point,
                  const sw_surface_place *master, derivatives *d)
{
    const sw_surface_pair *pair = s->state[item->pair].of;
    const sw_topology *t[2] = {pair->face[0][item->slave].topology, pair->face[1][item->master].topology};
    double value[SW_FORMULATION_FACE_NODES];
    const double at[3] = {point->at[0], point->at[1], 0},
                 anchor[3] = {point->anchor_at[0], point->anchor_at[1], 0};
    memset(d->weight, 0, sizeof d->weight);
    memset(d->slope, 0, sizeof d->slope);
    memset(d->from_anchor, 0, sizeof d->from_anchor);
    d->n_slave = t[0]->n_nodes;
    d->n_master = t[1]->n_nodes;
    t[0]->shape(at, value, NULL);
    for (int a = 0; a < d->n_slave; a++)
        d->weight[a] = d->from_anchor[a] = value[a];
    for (int a = 0; a < d->n_master; a++) {
        d->weight[d->n_slave + a] = -master->value[a];
        for (int k = 0; k < s->dimension - 1; k++)
            d->slope[k][d->n_slave + a] = master->gradient[a][k];
    }
    int nodes = d->n_slave + d->n_master;
    const int first = item->anchor < 0 ? d->n_slave : nodes;
    if (point->anchor >= 0) {
        const sw_topology *of = pair->face[1][point->anchor].topology;
        of->shape(anchor, value, NULL);
        for (int a = 0; a < of->n_nodes; a++)
            d->from_anchor[first + a] = -value[a];
    }
    if (item->anchor >= 0)
        nodes += pair->face[1][item->anchor].topology->n_nodes;
    d->n = 3 * nodes;
}

/* d eta in the free directions. */
static void move_foot(const sw_surface_foot *foot, const sw_surface_place *y, const double second[3][3],
                      const double apart[3], int dimension, derivatives *d)
{
    double g[2][2], inverse[2][2], along[2][MOST];
    const int n = foot->n_free;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            double bend[3], first[2][3];
            for (int i = 0; i < 3; i++) {
                const double *a = foot->free[k], *b = foot->free[l];
                bend[i] = a[0] * b[0] * second[0][i] + a[1] * b[1] * second[1][i] +
                          (a[0] * b[1] + a[1] * b[0]) * second[2][i];
                first[0][i] = a[0] * y->a[0][i] + (dimension > 2 ? a[1] * y->a[1][i] : 0);
                first[1][i] = b[0] * y->a[0][i] + (dimension > 2 ? b[1] * y->a[1][i] : 0);
            }
            g[k][l] = sw_dot(first[0], first[1]) - sw_dot(apart, bend);
        }
    if (n == 1)
        inverse[0][0] = 1 / g[0][0];
    if (n == 2) {
        const double det = g[0][0] * g[1][1] - g[0][1] * g[1][0];
        inverse[0][0] = g[1][1] / det;
        inverse[1][1] = g[0][0] / det;
        inverse[0][1] = -g[0][1] / det;
        inverse[1][0] = -g[1][0] / det;
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < d->n; j++) {
            along[k][j] = 0;
            for (int m = 0; m < dimension - 1; m++)
                along[k][j] += foot->free[k][m] *
                               (d->weight[j / 3] * y->a[m][j % 3] + apart[j % 3] * d->slope[m][j / 3]);
        }
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            for (int j = 0; j < d->n; j++)
                for (int m = 0; m < dimension - 1; m++)
                    d->eta[m][j] += foot->free[k][m] * inverse[k][l] * along[l][j];
}

/* The tangents' dual basis. */
static void raise(const sw_surface_place *y, int dimension, double up[2][3])
{
    const double g[2][2] = {{sw_dot(y->a[0], y->a[0]), sw_dot(y->a[0], y->a[1])},
                            {sw_dot(y->a[1], y->a[0]), sw_dot(y->a[1], y->a[1])}};
    const double det = g[0][0] * g[1][1] - g[0][1] * g[0][1];
    for (int i = 0; i < 3; i++) {
        up[0][i] = dimension < 3 ? y->a[0][i] / g[0][0] : (g[1][1] * y->a[0][i] - g[0][1] * y->a[1][i]) / det;
        up[1][i] = dimension < 3 ? 0 : (g[0][0] * y->a[1][i] - g[0][1] * y->a[0][i]) / det;
    }
}

static void turn_normal(const sw_surface_place *y, const double second[3][3], int dimension, derivatives *d)
{
    double up[2][3];
    raise(y, dimension, up);
    for (int m = 0; m < dimension - 1; m++)
        for (int j = 0; j < d->n; j++) {
            double turned = y->n[j % 3] * d->slope[m][j / 3];
            for (int l = 0; l < dimension - 1; l++)
                turned += sw_dot(y->n, second[l == m ? l : 2]) * d->eta[l][j];
            for (int i = 0; i < 3; i++)
                d->normal[i][j] -= up[m][i] * turned;
        }
}

/* Of the line to an edge. */
static void turn_line(const sw_surface_place *y, const double apart[3], const sw_surface_touch *t,
                      int dimension, derivatives *d)
{
    const double far = sw_dot(apart, t->n);
    for (int j = 0; j < d->n; j++) {
        double moved[3] = {0}, along;
        moved[j % 3] = d->weight[j / 3];
        for (int m = 0; m < dimension - 1; m++)
            for (int i = 0; i < 3; i++)
                moved[i] -= y->a[m][i] * d->eta[m][j];
        along = sw_dot(moved, t->n);
        for (int i = 0; i < 3; i++)
            d->normal[i][j] = (moved[i] - along * t->n[i]) / far;
    }
}

/* Less dt. */
static void rub(const sw_surface_point *point, const sw_surface_touch *t, const double from_anchor[3],
                derivatives *d)
{
    const double size = sqrt(sw_dot(t->slip, t->slip)), across = sw_dot(t->n, from_anchor);
    double unit[3];
    const int slides = t->slides;
    for (int i = 0; i < 3; i++)
        unit[i] = slides ? t->slip[i] / size : 0;
    for (int j = 0; j < d->n; j++) {
        double slip[3], turned = 0, dot = 0;
        for (int i = 0; i < 3; i++)
            turned += from_anchor[i] * d->normal[i][j];
        for (int i = 0; i < 3; i++)
            slip[i] = d->from_anchor[j / 3] * ((i == j % 3) - t->n[i] * t->n[j % 3]) -
                      d->normal[i][j] * across - t->n[i] * turned;
        for (int i = 0; i < 3; i++)
            dot += unit[i] * slip[i];
        for (int i = 0; i < 3; i++)
            d->q[i][j] -= slides ? t->bound / size * (slip[i] - unit[i] * dot) +
                                       unit[i] * t->by_pressure * t->slope * d->gap[j]
                                 : point->stick * slip[i];
    }
}

static void derive(const sw_surfaces *s, const sw_surface_item *item, const sw_surface_point *point,
                   const sw_surface_touch *t, const double *u, derivatives *d)
{
    const sw_surface_state *state = &s->state[item->pair];
    const sw_surface_law *law = &state->of->law;
    sw_surface_patch patch;
    sw_surface_place y;
    double second[3][3], apart[3];
    sw_surface_patch_of(s, &state->of->face[1][item->master], s->finite ? u : NULL, &patch);
    sw_surface_see(&patch, point->foot.at, &y);
    weigh(s, item, point, &y, d);
    memset(d->eta, 0, sizeof d->eta);
    memset(d->normal, 0, sizeof d->normal);
    for (int i = 0; i < 3; i++)
        apart[i] = t->x[i] - t->y[i];
    if (s->finite && !s->straight) {
        sw_surface_bend(&patch, point->foot.at, second);
        if (!state->of->small)
            move_foot(&point->foot, &y, (const double(*)[3])second, apart, s->dimension, d);
        if (t->turned)
            turn_line(&y, apart, t, s->dimension, d);
        else
            turn_normal(&y, (const double(*)[3])second, s->dimension, d);
    }
    for (int j = 0; j < d->n; j++) {
        d->gap[j] = t->n[j % 3] * d->weight[j / 3];
        for (int i = 0; i < 3; i++)
            d->gap[j] += apart[i] * d->normal[i][j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < d->n; j++)
            d->q[i][j] = t->slope * t->n[i] * d->gap[j] + t->bears * d->normal[i][j];
    if ((law->friction > 0 || law->behavior == SW_SURFACE_TIED) && point->anchor >= 0) {
        double from_anchor[3];
        sw_surface_patch_of(s, &state->of->face[1][point->anchor], u, &patch);
        sw_surface_see(&patch, point->anchor_at, &y);
        for (int i = 0; i < 3; i++)
            from_anchor[i] = t->x[i] - y.x[i];
        rub(point, t, from_anchor, d);
    }
}

void sw_surface_gap_slope(const sw_surfaces *s, const sw_surface_state *state, const sw_surface_point *point,
                          const sw_surface_touch *t, const double *u, double *slope, double *weight)
{
    const sw_surface_item item = {.pair = (int32_t)(state - s->state),
                                  .slave = point->face,
                                  .master = point->foot.face,
                                  .anchor = point->anchor == point->foot.face ? -1 : point->anchor};
    sw_surface_patch patch;
    sw_surface_place y;
    derivatives d;
    if (s->finite && state->of->small) {
        derive(s, &item, point, t, u, &d);
        memcpy(slope, d.gap, (size_t)(3 * (d.n_slave + d.n_master)) * sizeof *slope);
    } else {
        sw_surface_patch_of(s, &state->of->face[1][item.master], u, &patch);
        sw_surface_see(&patch, point->foot.at, &y);
        weigh(s, &item, point, &y, &d);
        for (int j = 0; j < 3 * (d.n_slave + d.n_master); j++)
            slope[j] = t->n[j % 3] * d.weight[j / 3];
    }
    memcpy(weight, d.weight, (size_t)(d.n_slave + d.n_master) * sizeof *weight);
}

static void add_point(const sw_surfaces *s, const sw_surface_item *item, const sw_surface_point *point,
                      const double *u, double *force, double *stiffness)
{
    const sw_surface_state *state = &s->state[item->pair];
    sw_surface_touch t;
    sw_surface_patch patch;
    sw_surface_place y;
    derivatives d;
    double q[3], bears[3];
    if (!sw_surface_touch_of(s, state, point, u, &t) ||
        (t.pressure == 0 && t.slope == 0 && sw_dot(t.shear, t.shear) == 0))
        return;
    const double more = t.pressure - t.bears, size = sqrt(sw_dot(t.slip, t.slip));
    for (int i = 0; i < 3; i++) {
        q[i] = t.pressure * t.n[i] - t.shear[i];
        bears[i] = q[i] - more * (t.n[i] - (t.slides ? t.by_pressure * t.slip[i] / size : 0));
    }
    if (stiffness != NULL)
        derive(s, item, point, &t, u, &d);
    else {
        sw_surface_patch_of(s, &state->of->face[1][item->master], u, &patch);
        sw_surface_see(&patch, point->foot.at, &y);
        weigh(s, item, point, &y, &d);
    }
    const double w = point->weight;
    for (int j = 0; j < d.n; j++)
        force[j] -= w * d.weight[j / 3] * q[j % 3];
    for (int i = 0; i < d.n && stiffness != NULL; i++)
        for (int j = 0; j < d.n; j++)
            stiffness[i * d.n + j] -=
                w * (d.weight[i / 3] * d.q[i % 3][j] -
                     bears[i % 3] * (d.slope[0][i / 3] * d.eta[0][j] + d.slope[1][i / 3] * d.eta[1][j]));
}

void sw_surfaces_ask(const sw_surfaces *s, int64_t k, const double *u, double *force, double *stiffness)
{
    const sw_surface_item *item = &s->item[k];
    int32_t node[SW_SURFACES_NODES];
    const int n = 3 * sw_surfaces_nodes(s, k, node);
    memset(force, 0, (size_t)n * sizeof *force);
    if (stiffness != NULL)
        memset(stiffness, 0, (size_t)(n * n) * sizeof *stiffness);
    for (int64_t i = item->first; i < item->first + item->n; i++)
        add_point(s, item, &s->state[item->pair].point[s->list[i]], u, force, stiffness);
}
