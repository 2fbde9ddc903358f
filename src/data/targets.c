/* Regression targets: setting, naming, reading and checking. */
#include "data/targets.h"

#include "base/number.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

static sporf_status raise_value(const sporf_dataset *data, size_t target, size_t row) {
    char text[SPF_NUMBER_TEXT_MAX], shown[SPF_NAME_TEXT_MAX];
    const char *name = sporf_schema_target_name(&data->schema, target);
    spf_number_write_float(spf_target_of(data, target)[row], text);
    return spf_raise(SPORF_ERROR_DATA,
                     "the target%s of " SPF_ROW " is %s: targets must be finite and at most 1e30",
                     spf_named(" '", name, "'", shown), row + 1, text);
}

sporf_status spf_targets_check(const sporf_dataset *data) {
    for (size_t t = 0; t < data->targets; t++)
        for (size_t i = 0; i < data->rows; i++)
            if (!spf_value_ok(spf_target_of(data, t)[i])) return raise_value(data, t, i);
    return SPORF_OK;
}

sporf_status spf_targets_take(sporf_dataset *data, size_t targets, float *storage,
                              spf_strings *names) {
    sporf_dataset taken = {.rows = data->rows,
                           .targets = targets,
                           .target_storage = storage,
                           .schema.target_names = *names};
    SPF_TRY(spf_targets_check(&taken));
    free(data->target_storage);
    spf_strings_free(&data->schema.target_names);
    spf_schema_drop_label_columns(&data->schema);
    data->targets = targets;
    data->target_storage = storage;
    data->schema.target_names = *names;
    *names = (spf_strings){0};
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

size_t sporf_dataset_targets(const sporf_dataset *data) {
    return data->targets;
}

const float *sporf_dataset_target(const sporf_dataset *data, size_t target) {
    return target < data->targets ? spf_target_of(data, target) : NULL;
}
