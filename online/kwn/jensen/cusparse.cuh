/* cuSPARSE's batches of tridiagonal systems, by the type of number. */
#ifndef SW_ONLINE_KWN_JENSEN_CUSPARSE_CUH
#define SW_ONLINE_KWN_JENSEN_CUSPARSE_CUH

#include <cusparse.h>

#include "common/system/status.h"

namespace kwn
{

inline sw_status cusparse_status(cusparseStatus_t status, const char *call)
{
    return status == CUSPARSE_STATUS_SUCCESS
               ? SW_OK
               : sw_error(status == CUSPARSE_STATUS_ALLOC_FAILED ? SW_ERR_MEMORY : SW_ERR_UNAVAILABLE,
                          "GPU: cuSPARSE: %s (%s)", cusparseGetErrorString(status), call);
}

/* Equal systems one after the other, m numbers each. */
inline cusparseStatus_t strided_size(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x, int n,
                                     size_t *bytes)
{
    return cusparseSgtsv2StridedBatch_bufferSizeExt(h, m, l, d, u, x, n, m, bytes);
}
inline cusparseStatus_t strided_size(cusparseHandle_t h, int m, double *l, double *d, double *u, double *x,
                                     int n, size_t *bytes)
{
    return cusparseDgtsv2StridedBatch_bufferSizeExt(h, m, l, d, u, x, n, m, bytes);
}
inline cusparseStatus_t strided_solve(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x,
                                      int n, void *buffer)
{
    return cusparseSgtsv2StridedBatch(h, m, l, d, u, x, n, m, buffer);
}
inline cusparseStatus_t strided_solve(cusparseHandle_t h, int m, double *l, double *d, double *u, double *x,
                                      int n, void *buffer)
{
    return cusparseDgtsv2StridedBatch(h, m, l, d, u, x, n, m, buffer);
}
/* Row i of system n at i N + n. 0 is Thomas' algorithm: without pivoting, which diagonally dominant columns
 * allow. */
inline cusparseStatus_t interleaved_size(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x,
                                         int n, size_t *bytes)
{
    return cusparseSgtsvInterleavedBatch_bufferSizeExt(h, 0, m, l, d, u, x, n, bytes);
}
inline cusparseStatus_t interleaved_size(cusparseHandle_t h, int m, double *l, double *d, double *u,
                                         double *x, int n, size_t *bytes)
{
    return cusparseDgtsvInterleavedBatch_bufferSizeExt(h, 0, m, l, d, u, x, n, bytes);
}
inline cusparseStatus_t interleaved_solve(cusparseHandle_t h, int m, float *l, float *d, float *u, float *x,
                                          int n, void *buffer)
{
    return cusparseSgtsvInterleavedBatch(h, 0, m, l, d, u, x, n, buffer);
}
inline cusparseStatus_t interleaved_solve(cusparseHandle_t h, int m, double *l, double *d, double *u,
                                          double *x, int n, void *buffer)
{
    return cusparseDgtsvInterleavedBatch(h, 0, m, l, d, u, x, n, buffer);
}

} // namespace kwn

#endif
