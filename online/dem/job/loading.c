/* Tests by name -> stages of a load path. A test is a row of the table below: its keys and one function.
 *
 * Rates, where they are not given in 1/s, follow from an inertia number and the test's confining pressure:
 * Lubbe et al. 2022, Eq. 20. Strain and stress are positive in compression; a sheared element has positive
 * shear strain and stress of its plane. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loading.h"

static const int six_of[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
static const char *const until_names[SW_DEM_UNTILS] = {
#define UNTIL_NAME(name, text) text,
    SW_DEM_UNTIL_LIST(UNTIL_NAME)
#undef UNTIL_NAME
};

/* ---- An entry on its way to stages ---- */

const char *sw_dem_key_of(const sw_dem_maker *m, const char *name, char key[SW_DEM_KEY])
{
    snprintf(key, SW_DEM_KEY, "loading[%u]%s%s", m->index, *name == '\0' ? "" : ".", name);
    return key;
}

int sw_dem_has(const sw_dem_maker *m, const char *name)
{
    char key[SW_DEM_KEY];
    return sw_dem_given(m->job, sw_dem_key_of(m, name, key));
}

static sw_status need(const sw_dem_maker *m, const char *name, const char *why)
{
    return sw_dem_has(m, name) ? SW_OK : SW_DEM_REFUSE(m, name, " is missing: %s", why);
}

/* Room for a stage, with what all tests have. */
sw_status sw_dem_append_stage(sw_dem_maker *m, sw_dem_stage **stage)
{
    if (m->n == m->capacity) {
        const int64_t capacity = 2 * m->capacity + 8;
        sw_dem_stage *more = realloc(m->stage, (size_t)capacity * sizeof *more);
        if (more == NULL)
            return sw_error(SW_ERR_MEMORY, "%lld stages of a load path", (long long)capacity);
        m->stage = more;
        m->capacity = capacity;
    }
    *stage = &m->stage[m->n++];
    **stage = sw_dem_stage_defaults();
    return SW_OK;
}

static sw_status begin(sw_dem_maker *m, sw_dem_stage **stage)
{
    const sw_dem_job_stage *spec = m->spec;
    char key[SW_DEM_KEY];
    int record;
    SW_TRY(sw_dem_append_stage(m, stage));
    sw_dem_stage *s = *stage;
    s->friction = spec->friction;
    s->stress_tolerance = spec->stress_tolerance;
    SW_TRY(sw_dem_choose_yes(m->job, sw_dem_key_of(m, "record", key), spec->record, 1, &record));
    s->unrecorded = !record;
    SW_TRY(sw_dem_choose_yes(m->job, sw_dem_key_of(m, "zero_strain", key), spec->zero_strain, 0,
                             &s->zero_strain));
    return sw_dem_choose_yes(m->job, sw_dem_key_of(m, "wait_for_rest", key), spec->wait_for_rest, 0,
                             &s->wait_for_rest);
}

/* Confining pressure of a test, Pa: its own key, else the packing's. */
static sw_status pressure_of(const sw_dem_maker *m, const char *name, double own, double *pressure)
{
    if (sw_dem_has(m, name)) {
        *pressure = own;
        return SW_OK;
    }
    *pressure = m->element->value[SW_DEM_PRESSURE];
    return m->element->given[SW_DEM_PRESSURE]
               ? SW_OK
               : SW_DEM_REFUSE(m, name, " is missing: need it here, or packing.pressure");
}

double sw_dem_test_rate(const sw_dem_maker *m, double pressure)
{
    if (sw_dem_has(m, "strain_rate"))
        return m->spec->strain_rate;
    const double inertia =
        sw_dem_has(m, "inertia_number") ? m->spec->inertia_number : m->element->value[SW_DEM_INERTIA];
    return sw_dem_rate(inertia, pressure, m->element->material.density, m->mean_radius);
}

/* The same at the packing's pressure, which then must be known unless the rate is given. */
static sw_status rate_at_rest(const sw_dem_maker *m, double *rate)
{
    double pressure = 0;
    if (!sw_dem_has(m, "strain_rate") && !m->element->given[SW_DEM_PRESSURE])
        return SW_DEM_REFUSE(m, "strain_rate",
                             " is missing: need it, or packing.pressure for an inertia number");
    if (m->element->given[SW_DEM_PRESSURE])
        pressure = m->element->value[SW_DEM_PRESSURE];
    *rate = sw_dem_test_rate(m, pressure);
    return SW_OK;
}

