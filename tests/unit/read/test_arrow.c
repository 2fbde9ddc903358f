/* Arrow record batches through the C data interface: types, offsets, borrowing, nulls. */
#include "data/dataset.h"
#include "read/arrow_abi.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CHILDREN_MAX = 4 };

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

/* A batch with room for a few children. */
typedef struct {
    struct ArrowSchema schema, child_schema[CHILDREN_MAX], *schemas[CHILDREN_MAX];
    struct ArrowArray array, child_array[CHILDREN_MAX], *arrays[CHILDREN_MAX];
    const void *buffers[CHILDREN_MAX][5], *none[1];
} batch;

static void batch_start(batch *b, int64_t rows) {
    memset(b, 0, sizeof *b);
    b->schema =
        (struct ArrowSchema){.format = "+s", .children = b->schemas, .release = release_schema};
    b->array = (struct ArrowArray){.length = rows,
                                   .n_buffers = 1,
                                   .buffers = b->none,
                                   .children = b->arrays,
                                   .release = release_array};
}

static struct ArrowArray *batch_add(batch *b, const char *name, const char *format,
                                    const void *values, const void *text) {
    int64_t k = b->schema.n_children++;
    b->array.n_children++;
    b->child_schema[k] =
        (struct ArrowSchema){.format = format, .name = name, .release = release_schema};
    b->buffers[k][1] = values;
    b->buffers[k][2] = text;
    b->child_array[k] = (struct ArrowArray){.length = b->array.length + b->array.offset,
                                            .n_buffers = text ? 3 : 2,
                                            .buffers = b->buffers[k],
                                            .release = release_array};
    b->schemas[k] = &b->child_schema[k];
    b->arrays[k] = &b->child_array[k];
    return b->arrays[k];
}

static sporf_status read_batch(const batch *b, const char *label, sporf_dataset **data) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.label = label;
    return sporf_dataset_from_arrow(&b->schema, &b->array, &options, data);
}

static sporf_dataset *open_batch(const batch *b, const char *label) {
    sporf_dataset *data = NULL;
    if (read_batch(b, label, &data) != SPORF_OK) fail_msg("%s", sporf_last_error());
    return data;
}

static void assert_refused(const batch *b, const char *label, sporf_status code,
                           const char *words) {
    sporf_dataset *data = NULL;
    assert_int_equal(read_batch(b, label, &data), code);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void every_number_type_becomes_a_feature(void **state) {
    (void)state;
    static const int8_t i8[] = {1, 0, 1};
    static const uint8_t u8[] = {1, 0, 1}, bits[] = {0x05};
    static const int16_t i16[] = {1, 0, 1};
    static const uint16_t u16[] = {1, 0, 1}, f16[] = {0x3c00, 0, 0x3c00};
    static const int32_t i32[] = {1, 0, 1};
    static const uint32_t u32[] = {1, 0, 1};
    static const int64_t i64[] = {1, 0, 1};
    static const uint64_t u64[] = {1, 0, 1};
    static const float f32[] = {1, 0, 1};
    static const double f64[] = {1, 0, 1};
    static const struct {
        const char *format;
        const void *values;
    } types[] = {{"c", i8},  {"C", u8},  {"s", i16}, {"S", u16}, {"i", i32}, {"I", u32},
                 {"l", i64}, {"L", u64}, {"e", f16}, {"f", f32}, {"g", f64}, {"b", bits}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        batch b;
        batch_start(&b, 3);
        batch_add(&b, "first", types[i].format, types[i].values, NULL);
        batch_add(&b, "second", "i", i32, NULL);
        batch_add(&b, "kind", types[i].format, types[i].values, NULL);
        sporf_dataset *data = open_batch(&b, "kind");
        assert_int_equal(sporf_dataset_features(data), 2);
        for (size_t j = 0; j < 2; j++)
            for (size_t r = 0; r < 3; r++)
                if (sporf_dataset_feature(data, j)[r] != (r != 1)) fail_msg("%s", types[i].format);
        assert_string_equal(sporf_schema_feature_name(sporf_dataset_schema(data), 1), "second");
        assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 0), "0");
        assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), 1), "1");
        assert_int_equal(sporf_dataset_labels(data)[1], 0);
        assert_string_equal(data->schema.label_name, "kind");
        sporf_dataset_free(data);
    }
}

