/* libFuzzer target for model files. Each input is decoded as it is, and again with its checksums
 * mended so that what lies behind them is reached; and opened unread. Whatever loads must be fit
 * for use, and whatever opens must do no harm. The engine changes files by their structure, too. */
#include "io/model_file.h"
#include "io/model_format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/combine.h"
#include "model/samples.h"
#include "predict/quantiles.h"
#include "support/mutate_model.h"
#include "support/plain_tree.h"

enum { FEATURES_MAX = 1 << 16, VALUES = 5, EXTEND_ROWS = 12 };

static void require(int condition) {
    if (!condition) abort();
}

static const float *make_row(size_t features, int number) {
    static const float values[VALUES] = {0, 1, -2.5f, 1e30f, NAN};
    static float row[FEATURES_MAX];
    for (size_t i = 0; i < features; i++) row[i] = i % 3 ? values[number] : -values[number];
    return row;
}

/* Sets name levels that exist, and whoever asks for their names may have them. */
static void look_at_sets(const sporf_forest *forest) {
    for (size_t i = 0; i < sporf_forest_level_sets(forest) && i < 100; i++) {
        size_t feature = sporf_forest_level_set(forest, i).feature;
        size_t levels = sporf_schema_levels(sporf_forest_schema(forest), feature);
        require(feature < forest->features);
        require((sporf_schema_kind(sporf_forest_schema(forest), feature) == SPORF_KIND_CATEGORY) ==
                sporf_forest_level_set(forest, i).has_levels);
        for (size_t k = 0; k < levels && k < 1000; k++)
            if (sporf_forest_level_set_has(forest, i, k))
                require(sporf_schema_level_name(sporf_forest_schema(forest), feature, k) != NULL);
    }
}

static int is_fine(sporf_status status, int is_good) {
    return status == SPORF_OK || (status == SPORF_ERROR_MODEL && !is_good);
}

static void look_at_node(const sporf_forest *forest, const sporf_node *node) {
    size_t most = forest->features + sporf_forest_level_sets(forest);
    for (size_t i = 0; i < node->terms; i++)
        require(node->features[i] < most && isfinite(node->weights[i]));
    for (size_t i = 0; i < node->classes; i++)
        require(sporf_schema_class_name(sporf_forest_schema(forest), node->class_index[i]) != NULL);
    if (!node->is_leaf) return;
    int has_values = spf_leaf_width(forest) > 0;
    require((node->values != NULL) == has_values && node->class_weight[0] > 0);
    require(has_values || node->classes > 0);
}

/* What inspect, importance and export do. */
static void look_around(const sporf_forest *forest, int is_good) {
    sporf_forest_summary summary;
    sporf_ranking *ranking = NULL;
    double *importances = calloc(forest->features, sizeof *importances);
    require(importances && is_fine(sporf_forest_summarise(forest, &summary), is_good));
    for (size_t t = 0; t < sporf_forest_trees(forest); t++)
        for (size_t i = 0; i < sporf_forest_nodes(forest, t); i++) {
            sporf_node node;
            sporf_status status = sporf_forest_node(forest, t, i, &node);
            require(is_fine(status, is_good));
            if (status != SPORF_OK) break;
            look_at_node(forest, &node);
        }
    sporf_boosting boosting;
    if (sporf_forest_boosting(forest, &boosting)) require(boosting.tried >= boosting.rounds);
    const char *value = "";
    for (size_t i = 0; sporf_forest_setting_at(forest, i, &value); i++) require(value != NULL);
    /* sums of huge weights may overflow, which is told */
    require(is_fine(sporf_forest_importances(forest, importances), 0));
    require(is_fine(sporf_ranking_create(forest, 5, &ranking), 0));
    sporf_ranking_free(ranking);
    free(importances);
}

