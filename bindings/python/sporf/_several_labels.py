"""Several labels of each row, as scikit-learn's forests have them."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.class_weight import compute_sample_weight

from . import _core
from ._classes import Classes
from ._explain import Outputs


class Several(NamedTuple):
    """What is kept of y with several columns: of each its classes, each row's index among them, and
    the library's order of them."""

    columns: list[tuple[np.ndarray, np.ndarray, np.ndarray]]

    def labels(self, rows=slice(None)) -> np.ndarray:
        return _table([classes[index[rows]] for classes, index, _ in self.columns])


class SeveralLabels(Classes):
    """A classifier whose y may have several columns."""

    _takes_several = True
    combine: str
    projection: Any
    cost: Any
    recall: Any

    @property
    def _has_several(self) -> bool:
        return isinstance(getattr(self, "classes_", None), list)

    def _refuse_several(self, what):
        if self._has_several:
            raise ValueError(f"{what} is for one label, but the forest predicts {self.n_outputs_}")

    # ---- fitting -----------------------------------------------------------------------------

    def _read(self, X, y, sample_weight):
        data, outcome = super()._read(X, y, sample_weight)
        if isinstance(outcome, Several) and self.class_weight is not None:
            self._weigh_classes(data, outcome, sample_weight, X)
        return data, outcome

    def _weigh_classes(self, data, outcome, sample_weight, X):
        """The weights of the classes of a row are multiplied, as in scikit-learn."""
        if self.class_weight == "balanced_subsample":
            raise ValueError("class_weight='balanced_subsample' is not supported; use 'balanced'")
        weights = compute_sample_weight(self.class_weight, outcome.labels())
        if sample_weight is not None:
            weights = weights * self._weights(sample_weight, X)
        data.set_weights(np.require(weights, np.float64, "CA"))

    def _add_outcome(self, data, y):
        if sparse.issparse(y):
            raise ValueError("sparse multilabel-indicator for y is not supported.")
        shape = y.shape if hasattr(y, "iloc") else np.asarray(y).shape
        if len(shape) != 2 or shape[1] == 1:
            return super()._add_outcome(data, y)
        if shape[1] == 0:
            raise ValueError("y has no columns")
        if not self._takes_several:
            raise ValueError("y has several columns, which only sporf.SporfClassifier takes")
        return Several([self._add_column(data, column) for column in _columns_of(y)])

    def _add_column(self, data, column):
        added = super()._add_outcome(data, column)
        data.add_label_column()
        return added

    def _options_of_several(self) -> dict[str, str]:
        for name, given in (("cost", self.cost), ("recall", self.recall)):
            if given is not None:
                raise ValueError(f"{name} is for one label, but y has several columns")
        self._check_combine()
        return {"class-weights": "none"}

    def _check_combine(self):
        if self.combine != "posteriors":
            raise ValueError(
                "combine must be 'posteriors' for several labels: class shares of the leaves are "
                f"averaged, got {self.combine!r}"
            )

    def _keep_outcome(self, forest, outcome):
        if not isinstance(outcome, Several):
            super()._keep_outcome(forest, outcome)
            return
        self.classes_ = [classes for classes, _, _ in outcome.columns]
        self.n_classes_ = [len(classes) for classes in self.classes_]
        self.n_outputs_ = len(self.classes_)
        self._order = [order for _, _, order in outcome.columns]

    def _keep_oob_of_several(self, forest, outcome):
        shares = np.frombuffer(forest.oob_predictions(), np.float64)
        shares = self._shares(shares.reshape(len(outcome.columns[0][1]), -1))
        seen = ~np.isnan(shares[0][:, 0])
        self._warn_of_unseen(int((~seen).sum()))
        alike = len(set(self.n_classes_)) == 1
        self.oob_decision_function_ = np.stack(shares, axis=-1) if alike else shares
        if callable(self.oob_score):
            predicted = [
                classes[share[seen].argmax(axis=1)]
                for classes, share in zip(self.classes_, shares, strict=True)
            ]
            self.oob_score_ = float(self.oob_score(outcome.labels(seen), _table(predicted)))
        else:
            self.oob_score_ = 1 - float(np.frombuffer(forest.oob_labels(), np.float64)[-1])

    # ---- predicting --------------------------------------------------------------------------

    def _shares(self, values):
        """The shares of classes, of each label in the order of its classes."""
        ends = np.cumsum(self.n_classes_)[:-1]
        shares = np.split(values, ends, axis=1)
        if self._order is None:
            return shares
        return [share[:, order] for share, order in zip(shares, self._order, strict=True)]

    def _classes_of_shares(self, shares):
        """The class with the largest share, of each label."""
        pairs = zip(self.classes_, shares, strict=True)
        return _table([classes[share.argmax(axis=1)] for classes, share in pairs])

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        if not self._has_several:
            return super().predict(X)
        self._check_combine()
        index = self._predict(X, "label_classes", (self.n_outputs_,), np.uint32)
        columns = []
        for k, classes in enumerate(self.classes_):
            places = np.arange(len(classes)) if self._order is None else np.argsort(self._order[k])
            columns.append(classes[places[index[:, k]]])
        return _table(columns)

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes), or a list of n_outputs such arrays
            In the order of ``classes_``.
        """
        if not self._has_several:
            return super().predict_proba(X)
        self._check_combine()
        return self._shares(self._predict(X, "values", (sum(self.n_classes_),)))

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of the probability of each class for each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes), or a list of n_outputs such arrays
        """
        if not self._has_several:
            return super().predict_log_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(share) for share in self.predict_proba(X)]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows that are predicted right: with several labels, in all of them.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        y : array of shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        score : float
        """
        if not self._has_several:
            return super().score(X, y, sample_weight)
        right = self.predict(X)
        truth = _table(_columns_of(y))
        if truth.shape != right.shape:
            raise ValueError(f"y has the shape {truth.shape}, but predictions have {right.shape}")
        return float(np.average((right == truth).all(axis=1), weights=sample_weight))

    def scores(self, X: Any, y: Any, sample_weight: Any = None, **options: Any):
        self._refuse_several("scores")
        return super().scores(X, y, sample_weight, **options)

    scores.__doc__ = Classes.scores.__doc__

    def _explained(self):
        if not self._has_several:
            return super()._explained()
        names = [
            f"{name}={label}"
            for (name, _), classes in zip(self._forest.label_columns, self.classes_, strict=True)
            for label in classes
        ]
        if self._order is None:
            return Outputs(names)
        starts = np.cumsum([0, *self.n_classes_[:-1]])
        order = [start + order for start, order in zip(starts, self._order, strict=True)]
        return Outputs(names, np.concatenate(order))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        method = _core.methods.get(self.projection) if isinstance(self.projection, str) else None
        several = self._takes_several and not (method and method["classes_only"])
        tags.target_tags.multi_output = several
        tags.classifier_tags.multi_label = several
        return tags


def _columns_of(y) -> list:
    """The columns of y, as arrays or as pandas' series."""
    if hasattr(y, "iloc"):
        return [y.iloc[:, k] for k in range(y.shape[1])]
    y = np.asarray(y)
    return list(y.T) if y.ndim == 2 else [y]


def _table(columns) -> np.ndarray:
    """Columns of one type as a matrix; of several types as one of objects."""
    arrays = [np.asarray(column) for column in columns]
    if len({array.dtype.kind for array in arrays}) > 1:
        arrays = [array.astype(object) for array in arrays]
    return np.stack(arrays, axis=1)
