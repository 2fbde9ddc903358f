"""Why rows are predicted as they are: Shapley values."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import _core, _options, _tables, _terms
from ._messages import messages_in_python

BACKGROUND_ROWS = 100
OTHERS = "all other projections"


class Outputs(NamedTuple):
    """What of a model is explained."""

    names: list
    order: Any = None
    """The library's numbers of the outputs, if they are in another order."""
    sign: int = 1
    """-1 if the library has the mirror image of the only one."""


@dataclass(frozen=True)
class Explanation:
    """Shapley values of rows, in the form of ``shap.Explanation``.

    Attributes
    ----------
    values : ndarray of shape (n_samples, n_features) or (n_samples, n_features, n_outputs)
        How much each feature, or projection, adds to the prediction of a row. The third dimension
        is that of the classes or targets, if there are several outputs.
    base_values : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Mean prediction of the background rows; with the values of a row it adds up to the
        prediction.
    data : ndarray of shape (n_samples, n_features), or None
        The rows themselves; None for projections.
    feature_names : list of str
    output_names : list of str, or None
        Classes or targets; None for a single output.
    predictions : ndarray of the shape of base_values
        What is explained: shares of votes or leaves, values, or scores of a boosted model.
    errors : ndarray of the shape of values
        Standard errors of the values, 0 where they are exact.
    estimated : float
        Share of trees, rows and background rows for which values are not exact.
    """

    values: np.ndarray
    base_values: np.ndarray
    data: np.ndarray | None
    feature_names: list[str]
    output_names: list[str] | None
    predictions: np.ndarray
    errors: np.ndarray
    estimated: float

    @property
    def mean_absolute(self) -> np.ndarray:
        """Mean absolute value of each feature, or projection, over the rows."""
        return np.abs(self.values).mean(axis=0)

    def to_shap(self) -> Any:
        """The same as a ``shap.Explanation``, which shap's plots take; needs the package shap."""
        try:
            import shap
        except ImportError:
            raise ImportError("to_shap() needs the package shap: pip install shap") from None

        return shap.Explanation(
            values=self.values,
            base_values=self.base_values,
            data=self.data,
            feature_names=self.feature_names,
            output_names=self.output_names,
            error_std=self.errors if self.estimated > 0 else None,
        )


def dataset_of(model, X):
    """Rows as a dataset, checked as in prediction."""
    table = model._table(X, model._forest)
    if isinstance(table, _core.Dataset):
        return table
    return _tables.dataset_of(table, model, None, None)


def _drawn(data, seed):
    """At most 100 rows of a dataset, drawn without replacement."""
    if data.rows <= BACKGROUND_ROWS:
        return data
    rows = np.random.default_rng(seed).choice(data.rows, BACKGROUND_ROWS, replace=False)
    return data.select(np.sort(rows).astype(np.uint32))


def _shown_values(X):
    """The cells of a table as an array, to be shown beside the values."""
    if hasattr(X, "to_numpy"):
        return X.to_numpy()
    if hasattr(X, "to_pandas"):
        return X.to_pandas().to_numpy()
    return np.asarray(X)


def explain(model, X, background, projections, steps, random_state) -> Explanation:
    """For SporfModel.explain, which has the documentation."""
    forest, explained = model._forest, model._explained()
    outputs = len(explained.names)
    seed = int(_options.seed(random_state))
    with messages_in_python():
        data = dataset_of(model, X)
        if background is None and data.rows == 1:
            raise ValueError(
                "The only row would be compared with itself: give rows to compare with, such as "
                "the training rows, as background."
            )
        others = _drawn(data, seed) if background is None else dataset_of(model, background)
        names = [_terms.feature_name(forest, i) for i in range(forest.features)]
        if projections > 0:
            names = [*(one.text for one in _terms.ranking(forest, projections)), OTHERS]
        values = np.empty((data.rows, len(names), outputs))
        errors = np.empty_like(values)
        base, predictions = np.empty(outputs), np.empty((data.rows, outputs))
        estimated = forest.explain(
            data,
            others,
            projections,
            model.combine == "posteriors",
            steps,
            seed,
            _options.threads(model.n_jobs),
            values,
            errors,
            base,
            predictions,
        )
    arrays = [values, np.tile(base, (data.rows, 1)), predictions, errors]
    if explained.order is not None:
        arrays = [array[..., explained.order] for array in arrays]
    is_single = outputs == 1
    if is_single:
        arrays = [array[..., 0] for array in arrays]
    return Explanation(
        values=explained.sign * arrays[0],
        base_values=explained.sign * arrays[1],
        data=None if projections > 0 else _shown_values(X),
        feature_names=names,
        output_names=None if is_single else [_terms.printable(str(n)) for n in explained.names],
        predictions=explained.sign * arrays[2],
        errors=arrays[3],
        estimated=estimated,
    )
