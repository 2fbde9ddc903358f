/* Small nodes are searched a few candidates at a time, larger ones one by one, and the largest by
 * several threads, one candidate each. The winner is always the first of the best. */
#include "learn/node.h"

#include "base/rng.h"
#include "learn/project.h"
#include "learn/targets.h"

#include <math.h>
#include <string.h>

enum {
    INTERRUPT_ROWS = 4096, /* nodes in which the interrupt is asked for each candidate */
    SHARED_WORK = 1 << 18, /* rows times candidates from which helpers are worth calling */
};

/* ---- the node's classes ---------------------------------------------------------------------- */

/* With two classes only, sums in registers are faster than counters in memory. */
static void count_two(spf_workspace *w, const spf_sapling *s, const spf_waiting *node) {
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

/* As if all rows were of one class. */
static void open_targets(spf_workspace *w, const spf_sapling *s, const spf_waiting *node) {
    w->varies = spf_targets_open(&w->targets, s, node, &w->total);
    w->class_total[0] = (uint32_t)w->total;
    w->present[0] = 0;
    w->present_count = 1;
}

static void count_classes(spf_workspace *w, const spf_sapling *s, const spf_waiting *node) {
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

void spf_node_open(spf_workspace *w, const spf_sapling *s, const spf_waiting *node) {
    if (w->plan->targets > 0) {
        open_targets(w, s, node);
        return;
    }
    if (w->plan->data->classes.count == 2)
        count_two(w, s, node);
    else
        count_classes(w, s, node);
    w->varies = w->present_count > 1;
}

void spf_node_close(spf_workspace *w) {
    for (size_t i = 0; i < w->present_count; i++) w->class_total[w->present[i]] = 0;
}

static int may_split(const spf_workspace *w, const spf_waiting *node) {
    const spf_plan *plan = w->plan;
    return w->varies && w->total >= plan->min_split && w->total >= 2 * (uint64_t)plan->min_leaf &&
           (plan->max_depth == 0 || node->depth < plan->max_depth);
}

/* Numbers the classes within the node. */
static sporf_status number_classes(spf_workspace *w, const spf_sapling *s, const uint32_t *tag,
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

/* The open node as the splitters see it. */
static sporf_status describe(spf_workspace *w, const spf_sapling *s, const spf_waiting *node,
                             spf_split_node *split) {
    size_t rows = node->bag.end - node->bag.begin;
    const uint32_t *tag = s->tag + node->bag.begin, *totals = w->class_total;
    if (w->plan->targets > 0) {
        *split = (spf_split_node){.total = w->total, .min_leaf = w->plan->min_leaf};
        SPF_TRY(SPF_RESERVE(w->pair, w->pair_capacity, rows));
        return spf_targets_describe(&w->targets, s, node, w->pair, w->dense_total, split);
    }
    if (w->plan->data->classes.count > 2) {
        SPF_TRY(number_classes(w, s, tag, rows));
        tag = w->tag;
        totals = w->dense_total;
    }
    if (w->present_count == 2 && rows > SPF_LANES_ROWS_PAIR && w->plan->split == SPORF_SPLIT_AUTO &&
        w->plan->criterion == SPORF_GINI)
        SPF_TRY(make_pairs(w, tag, s->weight_bits, rows));
    *split = (spf_split_node){
        .rows = rows,
        .classes = w->present_count,
        .tag = tag,
        .weight_bits = s->weight_bits,
        .pair = w->pair,
        .class_total = totals,
        .total = w->total,
        .min_leaf = w->plan->min_leaf,
        .criterion = w->plan->criterion,
        .xlogx = &w->plan->xlogx,
    };
    spf_split_sum_classes(split);
    return SPORF_OK;
}

/* ---- candidates ------------------------------------------------------------------------------ */

static sporf_status draw_candidates(spf_workspace *w, const spf_sapling *s, const spf_table *table,
                                    const spf_waiting *node) {
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
        .row = s->row + node->bag.begin,
        .classes = plan->data->classes.count,
    };
    if (plan->sampler_looks) SPF_TRY(spf_sapling_untag(s, node->bag.begin, view.rows, w));
    view.label = w->view_label;
    view.weight = w->view_weight;
    spf_projections_clear(&w->candidates);
    w->candidates.features = view.features;
    w->candidates.scale = view.scale;
    unsigned raised = spf_raise_count();
    sporf_status status =
        plan->sampler.draw(plan->sampler.payload, w->sampler_state, &view, &random, &w->candidates);
    if (status != SPORF_OK) return spf_speak_for_sampler(plan, status, raised);
    for (size_t i = 0; has_basis && i < w->candidates.count; i++)
        if (spf_projection_terms(&w->candidates, i) != 1)
            return spf_raise(SPORF_ERROR_ARGUMENT,
                             "the sampler '%s' made a basis, so each candidate must be one of its "
                             "directions",
                             plan->sampler.name ? plan->sampler.name : "");
    return SPORF_OK;
}

/* ---- the best cut ---------------------------------------------------------------------------- */

/* A search under way; threads that help share it. */
typedef struct {
    spf_workspace *owner; /* of the candidates */
    spf_workspace *workspaces;
    spf_node_rows rows;
    spf_split_node node;
    int whole; /* the table's values are whole numbers */
} search;

static sporf_status reserve_values(spf_workspace *w, size_t rows) {
    size_t least = SPF_LANES * SPF_LANES_ROWS;
    return SPF_RESERVE(w->value, w->value_capacity, rows > least ? rows : least);
}

static int is_alone(const search *s, size_t candidate) {
    return spf_levels_alone(&s->owner->levels, &s->owner->candidates, candidate);
}

static void project(const search *s, spf_workspace *w, size_t candidate, float *value) {
    const sporf_projections *list = &s->owner->candidates;
    if (is_alone(s, candidate))
        spf_levels_order(&w->levels, &s->owner->levels, &s->node, &s->rows, list, candidate, value);
    else
        spf_project_rows(list, candidate, s->rows.table, s->rows.row, s->rows.count, value);
}

/* Rows without a value may go to either side: the first one to try. */
static spf_holes_side first_side(const search *s, const float *value) {
    int holes = s->owner->plan->holes && spf_holes_exist(value, s->rows.count);
    return holes ? SPF_HOLES_GO_RIGHT : SPF_HOLES_NONE;
}

static int has_improved(const spf_split *best, const spf_split *before) {
    return best->found && (!before->found || best->score > before->score);
}

/* ---- several candidates at a time ------------------------------------------------------------ */

/* A candidate, with its holes on one side, to be a column of the lanes. */
typedef struct {
    size_t candidate;
    spf_holes_side side;
} column;

/* Projects on the candidate of a column; returns 0 where no row has a value. `next` becomes the
 * column after it. */
static int fill_column(const search *s, column *taken, float *value, column *next) {
    *taken = *next;
    project(s, s->owner, taken->candidate, value);
    if (taken->side == SPF_HOLES_NONE) taken->side = first_side(s, value);
    *next = taken->side == SPF_HOLES_GO_RIGHT ? (column){taken->candidate, SPF_HOLES_GO_LEFT}
                                              : (column){taken->candidate + 1, SPF_HOLES_NONE};
    return taken->side == SPF_HOLES_NONE || spf_holes_fill(value, s->rows.count, taken->side);
}

/* Fills lanes with the next columns; returns how many there are. */
static size_t fill_lanes(const search *s, column *taken, column *next) {
    spf_workspace *w = s->owner;
    size_t columns = 0, rows = s->rows.count;
    while (columns < SPF_LANES && next->candidate < w->candidates.count) {
        float *value = w->value + columns * SPF_LANES_ROWS;
        if (!fill_column(s, &taken[columns], value, next)) continue;
        for (size_t i = rows; i % 4 != 0; i++) value[i] = 0;
        columns++;
    }
    return columns;
}

/* Several candidates at a time; leaves the winner's values. */
static sporf_status search_lanes(const search *s, spf_split *best, size_t *winner) {
    spf_workspace *w = s->owner;
    double perfect = spf_split_perfect(&s->node);
    column next = {0}, taken[SPF_LANES];
    w->winner = w->winner_value;
    while (next.candidate < w->candidates.count) {
        size_t columns = fill_lanes(s, taken, &next), best_column = SPF_LANES;
        if (columns == 0) break;
        spf_profile_count(&w->profile, columns * s->node.rows);
        spf_profile_lap(&w->profile, SPORF_PHASE_PROJECT);
        SPF_TRY(spf_split_lanes(&s->node, w->value, columns, &w->scratch, best, &best_column));
        if (best_column < SPF_LANES) {
            *winner = taken[best_column].candidate;
            best->holes = taken[best_column].side;
            memcpy(w->winner_value, w->value + best_column * SPF_LANES_ROWS,
                   s->node.rows * sizeof *w->value);
        }
        spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
        if (best->found && best->score >= perfect) break;
    }
    return SPORF_OK;
}

/* ---- one candidate after the other ----------------------------------------------------------- */

/* The bounds of a candidate whose values are sums and differences of bytes; NULL for others. */
static const spf_whole *find_whole(const search *s, size_t candidate, spf_whole *whole) {
    const sporf_projections *list = &s->owner->candidates;
    uint32_t start = list->start[candidate], end = list->start[candidate + 1];
    if (!s->whole || is_alone(s, candidate) || list->feature[end - 1] >= s->rows.table->features)
        return NULL;
    *whole = (spf_whole){0};
    for (uint32_t i = start; i < end; i++) {
        if (list->weight[i] != 1 && list->weight[i] != -1) return NULL;
        *(list->weight[i] < 0 ? &whole->low : &whole->high) += list->weight[i] * UINT8_MAX;
    }
    return whole;
}

static sporf_status search_values(const search *s, spf_workspace *w, size_t candidate,
                                  spf_split *best) {
    spf_whole whole;
    if (s->node.targets > 1) return spf_split_targets(&s->node, w->value, &w->scratch, best);
    if (w->plan->split == SPORF_SPLIT_EXACT)
        return spf_split_exact(&s->node, w->value, &w->scratch, best);
    return spf_split_histogram(&s->node, w->value, find_whole(s, candidate, &whole), &w->scratch,
                               best);
}

/* With holes on one side; a candidate that has any is searched twice. */
static sporf_status search_side(const search *s, spf_workspace *w, size_t candidate,
                                spf_holes_side side, spf_split *best) {
    spf_split before = *best;
    if (side == SPF_HOLES_GO_LEFT) project(s, w, candidate, w->value);
    if (side != SPF_HOLES_NONE && !spf_holes_fill(w->value, s->rows.count, side)) return SPORF_OK;
    SPF_TRY(search_values(s, w, candidate, best));
    if (has_improved(best, &before)) best->holes = side;
    return SPORF_OK;
}

/* Projects on one candidate and looks for a cut better than *best. */
static sporf_status search_one(const search *s, spf_workspace *w, size_t candidate,
                               spf_split *best) {
    if (s->node.rows > INTERRUPT_ROWS) SPF_TRY(spf_check_interrupt(w->plan));
    SPF_TRY(reserve_values(w, s->node.rows));
    project(s, w, candidate, w->value);
    spf_profile_count(&w->profile, s->node.rows);
    spf_profile_lap(&w->profile, SPORF_PHASE_PROJECT);
    spf_holes_side side = first_side(s, w->value);
    SPF_TRY(search_side(s, w, candidate, side, best));
    if (side != SPF_HOLES_NONE) SPF_TRY(search_side(s, w, candidate, SPF_HOLES_GO_LEFT, best));
    spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
    return SPORF_OK;
}

static sporf_status search_in_turn(const search *s, spf_split *best, size_t *winner) {
    double perfect = spf_split_perfect(&s->node);
    for (size_t i = 0; i < s->owner->candidates.count; i++) {
        spf_split before = *best;
        SPF_TRY(search_one(s, s->owner, i, best));
        if (has_improved(best, &before)) *winner = i;
        if (best->found && best->score >= perfect) break;
    }
    return SPORF_OK;
}

static sporf_status search_item(void *context, size_t item, unsigned worker) {
    const search *s = context;
    spf_workspace *w = &s->workspaces[worker];
    if (w != s->owner) spf_profile_help(&w->profile, s->node.rows);
    return search_one(s, w, item, &s->owner->splits[item]);
}

static sporf_status search_together(search *s, const spf_helpers *helpers, spf_split *best,
                                    size_t *winner) {
    spf_workspace *w = s->owner;
    size_t count = w->candidates.count;
    SPF_TRY(SPF_RESERVE(w->splits, w->splits_capacity, count));
    memset(w->splits, 0, count * sizeof *w->splits);
    s->workspaces = helpers->workspaces;
    SPF_TRY(spf_pool_for(helpers->pool, helpers->worker, count, search_item, s));
    spf_profile_lap(&w->profile, SPORF_PHASE_OTHER);
    for (size_t i = 0; i < count; i++) {
        if (!has_improved(&w->splits[i], best)) continue;
        *best = w->splits[i];
        *winner = i;
    }
    return SPORF_OK;
}

/* ---- the winner ------------------------------------------------------------------------------ */

/* Up to how many rows a node is searched in lanes: with two classes bins take over earlier. */
static size_t lanes_rows(const search *s) {
    int bins = s->owner->plan->split == SPORF_SPLIT_AUTO && spf_split_is_pair(&s->node);
    if (s->node.targets > 1) return 0;
    return bins ? SPF_LANES_ROWS_PAIR : SPF_LANES_ROWS;
}

/* Holes lie right of every threshold, unless they are put left of it. */
static void send_left(float *value, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isnan(value[i])) value[i] = -INFINITY;
}

/* Projects on the winner again. Its holes are filled as they were when it won as long as its cut is
 * coarse, and put on their side of the threshold when it is known. */
static void project_winner(const search *s, size_t winner, spf_split *best) {
    spf_workspace *w = s->owner;
    size_t rows = s->rows.count;
    project(s, w, winner, w->value);
    w->winner = w->value;
    if (best->holes != SPF_HOLES_NONE && best->coarse) {
        spf_holes_fill(w->value, rows, best->holes);
    } else if (best->holes != SPF_HOLES_NONE) {
        best->threshold = spf_holes_threshold(w->value, rows, best->holes, best->threshold);
        if (best->holes == SPF_HOLES_GO_LEFT) send_left(w->value, rows);
    }
}

static sporf_status refine(const search *s, size_t winner, spf_split *best) {
    spf_holes_side holes = best->holes;
    SPF_TRY(spf_split_refine(&s->node, s->owner->value, &s->owner->scratch, best));
    best->holes = holes;
    if (holes != SPF_HOLES_NONE) project_winner(s, winner, best);
    return SPORF_OK;
}

/* A cut of levels in order becomes the set of levels on one side of it. */
static sporf_status take_set(const search *s, size_t winner, spf_split *best) {
    spf_workspace *w = s->owner;
    int exchanged;
    project(s, w, winner, w->value); /* puts the levels in order */
    SPF_TRY(spf_levels_take_set(&w->levels, &w->candidates, winner, best->threshold, &exchanged));
    best->threshold = 0.5f;
    if (exchanged && best->holes != SPF_HOLES_NONE)
        best->holes = best->holes == SPF_HOLES_GO_LEFT ? SPF_HOLES_GO_RIGHT : SPF_HOLES_GO_LEFT;
    project_winner(s, winner, best);
    return SPORF_OK;
}

/* Finds the best cut and leaves the values of its projection in w->winner. */
static sporf_status find_split(search *s, const spf_helpers *helpers, spf_split *best,
                               size_t *winner) {
    spf_workspace *w = s->owner;
    size_t rows = s->node.rows;
    *best = (spf_split){0};
    SPF_TRY(reserve_values(w, rows));
    int in_lanes = rows <= lanes_rows(s);
    if (in_lanes)
        SPF_TRY(search_lanes(s, best, winner));
    else if (helpers && rows * w->candidates.count >= SHARED_WORK)
        SPF_TRY(search_together(s, helpers, best, winner));
    else
        SPF_TRY(search_in_turn(s, best, winner));
    if (!best->found) return SPORF_OK;
    if (!in_lanes || best->holes != SPF_HOLES_NONE) {
        project_winner(s, *winner, best);
        spf_profile_lap(&w->profile, SPORF_PHASE_PROJECT);
    }
    if (best->coarse) SPF_TRY(refine(s, *winner, best));
    if (is_alone(s, *winner)) SPF_TRY(take_set(s, *winner, best));
    spf_profile_lap(&w->profile, SPORF_PHASE_SPLIT);
    return SPORF_OK;
}

/* ---- the two sides --------------------------------------------------------------------------- */

/* Whether both children have the class shares of their parent, in whole numbers: such a split gains
 * nothing, whatever the criterion's rounding says. */
static int gains_nothing(spf_workspace *w, const spf_split_node *node, const float *value,
                         const spf_split *best) {
    if (spf_split_is_pair(node)) return !(best->score > 0);
    uint32_t *count = w->scratch.left;
    uint64_t weight = 0;
    for (size_t i = 0; i < node->rows; i++) {
        uint32_t taken = value[i] <= best->threshold ? spf_tag_weight(node, i) : 0;
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

/* Parts two arrays over the same rows stably by value; returns how many go left. */
static uint32_t part(uint32_t *a, uint32_t *b, uint32_t count, const float *value, float threshold,
                     uint32_t *spare) {
    uint32_t left = 0, right = 0, *spare_b = spare + count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = a[i], y = b[i];
        int goes_left = value[i] <= threshold;
        a[left] = spare[right] = x;
        b[left] = spare_b[right] = y;
        left += goes_left;
        right += !goes_left;
    }
    memcpy(a + left, spare, right * sizeof *a);
    memcpy(b + left, spare_b, right * sizeof *b);
    return left;
}

static uint64_t weight_of(const spf_sapling *s, uint32_t begin, uint32_t end) {
    uint64_t sum = 0;
    for (uint32_t i = begin; i < end; i++) sum += spf_bag_weight(s, i);
    return sum;
}

/* A split that was found without holes sends those to come to its heavier side. */
static int sends_left(const spf_workspace *w, const spf_sapling *s, const spf_waiting *node,
                      const spf_cut *cut, spf_holes_side found) {
    if (!w->plan->holes) return 0; /* see spf_builder_send_holes */
    if (found != SPF_HOLES_NONE) return found == SPF_HOLES_GO_LEFT;
    return 2 * weight_of(s, node->bag.begin, cut->bag_middle) > w->total;
}

static sporf_status part_node(spf_workspace *w, spf_sapling *s, const spf_table *table,
                              const spf_waiting *node, spf_holes_side holes, spf_cut *cut) {
    uint32_t begin = node->bag.begin, count = node->bag.end - begin;
    uint32_t oob_count = node->oob.end - node->oob.begin;
    uint32_t most = count > oob_count ? count : oob_count;
    SPF_TRY(SPF_RESERVE(w->pair, w->pair_capacity, most));
    uint32_t *spare = (uint32_t *)(void *)w->pair;
    cut->bag_middle =
        begin + part(s->row + begin, s->tag + begin, count, w->winner, cut->threshold, spare);
    cut->holes_left = sends_left(w, s, node, cut, holes);
    SPF_TRY(reserve_values(w, oob_count));
    uint32_t *place = s->oob_place + node->oob.begin, *oob_row = s->oob_row + node->oob.begin;
    spf_project_rows(&w->candidates, cut->candidate, table, place, oob_count, w->value);
    if (cut->holes_left) send_left(w->value, oob_count);
    cut->oob_middle =
        node->oob.begin + part(place, oob_row, oob_count, w->value, cut->threshold, spare);
    return SPORF_OK;
}

sporf_status spf_node_split(spf_workspace *w, spf_sapling *s, const spf_table *table,
                            const spf_waiting *node, const spf_helpers *helpers, spf_cut *cut) {
    *cut = (spf_cut){0};
    if (!may_split(w, node)) return SPORF_OK;
    SPF_TRY(spf_check_interrupt(w->plan));
    search search = {.owner = w,
                     .rows = {table, s->row + node->bag.begin, node->bag.end - node->bag.begin},
                     .whole = w->plan->whole && !spf_basis_is_made(&s->basis)};
    SPF_TRY(describe(w, s, node, &search.node));
    spf_profile_lap(&w->profile, SPORF_PHASE_OTHER);
    SPF_TRY(draw_candidates(w, s, table, node));
    sporf_random random = spf_random_start(s->key, node->key, SPF_USE_LEVELS);
    SPF_TRY(spf_levels_settle(&w->levels, &search.node, &search.rows, &random, &w->candidates));
    spf_profile_lap(&w->profile, SPORF_PHASE_SAMPLE);
    spf_split best;
    SPF_TRY(find_split(&search, helpers, &best, &cut->candidate));
    if (!best.found || gains_nothing(w, &search.node, w->winner, &best)) return SPORF_OK;
    cut->found = 1;
    cut->threshold = best.threshold;
    SPF_TRY(part_node(w, s, table, node, best.holes, cut));
    spf_profile_lap(&w->profile, SPORF_PHASE_PARTITION);
    return SPORF_OK;
}

void spf_node_children(const spf_sapling *s, const spf_waiting *node, const spf_cut *cut,
                       spf_waiting *left, spf_waiting *right) {
    *left = *right =
        (spf_waiting){.depth = node->depth + 1, .parent = SPF_NO_PARENT, .level = node->level};
    left->bag = (spf_extent){node->bag.begin, cut->bag_middle};
    left->oob = (spf_extent){node->oob.begin, cut->oob_middle};
    right->bag = (spf_extent){cut->bag_middle, node->bag.end};
    right->oob = (spf_extent){cut->oob_middle, node->oob.end};
    spf_child_keys(s->key, node->key, &left->key, &right->key);
}
