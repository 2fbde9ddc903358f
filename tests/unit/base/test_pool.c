/* The pool: each seed, each task and each item of a loop once, on the threads there are; failures
 * carried home, and nothing begun after them.
 * Labels: threads */
#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "support/check.h"

enum { SEEDS_MAX = 200, FAMILY = 31, WORKERS_MAX = 64, ITEMS = 40 };
static const unsigned some_workers[] = {1, 2, 3, 8, WORKERS_MAX};
enum { SOME_WORKERS = sizeof some_workers / sizeof *some_workers };

/* Each seed begets a family: task 0 pushes 1 and 2, task 1 pushes 3 and 4, and so on. */
typedef struct record record;

typedef struct {
    spf_task task;
    record *owner;
    size_t seed, number;
    atomic_int runs;
} member;

struct record {
    unsigned workers;
    size_t seeds;
    int loops;      /* whether seeds and tasks run loops too */
    member *family; /* [seeds x FAMILY] */
    atomic_int *seed_runs;
    atomic_int item_runs[ITEMS];
    atomic_int inside[WORKERS_MAX]; /* a worker does one thing at a time */
    atomic_int faults;
    size_t failing_seed, failing_member; /* SIZE_MAX for none */
    pthread_t caller;
    atomic_int by_others;
};

static sporf_status run_member(spf_task *task, spf_pool *pool, unsigned worker);

static record *new_record(unsigned workers, size_t seeds) {
    record *r = need(1, sizeof *r);
    r->workers = workers;
    r->seeds = seeds;
    r->failing_seed = r->failing_member = SIZE_MAX;
    r->caller = pthread_self();
    r->seed_runs = need(seeds, sizeof *r->seed_runs);
    r->family = need(seeds * FAMILY, sizeof *r->family);
    for (size_t i = 0; i < seeds * FAMILY; i++) {
        r->family[i].task.run = run_member;
        r->family[i].owner = r;
        r->family[i].seed = i / FAMILY;
        r->family[i].number = i % FAMILY;
    }
    return r;
}

static void free_record(record *r) {
    free(r->seed_runs);
    free(r->family);
    free(r);
}

static void enter(record *r, unsigned worker) {
    if (worker >= r->workers || atomic_fetch_add(&r->inside[worker], 1) != 0) r->faults++;
    if (!pthread_equal(pthread_self(), r->caller)) r->by_others++;
    if ((worker == 0) != (pthread_equal(pthread_self(), r->caller) != 0)) r->faults++;
}

static void leave(record *r, unsigned worker) {
    atomic_fetch_sub(&r->inside[worker], 1);
}

/* ---- everything once ------------------------------------------------------------------------- */

static sporf_status note_item(void *context, size_t item, unsigned worker) {
    record *r = context;
    enter(r, worker);
    r->item_runs[item]++;
    leave(r, worker);
    return SPORF_OK;
}

static sporf_status run_loop(record *r, spf_pool *pool, unsigned worker) {
    return r->loops ? spf_pool_for(pool, worker, ITEMS, note_item, r) : SPORF_OK;
}

static sporf_status run_member(spf_task *task, spf_pool *pool, unsigned worker) {
    member *m = (member *)(void *)task;
    record *r = m->owner;
    enter(r, worker);
    m->runs++;
    for (size_t child = 2 * m->number + 1; child <= 2 * m->number + 2 && child < FAMILY; child++)
        spf_pool_push(pool, worker, &r->family[m->seed * FAMILY + child].task);
    leave(r, worker);
    if (m->seed * FAMILY + m->number == r->failing_member)
        return spf_raise(SPORF_ERROR_MODEL, "task %zu of seed %zu is bad", m->number, m->seed);
    return run_loop(r, pool, worker);
}

static sporf_status run_seed(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    record *r = context;
    enter(r, worker);
    r->seed_runs[seed]++;
    leave(r, worker);
    if (seed == r->failing_seed) return spf_raise(SPORF_ERROR_DATA, "seed %zu is bad", seed);
    spf_pool_push(pool, worker, &r->family[seed * FAMILY].task);
    return run_loop(r, pool, worker);
}

