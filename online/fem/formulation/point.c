/* A point of an element: its place in the reference body, and what the matter answers there in terms of generalised
 * gradients; evaluate.h. */
#include <math.h>
#include <string.h>

#include "common/math/tensor.h"
#include "common/system/status.h"
#include "evaluate.h"

/* ---- Places ---- */

static sw_status invert(int d, const double j[3][3], double inverse[3][3], double *determinant)
{
    double c[3][3];
    memcpy(c, j, sizeof c);
    for (int k = d; k < 3; k++)
        c[k][k] = 1;
    *determinant = sw_determinant(c);
    if (!(*determinant > 0))
        return sw_error(SW_ERR_RANGE,
                        "the Jacobian is %g at a point: it is turned inside out, or its nodes' order is "
                        "not the one of its type",
                        *determinant);
    sw_invert(c, inverse);
    return SW_OK;
}

/* What a volume of the plane counts as; the hoop's part of the gradients. */
static sw_status thicken(const sw_element *e, const double *value, sw_place *place)
{
    const int n = e->formulation->topology->n_nodes;
    double radius = 0;
    if (e->formulation->kinematics != SW_FEM_AXISYMMETRIC) {
        double thickness = e->by_nodes ? 0 : e->thickness;
        for (int a = 0; a < n && e->by_nodes; a++)
            thickness += value[a] * e->thickness_of[a];
        place->weight *= thickness;
        return SW_OK;
    }
    for (int a = 0; a < n; a++)
        radius += value[a] * e->x[a][0];
    if (!(radius > 0))
        return sw_error(SW_ERR_RANGE, "radius %g at a point: need a positive one", radius);
    for (int a = 0; a < n; a++)
        place->gradient[2][a] = value[a] / radius;
    place->weight *= 2 * M_PI * radius;
    return SW_OK;
}

sw_status sw_place_of(const sw_element *e, const double *value, const double (*gradient)[3], double weight,
                      sw_place *place, double inverse[3][3])
{
    const int n = e->formulation->topology->n_nodes, d = e->formulation->topology->dimension;
    double j[3][3] = {{0}}, own[3][3], determinant;
    for (int a = 0; a < n; a++)
        for (int i = 0; i < d; i++)
            for (int k = 0; k < d; k++)
                j[i][k] += e->x[a][i] * gradient[a][k];
    if (inverse == NULL)
        inverse = own;
    SW_TRY(invert(d, (const double(*)[3])j, inverse, &determinant));
    memset(place->gradient, 0, sizeof place->gradient);
    for (int i = 0; i < d; i++)
        for (int a = 0; a < n; a++) {
            double sum = 0;
            for (int k = 0; k < d; k++)
                sum += gradient[a][k] * inverse[k][i];
            place->gradient[i][a] = sum;
        }
    place->weight = weight * determinant;
    return d == 3 ? SW_OK : thicken(e, value, place);
}

sw_status sw_place_at(const sw_element *e, int q, sw_place *place)
{
    const struct sw_formulation_tables *t = e->formulation->tables;
    return sw_place_of(e, t->value[q], t->gradient[q], e->formulation->rule->point[q][3], place, NULL);
}

