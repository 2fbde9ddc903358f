"""The paper's tuning: which settings are tried, how each is judged, which one is taken.

What was run differs from the text in places; docs/paper.md says where.
"""

import math
import random

import numpy as np
from sklearn.metrics import cohen_kappa_score, roc_auc_score

from methods import WITHOUT_BAG, fit, predict, vote

FOLDS = 5


def candidates(method: str, p: int) -> list[int]:
    """The numbers d of candidates in a node (of features in a correlation, for CCF).

    >>> candidates("sporf", 20), candidates("rf", 20), candidates("sporf", 3)
    ([3, 5, 10, 20, 400], [3, 5, 10, 20], [1, 2, 3, 9])
    """
    if p < 5:
        ds = list(range(1, p + 1))
    else:
        ds = sorted({ceil_power(p, power) for power in (0.25, 0.5, 0.75, 1)})
    if method in ("sporf", "frc") and p > 1:
        ds.append(p * p if p <= 100 else ceil_power(p, 1.5))
    return ds


def ceil_power(p: int, power: float) -> int:
    """p to a power, rounded up; a whole power is not lifted by rounding."""
    return math.ceil(p**power - 1e-9)


def nonzeros(method: str, p: int) -> list[int]:
    """The numbers of features in a candidate: lambda p of SPORF, on average, and L of F-RC.

    >>> nonzeros("sporf", 20), nonzeros("frc", 20), nonzeros("sporf", 4), nonzeros("rf", 20)
    ([1, 2, 3, 4, 5], [2, 3, 4, 5], [1, 2, 3], [1])
    """
    if method == "sporf":
        return list(range(1, max(1, min(p - 1, 5)) + 1))
    if method == "frc":
        return list(range(2, min(p, 5) + 1)) or [1]
    return [1]


def grid(method: str, p: int) -> list[dict]:
    """All settings that the paper tries."""
    return [{"d": d, "nonzeros": k} for d in candidates(method, p) for k in nonzeros(method, p)]


def auc(truth: np.ndarray, shares: np.ndarray) -> float:
    """The area under the curve of two classes; with more, of all pairs of a row and a class."""
    member = truth[:, np.newaxis] == np.arange(shares.shape[1])
    if shares.shape[1] == 2:
        member, shares = member[:, 1], shares[:, 1]
    return float(roc_auc_score(member.ravel(), shares.ravel())) if member.any() else 0.5


def out_of_bag(model, y, seed: int) -> tuple[float, float]:
    """The error of the out-of-bag votes, ties at random, and their area under the curve."""
    shares = model.oob_decision_function_
    seen = ~np.isnan(shares[:, 0])
    if not seen.any():
        return 1.0, 0.5
    truth = np.searchsorted(model.classes_, y)[seen]
    error = np.mean(vote(shares[seen], seed) != truth)
    return float(error), auc(truth, shares[seen])


def folds_of(y: np.ndarray, seed: int) -> np.ndarray:
    """A fold for each row, each with its share of every class.

    >>> np.bincount(folds_of(np.repeat([0, 1], 10), 1), minlength=5)
    array([4, 4, 4, 4, 4])
    """
    order = np.random.default_rng(seed).permutation(len(y))
    folds = np.empty(len(y), dtype=int)
    folds[order[np.argsort(y[order], kind="stable")]] = np.arange(len(y)) % FOLDS
    return folds


def cross_validated(X, y, seed: int, **settings) -> float:
    """The error in five folds, where there is no bag to be out of."""
    folds, wrong = folds_of(y, seed), 0
    for fold in np.unique(folds):
        train, test = folds != fold, folds == fold
        if len(np.unique(y[train])) < 2:
            wrong += np.sum(y[test] != y[train][0])
            continue
        model, _ = fit(X[train], y[train], seed=seed, **settings)
        wrong += np.sum(predict(model, X[test], seed) != y[test])
    return float(wrong / len(y))


