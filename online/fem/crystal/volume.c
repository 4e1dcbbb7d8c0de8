/* How much of a body elements are, by which their crystals count in means. */
#include "online/fem/element/element_matrix.h"

SW_FEM_INLINE double volume_of(sw_fem_kinematics k, const sw_fem_problem *p, int64_t e)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double x[3][8], volume = 0;
    sw_fem_gather(d, p->mesh->node + e * V, p->mesh->position, d, x);
    for (int q = 0; q < V; q++) {
        sw_fem_place place;
        sw_fem_locate(k, q, (const double(*)[8])x, p->thickness, &place);
        volume += place.volume;
    }
    return volume;
}

double sw_fem_element_volume(const sw_fem_problem *p, int64_t e)
{
    return SW_FEM_WITH(p->kinematics, volume_of, p, e);
}