static void single_precision_is_borrowed(void **state) {
    (void)state;
    static const float values[] = {1, 2, 3};
    static const double others[] = {4, 5, 6};
    batch b;
    batch_start(&b, 3);
    batch_add(&b, "y", "g", others, NULL);
    batch_add(&b, "x", "f", values, NULL);
    sporf_dataset *data = open_batch(&b, NULL);
    assert_ptr_equal(sporf_dataset_feature(data, 1), values);
    assert_true(sporf_dataset_feature(data, 0)[2] == 6);
    assert_null(sporf_dataset_labels(data));
    sporf_dataset_free(data);
    assert_non_null(b.array.release); /* still the caller's */
}

static void values_out_of_line_are_copied(void **state) {
    (void)state;
    char bytes[1 + 3 * sizeof(float)];
    const float values[] = {1, 2, 3};
    memcpy(bytes + 1, values, sizeof values);
    batch b;
    batch_start(&b, 3);
    batch_add(&b, "x", "f", bytes + 1, NULL);
    sporf_dataset *data = open_batch(&b, NULL);
    assert_memory_equal(sporf_dataset_feature(data, 0), values, sizeof values);
    sporf_dataset_free(data);
}

static void offsets_of_batch_and_child_add_up(void **state) {
    (void)state;
    static const float f32[] = {9, 9, 9, 1, 2, 9};
    static const int32_t i32[] = {9, 9, 1, 2, 9};
    static const uint8_t bits[] = {0x10}; /* element 4 */
    static const int32_t starts[] = {0, 1, 2, 3, 4, 6};
    batch b;
    batch_start(&b, 2);
    b.array.offset = 2;
    batch_add(&b, "f", "f", f32, NULL)->offset = 1;
    batch_add(&b, "i", "i", i32, NULL);
    batch_add(&b, "b", "b", bits, NULL)->offset = 1;
    batch_add(&b, "u", "u", starts, "wxyzab")->offset = 1;
    sporf_dataset *data = open_batch(&b, "u");
    for (size_t j = 0; j < 2; j++)
        assert_true(sporf_dataset_feature(data, j)[0] == 1 &&
                    sporf_dataset_feature(data, j)[1] == 2);
    assert_true(sporf_dataset_feature(data, 2)[0] == 0 && sporf_dataset_feature(data, 2)[1] == 1);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[0]), "z");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[1]), "ab");
    sporf_dataset_free(data);
}

static void labels_may_be_large_text_or_a_dictionary(void **state) {
    (void)state;
    static const float x[] = {1, 2, 3};
    static const int64_t starts[] = {0, 3, 6, 9};
    static const int32_t small[] = {0, 1, 4, 7};
    static const int8_t codes[] = {1, 0, 1};
    batch b;
    batch_start(&b, 3);
    batch_add(&b, "x", "f", x, NULL);
    batch_add(&b, "kind", "U", starts, "dogcatdog");
    sporf_dataset *data = open_batch(&b, "kind");
    assert_int_equal(sporf_dataset_classes(data), 2);
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[2]),
                        "dog");
    sporf_dataset_free(data);

    batch_start(&b, 3);
    batch_add(&b, "x", "f", x, NULL);
    struct ArrowArray *indices = batch_add(&b, "kind", "c", codes, NULL);
    const void *buffers[] = {NULL, small, "?catdog"};
    struct ArrowArray words = {
        .length = 2, .offset = 1, .n_buffers = 3, .buffers = buffers, .release = release_array};
    struct ArrowSchema words_schema = {.format = "u", .release = release_schema};
    indices->dictionary = &words;
    b.child_schema[1].dictionary = &words_schema;
    data = open_batch(&b, "kind");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[0]),
                        "dog");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[1]),
                        "cat");
    sporf_dataset_free(data);
    static const int8_t wild[] = {1, 2, 0};
    b.buffers[1][1] = wild;
    assert_refused(&b, "kind", SPORF_ERROR_ARGUMENT,
                   "column 2 ('kind'): index 2 in a dictionary of 2");
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT,
                   "column 2 ('kind'): index 2 in a dictionary of 2");
    words_schema.format = "i";
    assert_refused(&b, NULL, SPORF_ERROR_DATA,
                   "column 2 ('kind'): Arrow type 'c' with a dictionary");
}

