/* Loops over up to three terms at once, so that a sum is stored once: most projections are that
 * short. The body is written once for all kinds of tables. */
#include "learn/rows/project.h"

#define INLINE static inline __attribute__((always_inline))

/* Of four unrolled rows gcc would make a vector, value by value: on x86-64 that costs more than it
 * saves. */
#ifdef __ARM_NEON
#define UNROLL _Pragma("GCC unroll 4")
#else
#define UNROLL _Pragma("GCC unroll 1")
#endif

enum {
    WHOLE_TERMS = 1 << 16, /* terms of bytes whose sum is exact in single precision */
    FEW_ROWS = 12,         /* a branch costs about as much as these */
};

/* Where row i of those that are projected is. Without a list of rows, which is known at compile
 * time, they are the first ones, and compilers make vectors of them. */
INLINE size_t place_of(const uint32_t *rows, size_t i, const size_t stride) {
    return rows ? rows[i] * stride : i;
}

/* A value of either type; `bytes` is a compile-time constant. */
INLINE float at(const void *column, size_t place, const int bytes) {
    return bytes ? (float)((const uint8_t *)column)[place] : ((const float *)column)[place];
}

INLINE const void *column_of(const spf_table *table, uint32_t feature, const int bytes) {
    return bytes ? (const void *)table->bytes[feature] : (const void *)table->columns[feature];
}

/* Adds up to three terms in order, to the present sum or without it. `terms` and `onto` are
 * compile-time constants. */
INLINE void add_terms(const void *const *column, const float *weight, const uint32_t *rows,
                      size_t count, float *restrict value, const int bytes, const size_t stride,
                      const size_t terms, const int onto) {
    const void *a = column[0], *b = column[terms > 1], *c = column[terms - 1];
    const float u = weight[0], v = weight[terms > 1], w = weight[terms - 1];
    UNROLL for (size_t i = 0; i < count; i++) {
        size_t place = place_of(rows, i, stride);
        float sum = u * at(a, place, bytes);
        if (onto) sum = value[i] + sum;
        if (terms > 1) sum += v * at(b, place, bytes);
        if (terms > 2) sum += w * at(c, place, bytes);
        value[i] = sum;
    }
}

/* The value at a, that at b with sign v, and that at c with sign w or none: what products with 1
 * and -1 would give. v and w are compile-time constants. */
INLINE void add_signed(const float *const *column, const uint32_t *rows, size_t count,
                       float *restrict value, const size_t stride, const int v, const int w) {
    const float *a = column[0], *b = column[1], *c = column[2];
    UNROLL for (size_t i = 0; i < count; i++) {
        size_t place = place_of(rows, i, stride);
        float sum = v > 0 ? a[place] + b[place] : a[place] - b[place];
        if (w != 0) sum = w > 0 ? sum + c[place] : sum - c[place];
        value[i] = sum;
    }
}

/* The first two or three terms of floats; returns 0 if their weights are not 1 and then 1 or -1. */
INLINE int add_signed_terms(const float *const *column, const float *weight, size_t terms,
                            const uint32_t *rows, size_t count, float *restrict value,
                            const size_t stride) {
    float v = weight[1], w = terms > 2 ? weight[2] : 1;
    if (weight[0] != 1 || (v != 1 && v != -1) || (w != 1 && w != -1)) return 0;
    if (terms == 2 && v > 0)
        add_signed(column, rows, count, value, stride, 1, 0);
    else if (terms == 2)
        add_signed(column, rows, count, value, stride, -1, 0);
    else if (v > 0 && w > 0)
        add_signed(column, rows, count, value, stride, 1, 1);
    else if (v > 0)
        add_signed(column, rows, count, value, stride, 1, -1);
    else if (w > 0)
        add_signed(column, rows, count, value, stride, -1, 1);
    else
        add_signed(column, rows, count, value, stride, -1, -1);
    return 1;
}

INLINE void project(const sporf_projections *list, size_t index, const spf_table *table,
                    const uint32_t *rows, size_t count, float *restrict value, const int bytes,
                    const size_t stride) {
    const uint32_t *feature = list->feature + list->start[index];
    const float *weight = list->weight + list->start[index];
    size_t terms = spf_projection_terms(list, index);
    if (terms == 1) { /* its weight is 1: see spf_projections_put */
        const void *only = column_of(table, feature[0], bytes);
        UNROLL for (size_t i = 0; i < count; i++) value[i] =
            at(only, place_of(rows, i, stride), bytes);
        return;
    }
    for (size_t t = 0; t < terms; t += 3) {
        size_t last = terms - 1;
        const void *column[3] = {column_of(table, feature[t], bytes),
                                 column_of(table, feature[t + 1 < last ? t + 1 : last], bytes),
                                 column_of(table, feature[t + 2 < last ? t + 2 : last], bytes)};
        if (t == 0 && !bytes && count > FEW_ROWS &&
            add_signed_terms((const float *const *)column, weight, terms, rows, count, value,
                             stride))
            continue;
        if (t == 0 && terms == 2)
            add_terms(column, weight, rows, count, value, bytes, stride, 2, 0);
        else if (t == 0)
            add_terms(column, weight, rows, count, value, bytes, stride, 3, 0);
        else if (terms - t == 1)
            add_terms(column, weight + t, rows, count, value, bytes, stride, 1, 1);
        else if (terms - t == 2)
            add_terms(column, weight + t, rows, count, value, bytes, stride, 2, 1);
        else
            add_terms(column, weight + t, rows, count, value, bytes, stride, 3, 1);
    }
}

