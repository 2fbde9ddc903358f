/* Boosting of counts: the loss falls in every round, also if a few counts are far above the mean.
 */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

enum { ROWS = 3000, FEATURES = 3 };

static sporf_forest *train(const sporf_dataset *data, const char *rate, const char *rounds) {
    return train_with(data, "learner", "boosting", "loss", "poisson", "rate", rate, "rounds",
                      rounds, "valid", "0", "max-depth", "3", "min-leaf", "3", "method", "rf",
                      (char *)NULL);
}

/* Counts of `high` where the first feature is large, otherwise 0. */
static sporf_dataset *rare(float high) {
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    float target[ROWS];
    for (size_t i = 0; i < ROWS; i++) target[i] = data->columns[0][i] > 2.8f ? high : 0;
    set_targets(data, target, 1);
    return data;
}

static void rare_large_counts_do_not_overshoot(void **state) {
    (void)state;
    static const char *const rates[] = {"0.05", "0.5", "1"};
    for (size_t r = 0; r < 3; r++)
        for (float high = 1; high < 1e9f; high *= 1000) {
            sporf_dataset *data = rare(high);
            sporf_forest *forest = train(data, rates[r], "30");
            sporf_boosting boosting;
            assert_int_equal(sporf_forest_boosting(forest, &boosting), 1);
            for (size_t i = 1; i < boosting.tried; i++)
                assert_true(boosting.train_losses[i] <= boosting.train_losses[i - 1]);
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
}

/* At the full rate, one step takes a leaf that is above the mean to its own mean. */
static void a_full_step_up_reaches_the_mean(void **state) {
    (void)state;
    sporf_dataset *data = rare(1000);
    double values[ROWS];
    sporf_forest *forest =
        train_with(data, "learner", "boosting", "loss", "poisson", "rate", "1", "rounds", "1",
                   "valid", "0", "max-depth", "1", "l2", "0", "method", "rf", (char *)NULL);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.values = values)));
    double predicted = 0, seen = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (values[i] < 10) continue;
        predicted += values[i];
        seen += spf_target_of(data, 0)[i];
    }
    assert_true(seen >= 1000);
    assert_near(predicted, seen, 1e-5 * seen);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_large_counts_do_not_overshoot),
        cmocka_unit_test(a_full_step_up_reaches_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
