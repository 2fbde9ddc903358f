/* A user's loss: one that equals a loss of the library gives its trees, and one that fails or gives
 * no numbers ends the training with a message. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_data.h"

enum { ROWS = 300, FEATURES = 4 };

/* What goes wrong, and when. */
typedef struct {
    double gradient, hessian, loss; /* of row 3, unless 0 */
    sporf_status status;
    size_t calls, good; /* of derive; the first ones are good */
} payload;

static sporf_status finish_derive(payload *p, const sporf_scored *scored, double *gradients,
                                  double *hessians) {
    if (p->calls++ < p->good) return SPORF_OK;
    size_t at = scored->rows > 2 ? 2 * scored->outputs : 0;
    if (p->gradient != 0) gradients[at] = p->gradient;
    if (p->hessian != 0) hessians[at] = p->hessian;
    return p->status;
}

static sporf_status finish_measure(const payload *p, const sporf_scored *scored, double *losses) {
    if (p->loss != 0 && p->calls > p->good) losses[scored->rows > 2 ? 2 : 0] = p->loss;
    return SPORF_OK;
}

static sporf_status derive_squared(void *own, const sporf_scored *scored, double *gradients,
                                   double *hessians) {
    assert_null(scored->labels);
    for (size_t i = 0; i < scored->rows; i++)
        for (size_t k = 0; k < scored->outputs; k++) {
            gradients[i * scored->outputs + k] =
                scored->scores[i * scored->outputs + k] - scored->target[k][i];
            hessians[i * scored->outputs + k] = 1;
        }
    return finish_derive(own, scored, gradients, hessians);
}

static sporf_status measure_squared(void *own, const sporf_scored *scored, double *losses) {
    for (size_t i = 0; i < scored->rows; i++) {
        losses[i] = 0;
        for (size_t k = 0; k < scored->outputs; k++) {
            double off = scored->scores[i * scored->outputs + k] - scored->target[k][i];
            losses[i] += off * off / 2;
        }
    }
    return finish_measure(own, scored, losses);
}

static sporf_status derive_log(void *own, const sporf_scored *scored, double *gradients,
                               double *hessians) {
    assert_null(scored->target);
    for (size_t i = 0; i < scored->rows; i++) {
        double share = 1 / (1 + exp(-scored->scores[i]));
        gradients[i] = share - (scored->labels[i] == 1);
        hessians[i] = share * (1 - share);
    }
    return finish_derive(own, scored, gradients, hessians);
}

static sporf_status measure_log(void *own, const sporf_scored *scored, double *losses) {
    for (size_t i = 0; i < scored->rows; i++)
        losses[i] = log(1 + exp(scored->labels[i] == 1 ? -scored->scores[i] : scored->scores[i]));
    return finish_measure(own, scored, losses);
}

static sporf_params short_params(void) {
    return params_with("learner", "boosting", "rounds", "6", "max-depth", "3", "threads", "3",
                       "bags", "2", "valid", "0.2", "min-leaf", "4", (char *)NULL);
}

static sporf_status train(const sporf_dataset *data, const sporf_user_loss *loss,
                          sporf_forest **forest) {
    sporf_params params = short_params();
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.loss = loss;
    return sporf_forest_train(data, &params, &hooks, forest);
}

/* ---- losses that the library has, too -------------------------------------------------------- */

static void assert_same_model(const sporf_forest *own, const sporf_forest *built_in,
                              double tolerance) {
    sporf_boosting a, b;
    assert_int_equal(sporf_forest_boosting(own, &a) + sporf_forest_boosting(built_in, &b), 2);
    assert_string_equal(a.loss, "mine");
    assert_string_equal(a.link, b.link);
    assert_int_equal(a.rounds, b.rounds);
    assert_int_equal(a.tried, b.tried);
    for (size_t i = 0; i < a.tried; i++) {
        assert_near(a.train_losses[i], b.train_losses[i], tolerance);
        assert_near(a.valid_losses[i], b.valid_losses[i], tolerance);
    }
    for (size_t t = 0; t < sporf_forest_trees(own); t++)
        assert_true(same_tree(plain_tree(own, t), plain_tree(built_in, t)));
}

static void squared_errors_of_ones_own_give_the_trees_of_the_library(void **state) {
    (void)state;
    for (size_t targets = 1; targets <= 2; targets++) {
        sporf_dataset *data = with_targets(DATA_MIXED, ROWS, FEATURES, targets, 1);
        sporf_forest *own = NULL, *built_in = NULL;
        sporf_boosting known;
        payload p = {.good = 1000};
        assert_ok(train(data, NULL, &built_in));
        assert_int_equal(sporf_forest_boosting(built_in, &known), 1);
        sporf_user_loss loss = {"mine", &p, known.base, derive_squared, measure_squared};
        assert_ok(train(data, &loss, &own));
        assert_same_model(own, built_in, 0);
        sporf_forest_free(own);
        sporf_forest_free(built_in);
        sporf_dataset_free(data);
    }
}

/* Exponentials of the C library may differ in the last bit: no later tree is compared. */
static void a_log_loss_of_ones_own_gives_the_first_trees_of_the_library(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, ROWS, FEATURES, 2, 1);
    sporf_forest *own = NULL, *built_in = NULL;
    sporf_boosting a, b;
    payload p = {.good = 1000};
    assert_ok(train(data, NULL, &built_in));
    assert_int_equal(sporf_forest_boosting(built_in, &b), 1);
    sporf_user_loss loss = {"mine", &p, b.base, derive_log, measure_log};
    assert_ok(train(data, &loss, &own));
    assert_int_equal(sporf_forest_boosting(own, &a), 1);
    assert_string_equal(a.link, "logit");
    assert_near(a.train_losses[5], b.train_losses[5], 1e-6);
    assert_near(a.valid_losses[5], b.valid_losses[5], 1e-6);
    for (size_t t = 0; t < 2; t++)
        assert_true(same_splits(plain_tree(own, t), plain_tree(built_in, t)));
    sporf_forest_free(own);
    sporf_forest_free(built_in);
    sporf_dataset_free(data);
}

