/* Faces of elements (edges of quad4) at their quadrature points. */
#ifndef SW_ONLINE_FEM_ELEMENT_FACE_H
#define SW_ONLINE_FEM_ELEMENT_FACE_H

#include "element.h"

/* Nodes, and points, of a face. */
SW_FEM_INLINE SW_CONSTEXPR int sw_fem_face_corners(sw_fem_kinematics k) { return k == SW_FEM_SOLID ? 4 : 2; }

/* Shape functions [4] at point q of a face, and their derivatives along its coordinates: of an edge the first only. */
SW_FEM_INLINE void sw_fem_face_shape(sw_fem_kinematics k, int q, double shape[4], double along[2][4])
{
    const double g = SW_FEM_GAUSS, s = (q & 1) ? g : -g, t = (q & 2) ? g : -g;
    for (int a = 0; a < sw_fem_face_corners(k); a++) {
        const double by_s = a == 1 || a == 2 ? 1 : -1, by_t = a >= 2 ? 1 : -1;
        if (k == SW_FEM_SOLID) {
            shape[a] = (1 + by_s * s) * (1 + by_t * t) / 4;
            along[0][a] = by_s * (1 + by_t * t) / 4;
            along[1][a] = by_t * (1 + by_s * s) / 4;
        } else {
            shape[a] = (1 + by_s * s) / 2;
            along[0][a] = by_s / 2;
        }
    }
}

/* Derivatives along a face's coordinates of what has the values `at` at its nodes. */
SW_FEM_INLINE void sw_fem_face_slopes(sw_fem_kinematics k, const double (*along)[4], const double (*at)[3],
                                      double slope[2][3])
{
    for (int j = 0; j < (k == SW_FEM_SOLID ? 2 : 1); j++)
        for (int i = 0; i < 3; i++) {
            slope[j][i] = 0;
            for (int a = 0; a < sw_fem_face_corners(k); a++)
                slope[j][i] += along[j][a] * at[a][i];
        }
}

/* area += factor x, in space u x v, of an edge u turned outwards: edges go counter-clockwise. */
SW_FEM_INLINE void sw_fem_face_cross(sw_fem_kinematics k, double factor, const double u[3], const double v[3],
                                     double area[3])
{
    if (k != SW_FEM_SOLID) {
        area[0] += factor * u[1];
        area[1] -= factor * u[0];
        return;
    }
    for (int i = 0; i < 3; i++)
        area[i] += factor * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
}

/* How deep a plane body is at a point of an edge with nodes at `at` (m): of a ring, once around. */
SW_FEM_INLINE double sw_fem_face_depth(sw_fem_kinematics k, double thickness, const double shape[4],
                                       const double (*at)[3])
{
    return k == SW_FEM_SOLID          ? 1
           : k == SW_FEM_AXISYMMETRIC ? 6.2831853071795865 * (shape[0] * at[0][0] + shape[1] * at[1][0])
                                      : thickness;
}

/* At point q of a face with nodes at `at` (3 numbers each, z = 0 in the plane): shape functions [4] and area vector
 * (outward normal x area it stands for). */
SW_FEM_INLINE void sw_fem_face_point(sw_fem_kinematics k, double thickness, int q, const double (*at)[3],
                                     double shape[4], double area[3])
{
    double along[2][4] = {{0}}, slope[2][3] = {{0}};
    sw_fem_face_shape(k, q, shape, along);
    sw_fem_face_slopes(k, (const double(*)[4])along, at, slope);
    area[0] = area[1] = area[2] = 0;
    sw_fem_face_cross(k, sw_fem_face_depth(k, thickness, shape, at), slope[0], slope[1], area);
}

/* The derivative of that area vector when the nodes move at `move`. */
SW_FEM_INLINE void sw_fem_face_point_change(sw_fem_kinematics k, double thickness, int q,
                                            const double (*at)[3], const double (*move)[3], double shape[4],
                                            double change[3])
{
    double along[2][4] = {{0}}, slope[2][3] = {{0}}, turn[2][3] = {{0}};
    sw_fem_face_shape(k, q, shape, along);
    sw_fem_face_slopes(k, (const double(*)[4])along, at, slope);
    sw_fem_face_slopes(k, (const double(*)[4])along, move, turn);
    const double depth = sw_fem_face_depth(k, thickness, shape, at);
    change[0] = change[1] = change[2] = 0;
    sw_fem_face_cross(k, depth, turn[0], slope[1], change);
    if (k == SW_FEM_SOLID)
        sw_fem_face_cross(k, depth, slope[0], turn[1], change);
    if (k == SW_FEM_AXISYMMETRIC) /* the ring grows */
        sw_fem_face_cross(k, sw_fem_face_depth(k, thickness, shape, move), slope[0], slope[1], change);
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

/* Its derivative when the nodes move at `move`. */
SW_FEM_INLINE void sw_fem_face_share_change(sw_fem_kinematics k, double thickness, int a,
                                            const double (*at)[3], const double (*move)[3], double change[3])
{
    change[0] = change[1] = change[2] = 0;
    for (int q = 0; q < sw_fem_face_corners(k); q++) {
        double shape[4], part[3];
        sw_fem_face_point_change(k, thickness, q, at, move, shape, part);
        for (int i = 0; i < 3; i++)
            change[i] += shape[a] * part[i];
    }
}

#endif
