#include "online/fem/law/finite.h"
#include "online/gpu/cuda_check.h"
#include "view.h"

namespace
{

template <class T> sw_status upload(int64_t n, const T *host, const T **device, const char *what)
{
    T *copy;
    *device = NULL;
    SW_TRY(SW_CUDA_ALLOCATE(copy, n, what));
    *device = copy;
    if (n > 0)
        SW_CUDA_TRY(cudaMemcpy(copy, host, (size_t)n * sizeof *copy, cudaMemcpyHostToDevice));
    return SW_OK;
}

} // namespace

sw_status sw_fem_view_upload(const sw_fem_view *host, int n_materials, sw_fem_view *device)
{
    const sw_fem_shape_traits *shape = &sw_fem_shapes[host->kinematics == SW_FEM_SOLID ? SW_HEX8 : SW_QUAD4];
    const int d = shape->dimension, V = shape->n_nodes;
    const int64_t N = host->n_nodes, E = host->n_elements;
    *device = *host;
    device->position = device->at = device->nodal = device->bulk = device->shear = device->tangent = NULL;
    device->node = device->coloured = device->plastic = device->slot = NULL;
    device->material_of = NULL;
    SW_TRY(upload(N * d, host->position, &device->position, "nodes"));
    if (host->at)
        SW_TRY(upload(N * d, host->at, &device->at, "deformed nodes"));
    SW_TRY(upload(E * V, host->node, &device->node, "elements"));
    SW_TRY(upload(E, host->material_of, &device->material_of, "elements' materials"));
    SW_TRY(upload(n_materials, host->bulk, &device->bulk, "materials"));
    SW_TRY(upload(n_materials, host->shear, &device->shear, "materials"));
    SW_TRY(upload(E, host->coloured, &device->coloured, "colours"));
    SW_TRY(upload(host->n_plastic, host->plastic, &device->plastic, "plastic elements"));
    SW_TRY(upload(E, host->slot, &device->slot, "plastic elements"));
    if (host->nodal)
        SW_TRY(upload(N * d * d, host->nodal, &device->nodal, "blocks of nodes"));
    const int size =
        host->measure == SW_FEM_MEASURE_FINITE ? SW_FEM_MODULI + 6 /* the stress */ : SW_FEM_TANGENT_SIZE;
    return upload(size * V * host->n_plastic, host->tangent, &device->tangent, "tangents");
}

void sw_fem_view_release(sw_fem_view *device)
{
    cudaFree((void *)device->position);
    cudaFree((void *)device->at);
    cudaFree((void *)device->nodal);
    cudaFree((void *)device->node);
    cudaFree((void *)device->material_of);
    cudaFree((void *)device->bulk);
    cudaFree((void *)device->shear);
    cudaFree((void *)device->coloured);
    cudaFree((void *)device->plastic);
    cudaFree((void *)device->slot);
    cudaFree((void *)device->tangent);
    *device = sw_fem_view{};
}

sw_status sw_fem_vector_upload(int64_t n, const double *host, double **vector)
{
    SW_TRY(SW_CUDA_ALLOCATE(*vector, n, "a vector"));
    if (host && n > 0)
        SW_CUDA_TRY(cudaMemcpy(*vector, host, (size_t)n * sizeof *host, cudaMemcpyHostToDevice));
    return SW_OK;
}

sw_status sw_fem_vector_download(int64_t n, const double *vector, double *host)
{
    SW_CUDA_TRY(cudaMemcpy(host, vector, (size_t)n * sizeof *host, cudaMemcpyDeviceToHost));
    return SW_OK;
}

void sw_fem_vector_release(double *vector) { cudaFree(vector); }
