/* Incompatible modes of hexahedra and quadrilaterals: displacements 1 - xi^2 along each reference coordinate within the
 * element, so that it bends. Taylor, Beresford and Wilson (1976): their gradients are taken with the Jacobian of the centre,
 * times its determinant over that of the point, which keeps constant stresses free of them (patch test). CalculiX leaves the
 * determinants away: other answers where elements are no parallelepipeds.
 *
 * To the sums they are nodes. Their amplitudes, numbers that the element keeps, make their forces vanish, and are condensed.
 * With finite strains they add to the gradient of displacements in space, so that they turn with the body. */
#include <math.h>
#include <string.h>

#include "common/system/status.h"
#include "evaluate.h"

enum { MOST_NODES = 8 + SW_MODES, MOST_UNKNOWNS = 3 * MOST_NODES, MOST_OWN = 3 * SW_MODES, MOST_TRIES = 16 };

/* The element with its modes as nodes. */
typedef struct {
    int n, m, c, n_u, n_own, symmetric; /* nodes, modes, components; unknowns of both */
    sw_place place[SW_FORMULATION_POINTS];
    double u[MOST_NODES][3], before[MOST_NODES][3];
    double force[MOST_UNKNOWNS], stiffness[MOST_UNKNOWNS * MOST_UNKNOWNS];
    double scale;        /* size of the parts of forces of modes */
    double moved, reach; /* largest displacement; of the element's nodes */
} enhanced;

static sw_status make_places(const sw_element *e, int patch, enhanced *x)
{
    const struct sw_formulation_tables *t = e->formulation->tables;
    const double centre[3] = {0};
    double value[SW_WIDE], gradient[SW_WIDE][3], inverse[3][3];
    sw_place middle;
    e->formulation->topology->shape(centre, value, gradient);
    SW_TRY(sw_place_of(e, value, (const double(*)[3])gradient, 1, &middle, inverse));
    for (int q = 0; q < e->formulation->rule->n; q++) {
        const double *at = e->formulation->rule->point[q];
        SW_TRY(sw_place_of(e, t->value[q], t->gradient[q], at[3], &x->place[q], NULL));
        const double ratio = patch ? middle.weight / (x->place[q].weight / at[3]) : 1;
        for (int m = 0; m < x->m; m++)
            for (int i = 0; i < x->c; i++)
                x->place[q].gradient[i][x->n + m] = ratio * inverse[m][i] * -2 * at[m];
    }
    return SW_OK;
}

static void begin(const sw_element *e, enhanced *x)
{
    x->n = e->formulation->topology->n_nodes;
    x->m = e->formulation->topology->dimension;
    x->c = sw_formulation_components(e->formulation);
    x->n_u = x->n * x->c;
    x->n_own = x->m * x->c;
    x->symmetric = sw_matter_symmetric(e->matter);
    memset(x->u, 0, sizeof x->u);
    memcpy(x->u, e->u, (size_t)x->n * sizeof x->u[0]);
    memcpy(x->before, e->u_before, (size_t)x->n * sizeof x->u[0]);
    for (int m = 0; m < x->m; m++)
        for (int i = 0; i < 3; i++)
            x->u[x->n + m][i] = x->before[x->n + m][i] = i < x->c ? e->state[m * x->c + i] : 0;
}

/* Forces and stiffness of nodes and modes at the present amplitudes. */
static sw_status sum(const sw_element *e, sw_element_answer *answer, enhanced *x)
{
    const int all = x->n + x->m, n_points = e->formulation->rule->n;
    sw_point point[SW_CHUNK];
    sw_stiffness sums;
    memset(&sums, 0, sizeof sums);
    memset(x->force, 0, sizeof x->force);
    x->scale = x->moved = x->reach = 0;
    for (int a = 0; a < 3 * x->n; a++) {
        x->moved = fmax(x->moved, fabs(x->u[a / 3][a % 3]));
        x->reach = fmax(x->reach, fabs(e->x[a / 3][a % 3] - e->x[0][a % 3]));
    }
    for (int first = 0; first < n_points; first += SW_CHUNK) {
        const int count = n_points - first < SW_CHUNK ? n_points - first : SW_CHUNK;
        for (int q = 0; q < count; q++) {
            const sw_place *place = &x->place[first + q];
            double h[9], before[9];
            sw_gradient_of(place, all, (const double(*)[3])x->u, h);
            sw_gradient_of(place, all, (const double(*)[3])x->before, before);
            SW_TRY(sw_point_ask(e, first + q, place->weight, h, before, 1, answer, &point[q]));
            sw_add_force(all, x->c, place, point[q].force, x->force);
            for (int k = 0; k < 9; k++)
                x->scale += place->weight * fabs(point[q].force[k]) * fabs(place->gradient[k % 3][x->n]);
        }
        sw_add_stiffness(all, x->c, x->symmetric, count, &x->place[first], point, &sums);
    }
    sw_write_stiffness(all, x->c, x->symmetric, &sums, x->stiffness);
    return SW_OK;
}

