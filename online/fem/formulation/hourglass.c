/* Uniform strain: one point, which has the mean of the gradients over the volume, and springs against what it does not see,
 * displacements like xi eta (Flanagan and Belytschko 1981). A spring's stiffness is E times the volume times the sum of the
 * squared gradients, of nodes and components, times the number that CalculiX has. Amplitudes are those of the whole
 * displacement less its linear part: they vanish in rigid rotations and turn with the body, so that finite strains need
 * nothing more.
 *
 * CalculiX (_plain) takes off of the linear part only what is linear in z, so that elements that are no parallelepipeds
 * resist constant strains and rotations a little; and a plane body is to it a hexahedron as thick as it is, a ring one of two
 * degrees, whose gradients across count, too. In place of E it has the first number of the tangent at the trial, along x in
 * space, of all but isotropic elasticity: what yields lets go of its whole amplitude at once. The derivative of that number is
 * left out of the stiffness, of which it would be some 1e-4.
 *
 * An element's own numbers are what its springs have done, which is no matter of amplitudes alone where stiffnesses change,
 * and their stiffness. */
#include <math.h>
#include <string.h>

#include "common/system/status.h"
#include "evaluate.h"

enum { MOST_NODES = 8, MOST_PATTERNS = 4 };

#define OF_SPACE 5e-4
#define OF_PLANE 1e-3

/* Patterns at the nodes. */
static int find_patterns(const sw_element *e, int plain, const sw_place *place,
                         double pattern[MOST_PATTERNS][MOST_NODES])
{
    const sw_topology *t = e->formulation->topology;
    const int n_patterns = t->dimension == 3 ? 4 : 1;
    for (int m = 0; m < n_patterns; m++) {
        double along[3] = {0};
        for (int a = 0; a < t->n_nodes; a++) {
            const double *s = t->node[a];
            pattern[m][a] = t->dimension == 2 ? s[0] * s[1]
                            : m == 3          ? s[0] * s[1] * s[2]
                                              : s[(m + 1) % 3] * s[(m + 2) % 3];
            for (int i = 0; i < t->dimension; i++)
                along[i] += pattern[m][a] * e->x[a][i];
        }
        for (int a = 0; a < t->n_nodes; a++)
            for (int i = plain ? 2 : 0; i < t->dimension; i++)
                pattern[m][a] -= along[i] * place->gradient[i][a];
    }
    return n_patterns;
}

/* The modulus that springs are measured by. */
static double modulus_of(const sw_element *e, int plain, double temperature, const sw_point *point)
{
    const int linear = e->matter->law->linear && e->matter->elasticity == SW_MATTER_ISOTROPIC;
    return plain && !linear ? point->first : sw_matter_young(e->matter, temperature);
}

/* Stiffness of a pattern's spring. */
static double spring_of(const sw_element *e, int plain, const sw_place *place, const sw_point *point)
{
    const int d = e->formulation->topology->dimension, n = e->formulation->topology->n_nodes;
    double temperature = 0, radius = 0, square = 0;
    for (int a = 0; a < n; a++) {
        temperature += e->temperature[a] / n;
        radius += e->x[a][0] / n;
        for (int i = 0; i < d; i++)
            square += place->gradient[i][a] * place->gradient[i][a];
    }
    const double thickness =
        e->formulation->kinematics == SW_FEM_AXISYMMETRIC ? 2 * radius * tan(M_PI / 180) : e->thickness;
    if (plain && d == 2)
        square += 1 / (thickness * thickness);
    return (d == 3 ? OF_SPACE : OF_PLANE) * modulus_of(e, plain, temperature, point) * place->weight * square;
}

