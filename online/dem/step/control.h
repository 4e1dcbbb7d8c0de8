/* What happens to an element between control intervals: records, the end of stages, the servo, the time step,
 * and whether the Verlet list is still good. Done by one member of the team. Lubbe et al. 2022, sections
 * 5, 6.
 *
 * The servo sets the strain rate of each stress-driven component: a part that would correct servo_gain of the
 * error in one interval if all contacts moved affinely (the true stiffness is k <= 1 of that), and the sum of
 * past ones, which learns a steady rate: lateral strain at constant axial rate leaves no error. With the
 * sum's gain g^2 / 12 for servo_gain g the loop is damped by sqrt(3 k) of critical. */
#ifndef SW_ONLINE_DEM_STEP_CONTROL_H
#define SW_ONLINE_DEM_STEP_CONTROL_H

#include "common/math/strain_rate.h"
#include "online/dem/neighbours/neighbours.h"
#include "crowding.h"

SW_HD static inline const sw_dem_stage *sw_dem_present_stage(const sw_dem_rve *rve)
{
    return &rve->stage[rve->state->stage];
}

SW_HD static inline double sw_dem_void_ratio(const sw_dem_rve *rve, double volume)
{
    return volume / rve->solid_volume - 1;
}

SW_HD static inline double sw_dem_pressure(const sw_dem_state *state)
{
    return (state->stress[0][0] + state->stress[1][1] + state->stress[2][2]) / 3;
}

/* Stress component c of six: of the shear ones the symmetric part. */
SW_HD static inline double sw_dem_stress_component(const sw_dem_state *state, int c)
{
    const int i = sw_six_row(c), j = sw_six_column(c);
    return 0.5 * (state->stress[i][j] + state->stress[j][i]);
}

