/* Finite strains with polycrystals. */
#include "general_matrix.h"
#include "crystal_state.h"
#include "measure.h"

/* ---- Points ---- */

SW_FEM_INLINE int element_points(sw_fem_kinematics k, const sw_fem_view *view,
                                 const sw_fem_material *materials, const sw_fem_states *states, int64_t e,
                                 const double *u, double *force, int accept, int64_t slot, double *tangents)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double f[3][8];
    const int count =
        sw_fem_crystal_state(k, view, materials, states, e, u, force ? f : NULL, accept, slot, tangents);
    for (int a = 0; force && count >= 0 && a < V; a++)
        for (int i = 0; i < d; i++)
            force[(int64_t)view->node[e * V + a] * d + i] += f[i][a];
    return count;
}

/* ---- Results ---- */

/* Of accepted points nothing need respond. */
SW_FEM_INLINE void results(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_material *material,
                           const sw_fem_point *point, int64_t e, const double *u, double (*stress)[6],
                           double (*strain)[6], double *volume)
{
    const int Q = sw_fem_corners(k);
    sw_fem_deformed at;
    if (!material->crystals) {
        sw_fem_finite_strain.results[k](view, material, point, e, u, stress, strain, volume);
        return;
    }
    (void)sw_fem_deform(k, view, e, u, &at); /* it was accepted */
    for (int q = 0; q < Q; q++) {
        double h[3][3], slope;
        sw_fem_deformation(k, view, &at, q, 0, h);
        sw_fem_logarithmic_strain((const double(*)[3])h, strain[q]);
        const double pressure =
            sw_fem_bulk_pressure(sw_fem_bulk(material), sw_fem_volume_ratio(&at, q, view->b_bar), &slope);
        for (int i = 0; i < 6; i++)
            stress[q][i] = point[q].stress[i] + (i < 3 ? pressure : 0);
        volume[q] = at.volume[q];
    }
}

/* ---- For each kinematics ---- */

#define FUNCTIONS(name, k)                                                                                  \
    static __attribute__((noinline)) int name##_points(                                                     \
        const sw_fem_view *view, const sw_fem_material *materials, const sw_fem_states *states, int64_t e,  \
        const double *u, double *force, int accept, int64_t slot, double *tangents)                         \
    {                                                                                                       \
        return element_points(k, view, materials, states, e, u, force, accept, slot, tangents);             \
    }                                                                                                       \
    static __attribute__((noinline)) int name##_gradients(const sw_fem_view *view, int64_t e,               \
                                                          const double *from, const double *to)             \
    {                                                                                                       \
        return sw_fem_crystal_gradients(k, view, e, from, to);                                              \
    }                                                                                                       \
    static __attribute__((noinline)) void name##_blocks(const sw_fem_view *view, int64_t e, double *block)  \
    {                                                                                                       \
        sw_fem_general_blocks(k, view, e, block);                                                           \
    }                                                                                                       \
    static __attribute__((noinline)) void name##_matrix(const sw_fem_view *view, int64_t e, double *matrix) \
    {                                                                                                       \
        sw_fem_general_matrix(k, view, e, matrix);                                                          \
    }                                                                                                       \
    static __attribute__((noinline)) void name##_results(                                                   \
        const sw_fem_view *view, const sw_fem_material *material, const sw_fem_point *point, int64_t e,     \
        const double *u, double(*stress)[6], double(*strain)[6], double *volume)                            \
    {                                                                                                       \
        results(k, view, material, point, e, u, stress, strain, volume);                                    \
    }
SW_FEM_EACH_FINITE(FUNCTIONS)

#define POINTS_OF(name, k) [k] = name##_points,
#define GRADIENTS_OF(name, k) [k] = name##_gradients,
#define BLOCKS_OF(name, k) [k] = name##_blocks,
#define MATRIX_OF(name, k) [k] = name##_matrix,
#define RESULTS_OF(name, k) [k] = name##_results,
const sw_fem_measure sw_fem_crystal_strain = {.tangent_size = SW_FEM_GENERAL_SIZE,
                                              .steady = 0,
                                              .points = {SW_FEM_EACH_FINITE(POINTS_OF)},
                                              .blocks = {SW_FEM_EACH_FINITE(BLOCKS_OF)},
                                              .matrix = {SW_FEM_EACH_FINITE(MATRIX_OF)},
                                              .results = {SW_FEM_EACH_FINITE(RESULTS_OF)},
                                              .gradients = {SW_FEM_EACH_FINITE(GRADIENTS_OF)}};
