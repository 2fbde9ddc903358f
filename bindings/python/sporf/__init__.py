"""Sparse projection oblique randomer forests, with the interface of scikit-learn.

Random forests and boosted models whose splits look at sparse sums of features (``x3 - x7 <= 0.2``)
instead of a single feature, in a C library. The command ``sporf`` reads and writes the same model
files.

>>> from sporf import SporfClassifier, simulate
>>> X, y = simulate("sparse-parity", 2000, random_state=1)
>>> forest = SporfClassifier(max_features="4p", oob_score=True, random_state=1).fit(X, y)
>>> bool(forest.oob_score_ > 0.7)
True
"""

from ._boosting import BoostingRound
from ._boosting_classifier import SporfBoostingClassifier
from ._boosting_regressor import SporfBoostingRegressor
from ._classifier import SporfClassifier
from ._core import version as __version__
from ._dependence import Dependence, Interaction, Interactions
from ._explain import Explanation
from ._measures import (
    CorrectedImportances,
    DropColumnImportances,
    PermutationImportances,
    Strength,
)
from ._persistence import load
from ._plots import plot_boundary, plot_dependence, plot_importance, plot_oob, plot_tree
from ._regressor import SporfRegressor
from ._report import Report
from ._samplers import Node, Patches
from ._scores import ClassScore, ClassScores, Curve, Score, score_curve, scores
from ._simulate import simulate
from ._terms import ProjectionImportance
from ._trees import LevelSet, SporfTree, TreeArrays, export_text
from ._tune import TriedSetting, tune

__all__ = [
    "BoostingRound",
    "ClassScore",
    "ClassScores",
    "CorrectedImportances",
    "Curve",
    "Dependence",
    "DropColumnImportances",
    "Explanation",
    "Interaction",
    "Interactions",
    "LevelSet",
    "Node",
    "Patches",
    "PermutationImportances",
    "ProjectionImportance",
    "Report",
    "Score",
    "SporfBoostingClassifier",
    "SporfBoostingRegressor",
    "SporfClassifier",
    "SporfRegressor",
    "SporfTree",
    "Strength",
    "TreeArrays",
    "TriedSetting",
    "__version__",
    "export_text",
    "load",
    "plot_boundary",
    "plot_dependence",
    "plot_importance",
    "plot_oob",
    "plot_tree",
    "score_curve",
    "scores",
    "simulate",
    "tune",
]
