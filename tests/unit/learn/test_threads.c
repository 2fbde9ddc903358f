/* Several threads at once on the same data and the same forest: for ThreadSanitizer to watch, and
 * for every thread to get the same results and the errors of its own.
 * Labels: threads */
#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

#include <pthread.h>

enum { THREADS = 4, ROWS = 150, CLASSES = 3 };

typedef struct {
    const sporf_dataset *data;
    const sporf_forest *forest;
    const char *method;
    int number;
    pthread_t thread;
    /* results */
    int failed;
    void *bytes;
    size_t size;
    uint32_t classes[ROWS];
    sporf_evaluation scores;
    char error[128];
} worker;

static void *use_library(void *argument) {
    worker *w = argument;
    sporf_params params;
    sporf_forest *own = NULL;
    plain_params(&params);
    w->failed |= sporf_params_set(&params, "method", w->method) != SPORF_OK;
    w->failed |= sporf_params_set(&params, "trees", "6") != SPORF_OK;
    w->failed |= sporf_params_set(&params, "criterion", "entropy") != SPORF_OK;
    w->failed |= sporf_params_set(&params, "scale", "iqr") != SPORF_OK;
    params.threads = 1 + (uint32_t)w->number % 3;
    w->failed |= sporf_forest_train(w->data, &params, NULL, &own) != SPORF_OK;
    w->failed |= sporf_forest_save_bytes(own, &w->bytes, &w->size) != SPORF_OK;
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.threads = params.threads;
    w->failed |= sporf_forest_predict(w->forest, w->data, &options,
                                      WANTED(.classes = w->classes)) != SPORF_OK;
    w->failed |= sporf_forest_evaluate(w->forest, w->data, &options,
                                       SCORED(&w->scores, .confusion = NULL)) != SPORF_OK;
    char wrong[16];
    snprintf(wrong, sizeof wrong, "wrong-%d", w->number);
    w->failed |= sporf_params_set(&params, wrong, "1") != SPORF_ERROR_ARGUMENT;
    sporf_forest_free(own);
    snprintf(w->error, sizeof w->error, "%s", sporf_last_error());
    return NULL;
}

static void threads_share_data_and_forest_and_keep_their_errors(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf", "patch"};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, CLASSES, 1);
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    for (size_t m = 0; m < 6; m++) {
        worker *team = need(THREADS, sizeof *team);
        for (int i = 0; i < THREADS; i++) {
            team[i] = (worker){.data = data, .forest = forest, .method = methods[m], .number = i};
            assert_int_equal(pthread_create(&team[i].thread, NULL, use_library, &team[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) pthread_join(team[i].thread, NULL);
        for (int i = 0; i < THREADS; i++) {
            char name[32];
            snprintf(name, sizeof name, "'wrong-%d'", i);
            assert_int_equal(team[i].failed, 0);
            assert_non_null(strstr(team[i].error, name));
            assert_int_equal(team[i].size, team[0].size);
            assert_memory_equal(team[i].bytes, team[0].bytes, team[0].size);
            assert_memory_equal(team[i].classes, team[0].classes, sizeof team[0].classes);
            assert_true(team[i].scores.log_loss == team[0].scores.log_loss);
        }
        for (int i = 0; i < THREADS; i++) sporf_free(team[i].bytes);
        free(team);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Eight threads predict from one forest, in every way there is, and look at it meanwhile. */
enum { READERS = 8 };

typedef struct {
    const sporf_dataset *data;
    const sporf_forest *forest;
    pthread_t thread;
    int failed;
    uint32_t row_classes[ROWS], leaves[ROWS * 10], nearest[ROWS * 3];
    double proximities[ROWS * 3];
} reader;

static void *read_forest(void *argument) {
    reader *r = argument;
    float row[5];
    double scratch[CLASSES];
    sporf_node node;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < 5; j++) row[j] = sporf_dataset_feature(r->data, j)[i];
        r->row_classes[i] =
            sporf_forest_predict_row(r->forest, row, SPORF_COMBINE_POSTERIORS, scratch);
    }
    r->failed |=
        sporf_forest_predict(r->forest, r->data, NULL, WANTED(.leaves = r->leaves)) != SPORF_OK;
    r->failed |= sporf_forest_nearest(r->forest, r->data, r->data, NULL, 3, r->nearest,
                                      r->proximities) != SPORF_OK;
    for (size_t t = 0; t < 10; t++)
        r->failed |= sporf_forest_node(r->forest, t, 0, &node) != SPORF_OK;
    return NULL;
}

static void eight_threads_predict_from_one_forest(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 5, CLASSES, 2);
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    reader *team = need(READERS, sizeof *team);
    for (int i = 0; i < READERS; i++) {
        team[i].data = data;
        team[i].forest = forest;
        assert_int_equal(pthread_create(&team[i].thread, NULL, read_forest, &team[i]), 0);
    }
    for (int i = 0; i < READERS; i++) pthread_join(team[i].thread, NULL);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(team[i].failed, 0);
        assert_memory_equal(team[i].row_classes, team[0].row_classes, sizeof team[0].row_classes);
        assert_memory_equal(team[i].leaves, team[0].leaves, sizeof team[0].leaves);
        assert_memory_equal(team[i].nearest, team[0].nearest, sizeof team[0].nearest);
    }
    free(team);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A failure in one thread leaves another thread's text alone. */
static void *fail_quietly(void *argument) {
    sporf_params params;
    plain_params(&params);
    *(int *)argument = sporf_params_set(&params, "elsewhere", "1") == SPORF_ERROR_ARGUMENT &&
                       strstr(sporf_last_error(), "elsewhere") != NULL;
    return NULL;
}

static void an_error_is_the_threads_own(void **state) {
    (void)state;
    sporf_params params;
    pthread_t thread;
    int right = 0;
    plain_params(&params);
    assert_refused(sporf_params_set(&params, "here", "1"), SPORF_ERROR_ARGUMENT, "here");
    assert_int_equal(pthread_create(&thread, NULL, fail_quietly, &right), 0);
    pthread_join(thread, NULL);
    assert_true(right);
    assert_non_null(strstr(sporf_last_error(), "'here'"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share_data_and_forest_and_keep_their_errors),
        cmocka_unit_test(eight_threads_predict_from_one_forest),
        cmocka_unit_test(an_error_is_the_threads_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
