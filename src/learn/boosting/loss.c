/* The losses of the library, and how a user's is called. */
#include "learn/boosting/loss.h"

#include "base/portable_math.h"
#include "base/sort.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* Larger scores count as this one, so that no exponential overflows, not even as a float and times
 * the weight of a row. */
#define SCORE_MOST 80.0

static double exponential(double score) {
    return spf_exp(fmin(score, SCORE_MOST));
}

/* ---- regression ------------------------------------------------------------------------------ */

/* A loss of one target and its score. */
typedef void (*one_loss)(const spf_boost_loss *loss, double score, double target, double *gradient,
                         double *hessian, double *value);

static void squared(const spf_boost_loss *loss, double score, double target, double *gradient,
                    double *hessian, double *value) {
    (void)loss;
    *gradient = score - target;
    *hessian = 1;
    *value = *gradient * *gradient / 2;
}

/* The pinball loss; that of the absolute error is twice its value for the median. */
static void pinball(const spf_boost_loss *loss, double score, double target, double *gradient,
                    double *hessian, double *value) {
    double above = score - target, q = loss->refit;
    *gradient = above > 0 ? 1 - q : above < 0 ? -q : 0;
    *hessian = 1;
    *value = *gradient * above;
}

static void absolute(const spf_boost_loss *loss, double score, double target, double *gradient,
                     double *hessian, double *value) {
    pinball(loss, score, target, gradient, hessian, value);
    *gradient *= 2;
    *value *= 2;
}

static void poisson(const spf_boost_loss *loss, double score, double target, double *gradient,
                    double *hessian, double *value) {
    (void)loss;
    double mean = exponential(score);
    *gradient = mean - target;
    *hessian = mean;
    *value = mean - target * score;
}

/* A row's loss is the sum over its targets. */
static inline sporf_status each_target(const spf_boost_loss *loss, const sporf_scored *scored,
                                       const spf_derived *out, one_loss one) {
    for (size_t i = 0; i < scored->rows; i++) {
        out->losses[i] = 0;
        for (size_t k = 0; k < scored->outputs; k++) {
            size_t at = i * scored->outputs + k;
            double value;
            one(loss, scored->scores[at], scored->target[k][i], &out->gradients[at],
                &out->hessians[at], &value);
            out->losses[i] += value;
        }
    }
    return SPORF_OK;
}

static sporf_status derive_squared(const spf_boost_loss *loss, const sporf_scored *scored,
                                   const spf_derived *out) {
    return each_target(loss, scored, out, squared);
}

static sporf_status derive_pinball(const spf_boost_loss *loss, const sporf_scored *scored,
                                   const spf_derived *out) {
    return each_target(loss, scored, out, pinball);
}

static sporf_status derive_absolute(const spf_boost_loss *loss, const sporf_scored *scored,
                                    const spf_derived *out) {
    return each_target(loss, scored, out, absolute);
}

static sporf_status derive_poisson(const spf_boost_loss *loss, const sporf_scored *scored,
                                   const spf_derived *out) {
    return each_target(loss, scored, out, poisson);
}

/* ---- classification -------------------------------------------------------------------------- */

/* Two classes: the score is the log odds of the second. Loops are short, so that they are compiled
 * for vectors. */
static sporf_status derive_log_odds(const spf_boost_loss *loss, const sporf_scored *scored,
                                    const spf_derived *out) {
    (void)loss;
    double *small = out->hessians; /* the odds of the class that is less likely */
    for (size_t i = 0; i < scored->rows; i++)
        small[i] = spf_exp_within(-fmin(fabs(scored->scores[i]), SPF_EXP_MOST));
    for (size_t i = 0; i < scored->rows; i++) out->losses[i] = spf_log_normal(1 + small[i]);
    for (size_t i = 0; i < scored->rows; i++) {
        double score = scored->scores[i], truth = scored->labels[i] == 1;
        double likely = 1 / (1 + small[i]), less = small[i] * likely;
        out->losses[i] += (score > 0) == (truth == 1) ? 0 : fabs(score);
        out->gradients[i] = (score > 0 ? likely : less) - truth;
        out->hessians[i] = likely * less;
    }
    return SPORF_OK;
}

/* Scores that rise together change nothing, so that k classes have k - 1 degrees of freedom:
 * Friedman's (2001) factor for the hessian. */
static sporf_status derive_softmax(const spf_boost_loss *loss, const sporf_scored *scored,
                                   const spf_derived *out) {
    size_t classes = loss->outputs;
    double factor = (double)classes / (double)(classes - 1);
    for (size_t i = 0; i < scored->rows; i++) {
        const double *score = scored->scores + i * classes;
        double *gradient = out->gradients + i * classes, *hessian = out->hessians + i * classes;
        double most = score[0], sum = 0;
        uint32_t truth = scored->labels[i];
        for (size_t k = 1; k < classes; k++) most = fmax(most, score[k]);
        for (size_t k = 0; k < classes; k++) sum += gradient[k] = spf_exp(score[k] - most);
        for (size_t k = 0; k < classes; k++) {
            double share = gradient[k] / sum;
            gradient[k] = share - (k == truth);
            hessian[k] = factor * share * (1 - share);
        }
        out->losses[i] = spf_log(sum) + most - score[truth];
    }
    return SPORF_OK;
}

