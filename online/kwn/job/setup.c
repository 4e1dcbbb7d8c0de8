#include "setup.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloy_file.h"
#include "choice.h"
#include "common/files/text.h"
#include "common/system/parallel.h"
#include "online/kwn/model/mobility.h"
#include "online/gpu/gpu.h"

/* ---- Keys ---- */

const char *const sw_kwn_flux_names[SW_KWN_FLUXES] = {"first_order", "second_order", "third_order"};
const char *const sw_kwn_coupling_names[] = {"implicit", "explicit"};

const sw_key sw_kwn_composition_keys[] = {
    {SW_TEXT("solute", sw_kwn_solute_amount, element), .needed = 1, .bound = "a solute of the alloy"},
    {SW_REAL("concentration", sw_kwn_solute_amount, concentration, -INFINITY, INFINITY), .needed = 1,
     .unit = "the alloy file's unit"},
    SW_KEYS_END};

static const sw_key_case axes[] = {[SW_AXIS_UNIFORM] = {"uniform", .needs = "largest", .takes = "smallest"},
                                   [SW_AXIS_LOGARITHMIC] = {"logarithmic", .needs = "smallest largest"},
                                   [SW_AXIS_ADAPTIVE] = {"adaptive", .takes = "smallest largest"},
                                   {0}};
const sw_key sw_kwn_axis_keys[] = {
    {SW_CASES("kind", sw_kwn_setup, options.axis.kind, axes), .standard = SW_AXIS_ADAPTIVE},
    {SW_WHOLE("classes", sw_kwn_setup, options.axis.classes, 8, 262144), .standard = 448, .option = "classes",
     .argument = "B", .help = "size classes"},
    {SW_REAL("smallest", sw_kwn_setup, options.axis.smallest, 0, 1e-2), .unit = "m",
     .help = "0 if adaptive; at least 1e-12 if logarithmic"},
    {SW_REAL("largest", sw_kwn_setup, options.axis.largest, 1e-12, 1e-2), .unit = "m", .standard = 1.5e-9,
     .otherwise = "1.5e-9 if adaptive", .help = "adaptive: at the start, and the least there will be"},
    SW_KEYS_END};

const char *const sw_kwn_unit_names[] = {"kelvin", "celsius"};

static const sw_key_case shapes[] = {
    [SW_SHAPE_LOGNORMAL] = {"lognormal", .needs = "mean_radius standard_deviation"},
    [SW_SHAPE_NORMAL] = {"normal", .needs = "mean_radius standard_deviation"},
    [SW_SHAPE_LSW] = {.name = "lsw", .needs = "mean_radius"},
    [SW_SHAPE_TABLE] = {.name = "table", .needs = "file"},
    [SW_SHAPE_RUN] = {.name = "run", .needs = "file", .takes = "time point"},
    {0}};
const sw_key sw_kwn_initial_keys[] = {
    {SW_TEXT("phase", sw_kwn_initial, phase), .needed = 1, .bound = "a phase of the alloy",
     .help = "each once"},
    {SW_CASES("shape", sw_kwn_initial, shape, shapes), .needed = 1,
     .help = "of the numbers over radius; lsw: Lifshitz, Slyozov and Wagner's; table: of a text; run: of the "
             "phase in earlier results"},
    {SW_REAL("mean_radius", sw_kwn_initial, mean_radius, 1e-12, 1e-2), .unit = "m",
     .help = "on the size axis"},
    {SW_REAL("standard_deviation", sw_kwn_initial, standard_deviation, 0, INFINITY), .unit = "m",
     .help = "of the radius, 0.001 to 2 mean radii"},
    {SW_REAL("volume_fraction", sw_kwn_initial, volume_fraction, 1e-12, 0.5),
     .help = "this or number_density"},
    {SW_REAL("number_density", sw_kwn_initial, number_density, 1, 1e30), .unit = "1/m^3",
     .help = "this or volume_fraction; of table and run their own numbers without"},
    {SW_PATH("file", sw_kwn_initial, file),
     .help = "columns radius (m) or radius_nm, and number; or results of slipwave kwn"},
    {SW_REAL("time", sw_kwn_initial, time, 0, SW_KWN_LONGEST), .unit = "s", .standard = -1,
     .otherwise = "the last", .help = "of the run, for which it has size distributions"},
    {SW_WHOLE("point", sw_kwn_initial, point, 0, INT64_MAX), .help = "of the run"},
    SW_KEYS_END};

