/* The split of a single node of a mixed table against a search of all there are: every cut of a
 * number and every set of levels, each with the missing values on either side. With two classes no
 * set is better than the best cut of the levels in the order of their class shares (Breiman et al.
 * 1984), so the search that trains must find it; but levels of fewer than five rows go one way
 * together, unless one of them is drawn to stand by itself. */
#include "data/dataset.h"

#include "base/rng.h"
#include "learn/growing/categories.h"

#include "support/check.h"
#include "support/plain_tree.h"
#include "support/random_data.h"

enum { LEVELS_MOST = 8, CLASSES_MOST = 4 };

typedef struct {
    size_t rows, features, classes;
    uint32_t levels;      /* of the categories, which every second feature is; 0: all are numbers */
    uint32_t values;      /* different ones of a number; 0: all are */
    uint32_t has_missing; /* missing in ten cells */
} shape;

static uint32_t below(sporf_random *random, uint32_t bound) {
    return spf_random_below(random, bound);
}

static float draw_cell(sporf_random *random, const shape *s, size_t feature) {
    if (below(random, 10) < s->has_missing) return NAN;
    if (s->levels > 0 && feature % 2 == 0) return (float)below(random, s->levels);
    return s->values > 0 ? (float)below(random, s->values) : (float)spf_random_normal(random);
}

static void name_levels(sporf_dataset *data, size_t feature, uint32_t count) {
    static const char *const names[LEVELS_MOST] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    assert_ok(sporf_dataset_set_levels(data, feature, SPORF_KIND_CATEGORY, names, count));
}

/* Labels depend on the first feature, in a way that has nothing to do with its order. */
static int64_t draw_label(sporf_random *random, const shape *s, float value) {
    uint32_t classes = (uint32_t)s->classes;
    uint32_t likely = isnan(value) ? 1 : (uint32_t)(fabsf(value) * 5) * 7 / 3 % classes;
    return below(random, 3) == 0 ? likely : below(random, classes);
}

static sporf_dataset *make_table(const shape *s, uint64_t seed) {
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    double *values = need(s->rows * s->features, sizeof *values);
    double *weights = need(s->rows, sizeof *weights);
    int64_t *labels = need(s->rows, sizeof *labels);
    for (size_t i = 0; i < s->rows; i++) {
        for (size_t j = 0; j < s->features; j++)
            values[i * s->features + j] = draw_cell(&random, s, j);
        labels[i] = i < 2 ? (int64_t)i : draw_label(&random, s, (float)values[i * s->features]);
        weights[i] = 1 + below(&random, 3);
    }
    sporf_matrix matrix = {values, SPORF_FLOAT64, s->rows, s->features, s->features, 1};
    sporf_dataset *data = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, s->rows));
    if (seed % 3 == 0) assert_ok(sporf_dataset_set_weights(data, weights, s->rows));
    for (size_t j = 0; s->levels > 0 && j < s->features; j += 2) name_levels(data, j, s->levels);
    free(labels);
    free(weights);
    free(values);
    return data;
}

/* ---- scores ---------------------------------------------------------------------------------- */

typedef struct {
    const sporf_dataset *data;
    sporf_criterion criterion;
    double min_leaf, share; /* rows of a child, and its share of all weight, at least */
    char *left;             /* [rows]: the way of each */
    int apart;              /* whether rare levels may go different ways */
    int relative;           /* weights are: rows count in leaves whatever they weigh */
} trial;

static double child_score(const trial *t, const double *weight) {
    double score = 0, total = 0;
    for (size_t k = 0; k < CLASSES_MOST; k++) {
        total += weight[k];
        score += t->criterion == SPORF_GINI ? weight[k] * weight[k]
                 : weight[k] > 0            ? weight[k] * log(weight[k])
                                            : 0;
    }
    if (t->criterion == SPORF_GINI) return score / total;
    return score - total * log(total);
}

/* What the rows' ways are worth; -1e300 where they are no split. */
static double score(const trial *t) {
    double weight[2][CLASSES_MOST] = {{0}}, total[2] = {0}, held[2] = {0};
    for (size_t i = 0; i < t->data->rows; i++) {
        double own = t->data->weights ? t->data->weights[i] : 1;
        weight[(int)t->left[i]][t->data->labels[i]] += own;
        held[(int)t->left[i]] += own;
        total[(int)t->left[i]] += t->relative ? 1 : own;
    }
    if (total[0] < t->min_leaf || total[1] < t->min_leaf) return -1e300;
    if (fmin(held[0], held[1]) < t->share * (held[0] + held[1]) * (1 - 1e-12)) return -1e300;
    return child_score(t, weight[0]) + child_score(t, weight[1]);
}

/* Of leaving the node alone. */
static double score_of_leaf(const trial *t) {
    double weight[CLASSES_MOST] = {0};
    for (size_t i = 0; i < t->data->rows; i++)
        weight[t->data->labels[i]] += t->data->weights ? t->data->weights[i] : 1;
    return child_score(t, weight);
}

/* ---- every split ----------------------------------------------------------------------------- */

static double best_cut(const trial *t, size_t feature) {
    const float *value = t->data->columns[feature];
    double best = -1e300;
    for (size_t cut = 0; cut < t->data->rows; cut++)
        for (int has_missing = 0; has_missing < 2; has_missing++) {
            if (isnan(value[cut])) continue;
            for (size_t i = 0; i < t->data->rows; i++)
                t->left[i] = isnan(value[i]) ? (char)has_missing : value[i] <= value[cut];
            best = fmax(best, score(t));
        }
    return best;
}

