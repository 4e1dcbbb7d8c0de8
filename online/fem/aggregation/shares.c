/* Rows of a product over processes, by their entries; what is small each process does by itself. */
#include "common/system/parallel.h"
#include "level.h"

enum { WORTH = 200000 }; /* numbers: 100 us, beside which a message is little */

static int is_shared(int together, int64_t n_rows, const int64_t *row, int size)
{
    return together && sw_parallel_size() > 1 && row[n_rows] * size >= WORTH;
}

/* The first row of process k. */
static int64_t begin_of(int64_t n_rows, const int64_t *row, int k, int processes)
{
    const double before = (double)row[n_rows] * k / processes;
    int64_t low = 0, high = n_rows;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if ((double)row[middle] < before)
            low = middle + 1;
        else
            high = middle;
    }
    return k == processes ? n_rows : low;
}

sw_share sw_share_of(int together, int64_t n_rows, const int64_t *row, int size)
{
    const int rank = sw_parallel_rank(), processes = sw_parallel_size();
    if (!is_shared(together, n_rows, row, size))
        return (sw_share){0, n_rows};
    return (sw_share){begin_of(n_rows, row, rank, processes), begin_of(n_rows, row, rank + 1, processes)};
}

void sw_collect_entries(int together, int64_t n_rows, const int64_t *row, int size, const int64_t *first,
                        int64_t bytes, void *all)
{
    const int processes = sw_parallel_size();
    int64_t begin[processes + 1];
    if (!is_shared(together, n_rows, row, size))
        return;
    for (int k = 0; k <= processes; k++) {
        begin[k] = begin_of(n_rows, row, k, processes);
        begin[k] = first != NULL ? first[begin[k]] : begin[k];
    }
    sw_parallel_collect(begin, bytes, (char *)all + begin[sw_parallel_rank()] * bytes, all);
}

void sw_collect_shares(int together, int64_t n_rows, const int64_t *row, int size, int64_t bytes, void *all)
{
    sw_collect_entries(together, n_rows, row, size, NULL, bytes, all);
}