static void text_and_dictionaries_become_categories(void **state) {
    (void)state;
    static const int32_t starts[] = {0, 3, 3, 6, 9}, values[] = {0, 3, 6, 10};
    static const int8_t codes[] = {1, 0, 9, 1};
    static const uint8_t valid[] = {0x0b};
    batch b;
    batch_start(&b, 4);
    batch_add(&b, "pet", "u", starts, "dogcatdog");
    struct ArrowArray *indices = batch_add(&b, "size", "c", codes, NULL);
    const void *buffers[] = {NULL, values, "tinbighuge"};
    struct ArrowArray words = {
        .length = 3, .n_buffers = 3, .buffers = buffers, .release = release_array};
    struct ArrowSchema words_schema = {.format = "u", .release = release_schema};
    indices->dictionary = &words;
    indices->null_count = 1;
    b.buffers[1][0] = valid;
    b.child_schema[1].dictionary = &words_schema;
    sporf_dataset *data = open_batch(&b, NULL);
    assert_true(data->has_missing);
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 0), SPORF_KIND_CATEGORY);
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 0), 2);
    assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 0, 1), "dog");
    assert_true(data->columns[0][0] == 1 && isnan(data->columns[0][1]) && data->columns[0][2] == 0);
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 2);
    assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 1, 0), "big");
    assert_true(data->columns[1][0] == 0 && data->columns[1][1] == 1 && isnan(data->columns[1][2]));
    sporf_dataset_free(data);
    b.child_schema[1].flags = ARROW_FLAG_DICTIONARY_ORDERED;
    data = open_batch(&b, NULL);
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 1), SPORF_KIND_ORDINAL);
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 1), 3);
    assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 1, 0), "tin");
    assert_true(data->columns[1][0] == 1 && data->columns[1][3] == 1);
    sporf_dataset_free(data);
}

/* ---- string views ---------------------------------------------------------------------------- */

/* A view as the format lays it out: texts of up to 12 bytes within, others in a buffer. */
typedef struct {
    int32_t length;
    union {
        char text[12];
        struct {
            char start[4];
            int32_t buffer, place;
        } aside;
    };
} view;

static const char long_texts[] = "a text of more than twelve bytesanother one that is long";
static const char more_texts[] = "one that lies in a second buffer";
static const int64_t text_sizes[] = {sizeof long_texts - 1, sizeof more_texts - 1};

static const view texts[] = {
    {.length = 3, .text = "cat"},
    {.length = 32, .aside = {"a te", 0, 0}},
    {.length = 0},
    {.length = 32, .aside = {"one ", 1, 0}},
    {.length = 24, .aside = {"anot", 0, 32}},
    {.length = 12, .text = {'t', 'w', 'e', 'l', 'v', 'e', ' ', 'b', 'y', 't', 'e', 's'}},
    {.length = 3, .text = "cat"},
};

static void make_views(struct ArrowArray *array, const void **buffers, const view *views) {
    buffers[1] = views;
    buffers[2] = long_texts;
    buffers[3] = more_texts;
    buffers[4] = text_sizes;
    array->n_buffers = 5;
}

static void string_views_become_categories(void **state) {
    (void)state;
    static const char *const levels[] = {"a text of more than twelve bytes",
                                         "another one that is long", "cat",
                                         "one that lies in a second buffer", "twelve bytes"};
    static const float wanted[] = {2, 0, -1, 3, 1, 4, 2};
    batch b;
    batch_start(&b, 7);
    make_views(batch_add(&b, "pet", "vu", NULL, NULL), b.buffers[0], texts);
    sporf_dataset *data = open_batch(&b, NULL);
    assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 0), SPORF_KIND_CATEGORY);
    assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 0), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 0, i), levels[i]);
    for (size_t i = 0; i < 7; i++)
        assert_true(wanted[i] < 0 ? isnan(data->columns[0][i]) : data->columns[0][i] == wanted[i]);
    sporf_dataset_free(data);
}

