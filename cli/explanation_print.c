#include "explanation_print.h"

#include "out.h"
#include "printed.h"

#include <math.h>
#include <stdlib.h>

enum { NAME_WIDTH = 44, VALUE_WIDTH = 11 };

typedef struct {
    size_t place;
    double value;
} addition;

/* The largest first; in a tie, in the order of the table. */
static int compare(const void *a, const void *b) {
    const addition *x = a, *y = b;
    double left = fabs(x->value), right = fabs(y->value);
    if (left != right) return left < right ? 1 : -1;
    return (x->place > y->place) - (x->place < y->place);
}

/* The value of a feature as text: a number, a level or 'missing'. */
static const char *value_text(const explanations *e, size_t feature, char *buffer) {
    const sporf_schema *schema = sporf_forest_schema(e->forest);
    float value = sporf_dataset_feature(e->data, feature)[0];
    if (isnan(value)) return "missing";
    if (sporf_schema_levels(schema, feature) > 0)
        return sporf_schema_level_name(schema, feature, (size_t)value);
    return text_float(buffer, value);
}

static void print_line(FILE *stream, const char *name, double value, int is_signed) {
    text_cell(stream, name, -NAME_WIDTH);
    fprintf(stream, is_signed ? "%+*.4g\n" : "%*.4g\n", VALUE_WIDTH, value);
}

static int print_place(FILE *stream, const explanations *e, const addition *a) {
    char number[TEXT_NUMBER], line[256];
    char *name = explanations_place_name(e, a->place);
    if (!name) return 0;
    if (e->ranking)
        snprintf(line, sizeof line, "%s", name);
    else
        snprintf(line, sizeof line, "%s = %s", name, value_text(e, a->place, number));
    print_line(stream, line, a->value, 1);
    free(name);
    return 1;
}

static void print_rest(FILE *stream, const explanations *e, const addition *rest, size_t count) {
    char line[80], number[TEXT_NUMBER];
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += rest[i].value;
    snprintf(line, sizeof line, "%s other %s", text_count(number, count),
             e->ranking   ? "projections"
             : count == 1 ? "feature"
                          : "features");
    if (count > 0) print_line(stream, line, sum, 1);
}

/* What predict gives: calibrated, or the score as a probability. */
static void print_probability(FILE *stream, const explanations *e, size_t output) {
    size_t class_index = e->outputs == 1 ? 1 : output;
    print_line(stream, "as a probability, by predict", e->probabilities[class_index], 0);
}

int explanation_print(FILE *stream, const char *verb, const explanations *e, size_t output,
                      size_t most) {
    addition *list = malloc(e->places * sizeof *list + 1);
    int is_whole = list != NULL;
    size_t shown = e->places < most ? e->places : most;
    for (size_t j = 0; list && j < e->places; j++)
        list[j] = (addition){j, e->values[j * e->outputs + output]};
    if (list) {
        qsort(list, e->places, sizeof *list, compare);
        print_line(stream, "mean of the background", e->base[output], 0);
        for (size_t i = 0; is_whole && i < shown; i++) is_whole = print_place(stream, e, &list[i]);
        print_rest(stream, e, list + shown, e->places - shown);
        print_line(stream, "this row", e->predictions[output], 0);
        if (sporf_forest_classes(e->forest) > 0) print_probability(stream, e, output);
    }
    free(list);
    if (!is_whole) out_error(verb, "out of memory");
    return is_whole ? EXIT_DONE : EXIT_FAILED;
}
