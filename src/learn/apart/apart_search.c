/* A candidate's search is run again each round, with all answers so far: it asks for what it lacks
 * and forgets them when it is complete. */
#include "learn/apart/apart_search.h"

#include "learn/apart/heard.h"
#include "learn/apart/level_search.h"
#include "learn/growing/best_split.h"
#include "learn/splitting/bin_column.h"
#include "learn/splitting/ends.h"
#include "learn/splitting/split_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spf_apart_candidate {
    int is_complete;
    spf_split best;
    spf_range range; /* of the values that are not missing */
    uint32_t missing, is_ranged;
    spf_heard_list heard;
    spf_level_sums levels; /* of a category alone */
};

sporf_status spf_apart_search_create(const spf_split_node *node, const spf_workspace *w,
                                     spf_apart_search *s) {
    *s = (spf_apart_search){.node = *node, .count = w->candidates.count};
    s->candidates = spf_alloc_zero(s->count, sizeof *s->candidates);
    s->left = spf_alloc_zero(node->classes, sizeof *s->left);
    s->totals = spf_alloc_zero(2, sizeof *s->totals);
    if (!s->candidates || !s->left || !s->totals) return spf_raise_memory();
    if (node->numeric) {
        s->totals[0] = (uint32_t)node->total;
        s->node.class_total = s->totals;
    }
    for (size_t i = 0; i < s->count; i++) s->candidates[i].range = (spf_range){INFINITY, -INFINITY};
    return SPORF_OK;
}

