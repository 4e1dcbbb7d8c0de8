/* Orientations and textures of all ranks' crystals into rank 0's file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/hdf5_io.h"
#include "common/system/gather.h"
#include "common/system/parallel.h"
#include "common/system/progress.h"
#include "online/gpu/gpu.h"
#include "orientation_histogram.h"
#include "population.h"
#include "texture_output.h"

/* ---- To rank 0 ---- */

/* Crystals on their way, and where they go to there. */
typedef struct {
    const sw_population *population;
    sw_crystal *crystal; /* [chunk] copied from where they live */
    hid_t set;
} transfer;

static sw_status fill_euler(void *context, int64_t first, int64_t n, void *row)
{
    const transfer *t = context;
    float(*euler)[3] = row;
    SW_TRY(sw_interrupt_check());
    SW_TRY(sw_population_copy(t->population, first, n, t->crystal));
    for (int64_t k = 0; k < n; k++)
        memcpy(euler[k], t->crystal[k].euler, sizeof euler[k]);
    return SW_OK;
}

static sw_status write_rows(void *context, int64_t first, int64_t n, const void *row)
{
    return sw_h5_write_rows(((const transfer *)context)->set, H5T_NATIVE_FLOAT, first, n, row);
}

static sw_status fill_weight(void *context, int64_t first, int64_t n, void *row)
{
    const sw_population *p = ((const transfer *)context)->population;
    return sw_numbers_copy(p->device, n, row, p->weight + first);
}

/* ---- Orientations ---- */

/* Of a row of `columns` numbers a crystal, on rank 0. */
static sw_status create_set(const sw_population *p, hid_t file, const char *name, int columns,
                            const char *unit, hid_t *set)
{
    if (sw_parallel_rank() != 0)
        return SW_OK;
    SW_TRY(sw_h5_create_set(file, name, H5T_NATIVE_FLOAT, columns > 1 ? 2 : 1, (int64_t[]){p->total, columns},
                            set));
    return sw_h5_write_text(*set, "unit", unit);
}

/* Once, or of each step where they change. */
static sw_status write_weights(const sw_population *p, hid_t file, int64_t step, int64_t chunk)
{
    char name[64] = "orientations/weight";
    if (p->moving != NULL)
        snprintf(name, sizeof name, "orientations/%lld/weight", (long long)step);
    transfer t = {.population = p, .set = H5I_INVALID_HID};
    const sw_gathering all = {p->total, p->together, chunk, sizeof *p->weight, &t, fill_weight, write_rows};
    unsigned char is_there = p->weight == NULL;
    if (sw_parallel_rank() == 0)
        is_there |= sw_h5_exists(file, name) != 0;
    sw_parallel_share_flags(&is_there, 1);
    if (is_there)
        return SW_OK;
    sw_status status = sw_parallel_agree(create_set(p, file, name, 1, "1", &t.set));
    if (status == SW_OK)
        status = sw_gather(&all);
    const sw_status closed = sw_h5_close_set(t.set);
    return sw_parallel_agree(status ? status : closed);
}

sw_status sw_population_write_orientations(const sw_population *population, hid_t file, int64_t step,
                                           int64_t chunk)
{
    char name[64];
    transfer t = {.population = population, .set = H5I_INVALID_HID};
    const sw_gathering all = {
        population->total, population->together, chunk, 3 * sizeof(float), &t, fill_euler, write_rows};
    SW_TRY(write_weights(population, file, step, chunk));
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
    sw_status status = SW_ALLOCATE(t.crystal, chunk < population->total ? chunk : population->total,
                                   "orientations to write");
    if (status == SW_OK)
        status = create_set(population, file, name, 3, "rad", &t.set);
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = sw_gather(&all);
    free(t.crystal);
    const sw_status closed = sw_h5_close_set(t.set);
    return sw_parallel_agree(status ? status : closed);
}

/* ---- Textures ---- */

/* On the host, some at a time where they are packed. */
static sw_status count_on_host(const sw_population *p, sw_orientation_histogram *histogram)
{
    const int64_t most = INT64_C(1) << 20, chunk = p->count < most ? p->count : most;
    sw_crystal *some;
    if (p->packed.word == NULL)
        return sw_orientation_histogram_add(histogram, p->count, p->crystal, p->weight);
    SW_TRY(SW_ALLOCATE(some, chunk, "crystals to count"));
    sw_status status = SW_OK;
    for (int64_t done = 0; done < p->count && status == SW_OK; done += chunk) {
        const int64_t n = p->count - done < chunk ? p->count - done : chunk;
        status = sw_population_copy(p, done, n, some);
        if (status == SW_OK)
            status =
                sw_orientation_histogram_add(histogram, n, some, p->weight != NULL ? p->weight + done : NULL);
    }
    free(some);
    return status;
}

