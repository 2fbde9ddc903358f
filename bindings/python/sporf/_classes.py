"""What classifiers share: classes, their weights and probabilities."""

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ._explain import Outputs
from ._model import SporfModel
from ._options import is_real, number
from ._scores import ClassScores, scores


class Classes(SporfModel):
    """An estimator that predicts classes."""

    _predicts_numbers = False
    class_weight: Any

    # ---- fitting -----------------------------------------------------------------------------

    def _add_outcome(self, data, y):
        """Returns the classes, each row's index among them, and the library's order of them."""
        name = getattr(y, "name", None)
        y = column_or_1d(y, warn=True)
        classes, index = _classes_of(y)
        self._set_labels(data, classes, index)
        if data.classes != len(classes):
            raise ValueError(
                "y has labels that are written differently and mean the same class, such as '2' "
                "and '2.0': write them alike"
            )
        if isinstance(name, str):
            data.set_label_name(name)
        order = np.empty(len(classes), dtype=np.intp)
        order[index] = np.frombuffer(data.labels(), np.uint32)
        return classes, index, order

    @staticmethod
    def _set_labels(data, classes, index):
        if classes.dtype.kind in "iuf" and classes[-1] <= np.iinfo(np.int64).max:
            data.set_labels_int(np.require(classes.astype(np.int64).take(index), np.int64, "CA"))
        else:
            names = [_label_name(label) for label in classes.tolist()]
            data.set_labels_text([names[place] for place in index.tolist()])

    def _pack_outcome(self, data, outcome):
        classes, index, _ = outcome
        return classes, index.astype(np.min_scalar_type(max(len(classes) - 1, 1)))

    def _unpack_outcome(self, data, classes, index):
        self._set_labels(data, classes, index)

    def _class_weights(self, data, outcome):
        weights = self.class_weight
        if isinstance(weights, str) and weights == "balanced":
            return "balanced"
        if isinstance(weights, str) and weights == "balanced_subsample":
            raise ValueError("class_weight='balanced_subsample' is not supported; use 'balanced'")
        if weights is None:
            return "none"
        if not isinstance(weights, dict) or not all(
            is_real(weight) and 0 <= weight < np.inf for weight in weights.values()
        ):
            raise ValueError(
                "class_weight must be 'balanced', a dict of a weight from 0 for each class, or "
                f"None, got {weights!r}"
            )
        classes, _, order = outcome
        places = dict(zip(classes.tolist(), order, strict=True))
        unknown = [label for label in weights if label not in places]
        if unknown and len(weights) - len(unknown) < len(places):
            raise ValueError(f"class_weight names {unknown[0]!r}, which is not in y")
        names = data.class_names
        items = [
            f"{names[place]}={number(weights[label])}"
            for label, place in places.items()
            if label in weights
        ]
        return ",".join(items) or "none"

    def _names_of(self, data, outcome):
        """The library's name of each class."""
        classes, _, order = outcome
        names = data.class_names
        return {label: names[place] for label, place in zip(classes.tolist(), order, strict=True)}

    def _keep_outcome(self, forest, outcome):
        classes, _, order = outcome
        self.classes_ = classes
        self.n_classes_ = len(classes)
        self.n_outputs_ = 1
        self._order = None if np.array_equal(order, np.arange(len(order))) else order

    def _explained(self):
        if self._forest.boosting() is None or len(self.classes_) > 2:
            return Outputs(list(self.classes_), self._order)
        return Outputs([self.classes_[1]], sign=1 if self._order is None else -1)

    # ---- predicting --------------------------------------------------------------------------

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._labels(self._predict(X, "classes", (), np.uint32))

    def _labels(self, index):
        """Classes of their numbers in the library's order."""
        if self._order is not None:
            index = np.argsort(self._order)[index]
        return self.classes_.take(index)

    def predict_proba(self, X: Any) -> np.ndarray:
        """The probability of each class for each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``.
        """
        shares = self._predict(X, "probabilities", (getattr(self, "n_classes_", 0),))
        return shares if self._order is None else shares[:, self._order]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """The logarithm of the probability of each class for each row.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def scores(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> ClassScores:
        """Scores of the predictions for a table with known classes.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        y : array of shape (n_samples,)
            The true classes.
        sample_weight : array of shape (n_samples,), optional
            Row weights.
        **options
            ``confidence``, ``replicates``, ``top_k``, ``random_state``, as for `sporf.scores`.

        Returns
        -------
        found : ClassScores
        """
        proba = self.predict_proba(X)
        options.setdefault("n_jobs", self.n_jobs)
        return scores(
            y,
            proba,
            classes=self.classes_,
            y_pred=self.predict(X),
            sample_weight=sample_weight,
            **options,
        )


def _has_missing(y) -> bool:
    if y.dtype.kind == "f":
        return bool(np.isnan(y).any())
    return y.dtype.kind == "O" and any(
        type(label).__name__ == "NAType" or (isinstance(label, float) and label != label)
        for label in y
    )


def _classes_of(y):
    """The classes, and each row's index among them."""
    if _has_missing(y):
        raise ValueError("Input y contains NaN: every row needs a label")
    try:
        if y.dtype.kind != "S":  # which scikit-learn's forests take and its check does not
            check_classification_targets(y)
        return np.unique(y, return_inverse=True)
    except TypeError:
        kinds = sorted({type(label).__name__ for label in y})
        if len(kinds) == 1:
            reason = f"y has labels of the type {kinds[0]}: make strings or numbers of them"
        else:
            reason = (
                f"y has labels of several types, or missing ones ({', '.join(kinds)}): give every "
                "row a label of one type"
            )
        raise ValueError(reason) from None


def _label_name(label) -> str:
    """What a class is called in the model file, where no name is empty."""
    if isinstance(label, bytes):
        label = label.decode("utf-8", "surrogateescape")
    return str(label) or "(empty)"
