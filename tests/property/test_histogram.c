/* Histograms of parts of a node, merged, against the histogram of the whole node: the rows may be
 * anywhere, and counted by kernels of any width, the counts and the best cut are the same. */
#include "learn/splitting/histogram.h"

#include "support/check.h"
#include "support/kernels_all.h"
#include "support/split_sample.h"

enum { ROWS_MAX = 2000, CLASSES_MAX = 120, WEIGHT_MAX = 60, NODES = 1500, PARTS = 3 };

/* Some rows of a node, with values of their own. */
typedef struct {
    spf_split_node node;
    uint32_t tag[ROWS_MAX];
    uint64_t pair[ROWS_MAX];
    float values[ROWS_MAX];
    spf_histogram histogram;
} part;

static void draw_node(split_sample *s, sporf_random *random) {
    static const uint32_t classes[] = {2, 3, 5, 9, 32, 40, CLASSES_MAX};
    split_shape shape = {2 + spf_random_below(random, ROWS_MAX - 1),
                         classes[spf_random_below(random, 7)],
                         spf_random_below(random, 3) ? 3 : WEIGHT_MAX};
    split_sample_draw(s, random, shape);
}

/* Bins over all values, or over the middle of them. */
static spf_bins draw_bins(sporf_random *random, spf_range range) {
    int partial = (int)spf_random_below(random, 2);
    float margin = partial ? (range.high - range.low) / 8 : 0;
    spf_bins bins = spf_bins_over((spf_range){range.low + margin, range.high - margin},
                                  1 + spf_random_below(random, SPF_BINS_MAX));
    bins.partial = partial;
    return bins;
}

/* The kernels of each width in turn. */
static const spf_kernels *next_width(void) {
    static size_t turn;
    const spf_kernels *all[KERNELS_MAX];
    size_t count = kernels_all(all);
    return all[turn++ % count];
}

static spf_range range_of(const float *values, size_t rows) {
    return next_width()->range(values, rows);
}

/* Each part knows its own rows alone. */
static spf_range join_ranges(const part *parts) {
    spf_range range = range_of(parts[0].values, parts[0].node.rows);
    for (size_t p = 1; p < PARTS; p++)
        range = spf_range_join(range, range_of(parts[p].values, parts[p].node.rows));
    return range;
}

/* Deals the rows out; a part may stay without any. */
static void deal(const split_sample *s, const float *values, sporf_random *random, part *parts) {
    uint32_t used = 1 + spf_random_below(random, PARTS);
    for (size_t p = 0; p < PARTS; p++) {
        parts[p].node = s->node;
        parts[p].node.rows = 0;
        parts[p].node.tag = parts[p].tag;
        parts[p].node.pair = parts[p].pair;
    }
    for (size_t i = 0; i < s->node.rows; i++) {
        part *to = &parts[spf_random_below(random, used)];
        to->tag[to->node.rows] = s->tag[i];
        to->pair[to->node.rows] = s->pair[i];
        to->values[to->node.rows++] = values[i];
    }
}

static int compare_tags(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The tags of a slot may come in any order. */
static void sort_tags(spf_histogram *h) {
    uint32_t *end = h->counts, *tags = end + h->bins.count + 2, begin = 0;
    for (uint32_t slot = 0; slot < h->bins.count + 2; begin = end[slot++])
        qsort(tags + begin, end[slot] - begin, sizeof *tags, compare_tags);
}

static void assert_same_counts(spf_histogram *a, spf_histogram *b) {
    size_t slots = a->bins.count + 2, cells = slots * a->width;
    assert_int_equal(a->in_pairs, b->in_pairs);
    if (a->in_pairs) {
        assert_memory_equal(a->pairs, b->pairs, slots * sizeof *a->pairs);
        return;
    }
    assert_int_equal(a->width, b->width);
    if (a->width == 0) {
        sort_tags(a);
        sort_tags(b);
        cells = slots + a->counts[slots - 1];
    }
    assert_memory_equal(a->counts, b->counts, cells * sizeof *a->counts);
}

/* The whole node and its parts, counted in the same bins; the parts are merged into the first. */
static void count_and_merge(const split_sample *s, const float *values, const spf_bins *bins,
                            spf_histogram *whole, part *parts) {
    assert_ok(spf_histogram_count(&s->node, values, bins, &spf_kernels_4, whole));
    for (size_t p = 0; p < PARTS; p++)
        assert_ok(spf_histogram_count(&parts[p].node, parts[p].values, bins, next_width(),
                                      &parts[p].histogram));
    for (size_t p = 1; p < PARTS; p++)
        assert_ok(spf_histogram_merge(&parts[0].histogram, &parts[p].histogram));
}

typedef struct {
    spf_split best;
    spf_heavy_bins heavy;
} answer;

static answer ask(const spf_histogram *histogram, split_sample *s) {
    answer a;
    memset(&a, 0, sizeof a);
    spf_histogram_best(histogram, &s->node, s->scratch.left, &a.best, &a.heavy);
    return a;
}

static int same_answer(const answer *a, const answer *b) {
    int same = a->best.found == b->best.found && a->best.score == b->best.score &&
               a->best.bin == b->best.bin && a->best.next_bin == b->best.next_bin &&
               a->heavy.count == b->heavy.count;
    for (size_t i = 0; same && i < a->heavy.count; i++)
        same = a->heavy.run[i].first == b->heavy.run[i].first &&
               a->heavy.run[i].last == b->heavy.run[i].last;
    return same;
}

static void merged_histograms_of_disjoint_rows_are_the_histogram_of_all_rows(void **state) {
    (void)state;
    static part parts[PARTS];
    static float values[ROWS_MAX];
    split_sample *s = split_sample_create(ROWS_MAX, CLASSES_MAX, WEIGHT_MAX);
    spf_histogram whole = {0};
    sporf_random random = spf_random_start(11, 0, SPF_USE_DRAW);
    size_t pairs = 0, counts = 0, orders = 0, found = 0;
    for (int n = 0; n < NODES; n++) {
        draw_node(s, &random);
        split_values_draw(&random, spf_random_below(&random, 2) ? 1 : 3, values, s->node.rows);
        deal(s, values, &random, parts);
        spf_range range = range_of(values, s->node.rows), joined = join_ranges(parts);
        assert_true(joined.low == range.low && joined.high == range.high);
        spf_bins bins = draw_bins(&random, joined);
        count_and_merge(s, values, &bins, &whole, parts);
        answer of_whole = ask(&whole, s), of_parts = ask(&parts[0].histogram, s);
        assert_true(same_answer(&of_whole, &of_parts));
        assert_same_counts(&whole, &parts[0].histogram);
        pairs += whole.in_pairs;
        counts += !whole.in_pairs && whole.width > 0;
        orders += !whole.in_pairs && whole.width == 0;
        found += of_whole.best.found;
    }
    assert_true(pairs > 50 && counts > 50 && orders > 50 && found > NODES / 2);
    for (size_t p = 0; p < PARTS; p++) spf_histogram_free(&parts[p].histogram);
    spf_histogram_free(&whole);
    split_sample_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_histograms_of_disjoint_rows_are_the_histogram_of_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
