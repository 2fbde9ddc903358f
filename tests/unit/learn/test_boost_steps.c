/* Steps of boosting without L2: they stay finite where hessians vanish. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

#include <math.h>

enum { ROWS = 400 };

/* Every row is told apart without a doubt, but for a few wrong labels. */
static sporf_dataset *separated(uint32_t classes) {
    static float values[ROWS]; /* borrowed by the dataset */
    int64_t labels[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = (int64_t)(i * classes / ROWS);
        if (i % 97 == 5) labels[i] = (labels[i] + 1) % classes;
        values[i] = (float)i;
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 1, 1, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    return data;
}

static void vanishing_hessians_leave_finite_scores(void **state) {
    (void)state;
    static const char *const rates[] = {"0.3", "1"};
    static const char *const leaves[] = {"1", "20"};
    for (uint32_t classes = 2; classes <= 5; classes++)
        for (size_t k = 0; k < 4; k++) {
            sporf_dataset *data = separated(classes);
            double values[ROWS * 5];
            sporf_forest *forest =
                train_with(data, "learner", "boosting", "method", "rf", "l2", "0", "rate",
                           rates[k / 2], "min-leaf", leaves[k % 2], "rounds", "300", "valid", "0",
                           "max-depth", "2", (char *)NULL);
            assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.scores = values)));
            size_t outputs = classes == 2 ? 1 : classes;
            for (size_t i = 0; i < ROWS * outputs; i++) assert_true(isfinite(values[i]));
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vanishing_hessians_leave_finite_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
