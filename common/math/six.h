/* Symmetric tensors as six numbers: 11 22 33 23 13 12. Which of them is component ij, and which ij is one of them. */
#ifndef SW_COMMON_MATH_SIX_H
#define SW_COMMON_MATH_SIX_H

#include "common/system/device.h"

SW_HD static inline SW_CONSTEXPR int sw_six_row(int k) { return k < 3 ? k : k == 3; }
SW_HD static inline SW_CONSTEXPR int sw_six_column(int k) { return k < 3 ? k : k == 5 ? 1 : 2; }
SW_HD static inline SW_CONSTEXPR int sw_six_of(int i, int j) { return i == j ? i : 6 - i - j; }

#endif
