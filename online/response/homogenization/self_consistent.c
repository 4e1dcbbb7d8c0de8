/* Self-consistent polycrystals: each crystal is an ellipsoid in the medium that all of them are. Stress and strain rate differ
 * from crystal to crystal, and only their means are the polycrystal's. For the slip law of `rigid_plastic`; self_consistent/. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/math/deviator.h"
#include "common/system/memory.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "common/system/threads.h"
#include "homogenization.h"
#include "online/response/points/points_cuda.h"
#include "online/response/step/check.h"
#include "online/response/step/step.h"
#include "self_consistent/engine_cuda.h"
#include "self_consistent/point.h"

static const sw_state_field kept[] = {{SW_SC_STRESS, "Pa", 5, 0}, {SW_SC_SHAPE, "", 9, 0}};

/* A response's own. */
typedef struct {
    sw_sc_slip *slip;
    sw_sc_rules rules;
    sw_sc_work *work; /* for phases of `room` crystals; NULL: none yet */
    int phases;
    int64_t room[SW_SC_PHASES];
    int stress_at, law_at;
    sw_sc_cuda *engine; /* on a GPU */
} scheme;

static sw_status check(const sw_solver *solver, sw_device device)
{
    if (strcmp(solver->traits.name, "rigid_plastic") != 0)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "homogenization = self_consistent: solver = %s: need rigid_plastic",
                        solver->traits.name);
    (void)device;
    return SW_OK;
}

static int place_of(const sw_state_layout *layout, const char *name)
{
    const sw_state_field *field = sw_state_field_find(layout, name);
    return field != NULL ? sw_state_field_place(layout, field) : -1;
}

/* Number of a name in a list; NULL: the standard's. SW_ERR_RANGE. */
static sw_status number_of(const char *key, const char *name, int n, const char *const *names, int standard,
                           int *number)
{
    for (int i = 0; i < n; i++)
        if (name == NULL ? i == standard : strcmp(name, names[i]) == 0) {
            *number = i;
            return SW_OK;
        }
    return sw_error(SW_ERR_RANGE, "self_consistent.%s = %s: there is none such", key, name);
}

static sw_status check_number(const char *key, double value, double least, double most)
{
    return value >= least && value <= most
               ? SW_OK
               : sw_error(SW_ERR_RANGE, "self_consistent.%s = %g: need %g to %g", key, value, least, most);
}

/* All grains have one interaction there (second_order.h). */
static sw_status check_second_order(sw_device device, int linearization, int ellipsoids)
{
    if (linearization == SW_SC_SECOND_ORDER && ellipsoids == 1)
        return sw_error(SW_ERR_RANGE,
                        "self_consistent.ellipsoids = grain has no place beside linearization = "
                        "second_order: need phase or fixed");
    if (linearization == SW_SC_SECOND_ORDER && device == SW_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "self_consistent.linearization = second_order runs on the CPU only");
    return SW_OK;
}

static void close_scheme(sw_response *response)
{
    scheme *s = response->homogenized;
    if (s == NULL)
        return;
    sw_sc_work_free(s->work);
    if (response->device == SW_CUDA)
        sw_sc_cuda_close(s->engine);
    free(s->slip);
    free(s);
    response->homogenized = NULL;
}

/* Crystals that make k of five strains, next to rigid in the others, in a medium to which a sphere is neff times as compliant as to
 * its secant moduli: hard strains have 1 + 1.5/neff of the mean stress each, so that the mean is that of no medium unless
 * (5 - k)(1 + 1.5/neff) < 5. The other linearizations solve a linear medium, neff = 1. */
static sw_status check_open(const sw_material *material, int linearization, double neff, double exponent)
{
    const int k = sw_material_strains(material);
    const double least = 1.5 * (5 - k) / k, own = linearization == SW_SC_NEFF      ? neff
                                                  : linearization == SW_SC_TANGENT ? exponent
                                                                                   : 1;
    return own > least * (1 + 1e-9)
               ? SW_OK
               : sw_error(
                     SW_ERR_RANGE,
                     "self_consistent.linearization = %s: slip.families of %s reach %d independent strains: "
                     "no stress of such a medium is finite: need neff above %.3g, tangent at such a 1/m, or "
                     "homogenization = sachs",
                     sw_linearization_names[linearization], material->name, k, least);
}

