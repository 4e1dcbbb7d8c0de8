/* Solver `rigid_plastic`: the slip law itself, solved by Newton's method from near the best vertex of the yield
 * surface. No database and no elastic strains. A bundle of crystals in SIMD lanes. */
#include "common/math/lanes_floats.h"

#include "rigid_plastic_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "online/response/step/solver.h"

typedef struct {
    sw_rigid_plastic_model model;
    double theta; /* rad */
} rigid_plastic_data;

const sw_rigid_plastic_model *sw_rigid_plastic_model_of(const sw_response *response)
{
    return &((const rigid_plastic_data *)response->data)->model;
}

static void close_rigid_plastic(sw_response *response) { free(response->data); }

static sw_status open_rigid_plastic(sw_response *response)
{
    rigid_plastic_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "rigid_plastic solver"));
    response->data = data;
    return sw_rigid_plastic_prepare_for(response, &data->model);
}

static sw_status prepare_rigid_plastic(sw_response *response, double theta)
{
    rigid_plastic_data *data = response->data;
    data->theta = theta;
    return SW_OK;
}

static double nanoseconds(const sw_response *response, int each)
{
    const rigid_plastic_data *data = response->data;
    (void)each;
    return 16.0 * data->model.slip.systems;
}

static sw_status ready_each(sw_response *response)
{
    (void)response;
    return SW_OK;
}

static unsigned evaluate_each(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                              const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    const rigid_plastic_data *data = response->data;
    sw_real q[4], turns, lambda[3], answer[SW_OUTPUTS];
    memcpy(q, orientation, sizeof q);
    memcpy(&turns, theta, sizeof turns);
    sw_rigid_plastic_principal_values(turns, lambda);
    const sw_mask good = sw_rigid_plastic(&data->model, data->model.slip.systems, lambda, q, answer);
    memcpy(output, answer, sizeof answer);
    return sw_lanes_outside(good, n);
}

static unsigned evaluate_rigid_plastic(const sw_response *response, int n,
                                       const float orientation[4][SW_BUNDLE],
                                       float output[SW_OUTPUTS][SW_BUNDLE])
{
    const rigid_plastic_data *data = response->data;
    float theta[SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        theta[lane] = (float)(data->theta / (2 * SW_PI));
    return evaluate_each(response, n, orientation, theta, output);
}

/* Each compiled for itself. */
static __attribute__((noinline)) sw_mask step_alike(const sw_rigid_plastic_model *model,
                                                    const sw_slip_step *step, sw_real q[4], sw_real *s,
                                                    sw_real mean[SW_MEANS], sw_real (*tangent)[5])
{
    return sw_rigid_plastic_advance(model, model->slip.systems, step, q, s, NULL, mean, tangent);
}

static __attribute__((noinline)) sw_mask step_families(const sw_rigid_plastic_model *model,
                                                       const sw_slip_step *step, sw_real q[4], sw_real *s,
                                                       sw_rigid_plastic_state *state, sw_real mean[SW_MEANS],
                                                       sw_real (*tangent)[5])
{
    sw_rigid_plastic_state own = *state;
    const sw_mask good =
        sw_rigid_plastic_advance(model, model->slip.systems, step, q, s, &own, mean, tangent);
    *state = own;
    return good;
}

static unsigned advance(const sw_response *response, const sw_step *const *step, int n,
                        float state[4][SW_BUNDLE], float (*kept)[SW_BUNDLE], int tangent,
                        float (*number)[SW_BUNDLE])
{
    const sw_rigid_plastic_model *model = &((const rigid_plastic_data *)response->data)->model;
    const sw_slip_rates rates = sw_rigid_plastic_rates(model);
    sw_slip_loading loading;
    const sw_slip_step own = sw_slip_step_of_lanes(&rates, step, &loading);
    const sw_slip_law *law = &model->slip.law;
    sw_rigid_plastic_state own_state, *const systems = law->systems > 0 ? &own_state : NULL;
    sw_real euler[3], q[4], s, mean[SW_MEANS], slopes[SW_TANGENT_COLUMNS][5];
    memcpy(euler, state, sizeof euler);
    memcpy(&s, state[3], sizeof s);
    sw_quaternion_from_euler(euler, q);
    if (systems != NULL) {
        memcpy(systems->x, kept, sizeof systems->x);
        sw_slip_state_load(law, s, (const float(*)[SW_BUNDLE])(kept + 5), &systems->slip);
    }
    sw_real(*const wanted)[5] = tangent ? slopes : NULL;
    const sw_mask good = systems != NULL ? step_families(model, &own, q, &s, systems, mean, wanted)
                                         : step_alike(model, &own, q, &s, mean, wanted);
    if (systems != NULL) {
        memcpy(kept, systems->x, sizeof systems->x);
        sw_slip_state_store(law, &systems->slip, kept + 5);
    }
    sw_quaternion_to_euler(q, euler);
    memcpy(state, euler, sizeof euler);
    memcpy(state[3], &s, sizeof s);
    mean[0] = sw_choose(good, mean[0], sw_broadcast(NAN));
    memcpy(number, mean, sizeof mean);
    if (tangent)
        memcpy(number + SW_MEANS, slopes, sizeof slopes);
    return sw_lanes_outside(good, n);
}

static const sw_state_field remembered[] = {{"stress", "s (r/v0)^m", 5, 0}};
static const sw_solver_settings certified[] = {{0}};
static const sw_solver_cost gpu_costs[] = {{.points = INT64_MAX, .seconds = 2.4e-10}};

extern const sw_solver_functions sw_rigid_plastic_cuda;

const sw_solver sw_solver_rigid_plastic = {
    .traits = {.name = "rigid_plastic", .has_iterations = 1, .on_gpu = 1},
    .with_families = {5, 1, remembered},
    .certified = SW_SOLVER_TABLE(certified),
    .gpu_costs = SW_SOLVER_TABLE(gpu_costs),
    .cpu = {.open = open_rigid_plastic,
            .close = close_rigid_plastic,
            .prepare = prepare_rigid_plastic,
            .ready_each = ready_each,
            .nanoseconds = nanoseconds,
            .evaluate = evaluate_rigid_plastic,
            .evaluate_each = evaluate_each,
            .tangent = SW_TANGENT_OWN,
            .advance = advance},
    .cuda = SW_SOLVER_ON_GPU(sw_rigid_plastic_cuda)};