/* Solves a [n][n] y = b [n][m], both overwritten, with pivots. 0: singular. */
static int solve(int n, int m, double a[MOST_OWN][MOST_OWN], double b[MOST_OWN][MOST_UNKNOWNS])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(a[i][k]) > fabs(a[best][k]) ? i : best;
        if (!(fabs(a[best][k]) > 0))
            return 0;
        for (int j = 0; j < n && best != k; j++) {
            const double t = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = t;
        }
        for (int j = 0; j < m && best != k; j++) {
            const double t = b[k][j];
            b[k][j] = b[best][j];
            b[best][j] = t;
        }
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0 : a[i][k] / a[k][k];
            for (int j = k; j < n && i != k; j++)
                a[i][j] -= factor * a[k][j];
            for (int j = 0; j < m && i != k; j++)
                b[i][j] -= factor * b[k][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] /= a[i][i];
    return 1;
}

/* K of modes by modes, and of modes by nodes with the modes' forces as one more column: solved. */
static sw_status condense_modes(const enhanced *x, double by[MOST_OWN][MOST_UNKNOWNS])
{
    const int rows = x->n_u + x->n_own;
    double own[MOST_OWN][MOST_OWN];
    for (int i = 0; i < x->n_own; i++) {
        const double *row = &x->stiffness[(x->n_u + i) * rows];
        memcpy(by[i], row, (size_t)x->n_u * sizeof(double));
        by[i][x->n_u] = x->force[x->n_u + i];
        memcpy(own[i], row + x->n_u, (size_t)x->n_own * sizeof(double));
    }
    return solve(x->n_own, x->n_u + 1, own, by)
               ? SW_OK
               : sw_error(SW_ERR_CONVERGENCE, "the stiffness of its incompatible modes is singular");
}

/* Gradients have the rounding of displacements, what some laws make of them that of 1, and forces as much as the stiffness
 * makes of it: less than of 1 is enough where it no longer falls. */
static int modes_rest(const enhanced *x, double *last)
{
    const int rows = x->n_u + x->n_own;
    double most = 0, stiff = 0;
    for (int i = 0; i < x->n_own; i++) {
        const int at = x->n_u + i;
        most = fmax(most, fabs(x->force[at]));
        stiff = fmax(stiff, fabs(x->stiffness[at * rows + at]));
    }
    const int falls = most < *last / 2;
    *last = most;
    return most <= 1e-11 * x->scale + 1e-14 * stiff * x->moved ||
           (most <= 1e-14 * stiff * x->reach && !falls);
}

/* Amplitudes at which the forces of modes vanish. */
static sw_status settle(const sw_element *e, sw_element_answer *answer, enhanced *x,
                        double by[MOST_OWN][MOST_UNKNOWNS])
{
    double last = INFINITY;
    for (int k = 0; k < MOST_TRIES; k++) {
        SW_TRY(sum(e, answer, x));
        SW_TRY(condense_modes(x, by));
        if (modes_rest(x, &last))
            return SW_OK;
        for (int i = 0; i < x->n_own; i++)
            x->u[x->n + i / x->c][i % x->c] -= by[i][x->n_u];
    }
    return sw_error(SW_ERR_CONVERGENCE, "its incompatible modes have no equilibrium after %d steps",
                    MOST_TRIES);
}

static sw_status evaluate(const sw_element *e, int patch, sw_element_answer *answer)
{
    enhanced x;
    double by[MOST_OWN][MOST_UNKNOWNS];
    begin(e, &x);
    const int rows = x.n_u + x.n_own;
    SW_TRY(make_places(e, patch, &x));
    SW_TRY(settle(e, answer, &x, by));
    for (int i = 0; i < x.n_own; i++)
        answer->state[i] = x.u[x.n + i / x.c][i % x.c];
    if (answer->force != NULL)
        memcpy(answer->force, x.force, (size_t)x.n_u * sizeof(double));
    for (int i = 0; i < x.n_u && answer->stiffness != NULL; i++)
        for (int j = 0; j < x.n_u; j++) {
            double sum_of = x.stiffness[i * rows + j];
            for (int k = 0; k < x.n_own; k++)
                sum_of -= x.stiffness[i * rows + x.n_u + k] * by[k][j];
            answer->stiffness[i * x.n_u + j] = sum_of;
        }
    return SW_OK;
}

sw_status sw_evaluate_incompatible(const sw_element *e, sw_element_answer *answer)
{
    return evaluate(e, 1, answer);
}

sw_status sw_evaluate_wilson(const sw_element *e, sw_element_answer *answer)
{
    return evaluate(e, 0, answer);
}
