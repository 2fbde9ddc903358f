/* The bags of trees: how often each row may count, and that rows are treated alike. */
#include "learn/rows/bag.h"

#include "support/check.h"
#include "support/random_data.h"
#include "support/repeated.h"

enum { ROWS = 300, CLASSES = 7 };

typedef struct {
    sporf_dataset *data;
    spf_row_weights given;
    spf_bagger bagger;
    uint32_t weights[ROWS];
    size_t sums[ROWS]; /* of the weights of all draws */
} fixture;

/* The weights may be NULL. */
static void open_fixture(fixture *f, sporf_bag kind, double fraction, const double *weights) {
    *f = (fixture){.data = random_data(DATA_NOISE, ROWS, 1, CLASSES, 5)};
    assert_ok(sporf_dataset_set_weights(f->data, weights, ROWS));
    assert_ok(spf_row_weights_create(f->data, spf_row_classes_of(f->data), NULL, SPORF_WEIGHT_COUNT,
                                     &f->given));
    assert_ok(
        spf_bagger_create(spf_row_classes_of(f->data), &f->given, kind, fraction, &f->bagger));
}

static void free_fixture(fixture *f) {
    spf_bagger_free(&f->bagger);
    spf_row_weights_free(&f->given);
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
    fixture f;
    open_fixture(&f, SPORF_BAG_BOOTSTRAP, 1, NULL);
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
    fixture f;
    open_fixture(&f, SPORF_BAG_BOOTSTRAP, 1, NULL);
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
    fixture f;
    open_fixture(&f, SPORF_BAG_STRATIFIED, 1, NULL);
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
    spf_row_weights given;
    spf_bagger bagger;
    assert_ok(sporf_dataset_from_matrix(&matrix, &data));
    assert_ok(sporf_dataset_set_labels_int(data, labels, 4));
    assert_ok(
        spf_row_weights_create(data, spf_row_classes_of(data), NULL, SPORF_WEIGHT_COUNT, &given));
    assert_ok(
        spf_bagger_create(spf_row_classes_of(data), &given, SPORF_BAG_STRATIFIED, 1, &bagger));
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
        fixture f;
        open_fixture(&f, SPORF_BAG_SUBSAMPLE, cases[c].fraction, NULL);
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
    fixture f;
    open_fixture(&f, SPORF_BAG_SUBSAMPLE, 0.05, NULL);
    for (uint64_t tree = 0; tree < 4000; tree++) draw(&f, tree);
    assert_equally_likely(f.sums, ROWS, 200);
    free_fixture(&f);
}

/* As many draws as a subsample has rows, but a row may be drawn again. */
static void a_bootstrap_of_a_share_draws_so_many_rows(void **state) {
    (void)state;
    static const struct {
        double fraction;
        size_t draws;
    } cases[] = {{1, 300}, {0.5, 150}, {0.07, 21}, {0.632, 190}, {1e-9, 1}, {0.9999, 300}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fixture f;
        uint32_t most = 0;
        open_fixture(&f, SPORF_BAG_BOOTSTRAP, cases[c].fraction, NULL);
        assert_int_equal(f.bagger.weight, cases[c].draws);
        for (uint64_t tree = 0; tree < 100; tree++) {
            draw(&f, tree);
            assert_int_equal(total(&f), cases[c].draws);
            for (size_t i = 0; i < ROWS; i++) most = f.weights[i] > most ? f.weights[i] : most;
        }
        assert_int_equal(most > 1, cases[c].draws > 1);
        free_fixture(&f);
    }
}

static void every_row_is_as_likely_in_a_bootstrap_of_a_share(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, SPORF_BAG_BOOTSTRAP, 0.05, NULL);
    for (uint64_t tree = 0; tree < 4000; tree++) draw(&f, tree);
    assert_equally_likely(f.sums, ROWS, 200);
    free_fixture(&f);
}

static void a_stratified_bag_of_a_share_takes_it_of_every_class(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, SPORF_BAG_STRATIFIED, 0.4, NULL);
    const uint32_t *labels = sporf_dataset_labels(f.data);
    size_t sizes[CLASSES] = {0};
    for (size_t i = 0; i < ROWS; i++) sizes[labels[i]]++;
    for (uint64_t tree = 0; tree < 50; tree++) {
        size_t drawn[CLASSES] = {0};
        draw(&f, tree);
        assert_int_equal(total(&f), f.bagger.weight);
        for (size_t i = 0; i < ROWS; i++) drawn[labels[i]] += f.weights[i];
        for (int k = 0; k < CLASSES; k++)
            assert_int_equal(drawn[k], (size_t)ceil(0.4 * (double)sizes[k] - 1e-9));
    }
    free_fixture(&f);
}

static void without_a_bag_every_row_counts_once(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f, SPORF_BAG_NONE, 0.5, NULL);
    draw(&f, 1);
    for (size_t i = 0; i < ROWS; i++) assert_int_equal(f.weights[i], 1);
    free_fixture(&f);
}

