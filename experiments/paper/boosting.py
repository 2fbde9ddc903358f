"""XGBoost, tuned as in the paper: a grid after a talk by Owen Zhang, judged by five folds."""

import time
from itertools import product

import numpy as np
import xgboost

import protocol

FOLDS = protocol.FOLDS
NAMES = ("eta", "subsample", "colsample", "depth")


def grid(mode) -> list[dict]:
    """Settings; the numbers of rounds are compared within each."""
    short = ((0.1,), (0.75,), (0.6,), (4, 100000)), "30,100"
    whole = (
        ((0.001, 0.01), (0.5, 0.75, 1.0), (0.4, 0.6, 0.8, 1.0), (4, 6, 8, 10, 100000)),
        "100,1000",
    )
    values, rounds = mode.pick(
        smoke=(((0.3,), (1.0,), (1.0,), (4,)), "2,5"),
        quick=short,
        full=short if mode.thrifty else whole,
    )
    return [{**dict(zip(NAMES, row, strict=True)), "rounds": rounds} for row in product(*values)]


def parameters(classes: int, seed: int, setting: dict) -> dict:
    two = {"objective": "binary:logistic"}
    more = {"objective": "multi:softprob", "num_class": classes}
    return {
        **(two if classes == 2 else more),
        "eta": setting["eta"],
        "subsample": setting["subsample"],
        "colsample_bytree": setting["colsample"],
        "max_depth": min(setting["depth"], 1000),
        "min_child_weight": 1,
        "gamma": 0,
        "nthread": 1,
        "seed": seed % 2**31,
        "verbosity": 0,
    }


def predictions(train, X_test, classes: int, seed: int, setting: dict, rounds: list[int]):
    """Classes of the test rows after each number of rounds."""
    data = xgboost.DMatrix(*train)
    booster = xgboost.train(parameters(classes, seed, setting), data, max(rounds))
    test = xgboost.DMatrix(X_test)
    for count in rounds:
        shares = booster.predict(test, iteration_range=(0, count))
        yield shares.argmax(axis=1) if shares.ndim == 2 else (shares > 0.5).astype(int)


def evaluate(train, test, seed: int, setting: dict) -> dict:
    """The better number of rounds by cross-validation, and what it gives on the test rows."""
    (X, y), (X_test, y_test) = train, test
    rounds = [int(word) for word in setting["rounds"].split(",")]
    classes = int(max(y.max(), y_test.max())) + 1
    wrong = np.zeros(len(rounds))
    folds = protocol.folds_of(y, seed)
    for fold in np.unique(folds):
        inside = (X[folds != fold], y[folds != fold])
        guesses = predictions(inside, X[folds == fold], classes, seed, setting, rounds)
        wrong += [np.sum(guess != y[folds == fold]) for guess in guesses]
    start = time.process_time()
    finals = list(predictions(train, X_test, classes, seed, setting, rounds))
    best = int(wrong.argmin())
    return {
        "cv_error": round(float(wrong[best] / len(y)), 6),
        "best_rounds": rounds[best],
        **protocol.scores(y_test, finals[best]),
        "seconds": round(time.process_time() - start, 4),
    }
