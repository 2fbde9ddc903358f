/* Columns by name or position, labels by name, targets by name or position. */
#include "api/boost_valid.h"

#include "api/match.h"
#include "base/text.h"
#include "data/targets.h"
#include "data/weights.h"

#include <stdlib.h>
#include <string.h>

void spf_matched_valid_free(spf_matched_valid *valid) {
    free((void *)valid->columns);
    free((void *)valid->target);
    free(valid->labels);
    free(valid->weights);
    *valid = (spf_matched_valid){0};
}

static uint32_t find_class(const spf_strings *classes, const char *name) {
    for (size_t k = 0; k < classes->count; k++)
        if (strcmp(spf_strings_at(classes, k), name) == 0) return (uint32_t)k;
    return SPORF_NO_CLASS;
}

static sporf_status raise_unknown(size_t row, const char *name) {
    char shown[SPF_NAME_TEXT_MAX];
    return spf_raise(SPORF_ERROR_DATA,
                     "row %zu of the validation table has the class '%s', which no training row "
                     "has" SPF_HINT "leave such rows out, or add some to the training table",
                     row + 1, spf_name_text(name, shown));
}

static sporf_status match_labels(const sporf_dataset *data, const sporf_dataset *given,
                                 spf_matched_valid *valid) {
    const spf_strings *known = &data->schema.classes, *own = &given->schema.classes;
    if (!given->labels)
        return spf_raise(SPORF_ERROR_DATA, "the validation table has no labels" SPF_HINT
                                           "it needs the same label column as the training table");
    uint32_t *number = spf_alloc(own->count, sizeof *number);
    valid->labels = spf_alloc(given->rows, sizeof *valid->labels);
    sporf_status status = number && valid->labels ? SPORF_OK : spf_raise_memory();
    for (size_t k = 0; status == SPORF_OK && k < own->count; k++)
        number[k] = find_class(known, spf_strings_at(own, k));
    for (size_t i = 0; status == SPORF_OK && i < given->rows; i++) {
        valid->labels[i] = number[given->labels[i]];
        if (valid->labels[i] == SPORF_NO_CLASS)
            status = raise_unknown(i, spf_strings_at(own, given->labels[i]));
    }
    free(number);
    return status;
}

static sporf_status match_named(const sporf_forest *shell, const sporf_dataset *given,
                                spf_matched_valid *valid) {
    SPF_TRY(spf_check_targets(given));
    valid->target = spf_alloc(shell->targets, sizeof *valid->target);
    if (!valid->target) return spf_raise_memory();
    for (size_t k = 0; k < shell->targets; k++)
        SPF_TRY(spf_match_target(shell, given, k, &valid->target[k]));
    return SPORF_OK;
}

/* Targets without names have those that the model will have. */
static sporf_status match_targets(const sporf_forest *shell, const sporf_dataset *given,
                                  spf_matched_valid *valid) {
    sporf_forest named = *shell;
    spf_strings names = {0};
    if (shell->schema.target_names.count > 0) return match_named(shell, given, valid);
    sporf_status status = spf_targets_name(shell->targets, &names);
    named.schema.target_names = names;
    if (status == SPORF_OK) status = match_named(&named, given, valid);
    spf_strings_free(&names);
    return status;
}

static sporf_status check_rows(const sporf_dataset *given) {
    size_t i = 0;
    if (given->rows == 0) return spf_raise(SPORF_ERROR_DATA, "the validation table has no rows");
    while (given->weights && i < given->rows && given->weights[i] == 0) i++;
    if (i < given->rows) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "all weights of the validation table are 0: no row is left to stop by");
}

/* Rows count by weight, times the weights of their classes. */
static sporf_status weigh_rows(const sporf_dataset *data, const sporf_dataset *given,
                               const char *class_weights, spf_matched_valid *valid) {
    valid->view.weight = given->weights;
    if (!class_weights || !valid->labels) return SPORF_OK;
    double *factors = spf_alloc(data->schema.classes.count, sizeof *factors);
    valid->weights = spf_alloc(given->rows, sizeof *valid->weights);
    sporf_status status = factors && valid->weights
                              ? spf_class_weights_read(class_weights, data, factors)
                              : spf_raise_memory();
    for (size_t i = 0; status == SPORF_OK && i < given->rows; i++)
        valid->weights[i] = (float)(spf_weight_of(given, i) * factors[valid->labels[i]]);
    free(factors);
    valid->view.weight = valid->weights;
    return status;
}

static sporf_status match(const sporf_dataset *data, const sporf_dataset *given,
                          const sporf_params *params, spf_matched_valid *valid) {
    /* what the functions for models ask of one */
    sporf_forest shell = {.features = data->features,
                          .classes = data->schema.classes.count,
                          .targets = data->targets,
                          .schema = data->schema};
    int has_missing;
    SPF_TRY(check_rows(given));
    SPF_TRY(spf_match_columns(&shell, given, &valid->columns, &has_missing));
    SPF_TRY(data->targets > 0 ? match_targets(&shell, given, valid)
                              : match_labels(data, given, valid));
    valid->view = (spf_boost_valid){.rows = given->rows,
                                    .columns = (const float *const *)valid->columns,
                                    .labels = valid->labels,
                                    .target = (const float *const *)valid->target};
    return weigh_rows(data, given, params->class_weights, valid);
}

sporf_status spf_matched_valid_create(const sporf_dataset *data, const sporf_dataset *given,
                                      const sporf_params *params, spf_matched_valid *valid) {
    *valid = (spf_matched_valid){0};
    if (!given) return SPORF_OK;
    sporf_status status = match(data, given, params, valid);
    if (status != SPORF_OK) spf_matched_valid_free(valid);
    return status;
}
