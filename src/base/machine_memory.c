/* Memory of the machine, and limits of control groups. A line of the list of groups is
 * "number:controllers:path"; version 2 has one line without controllers and writes its limit into
 * memory.max ("max" for none), version 1 into memory.limit_in_bytes of the controller "memory". */
#include "base/machine_memory.h"

#include "base/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096 };

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The number in a file, or UINT64_MAX if there is none. */
static uint64_t read_limit(const char *path) {
    char text[32];
    FILE *file = spf_system_read_stream(path);
    if (!file) return UINT64_MAX;
    int got = fgets(text, sizeof text, file) != NULL && *text >= '0' && *text <= '9';
    fclose(file);
    return got ? strtoull(text, NULL, 10) : UINT64_MAX;
}

/* The smallest limit of a group and its ancestors. In a container the path may be that of the host,
 * of which only the last folders, or none, are visible: a missing file sets no limit. */
static uint64_t limit_of_group(const char *folder, const char *group, const char *file) {
    char path[PATH_BYTES], part[PATH_BYTES];
    uint64_t limit = UINT64_MAX;
    snprintf(part, sizeof part, "%s", group);
    for (;;) {
        int used = snprintf(path, sizeof path, "%s%s/%s", folder, part, file);
        if (used > 0 && used < PATH_BYTES) limit = smaller(limit, read_limit(path));
        char *slash = strrchr(part, '/');
        if (!slash) return limit;
        *slash = '\0';
    }
}

static int lists(const char *controllers, const char *name) {
    size_t length = strlen(name);
    for (const char *p = controllers; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == length && strncmp(p, name, length) == 0) return 1;
    return 0;
}

static uint64_t limit_of_line(char *line, const char *mounts) {
    char folder[PATH_BYTES];
    char *controllers = strchr(line, ':'), *group = NULL;
    if (controllers) group = strchr(++controllers, ':');
    if (!group) return UINT64_MAX;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (*controllers == '\0') {
        snprintf(folder, sizeof folder, "%s/unified", mounts); /* if both versions are in use */
        return smaller(limit_of_group(mounts, group, "memory.max"),
                       limit_of_group(folder, group, "memory.max"));
    }
    if (!lists(controllers, "memory")) return UINT64_MAX;
    snprintf(folder, sizeof folder, "%s/memory", mounts);
    return limit_of_group(folder, group, "memory.limit_in_bytes");
}

uint64_t spf_cgroup_memory(const char *groups, const char *mounts) {
    char line[PATH_BYTES];
    uint64_t limit = UINT64_MAX;
    FILE *file = spf_system_read_stream(groups);
    if (!file) return limit;
    while (fgets(line, sizeof line, file)) limit = smaller(limit, limit_of_line(line, mounts));
    fclose(file);
    return limit;
}

uint64_t spf_machine_memory(void) {
    return smaller(spf_system_memory(), spf_cgroup_memory("/proc/self/cgroup", "/sys/fs/cgroup"));
}
