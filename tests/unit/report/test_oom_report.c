/* Memory runs out at the allocations of a report, one after the other: the call says so, and
 * nothing leaks (which the address sanitizer sees). */
#include "sporf.h"

#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"

static void run_out(const sporf_dataset *data, const sporf_forest *forest, long step) {
    const sporf_forest *const both[] = {forest, forest};
    sporf_report_options options;
    sporf_report_options_init(&options);
    options.threads = 1;
    size_t failures = 0;
    for (long k = 1;; k += step) {
        char *html = NULL;
        size_t size = 0;
        failing_alloc_after(k);
        sporf_status status = sporf_report_html(both, 2, data, &options, NULL, &html, &size);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        sporf_free(html);
        if (!hit) {
            assert_int_equal(status, SPORF_OK);
            break;
        }
        if (status == SPORF_OK) continue; /* a speed-up that was done without */
        failures++;
        assert_null(html);
        if (status != SPORF_ERROR_MEMORY)
            fail_msg("allocation %ld: %d \"%s\"", k, (int)status, sporf_last_error());
    }
    assert_true(failures > 0);
}

static void memory_that_runs_out_is_reported(void **state) {
    (void)state;
    sporf_dataset *classes = random_data(DATA_MIXED, 30, 4, 3, 1);
    sporf_dataset *numbers = with_targets(DATA_SMOOTH, 30, 3, 2, 2);
    sporf_forest *forest = train_with(classes, "trees", "3", NULL);
    sporf_forest *values = train_with(numbers, "trees", "3", NULL);
    run_out(classes, forest, IS_SANITIZED ? 61 : 17);
    run_out(numbers, values, IS_SANITIZED ? 61 : 17);
    sporf_forest_free(forest);
    sporf_forest_free(values);
    sporf_dataset_free(classes);
    sporf_dataset_free(numbers);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_that_runs_out_is_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
