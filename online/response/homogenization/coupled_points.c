#include "coupled_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "common/system/threads.h"
#include "online/response/step/check.h"

sw_status sw_coupled_check(const char *name, const sw_solver *solver, sw_device device)
{
    if (strcmp(solver->traits.name, "rigid_plastic") != 0)
        return sw_error(SW_ERR_UNAVAILABLE,
                        "homogenization = %s: goes with solver rigid_plastic, not with %s", name,
                        solver->traits.name);
    if (device == SW_CUDA)
        return sw_error(SW_ERR_UNAVAILABLE, "homogenization = %s: runs on the CPU only", name);
    return SW_OK;
}

/* ---- A crystal ---- */

void sw_coupled_load(const sw_response *response, const sw_crystals *from, int64_t i,
                     sw_coupled_systems *systems, sw_coupled *c)
{
    const sw_slip_law *law = &sw_rigid_plastic_model_of(response)->slip.law;
    const sw_crystal *crystal = &from->crystal[i];
    const double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]};
    const float *number = from->state != NULL ? from->state + i * from->layout->numbers : NULL;
    memset(c, 0, sizeof *c);
    sw_quaternion_from_euler(euler, c->q);
    memcpy(c->begun, c->q, sizeof c->begun);
    c->s = crystal->slip_resistance > 0 ? crystal->slip_resistance : NAN;
    c->systems = systems;
    if (systems == NULL)
        return;
    for (int k = 0; k < 5; k++)
        c->x[k] = number[k];
    sw_slip_state_load(law, c->s, (const float(*)[1])(number + 5), &systems->state);
}

void sw_coupled_store(const sw_response *response, const sw_coupled *c, const sw_crystals *to, int64_t i)
{
    const sw_slip_law *law = &sw_rigid_plastic_model_of(response)->slip.law;
    float *number = to->state != NULL ? to->state + i * to->layout->numbers : NULL;
    double euler[3];
    sw_euler_from_quaternion(c->q, euler);
    for (int k = 0; k < 3; k++)
        to->crystal[i].euler[k] = (float)euler[k];
    to->crystal[i].slip_resistance = (float)c->s;
    for (int k = 0; k < 5 && c->systems != NULL; k++)
        number[k] = (float)c->x[k];
    if (c->systems != NULL)
        sw_slip_state_store(law, &c->systems->state, (float(*)[1])(number + 5));
}

/* ---- A step ---- */

/* Of D', W and dt; 0: what it says is no number, or too much for a step. */
static int step_of(const sw_coupled_work *w, int64_t point, sw_coupled_step *step)
{
    const sw_points *p = w->points;
    const sw_rigid_plastic_model *model = sw_rigid_plastic_model_of(w->response);
    const double(*l)[3] = p->velocity_gradient[point], trace = l[0][0] + l[1][1] + l[2][2];
    double d[3][3], turn = 0;
    *step = (sw_coupled_step){.model = model,
                              .hardening = p->material != NULL ? &p->material[point]->hardening
                                                               : &w->response->material->hardening,
                              .rate = sw_strain_rate_deviator(l, d),
                              .duration = p->dt_each != NULL ? p->dt_each[point] : p->dt};
    for (int k = 0; k < 9; k++)
        step->l[k / 3][k % 3] = l[k / 3][k % 3] - (k % 4 == 0 ? trace / 3 : 0);
    for (int k = 0; k < 6; k++)
        step->d[k] = d[sw_six_row(k)][sw_six_column(k)];
    for (int i = 0; i < 3; i++) {
        step->spin[i] = 0.5 * (l[(i + 2) % 3][(i + 1) % 3] - l[(i + 1) % 3][(i + 2) % 3]);
        turn += step->spin[i] * step->spin[i];
    }
    step->unit = pow(step->rate / model->reference_rate, model->rate_sensitivity);
    return sqrt(turn) * step->duration <= SW_TURN_MAX && step->rate < 1e30 &&
           step->rate * step->duration <= SW_STEP_STRAIN_MOST;
}

