/* Ranges, counts and cuts of the rows that are here. */
#include "learn/apart/column_answer.h"

#include "learn/outcome/regression.h"
#include "learn/splitting/bin_column.h"
#include "learn/splitting/ends.h"
#include "learn/splitting/split_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the node -------------------------------------------------------------------------------- */

sporf_status spf_apart_node_read(const spf_plan *plan, spf_reader *question, spf_apart_node *out) {
    uint32_t classes;
    *out = (spf_apart_node){.node = {.criterion = plan->criterion, .xlogx = &plan->xlogx}};
    SPF_TRY(spf_read_number(question, &classes));
    if (classes > plan->outcome.classes) return spf_raise_message();
    out->node.classes = classes;
    out->number = spf_alloc_zero(plan->outcome.classes, sizeof *out->number);
    if (!out->number) return spf_raise_memory();
    for (uint32_t k = 0; k < classes; k++) {
        uint32_t class;
        SPF_TRY(spf_read_number(question, &class));
        if (class >= plan->outcome.classes) return spf_raise_message();
        out->number[class] = k;
    }
    if (plan->outcome.targets > 0) {
        out->node.classes = plan->outcome.split_classes;
        out->node.numeric = 1;
    }
    SPF_TRY(spf_read(question, &out->facts, sizeof out->facts));
    if (out->facts.weight > UINT32_MAX) return spf_raise_message();
    out->node.total = out->facts.weight;
    SPF_TRY(spf_read_number(question, &out->found_count));
    return spf_read_array(question, out->found_count, sizeof *out->found, &out->found);
}

static sporf_status gather_draws(const spf_tree_rows *s, const spf_waiting *waiting,
                                 spf_apart_node *out) {
    out->draws = spf_alloc(out->node.rows, sizeof *out->draws);
    if (!out->draws) return spf_raise_memory();
    for (size_t i = 0; i < out->node.rows; i++)
        out->draws[i] = s->draws[s->tag[waiting->bag.begin + i]];
    out->node.draws = out->draws;
    out->node.least_draws = s->plan->min_leaf;
    return SPORF_OK;
}

static sporf_status fill_classes(const spf_tree_rows *s, uint32_t begin, spf_apart_node *out) {
    size_t rows = out->node.rows;
    int is_pair = spf_split_is_pair(&out->node);
    out->tag = spf_alloc(rows, sizeof *out->tag);
    out->pair = is_pair ? spf_alloc(rows, sizeof *out->pair) : NULL;
    if (!out->tag || (is_pair && !out->pair)) return spf_raise_memory();
    out->node.tag = out->tag;
    out->node.weight_bits = s->weight_bits;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t number = out->number[spf_bag_class(s, begin + i)];
        out->tag[i] = number << s->weight_bits | spf_bag_weight(s, begin + i);
        if (is_pair) out->pair[i] = spf_tag_pair(&out->node, i);
    }
    return SPORF_OK;
}

/* A damaged question may have a range that does not hold all targets. */
static sporf_status fill_targets(const spf_tree_rows *s, uint32_t begin, spf_apart_node *out) {
    const spf_node_facts *of = &out->facts;
    const float *values = spf_outcome_values(&s->plan->outcome, 0);
    if (!(of->range.low < of->range.high) || of->weight == 0 || of->rows > of->weight)
        return spf_raise_message();
    spf_target_steps steps = spf_target_steps_of(s->plan, (double)of->range.low,
                                                 (double)of->range.high, of->weight, of->rows);
    out->pair = spf_alloc(out->node.rows, sizeof *out->pair);
    if (!out->pair) return spf_raise_memory();
    for (uint32_t i = 0; i < out->node.rows; i++) {
        float value = values[s->tag[begin + i]];
        if (!(value >= of->range.low && value <= of->range.high)) return spf_raise_message();
        out->pair[i] = spf_target_pair(&steps, value, spf_bag_weight(s, begin + i));
    }
    return SPORF_OK;
}

sporf_status spf_apart_node_open(const spf_tree_rows *s, const spf_waiting *waiting,
                                 spf_apart_node *out) {
    out->node.rows = waiting->bag.end - waiting->bag.begin;
    SPF_TRY((out->node.numeric ? fill_targets : fill_classes)(s, waiting->bag.begin, out));
    out->node.pair = out->pair;
    return spf_plan_counts_leaves(s->plan) ? gather_draws(s, waiting, out) : SPORF_OK;
}