/* sqrt(3/2 s:s) of six components: Eq. 12b, and with shear. */
SW_HD static inline double sw_dem_deviator(const double six[SW_DEM_SIX])
{
    const double a = six[0] - six[1], b = six[0] - six[2], c = six[1] - six[2];
    const double shear = six[3] * six[3] + six[4] * six[4] + six[5] * six[5];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

/* sqrt(2/3 D:D), 1/s: of the whole D, since compaction is volume strain */
SW_HD static inline double sw_dem_rate_size(const double l[3][3])
{
    return sqrt((2.0 / 3.0) * sw_symmetric_square(l));
}

/* ---- Records ---- */

/* Members NAME_11 .. NAME_12 of a row. */
#define SW_DEM_SET_SIX(row, name, six) \
    do {                               \
        (row)->name##_11 = (six)[0];   \
        (row)->name##_22 = (six)[1];   \
        (row)->name##_33 = (six)[2];   \
        (row)->name##_23 = (six)[3];   \
        (row)->name##_13 = (six)[4];   \
        (row)->name##_12 = (six)[5];   \
    } while (0)

/* Of wall k beside the sides: the force that it is pressed with, N; its servo's travel, m; 0 of one that is not there. */
SW_HD static inline double sw_dem_free_wall(const sw_dem_rve *rve, int k, double *travel)
{
    const int w = rve->n_platens + k;
    *travel = w < rve->n_walls ? rve->wall[w].travel : 0;
    return w < rve->n_walls ? rve->state->wall_sum[w * SW_DEM_WALL_SUMS + SW_DEM_WALL_FORCE] : 0;
}

SW_HD static inline void sw_dem_fill_walls(const sw_dem_rve *rve, sw_dem_row *row)
{
    double travel;
    row->wall_contacts = rve->n_walls > 0 ? rve->state->wall_sum[rve->n_walls * SW_DEM_WALL_SUMS] : 0;
#define SW_DEM_WALL_ROW(k)                                       \
    row->wall_force_##k = sw_dem_free_wall(rve, (k)-1, &travel); \
    row->wall_travel_##k = travel;
    SW_DEM_WALL_ROW(1)
    SW_DEM_WALL_ROW(2)
    SW_DEM_WALL_ROW(3)
    SW_DEM_WALL_ROW(4)
#undef SW_DEM_WALL_ROW
}

/* The mean resultant of a body over the mean force of a contact, or, where bodies touch walls alone, over that of a wall's; 0: nothing
 * touches. */
SW_HD static inline double sw_dem_unbalanced_force(const sw_dem_rve *rve)
{
    const double *sum = rve->state->sum, *wall = rve->state->wall_sum;
    double touching = sum[SW_DEM_SUM_CONTACTS], force = sum[SW_DEM_SUM_FORCE];
    if (touching == 0 && rve->n_walls > 0) {
        touching = wall[rve->n_walls * SW_DEM_WALL_SUMS];
        force = 0;
        for (int w = 0; w < rve->n_walls; w++)
            force += fabs(wall[w * SW_DEM_WALL_SUMS + SW_DEM_WALL_FORCE]);
    }
    const double left = sum[SW_DEM_SUM_UNBALANCED] / (double)rve->n_bodies;
    return touching == 0 || left == 0
               ? 0
               : left / (force / touching); /* infinite where a mesh bears nothing along its axis */
}

/* What the last measurement says. */
SW_HD static inline void sw_dem_fill_row(const sw_dem_rve *rve, sw_dem_row *row)
{
    const sw_dem_state *state = rve->state;
    const double *sum = state->sum, contacts = sum[SW_DEM_SUM_CONTACTS], n = (double)rve->n_bodies;
    const double some = contacts > 0 ? contacts : 1, pressure = sw_dem_pressure(state);
    const double *strain = state->seen_strain;
    double stress[SW_DEM_SIX], fabric[SW_DEM_SIX], rate = 0;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        stress[c] = sw_dem_stress_component(state, c);
        fabric[c] = sum[SW_DEM_SUM_FABRIC + c] / some;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double d = 0.5 * (state->velocity_gradient[i][j] + state->velocity_gradient[j][i]);
            rate += 0.5 * d * d;
        }
    row->time = state->seen_time;
    row->stage = state->stage;
    row->step = (double)state->step;
    SW_DEM_SET_SIX(row, strain, strain);
    SW_DEM_SET_SIX(row, stress, stress);
    SW_DEM_SET_SIX(row, fabric, fabric);
    row->pressure = pressure;
    row->deviator = sw_dem_deviator(stress);
    row->volume_strain = -log(sw_dem_room(rve) / state->volume0);
    row->deviator_strain = (2.0 / 3.0) * sw_dem_deviator(strain);
    row->void_ratio = sw_dem_void_ratio(rve, sw_dem_room(rve));
    row->relative_density = rve->solid_volume / sw_dem_room(rve);
    row->contacts = contacts;
    row->coordination = 2 * contacts / n;
    const double carrying = n - sum[SW_DEM_SUM_RATTLERS];
    row->mechanical_coordination =
        carrying > 0 ? (2 * contacts - sum[SW_DEM_SUM_RATTLER_CONTACTS]) / carrying : 0;
    row->sliding_fraction = sum[SW_DEM_SUM_SLIDING] / some;
    row->rolling_fraction = sum[SW_DEM_SUM_ROLLING] / some;
    row->mean_overlap = sum[SW_DEM_SUM_OVERLAP] / some / rve->mean_radius;
    row->unbalanced_force = sw_dem_unbalanced_force(rve);
    row->inertia_number =
        pressure > 0 ? sqrt(rate) * 2 * rve->mean_radius * sqrt(rve->material[0].density / pressure) : 0;
    row->servo_error = state->servo_error;
    row->kinetic_energy = sum[SW_DEM_SUM_KINETIC];
    row->elastic_energy = sum[SW_DEM_SUM_ELASTIC];
    row->boundary_work = state->work[SW_DEM_WORK_BOUNDARY];
    row->friction_work = state->work[SW_DEM_WORK_FRICTION];
    row->rolling_work = state->work[SW_DEM_WORK_ROLLING];
    row->plastic_work = state->work[SW_DEM_WORK_PLASTIC];
    row->contact_area =
        sum[SW_DEM_SUM_AREA] / some / (3.14159265358979323846 * rve->mean_radius * rve->mean_radius);
    sw_dem_fill_walls(rve, row);
    row->crystal_work = state->crystal_work;
    row->particle_strain = state->crystal_strain;
    row->slip_resistance = state->crystal_resistance;
    row->strength = sum[SW_DEM_SUM_STRENGTH] / some;
    row->damping_work = state->work[SW_DEM_WORK_DAMPING];
    row->friction = state->friction;
    row->time_step = state->time_step;
    row->pairs = (double)state->n_pairs;
    row->rebuilds = (double)state->rebuilds;
}