const sw_key sw_kwn_segment_keys[] = {
    {SW_REAL("hold", sw_kwn_segment, hold, 1e-9, SW_KWN_LONGEST), .unit = "s",
     .help = "stays; one of hold, ramp_to and quench_to in a segment"},
    {SW_KWN_TEMPERATURE("ramp_to", sw_kwn_segment, ramp_to), .help = "with rate or duration"},
    {SW_REAL("rate", sw_kwn_segment, rate, 1e-9, 1e9), .unit = "K/s",
     .bound = "K/s, from 1e-9 to 1e9, of heating and cooling alike"},
    {SW_REAL("duration", sw_kwn_segment, duration, 1e-9, SW_KWN_LONGEST), .unit = "s", .help = "of the ramp"},
    {SW_KWN_TEMPERATURE("quench_to", sw_kwn_segment, quench_to), .help = "at once"},
    SW_KEYS_END};

/* ---- Checks ---- */

sw_status sw_kwn_choose_solute(const sw_kwn_setup *setup, const char *key, const char *element, int *index)
{
    const char *names[SW_KWN_SOLUTES];
    for (int i = 0; i < setup->model.n_solutes; i++)
        names[i] = setup->model.solute[i].element;
    return sw_job_choose(setup->source, key, element, setup->model.n_solutes, names, index);
}

static sw_status choose_phase(const sw_kwn_setup *setup, const char *key, const char *name, int *index)
{
    const char *names[SW_KWN_PHASES];
    for (int i = 0; i < setup->model.n_phases; i++)
        names[i] = setup->model.phase[i].name;
    return sw_job_choose(setup->source, key, name, setup->model.n_phases, names, index);
}

static sw_status read_composition(sw_kwn_setup *setup, double amounts[SW_KWN_SOLUTES])
{
    int given[SW_KWN_SOLUTES] = {0}, i;
    for (unsigned k = 0; k < setup->composition_count; k++) {
        const sw_kwn_solute_amount *amount = &setup->composition[k];
        char key[SW_KEY_SIZE];
        sw_key_path(key, "composition[%u].solute", k);
        SW_TRY(sw_kwn_choose_solute(setup, key, amount->element, &i));
        if (given[i]++)
            return sw_job_error(setup->source, key, " = %s: is given twice", amount->element);
        amounts[i] = amount->concentration;
    }
    return SW_OK;
}

static sw_status check_composition(sw_kwn_setup *setup)
{
    sw_kwn_alloy *alloy = &setup->model;
    double given[SW_KWN_SOLUTES], fraction[SW_KWN_SOLUTES];
    for (int i = 0; i < alloy->n_solutes; i++)
        fraction[i] = alloy->solute[i].concentration;
    if (setup->composition_count == 0)
        return SW_OK;
    sw_kwn_from_fractions(alloy, fraction, given);
    SW_TRY(read_composition(setup, given));
    for (unsigned k = 0; k < setup->composition_count; k++) {
        const int i = sw_kwn_find_solute(alloy, setup->composition[k].element);
        const double most = sw_kwn_most_of(alloy, given, i, sw_kwn_is_by_tables(alloy) ? 0.999 : 0.5);
        char key[SW_KEY_SIZE], bound[64];
        snprintf(bound, sizeof bound, "0 to %.6g", most);
        SW_TRY(sw_job_need(setup->source, sw_key_path(key, "composition[%u].concentration", k), given[i],
                           given[i] >= 0 && given[i] <= most, bound));
    }
    sw_kwn_to_fractions(alloy, given, fraction);
    for (int i = 0; i < alloy->n_solutes; i++)
        alloy->solute[i].concentration = fraction[i];
    return SW_OK;
}

