/* Copies of a table: the same values in another place, as bytes where nothing is lost by it, and
 * never more than allowed.
 * Labels: threads */
#include "learn/rows/copies.h"

#include "base/rng.h"

#include "support/check.h"
#include "support/copies_of.h"

typedef struct {
    size_t rows, features;
} shape;

static const shape shapes[] = {{1, 1},  {1, 9},  {9, 1},    {63, 5},
                               {64, 5}, {65, 5}, {1500, 3}, {200, 130}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

typedef float (*draw_value)(sporf_random *random);

static float draw_float(sporf_random *random) {
    static const float special[] = {0.0f, -0.0f, 1e-45f, 1e30f, -1e30f, 255.5f, 256.0f};
    return spf_random_below(random, 2) ? (float)spf_random_normal(random)
                                       : special[spf_random_below(random, 7)];
}

static float draw_byte(sporf_random *random) {
    static const float special[] = {0.0f, -0.0f, 255.0f};
    return spf_random_below(random, 8) ? (float)spf_random_below(random, 256)
                                       : special[spf_random_below(random, 3)];
}

static sporf_dataset *new_data(shape size, draw_value draw) {
    sporf_random random = spf_random_start(size.rows, size.features, SPF_USE_SIMULATE);
    sporf_dataset *data = NULL;
    assert_ok(spf_dataset_create(size.rows, size.features, &data));
    for (size_t f = 0; f < size.features; f++)
        for (size_t i = 0; i < size.rows; i++) spf_dataset_column(data, f)[i] = draw(&random);
    return data;
}

static float value_at(const spf_table *table, size_t row, size_t feature) {
    size_t place = row * table->stride;
    return table->bytes ? (float)table->bytes[feature][place] : table->columns[feature][place];
}

static void assert_same_values(const sporf_dataset *data, const spf_table *table) {
    assert_int_equal(table->rows, data->rows);
    assert_int_equal(table->features, data->features);
    for (size_t f = 0; f < data->features; f++)
        for (size_t i = 0; i < data->rows; i++)
            if (value_at(table, i, f) != data->columns[f][i])
                fail_msg("row %zu of feature %zu is %g instead of %g", i, f, value_at(table, i, f),
                         data->columns[f][i]);
}

/* Whether the values of a row lie next to each other. */
static int lies_row_by_row(const spf_table *table) {
    int right = table->stride == table->features;
    for (size_t f = 1; f < table->features; f++)
        right &= table->bytes ? table->bytes[f] == table->bytes[0] + f
                              : table->columns[f] == table->columns[0] + f;
    return right;
}

static void assert_no_copies(const spf_copies *copies) {
    assert_int_equal(copies->by_row.rows, 0);
    assert_int_equal(copies->by_column.rows, 0);
    assert_null(copies->row_storage);
    assert_null(copies->column_storage);
}

static void floats_are_copied_row_by_row(void **state) {
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (unsigned threads = 1; threads <= 4; threads += 3) {
            sporf_dataset *data = new_data(shapes[s], draw_float);
            spf_copies copies;
            spf_dataset_column(data, 0)[0] = 0.5f;
            assert_ok(copies_of(data, 1e9, threads, &copies));
            assert_null(copies.by_row.bytes);
            assert_true(lies_row_by_row(&copies.by_row));
            assert_same_values(data, &copies.by_row);
            assert_int_equal(copies.by_column.rows, 0);
            spf_copies_free(&copies);
            sporf_dataset_free(data);
        }
}

static void whole_numbers_up_to_255_become_bytes(void **state) {
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (unsigned threads = 1; threads <= 4; threads += 3) {
            sporf_dataset *data = new_data(shapes[s], draw_byte);
            spf_copies copies;
            assert_ok(copies_of(data, 1e9, threads, &copies));
            assert_non_null(copies.by_row.bytes);
            assert_non_null(copies.by_column.bytes);
            assert_true(lies_row_by_row(&copies.by_row));
            assert_int_equal(copies.by_column.stride, 1);
            assert_same_values(data, &copies.by_row);
            assert_same_values(data, &copies.by_column);
            spf_copies_free(&copies);
            sporf_dataset_free(data);
        }
}

/* Wherever it lies, one value that is no byte keeps all of them floats. */
static void one_other_value_keeps_a_table_from_bytes(void **state) {
    (void)state;
    static const float others[] = {256,    -1,    0.5f,       254.99998f,    255.00002f,
                                   1e-45f, 1e30f, -0x1p-149f, 4294967296.0f, -1e30f};
    sporf_random random = spf_random_start(1, 0, SPF_USE_DRAW);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (int n = 0; n < 20; n++) {
            shape size = shapes[spf_random_below(&random, SHAPES)];
            sporf_dataset *data = new_data(size, draw_byte);
            size_t cell = spf_random_below(&random, (uint32_t)(size.rows * size.features));
            spf_copies copies;
            data->storage[n == 0 ? 0 : n == 1 ? size.rows * size.features - 1 : cell] = others[i];
            assert_ok(copies_of(data, 1e9, 2, &copies));
            assert_null(copies.by_row.bytes);
            assert_same_values(data, &copies.by_row);
            assert_int_equal(copies.by_column.rows, 0);
            spf_copies_free(&copies);
            sporf_dataset_free(data);
        }
}

static void no_copy_is_made_above_the_limit(void **state) {
    (void)state;
    for (size_t s = 0; s < SHAPES; s++) {
        double cells = (double)(shapes[s].rows * shapes[s].features);
        sporf_dataset *floats = new_data(shapes[s], draw_float),
                      *bytes = new_data(shapes[s], draw_byte);
        spf_copies copies;
        spf_dataset_column(floats, 0)[0] = 0.5f;
        const double none[] = {0, cells - 1, cells * sizeof(float) - 1};
        for (size_t i = 0; i < 3; i++) {
            assert_ok(copies_of(floats, none[i], 1, &copies));
            assert_no_copies(&copies);
            spf_copies_free(&copies);
        }
        assert_ok(copies_of(floats, cells * sizeof(float), 1, &copies));
        assert_same_values(floats, &copies.by_row);
        spf_copies_free(&copies);
        assert_ok(copies_of(bytes, cells - 1, 1, &copies));
        assert_no_copies(&copies);
        assert_ok(copies_of(bytes, cells, 1, &copies));
        assert_same_values(bytes, &copies.by_row);
        assert_same_values(bytes, &copies.by_column);
        spf_copies_free(&copies);
        sporf_dataset_free(floats);
        sporf_dataset_free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_copied_row_by_row),
        cmocka_unit_test(whole_numbers_up_to_255_become_bytes),
        cmocka_unit_test(one_other_value_keeps_a_table_from_bytes),
        cmocka_unit_test(no_copy_is_made_above_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
