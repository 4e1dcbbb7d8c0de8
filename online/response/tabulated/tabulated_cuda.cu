/* Solver `tabulated` on a GPU: the host's table, packed as `grid` has its own. */
#include "online/response/grid/packed_kernel.cuh"
#include "online/response/grid/table_view.cuh"
#include "online/response/points/look_up_kernel.cuh"

#include <cmath>
#include <cstdlib>

#include "tabulated.h"

struct tabulated_data {
    sw_tabulated *host;
    sw_table_store store;
    float *answer; /* [outputs][entries]: the host's */
};

static void close_tabulated(sw_response *response)
{
    tabulated_data *data = (tabulated_data *)response->data;
    if (data == NULL)
        return;
    sw_tabulated_close(data->host);
    sw_table_store_close(&data->store);
    free(data->answer);
    free(data);
}

static sw_table_shape shape_of(const tabulated_data *data)
{
    return sw_table_shape_of(data->host->table.turn, data->host->table.fold);
}

static sw_table_view view_of(const sw_response *response)
{
    const tabulated_data *data = (const tabulated_data *)response->data;
    return sw_table_view_of(shape_of(data), &data->store);
}

static sw_status open_tabulated(sw_response *response)
{
    tabulated_data *data;
    SW_TRY(SW_ALLOCATE(data, 1, "tabulated solver"));
    response->data = data;
    SW_TRY(sw_tabulated_open(response->material, response->refinement, &data->host));
    const int64_t entries = sw_table_entries(shape_of(data));
    const int outputs = response->planes ? SW_OUTPUTS_MOST : SW_OUTPUTS;
    SW_TRY(SW_ALLOCATE(data->answer, outputs * entries, "response table for the GPU"));
    return sw_table_store_open(entries, outputs, response->linear, &data->store);
}

static sw_status prepare_tabulated(sw_response *response, double theta)
{
    tabulated_data *data = (tabulated_data *)response->data;
    sw_table_store *store = &data->store;
    const size_t numbers = (size_t)(store->outputs * store->entries);
    if (data->host->theta == theta)
        return SW_OK;
    SW_TRY(sw_tabulated_fill(data->host, theta));
    for (int64_t i = 0; i < store->entries; i++)
        for (int c = 0; c < store->outputs; c++)
            data->answer[c * store->entries + i] = data->host->table.value[i][c];
    sw_status status = sw_cuda_status(
        cudaMemcpy(store->answer, data->answer, numbers * sizeof(float), cudaMemcpyHostToDevice),
        "response table");
    if (status == SW_OK)
        status = sw_table_store_pack(store);
    data->host->theta = status == SW_OK ? theta : NAN;
    return status;
}

template <class Finish>
static sw_status launch_tabulated(sw_response *response, const sw_step_launch *launch, const sw_step *step,
                                  const sw_shared_frame &frame, const Finish &finish, int64_t n,
                                  const sw_crystal *crystal)
{
    const sw_table_view table = view_of(response);
    if (response->linear)
        return sw_step_launch_crystals(response, launch, step, frame, sw_interpolated_entry{table}, finish, n,
                                       crystal);
    return sw_step_launch_crystals(response, launch, step, frame, sw_nearest_entry{table}, finish, n,
                                   crystal);
}

template <class Finish>
static sw_status launch_tabulated(sw_response *response, const sw_step_launch *, const sw_step *,
                                  const sw_own_frame &, const Finish &, int64_t, const sw_crystal *)
{
    return sw_tabulated_refuse_each(response);
}

SW_STEP_LAUNCHES_OF_DATABASE(launch_tabulated)

static sw_status launch_any_step(sw_response *response, const sw_step *step, const sw_crystals *from,
                                 const sw_crystals *to, double *partial, double *sums, void *stream)
{
    if (from->packed.word == NULL)
        return launch_step(response, step, from, to, partial, sums, stream);
    return sw_packed_launch_step(response, view_of(response), step, from, to, partial, sums, stream);
}

extern "C" const sw_solver_functions sw_tabulated_cuda = {.open = open_tabulated,
                                                          .close = close_tabulated,
                                                          .prepare = prepare_tabulated,
                                                          .ready_each = sw_tabulated_refuse_each,
                                                          .launch_step = launch_any_step,
                                                          .launch_evaluate = launch_evaluate};