static sw_status open_scheme(sw_response *response, const sw_response_options *options)
{
    const sw_self_consistent *o = &options->self_consistent;
    const double exponent = 1 / response->material->slip.rate_sensitivity, neff = o->neff != 0 ? o->neff : 10,
                 tolerance = o->tolerance != 0 ? o->tolerance : 1e-4;
    int linearization = 0, ellipsoids = 0;
    scheme *s;
    SW_TRY(number_of("linearization", o->linearization, SW_SC_LINEARIZATIONS, sw_linearization_names,
                     SW_SC_AFFINE, &linearization));
    SW_TRY(number_of("ellipsoids", o->ellipsoids, 3, sw_ellipsoid_names, 0, &ellipsoids));
    SW_TRY(check_number("neff", neff, SW_SC_NEFF_LEAST, SW_SC_NEFF_MOST));
    if (o->neff != 0 && linearization != SW_SC_NEFF)
        return sw_error(SW_ERR_RANGE,
                        "self_consistent.neff = %g has no place beside linearization = %s: need neff", neff,
                        sw_linearization_names[linearization]);
    SW_TRY(check_open(response->material, linearization, neff, exponent));
    SW_TRY(check_second_order(response->device, linearization, ellipsoids));
    SW_TRY(check_number("tolerance", tolerance, SW_SC_TOLERANCE_LEAST, SW_SC_TOLERANCE_MOST));
    if (response->device == SW_CUDA && sw_parallel_size() > 1)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "homogenization = self_consistent: %d processes on GPUs: need one, or the CPU",
                        sw_parallel_size());
    SW_TRY(SW_ALLOCATE(s, 1, "self-consistent scheme"));
    response->homogenized = s;
    SW_TRY(sw_sc_slip_of(response->material, &s->slip));
    s->rules = sw_sc_standard_rules((sw_sc_linearization)linearization, neff, exponent);
    s->rules.stress_tolerance = s->rules.rate_tolerance = s->rules.moduli_tolerance = tolerance;
    /* over d + M~ s, of which d, rounded to n times as much as a stress, may be 1 / (1 + neff) */
    s->rules.newton_tolerance = fmax(1e-3 * tolerance, 2e-14 * (1 + exponent / (1 + s->rules.neff)));
    s->rules.outer = tolerance < 1e-5 ? 1000 : 300;
    s->rules.own_shapes = ellipsoids == 1;
    s->rules.keep_shape = ellipsoids == 2;
    s->stress_at = place_of(response->layout, SW_SC_STRESS);
    s->law_at = response->solver->with_families.numbers; /* where one has families, after the solver's own */
    return response->device == SW_CUDA ? sw_sc_cuda_open(s->slip, &s->rules, s->stress_at, s->law_at,
                                                         response->layout->numbers, &s->engine)
                                       : SW_OK;
}

/* ---- One polycrystal ---- */

/* Its phases, of a material each. */
typedef struct {
    int n;
    sw_sc_phase phase[SW_SC_PHASES];
    sw_crystals to[SW_SC_PHASES];
    int goes_on; /* to `to` */
    int of_all;  /* processes have crystals of it each */
    sw_sc_medium medium;
    double spin[3]; /* W, 12 13 23 */
    sw_sc_average mean[SW_SC_PHASES];
} polycrystal;

static sw_sc_phase phase_of(const scheme *s, const sw_crystals *crystals)
{
    return (sw_sc_phase){
        .slip = s->slip, .grains = *crystals, .stress_at = s->stress_at, .law_at = s->law_at};
}

static void set_polycrystal(const scheme *s, const sw_crystals *from, const sw_crystals *to, polycrystal *p)
{
    memset(p, 0, sizeof *p);
    p->n = 1;
    p->phase[0] = phase_of(s, from);
    p->goes_on = to != NULL;
    if (to != NULL)
        p->to[0] = *to;
}

