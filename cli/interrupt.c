/* Signal handlers, which only set a flag or remove files. */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof signals / sizeof *signals, DOOMED = 2 };
static atomic_int seen;
static _Atomic(const char *) doomed[DOOMED];
static unsigned held;

static void restore(void) {
    for (size_t i = 0; i < SIGNALS; i++) signal(signals[i], SIG_DFL);
}

static void remove_and_end(int number) {
    for (size_t i = 0; i < DOOMED; i++) {
        const char *path = atomic_load(&doomed[i]);
        if (path) unlink(path);
    }
    restore();
    raise(number);
}

static void install(void (*handler)(int)) {
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action, old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN) continue;
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART;
        action.sa_handler = handler;
        sigaction(signals[i], &action, NULL);
    }
}

static void note(int number) {
    int none = 0;
    atomic_compare_exchange_strong(&seen, &none, number);
    install(remove_and_end);
    signal(SIGHUP, SIG_IGN);
}

void interrupt_catch(void) {
    install(note);
}

int interrupt_seen(void) {
    return atomic_load_explicit(&seen, memory_order_relaxed);
}

/* Replaces a path in the list; NULL is a free place. */
static void replace(const char *old, const char *path) {
    for (size_t i = 0; i < DOOMED; i++) {
        if (atomic_load(&doomed[i]) != old) continue;
        atomic_store(&doomed[i], path);
        return;
    }
}

void interrupt_removes(const char *path) {
    replace(NULL, path);
    install(remove_and_end);
}

void interrupt_keeps(const char *path) {
    if (path) replace(path, NULL);
    for (size_t i = 0; i < DOOMED; i++)
        if (atomic_load(&doomed[i])) return;
    install(SIG_DFL);
}

static void change_mask(int how) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < SIGNALS; i++) sigaddset(&set, signals[i]);
    sigprocmask(how, &set, NULL);
}

void interrupt_hold(void) {
    if (held++ == 0) change_mask(SIG_BLOCK);
}

void interrupt_release(void) {
    if (--held == 0) change_mask(SIG_UNBLOCK);
}
