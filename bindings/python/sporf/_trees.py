"""Trees as data: arrays, paths of rows, and text."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _terms
from ._options import whole

LEAF = -1  # the child of a leaf
UNDEFINED = -2  # the feature and the threshold of a leaf
_TYPES = {
    "left": np.int32,
    "right": np.int32,
    "missing_left": np.uint8,
    "term_start": np.int64,
    "term": np.uint32,
    "share_start": np.int64,
    "share": np.uint32,
}


def has_classes(model) -> bool:
    """Whether leaves hold classes; those of several labels hold the shares of all their classes."""
    return not model._boosts and model._forest.classes > 0


def outputs_of(model) -> int:
    """Numbers in a leaf that does not hold classes."""
    return 1 if model._boosts else model._forest.targets or 1


class LevelSet(NamedTuple):
    """What a term stands for that is not simply the value of a feature."""

    feature: int
    """The feature that it looks at."""
    levels: list[str] | None
    """The term is 1 for rows with one of these levels and 0 for others; None: it is the value of
    the feature."""
    missing: float
    """What the term is if the value is missing; NaN: the split says where such rows go."""


class TreeArrays:
    """A tree as arrays, with the names of scikit-learn's ``tree_`` if it has them.

    Nodes are numbered in preorder: node 0 is the root, and the left child of a node follows it.
    A row goes left if the sum of ``term_weight`` times the values of the terms of a split is at
    most its ``threshold``.

    Attributes
    ----------
    node_count, n_leaves, max_depth, n_features, n_outputs : int
        Numbers of nodes, leaves, levels below the root, features and outputs.
    n_classes : ndarray of int, shape (n_outputs,)
        Numbers of classes; 1 in regression and in boosted models.
    children_left, children_right : ndarray of int32, shape (node_count,)
        The children of a split; -1 in leaves.
    parent, depth : ndarray of int32, shape (node_count,)
        The split above each node (-1 for the root), and the number of splits above it.
    threshold : ndarray of float64, shape (node_count,)
        The thresholds of splits; -2 in leaves.
    feature : ndarray of int32, shape (node_count,)
        The feature of a split that looks at a single value: ``x[feature] <= threshold``. -1 for all
        other splits, see their terms; -2 in leaves.
    term_offset : ndarray of int64, shape (node_count + 1,)
        The terms of node i are those from ``term_offset[i]`` up to ``term_offset[i + 1]``.
    term_feature : ndarray of int32
        The feature of each term.
    term_set : ndarray of int32
        A key of ``level_sets``, or -1 if the term is the value of its feature.
    term_weight : ndarray of float64
        The weight of each term.
    level_sets : dict of int to LevelSet
        Terms that stand for sets of levels, or for values with a number in place of missing ones.
    missing_go_to_left : ndarray of uint8, shape (node_count,)
        1 if rows with a missing value go left.
    value : ndarray of float64, shape (node_count, n_outputs, n_classes)
        The shares of the classes among the rows of a node, by weight; or the means of the targets.
        In a boosted model what a leaf adds to the score, and NaN in splits. With several labels, an
        output is the share of a class, those of the first label first.
    weighted_n_node_samples : ndarray of float64, shape (node_count,)
        The weight of the training rows of each node, as often as they were drawn for the tree. In a
        boosted model the sum of the hessians. In an honest tree only rows that fill leaves count.
    impurity : ndarray of float64, shape (node_count,)
        Gini impurity or entropy (in bits) of the classes in each node. Models do not keep it for
        regression and boosting.

    Notes
    -----
    Models do not keep the numbers of rows of a node, ``n_node_samples``.
    """

    def __init__(self, model: Any, tree: int) -> None:
        self._model, self._tree, forest = model, tree, model._forest
        found = {
            name: np.frombuffer(part, _TYPES.get(name, np.float64))
            for name, part in forest.tree(tree).items()
        }
        self._shares = found["share_start"], found["share"], found["share_weight"]
        self._leaf_weight = found["weight"]
        self.children_left, self.children_right = found["left"], found["right"]
        self.missing_go_to_left = found["missing_left"]
        self.term_offset, self.term_weight = found["term_start"], found["term_weight"]
        self.node_count = len(self.children_left)
        self.n_leaves = (self.node_count + 1) // 2
        self.n_features, self.n_outputs = forest.features, outputs_of(model)
        self._set_parents()
        self._set_terms(found["term"].astype(np.int32))
        self.threshold = np.where(self._is_leaf, float(UNDEFINED), found["threshold"])

    @property
    def _is_leaf(self):
        return self.children_left == LEAF

    def _set_parents(self):
        splits = np.flatnonzero(~self._is_leaf)
        self.parent = np.full(self.node_count, LEAF, np.int32)
        self.parent[self.children_left[splits]] = splits
        self.parent[self.children_right[splits]] = splits
        self.depth = np.zeros(self.node_count, np.int32)
        level = np.zeros(1, np.int32)
        self._levels = [level]  # nodes by depth
        while (level := level[~self._is_leaf[level]]).size:
            level = np.concatenate([self.children_left[level], self.children_right[level]])
            self.depth[level] = len(self._levels)
            self._levels.append(level)
        self.max_depth = len(self._levels) - 1

    def _set_terms(self, terms):
        features = self.n_features
        self.term_set = np.where(terms >= features, terms - features, -1).astype(np.int32)
        self.level_sets = {
            int(number): LevelSet(*self._model._forest.level_set(int(number)))
            for number in np.unique(self.term_set[self.term_set >= 0])
        }
        own = np.array([found.feature for found in self.level_sets.values()], np.int32)
        self.term_feature = terms.copy()
        among = np.searchsorted(list(self.level_sets), self.term_set[self.term_set >= 0])
        self.term_feature[self.term_set >= 0] = own[among]
        self.feature = np.where(self._is_leaf, UNDEFINED, -1).astype(np.int32)
        first = self.term_offset[:-1]
        single = np.flatnonzero(np.diff(self.term_offset) == 1)
        plain = (self.term_set[first[single]] < 0) & (self.term_weight[first[single]] == 1)
        self.feature[single[plain]] = self.term_feature[first[single[plain]]]

    @property
    def n_classes(self) -> np.ndarray:
        """Numbers of classes; 1 in regression and in boosted models."""
        classes = self._model._forest.classes if self._has_classes else 1
        return np.full(self.n_outputs, classes)

    @property
    def _has_classes(self) -> bool:
        return has_classes(self._model)

    @cached_property
    def weighted_n_node_samples(self) -> np.ndarray:
        """The weight of the training rows of each node."""
        return self._sums(self._leaf_weight[:, np.newaxis])[:, 0]

    def _sums(self, of_leaves):
        """Of the numbers of leaves, in all nodes."""
        sums = of_leaves.copy()
        for level in self._levels[:0:-1]:
            np.add.at(sums, self.parent[level], sums[level])
        return sums

    @cached_property
    def _leaf_shares(self):
        """A column for each class or value, in the library's order."""
        starts, columns, numbers = self._shares
        width = self._model._forest.classes if self._has_classes else self.n_outputs
        dense = np.zeros((self.node_count, width))
        dense[np.repeat(np.arange(self.node_count), np.diff(starts)), columns] = numbers
        return dense

    @cached_property
    def _node_shares(self):
        leaves, weight = self._leaf_shares, self.weighted_n_node_samples[:, np.newaxis]
        if self._model._boosts:
            return np.where(self._is_leaf[:, np.newaxis], leaves, np.nan)
        if self._has_classes:
            return self._sums(leaves) / weight
        means = self._sums(leaves * self._leaf_weight[:, np.newaxis]) / weight
        return np.where(self._is_leaf[:, np.newaxis], leaves, means)

    @cached_property
    def value(self) -> np.ndarray:
        """Shares of classes, means of targets, or what leaves add to scores."""
        if not self._has_classes:
            return self._node_shares[:, :, np.newaxis]
        order = self._model._order
        shares = self._node_shares if order is None else self._node_shares[:, order]
        return shares[:, np.newaxis, :]

    @cached_property
    def impurity(self) -> np.ndarray:
        """Gini impurity or entropy of the classes in each node."""
        if not self._has_classes:
            raise AttributeError(
                "a model keeps the impurities of its nodes in classification only: it knows the "
                "means of leaves, not how much values differ within them"
            )
        shares = self._node_shares
        if self._model._forest.settings.get("criterion") == "entropy":
            logs = np.log2(shares, where=shares > 0, out=np.zeros_like(shares))
            return np.maximum(0, -(shares * logs).sum(axis=1))
        return 1 - (shares**2).sum(axis=1)

    @property
    def n_node_samples(self) -> np.ndarray:
        """Not kept."""
        raise AttributeError(
            "a model keeps the weights of its nodes, not their numbers of rows: see "
            "weighted_n_node_samples, in which a row counts as often as it was drawn for the tree"
        )

    def apply(self, X: Any) -> np.ndarray:
        """The leaf that each row reaches, as the number of its node."""
        return SporfTree(self._model, self._tree).apply(X)


