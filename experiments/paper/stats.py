"""Means with their standard errors, ranks, effect sizes, and tests between methods."""

import numpy as np
from scipy import stats as scipy_stats


def mean(values) -> float:
    return float(np.mean(values))


def standard_error(values) -> float:
    """Of the mean.

    >>> standard_error([1.0, 3.0])
    1.0
    """
    return float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("nan")


# Errors are stored with six digits: what differs by less is equal.
DIGITS = 5


def ranks(scores: np.ndarray) -> np.ndarray:
    """The place of each method (a column) on each data set (a row), 1 for the least error; equal
    ones share their mean place.

    >>> ranks(np.array([[0.1, 0.3, 0.1]]))
    array([[1.5, 3. , 1.5]])
    """
    return scipy_stats.rankdata(np.round(scores, DIGITS), axis=1)


def place_shares(scores: np.ndarray) -> np.ndarray:
    """On which share of the data sets each method (a column) has each place (a row); equal ones
    share the places that they take.

    >>> place_shares(np.array([[0.1, 0.3, 0.1]]))
    array([[0.5, 0. , 0.5],
           [0.5, 0. , 0.5],
           [0. , 1. , 0. ]])
    """
    rounded = np.round(scores, DIGITS)
    first = scipy_stats.rankdata(rounded, method="min", axis=1)
    last = scipy_stats.rankdata(rounded, method="max", axis=1)
    return np.array(
        [
            np.mean(((first <= place) & (place <= last)) / (last - first + 1), axis=0)
            for place in range(1, scores.shape[1] + 1)
        ]
    )


def wilcoxon(better, worse) -> float:
    """The one-sided p-value of Wilcoxon's signed-rank test that errors of the first are smaller.

    One pair for each data set: the folds of a set share most of their training rows, so their
    errors are not independent, and a test that takes them for so many sets finds differences
    which are not there. Sets without a difference are shared out between both signs.
    """
    difference = np.round(np.asarray(better) - np.asarray(worse), DIGITS)
    if not np.any(difference):
        return 1.0
    answer = scipy_stats.wilcoxon(
        difference, alternative="less", zero_method="zsplit", method="approx"
    )
    return float(answer.pvalue)


def wins(ours, theirs) -> tuple[int, int, int]:
    """On how many sets the first error is smaller, equal, larger.

    >>> wins([0.1, 0.2, 0.3], [0.2, 0.2, 0.1])
    (1, 1, 1)
    """
    difference = np.round(np.asarray(ours) - np.asarray(theirs), DIGITS)
    less, more = int(np.sum(difference < 0)), int(np.sum(difference > 0))
    return less, len(difference) - less - more, more


def chance_error_paper(labels: np.ndarray) -> float:
    """What the paper's kappa takes for the error of guessing: the largest class among those from 1
    on. Class 0 was left out by accident.

    >>> chance_error_paper(np.array([0, 0, 0, 1, 2]))
    0.8
    """
    shares = np.bincount(labels)[1:] / len(labels)
    return float(1 - shares.max(initial=0.0))


def kappa_paper(error: float, chance: float) -> float:
    """The paper's kappa of one fold.

    >>> round(kappa_paper(0.1, 0.5), 12)
    0.8
    """
    return 1 - error / chance if chance > 0 else float("nan")
