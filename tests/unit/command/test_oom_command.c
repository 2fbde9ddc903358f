/* Memory that runs out at each allocation of the command in turn: it ends with a message and leaves
 * no file, or its results are what they always are. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"
#include "support/failing_alloc.h"
#include "support/tmpfile.h"

int sporf_main(int argc, char **argv);

enum { ARGUMENTS = 24, OUTPUTS = 2, UNHARMED = 100 };
static tmp_file folder, messages;

/* Runs a command line in a process of its own, where the k-th allocation fails; UNHARMED is added
 * to the exit status where there were fewer. */
static int run(const char *line, long k) {
    char text[512], *argument[ARGUMENTS + 1] = {0};
    int count = 0, status;
    snprintf(text, sizeof text, "sporf %s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        assert_true(count < ARGUMENTS);
        argument[count++] = word;
    }
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL); /* cmocka would go on in the child */
        int out = open("/dev/null", O_WRONLY), err = open(messages.path, O_WRONLY | O_TRUNC);
        if (chdir(folder.path) != 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(99);
        failing_alloc_after(k);
        int code = sporf_main(count, argument);
        failing_alloc_off();
        _exit(failing_alloc_hit() ? code : code + UNHARMED);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status)) fail_msg("%s: signal %d at allocation %ld", line, WTERMSIG(status), k);
    return WEXITSTATUS(status);
}

static int done(const char *line) {
    return run(line, 1L << 40) == UNHARMED;
}

static size_t files(void) {
    size_t count = 0;
    DIR *directory = opendir(folder.path);
    assert_non_null(directory);
    while (readdir(directory)) count++;
    closedir(directory);
    return count;
}

static tmp_file in_folder(const char *name) {
    tmp_file file;
    snprintf(file.path, sizeof file.path, "%.400s/%s", folder.path, name);
    return file;
}

static char *read_output(const char *name) {
    size_t size;
    tmp_file file = in_folder(name);
    if (access(file.path, F_OK) != 0) return NULL;
    return tmp_file_read(&file, &size);
}

static void remove_output(const char *name) {
    tmp_file file = in_folder(name);
    tmp_file_remove(&file);
}

/* Results are there and as they should be after 0, and not there after 1, which is explained. */
static void check(const char *line, long k, int code, const char *const names[], char *wanted[],
                  size_t before) {
    struct stat said;
    for (int i = 0; i < OUTPUTS && names[i]; i++) {
        char *text = read_output(names[i]);
        if ((text != NULL) != (code == 0) || (text && strcmp(text, wanted[i]) != 0))
            fail_msg("%s: %s is %s at allocation %ld, code %d", line, names[i],
                     text ? "wrong" : "missing", k, code);
        free(text);
        remove_output(names[i]);
    }
    assert_int_equal(stat(messages.path, &said), 0);
    if (code != 0 && (code != 1 || said.st_size == 0))
        fail_msg("%s: code %d, %ld bytes of message at allocation %ld", line, code,
                 (long)said.st_size, k);
    if (files() != before) fail_msg("%s: something is left behind at allocation %ld", line, k);
}

static void fail_at_each(const char *line, const char *first, const char *second) {
    const char *const names[OUTPUTS] = {first, second};
    char *wanted[OUTPUTS] = {0};
    size_t before = files();
    int code = 0, failures = 0;
    assert_true(done(line));
    for (int i = 0; i < OUTPUTS && names[i]; i++) {
        wanted[i] = read_output(names[i]);
        assert_non_null(wanted[i]);
        remove_output(names[i]);
    }
    for (long k = 1; code < UNHARMED; k++) {
        code = run(line, k);
        failures += code == 1;
        check(line, k, code % UNHARMED, names, wanted, before);
    }
    assert_true(failures > 0); /* or nothing was tried */
    for (int i = 0; i < OUTPUTS; i++) free(wanted[i]);
}

static int make_model(void **state) {
    (void)state;
    folder = tmp_folder("oom");
    messages = tmp_file_of("messages", "", 0);
    static const char table[] = "a,b,c,y\n1,2,red,u\n2,1,blue,v\n3,5,red,u\n4,4,green,v\n"
                                "5,3,blue,u\n6,6,red,v\n7,9,green,u\n8,7,red,v\n";
    tmp_file data = in_folder("t.csv");
    tmp_file_write(&data, table, sizeof table - 1);
    return !done("train --data t.csv --label y --projections p --trees 2 --threads 1 --model m");
}

static int remove_model(void **state) {
    (void)state;
    remove_output("t.csv");
    remove_output("m");
    tmp_file_remove(&messages);
    return rmdir(folder.path);
}

static void predict_fails_cleanly(void **state) {
    (void)state;
    fail_at_each("predict --model m --data t.csv --proba --threads 1 --output p.csv", "p.csv",
                 NULL);
}

static void importance_fails_cleanly(void **state) {
    (void)state;
    fail_at_each("importance --model m --projections --output i.csv", "i.csv", NULL);
    fail_at_each("importance --model m --projections --json --output i.json", "i.json", NULL);
}

static void export_fails_cleanly(void **state) {
    (void)state;
    fail_at_each("export --c --model m --output e.c", "e.c", "e.h");
}

static void simulate_fails_cleanly(void **state) {
    (void)state;
    fail_at_each("simulate trunk --rows 3 --output s.csv", "s.csv", NULL);
}

static void noise_fails_cleanly(void **state) {
    (void)state;
    fail_at_each("noise --data t.csv --columns 2 --threads 1 --output n.csv", "n.csv", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predict_fails_cleanly), cmocka_unit_test(importance_fails_cleanly),
        cmocka_unit_test(export_fails_cleanly),  cmocka_unit_test(simulate_fails_cleanly),
        cmocka_unit_test(noise_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