class SporfTree:
    """A tree of a forest or of a boosted model.

    Attributes
    ----------
    tree_ : TreeArrays
        The tree as arrays.
    number : int
        Which tree of the model it is, from 0. Those of a boosted model have the order in which they
        were grown: in each round, for each bag, one for each output.
    n_features_in_, n_outputs_ : int
        Numbers of features and of outputs.
    classes_ : ndarray, or a list of n_outputs such arrays
        The classes of a forest for classification.
    """

    def __init__(self, model: Any, number: int) -> None:
        self._model, self.number = model, number
        self.n_features_in_ = model.n_features_in_
        self.n_outputs_ = outputs_of(model)
        if self._has_several():
            self.n_outputs_ = model.n_outputs_
        if self._has_shares():
            self.classes_, self.n_classes_ = model.classes_, model.n_classes_

    def __repr__(self) -> str:
        count = f"{self._model.n_trees_} of {type(self._model).__name__}"
        return f"<tree {self.number} of {count}: {self.tree_.node_count} nodes>"

    def _has_classes(self) -> bool:
        return has_classes(self._model)

    def _has_several(self) -> bool:
        return getattr(self._model, "_has_several", False)

    def _has_shares(self) -> bool:
        return self._has_classes() or self._has_several()

    @cached_property
    def tree_(self) -> TreeArrays:
        """The tree as arrays."""
        return TreeArrays(self._model, self.number)

    def get_depth(self) -> int:
        """The number of splits above the deepest leaf."""
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        return self.tree_.n_leaves

    def apply(self, X: Any) -> np.ndarray:
        """The leaf that each row reaches.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        nodes : ndarray of uint32, shape (n_samples,)
            Numbers of nodes, as in ``tree_``.
        """
        leaves = self._model._predict(X, "tree_leaves", (), np.uint32, tree=self.number)
        return np.flatnonzero(self.tree_._is_leaf).astype(np.uint32)[leaves]

    def decision_path(self, X: Any) -> sparse.csr_matrix:
        """The nodes that each row goes through.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        indicator : sparse matrix of shape (n_samples, node_count)
            1 where a row goes through a node.
        """
        return paths(self.tree_, self.apply(X))

    def predict(self, X: Any) -> np.ndarray:
        """What the tree predicts: classes, values of targets, or what it adds to the score of a
        boosted model.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        if self._has_several():
            return self._model._classes_of_shares(self.predict_proba(X))
        found = self.tree_._leaf_shares[self.apply(X)]
        if self._has_classes():
            return self._model._labels(found.argmax(axis=1))
        return found[:, 0] if self.n_outputs_ == 1 else found

    @available_if(_has_shares)
    def predict_proba(self, X: Any) -> Any:
        """The shares of the classes in the leaf that each row reaches, by weight. A forest with
        ``combine="posteriors"`` and ``calibration="none"`` has their mean over the trees.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes), or a list of n_outputs such arrays
        """
        return self._shares_in(self.apply(X))

    def _shares_in(self, leaves):
        """Of the classes, in leaves given as numbers of nodes."""
        if self._has_several():
            return self._model._shares(self.tree_._leaf_shares[leaves])
        return self.tree_.value[leaves, 0]


class Trees(Sequence):
    """The trees of a model, each made when it is asked for."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __len__(self) -> int:
        return self._model._forest.trees

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        try:
            return SporfTree(self._model, range(len(self))[index])
        except IndexError:
            raise IndexError(f"there is no tree {index}: the model has {len(self)}") from None

    def __repr__(self) -> str:
        return f"<{len(self)} trees of {type(self._model).__name__}>"


