/* Solver `polish`: the slip law itself, solved by Newton's method from near the best vertex of the yield
 * surface. No database and no elastic strains. A bundle of crystals in SIMD lanes. */
#include "common/math/lanes_float16.h"

#include "polish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "online/response/step/solver.h"

typedef struct {
    sw_polish_model model;
    double theta; /* rad */
} polish_data;

sw_status sw_polish_prepare(const sw_material *material, sw_polish_model *model)
{
    const double m = material->slip.rate_sensitivity, v0 = material->slip.reference_slip_rate;
    const double scale = pow(v0, -m);
    const sw_slip_systems *systems = sw_slip_systems_of(material->crystal_structure);
    double schmid[SW_SLIP_SYSTEMS_MAX][5], spin[SW_SLIP_SYSTEMS_MAX][3], (*vertex)[5];
    if (!(m >= SW_POLISH_RATE_SENSITIVITY_MIN && m <= 1))
        return sw_error(SW_ERR_RANGE, "solver = polish: rate_sensitivity = %g: need %g <= m <= 1", m,
                        SW_POLISH_RATE_SENSITIVITY_MIN);
    if (!(v0 > 0 && scale > 1e-30 && scale < 1e30))
        return sw_error(SW_ERR_RANGE,
                        "solver = polish: reference_slip_rate = %g: need v0^-m = %g from 1e-30 to 1e30", v0,
                        scale);
    SW_TRY(SW_ALLOCATE(vertex, SW_YIELD_VERTICES_MAX, "vertices of the yield surface"));
    const sw_status status = sw_yield_vertices(systems, vertex, &model->slip.vertices);
    sw_schmid_vectors(systems, schmid, spin);
    model->systems = systems->count;
    model->stress_scale = (float)scale;
    model->tolerance = (float)fmax(1e-4, 6e-7 / m);
    sw_slip_set_exponent(1 / m, &model->slip);
    for (int a = 0; a < systems->count; a++) {
        for (int i = 0; i < 5; i++)
            model->slip.schmid[a][i] = (float)schmid[a][i];
        for (int i = 0; i < 3; i++)
            model->slip.spin[a][i] = (float)spin[a][i];
    }
    for (int v = 0; status == SW_OK && v < model->slip.vertices; v++)
        for (int i = 0; i < 5; i++)
            model->slip.vertex[v][i] = (float)vertex[v][i];
    free(vertex);
    return status;
}

static void close_polish(sw_response *response) { free(response->data); }

static sw_status open_polish(sw_response *response)
{
    polish_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "polish solver"));
    response->data = data;
    return sw_polish_prepare(response->material, &data->model);
}

static sw_status prepare_polish(sw_response *response, double theta)
{
    polish_data *data = response->data;
    data->theta = theta;
    return SW_OK;
}

static sw_status ready_each(sw_response *response)
{
    (void)response;
    return SW_OK;
}

static int evaluate_each(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                         const float angle[3][SW_BUNDLE], const float theta[SW_BUNDLE],
                         float output[SW_OUTPUTS][SW_BUNDLE])
{
    const polish_data *data = response->data;
    sw_real q[4], turns, lambda[3], answer[SW_OUTPUTS];
    int failed = 0;
    (void)angle;
    memcpy(q, orientation, sizeof q);
    memcpy(&turns, theta, sizeof turns);
    sw_polish_principal_values(turns, lambda);
    const sw_mask good = sw_polish(&data->model, data->model.systems, lambda, q, answer);
    memcpy(output, answer, sizeof answer);
    for (int lane = 0; lane < n; lane++)
        failed += !sw_mask_lane(good, lane);
    return failed;
}

static int evaluate_polish(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                           const float angle[3][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    const polish_data *data = response->data;
    float theta[SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        theta[lane] = (float)(data->theta / (2 * SW_PI));
    return evaluate_each(response, n, orientation, angle, theta, output);
}

const sw_response_solver sw_polish_cpu = {.name = "polish",
                                          .device = SW_CPU,
                                          .open = open_polish,
                                          .close = close_polish,
                                          .prepare = prepare_polish,
                                          .evaluate = evaluate_polish,
                                          .ready_each = ready_each,
                                          .evaluate_each = evaluate_each};
