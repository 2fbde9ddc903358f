/* The table of options: text in, text out, ranges, and structs of another size. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/wanted.h"

static void expect(const sporf_params *params, const char *name, const char *wanted) {
    char text[128];
    assert_ok(sporf_params_get(params, name, text, sizeof text));
    assert_string_equal(text, wanted);
}

static void set(sporf_params *params, const char *name, const char *value) {
    assert_ok(sporf_params_set(params, name, value));
}

/* A refused value must be named, with its option, and change nothing. */
static void expect_refused(const char *name, const char *value) {
    sporf_params params, before;
    char quoted[128];
    sporf_params_init(&params);
    before = params;
    snprintf(quoted, sizeof quoted, "'%s'", value);
    if (sporf_params_set(&params, name, value) != SPORF_ERROR_ARGUMENT)
        fail_msg("%s took the value '%s'", name, value);
    if (!strstr(sporf_last_error(), name) || !strstr(sporf_last_error(), quoted))
        fail_msg("%s = '%s' is refused with \"%s\"", name, value, sporf_last_error());
    assert_memory_equal(&params, &before, sizeof params);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void every_option_has_its_default_and_takes_it_back(void **state) {
    (void)state;
    sporf_params params, before;
    sporf_params_init(&params);
    before = params;
    for (size_t i = 0; sporf_option_at(i); i++) {
        const sporf_option *option = sporf_option_at(i);
        assert_true(option->name && option->type && option->choices && option->help);
        expect(&params, option->name, option->default_value);
        set(&params, option->name, option->default_value);
        assert_memory_equal(&params, &before, sizeof params);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(option->name, sporf_option_at(j)->name);
    }
    assert_non_null(sporf_option_at(18));
    assert_null(sporf_option_at(SIZE_MAX));
}

static void the_defaults_leave_much_to_the_library(void **state) {
    (void)state;
    sporf_params params;
    sporf_params_init(&params);
    assert_int_equal(params.struct_size, sizeof params);
    assert_int_equal(params.method, SPORF_METHOD_SPORF);
    assert_int_equal(params.trees, 500);
    assert_true(params.projections.factor == 0 && params.projections.exponent == 0);
    assert_true(params.density.factor == 0 && params.density.exponent == 0);
    assert_int_equal(params.criterion, SPORF_GINI);
    assert_int_equal(params.split, SPORF_SPLIT_AUTO);
    assert_int_equal(params.max_depth, 0);
    assert_int_equal(params.min_split, 0);
    assert_int_equal(params.min_leaf, 0);
    assert_int_equal(params.bag, SPORF_BAG_AUTO);
    assert_int_equal(params.scale, SPORF_SCALE_AUTO);
}

static void dashes_and_underscores_are_the_same_in_names(void **state) {
    (void)state;
    sporf_params params;
    sporf_params_init(&params);
    set(&params, "max_depth", "7");
    expect(&params, "max-depth", "7");
    expect(&params, "max_depth", "7");
    set(&params, "bag_fraction", "0.25");
    expect(&params, "bag-fraction", "0.25");
    assert_int_equal(params.max_depth, 7);
}

static void unknown_names_are_refused_by_name(void **state) {
    (void)state;
    static const char *const names[] = {"tree", "treess", "", "max depth", "Trees", "-", "_"};
    sporf_params params;
    char text[64];
    sporf_params_init(&params);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char quoted[64];
        snprintf(quoted, sizeof quoted, "'%s'", names[i]);
        assert_refused(sporf_params_set(&params, names[i], "1"), SPORF_ERROR_ARGUMENT, quoted);
        assert_refused(sporf_params_get(&params, names[i], text, sizeof text), SPORF_ERROR_ARGUMENT,
                       quoted);
    }
    assert_refused(sporf_params_set(&params, NULL, "1"), SPORF_ERROR_ARGUMENT, "no option");
    assert_refused(sporf_params_set(&params, "tress", "1"), SPORF_ERROR_ARGUMENT,
                   "there is no option 'tress'; did you mean trees?");
    assert_null(sporf_error_details()->option);
    params.method = (sporf_method)17;
    sporf_forest *forest = NULL;
    sporf_dataset *data = random_data(DATA_SMOOTH, 20, 2, 2, 1);
    assert_refused(sporf_forest_train(data, &params, NULL, &forest), SPORF_ERROR_ARGUMENT,
                   ", got '17'");
    sporf_dataset_free(data);
    assert_refused(sporf_params_set(&params, "trees", NULL), SPORF_ERROR_ARGUMENT, "trees");
    assert_refused(sporf_params_set(NULL, "trees", "1"), SPORF_ERROR_ARGUMENT, "NULL");
    assert_refused(sporf_params_get(NULL, "trees", text, sizeof text), SPORF_ERROR_ARGUMENT,
                   "NULL");
}

