#!/usr/bin/env python3
"""Fits one learner without options, in this process, and prints what came of it as a line of JSON.

Usage: fit_defaults.py LEARNER JOB, the job as JSON: train, test (CSV files, or both MNIST's directory), numeric,
trees, seed. The learners get one thread, the seed, and forests the number of trees; nothing else that changes a
model. Text columns are categories: ordinal codes for scikit-learn, pandas' dtype for LightGBM and XGBoost, text
for CatBoost. Only the fit is timed, with what the learner does to the table by itself.
"""

import importlib.metadata
import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

LEAST = 1e-15  # a probability below it counts as this


def scikit_learn(kind):
    def learner(job, categories):
        from sklearn import ensemble

        task = "Regressor" if job["numeric"] else "Classifier"
        return getattr(ensemble, kind + task)(n_estimators=job["trees"], random_state=job["seed"])

    return learner


def histogram_boosting(job, categories):
    from sklearn import ensemble

    task = "Regressor" if job["numeric"] else "Classifier"
    return getattr(ensemble, "HistGradientBoosting" + task)(random_state=job["seed"], **(
        {"categorical_features": "from_dtype"} if categories else {}))


def lightgbm(job, categories):
    import lightgbm as lgb

    model = lgb.LGBMRegressor if job["numeric"] else lgb.LGBMClassifier
    return model(n_jobs=1, random_state=job["seed"], verbosity=-1)


def xgboost(job, categories):
    import xgboost as xgb

    model = xgb.XGBRegressor if job["numeric"] else xgb.XGBClassifier
    return model(n_jobs=1, random_state=job["seed"], **({"enable_categorical": True} if categories else {}))


def catboost(job, categories):
    import catboost as cat

    model = cat.CatBoostRegressor if job["numeric"] else cat.CatBoostClassifier
    return model(thread_count=1, random_seed=job["seed"], verbose=False, allow_writing_files=False,
                 **({"cat_features": categories} if categories else {}))


# learner: the name of its package, the function, and how it gets categories
LEARNERS = {
    "random-forest": ("scikit-learn", scikit_learn("RandomForest"), "codes"),
    "extra-trees": ("scikit-learn", scikit_learn("ExtraTrees"), "codes"),
    "hist-gradient-boosting": ("scikit-learn", histogram_boosting, "category"),
    "lightgbm": ("lightgbm", lightgbm, "category"),
    "xgboost": ("xgboost", xgboost, "category"),
    "catboost": ("catboost", catboost, "text"),
}


# ---- tables -------------------------------------------------------------------------------------


def mnist(folder):
    import workloads

    files = [workloads.read_idx(Path(folder) / f"{part}-{kind}-ubyte.gz")
             for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]
    return files[0], files[1][:, 0], files[2], files[3][:, 0]


def encode(train, test, form):
    """Both parts, and the names of the columns that are categories. Tables of numbers become arrays."""
    names = [name for name in train if not pd.api.types.is_numeric_dtype(train[name])]
    if not names:
        return train.to_numpy(), test.to_numpy(), names
    for name in names:
        if form == "text":
            train[name], test[name] = train[name].fillna("").astype(str), test[name].fillna("").astype(str)
            continue
        levels = pd.CategoricalDtype(sorted(train[name].dropna().unique()))
        for part in train, test:
            column = part[name].astype(levels)
            part[name] = column.cat.codes.replace(-1, np.nan) if form == "codes" else column
    return train, test, names


def load(job, form):
    if Path(job["train"]).is_dir():
        return *mnist(job["train"]), []
    parts = [pd.read_csv(job[part]) for part in ("train", "test")]
    y, truth = (part.pop(part.columns[-1]).to_numpy() for part in parts)
    x, test, categories = encode(*parts, form)
    return x, y, test, truth, categories


# ---- scores -------------------------------------------------------------------------------------


def of_classes(classes, truth, probabilities):
    """Rows of a class that was not trained with are wrong, and have the least probability."""
    said = classes[probabilities.argmax(axis=1)]
    place = np.searchsorted(classes, truth).clip(0, len(classes) - 1)
    right = np.where(classes[place] == truth, probabilities[np.arange(len(truth)), place], 0.0)
    return {"error": float(np.mean(said != truth)), "log_loss": float(-np.log(np.maximum(right, LEAST)).mean())}


def of_numbers(truth, said):
    return {"one_minus_r2": float(np.mean((truth - said) ** 2) / np.var(truth))}


def main():
    package, learner, form = LEARNERS[sys.argv[1]]
    job = json.loads(sys.argv[2])
    x, y, test, truth, categories = load(job, form)
    if not job["numeric"]:
        classes, y = np.unique(y, return_inverse=True)
    model = learner(job, categories)
    start, busy = time.perf_counter(), time.process_time()
    model.fit(x, y)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    scores = (of_numbers(truth, model.predict(test)) if job["numeric"] else
              of_classes(classes, truth, model.predict_proba(test)))
    print(json.dumps({"version": importlib.metadata.version(package), "seconds": seconds, "cpu_seconds": busy,
                      "categories": len(categories), **scores}))


if __name__ == "__main__":
    main()
