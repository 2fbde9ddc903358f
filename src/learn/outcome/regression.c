/* Regression with one or several targets: leaves hold means, and trees are averaged. */
#include "learn/outcome/regression.h"

#include "data/targets.h"
#include "learn/growing/builder.h"
#include "learn/outcome/outcomes.h"
#include "learn/sampling/sampler.h"
#include "learn/sampling/scale.h"
#include "learn/splitting/criterion.h"

#include <stdlib.h>

/* There is one class, which leaves count their rows in. */
static spf_leaf_size size_of_leaf(const sporf_dataset *data) {
    return (spf_leaf_size){.classes = 1, .targets = data->targets};
}

static sporf_status check_targets(const sporf_dataset *data, const sporf_params *params,
                                  const sporf_sampler *sampler) {
    const char *misplaced = params->bag == SPORF_BAG_STRATIFIED ? SPF_OPTION_AS("bag", "stratified")
                            : params->class_weights             ? SPF_OPTION("class-weights")
                            : !spf_criterion_of(params->criterion)->pairs ? SPF_OPTION("criterion")
                                                                          : NULL;
    if (misplaced)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "%s is for classification, but the data have targets", misplaced);
    SPF_TRY(spf_targets_check(data));
    if (!sampler->traits.classes_only) return SPORF_OK;
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "%s is for classification, but the data have targets" SPF_HINT
                     "use " SPF_OPTION_AS("method", "sporf"),
                     spf_sampler_name(sampler));
}

/* Targets with a larger variance must not count more, neither in splits nor in errors. */
static sporf_status measure_targets(const spf_outcome *outcome, spf_regression_state *state) {
    size_t targets = outcome->targets;
    state->scale = spf_alloc(targets, sizeof *state->scale);
    state->unit = spf_alloc(targets, sizeof *state->unit);
    if (!state->scale || !state->unit) return spf_raise_memory();
    for (size_t t = 0; t < targets; t++) {
        double spread =
            spf_spread_of(spf_outcome_values(outcome, t), outcome->weights, outcome->rows);
        double square = targets > 1 && spread > 0 ? spread * spread : 1;
        state->scale[t] = spread > 0 ? 1 / spread : 1;
        state->unit[t] = 1 / square / (double)targets;
    }
    return SPORF_OK;
}

/* Splitters see two classes: see regression_nodes.c. */
static sporf_status open_targets(const sporf_dataset *data, spf_outcome *outcome) {
    spf_regression_state *state = spf_alloc_zero(1, sizeof *state);
    if (!state) return spf_raise_memory();
    outcome->state = state;
    outcome->split_classes = 2;
    outcome->values = data->target_storage;
    outcome->needs_rows = 1;
    state->counts = outcome->weights->counts ? data->weights : NULL;
    return measure_targets(outcome, state);
}

static void close_targets(spf_outcome *outcome) {
    spf_regression_state *state = outcome->state;
    if (!state) return;
    free(state->scale);
    free(state->unit);
    free(state);
}

sporf_status spf_values_fill_leaf(spf_workspace *w, spf_builder *builder) {
    SPF_TRY(spf_builder_fill_leaf(builder, w->present, w->present_count, w->class_total));
    return spf_builder_add_values(builder, w->targets.mean, w->targets.count);
}

static void cost_errors(const spf_outcome *outcome, const spf_tree *tree, const spf_move *moves,
                        size_t count, double *costs) {
    const double *unit = ((const spf_regression_state *)outcome->state)->unit;
    for (size_t i = 0; i < count; i++) {
        const float *before = tree->leaf_value + moves[i].before * outcome->targets;
        const float *after = tree->leaf_value + moves[i].after * outcome->targets;
        double sum = 0;
        for (size_t t = 0; t < outcome->targets; t++) {
            double truth = spf_outcome_values(outcome, t)[moves[i].row];
            double was = before[t] - truth, is = after[t] - truth;
            sum += unit[t] * (is * is - was * was);
        }
        costs[i] = spf_row_units(outcome->weights, moves[i].row) * sum;
    }
}

/* The one class has no name. */
static sporf_status name_targets(const sporf_dataset *data, sporf_forest *forest) {
    sporf_schema *schema = &forest->schema;
    forest->classes = 1;
    forest->targets = data->targets;
    spf_strings_free(&schema->classes);
    SPF_TRY(spf_strings_add(&schema->classes, "", 0));
    return schema->target_names.count > 0 ? SPORF_OK
                                          : spf_targets_name(data->targets, &schema->target_names);
}

/* The defaults are those that docs/regression.md measures. Means need several rows. */
const spf_outcome_kind spf_regression = {
    .min_split = 5,
    .scale = SPORF_SCALE_SD,
    .few_terms = 1,
    .keeps_samples = 1,
    .leaf = size_of_leaf,
    .check = check_targets,
    .open = open_targets,
    .close = close_targets,
    .open_node = spf_values_open_node,
    .describe_node = spf_values_describe_node,
    .fill_leaf = spf_values_fill_leaf,
    .tally_bytes = spf_means_bytes,
    .tally = spf_means_create,
    .cost_moves = cost_errors,
    .name = name_targets,
};
