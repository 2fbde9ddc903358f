"""The search of settings by out-of-bag error."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

from sklearn.base import clone

from . import _core, _options
from ._classifier import SporfClassifier
from ._messages import messages_in_python
from ._regressor import SporfRegressor


@dataclass(frozen=True)
class TriedSetting:
    """One of the settings that `tune` has tried.

    Attributes
    ----------
    max_features : str or int
        Number of candidates in each node, as the forests take it.
    feature_combinations : float or None
        Mean number of features in a split; None if the method has no such setting.
    n_candidates : int
        The value of max_features.
    n_trees : int
        The number of trees it was compared with.
    error : float
        Out-of-bag error of these, or that of folds; in regression the root mean squared error.
    auc : float
        Area under the curve of their vote shares; NaN in regression.
    seconds : float
        Time spent on it.
    best : bool
        Whether it was chosen.
    """

    max_features: str | int
    feature_combinations: float | None
    n_candidates: int
    n_trees: int
    error: float
    auc: float
    seconds: float
    best: bool


def tune(
    forest: SporfClassifier | SporfRegressor,
    X: Any,
    y: Any,
    *,
    max_features: Sequence[int | float | str] | float | str | None = None,
    feature_combinations: Sequence[float] | float | None = None,
    search: str = "race",
    folds: int = 5,
    sample_weight: Any = None,
) -> SporfClassifier | SporfRegressor:
    """Search max_features and feature_combinations by out-of-bag error, as ``sporf tune`` does.

    The error of the best setting is the minimum of many, and so too low on small tables: evaluate
    the result on rows that the search has not seen. Ctrl-C ends the search without a result.

    Parameters
    ----------
    forest : SporfClassifier or SporfRegressor
        Its parameters are used, except max_features, feature_combinations and effort, which is for
        pilot forests. It is not changed.
    X, y, sample_weight
        As for ``fit``.
    max_features, feature_combinations : sequences or single values, optional
        Values to try, each as the forest takes it; None for the paper's values.
    search : {"race", "all"}, default="race"
        "all" grows every setting to the full number of trees; "race" drops settings early if they
        are clearly worse than the best.
    folds : int, default=5
        Number of folds to compare settings by if there are no out-of-bag rows
        (``bootstrap=False``, "ccf").

    Returns
    -------
    tuned : SporfClassifier or SporfRegressor
        A new forest, fitted, with the settings found as its parameters, and ``tuning_``: a list of
        `TriedSetting`.

    Examples
    --------
    >>> from sporf import SporfClassifier, simulate, tune
    >>> X, y = simulate("sparse-parity", 500, 8, random_state=1)
    >>> tuned = tune(SporfClassifier(64, random_state=1), X, y)
    >>> tuned.max_features, len(tuned.tuning_)
    ('p^2', 25)
    """
    if not isinstance(forest, SporfClassifier | SporfRegressor):
        raise TypeError(f"forest must be a SporfClassifier or a SporfRegressor, got {forest!r}")
    if callable(forest.projection):
        raise ValueError("projection must be a method of the library: functions have no settings")
    method = _options.method(forest.projection)
    if feature_combinations is not None and not _options.has_density(method):
        raise ValueError(
            f"feature_combinations has no meaning for projection {forest.projection!r}: leave it "
            "out"
        )
    _options.choice("search", search, ("race", "all"))
    tuned = clone(forest)
    data, outcome = tuned._read(X, y, sample_weight)
    options = {
        **_options.options_of(tuned, data),
        **tuned._outcome_options(data, outcome),
        "seed": _options.seed(tuned.random_state),
    }
    tuned._refuse_oob(options)
    del options["projections"]
    options.pop("density", None)
    candidates = [
        _options.candidates(value, data.features) for value in _values("max_features", max_features)
    ]
    densities = [
        _options.density(value, data)["density"]
        for value in _values("feature_combinations", feature_combinations)
    ]
    with messages_in_python():
        (model, raised), tried, best = _core.Forest.search(
            data,
            options,
            search == "all",
            candidates,
            densities,
            int(_options.whole("folds", folds, 2)),
        )
    if raised is not None:
        raise raised
    sparse = _options.has_density(options)
    tuned.tuning_ = [_setting(row, sparse, i == best) for i, row in enumerate(tried)]
    found = tuned.tuning_[best]
    tuned.set_params(max_features=found.max_features)
    if sparse:
        tuned.set_params(feature_combinations=found.feature_combinations)
    tuned._keep(model, outcome)
    return tuned


def _values(name, given):
    """What to try: a list, one value, or what the library tries."""
    if given is None:
        return ()
    values = (given,) if isinstance(given, str | Number) else tuple(given)
    if not values or any(value is None for value in values):
        raise ValueError(f"{name} must name values to try, or be None for those of the paper")
    return values


def _setting(row, sparse, best):
    projections, _, d, nonzeros, trees, error, auc, seconds = row
    return TriedSetting(
        int(projections) if projections.isdigit() else projections,
        nonzeros if sparse else None,
        d,
        trees,
        error,
        auc,
        seconds,
        best,
    )
