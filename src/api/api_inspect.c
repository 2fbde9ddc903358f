/* The public functions for the contents of a forest. */
#include "api/params.h"
#include "model/combine.h"
#include "model/unpack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t sporf_forest_trees(const sporf_forest *forest) {
    return forest->trees_count;
}

size_t sporf_forest_features(const sporf_forest *forest) {
    return forest->features;
}

size_t sporf_forest_targets(const sporf_forest *forest) {
    return forest->targets;
}

int sporf_forest_has_samples(const sporf_forest *forest) {
    return forest->keeps_samples;
}

size_t sporf_forest_classes(const sporf_forest *forest) {
    return spf_is_regression(forest) ? 0 : forest->classes;
}

const sporf_schema *sporf_forest_schema(const sporf_forest *forest) {
    return &forest->schema;
}

const char *sporf_forest_setting_at(const sporf_forest *forest, size_t index, const char **value) {
    if (index >= forest->settings.count / 2) return NULL;
    *value = spf_strings_at(&forest->settings, 2 * index + 1);
    return spf_strings_at(&forest->settings, 2 * index);
}

const char *sporf_forest_setting(const sporf_forest *forest, const char *name) {
    return spf_strings_value(&forest->settings, name);
}

const char *sporf_forest_stopped(const sporf_forest *forest) {
    return forest->stopped ? forest->stopped : sporf_forest_setting(forest, SPF_STOPPED_SETTING);
}

/* Children follow their parent in preorder, so one forward pass gives all depths. */
static void add_tree(const spf_tree *tree, uint32_t *depth, sporf_forest_summary *summary) {
    depth[0] = 0;
    for (uint32_t i = 0; i < tree->nodes_count; i++) {
        const spf_node *node = &tree->nodes[i];
        if (node->right != 0) {
            depth[i + 1] = depth[node->right] = depth[i] + 1;
            summary->mean_nonzeros += tree->projection_start[spf_split_projection(node) + 1] -
                                      tree->projection_start[spf_split_projection(node)];
        } else {
            summary->mean_depth += depth[i];
            if (depth[i] > summary->max_depth) summary->max_depth = depth[i];
        }
    }
    summary->nodes += tree->nodes_count;
    summary->leaves += tree->leaves_count;
}

sporf_status sporf_forest_summarise(const sporf_forest *forest, sporf_forest_summary *summary) {
    if (!forest || !summary)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a summary needs a forest and a place for it");
    uint32_t *depth = NULL;
    size_t room = 0;
    sporf_status status = SPORF_OK;
    *summary = (sporf_forest_summary){0};
    for (size_t i = 0; status == SPORF_OK && i < forest->trees_count; i++) {
        spf_tree tree;
        status = spf_unpack_tree(forest, i, &tree);
        if (status != SPORF_OK) break;
        status = SPF_RESERVE(depth, room, tree.nodes_count);
        if (status == SPORF_OK) add_tree(&tree, depth, summary);
        spf_tree_free(&tree);
    }
    free(depth);
    if (status != SPORF_OK) return status;
    uint64_t splits = summary->nodes - summary->leaves;
    summary->mean_depth /= (double)summary->leaves;
    summary->mean_nonzeros = splits > 0 ? summary->mean_nonzeros / (double)splits : 0;
    return SPORF_OK;
}

void sporf_forest_oob(const sporf_forest *forest, sporf_oob *oob) {
    int is_regression = spf_is_regression(forest);
    *oob = (sporf_oob){
        .rows = forest->oob_rows,
        .error = forest->oob_error,
        .kappa = is_regression ? NAN : forest->oob_score,
        .r2 = is_regression && !spf_has_several_labels(forest) ? forest->oob_score : NAN,
        .curve = forest->oob_curve,
        .votes = forest->oob_votes,
        .predictions = forest->oob_predictions,
        .training_rows = forest->training_rows,
        .targets = forest->oob_targets,
    };
}

const double *sporf_forest_oob_labels(const sporf_forest *forest) {
    return forest->oob_labels;
}

/* The probabilities of a row from its out-of-bag votes. */
static void oob_row(const sporf_forest *forest, const uint32_t *votes, double *probabilities) {
    const spf_trust *trust = &forest->trust[SPORF_COMBINE_VOTES];
    size_t trees = 0;
    for (size_t k = 0; k < forest->classes; k++) {
        trees += votes[k];
        probabilities[k] = votes[k];
    }
    if (trees > 0 && trust->weight)
        spf_trust_apply_some(trust, trees, probabilities, forest->classes);
    else
        for (size_t k = 0; k < forest->classes; k++)
            probabilities[k] = trees > 0 ? probabilities[k] / (double)trees : (double)NAN;
}

sporf_status sporf_forest_oob_probabilities(const sporf_forest *forest, double *probabilities) {
    if (!forest || !probabilities)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "out-of-bag probabilities need a forest and a place for them");
    if (!forest->oob_votes)
        return spf_raise(SPORF_ERROR_MODEL,
                         "the forest has no out-of-bag votes: only a forest for classification "
                         "that was just trained, with trees that leave rows out, has them");
    for (size_t i = 0; i < forest->training_rows; i++)
        oob_row(forest, forest->oob_votes + i * forest->classes,
                probabilities + i * forest->classes);
    return SPORF_OK;
}

