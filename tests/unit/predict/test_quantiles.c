/* Quantiles and prediction intervals.
 * Labels: threads */
#include "base/rng.h"
#include "data/dataset.h"
#include "model/samples.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_data.h"
#include "support/tmpfile.h"
#include "support/wanted.h"

enum { LEVELS = 9 };
static const double levels[LEVELS] = {0.5, 0, 1, 0.05, 0.95, 0.25, 0.5, 0.1, 0.999};

/* ---- the plain twin -------------------------------------------------------------------------- */

/* A training value that counts for a row, and how much. */
typedef struct {
    double value, weight;
} sample;

static int by_value(const void *a, const void *b) {
    double x = ((const sample *)a)->value, y = ((const sample *)b)->value;
    return (x > y) - (x < y);
}

/* The definition: the first value that a share q of the weight lies up to. */
static double quantile_of(const sample *sorted, size_t count, double q) {
    double all = 0, sum = 0;
    for (size_t i = 0; i < count; i++) all += sorted[i].weight;
    for (size_t i = 0; i + 1 < count; i++) {
        sum += sorted[i].weight;
        if (sum >= (q - 1e-9) * all) return sorted[i].value;
    }
    return sorted[count - 1].value;
}

/* Bags and leaves of the training rows, by walking all of them. */
typedef struct {
    const sporf_dataset *data;
    const sporf_forest *forest;
    uint32_t *bag, *leaf; /* [trees x rows] */
} twin;

static twin make_twin(const sporf_dataset *data, sporf_params params, const sporf_forest *forest) {
    size_t trees = sporf_forest_trees(forest);
    twin t = {data, forest, need(trees * data->rows, 4), need(trees * data->rows, 4)};
    forest_case c = {data, params};
    if (c.params.bag == SPORF_BAG_AUTO) c.params.bag = SPORF_BAG_BOOTSTRAP;
    for (size_t n = 0; n < trees; n++) {
        bag_of_tree(&c, (uint32_t)n, t.bag + n * data->rows);
        for (size_t i = 0; i < data->rows; i++)
            t.leaf[n * data->rows + i] =
                spf_tree_walk_columns(plain_tree(forest, n), data->columns, i);
    }
    return t;
}

static void free_twin(twin *t) {
    free(t->bag);
    free(t->leaf);
}

/* The samples of one row of the training data in one tree; each tree weighs 1. */
static size_t samples_of_tree(const twin *t, size_t tree, size_t row, size_t target, sample *out) {
    const uint32_t *bag = t->bag + tree * t->data->rows, *leaf = t->leaf + tree * t->data->rows;
    double all = 0;
    size_t count = 0;
    for (size_t i = 0; i < t->data->rows; i++)
        if (leaf[i] == leaf[row]) all += bag[i];
    for (size_t i = 0; i < t->data->rows; i++)
        if (leaf[i] == leaf[row] && bag[i] > 0)
            out[count++] = (sample){spf_target_of(t->data, target)[i], bag[i] / all};
    return count;
}

static void check_against_twin(const twin *t) {
    size_t targets = t->data->targets, rows = t->data->rows;
    size_t trees = sporf_forest_trees(t->forest);
    double *values = need(rows * targets * LEVELS, sizeof *values);
    sample *samples = need(trees * rows, sizeof *samples);
    assert_ok(sporf_forest_predict(
        t->forest, t->data, NULL,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = values)));
    for (size_t i = 0; i < rows; i += 3)
        for (size_t k = 0; k < targets; k++) {
            size_t count = 0;
            for (size_t n = 0; n < trees; n++)
                count += samples_of_tree(t, n, i, k, samples + count);
            qsort(samples, count, sizeof *samples, by_value);
            for (size_t q = 0; q < LEVELS; q++)
                assert_near(values[(i * targets + k) * LEVELS + q],
                            quantile_of(samples, count, levels[q]), 0);
        }
    free(values);
    free(samples);
}

