/* The public functions for importances. */
#include "model/decrease.h"
#include "model/importance.h"
#include "model/unpack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums of the decreases of trees. */
typedef struct {
    const sporf_forest *forest;
    double *features; /* either these */
    spf_lines *lines; /* or these */
    double total;
    spf_decreases decreases; /* of one tree, by split */
    spf_used used;           /* and by projection */
} gathering;

static sporf_status gather_tree(gathering *g, size_t number, const spf_tree *tree) {
    const double *decrease;
    SPF_TRY(spf_tree_decreases(tree, spf_leaf_width(g->forest), spf_has_several_labels(g->forest),
                               &g->decreases));
    decrease = g->decreases.decrease;
    for (uint32_t i = 0; i < tree->nodes_count; i++) g->total += decrease[i];
    if (!isfinite(g->total))
        return spf_raise(SPORF_ERROR_MODEL,
                         "the model is damaged: tree %zu has values that are not finite", number);
    SPF_TRY(spf_used_find(tree, decrease, &g->used));
    if (g->lines) return spf_lines_add_tree(g->lines, tree, &g->used);
    spf_share_decreases(g->forest, tree, &g->used, g->features);
    return SPORF_OK;
}

/* Trees are added in order, so that the sums are always the same. */
static sporf_status gather(gathering *g) {
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < g->forest->trees_count; i++) {
        spf_tree tree;
        status = spf_unpack_tree(g->forest, i, &tree);
        if (status != SPORF_OK) break;
        status = gather_tree(g, i, &tree);
        spf_tree_free(&tree);
    }
    spf_decreases_free(&g->decreases);
    free(g->used.projections);
    return status;
}

static double share_of(const gathering *g, double decrease) {
    return g->total > 0 ? decrease / g->total : 0;
}

sporf_status sporf_forest_importances(const sporf_forest *forest, double *importances) {
    if (!forest || !importances)
        return spf_raise(SPORF_ERROR_ARGUMENT, "importances need a forest and a place for them");
    gathering g = {.forest = forest, .features = importances};
    for (size_t i = 0; i < forest->features; i++) importances[i] = 0;
    SPF_TRY(gather(&g));
    for (size_t i = 0; i < forest->features; i++) importances[i] = share_of(&g, importances[i]);
    return SPORF_OK;
}

/* ---- projections ----------------------------------------------------------------------------- */

/* A ranking and the memory it points to. */
typedef struct {
    sporf_ranking shown;
    sporf_ranked *ranked; /* [count] */
    uint32_t *feature;    /* of all of them */
    float *weight;
} ranking_parts;

/* Keeps the first `count` lines. */
static sporf_status keep(const gathering *g, size_t count, ranking_parts *parts) {
    const spf_lines *lines = g->lines;
    sporf_ranking *shown = &parts->shown;
    size_t terms = 0;
    shown->distinct = lines->known.words.count;
    shown->count = count < shown->distinct ? count : shown->distinct;
    for (size_t i = 0; i < shown->count; i++) terms += spf_line_terms(lines, &lines->lines[i]);
    parts->ranked = spf_alloc(shown->count, sizeof *parts->ranked);
    parts->feature = spf_alloc(terms, sizeof *parts->feature);
    parts->weight = spf_alloc(terms, sizeof *parts->weight);
    if (!parts->ranked || !parts->feature || !parts->weight) return spf_raise_memory();
    uint32_t *feature = parts->feature;
    float *weight = parts->weight;
    for (size_t i = 0; i < shown->count; i++) {
        const spf_line *line = &lines->lines[i];
        spf_line_read(lines, line, feature, weight);
        parts->ranked[i] = (sporf_ranked){share_of(g, line->importance), line->splits,
                                          spf_line_terms(lines, line), feature, weight};
        feature += parts->ranked[i].terms;
        weight += parts->ranked[i].terms;
    }
    shown->projections = parts->ranked;
    return SPORF_OK;
}

sporf_status sporf_ranking_create(const sporf_forest *forest, size_t count, sporf_ranking **out) {
    if (!forest || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT, "a ranking needs a forest and a place for it");
    *out = NULL;
    spf_lines lines;
    ranking_parts *parts = spf_alloc_zero(1, sizeof *parts);
    if (!parts) return spf_raise_memory();
    sporf_status status = spf_lines_create(forest, &lines);
    gathering g = {.forest = forest, .lines = &lines};
    if (status == SPORF_OK) status = gather(&g);
    if (status == SPORF_OK) {
        spf_lines_sort(&lines);
        status = keep(&g, count, parts);
    }
    spf_lines_free(&lines);
    if (status == SPORF_OK)
        *out = &parts->shown;
    else
        sporf_ranking_free(&parts->shown);
    return status;
}

void sporf_ranking_free(sporf_ranking *ranking) {
    ranking_parts *parts = (ranking_parts *)ranking;
    if (!parts) return;
    free(parts->ranked);
    free(parts->feature);
    free(parts->weight);
    free(parts);
}
