/* Keys of columns side by side, and Batcher's odd-even merges (Knuth, volume 3, section 5.3.4). A
 * comparator takes the minima and maxima of two lines, lane by lane. Up to sixteen lines are sorted
 * in registers, more in runs of sixteen, which are merged. */

/* ---- keys ------------------------------------------------------------------------------------ */

/* spf_float_order of four values of a column, with tags in the bits of the mask; `seen` collects
 * the bits of the values. */
INLINE u32x4 order_values(const float *values, u32x4 tags, uint32_t mask, u32x4 *seen) {
    f32x4 value;
    memcpy(&value, values, sizeof value);
    u32x4 bits = (u32x4)(value + 0.0f), sign = (u32x4)((i32x4)bits >> 31);
    *seen |= bits;
    return ((bits ^ (sign | 0x80000000u)) & ~mask) | tags;
}

/* Transposes four rows of four columns to a part of four lines, or to so many parts side by side; a
 * compile-time constant. */
INLINE void fill_lines(const float *const *columns, size_t row, u32x4 tags, uint32_t mask,
                       uint32_t *lines, u32x4 *seen, const size_t parts) {
    u32x4 line[4];
    for (size_t c = 0; c < 4; c++) line[c] = order_values(columns[c] + row, tags, mask, &seen[c]);
    spf_transpose(line);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < parts; k++)
            memcpy(lines + i * LANES + 4 * k, &line[i], sizeof *line);
}

/* Four columns; lines are written in groups of four. */
INLINE void fill_four(const float *const *column, const uint32_t *tags, size_t rows, uint32_t mask,
                      uint32_t *lines, int *lossy, const size_t parts) {
    u32x4 seen[4] = {{0}}, four;
    size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        memcpy(&four, tags + i, sizeof four);
        fill_lines(column, i, four, mask, lines + i * LANES, seen, parts);
    }
    if (i < rows) {
        uint32_t last[4] = {0};
        for (size_t r = i; r < rows; r++) last[r - i] = tags[r];
        memcpy(&four, last, sizeof four);
        fill_lines(column, i, four, mask, lines + i * LANES, seen, parts);
    }
    for (size_t c = 0; c < 4; c++)
        lossy[c] = ((seen[c][0] | seen[c][1] | seen[c][2] | seen[c][3]) & mask) != 0;
}

static void fill(const float *values, size_t columns, const uint32_t *tags, size_t rows,
                 uint32_t mask, uint32_t *keys, int *lossy) {
    for (size_t first = 0; first < LANES; first += 4) {
        const float *column[4];
        for (size_t c = 0; c < 4; c++)
            column[c] = values + (first + c < columns ? first + c : columns - 1) * SPF_LANES_ROWS;
        if (columns <= 4) {
            fill_four(column, tags, rows, mask, keys, lossy, LANES / 4);
            return;
        }
        fill_four(column, tags, rows, mask, keys + first, lossy + first, 1);
    }
}

/* ---- the network ----------------------------------------------------------------------------- */

/* The minima to a, the maxima to b. */
INLINE void order(u32v *a, u32v *b) {
    u32v x = *a, y = *b;
#if defined(NATIVE) && defined(__ARM_NEON)
    *a = vminq_u32(x, y);
    *b = vmaxq_u32(x, y);
#elif defined(NATIVE) && defined(__x86_64__) && LANES == 8
    *a = (u32v)_mm256_min_epu32((__m256i)x, (__m256i)y);
    *b = (u32v)_mm256_max_epu32((__m256i)x, (__m256i)y);
#else
    u32v less = (u32v)(x < y);
    *a = (less & x) | (~less & y);
    *b = (less & y) | (~less & x);
#endif
}

/* ---- few lines, in registers ----------------------------------------------------------------- */

/* Odd-even merges: the two halves of v are in order. */
INLINE void sort_4(u32v *v) {
    order(&v[0], &v[1]), order(&v[2], &v[3]);
    order(&v[0], &v[2]), order(&v[1], &v[3]);
    order(&v[1], &v[2]);
}

INLINE void sort_8(u32v *v) {
    sort_4(v), sort_4(v + 4);
    order(&v[0], &v[4]), order(&v[1], &v[5]), order(&v[2], &v[6]), order(&v[3], &v[7]);
    order(&v[2], &v[4]), order(&v[3], &v[5]);
    order(&v[1], &v[2]), order(&v[3], &v[4]), order(&v[5], &v[6]);
}

