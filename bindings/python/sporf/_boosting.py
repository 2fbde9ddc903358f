"""What the two boosted models share: fitting, early stopping, stages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from . import _core, _options, _tables
from ._losses import adapted
from ._model import SporfModel
from ._progress import Progress
from ._samplers import sampler_of


@dataclass(frozen=True)
class BoostingRound:
    """Where boosting stands after a round: what a callback is called with.

    Attributes
    ----------
    round : int
        The number of rounds so far.
    train_loss, valid_loss : float
        The mean loss of the rows that trees are grown on, and of the rows that are held out; NaN if
        there are none.
    best_round : int
        The round with the smallest loss on held-out rows so far; without such rows the last one.
    """

    round: int
    train_loss: float
    valid_loss: float
    best_round: int


class SporfBoosting(SporfModel):
    """Base of SporfBoostingClassifier and SporfBoostingRegressor."""

    _boosts = True
    combine = "posteriors"
    calibration = "auto"
    max_iter: int
    loss: Any

    # ---- what the two differ in --------------------------------------------------------------

    def _view(self, outcome):
        """How a loss of the user's sees scores, and the truth as it sees it."""
        raise NotImplementedError

    def _check_validation(self, y_val, outcome):
        """Refuses what y does not have."""

    # ---- fitting -----------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
    ) -> Self:
        """Train the model.

        Ctrl-C raises KeyboardInterrupt within a second and leaves the model fitted with the rounds
        so far, if there are any; all other exceptions leave the estimator as it was.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
            Training rows. NaN and null are missing values. Columns of strings, and of a categorical
            type, become categories.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Classes or targets.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts in the loss. The scale does not matter, and rows of weight 0
            are ignored; ``min_samples_leaf`` counts rows, not weights. For counts of repeated rows
            see ``weight_is``.
        X_val, y_val, sample_weight_val : optional
            Rows to stop by, with the columns of X, instead of a share of the rows of X.

        Returns
        -------
        self : object
            The fitted model.
        """
        return self._fit(X, y, sample_weight, sample_weight, X_val, y_val, sample_weight_val)

    def _grow(self, data, outcome, *more):
        sample_weight, *validation = more
        if data.rows < 2:
            raise ValueError("boosting needs several rows, got n_samples = 1")
        first = self._rounds_to_keep()
        seed = first.settings.get("seed") if first else None
        options = {
            **_options.boosting_options_of(self, data, self._names()),
            **self._outcome_options(data, outcome),
            "seed": seed or _options.seed(self.random_state),
        }
        if sample_weight is not None:
            sample_weight = np.broadcast_to(np.asarray(sample_weight, np.float64), data.rows)
        view, truth = self._view(outcome)
        progress = Progress(self.max_iter, "round") if self.verbose else None
        try:
            return _core.Forest.train(
                data,
                options,
                progress,
                *sampler_of(self.projection, data),
                first,
                self._validation_data(data, outcome, *validation),
                adapted(self.loss, view, truth, sample_weight),
                self._after_round(),
            )
        finally:
            if progress:
                progress.close()

    def _keep(self, forest, outcome, search_seconds=0.0):
        self._forest = forest
        self._keep_outcome(forest, outcome)

    def _rounds_to_keep(self):
        """The model that warm_start goes on with, or None."""
        if not self.warm_start or not hasattr(self, "_forest"):
            return None
        if self.max_iter < self.n_iter_:
            raise ValueError(
                f"max_iter={self.max_iter} must be larger or equal to the {self.n_iter_} rounds "
                "that are there when warm_start==True"
            )
        return self._forest

    def _validation_data(self, data, outcome, X, y, sample_weight):
        """The dataset of the rows to stop by, or None."""
        if X is None and y is None and sample_weight is None:
            return None
        if X is None or y is None:
            raise ValueError("rows to stop by need both X_val and y_val")
        if not self.early_stopping:
            raise ValueError("X_val is for early stopping, but early_stopping=False")
        _tables.refuse_lazy(X)
        typed = [j for j in range(data.features) if data.has_levels(j)]
        if not _tables.is_table(X):
            X = _tables.checked_array(X, self, dtype=None if typed else "numeric")
        if _tables.is_arrow(X):
            self._check_arrow_names(_tables.arrow_names(X))
        else:
            validate_data(self, X, reset=False, skip_check_array=True)
        categorical = typed if typed and not _tables.is_arrow(X) else None
        names = self._names() if _tables.is_table(X) else None
        valid = _tables.dataset_of(X, self, categorical, names)
        check_consistent_length(X, y)
        self._check_validation(y, outcome)
        self._add_outcome(valid, y)
        if sample_weight is not None:
            valid.set_weights(self._weights(sample_weight, X))
        return valid

    def _after_round(self):
        """What is called after each round, and returns whether to stop."""
        if not self.callbacks:
            return None
        callbacks = list(self.callbacks)
        for callback in callbacks:
            if not callable(callback):
                raise TypeError(f"callbacks must be functions, got {callback!r}")

        def call(number, train_loss, valid_loss, best):
            at = BoostingRound(number, train_loss, valid_loss, best)
            return sum(bool(callback(at)) for callback in callbacks) > 0

        return call

    # ---- what is in it -----------------------------------------------------------------------

    def _known(self, name):
        check_is_fitted(self)
        return self._forest.boosting()[name]

    def _numbers(self, name):
        return np.frombuffer(self._known(name) or b"", np.float64).copy()

    @property
    def n_iter_(self) -> int:
        """Number of rounds that the model has: up to the best one."""
        return self._known("rounds")

    @property
    def n_trees_per_iteration_(self) -> int:
        """Number of trees of a round: one for each output and bag."""
        return self._known("outputs") * self._known("bags")

    @property
    def train_score_(self) -> np.ndarray:
        """Mean loss of the rows that trees are grown on after each round, those after the best one
        included. Less is better."""
        return self._numbers("train_losses")

    @property
    def validation_score_(self) -> np.ndarray:
        """The same for the rows that are held out; empty if there are none."""
        return self._numbers("valid_losses")

    # ---- stages ------------------------------------------------------------------------------

    def _staged_scores(self, X) -> Iterator[np.ndarray]:
        """The scores of the rows after each round, as the library adds them up: an array (rows,
        outputs)."""
        leaves = self._leaves(X)
        starts, values = (
            np.frombuffer(part, kind)
            for part, kind in zip(self._forest.leaf_values(), ("u8", "f4"), strict=True)
        )
        bags, outputs, base = self._known("bags"), self._known("outputs"), self._numbers("base")
        sums = np.zeros((len(leaves), outputs))
        for tree, start in enumerate(starts.tolist(), 1):
            sums[:, (tree - 1) % outputs] += values[leaves[:, tree - 1] + start]
            if tree % (outputs * bags) == 0:
                yield base + sums / bags

    def _staged(
        self, X, finish: Callable[[Any], np.ndarray], whole: Callable[[Any], np.ndarray]
    ) -> Iterator[np.ndarray]:
        """What becomes of the scores of each stage; of the last one what the model predicts."""
        rounds = self.n_iter_
        for number, scores in enumerate(self._staged_scores(X), 1):
            yield finish(scores) if number < rounds else whole(X)