/* Rows 1 and 2 of a batch that starts at its element 2, in a column that starts at 1. */
static void slices_of_string_views_are_found(void **state) {
    (void)state;
    static const float x[] = {0, 0, 1, 2};
    static const uint8_t all_but_the_third[] = {0xfb}; /* of the column's elements */
    batch b;
    batch_start(&b, 2);
    b.array.offset = 2;
    struct ArrowArray *child = batch_add(&b, "kind", "vu", NULL, NULL);
    make_views(child, b.buffers[0], texts);
    b.buffers[0][0] = all_but_the_third;
    child->null_count = 1;
    child->offset = 1;
    batch_add(&b, "x", "f", x, NULL);
    sporf_dataset *data = open_batch(&b, "kind");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[0]),
                        "one that lies in a second buffer");
    assert_string_equal(sporf_schema_class_name(sporf_dataset_schema(data), data->labels[1]),
                        "another one that is long");
    assert_true(data->columns[0][0] == 1);
    sporf_dataset_free(data);
}

static void dictionaries_of_every_index_type_may_hold_string_views(void **state) {
    (void)state;
    static const int8_t i8[] = {9, 2, 0, 3};
    static const uint8_t u8[] = {9, 2, 0, 3};
    static const int16_t i16[] = {9, 2, 0, 3};
    static const uint16_t u16[] = {9, 2, 0, 3};
    static const int32_t i32[] = {9, 2, 0, 3};
    static const uint32_t u32[] = {9, 2, 0, 3};
    static const int64_t i64[] = {9, 2, 0, 3};
    static const uint64_t u64[] = {9, 2, 0, 3};
    static const struct {
        const char *format;
        const void *indices;
    } types[] = {{"c", i8},  {"C", u8},  {"s", i16}, {"S", u16},
                 {"i", i32}, {"I", u32}, {"l", i64}, {"L", u64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        batch b;
        const void *buffers[5] = {NULL};
        struct ArrowArray words = {
            .length = 4, .offset = 1, .buffers = buffers, .release = release_array};
        struct ArrowSchema words_schema = {.format = "vu", .release = release_schema};
        batch_start(&b, 3);
        struct ArrowArray *child = batch_add(&b, "pet", types[i].format, types[i].indices, NULL);
        child->offset = 1; /* what lies before it is no index */
        make_views(&words, buffers, texts);
        child->dictionary = &words;
        b.child_schema[0].dictionary = &words_schema;
        sporf_dataset *data = open_batch(&b, NULL);
        assert_int_equal(sporf_schema_levels(sporf_dataset_schema(data), 0), 3);
        for (size_t row = 0; row < 3; row++)
            assert_string_equal(sporf_schema_level_name(sporf_dataset_schema(data), 0,
                                                        (size_t)data->columns[0][row]),
                                ((const char *[]){"one that lies in a second buffer",
                                                  "a text of more than twelve bytes",
                                                  "another one that is long"})[row]);
        sporf_dataset_free(data);
    }
}

static void views_without_longer_texts_need_no_buffers_for_them(void **state) {
    (void)state;
    static const view few[] = {{.length = 1, .text = "b"}, {.length = 1, .text = "a"}};
    batch b;
    batch_start(&b, 2);
    batch_add(&b, "pet", "vu", few, NULL)->n_buffers = 3;
    sporf_dataset *data = open_batch(&b, NULL);
    assert_true(data->columns[0][0] == 1 && data->columns[0][1] == 0);
    sporf_dataset_free(data);
}

static void views_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const view wrong[] = {
        {.length = -1},
        {.length = 13, .aside = {"a te", 2, 0}},
        {.length = 13, .aside = {"a te", -1, 0}},
        {.length = 13, .aside = {"a te", 0, -1}},
        {.length = 13, .aside = {"a te", 0, 44}},
        {.length = INT32_MAX, .aside = {"a te", 0, INT32_MAX}},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        batch b;
        batch_start(&b, 1);
        make_views(batch_add(&b, "pet", "vu", NULL, NULL), b.buffers[0], &wrong[i]);
        assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "column 1 ('pet'): invalid text views");
    }
    batch b;
    batch_start(&b, 2);
    struct ArrowArray *child = batch_add(&b, "pet", "vu", NULL, NULL);
    make_views(child, b.buffers[0], texts);
    b.buffers[0][4] = NULL;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "column 1 ('pet'): a buffer is missing");
    child->n_buffers = 2;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "column 1 ('pet'): a buffer is missing");
    b.buffers[0][4] = text_sizes;
    b.buffers[0][2] = NULL;
    child->n_buffers = 5;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "invalid text views");
}

/* ---- columns of nulls, and types that cannot be used ----------------------------------------- */

