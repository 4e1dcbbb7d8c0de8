/* Tests by name -> stages of a load path. A test is a line of the list below, and its function.
 *
 * Rates, where they are not given in 1/s, follow from an inertia number and the test's confining pressure:
 * Lubbe et al. 2022, Eq. 20. Strain and stress are positive in compression; a sheared element has positive
 * shear strain and stress of its plane. */
#include "loading.h"

#include <math.h>
#include <stdlib.h>

#include "common/math/six.h"
#include "common/math/strain_rate.h"
#include "online/dem/backend/names.h"

/* Name, keys that it needs, others that it takes, what it does, function. Keys that no test names go with all. */
#define TEST_LIST(X)                                                                                       \
    X("isotropic", NULL, "pressure volume_strain ramp servo_rate stress_tolerance unbalanced_force",       \
      "stress to pressure, until it rests; or volume_strain at constant rate", isotropic)                  \
    X("drained_triaxial", "strain", "axis pressure servo_rate",                                            \
      "strains an axis, the others at constant stress", drained_triaxial)                                  \
    X("undrained_triaxial", "strain", "axis", "strains an axis at constant volume", undrained_triaxial)    \
    X("simple_shear", "strain", "plane normal_stress servo_rate",                                          \
      "moves along one axis with a gradient along another, at constant volume or normal stress",           \
      simple_shear)                                                                                        \
    X("true_triaxial", NULL,                                                                               \
      "axis strain pressure b components until component goal duration ramp servo_rate stress_tolerance",  \
      "compresses an axis at constant p and b; or components 11, 22, 33 as for general", true_triaxial)    \
    X("compaction", "relative_density", "axis lateral stress_ratio servo_rate",                            \
      "shrinks to a relative density: evenly, as in a die, or with a ratio of stresses", compaction)       \
    X("stress_path", "file", "servo_rate", "follows a table", stress_path)                                 \
    X("strain", "velocity_gradient", "until component goal duration",                                      \
      "any velocity gradient; of the given size, or scaled by strain_rate or inertia_number", strain_path) \
    X("general", "components", "until component goal duration ramp servo_rate stress_tolerance",           \
      "each of six components by its strain rate or its stress", general)                                  \
    X("rest", NULL, "unbalanced_force duration", "nothing is driven: until it rests, or for a time", rest)

const sw_key_case sw_dem_tests[] = {
#define CASE(text, needed, taken, meaning, function) \
    {text, .needs = (needed), .takes = (taken), .help = (meaning)},
    TEST_LIST(CASE)
#undef CASE
        {0}};

/* ---- Keys ---- */

static const sw_key_case ends[] = {
    [SW_DEM_UNTIL_STRAIN] = {"strain", .needs = "goal component", .help = "of a component"},
    [SW_DEM_UNTIL_VOLUME_STRAIN] = {"volume_strain", .needs = "goal"},
    [SW_DEM_UNTIL_VOID_RATIO] = {"void_ratio", .needs = "goal"},
    [SW_DEM_UNTIL_PRESSURE] = {"pressure", .needs = "goal", .help = "Pa"},
    [SW_DEM_UNTIL_EQUILIBRIUM] = {"equilibrium", .needs = "goal",
                                  .help = "stresses met, goal the unbalanced force"},
    [SW_DEM_UNTIL_TIME] = {"time", .needs = "goal", .help = "s"},
    [SW_DEM_UNTIL_STEPS] = {"steps", .needs = "goal"},
    [SW_DEM_UNTILS] = {0}};

#define NORMAL_STRESS .open = SW_OPEN_BELOW, .bound = "more than 0, at most 1e15: grains carry no tension"
#define COMPONENT(c, least_stress, ...)                                                                   \
    {                                                                                                     \
        {SW_REAL("strain_rate", sw_dem_job_stage, components[c].strain_rate, -1e15, 1e15), .unit = "1/s", \
         .standard = NAN, .otherwise = "0, without stress"},                                              \
            {SW_REAL("stress", sw_dem_job_stage, components[c].stress, least_stress, 1e15), .unit = "Pa", \
             .standard = NAN, .otherwise = "by strain_rate", __VA_ARGS__},                                \
            SW_KEYS_END                                                                                   \
    }
