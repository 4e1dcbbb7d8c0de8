/* One step of an element, by its team: forces of all pairs, then motion of all particles; and what is
 * measured of them. Semi-implicit Euler, velocities half a step behind positions: Lubbe et al. 2022,
 * section 4.
 *
 * A particle's velocity here is its fluctuation: x' = L x + v with m v' = f (the affine field's acceleration
 * is imposed, Eqs. 16-18); between sides that are not periodic there is no affine field, and it is all of the velocity.
 * Sums over a particle's pairs run in the order of its list, so results do not
 * depend on the team's size but in sums over the element. Dimensions: P particles, C pairs. */
#ifndef SW_ONLINE_DEM_STEP_STEP_H
#define SW_ONLINE_DEM_STEP_STEP_H

#include "membrane.h"

/* ---- Particles ---- */

/* Eqs. 9a-9d and 18, for one particle that is no clump's. */
SW_HD_INLINE static inline void sw_dem_move(int flows, const sw_dem_rve *rve, int64_t i, double dt,
                                            sw_dem_work *work)
{
    if (flows && sw_dem_clump_of(rve, i) >= 0)
        return;
#ifndef __CUDA_ARCH__
    if (i >= sw_dem_grains(rve)) {
        sw_dem_move_node(rve, i, dt, work);
        return;
    }
#endif
    const double r = rve->radius[i], mass = sw_dem_mass(rve, i);
    const double inertia = 0.4 * mass * r * r, per_mass = 1 / mass, per_inertia = 2.5 * per_mass / (r * r);
    double *x = rve->position[i], *v = rve->velocity[i], *w = rve->spin[i], *u = rve->displacement[i];
    double force[3], moment[3], moved[3], taken = 0, taken_by_spin = 0;
    sw_dem_gather(flows, rve, i, force, moment);
    sw_dem_affine((const double(*)[3])rve->state->affine, dt, x, moved);
    for (int k = 0; k < 3 && rve->numerics.affine; k++)
        x[k] = moved[k];
    for (int k = 0; k < 3 && !rve->numerics.affine; k++) {
        v[k] = sw_dem_accelerate(&rve->numerics, dt, v[k], force[k] * per_mass, &taken);
        w[k] = sw_dem_accelerate(&rve->numerics, dt, w[k], moment[k] * per_inertia, &taken_by_spin);
        u[k] += dt * v[k];
        x[k] = moved[k] + dt * v[k];
        if (rve->refresh_strain > 0)
            rve->turned[i][k] += dt * w[k];
    }
    work->damping += mass * taken + inertia * taken_by_spin;
    if (flows && rve->heavy)
        work->boundary += mass * sw_dem_dot(rve->gravity, v) * dt;
}

#ifdef __CUDA_ARCH__
/* Motion of particles that nothing flows between, three lanes a particle: each adds up two of the six components of what it
 * bears, which neighbouring lanes read from one place, and moves by them. As sw_dem_move to the bit. */
__device__ __attribute__((always_inline)) static inline void
sw_dem_move_by_lanes(const sw_team *team, const sw_dem_rve *rve, double dt, sw_dem_work *work)
{
    const int lane = team->thread & 31, own = lane / 3, part = lane % 3, each = 10;
    const int32_t n = (int32_t)rve->n_particles, hop = each * (team->size >> 5);
    int32_t i = each * (team->rank >> 5) + own;
    int32_t e = own < each && i < n ? rve->list_first[i] : 0,
            end = own < each && i < n ? rve->list_first[i + 1] : 0;
    for (int32_t first = i - own; first < n; first += hop, i += hop) {
        const int here = own < each && i < n, next = own < each && i + hop < n;
        const int32_t next_e = next ? rve->list_first[i + hop] : 0,
                      next_end = next ? rve->list_first[i + hop + 1] : 0;
        const float2 *borne = (const float2 *)rve->borne + part;
        double sum[2] = {0, 0}, old[3] = {0, 0, 0}, moved[3];
        for (; e < end; e += 4) {
            float2 by[4];
            for (int k = 0; k < 4; k++)
                by[k] = e + k < end ? borne[3 * (e + k)] : make_float2(0, 0);
            for (int k = 0; k < 4; k++) {
                sum[0] += (double)by[k].x;
                sum[1] += (double)by[k].y;
            }
        }
        e = next_e;
        end = next_end;
        for (int k = 0; k < 3 && here; k++)
            old[k] = rve->position[i][k];
        __syncwarp(); /* all have seen where it was */
        if (!here)
            continue;
        const double r = rve->radius[i], mass = sw_dem_mass(rve, i);
        const double inertia = 0.4 * mass * r * r, per_mass = 1 / mass,
                     per_inertia = 2.5 * per_mass / (r * r);
        sw_dem_affine((const double(*)[3])rve->state->affine, dt, old, moved);
        for (int k = 0; k < 2; k++) {
            const int turns = 2 * part + k >= 3, c = 2 * part + k - 3 * turns;
            const double to = c == 0 ? moved[0] : c == 1 ? moved[1] : moved[2];
            double *speed = turns ? &rve->spin[i][c] : &rve->velocity[i][c], taken = 0;
            if (rve->numerics.affine) {
                if (!turns)
                    rve->position[i][c] = to;
                continue;
            }
            const double now = sw_dem_accelerate(&rve->numerics, dt, *speed,
                                                 sum[k] * (turns ? per_inertia : per_mass), &taken);
            *speed = now;
            work->damping += (turns ? inertia : mass) * taken;
            if (!turns) {
                rve->displacement[i][c] += dt * now;
                rve->position[i][c] = to + dt * now;
            }
        }
    }
}
#endif

