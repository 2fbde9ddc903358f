/* What corrected and drop-column importances have in common. */
#include "tune/retrain.h"

#include "base/versioned.h"
#include "data/label_columns.h"

static sporf_status refuse(const char *what) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "importances by training again are not for %s" SPF_HINT
                     "use permutation importances",
                     what);
}

static sporf_status check_forest(const spf_retrain *r) {
    size_t features = sporf_forest_features(r->forest);
    if (sporf_forest_setting(r->forest, "sampler")) return refuse("a sampler of your own");
    if (sporf_forest_setting(r->forest, "user-loss")) return refuse("a loss of your own");
    if (r->params.method == SPORF_METHOD_PATCH) return refuse("the method patch");
    SPF_TRY(spf_check_one_label(r->data, "importance by training again"));
    if (r->data->features == features) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "the data have %zu features, but the forest has %zu" SPF_HINT
                     "give the data that it was trained on",
                     r->data->features, features);
}

sporf_status spf_retrain_open(const sporf_forest *forest, const sporf_dataset *data,
                              const sporf_retrain_options *options, const sporf_hooks *given,
                              const sporf_feature_group *groups, size_t count, spf_retrain *out) {
    sporf_hooks hooks;
    *out = (spf_retrain){.forest = forest, .data = data, .start = spf_work_clock()};
    sporf_hooks_init(&hooks);
    sporf_retrain_options_init(&out->options);
    sporf_params_init(&out->params);
    SPF_TRY(spf_versioned_read(given, &hooks, sizeof hooks, "sporf_hooks_init"));
    SPF_TRY(spf_versioned_read(options, &out->options, sizeof out->options,
                               "sporf_retrain_options_init"));
    SPF_TRY(sporf_forest_params(forest, &out->params));
    SPF_TRY(check_forest(out));
    out->params.threads = out->options.threads;
    out->params.calibration = SPORF_CALIBRATE_NONE;
    out->params.samples = SPORF_SAMPLES_DROP;
    out->params.cost = out->params.recall = NULL;
    out->work.payload = hooks.payload;
    out->work.progress = hooks.progress;
    out->work.interrupt = hooks.interrupt;
    out->work.note = hooks.note;
    return spf_feature_groups_create(groups, count, data->features, &out->groups);
}

void spf_retrain_close(spf_retrain *r) {
    spf_feature_groups_free(&r->groups);
}

int spf_retrain_late(const spf_retrain *r) {
    return r->options.time > 0 && r->work.done > 0 &&
           spf_work_clock() - r->start >= r->options.time;
}

sporf_status spf_retrain_cancel(void) {
    return spf_raise(SPORF_ERROR_CANCELLED, "interrupted before all forests were trained");
}
