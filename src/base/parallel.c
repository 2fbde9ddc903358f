/* A loop over POSIX threads that share one atomic counter. */
#include "base/parallel.h"

#include "base/memory.h"
#include "base/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    size_t items;
    spf_item item;
    void *context;
    atomic_size_t next;
    pthread_mutex_t lock; /* protects status and text */
    sporf_status status;
    char text[SPF_ERROR_TEXT_MAX];
} loop_state;

typedef struct {
    loop_state *loop;
    unsigned worker;
    pthread_t thread;
} loop_worker;

static void keep_first_failure(loop_state *loop, sporf_status status) {
    pthread_mutex_lock(&loop->lock);
    if (loop->status == SPORF_OK) {
        loop->status = status;
        memcpy(loop->text, spf_error_marked(), sizeof loop->text);
    }
    pthread_mutex_unlock(&loop->lock);
    atomic_store(&loop->next, loop->items);
}

static void *work(void *argument) {
    loop_worker *self = argument;
    loop_state *loop = self->loop;
    for (;;) {
        size_t item = atomic_fetch_add(&loop->next, 1);
        if (item >= loop->items) return NULL;
        sporf_status status = loop->item(loop->context, item, self->worker);
        if (status != SPORF_OK) {
            keep_first_failure(loop, status);
            return NULL;
        }
    }
}

unsigned spf_thread_count(unsigned threads) {
    return threads > 0 ? threads : spf_system_cores();
}

sporf_status spf_parallel(size_t items, unsigned workers, spf_item item, void *context) {
    if (workers > items) workers = items > 0 ? (unsigned)items : 1;
    loop_state loop = {.items = items, .item = item, .context = context, .status = SPORF_OK};
    loop_worker *team = spf_alloc(workers, sizeof *team);
    if (!team) return spf_raise_memory();
    pthread_mutex_init(&loop.lock, NULL);
    unsigned started = 0; /* go on with fewer threads if one cannot start */
    for (unsigned i = 1; i < workers; i++) {
        team[started + 1] = (loop_worker){.loop = &loop, .worker = started + 1};
        if (pthread_create(&team[started + 1].thread, NULL, work, &team[started + 1]) == 0)
            started++;
    }
    team[0] = (loop_worker){.loop = &loop, .worker = 0};
    work(&team[0]);
    for (unsigned i = 1; i <= started; i++) pthread_join(team[i].thread, NULL);
    pthread_mutex_destroy(&loop.lock);
    free(team);
    return loop.status == SPORF_OK ? SPORF_OK : spf_raise(loop.status, "%s", loop.text);
}
