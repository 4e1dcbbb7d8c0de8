/* The functions of a strain measure for each of its kinematics, every one a function of its own with the kinematics as a
 * constant, and their table. With SW_LANES 1. */
#ifndef SW_ONLINE_FEM_ELEMENT_MEASURE_CPU_H
#define SW_ONLINE_FEM_ELEMENT_MEASURE_CPU_H

#include "gather.h"
#include "measure.h"

/* f [c][V] at an element's nodes, added to force [N c]. */
SW_FEM_INLINE void sw_fem_add_forces(sw_fem_kinematics k, const sw_fem_view *view, int64_t e,
                                     const double (*f)[8], double *force)
{
    const int c = sw_fem_components(k), V = sw_fem_corners(k);
    for (int a = 0; a < V; a++)
        for (int i = 0; i < c; i++)
            force[(int64_t)view->node[e * V + a] * c + i] += f[i][a];
}

/* column [V c] of unknown j of an element: its part on j's own node, added to block [N][c][c]. */
SW_FEM_INLINE void sw_fem_add_block_column(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, int j,
                                           const double *column, double *block)
{
    const int c = sw_fem_components(k), V = sw_fem_corners(k);
    double *to = block + (int64_t)view->node[e * V + j / c] * c * c;
    for (int i = 0; i < c; i++)
        to[i * c + j % c] += column[j / c * c + i];
}

/* name##_points, _blocks, _matrix and _results of inline functions, which take k before what measure.h says; state: as
 * sw_fem_element_state. */
#define SW_FEM_MEASURE_FUNCTIONS(name, k, state, make_blocks, make_matrix, make_results)                     \
    static __attribute__((noinline)) int name##_points(                                                      \
        const sw_fem_view *view, const sw_fem_material *materials, const sw_fem_states *states, int64_t e,   \
        const double *u, double *force, int accept, int64_t slot, double *tangents)                          \
    {                                                                                                        \
        double f[3][8];                                                                                      \
        const int count = state(k, view, materials, states, e, u, force ? f : NULL, accept, slot, tangents); \
        if (force && count >= 0)                                                                             \
            sw_fem_add_forces(k, view, e, (const double(*)[8])f, force);                                     \
        return count;                                                                                        \
    }                                                                                                        \
    static __attribute__((noinline)) void name##_blocks(const sw_fem_view *view, int64_t e, double *block)   \
    {                                                                                                        \
        make_blocks(k, view, e, block);                                                                      \
    }                                                                                                        \
    static __attribute__((noinline)) void name##_matrix(const sw_fem_view *view, int64_t e, double *matrix)  \
    {                                                                                                        \
        make_matrix(k, view, e, matrix);                                                                     \
    }                                                                                                        \
    static __attribute__((noinline)) void name##_results(                                                    \
        const sw_fem_view *view, const sw_fem_material *material, const sw_fem_point *point, int64_t e,      \
        const double *u, double(*stress)[6], double(*strain)[6], double *volume)                             \
    {                                                                                                        \
        make_results(k, view, material, point, e, u, stress, strain, volume);                                \
    }

#define SW_FEM_POINTS_OF(name, k) [k] = name##_points,
#define SW_FEM_BLOCKS_OF(name, k) [k] = name##_blocks,
#define SW_FEM_MATRIX_OF(name, k) [k] = name##_matrix,
#define SW_FEM_RESULTS_OF(name, k) [k] = name##_results,
#define SW_FEM_MEASURE_TABLE(EACH)                                          \
    .points = {EACH(SW_FEM_POINTS_OF)}, .blocks = {EACH(SW_FEM_BLOCKS_OF)}, \
    .matrix = {EACH(SW_FEM_MATRIX_OF)}, .results = {EACH(SW_FEM_RESULTS_OF)}

#endif