static void without_a_base_scores_begin_at_zero(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 1);
    sporf_forest *forest = NULL;
    sporf_boosting known;
    payload p = {.good = 1000};
    sporf_user_loss loss = {NULL, &p, NULL, derive_squared, measure_squared};
    assert_ok(train(data, &loss, &forest));
    assert_int_equal(sporf_forest_boosting(forest, &known), 1);
    assert_true(known.base[0] == 0);
    assert_string_equal(known.loss, "custom");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void only_the_same_loss_adds_rounds(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 1);
    sporf_forest *forest = NULL, *more = NULL;
    payload p = {.good = 1000};
    sporf_user_loss loss = {"mine", &p, NULL, derive_squared, measure_squared};
    assert_ok(train(data, &loss, &forest));
    sporf_params params = short_params();
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    params.rounds = 8;
    assert_refused(sporf_forest_extend(forest, data, &params, &hooks, &more), SPORF_ERROR_ARGUMENT,
                   "mine");
    hooks.loss = &loss;
    assert_ok(sporf_forest_extend(forest, data, &params, &hooks, &more));
    loss.name = "other";
    sporf_forest *none = NULL;
    assert_refused(sporf_forest_extend(forest, data, &params, &hooks, &none), SPORF_ERROR_ARGUMENT,
                   "other");
    sporf_forest_free(more);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- what may go wrong ----------------------------------------------------------------------- */

static void refuse(payload p, sporf_status status, const char *words) {
    static const size_t good[] = {0, 1, 5};
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 1);
    for (size_t i = 0; i < 3; i++) {
        sporf_forest *forest = NULL;
        p.good = good[i];
        p.calls = 0;
        sporf_user_loss loss = {"mine", &p, NULL, derive_squared, measure_squared};
        assert_refused(train(data, &loss, &forest), status, words);
        assert_null(forest);
    }
    sporf_dataset_free(data);
}

static void results_that_are_no_numbers_are_refused(void **state) {
    (void)state;
    refuse((payload){.gradient = INFINITY}, SPORF_ERROR_ARGUMENT,
           "'mine' gave row 3 the gradient inf");
    refuse((payload){.gradient = NAN}, SPORF_ERROR_ARGUMENT, "row 3 the gradient");
    refuse((payload){.gradient = 1e300}, SPORF_ERROR_ARGUMENT, "row 3 the gradient 1e+300");
    refuse((payload){.hessian = -1}, SPORF_ERROR_ARGUMENT, "row 3 the hessian -1");
    refuse((payload){.hessian = INFINITY}, SPORF_ERROR_ARGUMENT, "row 3 the hessian inf");
    refuse((payload){.hessian = NAN}, SPORF_ERROR_ARGUMENT, "row 3 the hessian");
    refuse((payload){.loss = NAN}, SPORF_ERROR_ARGUMENT, "row 3 the loss");
}

/* Finite numbers whose products with weights, or leaves, are not. */
static void numbers_that_grow_too_large_are_refused(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 1);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = i == 2 ? 100 : 1;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    payload p = {.gradient = 3e38};
    double base = INFINITY;
    sporf_user_loss large = {"mine", &p, NULL, derive_squared, measure_squared};
    sporf_user_loss endless = {"mine", &p, &base, derive_squared, measure_squared};
    sporf_forest *forest = NULL;
    assert_refused(train(data, &large, &forest), SPORF_ERROR_DATA, "times the weight of its row");
    assert_refused(train(data, &endless, &forest), SPORF_ERROR_ARGUMENT, "base 1");
    sporf_dataset_free(data);
}

static void a_status_ends_the_training(void **state) {
    (void)state;
    refuse((payload){.status = SPORF_ERROR_DATA}, SPORF_ERROR_DATA,
           "the loss 'mine' failed with status 2");
    refuse((payload){.status = SPORF_ERROR_MEMORY}, SPORF_ERROR_MEMORY, "the loss 'mine' failed");
}

static void a_loss_needs_both_functions(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 1);
    sporf_forest *forest = NULL;
    payload p = {.good = 1000};
    sporf_user_loss half = {"mine", &p, NULL, derive_squared, NULL};
    sporf_user_loss other = {"mine", &p, NULL, NULL, measure_squared};
    assert_refused(train(data, &half, &forest), SPORF_ERROR_ARGUMENT, "derive and to measure");
    assert_refused(train(data, &other, &forest), SPORF_ERROR_ARGUMENT, "derive and to measure");
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squared_errors_of_ones_own_give_the_trees_of_the_library),
        cmocka_unit_test(a_log_loss_of_ones_own_gives_the_first_trees_of_the_library),
        cmocka_unit_test(without_a_base_scores_begin_at_zero),
        cmocka_unit_test(only_the_same_loss_adds_rounds),
        cmocka_unit_test(results_that_are_no_numbers_are_refused),
        cmocka_unit_test(numbers_that_grow_too_large_are_refused),
        cmocka_unit_test(a_status_ends_the_training),
        cmocka_unit_test(a_loss_needs_both_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
