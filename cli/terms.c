/* Terms name features, or sets of levels beyond them. */
#include "terms.h"

#include "console.h"
#include "printed.h"

void terms_print_feature(FILE *stream, const sporf_forest *forest, uint32_t feature) {
    const char *name = sporf_schema_feature_name(sporf_forest_schema(forest), feature);
    char text[256];
    if (name) {
        text_printable(text, sizeof text, name);
        fputs(text, stream);
    } else {
        fprintf(stream, "x%lu", (unsigned long)feature + 1);
    }
}

void terms_csv_feature(FILE *stream, const sporf_forest *forest, size_t feature) {
    const char *name = sporf_schema_feature_name(sporf_forest_schema(forest), feature);
    if (name)
        text_csv_field(stream, name);
    else
        fprintf(stream, "x%zu", feature + 1);
}

/* "[height or 170.5]": the value, or the one that replaces a missing value. */
static void print_filled(FILE *stream, const sporf_forest *forest, size_t set) {
    char number[TEXT_NUMBER];
    fputc('[', stream);
    terms_print_feature(stream, forest, (uint32_t)sporf_forest_level_set(forest, set).feature);
    fprintf(stream, " or %s]", text_float(number, sporf_forest_level_set(forest, set).fill));
}

/* "[colour in red, green and 3 more]" */
static void print_set(FILE *stream, const sporf_forest *forest, size_t set) {
    enum { SHOWN = 5 };
    size_t feature = sporf_forest_level_set(forest, set).feature, shown = 0, more = 0;
    fputc('[', stream);
    terms_print_feature(stream, forest, (uint32_t)feature);
    fputs(" in", stream);
    for (size_t k = 0; k < sporf_schema_levels(sporf_forest_schema(forest), feature); k++) {
        char text[256];
        if (!sporf_forest_level_set_has(forest, set, k)) continue;
        if (shown == SHOWN) {
            more++;
            continue;
        }
        text_printable(text, sizeof text,
                       sporf_schema_level_name(sporf_forest_schema(forest), feature, k));
        fprintf(stream, "%s %s", shown++ > 0 ? "," : "", text);
    }
    if (shown == 0) fputs(" none", stream);
    if (more > 0) fprintf(stream, " and %zu more", more);
    fputc(']', stream);
}

static void print_term(FILE *stream, const sporf_forest *forest, uint32_t feature) {
    size_t features = sporf_forest_features(forest);
    if (feature < features)
        terms_print_feature(stream, forest, feature);
    else if (sporf_forest_level_set(forest, feature - features).has_levels)
        print_set(stream, forest, feature - features);
    else
        print_filled(stream, forest, feature - features);
}

void terms_print(FILE *stream, const sporf_forest *forest, const uint32_t *features,
                 const float *weights, size_t terms) {
    char number[TEXT_NUMBER];
    for (size_t i = 0; i < terms; i++) {
        const char *weight = text_float(number, weights[i]);
        fprintf(stream, "%s%s%s ", i > 0 ? " " : "", weight[0] == '-' ? "" : "+", weight);
        print_term(stream, forest, features[i]);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

typedef struct {
    const sporf_forest *forest;
    const sporf_ranked *line;
} projection;

static void print_projection(FILE *stream, const void *context) {
    const projection *p = context;
    terms_print(stream, p->forest, p->line->features, p->line->weights, p->line->terms);
}

char *terms_text(const sporf_forest *forest, const sporf_ranked *ranked) {
    return console_printed(print_projection, &(projection){forest, ranked});
}

void terms_json(json *writer, const uint32_t *features, const float *weights, size_t terms) {
    json_list(writer, "features");
    for (size_t i = 0; i < terms; i++) json_count(writer, NULL, features[i]);
    json_end(writer);
    json_list(writer, "weights");
    for (size_t i = 0; i < terms; i++) json_float(writer, NULL, weights[i]);
    json_end(writer);
}

/* Its levels are indices into the levels of its feature; null for the feature's own value. */
static void set_json(json *writer, const sporf_forest *forest, size_t set) {
    size_t feature = sporf_forest_level_set(forest, set).feature;
    json_object(writer, NULL);
    json_line(writer);
    json_count(writer, "feature", feature);
    if (sporf_forest_level_set(forest, set).has_levels) {
        json_list(writer, "levels");
        for (size_t k = 0; k < sporf_schema_levels(sporf_forest_schema(forest), feature); k++)
            if (sporf_forest_level_set_has(forest, set, k)) json_count(writer, NULL, k);
        json_end(writer);
    } else {
        json_text(writer, "levels", NULL);
    }
    json_float(writer, "fill", sporf_forest_level_set(forest, set).fill);
    json_end(writer);
}

void terms_sets_json(out_file *file, json *writer, const sporf_forest *forest) {
    json_list(writer, "sets");
    for (size_t i = 0; i < sporf_forest_level_sets(forest) && out_ok(file); i++)
        set_json(writer, forest, i);
    json_end(writer);
}
