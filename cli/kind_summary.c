/* What the features of a forest or a table are, in one line or as a JSON object. */
#include "summary.h"

#include "printed.h"

#include <string.h>

static void count_kind(summary_kinds *kinds, sporf_kind kind, size_t levels) {
    kinds->features++;
    kinds->numbers += kind == SPORF_KIND_NUMBER;
    kinds->categories += kind == SPORF_KIND_CATEGORY;
    kinds->ordinals += kind == SPORF_KIND_ORDINAL;
    if (kind == SPORF_KIND_NUMBER) return;
    if (kinds->least_levels == 0 || levels < kinds->least_levels) kinds->least_levels = levels;
    if (levels > kinds->most_levels) kinds->most_levels = levels;
}

void summary_forest_kinds(const sporf_forest *forest, summary_kinds *kinds) {
    *kinds = (summary_kinds){0};
    for (size_t j = 0; j < sporf_forest_features(forest); j++)
        count_kind(kinds, sporf_forest_kind(forest, j), sporf_forest_levels(forest, j));
}

void summary_data_kinds(const sporf_dataset *data, summary_kinds *kinds) {
    *kinds = (summary_kinds){0};
    for (size_t j = 0; j < sporf_dataset_features(data); j++) {
        count_kind(kinds, sporf_dataset_kind(data, j), sporf_dataset_levels(data, j));
        kinds->missing += sporf_dataset_missing(data, j) > 0;
    }
}

void summary_kinds_json(json *writer, const summary_kinds *kinds) {
    json_object(writer, "kinds");
    json_line(writer);
    json_count(writer, "numbers", kinds->numbers);
    json_count(writer, "categories", kinds->categories);
    json_count(writer, "ordinals", kinds->ordinals);
    json_count(writer, "least_levels", kinds->least_levels);
    json_count(writer, "most_levels", kinds->most_levels);
    json_end(writer);
}

/* Adds "6 numbers" to a list; nothing for none. */
static void add_count(char *text, size_t size, size_t count, const char *one, const char *many) {
    char number[TEXT_NUMBER];
    size_t used = strlen(text);
    if (count == 0) return;
    snprintf(text + used, size - used, "%s%s %s", used > 0 ? ", " : "", text_count(number, count),
             count == 1 ? one : many);
}

static void add_levels(char *text, size_t size, const summary_kinds *kinds) {
    char least[TEXT_NUMBER], most[TEXT_NUMBER];
    size_t used = strlen(text);
    text_count(least, kinds->least_levels);
    text_count(most, kinds->most_levels);
    if (kinds->least_levels == kinds->most_levels)
        snprintf(text + used, size - used, " (%s %s)", most,
                 kinds->most_levels == 1 ? "level" : "levels");
    else
        snprintf(text + used, size - used, " (%s to %s levels)", least, most);
}

void summary_kinds_line(FILE *stream, const summary_kinds *kinds) {
    char text[256] = "";
    if (kinds->numbers == kinds->features && kinds->missing == 0) return;
    add_count(text, sizeof text, kinds->numbers, "number", "numbers");
    add_count(text, sizeof text, kinds->ordinals, "order", "orders");
    add_count(text, sizeof text, kinds->categories, "category", "categories");
    if (kinds->most_levels > 0) add_levels(text, sizeof text, kinds);
    add_count(text, sizeof text, kinds->missing, "with missing values", "with missing values");
    summary_line(stream, "kinds", "%s", text);
}
