/* Requirements of training on data and parameters together. */
#include "learn/settings/checks.h"

#include "base/text.h"
#include "data/labels.h"
#include "learn/sampling/sampler.h"

#include <math.h>

static sporf_status check_size(const sporf_dataset *data) {
    if (data->rows == 0 || data->features == 0)
        return spf_raise(SPORF_ERROR_DATA,
                         "the data have %zu rows and %zu features; training needs "
                         "at least one of each",
                         data->rows, data->features);
    if (data->rows > SPF_ROWS_MAX || data->features > SPF_ROWS_MAX)
        return spf_raise(SPORF_ERROR_DATA,
                         "the data have %zu rows and %zu features; at most %zu of "
                         "each can be used",
                         data->rows, data->features, SPF_ROWS_MAX);
    return SPORF_OK;
}

int spf_column_has_missing(const sporf_dataset *data, size_t feature) {
    for (size_t i = 0; i < data->rows; i++)
        if (isnan(data->columns[feature][i])) return 1;
    return 0;
}

/* Rotations and canonical correlations need numeric features. */
static sporf_status check_numbers(const sporf_dataset *data, const sporf_sampler *sampler) {
    char shown[SPF_NAME_TEXT_MAX];
    for (size_t j = 0; sampler->traits.needs_numbers && j < data->features; j++) {
        int category = spf_schema_kind(&data->schema, j) == SPORF_KIND_CATEGORY;
        if (!category && !(data->has_missing && spf_column_has_missing(data, j))) continue;
        const char *name = sporf_schema_feature_name(&data->schema, j);
        return spf_raise(SPORF_ERROR_DATA,
                         "%s needs numbers, but " SPF_COLUMN "%s %s" SPF_HINT
                         "use " SPF_OPTION_AS("method", "sporf") ", or %s",
                         spf_sampler_name(sampler), j + 1, spf_named(" ('", name, "')", shown),
                         category ? "is a category" : "has missing values (NaN)",
                         category ? "encode the column as numbers" : "fill them in");
    }
    return SPORF_OK;
}

sporf_status spf_check_training(const spf_outcome_kind *outcome, const sporf_dataset *data,
                                const sporf_params *params, const sporf_sampler *sampler) {
    if (outcome->labelled && !data->labels)
        return spf_raise(SPORF_ERROR_DATA, "the data have no labels" SPF_HINT
                                           "name the column that holds them, or set them");
    SPF_TRY(check_size(data));
    SPF_TRY(spf_check_distinct(&data->schema.names, SPORF_ERROR_DATA));
    SPF_TRY(spf_dataset_check_borrowed(data));
    SPF_TRY(outcome->check(data, params, sampler));
    return check_numbers(data, sampler);
}