static sw_status check_axis(const sw_kwn_setup *setup)
{
    static const char *const bounds[SW_AXIS_KINDS] = {[SW_AXIS_UNIFORM] = "0 <= smallest < largest",
                                                      [SW_AXIS_LOGARITHMIC] =
                                                          "1e-12 <= smallest < largest on a logarithmic axis",
                                                      [SW_AXIS_ADAPTIVE] = "0 on an adaptive axis"};
    const sw_kwn_axis_options *axis = &setup->options.axis;
    const double least = axis->kind == SW_AXIS_LOGARITHMIC ? 1e-12 : 0;
    const double most = axis->kind == SW_AXIS_ADAPTIVE ? 0 : axis->largest * (1 - 1e-6);
    return sw_job_need(setup->source, "size_axis.smallest", axis->smallest,
                       axis->smallest >= least && axis->smallest <= most, bounds[axis->kind]);
}

static sw_status no_gpu(const sw_kwn_setup *setup, const char *key, const char *value)
{
    const char *none = "none: ", *why = setup->gpu;
    return sw_job_error(setup->source, key, " = %s: no GPU: %s", value,
                        strncmp(why, none, strlen(none)) == 0 ? why + strlen(none) : why);
}

/* The strategy on this machine, where none is named. */
static sw_status choose_strategy(sw_kwn_setup *setup)
{
    const sw_kwn_strategy named = setup->options.strategy;
    const sw_device_choice device = setup->run.device;
    const int is_named = named != SW_KWN_STRATEGIES, wants_gpu = !is_named || sw_kwn_on_gpu(named);
    if (!wants_gpu && device == SW_DEVICE_CUDA)
        return sw_job_error(setup->source, "device", " = cuda: the strategy '%s' runs on the CPU",
                            sw_kwn_strategy_names[named]);
    if (is_named && wants_gpu && device == SW_DEVICE_CPU)
        return sw_job_error(setup->source, "strategy", " = %s: runs on a GPU, but device = cpu",
                            sw_kwn_strategy_names[named]);
    const int of_cpu = sw_kwn_of_cpu(&setup->model);
    if (of_cpu >= 0 && (device == SW_DEVICE_CUDA || (is_named && wants_gpu)))
        return sw_job_error(setup->source, device == SW_DEVICE_CUDA ? "device" : "strategy",
                            ": neighbour_distance of %s is for the CPU", setup->model.phase[of_cpu].name);
    const int gpu = wants_gpu && of_cpu < 0 && device != SW_DEVICE_CPU &&
                    sw_gpu_describe(setup->gpu, sizeof setup->gpu) > 0;
    if (!gpu && is_named && wants_gpu)
        return no_gpu(setup, "strategy", sw_kwn_strategy_names[named]);
    if (!gpu && device == SW_DEVICE_CUDA)
        return no_gpu(setup, "device", "cuda");
    if (!gpu)
        setup->gpu[0] = '\0';
    if (!is_named)
        setup->options.strategy = gpu ? SW_KWN_FUSED : SW_KWN_CPU;
    setup->by_cost =
        gpu && !is_named && device == SW_DEVICE_AUTO &&
        (setup->options.precision == SW_KWN_PRECISIONS || setup->options.precision == SW_KWN_DOUBLE);
    return SW_OK;
}

/* What a strategy has, where no flux is named. */
static sw_status choose_flux(sw_kwn_setup *setup)
{
    const int of_paper = (int)setup->options.strategy >= SW_KWN_OF_PAPERS;
    sw_kwn_flux_order *flux = &setup->options.flux;
    if (*flux == SW_KWN_FLUXES)
        *flux = of_paper ? SW_KWN_SECOND_ORDER : SW_KWN_THIRD_ORDER;
    return *flux == SW_KWN_THIRD_ORDER && of_paper
               ? sw_job_error(setup->source, "flux",
                              " = third_order: strategy '%s' has first_order and second_order",
                              sw_kwn_strategy_names[setup->options.strategy])
               : SW_OK;
}

