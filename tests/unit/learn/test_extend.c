/* Growing a forest further: what is refused, what hooks see, what the settings of a forest are.
 * That the forest is the right one is tests/property/test_grown_further.c. */
#include "data/dataset.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/tmpfile.h"
#include "support/watch.h"

enum { ROWS = 150, FEATURES = 5 };

static sporf_params params_of(const sporf_forest *forest, uint32_t trees) {
    sporf_params params;
    sporf_params_init(&params);
    assert_ok(sporf_forest_params(forest, &params));
    params.trees = trees;
    return params;
}

static sporf_status extend(const sporf_forest *forest, const sporf_dataset *data,
                           const sporf_params *params) {
    sporf_forest *extended = NULL;
    sporf_status status = sporf_forest_extend(forest, data, params, NULL, &extended);
    assert_int_equal(status == SPORF_OK, extended != NULL);
    sporf_forest_free(extended);
    return status;
}

/* ---- settings -------------------------------------------------------------------------------- */

static void a_forest_gives_its_settings_back(void **state) {
    (void)state;
    static const char *const options[][2] = {
        {"method", "frc"},
        {"trees", "3"},
        {"projections", "2p^0.5"},
        {"density", "2/p"},
        {"weights", "normal"},
        {"criterion", "entropy"},
        {"max-depth", "4"},
        {"min-split", "6"},
        {"min-leaf", "2"},
        {"bag", "subsample"},
        {"bag-fraction", "0.7"},
        {"class-weights", "0=1.5,2=3"},
        {"honest", "0.3"},
        {"scale", "iqr"},
        {"seed", "18446744073709551615"},
        {"split", "exact"},
        {"min-leaf-weight", "0.05"},
    };
    enum { COUNT = sizeof options / sizeof *options };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 3, 1);
    sporf_params given, params;
    sporf_params_init(&given);
    for (size_t i = 0; i < COUNT; i++)
        assert_ok(sporf_params_set(&given, options[i][0], options[i][1]));
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, &given, NULL, &forest));
    sporf_params_init(&params);
    params.threads = 3;
    params.max_memory = 77;
    assert_ok(sporf_forest_params(forest, &params));
    for (size_t i = 0; sporf_option_at(i); i++) {
        char wanted[64], got[64];
        const char *name = sporf_option_at(i)->name;
        if (strcmp(name, "threads") == 0 || strcmp(name, "max-memory") == 0) continue;
        assert_ok(sporf_params_get(&given, name, wanted, sizeof wanted));
        assert_ok(sporf_params_get(&params, name, got, sizeof got));
        assert_string_equal(got, wanted);
    }
    assert_int_equal(params.threads, 3);
    assert_int_equal(params.max_memory, 77);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A program built with an older header has no place for all of them. */
static void an_older_struct_gets_what_it_has_room_for(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *plain = train_with(data, "trees", "3", "min-leaf", "2", (char *)NULL);
    sporf_forest *honest = train_with(data, "trees", "3", "honest", "0.5", (char *)NULL);
    sporf_params params;
    memset(&params, 0x55, sizeof params);
    sporf_params_init_sized(&params, offsetof(sporf_params, honest));
    assert_ok(sporf_forest_params(plain, &params));
    assert_int_equal(params.struct_size, offsetof(sporf_params, honest));
    assert_int_equal(params.min_leaf, 2);
    assert_int_equal(((unsigned char *)&params.honest)[0], 0x55);
    params.trees = 4;
    assert_ok(extend(plain, data, &params));
    assert_ok(sporf_forest_params(honest, &params));
    params.trees = 4;
    assert_refused(extend(honest, data, &params), SPORF_ERROR_ARGUMENT,
                   "honest is 0, but the forest was grown with 0.5");
    sporf_forest_free(plain);
    sporf_forest_free(honest);
    sporf_dataset_free(data);
}

static void other_settings_are_refused_with_both_values(void **state) {
    (void)state;
    static const char *const options[][3] = {
        {"method", "rf", "method is rf, but"},
        {"seed", "2", "seed is 2, but the forest was grown with 1: trees can only"},
        {"density", "2/p", "density is 2/p, but"},
        {"min-leaf", "3", "min-leaf is 3, but"},
        {"min-leaf-weight", "0.25",
         "min-leaf-weight is 0.25, but the forest was grown "
         "with 0:"},
        {"bag", "none", "bag is none, but"},
        {"class-weights", "balanced", "grown with none"},
        {"honest", "0.5", "honest is 0.5, but"}};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        sporf_params params = params_of(forest, 6);
        assert_ok(sporf_params_set(&params, options[i][0], options[i][1]));
        assert_refused(extend(forest, data, &params), SPORF_ERROR_ARGUMENT, options[i][2]);
    }
    sporf_params fewer = params_of(forest, 2);
    assert_refused(extend(forest, data, &fewer), SPORF_ERROR_ARGUMENT,
                   "trees is 2, but the forest already has 3");
    assert_refused(extend(forest, data, NULL), SPORF_ERROR_ARGUMENT, "parameters");
    assert_refused(sporf_forest_params(forest, NULL), SPORF_ERROR_ARGUMENT, "params");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- data ------------------------------------------------------------------------------------ */

