/* Saving and loading: what comes back is what was saved, and a save that fails or is killed leaves
 * the old file. */
#include "io/model_file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/plain_tree.h"
#include "support/random_forest.h"
#include "support/tmpfile.h"

/* ---- a directory for each test --------------------------------------------------------------- */

typedef struct {
    char directory[512], path[600];
} place;

static int make_place(void **state) {
    place *p = calloc(1, sizeof *p);
    snprintf(p->directory, sizeof p->directory, "%s", tmp_folder("models").path);
    snprintf(p->path, sizeof p->path, "%s/m.sporf", p->directory);
    *state = p;
    return 0;
}

static int remove_place(void **state) {
    place *p = *state;
    char command[700];
    snprintf(command, sizeof command, "rm -rf '%s'", p->directory);
    int status = system(command);
    free(p);
    return status;
}

/* What `command` prints as a number when it runs in the directory. */
static int count(const place *p, const char *command) {
    char line[700];
    int result = -1;
    snprintf(line, sizeof line, "cd '%s' && %s", p->directory, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &result), 1);
    pclose(pipe);
    return result;
}

static int files_in(const place *p) {
    return count(p, "ls -A | wc -l");
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void assert_same_strings(const spf_strings *a, const spf_strings *b) {
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_string_equal(spf_strings_at(a, i), spf_strings_at(b, i));
}

static void assert_same_tree(const spf_tree *a, const spf_tree *b) {
    assert_int_equal(a->nodes_count, b->nodes_count);
    assert_int_equal(a->projections_count, b->projections_count);
    assert_int_equal(a->leaves_count, b->leaves_count);
    size_t projections = a->projections_count, leaves = a->leaves_count;
    size_t terms = a->projection_start[projections], entries = a->leaf_start[leaves];
    assert_memory_equal(a->nodes, b->nodes, a->nodes_count * sizeof *a->nodes);
    assert_memory_equal(a->projection_start, b->projection_start, (projections + 1) * 4);
    assert_memory_equal(a->term_feature, b->term_feature, terms * 4);
    assert_memory_equal(a->term_weight, b->term_weight, terms * 4);
    assert_memory_equal(a->leaf_start, b->leaf_start, (leaves + 1) * 4);
    assert_memory_equal(a->leaf_class, b->leaf_class, entries * 4);
    assert_memory_equal(a->leaf_weight, b->leaf_weight, entries * 4);
}

static void assert_same_array(const void *a, const void *b, size_t size) {
    assert_int_equal(a == NULL, b == NULL);
    if (a) assert_memory_equal(a, b, size);
}

static void assert_same_schema(const sporf_schema *a, const sporf_schema *b) {
    assert_same_strings(&a->names, &b->names);
    assert_int_equal(a->count, b->count);
    assert_same_array(a->kinds, b->kinds, a->count * sizeof *a->kinds);
    for (size_t i = 0; i < a->count; i++) assert_same_strings(&a->levels[i], &b->levels[i]);
}

static void assert_same_forest(const sporf_forest *a, const sporf_forest *b) {
    assert_int_equal(a->trees_count, b->trees_count);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->classes, b->classes);
    assert_same_schema(&a->schema, &b->schema);
    assert_same_strings(&a->schema.classes, &b->schema.classes);
    assert_same_strings(&a->settings, &b->settings);
    assert_same_array(a->schema.label_name, b->schema.label_name,
                      a->schema.label_name ? strlen(a->schema.label_name) + 1 : 0);
    assert_same_array(a->scale, b->scale, a->features * sizeof(float));
    assert_int_equal(a->oob_rows, b->oob_rows);
    assert_memory_equal(&a->oob_error, &b->oob_error, sizeof a->oob_error);
    assert_memory_equal(&a->oob_score, &b->oob_score, sizeof a->oob_score);
    assert_same_array(a->oob_curve, b->oob_curve, a->trees_count * sizeof(double));
    for (size_t t = 0; t < a->trees_count; t++)
        assert_same_tree(plain_tree(a, t), plain_tree(b, t));
}

