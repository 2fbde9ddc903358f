/* The description of the file against the library: the Python reader, written from
 * docs/model-format.md alone, finds the same forest and predicts the same, to the last bit.
 * Labels: full */
#include "io/model_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "predict/predict.h"
#include "support/plain_tree.h"
#include "support/random_booster.h"
#include "support/tmpfile.h"

enum { ROWS = 25 };

/* The reader's place, found from that of this file. */
static const char *reader(void) {
    static char path[1024];
    const char *slash = strrchr(__FILE__, '/');
    int length = slash ? (int)(slash - __FILE__) : 0;
    snprintf(path, sizeof path, "%.*s%s../../support/read_model.py", length, __FILE__,
             slash ? "/" : "");
    return path;
}

static FILE *run(const char *model, const char *rows, const char *options) {
    char command[4096];
    snprintf(command, sizeof command, "python3 '%s' '%s' %s %s", reader(), model, rows, options);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    return pipe;
}

static void predict(const sporf_forest *forest, const float *row, int posteriors, double *totals) {
    memset(totals, 0, forest->classes * sizeof *totals);
    for (size_t t = 0; t < forest->trees_count; t++) {
        const spf_tree *tree = plain_tree(forest, t);
        uint32_t leaf = spf_tree_walk_row(tree, row);
        if (posteriors)
            spf_leaf_add_posterior(tree, leaf, totals);
        else
            totals[spf_leaf_vote(tree, leaf)] += 1;
    }
    for (size_t c = 0; c < forest->classes; c++) totals[c] /= (double)forest->trees_count;
}

static void write_rows(const char *path, const float *rows, size_t features) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < ROWS * features; i++)
        fprintf(file, "%.9g%c", rows[i], (i + 1) % features ? ',' : '\n');
    fclose(file);
}

static void assert_same_classes(const sporf_forest *forest, const char *model, const char *rows,
                                const float *values, int posteriors) {
    char line[256];
    double *totals = calloc(forest->classes, sizeof *totals);
    FILE *pipe = run(model, rows, posteriors ? "--posteriors" : "");
    for (int i = 0; i < ROWS; i++) {
        predict(forest, values + (size_t)i * forest->features, posteriors, totals);
        uint32_t winner = spf_argmax(totals, forest->classes);
        assert_non_null(fgets(line, sizeof line, pipe));
        line[strcspn(line, "\n")] = '\0';
        assert_string_equal(line, spf_strings_at(&forest->schema.classes, winner));
    }
    assert_int_equal(pclose(pipe), 0);
    free(totals);
}

static void assert_same_shares(const sporf_forest *forest, const char *model, const char *rows,
                               const float *values) {
    double *totals = calloc(forest->classes, sizeof *totals), share;
    FILE *pipe = run(model, rows, "--posteriors --probabilities");
    for (int i = 0; i < ROWS; i++) {
        predict(forest, values + (size_t)i * forest->features, 1, totals);
        for (size_t c = 0; c < forest->classes; c++) {
            assert_int_equal(fscanf(pipe, "%lf%*[,\n]", &share), 1);
            assert_true(share == totals[c]);
        }
    }
    assert_int_equal(pclose(pipe), 0);
    free(totals);
}

static void check_forest(uint64_t seed, const random_shape *shape, const char *directory) {
    char model[600], rows[600];
    sporf_forest *forest = random_forest(seed, shape);
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    float *values = malloc(ROWS * forest->features * sizeof *values);
    if (shape && shape->mixed)
        for (size_t i = 0; i < ROWS; i++)
            random_mixed_row(&random, values + i * forest->features, forest->features);
    else
        random_row(&random, values, ROWS * forest->features);
    snprintf(model, sizeof model, "%s/m.sporf", directory);
    snprintf(rows, sizeof rows, "%s/rows.csv", directory);
    assert_int_equal(spf_model_write(forest, model), SPORF_OK);
    write_rows(rows, values, forest->features);
    assert_same_classes(forest, model, rows, values, 0);
    assert_same_classes(forest, model, rows, values, 1);
    assert_same_shares(forest, model, rows, values);
    unlink(model);
    unlink(rows);
    free(values);
    sporf_forest_free(forest);
}

/* ---- boosted models -------------------------------------------------------------------------- */

