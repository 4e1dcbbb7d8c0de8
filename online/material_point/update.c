/* sw_point_advance: states into crystals, their step, and back; nothing is written before all has an answer. */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"
#include "tangent.h"
#include "online/response/step/check.h"

typedef struct {
    const sw_point_model *model;
    const sw_point_update *update;
    int64_t points, n_crystals; /* P, P n */
    int tangent;                /* wanted */
    sw_point_motion *motion;    /* [P] */
    double (*gradient)[3][3];   /* [P] L, 1/s */
    sw_crystals crystals;       /* [P n] */
    float *weight;              /* [P n]; NULL: all alike */
    double (*stress)[6], *slip_resistance, *slip_rate, (*by_strain_rate)[6][6], (*by_spin)[6][3]; /* [P] */
} work;

static void release(work *w)
{
    void *const all[] = {w->motion,          w->gradient,  w->weight,         w->stress,
                         w->slip_resistance, w->slip_rate, w->by_strain_rate, w->by_spin};
    sw_crystals_release(&w->crystals);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static sw_status reserve(work *w)
{
    const char *what = "a step of points";
    const int64_t p = w->points;
    SW_TRY(SW_ALLOCATE(w->motion, p, what));
    SW_TRY(SW_ALLOCATE(w->gradient, p, what));
    SW_TRY(sw_crystals_make(w->model->response, w->n_crystals, &w->crystals));
    if (w->model->population.weight != NULL)
        SW_TRY(SW_ALLOCATE(w->weight, w->n_crystals, what));
    w->crystals.weight = w->weight;
    SW_TRY(SW_ALLOCATE(w->stress, p, what));
    SW_TRY(SW_ALLOCATE(w->slip_resistance, p, what));
    SW_TRY(SW_ALLOCATE(w->slip_rate, p, what));
    if (!w->tangent)
        return SW_OK;
    SW_TRY(SW_ALLOCATE(w->by_strain_rate, p, what));
    return SW_ALLOCATE(w->by_spin, p, what);
}

/* ---- Before the step ---- */

static const double *state_of(const work *w, int64_t point)
{
    return w->update->old_state + point * sw_point_model_state_numbers(w->model);
}

static sw_status check(const work *w)
{
    for (int64_t p = 0; p < w->points; p++)
        if (state_of(w, p)[SW_POINT_BEGUN] != 1)
            return sw_error(SW_ERR_RANGE,
                            "state of point %lld: begins with %g: need 1, as sw_point_begin sets it",
                            (long long)p, state_of(w, p)[SW_POINT_BEGUN]);
    return SW_OK;
}

/* Returns how many points have no step that can be made. */
static int64_t find_motions(work *w)
{
    const sw_point_update *u = w->update;
    int64_t failed = 0;
    for (int64_t p = 0; p < w->points; p++) {
        u->failed[p] = !sw_point_motion_of(u->old_gradient[p], u->new_gradient[p], u->dt,
                                           w->model->largest_strain_increment, &w->motion[p]);
        memcpy(w->gradient[p], w->motion[p].velocity_gradient, sizeof w->gradient[p]);
        failed += u->failed[p];
    }
    return failed;
}

static void unpack(work *w)
{
    const int64_t n = w->model->crystals, stride = sw_point_stride(w->model), kept = w->model->kept;
    for (int64_t k = 0; k < w->n_crystals; k++) {
        const double *own = state_of(w, k / n) + SW_POINT_CRYSTALS + k % n * stride;
        for (int i = 0; i < 3; i++)
            w->crystals.crystal[k].euler[i] = (float)own[i];
        w->crystals.crystal[k].slip_resistance = (float)own[3];
        for (int64_t i = 0; i < kept; i++)
            w->crystals.state[k * kept + i] = (float)own[4 + i];
        if (w->weight != NULL)
            w->weight[k] = w->model->population.weight[k % n];
    }
}

/* ---- The step ---- */

static sw_status step(work *w)
{
    const sw_points points = {.points = w->points,
                              .each = w->model->crystals,
                              .velocity_gradient = (const double(*)[3][3])w->gradient,
                              .dt = w->update->dt,
                              .from = &w->crystals,
                              .to = &w->crystals,
                              .stress = w->stress,
                              .slip_resistance = w->slip_resistance,
                              .slip_rate = w->slip_rate,
                              .by_strain_rate = w->by_strain_rate,
                              .by_spin = w->by_spin};
    const int threads = omp_get_max_threads(); /* of the calling thread alone */
    if (w->points == 1)
        omp_set_num_threads(1);
    const sw_status status = sw_response_step_each(w->model->response, &points);
    omp_set_num_threads(threads);
    return status;
}

/* Returns how many points have no answer. */
static int64_t find_failures(const work *w)
{
    int64_t failed = 0;
    for (int64_t p = 0; p < w->points; p++) {
        double sum = w->slip_resistance[p] + w->slip_rate[p];
        for (int i = 0; i < 6; i++)
            sum += w->stress[p][i];
        for (int i = 0; i < 36 && w->tangent; i++)
            sum += w->by_strain_rate[p][i / 6][i % 6];
        w->update->failed[p] = !isfinite(sum);
        failed += w->update->failed[p];
    }
    return failed;
}

/* ---- After it ---- */

static void write_state(const work *w, int64_t point)
{
    const int64_t n = w->model->crystals, stride = sw_point_stride(w->model), kept = w->model->kept;
    const double slip = state_of(w, point)[SW_POINT_SLIP];
    double *state = w->update->new_state + point * sw_point_model_state_numbers(w->model);
    state[SW_POINT_BEGUN] = 1;
    state[SW_POINT_SLIP_RESISTANCE] = w->slip_resistance[point];
    state[SW_POINT_SLIP_RATE] = w->slip_rate[point];
    state[SW_POINT_SLIP] = slip + w->slip_rate[point] * w->update->dt;
    for (int64_t k = 0; k < n; k++) {
        const sw_crystal *crystal = &w->crystals.crystal[point * n + k];
        double *own = state + SW_POINT_CRYSTALS + k * stride;
        for (int i = 0; i < 3; i++)
            own[i] = crystal->euler[i];
        own[3] = crystal->slip_resistance;
        for (int64_t i = 0; i < kept; i++)
            own[4 + i] = w->crystals.state[(point * n + k) * kept + i];
    }
}

static void write_tangents(const work *w, int64_t point, const double stress[6])
{
    const sw_point_update *u = w->update;
    sw_point_answer answer;
    double by_gradient[6][3][3];
    memcpy(answer.stress, w->stress[point], sizeof answer.stress);
    memcpy(answer.by_strain_rate, w->by_strain_rate[point], sizeof answer.by_strain_rate);
    memcpy(answer.by_spin, w->by_spin[point], sizeof answer.by_spin);
    sw_point_by_gradient(&w->motion[point], w->model->bulk_modulus, &answer, by_gradient);
    if (u->by_gradient != NULL)
        memcpy(u->by_gradient[point], by_gradient, sizeof by_gradient);
    if (u->by_strain != NULL)
        sw_point_by_strain((const double(*)[3][3])by_gradient, u->new_gradient[point], stress,
                           u->by_strain[point]);
}

static void write_all(const work *w)
{
    for (int64_t p = 0; p < w->points; p++) {
        double stress[6];
        sw_point_stress(&w->motion[p], w->model->bulk_modulus, w->stress[p], stress);
        if (w->tangent)
            write_tangents(w, p, stress);
        if (w->update->stress != NULL)
            memcpy(w->update->stress[p], stress, sizeof stress);
        if (w->update->new_state != NULL)
            write_state(w, p);
    }
}

static sw_status smaller_step(const work *w, int64_t failed)
{
    return sw_error(
        SW_ERR_CONVERGENCE,
        "%lld of %lld points: need a smaller step: dt = %g s, strains of at most %g, gradients that are "
        "numbers with det > 0, and crystals with an answer",
        (long long)failed, (long long)w->points, w->update->dt, w->model->largest_strain_increment);
}

static sw_status run(work *w)
{
    SW_TRY(check(w));
    SW_TRY(reserve(w));
    int64_t failed = find_motions(w);
    if (failed > 0)
        return smaller_step(w, failed);
    unpack(w);
    const sw_status status = step(w);
    if (status != SW_OK && status != SW_ERR_CONVERGENCE)
        return status;
    failed = find_failures(w);
    if (failed > 0 || status != SW_OK)
        return smaller_step(w, failed);
    write_all(w);
    return SW_OK;
}

/* What is written first; new_state may be old_state. */
static sw_status check_arrays(const sw_point_model *model, const sw_point_update *u)
{
    const size_t points = u->points > 0 ? (size_t)u->points : 0;
    const size_t state = points * (size_t)sw_point_model_state_numbers(model) * sizeof(double);
    const sw_extent array[] = {{"new_state", u->new_state, state},
                               {"stress", u->stress, points * sizeof *u->stress},
                               {"by_gradient", u->by_gradient, points * sizeof *u->by_gradient},
                               {"by_strain", u->by_strain, points * sizeof *u->by_strain},
                               {"failed", u->failed, points},
                               {"old_gradient", u->old_gradient, points * sizeof *u->old_gradient},
                               {"new_gradient", u->new_gradient, points * sizeof *u->new_gradient},
                               {"old_state", u->old_state == u->new_state ? NULL : u->old_state, state}};
    return sw_check_apart(5, sizeof array / sizeof *array, array);
}

sw_status sw_point_advance(const sw_point_model *model, const sw_point_update *update)
{
    sw_point_update own = *update;
    unsigned char one = 0, *flags = NULL;
    SW_TRY(check_arrays(model, update));
    const int64_t points = update->points;
    if (points < 0 || points > (INT64_C(1) << 44) / model->crystals)
        return sw_error(SW_ERR_RANGE, "%lld points: need 0 to 2^44 crystals", (long long)points);
    if (points == 0)
        return SW_OK;
    if (update->failed == NULL && points > 1)
        SW_TRY(SW_ALLOCATE(flags, points, "a step of points"));
    if (update->failed == NULL)
        own.failed = points > 1 ? flags : &one;
    work w = {.model = model,
              .update = &own,
              .points = points,
              .n_crystals = points * model->crystals,
              .tangent = update->by_gradient != NULL || update->by_strain != NULL};
    const sw_status status = run(&w);
    release(&w);
    free(flags);
    return status;
}
