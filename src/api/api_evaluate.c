/* The public functions for evaluation. */
#include "api/evaluate_classes.h"
#include "api/evaluate_labels.h"
#include "api/evaluate_targets.h"
#include "api/match.h"
#include "api/predict_options.h"
#include "base/versioned.h"
#include "model/combine.h"

#include <math.h>

/* The scores asked for must fit what the forest predicts. */
static sporf_status check_wanted(const sporf_forest *forest, const sporf_evaluation *scores) {
    if (spf_is_regression(forest) && (scores->confusion || scores->calibration ||
                                      scores->probabilities || scores->predicted || scores->labels))
        return spf_raise_no_class(forest);
    if (scores->label_errors && !spf_has_several_labels(forest))
        return spf_raise(SPORF_ERROR_MODEL, "the model does not predict several labels");
    if (scores->targets || scores->quantile_scores || scores->interval_scores)
        return spf_check_numbers(forest);
    return SPORF_OK;
}

/* Scores that do not apply are NaN. */
static void clear(sporf_evaluation *scores) {
    scores->rows = scores->unknown_labels = 0;
    scores->error = scores->kappa = scores->kappa_paper = scores->log_loss = NAN;
    scores->rmse = scores->mae = scores->r2 = scores->subset_error = NAN;
}

typedef sporf_status (*evaluation_of)(const sporf_forest *, const sporf_dataset *,
                                      const sporf_predict_options *, sporf_evaluation *);

static evaluation_of evaluate_kind(const sporf_forest *forest) {
    if (spf_has_several_labels(forest)) return spf_evaluate_labels;
    return spf_is_regression(forest) ? spf_evaluate_targets : spf_evaluate_classes;
}

sporf_status sporf_forest_evaluate(const sporf_forest *forest, const sporf_dataset *data,
                                   const sporf_predict_options *given, sporf_evaluation *out) {
    sporf_evaluation scores = {.struct_size = sizeof scores};
    sporf_predict_options options;
    if (!forest || !data || !out)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "evaluation needs a forest, data and a place for the scores");
    SPF_TRY(spf_versioned_read(out, &scores, sizeof scores, "sporf_evaluation_init"));
    SPF_TRY(check_wanted(forest, &scores));
    SPF_TRY(spf_predict_options_resolve(given, &options));
    clear(&scores);
    SPF_TRY(evaluate_kind(forest)(forest, data, &options, &scores));
    spf_versioned_write(&scores, out);
    return SPORF_OK;
}
