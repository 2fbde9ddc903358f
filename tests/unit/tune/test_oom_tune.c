/* Memory runs out at every single allocation of selecting, folding, searching and cross-validating,
 * one after the other: the call says so, and nothing leaks (which the address sanitizer sees). */
#include "sporf.h"

#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"
#include "support/tmpfile.h"

typedef struct {
    const sporf_dataset *data;
    const sporf_folds *folds;
    const char *path;
    sporf_params params;
    sporf_search_way way;
    int nested;
} subject;

typedef sporf_status (*deed)(const subject *s);

/* Under the thread sanitizer, which looks for races and not for leaks, one in five has to do. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

static void run_out(deed act, const subject *s, long step) {
    size_t failures = 0;
    for (long k = 1;; k += step) {
        failing_alloc_after(k);
        sporf_status status = act(s);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit) {
            assert_int_equal(status, SPORF_OK);
            break;
        }
        if (status == SPORF_OK) continue;
        failures++;
        if (status != SPORF_ERROR_MEMORY || !strstr(sporf_last_error(), "memory"))
            fail_msg("allocation %ld: %d \"%s\"", k, (int)status, sporf_last_error());
    }
    assert_true(failures > 0);
}

static void run_out_everywhere(deed act, const subject *s) {
    run_out(act, s, STEP);
}

static sporf_status select_rows(const subject *s) {
    const uint32_t rows[] = {5, 1, 9};
    sporf_dataset *part = NULL;
    sporf_status status = sporf_dataset_select(s->data, rows, 3, &part);
    if (status != SPORF_OK && part) return SPORF_ERROR_MODEL; /* must be left alone */
    sporf_dataset_free(part);
    return status;
}

static sporf_status train_again(const subject *s) {
    const size_t pair[] = {2, 0};
    const sporf_feature_group groups[] = {{pair, 2}, {pair + 1, 1}};
    double found[2], errors[2];
    sporf_retrain_options options;
    sporf_retrain_options_init(&options);
    options.threads = 1;
    sporf_forest *forest = NULL;
    sporf_status status = sporf_forest_train(s->data, &s->params, NULL, &forest);
    if (status == SPORF_OK)
        status =
            sporf_corrected_importances(forest, s->data, &options, NULL, groups, 2, found, NULL);
    if (status == SPORF_OK)
        status = sporf_drop_column(forest, s->data, &options, NULL, groups, 2, found, errors);
    sporf_forest_free(forest);
    return status;
}

static sporf_status draw_and_split(const subject *s) {
    sporf_folds *folds = NULL;
    sporf_dataset *train = NULL, *test = NULL;
    sporf_status status = sporf_folds_draw(s->data, 3, 1, &folds);
    if (status != SPORF_OK) return folds ? SPORF_ERROR_MODEL : status;
    status = sporf_folds_split(folds, s->data, 1, &train, &test);
    sporf_dataset_free(train);
    sporf_dataset_free(test);
    sporf_folds_free(folds);
    return status;
}

static sporf_status write_and_read(const subject *s) {
    sporf_folds *folds = NULL;
    sporf_status status = sporf_folds_write(s->folds, s->path);
    if (status == SPORF_OK) status = sporf_folds_read(s->path, sporf_dataset_rows(s->data), &folds);
    sporf_folds_free(folds);
    return status;
}

static sporf_status estimate(const subject *s) {
    uint64_t bytes;
    return sporf_search_memory(s->data, &s->params, NULL, &bytes);
}

static sporf_status search(const subject *s) {
    const sporf_amount projections[] = {{1, 0}, {1, 1}};
    sporf_search_options options;
    sporf_search *result = NULL;
    sporf_search_options_init(&options);
    options.way = s->way;
    options.projections = projections;
    options.projections_count = 2;
    options.densities = projections;
    options.densities_count = 1;
    options.folds_count = 2;
    sporf_status status = sporf_search_run(s->data, &s->params, &options, &result);
    if (status != SPORF_OK && result) return SPORF_ERROR_MODEL;
    sporf_search_free(result);
    return status;
}