static sw_status choose_precision(sw_kwn_setup *setup)
{
    sw_kwn_precision *precision = &setup->options.precision;
    const int on_gpu = sw_kwn_on_gpu(setup->options.strategy);
    if (*precision == SW_KWN_PRECISIONS)
        *precision = on_gpu && !sw_kwn_has_several(&setup->model) ? SW_KWN_SINGLE : SW_KWN_DOUBLE;
    if (on_gpu && sw_kwn_has_several(&setup->model) && *precision != SW_KWN_DOUBLE)
        return sw_job_error(setup->source, "precision",
                            " = %s: phases that grow by several solutes need double",
                            sw_kwn_precision_names[*precision]);
    if (!on_gpu && *precision != SW_KWN_DOUBLE)
        return sw_job_error(setup->source, "precision", " = %s: the strategy 'cpu' has double only",
                            sw_kwn_precision_names[*precision]);
    return SW_OK;
}

static sw_status read_bins(const sw_kwn_setup *setup, sw_kwn_initial *initial, const char *key)
{
    const sw_status status = initial->shape == SW_SHAPE_TABLE
                                 ? sw_kwn_bins_of_text(initial->file, &initial->bins)
                                 : sw_kwn_bins_of_run(initial->file, initial->phase, initial->point,
                                                      initial->time, &initial->bins);
    if (status != SW_OK)
        return status == SW_ERR_MEMORY ? status : sw_job_blame(setup->source, key);
    if (initial->bins.alloy_text != NULL && strcmp(initial->bins.alloy_text, setup->alloy_text) != 0) {
        (void)sw_job_error(setup->source, key,
                           " = %s: is a run of another alloy file, \"%s\"; here it is \"%s\"", initial->file,
                           initial->bins.alloy_name, setup->model.name);
        sw_warn("%s", sw_error_message());
    }
    return SW_OK;
}

static sw_status check_initial(const sw_kwn_setup *setup, unsigned index, int *seen)
{
    const sw_job *source = setup->source;
    sw_kwn_initial *initial = &setup->initial_distribution[index];
    const sw_kwn_axis_options *axis = &setup->options.axis;
    const double mean = initial->mean_radius, deviation = initial->standard_deviation;
    char prefix[SW_KEY_SIZE], key[SW_KEY_SIZE];
    int phase, chosen;
    sw_key_path(prefix, "initial_distribution[%u].", index);
    SW_TRY(choose_phase(setup, sw_key_path(key, "%.100sphase", prefix), initial->phase, &phase));
    if (seen[phase]++)
        return sw_job_error(source, key, " = %s: is given twice", initial->phase);
    if (initial->shape >= SW_SHAPE_TABLE) {
        SW_TRY(read_bins(setup, initial, sw_key_path(key, "%.100sfile", prefix)));
        return sw_job_one_of(source, prefix, "volume_fraction number_density", 0, &chosen);
    }
    SW_TRY(sw_job_need(source, sw_key_path(key, "%.100smean_radius", prefix), mean,
                       mean >= axis->smallest && (axis->kind == SW_AXIS_ADAPTIVE || mean <= axis->largest),
                       "a radius in m on the size axis"));
    SW_TRY(sw_job_need(source, sw_key_path(key, "%.100sstandard_deviation", prefix), deviation,
                       initial->shape == SW_SHAPE_LSW || (deviation >= 1e-3 * mean && deviation <= 2 * mean),
                       "m, from 0.001 to 2 mean radii"));
    return sw_job_one_of(source, prefix, "volume_fraction number_density", 1, &chosen);
}

/* ---- What an earlier run had, and this job does not go on with ---- */

static void warn_of_file(const sw_kwn_setup *setup, unsigned index, const char *text)
{
    char key[SW_KEY_SIZE];
    sw_key_path(key, "initial_distribution[%u].file", index);
    (void)sw_job_error(setup->source, key, " = %s: %s", setup->initial_distribution[index].file, text);
    sw_warn("%s", sw_error_message());
}

