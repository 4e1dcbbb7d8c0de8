/* Why an element failed, in words. */
#include <math.h>
#include <stdio.h>

#include "backend.h"
#include "names.h"
#include "online/dem/step/control.h"

/* " stress 11 = 2e5 Pa of 3e5 Pa": the stress-driven component that is furthest off; "" when there is none. */
static void worst_stress(const sw_dem_rve *rve, char *text, size_t size)
{
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    double off = 0;
    int worst = -1;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const double own = fabs(sw_dem_stress_component(rve->state, c) - sw_dem_target(rve, c));
        if (stage->stress_driven[c] && own >= off) {
            off = own;
            worst = c;
        }
    }
    text[0] = 0;
    if (worst < 0)
        return;
    const int n = snprintf(text, size, " stress %s = %.4g Pa of %.4g Pa", sw_dem_six_names[worst],
                           sw_dem_stress_component(rve->state, worst), sw_dem_target(rve, worst));
    if (rve->n_nodes > 0 && worst < 2 && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, " (%.3g Pa outside, %.3g Pa by the membrane's tension)",
                 rve->state->membrane_pressure, rve->state->membrane_stress);
}

/* What the present stage's end looks at, and what it needs of it, as sw_dem_goal_reached has it. */
static void describe_goal(const sw_dem_rve *rve, char *text, size_t size)
{
    const sw_dem_state *state = rve->state;
    const sw_dem_stage *stage = sw_dem_present_stage(rve);
    const int c = stage->component;
    switch (stage->until) {
    case SW_DEM_UNTIL_STRAIN:
        snprintf(text, size, "strain %s %.4g of %.4g", sw_dem_six_names[c],
                 fabs(state->seen_strain[c] - state->stage_strain[c]), stage->goal);
        return;
    case SW_DEM_UNTIL_VOLUME_STRAIN:
        snprintf(text, size, "volume strain %.4g of %.4g", fabs(log(sw_dem_room(rve) / state->stage_volume)),
                 stage->goal);
        return;
    case SW_DEM_UNTIL_VOID_RATIO:
        snprintf(text, size, "need a void ratio of %.4g", stage->goal);
        return;
    case SW_DEM_UNTIL_PRESSURE:
        snprintf(text, size, "pressure %.4g Pa of %.4g Pa", sw_dem_pressure(state), stage->goal);
        return;
    case SW_DEM_UNTIL_EQUILIBRIUM:
        snprintf(text, size, "unbalanced force %.3g: need at most %.3g, beside stresses within %.3g %%",
                 sw_dem_unbalanced_force(rve), stage->goal, 100 * stage->stress_tolerance);
        return;
    case SW_DEM_UNTIL_TIME:
        snprintf(text, size, "time %.4g s of %.4g s", state->time - state->stage_time, stage->goal);
        return;
    case SW_DEM_UNTIL_STEPS:
    case SW_DEM_UNTILS:
        snprintf(text, size, "step %lld of %g", (long long)state->stage_step, stage->goal);
        return;
    }
}

