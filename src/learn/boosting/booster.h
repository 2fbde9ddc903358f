/* The state of a boosting: what it was given, what it has grown, and the scores so far. */
#ifndef SPF_LEARN_BOOSTING_BOOSTER_H
#define SPF_LEARN_BOOSTING_BOOSTER_H

#include "base/system.h"
#include "learn/boosting/boosted_tree.h"
#include "learn/boosting/loss.h"
#include "learn/boosting/valid_table.h"

#include <stdatomic.h>

/* The memory of the histograms of all trees that grow at the same time. */
enum { SPF_HISTOGRAM_BYTES = 64 << 20 };

/* Losses of the rows that trees are grown on, and of held-out ones: sums or means. */
typedef struct spf_mean_losses {
    double train, valid;
} spf_mean_losses;

/* A table whose rows have scores. */
typedef struct spf_scored_table {
    size_t rows;
    const uint32_t *labels;
    const float *const *target;
    const float *weight; /* NULL: all 1 */
} spf_scored_table;

/* One of the boosters that are averaged. */
typedef struct spf_booster_bag {
    uint8_t *held;             /* [rows]: not seen by trees; NULL: none */
    double *scores;            /* [rows x outputs] */
    float *gradient, *hessian; /* [outputs x rows], by weight */
    spf_mean_losses *parts;    /* [chunks] */
    double *valid_scores;      /* [rows of the table to stop by x outputs] */
    spf_mean_losses *valid_parts;
} spf_booster_bag;

/* The derivatives of some rows. */
typedef struct spf_desk {
    double *gradients, *hessians, *losses;
    const float **target; /* [targets] */
} spf_desk;

/* The memory that a tree grows in. */
typedef struct spf_tree_desk {
    atomic_int taken;
    spf_boosted_tree tree;
    uint8_t *seen;  /* [rows]: whether the tree is grown on them */
    uint64_t *keys; /* for refitted leaves, and the next two */
    float *residual, *weight;
} spf_tree_desk;

typedef struct spf_booster {
    const spf_settings *settings;
    const sporf_hooks *hooks;
    const spf_boost_valid *valid;
    const sporf_forest *given; /* its rounds come first; NULL for none */
    spf_boost_loss loss;
    spf_binned features;
    spf_round_features chosen;
    spf_sums sums;
    spf_tree_rules rules;
    int8_t *monotone;
    float *scale, *weight;
    const float **target;
    spf_scored_table table, other; /* the training table, and the one to stop by */
    size_t bags_count, outputs, chunk_rows, chunks, valid_chunks;
    spf_booster_bag *bags;
    spf_desk *desks;           /* [workers]: for chunks of rows */
    spf_desk users;            /* for a user's loss: for all rows */
    spf_tree_desk *tree_desks; /* [trees_at_once] */
    size_t trees_at_once;
    uint64_t **scratch; /* [workers]: see spf_tree_rules */
    unsigned workers;
    double *base;
    spf_tree *trees; /* [rounds x bags x outputs] */
    size_t trees_count, trees_capacity;
    size_t valid_rows; /* that are held out, over all bags */
    double train_weight, valid_weight;
    double *train_losses, *valid_losses; /* [rounds] */
    size_t tried, best, round;
    size_t fell; /* the last round in which the held-out loss was clearly smaller than before */
} spf_booster;

/* settings, hooks, valid and given are set. Release it also if this fails. */
sporf_status spf_booster_prepare(spf_booster *booster);
void spf_booster_release(spf_booster *booster);

/* Derives the loss at the scores so far; *mean is the loss. */
sporf_status spf_booster_derive(spf_booster *booster, spf_pool *pool, unsigned worker,
                                spf_mean_losses *mean);

/* Grows the trees of a round, [bags x outputs], and adds their leaves to the scores. */
sporf_status spf_booster_grow(spf_booster *booster, spf_pool *pool, unsigned worker,
                              spf_tree *trees);

/* Adds the leaves of a tree to the scores of the table to stop by. */
void spf_booster_add_valid(const spf_booster *booster, spf_booster_bag *bag, size_t output,
                           const spf_tree *tree);

/* Notes the losses after a round. */
void spf_booster_note(spf_booster *booster, double train, double valid);

/* Takes over the rounds of the given model, as if they had been grown again; then, once the loss is
 * derived, whether it is the one that the model has. */
sporf_status spf_booster_replay(spf_booster *booster, spf_pool *pool, unsigned worker);
sporf_status spf_booster_check_replay(const spf_booster *booster, const spf_mean_losses *mean);

static inline int spf_booster_is_late(const spf_booster *booster) {
    int64_t deadline = booster->settings->deadline;
    return deadline > 0 && spf_system_clock() >= deadline;
}

/* Raises an error if the interrupt hook says so, or if time is up and there is a round. */
static inline sporf_status spf_booster_check(const spf_booster *booster) {
    const sporf_hooks *hooks = booster->hooks;
    if (hooks->interrupt && hooks->interrupt(hooks->payload))
        return spf_raise(SPORF_ERROR_CANCELLED, "training was interrupted");
    if (booster->best > 0 && spf_booster_is_late(booster))
        return spf_raise(SPORF_ERROR_CANCELLED, "the time for training is over");
    return SPORF_OK;
}

static inline double spf_weight_at(const spf_scored_table *table, size_t row) {
    return table->weight ? table->weight[row] : 1;
}

/* Trees of a round that grow side by side. */
static inline size_t spf_trees_at_once(size_t trees, unsigned workers) {
    return trees < workers ? trees : workers;
}

#endif
