/* The library: a model from its options, its thread, what goes in and comes out. */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "online/gpu/gpu.h"
#include "online/kwn/backend/strategies.h"
#include "online/kwn/model/mobility.h"

const char *const sw_kwn_strategy_names[SW_KWN_STRATEGIES] = {
#define STRATEGY_NAME(name, backend) #name,
    SW_KWN_STRATEGY_LIST(STRATEGY_NAME)
#undef STRATEGY_NAME
};
/* NULL where this build has none. */
static const sw_kwn_backend *const backends[SW_KWN_STRATEGIES] = {
#define STRATEGY_BACKEND(name, backend) backend,
    SW_KWN_STRATEGY_LIST(STRATEGY_BACKEND)
#undef STRATEGY_BACKEND
};

const char *const sw_kwn_precision_names[SW_KWN_PRECISIONS] = {
    [SW_KWN_DOUBLE] = "double", [SW_KWN_MIXED] = "mixed", [SW_KWN_SINGLE] = "single"};

int sw_kwn_on_gpu(sw_kwn_strategy strategy) { return strategy != SW_KWN_CPU; }

sw_kwn_options sw_kwn_defaults(void)
{
    return (sw_kwn_options){.strategy = SW_KWN_CPU,
                            .precision = SW_KWN_DOUBLE,
                            .axis = {SW_AXIS_ADAPTIVE, 448, 0, 1.5e-9},
                            .control = {.tolerance = 1e-3, .courant = 0.9, .largest_change = 3},
                            .flux = SW_KWN_THIRD_ORDER};
}

/* ---- Checks ---- */

static sw_status check_options(const sw_kwn_options *o)
{
    const struct {
        const char *name;
        double value, least, most;
    } rules[] = {
        {"tolerance", o->control.tolerance, 1e-6, 0.1},
        {"courant", o->control.courant, 0, 1e6},
        {"fixed_step", o->control.fixed_step, 0, 1e9},
        {"largest_temperature_change", o->control.largest_change, 1e-3, 1e3},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (!(rules[i].value >= rules[i].least && rules[i].value <= rules[i].most))
            return sw_error(SW_ERR_RANGE, "%s = %g: need %g to %g", rules[i].name, rules[i].value,
                            rules[i].least, rules[i].most);
    if ((int)o->strategy < 0 || o->strategy >= SW_KWN_STRATEGIES)
        return sw_error(SW_ERR_RANGE, "strategy = %d: need 0 to %d", (int)o->strategy, SW_KWN_STRATEGIES - 1);
    if (!SW_HAS_PAPERS && (int)o->strategy >= SW_KWN_OF_PAPERS)
        return sw_error(SW_ERR_UNAVAILABLE, "strategy '%s': " SW_NO_PAPERS,
                        sw_kwn_strategy_names[o->strategy]);
    if ((int)o->precision < 0 || o->precision >= SW_KWN_PRECISIONS)
        return sw_error(SW_ERR_RANGE, "precision = %d: need 0 to %d", (int)o->precision,
                        SW_KWN_PRECISIONS - 1);
    if ((int)o->flux < 0 || o->flux >= SW_KWN_FLUXES)
        return sw_error(SW_ERR_RANGE, "flux = %d: need 0 to %d", (int)o->flux, SW_KWN_FLUXES - 1);
    if (o->flux == SW_KWN_THIRD_ORDER && (int)o->strategy >= SW_KWN_OF_PAPERS)
        return sw_error(SW_ERR_RANGE, "flux = third_order: strategy '%s' has first_order and second_order",
                        sw_kwn_strategy_names[o->strategy]);
    if (o->strategy == SW_KWN_CPU && o->precision != SW_KWN_DOUBLE)
        return sw_error(SW_ERR_RANGE, "precision: the strategy 'cpu' has double precision only");
    return SW_OK;
}

/* On a GPU the balance of several solutes is in kernels of its own. */
static sw_status check_several(const sw_kwn_alloy *alloy, const sw_kwn_options *o)
{
    const int of_cpu = sw_kwn_of_cpu(alloy);
    if (!sw_kwn_on_gpu(o->strategy) || !sw_kwn_has_several(alloy))
        return SW_OK;
    if (of_cpu >= 0)
        return sw_error(SW_ERR_UNAVAILABLE, "strategy '%s': neighbour_distance of %s is for cpu",
                        sw_kwn_strategy_names[o->strategy], alloy->phase[of_cpu].name);
    if (o->strategy != SW_KWN_FUSED)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "strategy '%s': phases that grow by several solutes are for cpu and fused",
                        sw_kwn_strategy_names[o->strategy]);
    return o->precision == SW_KWN_DOUBLE
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "precision = %s: phases that grow by several solutes need double",
                          sw_kwn_precision_names[o->precision]);
}

