/* Finds and names kept columns, and the public functions for them. */
#include "read/kept.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sporf_status find_all(const spf_columns *columns, const sporf_read_options *options,
                             size_t *kept) {
    for (size_t i = 0; i < options->kept_count; i++) {
        const char *text = options->kept[i];
        SPF_TRY(spf_columns_find(columns, "kept", text, strlen(text), &kept[i]));
        for (size_t k = 0; k < i; k++)
            if (kept[k] == kept[i]) {
                char shown[SPF_EXCERPT_MAX];
                return spf_raise(SPORF_ERROR_DATA, SPF_FILE ": column '%s' is named twice as kept",
                                 columns->file, spf_excerpt(text, strlen(text), shown));
            }
    }
    return SPORF_OK;
}

sporf_status spf_kept_find(const spf_columns *columns, const sporf_read_options *options,
                           size_t **kept) {
    *kept = NULL;
    if (options->kept_count == 0) return SPORF_OK;
    size_t *found = spf_alloc(options->kept_count, sizeof *found);
    if (!found) return spf_raise_memory();
    sporf_status status = find_all(columns, options, found);
    if (status == SPORF_OK)
        *kept = found;
    else
        free(found);
    return status;
}

sporf_status spf_kept_name(const spf_strings *names, const size_t *kept, size_t count,
                           sporf_dataset *data) {
    char number[32];
    for (size_t i = 0; i < count; i++) {
        snprintf(number, sizeof number, "column%zu", kept[i] + 1);
        const char *name = names->count > 0 ? spf_strings_at(names, kept[i]) : number;
        SPF_TRY(spf_strings_add(&data->kept_names, name, strlen(name)));
    }
    return SPORF_OK;
}

const char *sporf_dataset_kept_name(const sporf_dataset *data, size_t index) {
    return index < data->kept_names.count ? spf_strings_at(&data->kept_names, index) : NULL;
}

const char *sporf_dataset_kept_field(const sporf_dataset *data, size_t row, size_t index) {
    if (row >= data->rows || index >= data->kept_names.count) return NULL;
    return spf_strings_at(&data->kept_fields, row * data->kept_names.count + index);
}
