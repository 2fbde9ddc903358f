/* A line for each row, in the order of the table. */
#include "crossval_table.h"

#include "header.h"
#include "printed.h"

typedef struct table table;

/* The columns of an outcome. */
typedef struct {
    void (*name)(header *line, const table *t);
    void (*write)(FILE *stream, const table *t, size_t row);
} columns;

struct table {
    const sporf_dataset *data;
    const sporf_crossval *result;
    int proba;
    const columns *columns;
};

/* ---- numbers --------------------------------------------------------------------------------- */

static const char *target_name(const table *t, size_t target) {
    const char *name = sporf_schema_target_name(sporf_dataset_schema(t->data), target);
    return name ? name : "y";
}

/* A single target is called prediction, as in sporf predict. */
static void name_values(header *line, const table *t) {
    size_t targets = sporf_dataset_targets(t->data);
    for (size_t i = 0; i < targets && targets > 1; i++) {
        header_add(line, 0, "true_", target_name(t, i), "");
        header_add(line, 1, target_name(t, i), "", "");
    }
    if (targets == 1) header_add(line, 1, "truth", "", "");
    if (targets == 1) header_add(line, 1, "prediction", "", "");
}

static void write_values_row(FILE *stream, const table *t, size_t row) {
    size_t targets = sporf_dataset_targets(t->data);
    char number[TEXT_NUMBER];
    for (size_t i = 0; i < targets; i++) {
        fprintf(stream, ",%s", text_float(number, sporf_dataset_target(t->data, i)[row]));
        fprintf(stream, ",%s", text_double(number, t->result->values[row * targets + i]));
    }
}

static const columns of_targets = {name_values, write_values_row};

/* ---- classes --------------------------------------------------------------------------------- */

static void name_classes(header *line, const table *t) {
    header_add(line, 1, "truth", "", "");
    header_add(line, 1, "prediction", "", "");
    for (size_t k = 0; t->proba && k < sporf_dataset_classes(t->data); k++)
        header_add(line, 0, sporf_schema_class_name(sporf_dataset_schema(t->data), k), "", "");
}

static void write_classes_row(FILE *stream, const table *t, size_t row) {
    size_t classes = sporf_dataset_classes(t->data);
    const double *shares = t->result->probabilities + row * classes;
    char number[TEXT_NUMBER];
    fputc(',', stream);
    text_csv_field(stream, sporf_schema_class_name(sporf_dataset_schema(t->data),
                                                   sporf_dataset_labels(t->data)[row]));
    fputc(',', stream);
    text_csv_field(stream,
                   sporf_schema_class_name(sporf_dataset_schema(t->data), t->result->classes[row]));
    for (size_t k = 0; t->proba && k < classes; k++)
        fprintf(stream, ",%s", text_double(number, shares[k]));
}

static const columns of_classes = {name_classes, write_classes_row};

/* ---- both ------------------------------------------------------------------------------------ */

/* Returns 0 if memory runs out. */
static int write_header(FILE *stream, const table *t) {
    header line = {0};
    header_add(&line, 1, "row", "", "");
    header_add(&line, 1, "fold", "", "");
    t->columns->name(&line, t);
    int written = header_write(stream, &line);
    header_free(&line);
    return written;
}

int unseen_write(FILE *stream, const sporf_dataset *data, const sporf_folds *folds,
                 const sporf_crossval *result, int proba) {
    int numbers = sporf_dataset_targets(data) > 0;
    const table t = {data, result, proba, numbers ? &of_targets : &of_classes};
    const uint32_t *fold = folds->fold;
    if (!write_header(stream, &t)) return 0;
    for (size_t i = 0; i < sporf_dataset_rows(data); i++) {
        if (fold[i] >= result->folds) continue;
        fprintf(stream, "%zu,%lu", i + 1, (unsigned long)fold[i] + 1);
        t.columns->write(stream, &t, i);
        fputc('\n', stream);
    }
    return 1;
}
