/* One step of an element, by its team: forces of all pairs, then motion of all particles; and what is
 * measured of them. Semi-implicit Euler, velocities half a step behind positions: Lubbe et al. 2022,
 * section 4.
 *
 * A particle's velocity here is its fluctuation: x' = L x + v with m v' = f (the affine field's acceleration
 * is imposed, Eqs. 16-18). Sums over a particle's pairs run in the order of its list, so results do not
 * depend on the team's size but in sums over the element. Dimensions: P particles, C pairs. */
#ifndef SW_ONLINE_DEM_STEP_STEP_H
#define SW_ONLINE_DEM_STEP_STEP_H

#include <assert.h>
#include <string.h>

#include "common/math/six.h"
#include "online/dem/element/rve.h"
#include "online/dem/element/team.h"

static_assert((int)SW_DEM_SUMS <= (int)SW_TEAM_VALUES, "all sums of a measurement at a time");

/* Energies of a team's thread since the last measurement, J. */
typedef struct {
    double boundary, friction, rolling, damping, plastic;
} sw_dem_work;

/* Member k of pair p's result. A pair's lie together: by member, so that a GPU's neighbouring threads write
 * to neighbouring places, took 10 % longer, because particles read them pair by pair. */
#define SW_DEM_RESULT(rve, k, p) (rve)->result[SW_DEM_RESULTS * (p) + (k)]

/* flows: 0 where no law is one that remembers numbers. */
SW_HD static inline void sw_dem_load_history(int flows, const sw_dem_rve *rve, int64_t p, sw_dem_history *h)
{
    const int64_t c = rve->pair_capacity;
    const double *from = rve->history + p;
    double number[SW_DEM_SPRINGS];
    for (int k = 0; k < SW_DEM_SPRINGS; k++)
        number[k] = from[k * c];
    memcpy(h, number, sizeof number);
    for (int k = 0; k < SW_DEM_LAW_NUMBERS; k++) /* of known length, so that they stay in registers */
        h->law[k] = flows && k < rve->law_numbers ? from[(SW_DEM_SPRINGS + k) * c] : 0;
}

SW_HD static inline void sw_dem_store_history(int flows, const sw_dem_rve *rve, int64_t p,
                                              const sw_dem_history *h)
{
    const int64_t c = rve->pair_capacity;
    double *to = rve->history + p, number[SW_DEM_SPRINGS];
    memcpy(number, h, sizeof number);
    for (int k = 0; k < SW_DEM_SPRINGS; k++)
        to[k * c] = number[k];
    for (int k = 0; k < SW_DEM_LAW_NUMBERS; k++)
        if (flows && k < rve->law_numbers)
            to[(SW_DEM_SPRINGS + k) * c] = h->law[k];
}

/* ---- Pairs ---- */

/* Vector from a's centre to b's image. */
SW_HD static inline void sw_dem_branch(const sw_dem_rve *rve, int64_t p, double branch[3])
{
    const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
    const int code = rve->pair[p][1] >> SW_DEM_PAIR_BITS;
    if (rve->image_capacity > 0) {
        const int32_t image = rve->pair_image[p];
        for (int k = 0; k < 3; k++)
            branch[k] = rve->position[image][k] - rve->position[a][k];
        return;
    }
    for (int k = 0; k < 3; k++)
        branch[k] = rve->position[b][k] - rve->position[a][k];
    if (code != SW_DEM_NO_SHIFT) {
        double shift[3];
        sw_dem_cell_shift(&rve->state->cell, code, shift);
        for (int k = 0; k < 3; k++)
            branch[k] += shift[k];
    }
}

/* Kinematics of a pair that touches, branch known. The point of contact lies in the middle of the overlap, so
 * that both arms add up to the distance and angular momentum is kept. */
