/* Models that are made to do harm, with right checksums: sections that are there and empty, names
 * that are equal, and counts that cost far more than their file. Each is refused, or works in a
 * time and memory that its size explains. */
#include "data/dataset.h"
#include "io/model_file.h"
#include "io/model_format.h"

#include <time.h>

#include "model/combine.h"
#include "predict/predict.h"
#include "predict/quantiles.h"

#include "support/check.h"
#include "support/encoded_model.h"
#include "support/random_data.h"

enum { LAST_SECTION = 28, ROWS = 40 };
enum { FEATURES_AT = 40 };

/* As if it were mapped. */
static sporf_status open_unread(const model *m, sporf_forest **forest) {
    spf_model_buffer buffer = {.size = m->size};
    *forest = NULL;
    assert_int_equal(posix_memalign(&buffer.storage.base, MODEL_ALIGNMENT, m->size), 0);
    memcpy(buffer.storage.base, m->bytes, m->size);
    buffer.bytes = buffer.storage.base;
    sporf_status status = spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_FRAME, "it", forest);
    if (status != SPORF_OK) spf_model_buffer_free(&buffer);
    return status;
}

static sporf_status load(const model *m, sporf_forest **forest) {
    *forest = NULL;
    return spf_model_decode(m->bytes, m->size, forest);
}

static void assert_right_or_damaged(sporf_status status) {
    if (status != SPORF_OK && status != SPORF_ERROR_MODEL)
        fail_msg("status %d: %s", (int)status, sporf_last_error());
}

/* ---- all that can be done with a forest -------------------------------------------------------
 */

/* Rows that suit any forest: missing values, and numbers that may be levels. */
static float *rows_for(const sporf_forest *forest) {
    sporf_random random = spf_random_start(7, 0, SPF_USE_SIMULATE);
    float *values = need(ROWS * forest->features, sizeof *values);
    for (size_t i = 0; i < ROWS; i++)
        random_mixed_row(&random, values + i * forest->features, forest->features);
    return values;
}

static void assert_finite(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) assert_true(isfinite(values[i]));
}

/* What a forest predicts is finite, or it is damaged. */
static void predict_row(const sporf_forest *forest, const float *row) {
    double *out = need(spf_outputs(forest), sizeof *out);
    for (sporf_combine combine = SPORF_COMBINE_VOTES; combine <= SPORF_COMBINE_POSTERIORS;
         combine++)
        if (spf_predict_row(forest, row, spf_combining_of(forest, combine, SPORF_CALIBRATE_AUTO),
                            out))
            assert_finite(out, spf_outputs(forest));
    free(out);
}

static void find_quantiles(const sporf_forest *forest, const float *row) {
    double *out = need(forest->targets, sizeof *out), *level = need(forest->targets, sizeof *level);
    const float **columns = need(forest->features, sizeof *columns);
    for (size_t j = 0; j < forest->features; j++) columns[j] = row + j;
    sporf_status status =
        spf_predict_quantiles(forest, &(spf_values){columns, 1, 1}, 1, level, 1, out);
    assert_right_or_damaged(status);
    if (status == SPORF_OK) assert_finite(out, forest->targets);
    free(columns);
    free(level);
    free(out);
}

static void predict(const sporf_forest *forest) {
    float *rows = rows_for(forest);
    for (size_t i = 0; i < ROWS; i++) predict_row(forest, rows + i * forest->features);
    if (forest->keeps_samples) find_quantiles(forest, rows);
    free(rows);
}

static void look_at_nodes(const sporf_forest *forest) {
    for (size_t t = 0; t < sporf_forest_trees(forest); t++)
        for (size_t i = 0; i < sporf_forest_nodes(forest, t); i++) {
            sporf_node node;
            sporf_status status = sporf_forest_node(forest, t, i, &node);
            assert_right_or_damaged(status);
            if (status != SPORF_OK) return;
            if (node.is_leaf) assert_true((node.values != NULL) == (forest->targets > 0));
            if (node.is_leaf && forest->targets == 0) assert_true(node.classes > 0);
        }
}

static void find_importances(const sporf_forest *forest) {
    double *importances = need(forest->features, sizeof *importances);
    sporf_ranking *ranking = NULL;
    assert_right_or_damaged(sporf_forest_importances(forest, importances));
    assert_right_or_damaged(sporf_ranking_create(forest, 10, &ranking));
    sporf_ranking_free(ranking);
    free(importances);
}

static void use(const sporf_forest *forest) {
    sporf_forest_summary summary;
    assert_right_or_damaged(sporf_forest_summarise(forest, &summary));
    look_at_nodes(forest);
    find_importances(forest);
    predict(forest);
}