/* A forest is grown further only with the data that it was trained on, which these are not. */
static void try_to_extend(const sporf_forest *forest) {
    enum { MOST = 16 };
    float values[EXTEND_ROWS * MOST];
    int64_t labels[EXTEND_ROWS];
    sporf_dataset *data = NULL;
    sporf_forest *extended = NULL;
    sporf_params params;
    if (forest->features > MOST || forest->trees_count > MOST) return;
    for (size_t i = 0; i < EXTEND_ROWS * forest->features; i++) values[i] = (float)(i * 7 % 5);
    for (size_t i = 0; i < EXTEND_ROWS; i++) labels[i] = i % 2;
    sporf_matrix matrix = {values, SPORF_FLOAT32, EXTEND_ROWS, forest->features, 1, EXTEND_ROWS};
    require(sporf_dataset_from_matrix(&matrix, &data) == SPORF_OK);
    require(sporf_dataset_set_labels_int(data, labels, EXTEND_ROWS) == SPORF_OK);
    sporf_params_init(&params);
    sporf_status status = sporf_forest_params(forest, &params);
    params.trees = (uint32_t)forest->trees_count + 1;
    params.threads = 1;
    if (status == SPORF_OK) status = sporf_forest_extend(forest, data, &params, NULL, &extended);
    require((status == SPORF_OK) == (extended != NULL));
    sporf_forest_free(extended);
    sporf_dataset_free(data);
}

/* The packed walk against the plain one. */
static void walk(const sporf_forest *forest, const float *row) {
    double *totals = calloc(forest->classes, sizeof *totals);
    double *packed = calloc(forest->classes, sizeof *packed);
    require(totals && packed);
    for (size_t t = 0; t < forest->trees_count; t++) {
        uint32_t leaf = spf_tree_walk_row(plain_tree(forest, t), row);
        require(spf_leaf_vote(plain_tree(forest, t), leaf) < forest->classes);
        spf_leaf_add_posterior(plain_tree(forest, t), leaf, totals);
    }
    for (size_t k = 0; k < forest->classes; k++) totals[k] /= (double)forest->trees_count;
    require(spf_predict_row(
        forest, row, spf_combining_of(forest, SPORF_COMBINE_POSTERIORS, SPORF_CALIBRATE_NONE),
        packed));
    require(memcmp(packed, totals, forest->classes * sizeof *totals) == 0);
    free(packed);
    free(totals);
}

/* The same for a regression forest. */
static void walk_to_values(const sporf_forest *forest, const float *row) {
    double *values = calloc(forest->targets, sizeof *values);
    require(values && spf_predict_row(forest, row, (spf_combining){SPF_LEAF_VALUES, NULL}, values));
    for (size_t t = 0; t < forest->targets; t++) {
        double sum = 0;
        for (size_t n = 0; n < forest->trees_count; n++) {
            const spf_tree *tree = plain_tree(forest, n);
            sum += tree->leaf_value[spf_tree_walk_row(tree, row) * forest->targets + t];
        }
        require(values[t] == sum / (double)forest->trees_count);
    }
    free(values);
}

/* The same for a boosted model. */
static void walk_to_scores(const sporf_forest *forest, const float *row) {
    size_t outputs = spf_outputs(forest);
    double *values = calloc(outputs, sizeof *values), *sums = calloc(outputs, sizeof *sums);
    require(values && sums);
    for (size_t n = 0; n < forest->trees_count; n++) {
        const spf_tree *tree = plain_tree(forest, n);
        sums[n % forest->boosting.outputs] += tree->leaf_value[spf_tree_walk_row(tree, row)];
    }
    spf_boosting_finish(&forest->boosting, sums);
    require(spf_predict_row(forest, row, (spf_combining){SPF_LEAF_VALUES, NULL}, values));
    for (size_t k = 0; k < outputs; k++) require(values[k] == sums[k]);
    free(values);
    free(sums);
}

/* Quantiles of a row, and those of the plain trees: the least and the largest sample. Returns
 * whether there were any, or the samples are damaged. */
static sporf_status ask_for_quantiles(const sporf_forest *forest, const float *row, double *out) {
    static const double ends[] = {0, 1};
    const float **columns = calloc(forest->features, sizeof *columns);
    double *levels = calloc(forest->targets, 2 * sizeof *levels);
    require(columns && levels);
    for (size_t i = 0; i < forest->features; i++) columns[i] = row + i;
    for (size_t i = 0; i < 2 * forest->targets; i++) levels[i] = ends[i % 2];
    sporf_status status =
        spf_predict_quantiles(forest, &(spf_values){columns, 1, 1}, 1, levels, 2, out);
    free(columns);
    free(levels);
    return status;
}