SW_HD static inline void sw_dem_pair_kinematics(const sw_dem_rve *rve, int64_t p, const double branch[3],
                                                sw_dem_kinematics *k)
{
    const int32_t a = rve->pair[p][0], b = rve->pair[p][1] & SW_DEM_PAIR_MASK;
    const double(*l)[3] = (const double(*)[3])rve->state->velocity_gradient;
    const double *va = rve->velocity[a], *vb = rve->velocity[b], *wa = rve->spin[a], *wb = rve->spin[b];
    const double square = sw_dem_dot(branch, branch), inverse = sw_dem_inverse_root(square);
    double relative[3], arm_spin[3], rolling[3], orbit[3];
    k->radius_a = rve->radius[a];
    k->radius_b = rve->radius[b];
    k->distance = square * inverse;
    k->overlap = k->radius_a + k->radius_b - k->distance;
    for (int i = 0; i < 3; i++)
        k->normal[i] = branch[i] * inverse;
    const double arm_a = k->radius_a - 0.5 * k->overlap, arm_b = k->radius_b - 0.5 * k->overlap;
    for (int i = 0; i < 3; i++) {
        relative[i] = vb[i] - va[i] + l[i][0] * branch[0] + l[i][1] * branch[1] + l[i][2] * branch[2];
        arm_spin[i] = arm_a * wa[i] + arm_b * wb[i];
        k->relative_spin[i] = wb[i] - wa[i];
    }
    sw_dem_cross(arm_spin, k->normal, rolling);
    sw_dem_cross(k->normal, relative, orbit);
    const double along = sw_dem_dot(relative, k->normal); /* rolling has no normal part */
    k->closing = -along;
    k->strength_a = rve->law_numbers > 0 ? rve->strength[a] : 0;
    k->strength_b = rve->law_numbers > 0 ? rve->strength[b] : 0;
    const double spin = 0.5 * (sw_dem_dot(wa, k->normal) + sw_dem_dot(wb, k->normal));
    for (int i = 0; i < 3; i++) {
        k->slip_velocity[i] = relative[i] - along * k->normal[i] - rolling[i];
        k->turning[i] = orbit[i] * inverse + spin * k->normal[i];
    }
}

/* What the particles' materials make of the pair. */
SW_HD static inline const sw_dem_pair_material *sw_dem_material_of_pair(const sw_dem_rve *rve, int64_t p)
{
    if (rve->n_materials == 1)
        return &rve->pair_material[0][0];
    return &rve->pair_material[rve->material_of[rve->pair[p][0]]]
                              [rve->material_of[rve->pair[p][1] & SW_DEM_PAIR_MASK]];
}

/* A pair touches no more, and forgets. */
SW_HD static inline void sw_dem_part(int flows, const sw_dem_rve *rve, int64_t p)
{
    const sw_dem_history none = {{0, 0, 0}, {0, 0, 0}, 0, {0}};
    if (rve->touching[p] == 0)
        return;
    rve->touching[p] = 0;
    sw_dem_store_history(flows, rve, p, &none);
}

/* Forces of one pair, into its result and history. */
SW_HD static inline void sw_dem_pair_step(int flows, const sw_dem_rve *rve, int64_t p, double friction,
                                          double dt, sw_dem_work *work)
{
    const double reach = rve->radius[rve->pair[p][0]] + rve->radius[rve->pair[p][1] & SW_DEM_PAIR_MASK];
    sw_dem_history history;
    double branch[3], twist[3], power = 0;
    sw_dem_branch(rve, p, branch);
    const double square = sw_dem_dot(branch, branch);
    const int bound = flows && rve->gap > 0 && rve->touching[p] != 0; /* beyond touch: the law knows */
    if (!(square < reach * reach) && !bound) { /* too far, or not a number: then the motion finds out */
        sw_dem_part(flows, rve, p);
        return;
    }
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_contact contact;
    const sw_dem_pair_material *material = sw_dem_material_of_pair(rve, p);
    sw_dem_pair_kinematics(rve, p, branch, &k);
    sw_dem_load_history(flows, rve, p, &history);
    sw_dem_stiffnesses(flows, material, &k, dt, history.law, &stiffness);
    if (flows && stiffness.apart) {
        work->plastic += stiffness.plastic_work;
        sw_dem_part(flows, rve, p);
        return;
    }
    sw_dem_touch(material, rve->state->own_friction ? material->friction : friction, dt, &k, &stiffness,
                 &history, &contact);
    sw_dem_store_history(flows, rve, p, &history);
    rve->touching[p] = (uint8_t)(SW_DEM_TOUCHES | (contact.sliding ? SW_DEM_SLIDES : 0) |
                                 (contact.rolling ? SW_DEM_ROLLS : 0));
    sw_dem_cross(k.normal, contact.force, twist); /* both particles are turned the same way */
    for (int i = 0; i < 3; i++) {
        SW_DEM_RESULT(rve, i, p) = contact.force[i];
        SW_DEM_RESULT(rve, 3 + i, p) = -(k.radius_a - 0.5 * k.overlap) * twist[i] - contact.moment[i];
        SW_DEM_RESULT(rve, 6 + i, p) = -(k.radius_b - 0.5 * k.overlap) * twist[i] + contact.moment[i];
    }
    const double(*l)[3] = (const double(*)[3])rve->state->velocity_gradient;
    for (int i = 0; i < 3; i++)
        power -= contact.force[i] * (l[i][0] * branch[0] + l[i][1] * branch[1] + l[i][2] * branch[2]);
    work->boundary += power * dt;
    work->friction += contact.friction_work;
    work->rolling += contact.rolling_work;
    work->plastic += stiffness.plastic_work;
}

