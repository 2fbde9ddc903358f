/* Divides the columns of a table just read: features, weights, targets, the rest. */
#include "base/text.h"
#include "data/label_columns.h"
#include "read/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Refuses weights or targets with missing values, and reports how many there are. */
static sporf_status check_complete(const sporf_dataset *data, const char *file, const char *what,
                                   size_t column) {
    char shown[SPF_EXCERPT_MAX];
    const float *values = data->columns[column];
    const char *name = sporf_schema_feature_name(sporf_dataset_schema(data), column);
    size_t missing = 0, first = 0;
    for (size_t i = data->rows; i-- > 0;)
        if (isnan(values[i])) {
            missing++;
            first = i;
        }
    if (missing == 0) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE ": the %s column%s%s%s is missing in %zu of %zu rows, first in " SPF_ROW SPF_HINT
                 "fill it in or remove these rows",
        file, what, name ? " '" : "", name ? spf_excerpt(name, strlen(name), shown) : "",
        name ? "'" : "", missing, data->rows, first + 1);
}

static sporf_status check_weights(const sporf_dataset *data, const char *file, size_t column) {
    const float *values = data->columns[column];
    int positive = 0;
    for (size_t i = 0; i < data->rows; i++) {
        if (values[i] < 0)
            return spf_raise(SPORF_ERROR_DATA,
                             SPF_FILE " " SPF_ROW ": weight %g; weights must not be negative", file,
                             i + 1, (double)values[i]);
        positive |= values[i] > 0;
    }
    if (positive) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": all weights are 0: no row would count", file);
}

static sporf_status take_weights(sporf_dataset *data, const char *file, size_t column) {
    SPF_TRY(check_complete(data, file, "weight", column));
    SPF_TRY(check_weights(data, file, column));
    data->weights = spf_alloc(data->rows, sizeof *data->weights);
    if (!data->weights) return spf_raise_memory();
    memcpy(data->weights, data->columns[column], data->rows * sizeof *data->weights);
    if (data->schema.names.count == 0) return SPORF_OK;
    return sporf_dataset_set_weight_name(data, spf_strings_at(&data->schema.names, column));
}

/* Targets are found again by their names, which must be distinct. */
static sporf_status name_target(sporf_dataset *data, const char *file, const char *name) {
    char shown[SPF_EXCERPT_MAX];
    for (size_t k = 0; k < data->schema.target_names.count; k++)
        if (strcmp(spf_strings_at(&data->schema.target_names, k), name) == 0)
            return spf_raise(SPORF_ERROR_DATA,
                             SPF_FILE ": two targets are named '%s'" SPF_HINT
                                      "rename one of them, so that they can be told apart",
                             file, spf_excerpt(name, strlen(name), shown));
    return spf_strings_add(&data->schema.target_names, name, strlen(name));
}

static sporf_status name_targets(sporf_dataset *data, const char *file,
                                 const spf_column_plan *plan) {
    for (size_t k = 0; k < data->targets; k++) {
        size_t j = 0;
        while (plan[j].use != SPF_USE_TARGET || plan[j].target != k) j++;
        SPF_TRY(name_target(data, file, spf_strings_at(&data->schema.names, j)));
    }
    return SPORF_OK;
}

static sporf_status take_targets(sporf_dataset *data, const char *file,
                                 const spf_column_plan *plan) {
    data->target_storage = spf_alloc(data->targets * data->rows, sizeof *data->target_storage);
    if (!data->target_storage) return spf_raise_memory();
    for (size_t j = 0; j < data->features; j++) {
        if (plan[j].use != SPF_USE_TARGET) continue;
        SPF_TRY(check_complete(data, file, "target", j));
        memcpy(data->target_storage + plan[j].target * data->rows, data->columns[j],
               data->rows * sizeof(float));
    }
    return name_targets(data, file, plan);
}

static size_t column_of_label(const spf_column_plan *plan, size_t label) {
    size_t j = 0;
    while (plan[j].use != SPF_USE_LABELS || plan[j].target != label) j++;
    return j;
}

