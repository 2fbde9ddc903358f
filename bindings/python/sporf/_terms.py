"""Projections in words: ``+1 age -1 [plan in basic]``."""

from typing import NamedTuple


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
    """A feature's name, or that of a set of levels, of which a short one tells only the first."""
    if feature < forest.features:
        return feature_name(forest, feature)
    of_feature, levels = forest.level_set(feature - forest.features)
    name = feature_name(forest, of_feature)
    if levels is None:
        return name
    if short and len(levels) > MOST_LEVELS:
        levels = [*levels[:MOST_LEVELS], f"{len(levels) - MOST_LEVELS} more"]
    return f"[{name} in {printable(', '.join(levels))}]"


def projection_text(forest, features, weights, short: bool = False) -> str:
    return " ".join(
        f"{weight:+.3g} {term_name(forest, feature, short)}"
        for feature, weight in zip(features, weights, strict=True)
    )


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