static void quantiles_are_those_of_the_training_rows_in_the_leaves(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_BYTES, DATA_MIXED};
    static const char *const least[] = {"1", "5"};
    static const char *const bags[] = {"bootstrap", "subsample", "none"};
    for (size_t k = 0; k < 4; k++)
        for (size_t c = 0; c < 6; c++) {
            sporf_dataset *data = with_targets(kinds[k], 150, 4, 1 + c % 2, k + 1);
            sporf_params params = params_with("trees", "20", "min-leaf", least[c % 2], "bag",
                                              bags[c / 2], (char *)NULL);
            sporf_forest *forest = NULL;
            assert_ok(sporf_forest_train(data, &params, NULL, &forest));
            twin t = make_twin(data, params, forest);
            check_against_twin(&t);
            free_twin(&t);
            sporf_forest_free(forest);
            sporf_dataset_free(data);
        }
}

/* ---- laws ------------------------------------------------------------------------------------ */

static double mean_of(const spf_samples *samples) {
    double sum = 0, all = 0;
    for (size_t i = 0; i < samples->count; i++) {
        double weight = samples->weight ? samples->weight[i] : 1;
        sum += weight * samples->value[i];
        all += weight;
    }
    return sum / all;
}

/* Also where a leaf that no row was left for answers with the rows of an ancestor. */
static void the_mean_of_a_leafs_samples_is_what_it_predicts(void **state) {
    (void)state;
    static const char *const shares[] = {"0", "0.2", "0.5", "0.9"};
    size_t several = 0;
    for (size_t h = 0; h < 4; h++) {
        sporf_dataset *data = with_targets(DATA_MIXED, 300, 4, 1, h + 1);
        sporf_forest *forest = train_with(data, "trees", "10", "honest", shares[h], (char *)NULL);
        for (size_t n = 0; n < 10; n++) {
            const spf_tree *tree = plain_tree(forest, n);
            for (uint32_t leaf = 0; leaf < tree->leaves_count; leaf++) {
                spf_samples samples = spf_tree_samples(tree, 1, leaf);
                assert_near(mean_of(&samples), tree->leaf_value[leaf], 1e-5);
                several += samples.count > 1;
            }
        }
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
    assert_true(several > 1000);
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void one_leaf_gives_the_quantiles_of_the_table(void **state) {
    (void)state;
    enum { ROWS = 40 };
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 5);
    sporf_forest *forest =
        train_with(data, "trees", "3", "bag", "none", "min-split", "1000", (char *)NULL);
    double sorted[ROWS], *values = need(ROWS * (ROWS + 1), sizeof *values), q[ROWS + 1];
    for (size_t i = 0; i < ROWS; i++) sorted[i] = data->target_storage[i];
    qsort(sorted, ROWS, sizeof *sorted, by_number);
    for (size_t i = 0; i <= ROWS; i++) q[i] = (double)i / ROWS;
    assert_ok(sporf_forest_predict(
        forest, data, NULL,
        WANTED(.quantiles = q, .quantiles_count = ROWS + 1, .quantile_values = values)));
    for (size_t i = 0; i <= ROWS; i++) assert_near(values[i], sorted[i > 0 ? i - 1 : 0], 0);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(values);
}

static void quantiles_ascend_and_stay_between_the_least_and_the_largest_value(void **state) {
    (void)state;
    enum { STEPS = 51 };
    sporf_dataset *data = with_targets(DATA_MIXED, 200, 5, 2, 4);
    sporf_forest *forest = train_with(data, "trees", "30", "min-leaf", "3", (char *)NULL);
    double q[STEPS], *values = need(data->rows * 2 * STEPS, sizeof *values);
    for (size_t i = 0; i < STEPS; i++) q[i] = (double)i / (STEPS - 1);
    assert_ok(sporf_forest_predict(
        forest, data, NULL,
        WANTED(.quantiles = q, .quantiles_count = STEPS, .quantile_values = values)));
    for (size_t t = 0; t < 2; t++) {
        double sorted[200];
        for (size_t i = 0; i < data->rows; i++) sorted[i] = spf_target_of(data, t)[i];
        qsort(sorted, data->rows, sizeof *sorted, by_number);
        for (size_t i = 0; i < data->rows; i++) {
            const double *own = values + (i * 2 + t) * STEPS;
            assert_true(own[0] >= sorted[0] && own[STEPS - 1] <= sorted[data->rows - 1]);
            for (size_t k = 1; k < STEPS; k++) assert_true(own[k] >= own[k - 1]);
        }
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(values);
}

static void weights_count_like_repeated_rows(void **state) {
    (void)state;
    enum { ROWS = 60 };
    sporf_dataset *data = with_targets(DATA_TIED, ROWS, 3, 1, 9), *more = NULL;
    double weights[ROWS], a[ROWS * LEVELS], b[ROWS * LEVELS];
    float *values = need(3 * 3 * ROWS, sizeof *values), *targets = need(3 * ROWS, sizeof *targets);
    size_t rows = 0;
    for (size_t i = 0; i < ROWS; i++) {
        weights[i] = (double)(i % 4);
        for (size_t k = 0; k < i % 4; k++, rows++) {
            for (size_t j = 0; j < 3; j++) values[rows * 3 + j] = data->columns[j][i];
            targets[rows] = data->target_storage[i];
        }
    }
    sporf_matrix matrix = {values, SPORF_FLOAT32, rows, 3, 3, 1};
    assert_ok(sporf_dataset_from_matrix(&matrix, &more));
    set_targets(more, targets, 1);
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    const char *const how[] = {"trees", "5", "bag", "none", "split", "exact", "min-leaf", "7"};
    sporf_forest *weighted = train_with(data, how[0], how[1], how[2], how[3], how[4], how[5],
                                        how[6], how[7], "weight-is", "count", (char *)NULL);
    sporf_forest *repeated = train_with(more, how[0], how[1], how[2], how[3], how[4], how[5],
                                        how[6], how[7], (char *)NULL);
    assert_ok(sporf_forest_predict(
        weighted, data, NULL,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = a)));
    assert_ok(sporf_forest_predict(
        repeated, data, NULL,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = b)));
    assert_memory_equal(a, b, sizeof a);
    sporf_forest_free(weighted);
    sporf_forest_free(repeated);
    sporf_dataset_free(data);
    sporf_dataset_free(more);
    free(values);
    free(targets);
}

