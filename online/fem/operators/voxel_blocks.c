#include "online/fem/element/element_matrix.h"
#include "voxel_product.h"

void sw_fem_box_matrix(const double size[3], double bulk, double shear, int b_bar, double *matrix)
{
    double position[24];
    int32_t node[8];
    const uint8_t material = 0;
    const int32_t slot = -1;
    for (int a = 0; a < 8; a++) {
        node[a] = a;
        for (int i = 0; i < 3; i++)
            position[3 * a + i] = (sw_fem_corner(a) >> i & 1) * size[i];
    }
    const sw_fem_view box = {.kinematics = SW_FEM_SOLID,
                             .b_bar = b_bar,
                             .n_nodes = 8,
                             .n_elements = 1,
                             .position = position,
                             .node = node,
                             .material_of = &material,
                             .bulk = &bulk,
                             .shear = &shear,
                             .slot = &slot};
    sw_fem_element_matrix(SW_FEM_SOLID, &box, 0, matrix);
}

void sw_fem_blocks_of(const double *matrix, sw_fem_walsh_blocks *blocks)
{
    /* S = H K H' / 64, both sides by columns; unknowns by component, then corner. */
    double by_corner[24][24], row[8];
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            by_corner[i % 3 * 8 + sw_fem_corner(i / 3)][j % 3 * 8 + sw_fem_corner(j / 3)] =
                matrix[24 * i + j];
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 24; i++)
            for (int component = 0; component < 3; component++) {
                for (int m = 0; m < 8; m++)
                    row[m] = side ? by_corner[component * 8 + m][i] : by_corner[i][component * 8 + m];
                sw_fem_walsh(3, row);
                for (int m = 0; m < 8; m++)
                    *(side ? &by_corner[component * 8 + m][i] : &by_corner[i][component * 8 + m]) =
                        row[m] / 8;
            }
    for (int m = 0; m < 8; m++) {
        const int at[3] = {m ^ 1, 8 + (m ^ 2), 16 + (m ^ 4)};
        for (int i = 0; i < 6; i++)
            blocks->block[m][i] = by_corner[at[sw_six_row(i)]][at[sw_six_column(i)]];
    }
}
