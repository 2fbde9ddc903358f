/* How much memory this process may use at most. */
#ifndef SPF_BASE_MACHINE_MEMORY_H
#define SPF_BASE_MACHINE_MEMORY_H

#include <stdint.h>

/* The memory of the machine or, if that is less, of the container or job that the process runs in.
 * UINT64_MAX if unknown. */
uint64_t spf_machine_memory(void);

/* max_memory or, if that is 0, the memory there is. */
static inline uint64_t spf_memory_limit(uint64_t max_memory) {
    return max_memory > 0 ? max_memory : spf_machine_memory();
}

/* The limit that Linux's control groups set for a process, or UINT64_MAX: `groups` is the list that
 * the system keeps as /proc/self/cgroup, and `mounts` the folder of their files, /sys/fs/cgroup.
 * The limits of parent groups count, too. */
uint64_t spf_cgroup_memory(const char *groups, const char *mounts);

#endif
