#!/usr/bin/env python3
"""Fits one Python learner once, in this process, and prints what it took as a line of JSON.

Usage: fit_python.py LEARNER JOB, the job as JSON: folder, d, nonzeros, features, classes, trees,
threads, seed. Each learner is a function that gets the job and the table and returns two functions:
fit, which alone is timed and returns a model, and predict, which gets the model and rows. Conversions
that belong to reading data come before.
"""

import importlib.metadata
import json
import resource
import sys
import time
from pathlib import Path

import numpy as np


def scikit_learn(job, x, y):
    from sklearn.ensemble import RandomForestClassifier

    forest = RandomForestClassifier(n_estimators=job["trees"], max_features=job["d"],
                                    n_jobs=job["threads"], random_state=job["seed"])
    return lambda: forest.fit(x, y), lambda model, rows: model.predict(rows)


def treeple(job, x, y):
    from treeple import ObliqueRandomForestClassifier

    forest = ObliqueRandomForestClassifier(
        n_estimators=job["trees"], max_features=job["d"], feature_combinations=job["nonzeros"],
        n_jobs=job["threads"], random_state=job["seed"])
    return lambda: forest.fit(x, y), lambda model, rows: model.predict(rows)


def xgboost(method, max_depth, share_of_features, **more):
    """Random forests as XGBoost's documentation sets them up, without limits on the trees."""

    def learner(job, x, y):
        import xgboost as xgb

        two = job["classes"] == 2
        settings = {
            "tree_method": method, "max_depth": max_depth, "num_parallel_tree": job["trees"],
            "learning_rate": 1, "subsample": 0.632, share_of_features: job["d"] / job["features"],
            "min_child_weight": 0, "reg_lambda": 0, "gamma": 0, "nthread": job["threads"],
            "seed": job["seed"], "verbosity": 0,
            "objective": "binary:logistic" if two else "multi:softmax",
        }
        if not two:
            settings.update(num_class=job["classes"], **more)
        table = xgb.DMatrix(x, y, nthread=job["threads"])

        def predict(model, rows):
            answer = model.predict(xgb.DMatrix(rows))
            return answer > 0.5 if two else answer

        return lambda: xgb.train(settings, table, num_boost_round=1), predict

    return learner


def ydf(job, x, y):
    import ydf as yggdrasil

    yggdrasil.verbose(0)
    learner = yggdrasil.RandomForestLearner(
        label="y", num_trees=job["trees"], split_axis="SPARSE_OBLIQUE",
        sparse_oblique_num_projections_exponent=1.0, sparse_oblique_max_num_projections=job["d"],
        sparse_oblique_projection_density_factor=float(job["nonzeros"]), sparse_oblique_weights="BINARY",
        sparse_oblique_normalization="NONE", max_depth=-1, min_examples=1,
        compute_oob_performances=False, num_threads=job["threads"], random_seed=job["seed"])
    label = yggdrasil.Column("y", yggdrasil.Semantic.CATEGORICAL, min_vocab_frequency=1)
    table = yggdrasil.create_vertical_dataset({"x": x, "y": y}, columns=[label],
                                              include_all_columns=True)

    def predict(model, rows):
        return np.asarray(model.predict_class({"x": rows})).astype(int)

    return lambda: learner.train(table), predict


# learner: the name of its package, and the function
LEARNERS = {
    "scikit-learn": ("scikit-learn", scikit_learn),
    "treeple": ("treeple", treeple),
    "xgboost-exact": ("xgboost", xgboost("exact", 1_000_000, "colsample_bylevel")),
    "xgboost-hist": ("xgboost", xgboost("hist", 0, "colsample_bynode")),
    "xgboost-all-classes": ("xgboost", xgboost("hist", 0, "colsample_bynode",
                                               multi_strategy="multi_output_tree", max_bin=64,
                                               max_cached_hist_node=32)),
    "ydf": ("ydf", ydf),
}


def load(folder, part):
    return np.load(folder / f"{part}.npy"), np.load(folder / f"{part}-labels.npy")


def number(labels):
    """The classes, and the labels as their numbers from 0 on, as XGBoost wants them."""
    return np.unique(labels, return_inverse=True)


def main():
    package, learner = LEARNERS[sys.argv[1]]
    job = json.loads(sys.argv[2])
    folder = Path(job["folder"])
    x, labels = load(folder, "train")
    classes, y = number(labels)
    fit, predict = learner(job, x, y)
    start = time.perf_counter()
    model = fit()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    test, truth = load(folder, "test")
    wrong = classes[np.asarray(predict(model, test)).astype(int)] != truth
    print(json.dumps({"version": importlib.metadata.version(package), "seconds": seconds,
                      "peak_bytes": peak, "error": float(wrong.mean())}))


if __name__ == "__main__":
    main()
