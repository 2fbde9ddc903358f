"""What measures of the out-of-bag rows come as."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PermutationImportances:
    """How much the trees need each feature.

    Attributes
    ----------
    importances : ndarray of shape (n_features,)
        By how much the error of the trees at the rows that they left out grows where the values of
        a feature are shuffled among these, as a mean over the trees: the share of wrong rows, or
        the mean squared error. About 0 for a feature that is noise.
    standard_errors : ndarray of shape (n_features,)
        Of these means, over the trees.
    """

    importances: np.ndarray
    standard_errors: np.ndarray


@dataclass(frozen=True)
class Strength:
    """How good the trees are, and how much they are alike (Breiman 2001).

    Attributes
    ----------
    strength : float
        Mean over the rows of the share of out-of-bag votes for their class, less the largest share
        for another one.
    correlation : float
        Of the trees' margins; NaN where every tree is right at every row.
    bound : float
        At most so often a forest of ever more such trees is wrong: correlation (1 - s^2) / s^2. It
        may pass 1, and is NaN where the strength s is not above 0.
    """

    strength: float
    correlation: float
    bound: float
