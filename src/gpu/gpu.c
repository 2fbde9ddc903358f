/* The plan of a training in the words of the trainer, and its trees in those of the library. */
#include "gpu/gpu.h"

#include "base/machine_memory.h"
#include "base/parallel.h"
#include "base/portable_math.h"
#include "base/rng.h"
#include "data/schema.h"
#include "gpu/trainer.h"
#include "learn/growing/tree_rows.h"
#include "learn/outcome/outcomes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it can do -------------------------------------------------------------------------- */

static int method_of(const spf_settings *settings) {
    if (settings->method == &spf_method_sporf) return SPF_GPU_SPORF;
    if (settings->method == &spf_method_frc) return SPF_GPU_FRC;
    return settings->method == &spf_method_rf ? SPF_GPU_RF : -1;
}

static int weights_of(const spf_settings *settings) {
    switch (settings->sampling.weights) {
    case SPORF_WEIGHTS_ONE:
        return SPF_GPU_ONES;
    case SPORF_WEIGHTS_UNIFORM:
        return SPF_GPU_UNIFORM;
    case SPORF_WEIGHTS_NORMAL:
        return -1;
    default:
        return SPF_GPU_SIGNS;
    }
}

/* How many terms the candidates of a node have together, at most. */
static double terms_of(const spf_settings *settings) {
    double terms = settings->sampling.nonzeros * settings->sampling.projections;
    return method_of(settings) == SPF_GPU_RF ? settings->sampling.projections
                                             : fmax(1, spf_round_up(terms));
}

/* A thread sorts the terms of a projection. */
enum { TERMS_MAX = 1024 };

static const char *lacks(const spf_settings *settings) {
    const sporf_params *params = &settings->params;
    if (!settings->method) return "samplers of one's own";
    if (method_of(settings) < 0) return "forests of this method";
    if (settings->outcome != &spf_classification) return "regression and several labels";
    if (settings->leaf.classes > SPF_GPU_CLASSES_MAX) return "more than 32 classes";
    if (spf_schema_has_categories(&settings->data->schema)) return "categories";
    if (params->honest > 0) return "honest trees";
    if (params->split != SPORF_SPLIT_AUTO) return "exact splits of all nodes";
    if (settings->sampling.placing == SPORF_NONZEROS_POISSON) return "Poisson numbers of terms";
    if (weights_of(settings) < 0) return "normally distributed weights";
    if (settings->weights->relative && (params->min_leaf > 1 || params->min_split > 2))
        return "leaves of several rows with row weights";
    if (settings->sampling.nonzeros > TERMS_MAX) return "projections of so many features";
    if (terms_of(settings) > UINT32_MAX / 2) return "candidates of so many terms";
    return NULL;
}

/* In row-projections a second, and seconds that the device takes to start: what was measured on an
 * H200 and on cores of x86-64. */
static int is_faster(const spf_settings *settings, unsigned threads) {
    const double of_thread = 1e8, of_device = 3e10, start = 0.6;
    double rows = (double)settings->data->rows, levels = log2(rows + 2);
    double work = rows * levels * settings->sampling.projections * settings->params.trees;
    return work / (of_thread * threads) > start + work / of_device;
}

/* ---- bags ------------------------------------------------------------------------------------ */

/* Plain bootstraps are drawn on the device. */
static int are_drawn_there(const spf_plan *plan) {
    const spf_bagger *bagger = &plan->bagger;
    return bagger->kind == SPORF_BAG_BOOTSTRAP && !bagger->weights->units;
}

/* A batch of trees. */
typedef struct {
    const spf_device_work *work;
    uint32_t first, count;
    spf_tree_rows **rows; /* [count]; NULL if bags are drawn on the device */
    spf_gpu_bag *bags;    /* [count] */
    spf_gpu_size *sizes;  /* [count] */
    unsigned weight_bits; /* of the heaviest rows of all bags */
    unsigned half;        /* of the trainer, which has two batches */
} batch;

static void free_batch(batch *b) {
    for (uint32_t i = 0; b->rows && i < b->count; i++) spf_tree_rows_free(b->rows[i]);
    free(b->rows);
    free(b->bags);
    free(b->sizes);
    *b = (batch){0};
}

static sporf_status draw_bag(void *context, size_t item, unsigned worker) {
    (void)worker;
    batch *b = context;
    return spf_tree_rows_create(b->work->plan, b->first + (uint32_t)item, &b->rows[item]);
}

