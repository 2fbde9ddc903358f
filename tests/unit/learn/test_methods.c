/* The table of methods, as the world sees it. */
#include "support/check.h"
#include "support/random_data.h"

static const sporf_option *option(const char *name) {
    const sporf_option *option;
    for (size_t i = 0; (option = sporf_option_at(i)); i++)
        if (strcmp(option->name, name) == 0) return option;
    fail_msg("no option %s", name);
    return NULL;
}

static void methods_are_the_choices_of_the_option(void **state) {
    (void)state;
    char names[256] = "";
    const sporf_method_info *info;
    size_t count = 0;
    for (; (info = sporf_method_at(count)); count++) {
        sporf_params params = params_with("method", info->name, (char *)NULL);
        assert_int_equal(params.method, count);
        assert_true(strlen(info->title) > 0);
        strcat(strcat(names, count ? "|" : ""), info->name);
    }
    assert_string_equal(names, option("method")->choices);
    assert_null(sporf_method_at(count + 1));
}

static void a_row_lists_options_that_some_methods_do_not_use(void **state) {
    (void)state;
    const sporf_method_info *info;
    for (size_t m = 0; (info = sporf_method_at(m)); m++)
        for (size_t i = 0; sporf_option_at(i); i++) {
            const char *name = sporf_option_at(i)->name;
            int listed = strstr(info->options, name) != NULL, all = 1;
            for (size_t k = 0; sporf_method_at(k); k++)
                all &= sporf_method_uses((sporf_method)k, name);
            assert_int_equal(sporf_method_uses((sporf_method)m, name), listed || all);
            assert_false(listed && all);
        }
    assert_true(sporf_method_uses(SPORF_METHOD_SPORF, "density"));
    assert_false(sporf_method_uses(SPORF_METHOD_RF, "density"));
    assert_true(sporf_method_uses(SPORF_METHOD_RF, "trees"));
}

/* Every name in a row is that of an option. */
static void options_of_a_method_exist(void **state) {
    (void)state;
    const sporf_method_info *info;
    for (size_t m = 0; (info = sporf_method_at(m)); m++) {
        char list[256], *name, *rest = list;
        snprintf(list, sizeof list, "%s", info->options);
        while ((name = strsep(&rest, "|")))
            if (*name) assert_non_null(option(name));
    }
}

static void an_option_that_a_method_does_not_use_does_not_change_its_forest(void **state) {
    (void)state;
    static const char *const others[][2] = {{"density", "2/p"},
                                            {"weights", "normal"},
                                            {"nonzeros", "poisson"},
                                            {"image-width", "3"},
                                            {"patch-min", "2"}};
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 6, 3, 1);
    const sporf_method_info *info;
    for (size_t m = 0; (info = sporf_method_at(m)); m++)
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            sporf_forest *plain =
                train_with(data, "method", info->name, "trees", "2", (char *)NULL);
            sporf_forest *set = train_with(data, "method", info->name, "trees", "2", others[i][0],
                                           others[i][1], (char *)NULL);
            uint32_t a[60], b[60];
            sporf_predictions out = {.struct_size = sizeof out};
            out.classes = a;
            assert_ok(sporf_forest_predict(plain, data, NULL, &out));
            out.classes = b;
            assert_ok(sporf_forest_predict(set, data, NULL, &out));
            if (!sporf_method_uses((sporf_method)m, others[i][0]))
                assert_memory_equal(a, b, sizeof a);
            sporf_forest_free(plain);
            sporf_forest_free(set);
        }
    sporf_dataset_free(data);
}

static void what_a_method_does_not_take_is_refused(void **state) {
    (void)state;
    sporf_dataset *typed = random_data(DATA_MIXED, 60, 6, 3, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 60, 6, 1, 1);
    const sporf_method_info *info;
    for (size_t m = 0; (info = sporf_method_at(m)); m++) {
        sporf_params params = params_with("method", info->name, "trees", "1", (char *)NULL);
        sporf_forest *forest = NULL;
        sporf_status status = sporf_forest_train(typed, &params, NULL, &forest);
        assert_int_equal(status == SPORF_OK, !info->traits.needs_numbers);
        sporf_forest_free(forest);
        forest = NULL;
        status = sporf_forest_train(numbers, &params, NULL, &forest);
        assert_int_equal(status == SPORF_OK, !info->traits.classes_only);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(typed);
    sporf_dataset_free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_the_choices_of_the_option),
        cmocka_unit_test(a_row_lists_options_that_some_methods_do_not_use),
        cmocka_unit_test(options_of_a_method_exist),
        cmocka_unit_test(an_option_that_a_method_does_not_use_does_not_change_its_forest),
        cmocka_unit_test(what_a_method_does_not_take_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
