/* Solver `grid` on a GPU: grid_cpu.c says what it is. */
#include "online/response/points/look_up_kernel.cuh"
#include "packed_kernel.cuh"
#include "table_view.cuh"

static sw_status open_grid(sw_response *response)
{
    sw_table_cuda *table = NULL;
    const sw_status status =
        sw_table_open_cuda(response->database, response->refinement, response->linear, &table);
    response->data = table;
    return status;
}

static void close_grid(sw_response *response) { sw_table_close_cuda((sw_table_cuda *)response->data); }

static sw_status prepare_grid(sw_response *response, double theta)
{
    return sw_table_prepare_cuda((sw_table_cuda *)response->data, theta);
}

static sw_status ready_each(sw_response *response)
{
    return sw_table_each_cuda((sw_table_cuda *)response->data);
}

template <class Finish>
static sw_status launch_grid(sw_response *response, const sw_step_launch *launch, const sw_step *step,
                             const sw_shared_frame &frame, const Finish &finish, int64_t n,
                             const sw_crystal *crystal)
{
    const sw_table_view table = sw_table_view_cuda((const sw_table_cuda *)response->data);
    if (response->linear)
        return sw_step_launch_crystals(response, launch, step, frame, sw_interpolated_entry{table}, finish, n,
                                       crystal);
    return sw_step_launch_crystals(response, launch, step, frame, sw_nearest_entry{table}, finish, n,
                                   crystal);
}

template <class Finish>
static sw_status launch_grid(sw_response *response, const sw_step_launch *launch, const sw_step *step,
                             const sw_own_frame &frame, const Finish &finish, int64_t n,
                             const sw_crystal *crystal)
{
    const sw_entry_each lookup = {sw_table_view_cuda((const sw_table_cuda *)response->data),
                                  response->linear};
    return sw_step_launch_crystals(response, launch, step, frame, lookup, finish, n, crystal);
}

SW_STEP_LAUNCHES_OF_DATABASE(launch_grid)

static sw_status launch_any_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                                 const sw_crystals *to, double *partial, double *sums, void *stream)
{
    if (from->packed.word == NULL)
        return launch_step(response, step, from, to, partial, sums, stream);
    return sw_packed_launch_step(response, sw_table_view_cuda((const sw_table_cuda *)response->data), step,
                                 from, to, partial, sums, stream);
}

static sw_status launch_points(sw_response *response, const sw_points_launch *launch)
{
    const sw_table_view table = sw_table_view_cuda((const sw_table_cuda *)response->data);
    const sw_point_look_up<sw_entry_each> work = {{table, response->linear},
                                                  (float)response->material->slip.rate_sensitivity};
    return sw_points_launch_work(response, launch, work);
}

extern "C" const sw_solver_functions sw_grid_cuda = {.open = open_grid,
                                                     .close = close_grid,
                                                     .prepare = prepare_grid,
                                                     .ready_each = ready_each,
                                                     .launch_step = launch_any_step,
                                                     .launch_evaluate = launch_evaluate,
                                                     .tangent = SW_TANGENT_OF_TABLE,
                                                     .launch_points = launch_points};
