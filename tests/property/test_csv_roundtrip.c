/* Any table that is written as CSV reads back to the bit, with any number of threads. */
#include "read/reader.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/same_dataset.h"
#include "support/tmpfile.h"

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Whole numbers, decimals, and any bits that make a usable float. */
static float random_value(uint64_t *random) {
    uint64_t bits = next_random(random);
    if (bits % 4 == 0) return (float)(bits >> 40 & 255);
    if (bits % 4 == 1) return (float)(int32_t)(bits >> 32) / 1000.0f;
    uint32_t low = (uint32_t)(bits >> 32);
    float value;
    memcpy(&value, &low, sizeof value);
    return spf_value_ok(value) ? value : 0;
}

/* Words of the characters that CSV minds. */
static void random_word(uint64_t *random, char out[16]) {
    static const char letters[] = "ab ,;\t\"\n\r'.0\xc3\xa9#";
    size_t length = 1 + next_random(random) % 14;
    for (size_t i = 0; i < length; i++)
        out[i] = letters[next_random(random) % (sizeof letters - 1)];
    out[length] = '\0';
}

static sporf_dataset *random_dataset(uint64_t *random, size_t rows, size_t features) {
    sporf_dataset *data = NULL;
    char words[23][16];
    const char **labels = malloc(rows * sizeof *labels);
    assert_non_null(labels);
    assert_int_equal(spf_dataset_create(rows, features, &data), SPORF_OK);
    for (size_t j = 0; j < features; j++)
        for (size_t i = 0; i < rows; i++) spf_dataset_column(data, j)[i] = random_value(random);
    for (size_t k = 0; k < 23; k++) random_word(random, words[k]);
    for (size_t i = 0; i < rows; i++) labels[i] = words[next_random(random) % 23];
    assert_int_equal(sporf_dataset_set_labels_text(data, labels, rows), SPORF_OK);
    for (size_t j = 0; j < features; j++) {
        char word[16], name[48];
        random_word(random, word);
        /* not a number, so that the header is seen as one, and all different */
        snprintf(name, sizeof name, "x%zu%s", j, word + 1);
        assert_int_equal(spf_strings_add(&data->schema.names, name, strlen(name)), SPORF_OK);
    }
    data->schema.label_name = spf_strdup("the class");
    free(labels);
    return data;
}

/* Words with half a character are not UTF-8, which is noted, and nothing else is. */
static void take_encoding_note(sporf_dataset *data) {
    for (size_t i = 0; i < data->notes.count; i++)
        assert_int_equal(data->notes.items[i].kind, SPORF_NOTE_ENCODING);
    spf_notes_free(&data->notes);
    data->notes = (spf_notes){0};
}

static void check_round_trip(uint64_t *random, size_t rows, size_t features) {
    static const unsigned threads[] = {1, 2, 7};
    sporf_dataset *data = random_dataset(random, rows, features);
    tmp_file file = tmp_file_name("table.csv");
    if (sporf_dataset_write_csv(data, file.path) != SPORF_OK) fail_msg("%s", sporf_last_error());
    for (size_t i = 0; i < 3; i++) {
        sporf_read_options options;
        sporf_read_options_init(&options);
        options.label = "the class";
        options.threads = threads[i];
        sporf_dataset *back = NULL;
        if (sporf_dataset_read(file.path, &options, &back) != SPORF_OK)
            fail_msg("%s", sporf_last_error());
        take_encoding_note(back);
        assert_true(same_dataset(data, back));
        sporf_dataset_free(back);
    }
    tmp_file_remove(&file);
    sporf_dataset_free(data);
}

static void small_tables_come_back(void **state) {
    (void)state;
    uint64_t random = 2020;
    for (int i = 0; i < 200; i++)
        check_round_trip(&random, 1 + next_random(&random) % 40, 1 + next_random(&random) % 12);
}