/* ---- Stages ---- */

/* Target of component c at present. */
SW_HD static inline double sw_dem_target(const sw_dem_rve *rve, int c)
{
    const sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const double passed = state->time - state->stage_time;
    const double part = stage->ramp > 0 && passed < stage->ramp ? passed / stage->ramp : 1;
    const double own = state->stage_stress[c] + part * (stage->stress[c] - state->stage_stress[c]);
    return stage->follow[c] == 0 ? own
                                 : own + stage->follow[c] * sw_dem_stress_component(state, stage->component);
}

/* Largest target of a stress-driven component, Pa. */
SW_HD static inline double sw_dem_largest_target(const sw_dem_rve *rve)
{
    double largest = 0;
    for (int c = 0; c < SW_DEM_SIX; c++)
        if (sw_dem_present_stage(rve)->stress_driven[c]) {
            const double target = fabs(sw_dem_target(rve, c));
            largest = target > largest ? target : largest;
        }
    return largest;
}

/* Whether all stress-driven components are at their targets, within the stage's tolerance of the largest. */
SW_HD static inline int sw_dem_on_target(const sw_dem_rve *rve)
{
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const double bound = stage->stress_tolerance * sw_dem_largest_target(rve);
    for (int c = 0; c < SW_DEM_SIX; c++)
        if (stage->stress_driven[c] &&
            !(fabs(sw_dem_stress_component(rve->state, c) - sw_dem_target(rve, c)) <= bound))
            return 0;
    return 1;
}

/* Largest |stress - target| of stress-driven components over their largest target (over the mean stress where all
 * are 0); 0 where none is driven. */
SW_HD static inline double sw_dem_stress_error(const sw_dem_rve *rve)
{
    const double target = sw_dem_largest_target(rve);
    const double scale = target > 0 ? target : fabs(sw_dem_pressure(rve->state));
    double largest = 0;
    for (int c = 0; c < SW_DEM_SIX; c++)
        if (sw_dem_present_stage(rve)->stress_driven[c]) {
            const double error = fabs(sw_dem_stress_component(rve->state, c) - sw_dem_target(rve, c));
            largest = error > largest ? error : largest;
        }
    return scale > 0 ? largest / scale : 0;
}

/* Stresses are held from where they first are within SW_DEM_HELD of their targets, which stand still by then: ramps
 * and the way to a target are no errors. The mean is over some SW_DEM_SERVO_MEAN measurements: one avalanche, which
 * the servo has mended a few intervals later, does not count. */
#define SW_DEM_HELD 0.05
#define SW_DEM_SERVO_MEAN 128

/* Takes the last measurement's error down, 0 until stresses are held. */
SW_HD static inline void sw_dem_watch_servo(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const double error = sw_dem_stress_error(rve);
    if (state->time - state->stage_time >= sw_dem_present_stage(rve)->ramp && error <= SW_DEM_HELD)
        state->held = 1;
    state->servo_error = state->held ? error : 0;
    state->servo_mean += (state->servo_error - state->servo_mean) / SW_DEM_SERVO_MEAN;
}

/* Whether stresses that were held are lost, in a stage that does not end by them: equilibrium waits for them, and
 * falling friction lets the packing collapse on purpose. */
SW_HD static inline int sw_dem_servo_lost(const sw_dem_rve *rve)
{
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    return stage->until != SW_DEM_UNTIL_EQUILIBRIUM && stage->friction_decay == 0 &&
           stage->most_servo_error > 0 && !(rve->state->servo_mean <= stage->most_servo_error);
}

