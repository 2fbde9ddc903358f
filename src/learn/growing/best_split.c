/* Small nodes are searched a few candidates at a time, larger ones one by one, and the largest by
 * several threads with one candidate each. In a tie the first of the best candidates wins. */
#include "learn/growing/best_split.h"

#include "learn/growing/counted_search.h"
#include "learn/rows/project.h"
#include "learn/splitting/histogram.h"
#include "learn/splitting/kernels.h"

#include <stdlib.h>
#include <string.h>

enum {
    INTERRUPT_ROWS = 4096, /* in such nodes the interrupt is checked for each candidate */
    SHARED_WORK = 1 << 18, /* rows times candidates from which on other threads help */
};

/* ---- the memory of a search ------------------------------------------------------------------ */

sporf_status spf_searcher_create(const spf_plan *plan, spf_searcher *w) {
    if (spf_plan_counts_leaves(plan)) {
        size_t rows = plan->data->rows, most = plan->min_leaf < rows ? plan->min_leaf : rows;
        w->ends = spf_alloc(most + 1, sizeof *w->ends);
        if (!w->ends) return spf_raise_memory();
    }
    SPF_TRY(
        spf_categories_create(plan->data, &plan->slots, plan->fill, plan->rare_below, &w->levels));
    return spf_split_scratch_create(plan->outcome.split_classes, &w->scratch);
}

void spf_searcher_free(spf_searcher *w) {
    spf_categories_free(&w->levels);
    spf_split_scratch_free(&w->scratch);
    free(w->ends);
    free(w->value);
    free(w->splits);
}

sporf_status spf_searcher_reserve(spf_searcher *w, size_t rows) {
    size_t least = SPF_LANES_MAX * SPF_LANES_ROWS;
    return SPF_RESERVE(w->value, w->value_capacity, rows > least ? rows : least);
}

double spf_searcher_bytes(const spf_expected *e) {
    double ends = e->counted > 0 ? spf_alloc_bytes(e->counted + 1, sizeof(spf_end)) : 0;
    double splits = e->shared ? spf_reserve_bytes(e->candidates, sizeof(spf_split)) : 0;
    double values = fmax(spf_expected_most(e), SPF_LANES_MAX * SPF_LANES_ROWS);
    return ends + splits + spf_reserve_bytes(values, sizeof(float)) + spf_categories_bytes(e) +
           spf_split_scratch_bytes(e->in_bag, spf_expected_split_classes(e), e->targets);
}

/* ---- candidates ------------------------------------------------------------------------------ */

static void project(const spf_split_search *s, spf_searcher *w, size_t candidate, float *value) {
    const sporf_projections *list = s->candidates;
    if (spf_search_alone(s, candidate))
        spf_categories_order(&w->levels, &s->owner->levels, &s->node, &s->rows, list, candidate,
                             value);
    else if (!spf_level_codes_project(&s->owner->levels.codes, list, candidate, &s->rows, value))
        spf_project_rows(list, candidate, s->rows.table, s->rows.row, s->rows.count, value);
}

/* Rows with a missing value may go to either side: the first one to try. */
static spf_missing_side first_side(const spf_split_search *s, const float *value) {
    int has_missing = s->plan->has_missing && spf_missing_exist(value, s->rows.count);
    return has_missing ? SPF_MISSING_GO_RIGHT : SPF_MISSING_NONE;
}

/* Removes cuts that would make a child too small; returns 0 if none is left. */
static int close_ends(const spf_split_search *s, const spf_searcher *w, float *value) {
    const spf_split_node *node = &s->node;
    return !node->draws ||
           spf_ends_close(value, node->draws, node->rows, node->least_draws, w->ends);
}

/* ---- several candidates at a time ------------------------------------------------------------ */

/* A candidate with its missing values on one side, for one lane. */
typedef struct {
    size_t candidate;
    spf_missing_side side;
} column;

/* Projects on the candidate of a column; returns 0 if no row has a value. `next` becomes the column
 * after it. */
static int fill_column(const spf_split_search *s, column *taken, float *value, column *next) {
    *taken = *next;
    project(s, s->owner, taken->candidate, value);
    if (taken->side == SPF_MISSING_NONE) taken->side = first_side(s, value);
    *next = taken->side == SPF_MISSING_GO_RIGHT ? (column){taken->candidate, SPF_MISSING_GO_LEFT}
                                                : (column){taken->candidate + 1, SPF_MISSING_NONE};
    return taken->side == SPF_MISSING_NONE || spf_missing_fill(value, s->rows.count, taken->side);
}

