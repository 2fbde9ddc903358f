/* Partial dependence, ICE, accumulated local effects and interactions, against predictions of rows
 * whose values are replaced one by one. */
#include "support/check.h"

#include "data/dataset.h"
#include "model/combine.h"
#include "support/random_booster.h"
#include "support/random_data.h"

/* ---- brute force ----------------------------------------------------------------------------- */

/* A copy of all rows, whose columns may be written. */
static sporf_dataset *copy_of(const sporf_dataset *data) {
    sporf_dataset *copy;
    uint32_t *rows = malloc(data->rows * sizeof *rows);
    for (size_t i = 0; i < data->rows; i++) rows[i] = (uint32_t)i;
    assert_ok(sporf_dataset_select(data, rows, data->rows, &copy));
    free(rows);
    copy->has_missing = 1;
    return copy;
}

static void predict_all(const sporf_forest *forest, const sporf_dataset *data,
                        const sporf_dependence_options *options, double *outputs) {
    sporf_predict_options how;
    sporf_predictions out;
    sporf_predict_options_init(&how);
    sporf_predictions_init(&out);
    how.combine = options->combine;
    how.calibration = options->calibration;
    how.threads = 1;
    if (options->scores)
        out.scores = outputs;
    else if (spf_is_regression(forest))
        out.values = outputs;
    else
        out.probabilities = outputs;
    assert_ok(sporf_forest_predict(forest, data, &how, &out));
}

/* Predictions at each point, [points x rows x outputs]. */
static double *brute_force(const sporf_forest *forest, const sporf_dataset *data,
                           const sporf_dependence_options *options, const sporf_dependence *d) {
    sporf_dataset *copy = copy_of(data);
    size_t inner = d->features_count > 1 ? d->values_count[1] : 1, cells = data->rows * d->outputs;
    double *all = malloc(d->points * cells * sizeof *all);
    for (size_t c = 0; c < d->points; c++) {
        const size_t at[2] = {c / inner, c % inner};
        for (size_t f = 0; f < d->features_count; f++)
            for (size_t i = 0; i < data->rows; i++)
                spf_dataset_column(copy, d->features[f])[i] = (float)d->values[f][at[f]];
        predict_all(forest, copy, options, all + c * cells);
    }
    sporf_dataset_free(copy);
    return all;
}

static double weight_of(const sporf_dataset *data, size_t row) {
    return data->weights ? (double)data->weights[row] : 1;
}

static void check_means(const sporf_dataset *data, const sporf_dependence *d, const double *all) {
    for (size_t c = 0; c < d->points; c++)
        for (size_t k = 0; k < d->outputs; k++) {
            double sum = 0, total = 0;
            for (size_t i = 0; i < data->rows; i++) {
                sum += weight_of(data, i) * all[(c * data->rows + i) * d->outputs + k];
                total += weight_of(data, i);
            }
            assert_near(d->mean[c * d->outputs + k], sum / total, 1e-12 * (1 + fabs(sum / total)));
        }
}

static void check_curves(const sporf_dataset *data, const sporf_dependence *d, const double *all) {
    for (size_t i = 0; i < data->rows; i++)
        for (size_t c = 0; c < d->points; c++)
            assert_memory_equal(d->individual + (i * d->points + c) * d->outputs,
                                all + (c * data->rows + i) * d->outputs, d->outputs * sizeof *all);
}

static sporf_dependence *dependence(const sporf_forest *forest, const sporf_dataset *data,
                                    const sporf_dependence_options *options, size_t first,
                                    size_t second) {
    const size_t features[2] = {first, second};
    sporf_dependence *out;
    assert_ok(sporf_dependence_create(forest, data, options, NULL, features,
                                      second == first ? 1 : 2, &out));
    return out;
}

static void check_same(const sporf_dependence *a, const sporf_dependence *b) {
    assert_int_equal(a->points, b->points);
    assert_memory_equal(a->mean, b->mean, a->points * a->outputs * sizeof *a->mean);
}

