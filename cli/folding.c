/* Folds from a file or by number. */
#include "folding.h"

#include "cli.h"
#include "out.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int is_number(const char *value) {
    return *value && value[strspn(value, "0123456789")] == '\0';
}

/* -5, 2.5 and the like: meant as a number, but none of folds. */
static int is_odd_number(const char *value) {
    char *end;
    if (!strchr("+-.0123456789", *value)) return 0;
    double number = strtod(value, &end);
    return end > value && *end == '\0' && (!is_number(value) || number < 2);
}

int folding_check(const opt_list *options) {
    const char *value = opt_value(options, "folds");
    if (!value || !is_odd_number(value)) return EXIT_DONE;
    out_error(options->verb,
              "--folds must be a whole number of folds, at least 2, or a file that lists them, got "
              "'%s'",
              value);
    return EXIT_USAGE;
}

/* Rows of a class are dealt out to as many folds as there are rows. */
static void tell_of_small_classes(const char *verb, const sporf_dataset *data, size_t folds) {
    size_t classes = sporf_dataset_classes(data), small = 0, first = 0;
    size_t *rows = calloc(classes, sizeof *rows);
    char count[TEXT_NUMBER];
    for (size_t i = 0; rows && i < sporf_dataset_rows(data); i++)
        rows[sporf_dataset_labels(data)[i]]++;
    for (size_t k = classes; rows && k-- > 0;) {
        if (rows[k] == 0 || rows[k] >= folds) continue;
        small++;
        first = k;
    }
    if (small == 1)
        out_error(verb, "class '%s' has %zu row%s, fewer than the %zu folds: some folds test none",
                  sporf_dataset_class_name(data, first), rows[first], rows[first] > 1 ? "s" : "",
                  folds);
    if (small > 1)
        out_error(verb,
                  "%s classes have fewer rows than the %zu folds, '%s' among them with %zu: some "
                  "folds test none of them",
                  text_count(count, small), folds, sporf_dataset_class_name(data, first),
                  rows[first]);
    free(rows);
}

static sporf_status draw(const char *verb, const sporf_dataset *data, size_t count, uint64_t seed,
                         sporf_folds **folds) {
    sporf_status status = sporf_folds_draw(data, count, seed, folds);
    if (status == SPORF_OK && sporf_dataset_targets(data) == 0)
        tell_of_small_classes(verb, data, count);
    return status;
}

int folding_get(const opt_list *options, const sporf_dataset *data, uint64_t seed,
                sporf_folds **folds) {
    const char *value = opt_value(options, "folds");
    if (!value) return EXIT_DONE;
    sporf_status status = is_number(value)
                              ? draw(options->verb, data, strtoull(value, NULL, 10), seed, folds)
                              : sporf_folds_read(value, sporf_dataset_rows(data), folds);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}
