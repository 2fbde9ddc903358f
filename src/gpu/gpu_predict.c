/* A packed forest in the words of the kernels that predict with it. */
#include "gpu/gpu.h"
#include "gpu/predict.h"
#include "gpu/trainer.h"
#include "predict/predictor.h"

_Static_assert(sizeof(spf_gpu_packed_node) == sizeof(spf_packed_node), "the same node");
_Static_assert(sizeof(spf_gpu_packed_tree) == sizeof(spf_packed_tree), "the same tree");
_Static_assert(sizeof(spf_gpu_set) == sizeof(spf_set), "the same set");

static spf_gpu_packed packed_of(const spf_predictor_work *work) {
    const sporf_forest *forest = work->forest;
    const spf_packed *packed = &forest->packed;
    return (spf_gpu_packed){
        .features = forest->features,
        .trees_count = packed->trees_count,
        .nodes_count = packed->nodes_count,
        .leaves_count = packed->leaves_count,
        .mixed_count = packed->mixed_count,
        .entries_count = packed->entries_count,
        .terms_count = packed->terms_count,
        .projections_count = packed->projections_count,
        .sets_count = packed->sets.count,
        .words_count = packed->sets.words_count,
        .trees = (const void *)packed->trees,
        .nodes = (const void *)packed->nodes,
        .sets = (const void *)packed->sets.sets,
        .words = packed->sets.words,
        .levels_max = (float)SPF_LEVELS_MAX,
        .projection_start = packed->projection_start,
        .term_feature = packed->term_feature,
        .term_weight = packed->term_weight,
        .class_bits = packed->class_bits,
        .leaf_class = packed->leaf_class,
        .leaf_weight = packed->leaf_weight,
        .mixed_start = packed->mixed_start,
        .entry_class = packed->entry_class,
        .entry_weight = packed->entry_weight,
        .leaf_value = work->adds == SPF_LEAF_VALUES ? packed->leaf_value : NULL,
        .width = spf_leaf_width(forest),
        .turns = spf_is_boosted(forest) ? forest->boosting.outputs : 0,
        .classes = work->votes ? forest->classes : 0,
        .outputs = work->sums ? spf_outputs(forest) : 0,
        .mixed = work->mixed,
    };
}

static sporf_status raise_result(spf_gpu_result result) {
    if (result == SPF_GPU_OK) return SPORF_OK;
    if (result == SPF_GPU_MEMORY)
        return spf_raise(SPORF_ERROR_DEVICE, "the GPU has not enough memory for this model");
    return spf_raise(SPORF_ERROR_DEVICE, "the GPU failed: %s", spf_gpu_failure());
}

static sporf_status open_forest(const spf_predictor_work *work, size_t *most, void **opened) {
    spf_gpu_packed packed = packed_of(work);
    spf_gpu_walker *walker = NULL;
    SPF_TRY(raise_result(spf_gpu_walker_create(&packed, most, &walker)));
    *opened = walker;
    return SPORF_OK;
}

static sporf_status predict(void *opened, const float *rows, size_t count, uint32_t *votes,
                            double *sums) {
    return raise_result(spf_gpu_walk(opened, rows, count, votes, sums));
}

static void close_forest(void *opened) {
    spf_gpu_walker_free(opened);
}

const spf_predictor *spf_gpu_predictor(const char **why) {
    static const spf_predictor gpu = {open_forest, predict, close_forest};
    return spf_gpu_is_there(why) ? &gpu : NULL;
}
