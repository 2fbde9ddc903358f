/* The peak of resident memory. On Linux ru_maxrss includes that of the parent process, so the
 * process's own is read from /proc. */
#include "peak_memory.h"

#include <stdio.h>
#include <sys/resource.h>

/* The line "VmHWM: 1234 kB" of /proc/self/status; 0 if it is not there. */
static uint64_t peak_of_process(void) {
    char line[256];
    unsigned long long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "re");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %llu kB", &kilobytes) == 1) break;
    fclose(file);
    return (uint64_t)kilobytes * 1024;
}

uint64_t memory_peak(void) {
    struct rusage usage;
    uint64_t own = peak_of_process();
    if (own > 0 || getrusage(RUSAGE_SELF, &usage) != 0) return own;
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
}
