/* What a training works with: data and parameters become one set of settings in which nothing is
 * left open. It is made once, and then only read: by training, by the estimate of its memory, by
 * the search of settings, and by what a model records. */
#ifndef SPF_LEARN_SETTINGS_H
#define SPF_LEARN_SETTINGS_H

#include "data/dataset.h"
#include "learn/rows/row_weights.h"
#include "learn/sampling/method.h"

/* An amount that nobody gave. */
#define SPF_AUTO ((sporf_power){0, 0})

static inline int spf_is_auto(sporf_power power) {
    return power.factor == 0;
}

typedef struct spf_settings {
    const sporf_dataset *data;
    /* As a model records them: nothing is auto, but for bag and weights, for which `bag` and
     * `sampling` say what that means. */
    sporf_params params;
    sporf_bag bag;
    const spf_method *method;      /* NULL: the sampler is the user's */
    spf_sampler_settings sampling; /* of the method */
    sporf_sampler sampler;
    const spf_row_weights *weights;
    spf_row_weights made; /* here, unless they are those of other settings */
} spf_settings;

/* Checks the data and the parameters, which are in range, and gives a value to everything that is
 * auto. `own` is the user's sampler, or NULL. The settings hold pointers into themselves: they
 * cannot be copied. */
sporf_status spf_settings_create(const sporf_dataset *data, const sporf_params *params,
                                 const sporf_sampler *own, spf_settings *settings);

/* The same data and method with other trees, amounts and leaves. The weights are those of `from`,
 * which must live as long. */
sporf_status spf_settings_vary(const spf_settings *from, const sporf_params *params,
                               spf_settings *settings);

void spf_settings_free(spf_settings *settings);

/* As sporf_train_amounts, with parameters that are in range. */
sporf_status spf_settings_amounts(const sporf_dataset *data, const sporf_params *params,
                                  sporf_amounts *amounts);

#endif
