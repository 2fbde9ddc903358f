"""Projections in words: ``+1 age -1 [plan in basic]``."""

from typing import NamedTuple

import numpy as np

from . import _core


class ProjectionImportance(NamedTuple):
    """A projection and how much its splits matter."""

    importance: float
    """Its share of the total decrease in impurity."""
    n_splits: int
    """Splits of all trees that use it."""
    features: list[int]
    """The features in it; one may be there several times, with other levels of a category."""
    weights: list[float]
    """Their weights."""
    text: str
    """The same in words."""


def printable(name: str) -> str:
    """A name to be shown; bytes of a file that are not UTF-8 could not be printed."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def feature_name(forest, feature: int) -> str:
    names = forest.feature_names
    return printable(names[feature]) if names else f"x{feature}"


MOST_LEVELS = 3


def term_name(forest, feature: int, short: bool = False) -> str:
    """A feature's name, also with what replaces a missing value, or that of a set of levels, of
    which a short one tells only the first.
    """
    if feature < forest.features:
        return feature_name(forest, feature)
    of_feature, levels, fill = forest.level_set(feature - forest.features)
    name = feature_name(forest, of_feature)
    if levels is None:
        return f"[{name} or {fill:.4g}]"
    return f"[{name} in {level_names(levels, short)}]"


def level_names(levels: list[str], short: bool = False) -> str:
    """The names of a set of levels, of which a short text tells only the first."""
    if short and len(levels) > MOST_LEVELS:
        levels = [*levels[:MOST_LEVELS], f"{len(levels) - MOST_LEVELS} more"]
    return printable(", ".join(levels)) or "none"


def projection_text(forest, features, weights, short: bool = False) -> str:
    return " ".join(
        f"{weight:+.3g} {term_name(forest, feature, short)}"
        for feature, weight in zip(features, weights, strict=True)
    )


BEYOND_ALL = 1e38  # larger than any sum of features


def _presence(forest, terms, known_left):
    """Of a cut beyond any sum: whether all values are known."""
    names = [feature_name(forest, feature_of(forest, term)) for term in terms]
    known, missing = f"{' and '.join(names)} known", f"{' or '.join(names)} missing"
    return (known, missing) if known_left else (missing, known)


def _single_set(forest, terms, weights, threshold, short):
    """The name and levels of a feature, if the split only asks for its level."""
    if len(terms) > 1 or terms[0] < forest.features or weights[0] <= 0:
        return None
    feature, levels, _ = forest.level_set(terms[0] - forest.features)
    if levels is None or not 0 <= threshold < weights[0]:
        return None
    return feature_name(forest, feature), level_names(levels, short)


def sum_text(forest, terms, weights, short: bool = False) -> str:
    """A sum as the command's pictures have it: ``age - 0.5 [income or 30000]``."""
    text = ""
    for term, weight in zip(terms, weights, strict=True):
        sign = "-" if weight < 0 else "+" if text else ""
        size = "" if abs(weight) == 1 else f"{abs(weight):.3g} "
        between = " " if text else ""
        text += f"{between}{sign}{between}{size}{term_name(forest, term, short)}"
    return text


def _goes_left(forest, terms, weights, threshold, missing_left) -> bool:
    """Whether to say that rows with a missing value go left: they do, no replacement is shown, and
    the model does not know that training had none.
    """
    fills = [
        np.nan if term < forest.features else forest.level_set(term - forest.features)[2]
        for term in terms
    ]
    if len(terms) == 1 and not np.isnan(fills[0]):
        return weights[0] * fills[0] <= threshold
    method = _core.methods.get(forest.settings.get("method"), {})
    if len(terms) > 1 and method.get("fills_sums"):
        return False
    return missing_left and bool(np.isnan(fills).any())


def conditions(
    forest, terms, weights, threshold, missing_left, cut: str, short: bool = False
) -> tuple[str, str]:
    """A split in words: when a row goes left, and when right. ``cut`` is the threshold as text."""
    if (missing_left and threshold <= -BEYOND_ALL) or (
        not missing_left and threshold >= BEYOND_ALL
    ):
        return _presence(forest, terms, not missing_left)
    note = " or missing" if _goes_left(forest, terms, weights, threshold, missing_left) else ""
    single = _single_set(forest, terms, weights, threshold, short)
    if single:
        name, levels = single
        return f"{name} not in {levels}{note}", f"{name} in {levels}"
    text = sum_text(forest, terms, weights, short)
    return f"{text} <= {cut}{note}", f"{text} >  {cut}"


def label_texts(forest, shares) -> list[str]:
    """The largest class of each of several labels: ``colour=red 93%``."""
    texts, begin = [], 0
    for name, classes in forest.label_columns:
        own = shares[begin : begin + len(classes)]
        best = int(np.argmax(own))
        share = "" if own[best] == 1 else f" {own[best]:.0%}"
        texts.append(f"{printable(name)}={printable(classes[best])}{share}")
        begin += len(classes)
    return texts


def feature_of(forest, term: int) -> int:
    """The feature that a term is about: itself, or that of a set of levels."""
    return term if term < forest.features else forest.level_set(term - forest.features)[0]


def ranking(forest, count: int) -> list[ProjectionImportance]:
    return [
        ProjectionImportance(
            importance,
            splits,
            [feature_of(forest, term) for term in terms],
            weights,
            projection_text(forest, terms, weights),
        )
        for importance, splits, terms, weights in forest.ranking(count)
    ]
