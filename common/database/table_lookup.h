/* Where to look in a table of responses over the Euler angles, reduced by symmetry; single precision.
 *
 * At one theta the response of a crystal in the principal frame repeats itself, if its axis 3 is `fold`-fold (4, where it is
 * cubic) and its axis 1 twofold; angles in turns:
 *
 *   phi2 + 1/fold                           crystal: nothing changes
 *   phi1 + 1/2, 1/2 - Phi, -phi2            crystal: nothing changes
 *   phi1 + 1/2                              half-turn of the sample about 3: components 13 and 23 change sign
 *   -phi1, -phi2                            half-turn about 1, and of the crystal: 12 and 13 change sign
 *
 * So phi1 and Phi in [0, 1/4], ends included, and phi2 in [0, 1/fold) are enough: of cubic crystals 1/32 of the orientations
 * in [0, 1) x [0, 1/2] x [0, 1). */
#ifndef SW_COMMON_DATABASE_TABLE_LOOKUP_H
#define SW_COMMON_DATABASE_TABLE_LOOKUP_H

#include "common/crystal/symmetry.h"
#include "common/math/turns.h"

/* Points of a full turn of phi1, Phi, phi2: multiples of 4, the last of the fold. Entries are in C order, shape
 * [turn[0]/4 + 1][turn[1]/4 + 1][period]. */
typedef struct {
    int32_t turn[3], fold, period; /* turn[2] / fold */
    float cells[3], quarter_fold;  /* along each; fold / 4 */
} sw_table_shape;

static inline sw_table_shape sw_table_shape_of(const int64_t turn[3], int fold)
{
    const int32_t points[3] = {(int32_t)turn[0], (int32_t)turn[1], (int32_t)turn[2]},
                  period = points[2] / fold;
    const sw_table_shape shape = {{points[0], points[1], points[2]},
                                  fold,
                                  period,
                                  {(float)(points[0] / 4), (float)(points[1] / 4), (float)period},
                                  0.25F * (float)fold};
    return shape;
}

SW_HD static inline int64_t sw_table_entries(sw_table_shape shape)
{
    return (int64_t)(shape.turn[0] / 4 + 1) * (shape.turn[1] / 4 + 1) * shape.period;
}

/* Position in the reduced zone, in units of the spacing; and numbers of which only the signs count: those of components 12, 13 and 23,
 * and what x does as phi1, Phi, phi2 grow. */
typedef struct {
    sw_real x[3], sign12, sign13, sign23, way[3];
} sw_table_place;

/* Two angles as polynomials in t2 and in `square`, of the least largest error. On a GPU shorter ones, since its tables are of half
 * precision: they put a place 1.8e-6 and 8e-7 of a turn off, which changes an answer by a tenth of what that rounds; on the CPU, 6e-9 and
 * 1.4e-8. atan(t) / t in quarter turns, |t| <= 1 ... */
SW_HD static inline sw_real sw_table_arc(sw_real t2)
{
#ifdef __CUDA_ARCH__
    sw_real p = t2 * 1.32703982e-2F - 5.42121865e-2F;
    p = t2 * p + 1.14692947e-1F;
    p = t2 * p - 2.10278551e-1F;
    return t2 * p + 6.36534675e-1F;
#else
    sw_real p = t2 * -2.581217296e-3F + 1.391838993e-2F;
    p = t2 * p - 3.559489076e-2F;
    p = t2 * p + 6.138413319e-2F;
    p = t2 * p - 8.854508518e-2F;
    p = t2 * p + 1.269837807e-1F;
    p = t2 * p - 2.121844838e-1F;
    return t2 * p + 6.366193494e-1F;
#endif
}

/* ... and 2 asin(sqrt(square)) / sqrt(square), square in [0, 1/2]. */
SW_HD static inline sw_real sw_table_tilt(sw_real square)
{
#ifdef __CUDA_ARCH__
    sw_real p = square * 1.40203905e-1F - 9.46154753e-3F;
    p = square * p + 1.12292955e-1F;
    p = square * p + 2.10541912e-1F;
    return square * p + 1.273285F;
#else
    sw_real p = square * 1.5048786e-1F - 1.05644463e-1F;
    p = square * p + 9.97080648e-2F;
    p = square * p + 4.28214001e-2F;
    p = square * p + 9.71006001e-2F;
    p = square * p + 2.12126455e-1F;
    return square * p + 1.27324069F;
#endif
}