/* Weights of a phase's grains, of all processes, make its fraction. */
static sw_status set_parts(int n, const sw_response_part *part, polycrystal *p)
{
    set_polycrystal(part[0].response->homogenized, part[0].from, part[0].to, p);
    p->n = n;
    for (int k = 0; k < n && n > 1; k++) {
        double weight;
        p->phase[k] = phase_of(part[k].response->homogenized, part[k].from);
        if (p->goes_on)
            p->to[k] = *part[k].to;
        SW_TRY(sw_parallel_agree(sw_crystals_sum_weights(part[k].from, &weight)));
        sw_parallel_sums_in_order(&weight, 1);
        SW_TRY(sw_check_weights(weight));
        p->phase[k].scale = part[k].fraction / weight;
    }
    return SW_OK;
}

static sw_status make_room(scheme *s, const polycrystal *p)
{
    int same = s->work != NULL && s->phases == p->n;
    for (int k = 0; k < p->n; k++)
        same = same && s->room[k] == p->phase[k].grains.n;
    if (same)
        return SW_OK;
    sw_sc_work_free(s->work);
    s->work = NULL;
    s->phases = p->n;
    for (int k = 0; k < p->n; k++)
        s->room[k] = p->phase[k].grains.n;
    return sw_sc_work_make(p->n, p->phase, &s->rules, &s->work);
}

/* The ellipsoid of a phase, which all of its crystals remember; of one that processes have together the first one's says it. */
static sw_sc_directions shape_of(const scheme *s, const sw_sc_phase *phase, int of_all, sw_sc_shape *shape)
{
    const int is_mine = !of_all || sw_parallel_rank() == 0;
    const float *f = is_mine ? phase->grains.state + phase->stress_at + 5 : NULL;
    double map[3][3];
    for (int k = 0; k < 9; k++)
        map[k / 3][k % 3] = is_mine ? (double)f[k] + (k % 4 == 0) : 0;
    if (of_all)
        sw_parallel_sums_in_order(map[0], 9);
    return sw_sc_directions_for(sw_sc_shape_of((const double(*)[3])map, shape), s->rules.stress_tolerance);
}

/* Whatever its phases. */
static int has_one_shape(const scheme *s) { return s->rules.linearization == SW_SC_SECOND_ORDER; }

static sw_status check_converged(const sw_sc_result *r)
{
    if (r->converged)
        return sw_check_weights(r->weight);
    return sw_error(SW_ERR_CONVERGENCE,
                    "the self-consistent scheme misses its tolerance after %d iterations: stresses by %.2g, "
                    "their mean by %.2g, strain rates by %.2g",
                    r->outer, r->error[0], r->error[1], r->error[2]);
}

/* On the CPU, under conditions on components, or in directions, or, both NULL, all of l. */
static void solve(const scheme *s, sw_sc_work *work, const sw_sc_conditions *conditions,
                  const sw_point_condition *condition, const double l[3][3], double dt, int threads,
                  polycrystal *p)
{
    sw_sc_medium *m = &p->medium;
    sw_sc_directions directions[SW_SC_PHASES];
    m->phases = p->n;
    sw_sc_begin_point(l, condition, m);
    m->dt = dt;
    if (conditions != NULL)
        m->conditions = *conditions;
    for (int k = 0; k < p->n; k++)
        directions[k] = shape_of(s, &p->phase[has_one_shape(s) ? 0 : k], p->of_all, &m->of[k].shape);
    sw_sc_solve(work, p->phase, &s->rules, directions, m, threads);
    sw_sc_spin_of_point(l, condition, m, p->spin);
    sw_sc_advance(work, p->phase, &s->rules, m, dt, p->spin, p->goes_on ? p->to : NULL, p->mean, threads);
}

/* Of all phases. */
static void result_of(const polycrystal *p, sw_sc_result *result)
{
    const sw_sc_medium *m = &p->medium;
    sw_sc_average all = {0};
    for (int k = 0; k < p->n; k++) {
        all.slip_rate += p->mean[k].slip_rate;
        all.slip_resistance += p->mean[k].slip_resistance;
        all.begun += p->mean[k].begun;
        all.weight += p->mean[k].weight;
    }
    *result = (sw_sc_result){.mean_stress = m->pressure,
                             .slip_rate = all.slip_rate / all.weight,
                             .slip_resistance = all.slip_resistance / all.weight,
                             .begun = all.begun / all.weight,
                             .weight = all.weight,
                             .error = {m->error[0], m->error[1], m->error[2]},
                             .outer = m->outer,
                             .inner = m->inner_all,
                             .converged = m->converged};
    memcpy(result->found, m->conditions.x, sizeof result->found);
    memcpy(result->stress, m->s, sizeof m->s);
    memcpy(result->rate, m->d, sizeof m->d);
    sw_sc_stiffness(m, result->stiffness);
}