static sporf_status validate(const subject *s) {
    sporf_crossval_options options;
    sporf_search_options inner;
    const sporf_amount projections[] = {{1, 0}, {1, 1}};
    sporf_crossval *result = NULL;
    sporf_crossval_options_init(&options);
    sporf_search_options_init(&inner);
    inner.projections = projections;
    inner.projections_count = 2;
    if (s->nested) options.search = &inner;
    sporf_status status = sporf_crossval_run(s->data, s->folds, &s->params, &options, &result);
    if (status != SPORF_OK && result) return SPORF_ERROR_MODEL;
    sporf_crossval_free(result);
    return status;
}

static void selecting_and_folding_survive_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *tables[] = {random_data(DATA_MIXED, 30, 4, 3, 1),
                               with_targets(DATA_MIXED, 30, 4, 2, 1)};
    tmp_file file = tmp_file_name("oom.folds");
    for (size_t i = 0; i < 2; i++) {
        sporf_folds *folds = NULL;
        assert_ok(sporf_folds_draw(tables[i], 4, 1, &folds));
        subject s = {.data = tables[i], .folds = folds, .path = file.path};
        run_out_everywhere(select_rows, &s);
        run_out_everywhere(draw_and_split, &s);
        run_out_everywhere(write_and_read, &s);
        sporf_folds_free(folds);
        sporf_dataset_free(tables[i]);
    }
    tmp_file_remove(&file);
}

static void searching_survives_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *tables[] = {random_data(DATA_SMOOTH, 30, 3, 3, 1),
                               with_targets(DATA_SMOOTH, 30, 3, 1, 1)};
    static const char *const bags[] = {"bootstrap", "none"};
    for (size_t t = 0; t < 2; t++) {
        for (size_t b = 0; b < 2; b++)
            for (sporf_search_way way = SPORF_SEARCH_RACE; way <= SPORF_SEARCH_ALL; way++) {
                subject s = {.data = tables[t],
                             .way = way,
                             .params = params_with("method", "rf", "bag", bags[b], "trees", "3",
                                                   "threads", "1", (char *)NULL)};
                run_out_everywhere(search, &s);
                run_out_everywhere(estimate, &s);
            }
        sporf_dataset_free(tables[t]);
    }
}

/* Rounds of a race have many trees, and so this takes one allocation in many. */
static void racing_survives_failed_allocations(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 20, 3, 2, 1);
    for (int bagged = 0; bagged <= 1; bagged++) {
        subject s = {.data = data,
                     .way = SPORF_SEARCH_RACE,
                     .params = params_with("method", "rf", "bag", bagged ? "bootstrap" : "none",
                                           "trees", "64", "threads", "1", (char *)NULL)};
        run_out(search, &s, bagged ? 41 : 97);
    }
    sporf_dataset_free(data);
}

static void validating_survives_every_failed_allocation(void **state) {
    (void)state;
    sporf_dataset *tables[] = {random_data(DATA_SMOOTH, 30, 3, 3, 1),
                               with_targets(DATA_SMOOTH, 30, 3, 2, 1)};
    for (size_t t = 0; t < 2; t++) {
        sporf_folds *folds = NULL;
        assert_ok(sporf_folds_draw(tables[t], 2, 1, &folds));
        for (int nested = 0; nested <= 1; nested++) {
            subject s = {
                .data = tables[t],
                .folds = folds,
                .nested = nested,
                .params = params_with("method", "rf", "trees", "2", "threads", "1", (char *)NULL)};
            if (t == 0) s.params.class_weights = "balanced";
            run_out_everywhere(validate, &s);
        }
        sporf_folds_free(folds);
        sporf_dataset_free(tables[t]);
    }
}

static void training_again_survives_failed_allocations(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 30, 4, 3, 1);
    for (int bagged = 0; bagged <= 1; bagged++) {
        subject s = {.data = data,
                     .params = params_with("method", "rf", "bag", bagged ? "bootstrap" : "none",
                                           "trees", "2", "threads", "1", (char *)NULL)};
        run_out(train_again, &s, bagged ? 1 : 7);
    }
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selecting_and_folding_survive_every_failed_allocation),
        cmocka_unit_test(searching_survives_every_failed_allocation),
        cmocka_unit_test(racing_survives_failed_allocations),
        cmocka_unit_test(validating_survives_every_failed_allocation),
        cmocka_unit_test(training_again_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