/* The angle of (|cosine|, |sine|) in quarter turns, [0, 1]: half of one, and the arc tangent of what turning by it leaves, whose
 * tangent the first is. With the other sign of that the angle is 1 less what it was. */
SW_HD static inline sw_real sw_table_past_half(sw_real sine, sw_real cosine)
{
    return sw_divide(sw_abs(sine) - sw_abs(cosine), sw_abs(sine) + sw_abs(cosine));
}
SW_HD static inline sw_real sw_table_quarter(sw_real t)
{
    return sw_unit(t, sw_table_arc(t * t), sw_broadcast(0.5));
}

/* phi2 in the zone, of its t and the sign of phi2: with four turns a quarter of one, and nothing is left to wrap. */
SW_HD static inline sw_real sw_table_third(sw_table_shape shape, sw_real t, sw_real sign)
{
    const sw_real one = sw_broadcast(1.0), nothing = sw_broadcast(0.0);
    if (shape.fold == 4)
        return sw_table_quarter(sw_flip(t, sign));
    sw_real third = sw_flip(shape.quarter_fold * sw_table_quarter(t), sign);
    third = third - sw_nearest_whole(third);
    return sw_unit(third, one, sw_choose(SW_LESS(third, nothing), one, nothing));
}

/* Of a unit quaternion in the principal frame. Sines and cosines of phi1 and phi2, times sin(Phi)/2, are products of its numbers; of these
 * alone the zone is told, so that what is left of three angles is in quarter turns. Where Phi is 0 or pi, phi1 and phi2 share what they
 * make together. */
SW_HD static inline sw_table_place sw_table_place_of(sw_table_shape shape, const sw_real q[4])
{
    const float least = 1e-9F; /* so that phi1 and phi2 are some angles */
    sw_table_place place;
    sw_real w = q[0] + least, x = q[1] + least, y = q[2], z = q[3];
    sw_real xz = x * z, wx = w * x;
    sw_real sine1 = xz + w * y, cosine1 = wx - y * z, sine2 = xz - w * y, cosine2 = wx + y * z;
    sw_real across = x * x + y * y, along = w * w + z * z; /* sin^2 and cos^2 of Phi/2 */
    place.way[1] = along - across;
    place.sign12 = sw_flip(sine1, cosine1);
    place.sign13 = sw_flip(sine1, place.way[1]);
    place.sign23 = sw_flip(cosine1, place.way[1]);
    place.way[0] = place.sign12;
    place.way[2] = sw_flip(place.sign12, place.way[1]);
    sw_real sign = sw_flip(sw_flip(sine2, cosine2), place.way[2]);
    /* within the table even if q is no number */
    place.x[0] = sw_table_quarter(sw_table_past_half(sine1, cosine1)) * shape.cells[0];
    sw_real tilt = sw_min(across, along);
    place.x[1] = sw_unit(sw_sqrt(tilt), sw_table_tilt(tilt), sw_broadcast(0.0)) * shape.cells[1];
    place.x[2] = sw_table_third(shape, sw_table_past_half(sine2, cosine2), sign) * shape.cells[2];
    return place;
}

/* Index of the nearest entry. */
SW_HD static inline sw_int sw_table_nearest(sw_table_shape shape, const sw_table_place *place)
{
    const int rows = shape.turn[1] / 4 + 1, columns = shape.period;
    const int zero = 0x4b000000; /* bits of 2^23, in whose last places whole numbers stand */
    sw_int at[3];
    SW_UNROLL
    for (int d = 0; d < 3; d++) {
        sw_real x = place->x[d] + 8388608.0F;
        memcpy(&at[d], &x, sizeof at[d]);
    }
    at[2] = sw_choose_int(SW_LESS(place->x[2], sw_broadcast(0.0) + (shape.cells[2] - 0.5F)), at[2] - zero,
                          sw_broadcast_int(0));
    return ((at[0] - zero) * rows + (at[1] - zero)) * columns + at[2];
}

/* Exchange so that the larger of two fractions comes first, with its stride and its slopes [slopes]. */
SW_HD static inline void sw_table_order(int slopes, sw_real *f, sw_real *g, sw_int *f_stride,
                                        sw_int *g_stride, sw_real *f_slope, sw_real *g_slope)
{
    sw_mask less = SW_LESS(*f, *g);
    sw_real larger = sw_choose(less, *g, *f);
    sw_int stride = sw_choose_int(less, *g_stride, *f_stride);
    *g = sw_choose(less, *f, *g);
    *g_stride = sw_choose_int(less, *f_stride, *g_stride);
    *f = larger;
    *f_stride = stride;
    SW_UNROLL
    for (int j = 0; j < slopes; j++) {
        sw_real slope = sw_choose(less, g_slope[j], f_slope[j]);
        g_slope[j] = sw_choose(less, f_slope[j], g_slope[j]);
        f_slope[j] = slope;
    }
}