/* The present stage begins with the last measurement. */
SW_HD static inline void sw_dem_begin_stage(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    state->stage_step = 0;
    state->next_record = rve->numerics.record_interval;
    state->next_snapshot = rve->snapshot_strain;
    state->at_rest = state->held = 0;
    state->servo_mean = 0;
    state->stage_time = state->time;
    state->stage_volume = sw_dem_room(rve);
    if (stage->zero_strain) {
        state->volume0 = sw_dem_room(rve);
        for (int c = 0; c < SW_DEM_SIX; c++)
            state->strain[c] = state->seen_strain[c] = 0;
    }
    for (int c = 0; c < SW_DEM_SIX; c++) {
        state->servo[c] = 0;
        state->stage_strain[c] = state->strain[c];
        state->stage_stress[c] = sw_dem_stress_component(state, c);
    }
    state->friction = stage->friction >= 0 ? stage->friction : rve->material[0].friction;
    state->own_friction = stage->friction < 0 && rve->n_materials > 1;
    sw_dem_watch_servo(rve);
}

/* A stage that strain or time ends says nothing of its stresses. One that is off by half of the largest while
 * the servo drives it as fast as it may was never reached. */
SW_HD static inline int sw_dem_stress_missed(const sw_dem_rve *rve)
{
    const sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const double pressure = fabs(sw_dem_pressure(state)), target = sw_dem_largest_target(rve);
    const double bound = 0.5 * (target > pressure ? target : pressure);
    if (stage->until != SW_DEM_UNTIL_STRAIN && stage->until != SW_DEM_UNTIL_TIME)
        return 0;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const int i = sw_six_row(c), j = sw_six_column(c);
        if (stage->stress_driven[c] && fabs(state->velocity_gradient[i][j]) >= 0.99 * stage->max_rate &&
            !(fabs(sw_dem_stress_component(state, c) - sw_dem_target(rve, c)) <= bound))
            return 1;
    }
    return 0;
}

SW_HD static inline int sw_dem_goal_reached(const sw_dem_rve *rve, const sw_dem_row *row)
{
    sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const double begun = sw_dem_void_ratio(rve, state->stage_volume) - stage->goal;
    const double *stress = state->stage_stress, pressure_begun = (stress[0] + stress[1] + stress[2]) / 3;
    switch (stage->until) {
    case SW_DEM_UNTIL_STRAIN:
        return fabs(state->seen_strain[stage->component] - state->stage_strain[stage->component]) >=
               stage->goal; /* so that the stress there is measured, too */
    case SW_DEM_UNTIL_VOLUME_STRAIN:
        return fabs(log(sw_dem_room(rve) / state->stage_volume)) >= stage->goal;
    case SW_DEM_UNTIL_VOID_RATIO:
        return (row->void_ratio - stage->goal) * begun <= 0;
    case SW_DEM_UNTIL_PRESSURE:
        return (row->pressure - stage->goal) * (pressure_begun - stage->goal) <= 0;
    case SW_DEM_UNTIL_EQUILIBRIUM:
        state->at_rest = sw_dem_on_target(rve) && state->time - state->stage_time >= stage->ramp &&
                                 row->contacts + row->wall_contacts > 0 &&
                                 row->unbalanced_force <= stage->goal
                             ? state->at_rest + 1
                             : 0;
        return state->at_rest >= 3;
    case SW_DEM_UNTIL_TIME:
        return state->time - state->stage_time >= stage->goal * (1 - 1e-12);
    case SW_DEM_UNTIL_STEPS:
        return (double)state->stage_step >= stage->goal;
    case SW_DEM_UNTILS:
        break;
    }
    return 0;
}

SW_HD static inline double sw_dem_trace(const double a[3][3]) { return a[0][0] + a[1][1] + a[2][2]; }

/* Whether strain rates alone change a stage's volume. */
SW_HD static inline int sw_dem_volume_driven(const sw_dem_stage *stage)
{
    return !stage->stress_driven[0] && !stage->stress_driven[1] && !stage->stress_driven[2];
}

