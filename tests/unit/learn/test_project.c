/* Projecting many rows at a time gives the bits of one row at a time, however the table lies in
 * memory. */
#include "learn/rows/project.h"

#include "base/rng.h"
#include "learn/rows/block.h"
#include "learn/rows/copies.h"
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
    size_t count = spf_random_below(random, spf_random_below(random, 2) ? 20 : ROWS + 1);
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

/* ---- terms that name sets of levels ---------------------------------------------------------- */

enum { LEVELS = 40 };

/* Every second column has levels; of numbers and levels alike some are missing, unless all values
 * are to be bytes. */
static sporf_dataset *mixed_data(int bytes) {
    static float values[ROWS * FEATURES];
    sporf_random random = spf_random_start(5, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS * FEATURES; i++) {
        float level = (float)spf_random_below(&random, LEVELS);
        float number = (float)spf_random_normal(&random);
        values[i] = bytes || i / ROWS % 2 ? level : number;
        if (!bytes && spf_random_below(&random, 8) == 0) values[i] = NAN;
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, FEATURES, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    return data;
}

/* One level, or any from a random first to the last. */
static uint32_t draw_set(sporf_random *random, spf_set_list *sets) {
    uint32_t number, feature = 1 + 2 * spf_random_below(random, FEATURES / 2);
    uint32_t first = spf_random_below(random, LEVELS);
    if (spf_random_below(random, 2)) {
        assert_ok(spf_set_list_add_level(sets, feature, first, &number));
        return FEATURES + number;
    }
    assert_ok(spf_set_list_open(sets, feature, first, LEVELS - 1, &number));
    for (uint32_t level = first; level < LEVELS; level++)
        if (spf_random_below(random, 2)) spf_set_list_put(sets, level);
    return FEATURES + number;
}

/* A few features, then a few sets. */
static void draw_mixed(sporf_random *random, spf_set_list *sets, sporf_projections *list) {
    uint32_t feature[TERMS_MAX];
    float weight[TERMS_MAX];
    size_t terms = 0;
    spf_set_list_clear(sets);
    for (uint32_t f = 0; f < 8; f += 2)
        if (spf_random_below(random, 3) == 0) feature[terms++] = f;
    for (size_t n = 1 + spf_random_below(random, 4); n > 0; n--)
        feature[terms++] = draw_set(random, sets);
    for (size_t i = 0; i < terms; i++) weight[i] = (float)spf_random_normal(random);
    spf_projections_clear(list);
    list->sets = sets;
    assert_ok(spf_projections_put(list, terms, feature, weight));
}

static float sum_of_terms(const sporf_projections *list, const sporf_dataset *data, uint32_t row) {
    spf_sets sets = spf_set_list_view(list->sets);
    float sum = -0.0f;
    for (size_t i = 0; i < list->terms; i++) {
        uint32_t feature = list->feature[i];
        const spf_set *set = feature < FEATURES ? NULL : &sets.sets[feature - FEATURES];
        sum += list->weight[i] * (set ? spf_set_value(&sets, set, data->columns[set->feature][row])
                                      : data->columns[feature][row]);
    }
    return sum;
}

static void check_sets(const sporf_dataset *data, const spf_table *table) {
    sporf_random random = spf_random_start(6, 0, SPF_USE_DRAW);
    sporf_projections list = {.features = FEATURES};
    spf_set_list sets = {0};
    uint32_t row[ROWS];
    float value[ROWS];
    for (size_t i = 0; i < DRAWS; i++) {
        draw_mixed(&random, &sets, &list);
        size_t count = draw_rows(&random, row);
        spf_project_rows(&list, 0, table, row, count, value);
        for (size_t r = 0; r < count; r++) {
            float wanted = sum_of_terms(&list, data, row[r]);
            if (isnan(wanted))
                assert_true(isnan(value[r]));
            else
                assert_memory_equal(&value[r], &wanted, sizeof wanted);
        }
    }
    spf_set_list_free(&sets);
    spf_projections_free(&list);
}

static void sets_of_levels_are_projected_bit_for_bit(void **state) {
    (void)state;
    for (int bytes = 0; bytes < 2; bytes++) {
        sporf_dataset *data = mixed_data(bytes);
        spf_copies copies;
        assert_ok(copies_of(data, 1e9, 1, &copies));
        assert_true((copies.by_row.bytes != NULL) == bytes);
        spf_table table = columns_of(data);
        check_sets(data, &table);
        check_sets(data, &copies.by_row);
        if (bytes) check_sets(data, &copies.by_column);
        spf_copies_free(&copies);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_projected_bit_for_bit),
        cmocka_unit_test(a_table_row_by_row_is_projected_bit_for_bit),
        cmocka_unit_test(bytes_are_projected_bit_for_bit),
        cmocka_unit_test(a_range_of_rows_is_projected_bit_for_bit),
        cmocka_unit_test(sets_of_levels_are_projected_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
