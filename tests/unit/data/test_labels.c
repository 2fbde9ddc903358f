/* Class labels: the dictionary, and the order of the classes. */
#include "data/labels.h"

#include "base/checksum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static sporf_dataset *empty_table(size_t rows) {
    sporf_dataset *data = NULL;
    assert_int_equal(spf_dataset_create(rows, 1, &data), SPORF_OK);
    for (size_t i = 0; i < rows; i++) spf_dataset_column(data, 0)[i] = (float)i;
    return data;
}

static const char *label_of(const sporf_dataset *data, size_t row) {
    return sporf_schema_class_name(sporf_dataset_schema(data), sporf_dataset_labels(data)[row]);
}

static void assert_order(const char *const *labels, size_t count, const char *const *classes,
                         size_t class_count) {
    sporf_dataset *data = empty_table(count);
    assert_int_equal(sporf_dataset_set_labels_text(data, labels, count), SPORF_OK);
    assert_int_equal(sporf_dataset_classes(data), class_count);
    for (size_t i = 0; i < class_count; i++)
        assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), i), classes[i]);
    for (size_t i = 0; i < count; i++) assert_string_equal(label_of(data, i), labels[i]);
    sporf_dataset_free(data);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void text_classes_are_sorted_by_bytes(void **state) {
    (void)state;
    static const char *const labels[] = {"pear", "Apple", "apple", "pear", "\xc3\xa9t\xc3\xa9",
                                         "10"};
    static const char *const classes[] = {"10", "Apple", "apple", "pear", "\xc3\xa9t\xc3\xa9"};
    assert_order(labels, COUNT(labels), classes, COUNT(classes));
}

static void integer_classes_are_sorted_by_value(void **state) {
    (void)state;
    static const char *const labels[] = {
        "10", "9", "-1", "0", "-9223372036854775808", "9223372036854775807", "9", "-10"};
    static const char *const classes[] = {"-9223372036854775808", "-10", "-1", "0", "9", "10",
                                          "9223372036854775807"};
    assert_order(labels, COUNT(labels), classes, COUNT(classes));
}

static void one_word_that_is_no_plain_integer_makes_all_text(void **state) {
    (void)state;
    static const char *const odd[] = {"07", "+7", "-0", "7.5", "9223372036854775808", "-", "1 "};
    for (size_t i = 0; i < COUNT(odd); i++) {
        const char *labels[] = {"9", "10", odd[i]};
        sporf_dataset *data = empty_table(3);
        assert_int_equal(sporf_dataset_set_labels_text(data, labels, 3), SPORF_OK);
        assert_int_equal(sporf_dataset_classes(data), 3);
        assert_true(sporf_dataset_labels(data)[1] < sporf_dataset_labels(data)[0]);
        sporf_dataset_free(data);
    }
}

static void integer_labels_are_the_same_as_their_text(void **state) {
    (void)state;
    const int64_t labels[] = {3, -2, 30, 3, INT64_MIN, INT64_MAX};
    sporf_dataset *data = empty_table(6);
    assert_int_equal(sporf_dataset_set_labels_int(data, labels, 6), SPORF_OK);
    assert_int_equal(sporf_dataset_classes(data), 5);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(strtoll(label_of(data, i), NULL, 10), labels[i]);
    for (size_t i = 1; i < 5; i++)
        assert_true(strtoll(sporf_schema_class_name(sporf_dataset_schema(data), i - 1), NULL, 10) <
                    strtoll(sporf_schema_class_name(sporf_dataset_schema(data), i), NULL, 10));
    sporf_dataset_free(data);
}

static void labels_can_be_set_again(void **state) {
    (void)state;
    static const char *const words[] = {"b", "a"};
    const int64_t numbers[] = {5, 5};
    sporf_dataset *data = empty_table(2);
    assert_null(sporf_dataset_labels(data));
    assert_int_equal(sporf_dataset_set_labels_text(data, words, 2), SPORF_OK);
    assert_int_equal(sporf_dataset_set_labels_int(data, numbers, 2), SPORF_OK);
    assert_int_equal(sporf_dataset_classes(data), 1);
    assert_string_equal(label_of(data, 1), "5");
    sporf_dataset_free(data);
}

static void labels_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const char *const words[] = {"a", "", "c"};
    static const char *const missing[] = {"a", NULL};
    const int64_t numbers[] = {1, 2, 3};
    sporf_dataset *data = empty_table(2);
    assert_int_equal(sporf_dataset_set_labels_int(data, numbers, 3), SPORF_ERROR_ARGUMENT);
    assert_string_equal(sporf_last_error(), "3 labels for 2 rows");
    assert_int_equal(sporf_dataset_set_labels_text(data, words, 2), SPORF_ERROR_DATA);
    assert_string_equal(sporf_last_error(), "the label of row 2 is empty");
    assert_int_equal(sporf_dataset_set_labels_text(data, missing, 2), SPORF_ERROR_DATA);
    assert_int_equal(sporf_dataset_set_labels_text(NULL, words, 2), SPORF_ERROR_ARGUMENT);
    assert_null(sporf_dataset_labels(data));
    sporf_dataset_free(data);
}