sw_coupled_step sw_coupled_step_aside(const sw_coupled_step *step, int column)
{
    sw_coupled_step aside = *step;
    double square = 0;
    for (int k = 0; k < 6; k++) {
        const double by = SW_COUPLED_ASIDE * step->rate * sw_deviator_basis(column, k);
        aside.d[k] += by;
        aside.l[sw_six_row(k)][sw_six_column(k)] += by;
        if (k > 2)
            aside.l[sw_six_column(k)][sw_six_row(k)] += by;
        square += (k < 3 ? 1 : 2) * aside.d[k] * aside.d[k];
    }
    aside.rate = sqrt(square);
    aside.unit = step->unit * pow(aside.rate / step->rate, step->model->rate_sensitivity);
    return aside;
}

void sw_coupled_stress_vector(const double stress[5], double vector[5])
{
    const double six[6] = {stress[0], stress[1], -stress[0] - stress[1], stress[4], stress[3], stress[2]};
    sw_deviator_vector_of(six, vector);
}

/* A lattice after q, which goes with the sample. */
static void turn(const double q[4], sw_crystal *crystal)
{
    double euler[3] = {crystal->euler[0], crystal->euler[1], crystal->euler[2]}, own[4], turned[4];
    sw_quaternion_from_euler(euler, own);
    sw_quaternion_product(q, own, turned);
    sw_euler_from_quaternion(turned, euler);
    for (int k = 0; k < 3; k++)
        crystal->euler[k] = (float)euler[k];
}

int64_t sw_coupled_rest(const sw_coupled_work *w, const sw_coupled_step *step, int64_t first, int64_t n,
                        double sum[SW_POINT_SUMS])
{
    const sw_points *p = w->points;
    double by[3], q[4];
    for (int64_t i = first; i < first + n; i++) {
        const double weight = sw_weight_of(p->from->weight, i);
        sum[SW_SUM_RESISTANCE] += weight * p->from->crystal[i].slip_resistance;
        sum[SW_POINT_WEIGHT] += weight;
    }
    if (p->to == NULL)
        return 0;
    const int64_t k = p->to->layout->numbers;
    if (p->to->crystal != p->from->crystal)
        memcpy(p->to->crystal + first, p->from->crystal + first, (size_t)n * sizeof *p->to->crystal);
    if (p->to->state != p->from->state)
        memcpy(p->to->state + first * k, p->from->state + first * k, (size_t)(n * k) * sizeof *p->to->state);
    for (int i = 0; i < 3; i++)
        by[i] = step->spin[i] * step->duration;
    sw_quaternion_from_turn(by, q);
    for (int64_t i = first; i < first + n && by[0] * by[0] + by[1] * by[1] + by[2] * by[2] > 0; i++)
        turn(q, &p->to->crystal[i]);
    return 0;
}

/* ---- All points ---- */

/* Part `part` of a point. */
static int64_t step_part(const sw_coupled_work *w, sw_coupled_stepper *stepper, int64_t point, int64_t part,
                         int64_t together, double *sum)
{
    const int64_t each = w->points->each, first = part * together,
                  n = each - first < together ? each - first : together;
    sw_coupled_step step;
    if (!step_of(w, point, &step)) {
        sum[SW_POINT_WEIGHT] = NAN;
        return n;
    }
    return stepper(w, point, &step, first, n, sum);
}

/* Parts of points, and their sums [points][parts]. */
static sw_status step_all(const sw_coupled_work *w, sw_coupled_stepper *stepper, int64_t together,
                          int64_t parts, double (*sum)[SW_POINT_SUMS], int64_t *failed)
{
    const int64_t all = w->points->points * parts,
                  some = together < w->points->each ? together : w->points->each;
    const double nanoseconds = (double)some * 400.0 * sw_rigid_plastic_model_of(w->response)->slip.systems;
    int64_t without = 0;
    int missing = 0, stopped = 0;
    /* a polycrystal alone has the threads to itself, inside */
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : without, missing, stopped) \
    num_threads(all > 1 ? sw_threads_for(all, nanoseconds) : 1)
    for (int64_t k = 0; k < all; k++) {
        if (stopped || (w->tangent && sw_interrupt_check() != SW_OK)) {
            stopped = 1;
            continue;
        }
        const int64_t none = step_part(w, stepper, k / parts, k % parts, together, sum[k]);
        missing += none < 0;
        without += none > 0 ? none : 0;
        if (none > 0)
            sum[k][SW_POINT_WEIGHT] = NAN;
    }
    *failed += without;
    return stopped   ? sw_interrupt_check()
           : missing ? sw_error(SW_ERR_MEMORY, "no memory for coupled crystals")
                     : SW_OK;
}

