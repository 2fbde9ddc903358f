#include "baseline.h"

#include "printed.h"
#include "summary_line.h"

#include <math.h>
#include <stdlib.h>

/* Rows that are not predicted, such as those that were never out of bag, do not count. */
static double weight_of(const sporf_scored_rows *rows, size_t i) {
    if (rows->predicted[i] >= rows->classes) return 0;
    return rows->weights ? rows->weights[i] : 1;
}

/* weights[classes]: of rows by their class; the total also has unknown classes. */
static double add_weights(const sporf_scored_rows *rows, double *weights) {
    double total = 0;
    for (size_t i = 0; i < rows->rows; i++) {
        total += weight_of(rows, i);
        if (rows->labels[i] < rows->classes) weights[rows->labels[i]] += weight_of(rows, i);
    }
    return total;
}

/* The cost of a row, if all are predicted as one class. */
static double cost_of_class(const sporf_forest *forest, const double *weights, size_t classes,
                            double total, uint32_t predicted) {
    double cost = 0, known = 0;
    for (uint32_t k = 0; k < classes; k++) {
        cost += weights[k] * sporf_forest_cost(forest, k, predicted);
        known += weights[k];
    }
    return (cost + total - known) / total;
}

static double cost_of_predictions(const sporf_forest *forest, const sporf_scored_rows *rows,
                                  double total) {
    double cost = 0;
    for (size_t i = 0; i < rows->rows; i++)
        cost += weight_of(rows, i) *
                (rows->labels[i] < rows->classes
                     ? sporf_forest_cost(forest, rows->labels[i], rows->predicted[i])
                     : 1);
    return cost / total;
}

int baseline_find(const sporf_forest *forest, const sporf_scored_rows *rows, baseline *found) {
    double *weights = calloc(rows->classes + 1, sizeof *weights);
    *found = (baseline){.error = NAN};
    if (!weights) return 0;
    double total = add_weights(rows, weights);
    found->has_cost = total > 0 && forest && sporf_forest_setting(forest, "cost");
    for (uint32_t k = 0; k < rows->classes; k++)
        if (weights[k] > weights[found->class_index]) found->class_index = k;
    if (total > 0) found->error = 1 - weights[found->class_index] / total;
    for (uint32_t k = 0; found->has_cost && k < rows->classes; k++) {
        double cost = cost_of_class(forest, weights, rows->classes, total, k);
        if (k > 0 && cost >= found->cheapest_cost) continue;
        found->cheapest_class = k;
        found->cheapest_cost = cost;
    }
    if (found->has_cost) found->cost = cost_of_predictions(forest, rows, total);
    free(weights);
    return 1;
}

void baseline_lines(FILE *stream, const sporf_schema *schema, const baseline *found) {
    char number[TEXT_NUMBER], other[TEXT_NUMBER];
    summary_line(stream, "baseline", "error %s if every row were predicted as %s",
                 text_rate(number, found->error),
                 sporf_schema_class_name(schema, found->class_index));
    if (found->has_cost)
        summary_line(stream, "cost", "%s for a row; %s if every row were predicted as %s",
                     text_rate(number, found->cost), text_rate(other, found->cheapest_cost),
                     sporf_schema_class_name(schema, found->cheapest_class));
}

static void json_guess(json *writer, const char *name, const char *class_name, const char *key,
                       double value) {
    json_object(writer, name);
    json_line(writer);
    json_text(writer, "class", class_name);
    json_double(writer, key, value);
    json_end(writer);
}

void baseline_json(json *writer, const sporf_schema *schema, const char *prefix,
                   const baseline *found) {
    char name[32];
    snprintf(name, sizeof name, "%sbaseline", prefix);
    json_guess(writer, name, sporf_schema_class_name(schema, found->class_index), "error",
               found->error);
    snprintf(name, sizeof name, "%scost", prefix);
    if (!found->has_cost) {
        json_double(writer, name, NAN); /* null */
        return;
    }
    json_object(writer, name);
    json_double(writer, "value", found->cost);
    json_guess(writer, "baseline", sporf_schema_class_name(schema, found->cheapest_class), "value",
               found->cheapest_cost);
    json_end(writer);
}
