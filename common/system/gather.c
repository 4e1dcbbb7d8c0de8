#include "gather.h"

#include <stdlib.h>

#include "parallel.h"

/* Rows of one rank, whose slice begins with row number `begin` of all; first: of the slice. */
static sw_status move_chunk(const sw_gathering *g, int owner, int64_t begin, int64_t first, int64_t n,
                            void *row)
{
    const int rank = sw_parallel_rank();
    sw_status status = rank == owner ? g->fill(g->context, first, n, row) : SW_OK;
    sw_parallel_move(row, n * (int64_t)g->bytes, owner, 0);
    if (rank == 0 && status == SW_OK)
        status = g->take(g->context, begin + first, n, row);
    return sw_parallel_agree(status);
}

static sw_status move_all(const sw_gathering *g, int64_t chunk, void *row)
{
    for (int owner = 0; owner < sw_parallel_size(); owner++) {
        int64_t count;
        const int64_t begin = sw_parallel_slice_of(g->total, g->together, owner, &count);
        for (int64_t done = 0; done < count; done += chunk)
            SW_TRY(move_chunk(g, owner, begin, done, count - done < chunk ? count - done : chunk, row));
    }
    return SW_OK;
}

sw_status sw_gather(const sw_gathering *gathering)
{
    const sw_gathering *g = gathering;
    const int64_t chunk = g->chunk < g->total ? g->chunk : g->total;
    char *row;
    sw_status status = sw_allocate((void **)&row, (size_t)chunk, g->bytes, "rows on their way");
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = move_all(g, chunk, row);
    free(row);
    return status;
}
