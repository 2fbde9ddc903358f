/* Carries and rounding of exact sums. */
#include "base/exact_sum.h"

#include <math.h>

/* Every limb but the last becomes a digit from 0 to 2^32 - 1. */
void spf_exact_sum_carry(spf_exact_sum *sum) {
    int64_t carry = 0;
    for (int i = 0; i + 1 < SPF_EXACT_LIMBS; i++) {
        int64_t all = sum->limb[i] + carry;
        int64_t digit = all & UINT32_MAX;
        carry = (all - digit) / ((int64_t)1 << SPF_EXACT_BITS);
        sum->limb[i] = digit;
    }
    sum->limb[SPF_EXACT_LIMBS - 1] += carry;
    sum->added = 0;
}

void spf_exact_sum_merge(spf_exact_sum *sum, const spf_exact_sum *other) {
    spf_exact_sum more = *other;
    spf_exact_sum_carry(&more);
    spf_exact_sum_carry(sum);
    for (int i = 0; i < SPF_EXACT_LIMBS; i++) sum->limb[i] += more.limb[i];
    spf_exact_sum_carry(sum);
}

/* The 64 highest bits of a sum that is not negative, the last of them set if anything was cut off;
 * *place is that of bit 0. */
static uint64_t highest_bits(const spf_exact_sum *sum, int top, int *place) {
    uint64_t bits = (uint64_t)sum->limb[top];
    int next = top - 1, zeros;
    if (next >= 0) bits = bits << SPF_EXACT_BITS | (uint64_t)sum->limb[next--];
    *place = (next + 1) * SPF_EXACT_BITS;
    zeros = __builtin_clzll(bits);
    uint64_t below = next >= 0 ? (uint64_t)sum->limb[next] : 0;
    if (next >= 0 && zeros > 0) { /* at most 31, as limb `top` is not 0 */
        bits = bits << zeros | below >> (SPF_EXACT_BITS - zeros);
        below = below << (SPF_EXACT_BITS + zeros); /* the rest of it, in the upper half */
        *place -= zeros;
    }
    int rest = below != 0;
    for (int i = next - 1; i >= 0; i--) rest |= sum->limb[i] != 0;
    return bits | (uint64_t)rest;
}

double spf_exact_sum_value(const spf_exact_sum *sum) {
    enum { LEAST_EXPONENT = -1074 };
    spf_exact_sum own = *sum;
    spf_exact_sum_carry(&own);
    int negative = own.limb[SPF_EXACT_LIMBS - 1] < 0, top = SPF_EXACT_LIMBS - 1, place;
    if (negative) {
        for (int i = 0; i < SPF_EXACT_LIMBS; i++) own.limb[i] = -own.limb[i];
        spf_exact_sum_carry(&own);
    }
    while (top > 0 && own.limb[top] == 0) top--;
    if (own.limb[top] == 0) return 0;
    uint64_t bits = highest_bits(&own, top, &place);
    double value = ldexp((double)bits, place + LEAST_EXPONENT);
    return negative ? -value : value;
}
