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

/* Crystals on their way, and where they go to there: one of the two, the other empty. */
typedef struct {
    const sw_population *population;
    sw_crystal *crystal; /* [chunk] copied from where they live */
    hid_t set;
    double (*gathered)[3]; /* [N] */
} transfer;

static sw_status fill_euler(void *context, int64_t first, int64_t n, void *row)
{
    const transfer *t = context;
    float(*euler)[3] = row;
    SW_TRY(sw_interrupt_check());
    SW_TRY(sw_crystals_copy(t->population->device, n, t->crystal, t->population->crystal + first));
    for (int64_t k = 0; k < n; k++)
        memcpy(euler[k], t->crystal[k].euler, sizeof euler[k]);
    return SW_OK;
}

static sw_status write_rows(void *context, int64_t first, int64_t n, const void *row)
{
    return sw_h5_write_rows(((const transfer *)context)->set, H5T_NATIVE_FLOAT, first, n, row);
}

static sw_status keep_euler(void *context, int64_t first, int64_t n, const void *row)
{
    const transfer *t = context;
    const float(*euler)[3] = row;
    for (int64_t k = 0; k < n; k++)
        for (int i = 0; i < 3; i++)
            t->gathered[first + k][i] = euler[k][i];
    return SW_OK;
}

/* ---- Orientations ---- */

static sw_status create_set(const sw_population *p, hid_t file, int64_t step, hid_t *set)
{
    char name[64];
    if (sw_parallel_rank() != 0)
        return SW_OK;
    snprintf(name, sizeof name, "orientations/%lld/euler", (long long)step);
    SW_TRY(sw_h5_create_set(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){p->total, 3}, set));
    return sw_h5_write_text(*set, "unit", "rad");
}

sw_status sw_population_write_orientations(const sw_population *population, hid_t file, int64_t step,
                                           int64_t chunk)
{
    transfer t = {.population = population, .set = H5I_INVALID_HID};
    const sw_gathering all = {population->total, chunk, 3 * sizeof(float), &t, fill_euler, write_rows};
    sw_status status = SW_ALLOCATE(t.crystal, chunk < population->total ? chunk : population->total,
                                   "orientations to write");
    if (status == SW_OK)
        status = create_set(population, file, step, &t.set);
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = sw_gather(&all);
    free(t.crystal);
    const sw_status closed = sw_h5_close_set(t.set);
    return sw_parallel_agree(status ? status : closed);
}

/* ---- Textures of few crystals ---- */

/* group: on rank 0. */
static sw_status write_gathered(const sw_population *p, hid_t group)
{
    const int64_t chunk = p->total < SW_TEXTURE_CRYSTALS ? p->total : SW_TEXTURE_CRYSTALS;
    transfer t = {.population = p, .set = H5I_INVALID_HID};
    const sw_gathering all = {p->total, chunk, 3 * sizeof(float), &t, fill_euler, keep_euler};
    sw_status status = SW_ALLOCATE(t.crystal, chunk, "orientations of a texture");
    if (status == SW_OK && sw_parallel_rank() == 0)
        status = SW_ALLOCATE(t.gathered, p->total, "orientations of a texture");
    status = sw_parallel_agree(status);
    if (status == SW_OK)
        status = sw_gather(&all);
    if (status == SW_OK && sw_parallel_rank() == 0)
        status = sw_texture_write(group, p->total, (const double(*)[3])t.gathered);
    free(t.crystal);
    free(t.gathered);
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
