/* Times XGBoost's C function for one row at a time, from C, so that no Python is in the times.
 * predict_python.py loads this as a shared library and hands over the function and a booster. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* XGBoosterPredictFromDense of xgboost/c_api.h. The values are described by an array interface,
 * the proxy may be NULL, and the result belongs to the calling thread. */
typedef int (*predict_from_dense)(void *booster, const char *values, const char *config,
                                  void *proxy, const uint64_t **shape, uint64_t *dimensions,
                                  const float **result);

static const char config[] = "{\"type\": 0, \"training\": false, \"iteration_begin\": 0, "
                             "\"iteration_end\": 0, \"missing\": NaN, \"strict_shape\": false, "
                             "\"cache_id\": 0}";

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Predicts row after row for so many seconds, or until times[most] is full. Describing the row is
 * not timed. Returns the number of calls, 0 where one failed; *elapsed is the sum of their times.
 */
size_t time_rows(predict_from_dense predict, void *booster, const float *rows, size_t count,
                 size_t features, double seconds, size_t most, double *times, double *elapsed) {
    double start = now();
    size_t calls = 0;
    for (*elapsed = 0; calls < most && (calls == 0 || now() - start < seconds); calls++) {
        char values[256];
        const uint64_t *shape;
        const float *result;
        uint64_t dimensions;
        snprintf(values, sizeof values,
                 "{\"data\": [%llu, true], \"shape\": [1, %zu], \"typestr\": \"<f4\", "
                 "\"version\": 3}",
                 (unsigned long long)(uintptr_t)(rows + calls % count * features), features);
        double before = now();
        if (predict(booster, values, config, NULL, &shape, &dimensions, &result) != 0) return 0;
        times[calls] = now() - before;
        *elapsed += times[calls];
    }
    return calls;
}
