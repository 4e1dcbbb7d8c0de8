#include "shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/vector.h"

/* ---- Vectors ---- */

/* Where a curve's node is at u. */
static void place(const sw_deck_curve *curve, int k, const double *u, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = curve->at[k][i] + u[3 * curve->node[k] + i];
}

/* ---- Turns ---- */

/* R y = cos t y + sin t / t (v x y) + (1 - cos t) / t^2 v (v . y), t = |v|; near 0 by series. */
void sw_deck_turn(const double v[3], const double y[3], double turned[3], double derivative[3][3])
{
    const double square = sw_dot(v, v), t = sqrt(square), along = sw_dot(v, y);
    const int small = t < 1e-3;
    const double a = small ? 1 - square / 6 : sin(t) / t,
                 b = small ? 0.5 - square / 24 : (1 - cos(t)) / square;
    const double da = small ? -1.0 / 3 + square / 30 : (cos(t) - a) / square; /* a' / t */
    const double db = small ? -1.0 / 12 + square / 180 : (a - 2 * b) / square;
    double across[3];
    sw_cross(v, y, across);
    for (int i = 0; i < 3; i++)
        turned[i] = (1 - b * square) * y[i] + a * across[i] + b * v[i] * along;
    for (int k = 0; derivative != NULL && k < 3; k++) {
        const double unit[3] = {k == 0, k == 1, k == 2};
        double step[3];
        sw_cross(unit, y, step);
        for (int i = 0; i < 3; i++)
            derivative[i][k] = -a * v[k] * y[i] + da * v[k] * across[i] + a * step[i] +
                               db * v[k] * v[i] * along + b * unit[i] * along + b * v[i] * y[k];
    }
}

/* ---- Curves: made, and asked ---- */

/* Coefficients and right side of f = 0 to first order at u. */
static void linearise(const void *data, const double *u, double *coefficient, double *right)
{
    const sw_deck_curve *curve = data;
    *right = -curve->value(curve, u, coefficient);
    for (int i = 0; i < curve->n_terms; i++)
        *right += coefficient[i] * u[curve->unknown[i]];
}

/* One piece of memory. */
static sw_status make_curve(int n_nodes, int n_terms, sw_deck_curve **made)
{
    const size_t head = (sizeof(sw_deck_curve) + 15) / 16 * 16;
    char *memory;
    SW_TRY(SW_ALLOCATE(memory, head + (size_t)n_nodes * 32 + (size_t)n_terms * 8, "a constraint"));
    sw_deck_curve *curve = (sw_deck_curve *)(void *)memory;
    curve->n_nodes = n_nodes;
    curve->n_terms = n_terms;
    curve->at = (double(*)[3])(void *)(memory + head);
    curve->node = (int64_t *)(void *)(memory + head + (size_t)n_nodes * 24);
    curve->unknown = curve->node + n_nodes;
    *made = curve;
    return SW_OK;
}

static void put_node(const sw_deck *deck, sw_deck_curve *curve, int k, int64_t node)
{
    curve->node[k] = node;
    memcpy(curve->at[k], deck->node[node].at, sizeof curve->at[k]);
}

/* Takes the curve over. Its values at rest are the constraint's where it is linear. */
static sw_status add_curve(sw_deck *deck, int64_t line, sw_deck_curve *curve)
{
    sw_structure_constraint *constraint;
    const double *rest;
    sw_status status = sw_deck_new_constraint(deck, line, curve->n_terms, &constraint, &rest);
    if (status != SW_OK) {
        free(curve);
        return status;
    }
    memcpy(constraint->unknown, curve->unknown, (size_t)curve->n_terms * sizeof *curve->unknown);
    constraint->n_terms = curve->n_terms;
    constraint->right = -curve->value(curve, rest, constraint->coefficient);
    constraint->linearise = linearise;
    constraint->data = curve;
    return SW_OK;
}

/* ---- Bodies that turn and stretch ---- */

/* Layout of number: direction 3, arm x - x_w 3, then the plane's two axes 6; terms: the node's components that have a part
 * of the direction, those of w, three rotations (of plane decks one), stretches. */
enum { DIRECTION = 0, ARM = 3, PLANE = 6 };

typedef struct {
    int component[3], n; /* of the direction */
    int first_turn, n_turns, n_stretch;
} follower_layout;

static follower_layout layout_of(const sw_deck_curve *curve)
{
    follower_layout l = {.first_turn = curve->turns == 1 ? 2 : 0, .n_turns = curve->turns};
    for (int i = 0; i < 3; i++)
        if (curve->number[DIRECTION + i] != 0)
            l.component[l.n++] = i;
    l.n_stretch = curve->n_terms - 2 * l.n - l.n_turns;
    return l;
}