static const sw_key component_11[] = COMPONENT(0, 0, NORMAL_STRESS);
static const sw_key component_22[] = COMPONENT(1, 0, NORMAL_STRESS);
static const sw_key component_33[] = COMPONENT(2, 0, NORMAL_STRESS);
static const sw_key component_23[] = COMPONENT(3, -1e15, .open = 0);
static const sw_key component_13[] = COMPONENT(4, -1e15, .open = 0);
static const sw_key component_12[] = COMPONENT(5, -1e15, .open = 0);
static const sw_key components_keys[] = {{SW_SECTION("11", component_11)},
                                         {SW_SECTION("22", component_22)},
                                         {SW_SECTION("33", component_33)},
                                         {SW_SECTION("23", component_23)},
                                         {SW_SECTION("13", component_13)},
                                         {SW_SECTION("12", component_12)},
                                         SW_KEYS_END};

/* A number of an entry, NaN when it is not given. */
#define NUMBER(name, least, most) SW_REAL(#name, sw_dem_job_stage, name, least, most), .standard = NAN

const sw_key sw_dem_loading_keys[] = {
    {SW_CASES("test", sw_dem_job_stage, test, sw_dem_tests), .needed = 1},
    {SW_WHOLE("axis", sw_dem_job_stage, axis, 1, 3), .standard = 3, .bound = "1, 2 or 3",
     .help = "that is strained"},
    {SW_NUMBERS("plane", sw_dem_job_stage, plane, plane_count, 1, 3), .shortest = 2, .otherwise = "[1, 3]",
     .bound = "two axes of 1, 2, 3: of the motion, of its gradient", .help = "that is sheared"},
    {NUMBER(strain, -5, 5), .bound = "not 0, -5 to 5", .otherwise = "by components",
     .help = "of the axis, compression positive; of simple_shear gamma"},
    {NUMBER(volume_strain, -5, 5), .bound = "not 0, -5 to 5", .otherwise = "by pressure",
     .help = "compression positive"},
    {NUMBER(strain_rate, 1e-15, 1e12), .unit = "1/s", .otherwise = "by inertia_number"},
    {NUMBER(inertia_number, 1e-7, 1), .otherwise = "the job's",
     .help = "the rate is I sqrt(p/rho) / 2r of the test's confining pressure, the density and the mean "
             "radius of the element"},
    {NUMBER(pressure, 1e-3, 1e12), .unit = "Pa", .otherwise = "the packing's", .help = "confining pressure"},
    {NUMBER(normal_stress, 1e-3, 1e12), .unit = "Pa", .otherwise = "at constant volume",
     .help = "on the plane"},
    {NUMBER(b, 0, 1), .otherwise = "needed, or components", .help = "(s2 - s3) / (s1 - s3)"},
    {NUMBER(relative_density, 0.3, 0.98), .otherwise = "needed", .help = "of the particles as spheres"},
    {NUMBER(lateral, 0, 1), .otherwise = "1: evenly",
     .help = "lateral strain rates over the axis', 0 in a die"},
    {NUMBER(stress_ratio, 0, 1), .open = SW_OPEN_BELOW, .otherwise = "by lateral",
     .help = "lateral stresses over the axis'"},
    {SW_TENSOR("velocity_gradient", sw_dem_job_stage, velocity_gradient), .unit = "1/s",
     .bound = "3 rows of 3 numbers, 1/s", .help = "extension positive"},
    {SW_SECTION("components", components_keys)},
    {SW_PATH("file", sw_dem_job_stage, file), .help = "a stress path"},
    {SW_CASES("until", sw_dem_job_stage, until, ends), .standard = -1, .otherwise = "by duration",
     .help = "what ends the stage"},
    {SW_WORD("component", sw_dem_job_stage, component, sw_dem_six_names), .standard = -1,
     .help = "whose strain ends the stage"},
    {NUMBER(goal, 0, 1e15), .open = SW_OPEN_BELOW, .bound = "more than 0, at most 1e15",
     .otherwise = "needed with until",
     .help = "change of strain, ln V; void ratio; Pa; unbalanced force; s; steps"},
    {NUMBER(duration, 1e-15, 1e9), .unit = "s", .otherwise = "by until", .help = "of the stage"},
    {NUMBER(ramp, 0, 1e9), .unit = "s", .otherwise = "0", .help = "in which stresses move linearly"},
    {NUMBER(servo_rate, 1e-15, 1e12), .unit = "1/s", .otherwise = "5 times the test's rate; isotropic: once",
     .help = "bound of the servo's strain rates"},
    {SW_REAL("most_servo_error", sw_dem_job_stage, most_servo_error, 1e-3, 1e3), .standard = 0.2,
     .help = "relative, of stresses once held: the element fails when more are off, in the mean of 128 "
             "intervals"},
    {SW_REAL("stress_tolerance", sw_dem_job_stage, stress_tolerance, 1e-6, 0.5), .standard = 1e-2,
     .help = "relative"},
    {SW_REAL("unbalanced_force", sw_dem_job_stage, unbalanced_force, 1e-9, 1), .standard = 1e-2,
     .help = "at rest, over the mean contact force"},
    {SW_REAL("friction", sw_dem_job_stage, friction, 0, 10), .standard = -1, .otherwise = "the material's",
     .bound = "a tangent, from 0 to 10"},
    {SW_WHOLE("most_steps", sw_dem_job_stage, most_steps, 1, 1e15),
     .otherwise = "four times what it takes, or a strain of 2 by the servo",
     .help = "without its end the element fails"},
    {SW_YES("record", sw_dem_job_stage, record), .standard = 1},
    {SW_YES("zero_strain", sw_dem_job_stage, zero_strain),
     .help = "strains count from this test on; else from the first one"},
    {SW_YES("wait_for_rest", sw_dem_job_stage, wait_for_rest),
     .help = "rates pause while the kinetic energy exceeds the elastic one"},
    SW_KEYS_END};

