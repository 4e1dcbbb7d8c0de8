/* The products of a box: all elements of a voxel mesh of one material are one.
 *
 * Elastic. A box has three mirror planes. In the basis of Walsh functions its matrix couples the mode m ^ 1
 * of u_x, m ^ 2 of u_y and m ^ 4 of u_z only with each other (they share the parity m under the three
 * mirrors), so the 24 x 24 matrix falls into eight symmetric 3 x 3 blocks: 72 multiply-adds and 144 additions
 * instead of 576 multiply-adds, and 48 numbers for any material, B-bar or not.
 *
 * Plastic. Reference gradients are gradients but for the sides' lengths: no Jacobian.
 *
 * In sw_real of common/math/lanes.h. */
#ifndef SW_ONLINE_FEM_OPERATORS_VOXEL_PRODUCT_H
#define SW_ONLINE_FEM_OPERATORS_VOXEL_PRODUCT_H

#include "online/fem/backend/backend.h"
#include "online/fem/element/element.h"

/* Blocks by parity: xx yy zz yz xz xy. */
typedef struct {
    double block[8][6];
} sw_fem_walsh_blocks;

#ifdef __cplusplus
extern "C" {
#endif
/* Of a box's matrix [24][24], in local order; one that mirrors do not leave alone would lose its couplings.
 */
void sw_fem_blocks_of(const double *matrix, sw_fem_walsh_blocks *blocks);
/* The matrix of one elastic box of this material and size, m. */
void sw_fem_box_matrix(const double size[3], double bulk, double shear, int b_bar, double *matrix);
#ifdef __cplusplus
}
#endif

/* u [3][8] by corner to forces by corner, in place. `real`: the type of the blocks. */
#define SW_FEM_WALSH_PRODUCT(real, blocks, u)                                            \
    do {                                                                                 \
        SW_UNROLL                                                                        \
        for (int i_ = 0; i_ < 3; i_++)                                                   \
            sw_fem_walsh(3, (u)[i_]);                                                    \
        SW_UNROLL                                                                        \
        for (int m_ = 0; m_ < 8; m_++) {                                                 \
            const real *b_ = (blocks)[m_];                                               \
            const sw_real x_ = (u)[0][m_ ^ 1], y_ = (u)[1][m_ ^ 2], z_ = (u)[2][m_ ^ 4]; \
            (u)[0][m_ ^ 1] = b_[0] * x_ + b_[5] * y_ + b_[4] * z_;                       \
            (u)[1][m_ ^ 2] = b_[5] * x_ + b_[1] * y_ + b_[3] * z_;                       \
            (u)[2][m_ ^ 4] = b_[4] * x_ + b_[3] * y_ + b_[2] * z_;                       \
        }                                                                                \
        SW_UNROLL                                                                        \
        for (int i_ = 0; i_ < 3; i_++)                                                   \
            sw_fem_walsh_back(3, (u)[i_]);                                               \
    } while (0)

/* Tangents of the elements in the lanes: [Q][6] ratio and flow, each as wide as the lanes; NULL: elastic. */
typedef struct {
    const sw_real *tangent;
    sw_real bulk, shear;
} sw_fem_lane_tangents;

SW_FEM_INLINE void sw_fem_load_stiffness(const sw_fem_lane_tangents *from, int q, sw_fem_stiffness *s)
{
    s->bulk = from->bulk;
    s->shear = from->shear;
    s->ratio = from->tangent ? from->tangent[6 * q] : sw_broadcast(1.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        s->flow[i] = from->tangent ? from->tangent[6 * q + 1 + i] : sw_broadcast(0.0);
}

/* Coefficients of displacements u [3][8] (sw_fem_coefficients) to those of forces f, of boxes with sides
 * `size` (m). */
SW_FEM_INLINE void sw_fem_box_product(int b_bar, const double size[3], const sw_fem_lane_tangents *from,
                                      const sw_real (*u)[8], sw_real (*f)[8])
{
    const double over[3] = {2 / size[0], 2 / size[1], 2 / size[2]};
    const double volume = size[0] * size[1] * size[2] / 8;
    /* The mean dilatation of a box is that of the linear modes. */
    const sw_real mean =
        sw_broadcast(over[0]) * u[0][1] + sw_broadcast(over[1]) * u[1][2] + sw_broadcast(over[2]) * u[2][4];
    sw_real pressure = sw_broadcast(0.0);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        SW_UNROLL
    for (int m = 0; m < 8; m++)
        f[i][m] = sw_broadcast(0.0);
    SW_UNROLL
    for (int q = 0; q < 8; q++) {
        sw_fem_stiffness stiffness;
        sw_real g[3][3], strain[6], stress[6];
        sw_fem_load_stiffness(from, q, &stiffness);
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            sw_fem_gradient(3, q, u[i], g[i]);
            SW_UNROLL
            for (int j = 0; j < 3; j++)
                g[i][j] *= sw_broadcast(over[j]);
        }
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            strain[i] = g[i][i];
            strain[3 + i] = g[(i + 1) % 3][(i + 2) % 3] + g[(i + 2) % 3][(i + 1) % 3];
        }
        if (b_bar)
            sw_fem_dilate(mean, strain);
        sw_fem_stiffness_apply(&stiffness, strain, stress);
        if (b_bar)
            pressure += sw_fem_take_pressure(stress);
        SW_UNROLL
        for (int i = 0; i < 6; i++)
            stress[i] *= sw_broadcast(volume);
        const int at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            sw_real r[3];
            SW_UNROLL
            for (int j = 0; j < 3; j++)
                r[j] = sw_broadcast(over[j]) * stress[at[i][j]];
            sw_fem_gradient_back(3, q, r, f[i]);
        }
    }
    if (b_bar)
        SW_UNROLL
    for (int i = 0; i < 3; i++)
        f[i][1 << i] += pressure * sw_broadcast(volume * over[i]);
}

#endif