/* Tags of all trees have as many bits for weights. */
static sporf_status tag_bag(void *context, size_t item, unsigned worker) {
    (void)worker;
    batch *b = context;
    spf_tree_rows *s = b->rows[item];
    for (uint32_t i = 0; i < s->bag_count; i++)
        s->tag[i] = spf_bag_class(s, i) << b->weight_bits | spf_bag_weight(s, i);
    b->bags[item] = (spf_gpu_bag){.key = s->key,
                                  .least_units = s->least_units,
                                  .row = s->row,
                                  .tag = s->tag,
                                  .other = s->oob_row,
                                  .count = s->bag_count,
                                  .others = s->oob_count};
    return SPORF_OK;
}

static sporf_status make_batch(const spf_device_work *work, uint32_t first, uint32_t count,
                               batch *b) {
    *b = (batch){.work = work, .first = first, .count = count};
    b->bags = spf_alloc_zero(count, sizeof *b->bags);
    b->sizes = spf_alloc_zero(count, sizeof *b->sizes);
    if (!b->bags || !b->sizes) return spf_raise_memory();
    if (are_drawn_there(work->plan)) {
        for (uint32_t i = 0; i < count; i++)
            b->bags[i] = (spf_gpu_bag){.key = spf_tree_key(work->plan->seed, first + i),
                                       .least_units =
                                           spf_least_units(work->plan, work->plan->bagger.weight)};
        return SPORF_OK;
    }
    b->rows = spf_alloc_zero(count, sizeof *b->rows);
    if (!b->rows) return spf_raise_memory();
    SPF_TRY(spf_parallel(count, work->threads, draw_bag, b));
    for (uint32_t i = 0; i < count; i++)
        if (b->rows[i]->weight_bits > b->weight_bits) b->weight_bits = b->rows[i]->weight_bits;
    return spf_parallel(count, work->threads, tag_bag, b);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* In sums of several terms, those whose missing values are filled in name sets: see model/sets.h.
 */
static sporf_status name_fills(const spf_plan *plan, spf_tree *tree, uint32_t *feature) {
    spf_set_list sets = {0};
    sporf_status status = SPORF_OK;
    for (uint32_t i = 0; i < tree->projections_count && status == SPORF_OK; i++) {
        uint32_t from = tree->projection_start[i], to = tree->projection_start[i + 1];
        for (uint32_t t = from; to - from > 1 && t < to && status == SPORF_OK; t++) {
            uint32_t set = 0;
            if (isnan(plan->fill[feature[t]])) continue;
            status = spf_set_list_add_filled(&sets, feature[t], plan->fill[feature[t]], &set);
            feature[t] = (uint32_t)plan->data->features + set;
        }
    }
    tree->sets = spf_set_list_view(&sets);
    return status;
}

static sporf_status fetch_tree(spf_gpu_trainer *trainer, const batch *b, uint32_t number,
                               unsigned thread, spf_grown *grown) {
    const spf_plan *plan = b->work->plan;
    const spf_gpu_size *size = &b->sizes[number];
    spf_gpu_arrays to = {
        .nodes = spf_alloc(size->nodes, sizeof(spf_node)),
        .projection_start = spf_alloc(size->leaves, sizeof(uint32_t)),
        .term_feature = spf_alloc(size->terms, sizeof(uint32_t)),
        .leaf_start = spf_alloc((size_t)size->leaves + 1, sizeof(uint32_t)),
        .leaf_class = spf_alloc(size->entries, sizeof(uint32_t)),
        .term_weight = spf_alloc(size->terms, sizeof(float)),
        .leaf_weight = spf_alloc(size->entries, sizeof(float)),
        .other = spf_alloc(size->others, sizeof(uint32_t)),
        .leaf_of_other = spf_alloc(size->others, sizeof(uint32_t)),
    };
    *grown = (spf_grown){.tree = {.nodes_count = size->nodes,
                                  .projections_count = size->leaves - 1,
                                  .leaves_count = size->leaves,
                                  .nodes = to.nodes,
                                  .projection_start = to.projection_start,
                                  .term_feature = to.term_feature,
                                  .term_weight = to.term_weight,
                                  .leaf_start = to.leaf_start,
                                  .leaf_class = to.leaf_class,
                                  .leaf_weight = to.leaf_weight,
                                  .features = plan->data->features},
                         .oob_count = size->others,
                         .oob_row = to.other,
                         .oob_leaf = to.leaf_of_other};
    if (!to.nodes || !to.projection_start || !to.term_feature || !to.leaf_start || !to.leaf_class ||
        !to.term_weight || !to.leaf_weight || !to.other || !to.leaf_of_other)
        return spf_raise_memory();
    if (spf_gpu_fetch(trainer, b->half, number, thread, &to) != SPF_GPU_OK)
        return spf_raise(SPORF_ERROR_DEVICE, "the GPU failed: %s", spf_gpu_failure());
    return plan->fill ? name_fills(plan, &grown->tree, to.term_feature) : SPORF_OK;
}

enum { GROUP = 64 };

/* Some trees of a batch. */
typedef struct {
    spf_gpu_trainer *trainer;
    batch *of;
    uint32_t first;
    spf_grown grown[GROUP];
} group;

/* The rows in the bag are freed here, too: for large tables, by one thread that takes long. */
static sporf_status fetch(void *context, size_t item, unsigned worker) {
    group *g = context;
    uint32_t number = g->first + (uint32_t)item;
    SPF_TRY(fetch_tree(g->trainer, g->of, number, worker, &g->grown[item]));
    if (!g->of->rows) return SPORF_OK;
    spf_tree_rows_free(g->of->rows[number]);
    g->of->rows[number] = NULL;
    return SPORF_OK;
}

static unsigned carriers_of(const spf_device_work *work) {
    return work->threads < SPF_GPU_CARRIERS ? work->threads : SPF_GPU_CARRIERS;
}

static sporf_status hand_over_group(group *g, uint32_t count) {
    const spf_device_work *work = g->of->work;
    sporf_status status = spf_parallel(count, carriers_of(work), fetch, g);
    if (status == SPORF_OK) {
        work->done(work->context, g->of->first + g->first, g->grown, count);
        return SPORF_OK;
    }
    for (uint32_t i = 0; i < count; i++) spf_grown_free(&g->grown[i]);
    return status;
}

static sporf_status hand_over(spf_gpu_trainer *trainer, batch *b) {
    for (uint32_t first = 0; first < b->count; first += GROUP) {
        group g = {.trainer = trainer, .of = b, .first = first};
        uint32_t left = b->count - first;
        SPF_TRY(hand_over_group(&g, left < GROUP ? left : GROUP));
    }
    return SPORF_OK;
}

/* ---- growing --------------------------------------------------------------------------------- */

static sporf_status raise_result(spf_gpu_result result) {
    switch (result) {
    case SPF_GPU_OK:
        return SPORF_OK;
    case SPF_GPU_INTERRUPTED:
        return spf_raise(SPORF_ERROR_CANCELLED, "training was interrupted");
    case SPF_GPU_MEMORY:
        return spf_raise(SPORF_ERROR_DEVICE,
                         "the GPU does not have enough memory for this training");
    case SPF_GPU_TOO_CLOSE:
        return spf_raise(SPORF_ERROR_DEVICE,
                         "values are so close to each other that the GPU cannot tell them apart");
    default:
        return spf_raise(SPORF_ERROR_DEVICE, "the GPU failed: %s", spf_gpu_failure());
    }
}

static spf_gpu_setup setup_of(const spf_device_work *work) {
    const spf_settings *settings = work->settings;
    const spf_plan *plan = work->plan;
    return (spf_gpu_setup){
        .rows = plan->data->rows,
        .features = plan->data->features,
        .whole = plan->whole,
        .has_missing = plan->has_missing,
        .fill = plan->fill,
        .scale = plan->scale,
        .method = method_of(settings),
        .weights = weights_of(settings),
        .projections = settings->sampling.projections,
        .terms = (uint32_t)terms_of(settings),
        .of_each = (uint32_t)settings->sampling.nonzeros,
        .classes = (uint32_t)plan->outcome.classes,
        .entropy = plan->criterion->logarithms,
        .xlogx = plan->xlogx.table,
        .xlogx_size = plan->xlogx.size,
        .xlogx_unit = plan->xlogx.unit,
        .max_depth = plan->max_depth,
        .min_split = plan->min_split,
        .min_leaf = plan->min_leaf,
        .relative = plan->bagger.weights->relative,
        .labels = plan->outcome.labels,
        .draws = are_drawn_there(plan) ? (uint32_t)plan->bagger.weight : 0,
    };
}

typedef struct {
    spf_gpu_trainer *trainer;
    const spf_device_work *work;
    uint32_t first, count; /* trees to grow now */
    batch growing, grown;
    int lacks_memory; /* for so many beside those grown: none of them is done */
} growth;

static sporf_status grow_batch(growth *g) {
    const spf_plan *plan = g->work->plan;
    batch *b = &g->growing;
    if (g->count == 0) return SPORF_OK;
    SPF_TRY(make_batch(g->work, g->first, g->count, b));
    spf_gpu_result result =
        spf_gpu_grow(g->trainer, b->bags, b->count, b->weight_bits, plan->interrupt,
                     plan->interrupt_payload, b->sizes, &b->half);
    g->lacks_memory = result == SPF_GPU_MEMORY && (b->count > 1 || g->grown.count > 0);
    return g->lacks_memory ? SPORF_OK : raise_result(result);
}

static sporf_status take_turn(void *context, size_t item, unsigned worker) {
    (void)worker;
    growth *g = context;
    return item == 0 ? hand_over(g->trainer, &g->grown) : grow_batch(g);
}

/* A batch grows while the one before is handed over. */
static sporf_status grow_and_hand_over(growth *g) {
    g->lacks_memory = 0;
    sporf_status status = spf_parallel(2, g->work->threads, take_turn, g);
    free_batch(&g->grown);
    if (status != SPORF_OK || g->lacks_memory) {
        free_batch(&g->growing);
    } else {
        g->grown = g->growing;
        g->growing = (batch){0};
    }
    return status;
}

/* Trees that grow at once: no more than the memory of the device and, if bags are drawn here, a
 * part of that of the machine allows. A batch that is interrupted is lost, so that it is small if
 * the training may end early. */
static size_t trees_at_once(const spf_gpu_trainer *trainer, const spf_device_work *work) {
    enum {
        MOST = 256,
        UNTIL_ENOUGH = 32,
        UNTIL_DEADLINE = 8,
        MACHINE_PARTS = 16, /* there are two batches */
        BYTES_OF_ROW = 24
    };
    const spf_settings *settings = work->settings;
    spf_bag_size expected = spf_bag_expected(settings->classes, settings->weights,
                                             settings->params.bag, settings->params.bag_fraction);
    size_t most = spf_gpu_trees_at_once(trainer, (size_t)expected.rows + 1), here = MOST;
    if (!are_drawn_there(work->plan))
        here = (size_t)spf_machine_memory() / MACHINE_PARTS / (BYTES_OF_ROW * settings->data->rows);
    if (here > MOST) here = MOST;
    if (settings->until_enough && here > UNTIL_ENOUGH) here = UNTIL_ENOUGH;
    if (settings->deadline > 0 && here > UNTIL_DEADLINE) here = UNTIL_DEADLINE;
    if (here < 1) here = 1;
    return most < here ? most : here;
}

static sporf_status grow_all(spf_gpu_trainer *trainer, const spf_device_work *work) {
    growth g = {.trainer = trainer, .work = work, .first = work->first};
    const uint32_t end = work->first + work->count;
    size_t most = trees_at_once(trainer, work);
    if (most == 0) return raise_result(SPF_GPU_MEMORY);
    while (g.first < end || g.grown.count > 0) {
        g.count = end - g.first < most ? end - g.first : (uint32_t)most;
        SPF_TRY(grow_and_hand_over(&g));
        if (g.lacks_memory) {
            spf_gpu_trim(trainer);
            most = g.count > 1 ? g.count / 2 : 1;
        } else {
            g.first += g.count;
        }
    }
    return SPORF_OK;
}

typedef struct {
    spf_gpu_trainer *trainer;
    const spf_plan *plan;
} loading;

static sporf_status load_piece(void *context, size_t item, unsigned worker) {
    const loading *l = context;
    SPF_TRY(spf_check_interrupt(l->plan));
    return raise_result(spf_gpu_load(l->trainer, l->plan->data->columns, item, worker));
}

static sporf_status load(spf_gpu_trainer *trainer, const spf_device_work *work) {
    loading l = {trainer, work->plan};
    size_t values = l.plan->data->rows * l.plan->data->features;
    size_t pieces = (values + SPF_GPU_PIECE - 1) / SPF_GPU_PIECE;
    return spf_parallel(pieces, carriers_of(work), load_piece, &l);
}

static sporf_status grow(const spf_device_work *work) {
    spf_gpu_setup setup = setup_of(work);
    spf_gpu_trainer *trainer;
    SPF_TRY(raise_result(spf_gpu_create(&setup, &trainer)));
    sporf_status status = load(trainer, work);
    if (status == SPORF_OK) status = grow_all(trainer, work);
    spf_gpu_free(trainer);
    return status;
}

const spf_device *spf_gpu(const char **why) {
    static const spf_device gpu = {lacks, is_faster, grow};
    return spf_gpu_is_there(why) ? &gpu : NULL;
}
