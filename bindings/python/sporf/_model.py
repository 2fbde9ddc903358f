"""What all estimators share: fitting, tables to predict, importances, files."""

import inspect
from contextlib import suppress
from os import PathLike, fspath
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from . import _core, _explain, _options, _report, _tables, _terms
from ._dependence import DependenceMixin
from ._messages import REFUSALS, in_python, messages_in_python, warn
from ._settings import class_values, kind_of, parameters_of, read_model
from ._trees import TreesMixin

UNKNOWN = ("warn", "missing", "error")


MOST_STEPS = 10**9


class SporfModel(DependenceMixin, TreesMixin, BaseEstimator):
    """Base of forests and of boosted models."""

    # ---- what they differ in -----------------------------------------------------------------

    def _add_outcome(self, data, y):
        """Gives the dataset its labels or targets; returns what to keep of them."""
        raise NotImplementedError

    def _pack_outcome(self, data, outcome) -> tuple[np.ndarray, ...]:
        """The labels or targets of a dataset, as small as they travel."""
        raise NotImplementedError

    def _unpack_outcome(self, data, *packed):
        """Gives a dataset these labels or targets, which are known to be good."""
        raise NotImplementedError

    def _outcome_options(self, data, outcome) -> dict[str, str]:
        raise NotImplementedError

    def _keep_outcome(self, forest, outcome):
        raise NotImplementedError

    def _grow(self, data, outcome, *more):
        """The model, and what Ctrl-C or a function of the user's raised, either of which may be
        None; and the seconds that pilot forests took."""
        raise NotImplementedError

    def _keep(self, forest, outcome, search_seconds=0.0):
        """Sets the attributes of a fitted estimator."""
        raise NotImplementedError

    _predicts_numbers: bool
    _boosts: bool

    # ---- fitting -----------------------------------------------------------------------------

    def _fit(self, X, y, sample_weight, *more):
        """Ctrl-C leaves the estimator fitted with what was finished; all other exceptions leave it
        as it was."""
        before = dict(self.__dict__)
        raised = None
        try:
            data, outcome = self._read(X, y, sample_weight)
            with messages_in_python():
                (forest, raised), seconds = self._grow(data, outcome, *more)
            if raised is None:
                self._keep(forest, outcome, seconds)
            elif forest and isinstance(raised, KeyboardInterrupt):
                with suppress(Exception):  # of a metric of the user's
                    self._keep(forest, outcome, seconds)
            else:
                self.__dict__ = before
        except BaseException:
            self.__dict__ = before
            raise
        try:
            if raised is not None:
                raise raised
        finally:
            del raised  # or its traceback would keep X until the next collection
        return self

    def _read(self, X, y, sample_weight):
        """The dataset of a table, and what to keep of y."""
        _tables.refuse_lazy(X)
        X, y = validate_data(self, X, y, skip_check_array=True)
        if _tables.is_arrow(X):
            self.feature_names_in_ = np.array(_tables.arrow_names(X), dtype=object)
        _options.choice("handle_unknown", self.handle_unknown, UNKNOWN)
        with messages_in_python():
            data = _tables.dataset_of(
                X, self, self.categorical_features, self._names(), fitting=True
            )
            self.n_features_in_ = data.features
            check_consistent_length(X, y)
            outcome = self._add_outcome(data, y)
            self._add_weights(data, sample_weight, X)
        return data, outcome

    def _names(self):
        if hasattr(self, "feature_names_in_"):
            return [str(name) for name in self.feature_names_in_]
        return None

    def _add_weights(self, data, sample_weight, rows):
        """Gives the dataset its weights, if there are any; `rows` is a table of as many rows.
        Returns them as an array, or None."""
        if sample_weight is None:
            return None
        weights = self._weights(sample_weight, rows)
        data.set_weights(weights)
        if isinstance(getattr(sample_weight, "name", None), str):
            data.set_weight_name(sample_weight.name)
        return weights

    @staticmethod
    def _weights(sample_weight, X):
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if weights.min() < 0:
            raise ValueError("sample_weight must not be negative")
        return np.require(weights, requirements="CA")

    # ---- predicting --------------------------------------------------------------------------

    def _predict(self, X, what, shape, dtype=np.float64, levels=None, tree=0):
        """Results of the extension module's `predict` for each row: an array (rows, *shape)."""
        forest = getattr(self, "_forest", None)
        if forest is None:
            check_is_fitted(self)
        if _tables.is_sparse(X):
            validate_data(self, X, reset=False, skip_check_array=True)
            blocks = (
                self._predict(block, what, shape, dtype, levels, tree)
                for block in _tables.dense_blocks(X)
            )
            return np.concatenate(list(blocks))
        # The way of a single row: nothing but an array of the right shape, without names.
        if not (self._plain and _tables.is_matrix(X) and X.shape[1] == forest.features):
            with messages_in_python():
                X = self._table(X, forest)
        rows = X.rows if isinstance(X, _core.Dataset) else X.shape[0]
        out = np.empty((rows, *shape), dtype=dtype)
        posteriors = self.combine == "posteriors"
        if not posteriors:
            _options.choice("combine", self.combine, ("posteriors", "votes"))
        raw = self.calibration != "auto"
        if raw:
            _options.choice("calibration", self.calibration, ("auto", "none"))
        threads = 1 if rows == 1 else _options.threads(self.n_jobs)
        device = getattr(self, "device", "auto")
        if device != "auto":
            _options.choice("device", device, ("auto", "cpu", "gpu"))
        try:  # messages_in_python would cost a single row a microsecond
            forest.predict(X, what, out, posteriors, threads, levels, raw, tree, device)
        except REFUSALS as error:
            raise in_python(error) from None
        return out

    def _table(self, X, forest):
        """An array or a Dataset of rows to predict, checked against those of the training."""
        _options.choice("handle_unknown", self.handle_unknown, UNKNOWN)
        _tables.refuse_lazy(X)
        typed = forest.typed_features
        if not _tables.is_table(X) and not _tables.is_matrix(X):
            X = _tables.checked_array(X, self, dtype=None if typed else "numeric")
        if _tables.is_arrow(X):
            self._check_arrow_names(_tables.arrow_names(X))
        else:
            validate_data(self, X, reset=False, skip_check_array=True)
        values = _tables.floats_of(X) if _tables.is_frame(X) and not typed else X
        if _tables.is_matrix(values) and not typed:
            if forest.needs_numbers and np.isnan(values).any():
                self._refuse_missing()
            return values
        categorical = typed if typed and not _tables.is_arrow(X) else None
        names = self._names() if _tables.is_table(X) else None
        data = _tables.dataset_of(X, self, categorical, names)
        if forest.needs_numbers and data.missing_column() is not None:
            self._refuse_missing()
        if typed and self.handle_unknown != "missing":
            self._tell_of_unknown(forest.unknown_levels(data))
        return data

    def _check_arrow_names(self, names):
        """As scikit-learn does, some versions of which do not know these tables."""
        wanted = self._names()
        if wanted is None or names == wanted:
            return
        missing = [name for name in wanted if name not in names]
        other = [name for name in names if name not in wanted]
        raise ValueError(
            "The feature names should match those that were passed during fit.\n"
            + (f"Feature names seen at fit time, yet now missing: {missing}\n" if missing else "")
            + (f"Feature names unseen at fit time: {other}\n" if other else "")
            + ("" if missing or other else "Feature names must be in the same order as in fit.\n")
        )

    def _refuse_missing(self):
        raise ValueError(
            f"X has missing values (NaN), which a forest of projection "
            f"{self._forest.settings['method']!r} cannot have: fill them in"
        )

    def _tell_of_unknown(self, found):
        """Refuses levels that training did not have, or warns of them."""
        if not found:
            return
        feature, rows, level = found[0]
        names = self._names()
        column = repr(names[feature]) if names else str(feature)
        others = f", and in {len(found) - 1} other column(s)" if len(found) > 1 else ""
        what = f"Found unknown categories in column {column}: {level!r}, in {rows} row(s){others}."
        if self.handle_unknown == "error":
            raise ValueError(
                f"{what} The model was trained without them; handle_unknown='warn' or 'missing' "
                "takes them as missing values."
            )
        warn(
            f"{what} They are taken as missing values. handle_unknown='missing' silences this "
            "warning, 'error' raises an error."
        )

    # ---- what is in it -----------------------------------------------------------------------

    @property
    def n_trees_(self) -> int:
        """Number of trees."""
        check_is_fitted(self)
        return self._forest.trees

    @property
    def settings_(self) -> dict[str, str]:
        """The settings of the model, under the names of the command's options, including those
        that were chosen, such as ``"projections"`` if ``max_features`` was None."""
        check_is_fitted(self)
        return self._forest.settings

    @property
    def feature_importances_(self) -> np.ndarray:
        """Mean decrease in impurity, as shares that sum to 1; each split divides its decrease
        among its features by their weights."""
        check_is_fitted(self)
        return np.frombuffer(self._forest.importances(), np.float64).copy()

    @property
    def projection_importances_(self) -> list[_terms.ProjectionImportance]:
        """The 100 most important projections; see `projection_importances` for more."""
        return self.projection_importances(100)

    def projection_importances(self, n: int = 100) -> list[_terms.ProjectionImportance]:
        """The projections that splits use, the most important first.

        Parameters
        ----------
        n : int, default=100
            How many to return.

        Returns
        -------
        ranked : list of ProjectionImportance
            Each with its importance, number of splits, features, weights and readable text.
        """
        check_is_fitted(self)
        return _terms.ranking(self._forest, int(_options.whole("n", n, 1)))

    def _explained(self) -> _explain.Outputs:
        """What is explained."""
        raise NotImplementedError

    def explain(
        self,
        X: Any,
        background: Any = None,
        *,
        projections: int = 0,
        steps: int = 1_000_000,
        random_state: Any = 1,
    ) -> _explain.Explanation:
        """How much each feature adds to the predictions of rows: their Shapley values.

        The rows are compared with background rows (interventional Shapley values). The values of a
        row, with the base value, add up to what is explained: shares of votes, or of leaves if
        ``combine`` is "posteriors", which are not calibrated; values of targets; or the scores of a
        boosted model. Values are exact for splits of several features, categories and missing
        values, too.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
            Rows to explain.
        background : the same of shape (n_others, n_features), optional
            Rows to compare with; time grows with their number. None for 100 rows drawn from X, or
            all if there are fewer.
        projections : int, default=0
            If positive, values of that many projections, the most important of the forest, and of
            all others together, in place of those of features.
        steps : int, default=1_000_000
            Steps in a tree with a row and 64 background rows. Where more are needed, values are
            estimated there from random orders of the features; they still add up.
        random_state : int, RandomState instance or None, default=1
            Seed of the background rows drawn from X, and of these orders.

        Returns
        -------
        explanation : Explanation
            With the arrays of ``shap.Explanation``; ``explanation.to_shap()`` is one.
        """
        check_is_fitted(self)
        _options.choice("combine", self.combine, ("posteriors", "votes"))
        count = int(_options.whole("projections", projections, 0))
        most = int(_options.whole("steps", steps, 1))
        if most > MOST_STEPS:
            raise ValueError(f"steps must be an integer from 1 to {MOST_STEPS}, got {steps}")
        return _explain.explain(self, X, background, count, most, random_state)

    def report(
        self,
        X: Any = None,
        y: Any = None,
        path: str | PathLike | None = None,
        *,
        sample_weight: Any = None,
        compare: Any = None,
        name: str | None = None,
        title: str | None = None,
        random_state: Any = 0,
    ) -> _report.Report:
        """A page of HTML on the model, which notebooks show.

        Without data: settings, the out-of-bag error, importances and projections. With data also
        distributions, scores with curves, calibration, dependence on features and single rows. The
        page has no scripts and needs no network.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features), optional
            Rows to look at.
        y : array of shape (n_samples,) or (n_samples, n_outputs), optional
            Their classes or targets, for scores. If X and y are those of ``fit``, each row is
            scored by the trees that did not see it.
        path : str or path-like, optional
            File to write.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts in the scores.
        compare : sequence of fitted models, or dict of names and models, optional
            Models to compare with, at most seven, which predict the same classes or targets.
        name : str, optional
            Name of this model; None for that of its class.
        title : str, optional
            Title of the page.
        random_state : int, RandomState instance or None, default=0
            Seed of samples and intervals.

        Returns
        -------
        report : Report
            ``report.save(path)`` writes it to a file.
        """
        check_is_fitted(self)
        return _report.report(self, X, y, path, sample_weight, compare, name, title, random_state)

    # ---- files -------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Write a model file, which the command ``sporf`` can read, too.

        Parameters
        ----------
        path : str or path-like
            The file to write; an existing file is replaced only when the new one is complete.
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
        estimator : object
            Fitted, with the parameters of its training.
        """
        forest = read_model(path)
        found = kind_of(forest)
        if found != (cls._boosts, cls._predicts_numbers):
            name = ("SporfBoosting" if found[0] else "Sporf") + (
                "Regressor" if found[1] else "Classifier"
            )
            raise ValueError(
                f"{path}: the model is a {name}, not a {cls.__name__}; sporf.load takes any"
            )
        return cls._restore(forest, path)

    @classmethod
    def _restore(cls, forest: _core.Forest, path: str | PathLike[str]) -> Self:
        """An estimator with the parameters and the attributes of a forest that was read."""
        try:
            estimator = cls(**parameters_of(forest))
        except ValueError as error:
            raise ValueError(f"{fspath(path)!r}: {error}") from None
        estimator._forest = forest
        estimator.n_features_in_ = forest.features
        names = forest.feature_names
        if names is not None:
            estimator.feature_names_in_ = np.array(names, dtype=object)
        estimator.n_outputs_ = len(forest.label_columns) or forest.targets or 1
        if forest.label_columns:
            estimator.classes_ = [class_values(names) for _, names in forest.label_columns]
            estimator.n_classes_ = [len(names) for _, names in forest.label_columns]
            estimator._order = None
        elif not forest.targets:
            estimator.classes_ = class_values(forest.class_names)
            estimator.n_classes_ = forest.classes
            estimator._order = None
        return estimator

    def __setstate__(self, state):
        """Of a pickle that an earlier version wrote: parameters that it did not know are the
        default ones."""
        super().__setstate__(state)
        for name, parameter in inspect.signature(type(self)).parameters.items():
            if parameter.default is not parameter.empty:
                self.__dict__.setdefault(name, parameter.default)

    # ---- scikit-learn ------------------------------------------------------------------------

    @property
    def _plain(self) -> bool:
        """Nothing to check but the shape: no names, no categories, and NaN is allowed."""
        return not (
            hasattr(self, "feature_names_in_")
            or self._forest.has_levels
            or self._forest.needs_numbers
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_forest")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        method = _core.methods.get(self.projection) if isinstance(self.projection, str) else None
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = not (method and method["needs_numbers"])
        return tags