/* ---- kinds of values ------------------------------------------------------------------------- */

static void every_choice_is_taken_and_nothing_else(void **state) {
    (void)state;
    static const char *const bad[] = {"", "|", "none|sd", "x", "0", "auto ", "Gini"};
    for (size_t i = 0; sporf_option_at(i); i++) {
        const sporf_option *option = sporf_option_at(i);
        if (strcmp(option->type, "choice") != 0) continue;
        char choices[128], *rest = choices, *choice;
        snprintf(choices, sizeof choices, "%s", option->choices);
        while ((choice = strtok_r(rest, "|", &rest))) {
            sporf_params params;
            sporf_params_init(&params);
            set(&params, option->name, choice);
            expect(&params, option->name, choice);
            choice[strlen(choice) - 1] = '\0';
            expect_refused(option->name, choice);
        }
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) expect_refused(option->name, bad[b]);
    }
}

static void whole_numbers_end_at_their_bounds(void **state) {
    (void)state;
    static const struct {
        const char *name, *below, *least, *most, *above;
    } cases[] = {{"trees", "0", "1", "10000000", "10000001"},
                 {"image-width", "-1", "0", "1000000000", "1000000001"},
                 {"patch-min", "0", "1", "65535", "65536"},
                 {"patch-max", "0", "1", "65535", "65536"},
                 {"max-depth", "-1", "0", "1000000000", "1000000001"},
                 {"min-split", "1", "2", "1000000000", "1000000001"},
                 {"min-leaf", "0", "1", "1000000000", "1000000001"},
                 {"seed", "-1", "0", "18446744073709551615", "18446744073709551616"},
                 {"threads", "-1", "0", "4096", "4097"}};
    static const char *const bad[] = {
        "", " ", "+1", "1.5", "1e3", " 1", "1 ", "0x2", "two", "1,000", "99999999999999999999999"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sporf_params params;
        sporf_params_init(&params);
        set(&params, cases[i].name, cases[i].least);
        expect(&params, cases[i].name, cases[i].least);
        set(&params, cases[i].name, cases[i].most);
        expect(&params, cases[i].name, cases[i].most);
        expect_refused(cases[i].name, cases[i].below);
        expect_refused(cases[i].name, cases[i].above);
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) expect_refused(cases[i].name, bad[b]);
    }
}

static void amounts_are_read_in_every_form(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double factor, exponent;
        const char *written;
    } cases[] = {{"p", 1, 1, "p"},
                 {"sqrt", 1, .5, "p^0.5"},
                 {"p^0.25", 1, .25, "p^0.25"},
                 {"2p", 2, 1, "2p"},
                 {"0.5p", .5, 1, "0.5p"},
                 {"400", 400, 0, "400"},
                 {"3/p", 3, -1, "3/p"},
                 {"1/p", 1, -1, "1/p"},
                 {"0.1", .1, 0, "0.1"},
                 {"2p^1.5", 2, 1.5, "2p^1.5"},
                 {"p^1", 1, 1, "p"},
                 {"p^-1", 1, -1, "1/p"},
                 {"1e2", 100, 0, "100"},
                 {"7p^0", 7, 0, "7"},
                 {"p^-0.5", 1, -.5, "p^-0.5"},
                 {"0.30000000000000004", 0.1 + 0.2, 0, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sporf_params params;
        sporf_params_init(&params);
        set(&params, "projections", cases[i].text);
        assert_true(params.projections.factor == cases[i].factor);
        assert_true(params.projections.exponent == cases[i].exponent);
        expect(&params, "projections", cases[i].written);
        set(&params, "density", cases[i].written);
        assert_true(params.density.factor == cases[i].factor);
        assert_true(params.density.exponent == cases[i].exponent);
    }
}

static void amounts_that_are_none_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"",    "0",    "-1",   "q",     "pp",   "p^",    "p^p",
                                      "p2",  "/p",   "p/2",  "3/p^2", "^2",   "1e999", "nan",
                                      "inf", "-p",   "0p",   "p^5",   "p^-5", "3//p",  "sqrtp",
                                      "1 2", "p ^2", "0x10", "2*p",   "-3/p", "sqrt2"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        expect_refused("projections", bad[i]);
        expect_refused("density", bad[i]);
    }
}