/* ---- a user's -------------------------------------------------------------------------------- */

static sporf_status raise_derivative(const spf_boost_loss *loss, size_t row, const char *what,
                                     double value) {
    char shown[SPF_NAME_TEXT_MAX];
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the loss '%s' gave row %zu the %s %g" SPF_HINT
                     "gradients must be finite, hessians finite and not "
                     "negative, and losses must not be NaN",
                     spf_name_text(loss->name, shown), row + 1, what, value);
}

static sporf_status check_derivatives(const spf_boost_loss *loss, const sporf_scored *scored,
                                      const spf_derived *out) {
    for (size_t i = 0; i < scored->rows; i++) {
        if (isnan(out->losses[i])) return raise_derivative(loss, i, "loss", out->losses[i]);
        for (size_t at = i * scored->outputs; at < (i + 1) * scored->outputs; at++) {
            float gradient = (float)out->gradients[at], hessian = (float)out->hessians[at];
            if (!isfinite(gradient))
                return raise_derivative(loss, i, "gradient", out->gradients[at]);
            if (!(hessian >= 0) || !isfinite(hessian))
                return raise_derivative(loss, i, "hessian", out->hessians[at]);
        }
    }
    return SPORF_OK;
}

/* What a user's functions return may come without a message. */
static sporf_status derive_user(const spf_boost_loss *loss, const sporf_scored *scored,
                                const spf_derived *out) {
    const sporf_user_loss *user = loss->user;
    char shown[SPF_NAME_TEXT_MAX];
    unsigned raised = spf_raise_count();
    sporf_status status = user->derive(user->payload, scored, out->gradients, out->hessians);
    if (status == SPORF_OK) status = user->measure(user->payload, scored, out->losses);
    if (status == SPORF_OK) return check_derivatives(loss, scored, out);
    if (spf_raise_count() != raised) return status;
    return spf_raise(status, "the loss '%s' failed with status %d",
                     spf_name_text(loss->name, shown), (int)status);
}

/* ---- choice ---------------------------------------------------------------------------------- */

static sporf_status create_user(const sporf_dataset *data, const sporf_user_loss *user,
                                spf_boost_loss *loss) {
    if (!user->derive || !user->measure)
        return spf_raise(SPORF_ERROR_ARGUMENT, "the loss needs functions to derive and to measure");
    loss->name = user->name ? user->name : "custom";
    loss->user = user;
    loss->derive = derive_user;
    if (data->targets > 0) loss->link = SPF_LINK_NONE;
    return SPORF_OK;
}

static sporf_status check_classes(const sporf_dataset *data) {
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < data->rows; i++) {
        if (data->weights && data->weights[i] == 0) continue;
        if (first == UINT32_MAX) first = data->labels[i];
        if (data->labels[i] != first) return SPORF_OK;
    }
    return spf_raise(SPORF_ERROR_DATA, "all rows have the same class: there is nothing to learn");
}

static sporf_status create_log(const sporf_params *params, spf_boost_loss *loss) {
    if (params->loss != SPORF_LOSS_AUTO && params->loss != SPORF_LOSS_LOG)
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         "this " SPF_OPTION("loss") " is for regression, but the data have "
                                                    "classes" SPF_HINT
                                                    "use " SPF_OPTION_AS("loss", "log"));
    loss->name = "log";
    loss->derive = loss->outputs == 1 ? derive_log_odds : derive_softmax;
    return SPORF_OK;
}

sporf_status spf_boost_loss_check(const spf_boost_loss *loss, const float *target, size_t rows,
                                  const char *table) {
    for (size_t i = 0; loss->link == SPF_LINK_LOG && i < rows; i++)
        if (target[i] < 0)
            return spf_raise(SPORF_ERROR_DATA,
                             SPF_OPTION_AS("loss", "poisson") " needs targets that are not "
                                                              "negative, but row %zu%s has %g",
                             i + 1, table, (double)target[i]);
    return SPORF_OK;
}

/* Without a positive one there is no mean to take the logarithm of. */
static sporf_status check_counts(const spf_boost_loss *loss, const sporf_dataset *data) {
    for (size_t k = 0; k < data->targets; k++) {
        const float *target = spf_target_of(data, k);
        double sum = 0;
        SPF_TRY(spf_boost_loss_check(loss, target, data->rows, ""));
        for (size_t i = 0; i < data->rows; i++)
            sum += data->weights ? data->weights[i] * target[i] : target[i];
        if (sum == 0)
            return spf_raise(SPORF_ERROR_DATA,
                             SPF_OPTION_AS("loss", "poisson") " needs targets that are not all 0");
    }
    return SPORF_OK;
}

