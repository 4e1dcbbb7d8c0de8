/* Orientations and textures of all ranks' crystals into rank 0's file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/hdf5_io.h"
#include "common/parallel.h"
#include "common/progress.h"
#include "online/response/gpu.h"
#include "orientation_histogram.h"
#include "population.h"
#include "texture_output.h"

/* What is on its way. */
typedef struct {
    int64_t chunk;
    sw_crystal *crystal;   /* [chunk] copied from where they live */
    float (*euler)[3];     /* [chunk] */
    double (*gathered)[3]; /* [N] on rank 0 for a small texture; else NULL */
    hid_t set;             /* on rank 0 */
} transfer;

static sw_status open_transfer(const sw_population *p, hid_t file, int64_t step, int64_t chunk, transfer *t)
{
    char name[64];
    *t = (transfer){.chunk = chunk, .set = H5I_INVALID_HID};
    SW_TRY(SW_ALLOCATE(t->crystal, chunk, "orientations to write"));
    SW_TRY(SW_ALLOCATE(t->euler, chunk, "orientations to write"));
    if (sw_parallel_rank() != 0)
        return SW_OK;
    if (p->total <= SW_TEXTURE_CRYSTALS)
        SW_TRY(SW_ALLOCATE(t->gathered, p->total, "orientations to write"));
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
    return sw_h5_create_set(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){p->total, 3}, &t->set);
}

static sw_status close_transfer(transfer *t)
{
    free(t->crystal);
    free(t->euler);
    return sw_h5_close_set(t->set);
}

/* Angles of n crystals from number `first` on, all of one rank. */
static sw_status move_chunk(const sw_population *p, transfer *t, int owner, int64_t first, int64_t n)
{
    const int rank = sw_parallel_rank();
    sw_status status = sw_interrupt_check();
    if (rank == owner) {
        if (status == SW_OK)
            status = sw_crystals_copy(p->device, n, t->crystal, p->crystal + (first - p->first));
        for (int64_t k = 0; k < n; k++)
            memcpy(t->euler[k], t->crystal[k].euler, sizeof t->euler[k]);
    }
    sw_parallel_move(t->euler, n * (int64_t)sizeof *t->euler, owner, 0);
    if (rank == 0 && status == SW_OK)
        status = sw_h5_write_rows(t->set, H5T_NATIVE_FLOAT, first, n, t->euler);
    for (int64_t k = 0; k < n && t->gathered != NULL; k++)
        for (int i = 0; i < 3; i++)
            t->gathered[first + k][i] = t->euler[k][i];
    return sw_parallel_agree(status);
}

static sw_status move_all(const sw_population *p, transfer *t)
{
    for (int owner = 0; owner < sw_parallel_size(); owner++) {
        int64_t count;
        const int64_t first = sw_parallel_slice_of(p->total, owner, &count);
        for (int64_t done = 0; done < count; done += t->chunk)
            SW_TRY(move_chunk(p, t, owner, first + done, count - done < t->chunk ? count - done : t->chunk));
    }
    return SW_OK;
}

/* ---- Textures ---- */

/* This rank's crystals, where they are. */
static sw_status count_own(const sw_population *p, sw_orientation_histogram *histogram)
{
    if (p->count == 0)
        return SW_OK;
#ifdef SW_HAVE_CUDA
    if (p->device == SW_CUDA && sw_gpu_owns(p->crystal))
        return sw_orientation_histogram_add_cuda(histogram, p->count, p->crystal);
#endif
    return sw_orientation_histogram_add(histogram, p->count, p->crystal);
}

static sw_status count_all(const sw_population *p, sw_orientation_histogram **histogram)
{
    sw_status status = sw_orientation_histogram_create(histogram);
    if (status == SW_OK)
        status = count_own(p, *histogram);
    SW_TRY(sw_parallel_agree(status));
    sw_orientation_histogram *h = *histogram;
    sw_parallel_sum_counts((int64_t *)h->count, SW_HISTOGRAM_BINS + SW_HISTOGRAM_COMPONENTS);
    sw_parallel_sum_counts(&h->n_crystals, 1);
    return SW_OK;
}

static sw_status write_texture(const sw_population *p, hid_t file, int64_t step, const transfer *t)
{
    sw_orientation_histogram *histogram = NULL;
    char name[64];
    hid_t group;
    sw_status status = p->total > SW_TEXTURE_CRYSTALS ? count_all(p, &histogram) : SW_OK;
    if (status == SW_OK && sw_parallel_rank() == 0) {
        snprintf(name, sizeof name, "texture/%lld", (long long)step);
        status = sw_h5_group(file, name, &group);
        if (status == SW_OK) {
            status = histogram != NULL ? sw_texture_write_histogram(group, histogram)
                                       : sw_texture_write(group, p->total, (const double(*)[3])t->gathered);
            H5Gclose(group);
        }
    }
    sw_orientation_histogram_destroy(histogram);
    return sw_parallel_agree(status);
}

sw_status sw_population_write(const sw_population *population, hid_t file, int64_t step, int64_t chunk)
{
    transfer t;
    sw_status status = sw_parallel_agree(open_transfer(population, file, step, chunk, &t));
    if (status == SW_OK)
        status = move_all(population, &t);
    const sw_status closed = close_transfer(&t);
    status = sw_parallel_agree(status ? status : closed);
    if (status == SW_OK)
        status = write_texture(population, file, step, &t);
    free(t.gathered);
    return status;
}
