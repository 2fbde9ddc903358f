/* Which predictions a device makes, and what users are told of it. */
#include "api/predict_device.h"

#include "base/parallel.h"
#include "gpu/gpu.h"
#include "predict/predict.h"

static sporf_status raise_none(const char *why) {
    return spf_raise(SPORF_ERROR_DEVICE,
                     SPF_OPTION_AS("device", "gpu") ": %s" SPF_HINT "use " SPF_OPTION_AS(
                         "device", "cpu") ", or " SPF_OPTION_AS("device", "auto"),
                     why);
}

/* NULL: threads predict. To look for a GPU takes time: with auto it is only done for work that pays
 * for it. */
static sporf_status find_device(const sporf_forest *forest, size_t rows,
                                const sporf_predict_options *options, const spf_predictions *out,
                                const spf_predictor **device) {
    const char *why = NULL, *lack = spf_predictor_lack(forest, out);
    int must = options->device == SPORF_DEVICE_GPU;
    *device = NULL;
    if (options->device == SPORF_DEVICE_CPU) return SPORF_OK;
    if (!must && (lack || !spf_predictor_pays(forest, rows, spf_thread_count(options->threads))))
        return SPORF_OK;
    *device = spf_gpu_predictor(&why);
    if (!*device) return must ? raise_none(why) : SPORF_OK;
    if (lack)
        spf_note(options->note, options->note_payload,
                 "the GPU does not support %s; the CPU predicts", lack);
    if (lack) *device = NULL;
    return SPORF_OK;
}

sporf_status spf_predict_as_asked(const sporf_forest *forest, const spf_values *values,
                                  const sporf_predict_options *options,
                                  const spf_predictions *out) {
    spf_combining how = spf_combining_of(forest, options->combine, options->calibration);
    const spf_predictor *device;
    SPF_TRY(find_device(forest, values->rows, options, out, &device));
    if (device) {
        sporf_status status = spf_predict_on(device, forest, values, how, options->threads, out);
        if (status != SPORF_ERROR_DEVICE) return status;
        spf_note(options->note, options->note_payload,
                 "the GPU could not go on: %s; the CPU predicts", sporf_last_error());
    }
    return spf_predict(forest, values, how, options->threads, out);
}
