/* Questions say all splits of a tree; those that are new are applied. */
#include "learn/apart/shard_trees.h"

#include "learn/apart/said_split.h"
#include "learn/growing/node.h"
#include "learn/rows/project.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static void free_tree(spf_shard_tree *tree) {
    spf_tree_rows_free(tree->rows);
    free(tree->nodes);
    free(tree->said.bytes);
    *tree = (spf_shard_tree){0};
}

void spf_shard_trees_forget(spf_shard_trees *of) {
    while (of->count > 0) free_tree(&of->trees[--of->count]);
}

void spf_shard_trees_free(spf_shard_trees *of) {
    spf_shard_trees_forget(of);
    free(of->trees);
}

/* ---- splits ---------------------------------------------------------------------------------- */

static sporf_status add_node(spf_shard_tree *tree, const spf_waiting *node) {
    SPF_TRY(SPF_RESERVE(tree->nodes, tree->nodes_capacity, tree->nodes_count + 1));
    tree->nodes[tree->nodes_count++] = *node;
    return SPORF_OK;
}

/* Partitions the rows of a node by a decided split. */
static sporf_status apply(const spf_plan *plan, spf_workspace *w, spf_shard_tree *tree,
                          const spf_said_split *said) {
    spf_tree_rows *s = tree->rows;
    const spf_table *table = &plan->table;
    if (said->split.node >= tree->nodes_count) return spf_raise_message();
    spf_waiting node = tree->nodes[said->split.node], left, right;
    spf_cut cut = {.found = 1,
                   .threshold = said->split.threshold,
                   .missing_left = said->split.missing_left != 0};
    uint32_t rows = node.bag.end - node.bag.begin;
    SPF_TRY(spf_searcher_reserve(&w->searcher, rows));
    spf_project_rows(&said->list, 0, table, s->row + node.bag.begin, rows, w->searcher.value);
    if (cut.missing_left) spf_missing_send_left(w->searcher.value, rows);
    SPF_TRY(spf_node_part_bag(w, s, &node, w->searcher.value, &cut));
    SPF_TRY(spf_node_part_oob(w, s, &said->list, table, &node, &cut));
    spf_node_children(s, &node, &cut, &left, &right);
    SPF_TRY(add_node(tree, &left));
    return add_node(tree, &right);
}

/* Applies the next split of a tree, and remembers it. */
static sporf_status read_split(const spf_shard_trees *of, spf_workspace *w, spf_shard_tree *tree,
                               spf_reader *splits) {
    const unsigned char *begin = splits->at;
    spf_said_split said;
    sporf_status status = spf_said_split_read(of->rows->data, splits, &said);
    if (status == SPORF_OK) status = apply(of->plan, w, tree, &said);
    spf_said_split_free(&said);
    return status == SPORF_OK ? spf_write(&tree->said, begin, (size_t)(splits->at - begin))
                              : status;
}

/* ---- trees ----------------------------------------------------------------------------------- */

spf_shard_tree *spf_shard_trees_find(const spf_shard_trees *of, uint32_t number) {
    for (size_t i = 0; i < of->count; i++)
        if (of->trees[i].number == number) return &of->trees[i];
    return NULL;
}

static sporf_status start_tree(const spf_shard_trees *of, uint32_t number, spf_shard_tree *tree) {
    uint32_t first = of->rows->first, rows = (uint32_t)of->rows->data->rows;
    *tree = (spf_shard_tree){.number = number};
    SPF_TRY(
        spf_tree_rows_between(of->plan, number, (spf_extent){first, first + rows}, &tree->rows));
    spf_waiting root = spf_tree_rows_root(tree->rows);
    return add_node(tree, &root);
}

static sporf_status open_tree(spf_shard_trees *of, uint32_t number, spf_shard_tree **out) {
    *out = spf_shard_trees_find(of, number);
    if (*out) return SPORF_OK;
    if (number >= of->most) return spf_raise_message();
    SPF_TRY(SPF_RESERVE(of->trees, of->capacity, of->count + 1));
    *out = &of->trees[of->count++];
    return start_tree(of, number, *out);
}

/* Whether the rows are partitioned by the first of these splits, and by no others. If not, the
 * question is an earlier one, or that of another crown. */
static int is_on_the_way(const spf_shard_tree *tree, const spf_reader *splits) {
    return tree->said.size <= splits->left &&
           (tree->said.size == 0 || memcmp(tree->said.bytes, splits->at, tree->said.size) == 0);
}

/* Reads a tree of a question: its number and its splits. */
static sporf_status read_tree(spf_reader *question, uint32_t *number, spf_reader *splits) {
    uint64_t size = 0;
    SPF_TRY(spf_read_number(question, number));
    SPF_TRY(spf_read(question, &size, sizeof size));
    SPF_TRY(spf_read_in_place(question, size, 1, &splits->at));
    splits->left = size;
    return SPORF_OK;
}

/* Brings one tree of the question up to date. */
static sporf_status catch_up(spf_shard_trees *of, spf_workspace *w, spf_reader *question) {
    uint32_t number = 0;
    spf_reader splits = {0};
    spf_shard_tree *tree;
    SPF_TRY(read_tree(question, &number, &splits));
    SPF_TRY(open_tree(of, number, &tree));
    if (!is_on_the_way(tree, &splits)) {
        free_tree(tree);
        SPF_TRY(start_tree(of, number, tree));
    }
    splits.at += tree->said.size;
    splits.left -= tree->said.size;
    while (splits.left > 0) SPF_TRY(read_split(of, w, tree, &splits));
    return SPORF_OK;
}

/* Forgets the trees that the question does not name; their branches are grown. */
static sporf_status keep_named(spf_shard_trees *of, uint32_t count, spf_reader question) {
    size_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = 0;
        spf_reader splits;
        SPF_TRY(read_tree(&question, &number, &splits));
        spf_shard_tree *tree = spf_shard_trees_find(of, number);
        if (!tree || tree < of->trees + kept) continue;
        spf_shard_tree found = *tree;
        *tree = of->trees[kept];
        of->trees[kept++] = found;
    }
    while (of->count > kept) free_tree(&of->trees[--of->count]);
    return SPORF_OK;
}

sporf_status spf_shard_trees_read(spf_shard_trees *of, spf_workspace *w, spf_reader *question,
                                  int names_all) {
    uint32_t count = 0;
    SPF_TRY(spf_read_number(question, &count));
    if (names_all) SPF_TRY(keep_named(of, count, *question));
    for (uint32_t i = 0; i < count; i++) {
        sporf_status status = catch_up(of, w, question);
        if (status != SPORF_OK) spf_shard_trees_forget(of); /* one may be half done */
        SPF_TRY(status);
    }
    return SPORF_OK;
}

sporf_status spf_shard_trees_skip(spf_reader *question) {
    uint32_t count = 0, number;
    spf_reader splits;
    SPF_TRY(spf_read_number(question, &count));
    for (uint32_t i = 0; i < count; i++) SPF_TRY(read_tree(question, &number, &splits));
    return SPORF_OK;
}