static void a_dictionary_numbers_words_by_first_appearance(void **state) {
    (void)state;
    enum { WORDS = 20000 };
    spf_dictionary dictionary = {0};
    char text[32];
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < WORDS; i++) {
            uint32_t number = 0;
            int length = snprintf(text, sizeof text, "w%u", i * 7919);
            assert_int_equal(spf_dictionary_add(&dictionary, text, (size_t)length, &number),
                             SPORF_OK);
            assert_int_equal(number, i);
        }
    assert_int_equal(dictionary.words.count, WORDS);
    spf_dictionary_free(&dictionary);
}

/* Words that meet in the slots of a hash that everybody knows. */
static void chosen_words_do_not_crowd_a_dictionary(void **state) {
    (void)state;
    enum { WORDS = 1000, SLOTS = 4096 };
    spf_dictionary dictionary = {0};
    char text[32];
    for (uint32_t i = 0; dictionary.words.count < WORDS; i++) {
        uint32_t number = 0;
        int length = snprintf(text, sizeof text, "w%u", i);
        if (spf_checksum_of(text, (size_t)length) % SLOTS != 0) continue;
        assert_int_equal(spf_dictionary_add(&dictionary, text, (size_t)length, &number), SPORF_OK);
    }
    size_t run = 0, longest = 0; /* of slots in use, which a search goes along */
    for (size_t i = 0; i < 2 * dictionary.slot_count; i++) {
        run = dictionary.slots[i % dictionary.slot_count] ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    assert_in_range(longest, 1, WORDS / 5);
    spf_dictionary_free(&dictionary);
}

/* Example and result are those of the paper. */
static void the_hash_is_that_of_the_paper(void **state) {
    (void)state;
    unsigned char bytes[16];
    spf_hash_key key;
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)i;
    memcpy(&key, bytes, sizeof key);
    assert_true(spf_hash_rounds(key, bytes, 15, 2, 4) == 0xa129ca6149be45e5);
    assert_true(spf_hash(key, bytes, 15) == spf_hash_rounds(key, bytes, 15, 1, 3));
    spf_hash_key one = spf_hash_key_draw(), other = spf_hash_key_draw();
    assert_memory_not_equal(&one, &other, sizeof one);
}

static void few_words_need_no_slots(void **state) {
    (void)state;
    spf_dictionary dictionary = {0};
    uint32_t number = 0;
    for (uint32_t i = 0; i < 40; i++) {
        char text[2] = {(char)('0' + i % 20), 'x'};
        assert_int_equal(spf_dictionary_find(&dictionary, text, 2, &number), i >= 20);
        assert_int_equal(spf_dictionary_add(&dictionary, text, 2, &number), SPORF_OK);
        assert_int_equal(number, i % 20);
        if (i < 8) assert_null(dictionary.slots);
    }
    assert_non_null(dictionary.slots);
    spf_dictionary_free(&dictionary);
}

static void a_prefix_is_another_word(void **state) {
    (void)state;
    spf_dictionary dictionary = {0};
    uint32_t a = 0, b = 0, c = 0, again = 0;
    assert_int_equal(spf_dictionary_add(&dictionary, "abc", 3, &a), SPORF_OK);
    assert_int_equal(spf_dictionary_add(&dictionary, "abc", 2, &b), SPORF_OK);
    assert_int_equal(spf_dictionary_add(&dictionary, "abcd", 4, &c), SPORF_OK);
    assert_int_equal(spf_dictionary_add(&dictionary, "abX", 2, &again), SPORF_OK);
    assert_true(a != b && b != c && a != c && again == b);
    spf_dictionary_free(&dictionary);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_classes_are_sorted_by_bytes),
        cmocka_unit_test(integer_classes_are_sorted_by_value),
        cmocka_unit_test(one_word_that_is_no_plain_integer_makes_all_text),
        cmocka_unit_test(integer_labels_are_the_same_as_their_text),
        cmocka_unit_test(labels_can_be_set_again),
        cmocka_unit_test(labels_that_do_not_fit_are_refused),
        cmocka_unit_test(a_dictionary_numbers_words_by_first_appearance),
        cmocka_unit_test(chosen_words_do_not_crowd_a_dictionary),
        cmocka_unit_test(the_hash_is_that_of_the_paper),
        cmocka_unit_test(few_words_need_no_slots),
        cmocka_unit_test(a_prefix_is_another_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
