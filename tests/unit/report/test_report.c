/* Reports: of every kind of model, with and without data, the same for any number of threads,
 * well-formed whatever the names are. */
#include "sporf.h"

#include "support/markup_check.h"
#include "support/random_data.h"

#define HOSTILE "\"'><script>alert(1)</script>\x01\x7f\xff\xe2\x80\xae\xd7\x90"

static char *report_of(const sporf_forest *const *forests, size_t count, const sporf_dataset *data,
                       const sporf_report_options *options) {
    char *html = NULL;
    size_t size = 0;
    assert_ok(sporf_report_html(forests, count, data, options, NULL, &html, &size));
    assert_int_equal(strlen(html), size);
    assert_well_formed(html);
    assert_null(strstr(html, "http://"));
    assert_null(strstr(html, "https://"));
    return html;
}

static char *report_on(const sporf_forest *forest, const sporf_dataset *data, unsigned threads) {
    sporf_report_options options;
    sporf_report_options_init(&options);
    options.threads = threads;
    return report_of(&forest, 1, data, &options);
}

static void assert_chapters(const char *html, const char *const *chapters) {
    for (; *chapters; chapters++) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "<section id='%s'", *chapters);
        if (!strstr(html, wanted)) fail_msg("there is no chapter %s", *chapters);
    }
}

static void a_model_alone_shows_what_it_knows(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 120, 6, 3, 1);
    sporf_forest *forest = train_with(data, "trees", "12", NULL);
    char *html = report_on(forest, NULL, 1);
    assert_chapters(html, (const char *const[]){"glance", "data", "training", "importance",
                                                "projections", "settings", "reproduce", NULL});
    assert_null(strstr(html, "id='scores'"));
    sporf_free(html);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void the_page_is_the_same_for_any_number_of_threads(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sporf_dataset *data = kind == 0   ? random_data(DATA_MIXED, 150, 6, 4, 2)
                              : kind == 1 ? with_targets(DATA_MIXED, 150, 5, 3, 3)
                                          : random_data(DATA_SMOOTH, 150, 5, 2, 4);
        sporf_forest *forest =
            kind == 2 ? train_with(data, "learner", "boosting", "rounds", "8", "bags", "1", NULL)
                      : train_with(data, "trees", "10", NULL);
        char *one = report_on(forest, data, 1), *other = report_on(forest, data, 3);
        assert_string_equal(one, other);
        assert_chapters(one, (const char *const[]){"scores", "dependence", "rows", NULL});
        assert_int_equal(strstr(one, "id='calibration'") != NULL, kind != 1);
        sporf_free(one);
        sporf_free(other);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void rows_of_the_training_are_scored_out_of_bag(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_NOISE, 200, 5, 2, 5);
    sporf_dataset *others = random_data(DATA_NOISE, 200, 5, 2, 6);
    sporf_forest *forest = train_with(data, "trees", "40", NULL);
    char *seen = report_on(forest, data, 1), *unseen = report_on(forest, others, 1);
    assert_non_null(strstr(seen, "by the trees that did not see it"));
    assert_null(strstr(unseen, "by the trees that did not see it"));
    sporf_free(seen);
    sporf_free(unseen);
    sporf_forest_free(forest);
    sporf_dataset_free(others);
    sporf_dataset_free(data);
}

static void hostile_names_do_no_harm(void **state) {
    (void)state;
    enum { ROWS = 60 };
    const char *names[3] = {HOSTILE, HOSTILE "2", HOSTILE "3"}, *labels[ROWS];
    const char *const levels[2] = {HOSTILE, "plain"};
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 3, 2, 7);
    float level[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = i % 2 ? HOSTILE : HOSTILE "other";
        level[i] = (float)(i % 2);
    }
    sporf_matrix matrix = {level, SPORF_FLOAT32, ROWS, 1, 1, ROWS};
    sporf_dataset *typed = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &typed));
    assert_ok(sporf_dataset_set_levels(typed, 0, SPORF_KIND_CATEGORY, levels, 2));
    assert_ok(sporf_dataset_set_feature_names(typed, names, 1));
    assert_ok(sporf_dataset_set_labels_text(typed, labels, ROWS));
    assert_ok(sporf_dataset_set_label_name(typed, HOSTILE));
    assert_ok(sporf_dataset_set_feature_names(data, names, 3));
    sporf_report_options options;
    sporf_report_options_init(&options);
    options.title = options.data_name = options.command = HOSTILE;
    options.names = options.commands = (const char *const[]){HOSTILE, HOSTILE};
    for (int kind = 0; kind < 2; kind++) {
        const sporf_dataset *table = kind ? data : typed;
        sporf_forest *forest = train_with(table, "trees", "5", NULL);
        const sporf_forest *const both[] = {forest, forest};
        char *html = report_of(both, 2, table, &options);
        assert_null(strstr(html, "alert(1)</script>"));
        assert_null(strstr(html, "\xff"));
        assert_null(strstr(html, "\x01"));
        assert_null(strstr(html, "\xe2\x80\xae"));
        assert_non_null(strstr(html, "&lt;script&gt;"));
        sporf_free(html);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(typed);
    sporf_dataset_free(data);
}

