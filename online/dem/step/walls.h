/* Walls: rigid bodies that particles meet beside each other, and gravity. Platens of sides are walls whose place the
 * cell says; others move by their velocity, or by a servo (control.h).
 *
 * A particle looks at every wall in every step: they are few. It is particle a of the contact frame, whose normal points
 * into the wall; forces and moments are those on the wall, the particle gets the opposite.
 *
 * Dimensions: P particles, W walls. */
#ifndef SW_ONLINE_DEM_STEP_WALLS_H
#define SW_ONLINE_DEM_STEP_WALLS_H

#include "pairs.h"
#ifndef __CUDA_ARCH__ /* meshes: refused with a GPU */
#include "online/dem/element/mesh.h"
#define SW_DEM_IS_MESH(w) ((w)->of.shape == SW_DEM_MESH)
#define SW_DEM_LANES(rve) ((rve)->lanes * (rve)->n_walls)
#define SW_DEM_WALL_OF(rve, lane) ((lane) % (rve)->n_walls)
#else
#define SW_DEM_IS_MESH(w) 0
#define SW_DEM_LANES(rve) ((rve)->n_walls)
#define SW_DEM_WALL_OF(rve, lane) (lane)
#endif

struct sw_dem_mesh_contact;

static_assert((int)SW_DEM_WALL_TOTALS <= (int)SW_TEAM_VALUES, "all walls at a time");

/* Radius of a wall's body, over a particle's: of what laws see as flat. */
#define SW_DEM_FLAT 1e12

/* ---- Where walls are ---- */

/* Velocity of a wall, m/s, without its servo's. */
SW_HD static inline void sw_dem_wall_velocity(const sw_dem_rve *rve, const sw_dem_wall_now *w, double v[3])
{
    const sw_dem_state *state = rve->state;
    for (int k = 0; k < 3; k++)
        v[k] = w->of.velocity[k];
    if (w->face >= 0 && w->face % 2 == 1) { /* goes with its vector, along which it looks */
        const int k = w->face / 2;
        v[k] = state->velocity_gradient[k][k] * state->cell.h[k][k];
    }
}

/* All walls by a step, the cell having moved. One thread of the team. */
SW_HD static inline void sw_dem_move_walls(sw_dem_rve *rve, double dt)
{
    for (int i = 0; i < rve->n_walls; i++) {
        sw_dem_wall_now *w = &rve->wall[i];
        const double servo = w->of.force_driven ? w->rate : 0;
        if (w->face >= 0) {
            const int k = w->face / 2;
            w->of.point[k] = w->face % 2 == 1 ? rve->state->cell.h[k][k] : 0;
            continue;
        }
        for (int k = 0; k < 3; k++)
            w->of.point[k] +=
                dt * (w->of.velocity[k] - (w->of.shape != SW_DEM_CYLINDER ? servo * w->of.axis[k] : 0));
        if (w->of.shape == SW_DEM_CYLINDER)
            w->of.radius += dt * (servo + (w->of.radius > 0 ? 1 : -1) * w->of.growth);
        w->travel += dt * servo;
    }
}

/* The most that a wall does towards particles, m/s. */
SW_HD static inline double sw_dem_fastest_wall(const sw_dem_rve *rve)
{
    double most = 0, v[3];
    for (int i = 0; i < rve->n_walls; i++) {
        const sw_dem_wall_now *w = &rve->wall[i];
        sw_dem_wall_velocity(rve, w, v);
        const double speed =
            sqrt(sw_dem_dot(v, v)) + fabs(w->of.growth) + (w->of.force_driven ? fabs(w->rate) : 0);
        most = speed > most ? speed : most;
    }
    return most;
}

/* ---- A particle at a wall ---- */

/* Geometry of a particle at a wall: overlap (m), unit normal into the wall; of a cylinder the distance from its axis, of a
 * plane infinite. */
