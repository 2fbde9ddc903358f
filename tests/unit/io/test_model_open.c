/* Models that are opened unread: they predict as loaded ones do, and damage in their trees, which
 * nobody has looked for, does no harm. */
#include "io/model_file.h"
#include "io/model_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "predict/predict.h"
#include "predict/proximity.h"
#include "support/encoded_model.h"
#include "support/tmpfile.h"

enum { ROWS = 6, NEAREST = 3, FIRST_UNREAD = 8, LAST_UNREAD = 16 };

/* ---- what a forest says about a few rows ----------------------------------------------------- */

typedef struct {
    float *values, *row;
    const float **columns;
    size_t features;
} table;

static table random_table(sporf_random *random, size_t features) {
    table t = {malloc(features * ROWS * sizeof(float)), malloc(features * sizeof(float)),
               malloc(features * sizeof(float *)), features};
    random_row(random, t.values, features * ROWS);
    for (size_t i = 0; i < features; i++) t.columns[i] = t.values + i * ROWS;
    return t;
}

static void free_table(table *t) {
    free(t->values);
    free(t->row);
    free(t->columns);
}

/* Everything that can be asked for, in one block, so that two of them can be compared. */
typedef struct {
    size_t size;
    unsigned char *bytes;
} answers;

static void *room(answers *a, size_t count, size_t element) {
    void *place = a->bytes + a->size;
    a->size += (count * element + 7) / 8 * 8;
    return place;
}

static void assert_classes(const uint32_t *classes, size_t count, const sporf_forest *forest) {
    for (size_t i = 0; i < count; i++) assert_true(classes[i] < forest->classes);
}

/* Returns whether the file turned out to be damaged. */
static int is_damaged(sporf_status status) {
    if (status == SPORF_OK) return 0;
    assert_int_equal(status, SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "damaged"));
    return 1;
}

static int ask_batch(const sporf_forest *forest, const table *t, sporf_combine combine,
                     answers *a) {
    size_t trees = forest->trees_count, classes = forest->classes;
    spf_predictions out = {
        .classes = room(a, ROWS, sizeof(uint32_t)),
        .outputs = room(a, ROWS * classes, sizeof(double)),
        .votes = room(a, ROWS * classes, sizeof(uint32_t)),
        .tree_classes = room(a, ROWS * trees, sizeof(uint32_t)),
        .leaves = room(a, ROWS * trees, sizeof(uint32_t)),
    };
    if (is_damaged(spf_predict(forest, &(spf_values){t->columns, ROWS, 0},
                               spf_combining_of(forest, combine, SPORF_CALIBRATE_AUTO), 1, &out)))
        return 0;
    assert_classes(out.classes, ROWS, forest);
    assert_classes(out.tree_classes, ROWS * trees, forest);
    for (size_t i = 0; i < ROWS * trees; i++)
        assert_true(out.leaves[i] < forest->packed.trees[i % trees].leaves);
    return 1;
}

static int ask_row_by_row(const sporf_forest *forest, table *t, sporf_combine combine, answers *a) {
    int good = 1;
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t *winner = room(a, 1, sizeof *winner);
        double *shares = room(a, forest->classes, sizeof *shares);
        for (size_t f = 0; f < t->features; f++) t->row[f] = t->columns[f][i];
        int whole = spf_predict_row(
            forest, t->row, spf_combining_of(forest, combine, SPORF_CALIBRATE_AUTO), shares);
        *winner = whole ? spf_argmax(shares, forest->classes) : SPORF_NO_CLASS;
        good &= whole;
    }
    return good;
}

static int ask_nearest(const sporf_forest *forest, const table *t, answers *a) {
    spf_values rows = {t->columns, ROWS, 0};
    uint32_t *nearest = room(a, ROWS * NEAREST, sizeof *nearest);
    double *proximities = room(a, ROWS * NEAREST, sizeof *proximities);
    if (is_damaged(spf_nearest(forest, &rows, &rows, 1, NEAREST, nearest, proximities))) return 0;
    for (size_t i = 0; i < ROWS; i++) assert_true(proximities[i * NEAREST] == 1);
    return 1;
}