static void deviator_of(const double vector[5], double tensor[3][3])
{
    double t[6] = {0};
    for (int a = 0; a < 5; a++)
        for (int k = 0; k < 6; k++)
            t[k] += vector[a] * sw_deviator_basis(a, k);
    for (int k = 0; k < 9; k++)
        tensor[k / 3][k % 3] = t[sw_six_of(k / 3, k % 3)];
}

/* Of a phase, whose stress is that of its grains; of one alone the medium's. */
static void answer_of(const polycrystal *p, int k, sw_response_part *part)
{
    const double over = 1 / p->mean[k].weight;
    deviator_of(p->n == 1 ? p->medium.s : p->medium.of[k].mean_s, part->average.cauchy_stress);
    part->average.slip_resistance = over * p->mean[k].slip_resistance;
    part->average.slip_rate = over * p->mean[k].slip_rate;
    if (p->n > 1)
        sw_sc_phase_gradient(&p->medium, &p->medium.of[k], p->spin, part->velocity_gradient);
}

static sw_status solve_on_cpu(int n, sw_response_part *part, const sw_sc_conditions *conditions,
                              const double l[3][3], double dt, sw_sc_result *result)
{
    scheme *s = part[0].response->homogenized;
    polycrystal p;
    int64_t grains = 0;
    SW_TRY(set_parts(n, part, &p));
    p.of_all = sw_parallel_size() > 1;
    SW_TRY(sw_parallel_agree(make_room(s, &p)));
    sw_sc_work_of_all(s->work);
    for (int k = 0; k < n; k++)
        grains += part[k].from->n;
    /* threads by the quickest pass */
    solve(s, s->work, conditions, NULL, l, dt, sw_threads_for(grains, 100), &p);
    for (int k = 0; k < n; k++)
        answer_of(&p, k, &part[k]);
    result_of(&p, result);
    return SW_OK;
}

static sw_status solve_on_gpu(int n, sw_response_part *part, const sw_sc_conditions *conditions,
                              const double l[3][3], double dt, sw_sc_result *result)
{
    sw_sc_cuda_phase phase[SW_SC_PHASES];
    polycrystal p;
    SW_TRY(set_parts(n, part, &p));
    for (int k = 0; k < n; k++) {
        const scheme *s = part[k].response->homogenized;
        phase[k] =
            (sw_sc_cuda_phase){s->engine, part[k].from, part[k].to, p.phase[k].scale, {{0}, 0, 0, {{0}}}};
    }
    SW_TRY(sw_sc_cuda_polycrystal(n, phase, conditions, l, dt, result));
    for (int k = 0; k < n; k++) {
        const sw_sc_phase_result *of = &phase[k].result;
        deviator_of(of->stress, part[k].average.cauchy_stress);
        part[k].average.slip_resistance = of->slip_resistance;
        part[k].average.slip_rate = of->slip_rate;
        if (n > 1)
            memcpy(part[k].velocity_gradient, of->velocity_gradient, sizeof of->velocity_gradient);
    }
    return SW_OK;
}

static sw_status solve_anywhere(int n, sw_response_part *part, const sw_sc_conditions *conditions,
                                const double l[3][3], double dt, sw_sc_result *result)
{
    SW_TRY(part[0].response->device == SW_CUDA ? solve_on_gpu(n, part, conditions, l, dt, result)
                                               : solve_on_cpu(n, part, conditions, l, dt, result));
    return check_converged(result);
}