static void drive(sw_dem_stage *s, int component, double stress)
{
    s->stress_driven[component] = 1;
    s->stress[component] = stress;
}

/* A bound of the servo's rates, of so many times the test's by itself: grains that dilate need more than the
 * rate that shears them. */
static void set_servo(const sw_dem_maker *m, sw_dem_stage *s, double rate, double times)
{
    s->max_rate = sw_dem_has(m, "servo_rate") ? m->spec->servo_rate : times * rate;
}

static double steps_within(double steps) { return fmin(fmax(steps, 1), 1e15); }

/* The end of a strain-driven test. */
static void end_by_strain(const sw_dem_maker *m, sw_dem_stage *s, int component, double strain, double rate)
{
    s->until = SW_DEM_UNTIL_STRAIN;
    s->component = component;
    s->goal = fabs(strain);
    s->max_steps =
        (int64_t)(sw_dem_has(m, "most_steps") ? (double)m->spec->most_steps
                                              /* four times what it takes: it may wait for rest */
                                              : steps_within(4 * s->goal / (rate * m->time_step) + 1e4));
}

/* Steps of a stage that the servo ends: within them it could strain the element by 2, beyond any test. */
static void bound_steps(const sw_dem_maker *m, sw_dem_stage *s)
{
    const double strain = 2, passed = s->ramp / m->time_step;
    s->max_steps = (int64_t)(sw_dem_has(m, "most_steps")
                                 ? (double)m->spec->most_steps
                                 : steps_within(strain / (s->max_rate * m->time_step) + 4 * passed + 1e5));
}

static int axis_of(const sw_dem_maker *m) { return (int)m->spec->axis - 1; }

/* ---- The tests ---- */

static sw_status isotropic(sw_dem_maker *m)
{
    sw_dem_stage *s;
    double pressure, rate;
    SW_TRY(begin(m, &s));
    if (sw_dem_has(m, "volume_strain")) {
        static const char *const others[] = {"pressure", "ramp", "unbalanced_force", "servo_rate",
                                             "stress_tolerance"};
        for (int i = 0; i < 5; i++)
            if (sw_dem_has(m, others[i]))
                return SW_DEM_REFUSE(m, others[i], " beside volume_strain: need only one of them");
        SW_TRY(rate_at_rest(m, &rate));
        const double sign = m->spec->volume_strain > 0 ? 1 : -1;
        for (int i = 0; i < 3; i++)
            s->velocity_gradient[i][i] = -sign * rate * sqrt(2.0 / 3.0); /* sqrt(D:D / 2) is the rate */
        end_by_strain(m, s, 0, m->spec->volume_strain, rate);
        s->until = SW_DEM_UNTIL_VOLUME_STRAIN;
        return SW_OK;
    }
    SW_TRY(pressure_of(m, "pressure", m->spec->pressure, &pressure));
    rate = sw_dem_test_rate(m, pressure);
    for (int i = 0; i < 3; i++)
        drive(s, i, pressure);
    s->ramp = m->spec->ramp;
    set_servo(m, s, rate, 1);
    s->until = SW_DEM_UNTIL_EQUILIBRIUM;
    s->goal = m->spec->unbalanced_force;
    bound_steps(m, s);
    return SW_OK;
}

static sw_status drained_triaxial(sw_dem_maker *m)
{
    sw_dem_stage *s;
    double pressure, rate;
    const int axis = axis_of(m);
    SW_TRY(begin(m, &s));
    SW_TRY(need(m, "strain", "axial strain, compression positive"));
    SW_TRY(pressure_of(m, "pressure", m->spec->pressure, &pressure));
    rate = sw_dem_test_rate(m, pressure);
    s->velocity_gradient[axis][axis] = m->spec->strain > 0 ? -rate : rate;
    for (int i = 0; i < 3; i++)
        if (i != axis)
            drive(s, i, pressure);
    set_servo(m, s, rate, 5);
    end_by_strain(m, s, axis, m->spec->strain, rate);
    return SW_OK;
}

static sw_status undrained_triaxial(sw_dem_maker *m)
{
    sw_dem_stage *s;
    double rate;
    const int axis = axis_of(m);
    SW_TRY(begin(m, &s));
    SW_TRY(need(m, "strain", "axial strain, compression positive"));
    SW_TRY(rate_at_rest(m, &rate));
    const double signed_rate = m->spec->strain > 0 ? rate : -rate;
    for (int i = 0; i < 3; i++)
        s->velocity_gradient[i][i] = i == axis ? -signed_rate : 0.5 * signed_rate;
    end_by_strain(m, s, axis, m->spec->strain, rate);
    return SW_OK;
}

