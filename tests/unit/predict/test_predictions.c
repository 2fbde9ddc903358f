/* What a forest says beyond the class: votes, each tree's class and leaf, proximities. */
#include "support/check.h"
#include "support/random_data.h"
#include "support/random_forest.h"
#include "support/wanted.h"

enum { ROWS = 120, CLASSES = 4, TREES = 21 };

typedef struct {
    sporf_dataset *data;
    sporf_forest *forest;
} fixture;

static int set_up(void **state) {
    static fixture f;
    f.data = random_data(DATA_SMOOTH, ROWS, 6, CLASSES, 3);
    f.forest = train_with(f.data, "trees", "21", "max_depth", "4", (char *)NULL);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    sporf_forest_free(f->forest);
    sporf_dataset_free(f->data);
    return 0;
}

static void votes_and_trees_agree_with_the_prediction(void **state) {
    fixture *f = *state;
    uint32_t classes[ROWS], votes[ROWS * CLASSES], by_tree[ROWS * TREES];
    double probabilities[ROWS * CLASSES];
    sporf_predict_options shares = {.struct_size = sizeof shares,
                                    .calibration = SPORF_CALIBRATE_NONE};
    assert_ok(sporf_forest_predict(f->forest, f->data, &shares,
                                   WANTED(.classes = classes, .probabilities = probabilities)));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.votes = votes)));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.tree_classes = by_tree)));
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t counted[CLASSES] = {0};
        for (size_t t = 0; t < TREES; t++) counted[by_tree[i * TREES + t]]++;
        assert_memory_equal(counted, votes + i * CLASSES, sizeof counted);
        for (size_t k = 0; k < CLASSES; k++) {
            assert_true(probabilities[i * CLASSES + k] == (double)counted[k] / TREES);
            assert_true(counted[k] < counted[classes[i]] ||
                        (counted[k] == counted[classes[i]] && k >= classes[i]));
        }
    }
}

static void calibrated_probabilities_follow_from_votes(void **state) {
    fixture *f = *state;
    uint32_t votes[ROWS * CLASSES];
    double probabilities[ROWS * CLASSES], row[CLASSES];
    sporf_calibration_map map;
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL,
                                   WANTED(.votes = votes, .probabilities = probabilities)));
    assert_true(sporf_forest_calibration(f->forest, SPORF_COMBINE_VOTES, &map));
    for (size_t i = 0; i < ROWS; i++) {
        double sum = 0;
        for (size_t k = 0; k < CLASSES; k++) sum += row[k] = map.weights[votes[i * CLASSES + k]];
        for (size_t k = 0; k < CLASSES; k++) row[k] /= sum;
        assert_memory_equal(row, probabilities + i * CLASSES, sizeof row);
    }
}

static void all_at_once_is_what_each_is_alone(void **state) {
    fixture *f = *state;
    uint32_t classes[2][ROWS], votes[2][ROWS * CLASSES], trees[2][ROWS * TREES],
        leaves[2][ROWS * TREES];
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL,
                                   WANTED(.classes = classes[0], .votes = votes[0],
                                          .tree_classes = trees[0], .leaves = leaves[0])));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.classes = classes[1])));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.votes = votes[1])));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.tree_classes = trees[1])));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.leaves = leaves[1])));
    assert_memory_equal(classes[0], classes[1], sizeof classes[0]);
    assert_memory_equal(votes[0], votes[1], sizeof votes[0]);
    assert_memory_equal(trees[0], trees[1], sizeof trees[0]);
    assert_memory_equal(leaves[0], leaves[1], sizeof leaves[0]);
}

/* Ballots are then sorted instead of counted. */
static void the_winner_among_many_classes_is_that_of_the_counts(void **state) {
    (void)state;
    random_shape shape = {.trees = 7, .features = 4, .classes = 2000, .leaves = 6};
    sporf_forest *forest = random_forest(3, &shape);
    sporf_dataset *data = random_data(DATA_TIED, ROWS, 4, 2, 5);
    uint32_t alone[ROWS], counted[ROWS];
    double *probabilities = need(ROWS * 2000, sizeof *probabilities);
    assert_ok(sporf_forest_predict(forest, data, NULL, WANTED(.classes = alone)));
    assert_ok(sporf_forest_predict(forest, data, NULL,
                                   WANTED(.classes = counted, .probabilities = probabilities)));
    assert_memory_equal(alone, counted, sizeof alone);
    free(probabilities);
    sporf_dataset_free(data);
    sporf_forest_free(forest);
}

