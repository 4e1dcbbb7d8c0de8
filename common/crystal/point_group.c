#include "point_group.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/math/quaternion.h"
#include "common/system/status.h"

#define R 0.70710678118654752440 /* sqrt(1/2) */
#define T 0.86602540378443864676 /* sqrt(3)/2 */

/* Identity and half turns about axes; quarter turns about axes and half turns about <110>; third turns about <111>. */
static const double cubic[24][4] = {
    {1, 0, 0, 0},          {0, 1, 0, 0},           {0, 0, 1, 0},           {0, 0, 0, 1},
    {R, R, 0, 0},          {R, -R, 0, 0},          {R, 0, R, 0},           {R, 0, -R, 0},
    {R, 0, 0, R},          {R, 0, 0, -R},          {0, R, R, 0},           {0, R, -R, 0},
    {0, R, 0, R},          {0, R, 0, -R},          {0, 0, R, R},           {0, 0, R, -R},
    {0.5, 0.5, 0.5, 0.5},  {0.5, 0.5, 0.5, -0.5},  {0.5, 0.5, -0.5, 0.5},  {0.5, 0.5, -0.5, -0.5},
    {0.5, -0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {0.5, -0.5, -0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};

/* Turns about axis 3, and half turns about as many axes across. */
static const double orthorhombic[4][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 0, 0}, {0, 0, 1, 0}};
static const double tetragonal[8][4] = {{1, 0, 0, 0}, {R, 0, 0, R}, {0, 0, 0, 1}, {R, 0, 0, -R},
                                        {0, 1, 0, 0}, {0, R, R, 0}, {0, 0, 1, 0}, {0, R, -R, 0}};
static const double hexagonal[12][4] = {{1, 0, 0, 0},    {T, 0, 0, 0.5},  {0.5, 0, 0, T},  {0, 0, 0, 1},
                                        {0.5, 0, 0, -T}, {T, 0, 0, -0.5}, {0, 1, 0, 0},    {0, T, 0.5, 0},
                                        {0, 0.5, T, 0},  {0, 0, 1, 0},    {0, 0.5, -T, 0}, {0, T, -0.5, 0}};

const sw_point_group sw_point_group_432 = {"432", "cubic", 24, 4, cubic};
const sw_point_group sw_point_group_422 = {"422", "tetragonal", 8, 4, tetragonal};
const sw_point_group sw_point_group_622 = {"622", "hexagonal", 12, 6, hexagonal};
const sw_point_group sw_point_group_222 = {"222", "orthorhombic", 4, 2, orthorhombic};

static const sw_point_group *const groups[] = {&sw_point_group_432, &sw_point_group_422, &sw_point_group_622,
                                               &sw_point_group_222};

sw_status sw_point_group_find(const char *name, const sw_point_group **group)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcmp((*group = groups[i])->name, name) == 0)
            return SW_OK;
    return sw_error(SW_ERR_RANGE, "point group %.40s: need one of 432, 422, 622, 222", name);
}

/* Among the n before it, or opposite to one of them. */
static int is_known(int n, int components, const double *before, const double *v)
{
    for (int k = 0; k < n; k++) {
        double same = 0, opposite = 0;
        for (int i = 0; i < components; i++) {
            same += fabs(before[k * components + i] - v[i]);
            opposite += fabs(before[k * components + i] + v[i]);
        }
        if (fmin(same, opposite) < 1e-9)
            return 1;
    }
    return 0;
}

int sw_point_group_sizes(const sw_point_group *group, double size[SW_POINT_GROUP_SIZES][4])
{
    int count = 0;
    for (int i = 0; i < group->order; i++) {
        const double *c = group->q[i], one[4] = {fabs(c[0]), fabs(c[1]), fabs(c[2]), fabs(c[3])};
        if (!is_known(count, 4, size[0], one))
            memcpy(size[count++], one, sizeof one);
    }
    return count;
}

double sw_point_group_nearest(const sw_point_group *group, const double reference[4], const double q[4],
                              double nearest[4])
{
    const double back[4] = {reference[0], -reference[1], -reference[2], -reference[3]};
    double between[4], most = -1, sign = 1;
    int best = 0;
    sw_quaternion_product(back, q, between);
    for (int i = 0; i < group->order; i++) {
        const double *c = group->q[i];
        const double cosine = between[0] * c[0] - between[1] * c[1] - between[2] * c[2] - between[3] * c[3];
        if (fabs(cosine) > most) {
            most = fabs(cosine);
            sign = cosine < 0 ? -1 : 1;
            best = i;
        }
    }
    sw_quaternion_product(q, group->q[best], nearest);
    for (int i = 0; i < 4; i++)
        nearest[i] *= sign;
    return most;
}

void sw_point_group_matrix(const sw_point_group *group, int i, double g[3][3])
{
    sw_rotation_from_quaternion(group->q[i], g);
    for (int k = 0; k < 9; k++) {
        const double halves = 0.5 * rint(2 * g[k / 3][k % 3]);
        if (fabs(g[k / 3][k % 3] - halves) < 1e-12)
            g[k / 3][k % 3] = halves;
    }
}

void sw_point_group_turn(const sw_point_group *group, int i, const double v[3], double out[3])
{
    double g[3][3];
    sw_point_group_matrix(group, i, g);
    for (int r = 0; r < 3; r++)
        out[r] = g[r][0] * v[0] + g[r][1] * v[1] + g[r][2] * v[2];
}

int sw_point_group_axes(const sw_point_group *group, const double v[3], double axis[SW_POINT_GROUP_ORDER][3])
{
    int count = 0;
    for (int i = 0; i < group->order; i++) {
        sw_point_group_turn(group, i, v, axis[count]);
        count += !is_known(count, 3, axis[0], axis[count]);
    }
    return count;
}
