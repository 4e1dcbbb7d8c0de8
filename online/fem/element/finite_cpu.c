/* Finite strains: logarithmic, equilibrium on the trial geometry. */
#include "finite_matrix.h"
#include "finite_state.h"
#include "measure.h"

/* ---- Points ---- */

SW_FEM_INLINE int element_points(sw_fem_kinematics k, const sw_fem_view *view,
                                 const sw_fem_material *materials, const sw_fem_states *states, int64_t e,
                                 const double *u, double *force, int accept, int64_t slot, double *tangents)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double f[3][8];
    const int count =
        sw_fem_finite_state(k, view, materials, states, e, u, force ? f : NULL, accept, slot, tangents);
    for (int a = 0; force && count >= 0 && a < V; a++)
        for (int i = 0; i < d; i++)
            force[(int64_t)view->node[e * V + a] * d + i] += f[i][a];
    return count;
}

#define POINTS(name, k)                                                                                    \
    static __attribute__((noinline)) int name##_points(                                                    \
        const sw_fem_view *view, const sw_fem_material *materials, const sw_fem_states *states, int64_t e, \
        const double *u, double *force, int accept, int64_t slot, double *tangents)                        \
    {                                                                                                      \
        return element_points(k, view, materials, states, e, u, force, accept, slot, tangents);            \
    }
SW_FEM_EACH_FINITE(POINTS)

/* ---- Diagonal blocks ---- */

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_deformed_shape(k, view, e, x);
    for (int j = 0; j < V * d; j++) {
        double *to = block + (int64_t)view->node[e * V + j / d] * d * d;
        sw_fem_finite_column(k, view, e, (const double(*)[8])x, j, column);
        for (int i = 0; i < d; i++)
            to[i * d + j % d] += column[j / d * d + i];
    }
}

#define BLOCKS(name, k)                                                                                    \
    static __attribute__((noinline)) void name##_blocks(const sw_fem_view *view, int64_t e, double *block) \
    {                                                                                                      \
        add_blocks(k, view, e, block);                                                                     \
    }
SW_FEM_EACH_FINITE(BLOCKS)

/* ---- Matrices ---- */

#define MATRIX(name, k)                                                                                     \
    static __attribute__((noinline)) void name##_matrix(const sw_fem_view *view, int64_t e, double *matrix) \
    {                                                                                                       \
        sw_fem_finite_matrix(k, view, e, matrix);                                                           \
    }
SW_FEM_EACH_FINITE(MATRIX)

/* ---- Results ---- */

/* Cauchy stresses as equilibrium has them; strains ln V of the displacement itself. */
SW_FEM_INLINE void results(sw_fem_kinematics k, const sw_fem_view *view, const sw_fem_material *material,
                           const sw_fem_point *point, int64_t e, const double *u, double (*stress)[6],
                           double (*strain)[6], double *volume)
{
    const int Q = sw_fem_corners(k);
    sw_fem_deformed at;
    (void)sw_fem_deform(k, view, e, u, &at); /* it was accepted */
    for (int q = 0; q < Q; q++) {
        double h[3][3];
        sw_fem_deformation(k, view, &at, q, 0, h);
        sw_fem_logarithmic_strain((const double(*)[3])h, strain[q]);
        sw_fem_deformation(k, view, &at, q, view->b_bar, h);
        sw_fem_finite_return(material, (const double(*)[3])h, &point[q], stress[q], NULL, NULL);
        volume[q] = at.volume[q];
    }
    sw_fem_make_cauchy(Q, view->b_bar, &at, stress);
}

#define RESULTS(name, k)                                                                                \
    static __attribute__((noinline)) void name##_results(                                               \
        const sw_fem_view *view, const sw_fem_material *material, const sw_fem_point *point, int64_t e, \
        const double *u, double(*stress)[6], double(*strain)[6], double *volume)                        \
    {                                                                                                   \
        results(k, view, material, point, e, u, stress, strain, volume);                                \
    }
SW_FEM_EACH_FINITE(RESULTS)

#define POINTS_OF(name, k) [k] = name##_points,
#define BLOCKS_OF(name, k) [k] = name##_blocks,
#define MATRIX_OF(name, k) [k] = name##_matrix,
#define RESULTS_OF(name, k) [k] = name##_results,
const sw_fem_measure sw_fem_finite_strain = {.tangent_size = SW_FEM_FINITE_SIZE,
                                             .steady = 0,
                                             .points = {SW_FEM_EACH_FINITE(POINTS_OF)},
                                             .blocks = {SW_FEM_EACH_FINITE(BLOCKS_OF)},
                                             .matrix = {SW_FEM_EACH_FINITE(MATRIX_OF)},
                                             .results = {SW_FEM_EACH_FINITE(RESULTS_OF)}};
