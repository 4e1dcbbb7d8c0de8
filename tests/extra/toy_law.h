/* Linear hardening up to a limit, ds/dGamma = h below s_m, as a newcomer would write it. */
#ifndef SW_TESTS_EXTRA_TOY_LAW_H
#define SW_TESTS_EXTRA_TOY_LAW_H

#include "common/math/lanes.h"

typedef struct {
    double toy_rate, toy_limit; /* h, s_m, Pa */
} sw_toy;

#define SW_LAW_HELP_toy "ds/dGamma = h below s_m"
#define SW_LAW_LIMIT_toy "hardening.toy_limit"
#define SW_LAW_KEYS_toy(KEY)                               \
    KEY(toy, toy_rate, 0, 1e13, .unit = "Pa", .help = "h") \
    KEY(toy, toy_limit, 1e4, 1e12, .unit = "Pa", .help = "s_m; more than s0")

SW_HD static inline sw_real sw_toy_harden(const sw_toy *law, sw_real s, sw_real slip)
{
    sw_real limit = sw_max(sw_broadcast(law->toy_limit), s);
    return sw_min(s + sw_broadcast(law->toy_rate) * slip, limit);
}

SW_HD static inline sw_real sw_toy_rate(const sw_toy *law, sw_real s)
{
    return sw_choose(SW_LESS(s, sw_broadcast(law->toy_limit)), sw_broadcast(law->toy_rate),
                     sw_broadcast(0.0));
}

static inline double sw_toy_most(const sw_toy *law) { return law->toy_limit; }

static inline int sw_toy_shift(sw_toy *law, double shift)
{
    law->toy_limit += shift;
    return 1;
}

#endif
