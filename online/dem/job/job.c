#include "job.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/rotation.h"
#include "common/job/old_yaml.h"
#include "input.h"
#include "online/gpu/gpu.h"
#include "common/job/old_yaml.h"

#undef sw_dem_job_error /* it is defined here */

/* ---- What a job file may hold ---- */

#define TEXT(key, structure, member)                                                            \
    CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, 1, \
                           CYAML_UNLIMITED)
#define REAL(key, structure, member) CYAML_FIELD_FLOAT(key, CYAML_FLAG_OPTIONAL, structure, member)
#define WHOLE(key, structure, member) CYAML_FIELD_INT(key, CYAML_FLAG_OPTIONAL, structure, member)
#define LIST(key, structure, member, entry, least, most) \
    CYAML_FIELD_SEQUENCE(key, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, structure, member, entry, least, most)

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_FLOAT(CYAML_FLAG_DEFAULT, double)};
static const cyaml_schema_value_t whole_schema = {CYAML_VALUE_INT(CYAML_FLAG_DEFAULT, int64_t)};
static const cyaml_schema_value_t word_schema = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED),
};
static const cyaml_schema_value_t pair_schema = {
    CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &number_schema, 2),
};
static const cyaml_schema_value_t triple_schema = {
    CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, double, &number_schema, 3),
};

const sw_dem_parameter_traits sw_dem_parameters[SW_DEM_PARAMETERS] = {
#define IN(in, id, unit, key, name, alias, whole, least, most, bound) \
    [id] = {in, unit, key, name, alias, whole, least, most, bound},
#define IN_MATERIAL(...) IN("material", __VA_ARGS__)
#define IN_PACKING(...) IN("packing", __VA_ARGS__)
#define IN_NUMERICS(...) IN("numerics", __VA_ARGS__)
    SW_DEM_MATERIAL_PARAMETERS(IN_MATERIAL) SW_DEM_PACKING_PARAMETERS(IN_PACKING)
        SW_DEM_NUMERICS_PARAMETERS(IN_NUMERICS)
#undef IN
#undef IN_MATERIAL
#undef IN_PACKING
#undef IN_NUMERICS
};

#define OF_SECTION(id, unit, key, ...) REAL(key, sw_dem_job, parameter[id]),
#define OF_VARIATION(id, unit, key, name, ...) REAL(name, sw_dem_job_variation, value[id]),

