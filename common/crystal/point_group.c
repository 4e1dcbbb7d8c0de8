#include "point_group.h"

/* Identity and half turns about axes; quarter turns about axes and half turns about <110>; third turns about <111>. */
#define R 0.70710678118654752440
static const double cubic[24][4] = {
    {1, 0, 0, 0},          {0, 1, 0, 0},           {0, 0, 1, 0},           {0, 0, 0, 1},
    {R, R, 0, 0},          {R, -R, 0, 0},          {R, 0, R, 0},           {R, 0, -R, 0},
    {R, 0, 0, R},          {R, 0, 0, -R},          {0, R, R, 0},           {0, R, -R, 0},
    {0, R, 0, R},          {0, R, 0, -R},          {0, 0, R, R},           {0, 0, R, -R},
    {0.5, 0.5, 0.5, 0.5},  {0.5, 0.5, 0.5, -0.5},  {0.5, 0.5, -0.5, 0.5},  {0.5, 0.5, -0.5, -0.5},
    {0.5, -0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}, {0.5, -0.5, -0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};
#undef R

const sw_point_group sw_point_group_432 = {"432", 24, cubic};

const sw_point_group *sw_point_group_of(sw_crystal_structure structure)
{
    switch (structure) {
    case SW_FCC:
    case SW_BCC:
    case SW_BCC24:
    case SW_BCC48:
    case SW_CRYSTAL_STRUCTURES:
        break;
    }
    return &sw_point_group_432;
}