def judge(model, X, y, seed: int, **settings) -> dict:
    """What a setting is worth as far as the training rows tell."""
    if settings["method"] in WITHOUT_BAG:
        error = cross_validated(X, y, seed, **settings)
        return {"cv_error": round(error, 6), "oob_error": None, "oob_auc": None}
    error, area = out_of_bag(model, y, seed)
    return {"oob_error": round(error, 6), "oob_auc": round(area, 6)}


def settings(unit: dict) -> dict:
    """What a unit of work says of its forest."""
    names = ("method", "d", "nonzeros", "trees", "judged")
    return {name: unit[name] for name in names if name in unit}


def evaluate(train, test, seed: int, judged: bool = True, **settings) -> dict:
    """What one setting is worth, inside the training rows (if it is to be judged) and on the test
    rows."""
    (X, y), (X_test, y_test) = train, test
    model, seconds = fit(X, y, seed=seed, **settings)
    return {
        **(judge(model, X, y, seed, **settings) if judged else {}),
        **scores(y_test, predict(model, X_test, seed)),
        "seconds": round(seconds, 4),
    }


def scores(truth: np.ndarray, predicted: np.ndarray) -> dict:
    """Error and Cohen's kappa; kappa is 0 where a fold and its predictions hold one class."""
    with np.errstate(invalid="ignore"):
        kappa = float(np.nan_to_num(cohen_kappa_score(truth, predicted)))
    error = float(np.mean(predicted != truth))
    return {"test_error": round(error, 6), "kappa": round(kappa, 6)}


def worth(line: dict) -> tuple[float, float]:
    """What settings are compared by, the least first: the error inside the training rows, and the
    area where there is one."""
    error = line["cv_error"] if line.get("oob_error") is None else line["oob_error"]
    area = line.get("oob_auc")
    return error, 0.0 if area is None or math.isnan(area) else -area


def choose(lines: list[dict], seed: int = 0) -> dict:
    """The line of least error inside the training rows; ties by the larger area, then at random.

    >>> choose([{"oob_error": 0.2, "oob_auc": 0.8}, {"oob_error": 0.2, "oob_auc": 0.9}])["oob_auc"]
    0.9
    """
    best = min(map(worth, lines))
    return random.Random(seed).choice([line for line in lines if worth(line) == best])


def best_forest(X, y, seed: int, trees: int, settings: list[dict]) -> tuple[dict, object]:
    """The setting that is chosen by what is out of bag, and its forest."""
    lines = []
    for setting in settings:
        model, _ = fit(X, y, seed=seed, trees=trees, **setting)
        error, area = out_of_bag(model, y, seed)
        lines.append({**setting, "oob_error": error, "oob_auc": area, "model": model})
    best = choose(lines, seed)
    return best, best["model"]


PLACES = ("set", "fold", "noise", "problem", "p", "n", "trial", "method", "d", "nonzeros", "trees")


def grown(context, chosen: dict[tuple, list[dict]], trees, lines) -> dict[tuple, list[dict]]:
    """The chosen lines, those with fewer trees than `trees` says grown again with that many. Where
    one of a group is not finished, the group is left out. `lines` does units of work."""

    def place(line: dict) -> dict:
        return {name: line[name] for name in PLACES if name in line}

    def final(line: dict) -> dict:
        count = trees(line) if "trees" in line else 0
        return line if count <= line.get("trees", 0) else place(line) | {"trees": count}

    finals = {key: list(map(final, found)) for key, found in chosen.items()}
    short = [unit for group in finals.values() for unit in group if "test_error" not in unit]
    done = lines(context, [unit | {"judged": False} for unit in short])
    by_place = {tuple(place(line).items()): line for line in done}
    for group in finals.values():
        group[:] = [by_place.get(tuple(place(x).items())) if x in short else x for x in group]
    return {key: group for key, group in finals.items() if None not in group}