/* Phases that the job does not name: what they hold is the matrix's from the first moment on. */
static void compare_phases(const sw_kwn_setup *setup, unsigned index)
{
    const sw_kwn_end *end = &setup->initial_distribution[index].bins.end;
    for (int p = 0; p < setup->model.n_phases; p++) {
        const char *name = setup->model.phase[p].name;
        const int place = sw_kwn_place_in(end->phases, name);
        int taken = 0;
        char text[160];
        for (unsigned k = 0; k < setup->initial_distribution_count; k++)
            taken |= strcmp(setup->initial_distribution[k].phase, name) == 0;
        if (taken || place < 0 || place >= SW_KWN_PHASES || !(end->fraction[place] > 1e-6))
            continue;
        snprintf(text, sizeof text,
                 "has %.3g %% of %s, which is dissolved here: initial_distribution does not name it",
                 100 * end->fraction[place], name);
        warn_of_file(setup, index, text);
    }
}

/* c0 = (1 - f) c + sum f_p c_p, of a run of the same alloy. */
static void compare_composition(const sw_kwn_setup *setup, unsigned index)
{
    const sw_kwn_alloy *alloy = &setup->model;
    const sw_kwn_end *end = &setup->initial_distribution[index].bins.end;
    for (int i = 0; i < alloy->n_solutes; i++) {
        double total = end->matrix[i];
        char text[160];
        for (int p = 0; p < alloy->n_phases; p++)
            total += end->fraction[p] * (alloy->phase[p].concentration[i] - end->matrix[i]);
        const double own = alloy->solute[i].concentration;
        if (!(total > 0) || fabs(total - own) <= 1e-3 * fmax(total, own))
            continue;
        snprintf(text, sizeof text,
                 "has a mole fraction of %.4g of %s in all, this job %.4g: need the `composition` of both",
                 total, alloy->solute[i].element, own);
        warn_of_file(setup, index, text);
    }
}

void sw_kwn_compare_with_runs(const sw_kwn_setup *setup, int composition)
{
    for (unsigned k = 0; k < setup->initial_distribution_count; k++) {
        const sw_kwn_initial *initial = &setup->initial_distribution[k];
        int seen = 0;
        for (unsigned j = 0; j < k; j++) {
            const sw_kwn_initial *other = &setup->initial_distribution[j];
            seen |= other->shape == SW_SHAPE_RUN && strcmp(other->file, initial->file) == 0;
        }
        if (initial->shape != SW_SHAPE_RUN || seen || initial->bins.end.phases == NULL)
            continue;
        compare_phases(setup, k);
        if (composition && initial->bins.alloy_text != NULL &&
            strcmp(initial->bins.alloy_text, setup->alloy_text) == 0)
            compare_composition(setup, k);
        if (setup->model.vacancies.sink_strength > 0 && !(initial->bins.end.vacancies > 0))
            warn_of_file(setup, k, "does not have vacancies: they begin at rest");
    }
}

void sw_kwn_setup_free(sw_kwn_setup *setup)
{
    for (unsigned i = 0; i < setup->initial_distribution_count; i++)
        sw_kwn_bins_free(&setup->initial_distribution[i].bins);
    free(setup->alloy_text);
}

sw_status sw_kwn_to_kelvin(const sw_kwn_setup *setup, const char *key, double *temperature)
{
    const double kelvin = *temperature + (setup->celsius ? SW_KWN_CELSIUS : 0);
    if (!sw_job_given(setup->source, key))
        return SW_OK;
    SW_TRY(sw_job_need(setup->source, key, *temperature, kelvin >= SW_KWN_COLDEST && kelvin <= SW_KWN_HOTTEST,
                       setup->celsius ? "degrees Celsius, from -272.15 to 4726.85" : "K, from 1 to 5000"));
    *temperature = kelvin;
    return SW_OK;
}

