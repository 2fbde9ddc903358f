/* Replaces categories in candidates by levels or sets of levels. */
#include "learn/growing/categories.h"

#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static sporf_status make_room(spf_categories *levels) {
    size_t most = spf_schema_most_levels(levels->schema);
    levels->alone = spf_alloc_zero(levels->features, sizeof *levels->alone);
    levels->sums = spf_alloc_zero(most, sizeof *levels->sums);
    levels->found = spf_alloc(most, sizeof *levels->found);
    levels->keys = spf_alloc(2 * most + 2, sizeof *levels->keys);
    levels->rank = spf_alloc(most, sizeof *levels->rank);
    if (levels->alone && levels->sums && levels->found && levels->keys && levels->rank)
        return spf_level_codes_create(levels->schema, levels->features, &levels->codes);
    spf_categories_free(levels);
    return spf_raise_memory();
}

sporf_status spf_categories_create(const sporf_dataset *data, const spf_slots *slots,
                                   const float *fill, uint32_t least, spf_categories *levels) {
    int categories = spf_schema_has_categories(&data->schema);
    *levels = (spf_categories){.features = data->features,
                               .least = least,
                               .slots = slots,
                               .schema = categories ? &data->schema : NULL,
                               .fill = fill};
    return categories ? make_room(levels) : SPORF_OK;
}

void spf_categories_free(spf_categories *levels) {
    spf_projections_free(&levels->resolved);
    spf_set_list_free(&levels->sets);
    free(levels->leading);
    free(levels->alone);
    free(levels->sums);
    free(levels->found);
    free(levels->keys);
    free(levels->rank);
    spf_level_codes_free(&levels->codes);
    *levels = (spf_categories){0};
}

/* A node has a set of one level for each term, and the set of the winner. */
double spf_categories_bytes(const spf_expected *e) {
    const size_t word = sizeof(uint32_t);
    double levels = e->levels, terms = e->candidates * e->terms;
    if (levels == 0) return 0;
    return spf_alloc_bytes(e->features, sizeof(char)) + spf_alloc_bytes(levels, sizeof(uint64_t)) +
           spf_alloc_bytes(levels, word) + spf_alloc_bytes(2 * levels + 2, sizeof(uint64_t)) +
           spf_alloc_bytes(levels, sizeof(float)) + spf_projections_bytes(e->candidates, terms) +
           spf_reserve_bytes(e->candidates, word) + spf_reserve_bytes(terms + 1, sizeof(spf_set)) +
           spf_reserve_bytes(terms + levels / 32 + 1, word) + spf_level_codes_bytes(e);
}

/* ---- one level among several terms ----------------------------------------------------------- */

static float level_at(const spf_table *table, uint32_t feature, uint32_t row) {
    size_t place = row * table->stride;
    return table->bytes ? table->bytes[feature][place] : table->columns[feature][place];
}

static void list_units(spf_categories *levels, const spf_split_node *node) {
    size_t unit = 0;
    for (size_t i = 0; i < node->rows; i++)
        for (uint32_t left = spf_row_weight(node, i); left > 0; left--)
            levels->row_of_unit[unit++] = (uint16_t)i;
}

static void weigh_parts(spf_categories *levels, const spf_split_node *node) {
    levels->part_rows = node->rows / SPF_LEVELS_PARTS + 1;
    for (size_t i = 0, part = 0; i < node->rows; part++) {
        size_t rest = node->rows - i,
               end = i + (rest < levels->part_rows ? rest : levels->part_rows);
        uint32_t weight = 0;
        for (; i < end; i++) weight += spf_row_weight(node, i);
        levels->part_weight[part] = weight;
    }
}

/* Prepares draws of rows; nothing is needed if all rows weigh 1. */
static void weigh_rows(spf_categories *levels, const spf_split_node *node) {
    if (node->total == node->rows) return;
    (node->total <= SPF_LEVELS_UNITS ? list_units : weigh_parts)(levels, node);
}

/* The row with this unit of weight, as if rows were repeated. */
static size_t row_of(const spf_categories *levels, const spf_split_node *node, uint32_t ticket) {
    if (node->total == node->rows) return ticket;
    if (node->total <= SPF_LEVELS_UNITS) return levels->row_of_unit[ticket];
    size_t part = 0;
    while (ticket >= levels->part_weight[part]) ticket -= levels->part_weight[part++];
    size_t row = part * levels->part_rows;
    while (ticket >= spf_row_weight(node, row)) ticket -= spf_row_weight(node, row++);
    return row;
}

