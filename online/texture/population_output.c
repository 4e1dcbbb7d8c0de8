/* Orientations and textures of all ranks' crystals into rank 0's file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "online/gpu/gpu.h"
#include "orientation_histogram.h"
#include "population.h"
#include "texture_output.h"

/* ---- To rank 0 ---- */

/* What is on its way, and where it goes to on rank 0: one of the two, the other empty. */
typedef struct {
    int64_t chunk;
    sw_crystal *crystal; /* [chunk] copied from where they live */
    float (*euler)[3];   /* [chunk] */
    hid_t set;
    double (*gathered)[3]; /* [N] */
} transfer;

static sw_status open_transfer(const sw_population *p, int64_t chunk, transfer *t)
{
    *t = (transfer){.chunk = chunk < p->total ? chunk : p->total, .set = H5I_INVALID_HID};
    SW_TRY(SW_ALLOCATE(t->crystal, t->chunk, "orientations to write"));
    return SW_ALLOCATE(t->euler, t->chunk, "orientations to write");
}

static sw_status close_transfer(transfer *t)
{
    free(t->crystal);
    free(t->euler);
    free(t->gathered);
    return sw_h5_close_set(t->set);
}

static sw_status receive(const transfer *t, int64_t first, int64_t n)
{
    if (t->gathered == NULL)
        return sw_h5_write_rows(t->set, H5T_NATIVE_FLOAT, first, n, t->euler);
    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            t->gathered[first + k][i] = t->euler[k][i];
    return SW_OK;
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
        status = receive(t, first, n);
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

/* ---- Orientations ---- */

static sw_status open_file_transfer(const sw_population *p, hid_t file, int64_t step, int64_t chunk,
                                    transfer *t)
{
    char name[64];
    SW_TRY(open_transfer(p, chunk, t));
    if (sw_parallel_rank() != 0)
        return SW_OK;
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
    return sw_h5_create_set(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){p->total, 3}, &t->set);
}

sw_status sw_population_write_orientations(const sw_population *population, hid_t file, int64_t step,
                                           int64_t chunk)
{
    transfer t;
    sw_status status = sw_parallel_agree(open_file_transfer(population, file, step, chunk, &t));
    if (status == SW_OK)
        status = move_all(population, &t);
    const sw_status closed = close_transfer(&t);
    return sw_parallel_agree(status ? status : closed);
}

/* ---- Textures of few crystals ---- */

static sw_status open_gathering_transfer(const sw_population *p, transfer *t)
{
    SW_TRY(open_transfer(p, SW_TEXTURE_CRYSTALS, t));
    return sw_parallel_rank() == 0 ? SW_ALLOCATE(t->gathered, p->total, "orientations of a texture") : SW_OK;
}

/* group: on rank 0. */
static sw_status write_gathered(const sw_population *p, hid_t group)
{
    transfer t;
    sw_status status = sw_parallel_agree(open_gathering_transfer(p, &t));
    if (status == SW_OK)
        status = move_all(p, &t);
    if (status == SW_OK && sw_parallel_rank() == 0)
        status = sw_texture_write(group, p->total, (const double(*)[3])t.gathered);
    close_transfer(&t);
    return status;
}

/* ---- Textures of many ---- */

#ifdef SW_HAVE_CUDA
static sw_status count_in_chunks(const sw_population *p, int64_t chunk, sw_crystal *device,
                                 sw_orientation_histogram *histogram)
{
    for (int64_t done = 0; done < p->count; done += chunk) {
        const int64_t n = p->count - done < chunk ? p->count - done : chunk;
        SW_TRY(sw_interrupt_check());
        SW_TRY(sw_crystals_copy(SW_CUDA, n, device, p->crystal + done));
        SW_TRY(sw_orientation_histogram_add_cuda(histogram, n, device));
    }
    return SW_OK;
}

/* Crystals that are streamed pass through 128 MB of the GPU's memory; where it has no room for them, the CPU
 * counts. */
static sw_status count_streamed(const sw_population *p, sw_orientation_histogram *histogram)
{
    const int64_t most = INT64_C(1) << 23, chunk = p->count < most ? p->count : most;
    sw_crystal *device;
    sw_status status = sw_crystals_allocate(SW_CUDA, chunk, &device);
    if (status != SW_OK && status != SW_ERR_MEMORY)
        return status;
    if (status == SW_OK && sw_gpu_owns(device)) /* else it is on the host */
        status = count_in_chunks(p, chunk, device, histogram);
    else
        status = sw_orientation_histogram_add(histogram, p->count, p->crystal);
    sw_crystals_free(SW_CUDA, device);
    return status;
}
#endif

/* This rank's crystals, where they are. */
static sw_status count_own(const sw_population *p, sw_orientation_histogram *histogram)
{
    if (p->count == 0)
        return SW_OK;
#ifdef SW_HAVE_CUDA
    if (p->device == SW_CUDA)
        return sw_gpu_owns(p->crystal) ? sw_orientation_histogram_add_cuda(histogram, p->count, p->crystal)
                                       : count_streamed(p, histogram);
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

static sw_status write_counted(const sw_population *p, hid_t group)
{
    sw_orientation_histogram *histogram = NULL;
    sw_status status = count_all(p, &histogram);
    if (status == SW_OK && sw_parallel_rank() == 0)
        status = sw_texture_write_histogram(group, histogram);
    sw_orientation_histogram_destroy(histogram);
    return status;
}

sw_status sw_population_write_texture(const sw_population *population, hid_t file, int64_t step)
{
    char name[64];
    hid_t group = H5I_INVALID_HID;
    snprintf(name, sizeof name, "texture/%lld", (long long)step);
    SW_TRY(sw_parallel_agree(sw_parallel_rank() == 0 ? sw_h5_group(file, name, &group) : SW_OK));
    const sw_status status = population->total > SW_TEXTURE_CRYSTALS ? write_counted(population, group)
                                                                     : write_gathered(population, group);
    if (group >= 0)
        H5Gclose(group);
    return sw_parallel_agree(status);
}
