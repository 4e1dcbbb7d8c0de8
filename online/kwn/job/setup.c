#include "setup.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "online/gpu/gpu.h"
#include "common/job/old_yaml.h"

/* ---- What a file may hold ---- */

static const cyaml_schema_field_t amount_fields[] = {
    CYAML_FIELD_STRING_PTR("solute", CYAML_FLAG_POINTER, sw_kwn_solute_amount, element, 1, CYAML_UNLIMITED),
    CYAML_FIELD_FLOAT("concentration", CYAML_FLAG_DEFAULT, sw_kwn_solute_amount, concentration),
    CYAML_FIELD_END,
};
const cyaml_schema_value_t sw_kwn_solute_amount_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_solute_amount, amount_fields),
};

static const cyaml_schema_field_t initial_fields[] = {
    CYAML_FIELD_STRING_PTR("phase", CYAML_FLAG_POINTER, sw_kwn_initial, phase, 1, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("shape", CYAML_FLAG_POINTER, sw_kwn_initial, shape, 1, CYAML_UNLIMITED),
    CYAML_FIELD_FLOAT("mean_radius", CYAML_FLAG_DEFAULT, sw_kwn_initial, mean_radius),
    SW_KWN_REAL("standard_deviation", sw_kwn_initial, standard_deviation),
    SW_KWN_REAL("volume_fraction", sw_kwn_initial, volume_fraction),
    SW_KWN_REAL("number_density", sw_kwn_initial, number_density),
    CYAML_FIELD_END,
};
const cyaml_schema_value_t sw_kwn_initial_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_initial, initial_fields),
};

static const cyaml_schema_field_t segment_fields[] = {
    SW_KWN_REAL("hold", sw_kwn_segment, hold),           SW_KWN_REAL("ramp_to", sw_kwn_segment, ramp_to),
    SW_KWN_REAL("rate", sw_kwn_segment, rate),           SW_KWN_REAL("duration", sw_kwn_segment, duration),
    SW_KWN_REAL("quench_to", sw_kwn_segment, quench_to), CYAML_FIELD_END,
};
const cyaml_schema_value_t sw_kwn_segment_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, sw_kwn_segment, segment_fields),
};

const cyaml_schema_field_t sw_kwn_axis_fields[] = {
    SW_KWN_TEXT("kind", sw_kwn_setup, size_axis.kind),
    SW_KWN_WHOLE("classes", sw_kwn_setup, size_axis.classes),
    SW_KWN_REAL("smallest", sw_kwn_setup, size_axis.smallest),
    SW_KWN_REAL("largest", sw_kwn_setup, size_axis.largest),
    CYAML_FIELD_END,
};

/* ---- Where a value comes from: the file, or an option of the command line ---- */

typedef struct sw_kwn_source {
    const char *path; /* borrowed, while the file is read */
    sw_oldyaml *yaml;
    sw_kwn_overrides overrides; /* what they point to: likewise */
} sw_kwn_source;

static const struct option {
    const char *key, *name;
    size_t from, to; /* offsets in sw_kwn_overrides (a pointer) and sw_kwn_setup */
    size_t size;     /* of a number; 0: a text */
} options[] = {
#define OPTION(key, name, from, to, size)                                             \
    {                                                                                 \
        key, name, offsetof(sw_kwn_overrides, from), offsetof(sw_kwn_setup, to), size \
    }
    OPTION("output.file", "--output", output, output_file, 0),
    OPTION("strategy", "--strategy", strategy, strategy, 0),
    OPTION("device", "--device", device, device, 0),
    OPTION("precision", "--precision", precision, precision, 0),
    OPTION("size_axis.classes", "--classes", classes, size_axis.classes, sizeof(int64_t)),
    OPTION("points", "--points", points, points, sizeof(int64_t)),
    OPTION("tolerance", "--tolerance", tolerance, tolerance, sizeof(double)),
#undef OPTION
};

/* An option's value; NULL when it was not used. */
static const void *option_value(const sw_kwn_source *source, const struct option *option)
{
    const void *value;
    memcpy(&value, (const char *)&source->overrides + option->from, sizeof value);
    return value;
}

