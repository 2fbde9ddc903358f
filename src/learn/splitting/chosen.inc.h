/* Those of eight numbers that a mask chooses, moved together, where permutations of eight numbers
 * are one instruction. */

#if defined(NATIVE) && defined(__x86_64__) && LANES == 8

/* Byte k of the word of a mask: which of its bits is set as the k-th one. */
#define BIT(mask, i) ((uint64_t)(mask) >> (i)&1)
#define BITS_BELOW_4(mask, i)                                                                      \
    (BIT(mask, 0) * ((i) > 0) + BIT(mask, 1) * ((i) > 1) + BIT(mask, 2) * ((i) > 2) +              \
     BIT(mask, 3) * ((i) > 3))
#define BITS_BELOW(mask, i)                                                                        \
    (BITS_BELOW_4(mask, i) + BIT(mask, 4) * ((i) > 4) + BIT(mask, 5) * ((i) > 5) +                 \
     BIT(mask, 6) * ((i) > 6))
#define PLACED(mask, i) ((i)*BIT(mask, i) << (8 * BITS_BELOW(mask, i)))
#define WORD(mask)                                                                                 \
    (PLACED(mask, 1) | PLACED(mask, 2) | PLACED(mask, 3) | PLACED(mask, 4) | PLACED(mask, 5) |     \
     PLACED(mask, 6) | PLACED(mask, 7))
#define WORDS_4(mask) WORD(mask), WORD((mask) + 1), WORD((mask) + 2), WORD((mask) + 3)
#define WORDS_16(mask) WORDS_4(mask), WORDS_4((mask) + 4), WORDS_4((mask) + 8), WORDS_4((mask) + 12)
#define WORDS_64(mask)                                                                             \
    WORDS_16(mask), WORDS_16((mask) + 16), WORDS_16((mask) + 32), WORDS_16((mask) + 48)

static const uint64_t chosen[256] = {WORDS_64(0), WORDS_64(64), WORDS_64(128), WORDS_64(192)};

/* Numbers in the order of the bytes of a word. */
INLINE __m256i in_order(__m256i numbers, uint64_t word) {
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)word));
    return _mm256_permutevar8x32_epi32(numbers, order);
}

#endif
