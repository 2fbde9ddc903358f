/* The kernels that predict, run by the CPU (emulated_cuda.h): the same bits as the threads'
 * predictions. */
#include "api/predict_device.h"
#include "gpu/gpu.h"
#include "predict/predict.h"

#include "support/check.h"
#include "support/random_booster.h"
#include "support/random_data.h"

#include <math.h>

extern size_t emulated_memory; /* of the device that is left */

static unsigned notes;
static char last_note[400];

static void take_note(void *payload, const char *text) {
    (void)payload;
    notes++;
    snprintf(last_note, sizeof last_note, "%s", text);
}

/* ---- results --------------------------------------------------------------------------------- */

/* All that devices predict. */
typedef struct {
    uint32_t *classes, *votes;
    double *outputs, *scores;
} answers;

static answers make_answers(const sporf_forest *forest, size_t rows) {
    size_t scores = forest->boosting.outputs;
    int has_classes = !spf_is_regression(forest);
    return (answers){
        .classes = has_classes ? need(rows, sizeof(uint32_t)) : NULL,
        .votes = has_classes && scores == 0 ? need(rows * forest->classes, sizeof(uint32_t)) : NULL,
        .outputs = need(rows * spf_outputs(forest), sizeof(double)),
        .scores = scores > 0 ? need(rows * scores, sizeof(double)) : NULL};
}

static void free_answers(answers *a) {
    free(a->classes);
    free(a->votes);
    free(a->outputs);
    free(a->scores);
}

static void assert_same(const void *one, const void *other, size_t bytes) {
    if (one) assert_memory_equal(one, other, bytes);
}

static void assert_same_answers(const sporf_forest *forest, size_t rows, const answers *a,
                                const answers *b) {
    assert_same(a->classes, b->classes, rows * sizeof *a->classes);
    assert_same(a->votes, b->votes, rows * forest->classes * sizeof *a->votes);
    assert_same(a->outputs, b->outputs, rows * spf_outputs(forest) * sizeof *a->outputs);
    assert_same(a->scores, b->scores, rows * forest->boosting.outputs * sizeof *a->scores);
}

/* ---- the law --------------------------------------------------------------------------------- */

/* With or without each kind of result. */
static spf_predictions wanted_of(const answers *a, const sporf_forest *forest, int classes,
                                 int more) {
    return (spf_predictions){.classes = classes ? a->classes : NULL,
                             .decision = &forest->decision,
                             .votes = more ? a->votes : NULL,
                             .outputs = classes && !more ? NULL : a->outputs,
                             .scores = more ? a->scores : NULL};
}

static void compare(const sporf_forest *forest, const spf_values *values, spf_combining how) {
    const char *why;
    for (int classes = 0; classes < 2; classes++)
        for (int more = 0; more < 2; more++) {
            answers one = make_answers(forest, values->rows);
            answers other = make_answers(forest, values->rows);
            spf_predictions by_threads = wanted_of(&one, forest, classes, more);
            spf_predictions by_device = wanted_of(&other, forest, classes, more);
            assert_ok(spf_predict(forest, values, how, 1, &by_threads));
            assert_ok(spf_predict_on(spf_gpu_predictor(&why), forest, values, how, 2, &by_device));
            assert_same_answers(forest, values->rows, &one, &other);
            free_answers(&one);
            free_answers(&other);
        }
}

/* All ways to combine trees. */
static void compare_all(const sporf_forest *forest, const sporf_dataset *data, size_t rows) {
    const spf_values values = {data->columns, rows, data->has_missing};
    for (int combine = 0; combine < 2; combine++)
        for (int calibration = 0; calibration < 2; calibration++)
            compare(forest, &values,
                    spf_combining_of(forest, (sporf_combine)combine, (sporf_calibrate)calibration));
}

