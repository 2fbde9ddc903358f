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
#if !defined(__GLIBC__) && !defined(__APPLE__)
#error "sporf needs the GNU C library (Linux) or macOS; musl and others are not supported"
#endif
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "sporf needs single-precision arithmetic that is rounded at each step, as SSE2 and NEON do"
#endif

#endif
