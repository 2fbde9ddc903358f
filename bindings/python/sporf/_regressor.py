"""The forest for regression."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ._forest import SporfForest
from ._messages import warn
from ._options import choice
from ._samplers import Node, Patches
from ._targets import Targets


class SporfRegressor(RegressorMixin, Targets, SporfForest):
    """A random forest with oblique splits, for regression, with quantiles and prediction intervals.

    Parameters have the names and meanings of scikit-learn's RandomForestRegressor if it has them;
    see `SporfClassifier` for details.

    Parameters
    ----------
    n_estimators : int or "auto", default=100
        Number of trees. Intervals need at least 200. "auto": as many as help the predictions, as in
        `SporfClassifier`.
    criterion : {"squared_error"}, default="squared_error"
        The splitting criterion.
    max_depth, max_features, bootstrap, max_samples
        As in `SporfClassifier`, except that "stratified" is for classification only, and that
        "auto" does not depend on the number of rows.
    n_jobs, device, random_state, verbose, warm_start
        As in `SporfClassifier`.
    min_samples_split : int or float, default=5
        Minimum number of rows in a node to split it; a float is a share of all rows.
    min_samples_leaf : int, float or None, default=None
        As in `SporfClassifier`.
    min_weight_fraction_leaf : float, default=0.0
        As in `SporfClassifier`.
    oob_score : bool or function, default=False
        Whether to keep out-of-bag results: ``oob_score_`` and ``oob_prediction_``. A function is a
        metric, ``metric(y_true, y_pred)``; True is R2.
    projection, feature_combinations, projection_weights, nonzeros, scale, splitter
        As in `SporfClassifier`, except that "ccf" is for classification only, that
        feature_combinations is 1 for "sporf" if max_features is given, and that scale is "sd".
    categorical_features, handle_unknown, honest, weight_is, effort, time_limit
        As in `SporfClassifier`.
    keep_samples : bool, default=True
        Whether to keep the training values in the leaves, for quantiles and intervals.

    Attributes
    ----------
    n_features_in_, n_outputs_, n_trees_ : int
        Numbers of features, outputs and trees.
    feature_names_in_ : ndarray of str
        Names of the features, if X had names.
    settings_ : dict of str
        The settings of the forest, under the names of the command's options, including those that
        were chosen.
    search_seconds_ : float
        As in `SporfClassifier`.
    oob_score_ : float
        Out-of-bag R2, or the given metric. With ``oob_score``.
    oob_prediction_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        Out-of-bag predictions; NaN for rows that are in every bag. With ``oob_score``.
    oob_curve_ : ndarray of shape (n_trees_,)
        Out-of-bag root mean squared error of the first 1, 2, ... trees.
    feature_importances_, projection_importances_
        As in `SporfClassifier`, with the decrease in variance.

    Examples
    --------
    >>> from sporf import SporfRegressor, simulate
    >>> X, y = simulate("friedman1", 1000, random_state=1)
    >>> forest = SporfRegressor(oob_score=True, random_state=1).fit(X, y)
    >>> bool(forest.oob_score_ > 0.75)
    True
    >>> forest.predict_interval(X[:3], level=0.9).shape
    (3, 2)
    """

    def __init__(
        self,
        n_estimators: int | str = 100,
        *,
        criterion: str = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 5,
        min_samples_leaf: int | float | None = None,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        bootstrap: bool | str = "auto",
        max_samples: int | float | None = None,
        oob_score: bool | Callable[[Any, Any], float] = False,
        n_jobs: int | None = None,
        device: str = "auto",
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        warm_start: bool = False,
        projection: str | Patches | Callable[[Node, np.random.Generator], Any] = "sporf",
        feature_combinations: float | None = None,
        projection_weights: str = "auto",
        nonzeros: str = "grid",
        scale: str = "sd",
        splitter: str = "auto",
        categorical_features: str | Sequence[Any] | np.ndarray | None = "from_dtype",
        handle_unknown: str = "warn",
        honest: bool | float = False,
        weight_is: str = "relative",
        effort: str = "default",
        time_limit: float | str | None = None,
        keep_samples: bool = True,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.device = device
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.projection = projection
        self.feature_combinations = feature_combinations
        self.projection_weights = projection_weights
        self.nonzeros = nonzeros
        self.scale = scale
        self.splitter = splitter
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.honest = honest
        self.weight_is = weight_is
        self.effort = effort
        self.time_limit = time_limit
        self.keep_samples = keep_samples

    # ---- fitting -----------------------------------------------------------------------------

    def _outcome_options(self, data, outcome):
        choice("criterion", self.criterion, ("squared_error",))
        return {"samples": "keep" if self.keep_samples else "drop"}

    def _keep_oob(self, forest, y):
        predicted = np.frombuffer(forest.oob_predictions(), np.float64)
        self.oob_prediction_ = predicted.reshape(y.shape).copy()
        seen = ~np.isnan(predicted.reshape(len(y), -1)[:, 0])
        self._warn_of_unseen(int((~seen).sum()))
        if callable(self.oob_score):
            self.oob_score_ = float(self.oob_score(y[seen], self.oob_prediction_[seen]))
        else:
            self.oob_score_ = forest.oob()[2]

    # ---- predicting --------------------------------------------------------------------------

    def predict_quantiles(self, X: Any, quantiles: Sequence[float] = (0.1, 0.5, 0.9)) -> np.ndarray:
        """Quantiles for each row (quantile regression forests, Meinshausen 2006).

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        quantiles : sequence of float, default=(0.1, 0.5, 0.9)
            From 0 to 1.

        Returns
        -------
        y : ndarray of shape (n_samples, n_quantiles) or (n_samples, n_outputs, n_quantiles)
        """
        check_is_fitted(self)
        levels = np.ascontiguousarray(np.ravel(quantiles), dtype=np.float64)
        values = self._predict(X, "quantiles", (self.n_outputs_, len(levels)), levels=levels)
        return values[:, 0] if self.n_outputs_ == 1 else values

    def predict_interval(self, X: Any, level: float = 0.9) -> np.ndarray:
        """A prediction interval for each row that contains a share `level` of new values.

        Its ends are quantiles, calibrated in training on the out-of-bag rows. It needs a few
        hundred trees.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        level : float, default=0.9
            Above 0 and below 1.

        Returns
        -------
        bounds : ndarray of shape (n_samples, 2) or (n_samples, n_outputs, 2)
            The lower bound first.
        """
        check_is_fitted(self)
        if self._forest.oob()[0] == 0:
            warn(
                "the forest was grown without out-of-bag rows, so intervals are plain quantiles "
                "and hold more than they promise"
            )
        levels = np.array([float(level)])
        bounds = self._predict(X, "interval", (self.n_outputs_, 2), levels=levels)
        return bounds[:, 0] if self.n_outputs_ == 1 else bounds
