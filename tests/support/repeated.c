/* Repeated rows. */
#include "support/repeated.h"

#include "base/rng.h"

#include "support/check.h"

/* Gives the copy the categories of the table, with all their levels. */
static void copy_levels(const sporf_dataset *data, sporf_dataset *copy) {
    for (size_t j = 0; j < sporf_dataset_features(data); j++) {
        size_t count = sporf_schema_levels(sporf_dataset_schema(data), j);
        if (count == 0) continue;
        const char **names = need(count, sizeof *names);
        for (size_t i = 0; i < count; i++)
            names[i] = sporf_schema_level_name(sporf_dataset_schema(data), j, i);
        assert_ok(sporf_dataset_set_levels(
            copy, j, sporf_schema_kind(sporf_dataset_schema(data), j), names, count));
        free(names);
    }
}

sporf_dataset *repeated_rows(const sporf_dataset *data, const double *times) {
    size_t rows = sporf_dataset_rows(data), features = sporf_dataset_features(data), count = 0;
    for (size_t i = 0; i < rows; i++) count += (size_t)times[i];
    double *values = need(count * features, sizeof *values), *at = values;
    const char **labels = need(count, sizeof *labels), **label = labels;
    for (size_t i = 0; i < rows; i++)
        for (size_t n = 0; n < (size_t)times[i]; n++) {
            for (size_t j = 0; j < features; j++) *at++ = sporf_dataset_feature(data, j)[i];
            *label++ =
                sporf_schema_class_name(sporf_dataset_schema(data), sporf_dataset_labels(data)[i]);
        }
    sporf_matrix matrix = {values, SPORF_FLOAT64, count, features, features, 1};
    sporf_dataset *copy = NULL;
    assert_ok(sporf_dataset_from_matrix(&matrix, &copy));
    assert_ok(sporf_dataset_set_labels_text(copy, labels, count));
    copy_levels(data, copy);
    free(values);
    free(labels);
    return copy;
}

double *whole_weights(size_t rows, size_t classes, uint64_t seed) {
    double *weights = need(rows, sizeof *weights);
    sporf_random random = spf_random_start(seed, 77, SPF_USE_SIMULATE);
    for (size_t i = 0; i < rows; i++)
        weights[i] = i < classes ? 1 + spf_random_below(&random, 5) : spf_random_below(&random, 6);
    return weights;
}
