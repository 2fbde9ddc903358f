/* Before the first node of a tree: the bag, the sampler's state and the basis. */
#include "learn/growing/tree_rows.h"

#include "base/portable_math.h"
#include "learn/rows/project.h"

#include <stdlib.h>
#include <string.h>

void spf_tree_rows_drop_bag(spf_tree_rows *s) {
    free(s->row);
    free(s->tag);
    free(s->units);
    free(s->draws);
    s->row = s->tag = s->units = s->draws = NULL;
}

void spf_tree_rows_free(spf_tree_rows *s) {
    if (!s) return;
    spf_basis_free(&s->basis);
    spf_tree_rows_drop_bag(s);
    free(s->estimation);
    free(s->oob_row);
    free(s->oob_place);
    free(s);
}

/* Weights, draws and estimation weights of all rows; then the rows of the bag and the other rows,
 * with one number beside each. */
double spf_tree_rows_bytes(const spf_expected *e) {
    const size_t word = sizeof(uint32_t);
    double basis = e->basis > 0 ? spf_basis_bytes(e->rows, e->features, e->basis) : 0;
    return sizeof(spf_tree_rows) + (1 + e->relative + e->honest) * spf_alloc_bytes(e->rows, word) +
           2 * spf_alloc_bytes(e->in_bag + 1, word) +
           2 * spf_alloc_bytes(e->rows - e->in_bag + 1, word) + basis;
}

/* How many bits the largest weight takes. */
static unsigned bits_of_weights(const uint32_t *bag, size_t rows) {
    uint32_t all = 0;
    unsigned bits = 0;
    for (size_t i = 0; i < rows; i++) all |= bag[i];
    for (; all > 0; all /= 2) bits++;
    return bits;
}

static sporf_status check_classes(const spf_tree_rows *s) {
    size_t classes = s->plan->outcome.classes, most = (size_t)1 << (32 - s->weight_bits);
    if (classes <= most) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     "the labels hold %zu classes, more than the %zu allowed" SPF_HINT
                     "is it the right column?",
                     classes, most);
}

/* One more than there are: see fill_between. */
static sporf_status make_room(spf_tree_rows *s) {
    s->row = spf_alloc((size_t)s->bag_count + 1, sizeof *s->row);
    s->tag = spf_alloc((size_t)s->bag_count + 1, sizeof *s->tag);
    s->oob_row = spf_alloc((size_t)s->oob_count + 1, sizeof *s->oob_row);
    s->oob_place = spf_alloc((size_t)s->oob_count + 1, sizeof *s->oob_place);
    return s->row && s->tag && s->oob_row && s->oob_place ? SPORF_OK : spf_raise_memory();
}

/* Of a row of the plan's outcomes, with its weight in the bag. */
static uint32_t tag_of(const spf_tree_rows *s, uint32_t row, uint32_t weight) {
    return spf_tags_are_rows(s->plan) ? row
                                      : s->plan->outcome.labels[row] << s->weight_bits | weight;
}

/* Divides some rows into those of the bag, with classes and weights, and the others; rows of weight
 * 0 are in neither. Which one is drawn cannot be predicted, so each row is written to both, and
 * counts for one at most. */
static sporf_status fill_between(spf_tree_rows *s, const uint32_t *bag, size_t begin, size_t end) {
    const spf_row_weights *weights = s->plan->bagger.weights;
    uint32_t in = 0, out = 0;
    for (size_t i = begin; i < end; i++) {
        s->bag_count += bag[i] > 0;
        s->oob_count += (bag[i] == 0) & (spf_row_units(weights, i) > 0);
    }
    SPF_TRY(make_room(s));
    for (size_t i = begin; i < end; i++) {
        uint32_t place = (uint32_t)(i - begin);
        s->oob_row[out] = (uint32_t)i;
        s->row[in] = s->oob_place[out] = place;
        s->tag[in] = tag_of(s, place, bag[i]);
        in += bag[i] > 0;
        out += (bag[i] == 0) & (spf_row_units(weights, i) > 0);
    }
    return SPORF_OK;
}

/* Sets aside the rows that will fill the leaves. A bag of one row gives a single leaf, which is
 * honest as it is. */
static sporf_status part_bag(spf_tree_rows *s, uint32_t *bag) {
    size_t rows = s->plan->data->rows;
    if (s->plan->honest == 0) return SPORF_OK;
    s->estimation = spf_alloc(rows, sizeof *s->estimation);
    if (!s->estimation) return spf_raise_memory();
    sporf_random random = spf_random_start(s->key, SPF_ROOT_KEY, SPF_USE_HONEST);
    if (spf_bag_part(s->plan->honest, rows, &random, bag, s->estimation) > 0) return SPORF_OK;
    free(s->estimation);
    s->estimation = NULL;
    return SPORF_OK;
}