def nodes_of_leaves(forest, leaves: np.ndarray) -> np.ndarray:
    """Numbers of leaves, (rows, trees), made numbers of nodes in place."""
    starts, nodes = (
        np.frombuffer(part, kind)
        for part, kind in zip(forest.leaf_nodes(), (np.uint64, np.uint32), strict=True)
    )
    for tree, start in enumerate(starts.tolist()):
        leaves[:, tree] = nodes[start:][leaves[:, tree]]
    return leaves


def paths(tree: TreeArrays, leaves: np.ndarray) -> sparse.csr_matrix:
    """The nodes above these leaves, and themselves, a row for each."""
    ends = np.cumsum(tree.depth[leaves] + 1, dtype=np.int64)
    indices = np.empty(ends[-1] if len(ends) else 0, np.int64)
    nodes, places = leaves.astype(np.int64), ends - 1
    while len(nodes):
        indices[places] = nodes
        nodes = tree.parent[nodes].astype(np.int64)
        places = (places - 1)[nodes >= 0]
        nodes = nodes[nodes >= 0]
    shape = (len(leaves), tree.node_count)
    ones = np.ones(len(indices), np.int64)
    return sparse.csr_matrix((ones, indices, np.concatenate([[0], ends])), shape=shape)


class TreesMixin:
    """The trees of a fitted model."""

    _forest: Any

    def _predict(self, X, what, shape, dtype=np.float64, levels=None, tree=0):
        raise NotImplementedError

    @property
    def estimators_(self) -> Trees:
        """The trees, as a sequence of `SporfTree`."""
        check_is_fitted(self)
        return Trees(self)

    def __len__(self) -> int:
        """The number of trees."""
        return len(self.estimators_)

    def __bool__(self) -> bool:
        """An estimator is always true, also without trees."""
        return True

    def __getitem__(self, index):
        """A tree, or a list of trees."""
        return self.estimators_[index]

    def __iter__(self) -> Iterator[SporfTree]:
        """The trees, one after the other."""
        return iter(self.estimators_)

    def _leaves(self, X):
        check_is_fitted(self)
        return self._predict(X, "leaves", (self._forest.trees,), np.uint32)

    def apply(self, X: Any) -> np.ndarray:
        """The leaf that each row reaches in each tree.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        nodes : ndarray of uint32, shape (n_samples, n_trees_)
            Numbers of nodes, as in ``estimators_[i].tree_``.
        """
        leaves = self._leaves(X)
        return nodes_of_leaves(self._forest, leaves)

    def decision_path(self, X: Any) -> tuple[sparse.csr_matrix, np.ndarray]:
        """The nodes that each row goes through.

        Parameters
        ----------
        X : array, DataFrame or Arrow table of shape (n_samples, n_features)

        Returns
        -------
        indicator : sparse matrix of shape (n_samples, number of nodes of all trees)
            1 where a row goes through a node.
        n_nodes_ptr : ndarray of shape (n_trees_ + 1,)
            The columns of tree i are those from ``n_nodes_ptr[i]`` up to ``n_nodes_ptr[i + 1]``.
        """
        leaves = self.apply(X)
        parts = [paths(tree.tree_, leaves[:, tree.number]) for tree in self.estimators_]
        ends = np.cumsum([part.shape[1] for part in parts])
        return sparse.hstack(parts).tocsr(), np.concatenate([[0], ends])


