/* Nodal values of what points have: by least squares with as many functions as the points tell apart, at the corners, and
 * the mean of two corners in the middle of an edge; formulation.h. */
#include <math.h>
#include <string.h>

#include "evaluate.h"

enum { CORNERS = 8 };

/* Functions of the corners' topology at a point; or the linear ones; or 1. */
static int functions_at(const sw_topology *corners, const sw_rule *rule, const double at[3],
                        double value[CORNERS])
{
    if (rule->n == 1) {
        value[0] = 1;
        return 1;
    }
    if (corners == &sw_wedge6 && rule->n == 2) {
        value[0] = 1;
        value[1] = at[2];
        return 2;
    }
    corners->shape(at, value, NULL);
    return corners->n_nodes;
}

/* Solves a x = b [n][m] in place, a symmetric and positive definite; b by rows of width m. */
static void solve(int n, int m, double a[CORNERS][CORNERS], double b[CORNERS][SW_FORMULATION_POINTS])
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

void sw_make_recovery(const sw_formulation *f, const sw_topology *corners,
                      double recover[SW_FORMULATION_NODES][SW_FORMULATION_POINTS])
{
    double normal[CORNERS][CORNERS] = {{0}}, right[CORNERS][SW_FORMULATION_POINTS] = {{0}}, value[CORNERS];
    int n = 0;
    for (int q = 0; q < f->rule->n; q++) {
        n = functions_at(corners, f->rule, f->rule->point[q], value);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                normal[i][j] += value[i] * value[j];
            right[i][q] = value[i];
        }
    }
    solve(n, f->rule->n, normal, right);
    for (int a = 0; a < f->topology->n_nodes; a++) {
        /* linear along an edge: the middle has the mean of the two ends */
        functions_at(corners, f->rule, f->topology->node[a], value);
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