/* Frees both. */
static void expect_same(sporf_forest *forest, sporf_dataset *data) {
    size_t memory = emulated_memory;
    compare_all(forest, data, sporf_dataset_rows(data));
    compare_all(forest, data, 1);
    assert_int_equal(emulated_memory, memory); /* all was given back */
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

#define TRAIN(data, ...) train_with(data, "trees", "21", "threads", "1", __VA_ARGS__ NULL)

static void expect_kind(data_kind kind, size_t rows, size_t features, size_t classes) {
    sporf_dataset *data = random_data(kind, rows, features, classes, rows);
    expect_same(TRAIN(data, "min-leaf", "3", ), data);
}

static void rows_of_classes_are_predicted_alike(void **state) {
    (void)state;
    expect_kind(DATA_SMOOTH, 3000, 6, 2);
    expect_kind(DATA_SMOOTH, 400, 6, 3);
    expect_kind(DATA_NOISE, 600, 4, 50);
    expect_kind(DATA_BYTES, 300, 9, 4);
    expect_kind(DATA_TIED, 9000, 4, 2);
}

static void pure_leaves_and_stumps_are_predicted_alike(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 300, 5, 3, 2);
    expect_same(TRAIN(data, "max-depth", "1", ), data);
    data = random_data(DATA_NOISE, 300, 5, 3, 2);
    expect_same(TRAIN(data, "min-leaf", "300", ), data);
    data = random_data(DATA_NOISE, 300, 5, 3, 2);
    expect_same(TRAIN(data, "calibration", "none", ), data);
}

/* Projections of some nodes, and long ones. */
static void many_terms_are_added_alike(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 400, 30, 3, 3);
    expect_same(TRAIN(data, "density", "0.15", "weights", "uniform", ), data);
    data = random_data(DATA_SMOOTH, 400, 30, 2, 4);
    expect_same(TRAIN(data, "density", "0.6", "weights", "normal", ), data);
    data = random_data(DATA_SMOOTH, 300, 12, 3, 5);
    expect_same(TRAIN(data, "method", "rr-rf", ), data);
}

static void missing_values_and_categories_are_predicted_alike(void **state) {
    (void)state;
    expect_kind(DATA_MIXED, 500, 6, 2);
    expect_kind(DATA_MIXED, 500, 9, 5);
    for (int dense = 0; dense < 2; dense++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, 500, 12, 3, 6);
        for (size_t i = 0; i < 500; i++)
            for (size_t j = 0; j < 12; j++)
                if ((7 * i + 11 * j) % 9 < j % 3) ((float *)data->columns[j])[i] = NAN;
        data->has_missing = 1;
        expect_same(TRAIN(data, "density", dense ? "0.9" : "0.2", ), data);
    }
}

static void decisions_by_cost_and_recall_are_alike(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 400, 5, 2, 7);
    const spf_strings *names = &data->schema.classes;
    char text[100];
    snprintf(text, sizeof text, "%s:%s=5", spf_strings_at(names, 0), spf_strings_at(names, 1));
    expect_same(TRAIN(data, "cost", text, ), data);
    data = random_data(DATA_SMOOTH, 400, 5, 2, 7);
    snprintf(text, sizeof text, "%s=0.9", spf_strings_at(&data->schema.classes, 1));
    expect_same(TRAIN(data, "recall", text, ), data);
}

static void targets_are_predicted_alike(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 600, 5, 1, 8);
    expect_same(TRAIN(data, "min-leaf", "2", ), data);
    data = with_targets(DATA_MIXED, 600, 6, 3, 9);
    expect_same(TRAIN(data, "min-leaf", "2", ), data);
}

static void boosted_models_predict_alike(void **state) {
    (void)state;
    for (size_t i = 0; i < booster_shapes_count; i++) {
        sporf_forest *forest = random_booster(i, &booster_shapes[i]);
        sporf_dataset *data = random_data(DATA_SMOOTH, 100, forest->features, 2, i);
        expect_same(forest, data);
    }
}

/* ---- little memory, and what is told --------------------------------------------------------- */

