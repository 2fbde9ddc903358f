/* The rows of a node to its two sides, stably: eight at a time where permutations of eight numbers
 * are one instruction, otherwise one by one, without branches either way. */

#if defined(NATIVE) && defined(__x86_64__) && LANES == 8

INLINE unsigned bits_to_the_left(__m256 values, float threshold) {
    return (unsigned)_mm256_movemask_ps(
        _mm256_cmp_ps(values, _mm256_set1_ps(threshold), _CMP_LE_OQ));
}

/* A mask of the first numbers. */
INLINE __m256i first_of_eight(size_t count) {
    const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), place);
}

INLINE void copy_numbers(uint32_t *to, const uint32_t *from, size_t count) {
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) store(to + i, load(from + i));
    const __m256i rest = first_of_eight(count - i);
    _mm256_maskstore_epi32((int *)(to + i), rest,
                           _mm256_maskload_epi32((const int *)from + i, rest));
}

/* Up to eight rows, all at once. */
INLINE size_t partition_few(uint32_t *a, uint32_t *b, size_t count, const float *value,
                            float threshold) {
    const __m256i rows = first_of_eight(count);
    unsigned all = (1u << count) - 1;
    unsigned mask = bits_to_the_left(_mm256_maskload_ps(value, rows), threshold) & all;
    size_t left = (size_t)__builtin_popcount(mask);
    uint64_t word = chosen[mask];
    if (left < count) word |= chosen[mask ^ all] << (8 * left);
    __m256i x = _mm256_maskload_epi32((const int *)a, rows);
    __m256i y = _mm256_maskload_epi32((const int *)b, rows);
    _mm256_maskstore_epi32((int *)a, rows, in_order(x, word));
    _mm256_maskstore_epi32((int *)b, rows, in_order(y, word));
    return left;
}

/* Rows to the left, of which `first` says how many there are; none is written beyond those read. */
INLINE size_t partition_eights(uint32_t *a, uint32_t *b, size_t count, const float *value,
                               float threshold, uint32_t *spare, size_t *first) {
    uint32_t *spare_b = spare + count;
    size_t i = 0, left = 0;
    for (; i + LANES <= count; i += LANES) {
        __m256i x = (__m256i)load(a + i), y = (__m256i)load(b + i);
        unsigned mask = bits_to_the_left((__m256)load_floats(value + i), threshold);
        uint64_t to_left = chosen[mask], to_right = chosen[mask ^ 0xff];
        store(a + left, (u32v)in_order(x, to_left));
        store(b + left, (u32v)in_order(y, to_left));
        store(spare + (i - left), (u32v)in_order(x, to_right));
        store(spare_b + (i - left), (u32v)in_order(y, to_right));
        left += (size_t)__builtin_popcount(mask);
    }
    *first = left;
    return i;
}

#else

INLINE void copy_numbers(uint32_t *to, const uint32_t *from, size_t count) {
    memcpy(to, from, count * sizeof *to);
}

#endif

static size_t partition(uint32_t *a, uint32_t *b, size_t count, const float *value, float threshold,
                        uint32_t *spare) {
    size_t left = 0, begin = 0;
#if defined(NATIVE) && defined(__x86_64__) && LANES == 8
    if (count <= LANES) return partition_few(a, b, count, value, threshold);
    begin = partition_eights(a, b, count, value, threshold, spare, &left);
#endif
    size_t right = begin - left;
    uint32_t *spare_b = spare + count;
    for (size_t i = begin; i < count; i++) {
        uint32_t x = a[i], y = b[i];
        int goes_left = value[i] <= threshold;
        a[left] = spare[right] = x;
        b[left] = spare_b[right] = y;
        left += (size_t)goes_left;
        right += (size_t)!goes_left;
    }
    if (right == 0) return left; /* perhaps without any memory */
    copy_numbers(a + left, spare, right);
    copy_numbers(b + left, spare_b, right);
    return left;
}