static int possible_temperature(double temperature) { return temperature >= 1 && temperature <= 5000; }

/* A solute that a phase takes but its solvus does not count has to outlast the limiting one: nothing would
 * end growth when it is used up. */
static sw_status check_supply(const sw_kwn_alloy *alloy, const sw_kwn_phase *phase, int64_t index,
                              const double *composition)
{
    const int l = phase->limiting_solute;
    for (int i = 0; i < alloy->n_solutes; i++) {
        const double least = composition[l] * phase->concentration[i] / phase->concentration[l];
        if (phase->concentration[i] > 0 && phase->solvus.exponent[i] == 0 && !(composition[i] >= least))
            return sw_error(SW_ERR_RANGE,
                            "point %" PRId64
                            ": concentration of %s = %g: need at least %g, what %s takes with all %s; "
                            "its solvus counts %s only",
                            index, alloy->solute[i].element, composition[i], least, phase->name,
                            alloy->solute[l].element, alloy->solute[l].element);
    }
    return SW_OK;
}

static sw_status check_composition(const sw_kwn_alloy *alloy, int64_t index, const double *composition)
{
    const double dilute = sw_kwn_is_by_tables(alloy) ? 0.999 : 0.5;
    for (int i = 0; i < alloy->n_solutes; i++)
        if (!(composition[i] >= 0 && composition[i] <= dilute))
            return sw_error(SW_ERR_RANGE, "point %" PRId64 ": concentration of %s = %g: need 0 to %g", index,
                            alloy->solute[i].element, composition[i], dilute);
    for (int p = 0; p < alloy->n_phases; p++) {
        const sw_kwn_phase *phase = &alloy->phase[p];
        for (int i = 0; i < alloy->n_solutes; i++) {
            if (phase->nucleation.sites == SW_SITES_SOLUTE &&
                phase->nucleation.law == SW_NUCLEATION_CLASSICAL &&
                fabs(composition[i] - alloy->solute[i].concentration) > 1e-9 * alloy->solute[i].concentration)
                return sw_error(
                    SW_ERR_RANGE,
                    "point %" PRId64
                    ": concentration of %s = %g: need the alloy's, %g: %s nucleates at atoms of a solute "
                    "(sites: solute), which are counted of that",
                    index, alloy->solute[i].element, composition[i], alloy->solute[i].concentration,
                    phase->name);
            const double most = SW_KWN_LARGEST_INTERFACE * phase->concentration[i];
            const int counts = phase->chemistry.on  ? 0
                               : phase->all_solutes ? phase->solvus.exponent[i] > 0
                                                    : i == phase->limiting_solute;
            if (counts && !(composition[i] < most))
                return sw_error(SW_ERR_RANGE,
                                "point %" PRId64 ": concentration of %s = %g: need less than %g, %g of %s's",
                                index, alloy->solute[i].element, composition[i], most,
                                SW_KWN_LARGEST_INTERFACE, phase->name);
            if (phase->chemistry.on && !(composition[i] <= (1 + 1e-6) * sw_kwn_table_end(phase, i)))
                return sw_error(SW_ERR_RANGE,
                                "point %" PRId64
                                ": concentration of %s = %g: need at most %g, where the table of %s ends",
                                index, alloy->solute[i].element, composition[i], sw_kwn_table_end(phase, i),
                                phase->name);
        }
    }
    double all = 0;
    for (int i = 0; i < alloy->n_solutes; i++)
        all += composition[i];
    if (!(all <= dilute))
        return sw_error(SW_ERR_RANGE,
                        "point %" PRId64 ": concentrations of all solutes = %g: need at most %g", index, all,
                        dilute);
    for (int p = 0; p < alloy->n_phases; p++)
        SW_TRY(check_supply(alloy, &alloy->phase[p], index, composition));
    return SW_OK;
}

/* ---- The thread ---- */