/* All kinds for one feature, or a pair if second differs from first. */
static void check_features(const sporf_forest *forest, const sporf_dataset *data,
                           sporf_dependence_options options, size_t first, size_t second) {
    options.threads = 1;
    options.kind = SPORF_DEPENDENCE_PDP;
    sporf_dependence *mean = dependence(forest, data, &options, first, second);
    options.threads = 2;
    sporf_dependence *again = dependence(forest, data, &options, first, second);
    options.kind = SPORF_DEPENDENCE_ICE;
    sporf_dependence *curves = dependence(forest, data, &options, first, second);
    double *all = brute_force(forest, data, &options, mean);
    check_same(mean, again);
    check_means(data, mean, all);
    check_means(data, curves, all);
    check_curves(data, curves, all);
    free(all);
    sporf_dependence_free(mean);
    sporf_dependence_free(again);
    sporf_dependence_free(curves);
}

static sporf_dependence_options options_with(size_t grid) {
    sporf_dependence_options options;
    sporf_dependence_options_init(&options);
    options.grid = grid;
    return options;
}

static void check_forest(const sporf_forest *forest, const sporf_dataset *data) {
    sporf_dependence_options options = options_with(13);
    for (int combine = 0; combine < 2; combine++)
        for (int plain = 0; plain < 2; plain++) {
            options.combine = combine ? SPORF_COMBINE_POSTERIORS : SPORF_COMBINE_VOTES;
            options.calibration = plain ? SPORF_CALIBRATE_NONE : SPORF_CALIBRATE_AUTO;
            options.grid = 13;
            for (size_t j = 0; j < forest->features && j < 3; j++)
                check_features(forest, data, options, j, j);
            options.grid = 4;
            if (forest->features > 1) check_features(forest, data, options, 0, 1);
        }
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void dependence_equals_predictions_of_replaced_rows(void **state) {
    (void)state;
    static const struct {
        data_kind kind;
        size_t rows, features, classes;
    } cases[] = {{DATA_SMOOTH, 120, 5, 2}, {DATA_TIED, 90, 4, 3},   {DATA_MIXED, 150, 6, 2},
                 {DATA_MIXED, 120, 5, 4},  {DATA_SMOOTH, 60, 1, 2}, {DATA_NOISE, 310, 3, 300}};
    for (size_t i = 0; i < DRAWN(sizeof cases / sizeof *cases); i++) {
        sporf_dataset *data =
            random_data(cases[i].kind, cases[i].rows, cases[i].features, cases[i].classes, i);
        sporf_forest *forest = train_with(data, "trees", "12", NULL);
        check_forest(forest, data);
        sporf_forest_free(forest);
        sporf_dataset_free(data);
    }
}

static void dependence_of_rotated_and_dense_trees_is_the_same(void **state) {
    (void)state;
    static const char *const methods[] = {"rr-rf", "ccf", "frc", "rf"};
    sporf_dataset *data = random_data(DATA_SMOOTH, 100, 12, 3, 7);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        sporf_forest *forest = train_with(data, "method", methods[i], "trees", "8", NULL);
        check_features(forest, data, options_with(11), 3, 3);
        check_features(forest, data, options_with(4), 3, 5);
        sporf_forest_free(forest);
    }
    sporf_dataset_free(data);
}

static void dependence_of_targets_equals_predictions_of_replaced_rows(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_MIXED, 140, 5, 2, 3);
    weigh_rows(data, 0.5);
    sporf_forest *forest = train_with(data, "trees", "10", NULL);
    for (size_t j = 0; j < 4; j++) check_features(forest, data, options_with(17), j, j);
    check_features(forest, data, options_with(5), 0, 1);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void dependence_of_boosted_models_equals_predictions_of_replaced_rows(void **state) {
    (void)state;
    for (size_t i = 0; i < booster_shapes_count; i++) {
        sporf_forest *model = random_booster(i, &booster_shapes[i]);
        if (model->schema.kinds) { /* for tables with levels see the next test */
            sporf_forest_free(model);
            continue;
        }
        sporf_dataset *data = random_data(DATA_SMOOTH, 40, model->features, 2, i);
        sporf_dependence_options options = options_with(9);
        check_features(model, data, options, 0, 0);
        options.scores = 1;
        check_features(model, data, options, model->features - 1, model->features - 1);
        sporf_dataset_free(data);
        sporf_forest_free(model);
    }
}

