/* Shapley values equal their definition: the sum over all coalitions of players.
 * Labels: threads */
#include "predict/explain.h"

#include "support/check.h"
#include "support/plain_tree.h"
#include "support/random_booster.h"

enum { ROWS = 4, OTHERS = 7, MOST_PLAYERS = 9, MOST_OUTPUTS = 5 };

/* ---- rows ------------------------------------------------------------------------------------ */

typedef struct {
    size_t rows, features;
    float *values;         /* row by row */
    float *turned;         /* column by column */
    const float **columns; /* [features] */
} table;

static table random_table(uint64_t seed, size_t rows, size_t features, int mixed) {
    sporf_random random = spf_random_start(seed, 7, SPF_USE_SIMULATE);
    table t = {rows, features, need(rows * features, sizeof(float)),
               need(rows * features, sizeof(float)), need(features, sizeof(float *))};
    for (size_t i = 0; i < rows; i++)
        (mixed ? random_mixed_row : random_row)(&random, t.values + i * features, features);
    for (size_t j = 0; j < features; j++) {
        t.columns[j] = t.turned + j * rows;
        for (size_t i = 0; i < rows; i++) t.turned[j * rows + i] = t.values[i * features + j];
    }
    return t;
}

static void free_table(table *t) {
    free(t->values);
    free(t->turned);
    free(t->columns);
}

/* ---- the definition -------------------------------------------------------------------------- */

/* Adds what a leaf is worth for each output. */
static void add_leaf(const sporf_forest *forest, size_t number, uint32_t leaf, spf_leaf_adds adds,
                     double *outputs) {
    const spf_tree *tree = plain_tree(forest, number);
    size_t width = spf_leaf_width(forest);
    if (spf_is_boosted(forest))
        outputs[number % forest->boosting.outputs] +=
            tree->leaf_value[leaf] / (double)forest->boosting.bags;
    else if (adds == SPF_LEAF_VALUES)
        for (size_t t = 0; t < width; t++)
            outputs[t] += tree->leaf_value[leaf * width + t] / (double)forest->trees_count;
    else if (adds == SPF_LEAF_VOTE)
        outputs[spf_leaf_vote(tree, leaf)] += 1.0 / (double)forest->trees_count;
    else {
        double shares[MOST_OUTPUTS] = {0};
        spf_leaf_add_posterior(tree, leaf, shares);
        for (size_t k = 0; k < forest->classes; k++)
            outputs[k] += shares[k] / (double)forest->trees_count;
    }
}

/* The leaf of a tree if some projections take their values from `row`, the others from `other`. */
static uint32_t walk_by_projection(const spf_tree *tree, const float *row, const float *other,
                                   uint32_t coalition) {
    uint32_t node = 0;
    while (tree->nodes[node].right != 0) {
        const spf_node *split = &tree->nodes[node];
        uint32_t projection = spf_split_projection(split);
        const float *from = coalition >> projection & 1 ? row : other;
        const float *columns[MOST_PLAYERS];
        for (size_t j = 0; j < tree->features; j++) columns[j] = &from[j];
        float value = spf_tree_project(tree, projection, columns, 0);
        int is_left =
            isnan(value) ? (split->content & SPF_MISSING_LEFT) != 0 : value <= split->threshold;
        node = is_left ? node + 1 : split->right;
    }
    return tree->nodes[node].content;
}

typedef struct {
    const sporf_forest *forest;
    spf_leaf_adds adds;
    size_t tree; /* whose projections are the players; all trees: these are features */
    const float *row, *other;
} game;

static void worth(const game *g, uint32_t coalition, double *outputs) {
    float mixture[MOST_PLAYERS];
    if (g->tree < g->forest->trees_count) {
        const spf_tree *tree = plain_tree(g->forest, g->tree);
        add_leaf(g->forest, g->tree, walk_by_projection(tree, g->row, g->other, coalition), g->adds,
                 outputs);
        return;
    }
    for (size_t j = 0; j < g->forest->features; j++)
        mixture[j] = coalition >> j & 1 ? g->row[j] : g->other[j];
    for (size_t t = 0; t < g->forest->trees_count; t++)
        add_leaf(g->forest, t, spf_tree_walk_row(plain_tree(g->forest, t), mixture), g->adds,
                 outputs);
}

static double factorial(size_t n) {
    return n < 2 ? 1 : (double)n * factorial(n - 1);
}

