/* Solver `grid`: all stored terms, folded at the step's theta, by inverse FFT to a table over the Euler
 * angles, kept while theta stays; each crystal interpolates in it, or takes the nearest entry. */
#include "common/math/lanes_floats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/database/table_turn.h"
#include "online/response/step/solver.h"

typedef struct {
    sw_fold fold;
    sw_response_table table;
    double theta;            /* of the table; NaN at first */
    int64_t layers;          /* of `each`: the database's points of theta; 0 before */
    sw_response_table *each; /* [layers] for crystals with a theta each: the same table at each point */
} grid_data;

static void close_grid(sw_response *response)
{
    grid_data *data = response->data;
    if (data == NULL)
        return;
    sw_fold_destroy(&data->fold);
    sw_response_table_destroy(&data->table);
    for (int64_t i = 0; i < data->layers; i++)
        sw_response_table_destroy(&data->each[i]);
    free(data->each);
    free(data);
}

static sw_status open_grid(sw_response *response)
{
    grid_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "grid solver"));
    response->data = data;
    data->theta = NAN;
    SW_TRY(sw_fold_create(response->database, response->database->n_pairs, &data->fold));
    return sw_response_table_create(response->database, response->refinement, &data->table);
}

static sw_status prepare_grid(sw_response *response, double theta)
{
    grid_data *data = response->data;
    if (data->theta == theta)
        return SW_OK;
    sw_fold_at(&data->fold, theta);
    sw_response_table_fill(&data->table, &data->fold);
    data->theta = theta;
    return SW_OK;
}

static unsigned evaluate_grid(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                              float (*output)[SW_BUNDLE])
{
    const grid_data *data = response->data;
    (void)n;
    sw_response_table_lookup(&data->table, response->linear, response->planes ? SW_OUTPUTS_MOST : SW_OUTPUTS,
                             orientation, output);
    return 0;
}

static double nanoseconds(const sw_response *response, int each)
{
    (void)response;
    return each ? 30 : 10;
}

static sw_status ready_each(sw_response *response)
{
    grid_data *data = response->data;
    const int64_t layers = response->database->shape[3];
    if (data->each == NULL)
        SW_TRY(SW_ALLOCATE(data->each, layers, "response tables"));
    for (; data->layers < layers; data->layers++) {
        sw_response_table *layer = &data->each[data->layers];
        SW_TRY(sw_response_table_create(response->database, response->refinement, layer));
        sw_fold_at(&data->fold, 2 * SW_PI * (double)data->layers / (double)layers);
        sw_response_table_fill(layer, &data->fold);
        sw_response_table_trim(layer);
    }
    return SW_OK;
}

/* Nearest layer, nearest entry. */
static void look_up_nearest(const grid_data *data, const float orientation[4][SW_BUNDLE],
                            const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    const sw_response_table *table[SW_BUNDLE];
    for (int lane = 0; lane < SW_BUNDLE; lane++)
        table[lane] = &data->each[(int64_t)rintf(theta[lane] * (float)data->layers) % data->layers];
    sw_response_table_lookup_each(table, 0, orientation, output);
}

