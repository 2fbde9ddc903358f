"""How candidate projections are drawn, where a name does not say it: patches, and functions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse


@dataclass(frozen=True)
class Patches:
    """Sums over windows of a series, or over rectangles of an image.

    For ``projection``, if neighbouring features belong together: pixels, spectra, time series.

    Parameters
    ----------
    image_width : int, optional
        Number of features in one line of the image, stored line by line; None for a series.
    min_size, max_size : int, default=1 and 5
        Smallest and largest length of a patch's sides, in features.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sporf import Patches, SporfClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> patches = Patches(image_width=8, max_size=4)
    >>> forest = SporfClassifier(projection=patches, random_state=0).fit(X[:1000], y[:1000])
    >>> bool(forest.score(X[1000:], y[1000:]) > 0.9)
    True
    """

    image_width: int | None = None
    min_size: int = 1
    max_size: int = 5

    def options(self) -> dict[str, str]:
        """In the words of the library."""
        return {
            "image-width": str(self.image_width or 0),
            "patch-min": str(self.min_size),
            "patch-max": str(self.max_size),
        }


class Node:
    """The node that a sampler written in Python draws candidates for.

    Attributes
    ----------
    tree, depth : int
        The index of the tree and the depth of the node, both from 0.
    n_features : int
        Number of features.
    rows : ndarray of uint32
        The rows of the table that are in the node.
    weights : ndarray of uint32
        How often each of them counts.
    y : ndarray of uint32 or None
        The class of each of them, as an index in the order of the model file: that of ``classes_``,
        except that strings of integers are sorted by value. None in regression.
    X : ndarray of float32, shape (rows, n_features)
        Their values, copied on access.
    """

    def __init__(self, dataset, tree, depth, rows, y, weights):
        self._dataset = dataset
        self.tree = tree
        self.depth = depth
        self.n_features = dataset.features
        self.rows = np.frombuffer(rows, np.uint32)
        self.weights = np.frombuffer(weights, np.uint32)
        self.y = np.frombuffer(y, np.uint32) if dataset.classes else None

    @cached_property
    def X(self) -> np.ndarray:
        return np.column_stack([self.column(j) for j in range(self.n_features)])

    def column(self, feature: int) -> np.ndarray:
        """The values of one feature."""
        return np.frombuffer(self._dataset.column(feature), np.float32)[self.rows]


def _of_pairs(pairs):
    starts, features, weights = [0], [], []
    for some_features, some_weights in pairs:
        features.extend(np.atleast_1d(some_features))
        weights.extend(np.atleast_1d(some_weights))
        if len(features) != len(weights):
            raise ValueError(
                f"projection {len(starts) - 1} of the sampler has not as many weights as features"
            )
        starts.append(len(features))
    return starts, features, weights


def _three_arrays(answer):
    """Rows of a dense or sparse matrix, or pairs, as the extension module takes them."""
    if sparse.issparse(answer):
        rows = answer.tocsr()
        starts, features, weights = rows.indptr, rows.indices, rows.data
    elif isinstance(answer, np.ndarray):
        rows = sparse.csr_array(np.atleast_2d(answer))
        starts, features, weights = rows.indptr, rows.indices, rows.data
    elif answer is None:
        raise TypeError("the sampler returned None: return a matrix, or a list of pairs")
    else:
        starts, features, weights = _of_pairs(answer)
    features = np.asarray(features)
    if features.size and features.dtype.kind not in "iu":
        raise ValueError("the sampler names features by numbers that are not whole")
    if features.size and not 0 <= features.min() <= features.max() < 2**32:
        raise ValueError("the sampler names a feature that is not there; they count from 0")
    return (
        np.ascontiguousarray(starts, dtype=np.int64),
        np.ascontiguousarray(features, dtype=np.uint32),
        np.ascontiguousarray(weights, dtype=np.float32),
    )


def sampler_of(projection: Any, dataset) -> tuple[Callable | None, str]:
    """What the extension module calls in each node, and its name in the model; None for methods of
    the library."""
    if isinstance(projection, (str, Patches)):
        return None, ""

    def draw(seed, tree, depth, rows, y, weights):
        node = Node(dataset, tree, depth, rows, y, weights)
        return _three_arrays(projection(node, np.random.default_rng(seed)))

    return draw, getattr(projection, "__name__", type(projection).__name__)