sw_status sw_mean_place(const sw_element *e, sw_place *mean)
{
    const sw_rule *full = sw_full_rule(e->formulation->topology),
                  *rule = full != NULL ? full : e->formulation->rule;
    memset(mean, 0, sizeof *mean);
    for (int q = 0; q < rule->n; q++) {
        double value[SW_WIDE], gradient[SW_WIDE][3];
        sw_place place;
        e->formulation->topology->shape(rule->point[q], value, gradient);
        SW_TRY(sw_place_of(e, value, (const double(*)[3])gradient, rule->point[q][3], &place, NULL));
        mean->weight += place.weight;
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < MOST_NODES; a++)
                mean->gradient[i][a] += place.weight * place.gradient[i][a];
    }
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < MOST_NODES; a++)
            mean->gradient[i][a] /= mean->weight;
    return SW_OK;
}

/* The point alone. */
static sw_status ask_point(const sw_element *e, const sw_place *place, sw_element_answer *answer,
                           sw_point *point)
{
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    const int symmetric = sw_matter_symmetric(e->matter);
    double h[9], before[9];
    sw_stiffness sums;
    sw_gradient_of(place, n, e->u, h);
    sw_gradient_of(place, n, e->u_before, before);
    SW_TRY(sw_point_ask(e, 0, place->weight, h, before, answer->stiffness != NULL, answer, point));
    if (answer->force != NULL) {
        memset(answer->force, 0, (size_t)(n * c) * sizeof(double));
        sw_add_force(n, c, place, point->force, answer->force);
    }
    if (answer->stiffness != NULL) {
        memset(&sums, 0, sizeof sums);
        sw_add_stiffness(n, c, symmetric, 1, place, point, &sums);
        sw_write_stiffness(n, c, symmetric, &sums, answer->stiffness);
    }
    return SW_OK;
}

/* A pattern's amplitude along i. */
static double amplitude_of(const sw_element *e, const double *pattern, const double (*u)[3], int i)
{
    double sum = 0;
    for (int a = 0; a < e->formulation->topology->n_nodes; a++)
        sum += pattern[a] * u[a][i];
    return sum;
}

/* What a pattern's springs do in the increment, at whose begin they had a stiffness `before`. */
static double work_of(const sw_element *e, double before, double spring, const double *pattern)
{
    double sum = 0;
    for (int i = 0; i < sw_formulation_components(e->formulation); i++) {
        const double then = amplitude_of(e, pattern, e->u_before, i), now = amplitude_of(e, pattern, e->u, i);
        sum += 0.5 * (before * then + spring * now) * (now - then);
    }
    return sum;
}

static sw_status evaluate(const sw_element *e, int plain, sw_element_answer *answer)
{
    const int n = e->formulation->topology->n_nodes, c = sw_formulation_components(e->formulation);
    sw_place place;
    sw_point point;
    double pattern[MOST_PATTERNS][MOST_NODES];
    SW_TRY(sw_mean_place(e, &place));
    SW_TRY(ask_point(e, &place, answer, &point));
    const int n_patterns = find_patterns(e, plain, &place, pattern);
    const double next = spring_of(e, plain, &place, &point);
    double *const done = answer->state, before = e->state[1] != 0 ? e->state[1] : next,
                  spring = e->keeps_springs ? before : next;
    done[0] = e->state[0];
    done[1] = spring;
    for (int m = 0; m < n_patterns; m++)
        done[0] += work_of(e, before, spring, (const double *)pattern[m]);
    if (answer->artificial != NULL)
        *answer->artificial += done[0];
    for (int m = 0; m < n_patterns; m++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                for (int i = 0; i < c; i++) {
                    const double k = spring * pattern[m][a] * pattern[m][b];
                    if (answer->force != NULL)
                        answer->force[c * a + i] += k * e->u[b][i];
                    if (answer->stiffness != NULL)
                        answer->stiffness[(c * a + i) * c * n + c * b + i] += k;
                }
    return SW_OK;
}

sw_status sw_evaluate_hourglass(const sw_element *e, sw_element_answer *answer)
{
    return evaluate(e, 0, answer);
}

sw_status sw_evaluate_hourglass_plain(const sw_element *e, sw_element_answer *answer)
{
    return evaluate(e, 1, answer);
}
