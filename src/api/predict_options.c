/* Defaults and checks of the options of prediction. */
#include "api/predict_options.h"

#include "base/versioned.h"

sporf_status spf_predict_options_resolve(const sporf_predict_options *given,
                                         sporf_predict_options *options) {
    sporf_predict_options_init(options);
    SPF_TRY(spf_versioned_read(given, options, sizeof *options, "sporf_predict_options_init"));
    if (options->combine != SPORF_COMBINE_VOTES && options->combine != SPORF_COMBINE_POSTERIORS)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION("combine") " must be votes or posteriors");
    if (options->calibration != SPORF_CALIBRATE_AUTO &&
        options->calibration != SPORF_CALIBRATE_NONE)
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("calibration") " must be auto or none");
    if (options->decision != SPORF_DECIDE_MODEL && options->decision != SPORF_DECIDE_PLAIN)
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("decision") " must be model or plain");
    if (options->device != SPORF_DEVICE_AUTO && options->device != SPORF_DEVICE_CPU &&
        options->device != SPORF_DEVICE_GPU)
        return spf_raise(SPORF_ERROR_ARGUMENT, SPF_OPTION("device") " must be auto, cpu or gpu");
    return SPORF_OK;
}

sporf_status spf_predict_decision(const sporf_forest *forest, const sporf_predict_options *options,
                                  const spf_decision **decision) {
    *decision = options->decision == SPORF_DECIDE_PLAIN ? NULL : &forest->decision;
    if (*decision && forest->decision.by == SPF_DECIDE_THRESHOLD &&
        options->calibration == SPORF_CALIBRATE_NONE && forest->trust[options->combine].weight)
        return spf_raise(
            SPORF_ERROR_ARGUMENT,
            SPF_OPTION("calibration") " cannot be none: the model was trained with " SPF_OPTION(
                "recall") ", and its threshold is for calibrated probabilities" SPF_HINT
                          "leave it out");
    return SPORF_OK;
}