static sporf_predict_options options_of(sporf_device device) {
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.device = device;
    options.threads = 1;
    options.note = take_note;
    notes = 0;
    return options;
}

/* Whether the device took part shows in the memory that it needed, not in the votes. */
static void expect_votes(const sporf_forest *forest, const sporf_dataset *data,
                         const sporf_predict_options *options) {
    const spf_values values = {data->columns, data->rows, data->has_missing};
    answers one = make_answers(forest, data->rows), other = make_answers(forest, data->rows);
    const sporf_predict_options cpu = options_of(SPORF_DEVICE_CPU);
    assert_ok(spf_predict_as_asked(forest, &values, &cpu, &(spf_predictions){.votes = one.votes}));
    assert_ok(
        spf_predict_as_asked(forest, &values, options, &(spf_predictions){.votes = other.votes}));
    assert_memory_equal(one.votes, other.votes, data->rows * forest->classes * sizeof *one.votes);
    free_answers(&one);
    free_answers(&other);
}

static void little_memory_takes_batches_or_the_threads(void **state) {
    (void)state;
    size_t all = emulated_memory;
    sporf_dataset *data = random_data(DATA_SMOOTH, 3000, 5, 2, 10);
    sporf_forest *forest = TRAIN(data, "max-depth", "4", );
    const sporf_predict_options gpu = options_of(SPORF_DEVICE_GPU);
    emulated_memory = 100000;
    expect_votes(forest, data, &gpu);
    compare_all(forest, data, 3000);
    assert_int_equal(notes, 0);
    assert_int_equal(emulated_memory, 100000);
    emulated_memory = 5000;
    expect_votes(forest, data, &gpu);
    assert_int_equal(notes, 1);
    assert_non_null(strstr(last_note, "not enough memory for this model; the CPU predicts"));
    assert_int_equal(emulated_memory, 5000);
    emulated_memory = all;
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void what_devices_lack_is_told(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, 5, 3, 11);
    sporf_forest *forest = TRAIN(data, );
    const spf_values values = {data->columns, data->rows, data->has_missing};
    uint32_t *leaves = need(300 * 21, sizeof *leaves);
    sporf_predict_options gpu = options_of(SPORF_DEVICE_GPU);
    assert_ok(spf_predict_as_asked(forest, &values, &gpu, &(spf_predictions){.leaves = leaves}));
    assert_int_equal(notes, 1);
    assert_string_equal(last_note,
                        "the GPU does not support results of single trees; the CPU predicts");
    gpu.device = SPORF_DEVICE_AUTO;
    assert_ok(spf_predict_as_asked(forest, &values, &gpu, &(spf_predictions){.leaves = leaves}));
    assert_int_equal(notes, 1);
    free(leaves);
    forest->trusted = 0;
    assert_string_equal(spf_predictor_lack(forest, &(spf_predictions){0}),
                        "mapped models that were not checked");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void only_much_work_pays(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, 5, 3, 12);
    sporf_forest *forest = TRAIN(data, );
    assert_false(spf_predictor_pays(forest, 1, 1));
    assert_false(spf_predictor_pays(forest, 100000, 1));
    assert_true(spf_predictor_pays(forest, 100000000, 1));
    assert_true(spf_predictor_pays(forest, 1000000000, 16));
    assert_false(spf_predictor_pays(forest, 10000000, 64));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_classes_are_predicted_alike),
        cmocka_unit_test(pure_leaves_and_stumps_are_predicted_alike),
        cmocka_unit_test(many_terms_are_added_alike),
        cmocka_unit_test(missing_values_and_categories_are_predicted_alike),
        cmocka_unit_test(decisions_by_cost_and_recall_are_alike),
        cmocka_unit_test(targets_are_predicted_alike),
        cmocka_unit_test(boosted_models_predict_alike),
        cmocka_unit_test(little_memory_takes_batches_or_the_threads),
        cmocka_unit_test(what_devices_lack_is_told),
        cmocka_unit_test(only_much_work_pays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
