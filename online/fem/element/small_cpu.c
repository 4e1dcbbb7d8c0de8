/* Small strains: the strain is the symmetric gradient of the displacement. */
#include "measure_cpu.h"

/* ---- Diagonal blocks ---- */

SW_FEM_INLINE void add_blocks(sw_fem_kinematics k, const sw_fem_view *view, int64_t e, double *block)
{
    const int width = sw_fem_corners(k) * sw_fem_components(k);
    double x[3][8] = {{0}}, column[24];
    sw_fem_stiffness stiffness[8];
    sw_fem_element_shape(k, view, e, x);
    const int same = sw_fem_element_stiffness(k, view, e, stiffness);
    for (int j = 0; j < width; j++) {
        sw_fem_element_column(k, view, (const double(*)[8])x, stiffness, same, j, column);
        sw_fem_add_block_column(k, view, e, j, column, block);
    }
}

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

#define FUNCTIONS(name, k) \
    SW_FEM_MEASURE_FUNCTIONS(name, k, sw_fem_element_state, add_blocks, sw_fem_element_matrix, results)
SW_FEM_EACH_KINEMATICS(FUNCTIONS)

const sw_fem_measure sw_fem_small_strain = {
    .tangent_size = SW_FEM_TANGENT_SIZE, .steady = 1, SW_FEM_MEASURE_TABLE(SW_FEM_EACH_KINEMATICS)};
