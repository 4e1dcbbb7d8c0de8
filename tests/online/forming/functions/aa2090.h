/* AA2090-T3: yield stresses over that along the rolling direction, and r-values, measured; and the coefficients of Barlat
 * et al. 2003 (Int. J. Plasticity 19, 1297) and 2005 (21, 1009, Table 2; shears in the order 23 31 12), both with a = 8. */
#ifndef SW_TESTS_AA2090_H
#define SW_TESTS_AA2090_H

#include "online/forming/functions/sheet.h"
#include "common/yield/yield_function.h"

enum { AA2090_ANGLES = 7 }; /* 0 to 90 degrees by 15 */
static const double aa2090_stress[AA2090_ANGLES] = {1.0000, 0.9605, 0.9102, 0.8114, 0.8096, 0.8815, 0.9102};
static const double aa2090_r[AA2090_ANGLES] = {0.2115, 0.3269, 0.6923, 1.5769, 1.0385, 0.5384, 0.6923};
static const double aa2090_biaxial_stress = 1.0350, aa2090_biaxial_r = 0.6700;

static inline sw_yield aa2090_yld2000(void)
{
    return (sw_yield){.function = &sw_yield_functions[SW_YIELD_YLD2000_2D],
                      .coefficient = {0.4865, 1.3783, 0.7536, 1.0246, 1.0363, 0.9036, 1.2321, 1.4858},
                      .exponent = 8,
                      .reference = 1};
}

static inline sw_yield aa2090_yld2004(void)
{
    return (sw_yield){.function = &sw_yield_functions[SW_YIELD_YLD2004_18P],
                      .coefficient = {-0.069888, 0.936408, 0.079143, 1.003060, 0.524741, 1.363180, 1.023770,
                                      1.069060, 0.954322, 0.981171, 0.476741, 0.575316, 0.866827, 1.145010,
                                      -0.079294, 1.051660, 1.147100, 1.404620},
                      .exponent = 8,
                      .reference = 1};
}

/* The measured sheet at a reference stress (Pa); every `step`-th angle. tension [AA2090_ANGLES]: caller's. */
static inline sw_sheet aa2090_sheet(double reference, int step, sw_sheet_tension *tension)
{
    sw_sheet sheet = {.tension = tension,
                      .biaxial_stress = reference * aa2090_biaxial_stress,
                      .biaxial_r = aa2090_biaxial_r};
    for (int i = 0; i < AA2090_ANGLES; i += step)
        tension[sheet.n_tensions++] =
            (sw_sheet_tension){i * 15 * acos(-1) / 180, reference * aa2090_stress[i], aa2090_r[i]};
    return sheet;
}

#endif