/* Asks for all there is; *good is 0 where any of it was refused. */
static answers ask(const sporf_forest *forest, table *t, int *good) {
    size_t classes = forest->classes, trees = forest->trees_count;
    answers a = {.bytes = calloc(ROWS * (64 * classes + 32 * trees + 200), 1)};
    *good = 1;
    for (sporf_combine combine = SPORF_COMBINE_VOTES; combine <= SPORF_COMBINE_POSTERIORS;
         combine++) {
        *good &= ask_batch(forest, t, combine, &a);
        *good &= ask_row_by_row(forest, t, combine, &a);
    }
    *good &= ask_nearest(forest, t, &a);
    return a;
}

static void assert_same_answers(const answers *a, const answers *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->bytes, b->bytes, a->size);
}

/* ---- files ----------------------------------------------------------------------------------- */

static sporf_forest *open_file(const tmp_file *file) {
    sporf_forest *forest = NULL;
    if (spf_model_map(file->path, &forest) != SPORF_OK) fail_msg("%s", sporf_last_error());
    assert_false(forest->trusted);
    return forest;
}

/* Maps a file of these bytes, which has no name any more. */
static sporf_forest *open_model(const model *m) {
    tmp_file file = tmp_file_of("m.sporf", m->bytes, m->size);
    sporf_forest *forest = open_file(&file);
    tmp_file_remove(&file);
    return forest;
}

static void assert_opens_like_a_loaded_one(uint64_t seed, const random_shape *shape) {
    sporf_random random = spf_random_start(seed, 1, SPF_USE_SIMULATE);
    model m = make_model(seed, shape);
    sporf_forest *opened = open_model(&m), *loaded = NULL;
    assert_int_equal(spf_model_decode(m.bytes, m.size, &loaded), SPORF_OK);
    table t = random_table(&random, loaded->features);
    int good = 0;
    answers expected = ask(loaded, &t, &good), unread = ask(opened, &t, &good);
    assert_true(good);
    assert_same_answers(&expected, &unread);
    assert_int_equal(spf_model_check(opened), SPORF_OK);
    assert_true(opened->trusted);
    answers checked = ask(opened, &t, &good);
    assert_same_answers(&expected, &checked);
    free(expected.bytes);
    free(unread.bytes);
    free(checked.bytes);
    free_table(&t);
    sporf_forest_free(opened);
    sporf_forest_free(loaded);
    free(m.bytes);
}

static void an_opened_model_predicts_as_a_loaded_one(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) assert_opens_like_a_loaded_one(seed, NULL);
    random_shape deep = {.trees = 5, .leaves = 2000, .terms = 10, .chains = 1};
    assert_opens_like_a_loaded_one(1, &deep);
    random_shape wide = {.trees = 20, .features = 300, .classes = 1000, .leaves = 100, .terms = 30};
    assert_opens_like_a_loaded_one(2, &wide);
}

static void an_opened_model_stays_when_its_file_is_replaced(void **state) {
    (void)state;
    sporf_random random = spf_random_start(3, 1, SPF_USE_SIMULATE);
    sporf_forest *other = random_forest(4, NULL);
    model m = make_model(3, NULL);
    tmp_file file = tmp_file_of("m.sporf", m.bytes, m.size);
    sporf_forest *opened = open_file(&file);
    table t = random_table(&random, opened->features);
    int good = 0;
    answers before = ask(opened, &t, &good);
    assert_int_equal(spf_model_write(other, file.path), SPORF_OK);
    answers after = ask(opened, &t, &good);
    assert_same_answers(&before, &after);
    tmp_file_remove(&file);
    free(before.bytes);
    free(after.bytes);
    free_table(&t);
    sporf_forest_free(opened);
    sporf_forest_free(other);
    free(m.bytes);
}