SW_HD static inline double sw_dem_at_wall(const sw_dem_wall_now *w, const double x[3], double radius,
                                          double normal[3], double *overlap)
{
    const double *axis = w->of.axis;
    double from[3], square = 0, along = 0;
    for (int k = 0; k < 3; k++) {
        from[k] = x[k] - w->of.point[k];
        along += from[k] * axis[k];
    }
    if (w->of.shape == SW_DEM_PLANE) {
        for (int k = 0; k < 3; k++)
            normal[k] = -axis[k];
        *overlap = radius - along;
        return INFINITY;
    }
    for (int k = 0; k < 3; k++) {
        from[k] -= along * axis[k];
        square += from[k] * from[k];
    }
    const double distance = sqrt(square), inside = w->of.radius > 0 ? 1 : -1;
    *overlap = radius - inside * (fabs(w->of.radius) - distance);
    for (int k = 0; k < 3; k++)
        normal[k] = distance > 0 ? inside * from[k] / distance : 0;
    return distance;
}

/* Kinematics of a particle that meets a wall, and the wall's velocity there. The wall does not turn; what it is pressed
 * in lies in the particle, whose arm ends at the wall. */
SW_HD static inline void sw_dem_wall_kinematics(const sw_dem_rve *rve, const sw_dem_wall_now *w, int64_t i,
                                                const double normal[3], double overlap, double from_axis,
                                                sw_dem_kinematics *k, double wall[3])
{
    const double *v = rve->velocity[i], *spin = rve->spin[i], radius = rve->radius[i];
    const double servo = w->of.force_driven ? w->rate : 0;
    const double inside = w->of.shape == SW_DEM_CYLINDER && w->of.radius < 0 ? -1 : 1;
    double relative[3], arm_spin[3], rolling[3], slide[3];
    sw_dem_wall_velocity(rve, w, wall);
    for (int c = 0; c < 3;
         c++) /* more room is along the normal; a cylinder around which they are shrinks for it */
        wall[c] += SW_DEM_IS_MESH(w)
                       ? -servo * w->of.axis[c]
                       : (servo + (w->of.shape == SW_DEM_CYLINDER ? inside * w->of.growth : 0)) * normal[c];
    for (int c = 0; c < 3; c++) {
        k->normal[c] = normal[c];
        relative[c] = wall[c] - v[c];
        arm_spin[c] = (radius - overlap) * spin[c];
        k->relative_spin[c] = -spin[c];
    }
    k->radius_a = radius;
    k->radius_b = SW_DEM_FLAT * radius;
    k->overlap = overlap;
    k->distance = radius - overlap;
    const double closing = -sw_dem_dot(relative, normal), about = 0.5 * sw_dem_dot(spin, normal);
    k->closing = closing;
    k->strength_a = rve->law_numbers > 0 ? rve->strength[i] : 0;
    k->strength_b = INFINITY;
#ifndef __CUDA_ARCH__
    const sw_dem_crowd none = {0, 0};
    k->crowd_a = rve->coupled ? rve->crowd[i] : none;
    k->crowd_b = none;
#endif
    sw_dem_cross(arm_spin, normal, rolling);
    for (int c = 0; c < 3; c++) {
        slide[c] = relative[c] + closing * normal[c];
        k->slip_velocity[c] = slide[c] - rolling[c];
    }
    double turn[3] = {0, 0, 0};
    if (from_axis > 0 && from_axis < INFINITY) { /* the normal goes around with the particle */
        const double along = sw_dem_dot(slide, w->of.axis);
        for (int c = 0; c < 3; c++)
            slide[c] = -inside * (slide[c] - along * w->of.axis[c]) / from_axis;
        sw_dem_cross(normal, slide, turn);
    }
    for (int c = 0; c < 3; c++)
        k->turning[c] = turn[c] + about * normal[c];
}

/* Its material with the wall. */
SW_HD static inline const sw_dem_pair_material *sw_dem_material_at_wall(const sw_dem_rve *rve, int64_t i)
{
    return &rve->wall_material[rve->n_materials == 1 ? 0 : rve->material_of[i]];
}

/* Place of particle i with a wall's lane in arrays, of wall w lane w; histories of it lie n apart. */
SW_HD static inline int64_t sw_dem_wall_place(const sw_dem_rve *rve, int lane, int64_t i)
{
    return lane * rve->n_particles + i;
}
SW_HD static inline int64_t sw_dem_wall_places(const sw_dem_rve *rve)
{
    return SW_DEM_LANES(rve) * rve->n_particles;
}