static void a_column_of_nulls_is_all_missing(void **state) {
    (void)state;
    static const float x[] = {1, 2, 3};
    static const int8_t indices[] = {0, 0, 0};
    for (int encoded = 0; encoded < 2; encoded++) {
        batch b;
        struct ArrowArray words = {.release = release_array};
        struct ArrowSchema words_schema = {.format = "n", .release = release_schema};
        batch_start(&b, 3);
        struct ArrowArray *child = batch_add(&b, "gone", encoded ? "c" : "n", indices, NULL);
        child->null_count = 3;
        child->n_buffers = encoded ? 2 : 0;
        child->dictionary = encoded ? &words : NULL;
        b.child_schema[0].dictionary = encoded ? &words_schema : NULL;
        batch_add(&b, "x", "g", ((double[]){1, 2, 3}), NULL);
        batch_add(&b, "y", "f", x, NULL);
        sporf_dataset *data = open_batch(&b, NULL);
        assert_true(data->has_missing);
        assert_int_equal(sporf_schema_kind(sporf_dataset_schema(data), 0), SPORF_KIND_NUMBER);
        assert_int_equal(sporf_dataset_missing(data, 0), 3);
        assert_true(data->columns[1][2] == 3 && data->columns[2] == x);
        sporf_dataset_free(data);
        assert_refused(&b, "gone", SPORF_ERROR_DATA,
                       "column 1 ('gone'): no class label in 3 of 3 rows");
    }
}

static void types_that_cannot_be_used_are_told_with_what_to_do(void **state) {
    (void)state;
    static const struct {
        const char *format, *what, *remedy;
    } types[] = {
        {"tdD", "dates", "days"},        {"tsu:UTC", "timestamps", "days"},
        {"ttn", "times of day", "days"}, {"tDs", "durations", "days"},
        {"tin", "intervals", "days"},    {"d:5,2", "decimal", "float64"},
        {"+l", "lists", "parts"},        {"+L", "lists", "parts"},
        {"+vl", "lists", "parts"},       {"+w:2", "lists", "parts"},
        {"+s", "structs", "parts"},      {"+m", "maps", "parts"},
        {"+us:0", "unions", "parts"},    {"+r", "run-end", "decode"},
        {"z", "bytes", "text"},          {"Z", "bytes", "text"},
        {"vz", "bytes", "text"},         {"w:4", "bytes", "text"},
        {"_own", "unknown", "convert"},
    };
    static const double x[] = {1, 2};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        batch b;
        batch_start(&b, 2);
        batch_add(&b, "x", "g", x, NULL);
        batch_add(&b, "when", types[i].format, x, NULL);
        assert_refused(&b, NULL, SPORF_ERROR_DATA, "column 2 ('when'): Arrow type '");
        assert_non_null(strstr(sporf_last_error(), types[i].what));
        assert_non_null(strstr(sporf_last_error(), types[i].remedy));
        assert_non_null(strstr(sporf_last_error(), "or leave the column out"));
        assert_refused(&b, "when", SPORF_ERROR_DATA, "give numbers or text");
        assert_non_null(strstr(sporf_last_error(), types[i].what));
    }
}

static void nulls_are_missing_values(void **state) {
    (void)state;
    static const float x[] = {INFINITY, 2, 3, 4};
    static const double y[] = {1e300, 2, 3, 4};
    static const uint8_t valid[] = {0x0a};
    batch b;
    batch_start(&b, 4);
    struct ArrowArray *child = batch_add(&b, "width", "f", x, NULL);
    struct ArrowArray *other = batch_add(&b, "height", "g", y, NULL);
    b.buffers[0][0] = b.buffers[1][0] = valid;
    for (int count = -1; count <= 2; count += 3) {
        child->null_count = other->null_count = count;
        sporf_dataset *data = open_batch(&b, NULL);
        assert_true(data->has_missing);
        for (size_t j = 0; j < 2; j++) {
            assert_true(isnan(data->columns[j][0]) && isnan(data->columns[j][2]));
            assert_true(data->columns[j][1] == 2 && data->columns[j][3] == 4);
        }
        sporf_dataset_free(data);
    }
    /* only the rows of the batch count */
    b.array.offset = 1;
    b.array.length = 1;
    sporf_dataset *data = open_batch(&b, NULL);
    assert_false(data->has_missing);
    sporf_dataset_free(data);
    b.array.offset = 0;
    b.none[0] = valid;
    b.array.null_count = -1;
    assert_refused(&b, NULL, SPORF_ERROR_DATA, "1 rows are null");
}