static void fractions_of_weights_are_allowed(void **state) {
    (void)state;
    enum { ROWS = 200 };
    static const char *const bags[] = {"bootstrap", "subsample", "none"};
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 4, 1, 2);
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = (double)(i % 7) / 3;
    assert_ok(sporf_dataset_set_weights(data, weights, ROWS));
    for (size_t b = 0; b < 3; b++) {
        sporf_params params =
            params_with("trees", "15", "min-leaf", "4", "bag", bags[b], (char *)NULL);
        sporf_forest *forest = NULL;
        assert_ok(sporf_forest_train(data, &params, NULL, &forest));
        twin t = make_twin(data, params, forest);
        check_against_twin(&t);
        free_twin(&t);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* Enough rows for several pieces and threads. */
static void threads_and_blocks_change_nothing(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 700, 5, 1, 3);
    sporf_forest *forest = train_with(data, "trees", "25", "min-leaf", "2", (char *)NULL);
    double *one = need(700 * LEVELS, sizeof *one), *many = need(700 * LEVELS, sizeof *many);
    sporf_predict_options options;
    sporf_predict_options_init(&options);
    options.threads = 1;
    assert_ok(sporf_forest_predict(
        forest, data, &options,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = one)));
    options.threads = 7;
    assert_ok(sporf_forest_predict(
        forest, data, &options,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = many)));
    assert_memory_equal(one, many, 700 * LEVELS * sizeof *one);
    assert_ok(sporf_forest_predict(
        forest, data, &options,
        WANTED(.quantiles = levels, .quantiles_count = 1, .quantile_values = many)));
    for (size_t i = 0; i < 700; i++) assert_near(many[i], one[i * LEVELS], 0);
    assert_ok(sporf_forest_predict(
        forest, data, &options,
        WANTED(.quantiles = levels, .quantiles_count = 0, .quantile_values = many)));
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    free(one);
    free(many);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void assert_same_answers(const sporf_forest *a, const sporf_forest *b,
                                const sporf_dataset *data) {
    size_t cells = data->rows * data->targets;
    double *x = need(cells * LEVELS, sizeof *x), *y = need(cells * LEVELS, sizeof *y);
    assert_ok(sporf_forest_predict(
        a, data, NULL,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = x)));
    assert_ok(sporf_forest_predict(
        b, data, NULL,
        WANTED(.quantiles = levels, .quantiles_count = LEVELS, .quantile_values = y)));
    assert_memory_equal(x, y, cells * LEVELS * sizeof *x);
    assert_ok(sporf_forest_predict(a, data, NULL, WANTED(.interval = 0.9, .bounds = x)));
    assert_ok(sporf_forest_predict(b, data, NULL, WANTED(.interval = 0.9, .bounds = y)));
    assert_memory_equal(x, y, cells * 2 * sizeof *x);
    free(x);
    free(y);
}

