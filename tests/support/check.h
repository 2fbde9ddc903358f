/* Assertions that the tests share: calls that must succeed, calls that must be refused with certain
 * words, and counts that must look as if drawn with equal chances. */
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sporf.h"

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        if ((call) != SPORF_OK) fail_msg("%s: %s", #call, sporf_last_error());                     \
    } while (0)

#define assert_refused(call, code, words)                                                          \
    do {                                                                                           \
        sporf_status refused_status = (call);                                                      \
        if (refused_status != (code))                                                              \
            fail_msg("%s gave %d instead of %d", #call, (int)refused_status, (int)(code));         \
        if (!strstr(sporf_last_error(), (words)))                                                  \
            fail_msg("%s says \"%s\", without \"%s\"", #call, sporf_last_error(), (words));        \
    } while (0)

#define assert_near(value, wanted, tolerance)                                                      \
    do {                                                                                           \
        double near_value = (value), near_wanted = (wanted);                                       \
        if (!(fabs(near_value - near_wanted) <= (tolerance)))                                      \
            fail_msg("%s is %.17g instead of %.17g", #value, near_value, near_wanted);             \
    } while (0)

/* The ThreadSanitizer takes twenty times as long. It sees all the ways in which threads meet in a
 * few of the `count` cases that a test tries; and a test in which none meet is left to the other
 * builds. */
#ifdef __SANITIZE_THREAD__
#define CASES(count) (((count) + 7) / 8)
#define no_threads_meet() skip()
#else
#define CASES(count) (count)
#define no_threads_meet() ((void)0)
#endif

/* The AddressSanitizer takes four times as long. It sees every line that runs, and needs fewer of
 * the `count` cases that are drawn at random, or that differ only in what they compare. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DRAWN(count) (((count) + 3) / 4)
#define IS_SANITIZED 1
#else
#define DRAWN(count) (count)
#define IS_SANITIZED 0
#endif

/* Memory that the test cannot do without. */
static inline void *need(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

/* How many standard deviations the chi-square of `cells` counts, each with the same expectation,
 * lies above its mean (Wilson and Hilferty 1931). */
static inline double chi_square_excess(const size_t *counts, size_t cells, double expected) {
    double sum = 0, freedom = (double)cells - 1;
    for (size_t i = 0; i < cells; i++) {
        double difference = (double)counts[i] - expected;
        sum += difference * difference / expected;
    }
    double spread = 2 / (9 * freedom);
    return (cbrt(sum / freedom) - (1 - spread)) / sqrt(spread);
}

/* Streams are fixed, so that a good generator passes always; 4 is far beyond what chance gives, and
 * a sum far too small is no chance either. */
#define assert_equally_likely(counts, cells, expected)                                             \
    do {                                                                                           \
        double excess = chi_square_excess((counts), (cells), (expected));                          \
        if (!(fabs(excess) < 4)) fail_msg("%s: chi-square is off by %g sd", #counts, excess);      \
    } while (0)

#endif