/* The element and its stage, and what is said of them. */
#define FAILURE(kind, text, ...) \
    sw_error(SW_ERR_##kind, "element %lld, stage %d" text, (long long)r, state->stage, __VA_ARGS__)

sw_status sw_dem_failure(const sw_dem *dem, int64_t r)
{
    const sw_dem_rve *rve = &dem->rve[r];
    const sw_dem_state *state = rve->state;
    switch ((sw_dem_status)state->status) {
    case SW_DEM_FAILED_GOAL: {
        char stress[192], goal[128];
        worst_stress(rve, stress, sizeof stress);
        describe_goal(rve, goal, sizeof goal);
        return FAILURE(
            CONVERGENCE,
            ": its goal was not reached in most_steps = %lld steps: %s%s%s; void ratio %.4g, %g contacts",
            (long long)rve->stage[state->stage].max_steps, goal, stress[0] == 0 ? "" : ";", stress,
            sw_dem_void_ratio(rve, sw_dem_room(rve)), state->sum[SW_DEM_SUM_CONTACTS]);
    }
    case SW_DEM_FAILED_DENSE:
        return FAILURE(
            CONVERGENCE,
            ": void ratio %.4g: need %.4g, which falling friction (now %.2g) cannot bring at this pressure",
            sw_dem_void_ratio(rve, sw_dem_room(rve)), rve->stage[state->stage].goal, state->friction);
    case SW_DEM_FAILED_PASSED: {
        const double goal = rve->stage[state->stage].goal;
        return FAILURE(RANGE,
                       ": relative density %.4g: need to begin below %.4g (void ratio %.4g) to shrink there, "
                       "or above to swell",
                       rve->solid_volume / sw_dem_room(rve), 1 / (1 + goal), goal);
    }
    case SW_DEM_FAILED_STRESS: {
        char stress[192];
        sw_dem_row row;
        worst_stress(rve, stress, sizeof stress);
        sw_dem_fill_row(rve, &row);
        if (sw_dem_servo_lost(rve))
            return FAILURE(CONVERGENCE,
                           ":%s, which had been held: off by %.3g %% of the largest target in the mean of %d "
                           "intervals: need at most %g %%; inertia number %.2g, strain 33 = %.3g, %g "
                           "contacts: slower, or a smaller numerics.control_interval",
                           stress, 100 * state->servo_mean, SW_DEM_SERVO_MEAN,
                           100 * rve->stage[state->stage].most_servo_error, row.inertia_number, row.strain_33,
                           row.contacts);
        return FAILURE(CONVERGENCE,
                       ": ended with%s; the servo did not get there: %g contacts; slower, a larger "
                       "servo_rate, or a stress that these particles bear",
                       stress, state->sum[SW_DEM_SUM_CONTACTS]);
    }
    case SW_DEM_FAILED_SOFT:
        return FAILURE(RANGE,
                       ": particles overlap by more than %g of their radius on average, up to which the law "
                       "%s holds: stresses of %g Pa are too much for young = %g Pa",
                       sw_dem_law_overlap(rve->material[0].law), sw_dem_laws[rve->material[0].law],
                       sw_dem_pressure(state), rve->material[0].young);
    case SW_DEM_FAILED_CELL:
        if (rve->n_nodes > 0 && !(state->room > rve->solid_volume))
            return FAILURE(
                RANGE,
                ": the membrane has collapsed, or grains are outside: it has room for %.4g m^3, and grains "
                "are %.4g m^3: a wider sample, a stiffer membrane (%g N/m) or a narrower membrane.spacing",
                state->room, rve->solid_volume, rve->membrane.stiffness);
        if (!(state->cell.volume > 0))
            return FAILURE(
                RANGE, ": the cell has no volume left: its strain rate is too high for a time step of %g s",
                state->time_step);
        if (!(state->cell.volume <= SW_DEM_MOST_VOLUME))
            return FAILURE(RANGE, ": the cell has grown to %g m^3: need at most %g m^3", state->cell.volume,
                           SW_DEM_MOST_VOLUME);
        return FAILURE(RANGE,
                       ": least height of the cell %g m: need twice the largest particle's diameter with the "
                       "skin, %g m: take more particles",
                       fmin(state->cell.height[0], fmin(state->cell.height[1], state->cell.height[2])),
                       2 * (2 * rve->largest_radius + sw_dem_margin(rve)));
    case SW_DEM_FAILED_FINITE:
        return FAILURE(CONVERGENCE,
                       ", step %lld: positions or forces are not finite: time step %g s too long for the "
                       "stiffness, or particles overlap too much",
                       (long long)state->step, state->time_step);
    case SW_DEM_FAILED_STEP:
        return FAILURE(RANGE,
                       ", step %lld: numerics.step = %.4g s: need at most 2 / omega = %.4g s, with the "
                       "stiffnesses of these contacts; half of it is safe",
                       (long long)state->step, state->time_step,
                       sw_dem_critical_step(state->largest[SW_DEM_LARGEST_FREQUENCY]));
    case SW_DEM_FAILED_LIST: {
        const double travel = state->largest[SW_DEM_LARGEST_TRAVEL], strain = sw_dem_list_strain(state);
        char flown[96] = "";
        if (travel > 0) /* 0 in the first step of a list */
            snprintf(flown, sizeof flown, "a particle flew %.3g m beside the field, and ", travel);
        return FAILURE(
            CONVERGENCE,
            ", step %lld: the list of pairs was outrun: %sthe cell strained by %.3g since it was made: "
            "together %.3g m: need at most the skin, %.3g m (largest speed %.3g m/s, time step %.3g s): "
            "larger numerics.skin, smaller control_interval, a lower rate or a shorter step",
            (long long)state->step, flown, strain, sw_dem_skin_used(rve, travel, strain), sw_dem_skin(rve),
            state->largest[SW_DEM_LARGEST_SPEED], state->time_step);
    }
    case SW_DEM_FAILED_THROUGH: {
        const int32_t i = state->through_particle;
        return FAILURE(
            CONVERGENCE,
            ", step %lld: the centres of %lld particles went through meshes in this control interval, first "
            "particle %d (radius %.3g m) through wall %d, %.3g m in a step of %.3g s: too fast, pressed too "
            "hard or too soft: a shorter numerics.step, a slower wall, a larger material.young",
            (long long)state->step, (long long)state->through, i, rve->radius[i], state->through_wall,
            state->through_way, state->time_step);
    }
    case SW_DEM_RUNNING:
    case SW_DEM_DONE:
    case SW_DEM_NEEDS_PAIRS:
    case SW_DEM_NEEDS_IMAGES:
    case SW_DEM_NEEDS_CRYSTALS:
    case SW_DEM_NEEDS_SNAPSHOT:
        break;
    }
    return SW_OK;
}
