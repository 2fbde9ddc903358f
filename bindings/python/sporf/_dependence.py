"""How predictions change with features: partial dependence, local effects, interactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _core, _options, _terms
from ._messages import messages_in_python

_KINDS = {"average": 0, "individual": 1, "ale": 2}


@dataclass(frozen=True)
class Dependence:
    """How predictions depend on one or two features.

    Attributes
    ----------
    features : tuple of int
        Their indices.
    names : tuple of str
        Their names.
    grid_values : list of ndarray
        The values of each feature; a category has the numbers of its levels.
    average : ndarray of shape (n_outputs, n_values, ...)
        The mean prediction at each point: of each class, target or score. For accumulated local
        effects, the effects.
    individual : ndarray of shape (n_outputs, n_rows, n_values, ...) or None
        The predictions of the single rows, if they were asked for.
    rows : ndarray of shape (n_rows,)
        Which rows of X were used.
    """

    features: tuple[int, ...]
    names: tuple[str, ...]
    grid_values: list[np.ndarray]
    average: np.ndarray
    individual: np.ndarray | None
    rows: np.ndarray


@dataclass(frozen=True)
class Interaction:
    """How strongly two features interact (Friedman and Popescu 2008).

    Attributes
    ----------
    features : tuple of int
        Their indices.
    names : tuple of str
        Their names.
    h : float
        The root of the share of the variance of their joint partial dependence that the sum of
        the single ones does not explain. Two features that hardly matter may have a large one.
    strength : float
        The root mean square of that part, in units of the predictions.
    """

    features: tuple[int, int]
    names: tuple[str, str]
    h: float
    strength: float


@dataclass(frozen=True)
class Interactions:
    """Interactions of features.

    Attributes
    ----------
    pairs : list of Interaction
        The strongest first.
    total : dict of str to float
        H of each feature with all others together, by name.
    """

    pairs: list[Interaction]
    total: dict[str, float]


class DependenceMixin:
    """What models say about the dependence on features."""

    _forest: Any
    combine: str
    calibration: str
    n_jobs: Any

    def _feature_number(self, feature):
        if not isinstance(feature, str):
            number = int(_options.whole("features", feature, 0))
            if number >= self._forest.features:
                raise ValueError(
                    f"there is no feature {number}: the model has {self._forest.features}, "
                    "numbered from 0"
                )
            return number
        names = self._forest.feature_names or []
        if feature not in names:
            raise ValueError(f"the model has no feature {feature!r}")
        return names.index(feature)

    def _rows_to_ask(self, X, sample_weight):
        check_is_fitted(self)
        with messages_in_python():
            table = self._table(X, self._forest)
            data = table
            if not isinstance(table, _core.Dataset):
                data = _core.Dataset.from_matrix(table)
            self._add_weights(data, sample_weight, X)
        return data

    def _shared(self, sample, random_state, scores):
        rows = 0 if sample is None else int(_options.whole("sample", sample, 1))
        seed = int(_options.seed(random_state))
        posteriors, raw = self.combine == "posteriors", self.calibration != "auto"
        return rows, seed, posteriors, raw, bool(scores), _options.threads(self.n_jobs)

    def _dependence(self, X, features, kind, grid, percentiles, values, sample_weight, shared):
        data = self._rows_to_ask(X, sample_weight)
        alone = isinstance(features, (str, int, np.integer))
        numbers = [self._feature_number(f) for f in ([features] if alone else features)]
        if values is not None and alone:
            values = [values]
        if values is not None and len(values) != len(numbers):
            raise ValueError(f"grid_values must have {len(numbers)} array(s), one for each feature")
        given = [np.require(v, np.float64, "CA") for v in (() if values is None else values)]
        if any(one.ndim != 1 for one in given):
            raise ValueError("each of grid_values must be an array of one dimension")
        if len(percentiles) != 2:
            raise ValueError(f"percentiles must be two numbers, got {percentiles!r}")
        if grid is not None:
            grid = int(_options.whole("the size of the grid", grid, 1))
        given += [None] * (2 - len(given))
        with messages_in_python():
            grids, outputs, mean, rows, individual = self._forest.dependence(
                data, numbers, _KINDS[kind], grid or 0, *percentiles, *given[:2], shared
            )
        grid_values = [np.frombuffer(g) for g in grids]
        shape = [len(g) for g in grid_values]
        average = np.moveaxis(np.frombuffer(mean).reshape(*shape, outputs), -1, 0)
        used = np.frombuffer(rows, np.uint32).astype(np.intp)
        if individual is not None:
            individual = np.frombuffer(individual).reshape(len(used), *shape, outputs)
            individual = np.moveaxis(individual, -1, 0)
        names = tuple(_terms.feature_name(self._forest, j) for j in numbers)
        return Dependence(tuple(numbers), names, grid_values, average, individual, used)

    def partial_dependence(
        self,
        X: Any,
        features: int | str | Sequence[int | str],
        *,
        kind: str = "average",
        grid_resolution: int | None = None,
        percentiles: tuple[float, float] = (0.05, 0.95),
        grid_values: Any = None,
        sample_weight: Any = None,
        sample: int | None = None,
        random_state: Any = 0,
        scores: bool = False,
    ) -> Dependence:
        """Partial dependence on one or two features (Friedman 2001).

        The same numbers as ``sklearn.inspection.partial_dependence`` with ``method="brute"``, in a
        fraction of the time: rows walk down the trees with all values at once.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
            Rows to average over.
        features : int, str, or a list of one or two of these
            Indices or names.
        kind : {"average", "individual"}, default="average"
            "individual" adds the curves of the single rows (ICE).
        grid_resolution : int, optional
            Values of each feature; 100 for one feature and 20 for each of two by default. If a
            feature has fewer values, or is a category, all of them are taken.
        percentiles : tuple of float, default=(0.05, 0.95)
            The quantiles of a feature that its values are between.
        grid_values : array, or a list of one for each feature, optional
            The values to take instead; NaN is missing.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts in the mean.
        sample : int, optional
            The most rows to use, drawn by chance; None for all.
        random_state : int, RandomState instance or None, default=0
            Seed of this draw.
        scores : bool, default=False
            Scores of a boosted model instead of its probabilities or values.

        Returns
        -------
        dependence : Dependence
        """
        _options.choice("kind", kind, ("average", "individual"))
        shared = self._shared(sample, random_state, scores)
        return self._dependence(
            X, features, kind, grid_resolution, percentiles, grid_values, sample_weight, shared
        )

    def ale(
        self,
        X: Any,
        feature: int | str,
        *,
        bins: int = 40,
        sample_weight: Any = None,
        sample: int | None = None,
        random_state: Any = 0,
        scores: bool = False,
    ) -> Dependence:
        """Accumulated local effects of a feature (Apley and Zhu 2020).

        Rows only take values near their own, so that correlated features do not make up rows that
        cannot exist. The feature is a number or an ordered category.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        feature : int or str
        bins : int, default=40
            The most bins, each with about the same number of rows.
        sample_weight, sample, random_state, scores
            As for ``partial_dependence``.

        Returns
        -------
        dependence : Dependence
            ``average`` has the effects at the ends of the bins, whose mean over the rows is 0.
        """
        count = int(_options.whole("bins", bins, 2))
        shared = self._shared(sample, random_state, scores)
        return self._dependence(X, feature, "ale", count, (0, 0), None, sample_weight, shared)

    def interactions(
        self,
        X: Any,
        features: Sequence[int | str] | None = None,
        *,
        sample_weight: Any = None,
        sample: int = 200,
        random_state: Any = 0,
        scores: bool = False,
    ) -> Interactions:
        """How strongly pairs of features interact: Friedman's H (Friedman and Popescu 2008).

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        features : list of int or str, optional
            All pairs of these; the five most important ones if None.
        sample_weight, random_state, scores
            As for ``partial_dependence``.
        sample : int, default=200
            The most rows to use, drawn by chance. The time grows with its square.

        Returns
        -------
        interactions : Interactions
        """
        data = self._rows_to_ask(X, sample_weight)
        if features is None:
            shares = np.frombuffer(self._forest.importances())
            features = [int(j) for j in np.argsort(-shares, kind="stable")[:5]]
        numbers = [self._feature_number(f) for f in features]
        with messages_in_python():
            pairs, totals = self._forest.interactions(
                data, numbers, self._shared(sample, random_state, scores)
            )
        names = {j: _terms.feature_name(self._forest, j) for j in numbers}
        found = [
            Interaction((a, b), (names[a], names[b]), h, strength) for a, b, h, strength in pairs
        ]
        return Interactions(found, {names[j]: t for j, t in zip(numbers, totals, strict=True)})