/* The sums of a point's parts, into the first. */
static void gather(int64_t parts, double (*sum)[SW_POINT_SUMS])
{
    for (int64_t part = 1; part < parts; part++)
        for (int i = 0; i < SW_POINT_SUMS; i++)
            sum[0][i] += sum[part][i];
}

static sw_status sums_of(const sw_coupled_work *w, sw_coupled_stepper *stepper, int64_t together,
                         double (**sum)[SW_POINT_SUMS], int64_t *parts, int64_t *failed)
{
    const int64_t each = w->points->each > 0 ? w->points->each : 1, own = together > 0 ? together : each;
    *parts = (each + own - 1) / own;
    SW_TRY(SW_ALLOCATE(*sum, w->points->points * *parts, "sums of points"));
    SW_TRY(step_all(w, stepper, own, *parts, *sum, failed));
    for (int64_t p = 0; p < w->points->points; p++)
        gather(*parts, *sum + p * *parts);
    return SW_OK;
}

sw_status sw_coupled_points(sw_response *response, const sw_points *points, sw_coupled_stepper *stepper,
                            int64_t together, int64_t *failed)
{
    const sw_coupled_work w = {.response = response,
                               .points = points,
                               .tangent = points->by_strain_rate != NULL || points->by_spin != NULL};
    const sw_point_results to = {.stress = points->stress,
                                 .slip_resistance = points->slip_resistance,
                                 .slip_rate = points->slip_rate,
                                 .by_strain_rate = points->by_strain_rate,
                                 .by_spin = points->by_spin,
                                 .symmetric = points->symmetric};
    double(*sum)[SW_POINT_SUMS] = NULL;
    int64_t parts = 1;
    const sw_status status = sums_of(&w, stepper, together, &sum, &parts, failed);
    for (int64_t p = 0; p < points->points && status == SW_OK; p++) {
        *failed += !(sum[p * parts][SW_POINT_WEIGHT] > 0) && !isnan(sum[p * parts][SW_POINT_WEIGHT]);
        for (int result = 0; result < SW_POINT_RESULTS; result++)
            sw_point_finish(sum[p * parts], p, result, &to);
    }
    free(sum);
    return status;
}

static void average_of(const double *sum, sw_response_average *average)
{
    const double over = 1 / sum[SW_POINT_WEIGHT];
    const double six[6] = {sum[0], sum[1], -sum[0] - sum[1], sum[4], sum[3], sum[2]};
    for (int k = 0; k < 9; k++)
        average->cauchy_stress[k / 3][k % 3] = over * six[sw_six_of(k / 3, k % 3)];
    average->slip_resistance = over * sum[SW_SUM_RESISTANCE];
    average->slip_rate = over * sum[SW_SUM_SLIP_RATE];
}

sw_status sw_coupled_advance(sw_response *response, const double velocity_gradient[3][3], double dt,
                             const sw_crystals *from, const sw_crystals *to, sw_coupled_stepper *stepper,
                             int64_t together, sw_response_average *average)
{
    double gradient[1][3][3], (*sum)[SW_POINT_SUMS] = NULL;
    memcpy(gradient, velocity_gradient, sizeof gradient);
    const sw_points points = {.points = 1,
                              .each = from->n,
                              .velocity_gradient = (const double(*)[3][3])gradient,
                              .dt = dt,
                              .from = from,
                              .to = to};
    const sw_coupled_work w = {.response = response,
                               .points = &points,
                               .of_begin = 1,
                               .of_all = sw_parallel_size() > 1,
                               .before = sw_parallel_before(from->n)};
    int64_t parts, failed = 0;
    sw_status status = sw_parallel_agree(sums_of(&w, stepper, together, &sum, &parts, &failed));
    if (status == SW_OK) {
        sw_parallel_sums_in_order(*sum, SW_POINT_SUMS);
        sw_parallel_sum_counts(&failed, 1);
    }
    if (status == SW_OK)
        status = sw_check_failures(failed);
    if (status == SW_OK)
        status = sw_check_weights((*sum)[SW_POINT_WEIGHT]);
    if (status == SW_OK)
        average_of(*sum, average);
    free(sum);
    return status;
}
