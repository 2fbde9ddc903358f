/* The library in one page: a matrix in memory becomes a forest, the forest predicts a point, goes
 * into a file and comes back.
 *
 *     cc train_predict.c $(pkg-config --cflags --libs sporf) -lm
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sporf.h"

enum { ROWS = 400, FEATURES = 2 };

/* Every call that can fail says why in sporf_last_error(). */
static void check(sporf_status status) {
    if (status == SPORF_OK) return;
    fprintf(stderr, "train_predict: %s\n", sporf_last_error());
    exit(1);
}

/* Two spirals, one for each class, around each other. */
static void fill(double *values, int64_t *labels) {
    for (int i = 0; i < ROWS; i++) {
        int pair = i / 2;
        double turn = 0.02 * pair, side = i % 2 ? 1 : -1;
        values[i * FEATURES] = side * turn * cos(turn);
        values[i * FEATURES + 1] = side * turn * sin(turn);
        labels[i] = i % 2;
    }
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "spirals.sporf";
    static double values[ROWS * FEATURES];
    static int64_t labels[ROWS];
    fill(values, labels);

    sporf_matrix matrix = {.values = values,
                           .type = SPORF_FLOAT64,
                           .rows = ROWS,
                           .columns = FEATURES,
                           .row_stride = FEATURES,
                           .column_stride = 1};
    sporf_dataset *data = NULL;
    check(sporf_dataset_from_matrix(&matrix, &data));
    check(sporf_dataset_set_labels_int(data, labels, ROWS));

    sporf_params params;
    sporf_forest *forest = NULL;
    sporf_params_init(&params);
    check(sporf_params_set(&params, "trees", "200"));
    check(sporf_params_set(&params, "projections", "10"));
    check(sporf_forest_train(data, &params, NULL, &forest));

    sporf_oob oob;
    sporf_forest_oob(forest, &oob);
    printf("out-of-bag error: %.3f\n", oob.error);

    check(sporf_forest_save(forest, path));
    sporf_forest_free(forest);
    sporf_dataset_free(data);

    forest = NULL;
    check(sporf_forest_load(path, &forest));
    const float point[FEATURES] = {2.0f * cosf(2.0f), 2.0f * sinf(2.0f)}; /* on the spiral of 1 */
    double shares[2];
    uint32_t class = sporf_forest_predict_row(forest, point, SPORF_COMBINE_VOTES, shares);
    printf("class %s with %.0f%% of the votes\n",
           sporf_schema_class_name(sporf_forest_schema(forest), class), 100 * shares[class]);
    sporf_forest_free(forest);
    return 0;
}