static void dependence_of_a_trained_booster_with_categories_is_the_same(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_MIXED, 150, 5, 3, 8);
    sporf_forest *model = train_with(data, "learner", "boosting", "trees", "6", NULL);
    for (size_t j = 0; j < 3; j++) check_features(model, data, options_with(9), j, j);
    sporf_forest_free(model);
    sporf_dataset_free(data);
}

static void values_in_any_order_and_missing_ones_can_be_given(void **state) {
    (void)state;
    const double values[] = {0.5, -1, 3, NAN, -1, 0.25}, levels[] = {2, NAN, 0};
    sporf_dataset *data = random_data(DATA_MIXED, 100, 6, 3, 5);
    sporf_forest *forest = train_with(data, "trees", "10", NULL);
    for (size_t j = 0; j < 2; j++) {
        sporf_dependence_options options = options_with(0);
        int category = spf_schema_kind(&forest->schema, j) == SPORF_KIND_CATEGORY;
        options.values[0] = category ? levels : values;
        options.values_count[0] = category ? 3 : 6;
        check_features(forest, data, options, j, j);
    }
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void one_row_has_its_own_curve(void **state) {
    (void)state;
    const uint32_t row = 17;
    sporf_dataset *data = random_data(DATA_SMOOTH, 80, 4, 2, 11), *one;
    sporf_forest *forest = train_with(data, "trees", "15", NULL);
    sporf_dependence_options options = options_with(0);
    const double values[] = {-1, 0, 1};
    options.values[0] = values;
    options.values_count[0] = 3;
    assert_ok(sporf_dataset_select(data, &row, 1, &one));
    check_features(forest, one, options, 2, 2);
    sporf_dataset_free(one);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void many_rows_in_several_blocks_do_not_depend_on_threads(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_SMOOTH, 9000, 4, 1, 2);
    sporf_forest *forest = train_with(data, "trees", "3", "min-leaf", "50", NULL);
    sporf_dependence_options options = options_with(20);
    sporf_dependence *one, *three;
    options.threads = 1;
    one = dependence(forest, data, &options, 0, 0);
    options.threads = 3;
    three = dependence(forest, data, &options, 0, 0);
    check_same(one, three);
    sporf_dependence_free(one);
    sporf_dependence_free(three);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

static void a_sample_is_rows_by_chance_and_the_same_for_a_seed(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 200, 4, 2, 3);
    sporf_forest *forest = train_with(data, "trees", "5", NULL);
    sporf_dependence_options options = options_with(5);
    options.sample = 30;
    options.seed = 4;
    sporf_dependence *a = dependence(forest, data, &options, 1, 1);
    sporf_dependence *b = dependence(forest, data, &options, 1, 1);
    check_same(a, b);
    assert_int_equal(a->rows_count, 30);
    for (size_t i = 1; i < 30; i++) assert_true(a->rows[i] > a->rows[i - 1] && a->rows[i] < 200);
    sporf_dependence_free(a);
    sporf_dependence_free(b);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- grids ----------------------------------------------------------------------------------- */

static sporf_dataset *column_of(const double *values, size_t rows) {
    sporf_dataset *data;
    const sporf_matrix matrix = {values, SPORF_FLOAT64, rows, 1, 1, 1};
    int64_t *labels = malloc(rows * sizeof *labels);
    for (size_t i = 0; i < rows; i++) labels[i] = i % 2;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, rows));
    free(labels);
    return data;
}

