/* Solver `grid` on a GPU: grid_cpu.c says what it is. */
#include "online/response/step/step_kernel.cuh"
#include "table_view.cuh"

static sw_status open_grid(sw_response *response)
{
    sw_table_gpu *table = NULL;
    const sw_status status = sw_table_gpu_open(response->database, response->refinement, &table);
    response->data = table;
    return status;
}

static void close_grid(sw_response *response) { sw_table_gpu_close((sw_table_gpu *)response->data); }

static sw_status prepare_grid(sw_response *response, double theta)
{
    return sw_table_gpu_prepare((sw_table_gpu *)response->data, theta);
}

static sw_status ready_each(sw_response *response)
{
    return sw_table_gpu_each((sw_table_gpu *)response->data);
}

template <class Finish>
static sw_status launch_grid(sw_response *response, const sw_launch *launch, const sw_step *step,
                             const sw_shared_frame &frame, const Finish &finish, int64_t n,
                             const sw_crystal *crystal)
{
    const sw_table_view table = sw_table_gpu_view((const sw_table_gpu *)response->data);
    if (response->linear)
        return sw_launch_crystals(response, launch, step, frame, sw_interpolated_entry{table}, finish, n,
                                  crystal);
    return sw_launch_crystals(response, launch, step, frame, sw_nearest_entry{table}, finish, n, crystal);
}

template <class Finish>
static sw_status launch_grid(sw_response *response, const sw_launch *launch, const sw_step *step,
                             const sw_own_frame &frame, const Finish &finish, int64_t n,
                             const sw_crystal *crystal)
{
    const sw_entry_each lookup = {sw_table_gpu_view((const sw_table_gpu *)response->data), response->linear};
    return sw_launch_crystals(response, launch, step, frame, lookup, finish, n, crystal);
}

SW_LAUNCHES(launch_grid)

extern "C" const sw_response_solver sw_grid_cuda = {.name = "grid",
                                                    .device = SW_CUDA,
                                                    .open = open_grid,
                                                    .close = close_grid,
                                                    .prepare = prepare_grid,
                                                    .evaluate = NULL,
                                                    .ready_each = ready_each,
                                                    .evaluate_each = NULL,
                                                    .launch_step = launch_step,
                                                    .launch_evaluate = launch_evaluate,
                                                    .step = NULL};
