/* Pictures of forests: what they refuse, and memory that runs out at every single allocation. */
#include "sporf.h"

#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/random_data.h"

typedef struct {
    sporf_forest *forest;
    sporf_dataset *data;
} fixture;

static int set_up(void **state) {
    static fixture f;
    sporf_params params;
    sporf_params_init(&params);
    params.trees = 3;
    params.threads = 1;
    f.data = random_data(DATA_TIED, 60, 4, 3, 5);
    assert_ok(sporf_forest_train(f.data, &params, NULL, &f.forest));
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    sporf_forest_free(f->forest);
    sporf_dataset_free(f->data);
    return 0;
}

typedef sporf_status draws(const fixture *f, char **out);

static sporf_status draw_tree(const fixture *f, char **out) {
    return sporf_forest_draw_tree(f->forest, 1, SIZE_MAX, out);
}
static sporf_status write_tree(const fixture *f, char **out) {
    return sporf_forest_write_tree(f->forest, 1, 2, out);
}
static sporf_status draw_oob(const fixture *f, char **out) {
    return sporf_forest_draw_oob(f->forest, out);
}
static sporf_status draw_boundary(const fixture *f, char **out) {
    return sporf_forest_draw_boundary(f->forest, f->data, 0, 2, out);
}

/* The tree itself is unpacked once, before. */
static void run_out(const fixture *f, draws *draw) {
    char *first = NULL;
    assert_ok(draw(f, &first));
    for (long k = 1;; k++) {
        char *out = NULL;
        failing_alloc_after(k);
        sporf_status status = draw(f, &out);
        int hit = failing_alloc_hit();
        failing_alloc_off();
        if (!hit || status == SPORF_OK) {
            assert_ok(status);
            assert_string_equal(first, out);
            sporf_free(out);
        } else {
            assert_int_equal(status, SPORF_ERROR_MEMORY);
            assert_null(out);
        }
        if (!hit) break;
    }
    sporf_free(first);
}

static void memory_that_runs_out_is_reported(void **state) {
    run_out(*state, draw_tree);
    run_out(*state, write_tree);
    run_out(*state, draw_oob);
    run_out(*state, draw_boundary);
}

static void what_cannot_be_drawn_is_refused(void **state) {
    fixture *f = *state;
    char *out = NULL;
    assert_refused(sporf_forest_draw_tree(f->forest, 3, 1, &out), SPORF_ERROR_ARGUMENT, "no tree");
    assert_refused(sporf_forest_draw_tree(NULL, 0, 1, &out), SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(sporf_forest_write_tree(f->forest, 0, 1, NULL), SPORF_ERROR_ARGUMENT, "place");
    assert_refused(sporf_forest_draw_oob(NULL, &out), SPORF_ERROR_ARGUMENT, "forest");
    assert_refused(sporf_forest_draw_boundary(f->forest, NULL, 0, 1, &out), SPORF_ERROR_ARGUMENT,
                   "data");
    assert_refused(sporf_forest_draw_boundary(f->forest, f->data, 0, 4, &out), SPORF_ERROR_ARGUMENT,
                   "no feature");
    assert_refused(sporf_forest_draw_boundary(f->forest, f->data, 1, 1, &out), SPORF_ERROR_ARGUMENT,
                   "different");
    assert_null(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_runs_out_is_reported),
        cmocka_unit_test(what_cannot_be_drawn_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
