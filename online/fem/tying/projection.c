#include "shared.h"

#include <math.h>
#include <string.h>

#include "common/math/vector.h"

/* x and its two tangents at reference coordinates. */
static void surface_at(const sw_topology *face, const double (*at)[3], const double r[3], double *value,
                       double x[3], double tangent[2][3])
{
    double gradient[SW_FORMULATION_FACE_NODES][3];
    face->shape(r, value, gradient);
    memset(x, 0, 3 * sizeof *x);
    memset(tangent, 0, 6 * sizeof **tangent);
    for (int a = 0; a < face->n_nodes; a++)
        for (int i = 0; i < 3; i++) {
            x[i] += value[a] * at[a][i];
            tangent[0][i] += gradient[a][0] * at[a][i];
            tangent[1][i] += gradient[a][1] * at[a][i];
        }
}

/* A step towards the foot of p: least squares of what is missed. Edges of plane bodies have one tangent. */
static double approach(int dimension, const double missed[3], const double tangent[2][3], double r[3])
{
    const double a = sw_dot(tangent[0], tangent[0]), b = sw_dot(tangent[0], tangent[1]),
                 c = sw_dot(tangent[1], tangent[1]);
    const double f = sw_dot(tangent[0], missed), g = sw_dot(tangent[1], missed), det = a * c - b * b;
    double step[2] = {a > 0 ? f / a : 0, 0};
    if (dimension == 2 && det > 0) {
        step[0] = (c * f - b * g) / det;
        step[1] = (a * g - b * f) / det;
    }
    for (int i = 0; i < 2 && i < dimension; i++)
        r[i] = fmin(fmax(r[i] + step[i], -3), 3);
    return fabs(step[0]) + fabs(step[1]);
}

/* Into the face's reference domain. */
static void clamp(const sw_topology *face, double r[3])
{
    const int triangle = face->dimension == 2 && face->n_corners == 3;
    for (int i = 0; i < face->dimension; i++)
        r[i] = fmin(fmax(r[i], triangle ? 0 : -1), 1);
    const double beyond = r[0] + r[1] - 1;
    if (triangle && beyond > 0) {
        const double first = fmin(fmax(r[0] - beyond / 2, 0), 1);
        r[0] = first;
        r[1] = 1 - first;
    }
}

double sw_deck_project(const sw_topology *face, const double (*at)[3], const double p[3], double *value,
                       double foot[3], double *outside)
{
    const int triangle = face->dimension == 2 && face->n_corners == 3;
    double r[3] = {triangle ? 1.0 / 3 : 0, triangle ? 1.0 / 3 : 0, 0}, tangent[2][3], missed[3], beyond[3];
    for (int k = 0; k < 40; k++) {
        surface_at(face, at, r, value, beyond, tangent);
        for (int i = 0; i < 3; i++)
            missed[i] = p[i] - beyond[i];
        if (approach(face->dimension, missed, tangent, r) < 1e-13)
            break;
    }
    surface_at(face, at, r, value, beyond, tangent);
    for (int i = 0; i < 3; i++)
        missed[i] = p[i] - beyond[i];
    clamp(face, r);
    surface_at(face, at, r, value, foot, tangent);
    const double over[3] = {foot[0] - beyond[0], foot[1] - beyond[1], foot[2] - beyond[2]};
    *outside = sqrt(sw_dot(over, over));
    return sqrt(sw_dot(missed, missed));
}
