/* Finite strains: logarithmic, equilibrium on the trial geometry. */
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

/* ---- Matrices and their diagonal blocks ---- */

/* The element's geometry under the view's tangent, and its points' tangents. */
SW_FEM_INLINE void load_element(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double (*x)[8],
                                double (*tangent)[SW_FEM_FINITE_SIZE])
{
    const int d = sw_fem_dimension(k), Q = sw_fem_corners(k);
    sw_fem_gather(d, view->node + e * Q, view->at, d, x);
    for (int q = 0; q < Q; q++)
        for (int i = 0; i < SW_FEM_FINITE_SIZE; i++)
            tangent[q][i] = view->tangent[(i * Q + q) * view->n_plastic + view->slot[e]];
}

/* Column j of the element's matrix: column [V d]. */
SW_FEM_INLINE void element_column(sw_fem_kinematics k, const sw_fem_view *view, const double (*x)[8],
                                  const double *tangent, int j, double *column)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double u[3][8] = {{0}}, f[3][8], at[8] = {0};
    at[j / d] = 1;
    sw_fem_coefficients(d, at, u[j % d]);
    sw_fem_finite_product(k, view->b_bar, view->thickness, x, (const double(*)[8])u, tangent, f);
    for (int i = 0; i < d; i++) {
        sw_fem_coefficients_back(d, f[i], at);
        for (int a = 0; a < V; a++)
            column[a * d + i] = at[a];
    }
}

SW_FEM_INLINE void element_matrix(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *matrix)
{
    const int width = sw_fem_corners(k) * sw_fem_dimension(k);
    double x[3][8] = {{0}}, tangent[8][SW_FEM_FINITE_SIZE], column[SW_FEM_MOST_WIDTH];
    load_element(k, view, e, x, tangent);
    for (int j = 0; j < width; j++) {
        element_column(k, view, (const double(*)[8])x, tangent[0], j, column);
        for (int i = 0; i < width; i++)
            matrix[i * width + j] = column[i];
    }
}

#define MATRIX(name, k)                                                                                     \
    static __attribute__((noinline)) void name##_matrix(const sw_fem_view *view, int64_t e, double *matrix) \
    {                                                                                                       \
        element_matrix(k, view, e, matrix);                                                                 \
    }
SW_FEM_EACH_FINITE(MATRIX)

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int d = sw_fem_dimension(k), V = sw_fem_corners(k);
    double x[3][8] = {{0}}, tangent[8][SW_FEM_FINITE_SIZE], column[SW_FEM_MOST_WIDTH];
    load_element(k, view, e, x, tangent);
    for (int j = 0; j < V * d; j++) {
        double *to = block + (int64_t)view->node[e * V + j / d] * d * d;
        element_column(k, view, (const double(*)[8])x, tangent[0], j, column);
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
#define MATRIX_OF(name, k) [k] = name##_matrix,
#define BLOCKS_OF(name, k) [k] = name##_blocks,
#define RESULTS_OF(name, k) [k] = name##_results,
const sw_fem_measure sw_fem_finite_strain = {.tangent_size = SW_FEM_FINITE_SIZE,
                                             .steady = 0,
                                             .points = {SW_FEM_EACH_FINITE(POINTS_OF)},
                                             .matrix = {SW_FEM_EACH_FINITE(MATRIX_OF)},
                                             .blocks = {SW_FEM_EACH_FINITE(BLOCKS_OF)},
                                             .results = {SW_FEM_EACH_FINITE(RESULTS_OF)}};
