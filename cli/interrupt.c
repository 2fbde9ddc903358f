/* Signal handlers, which do no more than set a flag or remove a file. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM};
static atomic_int seen;
static _Atomic(const char *) doomed;

static void restore(void) {
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
}

static void note(int number) {
    (void)number;
    atomic_store(&seen, 1);
    restore();
}

static void remove_and_end(int number) {
    const char *path = atomic_load(&doomed);
    if (path) unlink(path);
    restore();
    raise(number);
}

static void install(void (*handler)(int)) {
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction action, old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART;
        action.sa_handler = handler;
        sigaction(signals[i], &action, NULL);
    }
}

void interrupt_catch(void) {
    install(note);
}

int interrupt_seen(void) {
    return atomic_load_explicit(&seen, memory_order_relaxed);
}

void interrupt_removes(const char *path) {
    atomic_store(&doomed, path);
    install(path ? remove_and_end : SIG_DFL);
}