static sporf_status create_regression(const sporf_dataset *data, const sporf_params *params,
                                      spf_boost_loss *loss) {
    loss->link = SPF_LINK_NONE;
    switch (params->loss) {
    case SPORF_LOSS_AUTO:
    case SPORF_LOSS_SQUARED:
        loss->name = "squared";
        loss->derive = derive_squared;
        return SPORF_OK;
    case SPORF_LOSS_ABSOLUTE:
        loss->name = "absolute";
        loss->derive = derive_absolute;
        loss->refit = 0.5;
        return SPORF_OK;
    case SPORF_LOSS_QUANTILE:
        loss->name = "quantile";
        loss->derive = derive_pinball;
        loss->refit = params->quantile;
        return SPORF_OK;
    case SPORF_LOSS_POISSON:
        loss->name = "poisson";
        loss->derive = derive_poisson;
        loss->link = SPF_LINK_LOG;
        return check_counts(loss, data);
    default:
        return spf_raise(SPORF_ERROR_ARGUMENT,
                         SPF_OPTION_AS("loss", "log") " is for classification, but the data have "
                                                      "targets" SPF_HINT
                                                      "use " SPF_OPTION_AS("loss", "squared"));
    }
}

sporf_status spf_boost_loss_create(const sporf_dataset *data, const sporf_params *params,
                                   const sporf_user_loss *user, spf_boost_loss *loss) {
    size_t classes = data->schema.classes.count;
    *loss = (spf_boost_loss){.outputs = data->targets, .refit = NAN};
    if (data->targets == 0) {
        SPF_TRY(check_classes(data));
        loss->outputs = classes == 2 ? 1 : classes;
        loss->link = classes == 2 ? SPF_LINK_LOG_ODDS : SPF_LINK_SOFTMAX;
    }
    if (user) return create_user(data, user, loss);
    return data->targets > 0 ? create_regression(data, params, loss) : create_log(params, loss);
}

/* ---- the best constant ----------------------------------------------------------------------- */

static double weight_of(const float *weight, size_t row) {
    return weight ? weight[row] : 1;
}

/* A class that no row of positive weight has counts as half a row. */
static sporf_status base_of_classes(const spf_boost_loss *loss, const sporf_dataset *data,
                                    const float *weight, double *base) {
    size_t classes = data->schema.classes.count;
    double *sums = spf_alloc_zero(classes, sizeof *sums), total = 0;
    if (!sums) return spf_raise_memory();
    for (size_t i = 0; i < data->rows; i++) sums[data->labels[i]] += weight_of(weight, i);
    for (size_t k = 0; k < classes; k++) total += sums[k] = sums[k] > 0 ? sums[k] : 0.5;
    for (size_t k = 0; k < classes; k++) sums[k] = spf_log(sums[k] / total);
    for (size_t k = 0; k < loss->outputs; k++) base[k] = sums[k];
    if (loss->outputs == 1) base[0] = sums[1] - sums[0];
    free(sums);
    return SPORF_OK;
}

static double mean_of(const float *target, const float *weight, size_t rows) {
    double sum = 0, total = 0;
    for (size_t i = 0; i < rows; i++) {
        sum += weight_of(weight, i) * target[i];
        total += weight_of(weight, i);
    }
    return sum / total;
}

static sporf_status base_of_targets(const spf_boost_loss *loss, const sporf_dataset *data,
                                    const float *weight, double *base) {
    uint64_t *keys = isnan(loss->refit) ? NULL : spf_alloc(data->rows, 2 * sizeof *keys);
    if (!isnan(loss->refit) && !keys) return spf_raise_memory();
    for (size_t k = 0; k < loss->outputs; k++) {
        const float *target = spf_target_of(data, k);
        base[k] = keys ? spf_boost_loss_refit(loss, target, weight, data->rows, keys)
                       : mean_of(target, weight, data->rows);
        if (loss->link == SPF_LINK_LOG) base[k] = spf_log(base[k]);
    }
    free(keys);
    return SPORF_OK;
}

sporf_status spf_boost_loss_base(const spf_boost_loss *loss, const sporf_dataset *data,
                                 const float *weight, double *base) {
    if (loss->user) {
        for (size_t k = 0; k < loss->outputs; k++) {
            base[k] = loss->user->base ? loss->user->base[k] : 0;
            if (!isfinite(base[k]))
                return spf_raise(SPORF_ERROR_ARGUMENT, "base %zu of the loss is not finite: %g",
                                 k + 1, base[k]);
        }
        return SPORF_OK;
    }
    return (data->targets > 0 ? base_of_targets : base_of_classes)(loss, data, weight, base);
}

double spf_boost_loss_refit(const spf_boost_loss *loss, const float *values, const float *weights,
                            size_t count, uint64_t *keys) {
    double total = 0, sum = 0;
    for (size_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)spf_float_order(values[i]) << 32 | i;
        total += weight_of(weights, i);
    }
    spf_sort_keys(keys, keys + count, count);
    for (size_t i = 0; i < count; i++) {
        sum += weight_of(weights, (uint32_t)keys[i]);
        if (sum >= loss->refit * total && sum > 0)
            return spf_float_unorder((uint32_t)(keys[i] >> 32));
    }
    return count > 0 ? spf_float_unorder((uint32_t)(keys[count - 1] >> 32)) : 0;
}