#ifdef SW_HAVE_CUDA
static sw_status count_in_chunks(const sw_population *p, int64_t chunk, sw_crystal *device, float *weight,
                                 sw_orientation_histogram *histogram)
{
    for (int64_t done = 0; done < p->count; done += chunk) {
        const int64_t n = p->count - done < chunk ? p->count - done : chunk;
        SW_TRY(sw_interrupt_check());
        SW_TRY(sw_population_copy(p, done, n, device));
        if (weight != NULL)
            SW_TRY(sw_numbers_copy(SW_CUDA, n, weight, p->weight + done));
        SW_TRY(sw_orientation_histogram_add_cuda(histogram, n, device, weight));
    }
    return SW_OK;
}

/* Crystals that are streamed, or packed, pass through 128 MB of the GPU's memory, 160 with weights; where it has no room for
 * them, the CPU counts. */
static sw_status count_streamed(const sw_population *p, sw_orientation_histogram *histogram)
{
    const int64_t most = INT64_C(1) << 23, chunk = p->count < most ? p->count : most;
    sw_crystal *device;
    float *weight = NULL;
    sw_status status = p->weight != NULL ? sw_crystals_allocate_weighted(SW_CUDA, chunk, &device, &weight)
                                         : sw_crystals_allocate(SW_CUDA, chunk, &device);
    if (status != SW_OK && status != SW_ERR_MEMORY)
        return status;
    if (status == SW_OK && sw_gpu_owns(device)) /* else it is on the host */
        status = count_in_chunks(p, chunk, device, weight, histogram);
    else
        status = count_on_host(p, histogram);
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
        return p->packed.word == NULL && sw_gpu_owns(p->crystal)
                   ? sw_orientation_histogram_add_cuda(histogram, p->count, p->crystal, p->weight)
                   : count_streamed(p, histogram);
#endif
    return count_on_host(p, histogram);
}

static sw_status count_all(const sw_population *p, const sw_lattice *lattice,
                           sw_orientation_histogram **histogram)
{
    if (p->weight != NULL && p->total > SW_HISTOGRAM_WEIGHTED_MOST)
        return sw_error(SW_ERR_RANGE, "a texture of %lld crystals with weights: need at most %lld",
                        (long long)p->total, (long long)SW_HISTOGRAM_WEIGHTED_MOST);
    sw_status status = sw_orientation_histogram_create(lattice, histogram);
    if (status == SW_OK) {
        (*histogram)->heaviest = p->weight != NULL ? p->heaviest : 0;
        (*histogram)->most = p->weight_in_all / p->heaviest;
        status = count_own(p, *histogram);
    }
    SW_TRY(sw_parallel_agree(status));
    sw_orientation_histogram *h = *histogram;
    sw_parallel_sum_counts((int64_t *)h->count, sw_orientation_histogram_numbers(h));
    sw_parallel_sum_counts(&h->n_crystals, 1);
    return SW_OK;
}

static sw_status write_counted(const sw_population *p, const sw_lattice *lattice, double c_over_a,
                               hid_t group)
{
    sw_orientation_histogram *histogram = NULL;
    sw_status status = count_all(p, lattice, &histogram);
    if (status == SW_OK && sw_parallel_rank() == 0)
        status = sw_texture_write_histogram(group, histogram, c_over_a, p->effective);
    sw_orientation_histogram_destroy(histogram);
    return status;
}

sw_status sw_population_write_texture(const sw_population *population, const sw_lattice *lattice,
                                      double c_over_a, hid_t file, int64_t step)
{
    char name[64];
    hid_t group = H5I_INVALID_HID;
    snprintf(name, sizeof name, "texture/%lld", (long long)step);
    SW_TRY(sw_parallel_agree(sw_parallel_rank() == 0 ? sw_h5_group(file, name, &group) : SW_OK));
    const sw_status status = write_counted(population, lattice, c_over_a, group);
    if (group >= 0)
        H5Gclose(group);
    return sw_parallel_agree(status);
}