/* Fills lanes with the next columns of the first `count` candidates; returns their number. */
static size_t fill_lanes(const spf_split_search *s, size_t count, column *taken, column *next) {
    spf_searcher *w = s->owner;
    size_t columns = 0, rows = s->rows.count, lanes = w->scratch.kernels->lanes;
    while (columns < lanes && next->candidate < count) {
        if (next->side == SPF_MISSING_NONE && spf_search_is_counted(s, next->candidate)) {
            next->candidate++;
            continue;
        }
        float *value = w->value + columns * SPF_LANES_ROWS;
        if (!fill_column(s, &taken[columns], value, next)) continue;
        for (size_t i = rows; i % 4 != 0; i++) value[i] = 0;
        columns++;
    }
    return columns;
}

/* Searches several candidates at a time, among the first `count`; leaves the winner's values. */
static sporf_status search_lanes(const spf_split_search *s, size_t count, spf_split *best,
                                 size_t *winner) {
    spf_searcher *w = s->owner;
    double perfect = spf_split_perfect(&s->node);
    column next = {0}, taken[SPF_LANES_MAX];
    w->winner = w->winner_value;
    while (next.candidate < count) {
        size_t columns = fill_lanes(s, count, taken, &next), best_column = SPF_LANES_MAX;
        if (columns == 0) break;
        spf_profile_count(&w->profile, columns * s->node.rows);
        spf_profile_lap(&w->profile, SPORF_PHASE_PROJECT);
        SPF_TRY(spf_split_lanes(&s->node, w->value, columns, &w->scratch, best, &best_column));
        if (best_column < SPF_LANES_MAX) {
            *winner = taken[best_column].candidate;
            best->missing_side = taken[best_column].side;
            memcpy(w->winner_value, w->value + best_column * SPF_LANES_ROWS,
                   s->node.rows * sizeof *w->value);
        }
        spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
        if (best->found && best->score >= perfect) break;
    }
    return SPORF_OK;
}

/* ---- one candidate after the other ----------------------------------------------------------- */

const spf_whole *spf_whole_of(const sporf_projections *list, size_t candidate, size_t features,
                              spf_whole *whole) {
    uint32_t start = list->start[candidate], end = list->start[candidate + 1];
    if (list->feature[end - 1] >= features) return NULL;
    *whole = (spf_whole){0};
    for (uint32_t i = start; i < end; i++) {
        if (list->weight[i] != 1 && list->weight[i] != -1) return NULL;
        *(list->weight[i] < 0 ? &whole->low : &whole->high) += list->weight[i] * UINT8_MAX;
    }
    return whole;
}

static const spf_whole *find_whole(const spf_split_search *s, size_t candidate, spf_whole *whole) {
    if (!s->whole || spf_search_alone(s, candidate)) return NULL;
    return spf_whole_of(s->candidates, candidate, s->rows.table->features, whole);
}

/* Whether a cut leaves enough rows in both children. */
static int is_allowed(const spf_split_node *node, const float *value, const spf_split *cut) {
    uint64_t left = 0;
    for (size_t i = 0; i < node->rows; i++) {
        int goes_left = cut->coarse ? spf_bin_of(&cut->bins, value[i]) <= (int32_t)cut->bin
                                    : value[i] <= cut->threshold;
        left += goes_left ? node->draws[i] : 0;
    }
    return left >= node->least_draws && node->drawn - left >= node->least_draws;
}

/* In large nodes the best cut rarely makes a child too small: such cuts are removed only if it
 * does. What other candidates have found must not matter for that. */
static sporf_status search_allowed(const spf_split_search *s, spf_searcher *w,
                                   const spf_whole *whole, spf_split *best) {
    spf_split own = {0};
    SPF_TRY(spf_split_histogram(&s->node, w->value, whole, &w->scratch, &own));
    if (own.found && !is_allowed(&s->node, w->value, &own)) {
        own = (spf_split){0};
        if (close_ends(s, w, w->value))
            SPF_TRY(spf_split_histogram(&s->node, w->value, whole, &w->scratch, &own));
    }
    if (spf_split_improved(&own, best)) *best = own;
    return SPORF_OK;
}

static sporf_status search_bins(const spf_split_search *s, spf_searcher *w, const spf_whole *whole,
                                spf_split *best) {
    if (s->node.draws) return search_allowed(s, w, whole, best);
    return spf_split_histogram(&s->node, w->value, whole, &w->scratch, best);
}

