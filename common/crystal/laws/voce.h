/* Voce's law: ds/dGamma = h0 (1 - s/s_s)^a; Malahe 2018, Eq. 17. On sw_real (lanes.h). */
#ifndef SW_COMMON_CRYSTAL_LAWS_VOCE_H
#define SW_COMMON_CRYSTAL_LAWS_VOCE_H

#include "common/math/lanes.h"

typedef struct {
    double initial_hardening_rate; /* h0, Pa; >= 0 */
    double saturation_resistance;  /* s_s, Pa; > s0 */
    double exponent;               /* a; >= 1 */
} sw_voce;

#define SW_LAW_HELP_voce "ds/dGamma = h0 (1 - s/s_s)^a"
#define SW_LAW_LIMIT_voce "hardening.saturation_resistance"
#define SW_LAW_KEYS_voce(KEY)                                                               \
    KEY(voce, initial_hardening_rate, 0, 1e13, .smallest = 1e4, .unit = "Pa", .help = "h0") \
    KEY(voce, saturation_resistance, 1e4, 1e12, .unit = "Pa", .help = "s_s; more than s0")  \
    KEY(voce, exponent, 1, 100, .help = "a")

/* 1 - (1 + q y)^(-1/q), and its limit 1 - exp(-y) for q = 0: what is lost of u = 1 - s/s_s. y, q >= 0. */
SW_HD static inline sw_real sw_voce_loss(sw_real y, double q)
{
    sw_real exponent = sw_broadcast(q), one = sw_broadcast(1.0);
#ifdef SW_SINGLE
    /* A small loss by its series: of the difference below single precision would leave a few digits, and
     * those that are lost step by step add up. */
    sw_real series = sw_broadcast(1.0);
    SW_UNROLL
    for (int k = 6; k >= 1; k--)
        series =
            one - y * (sw_broadcast(1.0 / (k + 1)) + exponent * sw_broadcast((double)k / (k + 1))) * series;
    series = y * series;
    sw_mask small = SW_LESS(y * sw_max(exponent, one), sw_broadcast(0.1));
    if (!sw_any(~small))
        return series;
#endif
    sw_real lost = one - (q < 1e-6 ? sw_exp2(y * sw_broadcast(-1.4426950408889634)) /* 1 / ln 2 */
                                   : sw_exp2(sw_divide(sw_log2(one + y * exponent), -exponent)));
#ifdef SW_SINGLE
    lost = sw_choose(small, series, lost);
#endif
    return lost;
}

/* u = 1 - s/s_s. Divisions are of sw_real: a GPU has no quick ones in double precision. */
SW_HD static inline sw_real sw_voce_left(const sw_voce *law, sw_real s)
{
    return sw_broadcast(1.0) - sw_divide(s, sw_broadcast(law->saturation_resistance));
}

/* u^(1-a) grows linearly in the slip (a > 1), or u decays exponentially (a = 1). At or above saturation s stays as
 * it is. */
SW_HD static inline sw_real sw_voce_harden(const sw_voce *law, sw_real s, sw_real slip)
{
    const double q = law->exponent - 1;
    sw_real saturation = sw_broadcast(law->saturation_resistance), u = sw_voce_left(law, s);
    sw_real rate = sw_divide(sw_broadcast(law->initial_hardening_rate), saturation);
    sw_real lost = sw_voce_loss(slip * rate * sw_power(u, q), q);
    return sw_choose(SW_LESS(sw_broadcast(1e-9), u), s + saturation * u * lost, s);
}

/* The law for a step that all crystals share, by numbers made once. */
typedef struct {
    float per_saturation, saturation, rate, exponent, most, series[5];
} sw_voce_step;

/* strain: what a slip is over. With an exponent of 1 the power is 1 up to saturation, where nothing is left. */
static inline sw_voce_step sw_voce_step_of(const sw_voce *law, double strain)
{
    const double q = law->exponent - 1;
    sw_voce_step step = {(float)(1 / law->saturation_resistance),
                         (float)law->saturation_resistance,
                         (float)(law->initial_hardening_rate / law->saturation_resistance * strain),
                         (float)fmax(q, 1e-30),
                         (float)(0.1 / fmax(q, 1)),
                         {0}};
    double product = 1;
    for (int k = 1; k <= 5; k++) {
        product *= -(1 + k * q) / (k + 1);
        step.series[k - 1] = (float)product;
    }
    return step;
}

/* sw_voce_harden by these. Returns where the loss is small enough for its series, to 1e-6 of it. */
SW_HD static inline sw_mask sw_voce_step_harden(const sw_voce_step *step, sw_real s, sw_real slip,
                                                sw_real *grown)
{
    sw_real u = sw_unit(-s, sw_broadcast(step->per_saturation), sw_broadcast(1.0));
    sw_real y = slip * step->rate * sw_exp2(step->exponent * sw_log2(u));
    sw_real lost = y * step->series[4] + step->series[3];
    SW_UNROLL
    for (int k = 2; k >= 0; k--)
        lost = y * lost + step->series[k];
    lost = y * lost + sw_broadcast(1.0);
    *grown = s + step->saturation * u * (y * lost);
    return SW_LESS(y, sw_broadcast(step->most));
}

/* ds/dGamma at s, Pa: 0 at saturation and above. */
SW_HD static inline sw_real sw_voce_rate(const sw_voce *law, sw_real s)
{
    sw_real u = sw_voce_left(law, s);
    sw_real rate =
        sw_broadcast(law->initial_hardening_rate) * sw_power(sw_max(u, sw_broadcast(1e-9)), law->exponent);
    return sw_choose(SW_LESS(sw_broadcast(1e-9), u), rate, sw_broadcast(0.0));
}

/* Pa. */
static inline double sw_voce_most(const sw_voce *law) { return law->saturation_resistance; }

/* With s_s + d in place of s_s, u = 1 - s/s_s of s + d is s_s / (s_s + d) times what it was of s. What that takes
 * from u^a, h0 gives back: h0 u^a stays. Solvers hold it in single precision. */
static inline int sw_voce_shift(sw_voce *law, double shift)
{
    const double before = law->saturation_resistance;
    law->saturation_resistance = before + shift;
    law->initial_hardening_rate *= pow(law->saturation_resistance / before, law->exponent);
    return law->initial_hardening_rate <= 1e30;
}

#endif