static void fractions_lie_above_zero_and_up_to_one(void **state) {
    (void)state;
    static const char *const good[] = {"1", "0.5", "0.632", "1e-5"};
    static const char *const bad[] = {"0",    "-0.5", "1.0000001", "nan",   "inf",
                                      "half", "",     "0.5x",      "1e-400"};
    sporf_params params;
    sporf_params_init(&params);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        set(&params, "bag-fraction", good[i]);
        assert_true(params.bag_fraction == strtod(good[i], NULL));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refused("bag-fraction", bad[i]);
    expect(&params, "bag-fraction", "1e-05");
    set(&params, "bag-fraction", "auto");
    assert_true(params.bag_fraction == 0);
    expect(&params, "bag-fraction", "auto");
}

static void shares_lie_between_zero_and_one(void **state) {
    (void)state;
    static const char *const good[] = {"0", "0.5", "0.999", "1e-5"};
    static const char *const bad[] = {"1", "-0.1", "1.5", "nan", "inf", "half", "", "0.5x", "yes"};
    sporf_params params;
    sporf_params_init(&params);
    assert_true(params.honest == 0);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        set(&params, "honest", good[i]);
        assert_true(params.honest == strtod(good[i], NULL));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refused("honest", bad[i]);
}

static void a_child_may_be_asked_for_up_to_half_of_the_weight(void **state) {
    (void)state;
    static const char *const bad[] = {"0.5000001", "1", "-0.1", "nan", "inf", "half", "", "auto"};
    sporf_params params;
    sporf_params_init(&params);
    expect(&params, "min-leaf-weight", "0");
    set(&params, "min-leaf-weight", "0.5");
    assert_true(params.min_leaf_weight == 0.5);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refused("min-leaf-weight", bad[i]);
}

static void bytes_may_have_a_unit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"0", 0},
                {"1000", 1000},
                {"1K", 1024},
                {"1.5M", 3 << 19},
                {"2g", 2ull << 30},
                {"2k", 2048},
                {"18446744073709551615", UINT64_MAX}};
    static const char *const bad[] = {"",    "K",    "-1",    "-1K", "1T", "1KB",
                                      "1.5", "1 K ", "1e30G", "x",   "KK", "nanG"};
    sporf_params params;
    sporf_params_init(&params);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        set(&params, "max-memory", good[i].text);
        assert_true(params.max_memory == good[i].bytes);
    }
    expect(&params, "max-memory", "18446744073709551615");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refused("max-memory", bad[i]);
}

static void class_weights_are_balanced_or_a_list(void **state) {
    (void)state;
    static const char *const good[] = {"balanced", "a=1",   "a=1,b=2", "a=0", "a=1e3,b=.5",
                                       "a,b=1",    "a=b=2", "a b=1",   "a=+1"};
    static const char *const bad[] = {"",      "Balanced", "a",    "a=", "=1",    "a=-1",
                                      "a=nan", "a=inf",    "a=1,", ",",  "a=1,b", "a=1e999"};
    sporf_params params;
    sporf_params_init(&params);
    assert_null(params.class_weights);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        set(&params, "class-weights", good[i]);
        assert_ptr_equal(params.class_weights, good[i]);
        expect(&params, "class-weights", good[i]);
    }
    set(&params, "class_weights", "none");
    assert_null(params.class_weights);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refused("class-weights", bad[i]);
}