static void every_seed_and_every_task_runs_once(void **state) {
    (void)state;
    static const size_t seeds[] = {0, 1, 2, 3, 17, SEEDS_MAX};
    for (size_t w = 0; w < SOME_WORKERS; w++)
        for (size_t n = 0; n < sizeof seeds / sizeof *seeds; n++) {
            record *r = new_record(some_workers[w], seeds[n]);
            assert_ok(spf_pool_run(seeds[n], some_workers[w], run_seed, r));
            assert_int_equal(r->faults, 0);
            for (size_t i = 0; i < seeds[n]; i++) assert_int_equal(r->seed_runs[i], 1);
            for (size_t i = 0; i < seeds[n] * FAMILY; i++) assert_int_equal(r->family[i].runs, 1);
            free_record(r);
        }
}

static void every_item_of_every_loop_runs_once(void **state) {
    (void)state;
    for (size_t w = 0; w < SOME_WORKERS; w++) {
        enum { SEEDS = 9 };
        record *r = new_record(some_workers[w], SEEDS);
        r->loops = 1;
        assert_ok(spf_pool_run(SEEDS, some_workers[w], run_seed, r));
        assert_int_equal(r->faults, 0);
        for (size_t i = 0; i < SEEDS * FAMILY; i++) assert_int_equal(r->family[i].runs, 1);
        for (size_t i = 0; i < ITEMS; i++) assert_int_equal(r->item_runs[i], SEEDS * (FAMILY + 1));
        free_record(r);
    }
}

static void one_worker_is_the_caller_itself(void **state) {
    (void)state;
    record *r = new_record(1, 20);
    r->loops = 1;
    assert_ok(spf_pool_run(20, 1, run_seed, r));
    assert_int_equal(r->by_others, 0);
    assert_int_equal(r->faults, 0);
    free_record(r);
}

/* ---- loops ----------------------------------------------------------------------------------- */

typedef struct {
    spf_pool *pool;
    size_t items[2];
    atomic_int done[2];
} nest;

/* It takes a while, so that a loop that did not wait for other threads would be found out. */
static sporf_status inner_item(void *context, size_t item, unsigned worker) {
    (void)item, (void)worker;
    const struct timespec pause = {.tv_nsec = 100000};
    nest *n = context;
    nanosleep(&pause, NULL);
    n->done[1]++;
    return SPORF_OK;
}

static sporf_status outer_item(void *context, size_t item, unsigned worker) {
    (void)item;
    nest *n = context;
    sporf_status status = spf_pool_for(n->pool, worker, n->items[1], inner_item, n);
    n->done[0]++;
    return status;
}

static sporf_status run_nest(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    nest n = {.pool = pool, .items = {seed % 7, seed % 5}};
    sporf_status status = spf_pool_for(pool, worker, n.items[0], outer_item, &n);
    atomic_int *faults = context;
    *faults += n.done[0] != (int)n.items[0] || n.done[1] != (int)(n.items[0] * n.items[1]);
    return status;
}

static void a_loop_returns_when_all_its_items_are_done(void **state) {
    (void)state;
    for (size_t w = 0; w < SOME_WORKERS; w++) {
        atomic_int faults = 0;
        assert_ok(spf_pool_run(200, some_workers[w], run_nest, &faults));
        assert_int_equal(faults, 0);
    }
}

