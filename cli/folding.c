/* Folds from a file or by number: whatever is made of digits only is a number. */
#include "folding.h"

#include "cli.h"
#include "out.h"

#include <stdlib.h>
#include <string.h>

static int is_number(const char *value) {
    return *value && value[strspn(value, "0123456789")] == '\0';
}

int folding_get(const opt_list *options, const sporf_dataset *data, uint64_t seed,
                sporf_folds **folds) {
    const char *value = opt_value(options, "folds");
    if (!value) return EXIT_DONE;
    sporf_status status = is_number(value)
                              ? sporf_folds_draw(data, strtoull(value, NULL, 10), seed, folds)
                              : sporf_folds_read(value, sporf_dataset_rows(data), folds);
    return status == SPORF_OK ? EXIT_DONE : out_failure(options->verb, status, NULL);
}
