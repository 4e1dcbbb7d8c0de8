/* Solver `elastoplastic`: slip with small elastic strains, one implicit solution a step. A bundle of crystals
 * in SIMD lanes. */
#include "common/math/lanes_floats.h"

#include "elastoplastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "online/response/step/crystals.h"
#include "online/response/step/crystals_cuda.h"
#include "online/response/step/solver.h"

static void close_elastoplastic(sw_response *response) { free(response->data); }

static sw_status open_elastoplastic(sw_response *response)
{
    sw_elastoplastic_model *model;
    SW_TRY(SW_ALLOCATE(model, 1, "elastoplastic solver"));
    response->data = model;
    return sw_elastoplastic_prepare(response->material, model);
}

static double nanoseconds(const sw_response *response, int each)
{
    (void)each;
    return 20.0 * ((const sw_elastoplastic_model *)response->data)->slip.systems;
}

/* Each compiled for itself: what systems that resist alike take has nothing of the others. */
static __attribute__((noinline)) sw_mask step_alike(const sw_elastoplastic_model *model,
                                                    const sw_slip_step *step,
                                                    sw_elastoplastic_crystal *crystal, sw_real *slip_rate,
                                                    sw_real (*tangent)[5])
{
    sw_real iterations;
    return sw_elastoplastic(model, model->slip.systems, step, crystal, NULL, slip_rate, &iterations, tangent);
}

static __attribute__((noinline)) sw_mask step_families(const sw_elastoplastic_model *model,
                                                       const sw_slip_step *step,
                                                       sw_elastoplastic_crystal *crystal, sw_slip_state *slip,
                                                       sw_real *slip_rate, sw_real (*tangent)[5])
{
    sw_slip_state own = *slip;
    sw_real iterations;
    const sw_mask good =
        sw_elastoplastic(model, model->slip.systems, step, crystal, &own, slip_rate, &iterations, tangent);
    *slip = own;
    return good;
}

static unsigned advance(const sw_response *response, const sw_step *const *step, int n,
                        float state[4][SW_BUNDLE], float (*kept)[SW_BUNDLE], int tangent,
                        float (*number)[SW_BUNDLE])
{
    const sw_elastoplastic_model *model = response->data;
    const sw_slip_rates rates = sw_elastoplastic_rates(model, step[0]->duration);
    sw_slip_loading loading;
    const sw_slip_step own = sw_slip_step_of_lanes(&rates, step, &loading);
    const sw_slip_law *law = &model->slip.law;
    sw_slip_state slip;
    sw_elastoplastic_crystal crystal;
    sw_real euler[3], slip_rate, mean[SW_MEANS], slopes[SW_TANGENT_COLUMNS][5];
    memcpy(euler, state, sizeof euler);
    memcpy(&crystal.slip_resistance, state[3], sizeof crystal.slip_resistance);
    memcpy(crystal.stress, kept, sizeof crystal.stress);
    sw_slip_state_load(law, crystal.slip_resistance,
                       (const float(*)[SW_BUNDLE])(kept + SW_ELASTOPLASTIC_KEPT), &slip);
    memset(mean, 0, sizeof mean);
    memset(slopes, 0, sizeof slopes);
    sw_quaternion_from_euler(euler, crystal.orientation);
    sw_real(*const wanted)[5] = tangent ? slopes : NULL;
    const sw_mask made = law->systems > 0 ? step_families(model, &own, &crystal, &slip, &slip_rate, wanted)
                                          : step_alike(model, &own, &crystal, &slip_rate, wanted);
    const sw_mask good = made & sw_elastoplastic_is_number(&crystal);
    sw_elastoplastic_add(model, &own, &crystal, slip_rate, mean);
    sw_quaternion_to_euler(crystal.orientation, euler);
    memcpy(state, euler, sizeof euler);
    memcpy(state[3], &crystal.slip_resistance, sizeof crystal.slip_resistance);
    memcpy(kept, crystal.stress, sizeof crystal.stress);
    sw_slip_state_store(law, &slip, kept + SW_ELASTOPLASTIC_KEPT);
    mean[0] = sw_choose(good, mean[0], sw_broadcast(NAN));
    memcpy(number, mean, sizeof mean);
    if (tangent)
        memcpy(number + SW_MEANS, slopes, sizeof slopes);
    return sw_lanes_outside(good, n);
}

/* Stresses follow a deviator and, of crystals that are not cubic, a volume (stiffness.h). */
static sw_status heat(const sw_response *response, const double strain[3], sw_crystals *c)
{
    const sw_stiffness stiffness = sw_material_stiffness(response->material);
    const double trace = strain[0] + strain[1] + strain[2];
    float stress[5];
    for (int i = 0; i < 5; i++) {
        double sum = stiffness.to_pressure[i] * trace;
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 3; k++)
                sum += stiffness.c5[i][j] * sw_deviator_basis(j, k) * strain[k];
        stress[i] = (float)sum;
    }
    if (c->device == SW_CUDA)
        return sw_states_heat_cuda(stress, c->n, c->crystal, c->layout->numbers, c->state);
    for (int64_t i = 0; i < c->n; i++)
        sw_crystal_heat(stress, c->crystal[i].slip_resistance, c->state + i * c->layout->numbers);
    return SW_OK;
}

static const sw_state_field remembered[] = {{"elastic_stress", "Pa", SW_ELASTOPLASTIC_KEPT, 0}};
static const sw_solver_settings certified[] = {{0}};
/* Plane strain compression from random orientations; one NVIDIA H200, 2026-11-22. */
static const sw_solver_cost gpu_costs[] = {{.points = INT64_MAX, .seconds = 3.4e-10}};

extern const sw_solver_functions sw_elastoplastic_cuda;

const sw_solver sw_solver_elastoplastic = {.traits = {.name = "elastoplastic",
                                                      .has_history = 1,
                                                      .kept = SW_ELASTOPLASTIC_KEPT,
                                                      .has_holds = 1,
                                                      .on_gpu = 1},
                                           .state = {SW_ELASTOPLASTIC_KEPT, 1, remembered},
                                           .with_families = {SW_ELASTOPLASTIC_KEPT, 1, remembered},
                                           .certified = SW_SOLVER_TABLE(certified),
                                           .gpu_costs = SW_SOLVER_TABLE(gpu_costs),
                                           .heat = heat,
                                           .cpu = {.open = open_elastoplastic,
                                                   .close = close_elastoplastic,
                                                   .nanoseconds = nanoseconds,
                                                   .tangent = SW_TANGENT_OWN,
                                                   .advance = advance},
                                           .cuda = SW_SOLVER_ON_GPU(sw_elastoplastic_cuda)};
