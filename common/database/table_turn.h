/* How a table's answers turn with the crystal, for their slopes and where two principal strain rates are equal; single precision. */
#ifndef SW_COMMON_DATABASE_TABLE_TURN_H
#define SW_COMMON_DATABASE_TABLE_TURN_H

#include "common/math/deviator.h"
#include "common/math/quaternion.h"
#include "response_table.h"
#include "table_lookup.h"

/* How phi1, Phi, phi2 change, turns, as the crystal turns about axes 1, 2, 3 of the frame, a radian each: along [3][3]. q: its
 * orientation there, a quaternion. At Phi = 0 only the sum of phi1 and phi2 has a meaning: sin Phi counts as a quarter
 * of a spacing at least. */
SW_HD static inline void sw_table_turning(sw_table_shape shape, const sw_real q[4], sw_real along[3][3])
{
    const float turn = 0.15915494F; /* 1 / 2 pi */
    const float least = 1.5707963F / (float)shape.turn[1];
    /* the crystal's axis 3: sin Phi (sin phi1, -cos phi1), cos Phi */
    sw_real n1 = 2.0F * (q[1] * q[3] + q[0] * q[2]), n2 = 2.0F * (q[2] * q[3] - q[0] * q[1]),
            n3 = 1.0F - 2.0F * (q[1] * q[1] + q[2] * q[2]);
    sw_real square = sw_max(n1 * n1 + n2 * n2, sw_broadcast(least * least));
    sw_real over = sw_divide(sw_broadcast(turn), square), tilt = over * sw_sqrt(square);
    const sw_real phi[3] = {-(n2 * tilt), n1 * tilt, sw_broadcast(0.0)},
                  phi2[3] = {n1 * over, n2 * over, sw_broadcast(0.0)};
    SW_UNROLL
    for (int j = 0; j < 3; j++) {
        along[j][0] = (j == 2 ? sw_broadcast(turn) : sw_broadcast(0.0)) - n3 * phi2[j];
        along[j][1] = phi[j];
        along[j][2] = phi2[j];
    }
}

/* ---- Strain rates with an axis ----
 *
 * At theta a multiple of pi/3 two principal rates are equal, and what a turn of the frame about the axis of the third does is nothing. A
 * table knows that as well as it interpolates, and near such a theta, where the frame turns with the least of strain rates, its stress would
 * be as good as torn. So a table of such a theta is looked up after a turn about the axis by which some direction of the lattice comes
 * to the same azimuth each time: its answer then turns with the crystal, and is the same in all frames. */

/* The axis, 0 to 2, of layer `layer` of `layers` from theta 0 on; -1: it has none. Where multiples of pi/3 are between layers none has. */
SW_HD static inline int sw_table_axis(int layer, int layers)
{
    const int sixth = layers / 6;
    return layers % 6 == 0 && layer % sixth == 0 ? (layer / sixth + 2) % 3 : -1;
}

/* Theta, turns, is so far at least from one of an axis: where its frame has slopes. */
#define SW_TABLE_APART 1e-4F

/* Layers that an answer at theta is made of: `weight` of each; by_theta: how that changes, per rad; turning: as weight, but where the frame
 * turns, of theta apart from an axis. Linear between layers; next to one of an axis, the first, quadratic with both beside, so that nothing
 * is bent where D goes from one side to the other or, all the same, round it. The third else counts 0. */
typedef struct {
    int layer[3], axis[3], count;
    float weight[3], by_theta[3], turning[3];
} sw_table_layers;

SW_HD static inline void sw_table_quadratic(float t, float weight[3])
{
    weight[0] = 1 - t * t;
    weight[1] = 0.5F * t * (t + 1);
    weight[2] = 0.5F * t * (t - 1);
}