/* Adds the Shapley values of a game, divided by the number of background rows. */
static void add_shapley(const game *g, size_t players, size_t outputs, double *values) {
    double worths[1 << MOST_PLAYERS][MOST_OUTPUTS] = {{0}};
    for (uint32_t s = 0; s < (uint32_t)1 << players; s++) worth(g, s, worths[s]);
    for (uint32_t s = 0; s < (uint32_t)1 << players; s++) {
        size_t size = (size_t)__builtin_popcount(s);
        for (size_t j = 0; j < players; j++) {
            if (s >> j & 1) continue;
            double weight =
                factorial(size) * factorial(players - size - 1) / factorial(players) / OTHERS;
            for (size_t k = 0; k < outputs; k++)
                values[j * outputs + k] += weight * (worths[s | 1u << j][k] - worths[s][k]);
        }
    }
}

/* ---- comparison ------------------------------------------------------------------------------ */

/* Forests, rows and background rows to be explained. */
typedef struct {
    sporf_forest *forest;
    table rows, others;
    spf_values values, background;
    sporf_hooks hooks;
} fixture;

static void open_fixture(fixture *f, sporf_forest *forest, uint64_t seed, size_t others,
                         int mixed) {
    f->forest = forest;
    f->rows = random_table(seed, ROWS, forest->features, mixed);
    f->others = random_table(seed + 1, others, forest->features, mixed);
    f->values = (spf_values){f->rows.columns, ROWS, mixed};
    f->background = (spf_values){f->others.columns, others, mixed};
    sporf_hooks_init(&f->hooks);
}

static void close_fixture(fixture *f) {
    free_table(&f->rows);
    free_table(&f->others);
    sporf_forest_free(f->forest);
}

static spf_explaining request_of(const fixture *f, spf_leaf_adds adds, double *values) {
    return (spf_explaining){.forest = f->forest,
                            .rows = f->values,
                            .background = f->background,
                            .adds = adds,
                            .places = f->forest->features,
                            .budget = 1000000,
                            .pairs = 4,
                            .threads = 1,
                            .hooks = &f->hooks,
                            .values = values};
}

static void assert_all_near(const double *values, const double *wanted, size_t count, double most) {
    for (size_t i = 0; i < count; i++) assert_near(values[i], wanted[i], most);
}

/* A boosted model may have large scores. */
static double tolerance(const double *wanted, size_t count) {
    double largest = 1;
    for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(wanted[i]));
    return 1e-13 * largest;
}

static void check_features(const fixture *f, spf_leaf_adds adds) {
    size_t features = f->forest->features, outputs = spf_explained_outputs(f->forest);
    size_t count = ROWS * features * outputs;
    double *found = need(count, sizeof *found), *wanted = need(count, sizeof *wanted), estimated;
    spf_explaining request = request_of(f, adds, found);
    assert_ok(spf_explain(&request, &estimated));
    assert_true(estimated == 0);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t z = 0; z < OTHERS; z++)
            add_shapley(&(game){f->forest, adds, f->forest->trees_count,
                                f->rows.values + i * features, f->others.values + z * features},
                        features, outputs, wanted + i * features * outputs);
    assert_all_near(found, wanted, count, tolerance(wanted, count));
    free(found);
    free(wanted);
}

/* Projections of all trees, one after the other. */
static sporf_status count_on(void *context, const spf_tree *tree, uint32_t *line, size_t *count) {
    uint32_t *next = context;
    for (uint32_t p = 0; p < tree->projections_count; p++) line[p] = (*next)++;
    *count = *next;
    return SPORF_OK;
}

static void check_projections(const fixture *f, spf_leaf_adds adds) {
    size_t outputs = spf_explained_outputs(f->forest), places = 0;
    for (size_t t = 0; t < f->forest->trees_count; t++)
        places += plain_tree(f->forest, t)->projections_count;
    size_t count = ROWS * places * outputs, features = f->forest->features, first = 0;
    double *found = need(count, sizeof *found), *wanted = need(count, sizeof *wanted), estimated;
    uint32_t next = 0;
    spf_explaining request = request_of(f, adds, found);
    request.projections = &(spf_line_finder){count_on, &next};
    request.places = places;
    assert_ok(spf_explain(&request, &estimated));
    for (size_t t = 0; t < f->forest->trees_count; t++) {
        size_t players = plain_tree(f->forest, t)->projections_count;
        assert_true(players <= MOST_PLAYERS);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t z = 0; z < OTHERS; z++)
                add_shapley(&(game){f->forest, adds, t, f->rows.values + i * features,
                                    f->others.values + z * features},
                            players, outputs, wanted + (i * places + first) * outputs);
        first += players;
    }
    assert_all_near(found, wanted, count, tolerance(wanted, count));
    free(found);
    free(wanted);
}

