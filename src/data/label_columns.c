/* Several labels of a row. Each class of each of them is a target, which is 1 in the rows of the
 * class and 0 in the others: the Gini impurity of a label is the sum of the variances of these
 * indicators, and their means in a leaf are its class shares. */
#include "data/label_columns.h"

#include "base/text.h"
#include "data/labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sporf_status check_column(const sporf_dataset *data, const char *name) {
    char shown[SPF_NAME_TEXT_MAX];
    const spf_strings *columns = &data->schema.label_columns;
    if (data->targets > 0 && columns->count == 0)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "the data have targets for regression: they cannot have label columns, "
                         "too");
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(spf_strings_at(columns, i), name) == 0)
            return spf_raise(SPORF_ERROR_DATA,
                             "two label columns are named '%s'" SPF_HINT
                             "rename one of them, so that they can be told apart",
                             spf_name_text(name, shown));
    return SPORF_OK;
}

static sporf_status add_name(const char *label, const char *name, spf_strings *names) {
    size_t length = strlen(label) + 1 + strlen(name);
    char *joined = spf_alloc(length + 1, 1);
    if (!joined) return spf_raise_memory();
    snprintf(joined, length + 1, "%s=%s", label, name);
    sporf_status status = spf_strings_add(names, joined, length);
    free(joined);
    return status;
}

/* Labels and classes with equals signs in them may have the same name together. */
static sporf_status check_names(const spf_strings *names) {
    char shown[SPF_NAME_TEXT_MAX];
    size_t first, again;
    SPF_TRY(spf_find_repeated(names, &first, &again));
    if (again == names->count) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "classes of two label columns are both called '%s'" SPF_HINT
                     "rename one of these columns",
                     spf_name_text(spf_strings_at(names, first), shown));
}

/* The names of all targets: "label=class". */
static sporf_status add_names(const sporf_dataset *data, const char *label,
                              const spf_strings *classes, spf_strings *names) {
    if (data->targets > 0) SPF_TRY(spf_strings_copy(&data->schema.target_names, names));
    for (size_t k = 0; k < classes->count; k++)
        SPF_TRY(add_name(label, spf_strings_at(classes, k), names));
    return check_names(names);
}

sporf_status spf_label_column_refuse(const char *name, size_t classes, size_t rows) {
    char shown[SPF_NAME_TEXT_MAX];
    return spf_raise(SPORF_ERROR_DATA,
                     "the label '%s' holds %zu different values in %zu rows: they look like "
                     "numbers or names rather than classes" SPF_HINT "is it the right column?",
                     spf_name_text(name, shown), classes, rows);
}

/* Identifiers are refused before a column is made of each, if that takes much memory. */
static sporf_status check_classes(const sporf_dataset *data, const char *name, size_t classes) {
    const double bytes = (double)classes * (double)data->rows * sizeof(float);
    if (classes <= data->rows / 2 || bytes < 1 << 30) return SPORF_OK;
    return spf_label_column_refuse(name, classes, data->rows);
}

/* Adds the indicators of a column behind those of the others. */
static sporf_status add_indicators(sporf_dataset *data, size_t classes, const uint32_t *value) {
    size_t rows = data->rows, targets = data->targets + classes;
    if (targets > PTRDIFF_MAX / sizeof(float) / (rows + 1)) return spf_raise_memory();
    float *all = realloc(data->target_storage, (targets * rows + 1) * sizeof *all);
    if (!all) return spf_raise_memory();
    float *added = all + data->targets * rows;
    memset(added, 0, classes * rows * sizeof *added);
    for (size_t i = 0; i < rows; i++) added[value[i] * rows + i] = 1;
    data->target_storage = all;
    return SPORF_OK;
}

sporf_status spf_label_columns_add(sporf_dataset *data, const char *name,
                                   const spf_strings *classes, const uint32_t *value) {
    spf_strings names = {0};
    size_t end = data->targets + classes->count;
    SPF_TRY(check_column(data, name));
    SPF_TRY(check_classes(data, name, classes->count));
    SPF_TRY(add_indicators(data, classes->count, value));
    sporf_status status = add_names(data, name, classes, &names);
    if (status == SPORF_OK) status = spf_schema_add_label_column(&data->schema, name, end);
    if (status != SPORF_OK) {
        spf_strings_free(&names);
        return status;
    }
    spf_strings_free(&data->schema.target_names);
    data->targets = end;
    data->schema.target_names = names;
    return SPORF_OK;
}

static void drop_labels(sporf_dataset *data) {
    free(data->labels);
    free(data->schema.label_name);
    spf_strings_free(&data->schema.classes);
    data->labels = NULL;
    data->schema.label_name = NULL;
}

sporf_status sporf_dataset_add_label_column(sporf_dataset *data) {
    char number[32];
    if (!data || !data->labels)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "a label column needs data with labels: set them before");
    snprintf(number, sizeof number, "y%zu", data->schema.label_columns.count + 1);
    const char *name = data->schema.label_name ? data->schema.label_name : number;
    SPF_TRY(spf_label_columns_add(data, name, &data->schema.classes, data->labels));
    drop_labels(data);
    return SPORF_OK;
}

sporf_status spf_check_one_label(const sporf_dataset *data, const char *what) {
    if (data->schema.label_columns.count == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "%s cannot be used with several labels, and the data have %zu" SPF_HINT
                     "use one label at a time",
                     what, data->schema.label_columns.count);
}

void spf_label_columns_decide(const sporf_schema *schema, const double *outputs,
                              uint32_t *classes) {
    for (size_t i = 0; i < schema->label_columns.count; i++) {
        const spf_label_targets targets = spf_schema_label_targets(schema, i);
        classes[i] = spf_label_decide(&targets, outputs);
    }
}

void spf_label_column_classes(const sporf_dataset *data, size_t column, uint32_t *number) {
    const spf_label_targets targets = spf_schema_label_targets(&data->schema, column);
    for (size_t t = targets.begin; t < targets.end; t++) {
        const float *is_class = spf_target_of(data, t);
        for (size_t i = 0; i < data->rows; i++)
            if (is_class[i] > 0) number[i] = (uint32_t)(t - targets.begin);
    }
}