/* Whether such a volume goes away from the void ratio that is to end the stage. */
SW_HD static inline int sw_dem_goal_passed(const sw_dem_rve *rve, const sw_dem_row *row)
{
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const double left = stage->goal - row->void_ratio;
    return stage->until == SW_DEM_UNTIL_VOID_RATIO && sw_dem_volume_driven(stage) &&
           sw_dem_trace(stage->velocity_gradient) * left < 0;
}

/* ---- Snapshots ---- */

/* Has the host look at the element at the ends of recorded stages, and in them each time that the component that
 * strains most since the stage began has come to another multiple of snapshot_strain. The host only looks: results
 * are the same without. */
SW_HD static inline void sw_dem_watch_snapshots(sw_dem_rve *rve, int reached)
{
    sw_dem_state *state = rve->state;
    double most = 0;
    if (rve->snapshot_strain == 0 || sw_dem_present_stage(rve)->unrecorded)
        return;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const double strain = fabs(state->seen_strain[c] - state->stage_strain[c]);
        most = strain > most ? strain : most;
    }
    if (reached || most >= state->next_snapshot)
        state->snapshot_due = 1;
    if (most >= state->next_snapshot)
        state->next_snapshot = (floor(most / rve->snapshot_strain) + 1) * rve->snapshot_strain;
}

/* ---- Servo ---- */

/* Particles follow the cell between periodic sides. */
SW_HD static inline void sw_dem_set_affine(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            state->affine[i][j] =
                rve->closed >> i & 1 || rve->closed >> j & 1 ? 0 : state->velocity_gradient[i][j];
}

SW_HD static inline void sw_dem_set_velocity_gradient(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    /* of the whole: the next one's length is not known yet, and a shorter one corrects less */
    const double *sum = state->sum, interval = (double)rve->numerics.control_interval * state->time_step;
    const double affine =
        sum[SW_DEM_SUM_STIFFNESS] / (5 * sw_dem_enclosed(rve)); /* isotropic network, K_T = 0 */
    const int pause = stage->wait_for_rest && sum[SW_DEM_SUM_KINETIC] > sum[SW_DEM_SUM_ELASTIC] &&
                      sum[SW_DEM_SUM_CONTACTS] > 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            state->velocity_gradient[i][j] = pause ? 0 : stage->velocity_gradient[i][j];
    for (int c = 0; c < SW_DEM_SIX; c++) {
        if (!stage->stress_driven[c])
            continue;
#ifndef __CUDA_ARCH__
        if (rve->n_nodes > 0 && c < 2) { /* by the pressure outside */
            state->membrane_pressure = sw_dem_pressure_outside(state, sw_dem_target(rve, c));
            continue;
        }
#endif
        const int i = sw_six_row(c), j = sw_six_column(c);
        const double modulus = c < 3 ? affine : affine * (2.0 / 3.0); /* 2 G: a tensor's component */
        const double error = sw_dem_target(rve, c) - sw_dem_stress_component(state, c);
        const double part = rve->numerics.servo_gain * error, stiff = modulus * interval;
        double rate = stage->max_rate * sw_dem_sign(error); /* also where nothing touches */
        if (fabs(part + state->servo[c] * stiff) < stage->max_rate * stiff) {
            rate = part / stiff + state->servo[c];
            state->servo[c] += rve->numerics.servo_gain / 12 * part / stiff;
        }
        state->velocity_gradient[i][j] = state->velocity_gradient[j][i] = -rate;
    }
    sw_dem_set_affine(rve);
    sw_dem_drive_walls(rve, interval);
}

/* ---- Time step ---- */

/* Stiff moments make rotations faster than shifts: beyond 2 eta_roll + eta_twist = 11 the wave's step is
 * shortened by this, as Eq. 72 of docs/theory.md has it. */
SW_HD static inline double sw_dem_moment_factor(const sw_dem_rve *rve)
{
    double moments = 0;
    for (int i = 0; i < rve->n_materials; i++)
        moments = fmax(moments, 2 + 2 * rve->material[i].roll_stiffness + rve->material[i].twist_stiffness);
    return moments > 13 ? sqrt(13 / moments) : 1;
}

