/* Projections of a model: in words, and their values for rows. */
#include "report/terms.h"

#include <math.h>
#include <string.h>

enum { TERMS_MOST = 12, LEVELS_MOST = 5, NAME_MOST = 40 };

size_t spf_terms_feature(const spf_report_model *model, const sporf_ranked *ranked, size_t term) {
    size_t feature = ranked->features[term];
    if (feature < model->features) return feature;
    return sporf_forest_level_set(model->forest, feature - model->features).feature;
}

/* The first characters of a name, as they are. */
static void put_name(spf_markup *m, const char *name) {
    const char *end = name;
    uint32_t c;
    for (size_t i = 0; *end && i < NAME_MOST; i++) end = spf_utf8_next(end, &c);
    spf_markup_format(m, "%.*s%s", (int)(end - name), name, *end ? "\xe2\x80\xa6" : "");
}

static void put_levels(spf_markup *m, const spf_report_model *model, size_t set, size_t feature) {
    const sporf_schema *schema = sporf_forest_schema(model->forest);
    size_t shown = 0, all = 0;
    spf_markup_put(m, " in {");
    for (size_t k = 0; k < sporf_schema_levels(schema, feature); k++) {
        if (!sporf_forest_level_set_has(model->forest, set, k)) continue;
        if (all++ >= LEVELS_MOST) continue;
        if (shown++ > 0) spf_markup_put(m, ", ");
        put_name(m, sporf_schema_level_name(schema, feature, k));
    }
    if (all > shown) spf_markup_format(m, " and %zu more", all - shown);
    spf_markup_put(m, "}]");
}

static void put_term(spf_markup *m, const spf_report_model *model, const sporf_ranked *ranked,
                     size_t term) {
    size_t feature = spf_terms_feature(model, ranked, term);
    char name[SPF_REPORT_NAME_MAX];
    size_t set = ranked->features[term] >= model->features
                     ? ranked->features[term] - model->features
                     : sporf_forest_level_sets(model->forest);
    int is_set = set < sporf_forest_level_sets(model->forest) &&
                 sporf_forest_level_set(model->forest, set).has_levels;
    if (is_set) spf_markup_put(m, "[");
    put_name(m, spf_feature_name(sporf_forest_schema(model->forest), feature, name));
    if (is_set) put_levels(m, model, set, feature);
}

void spf_terms_text(spf_markup *m, const spf_report_model *model, const sporf_ranked *ranked) {
    for (size_t i = 0; i < ranked->terms && i < TERMS_MOST; i++) {
        double weight = (double)ranked->weights[i], size = fabs(weight);
        if (i > 0 || weight < 0) spf_markup_put(m, weight < 0 ? "\xe2\x88\x92 " : "+ ");
        if (size != 1) {
            spf_markup_number(m, size, 3);
            spf_markup_put(m, " ");
        }
        put_term(m, model, ranked, i);
        if (i + 1 < ranked->terms) spf_markup_put(m, " ");
    }
    if (ranked->terms > TERMS_MOST)
        spf_markup_format(m, "and %zu more terms", ranked->terms - TERMS_MOST);
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
