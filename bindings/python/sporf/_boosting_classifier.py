"""Gradient boosting for classification."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, column_or_1d

from ._boosting import BoostingRound, SporfBoosting
from ._classes import Classes
from ._decisions import cost_text
from ._losses import OF_CLASSES, ClassView, loss_option
from ._samplers import Node, Patches


class SporfBoostingClassifier(ClassifierMixin, Classes, SporfBoosting):
    """Gradient boosting with oblique splits, for classification.

    Trees that each correct the sum of those before. Parameters have the names and meanings of
    scikit-learn's HistGradientBoostingClassifier if it has them; the defaults are those of the
    command ``sporf boost``, except for the seed.

    Parameters
    ----------
    loss : "log_loss" or object, default="log_loss"
        What is minimised: the negative logarithm of the probability of the true class, or a loss of
        your own, see Notes.
    max_iter : int, default=2000
        Maximum number of rounds. Each adds a tree for every output and bag.
    learning_rate : float or None, default=None
        Factor of every leaf, above 0 and up to 1. None: 0.05, or 0.1 from 10,000 rows on.
    max_leaf_nodes : int or None, default=None
        Maximum number of leaves of a tree, which then grows where it gains most; None for no limit.
    max_depth : int or None, default=None
        Maximum depth. None: 3 to 6, more for larger tables, or no limit if max_leaf_nodes is given.
    min_samples_leaf : int, float or None, default=None
        Minimum number of rows in a leaf; a float is a share of all rows. None: 5.
    l2_regularization : float, default=1.0
        Added to the hessian of every leaf.
    early_stopping : bool, default=True
        Whether rows are held out: training stops when their loss no longer falls, and the best
        number of rounds is kept. False: all rows are used, and all rounds are kept.
    validation_fraction : float, default=0.1
        Share of the rows that are held out, unless ``fit`` is given others.
    n_iter_no_change : int, default=50
        Rounds without a smaller loss on held-out rows after which training stops.
    subsample : float or None, default=None
        Share of the rows that a tree is grown on. None: all rows.
    bags : int or None, default=None
        Number of models with different held-out rows whose scores are averaged. None: up to 8 for
        small tables if rows of X are held out, otherwise 1.
    monotonic_cst : array of int, dict or None, default=None
        1: predictions never fall with a feature; -1: they never rise; 0: no constraint. An array
        has a number for each feature, a dict for each name in it. For two classes only: it holds
        for the probability of the second.
    callbacks : list of functions or None, default=None
        Called after each round with a `BoostingRound`. If one returns True, training stops and the
        rounds so far are kept, up to the best one.
    n_jobs : int or None, default=None
        Number of threads, as in scikit-learn: None is 1, -1 all cores. Never changes the model.
    random_state : int, RandomState or None, default=None
        The seed. The same int gives the same model on every machine, byte for byte.
    verbose : int, default=0
        Above 0, show progress on standard error, as a bar if tqdm is installed.
    warm_start : bool, default=False
        Whether ``fit`` keeps the existing rounds and adds rounds up to max_iter. The data must be
        the same.
    class_weight : dict, "balanced" or None, default=None
        Class weights, multiplied with the sample weights.
    cost : dict, str or None, default=None
        Costs of errors, as in `SporfClassifier`.
    projection : str, Patches or function, default="sporf"
        How candidate splits are drawn: see `SporfClassifier`. "rf" for splits of single features. A
        function is called once in each round, for all nodes, so that its node has no rows.
    max_features : int, float, str or None, default=None
        Number of candidate sums, as in `SporfClassifier`. None: as many as there are features.
    feature_combinations : float or None, default=None
        Mean number of features in a sum. None: 2.
    projection_weights, nonzeros
        As in `SporfClassifier`.
    scale : {"auto", "none", "sd", "range", "iqr"}, default="auto"
        Whether to bring features to one scale while sums are drawn. "auto" is "sd".
    categorical_features, handle_unknown, weight_is
        As in `SporfClassifier`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes.
    n_classes_, n_features_in_ : int
        Numbers of classes and features.
    n_iter_ : int
        Number of rounds that the model has: up to the best one.
    train_score_, validation_score_ : ndarray of shape (rounds that were tried,)
        The mean **loss** after each round, so less is better, of the rows that trees are grown on
        and of those that are held out. The second one is empty if there are none. Rounds after the
        best one are in them, too.
    n_trees_, n_trees_per_iteration_ : int
        Number of trees, in all and in a round: one for each output and bag.
    feature_names_in_ : ndarray of str
        Names of the features, if X had names.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean decrease in the variance of the leaves, divided among the features of a split; the sum
        is 1.
    projection_importances_ : list of ProjectionImportance
        The same for whole projections, the most important first.
    settings_ : dict of str
        The settings of the model, under the names of the command's options, including those that
        were chosen.

    Notes
    -----
    A loss of your own is an object with two methods and, if you like, two attributes:

    - ``gradient_hessian(y_true, raw)`` returns the first and second derivatives of each row's loss
      by its scores ``raw``, in arrays of the shape of ``raw``. ``y_true`` has
      places in ``classes_``. With two classes, ``raw`` has one number for each row, the log odds of
      the second; otherwise one for each row and class, and probabilities are in proportion to their
      exponentials.
    - ``loss(y_true, raw)`` returns the loss of each row.
    - ``name``: what the model file calls it.
    - ``base``: the scores before the first round, 0 by default, or a function
      ``base(y_true, sample_weight)`` that returns them.

    Gradients must be finite, hessians finite and not negative. Row weights are applied afterwards.

    Examples
    --------
    >>> from sporf import SporfBoostingClassifier, simulate
    >>> X, y = simulate("sparse-parity", 1000, 5, random_state=1)
    >>> model = SporfBoostingClassifier(max_iter=200, random_state=1).fit(X[:800], y[:800])
    >>> bool(model.score(X[800:], y[800:]) > 0.8)
    True
    """

    def __init__(
        self,
        loss: Any = "log_loss",
        *,
        learning_rate: float | None = None,
        max_iter: int = 2000,
        max_leaf_nodes: int | None = None,
        max_depth: int | None = None,
        min_samples_leaf: int | float | None = None,
        l2_regularization: float = 1.0,
        monotonic_cst: Any = None,
        early_stopping: bool = True,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 50,
        subsample: float | None = None,
        bags: int | None = None,
        callbacks: Sequence[Callable[[BoostingRound], Any]] | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        warm_start: bool = False,
        class_weight: dict[Any, float] | str | None = None,
        projection: str | Patches | Callable[[Node, np.random.Generator], Any] = "sporf",
        max_features: int | float | str | None = None,
        feature_combinations: float | None = None,
        projection_weights: str = "auto",
        nonzeros: str = "grid",
        scale: str = "auto",
        categorical_features: str | Sequence[Any] | np.ndarray | None = "from_dtype",
        handle_unknown: str = "warn",
        weight_is: str = "relative",
        cost: dict[tuple[Any, Any], float] | str | None = None,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.monotonic_cst = monotonic_cst
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.subsample = subsample
        self.bags = bags
        self.callbacks = callbacks
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.projection = projection
        self.max_features = max_features
        self.feature_combinations = feature_combinations
        self.projection_weights = projection_weights
        self.nonzeros = nonzeros
        self.scale = scale
        self.categorical_features = categorical_features
        self.handle_unknown = handle_unknown
        self.weight_is = weight_is
        self.cost = cost

    # ---- fitting -----------------------------------------------------------------------------

    def _outcome_options(self, data, outcome):
        return {
            **loss_option(self.loss, OF_CLASSES),
            "class-weights": self._class_weights(data, outcome),
            "cost": cost_text(self.cost, self._names_of(data, outcome)),
        }

    def _view(self, outcome):
        _, index, order = outcome
        return ClassView(order), index

    def _check_validation(self, y_val, outcome):
        known = set(outcome[0].tolist())
        for label in column_or_1d(y_val).tolist():
            if label not in known:
                raise ValueError(f"y_val has the class {label!r}, which is not in y")

    # ---- predicting --------------------------------------------------------------------------

    def _in_order(self, scores):
        """Scores of the library, (rows, outputs), in the order of ``classes_``."""
        if scores.shape[1] == 1:
            return scores[:, 0] if self._order is None else -scores[:, 0]
        return scores if self._order is None else scores[:, self._order]

    def decision_function(self, X: Any) -> np.ndarray:
        """The scores of each row: sums of the trees, before they become probabilities.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes the log odds of the second.
        """
        return self._in_order(self._predict(X, "scores", (self._known("outputs"),)))

    def staged_decision_function(self, X: Any) -> Iterator[np.ndarray]:
        """The scores of each row after each round.

        Takes memory for the leaf of each row in each tree.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Yields
        ------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            As of ``decision_function``; the last ones are the same.
        """
        check_is_fitted(self)
        return self._staged(X, self._in_order, self.decision_function)

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """The class of each row after each round.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Yields
        ------
        y : ndarray of shape (n_samples,)
            As of ``predict``; the last ones are the same.
        """
        check_is_fitted(self)

        def classes(scores):
            if scores.shape[1] == 1:
                return self._labels((scores[:, 0] > 0).astype(np.intp))
            return self._labels(scores.argmax(axis=1))

        return self._staged(X, classes, self.predict)

    def staged_predict_proba(self, X: Any) -> Iterator[np.ndarray]:
        """The probability of each class for each row after each round.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Yields
        ------
        p : ndarray of shape (n_samples, n_classes)
            As of ``predict_proba``; the last ones are the same.
        """
        check_is_fitted(self)
        return self._staged(X, lambda scores: _shares(self._in_order(scores)), self.predict_proba)


def _shares(scores):
    """Probabilities of scores."""
    if scores.ndim == 1:
        scores = np.column_stack([np.zeros_like(scores), scores])
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)