static void models_from_files_say_the_same(void **state) {
    (void)state;
    static const char *const least[] = {"1", "4"};
    static const char *const bags[] = {"bootstrap", "none"};
    for (size_t c = 0; c < 8; c++) {
        sporf_dataset *data = with_targets(c < 4 ? DATA_MIXED : DATA_SMOOTH, 120, 4, 1 + c % 2, c);
        sporf_forest *forest = train_with(data, "trees", "12", "min-leaf", least[c / 2 % 2], "bag",
                                          bags[c / 4], (char *)NULL);
        sporf_forest *loaded = NULL, *opened = NULL;
        tmp_file file = tmp_file_name("quantiles.sporf"), again = tmp_file_name("again.sporf");
        assert_ok(sporf_forest_save(forest, file.path));
        assert_ok(sporf_forest_load(file.path, &loaded));
        assert_ok(sporf_forest_map(file.path, &opened));
        assert_same_answers(forest, loaded, data);
        assert_same_answers(forest, opened, data);
        assert_ok(sporf_forest_check(opened));
        assert_same_answers(forest, opened, data);
        assert_ok(sporf_forest_save(loaded, again.path));
        size_t size = 0, other = 0;
        char *a = tmp_file_read(&file, &size), *b = tmp_file_read(&again, &other);
        assert_int_equal(size, other);
        assert_memory_equal(a, b, size);
        free(a);
        free(b);
        tmp_file_remove(&file);
        tmp_file_remove(&again);
        sporf_forest_free(forest);
        sporf_forest_free(loaded);
        sporf_forest_free(opened);
        sporf_dataset_free(data);
    }
}

static void trees_grown_until_rows_agree_store_no_samples(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 150, 4, 1, 8);
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    assert_true(sporf_forest_has_samples(forest));
    assert_int_equal(forest->packed.samples_count, 0);
    assert_null(forest->packed.sample_end);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Of a tree that several threads grew in branches. */
static void assert_samples_have_the_leaf_means(const spf_tree *tree, size_t targets) {
    size_t own = 0;
    for (uint32_t k = 0; k < tree->leaves_count; k++) {
        spf_samples samples = spf_tree_samples(tree, targets, k);
        double weight = 0;
        for (size_t i = 0; samples.weight && i < samples.count; i++) weight += samples.weight[i];
        assert_true(samples.count == 1 || weight == tree->leaf_weight[tree->leaf_start[k]]);
        own += samples.count > 1;
        for (size_t t = 0; t < targets; t++) {
            double sum = 0;
            for (size_t i = 0; i < samples.count; i++)
                sum += samples.weight ? samples.weight[i] * samples.value[i * targets + t]
                                      : samples.value[i * targets + t];
            assert_near(sum / (samples.weight ? weight : 1), tree->leaf_value[k * targets + t],
                        1e-4);
        }
    }
    assert_true(own > tree->leaves_count / 2);
}

