/* Losses: what boosting minimises. A loss gives, for the scores of a row, its value and the first
 * and second derivatives by each score. */
#ifndef SPF_LEARN_BOOSTING_LOSS_H
#define SPF_LEARN_BOOSTING_LOSS_H

#include "data/dataset.h"
#include "model/boosting.h"

/* Results for the rows of a sporf_scored. */
typedef struct spf_derived {
    double *gradients, *hessians; /* [rows x outputs] */
    double *losses;               /* [rows] */
} spf_derived;

typedef struct spf_boost_loss {
    const char *name;
    spf_link link;
    size_t outputs;
    /* Leaves are not set by derivatives but to this quantile of what is left of the targets; NaN:
     * they are. */
    double refit;
    sporf_status (*derive)(const struct spf_boost_loss *loss, const sporf_scored *scored,
                           const spf_derived *out);
    const sporf_user_loss *user; /* NULL for those of the library */
} spf_boost_loss;

/* Checks that the loss suits the data. */
sporf_status spf_boost_loss_create(const sporf_dataset *data, const sporf_params *params,
                                   const sporf_user_loss *user, spf_boost_loss *loss);

/* Whether the loss is defined for targets; `table` says of which table, after the row. */
sporf_status spf_boost_loss_check(const spf_boost_loss *loss, const float *target, size_t rows,
                                  const char *table);

/* The scores before the first tree: those of the best constant. weight[rows] may be NULL; rows of
 * weight 0 do not count. */
sporf_status spf_boost_loss_base(const spf_boost_loss *loss, const sporf_dataset *data,
                                 const float *weight, double *base);

/* The quantile `refit` of some values by weight. keys has room for 2 x count. */
double spf_boost_loss_refit(const spf_boost_loss *loss, const float *values, const float *weights,
                            size_t count, uint64_t *keys);

#endif