static void run(sw_kwn *kwn)
{
    const sw_status status = kwn->backend->run(kwn);
    if (status != SW_OK)
        snprintf(kwn->message, sizeof kwn->message, "%s", sw_error_message());
    kwn->status = status;
}

static void *work(void *argument)
{
    sw_kwn *kwn = argument;
    pthread_mutex_lock(&kwn->lock);
    while (kwn->doing != SW_KWN_LEAVING) {
        if (kwn->doing != SW_KWN_RUNNING) {
            pthread_cond_wait(&kwn->changed, &kwn->lock);
            continue;
        }
        pthread_mutex_unlock(&kwn->lock);
        run(kwn);
        pthread_mutex_lock(&kwn->lock);
        kwn->doing = SW_KWN_IDLE;
        pthread_cond_broadcast(&kwn->changed);
    }
    pthread_mutex_unlock(&kwn->lock);
    return NULL;
}

/* Hand it something to do; `doing` was SW_KWN_IDLE. */
static void tell(sw_kwn *kwn, int doing)
{
    pthread_mutex_lock(&kwn->lock);
    kwn->doing = doing;
    pthread_cond_broadcast(&kwn->changed);
    pthread_mutex_unlock(&kwn->lock);
}

static sw_status start_thread(sw_kwn *kwn)
{
    pthread_mutex_init(&kwn->lock, NULL);
    pthread_cond_init(&kwn->changed, NULL);
    kwn->doing = SW_KWN_IDLE;
    kwn->process = getpid();
    if (pthread_create(&kwn->thread, NULL, work, kwn) == 0)
        return SW_OK;
    kwn->doing = SW_KWN_NO_THREAD;
    return sw_error(SW_ERR_MEMORY, "no thread can be started");
}

/* In a process that was forked off it has no thread: a new one. Points that were on their way have got nowhere there. */
static void follow_fork(sw_kwn *kwn)
{
    if (kwn->doing == SW_KWN_NO_THREAD || kwn->process == getpid())
        return;
    const int was_running = kwn->doing == SW_KWN_RUNNING;
    sw_status status = start_thread(kwn);
    if (status == SW_OK && was_running)
        status = sw_error(SW_ERR_UNAVAILABLE,
                          "this process was forked off while points followed a history: need to wait "
                          "for them before");
    if (status != SW_OK) {
        snprintf(kwn->message, sizeof kwn->message, "%s", sw_error_message());
        kwn->status = status;
    }
}

static void wait_until_idle(sw_kwn *kwn)
{
    follow_fork(kwn);
    pthread_mutex_lock(&kwn->lock);
    while (kwn->doing == SW_KWN_RUNNING)
        pthread_cond_wait(&kwn->changed, &kwn->lock);
    pthread_mutex_unlock(&kwn->lock);
}

static void end_thread(sw_kwn *kwn)
{
    if (kwn->doing == SW_KWN_NO_THREAD)
        return;
    wait_until_idle(kwn);
    tell(kwn, SW_KWN_LEAVING);
    pthread_join(kwn->thread, NULL);
    pthread_cond_destroy(&kwn->changed);
    pthread_mutex_destroy(&kwn->lock);
}

/* ---- Life ---- */

/* A thousandth of the time in which the fastest solute covers a nanometre: control finds its own from there.
 */
static double first_step(const sw_kwn_alloy *alloy, double temperature)
{
    return fmin(fmax(1e-21 / fmax(sw_kwn_fastest_diffusivity(alloy, temperature), 1e-300), 1e-9), 1.0);
}

static sw_status make_points(const sw_kwn *kwn, const double *composition, double temperature,
                             sw_kwn_point *point)
{
    const sw_kwn_alloy *alloy = &kwn->alloy;
    for (int64_t n = 0; n < kwn->n_points; n++) {
        sw_kwn_point *p = &point[n];
        p->temperature = temperature;
        p->step = first_step(alloy, temperature);
        p->vacancies = alloy->vacancies.sink_strength > 0 ? sw_kwn_vacancies_at_rest(alloy, temperature) : 0;
        for (int i = 0; i < alloy->n_solutes; i++)
            p->total[i] = p->matrix[i] =
                composition == NULL ? alloy->solute[i].concentration : composition[n * alloy->n_solutes + i];
        SW_TRY(check_composition(alloy, n, p->total));
        for (int k = 0; k < alloy->n_phases; k++) {
            p->phase[k].scale = kwn->axis.scale;
            p->phase[k].few = SW_KWN_FEW;
        }
    }
    return SW_OK;
}