static void threads_of_training_change_no_byte_of_large_trees(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 9000, 12, 2, 3);
    void *bytes[2] = {0};
    size_t size[2] = {0};
    for (size_t i = 0; i < 2; i++) {
        sporf_forest *forest =
            train_with(data, "trees", "3", "min-leaf", "3", "threads", i ? "8" : "1", (char *)NULL);
        for (size_t t = 0; t < 3; t++) assert_samples_have_the_leaf_means(plain_tree(forest, t), 2);
        assert_ok(sporf_forest_save_bytes(forest, &bytes[i], &size[i]));
        sporf_forest_free(forest);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    sporf_free(bytes[0]);
    sporf_free(bytes[1]);
    sporf_dataset_free(data);
}

/* ---- without --------------------------------------------------------------------------------- */

static void samples_can_be_dropped_and_nothing_else_changes(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 200, 4, 1, 8);
    sporf_forest *with = train_with(data, "trees", "10", "min-leaf", "5", (char *)NULL);
    sporf_forest *without =
        train_with(data, "trees", "10", "min-leaf", "5", "samples", "drop", (char *)NULL);
    double *a = need(200, sizeof *a), *b = need(200, sizeof *b);
    void *bytes = NULL;
    size_t more = 0, less = 0;
    assert_ok(sporf_forest_predict(with, data, NULL, WANTED(.values = a)));
    assert_ok(sporf_forest_predict(without, data, NULL, WANTED(.values = b)));
    assert_memory_equal(a, b, 200 * sizeof *a);
    assert_ok(sporf_forest_save_bytes(with, &bytes, &more));
    sporf_free(bytes);
    assert_ok(sporf_forest_save_bytes(without, &bytes, &less));
    sporf_free(bytes);
    assert_true(less < more);
    assert_true(sporf_forest_has_samples(with) && !sporf_forest_has_samples(without));
    assert_refused(sporf_forest_predict(
                       without, data, NULL,
                       WANTED(.quantiles = levels, .quantiles_count = 1, .quantile_values = a)),
                   SPORF_ERROR_MODEL, "keeps no samples");
    assert_refused(sporf_forest_predict(without, data, NULL, WANTED(.interval = 0.9, .bounds = a)),
                   SPORF_ERROR_MODEL, "keeps no samples");
    sporf_forest_free(with);
    sporf_forest_free(without);
    sporf_dataset_free(data);
    free(a);
    free(b);
}

