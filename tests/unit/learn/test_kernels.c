/* The kernels of every width against plain loops over rows. */
#include "learn/splitting/gini.h"
#include "learn/splitting/histogram.h"
#include "learn/splitting/split_scan.h"

#include "support/check.h"
#include "support/kernels_all.h"
#include "support/split_sample.h"

enum { ROWS_MAX = 300, CLASSES_MAX = 40, WEIGHT_MAX = 40, NODES = 1000, CELLS = 300 * 40 };

static split_sample *s;
static sporf_random drawn;
static const spf_kernels *all[KERNELS_MAX];
static size_t widths;
static float values[ROWS_MAX];

static void draw_node(uint32_t classes) {
    split_shape shape = {1 + spf_random_below(&drawn, ROWS_MAX), classes, WEIGHT_MAX};
    split_sample_draw(s, &drawn, shape);
    split_values_draw(&drawn, spf_random_below(&drawn, SPLIT_VALUE_KINDS), values, shape.rows);
}

static spf_range plain_range(const spf_bin_range *inside) {
    spf_range all_rows = {INFINITY, -INFINITY};
    for (size_t i = 0; i < s->node.rows; i++) {
        if (inside && !spf_is_inside(inside, values[i])) continue;
        all_rows = spf_range_join(all_rows, (spf_range){values[i], values[i]});
    }
    return all_rows;
}

/* Bins over the values, or over the middle of them; 0 if they have no width. */
static int draw_bins(spf_bins *bins) {
    spf_range range = plain_range(NULL);
    int partial = (int)spf_random_below(&drawn, 2);
    float margin = partial ? (range.high - range.low) / 8 : 0;
    range = (spf_range){range.low + margin, range.high - margin};
    *bins = spf_bins_over(range, 1 + spf_random_below(&drawn, 256));
    bins->partial = partial;
    return range.low < range.high && isfinite(bins->per_unit);
}

static void assert_range(spf_range found, spf_range wanted) {
    assert_true(found.low == wanted.low && found.high == wanted.high);
}

static void ranges_are_those_of_a_plain_loop(void **state) {
    (void)state;
    spf_bins bins;
    for (int n = 0; n < NODES; n++) {
        draw_node(2);
        int usable = draw_bins(&bins);
        float first = (float)spf_random_below(&drawn, bins.count);
        spf_bin_range inside = {bins.low, bins.per_unit, first,
                                first + (float)spf_random_below(&drawn, 9), bins.high};
        for (size_t k = 0; k < widths; k++) {
            assert_range(all[k]->range(values, s->node.rows), plain_range(NULL));
            assert_range(all[k]->range(values, 0), (spf_range){INFINITY, -INFINITY});
            if (usable)
                assert_range(all[k]->range_inside(values, s->node.rows, &inside),
                             plain_range(&inside));
        }
    }
}

static void rows_are_counted_in_the_bins_of_a_plain_loop(void **state) {
    (void)state;
    static uint64_t pairs[258], odd_pairs[258], wanted_pairs[258];
    static uint32_t counts[CELLS], odd_counts[CELLS], wanted[CELLS], end[258], tags[ROWS_MAX];
    spf_bins bins;
    for (int n = 0; n < NODES; n++) {
        const int two_tables = n / (CLASSES_MAX - 2) % 2;
        draw_node(2 + (uint32_t)n % (CLASSES_MAX - 2));
        if (!draw_bins(&bins)) continue;
        memset(wanted_pairs, 0, sizeof wanted_pairs);
        memset(wanted, 0, sizeof wanted);
        for (size_t i = 0; i < s->node.rows; i++) {
            size_t slot = (size_t)(spf_bin_of(&bins, values[i]) + 1);
            wanted_pairs[slot] += s->pair[i];
            wanted[slot * CLASSES_MAX + s->label[i]] += s->weight[i];
        }
        for (size_t k = 0; k < widths; k++) {
            memset(pairs, 0, sizeof pairs);
            memset(counts, 0, sizeof counts);
            memset(odd_pairs, 0, sizeof odd_pairs);
            memset(odd_counts, 0, sizeof odd_counts);
            all[k]->count_pairs(&s->node, values, &bins, pairs + 1,
                                (two_tables ? odd_pairs : pairs) + 1);
            all[k]->count_classes(&s->node, values, &bins, CLASSES_MAX, counts + CLASSES_MAX,
                                  (two_tables ? odd_counts : counts) + CLASSES_MAX);
            uint64_t odd_sum = 0;
            for (size_t i = 0; i < 258; i++) {
                pairs[i] += odd_pairs[i];
                odd_sum += odd_pairs[i];
            }
            for (size_t i = 0; i < CELLS; i++) counts[i] += odd_counts[i];
            assert_int_equal(odd_sum > 0, two_tables && s->node.rows >= all[k]->lanes);
            assert_memory_equal(pairs, wanted_pairs, sizeof pairs);
            assert_memory_equal(counts, wanted, sizeof counts);
            all[k]->order_tags(&s->node, values, &bins, end, tags);
            for (uint32_t slot = 0, i = 0; slot < bins.count + 2; slot++)
                for (; i < end[slot]; i++)
                    counts[slot * CLASSES_MAX + (tags[i] >> s->node.weight_bits)] -=
                        tags[i] & ((1u << s->node.weight_bits) - 1);
            for (size_t i = 0; i < CELLS; i++) assert_int_equal(counts[i], 0);
        }
    }
}

