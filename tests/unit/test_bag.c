/* The bags of trees: how often each row may count, and that rows are treated alike. */
#include "learn/bag.h"

#include "support/check.h"
#include "support/random_data.h"

enum { ROWS = 300, CLASSES = 7 };

typedef struct {
    sporf_dataset *data;
    spf_bagger bagger;
    uint32_t weights[ROWS];
    size_t sums[ROWS]; /* of the weights of all draws */
} fixture;

static fixture new_fixture(sporf_bag kind, double fraction) {
    fixture f = {.data = random_data(DATA_NOISE, ROWS, 1, CLASSES, 5)};
    assert_ok(spf_bagger_create(f.data, kind, fraction, &f.bagger));
    return f;
}

static void free_fixture(fixture *f) {
    spf_bagger_free(&f->bagger);
    sporf_dataset_free(f->data);
}

static void draw(fixture *f, uint64_t tree) {
    sporf_random random = spf_random_start(tree, 1, SPF_USE_BAG);
    memset(f->weights, 0xff, sizeof f->weights);
    spf_bagger_draw(&f->bagger, &random, f->weights);
    for (size_t i = 0; i < ROWS; i++) f->sums[i] += f->weights[i];
}

static size_t total(const fixture *f) {
    size_t sum = 0;
    for (size_t i = 0; i < ROWS; i++) sum += f->weights[i];
    return sum;
}

static void a_bootstrap_draws_as_many_rows_as_there_are(void **state) {
    (void)state;
    fixture f = new_fixture(SPORF_BAG_BOOTSTRAP, 1);
    for (uint64_t tree = 0; tree < 200; tree++) {
        draw(&f, tree);
        assert_int_equal(total(&f), ROWS);
    }
    free_fixture(&f);
}

/* A row is drawn k times with the chances of a binomial, nearly Poisson(1). */
static void a_bootstrap_leaves_out_one_row_in_e(void **state) {
    (void)state;
    enum { DRAWS = 500 };
    fixture f = new_fixture(SPORF_BAG_BOOTSTRAP, 1);
    size_t times[4] = {0};
    for (uint64_t tree = 0; tree < DRAWS; tree++) {
        draw(&f, tree);
        for (size_t i = 0; i < ROWS; i++) times[f.weights[i] < 3 ? f.weights[i] : 3]++;
    }
    double n = DRAWS * ROWS, none = pow(1 - 1.0 / ROWS, ROWS), once = none * ROWS / (ROWS - 1);
    assert_near((double)times[0] / n, none, 0.005);
    assert_near((double)times[1] / n, once, 0.005);
    assert_near((double)times[2] / n, once / 2, 0.005);
    assert_equally_likely(f.sums, ROWS, DRAWS);
    free_fixture(&f);
}

static void a_stratified_bag_keeps_the_size_of_every_class(void **state) {
    (void)state;
    fixture f = new_fixture(SPORF_BAG_STRATIFIED, 1);
    const uint32_t *labels = sporf_dataset_labels(f.data);
    size_t sizes[CLASSES] = {0}, left_out = 0;
    for (size_t i = 0; i < ROWS; i++) sizes[labels[i]]++;
    for (uint64_t tree = 0; tree < 500; tree++) {
        size_t drawn[CLASSES] = {0};
        draw(&f, tree);
        for (size_t i = 0; i < ROWS; i++) {
            drawn[labels[i]] += f.weights[i];
            left_out += f.weights[i] == 0;
        }
        for (int k = 0; k < CLASSES; k++) assert_int_equal(drawn[k], sizes[k]);
    }
    assert_near((double)left_out / (500.0 * ROWS), exp(-1), 0.01);
    assert_equally_likely(f.sums, ROWS, 500);
    free_fixture(&f);
}

static void a_class_of_one_row_is_in_every_stratified_bag(void **state) {
    (void)state;
    const float x[] = {1, 2, 3, 4};
    const int64_t labels[] = {0, 0, 9, 0};
    sporf_matrix matrix = {x, SPORF_FLOAT32, 4, 1, 1, 4};
    sporf_dataset *data = NULL;
    spf_bagger bagger;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 4));
    assert_ok(spf_bagger_create(data, SPORF_BAG_STRATIFIED, 1, &bagger));
    for (uint64_t tree = 0; tree < 100; tree++) {
        uint32_t weights[4];
        sporf_random random = spf_random_start(tree, 1, SPF_USE_BAG);
        spf_bagger_draw(&bagger, &random, weights);
        assert_int_equal(weights[2], 1);
    }
    spf_bagger_free(&bagger);
    sporf_dataset_free(data);
}

/* The product 0.07 x 300 is a little above 21 in floating point, which must not round up to 22. */
static void a_subsample_holds_its_share_of_the_rows_once_each(void **state) {
    (void)state;
    static const struct {
        double fraction;
        size_t rows;
    } cases[] = {{1, 300},  {0.5, 150}, {0.07, 21}, {0.29, 87},  {0.632, 190},
                 {1e-9, 1}, {0.001, 1}, {0.01, 3},  {0.0101, 4}, {0.9999, 300},
                 {0.1, 30}, {0.3, 90},  {0.7, 210}, {0.57, 171}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fixture f = new_fixture(SPORF_BAG_SUBSAMPLE, cases[c].fraction);
        for (uint64_t tree = 0; tree < 10; tree++) {
            draw(&f, tree);
            assert_int_equal(total(&f), cases[c].rows);
            for (size_t i = 0; i < ROWS; i++) assert_true(f.weights[i] <= 1);
        }
        free_fixture(&f);
    }
}

static void every_row_is_as_likely_in_a_subsample(void **state) {
    (void)state;
    fixture f = new_fixture(SPORF_BAG_SUBSAMPLE, 0.05);
    for (uint64_t tree = 0; tree < 4000; tree++) draw(&f, tree);
    assert_equally_likely(f.sums, ROWS, 200);
    free_fixture(&f);
}

static void without_a_bag_every_row_counts_once(void **state) {
    (void)state;
    fixture f = new_fixture(SPORF_BAG_NONE, 0.5);
    draw(&f, 1);
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(f.weights[i], 1);
    free_fixture(&f);
}

static void a_bag_is_a_function_of_its_stream(void **state) {
    (void)state;
    static const sporf_bag kinds[] = {SPORF_BAG_BOOTSTRAP, SPORF_BAG_STRATIFIED,
                                      SPORF_BAG_SUBSAMPLE};
    for (int k = 0; k < 3; k++) {
        fixture f = new_fixture(kinds[k], 0.5);
        uint32_t first[ROWS];
        draw(&f, 1);
        memcpy(first, f.weights, sizeof first);
        draw(&f, 2);
        assert_memory_not_equal(first, f.weights, sizeof first);
        draw(&f, 1);
        assert_memory_equal(first, f.weights, sizeof first);
        free_fixture(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bootstrap_draws_as_many_rows_as_there_are),
        cmocka_unit_test(a_bootstrap_leaves_out_one_row_in_e),
        cmocka_unit_test(a_stratified_bag_keeps_the_size_of_every_class),
        cmocka_unit_test(a_class_of_one_row_is_in_every_stratified_bag),
        cmocka_unit_test(a_subsample_holds_its_share_of_the_rows_once_each),
        cmocka_unit_test(every_row_is_as_likely_in_a_subsample),
        cmocka_unit_test(without_a_bag_every_row_counts_once),
        cmocka_unit_test(a_bag_is_a_function_of_its_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
