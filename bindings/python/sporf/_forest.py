"""What the classifier and the regressor share: fitting, tables to predict, persistence."""

import warnings
from os import PathLike
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from . import _core, _options, _tables, _terms
from ._messages import in_python, messages_in_python
from ._progress import Progress
from ._samplers import sampler_of

# Methods that cannot have missing values.
NEED_NUMBERS = ("rr-rf", "ccf")


class SporfForest(BaseEstimator):
    """Base of SporfClassifier and SporfRegressor."""

    # ---- what the two differ in --------------------------------------------------------------

    def _add_outcome(self, data, y):
        """Gives the dataset its labels or targets; returns what to keep of them."""
        raise NotImplementedError

    def _outcome_options(self) -> dict[str, str]:
        raise NotImplementedError

    def _keep_outcome(self, forest, outcome):
        raise NotImplementedError

    _predicts_numbers: bool

    # ---- fitting -----------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the forest.

        Ctrl-C raises KeyboardInterrupt within a second and leaves the forest fitted with the trees
        that were finished, if there are any; all other exceptions leave the estimator as it was.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
            Training rows. float32 arrays in Fortran's order, float32 frames of pandas and Arrow
            tables of float32 are used where they lie; all else is copied once, to single precision.
            NaN and null are missing values. Columns of strings, and of a categorical type, become
            categories.
        y : array of shape (n_samples,) or (n_samples, n_outputs)
            Classes, or numbers; several columns of numbers are predicted at once.
        sample_weight : array of shape (n_samples,), optional
            How often each row counts: as if it were there so often, in the bag, the criterion, the
            leaves and the out-of-bag results. Weights may be fractions.

        Returns
        -------
        self : object
            The fitted forest.
        """
        X, y = validate_data(self, X, y, skip_check_array=True)
        _options.choice("handle_unknown", self.handle_unknown, ("error", "missing"))
        with messages_in_python():
            data = _tables.dataset_of(X, self, self.categorical_features, self._names())
            self.n_features_in_ = data.features
            check_consistent_length(X, y)
            outcome = self._add_outcome(data, y)
            if sample_weight is not None:
                data.set_weights(self._weights(sample_weight, X))
            forest, raised = self._grow(data)
        if forest is not None:
            self._forest = forest
            self._keep_outcome(forest, outcome)
        if raised is not None:
            raise raised
        return self

    def _names(self):
        if hasattr(self, "feature_names_in_"):
            return [str(name) for name in self.feature_names_in_]
        return None

    @staticmethod
    def _weights(sample_weight, X):
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if weights.min() < 0:
            raise ValueError("sample_weight must not be negative")
        return np.ascontiguousarray(weights)

    def _grow(self, data):
        """The forest, and what Ctrl-C or a function of the user's raised; either may be None."""
        options = {
            **_options.options_of(self, data.rows, data.features),
            **self._outcome_options(),
        }
        first = self._trees_to_keep()
        options["seed"] = first.settings["seed"] if first else _options.seed(self.random_state)
        progress = (
            Progress(self.n_estimators, first.trees if first else 0) if self.verbose else None
        )
        try:
            return _core.Forest.train(
                data,
                options,
                self._predicts_numbers,
                progress,
                *sampler_of(self.projection, data),
                first,
            )
        finally:
            if progress:
                progress.close()

    def _trees_to_keep(self):
        """The forest that warm_start goes on with, or None."""
        if not self.warm_start or not hasattr(self, "_forest"):
            return None
        trees = self._forest.trees
        if self.n_estimators < trees:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {trees} trees "
                "that are there when warm_start==True"
            )
        if self.n_estimators == trees:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.",
                stacklevel=3,
            )
        return self._forest

    # ---- predicting --------------------------------------------------------------------------

    def _predict(self, X, what, shape, dtype=np.float64, levels=None):
        """Results of the extension module's `predict` for each row: an array (rows, *shape)."""
        forest = getattr(self, "_forest", None)
        if forest is None:
            check_is_fitted(self)
        # The way of a single row: nothing but an array of the right shape, without names.
        if not (self._plain and _tables.is_matrix(X) and X.shape[1] == forest.features):
            with messages_in_python():
                X = self._table(X, forest)
        rows = X.rows if isinstance(X, _core.Dataset) else X.shape[0]
        out = np.empty((rows, *shape), dtype=dtype)
        posteriors = self.combine == "posteriors"
        threads = 1 if rows == 1 else _options.threads(self.n_jobs)
        try:
            forest.predict(X, what, out, posteriors, threads, levels)
        except ValueError as error:
            raise ValueError(in_python(str(error))) from None
        return out

    def _table(self, X, forest):
        """An array or a Dataset of rows to predict, checked against those of the training."""
        levels = forest.levels
        if not levels and not _tables.is_table(X) and not _tables.is_matrix(X):
            X = _tables.checked_array(X, self)
        validate_data(self, X, reset=False, skip_check_array=True)
        if self.projection in NEED_NUMBERS and _tables.has_missing(X):
            raise ValueError(
                f"X has missing values (NaN), which projection={self.projection!r} cannot have: "
                "fill them in"
            )
        if not levels and _tables.is_matrix(X):
            return X
        categorical = sorted(levels) if levels and not _tables.is_arrow(X) else None
        names = self._names() if _tables.is_table(X) else None
        data = _tables.dataset_of(X, self, categorical, names)
        if levels and self.handle_unknown == "error":
            self._refuse_unknown(forest.unknown_level(data))
        return data

    def _refuse_unknown(self, found):
        if found is None:
            return
        feature, rows, level = found
        names = self._names()
        column = repr(names[feature]) if names else str(feature)
        raise ValueError(
            f"Found unknown categories in column {column}: {level!r}, in {rows} row(s). The model "
            "was trained without it; handle_unknown='missing' takes it as a missing value."
        )

    def apply(self, X: Any) -> np.ndarray:
        """The leaf of each tree that each row ends in.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        leaves : ndarray of uint32, shape (n_samples, n_estimators)
            Leaves are numbered from 0 in each tree.
        """
        check_is_fitted(self)
        return self._predict(X, "leaves", (self._forest.trees,), np.uint32)

    def proximity(self, X: Any, Y: Any = None) -> np.ndarray:
        """How often rows share leaves.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        Y : the same of shape (n_others, n_features), optional
            Rows to compare with; None for those of X.

        Returns
        -------
        proximities : ndarray of shape (n_samples, n_others)
            The share of trees in which two rows end in the same leaf: 1 for equal rows.
        """
        of_X = self.apply(X)
        of_Y = of_X if Y is None else self.apply(Y)
        result = np.empty((len(of_X), len(of_Y)))
        for i, leaves in enumerate(of_X):
            np.mean(leaves == of_Y, axis=1, out=result[i])
        return result

    # ---- what is in it -----------------------------------------------------------------------

    @property
    def n_trees_(self) -> int:
        """Trees in the forest: n_estimators, or fewer where fitting was interrupted."""
        check_is_fitted(self)
        return self._forest.trees

    @property
    def oob_curve_(self) -> np.ndarray:
        """Out-of-bag error of the first 1, 2, ... trees: of classes the share of wrong rows, of
        numbers the root of the mean squared error. NaN while no row was out of bag."""
        check_is_fitted(self)
        curve = self._forest.oob()[3]
        if curve is None:
            raise AttributeError("oob_curve_ needs trees that leave rows out: bootstrap=True")
        return np.frombuffer(curve, np.float64)

    @property
    def feature_importances_(self) -> np.ndarray:
        """How much the splits that look at a feature take away of the impurity, as shares that sum
        to 1; each split shares it out among its features by their weights."""
        check_is_fitted(self)
        return np.frombuffer(self._forest.importances(), np.float64)

    @property
    def projection_importances_(self) -> list[_terms.ProjectionImportance]:
        """The 100 most important projections; see `projection_importances` for more."""
        return self.projection_importances(100)

    def projection_importances(self, n: int = 100) -> list[_terms.ProjectionImportance]:
        """The projections that splits use, the most important first.

        Parameters
        ----------
        n : int, default=100
            How many of them.

        Returns
        -------
        ranked : list of ProjectionImportance
            Each with its importance, number of splits, features, weights and, for people, text.
        """
        check_is_fitted(self)
        return _terms.ranking(self._forest, int(_options.whole("n", n, 1)))

    # ---- files -------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model file, which the command ``sporf`` reads, too.

        Parameters
        ----------
        path : str or path-like
            Where to; an existing file is replaced when the new one is complete.
        """
        check_is_fitted(self)
        self._forest.save(path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a model file, written by ``save`` or by the command ``sporf``.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        forest : SporfClassifier or SporfRegressor
            Fitted, with the parameters of its training.
        """
        from ._persistence import load

        forest = load(path)
        if not isinstance(forest, cls):
            raise ValueError(
                f"{path}: the model is a {type(forest).__name__}, not a {cls.__name__}; "
                "sporf.load takes either"
            )
        return forest

    # ---- scikit-learn ------------------------------------------------------------------------

    @property
    def _plain(self) -> bool:
        """Nothing to check but the shape: no names, no categories, and NaN is allowed."""
        return not (
            hasattr(self, "feature_names_in_")
            or self._forest.has_levels
            or self.projection in NEED_NUMBERS
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_forest")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.projection not in NEED_NUMBERS
        return tags