static sw_status simple_shear(sw_dem_maker *m)
{
    sw_dem_stage *s;
    double rate;
    SW_TRY(begin(m, &s));
    SW_TRY(need(m, "strain", "shear strain gamma"));
    const int motion = sw_dem_has(m, "plane") ? (int)m->spec->plane[0] - 1 : 0,
              gradient = sw_dem_has(m, "plane") ? (int)m->spec->plane[1] - 1 : 2;
    if (sw_dem_has(m, "normal_stress")) {
        rate = sw_dem_test_rate(m, m->spec->normal_stress);
        drive(s, gradient, m->spec->normal_stress);
        set_servo(m, s, rate, 5);
    } else if (sw_dem_has(m, "servo_rate"))
        return SW_DEM_REFUSE(m, "servo_rate", ": at constant volume there is no servo");
    else
        SW_TRY(rate_at_rest(m, &rate));
    s->velocity_gradient[motion][gradient] = m->spec->strain > 0 ? -rate : rate;
    end_by_strain(m, s, six_of[motion][gradient], 0.5 * m->spec->strain, 0.5 * rate);
    return SW_OK;
}

/* What `until`, `goal`, `component` and `duration` say; stress and rates of the stage are set. */
static sw_status end_as_asked(const sw_dem_maker *m, sw_dem_stage *s, double rate)
{
    char key[SW_DEM_KEY];
    int until, component = 0, stress = 0, strains;
    double trace = 0, speed = 0;
    for (int i = 0; i < SW_DEM_SIX; i++)
        stress |= s->stress_driven[i];
    if (sw_dem_has(m, "duration")) {
        if (sw_dem_has(m, "until"))
            return SW_DEM_REFUSE(m, "duration", " beside until: need only one of them");
        s->until = SW_DEM_UNTIL_TIME;
        s->goal = m->spec->duration;
    } else {
        SW_TRY(need(m, "until", "need it with goal, or duration"));
        SW_TRY(sw_dem_choose(m->job, sw_dem_key_of(m, "until", key), m->spec->until, SW_DEM_UNTILS,
                             until_names, 0, &until));
        SW_TRY(need(m, "goal", "what ends the stage"));
        s->until = (sw_dem_until)until;
        s->goal = m->spec->goal;
    }
    if (sw_dem_has(m, "goal") && sw_dem_has(m, "duration"))
        return SW_DEM_REFUSE(m, "goal", ": goes with until");
    if (sw_dem_has(m, "component") != (s->until == SW_DEM_UNTIL_STRAIN))
        return SW_DEM_REFUSE(m, "component", "%s",
                             sw_dem_has(m, "component")
                                 ? ": goes with until: strain"
                                 : " is missing: need the one whose strain ends the stage");
    for (int i = 0; i < 3; i++) {
        trace += s->stress_driven[i] ? INFINITY : s->velocity_gradient[i][i];
        for (int j = 0; j < 3; j++)
            speed = fmax(speed, 0.5 * fabs(s->velocity_gradient[i][j] + s->velocity_gradient[j][i]));
    }
    switch (s->until) {
    case SW_DEM_UNTIL_STRAIN:
        SW_TRY(sw_dem_choose(m->job, sw_dem_key_of(m, "component", key), m->spec->component, SW_DEM_SIX,
                             sw_dem_six_names, 0, &component));
        strains = s->stress_driven[component];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                if (six_of[i][j] == component)
                    strains |= s->velocity_gradient[i][j] + s->velocity_gradient[j][i] != 0;
        if (!strains)
            return SW_DEM_REFUSE(m, "component", " = %s: does not strain in this stage",
                                 sw_dem_six_names[component]);
        s->component = component;
        break;
    case SW_DEM_UNTIL_VOLUME_STRAIN:
    case SW_DEM_UNTIL_VOID_RATIO:
    case SW_DEM_UNTIL_PRESSURE:
        if (!stress && fabs(trace) <= 1e-12 * speed && s->until != SW_DEM_UNTIL_PRESSURE)
            return SW_DEM_REFUSE(m, "until", " = %s: the volume does not change in this stage",
                                 until_names[s->until]);
        break;
    case SW_DEM_UNTIL_EQUILIBRIUM:
        if (!stress)
            return SW_DEM_REFUSE(m, "until", " = equilibrium: need a component that is driven by stress");
        break;
    default:
        break;
    }
    const double fastest = stress ? s->max_rate : fmax(speed, rate);
    const double steps = s->until == SW_DEM_UNTIL_TIME    ? 4 * s->goal / m->time_step + 1e4
                         : s->until == SW_DEM_UNTIL_STEPS ? s->goal + 1e6
                                                          : 2 / (fastest * m->time_step) + 1e5;
    s->max_steps = (int64_t)(sw_dem_has(m, "most_steps") ? (double)m->spec->most_steps
                                                         : steps_within(steps + 4 * s->ramp / m->time_step));
    return SW_OK;
}

