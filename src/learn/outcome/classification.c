/* Classification: leaves hold the weights of classes, and trees vote. */
#include "learn/outcome/classification.h"

#include "base/sort.h"
#include "base/text.h"
#include "learn/growing/builder.h"
#include "learn/outcome/classification_oob.h"
#include "learn/outcome/outcomes.h"

static spf_leaf_size size_of_leaf(const sporf_dataset *data) {
    return (spf_leaf_size){.classes = data->schema.classes.count};
}

static sporf_status check_labels(const sporf_dataset *data, const sporf_params *params,
                                 const sporf_sampler *sampler) {
    (void)params, (void)sampler;
    char shown[SPF_NAME_TEXT_MAX];
    size_t classes = data->schema.classes.count;
    if (classes < 2)
        return spf_raise(SPORF_ERROR_DATA,
                         "the labels hold only one class ('%s' in all %zu rows), and training "
                         "needs at least two" SPF_HINT "is it the right column?",
                         spf_name_text(spf_strings_at(&data->schema.classes, 0), shown),
                         data->rows);
    if (classes > 1000 && classes > data->rows / 2 && !data->selected)
        return spf_raise(SPORF_ERROR_DATA,
                         "the labels hold %zu different values in %zu rows: they look like numbers "
                         "or names rather than classes" SPF_HINT "is it the right column?",
                         classes, data->rows);
    return SPORF_OK;
}

static sporf_status open_labels(const sporf_dataset *data, spf_outcome *outcome) {
    outcome->labels = data->labels;
    outcome->split_classes = outcome->classes;
    return SPORF_OK;
}

static sporf_status fill_weights(spf_workspace *w, spf_builder *builder) {
    spf_sort_numbers(w->present, w->present_count);
    return spf_builder_fill_leaf(builder, w->present, w->present_count, w->class_total);
}

/* A wrong vote costs the row's weight. */
static void cost_votes(const spf_outcome *outcome, const spf_tree *tree, const spf_move *moves,
                       size_t count, double *costs) {
    for (size_t i = 0; i < count; i++) {
        uint32_t row = moves[i].row, label = outcome->labels[row];
        costs[i] = (double)spf_row_units(outcome->weights, row) *
                   ((spf_leaf_vote(tree, moves[i].after) != label) -
                    (spf_leaf_vote(tree, moves[i].before) != label));
    }
}

static sporf_status name_classes(const sporf_dataset *data, sporf_forest *forest) {
    forest->classes = data->schema.classes.count;
    return SPORF_OK;
}

const spf_outcome_kind spf_classification = {
    .min_split = 2,
    .scale = SPORF_SCALE_AUTO,
    .labelled = 1,
    .classifies = 1,
    .leaf = size_of_leaf,
    .check = check_labels,
    .open = open_labels,
    .open_node = spf_classes_open_node,
    .describe_node = spf_classes_describe_node,
    .fill_leaf = fill_weights,
    .tally_bytes = spf_votes_bytes,
    .tally = spf_votes_create,
    .cost_moves = cost_votes,
    .name = name_classes,
};