int sporf_forest_calibration(const sporf_forest *forest, sporf_combine combine,
                             sporf_calibration_map *map) {
    const spf_trust *trust = &forest->trust[combine == SPORF_COMBINE_POSTERIORS];
    if (!trust->weight) return 0;
    *map = (sporf_calibration_map){trust->smoothing, trust->power, trust->weight, trust->log_loss,
                                   trust->brier};
    return 1;
}

int sporf_forest_boosting(const sporf_forest *forest, sporf_boosting *boosting) {
    static const char *const links[] = {[SPF_LINK_NONE] = "identity",
                                        [SPF_LINK_LOG] = "log",
                                        [SPF_LINK_LOG_ODDS] = "logit",
                                        [SPF_LINK_SOFTMAX] = "softmax"};
    const spf_boosting *own = &forest->boosting;
    const char *loss = sporf_forest_setting(forest, SPF_LOSS_SETTING);
    if (!spf_is_boosted(forest)) return 0;
    if (!loss) loss = sporf_forest_setting(forest, "loss");
    *boosting = (sporf_boosting){
        .loss = loss ? loss : "unknown",
        .link = links[own->link],
        .outputs = own->outputs,
        .bags = own->bags,
        .rounds = spf_boosting_rounds(forest),
        .base = own->base,
        .tried = own->tried,
        .train_losses = own->losses,
        .valid_losses = own->valid_rows > 0 ? own->losses + own->tried : NULL,
        .valid_rows = own->valid_rows,
    };
    return 1;
}

size_t sporf_forest_level_sets(const sporf_forest *forest) {
    return forest->packed.sets.count;
}

sporf_level_set sporf_forest_level_set(const sporf_forest *forest, size_t set) {
    const spf_set *own = &forest->packed.sets.sets[set];
    return (sporf_level_set){own->feature, own->words > 0, own->fill};
}

int sporf_forest_level_set_has(const sporf_forest *forest, size_t set, size_t level) {
    const spf_sets *sets = &forest->packed.sets;
    return level < SPF_LEVELS_MAX && sets->sets[set].words > 0 &&
           spf_set_value(sets, &sets->sets[set], (float)level) == 1;
}

size_t sporf_forest_nodes(const sporf_forest *forest, size_t tree) {
    return tree < forest->trees_count ? 2 * (size_t)forest->packed.trees[tree].leaves - 1 : 0;
}

static void describe_split(const spf_tree *tree, uint32_t node, sporf_node *out) {
    const spf_node *split = &tree->nodes[node];
    uint32_t projection = spf_split_projection(split);
    uint32_t start = tree->projection_start[projection];
    out->threshold = split->threshold;
    out->left = node + 1;
    out->right = split->right;
    out->terms = tree->projection_start[projection + 1] - start;
    out->missing_left = (split->content & SPF_MISSING_LEFT) != 0;
    out->features = tree->term_feature + start;
    out->weights = tree->term_weight + start;
}

static void describe_leaf(const sporf_forest *forest, const spf_tree *tree, uint32_t node,
                          sporf_node *out) {
    uint32_t leaf = tree->nodes[node].content, start = tree->leaf_start[leaf];
    out->is_leaf = 1;
    out->leaf = leaf;
    out->class_weight = tree->leaf_weight + start;
    if (tree->leaf_value) {
        out->values = tree->leaf_value + leaf * spf_leaf_width(forest);
        return;
    }
    out->classes = tree->leaf_start[leaf + 1] - start;
    out->class_index = tree->leaf_class + start;
}

static sporf_status check_tree(const sporf_forest *forest, size_t tree, const void *place) {
    if (!forest || !place)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "inspection needs a forest and a place for the nodes");
    if (tree >= forest->trees_count)
        return spf_raise(SPORF_ERROR_ARGUMENT, "there is no tree %zu: the forest has %zu", tree,
                         forest->trees_count);
    return SPORF_OK;
}

sporf_status sporf_forest_leaf_nodes(const sporf_forest *forest, size_t number, uint32_t *nodes) {
    spf_tree tree;
    SPF_TRY(check_tree(forest, number, nodes));
    SPF_TRY(spf_unpack_tree(forest, number, &tree));
    for (uint32_t i = 0; i < tree.nodes_count; i++)
        if (tree.nodes[i].right == 0) nodes[tree.nodes[i].content] = i;
    spf_tree_free(&tree);
    return SPORF_OK;
}

sporf_status sporf_forest_node(const sporf_forest *forest, size_t tree, size_t node,
                               sporf_node *out) {
    SPF_TRY(check_tree(forest, tree, out));
    const spf_tree *chosen;
    SPF_TRY(spf_forest_tree(forest, tree, &chosen));
    if (node >= chosen->nodes_count)
        return spf_raise(SPORF_ERROR_ARGUMENT, "there is no node %zu: tree %zu has %u", node, tree,
                         chosen->nodes_count);
    *out = (sporf_node){0};
    if (chosen->nodes[node].right == 0)
        describe_leaf(forest, chosen, (uint32_t)node, out);
    else
        describe_split(chosen, (uint32_t)node, out);
    return SPORF_OK;
}