/* The kth mode of stretch of the arm: of one, the arm; of three, 11, 22 and 12 in the plane. */
static void stretch_mode(const sw_deck_curve *curve, int n, int k, double mode[3])
{
    const double *arm = &curve->number[ARM], *a = &curve->number[PLANE], *b = &curve->number[PLANE + 3];
    const double along[2] = {sw_dot(a, arm), sw_dot(b, arm)};
    for (int i = 0; i < 3; i++)
        mode[i] = n == 1   ? arm[i]
                  : k == 0 ? a[i] * along[0]
                  : k == 1 ? b[i] * along[1]
                           : (a[i] * along[1] + b[i] * along[0]) / 2;
}

static double follow_value(const sw_deck_curve *curve, const double *u, double *coefficient)
{
    const follower_layout l = layout_of(curve);
    const double *direction = &curve->number[DIRECTION], *arm = &curve->number[ARM];
    const int64_t *turns = curve->unknown + 2 * l.n, *stretches = turns + l.n_turns;
    double vector[3] = {0}, stretched[3], turned[3], by[3][3], mode[3], f = 0;
    for (int k = 0; k < l.n_turns; k++)
        vector[l.first_turn + k] = u[turns[k]];
    memcpy(stretched, arm, sizeof stretched);
    for (int k = 0; k < l.n_stretch; k++) {
        stretch_mode(curve, l.n_stretch, k, mode);
        for (int i = 0; i < 3; i++)
            stretched[i] += u[stretches[k]] * mode[i];
    }
    sw_deck_turn(vector, stretched, turned, by);
    for (int k = 0; k < l.n; k++) {
        const int i = l.component[k];
        coefficient[k] = direction[i];
        coefficient[l.n + k] = -direction[i];
        f += direction[i] * (u[curve->unknown[k]] - u[curve->unknown[l.n + k]] - turned[i] + arm[i]);
    }
    for (int k = 0; k < l.n_turns; k++) {
        const double column[3] = {by[0][l.first_turn + k], by[1][l.first_turn + k], by[2][l.first_turn + k]};
        coefficient[2 * l.n + k] = -sw_dot(direction, column);
    }
    for (int k = 0; k < l.n_stretch; k++) {
        stretch_mode(curve, l.n_stretch, k, mode);
        sw_deck_turn(vector, mode, turned, NULL);
        coefficient[2 * l.n + l.n_turns + k] = -sw_dot(direction, turned);
    }
    return f;
}

sw_status sw_deck_follow(sw_deck *deck, int64_t line, const sw_deck_follower *f)
{
    sw_deck_curve *curve;
    const int plane = sw_deck_is_plane(deck), turns = plane ? 1 : 3;
    double direction[3]; /* without what rounding has left of a turn */
    int n = 0;
    for (int i = 0; i < 3; i++) {
        direction[i] = fabs(f->direction[i]) > 1e-12 ? f->direction[i] : 0;
        n += direction[i] != 0;
    }
    SW_TRY(make_curve(0, 2 * n + turns + f->n_stretch, &curve));
    curve->value = follow_value;
    curve->turns = turns;
    memcpy(&curve->number[DIRECTION], direction, sizeof direction);
    memcpy(&curve->number[PLANE], f->plane, sizeof f->plane);
    for (int i = 0, k = 0; i < 3; i++) {
        curve->number[ARM + i] = deck->node[f->node].at[i] - f->reference[i];
        if (direction[i] != 0) {
            curve->unknown[k] = 3 * f->node + i;
            curve->unknown[n + k++] = 3 * f->body + i;
        }
    }
    for (int k = 0; k < turns; k++)
        curve->unknown[2 * n + k] = 3 * f->rotations + (plane ? 2 : k);
    for (int k = 0; k < f->n_stretch; k++)
        curve->unknown[2 * n + turns + k] = 3 * f->stretch + k;
    return add_curve(deck, line, curve);
}

sw_status sw_deck_follow_wholly(sw_deck *deck, int64_t line, sw_deck_follower *follower)
{
    for (int i = 0; i < (sw_deck_is_plane(deck) ? 2 : 3); i++) {
        for (int k = 0; k < 3; k++)
            follower->direction[k] = k == i;
        SW_TRY(sw_deck_follow(deck, line, follower));
    }
    return SW_OK;
}

/* ---- Mean rotations ---- */