/* Work that ends only when all of it has begun can do so only on threads of its own. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t here, wanted;
    int missed;
} meeting;

#define MEETING(count)                                                                             \
    { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .wanted = (count) }

static void meet(meeting *m) {
    struct timespec patience;
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += 20;
    pthread_mutex_lock(&m->lock);
    m->here++;
    pthread_cond_broadcast(&m->changed);
    while (m->here < m->wanted && !m->missed)
        m->missed = pthread_cond_timedwait(&m->changed, &m->lock, &patience) != 0;
    pthread_mutex_unlock(&m->lock);
}

static sporf_status meeting_item(void *context, size_t item, unsigned worker) {
    (void)item, (void)worker;
    meet(context);
    return SPORF_OK;
}

static sporf_status meet_in_a_loop(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    (void)seed;
    return spf_pool_for(pool, worker, 4, meeting_item, context);
}

static void idle_threads_join_a_loop(void **state) {
    (void)state;
    meeting m = MEETING(4);
    assert_ok(spf_pool_run(1, 4, meet_in_a_loop, &m));
    assert_false(m.missed);
}

typedef struct {
    spf_task task;
    meeting *meeting;
} guest;

static sporf_status run_guest(spf_task *task, spf_pool *pool, unsigned worker) {
    (void)pool, (void)worker;
    meet(((guest *)(void *)task)->meeting);
    return SPORF_OK;
}

static sporf_status invite(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    (void)seed;
    guest *guests = context;
    for (int i = 0; i < 4; i++) spf_pool_push(pool, worker, &guests[i].task);
    return SPORF_OK;
}

static void idle_threads_take_the_tasks_of_others(void **state) {
    (void)state;
    meeting m = MEETING(4);
    guest guests[4];
    for (int i = 0; i < 4; i++) guests[i] = (guest){{.run = run_guest}, &m};
    assert_ok(spf_pool_run(1, 4, invite, guests));
    assert_false(m.missed);
}

static sporf_status meet_as_seeds(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    (void)seed, (void)pool, (void)worker;
    meet(context);
    return SPORF_OK;
}

static void seeds_run_at_the_same_time(void **state) {
    (void)state;
    meeting m = MEETING(4);
    assert_ok(spf_pool_run(4, 4, meet_as_seeds, &m));
    assert_false(m.missed);
}

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct {
    spf_task task;
    char name;
    struct diary *diary;
} entry;

typedef struct diary {
    entry entries[4];
    char text[64];
    size_t length;
} diary;

static sporf_status write_entry(spf_task *task, spf_pool *pool, unsigned worker) {
    entry *e = (entry *)(void *)task;
    diary *d = e->diary;
    d->text[d->length++] = e->name;
    if (e->name == 'b') spf_pool_push(pool, worker, &d->entries[2].task);
    return SPORF_OK;
}

static sporf_status write_seed(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    diary *d = context;
    d->text[d->length++] = (char)('0' + seed);
    for (int i = 0; i < 2 && seed == 1; i++) spf_pool_push(pool, worker, &d->entries[i].task);
    return SPORF_OK;
}

/* What was pushed last comes first, with all that it pushes, and a seed's tasks before the next
 * seed. */
static void a_thread_works_depth_first_on_what_it_began(void **state) {
    (void)state;
    diary d = {0};
    for (int i = 0; i < 4; i++) d.entries[i] = (entry){{.run = write_entry}, (char)('a' + i), &d};
    assert_ok(spf_pool_run(3, 1, write_seed, &d));
    assert_string_equal(d.text, "01bca2");
}

/* ---- failures -------------------------------------------------------------------------------- */

static void a_failure_and_its_text_reach_the_caller(void **state) {
    (void)state;
    for (size_t w = 0; w < SOME_WORKERS; w++)
        for (size_t failing = 0; failing < 12; failing += 5) {
            char text[64];
            record *r = new_record(some_workers[w], 12);
            r->failing_seed = failing;
            spf_raise(SPORF_ERROR_IO, "of another time");
            snprintf(text, sizeof text, "seed %zu is bad", failing);
            assert_refused(spf_pool_run(12, some_workers[w], run_seed, r), SPORF_ERROR_DATA, text);
            free_record(r);
            r = new_record(some_workers[w], 12);
            r->failing_member = failing * FAMILY + 5;
            r->loops = 1;
            snprintf(text, sizeof text, "task 5 of seed %zu is bad", failing);
            assert_refused(spf_pool_run(12, some_workers[w], run_seed, r), SPORF_ERROR_MODEL, text);
            for (size_t i = 0; i < 12 * FAMILY; i++) assert_true(r->family[i].runs <= 1);
            assert_int_equal(r->faults, 0);
            free_record(r);
        }
}

static void nothing_begins_after_a_failure(void **state) {
    (void)state;
    record *r = new_record(1, 10);
    r->failing_member = 3 * FAMILY + 2; /* pushed last, so it runs second */
    assert_int_equal(spf_pool_run(10, 1, run_seed, r), SPORF_ERROR_MODEL);
    for (size_t i = 0; i < 10; i++) assert_int_equal(r->seed_runs[i], i <= 3);
    for (size_t i = 0; i < 10 * FAMILY; i++)
        assert_int_equal(r->family[i].runs,
                         i < 3 * FAMILY || i == 3 * FAMILY || i == 3 * FAMILY + 2);
    free_record(r);
}