/* All particles, and the cell with them; images follow. Synced before (forces), not after. */
SW_HD_INLINE static inline void sw_dem_particles_step(const sw_team *team, sw_dem_rve *rve, sw_dem_work *work)
{
    sw_dem_state *state = rve->state;
    const double dt = state->time_step;
#ifdef __CUDA_ARCH__
    if (!team->flows)
        sw_dem_move_by_lanes(team, rve, dt, work);
    else
#endif
        SW_TEAM_EACH (team, i, rve->n_particles)
            sw_dem_move(team->flows, rve, i, dt, work);
    for (int64_t c = team->rank; team->flows && c < rve->n_clumps; c += team->size)
        sw_dem_move_clump(rve, c, dt, work);
    if (team->rank == (team->flows ? 0 : team->size - 1)) { /* nobody else looks at these here */
        double old[3][3];
        sw_dem_cell_deform(&state->cell, (const double(*)[3])state->velocity_gradient, dt);
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                old[i][j] = state->reference[i][j];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    state->reference[i][j] += dt * state->affine[i][k] * old[k][j];
        if (team->flows)
            sw_dem_move_walls(rve, dt);
        state->time += dt;
        state->step++;
        state->stage_step++;
    }
}

/* ---- Measurement ---- */

SW_HD_INLINE static inline void sw_dem_measure_pair(int flows, const sw_dem_rve *rve, int64_t p,
                                                    double sum[SW_DEM_SUMS])
{
    if (rve->touching[p] == 0)
        return;
    double branch[3], between[3], force[3];
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_history history;
    sw_dem_branch(rve, p, branch);
    sw_dem_body_branch(flows, rve, p, branch, between);
    sw_dem_pair_kinematics(rve, p, branch, &k);
    sw_dem_load_history(flows, rve, p, &history);
    sw_dem_stiffnesses(flows, sw_dem_material_of_pair(rve, p), &k, 0, history.law, &stiffness);
    for (int i = 0; i < 3; i++)
        force[i] = sw_dem_borne(flows, rve, rve->place[p][1], i);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum[SW_DEM_SUM_STRESS + 3 * i + j] += force[i] * between[j]; /* Eq. 11 */
    sum[SW_DEM_SUM_ELASTIC] += sw_dem_elastic_energy(&stiffness, &history);
    sum[SW_DEM_SUM_STIFFNESS] += stiffness.kn * k.distance * k.distance;
#ifndef __CUDA_ARCH__
    if (rve->pair[p][0] >= sw_dem_grains(rve) || (rve->pair[p][1] & SW_DEM_PAIR_MASK) >= sw_dem_grains(rve))
        return; /* with a membrane: as with walls */
#endif
    for (int c = 0; c < SW_DEM_SIX; c++)
        sum[SW_DEM_SUM_FABRIC + c] += k.normal[sw_six_row(c)] * k.normal[sw_six_column(c)];
    sum[SW_DEM_SUM_CONTACTS] += 1;
    sum[SW_DEM_SUM_SLIDING] += (rve->touching[p] & SW_DEM_SLIDES) != 0;
    sum[SW_DEM_SUM_ROLLING] += (rve->touching[p] & SW_DEM_ROLLS) != 0;
    sum[SW_DEM_SUM_OVERLAP] += k.overlap;
    sum[SW_DEM_SUM_FORCE] += sqrt(sw_dem_dot(force, force));
    sum[SW_DEM_SUM_AREA] += stiffness.area;
    sum[SW_DEM_SUM_STRENGTH] += stiffness.strength;
}