const char *sw_dem_loading_key(unsigned index, const char *name, char key[SW_KEY_SIZE])
{
    return sw_key_path(key, "loading[%u]%s%s", index, *name == '\0' ? "" : ".", name);
}

/* ---- An entry on its way to stages ---- */

#define REFUSE(m, name, ...) \
    sw_job_error((m)->job->source, sw_dem_loading_key((m)->index, name, (char[SW_KEY_SIZE]){0}), __VA_ARGS__)

static sw_status refuse_keys(const sw_dem_maker *m, const char *keys, const char *why)
{
    char prefix[SW_KEY_SIZE];
    return sw_dem_refuse_keys(m->job->source, sw_key_path(prefix, "loading[%u].", m->index), keys, why);
}

/* A rate that only bounds the servo, whose own bound is there. */
#define RATES "strain_rate inertia_number"
#define BESIDE_SERVO " beside servo_rate: need only one of them"

static int given(double number) { return !isnan(number); }

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

/* One more stage, with what all tests have. */
static sw_status begin(sw_dem_maker *m, sw_dem_stage **stage)
{
    const sw_dem_job_stage *spec = m->spec;
    SW_TRY(sw_dem_append_stage(m, stage));
    (*stage)->friction = spec->friction;
    (*stage)->stress_tolerance = spec->stress_tolerance;
    (*stage)->unrecorded = !spec->record;
    (*stage)->most_servo_error = spec->most_servo_error;
    (*stage)->zero_strain = spec->zero_strain;
    (*stage)->wait_for_rest = spec->wait_for_rest;
    return SW_OK;
}

