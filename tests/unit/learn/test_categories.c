/* Categories in candidates: how often they are drawn, when they are a level and when a set of
 * levels, and which set. */
#include "learn/growing/categories.h"

#include "data/dataset.h"

#include "support/check.h"
#include "support/split_sample.h"

enum { ROWS = 60, LEVELS = 7, DRAWS = 300, FEATURES = 3 };

/* A number, a category of LEVELS levels and one of two, and what learns from them. */
typedef struct {
    sporf_dataset *data;
    spf_slots slots;
    spf_categories levels;
    split_sample *sample;
    spf_table table;
    uint32_t row[ROWS];
    sporf_projections candidates;
} bench;

static void add_levels(sporf_dataset *data, size_t feature, uint32_t count) {
    spf_strings names = {0};
    for (uint32_t i = 0; i < count; i++) {
        char name[16];
        assert_ok(spf_strings_add(&names, name, (size_t)snprintf(name, sizeof name, "l%u", i)));
    }
    assert_ok(
        spf_schema_set_levels(&data->schema, data->features, feature, SPORF_KIND_CATEGORY, &names));
}

static bench open_bench(uint32_t levels) {
    bench b = {.sample = split_sample_create(ROWS, 4, 5)};
    assert_ok(spf_dataset_create(ROWS, FEATURES, &b.data));
    add_levels(b.data, 1, levels);
    add_levels(b.data, 2, 2);
    for (uint32_t i = 0; i < ROWS; i++) b.row[i] = i;
    return b;
}

/* What points into the bench itself. */
static void set_up(bench *b) {
    assert_ok(spf_slots_create(b->data, NULL, &b->slots));
    assert_ok(spf_categories_create(b->data, &b->slots, NULL, 1, &b->levels));
    b->table =
        (spf_table){.rows = ROWS, .features = FEATURES, .stride = 1, .columns = b->data->columns};
    b->candidates.features = b->slots.count;
}

static void close_bench(bench *b) {
    spf_projections_free(&b->candidates);
    spf_categories_free(&b->levels);
    spf_slots_free(&b->slots);
    split_sample_free(b->sample);
    sporf_dataset_free(b->data);
}

/* Levels of the wide category below `most`, some missing; classes and weights. */
static spf_node_rows draw_node(bench *b, sporf_random *random, size_t classes, uint32_t most) {
    split_shape shape = {2 + spf_random_below(random, ROWS - 2), classes, 5};
    split_sample_draw(b->sample, random, shape);
    for (size_t i = 0; i < ROWS; i++) {
        float level = (float)spf_random_below(random, most);
        spf_dataset_column(b->data, 0)[i] = (float)i;
        spf_dataset_column(b->data, 1)[i] = spf_random_below(random, 6) ? level : NAN;
        spf_dataset_column(b->data, 2)[i] = (float)spf_random_below(random, 2);
    }
    return (spf_node_rows){.table = &b->table, .row = b->row, .count = b->sample->node.rows};
}

static void put(bench *b, size_t terms, const uint32_t *slots) {
    static const float weights[] = {1, 1, 1, 1};
    assert_ok(spf_projections_put(&b->candidates, terms, slots, weights));
}

static void resolve(bench *b, const spf_node_rows *rows, sporf_random *random) {
    assert_ok(spf_categories_resolve(&b->levels, &b->sample->node, rows, random, &b->candidates));
}

/* Puts the wide category alone and its levels in order. */
static void order_alone(bench *b, const spf_node_rows *rows, sporf_random *random, float *values) {
    spf_projections_clear(&b->candidates);
    put(b, 1, (uint32_t[]){1});
    resolve(b, rows, random);
    assert_true(spf_categories_alone(&b->levels, &b->candidates, 0));
    spf_categories_order(&b->levels, &b->levels, &b->sample->node, rows, &b->candidates, 0, values);
}

/* With missing values on one side. */
static long double best_cut(const split_sample *sample, const float *values, float missing) {
    float filled[ROWS];
    long double best = 0;
    for (size_t i = 0; i < sample->node.rows; i++)
        filled[i] = isnan(values[i]) ? missing : values[i];
    for (int cut = -1; cut < LEVELS; cut++)
        best = fmaxl(best, split_sample_cut(sample, filled, (float)cut + 0.5f).gain);
    return best;
}

/* Missing values are outside, which stands for either side: sets have complements. */
static long double best_subset(const split_sample *sample, const float *column) {
    long double best = 0;
    for (uint32_t set = 0; set < 1u << LEVELS; set++) {
        float inside[ROWS];
        for (size_t i = 0; i < sample->node.rows; i++)
            inside[i] = isnan(column[i]) ? 0 : (float)(set >> (uint32_t)column[i] & 1);
        best = fmaxl(best, split_sample_cut(sample, inside, 0.5f).gain);
    }
    return best;
}

