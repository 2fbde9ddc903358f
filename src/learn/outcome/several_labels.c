/* Classification with several labels for each row. Their classes are indicators, which trees treat
 * as the targets of regression, but in the unit 1: the Gini impurity of a label is the sum of the
 * variances of its indicators, so the reduction of all variances is the decrease of the Gini
 * impurity, added over the labels. The means of a leaf are its class shares.
 *
 * The two indicators of a label with two classes have the same variance; splits look at one of
 * them, which counts twice. */
#include "learn/outcome/several_labels.h"

#include "base/text.h"
#include "learn/growing/builder.h"
#include "learn/outcome/outcomes.h"
#include "learn/sampling/sampler.h"
#include "learn/splitting/criterion.h"

#include <math.h>
#include <stdlib.h>

static spf_leaf_size size_of_leaf(const sporf_dataset *data) {
    return (spf_leaf_size){.classes = 1, .targets = data->targets};
}

/* ---- checks ---------------------------------------------------------------------------------- */

static sporf_status check_options(const sporf_params *params, const sporf_sampler *sampler) {
    const char *misplaced = params->learner == SPORF_LEARNER_BOOSTING ? "boosting"
                            : params->bag == SPORF_BAG_STRATIFIED
                                ? SPF_OPTION_AS("bag", "stratified")
                            : params->class_weights ? SPF_OPTION("class-weights")
                            : params->cost          ? SPF_OPTION("cost")
                            : params->recall        ? SPF_OPTION("recall")
                            : !spf_criterion_of(params->criterion)->pairs ? SPF_OPTION("criterion")
                            : sampler->traits.classes_only ? spf_sampler_name(sampler)
                                                           : NULL;
    if (!misplaced) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "%s is for one label, but the data have several" SPF_HINT
                     "leave it out, or train a model for each label",
                     misplaced);
}

static sporf_status check_column(const sporf_dataset *data, size_t column, int *varies) {
    const spf_label_targets targets = spf_schema_label_targets(&data->schema, column);
    size_t classes = targets.end - targets.begin;
    *varies |= classes > 1;
    if (classes <= 1000 || classes <= data->rows / 2 || data->selected) return SPORF_OK;
    return spf_label_column_refuse(spf_strings_at(&data->schema.label_columns, column), classes,
                                   data->rows);
}

static sporf_status check_labels(const sporf_dataset *data, const sporf_params *params,
                                 const sporf_sampler *sampler) {
    int varies = 0;
    SPF_TRY(check_options(params, sampler));
    for (size_t i = 0; i < data->schema.label_columns.count; i++)
        SPF_TRY(check_column(data, i, &varies));
    if (varies) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "each of the %zu labels has only one class, and training needs one with at "
                     "least two" SPF_HINT "are they the right columns?",
                     data->schema.label_columns.count);
}

/* ---- the outcome ----------------------------------------------------------------------------- */

/* Variances of indicators are added as they are. */
static void measure_label(const spf_labels_state *state, size_t column) {
    const spf_label_targets targets = spf_schema_label_targets(state->schema, column);
    int pair = targets.end - targets.begin == 2;
    for (size_t t = targets.begin; t < targets.end; t++) {
        state->values.scale[t] = !pair ? 1 : t == targets.begin ? 0 : sqrt(2);
        state->values.unit[t] = 1 / (double)state->columns;
    }
}

static void find_truth(const spf_outcome *outcome, spf_labels_state *state, size_t column) {
    const spf_label_targets targets = spf_schema_label_targets(state->schema, column);
    for (size_t t = targets.begin; t < targets.end; t++) {
        const float *is_class = spf_outcome_values(outcome, t);
        for (size_t i = 0; i < outcome->rows; i++)
            if (is_class[i] > 0) state->truth[i * state->columns + column] = (uint32_t)t;
    }
}

