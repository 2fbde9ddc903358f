/* One tree: its rows, its leaves, and the scores after it. */
#include "learn/boosting/booster.h"

#include "base/portable_math.h"

#include <math.h>
#include <string.h>

/* The rows that a tree is grown on: all outputs of a bag share them. */
static size_t choose_rows(const spf_booster *b, size_t number, uint32_t *rows) {
    const sporf_params *params = &b->settings->params;
    uint64_t key = spf_tree_key(params->seed, (uint32_t)b->round);
    sporf_random random = spf_random_start(key, number, SPF_USE_SUBSAMPLE);
    const uint8_t *held = b->bags[number].held;
    size_t count = 0;
    for (size_t i = 0; i < b->table.rows; i++) {
        int taken = params->subsample == 1 || spf_random_uniform(&random) < params->subsample;
        rows[count] = (uint32_t)i;
        count += taken && !(held && held[i]) && spf_weight_at(&b->table, i) > 0;
    }
    return count;
}

/* The quantile of what is left of the target in a node. */
static double refit_node(const spf_booster *b, const spf_tree_desk *desk,
                         const spf_booster_bag *own, size_t output, const spf_grown_node *node) {
    const uint32_t *rows = desk->tree.rows + node->begin;
    size_t count = node->end - node->begin;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = rows[i];
        desk->residual[i] =
            (float)(b->table.target[output][row] - own->scores[row * b->outputs + output]);
        desk->weight[i] = (float)spf_weight_at(&b->table, row);
    }
    return spf_boost_loss_refit(&b->loss, desk->residual, desk->weight, count, desk->keys);
}

/* Trees grow with bounds in units of derivatives; leaves that are refitted need those of what is
 * left of the target. Parents come before their children. */
static void refit_bounds(const spf_booster *b, const spf_tree_desk *desk,
                         const spf_booster_bag *own, size_t output) {
    const spf_boosted_tree *tree = &desk->tree;
    for (size_t n = 0; n < tree->nodes_count; n++) {
        const spf_grown_node *node = &tree->nodes[n];
        if (node->left == 0) continue;
        spf_boosted_tree_bound(tree, node,
                               refit_node(b, desk, own, output, &tree->nodes[node->left]),
                               refit_node(b, desk, own, output, &tree->nodes[node->right]));
    }
}

/* Newton's step for a logarithm is a share of the mean, which may rise a thousandfold: its
 * logarithm reaches the mean of the leaf where the step itself would pass it by far. Steps down are
 * above -1.
 */
static double rising_step(double step) {
    return step > 0 ? spf_log(1 + step) : step;
}

/* Newton's step, shortened by the rate. Sums are of the derivatives themselves, in the order of
 * rows. */
static void value_leaf(const spf_booster *b, spf_tree_desk *desk, const spf_booster_bag *own,
                       size_t output, spf_grown_node *leaf) {
    const sporf_params *params = &b->settings->params;
    const float *gradient = own->gradient + output * b->table.rows;
    const float *hessian = own->hessian + output * b->table.rows;
    const uint32_t *rows = desk->tree.rows + leaf->begin;
    size_t count = leaf->end - leaf->begin;
    double g = 0, h = 0;
    for (size_t i = 0; i < count; i++) {
        g += gradient[rows[i]];
        h += hessian[rows[i]];
    }
    double value = -g / (fmax(h, SPF_LEAST_HESSIAN) + params->l2);
    if (!isnan(b->loss.refit)) value = refit_node(b, desk, own, output, leaf);
    value = fmin(fmax(value, leaf->low), leaf->high);
    if (b->loss.link == SPF_LINK_LOG) value = rising_step(value);
    leaf->hessian = h;
    leaf->value = (float)(params->rate * value);
}

