/* A sampler of one's own: candidates are differences of two features at most `reach` apart, which
 * suits series whose level says nothing and whose jumps say everything. Prints the test error of a
 * random forest on single features and of the same forest with this sampler.
 *
 *     cc custom_sampler.c $(pkg-config --cflags --libs sporf)
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sporf.h"

enum { ROWS = 600, LENGTH = 24 };

static void check(sporf_status status) {
    if (status == SPORF_OK) return;
    fprintf(stderr, "custom_sampler: %s\n", sporf_last_error());
    exit(1);
}

/* ---- the sampler ----------------------------------------------------------------------------- */

/* The payload: what the sampler needs to know. Here it stays the same for all trees, so neither
 * prepare nor finish is needed. */
typedef struct {
    uint32_t reach;
    uint32_t candidates;
} difference_settings;

/* Called for each node. All random numbers come from `random`, so that the forest depends on the
 * seed alone; an error of sporf_projections_add is handed on. */
static sporf_status draw_differences(void *payload, void *state, const sporf_view *view,
                                     sporf_random *random, sporf_projections *candidates) {
    (void)state;
    const difference_settings *settings = payload;
    const float weights[2] = {1, -1};
    for (uint32_t i = 0; i < settings->candidates; i++) {
        uint32_t step = 1 + sporf_random_below(random, settings->reach);
        uint32_t first = sporf_random_below(random, (uint32_t)view->features - step);
        const uint32_t features[2] = {first, first + step};
        sporf_status status = sporf_projections_add(candidates, 2, features, weights);
        if (status != SPORF_OK) return status;
    }
    return SPORF_OK;
}

/* ---- the problem ----------------------------------------------------------------------------- */

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Series on levels of their own with a little noise; those of class 1 jump in the middle. */
static sporf_dataset *make_series(uint64_t seed) {
    static float values[ROWS][LENGTH];
    static int64_t labels[ROWS];
    for (int i = 0; i < ROWS; i++) {
        double level = 20 * uniform(&seed);
        labels[i] = uniform(&seed) < 0.5;
        for (int j = 0; j < LENGTH; j++)
            values[i][j] = (float)(level + uniform(&seed) + (labels[i] && j >= LENGTH / 2));
    }
    sporf_matrix matrix = {.values = values,
                           .type = SPORF_FLOAT32,
                           .rows = ROWS,
                           .columns = LENGTH,
                           .row_stride = LENGTH,
                           .column_stride = 1};
    sporf_dataset *data = NULL;
    check(sporf_dataset_from_matrix(&matrix, &data));
    check(sporf_dataset_set_labels_int(data, labels, ROWS));
    return data;
}

/* ---- both forests ---------------------------------------------------------------------------- */

static double test_error(const sporf_dataset *train, const sporf_dataset *test,
                         const sporf_sampler *sampler) {
    sporf_params params;
    sporf_hooks hooks;
    sporf_forest *forest = NULL;
    sporf_evaluation scores = {.struct_size = sizeof scores};
    sporf_params_init(&params);
    sporf_hooks_init(&hooks);
    check(sporf_params_set(&params, "method", "rf"));
    check(sporf_params_set(&params, "trees", "200"));
    hooks.sampler = sampler; /* takes the place of the method's own; NULL leaves that one */
    check(sporf_forest_train(train, &params, &hooks, &forest));
    check(sporf_forest_evaluate(forest, test, NULL, &scores));
    sporf_forest_free(forest);
    return scores.error;
}

int main(void) {
    difference_settings settings = {.reach = 6, .candidates = LENGTH};
    const sporf_sampler differences = {
        .name = "differences", .payload = &settings, .draw = draw_differences};
    sporf_dataset *train = make_series(1), *test = make_series(2);
    printf("single features: test error %.3f\n", test_error(train, test, NULL));
    printf("differences:     test error %.3f\n", test_error(train, test, &differences));
    sporf_dataset_free(train);
    sporf_dataset_free(test);
    return 0;
}
