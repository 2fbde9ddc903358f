/* Importances: counted again from the training rows, and laws of what they are. */
#include "data/dataset.h"
#include "model/decrease.h"
#include "model/unpack.h"
#include "support/check.h"
#include "support/every_forest.h"
#include "support/random_forest.h"
#include "support/tmpfile.h"

static double *importances_of(const sporf_forest *forest) {
    double *importances = need(sporf_forest_features(forest), sizeof *importances);
    assert_ok(sporf_forest_importances(forest, importances));
    return importances;
}

static sporf_ranking *ranking_of(const sporf_forest *forest, size_t count) {
    sporf_ranking *ranking = NULL;
    assert_ok(sporf_ranking_create(forest, count, &ranking));
    return ranking;
}

static size_t argmin(const double *values, size_t count) {
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        if (values[i] < values[least]) least = i;
    return least;
}

/* ---- counted again --------------------------------------------------------------------------- */

enum { MOST_CLASSES = 8 };

/* Impurity times weight of some rows: of their classes, or of their first target. */
static double impurity_of(const sporf_dataset *data, const size_t *rows, size_t count) {
    double classes[MOST_CLASSES] = {0}, sum = 0, square = 0, weight = (double)count;
    for (size_t i = 0; i < count; i++) {
        double y = data->targets > 0 ? sporf_dataset_target(data, 0)[rows[i]] : 0;
        sum += y;
        square += y * y;
        if (data->targets == 0) classes[sporf_dataset_labels(data)[rows[i]]]++;
    }
    if (data->targets > 0) return square - sum * sum / weight;
    for (size_t c = 0; c < MOST_CLASSES; c++) square += classes[c] * classes[c];
    return weight - square / weight;
}

/* Sends rows down from a node, and adds what each split takes away to its only feature. */
static void recount(const sporf_dataset *data, const spf_tree *tree, uint32_t at, size_t *rows,
                    size_t count, double *importances) {
    const spf_node *node = &tree->nodes[at];
    if (node->right == 0) return;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        float value = spf_tree_project(tree, spf_split_projection(node), data->columns, rows[i]);
        if (!(value <= node->threshold)) continue;
        size_t row = rows[i];
        rows[i] = rows[left];
        rows[left++] = row;
    }
    uint32_t term = tree->term_feature[tree->projection_start[spf_split_projection(node)]];
    importances[term] += impurity_of(data, rows, count) - impurity_of(data, rows, left) -
                         impurity_of(data, rows + left, count - left);
    recount(data, tree, at + 1, rows, left, importances);
    recount(data, tree, node->right, rows + left, count - left, importances);
}

static void assert_recounted(const sporf_dataset *data, const sporf_forest *forest) {
    double *found = importances_of(forest), *wanted = need(data->features, sizeof *wanted);
    size_t *rows = need(data->rows, sizeof *rows);
    double total = 0;
    for (size_t t = 0; t < sporf_forest_trees(forest); t++) {
        spf_tree tree;
        assert_ok(spf_unpack_tree(forest, t, &tree));
        for (size_t i = 0; i < data->rows; i++) rows[i] = i;
        recount(data, &tree, 0, rows, data->rows, wanted);
        spf_tree_free(&tree);
    }
    for (size_t j = 0; j < data->features; j++) total += wanted[j];
    for (size_t j = 0; j < data->features; j++) assert_near(found[j], wanted[j] / total, 1e-5);
    free(rows);
    free(wanted);
    free(found);
}

