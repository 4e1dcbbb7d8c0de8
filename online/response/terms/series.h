/* Fourier terms added to the nine sums, or thirteen: Malahe 2018, Algorithm 1 and Eqs. 36-39, in single precision; one
 * crystal, or a bundle. Outputs are counted as in symmetry.h. */
#ifndef SW_ONLINE_RESPONSE_TERMS_SERIES_H
#define SW_ONLINE_RESPONSE_TERMS_SERIES_H

#include "common/crystal/symmetry.h"
#include "common/math/turns.h"

/* Phases are integers, 2^23 to a turn: sums of products of them wrap as angles do, so that the modulo is an
 * AND (Eq. 39) whatever the lengths of the grid. */
#define SW_TURN 8388608

/* Eq. 33: the nearest of `points` <= 2^22 points of a full turn, as a phase; exact where points is a power of
 * two, else to one of SW_TURN. angle: turns, in [-1, 1]. */
SW_HD static inline sw_int sw_nearest_point(sw_real angle, int32_t points)
{
    sw_real j = sw_nearest_whole(sw_fraction(angle) * (float)points);
    return sw_round_large(j * ((float)SW_TURN / (float)points));
}

/* Phase of j . k in turns, in [-1/2, 1/2), for phases j and wavenumbers k in `dimensions`. Half a turn is
 * added before the AND and taken off after, for the centre; wrapped 32-bit arithmetic is harmless. */
SW_HD static inline sw_real sw_phase(int dimensions, const sw_int *j, const int32_t *k)
{
    sw_int product = j[0] * k[0] + SW_TURN / 2;
    SW_UNROLL
    for (int d = 1; d < dimensions; d++)
        product += j[d] * k[d];
    return sw_from_int((product & (SW_TURN - 1)) - SW_TURN / 2) * (1.0F / SW_TURN);
}

/* Kinds of lists of terms. Symmetry (fold.h) leaves a term only the outputs that its wavenumber of phi1, even
 * or odd, admits, and once theta is folded in, either the cosine or the sine of each. */
typedef enum {
    SW_SERIES_GENERAL,     /* nine complex coefficients */
    SW_SERIES_EVEN,        /* complex 11, 22, 12, Wp12, G */
    SW_SERIES_ODD,         /* complex 13, 23, Wp13, Wp23 */
    SW_SERIES_EVEN_FOLDED, /* cosine of 11, 22, G; sine of 12, Wp12 */
    SW_SERIES_ODD_FOLDED,  /* cosine of 13, Wp13; sine of 23, Wp23 */
    /* the same with how planes share slip, outputs 9 to 12, whose terms are even */
    SW_SERIES_GENERAL_PLANES,
    SW_SERIES_EVEN_PLANES,
    SW_SERIES_EVEN_FOLDED_PLANES, /* and cosine of 9, 12; sine of 10, 11 */
    SW_SERIES_KINDS
} sw_series_kind;

/* Floats a term holds after its wavevector. */
SW_HD static inline SW_CONSTEXPR int sw_series_coefficients(sw_series_kind kind)
{
    return kind == SW_SERIES_GENERAL          ? 18
           : kind == SW_SERIES_EVEN           ? 10
           : kind == SW_SERIES_ODD            ? 8
           : kind == SW_SERIES_EVEN_FOLDED    ? 5
           : kind == SW_SERIES_ODD_FOLDED     ? 4
           : kind == SW_SERIES_GENERAL_PLANES ? 26
           : kind == SW_SERIES_EVEN_PLANES    ? 18
                                              : 9;
}

/* sum[c] += Re(coefficient exp(2 pi i phase)) */
SW_HD static inline void sw_add_complex(sw_real *sum, const float *coefficient, sw_real cosine, sw_real sine)
{
    *sum += coefficient[0] * cosine;
    *sum -= coefficient[1] * sine;
}

/* Whether its sums are thirteen; and the kind without what these have more, whose coefficients come first. */
SW_HD static inline SW_CONSTEXPR int sw_series_has_planes(sw_series_kind kind)
{
    return kind >= SW_SERIES_GENERAL_PLANES;
}
SW_HD static inline SW_CONSTEXPR sw_series_kind sw_series_of_nine(sw_series_kind kind)
{
    return kind == SW_SERIES_GENERAL_PLANES       ? SW_SERIES_GENERAL
           : kind == SW_SERIES_EVEN_PLANES        ? SW_SERIES_EVEN
           : kind == SW_SERIES_EVEN_FOLDED_PLANES ? SW_SERIES_EVEN_FOLDED
                                                  : kind;
}

/* Of outputs 9 to 12, planes [4]: their coefficients alone. */
SW_HD static inline void sw_add_planes(sw_series_kind kind, sw_real *planes, const float *a, sw_real sine,
                                       sw_real cosine)
{
    if (kind == SW_SERIES_EVEN_FOLDED_PLANES) {
        planes[0] += a[0] * cosine;
        planes[3] += a[1] * cosine;
        planes[1] += a[2] * sine;
        planes[2] += a[3] * sine;
        return;
    }
    SW_UNROLL
    for (int c = 0; c < 4; c++)
        sw_add_complex(&planes[c], a + 2 * c, cosine, sine);
}

/* Add one term, given sine and cosine of its phase. coefficient: complex ones as (real, imaginary); folded
 * ones (real, or minus imaginary) in the order of the list above. sum [9], or of kinds with planes [13]. kind: a constant where this is called. */
SW_HD static inline void sw_add_factors(sw_series_kind kind, sw_real *sum, const float *coefficient,
                                        sw_real sine, sw_real cosine)
{
    const float *a = coefficient;
    if (sw_series_has_planes(kind))
        sw_add_planes(kind, sum + SW_OUTPUTS, a + sw_series_coefficients(sw_series_of_nine(kind)), sine,
                      cosine);
    switch (sw_series_of_nine(kind)) {
    case SW_SERIES_EVEN:
        sw_add_complex(&sum[0], a, cosine, sine);
        sw_add_complex(&sum[1], a + 2, cosine, sine);
        sw_add_complex(&sum[2], a + 4, cosine, sine);
        sw_add_complex(&sum[5], a + 6, cosine, sine);
        sw_add_complex(&sum[8], a + 8, cosine, sine);
        break;
    case SW_SERIES_ODD:
        sw_add_complex(&sum[3], a, cosine, sine);
        sw_add_complex(&sum[4], a + 2, cosine, sine);
        sw_add_complex(&sum[6], a + 4, cosine, sine);
        sw_add_complex(&sum[7], a + 6, cosine, sine);
        break;
    case SW_SERIES_EVEN_FOLDED:
        sum[0] += a[0] * cosine;
        sum[1] += a[1] * cosine;
        sum[8] += a[2] * cosine;
        sum[2] += a[3] * sine;
        sum[5] += a[4] * sine;
        break;
    case SW_SERIES_ODD_FOLDED:
        sum[3] += a[0] * cosine;
        sum[6] += a[1] * cosine;
        sum[4] += a[2] * sine;
        sum[7] += a[3] * sine;
        break;
    default:
        SW_UNROLL
        for (int c = 0; c < SW_OUTPUTS; c++)
            sw_add_complex(&sum[c], a + 2 * c, cosine, sine);
    }
}

/* The same at a phase in turns, |phase| <= 1/2. */
SW_HD static inline void sw_add_term(sw_series_kind kind, sw_real *sum, const float *coefficient,
                                     sw_real phase)
{
    sw_real sine, cosine;
    sw_sincos_turns(phase, &sine, &cosine);
    sw_add_factors(kind, sum, coefficient, sine, cosine);
}

#endif