static void assert_not_opened(const char *path, sporf_status expected, const char *words) {
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_map(path, &forest), expected);
    assert_null(forest);
    if (!strstr(sporf_last_error(), words) || !strstr(sporf_last_error(), path))
        fail_msg("expected '%s' and the path in '%s'", words, sporf_last_error());
}

static void assert_bytes_not_opened(const void *bytes, size_t size, const char *words) {
    tmp_file file = tmp_file_of("m.sporf", bytes, size);
    assert_not_opened(file.path, SPORF_ERROR_MODEL, words);
    tmp_file_remove(&file);
}

static void places_that_cannot_be_opened_are_named(void **state) {
    (void)state;
    tmp_file place = tmp_file_name("place");
    assert_not_opened(place.path, SPORF_ERROR_IO, "No such file");
    assert_int_equal(mkfifo(place.path, 0600), 0);
    assert_not_opened(place.path, SPORF_ERROR_IO, "not a regular file");
    tmp_file_remove(&place);
    assert_int_equal(mkdir(place.path, 0700), 0);
    assert_not_opened(place.path, SPORF_ERROR_IO, "a directory");
    assert_int_equal(rmdir(place.path), 0);
}

static void what_is_read_must_be_whole(void **state) {
    (void)state;
    model m = make_model(5, NULL);
    assert_bytes_not_opened("", 0, "not a sporf model");
    assert_bytes_not_opened("a,b\n1,2\n", 8, "not a sporf model");
    assert_bytes_not_opened(m.bytes, 8, "cut off after 8 bytes");
    assert_bytes_not_opened(m.bytes, m.size - 1, "cut off");
    for (uint32_t id = 1; id < FIRST_UNREAD; id++) {
        char words[40];
        if (!entry_of(&m, id)) continue;
        snprintf(words, sizeof words, "checksum of section %u (", id);
        m.bytes[offset_of(&m, id)] ^= 1;
        assert_bytes_not_opened(m.bytes, m.size, words);
        m.bytes[offset_of(&m, id)] ^= 1;
    }
    free(m.bytes);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static model realistic_model(void) {
    random_shape shape = {.trees = 20, .features = 40, .classes = 7, .leaves = 60, .terms = 12};
    return make_model(6, &shape);
}

static void a_check_names_the_damaged_section(void **state) {
    (void)state;
    model m = realistic_model();
    for (uint32_t id = FIRST_UNREAD; id <= LAST_UNREAD; id++) {
        if (!entry_of(&m, id)) continue;
        char words[40];
        size_t middle = offset_of(&m, id) + size_of(&m, id) / 2;
        snprintf(words, sizeof words, "checksum of section %u (", id);
        m.bytes[middle] ^= 1;
        sporf_forest *forest = open_model(&m);
        assert_int_equal(spf_model_check(forest), SPORF_ERROR_MODEL);
        if (!strstr(sporf_last_error(), words))
            fail_msg("expected '%s' in '%s'", words, sporf_last_error());
        assert_non_null(strstr(sporf_last_error(), "train the model again"));
        assert_false(forest->trusted);
        sporf_forest_free(forest);
        m.bytes[middle] ^= 1;
    }
    free(m.bytes);
}

static void a_check_names_the_damaged_tree(void **state) {
    (void)state;
    model m = realistic_model();
    set32(&m, offset_of(&m, 8), 0);
    fix_model_checksums(m.bytes, m.size);
    sporf_forest *forest = open_model(&m);
    assert_int_equal(spf_model_check(forest), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "tree 0: node 0 "));
    sporf_forest_free(forest);
    free(m.bytes);
}

