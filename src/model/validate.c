/* The rules of a valid tree, each checked in one pass over its array. A tree may come from a
 * hostile file: nothing is read before its bounds are checked, and nothing recurses. */
#include "model/validate.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const spf_tree *tree;
    size_t features, classes;
    size_t number; /* of the tree, for messages */
} subject;

#define FAULT(subject, format, ...)                                                                \
    spf_raise(SPORF_ERROR_MODEL, "tree %zu: " format, (subject)->number, __VA_ARGS__)

/* Starts begin at 0, rise (no part is empty) and end at the number of items. */
static sporf_status check_starts(const subject *s, const char *what, const uint32_t *start,
                                 uint32_t parts, uint64_t items) {
    if (start[0] != 0) return FAULT(s, "%s 0 starts at %u, not at 0", what, start[0]);
    for (uint32_t i = 0; i < parts; i++)
        if (start[i + 1] <= start[i]) return FAULT(s, "%s %u is empty or runs backwards", what, i);
    if (start[parts] != items)
        return FAULT(s, "the last %s ends at %u instead of %llu", what, start[parts],
                     (unsigned long long)items);
    return SPORF_OK;
}

/* Features ascend, and sets follow them. */
static int follows(const subject *s, uint32_t before, uint32_t feature) {
    return feature >= s->features || feature > before;
}

static sporf_status check_projections(const subject *s) {
    const spf_tree *tree = s->tree;
    for (uint32_t p = 0; p < tree->projections_count; p++)
        for (uint32_t i = tree->projection_start[p]; i < tree->projection_start[p + 1]; i++) {
            uint32_t feature = tree->term_feature[i], first = tree->projection_start[p];
            if (feature >= s->features && feature - s->features >= tree->sets.count)
                return FAULT(s, "projection %u uses feature %u of %zu", p, feature, s->features);
            if (i > first && !follows(s, tree->term_feature[i - 1], feature))
                return FAULT(s, "the features of projection %u do not ascend", p);
            if (!(fabsf(tree->term_weight[i]) <= 1) || tree->term_weight[i] == 0 ||
                !(tree->term_weight[first] > 0))
                return FAULT(s, "projection %u has the weight %g", p, tree->term_weight[i]);
        }
    return SPORF_OK;
}

/* Whether a set belongs to a category, begins with one of its levels and ends with the word of
 * another; or is a feature of another kind whose missing values are filled in. */
static int has_levels(const spf_set *set, const sporf_schema *schema, size_t features) {
    if (set->feature >= features || isinf(set->fill)) return 0;
    int category = spf_schema_kind(schema, set->feature) == SPORF_KIND_CATEGORY;
    size_t levels = spf_schema_levels(schema, set->feature);
    if (set->words == 0) return !category;
    return category && set->first < levels && set->words - 1 <= (levels - 1 - set->first) / 32;
}

sporf_status spf_sets_validate(const spf_sets *sets, const sporf_schema *schema, size_t features) {
    for (uint64_t i = 0; i < sets->count; i++) {
        const spf_set *set = &sets->sets[i];
        if (!has_levels(set, schema, features))
            return spf_raise(SPORF_ERROR_MODEL, "set %llu holds no levels of a category",
                             (unsigned long long)i);
        if (set->start > sets->words_count || set->words > sets->words_count - set->start)
            return spf_raise(SPORF_ERROR_MODEL, "set %llu of levels has no proper place",
                             (unsigned long long)i);
    }
    return SPORF_OK;
}

static sporf_status check_leaves(const subject *s) {
    const spf_tree *tree = s->tree;
    for (uint32_t k = 0; k < tree->leaves_count; k++)
        for (uint32_t i = tree->leaf_start[k]; i < tree->leaf_start[k + 1]; i++) {
            uint32_t class_index = tree->leaf_class[i];
            if (class_index >= s->classes)
                return FAULT(s, "leaf %u holds class %u of %zu", k, class_index, s->classes);
            if (i > tree->leaf_start[k] && class_index <= tree->leaf_class[i - 1])
                return FAULT(s, "the classes of leaf %u do not ascend", k);
            if (!isfinite(tree->leaf_weight[i]) || !(tree->leaf_weight[i] > 0))
                return FAULT(s, "leaf %u has the class weight %g", k, tree->leaf_weight[i]);
        }
    return SPORF_OK;
}

static sporf_status check_split(const subject *s, uint32_t at) {
    const spf_node *node = &s->tree->nodes[at];
    if (node->right <= at + 1 || node->right >= s->tree->nodes_count)
        return FAULT(s, "node %u names node %u as its right child, of %u nodes", at, node->right,
                     s->tree->nodes_count);
    if (!isfinite(node->threshold))
        return FAULT(s, "node %u has the threshold %g", at, node->threshold);
    if (spf_split_projection(node) >= s->tree->projections_count)
        return FAULT(s, "node %u uses projection %u of %u", at, spf_split_projection(node),
                     s->tree->projections_count);
    return SPORF_OK;
}

