/* The step of crystals of 8 bytes (online/response/packed/packed.h) on a GPU, for what looks up in a table of one theta. */
#ifndef SW_ONLINE_RESPONSE_GRID_PACKED_KERNEL_CUH
#define SW_ONLINE_RESPONSE_GRID_PACKED_KERNEL_CUH

#include "common/math/lanes_float.h"

#include "online/response/packed/packed.h"
#include "online/response/step/step_kernel.cuh"
#include "table_view.cuh"

#include <type_traits>

/* The Work of step_kernel.cuh. The step's to_principal is over SW_PACKED_UNIT. */
template <class Lookup, bool STORES> struct sw_packed_work {
    Lookup lookup;
    const uint64_t *from;
    uint64_t *to; /* where it STORES */
    float middle, quantum, per_quantum;
    uint32_t first, key;
    static constexpr int BLOCKS = Lookup::BLOCKS;
    static constexpr bool MEANS = true, ADDS = true;

    __device__ float scale() const { return lookup.scale(); }
    __device__ bool operator()(const sw_step &step, int64_t i, float mean[SW_MEANS]) const
    {
        const uint2 begun = __ldcs(reinterpret_cast<const uint2 *>(from) + i);
        const sw_int word[2] = {(sw_int)begun.x, (sw_int)begun.y};
        const sw_frame frame = sw_frame_of_step(&step);
        float q[4], level, principal[4], output[SW_OUTPUTS], turned[4];
        sw_int next[2];
        sw_unpack(word, q, &level);
        const float s = sw_exp2(middle + level * quantum);
        sw_quaternion_product(frame.to_principal, q, principal);
        lookup(principal, frame.theta, output);
        float grown = s;
        sw_mask good = sw_crystal_move(&step.hardening, &frame, output, q, turned, &grown, mean);
        good &= sw_pack(turned, level, per_quantum * sw_log2(sw_divide(grown, s)),
                        (sw_int)sw_packed_noise(first + (uint32_t)i, key), SW_PACKED_MARGIN, next);
        if (STORES)
            __stcs(reinterpret_cast<uint2 *>(to) + i, make_uint2((unsigned)next[0], (unsigned)next[1]));
        return good != 0;
    }
};

template <class Lookup, bool STORES>
static inline sw_status sw_packed_launch(sw_response *response, const sw_step_launch *where,
                                         const sw_step *step, const Lookup &lookup, const sw_crystals *from,
                                         const sw_crystals *to)
{
    const sw_packed *p = &from->packed;
    const sw_packed_work<Lookup, STORES> work = {lookup,
                                                 p->word,
                                                 STORES ? to->packed.word : NULL,
                                                 p->middle,
                                                 p->quantum,
                                                 1 / p->quantum,
                                                 (uint32_t)p->first,
                                                 sw_packed_key(p->step)};
    sw_step of_units = *step;
    for (int k = 0; k < 4; k++)
        of_units.to_principal[k] /= SW_PACKED_UNIT;
    return sw_step_launch_work(response, where, &of_units, work, from->n);
}

/* A solver's launch_step where crystals are packed. */
static inline sw_status sw_packed_launch_step(sw_response *response, const sw_table_view &table,
                                              const sw_step *step, const sw_crystals *from,
                                              const sw_crystals *to, double *partial, double *sums,
                                              void *stream)
{
    const sw_step_launch where = {partial, sums, (cudaStream_t)stream, from->weight};
    const auto launch = [&](const auto &lookup) {
        using Lookup = std::decay_t<decltype(lookup)>;
        return to != NULL ? sw_packed_launch<Lookup, true>(response, &where, step, lookup, from, to)
                          : sw_packed_launch<Lookup, false>(response, &where, step, lookup, from, to);
    };
    return response->linear ? launch(sw_interpolated_entry{table}) : launch(sw_nearest_entry{table});
}

#endif