/* With checksums made anew, what was damaged would look whole. */
static void damage_is_not_saved_again(void **state) {
    (void)state;
    model m = realistic_model();
    tmp_file other = tmp_file_name("other.sporf");
    void *bytes = NULL;
    size_t size = 0;
    m.bytes[offset_of(&m, 12)] ^= 1;
    sporf_forest *forest = open_model(&m);
    assert_int_equal(spf_model_write(forest, other.path), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "section 12 (leaf weights)"));
    assert_int_equal(tmp_file_count(&other), 0);
    assert_int_equal(spf_model_encode(forest, &bytes, &size), SPORF_ERROR_MODEL);
    assert_null(bytes);
    sporf_forest_free(forest);
    m.bytes[offset_of(&m, 12)] ^= 1;
    forest = open_model(&m);
    assert_int_equal(spf_model_encode(forest, &bytes, &size), SPORF_OK);
    assert_int_equal(size, m.size);
    assert_memory_equal(bytes, m.bytes, size);
    free(bytes);
    sporf_forest_free(forest);
    free(m.bytes);
}

/* ---- random damage --------------------------------------------------------------------------- */

static void flip_bit(sporf_random *random, unsigned char *bytes, size_t size) {
    bytes[spf_random_below64(random, size)] ^= (unsigned char)(1u << spf_random_below(random, 8));
}

static void change_bytes(sporf_random *random, unsigned char *bytes, size_t size) {
    for (uint32_t n = 1 + spf_random_below(random, 8); n > 0; n--)
        bytes[spf_random_below64(random, size)] = (unsigned char)spf_random_below(random, 256);
}

static void change_words(sporf_random *random, unsigned char *bytes, size_t size) {
    static const uint32_t words[] = {0,          1,          2,          3,          64,
                                     0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xc0000000,
                                     0xc0000001, UINT32_MAX, 0x7fc00000};
    for (uint32_t n = 1 + spf_random_below(random, 8); n > 0; n--) {
        uint32_t word = words[spf_random_below(random, sizeof words / sizeof *words)];
        memcpy(bytes + spf_random_below64(random, size / 4) * 4, &word, sizeof word);
    }
}

static void copy_words(sporf_random *random, unsigned char *bytes, size_t size) {
    for (uint32_t n = 1 + spf_random_below(random, 8); n > 0; n--)
        memmove(bytes + spf_random_below64(random, size / 4) * 4,
                bytes + spf_random_below64(random, size / 4) * 4, 4);
}

static void (*const damages[])(sporf_random *, unsigned char *,
                               size_t) = {flip_bit, change_bytes, change_words, copy_words};
enum { DAMAGES = sizeof damages / sizeof *damages };

/* Damages a section from the tree table on. Checksums are mended, or the table would be refused. */
static model damaged(sporf_random *random, const model *m) {
    model copy = {malloc(m->size), m->size};
    memcpy(copy.bytes, m->bytes, m->size);
    uint32_t id;
    do id = 7 + spf_random_below(random, 10);
    while (!entry_of(m, id) || size_of(m, id) == 0);
    damages[spf_random_below(random, DAMAGES)](random, copy.bytes + offset_of(m, id),
                                               size_of(m, id));
    fix_model_checksums(copy.bytes, copy.size);
    return copy;
}

/* Opens a file's bytes as if they were mapped; NULL where what is read is not as it should be. */
static sporf_forest *open_bytes(const model *m) {
    spf_model_buffer buffer = {.size = m->size};
    sporf_forest *forest = NULL;
    assert_int_equal(posix_memalign(&buffer.storage.base, MODEL_ALIGNMENT, m->size), 0);
    memcpy(buffer.storage.base, m->bytes, m->size);
    buffer.bytes = buffer.storage.base;
    sporf_status status =
        spf_model_decode_buffer(&buffer, SPF_MODEL_CHECK_FRAME, "the model", &forest);
    if (status == SPORF_OK) return forest;
    assert_int_equal(status, SPORF_ERROR_MODEL);
    spf_model_buffer_free(&buffer);
    return NULL;
}

