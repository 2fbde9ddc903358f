/* The settings of a decision in words, and as JSON. */
#include "decision_report.h"

#include "printed.h"
#include "summary_line.h"

#include <math.h>
#include <string.h>

int decision_weighs_classes(const sporf_forest *forest) {
    const char *weights = sporf_forest_setting(forest, "class-weights");
    return weights && strcmp(weights, "none") != 0;
}

int decision_is_own(const sporf_forest *forest) {
    return sporf_forest_setting(forest, "cost") || sporf_forest_setting(forest, "recall");
}

static const char *class_name(const sporf_forest *forest, uint32_t index) {
    return sporf_schema_class_name(sporf_forest_schema(forest), index);
}

void decision_line(FILE *stream, const sporf_forest *forest) {
    const char *cost = sporf_forest_setting(forest, "cost");
    char number[TEXT_NUMBER];
    uint32_t found;
    double threshold;
    if (cost)
        summary_line(stream, "decision", "the class with the least expected cost: %s, others 1",
                     cost);
    if (sporf_forest_threshold(forest, &found, &threshold))
        summary_line(stream, "decision", "%s if its probability is at least %s: recall %s",
                     class_name(forest, found), text_rate(number, threshold),
                     sporf_forest_setting(forest, "recall"));
}

void decision_json(json *writer, const sporf_forest *forest) {
    uint32_t found;
    double threshold;
    if (!decision_is_own(forest)) {
        json_double(writer, "decision", NAN); /* null */
        return;
    }
    json_object(writer, "decision");
    json_line(writer);
    json_text(writer, "cost", sporf_forest_setting(forest, "cost"));
    json_text(writer, "recall", sporf_forest_setting(forest, "recall"));
    if (sporf_forest_threshold(forest, &found, &threshold)) {
        json_text(writer, "class", class_name(forest, found));
        json_double(writer, "threshold", threshold);
    }
    json_end(writer);
}
