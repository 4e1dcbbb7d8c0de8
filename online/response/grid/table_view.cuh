/* Looking up in a table of half-precision entries. */
#ifndef SW_ONLINE_RESPONSE_GRID_TABLE_VIEW_CUH
#define SW_ONLINE_RESPONSE_GRID_TABLE_VIEW_CUH

#include "common/math/lanes_float.h"

#include <cuda_fp16.h>

#include "common/database/table_lookup.h"
#include "table_cuda.h"

/* One sector of the cache: nine outputs and padding. */
struct alignas(32) sw_table_entry {
    __half value[16];
};

struct sw_table_view {
    sw_table_shape shape;
    float stress_scale;          /* stored stresses are over it: v0^-m */
    const sw_table_entry *entry; /* device */
    const sw_table_entry *each;  /* [layers] of them, for each point of theta; NULL: not made */
    int layers;
};

sw_table_view sw_table_view_cuda(const sw_table_cuda *table);

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

/* output += weight * the response at one theta. */
__device__ static inline void sw_add_nearest(const sw_table_view &table, const sw_table_entry *entry,
                                             const float angle[3], float weight, float output[SW_OUTPUTS])
{
    const sw_table_place place = sw_table_reduce(table.shape, angle);
    float found[SW_OUTPUTS] = {0};
    sw_add_entry(entry + sw_table_nearest(table.shape, &place), weight, found);
    sw_table_sign(&place, found);
    for (int c = 0; c < SW_OUTPUTS; c++)
        output[c] += c < 5 ? table.stress_scale * found[c] : found[c];
}

__device__ static inline void sw_add_interpolated(const sw_table_view &table, const sw_table_entry *entry,
                                                  const float angle[3], float weight,
                                                  float output[SW_OUTPUTS])
{
    int index[4];
    float corner[4], found[SW_OUTPUTS] = {0};
    const sw_table_place place = sw_table_reduce(table.shape, angle);
    sw_table_linear(table.shape, &place, index, corner);
#pragma unroll
    for (int k = 0; k < 4; k++)
        sw_add_entry(entry + index[k], weight * corner[k], found);
    sw_table_sign(&place, found);
    for (int c = 0; c < SW_OUTPUTS; c++)
        output[c] += c < 5 ? table.stress_scale * found[c] : found[c];
}

/* The lookups that sw_crystals_kernel takes: in the table of the step's theta ... */
struct sw_nearest_entry {
    static constexpr int BLOCKS = 4;
    sw_table_view table;

    __device__ bool operator()(const float *, const float angle[3], float, float output[SW_OUTPUTS]) const
    {
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] = 0;
        sw_add_nearest(table, table.entry, angle, 1.0F, output);
        return true;
    }
};

struct sw_interpolated_entry {
    static constexpr int BLOCKS = 3;
    sw_table_view table;

    __device__ bool operator()(const float *, const float angle[3], float, float output[SW_OUTPUTS]) const
    {
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] = 0;
        sw_add_interpolated(table, table.entry, angle, 1.0F, output);
        return true;
    }
};

/* ... and in one of four dimensions, for crystals with a theta each. */
struct sw_entry_each {
    static constexpr int BLOCKS = 2;
    sw_table_view table;
    int linear;

    __device__ bool operator()(const float *, const float angle[3], float theta,
                               float output[SW_OUTPUTS]) const
    {
        const int64_t entries = sw_table_entries(table.shape);
        const float x = theta * (float)table.layers, low = linear ? floorf(x) : rintf(x);
        const int layer = (int)low % table.layers;
        for (int c = 0; c < SW_OUTPUTS; c++)
            output[c] = 0;
        if (!linear) {
            sw_add_nearest(table, table.each + layer * entries, angle, 1.0F, output);
        } else {
            sw_add_interpolated(table, table.each + layer * entries, angle, 1.0F - (x - low), output);
            sw_add_interpolated(table, table.each + (layer + 1) % table.layers * entries, angle, x - low,
                                output);
        }
        return true;
    }
};

#endif