/* A GPU, if the strategy needs one. */
static sw_status find_device(sw_kwn_strategy strategy)
{
    const sw_status status = sw_kwn_on_gpu(strategy) ? sw_gpu_use(NULL) : SW_OK;
    return status == SW_OK
               ? SW_OK
               : sw_error(status, "strategy '%s': %s", sw_kwn_strategy_names[strategy], sw_error_message());
}

static sw_status open_parts(sw_kwn *kwn, const double *composition, double temperature)
{
    SW_TRY(find_device(kwn->options.strategy));
    kwn->backend = backends[kwn->options.strategy];
    sw_kwn_point *point;
    SW_TRY(SW_ALLOCATE(point, kwn->n_points, "points"));
    sw_status status = make_points(kwn, composition, temperature, point);
    if (status == SW_OK)
        status = kwn->backend->open(kwn, point);
    free(point);
    return status;
}

sw_status sw_kwn_open(const sw_kwn_alloy *alloy, const sw_kwn_options *options, int64_t n_points,
                      const double *composition, double temperature, sw_kwn **kwn)
{
    *kwn = NULL;
    SW_TRY(check_options(options));
    SW_TRY(check_several(alloy, options));
    if (n_points < 1)
        return sw_error(SW_ERR_RANGE, "points = %" PRId64 ": need at least 1", n_points);
    if (!possible_temperature(temperature))
        return sw_error(SW_ERR_RANGE, "temperature = %g: need 1 to 5000 K", temperature);
    sw_kwn *opened;
    SW_TRY(SW_ALLOCATE(opened, 1, "a precipitation model"));
    opened->alloy = *alloy;
    opened->options = *options;
    opened->n_points = n_points;
    sw_kwn_span_add(&opened->span, temperature);
    sw_status status = sw_kwn_axis_make(&options->axis, 32, &opened->axis);
    if (status == SW_OK)
        status = open_parts(opened, composition, temperature);
    if (status == SW_OK)
        status = start_thread(opened);
    if (status == SW_OK)
        *kwn = opened;
    else
        sw_kwn_close(opened);
    return status;
}

void sw_kwn_close(sw_kwn *kwn)
{
    if (kwn == NULL)
        return;
    end_thread(kwn);
    if (kwn->backend != NULL)
        kwn->backend->close(kwn);
    sw_kwn_axis_free(&kwn->axis);
    free(kwn->time);
    free(kwn->temperature);
    free(kwn->track);
    free(kwn);
}

/* ---- Histories ---- */

static sw_status check_history(const sw_kwn *kwn, int64_t n_knots, const double *time,
                               const float *temperature, int64_t stride)
{
    if (n_knots < 2)
        return sw_error(SW_ERR_RANGE, "knots = %" PRId64 ": need at least 2", n_knots);
    if (!(time[0] <= kwn->now))
        return sw_error(SW_ERR_RANGE, "knot 0: time = %.10g s: need at most the present time, %.10g s",
                        time[0], kwn->now);
    for (int64_t k = 0; k < n_knots; k++) {
        if (!(isfinite(time[k]) && (k == 0 || time[k] >= time[k - 1])))
            return sw_error(SW_ERR_RANGE, "knot %" PRId64 ": time = %.10g s: need times that do not descend",
                            k, time[k]);
        for (int64_t i = 0; i < stride; i++)
            if (!possible_temperature(temperature[k * stride + i]))
                return sw_error(SW_ERR_RANGE,
                                "knot %" PRId64 ", point %" PRId64 ": temperature = %g: need 1 to "
                                "5000 K",
                                k, i, (double)temperature[k * stride + i]);
    }
    return SW_OK;
}