/* Draws the rows, stores how often each was drawn if weights do not show it, and weighs them. */
static sporf_status draw_bag(spf_tree_rows *s, uint32_t *bag) {
    const spf_bagger *bagger = &s->plan->bagger;
    size_t rows = s->plan->data->rows;
    spf_bagger_draw_tree(bagger, s->key, bag);
    if (bagger->weights->relative) {
        s->draws = spf_alloc(rows, sizeof *s->draws);
        if (!s->draws) return spf_raise_memory();
        memcpy(s->draws, bag, rows * sizeof *bag);
    }
    spf_bagger_weigh(bagger, bag);
    s->weight_bits = bits_of_weights(bag, rows);
    return SPORF_OK;
}

uint32_t spf_least_units(const spf_plan *plan, uint64_t total) {
    uint32_t of_rows = plan->bagger.weights->relative ? 1 : plan->min_leaf;
    uint32_t of_share = (uint32_t)spf_round_up(plan->least_share * (double)total);
    return of_share > of_rows ? of_share : of_rows;
}

static void name_tree(const spf_plan *plan, uint32_t tree, spf_tree_rows *s) {
    s->plan = plan;
    s->tree = tree;
    s->key = spf_tree_key(plan->seed, tree);
    s->table = plan->table;
}

/* A tree with its bag drawn, and without rows yet. */
static sporf_status start(const spf_plan *plan, uint32_t tree, spf_tree_rows *s, uint32_t *bag) {
    uint64_t total = 0;
    name_tree(plan, tree, s);
    SPF_TRY(draw_bag(s, bag));
    SPF_TRY(part_bag(s, bag));
    for (size_t i = 0; plan->least_share > 0 && i < plan->data->rows; i++) total += bag[i];
    s->least_units = spf_least_units(plan, total);
    return check_classes(s);
}

/* Keeps the weights and draws of some rows, which their tags count from the first one on. */
static sporf_status keep_between(spf_tree_rows *s, const uint32_t *bag, spf_extent rows) {
    size_t count = rows.end - rows.begin;
    uint32_t *draws = NULL;
    if (count == s->plan->data->rows) return SPORF_OK;
    SPF_TRY(spf_copy_array(bag + rows.begin, count, sizeof *bag, &s->units));
    SPF_TRY(spf_copy_array(s->draws ? s->draws + rows.begin : NULL, count, sizeof *draws, &draws));
    free(s->draws);
    s->draws = draws;
    return SPORF_OK;
}

sporf_status spf_tree_rows_create(const spf_plan *plan, uint32_t tree, spf_tree_rows **out) {
    return spf_tree_rows_between(plan, tree, (spf_extent){0, (uint32_t)plan->data->rows}, out);
}

sporf_status spf_tree_rows_between(const spf_plan *plan, uint32_t tree, spf_extent rows,
                                   spf_tree_rows **out) {
    spf_tree_rows *s = spf_alloc_zero(1, sizeof *s);
    uint32_t *bag = spf_alloc(plan->data->rows, sizeof *bag);
    sporf_status status = s && bag ? start(plan, tree, s, bag) : spf_raise_memory();
    if (status == SPORF_OK) status = fill_between(s, bag, rows.begin, rows.end);
    if (status == SPORF_OK && spf_tags_are_rows(plan)) {
        status = keep_between(s, bag, rows);
        if (!s->units) {
            s->units = bag;
            bag = NULL;
        }
    }
    free(bag);
    if (status == SPORF_OK)
        *out = s;
    else
        spf_tree_rows_free(s);
    return status;
}

/* ---- rows that were brought together --------------------------------------------------------- */

static sporf_status fill_listed(const spf_row_list *list, spf_tree_rows *s) {
    s->bag_count = list->bag_count;
    s->oob_count = list->oob_count;
    SPF_TRY(check_classes(s));
    SPF_TRY(make_room(s));
    for (uint32_t i = 0; i < s->bag_count; i++) {
        s->row[i] = i;
        s->tag[i] = tag_of(s, i, list->weight[i]);
    }
    for (uint32_t i = 0; i < s->oob_count; i++) {
        s->oob_row[i] = list->oob[i];
        s->oob_place[i] = s->bag_count + i;
    }
    if (!spf_tags_are_rows(s->plan)) return SPORF_OK;
    SPF_TRY(spf_copy_array(list->weight, s->bag_count, sizeof *list->weight, &s->units));
    return spf_copy_array(list->draws, s->bag_count, sizeof *list->draws, &s->draws);
}

sporf_status spf_tree_rows_listed(const spf_plan *plan, uint32_t tree, const spf_row_list *list,
                                  spf_tree_rows **out) {
    spf_tree_rows *s = spf_alloc_zero(1, sizeof *s);
    if (!s) return spf_raise_memory();
    name_tree(plan, tree, s);
    s->weight_bits = list->weight_bits;
    s->least_units = list->least_units;
    sporf_status status = fill_listed(list, s);
    if (status == SPORF_OK)
        *out = s;
    else
        spf_tree_rows_free(s);
    return status;
}

