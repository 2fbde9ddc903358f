/* Bags depend on the seed and the number of the tree alone, so that they can be drawn again. */
#include "learn/replay/bag_counts.h"

typedef struct {
    const spf_oob_replay *replay;
    uint32_t *counts; /* [trees x rows] */
} counting;

static sporf_status count_tree(void *context, uint32_t tree, const spf_grown *grown,
                               unsigned worker) {
    (void)grown;
    (void)worker;
    const counting *c = context;
    const spf_plan *plan = &c->replay->plan;
    spf_bagger_draw_tree(&plan->bagger, spf_tree_key(plan->seed, tree),
                         c->counts + tree * plan->data->rows);
    return SPORF_OK;
}

sporf_status spf_bag_counts(const spf_oob_replay *replay, uint32_t *counts) {
    counting c = {.replay = replay, .counts = counts};
    return spf_oob_replay_trees(replay, count_tree, NULL, &c);
}
