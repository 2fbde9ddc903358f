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
    return SPORF_OK;
}
