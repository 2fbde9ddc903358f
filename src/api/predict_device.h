/* Prediction by the CPU or the GPU, whichever the options ask for. */
#ifndef SPF_API_PREDICT_DEVICE_H
#define SPF_API_PREDICT_DEVICE_H

#include "predict/wanted.h"

/* As spf_predict, with resolved options. SPORF_ERROR_DEVICE only if it must be a GPU and there is
 * none: what the GPU does not support, or could not finish, the CPU predicts. */
sporf_status spf_predict_as_asked(const sporf_forest *forest, const spf_values *values,
                                  const sporf_predict_options *options, const spf_predictions *out);

#endif