/* Confining pressure of a test, Pa: its own, else the packing's. */
static sw_status pressure_of(const sw_dem_maker *m, double *pressure)
{
    *pressure = given(m->spec->pressure) ? m->spec->pressure : m->element->value[SW_DEM_PRESSURE];
    return given(*pressure) ? SW_OK : REFUSE(m, "pressure", " is missing: need it here, or packing.pressure");
}

double sw_dem_test_rate(const sw_dem_maker *m, double pressure)
{
    if (given(m->spec->strain_rate))
        return m->spec->strain_rate;
    const double inertia =
        given(m->spec->inertia_number) ? m->spec->inertia_number : m->element->value[SW_DEM_INERTIA];
    return sw_dem_rate(inertia, pressure, m->element->material.density, m->mean_radius);
}

/* The same at the packing's pressure, which then must be known unless the rate is given. */
static sw_status rate_at_rest(const sw_dem_maker *m, double *rate)
{
    *rate = sw_dem_test_rate(m, m->element->value[SW_DEM_PRESSURE]);
    return given(*rate)
               ? SW_OK
               : REFUSE(m, "strain_rate", " is missing: need it, or packing.pressure for an inertia number");
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
    s->max_rate = given(m->spec->servo_rate) ? m->spec->servo_rate : times * rate;
}

static void set_ramp(const sw_dem_maker *m, sw_dem_stage *s)
{
    s->ramp = given(m->spec->ramp) ? m->spec->ramp : 0;
}

/* The most steps of a stage: its own, or these. */
static void bound_steps(const sw_dem_maker *m, sw_dem_stage *s, double steps)
{
    s->max_steps = m->spec->most_steps > 0 ? m->spec->most_steps : (int64_t)fmin(fmax(steps, 1), 1e15);
}

/* The end of a strain-driven test. */
static void end_by_strain(const sw_dem_maker *m, sw_dem_stage *s, int component, double strain, double rate)
{
    s->until = SW_DEM_UNTIL_STRAIN;
    s->component = component;
    s->goal = fabs(strain);
    /* four times what it takes: it may wait for rest */
    bound_steps(m, s, 4 * s->goal / (rate * m->time_step) + 1e4);
}

/* ---- Ends that a test leaves to its entry ---- */

/* What `until` and `goal`, or `duration`, say. */
static sw_status take_end(const sw_dem_maker *m, sw_dem_stage *s)
{
    char prefix[SW_KEY_SIZE];
    int by_duration;
    SW_TRY(sw_job_one_of(m->job->source, sw_key_path(prefix, "loading[%u].", m->index), "until duration", 1,
                         &by_duration));
    if (by_duration)
        SW_TRY(refuse_keys(m, "goal component", ": goes with until"));
    s->until = by_duration ? SW_DEM_UNTIL_TIME : (sw_dem_until)m->spec->until;
    s->goal = by_duration ? m->spec->duration : m->spec->goal;
    s->component = m->spec->component >= 0 ? m->spec->component : 0;
    return SW_OK;
}

static int any_driven(const sw_dem_stage *s)
{
    int any = 0;
    for (int c = 0; c < SW_DEM_SIX; c++)
        any |= s->stress_driven[c];
    return any;
}

/* Whether the stage strains its component. */
static int component_strains(const sw_dem_stage *s)
{
    int strains = s->stress_driven[s->component];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (sw_six_of(i, j) == s->component)
                strains |= s->velocity_gradient[i][j] + s->velocity_gradient[j][i] != 0;
    return strains;
}

/* Largest component of the strain rate that is given, 1/s, and the rate of the volume; infinite when a stress
 * decides it. */
static double speed_of(const sw_dem_stage *s, double *trace)
{
    double speed = 0;
    *trace = 0;
    for (int i = 0; i < 3; i++) {
        *trace += s->stress_driven[i] ? INFINITY : s->velocity_gradient[i][i];
        for (int j = 0; j < 3; j++)
            speed = fmax(speed, 0.5 * fabs(s->velocity_gradient[i][j] + s->velocity_gradient[j][i]));
    }
    return speed;
}