/* The step that the numerics ask for, s; largest_square: of contact frequencies, 1/s^2; 0: not known yet. */
SW_HD static inline double sw_dem_time_step(const sw_dem_rve *rve, double largest_square)
{
    double slowness = INFINITY;
    for (int i = 0; i < rve->n_materials; i++)
        slowness = fmin(slowness, sqrt(rve->material[i].density / rve->material[i].young));
    const double wave = rve->least_radius * slowness;
    switch (rve->numerics.step_rule) {
    case SW_DEM_STEP_FIXED:
        return rve->numerics.step;
    case SW_DEM_STEP_STIFFNESS:
        if (largest_square > 0)
            return rve->numerics.step / sqrt(largest_square);
        break;
    case SW_DEM_STEP_WAVE:
    case SW_DEM_STEP_RULES:
        break;
    }
    return rve->numerics.step * wave * sw_dem_moment_factor(rve); /* Eq. 10, corrected */
}

/* 2 / omega of the stiffest particle, s, by the contacts that were measured; infinite without any. largest_square
 * adds stiffnesses up as if all acted along one axis: of contacts all around that is more than a particle has
 * whose neighbours hold still, and less than one whose neighbours all move against it. So a step of up to
 * SW_DEM_STEP_MARGIN times that may still do: 200 grains come to rest at 1.22, and never at 1.47. */
#define SW_DEM_STEP_MARGIN 1.3
SW_HD static inline double sw_dem_critical_step(double largest_square)
{
    return largest_square > 0 ? 2 / sqrt(largest_square) : INFINITY;
}

/* ---- Verlet list ---- */

/* How much of the skin is used up when particles have moved `travel` on top of a deformation `strain`, m. A pair
 * that was apart by r_a + r_b + skin at least is apart by that times (1 - strain), less what both moved. */
SW_HD static inline double sw_dem_skin_used(const sw_dem_rve *rve, double travel, double strain)
{
    return strain * (2 * rve->largest_radius + sw_dem_margin(rve)) + 2.2 * travel;
}

/* Skin that so many steps ahead may use: at twice the present speed (of particles, or of walls that hit them), acceleration
 * and rate of strain, which sets particles in motion that are still at rest. */
SW_HD static inline double sw_dem_skin_ahead(const sw_dem_rve *rve, int32_t steps, double rate)
{
    const sw_dem_state *state = rve->state;
    const double time = steps * state->time_step,
                 speed = fmax(state->largest[SW_DEM_LARGEST_SPEED], sw_dem_fastest_wall(rve)),
                 acceleration = state->largest[SW_DEM_LARGEST_ACCELERATION];
    return sw_dem_skin_used(rve, time * (2 * speed + time * acceleration), 2 * time * rate);
}

/* Steps to the goal of the present stage where they can be told, so that it ends there and not some of an
 * interval later; else infinity. */
SW_HD static inline double sw_dem_steps_left(const sw_dem_rve *rve)
{
    const sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const int c = stage->component;
    double left = INFINITY, rate;
    if (stage->until == SW_DEM_UNTIL_STEPS)
        left = stage->goal - (double)state->stage_step;
    if (stage->until == SW_DEM_UNTIL_TIME)
        left = (stage->goal * (1 - 1e-12) - (state->time - state->stage_time)) / state->time_step;
    if (stage->until == SW_DEM_UNTIL_STRAIN) {
        const int i = sw_six_row(c), j = sw_six_column(c);
        rate = 0.5 * fabs(state->velocity_gradient[i][j] + state->velocity_gradient[j][i]);
        if (rate > 0)
            left =
                (stage->goal - fabs(state->strain[c] - state->stage_strain[c])) / (rate * state->time_step) +
                1; /* measured before the last one */
    }
    if (stage->until == SW_DEM_UNTIL_VOID_RATIO && sw_dem_volume_driven(stage)) {
        const double growth = sw_dem_trace((const double(*)[3])state->velocity_gradient);
        const double way = log((1 + stage->goal) * rve->solid_volume / sw_dem_room(rve));
        if (growth * way > 0)
            left = way / (growth * state->time_step) + 1;
    }
    return ceil(left);
}

