/* Rows that are held out: a share of every class, other rows for every bag, never all of a class.
 */
#include "learn/boosting/held_out.h"

#include "support/check.h"

#include <string.h>

enum { ROWS = 200, CLASSES = 4 };

/* Classes of 128, 64, 7 and 1 rows. */
static void label(uint32_t labels[ROWS]) {
    for (size_t i = 0; i < ROWS; i++) labels[i] = i < 128 ? 0 : i < 192 ? 1 : i < 199 ? 2 : 3;
}

static spf_row_classes classes_of(const uint32_t *labels) {
    return (spf_row_classes){labels, ROWS, CLASSES};
}

static const spf_row_weights equal = {.rows = ROWS, .total = ROWS};

static size_t count(const uint8_t *held, const uint32_t *labels, uint32_t of) {
    size_t sum = 0;
    for (size_t i = 0; i < ROWS; i++) sum += held[i] && labels[i] == of;
    return sum;
}

static void a_share_of_every_class_is_held_out(void **state) {
    (void)state;
    uint32_t labels[ROWS];
    uint8_t held[ROWS];
    label(labels);
    for (size_t bag = 0; bag < 10; bag++) {
        assert_ok(spf_hold_out(classes_of(labels), &equal, 0.25, 1, bag, held));
        assert_in_range(count(held, labels, 0), 31, 33);
        assert_in_range(count(held, labels, 1), 15, 17);
        assert_in_range(count(held, labels, 2), 1, 2);
    }
}

static void every_class_keeps_a_row(void **state) {
    (void)state;
    uint32_t labels[ROWS];
    uint8_t held[ROWS];
    label(labels);
    for (size_t bag = 0; bag < 10; bag++) {
        assert_ok(spf_hold_out(classes_of(labels), &equal, 0.9, 1, bag, held));
        assert_true(count(held, labels, 0) < 128 && count(held, labels, 1) < 64);
        assert_true(count(held, labels, 2) < 7 && count(held, labels, 3) < 1);
    }
}

/* Also if their shares add up to more than all rows. */
static void no_two_bags_hold_out_the_same_rows(void **state) {
    (void)state;
    static const double shares[] = {0.1, 0.2, 0.5, 0.9};
    enum { BAGS = 12 };
    static uint8_t held[BAGS][ROWS];
    uint32_t labels[ROWS];
    label(labels);
    for (size_t s = 0; s < 4; s++)
        for (size_t bag = 0; bag < BAGS; bag++) {
            assert_ok(spf_hold_out(classes_of(labels), &equal, shares[s], 1, bag, held[bag]));
            for (size_t other = 0; other < bag; other++)
                assert_memory_not_equal(held[bag], held[other], ROWS);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_of_every_class_is_held_out),
        cmocka_unit_test(every_class_keeps_a_row),
        cmocka_unit_test(no_two_bags_hold_out_the_same_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
