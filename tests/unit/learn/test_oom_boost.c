/* Memory runs out at every single allocation of boosting and of growing further, one after the
 * other: the call says so, and nothing leaks (which the address sanitizer sees).
 * Labels: threads */
#include "data/dataset.h"

#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"

typedef struct {
    const sporf_dataset *data;
    const sporf_forest *forest; /* NULL: trained from the beginning */
    sporf_params params;
    sporf_hooks hooks;
} subject;

/* Under the thread sanitizer, which looks for races and not for leaks, one in five has to do. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

static sporf_status train(const subject *s) {
    sporf_forest *forest = NULL;
    sporf_status status =
        s->forest ? sporf_forest_extend(s->forest, s->data, &s->params, &s->hooks, &forest)
                  : sporf_forest_train(s->data, &s->params, &s->hooks, &forest);
    if (status != SPORF_OK && forest) return SPORF_ERROR_MODEL; /* must be left alone */
    sporf_forest_free(forest);
    return status;
}

/* Makes allocation 1, 2, ... fail until a run has fewer than that. */
static void run_out_everywhere(const subject *s) {
    size_t failures = 0;
    for (long k = 1;; k += STEP) {
        failing_alloc_after(k);
        sporf_status status = train(s);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit) {
            assert_int_equal(status, SPORF_OK);
            break;
        }
        if (status == SPORF_OK) continue;
        failures++;
        assert_int_equal(status, SPORF_ERROR_MEMORY);
        if (!strstr(sporf_last_error(), "memory"))
            fail_msg("allocation %ld: \"%s\"", k, sporf_last_error());
    }
    assert_true(failures > 0);
}

static subject subject_of(const sporf_dataset *data, const char *method, uint32_t threads) {
    subject s = {.data = data,
                 .params = params_with("learner", "boosting", "method", method, "rounds", "2",
                                       "max-depth", "2", "bags", "2", "valid", "0.3", "min-leaf",
                                       "3", "scale", "sd", (char *)NULL)};
    s.params.threads = threads;
    sporf_hooks_init(&s.hooks);
    return s;
}

static void methods_survive_every_failed_allocation(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "patch"};
    for (size_t m = 0; m < 5; m++)
        for (uint32_t threads = 1; threads <= (m % 3 == 0 ? 2 : 1); threads++) {
            sporf_dataset *data = random_data(m == 3 ? DATA_SMOOTH : DATA_MIXED, 60, 4, 3, 1);
            subject s = subject_of(data, methods[m], threads);
            if (m % 2) s.params.subsample = 0.7;
            if (m % 2) s.params.max_leaves = 5;
            run_out_everywhere(&s);
            sporf_dataset_free(data);
        }
}

static void losses_survive_every_failed_allocation(void **state) {
    (void)state;
    for (int loss = SPORF_LOSS_SQUARED; loss <= SPORF_LOSS_POISSON; loss++) {
        sporf_dataset *data = with_targets(DATA_MIXED, 60, 4, 2, 1);
        float values[120];
        double weights[60];
        for (size_t i = 0; i < 120; i++) values[i] = fabsf(spf_target_of(data, i / 60)[i % 60]);
        for (size_t i = 0; i < 60; i++) weights[i] = (double)(i % 4);
        set_targets(data, values, 2);
        assert_ok(sporf_dataset_set_weights(data, weights, 60));
        subject s = subject_of(data, "sporf", 1 + (uint32_t)loss % 2);
        s.params.loss = (sporf_loss)loss;
        s.params.monotone = "1=+,3=-";
        run_out_everywhere(&s);
        sporf_dataset_free(data);
    }
}

static void growing_further_by_a_table_survives_every_failed_allocation(void **state) {
    (void)state;
    for (size_t targets = 0; targets < 2; targets++) {
        sporf_dataset *data = targets > 0 ? with_targets(DATA_MIXED, 60, 4, targets, 1)
                                          : random_data(DATA_MIXED, 60, 4, 3, 1);
        subject s = subject_of(data, "sporf", 2);
        sporf_forest *forest = NULL;
        s.hooks.valid = data;
        s.params.bags = 1;
        assert_ok(sporf_forest_train(data, &s.params, &s.hooks, &forest));
        s.forest = forest;
        s.params.rounds = 3;
        run_out_everywhere(&s);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_survive_every_failed_allocation),
        cmocka_unit_test(losses_survive_every_failed_allocation),
        cmocka_unit_test(growing_further_by_a_table_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