/* Whole searches in bins, with the same cuts from every width. */
static void every_width_finds_the_same_cut_between_bins(void **state) {
    (void)state;
    for (int n = 0; n < NODES; n++) {
        spf_split cut[KERNELS_MAX] = {{0}};
        draw_node(2 + spf_random_below(&drawn, CLASSES_MAX - 2));
        for (size_t k = 0; k < widths; k++) {
            s->scratch.kernels = all[k];
            assert_ok(spf_split_histogram(&s->node, values, NULL, &s->scratch, &cut[k]));
            assert_int_equal(cut[k].found, cut[0].found);
            assert_true(cut[k].score == cut[0].score && cut[k].threshold == cut[0].threshold);
            assert_true(cut[k].bin == cut[0].bin && cut[k].next_bin == cut[0].next_bin);
        }
    }
}

/* Every cut before a bin that is not empty, and heavy bins, as histogram.h says. */
static spf_split plain_best(const spf_histogram *h, spf_split best, spf_heavy_bins *heavy) {
    spf_bin_walk walk = {h, &s->node, NULL, &best, -1, heavy};
    uint64_t left = h->pairs[0];
    heavy->count = 0;
    for (uint32_t bin = 0; bin < h->bins.count; bin++) {
        uint64_t pair = h->pairs[bin + 1];
        if (pair == 0) continue;
        if (walk.last_bin >= 0 && spf_leaves_allow(&s->node, (uint32_t)left))
            spf_walk_offer(&walk, spf_score_pair(&s->node, left), bin);
        spf_walk_leave(&walk, bin, (uint32_t)pair);
        left += pair;
    }
    return best;
}

/* Also with a cut to beat. */
static void the_best_cut_of_two_classes_is_that_of_a_plain_loop(void **state) {
    (void)state;
    spf_histogram h = {0};
    spf_bins bins;
    size_t found = 0;
    for (int n = 0; n < NODES; n++) {
        draw_node(2);
        if (!draw_bins(&bins) || !spf_split_is_pair(&s->node)) continue;
        s->node.min_leaf = 1 + spf_random_below(&drawn, 3) * spf_random_below(&drawn, 20);
        for (size_t k = 0; k < widths; k++) {
            spf_heavy_bins heavy, heavy_wanted;
            spf_split before = {0};
            assert_ok(spf_histogram_count(&s->node, values, &bins, all[k], &h));
            spf_split wanted = plain_best(&h, before, &heavy_wanted);
            if (n % 2 == 1 && wanted.found)
                before = (spf_split){.found = 1, .score = wanted.score * (n % 4 == 1 ? .9 : 1)};
            wanted = plain_best(&h, before, &heavy_wanted);
            spf_split best = before;
            spf_histogram_best(&h, &s->node, NULL, &best, &heavy);
            assert_true(best.found == wanted.found && best.score == wanted.score);
            assert_true(best.bin == wanted.bin && best.next_bin == wanted.next_bin);
            assert_int_equal(heavy.count, heavy_wanted.count);
            assert_memory_equal(heavy.run, heavy_wanted.run, heavy.count * sizeof *heavy.run);
            found += best.coarse;
        }
    }
    assert_true(found > NODES / 4 * widths);
    spf_histogram_free(&h);
}