/* Whether the end can come; stress and rates of the stage are set. */
static sw_status check_end(const sw_dem_maker *m, const sw_dem_stage *s)
{
    double trace;
    const double speed = speed_of(s, &trace);
    switch (s->until) {
    case SW_DEM_UNTIL_STRAIN:
        if (!component_strains(s))
            return REFUSE(m, "component", " = %s: does not strain in this stage",
                          sw_dem_six_names[s->component]);
        break;
    case SW_DEM_UNTIL_VOLUME_STRAIN:
    case SW_DEM_UNTIL_VOID_RATIO:
        if (!any_driven(s) && fabs(trace) <= 1e-12 * speed)
            return REFUSE(m, "until", " = %s: the volume does not change in this stage", ends[s->until].name);
        break;
    case SW_DEM_UNTIL_EQUILIBRIUM:
        if (!any_driven(s))
            return REFUSE(m, "until", " = equilibrium: need a component that is driven by stress");
        break;
    case SW_DEM_UNTIL_PRESSURE:
    case SW_DEM_UNTIL_TIME:
    case SW_DEM_UNTIL_STEPS:
    case SW_DEM_UNTILS:
        break;
    }
    return SW_OK;
}

/* rate: of the test, 1/s. */
static sw_status end_as_asked(const sw_dem_maker *m, sw_dem_stage *s, double rate)
{
    double trace;
    SW_TRY(take_end(m, s));
    SW_TRY(check_end(m, s));
    const double fastest = any_driven(s) ? s->max_rate : fmax(speed_of(s, &trace), rate);
    const double steps = s->until == SW_DEM_UNTIL_TIME    ? 4 * s->goal / m->time_step + 1e4
                         : s->until == SW_DEM_UNTIL_STEPS ? s->goal + 1e6
                                                          : 2 / (fastest * m->time_step) + 1e5;
    bound_steps(m, s, steps + 4 * s->ramp / m->time_step);
    return SW_OK;
}

/* ---- The tests: of a stage that has what all tests have ---- */

static sw_status swell_or_shrink(sw_dem_maker *m, sw_dem_stage *s)
{
    double rate;
    SW_TRY(refuse_keys(m, "pressure ramp unbalanced_force servo_rate stress_tolerance",
                       " beside volume_strain: need only one of them"));
    SW_TRY(rate_at_rest(m, &rate));
    const double sign = m->spec->volume_strain > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++)
        s->velocity_gradient[i][i] = -sign * rate * sqrt(2.0 / 3.0); /* sqrt(D:D / 2) is the rate */
    end_by_strain(m, s, 0, m->spec->volume_strain, rate);
    s->until = SW_DEM_UNTIL_VOLUME_STRAIN;
    return SW_OK;
}

static sw_status isotropic(sw_dem_maker *m, sw_dem_stage *s)
{
    double pressure;
    if (given(m->spec->volume_strain))
        return swell_or_shrink(m, s);
    SW_TRY(pressure_of(m, &pressure));
    for (int i = 0; i < 3; i++)
        drive(s, i, pressure);
    if (given(m->spec->servo_rate))
        SW_TRY(refuse_keys(m, RATES, BESIDE_SERVO));
    set_ramp(m, s);
    set_servo(m, s, sw_dem_test_rate(m, pressure), 1);
    s->until = SW_DEM_UNTIL_EQUILIBRIUM;
    s->goal = m->spec->unbalanced_force;
    /* within them the servo could strain the element by 2, beyond any test */
    bound_steps(m, s, 2 / (s->max_rate * m->time_step) + 4 * (s->ramp / m->time_step) + 1e5);
    return SW_OK;
}

