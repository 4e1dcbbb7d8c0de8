/* Finite strains: logarithmic, equilibrium on the trial geometry. */
#include "finite_matrix.h"
#include "finite_state.h"
#include "measure_cpu.h"

/* ---- Diagonal blocks ---- */

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int width = sw_fem_corners(k) * sw_fem_dimension(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_deformed_shape(k, view, e, x);
    for (int j = 0; j < width; j++) {
        sw_fem_finite_column(k, view, e, (const double(*)[8])x, j, column);
        sw_fem_add_block_column(k, view, e, j, column, block);
    }
}

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

#define FUNCTIONS(name, k) \
    SW_FEM_MEASURE_FUNCTIONS(name, k, sw_fem_finite_state, add_blocks, sw_fem_finite_matrix, results)
SW_FEM_EACH_FINITE(FUNCTIONS)

const sw_fem_measure sw_fem_finite_strain = {
    .tangent_size = SW_FEM_FINITE_SIZE, .steady = 0, SW_FEM_MEASURE_TABLE(SW_FEM_EACH_FINITE)};