/* Leaf numbers are those of the nodes that one can look at. */
static void leaves_are_those_of_the_nodes(void **state) {
    fixture *f = *state;
    uint32_t leaves[ROWS * TREES], by_tree[ROWS * TREES];
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.leaves = leaves)));
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.tree_classes = by_tree)));
    for (size_t t = 0; t < TREES; t++)
        for (size_t n = 0; n < sporf_forest_nodes(f->forest, t); n++) {
            sporf_node node;
            assert_ok(sporf_forest_node(f->forest, t, n, &node));
            if (!node.is_leaf) continue;
            size_t best = 0;
            for (size_t k = 1; k < node.classes; k++)
                if (node.class_weight[k] > node.class_weight[best]) best = k;
            for (size_t i = 0; i < ROWS; i++)
                if (leaves[i * TREES + t] == node.leaf)
                    assert_int_equal(by_tree[i * TREES + t], node.class_index[best]);
        }
}

/* All rows, a few, and one. */
static void a_tree_alone_has_the_leaves_that_it_has_among_all(void **state) {
    fixture *f = *state;
    uint32_t leaves[ROWS * TREES], alone[ROWS], classes[ROWS], nodes[ROWS];
    const size_t counts[] = {ROWS, 7, 1}, first[] = {0, 3, 5};
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.leaves = leaves)));
    for (size_t t = 0; t < TREES; t++)
        for (size_t c = 0; c < 3; c++) {
            uint32_t chosen[ROWS];
            sporf_dataset *some = NULL;
            for (size_t i = 0; i < counts[c]; i++) chosen[i] = (uint32_t)(first[c] + i);
            assert_ok(sporf_dataset_select(f->data, chosen, counts[c], &some));
            assert_ok(sporf_forest_predict(f->forest, some, NULL,
                                           WANTED(.tree = t, .tree_leaves = alone)));
            for (size_t i = 0; i < counts[c]; i++)
                assert_int_equal(alone[i], leaves[chosen[i] * TREES + t]);
            assert_ok(
                sporf_forest_predict(f->forest, some, NULL,
                                     WANTED(.tree = t, .tree_leaves = nodes, .classes = classes)));
            assert_memory_equal(alone, nodes, counts[c] * sizeof *alone);
            sporf_dataset_free(some);
        }
    assert_refused(
        sporf_forest_predict(f->forest, f->data, NULL, WANTED(.tree = TREES, .tree_leaves = alone)),
        SPORF_ERROR_ARGUMENT, "no tree");
}

static void leaf_nodes_are_the_nodes_of_the_leaves(void **state) {
    fixture *f = *state;
    for (size_t t = 0; t < TREES; t++) {
        size_t count = sporf_forest_nodes(f->forest, t), leaves = 0;
        uint32_t *nodes = need((count + 1) / 2, sizeof *nodes);
        assert_ok(sporf_forest_leaf_nodes(f->forest, t, nodes));
        for (size_t n = 0; n < count; n++) {
            sporf_node node;
            assert_ok(sporf_forest_node(f->forest, t, n, &node));
            if (!node.is_leaf) continue;
            assert_int_equal(nodes[node.leaf], n);
            leaves++;
        }
        assert_int_equal(leaves, (count + 1) / 2);
        free(nodes);
    }
    assert_int_equal(sporf_forest_leaf_nodes(f->forest, TREES, NULL), SPORF_ERROR_ARGUMENT);
}

static double proximity(const uint32_t *leaves, size_t a, size_t b) {
    size_t shared = 0;
    for (size_t t = 0; t < TREES; t++) shared += leaves[a * TREES + t] == leaves[b * TREES + t];
    return (double)shared / TREES;
}

