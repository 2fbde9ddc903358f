/* The laws of files that take the place of others: permissions, links, what is open already, and
 * what dead and living processes leave beside them. */
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include "support/check.h"
#include "support/tmpfile.h"

enum { ROOM = 1024 };
static tmp_file folder;

static int make_folder(void **state) {
    (void)state;
    folder = tmp_folder("places");
    return 0;
}

static int remove_folder(void **state) {
    char command[ROOM];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder.path);
    return system(command);
}

/* A path in the folder; there are some at a time. */
static const char *in(const char *name) {
    static char paths[8][ROOM];
    static int next;
    char *path = paths[next = (next + 1) % 8];
    snprintf(path, ROOM, "%s/%s", folder.path, name);
    return path;
}

static void put_text(const char *path, const char *text, mode_t mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0 && chmod(path, mode) == 0);
}

static void assert_text(const char *path, const char *text) {
    char read[ROOM] = "";
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    read[fread(read, 1, sizeof read - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(read, text);
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

/* Files in the folder, hidden ones as well. */
static size_t files(void) {
    glob_t found;
    glob(in("*"), 0, NULL, &found);
    glob(in(".[!.]*"), GLOB_APPEND, NULL, &found);
    size_t count = found.gl_pathc;
    globfree(&found);
    return count;
}

static int start(const char *path, spf_replacement *r) {
    spf_place place;
    *r = (spf_replacement){.file = -1};
    int code = spf_place_find(path, &place);
    if (code == 0) return spf_replace_start(&place, r);
    spf_place_free(&place);
    return code;
}

static int start_with(const char *path, const char *text, spf_replacement *r) {
    int code = start(path, r);
    if (code != 0) return code;
    FILE *stream = spf_replace_stream(r);
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0 && fclose(stream) == 0);
    return spf_replace_sync(r);
}

static int replace(const char *path, const char *text) {
    spf_replacement r;
    int code = start_with(path, text, &r);
    if (code == 0) code = spf_replace_put(&r);
    spf_replace_end(&r);
    return code;
}

/* ---- permissions ----------------------------------------------------------------------------- */

static void the_permissions_of_what_is_replaced_are_kept(void **state) {
    (void)state;
    static const mode_t modes[] = {0600, 0640, 0664, 0666, 0755, 0200};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put_text(in("f"), "old", modes[i]);
        assert_int_equal(replace(in("f"), "new"), 0);
        assert_int_equal(mode_of(in("f")), modes[i]);
        assert_int_equal(files(), 1);
    }
}

static void permissions_that_change_meanwhile_count(void **state) {
    spf_replacement r;
    (void)state;
    put_text(in("f"), "old", 0644);
    assert_int_equal(start_with(in("f"), "new", &r), 0);
    spf_replace_end(&r);
    assert_int_equal(start(in("f"), &r), 0);
    assert_int_equal(chmod(in("f"), 0600), 0);
    assert_int_equal(spf_replace_sync(&r), 0);
    assert_int_equal(spf_replace_put(&r), 0);
    spf_replace_end(&r);
    assert_int_equal(mode_of(in("f")), 0600);
}

static void nobody_else_can_open_the_temporary_of_a_file(void **state) {
    spf_replacement r;
    mode_t mask = umask(0);
    (void)state;
    put_text(in("f"), "old", 0600);
    assert_int_equal(start(in("f"), &r), 0);
    umask(mask);
    assert_int_equal(mode_of(r.temporary), 0600);
    spf_replace_end(&r);
    assert_text(in("f"), "old");
    assert_int_equal(files(), 1);
}

static void a_new_file_has_the_mode_that_umask_leaves(void **state) {
    mode_t mask = umask(027);
    (void)state;
    assert_int_equal(replace(in("f"), "new"), 0);
    umask(mask);
    assert_int_equal(mode_of(in("f")), 0640);
}

static void the_owner_of_what_is_replaced_is_kept(void **state) {
    struct stat info;
    (void)state;
    if (geteuid() != 0) skip();
    put_text(in("f"), "old", 0640);
    assert_int_equal(chown(in("f"), 12345, 23456), 0);
    assert_int_equal(replace(in("f"), "new"), 0);
    assert_int_equal(stat(in("f"), &info), 0);
    assert_int_equal(info.st_uid, 12345);
    assert_int_equal(info.st_gid, 23456);
    assert_int_equal(info.st_mode & 07777, 0640);
}

static void an_access_control_list_is_kept(void **state) {
    (void)state;
#ifdef __linux__
    /* user::rw- user:12345:rw- group::--- mask::rw- other::---, as the kernel keeps it */
    static const unsigned char list[] = {2,    0, 0, 0,                          /* version */
                                         0x01, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,  /* owner */
                                         0x02, 0, 6, 0, 0x39, 0x30, 0,    0,     /* 12345 */
                                         0x04, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,  /* group */
                                         0x10, 0, 6, 0, 0xff, 0xff, 0xff, 0xff,  /* mask */
                                         0x20, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}; /* others */
    static const char name[] = "system.posix_acl_access";
    unsigned char kept[sizeof list + 1];
    put_text(in("f"), "old", 0600);
    if (setxattr(in("f"), name, list, sizeof list, 0) != 0) skip();
    assert_int_equal(replace(in("f"), "new"), 0);
    assert_int_equal(getxattr(in("f"), name, kept, sizeof kept), sizeof list);
    assert_memory_equal(kept, list, sizeof list);
#else
    skip();
#endif
}

/* Runs as somebody who may write the file but not give it to its group. */
static int replace_as_nobody(void) {
    if (chdir(folder.path) != 0 || setgid(65534) != 0 || setuid(65534) != 0) return 1;
    return replace("f", "new") != 0;
}

static void a_group_that_cannot_be_kept_is_not_let_in_by_another(void **state) {
    struct stat info;
    int status;
    (void)state;
    if (geteuid() != 0) skip();
    put_text(in("f"), "old", 0664);
    assert_int_equal(chown(in("f"), 65534, 23456), 0);
    assert_int_equal(chmod(folder.path, 0777), 0);
    pid_t child = fork();
    if (child == 0) _exit(replace_as_nobody());
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stat(in("f"), &info), 0);
    assert_int_equal(info.st_gid, 65534);
    assert_int_equal(info.st_mode & 07777, 0644);
}

