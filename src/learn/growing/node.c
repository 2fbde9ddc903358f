/* Describes a node to the splitters, draws candidates for it, and partitions its rows by the best
 * one. */
#include "learn/growing/node.h"

#include "base/rng.h"
#include "learn/rows/project.h"
#include "learn/splitting/kernels.h"

#include <math.h>
#include <string.h>

/* ---- what is in a node ------------------------------------------------------------------------
 */

static uint64_t count_draws(const spf_tree_rows *s, const spf_waiting *node) {
    uint64_t sum = 0;
    for (uint32_t i = node->bag.begin; i < node->bag.end; i++) sum += s->draws[s->tag[i]];
    return sum;
}

void spf_node_open(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node) {
    w->plan->outcome.kind->open_node(w, s, node);
    w->drawn = s->draws ? count_draws(s, node) : w->total;
}

void spf_node_close(spf_workspace *w) {
    for (size_t i = 0; i < w->present_count; i++) w->class_total[w->present[i]] = 0;
}

int spf_node_may_split(const spf_tree_rows *s, uint32_t depth, uint64_t total, uint64_t drawn) {
    const spf_plan *plan = s->plan;
    return drawn >= plan->min_split && drawn >= 2 * (uint64_t)plan->min_leaf &&
           total >= 2 * (uint64_t)s->least_units &&
           (plan->max_depth == 0 || depth < plan->max_depth);
}

/* How often each row is in the bag, if children need several rows. */
static sporf_status gather_draws(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node,
                                 spf_split_node *split) {
    size_t rows = node->bag.end - node->bag.begin;
    if (!spf_plan_counts_leaves(s->plan)) return SPORF_OK;
    SPF_TRY(SPF_RESERVE(w->draws, w->draws_capacity, rows));
    for (size_t i = 0; i < rows; i++) w->draws[i] = s->draws[s->tag[node->bag.begin + i]];
    split->draws = w->draws;
    split->drawn = w->drawn;
    split->least_draws = s->plan->min_leaf;
    return SPORF_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */

/* Whether enough candidates may be equal for a search to pay. Categories stand for levels not drawn
 * yet. */
static int may_repeat(const spf_workspace *w, const spf_plan *plan) {
    return !plan->slots.feature && w->candidates.count > w->candidates.features;
}

static sporf_status draw_candidates(spf_workspace *w, const spf_tree_rows *s,
                                    const spf_table *table, const spf_waiting *node) {
    const spf_plan *plan = s->plan;
    sporf_random random = spf_random_start(s->key, node->key, SPF_USE_DRAW);
    int has_basis = spf_basis_is_made(&s->basis);
    sporf_view view = {
        .tree = s->tree,
        .depth = node->depth,
        .features = plan->slots.feature ? plan->slots.count : table->features,
        .columns = table->columns,
        .scale = has_basis             ? NULL
                 : plan->slots.feature ? plan->slots.scale
                                       : plan->scale,
        .rows = node->bag.end - node->bag.begin,
        .row = s->row ? s->row + node->bag.begin : NULL, /* none in a crown */
        .classes = spf_outcome_seen_classes(&plan->outcome),
    };
    if (!plan->sampler.traits.ignores_rows)
        SPF_TRY(spf_tree_rows_untag(s, node->bag.begin, view.rows, w));
    view.label = w->view_label;
    view.weight = w->view_weight;
    spf_projections_clear(&w->candidates);
    w->candidates.features = view.features;
    w->candidates.scale = view.scale;
    unsigned raised = spf_raise_count();
    sporf_status status =
        plan->sampler.draw(plan->sampler.payload, w->sampler_state, &view, &random, &w->candidates);
    if (status != SPORF_OK) return spf_raise_for_sampler(plan, status, raised);
    for (size_t i = 0; has_basis && i < w->candidates.count; i++)
        if (spf_projection_terms(&w->candidates, i) != 1)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "the sampler '%s' made a basis, so each candidate must be one of its "
                             "directions",
                             plan->sampler.name ? plan->sampler.name : "");
    return may_repeat(w, plan) ? spf_repeats_drop(&w->repeats, &w->candidates) : SPORF_OK;
}