/* Under gravity grains settle. What they take for a fall is not known here. */
static sw_status rest(sw_dem_maker *m, sw_dem_stage *s)
{
    SW_TRY(refuse_keys(m, RATES, ": cannot act: nothing is driven"));
    if (given(m->spec->duration)) {
        SW_TRY(refuse_keys(m, "unbalanced_force", " beside duration: need only one of them"));
        s->until = SW_DEM_UNTIL_TIME;
        s->goal = m->spec->duration;
        bound_steps(m, s, 4 * s->goal / m->time_step + 1e4);
        return SW_OK;
    }
    s->until = SW_DEM_UNTIL_EQUILIBRIUM;
    s->goal = m->spec->unbalanced_force;
    bound_steps(m, s, 1e9);
    return SW_OK;
}

static int axis_of(const sw_dem_maker *m) { return (int)m->spec->axis - 1; }

static sw_status drained_triaxial(sw_dem_maker *m, sw_dem_stage *s)
{
    double pressure;
    const int axis = axis_of(m);
    SW_TRY(pressure_of(m, &pressure));
    const double rate = sw_dem_test_rate(m, pressure);
    s->velocity_gradient[axis][axis] = m->spec->strain > 0 ? -rate : rate;
    for (int i = 0; i < 3; i++)
        if (i != axis)
            drive(s, i, pressure);
    set_servo(m, s, rate, 5);
    end_by_strain(m, s, axis, m->spec->strain, rate);
    return SW_OK;
}

static sw_status undrained_triaxial(sw_dem_maker *m, sw_dem_stage *s)
{
    double rate;
    const int axis = axis_of(m);
    SW_TRY(rate_at_rest(m, &rate));
    const double signed_rate = m->spec->strain > 0 ? rate : -rate;
    for (int i = 0; i < 3; i++)
        s->velocity_gradient[i][i] = i == axis ? -signed_rate : 0.5 * signed_rate;
    end_by_strain(m, s, axis, m->spec->strain, rate);
    return SW_OK;
}

static sw_status simple_shear(sw_dem_maker *m, sw_dem_stage *s)
{
    double rate;
    const int own = m->spec->plane_count > 0, motion = own ? (int)m->spec->plane[0] - 1 : 0,
              gradient = own ? (int)m->spec->plane[1] - 1 : 2;
    if (given(m->spec->normal_stress)) {
        rate = sw_dem_test_rate(m, m->spec->normal_stress);
        drive(s, gradient, m->spec->normal_stress);
        set_servo(m, s, rate, 5);
    } else {
        SW_TRY(refuse_keys(m, "servo_rate", ": at constant volume there is no servo"));
        SW_TRY(rate_at_rest(m, &rate));
    }
    s->velocity_gradient[motion][gradient] = m->spec->strain > 0 ? -rate : rate;
    end_by_strain(m, s, sw_six_of(motion, gradient), 0.5 * m->spec->strain, 0.5 * rate);
    return SW_OK;
}

/* Rates of a component, and of its mirror image, that is driven by them: 1/s, compression positive. */
static void strain(sw_dem_stage *s, int component, double rate)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (sw_six_of(i, j) == component)
                s->velocity_gradient[i][j] = -rate;
}

/* components: one of stress and strain_rate each; those that are not there do not strain. The first `most`
 * of the six may be there. */
static sw_status drive_components(const sw_dem_maker *m, sw_dem_stage *s, int most)
{
    int any = 0;
    for (int c = 0; c < SW_DEM_SIX; c++) {
        const double rate = m->spec->components[c].strain_rate, stress = m->spec->components[c].stress;
        char name[SW_KEY_SIZE];
        if (!given(rate) && !given(stress))
            continue;
        any = 1;
        sw_key_path(name, "components.%s.%s", sw_dem_six_names[c], given(stress) ? "stress" : "strain_rate");
        if (c >= most)
            return REFUSE(m, name, ": need 11, 22 and 33 only in a true triaxial test");
        if (given(rate) && given(stress))
            return REFUSE(m, name, " beside strain_rate: need only one of them");
        if (given(stress))
            drive(s, c, stress);
        else
            strain(s, c, rate);
    }
    return any ? SW_OK : REFUSE(m, "components", " is missing: need components, as {33: {strain_rate: 1.0}}");
}