static void save_again(const sporf_forest *forest) {
    void *bytes = NULL;
    size_t size = 0;
    assert_ok(sporf_forest_save_bytes(forest, &bytes, &size));
    sporf_free(bytes);
}

/* ---- sections that are empty ------------------------------------------------------------------
 */

static model model_of(const sporf_dataset *data, const char *name, const char *value) {
    sporf_forest *forest = train_with(data, "trees", "3", name, value, (char *)NULL);
    model m = encode(forest);
    sporf_forest_free(forest);
    return m;
}

/* The first by chance that has names, settings, scale factors and out-of-bag results. */
static model rich_model(void) {
    random_shape shape = {.trees = 4, .features = 30, .classes = 3, .leaves = 20, .terms = 12};
    for (uint64_t seed = 0;; seed++) {
        model m = make_model(seed, &shape);
        if (get32(&m, MODEL_COUNT_AT) == 15) return m;
        free(m.bytes);
    }
}

/* Between them they have every section. */
enum { MODELS = 4 };
static void make_models(model models[MODELS]) {
    random_shape mixed = {.trees = 3, .features = 9, .classes = 4, .leaves = 20, .mixed = 1};
    sporf_dataset *smooth = with_targets(DATA_SMOOTH, 60, 3, 2, 1);
    models[0] = rich_model();
    models[1] = make_model(1, &mixed);
    models[2] = model_of(smooth, "min-leaf", "4");
    models[3] = model_of(smooth, "bag", "none");
    sporf_dataset_free(smooth);
}

static void no_empty_section_does_harm(void **state) {
    (void)state;
    model models[MODELS];
    int there[LAST_SECTION + 1] = {0}, refused = 0;
    make_models(models);
    for (int k = 0; k < MODELS; k++)
        for (uint32_t id = 1; id <= LAST_SECTION; id++) {
            sporf_forest *forest;
            model empty = with_section(&models[k], id, "", 0);
            there[id] |= entry_of(&models[k], id) != 0;
            sporf_status status = load(&empty, &forest);
            assert_right_or_damaged(status);
            refused += status != SPORF_OK;
            if (status == SPORF_OK) use(forest);
            if (status == SPORF_OK) save_again(forest);
            sporf_forest_free(forest);
            if (open_unread(&empty, &forest) == SPORF_OK) use(forest);
            sporf_forest_free(forest);
            free(empty.bytes);
        }
    for (uint32_t id = 1; id <= LAST_SECTION; id++)
        if (!there[id] && id != 13 && id != 26) fail_msg("no model has section %u", id);
    assert_true(refused > 20 * MODELS);
    for (int k = 0; k < MODELS; k++) free(models[k].bytes);
}

/* ---- names that are equal ---------------------------------------------------------------------
 */

typedef struct {
    uint64_t count, offsets[4];
    char text[8];
} three_names;

static void assert_names_refused(const model *m, uint32_t id, const char *words) {
    const three_names names = {3,
                               {0, 2, 4, 6},
                               "1\0"
                               "2\0"
                               "1"};
    sporf_forest *forest;
    model changed = with_section(m, id, &names, 8 * 5 + 6);
    assert_refused(load(&changed, &forest), SPORF_ERROR_MODEL, words);
    assert_refused(open_unread(&changed, &forest), SPORF_ERROR_MODEL, words);
    free(changed.bytes);
}

static void names_of_a_model_differ(void **state) {
    (void)state;
    random_shape shape = {.trees = 2, .features = 3, .classes = 3, .leaves = 4, .terms = 2};
    sporf_dataset *smooth = with_targets(DATA_SMOOTH, 60, 3, 3, 1);
    model m = make_model(3, &shape), numbers = model_of(smooth, "min-leaf", "4");
    assert_names_refused(&m, 2, "features 0 and 2 have the same name");
    assert_names_refused(&m, 1, "classes 0 and 2 have the same name");
    assert_names_refused(&numbers, 21, "targets 0 and 2 have the same name");
    sporf_dataset_free(smooth);
    free(m.bytes);
    free(numbers.bytes);
}

static void levels_of_a_feature_differ(void **state) {
    (void)state;
    sporf_forest *forest;
    random_shape shape = {.trees = 2, .features = 3, .classes = 3, .leaves = 4, .mixed = 1};
    model m = make_model(3, &shape);
    size_t names = offset_of(&m, 18);
    uint64_t count = get64(&m, names);
    assert_true(count >= 2);
    size_t text = names + 8 * (count + 2), first = get64(&m, names + 16);
    assert_int_equal(get64(&m, names + 24), 2 * first);
    memcpy(m.bytes + text + first, m.bytes + text, first);
    fix_model_checksums(m.bytes, m.size);
    assert_refused(load(&m, &forest), SPORF_ERROR_MODEL, "levels 0 and 1 have the same name");
    free(m.bytes);
}