sporf_status spf_node_candidates(spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node,
                                 const spf_split_node *split, const spf_node_rows *rows) {
    SPF_TRY(draw_candidates(w, s, rows->table, node));
    sporf_random random = spf_random_start(s->key, node->key, SPF_USE_LEVELS);
    return spf_categories_resolve(&w->searcher.levels, split, rows, &random, &w->candidates);
}

/* In units of one row times one candidate, about 4 ns: what was measured on 14 tables, with 3 to
 * 720 candidates, within a tenth for each table. */
static uint64_t work_of(size_t rows, size_t candidates) {
    enum { NODE = 150, ROW = 5, CANDIDATE = 50 };
    return NODE + (uint64_t)rows * ROW + (uint64_t)(CANDIDATE + rows) * candidates;
}

/* ---- the two sides --------------------------------------------------------------------------- */

/* Whether the left sums are no more than rounding to single precision can have left of 0. */
static int keeps_means(const spf_split_node *node, const float *value, float threshold) {
    const double rounding = 0x1p-23;
    for (size_t t = 0; t < node->targets; t++) {
        const float *target = node->value + t * node->rows;
        double sum = 0, size = 0;
        for (size_t i = 0; i < node->rows; i++) {
            double part = value[i] <= threshold ? (uint32_t)node->pair[i] * (double)target[i] : 0;
            sum += part;
            size += fabs(part);
        }
        if (fabs(sum) > rounding * size) return 0;
    }
    return 1;
}

/* Whether a score of sums of squares is above that of the node as it is by more than rounding. */
static int clearly_gains(const spf_split_node *node, double score) {
    const double rounding = 1e-9;
    return node->criterion->squares &&
           score > (double)node->sums.squares / (double)node->total * (1 + rounding);
}

/* Whether both children have exactly the class shares, or means, of their parent: such a split
 * gains nothing, whatever the rounding of the criterion. */
static int gains_nothing(spf_workspace *w, const spf_split_node *node, const float *value,
                         const spf_split *best) {
    if (node->targets > 1) return keeps_means(node, value, best->threshold);
    if (spf_split_is_pair(node)) return !(best->score > 0);
    if (clearly_gains(node, best->score)) return 0;
    uint32_t *count = w->searcher.scratch.left;
    uint64_t weight = 0;
    for (size_t i = 0; i < node->rows; i++) {
        uint32_t taken = spf_tag_weight(node, i) & -(uint32_t)(value[i] <= best->threshold);
        count[spf_tag_class(node, i)] += taken;
        weight += taken;
    }
    int same = 1;
    for (size_t k = 0; k < node->classes; k++) {
        same &= count[k] * node->total == node->class_total[k] * weight;
        count[k] = 0;
    }
    return same;
}

/* Divides two arrays over the same rows by their values; returns how many go left. */
static uint32_t part(spf_workspace *w, uint32_t *a, uint32_t *b, uint32_t count, const float *value,
                     float threshold) {
    const spf_kernels *kernels = w->searcher.scratch.kernels;
    return (uint32_t)kernels->partition(a, b, count, value, threshold, (uint32_t *)(void *)w->pair);
}

static uint64_t weight_of(const spf_tree_rows *s, uint32_t begin, uint32_t end) {
    uint64_t sum = 0;
    for (uint32_t i = begin; i < end; i++) sum += spf_bag_weight(s, i);
    return sum;
}

/* A split found without missing values sends those of new data to its heavier side. */
static int sends_left(const spf_workspace *w, const spf_tree_rows *s, const spf_waiting *node,
                      const spf_cut *cut, spf_missing_side found) {
    if (!w->plan->has_missing) return 0; /* see spf_builder_send_missing */
    if (found != SPF_MISSING_NONE) return found == SPF_MISSING_GO_LEFT;
    return 2 * weight_of(s, node->bag.begin, cut->bag_middle) > w->total;
}

