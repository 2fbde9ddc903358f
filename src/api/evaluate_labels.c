/* Predicted classes of several labels compared with the true ones, label by label. Labels are
 * matched by name, or by position if the data have as many under other names; classes by name. */
#include "api/evaluate_labels.h"

#include "base/sum.h"
#include "base/text.h"
#include "data/label_columns.h"
#include "data/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Predictions, and memory for one label. */
typedef struct {
    const sporf_forest *forest;
    const sporf_dataset *data;
    uint32_t *predicted;  /* [rows x label columns] */
    uint32_t *truth;      /* [rows]: the class, as a number of the data */
    uint8_t *row_wrong;   /* [rows]: some label is wrong */
    uint8_t *row_unknown; /* [rows]: some label has a class that the forest does not know */
} work;

static size_t find_column(const sporf_schema *schema, const char *name) {
    const spf_strings *names = &schema->label_columns;
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(spf_strings_at(names, i), name) == 0) return i;
    return names->count;
}

static sporf_status match_column(const work *w, size_t column, size_t *found) {
    char shown[SPF_NAME_TEXT_MAX];
    const sporf_schema *known = &w->forest->schema, *given = &w->data->schema;
    const char *name = spf_strings_at(&known->label_columns, column);
    *found = find_column(given, name);
    if (*found < given->label_columns.count) return SPORF_OK;
    int renamed = given->label_columns.count == known->label_columns.count &&
                  find_column(known, spf_strings_at(&given->label_columns, column)) ==
                      known->label_columns.count;
    *found = column;
    if (renamed) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, "the data have no label '%s'", spf_name_text(name, shown));
}

/* The forest's number of each class of a label of the data; SPORF_NO_CLASS if it has none. */
static sporf_status map_classes(const work *w, size_t column, size_t found, uint32_t **map) {
    const sporf_schema *known = &w->forest->schema, *given = &w->data->schema;
    size_t classes = sporf_schema_label_column_classes(given, found);
    spf_dictionary names = {0};
    uint32_t number;
    sporf_status status = SPORF_OK;
    *map = spf_alloc(classes, sizeof **map);
    if (!*map) return spf_raise_memory();
    for (size_t k = 0; status == SPORF_OK && k < sporf_schema_label_column_classes(known, column);
         k++) {
        const char *name = sporf_schema_label_column_class(known, column, k);
        status = spf_dictionary_add(&names, name, strlen(name), &number);
    }
    for (size_t k = 0; status == SPORF_OK && k < classes; k++) {
        const char *name = sporf_schema_label_column_class(given, found, k);
        (*map)[k] = spf_level_find(&names, name, strlen(name), &number) ? number : SPORF_NO_CLASS;
    }
    spf_dictionary_free(&names);
    return status;
}

static double weight_of(const work *w, size_t row) {
    return w->data->weights ? w->data->weights[row] : 1;
}

/* The weight of the rows whose label is wrong. */
static sporf_status compare_label(work *w, size_t column, double *wrong) {
    size_t found, columns = w->forest->schema.label_columns.count;
    uint32_t *map = NULL;
    spf_sum sum = {0};
    SPF_TRY(match_column(w, column, &found));
    sporf_status status = map_classes(w, column, found, &map);
    if (status == SPORF_OK) {
        spf_label_column_classes(w->data, found, w->truth);
        for (size_t i = 0; i < w->data->rows; i++) {
            uint32_t truth = map[w->truth[i]];
            w->row_unknown[i] |= truth == SPORF_NO_CLASS;
            if (truth == w->predicted[i * columns + column]) continue;
            w->row_wrong[i] = 1;
            spf_sum_add(&sum, weight_of(w, i));
        }
        *wrong = spf_sum_value(&sum);
    }
    free(map);
    return status;
}

static void add_rows(const work *w, double total, sporf_evaluation *scores) {
    spf_sum wrong = {0};
    for (size_t i = 0; i < w->data->rows; i++) {
        scores->unknown_labels += w->row_unknown[i];
        if (w->row_wrong[i]) spf_sum_add(&wrong, weight_of(w, i));
    }
    scores->subset_error = spf_sum_value(&wrong) / total;
}

static sporf_status compare(work *w, sporf_evaluation *scores) {
    size_t columns = w->forest->schema.label_columns.count;
    spf_sum weight = {0};
    double error = 0;
    for (size_t i = 0; i < w->data->rows; i++) spf_sum_add(&weight, weight_of(w, i));
    double total = spf_sum_value(&weight);
    for (size_t c = 0; c < columns; c++) {
        double wrong = 0;
        SPF_TRY(compare_label(w, c, &wrong));
        error += wrong / total;
        if (scores->label_errors) scores->label_errors[c] = wrong / total;
    }
    scores->error = error / (double)columns;
    add_rows(w, total, scores);
    return SPORF_OK;
}

static sporf_status predict(const work *w, const sporf_predict_options *options) {
    sporf_predictions out = {.struct_size = sizeof out, .label_classes = w->predicted};
    return sporf_forest_predict(w->forest, w->data, options, &out);
}

sporf_status spf_evaluate_labels(const sporf_forest *forest, const sporf_dataset *data,
                                 const sporf_predict_options *options, sporf_evaluation *scores) {
    size_t columns = forest->schema.label_columns.count, rows = data->rows;
    if (data->schema.label_columns.count == 0 || rows == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "evaluation needs the labels" SPF_HINT
                         "name the columns that hold them (" SPF_OPTION("label") ")");
    scores->rows = rows;
    work w = {.forest = forest,
              .data = data,
              .predicted = spf_alloc(rows, columns * sizeof *w.predicted),
              .truth = spf_alloc_zero(rows, sizeof *w.truth),
              .row_wrong = spf_alloc_zero(rows, 1),
              .row_unknown = spf_alloc_zero(rows, 1)};
    int made = w.predicted && w.truth && w.row_wrong && w.row_unknown;
    sporf_status status = made ? predict(&w, options) : spf_raise_memory();
    if (status == SPORF_OK) status = compare(&w, scores);
    free(w.predicted);
    free(w.truth);
    free(w.row_wrong);
    free(w.row_unknown);
    return status;
}