/* components: one of stress and strain_rate each; those that are not there do not strain. normal: only 11, 22
 * and 33 may be there. */
static sw_status drive_components(const sw_dem_maker *m, sw_dem_stage *s, int normal)
{
    char rate[64], stress[64];
    int any = 0;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        snprintf(rate, sizeof rate, "components.%s.strain_rate", sw_dem_six_names[c]);
        snprintf(stress, sizeof stress, "components.%s.stress", sw_dem_six_names[c]);
        const int by_rate = sw_dem_has(m, rate), by_stress = sw_dem_has(m, stress);
        if (!by_rate && !by_stress)
            continue;
        if (normal && c >= 3)
            return SW_DEM_REFUSE(m, by_rate ? rate : stress,
                                 ": need 11, 22 and 33 only in a true triaxial test");
        if (by_rate && by_stress)
            return SW_DEM_REFUSE(m, stress, " beside strain_rate: need only one of them");
        const double value = by_rate ? m->spec->components[c].strain_rate : m->spec->components[c].stress;
        if (!(fabs(value) <= 1e15))
            return SW_DEM_REFUSE(m, by_rate ? rate : stress, " = %.15g: need -1e15 to 1e15", value);
        if (by_stress && c < 3 && !(value > 0))
            return SW_DEM_REFUSE(m, stress, " = %.15g: need more than 0: grains carry no tension", value);
        any = 1;
        if (by_stress)
            drive(s, c, value);
        for (int i = 0; i < 3 && by_rate; i++)
            for (int j = 0; j < 3; j++)
                if (six_of[i][j] == c)
                    s->velocity_gradient[i][j] = -value;
    }
    return any ? SW_OK
               : SW_DEM_REFUSE(m, "components", " is missing: need components, as {33: {strain_rate: 1.0}}");
}

static sw_status by_components(sw_dem_maker *m, int normal)
{
    sw_dem_stage *s;
    double rate = 0;
    SW_TRY(begin(m, &s));
    SW_TRY(drive_components(m, s, normal));
    s->ramp = m->spec->ramp;
    int stress = 0;
    for (int c = 0; c < SW_DEM_SIX; c++)
        stress |= s->stress_driven[c];
    if (!stress && sw_dem_has(m, "servo_rate"))
        return SW_DEM_REFUSE(m, "servo_rate", ": goes with components that are driven by stress");
    if (!stress && sw_dem_has(m, "ramp"))
        return SW_DEM_REFUSE(m, "ramp", ": goes with components that are driven by stress");
    if (stress && !sw_dem_has(m, "servo_rate"))
        SW_TRY(rate_at_rest(m, &rate));
    if (stress)
        set_servo(m, s, rate, 5);
    return end_as_asked(m, s, rate);
}

static sw_status general(sw_dem_maker *m) { return by_components(m, 0); }

/* p and b = (s2 - s3) / (s1 - s3) stay as they are while axis 1 is compressed: s3 = (3 p - (1 + b) s1) / (2 -
 * b) and s2 = 3 p - s1 - s3 follow the stress s1 that the element has. */
