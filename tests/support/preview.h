/* What a training would do, where it is not refused. */
#ifndef SUPPORT_PREVIEW_H
#define SUPPORT_PREVIEW_H

#include "support/check.h"

static inline sporf_preview preview_of(const sporf_dataset *data, const sporf_params *params) {
    sporf_preview preview = {.struct_size = sizeof preview};
    assert_ok(sporf_train_preview(data, params, &preview));
    return preview;
}

#endif
