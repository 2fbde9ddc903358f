/* Nodes of classification trees: the weights of their classes, and the classes of their rows. */
#include "learn/outcome/classification.h"

/* ---- weighing -------------------------------------------------------------------------------- */

/* With two classes only, sums in registers are faster than counters in memory. */
static void count_two(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    const uint32_t weight_mask = (1u << s->weight_bits) - 1;
    uint32_t total = 0, ones = 0;
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++) {
        uint32_t weight = s->tag[i] & weight_mask;
        total += weight;
        ones += weight & -(s->tag[i] >> s->weight_bits);
    }
    w->class_total[0] = total - ones;
    w->class_total[1] = ones;
    w->present_count = 0;
    if (ones < total) w->present[w->present_count++] = 0;
    if (ones > 0) w->present[w->present_count++] = 1;
    w->total = total;
}

/* If tags are row numbers. */
static void count_numbers(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    w->present_count = 0;
    w->total = 0;
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++) {
        uint32_t class = s->plan->outcome.labels[s->tag[i]], weight = s->units[s->tag[i]];
        if (w->class_total[class] == 0) w->present[w->present_count++] = class;
        w->class_total[class] += weight;
        w->total += weight;
    }
}

static void count_classes(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    const uint32_t weight_mask = (1u << s->weight_bits) - 1;
    w->present_count = 0;
    w->total = 0;
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++) {
        uint32_t class = s->tag[i] >> s->weight_bits, weight = s->tag[i] & weight_mask;
        if (w->class_total[class] == 0) w->present[w->present_count++] = class;
        w->class_total[class] += weight;
        w->total += weight;
    }
}

void spf_classes_open_node(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    if (s->units)
        count_numbers(w, s, node);
    else if (w->plan->outcome.classes == 2)
        count_two(w, s, node);
    else
        count_classes(w, s, node);
    w->varies = w->present_count > 1;
}

/* ---- describing ------------------------------------------------------------------------------ */

/* Classes and weights of rows whose tags are row numbers. */
static sporf_status gather_tags(spf_workspace *w, const spf_tree_rows *s, const uint32_t *tag,
                                size_t rows) {
    SPF_TRY(SPF_RESERVE(w->tag, w->tag_capacity, rows));
    for (size_t i = 0; i < rows; i++)
        w->tag[i] = s->plan->outcome.labels[tag[i]] << s->weight_bits | s->units[tag[i]];
    return SPORF_OK;
}

/* Numbers the classes within the node. */
static sporf_status number_classes(spf_workspace *w, const spf_tree_rows *s, const uint32_t *tag,
                                   size_t rows) {
    const uint32_t weight_mask = (1u << s->weight_bits) - 1;
    SPF_TRY(SPF_RESERVE(w->tag, w->tag_capacity, rows));
    for (size_t k = 0; k < w->present_count; k++) {
        w->number[w->present[k]] = (uint32_t)k;
        w->dense_total[k] = w->class_total[w->present[k]];
    }
    for (size_t i = 0; i < rows; i++)
        w->tag[i] = w->number[tag[i] >> s->weight_bits] << s->weight_bits | (tag[i] & weight_mask);
    return SPORF_OK;
}

static sporf_status make_pairs(spf_workspace *w, const uint32_t *tag, unsigned weight_bits,
                               size_t rows) {
    const uint32_t weight_mask = (1u << weight_bits) - 1;
    SPF_TRY(SPF_RESERVE(w->pair, w->pair_capacity, rows));
    for (size_t i = 0; i < rows; i++) {
        uint32_t weight = tag[i] & weight_mask, ones = weight & -(tag[i] >> weight_bits);
        w->pair[i] = (uint64_t)ones << 32 | weight;
    }
    return SPORF_OK;
}

sporf_status spf_classes_describe_node(spf_workspace *w, const spf_tree_rows *s,
                                       const spf_waiting *node, spf_split_node *split) {
    size_t rows = node->bag.end - node->bag.begin;
    const uint32_t *tag = s->tag + node->bag.begin, *totals = w->class_total;
    if (s->units) {
        SPF_TRY(gather_tags(w, s, tag, rows));
        tag = w->tag;
    }
    if (w->plan->outcome.classes > 2) {
        SPF_TRY(number_classes(w, s, tag, rows));
        tag = w->tag;
        totals = w->dense_total;
    }
    int counts = rows > SPF_LANES_ROWS_BINNED || w->searcher.levels.schema;
    int bins = counts && w->plan->split == SPORF_SPLIT_AUTO;
    int numbered = s->units && rows <= SPF_LANES_ROWS;
    int is_pair = w->present_count == 2 && w->plan->criterion->pairs;
    if (is_pair && (bins || numbered)) SPF_TRY(make_pairs(w, tag, s->weight_bits, rows));
    *split = (spf_split_node){
        .rows = rows,
        .classes = w->present_count,
        .tag = tag,
        .weight_bits = s->weight_bits,
        .pair = w->pair,
        .class_total = totals,
        .total = w->total,
        .min_leaf = s->least_units,
        .criterion = w->plan->criterion,
        .xlogx = &w->plan->xlogx,
        .numbered = is_pair && numbered,
    };
    split->criterion->open(split);
    return SPORF_OK;
}
