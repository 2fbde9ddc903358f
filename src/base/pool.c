/* One lock protects everything: a task takes many microseconds, the lock a fraction of one. */
#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef sporf_status (*loop_item)(void *context, size_t item, unsigned worker);

/* A loop that idle threads may join. */
typedef struct open_loop {
    loop_item item;
    void *context;
    size_t next, items;
    unsigned running; /* threads inside an item */
    struct open_loop *older;
} open_loop;

typedef struct {
    spf_task *top, *bottom;
} task_stack;

struct spf_pool {
    unsigned workers;
    spf_seed seed;
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* protected by the lock */
    size_t next_seed, seeds;
    task_stack *stacks; /* [workers] */
    open_loop *loops;   /* the newest first */
    unsigned busy;      /* threads inside a seed, a task or a loop of another thread */
    sporf_status status;
    char text[SPF_ERROR_TEXT_MAX];
};

typedef struct {
    spf_pool *pool;
    unsigned number;
    pthread_t thread;
} pool_worker;

static void note_failure(spf_pool *pool, sporf_status status) {
    if (status == SPORF_OK || pool->status != SPORF_OK) return;
    pool->status = status;
    memcpy(pool->text, spf_error_marked(), sizeof pool->text);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static void put_on_top(task_stack *stack, spf_task *task) {
    task->above = NULL;
    task->below = stack->top;
    if (stack->top)
        stack->top->above = task;
    else
        stack->bottom = task;
    stack->top = task;
}

static spf_task *take_out(task_stack *stack, spf_task *task) {
    if (!task) return NULL;
    *(task->above ? &task->above->below : &stack->top) = task->below;
    *(task->below ? &task->below->above : &stack->bottom) = task->above;
    return task;
}

/* The oldest task of another thread: the largest one, since trees grow from the root. */
static spf_task *take_from_others(spf_pool *pool, unsigned worker) {
    for (unsigned i = 1; i < pool->workers; i++) {
        task_stack *stack = &pool->stacks[(worker + i) % pool->workers];
        if (stack->bottom) return take_out(stack, stack->bottom);
    }
    return NULL;
}

void spf_pool_push(spf_pool *pool, unsigned worker, spf_task *task) {
    pthread_mutex_lock(&pool->lock);
    put_on_top(&pool->stacks[worker], task);
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Takes items of the loop until none is left; the lock is held on entry and exit. */
static void work_on_loop(spf_pool *pool, open_loop *loop, unsigned worker) {
    loop->running++;
    while (loop->next < loop->items && pool->status == SPORF_OK) {
        size_t item = loop->next++;
        pthread_mutex_unlock(&pool->lock);
        sporf_status status = loop->item(loop->context, item, worker);
        pthread_mutex_lock(&pool->lock);
        note_failure(pool, status);
    }
    loop->running--;
}

static void close_loop(spf_pool *pool, open_loop *loop) {
    open_loop **link = &pool->loops;
    while (*link != loop) link = &(*link)->older;
    *link = loop->older;
}

sporf_status spf_pool_for(spf_pool *pool, unsigned worker, size_t items, loop_item item,
                          void *context) {
    if (pool->workers == 1 || items < 2) {
        for (size_t i = 0; i < items; i++) SPF_TRY(item(context, i, worker));
        return SPORF_OK;
    }
    open_loop loop = {.item = item, .context = context, .items = items};
    pthread_mutex_lock(&pool->lock);
    loop.older = pool->loops;
    pool->loops = &loop;
    pthread_cond_broadcast(&pool->changed);
    work_on_loop(pool, &loop, worker);
    close_loop(pool, &loop);
    while (loop.running > 0) pthread_cond_wait(&pool->changed, &pool->lock);
    sporf_status status = pool->status;
    pthread_mutex_unlock(&pool->lock);
    return status == SPORF_OK ? SPORF_OK : spf_raise(status, "%s", pool->text);
}

static open_loop *loop_with_items(const spf_pool *pool) {
    open_loop *loop = pool->loops;
    while (loop && loop->next >= loop->items) loop = loop->older;
    return loop;
}

/* ---- workers --------------------------------------------------------------------------------- */

/* Does one piece of work, if there is any; the lock is held on entry and exit. */
static int work_once(spf_pool *pool, unsigned worker) {
    task_stack *own = &pool->stacks[worker];
    spf_task *task = take_out(own, own->top);
    size_t seed = pool->seeds;
    open_loop *loop = NULL;
    if (!task && pool->next_seed < pool->seeds) seed = pool->next_seed++;
    if (!task && seed == pool->seeds) loop = loop_with_items(pool);
    if (!task && seed == pool->seeds && !loop) task = take_from_others(pool, worker);
    if (!task && seed == pool->seeds && !loop) return 0;
    pool->busy++;
    if (loop) {
        work_on_loop(pool, loop, worker);
    } else {
        pthread_mutex_unlock(&pool->lock);
        sporf_status status =
            task ? task->run(task, pool, worker) : pool->seed(pool->context, seed, pool, worker);
        pthread_mutex_lock(&pool->lock);
        note_failure(pool, status);
    }
    pool->busy--;
    pthread_cond_broadcast(&pool->changed);
    return 1;
}

static void *work(void *argument) {
    pool_worker *self = argument;
    spf_pool *pool = self->pool;
    pthread_mutex_lock(&pool->lock);
    while (pool->status == SPORF_OK) {
        if (work_once(pool, self->number)) continue;
        if (pool->busy == 0) break;
        pthread_cond_wait(&pool->changed, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

sporf_status spf_pool_run(size_t seeds, unsigned workers, spf_seed seed, void *context) {
    spf_pool pool = {.workers = workers, .seed = seed, .context = context, .seeds = seeds};
    pool.stacks = spf_alloc_zero(workers, sizeof *pool.stacks);
    pool_worker *team = spf_alloc(workers, sizeof *team);
    if (!pool.stacks || !team) {
        free(pool.stacks);
        free(team);
        return spf_raise_memory();
    }
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.changed, NULL);
    unsigned started = 0; /* go on with fewer threads if one cannot start */
    for (unsigned i = 1; i < workers; i++) {
        team[started + 1] = (pool_worker){.pool = &pool, .number = started + 1};
        if (pthread_create(&team[started + 1].thread, NULL, work, &team[started + 1]) == 0)
            started++;
    }
    team[0] = (pool_worker){.pool = &pool, .number = 0};
    work(&team[0]);
    for (unsigned i = 1; i <= started; i++) pthread_join(team[i].thread, NULL);
    pthread_cond_destroy(&pool.changed);
    pthread_mutex_destroy(&pool.lock);
    free(pool.stacks);
    free(team);
    return pool.status == SPORF_OK ? SPORF_OK : spf_raise(pool.status, "%s", pool.text);
}
