/* Hardening laws: how the slip resistance grows with slip; their constants, and their closed forms on sw_real
 * (lanes.h). To add one: here its name, its constants, its form, its rate and its most; its keys in material_file.c, its shift
 * in ageing.c; a test. */
#ifndef SW_COMMON_CRYSTAL_HARDENING_H
#define SW_COMMON_CRYSTAL_HARDENING_H

#include "common/math/lanes.h"

typedef enum {
    SW_HARDENING_VOCE, /* ds/dGamma = h0 (1 - s/s_s)^a; Malahe 2018, Eq. 17 */
    SW_HARDENING_LAWS
} sw_hardening_law;

typedef struct {
    sw_hardening_law law;
    double initial_hardening_rate; /* h0, Pa; >= 0 */
    double saturation_resistance;  /* s_s, Pa; > s0 */
    double exponent;               /* a; >= 1 */
} sw_hardening;

/* ---- Voce ---- */

/* 1 - (1 + q y)^(-1/q), and its limit 1 - exp(-y) for q = 0: what is lost of u = 1 - s/s_s. y, q >= 0. */
SW_HD static inline sw_real sw_voce_loss(sw_real y, double q)
{
    sw_real exponent = sw_broadcast(q), one = sw_broadcast(1.0);
    sw_real lost = one - (q < 1e-6 ? sw_exp2(y * sw_broadcast(-1.4426950408889634)) /* 1 / ln 2 */
                                   : sw_exp2(sw_divide(sw_log2(one + y * exponent), -exponent)));
#ifdef SW_SINGLE
    /* A small loss by its series: of the difference above single precision would leave a few digits, and
     * those that are lost step by step add up. */
    sw_real series = sw_broadcast(1.0);
    SW_UNROLL
    for (int k = 6; k >= 1; k--)
        series =
            one - y * (sw_broadcast(1.0 / (k + 1)) + exponent * sw_broadcast((double)k / (k + 1))) * series;
    lost = sw_choose(SW_LESS(y * sw_max(exponent, one), sw_broadcast(0.1)), y * series, lost);
#endif
    return lost;
}

/* u = 1 - s/s_s. Divisions are of sw_real: a GPU has no quick ones in double precision. */
SW_HD static inline sw_real sw_voce_left(const sw_hardening *hardening, sw_real s)
{
    return sw_broadcast(1.0) - sw_divide(s, sw_broadcast(hardening->saturation_resistance));
}

/* u^(1-a) grows linearly in the slip (a > 1), or u decays exponentially (a = 1). At or above saturation s stays as
 * it is. */
SW_HD static inline sw_real sw_harden_voce(const sw_hardening *hardening, sw_real s, sw_real slip)
{
    const double q = hardening->exponent - 1;
    sw_real saturation = sw_broadcast(hardening->saturation_resistance), u = sw_voce_left(hardening, s);
    sw_real rate = sw_divide(sw_broadcast(hardening->initial_hardening_rate), saturation);
    sw_real lost = sw_voce_loss(slip * rate * sw_power(u, q), q);
    return sw_choose(SW_LESS(sw_broadcast(1e-9), u), s + saturation * u * lost, s);
}

/* ds/dGamma at s, Pa: 0 at saturation and above. */
SW_HD static inline sw_real sw_harden_voce_rate(const sw_hardening *hardening, sw_real s)
{
    sw_real u = sw_voce_left(hardening, s);
    sw_real rate = sw_broadcast(hardening->initial_hardening_rate) *
                   sw_power(sw_max(u, sw_broadcast(1e-9)), hardening->exponent);
    return sw_choose(SW_LESS(sw_broadcast(1e-9), u), rate, sw_broadcast(0.0));
}

/* ---- Any ---- */

/* Slip resistance (Pa) after the accumulated slip grows by `slip` >= 0: the law integrated exactly. */
SW_HD static inline sw_real sw_harden(const sw_hardening *hardening, sw_real s, sw_real slip)
{
    switch (hardening->law) {
    case SW_HARDENING_VOCE:
        return sw_harden_voce(hardening, s, slip);
    case SW_HARDENING_LAWS:
        break;
    }
    return s;
}

/* Pa: what a slip resistance has no law beyond, and begins below. */
static inline double sw_hardening_most(const sw_hardening *hardening)
{
    switch (hardening->law) {
    case SW_HARDENING_VOCE:
        return hardening->saturation_resistance;
    case SW_HARDENING_LAWS:
        break;
    }
    return INFINITY;
}

/* The law itself: ds/dGamma at s, Pa. */
SW_HD static inline sw_real sw_hardening_rate(const sw_hardening *hardening, sw_real s)
{
    switch (hardening->law) {
    case SW_HARDENING_VOCE:
        return sw_harden_voce_rate(hardening, s);
    case SW_HARDENING_LAWS:
        break;
    }
    return sw_broadcast(0.0);
}

#endif