/* Longer than any other value. */
static void long_class_weights_reach_the_model(void **state) {
    (void)state;
    char list[600] = "0=2,1=3", text[600];
    sporf_dataset *data = random_data(DATA_SMOOTH, 400, 4, 100, 1);
    for (int k = 2; k < 100; k++) sprintf(list + strlen(list), ",%d=2", k);
    sporf_params params = params_with("trees", "2", "class-weights", list, (char *)NULL);
    sporf_forest *forest = NULL;
    assert_ok(sporf_params_get(&params, "class-weights", text, sizeof text));
    assert_string_equal(text, list);
    assert_refused(sporf_params_get(&params, "class-weights", text, 100), SPORF_ERROR_ARGUMENT,
                   "too long");
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    assert_string_equal(sporf_forest_setting(forest, "class-weights"), list);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_buffer_too_small_is_refused(void **state) {
    (void)state;
    sporf_params params;
    char text[8] = "untouch";
    sporf_params_init(&params);
    set(&params, "seed", "123456");
    assert_refused(sporf_params_get(&params, "seed", text, 6), SPORF_ERROR_ARGUMENT, "123456");
    assert_string_equal(text, "untouch");
    assert_refused(sporf_params_get(&params, "seed", text, 0), SPORF_ERROR_ARGUMENT, "seed");
    assert_ok(sporf_params_get(&params, "seed", text, 7));
    assert_string_equal(text, "123456");
}

/* ---- structs --------------------------------------------------------------------------------- */

static sporf_status try_params(const sporf_params *params) {
    static sporf_dataset *data;
    sporf_preview preview = {.struct_size = sizeof preview};
    if (!data) data = random_data(DATA_SMOOTH, 10, 3, 2, 1);
    if (params) return sporf_train_preview(data, params, &preview);
    sporf_dataset_free(data);
    data = NULL;
    return SPORF_OK;
}

/* Fills one field directly, as a program may, and expects the option to be named. */
#define EXPECT_FIELD_REFUSED(field, value, name)                                                   \
    do {                                                                                           \
        sporf_params params;                                                                       \
        sporf_params_init(&params);                                                                \
        assert_ok(try_params(&params));                                                            \
        params.field = (value);                                                                    \
        assert_refused(try_params(&params), SPORF_ERROR_ARGUMENT, name);                           \
    } while (0)

static void fields_filled_directly_are_checked_too(void **state) {
    (void)state;
    EXPECT_FIELD_REFUSED(method, (sporf_method)6, "method must be one of");
    EXPECT_FIELD_REFUSED(method, (sporf_method)-1, "method must be one of");
    EXPECT_FIELD_REFUSED(trees, 10000001, "trees must be a whole number from 1 to 10000000");
    EXPECT_FIELD_REFUSED(trees, UINT32_MAX, "got '4294967295'");
    EXPECT_FIELD_REFUSED(projections.exponent, 1, "projections must be"); /* of a factor of 0 */
    EXPECT_FIELD_REFUSED(projections.factor, -2, "projections must be");
    EXPECT_FIELD_REFUSED(projections.factor, NAN, "projections must be");
    EXPECT_FIELD_REFUSED(projections.factor, INFINITY, "projections must be");
    EXPECT_FIELD_REFUSED(projections.exponent, NAN, "projections must be");
    EXPECT_FIELD_REFUSED(projections.exponent, 5, "projections must be");
    EXPECT_FIELD_REFUSED(density.factor, -INFINITY, "density must be");
    EXPECT_FIELD_REFUSED(density.exponent, -INFINITY, "density must be");
    EXPECT_FIELD_REFUSED(weights, (sporf_weights)5, "weights must be");
    EXPECT_FIELD_REFUSED(nonzeros, (sporf_nonzeros)2, "nonzeros must be");
    EXPECT_FIELD_REFUSED(patch_min, 0, "patch-min must be");
    EXPECT_FIELD_REFUSED(patch_max, 70000, "patch-max must be");
    EXPECT_FIELD_REFUSED(criterion, (sporf_criterion)2, "criterion must be");
    EXPECT_FIELD_REFUSED(max_depth, UINT32_MAX, "max-depth must be");
    EXPECT_FIELD_REFUSED(min_split, 1, "min-split must be");
    EXPECT_FIELD_REFUSED(min_leaf, 1000000001, "min-leaf must be");
    EXPECT_FIELD_REFUSED(bag, (sporf_bag)5, "bag must be");
    EXPECT_FIELD_REFUSED(bag_fraction, -0.5, "bag-fraction must be");
    EXPECT_FIELD_REFUSED(bag_fraction, NAN, "bag-fraction must be");
    EXPECT_FIELD_REFUSED(bag_fraction, 1.5, "got '1.5'");
    EXPECT_FIELD_REFUSED(honest, 1, "honest must be");
    EXPECT_FIELD_REFUSED(honest, -0.5, "got '-0.5'");
    EXPECT_FIELD_REFUSED(honest, NAN, "honest must be");
    EXPECT_FIELD_REFUSED(min_leaf_weight, 0.50001,
                         "min-leaf-weight must be a number from 0 to 0.5");
    EXPECT_FIELD_REFUSED(min_leaf_weight, -0.1, "got '-0.1'");
    EXPECT_FIELD_REFUSED(min_leaf_weight, NAN, "min-leaf-weight must be");
    EXPECT_FIELD_REFUSED(scale, (sporf_scale)5, "scale must be");
    EXPECT_FIELD_REFUSED(threads, 5000, "threads must be");
    EXPECT_FIELD_REFUSED(class_weights, "7", "class-weights must be");
    EXPECT_FIELD_REFUSED(class_weights, "7=2", "the class '7', which no row has");
    EXPECT_FIELD_REFUSED(struct_size, 0, "sporf_params_init");
    EXPECT_FIELD_REFUSED(struct_size, sizeof(sporf_params) + 8, "sporf_params_init");
    try_params(NULL);
}

/* A program of an older header knows the first fields only, and owns no memory beyond them. */
static void structs_of_an_older_version_keep_working(void **state) {
    (void)state;
    size_t older = offsetof(sporf_params, density);
    sporf_params whole, *params = need(1, older);
    char text[32];
    sporf_params_init(&whole);
    whole.struct_size = older;
    whole.trees = 3;
    memcpy(params, &whole, older);
    set(params, "projections", "2p");
    expect(params, "projections", "2p");
    expect(params, "trees", "3");
    assert_refused(sporf_params_set(params, "density", "1/p"), SPORF_ERROR_ARGUMENT, "'density'");
    assert_refused(sporf_params_get(params, "seed", text, sizeof text), SPORF_ERROR_ARGUMENT,
                   "'seed'");
    sporf_dataset *data = random_data(DATA_SMOOTH, 30, 3, 2, 1);
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, params, NULL, &forest));
    assert_int_equal(sporf_forest_trees(forest), 3);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(params);
}

