/* Candidates with levels: projected and counted by the numbers of levels as by the table itself. */
#include "learn/growing/level_codes.h"

#include "base/rng.h"
#include "data/dataset.h"
#include "learn/rows/project.h"

#include "support/check.h"

#include <math.h>

enum { ROWS = 300, NUMBERS = 3, CATEGORIES = 4, FEATURES = NUMBERS + CATEGORIES, NODES = 2000 };

/* The last category has more levels than numbers for them. */
static const uint32_t levels_of[CATEGORIES] = {2, 5, 40, 400};

typedef struct {
    sporf_dataset *data;
    spf_level_codes codes;
    spf_set_list sets;
    sporf_projections list;
    spf_table table;
    uint32_t row[ROWS];
} bench;

static void set_levels(bench *b, size_t feature, uint32_t count) {
    spf_strings names = {0};
    for (uint32_t i = 0; i < count; i++) {
        char name[16];
        assert_ok(spf_strings_add(&names, name, (size_t)snprintf(name, sizeof name, "l%u", i)));
    }
    assert_ok(
        spf_schema_set_levels(&b->data->schema, FEATURES, feature, SPORF_KIND_CATEGORY, &names));
}

static void open_bench(bench *b, sporf_random *random) {
    *b = (bench){0};
    assert_ok(spf_dataset_create(ROWS, FEATURES, &b->data));
    for (size_t j = 0; j < CATEGORIES; j++) set_levels(b, NUMBERS + j, levels_of[j]);
    for (size_t j = 0; j < FEATURES; j++)
        for (size_t i = 0; i < ROWS; i++)
            spf_dataset_column(b->data, j)[i] =
                spf_random_below(random, 8) == 0 ? NAN
                : j < NUMBERS                    ? (float)spf_random_normal(random)
                              : (float)spf_random_below(random, levels_of[j - NUMBERS]);
    b->table =
        (spf_table){.rows = ROWS, .features = FEATURES, .stride = 1, .columns = b->data->columns};
    assert_ok(spf_level_codes_create(&b->data->schema, FEATURES, &b->codes));
    b->list.features = UINT32_MAX;
    b->list.sets = &b->sets;
}

static void close_bench(bench *b) {
    spf_projections_free(&b->list);
    spf_set_list_free(&b->sets);
    spf_level_codes_free(&b->codes);
    sporf_dataset_free(b->data);
}

/* A number, a number whose missing values are filled in, or a level. */
static uint32_t draw_term(bench *b, sporf_random *random, size_t feature) {
    uint32_t set;
    if (feature < NUMBERS && spf_random_below(random, 2)) return (uint32_t)feature;
    if (feature < NUMBERS) {
        assert_ok(spf_set_list_add_filled(&b->sets, (uint32_t)feature, 0.25f, &set));
    } else {
        uint32_t level = spf_random_below(random, levels_of[feature - NUMBERS]);
        assert_ok(spf_set_list_add_level(&b->sets, (uint32_t)feature, level, &set));
        assert_ok(spf_level_codes_add(&b->codes, set, (uint32_t)feature, level));
    }
    return FEATURES + set;
}

/* Candidates with up to five terms and signs, or any weights. */
static void draw_candidates(bench *b, sporf_random *random, uint32_t count) {
    spf_set_list_clear(&b->sets);
    spf_projections_clear(&b->list);
    spf_level_codes_clear(&b->codes);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t feature[FEATURES];
        float weight[FEATURES];
        size_t terms = 0;
        int signs = spf_random_below(random, 3) > 0, numbers = spf_random_below(random, 2) > 0;
        for (size_t j = numbers ? 0 : NUMBERS; j < FEATURES; j++) {
            if (spf_random_below(random, 2)) continue;
            feature[terms] = draw_term(b, random, j);
            weight[terms++] = signs ? (spf_random_below(random, 2) ? 1.0f : -1.0f)
                                    : (float)spf_random_normal(random);
        }
        assert_ok(spf_projections_put(&b->list, terms, feature, weight));
    }
}

static spf_node_rows draw_rows(bench *b, sporf_random *random) {
    size_t count = 1 + spf_random_below(random, ROWS);
    for (size_t i = 0; i < count; i++) b->row[i] = spf_random_below(random, ROWS);
    return (spf_node_rows){.table = &b->table, .row = b->row, .count = count};
}

static void assert_counted(bench *b, size_t candidate, const spf_node_rows *rows,
                           const float *value) {
    uint8_t byte[ROWS];
    float low;
    uint32_t values =
        spf_level_codes_count(&b->codes, &b->list, candidate, rows->count, byte, &low);
    for (size_t i = 0; i < rows->count; i++) {
        assert_true(byte[i] < values);
        assert_true(low + (float)byte[i] == value[i]);
    }
}

static void levels_by_number_are_the_levels_of_the_table(void **state) {
    (void)state;
    sporf_random random = spf_random_start(3, 0, SPF_USE_DRAW);
    bench b;
    size_t projected = 0, counted = 0, refused = 0;
    open_bench(&b, &random);
    for (int n = 0; n < NODES; n++) {
        draw_candidates(&b, &random, n % 100 == 0 ? 900 : 6);
        spf_node_rows rows = draw_rows(&b, &random);
        assert_ok(spf_level_codes_store(&b.codes, &rows));
        for (size_t i = 0; i < b.list.count; i++) {
            float plain[ROWS], value[ROWS];
            spf_project_rows(&b.list, i, &b.table, b.row, rows.count, plain);
            if (!spf_level_codes_project(&b.codes, &b.list, i, &rows, value)) {
                refused += b.list.feature[b.list.start[i + 1] - 1] >= FEATURES;
                continue;
            }
            projected++;
            assert_memory_equal(value, plain, rows.count * sizeof *value);
            if (!spf_level_codes_countable(&b.codes, &b.list, i)) continue;
            counted++;
            assert_counted(&b, i, &rows, plain);
        }
    }
    assert_true(projected > NODES && counted > NODES / 4 && refused > 100);
    close_bench(&b);
}

/* A set of several levels, as a winning category becomes one, has no number. */
static void a_set_of_levels_is_left_to_the_table(void **state) {
    (void)state;
    sporf_random random = spf_random_start(4, 0, SPF_USE_DRAW);
    bench b;
    float value[ROWS];
    uint32_t set, feature;
    open_bench(&b, &random);
    draw_candidates(&b, &random, 5);
    spf_node_rows rows = draw_rows(&b, &random);
    assert_ok(spf_level_codes_store(&b.codes, &rows));
    assert_ok(spf_set_list_open(&b.sets, NUMBERS + 1, 0, 3, &set));
    spf_set_list_put(&b.sets, 0);
    feature = FEATURES + set;
    assert_ok(spf_projections_put(&b.list, 1, &feature, &(float){1}));
    assert_false(spf_level_codes_project(&b.codes, &b.list, b.list.count - 1, &rows, value));
    assert_false(spf_level_codes_countable(&b.codes, &b.list, b.list.count - 1));
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_by_number_are_the_levels_of_the_table),
        cmocka_unit_test(a_set_of_levels_is_left_to_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
