/* Signal handlers, which only set a flag or remove files. */
#include "interrupt.h"

#include "base/system.h"
#include "console.h"

#include <stdatomic.h>
#include <stddef.h>

enum { DOOMED = 2 };
static atomic_int seen;
static _Atomic(const char *) doomed[DOOMED];
static unsigned held;

static void remove_and_end(int number) {
    for (size_t i = 0; i < DOOMED; i++) {
        const char *path = atomic_load(&doomed[i]);
        if (path) spf_system_remove(path);
    }
    console_end_by(number);
}

static void note(int number) {
    int none = 0;
    atomic_compare_exchange_strong(&seen, &none, number);
    console_catch(remove_and_end);
    console_ignore_hang_up();
}

void interrupt_catch(void) {
    console_catch(note);
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
    console_catch(remove_and_end);
}

void interrupt_keeps(const char *path) {
    if (path) replace(path, NULL);
    for (size_t i = 0; i < DOOMED; i++)
        if (atomic_load(&doomed[i])) return;
    console_catch(NULL);
}

void interrupt_hold(void) {
    if (held++ == 0) console_hold();
}

void interrupt_release(void) {
    if (--held == 0) console_release();
}
