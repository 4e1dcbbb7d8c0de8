/* Numbers of a level's nodes. */
#include "common/system/threads.h"
#include "online/fem/mesh/lattice.h"
#include "multigrid.h"

enum { POINT_NS = 3 };

/* The first of the points that have a node, where a part's ends are one. */
static void place_first(sw_fem_level *l)
{
    for (int64_t i = sw_fem_lattice_points(l->n) - 1; i >= 0; i--)
        if (l->node[i] >= 0)
            l->point[l->node[i]] = (int32_t)i;
}

sw_status sw_fem_place_nodes(sw_fem_level *l)
{
    const int64_t n = sw_fem_lattice_points(l->n);
    const int periodic = l->periodic[0] || l->periodic[1] || l->periodic[2];
    SW_TRY(SW_ALLOCATE(l->point, l->n_nodes, "nodes of a level"));
    if (periodic && l->number) {
        place_first(l);
    } else {
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, POINT_NS))
        for (int64_t i = 0; i < n; i++)
            if (l->node[i] >= 0 && (!periodic || sw_fem_lattice_original(l->n, i) == i))
                l->point[l->node[i]] = (int32_t)i;
    }
    return SW_ALLOCATE(l->fixed, l->n_nodes, "nodes of a level");
}

void sw_fem_share_nodes(sw_fem_level *l)
{
    for (int64_t i = 0; i < sw_fem_lattice_points(l->n); i++)
        l->node[i] = l->node[sw_fem_lattice_original(l->n, i)];
}

sw_status sw_fem_number_level(sw_fem_level *l, int periodic)
{
    const int64_t n = sw_fem_lattice_points(l->n);
    SW_TRY(SW_ALLOCATE(l->node, n, "nodes of a level"));
    sw_fem_lattice_touch(l->n, l->cell, l->node);
    for (int64_t i = 0; i < n && periodic; i++)
        if (sw_fem_lattice_original(l->n, i) != i)
            l->node[i] = -1;
    l->n_nodes = sw_fem_lattice_number(n, l->node);
    if (periodic)
        sw_fem_share_nodes(l);
    l->n_counted = l->n_nodes;
    l->periodic[0] = l->periodic[1] = l->periodic[2] = periodic;
    return sw_fem_place_nodes(l);
}
