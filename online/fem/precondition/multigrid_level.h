/* One node's share of what multigrid does between and on levels: of vectors of double on the CPU, of any
 * type in C++. */
#ifndef SW_ONLINE_FEM_PRECONDITION_MULTIGRID_LEVEL_H
#define SW_ONLINE_FEM_PRECONDITION_MULTIGRID_LEVEL_H

#include "online/fem/element/element.h"
#include "online/fem/mesh/lattice.h"

#ifdef __cplusplus
#define SW_FEM_ANY_LEVEL template <class sw_fem_level_real>
#else
#define SW_FEM_ANY_LEVEL
typedef double sw_fem_level_real;
#endif

/* Of a level, as in multigrid.h; pointers live on the device. */
typedef struct {
    int32_t n[3];
    int factor[3];
    const int32_t *node, *point, *cell;
    const uint8_t *fixed;
    int n_materials;
    int periodic[3];
} sw_fem_level_map;

/* Place x along direction i, as one from 0 on where the level's ends are one; else itself. */
SW_HD static inline int32_t sw_fem_level_wrap(const sw_fem_level_map *l, int32_t x, int i)
{
    return !l->periodic[i] ? x : x < 0 ? x + l->n[i] : x >= l->n[i] ? x - l->n[i] : x;
}

/* Lattice coordinates of node i. */
SW_HD static inline void sw_fem_level_place(const sw_fem_level_map *l, int64_t i, int32_t at[3])
{
    const int32_t w = l->n[0] + 1, v = l->n[1] + 1;
    at[0] = l->point[i] % w;
    at[1] = l->point[i] / w % v;
    at[2] = l->point[i] / w / v;
}

/* The node at a lattice point, -1 where there is none or beyond the lattice. */
SW_HD static inline int32_t sw_fem_level_node(const sw_fem_level_map *l, int32_t x, int32_t y, int32_t z)
{
    x = sw_fem_level_wrap(l, x, 0);
    y = sw_fem_level_wrap(l, y, 1);
    z = sw_fem_level_wrap(l, z, 2);
    if (x < 0 || y < 0 || z < 0 || x > l->n[0] || y > l->n[1] || z > l->n[2])
        return -1;
    return l->node[sw_fem_lattice_point(l->n, x, y, z)];
}

/* fine [3] at node i = trilinear interpolation of coarse [.][3]. */
SW_FEM_ANY_LEVEL SW_HD static inline void sw_fem_prolong_node(const sw_fem_level_map *f,
                                                              const sw_fem_level_map *c, int64_t i,
                                                              const sw_fem_level_real *coarse,
                                                              sw_fem_level_real *fine)
{
    int32_t at[3];
    int n[3];
    sw_fem_level_real sum[3] = {0, 0, 0};
    sw_fem_level_place(f, i, at);
    for (int j = 0; j < 3; j++)
        n[j] = at[j] % c->factor[j] ? 2 : 1;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                const int64_t node = sw_fem_level_node(c, at[0] / c->factor[0] + x, at[1] / c->factor[1] + y,
                                                       at[2] / c->factor[2] + z);
                for (int j = 0; j < 3; j++)
                    sum[j] += coarse[3 * node + j];
            }
    const sw_fem_level_real weight = (sw_fem_level_real)1 / (sw_fem_level_real)(n[0] * n[1] * n[2]);
    for (int j = 0; j < 3; j++)
        fine[j] = (f->fixed[i] >> j & 1) ? 0 : weight * sum[j];
}

/* The transpose: coarse [3] at coarse node i. */
SW_FEM_ANY_LEVEL SW_HD static inline void sw_fem_restrict_node(const sw_fem_level_map *f,
                                                               const sw_fem_level_map *c, int64_t i,
                                                               const sw_fem_level_real *fine,
                                                               sw_fem_level_real *coarse)
{
    int32_t at[3];
    sw_fem_level_real sum[3] = {0, 0, 0};
    sw_fem_level_place(c, i, at);
    for (int z = 1 - c->factor[2]; z < c->factor[2]; z++)
        for (int y = 1 - c->factor[1]; y < c->factor[1]; y++)
            for (int x = 1 - c->factor[0]; x < c->factor[0]; x++) {
                const int64_t node = sw_fem_level_node(f, at[0] * c->factor[0] + x, at[1] * c->factor[1] + y,
                                                       at[2] * c->factor[2] + z);
                const sw_fem_level_real weight =
                    (sw_fem_level_real)((x ? 0.5 : 1) * (y ? 0.5 : 1) * (z ? 0.5 : 1));
                for (int j = 0; node >= 0 && j < 3; j++)
                    sum[j] += weight * fine[3 * node + j];
            }
    for (int j = 0; j < 3; j++)
        coarse[j] = (c->fixed[i] >> j & 1) ? 0 : sum[j];
}

/* Row `component` of node i of the cells with matrices of their own, times d. */
SW_FEM_ANY_LEVEL SW_HD static inline sw_fem_level_real sw_fem_own_row(const sw_fem_level_map *l, int64_t i,
                                                                      int component,
                                                                      const sw_fem_level_real (*own)[24 * 24],
                                                                      const sw_fem_level_real *d)
{
    int32_t at[3];
    sw_fem_level_real sum = 0;
    sw_fem_level_place(l, i, at);
    for (int side = 0; side < 8; side++) { /* the node is this corner of the cell */
        const int32_t x = at[0] - (side & 1), y = at[1] - (side >> 1 & 1), z = at[2] - (side >> 2);
        if (x < 0 || y < 0 || z < 0 || x >= l->n[0] || y >= l->n[1] || z >= l->n[2])
            continue;
        const int32_t kind = l->cell[sw_fem_lattice_cell(l->n, x, y, z)];
        if (kind < l->n_materials)
            continue;
        const sw_fem_level_real *row =
            own[kind - l->n_materials] + 24 * (3 * sw_fem_corner(side) + component);
        for (int a = 0; a < 8; a++) {
            const int b = sw_fem_corner(a);
            const int64_t node = sw_fem_level_node(l, x + (b & 1), y + (b >> 1 & 1), z + (b >> 2));
            for (int j = 0; j < 3; j++)
                sum += row[3 * a + j] * d[3 * node + j];
        }
    }
    return sum;
}

#endif
