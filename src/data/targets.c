/* Numbers to be predicted: setting, asking and checking them. */
#include "data/targets.h"

#include "data/number.h"
#include "data/typed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sporf_status raise_value(const sporf_dataset *data, size_t target, size_t row) {
    char text[SPF_NUMBER_TEXT_MAX];
    const char *name = sporf_dataset_target_name(data, target);
    spf_number_write_float(spf_target_of(data, target)[row], text);
    return spf_raise(
        SPORF_ERROR_DATA,
        "the target%s%.64s%s of row %zu is %s: targets must be finite and at most 1e30",
        name ? " '" : "", name ? name : "", name ? "'" : "", row + 1, text);
}

sporf_status spf_targets_check(const sporf_dataset *data) {
    for (size_t t = 0; t < data->targets; t++)
        for (size_t i = 0; i < data->rows; i++)
            if (!spf_value_ok(spf_target_of(data, t)[i])) return raise_value(data, t, i);
    return SPORF_OK;
}

sporf_status spf_targets_take(sporf_dataset *data, size_t targets, float *storage,
                              spf_strings *names) {
    sporf_dataset taken = {
        .rows = data->rows, .targets = targets, .target_storage = storage, .target_names = *names};
    SPF_TRY(spf_targets_check(&taken));
    free(data->target_storage);
    spf_strings_free(&data->target_names);
    data->targets = targets;
    data->target_storage = storage;
    data->target_names = *names;
    *names = (spf_strings){0};
    return SPORF_OK;
}

/* Targets are found again by their names, which must tell them apart. */
static sporf_status copy_names(const char *const *names, size_t count, spf_strings *copy) {
    for (size_t t = 0; names && t < count; t++) {
        if (!names[t])
            return spf_raise(SPORF_ERROR_ARGUMENT, "the name of target %zu is NULL", t + 1);
        for (size_t k = 0; k < t; k++)
            if (strcmp(names[k], names[t]) == 0)
                return spf_raise(SPORF_ERROR_ARGUMENT, "the targets %zu and %zu are both '%.64s'",
                                 k + 1, t + 1, names[t]);
        SPF_TRY(spf_strings_add(copy, names[t], strlen(names[t])));
    }
    return SPORF_OK;
}

sporf_status spf_targets_name(size_t targets, spf_strings *names) {
    for (size_t t = 0; t < targets; t++) {
        char name[32];
        int length = targets > 1 ? snprintf(name, sizeof name, "y%zu", t + 1)
                                 : snprintf(name, sizeof name, "y");
        SPF_TRY(spf_strings_add(names, name, (size_t)length));
    }
    return SPORF_OK;
}

static sporf_status set_targets(sporf_dataset *data, const spf_typed *values,
                                const char *const *names) {
    spf_strings copy = {0};
    int holes = 0;
    float *storage = spf_alloc(values->columns * values->rows, sizeof *storage);
    sporf_status status = storage ? SPORF_OK : spf_raise_memory();
    if (status == SPORF_OK) status = spf_typed_load(values, SPF_NO_COLUMN, 1, storage, &holes);
    if (status == SPORF_OK) status = copy_names(names, values->columns, &copy);
    if (status == SPORF_OK) status = spf_targets_take(data, values->columns, storage, &copy);
    if (status == SPORF_OK) return SPORF_OK;
    free(storage);
    spf_strings_free(&copy);
    return status;
}

sporf_status sporf_dataset_set_targets(sporf_dataset *data, const sporf_matrix *targets,
                                       const char *const *names) {
    if (!data) return spf_raise(SPORF_ERROR_ARGUMENT, "targets: data is NULL");
    if (!targets) return spf_targets_take(data, 0, NULL, &(spf_strings){0});
    spf_typed values;
    SPF_TRY(spf_typed_matrix(targets, &values));
    values.name = "targets";
    if (values.rows != data->rows)
        return spf_raise(SPORF_ERROR_ARGUMENT, "targets for %zu rows, but the data have %zu",
                         values.rows, data->rows);
    return set_targets(data, &values, names);
}

size_t sporf_dataset_targets(const sporf_dataset *data) {
    return data->targets;
}

const float *sporf_dataset_target(const sporf_dataset *data, size_t target) {
    return target < data->targets ? spf_target_of(data, target) : NULL;
}

const char *sporf_dataset_target_name(const sporf_dataset *data, size_t target) {
    return target < data->target_names.count ? spf_strings_at(&data->target_names, target) : NULL;
}
