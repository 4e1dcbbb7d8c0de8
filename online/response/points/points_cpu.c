/* points.h on the CPU: bundles of crystals, whatever points they are of unless each has a duration or a hardening law of its own, for
 * the lanes of a bundle share one; parts of a point, or groups of points, on threads. A point's crystals are added one
 * by one within a part, and its parts one by one, so that its sums depend on nothing but its crystals. */
#include "online/response/step/bundle.h"

#include <math.h>
#include <stdlib.h>

#include "common/system/progress.h"
#include "common/system/threads.h"
#include "look_up.h"
#include "points.h"

enum { SUMS_AT_A_TIME = 1 << 14 }; /* kept until they are made results */

typedef struct {
    sw_response *response;
    const sw_points *points;
    int tangent; /* wanted */
    sw_point_axis axis;
    int64_t part, parts;          /* crystals of a part, at most; parts of a point */
    int64_t together;             /* points whose only parts go together, of one duration and hardening law */
    double (*sum)[SW_POINT_SUMS]; /* [points at a time][parts] */
} work;

/* Crystals one after the other: of one part, or of some whole points. */
typedef struct {
    int64_t point, points; /* the first, and how many */
    int64_t first, n;      /* crystals, from the first one of all */
    double (*sum)[SW_POINT_SUMS];
} unit;

/* ---- A bundle ---- */

/* Outputs, orientations and slopes; as sw_bundle_look_up. */
static unsigned look_up_slopes(const sw_response *r, const sw_frame *frame, int n, sw_bundle *b,
                               sw_real slope[SW_SLOPES][SW_SLOPED])
{
    sw_real principal[4];
    float orientation[4][SW_BUNDLE], theta[SW_BUNDLE], output[SW_OUTPUTS][SW_BUNDLE],
        slopes[SW_SLOPES][SW_SLOPED][SW_BUNDLE];
    sw_quaternion_from_euler(b->euler, b->orientation);
    sw_quaternion_product(frame->to_principal, b->orientation, principal);
    memcpy(orientation, principal, sizeof orientation);
    memcpy(theta, &frame->theta, sizeof theta);
    const unsigned failed =
        r->functions->evaluate_slopes(r, n, (const float(*)[SW_BUNDLE])orientation, theta, output, slopes);
    memcpy(b->output, output, sizeof output);
    memcpy(slope, slopes, sizeof slopes);
    return failed;
}

/* Of a solver that looks up: step [SW_BUNDLE] the step of each lane's point, of one duration and hardening law. The bundle takes its
 * own. Returns which lanes have no answer, a bit each. */
static unsigned advance_by_output(const work *w, const sw_step *const *step, int n, sw_bundle *b,
                                  float (*number)[SW_BUNDLE])
{
    const sw_hardening *hardening = &step[0]->hardening;
    sw_real stress[6], mean[SW_MEANS], sum[SW_MEANS];
    const sw_frame own = sw_bundle_frame(step);
    memset(sum, 0, sizeof sum);
    unsigned failed = 0;
    if (w->tangent) {
        const float m = (float)w->response->material->slip.rate_sensitivity;
        sw_real slope[SW_SLOPES][SW_SLOPED], tangent[SW_TANGENT_COLUMNS][5], s;
        failed |= look_up_slopes(w->response, &own, n, b, slope);
        sw_real scale = sw_looked_up_scale(hardening, &own, b->output, b->slip_resistance, &s);
        sw_looked_up_tangent(hardening, &own, b->output, (const sw_real(*)[SW_SLOPED])slope, m, s, scale,
                             tangent);
        memcpy(number + SW_MEANS, tangent, sizeof tangent);
    } else
        failed |= sw_bundle_look_up(w->response, &own, 1, n, b);
    sw_looked_up_stress(hardening, &own, b->output, b->slip_resistance, stress);
    const sw_mask good =
        sw_crystal_advance(hardening, &own, b->output, b->orientation, b->euler, &b->slip_resistance, sum);
    sw_looked_up_means(&own, stress, sum, mean);
    mean[0] = sw_choose(good, mean[0], sw_broadcast(NAN));
    memcpy(number, mean, sizeof mean);
    return failed | sw_lanes_outside(good, n);
}

/* ---- A unit ---- */