static sporf_status search_values(const spf_split_search *s, spf_searcher *w, size_t candidate,
                                  spf_split *best) {
    spf_whole whole;
    if (s->node.targets > 1) return spf_split_targets(&s->node, w->value, &w->scratch, best);
    if (s->plan->split == SPORF_SPLIT_EXACT)
        return spf_split_exact(&s->node, w->value, &w->scratch, best);
    return search_bins(s, w, find_whole(s, candidate, &whole), best);
}

/* Searches with missing values on one side; a candidate with missing values is searched for
 * both. */
static sporf_status search_side(const spf_split_search *s, spf_searcher *w, size_t candidate,
                                spf_missing_side side, spf_split *best) {
    spf_split before = *best;
    if (side == SPF_MISSING_GO_LEFT) project(s, w, candidate, w->value);
    if (side != SPF_MISSING_NONE && !spf_missing_fill(w->value, s->rows.count, side))
        return SPORF_OK;
    SPF_TRY(search_values(s, w, candidate, best));
    if (spf_split_improved(best, &before)) best->missing_side = side;
    return SPORF_OK;
}

/* Small nodes: first the candidates that are counted, then those that are sorted in lanes. If one
 * splits perfectly, later ones cannot win. *in_lanes tells where the winner was found. */
static sporf_status search_small(const spf_split_search *s, spf_split *best, size_t *winner,
                                 int *in_lanes) {
    double perfect = spf_split_perfect(&s->node);
    size_t count = s->candidates->count, first = 0;
    spf_split sorted = {0};
    for (size_t i = 0; s->counts && i < count; i++) {
        spf_split before = *best;
        int done;
        if (!spf_search_is_counted(s, i)) continue;
        SPF_TRY(spf_search_counts(s, s->owner, i, best, &done));
        if (spf_split_improved(best, &before)) *winner = i;
        if (best->found && best->score >= perfect) count = i;
    }
    spf_profile_lap(&s->owner->profile, SPORF_PHASE_SPLIT);
    SPF_TRY(search_lanes(s, count, &sorted, &first));
    *in_lanes = sorted.found && (!best->found || sorted.score > best->score ||
                                 (sorted.score == best->score && first < *winner));
    if (!*in_lanes) return SPORF_OK;
    *best = sorted;
    *winner = first;
    return SPORF_OK;
}

/* Projects on one candidate and looks for a cut better than *best. */
static sporf_status search_one(const spf_split_search *s, spf_searcher *w, size_t candidate,
                               spf_split *best) {
    if (s->node.rows > INTERRUPT_ROWS) SPF_TRY(spf_check_interrupt(s->plan));
    SPF_TRY(spf_searcher_reserve(w, s->node.rows));
    spf_profile_count(&w->profile, s->node.rows);
    if (spf_search_is_counted(s, candidate)) {
        int done;
        SPF_TRY(spf_search_counts(s, w, candidate, best, &done));
        spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
        if (done) return SPORF_OK;
    }
    project(s, w, candidate, w->value);
    spf_profile_lap(&w->profile, SPORF_PHASE_PROJECT);
    spf_missing_side side = first_side(s, w->value);
    SPF_TRY(search_side(s, w, candidate, side, best));
    if (side != SPF_MISSING_NONE) SPF_TRY(search_side(s, w, candidate, SPF_MISSING_GO_LEFT, best));
    spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
    return SPORF_OK;
}

static sporf_status search_in_turn(const spf_split_search *s, spf_split *best, size_t *winner) {
    double perfect = spf_split_perfect(&s->node);
    for (size_t i = 0; i < s->candidates->count; i++) {
        spf_split before = *best;
        SPF_TRY(search_one(s, s->owner, i, best));
        if (spf_split_improved(best, &before)) *winner = i;
        if (best->found && best->score >= perfect) break;
    }
    return SPORF_OK;
}

static sporf_status search_item(void *context, size_t item, unsigned worker) {
    const spf_split_search *s = context;
    spf_searcher *w = s->helpers->searcher_of(s->helpers->context, worker);
    if (w != s->owner) spf_profile_help(&w->profile, s->node.rows);
    return search_one(s, w, item, &s->owner->splits[item]);
}

static sporf_status search_together(spf_split_search *s, spf_split *best, size_t *winner) {
    spf_searcher *w = s->owner;
    size_t count = s->candidates->count;
    SPF_TRY(SPF_RESERVE(w->splits, w->splits_capacity, count));
    memset(w->splits, 0, count * sizeof *w->splits);
    SPF_TRY(spf_pool_for(s->helpers->pool, s->helpers->worker, count, search_item, s));
    spf_profile_lap(&w->profile, SPORF_PHASE_OTHER);
    for (size_t i = 0; i < count; i++) {
        if (!spf_split_improved(&w->splits[i], best)) continue;
        *best = w->splits[i];
        *winner = i;
    }
    return SPORF_OK;
}