/* number: axis 3, the square of the farthest node's distance, what the mean is multiplied by, parts of the unknowns. */
enum { FARTHEST = 3, PART_OF_AXIS = 4, PARTS = 5 };

/* Arms of a node from the nodes' centre across the axis, at rest b and now c. */
static void arms(const sw_deck_curve *curve, int k, const double *u, const double centre[2][3], double b[3],
                 double c[3])
{
    const double *axis = curve->number;
    double now[3];
    place(curve, k, u, now);
    for (int i = 0; i < 3; i++) {
        b[i] = curve->at[k][i] - centre[0][i];
        c[i] = now[i] - centre[1][i];
    }
    const double along[2] = {sw_dot(b, axis), sw_dot(c, axis)};
    for (int i = 0; i < 3; i++) {
        b[i] -= along[0] * axis[i];
        c[i] -= along[1] * axis[i];
    }
}

/* The mean over the nodes of the angle from b to c about the axis, less the unknown. Nodes on the axis have none. */
static double mean_rotation_value(const sw_deck_curve *curve, const double *u, double *coefficient)
{
    const int n = curve->n_nodes;
    double centre[2][3] = {{0}}, mean[3] = {0}, sum = 0, x[3], b[3], c[3], across[3];
    int counted = 0;
    for (int k = 0; k < n; k++) {
        place(curve, k, u, x);
        for (int i = 0; i < 3; i++) {
            centre[0][i] += curve->at[k][i] / n;
            centre[1][i] += x[i] / n;
        }
    }
    for (int k = 0; k < n; k++) {
        arms(curve, k, u, centre, b, c);
        const double square = sw_dot(c, c);
        const int counts = sw_dot(b, b) > 1e-16 * curve->number[FARTHEST] && square > 0;
        sw_cross(b, c, across);
        sum += counts ? atan2(sw_dot(across, curve->number), sw_dot(b, c)) : 0;
        counted += counts;
        sw_cross(curve->number, c, across);
        for (int i = 0; i < 3; i++) {
            coefficient[3 * k + i] = counts ? across[i] / square : 0;
            mean[i] += coefficient[3 * k + i] / n;
        }
    }
    const double scale = counted > 0 ? curve->number[PART_OF_AXIS] / counted : 0;
    for (int k = 0; k < 3 * n; k++)
        coefficient[k] = (coefficient[k] - mean[k % 3]) * scale;
    sum *= scale;
    for (int k = 3 * n; k < curve->n_terms; k++) {
        coefficient[k] = -curve->number[PARTS + k - 3 * n];
        sum += coefficient[k] * u[curve->unknown[k]];
    }
    return sum;
}

sw_status sw_deck_mean_rotation(sw_deck *deck, int64_t line, int n, const int64_t *node, const double axis[3],
                                const double part[3], int64_t unknown)
{
    sw_deck_curve *curve;
    const double length = sqrt(sw_dot(axis, axis)), one[3] = {1};
    const double *parts = part != NULL ? part : one;
    int n_parts = 0;
    for (int k = 0; k < 3; k++)
        n_parts += fabs(parts[k]) > 1e-12;
    SW_TRY(make_curve(n, 3 * n + n_parts, &curve));
    curve->value = mean_rotation_value;
    for (int k = 0; k < n; k++) {
        double square = 0;
        put_node(deck, curve, k, node[k]);
        for (int i = 0; i < 3; i++) {
            square += (curve->at[k][i] - curve->at[0][i]) * (curve->at[k][i] - curve->at[0][i]);
            curve->unknown[3 * k + i] = 3 * node[k] + i;
        }
        curve->number[FARTHEST] = fmax(curve->number[FARTHEST], square);
    }
    for (int i = 0; i < 3; i++)
        curve->number[i] = axis[i] / length;
    const double between[3] = {curve->at[n - 1][0] - curve->at[0][0], curve->at[n - 1][1] - curve->at[0][1],
                               curve->at[n - 1][2] - curve->at[0][2]};
    const double along = sw_dot(between, curve->number);
    curve->number[PART_OF_AXIS] = n == 2 ? 1 - along * along / sw_dot(between, between) : 1;
    for (int k = 0, at = 0; k < 3; k++)
        if (fabs(parts[k]) > 1e-12) {
            curve->number[PARTS + at] = parts[k];
            curve->unknown[3 * n + at++] = unknown + k;
        }
    return add_curve(deck, line, curve);
}

/* ---- Planes, lines, distances ---- */

