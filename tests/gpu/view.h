/* Views and vectors on the GPU, for tests and benchmarks of operators alone. SW_ERR_UNAVAILABLE in a build without CUDA;
 * SW_ERR_MEMORY. */
#ifndef SW_TESTS_GPU_VIEW_H
#define SW_TESTS_GPU_VIEW_H

#include "online/fem/backend/backend.h"
#include "online/fem/law/finite.h"

#ifdef SW_HAVE_CUDA
#include "online/gpu/cuda_check.h"

/* n numbers of some bytes on the device, of the host's; NULL: zeros. */
static inline sw_status view_copy(int64_t n, size_t bytes, const void *host, const void **device)
{
    void *copy;
    *device = NULL;
    SW_TRY(sw_cuda_allocate(&copy, (size_t)n * bytes, "a view"));
    *device = copy;
    if (n == 0 || host == NULL)
        return SW_OK;
    return sw_cuda_status(cudaMemcpy(copy, host, (size_t)n * bytes, cudaMemcpyHostToDevice), "a view");
}

static inline sw_status vector_download(int64_t n, const double *vector, double *host)
{
    return sw_cuda_status(cudaMemcpy(host, vector, (size_t)n * sizeof *host, cudaMemcpyDeviceToHost),
                          "a vector");
}

static inline void view_drop(const void *device) { cudaFree((void *)device); }

#else

static inline sw_status view_copy(int64_t n, size_t bytes, const void *host, const void **device)
{
    (void)n, (void)bytes, (void)host;
    *device = NULL;
    return sw_error(SW_ERR_UNAVAILABLE, "this build is without GPU code (nvcc)");
}

static inline sw_status vector_download(int64_t n, const double *vector, double *host)
{
    (void)vector;
    return view_copy(n, sizeof *host, NULL, &(const void *){NULL});
}

static inline void view_drop(const void *device) { (void)device; }

#endif

/* n numbers on the device. */
static inline sw_status vector_upload(int64_t n, const double *host, double **vector)
{
    return view_copy(n, sizeof *host, host, (const void **)vector);
}

static inline void vector_release(double *vector) { view_drop(vector); }

/* Copy a CPU's view into device memory; colour_first stays borrowed. Released also when it failed. */
static inline sw_status view_upload(const sw_fem_view *host, int n_materials, sw_fem_view *device)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[host->kinematics == SW_FEM_SOLID ? SW_HEX8 : SW_QUAD4];
    const int d = shape->dimension, V = shape->n_nodes;
    const int64_t N = host->n_nodes, E = host->n_elements;
    const int size =
        host->measure == SW_FEM_MEASURE_FINITE ? SW_FEM_MODULI + 6 /* the stress */ : SW_FEM_TANGENT_SIZE;
    *device = *host;
    const struct {
        int64_t n;
        size_t bytes;
        const void **at; /* the host's until it is copied */
    } array[] = {
#define ARRAY(name, n) {n, sizeof *device->name, (const void **)&(device->name)}
        ARRAY(position, N * d),
        ARRAY(at, N * d),
        ARRAY(node, E * V),
        ARRAY(material_of, E),
        ARRAY(bulk, n_materials),
        ARRAY(shear, n_materials),
        ARRAY(coloured, E),
        ARRAY(plastic, host->n_plastic),
        ARRAY(slot, E),
        ARRAY(nodal, N * d * d),
        ARRAY(tangent, size * V * host->n_plastic),
#undef ARRAY
    };
    sw_status status = SW_OK;
    for (size_t i = 0; i < sizeof array / sizeof *array; i++) {
        const void *from = *array[i].at;
        *array[i].at = NULL;
        if (status == SW_OK && from != NULL)
            status = view_copy(array[i].n, array[i].bytes, from, array[i].at);
    }
    return status;
}

static inline void view_release(sw_fem_view *device)
{
    const void *const arrays[] = {device->position,    device->at,   device->nodal,  device->node,
                                  device->material_of, device->bulk, device->shear,  device->coloured,
                                  device->plastic,     device->slot, device->tangent};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        view_drop(arrays[i]);
    *device = (sw_fem_view){0};
}

#endif
