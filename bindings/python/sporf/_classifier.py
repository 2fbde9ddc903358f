"""The forest for classification."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ._decisions import cost_text, recall_text
from ._forest import SporfForest
from ._measures import Strength
from ._messages import messages_in_python
from ._options import choice, threads
from ._samplers import Node, Patches
from ._scores import ClassScores, scores
from ._several_labels import Several, SeveralLabels
from ._trees import nodes_of_leaves


class SporfClassifier(SeveralLabels, ClassifierMixin, SporfForest):
    """A random forest with oblique splits, for classification.

    Parameters have the names and meanings of scikit-learn's RandomForestClassifier if it has them.

    Parameters
    ----------
    n_estimators : int or "auto", default=100
        Number of trees. "auto": as many as help, from 50 to 2000: training ends when more trees
        would lower the out-of-bag loss by half a percent at most, or by a twentieth of its standard
        error. ``n_trees_`` has the number.
    criterion : {"gini", "entropy", "log_loss"}, default="gini"
        The splitting criterion; "log_loss" is the same as "entropy".
    max_depth : int, optional
        Maximum depth; None for fully grown trees.
    min_samples_split : int or float, default=2
        Minimum number of rows in a node to split it; a float is a share of all rows.
    min_samples_leaf : int, float or None, default=None
        Minimum number of rows in a leaf; a float is a share of all rows. None: chosen together with
        max_features if that is None, too, otherwise 1.
    min_weight_fraction_leaf : float, default=0.0
        Minimum share of the weight of a tree's rows in a leaf, from 0 to 0.5; without weights, a
        share of the rows. It is required in addition to min_samples_leaf.
    max_features : int, float, str or None, default=None
        Number of candidate splits in each node. It may be larger than the number of features p,
        because there are more oblique splits than features. An int is a number; a float is a
        multiple of p; "sqrt" and "log2" are as in scikit-learn; "p", "2p" or "p^1.5" are amounts
        as the command takes them. None, with "sporf" and a bootstrap: pilot forests choose
        max_features by out-of-bag error, and also feature_combinations and min_samples_leaf if
        these are None, see effort; otherwise None is the square root of p for "rf" and p for the
        others. What is chosen depends on n_estimators, because a search takes a share of the work
        of the forest.
    bootstrap : bool or {"auto", "stratified", "subsample"}, default="auto"
        How the rows of a tree are drawn: with replacement (True), with replacement within each
        class, without replacement, or all rows (False). "auto" is False for "ccf" and True for
        the others; but with "sporf", if max_features is None, trees for the classes of more than
        10,000 rows have 0.8 of them, "subsample". Given max_samples, weights that are counts and
        several labels keep the bootstrap.
    max_samples : int, float or None, default=None
        How many rows to draw, or which share of them; None is all rows for a bootstrap and 0.632
        for "subsample", or 0.8 where "auto" takes that.
    oob_score : bool or function, default=False
        Whether to keep out-of-bag results: ``oob_score_`` and ``oob_decision_function_``. A
        function is a metric, ``metric(y_true, y_pred)``; True is the accuracy. A row has the votes
        of a third of the trees, or of a fifth with "subsample" of 0.8: with fewer than 250
        trees the accuracy reads low there.
    n_jobs : int or None, default=None
        Number of threads, as in scikit-learn: None is 1, -1 all cores. Never changes the forest.
    device : {"auto", "cpu", "gpu"}, default="auto"
        What grows the trees. "auto" is the GPU if there is one, sporf was built for it, and it is
        expected to be faster. "gpu" raises RuntimeError without one, and warns of what the GPU does
        not support: then the CPU grows the forest. Never changes the forest.
        Predictions do not depend on it, either: many rows take the GPU where it is expected to be
        faster, unless it is "cpu".
    random_state : int, RandomState or None, default=None
        The seed. The same int gives the same forest on every machine, byte for byte.
    verbose : int, default=0
        Above 0, show progress on standard error, as a bar if tqdm is installed.
    warm_start : bool, default=False
        Whether ``fit`` keeps the existing trees and adds trees up to n_estimators. Settings that
        the first ``fit`` chose are kept; the forest is the one that growing all trees at once with
        these settings would give.
    class_weight : dict, list of dicts, "balanced" or None, default=None
        Class weights, multiplied with the sample weights; a dict for each column of y if it has
        several.
    projection : str, Patches or function, default="sporf"
        How candidate splits are drawn: "sporf" (sparse sums with weights -1 and +1), "rf" (single
        features; with ``max_features="sqrt"`` the usual random forest), "frc" (sums of features
        with weights from U(-1, 1)), "rr-rf" (a random rotation for each tree), "ccf" (canonical
        correlations), "patch" or a `Patches` (windows of series and images), or a function
        ``sampler(node, rng)``; see Notes.
    feature_combinations : float, optional
        Mean number of features in a split (lambda p). None: chosen together with max_features if
        that is None, too; otherwise 3, or 1 for "sporf" with fewer than ten features.
    projection_weights : {"auto", "sign", "one", "uniform", "normal"}, default="auto"
        Weights of the features in a split; "auto" is "sign" for "sporf", "uniform" for "frc" and
        "one" for patches.
    nonzeros : {"grid", "poisson"}, default="grid"
        How "sporf" draws features: a fixed number for all candidates of a node together, or a
        Poisson number for each candidate.
    scale : {"auto", "none", "sd", "range", "iqr"}, default="auto"
        Whether to bring features to one scale while splits are drawn. "auto" is "sd" if standard
        deviations differ by more than a factor of 100 and not all features are bytes (images),
        otherwise "none".
    splitter : {"auto", "exact"}, default="auto"
        How thresholds are searched: "exact" tries all; "auto" uses bins in large nodes and then
        tries all thresholds near the best.
    categorical_features : "from_dtype", array or None, default="from_dtype"
        Columns that are categories: names, indices or a mask. Columns of strings and of
        categorical types in data frames always are; "from_dtype" and None add no others.
    handle_unknown : {"warn", "missing", "error"}, default="warn"
        What to do in prediction with levels that were not in the training data: treat them as
        missing values, with or without a warning, or refuse them.
    honest : bool or float, default=False
        Whether the leaves of a tree are filled by rows that did not choose its splits; a float is
        the share of these rows, True is one half.
    weight_is : {"relative", "count"}, default="relative"
        What sample_weight and class_weight mean: the scale of "relative" weights does not matter;
        "count" says how often a row is repeated, and gives the forest of the repeated rows.
    effort : {"low", "default", "high"}, default="default"
        How much time the choice of settings is worth, where max_features is None: "low" grows no
        pilot forests and takes the settings that a search starts with; "default" takes about an
        eighth of the work of the trees, and costly settings only if they gain much; "high" takes
        up to 40 times that work, and costly settings if they gain at all.
    time_limit : float, str or None, default=None
        Seconds, or a text such as "90s", "10m" or "1.5h", after which training ends with the trees
        grown so far, at least one; choosing settings takes at most half of it. The trees are the
        first ones of the whole forest, and warm_start adds the others.
    combine : {"posteriors", "votes"}, default="posteriors"
        Whether probabilities are the averaged class shares of the leaves, as in scikit-learn, or
        the vote shares of the trees.
    calibration : {"auto", "none"}, default="auto"
        Whether ``fit`` learns from the out-of-bag rows how far these shares can be trusted, and
        ``predict_proba`` follows that: log loss and Brier score are lower, and no prediction
        changes. "none": plain shares, also of a forest that is fitted already. A forest without
        out-of-bag rows has plain shares.
    cost : dict, str or None, default=None
        Costs of errors: ``{("sick", "well"): 10}`` says that predicting well for a row that is sick
        costs 10, while all other errors cost 1. ``predict`` names the class with the least expected
        cost, by the probabilities, which do not change. A text is that of the command:
        ``"sick:well=10"``.
    recall : dict, str or None, default=None
        For two classes: ``{"sick": 0.95}`` predicts sick from a probability on, that with the
        highest precision of all that find at least this share of the sick out-of-bag rows by their
        votes. ``settings_["threshold"]`` is that probability.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,), or a list of n_outputs such arrays
        The classes.
    n_classes_ : int, or a list of n_outputs ints
        Number of classes.
    n_features_in_, n_outputs_, n_trees_ : int
        Numbers of features, outputs (columns of y) and trees.
    feature_names_in_ : ndarray of str
        Names of the features, if X had names.
    settings_ : dict of str
        The settings of the forest, under the names of the command's options, including those that
        were chosen. "stopped" is there if training ended with "enough" trees, or when its "time"
        was over.
    search_seconds_ : float
        Seconds that the choice of settings took, part of the time of ``fit``; 0.0 if nothing was
        chosen, as for trees added by warm_start. Not in model files.
    oob_score_ : float
        Out-of-bag accuracy, or the given metric; with several columns of y the share of rows that
        are right in all of them. With ``oob_score``.
    oob_decision_function_ : ndarray of shape (n_samples, n_classes)
        Out-of-bag vote shares of each class; NaN for rows that are in every bag. With several
        columns of y mean class shares of leaves, (n_samples, n_classes, n_outputs), or a list if
        the numbers of classes differ. With ``oob_score``.
    oob_curve_ : ndarray of shape (n_trees_,)
        Out-of-bag error of the first 1, 2, ... trees; the share of wrong labels if y has several
        columns.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Mean decrease in impurity, divided among the features of a split; the sum is 1.
    projection_importances_ : list of ProjectionImportance
        The same for whole projections, the most important first.

    Notes
    -----
    A sampler written in Python is called in each node that may be split, with a `Node` and a
    ``numpy.random.Generator``, and returns the candidates: a matrix, dense or sparse, with a row
    for each candidate and a column for each feature, or a list of pairs (features, weights). If the
    sampler takes its random numbers from the generator, the forest depends only on the seed,
    whatever the number of threads.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sporf import SporfClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = SporfClassifier(random_state=0)
    >>> bool(cross_val_score(forest, X, y, cv=5).mean() > 0.95)
    True
    """

    def __init__(
        self,
        n_estimators: int | str = 100,
        *,
        criterion: str = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
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
        class_weight: dict[Any, float] | str | None = None,
        projection: str | Patches | Callable[[Node, np.random.Generator], Any] = "sporf",
        feature_combinations: float | None = None,
        projection_weights: str = "auto",
        nonzeros: str = "grid",
        scale: str = "auto",
        splitter: str = "auto",
        categorical_features: str | Sequence[Any] | np.ndarray | None = "from_dtype",
        handle_unknown: str = "warn",
        honest: bool | float = False,
        weight_is: str = "relative",
        effort: str = "default",
        time_limit: float | str | None = None,
        combine: str = "posteriors",
        calibration: str = "auto",
        cost: dict[tuple[Any, Any], float] | str | None = None,
        recall: dict[Any, float] | str | None = None,
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
        self.class_weight = class_weight
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
        self.combine = combine
        self.calibration = calibration
        self.cost = cost
        self.recall = recall

    # ---- fitting -----------------------------------------------------------------------------

    def _outcome_options(self, data, outcome):
        criteria = {"gini": "gini", "entropy": "entropy", "log_loss": "entropy"}
        choice("combine", self.combine, ("posteriors", "votes"))
        criterion = criteria[choice("criterion", self.criterion, tuple(criteria))]
        if isinstance(outcome, Several):
            return {"criterion": criterion, **self._options_of_several()}
        names = self._names_of(data, outcome)
        return {
            "criterion": criterion,
            "class-weights": self._class_weights(data, outcome),
            "calibration": choice("calibration", self.calibration, ("auto", "none")),
            "cost": cost_text(self.cost, names),
            "recall": recall_text(self.recall, names),
        }

    def _keep_oob(self, forest, outcome):
        if isinstance(outcome, Several):
            self._keep_oob_of_several(forest, outcome)
            return
        classes, index, order = outcome
        _, error, _, _, votes = forest.oob()
        votes = np.frombuffer(votes, np.uint32).reshape(-1, len(classes))[:, order]
        total = votes.sum(axis=1)
        with np.errstate(invalid="ignore"):
            self.oob_decision_function_ = votes / total[:, np.newaxis]
        seen = total > 0
        self._warn_of_unseen(int((~seen).sum()))
        if callable(self.oob_score):
            predicted = classes[votes[seen].argmax(axis=1)]
            self.oob_score_ = float(self.oob_score(classes[index][seen], predicted))
        else:
            self.oob_score_ = 1 - error

    def predict_proba_per_tree(
        self, X: Any, indices: Sequence[np.ndarray] | None = None
    ) -> np.ndarray:
        """The class shares that each tree predicts: `predict_proba` of all its trees at once.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        indices : sequence of n_trees_ arrays of int, optional
            For each tree the rows of X that it is asked for: with those of `oob_samples`, each tree
            predicts the rows that it has not seen. None: all rows.

        Returns
        -------
        p : ndarray of shape (n_trees_, n_samples, n_classes)
            By weight, without calibration; NaN where a tree is not asked for a row.
        """
        leaves = self._leaves(X)  # of one table, also where `apply` is lazy
        self._refuse_several("predict_proba_per_tree")
        leaves = nodes_of_leaves(self._forest, leaves)
        if indices is not None and len(indices) != len(self):
            raise ValueError(
                f"indices are of {len(indices)} trees, but the forest has {len(self)}: give the "
                "rows of each tree"
            )
        shares = np.full((len(self), len(leaves), self.n_classes_), np.nan)
        for tree, found in zip(self, shares, strict=True):
            rows = slice(None) if indices is None else indices[tree.number]
            found[rows] = tree._shares_in(leaves[rows, tree.number])
        return shares

    def strength(self, X: Any, y: Any, sample_weight: Any = None) -> Strength:
        """Strength and correlation of the trees, on their out-of-bag rows (Breiman 2001).

        Parameters
        ----------
        X, y, sample_weight
            The same as in ``fit``, with the rows in the same order; others are refused.

        Returns
        -------
        measured : Strength
            With numbers ``strength``, ``correlation`` and ``bound``.
        """
        self._refuse_several("strength")
        data = self._training_data(X, y, sample_weight)
        with messages_in_python():
            return Strength(*self._forest.strength(data, threads(self.n_jobs)))

    def oob_scores(self, y: Any, sample_weight: Any = None, **options: Any) -> ClassScores:
        """Scores of the out-of-bag predictions, right after ``fit``; not in model files.

        Probabilities are those of the votes of the trees that a row was out of bag in, calibrated
        like those of ``predict_proba``, and classes follow by ``cost`` or ``recall``, if given.
        Rows that are in every bag are ignored.

        Parameters
        ----------
        y : array of shape (n_samples,)
            The classes given to ``fit``, in the same order.
        sample_weight : array of shape (n_samples,), optional
            Row weights; those of classes are not applied.
        **options
            ``confidence``, ``replicates``, ``top_k``, ``random_state``, as for `sporf.scores`.

        Returns
        -------
        found : ClassScores
        """
        check_is_fitted(self)
        self._refuse_several("oob_scores")
        with messages_in_python():
            proba = np.frombuffer(self._forest.oob_probabilities(), np.float64)
            decided = np.frombuffer(self._forest.oob_classes(), np.uint32)
        proba = proba.reshape(-1, self.n_classes_)
        decided = np.minimum(decided, self.n_classes_ - 1)  # rows without any are ignored
        if self._order is not None:
            proba = proba[:, self._order]
        options.setdefault("n_jobs", self.n_jobs)
        return scores(
            y,
            proba,
            classes=self.classes_,
            y_pred=self._labels(decided),
            sample_weight=sample_weight,
            **options,
        )