static void a_bag_is_a_function_of_its_stream(void **state) {
    (void)state;
    static const sporf_bag kinds[] = {SPORF_BAG_BOOTSTRAP, SPORF_BAG_STRATIFIED,
                                      SPORF_BAG_SUBSAMPLE};
    for (int k = 0; k < 3; k++) {
        fixture f;
        open_fixture(&f, kinds[k], 0.5, NULL);
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

/* ---- rows with weights ----------------------------------------------------------------------- */

/* Whole weights, and the bagger of the rows repeated so often. */
typedef struct {
    fixture weighted;
    double *times;
    sporf_dataset *data;
    spf_row_weights once;
    spf_bagger bagger;
    uint32_t *weights; /* of the repeated rows */
} pair;

static void open_pair(pair *p, sporf_bag kind, double fraction) {
    p->times = whole_weights(ROWS, CLASSES, 3);
    open_fixture(&p->weighted, kind, fraction, p->times);
    p->data = repeated_rows(p->weighted.data, p->times);
    p->weights = need(sporf_dataset_rows(p->data), sizeof *p->weights);
    assert_ok(spf_row_weights_create(p->data, spf_row_classes_of(p->data), NULL, SPORF_WEIGHT_COUNT,
                                     &p->once));
    assert_ok(spf_bagger_create(spf_row_classes_of(p->data), &p->once, kind, fraction, &p->bagger));
}

static void free_pair(pair *p) {
    spf_bagger_free(&p->bagger);
    sporf_dataset_free(p->data);
    free_fixture(&p->weighted);
    free(p->times);
    free(p->weights);
}

/* Not only with the same chances: from the same stream the same rows are drawn. */
static void whole_weights_draw_what_repeated_rows_draw(void **state) {
    (void)state;
    static const sporf_bag kinds[] = {SPORF_BAG_BOOTSTRAP, SPORF_BAG_STRATIFIED, SPORF_BAG_NONE};
    for (size_t k = 0; k < 6; k++) {
        pair p;
        open_pair(&p, kinds[k % 3], k < 3 ? 1 : 0.3);
        assert_int_equal(p.weighted.bagger.weight, p.bagger.weight);
        if (k < 3) assert_int_equal(p.bagger.weight, sporf_dataset_rows(p.data));
        for (uint64_t tree = 0; tree < 50; tree++) {
            sporf_random random = spf_random_start(tree, 1, SPF_USE_BAG);
            draw(&p.weighted, tree);
            spf_bagger_draw(&p.bagger, &random, p.weights);
            const uint32_t *copy = p.weights;
            for (size_t i = 0; i < ROWS; i++) {
                uint32_t sum = 0;
                for (size_t n = 0; n < (size_t)p.times[i]; n++) sum += *copy++;
                assert_int_equal(p.weighted.weights[i], sum);
            }
        }
        free_pair(&p);
    }
}

static void a_subsample_keeps_the_weights_of_its_rows(void **state) {
    (void)state;
    double *times = whole_weights(ROWS, CLASSES, 4);
    fixture f;
    open_fixture(&f, SPORF_BAG_SUBSAMPLE, 0.3, times);
    size_t heavy = 0;
    for (size_t i = 0; i < ROWS; i++) heavy += times[i] > 0;
    for (uint64_t tree = 0; tree < 100; tree++) {
        size_t drawn = 0;
        draw(&f, tree);
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(f.weights[i] == 0 || f.weights[i] == (uint32_t)times[i]);
            drawn += f.weights[i] > 0;
        }
        assert_int_equal(drawn, (size_t)ceil(0.3 * (double)heavy - 1e-9));
    }
    free_fixture(&f);
    free(times);
}

/* Broken weights: as many draws as rows that weigh anything, each by its share. */
static void rows_are_drawn_by_their_weight(void **state) {
    (void)state;
    enum { DRAWS = 4000 };
    static const sporf_bag kinds[] = {SPORF_BAG_BOOTSTRAP, SPORF_BAG_STRATIFIED};
    for (size_t k = 0; k < 2; k++) {
        double weights[ROWS], sum = 0, square = 0;
        for (size_t i = 0; i < ROWS; i++)
            sum += weights[i] = i % 5 == 4 ? 0 : 0.1 + (double)(i % 7) / 3;
        fixture f;
        open_fixture(&f, kinds[k], 1, weights);
        for (uint64_t tree = 0; tree < DRAWS; tree++) {
            draw(&f, tree);
            assert_int_equal(total(&f), f.bagger.weight);
        }
        assert_near((double)f.bagger.weight, ROWS * 4 / 5, k == 0 ? 0 : CLASSES / 2.0);
        for (size_t i = 0; i < ROWS; i++) {
            double wanted = DRAWS * (ROWS * 0.8) * weights[i] / sum;
            if (weights[i] == 0) assert_int_equal(f.sums[i], 0);
            if (weights[i] > 0) square += pow((double)f.sums[i] - wanted, 2) / wanted;
        }
        /* a class's number of draws is rounded, which adds a little to chance */
        assert_near(square / (ROWS * 0.8), 1, k == 0 ? 0.25 : 1.5);
        free_fixture(&f);
    }
}

static void weights_of_less_than_two_rows_need_a_bootstrap(void **state) {
    (void)state;
    double weights[ROWS];
    for (size_t i = 0; i < ROWS; i++) weights[i] = 1.0 / ROWS;
    fixture f;
    open_fixture(&f, SPORF_BAG_BOOTSTRAP, 1, weights);
    spf_bagger other;
    assert_refused(
        spf_bagger_create(spf_row_classes_of(f.data), &f.given, SPORF_BAG_NONE, 1, &other),
        SPORF_ERROR_DATA, "add up to 1 rows");
    free_fixture(&f);
}

/* ---- parts of bags --------------------------------------------------------------------------- */

/* As many rows as the share says, each with its whole weight. */
static void a_part_of_a_bag_has_its_share_of_rows(void **state) {
    (void)state;
    static const double shares[] = {0.001, 0.25, 0.5, 0.999};
    fixture f;
    open_fixture(&f, SPORF_BAG_BOOTSTRAP, 1, NULL);
    for (uint64_t tree = 0; tree < 40; tree++) {
        uint32_t before[ROWS], apart[ROWS], rows = 0, moved = 0;
        sporf_random random = spf_random_start(tree, 1, SPF_USE_HONEST);
        double share = shares[tree % 4];
        draw(&f, tree);
        memcpy(before, f.weights, sizeof before);
        uint32_t said = spf_bag_part(share, ROWS, &random, f.weights, apart);
        for (size_t i = 0; i < ROWS; i++) {
            assert_true(apart[i] == 0 || f.weights[i] == 0);
            assert_int_equal(apart[i] + f.weights[i], before[i]);
            rows += before[i] > 0;
            moved += apart[i] > 0;
        }
        assert_int_equal(moved, said);
        double wanted = fmin(fmax(floor(share * rows + 0.5), 1), rows - 1);
        assert_true(moved == wanted);
    }
    free_fixture(&f);
}

static void all_rows_of_a_bag_are_parted_alike(void **state) {
    (void)state;
    enum { DRAWS = 2000 };
    size_t counts[ROWS] = {0};
    for (uint64_t tree = 0; tree < DRAWS; tree++) {
        uint32_t weights[ROWS], apart[ROWS];
        sporf_random random = spf_random_start(tree, 1, SPF_USE_HONEST);
        for (size_t i = 0; i < ROWS; i++) weights[i] = 1 + i % 3;
        spf_bag_part(0.3, ROWS, &random, weights, apart);
        for (size_t i = 0; i < ROWS; i++) counts[i] += apart[i] > 0;
    }
    for (size_t i = 0; i < ROWS; i++) /* binomial: five standard deviations */
        assert_near((double)counts[i], 0.3 * DRAWS, 5 * sqrt(0.3 * 0.7 * DRAWS));
}

static void a_bag_of_one_row_is_not_parted(void **state) {
    (void)state;
    for (uint32_t rows = 0; rows <= 3; rows++) {
        uint32_t weights[] = {rows > 2, 0, rows > 1 ? 4 : 0, rows > 0 ? 9 : 0}, apart[4];
        sporf_random random = spf_random_start(rows, 1, SPF_USE_HONEST);
        uint32_t moved = spf_bag_part(0.01, 4, &random, weights, apart), found = 0;
        assert_int_equal(moved, rows > 1);
        for (size_t i = 0; i < 4; i++) found += apart[i] > 0;
        assert_int_equal(found, moved);
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
        cmocka_unit_test(a_bootstrap_of_a_share_draws_so_many_rows),
        cmocka_unit_test(every_row_is_as_likely_in_a_bootstrap_of_a_share),
        cmocka_unit_test(a_stratified_bag_of_a_share_takes_it_of_every_class),
        cmocka_unit_test(without_a_bag_every_row_counts_once),
        cmocka_unit_test(a_bag_is_a_function_of_its_stream),
        cmocka_unit_test(whole_weights_draw_what_repeated_rows_draw),
        cmocka_unit_test(a_subsample_keeps_the_weights_of_its_rows),
        cmocka_unit_test(rows_are_drawn_by_their_weight),
        cmocka_unit_test(weights_of_less_than_two_rows_need_a_bootstrap),
        cmocka_unit_test(a_part_of_a_bag_has_its_share_of_rows),
        cmocka_unit_test(all_rows_of_a_bag_are_parted_alike),
        cmocka_unit_test(a_bag_of_one_row_is_not_parted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
