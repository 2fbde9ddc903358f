/* The settings of a training: data and parameters become one set in which nothing is `auto`. It is
 * made once and then only read: by training, memory estimates, pilot forests, out-of-bag measures
 * and the model file. */
#ifndef SPF_LEARN_SETTINGS_SETTINGS_H
#define SPF_LEARN_SETTINGS_SETTINGS_H

#include "data/dataset.h"
#include "learn/growing/outcome_kind.h"
#include "learn/sampling/method.h"

/* The value of an amount that is auto. */
#define SPF_AUTO ((sporf_amount){0, 0})

static inline int spf_is_auto(sporf_amount amount) {
    return amount.factor == 0;
}

typedef struct spf_settings {
    const sporf_dataset *data;
    const spf_outcome_kind *outcome; /* what trees predict */
    spf_row_classes classes;         /* no labels if the outcome has none */
    spf_leaf_size leaf;
    sporf_params params;           /* nothing is auto */
    sporf_bag given_bag;           /* as it was given, perhaps auto: see spf_settings_recorded */
    sporf_weights given_weights;   /* the same */
    const spf_method *method;      /* NULL for the user's own sampler */
    spf_sampler_settings sampling; /* of the method */
    sporf_sampler sampler;
    int until_enough; /* training ends when more trees would not help; params.trees is the most */
    int64_t deadline; /* of spf_system_clock, at which training ends; 0: none */
    const struct spf_device *device; /* that may grow the trees: learn/device.h; NULL: threads */
    const spf_row_weights *weights;
    spf_row_weights made; /* the row weights, unless they belong to other settings */
} spf_settings;

/* Checks data and parameters, which are in range, and replaces every auto. `own` is the user's
 * sampler, or NULL. The settings have pointers into themselves and cannot be copied. */
sporf_status spf_settings_create(const sporf_dataset *data, const sporf_params *params,
                                 const sporf_sampler *own, spf_settings *settings);

/* The same data and method with other trees, amounts, leaves and bags. Shares the row weights of
 * `from`, which must live as long. */
sporf_status spf_settings_vary(const spf_settings *from, const sporf_params *params,
                               spf_settings *settings);

void spf_settings_free(spf_settings *settings);

/* The params as a model records them. Bag and weights are recorded as they were given, so that auto
 * stays auto, unless another bag was chosen: files of all versions have it so, and the method says
 * what it means. */
sporf_params spf_settings_recorded(const spf_settings *settings);

/* Whether the factors of varying numeric features differ so much that features are in different
 * units. Sorts the factors. */
int spf_scale_is_mixed(const sporf_dataset *data, float *factors);

/* Whether leaves keep the values of their rows. */
int spf_settings_samples(const spf_settings *settings);

/* Whether out-of-bag rows calibrate quantiles, which needs samples, or votes. */
int spf_settings_calibrate(const spf_settings *settings);

/* Whether there are rows that a tree does not see, among those of every class. */
int spf_settings_leave_rows_out(const spf_settings *settings);

#endif
