/* The pattern of an assembled matrix: which nodes meet in an element. Written once for both devices.
 *
 * Dimensions: N nodes, E elements, V nodes of an element. */
#ifndef SW_ONLINE_FEM_ASSEMBLY_PATTERN_H
#define SW_ONLINE_FEM_ASSEMBLY_PATTERN_H

#include "online/fem/element/element_matrix.h"

/* Elements around nodes: element V + local node, ascending. */
typedef struct {
    const uint32_t *first; /* [N + 1] */
    const uint32_t *at;    /* [E V] */
} sw_fem_around;

/* Place of `value` in ascending list [n], or where it would come. */
SW_FEM_INLINE int64_t sw_fem_find(const int32_t *list, int64_t n, int32_t value)
{
    int64_t low = 0;
    while (low < n) {
        const int64_t middle = (low + n) / 2;
        if (list[middle] < value)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

/* Nodes that share an element with `node`, itself too. */
SW_FEM_INLINE int64_t sw_fem_count_neighbours(int V, const int32_t *node_of, sw_fem_around around,
                                              int64_t node)
{
    const uint32_t first = around.first[node], end = around.first[node + 1];
    int64_t n = 0;
    for (uint32_t k = first; k < end; k++)
        for (int b = 0; b < V; b++) {
            const int32_t other = node_of[around.at[k] / V * (int64_t)V + b];
            int seen = 0;
            for (uint32_t l = first; l < k && !seen; l++)
                for (int a = 0; a < V; a++)
                    seen |= node_of[around.at[l] / V * (int64_t)V + a] == other;
            n += !seen;
        }
    return n;
}

/* They, ascending, into list. */
SW_FEM_INLINE void sw_fem_list_neighbours(int V, const int32_t *node_of, sw_fem_around around, int64_t node,
                                          int32_t *list)
{
    int64_t n = 0;
    for (uint32_t k = around.first[node]; k < around.first[node + 1]; k++)
        for (int b = 0; b < V; b++) {
            const int32_t other = node_of[around.at[k] / V * (int64_t)V + b];
            const int64_t place = sw_fem_find(list, n, other);
            if (place < n && list[place] == other)
                continue;
            for (int64_t i = n++; i > place; i--)
                list[i] = list[i - 1];
            list[place] = other;
        }
}

/* Local nodes' places in each other's neighbours, [V][V]: Fig. 3.2e; 16 bits each. Returns whether they
 * fit. */
SW_FEM_INLINE int sw_fem_positions(int V, const int32_t *node, const int64_t *first, const int32_t *neighbour,
                                   uint16_t *position)
{
    int fits = 1;
    for (int a = 0; a < V; a++)
        for (int b = 0; b < V; b++) {
            const int64_t at = first[node[a]], n = first[node[a] + 1] - at;
            const int64_t place = sw_fem_find(neighbour + at, n, node[b]);
            fits &= place <= UINT16_MAX;
            position[a * V + b] = (uint16_t)place;
        }
    return fits;
}

#endif