void spf_apart_search_free(spf_apart_search *s) {
    for (size_t i = 0; s->candidates && i < s->count; i++) {
        spf_heard_forget(&s->candidates[i].heard);
        free(s->candidates[i].levels.sums);
    }
    free(s->candidates);
    free(s->left);
    free(s->totals);
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

/* The answer to an ask; NULL if it has to be asked first. */
static sporf_status ask_for(const apart_column *c, const spf_ask *ask, spf_heard **out) {
    *out = spf_heard_find(&c->search->candidates[ask->candidate].heard, ask);
    return *out ? SPORF_OK : add_ask(c->search, ask);
}

/* ---- the column ------------------------------------------------------------------------------ */

static sporf_status range_of(void *context, const spf_bin_range *inside, spf_range *range,
                             int *known) {
    const apart_column *c = context;
    spf_heard *found;
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

static sporf_status count(void *context, const spf_bins *bins, const spf_histogram **histogram) {
    const apart_column *c = context;
    spf_heard *found;
    spf_ask ask = c->ask;
    ask.kind = SPF_ASK_COUNT;
    ask.bins = *bins;
    SPF_TRY(ask_for(c, &ask, &found));
    if (!found) return SPORF_OK;
    *histogram = &found->histogram;
    return spf_heard_check_counts(&c->search->node, found);
}

/* All values are in one bin, so to speak. */
static const spf_bin_range everything = {.first = -1, .behind = 1, .high = INFINITY};

static sporf_status scan(void *context, spf_split *best, int *complete) {
    const apart_column *c = context;
    spf_heard *found;
    spf_ask ask = c->ask;
    ask.kind = SPF_ASK_CUT;
    ask.inside = everything;
    SPF_TRY(ask_for(c, &ask, &found));
    *complete = found != NULL;
    return found ? spf_heard_scan(&c->search->node, found, &c->w->searcher.scratch, best)
                 : SPORF_OK;
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
    spf_heard *found;
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
static sporf_status end_of(const spf_heard *ends, int side, uint32_t least, float *end) {
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
    spf_heard *found;
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

/* Sums of levels are counted where one machine would count them: see counted_search.c. */
static int are_counted(const spf_apart_search *s, const spf_workspace *w, size_t candidate) {
    const spf_level_codes *codes = &w->searcher.levels.codes;
    return w->searcher.levels.schema && s->node.least_draws == 0 &&
           w->plan->split == SPORF_SPLIT_AUTO && spf_level_codes_stores(codes, s->node.rows) &&
           spf_level_codes_are_summed(codes, &w->candidates, candidate);
}

static spf_whole bounds_of_levels(const sporf_projections *list, size_t candidate) {
    spf_whole whole = {0};
    for (uint32_t i = list->start[candidate]; i < list->start[candidate + 1]; i++)
        *(list->weight[i] < 0 ? &whole.low : &whole.high) += list->weight[i];
    return whole;
}

/* The bounds of a candidate whose values are integers; otherwise NULL. */
static const spf_whole *find_whole(const spf_apart_search *s, const spf_workspace *w,
                                   size_t candidate, spf_whole *whole) {
    if (are_counted(s, w, candidate)) {
        *whole = bounds_of_levels(&w->candidates, candidate);
        return whole;
    }
    return w->plan->whole ? spf_whole_of(&w->candidates, candidate, w->plan->data->features, whole)
                          : NULL;
}

static int is_alone(const spf_workspace *w, size_t candidate) {
    return spf_categories_alone(&w->searcher.levels, &w->candidates, candidate);
}

static sporf_status search_levels(spf_apart_search *s, spf_workspace *w, spf_ask about) {
    spf_apart_candidate *known = &s->candidates[about.candidate];
    if (!known->levels.is_heard) {
        about.kind = SPF_ASK_LEVELS;
        return add_ask(s, &about);
    }
    known->best = (spf_split){0};
    known->is_complete = 1;
    return spf_level_search(&known->levels, &s->node, w, about.candidate, &known->best);
}

static sporf_status search_candidate(spf_apart_search *s, spf_workspace *w, spf_ask about) {
    spf_apart_candidate *known = &s->candidates[about.candidate];
    spf_whole bounds;
    const spf_whole *whole = find_whole(s, w, about.candidate, &bounds);
    int complete = 1, left_complete = 1;
    if (is_alone(w, about.candidate)) return search_levels(s, w, about);
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
    if (known->is_complete) spf_heard_forget(&known->heard);
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

static sporf_status decide(spf_apart_search *s, const spf_workspace *w, float threshold) {
    spf_missing_side side = s->best.missing_side;
    uint64_t weight = spf_heard_weight(&s->node, s->left);
    s->is_decided = 1;
    s->found = !gains_nothing(s, weight);
    if (s->found && (weight == 0 || weight >= s->node.total)) return spf_raise_message();
    s->threshold = threshold;
    s->missing_left = side != SPF_MISSING_NONE ? side == SPF_MISSING_GO_LEFT
                                               : w->plan->has_missing && 2 * weight > s->node.total;
    return SPORF_OK;
}

/* With missing values on one side of it. */
static float final_threshold(const spf_apart_search *s) {
    const spf_range *range = &s->candidates[s->winner].range;
    spf_missing_side side = s->best.missing_side;
    return side == SPF_MISSING_NONE
               ? s->best.threshold
               : spf_missing_threshold_of(range->low, range->high, side, s->best.threshold);
}

/* The exact cut in the two bins beside a coarse one, and what is left of it. */
static sporf_status take_cut(spf_apart_search *s, spf_workspace *w, const spf_heard *cut) {
    spf_missing_side side = s->best.missing_side;
    s->best = (spf_split){0};
    SPF_TRY(spf_heard_scan(&s->node, cut, &w->searcher.scratch, &s->best));
    if (!s->best.found) return spf_raise_message();
    s->best.missing_side = side;
    spf_heard_left_of(&s->node, cut, s->best.threshold, s->left);
    return SPORF_OK;
}

static sporf_status finish_levels(spf_apart_search *s, spf_workspace *w) {
    SPF_TRY(spf_level_take(&s->candidates[s->winner].levels, &s->node, w, s->winner, &s->best,
                           s->left));
    return decide(s, w, s->best.threshold);
}

static sporf_status finish(spf_apart_search *s, spf_workspace *w) {
    if (is_alone(w, s->winner)) return finish_levels(s, w);
    spf_ask ask = ask_about(s->winner);
    fill_side(&s->candidates[s->winner], s->best.missing_side, &ask);
    apart_column column = {s, w, ask};
    spf_heard *found;
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
    return decide(s, w, final_threshold(s));
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* It comes first among the asks of the first candidate; without any there is nothing to search. */
static sporf_status ask_for_ones(spf_apart_search *s) {
    spf_ask ask = ask_about(0);
    ask.kind = SPF_ASK_ONES;
    return add_ask(s, &ask);
}

sporf_status spf_apart_search_go_on(spf_apart_search *s, spf_workspace *w) {
    s->asks_count = 0;
    if (s->node.numeric && !s->has_ones && s->count > 0) SPF_TRY(ask_for_ones(s));
    for (size_t i = 0; !s->has_winner && i < s->count; i++)
        if (!s->candidates[i].is_complete) SPF_TRY(search_candidate(s, w, ask_about(i)));
    if (s->asks_count > 0) return SPORF_OK;
    if (!s->has_winner) choose_winner(s);
    return s->has_winner ? finish(s, w) : SPORF_OK;
}

/* ---- hearing --------------------------------------------------------------------------------- */

static sporf_status hear_range(spf_apart_candidate *known, spf_reader *reader) {
    spf_range some;
    uint32_t missing;
    SPF_TRY(spf_heard_range(reader, &some));
    SPF_TRY(spf_read_number(reader, &missing));
    known->range = spf_range_join(known->range, some);
    known->missing |= missing;
    known->is_ranged = 1;
    return SPORF_OK;
}

static sporf_status hear_ones(spf_apart_search *s, spf_reader *reader) {
    uint64_t ones;
    SPF_TRY(spf_read(reader, &ones, sizeof ones));
    s->has_ones = 1;
    if (ones > UINT32_MAX - s->totals[1]) return spf_raise_message();
    s->totals[1] += (uint32_t)ones;
    return SPORF_OK;
}

sporf_status spf_apart_search_hear(spf_apart_search *s, spf_reader *reader) {
    for (size_t i = 0; i < s->asks_count; i++) {
        const spf_ask *ask = &s->asks[i];
        spf_apart_candidate *known = &s->candidates[ask->candidate];
        if (ask->kind == SPF_ASK_ONES)
            SPF_TRY(hear_ones(s, reader));
        else if (ask->kind == SPF_ASK_RANGE)
            SPF_TRY(hear_range(known, reader));
        else if (ask->kind == SPF_ASK_LEVELS)
            SPF_TRY(spf_level_sums_hear(&known->levels, reader));
        else
            SPF_TRY(spf_heard_read(&known->heard, &s->node, ask, reader));
    }
    return SPORF_OK;
}
