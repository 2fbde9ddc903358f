"""The library's messages in the words of Python: names of parameters, and places counted from 0;
and warnings."""

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ._core import Refused

_OPTIONS = {
    "bag": "bootstrap",
    "bag-fraction": "max_samples",
    "density": "feature_combinations / p",
    "max-depth": "max_depth",
    "method": "projection",
    "min-leaf": "min_samples_leaf",
    "min-leaf-weight": "min_weight_fraction_leaf",
    "min-split": "min_samples_split",
    "projections": "max_features",
    "samples": "keep_samples",
    "split": "splitter",
    "threads": "n_jobs",
    "trees": "n_estimators",
    "weight-is": "weight_is",
    "weights": "projection_weights",
}
_WORDS: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (r"^([a-z-]+) (?=is|comes|must)", lambda m: f"{_OPTIONS.get(m[1], m[1])} "),
    (r"lower the number of projections or the density", "lower max_features"),
    (r"lower projections, density or patch-max", "lower max_features, or max_size of the patches"),
    (r"give at most p, or take the method sporf", "give at most that many, or projection='sporf'"),
    (r"\btake the method ", "take projection "),
    (r"\bclass-weights\b", "class_weight"),
    (r"\bimage-width\b", "image_width"),
    (r"\bpatch-min\b", "min_size"),
    (r"\bpatch-max\b", "max_size"),
    (r"train it with samples 'keep'", "train it with keep_samples=True"),
    (r"; read the data with the model's schema, or say what the levels are", ""),
    (r"give a file that `sporf train` wrote", "give a file that save or `sporf train` wrote"),
    (r"--scale sd", "scale='sd'"),
    (
        r"with the same labels \(--label-file\) and weights \(--weight\)",
        "with the same y and sample_weight",
    ),
    (r"give the same weights \(--weight\)", "give the same sample_weight"),
    (r"--(bag )?subsample", "bootstrap='subsample'"),
    (r"row (\d+), (?:column|feature) (\d+)", lambda m: f"X[{int(m[1]) - 1}, {int(m[2]) - 1}]"),
    (r"\b(feature|class) (\d+) (?=is)", lambda m: f"{m[1]} {int(m[2]) - 1} "),
    (r"\b(row|column) (\d+)\b", lambda m: f"{m[1]} {int(m[2]) - 1}"),
]


def in_python(message: str) -> str:
    for pattern, words in _WORDS:
        message = re.sub(pattern, words, message)
    return message


def warn(message: str) -> None:
    """Warns of a line outside of this package: that of whoever called it."""
    package = os.path.dirname(__file__) + os.sep
    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(package):
        frame = frame.f_back
        level += 1
    warnings.warn(message, stacklevel=level)


@contextmanager
def messages_in_python() -> Iterator[None]:
    """What the library refuses inside is refused in words that Python users know."""
    try:
        yield
    except Refused as error:
        raise ValueError(in_python(str(error))) from None
