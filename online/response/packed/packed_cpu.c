#include "packed_lanes.h"

#include "packed_cpu.h"

#include "common/math/quaternion.h"
#include "common/system/threads.h"

/* A crystal takes some 50 ns there, and 100 back. */
int64_t sw_crystals_pack_cpu(const sw_packed *to, float margin, int64_t n, const sw_crystal *crystal)
{
    int64_t outside = 0;
#pragma omp parallel for schedule(static) reduction(+ : outside) num_threads(sw_threads_for(n, 50))
    for (int64_t first = 0; first < n; first += SW_LANES) {
        const int lanes = n - first < SW_LANES ? (int)(n - first) : SW_LANES;
        float angle[3][SW_LANES], s[SW_LANES];
        uint32_t nearest[SW_LANES];
        sw_real euler[3], resistance, q[4];
        for (int lane = 0; lane < SW_LANES; lane++) {
            const sw_crystal *one = &crystal[first + (lane < lanes ? lane : lanes - 1)];
            for (int i = 0; i < 3; i++)
                angle[i][lane] = one->euler[i];
            s[lane] = one->slip_resistance;
            nearest[lane] = SW_PACKED_NEAREST;
        }
        memcpy(euler, angle, sizeof euler);
        memcpy(&resistance, s, sizeof resistance);
        sw_quaternion_from_euler(euler, q);
        for (int i = 0; i < 4; i++)
            q[i] = q[i] * SW_PACKED_UNIT;
        sw_mask good = sw_packed_store(lanes, q, sw_broadcast(0.0),
                                       (sw_log2(resistance) - to->middle) * (1 / to->quantum), nearest,
                                       margin, to->word + first);
        outside += __builtin_popcount(sw_lanes_outside(good, lanes));
    }
    return outside;
}

void sw_crystals_unpack_cpu(const sw_packed *from, int64_t n, sw_crystal *crystal)
{
#pragma omp parallel for schedule(static) num_threads(sw_threads_for(n, 100))
    for (int64_t first = 0; first < n; first += SW_LANES) {
        const int lanes = n - first < SW_LANES ? (int)(n - first) : SW_LANES;
        float angle[3][SW_LANES], s[SW_LANES];
        sw_real q[4], euler[3], level, resistance;
        sw_packed_load(lanes, from, first, q, &level, &resistance);
        for (int i = 0; i < 4; i++)
            q[i] = q[i] * (1 / SW_PACKED_UNIT);
        sw_quaternion_to_euler(q, euler);
        memcpy(angle, euler, sizeof angle);
        memcpy(s, &resistance, sizeof s);
        for (int lane = 0; lane < lanes; lane++)
            crystal[first + lane] = (sw_crystal){{angle[0][lane], angle[1][lane], angle[2][lane]}, s[lane]};
    }
}