/* They are apart, and forget. */
SW_HD static inline void sw_dem_wall_forget(const sw_dem_rve *rve, int64_t place)
{
    const sw_dem_history none = {{0, 0, 0}, {0, 0, 0}, 0, {0}};
    if (rve->wall_touching[place] != 0)
        sw_dem_write_history(1, rve, sw_dem_wall_places(rve), &none, rve->wall_history + place);
    rve->wall_touching[place] = 0;
}

#ifndef __CUDA_ARCH__
/* Of a contact with a mesh: the normal turns about the point that it goes through, or about its edge. */
static inline void sw_dem_mesh_turning(const sw_dem_rve *rve, const sw_dem_mesh_contact *at, int64_t i,
                                       const double wall[3], sw_dem_kinematics *k)
{
    double slide[3], turn[3];
    if (at->kind == SW_DEM_ON_FACE)
        return;
    for (int c = 0; c < 3; c++)
        slide[c] = wall[c] - rve->velocity[i][c] + k->closing * k->normal[c];
    const double along = sw_dem_dot(slide, at->along); /* of a corner 0 */
    for (int c = 0; c < 3; c++)
        slide[c] =
            at->kind == SW_DEM_ON_SEVERAL ? at->along[c] : (slide[c] - along * at->along[c]) / at->distance;
    sw_dem_cross(k->normal, slide, turn);
    for (int c = 0; c < 3; c++)
        k->turning[c] += turn[c];
}
#endif

/* Forces of one particle and one wall that overlap so, into result and history of a place. on: of a mesh, else NULL. */
SW_HD static inline void sw_dem_wall_contact(const sw_dem_rve *rve, const sw_dem_wall_now *wall,
                                             int64_t place, int64_t i, const double normal[3], double overlap,
                                             double from_axis, const struct sw_dem_mesh_contact *on,
                                             double dt, sw_dem_work *work)
{
    const int64_t apart = sw_dem_wall_places(rve);
    const int bound = rve->gap > 0 && rve->wall_touching[place] != 0; /* beyond touch: the law knows */
    double twist[3], speed[3], *result = rve->wall_result + 6 * place;
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_contact contact;
    sw_dem_history history;
    int touches = overlap > 0 || bound;
#ifndef __CUDA_ARCH__
    touches |= rve->coupled && overlap > rve->radius[i] - rve->crowd[i].radius;
#endif
    if (touches) {
        sw_dem_wall_kinematics(rve, wall, i, normal, overlap, from_axis, &k, speed);
#ifndef __CUDA_ARCH__
        if (on != NULL)
            sw_dem_mesh_turning(rve, on, i, speed, &k);
#endif
        sw_dem_read_history(1, rve, apart, rve->wall_history + place, &history);
        sw_dem_stiffnesses(1, sw_dem_material_at_wall(rve, i), &k, dt, history.law, &stiffness);
        touches = !stiffness.apart;
        work->plastic += stiffness.plastic_work;
    }
    if (!touches) {
        sw_dem_wall_forget(rve, place);
        return;
    }
    const sw_dem_pair_material *material = sw_dem_material_at_wall(rve, i);
    const double own = rve->state->own_friction ? material->friction : rve->state->friction;
    sw_dem_touch(material, wall->of.friction >= 0 ? wall->of.friction : own, dt, &k, &stiffness, &history,
                 &contact);
    sw_dem_write_history(1, rve, apart, &history, rve->wall_history + place);
    rve->wall_touching[place] = SW_DEM_TOUCHES;
    sw_dem_cross(normal, contact.force, twist);
    for (int c = 0; c < 3; c++) {
        result[c] = -contact.force[c];
        result[3 + c] = -(k.radius_a - overlap) * twist[c] - contact.moment[c];
        work->boundary -= contact.force[c] * speed[c] * dt;
    }
    work->friction += contact.friction_work;
    work->rolling += contact.rolling_work;
}

#ifndef __CUDA_ARCH__
#include "mesh_walls.h"
#endif

