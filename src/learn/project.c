/* Loops with up to three terms at once, so that a sum is stored once: most projections are that
 * short. The body is written once for all kinds of tables. */
#include "learn/project.h"

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 4")

/* A column of either kind; `bytes` is a constant wherever this is used. */
INLINE float at(const void *column, size_t place, const int bytes) {
    return bytes ? (float)((const uint8_t *)column)[place] : ((const float *)column)[place];
}

INLINE const void *column_of(const spf_table *table, uint32_t feature, const int bytes) {
    return bytes ? (const void *)table->bytes[feature] : (const void *)table->columns[feature];
}

INLINE void project(const sporf_projections *list, size_t index, const spf_table *table,
                    const uint32_t *rows, size_t count, float *restrict value, const int bytes,
                    const size_t stride) {
    const uint32_t *feature = list->feature + list->start[index];
    const float *weight = list->weight + list->start[index];
    size_t terms = spf_projection_terms(list, index), done = terms < 3 ? terms : 3;
    const void *a = column_of(table, feature[0], bytes);
    const void *b = column_of(table, feature[done > 1 ? 1 : 0], bytes);
    const void *c = column_of(table, feature[done - 1], bytes);
    float u = weight[0], v = weight[done > 1 ? 1 : 0], w = weight[done - 1];
    if (done == 1) /* of weight 1: see spf_projections_put */
        UNROLL for (size_t i = 0; i < count; i++) value[i] = at(a, rows[i] * stride, bytes);
    else if (done == 2)
        UNROLL for (size_t i = 0; i < count; i++) {
            size_t place = rows[i] * stride;
            value[i] = u * at(a, place, bytes) + v * at(b, place, bytes);
        }
    else
        UNROLL for (size_t i = 0; i < count; i++) {
            size_t place = rows[i] * stride;
            value[i] = u * at(a, place, bytes) + v * at(b, place, bytes) + w * at(c, place, bytes);
        }
    for (size_t t = done; t < terms; t++) {
        a = column_of(table, feature[t], bytes);
        u = weight[t];
        for (size_t i = 0; i < count; i++) value[i] += u * at(a, rows[i] * stride, bytes);
    }
}

/* The bytes at a and b, with sign v, and at c, with sign w or none: sums are whole numbers, so no
 * term need be turned into a float by itself. v, w and stride are constants where that helps. */
INLINE void add_bytes(const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint32_t *rows,
                      size_t count, float *restrict value, const size_t stride, const int v,
                      const int w) {
    UNROLL for (size_t i = 0; i < count; i++) {
        size_t place = rows[i] * stride;
        int sum = v > 0 ? a[place] + b[place] : a[place] - b[place];
        value[i] = (float)(w == 0 ? sum : w > 0 ? sum + c[place] : sum - c[place]);
    }
}

/* Two or three bytes with weights 1 and -1, of which the first is 1; whether that is what it is. */
INLINE int project_signs(const sporf_projections *list, size_t index, const spf_table *table,
                         const uint32_t *rows, size_t count, float *restrict value,
                         const size_t stride) {
    const uint32_t *feature = list->feature + list->start[index];
    const float *weight = list->weight + list->start[index];
    size_t terms = spf_projection_terms(list, index);
    if (terms < 2 || terms > 3 || weight[0] != 1) return 0;
    for (size_t t = 1; t < terms; t++)
        if (weight[t] != 1 && weight[t] != -1) return 0;
    const uint8_t *a = table->bytes[feature[0]], *b = table->bytes[feature[1]];
    const uint8_t *c = table->bytes[feature[terms - 1]];
    int first = weight[1] > 0, second = weight[terms - 1] > 0;
    if (terms == 2 && first)
        add_bytes(a, b, c, rows, count, value, stride, 1, 0);
    else if (terms == 2)
        add_bytes(a, b, c, rows, count, value, stride, -1, 0);
    else if (first && second)
        add_bytes(a, b, c, rows, count, value, stride, 1, 1);
    else if (first)
        add_bytes(a, b, c, rows, count, value, stride, 1, -1);
    else if (second)
        add_bytes(a, b, c, rows, count, value, stride, -1, 1);
    else
        add_bytes(a, b, c, rows, count, value, stride, -1, -1);
    return 1;
}

void spf_project_rows(const sporf_projections *list, size_t index, const spf_table *table,
                      const uint32_t *rows, size_t count, float *value) {
    if (table->bytes && table->stride == 1) {
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
