/* Each note needs only counts over the labels, and features until one varies. */
#include "data_notes.h"

#include "out.h"
#include "printed.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_FEW = 10 };

static int is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end > text && *end == '\0';
}

static int all_numbers(const sporf_dataset *data) {
    for (size_t k = 0; k < sporf_dataset_classes(data); k++)
        if (!is_number(sporf_schema_class_name(sporf_dataset_schema(data), k))) return 0;
    return 1;
}

/* Returns whether there was a note. */
static int note_many_classes(const char *verb, const sporf_dataset *data) {
    enum { CLASSES_MANY = 50, ROWS_OF_CLASS = 10 }; /* on average */
    char many[TEXT_NUMBER], all[TEXT_NUMBER];
    size_t classes = sporf_dataset_classes(data), rows = sporf_dataset_rows(data);
    int numbers = classes > CLASSES_MANY && classes * ROWS_OF_CLASS > rows && all_numbers(data);
    if (!numbers && classes * 2 <= rows) return 0;
    out_error(verb, "the label has %s classes in %s rows%s", text_count(many, classes),
              text_count(all, rows),
              numbers ? ", all of them numbers: --target predicts numbers"
                      : ", too few of each to learn from: is it the right column?");
    return 1;
}

static void note_single_rows(const char *verb, const sporf_dataset *data) {
    size_t classes = sporf_dataset_classes(data), single = 0, first = 0;
    const uint32_t *labels = sporf_dataset_labels(data);
    size_t *rows = calloc(classes, sizeof *rows);
    char number[TEXT_NUMBER];
    if (!rows) return;
    for (size_t i = 0; i < sporf_dataset_rows(data); i++) rows[labels[i]]++;
    for (size_t k = classes; k-- > 0;) {
        if (rows[k] != 1) continue;
        single++;
        first = k;
    }
    free(rows);
    const char *name = sporf_schema_class_name(sporf_dataset_schema(data), first);
    if (single == 1)
        out_error(verb, "class '%s' has one row only: its error cannot be estimated", name);
    if (single > 1)
        out_error(verb,
                  "%s classes, such as '%s', have one row only: their error cannot be "
                  "estimated",
                  text_count(number, single), name);
}

static int varies(const float *values, size_t rows) {
    for (size_t i = 1; i < rows; i++)
        if (values[i] != values[0] && !(isnan(values[i]) && isnan(values[0]))) return 1;
    return 0;
}

static void note_constants(const char *verb, const sporf_dataset *data) {
    size_t features = sporf_dataset_features(data), rows = sporf_dataset_rows(data);
    for (size_t j = 0; j < features; j++)
        if (varies(sporf_dataset_feature(data, j), rows)) return;
    out_error(verb, "no feature varies: the same is predicted for every row");
}

void data_notes(const char *verb, const sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data);
    int numbers = sporf_dataset_targets(data) > 0, classes = sporf_dataset_classes(data) > 1;
    if (!numbers && !classes) return; /* training refuses that */
    if (rows < ROWS_FEW) {
        out_error(verb, "the table has %zu row%s: too few to learn from", rows,
                  rows == 1 ? "" : "s");
        return;
    }
    if (!numbers && !note_many_classes(verb, data)) note_single_rows(verb, data);
    note_constants(verb, data);
}
