/* Looking up in a table of half-precision entries. */
#ifndef SW_ONLINE_RESPONSE_TABLE_VIEW_CUH
#define SW_ONLINE_RESPONSE_TABLE_VIEW_CUH

#define SW_SINGLE
#include <cuda_fp16.h>

#include "common/table_lookup.h"
#include "table_gpu.h"

/* One sector of the cache: nine outputs and padding. */
struct alignas(32) sw_table_entry {
    __half value[16];
};

struct sw_table_view {
    sw_table_shape shape;
    const sw_table_entry *entry; /* device */
};

sw_table_view sw_table_gpu_view(const sw_table_gpu *table);

/* output += weight * entry */
__device__ static inline void sw_add_entry(const sw_table_entry *entry, float weight,
                                           float output[SW_OUTPUTS])
{
    const uint4 eight = __ldg(reinterpret_cast<const uint4 *>(entry));
    const unsigned words[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const float2 pair = __half22float2(*reinterpret_cast<const __half2 *>(&words[i]));
        output[2 * i] += weight * pair.x;
        output[2 * i + 1] += weight * pair.y;
    }
    output[8] += weight * __half2float(__ldg(&entry->value[8]));
}

/* The lookups that sw_step_kernel takes. */
struct sw_nearest_entry {
    static constexpr int BLOCKS = 4;
    sw_table_view table;

    __device__ bool operator()(const float *, const float angle[3], float output[SW_OUTPUTS]) const
    {
        const sw_table_place place = sw_table_reduce(table.shape, angle);
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] = 0;
        sw_add_entry(table.entry + sw_table_nearest(table.shape, &place), 1.0F, output);
        sw_table_sign(&place, output);
        return true;
    }
};

struct sw_interpolated_entry {
    static constexpr int BLOCKS = 3;
    sw_table_view table;

    __device__ bool operator()(const float *, const float angle[3], float output[SW_OUTPUTS]) const
    {
        int index[4];
        float weight[4];
        const sw_table_place place = sw_table_reduce(table.shape, angle);
        sw_table_linear(table.shape, &place, index, weight);
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] = 0;
#pragma unroll
        for (int k = 0; k < 4; k++)
            sw_add_entry(table.entry + index[k], weight[k], output);
        sw_table_sign(&place, output);
        return true;
    }
};

#endif