/* ---- the winner ------------------------------------------------------------------------------ */

/* The most rows of a node that is searched in lanes. */
static size_t lanes_rows(const spf_split_search *s) {
    int counts = spf_split_is_pair(&s->node) || spf_histogram_counts(&s->node);
    if (s->node.targets > 1) return 0;
    return counts && s->plan->split == SPORF_SPLIT_AUTO ? SPF_LANES_ROWS_BINNED : SPF_LANES_ROWS;
}

/* Projects on the winner again. While its cut is coarse, missing values are filled in and small
 * children excluded as in the search; afterwards missing values are put on their side of the
 * threshold. */
static void project_winner(const spf_split_search *s, size_t winner, spf_split *best) {
    spf_searcher *w = s->owner;
    size_t rows = s->rows.count;
    project(s, w, winner, w->value);
    w->winner = w->value;
    if (best->missing_side != SPF_MISSING_NONE && best->coarse) {
        spf_missing_fill(w->value, rows, best->missing_side);
    } else if (best->missing_side != SPF_MISSING_NONE) {
        best->threshold =
            spf_missing_threshold(w->value, rows, best->missing_side, best->threshold);
        if (best->missing_side == SPF_MISSING_GO_LEFT) spf_missing_send_left(w->value, rows);
    }
    if (best->coarse) close_ends(s, w, w->value);
}

static sporf_status refine(const spf_split_search *s, size_t winner, spf_split *best) {
    spf_missing_side side = best->missing_side;
    spf_split_node node = s->node;
    node.draws = NULL; /* closed ends leave only allowed cuts */
    SPF_TRY(spf_split_refine(&node, s->owner->value, &s->owner->scratch, best));
    best->missing_side = side;
    if (side != SPF_MISSING_NONE) project_winner(s, winner, best);
    return SPORF_OK;
}

/* A cut in the order of levels becomes the set of levels on one side. */
static sporf_status take_set(const spf_split_search *s, size_t winner, spf_split *best) {
    spf_searcher *w = s->owner;
    int exchanged;
    project(s, w, winner, w->value); /* sorts the levels */
    SPF_TRY(
        spf_categories_take_set(&w->levels, s->candidates, winner, best->threshold, &exchanged));
    best->threshold = 0.5f;
    if (exchanged && best->missing_side != SPF_MISSING_NONE)
        best->missing_side =
            best->missing_side == SPF_MISSING_GO_LEFT ? SPF_MISSING_GO_RIGHT : SPF_MISSING_GO_LEFT;
    project_winner(s, winner, best);
    return SPORF_OK;
}

sporf_status spf_search_candidate(spf_split_search *s, size_t candidate, spf_split *best) {
    s->in_lanes = s->counts = 0;
    return search_one(s, s->owner, candidate, best);
}

/* `projected`: the winner's values are there already. */
static sporf_status take_winner(const spf_split_search *s, size_t winner, int projected,
                                spf_split *best) {
    if (!projected || best->missing_side != SPF_MISSING_NONE) {
        project_winner(s, winner, best);
        spf_profile_lap(&s->owner->profile, SPORF_PHASE_PROJECT);
    }
    if (best->coarse) SPF_TRY(refine(s, winner, best));
    return spf_search_alone(s, winner) ? take_set(s, winner, best) : SPORF_OK;
}

sporf_status spf_take_winner(const spf_split_search *s, size_t winner, spf_split *best) {
    return take_winner(s, winner, 0, best);
}

sporf_status spf_best_split(spf_split_search *s, spf_split *best, size_t *winner) {
    spf_searcher *w = s->owner;
    size_t rows = s->node.rows;
    *best = (spf_split){0};
    SPF_TRY(spf_searcher_reserve(w, rows));
    int in_lanes = s->in_lanes = rows <= lanes_rows(s);
    s->counts = spf_search_may_count(s);
    if (in_lanes)
        SPF_TRY(search_small(s, best, winner, &in_lanes));
    else if (s->helpers && rows * s->candidates->count >= SHARED_WORK)
        SPF_TRY(search_together(s, best, winner));
    else
        SPF_TRY(search_in_turn(s, best, winner));
    if (!best->found) return SPORF_OK;
    SPF_TRY(take_winner(s, *winner, in_lanes, best));
    spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
    return SPORF_OK;
}