static sw_status check_together(int n, const sw_response_part *part)
{
    const scheme *first = part[0].response->homogenized;
    if (n > SW_SC_PHASES)
        return sw_error(SW_ERR_UNAVAILABLE, "homogenization = self_consistent: %d materials: need at most %d",
                        n, SW_SC_PHASES);
    for (int k = 1; k < n && first->rules.linearization == SW_SC_TANGENT; k++) {
        const scheme *other = part[k].response->homogenized;
        if (other->rules.neff != first->rules.neff)
            return sw_error(SW_ERR_UNAVAILABLE,
                            "self_consistent.linearization = tangent: rate_sensitivity = %g and %g: need the "
                            "same of all materials, or affine, secant or neff",
                            1 / first->rules.neff, 1 / other->rules.neff);
    }
    return SW_OK;
}

static sw_status together(int n, sw_response_part *part, const double velocity_gradient[3][3], double dt)
{
    sw_sc_result result;
    return solve_anywhere(n, part, NULL, velocity_gradient, dt, &result);
}

static sw_status advance(sw_response *response, const double velocity_gradient[3][3], const sw_strain_rate *d,
                         double dt, const sw_crystals *from, const sw_crystals *to,
                         sw_response_average *average)
{
    sw_response_part part = {.response = response, .fraction = 1, .from = from, .to = to};
    if (!(d->rate > 0))
        return sw_error(SW_ERR_RANGE, "velocity gradient: ||D|| = %g: need a strain rate > 0", d->rate);
    SW_TRY(together(1, &part, velocity_gradient, dt));
    *average = part.average;
    return SW_OK;
}

/* Of crystals as they are: what of D is not given such that the stresses are. */
static sw_status meet(int n, sw_response_part *part, const int stress_given[6], const double rate[6],
                      const double stress[6], double found[6], double *mean_stress)
{
    sw_sc_conditions conditions = {0};
    sw_sc_result result;
    double l[3][3];
    memcpy(conditions.stress_given, stress_given, sizeof conditions.stress_given);
    memcpy(conditions.rate, rate, sizeof conditions.rate);
    memcpy(conditions.stress, stress, sizeof conditions.stress);
    for (int k = 0; k < 9; k++)
        l[k / 3][k % 3] = rate[sw_six_of(k / 3, k % 3)];
    SW_TRY(solve_anywhere(n, part, &conditions, l, 0, &result));
    for (int k = 0; k < 6; k++) {
        found[k] = 0;
        for (int a = 0; a < 5; a++)
            found[k] += result.rate[a] * sw_deviator_basis(a, k);
    }
    *mean_stress = result.mean_stress;
    return SW_OK;
}

/* ---- Points with a loading each ---- */

/* Point p, by the work of its thread. Nothing moves at D = 0. */
static void step_point(const scheme *s, const sw_points *of, int64_t p, sw_sc_work *work, int threads,
                       sw_sc_result *result)
{
    const sw_crystals from = sw_crystals_part(of->from, p * of->each, of->each);
    const double(*l)[3] = of->velocity_gradient[p];
    double d[5], size = 0, turn = 0, spin[3], flat[3][3];
    sw_crystals to;
    if (of->to != NULL)
        to = sw_crystals_part(of->to, p * of->each, of->each);
    sw_sc_rate_of(l, d);
    sw_sc_skew_of(l, spin);
    for (int a = 0; a < 5; a++)
        size += d[a] * d[a];
    for (int k = 0; k < 3; k++)
        turn += spin[k] * spin[k];
    for (int k = 0; k < 9; k++)
        flat[k / 3][k % 3] = l[k / 3][k % 3] - (k % 4 == 0 ? (l[0][0] + l[1][1] + l[2][2]) / 3 : 0);
    const double dt = of->dt_each != NULL ? of->dt_each[p] : of->dt;
    if (!(sqrt(size) * dt <= SW_STEP_STRAIN_MOST && sqrt(turn) * dt <= SW_TURN_MAX)) {
        *result = (sw_sc_result){.converged = 0};
        return;
    }
    polycrystal one;
    set_polycrystal(s, &from, of->to != NULL ? &to : NULL, &one);
    solve(s, work, NULL, of->condition != NULL ? &of->condition[p] : NULL, (const double(*)[3])flat, dt,
          threads, &one);
    result_of(&one, result);
}