#define NAMES(...) ((const char *const[]){__VA_ARGS__})

/* Rows of three features, the last of which has levels. */
static sporf_dataset *table(const char *const *names, const char *const *levels, sporf_kind kind,
                            const char *const *classes) {
    static float values[ROWS * 3];
    const char *labels[ROWS];
    sporf_dataset *data = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < 2; j++) values[j * ROWS + i] = (float)((i + j) * 37 % 101);
        values[2 * ROWS + i] = (float)(i % 3);
        labels[i] = classes[(i % 3 == 2) ^ (i * 37 % 101 > 50)];
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 3, 1, ROWS};
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    if (names) assert_ok(sporf_dataset_set_feature_names(data, names, 3));
    if (levels) assert_ok(sporf_dataset_set_levels(data, 2, kind, levels, 3));
    assert_ok(sporf_dataset_set_labels_text(data, labels, ROWS));
    return data;
}

static void refuse(const sporf_forest *forest, sporf_dataset *data, const char *words) {
    sporf_params params = params_of(forest, 6);
    assert_refused(extend(forest, data, &params), SPORF_ERROR_DATA, words);
    sporf_dataset_free(data);
}

static void data_of_another_shape_are_refused_by_what_differs(void **state) {
    (void)state;
    const char *const *names = NAMES("a", "b", "c"), *const *levels = NAMES("x", "y", "z");
    const char *const *classes = NAMES("no", "yes");
    sporf_kind category = SPORF_KIND_CATEGORY;
    sporf_dataset *data = table(names, levels, category, classes);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_params params = params_of(forest, 6);
    assert_ok(extend(forest, data, &params));
    float wanted[ROWS] = {0};
    set_targets(data, wanted, 1);
    refuse(forest, data, "the forest predicts classes, but the data have targets");
    refuse(forest, random_data(DATA_SMOOTH, ROWS, 5, 2, 1), "5 features, but the forest has 3");
    refuse(forest, table(NULL, levels, category, classes),
           "feature 1 is none in the data, but 'a' in the forest");
    refuse(forest, table(NAMES("a", "d", "c"), levels, category, classes),
           "feature 2 is 'd' in the data, but 'b' in the forest");
    refuse(forest, table(names, NULL, category, classes),
           "feature 3 ('c') has numbers in the data, but categories in the forest");
    refuse(forest, table(names, levels, SPORF_KIND_ORDINAL, classes),
           "feature 3 ('c') has levels with an order in the data");
    refuse(forest, table(names, NAMES("x", "z", "y"), category, classes),
           "level 2 of feature 3 ('c') is 'z' in the data, but 'y' in the forest");
    refuse(forest, table(names, levels, category, NAMES("no", "si")),
           "class 2 is 'si' in the data, but 'yes' in the forest");
    sporf_forest_free(forest);
}

static void targets_are_told_by_their_names(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_params params = params_of(forest, 6);
    float *values = need(2 * ROWS, sizeof *values);
    for (size_t t = 0; t < 2; t++)
        memcpy(values + t * ROWS, sporf_dataset_target(data, t), ROWS * sizeof *values);
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 2, 1, ROWS};
    assert_ok(sporf_dataset_set_targets(data, &matrix, NAMES("y1", "y2")));
    assert_ok(extend(forest, data, &params));
    assert_ok(sporf_dataset_set_targets(data, &matrix, NAMES("y1", "z")));
    assert_refused(extend(forest, data, &params), SPORF_ERROR_DATA,
                   "target 2 is 'z' in the data, but 'y2' in the forest");
    set_targets(data, values, 1);
    assert_refused(extend(forest, data, &params), SPORF_ERROR_DATA, "target 1 is 'y' in the data");
    assert_ok(sporf_dataset_set_targets(data, NULL, NULL));
    assert_refused(extend(forest, data, &params), SPORF_ERROR_DATA, "the forest predicts numbers");
    free(values);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* The same columns and other rows would give out-of-bag results of rows that were in the bag. */
static void other_rows_are_refused(void **state) {
    (void)state;
    for (size_t targets = 0; targets < 2; targets++)
        for (size_t n = 0; n < 2; n++) {
            size_t rows = n ? ROWS : ROWS + 1; /* other ones, and one more */
            sporf_dataset *data = targets ? with_targets(DATA_SMOOTH, ROWS, FEATURES, 1, 1)
                                          : random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
            sporf_dataset *others = targets ? with_targets(DATA_SMOOTH, rows, FEATURES, 1, 1 + n)
                                            : random_data(DATA_SMOOTH, rows, FEATURES, 2, 1 + n);
            sporf_forest *forest = train_with(data, "trees", "5", (char *)NULL);
            sporf_params params = params_of(forest, 6);
            assert_refused(extend(forest, others, &params), SPORF_ERROR_DATA,
                           "the data are not those that the forest was trained on");
            sporf_forest_free(forest);
            sporf_dataset_free(data);
            sporf_dataset_free(others);
        }
}

