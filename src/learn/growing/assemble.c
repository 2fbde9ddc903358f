/* The end of a training, and of joining parts. */
#include "learn/growing/assemble.h"

#include <math.h>

static sporf_status take_oob(spf_assembly *made, sporf_forest *forest) {
    forest->oob_error = made->curve[made->trees - 1];
    forest->oob_curve = made->curve;
    made->curve = NULL;
    return made->tally->hand_over(made->tally, made->threads, forest);
}

static sporf_status take_trees(spf_assembly *made, sporf_forest *forest) {
    forest->trees = spf_alloc(made->trees, sizeof *forest->trees);
    if (!forest->trees) return spf_raise_memory();
    if (made->tally) SPF_TRY(take_oob(made, forest));
    for (uint32_t i = 0; i < made->trees; i++) {
        forest->trees[i] = made->grown[i].tree;
        made->grown[i].tree = (spf_tree){0};
    }
    forest->trees_count = made->trees;
    for (size_t i = 0; i < 2; i++) SPF_TRY(spf_trust_prepare(&forest->trust[i], made->trees));
    forest->keeps_samples = made->outcome->samples;
    forest->work = made->work;
    forest->scale = made->scale;
    made->scale = NULL;
    return SPORF_OK;
}

sporf_status spf_assemble(spf_assembly *made, sporf_forest **out) {
    sporf_forest *forest = spf_alloc_zero(1, sizeof *forest);
    if (!forest) return spf_raise_memory();
    forest->features = made->data->features;
    forest->weighted = made->weighted;
    forest->oob_error = forest->oob_score = NAN;
    sporf_status status = spf_schema_copy(&made->data->schema, &forest->schema);
    if (status == SPORF_OK) status = made->outcome->kind->name(made->data, forest);
    if (status == SPORF_OK) status = take_trees(made, forest);
    if (status != SPORF_OK) {
        sporf_forest_free(forest);
        return status;
    }
    *out = forest;
    return SPORF_OK;
}
