/* Rounds of a given model: all rows walk down its trees. */
#include "learn/boosting/booster.h"

#include "model/unpack.h"

#include <math.h>
#include <string.h>

static sporf_status raise_other_data(void) {
    return spf_raise(SPORF_ERROR_DATA,
                     "the losses of the model's rounds are not those of these rows" SPF_HINT
                     "give the data that it was trained on, rows in the same order, and the same "
                     "rows to stop by");
}

/* Adds the leaves of a tree to the scores of all rows. */
static void replay_tree(const spf_booster *b, spf_booster_bag *own, size_t output,
                        const spf_tree *tree) {
    const float *const *columns = (const float *const *)b->settings->data->columns;
    for (size_t i = 0; i < b->table.rows; i++)
        own->scores[i * b->outputs + output] +=
            tree->leaf_value[spf_tree_walk_columns(tree, columns, i)];
    spf_booster_add_valid(b, own, output, tree);
}

/* All trees of one output of a bag, in order. */
static sporf_status replay_item(void *context, size_t item, unsigned worker) {
    (void)worker;
    spf_booster *b = context;
    size_t each = b->bags_count * b->outputs;
    for (size_t t = item; t < b->trees_count; t += each) {
        SPF_TRY(spf_booster_check(b));
        SPF_TRY(spf_unpack_tree(b->given, t, &b->trees[t]));
        replay_tree(b, &b->bags[item / b->outputs], item % b->outputs, &b->trees[t]);
    }
    return SPORF_OK;
}

/* Takes over the rounds of the given model, as if they had been grown again. */
sporf_status spf_booster_replay(spf_booster *b, spf_pool *pool, unsigned worker) {
    const spf_boosting *from = &b->given->boosting;
    size_t rounds = spf_boosting_rounds(b->given), each = b->bags_count * b->outputs;
    if (from->outputs != b->outputs || from->bags != b->bags_count ||
        (from->valid_rows > 0) != (b->valid_rows > 0))
        return raise_other_data();
    SPF_TRY(SPF_RESERVE(b->trees, b->trees_capacity, b->given->trees_count));
    memset(b->trees, 0, b->given->trees_count * sizeof *b->trees);
    b->trees_count = b->given->trees_count;
    SPF_TRY(spf_pool_for(pool, worker, each, replay_item, b));
    for (size_t i = 0; i < rounds; i++)
        spf_booster_note(b, from->losses[i],
                         b->valid_rows > 0 ? from->losses[from->tried + i] : NAN);
    return SPORF_OK;
}

/* The same rows have the same loss, in every bit. */
sporf_status spf_booster_check_replay(const spf_booster *b, const spf_mean_losses *mean) {
    int same = mean->train == b->train_losses[b->tried - 1] &&
               (b->valid_rows == 0 || mean->valid == b->valid_losses[b->tried - 1]);
    return same ? SPORF_OK : raise_other_data();
}
