/* The estimation rows are in the order of the leaves, which are numbered in preorder: the rows of a
 * leaf, and those below any node, are contiguous. They are counted as in growing nodes. */
#include "learn/growing/honest.h"

#include "learn/growing/node.h"

#include <stdlib.h>

static int is_empty(spf_extent e) {
    return e.begin == e.end;
}

static int is_same(spf_extent a, spf_extent b) {
    return a.begin == b.begin && a.end == b.end;
}

/* The rows of both sides of a split. */
static spf_extent join(spf_extent left, spf_extent right) {
    if (is_empty(left)) return right;
    return is_empty(right) ? left : (spf_extent){left.begin, right.end};
}

static void take_rows(spf_tree_rows *s, spf_extent *of_leaf) {
    const uint32_t *labels = s->plan->outcome.labels;
    const int rows = spf_tags_are_rows(s->plan);
    uint32_t in = 0, out = 0;
    for (uint32_t i = 0; i < s->oob_count; i++) {
        uint32_t row = s->oob_row[i], leaf = s->oob_place[i], weight = s->estimation[row];
        if (weight == 0) {
            s->oob_row[out] = row;
            s->oob_place[out++] = leaf;
            continue;
        }
        if (is_empty(of_leaf[leaf])) of_leaf[leaf].begin = in;
        s->tag[in++] = rows ? row : labels[row] << s->weight_bits | weight;
        of_leaf[leaf].end = in;
    }
    s->bag_count = in;
    s->oob_count = out;
}

/* Joins the rows of nodes from the leaves up, and passes them down to children without any. */
static void hand_down(const spf_builder *tree, spf_extent *of_node, spf_extent *of_leaf) {
    const spf_node *nodes = tree->nodes;
    for (size_t i = tree->nodes_count; i-- > 0;)
        of_node[i] = nodes[i].right == 0 ? of_leaf[nodes[i].content]
                                         : join(of_node[i + 1], of_node[nodes[i].right]);
    for (size_t i = 0; i < tree->nodes_count; i++) {
        if (nodes[i].right == 0) {
            of_leaf[nodes[i].content] = of_node[i];
            continue;
        }
        spf_extent *left = &of_node[i + 1], *right = &of_node[nodes[i].right];
        if (is_empty(*left)) *left = of_node[i];
        if (is_empty(*right)) *right = of_node[i];
    }
}

static sporf_status find_rows(spf_tree_rows *s, const spf_builder *tree, spf_extent **of_leaf) {
    spf_extent *of_node = spf_alloc(tree->nodes_count, sizeof *of_node);
    *of_leaf = spf_alloc_zero(tree->leaves_count, sizeof **of_leaf);
    spf_tree_rows_drop_bag(s);
    s->tag = spf_alloc(s->oob_count, sizeof *s->tag);
    if (!of_node || !*of_leaf || !s->tag) {
        free(of_node);
        return spf_raise_memory();
    }
    take_rows(s, *of_leaf);
    hand_down(tree, of_node, *of_leaf);
    free(of_node);
    if (spf_tags_are_rows(s->plan)) {
        s->units = s->estimation;
        s->estimation = NULL;
    }
    return SPORF_OK;
}

sporf_status spf_honest_fill(spf_workspace *w, spf_tree_rows *s, spf_builder *tree,
                             spf_extent **of_leaf) {
    size_t leaves = tree->leaves_count;
    sporf_status status = SPORF_OK;
    SPF_TRY(find_rows(s, tree, of_leaf));
    spf_builder_empty_leaves(tree);
    for (size_t k = 0; k < leaves && status == SPORF_OK; k++) {
        if (k == 0 || !is_same((*of_leaf)[k], (*of_leaf)[k - 1])) {
            spf_node_close(w);
            spf_node_open(w, s, &(spf_waiting){.bag = (*of_leaf)[k]});
        }
        status = w->plan->outcome.kind->fill_leaf(w, tree);
    }
    spf_node_close(w);
    return status;
}

/* Rows by leaf, and their ranges for nodes and leaves. */
double spf_honest_bytes(const spf_expected *e) {
    return spf_alloc_bytes(e->rows - e->in_bag, sizeof(uint32_t)) +
           spf_alloc_bytes(2 * e->tree.leaves - 1, sizeof(spf_extent)) +
           spf_alloc_bytes(e->tree.leaves, sizeof(spf_extent));
}