static void labels_that_are_null_are_counted(void **state) {
    (void)state;
    static const float x[] = {1, 2, 3, 4};
    static const uint8_t valid[] = {0x0a};
    batch b;
    batch_start(&b, 4);
    batch_add(&b, "x", "f", x, NULL);
    struct ArrowArray *child = batch_add(&b, "kind", "f", x, NULL);
    b.buffers[1][0] = valid;
    child->null_count = -1;
    assert_refused(&b, "kind", SPORF_ERROR_DATA,
                   "column 2 ('kind'): no class label in 2 of 4 rows");
}

static void values_and_labels_that_cannot_be_used_are_named(void **state) {
    (void)state;
    static const float x[] = {1, 1e31f};
    static const double y[] = {1, -1e31};
    static const int32_t starts[] = {0, 0, 1};
    batch b;
    batch_start(&b, 2);
    batch_add(&b, "x", "f", x, NULL);
    assert_refused(&b, NULL, SPORF_ERROR_DATA, "row 2, column 1 ('x'): ");
    batch_start(&b, 2);
    batch_add(&b, "y", "g", y, NULL);
    assert_refused(&b, NULL, SPORF_ERROR_DATA, "column 1 ('y'), row 2: -1e+31 is beyond 1e30");
    batch_start(&b, 2);
    batch_add(&b, "x", "b", x, NULL);
    batch_add(&b, "kind", "u", starts, "a");
    assert_refused(&b, "kind", SPORF_ERROR_DATA,
                   "column 2 ('kind'): no class label in 1 of 2 rows");
    assert_refused(&b, "other", SPORF_ERROR_DATA, "0 columns are named 'other'");
}

static void batches_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const float x[] = {1, 2};
    static const int32_t backwards[] = {0, 2, 1};
    batch b;
    sporf_dataset *data = NULL;
    batch_start(&b, 2);
    assert_refused(&b, NULL, SPORF_ERROR_DATA, "2 rows x 0 columns");
    struct ArrowArray *child = batch_add(&b, "x", "f", x, NULL);
    assert_refused(&b, "x", SPORF_ERROR_DATA, "no feature columns");
    child->length = 1;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "column 1 ('x'): shorter than the batch");
    child->length = 2;
    child->n_buffers = 1;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "a buffer is missing");
    child->n_buffers = 2;
    b.buffers[0][1] = NULL;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "a buffer is missing");
    b.buffers[0][1] = x;
    b.child_schema[0].format = "+l";
    assert_refused(&b, NULL, SPORF_ERROR_DATA, "Arrow type '+l'");
    b.child_schema[0].format = "f";
    batch_add(&b, "kind", "u", backwards, "ab");
    assert_refused(&b, "kind", SPORF_ERROR_ARGUMENT, "invalid text offsets");
    b.schema.format = "f";
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "not a struct array");
    b.schema.format = "+s";
    b.array.n_children = 1;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "different children");
    b.array.release = NULL;
    assert_refused(&b, NULL, SPORF_ERROR_ARGUMENT, "released");
    assert_int_equal(sporf_dataset_from_arrow(NULL, NULL, NULL, &data), SPORF_ERROR_ARGUMENT);
}

/* ---- weights and targets --------------------------------------------------------------------- */

static const char *const two_targets[] = {"size", "price"};

static sporf_read_options outcome_options(void) {
    sporf_read_options options;
    sporf_read_options_init(&options);
    options.weight = "count";
    options.targets = two_targets;
    options.targets_count = 2;
    return options;
}

