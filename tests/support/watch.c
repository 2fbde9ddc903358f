/* Any thread may call a hook, so that hooks note faults and leave it to the test to fail. */
#include "support/watch.h"

#include <stdint.h>

watch watch_always(void) {
    return (watch){.questions = SIZE_MAX, .trees = SIZE_MAX};
}

watch watch_for(size_t questions) {
    return (watch){.questions = questions, .trees = SIZE_MAX};
}

watch watch_until(size_t trees) {
    return (watch){.questions = SIZE_MAX, .trees = trees};
}

void watch_progress(void *payload, size_t done, size_t total) {
    watch *w = payload;
    int overlaps = w->inside++ > 0;
    w->faults += overlaps || done <= atomic_load(&w->done) || done > total;
    w->calls++;
    w->totals += total != w->total;
    w->total = total;
    atomic_store(&w->done, done);
    w->inside--;
}

int watch_interrupt(void *payload) {
    watch *w = payload;
    return atomic_fetch_add(&w->asked, 1) >= w->questions || atomic_load(&w->done) >= w->trees;
}

sporf_hooks watch_hooks(watch *w) {
    sporf_hooks hooks;
    sporf_hooks_init(&hooks);
    hooks.payload = w;
    hooks.progress = watch_progress;
    hooks.interrupt = watch_interrupt;
    return hooks;
}
