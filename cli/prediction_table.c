/* Arrays for predictions, and their values as text. */
#include "prediction_table.h"

#include "printed.h"

#include <stdlib.h>

static size_t columns_of_target(const prediction_table *table) {
    return 1 + table->asked.count + (table->asked.interval > 0 ? 2 : 0);
}

static size_t shown_probabilities(const prediction_table *table) {
    return table->proba ? sporf_forest_classes(table->forest) : 0;
}

static size_t shown_scores(const prediction_table *table) {
    sporf_boosting boosting;
    return table->scores && sporf_forest_boosting(table->forest, &boosting) ? boosting.outputs : 0;
}

static size_t label_columns(const prediction_table *table) {
    return sporf_schema_label_columns(sporf_forest_schema(table->forest));
}

/* Values to write: those of targets, or with several labels the shares of their classes. */
static size_t shown_values(const prediction_table *table) {
    return label_columns(table) > 0 && !table->proba ? 0 : sporf_forest_targets(table->forest);
}

size_t prediction_table_row_bytes(const prediction_table *table) {
    size_t values = shown_values(table) * columns_of_target(table) + label_columns(table);
    return (values + shown_probabilities(table) + shown_scores(table)) * sizeof(double);
}

void prediction_table_free(prediction_table *table) {
    free(table->classes);
    free(table->label_classes);
    free(table->probabilities);
    free(table->means);
    free(table->quantiles);
    free(table->bounds);
    free(table->raw);
    table->classes = table->label_classes = NULL;
    table->probabilities = table->means = table->quantiles = NULL;
    table->bounds = table->raw = NULL;
    table->capacity = 0;
}

/* Memory for `width` items per row; NULL if width is 0. Returns 0 if memory runs out. */
static int reserve(void **place, size_t rows, size_t width, size_t size) {
    size_t cells;
    if (width == 0) return 1;
    if (!__builtin_mul_overflow(rows, width, &cells)) *place = calloc(cells, size);
    return *place != NULL;
}

static int reserve_numbers(double **place, size_t rows, size_t width) {
    return reserve((void **)place, rows, width, sizeof **place);
}

int prediction_table_reserve(prediction_table *table, size_t rows) {
    size_t targets = shown_values(table);
    int has_classes = sporf_forest_classes(table->forest) > 0;
    if (rows <= table->capacity) return 1;
    prediction_table_free(table);
    table->capacity = rows;
    return reserve((void **)&table->classes, rows, has_classes, sizeof *table->classes) &&
           reserve_numbers(&table->probabilities, rows, shown_probabilities(table)) &&
           reserve((void **)&table->label_classes, rows, label_columns(table),
                   sizeof *table->label_classes) &&
           reserve_numbers(&table->means, rows, targets) &&
           reserve_numbers(&table->quantiles, rows, targets * table->asked.count) &&
           reserve_numbers(&table->bounds, rows, table->asked.interval > 0 ? 2 * targets : 0) &&
           reserve_numbers(&table->raw, rows, shown_scores(table));
}

sporf_status prediction_table_fill(const prediction_table *table, const sporf_dataset *data,
                                   const sporf_predict_options *how) {
    const quantiles *asked = &table->asked;
    const sporf_predictions out = {.struct_size = sizeof out,
                                   .classes = table->classes,
                                   .probabilities = table->probabilities,
                                   .values = table->means,
                                   .quantiles = asked->level,
                                   .quantiles_count = asked->count,
                                   .quantile_values = table->quantiles,
                                   .interval = asked->interval,
                                   .bounds = table->bounds,
                                   .scores = table->raw,
                                   .label_classes = table->label_classes};
    return sporf_forest_predict(table->forest, data, how, &out);
}

/* ---- columns --------------------------------------------------------------------------------- */

static void name_target(header *line, const prediction_table *table, const char *name,
                        const char *mean) {
    const quantiles *asked = &table->asked;
    header_add(line, 1, mean, "", "");
    for (size_t i = 0; i < asked->count; i++) header_add(line, 0, name, "_q", asked->text[i]);
    if (asked->interval == 0) return;
    header_add(line, 0, name, "_lower", "");
    header_add(line, 0, name, "_upper", "");
}

/* A score of a class or target has its name, unless there is only one. */
static void name_scores(header *line, const prediction_table *table) {
    const sporf_schema *schema = sporf_forest_schema(table->forest);
    size_t outputs = shown_scores(table);
    int classes = sporf_forest_targets(table->forest) == 0;
    if (outputs == 1) header_add(line, 0, "score", "", "");
    for (size_t k = 0; outputs > 1 && k < outputs; k++)
        header_add(line, 0,
                   classes ? sporf_schema_class_name(schema, k)
                           : sporf_schema_target_name(schema, k),
                   "_score", "");
}

/* With one target its mean is called prediction, with several they have their own names. With
 * several labels, their columns come first. */
void prediction_table_header(header *line, const prediction_table *table) {
    const sporf_schema *schema = sporf_forest_schema(table->forest);
    size_t targets = shown_values(table), labels = label_columns(table);
    if (targets + labels == 0) header_add(line, 1, "prediction", "", "");
    for (size_t i = 0; i < labels; i++)
        header_add(line, 1, sporf_schema_label_column_name(schema, i), "", "");
    for (size_t k = 0; k < shown_probabilities(table); k++)
        header_add(line, 0, sporf_schema_class_name(schema, k), "", "");
    for (size_t t = 0; t < targets; t++) {
        const char *name = sporf_schema_target_name(schema, t);
        name_target(line, table, name, targets > 1 ? name : "prediction");
    }
    name_scores(line, table);
}

static void put_floats(FILE *stream, const double *values, size_t count) {
    char number[TEXT_NUMBER];
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        fputs(text_float(number, (float)values[i]), stream);
    }
}

static void put_doubles(FILE *stream, const double *values, size_t count) {
    char number[TEXT_NUMBER];
    for (size_t i = 0; i < count; i++) {
        fputc(',', stream);
        fputs(text_double(number, values[i]), stream);
    }
}

static void put_class(FILE *stream, const prediction_table *table, size_t row) {
    size_t classes = shown_probabilities(table);
    text_csv_field(
        stream, sporf_schema_class_name(sporf_forest_schema(table->forest), table->classes[row]));
    if (classes > 0) put_doubles(stream, table->probabilities + row * classes, classes);
}

static void put_labels(FILE *stream, const prediction_table *table, size_t row) {
    const sporf_schema *schema = sporf_forest_schema(table->forest);
    size_t labels = label_columns(table);
    for (size_t i = 0; i < labels; i++) {
        if (i > 0) fputc(',', stream);
        text_csv_field(stream, sporf_schema_label_column_class(
                                   schema, i, table->label_classes[row * labels + i]));
    }
}

void prediction_table_row(FILE *stream, const prediction_table *table, size_t row) {
    size_t targets = shown_values(table), count = table->asked.count;
    size_t outputs = shown_scores(table);
    char number[TEXT_NUMBER];
    if (table->classes) put_class(stream, table, row);
    if (table->label_classes) put_labels(stream, table, row);
    for (size_t t = 0; t < targets; t++) {
        size_t cell = row * targets + t;
        if (t > 0 || table->label_classes) fputc(',', stream);
        fputs(text_double(number, table->means[cell]), stream);
        if (table->quantiles) put_floats(stream, table->quantiles + cell * count, count);
        if (table->bounds) put_floats(stream, table->bounds + cell * 2, 2);
    }
    if (table->raw) put_doubles(stream, table->raw + row * outputs, outputs);
    fputc('\n', stream);
}