static void proximities_of_pairs_count_shared_leaves(void **state) {
    fixture *f = *state;
    uint32_t leaves[ROWS * TREES], first[ROWS], second[ROWS];
    double found[ROWS];
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.leaves = leaves)));
    for (uint32_t i = 0; i < ROWS; i++) {
        first[i] = i;
        second[i] = i * 7 % ROWS;
    }
    assert_ok(
        sporf_forest_proximities(f->forest, f->data, f->data, NULL, ROWS, first, second, found));
    assert_true(found[0] == 1);
    for (size_t i = 0; i < ROWS; i++)
        assert_true(found[i] == proximity(leaves, first[i], second[i]));
}

/* The nearest rows by looking at all of them. */
static void nearest_rows_are_those_of_an_exhaustive_search(void **state) {
    fixture *f = *state;
    static const size_t counts[] = {1, 5, 50, ROWS};
    uint32_t leaves[ROWS * TREES];
    assert_ok(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.leaves = leaves)));
    for (size_t c = 0; c < 4; c++) {
        size_t count = counts[c];
        uint32_t *rows = need(ROWS * count, sizeof *rows);
        double *found = need(ROWS * count, sizeof *found);
        assert_ok(sporf_forest_nearest(f->forest, f->data, f->data, NULL, count, rows, found));
        for (size_t i = 0; i < ROWS; i++) {
            uint8_t taken[ROWS] = {0};
            for (size_t n = 0; n < count; n++) {
                size_t best = ROWS;
                for (size_t j = 0; j < ROWS; j++)
                    if (!taken[j] &&
                        (best == ROWS || proximity(leaves, i, j) > proximity(leaves, i, best)))
                        best = j;
                taken[best] = 1;
                assert_int_equal(rows[i * count + n], best);
                assert_true(found[i * count + n] == proximity(leaves, i, best));
            }
        }
        free(rows);
        free(found);
    }
}

static void wrong_arguments_are_named(void **state) {
    fixture *f = *state;
    uint32_t row = ROWS, zero = 0, place[ROWS];
    double found[ROWS];
    assert_refused(sporf_forest_predict(f->forest, f->data, NULL, NULL), SPORF_ERROR_ARGUMENT,
                   "place");
    assert_refused(sporf_forest_predict(f->forest, f->data, NULL, WANTED(.classes = NULL)),
                   SPORF_ERROR_ARGUMENT, "place");
    assert_refused(
        sporf_forest_predict(f->forest, f->data, NULL, &(sporf_predictions){.leaves = place}),
        SPORF_ERROR_ARGUMENT, "struct_size is 0");
    assert_refused(sporf_forest_predict(f->forest, NULL, NULL, WANTED(.leaves = place)),
                   SPORF_ERROR_ARGUMENT, "data");
    assert_refused(sporf_forest_predict(NULL, f->data, NULL, WANTED(.tree_classes = place)),
                   SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(
        sporf_forest_proximities(f->forest, f->data, f->data, NULL, 1, &row, &zero, found),
        SPORF_ERROR_ARGUMENT, "names row 120");
    assert_refused(sporf_forest_nearest(f->forest, f->data, f->data, NULL, 0, place, found),
                   SPORF_ERROR_ARGUMENT, "0 nearest rows");
    assert_refused(sporf_forest_nearest(f->forest, f->data, f->data, NULL, ROWS + 1, place, found),
                   SPORF_ERROR_ARGUMENT, "the reference has 120");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(votes_and_trees_agree_with_the_prediction),
        cmocka_unit_test(calibrated_probabilities_follow_from_votes),
        cmocka_unit_test(all_at_once_is_what_each_is_alone),
        cmocka_unit_test(the_winner_among_many_classes_is_that_of_the_counts),
        cmocka_unit_test(leaves_are_those_of_the_nodes),
        cmocka_unit_test(a_tree_alone_has_the_leaves_that_it_has_among_all),
        cmocka_unit_test(leaf_nodes_are_the_nodes_of_the_leaves),
        cmocka_unit_test(proximities_of_pairs_count_shared_leaves),
        cmocka_unit_test(nearest_rows_are_those_of_an_exhaustive_search),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
