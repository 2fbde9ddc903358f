/* Blocks: rows copied together keep their values, also out of other blocks, and in storage that is
 * used again and again. */
#include "learn/rows/block.h"

#include "base/rng.h"
#include "learn/rows/copies.h"

#include "support/check.h"
#include "support/copies_of.h"
#include "support/random_data.h"

enum { ROWS = 400, FEATURES = 7, LEVELS = 5 };

static float value_at(const spf_table *table, size_t row, size_t feature) {
    size_t place = row * table->stride;
    return table->bytes ? (float)table->bytes[feature][place] : table->columns[feature][place];
}

/* Row place[i] of the table must be row row[i] of the data. */
static void assert_holds(const spf_table *table, const uint32_t *place, const sporf_dataset *data,
                         const uint32_t *row, size_t count) {
    for (size_t f = 0; f < FEATURES; f++)
        for (size_t i = 0; i < count; i++)
            if (value_at(table, place[i], f) != data->columns[f][row[i]])
                fail_msg("row %u of the data is %g instead of %g", row[i],
                         value_at(table, place[i], f), data->columns[f][row[i]]);
}

static void shuffle(sporf_random *random, uint32_t *a, uint32_t *b, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t j = spf_random_below(random, (uint32_t)i);
        uint32_t x = a[i - 1], y = b[i - 1];
        a[i - 1] = a[j];
        b[i - 1] = b[j];
        a[j] = x;
        b[j] = y;
    }
}

/* The four ways in which a table may lie. */
typedef struct {
    sporf_dataset *floats, *bytes;
    spf_copies float_copies, byte_copies;
    spf_table tables[4];
    const sporf_dataset *data[4];
} tables;

static tables *new_tables(void) {
    tables *t = need(1, sizeof *t);
    t->floats = random_data(DATA_SMOOTH, ROWS, FEATURES, 2, 1);
    t->bytes = random_data(DATA_BYTES, ROWS, FEATURES, 2, 1);
    assert_ok(copies_of(t->floats, 1e9, 1, &t->float_copies));
    assert_ok(copies_of(t->bytes, 1e9, 1, &t->byte_copies));
    t->tables[0] =
        (spf_table){.rows = ROWS, .features = FEATURES, .stride = 1, .columns = t->floats->columns};
    t->tables[1] = t->float_copies.by_row;
    t->tables[2] = t->byte_copies.by_column;
    t->tables[3] = t->byte_copies.by_row;
    for (int i = 0; i < 4; i++) t->data[i] = i < 2 ? t->floats : t->bytes;
    return t;
}

static void free_tables(tables *t) {
    spf_copies_free(&t->float_copies);
    spf_copies_free(&t->byte_copies);
    sporf_dataset_free(t->floats);
    sporf_dataset_free(t->bytes);
    free(t);
}

/* Fills a block with rows in two parts, as the rows in and out of the bag are. */
static void fill(spf_block *block, const spf_table *from, uint32_t *place, size_t count,
                 size_t first_part) {
    assert_ok(spf_block_open(block, from, count));
    spf_block_copy(block, from, 0, place, first_part);
    spf_block_copy(block, from, first_part, place + first_part, count - first_part);
    assert_int_equal(block->table.rows, count);
    assert_int_equal(block->table.features, FEATURES);
    assert_int_equal(!block->table.bytes, !from->bytes);
    for (size_t i = 0; i < count; i++) assert_int_equal(place[i], i);
}

static void blocks_of_blocks_hold_the_rows_of_the_table(void **state) {
    (void)state;
    tables *t = new_tables();
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    spf_block blocks[LEVELS] = {0};
    for (int n = 0; n < 400; n++) {
        uint32_t row[ROWS], place[ROWS];
        const spf_table *from = &t->tables[n % 4];
        size_t count = ROWS;
        for (uint32_t i = 0; i < ROWS; i++) row[i] = place[i] = i;
        for (int level = 0; level < LEVELS; level++) {
            shuffle(&random, row, place, count);
            count = spf_random_below(&random, (uint32_t)count + 1);
            fill(&blocks[level], from, place, count,
                 spf_random_below(&random, (uint32_t)count + 1));
            from = &blocks[level].table;
            assert_holds(from, place, t->data[n % 4], row, count);
        }
    }
    for (int level = 0; level < LEVELS; level++) spf_block_free(&blocks[level]);
    free_tables(t);
}

/* The block that a block was filled from keeps its rows. */
static void an_inner_block_leaves_the_outer_as_it_was(void **state) {
    (void)state;
    tables *t = new_tables();
    for (int k = 0; k < 4; k++) {
        spf_block outer = {0}, inner = {0};
        uint32_t row[ROWS], place[ROWS], inner_row[ROWS], inner_place[ROWS];
        for (uint32_t i = 0; i < ROWS; i++) row[i] = place[i] = ROWS - 1 - i;
        fill(&outer, &t->tables[k], place, ROWS, ROWS / 3);
        for (uint32_t i = 0; i < ROWS / 2; i++) {
            inner_row[i] = row[2 * i];
            inner_place[i] = place[2 * i];
        }
        fill(&inner, &outer.table, inner_place, ROWS / 2, ROWS / 2);
        assert_holds(&inner.table, inner_place, t->data[k], inner_row, ROWS / 2);
        assert_holds(&outer.table, place, t->data[k], row, ROWS);
        spf_block_free(&inner);
        assert_holds(&outer.table, place, t->data[k], row, ROWS);
        spf_block_free(&outer);
    }
    free_tables(t);
}

static void a_row_may_be_copied_more_than_once(void **state) {
    (void)state;
    tables *t = new_tables();
    spf_block block = {0};
    for (int k = 0; k < 4; k++) {
        uint32_t row[ROWS], place[ROWS];
        for (uint32_t i = 0; i < ROWS; i++) row[i] = place[i] = i / 7;
        fill(&block, &t->tables[k], place, ROWS, 5);
        assert_holds(&block.table, place, t->data[k], row, ROWS);
    }
    spf_block_free(&block);
    free_tables(t);
}

static void a_freed_block_may_be_filled_again(void **state) {
    (void)state;
    tables *t = new_tables();
    spf_block block = {0};
    spf_block_free(&block);
    for (int k = 0; k < 4; k++) {
        uint32_t place[] = {3}, row[] = {3};
        fill(&block, &t->tables[k], place, 1, 1);
        assert_holds(&block.table, place, t->data[k], row, 1);
        spf_block_free(&block);
    }
    free_tables(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_blocks_hold_the_rows_of_the_table),
        cmocka_unit_test(an_inner_block_leaves_the_outer_as_it_was),
        cmocka_unit_test(a_row_may_be_copied_more_than_once),
        cmocka_unit_test(a_freed_block_may_be_filled_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