/* The byte at a, that at b with sign v or none, and that at c with sign w or none: sums are
 * integers, so that terms need no conversion to float. With `onto` the sum is added with sign u to
 * the present one. v, w, onto and stride are compile-time constants where that helps. */
INLINE void add_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint32_t *rows,
                      size_t count, float *restrict value, const size_t stride, const int v,
                      const int w, const int onto, float u) {
    UNROLL for (size_t i = 0; i < count; i++) {
        size_t place = place_of(rows, i, stride);
        int sum = v == 0 ? a[place] : v > 0 ? a[place] + b[place] : a[place] - b[place];
        float whole = (float)(w == 0 ? sum : w > 0 ? sum + c[place] : sum - c[place]);
        value[i] = onto ? value[i] + u * whole : whole;
    }
}

/* The same in few rows, where a branch for every pattern of signs would cost more. */
INLINE void add_few_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                          const uint32_t *rows, size_t count, float *restrict value,
                          const size_t stride, int u, int v, int w, const int onto) {
    for (size_t i = 0; i < count; i++) {
        size_t place = place_of(rows, i, stride);
        float sum = (float)(u * a[place] + v * b[place] + w * c[place]);
        value[i] = onto ? value[i] + sum : sum;
    }
}

/* Up to three terms with weights 1 and -1. */
INLINE void add_signs(const spf_table *table, const uint32_t *feature, const float *weight,
                      size_t terms, const uint32_t *rows, size_t count, float *restrict value,
                      const size_t stride, const int onto) {
    const uint8_t *a = table->bytes[feature[0]], *b = table->bytes[feature[terms > 1]];
    const uint8_t *c = table->bytes[feature[terms - 1]];
    float u = weight[0];
    int first = u == weight[terms > 1], second = u == weight[terms - 1];
    if (count <= FEW_ROWS)
        add_few_bytes(a, b, c, rows, count, value, stride, (int)u, terms > 1 ? (int)weight[1] : 0,
                      terms > 2 ? (int)weight[2] : 0, onto);
    else if (terms == 1)
        add_bytes(a, b, c, rows, count, value, stride, 0, 0, onto, u);
    else if (terms == 2 && first)
        add_bytes(a, b, c, rows, count, value, stride, 1, 0, onto, u);
    else if (terms == 2)
        add_bytes(a, b, c, rows, count, value, stride, -1, 0, onto, u);
    else if (first && second)
        add_bytes(a, b, c, rows, count, value, stride, 1, 1, onto, u);
    else if (first)
        add_bytes(a, b, c, rows, count, value, stride, 1, -1, onto, u);
    else if (second)
        add_bytes(a, b, c, rows, count, value, stride, -1, 1, onto, u);
    else
        add_bytes(a, b, c, rows, count, value, stride, -1, -1, onto, u);
}

/* Bytes with weights 1 and -1, the first being 1; returns whether the projection is of this
 * form. */
INLINE int project_signs(const sporf_projections *list, size_t index, const spf_table *table,
                         const uint32_t *rows, size_t count, float *restrict value,
                         const size_t stride) {
    const uint32_t *feature = list->feature + list->start[index];
    const float *weight = list->weight + list->start[index];
    size_t terms = spf_projection_terms(list, index);
    if (terms > WHOLE_TERMS || weight[0] != 1) return 0;
    if (!spf_are_signs(weight, terms)) return 0;
    add_signs(table, feature, weight, terms < 3 ? terms : 3, rows, count, value, stride, 0);
    for (size_t t = 3; t < terms; t += 3)
        add_signs(table, feature + t, weight + t, terms - t < 3 ? terms - t : 3, rows, count, value,
                  stride, 1);
    return 1;
}

/* A set with one level, as in candidates: the row's level is compared with it. A missing level is
 * unequal, which gives 0; subtracted from itself it is NaN, which makes the term missing. */