static sw_status by_components(sw_dem_maker *m, sw_dem_stage *s, int most)
{
    double rate = 0;
    SW_TRY(drive_components(m, s, most));
    set_ramp(m, s);
    if (!any_driven(s))
        SW_TRY(refuse_keys(m, "servo_rate ramp", ": goes with components that are driven by stress"));
    if (given(m->spec->servo_rate))
        SW_TRY(refuse_keys(m, RATES, BESIDE_SERVO));
    else if (any_driven(s))
        SW_TRY(rate_at_rest(m, &rate));
    else
        SW_TRY(refuse_keys(m, RATES, ": goes with components that are driven by stress"));
    if (any_driven(s))
        set_servo(m, s, rate, 5);
    return end_as_asked(m, s, rate);
}

static sw_status general(sw_dem_maker *m, sw_dem_stage *s) { return by_components(m, s, SW_DEM_SIX); }

/* p and b = (s2 - s3) / (s1 - s3) stay as they are while axis 1 is compressed: s3 = (3 p - (1 + b) s1) / (2 -
 * b) and s2 = 3 p - s1 - s3 follow the stress s1 that the element has. */
static sw_status keep_p_and_b(sw_dem_maker *m, sw_dem_stage *s)
{
    double pressure;
    const int major = axis_of(m), middle = (major + 2) % 3, minor = (major + 1) % 3;
    SW_TRY(pressure_of(m, &pressure));
    const double rate = sw_dem_test_rate(m, pressure), b = m->spec->b, slope = -(1 + b) / (2 - b);
    s->velocity_gradient[major][major] = -rate;
    drive(s, minor, 3 * pressure / (2 - b));
    drive(s, middle, 3 * pressure * (1 - b) / (2 - b));
    s->follow[minor] = slope;
    s->follow[middle] = -1 - slope;
    set_servo(m, s, rate, 5);
    end_by_strain(m, s, major, m->spec->strain, rate);
    return SW_OK;
}

static sw_status true_triaxial(sw_dem_maker *m, sw_dem_stage *s)
{
    char key[SW_KEY_SIZE];
    if (sw_job_given(m->job->source, sw_dem_loading_key(m->index, "components", key))) {
        SW_TRY(refuse_keys(m, "axis strain pressure b", " beside components: need only one of them"));
        return by_components(m, s, 3);
    }
    SW_TRY(refuse_keys(m, "until component goal duration ramp", ": goes with components"));
    if (!given(m->spec->b))
        return REFUSE(m, "b", " is missing: need it with strain, or components");
    if (!given(m->spec->strain))
        return REFUSE(m, "strain", " is missing: need that of the major axis, compression positive");
    if (!(m->spec->strain > 0))
        return REFUSE(m, "strain", " = %.15g: need more than 0: the major stress is on this axis",
                      m->spec->strain);
    return keep_p_and_b(m, s);
}