const char *sw_kwn_temperature_text(const sw_kwn_setup *setup, double kelvin, char text[40])
{
    snprintf(text, 40, setup->celsius ? "%.4g degrees Celsius" : "%.4g K",
             setup->celsius ? kelvin - SW_KWN_CELSIUS : kelvin);
    return text;
}

sw_status sw_kwn_setup_complete(sw_kwn_setup *setup)
{
    int seen[SW_KWN_PHASES] = {0};
    setup->noted_cold = setup->celsius; /* the unit is stated */
    SW_TRY(sw_kwn_to_kelvin(setup, "initial_temperature", &setup->initial_temperature));
    SW_TRY(sw_read_text(setup->alloy, &setup->alloy_text));
    SW_TRY(sw_kwn_alloy_parse(setup->alloy, setup->alloy_text, &setup->model));
    SW_TRY(check_composition(setup));
    SW_TRY(check_axis(setup));
    SW_TRY(choose_strategy(setup));
    SW_TRY(choose_flux(setup));
    SW_TRY(choose_precision(setup));
    for (unsigned i = 0; i < setup->initial_distribution_count; i++)
        SW_TRY(check_initial(setup, i, seen));
    return SW_OK;
}

void sw_kwn_setup_choose(sw_kwn_setup *setup)
{
    const int threads = setup->run.threads > 0 ? (int)setup->run.threads : omp_get_max_threads();
    if (!setup->by_cost ||
        sw_parallel_size() > 1) /* processes have to agree, and their runs have many points */
        return;
    const sw_kwn_step_cost cost = sw_kwn_step_cost_of(setup->points, setup->options.axis.classes, threads);
    const int on_cpu = cost.cpu < cost.gpu;
    snprintf(setup->choice, sizeof setup->choice,
             "%s: %" PRId64 " point%s of %" PRId64
             " classes; a step is reckoned to take %.2g us on the CPU, %.2g us on "
             "the GPU",
             on_cpu ? "cpu" : "cuda", setup->points, setup->points == 1 ? "" : "s",
             setup->options.axis.classes, 1e6 * cost.cpu, 1e6 * cost.gpu);
    if (!on_cpu)
        return;
    setup->options.strategy = SW_KWN_CPU;
    setup->options.precision = SW_KWN_DOUBLE;
    setup->gpu[0] = '\0';
}

/* ---- Segments ---- */

/* A segment is one of three; rate and duration go with the second. */
static sw_status check_kind(const sw_job *source, const char *prefix)
{
    char key[SW_KEY_SIZE];
    int kind, end;
    SW_TRY(sw_job_one_of(source, prefix, "hold ramp_to quench_to", 1, &kind));
    SW_TRY(sw_job_one_of(source, prefix, "rate duration", kind == 1, &end));
    if (kind != 1 && end >= 0)
        return sw_job_error(source, sw_key_path(key, "%.100s%s", prefix, end == 0 ? "rate" : "duration"),
                            ": goes with ramp_to");
    return SW_OK;
}

void sw_kwn_note_cold(sw_kwn_setup *setup, const char *key, double temperature)
{
    char text[SW_KWN_COLD_TEXT];
    if (sw_kwn_span_add(&setup->span, temperature))
        snprintf(setup->coldest_key, sizeof setup->coldest_key, "%s", key);
    if (setup->noted_cold || !sw_kwn_is_cold(temperature))
        return;
    setup->noted_cold = 1;
    (void)sw_job_error(setup->source, key, "%s", sw_kwn_cold_text(temperature, text));
    sw_warn("%s", sw_error_message());
}

/* Ageing in degrees Celsius has numbers below this one, or a matrix of which solvi are high. */
#define HOT_AGEING 250

/* Under `celsius`, numbers that are a treatment in K: they dissolve the alloy and let it form, and none is cold. In degrees Celsius it
 * would be dissolved 273 K above all solvi. */