/* Not synced. */
SW_HD static inline void sw_dem_pairs_step(const sw_team *team, const sw_dem_rve *rve, sw_dem_work *work)
{
    const double friction = rve->state->friction, dt = rve->state->time_step;
    SW_TEAM_EACH (team, p, rve->state->n_pairs)
        sw_dem_pair_step(team->flows, rve, p, friction, dt, work);
}

/* ---- Particles ---- */

/* kg */
SW_HD static inline double sw_dem_mass(const sw_dem_rve *rve, int64_t i)
{
    const double r = rve->radius[i];
    return rve->material[rve->n_materials == 1 ? 0 : rve->material_of[i]].density * (4.0 / 3.0) *
           3.14159265358979323846 * r * r * r;
}

/* Resultant force (N) and moment (N m) on particle i, from its pairs in the order of its list; the number of
 * those that touch. */
SW_HD static inline int sw_dem_gather(const sw_dem_rve *rve, int64_t i, double force[3], double moment[3])
{
    int contacts = 0;
    for (int k = 0; k < 3; k++)
        force[k] = moment[k] = 0;
    for (int32_t e = rve->list_first[i]; e < rve->list_first[i + 1]; e++) {
        const int32_t p = rve->list[e] >> 1, is_b = rve->list[e] & 1;
        if (rve->touching[p] == 0)
            continue;
        const double sign = is_b ? 1 : -1;
        contacts++;
        for (int k = 0; k < 3; k++) {
            force[k] += sign * SW_DEM_RESULT(rve, k, p);
            moment[k] += SW_DEM_RESULT(rve, 3 + 3 * is_b + k, p);
        }
    }
    return contacts;
}

SW_HD static inline double sw_dem_sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* One component's new velocity from its old one and its undamped acceleration; the energy that damping took,
 * for a unit mass. Eqs. 9b and 9c component by component, or against the velocity itself. */
SW_HD static inline double sw_dem_accelerate(const sw_dem_numerics *numerics, double dt, double velocity,
                                             double acceleration, double *taken)
{
    const double against =
        numerics->damping_form == SW_DEM_DAMPING_PREDICTED ? velocity + 0.5 * dt * acceleration : velocity;
    const double damping = numerics->damping * fabs(acceleration) * sw_dem_sign(against);
    const double next = velocity + dt * (acceleration - damping);
    *taken += damping * 0.5 * (velocity + next) * dt;
    return next;
}

/* Eqs. 9a-9d and 18, for one particle. */
SW_HD static inline void sw_dem_move(const sw_dem_rve *rve, int64_t i, double dt, sw_dem_work *work)
{
    const double r = rve->radius[i], mass = sw_dem_mass(rve, i);
    const double inertia = 0.4 * mass * r * r, per_mass = 1 / mass, per_inertia = 2.5 * per_mass / (r * r);
    double *x = rve->position[i], *v = rve->velocity[i], *w = rve->spin[i], *u = rve->displacement[i];
    double force[3], moment[3], moved[3], taken = 0, taken_by_spin = 0;
    sw_dem_gather(rve, i, force, moment);
    sw_dem_affine((const double(*)[3])rve->state->velocity_gradient, dt, x, moved);
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
}

/* All particles, and the cell with them; images follow. Synced before (forces), not after. */
SW_HD static inline void sw_dem_particles_step(const sw_team *team, sw_dem_rve *rve, sw_dem_work *work)
{
    sw_dem_state *state = rve->state;
    const double dt = state->time_step;
    SW_TEAM_EACH (team, i, rve->n_particles)
        sw_dem_move(rve, i, dt, work);
    if (team->rank == 0) { /* nobody else looks at these here */
        double old[3][3];
        sw_dem_cell_deform(&state->cell, (const double(*)[3])state->velocity_gradient, dt);
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                old[i][j] = state->reference[i][j];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    state->reference[i][j] += dt * state->velocity_gradient[i][k] * old[k][j];
        state->time += dt;
        state->step++;
        state->stage_step++;
    }
}

/* ---- Measurement ---- */