static void other_structs_are_checked_for_their_size(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 30, 3, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL), *none = NULL;
    sporf_hooks hooks;
    sporf_predict_options options;
    uint32_t classes[30];
    sporf_hooks_init(&hooks);
    hooks.struct_size = sizeof hooks + 8;
    assert_refused(sporf_forest_train(data, NULL, &hooks, &none), SPORF_ERROR_ARGUMENT, "hooks");
    sporf_predict_options_init(&options);
    options.struct_size = 1;
    assert_refused(sporf_forest_predict(forest, data, &options, WANTED(.classes = classes)),
                   SPORF_ERROR_ARGUMENT, "options");
    sporf_predict_options_init(&options);
    options.combine = (sporf_combine)2;
    assert_refused(sporf_forest_predict(forest, data, &options, WANTED(.classes = classes)),
                   SPORF_ERROR_ARGUMENT, "combine");
    sporf_predict_options_init(&options);
    options.calibration = (sporf_calibrate)2;
    assert_refused(sporf_forest_predict(forest, data, &options, WANTED(.classes = classes)),
                   SPORF_ERROR_ARGUMENT, "calibration");
    sporf_predict_options_init(&options);
    options.device = (sporf_device)3;
    assert_refused(sporf_forest_predict(forest, data, &options, WANTED(.classes = classes)),
                   SPORF_ERROR_ARGUMENT, "device");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- what a model remembers ------------------------------------------------------------------ */

static void a_forest_remembers_what_it_was_trained_with(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 40, 4, 2, 1);
    sporf_params params =
        params_with("trees", "3", "projections", "2p^0.75", "density", "0.3", "weights", "normal",
                    "criterion", "entropy", "max-depth", "4", "bag", "subsample", "bag-fraction",
                    "0.7", "scale", "iqr", "seed", "18446744073709551615", "min-leaf-weight", "0.1",
                    "calibration", "none", "threads", "2", "device", "cpu", (char *)NULL);
    sporf_params again;
    sporf_forest *forest = NULL;
    double weights[40];
    for (size_t i = 0; i < 40; i++) weights[i] = (double)(1 + i % 2);
    assert_ok(sporf_dataset_set_weights(data, weights, 40));
    params.weight_is = SPORF_WEIGHT_COUNT;
    assert_ok(sporf_forest_train(data, &params, NULL, &forest));
    sporf_params_init(&again);
    const char *name, *value;
    size_t settings = 0, used = 0;
    for (; (name = sporf_forest_setting_at(forest, settings, &value)); settings++) {
        assert_string_not_equal(name, "threads");
        assert_string_not_equal(name, "device");
        assert_string_not_equal(name, "max-memory");
        assert_string_not_equal(name, "effort");
        assert_string_not_equal(name, "time");
        set(&again, name, value);
    }
    for (size_t i = 0; sporf_option_at(i); i++)
        used += sporf_learner_uses(SPORF_LEARNER_FOREST, sporf_option_at(i)->name);
    assert_int_equal(used, settings + 8); /* these five, and learner, cost and recall by default */
    again.threads = params.threads;
    again.device = params.device;
    assert_memory_equal(&again, &params, sizeof params);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void an_automatic_fraction_is_recorded_as_what_it_was(void **state) {
    (void)state;
    static const struct {
        const char *bag, *fraction;
    } cases[] = {{"auto", "1"},
                 {"bootstrap", "1"},
                 {"stratified", "1"},
                 {"subsample", "0.632"},
                 {"none", "1"}};
    sporf_dataset *data = random_data(DATA_SMOOTH, 40, 4, 2, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sporf_forest *forest = train_with(data, "trees", "2", "bag", cases[i].bag, (char *)NULL);
        assert_string_equal(sporf_forest_setting(forest, "bag-fraction"), cases[i].fraction);
        sporf_forest *same = train_with(data, "trees", "2", "bag", cases[i].bag, "bag-fraction",
                                        cases[i].fraction, (char *)NULL);
        void *bytes[2];
        size_t size[2];
        assert_ok(sporf_forest_save_bytes(forest, &bytes[0], &size[0]));
        assert_ok(sporf_forest_save_bytes(same, &bytes[1], &size[1]));
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        sporf_free(bytes[0]);
        sporf_free(bytes[1]);
        sporf_forest_free(forest);
        sporf_forest_free(same);
    }
    sporf_dataset_free(data);
}

