/* Draws rows and transposes them: a dataset is stored by column, and its columns may be in another
 * order than the forest's features. */
#include "row_table.h"

#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 16 << 20 }; /* unless a single row has more */

typedef struct {
    const char *name;
    const float *values;
} named_column;

static int by_name(const void *a, const void *b) {
    return strcmp(((const named_column *)a)->name, ((const named_column *)b)->name);
}

static int same_order(const sporf_forest *forest, const sporf_dataset *data) {
    size_t features = sporf_forest_features(forest);
    if (!sporf_schema_feature_name(sporf_forest_schema(forest), 0) ||
        !sporf_schema_feature_name(sporf_dataset_schema(data), 0))
        return 1;
    if (sporf_dataset_features(data) != features) return 0;
    for (size_t i = 0; i < features; i++)
        if (strcmp(sporf_schema_feature_name(sporf_forest_schema(forest), i),
                   sporf_schema_feature_name(sporf_dataset_schema(data), i)) != 0)
            return 0;
    return 1;
}

static int match_names(const sporf_forest *forest, const sporf_dataset *data,
                       const float **columns) {
    size_t count = sporf_dataset_features(data);
    named_column *known = malloc(count * sizeof *known);
    if (!known) return 0;
    for (size_t i = 0; i < count; i++)
        known[i] = (named_column){.name = sporf_schema_feature_name(sporf_dataset_schema(data), i),
                                  .values = sporf_dataset_feature(data, i)};
    qsort(known, count, sizeof *known, by_name);
    for (size_t i = 0; i < sporf_forest_features(forest); i++) {
        named_column wanted = {.name = sporf_schema_feature_name(sporf_forest_schema(forest), i)};
        const named_column *found = bsearch(&wanted, known, count, sizeof *known, by_name);
        columns[i] = found->values;
    }
    free(known);
    return 1;
}

/* The data's columns in the order of the forest's features. */
static const float **match(const sporf_forest *forest, const sporf_dataset *data) {
    size_t features = sporf_forest_features(forest);
    const float **columns = malloc(features * sizeof *columns);
    if (!columns) return NULL;
    if (same_order(forest, data)) {
        for (size_t i = 0; i < features; i++) columns[i] = sporf_dataset_feature(data, i);
        return columns;
    }
    if (match_names(forest, data, columns)) return columns;
    free(columns);
    return NULL;
}

/* A xorshift generator: the same table always gives the same rows. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

static void fill(row_table *table, const float **columns, size_t rows) {
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < table->rows; i++) {
        size_t row = (size_t)(next_random(&state) % rows);
        float *to = table->values + i * table->features;
        for (size_t k = 0; k < table->features; k++) to[k] = columns[k][row];
    }
}

int row_table_draw(row_table *table, const sporf_forest *forest, const sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data), features = sporf_forest_features(forest);
    size_t most = VALUES_MAX / features > 0 ? VALUES_MAX / features : 1;
    *table = (row_table){.rows = rows < most ? rows : most, .features = features};
    const float **columns = match(forest, data);
    if (columns) table->values = malloc(table->rows * features * sizeof *table->values);
    if (table->values) fill(table, columns, rows);
    free(columns);
    return table->values != NULL;
}

int row_table_copy(row_table *copy, const row_table *table) {
    size_t bytes = table->rows * table->features * sizeof *table->values;
    *copy = *table;
    copy->values = malloc(bytes);
    if (!copy->values) return 0;
    memcpy(copy->values, table->values, bytes);
    return 1;
}

void row_table_free(row_table *table) {
    free(table->values);
    table->values = NULL;
}
