/* Sums of features in bins: every row, also one that chose no bin, goes the way of the plain walk
 * at each threshold. */
#include "learn/boosting/boost_defaults.h"
#include "learn/boosting/sums.h"
#include "learn/sampling/scale.h"
#include "model/forest.h"

#include "support/check.h"
#include "support/random_data.h"

enum { FEATURES = 7, ROUNDS = 3 };

typedef struct {
    spf_sums *sums;
    size_t cuts; /* that were checked */
} job;

/* The plain tree has no nodes, only the projections. */
static spf_tree plain_of(const spf_sums *sums) {
    const sporf_projections *list = &sums->list;
    return (spf_tree){.projections_count = (uint32_t)list->count,
                      .projection_start = list->start,
                      .term_feature = list->feature,
                      .term_weight = list->weight,
                      .features = sums->settings->data->features,
                      .sets = spf_set_list_view(&sums->sets)};
}

static void check_sum(job *j, const spf_tree *tree, size_t sum) {
    const spf_sums *sums = j->sums;
    const sporf_dataset *data = sums->settings->data;
    const uint8_t *bytes = spf_bin_bytes(&sums->binned, sum);
    size_t width = spf_bin_group_of(&sums->binned, sum)->width;
    unsigned least = SPF_SUM_BINS, most = 0;
    float above[SPF_SUM_BINS], below[SPF_SUM_BINS]; /* least and largest value of each bin */
    for (unsigned b = 0; b < SPF_SUM_BINS; b++) above[b] = INFINITY, below[b] = -INFINITY;
    for (size_t i = 0; i < data->rows; i++) {
        unsigned bin = bytes[i * width];
        float value = spf_tree_project(tree, (uint32_t)sum, (const float *const *)data->columns, i);
        assert_true(bin < sums->binned.columns[sum].bins && !isnan(value));
        least = bin < least ? bin : least;
        most = bin > most ? bin : most;
        above[bin] = fminf(above[bin], value);
        below[bin] = fmaxf(below[bin], value);
    }
    for (unsigned cut = least; cut < most; cut++, j->cuts++) {
        float threshold = spf_sums_threshold(sums, sum, cut);
        assert_true(isfinite(threshold));
        for (unsigned b = 0; b <= cut; b++) assert_true(below[b] <= threshold);
        for (unsigned b = cut + 1; b < SPF_SUM_BINS; b++) assert_true(above[b] > threshold);
    }
}

/* Every byte of every group, also of columns that this round does not use, is a bin of histograms.
 */
static void check_room(const spf_binned *binned) {
    for (size_t g = 0; g < binned->groups_count; g++) {
        const spf_bin_group *group = &binned->groups[g];
        for (size_t i = 0; i < binned->rows * group->width; i++)
            assert_true(group->bytes[i] < 1u << group->bits);
    }
}

static sporf_status draw_and_check(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    job *j = context;
    (void)seed;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        SPF_TRY(spf_sums_draw(j->sums, round, pool, worker));
        check_room(&j->sums->binned);
        spf_tree tree = plain_of(j->sums);
        assert_true(j->sums->list.count <= j->sums->binned.columns_count);
        for (size_t s = 0; s < j->sums->list.count; s++)
            if (j->sums->binned.columns[s].bins > 1) check_sum(j, &tree, s);
    }
    return SPORF_OK;
}

/* The data are freed. */
static size_t check_some(sporf_dataset *data, const char *method, int scaled, int few) {
    sporf_params params;
    spf_settings settings;
    spf_sums sums;
    float scale[FEATURES];
    job j = {.sums = &sums};
    sporf_params_init(&params);
    assert_ok(sporf_params_set(&params, "method", method));
    params.learner = SPORF_LEARNER_BOOSTING;
    if (strcmp(method, "rr-rf") != 0) params.projections = (sporf_amount){few ? 2 : 20, 0};
    spf_boost_defaults(data, 0, &params);
    assert_ok(spf_settings_create(data, &params, NULL, &settings));
    assert_ok(spf_scale_factors(data, settings.weights, SPORF_SCALE_SD, 1, scale));
    assert_ok(spf_sums_create(&settings, scaled ? scale : NULL, NULL, &sums));
    assert_ok(spf_pool_run(1, 1, draw_and_check, &j));
    spf_sums_free(&sums);
    spf_settings_free(&settings);
    sporf_dataset_free(data);
    return j.cuts;
}

static size_t check(sporf_dataset *data, const char *method, int scaled) {
    return check_some(data, method, scaled, 0);
}

static const char *const methods[] = {"sporf", "frc", "patch", "rr-rf"};

static void rows_go_the_way_of_the_plain_walk(void **state) {
    (void)state;
    static const data_kind kinds[] = {DATA_SMOOTH, DATA_TIED, DATA_CONSTANT, DATA_MIXED,
                                      DATA_BYTES};
    static const size_t sizes[] = {5, 300, 2500}; /* the last is more than the sample */
    for (size_t k = 0; k < 5; k++)
        for (size_t s = 0; s < 3; s++)
            for (size_t m = 0; m < 4; m++) {
                if (kinds[k] == DATA_MIXED && m == 3) continue;
                size_t cuts =
                    check(random_data(kinds[k], sizes[s], FEATURES, 2, k), methods[m], k != 1);
                assert_true(cuts > 0 || m == 2 || s == 0);
            }
}

static void extreme_values_go_the_same_way(void **state) {
    (void)state;
    static const float factors[] = {1e30f, 1e-30f, 1e-42f, 1};
    for (size_t f = 0; f < 4; f++)
        for (int scaled = 0; scaled < 2; scaled++)
            for (size_t m = 0; m < 4; m++) {
                sporf_dataset *data = random_data(DATA_SMOOTH, 1500, FEATURES, 2, f);
                for (size_t j = 0; j < FEATURES; j++)
                    for (size_t i = 0; i < 1500; i++) {
                        float *value = &spf_dataset_column(data, j)[i];
                        *value = fminf(fmaxf(*value * 0.1f * factors[f], -1e30f), 1e30f);
                        if (f == 3 && i == 77) *value = j % 2 ? 1e30f : -1e30f; /* an outlier */
                    }
                check(data, methods[m], scaled);
            }
}

/* Sums of such features vary in one round and are constant, as far as the sample tells, in the
 * next. */
static void rare_values_leave_no_bins_behind(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        sporf_dataset *data = random_data(DATA_SMOOTH, 3000, FEATURES, 2, seed);
        for (size_t j = 1; j < FEATURES; j++)
            for (size_t i = 0; i < 3000; i++)
                spf_dataset_column(data, j)[i] = i % 3 == 1 && (i + seed + j) % 7 == 0;
        check_some(data, "sporf", 0, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_go_the_way_of_the_plain_walk),
        cmocka_unit_test(extreme_values_go_the_same_way),
        cmocka_unit_test(rare_values_leave_no_bins_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