static sporf_status check_leaf(const subject *s, uint32_t at, uint32_t leaves_before) {
    const spf_node *node = &s->tree->nodes[at];
    if (node->content != leaves_before)
        return FAULT(s, "node %u is leaf %u by its number, %u by its place", at, node->content,
                     leaves_before);
    if (node->threshold != 0 || signbit(node->threshold))
        return FAULT(s, "node %u is a leaf and has the threshold %g", at, node->threshold);
    return SPORF_OK;
}

/* Visits the nodes in order. Splits whose left subtree is unfinished wait on `open`; each leaf ends
 * the left subtree of the last one, whose right child must come next. So every node but the root is
 * reached exactly once. With nodes = 2 leaves - 1, `open` never needs more than leaves. */
static sporf_status check_order(const subject *s, uint32_t *open) {
    const spf_tree *tree = s->tree;
    uint32_t waiting = 0, leaves = 0;
    for (uint32_t at = 0; at < tree->nodes_count; at++) {
        if (tree->nodes[at].right != 0) {
            SPF_TRY(check_split(s, at));
            if (at - leaves >= tree->leaves_count)
                return FAULT(s, "there are more than %u splits", tree->leaves_count - 1);
            open[waiting++] = at;
            continue;
        }
        SPF_TRY(check_leaf(s, at, leaves));
        leaves++;
        if (waiting == 0 && at + 1 < tree->nodes_count)
            return FAULT(s, "node %u belongs to no split", at + 1);
        if (waiting > 0 && tree->nodes[open[--waiting]].right != at + 1)
            return FAULT(s, "node %u should have node %u as its right child, not %u", open[waiting],
                         at + 1, tree->nodes[open[waiting]].right);
    }
    return SPORF_OK;
}

static sporf_status check_nodes(const subject *s) {
    const spf_tree *tree = s->tree;
    if (tree->leaves_count == 0 || tree->nodes_count != 2 * (uint64_t)tree->leaves_count - 1)
        return FAULT(s, "%u nodes cannot have %u leaves", tree->nodes_count, tree->leaves_count);
    uint32_t *open = spf_alloc(tree->leaves_count, sizeof *open);
    if (!open) return spf_raise_memory();
    sporf_status status = check_order(s, open);
    free(open);
    return status;
}

/* ---- walks ----------------------------------------------------------------------------------- */

static uint32_t long_terms(const spf_tree *tree, uint32_t projection) {
    uint32_t terms = tree->projection_start[projection + 1] - tree->projection_start[projection];
    return terms > SPF_SHORT_TERMS ? terms : 0;
}

/* Splits whose left subtree is unfinished wait on `open` with the number of terms up to them. */
static uint64_t longest_walk(const spf_tree *tree, uint64_t *open) {
    uint64_t terms = 0, most = 0;
    uint32_t waiting = 0;
    for (uint32_t at = 0; at < tree->nodes_count; at++) {
        const spf_node *node = &tree->nodes[at];
        if (node->right != 0) {
            terms += long_terms(tree, spf_split_projection(node));
            open[waiting++] = terms;
            continue;
        }
        most = terms > most ? terms : most;
        if (waiting > 0) terms = open[--waiting];
    }
    return most;
}

sporf_status spf_tree_check_walks(const spf_tree *tree, size_t number, sporf_status code) {
    uint64_t all = 0;
    for (uint32_t p = 0; p < tree->projections_count; p++) all += long_terms(tree, p);
    if (all == 0) return SPORF_OK;
    uint64_t *open = spf_alloc(tree->leaves_count, sizeof *open);
    if (!open) return spf_raise_memory();
    uint64_t most = longest_walk(tree, open);
    free(open);
    if (most <= spf_walk_limit(tree->leaves_count, all)) return SPORF_OK;
    return spf_raise(code,
                     "tree %zu: a row may meet %llu terms of long projections on its way, too many "
                     "for a tree of %u leaves" SPF_HINT
                     "limit the depth (" SPF_OPTION("max-depth") ")",
                     number, (unsigned long long)most, tree->leaves_count);
}

sporf_status spf_tree_validate(const spf_tree *tree, const spf_tree_extent *extent, size_t features,
                               size_t classes, size_t tree_number) {
    subject s = {.tree = tree, .features = features, .classes = classes, .number = tree_number};
    SPF_TRY(check_nodes(&s));
    SPF_TRY(check_starts(&s, "projection", tree->projection_start, tree->projections_count,
                         extent->terms));
    SPF_TRY(check_projections(&s));
    SPF_TRY(spf_tree_check_walks(tree, tree_number, SPORF_ERROR_MODEL));
    SPF_TRY(check_starts(&s, "leaf", tree->leaf_start, tree->leaves_count, extent->leaf_entries));
    return check_leaves(&s);
}
