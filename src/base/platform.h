/* The machines that the library supports. Others are refused here at compile time, with the reason.
 *
 * FLT_EVAL_METHOD 0 means that single-precision sums are computed in single precision. 16, the
 * value for processors with half-precision arithmetic (AVX512-FP16, ARMv8.2 fp16), means the same
 * for every type but half precision, which is not used. */
#ifndef SPF_BASE_PLATFORM_H
#define SPF_BASE_PLATFORM_H

#include <float.h>
#include <limits.h>

#if !defined(__GNUC__)
#error "sporf is compiled with gcc or clang"
#endif
#if __SIZEOF_POINTER__ != 8 || !defined(__SIZEOF_INT128__)
#error "sporf needs a 64-bit machine"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "sporf needs a little-endian machine: model files are used as they are stored"
#endif
#if !defined(__linux__) && !defined(__APPLE__) && !defined(__MINGW64__)
#error "sporf needs Linux, macOS, or Windows with MinGW-w64"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "sporf needs single-precision arithmetic that is rounded at each step, as SSE2 and NEON do"
#endif

/* Vectors of more than 16 bytes may be used if the processor has them. On 64-bit Windows gcc does
 * not align them on the stack, but stores them as if they were aligned (GCC bug 54412). */
#if defined(__x86_64__) && (!defined(_WIN32) || defined(__clang__))
#define SPF_WIDE_VECTORS
#endif

#endif
