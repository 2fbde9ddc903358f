/* Each tree shuffles by itself, and only the rows that a group exposes: they draw from all
 * out-of-bag rows of the tree. All other rows of a full shuffle would get the remaining values and
 * keep their leaves. */
#include "learn/replay/permutation_importance.h"

#include "base/sum.h"
#include "learn/replay/shuffled_cost.h"

#include <math.h>
#include <stdlib.h>

/* Buffers of one thread. */
typedef struct {
    spf_shuffled shuffled;
    uint32_t *donor;   /* [rows]: whose values a row takes */
    uint32_t *place;   /* [rows]: 0, 1, 2, ... except during a shuffle */
    uint32_t *swapped; /* [rows]: exchanges, to be undone */
} buffers;

/* The increase of a tree's error after shuffling a group. */
typedef struct {
    uint32_t group;
    double increase;
} effect;

typedef struct {
    size_t count;
    effect *effects; /* groups ascending; others have no effect */
} tree_effects;

typedef struct {
    const spf_oob_replay *replay;
    const spf_feature_groups *groups;
    uint64_t seed;
    buffers *buffers_of; /* [workers] */
    tree_effects *found; /* [trees] */
    size_t trees;        /* with out-of-bag rows */
    spf_sum *sums, *squares;
} shuffling;

/* ---- trees ----------------------------------------------------------------------------------- */

static void exchange_places(buffers *b, uint32_t one, uint32_t other) {
    uint32_t taken = b->place[other];
    b->place[other] = b->place[one];
    b->place[one] = taken;
}

/* Gives the exposed rows other rows' values: these are drawn from all out-of-bag rows without
 * replacement, as the first steps of a full shuffle. */
static void shuffle(const spf_grown *grown, buffers *b, sporf_random random) {
    uint32_t all = (uint32_t)grown->oob_count, drawn = 0;
    for (; drawn < b->shuffled.exposed_count; drawn++) {
        uint32_t with = drawn + spf_random_below(&random, all - drawn);
        exchange_places(b, drawn, with);
        b->swapped[drawn] = with;
        b->donor[grown->oob_row[b->shuffled.exposed[drawn].place]] =
            grown->oob_row[b->place[drawn]];
    }
    while (drawn-- > 0) exchange_places(b, drawn, b->swapped[drawn]);
}

/* A group draws as its first feature does alone. */
static sporf_status shuffle_group(const shuffling *s, const spf_grown *grown, buffers *b,
                                  uint64_t key, uint32_t group, double *increase) {
    uint32_t first = s->groups->member[s->groups->start[group]];
    SPF_TRY(spf_oob_replay_check_interrupt(s->replay));
    SPF_TRY(spf_shuffled_open_group(&b->shuffled, group));
    shuffle(grown, b, spf_random_start(key, first, SPF_USE_PERMUTE));
    *increase = spf_shuffled_cost(&b->shuffled, b->donor);
    return SPORF_OK;
}

static sporf_status shuffle_tree(void *context, uint32_t number, const spf_grown *grown,
                                 unsigned worker) {
    shuffling *s = context;
    buffers *b = &s->buffers_of[worker];
    tree_effects *found = &s->found[number];
    uint64_t key = spf_tree_key(s->seed, number);
    if (grown->oob_count == 0) return SPORF_OK;
    SPF_TRY(spf_shuffled_open_tree(&b->shuffled, grown));
    found->effects = spf_alloc(spf_shuffled_used(&b->shuffled), sizeof *found->effects);
    if (!found->effects) return spf_raise_memory();
    for (uint32_t g = 0; g < s->groups->count; g++) {
        if (!spf_shuffled_uses(&b->shuffled, g)) continue;
        effect *one = &found->effects[found->count++];
        one->group = g;
        SPF_TRY(shuffle_group(s, grown, b, key, g, &one->increase));
    }
    return SPORF_OK;
}

static void collect_tree(void *context, uint32_t number, const spf_grown *grown) {
    shuffling *s = context;
    const sporf_hooks *hooks = s->replay->hooks;
    tree_effects *found = &s->found[number];
    s->trees += grown->oob_count > 0;
    for (size_t i = 0; i < found->count; i++) {
        double increase = found->effects[i].increase;
        spf_sum_add(&s->sums[found->effects[i].group], increase);
        spf_sum_add(&s->squares[found->effects[i].group], increase * increase);
    }
    free(found->effects);
    *found = (tree_effects){0};
    if (hooks->progress)
        hooks->progress(hooks->payload, (size_t)number + 1, s->replay->forest->trees_count);
}

/* ---- the forest ------------------------------------------------------------------------------ */

static sporf_status prepare_buffers(const shuffling *s, buffers *b) {
    size_t rows = s->replay->plan.data->rows;
    SPF_TRY(spf_shuffled_create(s->replay, s->groups, &b->shuffled));
    b->donor = spf_alloc(rows, sizeof *b->donor);
    b->place = spf_alloc(rows, sizeof *b->place);
    b->swapped = spf_alloc(rows, sizeof *b->swapped);
    if (!b->donor || !b->place || !b->swapped) return spf_raise_memory();
    for (uint32_t i = 0; i < rows; i++) b->place[i] = i;
    return SPORF_OK;
}

static sporf_status prepare(shuffling *s) {
    s->buffers_of = spf_alloc_zero(s->replay->workers, sizeof *s->buffers_of);
    s->found = spf_alloc_zero(s->replay->forest->trees_count, sizeof *s->found);
    s->sums = spf_alloc_zero(s->groups->count, sizeof *s->sums);
    s->squares = spf_alloc_zero(s->groups->count, sizeof *s->squares);
    if (!s->buffers_of || !s->found || !s->sums || !s->squares) return spf_raise_memory();
    for (unsigned i = 0; i < s->replay->workers; i++)
        SPF_TRY(prepare_buffers(s, &s->buffers_of[i]));
    return SPORF_OK;
}

static void release(shuffling *s) {
    for (unsigned i = 0; s->buffers_of && i < s->replay->workers; i++) {
        spf_shuffled_free(&s->buffers_of[i].shuffled);
        free(s->buffers_of[i].donor);
        free(s->buffers_of[i].place);
        free(s->buffers_of[i].swapped);
    }
    for (size_t t = 0; s->found && t < s->replay->forest->trees_count; t++)
        free(s->found[t].effects);
    free(s->buffers_of);
    free(s->found);
    free(s->sums);
    free(s->squares);
}

/* The standard error of a mean over trees; NaN for a single tree. */
static double standard_error(const shuffling *s, size_t group, double mean) {
    double trees = (double)s->trees;
    double variance = (spf_sum_value(&s->squares[group]) - trees * mean * mean) / (trees - 1);
    return trees > 1 ? sqrt(fmax(0, variance) / trees) : NAN;
}

sporf_status spf_permutation_importances(const spf_oob_replay *replay,
                                         const spf_feature_groups *groups, uint64_t seed,
                                         double *importances, double *errors) {
    shuffling s = {.replay = replay, .groups = groups, .seed = seed};
    sporf_status status = prepare(&s);
    if (status == SPORF_OK) status = spf_oob_replay_trees(replay, shuffle_tree, collect_tree, &s);
    for (size_t g = 0; status == SPORF_OK && g < groups->count; g++) {
        importances[g] = spf_sum_value(&s.sums[g]) / (double)s.trees;
        if (errors) errors[g] = standard_error(&s, g, importances[g]);
    }
    release(&s);
    return status;
}
