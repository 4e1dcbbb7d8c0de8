/* One element: its matrix 8 x 8 and load vector from one packed record, in its own thread on a GPU.
 *
 *     A z = b:   integral of (s + ds(l) [+ s tr l - s l']) : grad h = external power, over the step's start
 *
 * The term in brackets is the change of volume and of grad h in the step, which the printed form leaves out.
 * Unknowns of an element: u_r, u_z of node 0, 1, ... */
#ifndef SW_ONLINE_FEM_CONVECTED_ELEMENT_H
#define SW_ONLINE_FEM_CONVECTED_ELEMENT_H

#include "rate.h"

enum { SW_FEM_CONVECTED_DOFS = 8, SW_FEM_CONVECTED_POINTS = 4 };

/* A record's numbers: coordinates [4][2], then of each point stress and plastic strain at the start, in the middle,
 * and whether it flows. Its result: the matrix by rows, then the vector. */
enum {
    SW_FEM_CONVECTED_POINT_INPUT = 2 * (SW_FEM_CONVECTED_STRESSES + 1) + 1,
    SW_FEM_CONVECTED_INPUT = SW_FEM_CONVECTED_DOFS + SW_FEM_CONVECTED_POINTS * SW_FEM_CONVECTED_POINT_INPUT,
    SW_FEM_CONVECTED_OUTPUT = SW_FEM_CONVECTED_DOFS * (SW_FEM_CONVECTED_DOFS + 1)
};

/* What all elements share. */
typedef struct {
    sw_fem_material material;
    int axisymmetric, nominal;
} sw_fem_convected_model;

/* A point of the present geometry: each node's shape function over the radius and its gradient. */
typedef struct {
    double gradient[4][2], over_radius[4]; /* 1/m; over_radius 0 in the plane */
    double volume;                         /* m3 that it stands for */
} sw_fem_convected_place;

/* x [4][2]. volume is not positive where the element is folded. */
SW_HD static inline void sw_fem_convected_locate(int axisymmetric, int q, const double x[8],
                                                 sw_fem_convected_place *place)
{
    const double side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, gauss = 0.57735026918962576451;
    const double at[2] = {gauss * side[q][0], gauss * side[q][1]};
    double shape[4], local[4][2], jacobian[2][2] = {{0, 0}, {0, 0}}, radius = 0;
    for (int a = 0; a < 4; a++) {
        const double along[2] = {1 + side[a][0] * at[0], 1 + side[a][1] * at[1]};
        shape[a] = 0.25 * along[0] * along[1];
        local[a][0] = 0.25 * side[a][0] * along[1];
        local[a][1] = 0.25 * side[a][1] * along[0];
        radius += shape[a] * x[2 * a];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                jacobian[i][j] += x[2 * a + i] * local[a][j];
    }
    const double det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
    for (int a = 0; a < 4; a++) {
        place->gradient[a][0] = (jacobian[1][1] * local[a][0] - jacobian[1][0] * local[a][1]) / det;
        place->gradient[a][1] = (jacobian[0][0] * local[a][1] - jacobian[0][1] * local[a][0]) / det;
        place->over_radius[a] = axisymmetric ? shape[a] / radius : 0;
    }
    place->volume = det * (axisymmetric ? 2 * 3.14159265358979323846 * radius : 1);
}

/* The gradient of displacements u [4][2]. */
SW_HD static inline void sw_fem_convected_gradient(const sw_fem_convected_place *place, const double u[8],
                                                   double l[SW_FEM_CONVECTED_GRADIENTS])
{
    for (int i = 0; i < SW_FEM_CONVECTED_GRADIENTS; i++)
        l[i] = 0;
    for (int a = 0; a < 4; a++) {
        l[SW_FEM_L_RR] += place->gradient[a][0] * u[2 * a];
        l[SW_FEM_L_RZ] += place->gradient[a][1] * u[2 * a];
        l[SW_FEM_L_ZR] += place->gradient[a][0] * u[2 * a + 1];
        l[SW_FEM_L_ZZ] += place->gradient[a][1] * u[2 * a + 1];
        l[SW_FEM_L_TT] += place->over_radius[a] * u[2 * a];
    }
}

/* f [4][2] += the power of the tensor P, not symmetric, on each node's velocities. */
SW_HD static inline void sw_fem_convected_spread(const sw_fem_convected_place *place,
                                                 const double P[SW_FEM_CONVECTED_GRADIENTS], double f[8])
{
    for (int a = 0; a < 4; a++) {
        f[2 * a] +=
            place->volume * (P[SW_FEM_L_RR] * place->gradient[a][0] + P[SW_FEM_L_RZ] * place->gradient[a][1] +
                             P[SW_FEM_L_TT] * place->over_radius[a]);
        f[2 * a + 1] +=
            place->volume * (P[SW_FEM_L_ZR] * place->gradient[a][0] + P[SW_FEM_L_ZZ] * place->gradient[a][1]);
    }
}

