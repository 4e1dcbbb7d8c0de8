/* Solver `grid`: all stored terms, folded at the step's theta, by inverse FFT to a table over the Euler
 * angles; each crystal interpolates in it, or takes the nearest entry. While theta stays the table is kept.
 */
#include <math.h>
#include <stdlib.h>

#include "common/response_table.h"
#include "solver.h"

typedef struct {
    sw_fold fold;
    sw_response_table table;
    double theta; /* of the table; NaN at first */
} grid_data;

static void close_grid(sw_response *response)
{
    grid_data *data = response->data;
    if (data == NULL)
        return;
    sw_fold_destroy(&data->fold);
    sw_response_table_destroy(&data->table);
    free(data);
}

static sw_status open_grid(sw_response *response)
{
    grid_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "grid solver"));
    response->data = data;
    data->theta = NAN;
    SW_TRY(sw_fold_create(response->database, response->database->n_terms, &data->fold));
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

static int evaluate_grid(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                         const float angle[3][SW_BUNDLE], float output[SW_OUTPUTS][SW_BUNDLE])
{
    const grid_data *data = response->data;
    (void)n, (void)orientation;
    sw_response_table_lookup(&data->table, response->linear, angle, output);
    return 0;
}

const sw_response_solver sw_grid_cpu = {.name = "grid",
                                        .device = SW_CPU,
                                        .needs_database = 1,
                                        .standard_refinement = 1,
                                        .open = open_grid,
                                        .close = close_grid,
                                        .prepare = prepare_grid,
                                        .evaluate = evaluate_grid};
