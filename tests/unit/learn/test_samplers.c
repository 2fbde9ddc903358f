/* The samplers that need random numbers only: how many terms, which features, what weights. */
#include "support/sampling.h"

#include <time.h>

#include "support/check.h"
#include "support/random_data.h"

/* ---- amounts --------------------------------------------------------------------------------- */

static spf_sampler_settings resolve_slots(const char *method, const char *projections,
                                          const char *density, size_t features, size_t slots) {
    sporf_params params =
        params_with("method", method, "projections", projections, "density", density, (char *)NULL);
    spf_sampler_settings settings;
    assert_ok(spf_method_resolve(&params, features, slots, &settings));
    return settings;
}

static spf_sampler_settings resolve(const char *method, const char *projections,
                                    const char *density, size_t features) {
    return resolve_slots(method, projections, density, features, features);
}

static void amounts_follow_the_number_of_features(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t features;
        uint32_t wanted;
    } cases[] = {
        {"p", 20, 20},     {"400", 20, 400},  {"sqrt", 20, 5},    {"sqrt", 16, 4},
        {"sqrt", 1, 1},    {"p^2", 20, 400},  {"2p", 20, 40},     {"0.5p", 7, 4},
        {"p^0.25", 16, 2}, {"1.5p^2", 4, 24}, {"1/p", 9, 1},      {"p^1.5", 100, 1000},
        {"1", 10, 1},      {"p^3", 10, 1000}, {"0.07p", 300, 21}, {"p^0.75", 10000, 1000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(resolve("sporf", cases[i].text, "3/p", cases[i].features).projections,
                         cases[i].wanted);
}

static void densities_become_numbers_of_nonzeros(void **state) {
    (void)state;
    assert_near(resolve("sporf", "p", "3/p", 20).nonzeros, 3, 0);
    assert_near(resolve("sporf", "p", "2.5/p", 20).nonzeros, 2.5, 0);
    assert_near(resolve("sporf", "p", "0.25", 20).nonzeros, 5, 1e-12);
    assert_near(resolve("sporf", "p", "1", 20).nonzeros, 20, 1e-12);
    assert_near(resolve("sporf", "p", "30/p", 20).nonzeros, 20, 0);
    assert_near(resolve("frc", "p", "2.5/p", 20).nonzeros, 3, 0);
    assert_near(resolve("frc", "p", "0.1/p", 20).nonzeros, 1, 0);
    assert_near(resolve("frc", "p", "0.15", 20).nonzeros, 3, 0);
}

static sporf_status resolve_status(const char *method, const char *name, const char *value,
                                   size_t features) {
    sporf_params params = params_with("method", method, name, value, (char *)NULL);
    spf_sampler_settings settings;
    return spf_method_resolve(&params, features, features, &settings);
}

/* Seven numbers, and seven categories with three slots each: p is 14, 3/p are three terms, and a
 * number is a share of the slots. Where slots are drawn without replacement, p means all. */
static void p_counts_features_not_slots(void **state) {
    (void)state;
    assert_int_equal(resolve_slots("sporf", "p", "3/p", 14, 28).projections, 14);
    assert_near(resolve_slots("sporf", "p", "3/p", 14, 28).nonzeros, 3, 0);
    assert_near(resolve_slots("sporf", "p", "0.25", 14, 28).nonzeros, 7, 1e-12);
    assert_near(resolve_slots("sporf", "p", "1", 14, 28).nonzeros, 28, 1e-12);
    assert_near(resolve_slots("frc", "p", "20/p", 14, 28).nonzeros, 20, 0);
    assert_int_equal(resolve_slots("rf", "sqrt", "3/p", 14, 28).projections, 4);
    assert_int_equal(resolve_slots("rf", "13", "3/p", 14, 28).projections, 13);
    assert_int_equal(resolve_slots("rf", "14", "3/p", 14, 28).projections, 14);
    assert_int_equal(resolve_slots("rf", "28", "3/p", 14, 28).projections, 28);
    assert_int_equal(resolve_slots("rf", "p", "3/p", 14, 28).projections, 28);
    assert_near(resolve_slots("sporf", "p", "p^-0.5", 16, 40).nonzeros, 4, 1e-12);
    sporf_params params = params_with("method", "rf", "projections", "29", (char *)NULL);
    spf_sampler_settings settings;
    assert_refused(spf_method_resolve(&params, 14, 28, &settings), SPORF_ERROR_ARGUMENT,
                   "no more than 28");
}

static void amounts_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const char *const choosers[] = {"rf", "rr-rf", "ccf"};
    for (int i = 0; i < 3; i++) {
        assert_refused(resolve_status(choosers[i], "projections", "21", 20), SPORF_ERROR_ARGUMENT,
                       "projections is 21");
        assert_ok(resolve_status(choosers[i], "projections", "20", 20));
    }
    assert_ok(resolve_status("sporf", "projections", "21", 20));
    assert_refused(resolve_status("sporf", "density", "1.5", 20), SPORF_ERROR_ARGUMENT, "density");
    assert_refused(resolve_status("sporf", "density", "2p", 20), SPORF_ERROR_ARGUMENT, "got 40");
    assert_refused(resolve_status("frc", "density", "sqrt", 16), SPORF_ERROR_ARGUMENT, "got 4");
    assert_ok(resolve_status("sporf", "density", "p", 1));
    assert_ok(resolve_status("sporf", "density", "5p^-0.5", 16));
    assert_refused(resolve_status("sporf", "projections", "p^4", 1000), SPORF_ERROR_ARGUMENT,
                   "projections");
    assert_refused(resolve_status("frc", "density", "1", 100000), SPORF_ERROR_ARGUMENT,
                   "too many for one node");
    assert_refused(resolve_status("patch", "image-width", "7", 20), SPORF_ERROR_ARGUMENT,
                   "image-width is 7");
    assert_refused(resolve_status("patch", "patch-min", "6", 20), SPORF_ERROR_ARGUMENT,
                   "patch-max");
    assert_refused(resolve_status("patch", "image-width", "40", 20), SPORF_ERROR_ARGUMENT,
                   "image-width is 40");
}

