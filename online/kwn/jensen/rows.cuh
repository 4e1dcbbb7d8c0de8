/* The rows of tridiagonal systems in device memory, in two forms, and Thomas' algorithm for either. */
#ifndef SW_ONLINE_KWN_JENSEN_ROWS_CUH
#define SW_ONLINE_KWN_JENSEN_ROWS_CUH

#include "online/gpu/cuda_check.h"

namespace kwn
{

/* lower x(i - 1) + middle x(i) + upper x(i + 1) = x: the right-hand side, then the solution. The paper's float4; in
 * double precision 32 bytes, which move as two elements of 16. */
template <class NUMBER> struct alignas(16) equation {
    NUMBER lower, middle, upper, x;
};

/* Four arrays, as cuSPARSE takes them. */
template <class NUMBER> struct separate_rows {
    typedef NUMBER number;
    number *lower, *middle, *upper, *x;

    __device__ equation<number> get(int64_t k) const { return {lower[k], middle[k], upper[k], x[k]}; }
    __device__ void set(int64_t k, const equation<number> &row) const
    {
        lower[k] = row.lower;
        middle[k] = row.middle;
        upper[k] = row.upper;
        x[k] = row.x;
    }
    __device__ void keep(int64_t k, const equation<number> &row) const /* upper and x; the rest is used up */
    {
        upper[k] = row.upper;
        x[k] = row.x;
    }
    __device__ number &x_of(int64_t k) const { return x[k]; }

    sw_status open(int64_t rows)
    {
        for (number **array : {&lower, &middle, &upper, &x})
            SW_TRY(SW_CUDA_ALLOCATE(*array, rows, "an equation system"));
        return SW_OK;
    }
    void close() const
    {
        for (number *array : {lower, middle, upper, x})
            cudaFree(array);
    }
};

/* An element for each row: section 4.2. */
template <class NUMBER> struct packed_rows {
    typedef NUMBER number;
    equation<number> *row;

    __device__ equation<number> get(int64_t k) const { return row[k]; }
    __device__ void set(int64_t k, const equation<number> &from) const { row[k] = from; }
    __device__ void keep(int64_t k, const equation<number> &from) const { row[k] = from; }
    __device__ number &x_of(int64_t k) const { return row[k].x; }

    sw_status open(int64_t rows) { return SW_CUDA_ALLOCATE(row, rows, "an equation system"); }
    void close() const { cudaFree(row); }
};

enum { AHEAD = 4 }; /* rows that are fetched before the first of them is divided */

/* One system of n rows, a multiple of AHEAD, `stride` apart from row k on. The first row has no lower, the last no
 * upper neighbour. */
template <class ROWS> __device__ inline void thomas(const ROWS &rows, int64_t k, int32_t n, int64_t stride)
{
    typedef typename ROWS::number number_t;
    equation<number_t> row[AHEAD];
    number_t factor = 0, x = 0;
#pragma unroll 1
    for (int32_t i = 0; i < n; i += AHEAD, k += AHEAD * stride) {
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
            row[j] = rows.get(k + j * stride);
#pragma unroll
        for (int j = 0; j < AHEAD; j++) {
            const number_t scale = 1 / (row[j].middle - row[j].lower * factor);
            row[j].upper = factor = row[j].upper * scale;
            row[j].x = x = (row[j].x - row[j].lower * x) * scale;
            rows.keep(k + j * stride, row[j]);
        }
    }
    x = 0;
#pragma unroll 1
    for (int32_t i = 0; i < n; i += AHEAD) {
        k -= AHEAD * stride;
#pragma unroll
        for (int j = 0; j < AHEAD; j++)
            row[j] = rows.get(k + j * stride);
#pragma unroll
        for (int j = AHEAD - 1; j >= 0; j--)
            rows.x_of(k + j * stride) = x = row[j].x - row[j].upper * x;
    }
}

} // namespace kwn

#endif
