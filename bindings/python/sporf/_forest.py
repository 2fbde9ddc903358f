"""What the two forests share: fitting, and measures on out-of-bag rows."""

from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core, _options
from ._importance import ImportanceMixin
from ._messages import messages_in_python, warn
from ._model import SporfModel
from ._progress import Progress
from ._samplers import sampler_of


class SporfForest(ImportanceMixin, SporfModel):
    """Base of SporfClassifier and SporfRegressor."""

    _boosts = False

    def _keep_oob(self, forest, outcome):
        raise NotImplementedError

    # ---- fitting -----------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the forest.

        Ctrl-C raises KeyboardInterrupt within a second and leaves the forest fitted with the trees
        that were finished, if there are any; all other exceptions leave the estimator as it was.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
            Training rows. float32 arrays in Fortran order, float32 frames of pandas and Arrow
            tables of float32 are used in place; others are copied once, to single precision.
            NaN and null are missing values. Columns of strings, and of a categorical type, become
            categories.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Classes or targets; several columns are predicted together.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts in the criterion, the leaves and the out-of-bag results. The
            scale does not matter, and rows of weight 0 are ignored; ``bootstrap``,
            ``min_samples_split`` and ``min_samples_leaf`` count rows, not weights. For counts of
            repeated rows see ``weight_is``.

        Returns
        -------
        self : object
            The fitted forest.
        """
        return self._fit(X, y, sample_weight)

    def _keep(self, forest, outcome, search_seconds=0.0):
        self._forest = forest
        self.search_seconds_ = search_seconds
        self._keep_outcome(forest, outcome)
        if self.oob_score:
            self._keep_oob(forest, outcome)

    def _training_options(self, data, outcome):
        """All settings but the seed, as the library's options."""
        options = {
            **_options.options_of(self, data),
            **self._outcome_options(data, outcome),
        }
        self._refuse_oob(options)
        return options

    def _grow(self, data, outcome, *more):
        options = self._training_options(data, outcome)
        first = self._trees_to_keep()
        seed = first.settings.get("seed") if first else None
        options["seed"] = seed or _options.seed(self.random_state)
        progress = self._progress(first.trees if first else 0)
        try:
            return _core.Forest.train(
                data,
                options,
                progress,
                *sampler_of(self.projection, data),
                first,
            )
        finally:
            if progress:
                progress.close()

    def _progress(self, kept):
        if not self.verbose:
            return None
        if self.n_estimators == "auto":
            return Progress(None)
        return Progress(self.n_estimators - kept) if self.n_estimators > kept else None

    def _refuse_oob(self, options):
        has_bags = options["bag"] != "none"
        if options["bag"] == "auto" and "method" in options:
            has_bags = _core.methods[options["method"]]["has_bags"]
        if self.oob_score and not has_bags:
            raise ValueError(
                "Out of bag estimation only available if bootstrap=True, 'stratified' or "
                "'subsample': oob_score needs trees that leave rows out"
            )

    @staticmethod
    def _warn_of_unseen(unseen):
        if unseen:
            warn(
                f"Some inputs do not have OOB scores: {unseen} row(s) are in every tree. Grow more "
                "trees."
            )

    def _trees_to_keep(self):
        """The forest that warm_start goes on with, or None."""
        if not self.warm_start or not hasattr(self, "_forest"):
            return None
        trees = self._forest.trees
        if self.n_estimators == "auto":
            return self._forest
        if self.n_estimators < trees:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {trees} trees "
                "that are there when warm_start==True"
            )
        if self.n_estimators == trees:
            warn("Warm-start fitting without increasing n_estimators does not fit new trees.")
        return self._forest

    # ---- measures ----------------------------------------------------------------------------

    @property
    def oob_curve_(self) -> np.ndarray:
        """Out-of-bag error of the first 1, 2, ... trees: the error rate, or in regression the root
        mean squared error. NaN while no row is out of bag."""
        check_is_fitted(self)
        curve = self._forest.oob()[3]
        if curve is None:
            raise AttributeError("oob_curve_ needs trees that leave rows out: bootstrap=True")
        return np.frombuffer(curve, np.float64).copy()

    def proximity(self, X: Any, Y: Any = None) -> np.ndarray:
        """How often rows share leaves.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        Y : the same of shape (n_others, n_features), optional
            Rows to compare with; None for the rows of X.

        Returns
        -------
        proximities : ndarray of shape (n_samples, n_others)
            The share of trees in which two rows end in the same leaf: 1 for equal rows.
        """
        of_X = self._leaves(X)
        of_Y = of_X if Y is None else self._leaves(Y)
        result = np.empty((len(of_X), len(of_Y)))
        for i, leaves in enumerate(of_X):
            np.mean(leaves == of_Y, axis=1, out=result[i])
        return result

    def estimators_samples(self, X: Any, y: Any, sample_weight: Any = None) -> list[np.ndarray]:
        """The rows that were drawn for each tree.

        scikit-learn has the attribute ``estimators_samples_``. A forest does not keep its training
        rows, so it needs them again.

        Parameters
        ----------
        X, y, sample_weight
            The same as in ``fit``, with the rows in the same order; others are refused.

        Returns
        -------
        rows : list of ndarray of int64
            For each tree the numbers of its rows, ascending, each as often as it was drawn. Both
            parts of an honest tree's rows are included.
        """
        bags = self._bags(X, y, sample_weight)
        return [np.repeat(np.arange(len(counts)), counts) for counts in bags]

    def oob_samples(self, X: Any, y: Any, sample_weight: Any = None) -> list[np.ndarray]:
        """The rows that each tree was grown without.

        Parameters
        ----------
        X, y, sample_weight
            The same as in ``fit``, with the rows in the same order; others are refused.

        Returns
        -------
        rows : list of ndarray of int64
            For each tree the numbers of its out-of-bag rows, ascending. Forests without any are
            refused.
        """
        return [np.flatnonzero(counts == 0) for counts in self._bags(X, y, sample_weight)]

    def _bags(self, X, y, sample_weight):
        """How often each row was drawn for each tree, (trees, rows)."""
        data = self._training_data(X, y, sample_weight)
        threads = _options.threads(self.n_jobs)
        with messages_in_python():
            bags = np.frombuffer(self._forest.bags(data, threads), np.uint32)
        return bags.reshape(-1, data.rows)