static sporf_status open_labels(const sporf_dataset *data, spf_outcome *outcome) {
    spf_labels_state *state = spf_alloc_zero(1, sizeof *state);
    if (!state) return spf_raise_memory();
    outcome->state = state;
    outcome->split_classes = 2;
    outcome->values = data->target_storage;
    outcome->needs_rows = 1;
    state->schema = &data->schema;
    state->columns = data->schema.label_columns.count;
    state->values.counts = outcome->weights->counts ? data->weights : NULL;
    state->values.skips_constant = 1;
    state->values.scale = spf_alloc(outcome->targets, sizeof *state->values.scale);
    state->values.unit = spf_alloc(outcome->targets, sizeof *state->values.unit);
    state->truth = spf_alloc_zero(outcome->rows, state->columns * sizeof *state->truth);
    if (!state->values.scale || !state->values.unit || !state->truth) return spf_raise_memory();
    for (size_t i = 0; i < state->columns; i++) {
        measure_label(state, i);
        find_truth(outcome, state, i);
    }
    return SPORF_OK;
}

static void close_labels(spf_outcome *outcome) {
    spf_labels_state *state = outcome->state;
    if (!state) return;
    free(state->values.scale);
    free(state->values.unit);
    free(state->truth);
    free(state);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Sums of indicators, which are 0 or 1, are those of the weights of classes. */
void spf_labels_open_node(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    const spf_labels_state *state = s->plan->outcome.state;
    spf_node_targets *targets = &w->targets;
    uint64_t total = 0;
    for (size_t t = 0; t < targets->count; t++) targets->mean[t] = 0;
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++) {
        const uint32_t *truth = spf_labels_truth(state, s->tag[i]);
        uint32_t weight = s->units[s->tag[i]];
        for (size_t c = 0; c < state->columns; c++) targets->mean[truth[c]] += weight;
        total += weight;
    }
    w->varies = 0;
    for (size_t t = 0; t < targets->count; t++) {
        double sum = targets->mean[t];
        targets->low[t] = sum == (double)total;
        targets->high[t] = sum > 0;
        targets->mean[t] = sum / (double)total;
        w->varies |= targets->high[t] > targets->low[t];
    }
    w->total = total;
    w->class_total[0] = (uint32_t)total;
    w->present[0] = 0;
    w->present_count = 1;
}

/* ---- permutation importances ----------------------------------------------------------------- */

static uint32_t decide(const spf_label_targets *targets, const float *shares) {
    size_t best = targets->begin;
    for (size_t t = best + 1; t < targets->end; t++)
        if (shares[t] > shares[best]) best = t;
    return (uint32_t)best;
}

/* The share of labels that a leaf has wrong. */
static double wrong_share(const spf_outcome *outcome, const spf_tree *tree, uint32_t leaf,
                          uint32_t row) {
    const spf_labels_state *state = outcome->state;
    const uint32_t *truth = spf_labels_truth(state, row);
    const float *shares = tree->leaf_value + (size_t)leaf * outcome->targets;
    size_t wrong = 0;
    for (size_t c = 0; c < state->columns; c++) {
        const spf_label_targets targets = spf_schema_label_targets(state->schema, c);
        wrong += decide(&targets, shares) != truth[c];
    }
    return (double)wrong / (double)state->columns;
}

static void cost_labels(const spf_outcome *outcome, const spf_tree *tree, const spf_move *moves,
                        size_t count, double *costs) {
    for (size_t i = 0; i < count; i++) {
        uint32_t row = moves[i].row;
        costs[i] = spf_row_units(outcome->weights, row) *
                   (wrong_share(outcome, tree, moves[i].after, row) -
                    wrong_share(outcome, tree, moves[i].before, row));
    }
}

/* The names of targets and label columns are those of the data. */
static sporf_status name_labels(const sporf_dataset *data, sporf_forest *forest) {
    forest->classes = 1;
    forest->targets = data->targets;
    spf_strings_free(&forest->schema.classes);
    return spf_strings_add(&forest->schema.classes, "", 0);
}

const spf_outcome_kind spf_several_labels = {
    .min_split = 2,
    .scale = SPORF_SCALE_AUTO,
    .classifies = 1,
    .leaf = size_of_leaf,
    .check = check_labels,
    .open = open_labels,
    .close = close_labels,
    .open_node = spf_labels_open_node,
    .describe_node = spf_values_describe_node,
    .fill_leaf = spf_values_fill_leaf,
    .tally_bytes = spf_labels_tally_bytes,
    .tally = spf_labels_tally_create,
    .cost_moves = cost_labels,
    .name = name_labels,
};