static sw_status points_on_cpu(sw_response *response, const sw_points *of, double (*sum)[SW_POINT_SUMS],
                               int64_t *failed)
{
    const scheme *s = response->homogenized;
    const sw_crystals first = sw_crystals_part(of->from, 0, of->each);
    const sw_sc_phase phase = phase_of(s, &first);
    const int threads = sw_threads_for(of->points * of->each, 3e4), within = of->points > 1 ? 1 : threads;
    int64_t without = 0;
    int short_of = 0;
#pragma omp parallel num_threads(of->points > 1 ? threads : 1) reduction(+ : without, short_of)
    {
        sw_sc_work *work = NULL;
        short_of += sw_sc_work_make(1, &phase, &s->rules, &work) != SW_OK;
#pragma omp for schedule(dynamic, 1)
        for (int64_t p = 0; p < of->points; p++) {
            sw_sc_result result = {.converged = 0};
            if (work != NULL && sw_interrupt_check() == SW_OK)
                step_point(s, of, p, work, within, &result);
            sw_sc_point_sums(&result, sum[p]);
            if (of->found != NULL)
                memcpy(of->found[p], result.found, sizeof result.found);
            without += result.converged ? 0 : of->each;
        }
        sw_sc_work_free(work);
    }
    *failed += without;
    return short_of > 0 ? sw_error(SW_ERR_MEMORY, "no memory for a self-consistent scheme")
                        : sw_interrupt_check();
}

static sw_status points(sw_response *response, const sw_points *of, int64_t *failed)
{
    const sw_point_results to = {.stress = of->stress,
                                 .slip_resistance = of->slip_resistance,
                                 .slip_rate = of->slip_rate,
                                 .by_strain_rate = of->by_strain_rate,
                                 .by_spin = of->by_spin,
                                 .symmetric = of->symmetric};
    double(*sum)[SW_POINT_SUMS];
    for (int64_t p = 0; p < of->points && of->material != NULL; p++)
        if (of->material[p] != response->material)
            return sw_error(SW_ERR_UNAVAILABLE,
                            "homogenization = self_consistent: points of a hardening law each");
    if (response->device == SW_CUDA)
        return sw_points_step_cuda(response, of, failed);
    SW_TRY(SW_ALLOCATE(sum, of->points, "sums of points"));
    const sw_status status = points_on_cpu(response, of, sum, failed);
    for (int64_t p = 0; p < of->points && status == SW_OK; p++)
        for (int result = 0; result < SW_POINT_RESULTS; result++)
            sw_point_finish(sum[p], p, result, &to);
    free(sum);
    return status;
}

/* On a GPU: what sw_points_step_cuda asks for in a solver's place. */
static sw_status launch_points(sw_response *response, const sw_points_launch *l)
{
    sw_sc_cuda *engine = ((scheme *)response->homogenized)->engine;
    sw_sc_result *result;
    SW_TRY(sw_sc_cuda_results(engine, l->points, &result));
    const sw_sc_launch launch = {.points = l->points,
                                 .each = l->each,
                                 .crystal = l->crystal,
                                 .state = l->state,
                                 .weight = l->weight,
                                 .next_crystal = l->next_crystal,
                                 .next_state = l->next_state,
                                 .velocity_gradient = l->velocity_gradient,
                                 .condition = l->condition,
                                 .dt = l->dt,
                                 .dt_each = l->dt_each,
                                 .result = result,
                                 .stream = l->stream};
    SW_TRY(sw_sc_cuda_launch(engine, &launch));
    return sw_sc_cuda_sums(engine, l->points, l->parts, l->each, (double *)l->sum, l->found, l->failed,
                           l->stream);
}

const sw_homogenization sw_homogenization_self_consistent = {.name = "self_consistent",
                                                             .check = check,
                                                             .takes_open = 1,
                                                             .shares = 1,
                                                             .open = open_scheme,
                                                             .close = close_scheme,
                                                             .n_fields = 2,
                                                             .field = kept,
                                                             .advance = advance,
                                                             .check_together = check_together,
                                                             .together = together,
                                                             .points = points,
                                                             .launch_points = launch_points,
                                                             .meet = meet};
