/* The step of crystals of 8 bytes (online/response/packed/packed.h) on a GPU, for what looks up in a table of one theta. */
#ifndef SW_ONLINE_RESPONSE_GRID_PACKED_KERNEL_CUH
#define SW_ONLINE_RESPONSE_GRID_PACKED_KERNEL_CUH

#include "common/math/lanes_float.h"

#include "online/response/packed/packed.h"
#include "online/response/step/step_kernel.cuh"
#include "table_view.cuh"

#include <type_traits>

/* What crystals of Voce's law share in a step, beside the step. turning: of the spin in the principal frame (12 13 23), to what the
 * lattice turns by, rad. */
struct sw_packed_voce {
    sw_voce_step law;
    float turning[3][3], turn[3];
};

static inline sw_packed_voce sw_packed_voce_of(const sw_step *step)
{
    sw_packed_voce shared = {sw_voce_step_of(&step->hardening.voce, (double)step->strain), {{0}}, {0}};
    for (int i = 0; i < 3; i++) {
        shared.turn[i] = step->applied_turn[i];
        shared.turning[i][0] = step->frame[i][2] * step->strain;
        shared.turning[i][1] = -step->frame[i][1] * step->strain;
        shared.turning[i][2] = step->frame[i][0] * step->strain;
    }
    return shared;
}

/* The Work of step_kernel.cuh. The step's to_principal is over SW_PACKED_UNIT. VOCE: of that law, where a crystal usually hardens by little,
 * turns by little and stays folded; what one does that does not, or that is no number, is done again as of any law. */
template <class Lookup, bool STORES, bool VOCE> struct sw_packed_work {
    Lookup lookup;
    const uint64_t *from;
    uint64_t *to; /* where it STORES */
    float middle, quantum, per_quantum;
    uint32_t key; /* of the first crystal */
    sw_packed_voce voce;
    static constexpr int BLOCKS = Lookup::BLOCKS;
    static constexpr bool MEANS = true, ADDS = true, SHARED_SUMS = Lookup::SHARED_SUMS;

    __device__ float scale() const { return lookup.scale(); }

    /* -> the end of the step, and by how many levels the resistance grows; false: it is not to be had so. */
    __device__ bool usual(const float output[SW_OUTPUTS], const float q[4], float s, float level,
                          float slip_rate, float turned[4], float *grown, float *growth) const
    {
        if (!VOCE)
            return false;
        float turn[3], rotation[4];
        const sw_mask small = sw_voce_step_harden(&voce.law, s, slip_rate, grown);
        for (int i = 0; i < 3; i++)
            turn[i] = voce.turn[i] + voce.turning[i][0] * output[5] + voce.turning[i][1] * output[6] +
                      voce.turning[i][2] * output[7];
        const float square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
        sw_quaternion_from_small(turn, square, rotation);
        sw_quaternion_product(rotation, q, turned);
        *growth = per_quantum * sw_log2(sw_divide(*grown, s));
        return (small & SW_LESS(square, SW_TURN_SMALL) & sw_packed_is_folded(turned, SW_PACKED_MARGIN) &
                sw_packed_has_place(level, *growth)) != 0;
    }

    __device__ uint2 load(int64_t i) const { return __ldcs(reinterpret_cast<const uint2 *>(from) + i); }

    __device__ bool operator()(const sw_step &step, int64_t i, float mean[SW_MEANS]) const
    {
        return (*this)(step, i, load(i), mean);
    }

    __device__ bool operator()(const sw_step &step, int64_t i, const uint2 &begun, float mean[SW_MEANS]) const
    {
        const sw_int word[2] = {(sw_int)begun.x, (sw_int)begun.y};
        const sw_frame frame = sw_frame_of_step(&step);
        float q[4], level, principal[4], output[SW_OUTPUTS], turned[4], grown, growth;
        sw_int next[2];
        sw_mask good = -1;
        sw_unpack(word, q, &level);
        const float s = sw_exp2(middle + level * quantum);
        sw_quaternion_product(frame.to_principal, q, principal);
        lookup(principal, frame.theta, output);
        for (int c = 0; c < 5; c++)
            mean[c] += output[c] * s;
        const float slip_rate = sw_max(output[8], 0.0F); /* crystal_update.h */
        if (!usual(output, q, s, level, slip_rate, turned, &grown, &growth)) {
            grown = sw_harden(&step.hardening, s, slip_rate * frame.strain);
            sw_crystal_turn(&frame, output, q, turned);
            growth = per_quantum * sw_log2(sw_divide(grown, s));
            if (!sw_packed_is_folded(turned, SW_PACKED_MARGIN))
                sw_packed_fold(turned, SW_PACKED_MARGIN);
            good = sw_packed_has_place(level, growth) & SW_LESS(sw_abs(turned[0]), 1e30F) & SW_LESS(0.0F, s);
        }
        mean[SW_SUM_RESISTANCE] += grown;
        mean[SW_SUM_SLIP_RATE] += slip_rate;
        sw_pack_folded(turned, level, growth, (sw_int)sw_packed_noise((uint32_t)i, key), next);
        if (STORES)
            __stcs(reinterpret_cast<uint2 *>(to) + i, make_uint2((unsigned)next[0], (unsigned)next[1]));
        return good != 0;
    }
};

template <class Lookup, bool STORES, bool VOCE>
static inline sw_status sw_packed_launch(sw_response *response, const sw_step_launch *where,
                                         const sw_step *step, const Lookup &lookup, const sw_crystals *from,
                                         const sw_crystals *to)
{
    const sw_packed *p = &from->packed;
    const sw_packed_work<Lookup, STORES, VOCE> work = {
        lookup,
        p->word,
        STORES ? to->packed.word : NULL,
        p->middle,
        p->quantum,
        1 / p->quantum,
        sw_packed_noise((uint32_t)p->first, sw_packed_key(p->step)),
        sw_packed_voce_of(step)};
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
        if (to == NULL) /* means alone: once a run, of any law */
            return sw_packed_launch<Lookup, false, false>(response, &where, step, lookup, from, to);
        return step->hardening.law == SW_LAW_voce
                   ? sw_packed_launch<Lookup, true, true>(response, &where, step, lookup, from, to)
                   : sw_packed_launch<Lookup, true, false>(response, &where, step, lookup, from, to);
    };
    return response->linear ? launch(sw_interpolated_entry{table}) : launch(sw_nearest_entry{table});
}

#endif