/* The name of the option that gave a key its value; NULL when none did. */
static const char *option_of(const sw_kwn_source *source, const char *key)
{
    for (size_t i = 0; i < CYAML_ARRAY_LEN(options); i++)
        if (strcmp(options[i].key, key) == 0 && option_value(source, &options[i]) != NULL)
            return options[i].name;
    return NULL;
}

int sw_kwn_given(const sw_kwn_setup *setup, const char *key)
{
    return option_of(setup->source, key) != NULL || sw_oldyaml_has(setup->source->yaml, key);
}

sw_status sw_kwn_job_error(const sw_kwn_setup *setup, const char *key, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *option = option_of(setup->source, key);
    return option == NULL ? sw_oldyaml_error(setup->source->yaml, key, "%s", text)
                          : sw_error(SW_ERR_INPUT, "%s%s", option, text);
}

sw_status sw_kwn_resolve_path(const sw_kwn_setup *setup, const char **path)
{
    return sw_job_resolve_path(setup->source->path, path);
}

/* Options in place of keys. */
static sw_status merge(sw_kwn_setup *setup)
{
    const sw_kwn_source *source = setup->source;
    for (const struct option *o = options; o < options + CYAML_ARRAY_LEN(options); o++) {
        const void *value = option_value(source, o);
        char *member = (char *)setup + o->to;
        if (value != NULL && o->size > 0)
            memcpy(member, value, o->size);
        else if (value != NULL && *(const char *)value == '\0')
            return sw_kwn_job_error(setup, o->key, " = '': need a text");
        else if (value != NULL)
            SW_TRY(sw_job_replace_text((const char **)(void *)member, "", 0, value));
    }
    return sw_kwn_resolve_path(setup, &setup->alloy);
}

/* ---- Checks ---- */

static double number_in(const void *member, int whole)
{
    return whole ? (double)*(const int64_t *)member : *(const double *)member;
}

sw_status sw_kwn_check_numbers(const sw_kwn_setup *setup, const char *prefix, void *structure, int count,
                               const sw_kwn_number *number)
{
    for (const sw_kwn_number *n = number; n < number + count; n++) {
        char key[128];
        void *member = (char *)structure + n->member;
        snprintf(key, sizeof key, "%s%s", prefix, n->key);
        const double value = number_in(member, n->whole);
        if (sw_kwn_given(setup, key)) {
            if (!(value >= n->least && value <= n->most))
                return sw_kwn_job_error(setup, key, " = %.15g: need %s", value, n->bound);
        } else if (n->whole)
            *(int64_t *)member = (int64_t)n->standard;
        else
            *(double *)member = n->standard;
    }
    return SW_OK;
}

sw_status sw_kwn_choose(const sw_kwn_setup *setup, const char *key, const char *word, int count,
                        const char *const *names, int standard, int *index)
{
    char bound[256];
    *index = word == NULL ? standard : sw_oldyaml_choose(word, count, names, bound, sizeof bound);
    return *index >= 0 || word == NULL ? SW_OK
                                       : sw_kwn_job_error(setup, key, " = %.80s: need %s", word, bound);
}

sw_status sw_kwn_choose_solute(const sw_kwn_setup *setup, const char *key, const char *element, int *index)
{
    const char *names[SW_KWN_SOLUTES];
    for (int i = 0; i < setup->model.n_solutes; i++)
        names[i] = setup->model.solute[i].element;
    return sw_kwn_choose(setup, key, element, setup->model.n_solutes, names, -1, index);
}

static sw_status choose_phase(const sw_kwn_setup *setup, const char *key, const char *name, int *index)
{
    const char *names[SW_KWN_PHASES];
    for (int i = 0; i < setup->model.n_phases; i++)
        names[i] = setup->model.phase[i].name;
    return sw_kwn_choose(setup, key, name, setup->model.n_phases, names, -1, index);
}