static const cyaml_schema_field_t material_fields[] = {
    TEXT("law", sw_dem_job, law),
    TEXT("moment_radius", sw_dem_job, moment_radius),
    SW_DEM_MATERIAL_PARAMETERS(OF_SECTION) CYAML_FIELD_END,
};
static const cyaml_schema_field_t radii_fields[] = {
    TEXT("distribution", sw_dem_job, packing.radii.distribution),
    REAL("radius", sw_dem_job, packing.radii.radius),
    REAL("deviation", sw_dem_job, packing.radii.deviation),
    REAL("least", sw_dem_job, packing.radii.least),
    REAL("largest", sw_dem_job, packing.radii.largest),
    LIST("grading", sw_dem_job, packing.radii.grading, &pair_schema, 2, 1000),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t packing_fields[] = {
    TEXT("file", sw_dem_job, packing.file),
    SW_YAML_SECTION("radii", CYAML_FLAG_OPTIONAL, sw_dem_job, radii_fields),
    SW_DEM_PACKING_PARAMETERS(OF_SECTION) REAL("friction_decay", sw_dem_job, packing.friction_decay),
    REAL("stress_tolerance", sw_dem_job, packing.stress_tolerance),
    REAL("unbalanced_force", sw_dem_job, packing.unbalanced_force),
    WHOLE("most_steps", sw_dem_job, packing.most_steps),
    TEXT("record", sw_dem_job, packing.record),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t variation_fields[] = {
    SW_DEM_PARAMETER_LIST(OF_VARIATION) TEXT("file", sw_dem_job_variation, file),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t variation_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_dem_job_variation, variation_fields),
};
static const cyaml_schema_field_t rves_fields[] = {
    WHOLE("count", sw_dem_job, rves.count),
    LIST("variations", sw_dem_job, rves.variations, &variation_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t numerics_fields[] = {
    TEXT("damping_form", sw_dem_job, numerics.damping_form),
    TEXT("step_rule", sw_dem_job, numerics.step_rule),
    REAL("step", sw_dem_job, numerics.step),
    REAL("skin", sw_dem_job, numerics.skin),
    REAL("servo_gain", sw_dem_job, numerics.servo_gain),
    WHOLE("control_interval", sw_dem_job, numerics.control_interval),
    WHOLE("record_interval", sw_dem_job, numerics.record_interval),
    REAL("record_strain", sw_dem_job, numerics.record_strain),
    SW_DEM_NUMERICS_PARAMETERS(OF_SECTION) CYAML_FIELD_END,
};

static const cyaml_schema_field_t component_fields[] = {
    REAL("strain_rate", sw_dem_job_stage, components[0].strain_rate),
    REAL("stress", sw_dem_job_stage, components[0].stress),
    CYAML_FIELD_END,
};
/* A mapping whose own fields count from the first component. */
#define COMPONENT(name, index)                                                                       \
    {                                                                                                \
        .key = (name),                                                                               \
        .data_offset = (uint32_t)(index) * (uint32_t)sizeof(((sw_dem_job_stage *)0)->components[0]), \
        .value = {CYAML_VALUE_MAPPING(CYAML_FLAG_OPTIONAL, sw_dem_job_stage, component_fields)},     \
    }
static const cyaml_schema_field_t components_fields[] = {
    COMPONENT("11", 0), COMPONENT("22", 1), COMPONENT("33", 2), COMPONENT("23", 3),
    COMPONENT("13", 4), COMPONENT("12", 5), CYAML_FIELD_END,
};
static const cyaml_schema_field_t stage_fields[] = {
    CYAML_FIELD_STRING_PTR("test", CYAML_FLAG_POINTER, sw_dem_job_stage, test, 1, CYAML_UNLIMITED),
    WHOLE("axis", sw_dem_job_stage, axis),
    LIST("plane", sw_dem_job_stage, plane, &whole_schema, 2, 2),
    REAL("strain", sw_dem_job_stage, strain),
    REAL("volume_strain", sw_dem_job_stage, volume_strain),
    REAL("strain_rate", sw_dem_job_stage, strain_rate),
    REAL("inertia_number", sw_dem_job_stage, inertia_number),
    REAL("pressure", sw_dem_job_stage, pressure),
    REAL("normal_stress", sw_dem_job_stage, normal_stress),
    REAL("b", sw_dem_job_stage, b),
    CYAML_FIELD_SEQUENCE_FIXED("velocity_gradient", CYAML_FLAG_OPTIONAL, sw_dem_job_stage, velocity_gradient,
                               &triple_schema, 3),
    SW_YAML_SECTION("components", CYAML_FLAG_OPTIONAL, sw_dem_job_stage, components_fields),
    TEXT("file", sw_dem_job_stage, file),
    TEXT("until", sw_dem_job_stage, until),
    TEXT("component", sw_dem_job_stage, component),
    REAL("goal", sw_dem_job_stage, goal),
    REAL("duration", sw_dem_job_stage, duration),
    REAL("ramp", sw_dem_job_stage, ramp),
    REAL("servo_rate", sw_dem_job_stage, servo_rate),
    REAL("stress_tolerance", sw_dem_job_stage, stress_tolerance),
    REAL("unbalanced_force", sw_dem_job_stage, unbalanced_force),
    REAL("friction", sw_dem_job_stage, friction),
    WHOLE("most_steps", sw_dem_job_stage, most_steps),
    TEXT("record", sw_dem_job_stage, record),
    TEXT("zero_strain", sw_dem_job_stage, zero_strain),
    TEXT("wait_for_rest", sw_dem_job_stage, wait_for_rest),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t stage_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_dem_job_stage, stage_fields),
};

static const cyaml_schema_field_t execution_fields[] = {
    TEXT("device", sw_dem_job, execution.device),
    TEXT("team", sw_dem_job, execution.team),
    TEXT("detection", sw_dem_job, execution.detection),
    TEXT("images", sw_dem_job, execution.images),
    REAL("memory", sw_dem_job, execution.memory),
    REAL("checkpoint", sw_dem_job, execution.checkpoint),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t output_fields[] = {
    TEXT("file", sw_dem_job, output.file),
    LIST("packings", sw_dem_job, output.packings, &word_schema, 0, 2),
    TEXT("contacts", sw_dem_job, output.contacts),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t samples_fields[] = {
    TEXT("table", sw_dem_job, samples.table),
    TEXT("folder", sw_dem_job, samples.folder),
    TEXT("control", sw_dem_job, samples.control),
    TEXT("on_failure", sw_dem_job, samples.on_failure),
    LIST("values", sw_dem_job, samples.values, &number_schema, 1, 1000000),
    WHOLE("count", sw_dem_job, samples.count),
    REAL("first", sw_dem_job, samples.first),
    REAL("last", sw_dem_job, samples.last),
    LIST("columns", sw_dem_job, samples.columns, &word_schema, 1, 64),
    CYAML_FIELD_END,
};
static const cyaml_schema_field_t job_fields[] = {
    SW_YAML_SECTION("material", CYAML_FLAG_DEFAULT, sw_dem_job, material_fields),
    SW_YAML_SECTION("packing", CYAML_FLAG_DEFAULT, sw_dem_job, packing_fields),
    SW_YAML_SECTION("rves", CYAML_FLAG_OPTIONAL, sw_dem_job, rves_fields),
    SW_YAML_SECTION("numerics", CYAML_FLAG_OPTIONAL, sw_dem_job, numerics_fields),
    LIST("loading", sw_dem_job, loading, &stage_schema, 0, 1000),
    SW_YAML_SECTION("execution", CYAML_FLAG_OPTIONAL, sw_dem_job, execution_fields),
    SW_YAML_SECTION("output", CYAML_FLAG_OPTIONAL, sw_dem_job, output_fields),
    SW_YAML_SECTION("samples", CYAML_FLAG_OPTIONAL, sw_dem_job, samples_fields),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t job_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, sw_dem_job, job_fields),
};

/* ---- Where a value comes from: the file, or an option of the command line ---- */

typedef struct sw_dem_source {
    sw_oldyaml *yaml;
    sw_dem_overrides overrides; /* borrowed, while the file is read */
} sw_dem_source;

static const struct option {
    const char *key, *name;
    size_t from, to; /* offsets in sw_dem_overrides (a pointer) and sw_dem_job */
    int number;      /* a double, else a text */
} options[] = {
#define OPTION(key, name, from, to, number)                                           \
    {                                                                                 \
        key, name, offsetof(sw_dem_overrides, from), offsetof(sw_dem_job, to), number \
    }
    OPTION("output.file", "--output", output, output.file, 0),
    OPTION("execution.device", "--device", device, execution.device, 0),
    OPTION("execution.team", "--team", team, execution.team, 0),
    OPTION("execution.detection", "--detection", detection, execution.detection, 0),
    OPTION("execution.images", "--images", images, execution.images, 0),
    OPTION("samples.table", "--samples", samples, samples.table, 0),
    OPTION("packing.seed", "--seed", seed, parameter[SW_DEM_SEED], 1),
    OPTION("numerics.inertia_number", "--inertia-number", inertia_number, parameter[SW_DEM_INERTIA], 1),
#undef OPTION
};

/* An option's value; NULL when it was not used. */
static const void *option_value(const sw_dem_source *source, const struct option *option)
{
    const void *value;
    memcpy(&value, (const char *)&source->overrides + option->from, sizeof value);
    return value;
}

/* The name of the option that gave a key its value; NULL when none did. */
static const char *option_of(const sw_dem_source *source, const char *key)
{
    for (size_t i = 0; i < CYAML_ARRAY_LEN(options); i++)
        if (strcmp(options[i].key, key) == 0 && option_value(source, &options[i]) != NULL)
            return options[i].name;
    return NULL;
}

int sw_dem_given(const sw_dem_job *job, const char *key)
{
    return option_of(job->source, key) != NULL || sw_oldyaml_has(job->source->yaml, key);
}

sw_status sw_dem_job_error(const sw_dem_job *job, const char *key, const char *format, ...)
{
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *option = option_of(job->source, key);
    return option == NULL ? sw_oldyaml_error(job->source->yaml, key, "%s", text)
                          : sw_error(SW_ERR_INPUT, "%s%s", option, text);
}

sw_status sw_dem_blame(const sw_dem_job *job, const char *key)
{
    char message[512];
    snprintf(message, sizeof message, "%.500s", sw_error_message());
    return sw_dem_job_error(job, key, ": %s", message);
}

sw_status sw_dem_resolve_path(const sw_dem_job *job, const char **path)
{
    return sw_job_resolve_path(job->path, path);
}

/* Options in place of keys; paths of the file from its folder. */
static sw_status merge(sw_dem_job *job)
{
    const sw_dem_source *source = job->source;
    if (source->overrides.samples == NULL)
        SW_TRY(sw_dem_resolve_path(job, &job->samples.table));
    for (const struct option *o = options; o < options + CYAML_ARRAY_LEN(options); o++) {
        const void *value = option_value(source, o);
        char *member = (char *)job + o->to;
        if (value != NULL && o->number)
            memcpy(member, value, sizeof(double));
        else if (value != NULL && *(const char *)value == '\0')
            return sw_dem_job_error(job, o->key, " = '': need a text");
        else if (value != NULL)
            SW_TRY(sw_job_replace_text((const char **)(void *)member, "", 0, value));
    }
    SW_TRY(sw_dem_resolve_path(job, &job->packing.file));
    for (unsigned i = 0; i < job->rves.variations_count; i++)
        SW_TRY(sw_dem_resolve_path(job, &job->rves.variations[i].file));
    for (unsigned i = 0; i < job->loading_count; i++)
        SW_TRY(sw_dem_resolve_path(job, &job->loading[i].file));
    return SW_OK;
}

/* ---- Checks ---- */

sw_status sw_dem_check_numbers(const sw_dem_job *job, const char *prefix, void *structure, int count,
                               const sw_dem_number *number)
{
    for (const sw_dem_number *n = number; n < number + count; n++) {
        char key[SW_DEM_KEY + 64];
        void *member = (char *)structure + n->member;
        snprintf(key, sizeof key, "%s%s", prefix, n->key);
        const double value = n->whole ? (double)*(const int64_t *)member : *(const double *)member;
        if (sw_dem_given(job, key)) {
            if (!(value >= n->least && value <= n->most))
                return sw_dem_job_error(job, key, " = %.15g: need %s", value, n->bound);
        } else if (n->whole)
            *(int64_t *)member = (int64_t)n->standard;
        else
            *(double *)member = n->standard;
    }
    return SW_OK;
}

sw_status sw_dem_choose(const sw_dem_job *job, const char *key, const char *word, int count,
                        const char *const *names, int standard, int *index)
{
    char bound[256];
    *index = word == NULL ? standard : sw_oldyaml_choose(word, count, names, bound, sizeof bound);
    return *index >= 0 || word == NULL ? SW_OK : sw_dem_job_error(job, key, " = %.80s: need %s", word, bound);
}

sw_status sw_dem_choose_yes(const sw_dem_job *job, const char *key, const char *word, int standard, int *yes)
{
    static const char *const words[] = {"no", "yes", "false", "true"};
    SW_TRY(sw_dem_choose(job, key, word, 4, words, standard, yes));
    *yes &= 1;
    return SW_OK;
}

const char *sw_dem_parameter_bound(sw_dem_parameter parameter, double value)
{
    const sw_dem_parameter_traits *t = &sw_dem_parameters[parameter];
    const int good = value >= t->least && value <= t->most && (!t->whole || value == floor(value));
    return good ? NULL : t->bound;
}

static void parameter_key(int parameter, char key[SW_DEM_KEY])
{
    snprintf(key, SW_DEM_KEY, "%s.%s", sw_dem_parameters[parameter].section,
             sw_dem_parameters[parameter].key);
}

static int parameter_given(const sw_dem_job *job, int parameter)
{
    char key[SW_DEM_KEY];
    parameter_key(parameter, key);
    return sw_dem_given(job, key);
}

static sw_status check_parameters(sw_dem_job *job)
{
    const sw_dem_packing_target target = sw_dem_packing_target_defaults();
    const sw_dem_numerics numerics = sw_dem_numerics_defaults();
    double standard[SW_DEM_PARAMETERS] = {0};
    char key[SW_DEM_KEY];
    standard[SW_DEM_SEED] = 1;
    standard[SW_DEM_PACKING_FRICTION] = target.packing_friction;
    standard[SW_DEM_PACKING_INERTIA] = target.inertia_number;
    standard[SW_DEM_DAMPING] = numerics.damping;
    standard[SW_DEM_INERTIA] = 1e-3; /* Lubbe et al. 2022, section 6 */
    for (int i = 0; i < SW_DEM_PARAMETERS; i++) {
        parameter_key(i, key);
        if (!sw_dem_given(job, key)) {
            job->parameter[i] = standard[i];
            continue;
        }
        const char *bound = sw_dem_parameter_bound((sw_dem_parameter)i, job->parameter[i]);
        if (bound != NULL)
            return sw_dem_job_error(job, key, " = %.15g: need %s", job->parameter[i], bound);
    }
    return SW_OK;
}

static sw_status check_material(sw_dem_job *job)
{
    static const sw_dem_parameter needed[] = {SW_DEM_YOUNG, SW_DEM_POISSON, SW_DEM_DENSITY};
    static const char *const radii[] = {"minimum", "product"};
    int law, radius;
    char key[SW_DEM_KEY];
    SW_TRY(sw_dem_choose(job, "material.law", job->law, SW_DEM_LAWS, sw_dem_laws, SW_DEM_LINEAR, &law));
    SW_TRY(sw_dem_choose(job, "material.moment_radius", job->moment_radius, SW_DEM_MOMENT_RADII, radii,
                         SW_DEM_MOMENT_MINIMUM, &radius));
    job->material.law = (sw_dem_law)law;
    job->material.moment_radius = (sw_dem_moment_radius)radius;
    for (size_t i = 0; i < CYAML_ARRAY_LEN(needed); i++) {
        parameter_key(needed[i], key);
        if (!sw_dem_given(job, key))
            return sw_dem_job_error(job, key, " is missing: need %s", sw_dem_parameters[needed[i]].bound);
    }
    if (!parameter_given(job, SW_DEM_FRICTION) && !parameter_given(job, SW_DEM_FRICTION_ANGLE))
        return sw_dem_job_error(job, "material.friction_angle", " is missing: need it or friction");
    if (parameter_given(job, SW_DEM_FRICTION) && parameter_given(job, SW_DEM_FRICTION_ANGLE))
        return sw_dem_job_error(job, "material.friction_angle", " beside friction: need only one of them");
    if (parameter_given(job, SW_DEM_FRICTION_ANGLE))
        job->parameter[SW_DEM_FRICTION] = tan(job->parameter[SW_DEM_FRICTION_ANGLE] * SW_PI / 180);
    else
        job->parameter[SW_DEM_FRICTION_ANGLE] = atan(job->parameter[SW_DEM_FRICTION]) * 180 / SW_PI;
    return SW_OK;
}

static sw_status check_packing(sw_dem_job *job)
{
    const sw_dem_packing_target d = sw_dem_packing_target_defaults();
#define AT(member) offsetof(sw_dem_job, packing.member)
    const sw_dem_number rules[] = {
        {"friction_decay", AT(friction_decay), 0, 1e-6, 0.5, d.friction_decay, "from 1e-6 to 0.5"},
        {"stress_tolerance", AT(stress_tolerance), 0, 1e-6, 0.5, d.stress_tolerance,
         "1e-6 <= stress_tolerance <= 0.5"},
        {"unbalanced_force", AT(unbalanced_force), 0, 1e-9, 1, d.unbalanced_force,
         "1e-9 <= unbalanced_force <= 1"},
        {"most_steps", AT(most_steps), 1, 1, 1e12, (double)d.max_steps, "1 <= most_steps <= 1e12"},
    };
#undef AT
    return sw_dem_check_numbers(job, "packing.", job, (int)CYAML_ARRAY_LEN(rules), rules);
}

static sw_status check_numerics(sw_dem_job *job)
{
    static const char *const forms[] = {"predicted", "cundall"}, *const steps[] = {"wave", "stiffness",
                                                                                   "fixed"};
    const sw_dem_numerics d = sw_dem_numerics_defaults();
    sw_dem_numerics *n = &job->frame;
    int form, rule;
    *n = d;
    SW_TRY(sw_dem_choose(job, "numerics.damping_form", job->numerics.damping_form, 2, forms,
                         (int)d.damping_form, &form));
    SW_TRY(
        sw_dem_choose(job, "numerics.step_rule", job->numerics.step_rule, 3, steps, (int)d.step_rule, &rule));
    const int fixed = rule == SW_DEM_STEP_FIXED;
#define AT(member) offsetof(sw_dem_job, numerics.member)
    const sw_dem_number rules[] = {
        {"step", AT(step), 0, fixed ? 1e-15 : 1e-3, 1, d.step,
         fixed ? "s, from 1e-15 to 1" : "a part of the critical step, from 1e-3 to 1"},
        {"skin", AT(skin), 0, 1e-3, 2, d.skin, "a part of the least radius, from 1e-3 to 2"},
        {"servo_gain", AT(servo_gain), 0, 1e-4, 1, d.servo_gain, "1e-4 <= servo_gain <= 1"},
        {"control_interval", AT(control_interval), 1, 1, 100000, d.control_interval,
         "1 <= control_interval <= 1e5"},
        {"record_interval", AT(record_interval), 1, 1, 1e12, 0, "1 <= record_interval <= 1e12"},
        {"record_strain", AT(record_strain), 0, 1e-9, 1, 5e-4, "1e-9 <= record_strain <= 1"},
    };
#undef AT
    SW_TRY(sw_dem_check_numbers(job, "numerics.", job, (int)CYAML_ARRAY_LEN(rules), rules));
    if (fixed && !sw_dem_given(job, "numerics.step"))
        return sw_dem_job_error(job, "numerics.step", " is missing: step_rule = fixed needs it, in s");
    if (sw_dem_given(job, "numerics.record_interval") && sw_dem_given(job, "numerics.record_strain"))
        return sw_dem_job_error(job, "numerics.record_interval",
                                " beside record_strain: need only one of them");
    if (job->numerics.record_interval % job->numerics.control_interval != 0)
        return sw_dem_job_error(
            job, "numerics.record_interval", " = %lld: need a multiple of control_interval = %lld",
            (long long)job->numerics.record_interval, (long long)job->numerics.control_interval);
    n->damping_form = (sw_dem_damping)form;
    n->step_rule = (sw_dem_step_rule)rule;
    n->step = job->numerics.step;
    n->skin = job->numerics.skin;
    n->control_interval = (int32_t)job->numerics.control_interval;
    n->servo_gain = job->numerics.servo_gain;
    return SW_OK;
}

/* The device, and what it has. */
static sw_status check_device(sw_dem_job *job)
{
    static const char *const devices[] = {"auto", "cpu", "cuda"};
    char gpu[sizeof job->device - 8];
    int device;
    sw_dem_options *o = &job->options;
    SW_TRY(sw_dem_choose(job, "execution.device", job->execution.device, 3, devices, 0, &device));
    const int on_gpu_only = o->team != SW_DEM_AUTO && o->team != SW_DEM_THREAD;
    if (device == 1 && on_gpu_only)
        return sw_dem_job_error(job, "execution.team", " = %s: runs on a GPU, but device = cpu",
                                sw_dem_teams[o->team]);
    if (device == 2 && o->team == SW_DEM_THREAD)
        return sw_dem_job_error(job, "execution.team", " = thread: runs on the CPU, but device = cuda");
    if (o->detection != SW_DEM_GRID && o->team != SW_DEM_LAUNCHES)
        return sw_dem_job_error(job, "execution.detection", " = %s: need team = launches, others have grid",
                                sw_dem_detections[o->detection]);
    snprintf(job->device, sizeof job->device, "cpu");
    if (device == 1 || o->team == SW_DEM_THREAD)
        return SW_OK;
    o->cuda = sw_gpu_describe(gpu, sizeof gpu) > 0;
    if (!o->cuda && (device == 2 || on_gpu_only))
        return sw_dem_job_error(job, device == 2 ? "execution.device" : "execution.team", " = %s: no GPU: %s",
                                device == 2 ? "cuda" : sw_dem_teams[o->team],
                                strncmp(gpu, "none: ", 6) == 0 ? gpu + 6 : gpu);
    if (o->cuda)
        snprintf(job->device, sizeof job->device, "cuda, %s", gpu);
    return SW_OK;
}

static sw_status check_execution(sw_dem_job *job)
{
    static const sw_dem_number rules[] = {
        {"memory", offsetof(sw_dem_job, execution.memory), 0, 1e6, 1e15, 0, "bytes, from 1e6 to 1e15"},
        {"checkpoint", offsetof(sw_dem_job, execution.checkpoint), 0, 0.1, 1e9, 300, "s, from 0.1 to 1e9"},
    };
    int team, detection, images;
    SW_TRY(sw_dem_check_numbers(job, "execution.", job, 2, rules));
    SW_TRY(sw_dem_choose(job, "execution.team", job->execution.team, SW_DEM_TEAMS, sw_dem_teams, SW_DEM_AUTO,
                         &team));
    SW_TRY(sw_dem_choose(job, "execution.detection", job->execution.detection, SW_DEM_DETECTIONS,
                         sw_dem_detections, SW_DEM_GRID, &detection));
    SW_TRY(sw_dem_choose(job, "execution.images", job->execution.images, 2, sw_dem_image_names,
                         SW_DEM_NEAREST, &images));
    job->options = sw_dem_defaults();
    job->options.team = (sw_dem_team)team;
    job->options.detection = (sw_dem_detection)detection;
    job->options.images = (sw_dem_images)images;
    job->options.memory = (int64_t)job->execution.memory;
    return check_device(job);
}

static sw_status check_output(sw_dem_job *job)
{
    /* HDF5 has room for 64 KB in an attribute, its name and type included. */
    enum { MOST = 65000 };
    static const char *const kinds[] = {"txt", "vtkhdf"};
    if (strlen(job->text) > MOST)
        return sw_error(SW_ERR_INPUT, "%s: has %zu bytes: need at most %d, which results files have room for",
                        job->path, strlen(job->text), MOST);
    for (unsigned i = 0; i < job->output.packings_count; i++) {
        char key[SW_DEM_KEY];
        int kind;
        snprintf(key, sizeof key, "output.packings[%u]", i);
        SW_TRY(sw_dem_choose(job, key, job->output.packings[i], 2, kinds, 0, &kind));
        *(kind == 0 ? &job->write_txt : &job->write_vtkhdf) = 1;
    }
    SW_TRY(sw_dem_choose_yes(job, "output.contacts", job->output.contacts, 0, &job->write_contacts));
    if (job->output.file == NULL)
        return sw_dem_job_error(job, "output.file", " is missing: need a file for the results");
    return SW_OK;
}

/* ---- Reading ---- */

static sw_status complete(sw_dem_job *job)
{
    SW_TRY(merge(job));
    SW_TRY(check_parameters(job));
    SW_TRY(check_material(job));
    SW_TRY(check_packing(job));
    SW_TRY(check_numerics(job));
    SW_TRY(sw_dem_check_loading(job));
    SW_TRY(sw_dem_make_elements(job));
    SW_TRY(check_output(job));
    return check_execution(job);
}

/* Takes the yaml over. */
static sw_status load(const char *path, const sw_dem_overrides *overrides, sw_oldyaml *yaml, sw_dem_job *job)
{
    sw_status status = SW_ALLOCATE(job->source, 1, "job");
    if (status != SW_OK) {
        sw_oldyaml_close(yaml);
        return status;
    }
    *job->source = (sw_dem_source){.yaml = yaml};
    job->path = strdup(path);
    if (job->path == NULL)
        return sw_error(SW_ERR_MEMORY, "%s: no memory for its name", path);
    if (overrides != NULL)
        job->source->overrides = *overrides;
    return complete(job);
}

sw_status sw_dem_job_read(const char *path, const sw_dem_overrides *overrides, sw_dem_job **job)
{
    char *text;
    void *data = NULL;
    sw_oldyaml *yaml;
    *job = NULL;
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_oldyaml_load(path, text, &job_schema, &yaml, &data);
    if (status != SW_OK) {
        free(text);
        return status;
    }
    ((sw_dem_job *)data)->text = text;
    status = load(path, overrides, yaml, data);
    if (status == SW_OK)
        *job = data;
    else
        sw_dem_job_free(data);
    return status;
}

void sw_dem_job_free(sw_dem_job *job)
{
    if (job == NULL)
        return;
    sw_dem_free_paths(job);
    sw_dem_table_free(job->table);
    free(job->column_of);
    free(job->control);
    free(job->grading);
    if (job->source != NULL)
        sw_oldyaml_close(job->source->yaml);
    free(job->source);
    free(job->path);
    free(job->text);
    sw_oldyaml_free_data(&job_schema, job);
}
