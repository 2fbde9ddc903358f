/* How much the rows of a table count, in one line or as a JSON object. */
#include "summary.h"

#include "printed.h"

typedef struct {
    double sum;
    float least, largest;
    size_t zeros; /* rows that count nothing */
} spread;

static spread measure(const float *weights, size_t rows) {
    spread found = {.least = weights[0], .largest = weights[0]};
    for (size_t i = 0; i < rows; i++) {
        found.sum += weights[i];
        if (weights[i] < found.least) found.least = weights[i];
        if (weights[i] > found.largest) found.largest = weights[i];
        found.zeros += weights[i] == 0;
    }
    return found;
}

void summary_weights_json(json *writer, const sporf_dataset *data, const char *column) {
    const float *weights = sporf_dataset_weights(data);
    if (!weights) {
        json_text(writer, "weights", NULL);
        return;
    }
    spread found = measure(weights, sporf_dataset_rows(data));
    json_object(writer, "weights");
    json_line(writer);
    json_text(writer, "column", column);
    json_double(writer, "sum", found.sum);
    json_float(writer, "least", found.least);
    json_float(writer, "largest", found.largest);
    json_count(writer, "zero_rows", found.zeros);
    json_end(writer);
}

void summary_weights_line(FILE *stream, const sporf_dataset *data, const char *column) {
    char least[TEXT_NUMBER], largest[TEXT_NUMBER], zeros[TEXT_NUMBER];
    const float *weights = sporf_dataset_weights(data);
    if (!weights) return;
    spread found = measure(weights, sporf_dataset_rows(data));
    summary_line(stream, "weights", "%s: %s to %s for a row, %.10g in all%s%s%s", column,
                 text_float(least, found.least), text_float(largest, found.largest), found.sum,
                 found.zeros > 0 ? "; " : "", found.zeros > 0 ? text_count(zeros, found.zeros) : "",
                 found.zeros > 0 ? " of weight 0 take no part" : "");
}
