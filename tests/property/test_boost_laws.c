/* Laws of boosted models, for losses, methods, weights, bags and tables of all kinds: any number of
 * threads gives the same model, growing further is training longer, an interrupted training is a
 * shorter one, and leaves hold the step that a plain loop over their rows gives.
 * Labels: threads */
#include "data/dataset.h"

#include "support/check.h"
#include "support/every_forest.h"
#include "support/plain_tree.h"
#include "support/random_data.h"
#include "support/same_bytes.h"
#include "support/wanted.h"
#include "support/watch.h"

enum { ROWS = 260, FEATURES = 5, MOST = 4, OPTIONS = 10 };

typedef struct {
    data_kind kind;
    size_t classes, targets; /* one of them is 0 */
    int weighted, has_table; /* has_table: stopped by another table */
    const char *options[OPTIONS];
} boost_case;

static const boost_case cases[] = {
    {DATA_SMOOTH, 2, 0, 0, 0, {"valid", "0"}},
    {DATA_MIXED, 2, 0, 1, 0, {"bags", "3", "valid", "0.3"}},
    {DATA_MIXED, 4, 0, 0, 0, {"subsample", "0.6", "valid", "0.2"}},
    {DATA_MIXED, 3, 0, 1, 1, {"max-leaves", "6"}},
    {DATA_TIED, 3, 0, 0, 0, {"method", "rf", "projections", "2", "bags", "2"}},
    {DATA_SMOOTH, 2, 0, 1, 0, {"method", "rr-rf", "monotone", "1=+,2=-"}},
    {DATA_BYTES, 3, 0, 0, 0, {"method", "patch", "valid", "0"}},
    {DATA_MIXED, 0, 1, 1, 0, {"method", "frc", "l2", "0", "valid", "0"}},
    {DATA_MIXED, 0, 3, 0, 1, {"bags", "2", "subsample", "0.5"}},
    {DATA_SMOOTH, 0, 2, 1, 0, {"loss", "absolute", "max-leaves", "5"}},
    {DATA_MIXED, 0, 1, 1, 0, {"loss", "quantile", "quantile", "0.8", "monotone", "1=-"}},
    {DATA_SMOOTH, 0, 1, 1, 0, {"loss", "poisson", "valid", "0", "subsample", "0.9"}},
    {DATA_CONSTANT, 0, 1, 0, 0, {"min-leaf", "20", "patience", "2", "valid", "0.5"}},
};
enum { COUNT = sizeof cases / sizeof *cases };

static void weigh(sporf_dataset *data) {
    size_t rows = sporf_dataset_rows(data);
    double *weights = need(rows, sizeof *weights);
    for (size_t i = 0; i < rows; i++) weights[i] = (double)(i * 7 % 5) * 0.6;
    assert_ok(sporf_dataset_set_weights(data, weights, rows));
    free(weights);
}

static sporf_dataset *table_of(const boost_case *c, uint64_t seed) {
    if (c->targets == 0) {
        sporf_dataset *data = random_data(c->kind, ROWS, FEATURES, c->classes, seed);
        if (c->weighted) weigh(data);
        return data;
    }
    sporf_dataset *data = with_targets(c->kind, ROWS, FEATURES, c->targets, seed);
    float values[ROWS * MOST];
    for (size_t k = 0; k < c->targets; k++) /* not negative, for counts */
        for (size_t i = 0; i < ROWS; i++) values[k * ROWS + i] = fabsf(spf_target_of(data, k)[i]);
    set_targets(data, values, c->targets);
    if (c->weighted) weigh(data);
    return data;
}

static sporf_params params_of(const boost_case *c, uint32_t rounds, uint32_t threads) {
    sporf_params params = params_with("learner", "boosting", "min-leaf", "4", "max-depth", "4",
                                      "rate", "0.2", "bags", "1", "scale", "sd", (char *)NULL);
    for (size_t i = 0; i < OPTIONS && c->options[i]; i += 2)
        assert_ok(sporf_params_set(&params, c->options[i], c->options[i + 1]));
    params.rounds = rounds;
    params.threads = threads;
    return params;
}

typedef struct {
    const boost_case *c;
    sporf_dataset *data, *other;
    sporf_hooks hooks;
} material;

static material make_material(const boost_case *c) {
    material m = {.c = c, .data = table_of(c, 1)};
    sporf_hooks_init(&m.hooks);
    if (c->has_table) m.hooks.valid = m.other = table_of(c, 1);
    return m;
}

static void free_material(material *m) {
    sporf_dataset_free(m->data);
    sporf_dataset_free(m->other);
}

static sporf_forest *train(const material *m, uint32_t rounds, uint32_t threads) {
    sporf_params params = params_of(m->c, rounds, threads);
    sporf_forest *forest = NULL;
    assert_ok(sporf_forest_train(m->data, &params, &m->hooks, &forest));
    return forest;
}