/* Numbers of the reader, row by row; those that need powers differ in the last digits. */
static void assert_same_numbers(FILE *pipe, const double *wanted, size_t count, double tolerance) {
    for (size_t i = 0; i < count; i++) {
        double number;
        assert_int_equal(fscanf(pipe, "%lf%*[,\n]", &number), 1);
        assert_true(fabs(number - wanted[i]) <= tolerance * fabs(wanted[i]));
    }
    assert_int_equal(pclose(pipe), 0);
}

/* A table of random rows, also column by column. */
typedef struct {
    float values[ROWS * 16], turned[ROWS * 16];
    const float *columns[16];
} random_rows;

static void fill_rows(uint64_t seed, size_t features, random_rows *t) {
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    random_row(&random, t->values, ROWS * features);
    for (size_t i = 0; i < ROWS * features; i++)
        t->turned[i % features * ROWS + i / features] = t->values[i];
    for (size_t j = 0; j < features; j++) t->columns[j] = t->turned + j * ROWS;
}

static void check_booster(uint64_t seed, const booster_shape *shape, const char *directory) {
    char model[600], rows[600];
    double predicted[ROWS * 16], scores[ROWS * 16];
    random_rows t;
    sporf_forest *forest = random_booster(seed, shape);
    fill_rows(seed, forest->features, &t);
    snprintf(model, sizeof model, "%s/b.sporf", directory);
    snprintf(rows, sizeof rows, "%s/rows.csv", directory);
    assert_int_equal(spf_model_write(forest, model), SPORF_OK);
    write_rows(rows, t.values, forest->features);
    assert_int_equal(spf_predict(forest, &(spf_values){t.columns, ROWS, 0},
                                 (spf_combining){SPF_LEAF_VALUES, NULL}, 1,
                                 &(spf_predictions){.outputs = predicted, .scores = scores}),
                     SPORF_OK);
    assert_same_numbers(run(model, rows, "--scores"), scores, ROWS * forest->boosting.outputs, 0);
    assert_same_numbers(run(model, rows, "--probabilities"), predicted, ROWS * spf_outputs(forest),
                        1e-13);
    unlink(model);
    unlink(rows);
    sporf_forest_free(forest);
}

static void need_python(void) {
    if (system("python3 -c pass 2>/dev/null") == 0) return;
    print_message("no python3: the second reader is not compared\n");
    skip();
}

static void a_stranger_adds_up_the_same_scores(void **state) {
    (void)state;
    need_python();
    tmp_file folder = tmp_folder("boosted");
    for (size_t i = 0; i < booster_shapes_count; i++)
        if (!booster_shapes[i].trees.mixed) check_booster(i, &booster_shapes[i], folder.path);
    assert_int_equal(rmdir(folder.path), 0);
}

/* ---- forests --------------------------------------------------------------------------------- */

/* The first forest of a shape whose references cannot hold its classes. */
static uint64_t seed_with_leaf_classes(const random_shape *shape) {
    for (uint64_t seed = 0;; seed++) {
        sporf_forest *forest = random_forest(seed, shape);
        int found = forest->packed.leaf_class != NULL;
        sporf_forest_free(forest);
        if (found) return seed;
    }
}

static void a_stranger_reads_and_predicts_the_same(void **state) {
    (void)state;
    need_python();
    tmp_file folder = tmp_folder("models");
    const char *directory = folder.path;
    for (uint64_t seed = 0; seed < 6; seed++) check_forest(seed, NULL, directory);
    random_shape deep = {.trees = 5, .leaves = 2000, .terms = 8, .chains = 1};
    check_forest(7, &deep, directory);
    random_shape wide = {.trees = 30, .features = 500, .classes = 200, .leaves = 100, .terms = 40};
    check_forest(8, &wide, directory);
    random_shape mixed = {.trees = 10, .features = 12, .leaves = 60, .terms = 11, .mixed = 1};
    check_forest(9, &mixed, directory);
    random_shape many = {.trees = 1, .classes = 32769, .leaves = 17000, .terms = 3, .plain = 1};
    check_forest(seed_with_leaf_classes(&many), &many, directory);
    assert_int_equal(rmdir(directory), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stranger_reads_and_predicts_the_same),
        cmocka_unit_test(a_stranger_adds_up_the_same_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
