/* The public functions for names, kinds and levels of a dataset's columns, and notes on the columns
 * of its file. */
#include "base/text.h"
#include "data/labels.h"

#include <math.h>
#include <string.h>

static sporf_status copy_names(const char *const *names, size_t count, spf_strings *copy) {
    for (size_t j = 0; j < count; j++) {
        if (!names[j])
            return spf_raise(SPORF_ERROR_ARGUMENT, "the name of feature %zu is NULL", j + 1);
        SPF_TRY(spf_strings_add(copy, names[j], strlen(names[j])));
    }
    return SPORF_OK;
}

sporf_status sporf_dataset_set_feature_names(sporf_dataset *data, const char *const *names,
                                             size_t count) {
    if (!data || !names)
        return spf_raise(SPORF_ERROR_ARGUMENT, "feature names: data and names must not be NULL");
    if (count != data->features)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu feature names for %zu features", count,
                         data->features);
    spf_strings copy = {0};
    sporf_status status = copy_names(names, count, &copy);
    if (status == SPORF_OK) status = spf_check_distinct(&copy, SPORF_ERROR_ARGUMENT);
    if (status != SPORF_OK) {
        spf_strings_free(&copy);
        return status;
    }
    spf_strings_free(&data->schema.names);
    data->schema.names = copy;
    return SPORF_OK;
}

static sporf_status check_arguments(const sporf_dataset *data, size_t feature, sporf_kind kind,
                                    const char *const *names, size_t count) {
    if (!data || (!names && count > 0))
        return spf_raise(SPORF_ERROR_ARGUMENT, "levels: data and names must not be NULL");
    if (feature >= data->features)
        return spf_raise(SPORF_ERROR_ARGUMENT, "levels of feature %zu: there are %zu features",
                         feature, data->features);
    if (kind != SPORF_KIND_CATEGORY && kind != SPORF_KIND_ORDINAL)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "levels of feature %zu: its kind must be category or ordinal", feature);
    if (count == 0 || count > SPF_LEVELS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu levels for feature %zu: 1 to %zu are allowed",
                         count, feature, SPF_LEVELS_MAX);
    return SPORF_OK;
}

static sporf_status check_values(const sporf_dataset *data, size_t feature, size_t count) {
    const float *values = data->columns[feature];
    for (size_t i = 0; i < data->rows; i++) {
        float value = values[i];
        if (isnan(value) || (value >= 0 && value < (float)count && value == truncf(value)))
            continue;
        return spf_raise(SPORF_ERROR_DATA,
                         SPF_FEATURE_CELL ": %g is not the number of a level; these are 0 to %zu",
                         i + 1, feature + 1, (double)value, count - 1);
    }
    return SPORF_OK;
}

static sporf_status list_levels(const char *const *names, size_t count, spf_dictionary *levels) {
    char shown[SPF_NAME_TEXT_MAX];
    uint32_t number;
    for (size_t i = 0; i < count; i++) {
        if (!names[i] || !*names[i])
            return spf_raise(SPORF_ERROR_ARGUMENT, "level %zu has no name", i);
        SPF_TRY(spf_dictionary_add(levels, names[i], strlen(names[i]), &number));
        if (number != i)
            return spf_raise(SPORF_ERROR_ARGUMENT, "levels %lu and %zu are both named '%s'",
                             (unsigned long)number, i, spf_name_text(names[i], shown));
    }
    return SPORF_OK;
}

sporf_status sporf_dataset_set_levels(sporf_dataset *data, size_t feature, sporf_kind kind,
                                      const char *const *names, size_t count) {
    spf_dictionary levels = {0};
    SPF_TRY(check_arguments(data, feature, kind, names, count));
    SPF_TRY(spf_dataset_own_column(data, feature));
    SPF_TRY(check_values(data, feature, count));
    sporf_status status = list_levels(names, count, &levels);
    if (status == SPORF_OK)
        status = spf_schema_set_levels(&data->schema, data->features, feature, kind, &levels.words);
    spf_dictionary_free(&levels);
    return status;
}

const sporf_schema *sporf_dataset_schema(const sporf_dataset *data) {
    return &data->schema;
}

size_t sporf_dataset_missing(const sporf_dataset *data, size_t feature) {
    size_t missing = 0;
    if (!data->has_missing || feature >= data->features) return 0;
    for (size_t i = 0; i < data->rows; i++) missing += isnan(data->columns[feature][i]) != 0;
    return missing;
}

size_t sporf_dataset_unknown_levels(const sporf_dataset *data, size_t feature,
                                    const char **example) {
    const spf_unknown_levels *unknown =
        data->unknown && feature < data->features ? &data->unknown[feature] : NULL;
    if (example) *example = unknown && unknown->cells > 0 ? unknown->example : NULL;
    return unknown ? unknown->cells : 0;
}

const sporf_note *sporf_dataset_note(const sporf_dataset *data, size_t index) {
    return index < data->notes.count ? &data->notes.items[index] : NULL;
}