SW_HD static inline void sw_dem_wall_step(const sw_dem_rve *rve, int w, int64_t i, double dt,
                                          sw_dem_work *work)
{
    const sw_dem_wall_now *wall = &rve->wall[w];
    double normal[3], overlap;
#ifndef __CUDA_ARCH__
    if (i >= sw_dem_grains(rve)) /* nodes of a membrane meet no walls */
        return;
    if (SW_DEM_IS_MESH(wall)) {
        sw_dem_mesh_step(rve, w, i, dt, work);
        return;
    }
#endif
    const double from_axis = sw_dem_at_wall(wall, rve->position[i], rve->radius[i], normal, &overlap);
    sw_dem_wall_contact(rve, wall, sw_dem_wall_place(rve, w, i), i, normal, overlap, from_axis, NULL, dt,
                        work);
}

/* Not synced. */
SW_HD static inline void sw_dem_walls_step(const sw_team *team, const sw_dem_rve *rve, sw_dem_work *work)
{
    for (int w = 0; w < rve->n_walls; w++)
        SW_TEAM_EACH (team, i, rve->n_particles)
            sw_dem_wall_step(rve, w, i, rve->state->time_step, work);
}

/* What walls and gravity add to the force (N) and moment (N m) on particle i; the number of walls that it touches. */
SW_HD static inline int sw_dem_gather_walls(const sw_dem_rve *rve, int64_t i, double force[3],
                                            double moment[3])
{
    int contacts = 0;
    for (int l = 0; l < SW_DEM_LANES(rve); l++) {
        const int64_t place = sw_dem_wall_place(rve, l, i);
        if (rve->wall_touching[place] == 0)
            continue;
        contacts++;
        for (int k = 0; k < 3; k++) {
            force[k] += rve->wall_result[6 * place + k];
            moment[k] += rve->wall_result[6 * place + 3 + k];
        }
    }
    for (int k = 0; k < 3 && rve->heavy && sw_dem_clump_of(rve, i) < 0; k++) /* a clump has its own mass */
        force[k] += sw_dem_mass(rve, i) * rve->gravity[k];
    return contacts;
}

/* ---- What a particle bears ---- */

/* Resultant force (N) and moment (N m) on particle i, from its pairs in the order of its list, walls and gravity; the
 * number of contacts. */
