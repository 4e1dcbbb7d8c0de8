/* Views and vectors on the GPU, for tests and benchmarks of operators alone. SW_ERR_UNAVAILABLE in a build
 * without CUDA; SW_ERR_MEMORY. */
#ifndef SW_ONLINE_FEM_BACKEND_VIEW_H
#define SW_ONLINE_FEM_BACKEND_VIEW_H

#include "backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copy a CPU's view into device memory; colour_first stays borrowed. Released also when it failed. */
sw_status sw_fem_view_upload(const sw_fem_view *host, int n_materials, sw_fem_view *device);
void sw_fem_view_release(sw_fem_view *device);

/* n numbers on the device, from host unless NULL; and back. */
sw_status sw_fem_vector_upload(int64_t n, const double *host, double **vector);
sw_status sw_fem_vector_download(int64_t n, const double *vector, double *host);
void sw_fem_vector_release(double *vector);

#ifdef __cplusplus
}
#endif

#endif
