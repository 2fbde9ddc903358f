/* Predicted numbers as columns: target by target its mean, its quantiles, its interval. */
#include "value_table.h"

#include "printed.h"

#include <stdlib.h>
#include <string.h>

static size_t columns_of(const quantiles *asked) {
    return 1 + asked->count + (asked->interval > 0 ? 2 : 0);
}

size_t value_table_row_bytes(const sporf_forest *forest, const quantiles *asked) {
    return sporf_forest_targets(forest) * columns_of(asked) * sizeof(double);
}

void value_table_free(value_table *table) {
    free(table->means);
    free(table->quantiles);
    free(table->bounds);
    *table = (value_table){0};
}

/* A number for each row and each of `width` things. */
static double *numbers_for(size_t rows, size_t width) {
    size_t cells;
    return __builtin_mul_overflow(rows, width, &cells) ? NULL : calloc(cells, sizeof(double));
}

int value_table_allocate(value_table *table, const sporf_forest *forest, const quantiles *asked,
                         size_t rows) {
    size_t targets = sporf_forest_targets(forest);
    value_table_free(table);
    table->forest = forest;
    table->asked = asked;
    table->means = numbers_for(rows, targets);
    if (asked->count > 0) table->quantiles = numbers_for(rows, targets * asked->count);
    if (asked->interval > 0) table->bounds = numbers_for(rows, targets * 2);
    return table->means && (table->quantiles || asked->count == 0) &&
           (table->bounds || asked->interval == 0);
}

sporf_status value_table_predict(value_table *table, const sporf_dataset *data,
                                 const sporf_predict_options *how) {
    const quantiles *asked = table->asked;
    const sporf_predictions out = {.struct_size = sizeof out,
                                   .values = table->means,
                                   .quantiles = asked->level,
                                   .quantiles_count = asked->count,
                                   .quantile_values = table->quantiles,
                                   .interval = asked->interval,
                                   .bounds = table->bounds};
    return sporf_forest_predict(table->forest, data, how, &out);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The mean of one target is the prediction, those of several go by their names. */
void value_table_header(header *line, const sporf_forest *forest, const quantiles *asked) {
    size_t targets = sporf_forest_targets(forest);
    for (size_t t = 0; t < targets; t++) {
        const char *name = sporf_schema_target_name(sporf_forest_schema(forest), t);
        header_add(line, 1, targets > 1 ? name : "prediction", "", "");
        for (size_t i = 0; i < asked->count; i++) header_add(line, 0, name, "_q", asked->text[i]);
        if (asked->interval == 0) continue;
        header_add(line, 0, name, "_lower", "");
        header_add(line, 0, name, "_upper", "");
    }
}

static void put_numbers(FILE *stream, const double *values, size_t count) {
    char number[TEXT_NUMBER];
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        fputs(text_float(number, (float)values[i]), stream);
    }
}

void value_table_row(FILE *stream, const value_table *table, size_t row) {
    size_t targets = sporf_forest_targets(table->forest), count = table->asked->count;
    char number[TEXT_NUMBER];
    for (size_t t = 0; t < targets; t++) {
        size_t cell = row * targets + t;
        if (t > 0) fputc(',', stream);
        fputs(text_double(number, table->means[cell]), stream);
        if (count > 0) put_numbers(stream, table->quantiles + cell * count, count);
        if (table->bounds) put_numbers(stream, table->bounds + cell * 2, 2);
    }
    fputc('\n', stream);
}
