"""Bias and variance of 0-1 loss by James' definitions; Bayes errors of projections on Trunk.

G. M. James, Variance and bias for general loss functions, Machine Learning 51 (2003), as the
paper's appendix restates it.
"""

from math import erfc, sqrt

import numpy as np


def trunk_means(p: int) -> np.ndarray:
    """The mean of class 1 of the Trunk problem, 1 / sqrt(j) for j = 1 .. p; class 0 has minus it.

    >>> trunk_means(4).round(3).tolist()
    [1.0, 0.707, 0.577, 0.5]
    """
    return 1 / np.sqrt(np.arange(1, p + 1))


def trunk_bayes_error(weights, p: int | None = None) -> float:
    """The least error of any rule that sees nothing of a Trunk row but its projection on w.

    The classes are N(-mu, I) and N(mu, I), equally likely. Their projections are normal with means
    -+w.mu and standard deviation |w|, so that the best cut is at 0, and wrong with probability

        Phi(-D / 2),   D = 2 |w.mu| / |w|,

    D being the distance of the means in standard deviations (the Mahalanobis distance along w).

    Parameters
    ----------
    weights : array of shape (p,)
        The projection; its length and sign do not matter.
    p : int, optional
        Features of the problem; the length of `weights` unless given.

    >>> round(trunk_bayes_error([1, 0, 0]), 4)
    0.1587
    >>> round(trunk_bayes_error(trunk_means(10)), 4)  # the best projection: the Bayes error
    0.0435
    """
    w = np.asarray(weights, dtype=np.float64)
    if p is not None and len(w) != p:
        raise ValueError(f"{len(w)} weights for {p} features")
    length = np.linalg.norm(w)
    if length == 0:
        return 0.5
    return 0.5 * erfc(abs(w @ trunk_means(len(w))) / length / sqrt(2))


def shares(predictions, classes: int) -> np.ndarray:
    """How often each class is predicted for each row, of shape (rows, classes).

    Parameters
    ----------
    predictions : array of int, shape (repeats, rows)
        Class numbers, from 0.
    """
    predictions = np.asarray(predictions)
    return np.stack([(predictions == k).mean(axis=0) for k in range(classes)], axis=1)


def decompose(predictions, truth, posterior=None) -> dict[str, float]:
    """What makes up the error of a method on certain rows, over many training samples.

    For a row x let P(k|x) be the probability of class k, h*(x) the class of the largest one (the
    Bayes rule), Q(k|x) the share of training samples whose forest predicts k, and hbar(x) the class
    of the largest Q, the systematic prediction; of equals the lowest class. As means over rows,

        bias               =  P( hbar(x) != h*(x) )
        variance           =  1 - Q(hbar(x)|x)
        systematic effect  =  P(h*(x)|x) - P(hbar(x)|x)
        variance effect    =  P(hbar(x)|x) - sum over k of P(k|x) Q(k|x)
        Bayes error        =  1 - P(h*(x)|x)

    and the error, 1 - sum over k of P(k|x) Q(k|x), is the sum of the last three. The paper prints
    the bias as P(hbar = h*), its complement; its figure shows the one above. Where classes do not
    overlap, as in sparse parity, P is 0 or 1 and the systematic effect is the bias.

    Parameters
    ----------
    predictions : array of int, shape (repeats, rows)
        What the forest of each training sample predicts for the same rows, as numbers from 0.
    truth : array of int, shape (rows,)
        h*(x): the classes of the rows, where these do not overlap.
    posterior : array of shape (rows, classes), optional
        P(k|x), where classes overlap; its largest values must be those of `truth`. Without it P is
        1 for `truth`.

    Returns
    -------
    parts : dict
        bias, variance, systematic_effect, variance_effect, bayes_error and error.

    >>> parts = decompose([[0, 1, 1], [0, 0, 1], [0, 1, 1]], [0, 0, 1])
    >>> {name: round(part, 3) for name, part in parts.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'bias': 0.333, 'variance': 0.111, 'systematic_effect': 0.333, 'variance_effect': -0.111,
     'bayes_error': 0.0, 'error': 0.222}
    """
    predictions, truth = np.asarray(predictions), np.asarray(truth)
    if predictions.ndim != 2 or predictions.shape[1:] != truth.shape:
        raise ValueError(
            f"predictions {predictions.shape} are not (repeats, rows) of {truth.shape} rows"
        )
    if posterior is None:
        classes = int(max(predictions.max(), truth.max())) + 1
        P = np.eye(classes)[truth]
    else:
        P = np.asarray(posterior, dtype=np.float64)
        if (P.max(axis=1) > P[np.arange(len(truth)), truth]).any():
            raise ValueError("truth is not the most probable class of each row")
    Q = shares(predictions, P.shape[1])
    rows, systematic = np.arange(len(truth)), Q.argmax(axis=1)
    best, of_systematic = P[rows, truth], P[rows, systematic]
    right = (P * Q).sum(axis=1)
    parts = {
        # equals in P are no error: either is what the Bayes rule may say
        "bias": of_systematic < best,
        "variance": 1 - Q[rows, systematic],
        "systematic_effect": best - of_systematic,
        "variance_effect": of_systematic - right,
        "bayes_error": 1 - best,
        "error": 1 - right,
    }
    return {name: float(part.mean()) for name, part in parts.items()}