/* One thread works through many tasks while another fails. */
enum { QUEUE = 1000 };

typedef struct {
    spf_task task;
    atomic_int *begun;
} slow_task;

typedef struct {
    meeting meeting;
    slow_task tasks[QUEUE];
    atomic_int begun;
} queue;

static sporf_status dawdle(spf_task *task, spf_pool *pool, unsigned worker) {
    (void)pool, (void)worker;
    const struct timespec pause = {.tv_nsec = 2000000};
    ++*((slow_task *)(void *)task)->begun;
    nanosleep(&pause, NULL);
    return SPORF_OK;
}

static sporf_status queue_or_fail(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    queue *q = context;
    for (int i = 0; i < QUEUE && seed == 0; i++) spf_pool_push(pool, worker, &q->tasks[i].task);
    meet(&q->meeting);
    return seed == 0 ? SPORF_OK : spf_raise(SPORF_ERROR_IO, "the second seed is bad");
}

static void tasks_that_wait_are_dropped_after_a_failure(void **state) {
    (void)state;
    queue *q = need(1, sizeof *q);
    q->meeting = (meeting)MEETING(2);
    for (int i = 0; i < QUEUE; i++) q->tasks[i] = (slow_task){{.run = dawdle}, &q->begun};
    assert_refused(spf_pool_run(2, 2, queue_or_fail, q), SPORF_ERROR_IO, "the second seed is bad");
    assert_true(q->begun < QUEUE / 2);
    free(q);
}

typedef struct {
    size_t failing;
    atomic_int begun, returned;
    sporf_status status;
    char text[64];
} bad_loop;

static sporf_status bad_item(void *context, size_t item, unsigned worker) {
    (void)worker;
    bad_loop *b = context;
    b->begun++;
    return item == b->failing ? spf_raise(SPORF_ERROR_ARGUMENT, "item %zu is bad", item) : SPORF_OK;
}

static sporf_status run_bad_loop(void *context, size_t seed, spf_pool *pool, unsigned worker) {
    bad_loop *b = context;
    (void)seed;
    b->status = spf_pool_for(pool, worker, 500, bad_item, b);
    snprintf(b->text, sizeof b->text, "%s", sporf_last_error());
    b->returned++;
    return b->status;
}

static void a_failure_within_a_loop_ends_the_loop_and_the_run(void **state) {
    (void)state;
    for (size_t w = 0; w < SOME_WORKERS; w++)
        for (size_t failing = 0; failing < 500; failing += 99) {
            bad_loop b = {.failing = failing};
            char text[64];
            snprintf(text, sizeof text, "item %zu is bad", failing);
            assert_refused(spf_pool_run(1, some_workers[w], run_bad_loop, &b), SPORF_ERROR_ARGUMENT,
                           text);
            assert_int_equal(b.status, SPORF_ERROR_ARGUMENT);
            assert_string_equal(b.text, text);
            assert_int_equal(b.returned, 1);
            if (some_workers[w] == 1) assert_int_equal(b.begun, failing + 1);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_seed_and_every_task_runs_once),
        cmocka_unit_test(every_item_of_every_loop_runs_once),
        cmocka_unit_test(one_worker_is_the_caller_itself),
        cmocka_unit_test(a_loop_returns_when_all_its_items_are_done),
        cmocka_unit_test(idle_threads_join_a_loop),
        cmocka_unit_test(idle_threads_take_the_tasks_of_others),
        cmocka_unit_test(seeds_run_at_the_same_time),
        cmocka_unit_test(a_thread_works_depth_first_on_what_it_began),
        cmocka_unit_test(a_failure_and_its_text_reach_the_caller),
        cmocka_unit_test(nothing_begins_after_a_failure),
        cmocka_unit_test(tasks_that_wait_are_dropped_after_a_failure),
        cmocka_unit_test(a_failure_within_a_loop_ends_the_loop_and_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
