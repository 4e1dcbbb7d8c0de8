/* Arrays of an analysis on the GPU. */
#ifndef SW_ONLINE_FEM_BACKEND_ON_DEVICE_CUH
#define SW_ONLINE_FEM_BACKEND_ON_DEVICE_CUH

#include <type_traits>

#include "backend.h"
#include "online/gpu/cuda_check.h"

/* n of *pointer's type on the device, counted. `what` they are, for a message. SW_ERR_MEMORY. */
template <typename type> sw_status sw_fem_on_device(sw_fem *fem, type *&pointer, int64_t n, const char *what)
{
    typename std::remove_const<type>::type *made;
    SW_TRY(SW_CUDA_ALLOCATE(made, n, what));
    pointer = made;
    sw_fem_count_bytes(fem, n * (int64_t)sizeof(type));
    return SW_OK;
}

/* The same, a copy of the host's; NULL: zeros. */
template <typename type>
sw_status sw_fem_on_device(sw_fem *fem, type *&pointer, int64_t n,
                           const typename std::remove_const<type>::type *host, const char *what)
{
    SW_TRY(sw_fem_on_device(fem, pointer, n, what));
    if (host)
        SW_CUDA_TRY(cudaMemcpy((void *)pointer, host, n * sizeof(type), cudaMemcpyHostToDevice));
    return SW_OK;
}

#endif