/* ---- more than the file explains --------------------------------------------------------------
 */

static model with_features(const model *m, uint64_t features) {
    model copy = {malloc(m->size), m->size};
    memcpy(copy.bytes, m->bytes, m->size);
    set64(&copy, FEATURES_AT, features);
    fix_model_checksums(copy.bytes, copy.size);
    return copy;
}

/* A million columns without names are a table; four thousand million in a small file are none. */
static void many_features_are_listed(void **state) {
    (void)state;
    random_shape shape = {.trees = 2, .features = 3, .classes = 2, .leaves = 4, .plain = 1};
    static const uint64_t widths[] = {(1 << 20) + 1, 100000000, UINT32_MAX};
    model m = make_model(1, &shape), wide = with_features(&m, 1 << 20);
    sporf_forest *forest;
    assert_ok(load(&wide, &forest));
    assert_int_equal(forest->features, 1 << 20);
    sporf_forest_free(forest);
    free(wide.bytes);
    for (size_t i = 0; i < 3; i++) {
        wide = with_features(&m, widths[i]);
        assert_refused(load(&wide, &forest), SPORF_ERROR_MODEL, "no section lists them");
        assert_refused(open_unread(&wide, &forest), SPORF_ERROR_MODEL, "no section lists them");
        free(wide.bytes);
    }
    free(m.bytes);
}

/* Whoever trains on such a table gets a model that loads, and the same one when it is saved again.
 */
static void a_forest_of_a_very_wide_table_loads(void **state) {
    (void)state;
    enum { WIDTH = (1 << 20) + 5 };
    random_shape shape = {.trees = 1, .features = 3, .classes = 2, .leaves = 4, .plain = 1};
    sporf_forest *forest = random_forest(1, &shape), *again;
    forest->features = WIDTH;
    model m = encode(forest);
    assert_ok(load(&m, &again));
    assert_int_equal(again->features, WIDTH);
    model second = encode(again);
    assert_int_equal(second.size, m.size);
    assert_memory_equal(second.bytes, m.bytes, m.size);
    sporf_forest_free(forest);
    sporf_forest_free(again);
    free(m.bytes);
    free(second.bytes);
}

/* ---- long projections that many splits share --------------------------------------------------
 */

enum { TERMS = 100000, SPLITS = 10000 };
#define LEAF(number, class_index) (0x80000000u | (uint32_t)(number) << 1 | (class_index))
#define LONG(distance) (0xc0000000u | (uint32_t)(distance))

typedef struct {
    uint64_t start, leaf;
    uint32_t root, leaves, projection, projections;
} tree_entry;

typedef struct {
    uint32_t child[2];
    float threshold;
    uint32_t feature[2];
    float weight[2];
} file_node;

