/* libFuzzer target for CSV: no fault, and the same table or the same words however the file is cut
 * into chunks. A table that was read reads again with its own schema, as the same one. */
#include "reader_target.h"

#include "support/same_dataset.h"

#include <stdio.h>

/* With its own schema a table is read as it was, unless names that stand twice prevent it; without
 * a header nothing does. */
static void read_again(const spf_source *source, const sporf_read_options *options,
                       const sporf_dataset *data) {
    sporf_read_options again = fuzz_options(options->label);
    again.header = options->header;
    again.comment = options->comment;
    again.separator = options->separator;
    again.skip_lines = options->skip_lines;
    again.missing = options->missing;
    again.missing_count = options->missing_count;
    again.schema = &data->schema;
    again.targets = options->targets;
    again.targets_count = options->targets_count;
    again.weight = options->weight;
    sporf_dataset *same = NULL;
    sporf_status status = spf_read_csv(source, &again, &same);
    require((status == SPORF_OK) == (same != NULL));
    require(same || options->header != SPORF_HEADER_NO);
    if (same) check_table(same);
    for (size_t j = 0; same && options->header != SPORF_HEADER_AUTO && j < data->features; j++) {
        require(same->rows == data->rows && same->features == data->features);
        require(spf_schema_kind(&same->schema, j) == spf_schema_kind(&data->schema, j));
        require(memcmp(same->columns[j], data->columns[j], data->rows * sizeof(float)) == 0);
        require(same->targets == data->targets);
    }
    for (size_t k = 0; same && data->features > 0 && k < data->targets; k++)
        require(strcmp(sporf_schema_target_name(sporf_dataset_schema(same), k),
                       sporf_schema_target_name(sporf_dataset_schema(data), k)) == 0);
    sporf_dataset_free(same);
}

static void compare_cuts(const spf_source *source, const sporf_read_options *options) {
    sporf_dataset *whole = NULL;
    char words[SPF_ERROR_TEXT_MAX];
    sporf_status status = fuzz_read(spf_read_csv, source, options, &whole);
    snprintf(words, sizeof words, "%s", sporf_last_error());
    for (size_t chunk = 1; chunk <= 16; chunk *= 4) {
        sporf_dataset *cut = NULL;
        require(spf_read_csv_in_chunks(source, options, chunk, &cut) == status);
        if (status == SPORF_OK)
            require(same_dataset(whole, cut));
        else
            require(strcmp(words, sporf_last_error()) == 0);
        sporf_dataset_free(cut);
    }
    if (status == SPORF_OK) read_again(source, options, whole);
    sporf_dataset_free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char *const labels[] = {NULL, "last", "1", "class", NULL};
    static const char *const targets[] = {"last", "2"};
    if (size > 1 << 14) return 0; /* chunks of one byte each take long enough as it is */
    spf_source source = fuzz_source(bytes, size);
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        sporf_read_options options = fuzz_options(labels[i]);
        options.header = i == 2 ? SPORF_HEADER_YES : i == 4 ? SPORF_HEADER_NO : SPORF_HEADER_AUTO;
        options.targets = targets;
        options.targets_count = i == 4 ? 2 : 0;
        options.weight = i == 4 ? "1" : NULL;
        static const char *const wanted[] = {"a", "x1"};
        options.columns = wanted;
        options.columns_count = i == 0 ? 2 : 0;
        static const char *const categories[] = {"1"};
        options.categorical = categories;
        options.categorical_count = i == 1 ? 1 : 0;
        static const char *const missing[] = {"0", "b"};
        options.comment = i == 2 ? "#" : i == 3 ? "%" : NULL;
        options.separator = i == 3 ? "blanks" : i == 1 ? ":" : NULL;
        options.skip_lines = i == 4 ? 1 : 0;
        options.missing = missing;
        options.missing_count = i == 3 ? 2 : 0;
        compare_cuts(&source, &options);
    }
    spf_source_close(&source);
    return 0;
}