static const random_shape shapes[] = {
    {.trees = 3, .features = 6, .classes = 2, .leaves = 10, .terms = 1, .plain = 1},
    {.trees = 3, .features = 6, .classes = 2, .leaves = 10, .terms = 3, .plain = 1},
    {.trees = 2, .features = 6, .classes = 4, .leaves = 10, .terms = 3, .plain = 1},
    {.trees = 3, .features = 7, .classes = 3, .leaves = 8, .terms = 3, .plain = 1, .mixed = 1},
    {.trees = 2, .features = 7, .classes = 2, .leaves = 8, .terms = 7, .plain = 1, .mixed = 1},
    {.trees = 2, .features = 8, .classes = 3, .leaves = 9, .terms = 8, .plain = 1},
    {.trees = 2, .features = 5, .classes = 1, .leaves = 4, .terms = 2, .plain = 1},
    {.trees = 2, .features = 3, .classes = 3, .leaves = 1, .terms = 1, .plain = 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, SEEDS = 20 };

static void values_of_forests_equal_their_definition(void **state) {
    (void)state;
    for (size_t s = 0; s < SHAPES; s++)
        for (uint64_t seed = 0; seed < DRAWN(SEEDS); seed++) {
            fixture f;
            open_fixture(&f, random_forest(seed, &shapes[s]), seed, OTHERS, shapes[s].mixed);
            check_features(&f, SPF_LEAF_VOTE);
            check_features(&f, SPF_LEAF_SHARES);
            check_projections(&f, SPF_LEAF_VOTE);
            check_projections(&f, SPF_LEAF_SHARES);
            close_fixture(&f);
        }
}

static void values_of_boosted_models_equal_their_definition(void **state) {
    (void)state;
    for (size_t s = 0; s < booster_shapes_count; s++)
        for (uint64_t seed = 0; seed < DRAWN(8); seed++) {
            booster_shape shape = booster_shapes[s];
            fixture f;
            shape.trees.features = 6;
            shape.trees.leaves = 8;
            if (shape.rounds > 3) shape.rounds = 3;
            if (shape.classes > MOST_OUTPUTS || shape.targets > MOST_OUTPUTS) continue;
            open_fixture(&f, random_booster(seed, &shape), seed, OTHERS, shape.trees.mixed);
            check_features(&f, SPF_LEAF_VALUES);
            check_projections(&f, SPF_LEAF_VALUES);
            close_fixture(&f);
        }
}

/* ---- many background rows, walks, threads ---------------------------------------------------- */

static double *explained(const fixture *f, spf_explaining request, double **errors,
                         double *estimated) {
    size_t count = ROWS * f->forest->features * spf_explained_outputs(f->forest);
    request.values = need(count, sizeof *request.values);
    if (errors) request.errors = *errors = need(count, sizeof *request.errors);
    assert_ok(spf_explain(&request, estimated));
    return request.values;
}

/* More than a block, which are explained one by one for comparison. */
static void many_background_rows_are_the_mean_of_each(void **state) {
    (void)state;
    enum { MANY = 150 };
    fixture f;
    double estimated;
    open_fixture(&f, random_forest(3, &shapes[3]), 3, MANY, 1);
    size_t features = f.forest->features, count = ROWS * features * 3;
    double *all = explained(&f, request_of(&f, SPF_LEAF_VOTE, NULL), NULL, &estimated);
    double *mean = need(count, sizeof *mean);
    for (size_t z = 0; z < MANY; z++) {
        const float *column[MOST_PLAYERS];
        for (size_t j = 0; j < features; j++) column[j] = f.others.columns[j] + z;
        f.background = (spf_values){column, 1, 1};
        double *one = explained(&f, request_of(&f, SPF_LEAF_VOTE, NULL), NULL, &estimated);
        for (size_t i = 0; i < count; i++) mean[i] += one[i] / MANY;
        free(one);
    }
    assert_all_near(all, mean, count, 1e-14);
    free(all);
    free(mean);
    close_fixture(&f);
}

static double prediction_of(const fixture *f, const float *row, size_t output) {
    double outputs[MOST_OUTPUTS] = {0};
    for (size_t t = 0; t < f->forest->trees_count; t++)
        add_leaf(f->forest, t, spf_tree_walk_row(plain_tree(f->forest, t), row), SPF_LEAF_VOTE,
                 outputs);
    return outputs[output];
}

/* Without any step allowed, all values come from walks. */
static void estimates_add_up_and_are_as_good_as_they_say(void **state) {
    (void)state;
    fixture f;
    double estimated, *errors, squares = 0, used = 0;
    open_fixture(&f, random_forest(5, &shapes[5]), 5, 40, 0);
    size_t features = f.forest->features, outputs = f.forest->classes;
    double *exact = explained(&f, request_of(&f, SPF_LEAF_VOTE, NULL), NULL, &estimated);
    spf_explaining request = request_of(&f, SPF_LEAF_VOTE, NULL);
    request.budget = 0;
    double *found = explained(&f, request, &errors, &estimated);
    assert_true(estimated == 1);
    for (size_t i = 0; i < ROWS * outputs; i++) {
        size_t row = i / outputs, k = i % outputs;
        double sum = 0, base = 0;
        for (size_t j = 0; j < features; j++) sum += found[(row * features + j) * outputs + k];
        for (size_t z = 0; z < f.others.rows; z++)
            base += prediction_of(&f, f.others.values + z * features, k) / (double)f.others.rows;
        assert_near(sum, prediction_of(&f, f.rows.values + row * features, k) - base, 1e-14);
    }
    for (size_t i = 0; i < ROWS * features * outputs; i++) {
        if (errors[i] == 0) continue;
        squares += (found[i] - exact[i]) * (found[i] - exact[i]) / (errors[i] * errors[i]);
        used++;
    }
    assert_true(used > 20);
    assert_near(squares / used, 1, 0.5);
    free(exact);
    free(found);
    free(errors);
    close_fixture(&f);
}

static void threads_change_no_bit(void **state) {
    (void)state;
    for (uint64_t budget = 0; budget <= 1000; budget += 100) {
        fixture f;
        double estimated;
        open_fixture(&f, random_forest(7, &shapes[5]), 7, 70, 0);
        size_t bytes = ROWS * f.forest->features * f.forest->classes * sizeof(double);
        spf_explaining request = request_of(&f, SPF_LEAF_SHARES, NULL);
        request.budget = budget;
        double *alone = explained(&f, request, NULL, &estimated);
        request.threads = 3;
        double *together = explained(&f, request, NULL, &estimated);
        assert_memory_equal(alone, together, bytes);
        free(alone);
        free(together);
        close_fixture(&f);
    }
}

/* A chain of a thousand splits takes no more of the stack than a small tree. */
static void deep_trees_are_explained(void **state) {
    (void)state;
    const random_shape shape = {.trees = 1,
                                .features = 6,
                                .classes = 2,
                                .leaves = 20000,
                                .terms = 2,
                                .chains = 1,
                                .plain = 1};
    fixture f;
    double estimated;
    open_fixture(&f, random_forest(1, &shape), 1, 64, 0);
    free(explained(&f, request_of(&f, SPF_LEAF_VOTE, NULL), NULL, &estimated));
    close_fixture(&f);
}

static int stop(void *payload) {
    (void)payload;
    return 1;
}

static void an_interrupt_is_reported(void **state) {
    (void)state;
    fixture f;
    double estimated, values[ROWS * 6 * 2];
    open_fixture(&f, random_forest(1, &shapes[0]), 1, OTHERS, 0);
    f.hooks.interrupt = stop;
    spf_explaining request = request_of(&f, SPF_LEAF_VOTE, values);
    assert_refused(spf_explain(&request, &estimated), SPORF_ERROR_CANCELLED, "interrupted");
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_forests_equal_their_definition),
        cmocka_unit_test(values_of_boosted_models_equal_their_definition),
        cmocka_unit_test(many_background_rows_are_the_mean_of_each),
        cmocka_unit_test(estimates_add_up_and_are_as_good_as_they_say),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(deep_trees_are_explained),
        cmocka_unit_test(an_interrupt_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
