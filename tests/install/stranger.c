/* A stranger's program: knows the library by its header alone, as installed. It trains on a small
 * matrix, predicts the same rows and fails unless every one comes out right. */
#include <sporf.h>

#include <stdio.h>
#include <string.h>

enum { ROWS = 40, FEATURES = 2 };

static int check(sporf_status status, const char *what) {
    if (status != SPORF_OK) fprintf(stderr, "%s: %s\n", what, sporf_last_error());
    return status == SPORF_OK;
}

/* The classes lie on either side of a diagonal. */
static void make_rows(double values[ROWS][FEATURES], int64_t labels[ROWS]) {
    for (int i = 0; i < ROWS; i++) {
        values[i][0] = i % 8;
        values[i][1] = i / 8;
        labels[i] = values[i][0] > values[i][1] ? 7 : -3;
    }
}

static int train_and_predict(const sporf_dataset *data, const int64_t *labels) {
    sporf_params params;
    sporf_params_init(&params);
    params.bag = SPORF_BAG_NONE;
    sporf_forest *forest = NULL;
    uint32_t predicted[ROWS];
    const sporf_predictions wanted = {.struct_size = sizeof wanted, .classes = predicted};
    int right = check(sporf_params_set(&params, "trees", "20"), "set trees") &&
                check(sporf_forest_train(data, &params, NULL, &forest), "train") &&
                check(sporf_forest_predict(forest, data, NULL, &wanted), "predict");
    for (int i = 0; right && i < ROWS; i++) {
        const char *name = sporf_schema_class_name(sporf_forest_schema(forest), predicted[i]);
        right = strcmp(name, labels[i] == 7 ? "7" : "-3") == 0;
        if (!right) fprintf(stderr, "row %d came out as %s\n", i, name);
    }
    sporf_forest_free(forest);
    return right;
}

int main(void) {
    double values[ROWS][FEATURES];
    int64_t labels[ROWS];
    make_rows(values, labels);
    sporf_matrix matrix = {.values = values,
                           .type = SPORF_FLOAT64,
                           .rows = ROWS,
                           .columns = FEATURES,
                           .row_stride = FEATURES,
                           .column_stride = 1};
    sporf_dataset *data = NULL;
    int right = check(sporf_dataset_from_matrix(&matrix, &data), "dataset") &&
                check(sporf_dataset_set_labels_int(data, labels, ROWS), "labels") &&
                train_and_predict(data, labels);
    sporf_dataset_free(data);
    if (right) printf("sporf %s: every row is right\n", sporf_version());
    return right ? 0 : 1;
}
