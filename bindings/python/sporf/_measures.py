"""What measures of the out-of-bag rows come as."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PermutationImportances:
    """Permutation importances of the features, or of groups of them.

    Attributes
    ----------
    importances : ndarray of shape (n_features,) or (n_groups,)
        Increase of a tree's error (error rate, or mean squared error) on its out-of-bag rows when
        the values of a feature are shuffled among them, averaged over the trees. About 0 for
        noise.
    standard_errors : ndarray of shape (n_features,) or (n_groups,)
        Standard errors of these means, over the trees.
    """

    importances: np.ndarray
    standard_errors: np.ndarray


@dataclass(frozen=True)
class CorrectedImportances:
    """Impurity importances without their bias towards features with many values.

    Attributes
    ----------
    importances : ndarray of shape (n_features,) or (n_groups,)
        Share of the total decrease in impurity, minus that of a shuffled copy. About 0 for noise,
        and then often negative.
    p_values : ndarray of shape (n_features,) or (n_groups,), or None
        For the null hypothesis that a feature is independent of ``y`` and of all other features
        together.
    """

    importances: np.ndarray
    p_values: np.ndarray | None


@dataclass(frozen=True)
class DropColumnImportances:
    """How much the error grows without a feature, or a group of them.

    Attributes
    ----------
    importances : ndarray of shape (n_features,) or (n_groups,)
        Increase of the error (error rate, or mean squared error) of the whole forest; NaN if the
        time was over before.
    standard_errors : ndarray of shape (n_features,) or (n_groups,)
        Standard errors of these, from the differences of the rows.
    """

    importances: np.ndarray
    standard_errors: np.ndarray


@dataclass(frozen=True)
class Strength:
    """How good the trees are, and how strongly they are correlated (Breiman 2001).

    Attributes
    ----------
    strength : float
        Mean over the rows of the share of out-of-bag votes for their class, minus the largest share
        for another class.
    correlation : float
        Correlation of the trees' margins; NaN if every tree is right on every row.
    bound : float
        Upper bound on the error rate of a forest of ever more such trees, correlation (1 - s^2) /
        s^2. It may exceed 1, and is NaN if the strength s is not above 0.
    """

    strength: float
    correlation: float
    bound: float
