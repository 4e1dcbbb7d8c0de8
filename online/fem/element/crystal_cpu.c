/* Finite strains with polycrystals. */
#include "general_matrix.h"
#include "crystal_state.h"
#include "measure_cpu.h"

/* ---- Diagonal blocks ---- */

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int width = sw_fem_corners(k) * sw_fem_dimension(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_deformed_shape(k, view, e, x);
    for (int j = 0; j < width; j++) {
        sw_fem_general_column(k, view, e, (const double(*)[8])x, j, column);
        sw_fem_add_block_column(k, view, e, j, column, block);
    }
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

#define FUNCTIONS(name, k)                                                                              \
    SW_FEM_MEASURE_FUNCTIONS(name, k, sw_fem_crystal_state, add_blocks, sw_fem_general_matrix, results) \
    static __attribute__((noinline)) int name##_gradients(const sw_fem_view *view, int64_t e,           \
                                                          const double *from, const double *to)         \
    {                                                                                                   \
        return sw_fem_crystal_gradients(k, view, e, from, to);                                          \
    }
SW_FEM_EACH_FINITE(FUNCTIONS)

#define GRADIENTS_OF(name, k) [k] = name##_gradients,
const sw_fem_measure sw_fem_crystal_strain = {.tangent_size = SW_FEM_GENERAL_SIZE,
                                              .steady = 0,
                                              SW_FEM_MEASURE_TABLE(SW_FEM_EACH_FINITE),
                                              .gradients = {SW_FEM_EACH_FINITE(GRADIENTS_OF)}};