static sw_status check_composition(sw_kwn_setup *setup)
{
    int given[SW_KWN_SOLUTES] = {0}, i;
    for (unsigned k = 0; k < setup->composition_count; k++) {
        const sw_kwn_solute_amount *amount = &setup->composition[k];
        char key[64];
        snprintf(key, sizeof key, "composition[%u].solute", k);
        SW_TRY(sw_kwn_choose_solute(setup, key, amount->element, &i));
        if (given[i]++)
            return sw_kwn_job_error(setup, key, " = %s: is given twice", amount->element);
        snprintf(key, sizeof key, "composition[%u].concentration", k);
        const double most = 0.5 / setup->model.solute[i].unit;
        if (!(amount->concentration >= 0 && amount->concentration <= most))
            return sw_kwn_job_error(setup, key, " = %.15g: need 0 to %.6g", amount->concentration, most);
        setup->model.solute[i].concentration = amount->concentration * setup->model.solute[i].unit;
    }
    return SW_OK;
}

static sw_status check_numbers(sw_kwn_setup *setup)
{
#define AT(member) offsetof(sw_kwn_setup, member)
    const sw_kwn_options d = sw_kwn_defaults();
    const sw_kwn_number rules[] = {
        {"tolerance", AT(tolerance), 0, 1e-6, 0.1, d.control.tolerance, "1e-6 <= tolerance <= 0.1"},
        {"courant", AT(courant), 0, 0, 1e6, d.control.courant, "widths a step, from 0 (any) to 1e6"},
        {"largest_temperature_change", AT(largest_temperature_change), 0, 1e-3, 1000,
         d.control.largest_change, "K, from 1e-3 to 1000"},
        {"fixed_step", AT(fixed_step), 0, 1e-9, 1e9, 0, "s, from 1e-9 to 1e9"},
        {"initial_temperature", AT(initial_temperature), 0, SW_KWN_COLDEST, SW_KWN_HOTTEST, 0,
         "K, from 1 to 5000"},
        {"size_axis.classes", AT(size_axis.classes), 1, 8, 262144, (double)d.axis.classes,
         "8 <= classes <= 262144"},
        {"size_axis.largest", AT(size_axis.largest), 0, 1e-12, 1e-2, d.axis.largest, "m, from 1e-12 to 1e-2"},
        {"size_axis.smallest", AT(size_axis.smallest), 0, 0, 1e-2, 0, "m, from 0 to 1e-2"},
        {"points", AT(points), 1, 1, 1LL << 32, 1, "1 <= points <= 2^32"},
    };
#undef AT
    return sw_kwn_check_numbers(setup, "", setup, (int)CYAML_ARRAY_LEN(rules), rules);
}

static sw_status check_axis(sw_kwn_setup *setup)
{
    static const char *const kinds[] = {"uniform", "logarithmic", "adaptive"};
    sw_kwn_axis_options *axis = &setup->options.axis;
    int kind;
    SW_TRY(sw_kwn_choose(setup, "size_axis.kind", setup->size_axis.kind, 3, kinds, (int)axis->kind, &kind));
    *axis = (sw_kwn_axis_options){(sw_kwn_axis_kind)kind, setup->size_axis.classes, setup->size_axis.smallest,
                                  setup->size_axis.largest};
    if (axis->kind != SW_AXIS_ADAPTIVE && !sw_kwn_given(setup, "size_axis.largest"))
        return sw_kwn_job_error(setup, "size_axis.largest", " is missing: need the last radius of a %s axis",
                                kinds[kind]);
    const double least = axis->kind == SW_AXIS_LOGARITHMIC ? 1e-12 : 0;
    const double most = axis->kind == SW_AXIS_ADAPTIVE ? 0 : axis->largest * (1 - 1e-6);
    if (axis->smallest >= least && axis->smallest <= most)
        return SW_OK;
    return sw_kwn_job_error(setup, "size_axis.smallest", " = %.15g: need %s", axis->smallest,
                            axis->kind == SW_AXIS_ADAPTIVE ? "0 on an adaptive axis"
                            : axis->kind == SW_AXIS_LOGARITHMIC
                                ? "1e-12 <= smallest < largest on a logarithmic axis"
                                : "0 <= smallest < largest");
}