static sw_status true_triaxial(sw_dem_maker *m)
{
    static const char *const own[] = {"axis", "strain", "pressure", "b"}, *const other[] = {
                                                                              "until", "component", "goal",
                                                                              "duration", "ramp"};
    sw_dem_stage *s;
    double pressure, rate;
    const int major = axis_of(m);
    if (sw_dem_has(m, "components")) {
        for (int i = 0; i < 4; i++)
            if (sw_dem_has(m, own[i]))
                return SW_DEM_REFUSE(m, own[i], " beside components: need only one of them");
        return by_components(m, 1);
    }
    for (int i = 0; i < 5; i++)
        if (sw_dem_has(m, other[i]))
            return SW_DEM_REFUSE(m, other[i], ": goes with components");
    SW_TRY(begin(m, &s));
    SW_TRY(need(m, "b", "need it with strain, or components"));
    SW_TRY(need(m, "strain", "strain of the major axis, compression positive"));
    if (!(m->spec->strain > 0))
        return SW_DEM_REFUSE(m, "strain", " = %.15g: need more than 0: the major stress is on this axis",
                             m->spec->strain);
    SW_TRY(pressure_of(m, "pressure", m->spec->pressure, &pressure));
    rate = sw_dem_test_rate(m, pressure);
    const int middle = (major + 2) % 3, minor = (major + 1) % 3;
    const double b = m->spec->b, slope = -(1 + b) / (2 - b);
    s->velocity_gradient[major][major] = -rate;
    drive(s, minor, 3 * pressure / (2 - b));
    drive(s, middle, 3 * pressure * (1 - b) / (2 - b));
    s->follow[minor] = slope;
    s->follow[middle] = -1 - slope;
    set_servo(m, s, rate, 5);
    end_by_strain(m, s, major, m->spec->strain, rate);
    return SW_OK;
}

static sw_status strain_path(sw_dem_maker *m)
{
    sw_dem_stage *s;
    double norm = 0, rate, scale = 1;
    SW_TRY(begin(m, &s));
    SW_TRY(need(m, "velocity_gradient", "3 rows of 3 numbers, 1/s, extension positive"));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double d = 0.5 * (m->spec->velocity_gradient[i][j] + m->spec->velocity_gradient[j][i]);
            norm += 0.5 * d * d;
        }
    norm = sqrt(norm);
    if (!(norm > 0 && norm <= 1e15))
        return SW_DEM_REFUSE(m, "velocity_gradient",
                             ": sqrt(D:D / 2) = %.15g 1/s: need more than 0, at most 1e15", norm);
    if (sw_dem_has(m, "strain_rate") || sw_dem_has(m, "inertia_number")) {
        SW_TRY(rate_at_rest(m, &rate));
        scale = rate / norm;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s->velocity_gradient[i][j] = scale * m->spec->velocity_gradient[i][j];
    return end_as_asked(m, s, scale * norm);
}

static sw_status stress_path(sw_dem_maker *m)
{
    const sw_dem_path *path = &m->job->path_of[m->index];
    double rate = 0;
    if (!sw_dem_has(m, "servo_rate"))
        SW_TRY(rate_at_rest(m, &rate));
    for (int64_t k = 1; k < path->n_rows; k++) {
        sw_dem_stage *s;
        SW_TRY(begin(m, &s));
        s->zero_strain = s->zero_strain && k == 1;
        for (int c = 0; c < SW_DEM_SIX; c++) {
            if (path->driven[c] == 2)
                drive(s, c, path->value[k][c]);
            for (int i = 0; i < 3 && path->driven[c] == 1; i++)
                for (int j = 0; j < 3; j++)
                    if (six_of[i][j] == c)
                        s->velocity_gradient[i][j] = -path->value[k][c];
        }
        s->until = SW_DEM_UNTIL_TIME;
        s->goal = s->ramp = path->time[k] - path->time[k - 1];
        set_servo(m, s, rate, 5);
        s->max_steps =
            (int64_t)(sw_dem_has(m, "most_steps") ? (double)m->spec->most_steps
                                                  : steps_within(4 * s->goal / m->time_step + 1e4));
    }
    return SW_OK;
}

const sw_dem_test sw_dem_tests[SW_DEM_TESTS] = {
    {"isotropic", "pressure volume_strain ramp servo_rate stress_tolerance unbalanced_force", isotropic},
    {"drained_triaxial", "axis strain pressure servo_rate", drained_triaxial},
    {"undrained_triaxial", "axis strain", undrained_triaxial},
    {"simple_shear", "plane strain normal_stress servo_rate", simple_shear},
    {"true_triaxial",
     "axis strain pressure b components until component goal duration ramp servo_rate stress_tolerance",
     true_triaxial},
    {"stress_path", "file servo_rate", stress_path},
    {"strain", "velocity_gradient until component goal duration", strain_path},
    {"general", "components until component goal duration ramp servo_rate stress_tolerance", general},
};
const char sw_dem_keys_of_all_tests[] =
    "strain_rate inertia_number friction most_steps record zero_strain wait_for_rest";
