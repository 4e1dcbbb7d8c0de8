/* Shapes of rigid tools: how far a point is from one, and which way is out of it.
 *
 * To add one: its number in slipwave/fem.h, its case here, its name and keys (contact.c, job/tools.c). Then nothing
 * compiles until every switch has it. */
#ifndef SW_ONLINE_FEM_CONTACT_TOOL_H
#define SW_ONLINE_FEM_CONTACT_TOOL_H

#include <math.h>

#include "common/system/device.h"
#include "slipwave/fem.h"

/* Where a point is from a tool. The normal's gradient in space is curvature x (I - n n' - a a') + around x a a'. */
typedef struct {
    double gap;       /* m, negative inside; infinite beyond a plate's edge */
    double normal[3]; /* out of the tool */
    double curvature; /* 1/m, positive where the tool is convex */
    double axis[3];   /* a: a direction with another curvature, or zeros */
    double around;    /* 1/m: that; 0 but of rounded edges */
} sw_fem_tool_place;

/* Around the axis (sphere: the centre) from which the point is `from` away. */
SW_HD static inline void sw_fem_round_tool(const sw_fem_tool *tool, const double from[3],
                                           sw_fem_tool_place *at)
{
    const double side = tool->hollow ? -1 : 1;
    const double distance = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    at->gap = side * (distance - tool->radius);
    at->curvature = distance > 0 ? side / distance : 0;
    for (int i = 0; i < 3; i++)
        at->normal[i] = distance > 0 ? side * from[i] / distance : 0;
}

#ifndef __CUDACC__
/* A plane of direction n with a rounded edge and a wall behind it; x is `along` n and [3] `across` it from its middle. */
static inline void sw_fem_edged_tool(const sw_fem_tool *tool, double along, const double across[3],
                                     sw_fem_tool_place *at)
{
    const double side = tool->hollow ? -1 : 1, *n = tool->direction;
    const double r = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
    const double out = side * (r - tool->radius) + tool->edge,
                 up = along + tool->edge; /* from the round's centre */
    const int round = out > 0 && up > 0, wall = out > 0 && !round;
    const double size = sqrt(out * out + up * up);
    at->gap = round ? size - tool->edge : wall ? out - tool->edge : along;
    at->curvature = round ? 1 / size : wall && r > 0 ? side / r : 0;
    for (int i = 0; i < 3; i++) {
        const double ray = r > 0 ? side * across[i] / r : 0;
        at->normal[i] = round ? (out * ray + up * n[i]) / size : wall ? ray : n[i];
    }
    at->around = round && r > 0 ? side * out / (size * r) : 0;
    for (int i = 0; i < 3 && round && r > 0; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        at->axis[i] = (n[j] * across[k] - n[k] * across[j]) / r;
    }
    for (int i = 0; i < 3 && wall; i++)
        at->axis[i] = n[i];
}
#endif

#ifndef __CUDACC__
void sw_fem_triangles_find(const struct sw_fem_triangles *triangles, const double x[3],
                           sw_fem_tool_place *at); /* triangles.h */
#endif

/* x [3] m from the tool's reference point, wherever that is now. */
SW_HD static inline void sw_fem_tool_find(const sw_fem_tool *tool, const double x[3], sw_fem_tool_place *at)
{
    const double *n = tool->direction;
    const double along = x[0] * n[0] + x[1] * n[1] + x[2] * n[2];
    double across[3], square = 0;
    at->gap = INFINITY;
    at->curvature = at->around = 0;
    for (int i = 0; i < 3; i++) {
        across[i] = x[i] - along * n[i];
        square += across[i] * across[i];
        at->axis[i] = at->normal[i] = 0;
    }
    switch (tool->shape) {
    case SW_FEM_PLANE:
#ifndef __CUDACC__ /* refused there */
        if (tool->edge > 0) {
            sw_fem_edged_tool(tool, along, across, at);
            break;
        }
#endif
        at->gap = tool->radius > 0 && square > tool->radius * tool->radius ? INFINITY : along;
        for (int i = 0; i < 3; i++)
            at->normal[i] = n[i];
        break;
    case SW_FEM_CYLINDER:
        for (int i = 0; i < 3; i++)
            at->axis[i] = n[i];
        sw_fem_round_tool(tool, across, at);
        break;
    case SW_FEM_TRIANGLES:
#ifndef __CUDACC__ /* refused there */
        sw_fem_triangles_find(tool->triangles, x, at);
#endif
        break;
    case SW_FEM_SPHERE:
    case SW_FEM_TOOL_SHAPES:
        sw_fem_round_tool(tool, x, at);
        break;
    }
}

#endif
