/* Names, kinds and levels of columns. */
#include "data/schema.h"

#include <stdlib.h>
#include <string.h>

void spf_schema_free(sporf_schema *schema) {
    for (size_t i = 0; schema->levels && i < schema->count; i++)
        spf_strings_free(&schema->levels[i]);
    free(schema->kinds);
    free(schema->levels);
    spf_strings_free(&schema->names);
    spf_strings_free(&schema->classes);
    spf_strings_free(&schema->target_names);
    spf_schema_drop_label_columns(schema);
    free(schema->label_name);
    *schema = (sporf_schema){0};
}

/* Makes all columns numeric, so that some can become categories. */
static sporf_status make_kinds(sporf_schema *schema, size_t columns) {
    schema->kinds = spf_alloc_zero(columns, sizeof *schema->kinds);
    schema->levels = spf_alloc_zero(columns, sizeof *schema->levels);
    if (schema->kinds && schema->levels) {
        schema->count = columns;
        return SPORF_OK;
    }
    free(schema->kinds);
    free(schema->levels);
    schema->kinds = NULL;
    schema->levels = NULL;
    return spf_raise_memory();
}

sporf_status spf_schema_set_levels(sporf_schema *schema, size_t columns, size_t column,
                                   sporf_kind kind, spf_strings *levels) {
    if (!schema->kinds) SPF_TRY(make_kinds(schema, columns));
    spf_strings_free(&schema->levels[column]);
    schema->kinds[column] = kind;
    schema->levels[column] = *levels;
    *levels = (spf_strings){0};
    return SPORF_OK;
}

static sporf_status copy_kinds(const sporf_schema *from, sporf_schema *to) {
    SPF_TRY(make_kinds(to, from->count));
    for (size_t i = 0; i < from->count; i++) {
        to->kinds[i] = from->kinds[i];
        SPF_TRY(spf_strings_copy(&from->levels[i], &to->levels[i]));
    }
    return SPORF_OK;
}

void spf_schema_drop_label_columns(sporf_schema *schema) {
    spf_strings_free(&schema->label_columns);
    free(schema->label_ends);
    schema->label_ends = NULL;
}

sporf_status spf_schema_add_label_column(sporf_schema *schema, const char *name, size_t end) {
    size_t count = schema->label_columns.count;
    size_t *ends = spf_alloc(count + 1, sizeof *ends);
    if (!ends) return spf_raise_memory();
    sporf_status status = spf_strings_add(&schema->label_columns, name, strlen(name));
    if (status != SPORF_OK) {
        free(ends);
        return status;
    }
    if (count > 0) memcpy(ends, schema->label_ends, count * sizeof *ends);
    ends[count] = end;
    free(schema->label_ends);
    schema->label_ends = ends;
    return SPORF_OK;
}

static sporf_status copy_label_columns(const sporf_schema *from, sporf_schema *to) {
    for (size_t i = 0; i < from->label_columns.count; i++)
        SPF_TRY(spf_schema_add_label_column(to, spf_strings_at(&from->label_columns, i),
                                            from->label_ends[i]));
    return SPORF_OK;
}

sporf_status spf_schema_copy_outcome(const sporf_schema *from, sporf_schema *to) {
    SPF_TRY(spf_strings_copy(&from->classes, &to->classes));
    SPF_TRY(spf_strings_copy(&from->target_names, &to->target_names));
    SPF_TRY(copy_label_columns(from, to));
    if (from->label_name && !(to->label_name = spf_strdup(from->label_name)))
        return spf_raise_memory();
    return SPORF_OK;
}

sporf_status spf_schema_exchange_outcome(const sporf_schema *from, sporf_schema *to) {
    spf_strings_free(&to->classes);
    spf_strings_free(&to->target_names);
    spf_schema_drop_label_columns(to);
    free(to->label_name);
    to->label_name = NULL;
    return spf_schema_copy_outcome(from, to);
}

sporf_status spf_schema_copy(const sporf_schema *from, sporf_schema *to) {
    *to = (sporf_schema){.decimal_comma = from->decimal_comma};
    sporf_status status = spf_strings_copy(&from->names, &to->names);
    if (status == SPORF_OK && from->kinds) status = copy_kinds(from, to);
    if (status == SPORF_OK) status = spf_schema_copy_outcome(from, to);
    if (status != SPORF_OK) spf_schema_free(to);
    return status;
}

int spf_schema_has_categories(const sporf_schema *schema) {
    for (size_t i = 0; schema->kinds && i < schema->count; i++)
        if (schema->kinds[i] == SPORF_KIND_CATEGORY) return 1;
    return 0;
}

size_t spf_schema_most_levels(const sporf_schema *schema) {
    size_t most = 0;
    for (size_t i = 0; schema->kinds && i < schema->count; i++)
        if (schema->kinds[i] == SPORF_KIND_CATEGORY && schema->levels[i].count > most)
            most = schema->levels[i].count;
    return most;
}

static const char *name_at(const spf_strings *names, size_t index) {
    return index < names->count ? spf_strings_at(names, index) : NULL;
}

const char *sporf_schema_feature_name(const sporf_schema *schema, size_t feature) {
    return name_at(&schema->names, feature);
}

sporf_kind sporf_schema_kind(const sporf_schema *schema, size_t feature) {
    return schema->kinds && feature < schema->count ? schema->kinds[feature] : SPORF_KIND_NUMBER;
}

size_t sporf_schema_levels(const sporf_schema *schema, size_t feature) {
    return schema->kinds && feature < schema->count ? schema->levels[feature].count : 0;
}

const char *sporf_schema_level_name(const sporf_schema *schema, size_t feature, size_t level) {
    return level < sporf_schema_levels(schema, feature)
               ? spf_strings_at(&schema->levels[feature], level)
               : NULL;
}

const char *sporf_schema_class_name(const sporf_schema *schema, size_t class_index) {
    const char *name = name_at(&schema->classes, class_index);
    return name && *name ? name : NULL;
}

const char *sporf_schema_label_name(const sporf_schema *schema) {
    return schema->label_name;
}

const char *sporf_schema_target_name(const sporf_schema *schema, size_t target) {
    return name_at(&schema->target_names, target);
}

size_t sporf_schema_label_columns(const sporf_schema *schema) {
    return schema->label_columns.count;
}

const char *sporf_schema_label_column_name(const sporf_schema *schema, size_t column) {
    return name_at(&schema->label_columns, column);
}

size_t sporf_schema_label_column_target(const sporf_schema *schema, size_t column) {
    return column < schema->label_columns.count ? spf_schema_label_targets(schema, column).begin
                                                : schema->target_names.count;
}

size_t sporf_schema_label_column_classes(const sporf_schema *schema, size_t column) {
    if (column >= schema->label_columns.count) return 0;
    spf_label_targets targets = spf_schema_label_targets(schema, column);
    return targets.end - targets.begin;
}

/* The name of the target without that of the label and the sign between them. */
const char *sporf_schema_label_column_class(const sporf_schema *schema, size_t column,
                                            size_t class_index) {
    if (class_index >= sporf_schema_label_column_classes(schema, column)) return NULL;
    size_t target = spf_schema_label_targets(schema, column).begin + class_index;
    return spf_strings_at(&schema->target_names, target) +
           spf_strings_length(&schema->label_columns, column) + 1;
}

double spf_schema_bytes(const sporf_schema *schema) {
    double bytes = spf_strings_bytes(&schema->names);
    for (size_t i = 0; schema->kinds && i < schema->count; i++)
        bytes +=
            sizeof *schema->levels + sizeof *schema->kinds + spf_strings_bytes(&schema->levels[i]);
    return bytes;
}