SW_HD_INLINE static inline int sw_dem_gather(int flows, const sw_dem_rve *rve, int64_t i, double force[3],
                                             double moment[3])
{
    int contacts = 0;
    for (int k = 0; k < 3; k++)
        force[k] = moment[k] = 0;
    for (int32_t e = rve->list_first[i]; e < rve->list_first[i + 1]; e++) {
        contacts += rve->touching[rve->list[e] >> 1] !=
                    0; /* others bear nothing: nobody looks unless contacts count */
        for (int k = 0; k < 3; k++) {
            force[k] += sw_dem_borne(flows, rve, e, k);
            moment[k] += sw_dem_borne(flows, rve, e, 3 + k);
        }
    }
    return flows ? contacts + sw_dem_gather_walls(rve, i, force, moment) : contacts;
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

/* ---- Measurement ---- */

/* Stiffnesses and energy of a particle that touches a wall, as it is. */
SW_HD static inline void sw_dem_measure_at_wall(const sw_dem_rve *rve, int lane, int64_t i,
                                                sw_dem_kinematics *k, sw_dem_stiffness *stiffness,
                                                sw_dem_history *history)
{
    double normal[3], overlap, speed[3], from_axis = INFINITY;
    const int64_t place = sw_dem_wall_place(rve, lane, i);
    const sw_dem_wall_now *wall = &rve->wall[SW_DEM_WALL_OF(rve, lane)];
#ifndef __CUDA_ARCH__
    double stored = 1;
    if (SW_DEM_IS_MESH(wall))
        sw_dem_mesh_measure(rve, wall, place, i, normal, &overlap, &stored);
    else
#endif
        from_axis = sw_dem_at_wall(wall, rve->position[i], rve->radius[i], normal, &overlap);
    sw_dem_wall_kinematics(rve, wall, i, normal, overlap, from_axis, k, speed);
    sw_dem_read_history(1, rve, sw_dem_wall_places(rve), rve->wall_history + place, history);
    sw_dem_stiffnesses(1, sw_dem_material_at_wall(rve, i), k, 0, history->law, stiffness);
#ifndef __CUDA_ARCH__
    stiffness->normal_energy *= stored;
#endif
}

/* Adds the walls' to what bounds a particle's time step: sw_dem_particle_frequency. */
SW_HD static inline void sw_dem_walls_stiffness(const sw_dem_rve *rve, int64_t i, double *shift, double *turn)
{
    const double r = rve->radius[i];
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_history history;
    for (int l = 0; l < SW_DEM_LANES(rve); l++) {
        if (rve->wall_touching[sw_dem_wall_place(rve, l, i)] == 0)
            continue;
        sw_dem_measure_at_wall(rve, l, i, &k, &stiffness, &history);
        *shift += stiffness.kn + stiffness.kt;
        *turn += stiffness.kt * r * r + stiffness.k_roll + stiffness.k_twist;
    }
}

/* Contacts with walls into the element's sums (stress, whose branch ends at the wall, energy, stiffness) and their own.
 * Synced. */
SW_HD static inline void sw_dem_measure_walls(const sw_team *team, sw_dem_rve *rve, double sum[SW_DEM_SUMS])
{
    double own[SW_DEM_WALL_TOTALS] = {0};
    const int n = rve->n_walls * SW_DEM_WALL_SUMS;
    sw_dem_kinematics k;
    sw_dem_stiffness stiffness;
    sw_dem_history history;
    for (int l = 0; l < SW_DEM_LANES(rve); l++)
        SW_TEAM_EACH (team, i, rve->n_particles) {
            const int64_t place = sw_dem_wall_place(rve, l, i);
            const int w = SW_DEM_WALL_OF(rve, l);
            if (rve->wall_touching[place] == 0)
                continue;
            sw_dem_measure_at_wall(rve, l, i, &k, &stiffness, &history);
            for (int c = 0; c < 9; c++)
                sum[SW_DEM_SUM_STRESS + c] -=
                    rve->wall_result[6 * place + c / 3] *
                    (k.distance * k.normal[c % 3] + (rve->n_clumps > 0 ? rve->arm[i][c % 3] : 0));
            sum[SW_DEM_SUM_ELASTIC] += sw_dem_elastic_energy(&stiffness, &history);
            sum[SW_DEM_SUM_STIFFNESS] += stiffness.kn * k.distance * k.distance;
            if (SW_DEM_IS_MESH(&rve->wall[w])) { /* against its axis */
                const double *axis = rve->wall[w].of.axis, part = sw_dem_dot(k.normal, axis);
                own[w * SW_DEM_WALL_SUMS + SW_DEM_WALL_FORCE] +=
                    sw_dem_dot(rve->wall_result + 6 * place, axis);
                own[w * SW_DEM_WALL_SUMS + SW_DEM_WALL_STIFFNESS] += stiffness.kn * part * part;
            } else {
                own[w * SW_DEM_WALL_SUMS + SW_DEM_WALL_FORCE] -=
                    sw_dem_dot(rve->wall_result + 6 * place, k.normal);
                own[w * SW_DEM_WALL_SUMS + SW_DEM_WALL_STIFFNESS] += stiffness.kn;
            }
            own[n] += 1;
        }
    sw_team_reduce(team, n + 1, 0, own, rve->state->wall_sum);
}

/* ---- Servo ---- */

/* Rates of walls that are driven by force, after a measurement, as those of stress-driven components (control.h): a part
 * of the error by the contacts' stiffness in an interval (s), and the sum of past ones. */
SW_HD static inline void sw_dem_drive_walls(sw_dem_rve *rve, double interval)
{
    for (int i = 0; i < rve->n_walls; i++) {
        sw_dem_wall_now *w = &rve->wall[i];
        w->force = rve->state->wall_sum[i * SW_DEM_WALL_SUMS + SW_DEM_WALL_FORCE];
        w->stiffness = rve->state->wall_sum[i * SW_DEM_WALL_SUMS + SW_DEM_WALL_STIFFNESS];
        if (!w->of.force_driven)
            continue;
        const double off = w->force - w->of.force, part = rve->numerics.servo_gain * off;
        const double stiff = w->stiffness * interval, most = w->of.max_speed;
        w->rate = off > 0 ? most : off < 0 ? -most : 0; /* also where nothing touches */
        if (fabs(part + w->learnt * stiff) < most * stiff) {
            w->rate = part / stiff + w->learnt;
            w->learnt += rve->numerics.servo_gain / 12 * part / stiff;
        }
    }
}

#endif