# ---- text ------------------------------------------------------------------------------------


def _node_text(model, tree: TreeArrays, node, decimals, show_weights) -> str:
    """What is in a leaf."""
    weight = tree.weighted_n_node_samples[node]
    if model._forest.label_columns:
        text = ", ".join(_terms.label_texts(model._forest, tree.value[node, :, 0]))
        return text + (f"  (weight {weight:g})" if show_weights else "")
    if not tree._has_classes:
        text = ", ".join(f"{number:.{decimals}f}" for number in tree.value[node, :, 0])
        what = "adds" if model._boosts else "value:"
        return f"{what} {text}" + (f"  (weight {weight:g})" if show_weights else "")
    name = _terms.printable(str(model._labels(np.argmax(tree._leaf_shares[node]))))
    if not show_weights:
        return f"class: {name}"
    shares = tree.value[node, 0]
    inside = ", ".join(
        f"{_terms.printable(str(model.classes_[k]))} {shares[k] * weight:g}"
        for k in np.flatnonzero(shares)
    )
    return f"class: {name}  ({inside})"


def _reads(forest, tree: TreeArrays, node, decimals) -> tuple[str, str]:
    """When a row goes left, and when right."""
    terms = slice(tree.term_offset[node], tree.term_offset[node + 1])
    features, sets = tree.term_feature[terms], tree.term_set[terms]
    numbers = np.where(sets < 0, features, sets + tree.n_features)
    threshold = tree.threshold[node]
    return _terms.conditions(
        forest,
        numbers.tolist(),
        tree.term_weight[terms].tolist(),
        threshold,
        bool(tree.missing_go_to_left[node]),
        f"{round(threshold, decimals) + 0.0:.{decimals}f}",  # + 0.0: no -0.00
    )