static void assert_same_bytes(const sporf_forest *a, const sporf_forest *b) {
    void *first = NULL, *second = NULL;
    size_t first_size = 0, second_size = 1;
    assert_int_equal(spf_model_encode(a, &first, &first_size), SPORF_OK);
    assert_int_equal(spf_model_encode(b, &second, &second_size), SPORF_OK);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    free(first);
    free(second);
}

static sporf_forest *load(const char *path) {
    sporf_forest *forest = NULL;
    if (spf_model_read(path, &forest) != SPORF_OK) fail_msg("%s", sporf_last_error());
    return forest;
}

static void assert_holds(const char *path, const sporf_forest *expected) {
    sporf_forest *forest = load(path);
    assert_same_bytes(forest, expected);
    sporf_forest_free(forest);
}

/* ---- round trips ----------------------------------------------------------------------------- */

static void what_was_saved_comes_back(void **state) {
    const place *p = *state;
    unsigned seen = 0; /* which optional parts were there, and which were not */
    for (uint64_t seed = 0; seed < 60; seed++) {
        sporf_forest *forest = random_forest(seed, &(random_shape){.mixed = seed % 2});
        assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
        sporf_forest *copy = load(p->path);
        assert_same_forest(forest, copy);
        assert_same_bytes(forest, copy);
        unsigned parts = (forest->schema.names.count > 0) |
                         (forest->schema.label_name != NULL) << 1 |
                         (forest->settings.count > 0) << 2 | (forest->scale != NULL) << 3 |
                         (forest->oob_curve != NULL) << 4;
        seen |= parts | (~parts & 31) << 5;
        sporf_forest_free(copy);
        sporf_forest_free(forest);
    }
    assert_int_equal(seen, 1023);
    assert_int_equal(files_in(p), 1);
}

static void a_file_has_the_bytes_of_encode(void **state) {
    const place *p = *state;
    random_shape shape = {.trees = 50, .leaves = 500, .classes = 300}; /* larger than one buffer */
    sporf_forest *forest = random_forest(5, &shape);
    void *bytes = NULL;
    size_t size = 0;
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    assert_int_equal(spf_model_encode(forest, &bytes, &size), SPORF_OK);
    assert_true(size > 200000);
    unsigned char *file = malloc(size + 1);
    FILE *stream = fopen(p->path, "rb");
    assert_int_equal(fread(file, 1, size + 1, stream), size);
    assert_memory_equal(file, bytes, size);
    fclose(stream);
    free(file);
    free(bytes);
    sporf_forest_free(forest);
}

static void trees_a_hundred_thousand_deep_come_back(void **state) {
    const place *p = *state;
    random_shape shape = {.trees = 2, .leaves = 100000, .chains = 1};
    sporf_forest *forest = random_forest(6, &shape);
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    assert_holds(p->path, forest);
    sporf_forest_free(forest);
}

static void every_nan_is_written_alike(void **state) {
    (void)state;
    random_shape shape = {.plain = 1};
    sporf_forest *forest = random_forest(7, &shape), *other = random_forest(7, &shape);
    forest->oob_rows = other->oob_rows = 1;
    forest->oob_score = __builtin_nan("");
    other->oob_score = -__builtin_nan("77");
    assert_same_bytes(forest, other);
    forest->oob_curve = calloc(forest->trees_count, sizeof(double));
    other->oob_curve = calloc(other->trees_count, sizeof(double));
    forest->oob_curve[0] = __builtin_nan("");
    other->oob_curve[0] = -__builtin_nan("77");
    assert_same_bytes(forest, other);
    sporf_forest_free(forest);
    sporf_forest_free(other);
}