/* Density means nothing where a projection is one feature, or all that ccf draws. */
static void a_density_that_is_not_used_refuses_nothing(void **state) {
    (void)state;
    assert_ok(resolve_status("rf", "density", "1", 100000));
    assert_ok(resolve_status("rr-rf", "density", "1", 100000));
    assert_ok(resolve_status("ccf", "density", "1", 100000));
}

/* ---- sporf ----------------------------------------------------------------------------------- */

static void assert_is_line(const sampling *s, size_t index) {
    const uint32_t *feature = sampled_features(s, index);
    const float *weight = sampled_weights(s, index);
    size_t terms = spf_projection_terms(&s->drawn, index);
    float largest = 0;
    assert_true(terms > 0 && weight[0] > 0);
    for (size_t i = 0; i < terms; i++) {
        assert_true(feature[i] < s->view.features);
        assert_true(i == 0 || feature[i - 1] < feature[i]);
        assert_true(weight[i] != 0 && weight[i] >= -1 && weight[i] <= 1);
        largest = fmaxf(largest, fabsf(weight[i]));
    }
    assert_true(largest == 1);
}

static void the_grid_has_exactly_the_asked_number_of_nonzeros(void **state) {
    (void)state;
    static const struct {
        const char *projections, *density;
        size_t features, wanted;
    } cases[] = {{"20", "3/p", 20, 60},   {"400", "2/p", 20, 800}, {"7", "0.5/p", 10, 4},
                 {"1", "0.1/p", 5, 1},    {"3", "1", 4, 12},       {"10", "0.07", 30, 21},
                 {"13", "1.3/p", 50, 17}, {"10", "9/p", 3, 30},    {"5", "0.0001", 10, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sampling *s = sampling_start(params_with("projections", cases[c].projections, "density",
                                                 cases[c].density, (char *)NULL),
                                     NULL, cases[c].features);
        for (uint64_t node = 0; node < 200; node++) {
            sampling_draw(s, node);
            assert_int_equal(s->drawn.terms, cases[c].wanted);
            for (size_t i = 0; i < s->drawn.count; i++) {
                assert_is_line(s, i);
                for (size_t t = 0; t < spf_projection_terms(&s->drawn, i); t++)
                    assert_true(fabsf(sampled_weights(s, i)[t]) == 1);
            }
        }
        sampling_end(s);
    }
}

/* Where no projection is empty, the order of the projections is that of the grid's columns. */
static void every_cell_of_the_grid_is_equally_likely(void **state) {
    (void)state;
    enum { FEATURES = 6, COLUMNS = 5, DRAWS = 20000 };
    size_t cells[FEATURES * COLUMNS] = {0}, used = 0;
    sampling *s = sampling_start(params_with("projections", "5", "density", "2/p", (char *)NULL),
                                 NULL, FEATURES);
    for (uint64_t node = 0; node < DRAWS; node++) {
        sampling_draw(s, node);
        if (s->drawn.count < COLUMNS) continue;
        used++;
        for (size_t j = 0; j < COLUMNS; j++)
            for (size_t t = 0; t < spf_projection_terms(&s->drawn, j); t++)
                cells[j * FEATURES + sampled_features(s, j)[t]]++;
    }
    assert_true(used > DRAWS / 3);
    assert_equally_likely(cells, FEATURES * COLUMNS, (double)used * 10 / 30);
    sampling_end(s);
}

/* A column of the p x d grid is empty with the hypergeometric chance C(pd - p, k) / C(pd, k). */
static void empty_projections_are_passed_over_as_often_as_they_occur(void **state) {
    (void)state;
    enum { P = 20, D = 20, DRAWS = 2000 };
    sampling *s =
        sampling_start(params_with("projections", "p", "density", "1/p", (char *)NULL), NULL, P);
    double empty = 1, kept = 0;
    for (int i = 0; i < D; i++) empty *= (double)(P * D - P - i) / (double)(P * D - i);
    for (uint64_t node = 0; node < DRAWS; node++) {
        sampling_draw(s, node);
        kept += (double)s->drawn.count / D / DRAWS;
    }
    assert_near(kept, 1 - empty, 0.01);
    sampling_end(s);
}

/* A first term is always positive; the others are relative to it. */
static void relative_signs_are_balanced(void **state) {
    (void)state;
    size_t signs[2] = {0};
    sampling *s = sampling_start(params_with("projections", "50", (char *)NULL), NULL, 10);
    for (uint64_t node = 0; node < 300; node++) {
        sampling_draw(s, node);
        for (size_t i = 0; i < s->drawn.count; i++)
            for (size_t t = 1; t < spf_projection_terms(&s->drawn, i); t++)
                signs[sampled_weights(s, i)[t] > 0]++;
    }
    assert_equally_likely(signs, 2, (double)(signs[0] + signs[1]) / 2);
    sampling_end(s);
}

/* Of two terms one has weight 1; `uniform` brings the other's magnitude to a uniform number. */
static void check_weights(const char *weights, double (*uniform)(double)) {
    enum { CELLS = 20 };
    size_t counts[CELLS] = {0}, signs[2] = {0}, first[2] = {0};
    sampling *s = sampling_start(
        params_with("projections", "50", "weights", weights, "density", "2/p", (char *)NULL), NULL,
        10);
    for (uint64_t node = 0; node < 1000; node++) {
        sampling_draw(s, node);
        for (size_t i = 0; i < s->drawn.count; i++) {
            assert_is_line(s, i);
            if (spf_projection_terms(&s->drawn, i) != 2) continue;
            const float *w = sampled_weights(s, i);
            int smaller = fabsf(w[1]) < fabsf(w[0]);
            counts[(int)fmin(uniform(fabs(w[smaller])) * CELLS, CELLS - 1)]++;
            signs[w[1] > 0]++;
            first[smaller]++;
        }
    }
    assert_equally_likely(counts, CELLS, (double)(signs[0] + signs[1]) / CELLS);
    assert_equally_likely(signs, 2, (double)(signs[0] + signs[1]) / 2);
    assert_equally_likely(first, 2, (double)(signs[0] + signs[1]) / 2);
    sampling_end(s);
}

static double of_uniform(double ratio) {
    return ratio;
}

static double of_normal(double ratio) {
    return atan(ratio) * 4 / acos(-1);
}

static void continuous_weights_have_their_distributions(void **state) {
    (void)state;
    check_weights("uniform", of_uniform);
    check_weights("normal", of_normal);
}

static void weights_of_one_are_all_one(void **state) {
    (void)state;
    sampling *s = sampling_start(params_with("weights", "one", (char *)NULL), NULL, 10);
    sampling_draw(s, 1);
    for (size_t i = 0; i < s->drawn.terms; i++) assert_true(s->drawn.weight[i] == 1);
    sampling_end(s);
}

static void poisson_counts_have_mean_and_variance_of_a_poisson(void **state) {
    (void)state;
    enum { P = 1000, D = 50, DRAWS = 2000 };
    sampling *s = sampling_start(
        params_with("projections", "50", "nonzeros", "poisson", "density", "2.5/p", (char *)NULL),
        NULL, P);
    double sum = 0, square = 0, n = (double)D * DRAWS, empty = 0;
    static size_t features[P];
    for (uint64_t node = 0; node < DRAWS; node++) {
        sampling_draw(s, node);
        empty += (double)(D - s->drawn.count);
        for (size_t i = 0; i < s->drawn.count; i++) {
            double terms = (double)spf_projection_terms(&s->drawn, i);
            assert_is_line(s, i);
            sum += terms;
            square += terms * terms;
        }
        for (size_t t = 0; t < s->drawn.terms; t++) features[s->drawn.feature[t]]++;
    }
    assert_near(sum / n, 2.5, 5 * sqrt(2.5 / n));
    assert_near(square / n - sum / n * sum / n, 2.5, 0.08);
    assert_near(empty / n, exp(-2.5), 0.005);
    assert_equally_likely(features, P, sum / P);
    sampling_end(s);
}

static void poisson_counts_stop_at_the_number_of_features(void **state) {
    (void)state;
    sampling *s =
        sampling_start(params_with("nonzeros", "poisson", "density", "1", (char *)NULL), NULL, 3);
    for (uint64_t node = 0; node < 200; node++) {
        sampling_draw(s, node);
        for (size_t i = 0; i < s->drawn.count; i++) assert_is_line(s, i);
    }
    sampling_end(s);
}

/* ---- rf and frc ------------------------------------------------------------------------------ */

static void rf_draws_every_order_of_distinct_features_equally_often(void **state) {
    (void)state;
    size_t pairs[12] = {0};
    sampling *s =
        sampling_start(params_with("method", "rf", "projections", "2", (char *)NULL), NULL, 4);
    for (uint64_t node = 0; node < 6000; node++) {
        sampling_draw(s, node);
        assert_int_equal(s->drawn.count, 2);
        assert_int_equal(s->drawn.terms, 2);
        uint32_t a = s->drawn.feature[0], b = s->drawn.feature[1];
        assert_true(a < 4 && b < 4 && a != b && s->drawn.weight[0] == 1 && s->drawn.weight[1] == 1);
        pairs[a * 3 + b - (b > a)]++;
    }
    assert_equally_likely(pairs, 12, 500);
    sampling_end(s);
}

static void frc_joins_exactly_l_distinct_features(void **state) {
    (void)state;
    enum { P = 12, D = 10, L = 3 };
    size_t features[P] = {0};
    sampling *s = sampling_start(
        params_with("method", "frc", "projections", "10", "density", "3/p", (char *)NULL), NULL, P);
    for (uint64_t node = 0; node < 2000; node++) {
        sampling_draw(s, node);
        assert_int_equal(s->drawn.count, D);
        for (size_t i = 0; i < D; i++) {
            assert_int_equal(spf_projection_terms(&s->drawn, i), L);
            assert_is_line(s, i);
        }
        for (size_t t = 0; t < s->drawn.terms; t++) features[s->drawn.feature[t]]++;
    }
    assert_equally_likely(features, P, 2000.0 * D * L / P);
    sampling_end(s);
}

static void frc_weights_are_uniform_and_independent(void **state) {
    (void)state;
    enum { CELLS = 20, NODES = 2000, D = 10 };
    size_t counts[CELLS] = {0}, signs[2] = {0};
    sampling *s = sampling_start(
        params_with("method", "frc", "projections", "10", "density", "2/p", (char *)NULL), NULL, 9);
    for (uint64_t node = 0; node < NODES; node++) {
        sampling_draw(s, node);
        for (size_t i = 0; i < D; i++) {
            const float *w = sampled_weights(s, i);
            counts[(int)fmin(fmin(fabs(w[0]), fabs(w[1])) * CELLS, CELLS - 1)]++;
            signs[w[1] > 0]++;
        }
    }
    assert_equally_likely(counts, CELLS, NODES * D / CELLS);
    assert_equally_likely(signs, 2, NODES * D / 2);
    sampling_end(s);
}

/* ---- all ------------------------------------------------------------------------------------- */

typedef struct {
    const char *method, *nonzeros;
} variant;

static const variant variants[] = {{"sporf", "grid"}, {"sporf", "poisson"}, {"rf", "grid"},
                                   {"frc", "grid"},   {"patch", "grid"},    {"rr-rf", "grid"},
                                   {"ccf", "grid"}};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void a_draw_does_not_depend_on_the_draws_before(void **state) {
    (void)state;
    sporf_dataset *data = random_data(DATA_SMOOTH, 40, 15, 3, 1);
    for (int v = 0; v < VARIANTS; v++) {
        sporf_params params = params_with("method", variants[v].method, "nonzeros",
                                          variants[v].nonzeros, "projections", "7", (char *)NULL);
        sampling *busy = sampling_start(params, data, 0);
        for (uint64_t node = 0; node < 20; node++) {
            sampling *fresh = sampling_start(params, data, 0);
            sampling_draw(fresh, node);
            sampling_draw(busy, node);
            assert_int_equal(fresh->drawn.count, busy->drawn.count);
            assert_int_equal(fresh->drawn.terms, busy->drawn.terms);
            assert_true(fresh->drawn.count > 0);
            assert_memory_equal(fresh->drawn.start, busy->drawn.start,
                                (fresh->drawn.count + 1) * sizeof *fresh->drawn.start);
            assert_memory_equal(fresh->drawn.feature, busy->drawn.feature,
                                fresh->drawn.terms * sizeof *fresh->drawn.feature);
            assert_memory_equal(fresh->drawn.weight, busy->drawn.weight,
                                fresh->drawn.terms * sizeof *fresh->drawn.weight);
            sampling_end(fresh);
        }
        sampling_end(busy);
    }
    sporf_dataset_free(data);
}

static double seconds_of_draws(sampling *s, uint64_t nodes) {
    double least = INFINITY;
    for (int attempt = 0; attempt < 5; attempt++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        for (uint64_t node = 0; node < nodes; node++) sampling_draw(s, node);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        double seconds =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        least = fmin(least, seconds);
    }
    return least;
}

/* A thousand times the features may cost cache misses, not a thousand times the work. The columns
 * are one and the same, which no sampler can know. */
static void a_draw_costs_no_more_where_there_are_a_million_features(void **state) {
    (void)state;
    enum { FEW = 1000, MANY = 1000000, ROWS = 12, NODES = 300 };
    static const float values[ROWS] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
    static const int64_t labels[ROWS] = {0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0};
    for (int v = 0; v < VARIANTS; v++) {
        if (strcmp(variants[v].method, "rr-rf") == 0) continue; /* draws as rf does */
        double seconds[2];
        for (int many = 0; many < 2; many++) {
            sporf_matrix matrix = {values, SPORF_FLOAT32, ROWS, many ? MANY : FEW, 1, 0};
            sporf_dataset *data = NULL;
            assert_ok(sporf_dataset_from_matrix(&matrix, &data));
            assert_ok(sporf_dataset_set_labels_int(data, labels, ROWS));
            sampling *s =
                sampling_start(params_with("method", variants[v].method, "nonzeros",
                                           variants[v].nonzeros, "projections", "10", (char *)NULL),
                               data, 0);
            seconds[many] = seconds_of_draws(s, NODES);
            sampling_end(s);
            sporf_dataset_free(data);
        }
        if (seconds[1] > 5 * seconds[0])
            fail_msg("%s: %g s for few features, %g s for many", variants[v].method, seconds[0],
                     seconds[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_follow_the_number_of_features),
        cmocka_unit_test(densities_become_numbers_of_nonzeros),
        cmocka_unit_test(p_counts_features_not_slots),
        cmocka_unit_test(amounts_that_make_no_sense_are_refused),
        cmocka_unit_test(a_density_that_is_not_used_refuses_nothing),
        cmocka_unit_test(the_grid_has_exactly_the_asked_number_of_nonzeros),
        cmocka_unit_test(every_cell_of_the_grid_is_equally_likely),
        cmocka_unit_test(empty_projections_are_passed_over_as_often_as_they_occur),
        cmocka_unit_test(relative_signs_are_balanced),
        cmocka_unit_test(continuous_weights_have_their_distributions),
        cmocka_unit_test(weights_of_one_are_all_one),
        cmocka_unit_test(poisson_counts_have_mean_and_variance_of_a_poisson),
        cmocka_unit_test(poisson_counts_stop_at_the_number_of_features),
        cmocka_unit_test(rf_draws_every_order_of_distinct_features_equally_often),
        cmocka_unit_test(frc_joins_exactly_l_distinct_features),
        cmocka_unit_test(frc_weights_are_uniform_and_independent),
        cmocka_unit_test(a_draw_does_not_depend_on_the_draws_before),
        cmocka_unit_test(a_draw_costs_no_more_where_there_are_a_million_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