static void a_grid_has_equal_distances_between_quantiles(void **state) {
    (void)state;
    double values[11];
    for (size_t i = 0; i < 11; i++) values[i] = (double)((i * 7) % 11);
    sporf_dataset *data = column_of(values, 11);
    sporf_forest *forest = train_with(data, "trees", "2", NULL);
    sporf_dependence_options options = options_with(5);
    sporf_dependence *d = dependence(forest, data, &options, 0, 0);
    assert_int_equal(d->values_count[0], 5); /* as scipy's mquantiles: 0.96 - 1 and 10.04 - 1 */
    assert_near(d->values[0][0], 0, 0.0400001);
    assert_near(d->values[0][2], 5, 1e-12);
    assert_near(d->values[0][4] - d->values[0][3], d->values[0][1] - d->values[0][0], 1e-12);
    sporf_dependence_free(d);
    options.grid = 12;
    d = dependence(forest, data, &options, 0, 0);
    assert_int_equal(d->values_count[0], 11); /* all values */
    for (size_t i = 0; i < 11; i++) assert_true(d->values[0][i] == (double)i);
    sporf_dependence_free(d);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- accumulated local effects --------------------------------------------------------------- */

/* The same by a loop over the rows. */
static void check_effects(const sporf_forest *forest, const sporf_dataset *data,
                          const sporf_dependence_options *options, const sporf_dependence *d) {
    size_t bins = d->points, outputs = d->outputs, feature = d->features[0];
    double *all = brute_force(forest, data, options, d);
    double *effects = calloc(bins * outputs, sizeof *effects),
           *weights = calloc(bins, sizeof *weights);
    const float *column = data->columns[feature];
    for (size_t i = 0; i < data->rows; i++) {
        size_t b = 1;
        if (isnan(column[i])) continue;
        while (b + 1 < bins && d->values[0][b] < (double)column[i]) b++;
        weights[b] += weight_of(data, i);
        for (size_t k = 0; k < outputs; k++)
            effects[b * outputs + k] +=
                weight_of(data, i) * (all[(b * data->rows + i) * outputs + k] -
                                      all[((b - 1) * data->rows + i) * outputs + k]);
    }
    for (size_t k = 0; k < outputs; k++) {
        double mean = 0, total = 0;
        for (size_t b = 1; b < bins; b++) {
            if (weights[b] > 0) effects[b * outputs + k] /= weights[b];
            effects[b * outputs + k] += effects[(b - 1) * outputs + k];
            mean += weights[b] * (effects[b * outputs + k] + effects[(b - 1) * outputs + k]) / 2;
            total += weights[b];
        }
        for (size_t b = 0; b < bins; b++)
            assert_near(d->mean[b * outputs + k], effects[b * outputs + k] - mean / total, 1e-12);
    }
    free(all);
    free(effects);
    free(weights);
}

static void local_effects_are_accumulated_over_the_bins_of_the_rows(void **state) {
    (void)state;
    sporf_dataset *data = with_targets(DATA_MIXED, 150, 5, 2, 9);
    weigh_rows(data, 1);
    sporf_forest *forest = train_with(data, "trees", "10", NULL);
    sporf_dependence_options options = options_with(7);
    options.kind = SPORF_DEPENDENCE_ALE;
    size_t number = spf_schema_kind(&forest->schema, 0) == SPORF_KIND_NUMBER ? 0 : 1;
    sporf_dependence *d = dependence(forest, data, &options, number, number);
    check_effects(forest, data, &options, d);
    sporf_dependence_free(d);
    const size_t category = 1 - number;
    assert_refused(sporf_dependence_create(forest, data, &options, NULL, &category, 1, &d),
                   SPORF_ERROR_ARGUMENT, "need an order");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- interactions ---------------------------------------------------------------------------- */

/* y = x0 x1 + x2, on a balanced grid. */
static sporf_dataset *product_table(size_t rows) {
    double *x = malloc(rows * 3 * sizeof *x);
    double *y = malloc(rows * sizeof *y);
    sporf_dataset *data;
    sporf_random random = spf_random_start(1, 1, SPF_USE_SIMULATE);
    for (size_t i = 0; i < rows * 3; i++) x[i] = spf_random_normal(&random);
    for (size_t i = 0; i < rows; i++) y[i] = x[i * 3] * x[i * 3 + 1] + x[i * 3 + 2];
    assert_ok(sporf_dataset_from_matrix(&(sporf_matrix){x, SPORF_FLOAT64, rows, 3, 3, 1}, &data));
    assert_ok(
        sporf_dataset_set_targets(data, &(sporf_matrix){y, SPORF_FLOAT64, rows, 1, 1, 1}, NULL));
    free(x);
    free(y);
    return data;
}

static void the_pair_that_is_multiplied_interacts(void **state) {
    (void)state;
    const size_t features[] = {2, 0, 1};
    sporf_dataset *data = product_table(2000);
    sporf_forest *forest = train_with(data, "method", "rf", "trees", "40", NULL);
    sporf_dependence_options options = options_with(0);
    sporf_interactions *found, *again;
    options.sample = 60;
    assert_ok(sporf_interactions_create(forest, data, &options, NULL, features, 3, &found));
    assert_int_equal(found->count, 3);
    assert_int_equal(found->pairs[0].first, 0);
    assert_int_equal(found->pairs[0].second, 1);
    assert_true(found->pairs[0].h > 0.6 && found->pairs[1].h < 0.4);
    assert_true(found->total[1] > found->total[0]);
    assert_int_equal(found->rows_count, 60);
    options.threads = 1;
    assert_ok(sporf_interactions_create(forest, data, &options, NULL, features, 3, &again));
    assert_memory_equal(found->pairs, again->pairs, 3 * sizeof *found->pairs);
    assert_memory_equal(found->total, again->total, 3 * sizeof *found->total);
    sporf_interactions_free(found);
    sporf_interactions_free(again);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* H from the dependences that the other functions give. */
static void h_follows_from_partial_dependences(void **state) {
    (void)state;
    enum { ROWS = 40 };
    const size_t features[] = {0, 1};
    sporf_dataset *data = product_table(ROWS);
    sporf_forest *forest = train_with(data, "trees", "10", NULL);
    double mean[3][ROWS], x[2][ROWS], part = 0, all = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t f = 0; f < 2; f++) x[f][i] = (double)data->columns[f][i];
    for (size_t kind = 0; kind < 3; kind++)
        for (size_t i = 0; i < ROWS; i++) {
            sporf_dependence_options options = options_with(0);
            for (size_t f = 0; f < 2; f++) {
                options.values[f] = kind == 2 ? &x[f][i] : &x[kind][i];
                options.values_count[f] = 1;
            }
            sporf_dependence *d =
                dependence(forest, data, &options, kind == 2 ? 0 : kind, kind == 2 ? 1 : kind);
            mean[kind][i] = d->mean[0];
            sporf_dependence_free(d);
        }
    for (size_t kind = 0; kind < 3; kind++) {
        double centre = 0;
        for (size_t i = 0; i < ROWS; i++) centre += mean[kind][i] / ROWS;
        for (size_t i = 0; i < ROWS; i++) mean[kind][i] -= centre;
    }
    for (size_t i = 0; i < ROWS; i++) {
        part += pow(mean[2][i] - mean[1][i] - mean[0][i], 2);
        all += pow(mean[2][i], 2);
    }
    sporf_interactions *found;
    assert_ok(sporf_interactions_create(forest, data, NULL, NULL, features, 2, &found));
    assert_near(found->pairs[0].h, sqrt(part / all), 1e-10);
    assert_near(found->pairs[0].strength, sqrt(part / ROWS), 1e-10);
    sporf_interactions_free(found);
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static int stop(void *payload) {
    (void)payload;
    return 1;
}

static void what_makes_no_sense_is_refused(void **state) {
    (void)state;
    const size_t wrong = 9, good = 0, twice[] = {1, 1}, three[] = {0, 1, 2};
    const double infinite = INFINITY;
    sporf_dataset *data = random_data(DATA_SMOOTH, 50, 4, 2, 1);
    sporf_forest *forest = train_with(data, "trees", "3", NULL);
    sporf_dependence *d;
    sporf_interactions *found;
    sporf_dependence_options options = options_with(1);
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.interrupt = stop;
    assert_refused(sporf_dependence_create(NULL, data, NULL, NULL, &good, 1, &d),
                   SPORF_ERROR_ARGUMENT, "needs a forest");
    assert_refused(sporf_dependence_create(forest, data, NULL, NULL, &wrong, 1, &d),
                   SPORF_ERROR_ARGUMENT, "no feature 9");
    assert_refused(sporf_dependence_create(forest, data, NULL, NULL, twice, 2, &d),
                   SPORF_ERROR_ARGUMENT, "twice");
    assert_refused(sporf_dependence_create(forest, data, NULL, NULL, three, 3, &d),
                   SPORF_ERROR_ARGUMENT, "1 or 2");
    assert_refused(sporf_dependence_create(forest, data, &options, NULL, &good, 1, &d),
                   SPORF_ERROR_ARGUMENT, "at least 2");
    options.grid = 0;
    options.scores = 1;
    assert_refused(sporf_dependence_create(forest, data, &options, NULL, &good, 1, &d),
                   SPORF_ERROR_MODEL, "no scores");
    options.scores = 0;
    options.from = 0.9;
    options.to = 0.1;
    assert_refused(sporf_dependence_create(forest, data, &options, NULL, &good, 1, &d),
                   SPORF_ERROR_ARGUMENT, "lower one first");
    options.from = options.to = 0;
    options.values[0] = &infinite;
    options.values_count[0] = 1;
    assert_refused(sporf_dependence_create(forest, data, &options, NULL, &good, 1, &d),
                   SPORF_ERROR_ARGUMENT, "1e30");
    enum { MANY = 10000 };
    double *many = malloc(MANY * sizeof *many);
    for (size_t i = 0; i < MANY; i++) many[i] = (double)i;
    options.values[0] = options.values[1] = many;
    options.values_count[0] = options.values_count[1] = MANY;
    assert_refused(sporf_dependence_create(forest, data, &options, NULL, three, 2, &d),
                   SPORF_ERROR_ARGUMENT, "the grid has 100000000 points, more than 67108863");
    free(many);
    assert_refused(sporf_dependence_create(forest, data, NULL, &hooks, &good, 1, &d),
                   SPORF_ERROR_CANCELLED, "interrupted");
    assert_refused(sporf_interactions_create(forest, data, NULL, NULL, &good, 1, &found),
                   SPORF_ERROR_ARGUMENT, "at least 2");
    for (size_t i = 0; i < data->rows; i++) ((float *)data->columns[0])[i] = NAN;
    assert_refused(sporf_dependence_create(forest, data, NULL, NULL, &good, 1, &d),
                   SPORF_ERROR_DATA, "all are missing");
    sporf_forest_free(forest);
    sporf_dataset_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependence_equals_predictions_of_replaced_rows),
        cmocka_unit_test(dependence_of_rotated_and_dense_trees_is_the_same),
        cmocka_unit_test(dependence_of_targets_equals_predictions_of_replaced_rows),
        cmocka_unit_test(dependence_of_boosted_models_equals_predictions_of_replaced_rows),
        cmocka_unit_test(dependence_of_a_trained_booster_with_categories_is_the_same),
        cmocka_unit_test(values_in_any_order_and_missing_ones_can_be_given),
        cmocka_unit_test(one_row_has_its_own_curve),
        cmocka_unit_test(many_rows_in_several_blocks_do_not_depend_on_threads),
        cmocka_unit_test(a_sample_is_rows_by_chance_and_the_same_for_a_seed),
        cmocka_unit_test(a_grid_has_equal_distances_between_quantiles),
        cmocka_unit_test(local_effects_are_accumulated_over_the_bins_of_the_rows),
        cmocka_unit_test(the_pair_that_is_multiplied_interacts),
        cmocka_unit_test(h_follows_from_partial_dependences),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
