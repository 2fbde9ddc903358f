/* Adds noise columns to a table. Each value has a random stream of its own, so that asking for more
 * columns or rows leaves the first ones unchanged. */
#include "simulate/noise.h"

#include "base/rng.h"
#include "data/dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

float spf_noise(uint64_t seed, size_t row, size_t column) {
    sporf_random random =
        spf_random_start(seed, (uint64_t)column << 32 | (uint64_t)row, SPF_USE_NOISE);
    return (float)spf_random_normal(&random);
}

sporf_status spf_noise_check(size_t columns, size_t others) {
    if (columns == 0 || columns > SPF_ROWS_MAX)
        return spf_raise(SPORF_ERROR_ARGUMENT, "%zu noise columns: ask for 1 to %zu", columns,
                         SPF_ROWS_MAX);
    if (others + columns <= SPF_ROWS_MAX) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT, "%zu columns and %zu of noise: at most %zu in all",
                     others, columns, SPF_ROWS_MAX);
}

/* Whether a name is noise1, noise2, ... up to the number of columns. */
static int is_noise_name(const char *name, size_t columns) {
    static const char start[] = "noise";
    if (strncmp(name, start, strlen(start)) != 0) return 0;
    const char *digits = name + strlen(start);
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 10 || digits[count] != '\0' || *digits == '0') return 0;
    return strtoull(digits, NULL, 10) <= columns;
}

sporf_status spf_noise_names(size_t columns, spf_strings *names) {
    for (size_t i = 0; i < names->count; i++)
        if (is_noise_name(spf_strings_at(names, i), columns))
            return spf_raise(SPORF_ERROR_DATA,
                             "there is already a column '%s'" SPF_HINT
                             "start from the table without noise (asking for more columns leaves "
                             "the first ones unchanged), or rename it",
                             spf_strings_at(names, i));
    for (size_t j = 1; j <= columns; j++) {
        char name[32];
        int length = snprintf(name, sizeof name, "noise%zu", j);
        SPF_TRY(spf_strings_add(names, name, (size_t)length));
    }
    return SPORF_OK;
}

/* ---- datasets -------------------------------------------------------------------------------- */

static sporf_status copy_array(const void *from, size_t count, size_t size, void **to) {
    if (!from) return SPORF_OK;
    *to = spf_alloc(count, size);
    if (!*to) return spf_raise_memory();
    memcpy(*to, from, count * size);
    return SPORF_OK;
}

static sporf_status copy_kinds(const sporf_schema *from, size_t features, sporf_schema *to) {
    for (size_t j = 0; from->kinds && j < from->count; j++) {
        if (from->kinds[j] == SPORF_KIND_NUMBER) continue;
        spf_strings levels = {0};
        SPF_TRY(spf_strings_copy(&from->levels[j], &levels));
        sporf_status status = spf_schema_set_levels(to, features, j, from->kinds[j], &levels);
        spf_strings_free(&levels);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

/* Everything but the columns; notes on the file are not copied. */
static sporf_status copy_rest(const sporf_dataset *from, sporf_dataset *to) {
    size_t rows = from->rows;
    to->has_missing = from->has_missing;
    to->targets = from->targets;
    to->schema.decimal_comma = from->schema.decimal_comma;
    SPF_TRY(copy_kinds(&from->schema, to->features, &to->schema));
    SPF_TRY(spf_strings_copy(&from->schema.names, &to->schema.names));
    SPF_TRY(spf_schema_copy_outcome(&from->schema, &to->schema));
    SPF_TRY(copy_array(from->labels, rows, sizeof *to->labels, (void **)&to->labels));
    SPF_TRY(copy_array(from->weights, rows, sizeof *to->weights, (void **)&to->weights));
    SPF_TRY(copy_array(from->target_storage, rows * from->targets, sizeof *to->target_storage,
                       (void **)&to->target_storage));
    SPF_TRY(sporf_dataset_set_weight_name(to, from->weight_name));
    size_t noise = to->features - from->features;
    return from->schema.names.count > 0 ? spf_noise_names(noise, &to->schema.names) : SPORF_OK;
}

static void fill_columns(const sporf_dataset *from, uint64_t seed, sporf_dataset *to) {
    for (size_t j = 0; j < from->features; j++)
        memcpy(spf_dataset_column(to, j), from->columns[j], from->rows * sizeof(float));
    for (size_t j = from->features; j < to->features; j++)
        for (size_t i = 0; i < to->rows; i++)
            spf_dataset_column(to, j)[i] = spf_noise(seed, i, j - from->features);
}

sporf_status sporf_dataset_add_noise(const sporf_dataset *data, size_t columns, uint64_t seed,
                                     sporf_dataset **out) {
    if (!data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "noise needs data and a place for the new data");
    SPF_TRY(spf_noise_check(columns, data->features));
    sporf_dataset *made = NULL;
    SPF_TRY(spf_dataset_create(data->rows, data->features + columns, &made));
    sporf_status status = copy_rest(data, made);
    if (status != SPORF_OK) {
        sporf_dataset_free(made);
        return status;
    }
    fill_columns(data, seed, made);
    *out = made;
    return SPORF_OK;
}
