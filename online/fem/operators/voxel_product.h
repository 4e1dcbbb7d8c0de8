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
/* Of a box's matrix [24][24], in local order; one that mirrors do not leave alone would lose its
 * couplings. */
void sw_fem_blocks_of(const double *matrix, sw_fem_walsh_blocks *blocks);
/* The matrix of one elastic box of this material and size, m. */
void sw_fem_box_matrix(const double size[3], double bulk, double shear, int b_bar, double *matrix);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#define SW_FEM_BLOCK sw_real
#else
#define SW_FEM_BLOCK double /* the same in all lanes */
#endif

/* u [3][8] by corner to forces by corner, in place. */
SW_FEM_ANY_REAL SW_FEM_INLINE void sw_fem_walsh_product(const SW_FEM_BLOCK (*block)[6], sw_real (*u)[8])
{
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        sw_fem_walsh(3, u[i]);
    SW_UNROLL
    for (int m = 0; m < 8; m++) {
        const SW_FEM_BLOCK *b = block[m];
        const sw_real x = u[0][m ^ 1], y = u[1][m ^ 2], z = u[2][m ^ 4];
        u[0][m ^ 1] = b[0] * x + b[5] * y + b[4] * z;
        u[1][m ^ 2] = b[5] * x + b[1] * y + b[3] * z;
        u[2][m ^ 4] = b[4] * x + b[3] * y + b[2] * z;
    }
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        sw_fem_walsh_back(3, u[i]);
}

/* Of the elements in the lanes. */
typedef struct {
    const sw_real *tangent; /* [Q][SW_FEM_TANGENT_SIZE] ratio and flow; NULL: elastic */
    sw_real bulk, shear;
} sw_fem_lane_tangents;

SW_FEM_INLINE void sw_fem_load_stiffness(const sw_fem_lane_tangents *from, int q, sw_fem_stiffness *s)
{
    s->bulk = from->bulk;
    s->shear = from->shear;
    s->ratio = from->tangent ? from->tangent[SW_FEM_TANGENT_SIZE * q] : sw_broadcast(1.0);
    SW_UNROLL
    for (int i = 0; i < 5; i++)
        s->flow[i] = from->tangent ? from->tangent[SW_FEM_TANGENT_SIZE * q + 1 + i] : sw_broadcast(0.0);
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
        sw_fem_strain_of((const sw_real(*)[3])g, strain);
        const sw_real taken = sw_fem_tangent_stress(SW_FEM_SOLID, b_bar, mean, &stiffness, strain, stress);
        if (b_bar)
            pressure += taken;
        SW_UNROLL
        for (int i = 0; i < 6; i++)
            stress[i] *= sw_broadcast(volume);
        SW_UNROLL
        for (int i = 0; i < 3; i++) {
            sw_real r[3];
            SW_UNROLL
            for (int j = 0; j < 3; j++)
                r[j] = sw_broadcast(over[j]) * stress[sw_six_of(i, j)];
            sw_fem_gradient_back(3, q, r, f[i]);
        }
    }
    if (b_bar)
        SW_UNROLL
    for (int i = 0; i < 3; i++)
        f[i][1 << i] += pressure * sw_broadcast(volume * over[i]);
}

#endif
