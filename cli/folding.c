/* Folds from a file or by number. */
#include "folding.h"

#include "cli.h"
#include "fold_notes.h"
#include "out.h"

#include <stdlib.h>
#include <string.h>

static int is_number(const char *value) {
    return *value && value[strspn(value, "0123456789")] == '\0';
}

/* -5, 2.5 and the like: meant as a number of folds, but impossible. */
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

static sporf_status draw(const char *verb, const sporf_dataset *data, size_t count, uint64_t seed,
                         sporf_folds **folds) {
    sporf_status status = sporf_folds_draw(data, count, seed, folds);
    if (status == SPORF_OK && sporf_dataset_targets(data) == 0) fold_notes_small(verb, data, count);
    return status;
}

static sporf_status read_file(const char *verb, const sporf_dataset *data, const char *path,
                              sporf_folds **folds) {
    sporf_status status = sporf_folds_read(path, sporf_dataset_rows(data), folds);
    if (status == SPORF_OK && sporf_dataset_targets(data) == 0) fold_notes_lone(verb, data, *folds);
    return status;
}

int folding_get(const opt_list *options, const sporf_dataset *data, uint64_t seed,
                sporf_folds **folds) {
    const char *value = opt_value(options, "folds");
    if (!value) return EXIT_DONE;
    sporf_status status = is_number(value)
                              ? draw(options->verb, data, strtoull(value, NULL, 10), seed, folds)
                              : read_file(options->verb, data, value, folds);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}
