/* The loop over threads: each item once, workers by number, failures carried home.
 * Labels: threads */
#define _GNU_SOURCE /* sched_getaffinity */
#include "base/parallel.h"

#include "base/memory.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/check.h"

enum { ITEMS_MAX = 2000, WORKERS_MAX = 64 };

typedef struct {
    unsigned workers;
    atomic_int runs[ITEMS_MAX];
    atomic_int inside[WORKERS_MAX]; /* a worker does one item at a time */
    atomic_int faults;
    size_t failing; /* item that fails, ITEMS_MAX for none */
    atomic_size_t started;
    pthread_t caller;
    atomic_int by_caller;
} record;

static sporf_status note(void *context, size_t item, unsigned worker) {
    record *r = context;
    atomic_fetch_add(&r->started, 1);
    if (worker >= r->workers || atomic_fetch_add(&r->inside[worker], 1) != 0)
        atomic_fetch_add(&r->faults, 1);
    atomic_fetch_add(&r->runs[item], 1);
    if (pthread_equal(pthread_self(), r->caller)) atomic_fetch_add(&r->by_caller, 1);
    atomic_fetch_sub(&r->inside[worker], 1);
    if (item == r->failing) return spf_raise(SPORF_ERROR_DATA, "item %zu is bad", item);
    return SPORF_OK;
}

static record *new_record(unsigned workers, size_t failing) {
    record *r = need(1, sizeof *r);
    r->workers = workers;
    r->failing = failing;
    r->caller = pthread_self();
    return r;
}

static void each_item_runs_exactly_once(void **state) {
    (void)state;
    static const unsigned workers[] = {1, 2, 3, 8, 64};
    static const size_t items[] = {0, 1, 2, 7, 63, 64, 65, ITEMS_MAX};
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++)
        for (size_t n = 0; n < sizeof items / sizeof *items; n++) {
            record *r = new_record(workers[w], ITEMS_MAX);
            assert_ok(spf_parallel(items[n], workers[w], note, r));
            assert_int_equal(r->faults, 0);
            for (size_t i = 0; i < ITEMS_MAX; i++) assert_int_equal(r->runs[i], i < items[n]);
            free(r);
        }
}

static void one_worker_is_the_caller_itself(void **state) {
    (void)state;
    record *r = new_record(1, ITEMS_MAX);
    assert_ok(spf_parallel(100, 1, note, r));
    assert_int_equal(r->by_caller, 100);
    free(r);
}

static void more_workers_than_items_leave_the_rest_unused(void **state) {
    (void)state;
    record *r = new_record(3, ITEMS_MAX); /* a worker's number must stay below the items too */
    assert_ok(spf_parallel(3, WORKERS_MAX, note, r));
    assert_int_equal(r->faults, 0);
    free(r);
}

/* Items that only end when all of them have started can do so only on threads of their own. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t waiting, wanted;
} meeting;

static sporf_status meet(void *context, size_t item, unsigned worker) {
    (void)item, (void)worker;
    meeting *m = context;
    pthread_mutex_lock(&m->lock);
    m->waiting++;
    pthread_cond_broadcast(&m->changed);
    while (m->waiting < m->wanted) pthread_cond_wait(&m->changed, &m->lock);
    pthread_mutex_unlock(&m->lock);
    return SPORF_OK;
}

static void workers_run_at_the_same_time(void **state) {
    (void)state;
    meeting m = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .wanted = 4};
    assert_ok(spf_parallel(4, 4, meet, &m));
    assert_int_equal(m.waiting, 4);
}

static void a_failure_and_its_text_reach_the_caller(void **state) {
    (void)state;
    static const unsigned workers[] = {1, 2, 8};
    for (size_t w = 0; w < 3; w++)
        for (size_t failing = 0; failing < 50; failing += 7) {
            record *r = new_record(workers[w], failing);
            spf_raise(SPORF_ERROR_IO, "of another time");
            assert_refused(spf_parallel(50, workers[w], note, r), SPORF_ERROR_DATA, "is bad");
            char text[32];
            snprintf(text, sizeof text, "item %zu is bad", failing);
            assert_string_equal(sporf_last_error(), text);
            free(r);
        }
}

/* The caller waits for item 1, which fails on the other thread. */
static sporf_status fail_elsewhere(void *context, size_t item, unsigned worker) {
    (void)item;
    meet(context, item, worker);
    return worker == 0 ? SPORF_OK : spf_raise(SPORF_ERROR_MODEL, "worker %u failed", worker);
}

static void a_text_is_carried_from_another_thread(void **state) {
    (void)state;
    meeting m = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .wanted = 2};
    assert_refused(spf_parallel(2, 2, fail_elsewhere, &m), SPORF_ERROR_MODEL, "worker 1 failed");
}

static void no_item_starts_after_a_failure(void **state) {
    (void)state;
    record *alone = new_record(1, 10);
    assert_int_equal(spf_parallel(ITEMS_MAX, 1, note, alone), SPORF_ERROR_DATA);
    assert_int_equal(alone->started, 11);
    for (size_t i = 0; i < ITEMS_MAX; i++) assert_int_equal(alone->runs[i], i <= 10);
    free(alone);
}

/* Item 0 fails at once; the others take a while, so that only few can have started by then. */
static sporf_status fail_first(void *context, size_t item, unsigned worker) {
    (void)worker;
    atomic_fetch_add((atomic_size_t *)context, 1);
    if (item == 0) return spf_raise(SPORF_ERROR_DATA, "the first is bad");
    usleep(2000);
    return SPORF_OK;
}

static void other_workers_stop_after_a_failure(void **state) {
    (void)state;
    atomic_size_t started = 0;
    assert_int_equal(spf_parallel(ITEMS_MAX, 4, fail_first, &started), SPORF_ERROR_DATA);
    assert_true(started < ITEMS_MAX / 2);
}

static void the_number_of_threads_is_what_is_asked_for_or_one_for_each_core(void **state) {
    (void)state;
    assert_int_equal(spf_thread_count(1), 1);
    assert_int_equal(spf_thread_count(7), 7);
    unsigned cores = spf_thread_count(0);
    assert_true(cores >= 1 && cores <= (unsigned)sysconf(_SC_NPROCESSORS_ONLN));
#ifdef __linux__
    cpu_set_t allowed, one;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    assert_int_equal(cores, CPU_COUNT(&allowed));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &allowed)) CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(spf_thread_count(0), 1);
    assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_runs_exactly_once),
        cmocka_unit_test(one_worker_is_the_caller_itself),
        cmocka_unit_test(more_workers_than_items_leave_the_rest_unused),
        cmocka_unit_test(workers_run_at_the_same_time),
        cmocka_unit_test(a_failure_and_its_text_reach_the_caller),
        cmocka_unit_test(a_text_is_carried_from_another_thread),
        cmocka_unit_test(no_item_starts_after_a_failure),
        cmocka_unit_test(other_workers_stop_after_a_failure),
        cmocka_unit_test(the_number_of_threads_is_what_is_asked_for_or_one_for_each_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
