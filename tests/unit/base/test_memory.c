/* Allocation at the edge of what sizes can say, growing arrays, lists of strings, error texts. */
#include "base/memory.h"
#include "base/strings.h"

#include "base/rng.h"

#include "support/check.h"

static void a_product_beyond_size_t_is_no_memory(void **state) {
    (void)state;
    assert_null(spf_alloc(SIZE_MAX / 2, 3));
    assert_null(spf_alloc(SIZE_MAX, SIZE_MAX));
    assert_null(spf_alloc((size_t)1 << 32, (size_t)1 << 32));
    assert_null(spf_alloc((size_t)PTRDIFF_MAX + 1, 1));
    assert_null(spf_alloc_zero((size_t)1 << 33, (size_t)1 << 33));
}

static void no_elements_are_a_valid_pointer(void **state) {
    (void)state;
    void *plain = spf_alloc(0, 8), *zero = spf_alloc_zero(0, 8), *sizeless = spf_alloc_zero(8, 0);
    assert_non_null(plain);
    assert_non_null(zero);
    assert_non_null(sizeless);
    free(plain);
    free(zero);
    free(sizeless);
}

static void zeroed_memory_is_zero(void **state) {
    (void)state;
    unsigned char *memory = spf_alloc_zero(1000, 3);
    assert_non_null(memory);
    for (int i = 0; i < 3000; i++) assert_int_equal(memory[i], 0);
    free(memory);
}

static void an_array_grows_and_keeps_what_it_holds(void **state) {
    (void)state;
    uint32_t *array = NULL;
    size_t capacity = 0, grown = 0;
    for (uint32_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        assert_ok(SPF_RESERVE(array, capacity, i + 1));
        assert_true(capacity > i);
        grown += capacity != before;
        array[i] = i;
    }
    for (uint32_t i = 0; i < 100000; i++) assert_int_equal(array[i], i);
    assert_true(grown < 20);
    free(array);
}

static void an_array_that_cannot_grow_stays_as_it_is(void **state) {
    (void)state;
    static const size_t needs[] = {SIZE_MAX, SIZE_MAX / 2 + 2, SIZE_MAX / 8};
    uint64_t *array = NULL;
    size_t capacity = 0;
    assert_ok(SPF_RESERVE(array, capacity, 1));
    array[0] = 42;
    uint64_t *place = array;
    size_t room = capacity;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        assert_refused(SPF_RESERVE(array, capacity, needs[i]), SPORF_ERROR_MEMORY, "memory");
        assert_ptr_equal(array, place);
        assert_int_equal(capacity, room);
        assert_int_equal(array[0], 42);
    }
    free(array);
}

static void copies_of_strings_end_where_told(void **state) {
    (void)state;
    char *whole = spf_strdup("forest"), *part = spf_strndup("forest", 3),
         *none = spf_strndup("x", 0);
    assert_string_equal(whole, "forest");
    assert_string_equal(part, "for");
    assert_string_equal(none, "");
    free(whole);
    free(part);
    free(none);
}

static void a_list_gives_back_every_string(void **state) {
    (void)state;
    spf_strings list = {0}, copy = {0};
    char text[64];
    for (size_t i = 0; i < 3000; i++) {
        int length = snprintf(text, sizeof text, "%zu:%*s", i, (int)(i % 40), "");
        assert_ok(
            spf_strings_add(&list, i % 100 == 0 ? "" : text, i % 100 == 0 ? 0 : (size_t)length));
    }
    assert_ok(spf_strings_copy(&list, &copy));
    spf_strings_free(&list);
    assert_int_equal(list.count, 0);
    assert_int_equal(copy.count, 3000);
    size_t bytes = 0;
    for (size_t i = 0; i < 3000; i++) {
        snprintf(text, sizeof text, "%zu:%*s", i, (int)(i % 40), "");
        assert_string_equal(spf_strings_at(&copy, i), i % 100 == 0 ? "" : text);
        assert_int_equal(copy.offsets[i], bytes);
        bytes += strlen(spf_strings_at(&copy, i)) + 1;
    }
    assert_int_equal(copy.offsets[copy.count], bytes);
    spf_strings_free(&copy);
}

static void a_string_is_cut_at_its_length(void **state) {
    (void)state;
    spf_strings list = {0};
    assert_ok(spf_strings_add(&list, "abcdef", 2));
    assert_ok(spf_strings_add(&list, "xyz", 3));
    assert_string_equal(spf_strings_at(&list, 0), "ab");
    assert_string_equal(spf_strings_at(&list, 1), "xyz");
    spf_strings_free(&list);
}

static void an_empty_list_copies_to_an_empty_list(void **state) {
    (void)state;
    spf_strings none = {0}, copy;
    memset(&copy, 1, sizeof copy);
    assert_ok(spf_strings_copy(&none, &copy));
    assert_int_equal(copy.count, 0);
    spf_strings_free(&copy);
}

static void an_error_text_is_cut_to_its_room(void **state) {
    (void)state;
    char text[2 * SPF_ERROR_TEXT_MAX];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(spf_raise(SPORF_ERROR_IO, "%s", text), SPORF_ERROR_IO);
    assert_int_equal(strlen(sporf_last_error()), SPF_ERROR_TEXT_MAX - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_product_beyond_size_t_is_no_memory),
        cmocka_unit_test(no_elements_are_a_valid_pointer),
        cmocka_unit_test(zeroed_memory_is_zero),
        cmocka_unit_test(an_array_grows_and_keeps_what_it_holds),
        cmocka_unit_test(an_array_that_cannot_grow_stays_as_it_is),
        cmocka_unit_test(copies_of_strings_end_where_told),
        cmocka_unit_test(a_list_gives_back_every_string),
        cmocka_unit_test(a_string_is_cut_at_its_length),
        cmocka_unit_test(an_empty_list_copies_to_an_empty_list),
        cmocka_unit_test(an_error_text_is_cut_to_its_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