sporf_status spf_raise_for_sampler(const spf_plan *plan, sporf_status status, unsigned raised) {
    if (status == SPORF_OK || spf_raise_count() != raised) return status;
    return spf_raise(status, "the sampler '%s' failed with status %d",
                     plan->sampler.name ? plan->sampler.name : "", (int)status);
}

sporf_status spf_tree_rows_untag(const spf_tree_rows *s, size_t begin, size_t rows,
                                 spf_workspace *w) {
    SPF_TRY(SPF_RESERVE(w->view_label, w->view_label_capacity, rows));
    SPF_TRY(SPF_RESERVE(w->view_weight, w->view_weight_capacity, rows));
    for (size_t i = 0; i < rows; i++) {
        w->view_label[i] = spf_bag_class(s, (uint32_t)(begin + i));
        w->view_weight[i] = spf_bag_weight(s, (uint32_t)(begin + i));
    }
    return SPORF_OK;
}

/* Calls the sampler's prepare with the rows of the bag in `bagged`. */
static sporf_status prepare(spf_tree_rows *s, const spf_tree_rows *bagged, sporf_projections *basis,
                            spf_workspace *w) {
    const spf_plan *plan = s->plan;
    spf_workspace_finish_sampler(w);
    if (plan->sampler.prepare) {
        sporf_random random = spf_random_start(s->key, SPF_ROOT_KEY, SPF_USE_PREPARE);
        sporf_view view = {
            .tree = s->tree,
            .features = plan->slots.feature ? plan->slots.count : plan->data->features,
            .columns = plan->data->columns,
            .scale = plan->slots.feature ? plan->slots.scale : plan->scale,
            .rows = bagged->bag_count,
            .row = bagged->row,
            .classes = spf_outcome_seen_classes(&plan->outcome),
        };
        if (!plan->sampler.traits.ignores_rows)
            SPF_TRY(spf_tree_rows_untag(bagged, 0, view.rows, w));
        view.label = w->view_label;
        view.weight = w->view_weight;
        unsigned raised = spf_raise_count();
        sporf_status status =
            plan->sampler.prepare(plan->sampler.payload, &view, &random, basis, &w->sampler_state);
        if (status != SPORF_OK) return spf_raise_for_sampler(plan, status, raised);
    }
    w->prepared = 1;
    w->prepared_tree = s->tree;
    return SPORF_OK;
}

/* With a basis, rows would be read from copies of the table and not from its projection. */
static sporf_status raise_basis(const spf_plan *plan) {
    return spf_raise(SPORF_ERROR_ARGUMENT,
                     "the sampler '%s' made a basis, which its traits do not say: set makes_basis",
                     plan->sampler.name ? plan->sampler.name : "");
}

/* Projects the table on the basis, in blocks of rows that stay in the cache. */
static sporf_status change_basis(spf_tree_rows *s) {
    enum { BLOCK_ROWS = 512 };
    size_t rows = s->plan->data->rows;
    SPF_TRY(spf_basis_allocate(&s->basis, rows));
    for (size_t begin = 0; begin < rows; begin += BLOCK_ROWS) {
        SPF_TRY(spf_check_interrupt(s->plan));
        spf_basis_project(&s->basis, s->plan->data, begin,
                          begin + BLOCK_ROWS < rows ? begin + BLOCK_ROWS : rows);
    }
    s->table = (spf_table){.rows = rows,
                           .features = s->basis.directions.count,
                           .stride = 1,
                           .columns = s->basis.columns};
    return SPORF_OK;
}

sporf_status spf_tree_rows_prepare(spf_tree_rows *s, spf_workspace *w) {
    spf_basis_start(&s->basis, s->plan->data, s->plan->scale);
    SPF_TRY(prepare(s, s, &s->basis.directions, w));
    if (!spf_basis_is_made(&s->basis)) return SPORF_OK;
    const sporf_traits *traits = &s->plan->sampler.traits;
    return traits->ignores_rows && !traits->makes_basis ? raise_basis(s->plan) : change_basis(s);
}

/* The rows of a growing tree are out of order: for a sampler that uses rows the bag is drawn
 * again. A user's sampler may make its basis again, which is dropped; the library's get NULL and
 * skip it. */
sporf_status spf_tree_rows_join(spf_tree_rows *s, spf_workspace *w) {
    if (w->prepared && w->prepared_tree == s->tree) return SPORF_OK;
    if (s->plan->sampler.traits.ignores_rows) return prepare(s, s, NULL, w);
    spf_basis again = {0};
    spf_tree_rows *fresh;
    SPF_TRY(spf_tree_rows_create(s->plan, s->tree, &fresh));
    spf_basis_start(&again, s->plan->data, s->plan->scale);
    sporf_status status = prepare(s, fresh, &again.directions, w);
    spf_basis_free(&again);
    spf_tree_rows_free(fresh);
    return status;
}
