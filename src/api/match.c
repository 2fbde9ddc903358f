/* Matching by name or by place. */
#include "api/match.h"

#include "data/labels.h"

#include <stdlib.h>
#include <string.h>

static sporf_status check_count(const sporf_forest *forest, const sporf_dataset *data) {
    if (data->features == forest->features) return SPORF_OK;
    return spf_raise(SPORF_ERROR_MODEL,
                     "the data have %zu features, the model was trained with %zu: give it the same "
                     "columns, without the label",
                     data->features, forest->features);
}

/* The model's names are the first words of the dictionary, so that a column's number is its
 * feature; columns that the model does not know get higher ones. */
static sporf_status match_names(const sporf_forest *forest, const sporf_dataset *data,
                                spf_dictionary *names, const float **columns) {
    uint32_t number;
    for (size_t i = 0; i < forest->features; i++) {
        const char *name = spf_strings_at(&forest->schema.names, i);
        SPF_TRY(spf_dictionary_add(names, name, strlen(name), &number));
        if (number != i)
            return spf_raise(SPORF_ERROR_MODEL,
                             "the model was trained with two columns named '%s': give it the same "
                             "columns in the same order",
                             name);
        columns[i] = NULL;
    }
    for (size_t i = 0; i < data->features; i++) {
        const char *name = spf_strings_at(&data->schema.names, i);
        SPF_TRY(spf_dictionary_add(names, name, strlen(name), &number));
        if (number >= forest->features) continue;
        if (columns[number])
            return spf_raise(SPORF_ERROR_DATA, "the data have two columns named '%s'", name);
        columns[number] = data->columns[i];
    }
    return SPORF_OK;
}

static sporf_status check_found(const sporf_forest *forest, const sporf_dataset *data,
                                const float *const *columns) {
    for (size_t i = 0; i < forest->features; i++)
        if (!columns[i])
            return spf_raise(SPORF_ERROR_MODEL,
                             "the data have no column '%s', which the model was trained with (the "
                             "model has %zu features, the data %zu)",
                             spf_strings_at(&forest->schema.names, i), forest->features,
                             data->features);
    return SPORF_OK;
}

static int same_names(const sporf_forest *forest, const sporf_dataset *data) {
    if (forest->features != data->features) return 0;
    for (size_t i = 0; i < forest->features; i++)
        if (strcmp(spf_strings_at(&forest->schema.names, i),
                   spf_strings_at(&data->schema.names, i)) != 0)
            return 0;
    return 1;
}

sporf_status spf_match_columns(const sporf_forest *forest, const sporf_dataset *data,
                               const float ***columns) {
    int named = forest->schema.names.count > 0 && data->schema.names.count > 0;
    int by_name = named && !same_names(forest, data);
    if (!by_name) SPF_TRY(check_count(forest, data));
    const float **matched = spf_alloc(forest->features, sizeof *matched);
    if (!matched) return spf_raise_memory();
    sporf_status status = SPORF_OK;
    if (by_name) {
        spf_dictionary names = {0};
        status = match_names(forest, data, &names, matched);
        if (status == SPORF_OK) status = check_found(forest, data, matched);
        spf_dictionary_free(&names);
    } else {
        memcpy(matched, data->columns, forest->features * sizeof *matched);
    }
    if (status != SPORF_OK) {
        free(matched);
        return status;
    }
    *columns = matched;
    return SPORF_OK;
}