/* Further ones have a stream of their own: that of the node must not depend on its rows. */
void spf_look_tickets(uint32_t ticket, uint32_t total, uint32_t tickets[SPF_LOOK_TRIES]) {
    sporf_random random = spf_random_start(ticket, total, SPF_USE_LEVELS);
    tickets[0] = ticket;
    for (int i = 1; i < SPF_LOOK_TRIES; i++) tickets[i] = spf_random_below(&random, total);
}

/* Looks at a row that is elsewhere. */
static sporf_status look(spf_looks *looks, spf_look at, uint32_t *seen) {
    SPF_TRY(SPF_RESERVE(looks->look, looks->capacity, looks->count + 1));
    *seen = looks->found ? looks->found[looks->count] : 0;
    looks->look[looks->count++] = at;
    return SPORF_OK;
}

static float level_of_ticket(const spf_categories *levels, const spf_split_node *node,
                             const spf_node_rows *rows, spf_look at) {
    return level_at(rows->table, at.feature, rows->row[row_of(levels, node, at.ticket)]);
}

/* The level of the first try that has one. */
static uint32_t try_others(const spf_categories *levels, const spf_split_node *node,
                           const spf_node_rows *rows, spf_look at) {
    uint32_t tickets[SPF_LOOK_TRIES];
    spf_look_tickets(at.ticket, (uint32_t)node->total, tickets);
    for (int i = 1; i < SPF_LOOK_TRIES; i++) {
        float level = level_of_ticket(levels, node, rows, (spf_look){tickets[i], at.feature});
        if (level == level) return (uint32_t)level;
    }
    return 0;
}

/* The level of a random row of the node: frequent levels are drawn more often, absent ones
 * never. */
static sporf_status draw_level(const spf_categories *levels, const spf_split_node *node,
                               const spf_node_rows *rows, uint32_t feature, sporf_random *random,
                               uint32_t *out) {
    spf_look at = {spf_random_below(random, (uint32_t)node->total), feature};
    if (rows->looks) return look(rows->looks, at, out);
    float level = level_of_ticket(levels, node, rows, at);
    *out = level == level ? (uint32_t)level : try_others(levels, node, rows, at);
    return SPORF_OK;
}

static int is_category(const spf_categories *levels, uint32_t feature) {
    return levels->schema && levels->schema->kinds[feature] == SPORF_KIND_CATEGORY;
}

/* The features of some slots; a category counts once. Returns the number of terms left. Without
 * branches, which would be hard to predict. */
static size_t find_features(const spf_categories *levels, uint32_t *slot, float *weight,
                            size_t terms) {
    const uint32_t *of_slot = levels->slots->feature;
    size_t kept = 0;
    for (size_t i = 0; i < terms; i++) {
        uint32_t feature = of_slot ? of_slot[slot[i]] : slot[i];
        int is_new = kept == 0 || slot[kept - 1] != feature;
        slot[kept] = feature;
        weight[kept] = weight[i];
        kept += (size_t)is_new;
    }
    return kept;
}

/* A category becomes a level. Among several terms a missing value would hide the others: it is
 * filled in. */
static sporf_status resolve_term(spf_categories *levels, const spf_split_node *node,
                                 const spf_node_rows *rows, sporf_random *random, size_t terms,
                                 uint32_t *feature) {
    uint32_t set;
    if (is_category(levels, *feature)) {
        uint32_t level;
        SPF_TRY(draw_level(levels, node, rows, *feature, random, &level));
        SPF_TRY(spf_set_list_add_level(&levels->sets, *feature, level, &set));
        SPF_TRY(spf_level_codes_add(&levels->codes, set, *feature, level));
    } else if (terms > 1 && levels->fill && !isnan(levels->fill[*feature])) {
        SPF_TRY(spf_set_list_add_filled(&levels->sets, *feature, levels->fill[*feature], &set));
    } else {
        return SPORF_OK;
    }
    *feature = (uint32_t)levels->features + set;
    return SPORF_OK;
}

/* Whether the largest weight is still 1, although a category may have lost terms. */
static int is_normal(const float *weight, size_t terms) {
    float largest = 0;
    for (size_t i = 0; i < terms; i++) largest = fmaxf(largest, fabsf(weight[i]));
    return largest == 1;
}

