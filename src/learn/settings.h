/* The settings of a training: data and parameters become one set in which nothing is `auto`. It is
 * made once and then only read: by training, memory estimates, the search for settings and the
 * model file. */
#ifndef SPF_LEARN_SETTINGS_H
#define SPF_LEARN_SETTINGS_H

#include "data/dataset.h"
#include "learn/rows/row_weights.h"
#include "learn/sampling/method.h"

/* The value of an amount that is auto. */
#define SPF_AUTO ((sporf_power){0, 0})

static inline int spf_is_auto(sporf_power power) {
    return power.factor == 0;
}

typedef struct spf_settings {
    const sporf_dataset *data;
    /* As a model records them: nothing is auto except bag and weights, whose values are in `bag`
     * and `sampling`. */
    sporf_params params;
    sporf_bag bag;
    const spf_method *method;      /* NULL for the user's own sampler */
    spf_sampler_settings sampling; /* of the method */
    sporf_sampler sampler;
    const spf_row_weights *weights;
    spf_row_weights made; /* the row weights, unless they belong to other settings */
} spf_settings;

/* Checks data and parameters, which are in range, and replaces every auto. `own` is the user's
 * sampler, or NULL. The settings have pointers into themselves and cannot be copied. */
sporf_status spf_settings_create(const sporf_dataset *data, const sporf_params *params,
                                 const sporf_sampler *own, spf_settings *settings);

/* The same data and method with other trees, amounts and leaves. Shares the row weights of `from`,
 * which must live as long. */
sporf_status spf_settings_vary(const spf_settings *from, const sporf_params *params,
                               spf_settings *settings);

void spf_settings_free(spf_settings *settings);

/* As sporf_train_amounts, with parameters that are in range. */
sporf_status spf_settings_amounts(const sporf_dataset *data, const sporf_params *params,
                                  sporf_amounts *amounts);

#endif
