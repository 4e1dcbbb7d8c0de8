/* All ranks' crystals into rank 0's file, and back, bit by bit. */
#include <math.h>
#include <stdlib.h>

#include "common/files/hdf5_io.h"
#include "common/system/gather.h"
#include "common/system/parallel.h"
#include "population.h"

static sw_crystals packed_part(const sw_population *p, int64_t first, int64_t n)
{
    const sw_crystals all = {.device = p->device, .n = p->count, .packed = p->packed};
    return sw_crystals_part(&all, first, n);
}

sw_status sw_population_copy(const sw_population *p, int64_t first, int64_t n, sw_crystal *to)
{
    if (p->packed.word == NULL)
        return sw_crystals_copy(p->device, n, to, p->crystal + first);
    const sw_crystals part = packed_part(p, first, n);
    return sw_crystals_unpack(&part, to);
}

/* And back. */
static sw_status replace(sw_population *p, int64_t first, int64_t n, const sw_crystal *from)
{
    if (p->packed.word == NULL)
        return sw_crystals_copy(p->device, n, p->crystal + first, from);
    sw_crystals part = packed_part(p, first, n);
    return sw_crystals_repack(&part, from);
}

typedef struct {
    const sw_population *population;
    hid_t set; /* rank 0's */
} transfer;

static sw_status fill_crystals(void *context, int64_t first, int64_t n, void *row)
{
    const sw_population *p = ((const transfer *)context)->population;
    return sw_population_copy(p, first, n, row);
}

static sw_status write_rows(void *context, int64_t first, int64_t n, const void *row)
{
    return sw_h5_write_rows(((const transfer *)context)->set, H5T_NATIVE_FLOAT, first, n, row);
}

static sw_status create_set(const sw_population *p, hid_t file, const char *name, hid_t *set)
{
    return sw_parallel_rank() == 0
               ? sw_h5_create_set(file, name, H5T_NATIVE_FLOAT, 2, (int64_t[]){p->total, 4}, set)
               : SW_OK;
}

sw_status sw_population_write_crystals(const sw_population *population, hid_t file, const char *name)
{
    transfer t = {population, H5I_INVALID_HID};
    const sw_gathering all = {
        population->total, population->together, SW_POPULATION_CHUNK, sizeof(sw_crystal), &t, fill_crystals,
        write_rows};
    sw_status status = sw_parallel_agree(create_set(population, file, name, &t.set));
    if (status == SW_OK)
        status = sw_gather(&all);
    const sw_status closed = sw_h5_close_set(t.set);
    return sw_parallel_agree(status ? status : closed);
}

/* Nothing that is not a number, and no resistance that is none. */
static sw_status check_crystals(const char *name, int64_t first, int64_t n, const sw_crystal *crystal)
{
    for (int64_t k = 0; k < n; k++) {
        const sw_crystal *c = &crystal[k];
        if (!(isfinite(c->euler[0] + c->euler[1] + c->euler[2]) && c->slip_resistance > 0 &&
              isfinite(c->slip_resistance)))
            return sw_error(SW_ERR_FORMAT, "%s: crystal %lld has an angle or a slip resistance that is none",
                            name, (long long)(first + k));
    }
    return SW_OK;
}

static sw_status read_own(sw_population *p, hid_t set, const char *name, int64_t chunk, sw_crystal *row)
{
    for (int64_t done = 0; done < p->count; done += chunk) {
        const int64_t n = p->count - done < chunk ? p->count - done : chunk;
        SW_TRY(sw_h5_read_rows(set, H5T_NATIVE_FLOAT, p->first + done, n, row));
        SW_TRY(check_crystals(name, p->first + done, n, row));
        SW_TRY(replace(p, done, n, row));
    }
    return SW_OK;
}

sw_status sw_population_read_crystals(sw_population *population, hid_t file, const char *name)
{
    const int64_t count = population->count,
                  chunk = count < SW_POPULATION_CHUNK ? count : SW_POPULATION_CHUNK;
    int64_t shape[2];
    sw_crystal *row;
    hid_t set;
    SW_TRY(sw_h5_shape(file, name, 2, shape));
    if (shape[0] != population->total || shape[1] != 4)
        return sw_error(SW_ERR_FORMAT, "%s: %lld crystals of %lld numbers: need %lld of 4", name,
                        (long long)shape[0], (long long)shape[1], (long long)population->total);
    SW_TRY(sw_h5_open_set(file, name, &set));
    sw_status status = SW_ALLOCATE(row, chunk, "crystals to read");
    if (status == SW_OK)
        status = read_own(population, set, name, chunk, row);
    free(row);
    const sw_status closed = sw_h5_close_set(set);
    return status ? status : closed;
}
