"""The problems of the paper, and Friedman's."""

import numpy as np

from . import _core
from ._options import seed, whole


def simulate(
    problem: str, n_samples: int, n_features: int | None = None, *, random_state=None
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a simulated table: one of the paper's problems, or one of Friedman's.

    The numbers are those of ``sporf simulate`` with this seed.

    Parameters
    ----------
    problem : str
        Classification: "sparse-parity", "orthant", "trunk" or "consistency". Regression:
        "friedman1", "friedman2" or "friedman3".
    n_samples : int
        Number of rows.
    n_features : int, optional
        Number of features; None for the usual one.
    random_state : int, RandomState or None, default=None
        The seed.

    Returns
    -------
    X : ndarray of float32, shape (n_samples, n_features), in Fortran order
    y : ndarray of shape (n_samples,)

    Examples
    --------
    >>> from sporf import simulate
    >>> X, y = simulate("trunk", 100, 10, random_state=3)
    >>> X.shape, y.shape
    ((100, 10), (100,))
    """
    rows = int(whole("n_samples", n_samples, 1))
    columns = 0 if n_features is None else int(whole("n_features", n_features, 1))
    data = _core.Dataset.simulate(problem, rows, columns, int(seed(random_state)))
    X = np.empty((rows, data.features), dtype=np.float32, order="F")
    for j in range(data.features):
        X[:, j] = np.frombuffer(data.column(j), np.float32)
    target = data.target()
    if target is not None:
        return X, np.frombuffer(target, np.float32).astype(np.float64)
    labels = np.frombuffer(data.labels() or b"", np.uint32)
    return X, np.array(data.class_names).astype(np.int64)[labels]
