/* Options of prediction. */
#ifndef SPF_API_PREDICT_OPTIONS_H
#define SPF_API_PREDICT_OPTIONS_H

#include "base/error.h"

/* given may be NULL for the defaults. */
sporf_status spf_predict_options_resolve(const sporf_predict_options *given,
                                         sporf_predict_options *options);

#endif
