/* Faces of elements (edges of quad4) at their quadrature points. */
#ifndef SW_ONLINE_FEM_ELEMENT_FACE_H
#define SW_ONLINE_FEM_ELEMENT_FACE_H

#include "element.h"

/* Nodes, and points, of a face. */
SW_FEM_INLINE SW_CONSTEXPR int sw_fem_face_corners(sw_fem_kinematics k) { return k == SW_FEM_SOLID ? 4 : 2; }

/* At point q of a face with nodes at `at` (3 numbers each, z = 0 in the plane): shape functions [4] and area vector
 * (outward normal x area it stands for). */
SW_FEM_INLINE void sw_fem_face_point(sw_fem_kinematics k, double thickness, int q, const double (*at)[3],
                                     double shape[4], double area[3])
{
    const double g = SW_FEM_GAUSS;
    if (k != SW_FEM_SOLID) { /* an edge, counter-clockwise: outward is to the right */
        const double s = q == 0 ? -g : g;
        shape[0] = (1 - s) / 2;
        shape[1] = (1 + s) / 2;
        double depth = thickness;
        if (k == SW_FEM_AXISYMMETRIC)
            depth = 6.2831853071795865 * (shape[0] * at[0][0] + shape[1] * at[1][0]);
        area[0] = depth * (at[1][1] - at[0][1]) / 2;
        area[1] = -depth * (at[1][0] - at[0][0]) / 2;
        area[2] = 0;
        return;
    }
    const double s = (q & 1) ? g : -g, t = (q & 2) ? g : -g;
    const double along_s[4] = {-(1 - t) / 4, (1 - t) / 4, (1 + t) / 4, -(1 + t) / 4};
    const double along_t[4] = {-(1 - s) / 4, -(1 + s) / 4, (1 + s) / 4, (1 - s) / 4};
    double u[3] = {0}, v[3] = {0};
    for (int a = 0; a < 4; a++) {
        shape[a] = (1 + (a == 1 || a == 2 ? s : -s)) * (1 + (a >= 2 ? t : -t)) / 4;
        for (int i = 0; i < 3; i++) {
            u[i] += along_s[a] * at[a][i];
            v[i] += along_t[a] * at[a][i];
        }
    }
    for (int i = 0; i < 3; i++)
        area[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
}

/* What of a face's area vector is corner a's: the integral of its shape function. */
SW_FEM_INLINE void sw_fem_face_share(sw_fem_kinematics k, double thickness, int a, const double (*at)[3],
                                     double share[3])
{
    share[0] = share[1] = share[2] = 0;
    for (int q = 0; q < sw_fem_face_corners(k); q++) {
        double shape[4], area[3];
        sw_fem_face_point(k, thickness, q, at, shape, area);
        for (int i = 0; i < 3; i++)
            share[i] += shape[a] * area[i];
    }
}

#endif
