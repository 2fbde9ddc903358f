/* Times calls of the library. */
#include "timing.h"

#include "base/system.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5, LIMIT = 10, CALLS_MAX = 1 << 20, CLOCK_READINGS = 100000 };
static const double WARM_UP = 0.25; /* share of the measured time */

static int64_t nanoseconds(void) {
    return spf_system_clock();
}

static double seconds_since(int64_t start) {
    return 1e-9 * (double)(nanoseconds() - start);
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* A quantile of sorted values. */
static double quantile(const double *values, size_t count, double share) {
    return values[(size_t)(share * (double)(count - 1) + 0.5)];
}

double timing_clock(void) {
    int64_t start = nanoseconds();
    for (int i = 1; i < CLOCK_READINGS; i++) nanoseconds();
    return (double)(nanoseconds() - start) / CLOCK_READINGS;
}

/* ---- many rows in a call --------------------------------------------------------------------- */

static sporf_status predict(const timing_table *table) {
    const sporf_predictions out = {.struct_size = sizeof out,
                                   .classes = table->values ? NULL : table->classes,
                                   .values = table->values};
    return sporf_forest_predict(table->forest, table->data, &table->how, &out);
}

sporf_status timing_batch(const timing_table *table, double seconds, double *taken) {
    double times[REPEATS];
    int64_t begun = nanoseconds();
    size_t count = 0;
    sporf_status status = predict(table);
    while (status == SPORF_OK && count < REPEATS &&
           (count == 0 || seconds_since(begun) < LIMIT * seconds)) {
        int64_t start = nanoseconds();
        double elapsed = 0;
        size_t calls = 0;
        for (; status == SPORF_OK && (calls == 0 || elapsed < seconds); calls++) {
            status = predict(table);
            elapsed = seconds_since(start);
        }
        times[count++] = elapsed / (double)calls;
    }
    if (status != SPORF_OK) return status;
    qsort(times, count, sizeof *times, ascending);
    *taken = quantile(times, count, 0.5);
    return SPORF_OK;
}

/* ---- one row in a call ----------------------------------------------------------------------- */

typedef struct {
    const sporf_forest *forest;
    sporf_combine combine;
    double seconds;
    pthread_mutex_t gate; /* closed until all threads have started */
    int cancelled;
} race;

typedef struct {
    race *race;
    row_table table;
    double *scratch; /* [classes or targets] */
    double *times;   /* [CALLS_MAX] */
    size_t calls;
    double elapsed;
    uint32_t last; /* the last prediction, so that it cannot be optimised away */
    pthread_t thread;
} runner;

/* Times calls for that long, at least one; overwrites the times of earlier calls. */
static void run_for(runner *self, double seconds) {
    const race *race = self->race;
    int64_t start = nanoseconds();
    size_t row = 0;
    self->calls = 0;
    do {
        const float *values = self->table.values + row * self->table.features;
        int64_t before = nanoseconds();
        self->last = sporf_forest_predict_row(race->forest, values, race->combine, self->scratch);
        int64_t after = nanoseconds();
        self->times[self->calls++] = 1e-9 * (double)(after - before);
        row = row + 1 < self->table.rows ? row + 1 : 0;
        self->elapsed = 1e-9 * (double)(after - start);
    } while (self->calls < CALLS_MAX && self->elapsed < seconds);
}

static void *run(void *argument) {
    runner *self = argument;
    pthread_mutex_lock(&self->race->gate);
    int cancelled = self->race->cancelled;
    pthread_mutex_unlock(&self->race->gate);
    if (cancelled) return NULL;
    run_for(self, WARM_UP * self->race->seconds);
    run_for(self, self->race->seconds);
    return NULL;
}

/* The memory for times is touched now, not during the measurement. */
static int prepare_runner(runner *self, race *race, const row_table *table) {
    size_t results = sporf_forest_classes(race->forest) + sporf_forest_targets(race->forest);
    self->race = race;
    self->scratch = malloc(results * sizeof *self->scratch);
    self->times = malloc(CALLS_MAX * sizeof *self->times);
    if (self->times) memset(self->times, 1, CALLS_MAX * sizeof *self->times);
    return row_table_copy(&self->table, table) && self->scratch && self->times;
}

/* Starts all threads and waits for them. Returns whether all could be started. */
static int start_and_wait(race *race, runner *runners, unsigned threads) {
    unsigned started = 0;
    pthread_mutex_lock(&race->gate);
    while (started < threads &&
           pthread_create(&runners[started].thread, NULL, run, &runners[started]) == 0)
        started++;
    race->cancelled = started < threads;
    pthread_mutex_unlock(&race->gate);
    for (unsigned i = 0; i < started; i++) pthread_join(runners[i].thread, NULL);
    return !race->cancelled;
}

static int conclude(const runner *runners, unsigned threads, timing_rows *result) {
    size_t calls = 0, at = 0;
    for (unsigned i = 0; i < threads; i++) calls += runners[i].calls;
    double *times = malloc(calls * sizeof *times);
    if (!times) return 0;
    *result = (timing_rows){0};
    for (unsigned i = 0; i < threads; i++) {
        memcpy(times + at, runners[i].times, runners[i].calls * sizeof *times);
        at += runners[i].calls;
        result->rows_per_second += (double)runners[i].calls / runners[i].elapsed;
    }
    qsort(times, calls, sizeof *times, ascending);
    result->p50 = quantile(times, calls, 0.5);
    result->p99 = quantile(times, calls, 0.99);
    free(times);
    return 1;
}

const char *timing_row(const sporf_forest *forest, const row_table *table, sporf_combine combine,
                       unsigned threads, double seconds, timing_rows *result) {
    static const char no_memory[] =
        "out of memory for the times of single rows; take fewer threads";
    static const char no_threads[] = "cannot start so many threads; take fewer";
    race race = {.forest = forest,
                 .combine = combine,
                 .seconds = seconds,
                 .gate = PTHREAD_MUTEX_INITIALIZER};
    runner *runners = calloc(threads, sizeof *runners);
    if (!runners) return no_memory;
    const char *failure = NULL;
    for (unsigned i = 0; i < threads && !failure; i++)
        if (!prepare_runner(&runners[i], &race, table)) failure = no_memory;
    if (!failure && !start_and_wait(&race, runners, threads)) failure = no_threads;
    if (!failure && !conclude(runners, threads, result)) failure = no_memory;
    for (unsigned i = 0; i < threads; i++) {
        row_table_free(&runners[i].table);
        free(runners[i].scratch);
        free(runners[i].times);
    }
    free(runners);
    return failure;
}