static void append_numbers(model *m, uint32_t id, uint32_t value, uint32_t step, size_t count) {
    uint32_t *numbers = need(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = value + step * (uint32_t)i;
    append_section(m, id, numbers, count * sizeof *numbers);
    free(numbers);
}

/* One tree whose splits all use one projection of all features. */
static model sharing_model(const file_node *nodes) {
    static const struct {
        uint64_t count, offsets[3];
        char text[4];
    } names = {2, {0, 2, 4}, "a\0b"};
    const uint64_t starts[2] = {0, TERMS}, none[1] = {0};
    const tree_entry tree = {0, 0, LONG(0), SPLITS + 1, 0, 1};
    const float one = 1;
    uint32_t bits;
    memcpy(&bits, &one, sizeof bits);
    unsigned char header[MODEL_HEADER] = "\x89SPORF\r\n";
    model m = begin_model(header, 10);
    set32(&m, 16, 3);
    set64(&m, 32, 1);
    set64(&m, FEATURES_AT, TERMS);
    set64(&m, 48, 2);
    append_section(&m, 1, &names, 8 * 4 + 4);
    append_section(&m, 7, &tree, sizeof tree);
    append_section(&m, 8, nodes, SPLITS * sizeof *nodes);
    append_section(&m, 9, starts, sizeof starts);
    append_numbers(&m, 10, 0, 1, TERMS);
    append_numbers(&m, 11, bits, 0, TERMS);
    append_numbers(&m, 12, bits, 0, SPLITS + 1);
    append_section(&m, 14, none, sizeof none);
    append_section(&m, 15, "", 0);
    append_section(&m, 16, "", 0);
    fix_model_checksums(m.bytes, m.size);
    return m;
}

static file_node shared_split(uint32_t left, uint32_t right) {
    return (file_node){{left, right}, 0, {0, 0}, {1, 0}};
}

/* Each split has a leaf on its left: a row may pass all of them. */
static model chain_model(void) {
    file_node *nodes = need(SPLITS, sizeof *nodes);
    for (uint32_t i = 0; i < SPLITS; i++)
        nodes[i] =
            shared_split(LEAF(i, i % 2), i + 1 < SPLITS ? LONG(1) : LEAF(SPLITS, SPLITS % 2));
    model m = sharing_model(nodes);
    free(nodes);
    return m;
}

/* Writes the subtree of the leaves [first, end) from nodes[at] on. */
static uint32_t balance(file_node *nodes, uint32_t at, uint32_t first, uint32_t end) {
    if (end - first == 1) return LEAF(first, first % 2);
    uint32_t middle = first + (end - first) / 2, left = middle - first - 1;
    uint32_t yes = balance(nodes, at + 1, first, middle);
    uint32_t no = balance(nodes, at + 1 + left, middle, end);
    nodes[at] = shared_split(yes == 0 ? LONG(1) : yes, no == 0 ? LONG(1 + left) : no);
    return 0;
}

static model balanced_model(void) {
    file_node *nodes = need(SPLITS, sizeof *nodes);
    balance(nodes, 0, 0, SPLITS + 1);
    model m = sharing_model(nodes);
    free(nodes);
    return m;
}

static void a_chain_of_splits_with_one_long_projection_is_refused(void **state) {
    (void)state;
    sporf_forest *forest;
    model m = chain_model();
    float *row = need(TERMS, sizeof *row);
    double totals[2];
    for (size_t i = 0; i < TERMS; i++) row[i] = 1;
    assert_refused(load(&m, &forest), SPORF_ERROR_MODEL, "terms of long projections on its way");
    assert_ok(open_unread(&m, &forest));
    assert_false(spf_predict_row(
        forest, row, spf_combining_of(forest, SPORF_COMBINE_VOTES, SPORF_CALIBRATE_AUTO), totals));
    sporf_forest_free(forest);
    free(row);
    free(m.bytes);
}

/* Ten thousand splits of 100,000 terms each: what is found about a projection is found once. */
static void importances_look_at_a_shared_projection_once(void **state) {
    (void)state;
    sporf_forest *forest;
    sporf_ranking *ranking = NULL;
    model m = balanced_model();
    double *importances = need(TERMS, sizeof *importances), sum = 0;
    assert_ok(load(&m, &forest));
    clock_t begin = clock();
    assert_ok(sporf_forest_importances(forest, importances));
    assert_ok(sporf_ranking_create(forest, 3, &ranking));
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 2);
    for (size_t i = 0; i < TERMS; i++) sum += importances[i];
    assert_near(sum, 1, 1e-9);
    assert_int_equal(ranking->distinct, 1);
    assert_int_equal(ranking->projections[0].splits, SPLITS);
    sporf_ranking_free(ranking);
    sporf_forest_free(forest);
    free(importances);
    free(m.bytes);
}

/* ---- numbers that are none, in files that were not read ----------------------------------------
 */

/* Sets every f32 of a section. */
static void fill_section(model *m, uint32_t id, float value) {
    for (size_t at = 0; at < size_of(m, id); at += sizeof value)
        memcpy(m->bytes + offset_of(m, id) + at, &value, sizeof value);
}

static void an_unread_model_predicts_nothing_that_is_not_finite(void **state) {
    (void)state;
    enum { TERM_WEIGHTS = 11, ENTRY_WEIGHTS = 16, LEAF_VALUES = 22 };
    static const uint32_t sections[] = {TERM_WEIGHTS, ENTRY_WEIGHTS, LEAF_VALUES};
    model models[MODELS];
    int tried = 0;
    make_models(models);
    for (int k = 0; k < MODELS; k++)
        for (int i = 0; i < 3; i++) {
            sporf_forest *forest;
            if (!entry_of(&models[k], sections[i]) || size_of(&models[k], sections[i]) == 0)
                continue;
            fill_section(&models[k], sections[i], i % 2 ? NAN : INFINITY);
            fix_model_checksums(models[k].bytes, models[k].size);
            assert_ok(open_unread(&models[k], &forest));
            predict(forest);
            sporf_forest_free(forest);
            tried++;
        }
    assert_true(tried >= 4);
    for (int k = 0; k < MODELS; k++) free(models[k].bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_empty_section_does_harm),
        cmocka_unit_test(names_of_a_model_differ),
        cmocka_unit_test(levels_of_a_feature_differ),
        cmocka_unit_test(many_features_are_listed),
        cmocka_unit_test(a_forest_of_a_very_wide_table_loads),
        cmocka_unit_test(a_chain_of_splits_with_one_long_projection_is_refused),
        cmocka_unit_test(importances_look_at_a_shared_projection_once),
        cmocka_unit_test(an_unread_model_predicts_nothing_that_is_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
