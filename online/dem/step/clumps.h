/* Clumps: spheres that move as one rigid body. Pairs and walls know spheres only; a clump gathers what its members bear,
 * moves, and says where they are and how fast.
 *
 *     m V' = sum f,   l' = sum (M + d x f),   x = X + d (+ a vector of the cell),   v = V + O x d - L d,   spin O,
 *
 * with d a member's arm, which turns with the body, and L the affine field (step.h). l is kept in space, half a step
 * behind like velocities; orientations go by the leapfrog for rotations of Fincham 1992 (Allen and Tildesley 1987), with a
 * quaternion from the frame of principal axes to space. Dimensions: K clumps, P particles. */
#ifndef SW_ONLINE_DEM_STEP_CLUMPS_H
#define SW_ONLINE_DEM_STEP_CLUMPS_H

#include "walls.h"

/* Rotation of a unit quaternion (w, x, y, z). */
SW_HD static inline void sw_dem_rotation(const double q[4], double r[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    r[0][0] = 1 - 2 * (y * y + z * z), r[0][1] = 2 * (x * y - w * z), r[0][2] = 2 * (x * z + w * y);
    r[1][0] = 2 * (x * y + w * z), r[1][1] = 1 - 2 * (x * x + z * z), r[1][2] = 2 * (y * z - w * x);
    r[2][0] = 2 * (x * z - w * y), r[2][1] = 2 * (y * z + w * x), r[2][2] = 1 - 2 * (x * x + y * y);
}

SW_HD static inline void sw_dem_turn(const double r[3][3], const double a[3], double b[3])
{
    for (int i = 0; i < 3; i++)
        b[i] = r[i][0] * a[0] + r[i][1] * a[1] + r[i][2] * a[2];
}
SW_HD static inline void sw_dem_turn_back(const double r[3][3], const double a[3], double b[3])
{
    for (int i = 0; i < 3; i++)
        b[i] = r[0][i] * a[0] + r[1][i] * a[1] + r[2][i] * a[2];
}

/* Angular velocity in the body's frame of an angular momentum in space. */
SW_HD static inline void sw_dem_body_spin(const sw_dem_clump *c, const double r[3][3],
                                          const double momentum[3], double spin[3])
{
    sw_dem_turn_back(r, momentum, spin);
    for (int k = 0; k < 3; k++)
        spin[k] /= c->inertia[k];
}

/* q + t q', q' = at (0, s) / 2, of length 1; s: spin in the body's frame. */
SW_HD static inline void sw_dem_turn_on(const double q[4], const double at[4], const double s[3], double t,
                                        double next[4])
{
    next[0] = q[0] + 0.5 * t * (-at[1] * s[0] - at[2] * s[1] - at[3] * s[2]);
    next[1] = q[1] + 0.5 * t * (at[0] * s[0] + at[2] * s[2] - at[3] * s[1]);
    next[2] = q[2] + 0.5 * t * (at[0] * s[1] + at[3] * s[0] - at[1] * s[2]);
    next[3] = q[3] + 0.5 * t * (at[0] * s[2] + at[1] * s[1] - at[2] * s[0]);
    const double size = sqrt(next[0] * next[0] + next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
    for (int k = 0; k < 4; k++)
        next[k] /= size;
}

/* Force and moment about its centre on a clump, gravity with them; the number of its contacts. */
SW_HD static inline int sw_dem_gather_clump(const sw_dem_rve *rve, int64_t number, double force[3],
                                            double moment[3])
{
    const sw_dem_clump *c = &rve->clump[number];
    int contacts = 0;
    for (int k = 0; k < 3; k++) {
        force[k] = rve->heavy ? c->mass * rve->gravity[k] : 0;
        moment[k] = 0;
    }
    for (int32_t e = rve->clump_first[number]; e < rve->clump_first[number + 1]; e++) {
        const int32_t i = rve->clump_member[e];
        double f[3], m[3], lever[3];
        contacts += sw_dem_gather(1, rve, i, f, m);
        sw_dem_cross(rve->arm[i], f, lever);
        for (int k = 0; k < 3; k++) {
            force[k] += f[k];
            moment[k] += m[k] + lever[k];
        }
    }
    return contacts;
}

/* Velocities of members, and with their arms the spin of the body. */
SW_HD static inline void sw_dem_carry_members(const sw_dem_rve *rve, int64_t number)
{
    const sw_dem_clump *c = &rve->clump[number];
    const double(*l)[3] = (const double(*)[3])rve->state->affine;
    for (int32_t e = rve->clump_first[number]; e < rve->clump_first[number + 1]; e++) {
        const int32_t i = rve->clump_member[e];
        const double *d = rve->arm[i];
        double around[3];
        sw_dem_cross(c->spin, d, around);
        for (int k = 0; k < 3; k++) {
            rve->velocity[i][k] =
                c->velocity[k] + around[k] - (l[k][0] * d[0] + l[k][1] * d[1] + l[k][2] * d[2]);
            rve->spin[i][k] = c->spin[k];
        }
    }
}

/* Members to where the body is now. Images of them are apart from it by vectors of the cell, which go with the field. */
SW_HD static inline void sw_dem_place_members(const sw_dem_rve *rve, int64_t number, const double before[3],
                                              double dt)
{
    const sw_dem_clump *c = &rve->clump[number];
    const double(*l)[3] = (const double(*)[3])rve->state->affine;
    double r[3][3];
    sw_dem_rotation(c->turn, r);
    for (int32_t e = rve->clump_first[number]; e < rve->clump_first[number + 1]; e++) {
        const int32_t i = rve->clump_member[e];
        double shift[3], moved[3], *x = rve->position[i], *d = rve->arm[i], *u = rve->displacement[i];
        for (int k = 0; k < 3; k++)
            shift[k] = x[k] - before[k] - d[k];
        sw_dem_affine(l, dt, shift, moved);
        sw_dem_affine(l, dt, x, shift);
        sw_dem_turn((const double(*)[3])r, rve->body_arm[i], d);
        for (int k = 0; k < 3; k++) {
            x[k] = c->position[k] + d[k] + moved[k];
            u[k] += x[k] - shift[k]; /* beside the field */
        }
    }
}

/* Momentum, orientation and spin after a step under a moment: by where the body is half a step on. */
SW_HD static inline void sw_dem_spin_clump(sw_dem_clump *c, const double moment[3], double dt)
{
    double r[3][3], now[3], spin[3], half[4], next[4];
    for (int k = 0; k < 3; k++) {
        now[k] = c->momentum[k] + 0.5 * dt * moment[k];
        c->momentum[k] += dt * moment[k];
    }
    sw_dem_rotation(c->turn, r);
    sw_dem_body_spin(c, (const double(*)[3])r, now, spin);
    sw_dem_turn_on(c->turn, c->turn, spin, 0.5 * dt, half);
    sw_dem_rotation(half, r);
    sw_dem_body_spin(c, (const double(*)[3])r, c->momentum, spin);
    sw_dem_turn((const double(*)[3])r, spin, c->spin);
    sw_dem_turn_on(c->turn, half, spin, dt, next);
    for (int k = 0; k < 4; k++)
        c->turn[k] = next[k];
}

/* One step of a clump. Damping takes its part of force and moment, component by component. */
SW_HD static inline void sw_dem_move_clump(const sw_dem_rve *rve, int64_t number, double dt,
                                           sw_dem_work *work)
{
    sw_dem_clump *c = &rve->clump[number];
    const sw_dem_numerics *n = &rve->numerics;
    const double inertia = 3 / (1 / c->inertia[0] + 1 / c->inertia[1] + 1 / c->inertia[2]);
    const double ahead = n->damping_form == SW_DEM_DAMPING_PREDICTED ? 0.5 * dt / inertia : 0;
    double force[3], moment[3], before[3], moved[3], old_spin[3], less[3], taken = 0;
    sw_dem_gather_clump(rve, number, force, moment);
    for (int k = 0; k < 3; k++) {
        before[k] = c->position[k];
        old_spin[k] = c->spin[k];
        c->velocity[k] = sw_dem_accelerate(n, dt, c->velocity[k], force[k] / c->mass, &taken);
        less[k] = n->damping * fabs(moment[k]) * sw_dem_sign(c->spin[k] + ahead * moment[k]);
        moment[k] -= less[k];
    }
    sw_dem_spin_clump(c, moment, dt);
    work->damping += c->mass * taken;
    for (int k = 0; k < 3; k++)
        work->damping += less[k] * 0.5 * (old_spin[k] + c->spin[k]) * dt;
    sw_dem_affine((const double(*)[3])rve->state->affine, dt, before, moved);
    for (int k = 0; k < 3; k++)
        c->position[k] = moved[k] + dt * c->velocity[k];
    if (rve->heavy)
        work->boundary += c->mass * sw_dem_dot(rve->gravity, c->velocity) * dt;
    sw_dem_place_members(rve, number, before, dt);
    sw_dem_carry_members(rve, number);
}

/* What a clump adds to the sums over bodies: sw_dem_measure_particle. */
SW_HD static inline void sw_dem_measure_clump(const sw_dem_rve *rve, int64_t number, double sum[SW_DEM_SUMS])
{
    const sw_dem_clump *c = &rve->clump[number];
    double force[3], moment[3];
    const int contacts = sw_dem_gather_clump(rve, number, force, moment);
    sum[SW_DEM_SUM_KINETIC] +=
        0.5 * (c->mass * sw_dem_dot(c->velocity, c->velocity) + sw_dem_dot(c->spin, c->momentum));
    sum[SW_DEM_SUM_UNBALANCED] += sqrt(sw_dem_dot(force, force));
    sum[SW_DEM_SUM_RATTLERS] += contacts < 2;
    sum[SW_DEM_SUM_RATTLER_CONTACTS] += contacts == 1;
}

#endif
