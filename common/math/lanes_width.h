/* Bytes of a SIMD register of the processor that is built for (-march). Bundles are as wide: gcc takes wider
 * ones apart number by number, and what runs on them becomes 2 to 12 times slower. */
#ifndef SW_COMMON_MATH_LANES_WIDTH_H
#define SW_COMMON_MATH_LANES_WIDTH_H

#if defined(__AVX512F__)
#define SW_REGISTER_BYTES 64
#elif defined(__AVX__)
#define SW_REGISTER_BYTES 32
#else
#define SW_REGISTER_BYTES 16
#endif

#endif
