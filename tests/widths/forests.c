/* Grows small forests of every kind that the kernels of splitting see and prints a checksum of each
 * model file. tools/check_widths.sh compiles it with the library as one file (sporf.c), for several
 * processors, and compares what they print. The first line is the width of vectors. */
#include "sporf.c"

#include <stdio.h>

enum { BYTE_ROWS = 1500, BYTE_FEATURES = 12 };

static void must(sporf_status status) {
    if (status == SPORF_OK) return;
    fprintf(stderr, "forests: %s\n", sporf_last_error());
    exit(1);
}

static uint64_t fnv(const uint8_t *bytes, size_t size) {
    uint64_t hash = 0xCBF29CE484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 0x100000001B3u;
    return hash;
}

/* `options` are pairs of a name and a value, with NULL at the end. */
static void print_forest(const char *table, const sporf_dataset *data, const char *const *options) {
    sporf_params params;
    sporf_forest *forest = NULL;
    void *bytes = NULL;
    size_t size;
    sporf_params_init(&params);
    must(sporf_params_set(&params, "trees", "3"));
    must(sporf_params_set(&params, "projections", "p"));
    printf("%s", table);
    for (; *options; options += 2) {
        printf(" %s %s", options[0], options[1]);
        must(sporf_params_set(&params, options[0], options[1]));
    }
    must(sporf_forest_train(data, &params, NULL, &forest));
    must(sporf_forest_save_bytes(forest, &bytes, &size));
    printf(": %zu bytes, %016llx\n", size, (unsigned long long)fnv(bytes, size));
    sporf_free(bytes);
    sporf_forest_free(forest);
}

static void print_all(const char *table, const sporf_dataset *data) {
    print_forest(table, data, (const char *const[]){"density", "3/p", "scale", "none", NULL});
    print_forest(table, data, (const char *const[]){"density", "3/p", "scale", "sd", NULL});
    print_forest(table, data, (const char *const[]){"weights", "normal", "min-leaf", "3", NULL});
    if (sporf_dataset_targets(data) == 0)
        print_forest(table, data, (const char *const[]){"criterion", "entropy", NULL});
    print_forest(table, data, (const char *const[]){"split", "exact", "method", "rf", NULL});
    print_forest(table, data, (const char *const[]){"learner", "boosting", "rounds", "8", NULL});
    if (sporf_dataset_targets(data) > 0)
        print_forest(table, data,
                     (const char *const[]){"learner", "boosting", "rounds", "8", "loss", "quantile",
                                           "subsample", "0.5", NULL});
}

static void print_simulated(const char *problem, size_t rows, size_t features) {
    sporf_dataset *data = NULL;
    must(sporf_simulate(problem, rows, features, 7, NULL, &data));
    print_all(problem, data);
    sporf_dataset_free(data);
}

/* Most bytes are 0, as at the border of images; seven classes. */
static void print_bytes(void) {
    static float values[BYTE_ROWS * BYTE_FEATURES];
    static int64_t labels[BYTE_ROWS];
    sporf_matrix matrix = {values, SPORF_FLOAT32, BYTE_ROWS, BYTE_FEATURES, BYTE_FEATURES, 1};
    sporf_dataset *data = NULL;
    sporf_random random = spf_random_start(1, 0, SPF_USE_SIMULATE);
    for (size_t i = 0; i < BYTE_ROWS * BYTE_FEATURES; i++) {
        values[i] = spf_random_below(&random, 2) ? 0 : (float)spf_random_below(&random, 256);
        labels[i / BYTE_FEATURES] += (int64_t)values[i] / 100;
    }
    for (size_t i = 0; i < BYTE_ROWS; i++) labels[i] %= 7;
    must(sporf_dataset_from_matrix(&matrix, &data));
    must(sporf_dataset_set_labels_int(data, labels, BYTE_ROWS));
    print_all("bytes", data);
    sporf_dataset_free(data);
}

int main(void) {
    printf("lanes: %zu\n", spf_kernels_best()->lanes);
    print_simulated("trunk", 2500, 12);
    print_simulated("orthant", 1500, 0);
    print_simulated("friedman1", 1500, 0);
    print_bytes();
    return 0;
}