static void move_out(const void *array, uint64_t count, size_t element) {
    const void *there;
    void *own = malloc(count * element);
    memcpy(&there, array, sizeof there);
    if (count > 0) memcpy(own, there, count * element);
    memcpy((void *)array, &own, sizeof own);
}

/* Gives each array memory of its own, so that sanitizers see a step beyond any of them. */
static void scatter(sporf_forest *forest) {
    spf_packed *p = &forest->packed;
    move_out(&p->trees, forest->trees_count, sizeof *p->trees);
    move_out(&p->nodes, p->nodes_count, sizeof *p->nodes);
    move_out(&p->projection_start, (uint64_t)p->projections_count + 1, 8);
    move_out(&p->term_feature, p->terms_count, 4);
    move_out(&p->term_weight, p->terms_count, 4);
    move_out(&p->leaf_weight, p->leaves_count, 4);
    if (p->leaf_class) move_out(&p->leaf_class, p->leaves_count, 4);
    move_out(&p->mixed_start, p->mixed_count + 1, 8);
    move_out(&p->entry_class, p->entries_count, 4);
    move_out(&p->entry_weight, p->entries_count, 4);
    spf_storage_free(&forest->storage);
}

/* What opened damaged models came to. */
typedef struct {
    int refused, astray, harmless, valid;
} fates;

static void look_at_trees(const sporf_forest *forest) {
    sporf_forest_summary summary;
    sporf_status status = sporf_forest_summarise(forest, &summary);
    assert_true(status == SPORF_OK || status == SPORF_ERROR_MODEL);
}

static void use_damaged(sporf_random *random, const model *m, fates *counts) {
    sporf_forest *whole = open_bytes(m), *apart = open_bytes(m);
    if (!whole) {
        counts->refused++;
        return;
    }
    scatter(apart);
    look_at_trees(apart);
    table t = random_table(random, apart->features);
    int good = 0;
    answers careful = ask(apart, &t, &good);
    counts->astray += !good;
    counts->harmless += good;
    sporf_status status = spf_model_check(whole);
    assert_true(status == SPORF_OK || status == SPORF_ERROR_MODEL);
    if (status == SPORF_OK) {
        answers trusting = ask(whole, &t, &good);
        assert_true(good);
        assert_same_answers(&careful, &trusting);
        free(trusting.bytes);
        counts->valid++;
    }
    free(careful.bytes);
    free_table(&t);
    sporf_forest_free(apart);
    sporf_forest_free(whole);
}

static void unseen_damage_in_the_trees_does_no_harm(void **state) {
    (void)state;
    sporf_random random = spf_random_start(2, 0, SPF_USE_SIMULATE);
    fates counts = {0};
    for (uint64_t i = 0; i < 6000; i++) {
        random_shape shape = {.trees = 4, .features = 15, .classes = 5, .leaves = 12, .terms = 12};
        model m = make_model(i % 50, i % 3 ? &shape : NULL), copy = damaged(&random, &m);
        use_damaged(&random, &copy, &counts);
        free(copy.bytes);
        free(m.bytes);
    }
    if (counts.refused < 200 || counts.astray < 200 || counts.harmless < 200 || counts.valid < 200)
        fail_msg("%d refused, %d led astray, %d harmless, of which %d valid", counts.refused,
                 counts.astray, counts.harmless, counts.valid);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_opened_model_predicts_as_a_loaded_one),
        cmocka_unit_test(an_opened_model_stays_when_its_file_is_replaced),
        cmocka_unit_test(places_that_cannot_be_opened_are_named),
        cmocka_unit_test(what_is_read_must_be_whole),
        cmocka_unit_test(a_check_names_the_damaged_section),
        cmocka_unit_test(a_check_names_the_damaged_tree),
        cmocka_unit_test(damage_is_not_saved_again),
        cmocka_unit_test(unseen_damage_in_the_trees_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
