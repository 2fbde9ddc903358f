/* A candidate's search is run again each round, with all answers so far: it asks for what it lacks
 * and forgets them when it is complete. */
#include "learn/apart/apart_search.h"

#include "learn/growing/best_split.h"
#include "learn/splitting/bin_column.h"
#include "learn/splitting/ends.h"
#include "learn/splitting/split_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a candidate's values in some bins. */
typedef struct {
    spf_ask ask;
    spf_range range;         /* SPF_ASK_RANGE_INSIDE */
    spf_histogram histogram; /* SPF_ASK_COUNT */
    int is_checked;
    uint32_t *left; /* SPF_ASK_CUT, SPF_ASK_LEFT: [classes] */
    uint64_t draws; /* SPF_ASK_DRAWS */
    float *end[2];  /* SPF_ASK_ENDS: values, the second ones with their sign changed */
    uint32_t *end_draws[2];
    size_t ends[2], end_capacity[2], end_draws_capacity[2];
    spf_apart_value *values; /* SPF_ASK_CUT */
    size_t values_count, values_capacity;
} answer;

struct spf_apart_candidate {
    int is_complete;
    spf_split best;
    spf_range range; /* of the values that are not missing */
    uint32_t missing, is_ranged;
    answer *answers;
    size_t count, capacity;
};

static void forget(spf_apart_candidate *c) {
    for (size_t i = 0; i < c->count; i++) {
        spf_histogram_free(&c->answers[i].histogram);
        free(c->answers[i].left);
        free(c->answers[i].values);
        for (int side = 0; side < 2; side++) {
            free(c->answers[i].end[side]);
            free(c->answers[i].end_draws[side]);
        }
    }
    free(c->answers);
    c->answers = NULL;
    c->count = c->capacity = 0;
}

sporf_status spf_apart_search_create(const spf_split_node *node, const spf_workspace *w,
                                     spf_apart_search *s) {
    *s = (spf_apart_search){.node = *node, .count = w->candidates.count};
    s->candidates = spf_alloc_zero(s->count, sizeof *s->candidates);
    s->left = spf_alloc_zero(node->classes, sizeof *s->left);
    if (!s->candidates || !s->left) return spf_raise_memory();
    for (size_t i = 0; i < s->count; i++) s->candidates[i].range = (spf_range){INFINITY, -INFINITY};
    return SPORF_OK;
}