static void what_cannot_be_asked_is_refused(void **state) {
    (void)state;
    static const double bad[] = {-0.01, 1.01, NAN, INFINITY}, never[] = {0, 1, -1, 2, NAN};
    sporf_dataset *data = with_targets(DATA_SMOOTH, 50, 3, 1, 1);
    sporf_dataset *classes = random_data(DATA_SMOOTH, 50, 3, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", (char *)NULL);
    sporf_forest *votes = train_with(classes, "trees", "3", (char *)NULL);
    double out[100];
    sporf_quantile_scores scores;
    for (size_t i = 0; i < 4; i++)
        assert_refused(sporf_forest_predict(forest, data, NULL,
                                            WANTED(.quantiles = &bad[i], .quantiles_count = 1,
                                                   .quantile_values = out)),
                       SPORF_ERROR_ARGUMENT, "from 0 to 1");
    for (size_t i = 0; i < 5; i++)
        assert_refused(
            sporf_forest_predict(forest, data, NULL, WANTED(.interval = never[i], .bounds = out)),
            SPORF_ERROR_ARGUMENT, "above 0 and below 1");
    assert_refused(sporf_forest_predict(
                       votes, classes, NULL,
                       WANTED(.quantiles = levels, .quantiles_count = 1, .quantile_values = out)),
                   SPORF_ERROR_MODEL, "classes, not numbers");
    assert_refused(
        sporf_forest_predict(votes, classes, NULL, WANTED(.interval = 0.5, .bounds = out)),
        SPORF_ERROR_MODEL, "classes, not numbers");
    assert_refused(sporf_forest_predict(forest, data, NULL,
                                        WANTED(.quantiles_count = 1, .quantile_values = out)),
                   SPORF_ERROR_ARGUMENT, "needs");
    assert_refused(sporf_forest_predict(forest, data, NULL, WANTED(.interval = 0.5)),
                   SPORF_ERROR_ARGUMENT, "needs");
    assert_refused(sporf_forest_evaluate(forest, classes, NULL,
                                         FILLED(.quantiles = levels, .quantiles_count = 1,
                                                .quantile_scores = &scores)),
                   SPORF_ERROR_DATA, "needs targets");
    assert_false(sporf_forest_has_samples(votes));
    sporf_forest_free(forest);
    sporf_forest_free(votes);
    sporf_dataset_free(data);
    sporf_dataset_free(classes);
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* The share of samples below a row's own target, half of those equal to it, over the trees that
 * did not see it; NaN where all did. */
static double level_of(const twin *t, size_t row, size_t target, sample *samples) {
    size_t trees = sporf_forest_trees(t->forest);
    double truth = spf_target_of(t->data, target)[row], sum = 0, count = 0;
    for (size_t n = 0; n < trees; n++) {
        if (t->bag[n * t->data->rows + row] > 0) continue;
        size_t own = samples_of_tree(t, n, row, target, samples);
        for (size_t i = 0; i < own; i++)
            sum += samples[i].weight * (samples[i].value < truth    ? 1
                                        : samples[i].value == truth ? 0.5
                                                                    : 0);
        count++;
    }
    return sum / count;
}

static void levels_are_those_of_the_trees_without_the_row(void **state) {
    (void)state;
    enum { ROWS = 150 };
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED};
    for (size_t c = 0; c < 4; c++) {
        sporf_dataset *data = with_targets(kinds[c / 2], ROWS, 4, 1 + c % 2, c + 1);
        sporf_params params = params_with("trees", "30", "min-leaf", "3", (char *)NULL);
        sporf_forest *forest = NULL;
        assert_ok(sporf_forest_train(data, &params, NULL, &forest));
        twin t = make_twin(data, params, forest);
        sample *samples = need(ROWS, sizeof *samples);
        for (size_t k = 0; k < data->targets; k++) {
            double sorted[ROWS];
            size_t rows = 0;
            for (size_t i = 0; i < ROWS; i++) {
                double level = level_of(&t, i, k, samples);
                if (!isnan(level)) sorted[rows++] = level;
            }
            qsort(sorted, rows, sizeof *sorted, by_number);
            for (size_t p = 0; p < SPF_LEVELS; p++) {
                size_t rank = (p * rows + SPF_LEVELS - 2) / (SPF_LEVELS - 1);
                assert_near(forest->oob_levels[k * SPF_LEVELS + p], sorted[rank > 0 ? rank - 1 : 0],
                            1e-6);
            }
        }
        free(samples);
        free_twin(&t);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

/* The last table has more rows than levels are taken of. */
static void intervals_hold_the_share_they_promise(void **state) {
    (void)state;
    no_threads_meet(); /* in other ways than in the tests above */
    static const double shares[] = {0.5, 0.8, 0.9, 0.95};
    static const char *const problems[] = {"friedman1", "friedman2", "friedman3", "friedman3"};
    for (size_t p = 0; p < 4; p++) {
        sporf_dataset *data = simulated(problems[p], p < 3 ? 1000 : 20000, 0, 1);
        sporf_dataset *fresh = simulated(problems[p], 4000, 0, 2);
        sporf_forest *forest = train_with(data, "trees", p < 3 ? "200" : "40", "max-depth",
                                          p < 3 ? "0" : "12", (char *)NULL);
        double width = 0;
        for (size_t i = 0; i < 4; i++) {
            sporf_interval_scores scores;
            assert_ok(sporf_forest_evaluate(
                forest, fresh, NULL, FILLED(.interval = shares[i], .interval_scores = &scores)));
            assert_near(scores.coverage, shares[i], 0.04);
            assert_true(scores.width > width);
            width = scores.width;
        }
        sporf_forest_free(forest);
        sporf_dataset_free(data);
        sporf_dataset_free(fresh);
    }
}

static void without_rows_out_of_bag_intervals_are_plain_quantiles(void **state) {
    (void)state;
    enum { ROWS = 100 };
    static const double ends[] = {0.1, 0.9};
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 1, 7);
    sporf_forest *forest =
        train_with(data, "trees", "10", "bag", "none", "min-leaf", "9", (char *)NULL);
    double a[2 * ROWS], b[2 * ROWS];
    assert_null(forest->oob_levels);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.interval = 0.8, .bounds = a)));
    assert_ok(sporf_forest_predict(
        forest, data, NULL, WANTED(.quantiles = ends, .quantiles_count = 2, .quantile_values = b)));
    assert_memory_equal(a, b, sizeof a);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- evaluation ------------------------------------------------------------------------------ */