static void a_read_only_file_stays(void **state) {
    (void)state;
    put_text(in("f"), "old", 0444);
    assert_int_equal(replace(in("f"), "new"), SPF_READ_ONLY);
    assert_int_equal(symlink("f", in("link")), 0);
    assert_int_equal(replace(in("link"), "new"), SPF_READ_ONLY);
    assert_text(in("f"), "old");
    assert_int_equal(files(), 2);
}

/* ---- links ----------------------------------------------------------------------------------- */

static void links_stay_links_and_lead_to_the_new_file(void **state) {
    struct stat info;
    (void)state;
    assert_int_equal(mkdir(in("a"), 0700) | mkdir(in("b"), 0700), 0);
    assert_int_equal(symlink("../b/second", in("a/first")), 0);
    assert_int_equal(symlink("third", in("b/second")), 0);
    assert_int_equal(replace(in("a/first"), "made"), 0); /* it led nowhere */
    assert_text(in("b/third"), "made");
    assert_int_equal(replace(in("a/first"), "again"), 0);
    assert_text(in("b/third"), "again");
    assert_true(lstat(in("a/first"), &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(lstat(in("b/second"), &info) == 0 && S_ISLNK(info.st_mode));
}

static void what_cannot_be_written_is_said(void **state) {
    (void)state;
    assert_int_equal(symlink("two", in("one")) | symlink("one", in("two")), 0);
    assert_int_equal(replace(in("one"), ""), ELOOP);
    assert_int_equal(replace(in("nowhere/f"), ""), ENOENT);
    assert_int_equal(replace(in("new/"), ""), ENOENT);
    assert_int_equal(replace(folder.path, ""), EISDIR);
    assert_int_equal(replace("", ""), ENOENT);
    assert_int_equal(files(), 2);
}

/* ---- what is open already -------------------------------------------------------------------- */

static void what_is_open_is_written_where_it_stands(void **state) {
    char path[ROOM];
    (void)state;
    if (access("/dev/fd/0", F_OK) != 0 && access("/dev/fd/1", F_OK) != 0) skip();
    put_text(in("log"), "precious\n", 0600);
    int file = open(in("log"), O_WRONLY | O_APPEND);
    snprintf(path, sizeof path, "/dev/fd/%d", file);
    assert_int_equal(replace(path, "more\n"), 0);
    assert_text(in("log"), "precious\nmore\n");
    assert_int_equal(symlink(path, in("link")), 0);
    assert_int_equal(replace(in("link"), "still\n"), 0);
    assert_text(in("log"), "precious\nmore\nstill\n");
    close(file);
    file = open(in("log"), O_WRONLY);
    assert_int_equal(lseek(file, 9, SEEK_SET), 9);
    assert_int_equal(replace(path, "MORE"), 0);
    assert_text(in("log"), "precious\nMORE\nstill\n");
    close(file);
    assert_int_equal(files(), 2);
}

static void a_pipe_is_written_as_it_is(void **state) {
    char text[8] = "";
    (void)state;
    assert_int_equal(mkfifo(in("pipe"), 0600), 0);
    int reader = open(in("pipe"), O_RDONLY | O_NONBLOCK);
    assert_int_equal(replace(in("pipe"), "row\n"), 0);
    assert_int_equal(read(reader, text, sizeof text), 4);
    assert_string_equal(text, "row\n");
    close(reader);
    assert_int_equal(files(), 1);
}

/* ---- what others leave ----------------------------------------------------------------------- */

/* Starts to write in a process of its own, and kills it then. */
static void leave_a_temporary(const char *path) {
    int ready[2], status;
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        spf_replacement r;
        if (start(path, &r) == 0 && write(ready[1], "x", 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(ready[0]);
    close(ready[1]);
}

static void temporaries_of_the_dead_do_not_pile_up(void **state) {
    (void)state;
    put_text(in("f"), "old", 0600);
    for (int i = 0; i < 20; i++) {
        leave_a_temporary(in("f"));
        assert_int_equal(files(), 2);
    }
    assert_text(in("f"), "old");
    assert_int_equal(replace(in("f"), "new"), 0);
    assert_text(in("f"), "new");
    assert_int_equal(files(), 1);
}

static void the_living_leave_each_other_alone(void **state) {
    enum { MANY = 20 };
    spf_replacement r[MANY];
    char text[ROOM];
    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "text %d", i);
        assert_int_equal(start_with(in("f"), text, &r[i]), 0);
        assert_int_equal(files(), (size_t)i + 1);
    }
    for (int i = MANY; i-- > 0;) {
        snprintf(text, sizeof text, "text %d", i);
        assert_int_equal(spf_replace_put(&r[i]), 0);
        spf_replace_end(&r[i]);
        assert_text(in("f"), text);
    }
    assert_int_equal(files(), 1);
}

static void others_at_work_are_not_swept(void **state) {
    spf_replacement mine;
    (void)state;
    assert_int_equal(start_with(in("f"), "mine", &mine), 0);
    for (int i = 0; i < 3; i++) leave_a_temporary(in("f"));
    assert_int_equal(replace(in("f"), "other"), 0);
    assert_int_equal(files(), 2);
    assert_int_equal(spf_replace_put(&mine), 0);
    spf_replace_end(&mine);
    assert_text(in("f"), "mine");
}

/* Many processes replace one file at once: none fails, and all files are whole. */
static void a_crowd_leaves_one_whole_file(void **state) {
    enum { CROWD = 8, ROUNDS = 40 };
    pid_t child[CROWD];
    (void)state;
    for (int i = 0; i < CROWD; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] != 0) continue;
        for (int k = 0; k < ROUNDS; k++)
            if (replace(in("f"), "whole") != 0) _exit(1);
        _exit(0);
    }
    for (int i = 0; i < CROWD; i++) {
        int status;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    assert_text(in("f"), "whole");
    assert_int_equal(files(), 1);
}

static void names_of_any_length_will_do(void **state) {
    char name[256];
    (void)state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(replace(in(name), "long"), 0);
    assert_text(in(name), "long");
    for (size_t i = 0; i + 1 < sizeof name - 1; i += 2) memcpy(name + i, "\xc3\xa4", 2);
    assert_int_equal(replace(in(name), "long"), 0);
    assert_text(in(name), "long");
}

/* ---- two at once ----------------------------------------------------------------------------- */

static void two_files_are_put_in_their_places_or_neither_is(void **state) {
    spf_replacement one, other;
    (void)state;
    for (int old = 0; old <= 1; old++) {
        if (old) put_text(in("one"), "old", 0640);
        assert_int_equal(start_with(in("one"), "new", &one), 0);
        assert_int_equal(start_with(in("other"), "new", &other), 0);
        assert_int_equal(mkdir(in("other"), 0700), 0); /* in the way of the second */
        assert_int_equal(spf_replace_put_both(&one, &other), EISDIR);
        spf_replace_end(&one);
        spf_replace_end(&other);
        assert_int_equal(rmdir(in("other")), 0);
        assert_int_equal(files(), (size_t)old);
    }
    assert_text(in("one"), "old");
    assert_int_equal(mode_of(in("one")), 0640);
    assert_int_equal(start_with(in("one"), "new", &one), 0);
    assert_int_equal(start_with(in("other"), "new", &other), 0);
    assert_int_equal(spf_replace_put_both(&one, &other), 0);
    spf_replace_end(&one);
    spf_replace_end(&other);
    assert_text(in("one"), "new");
    assert_text(in("other"), "new");
    assert_int_equal(files(), 2);
}

/* ---- one place ------------------------------------------------------------------------------- */

static int same(const char *one, const char *other) {
    spf_place a, b;
    assert_int_equal(spf_place_find(one, &a), 0);
    assert_int_equal(spf_place_find(other, &b), 0);
    int result = spf_place_same(&a, &b);
    assert_int_equal(spf_place_same(&b, &a), result);
    spf_place_free(&a);
    spf_place_free(&b);
    return result;
}

static void one_place_has_many_spellings(void **state) {
    (void)state;
    assert_int_equal(mkdir(in("d"), 0700), 0);
    assert_int_equal(symlink("d", in("to_d")) | symlink("d/f", in("to_f")), 0);
    for (int there = 0; there <= 1; there++) {
        if (there) put_text(in("d/f"), "", 0600);
        assert_true(same(in("d/f"), in("d/../d//f")));
        assert_true(same(in("d/f"), in("to_d/f")));
        assert_true(same(in("d/f"), in("to_f")));
        assert_false(same(in("d/f"), in("d/g")));
        assert_false(same(in("d/f"), in("f")));
    }
    assert_int_equal(link(in("d/f"), in("hard")), 0);
    assert_true(same(in("d/f"), in("hard")));
    assert_false(same("/dev/null", "/dev/null"));
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_permissions_of_what_is_replaced_are_kept),
        IN_FOLDER(permissions_that_change_meanwhile_count),
        IN_FOLDER(nobody_else_can_open_the_temporary_of_a_file),
        IN_FOLDER(a_new_file_has_the_mode_that_umask_leaves),
        IN_FOLDER(the_owner_of_what_is_replaced_is_kept),
        IN_FOLDER(an_access_control_list_is_kept),
        IN_FOLDER(a_group_that_cannot_be_kept_is_not_let_in_by_another),
        IN_FOLDER(a_read_only_file_stays),
        IN_FOLDER(links_stay_links_and_lead_to_the_new_file),
        IN_FOLDER(what_cannot_be_written_is_said),
        IN_FOLDER(what_is_open_is_written_where_it_stands),
        IN_FOLDER(a_pipe_is_written_as_it_is),
        IN_FOLDER(temporaries_of_the_dead_do_not_pile_up),
        IN_FOLDER(the_living_leave_each_other_alone),
        IN_FOLDER(others_at_work_are_not_swept),
        IN_FOLDER(a_crowd_leaves_one_whole_file),
        IN_FOLDER(names_of_any_length_will_do),
        IN_FOLDER(two_files_are_put_in_their_places_or_neither_is),
        IN_FOLDER(one_place_has_many_spellings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
