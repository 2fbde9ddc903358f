"""Scores of predicted probabilities: areas, losses, precision and recall, with intervals."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _core, _options
from ._messages import messages_in_python


class Score(NamedTuple):
    """A score with its confidence interval; NaN if there is none."""

    value: float
    low: float
    high: float


class ClassScore(NamedTuple):
    """How well one class is told from the others.

    ``rows``, ``weight``: of the class; ``predicted_weight``: of rows predicted as it. ``auc`` (with
    DeLong's interval) and ``average_precision`` are those against the rest. What has no value is
    NaN: precision of a class that is never predicted, recall of a class without rows.
    """

    rows: int
    weight: float
    predicted_weight: float
    precision: float
    recall: float
    f1: float
    auc: float
    auc_low: float
    auc_high: float
    average_precision: float


@dataclass(frozen=True)
class ClassScores:
    """Scores of classification; see `scores`.

    Attributes
    ----------
    classes : ndarray
        The classes, in the order of the columns of probabilities.
    rows, weight : int, float
        How many rows counted, and their weight.
    accuracy, balanced_accuracy, f1_macro, mcc, log_loss, brier, top_k_accuracy : Score
        ``brier`` is over all classes: with two classes twice that of scikit-learn.
    auc, average_precision : Score
        With two classes of the second one, with more the mean over classes against the rest.
    auc_hand_till : Score
        The mean over pairs of classes (Hand and Till 2001).
    top_k : int
        How many classes ``top_k_accuracy`` looks at.
    by_class : list of ClassScore
        In the order of ``classes``.
    calibration_error : float
        Mean distance of confidence and accuracy over bins of confidence.
    calibration : ndarray of shape (n_bins, 4)
        Rows, weight, mean confidence and accuracy of each bin.
    """

    classes: np.ndarray
    rows: int
    weight: float
    accuracy: Score
    balanced_accuracy: Score
    f1_macro: Score
    mcc: Score
    log_loss: Score
    brier: Score
    top_k_accuracy: Score
    auc: Score
    auc_hand_till: Score
    average_precision: Score
    top_k: int
    by_class: list[ClassScore]
    calibration_error: float
    calibration: np.ndarray


class Curve(NamedTuple):
    """ROC and precision-recall curves of a class, by falling threshold."""

    thresholds: np.ndarray
    false_positive_rate: np.ndarray
    recall: np.ndarray
    precision: np.ndarray


def scores(
    y_true: Any,
    proba: Any,
    *,
    classes: Any = None,
    y_pred: Any = None,
    sample_weight: Any = None,
    confidence: float = 0.95,
    replicates: int = 0,
    top_k: int | None = None,
    random_state: Any = 1,
    n_jobs: int | None = None,
) -> ClassScores:
    """Scores of predicted probabilities, equal to those of scikit-learn.

    Parameters
    ----------
    y_true : array of shape (n_samples,)
        The true classes. A class that is not in ``classes`` counts as one that was given the
        probability 0.
    proba : array of shape (n_samples, n_classes) or (n_samples,)
        Probabilities, also those of other models; (n_samples,) is the probability of the second
        class. Rows with a NaN are ignored.
    classes : array of shape (n_classes,), optional
        The classes of the columns; None: the sorted classes of ``y_true``.
    y_pred : array of shape (n_samples,), optional
        The predicted classes; None: the most probable ones.
    sample_weight : array of shape (n_samples,), optional
        Row weights.
    confidence : float, default=0.95
        Confidence of the intervals.
    replicates : int, default=0
        How often rows are drawn for intervals by the bootstrap, 1000 for example; 0: only ``auc``
        has an interval (DeLong), which needs no draws.
    top_k : int, optional
        For ``top_k_accuracy``; None: 2 with up to ten classes, otherwise 5.
    random_state : int, RandomState instance or None, default=1
        Seed of the draws.
    n_jobs : int or None, default=None
        Number of threads for them.

    Returns
    -------
    found : ClassScores

    Examples
    --------
    >>> from sporf import scores
    >>> found = scores([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> found.auc.value
    0.75
    """
    classes, proba, labels = _table(y_true, proba, classes)
    weights = _weights(sample_weight, len(proba))
    predicted = None if y_pred is None else _numbers(y_pred, classes)
    with messages_in_python():
        rows, weight, top, values, by_class, error, bins = _core.score_classes(
            proba.shape[0],
            proba.shape[1],
            proba,
            labels,
            weights,
            predicted,
            confidence,
            replicates,
            int(_options.seed(random_state)),
            0 if top_k is None else int(_options.whole("top_k", top_k, 1)),
            _options.threads(n_jobs),
        )
    return ClassScores(
        classes=classes,
        rows=rows,
        weight=weight,
        top_k=top,
        by_class=[ClassScore(*row) for row in by_class],
        calibration_error=error,
        calibration=np.array(bins),
        **{name: Score(*value) for name, value in values.items()},
    )


def score_curve(
    y_true: Any, proba: Any, label: Any, *, classes: Any = None, sample_weight: Any = None
) -> Curve:
    """The ROC and the precision-recall curve of a class against the rest.

    Parameters
    ----------
    y_true, proba, classes, sample_weight
        As for `scores`.
    label : object
        The class.

    Returns
    -------
    curve : Curve
        Arrays ``thresholds``, ``false_positive_rate``, ``recall`` and ``precision``. The first
        threshold is infinite, where no row is predicted as the class.
    """
    classes, proba, labels = _table(y_true, proba, classes)
    number = int(_numbers([label], classes)[0])
    if number == len(classes):
        raise ValueError(f"label={label!r} is not one of the classes")
    weights = _weights(sample_weight, len(proba))
    with messages_in_python():
        points = _core.score_curve(proba.shape[0], proba.shape[1], proba, labels, weights, number)
    return Curve(*np.frombuffer(points, np.float64).reshape(-1, 4).T.copy())


def _table(y_true, proba, classes):
    """Classes, probabilities of all of them, and true classes as their numbers."""
    y_true = column_or_1d(y_true)
    classes = np.unique(y_true) if classes is None else column_or_1d(classes)
    proba = np.asarray(proba, dtype=np.float64)
    if proba.ndim == 1:
        proba = np.column_stack([1 - proba, proba])
    check_consistent_length(y_true, proba)
    if proba.ndim != 2 or proba.shape[1] != len(classes):
        raise ValueError(
            f"proba has the shape {proba.shape}, but there are {len(classes)} classes: give a "
            "column for each, or name them with classes"
        )
    return classes, np.ascontiguousarray(proba), _numbers(y_true, classes)


def _numbers(y, classes):
    """The number of each class among the classes; their count for others."""
    order = np.argsort(classes, kind="stable")
    y = column_or_1d(y)
    place = np.searchsorted(classes, y, sorter=order).clip(max=len(classes) - 1)
    number = order[place]
    return np.where(classes[number] == y, number, len(classes)).astype(np.uint32)


def _weights(sample_weight, rows):
    if sample_weight is None:
        return None
    weights = np.ascontiguousarray(column_or_1d(sample_weight), dtype=np.float64)
    if len(weights) != rows:
        raise ValueError(f"sample_weight has {len(weights)} items, but there are {rows} rows")
    return weights