static sporf_boosting known(const sporf_forest *forest) {
    sporf_boosting boosting;
    assert_int_equal(sporf_forest_boosting(forest, &boosting), 1);
    return boosting;
}

/* ---- threads --------------------------------------------------------------------------------- */

static void any_number_of_threads_gives_the_same_model(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        material m = make_material(&cases[i]);
        sporf_forest *one = train(&m, 6, 1);
        for (uint32_t threads = 2; threads <= 5; threads += 3) {
            sporf_forest *several = train(&m, 6, threads);
            assert_same_bytes(one, several);
            sporf_forest_free(several);
        }
        sporf_forest_free(one);
        free_material(&m);
    }
}

/* More rows than are derived or put into bins at a time. */
static void so_it_is_with_many_rows(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 9000, FEATURES, 3, 1);
    sporf_forest *models[3] = {0};
    for (uint32_t i = 0; i < 3; i++) {
        sporf_params params = params_of(&cases[0], i < 2 ? 2 : 1, 1 + 3 * i);
        params.valid = 0.1;
        assert_ok(sporf_forest_train(data, &params, NULL, &models[i]));
    }
    sporf_params params = params_of(&cases[0], 2, 1);
    sporf_forest *more = NULL;
    params.valid = 0.1;
    assert_ok(sporf_forest_extend(models[2], data, &params, NULL, &more));
    assert_same_bytes(models[0], models[1]);
    assert_same_bytes(models[0], more);
    for (size_t i = 0; i < 3; i++) sporf_forest_free(models[i]);
    sporf_forest_free(more);
    sporf_dataset_free(data);
}

/* ---- growing further ------------------------------------------------------------------------- */

/* Losses of given rounds are computed again by the plain walk, and must be the same in every bit:
 * each row, also one that no tree saw, is in the leaf that its bins led to. */
static void growing_further_is_training_longer(void **state) {
    (void)state;
    no_threads_meet();
    for (size_t i = 0; i < COUNT; i++) {
        material m = make_material(&cases[i]);
        sporf_forest *whole = train(&m, 9, 2);
        for (uint32_t rounds = 1; rounds <= 9; rounds += 4) {
            sporf_forest *some = train(&m, rounds, 1), *more = NULL;
            sporf_params params;
            sporf_params_init(&params);
            assert_ok(sporf_forest_params(some, &params));
            params.rounds = 9;
            if (sporf_forest_extend(some, m.data, &params, &m.hooks, &more) != SPORF_OK)
                fail_msg("case %zu: %s", i, sporf_last_error());
            assert_same_bytes(whole, more);
            sporf_forest_free(more);
            sporf_forest_free(some);
        }
        sporf_forest_free(whole);
        free_material(&m);
    }
}

static void growing_further_goes_on_after_an_early_stop(void **state) {
    (void)state;
    no_threads_meet();
    boost_case c = {DATA_NOISE, 2, 0, 0, 0, {"patience", "2", "valid", "0.4", "rate", "1"}};
    material m = make_material(&c);
    sporf_forest *stopped = train(&m, 50, 1), *longer = train(&m, 70, 1), *more = NULL;
    sporf_params params;
    assert_true(known(stopped).tried < 50 && known(stopped).rounds < known(stopped).tried);
    sporf_params_init(&params);
    assert_ok(sporf_forest_params(stopped, &params));
    params.rounds = 70;
    assert_ok(sporf_forest_extend(stopped, m.data, &params, NULL, &more));
    assert_same_bytes(longer, more);
    sporf_forest_free(more);
    sporf_forest_free(longer);
    sporf_forest_free(stopped);
    free_material(&m);
}

static void other_rows_are_refused(void **state) {
    (void)state;
    no_threads_meet();
    for (size_t i = 0; i < COUNT; i++) {
        material m = make_material(&cases[i]), other = m;
        sporf_forest *forest = train(&m, 2, 1), *more = NULL;
        sporf_params params;
        sporf_params_init(&params);
        assert_ok(sporf_forest_params(forest, &params));
        params.rounds = 4;
        other.data = table_of(m.c, 2);
        assert_refused(sporf_forest_extend(forest, other.data, &params, &m.hooks, &more),
                       SPORF_ERROR_DATA, "not those of these rows");
        sporf_dataset_free(other.data);
        sporf_forest_free(forest);
        free_material(&m);
    }
}

/* ---- interruption ---------------------------------------------------------------------------- */

static void assert_same_rounds(const sporf_forest *a, const sporf_forest *b) {
    sporf_boosting x = known(a), y = known(b);
    assert_int_equal(x.rounds, y.rounds);
    assert_int_equal(x.tried, y.tried);
    assert_memory_equal(x.train_losses, y.train_losses, x.tried * sizeof *x.train_losses);
    if (x.valid_losses)
        assert_memory_equal(x.valid_losses, y.valid_losses, x.tried * sizeof *x.valid_losses);
    for (size_t t = 0; t < sporf_forest_trees(a); t++)
        assert_true(same_tree(plain_tree(a, t), plain_tree(b, t)));
}

