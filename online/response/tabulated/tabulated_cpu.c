/* Solver `tabulated`: tabulated.h says what it is. */
#include "online/response/step/solver.h"
#include "tabulated.h"

static sw_status open_tabulated(sw_response *response)
{
    sw_tabulated *t;
    const sw_status status = sw_tabulated_open(response->material, response->refinement, &t);
    response->data = t;
    return status;
}

static void close_tabulated(sw_response *response) { sw_tabulated_close(response->data); }

static sw_status prepare_tabulated(sw_response *response, double theta)
{
    return sw_tabulated_fill(response->data, theta);
}

static unsigned evaluate_tabulated(const sw_response *response, int n, const float orientation[4][SW_BUNDLE],
                                   float (*output)[SW_BUNDLE])
{
    const sw_tabulated *t = response->data;
    (void)n;
    sw_response_table_lookup(&t->table, response->linear, response->planes ? SW_OUTPUTS_MOST : SW_OUTPUTS,
                             orientation, output);
    return 0;
}

static double nanoseconds(const sw_response *response, int each)
{
    (void)response, (void)each;
    return 10;
}

static const sw_solver_settings certified[] = {
    {.refinement = 1}, {.refinement = 2}, {.refinement = 4, .nearest = 1}, {.refinement = 4}};

/* Those of `grid` with 256 points a turn: the same look-up. */
static const sw_solver_cost gpu_costs[] = {{.nearest = 1, .points = INT64_MAX, .seconds = 1.9e-11},
                                           {.points = INT64_MAX, .seconds = 3.3e-11}};

extern const sw_solver_functions sw_tabulated_cuda;

const sw_solver sw_solver_tabulated = {.traits = {.name = "tabulated",
                                                  .standard_refinement = SW_TABULATED_REFINEMENT,
                                                  .has_interpolation = 1,
                                                  .on_gpu = 1},
                                       .has_planes = 1,
                                       .certified = SW_SOLVER_TABLE(certified),
                                       .gpu_costs = SW_SOLVER_TABLE(gpu_costs),
                                       .cpu = {.open = open_tabulated,
                                               .close = close_tabulated,
                                               .prepare = prepare_tabulated,
                                               .ready_each = sw_tabulated_refuse_each,
                                               .nanoseconds = nanoseconds,
                                               .evaluate = evaluate_tabulated},
                                       .cuda = SW_SOLVER_ON_GPU(sw_tabulated_cuda)};