/* Crystals end the step with angles euler [3][B]. Returns which lanes have a weight that is none: their point has no results. */
static unsigned add(const work *w, const unit *u, int64_t first, int n, const float (*euler)[SW_BUNDLE],
                    const float (*number)[SW_BUNDLE])
{
    const int numbers = w->tangent ? SW_NUMBERS : SW_MEANS;
    unsigned failed = 0;
    for (int lane = 0; lane < n; lane++) {
        const int64_t crystal = first + lane;
        double *sum = u->sum[crystal / w->points->each - u->point];
        const double given = sw_weight_of(w->points->from->weight, crystal);
        const double weight =
            isfinite(number[0][lane]) ? given : NAN; /* of a point without an answer nothing is one */
        for (int k = 0; k < numbers; k++)
            sum[k] += weight * number[k][lane];
        sum[SW_POINT_WEIGHT] += weight;
        if (w->tangent && w->axis.any) {
            const float angle[3] = {euler[0][lane], euler[1][lane], euler[2][lane]};
            float by[SW_POINT_COUPLED];
            sw_point_couple(&w->axis, angle, &number[SW_MEANS][lane], SW_BUNDLE, by);
            for (int k = 0; k < SW_POINT_COUPLED; k++)
                sum[SW_POINT_BY_VOLUME + k] += weight * by[k];
        }
        failed |= (unsigned)!isfinite(given) << lane;
    }
    return failed;
}

/* step [points of the unit]. Returns how many crystals have no answer. */
static int advance_unit(const work *w, const unit *u, const sw_step *step)
{
    const sw_response *r = w->response;
    int failed = 0;
    for (int64_t first = u->first; first < u->first + u->n; first += SW_BUNDLE) {
        const int64_t left = u->first + u->n - first, k = r->layout->numbers;
        const sw_crystals *from = w->points->from, *to = w->points->to;
        const int n = left < SW_BUNDLE ? (int)left : SW_BUNDLE;
        const sw_step *own[SW_BUNDLE];
        float number[SW_NUMBERS][SW_BUNDLE];
        sw_bundle b;
        for (int lane = 0; lane < SW_BUNDLE; lane++) {
            const int64_t crystal = first + (lane < n ? lane : n - 1);
            own[lane] = step + (crystal / w->points->each - u->point);
        }
        sw_bundle_load(n, from->crystal + first, &b);
        const unsigned none =
            r->functions->advance != NULL
                ? sw_bundle_advance(r, own, n, &b, k > 0 ? from->state + first * k : NULL,
                                    to != NULL && k > 0 ? to->state + first * k : NULL, w->tangent, number)
                : advance_by_output(w, own, n, &b, number);
        if (to != NULL)
            sw_bundle_store(n, &b, to->crystal + first);
        failed += __builtin_popcount(none | add(w, u, first, n, (const float(*)[SW_BUNDLE])b.euler,
                                                (const float(*)[SW_BUNDLE])number));
    }
    return failed;
}

/* Number k of the `points` from `first` on. */
static unit unit_of(const work *w, int64_t first, int64_t points, int64_t k)
{
    const int64_t n = w->points->each, point = first + k / w->parts * w->together, part = k % w->parts;
    const int64_t left = first + points - point, all = left < w->together ? left : w->together;
    unit u = {
        .point = point, .points = w->parts > 1 ? 1 : all, .sum = w->sum + (point - first) * w->parts + part};
    u.first = point * n + part * w->part;
    u.n = w->parts == 1 ? u.points * n : part + 1 < w->parts ? w->part : n - part * w->part;
    return u;
}

static const sw_hardening *hardening_of(const work *w, int64_t point)
{
    const sw_material *const *material = w->points->material;
    return material != NULL ? &material[point]->hardening : &w->response->material->hardening;
}

static double time_of(const work *w, int64_t point)
{
    return w->points->dt_each != NULL ? w->points->dt_each[point] : w->points->dt;
}

static sw_status step_unit(const work *w, const unit *u, int64_t *failed)
{
    const double m = w->response->material->slip.rate_sensitivity;
    sw_step *step;
    const sw_crystals *from = w->points->from, *to = w->points->to;
    if (w->tangent && (to == NULL || to->crystal != from->crystal)) /* a trial, of which nothing is lost */
        SW_TRY(sw_interrupt_check());
    SW_TRY(SW_ALLOCATE(step, u->points, "steps of points"));
    for (int64_t p = 0; p < u->points; p++)
        step[p] = sw_point_step(w->points->velocity_gradient[u->point + p], time_of(w, u->point + p), m,
                                hardening_of(w, u->point + p), w->response->functions->advance == NULL,
                                w->axis.any);
    *failed += advance_unit(w, u, step);
    free(step);
    return SW_OK;
}