enum { FEW_BINS = 24 };

/* A histogram of so many bins, and the node that it is of. */
static spf_histogram of_pairs(uint64_t *pairs, uint32_t bins, const spf_kernels *kernels,
                              int numeric, uint32_t *totals, spf_split_node *node) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < bins + 2; i++) sum += pairs[i];
    totals[1] = (uint32_t)(sum >> 32);
    totals[0] = (uint32_t)sum - totals[1];
    *node = s->node;
    node->total = (uint32_t)sum;
    node->class_total = totals;
    node->numeric = numeric;
    node->min_leaf = 1;
    return (spf_histogram){.pairs = pairs,
                           .in_pairs = 1,
                           .kernels = kernels,
                           .bins = {.per_unit = 1, .high = (float)bins, .count = bins}};
}

static void assert_same_cut(const spf_histogram *h, const spf_split_node *node) {
    spf_split_node own = s->node;
    spf_heavy_bins heavy, heavy_wanted;
    spf_split best = {0};
    s->node = *node;
    spf_split wanted = plain_best(h, best, &heavy_wanted);
    s->node = own;
    spf_histogram_best(h, node, NULL, &best, &heavy);
    assert_true(best.found == wanted.found && best.score == wanted.score);
    assert_true(best.bin == wanted.bin && best.next_bin == wanted.next_bin);
}

/* Of weights from few to nearly 2^31, where products are rounded; ones may be as many as the weight
 * or, in regression, add up to nearly 2^32. */
static void the_best_cut_is_that_of_a_plain_loop_for_any_weight(void **state) {
    (void)state;
    uint64_t pairs[FEW_BINS + 2];
    uint32_t totals[2];
    spf_split_node node;
    for (uint32_t n = 0; n < 4 * NODES; n++) {
        const int numeric = (int)(n % 2);
        const uint32_t each = (uint32_t)((1u << (5 + n % 26)) / FEW_BINS) + 1;
        const uint32_t ones = numeric ? UINT32_MAX / (FEW_BINS + 2) : each;
        for (size_t i = 0; i < FEW_BINS + 2; i++) {
            uint64_t weight = spf_random_below(&drawn, 3) ? 1 + spf_random_below(&drawn, each) : 0;
            uint64_t most = numeric ? ones : weight;
            pairs[i] = weight | (weight ? spf_random_below(&drawn, (uint32_t)most + 1) : 0ull)
                                    << 32;
        }
        for (size_t k = 0; k < widths; k++) {
            spf_histogram h = of_pairs(pairs, FEW_BINS, all[k], numeric, totals, &node);
            assert_same_cut(&h, &node);
        }
    }
}

/* Two cuts far apart whose scores differ in the last digit, with rounded products beyond 2^53. */
static void cuts_of_heavy_rows_are_compared_exactly(void **state) {
    (void)state;
    static const uint64_t cases[][6] = {
        {66846510, 1438664215, 6684651, 103551655, 13369302, 233979821},
        {65384250, 1385762785, 6538425, 102404224, 13076850, 228923151}};
    for (size_t n = 0; n < 2; n++) {
        const uint64_t *c = cases[n];
        uint64_t pairs[FEW_BINS + 2] = {0};
        uint32_t totals[2];
        spf_split_node node;
        pairs[1] = c[2] | c[3] << 32;
        pairs[2] = (c[4] - c[2]) | (c[5] - c[3]) << 32;
        pairs[FEW_BINS] = (c[0] - c[4]) | (c[1] - c[5]) << 32;
        for (size_t k = 0; k < widths; k++) {
            spf_histogram h = of_pairs(pairs, FEW_BINS, all[k], 1, totals, &node);
            assert_same_cut(&h, &node);
        }
    }
}

/* ---- several classes ------------------------------------------------------------------------- */

