/* Rotations that leave a crystal as it is: q and q c are the same orientation for each rotation c of its group. */
#ifndef SW_COMMON_CRYSTAL_POINT_GROUP_H
#define SW_COMMON_CRYSTAL_POINT_GROUP_H

#include "slip_systems.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name; /* Hermann and Mauguin's */
    int order;
    const double (*q)[4]; /* [order] unit quaternions w x y z, one of each pair q, -q; the identity first */
} sw_point_group;

enum { SW_POINT_GROUP_ORDER = 24 }; /* at most */

extern const sw_point_group sw_point_group_432; /* cubic */

const sw_point_group *sw_point_group_of(sw_crystal_structure structure);

#ifdef __cplusplus
}
#endif
#endif