/* theta in [0, 1] turns. */
SW_HD static inline sw_table_layers sw_table_layers_at(float theta, int layers)
{
    const float x = theta * (float)layers, low = floorf(x), on = x - low;
    const float per = (float)layers * 0.15915494F, apart = SW_TABLE_APART * (float)layers;
    const int below = (int)low % layers, above = (below + 1) % layers;
    const int side = sw_table_axis(below, layers) >= 0 ? 1 : sw_table_axis(above, layers) >= 0 ? -1 : 0;
    sw_table_layers out = {{below, above, below}, {-1, -1, -1},   2,
                           {1 - on, on, 0},       {-per, per, 0}, {1 - on, on, 0}};
    if (side != 0) {
        const float t = side > 0 ? on : 1 - on; /* from the axis, to the side of the second */
        const int middle = side > 0 ? below : above;
        out.count = 3;
        out.layer[0] = middle;
        out.layer[1] = (middle + layers + side) % layers;
        out.layer[2] = (middle + layers - side) % layers;
        sw_table_quadratic(t, out.weight);
        sw_table_quadratic(t < apart ? apart : t, out.turning);
        out.by_theta[0] = -2 * t * per * (float)side;
        out.by_theta[1] = (t + 0.5F) * per * (float)side;
        out.by_theta[2] = (t - 0.5F) * per * (float)side;
        for (int k = 0; k < 3; k++)
            out.axis[k] = sw_table_axis(out.layer[k], layers);
    }
    return out;
}

/* The turn of the crystal about `axis` [3], a unit vector or 0: none. q, in the principal frame -> turned; r: its matrix; more [3]: by how
 * much more it turns as the crystal does about the frame's axes, of the few crystals whose direction is within 3 degrees of the axis
 * as much as there. */
SW_HD static inline void sw_table_to_azimuth(const sw_real axis[3], const sw_real q[4], sw_real turned[4],
                                             sw_real r[3][3], sw_real more[3])
{
    const float u[3] = {0.36F, 0.48F, 0.8F}; /* the direction: none of symmetry */
    sw_real g[3][3], at[3], x = sw_broadcast(0.0), y = sw_broadcast(0.0), z = sw_broadcast(0.0), turn[4];
    sw_rotation_from_quaternion(q, g);
    SW_UNROLL
    for (int i = 0; i < 3; i++)
        at[i] = g[i][0] * u[0] + g[i][1] * u[1] + g[i][2] * u[2];
    SW_UNROLL
    for (int k = 0; k < 3; k++) {
        x += axis[k] * at[(k + 1) % 3];
        y += axis[k] * at[(k + 2) % 3];
        z += axis[k] * at[k];
    }
    sw_real square = x * x + y * y, size = sw_sqrt(square);
    /* cosine and sine of half the azimuth, to all their digits */
    sw_mask ahead = ~SW_LESS(x, sw_broadcast(0.0));
    sw_real cosine = sw_choose(ahead, size + x, sw_abs(y)), sine = sw_choose(ahead, sw_abs(y), size - x);
    sw_real length = cosine * cosine + sine * sine;
    sw_mask turns = SW_LESS(sw_broadcast(1e-12), length);
    sw_real over = sw_divide(sw_broadcast(1.0), sw_sqrt(sw_choose(turns, length, sw_broadcast(1.0))));
    turn[0] = sw_choose(turns, cosine * over, sw_broadcast(1.0));
    sw_real half = sw_choose(turns, sine * over, sw_broadcast(0.0));
    half = sw_choose(SW_LESS(y, sw_broadcast(0.0)), half, -half);
    SW_UNROLL
    for (int k = 0; k < 3; k++)
        turn[k + 1] = half * axis[k];
    sw_real slant = sw_divide(z, sw_max(square, sw_broadcast(2.5e-3)));
    SW_UNROLL
    for (int k = 0; k < 3; k++)
        more[k] = slant * (at[k] - z * axis[k]) - axis[k];
    sw_quaternion_product(turn, q, turned);
    sw_rotation_from_quaternion(turn, r);
}

