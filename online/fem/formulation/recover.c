/* Nodal values of what points have: by least squares with as many functions as the points tell apart, those of all nodes, or
 * of the corners, which give the middle of an edge the mean of its two; formulation.h. */

#include "evaluate.h"

enum { MOST = SW_FORMULATION_NODES };

/* Functions of the topology, or of its corners; of those of wedges along the height; or 1. */
static int functions_at(const sw_formulation *f, const sw_topology *corners, const double at[3],
                        double value[MOST])
{
    const sw_rule *rule = f->rule;
    const int all = rule->n >= f->topology->n_nodes && !f->sectioned;
    const sw_topology *t = all ? f->topology : corners;
    if (rule->n == 1) {
        value[0] = 1;
        return 1;
    }
    if (corners == &sw_wedge6 && rule->n < 6) { /* on its axis */
        value[0] = 1;
        value[1] = at[2];
        return 2;
    }
    t->shape(at, value, NULL);
    return t->n_nodes;
}

/* Solves a x = b [n][m] in place, a symmetric and positive definite; b by rows of width m. */
static void solve(int n, int m, double a[MOST][MOST], double b[MOST][SW_FORMULATION_POINTS])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            if (i == k)
                continue;
            const double factor = a[i][k] / a[k][k];
            for (int j = 0; j < n; j++)
                a[i][j] -= factor * a[k][j];
            for (int j = 0; j < m; j++)
                b[i][j] -= factor * b[k][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] /= a[i][i];
}

/* normal += value value^T, column q of right = value */
static __attribute__((noinline)) void add_point(int n, int q, const double *value, double normal[MOST][MOST],
                                                double right[MOST][SW_FORMULATION_POINTS])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            normal[i][j] += value[i] * value[j];
        right[i][q] = value[i];
    }
}

void sw_make_recovery(const sw_formulation *f, const sw_topology *corners,
                      double recover[SW_FORMULATION_NODES][SW_FORMULATION_POINTS])
{
    double normal[MOST][MOST] = {{0}}, right[MOST][SW_FORMULATION_POINTS] = {{0}}, value[MOST];
    int n = 0;
    for (int q = 0; q < f->rule->n; q++) {
        n = functions_at(f, corners, f->rule->point[q], value);
        add_point(n, q, value, normal, right);
    }
    solve(n, f->rule->n, normal, right);
    for (int a = 0; a < f->topology->n_nodes; a++) {
        functions_at(f, corners, f->topology->node[a], value);
        for (int q = 0; q < f->rule->n; q++)
            for (int i = 0; i < n; i++)
                recover[a][q] += value[i] * right[i][q];
    }
}

void sw_element_recover(const sw_formulation *f, int n, const double *at_points, double *at_nodes)
{
    for (int a = 0; a < f->topology->n_nodes; a++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int q = 0; q < f->rule->n; q++)
                sum += f->tables->recover[a][q] * at_points[q * n + i];
            at_nodes[a * n + i] = sum;
        }
}