enum { SLOTS_MAX = SPF_VALUES_MAX + SPF_SLOTS_TOGETHER };

/* A histogram of some classes and bins, and its node. Most slots are empty, or few are; the weight
 * is anything below 2^16. */
static spf_histogram draw_counts(uint32_t *counts, uint32_t *totals, spf_split_node *node) {
    const uint32_t classes = 3 + spf_random_below(&drawn, SPF_COUNTED_CLASSES - 2);
    const uint32_t bins =
        1 + spf_random_below(&drawn, spf_random_below(&drawn, 2) ? 40 : SPF_VALUES_MAX);
    const uint32_t every = 1 + spf_random_below(&drawn, 6);
    const uint32_t heaviest = 1 + spf_random_below(&drawn, spf_random_below(&drawn, 2) ? 3 : 3000);
    const size_t width = (classes + 3) / 4 * 4;
    uint32_t room = (1 << 16) - 1;
    *node = (spf_split_node){.classes = classes,
                             .criterion = &spf_criterion_gini,
                             .class_total = totals,
                             .min_leaf = 1 + spf_random_below(&drawn, 9)};
    memset(counts, 0, SLOTS_MAX * SPF_COUNTED_CLASSES * sizeof *counts);
    memset(totals, 0, SPF_COUNTED_CLASSES * sizeof *totals);
    for (uint32_t slot = 0; slot < bins + 2; slot++) {
        if (spf_random_below(&drawn, every) > 0) continue;
        for (uint32_t n = 1 + spf_random_below(&drawn, 4); n > 0 && room > 0; n--) {
            uint32_t k = spf_random_below(&drawn, classes);
            uint32_t weight = 1 + spf_random_below(&drawn, heaviest < room ? heaviest : room);
            counts[slot * width + k] += weight;
            totals[k] += weight;
            node->total += weight;
            room -= weight;
        }
    }
    spf_criterion_gini.open(node);
    return (spf_histogram){.counts = counts,
                           .width = width,
                           .bins = {.per_unit = 1,
                                    .high = (float)bins,
                                    .count = bins,
                                    .exact = (int)spf_random_below(&drawn, 2)}};
}

static void assert_same_heavy(const spf_heavy_bins *found, const spf_heavy_bins *wanted) {
    assert_int_equal(found->count, wanted->count);
    for (size_t i = 0; i < wanted->count; i++) {
        assert_int_equal(found->run[i].first, wanted->run[i].first);
        assert_int_equal(found->run[i].last, wanted->run[i].last);
    }
}

/* The best cut that beats `beaten`, of every width as of a plain loop. */
static spf_split assert_same_of_classes(spf_histogram *h, const spf_split_node *node,
                                        spf_split beaten) {
    uint32_t left[SPF_COUNTED_CLASSES] = {0};
    spf_split wanted = beaten;
    spf_heavy_bins heavy_wanted = {0};
    spf_bin_walk plain = {h, node, left, &wanted, -1, &heavy_wanted};
    spf_walk_counts(&plain, &spf_gini_rules);
    for (size_t k = 0; k < widths; k++) {
        spf_split best = beaten;
        spf_heavy_bins heavy = {0};
        spf_bin_walk walk = {h, node, left, &best, -1, &heavy};
        h->kernels = all[k];
        all[k]->walk_squares(&walk);
        assert_true(best.found == wanted.found && best.score == wanted.score);
        assert_true(best.threshold == wanted.threshold && best.coarse == wanted.coarse);
        assert_true(best.bin == wanted.bin && best.next_bin == wanted.next_bin);
        assert_same_heavy(&heavy, &heavy_wanted);
    }
    return wanted;
}