/* Outputs of a crystal that was turned by r, back in the frame where it was not. */
SW_HD static inline void sw_table_turn_back(const sw_real r[3][3], sw_real output[SW_OUTPUTS])
{
    sw_real t[6], v[5], axial[3], back[6];
    t[0] = output[0];
    t[1] = output[1];
    t[2] = -output[0] - output[1];
    t[3] = output[4];
    t[4] = output[3];
    t[5] = output[2];
    axial[0] = -output[7];
    axial[1] = output[6];
    axial[2] = -output[5];
    sw_deviator_in_frame(r, t, v);
    sw_deviator_tensor(v, back);
    output[0] = back[0];
    output[1] = back[1];
    output[2] = back[5];
    output[3] = back[4];
    output[4] = back[3];
    output[5] = -(r[0][2] * axial[0] + r[1][2] * axial[1] + r[2][2] * axial[2]);
    output[6] = r[0][1] * axial[0] + r[1][1] * axial[1] + r[2][1] * axial[2];
    output[7] = -(r[0][0] * axial[0] + r[1][0] * axial[1] + r[2][0] * axial[2]);
}

/* ---- Slopes ---- */

/* Outputs 0 to 4 as a vector of five. */
SW_HD static inline void sw_table_stress(const sw_real output[5], sw_real v[5])
{
    const sw_real t[6] = {output[0], output[1], -output[0] - output[1], output[4], output[3], output[2]};
    sw_deviator_vector_of(t, v);
}

/* sw_table_turning of a crystal that was turned by r to q, along the axes of the frame where it was not. */
SW_HD static inline void sw_table_turning_back(sw_table_shape shape, const sw_real r[3][3],
                                               const sw_real q[4], sw_real along[3][3])
{
    sw_real own[3][3];
    sw_table_turning(shape, q, own);
    SW_UNROLL
    for (int k = 0; k < 9; k++) {
        const int i = k / 3, d = k % 3;
        along[i][d] = r[0][i] * own[0][d] + r[1][i] * own[1][d] + r[2][i] * own[2][d];
    }
}

/* How the stress (vector of five) and the slip rate of a crystal change as the principal frame turns about its axes, by a radian each, seen
 * from a frame that stays: slope [3][6]. raw: of outputs 0 to 4 and 8 as the crystal turns in the frame, where it was turned by r about
 * `axis`, by `more` more; stress: its own, back. About `axis` nothing changes. */
SW_HD static inline void sw_table_slopes_back(const sw_real axis[3], const sw_real r[3][3],
                                              const sw_real more[3], const sw_real stress[5],
                                              const sw_real raw[SW_SLOPES - 1][SW_SLOPED],
                                              sw_real slope[SW_SLOPES - 1][SW_SLOPED])
{
    sw_real about[SW_SLOPED];
    SW_UNROLL
    for (int i = 0; i < SW_SLOPED; i++)
        about[i] = sw_broadcast(0.0);
    SW_UNROLL
    for (int j = 0; j < SW_SLOPES - 1; j++) {
        const sw_real t[6] = {raw[j][0], raw[j][1], -raw[j][0] - raw[j][1], raw[j][4], raw[j][3], raw[j][2]};
        const sw_real own[3] = {sw_broadcast(j == 0), sw_broadcast(j == 1), sw_broadcast(j == 2)};
        sw_deviator_in_frame(r, t, slope[j]);
        sw_deviator_add_spun(stress, own, slope[j]);
        slope[j][5] = raw[j][5];
        SW_UNROLL
        for (int i = 0; i < SW_SLOPED; i++)
            about[i] += axis[j] * slope[j][i];
    }
    SW_UNROLL
    for (int j = 0; j < SW_SLOPES - 1; j++)
        SW_UNROLL
    for (int i = 0; i < SW_SLOPED; i++)
        slope[j][i] = -(slope[j][i] + more[j] * about[i]);
}

/* Theta, turns, moved apart from one of an axis. */
SW_HD static inline sw_real sw_table_apart(sw_real theta)
{
    sw_real nearest = sw_nearest_whole(6.0F * theta) * (1.0F / 6), off = theta - nearest;
    sw_real least = sw_choose(SW_LESS(off, sw_broadcast(0.0)), sw_broadcast(-SW_TABLE_APART),
                              sw_broadcast(SW_TABLE_APART));
    return sw_choose(SW_LESS(sw_abs(off), sw_broadcast(SW_TABLE_APART)), nearest + least, theta);
}

#endif