/* Large enough to be cut into chunks, mostly inside quoted fields with line ends. */
static void large_tables_come_back(void **state) {
    (void)state;
    uint64_t random = 77;
    check_round_trip(&random, 30000, 3);
    check_round_trip(&random, 3000, 40);
    check_round_trip(&random, 60, 3000);
}

/* Makes every other column one of levels, and values of all of them missing here and there. */
static void make_mixed(uint64_t *random, sporf_dataset *data) {
    char words[31][16];
    const char *levels[31];
    for (size_t k = 0; k < 31; k++) {
        random_word(random, words[k]);
        words[k][0] = (char)('A' + k); /* all different */
        levels[k] = words[k];
    }
    for (size_t j = 0; j < data->features; j++) {
        float *values = spf_dataset_column(data, j);
        size_t count = 1 + next_random(random) % 31;
        for (size_t i = 0; j % 2 && i < data->rows; i++)
            values[i] = (float)(next_random(random) % count);
        for (size_t i = 0; i < data->rows; i++)
            if (next_random(random) % 5 == 0) values[i] = NAN;
        if (j % 2)
            assert_int_equal(sporf_dataset_set_levels(data, j, SPORF_KIND_CATEGORY, levels, count),
                             SPORF_OK);
    }
    assert_int_equal(spf_dataset_check_values(data), SPORF_OK);
}

/* With their own schema, categories and missing values come back as they are. */
static void mixed_tables_come_back(void **state) {
    (void)state;
    uint64_t random = 1234;
    for (int i = 0; i < 200; i++) {
        sporf_dataset *data =
            random_dataset(&random, 1 + next_random(&random) % 40, 1 + next_random(&random) % 12);
        make_mixed(&random, data);
        tmp_file file = tmp_file_name("table.csv");
        sporf_read_options options;
        sporf_read_options_init(&options);
        options.label = i % 2 ? "the class" : "last";
        options.schema = sporf_dataset_schema(data);
        options.threads = 1 + (unsigned)i % 3;
        sporf_dataset *back = NULL;
        if (sporf_dataset_write_csv(data, file.path) != SPORF_OK ||
            sporf_dataset_read(file.path, &options, &back) != SPORF_OK)
            fail_msg("%s", sporf_last_error());
        assert_true(same_dataset(data, back));
        sporf_dataset_free(back);
        sporf_dataset_free(data);
        tmp_file_remove(&file);
    }
}

/* Bytes that are mostly no table at all: whatever the cut, the same table or the same words. */
static void any_bytes_give_the_same_answer_however_cut(void **state) {
    (void)state;
    static const char letters[] = "01,,\n\n\"\"a;\r ";
    uint64_t random = 4711;
    char text[61];
    for (int i = 0; i < 30000; i++) {
        size_t length = next_random(&random) % 60;
        for (size_t k = 0; k < length; k++)
            text[k] = letters[next_random(&random) % (sizeof letters - 1)];
        text[length] = '\0';
        const spf_source source = {.name = "data.csv", .bytes = text, .size = length};
        sporf_read_options options;
        sporf_read_options_init(&options);
        options.threads = 1;
        options.label = i % 2 ? "last" : NULL;
        sporf_dataset *whole = NULL, *cut = NULL;
        char words[SPF_ERROR_TEXT_MAX];
        sporf_status status = spf_read_csv_in_chunks(&source, &options, SIZE_MAX, &whole);
        snprintf(words, sizeof words, "%s", sporf_last_error());
        size_t chunk = 1 + next_random(&random) % 9;
        assert_int_equal(spf_read_csv_in_chunks(&source, &options, chunk, &cut), status);
        if (status == SPORF_OK)
            assert_true(same_dataset(whole, cut));
        else
            assert_string_equal(words, sporf_last_error());
        sporf_dataset_free(whole);
        sporf_dataset_free(cut);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tables_come_back),
        cmocka_unit_test(large_tables_come_back),
        cmocka_unit_test(mixed_tables_come_back),
        cmocka_unit_test(any_bytes_give_the_same_answer_however_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