/* The strategy (-1: none is named), on this machine. */
static sw_status choose_strategy(sw_kwn_setup *setup, int named, int on_cpu, int on_cuda)
{
    char gpu_name[sizeof setup->gpu];
    const int wants_gpu = named < 0 || sw_kwn_strategies[named].on_gpu;
    snprintf(gpu_name, sizeof gpu_name, "none");
    if (!wants_gpu && on_cuda)
        return sw_kwn_job_error(setup, "device", " = cuda: the strategy '%s' runs on the CPU",
                                sw_kwn_strategies[named].name);
    if (named >= 0 && wants_gpu && on_cpu)
        return sw_kwn_job_error(setup, "strategy", " = %s: runs on a GPU, but device = cpu",
                                sw_kwn_strategies[named].name);
    const int gpu = wants_gpu && !on_cpu && sw_gpu_describe(gpu_name, sizeof gpu_name) > 0;
    const char *why = strncmp(gpu_name, "none: ", 6) == 0 ? gpu_name + 6 : gpu_name;
    if (!gpu && named >= 0 && wants_gpu)
        return sw_kwn_job_error(setup, "strategy", " = %s: no GPU: %s", sw_kwn_strategies[named].name, why);
    if (!gpu && on_cuda)
        return sw_kwn_job_error(setup, "device", " = cuda: no GPU: %s", why);
    if (gpu)
        snprintf(setup->gpu, sizeof setup->gpu, "%s", gpu_name);
    setup->options.strategy = named >= 0 ? (sw_kwn_strategy)named : gpu ? SW_KWN_FUSED : SW_KWN_CPU;
    return SW_OK;
}

static sw_status check_words(sw_kwn_setup *setup)
{
    static const char *const devices[] = {"auto", "cpu", "cuda"},
                             *const orders[] = {"first_order", "second_order"},
                             *const couplings[] = {"implicit", "explicit"},
                             *const precisions[] = {"double", "mixed", "single"};
    const char *strategies[SW_KWN_STRATEGIES];
    int device, strategy, precision;
    sw_kwn_options *o = &setup->options;
    for (int i = 0; i < SW_KWN_STRATEGIES; i++)
        strategies[i] = sw_kwn_strategies[i].name;
    SW_TRY(sw_kwn_choose(setup, "device", setup->device, 3, devices, 0, &device));
    SW_TRY(sw_kwn_choose(setup, "strategy", setup->strategy, SW_KWN_STRATEGIES, strategies, -1, &strategy));
    SW_TRY(sw_kwn_choose(setup, "precision", setup->precision, 3, precisions, -1, &precision));
    SW_TRY(sw_kwn_choose(setup, "flux", setup->flux, 2, orders, o->second_order, &o->second_order));
    SW_TRY(sw_kwn_choose(setup, "coupling", setup->coupling, 2, couplings, 0, &o->control.explicit_coupling));
    SW_TRY(choose_strategy(setup, strategy, device == 1, device == 2));
    const int on_gpu = sw_kwn_strategies[o->strategy].on_gpu;
    if (!on_gpu && precision > 0)
        return sw_kwn_job_error(setup, "precision", " = %s: the strategy 'cpu' has double only",
                                setup->precision);
    o->precision = precision >= 0 ? (sw_kwn_precision)precision : on_gpu ? SW_KWN_SINGLE : SW_KWN_DOUBLE;
    return SW_OK;
}