/* Deformation since the list was made: size of F - 1. */
SW_HD static inline double sw_dem_list_strain(const sw_dem_state *state)
{
    double strain = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double f = state->reference[i][j] - (i == j);
            strain += f * f;
        }
    return sqrt(strain);
}

/* Whether the list lasts for another interval; when even a new one would not, the interval becomes
 * shorter. */
SW_HD static inline void sw_dem_check_list(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    double rate = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rate += state->affine[i][j] * state->affine[i][j];
    const double skin = sw_dem_skin(rve), strain = sw_dem_list_strain(state),
                 used = sw_dem_skin_used(rve, state->largest[SW_DEM_LARGEST_TRAVEL], strain);
    rate = sqrt(rate);
    state->interval = (int32_t)rve->numerics.control_interval;
    const double left = sw_dem_steps_left(rve);
    if (left < state->interval)
        state->interval = left < 1 ? 1 : (int32_t)left;
    while (state->interval > 1 && sw_dem_skin_ahead(rve, state->interval, rate) > skin)
        state->interval /= 2;
    if (used > skin)
        state->status = SW_DEM_FAILED_LIST;
    else if (used + sw_dem_skin_ahead(rve, state->interval, rate) > skin)
        state->list_valid = 0;
}

/* ---- All of it ---- */

/* The present stage goes on after a measurement, or begins with it: its time step, rates, whether the list lasts, and
 * whether crystals are to be asked before. */
SW_HD static inline void sw_dem_go_on(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    state->time_step = sw_dem_time_step(rve, state->largest[SW_DEM_LARGEST_FREQUENCY]);
    sw_dem_set_velocity_gradient(rve);
    sw_dem_check_list(rve);
    if (rve->refresh_strain > 0 && state->strain_since >= rve->refresh_strain &&
        state->status == SW_DEM_RUNNING)
        state->status = SW_DEM_NEEDS_CRYSTALS;
    if (state->snapshot_due && state->status == SW_DEM_RUNNING)
        state->status = SW_DEM_NEEDS_SNAPSHOT;
}

/* After a measurement and the rest of its step. One thread of the team; synced around. */
SW_HD static inline void sw_dem_control(sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    sw_dem_row row;
    const double interval = state->interval * state->time_step;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            state->stress[i][j] = state->sum[SW_DEM_SUM_STRESS + 3 * i + j] / sw_dem_enclosed(rve);
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const int i = sw_six_row(c), j = sw_six_column(c);
        const double rate = -0.5 * (state->velocity_gradient[i][j] + state->velocity_gradient[j][i]);
        state->strain[c] += interval * rate;
        state->seen_strain[c] = state->strain[c] - state->time_step * rate;
    }
#ifndef __CUDA_ARCH__
    if (rve->n_nodes > 0 && !sw_dem_strain_membrane(rve))
        return;
