#!/usr/bin/env python3
"""Fits one of scikit-learn's regression forests once and prints what came of it as a line of JSON.

Usage: regress_python.py LEARNER TRAIN TEST TREES THREADS SEED. CSV files with the target y last; TEST may be -
for none. Only the fit is timed, with its out-of-bag error where it has one: ExtraTrees does not bootstrap.
"""

import importlib.metadata
import json
import sys
import time

import numpy as np
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

LEARNERS = {"scikit-learn": lambda **given: RandomForestRegressor(oob_score=True, **given),
            "extra-trees": lambda **given: ExtraTreesRegressor(**given)}


def load(path):
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    return table[:, :-1].astype(np.float32), table[:, -1]


def rmse(truth, said):
    return float(np.sqrt(np.mean((truth - said) ** 2)))


def main():
    name, train, test, trees, threads, seed = sys.argv[1:]
    x, y = load(train)
    forest = LEARNERS[name](n_estimators=int(trees), n_jobs=int(threads), random_state=int(seed))
    start, busy = time.perf_counter(), time.process_time()
    forest.fit(x, y)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    out_of_bag = getattr(forest, "oob_prediction_", None)
    answer = {"version": importlib.metadata.version("scikit-learn"), "seconds": seconds, "cpu_seconds": busy,
              "oob_rmse": None if out_of_bag is None else rmse(y, out_of_bag), "test_rmse": None}
    if test != "-":
        rows, truth = load(test)
        answer["test_rmse"] = rmse(truth, forest.predict(rows))
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
