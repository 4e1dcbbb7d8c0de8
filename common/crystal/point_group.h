/* Rotations that leave a crystal as it is: q and q c are the same orientation for each rotation c of its group. */
#ifndef SW_COMMON_CRYSTAL_POINT_GROUP_H
#define SW_COMMON_CRYSTAL_POINT_GROUP_H

#include "slipwave/texture.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Axis 3 is its main one, of `fold` rotations; where there are half turns across it, axis 1 is one of them. With a rotation
 * of sizes |w| |x| |y| |z| it has those of all signs. */
struct sw_point_group {
    const char *name;   /* Hermann and Mauguin's: "432" */
    const char *system; /* "cubic" */
    int order, fold;
    const double (*q)[4]; /* [order] unit quaternions w x y z, one of each pair q, -q; the identity first */
};

enum { SW_POINT_GROUP_ORDER = 24, SW_POINT_GROUP_SIZES = 11 }; /* at most */

extern const sw_point_group sw_point_group_432, sw_point_group_422, sw_point_group_622, sw_point_group_222;

/* The distinct sizes |w| |x| |y| |z| of its rotations -> their number. The cosine of half the smallest angle between p and an
 * equivalent of q is the largest product of one of them with the sizes of p^-1 q, since all signs are there. */
int sw_point_group_sizes(const sw_point_group *group, double size[SW_POINT_GROUP_SIZES][4]);

/* Of the equivalents q c the one nearest to `reference`, in its half space; returns the cosine of half the angle between
 * them. */
double sw_point_group_nearest(const sw_point_group *group, const double reference[4], const double q[4],
                              double nearest[4]);

/* The matrix of rotation number i; of the cube and of others that permute the axes exactly. */
void sw_point_group_matrix(const sw_point_group *group, int i, double g[3][3]);
/* c v, c the group's rotation number i. */
void sw_point_group_turn(const sw_point_group *group, int i, const double v[3], double out[3]);
/* The directions c v, v or -v of each pair once, in the order of the group -> their number. */
int sw_point_group_axes(const sw_point_group *group, const double v[3], double axis[SW_POINT_GROUP_ORDER][3]);

#ifdef __cplusplus
}
#endif
#endif