static sw_status check_initial(const sw_kwn_setup *setup, unsigned index, int *seen)
{
    static const char *const shapes[] = {"lognormal", "normal", "lsw"};
    sw_kwn_initial *initial = &setup->initial_distribution[index];
    const sw_kwn_axis_options *axis = &setup->options.axis;
    const double least = axis->smallest > 1e-12 ? axis->smallest : 1e-12;
    const double most = axis->kind == SW_AXIS_ADAPTIVE ? 1e-2 : axis->largest;
    const sw_kwn_number rules[] = {
        {"mean_radius", offsetof(sw_kwn_initial, mean_radius), 0, least, most, 0,
         "a radius in m on the size axis"},
        {"standard_deviation", offsetof(sw_kwn_initial, standard_deviation), 0, 1e-3 * initial->mean_radius,
         2 * initial->mean_radius, 0, "m, from 0.001 to 2 mean radii"},
        {"volume_fraction", offsetof(sw_kwn_initial, volume_fraction), 0, 1e-12, 0.5, 0,
         "1e-12 <= volume_fraction <= 0.5"},
        {"number_density", offsetof(sw_kwn_initial, number_density), 0, 1, 1e30, 0, "1/m^3, from 1 to 1e30"},
    };
    char prefix[64], key[96];
    int phase, shape;
    snprintf(prefix, sizeof prefix, "initial_distribution[%u].", index);
    snprintf(key, sizeof key, "%sphase", prefix);
    SW_TRY(choose_phase(setup, key, initial->phase, &phase));
    if (seen[phase]++)
        return sw_kwn_job_error(setup, key, " = %s: is given twice", initial->phase);
    snprintf(key, sizeof key, "%sshape", prefix);
    SW_TRY(sw_kwn_choose(setup, key, initial->shape, 3, shapes, -1, &shape));
    SW_TRY(sw_kwn_check_numbers(setup, prefix, initial, (int)CYAML_ARRAY_LEN(rules), rules));
    snprintf(key, sizeof key, "%sstandard_deviation", prefix);
    if (sw_kwn_given(setup, key) != (shape < 2))
        return sw_kwn_job_error(setup, key, "%s",
                                shape < 2 ? " is missing" : ": the shape 'lsw' has its own");
    snprintf(key, sizeof key, "%svolume_fraction", prefix);
    if ((initial->volume_fraction > 0) == (initial->number_density > 0))
        return sw_kwn_job_error(setup, key, "%s",
                                initial->number_density > 0 ? " beside number_density: need only one"
                                                            : " is missing: need it or number_density");
    return SW_OK;
}

/* HDF5 has room for 64 KB in an attribute, its name and type included. */
static sw_status check_length(const char *path, const char *text)
{
    enum { MOST = 65000 };
    return strlen(text) <= MOST
               ? SW_OK
               : sw_error(SW_ERR_INPUT,
                          "%s: has %zu bytes: need at most %d, which results files have room for", path,
                          strlen(text), MOST);
}

static sw_status complete(sw_kwn_setup *setup)
{
    int seen[SW_KWN_PHASES] = {0};
    setup->options = sw_kwn_defaults();
    SW_TRY(check_length(setup->source->path, setup->text));
    SW_TRY(sw_read_text(setup->alloy, &setup->alloy_text));
    SW_TRY(check_length(setup->alloy, setup->alloy_text));
    SW_TRY(sw_kwn_alloy_parse(setup->alloy, setup->alloy_text, &setup->model));
    SW_TRY(check_composition(setup));
    SW_TRY(check_numbers(setup));
    SW_TRY(check_axis(setup));
    SW_TRY(check_words(setup));
    sw_kwn_control *control = &setup->options.control;
    control->tolerance = setup->tolerance;
    control->courant = setup->courant;
    control->largest_change = setup->largest_temperature_change;
    control->fixed_step = setup->fixed_step;
    for (unsigned i = 0; i < setup->initial_distribution_count; i++)
        SW_TRY(check_initial(setup, i, seen));
    if (setup->output_file == NULL)
        return sw_kwn_job_error(setup, "output.file", " is missing: need a file for the results");
    return SW_OK;
}

/* ---- Segments ---- */