/* Rows of the tree by leaf, others by their bins. */
static void add_scores(const spf_booster *b, const spf_tree_desk *desk, spf_booster_bag *own,
                       size_t output) {
    const spf_boosted_tree *tree = &desk->tree;
    double *scores = own->scores + output;
    for (size_t n = 0; n < tree->nodes_count; n++) {
        const spf_grown_node *node = &tree->nodes[n];
        for (size_t i = node->begin; node->left == 0 && i < node->end; i++)
            scores[tree->rows[i] * b->outputs] += node->value;
    }
    if (tree->rows_count == b->table.rows) return;
    for (size_t row = 0; row < b->table.rows; row++)
        if (!desk->seen[row])
            scores[row * b->outputs] +=
                tree->nodes[spf_boosted_tree_leaf(tree, (uint32_t)row)].value;
}

void spf_booster_add_valid(const spf_booster *b, spf_booster_bag *own, size_t output,
                           const spf_tree *tree) {
    for (size_t i = 0; i < b->valid->rows; i++)
        own->valid_scores[i * b->outputs + output] +=
            tree->leaf_value[spf_tree_walk_columns(tree, b->valid->columns, i)];
}

typedef struct {
    spf_booster *boosting;
    spf_pool *pool;
    spf_tree *trees; /* [bags x outputs]: of this round */
} round_job;

/* Scores must stay finite, as in a model file. */
static sporf_status value_leaves(const spf_booster *b, spf_tree_desk *desk,
                                 const spf_booster_bag *own, size_t output) {
    spf_boosted_tree *tree = &desk->tree;
    if (b->monotone && !isnan(b->loss.refit)) refit_bounds(b, desk, own, output);
    for (size_t n = 0; n < tree->nodes_count; n++) {
        spf_grown_node *node = &tree->nodes[n];
        if (node->left != 0) continue;
        value_leaf(b, desk, own, output, node);
        if (!isfinite(node->value) || !isfinite((float)node->hessian))
            return spf_raise(SPORF_ERROR_DATA,
                             "a leaf of round %zu has no finite value" SPF_HINT
                             "raise " SPF_OPTION("l2") ", or lower the " SPF_OPTION("rate"),
                             b->round + 1);
    }
    return SPORF_OK;
}

static sporf_status grow_tree(const round_job *job, size_t number, size_t output,
                              spf_tree_desk *desk, unsigned worker, spf_tree *out) {
    spf_booster *b = job->boosting;
    spf_booster_bag *own = &b->bags[number];
    spf_boosted_tree *tree = &desk->tree;
    tree->rows_count = choose_rows(b, number, tree->rows);
    spf_gradients_fill(&tree->gradients, own->gradient + output * b->table.rows,
                       own->hessian + output * b->table.rows, tree->rows, tree->rows_count);
    memset(desk->seen, 0, b->table.rows);
    for (size_t i = 0; i < tree->rows_count; i++) desk->seen[tree->rows[i]] = 1;
    SPF_TRY(spf_boosted_tree_grow(tree, job->pool, worker));
    SPF_TRY(value_leaves(b, desk, own, output));
    add_scores(b, desk, own, output);
    SPF_TRY(spf_boosted_tree_finish(tree, out));
    spf_booster_add_valid(b, own, output, out);
    return SPORF_OK;
}

/* One that no other thread has: there are as many as trees that grow at the same time. */
static spf_tree_desk *take_desk(spf_booster *b) {
    for (size_t i = 0;; i = i + 1 < b->trees_at_once ? i + 1 : 0)
        if (!atomic_exchange(&b->tree_desks[i].taken, 1)) return &b->tree_desks[i];
}

static sporf_status grow_item(void *context, size_t item, unsigned worker) {
    const round_job *job = context;
    spf_booster *b = job->boosting;
    SPF_TRY(spf_booster_check(b));
    spf_tree_desk *desk = take_desk(b);
    sporf_status status =
        grow_tree(job, item / b->outputs, item % b->outputs, desk, worker, &job->trees[item]);
    atomic_store(&desk->taken, 0);
    return status;
}

sporf_status spf_booster_grow(spf_booster *b, spf_pool *pool, unsigned worker, spf_tree *trees) {
    round_job job = {b, pool, trees};
    return spf_pool_for(pool, worker, b->bags_count * b->outputs, grow_item, &job);
}