/* Also with a cut to beat: a worse one, one that is one digit worse, and one that is as good. */
static void the_best_cut_of_several_classes_is_that_of_a_plain_loop(void **state) {
    (void)state;
    static uint32_t counts[SLOTS_MAX * SPF_COUNTED_CLASSES];
    uint32_t totals[SPF_COUNTED_CLASSES];
    spf_split_node node;
    size_t found = 0;
    for (int n = 0; n < NODES; n++) {
        spf_histogram h = draw_counts(counts, totals, &node);
        spf_split wanted = assert_same_of_classes(&h, &node, (spf_split){0});
        if (!wanted.found) continue;
        const double beaten[] = {.9 * wanted.score, nextafter(wanted.score, 0), wanted.score};
        for (size_t i = 0; i < 3; i++) {
            spf_split again =
                assert_same_of_classes(&h, &node, (spf_split){.found = 1, .score = beaten[i]});
            assert_true(again.score == wanted.score);
        }
        found++;
    }
    assert_true(found > NODES / 2);
}

/* Nodes of a few rows at the start, where each number has code of its own; NaN goes right. Numbers
 * behind the node's stay. */
static void rows_are_divided_as_one_by_one(void **state) {
    (void)state;
    enum { BEHIND = 8 };
    static uint32_t numbers[2][ROWS_MAX + BEHIND], wanted[2][ROWS_MAX + BEHIND],
        spare[2 * ROWS_MAX + BEHIND];
    for (uint32_t n = 0; n < NODES; n++) {
        uint32_t rows = n < NODES / 2 ? n % 40 : spf_random_below(&drawn, ROWS_MAX + 1);
        size_t left = 0;
        split_values_draw(&drawn, (int)(n % SPLIT_VALUE_KINDS), values, rows);
        float threshold = rows > 0 ? values[spf_random_below(&drawn, rows)] : 0;
        for (size_t i = 0; n % 3 == 0 && i < rows; i++)
            if (spf_random_below(&drawn, 4) == 0) values[i] = NAN;
        for (size_t i = 0; i < rows; i++) left += values[i] <= threshold;
        for (size_t k = 0; k < widths; k++) {
            size_t next[2] = {0, left};
            for (size_t i = 0; i < BEHIND; i++) spare[2 * rows + i] = (uint32_t)i;
            for (uint32_t i = 0; i < rows + BEHIND; i++) {
                size_t place = i < rows ? next[!(values[i] <= threshold)]++ : i;
                wanted[0][place] = numbers[0][i] = i;
                wanted[1][place] = numbers[1][i] = UINT32_MAX - i;
            }
            assert_int_equal(
                all[k]->partition(numbers[0], numbers[1], rows, values, threshold, spare), left);
            for (size_t i = 0; i < BEHIND; i++) assert_int_equal(spare[2 * rows + i], i);
            for (int a = 0; a < 2; a++)
                assert_memory_equal(numbers[a], wanted[a], (rows + BEHIND) * sizeof **wanted);
        }
    }
}

static void the_best_kernels_are_the_widest(void **state) {
    (void)state;
    const spf_kernels *best = spf_kernels_best();
    assert_ptr_equal(best, spf_kernels_of(best->lanes));
    assert_ptr_equal(spf_kernels_of(4), &spf_kernels_4);
    for (size_t lanes = 2 * best->lanes; lanes <= SPF_LANES_MAX; lanes *= 2)
        assert_null(spf_kernels_of(lanes));
    assert_null(spf_kernels_of(5));
    assert_null(spf_kernels_of(2 * SPF_LANES_MAX));
}

static int create(void **state) {
    (void)state;
    s = split_sample_create(ROWS_MAX, CLASSES_MAX, WEIGHT_MAX);
    drawn = spf_random_start(1, 0, SPF_USE_DRAW);
    widths = kernels_all(all);
    return 0;
}

static int destroy(void **state) {
    (void)state;
    split_sample_free(s);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_those_of_a_plain_loop),
        cmocka_unit_test(rows_are_counted_in_the_bins_of_a_plain_loop),
        cmocka_unit_test(every_width_finds_the_same_cut_between_bins),
        cmocka_unit_test(the_best_cut_of_two_classes_is_that_of_a_plain_loop),
        cmocka_unit_test(the_best_cut_is_that_of_a_plain_loop_for_any_weight),
        cmocka_unit_test(cuts_of_heavy_rows_are_compared_exactly),
        cmocka_unit_test(the_best_cut_of_several_classes_is_that_of_a_plain_loop),
        cmocka_unit_test(rows_are_divided_as_one_by_one),
        cmocka_unit_test(the_best_kernels_are_the_widest),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
