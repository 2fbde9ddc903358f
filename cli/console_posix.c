/* Linux and macOS. */
#ifndef _WIN32

#include "console.h"

#include "base/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals };

/* ---- streams --------------------------------------------------------------------------------- */

/* If a standard stream is closed, the next file opened would get its number and receive what is
 * printed. A stream that fails takes its place. */
static int hold_standard_streams(void) {
    for (int handle = 0; handle <= 2; handle++) {
        if (fcntl(handle, F_GETFD) >= 0) continue;
        if (open("/dev/null", handle == 0 ? O_WRONLY : O_RDONLY) != handle) return 0;
    }
    return 1;
}

int console_start(int *argc, char ***argv) {
    (void)argc, (void)argv;
    if (!hold_standard_streams()) return 0;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* so that a file that grows too large is an error like any other */
    return 1;
}

int console_prints_to_terminal(void) {
    return isatty(STDOUT_FILENO);
}

int console_redraws(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

size_t console_columns(void) {
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int console_reader_gone(void) {
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

int console_lend_output(int file, int *kept) {
    int code = spf_system_copy(STDOUT_FILENO, kept);
    if (code != 0) return code;
    return dup2(file, STDOUT_FILENO) >= 0 ? 0 : errno;
}

void console_take_output_back(int kept, int restore) {
    if (restore) dup2(kept, STDOUT_FILENO);
    close(kept);
}

/* ---- signals --------------------------------------------------------------------------------- */

void console_catch(void (*handler)(int)) {
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action, old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART;
        action.sa_handler = handler ? handler : SIG_DFL;
        sigaction(signals[i], &action, NULL);
    }
}

void console_ignore_hang_up(void) {
    signal(SIGHUP, SIG_IGN);
}

void console_end_by(int number) {
    for (size_t i = 0; i < SIGNALS; i++) signal(signals[i], SIG_DFL);
    raise(number);
}

static void change_mask(int how) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++) sigaddset(&set, signals[i]);
    sigprocmask(how, &set, NULL);
}

void console_hold(void) {
    change_mask(SIG_BLOCK);
}

void console_release(void) {
    change_mask(SIG_UNBLOCK);
}

/* ---- memory ---------------------------------------------------------------------------------- */

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

/* On Linux ru_maxrss includes that of the parent process, so the process's own is read from
 * /proc. */
uint64_t console_peak_memory(void) {
    struct rusage usage;
    uint64_t own = peak_of_process();
    if (own > 0 || getrusage(RUSAGE_SELF, &usage) != 0) return own;
#ifdef __APPLE__
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
}

char *console_printed(void (*print)(FILE *stream, const void *context), const void *context) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory) print(memory, context);
    if (memory && fclose(memory) == 0 && text) return text;
    free(text);
    return NULL;
}

#endif