/* ---- All ---- */

static int threads_for(const work *w, int64_t units)
{
    const sw_solver_functions *f = w->response->functions;
    const double crystals = (double)(w->parts > 1 ? w->part : w->together * w->points->each);
    const double one = f->nanoseconds != NULL ? f->nanoseconds(w->response, 1) : 1000;
    return sw_threads_for(units, (35 + one) * crystals);
}

sw_point_axis sw_point_axis_of(const sw_response *response)
{
    const sw_stiffness stiffness = sw_material_stiffness(response->material);
    sw_point_axis axis = {.any = sw_response_takes_volume(response)};
    double by_stress[5];
    sw_stiffness_relaxed_bulk(&stiffness, by_stress);
    for (int i = 0; i < 9; i++)
        for (int n = 0; n < 5; n++)
            axis.own[i / 3][i % 3] += (float)(by_stress[n] * sw_deviator_basis(n, sw_six_of(i / 3, i % 3)));
    return axis;
}

/* Returns how many points have no weight. */
static int64_t finish(const work *w, int64_t first, int64_t points)
{
    int64_t failed = 0;
    const sw_points *p = w->points;
    const sw_point_results to = {.stress = p->stress,
                                 .slip_resistance = p->slip_resistance,
                                 .slip_rate = p->slip_rate,
                                 .by_strain_rate = p->by_strain_rate,
                                 .by_spin = p->by_spin,
                                 .symmetric = p->symmetric,
                                 .coupled = w->axis.any};
    for (int64_t k = 0; k < points; k++) {
        double *sum = w->sum[k * w->parts];
        for (int64_t part = 1; part < w->parts; part++)
            for (int i = 0; i < SW_POINT_SUMS; i++)
                sum[i] += w->sum[k * w->parts + part][i];
        failed += !(sum[SW_POINT_WEIGHT] > 0) && !isnan(sum[SW_POINT_WEIGHT]);
        for (int result = 0; result < SW_POINT_RESULTS; result++)
            sw_point_finish(sum, first + k, result, &to);
    }
    return failed;
}

static sw_status step_some(const work *w, int64_t first, int64_t points, int64_t *failed)
{
    const int64_t units = (points + w->together - 1) / w->together * w->parts;
    int64_t sum = 0;
    int worst = SW_OK;
    memset(w->sum, 0, (size_t)(points * w->parts) * sizeof *w->sum);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : sum) reduction(max : worst)                   \
    num_threads(threads_for(w, units))
    for (int64_t k = 0; k < units; k++) {
        const unit u = unit_of(w, first, points, k);
        const int status = step_unit(w, &u, &sum);
        worst = status > worst ? status : worst;
    }
    *failed += sum;
    if (worst != SW_OK) /* messages are the threads' own */
        return worst == SW_ERR_INTERRUPTED ? sw_interrupt_check()
                                           : sw_error((sw_status)worst, "no memory for steps of points");
    *failed += finish(w, first, points);
    return SW_OK;
}

sw_status sw_points_step_cpu(sw_response *response, const sw_points *points, int64_t *failed)
{
    const int64_t n = points->each, part = SW_STEP_BLOCK;
    work w = {.response = response,
              .points = points,
              .tangent = points->by_strain_rate != NULL || points->by_spin != NULL,
              .axis = sw_point_axis_of(response),
              .part = part,
              .parts = (n + part - 1) / part};
    w.together =
        w.parts > 1 || n > part / 2 || points->material != NULL || points->dt_each != NULL ? 1 : part / n;
    const int64_t at_a_time = w.parts < SUMS_AT_A_TIME ? SUMS_AT_A_TIME / w.parts : 1;
    const int64_t room = points->points < at_a_time ? points->points : at_a_time;
    SW_TRY(SW_ALLOCATE(w.sum, room * w.parts, "sums of points"));
    sw_status status = SW_OK;
    for (int64_t first = 0; first < points->points && status == SW_OK; first += at_a_time) {
        const int64_t left = points->points - first;
        status = step_some(&w, first, left < at_a_time ? left : at_a_time, failed);
    }
    free(w.sum);
    return status;
}