static void note_kelvin(const sw_kwn_setup *setup)
{
    const double coldest = setup->span.coldest - SW_KWN_CELSIUS,
                 hottest = setup->span.hottest - SW_KWN_CELSIUS;
    double composition[SW_KWN_SOLUTES];
    for (int i = 0; i < setup->model.n_solutes; i++)
        composition[i] = setup->model.solute[i].concentration;
    if (coldest < HOT_AGEING || sw_kwn_can_form(&setup->model, composition, hottest) ||
        !sw_kwn_can_form(&setup->model, composition, coldest))
        return;
    (void)sw_job_error(
        setup->source, "temperature_unit",
        " = celsius: %.6g degrees Celsius, %.6g K, is more than %g K above all solvi; %.6g K to "
        "%.6g K would dissolve and age the alloy: are temperatures in kelvin?",
        hottest, setup->span.hottest, SW_KWN_CELSIUS, coldest, hottest);
    sw_warn("%s", sw_error_message());
}

void sw_kwn_note_celsius(sw_kwn_setup *setup)
{
    char text[SW_KWN_CELSIUS_TEXT];
    if (setup->celsius)
        note_kelvin(setup);
    if (setup->noted_cold || !sw_kwn_is_celsius(&setup->model, &setup->span))
        return;
    (void)sw_job_error(setup->source, setup->coldest_key, "%s", sw_kwn_celsius_text(&setup->span, text));
    sw_warn("%s", sw_error_message());
}

int sw_kwn_note_weights(const sw_kwn_setup *setup, const char *key, const double *fraction)
{
    double own[SW_KWN_SOLUTES];
    char text[SW_KWN_WEIGHTS_TEXT];
    for (int i = 0; i < setup->model.n_solutes; i++)
        own[i] = setup->model.solute[i].concentration;
    if (sw_kwn_weights_text(&setup->model, fraction != NULL ? fraction : own, text) == NULL)
        return 0;
    if (key == NULL)
        key = setup->composition_count > 0 ? "composition" : "alloy";
    (void)sw_job_error(setup->source, key, "%s", text);
    sw_warn("%s", sw_error_message());
    return 1;
}

sw_status sw_kwn_check_segments(sw_kwn_setup *setup, const char *key, unsigned count, sw_kwn_segment *segment)
{
    double temperature = setup->initial_temperature, time = 0;
    if (!sw_job_given(setup->source, "initial_temperature"))
        return sw_job_error(setup->source, "initial_temperature",
                            " is missing: need it for the segments of %s", key);
    sw_kwn_note_cold(setup, "initial_temperature", temperature);
    for (unsigned i = 0; i < count; i++) {
        sw_kwn_segment *s = &segment[i];
        char path[SW_KEY_SIZE];
        SW_TRY(check_kind(setup->source, sw_key_path(path, "%s[%u].", key, i)));
        SW_TRY(sw_kwn_to_kelvin(setup, sw_key_path(path, "%s[%u].ramp_to", key, i), &s->ramp_to));
        SW_TRY(sw_kwn_to_kelvin(setup, sw_key_path(path, "%s[%u].quench_to", key, i), &s->quench_to));
        const double to = s->hold > 0 ? temperature : s->ramp_to + s->quench_to;
        if (s->rate > 0 && to == temperature)
            return sw_job_error(setup->source, sw_key_path(path, "%s[%u].ramp_to", key, i),
                                " = %.15g: is the temperature there: need another, or hold",
                                setup->celsius ? to - SW_KWN_CELSIUS : to);
        time += s->rate > 0 ? fabs(to - temperature) / s->rate : s->hold + s->duration;
        temperature = to;
        if (!(s->hold > 0))
            sw_kwn_note_cold(
                setup, sw_key_path(path, "%s[%u].%s", key, i, s->ramp_to > 0 ? "ramp_to" : "quench_to"), to);
    }
    if (!(time > 0 && time <= SW_KWN_LONGEST))
        return sw_job_error(setup->source, key, " lasts %g s: need more than 0 and at most 1e12", time);
    return SW_OK;
}