static void an_interrupted_training_is_a_shorter_one(void **state) {
    (void)state;
    no_threads_meet();
    for (size_t i = 0; i < COUNT; i += 4)
        for (size_t questions = 0;; questions += 5) {
            material m = make_material(&cases[i]);
            watch w = watch_for(questions);
            sporf_params params = params_of(m.c, 4, 1 + questions % 2);
            sporf_forest *forest = NULL;
            sporf_hooks hooks = watch_hooks(&w);
            hooks.valid = m.hooks.valid;
            sporf_status status = sporf_forest_train(m.data, &params, &hooks, &forest);
            int done = w.asked <= questions;
            if (status != SPORF_OK) {
                assert_int_equal(status, SPORF_ERROR_CANCELLED);
                assert_int_equal(w.calls, 0);
            } else {
                sporf_forest *shorter = train(&m, (uint32_t)known(forest).tried, 1);
                assert_int_equal(known(forest).tried, w.calls);
                assert_int_equal(w.faults, 0);
                assert_same_rounds(forest, shorter);
                sporf_forest_free(shorter);
            }
            sporf_forest_free(forest);
            free_material(&m);
            if (done) break;
        }
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static double weight_at(const sporf_dataset *data, size_t row) {
    return data->weights ? (double)data->weights[row] : 1;
}

static double sum_of_weights(const sporf_dataset *data) {
    double sum = 0, rows = 0;
    for (size_t i = 0; i < data->rows; i++) {
        sum += weight_at(data, i);
        rows += weight_at(data, i) > 0;
    }
    return sum / rows; /* of an average row */
}

/* Gradient and hessian of a row at the base. */
static void derive(const material *m, const sporf_boosting *b, sporf_loss loss, size_t row,
                   size_t output, double *g, double *h) {
    double base = b->base[output], sum = 0;
    *h = 1;
    if (loss == SPORF_LOSS_POISSON) {
        *h = exp(base);
        *g = *h - spf_target_of(m->data, output)[row];
    } else if (loss != SPORF_LOSS_LOG) {
        *g = base - spf_target_of(m->data, output)[row];
    } else if (m->c->classes == 2) {
        double share = 1 / (1 + exp(-base));
        *g = share - (m->data->labels[row] == 1);
        *h = share * (1 - share);
    } else {
        double k = (double)m->c->classes;
        for (size_t c = 0; c < m->c->classes; c++) sum += exp(b->base[c]);
        double share = exp(base) / sum;
        *g = share - (m->data->labels[row] == output);
        *h = k / (k - 1) * share * (1 - share);
    }
}

static void check_leaf(const material *m, const sporf_forest *forest, const sporf_params *params,
                       size_t output, uint32_t leaf) {
    const spf_tree *tree = plain_tree(forest, output);
    sporf_boosting b = known(forest);
    double sum = 0, weight = 0, unit = sum_of_weights(m->data);
    for (size_t i = 0; i < ROWS; i++) {
        double g, h, w = weight_at(m->data, i) / unit;
        if (spf_tree_walk_columns(tree, (const float *const *)m->data->columns, i) != leaf)
            continue;
        derive(m, &b, params->loss, i, output, &g, &h);
        sum += w * g;
        weight += w * h;
    }
    double step = -sum / (weight + params->l2);
    if (params->loss == SPORF_LOSS_POISSON && step > 0) step = log(1 + step);
    assert_near(tree->leaf_value[leaf], params->rate * step, 1e-5 * (1 + fabs(step)));
    assert_near(tree->leaf_weight[leaf], weight, 1e-5 * (1 + weight));
}

static const boost_case simple[] = {
    {DATA_SMOOTH, 2, 0, 1, 0, {"valid", "0"}},
    {DATA_MIXED, 4, 0, 1, 0, {"valid", "0"}},
    {DATA_MIXED, 0, 2, 1, 0, {"valid", "0", "loss", "squared"}},
    {DATA_MIXED, 0, 1, 1, 0, {"valid", "0", "loss", "poisson", "l2", "0"}},
    {DATA_MIXED, 0, 2, 1, 0, {"valid", "0", "loss", "quantile", "quantile", "0.3"}},
};

static void leaves_hold_the_step_of_their_rows(void **state) {
    (void)state;
    no_threads_meet();
    for (size_t i = 0; i < 4; i++) {
        material m = make_material(&simple[i]);
        sporf_params params = params_of(m.c, 1, 2);
        sporf_forest *forest = train(&m, 1, 2);
        if (m.c->targets == 0) params.loss = SPORF_LOSS_LOG;
        for (size_t k = 0; k < known(forest).outputs; k++) {
            assert_true(plain_tree(forest, k)->leaves_count > 3);
            for (uint32_t leaf = 0; leaf < plain_tree(forest, k)->leaves_count; leaf++)
                check_leaf(&m, forest, &params, k, leaf);
        }
        sporf_forest_free(forest);
        free_material(&m);
    }
}

/* All rows that a tree was grown on count, whatever their weight, if that is not 0; held-out rows
 * can only add to them. A tree of one leaf may have fewer. */
static void every_leaf_has_enough_rows(void **state) {
    (void)state;
    no_threads_meet();
    for (size_t i = 0; i < COUNT; i++) {
        material m = make_material(&cases[i]);
        sporf_params params = params_of(m.c, 6, 2);
        sporf_forest *forest = train(&m, 6, 2);
        for (size_t t = 0; t < sporf_forest_trees(forest); t++) {
            const spf_tree *tree = plain_tree(forest, t);
            uint32_t rows[ROWS] = {0};
            for (size_t r = 0; r < ROWS; r++)
                if (weight_at(m.data, r) > 0)
                    rows[spf_tree_walk_columns(tree, (const float *const *)m.data->columns, r)]++;
            for (uint32_t leaf = 0; tree->leaves_count > 1 && leaf < tree->leaves_count; leaf++)
                assert_true(rows[leaf] >= params.min_leaf);
        }
        sporf_forest_free(forest);
        free_material(&m);
    }
}

/* At a quantile, at most its share of the weight is below, and at most the rest above. Weights are
 * counted in units, of which their single precision is only nearly a multiple. */
static void leaves_of_quantiles_part_their_rows(void **state) {
    (void)state;
    no_threads_meet();
    material m = make_material(&simple[4]);
    sporf_forest *forest = train(&m, 1, 1);
    for (size_t k = 0; k < 2; k++) {
        const spf_tree *tree = plain_tree(forest, k);
        for (uint32_t leaf = 0; leaf < tree->leaves_count; leaf++) {
            double below = 0, above = 0, all = 0, step = tree->leaf_value[leaf] / 0.2;
            for (size_t i = 0; i < ROWS; i++) {
                if (spf_tree_walk_columns(tree, (const float *const *)m.data->columns, i) != leaf)
                    continue;
                double left = spf_target_of(m.data, k)[i] - known(forest).base[k] - step;
                double w = weight_at(m.data, i);
                all += w;
                if (left < -1e-5) below += w;
                if (left > 1e-5) above += w;
            }
            assert_true(below <= (0.3 + 1e-7) * all && above <= (0.7 + 1e-7) * all);
        }
    }
    sporf_forest_free(forest);
    free_material(&m);
}

/* ---- what is predicted ----------------------------------------------------------------------- */

static void packed_leaves_are_those_of_the_plain_walk(void **state) {
    (void)state;
    no_threads_meet();
    for (size_t i = 0; i < COUNT; i++) {
        material m = make_material(&cases[i]);
        sporf_forest *forest = train(&m, 3, 2);
        size_t trees = sporf_forest_trees(forest), outputs = known(forest).outputs;
        uint32_t *leaves = need(ROWS * trees, sizeof *leaves);
        double *scores = need(ROWS * outputs, sizeof *scores);
        assert_ok(
            sporf_forest_predict(forest, m.data, NULL, WANTED(.leaves = leaves, .scores = scores)));
        for (size_t r = 0; r < ROWS; r++)
            for (size_t k = 0; k < outputs; k++) {
                double sum = 0;
                for (size_t t = k; t < trees; t += outputs) {
                    const spf_tree *tree = plain_tree(forest, t);
                    uint32_t leaf =
                        spf_tree_walk_columns(tree, (const float *const *)m.data->columns, r);
                    assert_int_equal(leaves[r * trees + t], leaf);
                    sum += tree->leaf_value[leaf];
                }
                assert_near(scores[r * outputs + k],
                            known(forest).base[k] + sum / (double)known(forest).bags,
                            1e-12 * (1 + fabs(sum)));
            }
        free(scores);
        free(leaves);
        sporf_forest_free(forest);
        free_material(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same_model),
        cmocka_unit_test(so_it_is_with_many_rows),
        cmocka_unit_test(growing_further_is_training_longer),
        cmocka_unit_test(growing_further_goes_on_after_an_early_stop),
        cmocka_unit_test(other_rows_are_refused),
        cmocka_unit_test(an_interrupted_training_is_a_shorter_one),
        cmocka_unit_test(leaves_hold_the_step_of_their_rows),
        cmocka_unit_test(every_leaf_has_enough_rows),
        cmocka_unit_test(leaves_of_quantiles_part_their_rows),
        cmocka_unit_test(packed_leaves_are_those_of_the_plain_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