static void a_forest_loaded_from_bytes_does_not_need_them(void **state) {
    (void)state;
    sporf_forest *forest = random_forest(8, NULL), *copy = NULL;
    void *bytes = NULL;
    size_t size = 0;
    assert_int_equal(spf_model_encode(forest, &bytes, &size), SPORF_OK);
    unsigned char *odd = malloc(size + 1); /* at an address of no alignment */
    memcpy(odd + 1, bytes, size);
    assert_int_equal(spf_model_decode(odd + 1, size, &copy), SPORF_OK);
    free(odd);
    free(bytes);
    assert_same_forest(forest, copy);
    sporf_forest_free(copy);
    sporf_forest_free(forest);
}

/* ---- saves that cannot be -------------------------------------------------------------------- */

static void assert_save_fails(const sporf_forest *forest, const char *path, const char *words) {
    assert_int_equal(spf_model_write(forest, path), SPORF_ERROR_IO);
    if (!strstr(sporf_last_error(), words) || !strstr(sporf_last_error(), path))
        fail_msg("expected '%s' and the path in '%s'", words, sporf_last_error());
}

static void places_that_cannot_be_written_are_named(void **state) {
    const place *p = *state;
    char path[700];
    sporf_forest *forest = random_forest(9, NULL);
    snprintf(path, sizeof path, "%s/missing/m.sporf", p->directory);
    assert_save_fails(forest, path, "create the directory first");
    assert_save_fails(forest, p->directory, "it is a directory");
    snprintf(path, sizeof path, "%s/pipe", p->directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_save_fails(forest, path, "not a regular file");
    assert_int_equal(spf_model_write(forest, ""), SPORF_ERROR_ARGUMENT);
    assert_int_equal(files_in(p), 1);
    sporf_forest_free(forest);
}

static void places_that_cannot_be_read_are_named(void **state) {
    const place *p = *state;
    sporf_forest *forest = NULL;
    assert_int_equal(spf_model_read(p->path, &forest), SPORF_ERROR_IO);
    assert_non_null(strstr(sporf_last_error(), "No such file"));
    assert_int_equal(spf_model_read(p->directory, &forest), SPORF_ERROR_IO);
    assert_non_null(strstr(sporf_last_error(), "a directory"));
    assert_int_equal(spf_model_read("/dev/null", &forest), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "/dev/null is not a sporf model"));
    assert_null(forest);
}

/* Reads what a process of its own writes to a pipe: the first bytes of a file, and then some. */
static sporf_status read_through_pipe(const place *p, size_t bytes, const char *more,
                                      sporf_forest **forest) {
    char pipe[700], command[2000];
    snprintf(pipe, sizeof pipe, "%s/pipe", p->directory);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    snprintf(command, sizeof command, "{ head -c %zu '%s'; printf '%s'; } >'%s' 2>'%s/err' &",
             bytes, p->path, more, pipe, p->directory);
    assert_int_equal(system(command), 0);
    sporf_status status = spf_model_read(pipe, forest);
    assert_int_equal(unlink(pipe), 0);
    return status;
}

static void a_model_may_come_through_a_pipe(void **state) {
    const place *p = *state;
    random_shape shape = {.trees = 50, .leaves = 500, .classes = 300}; /* more than a pipe holds */
    sporf_forest *forest = random_forest(24, &shape), *copy = NULL;
    struct stat info;
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    assert_int_equal(stat(p->path, &info), 0);
    size_t size = (size_t)info.st_size;
    assert_int_equal(read_through_pipe(p, size, "", &copy), SPORF_OK);
    assert_same_forest(copy, forest);
    sporf_forest_free(copy);
    copy = NULL;
    assert_int_equal(read_through_pipe(p, size / 2, "", &copy), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "cut off"));
    assert_int_equal(read_through_pipe(p, 10, "", &copy), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "cut off after 10 bytes"));
    assert_int_equal(read_through_pipe(p, size, "x", &copy), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "longer than it says"));
    assert_int_equal(read_through_pipe(p, 0, "a,b,c", &copy), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "is not a sporf model"));
    assert_null(copy);
    sporf_forest_free(forest);
}

