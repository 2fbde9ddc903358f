"""The methods that are compared: names, and a forest of each as the paper grew it."""

import time
import warnings

import numpy as np

from sporf import SporfClassifier

NAMES = {
    "rf": "RF",
    "sporf": "SPORF",
    "frc": "F-RC",
    "ccf": "CCF",
    "rr-rf": "RR-RF",
    "xgboost": "XGBoost",
}
FORESTS = ("rf", "sporf", "frc", "ccf", "rr-rf")
WITHOUT_BAG = ("ccf",)


def forest(method: str, d: int, nonzeros: int, trees: int, seed: int, **more) -> SporfClassifier:
    """A forest of the paper: fully grown trees, a stratified bootstrap, majority votes.

    Canonical correlation forests see all rows in each tree, and split by entropy.
    """
    bagged = method not in WITHOUT_BAG
    settings = {
        "criterion": "gini" if bagged else "entropy",
        "bootstrap": "stratified" if bagged else False,
        "oob_score": bagged,
        "combine": "votes",
        "calibration": "none",
        "scale": "none",
        "random_state": seed,
        **more,
    }
    if method in ("sporf", "frc"):
        settings["feature_combinations"] = nonzeros
    return SporfClassifier(trees, projection=method, max_features=d, **settings)


def fit(X, y, **settings) -> tuple[SporfClassifier, float]:
    """A fitted forest, and the seconds of a core that it took, whatever else the machine did."""
    model = forest(**settings)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows in every tree, more classes than rows: meant so here
        model.fit(X, y)
    return model, time.process_time() - start


def vote(shares: np.ndarray, seed: int) -> np.ndarray:
    """The class with the most votes in each row, as a place among the classes; ties at random.

    >>> vote(np.array([[0.5, 0.5, 0.0], [0.1, 0.2, 0.7]]), 0)[1]
    np.int64(2)
    """
    best = shares >= shares.max(axis=1, keepdims=True) - 1e-9
    return np.argmax(best * np.random.default_rng(seed).random(shares.shape), axis=1)


def predict(model: SporfClassifier, X, seed: int) -> np.ndarray:
    return model.classes_[vote(model.predict_proba(X), seed)]
