/* A tree's bag is drawn again, and its out-of-bag rows walk down the plain tree, unless the leaves
 * are stored with it. */
#include "learn/replay/kept_trees.h"

#include "learn/growing/tree_rows.h"
#include "model/unpack.h"

#include <math.h>
#include <stdlib.h>

/* Estimation rows of an honest tree are partitioned with the out-of-bag rows, but are not out of
 * bag. */
static void drop_estimation(spf_tree_rows *s) {
    uint32_t out = 0;
    for (uint32_t i = 0; s->estimation && i < s->oob_count; i++)
        if (s->estimation[s->oob_row[i]] == 0) s->oob_row[out++] = s->oob_row[i];
    if (s->estimation) s->oob_count = out;
}

/* Sorts rows by leaf, as partitioning does. */
static void sort_by_leaf(const spf_tree_rows *s, uint32_t *start, size_t leaves, spf_grown *out) {
    for (uint32_t i = 0; i < s->oob_count; i++) start[s->oob_place[i] + 1]++;
    for (size_t k = 0; k < leaves; k++) start[k + 1] += start[k];
    for (uint32_t i = 0; i < s->oob_count; i++) {
        uint32_t place = start[s->oob_place[i]]++;
        out->oob_row[place] = s->oob_row[i];
        out->oob_leaf[place] = s->oob_place[i];
    }
}

/* The leaves of a part are in the order of its rows. */
static sporf_status read_leaves(const sporf_forest *forest, uint32_t tree, spf_tree_rows *s,
                                uint32_t leaves) {
    const spf_forest_part *part = &forest->part;
    size_t width = spf_part_width(leaves);
    const uint8_t *bytes = part->leaves + part->starts[tree];
    int fits = part->starts[tree + 1] - part->starts[tree] == s->oob_count * width;
    for (uint32_t i = 0; fits && i < s->oob_count; i++) {
        s->oob_place[i] = spf_part_leaf(bytes, width, i);
        fits = s->oob_place[i] < leaves;
    }
    if (fits) return SPORF_OK;
    return spf_raise(
        SPORF_ERROR_MODEL,
        "the out-of-bag rows of tree %lu are not those of its bag: the part is damaged",
        (unsigned long)part->first + tree);
}

static void walk(const spf_tree *tree, spf_tree_rows *s) {
    for (uint32_t i = 0; i < s->oob_count; i++)
        s->oob_place[i] = spf_tree_walk_columns(tree, s->plan->data->columns, s->oob_row[i]);
}

static sporf_status sort_leaves(spf_tree_rows *s, spf_grown *out) {
    size_t leaves = out->tree.leaves_count;
    uint32_t *start = spf_alloc_zero(leaves + 1, sizeof *start);
    out->oob_count = s->oob_count;
    out->oob_row = spf_alloc(s->oob_count, sizeof *out->oob_row);
    out->oob_leaf = spf_alloc(s->oob_count, sizeof *out->oob_leaf);
    if (!start || !out->oob_row || !out->oob_leaf) {
        free(start);
        return spf_raise_memory();
    }
    sort_by_leaf(s, start, leaves, out);
    free(start);
    return SPORF_OK;
}

sporf_status spf_kept_tree(const spf_plan *plan, const sporf_forest *forest, uint32_t tree,
                           spf_grown *out) {
    spf_tree_rows *s = NULL;
    *out = (spf_grown){0};
    SPF_TRY(spf_tree_rows_create(plan, forest->part.first + tree, &s));
    spf_tree_rows_drop_bag(s);
    drop_estimation(s);
    sporf_status status = spf_unpack_tree(forest, tree, &out->tree);
    if (status == SPORF_OK && forest->part.leaves)
        status = read_leaves(forest, tree, s, out->tree.leaves_count);
    else if (status == SPORF_OK)
        walk(&out->tree, s);
    if (status == SPORF_OK) status = sort_leaves(s, out);
    spf_tree_rows_free(s);
    if (status != SPORF_OK) spf_grown_free(out);
    return status;
}

static int is_same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

sporf_status spf_kept_trees_check(const sporf_forest *forest, const double *curve) {
    const double *was = forest->oob_curve;
    for (size_t t = 0; was && curve && t < forest->trees_count; t++)
        if (!is_same(was[t], curve[t]))
            return spf_raise(
                SPORF_ERROR_DATA,
                "the data are not those that the forest was trained on: the out-of-bag error of "
                "its first %zu tree%s was %.6g and is %.6g with them" SPF_HINT
                "give the same rows in the same order, with the same labels (" SPF_OPTION(
                    "label-file") ") and weights (" SPF_OPTION("weight") ")",
                t + 1, t == 0 ? "" : "s", was[t], curve[t]);
    return SPORF_OK;
}
