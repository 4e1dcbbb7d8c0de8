/* SW_HD: a function for the host and, under nvcc, for the device too. */
#ifndef SW_COMMON_SYSTEM_DEVICE_H
#define SW_COMMON_SYSTEM_DEVICE_H

#ifdef __CUDACC__
#define SW_HD __host__ __device__
#else
#define SW_HD
#endif

/* `SW_HD_INLINE static inline`: the same, and in kernels always a part of its caller, so that what the caller knows as a
 * constant leaves code out. */
#ifdef __CUDACC__
#define SW_HD_INLINE SW_HD __attribute__((always_inline))
#else
#define SW_HD_INLINE
#endif

/* `SW_HD_ALWAYS static inline`: part of its caller on the host, too: of innermost loops. */
#define SW_HD_ALWAYS SW_HD __attribute__((always_inline))

/* A function whose value CUDA C++ may use as a constant. */
#ifdef __cplusplus
#define SW_CONSTEXPR constexpr
#else
#define SW_CONSTEXPR
#endif

/* Unroll the loop that follows, completely: its bounds are small constants, and only then do its
 * arrays become registers. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define SW_UNROLL _Pragma("GCC unroll 16")
#else
#define SW_UNROLL _Pragma("unroll")
#endif

/* In a kernel, leave the loop that follows as it is, where what is long and runs once is short of code's cache; or unroll
 * it by n, where all of it at once would not fit the registers. */
#ifdef __CUDACC__
#define SW_ROLLED _Pragma("unroll 1")
#define SW_PRAGMA(text) _Pragma(#text)
#define SW_UNROLL_BY(n) SW_PRAGMA(unroll n)
#else
#define SW_ROLLED
#define SW_UNROLL_BY(n)
#endif

#endif