static void a_random_forest_has_the_usual_mean_decrease(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        sporf_dataset *data =
            random_data(seed % 2 ? DATA_SMOOTH : DATA_TIED, 150, 5, 2 + seed % 4, seed);
        sporf_forest *forest = train_with(data, "method", "rf", "bag", "none", "trees", "7",
                                          seed > 3 ? "criterion" : "min-leaf",
                                          seed > 3 ? "entropy" : "3", (char *)NULL);
        assert_recounted(data, forest);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void a_forest_of_numbers_has_the_decrease_of_the_variance(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        sporf_dataset *data = with_targets(DATA_SMOOTH, 150, 4, 1, seed);
        sporf_forest *forest = train_with(data, "method", "rf", "bag", "none", "trees", "5",
                                          "min-leaf", seed % 2 ? "1" : "6", (char *)NULL);
        assert_recounted(data, forest);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

/* x1 parts 3 rows of one class and 4 of the other into 3 and 1, and 0 and 3: 24/7 becomes 3/2. x2
 * takes the rest away. */
static void a_tree_of_two_splits_is_counted_by_hand(void **state) {
    (void)state;
    static const float values[] = {0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0};
    static const int64_t labels[] = {0, 0, 0, 1, 1, 1, 1};
    const sporf_matrix matrix = {values, SPORF_FLOAT32, 7, 2, 1, 7};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 7));
    sporf_forest *forest = train_with(data, "method", "rf", "bag", "none", "trees", "1",
                                      "projections", "p", (char *)NULL);
    double *importances = importances_of(forest);
    assert_near(importances[0], 27. / 48, 1e-15);
    assert_near(importances[1], 21. / 48, 1e-15);
    free(importances);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void importances_are_shares(const forest_case *c, const sporf_forest *forest) {
    (void)c;
    double *importances = importances_of(forest), sum = 0, ranked = 0, before = 1;
    uint64_t splits = 0, all = 0;
    for (size_t j = 0; j < sporf_forest_features(forest); j++) {
        assert_true(importances[j] >= 0);
        sum += importances[j];
    }
    sporf_ranking *ranking = ranking_of(forest, SIZE_MAX);
    assert_int_equal(ranking->count, ranking->distinct);
    for (size_t i = 0; i < ranking->count; i++) {
        const sporf_ranked *line = &ranking->projections[i];
        assert_true(line->importance <= before && line->splits > 0 && line->terms > 0);
        assert_true(line->weights[0] > 0);
        before = line->importance;
        ranked += line->importance;
        splits += line->splits;
    }
    for (size_t t = 0; t < sporf_forest_trees(forest); t++)
        all += sporf_forest_nodes(forest, t) / 2;
    assert_int_equal(splits, all);
    assert_near(sum, sum > 0, 1e-12);
    assert_near(ranked, sum > 0, 1e-9);
    sporf_ranking_free(ranking);
    free(importances);
}

static void importances_of_every_forest_sum_to_1_or_0(void **state) {
    (void)state;
    for_every_forest(importances_are_shares, 3);
}

static void the_importances_of_single_features_are_those_of_their_projections(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, 6, 3, 4);
    sporf_forest *forest = train_with(data, "method", "rf", "trees", "20", (char *)NULL);
    double *importances = importances_of(forest);
    sporf_ranking *ranking = ranking_of(forest, 100);
    assert_int_equal(ranking->count, 6);
    for (size_t i = 0; i < 6; i++) {
        const sporf_ranked *line = &ranking->projections[i];
        assert_int_equal(line->terms, 1);
        assert_near(line->importance, importances[line->features[0]], 1e-12);
    }
    sporf_ranking_free(ranking);
    free(importances);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* Two features allow x1, x2, x1 + x2 and x1 - x2, in whatever units and however often. */
static void lines_that_differ_in_sign_or_scale_are_one(void **state) {
    (void)state;
    static const char *const scales[] = {"none", "sd", "range", "iqr"};
    for (size_t k = 0; k < 4; k++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, 400, 2, 4, k + 1);
        sporf_forest *forest =
            train_with(data, "trees", "30", "density", "1", "scale", scales[k], (char *)NULL);
        sporf_ranking *ranking = ranking_of(forest, 10);
        assert_true(ranking->distinct >= 2 && ranking->distinct <= 4);
        sporf_ranking_free(ranking);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

/* Both terms of x1 + x2 have the same size where they were drawn, whatever units the data have. */
static void terms_share_in_the_units_they_were_drawn_in(void **state) {
    (void)state;
    enum { ROWS = 200 };
    static float values[2 * ROWS];
    static int64_t labels[ROWS];
    sporf_random random = spf_random_start(8, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS; i++) {
        values[i] = (float)spf_random_normal(&random);
        values[ROWS + i] = 1000 * (float)spf_random_normal(&random);
        labels[i] = values[i] + values[ROWS + i] / 1000 > 0;
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 2, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    sporf_forest *forest = train_with(data, "trees", "10", "density", "1", "projections", "8",
                                      "scale", "sd", "max-depth", "1", (char *)NULL);
    double *importances = importances_of(forest);
    assert_near(importances[0], 0.5, 1e-6);
    sporf_ranking *ranking = ranking_of(forest, 1);
    assert_int_equal(ranking->projections[0].terms, 2);
    assert_near(ranking->projections[0].importance, 1, 1e-12);
    assert_true(ranking->projections[0].weights[1] < 0.002f);
    sporf_ranking_free(ranking);
    free(importances);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* All features are tried in every node, and no two cuts are equally good: draws do not matter. */
static void permuted_columns_permute_importances(void **state) {
    (void)state;
    enum { ROWS = 200, COLUMNS = 5 };
    static const size_t from[COLUMNS] = {3, 0, 4, 2, 1};
    static float values[COLUMNS * ROWS];
    sporf_dataset *data = with_targets(DATA_SMOOTH, ROWS, COLUMNS, 1, 12), *other = NULL;
    for (size_t j = 0; j < COLUMNS; j++)
        memcpy(values + j * ROWS, data->columns[from[j]], ROWS * sizeof *values);
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, COLUMNS, 1, ROWS};
    assert_ok(sporf_dataset_from_matrix(&matrix, &other));
    set_targets(other, sporf_dataset_target(data, 0), 1);
    double *found[2];
    for (int k = 0; k < 2; k++) {
        sporf_forest *forest =
            train_with(k == 0 ? data : other, "method", "rf", "bag", "none", "trees", "1",
                       "projections", "p", "min-leaf", "10", (char *)NULL);
        found[k] = importances_of(forest);
        sporf_forest_free(forest);
    }
    for (size_t j = 0; j < COLUMNS; j++) assert_near(found[1][j], found[0][from[j]], 1e-12);
    free(found[0]);
    free(found[1]);
    sporf_dataset_free(data);
    sporf_dataset_free(other);
}

/* ---- what they find -------------------------------------------------------------------------- */

static void noise_is_less_important_than_signal(void **state) {
    (void)state;
    static const char *const methods[] = {"sporf", "rf", "frc", "rr-rf", "ccf"};
    enum { ROWS = 600, COLUMNS = 5, NOISE = 2 };
    static float values[COLUMNS * ROWS];
    static int64_t labels[ROWS];
    sporf_random random = spf_random_start(5, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS; i++) {
        float sum = 0;
        for (size_t j = 0; j < COLUMNS; j++) {
            float value = values[j * ROWS + i] = (float)spf_random_normal(&random);
            sum += j == NOISE ? 0 : value;
        }
        labels[i] = sum > 0;
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, COLUMNS, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        sporf_forest *forest = train_with(data, "method", methods[m], "trees", "60", (char *)NULL);
        double *importances = importances_of(forest);
        if (argmin(importances, COLUMNS) != NOISE) fail_msg("%s", methods[m]);
        free(importances);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void early_features_lead_on_trunk(void **state) {
    (void)state;
    sporf_dataset *data = simulated("trunk", 1000, 10, 1);
    sporf_forest *forest = train_with(data, "density", "0.5", "trees", "200", (char *)NULL);
    sporf_ranking *ranking = ranking_of(forest, 10);
    size_t uses[10] = {0}, positive = 0;
    for (size_t i = 0; i < 10; i++) {
        const sporf_ranked *line = &ranking->projections[i];
        for (size_t k = 0; k < line->terms; k++) {
            uses[line->features[k]]++;
            positive += line->weights[k] > 0;
        }
        assert_true(line->terms > 1); /* sums beat single features, as in the paper's figure */
    }
    assert_true(uses[0] >= 8);
    assert_true(uses[0] + uses[1] + uses[2] > uses[7] + uses[8] + uses[9]);
    assert_true(positive >= 27);
    sporf_ranking_free(ranking);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void friedmans_noise_comes_last(void **state) {
    (void)state;
    sporf_dataset *data = simulated("friedman1", 1000, 10, 1);
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(data, NULL, NULL, &forest));
    double *importances = importances_of(forest);
    for (size_t signal = 0; signal < 5; signal++)
        for (size_t noise = 5; noise < 10; noise++)
            assert_true(importances[signal] > importances[noise]);
    free(importances);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A target of large numbers has no more to say than another. */
static void several_targets_count_alike(void **state) {
    (void)state;
    enum { ROWS = 400 };
    sporf_dataset *data = random_data(DATA_SMOOTH, ROWS, 4, 2, 3);
    static float values[2 * ROWS];
    double *found[2];
    for (int large = 0; large < 2; large++) {
        for (size_t i = 0; i < ROWS; i++) {
            values[i] = data->columns[0][i];
            values[ROWS + i] = data->columns[1][i] * (large ? 0x1p20f : 1);
        }
        set_targets(data, values, 2);
        sporf_forest *forest = train_with(data, "trees", "10", "method", "rf", (char *)NULL);
        found[large] = importances_of(forest);
        sporf_forest_free(forest);
    }
    for (size_t j = 0; j < 4; j++) assert_near(found[0][j], found[1][j], 1e-6);
    assert_near(found[0][0], found[0][1], 0.1);
    assert_true(found[0][0] > 0.35);
    free(found[0]);
    free(found[1]);
    sporf_dataset_free(data);
}

/* Categories: 0 follows the label, 1 is random. */
static void levels_count_for_their_feature(void **state) {
    (void)state;
    static const char *const methods[] = {"rf", "sporf"}, *const names[] = {"a", "b", "c", "d"};
    enum { ROWS = 300 };
    static float values[3 * ROWS];
    static int64_t labels[ROWS];
    sporf_random random = spf_random_start(2, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < 2; j++) values[j * ROWS + i] = (float)spf_random_below(&random, 4);
        values[2 * ROWS + i] = (float)spf_random_normal(&random);
        labels[i] = values[i] == 0 || values[i] == 3;
    }
    const sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, 3, 1, ROWS};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
    for (size_t j = 0; j < 2; j++)
        assert_ok(sporf_dataset_set_levels(data, j, SPORF_KIND_CATEGORY, names, 4));
    for (size_t m = 0; m < 2; m++) {
        sporf_forest *forest = train_with(data, "method", methods[m], "trees", "40", (char *)NULL);
        double *importances = importances_of(forest);
        assert_true(importances[0] > 0.5);
        sporf_ranking *ranking = ranking_of(forest, 1);
        const sporf_ranked *best = &ranking->projections[0];
        assert_true(best->features[0] >= 3);
        assert_int_equal(sporf_forest_level_set(forest, best->features[0] - 3).feature, 0);
        sporf_ranking_free(ranking);
        free(importances);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

/* Whether two terms are the same to a reader: the same feature, or a set of the same levels. */
static int reads_alike(const sporf_forest *forest, uint32_t a, uint32_t b) {
    size_t p = sporf_forest_features(forest);
    if (a < p || b < p) return a == b;
    size_t feature = sporf_forest_level_set(forest, a - p).feature;
    if (sporf_forest_level_set(forest, b - p).feature != feature ||
        sporf_forest_level_set(forest, a - p).has_levels !=
            sporf_forest_level_set(forest, b - p).has_levels)
        return 0;
    for (size_t k = 0; k < sporf_schema_levels(sporf_forest_schema(forest), feature); k++)
        if (sporf_forest_level_set_has(forest, a - p, k) !=
            sporf_forest_level_set_has(forest, b - p, k))
            return 0;
    return 1;
}

/* A category that stands alone is a set whose missing levels go to either side, and in a second try
 * of the node a level that they do not have. */
static void no_projection_is_listed_twice(void **state) {
    (void)state;
    for (int scaled = 0; scaled < 2; scaled++) {
        sporf_dataset *data = random_data(DATA_MIXED, 300, 6, 3, 7);
        sporf_forest *forest =
            train_with(data, "method", scaled ? "sporf" : "rf", "trees", "20", "projections", "p",
                       "max-depth", "4", "scale", scaled ? "sd" : "none", (char *)NULL);
        sporf_ranking *ranking = ranking_of(forest, SIZE_MAX);
        for (size_t i = 0; i < ranking->count; i++)
            for (size_t j = 0; j < i; j++) {
                const sporf_ranked *a = &ranking->projections[i];
                const sporf_ranked *b = &ranking->projections[j];
                int same = a->terms == b->terms;
                for (size_t k = 0; same && k < a->terms; k++)
                    same = reads_alike(forest, a->features[k], b->features[k]) &&
                           fabsf(a->weights[k] - b->weights[k]) <= 1e-6f * fabsf(b->weights[k]);
                assert_false(same);
            }
        sporf_ranking_free(ranking);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void fewer_are_the_first_of_all(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 300, 8, 3, 2);
    sporf_forest *forest = train_with(data, "trees", "10", (char *)NULL);
    sporf_ranking *all = ranking_of(forest, SIZE_MAX), *few = ranking_of(forest, 7);
    assert_int_equal(few->count, 7);
    assert_int_equal(few->distinct, all->count);
    for (size_t i = 0; i < 7; i++) {
        const sporf_ranked *a = &all->projections[i], *b = &few->projections[i];
        assert_true(a->importance == b->importance && a->splits == b->splits);
        assert_int_equal(a->terms, b->terms);
        assert_memory_equal(a->features, b->features, a->terms * sizeof *a->features);
        assert_memory_equal(a->weights, b->weights, a->terms * sizeof *a->weights);
    }
    sporf_ranking_free(all);
    sporf_ranking_free(few);
    few = ranking_of(forest, 0);
    assert_int_equal(few->count, 0);
    sporf_ranking_free(few);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- files and failures ---------------------------------------------------------------------- */

static void assert_same_importances(const sporf_forest *a, const sporf_forest *b) {
    double *first = importances_of(a), *second = importances_of(b);
    assert_memory_equal(first, second, sporf_forest_features(a) * sizeof *first);
    free(first);
    free(second);
}

static void a_saved_model_has_the_same(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 200, 5, 3, 9);
    sporf_forest *forest = train_with(data, "trees", "5", "scale", "sd", (char *)NULL);
    sporf_forest *loaded = NULL, *opened = NULL;
    tmp_file path = tmp_file_name("model");
    assert_ok(sporf_forest_save(forest, path.path));
    assert_ok(sporf_forest_load(path.path, &loaded));
    assert_ok(sporf_forest_map(path.path, &opened));
    assert_same_importances(forest, loaded);
    assert_same_importances(forest, opened);
    sporf_forest_free(opened);
    sporf_forest_free(loaded);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
    tmp_file_remove(&path);
}

static void honest_trees_have_them_from_the_rows_in_leaves(void **state) {
    (void)state;
    sporf_dataset *data = simulated("trunk", 600, 6, 1);
    sporf_forest *forest =
        train_with(data, "method", "rf", "honest", "0.5", "trees", "60", (char *)NULL);
    double *importances = importances_of(forest);
    for (size_t j = 1; j < 6; j++) assert_true(importances[0] > importances[j]);
    free(importances);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_forest_without_splits_has_none(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 20, 3, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", "min-split", "100", (char *)NULL);
    double *importances = importances_of(forest);
    for (size_t j = 0; j < 3; j++) assert_true(importances[j] == 0);
    sporf_ranking *ranking = ranking_of(forest, 5);
    assert_int_equal(ranking->count, 0);
    assert_int_equal(ranking->distinct, 0);
    sporf_ranking_free(ranking);
    free(importances);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void what_is_missing_is_refused(void **state) {
    (void)state;
    sporf_ranking *ranking;
    double importance;
    assert_refused(sporf_forest_importances(NULL, &importance), SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(sporf_ranking_create(NULL, 1, &ranking), SPORF_ERROR_ARGUMENT, "forest");
    sporf_ranking_free(NULL);
}

/* A forest that was opened and not read: its arrays hold whatever the file does. */
static void a_damaged_tree_is_an_error(void **state) {
    (void)state;
    sporf_forest *forest = random_forest(3, &(random_shape){.trees = 2, .leaves = 9});
    double *importances = need(forest->features, sizeof *importances);
    sporf_ranking *ranking = NULL;
    spf_packed_node *nodes = (void *)forest->packed.nodes;
    assert_true(forest->packed.nodes_count > 0);
    for (uint64_t i = 0; i < forest->packed.nodes_count; i++) nodes[i].feature[0] = 0x7fffffff;
    assert_int_equal(sporf_forest_importances(forest, importances), SPORF_ERROR_MODEL);
    assert_int_equal(sporf_ranking_create(forest, 3, &ranking), SPORF_ERROR_MODEL);
    assert_null(ranking);
    free(importances);
    sporf_forest_free(forest);
}

static void a_damaged_value_is_an_error(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 60, 3, 1, 1);
    sporf_forest *forest = train_with(data, "trees", "2", (char *)NULL);
    double importances[3];
    ((float *)forest->packed.leaf_value)[1] = NAN;
    assert_refused(sporf_forest_importances(forest, importances), SPORF_ERROR_MODEL, "not finite");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* A chain of splits, every one of whose leaves has a class of its own. */
static void a_deep_tree_takes_no_more_room_than_its_leaves(void **state) {
    (void)state;
    enum { LEAVES = 3000 };
    sporf_forest *forest = random_forest(
        5, &(random_shape){.trees = 1, .leaves = LEAVES, .chains = 1, .classes = 500});
    spf_decreases d = {0};
    spf_tree tree;
    assert_ok(spf_unpack_tree(forest, 0, &tree));
    assert_ok(spf_tree_decreases(&tree, 0, 0, &d));
    assert_true(d.parts_capacity <= 4 * (size_t)tree.leaf_start[tree.leaves_count]);
    assert_int_equal(d.open_count, 1);
    for (uint32_t i = 0; i < tree.nodes_count; i++) assert_true(d.decrease[i] >= 0);
    spf_decreases_free(&d);
    spf_tree_free(&tree);
    sporf_forest_free(forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_forest_has_the_usual_mean_decrease),
        cmocka_unit_test(a_forest_of_numbers_has_the_decrease_of_the_variance),
        cmocka_unit_test(a_tree_of_two_splits_is_counted_by_hand),
        cmocka_unit_test_teardown(importances_of_every_forest_sum_to_1_or_0, name_broken_case),
        cmocka_unit_test(the_importances_of_single_features_are_those_of_their_projections),
        cmocka_unit_test(lines_that_differ_in_sign_or_scale_are_one),
        cmocka_unit_test(terms_share_in_the_units_they_were_drawn_in),
        cmocka_unit_test(permuted_columns_permute_importances),
        cmocka_unit_test(noise_is_less_important_than_signal),
        cmocka_unit_test(early_features_lead_on_trunk),
        cmocka_unit_test(friedmans_noise_comes_last),
        cmocka_unit_test(several_targets_count_alike),
        cmocka_unit_test(levels_count_for_their_feature),
        cmocka_unit_test(no_projection_is_listed_twice),
        cmocka_unit_test(fewer_are_the_first_of_all),
        cmocka_unit_test(a_saved_model_has_the_same),
        cmocka_unit_test(honest_trees_have_them_from_the_rows_in_leaves),
        cmocka_unit_test(a_forest_without_splits_has_none),
        cmocka_unit_test(what_is_missing_is_refused),
        cmocka_unit_test(a_damaged_tree_is_an_error),
        cmocka_unit_test(a_damaged_value_is_an_error),
        cmocka_unit_test(a_deep_tree_takes_no_more_room_than_its_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
