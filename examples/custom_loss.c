/* A loss of one's own for boosting: the logarithm of the hyperbolic cosine of the error, which
 * counts small errors by their square and large ones by their size, so that outliers pull less.
 * Prints the mean absolute error on clean rows, of a model with the squared loss and of one with
 * this loss, both trained on rows of which every tenth has a wild target.
 *
 *     cc custom_loss.c $(pkg-config --cflags --libs sporf) -lm
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sporf.h"

enum { ROWS = 2000, FEATURES = 5 };

static void check(sporf_status status) {
    if (status == SPORF_OK) return;
    fprintf(stderr, "custom_loss: %s\n", sporf_last_error());
    exit(1);
}

/* ---- the loss -------------------------------------------------------------------------------- */

/* First and second derivatives by the score. Row weights are none of our business. */
static sporf_status derive(void *payload, const sporf_scored *scored, double *gradients,
                           double *hessians) {
    (void)payload;
    for (size_t i = 0; i < scored->rows; i++) {
        double slope = tanh(scored->scores[i] - scored->target[0][i]);
        gradients[i] = slope;
        hessians[i] = 1 - slope * slope;
    }
    return SPORF_OK;
}

/* What training stops by. */
static sporf_status measure(void *payload, const sporf_scored *scored, double *losses) {
    (void)payload;
    for (size_t i = 0; i < scored->rows; i++) {
        double error = fabs(scored->scores[i] - scored->target[0][i]);
        losses[i] = error + log1p(exp(-2 * error)) - log(2);
    }
    return SPORF_OK;
}

/* ---- the problem ----------------------------------------------------------------------------- */

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static sporf_dataset *make_rows(uint64_t seed, int wild) {
    static float values[ROWS][FEATURES];
    static double targets[ROWS];
    sporf_dataset *data = NULL;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < FEATURES; j++) values[i][j] = (float)uniform(&seed);
        targets[i] = 4 * (values[i][0] + values[i][1]) + sin(6 * values[i][2]);
        double jump = 200 * uniform(&seed);
        if (wild && i % 10 == 0) targets[i] += jump;
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, FEATURES, FEATURES, 1};
    sporf_matrix column = {targets, SPORF_FLOAT64, ROWS, 1, 1, 1};
    check(sporf_dataset_from_matrix(&matrix, &data));
    check(sporf_dataset_set_targets(data, &column, NULL));
    return data;
}

static double absolute_error(const sporf_dataset *train, const sporf_dataset *test,
                             const sporf_user_loss *loss) {
    sporf_params params;
    sporf_hooks hooks;
    sporf_evaluation scores;
    sporf_forest *model = NULL;
    sporf_params_init(&params);
    sporf_hooks_init(&hooks);
    sporf_evaluation_init(&scores);
    params.learner = SPORF_LEARNER_BOOSTING;
    hooks.loss = loss;
    check(sporf_forest_train(train, &params, &hooks, &model));
    check(sporf_forest_evaluate(model, test, NULL, &scores));
    sporf_forest_free(model);
    return scores.mae;
}

int main(void) {
    sporf_dataset *train = make_rows(1, 1), *test = make_rows(2, 0);
    const double start = 4; /* near the targets: far away, hessians are 0 */
    const sporf_user_loss loss = {
        .name = "log-cosh", .base = &start, .derive = derive, .measure = measure};
    printf("squared loss   %.3f\n", absolute_error(train, test, NULL));
    printf("log-cosh loss  %.3f\n", absolute_error(train, test, &loss));
    sporf_dataset_free(train);
    sporf_dataset_free(test);
    return 0;
}