void spf_apart_node_free(spf_apart_node *node) {
    free(node->number);
    free(node->tag);
    free(node->pair);
    free(node->draws);
    free(node->found);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Of the values that are not missing. */
static spf_range range_of_present(const float *values, size_t rows) {
    spf_range range = {INFINITY, -INFINITY};
    for (size_t i = 0; i < rows; i++) { /* comparisons with NaN are false */
        range.low = values[i] < range.low ? values[i] : range.low;
        range.high = values[i] > range.high ? values[i] : range.high;
    }
    return range;
}

static sporf_status write_range(const spf_split_node *node, const float *values,
                                const spf_kernels *kernels, spf_writer *answer) {
    int missing = spf_missing_exist(values, node->rows);
    spf_range range =
        missing ? range_of_present(values, node->rows) : kernels->range(values, node->rows);
    SPF_TRY(spf_write(answer, &range, sizeof range));
    return spf_write_number(answer, (uint32_t)missing);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* The counts of one slot, whatever the histogram's form. */
static void count_slot(const spf_histogram *h, const spf_split_node *node, uint32_t slot,
                       uint32_t *count) {
    uint32_t end = h->width > 0 ? 0 : h->counts[slot];
    for (size_t k = 0; k < node->classes; k++)
        count[k] = h->width > 0 ? h->counts[slot * h->width + k] : 0;
    for (uint32_t i = h->width > 0 || slot == 0 ? 0 : h->counts[slot - 1]; i < end; i++) {
        uint32_t tag = spf_histogram_tags(h)[i];
        count[tag >> node->weight_bits] += tag & ((1u << node->weight_bits) - 1);
    }
}

/* A pair for each slot, or a number for each slot and class. Bins are counted as if some values
 * could be beyond them: the question may be damaged. */
static sporf_status write_counts(const spf_split_node *node, const float *values, spf_bins bins,
                                 spf_split_scratch *scratch, spf_writer *answer) {
    spf_histogram *h = &scratch->histogram;
    uint32_t slots = bins.count + 2, *count = scratch->left;
    if (bins.count == 0 || bins.count > SPF_VALUES_MAX) return spf_raise_message();
    bins.partial = 1;
    SPF_TRY(spf_histogram_count(node, values, &bins, scratch->kernels, h));
    if (h->in_pairs) return spf_write(answer, h->pairs, slots * sizeof *h->pairs);
    sporf_status status = SPORF_OK;
    for (uint32_t slot = 0; status == SPORF_OK && slot < slots; slot++) {
        count_slot(h, node, slot, count);
        status = spf_write(answer, count, node->classes * sizeof *count);
    }
    for (size_t k = 0; k < node->classes; k++) count[k] = 0;
    return status;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static int is_left(const spf_ask *ask, float value) {
    return ask->kind == SPF_ASK_CUT ? spf_place_of(&ask->inside, value) < ask->inside.first
                                    : value <= ask->threshold;
}

static sporf_status write_left_pair(const spf_split_node *node, const float *values,
                                    const spf_ask *ask, spf_writer *answer) {
    uint64_t sum = 0;
    for (size_t i = 0; i < node->rows; i++) sum += is_left(ask, values[i]) ? node->pair[i] : 0;
    SPF_TRY(spf_write_number(answer, (uint32_t)sum));
    return spf_write_number(answer, (uint32_t)(sum >> 32));
}

/* The weights of some rows, as in heard.h. */
static sporf_status write_left(const spf_split_node *node, const float *values, const spf_ask *ask,
                               uint32_t *left, spf_writer *answer) {
    if (spf_split_is_pair(node)) return write_left_pair(node, values, ask, answer);
    for (size_t i = 0; i < node->rows; i++)
        left[spf_tag_class(node, i)] += is_left(ask, values[i]) ? spf_tag_weight(node, i) : 0;
    sporf_status status = spf_write(answer, left, node->classes * sizeof *left);
    for (size_t k = 0; k < node->classes; k++) left[k] = 0;
    return status;
}

/* Rows with the same value become one: keys from `begin` to `end` have one value. */
static sporf_status write_pair(const spf_split_node *node, const float *values,
                               const uint64_t *keys, size_t begin, size_t end, spf_writer *answer) {
    uint64_t sum = 0;
    for (size_t i = begin; i < end; i++) sum += node->pair[(uint32_t)keys[i]];
    spf_apart_value entry = {values[(uint32_t)keys[begin]], (uint32_t)(sum >> 32), (uint32_t)sum};
    return spf_write(answer, &entry, sizeof entry);
}

/* The same for each class. */
static sporf_status write_classes(const spf_split_node *node, const float *values,
                                  const uint64_t *keys, size_t begin, size_t end, uint32_t *sums,
                                  spf_writer *answer) {
    sporf_status status = SPORF_OK;
    for (size_t i = begin; i < end; i++)
        sums[spf_tag_class(node, (uint32_t)keys[i])] += spf_tag_weight(node, (uint32_t)keys[i]);
    for (size_t i = begin; i < end; i++) {
        uint32_t row = (uint32_t)keys[i], class = spf_tag_class(node, row);
        spf_apart_value entry = {values[row], class, sums[class]};
        if (sums[class] > 0 && status == SPORF_OK) status = spf_write(answer, &entry, sizeof entry);
        sums[class] = 0;
    }
    return status;
}

/* A list begins with its length, which is set when it is written. */
static void set_count(spf_writer *answer, size_t place, size_t size) {
    uint32_t entries = (uint32_t)((answer->size - place - sizeof entries) / size);
    memcpy(answer->bytes + place, &entries, sizeof entries);
}

static sporf_status write_values(const spf_split_node *node, const float *values, size_t count,
                                 spf_split_scratch *scratch, spf_writer *answer) {
    const uint64_t *keys = scratch->keys;
    size_t place = answer->size, begin = 0;
    SPF_TRY(SPF_RESERVE(scratch->spare, scratch->spare_capacity, count));
    SPF_TRY(spf_write_number(answer, 0)); /* how many, set below */
    spf_sort_keys(scratch->keys, scratch->spare, count);
    for (size_t i = 1; i <= count; i++) {
        if (i < count && keys[i] >> 32 == keys[begin] >> 32) continue;
        if (spf_split_is_pair(node))
            SPF_TRY(write_pair(node, values, keys, begin, i, answer));
        else
            SPF_TRY(write_classes(node, values, keys, begin, i, scratch->left, answer));
        begin = i;
    }
    set_count(answer, place, sizeof(spf_apart_value));
    return SPORF_OK;
}

static sporf_status write_cut(const spf_split_node *node, const float *values, const spf_ask *ask,
                              spf_split_scratch *scratch, spf_writer *answer) {
    size_t count;
    SPF_TRY(write_left(node, values, ask, scratch->left, answer));
    SPF_TRY(spf_collect_inside(node, values, &ask->inside, scratch, &count));
    return write_values(node, values, count, scratch, answer);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Sums over the rows of one level: of a pair, or of each class. */
typedef struct {
    uint32_t level;
    const uint64_t *keys; /* of its rows */
    size_t count;
    uint32_t *weight, *draws; /* [classes], all 0 between levels */
} level_run;

static uint32_t draws_at(const spf_split_node *node, uint32_t row) {
    return node->draws ? node->draws[row] : 0;
}

static sporf_status write_level_pair(const spf_split_node *node, const level_run *run,
                                     spf_writer *answer) {
    uint64_t sum = 0;
    uint32_t draws = 0;
    for (size_t i = 0; i < run->count; i++) {
        sum += node->pair[(uint32_t)run->keys[i]];
        draws += draws_at(node, (uint32_t)run->keys[i]);
    }
    spf_level_sum entry = {run->level, (uint32_t)(sum >> 32), (uint32_t)sum, draws};
    return spf_write(answer, &entry, sizeof entry);
}

static sporf_status write_level_classes(const spf_split_node *node, const level_run *run,
                                        spf_writer *answer) {
    sporf_status status = SPORF_OK;
    for (size_t i = 0; i < run->count; i++) {
        uint32_t row = (uint32_t)run->keys[i], class = spf_tag_class(node, row);
        run->weight[class] += spf_tag_weight(node, row);
        run->draws[class] += draws_at(node, row);
    }
    for (size_t i = 0; i < run->count; i++) {
        uint32_t class = spf_tag_class(node, (uint32_t)run->keys[i]);
        spf_level_sum entry = {run->level, class, run->weight[class], run->draws[class]};
        if (entry.weight > 0 && status == SPORF_OK)
            status = spf_write(answer, &entry, sizeof entry);
        run->weight[class] = run->draws[class] = 0;
    }
    return status;
}

/* The keys of the scratch memory are sorted by level. */
static sporf_status write_runs(const spf_split_node *node, const uint64_t *keys, level_run *run,
                               spf_writer *answer) {
    size_t begin = 0;
    for (size_t i = 1; i <= node->rows; i++) {
        if (i < node->rows && keys[i] >> 32 == keys[begin] >> 32) continue;
        run->level = (uint32_t)(keys[begin] >> 32);
        run->keys = keys + begin;
        run->count = i - begin;
        SPF_TRY(
            (spf_split_is_pair(node) ? write_level_pair : write_level_classes)(node, run, answer));
        begin = i;
    }
    return SPORF_OK;
}

static sporf_status write_levels(const spf_split_node *node, const float *levels,
                                 spf_split_scratch *scratch, spf_writer *answer) {
    size_t place = answer->size;
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, node->rows));
    SPF_TRY(SPF_RESERVE(scratch->spare, scratch->spare_capacity, node->rows));
    for (size_t i = 0; i < node->rows; i++) {
        uint32_t level = isnan(levels[i]) ? SPF_NOT_SEEN : (uint32_t)levels[i];
        scratch->keys[i] = (uint64_t)level << 32 | i;
    }
    spf_sort_keys(scratch->keys, scratch->spare, node->rows);
    level_run run = {.weight = scratch->left,
                     .draws = spf_alloc_zero(node->classes, sizeof(uint32_t))};
    sporf_status status = run.draws ? spf_write_number(answer, 0) : spf_raise_memory();
    if (status == SPORF_OK) status = write_runs(node, scratch->keys, &run, answer);
    free(run.draws);
    if (status == SPORF_OK) set_count(answer, place, sizeof(spf_level_sum));
    return status;
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* The lowest values, then the highest ones, with their sign changed. */
static sporf_status write_ends(const spf_split_node *node, const float *values,
                               spf_writer *answer) {
    size_t least = node->least_draws, most = least < node->rows ? least : node->rows;
    spf_end *heap = spf_alloc(most + 1, sizeof *heap);
    sporf_status status = heap ? SPORF_OK : spf_raise_memory();
    for (float sign = 1; status == SPORF_OK && sign >= -1; sign -= 2) {
        size_t held = spf_ends_hold(values, sign, node->draws, node->rows, node->least_draws, heap);
        status = spf_write_number(answer, (uint32_t)held);
        if (status == SPORF_OK) status = spf_write(answer, heap, held * sizeof *heap);
    }
    free(heap);
    return status;
}

static sporf_status write_draws(const spf_split_node *node, const float *values, const spf_ask *ask,
                                spf_writer *answer) {
    uint64_t left = 0;
    if (ask->bins.count > SPF_VALUES_MAX) return spf_raise_message();
    for (size_t i = 0; i < node->rows; i++) {
        int goes_left = ask->bins.count > 0 ? spf_bin_of(&ask->bins, values[i]) <= (int32_t)ask->bin
                                            : values[i] <= ask->threshold;
        left += goes_left ? node->draws[i] : 0;
    }
    return spf_write(answer, &left, sizeof left);
}

/* ---- asks ------------------------------------------------------------------------------------ */

static sporf_status write_ones(const spf_split_node *node, spf_writer *answer) {
    uint64_t ones = 0;
    for (size_t i = 0; i < node->rows; i++) ones += node->pair[i] >> 32;
    return spf_write(answer, &ones, sizeof ones);
}

sporf_status spf_column_answer(const spf_split_node *node, const float *values, const spf_ask *ask,
                               spf_split_scratch *scratch, spf_writer *answer) {
    spf_range range;
    switch (ask->kind) {
    case SPF_ASK_ONES:
        return node->numeric ? write_ones(node, answer) : spf_raise_message();
    case SPF_ASK_LEVELS:
        return write_levels(node, values, scratch, answer);
    case SPF_ASK_RANGE:
        return write_range(node, values, scratch->kernels, answer);
    case SPF_ASK_RANGE_INSIDE:
        range = scratch->kernels->range_inside(values, node->rows, &ask->inside);
        return spf_write(answer, &range, sizeof range);
    case SPF_ASK_COUNT:
        return write_counts(node, values, ask->bins, scratch, answer);
    case SPF_ASK_CUT:
        return write_cut(node, values, ask, scratch, answer);
    case SPF_ASK_LEFT:
        return write_left(node, values, ask, scratch->left, answer);
    case SPF_ASK_ENDS:
        return node->draws ? write_ends(node, values, answer) : spf_raise_message();
    case SPF_ASK_DRAWS:
        return node->draws ? write_draws(node, values, ask, answer) : spf_raise_message();
    default:
        return spf_raise_message();
    }
}
