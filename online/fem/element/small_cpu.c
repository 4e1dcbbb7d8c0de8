/* Small strains: the strain is the symmetric gradient of the displacement. */
#include "measure.h"

/* ---- Points ---- */

SW_FEM_INLINE int element_points(sw_fem_kinematics k, const sw_fem_view *view,
                                 const sw_fem_material *materials, const sw_fem_states *states, int64_t e,
                                 const double *u, double *force, int accept, int64_t slot, double *tangents)
{
    const int c = sw_fem_components(k), V = sw_fem_corners(k);
    double f[3][8];
    const int count =
        sw_fem_element_state(k, view, materials, states, e, u, force ? f : NULL, accept, slot, tangents);
    for (int a = 0; force && a < V; a++)
        for (int i = 0; i < c; i++)
            force[(int64_t)view->node[e * V + a] * c + i] += f[i][a];
    return count;
}

#define POINTS(name, k)                                                                                    \
    static __attribute__((noinline)) int name##_points(                                                    \
        const sw_fem_view *view, const sw_fem_material *materials, const sw_fem_states *states, int64_t e, \
        const double *u, double *force, int accept, int64_t slot, double *tangents)                        \
    {                                                                                                      \
        return element_points(k, view, materials, states, e, u, force, accept, slot, tangents);            \
    }
SW_FEM_EACH_KINEMATICS(POINTS)

/* ---- Diagonal blocks ---- */

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int c = sw_fem_components(k), V = sw_fem_corners(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_stiffness stiffness[8];
    sw_fem_element_shape(k, view, e, x);
    const int same = sw_fem_element_stiffness(k, view, e, stiffness);
    for (int j = 0; j < V * c; j++) {
        double *at = block + (int64_t)view->node[e * V + j / c] * c * c;
        sw_fem_element_column(k, view, (const double(*)[8])x, stiffness, same, j, column);
        for (int i = 0; i < c; i++)
            at[i * c + j % c] += column[j / c * c + i];
    }
}

#define BLOCKS(name, k)                                                                                    \
    static __attribute__((noinline)) void name##_blocks(const sw_fem_view *view, int64_t e, double *block) \
    {                                                                                                      \
        add_blocks(k, view, e, block);                                                                     \
    }
SW_FEM_EACH_KINEMATICS(BLOCKS)

/* ---- Matrices ---- */

#define MATRIX(name, k)                                                                                     \
    static __attribute__((noinline)) void name##_matrix(const sw_fem_view *view, int64_t e, double *matrix) \
    {                                                                                                       \
        sw_fem_element_matrix(k, view, e, matrix);                                                          \
    }
SW_FEM_EACH_KINEMATICS(MATRIX)

/* ---- Results ---- */

SW_FEM_INLINE void results(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_material *material,
                           const sw_fem_point *point, int64_t e, const double *u, double (*stress)[6],
                           double (*strain)[6], double *volume)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double x[3][8] = {{0}}, h[3][8] = {{0}}, dilatation, total, mean = 0;
    sw_fem_element_shape(k, view, e, x);
    sw_fem_gather(d, view->node + e * V, u, sw_fem_components(k), h);
    if (view->b_bar) {
        sw_fem_dilatation(k, (const double(*)[8])x, (const double(*)[8])h, view->thickness, &dilatation,
                          &total);
        mean = dilatation / total;
    }
    for (int q = 0; q < V; q++) {
        sw_fem_place place = {.volume = 0};
        double whole[6] = {0};
        sw_fem_locate(k, q, (const double(*)[8])x, view->thickness, &place);
        volume[q] = place.volume;
        sw_fem_strain(k, q, &place, (const double(*)[8])h, whole);
        if (view->b_bar)
            sw_fem_dilate(mean, whole);
        sw_fem_stress_at(k, material, whole, &point[q], stress[q], NULL, NULL);
        for (int i = 0; i < 6; i++)
            strain[q][i] = i < 3 ? whole[i] : 0.5 * whole[i];
    }
}

#define RESULTS(name, k)                                                                                \
    static __attribute__((noinline)) void name##_results(                                               \
        const sw_fem_view *view, const sw_fem_material *material, const sw_fem_point *point, int64_t e, \
        const double *u, double(*stress)[6], double(*strain)[6], double *volume)                        \
    {                                                                                                   \
        results(k, view, material, point, e, u, stress, strain, volume);                                \
    }
SW_FEM_EACH_KINEMATICS(RESULTS)

#define POINTS_OF(name, k) [k] = name##_points,
#define BLOCKS_OF(name, k) [k] = name##_blocks,
#define MATRIX_OF(name, k) [k] = name##_matrix,
#define RESULTS_OF(name, k) [k] = name##_results,
const sw_fem_measure sw_fem_small_strain = {.tangent_size = SW_FEM_TANGENT_SIZE,
                                            .steady = 1,
                                            .points = {SW_FEM_EACH_KINEMATICS(POINTS_OF)},
                                            .blocks = {SW_FEM_EACH_KINEMATICS(BLOCKS_OF)},
                                            .matrix = {SW_FEM_EACH_KINEMATICS(MATRIX_OF)},
                                            .results = {SW_FEM_EACH_KINEMATICS(RESULTS_OF)}};
