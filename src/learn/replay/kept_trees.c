/* A tree's bag is drawn again, and its out-of-bag rows walk down the plain tree. */
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

sporf_status spf_grown_sort(spf_grown *grown) {
    size_t leaves = grown->tree.leaves_count, count = grown->oob_count;
    uint32_t *start = spf_alloc_zero(leaves + 1, sizeof *start);
    uint32_t *row = spf_alloc(count, sizeof *row), *leaf = spf_alloc(count, sizeof *leaf);
    int good = start && row && leaf;
    for (size_t i = 0; good && i < count; i++) start[grown->oob_leaf[i] + 1]++;
    for (size_t k = 0; good && k < leaves; k++) start[k + 1] += start[k];
    for (size_t i = 0; good && i < count; i++) {
        uint32_t place = start[grown->oob_leaf[i]]++;
        row[place] = grown->oob_row[i];
        leaf[place] = grown->oob_leaf[i];
    }
    free(start);
    free(good ? grown->oob_row : row);
    free(good ? grown->oob_leaf : leaf);
    if (!good) return spf_raise_memory();
    grown->oob_row = row;
    grown->oob_leaf = leaf;
    return SPORF_OK;
}

/* Moves the out-of-bag rows to the tree, and has them walk. */
static sporf_status find_leaves(spf_tree_rows *s, spf_grown *out) {
    out->oob_count = s->oob_count;
    out->oob_row = s->oob_row;
    out->oob_leaf = s->oob_place;
    s->oob_row = s->oob_place = NULL;
    for (size_t i = 0; i < out->oob_count; i++)
        out->oob_leaf[i] =
            spf_tree_walk_columns(&out->tree, s->plan->data->columns, out->oob_row[i]);
    return spf_grown_sort(out);
}

sporf_status spf_kept_tree(const spf_plan *plan, const sporf_forest *forest, uint32_t tree,
                           spf_grown *out) {
    spf_tree_rows *s = NULL;
    *out = (spf_grown){0};
    SPF_TRY(spf_tree_rows_create(plan, tree, &s));
    spf_tree_rows_drop_bag(s);
    drop_estimation(s);
    sporf_status status = spf_unpack_tree(forest, tree, &out->tree);
    if (status == SPORF_OK) status = find_leaves(s, out);
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