/* The levels that few rows have, as a set. */
static uint32_t find_rare(const trial *t, size_t feature) {
    const sporf_dataset *data = t->data;
    double weight[LEVELS_MOST] = {0}, all = 0;
    uint32_t rare = 0;
    for (size_t i = 0; i < data->rows; i++) all += data->weights ? data->weights[i] : 1;
    double of_row = t->relative ? all / (double)data->rows : 1;
    for (size_t i = 0; i < data->rows; i++)
        if (!isnan(data->columns[feature][i]))
            weight[(uint32_t)data->columns[feature][i]] += data->weights ? data->weights[i] : 1;
    for (uint32_t k = 0; k < LEVELS_MOST; k++)
        if (weight[k] > 0 && weight[k] < SPF_RARE_BELOW * of_row) rare |= 1u << k;
    return rare;
}

static double best_set(const trial *t, size_t feature, uint32_t levels) {
    const float *level = t->data->columns[feature];
    uint32_t rare = t->apart ? 0 : find_rare(t, feature);
    double best = -1e300;
    for (uint32_t set = 0; set < 1u << levels; set++)
        for (int has_missing = 0; has_missing < 2 && ((set & rare) == 0 || (set & rare) == rare);
             has_missing++) {
            for (size_t i = 0; i < t->data->rows; i++)
                t->left[i] =
                    isnan(level[i]) ? (char)has_missing : (char)(set >> (uint32_t)level[i] & 1);
            best = fmax(best, score(t));
        }
    return best;
}

static double best_there_is(const trial *t) {
    double best = -1e300;
    for (size_t j = 0; j < t->data->features; j++) {
        size_t levels = sporf_schema_levels(sporf_dataset_schema(t->data), j);
        best = fmax(best, levels > 0 ? best_set(t, j, (uint32_t)levels) : best_cut(t, j));
    }
    return best;
}

/* ---- the one that was found ------------------------------------------------------------------ */

static double score_of_root(const trial *t, const spf_tree *tree) {
    const spf_node *root = &tree->nodes[0];
    if (root->right == 0) return score_of_leaf(t);
    for (size_t i = 0; i < t->data->rows; i++) {
        float value = spf_tree_project(tree, spf_split_projection(root), t->data->columns, i);
        t->left[i] =
            isnan(value) ? (root->content & SPF_MISSING_LEFT) != 0 : value <= root->threshold;
    }
    return score(t);
}

static void check(shape s, uint64_t seed, const char *split, const char *criterion) {
    sporf_dataset *data = make_table(&s, seed);
    /* A limit may forbid the best cuts of an order of levels, and allow a set that is none. */
    uint64_t least = s.levels > 0 ? 1 : 1 + seed % 3;
    const char *share = s.levels > 0 || seed % 5 < 3 ? "0" : seed % 5 == 3 ? "0.2" : "0.07";
    char min_leaf[2] = {(char)('0' + least), '\0'};
    sporf_forest *forest = train_with(
        data, "method", "rf", "projections", "p", "bag", "none", "trees", "1", "max-depth", "1",
        "min-leaf", min_leaf, "min-leaf-weight", share, "split", split, "criterion", criterion,
        "threads", "1", "weight-is", seed % 2 ? "relative" : "count", (char *)NULL);
    trial t = {data,
               strcmp(criterion, "gini") ? SPORF_ENTROPY : SPORF_GINI,
               (double)least,
               strtod(share, NULL),
               need(s.rows, 1),
               0,
               seed % 2};
    double least_found = fmax(best_there_is(&t), score_of_leaf(&t));
    t.apart = 1;
    double best = fmax(best_there_is(&t), score_of_leaf(&t));
    double found = score_of_root(&t, plain_tree(forest, 0)), room = 1e-9 * (fabs(best) + 1);
    if (found < least_found - room || found > best + room)
        fail_msg("seed %llu, %zu rows, %zu features, split %s, %s: found %.12g of %.12g to %.12g",
                 (unsigned long long)seed, s.rows, s.features, split, criterion, found, least_found,
                 best);
    free(t.left);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static const char *const criteria[] = {"gini", "entropy"};
static const char *const splits[] = {"auto", "exact"};

static void no_cut_of_numbers_with_missing_values_is_better(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++)
        check((shape){.rows = 2 + seed % 90,
                      .features = 1 + seed % 3,
                      .classes = 2 + seed % (CLASSES_MOST - 1),
                      .values = seed % 2 ? 0 : 6,
                      .has_missing = (uint32_t)(seed % 10)},
              seed, splits[seed / 2 % 2], criteria[seed / 4 % 2]);
}

static void no_set_of_levels_is_better(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        check((shape){.rows = 2 + seed % 90,
                      .features = 1,
                      .classes = 2,
                      .levels = (uint32_t)(1 + seed % LEVELS_MOST),
                      .has_missing = (uint32_t)(seed % 10)},
              seed, splits[seed / 2 % 2], criteria[seed / 4 % 2]);
}

static void nothing_is_better_in_mixed_tables(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++)
        check((shape){.rows = 20 + seed,
                      .features = 2 + seed % 4,
                      .classes = 2,
                      .levels = (uint32_t)(2 + seed % 5),
                      .values = 9,
                      .has_missing = (uint32_t)(seed % 6)},
              seed, splits[seed / 2 % 2], criteria[seed / 4 % 2]);
}

static void nothing_is_better_in_large_nodes(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++)
        check((shape){.rows = 600 + 100 * seed,
                      .features = 2,
                      .classes = 2,
                      .levels = (uint32_t)(2 + seed % 5),
                      .values = 20,
                      .has_missing = (uint32_t)(seed % 4)},
              seed, splits[seed / 2 % 2], criteria[seed / 4 % 2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cut_of_numbers_with_missing_values_is_better),
        cmocka_unit_test(no_set_of_levels_is_better),
        cmocka_unit_test(nothing_is_better_in_mixed_tables),
        cmocka_unit_test(nothing_is_better_in_large_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