/* ---- samplers -------------------------------------------------------------------------------- */

static sporf_status draw_first(void *payload, void *state, const sporf_view *view,
                               sporf_random *random, sporf_projections *candidates) {
    (void)payload, (void)state;
    const uint32_t feature = sporf_random_below(random, (uint32_t)view->features);
    const float one = 1;
    return sporf_projections_add(candidates, 1, &feature, &one);
}

static sporf_forest *grow_by(const sporf_sampler *sampler, const sporf_forest *forest,
                             const sporf_dataset *data, uint32_t trees, sporf_status *status) {
    sporf_params params = params_with("threads", "2", (char *)NULL);
    sporf_hooks hooks;
    sporf_forest *grown = NULL;
    sporf_hooks_init(&hooks);
    hooks.sampler = sampler;
    params.trees = trees;
    *status = forest ? sporf_forest_extend(forest, data, &params, &hooks, &grown)
                     : sporf_forest_train(data, &params, &hooks, &grown);
    return grown;
}

static void a_sampler_of_ones_own_is_told_by_its_name(void **state) {
    (void)state;
    const sporf_sampler mine = {.name = "mine", .draw = draw_first},
                        other = {.name = "other", .draw = draw_first};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_status status;
    sporf_forest *forest = grow_by(&mine, NULL, data, 4, &status);
    sporf_forest *whole = grow_by(&mine, NULL, data, 9, &status);
    sporf_forest *library = train_with(data, "trees", "3", (char *)NULL);
    sporf_forest *extended = grow_by(&mine, forest, data, 9, &status);
    assert_ok(status);
    assert_same_bytes(extended, whole);
    assert_null(grow_by(&other, forest, data, 9, &status));
    assert_refused(status, SPORF_ERROR_ARGUMENT, "'mine' of a program");
    assert_non_null(strstr(sporf_last_error(), "given is 'other'"));
    assert_null(grow_by(NULL, forest, data, 9, &status));
    assert_refused(status, SPORF_ERROR_ARGUMENT, "given is none");
    assert_null(grow_by(&mine, library, data, 9, &status));
    assert_refused(status, SPORF_ERROR_ARGUMENT, "not by the sampler 'mine'");
    sporf_forest_free(forest);
    sporf_forest_free(whole);
    sporf_forest_free(library);
    sporf_forest_free(extended);
    sporf_dataset_free(data);
}

/* ---- hooks ----------------------------------------------------------------------------------- */

static void an_interrupted_forest_holds_at_least_the_given_trees(void **state) {
    (void)state;
    enum { GIVEN = 7, ALL = 20 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "7", (char *)NULL);
    size_t none = 0, some = 0;
    for (size_t patience = 0; patience < 2000; patience = patience * 5 / 3 + 1)
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            watch w = watch_for(patience);
            sporf_params params = params_of(forest, ALL);
            sporf_hooks hooks = watch_hooks(&w);
            sporf_forest *extended = NULL, *whole = NULL;
            params.threads = threads;
            assert_ok(sporf_forest_extend(forest, data, &params, &hooks, &extended));
            assert_int_equal(w.faults, 0);
            assert_int_equal(w.done, w.calls);
            assert_int_equal(sporf_forest_trees(extended), GIVEN + w.done);
            if (w.done > 0) assert_int_equal(w.total, ALL - GIVEN);
            params.trees = (uint32_t)sporf_forest_trees(extended);
            assert_ok(sporf_forest_train(data, &params, NULL, &whole));
            assert_same_bytes(extended, whole);
            none += w.done == 0;
            some += w.done > 0 && w.done < ALL - GIVEN;
            sporf_forest_free(extended);
            sporf_forest_free(whole);
        }
    assert_true(none > 0 && some > 0);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Trees of a mapped file are not trusted. */
static void a_damaged_file_that_was_opened_is_not_grown(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "5", (char *)NULL), *opened = NULL;
    image i = image_of(forest);
    unsigned char *bytes = i.bytes;
    bytes[i.size - i.size / 3] ^= 0x10; /* among the trees, which take most of it */
    tmp_file file = tmp_file_of("damaged.sporf", i.bytes, i.size);
    assert_ok(sporf_forest_map(file.path, &opened));
    sporf_params params = params_of(opened, 6);
    assert_refused(extend(opened, data, &params), SPORF_ERROR_MODEL, "the model");
    tmp_file_remove(&file);
    sporf_free(i.bytes);
    sporf_forest_free(opened);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forest_gives_its_settings_back),
        cmocka_unit_test(an_older_struct_gets_what_it_has_room_for),
        cmocka_unit_test(other_settings_are_refused_with_both_values),
        cmocka_unit_test(data_of_another_shape_are_refused_by_what_differs),
        cmocka_unit_test(targets_are_told_by_their_names),
        cmocka_unit_test(other_rows_are_refused),
        cmocka_unit_test(a_sampler_of_ones_own_is_told_by_its_name),
        cmocka_unit_test(an_interrupted_forest_holds_at_least_the_given_trees),
        cmocka_unit_test(a_damaged_file_that_was_opened_is_not_grown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
