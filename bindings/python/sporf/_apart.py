"""A forest of rows that are apart: the loop that both ways of it share, and what they need to
know of the outcomes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import _num_samples

from . import _core, _model, _options
from ._messages import messages_in_python
from ._samplers import Patches

LEAST_BRANCH_ROWS = 1000  # fewer are better sorted than counted


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
class Kinds:
    """What the memory of a training depends on. Properties are bytes for a row of the table."""

    weighted: bool  # rows have weights
    numeric: bool
    stratified: bool
    weighs_classes: bool

    @classmethod
    def of(cls, estimator, sample_weight):
        return cls(
            sample_weight is not None,
            estimator._predicts_numbers,
            estimator.bootstrap == "stratified",
            getattr(estimator, "class_weight", None) is not None,
        )

    @property
    def shard(self) -> int:
        """What each shard has of every row of the table: its place in its class."""
        return 4 * self.stratified

    @property
    def starting(self) -> int:
        """What it takes for a moment to make outcomes of what has travelled."""
        return 0 if self.numeric else 24

    @property
    def outcome(self) -> int:
        """A class or a target, and a weight, as the library has them."""
        return 4 + 8 * self.weighted + 4 * (self.weighted or self.weighs_classes)

    @property
    def packed(self) -> int:
        """The same as they travel, of up to 256 classes."""
        return (4 if self.numeric else 1) + (8 if self.weighted else 0)

    @property
    def tree(self) -> int:
        """What a shard keeps of a row of its own, for each tree that grows."""
        return 16 if self.weighted or self.weighs_classes else 12 if self.numeric else 8


def read_outcomes(estimator: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """The outcomes of all rows as the library has them, what to keep of y, and the weights."""
    data = _core.Dataset.of_outcomes(_num_samples(y))
    outcome = estimator._add_outcome(data, y)
    return data, outcome, estimator._add_weights(data, sample_weight, y)


@dataclass
class Outcomes:
    """Classes or targets, and weights, of all rows, as small as they travel."""

    estimator: Any  # which packs them
    packed: tuple[np.ndarray, ...]
    weights: np.ndarray | None
    rows: int

    @classmethod
    def of(cls, estimator, y, sample_weight):
        """Also the first two of read_outcomes."""
        data, outcome, weights = read_outcomes(estimator, y, sample_weight)
        packed = estimator._pack_outcome(data, outcome)
        return cls(estimator, packed, weights, data.rows), data, outcome

    def dataset(self) -> Any:
        """The outcomes as the library has them, without names."""
        data = _core.Dataset.of_outcomes(self.rows)
        self.estimator._unpack_outcome(data, *self.packed)
        if self.weights is not None:
            data.set_weights(self.weights)
        return data

    @property
    def nbytes(self) -> int:
        arrays = self.packed if self.weights is None else (*self.packed, self.weights)
        return sum(array.nbytes for array in arrays)


@dataclass
class Described:
    """What options depend on: the columns of one table, rows and classes of another."""

    outcomes: Any
    like: Any

    @property
    def rows(self) -> int:
        return self.outcomes.rows

    @property
    def features(self) -> int:
        return self.like.features

    @property
    def class_names(self) -> list[str] | None:
        return self.outcomes.class_names

    def has_levels(self, feature: int) -> bool:
        return self.like.has_levels(feature)