/* What bounds a particle's time step: sums over its contacts of K_N + K_T over its mass, and of K_T r^2 and
 * the stiffnesses of moments over its moment of inertia; the larger one, 1/s^2. */
SW_HD_INLINE static inline double sw_dem_particle_frequency(int flows, const sw_dem_rve *rve, int64_t i)
{
    const double r = rve->radius[i];
    double shift = 0, turn = 0, branch[3];
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_history history;
    for (int32_t e = rve->list_first[i]; e < rve->list_first[i + 1]; e++) {
        const int32_t p = rve->list[e] >> 1;
        if (rve->touching[p] == 0)
            continue;
        sw_dem_branch(rve, p, branch);
        sw_dem_pair_kinematics(rve, p, branch, &k);
        sw_dem_load_history(flows, rve, p, &history);
        sw_dem_stiffnesses(flows, sw_dem_material_of_pair(rve, p), &k, 0, history.law, &stiffness);
        shift += stiffness.kn + stiffness.kt;
        turn += stiffness.kt * r * r + stiffness.k_roll + stiffness.k_twist;
    }
    if (flows)
        sw_dem_walls_stiffness(rve, i, &shift, &turn);
    turn *= 2.5 / (r * r);
    return (shift > turn ? shift : turn) / sw_dem_mass(rve, i);
}

/* NaN is larger than anything. */
SW_HD static inline void sw_dem_keep_larger(double value, double *largest)
{
    *largest = value > *largest || value != value ? value : *largest;
}

SW_HD_INLINE static inline void sw_dem_measure_particle(int flows, const sw_dem_rve *rve, int64_t i,
                                                        double sum[SW_DEM_SUMS],
                                                        double largest[SW_DEM_LARGESTS])
{
    const double r = rve->radius[i], mass = sw_dem_mass(rve, i);
    const double *v = rve->velocity[i], *w = rve->spin[i], *u = rve->displacement[i];
    double force[3], moment[3];
    const int contacts = sw_dem_gather(flows, rve, i, force, moment);
    if (!flows || sw_dem_clump_of(rve, i) < 0) {
        sum[SW_DEM_SUM_KINETIC] += 0.5 * mass * (sw_dem_dot(v, v) + 0.4 * r * r * sw_dem_dot(w, w));
        sum[SW_DEM_SUM_UNBALANCED] += sqrt(sw_dem_dot(force, force));
        sum[SW_DEM_SUM_RATTLERS] += contacts < 2;
        sum[SW_DEM_SUM_RATTLER_CONTACTS] += contacts == 1;
    }
    const double travel = sqrt(sw_dem_dot(u, u)), speed = sqrt(sw_dem_dot(v, v));
    const double acceleration = sqrt(sw_dem_dot(force, force)) / mass;
    sw_dem_keep_larger(travel, &largest[SW_DEM_LARGEST_TRAVEL]);
    sw_dem_keep_larger(speed, &largest[SW_DEM_LARGEST_SPEED]);
    sw_dem_keep_larger(acceleration, &largest[SW_DEM_LARGEST_ACCELERATION]);
    if (rve->numerics.step_rule != SW_DEM_STEP_WAVE)
        sw_dem_keep_larger(sw_dem_particle_frequency(flows, rve, i), &largest[SW_DEM_LARGEST_FREQUENCY]);
}

/* Everything of state.measured, from forces and positions of the present step. Synced. */
SW_HD_INLINE static inline void sw_dem_measure(const sw_team *team, sw_dem_rve *rve)
{
    double sum[SW_DEM_SUMS] = {0}, largest[SW_DEM_LARGESTS] = {0};
    sw_dem_state *state = rve->state;
    SW_TEAM_EACH (team, p, state->n_pairs)
        sw_dem_measure_pair(team->flows, rve, p, sum);
    SW_TEAM_EACH (team, i, sw_dem_grains(rve))
        sw_dem_measure_particle(team->flows, rve, i, sum, largest);
    for (int64_t c = team->rank; team->flows && c < rve->n_clumps; c += team->size)
        sw_dem_measure_clump(rve, c, sum);
    if (team->flows && rve->n_walls > 0)
        sw_dem_measure_walls(team, rve, sum);
    sw_team_reduce(team, SW_DEM_SUMS, 0, sum, state->sum);
    sw_team_reduce(team, SW_DEM_LARGESTS, 1, largest, state->largest);
#ifndef __CUDA_ARCH__
    if (rve->n_nodes > 0)
        sw_dem_measure_membrane(rve);
#endif
    if (team->rank == 0)
        sw_dem_cell_update(&state->cell); /* the volume that these sums belong to */
    sw_team_sync(team);
}

#endif