/* ---- which set ------------------------------------------------------------------------------- */

/* Breiman et al. 1984, section 4.2: the best set is one end of the order. With missing values on
 * one side it may be either end, so both sides must be tried. */
static void of_two_classes_no_set_is_better_than_the_best_cut(void **state) {
    (void)state;
    bench b = open_bench(LEVELS);
    set_up(&b);
    sporf_random random = spf_random_start(1, 0, SPF_USE_SIMULATE);
    for (int n = 0; n < DRAWS; n++) {
        float values[ROWS];
        spf_node_rows rows = draw_node(&b, &random, 2, LEVELS);
        if (b.sample->node.classes < 2) continue;
        order_alone(&b, &rows, &random, values);
        long double found =
            fmaxl(best_cut(b.sample, values, LEVELS), best_cut(b.sample, values, -1));
        assert_near((double)found, (double)best_subset(b.sample, b.data->columns[1]), 1e-9);
    }
    close_bench(&b);
}

/* Whatever their classes are: levels of one or two rows would else tell every row apart. */
static void levels_of_few_rows_are_in_one_place(void **state) {
    (void)state;
    bench b = open_bench(LEVELS);
    set_up(&b);
    b.levels.least = SPF_RARE_BELOW;
    sporf_random random = spf_random_start(6, 0, SPF_USE_SIMULATE);
    size_t rare = 0, others = 0;
    for (int n = 0; n < DRAWS; n++) {
        float values[ROWS], place = -1;
        uint32_t weight[LEVELS] = {0};
        spf_node_rows rows = draw_node(&b, &random, 2, LEVELS);
        if (b.sample->node.classes < 2) continue;
        order_alone(&b, &rows, &random, values);
        for (size_t i = 0; i < rows.count; i++)
            if (!isnan(values[i]))
                weight[(uint32_t)b.data->columns[1][i]] += spf_row_weight(&b.sample->node, i);
        for (size_t i = 0; i < rows.count; i++) {
            if (isnan(values[i])) continue;
            int few = weight[(uint32_t)b.data->columns[1][i]] < SPF_RARE_BELOW;
            if (few && place >= 0) assert_true(values[i] == place);
            if (few) place = values[i];
            *(few ? &rare : &others) += 1;
        }
    }
    assert_true(rare > DRAWS && others > DRAWS);
    close_bench(&b);
}

static void a_set_is_the_lighter_side_of_its_cut_and_holds_no_level_that_is_absent(void **state) {
    (void)state;
    bench b = open_bench(LEVELS);
    set_up(&b);
    sporf_random random = spf_random_start(2, 0, SPF_USE_SIMULATE);
    for (uint32_t n = 0; n < DRAWS; n++) {
        float values[ROWS], threshold = (float)(n % LEVELS) - 0.5f;
        spf_node_rows rows = draw_node(&b, &random, 2 + n % 3, LEVELS - 2);
        order_alone(&b, &rows, &random, values);
        int exchanged;
        assert_ok(spf_categories_take_set(&b.levels, &b.candidates, 0, threshold, &exchanged));
        spf_sets sets = spf_set_list_view(&b.levels.sets);
        const spf_set *set = &sets.sets[b.candidates.feature[0] - FEATURES];
        uint64_t weight[2] = {0};
        for (size_t i = 0; i < rows.count; i++) {
            float inside = spf_set_value(&sets, set, b.data->columns[1][i]);
            assert_true(isnan(inside) == isnan(values[i]));
            if (isnan(inside)) continue;
            assert_true((inside == 1) == ((values[i] > threshold) != exchanged));
            weight[inside == 1] += spf_tag_weight(&b.sample->node, i);
        }
        assert_true(weight[1] <= weight[0]);
        assert_true(spf_set_value(&sets, set, LEVELS - 1) == 0);
    }
    close_bench(&b);
}

static void sums_by_rank_are_those_of_the_rows_with_that_rank(void **state) {
    (void)state;
    bench b = open_bench(LEVELS);
    set_up(&b);
    b.levels.least = SPF_RARE_BELOW;
    sporf_random random = spf_random_start(7, 0, SPF_USE_SIMULATE);
    for (int n = 0; n < DRAWS; n++) {
        float values[ROWS];
        uint64_t wanted[LEVELS + 1] = {0}, *sums, missing;
        spf_node_rows rows = draw_node(&b, &random, 2, LEVELS);
        if (b.sample->node.classes < 2) continue;
        order_alone(&b, &rows, &random, values);
        for (size_t i = 0; i < rows.count; i++)
            wanted[isnan(values[i]) ? LEVELS : (size_t)values[i]] += b.sample->node.pair[i];
        size_t ranks = spf_categories_add_up(&b.levels, &rows, &b.sample->node, 1, &sums, &missing);
        assert_true(missing == wanted[LEVELS]);
        for (size_t i = 0; i < LEVELS; i++) assert_true(wanted[i] == (i < ranks ? sums[1 + i] : 0));
    }
    close_bench(&b);
}