void sw_gradient_of(const sw_place *place, int n, const double (*u)[3], double h[9])
{
    double sum[9] = {0};
    for (int a = 0; a < n; a++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                sum[3 * i + j] += u[a][i] * place->gradient[j][a];
    memcpy(h, sum, sizeof sum);
}

/* ---- The matter's answer ---- */

/* d u / d X of generalised gradients. */
static void spread(sw_fem_kinematics kinematics, const double h[9], double full[3][3])
{
    const int d = kinematics == SW_FEM_SOLID ? 3 : 2;
    memset(full, 0, 9 * sizeof(double));
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            full[i][j] = h[3 * i + j];
    if (kinematics == SW_FEM_AXISYMMETRIC)
        full[2][2] = h[2];
}

/* Where a generalised gradient is in F; -1: nowhere. */
static int place_in_f(sw_fem_kinematics kinematics, int k)
{
    static const int plane[9] = {0, 1, -1, 3, 4, -1, -1, -1, -1};
    return kinematics == SW_FEM_SOLID ? k : kinematics == SW_FEM_AXISYMMETRIC && k == 2 ? 8 : plane[k];
}

/* P = F S; small strains: S. */
static void first_stress(int finite, const double f[3][3], const double s[6], double p[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0;
            for (int m = 0; m < 3; m++)
                sum += (finite ? f[i][m] : i == m) * s[sw_six_of(m, j)];
            p[3 * i + j] = sum;
        }
}

/* A of small strains: the tangent by its minor symmetries. */
static void spread_tangent(const double c[6][6], double a[9][9])
{
    static const int six[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};
    for (int m = 0; m < 9; m++)
        for (int n = 0; n < 9; n++)
            a[m][n] = c[six[m]][six[n]];
}

/* A[iJ][kL] = F_iM C_MJNL F_kN + delta_ik S_JL */
static void first_tangent(const double f[3][3], const double s[6], const double c[6][6], double a[9][9])
{
    static const int six[9] = {0, 5, 4, 5, 1, 3, 4, 3, 2};
    double half[9][6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int n = 0; n < 6; n++)
                half[3 * i + j][n] =
                    f[i][0] * c[six[j]][n] + f[i][1] * c[six[3 + j]][n] + f[i][2] * c[six[6 + j]][n];
    for (int m = 0; m < 9; m++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                a[m][3 * k + l] = half[m][six[l]] * f[k][0] + half[m][six[3 + l]] * f[k][1] +
                                  half[m][six[6 + l]] * f[k][2] + (m / 3 == k ? s[six[3 * (m % 3) + l]] : 0);
}

/* From F's to generalised gradients. */
static void choose(sw_fem_kinematics kinematics, sw_point *point)
{
    const sw_point all = *point;
    memset(point, 0, sizeof *point);
    for (int m = 0; m < 9; m++) {
        const int at = place_in_f(kinematics, m);
        for (int n = 0; n < 9 && at >= 0; n++)
            if (place_in_f(kinematics, n) >= 0)
                point->tangent[m][n] = all.tangent[at][place_in_f(kinematics, n)];
        point->force[m] = at >= 0 ? all.force[at] : 0;
    }
}

/* Of a line across an element of straight edges, half of that of others, as Abaqus has it: the root of its volume at rest, of
 * the plane its area, of a line its length. */
static double length_of(const sw_element *e)
{
    const sw_formulation *f = e->formulation;
    const sw_rule *full = sw_full_rule(f->topology), *rule = full != NULL ? full : f->rule;
    const int d = f->topology->dimension, n = f->topology->n_nodes;
    double size = 0;
    for (int q = 0; q < rule->n; q++) {
        double j[3][3] = {{0}}, gradient[SW_WIDE][3];
        f->topology->shape(rule->point[q], NULL, gradient);
        for (int a = 0; a < n; a++)
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < d; k++)
                    j[i][k] += e->x[a][i] * gradient[a][k];
        for (int k = d; k < 3 && d > 1; k++)
            j[k][k] = 1;
        size += rule->point[q][3] *
                (d > 1 ? sw_determinant(j) : sqrt(j[0][0] * j[0][0] + j[1][0] * j[1][0] + j[2][0] * j[2][0]));
    }
    return pow(size, 1.0 / d) / (n > f->topology->n_corners ? 2 : 1);
}

static const double *old_state(const sw_element *e, int q)
{
    return e->state + e->formulation->n_own + (size_t)q * (size_t)sw_matter_state_size(e->matter);
}

static void place_point(const sw_element *e, int q, sw_matter_point *at)
{
    const int n = e->formulation->topology->n_nodes;
    const struct sw_formulation_tables *t = e->formulation->tables;
    for (int a = 0; a < n; a++) {
        at->temperature += t->temperature[q][a] * e->temperature[a];
        at->temperature_before += t->temperature[q][a] * e->temperature_before[a];
        at->temperature_initial += t->temperature[q][a] * e->temperature_initial[a];
        for (int i = 0; i < 3; i++)
            at->at[i] += t->value[q][a] * (e->x[a][i] + (e->finite ? e->u[a][i] : 0));
    }
}

static void tell(const sw_element *e, int q, double volume, const sw_matter_point *at, const double *state,
                 const sw_matter_answer *matter, sw_element_answer *answer)
{
    double f[3][3];
    sw_matter_gradient_of(at->h, f);
    if (answer->stress != NULL && e->finite)
        sw_matter_push_forward((const double(*)[3])f, matter->stress, answer->stress[q]);
    else if (answer->stress != NULL)
        memcpy(answer->stress[q], matter->stress, sizeof matter->stress);
    if (answer->strain != NULL)
        memcpy(answer->strain[q], matter->strain, sizeof matter->strain);
    if (answer->carried != NULL)
        sw_matter_carried(e->matter, e->finite, matter, answer->carried[q]);
    if (answer->seen != NULL)
        memcpy(answer->seen[q], matter->carried, sizeof matter->carried);
    if (answer->tangent != NULL)
        memcpy(answer->tangent[q], matter->tangent, sizeof matter->tangent);
    if (answer->volume != NULL)
        answer->volume[q] = volume;
    if (answer->work != NULL)
        memcpy(answer->work[q], sw_matter_works(e->matter, state), sizeof answer->work[q]);
}

sw_status sw_point_respond(const sw_element *e, int q, double volume, sw_matter_point *at,
                           sw_element_answer *answer, sw_matter_answer *matter)
{
    const double *old = old_state(e, q);
    double f[3][3];
    at->finite = e->finite;
    at->time = e->time;
    at->dt = e->dt;
    at->step_time = e->step_time;
    at->step = e->step;
    at->increment = e->increment;
    at->element = e->label;
    at->point = q;
    at->layer = e->layer;
    if (e->matter->umat != NULL)
        at->length = length_of(e);
    at->free_strain = e->free_strain != NULL ? e->free_strain[q] : NULL;
    place_point(e, q, at);
    sw_matter_gradient_of(at->h, f);
    if (e->finite && !(sw_determinant(f) > 0))
        return sw_error(SW_ERR_CONVERGENCE, "it is turned inside out at a point");
    double *const state = answer->state + (old - e->state);
    SW_TRY(sw_matter_respond(e->matter, at, old, state, matter));
    tell(e, q, volume, at, state, matter, answer);
    return SW_OK;
}

sw_status sw_point_ask(const sw_element *e, int q, double volume, const double h[9], const double h_before[9],
                       int tangent, sw_element_answer *answer, sw_point *point)
{
    const sw_fem_kinematics kinematics = e->formulation->kinematics;
    sw_matter_point at = {.plane_stress = kinematics == SW_FEM_PLANE_STRESS, .axes = e->axes};
    sw_matter_answer matter;
    double deformed[3][3];
    spread(kinematics, h, at.h);
    spread(kinematics, h_before, at.h_before);
    SW_TRY(sw_point_respond(e, q, volume, &at, answer, &matter));
    sw_matter_gradient_of(at.h, deformed);
    const double(*f)[3] = (const double(*)[3])deformed, (*c)[6] = (const double(*)[6])matter.tangent;
    first_stress(e->finite, f, matter.stress, point->force);
    if (tangent && e->finite)
        first_tangent(f, matter.stress, c, point->tangent);
    else if (tangent)
        spread_tangent(c, point->tangent);
    if (kinematics != SW_FEM_SOLID)
        choose(kinematics, point);
    point->first = matter.first;
    return SW_OK;
}
