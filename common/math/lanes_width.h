/* Numbers in a SIMD register of the processor that is built for (-march). Bundles are as wide: gcc takes wider
 * ones apart number by number, and what runs on them becomes 2 to 12 times slower. */
#ifndef SW_COMMON_MATH_LANES_WIDTH_H
#define SW_COMMON_MATH_LANES_WIDTH_H

#if defined(__AVX512F__)
#define SW_REGISTER_FLOATS 16
#define SW_REGISTER_DOUBLES 8
#elif defined(__AVX__)
#define SW_REGISTER_FLOATS 8
#define SW_REGISTER_DOUBLES 4
#else
#define SW_REGISTER_FLOATS 4
#define SW_REGISTER_DOUBLES 2
#endif

#endif
