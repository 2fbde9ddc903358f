/* Projecting many rows at a time gives the bits of one row at a time, however the table lies in
 * memory. */
#include "learn/project.h"

#include "base/rng.h"
#include "learn/block.h"
#include "learn/copies.h"
#include "model/forest.h"

#include "support/check.h"
#include "support/copies_of.h"
#include "support/random_data.h"

enum { ROWS = 150, FEATURES = 12, TERMS_MAX = 9, DRAWS = 400 };

static sporf_dataset *awkward_data(void) {
    static const float special[] = {0.0f,  -0.0f,  1e-45f, -1e-45f,
                                    1e30f, -1e30f, 1.0f,   0x1.fffffep-1f};
    static float values[ROWS * FEATURES];
    sporf_random random = spf_random_start(1, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS * FEATURES; i++)
        values[i] = spf_random_below(&random, 3) ? (float)spf_random_normal(&random)
                                                 : special[spf_random_below(&random, 8)];
    sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, FEATURES, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    return data;
}

/* A projection with so many terms, weights of which are signs or not. */
static void draw_projection(sporf_random *random, size_t terms, sporf_projections *list) {
    uint32_t cards[FEATURES];
    float weights[TERMS_MAX];
    int signs = (int)spf_random_below(random, 2);
    for (uint32_t i = 0; i < FEATURES; i++) cards[i] = i;
    for (uint32_t i = 0; i < terms; i++) {
        uint32_t other = i + spf_random_below(random, FEATURES - i), card = cards[other];
        cards[other] = cards[i];
        cards[i] = card;
        float sign = spf_random_below(random, 2) ? 1 : -1;
        weights[i] = signs ? sign : sign * (0.01f + (float)spf_random_uniform(random));
    }
    assert_ok(sporf_projections_add(list, terms, cards, weights));
}

static void assert_same_bits(const sporf_projections *list, size_t index, const sporf_dataset *data,
                             const uint32_t *row, size_t count, const float *value) {
    uint32_t start = list->start[index];
    for (size_t i = 0; i < count; i++) {
        float wanted = spf_project_column(data->columns, row[i], list->feature + start,
                                          list->weight + start, spf_projection_terms(list, index));
        assert_memory_equal(&value[i], &wanted, sizeof wanted);
    }
}

/* Any rows in any order, some of them twice. */
static size_t draw_rows(sporf_random *random, uint32_t *row) {
    size_t count = spf_random_below(random, ROWS + 1);
    for (size_t i = 0; i < count; i++) row[i] = spf_random_below(random, ROWS);
    return count;
}

static void check_table(const sporf_dataset *data, const spf_table *table) {
    sporf_random random = spf_random_start(2, 0, SPF_USE_DRAW);
    sporf_projections list = {.features = FEATURES};
    uint32_t row[ROWS];
    float value[ROWS + 1];
    for (size_t i = 0; i < DRAWS; i++) draw_projection(&random, 1 + i % TERMS_MAX, &list);
    assert_int_equal(list.count, DRAWS);
    for (size_t i = 0; i < DRAWS; i++) {
        size_t count = draw_rows(&random, row);
        value[count] = 77;
        spf_project_rows(&list, i, table, row, count, value);
        assert_same_bits(&list, i, data, row, count, value);
        assert_true(value[count] == 77);
    }
    spf_projections_free(&list);
}

/* The same rows out of blocks of the table, which hold some of them in another order. */
static void check_blocks(const sporf_dataset *data, const spf_table *table) {
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    sporf_projections list = {.features = FEATURES};
    spf_block block = {0};
    uint32_t row[ROWS], place[ROWS];
    float value[ROWS];
    for (size_t i = 0; i < DRAWS / 4; i++) {
        spf_projections_clear(&list);
        draw_projection(&random, 1 + i % TERMS_MAX, &list);
        size_t count = draw_rows(&random, row);
        memcpy(place, row, count * sizeof *row);
        assert_ok(spf_block_open(&block, table, count));
        spf_block_copy(&block, table, 0, place, count);
        spf_project_rows(&list, 0, &block.table, place, count, value);
        assert_same_bits(&list, 0, data, row, count, value);
    }
    spf_block_free(&block);
    spf_projections_free(&list);
}

static spf_table columns_of(const sporf_dataset *data) {
    return (spf_table){.rows = ROWS, .features = FEATURES, .stride = 1, .columns = data->columns};
}

static void columns_are_projected_bit_for_bit(void **state) {
    (void)state;
    sporf_dataset *data = awkward_data();
    spf_table table = columns_of(data);
    check_table(data, &table);
    check_blocks(data, &table);
    sporf_dataset_free(data);
}

static void a_table_row_by_row_is_projected_bit_for_bit(void **state) {
    (void)state;
    sporf_dataset *data = awkward_data();
    spf_copies copies;
    assert_ok(copies_of(data, 1e9, 1, &copies));
    assert_null(copies.by_row.bytes);
    assert_int_equal(copies.by_row.rows, ROWS);
    check_table(data, &copies.by_row);
    check_blocks(data, &copies.by_row);
    spf_copies_free(&copies);
    sporf_dataset_free(data);
}

static void bytes_are_projected_bit_for_bit(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_BYTES, ROWS, FEATURES, 2, 1);
    spf_copies copies;
    assert_ok(copies_of(data, 1e9, 1, &copies));
    assert_non_null(copies.by_row.bytes);
    assert_non_null(copies.by_column.bytes);
    check_table(data, &copies.by_row);
    check_blocks(data, &copies.by_row);
    check_table(data, &copies.by_column);
    check_blocks(data, &copies.by_column);
    spf_copies_free(&copies);
    sporf_dataset_free(data);
}

static void a_range_of_rows_is_projected_bit_for_bit(void **state) {
    (void)state;
    sporf_dataset *data = awkward_data();
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    sporf_projections list = {.features = FEATURES};
    uint32_t row[ROWS];
    float value[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) row[i] = i;
    for (size_t i = 0; i < DRAWS; i++) draw_projection(&random, 1 + i % TERMS_MAX, &list);
    for (size_t i = 0; i < DRAWS; i++) {
        size_t begin = spf_random_below(&random, ROWS);
        size_t end = begin + spf_random_below(&random, (uint32_t)(ROWS - begin) + 1);
        for (size_t r = 0; r < ROWS; r++) value[r] = 77;
        spf_project_range(&list, i, data->columns, begin, end, value);
        assert_same_bits(&list, i, data, row + begin, end - begin, value + begin);
        for (size_t r = 0; r < ROWS; r++) assert_true((r >= begin && r < end) || value[r] == 77);
    }
    spf_projections_free(&list);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_projected_bit_for_bit),
        cmocka_unit_test(a_table_row_by_row_is_projected_bit_for_bit),
        cmocka_unit_test(bytes_are_projected_bit_for_bit),
        cmocka_unit_test(a_range_of_rows_is_projected_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
