/* Entries of a response table of one theta on a GPU, and how kernels read them. What a look-up costs is instructions and lines of the cache
 * asked for: interpolation, which asks for four entries, has nine outputs of an entry in 16 bytes, which one load reads; the nearest entry
 * is of halves in 32 bytes, which take two loads and fewer instructions; so are the thirteen outputs of databases with planes. */
#ifndef SW_ONLINE_RESPONSE_GRID_TABLE_STORE_CUH
#define SW_ONLINE_RESPONSE_GRID_TABLE_STORE_CUH

#include "common/math/lanes_float.h"

#include <cuda_fp16.h>

#include "common/database/table_lookup.h"
#include "online/gpu/cuda_check.h"
#include "online/response/packed/packed.h"

/* Stresses 0 to 3 in the high halves of four words, outputs 4 to 7 in the low ones: whole numbers of a unit, from -2^15 on. The ninth,
 * the slip rate, which is not negative, has the last three bits of each high half. */
struct alignas(16) sw_table_entry {
    uint32_t word[4];
};

/* Nine outputs, or thirteen, and padding: a sector of the cache. */
struct alignas(32) sw_table_half_entry {
    __half value[16];
};

/* What whole numbers of an entry are of: stresses (over s rate^m), spins and the slip rate (over the rate). */
typedef struct {
    float stress, spin, slip_rate;
} sw_table_units;

/* Dimensions: E entries, O outputs. */
typedef struct {
    int64_t entries;
    int outputs;               /* 9 or 13 */
    float *answer;             /* [O][E], device: what is packed */
    int32_t *most;             /* [3], device: bits of the largest size of a stress, a spin, a slip rate */
    sw_table_entry *entry;     /* [E], device, to interpolate in; NULL: not needed */
    sw_table_half_entry *half; /* [E], device, for the rest, stresses in the unit; NULL: not needed */
    sw_table_units unit;
} sw_table_store;

/* linear: to be interpolated in. SW_ERR_MEMORY. */
sw_status sw_table_store_open(int64_t entries, int outputs, int linear, sw_table_store *store);
void sw_table_store_close(sw_table_store *store);

/* What is in `answer` now, into the entries; waits. */
sw_status sw_table_store_pack(sw_table_store *store);

/* Its first `outputs` as halves, stresses over `scale`, into half [E] (device). */
sw_status sw_table_store_halves(const sw_table_store *store, int outputs, float scale,
                                sw_table_half_entry *half);

/* Numbers 0 to 7 as 2^23 + 2^15 + themselves, the last as 2^23 + 128 times itself. */
__device__ static inline void sw_load_entry(const sw_table_entry *entry, float value[SW_OUTPUTS])
{
    const uint4 four = __ldg(reinterpret_cast<const uint4 *>(entry));
    const unsigned word[4] = {four.x, four.y, four.z, four.w};
    unsigned last = 0x4B000000U;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        value[i] = sw_packed_whole((sw_int)word[i], 3, 2);
        value[4 + i] = sw_packed_whole((sw_int)word[i], 1, 0);
        last |= word[i] >> 3 * i & 0x70000U >> 3 * i;
    }
    value[8] = __uint_as_float(last);
}

/* Numbers as loaded, or a mean of some -> stresses in their unit, spins and slip rate as they are. */
__device__ static inline void sw_entry_numbers(const sw_table_units &unit, float value[SW_OUTPUTS])
{
#pragma unroll
    for (int c = 0; c < 8; c++)
        value[c] = (value[c] - (8388608.0F + 32768.0F)) * (c < 5 ? 1.0F : unit.spin);
    value[8] = (value[8] - 8388608.0F) * (unit.slip_rate / 128.0F);
}

template <int OUTPUTS>
__device__ static inline void sw_load_halves(const sw_table_half_entry *entry, float value[OUTPUTS])
{
    const uint4 *from = reinterpret_cast<const uint4 *>(entry);
    const uint4 first = __ldg(from), rest = OUTPUTS > SW_OUTPUTS ? __ldg(from + 1) : make_uint4(0, 0, 0, 0);
    const unsigned word[8] = {first.x, first.y, first.z, first.w, rest.x, rest.y, rest.z, rest.w};
#pragma unroll
    for (int c = 0; c < OUTPUTS; c++) {
        const float2 pair = __half22float2(*reinterpret_cast<const __half2 *>(&word[c / 2]));
        value[c] = c % 2 ? pair.y : pair.x;
    }
    if (OUTPUTS == SW_OUTPUTS)
        value[8] = __half2float(__ldg(&entry->value[8]));
}

#endif
