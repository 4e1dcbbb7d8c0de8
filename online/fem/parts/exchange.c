/* On the CPU. */
#include <stdlib.h>
#include <string.h>

#include "common/system/parallel.h"
#include "parts.h"

typedef struct {
    const sw_fem_division *division;
    int64_t *first;          /* [n_neighbours + 1] numbers of a neighbour's block */
    double *sent, *received; /* [first_sent[n_neighbours]][most_width] */
} exchange_work;

static void close_exchange(void *opaque)
{
    exchange_work *work = opaque;
    if (!work)
        return;
    free(work->first);
    free(work->sent);
    free(work->received);
    free(work);
}

static sw_status open_exchange(const sw_fem_division *d, int most_width, void **result)
{
    const int64_t n = d->first_sent[d->n_neighbours] * most_width;
    exchange_work *work;
    SW_TRY(SW_ALLOCATE(work, 1, "exchange between parts"));
    *result = work;
    work->division = d;
    SW_TRY(SW_ALLOCATE(work->first, d->n_neighbours + 1, "exchange between parts"));
    SW_TRY(SW_ALLOCATE(work->sent, n, "exchange between parts"));
    return SW_ALLOCATE(work->received, n, "exchange between parts");
}

static void pack(const sw_fem_division *d, int width, const double *value, double *sent)
{
    for (int64_t i = 0; i < d->first_sent[d->n_neighbours]; i++)
        memcpy(sent + i * width, value + (int64_t)d->sent[i] * width, (size_t)width * sizeof *sent);
}

static void add_up(const sw_fem_division *d, int width, const double *received, double *value)
{
    for (int64_t i = 0; i < d->n_shared; i++)
        for (int j = 0; j < width; j++) {
            double *at = value + (int64_t)d->shared[i] * width + j, sum = 0;
            for (int64_t k = d->first_share[i]; k < d->first_share[i + 1]; k++)
                sum += d->share[k] < 0 ? *at : received[d->share[k] * width + j];
            *at = sum;
        }
}

static sw_status sum_shared(void *opaque, int width, void *value)
{
    const exchange_work *work = opaque;
    const sw_fem_division *d = work->division;
    for (int k = 0; k <= d->n_neighbours; k++)
        work->first[k] = d->first_sent[k] * width;
    pack(d, width, value, work->sent);
    sw_parallel_exchange(d->n_neighbours, d->neighbour, work->first, sizeof(double), work->sent,
                         work->received);
    add_up(d, width, work->received, value);
    return SW_OK;
}

static sw_status sum_all(void *opaque, int64_t n, double *value)
{
    (void)opaque;
    sw_parallel_sums_in_order(value, n);
    return SW_OK;
}

static sw_status clear(void *opaque, int64_t first, int64_t n, void *value)
{
    (void)opaque;
    memset((double *)value + first, 0, (size_t)n * sizeof(double));
    return SW_OK;
}

const sw_fem_exchange sw_fem_exchange_cpu = {open_exchange, close_exchange, sum_shared, sum_all,
                                             clear,         NULL,           NULL};