static sw_status strain_path(sw_dem_maker *m, sw_dem_stage *s)
{
    const double(*gradient)[3] = m->spec->velocity_gradient;
    const double size = sqrt(0.5 * sw_symmetric_square(gradient));
    double scale = 1, rate;
    if (!(size > 0 && size <= 1e15))
        return REFUSE(m, "velocity_gradient", ": sqrt(D:D / 2) = %.15g 1/s: need more than 0, at most 1e15",
                      size);
    if (given(m->spec->strain_rate) || given(m->spec->inertia_number)) {
        SW_TRY(rate_at_rest(m, &rate));
        scale = rate / size;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            s->velocity_gradient[i][j] = scale * gradient[i][j];
    return end_as_asked(m, s, scale * size);
}

/* An axis shrinks; the lateral ones at a part of its rate, or so that their stresses are a part of its stress. */
static sw_status compaction(sw_dem_maker *m, sw_dem_stage *s)
{
    const int axis = axis_of(m), by_stress = given(m->spec->stress_ratio);
    const double lateral = given(m->spec->lateral) ? m->spec->lateral : 1;
    double rate;
    SW_TRY(rate_at_rest(m, &rate));
    if (by_stress)
        SW_TRY(refuse_keys(m, "lateral", " beside stress_ratio: need only one of them"));
    else
        SW_TRY(refuse_keys(m, "servo_rate", ": goes with stress_ratio"));
    const double axial =
        by_stress ? rate : rate / sqrt(0.5 * (1 + 2 * lateral * lateral)); /* sqrt(D:D / 2) is the rate */
    for (int i = 0; i < 3; i++) {
        s->velocity_gradient[i][i] = i == axis ? -axial : by_stress ? 0 : -lateral * axial;
        if (i != axis && by_stress) {
            drive(s, i, 0);
            s->follow[i] = m->spec->stress_ratio;
        }
    }
    if (by_stress)
        set_servo(m, s, rate, 5);
    s->component = axis; /* that they follow */
    s->until = SW_DEM_UNTIL_VOID_RATIO;
    s->goal = 1 / m->spec->relative_density - 1;
    bound_steps(m, s, 4 * log(m->spec->relative_density / 0.2) / (axial * m->time_step) + 1e4);
    return SW_OK;
}

static sw_status stress_path(sw_dem_maker *m, sw_dem_stage *s)
{
    const sw_dem_path *path = &m->job->path_of[m->index];
    double rate = 0;
    if (given(m->spec->servo_rate))
        SW_TRY(refuse_keys(m, RATES, BESIDE_SERVO));
    else
        SW_TRY(rate_at_rest(m, &rate));
    for (int64_t k = 1; k < path->n_rows; k++) {
        if (k > 1) {
            SW_TRY(begin(m, &s));
            s->zero_strain = 0;
        }
        for (int c = 0; c < SW_DEM_SIX; c++) {
            if (path->driven[c] == SW_DEM_BY_STRESS)
                drive(s, c, path->value[k][c]);
            if (path->driven[c] == SW_DEM_BY_RATE)
                strain(s, c, path->value[k][c]);
        }
        s->until = SW_DEM_UNTIL_TIME;
        s->goal = s->ramp = path->time[k] - path->time[k - 1];
        set_servo(m, s, rate, 5);
        bound_steps(m, s, 4 * s->goal / m->time_step + 1e4);
    }
    return SW_OK;
}

/* Keys that go with all tests, but do nothing in the n stages of this one. */
static sw_status refuse_idle(const sw_dem_maker *m, const sw_dem_stage *stage, int64_t n)
{
    int watched = 0, rests = 0,
        strained = 0; /* stresses that may be lost, that end a stage; rates that may pause */
    for (int64_t i = 0; i < n; i++) {
        double trace;
        const int to_rest = stage[i].until == SW_DEM_UNTIL_EQUILIBRIUM;
        watched |= any_driven(&stage[i]) && !to_rest;
        rests |= to_rest;
        strained |= speed_of(&stage[i], &trace) > 0;
    }
    if (!watched)
        SW_TRY(refuse_keys(m, "most_servo_error", ": cannot act: no stress is held in this test"));
    if (!rests)
        SW_TRY(refuse_keys(m, "stress_tolerance", ": cannot act: need until = equilibrium"));
    return strained
               ? SW_OK
               : refuse_keys(m, "wait_for_rest", ": cannot act: no strain rate is given that could pause");
}

sw_status sw_dem_make_test(sw_dem_maker *m)
{
    static sw_status (*const functions[])(sw_dem_maker * m, sw_dem_stage * s) = {
#define FUNCTION(text, needed, taken, meaning, function) function,
        TEST_LIST(FUNCTION)
#undef FUNCTION
    };
    const int64_t before = m->n;
    sw_dem_stage *s = NULL;
    SW_TRY(begin(m, &s));
    SW_TRY(functions[m->spec->test](m, s));
    return refuse_idle(m, m->stage + before, m->n - before);
}