/* ---- which terms ----------------------------------------------------------------------------- */

static void a_category_has_a_slot_for_each_level_up_to_a_limit(void **state) {
    (void)state;
    for (uint32_t levels = 1; levels < 40; levels++) {
        bench b = open_bench(levels);
        set_up(&b);
        size_t wide = levels <= 2 ? 1 : levels < SPF_SLOTS_MOST ? levels : SPF_SLOTS_MOST;
        assert_int_equal(b.slots.count, 1 + wide + 1);
        assert_int_equal(spf_slots_count(b.data), b.slots.count);
        for (size_t i = 0; i < b.slots.count; i++)
            assert_int_equal(b.slots.feature[i], i == 0 ? 0 : i <= wide ? 1 : 2);
        close_bench(&b);
    }
}

static const spf_set *set_of_term(const bench *b, size_t term) {
    assert_true(b->candidates.feature[term] >= FEATURES);
    return &b->levels.sets.sets[b->candidates.feature[term] - FEATURES];
}

static void a_category_stands_alone_once_and_is_a_level_after_that(void **state) {
    (void)state;
    bench b = open_bench(LEVELS);
    set_up(&b);
    sporf_random random = spf_random_start(3, 0, SPF_USE_SIMULATE);
    for (int n = 0; n < DRAWS; n++) {
        spf_node_rows rows = draw_node(&b, &random, 3, LEVELS);
        spf_projections_clear(&b.candidates);
        put(&b, 1, (uint32_t[]){2});
        put(&b, 1, (uint32_t[]){1});
        put(&b, 2, (uint32_t[]){1, 3});
        put(&b, 1, (uint32_t[]){0});
        resolve(&b, &rows, &random);
        assert_int_equal(b.candidates.count, 4);
        assert_int_equal(b.candidates.terms, 4);
        assert_true(spf_categories_alone(&b.levels, &b.candidates, 0));
        for (size_t i = 1; i < 4; i++)
            assert_false(spf_categories_alone(&b.levels, &b.candidates, i));
        assert_int_equal(set_of_term(&b, 1)->feature, 1);
        assert_int_equal(set_of_term(&b, 2)->feature, 1);
        assert_int_equal(b.candidates.feature[3], 0);
    }
    close_bench(&b);
}

static void levels_among_terms_are_drawn_as_often_as_rows_have_them(void **state) {
    (void)state;
    bench b = open_bench(LEVELS);
    set_up(&b);
    sporf_random random = spf_random_start(4, 0, SPF_USE_SIMULATE);
    spf_node_rows rows = draw_node(&b, &random, 2, LEVELS);
    size_t drawn[ROWS] = {0};
    rows.count = b.sample->node.rows = ROWS;
    for (uint32_t i = 0; i < ROWS; i++) b.sample->weight[i] = 1 + i / (LEVELS - 1) % 2;
    for (uint32_t i = 0; i < ROWS; i++) b.sample->label[i] = i % 2;
    split_sample_count(b.sample, 2);
    for (uint32_t i = 0; i < ROWS; i++) /* level k in every place that is k modulo 6 */
        spf_dataset_column(b.data, 1)[i] = (float)(i % (LEVELS - 1));
    for (int n = 0; n < 6000; n++) {
        spf_projections_clear(&b.candidates);
        put(&b, 4, (uint32_t[]){0, 1, 3, (uint32_t)b.slots.count - 1});
        resolve(&b, &rows, &random);
        assert_int_equal(b.candidates.terms, 3); /* two slots of a category count once */
        assert_int_equal(b.candidates.feature[0], 0);
        drawn[set_of_term(&b, 1)->first]++;
        assert_int_equal(set_of_term(&b, 2)->feature, 2);
    }
    assert_equally_likely(drawn, LEVELS - 1, 6000.0 / (LEVELS - 1));
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_two_classes_no_set_is_better_than_the_best_cut),
        cmocka_unit_test(levels_of_few_rows_are_in_one_place),
        cmocka_unit_test(a_set_is_the_lighter_side_of_its_cut_and_holds_no_level_that_is_absent),
        cmocka_unit_test(sums_by_rank_are_those_of_the_rows_with_that_rank),
        cmocka_unit_test(a_category_has_a_slot_for_each_level_up_to_a_limit),
        cmocka_unit_test(a_category_stands_alone_once_and_is_a_level_after_that),
        cmocka_unit_test(levels_among_terms_are_drawn_as_often_as_rows_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