/* Of 0.2 n draws about 0.18 n rows are in the bag, each tree of it is smaller, and all are out of
 * some bag. */
static void a_bootstrap_of_a_share_grows_smaller_trees(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 400, 4, 2, 1);
    sporf_forest_summary whole, part;
    sporf_forest *forest = train_with(data, "trees", "30", (char *)NULL);
    assert_ok(sporf_forest_summarise(forest, &whole));
    sporf_forest_free(forest);
    forest = train_with(data, "trees", "30", "bag-fraction", "0.2", (char *)NULL);
    assert_ok(sporf_forest_summarise(forest, &part));
    assert_true(part.nodes * 2 < whole.nodes && part.nodes * 8 > whole.nodes);
    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    assert_int_equal(oob.rows, 400);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void an_init_of_an_older_program_writes_no_further_than_its_struct(void **state) {
    (void)state;
    struct {
        sporf_params params;
        char beyond[16];
    } memory;
    size_t older = offsetof(sporf_params, seed);
    memset(&memory, 0x5a, sizeof memory);
    sporf_params_init_sized(&memory.params, older);
    assert_int_equal(memory.params.struct_size, older);
    assert_int_equal(memory.params.trees, 500);
    for (size_t i = older; i < sizeof memory; i++) assert_int_equal(((char *)&memory)[i], 0x5a);
    sporf_params_init_sized(&memory.params, sizeof memory);
    assert_int_equal(memory.params.struct_size, sizeof(sporf_params));
    for (size_t i = 0; i < sizeof memory.beyond; i++) assert_int_equal(memory.beyond[i], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_init_of_an_older_program_writes_no_further_than_its_struct),
        cmocka_unit_test(every_option_has_its_default_and_takes_it_back),
        cmocka_unit_test(the_defaults_leave_much_to_the_library),
        cmocka_unit_test(dashes_and_underscores_are_the_same_in_names),
        cmocka_unit_test(unknown_names_are_refused_by_name),
        cmocka_unit_test(every_choice_is_taken_and_nothing_else),
        cmocka_unit_test(whole_numbers_end_at_their_bounds),
        cmocka_unit_test(amounts_are_read_in_every_form),
        cmocka_unit_test(amounts_that_are_none_are_refused),
        cmocka_unit_test(fractions_lie_above_zero_and_up_to_one),
        cmocka_unit_test(shares_lie_between_zero_and_one),
        cmocka_unit_test(a_child_may_be_asked_for_up_to_half_of_the_weight),
        cmocka_unit_test(bytes_may_have_a_unit),
        cmocka_unit_test(class_weights_are_balanced_or_a_list),
        cmocka_unit_test(long_class_weights_reach_the_model),
        cmocka_unit_test(a_buffer_too_small_is_refused),
        cmocka_unit_test(fields_filled_directly_are_checked_too),
        cmocka_unit_test(structs_of_an_older_version_keep_working),
        cmocka_unit_test(other_structs_are_checked_for_their_size),
        cmocka_unit_test(a_forest_remembers_what_it_was_trained_with),
        cmocka_unit_test(an_automatic_fraction_is_recorded_as_what_it_was),
        cmocka_unit_test(a_bootstrap_of_a_share_grows_smaller_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
