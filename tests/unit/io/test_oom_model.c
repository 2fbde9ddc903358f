/* Memory that runs out while a model is saved, loaded or looked into: each allocation fails once in
 * turn, and every time there is a clear error, nothing leaks and the file on disk stays as it was.
 */
#include "io/model_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "support/random_booster.h"
#include "support/random_data.h"
#include "support/tmpfile.h"

/* A forest with every optional part. */
static sporf_forest *full_forest(void) {
    for (uint64_t seed = 0;; seed++) {
        sporf_forest *forest = random_forest(seed, NULL);
        if (forest->schema.names.count && forest->schema.label_name && forest->settings.count &&
            forest->scale && forest->oob_curve)
            return forest;
        sporf_forest_free(forest);
    }
}

typedef struct {
    sporf_forest *forest;
    void *bytes;
    size_t size;
    char path[512];
} material;

typedef sporf_status (*action)(const material *m);

static sporf_status encode(const material *m) {
    void *bytes = NULL;
    size_t size = 0;
    sporf_status status = spf_model_encode(m->forest, &bytes, &size);
    assert_int_equal(status == SPORF_OK, bytes != NULL);
    free(bytes);
    return status;
}

static sporf_status decode(const material *m) {
    sporf_forest *forest = NULL;
    sporf_status status = spf_model_decode(m->bytes, m->size, &forest);
    assert_int_equal(status == SPORF_OK, forest != NULL);
    sporf_forest_free(forest);
    return status;
}

static sporf_status save(const material *m) {
    return spf_model_write(m->forest, m->path);
}

static sporf_status load(const material *m) {
    sporf_forest *forest = NULL;
    sporf_status status = spf_model_read(m->path, &forest);
    assert_int_equal(status == SPORF_OK, forest != NULL);
    sporf_forest_free(forest);
    return status;
}

static sporf_status rank(const material *m) {
    double *importances = malloc(m->forest->features * sizeof *importances);
    sporf_ranking *ranking = NULL;
    sporf_status status =
        importances ? sporf_forest_importances(m->forest, importances) : spf_raise_memory();
    if (status == SPORF_OK) status = sporf_ranking_create(m->forest, 5, &ranking);
    assert_int_equal(status == SPORF_OK, ranking != NULL);
    sporf_ranking_free(ranking);
    free(importances);
    return status;
}

/* Fails allocation 1, 2, 3, ... of the action until it gets through untouched; returns how many
 * failed. */
static long fail_each(action act, const material *m) {
    for (long k = 1;; k++) {
        failing_alloc_after(k);
        sporf_status status = act(m);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit) {
            assert_int_equal(status, SPORF_OK);
            return k - 1;
        }
        assert_int_equal(status, SPORF_ERROR_MEMORY);
        assert_non_null(strstr(sporf_last_error(), "out of memory"));
        assert_int_equal(load(m), SPORF_OK);
    }
}

static int make_material(void **state) {
    material *m = calloc(1, sizeof *m);
    snprintf(m->path, sizeof m->path, "%s", tmp_file_name("model").path);
    m->forest = full_forest();
    *state = m;
    if (spf_model_write(m->forest, m->path) != SPORF_OK) return -1;
    return spf_model_encode(m->forest, &m->bytes, &m->size) == SPORF_OK ? 0 : -1;
}

static int free_material(void **state) {
    material *m = *state;
    unlink(m->path);
    sporf_forest_free(m->forest);
    free(m->bytes);
    free(m);
    return 0;
}

static void encoding_survives_every_failure(void **state) {
    assert_true(fail_each(encode, *state) >= 1);
}

static void decoding_survives_every_failure(void **state) {
    const material *m = *state;
    /* the buffer, the forest, names, scale, curve, the tree list and one stack for each tree */
    assert_true(fail_each(decode, m) >= (long)(10 + m->forest->trees_count));
}

static void saving_survives_every_failure(void **state) {
    assert_true(fail_each(save, *state) >= 2);
}

static void loading_survives_every_failure(void **state) {
    assert_true(fail_each(load, *state) >= 10);
}

static void importances_survive_every_failure(void **state) {
    sporf_dataset *data = random_data(DATA_MIXED, 100, 4, 3, 9);
    material m = *(const material *)*state;
    m.forest = train_with(data, "trees", "2", (char *)NULL);
    assert_true(sporf_forest_level_sets(m.forest) > 0);
    assert_true(fail_each(rank, &m) >= 30);
    sporf_forest_free(m.forest);
    sporf_dataset_free(data);
}

static void decoding_samples_survives_every_failure(void **state) {
    sporf_dataset *data = with_targets(DATA_SMOOTH, 60, 3, 2, 1);
    material m = *(const material *)*state;
    m.forest = train_with(data, "trees", "3", "min-leaf", "4", (char *)NULL);
    assert_int_equal(spf_model_encode(m.forest, &m.bytes, &m.size), SPORF_OK);
    assert_true(fail_each(decode, &m) >= 8);
    free(m.bytes);
    sporf_forest_free(m.forest);
    sporf_dataset_free(data);
}

static void decoding_several_labels_survives_every_failure(void **state) {
    sporf_dataset *data = random_data(DATA_SMOOTH, 60, 3, 2, 1);
    material m = *(const material *)*state;
    assert_int_equal(sporf_dataset_add_label_column(data), SPORF_OK);
    m.forest = train_with(data, "trees", "3", (char *)NULL);
    assert_int_equal(spf_model_encode(m.forest, &m.bytes, &m.size), SPORF_OK);
    assert_true(fail_each(decode, &m) >= 10);
    free(m.bytes);
    sporf_forest_free(m.forest);
    sporf_dataset_free(data);
}

static void boosted_models_survive_every_failure(void **state) {
    material m = *(const material *)*state;
    m.forest = random_booster(1, &booster_shapes[7]);
    assert_int_equal(spf_model_encode(m.forest, &m.bytes, &m.size), SPORF_OK);
    assert_true(fail_each(decode, &m) >= 8);
    assert_true(fail_each(rank, &m) >= 8);
    free(m.bytes);
    sporf_forest_free(m.forest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding_survives_every_failure),
        cmocka_unit_test(decoding_survives_every_failure),
        cmocka_unit_test(decoding_samples_survives_every_failure),
        cmocka_unit_test(decoding_several_labels_survives_every_failure),
        cmocka_unit_test(boosted_models_survive_every_failure),
        cmocka_unit_test(importances_survive_every_failure),
        cmocka_unit_test(saving_survives_every_failure),
        cmocka_unit_test(loading_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, make_material, free_material);
}
