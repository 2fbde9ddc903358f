/* Hooks that watch a training, search or measure: what progress told, how often interrupt was
 * asked, and when it stops. */
#ifndef TEST_WATCH_H
#define TEST_WATCH_H

#include "sporf.h"

#include <stdatomic.h>
#include <stddef.h>

typedef struct watch {
    size_t questions;    /* stops when asked more often */
    size_t trees;        /* stops once so many are done */
    atomic_size_t asked; /* so far */
    atomic_size_t done;  /* what progress told last; equal to calls where it rose one by one */
    size_t calls;        /* of progress */
    size_t total;        /* what it told last */
    size_t totals;       /* how often that was another one than before */
    size_t faults;       /* calls that did not rise, passed the total or came during another one */
    int inside;
} watch;

/* Never stops; stops when asked more often than so many questions; stops once so many trees are
 * done. */
watch watch_always(void);
watch watch_for(size_t questions);
watch watch_until(size_t trees);

/* The hooks of training and measures; those of searches have the same types. The payload is the
 * watch. */
sporf_hooks watch_hooks(watch *w);
void watch_progress(void *payload, size_t done, size_t total);
int watch_interrupt(void *payload);

#endif