#endif
    state->strain_since += interval * sw_dem_rate_size((const double(*)[3])state->velocity_gradient);
    state->seen_time = state->time - state->time_step;
    for (int k = 0; k < SW_DEM_WORKS; k++)
        state->work[k] += state->delta[k];
    sw_dem_watch_servo(rve);
    sw_dem_fill_row(rve, &row);
    if (!sw_dem_cell_update(&state->cell)) {
        state->status = SW_DEM_FAILED_CELL;
        return;
    }
    const double travel = state->largest[SW_DEM_LARGEST_TRAVEL];
    /* NaN anywhere among positions or forces has reached one of these */
    if (!(row.pressure - row.pressure == 0) || !(row.kinetic_energy - row.kinetic_energy == 0) ||
        !(travel - travel == 0)) {
        state->status = SW_DEM_FAILED_FINITE;
        return;
    }
    if (state->through > 0) { /* never on a GPU */
        state->status = SW_DEM_FAILED_THROUGH;
        return;
    }
    if (rve->numerics.step_rule == SW_DEM_STEP_FIXED && !rve->numerics.affine &&
        !(state->time_step <=
          SW_DEM_STEP_MARGIN * sw_dem_critical_step(state->largest[SW_DEM_LARGEST_FREQUENCY]))) {
        state->status = SW_DEM_FAILED_STEP;
        return;
    }
    if (row.mean_overlap > sw_dem_law_overlap(rve->material[0].law)) {
        state->status = SW_DEM_FAILED_SOFT;
        return;
    }
    const int reached = sw_dem_goal_reached(rve, &row);
    if (rve->numerics.record_interval > 0 && !stage->unrecorded &&
        (reached || state->stage_step >= state->next_record)) {
        if (state->n_rows < rve->row_capacity) /* the team stops before there is no room */
            rve->row[state->n_rows++] = row;
        state->next_record += rve->numerics.record_interval;
    }
    if (stage->friction_decay > 0 && sw_dem_on_target(rve)) {
        state->friction *= 1 - stage->friction_decay;
        /* without friction and at rest, or denser than wanted from the start: no way there */
        if (!reached && stage->until == SW_DEM_UNTIL_VOID_RATIO &&
            (row.void_ratio < stage->goal || (state->friction < 1e-6 && row.unbalanced_force < 1e-3))) {
            state->status = SW_DEM_FAILED_DENSE;
            return;
        }
    }
    if (!reached && sw_dem_goal_passed(rve, &row)) {
        state->status = SW_DEM_FAILED_PASSED;
        return;
    }
    if (sw_dem_servo_lost(rve) || (reached && sw_dem_stress_missed(rve))) {
        state->status = SW_DEM_FAILED_STRESS;
        return;
    }
    sw_dem_watch_snapshots(rve, reached);
    if (reached) {
        state->stage++;
        if (state->stage == rve->n_stages) {
            state->status = SW_DEM_DONE;
            return;
        }
        sw_dem_begin_stage(rve);
    } else if (state->stage_step >= stage->max_steps) {
        state->status = SW_DEM_FAILED_GOAL;
        return;
    }
    sw_dem_go_on(rve);
}

/* ---- An interval ---- */

/* Make the list if it is due, then the interval's steps, the last one measured, and control. Returns
 * whether the element goes on. Call synced; synced after. */
SW_HD_INLINE static inline int sw_dem_interval(const sw_team *team, sw_dem_rve *rve)
{
    sw_dem_state *state = rve->state;
    sw_dem_work work = {0, 0, 0, 0, 0};
    if (!sw_dem_make_list(team, rve))
        return 0;
    const int32_t steps = state->interval;
    for (int32_t k = 1; k <= steps; k++) {
        sw_dem_pairs_step(team, rve, &work);
        if (team->flows)
            sw_dem_walls_step(team, rve, &work);
#ifndef __CUDA_ARCH__
        if (rve->n_nodes > 0) {
            double energy = 0;
            sw_dem_membrane_forces(rve, &energy);
        }
#endif
        sw_team_sync(team);
        if (k == steps)
            sw_dem_measure(team, rve);
#ifndef __CUDA_ARCH__
        if (k == steps && rve->coupled)
            sw_dem_crowd_particles(team, rve);
#endif
        sw_dem_particles_step(team, rve, &work);
        sw_team_sync(team);
        if (rve->image_capacity > 0) {
            sw_dem_move_images(team, rve);
            sw_team_sync(team);
        }
    }
    const double value[SW_DEM_WORKS] = {work.boundary, work.friction, work.rolling, work.damping,
                                        work.plastic};
    sw_team_reduce(team, SW_DEM_WORKS, 0, value, state->delta);
    if (team->rank == 0)
        sw_dem_control(rve);
    sw_team_sync(team);
    return state->status == SW_DEM_RUNNING;
}

/* Up to n intervals, while there is room for records. Call synced. */
SW_HD static inline void sw_dem_advance(const sw_team *team, sw_dem_rve *rve, int64_t n)
{
    for (int64_t k = 0; k < n && rve->state->n_rows < rve->row_capacity; k++)
        if (!sw_dem_interval(team, rve))
            return;
}

#endif