/* The least and the largest sample of a row, among those whose weight is at least a share of their
 * leaf's. */
typedef struct {
    double low, high;
} extremes;

static void add_samples(const spf_samples *own, size_t targets, size_t target, double share,
                        extremes *e) {
    double all = 0;
    for (size_t i = 0; i < own->count; i++) all += own->weight ? own->weight[i] : 1;
    for (size_t i = 0; i < own->count; i++) {
        double value = own->value[i * targets + target];
        if ((own->weight ? own->weight[i] : 1) < share * all) continue;
        e->low = value < e->low ? value : e->low;
        e->high = value > e->high ? value : e->high;
    }
}

static extremes extremes_of(const sporf_forest *forest, const float *row, size_t target,
                            double share) {
    extremes e = {INFINITY, -INFINITY};
    for (size_t n = 0; n < forest->trees_count; n++) {
        const spf_tree *tree = plain_tree(forest, n);
        spf_samples own = spf_tree_samples(tree, forest->targets, spf_tree_walk_row(tree, row));
        add_samples(&own, forest->targets, target, share, &e);
    }
    return e;
}

/* Weights that vanish beside others, as no training makes them, may be lost to rounding. */
static void compare_quantiles(const sporf_forest *forest, const float *row) {
    double *out = calloc(forest->targets, 2 * sizeof *out);
    require(out && ask_for_quantiles(forest, row, out) == SPORF_OK);
    for (size_t t = 0; t < forest->targets; t++) {
        extremes all = extremes_of(forest, row, t, 0), heavy = extremes_of(forest, row, t, 1e-6);
        require(out[2 * t] >= all.low && out[2 * t] <= heavy.low);
        require(out[2 * t + 1] <= all.high && out[2 * t + 1] >= heavy.high);
    }
    free(out);
}

/* A forest that loads is saved and loaded again, and the second save has the bytes of the first. */
static void save_twice(const sporf_forest *forest) {
    sporf_forest *copy = NULL;
    void *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 0;
    require(spf_model_encode(forest, &first, &first_size) == SPORF_OK);
    require(spf_model_decode(first, first_size, &copy) == SPORF_OK);
    require(spf_model_encode(copy, &second, &second_size) == SPORF_OK);
    require(first_size == second_size && memcmp(first, second, first_size) == 0);
    sporf_forest_free(copy);
    free(first);
    free(second);
}

/* A part that has the first trees is a forest of these, or refused. Takes over the part. */
static void join_first_trees(sporf_forest_part *part) {
    sporf_joining *joining = NULL;
    sporf_forest *forest = NULL;
    require(sporf_joining_create(1, &joining) == SPORF_OK);
    if (sporf_joining_add(joining, part, NULL) == SPORF_OK) {
        sporf_status status = sporf_joining_end(joining, 1, &forest);
        require((status == SPORF_OK) == (forest != NULL));
    }
    sporf_joining_free(joining);
    if (forest) save_twice(forest);
    sporf_forest_free(forest);
}

/* A part that has all trees is joined to a forest, or refused. */
static void try_to_join(const void *bytes, size_t size) {
    enum { CELLS_MOST = 1 << 20 };
    sporf_forest_part *part = NULL;
    sporf_forest *forest = NULL;
    if (sporf_forest_part_load_bytes(bytes, size, &part) != SPORF_OK) return;
    sporf_forest_part_info info;
    sporf_forest_part_info_init(&info);
    require(sporf_forest_part_describe(part, &info) == SPORF_OK);
    require(info.first + (uint64_t)info.trees <= info.whole && info.rows > 0);
    const sporf_forest_part *const parts[] = {part};
    if (info.rows * size >= CELLS_MOST * (size_t)16) {
        sporf_forest_part_free(part);
        return;
    }
    sporf_status status = sporf_forest_join(parts, NULL, 1, 1, &forest);
    require((status == SPORF_OK) == (forest != NULL));
    if (forest) save_twice(forest);
    sporf_forest_free(forest);
    join_first_trees(part);
}

