#include "crystals.h"

#include <stdlib.h>
#include <string.h>

#include "common/math/random.h"
#include "common/system/threads.h"
#include "check.h"
#include "crystals_cuda.h"
#include "online/gpu/gpu.h"

sw_status sw_crystals_allocate(sw_device device, int64_t n, sw_crystal **crystal)
{
    if (device == SW_CUDA)
        return sw_crystals_allocate_cuda(n, crystal);
    return SW_ALLOCATE(*crystal, n, "crystals");
}

sw_status sw_crystals_allocate_weighted(sw_device device, int64_t n, sw_crystal **crystal, float **weight)
{
    const int64_t each = sizeof **crystal / sizeof **weight; /* weights in the room of a crystal */
    *weight = NULL;
    SW_TRY(sw_crystals_allocate(device, n + (n + each - 1) / each, crystal));
    *weight = (float *)(*crystal + n);
    return SW_OK;
}

void sw_crystals_free(sw_device device, sw_crystal *crystal)
{
    if (device == SW_CUDA)
        sw_crystals_free_cuda(crystal);
    else
        free(crystal);
}

const char *sw_crystals_place(sw_device device, const sw_crystal *crystal)
{
    return device == SW_CPU ? "host" : sw_gpu_owns(crystal) ? "GPU" : "host, streamed";
}

sw_status sw_crystals_randomise(sw_device device, int64_t n, sw_crystal *crystal, int64_t seed, int64_t first,
                                float slip_resistance)
{
    SW_TRY(sw_check_resistance("random crystals", slip_resistance));
    if (device == SW_CUDA)
        return sw_crystals_randomise_cuda(n, crystal, seed, first, slip_resistance);
    const double nanoseconds = 50; /* of a crystal: Philox, and an arc cosine */
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, nanoseconds))
    for (int64_t i = 0; i < n; i++)
        crystal[i] = sw_random_crystal(seed, first + i, slip_resistance);
    return SW_OK;
}

sw_status sw_crystals_copy(sw_device device, int64_t n, sw_crystal *to, const sw_crystal *from)
{
    const size_t bytes = (size_t)n * sizeof *to;
    const sw_extent array[] = {{"crystals copied to", to, bytes}, {"those copied from", from, bytes}};
    SW_TRY(sw_check_apart(1, 2, array));
    if (device == SW_CUDA)
        return sw_crystals_copy_cuda(n, to, from);
    memcpy(to, from, bytes);
    return SW_OK;
}

sw_status sw_crystals_set_resistance(sw_device device, int64_t n, sw_crystal *crystal, double slip_resistance)
{
    sw_crystal *own;
    SW_TRY(SW_ALLOCATE(own, n, "crystals"));
    sw_status status = sw_crystals_copy(device, n, own, crystal);
    for (int64_t i = 0; i < n; i++)
        own[i].slip_resistance = (float)slip_resistance;
    if (status == SW_OK)
        status = sw_crystals_copy(device, n, crystal, own);
    free(own);
    return status;
}

sw_status sw_numbers_make(sw_device device, int64_t n, float **number)
{
    if (device == SW_CUDA)
        return sw_numbers_allocate_cuda(n, number);
    return SW_ALLOCATE(*number, n, "numbers of crystals");
}

void sw_numbers_free(sw_device device, float *number)
{
    if (device == SW_CUDA)
        sw_numbers_free_cuda(number);
    else
        free(number);
}

sw_status sw_numbers_copy(sw_device device, int64_t n, float *to, const float *from)
{
    if (device == SW_CUDA)
        return sw_numbers_copy_cuda(n, to, from);
    memcpy(to, from, (size_t)n * sizeof *to);
    return SW_OK;
}