static sw_status check_segment(const sw_kwn_setup *setup, const char *prefix, sw_kwn_segment *segment)
{
    static const sw_kwn_number rules[] = {
        {"hold", offsetof(sw_kwn_segment, hold), 0, 1e-9, SW_KWN_LONGEST, 0, "s, from 1e-9 to 1e12"},
        {"ramp_to", offsetof(sw_kwn_segment, ramp_to), 0, SW_KWN_COLDEST, SW_KWN_HOTTEST, 0,
         "K, from 1 to 5000"},
        {"rate", offsetof(sw_kwn_segment, rate), 0, 1e-9, 1e9, 0,
         "K/s, from 1e-9 to 1e9, of heating and cooling alike"},
        {"duration", offsetof(sw_kwn_segment, duration), 0, 1e-9, SW_KWN_LONGEST, 0, "s, from 1e-9 to 1e12"},
        {"quench_to", offsetof(sw_kwn_segment, quench_to), 0, SW_KWN_COLDEST, SW_KWN_HOTTEST, 0,
         "K, from 1 to 5000"},
    };
    SW_TRY(sw_kwn_check_numbers(setup, prefix, segment, (int)CYAML_ARRAY_LEN(rules), rules));
    const int kinds = (segment->hold > 0) + (segment->ramp_to > 0) + (segment->quench_to > 0);
    const int ends = (segment->rate > 0) + (segment->duration > 0);
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)strlen(prefix) - 1, prefix);
    if (kinds != 1)
        return sw_kwn_job_error(setup, key, ": need one of hold, ramp_to, quench_to");
    if (ends != (segment->ramp_to > 0))
        return sw_kwn_job_error(setup, key, "%s",
                                segment->ramp_to > 0 ? ".ramp_to: need either rate or duration beside it"
                                                     : ": rate and duration go with ramp_to");
    return SW_OK;
}

sw_status sw_kwn_check_segments(const sw_kwn_setup *setup, const char *key, unsigned count,
                                const sw_kwn_segment *segment)
{
    double temperature = setup->initial_temperature, time = 0;
    if (!sw_kwn_given(setup, "initial_temperature"))
        return sw_kwn_job_error(setup, "initial_temperature", " is missing: need it for the segments of %s",
                                key);
    for (unsigned i = 0; i < count; i++) {
        sw_kwn_segment s = segment[i];
        char prefix[64];
        snprintf(prefix, sizeof prefix, "%s[%u].", key, i);
        SW_TRY(check_segment(setup, prefix, &s));
        const double to = s.hold > 0 ? temperature : s.ramp_to + s.quench_to;
        if (s.rate > 0 && to == temperature) {
            snprintf(prefix, sizeof prefix, "%s[%u].ramp_to", key, i);
            return sw_kwn_job_error(setup, prefix,
                                    " = %.15g: is the temperature there: need another, or hold", to);
        }
        time += s.rate > 0 ? fabs(to - temperature) / s.rate : s.hold + s.duration;
        temperature = to;
    }
    if (!(time > 0 && time <= SW_KWN_LONGEST))
        return sw_kwn_job_error(setup, key, " lasts %g s: need more than 0 and at most 1e12", time);
    return SW_OK;
}

/* ---- Reading ---- */

/* Takes the yaml over. */
static sw_status load(const char *path, const sw_kwn_overrides *overrides, sw_oldyaml *yaml, sw_kwn_setup *setup)
{
    const sw_status status = SW_ALLOCATE(setup->source, 1, "job");
    if (status != SW_OK) {
        sw_oldyaml_close(yaml);
        return status;
    }
    *setup->source = (sw_kwn_source){.path = path, .yaml = yaml};
    if (overrides != NULL)
        setup->source->overrides = *overrides;
    SW_TRY(merge(setup));
    return complete(setup);
}

sw_status sw_kwn_setup_read(const char *path, const cyaml_schema_value_t *schema,
                            const sw_kwn_overrides *overrides, void **structure)
{
    char *text;
    void *data = NULL;
    sw_oldyaml *yaml;
    *structure = NULL;
    SW_TRY(sw_read_text(path, &text));
    sw_status status = sw_oldyaml_load(path, text, schema, &yaml, &data);
    if (status != SW_OK) {
        free(text);
        return status;
    }
    ((sw_kwn_setup *)data)->text = text;
    status = load(path, overrides, yaml, data);
    if (status == SW_OK)
        *structure = data;
    else
        sw_kwn_setup_free(schema, data);
    return status;
}

void sw_kwn_setup_free(const cyaml_schema_value_t *schema, void *structure)
{
    sw_kwn_setup *setup = structure;
    if (setup == NULL)
        return;
    if (setup->source != NULL)
        sw_oldyaml_close(setup->source->yaml);
    free(setup->source);
    free(setup->text);
    free(setup->alloy_text);
    sw_oldyaml_free_data(schema, structure);
}