static void models_are_compared(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 150, 5, 2, 8);
    sporf_forest *one = train_with(data, "trees", "10", NULL);
    sporf_forest *other = train_with(data, "trees", "10", "method", "rf", NULL);
    const sporf_forest *const both[] = {one, other};
    char *html = report_of(both, 2, data, NULL);
    assert_non_null(strstr(html, "Compared with model 1"));
    assert_non_null(strstr(html, "<td>differs</td>"));
    sporf_free(html);
    sporf_forest_free(one);
    sporf_forest_free(other);
    sporf_dataset_free(data);
}

static void models_of_other_classes_are_not_compared(void **state) {
    (void)state;
    sporf_dataset *two = random_data(DATA_SMOOTH, 60, 3, 2, 9);
    sporf_dataset *three = random_data(DATA_SMOOTH, 60, 3, 3, 9);
    sporf_forest *one = train_with(two, "trees", "3", NULL);
    sporf_forest *other = train_with(three, "trees", "3", NULL);
    const sporf_forest *const both[] = {one, other}, *many[9];
    char *html = NULL;
    size_t size;
    for (size_t i = 0; i < 9; i++) many[i] = one;
    assert_refused(sporf_report_html(both, 2, NULL, NULL, NULL, &html, &size), SPORF_ERROR_ARGUMENT,
                   "different classes");
    assert_refused(sporf_report_html(many, 9, NULL, NULL, NULL, &html, &size), SPORF_ERROR_ARGUMENT,
                   "1 to 8");
    assert_refused(sporf_report_html(many, 0, NULL, NULL, NULL, &html, &size), SPORF_ERROR_ARGUMENT,
                   "1 to 8");
    assert_null(html);
    sporf_forest_free(one);
    sporf_forest_free(other);
    sporf_dataset_free(two);
    sporf_dataset_free(three);
}

static void small_and_odd_tables_are_shown(void **state) {
    (void)state;
    const uint32_t first[] = {0}, same[] = {0, 0, 0};
    sporf_dataset *data = random_data(DATA_MIXED, 80, 4, 3, 10), *one = NULL, *equal = NULL;
    sporf_dataset *numbers = with_targets(DATA_CONSTANT, 80, 4, 1, 11), *number = NULL;
    sporf_forest *forest = train_with(data, "trees", "5", NULL);
    sporf_forest *values = train_with(numbers, "trees", "5", NULL);
    assert_ok(sporf_dataset_select(data, first, 1, &one));
    assert_ok(sporf_dataset_select(data, same, 3, &equal));
    assert_ok(sporf_dataset_select(numbers, first, 1, &number));
    sporf_free(report_on(forest, one, 1));
    sporf_free(report_on(forest, equal, 1));
    sporf_free(report_on(values, number, 1));
    assert_ok(sporf_dataset_set_targets(number, NULL, NULL)); /* nothing to compare with */
    sporf_free(report_on(values, number, 1));
    sporf_dataset_free(one);
    sporf_dataset_free(equal);
    sporf_dataset_free(number);
    sporf_dataset_free(numbers);
    sporf_dataset_free(data);
    sporf_forest_free(forest);
    sporf_forest_free(values);
}

static void long_lists_are_cut(void **state) {
    (void)state;
    enum { ROWS = 300, CLASSES = 80 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 200, CLASSES, 12);
    sporf_forest *forest = train_with(data, "trees", "3", "max-depth", "6", NULL);
    char *html = report_on(forest, data, 0);
    assert_true(strlen(html) < 500000);
    assert_non_null(strstr(html, "of 80 classes"));
    assert_non_null(strstr(html, "of 200 features"));
    sporf_free(html);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static int stop(void *payload) {
    (void)payload;
    return 1;
}

static void it_can_be_interrupted(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 13);
    sporf_forest *forest = train_with(data, "trees", "3", NULL);
    const sporf_forest *const forests[] = {forest};
    sporf_hooks hooks;
    char *html = NULL;
    size_t size;
    sporf_hooks_init(&hooks);
    hooks.interrupt = stop;
    assert_int_equal(sporf_report_html(forests, 1, NULL, NULL, &hooks, &html, &size),
                     SPORF_ERROR_CANCELLED);
    assert_null(html);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_alone_shows_what_it_knows),
        cmocka_unit_test(the_page_is_the_same_for_any_number_of_threads),
        cmocka_unit_test(rows_of_the_training_are_scored_out_of_bag),
        cmocka_unit_test(hostile_names_do_no_harm),
        cmocka_unit_test(models_are_compared),
        cmocka_unit_test(models_of_other_classes_are_not_compared),
        cmocka_unit_test(small_and_odd_tables_are_shown),
        cmocka_unit_test(long_lists_are_cut),
        cmocka_unit_test(it_can_be_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
