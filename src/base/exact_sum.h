/* Sums of doubles without rounding errors: they do not depend on the order of the numbers, nor on
 * how these are divided among several sums. */
#ifndef SPF_BASE_EXACT_SUM_H
#define SPF_BASE_EXACT_SUM_H

#include <stdint.h>
#include <string.h>

/* Bit 0 of limb 0 is the smallest subnormal number, 2^-1074; the last limbs take up carries. */
enum { SPF_EXACT_LIMBS = 68, SPF_EXACT_BITS = 32 };

typedef struct spf_exact_sum {
    int64_t limb[SPF_EXACT_LIMBS];
    uint32_t added; /* numbers since carries were last propagated */
} spf_exact_sum;

void spf_exact_sum_carry(spf_exact_sum *sum);

/* Adds a finite number. */
static inline void spf_exact_sum_add(spf_exact_sum *sum, double number) {
    enum { CARRY_AFTER = 1 << 28 }; /* limbs take 2^33 at a time */
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    unsigned exponent = (unsigned)(bits >> 52) & 0x7ff;
    uint64_t mantissa = (bits & 0xfffffffffffffu) | (uint64_t)(exponent > 0) << 52;
    unsigned place = exponent > 0 ? exponent - 1 : 0, shift = place % SPF_EXACT_BITS;
    int64_t *limb = sum->limb + place / SPF_EXACT_BITS;
    uint64_t low = (mantissa & UINT32_MAX) << shift, high = (mantissa >> 32) << shift;
    int64_t parts[3] = {(int64_t)(low & UINT32_MAX), (int64_t)((low >> 32) + (high & UINT32_MAX)),
                        (int64_t)(high >> 32)};
    int64_t sign = bits >> 63 ? -1 : 1;
    for (int i = 0; i < 3; i++) limb[i] += sign * parts[i];
    if (++sum->added == CARRY_AFTER) spf_exact_sum_carry(sum);
}

/* Adds another sum. */
void spf_exact_sum_merge(spf_exact_sum *sum, const spf_exact_sum *other);

/* The sum, rounded once. */
double spf_exact_sum_value(const spf_exact_sum *sum);

#endif