void spf_apart_search_free(spf_apart_search *s) {
    for (size_t i = 0; s->candidates && i < s->count; i++) forget(&s->candidates[i]);
    free(s->candidates);
    free(s->left);
    free(s->asks);
    *s = (spf_apart_search){0};
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* One candidate, with its missing values on one side. */
typedef struct {
    spf_apart_search *search;
    spf_workspace *w;
    spf_ask ask; /* candidate, and how missing values are filled */
} apart_column;

static sporf_status add_ask(spf_apart_search *s, const spf_ask *ask) {
    SPF_TRY(SPF_RESERVE(s->asks, s->asks_capacity, s->asks_count + 1));
    s->asks[s->asks_count++] = *ask;
    return SPORF_OK;
}

static answer *find(const apart_column *c, const spf_ask *ask) {
    spf_apart_candidate *known = &c->search->candidates[ask->candidate];
    for (size_t i = 0; i < known->count; i++)
        if (memcmp(&known->answers[i].ask, ask, sizeof *ask) == 0) return &known->answers[i];
    return NULL;
}

/* The answer to an ask; NULL if it has to be asked first. */
static sporf_status ask_for(const apart_column *c, const spf_ask *ask, answer **out) {
    *out = find(c, ask);
    return *out ? SPORF_OK : add_ask(c->search, ask);
}

/* ---- the column ------------------------------------------------------------------------------ */

static sporf_status range_of(void *context, const spf_bin_range *inside, spf_range *range,
                             int *known) {
    const apart_column *c = context;
    answer *found;
    *known = 1;
    if (!inside && c->ask.clamped) {
        *range = (spf_range){c->ask.low, c->ask.high};
        return SPORF_OK;
    }
    if (!inside) { /* asked before the search */
        *range = c->search->candidates[c->ask.candidate].range;
        if (c->ask.filled) *range = spf_range_join(*range, (spf_range){c->ask.fill, c->ask.fill});
        return SPORF_OK;
    }
    spf_ask ask = c->ask;
    ask.kind = SPF_ASK_RANGE_INSIDE;
    ask.inside = *inside;
    SPF_TRY(ask_for(c, &ask, &found));
    *known = found != NULL;
    if (found) *range = found->range;
    return SPORF_OK;
}

/* Every row is in one slot, and beyond the bins only if they are a part. */
static int holds_pairs(const spf_split_node *node, const spf_histogram *h) {
    uint32_t last = h->bins.count + 1;
    uint64_t weight = 0, ones = 0;
    for (uint32_t slot = 0; slot <= last; slot++) {
        if (h->pairs[slot] >> 32 > (uint32_t)h->pairs[slot]) return 0;
        weight += (uint32_t)h->pairs[slot];
        ones += h->pairs[slot] >> 32;
    }
    int beyond = h->pairs[0] != 0 || h->pairs[last] != 0;
    return weight == node->total && ones == node->class_total[1] && (h->bins.partial || !beyond);
}

static int holds_class(const spf_split_node *node, const spf_histogram *h, size_t k) {
    uint32_t last = h->bins.count + 1;
    uint64_t weight = 0;
    for (uint32_t slot = 0; slot <= last; slot++) weight += h->counts[slot * h->width + k];
    int beyond = h->counts[k] != 0 || h->counts[last * h->width + k] != 0;
    return weight == node->class_total[k] && (h->bins.partial || !beyond);
}

static sporf_status check_counts(const spf_split_node *node, const spf_histogram *h) {
    int good = h->in_pairs ? holds_pairs(node, h) : 1;
    for (size_t k = 0; !h->in_pairs && k < node->classes; k++) good &= holds_class(node, h, k);
    return good ? SPORF_OK : spf_raise_message();
}

static sporf_status count(void *context, const spf_bins *bins, const spf_histogram **histogram) {
    const apart_column *c = context;
    answer *found;
    spf_ask ask = c->ask;
    ask.kind = SPF_ASK_COUNT;
    ask.bins = *bins;
    SPF_TRY(ask_for(c, &ask, &found));
    if (!found) return SPORF_OK;
    *histogram = &found->histogram;
    if (found->is_checked) return SPORF_OK;
    found->is_checked = 1;
    return check_counts(&c->search->node, *histogram);
}

/* ---- values near a cut ----------------------------------------------------------------------- */

/* Values with classes and weights, as rows of a node. */
typedef struct {
    uint32_t *tag;
    float *value;
    size_t count, tag_capacity, value_capacity;
    unsigned weight_bits;
} cut_rows;

/* A weight that does not fit beside its class becomes several rows. */
static sporf_status add_rows(const spf_apart_value *from, cut_rows *rows) {
    const uint32_t most = (uint32_t)((UINT64_C(1) << rows->weight_bits) - 1);
    for (uint32_t left = from->weight; left > 0;) {
        uint32_t weight = left < most ? left : most;
        SPF_TRY(SPF_RESERVE(rows->tag, rows->tag_capacity, rows->count + 1));
        SPF_TRY(SPF_RESERVE(rows->value, rows->value_capacity, rows->count + 1));
        rows->tag[rows->count] = from->class << rows->weight_bits | weight;
        rows->value[rows->count++] = from->value;
        left -= weight;
    }
    return SPORF_OK;
}

static sporf_status scan_rows(const spf_split_node *all, const answer *cut, const cut_rows *rows,
                              spf_split_scratch *scratch, spf_split *best) {
    spf_split_node node = *all;
    uint64_t pair = 0;
    node.rows = rows->count;
    node.tag = rows->tag;
    node.weight_bits = rows->weight_bits;
    SPF_TRY(SPF_RESERVE(scratch->keys, scratch->keys_capacity, rows->count));
    for (size_t i = 0; i < rows->count; i++) scratch->keys[i] = spf_scan_key(rows->value, i);
    if (spf_split_is_pair(&node))
        pair = (uint64_t)cut->left[1] << 32 | (cut->left[0] + cut->left[1]);
    else
        memcpy(scratch->left, cut->left, node.classes * sizeof *cut->left);
    return spf_scan_keys(&node, rows->value, rows->count, pair, scratch, best);
}

/* The weights of a cut are no more than those of the node. sums[classes] is all 0 between calls. */
static sporf_status check_cut(const spf_split_node *node, const answer *cut, uint32_t *sums) {
    int good = 1;
    for (size_t i = 0; good && i < cut->values_count; i++) {
        const spf_apart_value *value = &cut->values[i];
        size_t k = value->class;
        good = isfinite(value->value) &&
               value->weight <= node->class_total[k] - cut->left[k] - sums[k];
        if (good) sums[k] += value->weight;
    }
    memset(sums, 0, node->classes * sizeof *sums);
    return good ? SPORF_OK : spf_raise_message();
}

/* The best cut between the values of an answer. */
static sporf_status scan_cut(const spf_split_node *node, const answer *cut,
                             spf_split_scratch *scratch, spf_split *best) {
    unsigned class_bits = 0;
    SPF_TRY(check_cut(node, cut, scratch->left));
    for (size_t classes = node->classes - 1; classes > 0; classes /= 2) class_bits++;
    cut_rows rows = {.weight_bits = 32 - class_bits};
    sporf_status status = SPORF_OK;
    for (size_t i = 0; status == SPORF_OK && i < cut->values_count; i++)
        status = add_rows(&cut->values[i], &rows);
    if (status == SPORF_OK && rows.count > 0) status = scan_rows(node, cut, &rows, scratch, best);
    free(rows.tag);
    free(rows.value);
    return status;
}

/* All values are in one bin, so to speak. */
static const spf_bin_range everything = {.first = -1, .behind = 1, .high = INFINITY};

static sporf_status scan(void *context, spf_split *best, int *complete) {
    const apart_column *c = context;
    answer *found;
    spf_ask ask = c->ask;
    ask.kind = SPF_ASK_CUT;
    ask.inside = everything;
    SPF_TRY(ask_for(c, &ask, &found));
    *complete = found != NULL;
    return found ? scan_cut(&c->search->node, found, &c->w->searcher.scratch, best) : SPORF_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static spf_ask ask_about(size_t candidate) {
    spf_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.candidate = (uint32_t)candidate;
    return ask;
}

/* Missing values are filled as spf_missing_fill does. */
static void fill_side(const spf_apart_candidate *known, spf_missing_side side, spf_ask *ask) {
    if (side == SPF_MISSING_NONE) return;
    ask->filled = 1;
    ask->fill = spf_missing_fill_of(known->range.low, known->range.high, side);
}

/* ---- the least number of draws in a child ---------------------------------------------------- */

/* Whether a cut leaves enough draws on both sides; *known: the answer is there. */
static sporf_status is_allowed(const apart_column *c, const spf_split *cut, int *allowed,
                               int *known) {
    const spf_split_node *node = &c->search->node;
    spf_ask ask = c->ask;
    answer *found;
    ask.kind = SPF_ASK_DRAWS;
    ask.threshold = cut->coarse ? 0 : cut->threshold;
    if (cut->coarse) ask.bins = cut->bins;
    ask.bin = cut->coarse ? cut->bin : 0;
    SPF_TRY(ask_for(c, &ask, &found));
    *known = found != NULL;
    *allowed = found && found->draws >= node->least_draws &&
               node->drawn - found->draws >= node->least_draws;
    return SPORF_OK;
}

/* The outermost value of one side that leaves enough draws beyond it. */
static sporf_status end_of(const answer *ends, int side, uint32_t least, float *end) {
    spf_end *heap = spf_alloc(ends->ends[side] + 1, sizeof *heap);
    if (!heap) return spf_raise_memory();
    spf_ends_hold(ends->end[side], 1, ends->end_draws[side], ends->ends[side], least, heap);
    *end = side == 0 ? heap[0].value : -heap[0].value;
    free(heap);
    return SPORF_OK;
}

/* Closes the ends of a column: see ends.h. *open: there are values between them. */
static sporf_status close_ends(apart_column *c, int *open, int *known) {
    spf_ask ask = c->ask;
    answer *found;
    ask.kind = SPF_ASK_ENDS;
    *open = 0;
    SPF_TRY(ask_for(c, &ask, &found));
    *known = found != NULL;
    if (!found) return SPORF_OK;
    if (found->ends[0] == 0 || found->ends[1] == 0) return spf_raise_message();
    SPF_TRY(end_of(found, 0, c->search->node.least_draws, &c->ask.low));
    SPF_TRY(end_of(found, 1, c->search->node.least_draws, &c->ask.high));
    *open = c->ask.low < c->ask.high;
    c->ask.clamped = 1;
    return SPORF_OK;
}

static sporf_status search_column(apart_column *context, const spf_whole *whole, spf_split *own,
                                  int *complete) {
    spf_bin_column column = {context, range_of, count, scan};
    *own = (spf_split){0};
    return spf_search_column(&context->search->node, &column, whole,
                             context->w->searcher.scratch.left, own, complete);
}

/* The best cut of a column; with draws to count, as search_allowed of best_split.c. */
static sporf_status search_allowed(apart_column *context, const spf_whole *whole, spf_split *own,
                                   int *complete) {
    int allowed, open;
    SPF_TRY(search_column(context, whole, own, complete));
    if (!*complete || !own->found || context->search->node.least_draws == 0) return SPORF_OK;
    SPF_TRY(is_allowed(context, own, &allowed, complete));
    if (!*complete || allowed) return SPORF_OK;
    *own = (spf_split){0};
    SPF_TRY(close_ends(context, &open, complete));
    return *complete && open ? search_column(context, whole, own, complete) : SPORF_OK;
}

static sporf_status search_side(spf_apart_search *s, spf_workspace *w, spf_ask about,
                                spf_missing_side side, const spf_whole *whole, spf_split *best,
                                int *complete) {
    spf_split own;
    fill_side(&s->candidates[about.candidate], side, &about);
    apart_column context = {s, w, about};
    SPF_TRY(search_allowed(&context, whole, &own, complete));
    if (!*complete || !spf_split_improved(&own, best)) return SPORF_OK;
    *best = own;
    best->missing_side = side;
    return SPORF_OK;
}

/* Whether the first bins depend on the range. */
static int needs_range(const spf_split_node *node, const spf_whole *whole) {
    return !whole || !(whole->high - whole->low < (float)spf_split_values(node));
}

static sporf_status search_candidate(spf_apart_search *s, spf_workspace *w, spf_ask about) {
    spf_apart_candidate *known = &s->candidates[about.candidate];
    spf_whole bounds;
    const spf_whole *whole = w->plan->whole ? spf_whole_of(&w->candidates, about.candidate,
                                                           w->plan->data->features, &bounds)
                                            : NULL;
    int complete = 1, left_complete = 1;
    if (!known->is_ranged && needs_range(&s->node, whole)) {
        about.kind = SPF_ASK_RANGE;
        return add_ask(s, &about);
    }
    known->best = (spf_split){0};
    if (!known->missing) {
        SPF_TRY(search_side(s, w, about, SPF_MISSING_NONE, whole, &known->best, &complete));
    } else if (known->range.low <= known->range.high) {
        SPF_TRY(search_side(s, w, about, SPF_MISSING_GO_RIGHT, whole, &known->best, &complete));
        SPF_TRY(search_side(s, w, about, SPF_MISSING_GO_LEFT, whole, &known->best, &left_complete));
    }
    known->is_complete = complete && left_complete;
    if (known->is_complete) forget(known);
    return SPORF_OK;
}

/* The first of the best candidates, once all are known. */
static void choose_winner(spf_apart_search *s) {
    s->best = (spf_split){0};
    for (size_t i = 0; i < s->count; i++) {
        if (!spf_split_improved(&s->candidates[i].best, &s->best)) continue;
        s->best = s->candidates[i].best;
        s->winner = i;
    }
    s->has_winner = s->best.found;
    s->is_decided = !s->best.found;
}

/* ---- the winner ------------------------------------------------------------------------------ */

/* Whether both children have the class shares of their parent: see gains_nothing of node.c. */
static int gains_nothing(const spf_apart_search *s, uint64_t weight) {
    if (spf_split_is_pair(&s->node)) return !(s->best.score > 0);
    for (size_t k = 0; k < s->node.classes; k++)
        if (s->left[k] * s->node.total != s->node.class_total[k] * weight) return 0;
    return 1;
}

static sporf_status decide(spf_apart_search *s, const spf_workspace *w) {
    const spf_apart_candidate *known = &s->candidates[s->winner];
    spf_missing_side side = s->best.missing_side;
    uint64_t weight = 0;
    for (size_t k = 0; k < s->node.classes; k++) weight += s->left[k];
    s->is_decided = 1;
    s->found = !gains_nothing(s, weight);
    if (s->found && (weight == 0 || weight >= s->node.total)) return spf_raise_message();
    s->threshold = side == SPF_MISSING_NONE
                       ? s->best.threshold
                       : spf_missing_threshold_of(known->range.low, known->range.high, side,
                                                  s->best.threshold);
    s->missing_left = side != SPF_MISSING_NONE ? side == SPF_MISSING_GO_LEFT
                                               : w->plan->has_missing && 2 * weight > s->node.total;
    return SPORF_OK;
}

/* The exact cut in the two bins beside a coarse one, and what is left of it. */
static sporf_status take_cut(spf_apart_search *s, spf_workspace *w, const answer *cut) {
    spf_missing_side side = s->best.missing_side;
    s->best = (spf_split){0};
    SPF_TRY(scan_cut(&s->node, cut, &w->searcher.scratch, &s->best));
    if (!s->best.found) return spf_raise_message();
    s->best.missing_side = side;
    memcpy(s->left, cut->left, s->node.classes * sizeof *s->left);
    for (size_t i = 0; i < cut->values_count; i++)
        if (cut->values[i].value <= s->best.threshold)
            s->left[cut->values[i].class] += cut->values[i].weight;
    return SPORF_OK;
}

static sporf_status finish(spf_apart_search *s, spf_workspace *w) {
    spf_ask ask = ask_about(s->winner);
    fill_side(&s->candidates[s->winner], s->best.missing_side, &ask);
    apart_column column = {s, w, ask};
    answer *found;
    if (s->best.coarse && s->node.least_draws > 0) {
        int open, known;
        SPF_TRY(close_ends(&column, &open, &known));
        if (!known) return SPORF_OK;
        ask.clamped = open;
        ask.low = open ? column.ask.low : 0;
        ask.high = open ? column.ask.high : 0;
    }
    if (s->best.coarse) {
        ask.kind = SPF_ASK_CUT;
        ask.inside = spf_bins_between(&s->best.bins, s->best.bin, s->best.next_bin);
    } else {
        ask.kind = SPF_ASK_LEFT;
        ask.threshold = s->best.threshold;
    }
    SPF_TRY(ask_for(&column, &ask, &found));
    if (!found) return SPORF_OK;
    if (ask.kind == SPF_ASK_CUT)
        SPF_TRY(take_cut(s, w, found));
    else
        memcpy(s->left, found->left, s->node.classes * sizeof *s->left);
    return decide(s, w);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

sporf_status spf_apart_search_go_on(spf_apart_search *s, spf_workspace *w) {
    s->asks_count = 0;
    for (size_t i = 0; !s->has_winner && i < s->count; i++)
        if (!s->candidates[i].is_complete) SPF_TRY(search_candidate(s, w, ask_about(i)));
    if (s->asks_count > 0) return SPORF_OK;
    if (!s->has_winner) choose_winner(s);
    return s->has_winner ? finish(s, w) : SPORF_OK;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Of finite values, or of none. */
static sporf_status read_range(spf_reader *reader, spf_range *range) {
    SPF_TRY(spf_read(reader, range, sizeof *range));
    int empty = range->low == INFINITY && range->high == -INFINITY;
    int good = isfinite(range->low) && isfinite(range->high) && range->low <= range->high;
    return empty || good ? SPORF_OK : spf_raise_message();
}

static sporf_status hear_range(spf_apart_candidate *known, spf_reader *reader) {
    spf_range some;
    uint32_t missing;
    SPF_TRY(read_range(reader, &some));
    SPF_TRY(spf_read_number(reader, &missing));
    known->range = spf_range_join(known->range, some);
    known->missing |= missing;
    known->is_ranged = 1;
    return SPORF_OK;
}

static sporf_status open_counts(const spf_split_node *node, const spf_bins *bins,
                                spf_histogram *h) {
    size_t slots = bins->count + 2;
    *h = (spf_histogram){
        .kernels = spf_kernels_best(), .bins = *bins, .in_pairs = spf_split_is_pair(node)};
    if (h->in_pairs) {
        h->pairs = spf_alloc_zero(slots, sizeof *h->pairs);
        return h->pairs ? SPORF_OK : spf_raise_memory();
    }
    h->width = (node->classes + 3) / 4 * 4;
    h->counts = spf_alloc_zero((slots + 2) * h->width, sizeof *h->counts);
    return h->counts ? SPORF_OK : spf_raise_memory();
}

static sporf_status hear_counts(const spf_split_node *node, spf_histogram *h, spf_reader *reader) {
    size_t slots = h->bins.count + 2;
    for (size_t slot = 0; slot < slots; slot++) {
        if (h->in_pairs) {
            uint64_t pair;
            SPF_TRY(spf_read(reader, &pair, sizeof pair));
            if ((uint32_t)pair > node->total - (uint32_t)h->pairs[slot]) return spf_raise_message();
            h->pairs[slot] += pair;
            continue;
        }
        for (size_t k = 0; k < node->classes; k++) {
            uint32_t weight;
            uint32_t *cell = &h->counts[slot * h->width + k];
            SPF_TRY(spf_read_number(reader, &weight));
            if (weight > node->class_total[k] - *cell) return spf_raise_message();
            *cell += weight;
        }
    }
    return SPORF_OK;
}

static sporf_status hear_left(const spf_split_node *node, uint32_t *left, spf_reader *reader) {
    for (size_t k = 0; k < node->classes; k++) {
        uint32_t weight;
        SPF_TRY(spf_read_number(reader, &weight));
        if (weight > node->class_total[k] - left[k]) return spf_raise_message();
        left[k] += weight;
    }
    return SPORF_OK;
}

static sporf_status hear_ends(answer *a, spf_reader *reader) {
    for (int side = 0; side < 2; side++) {
        uint32_t ends;
        SPF_TRY(spf_read_number(reader, &ends));
        if (ends > reader->left / sizeof(spf_end)) return spf_raise_message();
        size_t all = a->ends[side] + ends;
        SPF_TRY(SPF_RESERVE(a->end[side], a->end_capacity[side], all));
        SPF_TRY(SPF_RESERVE(a->end_draws[side], a->end_draws_capacity[side], all));
        for (; a->ends[side] < all; a->ends[side]++) {
            spf_end end;
            SPF_TRY(spf_read(reader, &end, sizeof end));
            if (!isfinite(end.value)) return spf_raise_message();
            a->end[side][a->ends[side]] = end.value;
            a->end_draws[side][a->ends[side]] = end.draws;
        }
    }
    return SPORF_OK;
}

static sporf_status hear_draws(const spf_split_node *node, answer *a, spf_reader *reader) {
    uint64_t draws;
    SPF_TRY(spf_read(reader, &draws, sizeof draws));
    if (draws > node->drawn - a->draws) return spf_raise_message();
    a->draws += draws;
    return SPORF_OK;
}

static sporf_status hear_values(const spf_split_node *node, answer *a, spf_reader *reader) {
    uint32_t values;
    SPF_TRY(spf_read_number(reader, &values));
    if (values > reader->left / sizeof *a->values) return spf_raise_message();
    SPF_TRY(SPF_RESERVE(a->values, a->values_capacity, a->values_count + values));
    for (uint32_t i = 0; i < values; i++) {
        spf_apart_value *value = &a->values[a->values_count];
        SPF_TRY(spf_read(reader, value, sizeof *value));
        if (value->class >= node->classes) return spf_raise_message();
        a->values_count++;
    }
    return SPORF_OK;
}

/* The place for the answers to an ask, of all shards together. */
static sporf_status open_answer(spf_apart_search *s, const spf_ask *ask, answer **out) {
    spf_apart_candidate *known = &s->candidates[ask->candidate];
    apart_column column = {.search = s};
    *out = find(&column, ask);
    if (*out) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(known->answers, known->capacity, known->count + 1));
    answer *a = *out = &known->answers[known->count++];
    *a = (answer){.ask = *ask, .range = {INFINITY, -INFINITY}};
    if (ask->kind == SPF_ASK_COUNT) return open_counts(&s->node, &ask->bins, &a->histogram);
    a->left = spf_alloc_zero(s->node.classes, sizeof *a->left);
    return a->left ? SPORF_OK : spf_raise_memory();
}

static sporf_status hear_answer(spf_apart_search *s, answer *a, spf_reader *reader) {
    spf_range some;
    switch (a->ask.kind) {
    case SPF_ASK_RANGE_INSIDE:
        SPF_TRY(read_range(reader, &some));
        a->range = spf_range_join(a->range, some);
        return SPORF_OK;
    case SPF_ASK_COUNT:
        return hear_counts(&s->node, &a->histogram, reader);
    case SPF_ASK_LEFT:
        return hear_left(&s->node, a->left, reader);
    case SPF_ASK_ENDS:
        return hear_ends(a, reader);
    case SPF_ASK_DRAWS:
        return hear_draws(&s->node, a, reader);
    default:
        SPF_TRY(hear_left(&s->node, a->left, reader));
        return hear_values(&s->node, a, reader);
    }
}

sporf_status spf_apart_search_hear(spf_apart_search *s, spf_reader *reader) {
    for (size_t i = 0; i < s->asks_count; i++) {
        const spf_ask *ask = &s->asks[i];
        answer *a;
        if (ask->kind == SPF_ASK_RANGE) {
            SPF_TRY(hear_range(&s->candidates[ask->candidate], reader));
            continue;
        }
        SPF_TRY(open_answer(s, ask, &a));
        SPF_TRY(hear_answer(s, a, reader));
    }
    return SPORF_OK;
}
