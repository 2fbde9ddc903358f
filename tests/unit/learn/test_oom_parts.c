/* Memory runs out at every single allocation of growing a part, of reading it and of joining, one
 * after the other: the call says so, and nothing leaks (which the address sanitizer sees).
 * Labels: threads */
#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"

/* Under the thread sanitizer, which looks for races and not for leaks, one in five has to do. */
#if defined(__SANITIZE_THREAD__)
enum { STEP = 5 };
#else
enum { STEP = 1 };
#endif

typedef struct {
    const sporf_dataset *data;
    sporf_params params;
    void *bytes; /* of a part with all trees */
    size_t size;
    const sporf_forest_part *part; /* the same */
    void *halves[2];               /* the bytes of its first tree, and of the others */
    size_t sizes[2];
} subject;

static sporf_status grow(const subject *s) {
    sporf_forest_part *part = NULL;
    sporf_status status = sporf_forest_part_train(s->data, &s->params, NULL, 1, 2, &part);
    if (status != SPORF_OK && part) return SPORF_ERROR_MODEL; /* must be left alone */
    sporf_forest_part_free(part);
    return status;
}

static sporf_status load(const subject *s) {
    sporf_forest_part *part = NULL;
    sporf_status status = sporf_forest_part_load_bytes(s->bytes, s->size, &part);
    if (status != SPORF_OK && part) return SPORF_ERROR_MODEL;
    sporf_forest_part_free(part);
    return status;
}

static sporf_status join(const subject *s) {
    sporf_forest *forest = NULL;
    sporf_status status = sporf_forest_join(&s->part, NULL, 1, s->params.threads, &forest);
    if (status != SPORF_OK && forest) return SPORF_ERROR_MODEL;
    sporf_forest_free(forest);
    return status;
}

/* The second half waits for the first. */
static sporf_status join_halves(const subject *s) {
    sporf_joining *joining = NULL;
    sporf_forest *forest = NULL;
    sporf_status status = sporf_joining_create(s->params.threads, &joining);
    for (size_t i = 2; status == SPORF_OK && i-- > 0;) {
        sporf_forest_part *part = NULL;
        status = sporf_forest_part_load_bytes(s->halves[i], s->sizes[i], &part);
        if (status == SPORF_OK) status = sporf_joining_add(joining, part, "half");
    }
    if (status == SPORF_OK) status = sporf_joining_end(joining, 0, &forest);
    if (status != SPORF_OK && forest) return SPORF_ERROR_MODEL;
    sporf_joining_free(joining);
    sporf_forest_free(forest);
    return status;
}

static sporf_status settle(const subject *s) {
    sporf_params settled;
    sporf_params_init(&settled);
    return sporf_train_settle(s->data, &s->params, NULL, &settled);
}

/* Makes allocation 1, 2, ... fail until a run has fewer than that. */
static void run_out_everywhere(const subject *s, sporf_status (*run)(const subject *)) {
    for (long k = 1;; k += STEP) {
        failing_alloc_after(k);
        sporf_status status = run(s);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit) {
            assert_int_equal(status, SPORF_OK);
            break;
        }
        if (status == SPORF_OK) continue;
        assert_int_equal(status, SPORF_ERROR_MEMORY);
        if (!strstr(sporf_last_error(), "memory"))
            fail_msg("allocation %ld: \"%s\"", k, sporf_last_error());
    }
}

static void halve(subject *s) {
    for (uint32_t i = 0; i < 2; i++) {
        sporf_forest_part *part = NULL;
        assert_ok(sporf_forest_part_train(s->data, &s->params, NULL, i, 1 + i, &part));
        assert_ok(sporf_forest_part_save_bytes(part, &s->halves[i], &s->sizes[i]));
        sporf_forest_part_free(part);
    }
}

static void memory_runs_out_in_parts(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        sporf_dataset *data =
            kind % 2 ? with_targets(DATA_MIXED, 30, 4, 2, 1) : random_data(DATA_MIXED, 30, 4, 3, 1);
        subject s = {.data = data, .params = params_with("trees", "3", (char *)NULL)};
        sporf_forest_part *part = NULL;
        s.params.threads = kind < 2 ? 1 : 2;
        s.params.scale = SPORF_SCALE_SD;
        assert_ok(sporf_forest_part_train(data, &s.params, NULL, 0, 3, &part));
        assert_ok(sporf_forest_part_save_bytes(part, &s.bytes, &s.size));
        s.part = part;
        run_out_everywhere(&s, grow);
        run_out_everywhere(&s, load);
        run_out_everywhere(&s, join);
        halve(&s);
        run_out_everywhere(&s, join_halves);
        for (size_t i = 0; i < 2; i++) sporf_free(s.halves[i]);
        run_out_everywhere(&s, settle);
        sporf_forest_part_free(part);
        sporf_free(s.bytes);
        sporf_dataset_free(data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
