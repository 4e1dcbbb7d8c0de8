/* An element on the GPU: a block of memory laid out as on the host, so that what is kept of it travels as it
 * is, and a sw_dem_rve on the host whose pointers are the device's. All on the default stream; all wait. */
#ifndef SW_ONLINE_DEM_BACKEND_DEVICE_MEMORY_CUH
#define SW_ONLINE_DEM_BACKEND_DEVICE_MEMORY_CUH

#include <stdlib.h>

#include "backend.h"
#include "online/gpu/cuda_check.h"

static inline void sw_dem_device_free(sw_dem_rve *device)
{
    cudaFree(device->block);
    device->block = NULL;
}

/* *device becomes the element on the device, in a block of its own: release with sw_dem_device_free. What is
 * not kept, lists of pairs by particle too, has to be made there. SW_ERR_MEMORY, SW_ERR_UNAVAILABLE: there is
 * no block. */
static inline sw_status sw_dem_upload(const sw_dem_rve *host, sw_dem_rve *device)
{
    const int32_t index_valid = 0;
    char *block = NULL;
    *device = *host;
    device->block = NULL;
    SW_TRY(sw_cuda_allocate((void **)&block, (size_t)host->bytes, "a volume element"));
    sw_dem_layout(device, block);
    cudaError_t error = cudaMemcpy(block, host->block, (size_t)host->kept_bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess)
        error =
            cudaMemcpy(&device->state->index_valid, &index_valid, sizeof index_valid, cudaMemcpyHostToDevice);
    if (error != cudaSuccess)
        sw_dem_device_free(device);
    return sw_cuda_status(error, "a volume element to the GPU");
}

/* What is kept of the element again to where it is on the device, of a host that has not let it grow. Lists of pairs by
 * particle are to be made, as the state says of one that came back. */
static inline sw_status sw_dem_upload_again(const sw_dem_rve *host, const sw_dem_rve *device)
{
    SW_CUDA_TRY(cudaMemcpy(device->block, host->block, (size_t)host->kept_bytes, cudaMemcpyHostToDevice));
    return SW_OK;
}

/* What is kept of the element to the host, whose capacities are the same; the device has it still. Records
 * are fetched before: the host has none of them here. */
static inline sw_status sw_dem_download(const sw_dem_rve *device, sw_dem_rve *host)
{
    SW_CUDA_TRY(cudaMemcpy(host->block, device->block, (size_t)host->kept_bytes, cudaMemcpyDeviceToHost));
    host->state->index_valid = 0;
    host->state->n_rows = 0;
    return SW_OK;
}

/* The n records that the element has on the device, to the host's list of element r. Whoever goes on with the
 * element sets its state's n_rows to 0. */
static inline sw_status sw_dem_device_rows(sw_dem *dem, int64_t r, const sw_dem_rve *device, int64_t n)
{
    if (n == 0)
        return SW_OK;
    sw_dem_row *row = (sw_dem_row *)malloc((size_t)n * sizeof *row);
    if (row == NULL)
        return sw_error(SW_ERR_MEMORY, "%lld records of element %lld", (long long)n, (long long)r);
    const cudaError_t error = cudaMemcpy(row, device->row, (size_t)n * sizeof *row, cudaMemcpyDeviceToHost);
    sw_status status = sw_cuda_status(error, "records from the GPU");
    if (status == SW_OK)
        status = sw_dem_drain_rows(dem, r, n, row);
    free(row);
    return status;
}

#endif
