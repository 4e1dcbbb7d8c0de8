/* Whether an element's points feel a motion. */
#include <math.h>

#include "evaluate.h"

/* Along a line. */
static double stretch_square(const sw_element *e, const double (*gradient)[3], const double (*u)[3],
                             double *length)
{
    double along[3] = {0}, sum = 0;
    for (int a = 0; a < e->formulation->topology->n_nodes; a++)
        for (int i = 0; i < 3; i++)
            along[i] += e->x[a][i] * gradient[a][0];
    *length = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (int a = 0; a < e->formulation->topology->n_nodes; a++)
        for (int i = 0; i < 3; i++)
            sum += u[a][i] * gradient[a][0] * along[i] / (*length * *length);
    return sum * sum;
}

/* Square of the strain where shape functions are value and gradient, and the volume of a place of this weight. */
static sw_status feel(const sw_element *e, const double *value, const double (*gradient)[3], double weight,
                      const double (*u)[3], double *square, double *volume)
{
    double h[9], length;
    sw_place place;
    *square = 0;
    if (e->formulation->topology->dimension == 1) {
        *square = stretch_square(e, gradient, u, &length);
        *volume = weight * length * e->thickness;
        return SW_OK;
    }
    SW_TRY(sw_place_of(e, value, gradient, weight, &place, NULL));
    sw_gradient_of(&place, e->formulation->topology->n_nodes, u, h);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            *square += 0.25 * (h[3 * i + j] + h[3 * j + i]) * (h[3 * i + j] + h[3 * j + i]);
    *volume = place.weight;
    return SW_OK;
}

/* From the middle towards corner a, where the Jacobian may be none. */
static void near_corner(const sw_topology *t, int a, double at[3])
{
    for (int i = 0; i < 3; i++) {
        at[i] = 0.8 * t->node[a][i];
        for (int b = 0; b < t->n_corners; b++)
            at[i] += 0.2 / t->n_corners * t->node[b][i];
    }
}

sw_status sw_element_strains(const sw_element *e, const double (*u)[3], double *volume, double *at_points,
                             double *at_corners)
{
    const sw_topology *t = e->formulation->topology;
    const struct sw_formulation_tables *tables = e->formulation->tables;
    double square, part, at[3], value[SW_WIDE], gradient[SW_WIDE][3];
    *volume = *at_points = *at_corners = 0;
    for (int q = 0; q < e->formulation->rule->n; q++) {
        SW_TRY(feel(e, tables->value[q], (const double(*)[3])tables->gradient[q],
                    e->formulation->rule->point[q][3], u, &square, &part));
        *at_points += part * square;
        *volume += part;
    }
    for (int a = 0; a < t->n_corners; a++) {
        near_corner(t, a, at);
        t->shape(at, value, gradient);
        SW_TRY(feel(e, value, (const double(*)[3])gradient, 0, u, &square, &part));
        *at_corners += *volume * square / t->n_corners;
    }
    return SW_OK;
}
