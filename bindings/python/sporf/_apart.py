"""A forest of rows that are apart: the loop that both ways of it share, and what they need to
know of the outcomes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from . import _core, _model, _options
from ._messages import messages_in_python
from ._samplers import Patches

LEAST_BRANCH_ROWS = 1000  # fewer are better sorted than counted
ROW_OF_TREE = 8  # bytes that a shard keeps for a row of a tree that grows; twice with weights


def run(crown: Any, answers: Any, branches: Any, progress: Any) -> None:
    """Grows all trees. answers(question) are those of all shards; branches(numbers) grows some
    branches and has the crown take them."""
    with messages_in_python():
        while True:
            question = crown.ask()
            if question is not None:
                crown.hear(answers(question), progress)
            elif crown.branches():
                branches(range(crown.branches()))
                if progress:
                    progress(crown.trees)
            else:
                return


def refuse(estimator: Any) -> None:
    """Refuses what the library does not get to see."""
    if not isinstance(estimator.projection, (str, Patches)):
        raise ValueError(
            "rows on several machines, or in a file, cannot be used with an own sampler as "
            "projection: it looks at all rows of a node. Use the plain estimator"
        )
    _options.choice("handle_unknown", estimator.handle_unknown, _model.UNKNOWN)


@dataclass
class Outcomes:
    """Classes and weights of all rows, as small as they travel."""

    estimator: Any  # which knows how classes are named
    classes: np.ndarray
    index: np.ndarray
    weights: np.ndarray | None
    label_name: str | None
    weight_name: str | None

    @classmethod
    def of(cls, estimator, y, sample_weight):
        names = [getattr(given, "name", None) for given in (y, sample_weight)]
        y = column_or_1d(y, warn=True)
        data = _core.Dataset.of_outcomes(len(y))
        classes, index, _ = outcome = estimator._add_outcome(data, y)
        small = np.min_scalar_type(max(len(classes) - 1, 1))
        weights = None
        if sample_weight is not None:
            weights = estimator._weights(sample_weight, y)
        made = cls(estimator, classes, index.astype(small), weights, *names)
        made._add_rest(data)
        return made, data, outcome

    def _add_rest(self, data):
        if isinstance(self.label_name, str):
            data.set_label_name(self.label_name)
        if self.weights is not None:
            data.set_weights(self.weights)
            if isinstance(self.weight_name, str):
                data.set_weight_name(self.weight_name)

    def dataset(self) -> Any:
        """The outcomes as the library has them."""
        data = _core.Dataset.of_outcomes(len(self.index))
        self.estimator._add_outcome(data, self.classes.take(self.index))
        self._add_rest(data)
        return data

    @property
    def nbytes(self) -> int:
        return self.index.nbytes + (0 if self.weights is None else self.weights.nbytes)


def matrix_of(parts: Any, features: int) -> np.ndarray:
    """Rows of arrays and frames of numbers, one below the other, in single precision and column by
    column, as shards use them in place."""
    matrix = np.empty((sum(map(len, parts)), features), dtype=np.float32, order="F")
    start = 0
    for part in parts:
        end = start + len(part)
        with np.errstate(over="ignore"):  # what is too large is refused with its place
            if hasattr(part, "iloc"):
                for j in range(features):
                    column = part.iloc[:, j]
                    matrix[start:end, j] = column.to_numpy(dtype=np.float32, na_value=np.nan)
            else:
                matrix[start:end] = part
        start = end
    return matrix


@dataclass
class Described:
    """What options depend on: the columns of one table, rows and classes of another."""

    rows: int
    features: int
    class_names: list[str] | None

    @classmethod
    def of(cls, outcomes, like):
        return cls(outcomes.rows, like.features, outcomes.class_names)

    def has_levels(self, feature: int) -> bool:
        """All columns are numbers."""
        return False


def like_of(matrix: np.ndarray, names: list[str] | None) -> Any:
    """A table with the columns of the others."""
    data = _core.Dataset.from_matrix(np.asfortranarray(matrix[:1], dtype=np.float32))
    if names:
        data.set_feature_names(names)
    return data
