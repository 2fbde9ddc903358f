/* Losses of the library: derivatives are those of the values, and base scores minimise the mean
 * loss of constants. */
#include "learn/boosting/loss.h"

#include "base/rng.h"
#include "support/check.h"
#include "support/random_data.h"

enum { ROWS = 60, MOST = 5 };

static const struct {
    sporf_loss loss;
    double quantile;
    size_t classes, targets; /* one of them is 0 */
} aims[] = {
    {SPORF_LOSS_SQUARED, 0.5, 0, 1},   {SPORF_LOSS_SQUARED, 0.5, 0, 3},
    {SPORF_LOSS_ABSOLUTE, 0.3, 0, 2},  {SPORF_LOSS_QUANTILE, 0.5, 0, 1},
    {SPORF_LOSS_QUANTILE, 0.15, 0, 2}, {SPORF_LOSS_QUANTILE, 0.9, 0, 1},
    {SPORF_LOSS_POISSON, 0.5, 0, 1},   {SPORF_LOSS_POISSON, 0.5, 0, 2},
    {SPORF_LOSS_LOG, 0.5, 2, 0},       {SPORF_LOSS_LOG, 0.5, 3, 0},
    {SPORF_LOSS_LOG, 0.5, 5, 0},
};
enum { AIMS = sizeof aims / sizeof *aims };

/* Targets are not negative. */
static sporf_dataset *data_of(size_t aim) {
    sporf_dataset *data = random_data(DATA_NOISE, ROWS, 2, aims[aim].classes + 2, 7);
    float target[ROWS * MOST];
    int64_t labels[ROWS];
    for (size_t i = 0; i < ROWS * MOST; i++) target[i] = (float)(i * 31 % 17) * 0.25f;
    for (size_t i = 0; i < ROWS; i++)
        labels[i] = (int64_t)(i * i % 7 % (aims[aim].classes > 0 ? aims[aim].classes : 2));
    if (aims[aim].targets > 0)
        set_targets(data, target, aims[aim].targets);
    else
        assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    return data;
}

static spf_boost_loss loss_of(size_t aim, const sporf_dataset *data) {
    sporf_params params;
    spf_boost_loss loss;
    sporf_params_init(&params);
    params.loss = aims[aim].loss;
    params.quantile = aims[aim].quantile;
    assert_ok(spf_boost_loss_create(data, &params, NULL, &loss));
    return loss;
}

typedef struct {
    double gradients[ROWS * MOST], hessians[ROWS * MOST], losses[ROWS];
} results;

static void derive(const spf_boost_loss *loss, const sporf_dataset *data, const double *scores,
                   results *out) {
    const float *target[MOST] = {0};
    for (size_t k = 0; k < data->targets; k++) target[k] = spf_target_of(data, k);
    sporf_scored scored = {.rows = data->rows,
                           .outputs = loss->outputs,
                           .targets = data->targets,
                           .scores = scores,
                           .labels = data->targets > 0 ? NULL : data->labels,
                           .target = data->targets > 0 ? target : NULL};
    spf_derived derived = {out->gradients, out->hessians, out->losses};
    assert_ok(loss->derive(loss, &scored, &derived));
}

static void fill_scores(double *scores, size_t count, double spread) {
    sporf_random random = spf_random_start(5, 1, SPF_USE_SIMULATE);
    for (size_t i = 0; i < count; i++) scores[i] = spread * spf_random_normal(&random);
}

/* Pinball losses have corners, whose hessian is 1 by agreement. */
static int has_corners(size_t aim) {
    return aims[aim].loss == SPORF_LOSS_ABSOLUTE || aims[aim].loss == SPORF_LOSS_QUANTILE;
}

static void derivatives_are_those_of_the_values(void **state) {
    (void)state;
    const double step = 1e-4;
    for (size_t a = 0; a < AIMS; a++)
        for (double spread = 0.5; spread < 5; spread *= 3) {
            sporf_dataset *data = data_of(a);
            spf_boost_loss loss = loss_of(a, data);
            size_t outputs = loss.outputs;
            double scores[ROWS * MOST];
            results at, up, down;
            double freedom =
                outputs > 1 && aims[a].classes > 0 ? (double)(outputs - 1) / (double)outputs : 1;
            fill_scores(scores, ROWS * outputs, spread);
            derive(&loss, data, scores, &at);
            for (size_t k = 0; k < outputs; k++) {
                for (size_t i = 0; i < ROWS; i++) scores[i * outputs + k] += step;
                derive(&loss, data, scores, &up);
                for (size_t i = 0; i < ROWS; i++) scores[i * outputs + k] -= 2 * step;
                derive(&loss, data, scores, &down);
                for (size_t i = 0; i < ROWS; i++) scores[i * outputs + k] += step;
                for (size_t i = 0; i < ROWS; i++) {
                    size_t cell = i * outputs + k;
                    double g = at.gradients[cell], h = at.hessians[cell];
                    if (has_corners(a) && up.gradients[cell] != down.gradients[cell]) continue;
                    assert_near((up.losses[i] - down.losses[i]) / (2 * step), g,
                                1e-6 * (1 + fabs(g)));
                    if (has_corners(a))
                        assert_true(h == 1);
                    else
                        assert_near((up.gradients[cell] - down.gradients[cell]) / (2 * step),
                                    h * freedom, 1e-6 * (1 + h));
                }
            }
            sporf_dataset_free(data);
        }
}