/* Columns of categories become several labels. */
static sporf_status take_labels(sporf_dataset *data, const char *file, const spf_column_plan *plan,
                                size_t labels) {
    uint32_t *classes = spf_alloc(data->rows, sizeof *classes);
    sporf_status status = classes ? SPORF_OK : spf_raise_memory();
    for (size_t k = 0; status == SPORF_OK && k < labels; k++) {
        size_t j = column_of_label(plan, k);
        status = check_complete(data, file, "label", j);
        for (size_t i = 0; status == SPORF_OK && i < data->rows; i++)
            classes[i] = (uint32_t)data->columns[j][i];
        if (status == SPORF_OK)
            status = spf_label_columns_add(data, spf_strings_at(&data->schema.names, j),
                                           &data->schema.levels[j], classes);
    }
    free(classes);
    return status;
}

/* Unnamed columns are named by their numbers, so that the remaining ones can be found again. */
static sporf_status number_names(sporf_dataset *data) {
    char name[32];
    for (size_t j = data->schema.names.count; j < data->features; j++) {
        int length = snprintf(name, sizeof name, "%zu", j + 1);
        SPF_TRY(spf_strings_add(&data->schema.names, name, (size_t)length));
    }
    return SPORF_OK;
}

static void move_outcome(sporf_schema *from, sporf_schema *to) {
    to->classes = from->classes;
    to->label_name = from->label_name;
    to->target_names = from->target_names;
    to->label_columns = from->label_columns;
    to->label_ends = from->label_ends;
    from->classes = from->target_names = from->label_columns = (spf_strings){0};
    from->label_name = NULL;
    from->label_ends = NULL;
}

/* Reduces the schema to the columns that are used as features. */
static sporf_status part_schema(sporf_dataset *data, const spf_column_plan *plan, size_t features) {
    sporf_schema old = data->schema, kept = {.decimal_comma = old.decimal_comma};
    sporf_status status = SPORF_OK;
    for (size_t j = 0, place = 0; status == SPORF_OK && j < data->features; j++) {
        if (plan[j].use != SPF_USE_FEATURE) continue;
        if (old.names.count > 0) {
            const char *name = spf_strings_at(&old.names, j);
            status = spf_strings_add(&kept.names, name, strlen(name));
        }
        if (status == SPORF_OK && spf_schema_kind(&old, j) != SPORF_KIND_NUMBER)
            status = spf_schema_set_levels(&kept, features, place, old.kinds[j], &old.levels[j]);
        place++;
    }
    if (status != SPORF_OK) {
        spf_schema_free(&kept);
        return status;
    }
    move_outcome(&old, &kept);
    data->schema = kept;
    spf_schema_free(&old);
    return SPORF_OK;
}

/* Gives back the unused memory behind the columns; failure is harmless. */
static void release_unused(sporf_dataset *data) {
    size_t values = data->features * data->rows;
    float *less = realloc(data->storage, (values > 0 ? values : 1) * sizeof *less);
    if (!less) return;
    data->storage = less;
    for (size_t j = 0; j < data->features; j++) data->columns[j] = spf_dataset_column(data, j);
}

/* Moves columns up, so that they are contiguous again. */
static void part_columns(sporf_dataset *data, const spf_column_plan *plan) {
    size_t place = 0;
    for (size_t j = 0; j < data->features; j++) {
        if (plan[j].use != SPF_USE_FEATURE) continue;
        if (place < j)
            memcpy(spf_dataset_column(data, place), spf_dataset_column(data, j),
                   data->rows * sizeof(float));
        if (data->unknown) data->unknown[place] = data->unknown[j];
        place++;
    }
    data->features = place;
    release_unused(data);
}

static int holds_missing(const sporf_dataset *data) {
    for (size_t j = 0; j < data->features; j++)
        for (size_t i = 0; i < data->rows; i++)
            if (isnan(data->columns[j][i])) return 1;
    return 0;
}

sporf_status spf_dataset_part(sporf_dataset *data, const char *file, const spf_column_plan *plan) {
    size_t features = 0, labels = 0;
    for (size_t j = 0; j < data->features; j++) {
        labels += plan[j].use == SPF_USE_LABELS;
        features += plan[j].use == SPF_USE_FEATURE;
        data->targets += plan[j].use == SPF_USE_TARGET;
        if (plan[j].use == SPF_USE_WEIGHT) SPF_TRY(take_weights(data, file, j));
    }
    if (features == data->features) return SPORF_OK;
    SPF_TRY(number_names(data));
    if (data->targets > 0) SPF_TRY(take_targets(data, file, plan));
    if (labels > 0) SPF_TRY(take_labels(data, file, plan, labels));
    SPF_TRY(part_schema(data, plan, features));
    part_columns(data, plan);
    data->has_missing = data->has_missing && holds_missing(data);
    return SPORF_OK;
}