static void children_may_be_weights_and_targets_in_the_order_asked_for(void **state) {
    (void)state;
    static const float x[] = {1, 2, 3};
    static const double price[] = {10.5, 20, 30};
    static const int32_t size[] = {7, 8, 9};
    static const uint8_t count[] = {1, 0, 2};
    sporf_read_options options = outcome_options();
    sporf_dataset *data = NULL;
    batch b;
    batch_start(&b, 3);
    batch_add(&b, "price", "g", price, NULL);
    batch_add(&b, "x", "f", x, NULL);
    batch_add(&b, "count", "C", count, NULL);
    batch_add(&b, "size", "i", size, NULL);
    if (sporf_dataset_from_arrow(&b.schema, &b.array, &options, &data) != SPORF_OK)
        fail_msg("%s", sporf_last_error());
    assert_int_equal(sporf_dataset_features(data), 1);
    assert_ptr_equal(sporf_dataset_feature(data, 0), x);
    assert_memory_equal(sporf_dataset_weights(data), ((float[]){1, 0, 2}), 3 * sizeof(float));
    assert_int_equal(sporf_dataset_targets(data), 2);
    assert_string_equal(sporf_schema_target_name(sporf_dataset_schema(data), 0), "size");
    assert_memory_equal(sporf_dataset_target(data, 0), ((float[]){7, 8, 9}), 3 * sizeof(float));
    assert_memory_equal(sporf_dataset_target(data, 1), ((float[]){10.5f, 20, 30}),
                        3 * sizeof(float));
    sporf_dataset_free(data);
}

static void assert_outcome_refused(const batch *b, const sporf_read_options *options,
                                   const char *words) {
    sporf_dataset *data = NULL;
    assert_int_not_equal(sporf_dataset_from_arrow(&b->schema, &b->array, options, &data), SPORF_OK);
    assert_null(data);
    if (!strstr(sporf_last_error(), words))
        fail_msg("expected '%s' in '%s'", words, sporf_last_error());
}

static void weights_and_targets_that_cannot_be_used_are_refused(void **state) {
    (void)state;
    static const float x[] = {1, 2, 3};
    double price[] = {10.5, 20, 30}, count[] = {1, 1, 1};
    static const uint8_t not_the_second[] = {0x05};
    static const int32_t starts[] = {0, 1, 2, 3};
    sporf_read_options options = outcome_options();
    batch b;
    batch_start(&b, 3);
    struct ArrowArray *prices = batch_add(&b, "price", "g", price, NULL);
    batch_add(&b, "x", "f", x, NULL);
    batch_add(&b, "count", "g", count, NULL);
    assert_outcome_refused(&b, &options, "0 columns are named 'size', the target");
    batch_add(&b, "size", "u", starts, "abc");
    assert_outcome_refused(&b, &options, "not a number");
    options.targets = two_targets + 1;
    options.targets_count = 1;
    b.schema.n_children = b.array.n_children = 3;
    prices->null_count = 1;
    b.buffers[0][0] = not_the_second;
    assert_outcome_refused(&b, &options, "'price' of row 2");
    prices->null_count = 0;
    price[2] = INFINITY;
    assert_outcome_refused(&b, &options, "row 3");
    price[2] = 3;
    count[1] = -1;
    assert_outcome_refused(&b, &options, "the weight of row 2 is -1");
    count[1] = 1;
    options.label = "price";
    assert_outcome_refused(&b, &options, "0 columns are named 'price', the target");
    options.label = NULL;
    options.ignored = two_targets;
    options.ignored_count = 1;
    assert_outcome_refused(&b, &options, "label, weight and targets");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_may_be_weights_and_targets_in_the_order_asked_for),
        cmocka_unit_test(weights_and_targets_that_cannot_be_used_are_refused),
        cmocka_unit_test(every_number_type_becomes_a_feature),
        cmocka_unit_test(single_precision_is_borrowed),
        cmocka_unit_test(values_out_of_line_are_copied),
        cmocka_unit_test(offsets_of_batch_and_child_add_up),
        cmocka_unit_test(labels_may_be_large_text_or_a_dictionary),
        cmocka_unit_test(text_and_dictionaries_become_categories),
        cmocka_unit_test(string_views_become_categories),
        cmocka_unit_test(slices_of_string_views_are_found),
        cmocka_unit_test(dictionaries_of_every_index_type_may_hold_string_views),
        cmocka_unit_test(views_without_longer_texts_need_no_buffers_for_them),
        cmocka_unit_test(views_that_make_no_sense_are_refused),
        cmocka_unit_test(a_column_of_nulls_is_all_missing),
        cmocka_unit_test(types_that_cannot_be_used_are_told_with_what_to_do),
        cmocka_unit_test(nulls_are_missing_values),
        cmocka_unit_test(labels_that_are_null_are_counted),
        cmocka_unit_test(values_and_labels_that_cannot_be_used_are_named),
        cmocka_unit_test(batches_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
