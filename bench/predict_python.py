#!/usr/bin/env python3
"""Trains a Python learner and keeps the model, or times the predictions of a model that was kept.

Usage: predict_python.py train|predict LEARNER JOB, the job as JSON: what fit_python.py wants and
model, the file; to predict also threads, seconds for each repetition and timer, predict_xgboost.c as
a shared library. Each predictor gets the job and the test rows, single precision row by row, and
returns two functions: one predicts all rows, the other calls for one of the given rows after the
other for so many seconds and returns the time of each call and their sum. Conversions that belong to
reading data come before.
"""

import copy
import ctypes
import importlib.metadata
import json
import statistics
import sys
import threading
import time
from pathlib import Path

import numpy as np

import fit_python

REPEATS = 5
CALLS_MAX = 1 << 20
WARM_UP = 0.25  # of the time that is measured


def calls_from_python(predict):
    """Times predict for one row after the other; returns the times and their sum."""

    def run(rows, seconds):
        times, start = [], time.perf_counter()
        while not times or time.perf_counter() - start < seconds:
            row = rows[len(times) % len(rows)][None, :]
            before = time.perf_counter()
            predict(row)
            times.append(time.perf_counter() - before)
        return np.array(times), sum(times)

    return run


def scikit_learn(job, test):
    import joblib

    forest = joblib.load(job["model"]).set_params(n_jobs=job["threads"])
    alone = copy.copy(forest).set_params(n_jobs=1)
    return lambda: forest.predict(test), calls_from_python(alone.predict)


def xgboost(job, test):
    """One row at a time goes through the C interface, without Python."""
    import xgboost as xgb
    from xgboost.core import _LIB

    booster = xgb.Booster({"nthread": job["threads"]})
    booster.load_model(bytearray(Path(job["model"]).read_bytes()))
    alone = booster.copy()
    alone.set_param({"nthread": 1})
    timer = ctypes.CDLL(job["timer"]).time_rows
    timer.restype = ctypes.c_size_t

    def run(rows, seconds):
        times, elapsed = np.ones(CALLS_MAX), ctypes.c_double()
        calls = timer(_LIB.XGBoosterPredictFromDense, alone.handle,
                      rows.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(len(rows)),
                      ctypes.c_size_t(rows.shape[1]), ctypes.c_double(seconds),
                      ctypes.c_size_t(CALLS_MAX), times.ctypes.data_as(ctypes.c_void_p),
                      ctypes.byref(elapsed))
        if calls == 0:
            raise RuntimeError("XGBoosterPredictFromDense failed")
        return times[:calls], elapsed.value

    return lambda: booster.inplace_predict(test), run


def ydf(job, test):
    import ydf as yggdrasil

    yggdrasil.verbose(0)
    model = yggdrasil.load_model(job["model"])
    table = yggdrasil.create_vertical_dataset({"x": test}, data_spec=model.data_spec())
    return (lambda: model.predict(table, num_threads=job["threads"]),
            calls_from_python(lambda row: model.predict({"x": row}, num_threads=1)))


def keep_scikit_learn(model, path):
    import joblib

    joblib.dump(model, path)


def keep_xgboost(model, path):
    Path(path).write_bytes(model.save_raw("ubj"))


def keep_ydf(model, path):
    model.save(path)


# learner: how a model is kept, and the predictor
PREDICTORS = {
    "scikit-learn": (keep_scikit_learn, scikit_learn),
    "xgboost-exact": (keep_xgboost, xgboost),
    "xgboost-all-classes": (keep_xgboost, xgboost),
    "ydf": (keep_ydf, ydf),
}


def classes_of(answer):
    """Numbers of classes from classes, or from the probabilities of the second or of all."""
    answer = np.asarray(answer)
    if answer.ndim == 2:
        return answer.argmax(axis=1)
    return (answer > 0.5 if answer.dtype.kind == "f" and answer.max() <= 1 else answer).astype(int)


def time_batch(predict, seconds):
    """Seconds for all rows: the median of repetitions, after the warm-up that gave the answer."""
    times = []
    for _ in range(REPEATS):
        calls, start = 0, time.perf_counter()
        while calls == 0 or time.perf_counter() - start < seconds:
            predict()
            calls += 1
        times.append((time.perf_counter() - start) / calls)
    return statistics.median(times)


def time_rows(calls, test, threads, seconds):
    """One row at a time, from as many threads at once, each with a copy of the rows, shuffled."""
    shuffled = test[np.random.default_rng(1).permutation(len(test))]
    results = [None] * threads

    def work(thread):
        own = shuffled.copy()
        calls(own, WARM_UP * seconds)
        results[thread] = calls(own, seconds)

    workers = [threading.Thread(target=work, args=(i,)) for i in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    p50, p99 = np.quantile(np.concatenate([times for times, _ in results]), (0.5, 0.99))
    return {"p50_us": 1e6 * p50, "p99_us": 1e6 * p99,
            "rows_per_second": sum(len(times) / elapsed for times, elapsed in results)}


def train(name, job):
    x, labels = fit_python.load(Path(job["folder"]), "train")
    fit, _ = fit_python.LEARNERS[name][1](job, x, fit_python.number(labels)[1])
    PREDICTORS[name][0](fit(), job["model"])
    return {}


def predict(name, job):
    folder = Path(job["folder"])
    test, truth = fit_python.load(folder, "test")
    test = np.ascontiguousarray(test)
    classes, _ = fit_python.number(np.load(folder / "train-labels.npy"))
    batch, calls = PREDICTORS[name][1](job, test)
    wrong = classes[classes_of(batch())] != truth
    return {"version": importlib.metadata.version(fit_python.LEARNERS[name][0]),
            "error": float(wrong.mean()),
            "rows_per_second": len(test) / time_batch(batch, job["seconds"]),
            "one_row": time_rows(calls, test, job["threads"], job["seconds"])}


if __name__ == "__main__":
    action = {"train": train, "predict": predict}[sys.argv[1]]
    print(json.dumps(action(sys.argv[2], json.loads(sys.argv[3]))))