SW_HD static inline void sw_dem_measure_pair(int flows, const sw_dem_rve *rve, int64_t p,
                                             double sum[SW_DEM_SUMS])
{
    if (rve->touching[p] == 0)
        return;
    double branch[3], force[3];
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_history history;
    sw_dem_branch(rve, p, branch);
    sw_dem_pair_kinematics(rve, p, branch, &k);
    sw_dem_load_history(flows, rve, p, &history);
    sw_dem_stiffnesses(flows, sw_dem_material_of_pair(rve, p), &k, 0, history.law, &stiffness);
    for (int i = 0; i < 3; i++)
        force[i] = SW_DEM_RESULT(rve, i, p);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum[SW_DEM_SUM_STRESS + 3 * i + j] += force[i] * branch[j]; /* Eq. 11 */
    for (int c = 0; c < SW_DEM_SIX; c++)
        sum[SW_DEM_SUM_FABRIC + c] += k.normal[sw_six_row(c)] * k.normal[sw_six_column(c)];
    sum[SW_DEM_SUM_CONTACTS] += 1;
    sum[SW_DEM_SUM_SLIDING] += (rve->touching[p] & SW_DEM_SLIDES) != 0;
    sum[SW_DEM_SUM_ROLLING] += (rve->touching[p] & SW_DEM_ROLLS) != 0;
    sum[SW_DEM_SUM_OVERLAP] += k.overlap;
    sum[SW_DEM_SUM_FORCE] += sqrt(sw_dem_dot(force, force));
    sum[SW_DEM_SUM_ELASTIC] += sw_dem_elastic_energy(&stiffness, &history);
    sum[SW_DEM_SUM_STIFFNESS] += stiffness.kn * k.distance * k.distance;
    sum[SW_DEM_SUM_AREA] += stiffness.area;
    sum[SW_DEM_SUM_STRENGTH] += stiffness.strength;
}

/* What bounds a particle's time step: sums over its contacts of K_N + K_T over its mass, and of K_T r^2 and
 * the stiffnesses of moments over its moment of inertia; the larger one, 1/s^2. */
SW_HD static inline double sw_dem_particle_frequency(int flows, const sw_dem_rve *rve, int64_t i)
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
    turn *= 2.5 / (r * r);
    return (shift > turn ? shift : turn) / sw_dem_mass(rve, i);
}

/* NaN is larger than anything. */
SW_HD static inline void sw_dem_keep_larger(double value, double *largest)
{
    *largest = value > *largest || value != value ? value : *largest;
}

SW_HD static inline void sw_dem_measure_particle(int flows, const sw_dem_rve *rve, int64_t i,
                                                 double sum[SW_DEM_SUMS], double largest[SW_DEM_LARGESTS])
{
    const double r = rve->radius[i], mass = sw_dem_mass(rve, i);
    const double *v = rve->velocity[i], *w = rve->spin[i], *u = rve->displacement[i];
    double force[3], moment[3];
    const int contacts = sw_dem_gather(rve, i, force, moment);
    sum[SW_DEM_SUM_KINETIC] += 0.5 * mass * (sw_dem_dot(v, v) + 0.4 * r * r * sw_dem_dot(w, w));
    sum[SW_DEM_SUM_UNBALANCED] += sqrt(sw_dem_dot(force, force));
    sum[SW_DEM_SUM_RATTLERS] += contacts < 2;
    sum[SW_DEM_SUM_RATTLER_CONTACTS] += contacts == 1;
    const double travel = sqrt(sw_dem_dot(u, u)), speed = sqrt(sw_dem_dot(v, v));
    const double acceleration = sqrt(sw_dem_dot(force, force)) / mass;
    sw_dem_keep_larger(travel, &largest[SW_DEM_LARGEST_TRAVEL]);
    sw_dem_keep_larger(speed, &largest[SW_DEM_LARGEST_SPEED]);
    sw_dem_keep_larger(acceleration, &largest[SW_DEM_LARGEST_ACCELERATION]);
    if (rve->numerics.step_rule != SW_DEM_STEP_WAVE)
        sw_dem_keep_larger(sw_dem_particle_frequency(flows, rve, i), &largest[SW_DEM_LARGEST_FREQUENCY]);
}

/* Everything of state.measured, from forces and positions of the present step. Synced. */
SW_HD static inline void sw_dem_measure(const sw_team *team, sw_dem_rve *rve)
{
    double sum[SW_DEM_SUMS] = {0}, largest[SW_DEM_LARGESTS] = {0};
    sw_dem_state *state = rve->state;
    SW_TEAM_EACH (team, p, state->n_pairs)
        sw_dem_measure_pair(team->flows, rve, p, sum);
    SW_TEAM_EACH (team, i, rve->n_particles)
        sw_dem_measure_particle(team->flows, rve, i, sum, largest);
    sw_team_reduce(team, SW_DEM_SUMS, 0, sum, state->sum);
    sw_team_reduce(team, SW_DEM_LARGESTS, 1, largest, state->largest);
    if (team->rank == 0)
        sw_dem_cell_update(&state->cell); /* the volume that these sums belong to */
    sw_team_sync(team);
}

#endif