INLINE void sort_16(u32v *v) {
    sort_8(v), sort_8(v + 8);
    order(&v[0], &v[8]), order(&v[1], &v[9]), order(&v[2], &v[10]), order(&v[3], &v[11]);
    order(&v[4], &v[12]), order(&v[5], &v[13]), order(&v[6], &v[14]), order(&v[7], &v[15]);
    order(&v[4], &v[8]), order(&v[5], &v[9]), order(&v[6], &v[10]), order(&v[7], &v[11]);
    order(&v[2], &v[4]), order(&v[3], &v[5]), order(&v[6], &v[8]), order(&v[7], &v[9]);
    order(&v[10], &v[12]), order(&v[11], &v[13]);
    order(&v[1], &v[2]), order(&v[3], &v[4]), order(&v[5], &v[6]), order(&v[7], &v[8]);
    order(&v[9], &v[10]), order(&v[11], &v[12]), order(&v[13], &v[14]);
}

/* `most` lines, of which those behind `lines` count as larger than all keys and become so; a
 * compile-time constant. */
INLINE void sort_few(uint32_t *keys, size_t lines, const size_t most) {
    u32v v[SPF_LANES_FEW];
    for (size_t i = 0; i < most; i++) v[i] = load(keys + i * LANES) | -(uint32_t)(i >= lines);
    if (most == 4)
        sort_4(v);
    else if (most == 8)
        sort_8(v);
    else
        sort_16(v);
    for (size_t i = 0; i < most; i++) store(keys + i * LANES, v[i]);
}

/* ---- any number of lines --------------------------------------------------------------------- */

/* Compares and exchanges `lines` lines at a with those at b, which do not overlap; a compile-time
 * constant. */
INLINE void exchange(uint32_t *restrict a, uint32_t *restrict b, const size_t lines) {
    for (size_t i = 0; i < lines; i++) {
        u32v x = load(a + i * LANES), y = load(b + i * LANES);
        order(&x, &y);
        store(a + i * LANES, x);
        store(b + i * LANES, y);
    }
}

/* A pass of a merge: lines i and i + distance for all i beyond the first `distance` whose bit
 * `distance` is set; a compile-time constant up to 4. */
INLINE void exchange_at(uint32_t *keys, size_t lines, const size_t distance) {
    const size_t most = distance < 4 ? distance : 4;
    for (size_t first = distance; first + distance < lines; first += 2 * distance)
        for (size_t i = 0; i < distance && first + distance + i < lines; i += most) {
            uint32_t *a = keys + (first + i) * LANES;
            exchange(a, a + distance * LANES, most);
        }
}

/* Two runs in order, the first of which has `run` lines, and all of them a multiple of eight. */
static void merge(uint32_t *keys, size_t lines, size_t run) {
    for (size_t i = 0; i + run < lines; i += 4)
        exchange(keys + i * LANES, keys + (run + i) * LANES, 4);
    for (size_t distance = run / 2; distance > 4; distance /= 2) exchange_at(keys, lines, distance);
    exchange_at(keys, lines, 4);
    exchange_at(keys, lines, 2);
    exchange_at(keys, lines, 1);
}

static void sort(uint32_t *keys, size_t lines) {
    size_t padded = (lines + 7) / 8 * 8;
    if (lines <= 4) {
        sort_few(keys, lines, 4);
        return;
    }
    for (size_t first = 0; first < lines; first += SPF_LANES_FEW)
        if (lines - first <= 8)
            sort_few(keys + first * LANES, lines - first, 8);
        else
            sort_few(keys + first * LANES, lines - first, SPF_LANES_FEW);
    for (size_t run = SPF_LANES_FEW; run < lines; run *= 2)
        for (size_t first = 0; first + run < padded; first += 2 * run) {
            size_t rest = padded - first;
            merge(keys + first * LANES, rest < 2 * run ? rest : 2 * run, run);
        }
}

static void agree_above(const uint32_t *keys, size_t lines, uint32_t mask, int *agree) {
    u32v found = {0};
    for (size_t i = 1; i < lines; i++) {
        u32v differ = load(keys + (i - 1) * LANES) ^ load(keys + i * LANES);
        found |= (u32v)((differ != 0) & (differ <= mask));
    }
    for (size_t c = 0; c < LANES; c++) agree[c] = found[c] != 0;
}
