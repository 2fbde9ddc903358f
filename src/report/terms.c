/* Projections of a model: in words, and their values for rows. */
#include "report/terms.h"

#include "picture/words.h"

#include <math.h>
#include <string.h>

enum { TERMS_MOST = 12 };

size_t spf_terms_feature(const spf_report_model *model, const sporf_ranked *ranked, size_t term) {
    size_t feature = ranked->features[term];
    if (feature < model->features) return feature;
    return sporf_forest_level_set(model->forest, feature - model->features).feature;
}

void spf_terms_text(spf_markup *m, const spf_report_model *model, const sporf_ranked *ranked) {
    spf_words_sum(m, model->forest, ranked, TERMS_MOST);
}

/* The number that the model has for a level of the data; NaN if it has none. */
static double level_in_model(const spf_report_model *model, size_t feature,
                             const spf_column *column, size_t level) {
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    const char *name = sporf_schema_level_name(column->schema, column->place, level);
    size_t levels = sporf_schema_levels(schema, feature);
    if (!name) return NAN;
    if (level < levels && strcmp(name, sporf_schema_level_name(schema, feature, level)) == 0)
        return (double)level;
    for (size_t k = 0; k < levels; k++)
        if (strcmp(name, sporf_schema_level_name(schema, feature, k)) == 0) return (double)k;
    return NAN;
}

/* As trees see it: a level is in the set or not. */
static double value_of(const spf_report_model *model, uint32_t term, size_t feature,
                       const spf_column *column, size_t row) {
    double value = column->values ? (double)column->values[row] : NAN;
    if (!isnan(value) && sporf_schema_levels(sporf_forest_schema(model->forest), feature) > 0)
        value = level_in_model(model, feature, column, (size_t)value);
    if (term < model->features) return value;
    size_t set = term - model->features;
    sporf_level_set found = sporf_forest_level_set(model->forest, set);
    if (isnan(value)) return (double)found.fill;
    return found.has_levels ? sporf_forest_level_set_has(model->forest, set, (size_t)value) : value;
}

double spf_terms_value(const spf_report_model *model, const sporf_ranked *ranked,
                       const spf_column *columns, size_t row) {
    double sum = 0;
    for (size_t i = 0; i < ranked->terms; i++)
        sum += (double)ranked->weights[i] * value_of(model, ranked->features[i],
                                                     spf_terms_feature(model, ranked, i),
                                                     &columns[i], row);
    return sum;
}