def export_text(
    forest: Any,
    tree: int = 0,
    *,
    max_depth: int | None = 10,
    spacing: int = 3,
    decimals: int = 2,
    show_weights: bool = False,
) -> str:
    """A tree as text, in the form of scikit-learn's ``export_text``.

    In sums, ``[height or 170.5]`` is 170.5 where height is missing. Otherwise "or missing" says
    that rows with a missing value go there; sums of features that were never missing in training
    leave it out.

    Parameters
    ----------
    forest : SporfClassifier, SporfRegressor, a boosted model, or one of its trees
        Fitted.
    tree : int, default=0
        Which of its trees.
    max_depth : int or None, default=10
        Branches below are cut short; None for the whole tree.
    spacing : int, default=3
        Characters for each level.
    decimals : int, default=2
        Digits after the decimal point.
    show_weights : bool, default=False
        Whether leaves show the weights of their training rows, by class.

    Returns
    -------
    text : str
        A line that says which tree it is, and one for each branch and leaf.

    Examples
    --------
    >>> import sporf
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> forest = sporf.SporfClassifier(2, projection="rf", random_state=1).fit(X, y)
    >>> print(sporf.export_text(forest, max_depth=0), end="")
    tree 0 of 2, counted from 0
    |--- petal length (cm) <= 2.45
    |   |--- class: 0
    |--- petal length (cm) >  2.45
    |   |--- truncated branch of depth 6
    """
    if isinstance(forest, SporfTree):
        forest, tree = forest._model, forest.number
    check_is_fitted(forest)
    number = int(whole("tree", tree, 0))
    deepest = None if max_depth is None else int(whole("max_depth", max_depth, 0))
    width, decimals = int(whole("spacing", spacing, 1)), int(whole("decimals", decimals, 0))
    arrays = forest.estimators_[number].tree_
    lines = [f"tree {number} of {forest.n_trees_}, counted from 0"]
    waiting = [(0, 0, "")]  # nodes with their depth and the condition that leads to them
    while waiting:
        node, depth, condition = waiting.pop()
        if condition:
            lines.append(_branch(depth - 1, width) + condition)
        if arrays.children_left[node] == LEAF:
            words = _node_text(forest, arrays, node, decimals, show_weights)
            lines.append(_branch(depth, width) + words)
        elif deepest is not None and depth > deepest:
            below = int(_depth_below(arrays, node))
            lines.append(f"{_branch(depth, width)}truncated branch of depth {below}")
        else:
            left, right = _reads(forest._forest, arrays, node, decimals)
            waiting.append((int(arrays.children_right[node]), depth + 1, right))
            waiting.append((int(arrays.children_left[node]), depth + 1, left))
    return "\n".join(lines) + "\n"


def _branch(depth, width):
    return ("|" + " " * width) * depth + "|" + "-" * width + " "


def _depth_below(tree: TreeArrays, node):
    """Levels below a node: in preorder, its branch ends where the depth is its own again."""
    after = np.flatnonzero(tree.depth[node + 1 :] <= tree.depth[node])
    end = node + 1 + (after[0] if len(after) else tree.node_count)
    return tree.depth[node:end].max() - tree.depth[node]