static void far_scores_have_finite_derivatives(void **state) {
    (void)state;
    for (size_t a = 0; a < AIMS; a++) {
        sporf_dataset *data = data_of(a);
        spf_boost_loss loss = loss_of(a, data);
        double scores[ROWS * MOST];
        results at;
        for (size_t i = 0; i < ROWS * loss.outputs; i++)
            scores[i] = (i % 3 == 0 ? 1 : -1) * (i % 2 ? 5e3 : 30);
        derive(&loss, data, scores, &at);
        for (size_t i = 0; i < ROWS * loss.outputs; i++)
            assert_true(isfinite((float)at.gradients[i]) && at.hessians[i] >= 0 &&
                        isfinite((float)at.hessians[i]) && isfinite(at.losses[i / loss.outputs]));
        sporf_dataset_free(data);
    }
}

/* ---- base scores ----------------------------------------------------------------------------- */

static double mean_loss(const spf_boost_loss *loss, const sporf_dataset *data, const float *weight,
                        const double *base) {
    double scores[ROWS * MOST], sum = 0, total = 0;
    results at;
    for (size_t i = 0; i < ROWS * loss->outputs; i++) scores[i] = base[i % loss->outputs];
    derive(loss, data, scores, &at);
    for (size_t i = 0; i < ROWS; i++) {
        sum += (weight ? weight[i] : 1) * at.losses[i];
        total += weight ? weight[i] : 1;
    }
    return sum / total;
}

static void no_other_constant_is_better_than_the_base(void **state) {
    (void)state;
    for (size_t a = 0; a < AIMS; a++)
        for (int weighted = 0; weighted < 2; weighted++) {
            sporf_dataset *data = data_of(a);
            spf_boost_loss loss = loss_of(a, data);
            float weights[ROWS];
            double base[MOST];
            for (size_t i = 0; i < ROWS; i++) weights[i] = (float)(i * 5 % 4) * 0.7f;
            const float *weight = weighted ? weights : NULL;
            assert_ok(spf_boost_loss_base(&loss, data, weight, base));
            double least = mean_loss(&loss, data, weight, base);
            for (size_t k = 0; k < loss.outputs; k++)
                for (double step = -1; step <= 1; step += 0.03125) {
                    double old = base[k];
                    base[k] = old + step * step * step;
                    assert_true(mean_loss(&loss, data, weight, base) >= least - 1e-12);
                    base[k] = old;
                }
            sporf_dataset_free(data);
        }
}

static void the_refit_is_the_least_value_that_reaches_the_quantile(void **state) {
    (void)state;
    sporf_random random = spf_random_start(9, 1, SPF_USE_SIMULATE);
    for (size_t round = 0; round < 200; round++) {
        spf_boost_loss loss = {.refit = (double)(1 + round % 19) / 20};
        float values[40], weights[40];
        uint64_t keys[80];
        size_t count = 1 + round % 40;
        double total = 0;
        for (size_t i = 0; i < count; i++) {
            values[i] = (float)spf_random_below(&random, 9) - 4;
            weights[i] = (float)spf_random_below(&random, 4); /* whole: sums are exact */
            total += weights[i];
        }
        if (total == 0) total = weights[0] = 1;
        double got = spf_boost_loss_refit(&loss, values, weights, count, keys), best = INFINITY;
        for (size_t c = 0; c < count; c++) {
            double below = 0;
            for (size_t i = 0; i < count; i++)
                if (values[i] <= values[c]) below += weights[i];
            if (below >= loss.refit * total && values[c] < best && below > 0) best = values[c];
        }
        assert_true(got == best);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_values),
        cmocka_unit_test(far_scores_have_finite_derivatives),
        cmocka_unit_test(no_other_constant_is_better_than_the_base),
        cmocka_unit_test(the_refit_is_the_least_value_that_reaches_the_quantile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