INLINE void add_level(const void *column, float only, float weight, const uint32_t *rows,
                      size_t count, float *restrict value, const int bytes, const size_t stride,
                      const int onto, const int filled) {
    UNROLL for (size_t i = 0; i < count; i++) {
        float level = at(column, place_of(rows, i, stride), bytes);
        float sum = weight * ((float)(level == only) + (filled ? 0 : level - level));
        value[i] = onto ? value[i] + sum : sum;
    }
}

INLINE void add_set(const spf_sets *sets, const spf_set *set, const void *column, float weight,
                    const uint32_t *rows, size_t count, float *restrict value, const int bytes,
                    const size_t stride, const int onto) {
    for (size_t i = 0; i < count; i++) {
        float sum = weight * spf_set_value(sets, set, at(column, place_of(rows, i, stride), bytes));
        value[i] = onto ? value[i] + sum : sum;
    }
}

static int is_one_level(const spf_sets *sets, const spf_set *set) {
    return set->words == 1 && sets->words[set->start] == 1;
}

/* One term, which may name a set of levels. */
INLINE void add_any(const sporf_projections *list, uint32_t term, const spf_table *table,
                    const uint32_t *rows, size_t count, float *restrict value, const int bytes,
                    const size_t stride, const int onto) {
    uint32_t feature = list->feature[term];
    float weight = list->weight[term];
    if (feature < table->features) {
        const void *column = column_of(table, feature, bytes);
        add_terms(&column, &weight, rows, count, value, bytes, stride, 1, onto);
        return;
    }
    spf_sets sets = spf_set_list_view(list->sets);
    const spf_set *set = &sets.sets[feature - table->features];
    const void *column = column_of(table, set->feature, bytes);
    if (is_one_level(&sets, set) && set->fill == 0)
        add_level(column, (float)set->first, weight, rows, count, value, bytes, stride, onto, 1);
    else if (is_one_level(&sets, set) && set->fill != set->fill)
        add_level(column, (float)set->first, weight, rows, count, value, bytes, stride, onto, 0);
    else
        add_set(&sets, set, column, weight, rows, count, value, bytes, stride, onto);
}

INLINE void project_sets(const sporf_projections *list, size_t index, const spf_table *table,
                         const uint32_t *rows, size_t count, float *restrict value, const int bytes,
                         const size_t stride) {
    uint32_t start = list->start[index];
    add_any(list, start, table, rows, count, value, bytes, stride, 0);
    for (uint32_t t = start + 1; t < list->start[index + 1]; t++)
        add_any(list, t, table, rows, count, value, bytes, stride, 1);
}

static int names_sets(const sporf_projections *list, size_t index, const spf_table *table) {
    return list->feature[list->start[index + 1] - 1] >= table->features;
}

/* Whether rows are 0, 1, 2, ..., as at the root of a block. */
static int are_first(const uint32_t *rows, size_t count) {
    uint32_t same = 1;
    if (rows[0] != 0 || rows[count - 1] != count - 1) return 0;
    for (size_t i = 0; i < count; i++) same &= rows[i] == i;
    return (int)same;
}

void spf_project_rows(const sporf_projections *list, size_t index, const spf_table *table,
                      const uint32_t *rows, size_t count, float *value) {
    const int by_column = table->stride == 1, sets = names_sets(list, index, table);
    if (by_column && !sets && count > FEW_ROWS && are_first(rows, count)) {
        if (!table->bytes)
            project(list, index, table, NULL, count, value, 0, 1);
        else if (!project_signs(list, index, table, NULL, count, value, 1))
            project(list, index, table, NULL, count, value, 1, 1);
        return;
    }
    if (sets) {
        if (table->bytes)
            project_sets(list, index, table, rows, count, value, 1, table->stride);
        else if (table->stride == 1)
            project_sets(list, index, table, rows, count, value, 0, 1);
        else
            project_sets(list, index, table, rows, count, value, 0, table->stride);
    } else if (table->bytes && table->stride == 1) {
        if (!project_signs(list, index, table, rows, count, value, 1))
            project(list, index, table, rows, count, value, 1, 1);
    } else if (table->bytes) {
        if (!project_signs(list, index, table, rows, count, value, table->stride))
            project(list, index, table, rows, count, value, 1, table->stride);
    } else if (table->stride == 1) {
        project(list, index, table, rows, count, value, 0, 1);
    } else {
        project(list, index, table, rows, count, value, 0, table->stride);
    }
}

void spf_project_range(const sporf_projections *list, size_t index, const float *const *columns,
                       size_t begin, size_t end, float *value) {
    uint32_t start = list->start[index], stop = list->start[index + 1];
    const float *first = columns[list->feature[start]];
    float first_weight = list->weight[start];
    for (size_t i = begin; i < end; i++) value[i] = first_weight * first[i];
    for (uint32_t t = start + 1; t < stop; t++) {
        const float *column = columns[list->feature[t]];
        float weight = list->weight[t];
        for (size_t i = begin; i < end; i++) value[i] += weight * column[i];
    }
}