/* spf_projections_put for such weights: features and sets are in ascending order each. */
static sporf_status put_normal(spf_categories *levels, const uint32_t *feature, const float *weight,
                               size_t terms) {
    sporf_projections *list = &levels->resolved;
    SPF_TRY(SPF_RESERVE(list->start, list->start_capacity, list->count + 2));
    SPF_TRY(SPF_RESERVE(list->feature, list->feature_capacity, list->terms + terms));
    SPF_TRY(SPF_RESERVE(list->weight, list->weight_capacity, list->terms + terms));
    list->start[list->count++] = (uint32_t)list->terms;
    uint32_t *own_feature = list->feature + list->terms;
    float *own_weight = list->weight + list->terms;
    size_t place[2] = {0, 0}; /* of the next feature, and of the next set */
    for (size_t i = 0; i < terms; i++) place[1] += feature[i] < levels->features;
    for (size_t i = 0; i < terms; i++) {
        size_t to = place[feature[i] >= levels->features]++;
        own_feature[to] = feature[i];
        own_weight[to] = weight[i];
    }
    float sign = own_weight[0] < 0 ? -1 : 1;
    for (size_t i = 0; i < terms; i++) own_weight[i] *= sign;
    list->terms += terms;
    list->start[list->count] = (uint32_t)list->terms;
    return SPORF_OK;
}

/* Adds one resolved candidate: features first, then sets. The first time a category is the only
 * term it stays a category, later it becomes a level, too. */
static sporf_status resolve_one(spf_categories *levels, const spf_split_node *node,
                                const spf_node_rows *rows, sporf_random *random, uint32_t *feature,
                                float *weight, size_t terms) {
    terms = find_features(levels, feature, weight, terms);
    if (terms == 1 && is_category(levels, feature[0]) && !levels->alone[feature[0]]) {
        levels->alone[feature[0]] = 1;
        return spf_projections_put(&levels->resolved, 1, feature, weight);
    }
    for (size_t i = 0; i < terms; i++)
        SPF_TRY(resolve_term(levels, node, rows, random, terms, &feature[i]));
    return is_normal(weight, terms)
               ? put_normal(levels, feature, weight, terms)
               : spf_projections_put(&levels->resolved, terms, feature, weight);
}

static void exchange(sporf_projections *a, sporf_projections *b) {
    sporf_projections c = *a;
    *a = *b;
    *b = c;
}

/* The class of a random row of the node. */
static sporf_status draw_class(const spf_categories *levels, const spf_split_node *node,
                               const spf_node_rows *rows, sporf_random *random, uint32_t *out) {
    spf_look at = {spf_random_below(random, (uint32_t)node->total), SPF_LOOK_CLASS};
    if (rows->looks) return look(rows->looks, at, out);
    *out = spf_tag_class(node, row_of(levels, node, at.ticket));
    return SPORF_OK;
}

/* Draws the class that orders the levels of each candidate, and clears `alone`. */
static sporf_status choose_leading(spf_categories *levels, const spf_split_node *node,
                                   const spf_node_rows *rows, sporf_random *random,
                                   const sporf_projections *candidates) {
    SPF_TRY(SPF_RESERVE(levels->leading, levels->leading_capacity, candidates->count));
    for (size_t i = 0; i < candidates->count; i++) {
        levels->leading[i] = 1;
        if (node->classes != 2)
            SPF_TRY(draw_class(levels, node, rows, random, &levels->leading[i]));
        if (spf_categories_alone(levels, candidates, i))
            levels->alone[candidates->feature[candidates->start[i]]] = 0;
    }
    return SPORF_OK;
}

sporf_status spf_categories_resolve(spf_categories *levels, const spf_split_node *node,
                                    const spf_node_rows *rows, sporf_random *random,
                                    sporf_projections *candidates) {
    if (!levels->schema && !levels->fill) return SPORF_OK;
    if (rows->looks)
        rows->looks->count = 0;
    else if (levels->schema)
        weigh_rows(levels, node);
    spf_set_list_clear(&levels->sets);
    spf_level_codes_clear(&levels->codes);
    spf_projections_clear(&levels->resolved);
    levels->resolved.scale = NULL; /* candidates are in raw units already */
    for (size_t i = 0; i < candidates->count; i++) {
        uint32_t start = candidates->start[i];
        SPF_TRY(resolve_one(levels, node, rows, random, candidates->feature + start,
                            candidates->weight + start, spf_projection_terms(candidates, i)));
    }
    exchange(candidates, &levels->resolved);
    candidates->sets = &levels->sets;
    if (!levels->schema) return SPORF_OK;
    if (!rows->looks) SPF_TRY(spf_level_codes_store(&levels->codes, rows));
    return choose_leading(levels, node, rows, random, candidates);
}

/* ---- a category that stands alone ------------------------------------------------------------ */

static float share_of(uint64_t sum) {
    return (float)((double)(sum >> 32) / (double)(uint32_t)sum);
}

/* The sums of rare levels together. The class share of a single one is mostly chance. */
static uint64_t sum_rare(const spf_categories *levels) {
    uint64_t sum = 0;
    for (size_t i = 0; i < levels->found_count; i++) {
        uint64_t own = levels->sums[levels->found[i]];
        sum += (uint32_t)own < levels->least ? own : 0;
    }
    return sum;
}