static void a_huge_file_that_is_no_model_costs_nothing(void **state) {
    const place *p = *state;
    sporf_forest *forest = NULL;
    int file = open(p->path, O_WRONLY | O_CREAT, 0600);
    assert_true(file >= 0);
    int made = ftruncate(file, (off_t)1 << 40);
    close(file);
    if (made != 0) skip();
    assert_int_equal(spf_model_read(p->path, &forest), SPORF_ERROR_MODEL);
    assert_non_null(strstr(sporf_last_error(), "not a sporf model"));
    assert_non_null(strstr(sporf_last_error(), p->path));
}

static void a_link_stays_a_link(void **state) {
    const place *p = *state;
    char link[700];
    struct stat info;
    sporf_forest *forest = random_forest(10, NULL), *other = random_forest(11, NULL);
    snprintf(link, sizeof link, "%s/link", p->directory);
    assert_int_equal(symlink("m.sporf", link), 0);
    assert_int_equal(spf_model_write(forest, link), SPORF_OK); /* it led nowhere */
    assert_holds(p->path, forest);
    assert_int_equal(spf_model_write(other, link), SPORF_OK);
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_holds(p->path, other);
    sporf_forest_free(forest);
    sporf_forest_free(other);
}

static void a_new_file_has_the_mode_that_umask_leaves(void **state) {
    const place *p = *state;
    struct stat info;
    sporf_forest *forest = random_forest(12, NULL);
    mode_t old = umask(027);
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    umask(old);
    assert_int_equal(stat(p->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    sporf_forest_free(forest);
}

/* Runs `action` in a process of its own; returns its exit status. */
static int in_child(int (*action)(const sporf_forest *, const place *), const sporf_forest *forest,
                    const place *p) {
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(action(forest, p));
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static int save_as_nobody(const sporf_forest *forest, const place *p) {
    if (geteuid() == 0 && setuid(65534) != 0) return 77;
    sporf_status status = spf_model_write(forest, p->path);
    return status == SPORF_ERROR_IO && strstr(sporf_last_error(), "you may write to") ? 0 : 1;
}

static void a_directory_without_permission_keeps_the_old_file(void **state) {
    const place *p = *state;
    sporf_forest *old = random_forest(13, NULL), *new = random_forest(14, NULL);
    assert_int_equal(spf_model_write(old, p->path), SPORF_OK);
    assert_int_equal(chmod(p->path, 0644), 0);
    assert_int_equal(chmod(p->directory, 0555), 0);
    int result = in_child(save_as_nobody, new, p);
    assert_int_equal(chmod(p->directory, 0755), 0);
    if (result != 77) assert_int_equal(result, 0);
    assert_holds(p->path, old);
    assert_int_equal(files_in(p), 1);
    sporf_forest_free(old);
    sporf_forest_free(new);
}

static int save_with_little_room(const sporf_forest *forest, const place *p) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    for (limit.rlim_cur = 0; limit.rlim_cur < 40000; limit.rlim_cur += 3001) {
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
        if (spf_model_write(forest, p->path) != SPORF_ERROR_IO) return 3;
        if (!strstr(sporf_last_error(), "make room")) return 4;
    }
    return 0;
}

static void a_full_disk_keeps_the_old_file(void **state) {
    const place *p = *state;
    random_shape large = {.trees = 100, .leaves = 200, .features = 10};
    sporf_forest *old = random_forest(15, NULL), *new = random_forest(16, &large);
    assert_int_equal(spf_model_write(old, p->path), SPORF_OK);
    assert_int_equal(in_child(save_with_little_room, new, p), 0);
    assert_holds(p->path, old);
    assert_int_equal(files_in(p), 1);
    sporf_forest_free(old);
    sporf_forest_free(new);
}

static void a_stale_temporary_file_is_in_nobodys_way(void **state) {
    const place *p = *state;
    char stale[700];
    sporf_forest *forest = random_forest(17, NULL);
    snprintf(stale, sizeof stale, "%s/.m.sporf.sporf-0.tmp", p->directory);
    fclose(fopen(stale, "w"));
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    assert_holds(p->path, forest);
    assert_int_equal(files_in(p), 1);
    sporf_forest_free(forest);
}

static void a_saved_model_keeps_the_permissions_of_the_old_one(void **state) {
    const place *p = *state;
    struct stat info;
    sporf_forest *forest = random_forest(21, NULL);
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    assert_int_equal(chmod(p->path, 0600), 0);
    assert_int_equal(spf_model_write(forest, p->path), SPORF_OK);
    assert_int_equal(stat(p->path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    sporf_forest_free(forest);
}

static void a_read_only_model_is_not_replaced(void **state) {
    const place *p = *state;
    sporf_forest *old = random_forest(22, NULL), *new = random_forest(23, NULL);
    assert_int_equal(spf_model_write(old, p->path), SPORF_OK);
    assert_int_equal(chmod(p->path, 0400), 0);
    assert_save_fails(new, p->path, "the file is read-only; make it writable");
    assert_holds(p->path, old);
    assert_int_equal(files_in(p), 1);
    sporf_forest_free(old);
    sporf_forest_free(new);
}

static void save_in_turn(sporf_forest *const forests[2], const char *path) {
    for (int i = 0;; i = !i)
        if (spf_model_write(forests[i], path) != SPORF_OK) _exit(1);
}

static void a_kill_at_any_moment_leaves_a_whole_model(void **state) {
    const place *p = *state;
    random_shape shape = {.trees = 30, .leaves = 300, .features = 20};
    sporf_forest *forests[] = {random_forest(18, &shape), random_forest(19, &shape)};
    sporf_random random = spf_random_start(20, 0, SPF_USE_SIMULATE);
    assert_int_equal(spf_model_write(forests[0], p->path), SPORF_OK);
    int half_way = 0;
    for (int round = 0; round < 60; round++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) save_in_turn(forests, p->path);
        usleep(1000 + spf_random_below(&random, 9000));
        kill(child, SIGKILL);
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); /* it never failed to save */
        sporf_forest *left = load(p->path);
        assert_same_forest(
            left,
            forests[plain_tree(left, 0)->nodes_count != plain_tree(forests[0], 0)->nodes_count]);
        sporf_forest_free(left);
        int left_behind = files_in(p) - 1;
        assert_in_range(left_behind, 0, 1); /* what the kills before have left is gone */
        half_way += left_behind;
    }
    assert_true(half_way > 0); /* or the kills prove nothing */
    assert_int_equal(spf_model_write(forests[0], p->path), SPORF_OK);
    assert_int_equal(files_in(p), 1);
    sporf_forest_free(forests[0]);
    sporf_forest_free(forests[1]);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make_place, remove_place)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_PLACE(what_was_saved_comes_back),
        IN_PLACE(a_file_has_the_bytes_of_encode),
        IN_PLACE(trees_a_hundred_thousand_deep_come_back),
        cmocka_unit_test(every_nan_is_written_alike),
        cmocka_unit_test(a_forest_loaded_from_bytes_does_not_need_them),
        IN_PLACE(places_that_cannot_be_written_are_named),
        IN_PLACE(places_that_cannot_be_read_are_named),
        IN_PLACE(a_model_may_come_through_a_pipe),
        IN_PLACE(a_huge_file_that_is_no_model_costs_nothing),
        IN_PLACE(a_link_stays_a_link),
        IN_PLACE(a_new_file_has_the_mode_that_umask_leaves),
        IN_PLACE(a_directory_without_permission_keeps_the_old_file),
        IN_PLACE(a_full_disk_keeps_the_old_file),
        IN_PLACE(a_stale_temporary_file_is_in_nobodys_way),
        IN_PLACE(a_saved_model_keeps_the_permissions_of_the_old_one),
        IN_PLACE(a_read_only_model_is_not_replaced),
        IN_PLACE(a_kill_at_any_moment_leaves_a_whole_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