sporf_status spf_node_part_bag(spf_workspace *w, spf_tree_rows *s, const spf_waiting *node,
                               const float *value, spf_cut *cut) {
    uint32_t begin = node->bag.begin, count = node->bag.end - begin;
    SPF_TRY(SPF_RESERVE(w->pair, w->pair_capacity, count));
    cut->bag_middle = begin + part(w, s->row + begin, s->tag + begin, count, value, cut->threshold);
    return SPORF_OK;
}

sporf_status spf_node_part_oob(spf_workspace *w, spf_tree_rows *s,
                               const sporf_projections *candidates, const spf_table *table,
                               const spf_waiting *node, spf_cut *cut) {
    uint32_t begin = node->oob.begin, count = node->oob.end - begin;
    SPF_TRY(SPF_RESERVE(w->pair, w->pair_capacity, count));
    SPF_TRY(spf_searcher_reserve(&w->searcher, count));
    spf_project_rows(candidates, cut->candidate, table, s->oob_place + begin, count,
                     w->searcher.value);
    if (cut->missing_left) spf_missing_send_left(w->searcher.value, count);
    cut->oob_middle = begin + part(w, s->oob_place + begin, s->oob_row + begin, count,
                                   w->searcher.value, cut->threshold);
    return SPORF_OK;
}

static sporf_status part_node(spf_workspace *w, spf_tree_rows *s, const spf_table *table,
                              const spf_waiting *node, spf_missing_side has_missing, spf_cut *cut) {
    SPF_TRY(spf_node_part_bag(w, s, node, w->searcher.winner, cut));
    cut->missing_left = sends_left(w, s, node, cut, has_missing);
    return spf_node_part_oob(w, s, &w->candidates, table, node, cut);
}

sporf_status spf_node_split(spf_workspace *w, spf_tree_rows *s, const spf_table *table,
                            const spf_waiting *node, const spf_helpers *helpers, spf_cut *cut) {
    *cut = (spf_cut){0};
    if (!w->varies || !spf_node_may_split(s, node->depth, w->total, w->drawn)) return SPORF_OK;
    SPF_TRY(spf_check_interrupt(w->plan));
    spf_split_search search = {.plan = w->plan,
                               .candidates = &w->candidates,
                               .owner = &w->searcher,
                               .helpers = helpers,
                               .rows = {.table = table,
                                        .row = s->row + node->bag.begin,
                                        .count = node->bag.end - node->bag.begin},
                               .whole = w->plan->whole && !spf_basis_is_made(&s->basis)};
    SPF_TRY(w->plan->outcome.kind->describe_node(w, s, node, &search.node));
    SPF_TRY(gather_draws(w, s, node, &search.node));
    spf_profile_lap(&w->searcher.profile, SPORF_PHASE_OTHER);
    SPF_TRY(spf_node_candidates(w, s, node, &search.node, &search.rows));
    spf_profile_lap(&w->searcher.profile, SPORF_PHASE_SAMPLE);
    w->work += work_of(search.node.rows, w->candidates.count);
    spf_split best;
    SPF_TRY(spf_best_split(&search, &best, &cut->candidate));
    if (!best.found || gains_nothing(w, &search.node, w->searcher.winner, &best)) return SPORF_OK;
    cut->found = 1;
    cut->threshold = best.threshold;
    SPF_TRY(part_node(w, s, table, node, best.missing_side, cut));
    spf_profile_lap(&w->searcher.profile, SPORF_PHASE_PARTITION);
    return SPORF_OK;
}

void spf_node_children(const spf_tree_rows *s, const spf_waiting *node, const spf_cut *cut,
                       spf_waiting *left, spf_waiting *right) {
    *left = *right =
        (spf_waiting){.depth = node->depth + 1, .parent = SPF_NO_PARENT, .level = node->level};
    left->bag = (spf_extent){node->bag.begin, cut->bag_middle};
    left->oob = (spf_extent){node->oob.begin, cut->oob_middle};
    right->bag = (spf_extent){cut->bag_middle, node->bag.end};
    right->oob = (spf_extent){cut->oob_middle, node->oob.end};
    spf_child_keys(s->key, node->key, &left->key, &right->key);
}
