/* Numbers of a level's nodes. */
#include "online/fem/mesh/lattice.h"
#include "multigrid.h"

/* point (of several the first), and room for fixed, from n_nodes and node. */
sw_status sw_fem_place_nodes(sw_fem_level *l)
{
    SW_TRY(SW_ALLOCATE(l->point, l->n_nodes, "nodes of a level"));
    for (int64_t i = sw_fem_lattice_points(l->n) - 1; i >= 0; i--)
        if (l->node[i] >= 0)
            l->point[l->node[i]] = (int32_t)i;
    return SW_ALLOCATE(l->fixed, l->n_nodes, "nodes of a level");
}

void sw_fem_share_nodes(sw_fem_level *l)
{
    for (int64_t i = 0; i < sw_fem_lattice_points(l->n); i++)
        l->node[i] = l->node[sw_fem_lattice_original(l->n, i)];
}

/* Number the lattice points that `filled` cells touch; node, point and fixed are made. */
sw_status sw_fem_number_level(sw_fem_level *l, int periodic, const uint8_t *filled)
{
    SW_TRY(SW_ALLOCATE(l->node, sw_fem_lattice_points(l->n), "nodes of a level"));
    int64_t point[8];
    for (int64_t cell = 0; cell < sw_fem_lattice_cells(l->n); cell++)
        if (filled[cell]) {
            sw_fem_lattice_corners(l->n, cell, point);
            for (int a = 0; a < 8; a++)
                l->node[point[a]] = 1;
        }
    l->n_nodes = 0;
    for (int64_t i = 0; i < sw_fem_lattice_points(l->n); i++)
        if (!periodic || sw_fem_lattice_original(l->n, i) == i)
            l->node[i] = l->node[i] ? (int32_t)l->n_nodes++ : -1;
    if (periodic)
        sw_fem_share_nodes(l);
    l->n_counted = l->n_nodes;
    l->periodic[0] = l->periodic[1] = l->periodic[2] = periodic;
    return sw_fem_place_nodes(l);
}