/* Interpolated; slope: or NULL. */
static inline void look_up(const grid_data *data, const float orientation[4][SW_BUNDLE],
                           const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE],
                           float (*slope)[SW_SLOPED][SW_BUNDLE])
{
    sw_table_layers layers[SW_BUNDLE];
    int count = 2;
    sw_real sum[SW_OUTPUTS], change[SW_OUTPUTS], steep[SW_SLOPES][SW_SLOPED];
    memset(sum, 0, sizeof sum);
    memset(change, 0, sizeof change);
    memset(steep, 0, sizeof steep);
    for (int lane = 0; lane < SW_BUNDLE; lane++) {
        layers[lane] = lane > 0 && theta[lane] == theta[lane - 1]
                           ? layers[lane - 1]
                           : sw_table_layers_at(theta[lane], (int)data->layers);
        count = layers[lane].count > count ? layers[lane].count : count;
    }
    for (int k = 0; k < count; k++) {
        const sw_response_table *table[SW_BUNDLE];
        int axis[SW_BUNDLE];
        sw_real weight, by_theta, turning, value[SW_OUTPUTS], slopes[SW_SLOPES - 1][SW_SLOPED];
        float answer[SW_OUTPUTS][SW_BUNDLE], turned[SW_SLOPES - 1][SW_SLOPED][SW_BUNDLE];
        for (int lane = 0; lane < SW_BUNDLE; lane++) {
            table[lane] = &data->each[layers[lane].layer[k]];
            axis[lane] = layers[lane].axis[k];
            weight[lane] = layers[lane].weight[k];
            by_theta[lane] = layers[lane].by_theta[k];
            turning[lane] = layers[lane].turning[k];
        }
        if (count == 2 && slope == NULL)
            sw_response_table_lookup_each(table, 1, orientation, answer);
        else
            sw_response_table_turned(table, axis, orientation, answer, slope != NULL ? turned : NULL);
        memcpy(value, answer, sizeof value);
        for (int c = 0; c < SW_OUTPUTS; c++) {
            sum[c] += weight * value[c];
            change[c] += by_theta * value[c];
        }
        if (slope == NULL)
            continue;
        memcpy(slopes, turned, sizeof slopes);
        for (int j = 0; j < (SW_SLOPES - 1) * SW_SLOPED; j++)
            steep[j / SW_SLOPED + 1][j % SW_SLOPED] += turning * slopes[j / SW_SLOPED][j % SW_SLOPED];
    }
    memcpy(output, sum, sizeof sum);
    if (slope == NULL)
        return;
    sw_table_stress(change, steep[0]);
    steep[0][5] = change[8];
    memcpy(slope, steep, sizeof steep);
}

static unsigned evaluate_each(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                              const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    (void)n;
    if (response->linear)
        look_up(response->data, orientation, theta, output, NULL);
    else
        look_up_nearest(response->data, orientation, theta, output);
    return 0;
}

static unsigned evaluate_slopes(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                                const float theta[SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE],
                                float slope[SW_SLOPES][SW_SLOPED][SW_BUNDLE])
{
    (void)n;
    look_up(response->data, orientation, theta, output, slope);
    return 0;
}

static const sw_solver_settings certified[] = {{.refinement = 1, .nearest = 1},
                                               {.refinement = 2, .nearest = 1},
                                               {.refinement = 4, .nearest = 1},
                                               {.refinement = 1},
                                               {.refinement = 2}};

static const sw_solver_cost gpu_costs[] = {
    {.nearest = 1, .points = 256, .seconds = 1.5e-11},
    {.nearest = 1, .points = INT64_MAX, .seconds = 2.2e-11}, /* of 512 */
    {.points = 64, .seconds = 1.9e-11},
    {.points = 128, .seconds = 2.7e-11},
    {.points = INT64_MAX, .seconds = 3.3e-11}, /* of 256 */
};

extern const sw_solver_functions sw_grid_cuda;

const sw_solver sw_solver_grid = {.traits = {.name = "grid",
                                             .needs_database = 1,
                                             .standard_refinement = 1,
                                             .has_interpolation = 1,
                                             .on_gpu = 1},
                                  .has_planes = 1,
                                  .certified = SW_SOLVER_TABLE(certified),
                                  .gpu_costs = SW_SOLVER_TABLE(gpu_costs),
                                  .cpu = {.open = open_grid,
                                          .close = close_grid,
                                          .prepare = prepare_grid,
                                          .ready_each = ready_each,
                                          .nanoseconds = nanoseconds,
                                          .evaluate = evaluate_grid,
                                          .evaluate_each = evaluate_each,
                                          .evaluate_slopes = evaluate_slopes,
                                          .tangent = SW_TANGENT_OF_TABLE},
                                  .cuda = SW_SOLVER_ON_GPU(sw_grid_cuda)};