/* Returns whether the bytes are a model. */
static int decode(const void *bytes, size_t size) {
    sporf_forest *forest = NULL;
    sporf_status status = spf_model_decode(bytes, size, &forest);
    require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !forest));
    if (status != SPORF_OK) return 0;
    if (forest->features <= FEATURES_MAX)
        for (int i = 0; i < VALUES; i++) {
            if (spf_is_boosted(forest))
                walk_to_scores(forest, make_row(forest->features, i));
            else if (spf_is_regression(forest))
                walk_to_values(forest, make_row(forest->features, i));
            else
                walk(forest, make_row(forest->features, i));
            if (forest->keeps_samples) compare_quantiles(forest, make_row(forest->features, i));
        }
    look_at_sets(forest);
    if (forest->features <= FEATURES_MAX) look_around(forest, 1);
    try_to_extend(forest);
    try_to_join(bytes, size);
    save_twice(forest);
    sporf_forest_free(forest);
    return 1;
}

/* Predictions of a model that nobody has checked; those of a good one exist. */
static void walk_carefully(const sporf_forest *forest, int is_good) {
    double *outputs = calloc(spf_outputs(forest), sizeof *outputs);
    require(outputs != NULL);
    for (int i = 0; i < VALUES; i++)
        for (sporf_combine combine = SPORF_COMBINE_VOTES; combine <= SPORF_COMBINE_POSTERIORS;
             combine++) {
            const float *row = make_row(forest->features, i);
            require(spf_predict_row(forest, row,
                                    spf_combining_of(forest, combine, SPORF_CALIBRATE_AUTO),
                                    outputs) ||
                    !is_good);
        }
    free(outputs);
}

static void ask_carefully(const sporf_forest *forest, int is_good) {
    double *out = calloc(forest->targets, 2 * sizeof *out);
    require(out != NULL);
    for (int i = 0; i < VALUES; i++) {
        sporf_status status = ask_for_quantiles(forest, make_row(forest->features, i), out);
        require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !is_good));
    }
    free(out);
}

/* Opens the bytes as if they were mapped. */
static void open_unread(const void *bytes, size_t size, int is_good) {
    spf_model_buffer buffer = {.size = size};
    sporf_forest *forest = NULL;
    require(posix_memalign(&buffer.storage.base, MODEL_ALIGNMENT, size ? size : 1) == 0);
    memcpy(buffer.storage.base, bytes, size);
    buffer.bytes = buffer.storage.base;
    sporf_status status = spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_FRAME, "it", &forest);
    require(status == SPORF_OK || (status == SPORF_ERROR_MODEL && !is_good));
    if (status != SPORF_OK) {
        spf_model_buffer_free(&buffer);
        return;
    }
    look_at_sets(forest);
    if (forest->features <= FEATURES_MAX) look_around(forest, is_good);
    if (forest->features <= FEATURES_MAX) walk_carefully(forest, is_good);
    if (forest->features <= FEATURES_MAX && forest->keeps_samples) ask_carefully(forest, is_good);
    require((spf_model_check(forest) == SPORF_OK) == is_good);
    sporf_forest_free(forest);
}

static void try_all(const void *bytes, size_t size) {
    open_unread(bytes, size, decode(bytes, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy) return 0;
    memcpy(copy, data, size);
    try_all(copy, size);
    fix_model_checksums(copy, size);
    try_all(copy, size);
    free(copy);
    return 0;
}

#ifdef SPORF_FUZZ_ENGINE
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* One time in four bytes are changed as the engine likes, otherwise sections, once or more. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    uint64_t dice = seed;
    model m = {malloc(size ? size : 1), size};
    if (!m.bytes || !has_sections(&(model){data, size}) || roll(&dice, 4) == 0) {
        free(m.bytes);
        return LLVMFuzzerMutate(data, size, most);
    }
    memcpy(m.bytes, data, size);
    for (uint64_t n = 1 + roll(&dice, 3); n > 0; n--) mutate_model(&m, &dice);
    size_t made = m.size <= most ? m.size : 0;
    memcpy(data, m.bytes, made);
    free(m.bytes);
    return made > 0 ? made : LLVMFuzzerMutate(data, size, most);
}
#endif