/* Once, where no solute has moved at any point since the beginning: as if all were at the hottest one. */
static void note_frozen(sw_kwn *kwn, int64_t n_knots, const double *time, const float *temperature,
                        int64_t stride)
{
    float hottest[2] = {0, 0};
    if (kwn->noted_frozen || !sw_kwn_is_frozen(&kwn->alloy, INFINITY, kwn->most_moved))
        return;
    for (int64_t k = 0; k < n_knots; k++) {
        hottest[0] = hottest[1];
        hottest[1] = temperature[k * stride];
        for (int64_t i = 1; i < stride; i++)
            hottest[1] = fmaxf(hottest[1], temperature[k * stride + i]);
        if (k > 0)
            kwn->most_moved += sw_kwn_most_moved(&kwn->alloy, 2, &time[k - 1], hottest, 1);
    }
    kwn->noted_frozen = sw_kwn_is_frozen(&kwn->alloy, time[n_knots - 1], kwn->most_moved);
    if (kwn->noted_frozen)
        sw_warn("in %.4g s no solute has moved by more than %.2g m, less than an atom's distance, %.3g m: "
                "nothing can "
                "form or dissolve; temperatures are in K",
                time[n_knots - 1], sqrt(kwn->most_moved), kwn->alloy.lattice_parameter);
}

/* Once, of the first one. */
static void note_cold(sw_kwn *kwn, int64_t n_knots, const float *temperature, int64_t stride)
{
    char text[SW_KWN_COLD_TEXT];
    for (int64_t i = 0; i < n_knots * stride && !kwn->noted_cold; i++) {
        kwn->noted_cold = sw_kwn_is_cold((double)temperature[i]);
        if (kwn->noted_cold)
            sw_warn("knot %" PRId64 ", point %" PRId64 ": temperature%s", i / stride, i % stride,
                    sw_kwn_cold_text((double)temperature[i], text));
    }
}

/* Once, of all so far; not where one was cold. */
static void note_celsius(sw_kwn *kwn, int64_t n_knots, const float *temperature, int64_t stride)
{
    char text[SW_KWN_CELSIUS_TEXT];
    for (int64_t i = 0; i < n_knots * stride; i++)
        sw_kwn_span_add(&kwn->span, (double)temperature[i]);
    if (kwn->noted_cold || !sw_kwn_is_celsius(&kwn->alloy, &kwn->span))
        return;
    kwn->noted_cold = 1;
    sw_warn("temperature%s", sw_kwn_celsius_text(&kwn->span, text));
}

sw_status sw_kwn_advance(sw_kwn *kwn, int64_t n_knots, const double *time, const float *temperature,
                         int per_point)
{
    const int64_t stride = per_point ? kwn->n_points : 1;
    SW_TRY(sw_kwn_follow(kwn, n_knots, time, temperature, per_point));
    note_cold(kwn, n_knots, temperature, stride);
    note_celsius(kwn, n_knots, temperature, stride);
    note_frozen(kwn, n_knots, time, temperature, stride);
    return SW_OK;
}

sw_status sw_kwn_follow(sw_kwn *kwn, int64_t n_knots, const double *time, const float *temperature,
                        int per_point)
{
    const int64_t stride = per_point ? kwn->n_points : 1;
    SW_TRY(sw_kwn_wait(kwn));
    SW_TRY(check_history(kwn, n_knots, time, temperature, stride));
    free(kwn->time);
    free(kwn->temperature);
    kwn->time = NULL;
    kwn->temperature = NULL;
    SW_TRY(SW_ALLOCATE(kwn->time, n_knots, "a thermal history"));
    SW_TRY(SW_ALLOCATE(kwn->temperature, n_knots * stride, "a thermal history"));
    memcpy(kwn->time, time, (size_t)n_knots * sizeof *time);
    memcpy(kwn->temperature, temperature, (size_t)(n_knots * stride) * sizeof *temperature);
    kwn->schedule = (sw_kwn_schedule){n_knots, kwn->time, kwn->temperature, stride, per_point ? 1 : 0};
    kwn->now = time[n_knots - 1];
    kwn->n_threads = omp_get_max_threads(); /* of this thread: the new one has its own */
    kwn->status = SW_OK;
    tell(kwn, SW_KWN_RUNNING);
    return SW_OK;
}

sw_status sw_kwn_wait(sw_kwn *kwn)
{
    wait_until_idle(kwn);
    return kwn->status == SW_OK ? SW_OK : sw_error(kwn->status, "%s", kwn->message);
}

/* ---- Peaks ---- */

sw_status sw_kwn_follow_peaks(sw_kwn *kwn)
{
    SW_TRY(sw_kwn_wait(kwn));
    if (sw_kwn_on_gpu(kwn->options.strategy) || !(kwn->alloy.strength.taylor_factor > 0))
        return SW_OK;
    free(kwn->track);
    return SW_ALLOCATE(kwn->track, kwn->n_points, "peaks");
}