/* P = s + ds [+ s tr l - s l'] of a point; `change` is ds. */
SW_HD static inline void sw_fem_convected_tensor(const sw_fem_convected_model *model,
                                                 const sw_fem_convected_point *start,
                                                 const sw_fem_convected_point *change,
                                                 const double l[SW_FEM_CONVECTED_GRADIENTS],
                                                 double P[SW_FEM_CONVECTED_GRADIENTS])
{
    const double *s = start->stress,
                 trace = model->nominal ? l[SW_FEM_L_RR] + l[SW_FEM_L_ZZ] + l[SW_FEM_L_TT] : 0;
    const int component[SW_FEM_CONVECTED_GRADIENTS] = {SW_FEM_RR, SW_FEM_RZ, SW_FEM_RZ, SW_FEM_ZZ, SW_FEM_TT};
    for (int i = 0; i < SW_FEM_CONVECTED_GRADIENTS; i++)
        P[i] = s[component[i]] * (1 + trace) + change->stress[component[i]];
    if (!model->nominal)
        return;
    P[SW_FEM_L_RR] -= s[SW_FEM_RR] * l[SW_FEM_L_RR] + s[SW_FEM_RZ] * l[SW_FEM_L_RZ];
    P[SW_FEM_L_RZ] -= s[SW_FEM_RR] * l[SW_FEM_L_ZR] + s[SW_FEM_RZ] * l[SW_FEM_L_ZZ];
    P[SW_FEM_L_ZR] -= s[SW_FEM_RZ] * l[SW_FEM_L_RR] + s[SW_FEM_ZZ] * l[SW_FEM_L_RZ];
    P[SW_FEM_L_ZZ] -= s[SW_FEM_RZ] * l[SW_FEM_L_ZR] + s[SW_FEM_ZZ] * l[SW_FEM_L_ZZ];
    P[SW_FEM_L_TT] -= s[SW_FEM_TT] * l[SW_FEM_L_TT];
}

/* P for l = 0, and how it changes with each part of l: it is linear. */
SW_HD static inline void
sw_fem_convected_moduli(const sw_fem_convected_model *model, const sw_fem_convected_point *start,
                        const sw_fem_convected_point *middle, int flows,
                        double constant[SW_FEM_CONVECTED_GRADIENTS],
                        double moduli[SW_FEM_CONVECTED_GRADIENTS][SW_FEM_CONVECTED_GRADIENTS])
{
    double l[SW_FEM_CONVECTED_GRADIENTS] = {0, 0, 0, 0, 0}, P[SW_FEM_CONVECTED_GRADIENTS];
    sw_fem_convected_point change;
    sw_fem_convected_rate(&model->material, start, middle, flows, l, &change);
    sw_fem_convected_tensor(model, start, &change, l, constant);
    for (int j = 0; j < SW_FEM_CONVECTED_GRADIENTS; j++) {
        l[j] = 1;
        sw_fem_convected_rate(&model->material, start, middle, flows, l, &change);
        sw_fem_convected_tensor(model, start, &change, l, P);
        l[j] = 0;
        for (int i = 0; i < SW_FEM_CONVECTED_GRADIENTS; i++)
            moduli[i][j] = P[i] - constant[i];
    }
}

/* Number i of a record, or of a result, is at [i stride]. */
SW_HD static inline void sw_fem_convected_element(const sw_fem_convected_model *model, const double *input,
                                                  int64_t stride, double *output)
{
    double x[8], matrix[8][8], vector[8];
    for (int i = 0; i < 8; i++) {
        x[i] = input[i * stride];
        vector[i] = 0;
        for (int j = 0; j < 8; j++)
            matrix[i][j] = 0; /* [column][row] */
    }
    for (int q = 0; q < SW_FEM_CONVECTED_POINTS; q++) {
        const double *at = input + (8 + q * SW_FEM_CONVECTED_POINT_INPUT) * stride;
        double constant[SW_FEM_CONVECTED_GRADIENTS],
            moduli[SW_FEM_CONVECTED_GRADIENTS][SW_FEM_CONVECTED_GRADIENTS];
        sw_fem_convected_place place;
        sw_fem_convected_point start, middle;
        for (int i = 0; i < SW_FEM_CONVECTED_STRESSES; i++) {
            start.stress[i] = at[i * stride];
            middle.stress[i] = at[(5 + i) * stride];
        }
        start.plastic = at[4 * stride];
        middle.plastic = at[9 * stride];
        sw_fem_convected_locate(model->axisymmetric, q, x, &place);
        sw_fem_convected_moduli(model, &start, &middle, at[10 * stride] != 0, constant, moduli);
        for (int i = 0; i < SW_FEM_CONVECTED_GRADIENTS; i++)
            constant[i] = -constant[i];
        sw_fem_convected_spread(&place, constant, vector);
        for (int j = 0; j < 8; j++) {
            const int b = j / 2, c = j % 2;
            double P[SW_FEM_CONVECTED_GRADIENTS];
            for (int i = 0; i < SW_FEM_CONVECTED_GRADIENTS; i++)
                P[i] = moduli[i][c ? SW_FEM_L_ZR : SW_FEM_L_RR] * place.gradient[b][0] +
                       moduli[i][c ? SW_FEM_L_ZZ : SW_FEM_L_RZ] * place.gradient[b][1] +
                       (c ? 0 : moduli[i][SW_FEM_L_TT] * place.over_radius[b]);
            sw_fem_convected_spread(&place, P, matrix[j]);
        }
    }
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            output[(8 * i + j) * stride] = matrix[j][i];
        output[(64 + i) * stride] = vector[i];
    }
}

#endif