/* Unknowns of nodes alone, the first node's first. */
static sw_status make_of_nodes(const sw_deck *deck, int n, const int64_t *node, sw_deck_curve **curve)
{
    SW_TRY(make_curve(n, 3 * n, curve));
    for (int k = 0; k < n; k++) {
        put_node(deck, *curve, k, node[k]);
        for (int i = 0; i < 3; i++)
            (*curve)->unknown[3 * k + i] = 3 * node[k] + i;
    }
    return SW_OK;
}

/* Node 0 in the plane of 1, 2, 3: (x0 - x1) . (x2 - x1) x (x3 - x1). */
static double plane_value(const sw_deck_curve *curve, const double *u, double *coefficient)
{
    double x[4][3], a[3][3], by[3][3];
    for (int k = 0; k < 4; k++)
        place(curve, k, u, x[k]);
    for (int i = 0; i < 3; i++) {
        a[0][i] = x[0][i] - x[1][i];
        a[1][i] = x[2][i] - x[1][i];
        a[2][i] = x[3][i] - x[1][i];
    }
    for (int k = 0; k < 3; k++)
        sw_cross(a[(k + 1) % 3], a[(k + 2) % 3], by[k]);
    for (int i = 0; i < 3; i++) {
        coefficient[i] = by[0][i];
        coefficient[3 + i] = -by[0][i] - by[1][i] - by[2][i];
        coefficient[6 + i] = by[1][i];
        coefficient[9 + i] = by[2][i];
    }
    return sw_dot(a[0], by[0]);
}

/* Node 0 on the line of 1 and 2: a component, number[0], of (x0 - x1) x (x2 - x1). */
static double line_value(const sw_deck_curve *curve, const double *u, double *coefficient)
{
    const int k = (int)curve->number[0], p = (k + 1) % 3, q = (k + 2) % 3;
    double x[3][3], a[3], b[3];
    for (int n = 0; n < 3; n++)
        place(curve, n, u, x[n]);
    for (int i = 0; i < 3; i++) {
        a[i] = x[0][i] - x[1][i];
        b[i] = x[2][i] - x[1][i];
    }
    memset(coefficient, 0, 9 * sizeof *coefficient);
    coefficient[p] = b[q];
    coefficient[q] = -b[p];
    coefficient[6 + p] = -a[q];
    coefficient[6 + q] = a[p];
    for (int i = 0; i < 3; i++)
        coefficient[3 + i] = -coefficient[i] - coefficient[6 + i];
    return a[p] * b[q] - a[q] * b[p];
}

/* Half the square of the distance of two nodes, less what it was, number[0]. */
static double distance_value(const sw_deck_curve *curve, const double *u, double *coefficient)
{
    double x[2][3], square = 0;
    place(curve, 0, u, x[0]);
    place(curve, 1, u, x[1]);
    for (int i = 0; i < 3; i++) {
        coefficient[i] = x[0][i] - x[1][i];
        coefficient[3 + i] = -coefficient[i];
        square += coefficient[i] * coefficient[i];
    }
    return square / 2 - curve->number[0];
}

sw_status sw_deck_stay_in_plane(sw_deck *deck, int64_t line, const int64_t of[3], int64_t node)
{
    sw_deck_curve *curve;
    const int64_t all[4] = {node, of[0], of[1], of[2]};
    SW_TRY(make_of_nodes(deck, 4, all, &curve));
    curve->value = plane_value;
    return add_curve(deck, line, curve);
}

sw_status sw_deck_stay_on_line(sw_deck *deck, int64_t line, const int64_t of[2], int64_t node)
{
    const int64_t all[3] = {node, of[0], of[1]};
    int longest = 0;
    double reach[3];
    for (int i = 0; i < 3; i++) {
        reach[i] = fabs(deck->node[of[1]].at[i] - deck->node[of[0]].at[i]);
        longest = reach[i] > reach[longest] ? i : longest;
    }
    for (int k = 1; k < 3; k++) { /* the component along the line follows from the others */
        sw_deck_curve *curve;
        SW_TRY(make_of_nodes(deck, 3, all, &curve));
        curve->value = line_value;
        curve->number[0] = (longest + k) % 3;
        SW_TRY(add_curve(deck, line, curve));
    }
    return SW_OK;
}

sw_status sw_deck_keep_distance(sw_deck *deck, int64_t line, int64_t node, int64_t other)
{
    sw_deck_curve *curve;
    const int64_t all[2] = {node, other};
    double apart[3];
    SW_TRY(make_of_nodes(deck, 2, all, &curve));
    for (int i = 0; i < 3; i++)
        apart[i] = curve->at[0][i] - curve->at[1][i];
    curve->value = distance_value;
    curve->number[0] = sw_dot(apart, apart) / 2;
    return add_curve(deck, line, curve);
}