/* Sorts levels by their share of the class; equal ones, and so all rare ones, have one rank. */
static void rank_levels(spf_categories *levels) {
    uint64_t rare = sum_rare(levels);
    float place = 0;
    for (size_t i = 0; i < levels->found_count; i++) {
        uint64_t sum = levels->sums[levels->found[i]];
        float share = share_of((uint32_t)sum < levels->least ? rare : sum);
        levels->keys[i] = (uint64_t)spf_float_order(share) << 32 | levels->found[i];
    }
    spf_sort_keys(levels->keys, levels->keys + levels->found_count, levels->found_count);
    for (size_t i = 0; i < levels->found_count; i++) {
        place += i > 0 && levels->keys[i] >> 32 != levels->keys[i - 1] >> 32;
        levels->found[i] = (uint32_t)levels->keys[i];
        levels->rank[levels->found[i]] = place;
    }
    levels->ranks = levels->found_count > 0 ? (size_t)place + 1 : 0;
}

/* A row's weight and, in the upper half, its weight in one class. */
static uint64_t leading_pair(const spf_split_node *node, size_t row, uint32_t leading) {
    uint64_t weight = spf_tag_weight(node, row);
    return (spf_tag_class(node, row) == leading ? weight << 32 : 0) | weight;
}

static void clear_sums(spf_categories *levels) {
    for (size_t i = 0; i < levels->found_count; i++) levels->sums[levels->found[i]] = 0;
    levels->found_count = 0;
}

static void add_to_level(spf_categories *levels, uint32_t level, uint64_t pair) {
    if (levels->sums[level] == 0) levels->found[levels->found_count++] = level;
    levels->sums[level] += pair;
}

size_t spf_categories_add_up(spf_categories *levels, const spf_node_rows *rows,
                             const spf_split_node *node, uint32_t feature, uint64_t **sums,
                             uint64_t *missing) {
    *missing = 0;
    clear_sums(levels);
    for (size_t i = 0; i < rows->count; i++) {
        float level = level_at(rows->table, feature, rows->row[i]);
        if (level == level)
            add_to_level(levels, (uint32_t)level, node->pair[i]);
        else
            *missing += node->pair[i];
    }
    rank_levels(levels);
    memset(levels->keys, 0, (levels->ranks + 2) * sizeof *levels->keys);
    for (size_t i = 0; i < levels->found_count; i++) {
        uint32_t level = levels->found[i];
        levels->keys[1 + (size_t)levels->rank[level]] += levels->sums[level];
    }
    *sums = levels->keys;
    return levels->ranks;
}

void spf_categories_order(spf_categories *levels, const spf_categories *owner,
                          const spf_split_node *node, const spf_node_rows *rows,
                          const sporf_projections *candidates, size_t candidate, float *values) {
    uint32_t feature = candidates->feature[candidates->start[candidate]];
    uint32_t leading = owner->leading[candidate];
    clear_sums(levels);
    for (size_t i = 0; i < rows->count; i++) {
        float level = values[i] = level_at(rows->table, feature, rows->row[i]);
        if (level == level)
            add_to_level(levels, (uint32_t)level,
                         node->numeric ? node->pair[i] : leading_pair(node, i, leading));
    }
    rank_levels(levels);
    for (size_t i = 0; i < rows->count; i++)
        if (values[i] == values[i]) values[i] = levels->rank[(uint32_t)values[i]];
}

static int is_right(const spf_categories *levels, size_t i, float threshold) {
    return levels->rank[levels->found[i]] > threshold;
}

sporf_status spf_categories_take_set(spf_categories *levels, sporf_projections *candidates,
                                     size_t candidate, float threshold, int *exchanged) {
    uint32_t *feature = &candidates->feature[candidates->start[candidate]], set;
    uint32_t first = UINT32_MAX, last = 0;
    uint64_t weight[2] = {0};
    for (size_t i = 0; i < levels->found_count; i++)
        weight[is_right(levels, i, threshold)] += (uint32_t)levels->sums[levels->found[i]];
    *exchanged = weight[0] < weight[1];
    for (size_t i = 0; i < levels->found_count; i++) {
        uint32_t level = levels->found[i];
        if (is_right(levels, i, threshold) == *exchanged) continue;
        first = level < first ? level : first;
        last = level > last ? level : last;
    }
    if (first > last) first = last = 0; /* no such level */
    SPF_TRY(spf_set_list_open(&levels->sets, *feature, first, last, &set));
    for (size_t i = 0; i < levels->found_count; i++)
        if (is_right(levels, i, threshold) != *exchanged)
            spf_set_list_put(&levels->sets, levels->found[i]);
    *feature = (uint32_t)levels->features + set;
    return SPORF_OK;
}