/* Indices and weights of the four corners of the tetrahedron that the place lies in, six to a cell around the
 * diagonal from large phi1 to small: linear interpolation from half the entries of the trilinear one, with
 * smaller errors than that and than around the other diagonals (bench/LOG.md). slopes: 0, or 3: how the weights change in three
 * directions, slope [3][4], in each of which phi1, Phi, phi2 change by along [3][3], turns. */
SW_HD static inline void sw_table_linear_slopes(sw_table_shape shape, const sw_table_place *place, int slopes,
                                                const sw_real (*along)[3], sw_int index[4], sw_real weight[4],
                                                sw_real (*slope)[4])
{
    const int cells[3] = {shape.turn[0] / 4, shape.turn[1] / 4, shape.period};
    sw_real low[3], f[3], by[3][3]; /* slopes of f */
    sw_int stride[3];
    SW_UNROLL
    for (int d = 0; d < 3; d++) { /* x >= 0: a whole x may count as the end of the cell before */
        low[d] = sw_min(sw_nearest_whole(place->x[d] - 0.5F), sw_broadcast(cells[d] - 1));
        f[d] = place->x[d] - low[d];
        SW_UNROLL
        for (int j = 0; j < slopes; j++)
            by[d][j] = (float)(d == 0 ? -shape.turn[d] : shape.turn[d]) * sw_flip(along[j][d], place->way[d]);
    }
    stride[0] = sw_broadcast_int((cells[1] + 1) * cells[2]);
    stride[1] = sw_broadcast_int(cells[2]);
    stride[2] = sw_choose_int(SW_LESS(low[2], sw_broadcast(cells[2] - 1)), sw_broadcast_int(1),
                              sw_broadcast_int(1 - cells[2]));
    /* phi1 counts down from the cell's far side */
    f[0] = 1.0F - f[0];
    index[0] = sw_round(low[0] + 1.0F) * stride[0] + sw_round(low[1]) * stride[1] + sw_round(low[2]);
    stride[0] = -stride[0];
    sw_table_order(slopes, &f[0], &f[1], &stride[0], &stride[1], by[0], by[1]);
    sw_table_order(slopes, &f[1], &f[2], &stride[1], &stride[2], by[1], by[2]);
    sw_table_order(slopes, &f[0], &f[1], &stride[0], &stride[1], by[0], by[1]);
    weight[0] = 1.0F - f[0];
    weight[3] = f[2];
    SW_UNROLL
    for (int j = 0; j < slopes; j++) {
        slope[j][0] = -by[0][j];
        slope[j][1] = by[0][j] - by[1][j];
        slope[j][2] = by[1][j] - by[2][j];
        slope[j][3] = by[2][j];
    }
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        index[k + 1] = index[k] + stride[k];
        if (k < 2)
            weight[k + 1] = f[k] - f[k + 1];
    }
}

SW_HD static inline void sw_table_linear(sw_table_shape shape, const sw_table_place *place, sw_int index[4],
                                         sw_real weight[4])
{
    sw_table_linear_slopes(shape, place, 0, NULL, index, weight, NULL);
}

/* Give an entry's outputs the signs of the place. */
SW_HD static inline void sw_table_sign(const sw_table_place *place, sw_real output[SW_OUTPUTS])
{
    output[2] = sw_flip(output[2], place->sign12);
    output[5] = sw_flip(output[5], place->sign12);
    output[3] = sw_flip(output[3], place->sign13);
    output[6] = sw_flip(output[6], place->sign13);
    output[4] = sw_flip(output[4], place->sign23);
    output[7] = sw_flip(output[7], place->sign23);
}

/* And those of how planes share slip: outputs 9 to 12. */
SW_HD static inline void sw_table_sign_planes(const sw_table_place *place, sw_real planes[4])
{
    planes[0] = sw_flip(planes[0], place->way[0]);
    planes[1] = sw_flip(planes[1], place->way[1]);
    planes[2] = sw_flip(planes[2], place->way[2]);
}

#endif
