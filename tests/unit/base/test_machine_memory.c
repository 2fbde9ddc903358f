/* Limits of control groups, from files that look like the system's. */
#include "base/machine_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/tmpfile.h"

/* A folder with the list of groups, "groups", and their files under "mounts". */
typedef struct {
    tmp_file folder;
    char groups[600], mounts[600];
} fake_system;

static void put(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static fake_system system_with(const char *list) {
    fake_system fake = {.folder = tmp_folder("cgroups")};
    snprintf(fake.groups, sizeof fake.groups, "%s/groups", fake.folder.path);
    snprintf(fake.mounts, sizeof fake.mounts, "%s/mounts", fake.folder.path);
    mkdir(fake.mounts, 0700);
    put(fake.groups, list);
    return fake;
}

/* Writes a file under mounts, and the folders on the way. */
static void set(const fake_system *fake, const char *file, const char *text) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", fake->mounts, file);
    for (char *p = path + strlen(fake->mounts) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    put(path, text);
}

static uint64_t limit_in(const fake_system *fake) {
    return spf_cgroup_memory(fake->groups, fake->mounts);
}

static void finish(fake_system *fake) {
    char command[700];
    snprintf(command, sizeof command, "rm -r '%s'", fake->folder.path);
    assert_int_equal(system(command), 0);
}

static void version_2_counts_the_groups_around_a_group(void **state) {
    (void)state;
    fake_system fake = system_with("0::/user/job/step\n");
    assert_true(limit_in(&fake) == UINT64_MAX);
    set(&fake, "user/job/step/memory.max", "max\n");
    assert_true(limit_in(&fake) == UINT64_MAX);
    set(&fake, "user/memory.max", "5000000000\n");
    assert_true(limit_in(&fake) == 5000000000u);
    set(&fake, "user/job/memory.max", "4000000000\n");
    assert_true(limit_in(&fake) == 4000000000u);
    set(&fake, "user/job/step/memory.max", "6000000000\n");
    assert_true(limit_in(&fake) == 4000000000u);
    finish(&fake);
}

static void version_1_has_a_folder_for_memory(void **state) {
    (void)state;
    fake_system fake = system_with("9:name=systemd:/a\n4:cpu,memory:/docker/abc\n0::/a\n");
    set(&fake, "a/memory.limit_in_bytes", "1\n");
    assert_true(limit_in(&fake) == UINT64_MAX);
    set(&fake, "memory/memory.limit_in_bytes", "9223372036854771712\n");
    assert_true(limit_in(&fake) == 9223372036854771712u);
    set(&fake, "memory/docker/memory.limit_in_bytes", "3000000000\n");
    assert_true(limit_in(&fake) == 3000000000u);
    set(&fake, "memory/docker/abc/memory.limit_in_bytes", "2000000000\n");
    assert_true(limit_in(&fake) == 2000000000u);
    finish(&fake);
}

/* Its path there may be that of the machine around it. */
static void a_container_sees_its_own_group_as_the_root(void **state) {
    (void)state;
    fake_system fake = system_with("0::/../../kubepods/pod7\n");
    set(&fake, "memory.max", "700000000\n");
    assert_true(limit_in(&fake) == 700000000u);
    finish(&fake);
}

static void lists_that_are_damaged_or_not_there_set_no_limit(void **state) {
    (void)state;
    fake_system fake = system_with("\n:\nmemory\n0:\n7:memory\n");
    assert_true(limit_in(&fake) == UINT64_MAX);
    assert_true(spf_cgroup_memory("/no/such/file", fake.mounts) == UINT64_MAX);
    finish(&fake);
    assert_true(spf_machine_memory() > 1 << 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_2_counts_the_groups_around_a_group),
        cmocka_unit_test(version_1_has_a_folder_for_memory),
        cmocka_unit_test(a_container_sees_its_own_group_as_the_root),
        cmocka_unit_test(lists_that_are_damaged_or_not_there_set_no_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