int sw_kwn_read_top(sw_kwn *kwn, int64_t point, sw_kwn_top *top)
{
    if (kwn->track == NULL || sw_kwn_wait(kwn) != SW_OK || !kwn->track[point].seen)
        return 0;
    *top = kwn->track[point].top;
    return 1;
}

/* ---- Reading and setting ---- */

static sw_status check_range(const sw_kwn *kwn, int64_t first, int64_t count, int phase)
{
    if (first < 0 || count < 0 || first > kwn->n_points - count)
        return sw_error(SW_ERR_RANGE, "points %" PRId64 " to %" PRId64 ": need 0 to %" PRId64, first,
                        (int64_t)((uint64_t)first + (uint64_t)count - 1), kwn->n_points - 1);
    if (phase < 0 || phase >= kwn->alloy.n_phases)
        return sw_error(SW_ERR_RANGE, "phase %d: need 0 to %d", phase, kwn->alloy.n_phases - 1);
    return SW_OK;
}

sw_status sw_kwn_read(sw_kwn *kwn, int64_t first, int64_t count, sw_kwn_point *point)
{
    SW_TRY(check_range(kwn, first, count, 0));
    SW_TRY(sw_kwn_wait(kwn));
    return kwn->backend->read_points(kwn, first, count, point);
}

sw_status sw_kwn_read_distribution(sw_kwn *kwn, int64_t first, int64_t count, int phase, double *number)
{
    SW_TRY(check_range(kwn, first, count, phase));
    SW_TRY(sw_kwn_wait(kwn));
    return kwn->backend->read_classes(kwn, first, count, phase, number);
}

sw_status sw_kwn_read_interface_area(sw_kwn *kwn, int64_t first, int64_t count, double *area)
{
    SW_TRY(check_range(kwn, first, count, 0));
    SW_TRY(sw_kwn_wait(kwn));
    return kwn->backend->read_areas(kwn, first, count, area);
}

void sw_kwn_class_radii(const sw_kwn *kwn, double *pivot, double *face)
{
    const int32_t n = kwn->axis.n;
    for (int32_t i = 0; pivot != NULL && i < n; i++)
        pivot[i] = sw_kwn_pivot(&kwn->axis, i);
    for (int32_t i = 0; face != NULL && i <= n; i++)
        face[i] = sw_kwn_face(&kwn->axis, i);
}

sw_status sw_kwn_set_distribution(sw_kwn *kwn, int64_t index, int phase, double scale, const double *number)
{
    sw_kwn_point point;
    sw_kwn_sums sums;
    double fraction[SW_KWN_PHASES];
    SW_TRY(check_range(kwn, index, 1, phase));
    if (!(scale >= 1e-15 && scale <= 1))
        return sw_error(SW_ERR_RANGE, "scale = %g: need 1e-15 to 1 m", scale);
    for (int32_t i = 0; i < kwn->axis.n; i++)
        if (!(number[i] >= 0 && number[i] <= 1e36))
            return sw_error(SW_ERR_RANGE, "number[%d] = %g: need 0 to 1e36 per m^3", i, number[i]);
    SW_TRY(sw_kwn_read(kwn, index, 1, &point));
    sw_kwn_population *population = &point.phase[phase];
    sw_kwn_sum(&kwn->axis, number, scale / kwn->alloy.phase[phase].shearable_radius, &sums);
    population->scale = scale;
    population->number = sums.number;
    population->few = sums.number > 0
                          ? fmin(SW_KWN_FEW, fmax(SW_KWN_FEW_OF_GIVEN * sums.number, SW_KWN_FEWEST))
                          : SW_KWN_FEW;
    population->radius_sum = sums.radius * scale;
    population->obstacle_sum = sums.obstacle;
    population->fraction = sw_kwn_fraction_of(population, &sums);
    for (int p = 0; p < kwn->alloy.n_phases; p++)
        fraction[p] = point.phase[p].fraction;
    if (!sw_kwn_balance(&kwn->alloy, point.total, fraction, point.matrix))
        return sw_error(SW_ERR_RANGE,
                        "point %" PRId64 ": a volume fraction of %s of %g: the alloy has not the "
                        "solute for it",
                        index, kwn->alloy.phase[phase].name, population->fraction);
    SW_TRY(kwn->backend->write_point(kwn, index, &point));
    return kwn->backend->write_classes(kwn, index, phase, number);
}