static void scores_are_those_of_the_predictions(void **state) {
    (void)state;
    enum { ROWS = 80 };
    static const double asked[] = {0.1, 0.7};
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, 3, 2, 6);
    sporf_forest *forest = train_with(data, "trees", "20", (char *)NULL);
    double values[ROWS * 4], bounds[ROWS * 4];
    sporf_quantile_scores scores[4];
    sporf_interval_scores intervals[2];
    assert_ok(sporf_forest_predict(
        forest, data, NULL,
        WANTED(.quantiles = asked, .quantiles_count = 2, .quantile_values = values)));
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.interval = 0.6, .bounds = bounds)));
    assert_ok(sporf_forest_evaluate(
        forest, data, NULL,
        FILLED(.quantiles = asked, .quantiles_count = 2, .quantile_scores = scores)));
    assert_ok(sporf_forest_evaluate(forest, data, NULL,
                                    FILLED(.interval = 0.6, .interval_scores = intervals)));
    for (size_t t = 0; t < 2; t++) {
        double inside = 0, width = 0;
        for (size_t q = 0; q < 2; q++) {
            double below = 0, loss = 0;
            for (size_t i = 0; i < ROWS; i++) {
                double miss = spf_target_of(data, t)[i] - values[i * 4 + t * 2 + q];
                below += miss <= 0;
                loss += miss > 0 ? asked[q] * miss : (asked[q] - 1) * miss;
            }
            assert_near(scores[t * 2 + q].below, below / ROWS, 1e-12);
            assert_near(scores[t * 2 + q].pinball, loss / ROWS, 1e-9);
        }
        for (size_t i = 0; i < ROWS; i++) {
            double truth = spf_target_of(data, t)[i], *own = bounds + i * 4 + t * 2;
            inside += truth >= own[0] && truth <= own[1];
            width += own[1] - own[0];
        }
        assert_near(intervals[t].coverage, inside / ROWS, 1e-12);
        assert_near(intervals[t].width, width / ROWS, 1e-9);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_training_rows_in_the_leaves),
        cmocka_unit_test(the_mean_of_a_leafs_samples_is_what_it_predicts),
        cmocka_unit_test(one_leaf_gives_the_quantiles_of_the_table),
        cmocka_unit_test(quantiles_ascend_and_stay_between_the_least_and_the_largest_value),
        cmocka_unit_test(weights_count_like_repeated_rows),
        cmocka_unit_test(fractions_of_weights_are_allowed),
        cmocka_unit_test(threads_and_blocks_change_nothing),
        cmocka_unit_test(models_from_files_say_the_same),
        cmocka_unit_test(trees_grown_until_rows_agree_store_no_samples),
        cmocka_unit_test(threads_of_training_change_no_byte_of_large_trees),
        cmocka_unit_test(samples_can_be_dropped_and_nothing_else_changes),
        cmocka_unit_test(what_cannot_be_asked_is_refused),
        cmocka_unit_test(levels_are_those_of_the_trees_without_the_row),
        cmocka_unit_test(intervals_hold_the_share_they_promise),
        cmocka_unit_test(without_rows_out_of_bag_intervals_are_plain_quantiles),
        cmocka_unit_test(scores_are_those_of_the_predictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
